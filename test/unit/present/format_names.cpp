// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Words and their values, and the messages for unknown words.
#include "boost_test.hpp"

#include <utility>

#include <macstats/fault.h>
#include <macstats/frame.h>

#include "libmacstats/core/names.hpp"
#include "text.hpp"

BOOST_AUTO_TEST_SUITE(unit_format_names)

using namespace macstats;
using macstats::test::contains;

namespace {

const macstats_model& ll40g = *find_model("ll40g");
const macstats_model& ixf1104 = *find_model("ixf1104");
constexpr unsigned int both_directions = MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS;

// A device with 16-bit words and a counter of 24 bits.
MACSTATS_MODEL_BEGIN
constexpr macstats_counter narrow_counters[] = {
    {.name = "rx_octets",
     .reg = "RxOctets",
     .offset = 0x10,
     .bits = 24,
     .unit = MACSTATS_OCTETS,
     .latch = true,
     .help = "Octets"},
};
MACSTATS_MODEL_END

macstats_model narrow_model() {
    macstats_model model{};
    model.name = "narrow";
    model.address_unit_bits = 8;
    model.bus_bits = 16;
    model.counters = narrow_counters;
    model.n_counters = 1;
    return model;
}

} // namespace

BOOST_AUTO_TEST_CASE(words_have_the_values_of_their_enumerators) {
    BOOST_TEST(*value_of(direction_names, "direction", "tx") == MACSTATS_TX);
    BOOST_TEST(*value_of(kind_names, "kind", "pause") == MACSTATS_PAUSE);
    BOOST_TEST(*value_of(error_names, "errors", "carrier_loss") == MACSTATS_ERR_CARRIER_LOSS);
    BOOST_TEST(*value_of(fault_names, "fault", "snapshot_stuck") == MACSTATS_FAULT_SNAPSHOT_STUCK);
}

BOOST_AUTO_TEST_CASE(every_kind_error_fault_and_option_has_a_word) {
    for (const auto& [names, all] :
         {std::pair(kind_names, unsigned{MACSTATS_ANY_KIND}),
          std::pair(error_names, unsigned{MACSTATS_ERR_ALL}),
          std::pair(fault_names, unsigned{MACSTATS_FAULT_ALL})}) {
        unsigned int named = 0;
        for (const Name& name : names)
            named |= name.value;
        BOOST_TEST(named == all);
    }
    unsigned int options = 0;
    macstats_model every_option{};
    every_option.options = MACSTATS_OPT_ALL;
    for (const char*& revision : every_option.revisions)
        revision = "some";
    for (const DeviceOption& option : options_of(every_option))
        for (const OptionValue& value : option.values)
            options |= value.bits;
    BOOST_TEST(options == static_cast<unsigned int>(MACSTATS_OPT_ALL));
}

BOOST_AUTO_TEST_CASE(an_unknown_word_is_rejected_with_those_that_are_known) {
    const auto result = value_of(destination_names, "--destination", "anycast");
    BOOST_TEST(result.error().errnum == EINVAL);
    BOOST_TEST(
        result.error().message ==
        "--destination: \"anycast\" is not one of unicast, multicast, broadcast");
}

BOOST_AUTO_TEST_CASE(numbers_are_decimal_or_hexadecimal_and_exact_up_to_64_bits) {
    BOOST_TEST(*parse_number("n", "0", UINT64_MAX) == 0U);
    BOOST_TEST(*parse_number("n", "18446744073709551615", UINT64_MAX) == UINT64_MAX);
    BOOST_TEST(*parse_number("n", "0xffffffffffffffff", UINT64_MAX) == UINT64_MAX);
    BOOST_TEST(*parse_number("n", "010", UINT64_MAX) == 10U);
    BOOST_TEST(*parse_number("n", "9007199254740993", UINT64_MAX) == 9007199254740993U);
}

BOOST_AUTO_TEST_CASE(invalid_numbers_are_rejected_with_the_range) {
    for (const char* text :
         {"", "0x", "-1", "+1", " 1", "1 ", "1e3", "0b1", "ten", "0x1g", "256",
          "18446744073709551616"}) {
        const auto result = parse_number("--length", text, 255);
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(contains(result.error().message, "--length"));
            BOOST_TEST(contains(result.error().message, "0 to 255"));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_counter_is_found_by_either_of_its_names) {
    for (const char* name : {"tx_64b", "CNTR_TX_64B"}) {
        const auto place = find_place(ll40g, name);
        BOOST_TEST(place->address == 0x816U);
        BOOST_TEST(place->words == 2U);
        BOOST_TEST(place->bits == 64U);
        BOOST_TEST(place->counter != nullptr);
        BOOST_TEST(
            ll40g.counters[find_counter(ll40g, name)->value()].reg == std::string("CNTR_TX_64B"));
    }
}

BOOST_AUTO_TEST_CASE(the_words_of_a_counter_are_found_by_their_suffix) {
    const auto low = find_place(ll40g, "TxOctetsOK_LO");
    const auto high = find_place(ll40g, "TxOctetsOK_HI");
    BOOST_TEST(low->address == 0x860U);
    BOOST_TEST(high->address == 0x861U);
    BOOST_TEST(high->words == 1U);
    BOOST_TEST(high->bits == 32U);
    BOOST_TEST(high->counter == nullptr);
}

BOOST_AUTO_TEST_CASE(the_high_word_has_the_bits_that_the_low_one_leaves) {
    const auto model = narrow_model();
    BOOST_TEST(find_place(model, "RxOctets_LO")->address == 0x10U);
    BOOST_TEST(find_place(model, "RxOctets_HI")->address == 0x12U);
    BOOST_TEST(find_place(model, "RxOctets_HI")->bits == 8U);
    BOOST_TEST(find_place(model, "RxOctets_LO")->bits == 16U);
    const auto whole = find_place(model, "RxOctets");
    BOOST_TEST(whole->address == 0x10U);
    BOOST_TEST(
        word_addresses(model, *whole) == std::vector<std::uint32_t>({0x10, 0x12}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_high_word_that_lies_apart_is_found_by_name_and_by_address) {
    const macstats_model& tse = *find_model("altera_tse");
    BOOST_TEST(find_place(tse, "aOctetsReceivedOK_LO")->address == 0x7cU);
    BOOST_TEST(find_place(tse, "aOctetsReceivedOK_HI")->address == 0xf4U);
    BOOST_TEST(find_place(tse, "0xf4")->bits == 32U);
    BOOST_TEST(
        word_addresses(tse, *find_place(tse, "aOctetsReceivedOK")) ==
            (std::vector<std::uint32_t>{0x7c, 0xf4}),
        boost::test_tools::per_element());
    BOOST_TEST(contains(address_ranges(tse), "0xf0-0xfb"));
}

BOOST_AUTO_TEST_CASE(a_register_is_found_by_its_name_and_by_its_address) {
    const auto by_name = find_place(ll40g, "CNTR_RX_STATUS");
    const auto by_address = find_place(ll40g, "0x946");
    BOOST_TEST(by_name->address == 0x946U);
    BOOST_TEST(by_address->address == 0x946U);
    BOOST_TEST(by_name->words == 1U);
    BOOST_TEST(by_name->bits == 32U);
}

BOOST_AUTO_TEST_CASE(an_address_is_one_word_even_in_the_middle_of_a_counter) {
    const auto place = find_place(ll40g, "0x817");
    BOOST_TEST(place->address == 0x817U);
    BOOST_TEST(place->words == 1U);
    BOOST_TEST(place->counter == nullptr);
}

BOOST_AUTO_TEST_CASE(a_reserved_address_may_be_read) {
    BOOST_TEST(find_place(ll40g, "0x83f").has_value());
}

BOOST_AUTO_TEST_CASE(an_address_without_anything_is_rejected_with_the_ranges_that_have) {
    const auto place = find_place(ll40g, "0x848");
    BOOST_TEST(place.error().errnum == EINVAL);
    // Counters and what is reserved to 0x83f, the identification to 0x846, the octets.
    BOOST_TEST(contains(place.error().message, "0x800-0x846, 0x860-0x863"));
    BOOST_TEST(contains(place.error().message, "0x407, 0x506"));
    BOOST_TEST(!find_place(ll40g, "0x").has_value());
    BOOST_TEST(!find_place(ll40g, "0x100000800").has_value());
}

BOOST_AUTO_TEST_CASE(a_misprint_is_rejected_with_the_nearest_names) {
    const auto place = find_place(ll40g, "CNTR_TX_CONFG");
    BOOST_TEST(contains(
        place.error().message,
        "ll40g has no counter or register \"CNTR_TX_CONFG\"; did you mean CNTR_TX_CONFIG"));
    const auto counter = find_counter(ll40g, "rx_octetsok");
    BOOST_TEST(contains(counter.error().message, "rx_octets_ok"));
}

BOOST_AUTO_TEST_CASE(nonsense_is_rejected_with_where_the_names_are) {
    const auto place = find_place(ll40g, "flux capacitor");
    BOOST_TEST(contains(place.error().message, "macstats model ll40g"));
}

BOOST_AUTO_TEST_CASE(a_register_is_no_counter_and_has_no_half) {
    BOOST_TEST(!find_counter(ll40g, "CNTR_TX_CONFIG").has_value());
    BOOST_TEST(!find_place(ll40g, "CNTR_TX_CONFIG_LO").has_value());
}

BOOST_AUTO_TEST_CASE(an_option_changes_its_bit_and_no_other) {
    const auto defaults = ll40g.default_options;
    BOOST_TEST(*with_option(ll40g, defaults, "vlan_detection=off") == both_directions);
    BOOST_TEST(
        *with_option(ll40g, defaults, "variant=on") ==
        (both_directions | MACSTATS_OPT_VLAN_DETECTION | MACSTATS_OPT_VARIANT));
    BOOST_TEST(
        *with_option(ll40g, defaults, "tx_statistics=off") ==
        (MACSTATS_OPT_RX_STATISTICS | MACSTATS_OPT_VLAN_DETECTION));
    BOOST_TEST(
        *with_option(ll40g, defaults, "rx_statistics=off") ==
        (MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_VLAN_DETECTION));
    BOOST_TEST(*with_option(ixf1104, ixf1104.default_options, "statistics=off") == 0);
}

BOOST_AUTO_TEST_CASE(the_option_statistics_is_about_both_directions) {
    const auto defaults = ll40g.default_options;
    BOOST_TEST(*with_option(ll40g, defaults, "statistics=off") == MACSTATS_OPT_VLAN_DETECTION);
    BOOST_TEST(*with_option(ll40g, defaults, "statistics=on") == defaults);
    BOOST_TEST(*with_option(ll40g, MACSTATS_OPT_VLAN_DETECTION, "statistics=on") == defaults);
    const auto without = with_option(ixf1104, ixf1104.default_options, "tx_statistics=off");
    BOOST_TEST(contains(without.error().message, "ixf1104 has no option \"tx_statistics\""));
}

BOOST_AUTO_TEST_CASE(the_option_of_a_direction_counts_whatever_the_order) {
    using Texts = std::vector<std::string>;
    const auto set = [](const Texts& texts) { return *with_options(ll40g, 0, texts); };
    BOOST_TEST(set({}) == 0);
    BOOST_TEST(set({"statistics=on", "tx_statistics=off"}) == MACSTATS_OPT_RX_STATISTICS);
    BOOST_TEST(set({"tx_statistics=off", "statistics=on"}) == MACSTATS_OPT_RX_STATISTICS);
    BOOST_TEST(set({"rx_statistics=on", "statistics=off"}) == MACSTATS_OPT_RX_STATISTICS);
    BOOST_TEST(set({"statistics=off", "statistics=on"}) == both_directions);
    BOOST_TEST(set({"tx_statistics=off", "tx_statistics=on"}) == MACSTATS_OPT_TX_STATISTICS);
    BOOST_TEST(!with_options(ll40g, 0, Texts{"statistics=on", "colour=red"}).has_value());
    BOOST_TEST(!with_options(ll40g, 0, Texts{"rx_statistics=maybe"}).has_value());
}

BOOST_AUTO_TEST_CASE(the_settings_name_both_directions_together_only_if_they_agree) {
    const auto names = [](unsigned int options) {
        std::string text;
        for (const OptionSetting& one : option_settings(ll40g, static_cast<std::uint16_t>(options)))
            text += std::string(one.name) + "=" + one.word + " ";
        return text;
    };
    BOOST_TEST(
        names(both_directions) ==
        "statistics=on tx_statistics=on rx_statistics=on vlan_detection=off variant=off ");
    BOOST_TEST(
        names(0) ==
        "statistics=off tx_statistics=off rx_statistics=off vlan_detection=off variant=off ");
    BOOST_TEST(
        names(MACSTATS_OPT_TX_STATISTICS) ==
        "tx_statistics=on rx_statistics=off vlan_detection=off variant=off ");
}

BOOST_AUTO_TEST_CASE(duplex_is_known_to_a_model_that_has_no_choice) {
    BOOST_TEST(*with_option(ll40g, ll40g.default_options, "duplex=full") == ll40g.default_options);
    const auto half = with_option(ll40g, ll40g.default_options, "duplex=half");
    BOOST_TEST(contains(half.error().message, "full only"));
}

BOOST_AUTO_TEST_CASE(an_option_that_the_model_does_not_have_is_rejected_with_those_it_has) {
    for (const char* text : {"medium=copper", "medium", "colour=red", "=on", ""}) {
        const auto result = with_option(ll40g, ll40g.default_options, text);
        BOOST_TEST_CONTEXT(text) {
            BOOST_TEST(contains(
                result.error().message,
                "statistics, tx_statistics, rx_statistics, duplex, vlan_detection, variant"));
        }
    }
    BOOST_TEST(
        with_option(ll40g, ll40g.default_options, "variant=maybe").error().message ==
        "option variant: \"maybe\" is neither on nor off");
}

// IXF1104: three speeds by copper. 79RC32438: MII, so 10 and 100 Mb/s.
BOOST_AUTO_TEST_CASE(a_speed_replaces_another_and_the_line_rate_is_no_bit) {
    const auto defaults = ixf1104.default_options;
    const auto slow = with_option(ixf1104, defaults, "speed=10");
    BOOST_TEST(*slow == (defaults | MACSTATS_OPT_10M));
    BOOST_TEST(*with_option(ixf1104, *slow, "speed=100") == (defaults | MACSTATS_OPT_100M));
    BOOST_TEST(*with_option(ixf1104, *slow, "speed=1000") == defaults);

    BOOST_TEST(
        with_option(*find_model("rc32438"), 0, "speed=1000").error().message ==
        "option speed: \"1000\" is neither 10 nor 100");
    BOOST_TEST(!with_option(ll40g, ll40g.default_options, "speed=1000").has_value());
}

BOOST_AUTO_TEST_CASE(a_revision_replaces_another_and_the_first_one_is_no_bit) {
    const macstats_model& e1000e = *find_model("e1000e");
    const auto defaults = e1000e.default_options;
    const auto i350 = with_option(e1000e, defaults, "revision=i350");
    BOOST_TEST(*i350 == (defaults | MACSTATS_OPT_REVISION_3));
    BOOST_TEST(*with_option(e1000e, *i350, "revision=pch") == (defaults | MACSTATS_OPT_REVISION_2));
    BOOST_TEST(
        *with_option(e1000e, *i350, "revision=i225") == (defaults | MACSTATS_OPT_REVISION_4));
    BOOST_TEST(*with_option(e1000e, *i350, "revision=82574") == defaults);
    BOOST_TEST(option_settings(e1000e, *i350).back().word == "i350");
    BOOST_TEST(option_settings(e1000e, defaults).back().word == "82574");

    const auto unknown = with_option(e1000e, defaults, "revision=i219");
    BOOST_TEST(
        unknown.error().message ==
        "option revision: \"i219\" is not one of 82574, pch, i350, i225");
    BOOST_TEST(!with_option(ll40g, ll40g.default_options, "revision=i350").has_value());
}

BOOST_AUTO_TEST_CASE(an_unknown_model_is_rejected_with_those_that_there_are) {
    const auto result = model_called("ll41g");
    BOOST_TEST(contains(result.error().message, "ll40g"));
    BOOST_TEST(find_model("") == nullptr);
}

BOOST_AUTO_TEST_CASE(standard_statistics_have_the_names_that_ethtool_prints) {
    const auto check = [](unsigned int id, std::string_view group, std::string_view name) {
        BOOST_TEST(standard_name(id).group == group);
        BOOST_TEST(standard_name(id).name == name);
    };
    check(MACSTATS_STD_FRAMES_TRANSMITTED_OK, "eth-mac", "FramesTransmittedOK");
    check(MACSTATS_STD_MAC_CONTROL_FRAMES_RECEIVED, "eth-ctrl", "MACControlFramesReceived");
    check(MACSTATS_STD_UNDERSIZE_PKTS, "rmon", "etherStatsUndersizePkts");
    check(MACSTATS_STD_RX_PAUSE_FRAMES, "pause", "rx_pause_frames");
    check(MACSTATS_STD_RTNL_RX_BYTES, "rtnl", "rx_bytes");
}

BOOST_AUTO_TEST_SUITE_END()
