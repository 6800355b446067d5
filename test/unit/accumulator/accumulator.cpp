// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// From raw values to totals, by the one rule total += (value - old) mod 2^width; and
// what it makes of counters that wrap, saturate, clear on read, or come in several
// words. The poll of a whole port is in poll.cpp.
#include "boost_test.hpp"

#include <cerrno>
#include <string>
#include <vector>

#include <macstats/rules.h>

#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_accumulator)

using namespace macstats::test;

namespace {

macstats_counter counter_of(unsigned int bits, macstats_overflow overflow = MACSTATS_ROLLOVER) {
    macstats_counter counter = {};

    counter.bits = static_cast<u8>(bits);
    counter.overflow = static_cast<u8>(overflow);
    return counter;
}

// A counter that reads do not change; read() accumulates one value after another.
struct Plain {
    macstats_counter counter;
    u64 total = 0;
    u64 old = 0;

    bool read(u64 value) {
        return macstats_accumulate(&counter, &total, &old, value, value, MACSTATS_UNBOUNDED);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(one_rule)

// From 2 below the maximum, 5 events lead to 2: 5 more, or what is left of them in a
// counter of one or two bits (5 mod 2 = 1, 5 mod 4 = 1).
BOOST_AUTO_TEST_CASE(a_counter_of_any_width_below_64_may_wrap_between_reads) {
    for (unsigned int bits = 1; bits <= 63; bits++) {
        const u64 modulus = u64{1} << bits;
        const u64 before = (modulus * 4 - 3) % modulus;
        Plain plain{counter_of(bits), 1000, before};

        BOOST_TEST_CONTEXT(bits << " bits") {
            BOOST_TEST(!plain.read((before + 5) % modulus));
            BOOST_TEST(plain.total == 1000u + (bits < 3 ? 1 : 5));
        }
    }
}

BOOST_AUTO_TEST_CASE(one_less_than_a_whole_turn_is_still_counted) {
    for (unsigned int bits = 1; bits <= 63; bits++) {
        const u64 modulus = u64{1} << bits;
        Plain plain{counter_of(bits), 0, 1};

        BOOST_TEST(!plain.read(0));
        BOOST_TEST(plain.total == modulus - 1);
    }
}

// design: "A 64-bit counter that goes back is a reset: new baseline, the total stays".
BOOST_AUTO_TEST_CASE(a_64_bit_counter_that_goes_back_was_reset) {
    Plain plain{counter_of(64)};

    BOOST_TEST(!plain.read(1000));
    BOOST_TEST(plain.read(10));
    BOOST_TEST(plain.total == 1000u);
    BOOST_TEST(!plain.read(15));
    BOOST_TEST(plain.total == 1005u);
}

BOOST_AUTO_TEST_CASE(a_64_bit_counter_goes_all_the_way_up) {
    Plain plain{counter_of(64)};

    BOOST_TEST(!plain.read(~u64{0} - 2));
    BOOST_TEST(!plain.read(~u64{0} - 1));
    BOOST_TEST(plain.total == ~u64{0} - 1);
}

// All-ones stand for no value in ethtool, so the largest total is one less.
BOOST_AUTO_TEST_CASE(a_total_stays_at_the_largest_one) {
    Plain plain{counter_of(32), ~u64{0} - 10, 0};

    BOOST_TEST(!plain.read(9));
    BOOST_TEST(plain.total == ~u64{0} - 1);
    BOOST_TEST(!plain.read(10));
    BOOST_TEST(plain.total == ~u64{0} - 1);
    BOOST_TEST(!plain.read(0xffffffff));
    BOOST_TEST(plain.total == ~u64{0} - 1);
}

BOOST_AUTO_TEST_CASE(a_saturated_counter_adds_no_more) {
    Plain plain{counter_of(8, MACSTATS_SATURATE)};

    BOOST_TEST(!plain.read(200));
    BOOST_TEST(!plain.read(255));
    BOOST_TEST(!plain.read(255));
    BOOST_TEST(plain.total == 255u);
}

BOOST_AUTO_TEST_CASE(a_saturating_counter_that_goes_back_was_reset) {
    Plain plain{counter_of(8, MACSTATS_SATURATE)};

    plain.read(255);
    BOOST_TEST(plain.read(3));
    BOOST_TEST(plain.total == 255u);
    BOOST_TEST(!plain.read(4));
    BOOST_TEST(plain.total == 256u);
}

BOOST_AUTO_TEST_CASE(after_a_clearing_read_the_whole_value_is_new) {
    macstats_counter counter = counter_of(32);
    u64 total = 0;
    u64 old = 0;

    for (u64 value : {7u, 0u, 5u, 0xffffffffu})
        BOOST_TEST(!macstats_accumulate(&counter, &total, &old, value, 0, MACSTATS_UNBOUNDED));
    BOOST_TEST(total == u64{12} + 0xffffffff);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(words)

BOOST_AUTO_TEST_CASE(words_are_put_together_with_the_low_one_first) {
    const u64 three[] = {0x1234, 0x5678, 0x9abc};
    const macstats_counter counter = counter_of(48);

    BOOST_TEST(macstats_assemble(&wide_model, &counter, three) == 0x9abc56781234u);
}

BOOST_AUTO_TEST_CASE(bits_beyond_a_counters_width_are_left_out) {
    const u64 ones[] = {0xffffffff, 0xffffffff};
    macstats_counter counter = counter_of(40);

    BOOST_TEST(macstats_assemble(&latching_model, &counter, ones) == 0xffffffffffu);
    counter = counter_of(7);
    BOOST_TEST(macstats_assemble(&latching_model, &counter, ones) == 0x7fu);
    counter = counter_of(64);
    BOOST_TEST(macstats_assemble(&latching_model, &counter, ones) == ~u64{0});
}

BOOST_AUTO_TEST_CASE(a_counter_has_as_many_words_as_its_bits_need) {
    const struct {
        unsigned int bits;
        unsigned int of_8;
        unsigned int of_16;
        unsigned int of_32;
    } widths[] = {
        {1, 1, 1, 1}, {8, 1, 1, 1}, {9, 2, 1, 1}, {32, 4, 2, 1}, {33, 5, 3, 2}, {64, 8, 4, 2},
    };

    for (const auto& one : widths) {
        const macstats_counter counter = counter_of(one.bits);

        BOOST_TEST(macstats_words(&saturating_model, &counter) == one.of_8);
        BOOST_TEST(macstats_words(&wide_model, &counter) == one.of_16);
        BOOST_TEST(macstats_words(&latching_model, &counter) == one.of_32);
    }
    BOOST_TEST(macstats_word_step(&saturating_model) == 1u);
    BOOST_TEST(macstats_word_step(&wide_model) == 1u);
    BOOST_TEST(macstats_word_step(&latching_model) == 4u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(clear_on_read)

// So many words fit one access: 4 counters of 4, or 5 of 3 and no part of the next one.
BOOST_AUTO_TEST_CASE(a_bulk_read_has_16_words_at_the_most) {
    const auto bulk_of = [](unsigned int count, unsigned int words) {
        // The row behind the last one would fit as well, but is not in the model.
        std::vector<macstats_counter> counters(count + 1, wide_counters[0]);

        for (unsigned int i = 0; i <= count; i++) {
            counters[i].bits = static_cast<u8>(16 * words);
            counters[i].offset = 0x10 + i * words;
        }
        macstats_model model = wide_model;
        model.counters = counters.data();
        model.n_counters = static_cast<u16>(count);
        Polled polled(model);
        BOOST_TEST(polled.poll() == 0);
        return polled.bus.bulk;
    };
    const auto each = boost::test_tools::per_element();

    BOOST_TEST(bulk_of(4, 4) == std::vector<unsigned int>({16}), each);
    BOOST_TEST(bulk_of(5, 4) == std::vector<unsigned int>({16, 4}), each);
    BOOST_TEST(bulk_of(7, 3) == std::vector<unsigned int>({15, 6}), each);
}

BOOST_AUTO_TEST_CASE(the_region_of_an_address_is_known) {
    macstats_model model = decrement_model;
    BOOST_TEST(macstats_region_at(&model, 0x1000) == 0);

    model.regions[0] = {"low", 0x08, 0x43};
    model.regions[1] = {"high", 0x48, 0x4b};
    model.n_regions = 2;
    BOOST_TEST(macstats_region_at(&model, 0x07) == -1);
    BOOST_TEST(macstats_region_at(&model, 0x08) == 0);
    BOOST_TEST(macstats_region_at(&model, 0x43) == 0);
    BOOST_TEST(macstats_region_at(&model, 0x44) == -1);
    BOOST_TEST(macstats_region_at(&model, 0x48) == 1);
    BOOST_TEST(macstats_region_at(&model, 0x4b) == 1);
    BOOST_TEST(macstats_region_at(&model, 0x4c) == -1);
}

BOOST_AUTO_TEST_SUITE_END()

MACSTATS_MODEL_BEGIN

constexpr macstats_field held_field = MACSTATS_FIELD(
    RO, "held", 0, 1, "The counters are frozen", .roles = MACSTATS_ROLE_SNAPSHOT_GRANTED);
constexpr macstats_field parity_field =
    MACSTATS_FIELD(RO, "parity", 1, 1, "A parity error", .roles = MACSTATS_ROLE_PARITY_ERROR);
constexpr macstats_field pending_field =
    MACSTATS_FIELD(RO, "pending", 2, 1, "A counter is half full", .roles = MACSTATS_ROLE_HALF_FULL);

// Gate, request and commands share a register with bits that belong to somebody else.
constexpr macstats_register shared_registers[] = {
    MACSTATS_REGISTER(
        RW, "CONTROL", 0x00, 1, "Commands",
        .fields =
            {MACSTATS_FIELD(RW, "other", 0, 1, "Of somebody else"),
             MACSTATS_FIELD(RW, "gate", 1, 1, "The counters count", .roles = MACSTATS_ROLE_GATE),
             MACSTATS_FIELD(
                 RW, "enable", 2, 1, "The interrupt is enabled",
                 .roles = MACSTATS_ROLE_HALF_FULL_ENABLE),
             MACSTATS_FIELD(
                 RW, "hold", 3, 1, "Freeze the counters", .roles = MACSTATS_ROLE_SNAPSHOT_REQUEST),
             MACSTATS_COMMAND("clear", 4, "Clear the counters", .roles = MACSTATS_ROLE_CLEAR),
             MACSTATS_COMMAND(
                 "parity_clear", 5, "Clear the parity error",
                 .roles = MACSTATS_ROLE_PARITY_CLEAR)}),
    MACSTATS_REGISTER(
        RO, "STATUS", 0x01, 0, "State", .fields = {held_field, parity_field, pending_field}),
};

MACSTATS_MODEL_END

macstats_model shared_model() {
    macstats_model model = wide_model;

    model.registers = shared_registers;
    model.n_registers = 2;
    model.half_full = 1ull << 47;
    return model;
}

BOOST_AUTO_TEST_CASE(no_access_changes_a_bit_of_somebody_else) {
    const macstats_model model = shared_model();
    unsigned int events = 0;

    BOOST_TEST(macstats__find_violation(&model).rule == MACSTATS_RULE_NONE);
    for (const u64 other : {0u, 1u, 1u << 2}) {
        Provided port(model);
        const auto kept = [&] { return (port.port.read(0x00) & 5) == other; };

        port.port.write(0x00, other);
        BOOST_TEST(port.start() == 0);
        BOOST_TEST(kept());
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(kept());
        port.port.fault(MACSTATS_FAULT_PARITY_ERROR);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST((port.events & MACSTATS_EVENT_PARITY_ERROR) != 0u);
        BOOST_TEST((port.port.read(0x01) & 3) == 0u);
        BOOST_TEST(kept());
        BOOST_TEST(port.port.read(0x00) == (other | 1u << 1));
        BOOST_TEST(macstats_suspend(&port.acc, 5000000, &events) == 0);
        BOOST_TEST(macstats_resume(&port.acc, 6000000, &events) == 0);
        BOOST_TEST(port.port.read(0x00) == (other | 1u << 1));
        // A snapshot that somebody left behind.
        port.port.write(0x00, other | 5u << 1);
        BOOST_TEST(port.poll_at(7000000) == 0);
        BOOST_TEST(port.port.read(0x00) == (other | 1u << 1));
    }
}

MACSTATS_MODEL_BEGIN

// The parity error has a register of its own, in the place that the grant has in STATUS.
constexpr macstats_register apart_registers[] = {
    shared_registers[0],
    MACSTATS_REGISTER(RO, "STATUS", 0x01, 0, "State", .fields = {held_field, pending_field}),
    MACSTATS_REGISTER(
        RO, "ERRORS", 0x02, 0, "Errors",
        .fields = {MACSTATS_FIELD(
            RO, "parity", 0, 1, "A parity error", .roles = MACSTATS_ROLE_PARITY_ERROR)}),
};

// Counters that nothing freezes, with the parity error in the first register of all.
constexpr macstats_register unfrozen_registers[] = {
    MACSTATS_REGISTER(
        RO, "ERRORS", 0x00, 0, "Errors",
        .fields = {MACSTATS_FIELD(
            RO, "parity", 0, 1, "A parity error", .roles = MACSTATS_ROLE_PARITY_ERROR)}),
    MACSTATS_REGISTER(
        RW, "CONTROL", 0x01, 0, "Commands",
        .fields =
            {MACSTATS_COMMAND("clear", 0, "Clear the counters", .roles = MACSTATS_ROLE_CLEAR),
             MACSTATS_COMMAND(
                 "parity_clear", 1, "Clear the parity error",
                 .roles = MACSTATS_ROLE_PARITY_CLEAR)}),
};

MACSTATS_MODEL_END

BOOST_AUTO_TEST_CASE(grant_and_parity_error_are_read_at_once_where_they_share_a_register) {
    macstats_model apart = shared_model();
    apart.registers = apart_registers;
    apart.n_registers = 3;
    std::vector<macstats_counter> narrow(std::begin(wide_counters), std::end(wide_counters));
    for (macstats_counter& counter : narrow)
        counter.bits = 16; // one word
    macstats_model unfrozen = wide_model;
    unfrozen.counters = narrow.data();
    unfrozen.registers = unfrozen_registers;
    unfrozen.n_registers = 2;

    // Looks at the registers with the two bits, before the counters are read and after.
    struct Case {
        macstats_model model;
        std::vector<u32> before, behind;
    };
    const Case cases[] = {
        {shared_model(), {0x01, 0x01}, {0x01}},
        {apart, {0x01, 0x01}, {0x01, 0x02}},
        {unfrozen, {}, {0x00}},
    };
    for (const Case& each : cases) {
        const macstats_model& model = each.model;
        BOOST_TEST(macstats__find_violation(&model).rule == MACSTATS_RULE_NONE);
        const macstats_block_roles block = macstats_find_roles(&model).blocks[0];
        Provided port(model);
        std::vector<u32> seen[2];
        bool counted = false;

        BOOST_TEST(port.start() == 0);
        port.bus.before_read = [&](u32 offset) {
            counted = counted || offset >= model.counters[0].offset;
            if (offset == block.parity_error.offset ||
                (block.snapshot_granted.mask && offset == block.snapshot_granted.offset))
                seen[counted].push_back(offset);
        };
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(seen[0] == each.before, boost::test_tools::per_element());
        BOOST_TEST(seen[1] == each.behind, boost::test_tools::per_element());
        BOOST_TEST((port.events & MACSTATS_EVENT_PARITY_ERROR) == 0u);
        port.port.fault(MACSTATS_FAULT_PARITY_ERROR);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST((port.events & MACSTATS_EVENT_PARITY_ERROR) != 0u);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST((port.events & MACSTATS_EVENT_PARITY_ERROR) == 0u);
    }
}

// Two moves back add up, and go back to no earlier than boot.
BOOST_AUTO_TEST_CASE(the_last_good_poll_moves_back_in_time) {
    Polled polled(clearing_model);

    BOOST_TEST(polled.poll_at(10000) == 0);
    macstats_advance(&polled.acc, 100);
    macstats_advance(&polled.acc, 1000);
    BOOST_TEST(macstats_polled_ns(&polled.acc) == 8900u);
    BOOST_TEST(macstats__unpolled_ns(&polled.acc, 10000) == 1100u);
    BOOST_TEST(macstats__unpolled_ns(&polled.acc, 10005) == 1105u);
    macstats_advance(&polled.acc, ~u64{0});
    BOOST_TEST(macstats_polled_ns(&polled.acc) == 0u);
    BOOST_TEST(macstats__unpolled_ns(&polled.acc, 10005) == ~u64{0});
}

// As many counters as a model can have, in as many blocks: nothing lies behind the last ones.
BOOST_AUTO_TEST_CASE(a_model_of_the_largest_size_is_counted_and_read) {
    for (const macstats_onread onread : {MACSTATS_ONREAD_NONE, MACSTATS_ONREAD_RCLR}) {
        std::vector<macstats_counter> rows(MACSTATS_MAX_COUNTERS, clearing_counters[1]);
        macstats_model model = clearing_model;

        for (u32 i = 0; i < MACSTATS_MAX_COUNTERS; i++) {
            rows[i].offset = 0x100 + i;
            rows[i].onread = static_cast<u8>(onread);
            rows[i].block = static_cast<u8>(i % MACSTATS_MAX_BLOCKS);
        }
        for (macstats_block& block : model.blocks)
            block.name = "block";
        model.counters = rows.data();
        model.n_counters = MACSTATS_MAX_COUNTERS;
        model.n_blocks = MACSTATS_MAX_BLOCKS;
        Polled polled(model, {.random = true, .seed = 7});

        BOOST_TEST(polled.started == 0);
        polled.port.send(rx(64), 3);
        BOOST_TEST(polled.poll() == 0);
        polled.port.send(rx(64).bad(), 2);
        BOOST_TEST(polled.poll() == 0);
        polled.preset(MACSTATS_MAX_COUNTERS - 1, 1000);
        polled.port.send(rx(64), 1);
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(
            polled.totals() == std::vector<u64>(MACSTATS_MAX_COUNTERS, 6),
            boost::test_tools::per_element());
        // No block has a bit for a parity error, so there is none.
        BOOST_CHECK_THROW(polled.port.fault(MACSTATS_FAULT_PARITY_ERROR), std::invalid_argument);
        BOOST_TEST(polled.acc.state.discontinuities == 0u);
        polled.port.fault(MACSTATS_FAULT_RESET);
        BOOST_TEST(polled.poll() == 0);
    }
}

// Without a bus that counts octets, the line carries those of the clock, 125 in a microsecond at
// 1 Gb/s, and an eighth, without fractions. The clock may stand still.
BOOST_AUTO_TEST_CASE(no_octets_pass_while_no_time_does) {
    macstats_accumulator acc = {};

    acc.model = &clearing_model;
    acc.line_rate_bps = 1000000000;
    acc.line_ns = 5000;
    const auto octets_at = [&](u64 now_ns) {
        macstats__line_passes(&acc, now_ns);
        return acc.line_octets;
    };
    BOOST_TEST(octets_at(5000) == 0u);
    BOOST_TEST(octets_at(4000) == 0u);
    BOOST_TEST(octets_at(6000) == 125u + 15u);
    BOOST_TEST(octets_at(6000) == 125u + 15u);
    BOOST_TEST(octets_at(8000) == 125u + 15u + 250u + 31u);
}

BOOST_AUTO_TEST_SUITE(several_words)

BOOST_AUTO_TEST_CASE(a_snapshot_keeps_three_words_together) {
    Polled polled(wide_model);
    u64 sent = 0;

    polled.preset("RX_OCTETS", 0xffff);
    polled.bus.before_read = [&](u32 offset) {
        if (offset >= 0x10) {
            polled.port.send(rx(1));
            sent++;
        }
    };
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("RX_OCTETS") == 0u);
    polled.bus.before_read = nullptr;
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("RX_OCTETS") == sent);
    BOOST_TEST(sent == 6u);
}

BOOST_AUTO_TEST_CASE(a_latch_keeps_two_words_together) {
    Polled polled(latching_model);
    u64 received = 0;
    u64 transmitted = 0;

    polled.preset("RX_OCTETS", 0xffffffff);
    polled.preset("TX_OCTETS", 0xffffffff);
    polled.bus.before_read = [&](u32) {
        polled.port.send(rx(1));
        polled.port.send(tx(1));
        received++;
        transmitted++;
    };
    for (int i = 0; i < 5; i++)
        BOOST_TEST(polled.poll() == 0);
    polled.bus.before_read = nullptr;
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("RX_OCTETS") == received);
    BOOST_TEST(polled.total("TX_OCTETS") == transmitted);
}

BOOST_AUTO_TEST_SUITE_END()

// At 1 Gb/s a frame of 64 octets and 20 more on the wire takes 672 ns. A counter of 20 bits fills
// in 2^20 of them, 704643 us; one of 16 bits in 44040 us, less than the 200 ms below which a poll
// comes every 100 ms; one of 32 bits in 2886 s, and octets wrap a counter of 32 bits in 34.36 s.
BOOST_AUTO_TEST_CASE(a_poll_is_due_at_half_the_time_in_which_a_counter_saturates) {
    macstats_counter rows[] = {clearing_counters[0], clearing_counters[1]};
    macstats_model model = clearing_model;
    const auto ceiling = [&](unsigned int bits) {
        rows[1].bits = static_cast<u8>(bits);
        return macstats_poll_ceiling_usecs(&model, model.line_rate_bps);
    };

    model.counters = rows;
    model.n_counters = 2;
    rows[1].overflow = MACSTATS_SATURATE;
    BOOST_TEST(ceiling(20) == 352321u);
    BOOST_TEST(ceiling(16) == 100000u);
    BOOST_TEST(ceiling(32) == 17179869u);
    BOOST_TEST(macstats__shortest_wrap_usecs(&model, model.line_rate_bps) == 34359738u);
    rows[1].bits = 20;
    BOOST_TEST(macstats_poll_default_usecs(&model, model.line_rate_bps) == 352321u);
    rows[0].overflow = MACSTATS_SATURATE;
    BOOST_TEST(macstats__shortest_wrap_usecs(&model, model.line_rate_bps) == ~u64{0});
    BOOST_TEST(ceiling(20) == 352321u);
}

BOOST_AUTO_TEST_SUITE(presets)

// scenario format: "as if all of it had been counted before the provider first looked:
// the totals do not change, and what is counted from here on is added to them".
BOOST_AUTO_TEST_CASE(a_preset_leaves_the_total_and_loses_nothing) {
    const struct {
        const macstats_model* model;
        const char* reg;
        u64 preset;
    } counters[] = {
        {&clearing_model, "RxFrames", 0xfffffffe},
        {&decrement_model, "Rx Frames", 0xfffffffe},
        {&decrement_model, "Rx Frames", 0},
        {&saturating_model, "RX_FRAMES", 100},
    };

    for (const auto& one : counters) {
        BOOST_TEST_CONTEXT(one.model->name) {
            Polled polled(*one.model);

            polled.port.send(rx(64), 10);
            polled.poll();
            BOOST_TEST(polled.total(one.reg) == 10u);
            polled.port.send(rx(64), 5); // not read yet when the counter is preset
            polled.preset(one.reg, one.preset);
            BOOST_TEST(polled.total(one.reg) == 15u);
            polled.port.send(rx(64), 3);
            BOOST_TEST(polled.poll() == 0);
            BOOST_TEST(polled.total(one.reg) == 18u);
            BOOST_TEST(polled.events == 0u);
            polled.port.send(rx(64), 1);
            BOOST_TEST(polled.poll() == 0);
            BOOST_TEST(polled.total(one.reg) == 19u);
        }
    }
}

// The other counters keep counts that a read would clear.
BOOST_AUTO_TEST_CASE(a_preset_leaves_the_other_counters_of_a_clearing_mac_alone) {
    Polled polled(clearing_model);

    polled.port.send(rx(64), 5);
    polled.preset("RxFrames", 1000);
    BOOST_TEST(
        polled.port.read(polled.acc.model->counters[polled.index("RxOctets")].offset) == 320u);
}

// 8 bits: what came after 255 was never counted by the register.
BOOST_AUTO_TEST_CASE(a_counter_that_has_stopped_counts_again_when_it_is_preset) {
    Polled polled(saturating_model);

    polled.port.send(rx(64), 300);
    polled.preset("RX_FRAMES", 250);
    BOOST_TEST(polled.total("RX_FRAMES") == 255u);
    polled.port.send(rx(64), 3);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("RX_FRAMES") == 258u);
    polled.port.send(rx(64), 10);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("RX_FRAMES") == 260u);
    BOOST_TEST(polled.events == MACSTATS_EVENT_SATURATED);
}

// What a read or a write of somebody else takes away of it is no wrap, whatever came meanwhile.
BOOST_AUTO_TEST_CASE(a_preset_that_somebody_takes_away_is_a_new_baseline) {
    const struct {
        const macstats_model* model;
        const char* reg;
    } counters[] = {{&clearing_model, "RxFrames"}, {&decrement_model, "Rx Frames"}};

    for (const auto& one : counters)
        for (const u64 preset : {u64{1000}, u64{0x80000000}, u64{0xfffffffe}})
            for (const bool bound : {false, true})
                for (const bool reset : {false, true}) {
                    BOOST_TEST_CONTEXT(one.model->name << " " << preset << bound << reset) {
                        Polled polled(*one.model);
                        const auto lower = [&] {
                            if (reset)
                                polled.port.fault(MACSTATS_FAULT_RESET);
                            else if (one.model == &decrement_model)
                                polled.port.write(one.reg, preset);
                            else
                                polled.port.read(one.reg);
                        };

                        polled.acc.line_rate_bound = bound;
                        polled.port.send(rx(1500), 7);
                        polled.preset(one.reg, preset);
                        lower();
                        polled.port.send(rx(1500), 5);
                        BOOST_TEST(polled.poll() == 0);
                        BOOST_TEST(polled.total(one.reg) == 7u);
                        BOOST_TEST(polled.events == MACSTATS_EVENT_DISCONTINUITY);
                        polled.port.send(rx(1500), 2);
                        BOOST_TEST(polled.poll() == 0);
                        BOOST_TEST(polled.total(one.reg) == 9u);
                        BOOST_TEST(polled.events == 0u);

                        // The next preset finds it, too. Its block has a new baseline, unless it
                        // can have wrapped.
                        const bool block =
                            bound && one.model == &decrement_model && preset != 0xfffffffe;
                        polled.preset(one.reg, preset);
                        lower();
                        polled.preset(one.reg, 0xffffff00);
                        polled.port.send(rx(1500), 0x101);
                        BOOST_TEST(polled.poll() == 0);
                        BOOST_TEST(polled.total(one.reg) == (block ? 9u : 9u + 0x101));
                        BOOST_TEST(polled.events == MACSTATS_EVENT_DISCONTINUITY);
                    }
                }
}

// What was counted since is theirs to take; the rest is exact.
BOOST_AUTO_TEST_CASE(somebody_may_take_what_was_counted_since_a_preset) {
    Polled polled(decrement_model);

    polled.preset("Rx Frames", 0xfffffff0);
    polled.port.send(rx(64), 10);
    polled.port.write("Rx Frames", 4);
    polled.port.send(rx(64), 20); // round the end
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == 0u);
    BOOST_TEST(polled.total("Rx Frames") == 26u);
}

BOOST_AUTO_TEST_CASE(what_was_read_of_a_preset_and_not_usable_is_no_wrap) {
    Polled polled(decrement_model);
    bool read = false;

    polled.preset("Tx Frames", 1000);
    polled.port.send(tx(64), 3);
    // The gate closes after the counter was read.
    polled.bus.before_read = [&](u32 offset) {
        read = read || offset == 0x48;
        if (read && offset == 0x0c)
            polled.port.write(0x0c, 0);
    };
    BOOST_TEST(polled.poll() == -ENODATA);
    BOOST_TEST((polled.events & MACSTATS_EVENT_POSSIBLE_LOSS) != 0u);
    polled.bus.before_read = nullptr;
    polled.port.write(0x0c, 7);
    polled.port.send(tx(64), 2);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("Tx Frames") == 0u);
    BOOST_TEST((polled.events & MACSTATS_EVENT_DISCONTINUITY) != 0u);
    polled.port.send(tx(64), 4);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("Tx Frames") == 4u);
}

// The baseline after a reset is still to be read: what the counter held then is not counted.
BOOST_AUTO_TEST_CASE(a_port_that_was_reset_and_not_read_since_may_be_preset) {
    Polled polled(decrement_model);
    unsigned int events = 0;

    polled.port.send(rx(64), 10);
    BOOST_TEST(polled.poll() == 0);
    polled.port.fault(MACSTATS_FAULT_BUS_ERROR);
    BOOST_TEST(macstats_reset(&polled.acc, 3000000, &events) == -EIO);
    polled.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
    polled.port.send(rx(64), 5);
    polled.preset("Rx Frames", 1000);
    BOOST_TEST(polled.total("Rx Frames") == 10u);
    BOOST_TEST(polled.poll_at(4000000) == 0);
    BOOST_TEST(polled.total("Rx Frames") == 10u);
    polled.port.send(rx(64), 2);
    BOOST_TEST(polled.poll_at(5000000) == 0);
    BOOST_TEST(polled.total("Rx Frames") == 12u);
}

BOOST_AUTO_TEST_CASE(a_port_that_was_never_read_may_be_preset) {
    Copy copy(decrement_model);
    copy.registers[0].fields[3] = field_of(MACSTATS_RO, 31, 1, MACSTATS_ROLE_BUSY);
    const macstats_model& model = copy.model();
    Port port(model);
    Bus bus(port);
    macstats_accumulator acc = {};
    unsigned int events = 0;

    port.fault(MACSTATS_FAULT_RESET_IN_PROGRESS);
    acc.model = &model;
    acc.bus = bus.ops();
    BOOST_TEST(macstats_start(&acc, 0) == 0);
    BOOST_TEST(acc.state.stale);
    port.send(rx(64), 5); // before the provider's first look
    macstats_preset(&acc, 0, port.preset(0, 1000), 1000);
    BOOST_TEST(acc.counters[0].total == 0u);
    port.fault(MACSTATS_FAULT_RESET_IN_PROGRESS, false);
    BOOST_TEST(macstats_poll(&acc, 1000, &events) == 0);
    BOOST_TEST(acc.counters[0].total == 0u);
    BOOST_TEST(acc.state.start_ns == 1000u);
    port.send(rx(64), 3);
    BOOST_TEST(macstats_poll(&acc, 2000, &events) == 0);
    BOOST_TEST(acc.counters[0].total == 3u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
