/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * From registers to the values of counters. Nothing is added to a total.
 */
#ifndef MACSTATS_READ_H
#define MACSTATS_READ_H

#include "feature/reread.h"
#include "feature/switched.h"
#include "feature/window.h"

/* Join the first @n bus words of a counter, the low one first; the others count as 0. */
MACSTATS_FN __u64 macstats__join(const struct macstats_model *model, const __u64 *words,
				 unsigned int n)
{
	__u64 joined = n ? words[0] : 0;
	unsigned int i;

	for (i = 1; i < n; i++)
		joined |= words[i] << (i * model->bus_bits);
	return joined;
}

/* A counter's value in its bus words. */
MACSTATS_FN __u64 macstats__value_in(const struct macstats_counter *counter, __u64 joined)
{
	return joined >> counter->lsb & macstats_bits_mask(counter->bits);
}

/* A counter's value from its bus words, the low one first. */
MACSTATS_FN __u64 macstats_assemble(const struct macstats_model *model,
				    const struct macstats_counter *counter,
				    const __u64 *words)
{
	unsigned int n = macstats_words(model, counter);

	return macstats__value_in(counter, macstats__join(model, words, n));
}

/* Check whether a counter sleeps, and sleeps on after all of its @n words were read. */
MACSTATS_FN bool macstats__sleeps_on(const struct macstats_model *model,
				     const struct macstats_counter *counter,
				     const struct macstats_accumulated_counter *kept,
				     const __u64 *words, unsigned int n)
{
	__u64 joined;

	if (kept->extent != MACSTATS_READ_SAME)
		return false;
	joined = macstats__join(model, words, n);
	return !((joined >> counter->lsb ^ kept->old) << (64 - counter->bits));
}

/* Take note of a read of a counter, of whose @whole words the lowest @n were read. */
MACSTATS_FN void macstats__note_words(struct macstats_accumulator *acc, unsigned int index,
				      const __u64 *words, unsigned int n, unsigned int whole)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_accumulated_counter *kept = &acc->counters[index];
	__u64 ones = macstats__ones(acc, counter);
	unsigned int silent = 0;
	unsigned int i;

	if (kept->extent == MACSTATS_READ_SAME)
		macstats__wake(acc, index);
	for (i = 0; i < n; i++)
		silent += words[i] == ones;
	acc->silent = acc->silent || silent;
	kept->value = macstats__value_in(counter, macstats__join(acc->model, words, n));
	if (n < whole)
		kept->extent = n ? MACSTATS_READ_PART : MACSTATS_READ_NOTHING;
	else
		kept->extent = silent == whole ? MACSTATS_READ_ONES : MACSTATS_READ_WHOLE;
}

/* Check whether accesses to a counter's words, the low one first, are a read of it. */
MACSTATS_FN bool macstats__has_own_words(const struct macstats_model *model,
					 const struct macstats_counter *counter)
{
	return !counter->reread && !macstats__is_windowed(model, counter);
}

/* Check whether counters at adjacent addresses can be read in a run. */
MACSTATS_FN bool macstats__reads_in_run(const struct macstats_accumulator *acc,
					const struct macstats_counter *counter)
{
	return macstats__has_own_words(acc->model, counter) || macstats__reads_64(acc, counter);
}

/*
 * Read a counter word by word, to know which words were read if the bus fails. Those after it
 * that share its word are read with it.
 */
MACSTATS_FN int macstats__read_words(struct macstats_accumulator *acc, unsigned int index)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	unsigned int n = macstats__read_width(acc, counter);
	__u32 address = macstats_counter_address(acc->model, counter, acc->base);
	unsigned int done = 0;
	int err = 0;

	/* One that a read clears is not reread: the read of its low word holds the high one. */
	if (macstats__reads_64(acc, counter)) {
		err = macstats__read_64(acc, address, acc->words, n, &done);
	} else if (!macstats__has_own_words(acc->model, counter) &&
		   !(counter->reread && macstats__clears(acc, counter))) {
		err = counter->reread ? macstats__reread(acc, counter, acc->words) :
					macstats__read_window(acc, counter, acc->words);
		done = err ? 0 : n;
	}
	while (!err && done < n) {
		err = acc->bus.read(acc->bus.context, address, &acc->words[done]);
		if (!err)
			done++;
		address += macstats_word_step(acc->model);
	}
	do {
		if (!macstats_lacks_counter(acc, index) &&
		    (done < n ||
		     !macstats__sleeps_on(acc->model, &acc->model->counters[index],
					  &acc->counters[index], acc->words, n)))
			macstats__note_words(acc, index, acc->words, done, n);
	} while (macstats_shares_word(acc->model, ++index));
	return err;
}

/* Check whether the counter at @address can be read with those from @first on. */
MACSTATS_FN bool macstats__joins_run(const struct macstats_accumulator *acc, unsigned int first,
				     const struct macstats_counter *counter, __u32 address)
{
	const struct macstats_model *model = acc->model;
	const struct macstats_counter *begin = &model->counters[first];
	unsigned int words = acc->counters[first].run_words;
	__u32 step = macstats_word_step(model) * (macstats__reads_64(acc, begin) ? 2 : 1);

	return words && words + macstats__read_width(acc, counter) <= MACSTATS_READ_WORDS &&
	       macstats__reads_in_run(acc, counter) && begin->reread == counter->reread &&
	       begin->block == counter->block &&
	       macstats__may_change(acc, begin) == macstats__may_change(acc, counter) &&
	       macstats_counter_address(model, begin, acc->base) +
			words * step == address;
}

/*
 * Plan the reads of the counters that exist: in runs at adjacent addresses, one access for each. A
 * poll that repeats its snapshot reads the counters that a read changes once, so that these have
 * runs of their own.
 */
MACSTATS_FN void macstats__plan_reads(struct macstats_accumulator *acc)
{
	unsigned int n = macstats_register_counters(acc->model);
	struct macstats_accumulated_counter *run = &acc->counters[0];
	struct macstats_accumulated_counter *before = &acc->counters[0];
	unsigned int first = 0;
	__u32 last = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		__u32 address = macstats_counter_address(acc->model, counter, acc->base);
		struct macstats_accumulated_counter *kept = &acc->counters[i];

		kept->run = 0;
		kept->words = 0;
		if (macstats_lacks_counter(acc, i))
			continue;
		kept->words = (__u8)macstats__read_width(acc, counter);
		kept->single = kept->words == 1 && !counter->lsb;
		kept->idle = kept->single && kept->extent == MACSTATS_READ_SAME;
		if (run->run && address == last) {
			kept->at = before->at;	/* in the same word */
		} else if (run->run && macstats__joins_run(acc, first, counter, address)) {
			kept->at = run->run_words;
			run->run_words = (__u8)(run->run_words + kept->words);
		} else {
			first = i;
			run = kept;
			run->at = 0;
			run->run_words = macstats__reads_in_run(acc, counter) ? kept->words : 0;
		}
		run->run = (__u16)(i - first + 1);
		before = kept;
		last = address;
	}
	acc->planned = (__u16)n;
}

/* The first of the counters from @index on, but not of @behind, that does not sleep on. */
MACSTATS_FN unsigned int macstats__pass_sleepers(const struct macstats_accumulator *acc,
						 unsigned int index, unsigned int behind)
{
	for (; index < behind; index++) {
		const struct macstats_accumulated_counter *kept = &acc->counters[index];
		const __u64 *words = &acc->words[kept->at];

		/* Most have the word of the last read. */
		if (!(kept->idle && *words == kept->old) &&
		    !macstats__sleeps_on(acc->model, &acc->model->counters[index], kept, words,
					 kept->words))
			break;
	}
	return index;
}

/* Take note of the first @done words of a run of counters. */
MACSTATS_FN void macstats__note_run(struct macstats_accumulator *acc, unsigned int first,
				    unsigned int done)
{
	unsigned int behind = first + acc->counters[first].run;
	bool whole = done == acc->counters[first].run_words;
	unsigned int i = first;

	while ((i = whole ? macstats__pass_sleepers(acc, i, behind) : i) < behind) {
		const struct macstats_accumulated_counter *kept = &acc->counters[i];
		unsigned int n = kept->at < done ? done - kept->at : 0;

		if (n > kept->words)
			n = kept->words;
		if (n)
			macstats__note_words(acc, i, &acc->words[kept->at], n, kept->words);
		else if (kept->extent == MACSTATS_READ_SAME)
			macstats__wake(acc, i);
		i++;
	}
}

/* Read the counters of the run that begins with @first: in one access, or one for each. */
MACSTATS_FN int macstats__read_run(struct macstats_accumulator *acc, unsigned int first)
{
	const struct macstats_counter *counter = &acc->model->counters[first];
	__u32 address = macstats_counter_address(acc->model, counter, acc->base);
	unsigned int words = acc->counters[first].run_words;
	unsigned int done = 0;
	int err;

	if (macstats__reads_64(acc, counter))
		err = macstats__read_64(acc, address, acc->words, words, &done);
	else
		err = acc->bus.read_block(acc->bus.context, address, acc->words, words,
					  macstats__may_change(acc, counter), &done);
	macstats__note_run(acc, first, done);
	return err;
}

/* Read those counters of a run that this poll has not read yet, word by word. */
MACSTATS_FN int macstats__read_rest(struct macstats_accumulator *acc, unsigned int first)
{
	unsigned int behind = first + acc->counters[first].run;
	unsigned int i;
	int err = 0;

	for (i = first; !err && i < behind; i++)
		if (acc->counters[i].words && acc->counters[i].extent == MACSTATS_READ_NOTHING)
			err = macstats__read_words(acc, i);
	return err;
}

MACSTATS_FN bool macstats__has_snapshot(const struct macstats_accumulator *acc, unsigned int block)
{
	return macstats__is_held(&acc->roles.blocks[block]);
}

/* Pass the counters of @block from @index on, which are not read. Return: the next one. */
MACSTATS_FN unsigned int macstats__pass_block(struct macstats_accumulator *acc, unsigned int index,
					      unsigned int block)
{
	for (; index < acc->planned && acc->model->counters[index].block == block; index++)
		if (acc->counters[index].extent == MACSTATS_READ_SAME)
			macstats__wake(acc, index);
	return index;
}

/*
 * Read the values of the counters that exist; without @snapshots only those of blocks that need
 * none. Where a window never ends a command, those of other blocks follow.
 */
MACSTATS_FN int macstats__read_counters(struct macstats_accumulator *acc, bool snapshots)
{
	const struct macstats_counter *counters = acc->model->counters;
	unsigned int i = 0;
	int late = 0;
	int err = 0;

	if (!acc->planned)
		macstats__plan_reads(acc);
	while (!err && i < acc->planned) {
		const struct macstats_accumulated_counter *kept = &acc->counters[i];
		unsigned int block = counters[i].block;

		if (!kept->run) {
			i++;
			continue;
		}
		if (!snapshots && macstats__has_snapshot(acc, block)) {
			i = macstats__pass_block(acc, i, block);
			continue;
		}
		if (i < acc->reached && kept->extent != MACSTATS_READ_NOTHING &&
		    macstats__may_change(acc, &counters[i]))
			err = macstats__read_rest(acc, i);
		else if (kept->run_words)
			err = macstats__read_run(acc, i);
		else
			err = macstats__read_words(acc, i);
		i += kept->run;
		if (err == -ETIMEDOUT && acc->model->blocks[block].window) {
			late = err;
			err = 0;
			i = macstats__pass_block(acc, i, block);
		}
		if (i > acc->reached)
			acc->reached = (__u16)i;
		if (!err)
			err = macstats__ask_presence(acc);
	}
	return err ? err : late;
}

/* Check whether all of a counter was read, so that it can be added. */
MACSTATS_FN bool macstats__is_usable(const struct macstats_accumulator *acc, unsigned int index,
				     bool snapshots)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	const struct macstats_accumulated_counter *kept = &acc->counters[index];

	if (macstats__has_snapshot(acc, counter->block) && !snapshots)
		return false;
	if (kept->extent == MACSTATS_READ_PART)
		return macstats__clears(acc, counter);
	return kept->extent >= MACSTATS_READ_WHOLE;
}

#endif /* MACSTATS_READ_H */
