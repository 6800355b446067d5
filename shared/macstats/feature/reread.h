/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Counters of two bus words that no latch or snapshot holds, so that a carry can fall between the
 * reads of the words, unless one access reads both.
 */
#ifndef MACSTATS_FEATURE_REREAD_H
#define MACSTATS_FEATURE_REREAD_H

#include "../accumulator.h"

#define MACSTATS_REREADS	8	/* of the low word, before a read fails */

/*
 * Read the high word, the low word and the high word again, until the high word is the same twice:
 * then the low word belongs to it. @words: the low and the high one. -EIO: a carry came each time,
 * so that @words is no value.
 */
MACSTATS_FN int macstats__reread(struct macstats_accumulator *acc,
				 const struct macstats_counter *counter, __u64 *words)
{
	__u32 low = macstats_counter_address(acc->model, counter, acc->base);
	__u32 high = low + macstats_word_offset(acc->model, counter, 1) - counter->offset;
	unsigned int tries;
	int err;

	err = acc->bus.read(acc->bus.context, high, &words[1]);
	for (tries = 0; !err && tries < MACSTATS_REREADS; tries++) {
		__u64 before = words[1];

		err = acc->bus.read(acc->bus.context, low, &words[0]);
		if (!err)
			err = acc->bus.read(acc->bus.context, high, &words[1]);
		if (!err && words[1] == before)
			return 0;
	}
	return err ? err : -EIO;
}

/* Check whether one access reads both words of a counter, here and now. */
MACSTATS_FN bool macstats__reads_64(const struct macstats_accumulator *acc,
				    const struct macstats_counter *counter)
{
	return counter->reread && acc->model->read64 && acc->bus.read64;
}

/* Read both @words of a counter at once. */
MACSTATS_FN int macstats__read_64(struct macstats_accumulator *acc,
				  const struct macstats_counter *counter, __u64 *words)
{
	__u32 address = macstats_counter_address(acc->model, counter, acc->base);
	__u64 value = 0;
	int err = acc->bus.read64(acc->bus.context, address, &value);

	words[0] = value & macstats_bus_mask(acc->model);
	words[1] = value >> acc->model->bus_bits;
	return err;
}

#endif /* MACSTATS_FEATURE_REREAD_H */
