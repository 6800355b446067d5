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

/* The words of a counter, as the accumulator reads them: one of 64 bits, or those of the bus. */
MACSTATS_FN unsigned int macstats__read_width(const struct macstats_accumulator *acc,
					      const struct macstats_counter *counter)
{
	return macstats__reads_64(acc, counter) ? 1 : macstats_words(acc->model, counter);
}

/* What such a word reads where no hardware answers. */
MACSTATS_FN __u64 macstats__ones(const struct macstats_accumulator *acc,
				 const struct macstats_counter *counter)
{
	return macstats__reads_64(acc, counter) ? ~0ull : macstats_bus_mask(acc->model);
}

/* Read @n adjacent counters, each in one access. @done: those that were read before an error. */
MACSTATS_FN int macstats__read_64(struct macstats_accumulator *acc, __u32 address, __u64 *values,
				  unsigned int n, unsigned int *done)
{
	const struct macstats_bus *bus = &acc->bus;
	__u32 step = 2 * macstats_word_step(acc->model);
	int err = 0;

	for (*done = 0; *done < n; ++*done) {
		err = bus->read64(bus->context, address + *done * step, &values[*done]);
		if (err)
			break;
	}
	return err;
}

#endif /* MACSTATS_FEATURE_REREAD_H */
