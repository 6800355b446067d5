// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A scenario that is written as text reads as the same scenario again.
#include "boost_test.hpp"

#include <sstream>
#include <string>

#include "scenario_documents.hpp"
#include "text.hpp"

BOOST_AUTO_TEST_SUITE(unit_scenario_round_trip)

using namespace macstats;
using namespace macstats::test;

namespace {

template <typename T>
std::ostream& operator<<(std::ostream& out, const std::optional<T>& value) {
    return value ? out << *value : out << "none";
}

std::ostream& operator<<(std::ostream& out, ScenarioPort port) {
    return out << port.device << '/' << port.index.value() << ' ';
}

std::ostream& operator<<(std::ostream& out, const Place& place) {
    return out << place.address << ' ' << place.words << ' ' << place.bits << ' ' << place.counter
               << ' ';
}

// All that a step is, field by field.
struct Print {
    std::ostream& out;

    void operator()(const SendStep& step) const {
        const macstats_frame& frame = step.frame;
        out << "send " << step.port << +frame.direction << ' ' << frame.length << ' '
            << +frame.destination << ' ' << +frame.kind << ' ' << +frame.origin << ' '
            << +frame.vlan_tags << ' ' << frame.errors << ' ' << +frame.collisions << ' '
            << frame.deferred << ' ' << +frame.descriptors << ' ' << +frame.append_crc << ' '
            << +frame.huge << ' ' << step.count;
    }
    void operator()(const ReadStep& step) const {
        out << "read " << step.port << step.name << ' ' << step.place << step.expect;
    }
    void operator()(const WriteStep& step) const {
        out << "write " << step.port << step.name << ' ' << step.place << step.value;
    }
    void operator()(const PresetStep& step) const {
        out << "preset " << step.port;
        for (const auto& value : step.counters)
            out << value.counter.value() << '=' << value.value << ' ';
    }
    void operator()(const FaultStep& step) const {
        const FaultRequest& request = step.request;
        out << "fault " << step.port << request.faults << ' ' << request.active << ' '
            << request.announced << ' ' << request.during_read << ' ' << request.argument;
    }
    void operator()(const PollStep& step) const { out << "poll " << step.port; }
    void operator()(const AdvanceStep& step) const { out << "advance " << step.nanoseconds; }
    void operator()(const ExpectStep& step) const {
        out << "expect " << step.port;
        for (const auto& total : step.totals)
            out << total.counter.value() << '=' << total.value << ' ';
        out << static_cast<int>(step.others) << ' ';
        for (const auto& standard : step.standard)
            out << standard.group << '/' << standard.name << ' ' << standard.low << '-'
                << standard.high << '=' << standard.value << ' ';
        out << step.state.stale << ' ' << step.state.possible_loss << ' '
            << step.state.discontinuities << ' ' << step.fresh;
        if (step.state.saturated)
            for (const CounterIndex counter : *step.state.saturated)
                out << " saturated " << counter.value();
        else
            out << " saturated: any";
    }
};

std::string printed(const Scenario& scenario) {
    std::ostringstream out;
    out << scenario.name << '\n' << scenario.reference << '\n';
    for (const ScenarioDevice& device : scenario.devices) {
        out << device.name << ' ' << device.model->name << ' ' << +device.options << ' '
            << device.random_power_up << ' ' << device.seed << ' ' << device.line_rate_bound;
        for (const RegisterSetting& setting : device.registers)
            out << ' ' << setting.name << ' ' << setting.place << setting.value;
        out << '\n';
    }
    for (const Step& step : scenario.steps) {
        std::visit(Print{out}, step);
        out << '\n';
    }
    return out.str();
}

void check_round_trip(const Scenario& scenario) {
    const auto again = parse_scenario(scenario_text(scenario), "");
    BOOST_TEST(printed(*again) == printed(scenario));
}

} // namespace

BOOST_AUTO_TEST_CASE(every_step_is_read_as_it_was_written) {
    const auto scenario = parse_scenario(
        R"({"name": "all \"kinds\"\n", "reference": "clause ~1/2 \u00fc", "devices": {
            "a": {"model": "ixf1104", "power_up": "random", "seed": 18446744073709551615,
                  "options": {"statistics": false, "duplex": "half", "medium": "fiber"},
                  "registers": {"Max Frame Size": 9600, "0x19": 32}},
            "b \"2\"": {"model": "ll40g", "options": {"vlan_detection": false, "variant": true,
                "tx_statistics": false}},
            "c": {"model": "rc32438", "power_up": "random"},
            "d": {"model": "cpsw", "options": {"line_rate_bound": true}}}, "steps": [
            {"send": {"port": "a/3", "direction": "rx", "length": 65535, "destination": "broadcast",
                "kind": "pfc", "origin": "mac", "vlan_tags": 2, "errors": ["underrun", "fcs"],
                "collisions": 16, "deferred": true, "count": 9223372036854775807}},
            {"send": {"port": "b \"2\""}},
            {"send": {"port": "c", "descriptors": 3, "append_crc": true, "huge": false}},
            {"read": {"port": "c/1", "register": "0x120", "expect": 4294967295}},
            {"read": {"port": "c", "register": "RBC"}},
            {"write": {"port": "b \"2\"", "register": "CNTR_TX_CONFIG", "value": 4294967295}},
            {"preset": {"port": "b \"2\"", "counters": {"CNTR_RX_64B": 18446744073709551615,
                "rx_fragments": 0}}},
            {"preset": {"port": "c", "counters": {}}},
            {"fault": {"port": "c", "name": "clock_stopped"}},
            {"fault": {"port": "c", "name": "clock_stopped", "active": false}},
            {"fault": {"port": "d", "name": "reset"}},
            {"fault": {"port": "d", "name": "reset", "announced": true}},
            {"fault": {"port": "d", "name": "gate_closes", "during_read": true}},
            {"fault": {"port": "d", "name": "bus_error_at", "word": 0}},
            {"fault": {"port": "d", "name": "bus_error_at", "word": 33}},
            {"fault": {"port": "d", "name": "bus_error_at", "active": false}},
            {"fault": {"port": "d", "name": "slow_bus", "microseconds": 1}},
            {"fault": {"port": "d", "name": "suspend", "active": false}},
            {"expect": {"port": "d", "state": {"saturated": []}}},
            {"expect": {"port": "d", "state": {"saturated": ["Rx Fragments", "Good Rx Frames"]}}},
            {"poll": {"port": "a/0"}},
            {"advance": {"seconds": 0}},
            {"advance": {"seconds": 0.000000001}},
            {"advance": {"seconds": 999999998.999999999}},
            {"advance": {"seconds": 1}},
            {"expect": {"port": "a"}},
            {"expect": {"port": "a/1", "totals": {"RxTagged": 18446744073709551615, "RxUCPkts": null},
                "others": "zero",
                "standard": {"eth-mac": {"FramesReceivedOK": 1, "AlignmentErrors": null},
                    "rmon": {"rx-pktsNtoM": [{"low": 64, "high": 64, "val": 1},
                        {"low": 65, "val": null}], "tx-pktsNtoM": null}},
                "state": {"stale": false, "possible_loss": true, "discontinuities": 4294967295},
                "fresh": false}}]})",
        "");
    BOOST_TEST(scenario->steps.size() == 27U);
    check_round_trip(*scenario);
}

BOOST_AUTO_TEST_CASE(text_that_looks_like_an_escape_is_written_as_it_is) {
    Scenario scenario;
    scenario.name = R"(a literal \x41, gr)"
                    "\u00fcn, \u202e";
    BOOST_TEST(contains(scenario_text(scenario), R"("a literal \\x41, gr)"));
    const auto again = parse_scenario(scenario_text(scenario), "");
    BOOST_TEST(again->name == scenario.name);
}

BOOST_AUTO_TEST_CASE(a_scenario_made_in_a_program_can_be_written_out) {
    Scenario scenario;
    scenario.name = "made";
    ScenarioDevice device;
    device.name = "mac";
    device.model = find_model("cpsw");
    device.options = device.model->default_options;
    scenario.devices.push_back(device);
    SendStep send;
    send.frame.direction = MACSTATS_RX;
    send.frame.destination = MACSTATS_UNICAST;
    send.frame.kind = MACSTATS_DATA;
    send.frame.origin = MACSTATS_BY_SOFTWARE;
    send.frame.length = 64;
    scenario.steps.emplace_back(send);
    scenario.steps.emplace_back(AdvanceStep{.nanoseconds = 1500000000});
    BOOST_TEST(scenario_text(scenario) == R"({
  "name": "made",
  "devices": {
    "mac": {"model":"cpsw"}
  },
  "steps": [
    {"send":{"port":"mac","direction":"rx","length":64}},
    {"advance":{"seconds":1.5}}
  ]
}
)");
    check_round_trip(scenario);
}

BOOST_AUTO_TEST_CASE(a_scenario_without_devices_and_steps_is_written_out) {
    Scenario scenario;
    check_round_trip(scenario);
}

BOOST_AUTO_TEST_SUITE_END()
