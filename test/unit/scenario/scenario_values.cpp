// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The values of a parsed scenario, and the defaults of absent keys.
#include "boost_test.hpp"

#include <string>
#include <variant>

#include "scenario_documents.hpp"

BOOST_AUTO_TEST_SUITE(unit_scenario_values)

using namespace macstats;
using namespace macstats::test;

namespace {

constexpr unsigned int both_directions = MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS;

constexpr std::uint64_t most_frames = 9223372036854775807U;

Scenario parsed(const std::string& text) {
    auto scenario = parse_scenario(text, "f.json");
    if (!scenario)
        throw std::runtime_error(scenario.error().message);
    return std::move(*scenario);
}

ScenarioDevice device(const std::string& text) {
    return parsed(with_device(text)).devices.at(0);
}

template <typename T>
T step(const std::string& text) {
    return std::get<T>(parsed(with_steps(text)).steps.at(0));
}

std::uint64_t nanoseconds(const std::string& seconds) {
    return step<AdvanceStep>(R"({"advance": {"seconds": )" + seconds + "}}").nanoseconds;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_scenario_has_a_name_a_reference_and_a_file) {
    const Scenario scenario =
        parsed(R"({"$schema": "s", "name": "n", "reference": "r", "devices": {}, "steps": []})");
    BOOST_TEST(scenario.name == "n");
    BOOST_TEST(scenario.reference == "r");
    BOOST_TEST(scenario.file == "f.json");
    BOOST_TEST(scenario.devices.empty());
    BOOST_TEST(scenario.steps.empty());
    BOOST_TEST(parsed(R"({"name": "n", "devices": {}, "steps": []})").reference == "");
}

BOOST_AUTO_TEST_CASE(a_device_is_as_its_model_has_it_by_default) {
    const ScenarioDevice mac = device(R"({"model": "ll40g"})");
    BOOST_TEST(mac.name == "mac");
    BOOST_TEST(mac.model == find_model("ll40g"));
    // The guide has VLAN detection and the statistics in by default.
    BOOST_TEST(mac.options == (both_directions | MACSTATS_OPT_VLAN_DETECTION));
    BOOST_TEST(!mac.random_power_up);
    BOOST_TEST(mac.seed == 0U);
    BOOST_TEST(mac.registers.empty());
}

BOOST_AUTO_TEST_CASE(a_device_may_be_set_up_in_other_ways) {
    const ScenarioDevice mac = device(
        R"({"model": "ixf1104", "power_up": "random", "seed": 18446744073709551615,
            "options": {"statistics": false, "duplex": "half", "medium": "fiber"},
            "registers": {"Max Frame Size": 9600, "0x19": 32}})");
    BOOST_TEST(mac.random_power_up);
    BOOST_TEST(mac.seed == UINT64_MAX);
    BOOST_TEST(mac.options == (MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_FIBER));
    BOOST_REQUIRE(mac.registers.size() == 2U);
    BOOST_TEST(mac.registers[0].name == "Max Frame Size");
    BOOST_TEST(mac.registers[0].place.address == 0x0fU);
    BOOST_TEST(mac.registers[0].value == 9600U);
    BOOST_TEST(mac.registers[1].place.address == 0x19U);
    BOOST_TEST(!device(R"({"model": "cpsw", "power_up": "zero"})").random_power_up);
}

BOOST_AUTO_TEST_CASE(options_that_are_on_or_off_may_be_true_or_false) {
    for (const char* off : {"false", R"("off")"})
        BOOST_TEST(
            device(std::string(R"({"model": "ll40g", "options": {"vlan_detection": )") + off + "}}")
                .options == both_directions);
    for (const char* on : {"true", R"("on")"})
        BOOST_TEST(
            device(std::string(R"({"model": "ll40g", "options": {"variant": )") + on + "}}")
                .options == (both_directions | MACSTATS_OPT_VLAN_DETECTION | MACSTATS_OPT_VARIANT));
    for (const char* slow : {"100", R"("100")"})
        BOOST_TEST(
            device(std::string(R"({"model": "ixf1104", "options": {"speed": )") + slow + "}}")
                .options == (MACSTATS_OPT_STATISTICS | MACSTATS_OPT_100M));
    // Every model accepts the default of an option.
    BOOST_TEST(
        device(R"({"model": "ll40g", "options": {"statistics": true, "duplex": "full"}})")
            .options == (both_directions | MACSTATS_OPT_VLAN_DETECTION));
}

BOOST_AUTO_TEST_CASE(the_statistics_of_a_direction_count_before_those_of_both) {
    const auto options = [](const std::string& text) {
        return device(R"({"model": "ll40g", "options": {)" + text + "}}").options &
               (both_directions | MACSTATS_OPT_STATISTICS);
    };
    BOOST_TEST(options(R"("tx_statistics": false)") == MACSTATS_OPT_RX_STATISTICS);
    BOOST_TEST(options(R"("rx_statistics": "off")") == MACSTATS_OPT_TX_STATISTICS);
    BOOST_TEST(options(R"("statistics": false)") == 0);
    BOOST_TEST(
        options(R"("statistics": false, "tx_statistics": true)") == MACSTATS_OPT_TX_STATISTICS);
    BOOST_TEST(
        options(R"("tx_statistics": true, "statistics": false)") == MACSTATS_OPT_TX_STATISTICS);
    BOOST_TEST(
        options(R"("rx_statistics": false, "statistics": true)") == MACSTATS_OPT_TX_STATISTICS);
}

BOOST_AUTO_TEST_CASE(devices_may_come_behind_the_steps) {
    const Scenario scenario = parsed(
        R"({"steps": [{"poll": {"port": "b"}}], "devices": {"a": {"model": "cpsw"},
            "b": {"model": "ll40g"}}, "name": "n"})");
    BOOST_REQUIRE(scenario.devices.size() == 2U);
    BOOST_TEST(scenario.devices[1].name == "b");
    BOOST_TEST((std::get<PollStep>(scenario.steps[0]).port == ScenarioPort{1, PortIndex(0)}));
}

BOOST_AUTO_TEST_CASE(a_port_is_a_device_or_one_of_its_ports) {
    const auto port = [](const std::string& name) {
        return step<PollStep>(R"({"poll": {"port": ")" + name + "\"}}").port;
    };
    BOOST_TEST((port("mac") == ScenarioPort{0, PortIndex(0)}));
    BOOST_TEST((port("mac/0") == ScenarioPort{0, PortIndex(0)}));
    BOOST_TEST((port("quad") == ScenarioPort{1, PortIndex(0)}));
    BOOST_TEST((port("quad/3") == ScenarioPort{1, PortIndex(3)}));
    BOOST_TEST((port("pair/1") == ScenarioPort{3, PortIndex(1)}));
}

BOOST_AUTO_TEST_CASE(a_frame_is_a_good_one_of_64_octets_by_default) {
    const SendStep send = step<SendStep>(R"({"send": {"port": "quad/2"}})");
    BOOST_TEST((send.port == ScenarioPort{1, PortIndex(2)}));
    BOOST_TEST(send.frame.direction == MACSTATS_TX);
    BOOST_TEST(send.frame.length == 64U);
    BOOST_TEST(send.frame.destination == MACSTATS_UNICAST);
    BOOST_TEST(send.frame.kind == MACSTATS_DATA);
    BOOST_TEST(send.frame.origin == MACSTATS_BY_SOFTWARE);
    BOOST_TEST(send.frame.vlan_tags == 0U);
    BOOST_TEST(send.frame.errors == 0U);
    BOOST_TEST(send.frame.collisions == 0U);
    BOOST_TEST(!send.frame.deferred);
    BOOST_TEST(send.count == 1U);
}

BOOST_AUTO_TEST_CASE(a_frame_may_be_all_that_can_be_described) {
    const SendStep send = step<SendStep>(
        R"({"send": {"port": "mac", "direction": "rx", "length": 65535, "destination": "broadcast",
            "kind": "control", "origin": "mac", "vlan_tags": 2, "errors": ["fcs", "overrun"],
            "collisions": 16, "deferred": true, "count": 9223372036854775807}})");
    BOOST_TEST(send.frame.direction == MACSTATS_RX);
    BOOST_TEST(send.frame.length == 65535U);
    BOOST_TEST(send.frame.destination == MACSTATS_BROADCAST);
    BOOST_TEST(send.frame.kind == MACSTATS_CONTROL);
    BOOST_TEST(send.frame.origin == MACSTATS_BY_MAC);
    BOOST_TEST(send.frame.vlan_tags == 2U);
    BOOST_TEST(send.frame.errors == (MACSTATS_ERR_FCS | MACSTATS_ERR_OVERRUN));
    BOOST_TEST(send.frame.collisions == 16U);
    BOOST_TEST(send.frame.deferred);
    BOOST_TEST(send.count == most_frames);
}

BOOST_AUTO_TEST_CASE(a_frame_may_state_what_its_descriptors_have) {
    const SendStep send = step<SendStep>(
        R"({"send": {"port": "pair", "descriptors": 64, "append_crc": false, "huge": true}})");
    BOOST_TEST(send.frame.descriptors == 64U);
    BOOST_TEST(send.frame.append_crc == MACSTATS_CONTROL_OFF);
    BOOST_TEST(send.frame.huge == MACSTATS_CONTROL_ON);
    const SendStep received =
        step<SendStep>(R"({"send": {"port": "pair", "direction": "rx", "descriptors": 2}})");
    BOOST_TEST(received.frame.descriptors == 2U);
    BOOST_TEST(received.frame.append_crc == MACSTATS_BY_REGISTER);
    BOOST_TEST(received.frame.huge == MACSTATS_BY_REGISTER);
}

BOOST_AUTO_TEST_CASE(the_smallest_values_are_allowed) {
    const SendStep send = step<SendStep>(
        R"({"send": {"port": "mac", "direction": "tx", "length": 1, "destination": "multicast",
            "kind": "pause", "origin": "software", "vlan_tags": 0, "errors": [], "collisions": 0,
            "deferred": false, "count": 1}})");
    BOOST_TEST(send.frame.length == 1U);
    BOOST_TEST(send.frame.destination == MACSTATS_MULTICAST);
    BOOST_TEST(send.frame.kind == MACSTATS_PAUSE);
    BOOST_TEST(send.frame.errors == 0U);
    BOOST_TEST(send.count == 1U);
}

BOOST_AUTO_TEST_CASE(registers_are_called_by_either_name_or_by_address) {
    for (const char* name : {"CNTR_TX_64B", "tx_64b"}) {
        const ReadStep read = step<ReadStep>(
            std::string(R"({"read": {"port": "core", "register": ")") + name +
            R"(", "expect": 18446744073709551615}})");
        BOOST_TEST((read.port == ScenarioPort{2, PortIndex(0)}));
        BOOST_TEST(read.name == name);
        BOOST_TEST(read.place.address == 0x816U);
        BOOST_TEST(read.place.words == 2U);
        BOOST_TEST(*read.expect == UINT64_MAX);
    }
    for (const char* name :
         {"CNTR_TX_64B_HI", "cntr_tx_64b_hi", "64b tx cntr hi", "0x817", "0X817"}) {
        const ReadStep read = step<ReadStep>(
            std::string(R"({"read": {"port": "core", "register": ")") + name +
            R"(", "expect": 4294967295}})");
        BOOST_TEST(read.place.address == 0x817U);
        BOOST_TEST(read.place.words == 1U);
        BOOST_TEST(*read.expect == 4294967295U);
    }
}

BOOST_AUTO_TEST_CASE(a_read_without_an_expectation_has_its_side_effect_only) {
    BOOST_TEST(!step<ReadStep>(R"({"read": {"port": "pair", "register": "RBC"}})").expect);
}

BOOST_AUTO_TEST_CASE(a_write_has_a_value) {
    const WriteStep write = step<WriteStep>(
        R"({"write": {"port": "mac", "register": "STAT_PORT_EN", "value": 4294967295}})");
    BOOST_TEST(write.name == "STAT_PORT_EN");
    BOOST_TEST(write.place.address == 0x4a10000cU);
    BOOST_TEST(write.value == 4294967295U);
}

BOOST_AUTO_TEST_CASE(a_preset_is_of_counters) {
    const PresetStep preset = step<PresetStep>(
        R"({"preset": {"port": "core", "counters": {"CNTR_RX_64B": 18446744073709551615,
            "tx_fragments": 0}}})");
    const macstats_model& model = *find_model("ll40g");
    BOOST_REQUIRE(preset.counters.size() == 2U);
    BOOST_TEST(
        model.counters[preset.counters[0].counter.value()].reg == std::string("CNTR_RX_64B"));
    BOOST_TEST(preset.counters[0].value == UINT64_MAX);
    BOOST_TEST(preset.counters[1].counter.value() == 0U);
    BOOST_TEST(preset.counters[1].value == 0U);
}

BOOST_AUTO_TEST_CASE(a_fault_is_active_by_default) {
    const FaultStep on =
        step<FaultStep>(R"({"fault": {"port": "core", "name": "snapshot_stuck"}})");
    BOOST_TEST((on.request == FaultRequest{.faults = MACSTATS_FAULT_SNAPSHOT_STUCK}));
    const FaultStep off = step<FaultStep>(
        R"({"fault": {"port": "pair", "name": "reset_in_progress", "active": false}})");
    BOOST_TEST(
        (off.request == FaultRequest{.faults = MACSTATS_FAULT_RESET_IN_PROGRESS, .active = false}));
}

BOOST_AUTO_TEST_CASE(members_of_a_fault_are_part_of_the_request) {
    const auto request_of = [](const char* text) { return step<FaultStep>(text).request; };
    BOOST_TEST(
        (request_of(R"({"fault": {"port": "mac", "name": "reset", "announced": true}})") ==
         FaultRequest{.faults = MACSTATS_FAULT_RESET, .announced = true}));
    BOOST_TEST(
        (request_of(R"({"fault": {"port": "mac", "name": "gate_closes", "during_read": true}})") ==
         FaultRequest{.faults = MACSTATS_FAULT_GATE_CLOSES, .during_read = true}));
    // The CPSW has 34 counters of one word each.
    BOOST_TEST(
        (request_of(R"({"fault": {"port": "mac", "name": "bus_error_at", "word": 33}})") ==
         FaultRequest{.faults = MACSTATS_FAULT_BUS_ERROR_AT, .argument = 33}));
    BOOST_TEST(
        (request_of(R"({"fault": {"port": "mac", "name": "slow_bus", "microseconds": 10000}})") ==
         FaultRequest{.faults = MACSTATS_FAULT_SLOW_BUS, .argument = 10000}));
    BOOST_TEST(
        (request_of(R"({"fault": {"port": "mac", "name": "bus_error_at", "active": false}})") ==
         FaultRequest{.faults = MACSTATS_FAULT_BUS_ERROR_AT, .active = false}));
}

BOOST_AUTO_TEST_CASE(saturated_counters_are_kept_in_the_order_of_the_model) {
    const ExpectStep some = step<ExpectStep>(
        R"({"expect": {"port": "mac", "state": {"saturated": ["Rx Fragments", "Good Rx Frames"]}}})");
    BOOST_REQUIRE(some.state.saturated.has_value());
    // "Good Rx Frames" is the first row of the CPSW, "Rx Fragments" the tenth.
    BOOST_TEST((*some.state.saturated == std::vector{CounterIndex(0), CounterIndex(9)}));
    const ExpectStep none =
        step<ExpectStep>(R"({"expect": {"port": "mac", "state": {"saturated": []}}})");
    BOOST_REQUIRE(none.state.saturated.has_value());
    BOOST_TEST(none.state.saturated->empty());
}

BOOST_AUTO_TEST_CASE(seconds_may_have_fractions_and_keep_all_nanoseconds) {
    BOOST_TEST(nanoseconds("0") == 0U);
    BOOST_TEST(nanoseconds("35") == 35000000000U);
    BOOST_TEST(nanoseconds("0.5") == 500000000U);
    BOOST_TEST(nanoseconds("1.5e-3") == 1500000U);
    BOOST_TEST(nanoseconds("1e3") == 1000000000000U);
    BOOST_TEST(nanoseconds("0.000000001") == 1U);
    // More digits than a double has.
    BOOST_TEST(nanoseconds("999999999.999999999") == 999999999999999999U);
    BOOST_TEST(nanoseconds("1000000000") == 1000000000000000000U);
    BOOST_TEST(nanoseconds("123456789012345678e-9") == 123456789012345678U);
    BOOST_TEST(nanoseconds("0.000000123456789e15") == 123456789000000000U);
    BOOST_TEST(nanoseconds("1E+09") == 1000000000000000000U);
    BOOST_TEST(nanoseconds("0.0000000014999") == 1U);
    BOOST_TEST(nanoseconds("0.0000000015") == 2U);
    BOOST_TEST(nanoseconds("5e-10") == 1U);
    for (const char* nothing :
         {"1e-10", "4.99e-10", "1e-99999999999", "0e99999999999", "-0", "-0.0"})
        BOOST_TEST(nanoseconds(nothing) == 0U, nothing);
}

BOOST_AUTO_TEST_CASE(an_expectation_is_fresh_and_leaves_others_alone_by_default) {
    const ExpectStep expect = step<ExpectStep>(R"({"expect": {"port": "mac"}})");
    BOOST_TEST(expect.totals.empty());
    BOOST_TEST((expect.others == Others::any));
    BOOST_TEST(expect.standard.empty());
    BOOST_TEST(!expect.state.stale);
    BOOST_TEST(!expect.state.possible_loss);
    BOOST_TEST(!expect.state.discontinuities);
    BOOST_TEST(expect.fresh);
}

BOOST_AUTO_TEST_CASE(totals_and_state_can_be_expected) {
    const ExpectStep expect = step<ExpectStep>(
        R"({"expect": {"port": "mac", "totals": {"Pause Tx Frames": 3,
            "rx_octets": 18446744073709551615, "Good Rx Frames": null}, "others": "zero", "fresh": false,
            "state": {"stale": false, "possible_loss": true, "discontinuities": 4294967295}}})");
    const macstats_model& model = *find_model("cpsw");
    BOOST_REQUIRE(expect.totals.size() == 3U);
    BOOST_TEST(
        model.counters[expect.totals[0].counter.value()].reg == std::string("Pause Tx Frames"));
    BOOST_TEST(expect.totals[0].value.value() == 3U);
    BOOST_TEST(model.counters[expect.totals[1].counter.value()].reg == std::string("Rx Octets"));
    BOOST_TEST(expect.totals[1].value.value() == UINT64_MAX);
    BOOST_TEST(!expect.totals[2].value.has_value());
    BOOST_TEST((expect.others == Others::zero));
    BOOST_TEST(!expect.fresh);
    BOOST_TEST((expect.state.stale == false));
    BOOST_TEST((expect.state.possible_loss == true));
    BOOST_TEST((expect.state.discontinuities == 4294967295U));
    BOOST_TEST((
        step<ExpectStep>(R"({"expect": {"port": "mac", "others": "any"}})").others == Others::any));
}

BOOST_AUTO_TEST_CASE(standard_statistics_have_a_value_or_must_not_be_there) {
    const ExpectStep expect = step<ExpectStep>(
        R"({"expect": {"port": "mac", "standard": {
            "eth-mac": {"FramesTransmittedOK": 5, "OctetsTransmittedOK": null},
            "pause": {"tx_pause_frames": 18446744073709551615}}}})");
    BOOST_REQUIRE(expect.standard.size() == 3U);
    BOOST_TEST(expect.standard[0].group == "eth-mac");
    BOOST_TEST(expect.standard[0].name == "FramesTransmittedOK");
    BOOST_TEST((expect.standard[0].value == 5U));
    BOOST_TEST(!expect.standard[0].low);
    BOOST_TEST(expect.standard[1].name == "OctetsTransmittedOK");
    BOOST_TEST(!expect.standard[1].value);
    BOOST_TEST(expect.standard[2].group == "pause");
    BOOST_TEST((expect.standard[2].value == UINT64_MAX));
}

BOOST_AUTO_TEST_CASE(each_bucket_of_a_histogram_is_an_expectation) {
    const ExpectStep expect = step<ExpectStep>(
        R"({"expect": {"port": "quad", "standard": {"rmon": {"tx-pktsNtoM": null, "rx-pktsNtoM": [
            {"low": 64, "high": 64, "val": 3}, {"low": 1519, "val": 0},
            {"low": 0, "high": 63, "val": null}]}}}})");
    BOOST_REQUIRE(expect.standard.size() == 4U);
    BOOST_TEST(expect.standard[0].name == "tx-pktsNtoM");
    BOOST_TEST(!expect.standard[0].low);
    BOOST_TEST(!expect.standard[0].value);
    BOOST_TEST(expect.standard[1].name == "rx-pktsNtoM");
    BOOST_TEST((expect.standard[1].low == 64U));
    BOOST_TEST((expect.standard[1].high == 64U));
    BOOST_TEST((expect.standard[1].value == 3U));
    BOOST_TEST((expect.standard[2].low == 1519U));
    BOOST_TEST(!expect.standard[2].high);
    BOOST_TEST((expect.standard[2].value == 0U));
    BOOST_TEST((expect.standard[3].low == 0U));
    BOOST_TEST(!expect.standard[3].value);
}

// linux/if_link.h, struct rtnl_link_stats64.
BOOST_AUTO_TEST_CASE(all_members_of_the_kernels_link_statistics_can_be_expected) {
    for (const char* name :
         {"rx_packets",          "tx_packets",        "rx_bytes",         "tx_bytes",
          "rx_errors",           "tx_errors",         "rx_dropped",       "tx_dropped",
          "multicast",           "collisions",        "rx_length_errors", "rx_over_errors",
          "rx_crc_errors",       "rx_frame_errors",   "rx_fifo_errors",   "rx_missed_errors",
          "tx_aborted_errors",   "tx_carrier_errors", "tx_fifo_errors",   "tx_heartbeat_errors",
          "tx_window_errors",    "rx_compressed",     "tx_compressed",    "rx_nohandler",
          "rx_otherhost_dropped"})
        BOOST_TEST(
            step<ExpectStep>(
                std::string(R"({"expect": {"port": "mac", "standard": {"rtnl": {")") + name +
                R"(": null}}}})")
                .standard.size() == 1U);
}

BOOST_AUTO_TEST_CASE(names_may_hold_anything_but_a_slash) {
    const Scenario scenario = parsed(
        R"({"name": "\u00e4\n", "devices": {"gr\u00fcn ~1": {"model": "cpsw"}},
            "steps": [{"poll": {"port": "gr\u00fcn ~1/0"}}]})");
    BOOST_TEST(scenario.name == "\u00e4\n");
    BOOST_TEST(scenario.devices[0].name == "gr\u00fcn ~1");
}

BOOST_AUTO_TEST_SUITE_END()
