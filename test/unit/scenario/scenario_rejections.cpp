// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Rejected scenarios: every message names the place and what is allowed there.
#include "boost_test.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "scenario_documents.hpp"

BOOST_AUTO_TEST_SUITE(unit_scenario_rejections)

using namespace macstats;
using namespace macstats::test;

namespace {

struct Rejected {
    std::string text;
    std::string message;
};

const std::string send_keys =
    "port, direction, length, destination, kind, origin, vlan_tags, errors, collisions, "
    "deferred, descriptors, append_crc, huge, count";
const std::string step_keys = "send, read, write, preset, fault, poll, advance, expect";
const std::string top_keys = "$schema, name, reference, devices, steps";

std::string model_names() {
    std::string names;
    for (const macstats_model* model : all_models())
        names += (names.empty() ? "" : ", ") + std::string(model->name);
    return names;
}

void check_steps(const std::vector<Rejected>& cases) {
    for (const Rejected& rejected : cases)
        BOOST_TEST_CONTEXT(rejected.text)
    BOOST_TEST(rejection_of_step(rejected.text) == rejected.message);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_document_is_an_object_with_name_devices_and_steps) {
    const std::vector<Rejected> cases = {
        {"[]", "expected an object, not an array"},
        {"5", "expected an object, not 5"},
        {"null", "expected an object, not null"},
        {"{}", R"(expected a member "name")"},
        {R"({"name": "x", "steps": []})", R"(expected a member "devices")"},
        {R"({"name": "x", "devices": {}})", R"(expected a member "steps")"},
        {R"({"name": 5, "devices": {}, "steps": []})", "/name: expected a string, not 5"},
        {R"({"name": "x", "reference": null, "devices": {}, "steps": []})",
         "/reference: expected a string, not null"},
        {R"({"$schema": 1, "name": "x", "devices": {}, "steps": []})",
         "/$schema: expected a string, not 1"},
        {R"({"name": "x", "devices": [], "steps": []})",
         "/devices: expected an object, not an array"},
        {R"({"name": "x", "devices": {}, "steps": {}})",
         "/steps: expected an array, not an object"},
        {R"({"name": "x", "devices": {}, "steps": [], "stpes": []})",
         "/stpes: expected one of the keys " + top_keys + R"(, not "stpes"; did you mean steps?)"},
        {R"({"name": "x", "devices": {}, "steps": [], "comment": ""})",
         "/comment: expected one of the keys " + top_keys + R"(, not "comment")"},
    };
    for (const Rejected& rejected : cases)
        BOOST_TEST_CONTEXT(rejected.text)
    BOOST_TEST(rejection(rejected.text) == rejected.message);
}

BOOST_AUTO_TEST_CASE(the_first_problem_is_reported_with_file_and_errno) {
    const auto scenario = parse_scenario(
        with_steps(R"({"poll": {"port": "nic"}}, {"advance": {"seconds": -1}})"), "a b.json");
    BOOST_TEST(scenario.error().errnum == EINVAL);
    BOOST_TEST(
        scenario.error().message ==
        "a b.json: /steps/0/poll/port: expected a port of one of the devices mac, quad, core, "
        "pair, late, not \"nic\"; did you mean mac?");
    BOOST_TEST(parse_scenario("{}", "").error().message == "expected a member \"name\"");
}

BOOST_AUTO_TEST_CASE(pointers_escape_tilde_and_slash) {
    BOOST_TEST(
        rejection(R"({"name": "x", "devices": {}, "steps": [], "a~/b": 1})") ==
        "/a~0~1b: expected one of the keys " + top_keys + R"(, not "a~/b")");
    BOOST_TEST(
        rejection_of_step(
            R"({"preset": {"port": "mac", "counters": {"Rx Align/Code Errors": 1.5}}})") ==
        "preset/counters/Rx Align~1Code Errors: expected an integer from 0 to 4294967295, in "
        "digits alone, not 1.5");
}

BOOST_AUTO_TEST_CASE(names_of_devices_are_untrusted) {
    const std::string step = R"("steps": [{"poll": {"port": "nic"}}]})";
    BOOST_TEST(
        rejection(R"({"name": "x", "devices": {"n\nic": {"model": "cpsw"}}, )" + step) ==
        R"(/steps/0/poll/port: expected a port of one of the devices n\x0aic, not "nic"; )"
        R"(did you mean n\x0aic?)");

    std::string thousand;
    for (int i = 0; i < 1000; i++)
        thousand += fmt::format(R"({}"device{:03}": {{"model": "cpsw"}})", i ? ", " : "", i);
    const std::string message =
        rejection(R"({"name": "x", "devices": {)" + thousand + "}, " + step);
    BOOST_TEST(message.find("one of the devices device000, device001, ") != message.npos);
    BOOST_TEST(message.ends_with(R"( more, not "nic")"), message);
    BOOST_TEST(message.size() < 2200U);
}

BOOST_AUTO_TEST_CASE(devices_are_what_their_models_allow) {
    const std::vector<Rejected> cases = {
        {"5", ": expected an object, not 5"},
        {"{}", R"(: expected a member "model")"},
        {R"({"model": 5})", "/model: expected a string, not 5"},
        {R"({"model": "ll40"})", "/model: expected one of the models " + model_names() +
                                     R"(, not "ll40"; did you mean ll40g?)"},
        {R"({"model": "cpsw", "colour": 1})",
         R"(/colour: expected one of the keys model, power_up, seed, options, registers, not )"
         R"("colour")"},
        {R"({"model": "cpsw", "power_up": "randm"})",
         R"(/power_up: expected one of zero, random, not "randm"; did you mean random?)"},
        {R"({"model": "cpsw", "power_up": true})",
         "/power_up: expected one of zero, random, not true"},
        {R"({"model": "cpsw", "seed": -1})",
         "/seed: expected an integer from 0 to 18446744073709551615, in digits alone, not -1"},
        {R"({"model": "cpsw", "seed": "1"})",
         R"(/seed: expected an integer from 0 to 18446744073709551615, not "1")"},
        {R"({"model": "cpsw", "options": []})", "/options: expected an object, not an array"},
        {R"({"model": "cpsw", "options": {"duplex": 1}})",
         "/options/duplex: expected true, false or a word, not 1"},
        {R"({"model": "cpsw", "options": {"duplex": "hlaf"}})",
         R"(/options/duplex: expected what the model has: option duplex: "hlaf" is neither half )"
         "nor full"},
        {R"({"model": "cpsw", "options": {"duplex": true}})",
         R"(/options/duplex: expected what the model has: option duplex: "on" is neither half nor )"
         "full"},
        {R"({"model": "cpsw", "options": {"medium": "fiber"}})",
         R"(/options/medium: expected what the model has: cpsw has no option "medium", it )"
         "has statistics, duplex, speed, line_rate_bound"},
        {R"({"model": "cpsw", "options": {"line_rate_bound": "maybe"}})",
         R"(/options/line_rate_bound: expected true or false, not "maybe")"},
        {R"({"model": "ll40g", "options": {"duplex": "half"}})",
         "/options/duplex: expected what the model has: option duplex: ll40g is full only"},
        {R"({"model": "cpsw", "options": {"duplex=half": "x"}})",
         R"(/options/duplex=half: expected what the model has: cpsw has no option "duplex=half", )"
         "it has statistics, duplex, speed, line_rate_bound"},
        {R"({"model": "cpsw", "registers": 7})", "/registers: expected an object, not 7"},
        {R"({"model": "cpsw", "registers": {"STAT_PORT_EM": 7}})",
         "/registers/STAT_PORT_EM: expected a counter, register or address: cpsw has no counter or "
         R"(register "STAT_PORT_EM"; did you mean STAT_PORT_EN?)"},
        {R"({"model": "cpsw", "registers": {"STAT_PORT_EN": 4294967296}})",
         "/registers/STAT_PORT_EN: expected an integer from 0 to 4294967295, not 4294967296"},
        {R"({"model": "cpsw", "registers": {"STAT_PORT_EN": "7"}})",
         R"(/registers/STAT_PORT_EN: expected an integer from 0 to 4294967295, not "7")"},
    };
    for (const Rejected& rejected : cases)
        BOOST_TEST_CONTEXT(rejected.text)
    BOOST_TEST(rejection_of_device(rejected.text) == rejected.message);
}

BOOST_AUTO_TEST_CASE(a_device_has_a_name_that_a_port_can_be_called_by) {
    for (const char* name : {"", "a/b", "/"}) {
        const std::string text = std::string(R"({"name": "x", "devices": {")") + name +
                                 R"(": {"model": "cpsw"}}, "steps": []})";
        BOOST_TEST(
            rejection(text).find("expected a device's name without a \"/\" in it, not") !=
            std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(a_step_has_one_known_key) {
    check_steps({
        {"5", "/steps/0: expected an object with one of the keys " + step_keys + ", not 5"},
        {"{}", "/steps/0: expected an object with one of the keys " + step_keys +
                   ", not an object with 0 keys"},
        {R"({"poll": {"port": "mac"}, "send": {"port": "mac"}})",
         "/steps/0: expected an object with one of the keys " + step_keys +
             ", not an object with 2 keys"},
        {R"({"pol": {"port": "mac"}})",
         "pol: expected one of the keys " + step_keys + R"(, not "pol"; did you mean poll?)"},
    });
}

BOOST_AUTO_TEST_CASE(a_port_is_one_of_a_device) {
    check_steps({
        {R"({"poll": 1})", "poll: expected an object, not 1"},
        {R"({"poll": {}})", R"(poll: expected a member "port")"},
        {R"({"poll": {"port": 0}})", "poll/port: expected a string, not 0"},
        {R"({"poll": {"port": "quad/4"}})",
         R"(poll/port: expected "quad/0" to "quad/3", not "quad/4")"},
        {R"({"poll": {"port": "quad/"}})",
         R"(poll/port: expected "quad/0" to "quad/3", not "quad/")"},
        {R"({"poll": {"port": "quad/-1"}})",
         R"(poll/port: expected "quad/0" to "quad/3", not "quad/-1")"},
        {R"({"poll": {"port": "quad/1x"}})",
         R"(poll/port: expected "quad/0" to "quad/3", not "quad/1x")"},
        {R"({"poll": {"port": "quad/1/1"}})",
         R"(poll/port: expected "quad/0" to "quad/3", not "quad/1/1")"},
        {R"({"poll": {"port": "mac/1"}})",
         R"(poll/port: expected "mac", whose only port is 0, not "mac/1")"},
        {R"({"poll": {"port": "mac", "fresh": true}})",
         R"(poll/fresh: expected one of the keys port, not "fresh")"},
    });
}

BOOST_AUTO_TEST_CASE(sent_frames_are_possible_ones) {
    const auto integer = [](const std::string& key, const std::string& value,
                            const std::string& message) {
        return Rejected{
            R"({"send": {"port": "mac", ")" + key + "\": " + value + "}}",
            "send/" + key + ": expected an integer from " + message};
    };
    check_steps({
        integer("length", "0", "1 to 65535, not 0"),
        integer("length", "65536", "1 to 65535, not 65536"),
        integer("length", "64.0", "1 to 65535, in digits alone, not 64.0"),
        integer("length", "1e3", "1 to 65535, in digits alone, not 1e3"),
        integer("length", "-64", "1 to 65535, in digits alone, not -64"),
        integer("length", "-0", "1 to 65535, in digits alone, not -0"),
        integer("length", "\"64\"", "1 to 65535, not \"64\""),
        integer("length", "true", "1 to 65535, not true"),
        integer("length", "[64]", "1 to 65535, not an array"),
        integer("vlan_tags", "3", "0 to 2, not 3"),
        integer("collisions", "17", "0 to 16, not 17"),
        integer("count", "0", "1 to 9223372036854775807, not 0"),
        integer(
            "count", "9223372036854775808", "1 to 9223372036854775807, not 9223372036854775808"),
        integer(
            "count", "18446744073709551616",
            "1 to 9223372036854775807, in digits alone, not 18446744073709551616"),
        {R"({"send": {"length": 64}})", R"(send: expected a member "port")"},
        {R"({"send": {"port": "mac", "direction": "up"}})",
         R"(send/direction: expected one of rx, tx, not "up")"},
        {R"({"send": {"port": "mac", "destination": "unicas"}})",
         R"(send/destination: expected one of unicast, multicast, broadcast, not "unicas"; did )"
         "you mean unicast?"},
        {R"({"send": {"port": "mac", "kind": 1}})",
         "send/kind: expected one of data, control, pause, pfc, not 1"},
        {R"({"send": {"port": "mac", "origin": "hardware"}})",
         R"(send/origin: expected one of software, mac, not "hardware")"},
        {R"({"send": {"port": "mac", "errors": "fcs"}})",
         R"(send/errors: expected an array, not "fcs")"},
        {R"({"send": {"port": "mac", "errors": ["fcs", "crc"]}})",
         "send/errors/1: expected one of fcs, alignment, code, payload_length, late_collision, "
         "excessive_collisions, excessive_deferral, carrier_loss, underrun, overrun, checksum, "
         "no_buffer, not \"crc\""},
        {R"({"send": {"port": "mac", "deferred": 0}})",
         "send/deferred: expected true or false, not 0"},
        {R"({"send": {"port": "pair", "descriptors": 0}})",
         "send/descriptors: expected an integer from 1 to 64, not 0"},
        {R"({"send": {"port": "pair", "descriptors": 65}})",
         "send/descriptors: expected an integer from 1 to 64, not 65"},
        {R"({"send": {"port": "pair", "huge": 1}})", "send/huge: expected true or false, not 1"},
        {R"({"send": {"port": "mac", "descriptors": 1}})",
         "send/descriptors: cpsw has no descriptors with a status"},
        {R"({"send": {"port": "core", "append_crc": true}})",
         "send/append_crc: ll40g has no descriptors with a status"},
        {R"({"send": {"port": "mac", "huge": false}})",
         "send/huge: cpsw has no descriptors with a status"},
        {R"({"send": {"port": "pair", "direction": "rx", "descriptors": 2, "huge": true}})",
         "send/huge: expected with transmitted frames of software only"},
        {R"({"send": {"port": "pair", "kind": "pause", "origin": "mac", "append_crc": false}})",
         "send/append_crc: expected with transmitted frames of software only"},
        {R"({"send": {"port": "mac", "lenght": 64}})",
         "send/lenght: expected one of the keys " + send_keys +
             R"(, not "lenght"; did you mean length?)"},
    });
}

BOOST_AUTO_TEST_CASE(registers_are_there_and_hold_the_value) {
    check_steps({
        {R"({"read": {}})", R"(read: expected a member "port")"},
        {R"({"read": {"port": "nic"}})", R"(read: expected a member "register")"},
        {R"({"read": {"port": "mac"}})", R"(read: expected a member "register")"},
        {R"({"read": {"register": "RBC"}})", R"(read: expected a member "port")"},
        {R"({"read": {"port": "mac", "register": 7}})", "read/register: expected a string, not 7"},
        {R"({"read": {"port": "mac", "register": "Good Tx Frame"}})",
         "read/register: expected a counter, register or address: cpsw has no counter or register "
         R"("Good Tx Frame"; did you mean Good Tx Frames or Good Rx Frames?)"},
        {R"({"read": {"port": "core", "register": "0x7ff"}})",
         "read/register: expected a counter, register or address: ll40g has nothing at 0x7ff, only "
         "at 0x407, 0x506, 0x800-0x846, 0x860-0x863, 0x900-0x946, 0x960-0x963"},
        {R"({"read": {"port": "core", "register": "0x"}})",
         "read/register: expected a counter, register or address: address: \"0x\" is not a number "
         "from 0 to 4294967295 (0xffffffff)"},
        {R"({"read": {"port": "pair", "register": "TOK"}})",
         "read/register: expected a counter, register or address: tx_ok of rc32438 is in no "
         "register: descriptors feed it"},
        {R"({"read": {"port": "late", "register": "rx_ok_pkts"}})",
         "read/register: expected a counter, register or address: rx_frames of k1_emac has no "
         "address: it is counter 0 of a window"},
        {R"({"read": {"port": "late", "register": "0x1080"}})",
         "read/register: expected a counter, register or address: k1_emac has nothing at 0x1080, "
         "only at 0x10c, 0x1a8-0x1bf"},
        {R"({"read": {"port": "mac", "register": "Good Tx Frames", "expect": 4294967296}})",
         "read/expect: expected an integer from 0 to 4294967295, not 4294967296"},
        {R"({"read": {"port": "core", "register": "CNTR_TX_64B_HI", "expect": 4294967296}})",
         "read/expect: expected an integer from 0 to 4294967295, not 4294967296"},
        {R"({"read": {"port": "core", "register": "CNTR_TX_64B", "expect": null}})",
         "read/expect: expected an integer from 0 to 18446744073709551615, not null"},
        {R"({"read": {"port": "mac", "register": "Collisions", "value": 1}})",
         R"(read/value: expected one of the keys port, register, expect, not "value")"},
        {R"({"write": {}})", R"(write: expected a member "port")"},
        {R"({"write": {"port": "nic", "register": 7}})", R"(write: expected a member "value")"},
        {R"({"write": {"port": "mac", "register": "Collisions"}})",
         R"(write: expected a member "value")"},
        {R"({"write": {"port": "mac", "register": "Collisions", "value": 4294967296}})",
         "write/value: expected an integer from 0 to 4294967295, not 4294967296"},
        {R"({"write": {"port": "mac", "register": "Collisions", "valeu": 1, "value": 1}})",
         R"(write/valeu: expected one of the keys port, register, value, not "valeu"; did you )"
         "mean value?"},
        {R"({"write": {"port": "mac", "register": "Collision", "value": 1}})",
         "write/register: expected a counter, register or address: cpsw has no counter or register "
         R"("Collision"; did you mean Collisions?)"},
    });
}

BOOST_AUTO_TEST_CASE(presets_are_values_of_counters_that_are_registers) {
    check_steps({
        {R"({"preset": {}})", R"(preset: expected a member "port")"},
        {R"({"preset": {"port": "nic"}})", R"(preset: expected a member "counters")"},
        {R"({"preset": {"port": "mac"}})", R"(preset: expected a member "counters")"},
        {R"({"preset": {"counters": {}}})", R"(preset: expected a member "port")"},
        {R"({"preset": {"port": "mac", "counters": []}})",
         "preset/counters: expected an object, not an array"},
        {R"({"preset": {"port": "mac", "counters": {"tx_good": 1}}})",
         R"(preset/counters/tx_good: expected a counter: cpsw has no counter "tx_good"; )"
         "`macstats model cpsw` lists what it has"},
        {R"({"preset": {"port": "mac", "counters": {"STAT_PORT_EN": 1}}})",
         R"(preset/counters/STAT_PORT_EN: expected a counter: cpsw has no counter "STAT_PORT_EN"; )"
         "`macstats model cpsw` lists what it has"},
        {R"({"preset": {"port": "mac", "counters": {"Collisions": 4294967296}}})",
         "preset/counters/Collisions: expected an integer from 0 to 4294967295, not 4294967296"},
        {R"({"preset": {"port": "core", "counters": {"CNTR_TX_64B": 18446744073709551616}}})",
         "preset/counters/CNTR_TX_64B: expected an integer from 0 to 18446744073709551615, in "
         "digits alone, not 18446744073709551616"},
        {R"({"preset": {"port": "pair", "counters": {"TOK": 1}}})",
         "preset/counters/TOK: expected a counter of a register: descriptors feed tx_ok"},
        {R"({"preset": {"port": "mac", "counters": {}, "fresh": true}})",
         R"(preset/fresh: expected one of the keys port, counters, not "fresh")"},
    });
}

// The options decide which counters the hardware is built with.
BOOST_AUTO_TEST_CASE(preset_counters_are_built) {
    const auto outcome = [](const std::string& device, const std::string& counter) {
        return rejection(
            R"({"name": "n", "devices": {"mac": )" + device +
            R"(}, "steps": [{"preset": {"port": "mac", "counters": {")" + counter + R"(": 1}}}]})");
    };
    BOOST_TEST(
        outcome(R"({"model": "cpsw", "options": {"statistics": false}})", "Good Rx Frames") ==
        "/steps/0/preset/counters/Good Rx Frames: expected a counter of the device: its options "
        "build it without rx_good_frames");
    const std::string rx_only = R"({"model": "ll40g", "options": {"tx_statistics": false}})";
    BOOST_TEST(
        outcome(rx_only, "tx_64b") ==
        "/steps/0/preset/counters/tx_64b: expected a counter of the device: its options build it "
        "without tx_64b");
    BOOST_TEST(outcome(rx_only, "rx_64b") == "(accepted)");
}

BOOST_AUTO_TEST_CASE(faults_are_those_that_the_model_supports) {
    const std::string of_mac =
        "fault/name: expected a fault of the model: `cpsw` supports only the faults bus_error, "
        "reset, unplug, bus_error_at, slow_bus, gate_closes, suspend, not ";
    const std::string of_pair =
        "fault/name: expected a fault of the model: `rc32438` supports only the faults bus_error, "
        "reset_in_progress, clock_stopped, reset, unplug, bus_error_at, slow_bus, suspend, not ";
    check_steps({
        {R"({"fault": {}})", R"(fault: expected a member "port")"},
        {R"({"fault": {"port": "nic"}})", R"(fault: expected a member "name")"},
        {R"({"fault": {"port": "mac"}})", R"(fault: expected a member "name")"},
        {R"({"fault": {"name": "bus_error"}})", R"(fault: expected a member "port")"},
        {R"({"fault": {"port": "mac", "name": "clock_stopped"}})", of_mac + R"("clock_stopped")"},
        {R"({"fault": {"port": "pair", "name": "gate_closes"}})", of_pair + R"("gate_closes")"},
        {R"({"fault": {"port": "pair", "name": "clock_stoped"}})",
         of_pair + R"("clock_stoped"; did you mean clock_stopped?)"},
        {R"({"fault": {"port": "mac", "name": null}})", of_mac + "null"},
        {R"({"fault": {"port": "mac", "name": "bus_error", "active": "no"}})",
         R"(fault/active: expected true or false, not "no")"},
        {R"({"fault": {"port": "mac", "name": "bus_error", "on": true}})",
         "fault/on: expected one of the keys port, name, active, announced, during_read, word, "
         R"(microseconds, not "on")"},
    });
}

BOOST_AUTO_TEST_CASE(members_of_a_fault_are_those_that_it_takes) {
    check_steps({
        {R"({"fault": {"port": "mac", "name": "reset", "active": false}})",
         "fault/active: reset happens once: it cannot end"},
        {R"({"fault": {"port": "mac", "name": "unplug", "announced": true}})",
         "fault/announced: expected with reset only"},
        {R"({"fault": {"port": "mac", "name": "reset", "announced": "yes"}})",
         R"(fault/announced: expected true or false, not "yes")"},
        {R"({"fault": {"port": "mac", "name": "bus_error", "during_read": true}})",
         "fault/during_read: expected with reset_in_progress, clock_stopped, gate_closes only"},
        {R"({"fault": {"port": "mac", "name": "gate_closes", "during_read": true,
             "active": false}})",
         "fault/active: gate_closes can begin during a read, but not end there"},
        {R"({"fault": {"port": "mac", "name": "bus_error", "word": 0}})",
         "fault/word: expected with bus_error_at only"},
        {R"({"fault": {"port": "mac", "name": "bus_error_at", "microseconds": 1}})",
         R"(fault: expected a member "word")"},
        {R"({"fault": {"port": "mac", "name": "bus_error_at", "word": 0, "microseconds": 1}})",
         "fault/microseconds: expected with slow_bus only"},
        {R"({"fault": {"port": "mac", "name": "bus_error_at"}})",
         R"(fault: expected a member "word")"},
        // The CPSW has 34 counters of one word each.
        {R"({"fault": {"port": "mac", "name": "bus_error_at", "word": 34}})",
         "fault/word: expected an integer from 0 to 33, not 34"},
        {R"({"fault": {"port": "mac", "name": "slow_bus"}})",
         R"(fault: expected a member "microseconds")"},
        {R"({"fault": {"port": "mac", "name": "slow_bus", "microseconds": 0}})",
         "fault/microseconds: expected an integer from 1 to 10000, not 0"},
        {R"({"fault": {"port": "mac", "name": "slow_bus", "microseconds": 10001}})",
         "fault/microseconds: expected an integer from 1 to 10000, not 10001"},
    });
}

BOOST_AUTO_TEST_CASE(saturated_counters_are_named_once_each) {
    check_steps({
        {R"({"expect": {"port": "mac", "state": {"saturated": "Rx Fragments"}}})",
         R"(expect/state/saturated: expected an array, not "Rx Fragments")"},
        {R"({"expect": {"port": "mac", "state": {"saturated": [1]}}})",
         "expect/state/saturated/0: expected a string, not 1"},
        {R"({"expect": {"port": "mac", "state": {"saturated": ["nosuch"]}}})",
         "expect/state/saturated/0: expected a counter: cpsw has no counter \"nosuch\"; "
         "`macstats model cpsw` lists what it has"},
        {R"({"expect": {"port": "mac", "state": {"saturated": ["Rx Fragments", "rx_fragments"]}}})",
         "expect/state/saturated/1: expected rx_fragments once"},
    });
}

BOOST_AUTO_TEST_CASE(devices_are_limited) {
    const auto with_devices = [](int count) {
        std::string devices;
        for (int i = 0; i < count; i++)
            devices += R"(, "mac)" + std::to_string(i) + R"(": {"model": "cpsw"})";
        return R"({"name": "test", "devices": {)" + devices.substr(2) + R"(}, "steps": []})";
    };
    BOOST_TEST(rejection(with_devices(1024)) == "(accepted)");
    BOOST_TEST(
        rejection(with_devices(1025)) == "/devices: expected no more than 1024 devices, not 1025");
}

BOOST_AUTO_TEST_CASE(time_goes_forward_and_not_too_far) {
    const std::string seconds =
        "advance/seconds: expected a number of seconds from 0 to 1000000000";
    check_steps({
        {R"({"advance": {}})", R"(advance: expected a member "seconds")"},
        {R"({"advance": {"seconds": -1}})", seconds + ", not -1"},
        {R"({"advance": {"seconds": -0.5}})", seconds + ", not -0.5"},
        {R"({"advance": {"seconds": 1000000001}})", seconds + ", not 1000000001"},
        {R"({"advance": {"seconds": 1000000000.5}})", seconds + ", not 1000000000.5"},
        {R"({"advance": {"seconds": 1e10}})", seconds + ", not 1e10"},
        {R"({"advance": {"seconds": -1e-12}})", seconds + ", not -1e-12"},
        {R"({"advance": {"seconds": 1e300}})", seconds + ", not 1e300"},
        {R"({"advance": {"seconds": 1000000000.000000001}})",
         seconds + ", not 1000000000.000000001"},
        {R"({"advance": {"seconds": "1"}})", seconds + ", not \"1\""},
        {R"({"advance": {"seconds": 1, "port": "mac"}})",
         R"(advance/port: expected one of the keys seconds, not "port")"},
        {R"({"advance": {"seconds": 999999999}}, {"advance": {"seconds": 1.5}})",
         "/steps/1/advance/seconds: expected no more than 1000000000 seconds in all steps"},
    });
}

BOOST_AUTO_TEST_CASE(expectations_are_of_what_can_be_seen) {
    check_steps({
        {R"({"expect": {}})", R"(expect: expected a member "port")"},
        {R"({"expect": {"port": "mac", "totals": []}})",
         "expect/totals: expected an object, not an array"},
        {R"({"expect": {"port": "mac", "totals": {"Good Frames": 1}}})",
         R"(expect/totals/Good Frames: expected a counter: cpsw has no counter "Good Frames"; did )"
         "you mean Good Rx Frames or Good Tx Frames?"},
        {R"({"expect": {"port": "mac", "totals": {"Good Rx Frames": "absent"}}})",
         "expect/totals/Good Rx Frames: expected an integer from 0 to 18446744073709551615 in "
         "digits alone, or null, not \"absent\""},
        {R"({"expect": {"port": "mac", "totals": {"Good Rx Frames": 1.0}}})",
         "expect/totals/Good Rx Frames: expected an integer from 0 to 18446744073709551615 in "
         "digits alone, or null, not 1.0"},
        {R"({"expect": {"port": "mac", "others": "zeros"}})",
         R"(expect/others: expected one of any, zero, not "zeros"; did you mean zero?)"},
        {R"({"expect": {"port": "mac", "fresh": null}})",
         "expect/fresh: expected true or false, not null"},
        {R"({"expect": {"port": "mac", "state": []}})",
         "expect/state: expected an object, not an array"},
        {R"({"expect": {"port": "mac", "state": {"stale": 1}}})",
         "expect/state/stale: expected true or false, not 1"},
        {R"({"expect": {"port": "mac", "state": {"possible_loss": "no"}}})",
         R"(expect/state/possible_loss: expected true or false, not "no")"},
        {R"({"expect": {"port": "mac", "state": {"discontinuities": 4294967296}}})",
         "expect/state/discontinuities: expected an integer from 0 to 4294967295, not 4294967296"},
        {R"({"expect": {"port": "mac", "state": {"fresh": true}}})",
         "expect/state/fresh: expected one of the keys stale, possible_loss, discontinuities, "
         "saturated, "
         "not "
         "\"fresh\""},
        {R"({"expect": {"port": "mac", "total": {}}})",
         "expect/total: expected one of the keys port, totals, others, standard, state, fresh, not "
         "\"total\"; did you mean totals?"},
    });
}

BOOST_AUTO_TEST_CASE(standard_statistics_are_those_that_linux_has) {
    const auto standard = [](const std::string& groups) {
        return R"({"expect": {"port": "mac", "standard": )" + groups + "}}";
    };
    check_steps({
        {standard("[]"), "expect/standard: expected an object, not an array"},
        {standard(R"({"eth-max": {}})"), "expect/standard/eth-max: expected one of the groups "
                                         "eth-phy, eth-mac, eth-ctrl, rmon, pause, "
                                         "rtnl, mm, not \"eth-max\"; did you mean eth-mac?"},
        {standard(R"({"": {}})"), "expect/standard/: expected one of the groups eth-phy, eth-mac, "
                                  "eth-ctrl, rmon, pause, rtnl, mm, not \"\""},
        {standard(R"({"pause": null})"), "expect/standard/pause: expected an object, not null"},
        {standard(R"({"eth-ctrl": {"MACControlFramesRecieved": 1}})"),
         "expect/standard/eth-ctrl/MACControlFramesRecieved: expected one of the statistics "
         "MACControlFramesTransmitted, MACControlFramesReceived, UnsupportedOpcodesReceived, not "
         "\"MACControlFramesRecieved\"; did you mean MACControlFramesReceived or "
         "MACControlFramesTransmitted?"},
        // One of another group.
        {standard(R"({"pause": {"rx_packets": 1}})"),
         "expect/standard/pause/rx_packets: expected one of the statistics tx_pause_frames, "
         "rx_pause_frames, not \"rx_packets\""},
        {standard(R"({"pause": {"rx_pause_frames": "1"}})"),
         "expect/standard/pause/rx_pause_frames: expected an integer from 0 to "
         "18446744073709551615 in digits alone, or null, not \"1\""},
        {standard(R"({"pause": {"rx_pause_frames": 1.0}})"),
         "expect/standard/pause/rx_pause_frames: expected an integer from 0 to "
         "18446744073709551615 in digits alone, or null, not 1.0"},
        {standard(R"({"rmon": {"etherStatsJabbers": []}})"),
         "expect/standard/rmon/etherStatsJabbers: expected an integer from 0 to "
         "18446744073709551615 in digits alone, or null, not an array"},
    });
}

BOOST_AUTO_TEST_CASE(histograms_are_arrays_of_buckets) {
    const std::string place = "expect/standard/rmon/rx-pktsNtoM";
    const auto histogram = [](const std::string& value) {
        return R"({"expect": {"port": "quad", "standard": {"rmon": {"rx-pktsNtoM": )" + value +
               "}}}}";
    };
    check_steps({
        {histogram("5"), place + R"(: expected null or an array of {"low", "high", "val"}, not 5)"},
        {histogram("[]"),
         place +
             R"(: expected null or an array of {"low", "high", "val"}, not an array without any)"},
        {histogram("[5]"), place + "/0: expected an object, not 5"},
        {histogram(R"([{"val": 1}])"), place + R"(/0: expected a member "low")"},
        {histogram(R"([{"low": 64}])"), place + R"(/0: expected a member "val")"},
        {histogram(R"([{"low": 64, "val": 1}, {"low": 65536, "val": 1}])"),
         place + "/1/low: expected an integer from 0 to 65535, not 65536"},
        {histogram(R"([{"low": 65, "high": 64, "val": 1}])"),
         place + "/0/high: expected an integer from 65 to 65535, not 64"},
        {histogram(R"([{"low": 64, "val": -1}])"),
         place + "/0/val: expected an integer from 0 to 18446744073709551615 in digits alone, or "
                 "null, not -1"},
        {histogram(R"([{"low": 64, "val": 1, "value": 1}])"),
         place + R"(/0/value: expected one of the keys low, high, val, not "value"; did you mean )"
                 "val?"},
    });
}

BOOST_AUTO_TEST_CASE(a_pause_frame_that_a_mac_cannot_make_is_rejected) {
    const auto pause = [](const std::string& port, const std::string& members) {
        return R"({"send": {"port": ")" + port + R"(", "kind": "pause", "origin": "mac")" +
               members + "}}";
    };
    const std::string message = "pause frames that a MAC of model cpsw makes have 64 octets and a "
                                "multicast destination, not ";
    check_steps({
        {pause("mac", R"(, "length": 65)"), "send/length: " + message + "65 octets and multicast"},
        {pause("mac", R"(, "length": 63, "destination": "multicast")"),
         "send/length: " + message + "63 octets and multicast"},
        {pause("mac", R"(, "destination": "unicast")"),
         "send/destination: " + message + "64 octets and unicast"},
        {pause("mac", R"(, "destination": "broadcast")"),
         "send/destination: " + message + "64 octets and broadcast"},
        {pause("mac", ""), "(accepted)"},
        {pause("mac", R"(, "length": 64, "destination": "multicast")"), "(accepted)"},
        {pause("mac", R"(, "length": 65, "direction": "rx")"), "(accepted)"},
        {pause("mac", R"(, "length": 68, "vlan_tags": 1)"), "(accepted)"},
        {pause("quad", R"(, "length": 65)"), "(accepted)"},
    });
}

// A caller's own models.
BOOST_AUTO_TEST_CASE(only_models_that_are_looked_up_are_known) {
    const ModelLookup no_models = [](std::string_view) { return nullptr; };
    BOOST_TEST(
        parse_scenario(with_device(R"({"model": "cpsw"})"), "", no_models).error().message ==
        R"(/devices/mac/model: expected one of the models (there are none), not "cpsw")");
}

BOOST_AUTO_TEST_SUITE_END()
