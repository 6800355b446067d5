// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Devices in other people's test programs: an expectation that is met is silent, and
// a failed one throws an exception with the reason.
#include "boost_test.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>

#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/test_device.hpp"

BOOST_AUTO_TEST_SUITE(unit_runner_test_device)

namespace {

using macstats::PortIndex;
using macstats::TestDevice;

std::string failure_of(const std::function<void()>& what) {
    try {
        what();
    } catch (const macstats::TestFailure& failure) {
        return failure.what();
    }
    return "none";
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

struct Fixture {
    TestDevice mac{"builtin", "ixf1104"};
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(device, Fixture)

// IXF1104 table 93: RxOctetsTotalOK counts octets with the CRC.
BOOST_AUTO_TEST_CASE(counters_and_standard_statistics_are_as_expected) {
    mac.send({.direction = MACSTATS_RX, .length = 100}, 5);
    mac.expect("RxOctetsTotalOK", 500);
    mac.expect("rx_uc_pkts", 5);
    mac.expect("rtnl/rx_packets", 5);
    mac.send({.length = 64});
    mac.expect("TxUCPkts", 1);
    mac.expect("RxOctetsTotalOK", 500);
}

BOOST_AUTO_TEST_CASE(a_name_of_the_datasheet_may_have_a_slash) {
    TestDevice cpsw("builtin", "cpsw");
    cpsw.expect("Rx Align/Code Errors", 0);
    cpsw.expect("rx_align_code_errors", 0);
}

BOOST_AUTO_TEST_CASE(each_port_counts_for_itself) {
    mac.send({.direction = MACSTATS_RX, .length = 100}, 5, PortIndex(3));
    mac.expect("RxUCPkts", 5, PortIndex(3));
    mac.expect("RxUCPkts", 0, PortIndex(0));
}

BOOST_AUTO_TEST_CASE(a_mismatch_reports_expected_and_actual_value) {
    mac.send({.direction = MACSTATS_RX, .length = 100}, 5);
    const std::string counter = failure_of([this] { mac.expect("RxUCPkts", 6); });
    BOOST_TEST(contains(counter, "ixf1104: rx_uc_pkts: expected 6, actual 5 (RxUCPkts: "), counter);
    const std::string standard = failure_of([this] { mac.expect("rtnl/rx_packets", 6); });
    BOOST_TEST(contains(standard, "rtnl/rx_packets: expected 6, actual 5 ("), standard);
    BOOST_TEST(contains(
        failure_of([this] { mac.expect("eth-mac/CarrierSenseErrors", 0); }),
        "eth-mac/CarrierSenseErrors: expected 0, actual absent"));
}

BOOST_AUTO_TEST_CASE(a_rejected_call_reports_the_reason) {
    BOOST_TEST(contains(failure_of([] { TestDevice("builtin", "nosuch"); }), "no model"));
    BOOST_TEST(contains(failure_of([] { TestDevice("nosuch", "cpsw"); }), "builtin, kernel"));
    BOOST_TEST(contains(failure_of([this] { mac.expect("nosuch", 1); }), "no counter \"nosuch\""));
    BOOST_TEST(contains(failure_of([this] { mac.send({}, 1, PortIndex(4)); }), "4 ports"));
    BOOST_TEST(contains(failure_of([this] { mac.send({.length = 70000}); }), "1 to 65535"));
    BOOST_TEST(contains(
        failure_of([this] { mac.send({.vlan_tags = 256}); }), "vlan_tags: 256 is not in 0 to 255"));
    BOOST_TEST(contains(failure_of([this] { mac.send({}, 0); }), "count"));
}

// A name is no setup: both are often words in quotation marks.
static_assert(!std::is_constructible_v<TestDevice, const char*, const char*, const char*>);
static_assert(!std::is_constructible_v<TestDevice, const char*, const char*, bool>);

BOOST_AUTO_TEST_CASE(a_device_is_built_with_the_options_of_its_setup) {
    TestDevice core("builtin", "ll40g", {.options = MACSTATS_OPT_RX_STATISTICS});
    core.preset("rx_64b", 1);
    BOOST_TEST(contains(
        failure_of([&core] { core.preset("tx_64b", 1); }), "the device is built without tx_64b"));
}

BOOST_AUTO_TEST_CASE(a_random_power_up_follows_its_seed) {
    const auto held = [](std::uint64_t seed) {
        TestDevice one("builtin", "cpsw", {.random_power_up = true, .seed = seed});
        return one.read("Good Rx Frames");
    };
    BOOST_TEST(held(1) == held(1));
    BOOST_TEST(held(1) != held(2));
}

// The IXF1104 clears a counter that is read.
BOOST_AUTO_TEST_CASE(registers_are_read_and_written_with_their_side_effects) {
    mac.write("Max Frame Size", 1600, PortIndex(2));
    BOOST_TEST(mac.read("Max Frame Size", PortIndex(2)) == 1600U);
    mac.send({.direction = MACSTATS_RX, .length = 100}, 5);
    BOOST_TEST(mac.read("RxUCPkts") == 5U);
    BOOST_TEST(mac.read("RxUCPkts") == 0U);
    BOOST_TEST(contains(
        failure_of([this] { mac.write("Max Frame Size", 0x1'0000'0000); }),
        "value is not in 0 to 4294967295"));
}

BOOST_AUTO_TEST_CASE(a_preset_counter_wraps_without_a_loss) {
    mac.preset("RxOctetsTotalOK", 0xffffffff);
    mac.expect("RxOctetsTotalOK", 0);
    mac.send({.direction = MACSTATS_RX, .length = 100});
    mac.poll();
    BOOST_TEST(mac.read("RxOctetsTotalOK") == 0U); // the poll has cleared it
    mac.expect("RxOctetsTotalOK", 100);
}

BOOST_AUTO_TEST_CASE(faults_begin_and_end) {
    mac.fault({.faults = MACSTATS_FAULT_BUS_ERROR});
    mac.send({.direction = MACSTATS_RX, .length = 100}, 5);
    mac.poll(); // which fails
    BOOST_TEST(contains(failure_of([this] { mac.read("RxUCPkts"); }), "Input/output error"));
    mac.fault({.faults = MACSTATS_FAULT_BUS_ERROR, .active = false});
    mac.expect("RxUCPkts", 5);
}

// RxOctetsTotalOK, of 32 bits, wraps in 34.4 s at 1 Gb/s.
BOOST_AUTO_TEST_CASE(a_poll_that_comes_too_late_is_no_failure) {
    mac.advance(35'000'000'000);
    mac.poll();
    mac.expect("RxOctetsTotalOK", 0);
}

BOOST_AUTO_TEST_CASE(time_does_not_start_anew) {
    mac.advance(35'000'000'000);
    BOOST_TEST(contains(
        failure_of([this] { mac.advance(INT64_MAX); }),
        "nanoseconds is not in 0 to 9223372001854775807"));
    mac.advance(9223372001854775807);
    mac.expect("RxOctetsTotalOK", 0);
}

BOOST_AUTO_TEST_CASE(what_users_see_is_that_of_the_last_poll) {
    mac.send({.direction = MACSTATS_RX, .length = 100}, 5, PortIndex(3));
    BOOST_TEST(mac.observe(PortIndex(3)).totals.at(0) == 0U);
    mac.poll(PortIndex(3));
    mac.fault({.faults = MACSTATS_FAULT_BUS_ERROR}, PortIndex(3));
    mac.poll(PortIndex(3));
    const auto seen = mac.observe(PortIndex(3));
    BOOST_TEST(seen.stale);
    BOOST_TEST(seen.totals.at(0) == 500U); // RxOctetsTotalOK
    bool has_packets = false;
    for (const auto& statistic : seen.standard)
        has_packets |= statistic.id == MACSTATS_STD_RTNL_RX_PACKETS && statistic.value == 5;
    BOOST_TEST(has_packets);
    BOOST_TEST(!mac.observe().stale);
    BOOST_TEST(contains(failure_of([this] { mac.observe(PortIndex(4)); }), "4 ports"));
}

// A scenario's step `send` has this default, too: docs/scenarios.md.
BOOST_AUTO_TEST_CASE(frames_are_transmitted_by_default) {
    mac.send({}, 3);
    mac.expect("TxUCPkts", 3);
    mac.expect("RxUCPkts", 0);
}

// Octets from the destination address to the FCS: 64 is a bucket of its own, 100 is in
// the next one, 1600 in the last one.
BOOST_AUTO_TEST_CASE(a_bucket_of_a_histogram_is_compared_by_its_name) {
    mac.send({.direction = MACSTATS_RX, .length = 64}, 2);
    mac.send({.direction = MACSTATS_RX, .length = 100}, 3);
    mac.expect("rmon/rx-pkts64to64", 2);
    mac.expect("rmon/rx-pkts65to127", 3);
    mac.expect("rmon/rx-pkts128to255", 0);
    mac.expect("rmon/tx-pkts65to127", 0);
    const std::string failure = failure_of([this] { mac.expect("rmon/rx-pkts65to127", 2); });
    BOOST_TEST(
        contains(failure, "ixf1104: rmon/rx-pktsNtoM, low 65, high 127: expected 2, actual 3"),
        failure);
}

BOOST_AUTO_TEST_CASE(the_last_bucket_ends_at_the_longest_maximum) {
    TestDevice core("builtin", "ll40g");
    core.send({.direction = MACSTATS_RX, .length = 1600}, 4);
    core.expect("rmon/rx-pkts1519to65535", 4);
}

BOOST_AUTO_TEST_CASE(unknown_standard_statistics_are_rejected) {
    const auto of = [this](std::string_view name) {
        return failure_of([this, name] { mac.expect(name, 0); });
    };
    BOOST_TEST(contains(of("rmon/rx-pktsNtoM"), "rmon has no statistic \"rx-pktsNtoM\""));
    BOOST_TEST(contains(of("rmon/rx-pkts65to128"), "did you mean rx-pkts65to127"));
    BOOST_TEST(contains(of("rmon/etherStatsFragment"), "did you mean etherStatsFragments"));
    BOOST_TEST(contains(of("rmon/nosuch"), "rmon has etherStats"));
    BOOST_TEST(contains(of("rmonx/etherStatsFragments"), "did you mean rmon?"));
    BOOST_TEST(contains(
        of("nosuch/x"), "the groups are eth-phy, eth-mac, eth-ctrl, rmon, pause, rtnl, mm"));
}

BOOST_AUTO_TEST_CASE(failures_name_the_line_of_the_test_program) {
    const auto line_of = [](const std::function<void()>& what) -> unsigned int {
        try {
            what();
        } catch (const macstats::TestFailure& failure) {
            const std::string place = __FILE__ ":" + std::to_string(failure.where().line()) + ": ";
            BOOST_TEST(std::string(failure.what()).starts_with(place), failure.what());
            return failure.where().line();
        }
        return 0;
    };
    BOOST_TEST(line_of([this] { mac.expect("RxUCPkts", 1); }) == std::uint32_t{__LINE__});
    BOOST_TEST(line_of([this] { mac.expect("nosuch", 1); }) == std::uint32_t{__LINE__});
    BOOST_TEST(line_of([this] { mac.send({}, 0); }) == std::uint32_t{__LINE__});
    BOOST_TEST(line_of([] { TestDevice("builtin", "nosuch"); }) == std::uint32_t{__LINE__});
    BOOST_TEST(line_of([this] { mac.read("nosuch"); }) == std::uint32_t{__LINE__});
    BOOST_TEST(line_of([this] { mac.write("nosuch", 0); }) == std::uint32_t{__LINE__});
    BOOST_TEST(line_of([this] { mac.preset("nosuch", 0); }) == std::uint32_t{__LINE__});
    BOOST_TEST(line_of([this] { mac.fault({}); }) == std::uint32_t{__LINE__});
    BOOST_TEST(line_of([this] { mac.poll(PortIndex(4)); }) == std::uint32_t{__LINE__});
}

BOOST_AUTO_TEST_CASE(backends_are_opened_by_name) {
    const auto builtin = macstats::open_backend("builtin");
    BOOST_REQUIRE(builtin.has_value());
    BOOST_TEST((*builtin)->name() == "builtin");
    BOOST_TEST(
        macstats::open_backend("other").error().message ==
        "backend: \"other\" is not one of builtin, kernel");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
