// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The frames of rows are for the emulation. A port whose rows do not state them is polled as often
// as one whose rows do, and reports losses in the same way.
#include "boost_test.hpp"

#include <algorithm>
#include <iterator>

#include <macstats/interval.h>
#include <macstats/lengths.h>

#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_frames_not_stated)

using namespace macstats::test;

namespace {

// The counters of clearing_model, tx_frames with 16 bits, without their frames.
struct Unstated {
    Unstated() {
        std::copy(std::begin(clearing_counters), std::end(clearing_counters), counters);
        for (macstats_counter& counter : counters)
            std::fill(std::begin(counter.when), std::end(counter.when), macstats_when{});
        counters[2].bits = 16;
        model.counters = counters;
    }

    macstats_counter counters[std::size(clearing_counters)] = {};
    macstats_model model = clearing_model;
};

constexpr u64 rate = 1'000'000'000; // the line rate of clearing_model

} // namespace

BOOST_AUTO_TEST_CASE(names_tell_the_direction) {
    const Unstated unstated;

    BOOST_TEST(macstats_counter_direction(&unstated.counters[0]) == +MACSTATS_RX);
    BOOST_TEST(macstats_counter_direction(&unstated.counters[2]) == +MACSTATS_TX);
    macstats_counter mixed = unstated.counters[3];
    mixed.name = "rxtx_collisions";
    BOOST_TEST(macstats_counter_direction(&mixed) == (MACSTATS_RX | MACSTATS_TX));
    mixed.never = true;
    BOOST_TEST(macstats_counter_direction(&mixed) == 0);
}

// 65,536 frames of 64 octets, 20 octets apart, take 44.04 ms at 1 Gb/s.
BOOST_AUTO_TEST_CASE(the_poll_interval_is_half_of_the_shortest_wrap_time) {
    Unstated unstated;

    BOOST_TEST(macstats_poll_ceiling_usecs(&unstated.model, rate) == 22'020u);
    BOOST_TEST(macstats__fewest_wrap_octets(&unstated.model) == 65'536u * 84);
    // Without that row, 2^32 octets, in 34.36 s.
    unstated.counters[2].never = true;
    BOOST_TEST(macstats_poll_ceiling_usecs(&unstated.model, rate) == 17'179'869u);
    BOOST_TEST(macstats__fewest_wrap_octets(&unstated.model) == u64{1} << 32);
}

BOOST_AUTO_TEST_CASE(a_frame_may_be_as_short_as_an_octet) {
    const Unstated unstated;

    BOOST_TEST(macstats__shortest_length(&unstated.model, &unstated.counters[1]) == 1u);
}

BOOST_AUTO_TEST_CASE(a_late_poll_is_a_possible_loss) {
    const Unstated unstated;
    Polled polled(unstated.model);

    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.poll_after(44'000'000) == 0);
    BOOST_TEST(!polled.acc.state.possible_loss);
    BOOST_TEST(polled.poll_after(45'000'000) == 0);
    BOOST_TEST(polled.acc.state.possible_loss);
}

BOOST_AUTO_TEST_SUITE_END()
