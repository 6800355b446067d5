// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Values that the schema derives from the rows of a model: what a read destroys, wrap times, ranges
// of sizes, masks.
#include "boost_test.hpp"

#include <macstats/check_models.h>

#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_derived_values)

using namespace macstats::test;

BOOST_AUTO_TEST_SUITE(addresses)

BOOST_AUTO_TEST_CASE(reads_that_clear_or_latch_are_destructive_in_every_word) {
    for (u32 offset : {0x20u, 0x21u, 0x23u, 0x24u})
        BOOST_TEST(macstats_read_is_destructive(&clearing_model, offset));
    BOOST_TEST(!macstats_read_is_destructive(&clearing_model, 0x22));
    for (u32 offset : {0x100u, 0x104u, 0x108u, 0x10cu})
        BOOST_TEST(macstats_read_is_destructive(&latching_model, offset));
    for (u32 offset : {0x0cu, 0x40u, 0x44u})
        BOOST_TEST(!macstats_read_is_destructive(&decrement_model, offset));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(wrap_times)

// Register maps 1.5, low halves at 40 Gb/s: 2^32 octets in 0.859 s, 2^32 frames of 64
// octets (84 with preamble and gap) in 72.2 s, of 65 in 73.0 s, of 1519 in 1322 s.
// In milliseconds: 2^32 * 84 * 8 / (40 * 10^6) = 72155.45..., with 85 and 1539 likewise.
BOOST_AUTO_TEST_CASE(a_32_bit_counter_at_40_gigabit_wraps_when_the_register_maps_say) {
    macstats_counter counter = {};

    counter.bits = 32;
    counter.unit = MACSTATS_OCTETS;
    counter.when[0].direction = MACSTATS_TX;
    BOOST_TEST(macstats__wrap_usecs(&ll40g_model, &counter, ll40g_model.line_rate_bps) == 858993u);
    counter.unit = MACSTATS_FRAMES;
    counter.when[0].size = MACSTATS_SIZE_64;
    BOOST_TEST(
        macstats__wrap_usecs(&ll40g_model, &counter, ll40g_model.line_rate_bps) / 1000 == 72155u);
    counter.when[0].size = MACSTATS_SIZE_65_TO_127;
    BOOST_TEST(
        macstats__wrap_usecs(&ll40g_model, &counter, ll40g_model.line_rate_bps) / 1000 == 73014u);
    counter.when[0].size = MACSTATS_SIZE_1519_UP;
    BOOST_TEST(
        macstats__wrap_usecs(&ll40g_model, &counter, ll40g_model.line_rate_bps) / 1000 == 1321990u);
}

// 2^32 octets * 8 / 10^9 bits per second.
BOOST_AUTO_TEST_CASE(the_shortest_wrap_time_is_that_of_the_octets) {
    BOOST_TEST(
        macstats__shortest_wrap_usecs(&clearing_model, clearing_model.line_rate_bps) == 34359738u);
    BOOST_TEST(
        macstats_poll_ceiling_usecs(&clearing_model, clearing_model.line_rate_bps) == 17179869u);
    BOOST_TEST(
        macstats_poll_default_usecs(&clearing_model, clearing_model.line_rate_bps) == 1000000u);
}

BOOST_AUTO_TEST_CASE(a_counter_of_both_directions_wraps_in_half_the_time) {
    macstats_counter counter = {};

    counter.bits = 32;
    counter.unit = MACSTATS_OCTETS;
    counter.when[0].direction = MACSTATS_RX;
    counter.when[1].direction = MACSTATS_TX;
    BOOST_TEST(
        macstats__wrap_usecs(&clearing_model, &counter, clearing_model.line_rate_bps) == 17179869u);
}

BOOST_AUTO_TEST_CASE(a_counter_that_saturates_or_never_counts_never_wraps) {
    macstats_counter counter = {};

    counter.bits = 8;
    counter.unit = MACSTATS_FRAMES;
    counter.never = true;
    BOOST_TEST(
        macstats__wrap_usecs(&clearing_model, &counter, clearing_model.line_rate_bps) == ~u64{0});
    counter.never = false;
    counter.when[0].direction = MACSTATS_RX;
    // 256 frames of 84 octets at 1 Gb/s.
    BOOST_TEST(
        macstats__wrap_usecs(&clearing_model, &counter, clearing_model.line_rate_bps) == 172u);
    counter.overflow = MACSTATS_SATURATE;
    BOOST_TEST(
        macstats__wrap_usecs(&clearing_model, &counter, clearing_model.line_rate_bps) == ~u64{0});
}

// 2^63 * 84 * 8 bits do not fit into 64 bits: the order of the factors matters.
BOOST_AUTO_TEST_CASE(long_wrap_times_do_not_overflow) {
    macstats_counter counter = {};

    counter.bits = 63;
    counter.unit = MACSTATS_FRAMES;
    counter.when[0].direction = MACSTATS_RX;
    // 2^63 frames at 1 Gb/s: 6.198e18 microseconds.
    const u64 usecs = macstats__wrap_usecs(&clearing_model, &counter, clearing_model.line_rate_bps);
    BOOST_TEST(usecs > 6197000000000000000u);
    BOOST_TEST(usecs < 6199000000000000000u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(size_ranges)

BOOST_AUTO_TEST_CASE(a_mask_of_size_classes_has_a_low_and_a_high_end) {
    const struct {
        u16 mask;
        u32 low;
        u32 high;
    } ranges[] = {
        {MACSTATS_SIZE_UNDER_64, 0, 63},
        {MACSTATS_SIZE_64, 64, 64},
        {MACSTATS_SIZE_65_TO_127, 65, 127},
        {MACSTATS_SIZE_128_TO_255, 128, 255},
        {MACSTATS_SIZE_256_TO_511, 256, 511},
        {MACSTATS_SIZE_512_TO_1023, 512, 1023},
        {MACSTATS_SIZE_1024_TO_1518, 1024, 1518},
        {MACSTATS_SIZE_1519_UP, 1519, 0},
        {MACSTATS_SIZE_64_UP, 64, 0},
        {MACSTATS_SIZE_512_TO_1023 | MACSTATS_SIZE_1024_TO_1518, 512, 1518},
    };

    for (const auto& one : ranges) {
        BOOST_TEST_CONTEXT("mask " << one.mask) {
            BOOST_TEST(macstats_sizes_low(&ll40g_model, one.mask) == one.low);
            BOOST_TEST(macstats_sizes_high(&ll40g_model, one.mask) == one.high);
        }
    }
}

// No mask is any size, which has no high end.
BOOST_AUTO_TEST_CASE(no_mask_is_every_size) {
    BOOST_TEST(macstats_sizes_low(&ll40g_model, 0) == 0u);
    BOOST_TEST(macstats_sizes_high(&ll40g_model, 0) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_mask_of_bits_has_a_width_and_a_place) {
    BOOST_TEST(macstats_bits_mask(1) == 1u);
    BOOST_TEST(macstats_bits_mask(32) == 0xffffffffu);
    BOOST_TEST(macstats_bits_mask(63) == 0x7fffffffffffffffu);
    BOOST_TEST(macstats_bits_mask(64) == ~u64{0});
    BOOST_TEST(macstats_bit_shift(1u << 31) == 31u);
    BOOST_TEST(macstats_bit_shift(0xf0) == 4u);
    BOOST_TEST(macstats_bit_shift(0) == 0u);
}

BOOST_AUTO_TEST_CASE(every_model_of_the_list_passes_the_checks) {
    for (const macstats_model* model : macstats_models)
        BOOST_TEST((macstats::check(*model) == macstats::Violation::none), model->name);
}

BOOST_AUTO_TEST_SUITE_END()
