// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Devices of this process: what they count and report, and what they reject.
#include "boost_test.hpp"

#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "counters.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/device/device.hpp"
#include "libmacstats/device/standard.hpp"
#include "present/count.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_device)

using namespace macstats;
using macstats::test::counters_of;

namespace {

const macstats_model& ll40g = *find_model("ll40g");
constexpr PortIndex only_port(0);

macstats_frame frame(macstats_direction direction, std::uint32_t length) {
    macstats_frame frame{};
    frame.direction = static_cast<__u8>(direction);
    frame.destination = MACSTATS_UNICAST;
    frame.kind = MACSTATS_DATA;
    frame.origin = MACSTATS_BY_SOFTWARE;
    frame.length = length;
    return frame;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_device_without_counters_has_no_totals) {
    DeviceSetup setup;
    setup.options = MACSTATS_OPT_VLAN_DETECTION;
    Device device(ll40g, setup);
    BOOST_TEST(device.totals(only_port).empty());
    BOOST_TEST(device.accumulator(only_port).state.absent);
    BOOST_TEST(*device.read(only_port, 0x842) == 0U);
    BOOST_TEST(device.preset(only_port, CounterIndex(0), 1).error().errnum == EOPNOTSUPP);
}

BOOST_AUTO_TEST_CASE(a_device_with_the_counters_of_one_direction_has_no_others) {
    DeviceSetup setup;
    setup.options = MACSTATS_OPT_RX_STATISTICS;
    Device device(ll40g, setup);
    const CounterIndex tx_64b = *find_counter(ll40g, "tx_64b");
    const CounterIndex rx_64b = *find_counter(ll40g, "rx_64b");
    BOOST_TEST(device.send(only_port, frame(MACSTATS_RX, 64), 5).has_value());
    BOOST_TEST(device.send(only_port, frame(MACSTATS_TX, 64), 3).has_value());
    BOOST_TEST(device.poll(only_port, 1).has_value());
    const auto totals = device.totals(only_port);
    const auto absent = device.absent(only_port);
    BOOST_REQUIRE(totals.size() == 58U);
    BOOST_REQUIRE(absent.size() == 29U);
    for (std::uint32_t i = 0; i < 58; i++) {
        BOOST_TEST(is_absent(absent, CounterIndex(i)) == (i < 29));
        BOOST_TEST((totals[i] == UINT64_MAX) == (i < 29));
    }
    BOOST_TEST(totals[rx_64b.value()] == 5U);
    const auto preset = device.preset(only_port, tx_64b, 1);
    BOOST_TEST(preset.error().errnum == EOPNOTSUPP);
    BOOST_TEST(preset.error().message == "the device is built without tx_64b");
    BOOST_TEST(device.preset(only_port, rx_64b, 1).has_value());
    const auto json = standard_json(
        standard_values(device.standard(only_port), buckets_of(ll40g), totals, absent));
    BOOST_TEST(json.at("eth-mac").at("FramesReceivedOK") == 5);
    BOOST_TEST(!json.at("eth-mac").contains("FramesTransmittedOK"));
    BOOST_TEST(!json.at("rmon").contains("tx-pktsNtoM"));
    BOOST_TEST(!json.at("rtnl").contains("tx_packets"));
}

// By the model, and by what the kernel says of its counters.
BOOST_AUTO_TEST_CASE(a_bucket_is_the_sum_of_the_rows_of_its_range) {
    const auto infos = counters_of(test::merging_model);
    std::vector<std::uint64_t> totals = {10, 4, 6, 300, 100, 200, 7, 50, 9};
    const std::vector<Saturation> saturated = {{.counter = CounterIndex(4), .times = 2}};
    for (const auto& buckets : {buckets_of(test::merging_model), buckets_of(infos)}) {
        const auto values = standard_values({}, buckets, totals, {}, saturated);
        BOOST_REQUIRE(values.size() == 2U);
        BOOST_TEST(values[0].name() == "rx-pkts64to64");
        BOOST_TEST(values[0].value == 104U);
        BOOST_TEST((values[0].bound == Bound::at_least));
        BOOST_TEST(values[0].times == 2U);
        BOOST_TEST(values[1].name() == "rx-pkts65to65535");
        BOOST_TEST(values[1].value == 206U);
        BOOST_TEST((values[1].bound == Bound::exact));
        // It is absent with one of its rows.
        const CounterIndex absent[] = {CounterIndex(5)};
        const auto others = standard_values({}, buckets, totals, absent);
        BOOST_REQUIRE(others.size() == 1U);
        BOOST_TEST(others[0].value == 104U);
    }
}

BOOST_AUTO_TEST_CASE(invalid_arguments_are_rejected_and_count_nothing) {
    Device device(ll40g);
    const auto errnum = [](const auto& result) { return result ? 0 : result.error().errnum; };
    BOOST_TEST(errnum(device.send(only_port, frame(MACSTATS_RX, 0))) == ERANGE);
    BOOST_TEST(errnum(device.send(only_port, frame(MACSTATS_RX, 65536))) == ERANGE);
    BOOST_TEST(errnum(device.send(only_port, frame(MACSTATS_RX, 64), 0)) == ERANGE);
    BOOST_TEST(errnum(device.send(only_port, frame(MACSTATS_RX, 64), 1ULL << 63)) == ERANGE);
    auto twice = frame(MACSTATS_RX, 64);
    twice.direction = MACSTATS_RX | MACSTATS_TX;
    BOOST_TEST(errnum(device.send(only_port, twice)) == EINVAL);
    BOOST_TEST(errnum(device.write(only_port, 0x841, 1ULL << 32)) == ERANGE);
    BOOST_TEST(errnum(device.read(only_port, 0x700)) == ENXIO);
    BOOST_TEST(errnum(device.fault(only_port, {.faults = MACSTATS_FAULT_CLOCK_STOPPED})) == EINVAL);
    // One rule: a function that returns a Result throws nothing for bad arguments.
    BOOST_TEST(device.read(PortIndex(1), 0x800).error().errnum == ENODEV);
    BOOST_TEST(
        device.read(PortIndex(1), 0x800).error().message == "port 1: ll40g has 1 port, from 0 on");
    BOOST_TEST(device.poll(PortIndex(1), 0).error().errnum == ENODEV);
    BOOST_TEST(device.preset(only_port, CounterIndex(58), 0).error().errnum == ERANGE);
    BOOST_CHECK_THROW((void)device.totals(PortIndex(1)), std::out_of_range);
    BOOST_TEST(device.poll(only_port, 1).has_value());
    for (const std::uint64_t total : device.totals(only_port))
        BOOST_TEST(total == 0U);
}

BOOST_AUTO_TEST_CASE(a_bus_error_is_an_error_of_the_access) {
    Device device(ll40g);
    BOOST_TEST(device.fault(only_port, {.faults = MACSTATS_FAULT_BUS_ERROR}).has_value());
    BOOST_REQUIRE(!device.read(only_port, 0x800).has_value());
    BOOST_TEST(device.read(only_port, 0x800).error().errnum == EIO);
}

BOOST_AUTO_TEST_CASE(a_moved_device_goes_on_counting) {
    Device first(ll40g);
    BOOST_TEST(first.send(only_port, frame(MACSTATS_TX, 64), 3).has_value());
    Device second(std::move(first));
    BOOST_TEST(second.send(only_port, frame(MACSTATS_TX, 64), 4).has_value());
    BOOST_TEST(second.poll(only_port, 1).has_value());
    BOOST_TEST(second.totals(only_port).at(find_counter(ll40g, "tx_64b")->value()) == 7U);
}

BOOST_AUTO_TEST_CASE(time_does_not_go_back) {
    Device device(ll40g);
    BOOST_TEST(device.send(only_port, frame(MACSTATS_RX, 64), 5).has_value());
    BOOST_TEST(device.poll(only_port, 1000).has_value());
    BOOST_TEST(device.send(only_port, frame(MACSTATS_RX, 64), 2).has_value());
    BOOST_TEST(device.poll(only_port, 999).error().errnum == ERANGE);
    BOOST_TEST(device.totals(only_port).at(find_counter(ll40g, "rx_64b")->value()) == 5U);
    BOOST_TEST(!device.accumulator(only_port).state.possible_loss);
    BOOST_TEST(!device.accumulator(only_port).state.stale);
    BOOST_TEST(device.accumulator(only_port).poll_ns == 1000U);
    BOOST_TEST(
        device.fault(only_port, {.faults = MACSTATS_FAULT_BUS_ERROR}, 999).error().errnum ==
        ERANGE);
    BOOST_TEST(device.poll(only_port, 1000).has_value());
    BOOST_TEST(device.totals(only_port).at(find_counter(ll40g, "rx_64b")->value()) == 7U);
}

BOOST_AUTO_TEST_CASE(a_suspend_reads_a_last_time_and_the_totals_continue_after_it) {
    Device device(ll40g);
    const CounterIndex counter = *find_counter(ll40g, "rx_64b");
    const auto suspend = [&device](bool active, std::uint64_t time) {
        return device.fault(only_port, {.faults = MACSTATS_FAULT_SUSPEND, .active = active}, time);
    };
    BOOST_TEST(suspend(false, 1).has_value()); // nothing to resume
    BOOST_TEST(device.send(only_port, frame(MACSTATS_RX, 64), 5).has_value());
    BOOST_TEST(suspend(true, 2).has_value());
    BOOST_TEST(device.totals(only_port).at(counter.value()) == 5U);
    BOOST_TEST(device.send(only_port, frame(MACSTATS_RX, 64), 3).has_value());
    BOOST_TEST(suspend(true, 3).has_value()); // it is already
    BOOST_TEST(!device.poll(only_port, 4).has_value());
    BOOST_TEST(suspend(false, 5).has_value());
    BOOST_TEST(device.send(only_port, frame(MACSTATS_RX, 64), 2).has_value());
    BOOST_TEST(device.poll(only_port, 6).has_value());
    BOOST_TEST(device.totals(only_port).at(counter.value()) == 7U);
    BOOST_TEST(device.accumulator(only_port).state.discontinuities == 0U);
    BOOST_TEST(!device.accumulator(only_port).state.possible_loss);
}

BOOST_AUTO_TEST_CASE(a_rejected_fault_lists_the_supported_ones) {
    Device device(ll40g);
    const auto message = [&device](const FaultRequest& request) {
        const auto result = device.fault(only_port, request);
        return result ? "" : result.error().message;
    };
    BOOST_TEST(
        message({.faults = MACSTATS_FAULT_CLOCK_STOPPED}) ==
        "`ll40g` supports only the faults parity_error, snapshot_stuck, snapshot_slow, bus_error, "
        "reset, unplug, bus_error_at, slow_bus, suspend");
    BOOST_TEST(
        message({.faults = MACSTATS_FAULT_UNPLUG, .announced = true}) ==
        "unplug cannot be announced, only reset can");
    BOOST_TEST(
        message({.faults = MACSTATS_FAULT_UNPLUG, .during_read = true}) ==
        "unplug cannot begin during a read, only reset_in_progress, clock_stopped, gate_closes "
        "can");
    BOOST_TEST(
        message({.faults = MACSTATS_FAULT_RESET, .active = false}) ==
        "reset happens once: it cannot end");
    BOOST_TEST(
        message({.faults = MACSTATS_FAULT_SLOW_BUS, .argument = 10001}) ==
        "microseconds of slow_bus: 10001 is not in 1 to 10000");
}

BOOST_AUTO_TEST_SUITE_END()
