// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Totals when the hardware misbehaves: it restarts, is unplugged, becomes unready in the
// middle of a read, fails on the bus, saturates, or shows a value that its line cannot
// have carried. Every lost count is reported, and no total jumps.
#include "boost_test.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_foul_weather)

using namespace macstats::test;

namespace {

constexpr unsigned int discontinuity = MACSTATS_EVENT_DISCONTINUITY;
constexpr unsigned int stale = MACSTATS_EVENT_STALE;
constexpr unsigned int recovered = MACSTATS_EVENT_RECOVERED;
constexpr unsigned int loss = MACSTATS_EVENT_POSSIBLE_LOSS;

// A port whose line-rate bound is on.
struct Bounded : Provided {
    explicit Bounded(const macstats_model& model, const Setup& setup = {})
        : Provided(model, setup) {
        acc.line_rate_bound = true;
        BOOST_TEST(start() == 0);
    }
};

void begin(Port& port, macstats_fault fault, bool during_read = false, u32 argument = 0) {
    port.fault(macstats_fault_request{
        .faults = fault, .active = true, .during_read = during_read, .argument = argument});
}

void end(Port& port, macstats_fault fault) {
    port.fault(fault, false);
}

std::string_view reason(const Provided& provided) {
    return provided.acc.state.stale ? provided.acc.state.reason : "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(saturation)

BOOST_AUTO_TEST_CASE(a_value_at_the_maximum_is_a_lower_bound_and_reported) {
    Polled polled(errors_model);

    polled.port.send(rx(64).bad(), 2000);
    BOOST_TEST(polled.poll_at(5000000) == 0);
    BOOST_TEST(polled.events == MACSTATS_EVENT_SATURATED);
    BOOST_TEST(polled.total("RX_FCS") == 1023u);
    BOOST_TEST(polled.acc.counters[0].saturated == 1u);
    BOOST_TEST(polled.acc.counters[0].saturated_ns == 5000000u);
    polled.port.send(rx(64).bad(), 2000);
    polled.poll();
    BOOST_TEST(polled.events == MACSTATS_EVENT_SATURATED);
    BOOST_TEST(polled.total("RX_FCS") == 2046u);
    BOOST_TEST(polled.acc.counters[0].saturated == 2u);
    polled.port.send(rx(64).bad(), 1022);
    polled.poll();
    BOOST_TEST(polled.events == 0u);
    BOOST_TEST(polled.acc.counters[0].saturated == 2u);
}

// A frame takes 672 bit times: 1,024 frames take 688 us at 1 Gb/s. A counter that missed
// frames reads as its maximum, so a late poll alone is no sign of loss.
BOOST_AUTO_TEST_CASE(a_late_poll_of_a_saturating_counter_alone_is_no_possible_loss) {
    Polled polled(errors_model);

    polled.port.send(rx(64).bad(), 5);
    BOOST_TEST(polled.poll_after(3600000000000) == 0);
    BOOST_TEST(polled.events == 0u);
    BOOST_TEST(!polled.acc.state.possible_loss);
}

// 65,535 frames do not fit into a millisecond: the value is rejected, so no total of it
// is a lower bound.
BOOST_AUTO_TEST_CASE(a_rejected_value_at_the_maximum_is_no_saturation) {
    macstats_counter row = errors_counters[0];
    macstats_model model = errors_model;
    row.bits = 16;
    model.counters = &row;
    Bounded port(model);

    port.port.preset(0, 65535);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == discontinuity);
    BOOST_TEST(port.acc.counters[0].saturated == 0u);
}

BOOST_AUTO_TEST_CASE(a_counter_at_its_maximum_from_the_start_is_reported) {
    Provided port(saturating_model);

    port.port.preset(0, 255);
    BOOST_TEST(port.start() == 0);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == MACSTATS_EVENT_SATURATED);
    BOOST_TEST(port.acc.counters[0].saturated == 1u);
}

BOOST_AUTO_TEST_CASE(a_counter_that_stays_at_its_maximum_is_reported_once_and_counted_each_time) {
    Polled polled(saturating_model);

    polled.port.send(rx(64), 300);
    polled.poll();
    BOOST_TEST(polled.events == MACSTATS_EVENT_SATURATED);
    polled.poll();
    BOOST_TEST(polled.events == 0u);
    BOOST_TEST(polled.acc.counters[0].saturated == 2u);
    BOOST_TEST(polled.total("RX_FRAMES") == 255u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(line_rate)

// 1 ms and a frame of 65,535 octets at 1 Gb/s are 125,000 + 65,555 octet times: 190,555
// octets, or 190,555 / 84 = 2,268 frames of 64 octets.
BOOST_AUTO_TEST_CASE(the_bound_is_what_the_line_carries_a_frame_and_a_millisecond) {
    BOOST_TEST(
        macstats__most_events(
            &rolling_model, &rolling_counters[0], rolling_model.line_rate_bps, 0) == 2268u);
    BOOST_TEST(
        macstats__most_events(
            &rolling_model, &rolling_counters[1], rolling_model.line_rate_bps, 0) == 190555u);
    BOOST_TEST(
        macstats__most_events(
            &rolling_model, &rolling_counters[1], rolling_model.line_rate_bps, 1000) == 191555u);
    BOOST_TEST(
        macstats__most_events(
            &rolling_model, &rolling_counters[1], rolling_model.line_rate_bps, ~u64{0}) ==
        MACSTATS_UNBOUNDED);
    // More than half of the largest number, which a counter of two lines doubles.
    BOOST_TEST(
        macstats__most_events(
            &rolling_model, &rolling_counters[1], rolling_model.line_rate_bps, u64{1} << 63) ==
        MACSTATS_UNBOUNDED);
}

// Microseconds in low power idle are a million in a second, in which a line of 100 Mb/s carries
// less than 300,000 frames in both directions: such a counter may count with each octet time. These
// are 12,500,000, 6,103 for a fast line, a frame of 65,555 and 12,500 of a millisecond, in two
// directions.
BOOST_AUTO_TEST_CASE(what_counts_no_frames_has_the_bound_of_octets) {
    const auto* counter = std::find_if(
        dwmac4_mmc_model.counters, dwmac4_mmc_model.counters + dwmac4_mmc_model.n_counters,
        [](const macstats_counter& row) { return row.name == std::string_view("tx_lpi_usec"); });

    BOOST_TEST(
        macstats__most_events(&dwmac4_mmc_model, counter, 100'000'000, 12'500'000) == 25'168'316u);
}

// 10 s of frames of 1,518 octets, which take 1,538 octet times: 812,743 at 1 Gb/s. The kernel slows
// its clock by up to a tenth to correct it.
BOOST_AUTO_TEST_CASE(what_a_full_line_carries_is_counted_beside_a_slow_clock) {
    Bounded port(rolling_model);

    port.acc.bus.line_octets = nullptr;
    port.send(rx(1518), 812'743);
    BOOST_TEST(port.poll_after(9'000'000'000) == 0);
    BOOST_TEST(port.events == 0u);
    BOOST_TEST(port.total("RX_FRAMES") == 812'743u);
    BOOST_TEST(port.total("RX_OCTETS") == 1'233'743'874u);
}

BOOST_AUTO_TEST_CASE(line_time_of_the_clock_is_exact_and_saturates) {
    BOOST_TEST(macstats_octets_in(rolling_model.line_rate_bps, 0) == 0u);
    BOOST_TEST(macstats_octets_in(rolling_model.line_rate_bps, 1) == 1u); // 0.125, rounded up
    BOOST_TEST(macstats_octets_in(rolling_model.line_rate_bps, 8) == 1u);
    BOOST_TEST(macstats_octets_in(rolling_model.line_rate_bps, 1500000) == 187500u);
    BOOST_TEST(macstats_octets_in(rolling_model.line_rate_bps, ~u64{0}) == 2305843009213693952u);
    BOOST_TEST(macstats_octets_in(ll40g_model.line_rate_bps, ~u64{0}) == ~u64{0});
    // The last whole millisecond below 2^64 octets at 40 Gb/s, which are 5,000,000 each.
    BOOST_TEST(
        macstats_octets_in(ll40g_model.line_rate_bps, 3689348814741000000) ==
        18446744073705000000u);
}

BOOST_AUTO_TEST_CASE(sums_and_products_end_at_the_largest_value) {
    constexpr u64 most = ~u64{0};

    BOOST_TEST(macstats_saturating_add(0, 0) == 0u);
    BOOST_TEST(macstats_saturating_add(most - 5, 5) == most);
    BOOST_TEST(macstats_saturating_add(most - 5, 4) == most - 1);
    BOOST_TEST(macstats_saturating_add(most - 5, 6) == most);
    BOOST_TEST(macstats_saturating_add(most, most) == most);
    BOOST_TEST(macstats_saturating_multiply(0, 5) == 0u);
    BOOST_TEST(macstats_saturating_multiply(5, 0) == 0u);
    BOOST_TEST(macstats_saturating_multiply(most, 0) == 0u);
    BOOST_TEST(macstats_saturating_multiply(most, 1) == most);
    BOOST_TEST(macstats_saturating_multiply(most / 2, 2) == most - 1);
    BOOST_TEST(macstats_saturating_multiply(u64{1} << 63, 2) == most);
    BOOST_TEST(macstats_saturating_multiply(most / 3, 3) == most);
    BOOST_TEST(macstats_saturating_multiply(most / 3 + 1, 3) == most);
}

BOOST_AUTO_TEST_CASE(a_rolling_counter_does_not_jump_by_a_reset) {
    Bounded port(rolling_model);

    port.send(rx(64), 1000);
    BOOST_TEST(port.poll() == 0);
    begin(port.port, MACSTATS_FAULT_RESET);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == discontinuity);
    BOOST_TEST(port.total("RX_FRAMES") == 1000u);
    BOOST_TEST(port.total("RX_OCTETS") == 64000u);
    BOOST_TEST(port.acc.state.discontinuities == 1u);
    BOOST_TEST(port.acc.state.suspect_known);
    BOOST_TEST(port.acc.state.suspect == 0u);
    BOOST_TEST(port.acc.state.suspect_value == 0u);
    port.send(rx(64), 7);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == 0u);
    BOOST_TEST(port.total("RX_FRAMES") == 1007u);
}

BOOST_AUTO_TEST_CASE(a_rolling_counter_still_rolls_over) {
    Bounded port(rolling_model);

    port.preset("RX_OCTETS", 0xffffff00);
    port.send(rx(64), 10);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == 0u);
    BOOST_TEST(port.total("RX_OCTETS") == 640u);
}

// Injection may be faster than any clock: 2^57 frames within a millisecond.
BOOST_AUTO_TEST_CASE(emulated_frames_take_their_own_time) {
    for (const bool rare : {false, true}) {
        Bounded port(ll40g_model);
        const Frame frame = rare ? rx(64).bad() : rx(64);

        port.send(frame, u64{1} << 40);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.events == 0u);
        BOOST_TEST(port.total("CNTR_RX_ST") == u64{1} << 40);
        port.send(frame, u64{1} << 57);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.events == 0u);
        BOOST_TEST(port.total("CNTR_RX_ST") == (u64{1} << 40) + (u64{1} << 57));
    }
}

BOOST_AUTO_TEST_CASE(frames_of_any_class_stay_within_the_bound) {
    for (const macstats_model* model : macstats::all_models()) {
        Random random(seed_of(7));
        Bounded port(*model);

        for (int step = 0; step < 300; step++) {
            port.send(random_frame(random), 1 + random.below(100000000));
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST((port.events & discontinuity) == 0u, model->name << ' ' << step);
        }
        BOOST_TEST(port.acc.state.discontinuities == 0u, model->name);
    }
}

// The bound takes four octets for the shortest frame of this MAC. A frame of two takes their time
// as well, whatever other frames of its class came before.
BOOST_AUTO_TEST_CASE(the_shortest_frames_take_their_time_after_longer_ones) {
    Bounded port(rc32438_model);

    for (const u32 length : {63u, 2u}) {
        port.send(rx(length), 100'000'000);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST((port.events & discontinuity) == 0u, length);
    }
    BOOST_TEST(port.total("RPC") == 200'000'000u);
}

BOOST_AUTO_TEST_CASE(random_contents_after_a_reset_do_not_enter_totals) {
    Bounded port(ll40g_model, {.random = true, .seed = 3});

    port.send(rx(64), 100);
    BOOST_TEST(port.poll() == 0);
    const std::vector<u64> before = port.totals();
    begin(port.port, MACSTATS_FAULT_RESET);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST((port.events & discontinuity) != 0u);
    BOOST_TEST(port.totals() == before, boost::test_tools::per_element());
    port.send(rx(64), 5);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST((port.events & discontinuity) == 0u);
    BOOST_TEST(port.total("CNTR_RX_64B") == 105u);
}

// 100 frames below 2^64, and 3 beyond it.
BOOST_AUTO_TEST_CASE(a_64_bit_counter_rolls_over) {
    for (const bool bounded : {true, false}) {
        Provided port(ll40g_model);
        port.acc.line_rate_bound = bounded;
        BOOST_TEST(port.start() == 0);
        port.preset("CNTR_RX_64B", ~u64{0} - 99);
        port.send(rx(64), 103);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.events == 0u);
        BOOST_TEST(port.total("CNTR_RX_64B") == 103u);
    }
}

BOOST_AUTO_TEST_CASE(without_a_bound_a_64_bit_counter_rolls_over_by_less_than_2_to_the_32) {
    macstats_counter counter = {};
    const u64 most = MACSTATS_UNBOUNDED;

    counter.bits = 64;
    BOOST_TEST(!macstats_is_discontinuity(&counter, ~u64{0}, 0xffffffff, most));
    BOOST_TEST(macstats_is_discontinuity(&counter, ~u64{0}, 0x100000000, most));
    BOOST_TEST(!macstats_is_discontinuity(&counter, 5, ~u64{0}, most));
}

// 6.2e15 frames take 9.4e18 octet times: within the margin of the clock, any number of frames can
// have passed. A counter of 64 bits that goes back by more than 2^32 was cleared nevertheless.
BOOST_AUTO_TEST_CASE(a_64_bit_counter_that_is_cleared_is_a_discontinuity_whatever_has_passed) {
    constexpr u64 frames = 6'200'000'000'000'000;
    Bounded port(ll40g_model);

    port.port.send(tx(1500), frames);
    BOOST_TEST(port.poll() == 0);
    port.port.send(tx(1500), frames);
    port.port.write(0x845, 1);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == discontinuity);
    BOOST_TEST(port.acc.state.discontinuities == 1u);
}

// 2^20 octet times, 2^9 more for what lines may be off, and the slack.
BOOST_AUTO_TEST_CASE(the_bound_allows_for_lines_that_are_not_exact) {
    BOOST_TEST(
        macstats__most_events(
            &rolling_model, &rolling_counters[1], rolling_model.line_rate_bps, 1u << 20) ==
        (1u << 20) + (1u << 9) + 190555);
}

BOOST_AUTO_TEST_CASE(traffic_while_a_baseline_is_read_is_within_the_next_bound) {
    Bounded port(rolling_model);
    unsigned int events = 0;
    bool done = false;

    port.send(rx(64), 10);
    BOOST_TEST(port.poll() == 0);
    port.bus.before_read = [&](u32 offset) {
        if (offset == 0x12 && !std::exchange(done, true))
            port.port.send(rx(64), 1000000);
    };
    BOOST_TEST(macstats_reset(&port.acc, 2000000, &events) == 0);
    port.bus.before_read = nullptr;
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == 0u);
    BOOST_TEST(port.acc.state.discontinuities == 1u);
    BOOST_TEST(port.total("RX_FRAMES") == 1000010u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(life_cycle)

BOOST_AUTO_TEST_CASE(a_suspend_reads_a_last_time_and_a_resume_begins_from_anything) {
    Provided port(ll40g_model, {.random = true, .seed = 5});
    BOOST_TEST(port.start() == 0);
    unsigned int events = 0;

    port.send(rx(64), 10);
    BOOST_TEST(macstats_suspend(&port.acc, 1000, &events) == 0);
    BOOST_TEST(events == stale);
    BOOST_TEST(port.total("CNTR_RX_64B") == 10u);
    BOOST_TEST(reason(port) == "the port is suspended");
    begin(port.port, MACSTATS_FAULT_SUSPEND);
    port.bus.reads = 0;
    port.bus.writes.clear();
    BOOST_TEST(port.poll() == -ESHUTDOWN);
    BOOST_TEST(port.bus.reads == 0u);
    BOOST_TEST(port.bus.writes.empty());
    port.send(rx(64), 99); // nothing counts without power
    end(port.port, MACSTATS_FAULT_SUSPEND);
    BOOST_TEST(macstats_resume(&port.acc, 2000, &events) == 0);
    BOOST_TEST(events == recovered);
    port.send(rx(64), 3);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("CNTR_RX_64B") == 13u);
    BOOST_TEST(port.acc.state.discontinuities == 0u);
    BOOST_TEST(!port.acc.state.possible_loss);
}

BOOST_AUTO_TEST_CASE(a_resume_without_a_suspend_reports_nothing) {
    Polled port(rolling_model);
    unsigned int events = ~0u;

    port.bus.reads = 0;
    BOOST_TEST(macstats_resume(&port.acc, 2000, &events) == 0);
    BOOST_TEST(events == 0u);
    BOOST_TEST(port.bus.reads == 0u);
}

// The gate is closed by the reset: it has to be opened again.
BOOST_AUTO_TEST_CASE(an_announced_reset_is_one_discontinuity_and_counting_goes_on) {
    Polled port(cpsw_model);
    unsigned int events = 0;

    port.send(rx(64), 10);
    BOOST_TEST(port.poll() == 0);
    port.send(rx(64), 5);
    begin(port.port, MACSTATS_FAULT_RESET);
    BOOST_TEST(macstats_reset(&port.acc, 2000000, &events) == 0);
    BOOST_TEST(events == discontinuity);
    BOOST_TEST(port.acc.state.discontinuities == 1u);
    BOOST_TEST(port.acc.state.discontinuity_ns == 2000000u);
    BOOST_TEST(!port.acc.state.suspect_known);
    BOOST_TEST(!port.acc.state.stale);
    BOOST_TEST(port.total("Good Rx Frames") == 10u);
    port.send(rx(64), 3);
    BOOST_TEST(port.poll_at(3000000) == 0);
    BOOST_TEST(port.total("Good Rx Frames") == 13u);
}

// The device answers, so that all-ones are a count, which the read has cleared.
BOOST_AUTO_TEST_CASE(a_count_that_a_read_has_cleared_before_a_reset_is_a_possible_loss) {
    Copy copy(cpsw_model);
    copy.rows[0].onread = MACSTATS_ONREAD_RCLR;
    copy.rows[0].onwrite = MACSTATS_ONWRITE_NONE;
    Polled port(copy.model());
    port.send(rx(64), 10);
    BOOST_TEST(port.poll() == 0);
    port.port.preset(0u, 0xffffffff);
    bool comes = true;
    port.bus.before_read = [&](u32 address) {
        if (address == copy.rows[1].offset && std::exchange(comes, false))
            begin(port.port, MACSTATS_FAULT_RESET);
    };
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == (discontinuity | loss));
    BOOST_TEST(port.total(copy.rows[0].reg) == 10u);
}

BOOST_AUTO_TEST_CASE(a_gate_that_somebody_closes_stays_closed) {
    Polled port(cpsw_model);

    port.send(rx(64), 10);
    BOOST_TEST(port.poll() == 0);
    port.send(rx(64), 4);
    port.port.write(port.acc.roles.gate.offset, 0);
    BOOST_TEST(port.poll() == -ENODATA);
    BOOST_TEST(port.events == stale);
    BOOST_TEST(reason(port) == "the statistics are switched off by their gate");
    BOOST_TEST(port.total("Good Rx Frames") == 10u);
    BOOST_TEST(port.poll() == -ENODATA);
    BOOST_TEST(port.events == 0u);
    BOOST_TEST(port.acc.state.discontinuities == 0u);
    BOOST_TEST(port.port.read(port.acc.roles.gate.offset) == 0u);
    port.port.write(port.acc.roles.gate.offset, 7);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == recovered);
    BOOST_TEST(port.total("Good Rx Frames") == 14u);
}

// The gate is closed then, and counters that had counted contain 0: before the poll looks at the
// gate, or behind the first read of a counter.
BOOST_AUTO_TEST_CASE(a_reset_that_closes_the_gate_is_recognised) {
    for (const bool during : {false, true}) {
        Polled port(cpsw_model);
        bool done = false;

        port.send(rx(64), 10);
        BOOST_TEST(port.poll() == 0);
        if (during)
            port.bus.before_read = [&](u32 offset) {
                if (offset == 0x40 && !std::exchange(done, true))
                    begin(port.port, MACSTATS_FAULT_RESET);
            };
        else
            begin(port.port, MACSTATS_FAULT_RESET);
        BOOST_TEST(port.poll() == 0);
        port.bus.before_read = nullptr;
        BOOST_TEST_CONTEXT("during a read: " << during) {
            BOOST_TEST(port.events == discontinuity);
            BOOST_TEST(port.acc.state.discontinuities == 1u);
            port.send(rx(64), 3);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST(port.total("Good Rx Frames") == 13u);
        }
    }
}

// While no counter has counted, a reset looks like a gate that somebody closes.
BOOST_AUTO_TEST_CASE(a_reset_of_counters_at_0_leaves_the_gate_closed) {
    Polled port(cpsw_model);
    unsigned int events = 0;

    begin(port.port, MACSTATS_FAULT_RESET);
    BOOST_TEST(port.poll() == -ENODATA);
    BOOST_TEST(reason(port) == "the statistics are switched off by their gate");
    BOOST_TEST(macstats_reset(&port.acc, 2000000, &events) == 0);
    BOOST_TEST(events == (discontinuity | recovered));
    port.send(rx(64), 3);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("Good Rx Frames") == 3u);
}

// Nor does such a port read its counters, which tell nothing, at each poll.
BOOST_AUTO_TEST_CASE(a_closed_gate_in_front_of_counters_at_0_lets_a_poll_read_none) {
    Polled port(cpsw_model);
    unsigned int counters = 0;

    port.port.write(port.acc.roles.gate.offset, 0);
    port.bus.before_read = [&](u32 offset) {
        unsigned int at = 0;

        counters += macstats_counter_at(&cpsw_model, offset, &at) >= 0;
    };
    BOOST_TEST(port.poll() == -ENODATA);
    BOOST_TEST(counters == 0u);
}

BOOST_AUTO_TEST_CASE(a_bus_that_fails_behind_a_closed_gate_shows_no_reset) {
    Polled port(cpsw_model);

    port.send(rx(64), 10);
    BOOST_TEST(port.poll() == 0);
    begin(port.port, MACSTATS_FAULT_RESET);
    port.bus.before_read = [&](u32 offset) {
        if (offset == 0x30) // Rx Octets, behind Good Rx Frames
            begin(port.port, MACSTATS_FAULT_BUS_ERROR);
    };
    BOOST_TEST(port.poll() == -ENODATA);
    BOOST_TEST(port.events == stale);
    port.bus.before_read = nullptr;
    end(port.port, MACSTATS_FAULT_BUS_ERROR);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == (discontinuity | recovered));
}

// As after a reset: no total goes back, and the block has a new baseline.
BOOST_AUTO_TEST_CASE(a_counter_that_somebody_lowers_is_a_discontinuity) {
    Bounded port(cpsw_model);

    port.send(rx(64), 10);
    BOOST_TEST(port.poll() == 0);
    port.port.write("Good Rx Frames", 5);
    port.send(rx(64), 3);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == discontinuity);
    BOOST_TEST(port.acc.state.suspect_value == 8u);
    BOOST_TEST(port.total("Good Rx Frames") == 10u);
    BOOST_TEST(port.total("Rx Octets") == 640u);
    port.send(rx(64), 2);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == 0u);
    BOOST_TEST(port.total("Good Rx Frames") == 12u);
    BOOST_TEST(port.total("Rx Octets") == 768u);
}

BOOST_AUTO_TEST_CASE(hardware_that_is_gone_is_not_touched_again) {
    Polled port(ll40g_model);
    unsigned int events = 0;

    port.send(rx(64), 10);
    BOOST_TEST(port.poll() == 0);
    macstats_gone(&port.acc, &events);
    BOOST_TEST(events == (stale | loss));
    port.bus.reads = 0;
    port.bus.writes.clear();
    BOOST_TEST(port.poll() == -ESHUTDOWN);
    BOOST_TEST(macstats_suspend(&port.acc, 1, &events) == 0);
    BOOST_TEST(macstats_resume(&port.acc, 1, &events) == 0);
    BOOST_TEST(macstats_reset(&port.acc, 1, &events) == 0);
    BOOST_TEST(port.bus.reads == 0u);
    BOOST_TEST(port.bus.writes.empty());
    BOOST_TEST(port.total("CNTR_RX_64B") == 10u);
    BOOST_TEST(port.acc.state.stale);
    macstats_gone(&port.acc, &events);
    BOOST_TEST(events == 0u);
}

// A port that has never been read has counted nothing, and one that is suspended was read before.
BOOST_AUTO_TEST_CASE(a_device_that_goes_while_nothing_is_unread_is_no_possible_loss) {
    unsigned int events = 0;

    Provided never_read(ll40g_agilex5_model);
    begin(never_read.port, MACSTATS_FAULT_CLOCK_STOPPED);
    BOOST_TEST(never_read.start() == 0);
    macstats_gone(&never_read.acc, &events);
    BOOST_TEST(events == 0u); // it was stale from the start
    BOOST_TEST(!never_read.acc.state.possible_loss);

    Polled suspended(ll40g_model);
    BOOST_TEST(macstats_suspend(&suspended.acc, 1000000, &events) == 0);
    BOOST_TEST(events == stale);
    macstats_gone(&suspended.acc, &events);
    BOOST_TEST(events == 0u);
    BOOST_TEST(!suspended.acc.state.possible_loss);
}

// It has nothing that could be stale or lost.
BOOST_AUTO_TEST_CASE(a_port_without_counters_has_no_event_in_its_life) {
    for (const macstats_model* model : macstats::all_models()) {
        Provided port(*model, {.without = static_cast<u16>(macstats_statistics_options(model))});
        unsigned int events = ~0u;

        BOOST_TEST_CONTEXT(model->name) {
            BOOST_TEST(port.start() == 0);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST(port.events == 0u);
            for (const auto happens : {macstats_suspend, macstats_resume, macstats_reset}) {
                events = ~0u;
                BOOST_TEST(happens(&port.acc, 2000000, &events) == 0);
                BOOST_TEST(events == 0u);
            }
            BOOST_TEST(macstats_suspend(&port.acc, 2000000, &events) == 0);
            BOOST_TEST(port.acc.state.suspended);
            BOOST_TEST(macstats_resume(&port.acc, 2000000, &events) == 0);
            BOOST_TEST(!port.acc.state.suspended);
            BOOST_TEST(port.poll() == 0);
            events = ~0u;
            macstats_gone(&port.acc, &events);
            BOOST_TEST(events == 0u);
            BOOST_TEST(port.acc.state.gone);
            BOOST_TEST(!port.acc.state.stale);
            BOOST_TEST(!port.acc.state.possible_loss);
            BOOST_TEST(port.acc.state.discontinuities == 0u);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(unplugged)

// 0x3ff is a value that a counter of 10 bits may hold, and one that the line may carry:
// a register that is never all-ones tells the difference.
BOOST_AUTO_TEST_CASE(reads_of_all_ones_enter_no_total) {
    const auto shipped = macstats::all_models();
    std::vector<const macstats_model*> models(shipped.begin(), shipped.end());

    models.push_back(&decrement_model);
    for (const macstats_model* model : models) {
        Polled port(*model);
        port.send(rx(64), 10);
        BOOST_TEST(port.poll() == 0);
        const std::vector<u64> before = port.totals();

        BOOST_TEST_CONTEXT(model->name) {
            begin(port.port, MACSTATS_FAULT_UNPLUG);
            unsigned int reads = 0;
            port.bus.before_read = [&reads](u32) { reads++; };
            BOOST_TEST(port.poll() == -ENODEV);
            port.bus.before_read = nullptr;
            BOOST_TEST(port.events == stale);
            BOOST_TEST(reason(port) == "the device does not answer, all reads give ones");
            // The words of one run, and what is read before it and after it
            BOOST_TEST(reads <= 16u + 12u);
            BOOST_TEST(port.totals() == before, boost::test_tools::per_element());
            BOOST_TEST(!port.acc.state.possible_loss);
            end(port.port, MACSTATS_FAULT_UNPLUG);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST(port.events == recovered);
            BOOST_TEST(port.totals() == before, boost::test_tools::per_element());
            BOOST_TEST(port.acc.state.discontinuities == 0u);
        }
    }
}

// A counter that holds 2^32 - 1 cannot be told from hardware that is gone once the bus has failed
// at the register that would tell. The read has cleared it.
BOOST_AUTO_TEST_CASE(all_ones_that_nothing_confirms_enter_no_total_and_are_a_possible_loss) {
    Polled port(rc32438_model);
    u32 presence = 0;
    bool cleared = false;

    BOOST_REQUIRE(macstats__presence_register(&rc32438_model, &port.acc.roles, &presence));
    port.port.preset(port.index("RPC"), 0xffffffff);
    port.bus.before_read = [&](u32 address) {
        if (cleared && address == presence)
            begin(port.port, MACSTATS_FAULT_BUS_ERROR);
        cleared = cleared || address == rc32438_model.counters[port.index("RPC")].offset;
    };
    BOOST_TEST(port.poll() == -EIO);
    BOOST_TEST(port.events == (stale | loss));
    port.bus.before_read = nullptr;
    end(port.port, MACSTATS_FAULT_BUS_ERROR);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RPC") == 0u);
    BOOST_TEST(port.acc.state.possible_loss);
}

// A counter as wide as the bus that counted 2^32 - 1 events: a device that answers has counted
// them, and one that does not has not.
BOOST_AUTO_TEST_CASE(a_count_of_all_ones_is_a_count) {
    unsigned int counters = 0;

    for (const macstats_model* model : macstats::all_models())
        for (unsigned int i = 0; i < macstats_register_counters(model); i++) {
            if (model->counters[i].bits != 32 || model->bus_bits != 32)
                continue;
            Polled port(*model, {.with = revision_with(model->counters[i])});

            counters++;
            port.port.preset(i, 0xffffffff);
            BOOST_TEST_CONTEXT(model->name << ": " << model->counters[i].name) {
                BOOST_TEST(port.poll() == 0);
                BOOST_TEST(port.acc.counters[i].total == 0xffffffffu);
                BOOST_TEST((port.events & (loss | discontinuity)) == 0u);
                BOOST_TEST(
                    port.acc.counters[i].saturated ==
                    (model->counters[i].overflow == MACSTATS_SATURATE ? 1u : 0u));
            }
        }
    BOOST_TEST(counters > 100u); // e1000, rc32438, cpsw, ixf1104
}

BOOST_AUTO_TEST_CASE(every_model_has_a_register_that_never_reads_as_all_ones) {
    u32 offset = 0;

    for (const macstats_model* model : macstats::all_models()) {
        const macstats_roles roles = macstats_find_roles(model);
        BOOST_TEST(macstats__presence_register(model, &roles, &offset), model->name);
    }
}

// At every word of a read: what was cleared before it is reported as a possible loss.
BOOST_AUTO_TEST_CASE(an_unplug_in_the_middle_of_a_read_adds_nothing_and_is_reported) {
    for (unsigned int word = 0; word < 40; word++) {
        Polled port(rc32438_model);

        port.send(rx(64), 10);
        const int err = port.poll_changed(word, [&] { begin(port.port, MACSTATS_FAULT_UNPLUG); });
        end(port.port, MACSTATS_FAULT_UNPLUG);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST_CONTEXT("word " << word) {
            BOOST_TEST((err == 0 || err == -ENODEV));
            BOOST_TEST((port.total("RPC") == 0u || port.total("RPC") == 10u));
            BOOST_TEST((port.total("RPC") == 10u || port.acc.state.possible_loss));
        }
    }
}

BOOST_AUTO_TEST_CASE(an_unplug_at_any_access_changes_no_total) {
    for (unsigned int access = 0; access < 120; access++) {
        Polled port(cpsw_model);

        port.send(rx(64), 7);
        port.poll_changed(access, [&] { begin(port.port, MACSTATS_FAULT_UNPLUG); });
        end(port.port, MACSTATS_FAULT_UNPLUG);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST_CONTEXT("access " << access) {
            BOOST_TEST(port.total("Good Rx Frames") == 7u);
            BOOST_TEST(port.total("Rx + Tx 64 Octet Frames") == 7u);
            BOOST_TEST(!port.acc.state.possible_loss);
            port.send(rx(64), 1);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST(port.total("Good Rx Frames") == 8u);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(not_ready_any_more)

BOOST_AUTO_TEST_CASE(a_reset_that_begins_behind_the_check_adds_no_garbage) {
    Polled port(rc32438_model);

    port.send(rx(64), 10);
    begin(port.port, MACSTATS_FAULT_RESET_IN_PROGRESS, true);
    BOOST_TEST(port.poll() == -EBUSY);
    BOOST_TEST(reason(port) == "a reset is in progress");
    BOOST_TEST(port.total("RPC") == 0u);
    BOOST_TEST(port.acc.state.possible_loss); // what a clearing read has shown was not usable
    end(port.port, MACSTATS_FAULT_RESET_IN_PROGRESS);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RPC") == 10u); // here the read had not cleared it
}

BOOST_AUTO_TEST_CASE(a_clock_that_stops_behind_the_check_adds_no_garbage) {
    Polled port(ll40g_agilex5_model);

    port.send(rx(64), 10);
    begin(port.port, MACSTATS_FAULT_CLOCK_STOPPED, true);
    BOOST_TEST(port.poll() == -ENOLINK);
    for (const u64 total : port.totals())
        BOOST_TEST(total == 0u);
    end(port.port, MACSTATS_FAULT_CLOCK_STOPPED);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == recovered);
    BOOST_TEST(port.acc.state.discontinuities == 0u);
    BOOST_TEST(port.total("RX 64B") == 10u);
}

// Both at once: the values were read without an error, so the driver adds them, but it
// reports the port as stale.
BOOST_AUTO_TEST_CASE(a_check_behind_the_read_that_fails_makes_the_port_stale) {
    Polled port(rc32438_model);
    unsigned int checks = 0;

    port.send(rx(64), 10);
    port.bus.before_read = [&](u32 offset) {
        if (offset == port.acc.roles.busy.offset && checks++ == 1)
            begin(port.port, MACSTATS_FAULT_BUS_ERROR);
    };
    BOOST_TEST(port.poll() == -EIO);
    BOOST_TEST(port.events == stale);
    BOOST_TEST(port.total("RPC") == 10u);
}

// Of any model: the driver knows whether they run.
BOOST_AUTO_TEST_CASE(without_clocks_no_register_is_read) {
    Polled port(cpsw_model);
    const unsigned int before = port.bus.reads;

    port.acc.bus.clocks_run = [](void*) { return false; };
    BOOST_TEST(port.poll() == -ENOLINK);
    BOOST_TEST(port.bus.reads == before);
    BOOST_TEST(reason(port) == "the clocks of the port stand still");
}

BOOST_AUTO_TEST_CASE(a_saturated_counter_that_was_read_in_vain_is_a_possible_loss) {
    macstats_model model = errors_model;
    model.needs_clocks = true;
    Polled port(model);

    port.port.send(rx(64).bad(), 2000);
    port.port.after_read = [&](u32, int, u64) { begin(port.port, MACSTATS_FAULT_CLOCK_STOPPED); };
    BOOST_TEST(port.poll() == -ENOLINK);
    BOOST_TEST(port.events == (stale | loss));
}

// Its users have been shown counters by then.
BOOST_AUTO_TEST_CASE(a_device_without_counters_that_could_not_be_asked_stays_stale) {
    Provided port(ll40g_agilex5_model, {.without = all_statistics});

    port.acc.without_counters = false;
    begin(port.port, MACSTATS_FAULT_CLOCK_STOPPED);
    BOOST_TEST(port.start() == 0);
    end(port.port, MACSTATS_FAULT_CLOCK_STOPPED);
    for (int poll = 0; poll < 2; poll++) {
        BOOST_TEST(port.poll() == -ENODEV);
        BOOST_TEST(reason(port) == "the device lacks counters that its users were shown");
    }
    BOOST_TEST(!port.acc.state.absent);
}

// A bus that fails meanwhile is asked again.
BOOST_AUTO_TEST_CASE(a_device_that_answers_in_part_for_which_counters_it_has_is_asked_again) {
    Copy copy(ll40g_agilex5_model);
    int errors = 1;

    // A bit of each direction that is 0.
    copy.rows[0].present = {0x846, 1u << 1};
    copy.rows[1].present = {0x946, 1u << 1};
    Provided port(copy.model());
    begin(port.port, MACSTATS_FAULT_CLOCK_STOPPED);
    BOOST_TEST(port.start() == 0);
    end(port.port, MACSTATS_FAULT_CLOCK_STOPPED);
    port.bus.before_read = [&](u32 offset) {
        if (offset == 0x946 && errors-- > 0)
            port.port.fault(MACSTATS_FAULT_BUS_ERROR);
    };
    BOOST_TEST(port.poll() == -EIO);
    BOOST_TEST(reason(port) == "the registers cannot be reached");
    BOOST_TEST(!macstats_lacks_counter(&port.acc, 0));
    port.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
    BOOST_TEST(port.poll() == -ENODEV);
    BOOST_TEST(reason(port) == "the device lacks counters that its users were shown");
}

BOOST_AUTO_TEST_CASE(a_device_without_some_counters_that_could_not_be_asked_stays_stale) {
    Provided port(ll40g_agilex5_model, {.without = MACSTATS_OPT_RX_STATISTICS});

    begin(port.port, MACSTATS_FAULT_CLOCK_STOPPED);
    BOOST_TEST(port.start() == 0);
    end(port.port, MACSTATS_FAULT_CLOCK_STOPPED);
    for (int poll = 0; poll < 2; poll++) {
        BOOST_TEST(port.poll() == -ENODEV);
        BOOST_TEST(reason(port) == "the device lacks counters that its users were shown");
    }
    BOOST_TEST(port.acc.absent_blocks == 0u);
}

// Closed at any access after the check: 5 frames are 5, now or when it is open again.
BOOST_AUTO_TEST_CASE(a_gate_that_closes_at_any_access_counts_nothing_twice) {
    for (unsigned int access = 0; access < 120; access++) {
        Polled port(cpsw_model);

        port.send(rx(64), 5);
        port.poll_changed(access, [&] { begin(port.port, MACSTATS_FAULT_GATE_CLOSES); });
        BOOST_TEST_CONTEXT("access " << access) {
            end(port.port, MACSTATS_FAULT_GATE_CLOSES);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST(port.total("Good Rx Frames") == 5u);
            BOOST_TEST(port.total("Rx + Tx 64 Octet Frames") == 5u);
            BOOST_TEST(port.total("Rx Octets") == 320u);
            BOOST_TEST(port.acc.state.discontinuities == 0u);
            port.send(rx(64), 2);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST(port.total("Good Rx Frames") == 7u);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(failing_reads)

// Any word may fail: the driver adds the values before it, and the rest at the next poll.
BOOST_AUTO_TEST_CASE(a_word_that_fails_loses_nothing_that_was_cleared_before_it) {
    for (const macstats_model* model : {&ixf1104_model, &rc32438_model, &clearing_model}) {
        const unsigned int words = macstats_counter_words(model);
        Polled good(*model);
        good.send(rx(64), 1500);
        BOOST_TEST(good.poll() == 0);

        for (unsigned int word = 0; word < words; word++) {
            Polled port(*model);
            port.send(rx(64), 1000);
            begin(port.port, MACSTATS_FAULT_BUS_ERROR_AT, false, word);
            BOOST_TEST(port.poll() == -EIO);
            BOOST_TEST(port.events == stale);
            port.send(rx(64), 500);
            port.poll();
            end(port.port, MACSTATS_FAULT_BUS_ERROR_AT);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST_CONTEXT(model->name << " word " << word) {
                BOOST_TEST(port.totals() == good.totals(), boost::test_tools::per_element());
                BOOST_TEST(!port.acc.state.possible_loss);
            }
        }
    }
}

// The low word of tx_octets is read, and with it cleared; the high one fails.
BOOST_AUTO_TEST_CASE(half_of_a_counter_that_a_read_clears_is_added_and_reported) {
    Polled port(latching_model);

    port.send(tx(100), 10);
    begin(port.port, MACSTATS_FAULT_BUS_ERROR_AT, false, 3);
    BOOST_TEST(port.poll() == -EIO);
    BOOST_TEST(port.events == (stale | loss));
    end(port.port, MACSTATS_FAULT_BUS_ERROR_AT);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("TX_OCTETS") == 1000u);
    BOOST_TEST(port.acc.state.possible_loss);
}

// The low word of tx_octets is word 2 of four.
BOOST_AUTO_TEST_CASE(another_fault_leaves_the_word_that_fails) {
    Polled port(latching_model);

    begin(port.port, MACSTATS_FAULT_BUS_ERROR_AT, false, 2);
    begin(port.port, MACSTATS_FAULT_SLOW_BUS, false, 1);
    port.send(rx(64), 10);
    port.send(tx(100), 10);
    BOOST_TEST(port.poll() == -EIO);
    BOOST_TEST(port.total("RX_OCTETS") == 640u);
    BOOST_TEST(port.total("TX_OCTETS") == 0u);
}

// ll40g has snapshots and no gate, cpsw has a gate and no snapshot.
BOOST_AUTO_TEST_CASE(a_fault_that_cannot_happen_is_rejected) {
    const struct {
        const macstats_model& model;
        macstats_fault_request request;
        int expected;
    } cases[] = {
        {ll40g_model, {0, true, false, 0}, -EINVAL},
        {ll40g_model, {MACSTATS_FAULT_SNAPSHOT_STUCK, true, false, 0}, 0},
        {cpsw_model, {MACSTATS_FAULT_SNAPSHOT_STUCK, true, false, 0}, -EINVAL},
        {cpsw_model, {MACSTATS_FAULT_GATE_CLOSES, true, true, 0}, 0},
        {cpsw_model, {MACSTATS_FAULT_GATE_CLOSES, false, true, 0}, -EINVAL},
        {ll40g_model, {MACSTATS_FAULT_GATE_CLOSES, true, false, 0}, -EINVAL},
        {cpsw_model, {MACSTATS_FAULT_UNPLUG, true, true, 0}, -EINVAL},
        {cpsw_model, {MACSTATS_FAULT_RESET, true, false, 0}, 0},
        {cpsw_model, {MACSTATS_FAULT_RESET, false, false, 0}, -EINVAL},
    };

    for (const auto& [model, request, expected] : cases)
        BOOST_TEST(
            macstats_fault_check(&model, &request) == expected,
            model.name << ": faults " << request.faults << ", argument " << request.argument);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(parity)

// The line can have carried all of them. 2^63 events and more are taken for a flipped bit.
BOOST_AUTO_TEST_CASE(a_damaged_block_advances_by_less_than_half_of_its_range) {
    for (const u64 frames : {u64{7000000000000000000}, u64{1} << 63}) {
        Polled port(ll40g_model);
        const bool plausible = frames < u64{1} << 63;

        port.send(rx(64), frames);
        begin(port.port, MACSTATS_FAULT_PARITY_ERROR);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.total("CNTR_RX_64B") == (plausible ? frames : 0u));
    }
}

BOOST_AUTO_TEST_CASE(a_damaged_value_does_not_enter_a_total_even_without_a_bound) {
    for (const macstats_model* model : {&ll40g_model, &ll40g_agilex5_model}) {
        Polled port(*model);
        const unsigned int rx_64b = port.index(model == &ll40g_model ? "CNTR_RX_64B" : "RX 64B");

        port.send(rx(64), 5);
        begin(port.port, MACSTATS_FAULT_PARITY_ERROR);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.events == (MACSTATS_EVENT_PARITY_ERROR | discontinuity));
        const std::vector<u64> after = port.totals();
        BOOST_TEST(after[port.acc.state.suspect] == 0u);
        BOOST_TEST((port.acc.state.suspect_value & 0x8000000000000000) != 0u);
        BOOST_TEST(port.acc.counters[rx_64b].total == 5u); // another counter of the block
        port.send(rx(64), 5);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.events == 0u);
        BOOST_TEST(port.acc.counters[rx_64b].total == 10u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cleared_by_somebody_else)

// No time has passed in which the line could have carried 2^31 frames: a flipped bit. The preset
// replaces it, so that no poll ever reads it.
BOOST_AUTO_TEST_CASE(an_impossible_value_before_a_preset_is_reported_by_the_next_poll) {
    Bounded port(rc32438_model);
    const unsigned int frames = port.index("RPC");

    port.port.preset(frames, u64{1} << 31);
    port.preset(frames, 7);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == discontinuity);
    BOOST_TEST(port.acc.state.discontinuities == 1u);
    BOOST_TEST(port.acc.state.suspect == frames);
    BOOST_TEST(port.acc.state.suspect_value == u64{1} << 31);
    BOOST_TEST(port.acc.counters[frames].total == 0u);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == 0u);
}

// 105 frames of 64 octets and 5 of 100; cleared; 111 of 64 octets. The 64-octet counter
// did not go back, but the other one did: neither value is valid.
BOOST_AUTO_TEST_CASE(one_counter_that_goes_back_reveals_a_reset_of_its_block) {
    Polled port(ll40g_model);

    port.send(rx(64), 105);
    port.send(rx(100), 5);
    port.send(tx(64), 1);
    BOOST_TEST(port.poll() == 0);
    port.port.write(0x945, 1); // CNTR_RX_CONFIG, bit 0: clear
    port.send(rx(64), 111);
    port.send(tx(64), 1);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == discontinuity);
    BOOST_TEST(port.total("CNTR_RX_64B") == 105u);
    BOOST_TEST(port.total("CNTR_TX_64B") == 2u); // the other block goes on
    port.send(rx(64), 1);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("CNTR_RX_64B") == 106u);
}

// 200 frames of 64 octets bring every other counter of the block past its old value: 105 frames of
// 46 octets of payload and 5 of 82 are 5240 octets, and 200 of 46 are 9200.
BOOST_AUTO_TEST_CASE(a_preset_also_detects_a_cleared_block) {
    Polled port(ll40g_model);

    port.send(rx(64), 105);
    port.send(rx(100), 5);
    port.send(tx(64), 2);
    BOOST_TEST(port.poll() == 0);
    port.port.write(0x945, 1);
    port.send(rx(64), 200);
    port.send(tx(64), 3);
    port.preset("CNTR_RX_65to127B", 0);
    BOOST_TEST(port.acc.state.suspect == port.index("CNTR_RX_65to127B"));
    BOOST_TEST(port.acc.state.suspect_value == 0u);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == discontinuity);
    BOOST_TEST(port.acc.state.discontinuities == 1u);
    BOOST_TEST(port.total("CNTR_RX_64B") == 105u);
    BOOST_TEST(port.total("CNTR_RX_65to127B") == 5u);
    BOOST_TEST(port.total("RxOctetsOK") == 5240u);
    BOOST_TEST(port.total("CNTR_TX_64B") == 5u); // the other block goes on
    port.send(rx(64), 1);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == 0u);
    BOOST_TEST(port.total("CNTR_RX_64B") == 106u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_driver_that_knows_of_no_counters_is_believed_on_any_model) {
    for (const macstats_model* model : macstats::all_models()) {
        Provided port(*model);

        port.acc.without_counters = true;
        BOOST_TEST(port.start() == 0);
        BOOST_TEST(port.acc.state.absent, model->name);
        port.send(rx(64), 5);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.bus.reads == 0u, model->name);
        BOOST_TEST(port.acc.state.generation == 0u);
    }
}

BOOST_AUTO_TEST_SUITE_END()
