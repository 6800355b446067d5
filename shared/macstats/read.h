/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * From registers to the values of counters. Nothing is added to a total.
 */
#ifndef MACSTATS_READ_H
#define MACSTATS_READ_H

#include "feature/reread.h"

/* A counter's value from its bus words, which are in address order. */
MACSTATS_FN __u64 macstats_assemble(const struct macstats_model *model,
				    const struct macstats_counter *counter,
				    const __u64 *words)
{
	unsigned int n = macstats_words(model, counter);
	unsigned int shift = macstats_first_shift(model, counter, n);
	__u64 value = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		value |= words[i] << shift;
		shift = macstats_next_shift(model, counter, shift);
	}
	return value >> counter->lsb & macstats_bits_mask(counter->bits);
}

/* Store the value of a counter, of which @n words were read: @words, in address order. */
MACSTATS_FN void macstats_put_value(struct macstats_accumulator *acc, unsigned int index,
				    __u64 *words, unsigned int n)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_accumulated_counter *kept = &acc->counters[index];
	unsigned int whole = macstats_words(acc->model, counter);
	__u64 mask = macstats_bus_mask(acc->model);
	unsigned int silent = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		silent += words[i] == mask;
	acc->silent = acc->silent || silent;
	for (; i < whole; i++)
		words[i] = 0;
	kept->value = macstats_assemble(acc->model, counter, words);
	if (n == whole)
		kept->extent = silent == n ? MACSTATS_READ_ONES : MACSTATS_READ_WHOLE;
	else
		kept->extent = n ? MACSTATS_READ_PART : MACSTATS_READ_NOTHING;
}

/* The same for all counters of these words, from @index on. Return: the first one behind them. */
MACSTATS_FN unsigned int macstats_put_values(struct macstats_accumulator *acc, unsigned int index,
					     __u64 *words, unsigned int n)
{
	do {
		if (!macstats_lacks_counter(acc, index))
			macstats_put_value(acc, index, words, n);
	} while (macstats_shares_word(acc->model, ++index));
	return index;
}

/*
 * Read a counter word by word, to know which words were read if the bus fails. Those behind it
 * that share its word are read with it.
 */
MACSTATS_FN int macstats_read_words(struct macstats_accumulator *acc, unsigned int index)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	unsigned int n = macstats_words(acc->model, counter);
	__u32 address = macstats_counter_address(acc->model, counter, acc->base);
	unsigned int i;
	int err = 0;

	if (counter->reread) {
		err = macstats_reread(acc, counter, acc->words);
		macstats_put_value(acc, index, acc->words, err ? 0 : n);
		return err;
	}
	for (i = 0; i < n; i++) {
		err = acc->bus.read(acc->bus.context, address, &acc->words[i], 1);
		if (err)
			break;
		address += macstats_word_step(acc->model);
	}
	macstats_put_values(acc, index, acc->words, i);
	return err;
}

/* Check whether a poll may read a counter together with its neighbours. */
MACSTATS_FN bool macstats_is_block_read(const struct macstats_accumulator *acc,
					unsigned int index)
{
	const struct macstats_counter *counter = &acc->model->counters[index];

	return !counter->reread && (acc->bus.read_block || !macstats_is_destructive(counter));
}

/*
 * Check whether this poll has still to read a counter: one that a read changes is read once, even
 * if the poll repeats its snapshot.
 */
MACSTATS_FN bool macstats_is_unread(const struct macstats_accumulator *acc, unsigned int index)
{
	return !macstats_lacks_counter(acc, index) &&
	       (acc->counters[index].extent == MACSTATS_READ_NOTHING ||
		!macstats_is_destructive(&acc->model->counters[index]));
}

/*
 * Read adjacent counters of a region, from @first on, in one access. @last becomes the first
 * counter that was not part of it.
 */
MACSTATS_FN int macstats_read_run(struct macstats_accumulator *acc, unsigned int first,
				  unsigned int *last)
{
	const struct macstats_model *model = acc->model;
	int region = macstats_region_at(model, model->counters[first].offset);
	unsigned int n = macstats_register_counters(model);
	__u32 address = macstats_counter_address(model, &model->counters[first], acc->base);
	__u32 step = macstats_word_step(model);
	unsigned int words = 0;
	unsigned int done = 0;
	unsigned int at = 0;
	unsigned int i = first;
	int err = 0;

	do {
		words += macstats_words(model, &model->counters[i]);
		while (macstats_shares_word(model, ++i))
			;
	} while (i < n && macstats_is_block_read(acc, i) && macstats_is_unread(acc, i) &&
		 macstats_counter_address(model, &model->counters[i], acc->base) ==
			address + words * step &&
		 macstats_region_at(model, model->counters[i].offset) == region &&
		 words + macstats_words(model, &model->counters[i]) <= MACSTATS_READ_WORDS);
	*last = i;
	if (acc->bus.read_block) {
		err = acc->bus.read_block(acc->bus.context, address, acc->words, words, &done);
	} else {
		err = acc->bus.read(acc->bus.context, address, acc->words, words);
		done = err ? 0 : words;
	}
	for (i = first; at < done;) {
		unsigned int each = macstats_words(model, &model->counters[i]);

		if (each > done - at)
			each = done - at;
		i = macstats_put_values(acc, i, &acc->words[at], each);
		at += each;
	}
	return err;
}

/* Read the values of all counters that exist. */
MACSTATS_FN int macstats_read_counters(struct macstats_accumulator *acc)
{
	unsigned int n = macstats_register_counters(acc->model);
	unsigned int i = 0;
	int err = 0;

	while (!err && i < n) {
		if (!macstats_is_unread(acc, i))
			i++;
		else if (macstats_is_block_read(acc, i))
			err = macstats_read_run(acc, i, &i);
		else
			err = macstats_read_words(acc, i++);
	}
	return err;
}

MACSTATS_FN bool macstats_has_snapshot(const struct macstats_accumulator *acc, unsigned int block)
{
	return acc->roles.blocks[block].snapshot_request.mask;
}

/* Check whether all of a counter was read, so that it can be added. */
MACSTATS_FN bool macstats_is_usable(const struct macstats_accumulator *acc, unsigned int index,
				    bool snapshots)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	const struct macstats_accumulated_counter *kept = &acc->counters[index];

	if (macstats_has_snapshot(acc, counter->block) && !snapshots)
		return false;
	if (kept->extent == MACSTATS_READ_PART)
		return counter->onread == MACSTATS_ONREAD_RCLR;
	return kept->extent >= MACSTATS_READ_WHOLE;
}

/* Check whether a counter counts on from its value after a read. */
MACSTATS_FN bool macstats_is_free_running(const struct macstats_counter *counter)
{
	return counter->onread == MACSTATS_ONREAD_NONE;
}

#endif /* MACSTATS_READ_H */
