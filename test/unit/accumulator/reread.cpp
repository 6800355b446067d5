// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Counters of two bus words that nothing holds: a carry between the reads of the words tears no
// value. rx_frames has its low word at 0x10 and its high word at 0x11; tx_frames has them at 0x12
// and 0x13.
#include "boost_test.hpp"

#include <cerrno>
#include <vector>

#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_reread)

using namespace macstats::test;

namespace {

// One frame of each direction comes before access @number of the next poll, from 0.
void send_before(Polled& port, unsigned int number) {
    const unsigned int at = port.bus.reads + number;

    port.bus.before_read = [&port, at](u32) {
        if (port.bus.reads != at)
            return;
        port.port.send(rx(64));
        port.port.send(tx(64));
    };
}

// What the first poll adds to a counter of 0x00ffff, with a frame before access @number.
u64 first_total(const macstats_model& model, const char* reg, unsigned int number) {
    Polled port(model);

    port.preset("RX_FRAMES", 0xffff);
    port.preset("TX_FRAMES", 0xffff);
    send_before(port, number);
    BOOST_TEST(port.poll() == 0);
    return port.total(reg);
}

} // namespace

BOOST_AUTO_TEST_SUITE(reread)

BOOST_AUTO_TEST_CASE(without_a_carry_the_high_word_is_read_before_and_after_the_low_one) {
    Polled port(rereading_model);
    std::vector<u32> read;

    port.bus.before_read = [&](u32 address) { read.push_back(address); };
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(
        read == (std::vector<u32>{0x11, 0x10, 0x11, 0x13, 0x12, 0x13}),
        boost::test_tools::per_element());
}

// aOctetsReceivedOK of altera_tse, whose high word does not follow: 2^32 - 46 octets and one frame
// of 46 are 2^32.
BOOST_AUTO_TEST_CASE(words_that_lie_apart_are_reread_where_they_are) {
    for (unsigned int number = 0; number < 3; number++) {
        Polled port(altera_tse_model);
        std::vector<u32> read;

        BOOST_TEST(port.poll() == 0);
        port.preset("aOctetsReceivedOK", 4294967250);
        port.bus.before_read = [&](u32 address) {
            if (address == 0x7c || address == 0xf4)
                read.push_back(address);
            if (read.size() == number + 1 && (address == 0x7c || address == 0xf4))
                port.port.send(rx(64));
        };
        BOOST_TEST(port.poll() == 0);
        port.bus.before_read = nullptr;
        const std::vector<u32> once = {0xf4, 0x7c, 0xf4};
        const std::vector<u32> twice = {0xf4, 0x7c, 0xf4, 0x7c, 0xf4};
        BOOST_TEST(read == (number ? twice : once), boost::test_tools::per_element());
        BOOST_TEST(port.total("aOctetsReceivedOK") == 46u);
        BOOST_TEST(port.acc.state.discontinuities == 0u);
    }
}

BOOST_AUTO_TEST_CASE(a_carry_between_any_two_reads_tears_nothing) {
    for (unsigned int number = 0; number < 10; number++) {
        Polled port(rereading_model);

        port.preset("RX_FRAMES", 0xffff);
        port.preset("TX_FRAMES", 0xffff);
        send_before(port, number);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.total("RX_FRAMES") <= 1u, "access " << number);
        BOOST_TEST(port.total("TX_FRAMES") <= 1u, "access " << number);
        port.bus.before_read = nullptr;
        port.send(rx(64));
        port.send(tx(64));
        BOOST_TEST(port.poll() == 0);
        // One frame came in the middle, unless the first poll had fewer accesses.
        const u64 both = number < 6 ? 2 : port.total("RX_FRAMES");
        BOOST_TEST(port.total("RX_FRAMES") == both, "access " << number);
        BOOST_TEST(port.total("TX_FRAMES") == both, "access " << number);
        BOOST_TEST(port.acc.state.discontinuities == 0u);
    }
}

// The low word first: 0xffff and 1 are 0x1ffff.
BOOST_AUTO_TEST_CASE(a_counter_that_is_read_once_is_torn) {
    Copy once(rereading_model);

    for (macstats_counter& row : once.rows)
        row.reread = false;
    BOOST_TEST(first_total(once.model(), "RX_FRAMES", 1) == 0x10000u);
    BOOST_TEST(first_total(once.model(), "TX_FRAMES", 3) == 0x10000u);
    BOOST_TEST(first_total(rereading_model, "RX_FRAMES", 1) == 1u);
    BOOST_TEST(first_total(rereading_model, "TX_FRAMES", 4) == 1u);
}

// 24 bits are 16,777,216: a wrap in the middle of a read is one like any other.
BOOST_AUTO_TEST_CASE(a_wrap_in_the_middle_of_a_read_is_counted) {
    Polled port(rereading_model);

    port.preset("RX_FRAMES", 0xffffff);
    send_before(port, 1);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 1u);
}

// The high word, then eight times the low and the high one. Nothing is added, and nothing lost:
// 17 times 65,536 frames are 1,114,112.
BOOST_AUTO_TEST_CASE(an_endless_carry_is_a_failed_read) {
    Polled port(rereading_model);

    port.bus.before_read = [&](u32) { port.port.send(rx(64), 65536); };
    BOOST_TEST(port.poll() == -EIO);
    BOOST_TEST(port.bus.reads == 17u);
    BOOST_TEST(port.events == MACSTATS_EVENT_STALE);
    BOOST_TEST(port.total("RX_FRAMES") == 0u);
    port.bus.before_read = nullptr;
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == MACSTATS_EVENT_RECOVERED);
    BOOST_TEST(port.total("RX_FRAMES") == 1114112u);
    BOOST_TEST(!port.acc.state.possible_loss);
}

BOOST_AUTO_TEST_CASE(a_carry_at_each_try_but_the_last_is_none) {
    Polled port(rereading_model);

    port.bus.before_read = [&](u32) {
        if (port.bus.reads < 15)
            port.port.send(rx(64), 65536);
    };
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 15u * 65536u);
    BOOST_TEST(port.bus.reads == 20u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
