// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// What registers do to counting and to the counters where no shipped model does, on made-up models.
// The rest is in the scenarios of models that have such words, and compared in reference.cpp.
#include "boost_test.hpp"

#include <cerrno>

#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_rare_registers)

using namespace macstats::test;

BOOST_AUTO_TEST_CASE(a_reset_value_sets_a_setting) {
    Port port(settings_model);
    Frame frame = rx(100);

    frame.errors = MACSTATS_ERR_ALIGNMENT;
    port.send(frame, 4);
    BOOST_TEST(port.read(0x40) == 4u);
}

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

// Of two blocks, the second of which has no command; or of one, whose first counter rolls over.
BOOST_AUTO_TEST_CASE(a_command_adds_1_to_each_counter_of_its_block) {
    for (const bool of_one : {false, true}) {
        Copy copy(increment_model);
        copy.model().n_blocks = of_one ? 1 : 2;
        copy.rows[1].block = of_one ? 0 : 1;
        Port port(copy.model());

        port.preset(0, 0xffffffff);
        port.preset(1, 254);
        port.write(0x00, 1u << 3);
        BOOST_TEST(port.read(0x40) == 0u);
        BOOST_TEST(port.read(0x44) == (of_one ? 255u : 254u));
        port.write(0x00, 1u << 3);
        BOOST_TEST(port.read(0x40) == 1u);
        BOOST_TEST(port.read(0x44) == (of_one ? 255u : 254u));
    }
}

BOOST_AUTO_TEST_CASE(without_an_enable_bit_the_interrupt_is_enabled) {
    Copy copy(cpsw_model);
    copy.drop(MACSTATS_ROLE_HALF_FULL_ENABLE);
    Port port(copy.model());
    const macstats_bit& pending = port.emulator().roles.half_full;

    BOOST_TEST((port.read(pending.offset) & pending.mask) == 0u);
    port.preset(0, cpsw_model.half_full);
    BOOST_TEST((port.read(pending.offset) & pending.mask) == pending.mask);
}

BOOST_AUTO_TEST_CASE(a_device_without_a_stride_has_one_port) {
    u32 address = 0x44;

    BOOST_TEST(macstats_port_of(&increment_model, &address) == 0u);
    BOOST_TEST(address == 0x44u);
}

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

BOOST_AUTO_TEST_CASE(a_write_stores_no_more_bits_than_the_counter_has) {
    Port port(enabled_model);

    port.write(0x00, 1u << 7);
    port.write(0x40, 0xffffffff);
    BOOST_TEST(port.read(0x40) == 0xfffffu);
    port.send(rx(64));
    BOOST_TEST(port.read(0x40) == 0u);
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

// Of modes_model, bit 0 of 0x00 lets reads clear, bit 1 lets counters stay at their maximum, and
// bit 2 freezes. 0x40 has frames received, of 8 bits; 0x48 has octets received, of 64 bits.
BOOST_AUTO_TEST_SUITE(modes)

namespace {

constexpr u32 clear_on_read = 1;
constexpr u32 saturate = 2;
constexpr u32 freeze = 4;

} // namespace

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

// No line brings 64 bits to their maximum.
BOOST_AUTO_TEST_CASE(the_bits_leave_another_block_and_64_bits_alone) {
    Port port(modes_model);

    port.preset(2, ~u64{0});
    port.write(0x00, freeze | saturate | clear_on_read);
    port.send(tx(64), 2);
    BOOST_TEST(port.read(0x44) == 0u);
    BOOST_TEST(port.read(0x50) == 128u);
    BOOST_TEST(port.read(0x50) == 128u);
    port.write(0x00, saturate);
    port.send(rx(64));
    BOOST_TEST(port.read(0x48) == 63u);
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

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(switched_maximum)

BOOST_AUTO_TEST_CASE(a_poll_learns_the_maximum_that_is_set) {
    Polled polled(switched_model);

    polled.acc.bus.line_octets = nullptr; // which would be a better bound
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
