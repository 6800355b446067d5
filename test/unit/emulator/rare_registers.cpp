// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Words of the schema that no shipped model uses yet, on made-up models: what a register
// does to counting, and to the counters.
#include <boost/test/unit_test.hpp>

#include "synthetic.hpp"

using namespace macstats::test;

BOOST_AUTO_TEST_SUITE(settings)

BOOST_AUTO_TEST_CASE(each_setting_switches_its_own_frames) {
    const u16 errors[] = {MACSTATS_ERR_FCS, MACSTATS_ERR_ALIGNMENT, MACSTATS_ERR_CODE};

    // FCS needs the first, alignment the second, code the second and the third.
    for (u32 set = 0; set < 8; set++) {
        Port port(settings_model);
        const bool counts[] = {(set & 1) != 0, (set & 2) != 0, (set & 2) && (set & 4)};

        port.write(0x00, set & 3);
        port.write(0x04, set >> 2);
        for (unsigned int i = 0; i < 3; i++) {
            const u64 before = port.read(0x40);
            Frame frame = rx(100);

            frame.errors = errors[i];
            port.send(frame, 5);
            BOOST_TEST(port.read(0x40) - before == (counts[i] ? 5u : 0u), set << ' ' << i);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_reset_value_sets_a_setting) {
    Port port(settings_model);
    Frame frame = rx(100);

    frame.errors = MACSTATS_ERR_CODE;
    port.write(0x00, 2);
    port.send(frame, 4);
    BOOST_TEST(port.read(0x40) == 4u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(errors_beyond_the_wire)

BOOST_AUTO_TEST_CASE(checksum_and_no_buffer_are_errors_of_their_own) {
    Port port(offload_model);
    Frame frame = rx(100);

    port.send(frame, 2);
    frame.errors = MACSTATS_ERR_CHECKSUM;
    port.send(frame, 3);
    frame.errors = MACSTATS_ERR_NO_BUFFER;
    port.send(frame, 4);
    frame.errors = MACSTATS_ERR_CHECKSUM | MACSTATS_ERR_NO_BUFFER;
    port.send(frame, 5);
    frame.errors = MACSTATS_ERR_OVERRUN;
    port.send(frame, 6);
    BOOST_TEST(port.read(0x40) == 2u);
    BOOST_TEST(port.read(0x44) == 3u + 5u);
    BOOST_TEST(port.read(0x48) == 4u + 5u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(increment)

BOOST_AUTO_TEST_CASE(a_command_adds_1_to_every_counter) {
    Port port(increment_model);

    port.send(rx(64), 10);
    port.write(0x00, 1u << 3);
    BOOST_TEST(port.read(0x40) == 11u);
    BOOST_TEST(port.read(0x44) == 11u);
    BOOST_TEST(port.read(0x00) == 0u);
    port.write(0x00, 0);
    BOOST_TEST(port.read(0x40) == 11u);
}

BOOST_AUTO_TEST_CASE(an_increment_rolls_over_or_saturates_as_a_frame_does) {
    Port port(increment_model);

    port.preset(0, 0xffffffff);
    port.preset(1, 254);
    port.write(0x00, 1u << 3);
    BOOST_TEST(port.read(0x40) == 0u);
    BOOST_TEST(port.read(0x44) == 255u);
    port.write(0x00, 1u << 3);
    BOOST_TEST(port.read(0x40) == 1u);
    BOOST_TEST(port.read(0x44) == 255u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(write_enable)

BOOST_AUTO_TEST_CASE(a_write_is_ignored_until_writes_are_enabled) {
    Port port(enabled_model);

    port.send(rx(64), 3);
    port.write(0x40, 1000);
    BOOST_TEST(port.read(0x40) == 3u);
    port.write(0x00, 1u << 7);
    port.write(0x40, 1000);
    BOOST_TEST(port.read(0x40) == 1000u);
    port.write(0x00, 0);
    port.write(0x40, 5);
    BOOST_TEST(port.read(0x40) == 1000u);
}

BOOST_AUTO_TEST_CASE(a_written_counter_counts_on_from_there) {
    Port port(enabled_model);

    port.write(0x00, 1u << 7);
    port.write(0x40, 7);
    port.send(rx(64), 2);
    BOOST_TEST(port.read(0x40) == 9u);
}

BOOST_AUTO_TEST_CASE(a_write_stores_no_more_bits_than_the_counter_has) {
    Port port(enabled_model);

    port.write(0x00, 1u << 7);
    port.write(0x40, 0xffffffff);
    BOOST_TEST(port.read(0x40) == 0xfffffu);
    port.send(rx(64));
    BOOST_TEST(port.read(0x40) == 0u);
}

// 40 bits in two words: each write replaces its own.
BOOST_AUTO_TEST_CASE(a_write_of_one_word_keeps_the_other) {
    Port port(enabled_model);

    port.write(0x00, 1u << 7);
    port.write(0x48, 0x11223344);
    port.write(0x4c, 0xffffffab);
    BOOST_TEST(port.read(0x48) == 0x11223344u);
    BOOST_TEST(port.read(0x4c) == 0xabu);
    port.write(0x48, 0);
    BOOST_TEST(port.read(0x48) == 0u);
    BOOST_TEST(port.read(0x4c) == 0xabu);
}

// 48 bits in three words, the high one first. The bit that enables writes is here the one that
// freezes the counters, too: they show the writes once it is clear.
BOOST_AUTO_TEST_CASE(a_write_of_one_of_three_words_is_stored_in_its_place) {
    macstats_model model = wide_model;

    model.write_enable = model.blocks[0].snapshot_request;
    for (const u32 first : {0x10u, 0x11u, 0x12u}) {
        Port port(model);
        const u64 words[] = {0x1234, 0x5678, 0x9abc};

        port.write(0x00, 1u << 15);
        for (u32 i = 0; i < 3; i++) {
            const u32 offset = 0x10 + (first - 0x10 + i) % 3;
            port.write(offset, words[offset - 0x10]);
        }
        port.write(0x00, 0);
        for (u32 i = 0; i < 3; i++)
            BOOST_TEST(port.read(0x10 + i) == words[i]);
        port.send(rx(0x4000));
        port.send(rx(0x4000));
        // 9abc + 8000 = 1:1abc
        BOOST_TEST(port.read(0x12) == 0x1abcu);
        BOOST_TEST(port.read(0x11) == 0x5679u);
        BOOST_TEST(port.read(0x10) == 0x1234u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(switched_maximum)

BOOST_AUTO_TEST_CASE(a_clear_bit_selects_the_short_maximum) {
    Port port(switched_model);

    port.send(rx(1522));
    BOOST_TEST(port.read(0x40) == 0u);
    port.send(rx(1523));
    BOOST_TEST(port.read(0x40) == 1u);
    port.send(tx(1522));
    BOOST_TEST(port.read(0x44) == 0u);
    port.send(tx(1523));
    BOOST_TEST(port.read(0x44) == 1u);
}

BOOST_AUTO_TEST_CASE(a_set_bit_selects_the_long_maximum) {
    Port port(switched_model);

    port.write(0x00, 1u << 5);
    port.send(rx(16384));
    port.send(tx(16384));
    BOOST_TEST(port.read(0x40) == 0u);
    BOOST_TEST(port.read(0x44) == 0u);
    port.send(rx(16385));
    port.send(tx(16385));
    BOOST_TEST(port.read(0x40) == 1u);
    BOOST_TEST(port.read(0x44) == 1u);
}

BOOST_AUTO_TEST_CASE(a_new_maximum_changes_no_count) {
    Port port(switched_model);

    port.send(rx(9000), 7);
    port.write(0x00, 1u << 5);
    BOOST_TEST(port.read(0x40) == 7u);
    port.send(rx(9000), 3);
    port.write(0x00, 0);
    BOOST_TEST(port.read(0x40) == 7u);
}

BOOST_AUTO_TEST_CASE(a_poll_learns_the_maximum_that_is_set) {
    Polled polled(switched_model);

    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.acc.max_frame == 1522u);
    polled.port.write(0x00, 1u << 5);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.acc.max_frame == 16384u);
}

// Until the register is read, the maximum is that of the bit's reset value.
BOOST_AUTO_TEST_CASE(the_default_is_that_of_the_reset_value) {
    macstats_register reset[] = {switched_registers[0]};
    macstats_model model = switched_model;

    BOOST_TEST(macstats_default_max_frame(&model) == 1522u);
    reset[0].reset = 1u << 5;
    model.registers = reset;
    BOOST_TEST(macstats_default_max_frame(&model) == 16384u);
}

BOOST_AUTO_TEST_SUITE_END()
