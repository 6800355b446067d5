// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The IXF1104: what a comparison of its counters with the slow reference (reference.cpp) cannot
// show.
#include "boost_test.hpp"

#include "fixture.hpp"
#include "models.hpp"

BOOST_AUTO_TEST_SUITE(unit_model_ixf1104)

using namespace macstats::test;

namespace {

constexpr u8 copper = 0;
constexpr u8 fiber = MACSTATS_OPT_FIBER;
constexpr u8 half = MACSTATS_OPT_HALF_DUPLEX;

constexpr unsigned int fcs = MACSTATS_ERR_FCS;
constexpr unsigned int alignment = MACSTATS_ERR_ALIGNMENT;
constexpr unsigned int code = MACSTATS_ERR_CODE;
constexpr unsigned int payload_length = MACSTATS_ERR_PAYLOAD_LENGTH;
constexpr unsigned int late = MACSTATS_ERR_LATE_COLLISION;
constexpr unsigned int excessive = MACSTATS_ERR_EXCESSIVE_COLLISIONS;
constexpr unsigned int deferral = MACSTATS_ERR_EXCESSIVE_DEFERRAL;
constexpr unsigned int carrier_loss = MACSTATS_ERR_CARRIER_LOSS;
constexpr unsigned int underrun = MACSTATS_ERR_UNDERRUN;
constexpr unsigned int overrun = MACSTATS_ERR_OVERRUN;

} // namespace

// Any combination of errors, on either medium. On fiber, runts are not counted.
BOOST_AUTO_TEST_CASE(a_bad_frame_is_one_error_however_many_things_are_wrong_with_it) {
    for (u8 options : {copper, fiber, half}) {
        for (u32 length : {2u, 60u, 64u, 1518u, 1519u, 7000u}) {
            for (unsigned int errors = 0; errors < 2 * overrun; errors++) {
                const bool undersized = length < 64;
                const bool oversized = length > 1518;
                const bool bad_rx = oversized || (errors & (fcs | alignment | code));
                const bool collided = errors & (late | excessive | deferral);
                const bool bad_tx = oversized || collided || (errors & (fcs | underrun));
                Polled chip(ixf1104_model, {.with = options});

                if (errors & (payload_length | carrier_loss | overrun))
                    continue;
                chip.port.send(rx(length).with(errors));
                chip.port.send(rx(64), 2);
                // In full duplex there is nothing that such a frame could be.
                if (options == half || !collided)
                    chip.port.send(tx(length).with(errors));
                BOOST_TEST_REQUIRE(chip.poll() == 0);

                const Standard standard = chip.standard();
                const u64 rx_errors = undersized ? options != fiber : bad_rx;
                const u64 rx_packets = undersized || bad_rx ? 2 : 3;
                BOOST_TEST_CONTEXT("length " << length << " errors " << errors) {
                    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_ERRORS] == rx_errors);
                    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_PACKETS] == rx_packets);
                    if (options == half || !collided)
                        BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_ERRORS] == u64{bad_tx});
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_reset_drops_what_is_not_shown_yet) {
    Port port(ixf1104_model);

    port.send(rx(64), 5);
    port.send(rx(40), 3);
    port.fault(MACSTATS_FAULT_RESET);
    port.send(rx(64), 1);
    BOOST_TEST(port.read("RxRuntErrors") == 0u);
    port.send(rx(64), 2);
    BOOST_TEST(port.read("RxRuntErrors") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
