// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Counters of two bus words that nothing holds: a carry between the reads of the words tears no
// value. rx_frames has its low word at 0x10 and its high word at 0x11; tx_frames has them at 0x12
// and 0x13. Those of netc have 64 bits, which one access reads where the machine has such.
#include "boost_test.hpp"

#include <cerrno>
#include <initializer_list>
#include <span>
#include <vector>

#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_reread)

using namespace macstats::test;

namespace {

// One frame of each direction comes before access @number of the next poll, from 0.
void send_before(Polled& port, unsigned int number) {
    port.before_access(number, [&port] {
        port.port.send(rx(64));
        port.port.send(tx(64));
    });
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

BOOST_AUTO_TEST_SUITE(read64)

namespace {

constexpr u32 statn_config = 0xe0;
constexpr u64 cod = 2;      // a read of a counter clears it
constexpr u32 roct = 0x108; // PM0_ROCT

// The counters of both MACs: those of the sublayer have one word.
std::vector<u32> addresses_of_words(std::initializer_list<u32> words) {
    std::vector<u32> addresses;

    for (const macstats_counter& row : std::span(netc_model.counters, netc_model.n_counters))
        for (const u32 word : words)
            if (row.bits == 64)
                addresses.push_back(row.offset + word);
    return addresses;
}

// The addresses of them that a poll reads.
std::vector<u32> read_by_a_poll(Polled& port) {
    std::vector<u32> read;

    port.bus.before_read = [&](u32 address) {
        if (address % 0x400 >= 0x100 && address < 0x800)
            read.push_back(address);
    };
    BOOST_TEST(port.poll() == 0);
    port.bus.before_read = nullptr;
    return read;
}

// As on a machine that never had it: reads are planned once.
void take_read64(Polled& port) {
    port.acc.bus.read64 = nullptr;
    port.acc.planned = 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(one_access_of_64_bits_reads_each_counter) {
    Polled port(netc_model);
    const std::vector<u32> read = read_by_a_poll(port);

    BOOST_TEST(read.size() == 104u);
    BOOST_TEST(read == addresses_of_words({0}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_machine_without_such_accesses_rereads) {
    Polled port(netc_model);

    take_read64(port);
    BOOST_TEST(
        read_by_a_poll(port) == addresses_of_words({4, 0, 4}), boost::test_tools::per_element());
}

// 2^32 - 1 octets and a frame of 64, before each access in turn. One access less tears no value.
BOOST_AUTO_TEST_CASE(a_carry_before_any_access_tears_nothing_on_either_machine) {
    for (const bool has_read64 : {true, false})
        for (unsigned int number = 0; number < 12; number++) {
            Polled port(netc_model);

            if (!has_read64)
                take_read64(port);
            port.preset("PM0_REOCT", 4294967295);
            port.preset("PM0_ROCT", 4294967295);
            BOOST_TEST(port.poll_changed(number, [&] { port.port.send(rx(64)); }) == 0);
            BOOST_TEST((port.total("PM0_ROCT") == 0u || port.total("PM0_ROCT") == 64u), number);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST(port.total("PM0_REOCT") == 64u);
            BOOST_TEST(port.total("PM0_ROCT") == 64u);
            BOOST_TEST(port.total("PM0_RFRM") == 1u);
            BOOST_TEST(port.acc.state.discontinuities == 0u);
        }
}

BOOST_AUTO_TEST_CASE(accesses_of_32_bits_have_the_words_of_one_of_64) {
    Port port(netc_model);
    u64 value = 0;

    port.preset(counter_index(netc_model, "PM0_ROCT"), 0x123456789abcdef0);
    BOOST_TEST(port.try_read64(roct, value) == 0);
    BOOST_TEST(value == 0x123456789abcdef0u);
    BOOST_TEST(port.read(roct) == 0x9abcdef0u);
    BOOST_TEST(port.read(roct + 4) == 0x12345678u);
}

BOOST_AUTO_TEST_CASE(what_has_no_64_bits_answers_no_such_access) {
    Port port(netc_model);
    Port narrow(modes_model);
    u64 value = 0;

    BOOST_TEST(port.try_read64(roct + 4, value) == -ENXIO);
    BOOST_TEST(port.try_read64(0x08, value) == -ENXIO);   // PM0_COMMAND_CONFIG
    BOOST_TEST(port.try_read64(0x808, value) == -ENXIO);  // MAC_MERGE_MMFAECR
    BOOST_TEST(port.try_read64(0x300, value) == -ENXIO);  // nothing
    BOOST_TEST(narrow.try_read64(0x48, value) == -ENXIO); // RX_OCTETS, of 64 bits
}

BOOST_AUTO_TEST_CASE(a_read_that_clears_clears_all_64_bits) {
    Polled port(netc_model);
    u64 value = 0;

    port.port.write(statn_config, cod);
    port.preset("PM0_ROCT", 0x1000000005);
    BOOST_TEST(port.port.try_read64(roct, value) == 0);
    BOOST_TEST(value == 0x1000000005u);
    BOOST_TEST(port.port.try_read64(roct, value) == 0);
    BOOST_TEST(value == 0u);
}

// Word 2 or 3 of the counters. Of an access that fails nothing is cleared.
BOOST_AUTO_TEST_CASE(an_access_that_fails_at_either_word_loses_nothing) {
    for (const u32 word : {2u, 3u}) {
        Polled port(netc_model);

        port.port.write(statn_config, cod);
        BOOST_TEST(port.poll() == 0);
        port.send(rx(64), 5);
        port.port.fault(
            {.faults = MACSTATS_FAULT_BUS_ERROR_AT,
             .active = true,
             .during_read = false,
             .argument = word});
        BOOST_TEST(port.poll() == -EIO);
        BOOST_TEST(port.total("PM0_REOCT") == 320u);
        BOOST_TEST(port.total("PM0_ROCT") == 0u);
        port.port.fault(MACSTATS_FAULT_BUS_ERROR_AT, false);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.total("PM0_ROCT") == 320u);
        BOOST_TEST(port.total("PM0_RFRM") == 5u);
        BOOST_TEST(!port.acc.state.possible_loss);
    }
}

BOOST_AUTO_TEST_CASE(a_bus_that_fails_or_that_nobody_is_on_does_so_for_64_bits_too) {
    Port port(netc_model);
    u64 value = 0;

    port.fault(MACSTATS_FAULT_BUS_ERROR);
    BOOST_TEST(port.try_read64(roct, value) == -EIO);
    port.fault(MACSTATS_FAULT_BUS_ERROR, false);
    port.fault(MACSTATS_FAULT_UNPLUG);
    BOOST_TEST(port.try_read64(roct, value) == 0);
    BOOST_TEST(value == 0xffffffffffffffffu);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
