/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Signs that the hardware does not do what its model says: a read or a command that clears nothing,
 * and words that are exchanged.
 */
#ifndef MACSTATS_FEATURE_MISFIT_H
#define MACSTATS_FEATURE_MISFIT_H

#include "../line.h"
#include "../read.h"

/* Note that the hardware does not do what its model says: each kind once. */
MACSTATS_FN void macstats__note_misfit(struct macstats_accumulator *acc,
				       enum macstats_misfit_kind kind, const char *reg,
				       __u64 value, __u64 expected)
{
	if (acc->state.misfits >> kind & 1)
		return;
	acc->state.misfits = (__u8)(acc->state.misfits | 1u << kind);
	acc->state.misfit[kind].reg = reg;
	acc->state.misfit[kind].value = value;
	acc->state.misfit[kind].expected = expected;
}

/*
 * The most that a counter can have counted in @octets octet times, a frame that had begun before
 * included. Hardware without a line rate may be many times faster than its model.
 */
MACSTATS_FN __u64 macstats__most_at_once(const struct macstats_accumulator *acc,
					 const struct macstats_counter *counter, __u64 octets)
{
	__u32 event = macstats_shortest_event(acc->model, counter);

	if (!acc->line_rate_bound && !acc->bus.line_octets)
		octets = macstats_saturating_multiply(octets, MACSTATS_FASTER);
	octets = macstats_saturating_multiply(octets,
					      macstats_feeding_lines(acc->model, counter));
	return MACSTATS_DIV64(macstats_saturating_add(octets, event == 1 ? MACSTATS_FRAME_MAX : 0),
			      (__u64)event) + 1;
}

/* Check whether a read clears any counter of a model. */
MACSTATS_FN bool macstats__has_cleared(const struct macstats_model *model)
{
	unsigned int i;

	for (i = 0; i < model->n_counters; i++)
		if (model->counters[i].onread == MACSTATS_ONREAD_RCLR)
			return true;
	return false;
}

/* Check whether a second read of a counter can show that the first one did not clear it. */
MACSTATS_FN bool macstats__is_telling(const struct macstats_accumulator *acc, unsigned int index)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	const struct macstats_accumulated_counter *kept = &acc->counters[index];

	return kept->value && counter->onread == MACSTATS_ONREAD_RCLR &&
	       kept->extent == MACSTATS_READ_WHOLE && !macstats__has_snapshot(acc, counter->block);
}

/*
 * Read the counters from @first up to @behind, which share a word, once more. @again becomes what
 * they show; @value stays that of the first read, which is still whole if the bus fails at once.
 */
MACSTATS_FN int macstats__read_word_again(struct macstats_accumulator *acc, unsigned int first,
					  unsigned int behind)
{
	unsigned int i;
	int err;

	for (i = first; i < behind; i++)
		acc->counters[i].again = acc->counters[i].value;
	err = macstats__read_words(acc, first);
	for (i = first; i < behind; i++) {
		struct macstats_accumulated_counter *kept = &acc->counters[i];
		__u64 value = kept->again;

		kept->again = kept->value;
		kept->value = value;
		if (kept->extent == MACSTATS_READ_NOTHING && !macstats_lacks_counter(acc, i))
			kept->extent = MACSTATS_READ_WHOLE;
	}
	return err;
}

/* Check what a second read shows, after which the line time is @octets more than at the first. */
MACSTATS_FN void macstats__check_again(struct macstats_accumulator *acc, unsigned int index,
				       __u64 octets)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_accumulated_counter *kept = &acc->counters[index];
	__u64 most = macstats__most_at_once(acc, counter, octets);

	/* All-ones that nobody counted are no answer. */
	if (kept->extent == MACSTATS_READ_ONES && kept->again > most)
		kept->again = 0;
	if (kept->extent == MACSTATS_READ_ONES)
		kept->extent = MACSTATS_READ_WHOLE;
	if (kept->extent == MACSTATS_READ_NOTHING || kept->value <= most)
		return;
	acc->clear_looks = MACSTATS_CLEAR_LOOKS;
	if (kept->again < kept->value)
		return;
	macstats__note_misfit(acc, MACSTATS_MISFIT_READ, counter->reg, kept->again, most);
	kept->again = 0;
}

/*
 * At the first reads that find counts: read counters that a read clears once more, to see whether
 * it does. @octets: the line time when the first of them was read. A counter tells nothing if it
 * showed no more than may have come since then.
 */
MACSTATS_FN int macstats__read_again(struct macstats_accumulator *acc, __u64 octets)
{
	bool looked = false;
	unsigned int passed = 0;
	unsigned int i;
	int err;

	macstats_for_each_row(i, &acc->awake) {
		unsigned int first = i;
		unsigned int behind = i + 1;

		if (i < passed || !macstats__is_telling(acc, i))
			continue;
		while (macstats_shares_word(acc->model, first))
			first--;
		while (macstats_shares_word(acc->model, behind))
			behind++;
		looked = true;
		err = macstats__read_word_again(acc, first, behind);
		if (err)
			return err;
		macstats__line_passes(acc, 0);
		for (passed = first; passed < behind; passed++)
			macstats__check_again(acc, passed, acc->line_octets - octets);
		err = macstats__ask_presence(acc);
		if (err)
			return err;
	}
	if (looked && acc->clear_looks < MACSTATS_CLEAR_LOOKS)
		acc->clear_looks++;
	return 0;
}

/* Check whether counters that were cleared @octets octet times ago show no more than can be new. */
MACSTATS_FN void macstats__check_clear(struct macstats_accumulator *acc, __u64 octets)
{
	unsigned int n = macstats_register_counters(acc->model);
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		__u64 value = acc->counters[i].value;
		__u64 most;

		if (!value || macstats_lacks_counter(acc, i) ||
		    !acc->roles.blocks[counter->block].clear.mask)
			continue;
		most = macstats__most_at_once(acc, counter, octets);
		if (value > most)
			macstats__note_misfit(acc, MACSTATS_MISFIT_CLEAR, counter->reg, value,
					      most);
	}
}

/*
 * Check whether the words of a pair are exchanged: as they are, no line can have carried what they
 * count; exchanged, it can. @least: macstats__least_bound().
 */
MACSTATS_FN void macstats__check_words(struct macstats_accumulator *acc, unsigned int index,
				       __u64 least)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	const struct macstats_accumulated_counter *kept = &acc->counters[index];
	unsigned int bits = acc->model->bus_bits;
	__u64 mask = macstats_bits_mask(counter->bits);
	__u64 events = macstats_events_between(counter, kept->old, kept->value);
	__u64 most;

	if (events <= least || macstats_words(acc->model, counter) != 2)
		return;
	most = macstats__most_counted(acc, counter);
	if (events <= most)
		return;
	events = ((kept->value >> bits | kept->value << bits) -
		  (kept->old >> bits | kept->old << bits)) & mask;
	if (events && events <= most)
		macstats__note_misfit(acc, MACSTATS_MISFIT_WORDS, counter->reg, kept->value, most);
}

#endif /* MACSTATS_FEATURE_MISFIT_H */
