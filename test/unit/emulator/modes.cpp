// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Bits that switch how counters behave. Of modes_model, bit 0 of 0x00 lets reads clear, bit 1 lets
// counters stay at their maximum, and bit 2 freezes. 0x40 has frames received and 0x44 frames
// transmitted, of 8 bits; 0x48 has octets received, of 64 bits; 0x50 is of another block.
#include "boost_test.hpp"

#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_modes)

using namespace macstats::test;

namespace {

constexpr u32 clear_on_read = 1;
constexpr u32 saturate = 2;
constexpr u32 freeze = 4;

} // namespace

BOOST_AUTO_TEST_CASE(a_read_clears_a_counter_only_while_the_bit_is_set) {
    Port port(modes_model);

    port.send(rx(64), 5);
    port.send(tx(64), 3);
    BOOST_TEST(port.read(0x40) == 5u);
    port.write(0x00, clear_on_read);
    BOOST_TEST(port.read(0x40) == 5u);
    BOOST_TEST(port.read(0x40) == 0u);
    BOOST_TEST(port.read(0x50) == 192u);
    BOOST_TEST(port.read(0x50) == 192u); // another block
    port.write(0x00, 0);
    BOOST_TEST(port.read(0x44) == 3u);
    BOOST_TEST(port.read(0x44) == 3u);
    port.send(rx(64), 2);
    BOOST_TEST(port.read(0x40) == 2u);
    BOOST_TEST(port.read(0x40) == 2u);
}

// Otherwise the words are those of the moment.
BOOST_AUTO_TEST_CASE(a_read_of_the_low_word_that_clears_holds_the_high_one) {
    Port port(modes_model);

    port.preset(2, 0x2fffffff0);
    BOOST_TEST(port.read(0x48) == 0xfffffff0u);
    port.send(rx(64));
    BOOST_TEST(port.read(0x4c) == 3u);
    port.write(0x00, clear_on_read);
    BOOST_TEST(port.read(0x4c) == 0u); // nothing is held yet
    BOOST_TEST(port.read(0x48) == 0x30u);
    port.send(rx(64));
    BOOST_TEST(port.read(0x4c) == 3u);
    BOOST_TEST(port.read(0x4c) == 3u);
    BOOST_TEST(port.read(0x48) == 64u);
    BOOST_TEST(port.read(0x4c) == 0u);
}

BOOST_AUTO_TEST_CASE(a_counter_stays_at_its_maximum_only_while_the_bit_is_set) {
    for (const bool at_once : {false, true}) {
        Port port(modes_model);
        const auto send = [&](u64 count) {
            if (at_once)
                port.send_at_once(rx(64), count);
            else
                port.send(rx(64), count);
        };

        send(250);
        port.write(0x00, saturate);
        BOOST_TEST(port.read(0x40) == 250u);
        send(10);
        BOOST_TEST(port.read(0x40) == 255u);
        port.write(0x00, 0);
        BOOST_TEST(port.read(0x40) == 255u);
        send(3);
        BOOST_TEST(port.read(0x40) == 2u);
        send(256);
        port.write(0x00, saturate);
        BOOST_TEST(port.read(0x40) == 2u);
        send(1000);
        BOOST_TEST(port.read(0x40) == 255u);
        BOOST_TEST(port.read(0x48) == u64{250 + 10 + 3 + 256 + 1000} * 64);
    }
}

BOOST_AUTO_TEST_CASE(a_full_counter_that_a_read_clears_counts_again) {
    Port port(modes_model);

    port.write(0x00, saturate | clear_on_read);
    port.send(rx(64), 1000);
    BOOST_TEST(port.read(0x40) == 255u);
    port.send(rx(64), 7);
    BOOST_TEST(port.read(0x40) == 7u);
}

// No line gets there.
BOOST_AUTO_TEST_CASE(a_counter_of_64_bits_rolls_over_all_the_same) {
    Port port(modes_model);

    port.write(0x00, saturate);
    port.preset(2, ~u64{0});
    port.send(rx(64));
    BOOST_TEST(port.read(0x48) == 63u);
}

BOOST_AUTO_TEST_CASE(frozen_counters_stay_as_they_are) {
    for (const bool at_once : {false, true}) {
        Port port(modes_model);
        const auto send = [&](const Frame& frame, u64 count) {
            if (at_once)
                port.send_at_once(frame, count);
            else
                port.send(frame, count);
        };

        send(rx(64), 5);
        port.write(0x00, freeze);
        send(rx(64), 3);
        send(tx(64), 2);
        BOOST_TEST(port.read(0x40) == 5u);
        BOOST_TEST(port.read(0x44) == 0u);
        BOOST_TEST(port.read(0x50) == 128u); // another block
        port.write(0x00, freeze);            // once more
        send(rx(64), 3);
        BOOST_TEST(port.read(0x40) == 5u);
        port.write(0x00, 0);
        BOOST_TEST(port.read(0x40) == 5u);
        send(rx(64), 2);
        BOOST_TEST(port.read(0x40) == 7u);
        BOOST_TEST(port.read(0x48) == 7u * 64u);
        port.write(0x00, freeze);
        port.write(0x00, 0);
        BOOST_TEST(port.read(0x40) == 7u);
    }
}

BOOST_AUTO_TEST_CASE(a_frozen_counter_can_be_cleared_and_preset) {
    Port port(modes_model);

    port.send(rx(64), 5);
    port.send(tx(64), 6);
    port.write(0x00, freeze | clear_on_read);
    port.send(rx(64), 3);
    BOOST_TEST(port.read(0x40) == 5u);
    BOOST_TEST(port.read(0x40) == 0u);
    BOOST_TEST(port.preset(1, 100) == 6u);
    BOOST_TEST(port.read(0x44) == 100u);
    port.write(0x00, 0);
    port.send(rx(64), 2);
    port.send(tx(64), 2);
    BOOST_TEST(port.read(0x40) == 2u);
    BOOST_TEST(port.read(0x44) == 2u);
}

BOOST_AUTO_TEST_CASE(all_bits_of_a_block_can_be_set_at_once) {
    Port port(modes_model);

    port.send(rx(64), 250);
    port.write(0x00, freeze | saturate | clear_on_read);
    port.send(rx(64), 50);
    port.write(0x00, saturate);
    BOOST_TEST(port.read(0x40) == 250u);
    port.send(rx(64), 50);
    BOOST_TEST(port.read(0x40) == 255u);
    BOOST_TEST(port.read(0x40) == 255u);
}

BOOST_AUTO_TEST_CASE(a_reset_and_a_power_up_clear_the_bits) {
    Port port(modes_model);

    for (const bool powered_up : {false, true}) {
        port.send(rx(64), 5);
        port.write(0x00, freeze | saturate | clear_on_read);
        port.send(rx(64), 5);
        if (powered_up)
            port.power_up({});
        else
            port.fault(MACSTATS_FAULT_RESET);
        BOOST_TEST(port.read(0x40) == 0u);
        port.send(rx(64), 257);
        BOOST_TEST(port.read(0x40) == 1u);
        BOOST_TEST(port.read(0x40) == 1u);
    }
}

BOOST_AUTO_TEST_CASE(a_bit_that_is_set_after_a_reset_has_its_effect) {
    Copy copy(modes_model);
    copy.registers[0].reset = saturate | freeze;
    Port port(copy.model());

    port.send(rx(64), 5);
    BOOST_TEST(port.read(0x40) == 0u);
    port.write(0x00, saturate);
    port.send(rx(64), 300);
    BOOST_TEST(port.read(0x40) == 255u);
}

BOOST_AUTO_TEST_SUITE_END()
