// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Sums that must hold between the counters of the Low Latency 40GbE core whatever
// the traffic (register maps 1.1, "Identities that must hold"), after 100,000 random
// frames.
#include "boost_test.hpp"

#include <string_view>

#include <macstats/model/ll40g.h>
#include <macstats/standard.h>

#include "ll40g_datasheet.hpp"

BOOST_AUTO_TEST_SUITE(unit_identities)

using namespace macstats::test;
using namespace macstats::test::ll40g;

namespace {

// A port after random traffic, and what the traffic was.
struct Busy {
    explicit Busy(const Setup& setup, u32 max = 9600, u64 number = 2024)
        : polled(ll40g_model, setup) {
        Random random(seed_of(number));

        polled.port.write(max_tx_size, max);
        polled.port.write(max_rx_size, max);
        for (int i = 0; i < 100000; i++) {
            const Frame frame = random_frame(random, max);
            const u64 count = 1 + random.below(1000);

            polled.port.send(frame, count, random.below(setup.cell_set));
            if (frame.direction == MACSTATS_RX)
                received += count;
            else if (frame.length >= 9)
                transmitted += count;
            // Frames that are over the maximum and yet in a size bin, or too short.
            const u32 length =
                frame.direction == MACSTATS_TX && frame.length < 64 ? 64 : frame.length;
            if (length > max && length <= 1518)
                (frame.direction == MACSTATS_RX ? received_twice : transmitted_twice) += count;
        }
        BOOST_TEST(polled.poll() == 0);
    }

    Polled polled;
    u64 received = 0;
    u64 transmitted = 0;
    u64 received_twice = 0;
    u64 transmitted_twice = 0;
};

// The counters of one page.
class PageOf {
public:
    PageOf(Busy& busy, u8 direction) : values_(read_all(busy.polled.port)), direction_(direction) {}

    u64 operator[](std::string_view what) const { return values_.at(on_page(direction_, what)); }

    u64 sum(std::initializer_list<std::string_view> many) const {
        u64 total = 0;

        for (std::string_view what : many)
            total += (*this)[what];
        return total;
    }

    u64 bins() const {
        return sum(
            {"64B", "65to127B", "128to255B", "256to511B", "512to1023B", "1024to1518B",
             "1519toMAXB"});
    }
    u64 data_errors() const { return sum({"MCAST_DATA_ERR", "BCAST_DATA_ERR", "UCAST_DATA_ERR"}); }
    u64 control_errors() const {
        return sum({"MCAST_CTRL_ERR", "BCAST_CTRL_ERR", "UCAST_CTRL_ERR"});
    }
    u64 control() const { return sum({"MCAST_CTRL", "BCAST_CTRL", "UCAST_CTRL"}); }
    u64 good() const {
        return sum({"MCAST_DATA_OK", "BCAST_DATA_OK", "UCAST_DATA_OK"}) + control();
    }

private:
    Values values_;
    u8 direction_;
};

// Identities that hold under every meaning of CRCERR.
void common_identities(Busy& busy) {
    for (u8 direction : directions) {
        const PageOf page(busy, direction);
        const u64 all = direction == MACSTATS_RX ? busy.received : busy.transmitted;

        BOOST_TEST(page["ST"] == all);
        BOOST_TEST(page["FCS"] == page.data_errors() + page.control_errors());
        BOOST_TEST(page["PAUSE_ERR"] <= page.control_errors());
        BOOST_TEST(page["PAUSE"] <= page.control());
        BOOST_TEST(page["FRAGMENTS"] <= page["RUNT"]);
        BOOST_TEST(page["JABBERS"] <= page["OVERSIZE"]);
        BOOST_TEST(page.good() + page["FCS"] == all);
        // Otherwise the test would show little.
        BOOST_TEST(page["PAUSE_ERR"] > 0u);
        BOOST_TEST(page["PAUSE"] > 0u);
        BOOST_TEST(page["JABBERS"] > 0u);
        BOOST_TEST(page["OctetsOK"] > 0u);
    }
    const PageOf transmit(busy, MACSTATS_TX);
    BOOST_TEST(transmit["RUNT"] == 0u);
    BOOST_TEST(transmit["FRAGMENTS"] == 0u);
    const PageOf receive(busy, MACSTATS_RX);
    BOOST_TEST(receive["FRAGMENTS"] > 0u);
    BOOST_TEST(receive["FRAGMENTS"] < receive["RUNT"]);
}

// "FramesReceivedOK (IEEE) = sum of six *_OK - (OVERSIZE-JABBERS) - (RUNT-FRAGMENTS)".
void standard_identities(Busy& busy) {
    Summed standard;
    const PageOf receive(busy, MACSTATS_RX);
    const PageOf transmit(busy, MACSTATS_TX);
    auto ok = [](const PageOf& page) {
        return page.good() - (page["OVERSIZE"] - page["JABBERS"]) -
               (page["RUNT"] - page["FRAGMENTS"]);
    };

    standard.update(busy.polled.acc);
    BOOST_TEST(standard.value[MACSTATS_STD_FRAMES_RECEIVED_OK] == ok(receive));
    BOOST_TEST(standard.value[MACSTATS_STD_FRAMES_TRANSMITTED_OK] == ok(transmit));
    // Every frame is good or it is not.
    BOOST_TEST(
        standard.value[MACSTATS_STD_RTNL_RX_PACKETS] +
            standard.value[MACSTATS_STD_RTNL_RX_ERRORS] ==
        busy.received);
    BOOST_TEST(
        standard.value[MACSTATS_STD_RTNL_TX_PACKETS] +
            standard.value[MACSTATS_STD_RTNL_TX_ERRORS] ==
        busy.transmitted);
    // Those with a bad FCS are too short, too long, or neither.
    BOOST_TEST(
        standard.value[MACSTATS_STD_FRAGMENTS] + standard.value[MACSTATS_STD_JABBERS] +
            standard.value[MACSTATS_STD_FRAME_CHECK_SEQUENCE_ERRORS] ==
        receive["FCS"]);
    BOOST_TEST(
        standard.value[MACSTATS_STD_UNDERSIZE_PKTS] + standard.value[MACSTATS_STD_FRAGMENTS] ==
        receive["RUNT"]);
    BOOST_TEST(
        standard.value[MACSTATS_STD_OVERSIZE_PKTS] + standard.value[MACSTATS_STD_JABBERS] ==
        receive["OVERSIZE"]);
    BOOST_TEST(standard.value[MACSTATS_STD_MAC_CONTROL_FRAMES_RECEIVED] == receive.control());
    BOOST_TEST(standard.value[MACSTATS_STD_RX_PAUSE_FRAMES] == receive["PAUSE"]);
}

void size_identities(Busy& busy) {
    const PageOf receive(busy, MACSTATS_RX);
    const PageOf transmit(busy, MACSTATS_TX);

    BOOST_TEST(
        receive.bins() + receive["OVERSIZE"] + receive["RUNT"] ==
        busy.received + busy.received_twice);
    BOOST_TEST(
        transmit.bins() + transmit["OVERSIZE"] + transmit["RUNT"] ==
        busy.transmitted + busy.transmitted_twice);
}

} // namespace

// The datasheet by its words: CRCERR is of any length from 64, JABBERS a subset of it.
BOOST_AUTO_TEST_CASE(identities_hold_as_the_datasheet_reads) {
    Busy busy({.cell_set = 4});

    common_identities(busy);
    standard_identities(busy);
    size_identities(busy);
    for (u8 direction : directions) {
        const PageOf page(busy, direction);

        BOOST_TEST(page["FCS"] == page["FRAGMENTS"] + page["CRCERR"]);
        BOOST_TEST(page["JABBERS"] <= page["CRCERR"]);
    }
}

// The released core: fragments, jabbers and those between them are disjoint.
BOOST_AUTO_TEST_CASE(identities_hold_in_the_variant) {
    Busy busy({.cell_set = 4, .with = MACSTATS_OPT_VARIANT});

    common_identities(busy);
    standard_identities(busy);
    size_identities(busy);
    for (u8 direction : directions) {
        const PageOf page(busy, direction);

        BOOST_TEST(page["FCS"] == page["FRAGMENTS"] + page["CRCERR"] + page["JABBERS"]);
    }
}

// "sum(64B..1519toMAXB) + OVERSIZE + RUNT = all frames, only if MAX >= 1518".
BOOST_AUTO_TEST_CASE(size_bins_add_up_from_a_maximum_of_1518_on) {
    for (u32 max : {1518u, 1519u, 1522u, 4000u, 9600u, 12000u}) {
        Busy busy({}, max, max);

        BOOST_TEST_CONTEXT("maximum " << max) {
            BOOST_TEST(busy.received_twice == 0u);
            BOOST_TEST(busy.transmitted_twice == 0u);
            size_identities(busy);
        }
    }
}

// "With MAX < 1518 a frame with MAX < len <= 1518 counts in its size bin AND in OVERSIZE".
BOOST_AUTO_TEST_CASE(below_a_maximum_of_1518_some_frames_are_in_two_of_them) {
    for (u32 max : {64u, 1000u, 1517u}) {
        Busy busy({}, max, max);

        BOOST_TEST_CONTEXT("maximum " << max) {
            BOOST_TEST(busy.received_twice > 0u);
            BOOST_TEST(busy.transmitted_twice > 0u);
            size_identities(busy);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
