// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Polls of counters whose behaviour the driver switches by bits. Of modes_model, bit 0 of 0x00 lets
// reads clear, bit 1 lets counters stay at their maximum, and bit 2 freezes. A poll looks at them
// twice: its first access, and the last one but for what other models have.
#include "boost_test.hpp"

#include <cerrno>
#include <iterator>
#include <vector>

#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_polled_modes)

using namespace macstats::test;

namespace {

// Frames in 16 bits: a millisecond is no time for them.
const macstats_model modes = [] {
    static std::vector<macstats_counter> rows(std::begin(modes_counters), std::end(modes_counters));
    macstats_model model = modes_model;

    rows[0].bits = rows[1].bits = 16;
    model.counters = rows.data();
    return model;
}();

constexpr u32 clear_on_read = 1;
constexpr u32 saturate = 2;
constexpr u32 freeze = 4;
constexpr unsigned int discontinuity = MACSTATS_EVENT_DISCONTINUITY;
constexpr unsigned int loss = MACSTATS_EVENT_POSSIBLE_LOSS;

// Somebody writes the bits before access @number of the next poll.
void write_before(Provided& port, unsigned int number, u32 bits) {
    port.before_access(number, [&port, bits] { port.port.write(0x00, bits); });
}

// Counts 15 frames; clear-on-read is switched before the access @number of the second poll.
void poll_while_switched(Polled& port, u32 before, unsigned int number) {
    port.port.write(0x00, before);
    port.send(rx(64), 10);
    BOOST_TEST(port.poll() == 0);
    port.send(rx(64), 5);
    BOOST_TEST(
        port.poll_changed(number, [&] { port.port.write(0x00, clear_on_read - before); }) == 0);
}

// The accesses of a poll.
unsigned int accesses(Polled& port) {
    port.bus.reads = 0;
    BOOST_TEST(port.poll() == 0);
    return port.bus.reads;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_poll_writes_no_bit_of_the_driver) {
    Polled port(modes);

    for (u32 bits = 0; bits < freeze; bits++) {
        port.port.write(0x00, bits);
        port.send(rx(64), 3);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.port.read(0x00) == bits);
    }
    BOOST_TEST(port.bus.writes.empty());
    BOOST_TEST(port.total("RX_FRAMES") == 12u);
    BOOST_TEST(port.total("RX_OCTETS") == 12u * 64u);
}

// Two looks at the bits, and two reads less of a counter that needs no third word.
BOOST_AUTO_TEST_CASE(a_poll_reads_each_word_once_and_the_bits_twice) {
    Polled port(modes);

    BOOST_TEST(accesses(port) == 2u + 2u + 3u + 1u);
    port.port.write(0x00, clear_on_read);
    BOOST_TEST(accesses(port) == 2u + 2u + 2u + 1u);
}

// A counter that shows nothing new is not worked on, but a read clears it.
BOOST_AUTO_TEST_CASE(a_counter_that_stood_still_is_cleared_too) {
    Polled port(modes);

    port.send(rx(64), 100);
    for (unsigned int i = 0; i < 3; i++)
        BOOST_TEST(port.poll() == 0);
    port.port.write(0x00, clear_on_read);
    BOOST_TEST(port.poll() == 0);
    port.send(rx(64), 100);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 200u);
    BOOST_TEST(port.events == 0u);
}

// What the counters hold after such a read, nothing tells: the next poll reports that.
BOOST_AUTO_TEST_CASE(a_switch_in_the_middle_of_a_poll_is_a_discontinuity_of_what_was_read) {
    for (const u32 before : {0u, clear_on_read})
        for (unsigned int number = 0; number < 9; number++) {
            Polled port(modes);

            poll_while_switched(port, before, number);
            BOOST_TEST(port.total("RX_FRAMES") == 15u, number);
            port.send(rx(64), 3);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST(port.total("RX_FRAMES") <= 18u);
            if (port.total("RX_FRAMES") != 18u)
                BOOST_TEST(port.events == discontinuity);
            BOOST_TEST((port.events == 0 || port.total("RX_FRAMES") == 15u));
            const u64 total = port.total("RX_FRAMES");
            port.send(rx(64), 4);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST(port.events == 0u);
            BOOST_TEST(port.total("RX_FRAMES") == total + 4);
        }
}

BOOST_AUTO_TEST_CASE(a_switch_in_the_middle_of_the_first_read_counts_nothing_twice) {
    for (const u32 before : {0u, clear_on_read})
        for (unsigned int number = 0; number < 9; number++) {
            Provided port(modes);

            port.port.write(0x00, before);
            port.send(rx(64), 100);
            write_before(port, number, clear_on_read - before);
            BOOST_TEST(port.start() == 0);
            port.bus.before_read = nullptr;
            port.send(rx(64), 3);
            BOOST_TEST(port.poll() == 0);
            BOOST_TEST((port.total("RX_FRAMES") == 3u || port.events == discontinuity), number);
            BOOST_TEST(port.total("RX_FRAMES") <= 3u);
        }
}

// Of a counter of two words, which may then be read in the wrong order, nothing tells even that.
BOOST_AUTO_TEST_CASE(a_switch_in_the_middle_of_a_poll_of_silent_counters_of_one_word_is_none) {
    Polled port(modes);

    BOOST_TEST(port.poll_changed(2, [&] { port.port.write(0x00, clear_on_read); }) == 0);
    port.send(rx(64), 3);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 3u);
    BOOST_TEST(port.events == discontinuity);
    BOOST_TEST(port.total("RX_OCTETS") == 0u);
    BOOST_TEST(port.acc.state.suspect == port.index("RX_OCTETS"));
}

// One access reads a counter as a whole, in whatever order.
BOOST_AUTO_TEST_CASE(a_switch_in_the_middle_of_a_poll_mixes_no_words_that_are_read_at_once) {
    macstats_model model = modes;

    model.read64 = true;
    for (const u32 before : {0u, clear_on_read})
        for (unsigned int number = 0; number < 7; number++) {
            Polled port(model);

            poll_while_switched(port, before, number);
            BOOST_TEST(port.total("RX_OCTETS") == 15u * 64, number);
            BOOST_TEST(port.events == 0u);
        }
    Polled silent(model);
    BOOST_TEST(silent.poll_changed(2, [&] { silent.port.write(0x00, clear_on_read); }) == 0);
    silent.send(rx(64), 3);
    BOOST_TEST(silent.poll() == 0);
    BOOST_TEST(silent.total("RX_OCTETS") == 3u * 64);
    BOOST_TEST(silent.events == 0u);
}

// The last look fails: if the bit differs at the next one, it may have changed during the read.
BOOST_AUTO_TEST_CASE(a_look_that_fails_behind_a_read_leaves_a_switch_in_doubt) {
    for (const u32 after : {0u, clear_on_read}) {
        Polled port(modes);
        const unsigned int last = accesses(port) - 1;

        port.send(rx(64), 10);
        BOOST_TEST(
            port.poll_changed(last, [&] { port.port.fault(MACSTATS_FAULT_BUS_ERROR); }) == -EIO);
        port.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
        BOOST_TEST(port.total("RX_FRAMES") == 10u);
        port.port.write(0x00, after);
        port.send(rx(64), 3);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST((port.events & discontinuity) == (after ? discontinuity : 0u));
        BOOST_TEST(port.total("RX_FRAMES") == (after ? 10u : 13u));
        port.send(rx(64), 3);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.total("RX_FRAMES") == (after ? 13u : 16u));
    }
}

// The doubt outlasts a poll whose values cannot be used.
BOOST_AUTO_TEST_CASE(what_a_failed_look_leaves_in_doubt_stays_so_until_a_good_one) {
    Polled port(modes);

    port.port.write(0x00, clear_on_read);
    const unsigned int last = accesses(port) - 1;
    port.send(rx(64), 10);
    port.bus.reads = 0;
    port.bus.before_read = [&](u32) {
        if (port.bus.reads == 1)
            port.port.write(0x00, 0);
        if (port.bus.reads == last)
            port.port.fault(MACSTATS_FAULT_BUS_ERROR);
    };
    BOOST_TEST(port.poll() == -EIO);
    port.bus.before_read = nullptr;
    port.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
    port.port.fault(MACSTATS_FAULT_UNPLUG);
    BOOST_TEST(port.poll() == -ENODEV);
    port.port.fault(MACSTATS_FAULT_UNPLUG, false);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST((port.events & discontinuity) == discontinuity);
    BOOST_TEST(port.total("RX_FRAMES") == 10u);
    BOOST_TEST(port.total("RX_OCTETS") == 640u);
}

BOOST_AUTO_TEST_CASE(a_full_counter_is_a_lower_bound_while_it_may_be_full) {
    Polled port(modes);

    port.port.write(0x00, saturate);
    port.preset("RX_FRAMES", 65500);
    port.send(rx(64), 300);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 35u);
    BOOST_TEST(port.acc.counters[0].saturated == 1u);
    BOOST_TEST((port.events & MACSTATS_EVENT_SATURATED) != 0u);
    BOOST_TEST(port.acc.counters[2].saturated == 0u);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.acc.counters[0].saturated == 2u);
    port.port.write(0x00, 0); // it was full until then
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.acc.counters[0].saturated == 3u);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.acc.counters[0].saturated == 3u);
    port.send(rx(64), 2);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 37u);
    BOOST_TEST(!port.acc.state.possible_loss);
}

BOOST_AUTO_TEST_CASE(a_preset_notices_a_counter_that_goes_back_below_its_maximum) {
    Polled port(modes);

    port.port.write(0x00, saturate);
    port.send(rx(64), 200);
    BOOST_TEST(port.poll() == 0);
    port.port.preset(0, 3);
    port.preset("RX_FRAMES", 100);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST((port.events & discontinuity) == discontinuity);
    BOOST_TEST(port.total("RX_FRAMES") == 200u);
}

BOOST_AUTO_TEST_CASE(a_frozen_port_is_stale_and_reports_a_loss_once) {
    Polled port(modes);

    port.send(rx(64), 10);
    BOOST_TEST(port.poll() == 0);
    port.send(rx(64), 5);
    port.send(tx(64), 2);
    port.port.write(0x00, freeze);
    port.send(rx(64), 7);
    port.send(tx(64), 1);
    BOOST_TEST(port.poll() == -ENODATA);
    BOOST_TEST(port.events == (loss | MACSTATS_EVENT_STALE));
    BOOST_TEST(port.acc.state.reason == "the counters are frozen by a bit of a register");
    BOOST_TEST(port.total("RX_FRAMES") == 15u);
    BOOST_TEST(port.total("TX_FRAMES") == 2u);
    BOOST_TEST(port.total("TX_OCTETS") == 192u); // another block
    BOOST_TEST(port.poll() == -ENODATA);
    BOOST_TEST(port.events == 0u);
    port.port.write(0x00, 0);
    port.send(rx(64), 3);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == MACSTATS_EVENT_RECOVERED);
    BOOST_TEST(port.total("RX_FRAMES") == 18u);
    port.port.write(0x00, freeze);
    BOOST_TEST(port.poll() == -ENODATA);
    BOOST_TEST(port.events == (loss | MACSTATS_EVENT_STALE));
}

// A freeze that only a poll saw which failed is no silence, either.
BOOST_AUTO_TEST_CASE(a_freeze_that_a_failed_poll_saw_is_a_loss_of_the_next_one) {
    Polled port(modes);

    port.send(rx(64), 10);
    BOOST_TEST(port.poll() == 0);
    port.port.write(0x00, freeze);
    BOOST_TEST(port.poll_changed(2, [&] { port.port.fault(MACSTATS_FAULT_BUS_ERROR); }) == -EIO);
    port.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
    port.send(rx(64), 7);
    port.port.write(0x00, 0);
    port.send(rx(64), 3);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == (loss | MACSTATS_EVENT_RECOVERED));
    BOOST_TEST(port.total("RX_FRAMES") == 13u);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == 0u);
}

// Its counters are read meanwhile.
BOOST_AUTO_TEST_CASE(a_freeze_longer_than_the_wrap_time_makes_no_poll_late) {
    Polled port(modes);
    const u64 gap_ns = port.acc.max_gap_usecs * 1000;

    BOOST_TEST(port.poll() == 0);
    port.port.write(0x00, freeze);
    for (unsigned int i = 0; i < 3; i++)
        BOOST_TEST(port.poll_after(gap_ns * 3 / 4) == -ENODATA);
    BOOST_TEST(port.acc.state.late_polls == 0u);
    port.port.write(0x00, 0);
    BOOST_TEST(port.poll_after(gap_ns * 3 / 4) == 0);
    BOOST_TEST(port.events == MACSTATS_EVENT_RECOVERED);
    BOOST_TEST(port.acc.state.late_polls == 0u);
    port.port.write(0x00, freeze);
    BOOST_TEST(port.poll_after(gap_ns * 2) == -ENODATA);
    BOOST_TEST(port.acc.state.late_polls == 1u);
    port.port.write(0x00, 0);
    BOOST_TEST(port.poll_after(gap_ns / 2) == 0);
    BOOST_TEST(port.acc.state.late_polls == 1u);
}

BOOST_AUTO_TEST_CASE(a_freeze_in_the_middle_of_a_poll_is_noticed_by_it) {
    for (const u32 before : {0u, freeze}) {
        Polled port(modes);

        port.port.write(0x00, before);
        write_before(port, 3, freeze - before);
        BOOST_TEST(port.poll() == -ENODATA);
        BOOST_TEST(port.events == (loss | MACSTATS_EVENT_STALE));
    }
}

BOOST_AUTO_TEST_CASE(a_port_that_starts_frozen_counts_from_its_first_good_poll) {
    Provided port(modes);

    port.port.write(0x00, freeze);
    BOOST_TEST(port.start() == 0);
    BOOST_TEST(port.acc.state.stale);
    BOOST_TEST(!port.acc.state.started);
    port.send(rx(64), 3);
    BOOST_TEST(port.poll() == -ENODATA);
    BOOST_TEST(!port.acc.state.possible_loss);
    port.port.write(0x00, 0);
    port.send(rx(64), 4);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 0u);
    port.send(rx(64), 5);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 5u);
}

BOOST_AUTO_TEST_CASE(a_resume_of_a_frozen_port_waits_until_it_counts) {
    Polled port(modes);
    unsigned int events = 0;

    BOOST_TEST(macstats_suspend(&port.acc, 1000000, &events) == 0);
    port.port.write(0x00, freeze);
    BOOST_TEST(macstats_resume(&port.acc, 2000000, &events) == -ENODATA);
    BOOST_TEST((events & loss) == loss);
    port.port.write(0x00, 0);
    BOOST_TEST(port.poll_at(3000000) == 0);
    port.send(rx(64), 5);
    BOOST_TEST(port.poll_at(4000000) == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 5u);
}

// All-ones of hardware that is gone are no bits: it comes back as it was.
BOOST_AUTO_TEST_CASE(unplugged_hardware_has_no_bits) {
    Polled port(modes);

    port.send(rx(64), 100);
    BOOST_TEST(port.poll() == 0);
    for (unsigned int number = 0; number < 8; number++) {
        BOOST_TEST(
            port.poll_changed(number, [&] { port.port.fault(MACSTATS_FAULT_UNPLUG); }) == -ENODEV,
            number);
        port.port.fault(MACSTATS_FAULT_UNPLUG, false);
        port.send(rx(64), 1);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.total("RX_FRAMES") == 101u + number);
    }
    BOOST_TEST(!port.acc.state.possible_loss);
    BOOST_TEST(port.acc.state.discontinuities == 0u);
}

// What a read cleared, of which nothing can be used, is lost and reported; nothing comes twice.
BOOST_AUTO_TEST_CASE(a_read_that_clears_and_cannot_be_used_is_a_possible_loss) {
    Copy copy(modes);
    copy.model().needs_clocks = true;
    Polled port(copy.model());

    port.send(rx(64), 100);
    BOOST_TEST(port.poll() == 0);
    port.port.write(0x00, clear_on_read);
    port.send(rx(64), 5);
    BOOST_TEST(
        port.poll_changed(3, [&] { port.port.fault(MACSTATS_FAULT_CLOCK_STOPPED); }) == -ENOLINK);
    BOOST_TEST((port.events & loss) == loss);
    port.port.fault(MACSTATS_FAULT_CLOCK_STOPPED, false);
    port.send(rx(64), 3);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 103u);
}

BOOST_AUTO_TEST_CASE(bits_of_two_registers_are_looked_at_in_both) {
    Copy copy(modes);
    macstats_register second = copy.registers[0];
    second.name = "MORE_MODES";
    second.offset = 0x04;
    second.fields[0].roles = 0;
    second.fields[2].roles = 0;
    copy.registers[0].fields[1].roles = 0;
    copy.registers.push_back(second);
    copy.model().n_registers = 2;
    Polled port(copy.model());

    port.port.write(0x00, saturate);
    port.port.write(0x04, clear_on_read | freeze);
    port.preset("RX_FRAMES", 65500);
    port.send(rx(64), 300);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 300u);
    port.port.write(0x04, saturate);
    port.preset("RX_FRAMES", 65500);
    port.send(rx(64), 300);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 335u);
    port.port.write(0x00, freeze);
    BOOST_TEST(port.poll() == -ENODATA);
}

BOOST_AUTO_TEST_SUITE_END()
