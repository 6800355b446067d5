// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Values that the schema derives from the rows of a model: ranges of sizes, masks, and wrap times
// beyond those of rows.cpp.
#include "boost_test.hpp"

#include <macstats/model/ll40g.h>

#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_derived_values)

using namespace macstats::test;

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

BOOST_AUTO_TEST_CASE(a_mask_of_bits_has_a_width_and_a_place) {
    BOOST_TEST(macstats_bits_mask(1) == 1u);
    BOOST_TEST(macstats_bits_mask(32) == 0xffffffffu);
    BOOST_TEST(macstats_bits_mask(63) == 0x7fffffffffffffffu);
    BOOST_TEST(macstats_bits_mask(64) == ~u64{0});
    BOOST_TEST(macstats_bit_shift(1u << 31) == 31u);
    BOOST_TEST(macstats_bit_shift(0xf0) == 4u);
    BOOST_TEST(macstats_bit_shift(0) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
