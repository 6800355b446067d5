// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// What the traffic of a port tells about its counters: whether one may have gone round between two
// polls, and whether octets and frames belong together.
#include <boost/test/unit_test.hpp>

#include <string>

#include <macstats/model/cpsw.h>
#include <macstats/model/e1000.h>
#include <macstats/model/ixf1104.h>
#include <macstats/model/ll40g.h>
#include <macstats/model/rc32438.h>

#include "synthetic.hpp"

using namespace macstats::test;

BOOST_AUTO_TEST_SUITE(going_round)

// Octets of 32 bits: 2^32 octet times may be 2^32 octets. Frames of 32 bits alone: of at least 84
// octet times each.
BOOST_AUTO_TEST_CASE(the_narrowest_counter_decides) {
    BOOST_TEST(macstats_fewest_wrap_octets(&e1000_model) == u64{1} << 32);
    BOOST_TEST(macstats_fewest_wrap_octets(&ixf1104_model) == u64{1} << 32);
    BOOST_TEST(macstats_fewest_wrap_octets(&ll40g_model) == ~u64{0});
    macstats_model model = clearing_model;
    model.counters++;
    model.n_counters = 2;
    BOOST_TEST(macstats_fewest_wrap_octets(&model) == (u64{1} << 32) * 84);
    BOOST_TEST(macstats_fewest_wrap_octets(&saturating_model) == ~u64{0});
}

BOOST_AUTO_TEST_CASE(what_the_bus_reports_is_compared_with_the_width) {
    for (const u64 count : {u64{2684354}, u64{2684355}}) { // of 1600 octet times: 2^32 is between
        Polled polled(clearing_model);

        polled.port.send(rx(1580), count);
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(polled.acc.possible_loss == (count == 2684355));
        BOOST_TEST(
            polled.acc.loss ==
            std::string(count == 2684355 ? "more passed on the line than a counter shows" : ""));
        polled.acc.possible_loss = false;
        polled.port.send(rx(1580), 1000);
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(!polled.acc.possible_loss);
    }
}

BOOST_AUTO_TEST_CASE(what_passed_before_a_failed_poll_counts) {
    Polled polled(clearing_model);

    polled.port.send(rx(1580), 2000000);
    polled.port.fault(MACSTATS_FAULT_BUS_ERROR);
    BOOST_TEST(polled.poll() == -EIO);
    polled.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
    polled.port.send(rx(1580), 2000000);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.acc.possible_loss);
}

// A virtual part: no line rate, and a bus that knows nothing. The maximum is 1522 octets, with two
// tags 1530: 2,807,167 frames of them are the first that have more than 2^32 - 1 octets.
BOOST_AUTO_TEST_CASE(frames_tell_how_many_octets_there_may_be) {
    for (const u64 count : {u64{2807166}, u64{2807167}})
        for (const u8 direction : directions) {
            Polled polled(e1000_model);

            polled.acc.bus.line_octets = nullptr;
            polled.port.send(Frame(direction, 64), count);
            BOOST_TEST(polled.poll() == 0);
            BOOST_TEST(polled.acc.possible_loss == (count == 2807167));
            polled.acc.possible_loss = false;
            polled.port.send(Frame(direction, 64), 1000);
            BOOST_TEST(polled.poll() == 0);
            BOOST_TEST(!polled.acc.possible_loss);
        }
}

// The time since the last poll tells how many octets there can have been.
BOOST_AUTO_TEST_CASE(a_line_rate_tells_more_than_frames) {
    Polled polled(e1000_model);

    polled.acc.bus.line_octets = nullptr;
    polled.acc.line_rate_bound = true;
    polled.port.send(rx(64), 3000000);
    BOOST_TEST(polled.poll_after(10'000'000'000) == 0);
    BOOST_TEST(!polled.acc.possible_loss);
}

BOOST_AUTO_TEST_SUITE_END()
