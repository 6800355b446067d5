/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Counters without an address of their own: a command with an index makes the MAC put the value of
 * one of them into data registers. The offset of such a counter in the model is that of its block's
 * window, and a word for each index.
 */
#ifndef MACSTATS_FEATURE_WINDOW_H
#define MACSTATS_FEATURE_WINDOW_H

#include "presence.h"

/* Wait until a window has ended its command. */
MACSTATS_FN int macstats__window_wait(struct macstats_accumulator *acc,
				      const struct macstats_block_roles *of, unsigned int *looks)
{
	return macstats__wait_for(acc, &of->window_start, false, looks,
				  "a command to read a counter does not end");
}

/* Read a counter through the window of its block. @words: all of it. */
MACSTATS_FN int macstats__read_window(struct macstats_accumulator *acc,
				      const struct macstats_counter *counter, __u64 *words)
{
	const struct macstats_block_roles *of = &acc->roles.blocks[counter->block];
	__u32 index = macstats__window_index(acc->model, counter);
	unsigned int looks = 0;
	__u64 value = 0;
	__u32 high = 0;
	__u32 low = 0;
	unsigned int i;
	int err;

	err = macstats__window_wait(acc, of, &looks);
	if (!err)
		err = macstats__bus_update(acc, of->window_index.offset, of->window_index.mask,
					   index << macstats_bit_shift(of->window_index.mask) |
					   of->window_start.mask);
	if (!err)
		err = macstats__window_wait(acc, of, &looks);
	if (!err)
		err = macstats__bus_bit(acc, &of->window_low, 0, &low);
	if (!err)
		err = macstats__bus_bit(acc, &of->window_high, 0, &high);
	value = low | (__u64)high << macstats__mask_bits(of->window_low.mask);
	for (i = 0; i < macstats_words(acc->model, counter); i++)
		words[i] = value >> (i * acc->model->bus_bits) & macstats_bus_mask(acc->model);
	return err;
}

#endif /* MACSTATS_FEATURE_WINDOW_H */
