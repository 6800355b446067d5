/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Rules of counters that there is one of for each queue or priority.
 */
#ifndef MACSTATS_FEATURE_INDEX_RULES_H
#define MACSTATS_FEATURE_INDEX_RULES_H

#include "../rules/names.h"

/* Check for names that are the same but for their numbers. */
MACSTATS_FN bool macstats__is_same_family(const char *a, const char *b)
{
	struct macstats_numbered_name of_a = macstats_number_in(a);
	struct macstats_numbered_name of_b = macstats_number_in(b);
	unsigned int i;

	for (i = 0; i < of_a.head && i < of_b.head; i++)
		if (a[i] != b[i])
			return false;
	return of_a.head == of_b.head && macstats__is_same_text(a + of_a.tail, b + of_b.tail);
}

MACSTATS_FN bool macstats__is_same_when(const struct macstats_when *a,
					const struct macstats_when *b)
{
	return a->direction == b->direction && a->destination == b->destination &&
	       a->kind == b->kind && a->origin == b->origin && a->tags == b->tags &&
	       a->excess == b->excess && a->collisions == b->collisions &&
	       a->deferred == b->deferred && a->size == b->size && a->errors == b->errors &&
	       a->no_errors == b->no_errors && a->with == b->with && a->without == b->without;
}

/* Check for rows that count the same, and behave the same. */
MACSTATS_FN bool macstats__is_same_row(const struct macstats_counter *a,
				       const struct macstats_counter *b)
{
	bool same = a->bits == b->bits && a->lsb == b->lsb && a->block == b->block &&
		    a->unit == b->unit && a->onread == b->onread && a->onwrite == b->onwrite &&
		    a->overflow == b->overflow && a->latch == b->latch && a->reread == b->reread &&
		    a->good_frames == b->good_frames && a->frame_limit == b->frame_limit &&
		    a->mac == b->mac && a->port_stride == b->port_stride &&
		    a->status.mask == b->status.mask && a->never == b->never &&
		    a->errors_only == b->errors_only;
	unsigned int i;

	for (i = 0; same && i < MACSTATS_MAX_WHEN; i++)
		same = macstats__is_same_when(&a->when[i], &b->when[i]);
	for (i = 0; same && i < MACSTATS_MAX_TERMS; i++)
		same = a->standard[i].id == b->standard[i].id &&
		       a->standard[i].factor == b->standard[i].factor;
	return same;
}

/* The row of the same family with the index before, in front of this one; NULL: there is none. */
MACSTATS_FN const struct macstats_counter *
macstats__before_in_family(const struct macstats_model *model, unsigned int row)
{
	const struct macstats_counter *counter = &model->counters[row];

	while (row--) {
		const struct macstats_counter *before = &model->counters[row];

		if (before->index_of == counter->index_of && before->index + 1u == counter->index &&
		    macstats__is_same_family(before->name, counter->name))
			return before;
	}
	return NULL;
}

MACSTATS_FN struct macstats_finding macstats__rules_index(const struct macstats_model *model)
{
	const enum macstats_part part = MACSTATS_PART_COUNTERS;
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		const struct macstats_counter *before = NULL;

		if (counter->index_of > MACSTATS_INDEX_OF_PRIORITY)
			return macstats__broken(MACSTATS_RULE_UNKNOWN_VALUE, part, i);
		if (counter->index_of ? macstats_number_in(counter->name).number != counter->index :
					counter->index)
			return macstats__broken(MACSTATS_RULE_INDEX_NAME, part, i);
		if (!counter->index)
			continue;
		before = macstats__before_in_family(model, i);
		if (!before)
			return macstats__broken(MACSTATS_RULE_INDEX_GAP, part, i);
		if (!macstats__is_same_row(before, counter))
			return macstats__collision(MACSTATS_RULE_INDEX_ROW, part, i, before->name);
	}
	return macstats_no_finding;
}

#endif /* MACSTATS_FEATURE_INDEX_RULES_H */
