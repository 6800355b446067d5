// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Scenarios on the wire: which ones can run on two real ports, the octets of their frames, and
// how differences are awaited. The ports here are counters behind a cable of this process.
#include "boost_test.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "libmacstats/core/frame.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"
#include "libmacstats/scenario/wire.hpp"
#include "scenario/wire_plan.hpp"

BOOST_AUTO_TEST_SUITE(unit_wire)

namespace {

using namespace std::chrono_literals;

using macstats::Captured;
using macstats::CounterIndex;
using macstats::Error;
using macstats::EthernetAddress;
using macstats::Observation;
using macstats::Outcome;
using macstats::Report;
using macstats::Result;
using macstats::Scenario;
using macstats::StandardValue;
using macstats::WireEnd;

constexpr EthernetAddress first_address = {0x02, 0, 0, 0, 0, 0x0a};
constexpr EthernetAddress second_address = {0x02, 0, 0, 0, 0, 0x0b};

const std::string mac = R"("mac": {"model": "e1000"})";

Scenario scenario(const std::string& devices, const std::string& steps) {
    auto parsed = macstats::parse_scenario(
        R"({"name": "a name", "devices": {)" + devices + R"(}, "steps": [)" + steps + "]}",
        "a.json");
    BOOST_REQUIRE_MESSAGE(parsed, (parsed ? "" : parsed.error().message));
    return std::move(*parsed);
}

// A step "send" of the port mac.
std::string send(const std::string& members = "") {
    return R"({"send": {"port": "mac")" + (members.empty() ? "" : ", " + members) + "}}";
}

std::string expect(const std::string& members) {
    return R"({"expect": {"port": "mac", )" + members + "}}";
}

StandardValue
statistic(const std::string& group, const std::string& name, std::uint64_t value = 0) {
    return {.id = macstats::standard_id(group, name), .value = value};
}

// Statistics that a driver without macstats may report.
std::vector<StandardValue> some_statistics() {
    return {
        statistic("eth-mac", "FramesTransmittedOK"), statistic("rtnl", "tx_packets"),
        statistic("rtnl", "rx_packets"), statistic("rtnl", "tx_bytes"),
        statistic("rtnl", "rx_bytes")};
}

WireEnd end(const std::string& name, const std::string& interface) {
    return {
        .name = name,
        .interface = interface,
        .model = macstats::find_model("e1000"),
        .served = false,
        .kind = "",
        .mtu = 1500,
        .address = name == "mac" ? first_address : second_address,
        .reported = {.standard = some_statistics()}};
}

WireEnd served_end(const std::string& name, const std::string& interface) {
    WireEnd served = end(name, interface);
    served.served = true;
    served.reported.totals.resize(served.model->n_counters);
    return served;
}

std::vector<WireEnd> two_ends() {
    return {end("mac", "eth0"), end("other", "eth1")};
}

std::string reason(const Scenario& tried, const std::vector<WireEnd>& ends) {
    const auto adapted = macstats::plan_for_wire(tried, ends);
    if (adapted)
        return "";
    BOOST_TEST(adapted.error().errnum == macstats::DeviceSet::unsupported);
    return adapted.error().message;
}

std::string reason(const std::string& steps) {
    return reason(scenario(mac, steps), two_ends());
}

// In ethtool -S.
std::string name_of_register(const std::string& reg) {
    const macstats_model& model = *macstats::find_model("e1000");
    const auto counter = macstats::find_counter(model, reg);
    return model.counters[counter->value()].name;
}

macstats_frame frame_of_length(std::uint32_t length) {
    const auto frame = macstats::frame_of({.length = length}, *macstats::find_model("e1000"));
    return *frame;
}

std::vector<unsigned int> numbers(const std::vector<std::byte>& octets, std::size_t most) {
    std::vector<unsigned int> values;
    for (std::size_t i = 0; i < std::min(octets.size(), most); i++)
        values.push_back(std::to_integer<unsigned int>(octets[i]));
    return values;
}

BOOST_AUTO_TEST_SUITE(plan)

BOOST_AUTO_TEST_CASE(good_frames_of_a_mapped_port_can_run) {
    BOOST_TEST(reason(send() + "," + expect(R"("standard": {"rtnl": {"tx_packets": 1}})")) == "");
}

BOOST_AUTO_TEST_CASE(a_port_without_an_interface_is_a_reason) {
    BOOST_TEST(
        reason(
            scenario(R"("core": {"model": "e1000"})", R"({"poll": {"port": "core"}})"),
            two_ends()) == "no interface is given for its port core");
}

BOOST_AUTO_TEST_CASE(a_port_of_a_device_with_several_is_mapped_by_its_number) {
    std::vector<WireEnd> ends = two_ends();
    ends[0].name = "mac/2";
    ends[0].model = macstats::find_model("ixf1104");
    const std::string device = R"("mac": {"model": "ixf1104"})";
    BOOST_TEST(reason(scenario(device, R"({"send": {"port": "mac/2"}})"), ends) == "");
    BOOST_TEST(
        reason(scenario(device, R"({"send": {"port": "mac"}})"), ends) ==
        "no interface is given for its port mac");
}

BOOST_AUTO_TEST_CASE(steps_that_no_driver_can_do_are_reasons) {
    BOOST_TEST(
        reason(R"({"read": {"port": "mac", "register": "GPRC"}})") ==
        "its step 0 (read) reads a register");
    BOOST_TEST(
        reason(send() + R"(,{"write": {"port": "mac", "register": "GPRC", "value": 1}})") ==
        "its step 1 (write) writes a register");
    BOOST_TEST(
        reason(R"({"preset": {"port": "mac", "counters": {"GPRC": 1}}})") ==
        "its step 0 (preset) sets hardware counters");
    BOOST_TEST(
        reason(R"({"fault": {"port": "mac", "name": "reset"}})") ==
        "its step 0 (fault) requires an emulated fault");
    BOOST_TEST(reason(R"({"advance": {"seconds": 1}})") == "its step 0 (advance) lets time pass");
    BOOST_TEST(
        reason(expect(R"("fresh": false, "totals": {"GPRC": 0})")) ==
        "its step 0 (expect) expects the totals of an earlier poll; a driver polls itself");
}

BOOST_AUTO_TEST_CASE(frames_that_no_socket_can_send_are_reasons) {
    BOOST_TEST(
        reason(send(R"("errors": ["fcs", "code"])")) ==
        "the wire carries good frames only; this one has the errors fcs, code");
    BOOST_TEST(
        reason(send(R"("errors": ["payload_length"])")) ==
        "the wire carries good frames only; this one has the errors payload_length");
    BOOST_TEST(reason(send(R"("collisions": 1)")) == "no socket causes collisions or deferral");
    BOOST_TEST(reason(send(R"("deferred": true)")) == "no socket causes collisions or deferral");
    BOOST_TEST(
        reason(send(R"("kind": "pause", "origin": "mac")")) ==
        "software cannot make a MAC send its own pause frames");
    BOOST_TEST(
        reason(send(R"("length": 63)")) ==
        "a frame of 63 octets never crosses the wire: ports pad it to 64");
    BOOST_TEST(
        reason(send(R"("count": 100001)")) ==
        "100001 frames of 64 octets take too long on a wire: a scenario may send 100000");
    BOOST_TEST(
        reason(send(R"("count": 60000)") + "," + send(R"("length": 65, "count": 40001)")) ==
        "40001 frames of 65 octets take too long on a wire: a scenario may send 100000");
}

// 14 octets of header and 4 of FCS are not part of the MTU, nor is one tag.
BOOST_AUTO_TEST_CASE(frames_longer_than_the_mtu_of_either_end_are_reasons) {
    BOOST_TEST(reason(send(R"("length": 1518)")) == "");
    BOOST_TEST(
        reason(send(R"("length": 1519)")) ==
        "a frame of 1519 octets requires an MTU of 1501, and eth0 has 1500");
    BOOST_TEST(reason(send(R"("length": 1522, "vlan_tags": 1)")) == "");
    BOOST_TEST(
        reason(send(R"("length": 1523, "vlan_tags": 2)")) ==
        "a frame of 1523 octets requires an MTU of 1501, and eth0 has 1500");
    std::vector<WireEnd> ends = two_ends();
    ends[0].mtu = 9000;
    BOOST_TEST(
        reason(scenario(mac, send(R"("length": 9018)")), ends) ==
        "a frame of 9018 octets requires an MTU of 9000, and eth1 has 1500");
}

BOOST_AUTO_TEST_CASE(a_device_that_is_set_up_otherwise_is_a_reason) {
    BOOST_TEST(
        reason(
            scenario(R"("mac": {"model": "e1000", "options": {"duplex": "half"}})", send()),
            two_ends()) == "mac has other options than a driver's default: duplex=half");
    BOOST_TEST(
        reason(
            scenario(R"("mac": {"model": "cpsw", "registers": {"STAT_PORT_EN": 7}})", send()), [] {
                auto ends = two_ends();
                ends[0].model = macstats::find_model("cpsw");
                return ends;
            }()) == "mac sets register STAT_PORT_EN, which this backend cannot write");
}

BOOST_AUTO_TEST_CASE(a_port_without_a_mac_or_with_an_unknown_or_another_one_is_a_reason) {
    std::vector<WireEnd> ends = two_ends();
    ends[0].kind = "veth";
    BOOST_TEST(
        reason(scenario(mac, send()), ends) ==
        "eth0 is a virtual interface (veth), which has no MAC");
    ends[0].kind = "dsa"; // a port of a switch
    BOOST_TEST(reason(scenario(mac, send()), ends) == "");
    ends[0].kind = "";
    ends[0].model = nullptr;
    BOOST_TEST(
        reason(scenario(mac, send()), ends) ==
        "the model of eth0 is unknown, as macstats does not serve it: --model names it");
    ends[0].why_no_model = "eth0: the kernel's e1000 has other counters than this library";
    BOOST_TEST(reason(scenario(mac, send()), ends) == ends[0].why_no_model);
    ends[0].model = macstats::find_model("ll40g");
    BOOST_TEST(reason(scenario(mac, send()), ends) == "it is about e1000, and eth0 is ll40g");
}

// An emulated port, which macstats serves, has a virtual interface.
BOOST_AUTO_TEST_CASE(a_served_port_may_be_virtual) {
    std::vector<WireEnd> ends = {served_end("mac", "mac0"), end("other", "eth1")};
    ends[0].kind = "macstats";
    BOOST_TEST(reason(scenario(mac, send()), ends) == "");
}

// e1000: tx_packets is GPTC; tx_bytes is GOTC - 4 * GPTC, without FCS. FramesTransmittedOK also
// has the pause frames of the MAC, of which nothing is known, nor of the receive counters.
BOOST_AUTO_TEST_CASE(totals_become_the_standard_statistics_that_follow_from_them) {
    const auto adapted = macstats::plan_for_wire(
        scenario(mac, expect(R"("totals": {"GPTC": 5, "GOTC": 500})")), two_ends());
    const auto& step = std::get<macstats::ExpectStep>(adapted->scenario->steps[0]);
    BOOST_TEST(step.totals.empty());
    std::map<std::string, std::uint64_t> expected;
    for (const auto& wanted : step.standard)
        expected[wanted.group + "/" + wanted.name] = wanted.value.value();
    BOOST_TEST(
        (expected ==
         std::map<std::string, std::uint64_t>{{"rtnl/tx_packets", 5}, {"rtnl/tx_bytes", 480}}));
}

BOOST_AUTO_TEST_CASE(others_zero_makes_all_standard_statistics_follow) {
    const auto adapted = macstats::plan_for_wire(
        scenario(mac, expect(R"("totals": {"GPTC": 5, "GOTC": 500}, "others": "zero")")),
        two_ends());
    const auto& step = std::get<macstats::ExpectStep>(adapted->scenario->steps[0]);
    BOOST_CHECK(step.others == macstats::Others::any);
    std::map<std::string, std::uint64_t> expected;
    for (const auto& wanted : step.standard)
        expected[wanted.name] = wanted.value.value();
    BOOST_TEST(expected.at("rx_packets") == 0U);
    BOOST_TEST(expected.at("rx_bytes") == 0U);
    BOOST_TEST(expected.at("tx_packets") == 5U);
    BOOST_TEST(expected.at("FramesTransmittedOK") == 5U);
}

// e1000: rtnl/multicast is MPRC. A driver that never counts it reports 0, too.
BOOST_AUTO_TEST_CASE(a_derived_rtnl_member_that_was_always_0_is_left_out_and_listed) {
    const std::string steps = expect(R"("totals": {"MPRC": 5})");
    std::vector<WireEnd> ends = two_ends();
    ends[0].reported.standard.push_back(statistic("rtnl", "multicast"));
    BOOST_TEST(
        reason(scenario(mac, steps), ends) ==
        "nothing of what it expects can be compared: eth0 reports 0 and may not count: "
        "rtnl/multicast");
    ends[0].reported.standard.back().value = 1;
    const auto adapted = macstats::plan_for_wire(scenario(mac, steps), ends);
    const auto& step = std::get<macstats::ExpectStep>(adapted->scenario->steps[0]);
    BOOST_REQUIRE(step.standard.size() == 1U);
    BOOST_TEST(step.standard[0].name == "multicast");
    BOOST_TEST(step.standard[0].value.value() == 5U);
}

BOOST_AUTO_TEST_CASE(an_rtnl_member_that_the_scenario_names_is_compared) {
    std::vector<WireEnd> ends = two_ends();
    ends[0].reported.standard.push_back(statistic("rtnl", "multicast"));
    const auto adapted = macstats::plan_for_wire(
        scenario(mac, expect(R"("totals": {"MPRC": 5}, "standard": {"rtnl": {"multicast": 5}})")),
        ends);
    BOOST_TEST(std::get<macstats::ExpectStep>(adapted->scenario->steps[0]).standard.size() == 1U);
    BOOST_TEST(adapted->not_compared.empty());
}

// e1000: TOT feeds no standard statistic; GPRC is only an addend of sums with unknown others.
BOOST_AUTO_TEST_CASE(totals_that_no_standard_statistic_shows_are_listed) {
    BOOST_TEST(
        reason(expect(R"("totals": {"TOT": 5})")) ==
        "nothing of what it expects can be compared: no standard statistic of eth0 shows: " +
            name_of_register("TOT"));
    const auto adapted = macstats::plan_for_wire(
        scenario(mac, expect(R"("totals": {"TOT": 5, "GPTC": 5})")), two_ends());
    BOOST_TEST(
        adapted->not_compared ==
            std::vector<std::string>{
                "no standard statistic of eth0 shows: " + name_of_register("TOT")},
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_addend_of_a_sum_with_an_unknown_one_is_listed) {
    // GOTC alone: tx_bytes also needs GPTC.
    BOOST_TEST(
        reason(expect(R"("totals": {"GOTC": 500})")) ==
        "nothing of what it expects can be compared: no standard statistic of eth0 shows: " +
            name_of_register("GOTC"));
}

BOOST_AUTO_TEST_CASE(a_statistic_that_is_not_reported_is_left_out_and_listed) {
    const auto adapted = macstats::plan_for_wire(
        scenario(mac, expect(R"("standard": {"rtnl": {"tx_packets": 1},
                 "rmon": {"etherStatsJabbers": 0}}, "state": {"stale": false})")),
        two_ends());
    BOOST_TEST(
        adapted->not_compared ==
            std::vector<std::string>{"eth0 does not report: state, rmon/etherStatsJabbers"},
        boost::test_tools::per_element());
    const auto& step = std::get<macstats::ExpectStep>(adapted->scenario->steps[0]);
    BOOST_REQUIRE(step.standard.size() == 1U);
    BOOST_TEST(step.standard[0].name == "tx_packets");
    BOOST_TEST(!step.state.stale);
}

BOOST_AUTO_TEST_CASE(a_scenario_of_which_nothing_can_be_compared_is_skipped) {
    BOOST_TEST(
        reason(expect(R"("standard": {"rmon": {"etherStatsJabbers": 0}})")) ==
        "nothing of what it expects can be compared: eth0 does not report: "
        "rmon/etherStatsJabbers");
}

BOOST_AUTO_TEST_CASE(what_must_not_be_reported_is_compared_but_for_rtnl_and_mm_of_other_drivers) {
    const auto adapted = macstats::plan_for_wire(
        scenario(mac, expect(R"("standard": {"rtnl": {"tx_packets": 0, "rx_dropped": null},
                 "eth-phy": {"SymbolErrorDuringCarrier": null},
                 "mm": {"MACMergeHoldCount": null}})")),
        two_ends());
    const auto& step = std::get<macstats::ExpectStep>(adapted->scenario->steps[0]);
    BOOST_TEST(step.standard.size() == 2U);
    BOOST_TEST(
        adapted->not_compared ==
            std::vector<std::string>{"eth0 does not report: rtnl/rx_dropped, mm/MACMergeHoldCount"},
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_served_port_keeps_its_totals_except_absent_ones) {
    std::vector<WireEnd> ends = {served_end("mac", "mac0"), end("other", "eth1")};
    const auto gptc = macstats::find_counter(*ends[0].model, "GPTC");
    ends[0].reported.absent = {*gptc};
    const auto adapted = macstats::plan_for_wire(
        scenario(mac, expect(R"("totals": {"GPTC": 5, "GPRC": 0}, "others": "zero")")), ends);
    const auto& step = std::get<macstats::ExpectStep>(adapted->scenario->steps[0]);
    BOOST_TEST(step.totals.size() == 1U);
    BOOST_CHECK(step.others == macstats::Others::zero);
    BOOST_TEST(adapted->not_compared.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(frames)

BOOST_AUTO_TEST_CASE(a_frame_has_no_fcs_and_goes_to_the_receiver) {
    const auto octets = macstats::wire_octets(frame_of_length(64), first_address, second_address);
    BOOST_TEST(octets->size() == 60U);
    BOOST_TEST(
        numbers(*octets, 14) ==
            (std::vector<unsigned int>{2, 0, 0, 0, 0, 0x0b, 2, 0, 0, 0, 0, 0x0a, 0x88, 0xb5}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(tags_precede_the_type) {
    macstats_frame frame = frame_of_length(100);
    frame.vlan_tags = 2;
    const auto octets = macstats::wire_octets(frame, first_address, second_address);
    BOOST_TEST(octets->size() == 96U);
    const auto values = numbers(*octets, 22);
    BOOST_TEST(
        std::vector<unsigned int>(values.begin() + 12, values.end()) ==
            (std::vector<unsigned int>{0x81, 0, 0, 0, 0x81, 0, 0, 0, 0x88, 0xb5}),
        boost::test_tools::per_element());
}

// A classifier of the headers reads back what was to be sent.
BOOST_AUTO_TEST_CASE(each_frame_is_of_the_class_that_the_scenario_names) {
    for (const unsigned int destination :
         {MACSTATS_UNICAST, MACSTATS_MULTICAST, MACSTATS_BROADCAST})
        for (const unsigned int kind :
             {MACSTATS_DATA, MACSTATS_CONTROL, MACSTATS_PAUSE, MACSTATS_PFC})
            for (const unsigned int length : {64U, 65U, 1518U}) {
                macstats_frame frame = frame_of_length(length);
                frame.destination = static_cast<std::uint8_t>(destination);
                frame.kind = static_cast<std::uint8_t>(kind);
                const auto octets = macstats::wire_octets(frame, first_address, second_address);
                macstats_frame parsed{};
                parsed.length = length;
                macstats_frame_parse(
                    &parsed, reinterpret_cast<const __u8*>(octets->data()),
                    static_cast<unsigned int>(octets->size()));
                BOOST_TEST(unsigned{parsed.destination} == destination);
                BOOST_TEST(unsigned{parsed.kind} == kind);
                BOOST_TEST(parsed.errors == 0U);
                BOOST_TEST(macstats::is_wire_frame(*octets, first_address));
                BOOST_TEST(!macstats::is_wire_frame(*octets, second_address));
            }
}

BOOST_AUTO_TEST_CASE(frames_of_the_stack_are_foreign) {
    auto octets = macstats::wire_octets(frame_of_length(64), first_address, second_address);
    (*octets)[12] = std::byte{0x86};
    (*octets)[13] = std::byte{0xdd};
    BOOST_TEST(!macstats::is_wire_frame(*octets, first_address));
    BOOST_TEST(macstats::describe_frame(*octets) == "EtherType 0x86dd from 02:00:00:00:00:0a");
    (*octets)[12] = std::byte{0};
    (*octets)[13] = std::byte{38};
    BOOST_TEST(macstats::describe_frame(*octets) == "length 38 from 02:00:00:00:00:0a");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(differences)

BOOST_AUTO_TEST_CASE(values_are_increases_and_a_state_is_what_is_new) {
    const Observation before{
        .possible_loss = true,
        .discontinuities = 2,
        .saturated = {CounterIndex(1)},
        .totals = {10, 20},
        .standard = {statistic("rtnl", "tx_packets", 7)}};
    const Observation after{
        .stale = true,
        .possible_loss = true,
        .discontinuities = 3,
        .saturated = {CounterIndex(0), CounterIndex(1)},
        .totals = {15, 20},
        .standard = {statistic("rtnl", "tx_packets", 9), statistic("rtnl", "rx_packets", 4)}};
    const auto difference = macstats::observed_difference(before, after);
    BOOST_TEST(
        difference->totals == (std::vector<std::uint64_t>{5, 0}), boost::test_tools::per_element());
    BOOST_REQUIRE(difference->standard.size() == 1U);
    BOOST_TEST(difference->standard[0].name() == "tx_packets");
    BOOST_TEST(difference->standard[0].value == 2U);
    BOOST_TEST(difference->stale);
    BOOST_TEST(!difference->possible_loss);
    BOOST_TEST(difference->discontinuities == 1U);
    BOOST_REQUIRE(difference->saturated.size() == 1U);
    BOOST_CHECK(difference->saturated[0] == CounterIndex(0));
}

BOOST_AUTO_TEST_CASE(a_statistic_that_goes_back_is_an_error) {
    const auto difference = macstats::observed_difference(
        {.standard = {statistic("rtnl", "tx_packets", 0x1'0000'0007)}},
        {.standard = {statistic("rtnl", "tx_packets", 6)}});
    BOOST_TEST(difference.error().errnum == EBADMSG);
    BOOST_TEST(difference.error().message == "rtnl/tx_packets went back from 4294967303 to 6");
}

BOOST_AUTO_TEST_CASE(a_total_that_goes_back_is_an_error) {
    BOOST_TEST(
        macstats::observed_difference({.totals = {7}}, {.totals = {6}}).error().message ==
        "counter 0 went back from 7 to 6");
}

BOOST_AUTO_TEST_CASE(a_statistic_of_32_bits_may_wrap) {
    const auto difference = macstats::observed_difference(
        {.standard = {statistic("rtnl", "tx_bytes", 0xffff'fff0)}},
        {.standard = {statistic("rtnl", "tx_bytes", 0x10)}});
    BOOST_REQUIRE(difference->standard.size() == 1U);
    BOOST_TEST(difference->standard[0].value == 0x20U);
}

BOOST_AUTO_TEST_CASE(totals_without_a_baseline_are_absent) {
    const Observation before{.totals = {10, 20}, .absent = {CounterIndex(1)}};
    const Observation after{.totals = {15, 25, 30, 40}, .absent = {CounterIndex(3)}};
    const auto difference = macstats::observed_difference(before, after);
    BOOST_TEST(difference->totals[0] == 5U);
    const std::vector<CounterIndex> absent = {CounterIndex(1), CounterIndex(2), CounterIndex(3)};
    BOOST_CHECK(difference->absent == absent);
}

BOOST_AUTO_TEST_SUITE_END()

// A cable, its clock, and what the drivers at its ends count.
struct World {
    struct Count {
        std::chrono::milliseconds at;
        std::size_t end;
        std::string name;
        std::uint64_t value;
    };

    void count(std::size_t end, const std::string& name, std::uint64_t value) {
        counts.push_back({now + delay, end, name, value});
    }

    std::uint64_t total(std::size_t end, const std::string& name) const {
        std::uint64_t sum = 1000; // from before the run
        for (const Count& one : counts)
            if (one.end == end && one.name == name && one.at <= now)
                sum += one.value;
        return sum;
    }

    std::chrono::milliseconds now{0};
    std::chrono::milliseconds delay{0}; // until a driver shows a count
    bool connected = true;
    std::vector<Count> counts;
    std::array<std::map<std::size_t, std::uint64_t>, 2> arrived{}; // by size
    std::array<std::uint64_t, 2> sent{};
    // Whether a frame from this end gets lost.
    std::function<bool(std::size_t)> lost = [](std::size_t) { return false; };
    std::size_t stripped = 0;                // octets that the kernel removes from tagged frames
    std::chrono::milliseconds full_until{0}; // until there is room in the queues
    bool interrupted = false;
    std::function<std::uint64_t()> foreign = [] { return 0U; }; // since the last look
    std::uint64_t most_under_way = 0;
    std::uint64_t looked = 0; // frames sent before the last look
};

class FakePort final : public macstats::WirePort {
public:
    FakePort(World& world, std::size_t index, WireEnd end)
        : world_(world),
          index_(index),
          end_(std::move(end)) {}

    [[nodiscard]] const WireEnd& end() const override { return end_; }
    Result<void> send(std::span<const std::byte> octets) override {
        if (world_.now < world_.full_until)
            return Error{EAGAIN, "full"};
        world_.sent[index_]++;
        world_.count(index_, "tx_packets", 1);
        world_.count(index_, "tx_bytes", octets.size());
        if (!world_.connected || world_.lost(index_))
            return {};
        world_.count(1 - index_, "rx_packets", 1);
        world_.count(1 - index_, "rx_bytes", octets.size());
        const bool tagged = octets[12] == std::byte{0x81} && octets[13] == std::byte{0};
        world_.arrived[1 - index_][octets.size() - (tagged ? world_.stripped : 0)]++;
        return {};
    }
    Result<Captured> captured(const EthernetAddress&) override {
        const std::uint64_t sent = world_.sent[0] + world_.sent[1];
        world_.most_under_way = std::max(world_.most_under_way, sent - world_.looked);
        world_.looked = sent;
        Captured captured{
            .arrived = std::exchange(world_.arrived[index_], {}),
            .foreign = index_ ? 0 : world_.foreign(),
            .first_foreign = "EtherType 0x86dd from 02:00:00:00:00:0c"};
        return captured;
    }
    Result<Observation> observe() override {
        Observation seen;
        for (const char* name : {"tx_packets", "rx_packets", "tx_bytes", "rx_bytes"})
            seen.standard.push_back(statistic("rtnl", name, world_.total(index_, name)));
        return seen;
    }

private:
    World& world_;
    std::size_t index_;
    WireEnd end_;
};

class FakeClock final : public macstats::WireClock {
public:
    explicit FakeClock(World& world) : world_(world) {}
    TimePoint now() override { return TimePoint(world_.now); }
    Result<void> sleep(std::chrono::milliseconds duration) override {
        world_.now += duration;
        if (world_.interrupted)
            return Error{EINTR, "interrupted"};
        return {};
    }

private:
    World& world_;
};

Result<std::unique_ptr<macstats::Backend>> backend(World& world) {
    return macstats::wire_backend(
        {std::make_unique<FakePort>(world, 0, end("mac", "eth0")),
         std::make_unique<FakePort>(world, 1, end("other", "eth1"))},
        std::make_unique<FakeClock>(world));
}

Report run(World& world, const std::string& devices, const std::string& steps) {
    auto opened = backend(world);
    return run_scenario(scenario(devices, steps), **opened);
}

std::string first_failure(const Report& report) {
    return report.failures.empty() ? "" : failure_text(report.failures.front());
}

BOOST_AUTO_TEST_SUITE(runs)

// 64 octets without FCS are 60.
const std::string three_frames =
    send(R"("count": 3)") + "," +
    expect(R"("standard": {"rtnl": {"tx_packets": 3, "tx_bytes": 180, "rx_packets": 0}})");

BOOST_AUTO_TEST_CASE(differences_are_compared_and_not_values) {
    World world;
    const Report report = run(world, mac, three_frames);
    BOOST_CHECK(report.outcome == Outcome::passed);
    BOOST_TEST(first_failure(report) == "");
}

BOOST_AUTO_TEST_CASE(received_frames_leave_the_other_end) {
    World world;
    const Report report =
        run(world, mac,
            send(R"("direction": "rx", "length": 100, "count": 2)") + "," +
                expect(R"("standard": {"rtnl": {"tx_packets": 0, "rx_packets": 2,
                   "rx_bytes": 192}})"));
    BOOST_TEST(first_failure(report) == "");
    BOOST_TEST(world.sent[0] == 1U); // the probe of the cable
    BOOST_TEST(world.sent[1] == 3U);
}

BOOST_AUTO_TEST_CASE(a_driver_that_counts_late_is_waited_for) {
    World world;
    world.delay = 3000ms;
    BOOST_TEST(first_failure(run(world, mac, three_frames)) == "");
}

BOOST_AUTO_TEST_CASE(a_driver_that_never_counts_fails_after_the_limit) {
    World world;
    auto opened = backend(world);
    world.delay = 3'600'000ms;
    const auto before = world.now;
    const Report report = run_scenario(scenario(mac, three_frames), **opened);
    BOOST_TEST(
        first_failure(report) == "/steps/1 (expect), mac: rtnl/tx_packets: expected 3, actual 0");
    BOOST_CHECK(world.now - before >= 5000ms);
    BOOST_CHECK(world.now - before < 6000ms);
}

BOOST_AUTO_TEST_CASE(a_value_that_is_exceeded_while_it_settles_fails_at_once) {
    World world;
    auto opened = backend(world);
    // Counted twice, the second time 20 ms after the first one; the baseline takes 10 ms.
    world.counts.push_back({world.now + 30ms, 0, "tx_packets", 1});
    const auto before = world.now;
    const Report report = run_scenario(scenario(mac, three_frames), **opened);
    BOOST_TEST(
        first_failure(report) == "/steps/1 (expect), mac: rtnl/tx_packets: expected 3, actual 4");
    BOOST_CHECK(world.now - before < 100ms);
}

BOOST_AUTO_TEST_CASE(no_more_than_32_frames_are_under_way) {
    World world;
    const Report report = run(
        world, mac,
        send(R"("count": 1000)") + "," + expect(R"("standard": {"rtnl": {"tx_packets": 1000}})"));
    BOOST_TEST(first_failure(report) == "");
    BOOST_TEST(world.most_under_way == 32U);
}

// Each device of a scenario has a medium of its own, whatever crosses the cable.
Report run_two_devices(World& world) {
    return run(
        world, mac + R"(, "other": {"model": "e1000"})",
        send(R"("count": 5)") + R"(,{"send": {"port": "other", "count": 2}},)" +
            send(R"("count": 1)") + "," +
            expect(R"("standard": {"rtnl": {"tx_packets": 6, "rx_packets": 0}})") +
            R"(,{"expect": {"port": "other", "standard": {"rtnl":
               {"tx_packets": 2, "rx_packets": 0, "tx_bytes": 120}}}})");
}

BOOST_AUTO_TEST_CASE(frames_of_one_device_are_not_counted_for_the_other) {
    World world;
    BOOST_TEST(first_failure(run_two_devices(world)) == "");
}

BOOST_AUTO_TEST_CASE(late_counts_of_one_device_are_not_counted_for_the_other) {
    World world;
    world.delay = 3000ms;
    BOOST_TEST(first_failure(run_two_devices(world)) == "");
}

BOOST_AUTO_TEST_CASE(transmitted_frames_that_do_not_arrive_fail_the_step) {
    World world;
    auto opened = backend(world);
    world.lost = [](std::size_t from) { return from == 0; };
    const std::string steps = send(R"("count": 31, "length": 1518)") + "," +
                              expect(R"("standard": {"rtnl": {"tx_packets": 31}})");
    const Report report = run_scenario(scenario(mac, steps), **opened);
    BOOST_TEST(
        first_failure(report) ==
        "/steps/0 (send), mac: 31 frames of 1518 octets sent, 0 arrived at eth1");
}

BOOST_AUTO_TEST_CASE(frames_of_another_length_do_not_arrive) {
    World world;
    auto opened = backend(world);
    world.stripped = 8;
    const std::string steps = send(R"("length": 100, "vlan_tags": 1)") + "," +
                              expect(R"("standard": {"rtnl": {"tx_packets": 1}})");
    BOOST_TEST(
        first_failure(run_scenario(scenario(mac, steps), **opened)) ==
        "/steps/0 (send), mac: 1 frame of 100 octets sent, 0 arrived at eth1");
    world.stripped = 4; // a tag
    BOOST_TEST(first_failure(run_scenario(scenario(mac, steps), **opened)) == "");
}

BOOST_AUTO_TEST_CASE(control_frames_need_not_arrive) {
    World world;
    auto opened = backend(world);
    world.lost = [](std::size_t) { return true; };
    const std::string steps = send(R"("kind": "pause", "count": 3)") + "," +
                              expect(R"("standard": {"rtnl": {"tx_packets": 3}})");
    BOOST_TEST(first_failure(run_scenario(scenario(mac, steps), **opened)) == "");
}

BOOST_AUTO_TEST_CASE(a_failure_behind_received_frames_states_how_many_arrived) {
    World world;
    auto opened = backend(world);
    std::uint64_t sent = 0;
    world.lost = [&sent](std::size_t from) { return from == 1 && ++sent > 3; };
    const std::string steps = send(R"("direction": "rx", "count": 5)") + "," +
                              expect(R"("standard": {"rtnl": {"rx_packets": 5}})");
    const Report report = run_scenario(scenario(mac, steps), **opened);
    BOOST_TEST(
        first_failure(report) == "/steps/1 (expect), mac: rtnl/rx_packets: expected 5, actual 3; "
                                 "3 of 5 frames arrived at eth0");
}

BOOST_AUTO_TEST_CASE(a_full_queue_is_waited_for_up_to_the_limit) {
    World world;
    auto opened = backend(world);
    world.full_until = world.now + 4000ms;
    BOOST_TEST(first_failure(run_scenario(scenario(mac, three_frames), **opened)) == "");
    const auto before = world.now;
    const std::uint64_t sent = world.sent[0];
    world.full_until = world.now + 3'600'000ms;
    const Report report = run_scenario(scenario(mac, three_frames), **opened);
    BOOST_REQUIRE(report.failures.size() == 1U);
    BOOST_TEST(report.failures[0].explanation == "eth0: no room in the send queue for 5000 ms");
    BOOST_CHECK(world.now - before < 6000ms); // one attempt only
    BOOST_TEST(world.sent[0] == sent);
}

BOOST_AUTO_TEST_CASE(an_interrupt_ends_the_wait_for_a_full_queue) {
    World world;
    auto opened = backend(world);
    auto set = (*opened)->set_up(scenario(mac, send()).devices);
    world.full_until = world.now + 3'600'000ms;
    world.interrupted = true;
    BOOST_TEST(
        (*set)
            ->send({.device = 0, .index = macstats::PortIndex(0)}, frame_of_length(64), 1)
            .error()
            .errnum == EINTR);
}

// Without the plan, which skips it; the devices of set_up() are gone by then.
BOOST_AUTO_TEST_CASE(a_port_without_an_interface_is_an_error_of_the_backend) {
    World world;
    auto opened = backend(world);
    const Scenario both = scenario(
        mac + R"(, "core": {"model": "e1000"})", send() + R"(,{"send": {"port": "core"}})");
    auto set = (*opened)->set_up(std::vector<macstats::ScenarioDevice>(both.devices));
    const Report report = run_steps(both, **set);
    BOOST_REQUIRE(report.failures.size() == 1U);
    BOOST_TEST(report.failures[0].step == 1U);
    BOOST_TEST(report.failures[0].explanation == "no interface is given for its port core");
}

BOOST_AUTO_TEST_CASE(without_a_cable_there_is_no_backend) {
    World world;
    world.connected = false;
    const auto opened = backend(world);
    BOOST_TEST(opened.error().errnum == ENOLINK);
    BOOST_TEST(
        opened.error().message ==
        "frames that eth0 sends do not arrive at eth1: eth0 and eth1 must be the two ends of a "
        "cable, in this network namespace");
    BOOST_TEST(world.sent[0] > 1U); // a port may lose the first frames after its carrier came
    BOOST_TEST(world.sent[1] == 0U);
}

BOOST_AUTO_TEST_CASE(foreign_frames_make_a_failed_comparison_run_again) {
    World world;
    auto opened = backend(world);
    bool first = true;
    world.foreign = [&world, &first]() -> std::uint64_t {
        // Behind the first of the scenario's frames: the probes were two.
        if (!first || world.sent[0] < 2)
            return 0;
        first = false;
        world.count(0, "tx_packets", 1);
        return 1;
    };
    const Report report = run_scenario(scenario(mac, three_frames), **opened);
    BOOST_CHECK(report.outcome == Outcome::passed);
    BOOST_TEST(world.sent[0] == 1U + 2 * 3);
}

BOOST_AUTO_TEST_CASE(foreign_frames_that_do_not_end_are_the_reason_of_the_failure) {
    World world;
    auto opened = backend(world);
    world.foreign = [&world]() -> std::uint64_t {
        if (world.sent[0] < 2)
            return 0;
        world.count(0, "tx_packets", 1);
        return 1;
    };
    const Report report = run_scenario(scenario(mac, three_frames), **opened);
    BOOST_CHECK(report.outcome == Outcome::failed);
    BOOST_REQUIRE(report.failures.size() == 1U);
    BOOST_TEST(
        report.failures[0].actual.find("EtherType 0x86dd from 02:00:00:00:00:0c at eth0") !=
        std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_skipped_scenario_sends_nothing) {
    World world;
    const Report report =
        run(world, mac, send() + "," + R"({"fault": {"port": "mac", "name": "reset"}})");
    BOOST_CHECK(report.outcome == Outcome::skipped);
    BOOST_TEST(report.reason == "its step 1 (fault) requires an emulated fault");
    BOOST_TEST(world.sent[0] == 1U); // the probe of the cable
}

BOOST_AUTO_TEST_CASE(the_report_lists_what_was_not_compared) {
    World world;
    const Report report =
        run(world, mac, send() + "," + expect(R"("standard": {"rtnl": {"tx_packets": 1},
                   "rmon": {"etherStatsJabbers": 0}})"));
    BOOST_CHECK(report.outcome == Outcome::passed);
    BOOST_REQUIRE(report.not_compared.size() == 1U);
    BOOST_TEST(report.not_compared[0] == "eth0 does not report: rmon/etherStatsJabbers");
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace

BOOST_AUTO_TEST_SUITE_END()
