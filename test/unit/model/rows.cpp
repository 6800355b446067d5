// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// What the datasheets say of a counter beside what it counts: its name and its address, the time
// in which it wraps, whether a read clears it. What each one counts is the matter of reference.cpp
// and of the scenarios.
#include "boost_test.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "../../reference/altera_tse_reference.hpp"
#include "../../reference/alx_reference.hpp"
#include "../../reference/cpsw_reference.hpp"
#include "../../reference/dwmac_reference.hpp"
#include "../../reference/e1000_reference.hpp"
#include "../../reference/e1000e_reference.hpp"
#include "../../reference/ixf1104_reference.hpp"
#include "../../reference/ll40g_agilex5_reference.hpp"
#include "../../reference/ll40g_reference.hpp"
#include "../../reference/netc_reference.hpp"
#include "fixture.hpp"
#include "libmacstats/core/names.hpp"
#include "models.hpp"

BOOST_AUTO_TEST_SUITE(unit_rows)

using namespace macstats::test;

namespace {

struct Named {
    std::string reg;
    std::string name; // of ethtool -S
    u32 offset;
};

template <typename Table>
std::vector<Named> names_of(const Table& table) {
    std::vector<Named> all;

    for (const auto& one : table)
        all.push_back({one.reg, one.name, one.address});
    return all;
}

// The datasheet's name in lower case, without its CNTR_.
std::vector<Named> names_of_ll40g() {
    std::vector<Named> all;

    for (const ll40g::CounterAt& one : ll40g::counters) {
        std::string name(one.name.substr(one.name.starts_with("CNTR_") ? 5 : 0));

        if (name.ends_with("OctetsOK"))
            name = name.substr(0, 2) + "_octets_ok";
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
            return static_cast<char>(std::tolower(c));
        });
        all.push_back({std::string(one.name), name, one.low});
    }
    return all;
}

// One table for both pages.
std::vector<Named> names_of_ll40g_agilex5() {
    std::vector<Named> all;

    for (const auto& [reg, name, base] : {std::tuple("TX ", "tx_", 0x800u), {"RX ", "rx_", 0x900u}})
        for (const auto& one : macstats::reference::Ll40gAgilex5::table)
            all.push_back(
                {reg + std::string(one.name), name + std::string(one.string), base + one.offset});
    return all;
}

// One table for both MACs.
std::vector<Named> names_of_netc() {
    std::vector<Named> all;

    for (const auto& [reg, mac, base] : {std::tuple("PM0_", "emac", 0u), {"PM1_", "pmac", 0x400u}})
        for (const auto& one : NetcReference::counters)
            all.push_back(
                {reg + std::string(one.reg), std::string(one.name).replace(3, 4, mac),
                 base + one.address});
    for (const auto& one : NetcReference::merge_counters)
        all.push_back({one.reg, one.name, one.address});
    return all;
}

// Those of the RC32438 are with its descriptors.
std::vector<std::pair<const macstats_model*, std::vector<Named>>> datasheets() {
    return {
        {&ll40g_model, names_of_ll40g()},
        {&ll40g_agilex5_model, names_of_ll40g_agilex5()},
        {&ixf1104_model, names_of(Ixf1104Reference::counters)},
        {&cpsw_model, names_of(CpswReference::counters)},
        {&e1000_model, names_of(E1000Reference::counters)},
        {&e1000e_model, names_of(E1000eReference::counters)},
        {&alx_model, names_of(AlxReference::counters)},
        {&altera_tse_model, names_of(AlteraTseReference::counters)},
        {&netc_model, names_of_netc()},
    };
}

u64 wrap_usecs(const macstats_model& model, std::string_view reg) {
    return macstats__wrap_usecs(
        &model, &model.counters[counter_index(model, reg)], model.line_rate_bps);
}

constexpr u64 never = ~u64{0};

} // namespace

BOOST_AUTO_TEST_CASE(each_counter_has_the_name_and_address_of_its_datasheet) {
    for (const auto& [model, names] : datasheets()) {
        BOOST_TEST_REQUIRE(model->n_counters == names.size());
        for (std::size_t i = 0; i < names.size(); i++) {
            BOOST_TEST_CONTEXT(model->name << ' ' << names[i].reg) {
                BOOST_TEST(model->counters[i].reg == names[i].reg);
                BOOST_TEST(model->counters[i].name == names[i].name);
                BOOST_TEST(model->counters[i].offset == names[i].offset);
            }
        }
    }
}

// Of its words, the high one is at the next address. Those of altera_tse lie apart.
BOOST_AUTO_TEST_CASE(each_counter_and_each_of_its_words_is_found_by_the_name_of_its_datasheet) {
    for (const auto& [model, names] : datasheets()) {
        const u32 next = 32 / model->address_unit_bits;

        for (const Named& one : names) {
            BOOST_TEST_CONTEXT(model->name << ' ' << one.reg) {
                BOOST_TEST(macstats::find_place(*model, one.reg)->address == one.offset);
                if (model->counters[counter_index(*model, one.reg)].bits == 32)
                    continue;
                BOOST_TEST(macstats::find_place(*model, one.reg + "_LO")->address == one.offset);
                if (model != &altera_tse_model)
                    BOOST_TEST(
                        macstats::find_place(*model, one.reg + "_HI")->address ==
                        one.offset + next);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(ports_addresses_and_line_rates_are_those_of_the_datasheets) {
    const struct {
        const macstats_model& model;
        unsigned int ports;
        u32 stride;
        unsigned int address_unit_bits;
        u64 line_rate_bps;
        macstats_power_up power_up;
    } expected[] = {
        {ll40g_model, 1, 0, 32, 40000000000, MACSTATS_POWER_UP_RANDOM},
        {ll40g_agilex5_model, 1, 0, 32, 40000000000, MACSTATS_POWER_UP_RANDOM},
        {ixf1104_model, 4, 0x80, 32, 1000000000, MACSTATS_POWER_UP_ZERO},
        {rc32438_model, 2, 0x8000, 8, 100000000, MACSTATS_POWER_UP_ZERO},
        {cpsw_model, 1, 0, 8, 1000000000, MACSTATS_POWER_UP_ZERO},
        {e1000_model, 1, 0, 8, 1000000000, MACSTATS_POWER_UP_RANDOM},
        {e1000e_model, 1, 0, 8, 2500000000, MACSTATS_POWER_UP_RANDOM},
        {dwmac_mmc_model, 1, 0, 8, 1000000000, MACSTATS_POWER_UP_ZERO},
        {dwmac4_mmc_model, 1, 0, 8, 2500000000, MACSTATS_POWER_UP_ZERO},
        {dwxgmac_mmc_model, 1, 0, 8, 10000000000, MACSTATS_POWER_UP_ZERO},
        {netc_model, 1, 0, 8, 10000000000, MACSTATS_POWER_UP_ZERO},
    };

    for (const auto& one : expected) {
        BOOST_TEST_CONTEXT(one.model.name) {
            BOOST_TEST(+one.model.ports == one.ports);
            BOOST_TEST(one.model.port_stride == one.stride);
            BOOST_TEST(+one.model.address_unit_bits == one.address_unit_bits);
            BOOST_TEST(+one.model.bus_bits == 32);
            BOOST_TEST(one.model.line_rate_bps == one.line_rate_bps);
            BOOST_TEST(+one.model.power_up == one.power_up);
        }
    }
}

// A register dump leaves these out. Of the 8254x, a read of the high word of octets clears both.
BOOST_AUTO_TEST_CASE(only_reads_that_clear_are_destructive) {
    std::map<const macstats_model*, std::set<u32>> clear;

    for (const auto& one : Ixf1104Reference::counters)
        clear[&ixf1104_model].insert(one.address);
    for (u32 offset = 0x120; offset <= 0x130; offset += 4)
        clear[&rc32438_model].insert(offset);
    for (const auto& one : E1000Reference::counters)
        clear[&e1000_model].insert(one.address + (E1000Reference::is_octets(one.address) ? 4 : 0));
    for (const auto& one : E1000eReference::counters)
        clear[&e1000e_model].insert(
            one.address + (E1000eReference::is_octets(one.address) ? 4 : 0));
    for (u32 offset = 0x100; offset <= 0x27c; offset += offset == 0x1b0 ? 0xc0 : 4)
        clear[&gem_model].insert(offset);
    for (const auto& one : AlxReference::counters)
        clear[&alx_model].insert(one.address);
    // While a bit is set, which is the driver's.
    const std::pair<const macstats_model*, DwmacReference::Core> cores[] = {
        {&dwmac_mmc_model, DwmacReference::gmac},
        {&dwmac4_mmc_model, DwmacReference::gmac4},
        {&dwxgmac_mmc_model, DwmacReference::xgmac}};
    for (const auto& [model, core] : cores)
        for (const auto& one : DwmacReference::counters)
            if (const u32 at = DwmacReference::address_of(one, core); at != DwmacReference::none)
                for (u32 word = 0; word <= DwmacReference::is_wide(one, core); word++)
                    clear[model].insert(at + 4 * word);
    for (const macstats::reference::Counter& one : NetcReference::listed())
        for (u32 word = 0; one.bits == 64 && word < 2; word++)
            clear[&netc_model].insert(one.address + 4 * word);
    for (const macstats_model* model : macstats::all_models())
        for (u32 offset = 0; offset <= 0x5000; offset++)
            BOOST_TEST(
                macstats_read_is_destructive(model, offset) == clear[model].contains(offset),
                model->name << " offset " << offset);
}

BOOST_AUTO_TEST_SUITE(wrap_times)

// Register maps 1.5, 2.5, 3.5 and 4.5: 2^32 octets, or frames of so many octets with preamble and
// gap, at the line rate; three ports of the CPSW share its counters.
BOOST_AUTO_TEST_CASE(a_counter_wraps_when_the_register_maps_say) {
    const struct {
        const macstats_model& model;
        const char* reg;
        u64 usecs;
    } expected[] = {
        {ll40g_model, "CNTR_TX_64B", never},
        {ll40g_model, "TxOctetsOK", never},
        {ll40g_agilex5_model, "RX 64B", never},
        {ll40g_agilex5_model, "TX Frame OctetsOK", never},

        {ixf1104_model, "RxOctetsTotalOK", 34359738},
        {ixf1104_model, "RxOctetsBAD", 34359738},
        {ixf1104_model, "OctetsTransmittedOK", 34359738},
        {ixf1104_model, "OctetsTransmittedBad", 34359738},
        {ixf1104_model, "RxUCPkts", 2886218022},
        {ixf1104_model, "RxPkts64Octets", 2886218022},
        {ixf1104_model, "RxPkts65to127Octets", 2920577761},
        {ixf1104_model, "RxPkts128to255Octets", 5085241278},
        {ixf1104_model, "RxPkts256to511Octets", 9483287789},
        {ixf1104_model, "RxPkts512to1023Octets", 18279380811},
        {ixf1104_model, "RxPkts1024to1518Octets", 35871566856},
        {ixf1104_model, "TxPkts1519toMaxOctets", 52879637348},
        {ixf1104_model, "RxRuntErrors", 824633720}, // of 4 octets
        {ixf1104_model, "RxShortErrors", 824633720},

        {rc32438_model, "RBC", 343597383},
        {rc32438_model, "RPC", 8246337208}, // of 4 octets
        {rc32438_model, "RUPC", 8246337208},
        {rc32438_model, "RFC", 8246337208},
        {rc32438_model, "TBC", 343597383},
        {rc32438_model, "TOK", never},

        {cpsw_model, "Rx Octets", 11453246},
        {cpsw_model, "Tx Octets", 11453246},
        {cpsw_model, "Net Octets", 5726623},
        {cpsw_model, "Good Rx Frames", 962072674},
        {cpsw_model, "Good Tx Frames", 962072674},
        {cpsw_model, "Rx + Tx 64 Octet Frames", 481036337},
        {cpsw_model, "Rx + Tx 65-127 Octet Frames", 486762960},
        {cpsw_model, "Rx + Tx 1024-Up Octet Frames", 5978594476},
        {cpsw_model, "Rx Middle of Frame Overruns", never},

        {e1000_model, "GORC", 34359738},
        {e1000_model, "GPRC", never},      // saturates
        {e1000e_model, "HGORC", 13743895}, // at 2.5 Gb/s

        {dwmac_mmc_model, "MMC_RX_OCTETCOUNT_GB", 34359738},
        {dwmac4_mmc_model, "MMC_RX_OCTETCOUNT_GB", 13743895},
        {dwxgmac_mmc_model, "MMC_RX_OCTETCOUNT_GB", never},
        {dwxgmac_mmc_model, "MMC_RX_OVERSIZE_G", 288621802},

        {alx_model, "RX_OK", 2886218022},
        {altera_tse_model, "aOctetsReceivedOK", never},
        {altera_tse_model, "aFramesReceivedOK", 2886218022},
        {netc_model, "PM0_REOCT", never},
        {netc_model, "MAC_MERGE_MMFCRXR", 288621802},
    };

    for (const auto& one : expected)
        BOOST_TEST(wrap_usecs(one.model, one.reg) == one.usecs, one.model.name << ' ' << one.reg);
}

// Where nothing wraps: once an hour at least.
BOOST_AUTO_TEST_CASE(polls_are_at_most_half_of_the_shortest_wrap_time_apart) {
    const struct {
        const macstats_model& model;
        u64 rate_bps;
        u64 shortest;
        u64 ceiling;
    } expected[] = {
        {ll40g_model, 40000000000, never, 3600000000},
        {ll40g_agilex5_model, 40000000000, never, 3600000000},
        {rc32438_model, 100000000, 343597383, 171798691},
        {cpsw_model, 1000000000, 5726623, 2863311},
        {e1000_model, 1000000000, 34359738, 17179869},
        {e1000e_model, 2500000000, 13743895, 6871947},
        {dwmac_mmc_model, 1000000000, 34359738, 17179869},
        {dwxgmac_mmc_model, 10000000000, 288621802, 144310901},
        {e1000e_model, 1000000000, 34359738, 17179869},
        {ixf1104_model, 1000000000, 34359738, 17179869},
        {ixf1104_model, 100000000, 343597383, 171798691},
        {ixf1104_model, 10000000, 3435973836, 1717986918},
    };

    for (const auto& one : expected) {
        BOOST_TEST_CONTEXT(one.model.name << " at " << one.rate_bps) {
            BOOST_TEST(macstats__shortest_wrap_usecs(&one.model, one.rate_bps) == one.shortest);
            BOOST_TEST(macstats_poll_ceiling_usecs(&one.model, one.rate_bps) == one.ceiling);
            BOOST_TEST(macstats_poll_default_usecs(&one.model, one.rate_bps) == 1000000u);
        }
    }
}

// IEEE 802.3, 100BASE-X and 10BASE-T.
BOOST_AUTO_TEST_CASE(lower_speeds_are_those_of_the_standard) {
    BOOST_TEST(macstats_line_rate_bps(&ixf1104_model, 0) == 1000000000u);
    BOOST_TEST(macstats_line_rate_bps(&ixf1104_model, MACSTATS_OPT_100M) == 100000000u);
    BOOST_TEST(macstats_line_rate_bps(&ixf1104_model, MACSTATS_OPT_10M) == 10000000u);
    BOOST_TEST(macstats_valid_options(&ixf1104_model, MACSTATS_OPT_10M));
    BOOST_TEST(!macstats_valid_options(&ixf1104_model, MACSTATS_OPT_10M | MACSTATS_OPT_100M));
}

// The first revision has no option, and no device is of two.
BOOST_AUTO_TEST_CASE(a_device_is_of_one_revision_and_has_its_counters) {
    const auto has = [](std::string_view reg, unsigned int options) {
        return macstats_builds_counter(
            &e1000e_model, options, &e1000e_model.counters[counter_index(e1000e_model, reg)]);
    };
    const unsigned int built = MACSTATS_OPT_STATISTICS;
    const unsigned int later[] = {
        MACSTATS_OPT_REVISION_2, MACSTATS_OPT_REVISION_3, MACSTATS_OPT_REVISION_4};

    BOOST_TEST(macstats_revision(built) == 1u);
    for (unsigned int i = 0; i < 3; i++) {
        BOOST_TEST(macstats_revision(built | later[i]) == 2u << i);
        BOOST_TEST(macstats_valid_options(&e1000e_model, built | later[i]));
        BOOST_TEST(!macstats_valid_options(&e1000_model, built | later[i]));
        BOOST_TEST(!macstats_valid_options(&e1000e_model, later[i] | later[(i + 1) % 3]));
        BOOST_TEST(has("GPRC", built | later[i]));
        BOOST_TEST(!has("GPRC", later[i]));
        BOOST_TEST(has("TNCRS", built | later[i]) == (later[i] == MACSTATS_OPT_REVISION_3));
    }
    BOOST_TEST(has("CEXTERR", built));
    BOOST_TEST(!has("HTDPMC", built));
    const macstats_rows lacking = macstats_other_revisions(&e1000e_model, built);
    for (unsigned int i = 0; i < e1000e_model.n_counters; i++)
        BOOST_TEST(
            macstats_has_row(&lacking, i) !=
                macstats_builds_counter(&e1000e_model, built, &e1000e_model.counters[i]),
            e1000e_model.counters[i].reg);
}

// In 100 ms of 1 Gb/s, and the slack of 1 ms and one frame, three ports count at most 3 times
// 12,500,000 * (1 + 1/2048) + 125,000 + 65,555 octets in each direction.
BOOST_AUTO_TEST_CASE(the_most_that_the_cpsw_can_count_is_what_three_ports_carry) {
    constexpr u64 line = 12500000 + 6103 + 125000 + 65555;
    const std::pair<const char*, u64> expected[] = {
        {"Rx Octets", 3 * line}, {"Net Octets", 6 * line}, {"Good Tx Frames", 3 * line / 84}};

    for (const auto& [reg, most] : expected)
        BOOST_TEST(
            macstats__most_events(
                &cpsw_model, &cpsw_model.counters[counter_index(cpsw_model, reg)], 1000000000,
                12500000) == most,
            reg);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
