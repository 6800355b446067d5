// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The model of the Low Latency 40GbE core against the user guide: addresses and names
// against lists typed from it, and the values that the schema derives from the rows.
#include "boost_test.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

#include <macstats/check_models.h>

#include "ll40g_datasheet.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_schema_ll40g)

using namespace macstats::test;

namespace {

// The ethtool name of a counter: the datasheet's in lower case, without its CNTR_.
std::string ethtool_name(std::string_view reg) {
    if (reg == "TxOctetsOK")
        return "tx_octets_ok";
    if (reg == "RxOctetsOK")
        return "rx_octets_ok";
    std::string name(reg.substr(5));
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return name;
}

} // namespace

BOOST_AUTO_TEST_SUITE(rows)

BOOST_AUTO_TEST_CASE(the_counters_are_those_of_table_44_at_their_addresses) {
    BOOST_TEST_REQUIRE(ll40g_model.n_counters == std::size(ll40g::counters));
    for (std::size_t i = 0; i < std::size(ll40g::counters); i++) {
        const macstats_counter& row = ll40g_model.counters[i];
        const ll40g::CounterAt& expected = ll40g::counters[i];

        BOOST_TEST_CONTEXT(expected.name) {
            BOOST_TEST(row.reg == expected.name);
            BOOST_TEST(row.name == ethtool_name(expected.name));
            BOOST_TEST(row.offset == expected.low);
            BOOST_TEST(+row.bits == 64);
            BOOST_TEST(macstats_words(&ll40g_model, &row) == 2u);
            BOOST_TEST(macstats_counter_end(&ll40g_model, &row) == expected.high + 1);
            BOOST_TEST(!row.high_first);
            BOOST_TEST(!row.latch);
            BOOST_TEST(+row.onread == MACSTATS_ONREAD_NONE);
            BOOST_TEST(+row.onwrite == MACSTATS_ONWRITE_NONE);
            BOOST_TEST(+row.overflow == MACSTATS_ROLLOVER);
            BOOST_TEST(
                +macstats_counter_direction(&row) ==
                (expected.low < 0x900 ? MACSTATS_TX : MACSTATS_RX));
            BOOST_TEST(
                +row.unit == (row.reg == std::string_view("TxOctetsOK") ||
                                      row.reg == std::string_view("RxOctetsOK")
                                  ? MACSTATS_PAYLOAD
                                  : MACSTATS_FRAMES));
        }
    }
}

BOOST_AUTO_TEST_CASE(the_registers_are_those_of_the_datasheet) {
    BOOST_TEST_REQUIRE(ll40g_model.n_registers == std::size(ll40g::registers));
    for (std::size_t i = 0; i < std::size(ll40g::registers); i++) {
        const macstats_register& row = ll40g_model.registers[i];
        const ll40g::RegisterAt& expected = ll40g::registers[i];

        BOOST_TEST_CONTEXT(expected.name) {
            BOOST_TEST(row.name == expected.name);
            BOOST_TEST(row.offset == expected.offset);
            BOOST_TEST(row.reset == expected.reset);
            BOOST_TEST(+row.access == (expected.writable ? MACSTATS_RW : MACSTATS_RO));
            // The counters and their pages are left out together, the limits are not.
            BOOST_TEST(row.statistics_only == (expected.offset >= 0x800));
        }
    }
}

// Table 44, 0x845 and 0x846, and the same of the receive page.
BOOST_AUTO_TEST_CASE(the_fields_are_the_bits_that_the_datasheet_names) {
    const struct {
        u32 offset;
        unsigned int lsb;
        unsigned int bits;
        macstats_access access;
        bool singlepulse;
    } expected[] = {
        {0x845, 0, 1, MACSTATS_RW, true},  // counter clear, self-clearing
        {0x845, 1, 1, MACSTATS_RW, true},  // parity clear, self-clearing
        {0x845, 2, 1, MACSTATS_RW, false}, // shadow request
        {0x846, 0, 1, MACSTATS_RO, false}, // parity error
        {0x846, 1, 1, MACSTATS_RO, false}, // paused
        {0x945, 0, 1, MACSTATS_RW, true},
        {0x945, 1, 1, MACSTATS_RW, true},
        {0x945, 2, 1, MACSTATS_RW, false},
        {0x946, 0, 1, MACSTATS_RO, false},
        {0x946, 1, 1, MACSTATS_RO, false},
        {0x407, 0, 16, MACSTATS_RW, false}, // register maps 1.2: 16 bits
        {0x506, 0, 16, MACSTATS_RW, false},
    };

    for (const auto& one : expected) {
        const int at = macstats_register_at(&ll40g_model, one.offset);

        BOOST_TEST_CONTEXT(one.offset << " bit " << one.lsb) {
            BOOST_TEST_REQUIRE(at >= 0);
            const macstats_register& reg = ll40g_model.registers[at];
            const macstats_field* end = reg.fields + macstats_field_count(&reg);
            const macstats_field* field = std::find_if(
                reg.fields, end, [&](const macstats_field& row) { return row.lsb == one.lsb; });
            BOOST_TEST_REQUIRE((field != end));
            BOOST_TEST(+field->bits == one.bits);
            BOOST_TEST(+field->access == one.access);
            BOOST_TEST(field->singlepulse == one.singlepulse);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_rules_of_each_page_are_about_its_own_registers) {
    BOOST_TEST_REQUIRE(+ll40g_model.n_blocks == 2);
    const macstats_roles roles = macstats_find_roles(&ll40g_model);
    for (unsigned int i = 0; i < 2; i++) {
        const std::string_view name = ll40g_model.blocks[i].name;
        const macstats_block_roles& block = roles.blocks[i];
        bool transmit = name == "tx";
        u32 config = transmit ? 0x845 : 0x945;
        u32 status = transmit ? 0x846 : 0x946;

        BOOST_TEST_CONTEXT(name) {
            BOOST_TEST(block.clear.offset == config);
            BOOST_TEST(block.clear.mask == 1u);
            BOOST_TEST(block.parity_clear.offset == config);
            BOOST_TEST(block.parity_clear.mask == 2u);
            BOOST_TEST(block.snapshot_request.offset == config);
            BOOST_TEST(block.snapshot_request.mask == 4u);
            BOOST_TEST(block.parity_error.offset == status);
            BOOST_TEST(block.parity_error.mask == 1u);
            BOOST_TEST(block.snapshot_granted.offset == status);
            BOOST_TEST(block.snapshot_granted.mask == 2u);
        }
    }
    for (unsigned int i = 0; i < ll40g_model.n_counters; i++) {
        const macstats_counter& row = ll40g_model.counters[i];

        BOOST_TEST(
            ll40g_model.blocks[row.block].name ==
                std::string_view(row.offset < 0x900 ? "tx" : "rx"),
            row.name);
    }
    BOOST_TEST(roles.max_frame_tx.offset == 0x407u);
    BOOST_TEST(roles.max_frame_rx.offset == 0x506u);
}

BOOST_AUTO_TEST_CASE(it_is_a_40_gigabit_core_of_word_addresses_with_one_port) {
    BOOST_TEST(ll40g_model.name == std::string_view("ll40g"));
    BOOST_TEST(+ll40g_model.ports == 1);
    BOOST_TEST(+ll40g_model.address_unit_bits == 32);
    BOOST_TEST(+ll40g_model.bus_bits == 32);
    BOOST_TEST(ll40g_model.line_rate_bps == 40000000000u);
    BOOST_TEST(macstats_word_step(&ll40g_model) == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(addresses)

BOOST_AUTO_TEST_CASE(each_address_holds_one_thing_or_nothing) {
    for (u32 offset = 0; offset <= 0x1000; offset++) {
        unsigned int word = 99;
        const auto* counter = std::find_if(
            std::begin(ll40g::counters), std::end(ll40g::counters),
            [&](const ll40g::CounterAt& one) { return one.low == offset || one.high == offset; });
        const auto* reg = std::find_if(
            std::begin(ll40g::registers), std::end(ll40g::registers),
            [&](const ll40g::RegisterAt& one) { return one.offset == offset; });
        int found = macstats_counter_at(&ll40g_model, offset, &word);

        BOOST_TEST_CONTEXT("offset " << offset) {
            if (counter != std::end(ll40g::counters)) {
                BOOST_TEST(found == counter - std::begin(ll40g::counters));
                BOOST_TEST(word == (offset == counter->high ? 1u : 0u));
            } else {
                BOOST_TEST(found == -1);
            }
            BOOST_TEST(
                macstats_register_at(&ll40g_model, offset) ==
                (reg != std::end(ll40g::registers) ? reg - std::begin(ll40g::registers) : -1));
        }
    }
}

BOOST_AUTO_TEST_CASE(the_reserved_ranges_are_known) {
    for (const auto& [first, last] : ll40g::reserved) {
        for (u32 offset = first; offset <= last; offset++)
            BOOST_TEST(macstats_reserved_at(&ll40g_model, offset) >= 0);
        BOOST_TEST(macstats_reserved_at(&ll40g_model, first - 1) == -1);
        BOOST_TEST(macstats_reserved_at(&ll40g_model, last + 1) == -1);
    }
}

// 3.4.1.6: "Reading the value of a statistics register does not affect its value."
BOOST_AUTO_TEST_CASE(no_read_is_destructive) {
    for (u32 offset = 0; offset <= 0x1000; offset++)
        BOOST_TEST(!macstats_read_is_destructive(&ll40g_model, offset));
}

BOOST_AUTO_TEST_CASE(reads_that_clear_or_latch_are_destructive_in_every_word) {
    for (u32 offset : {0x20u, 0x21u, 0x23u, 0x24u})
        BOOST_TEST(macstats_read_is_destructive(&clearing_model, offset));
    BOOST_TEST(!macstats_read_is_destructive(&clearing_model, 0x22));
    for (u32 offset : {0x100u, 0x104u, 0x108u, 0x10cu})
        BOOST_TEST(macstats_read_is_destructive(&latching_model, offset));
    for (u32 offset : {0x0cu, 0x40u, 0x44u})
        BOOST_TEST(!macstats_read_is_destructive(&decrement_model, offset));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(wrap_times)

// Register maps 1.5: 64 bits wrap after more than a century, which is never.
BOOST_AUTO_TEST_CASE(its_counters_do_not_wrap_within_a_lifetime) {
    for (unsigned int i = 0; i < ll40g_model.n_counters; i++)
        BOOST_TEST(
            macstats__wrap_usecs(
                &ll40g_model, &ll40g_model.counters[i], ll40g_model.line_rate_bps) == ~u64{0});
    BOOST_TEST(macstats__shortest_wrap_usecs(&ll40g_model, ll40g_model.line_rate_bps) == ~u64{0});
    // Nothing wraps: once an hour at least, once a second by default.
    BOOST_TEST(macstats_poll_ceiling_usecs(&ll40g_model, ll40g_model.line_rate_bps) == 3600000000u);
    BOOST_TEST(macstats_poll_default_usecs(&ll40g_model, ll40g_model.line_rate_bps) == 1000000u);
}

// Register maps 1.5, low halves at 40 Gb/s: 2^32 octets in 0.859 s, 2^32 frames of 64
// octets (84 with preamble and gap) in 72.2 s, of 65 in 73.0 s, of 1519 in 1322 s.
// In milliseconds: 2^32 * 84 * 8 / (40 * 10^6) = 72155.45..., with 85 and 1539 likewise.
BOOST_AUTO_TEST_CASE(a_32_bit_counter_at_40_gigabit_wraps_when_the_register_maps_say) {
    macstats_counter counter = {};

    counter.bits = 32;
    counter.unit = MACSTATS_OCTETS;
    counter.when[0].direction = MACSTATS_TX;
    BOOST_TEST(macstats__wrap_usecs(&ll40g_model, &counter, ll40g_model.line_rate_bps) == 858993u);
    counter.unit = MACSTATS_FRAMES;
    counter.when[0].size = MACSTATS_SIZE_64;
    BOOST_TEST(
        macstats__wrap_usecs(&ll40g_model, &counter, ll40g_model.line_rate_bps) / 1000 == 72155u);
    counter.when[0].size = MACSTATS_SIZE_65_TO_127;
    BOOST_TEST(
        macstats__wrap_usecs(&ll40g_model, &counter, ll40g_model.line_rate_bps) / 1000 == 73014u);
    counter.when[0].size = MACSTATS_SIZE_1519_UP;
    BOOST_TEST(
        macstats__wrap_usecs(&ll40g_model, &counter, ll40g_model.line_rate_bps) / 1000 == 1321990u);
}

// 2^32 octets * 8 / 10^9 bits per second.
BOOST_AUTO_TEST_CASE(the_shortest_wrap_time_is_that_of_the_octets) {
    BOOST_TEST(
        macstats__shortest_wrap_usecs(&clearing_model, clearing_model.line_rate_bps) == 34359738u);
    BOOST_TEST(
        macstats_poll_ceiling_usecs(&clearing_model, clearing_model.line_rate_bps) == 17179869u);
    BOOST_TEST(
        macstats_poll_default_usecs(&clearing_model, clearing_model.line_rate_bps) == 1000000u);
}

BOOST_AUTO_TEST_CASE(a_counter_of_both_directions_wraps_in_half_the_time) {
    macstats_counter counter = {};

    counter.bits = 32;
    counter.unit = MACSTATS_OCTETS;
    counter.when[0].direction = MACSTATS_RX;
    counter.when[1].direction = MACSTATS_TX;
    BOOST_TEST(
        macstats__wrap_usecs(&clearing_model, &counter, clearing_model.line_rate_bps) == 17179869u);
}

BOOST_AUTO_TEST_CASE(a_counter_that_saturates_or_never_counts_never_wraps) {
    macstats_counter counter = {};

    counter.bits = 8;
    counter.unit = MACSTATS_FRAMES;
    counter.never = true;
    BOOST_TEST(
        macstats__wrap_usecs(&clearing_model, &counter, clearing_model.line_rate_bps) == ~u64{0});
    counter.never = false;
    counter.when[0].direction = MACSTATS_RX;
    // 256 frames of 84 octets at 1 Gb/s.
    BOOST_TEST(
        macstats__wrap_usecs(&clearing_model, &counter, clearing_model.line_rate_bps) == 172u);
    counter.overflow = MACSTATS_SATURATE;
    BOOST_TEST(
        macstats__wrap_usecs(&clearing_model, &counter, clearing_model.line_rate_bps) == ~u64{0});
}

// 2^63 * 84 * 8 bits do not fit into 64 bits: the order of the factors matters.
BOOST_AUTO_TEST_CASE(long_wrap_times_do_not_overflow) {
    macstats_counter counter = {};

    counter.bits = 63;
    counter.unit = MACSTATS_FRAMES;
    counter.when[0].direction = MACSTATS_RX;
    // 2^63 frames at 1 Gb/s: 6.198e18 microseconds.
    const u64 usecs = macstats__wrap_usecs(&clearing_model, &counter, clearing_model.line_rate_bps);
    BOOST_TEST(usecs > 6197000000000000000u);
    BOOST_TEST(usecs < 6199000000000000000u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(size_ranges)

BOOST_AUTO_TEST_CASE(a_mask_of_size_classes_has_a_low_and_a_high_end) {
    const struct {
        u16 mask;
        u32 low;
        u32 high;
    } ranges[] = {
        {MACSTATS_SIZE_UNDER_64, 0, 63},
        {MACSTATS_SIZE_64, 64, 64},
        {MACSTATS_SIZE_65_TO_127, 65, 127},
        {MACSTATS_SIZE_128_TO_255, 128, 255},
        {MACSTATS_SIZE_256_TO_511, 256, 511},
        {MACSTATS_SIZE_512_TO_1023, 512, 1023},
        {MACSTATS_SIZE_1024_TO_1518, 1024, 1518},
        {MACSTATS_SIZE_1519_UP, 1519, 0},
        {MACSTATS_SIZE_64_UP, 64, 0},
        {MACSTATS_SIZE_512_TO_1023 | MACSTATS_SIZE_1024_TO_1518, 512, 1518},
    };

    for (const auto& one : ranges) {
        BOOST_TEST_CONTEXT("mask " << one.mask) {
            BOOST_TEST(macstats_sizes_low(&ll40g_model, one.mask) == one.low);
            BOOST_TEST(macstats_sizes_high(&ll40g_model, one.mask) == one.high);
        }
    }
}

// No mask is any size, which has no high end.
BOOST_AUTO_TEST_CASE(no_mask_is_every_size) {
    BOOST_TEST(macstats_sizes_low(&ll40g_model, 0) == 0u);
    BOOST_TEST(macstats_sizes_high(&ll40g_model, 0) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_mask_of_bits_has_a_width_and_a_place) {
    BOOST_TEST(macstats_bits_mask(1) == 1u);
    BOOST_TEST(macstats_bits_mask(32) == 0xffffffffu);
    BOOST_TEST(macstats_bits_mask(63) == 0x7fffffffffffffffu);
    BOOST_TEST(macstats_bits_mask(64) == ~u64{0});
    BOOST_TEST(macstats_bit_shift(1u << 31) == 31u);
    BOOST_TEST(macstats_bit_shift(0xf0) == 4u);
    BOOST_TEST(macstats_bit_shift(0) == 0u);
}

BOOST_AUTO_TEST_CASE(every_model_of_the_list_passes_the_checks) {
    for (const macstats_model* model : macstats_models)
        BOOST_TEST((macstats::check(*model) == macstats::Violation::none), model->name);
}

BOOST_AUTO_TEST_SUITE_END()
