// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A model as JSON and as text. Expected values are from the datasheet.
#include "boost_test.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json.hpp"
#include "libmacstats/core/names.hpp"
#include "present/model.hpp"
#include "roles.hpp"
#include "synthetic.hpp"
#include "text.hpp"

BOOST_AUTO_TEST_SUITE(unit_format_model)

using namespace macstats;
using macstats::test::contains;
using macstats::test::parse_json;
using nlohmann::ordered_json;

namespace {

const macstats_model& ll40g = *find_model("ll40g");

ordered_json named(const ordered_json& array, const std::string& name) {
    for (const auto& element : array)
        if (element.at("name") == name)
            return element;
    throw std::runtime_error("there is no " + name);
}

ordered_json counter(const std::string& name) {
    return named(model_json(ll40g).at("counters"), name);
}

// A counter that is as short as a test wants it.
macstats_counter octet_counter(std::uint8_t bits, std::uint8_t overflow = MACSTATS_ROLLOVER) {
    macstats_counter counter{};
    counter.name = "rx_octets";
    counter.reg = "RX_OCTETS";
    counter.bits = bits;
    counter.unit = MACSTATS_OCTETS;
    counter.overflow = overflow;
    counter.when[0].direction = MACSTATS_RX;
    counter.help = "Octets";
    return counter;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_model_reports_its_identity) {
    const auto json = model_json(ll40g);
    BOOST_TEST(json.at("name") == "ll40g");
    BOOST_TEST(json.at("ports") == 1);
    BOOST_TEST(json.at("port_stride") == 0);
    BOOST_TEST(json.at("address_unit_bits") == 32);
    BOOST_TEST(json.at("line_rate_bps") == 40'000'000'000);
    BOOST_TEST(json.at("title").is_string());
    BOOST_TEST(contains(json.at("datasheet").get<std::string>(), "683745"));
}

BOOST_AUTO_TEST_CASE(a_model_names_its_drivers_and_what_an_access_does) {
    struct Known {
        std::string_view model;
        std::string_view drivers;
        std::string_view access;
    };
    for (const Known& known : {
             Known{"ll40g", "[]", R"(["snapshot"])"},
             Known{"rc32438", R"(["korina"])", R"(["rclr","descriptor"])"},
             Known{"cpsw", R"(["cpsw","cpsw-switch"])", R"(["decrement"])"},
             Known{"e1000e", R"(["e1000e","igb","igc"])", R"(["rclr"])"},
             Known{"gem", R"(["macb"])", R"(["latch","rclr"])"},
             Known{"k1_emac", R"(["k1_emac"])", R"(["window"])"},
             Known{"mt7530", R"(["mt7530"])", R"(["reread"])"},
             Known{"rtl_tally", R"(["r8169","8139cp"])", R"(["dump"])"},
             Known{"unimac", R"(["bcmgenet","bcmasp"])", "[]"},
             Known{"alx", R"(["alx","atl1c"])", R"(["rclr"])"},
             Known{"altera_tse", R"(["altera_tse"])", R"(["reread"])"},
             Known{"netc", R"(["nxp_enetc4","fsl_enetc"])", R"(["read64","switched"])"},
             Known{"dwxgmac_mmc", R"(["stmmac"])", R"(["reread","switched"])"},
         }) {
        const ordered_json json = model_json(*find_model(known.model));
        BOOST_TEST(json.at("drivers").dump() == known.drivers, known.model);
        BOOST_TEST(json.at("access").dump() == known.access, known.model);
    }
    BOOST_TEST(contains(model_text(*find_model("e1000e")), "\ndrivers         e1000e, igb, igc\n"));
    BOOST_TEST(!contains(model_text(ll40g), "\ndrivers"));
}

BOOST_AUTO_TEST_CASE(both_pages_have_28_counters_and_the_octets) {
    BOOST_TEST(model_json(ll40g).at("counters").size() == 2U * 29);
}

BOOST_AUTO_TEST_CASE(a_counter_is_described_as_in_the_datasheet) {
    const auto json = counter("tx_fragments");
    BOOST_TEST(json.at("register") == "CNTR_TX_FRAGMENTS");
    BOOST_TEST(json.at("direction") == "tx");
    BOOST_TEST(json.at("unit") == "frames");
    BOOST_TEST(json.at("offset") == 2048);
    BOOST_TEST(json.at("bits") == 64);
    BOOST_TEST(json.at("onread") == "none");
    BOOST_TEST(json.at("onwrite") == "none");
    BOOST_TEST(json.at("overflow") == "rollover");
    BOOST_TEST(contains(json.at("description").get<std::string>(), "less than 64"));
    // 2^64 frames of 64 octets and 20 between them, at 40 Gb/s.
    BOOST_TEST(
        json.at("wrap_seconds").get<double>() == 3.099e11, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(octets_are_the_unit_of_what_counts_payload) {
    const auto json = counter("rx_octets_ok");
    BOOST_TEST(json.at("unit") == "octets");
    BOOST_TEST(json.at("octets_of") == "payload");
    BOOST_TEST(json.at("offset") == 0x960);
    // 2^64 octets at 40 Gb/s: 117 years.
    BOOST_TEST(
        json.at("wrap_seconds").get<double>() == 3.689e9, boost::test_tools::tolerance(1e-3));
}

BOOST_AUTO_TEST_CASE(a_row_that_is_reread_says_so_and_no_other_does) {
    const macstats_model& mt7530 = *find_model("mt7530");
    for (const auto& counter : model_json(mt7530).at("counters"))
        BOOST_TEST(counter.contains("reread") == (counter.at("bits") == 64));
    const std::string line = "RX_BYTES: its high word is read before and after the low one";
    BOOST_TEST(contains(model_text(mt7530), line));
    BOOST_TEST(!contains(model_text(ll40g), "its high word is read"));
    BOOST_TEST(!model_json(mt7530).contains("read64"));
    BOOST_TEST(model_json(*find_model("netc")).at("read64") == true);
}

// 52 counters of each of two MACs, and those of the sublayer, which have one word.
BOOST_AUTO_TEST_CASE(a_rule_of_many_rows_is_one_line) {
    const std::string text = model_text(*find_model("netc"));
    const std::string rule = "its high word is read";
    const std::string at_once = "one access reads its 64 bits; otherwise ";
    BOOST_TEST(contains(text, "  PM0_REOCT and 103 others: " + at_once + rule));
    BOOST_TEST(text.find(rule) == text.rfind(rule));
    BOOST_TEST(contains(text, "  PM1_REOCT and 51 others: counts frames of the"));
    // Two rows name both.
    const std::string few = model_text(*find_model("mt7530"));
    BOOST_TEST(contains(few, "  TX_BYTES: " + rule));
    BOOST_TEST(contains(few, "  RX_BYTES: " + rule));
}

BOOST_AUTO_TEST_CASE(a_row_whose_words_lie_apart_says_where_its_high_word_is) {
    const macstats_model& tse = *find_model("altera_tse");
    const auto counters = model_json(tse).at("counters");
    BOOST_TEST(named(counters, "rx_octets").at("word_stride") == 0x48);
    BOOST_TEST(!named(counters, "rx_pkts").contains("word_stride"));
    BOOST_TEST(contains(model_text(tse), "etherStatsOctets: its high word is at 0xf8\n"));
    BOOST_TEST(!contains(model_text(*find_model("mt7530")), "high word is at"));
}

BOOST_AUTO_TEST_CASE(a_row_names_the_revisions_that_have_it_unless_all_do) {
    const macstats_model& e1000e = *find_model("e1000e");
    const auto counters = model_json(e1000e).at("counters");
    BOOST_TEST(
        named(counters, "tx_host_discarded").at("revisions") == ordered_json({"i350", "i225"}));
    BOOST_TEST(!named(counters, "rx_good_frames").contains("revisions"));
    const std::string text = model_text(e1000e);
    BOOST_TEST(contains(text, "  only in 82574, pch: CEXTERR, ICRXOC\n"));
    BOOST_TEST(contains(text, "  only in i350: TNCRS\n"));
    BOOST_TEST(contains(text, "revision=82574|pch|i350|i225"));
    BOOST_TEST(!contains(model_text(ll40g), "only in"));
}

BOOST_AUTO_TEST_CASE(a_row_within_a_word_says_where_it_begins) {
    macstats_model model = *find_model("cpsw");
    std::vector<macstats_counter> rows(model.counters, model.counters + model.n_counters);
    rows[0].lsb = 8;
    rows[0].bits = 24;
    model.counters = rows.data();
    const auto counters = model_json(model).at("counters");
    BOOST_TEST(counters[0].at("lsb") == 8);
    BOOST_TEST(!counters[1].contains("lsb"));
    const std::string line = std::string(rows[0].reg) + " begins at bit 8 of its bus word";
    BOOST_TEST(contains(model_text(model), line));
}

BOOST_AUTO_TEST_CASE(a_row_of_one_mac_says_which) {
    const auto counters = model_json(test::merging_model).at("counters");
    BOOST_TEST(counters[0].at("mac") == "express");
    BOOST_TEST(counters[3].at("mac") == "preemptible");
    BOOST_TEST(!counters[8].contains("mac"));
    const std::string text = model_text(test::merging_model);
    BOOST_TEST(contains(text, "RX_PMAC: counts frames of the preemptible MAC"));
    BOOST_TEST(!contains(text, "TX counts frames"));
}

BOOST_AUTO_TEST_CASE(a_counter_of_a_priority_has_a_label) {
    const macstats_model& model = *find_model("am65_cpsw");
    const auto counters = model_json(model).at("counters");
    BOOST_TEST(named(counters, "tx_pri3_octets").at("labels") == ordered_json({{"priority", 3}}));
    BOOST_TEST(!named(counters, "tx_octets").contains("labels"));
    BOOST_TEST(contains(
        model_text(model),
        "  a counter for each priority from 0 to 7, and frames of the emulation are of 0: "
        "tx_pri_dropped_octets, tx_pri_drops, tx_pri_frames, tx_pri_octets\n"));
    BOOST_TEST(!contains(model_text(ll40g), "a counter for each"));
}

// 2^32 octets at 40 Gb/s.
BOOST_AUTO_TEST_CASE(a_counter_wraps_after_some_seconds_unless_it_saturates) {
    BOOST_TEST(
        *wrap_seconds(ll40g, octet_counter(32)) == 0.859, boost::test_tools::tolerance(1e-3));
    BOOST_TEST(!wrap_seconds(ll40g, octet_counter(16, MACSTATS_SATURATE)).has_value());
}

// 255 frames of 64 octets and 20 more on the wire at 1 Gb/s: 255 * 672 ns.
BOOST_AUTO_TEST_CASE(a_counter_that_saturates_has_a_fill_time) {
    const auto json = model_json(test::saturating_model).at("counters").at(1);
    BOOST_TEST(json.at("wrap_seconds").is_null());
    BOOST_TEST(
        json.at("fill_seconds").get<double>() == 171.36e-6, boost::test_tools::tolerance(1e-9));
    const std::string text = model_text(test::saturating_model);
    BOOST_TEST(contains(text, "fills in 0.171 ms"));
    BOOST_TEST(contains(text, "short enough (the shortest is 1 ms) for\n"));
    BOOST_TEST(contains(text, "exact only if fewer events than the maximum"));
    BOOST_TEST(contains(text, "\"\u2265\""));
    const std::string ascii = model_text(test::saturating_model, false);
    BOOST_TEST(contains(ascii, "\">=\""));
    BOOST_TEST(!contains(ascii, "\u2265"));
    BOOST_TEST(!contains(model_text(ll40g), "fills"));
}

BOOST_AUTO_TEST_CASE(standard_statistics_are_named_by_group_and_factor) {
    const auto standard = counter("tx_mcast_ctrl").at("standard").get<std::vector<std::string>>();
    const std::set<std::string> words(standard.begin(), standard.end());
    BOOST_TEST(words.contains("eth-ctrl/MACControlFramesTransmitted"));
    BOOST_TEST(words.contains("eth-mac/FramesTransmittedOK"));
    BOOST_TEST(words.contains("rtnl/tx_bytes*14"));
    BOOST_TEST(counter("tx_64b").at("standard") == ordered_json({"rmon/tx-pktsNtoM"}));
    BOOST_TEST(counter("tx_st").at("standard") == ordered_json::array());
    BOOST_TEST(standard_word({MACSTATS_STD_RTNL_TX_ERRORS, -1}) == "rtnl/tx_errors*-1");
}

BOOST_AUTO_TEST_CASE(a_counter_lists_the_frames_that_it_counts) {
    const auto json = counter("rx_fragments");
    BOOST_TEST(
        json.at("when") ==
        parse_json(R"([{"direction": ["rx"], "sizes": [0], "errors": ["fcs"]}])"));
    BOOST_TEST(json.at("amount") == "one");
    BOOST_TEST(json.at("block") == "rx");
    BOOST_TEST(counter("rx_octets_ok").at("amount") == "payload");
    BOOST_TEST(json.at("status").is_null());
    BOOST_TEST(json.at("errors") == true);
    BOOST_TEST(counter("rx_octets_ok").at("errors") == false);
    // RFC 2819, and no tag moves an edge.
    BOOST_TEST(
        model_json(ll40g).at("sizes") ==
        parse_json(R"({"edges": [64, 65, 128, 256, 512, 1024, 1519], "tagged_edges": []})"));
}

BOOST_AUTO_TEST_CASE(an_alternative_names_the_options_and_bits_that_it_needs) {
    // A PFC frame is a pause frame in the released core only.
    BOOST_TEST(
        counter("rx_pause_err").at("when").at(1).at("with") ==
        parse_json(R"([{"option": "variant", "value": "on"}])"));
    // MACCONTROL bit 4 is TX_FLOW_EN.
    const auto pause =
        named(model_json(*find_model("cpsw")).at("counters"), "rx_pause_frames").at("when").at(0);
    BOOST_TEST(pause.at("with").at(0).at("register") == "MACCONTROL");
    BOOST_TEST(pause.at("with").at(0).at("mask") == 1 << 4);
    BOOST_TEST(!pause.contains("without"));
}

BOOST_AUTO_TEST_CASE(a_software_counter_lists_the_statuses_that_it_counts) {
    const auto model = model_json(*find_model("rc32438"));
    // LD and TOK.
    BOOST_TEST(
        named(model.at("counters"), "tx_ok").at("status") ==
        parse_json(R"({"descriptor": "transmit", "mask": 66, "value": 66,
            "least_collisions": 0, "most_collisions": null, "adds": "one"})"));
    BOOST_TEST(
        named(model.at("counters"), "tx_single_collision").at("status").at("most_collisions") == 1);
    // TOK: none of UND, OF, ED, EC and LC.
    BOOST_TEST(named(model.at("tx_status"), "TOK").at("unless") == 0x1fU << 9);
    BOOST_TEST(named(model.at("tx_status"), "CEN").at("copy").at("register") == "ETHMAC2");
}

BOOST_AUTO_TEST_CASE(an_option_lists_its_values_and_the_default_comes_first) {
    const auto values = model_json(ll40g).at("option_values");
    BOOST_TEST(values.at("duplex") == ordered_json({"full"}));
    BOOST_TEST(values.at("variant") == ordered_json({"off", "on"}));
    BOOST_TEST(model_json(*find_model("cpsw")).at("option_values").at("duplex").at(0) == "full");
}

BOOST_AUTO_TEST_CASE(a_register_has_its_access_reset_value_and_fields) {
    const auto registers = model_json(ll40g).at("registers");
    const auto config = named(registers, "CNTR_TX_CONFIG");
    BOOST_TEST(config.at("offset") == 2117);
    BOOST_TEST(config.at("access") == "rw");
    BOOST_TEST(config.at("reset") == 0);
    const auto request = named(config.at("fields"), "shadow_request");
    BOOST_TEST(request.at("lsb") == 2);
    BOOST_TEST(request.at("bits") == 1);
    BOOST_TEST(request.at("singlepulse") == false);
    BOOST_TEST(request.at("description").is_string());
    BOOST_TEST(named(config.at("fields"), "clear").at("singlepulse") == true);

    BOOST_TEST(named(registers, "RXSTAT_SCRATCH").at("reset") == 9);
    BOOST_TEST(named(registers, "CNTR_RX_STATUS").at("access") == "ro");
    BOOST_TEST(named(registers, "MAX_TX_SIZE_CONFIG").at("reset") == 9600);
}

BOOST_AUTO_TEST_CASE(the_text_shows_every_counter_register_and_field) {
    const std::string text = model_text(ll40g);
    const auto json = model_json(ll40g);
    for (const auto& entry : json.at("counters"))
        BOOST_TEST(contains(text, entry.at("register").get<std::string>() + " "));
    for (const auto& entry : json.at("registers")) {
        BOOST_TEST(contains(text, entry.at("name").get<std::string>() + " "));
        for (const auto& field : entry.at("fields"))
            BOOST_TEST(contains(text, field.at("name").get<std::string>() + " "));
    }
    BOOST_TEST(contains(text, "0x838-0x83f"));
    BOOST_TEST(contains(text, "40 Gb/s"));
    BOOST_TEST(contains(text, "9820 years"));
}

BOOST_AUTO_TEST_CASE(the_text_has_no_blanks_at_the_end_of_a_line) {
    BOOST_TEST(!contains(model_text(ll40g), " \n"));
}

namespace {

bool shows(const macstats_model& model, std::string_view text) {
    return contains(model_text(model), text);
}

bool has_rule(const macstats_model& model, std::string_view rule) {
    return shows(model, fmt::format("  {}\n", rule));
}

} // namespace

// 79RC32438: MII. IXF1104: copper or fiber, full duplex and line rate by default.
BOOST_AUTO_TEST_CASE(the_text_shows_the_values_of_each_option_the_default_first) {
    BOOST_TEST(shows(*find_model("rc32438"), "speed=100|10\n"));
    BOOST_TEST(shows(*find_model("ixf1104"), "duplex=full|half, speed=1000|10|100, "));
}

BOOST_AUTO_TEST_CASE(the_text_shows_when_counters_must_not_be_read) {
    BOOST_TEST(has_rule(
        *find_model("ll40g_agilex5"),
        "clocks: the counters must not be read while a clock of the port stands still"));
    BOOST_TEST(has_rule(
        *find_model("rc32438"), "busy: the counters must not be read while ETHINTFC bit 2 is set"));
    BOOST_TEST(has_rule(
        *find_model("cpsw"),
        "half full: a counter at 0x80000000 or more sets C0_MISC_STAT bit 3, which interrupts "
        "while C0_MISC_EN bit 3 is set"));
}

// LL 40GbE: frames under 9 octets are not sent, those under 64 are padded. IXF1104: the larger
// of twice the maximum and 50,000 bits; no more than 2^14 - 1 octets of a frame are counted.
BOOST_AUTO_TEST_CASE(text_and_json_show_the_option_that_builds_a_block_and_its_registers) {
    const auto json = model_json(*find_model("ll40g"));
    BOOST_TEST(json.at("blocks").at(0).at("option") == "tx_statistics");
    BOOST_TEST(json.at("blocks").at(1).at("option") == "rx_statistics");
    for (const auto& reg : json.at("registers")) {
        const auto offset = reg.at("offset").get<unsigned int>();
        if (offset < 0x800)
            BOOST_TEST(reg.at("block").is_null());
        else
            BOOST_TEST(reg.at("block") == (offset < 0x900 ? "tx" : "rx"));
    }
    BOOST_TEST(model_json(*find_model("ixf1104")).at("blocks").at(0).at("option") == "statistics");
    const std::string text = model_text(*find_model("ll40g"), false);
    BOOST_TEST(contains(
        text, "  rx: option: rx_statistics=off leaves out these counters and their registers\n"));
    BOOST_TEST(!contains(model_text(*find_model("ixf1104"), false), "leaves out"));
}

BOOST_AUTO_TEST_CASE(the_text_shows_which_frames_are_padded_not_sent_or_very_long) {
    for (const char* name : {"ll40g", "ll40g_agilex5"}) {
        const macstats_model& model = *find_model(name);
        BOOST_TEST(has_rule(model, "frames of less than 9 octets are not sent"), name);
        BOOST_TEST(has_rule(model, "shorter frames are padded to 64 octets on transmit"), name);
    }
    const macstats_model& ixf1104 = *find_model("ixf1104");
    BOOST_TEST(shows(ixf1104, "very long: over twice the longest frame and over 6250"));
    BOOST_TEST(has_rule(ixf1104, "RxRuntErrors is updated after 2 good frames"));
    BOOST_TEST(has_rule(ixf1104, "RxShortErrors is updated after 1 good frame"));
    BOOST_TEST(has_rule(ixf1104, "RxOctetsBAD counts at most 16383 octets of a frame"));
}

BOOST_AUTO_TEST_CASE(text_and_json_show_the_bit_that_tells_whether_a_counter_is_there) {
    std::vector<macstats_counter> counters(ll40g.counters, ll40g.counters + ll40g.n_counters);
    macstats_model model = ll40g;
    counters[0].present = {0x846, 1u << 1};
    model.counters = counters.data();
    BOOST_TEST(has_rule(model, "CNTR_TX_FRAGMENTS is there if CNTR_TX_STATUS bit 1 is set"));
    const auto json = model_json(model).at("counters");
    BOOST_TEST(json.at(0).at("present").at("register") == "CNTR_TX_STATUS");
    BOOST_TEST(json.at(0).at("present").at("mask") == 2);
    BOOST_TEST(json.at(1).at("present").is_null());
}

// The switch of the AM335x: its statistics block, CPSW_SS, CPGMAC_SL1 and CPSW_WR.
BOOST_AUTO_TEST_CASE(text_and_json_show_the_regions_of_a_model_that_has_some) {
    const macstats_model& cpsw = *find_model("cpsw");
    BOOST_TEST(shows(
        cpsw, "regions         stats 0x0-0xff, ss 0x4a100000-0x4a1000ff, "
              "sl1 0x4a100d80-0x4a100dbf, wr 0x4a101200-0x4a1012ff\n"));
    const auto regions = model_json(cpsw)["regions"];
    BOOST_REQUIRE_EQUAL(regions.size(), 4U);
    BOOST_TEST(regions[2]["name"] == "sl1");
    BOOST_TEST(regions[2]["first"] == 0x4a100d80U);
    BOOST_TEST(regions[2]["last"] == 0x4a100dbfU);
    BOOST_TEST(!shows(*find_model("ll40g"), "regions"));
    BOOST_TEST(model_json(*find_model("ll40g"))["regions"].empty());
}

BOOST_AUTO_TEST_CASE(a_closed_gate_stores_what_otherwise_decrements) {
    BOOST_TEST(has_rule(
        *find_model("cpsw"),
        "gate: nothing is counted while STAT_PORT_EN mask 0x7 is 0, and a write stores its value"));
    BOOST_TEST(
        has_rule(*find_model("mt7530"), "gate: nothing is counted while MIB_CCR bit 31 is 0"));
}

BOOST_AUTO_TEST_CASE(text_and_json_show_bits_that_switch_how_counters_behave) {
    const macstats_model& dwmac = *find_model("dwmac_mmc");
    BOOST_TEST(has_rule(
        dwmac, "MMC: clear on read: while MMC_CNTRL bit 2 is set, a read of a counter clears it"));
    BOOST_TEST(has_rule(
        dwmac, "MMC: saturate: while MMC_CNTRL bit 1 is set, counters stay at their maximum"));
    BOOST_TEST(has_rule(
        dwmac,
        "MMC: freeze: while MMC_CNTRL bit 3 is set, counters stay as they are, and the port is "
        "stale"));
    const auto block = model_json(dwmac).at("blocks")[0];
    BOOST_TEST(block.at("clear_on_read").at("mask") == 4);
    BOOST_TEST(block.at("saturate").at("mask") == 2);
    BOOST_TEST(block.at("freeze").at("mask") == 8);
    BOOST_TEST(model_json(ll40g).at("blocks")[0].at("freeze").is_null());
}

BOOST_AUTO_TEST_CASE(text_and_json_show_bits_that_switch_lengths_writes_and_settings) {
    macstats_model model = *find_model("cpsw");
    std::vector<macstats_register> registers(model.registers, model.registers + model.n_registers);
    model.registers = registers.data();
    model.max_frame_switch = {1522, 16384};
    test::drop_role(registers, MACSTATS_ROLE_SETTING);
    test::give_role(registers, 0x4a10000c, 0, MACSTATS_ROLE_SETTING);
    test::give_role(registers, 0x4a10000c, 1, MACSTATS_ROLE_MAX_FRAME_SWITCH);
    test::give_role(registers, 0x4a10000c, 2, MACSTATS_ROLE_WRITE_ENABLE);
    test::give_role(registers, 0x4a10121c, 4, MACSTATS_ROLE_INCREMENT);
    BOOST_TEST(
        has_rule(model, "longest frame: 1522 octets, or 16384 while STAT_PORT_EN bit 1 is set"));
    BOOST_TEST(has_rule(
        model,
        "stats: write enable: a write to a counter is stored while STAT_PORT_EN bit 2 is set"));
    BOOST_TEST(has_rule(model, "setting: STAT_PORT_EN bit 0"));
    BOOST_TEST(
        has_rule(model, "stats: increment: write 1 to C0_MISC_EN bit 4 to add 1 to each counter"));

    const auto json = model_json(model);
    BOOST_TEST(json.at("max_frame_switch").at("on") == 16384);
    BOOST_TEST(json.at("blocks")[0].at("write_enable").at("mask") == 4);
    BOOST_TEST(json.at("settings").size() == 2U);
    BOOST_TEST(json.at("half_full").at("level") == 0x80000000);
    BOOST_TEST(json.at("needs_clocks") == false);
}

BOOST_AUTO_TEST_SUITE_END()
