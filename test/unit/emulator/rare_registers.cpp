// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Words of the schema that no shipped model uses yet, on made-up models: what a register
// does to counting, and to the counters.
#include "boost_test.hpp"

#include <cerrno>

#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_rare_registers)

using namespace macstats::test;

BOOST_AUTO_TEST_SUITE(settings)

BOOST_AUTO_TEST_CASE(each_setting_switches_its_own_frames) {
    const u16 errors[] = {MACSTATS_ERR_FCS, MACSTATS_ERR_ALIGNMENT, MACSTATS_ERR_CODE};

    // FCS needs the first, alignment the second, code both.
    for (u32 set = 0; set < 4; set++) {
        Port port(settings_model);
        const bool counts[] = {(set & 1) != 0, (set & 2) != 0, set == 3};

        port.write(0x00, set & 1);
        port.write(0x04, set >> 1);
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

    frame.errors = MACSTATS_ERR_ALIGNMENT;
    port.send(frame, 4);
    BOOST_TEST(port.read(0x40) == 4u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(words)

// A bus of 32 bits whose addresses are those of octets has a word at each fourth address.
BOOST_AUTO_TEST_CASE(nothing_answers_between_two_words) {
    Copy copy(decrement_model);
    copy.model().reserved[0] = {0x10, 0x1f, MACSTATS_READS_ZERO};
    copy.model().n_reserved = 1;
    Port port(copy.model());

    for (const u32 word : {0x0cu, 0x10u, 0x1cu, 0x40u, 0x48u})
        for (u32 octet = 0; octet < 4; octet++) {
            u64 value = 1;

            BOOST_TEST(port.try_read(word + octet, value) == (octet ? -ENXIO : 0), word + octet);
            BOOST_TEST(port.try_write(word + octet, 0) == (octet ? -ENXIO : 0), word + octet);
        }
}

// 2^33 + 5 frames. A device without the block of the counter has neither of its words.
BOOST_AUTO_TEST_CASE(a_high_word_is_as_absent_as_its_counter) {
    Copy copy(rolling_model);
    macstats_model& model = copy.model();
    copy.rows[0].block = 1;
    copy.rows[1].offset = 0x13;
    copy.rows[2].offset = 0x14;
    model.blocks[1].name = "rx";
    model.blocks[1].option = MACSTATS_OPT_RX_STATISTICS;
    model.n_blocks = 2;
    model.options = model.default_options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_RX_STATISTICS;
    model.reserved[0] = {0x11, 0x11, MACSTATS_READS_HIGH_WORD};
    model.n_reserved = 1;

    for (const bool built : {true, false}) {
        Port port(model, {.without = static_cast<u16>(built ? 0 : MACSTATS_OPT_RX_STATISTICS)});

        port.send(rx(64), (u64{1} << 33) + 5);
        BOOST_TEST(port.read(0x10) == (built ? 5u : 0u));
        BOOST_TEST(port.read(0x11) == (built ? 2u : 0u));
        BOOST_TEST(port.read(0x11) == 0u);
        BOOST_TEST(port.read(0x10) == 0u);
    }
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

// A pause frame that such a MAC makes is a good one, whatever happens to others.
BOOST_AUTO_TEST_CASE(pause_frames_of_some_macs_are_always_good) {
    Copy copy(offload_model);
    for (macstats_counter& row : copy.rows)
        row.when[0].direction = MACSTATS_TX;
    copy.row("XEC").when[0].errors = MACSTATS_ERR_ALL;
    copy.row("RNBC").unit = MACSTATS_COLLISIONS;
    copy.row("RNBC").when[0].errors = 0;
    copy.model().ieee_own_pause = true;
    Port port(copy.model());
    const Frame bad = mac_pause().with(MACSTATS_ERR_FCS).collided(3);

    port.send(bad, 5);
    BOOST_TEST(port.read("GPRC") == 5u);
    BOOST_TEST(port.read("XEC") == 0u);
    BOOST_TEST(port.read("RNBC") == 0u);
    port.send(bad.by(MACSTATS_BY_SOFTWARE), 2);
    BOOST_TEST(port.read("GPRC") == 5u);
    BOOST_TEST(port.read("XEC") == 2u);
    BOOST_TEST(port.read("RNBC") == 0u);
    Port half(copy.model(), {.with = MACSTATS_OPT_HALF_DUPLEX});
    half.send(bad.by(MACSTATS_BY_SOFTWARE), 2);
    BOOST_TEST(half.read("RNBC") == 6u);
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

BOOST_AUTO_TEST_CASE(a_command_of_one_block_leaves_the_others) {
    Copy copy(increment_model);
    copy.model().n_blocks = 2;
    copy.rows[1].block = 1;
    Port port(copy.model());

    port.send(rx(64), 10);
    port.write(0x00, 1u << 3);
    BOOST_TEST(port.read(0x40) == 11u);
    BOOST_TEST(port.read(0x44) == 10u);
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

BOOST_AUTO_TEST_SUITE(half_full)

BOOST_AUTO_TEST_CASE(without_an_enable_bit_the_interrupt_is_enabled) {
    Copy copy(cpsw_model);
    copy.drop(MACSTATS_ROLE_HALF_FULL_ENABLE);
    Port port(copy.model());
    const macstats_bit& pending = port.emulator().roles.half_full;

    BOOST_TEST((port.read(pending.offset) & pending.mask) == 0u);
    port.preset(0, cpsw_model.half_full);
    BOOST_TEST((port.read(pending.offset) & pending.mask) == pending.mask);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(addresses)

BOOST_AUTO_TEST_CASE(a_device_without_a_stride_has_one_port) {
    u32 address = 0x44;

    BOOST_TEST(macstats_port_of(&increment_model, &address) == 0u);
    BOOST_TEST(address == 0x44u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(line_time)

BOOST_AUTO_TEST_CASE(no_time_has_passed_at_power_up) {
    Port port(increment_model);
    const macstats_cell_set cell_set = port.whole_set();

    BOOST_TEST(macstats_line_octets(&port.emulator(), &cell_set) == 0u);
}

// 64 octets of the frame and of each collision, 20 of preamble, SFD and gap with each.
BOOST_AUTO_TEST_CASE(each_collision_takes_a_slot_time_and_a_gap) {
    Port port(increment_model, {.with = MACSTATS_OPT_HALF_DUPLEX});
    const macstats_cell_set cell_set = port.whole_set();

    port.send(tx(64).as(MACSTATS_PFC).collided(3), 2);
    BOOST_TEST(macstats_line_octets(&port.emulator(), &cell_set) == 2u * 4 * (64 + 20));
    BOOST_TEST(macstats_line_octets(&port.emulator(), &cell_set) == 0u);
}

// Both are of one size class, and of one cell.
BOOST_AUTO_TEST_CASE(a_short_frame_takes_as_long_as_the_shortest_of_its_direction) {
    macstats_model model = increment_model;

    model.sizes = {};
    model.sizes.edge[0] = 64;
    model.min_frame_rx = 100;
    model.min_frame_tx = 80;
    Port port(model);
    const macstats_cell_set cell_set = port.whole_set();

    port.send(rx(64), 3);
    port.send(rx(110));
    BOOST_TEST(macstats_line_octets(&port.emulator(), &cell_set) == 3u * (100 + 20) + 110 + 20);
    port.send(tx(64), 3);
    port.send(tx(110));
    BOOST_TEST(macstats_line_octets(&port.emulator(), &cell_set) == 3u * (80 + 20) + 110 + 20);
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

// 48 bits in three words. The bit that enables writes is here the one that
// freezes the counters, too: they show the writes once it is clear.
BOOST_AUTO_TEST_CASE(a_write_of_one_of_three_words_is_stored_in_its_place) {
    Copy copy(wide_model);

    copy.registers[0].fields[0].roles |= MACSTATS_ROLE_WRITE_ENABLE;
    for (const u32 first : {0x10u, 0x11u, 0x12u}) {
        Port port(copy.model());
        const u64 words[] = {0x9abc, 0x5678, 0x1234};

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
        BOOST_TEST(port.read(0x10) == 0x1abcu);
        BOOST_TEST(port.read(0x11) == 0x5679u);
        BOOST_TEST(port.read(0x12) == 0x1234u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

// IEEE 802.3 4.4.2: attemptLimit 16. A frame that is given up has collided at each attempt.
BOOST_AUTO_TEST_CASE(a_frame_that_is_given_up_has_collided_sixteen_times) {
    Port port(clearing_model, {.with = MACSTATS_OPT_HALF_DUPLEX});

    port.send(tx(64).with(MACSTATS_ERR_EXCESSIVE_COLLISIONS), 3);
    BOOST_TEST(port.read("TxCollisions") == 48u);
    port.send(tx(64).collided(15));
    BOOST_TEST(port.read("TxCollisions") == 15u);
    port.send(tx(64).collided(16));
    BOOST_TEST(port.read("TxCollisions") == 16u);
}

BOOST_AUTO_TEST_CASE(a_counter_interrupts_from_its_level_on) {
    macstats_model model = clearing_model;

    model.half_full = 1000;
    for (const unsigned int row : {0u, 3u}) {
        Port port(model);
        const macstats_cell_set cell_set = port.whole_set();

        BOOST_TEST(!macstats__half_full(&port.emulator(), &cell_set));
        port.preset(row, 999);
        BOOST_TEST(!macstats__half_full(&port.emulator(), &cell_set));
        port.preset(row, 1000);
        BOOST_TEST(macstats__half_full(&port.emulator(), &cell_set));
        port.preset(row, 1001);
        BOOST_TEST(macstats__half_full(&port.emulator(), &cell_set));
    }
    model.half_full = 0;
    Port port(model);
    const macstats_cell_set cell_set = port.whole_set();
    BOOST_TEST(!macstats__half_full(&port.emulator(), &cell_set));
}

// While the first setting is on: how it is set later changes no count.
BOOST_AUTO_TEST_CASE(a_setting_is_applied_when_a_frame_comes) {
    for (const macstats_kind kind : {MACSTATS_DATA, MACSTATS_PAUSE}) {
        macstats_counter row = settings_counters[0];
        macstats_model model = settings_model;

        row.when[0] = {};
        row.when[0].direction = MACSTATS_RX;
        row.when[0].kind = static_cast<u8>(kind);
        row.when[0].with = MACSTATS_OPT_SETTING;
        row.when[1] = {};
        row.when[2] = {};
        model.counters = &row;
        Port port(model);
        port.send(rx(64).as(kind), 2);
        port.write(0x00, 1);
        port.send(rx(64).as(kind), 3);
        BOOST_TEST(port.read(0x40) == 3u);
        port.write(0x00, 0);
        BOOST_TEST(port.read(0x40) == 3u);
        port.send(rx(64).as(kind), 4);
        BOOST_TEST(port.read(0x40) == 3u);
    }
}

// Two ports of 0x10 addresses each, and one counter of each side by side at 0x31 and 0x32.
BOOST_AUTO_TEST_CASE(an_address_apart_belongs_to_the_port_of_its_counter) {
    macstats_counter rows[] = {clearing_counters[0], clearing_counters[1]};
    macstats_model model = clearing_model;
    const struct {
        u32 address;
        unsigned int port;
        u32 in_first;
    } cases[] = {{0x00, 0, 0x00}, {0x0f, 0, 0x0f}, {0x10, 1, 0x00}, {0x1f, 1, 0x0f},
                 {0x30, 3, 0x00}, {0x31, 0, 0x31}, {0x32, 1, 0x31}, {0x33, 3, 0x03}};

    rows[0].offset = 0x04;
    rows[1].offset = 0x31;
    rows[1].port_stride = 1;
    model.counters = rows;
    model.n_counters = 2;
    model.n_reserved = 0;
    model.ports = 2;
    model.port_stride = 0x10;
    for (const auto& one : cases) {
        u32 address = one.address;

        BOOST_TEST(macstats_port_of(&model, &address) == one.port, one.address);
        BOOST_TEST(address == one.in_first, one.address);
    }
    BOOST_TEST(macstats_counter_address(&model, &rows[0], 0x10) == 0x14u);
    BOOST_TEST(macstats_counter_address(&model, &rows[1], 0x10) == 0x32u);
}

// An access of a slow bus takes 1 to 10000 us. The four counters have one word each.
BOOST_AUTO_TEST_CASE(the_argument_of_a_fault_has_a_range) {
    const auto checked = [](u32 faults, u32 argument, bool active) {
        const macstats_fault_request request = {
            .faults = faults, .active = active, .during_read = false, .argument = argument};
        return macstats_fault_check(&clearing_model, &request);
    };

    BOOST_TEST(checked(MACSTATS_FAULT_SLOW_BUS, 0, true) == -ERANGE);
    BOOST_TEST(checked(MACSTATS_FAULT_SLOW_BUS, 1, true) == 0);
    BOOST_TEST(checked(MACSTATS_FAULT_SLOW_BUS, 10000, true) == 0);
    BOOST_TEST(checked(MACSTATS_FAULT_SLOW_BUS, 10001, true) == -ERANGE);
    BOOST_TEST(checked(MACSTATS_FAULT_SLOW_BUS, 0, false) == 0);
    BOOST_TEST(checked(MACSTATS_FAULT_BUS_ERROR_AT, 3, true) == 0);
    BOOST_TEST(checked(MACSTATS_FAULT_BUS_ERROR_AT, 4, true) == -ERANGE);
    BOOST_TEST(checked(MACSTATS_FAULT_BUS_ERROR, 0, true) == 0);
    BOOST_TEST(checked(0, 0, true) == -EINVAL);
    BOOST_TEST(checked(MACSTATS_FAULT_PARITY_ERROR, 0, true) == -EINVAL);
    BOOST_TEST(checked(MACSTATS_FAULT_RESET, 0, false) == -EINVAL);
}

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

BOOST_AUTO_TEST_CASE(the_last_bucket_ends_at_the_longest_maximum) {
    Copy wide(switched_model);

    BOOST_TEST(macstats__last_class_end(&switched_model) == 16384u);
    // Lengths of ethtool's ranges have 16 bits.
    wide.registers[0].fields[0] = field_of(MACSTATS_RW, 0, 17, MACSTATS_ROLE_MAX_FRAME_RX);
    BOOST_TEST(macstats__last_class_end(&wide.model()) == 65535u);
}

// Until the register is read, the maximum is that of the bit's reset value.
BOOST_AUTO_TEST_CASE(the_default_is_that_of_the_reset_value) {
    macstats_register reset[] = {switched_registers[0]};
    macstats_model model = switched_model;

    BOOST_TEST(macstats__default_max_frame(&model) == 1522u);
    reset[0].reset = 1u << 5;
    model.registers = reset;
    BOOST_TEST(macstats__default_max_frame(&model) == 16384u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
