/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Sums and products that stop at the largest value, and masks of bits.
 */
#ifndef MACSTATS_ARITHMETIC_H
#define MACSTATS_ARITHMETIC_H

#include "frame.h"

#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/math64.h>
#define MACSTATS_DIV64(a, b) div64_u64(a, b)
#define MACSTATS_LOWEST_BIT(word) __ffs64(word)
#else
#define MACSTATS_DIV64(a, b) ((a) / (b))
#define MACSTATS_LOWEST_BIT(word) ((unsigned int)__builtin_ctzll(word))
#endif

/* a + b, or the largest value if that is too large. */
MACSTATS_FN __u64 macstats_saturating_add(__u64 a, __u64 b)
{
	return a > ~0ull - b ? ~0ull : a + b;
}

/* The largest value that @bits hold. */
MACSTATS_FN __u64 macstats_bits_mask(unsigned int bits)
{
	return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

MACSTATS_FN unsigned int macstats_bit_shift(__u32 mask)
{
	return mask ? MACSTATS_LOWEST_BIT(mask) : 0;
}

/* The number of bits of a mask without gaps. */
MACSTATS_FN unsigned int macstats__mask_bits(__u32 mask)
{
	return MACSTATS_LOWEST_BIT(~((__u64)mask >> macstats_bit_shift(mask)));
}

/* a * b, or the largest value if that is too large. */
MACSTATS_FN __u64 macstats_saturating_multiply(__u64 a, __u64 b)
{
	return b && a > MACSTATS_DIV64(~0ull, b) ? ~0ull : a * b;
}

#endif /* MACSTATS_ARITHMETIC_H */
