// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Bad arguments of the library's functions become Errors, or an exception where a function returns
// no Result: result.hpp has the rule.
#include "boost_test.hpp"

#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include "libmacstats/core/names.hpp"
#include "libmacstats/device/device.hpp"
#include "libmacstats/device/registers.hpp"
#include "libmacstats/device/standard.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"
#include "scenario/file.hpp"
#include "scenario/wire_plan.hpp"

BOOST_AUTO_TEST_SUITE(unit_bad_arguments)

using namespace macstats;
using namespace std::string_literals;

BOOST_AUTO_TEST_CASE(a_value_with_more_bits_than_its_place_is_not_written) {
    // A register of 32 bits, and the lower word of a counter of 64.
    for (const auto& [model, name] :
         {std::pair("cpsw", "STAT_PORT_EN"), std::pair("ll40g", "CNTR_TX_64B_LO")}) {
        Device device(*find_model(model), {});
        const Place place = *find_place(device.model(), name);
        const std::uint64_t before = *device.read(PortIndex(0), place);
        const auto written = device.write(PortIndex(0), place, 0x1'0000'0005);
        BOOST_TEST(written.error().errnum == ERANGE);
        BOOST_TEST(written.error().message == "value is not in 0 to 4294967295");
        BOOST_TEST(*device.read(PortIndex(0), place) == before);
    }
}

// Cut at 15 characters, or at a NUL character or a colon, these would be other interfaces.
BOOST_AUTO_TEST_CASE(a_name_that_no_interface_can_have_has_no_dump) {
    for (const std::string& name :
         {"lo\0x"s, "lo\0"s, "lo:1"s, std::string(16, 'x'), std::string(300, 'x')}) {
        const auto dump = read_dump(name);
        BOOST_TEST(dump.error().errnum == ENODEV);
        BOOST_TEST(dump.error().message.ends_with(": cannot read the registers: No such device"));
        BOOST_TEST(dump.error().message.find('\0') == std::string::npos);
    }
}

BOOST_AUTO_TEST_CASE(without_a_file_descriptor_no_dump_is_read) {
    rlimit before{};
    BOOST_REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
    const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
    BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
    const auto dump = read_dump("lo");
    BOOST_REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
    BOOST_TEST(dump.error().errnum == EMFILE);
}

// More than the tables that hold 512 counters.
BOOST_AUTO_TEST_CASE(totals_and_counters_that_a_model_does_not_have_are_rejected) {
    const macstats_model& model = *find_model("ll40g");
    const std::vector<std::uint64_t> all(58);
    const std::vector<std::uint64_t> more(59);
    const std::vector<std::uint64_t> many(600);
    const std::vector<CounterIndex> last = {CounterIndex(57)};
    BOOST_CHECK_NO_THROW((void)standard_of_totals(model, all, {}, last));
    BOOST_CHECK_THROW((void)standard_of_totals(model, more), std::logic_error);
    BOOST_CHECK_THROW((void)standard_of_totals(model, many), std::logic_error);
    for (const std::uint32_t index : {58U, 512U, 999U, UINT32_MAX}) {
        const std::vector<CounterIndex> absent = {CounterIndex(index)};
        BOOST_CHECK_THROW((void)standard_of_totals(model, all, {}, absent), std::logic_error);
    }
}

BOOST_AUTO_TEST_CASE(steps_with_a_counter_that_the_model_does_not_have_are_rejected) {
    Scenario scenario = *parse_scenario(
        R"({"name": "n", "devices": {"mac": {"model": "cpsw"}}, "steps": []})", "f.json");
    const auto backend = builtin_backend();
    ExpectStep total;
    total.totals = {{.counter = CounterIndex(999), .value = 5}};
    ExpectStep saturated;
    saturated.state.saturated = std::vector{CounterIndex(999)};
    PresetStep preset;
    preset.counters = {{.counter = CounterIndex(999), .value = 5}};
    for (const Step& step : {Step(total), Step(saturated), Step(preset)}) {
        scenario.steps = {step};
        BOOST_CHECK_THROW((void)run_scenario(scenario, *backend), std::logic_error);
        BOOST_CHECK_THROW((void)scenario_text(scenario), std::logic_error);
    }
}

BOOST_AUTO_TEST_CASE(a_frame_with_more_tags_than_octets_is_an_error) {
    const EthernetAddress address{};
    macstats_frame frame{};
    frame.direction = MACSTATS_TX;
    frame.destination = MACSTATS_UNICAST;
    frame.kind = MACSTATS_DATA;
    frame.origin = MACSTATS_BY_SOFTWARE;
    frame.length = 64;
    frame.vlan_tags = 2;
    BOOST_TEST(wire_octets(frame, address, address).has_value());
    for (const __u8 tags : {__u8{3}, __u8{12}, __u8{255}}) {
        frame.vlan_tags = tags;
        BOOST_TEST(wire_octets(frame, address, address).error().errnum == ERANGE);
    }
}

BOOST_AUTO_TEST_CASE(a_file_is_read_whole_whatever_the_limit) {
    const auto file = std::filesystem::temp_directory_path() / "macstats-bad-arguments";
    std::ofstream(file) << "some text";
    for (const std::size_t most : {std::size_t{9}, SIZE_MAX - 1, SIZE_MAX}) {
        const auto text = read_file(file, most);
        BOOST_TEST(*text == "some text");
    }
    BOOST_TEST(read_file(file, 8).error().errnum == EFBIG);
    BOOST_TEST(read_file(file, 0).error().errnum == EFBIG);
    std::filesystem::remove(file);
}

BOOST_AUTO_TEST_SUITE_END()
