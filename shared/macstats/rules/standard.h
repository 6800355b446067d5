/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What counters feed: statistics of their direction and unit, and histograms without a gap.
 */
#ifndef MACSTATS_RULES_STANDARD_H
#define MACSTATS_RULES_STANDARD_H

#include "../standard.h"
#include "counters.h"

/* ETHTOOL_RMON_HIST_MAX; kernels up to 6.17 have room for 10, and show the first ones. */
#define MACSTATS_MAX_BUCKETS	11

/* Rows of a histogram stand for one range of sizes. */
MACSTATS_FN enum macstats_rule
macstats__broken_by_bucket(const struct macstats_counter *counter, const struct macstats_term *term)
{
	unsigned int i;

	if (term->factor != 1 || !counter->when[0].direction)
		return MACSTATS_RULE_HISTOGRAM_ROW;
	for (i = 0; i < MACSTATS_MAX_WHEN && counter->when[i].direction; i++)
		if (!counter->when[i].size || counter->when[i].size != counter->when[0].size)
			return MACSTATS_RULE_HISTOGRAM_ROW;
	return MACSTATS_RULE_NONE;
}

/* Are the octets of a counter, or its collisions, counted where something else is? */
MACSTATS_FN bool macstats__feeds_another_unit(enum macstats_unit unit, enum macstats_counts counts)
{
	switch (unit) {
	case MACSTATS_OCTETS:
	case MACSTATS_PAYLOAD:
	case MACSTATS_WIRE_OCTETS:
		return counts != MACSTATS_COUNTS_OCTETS;
	case MACSTATS_COLLISIONS:
	case MACSTATS_EARLY_COLLISIONS:
		return counts != MACSTATS_COUNTS_COLLISIONS;
	default:
		return false;	/* frames correct octets by their headers */
	}
}

/* Does a row count frames, and only such as have no error? */
MACSTATS_FN bool macstats__is_of_good_frames(const struct macstats_model *model,
					     const struct macstats_counter *counter)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN && counter->when[i].direction; i++) {
		const struct macstats_when *when = &counter->when[i];
		__u32 longest = macstats_sizes_high(model, when->size);

		if (when->errors || !when->no_errors || when->excess ||
		    (longest && longest < MACSTATS_FRAME_MIN))
			return false;
	}
	return i;
}

MACSTATS_FN enum macstats_rule macstats__broken_by_term(const struct macstats_model *model,
							const struct macstats_counter *counter,
							const struct macstats_term *term)
{
	const struct macstats_standard_row *standard = &macstats_standard_rows[term->id];

	/* By its name, as the row may not state its frames. */
	if (!macstats__is_subset(macstats_named_direction(counter), standard->direction))
		return MACSTATS_RULE_TERM_DIRECTION;
	if (macstats__feeds_another_unit((enum macstats_unit)counter->unit,
					 (enum macstats_counts)standard->counts))
		return MACSTATS_RULE_TERM_UNIT;
	if (standard->counts == MACSTATS_COUNTS_ERRORS && term->factor > 0 &&
	    macstats__is_of_good_frames(model, counter))
		return MACSTATS_RULE_TERM_GOOD;
	return macstats_is_histogram(term->id) ? macstats__broken_by_bucket(counter, term) :
						 MACSTATS_RULE_NONE;
}

MACSTATS_FN enum macstats_rule macstats__broken_by_terms(const struct macstats_model *model,
							 const struct macstats_counter *counter)
{
	unsigned int i;
	unsigned int k = 0;

	for (i = 0; i < MACSTATS_MAX_TERMS; i++) {
		const struct macstats_term *term = &counter->standard[i];
		enum macstats_rule rule = MACSTATS_RULE_NONE;

		if (term->id >= MACSTATS_STD_COUNT || !term->id != !term->factor)
			return MACSTATS_RULE_UNKNOWN_TERM;
		if (!term->id)
			continue;
		if (i && !counter->standard[i - 1].id)
			return MACSTATS_RULE_GAP_IN_LIST;
		for (k = 0; k < i; k++)
			if (counter->standard[k].id == term->id)
				return MACSTATS_RULE_TERM_TWICE;
		rule = macstats__broken_by_term(model, counter, term);
		if (rule)
			return rule;
	}
	return MACSTATS_RULE_NONE;
}

/* Are the rows of a sum of both MACs together, or some of each? @macs: mask of 1 << their mac. */
MACSTATS_FN bool macstats__has_whole_macs(unsigned int macs)
{
	return macs == 1u << MACSTATS_MAC_ANY ||
	       macs == (1u << MACSTATS_MAC_EXPRESS | 1u << MACSTATS_MAC_PREEMPTIBLE);
}

/* The sums of all rows are those of both MACs, and the sums of the rows of one MAC are its own. */
MACSTATS_FN struct macstats_finding macstats__rules_macs(const struct macstats_model *model)
{
	unsigned int macs[MACSTATS_STD_COUNT] = { 0 };
	unsigned int i;
	unsigned int t = 0;

	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		for (t = 0; t < MACSTATS_MAX_TERMS && counter->standard[t].id; t++)
			macs[counter->standard[t].id] |= 1u << counter->mac;
	}
	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_term *terms = model->counters[i].standard;

		for (t = 0; t < MACSTATS_MAX_TERMS && terms[t].id; t++)
			if (!macstats__has_whole_macs(macs[terms[t].id]))
				return macstats__broken(MACSTATS_RULE_TERM_MAC,
							MACSTATS_PART_COUNTERS, i);
	}
	return macstats_no_finding;
}

/* The same of the rows of a bucket, whose first row is found. */
MACSTATS_FN struct macstats_finding macstats__rules_bucket(const struct macstats_model *model,
							   const struct macstats_bucket *bucket)
{
	unsigned int macs = 0;
	unsigned int i;

	macstats_for_each_row(i, &bucket->rows)
		macs |= 1u << model->counters[i].mac;
	if (macstats__has_whole_macs(macs))
		return macstats_no_finding;
	return macstats__broken(MACSTATS_RULE_TERM_MAC, MACSTATS_PART_COUNTERS,
				macstats__first_row(&bucket->rows));
}

MACSTATS_FN struct macstats_finding macstats__rules_histogram(const struct macstats_model *model,
							      unsigned int id)
{
	struct macstats_bucket buckets[MACSTATS_MAX_BUCKETS] = { { 0, 0, { { 0 }, 0 } } };
	unsigned int n = macstats_histogram(model, id, buckets, MACSTATS_MAX_BUCKETS);
	__u32 expected = MACSTATS_FRAME_MIN;
	unsigned int i;

	if (n > MACSTATS_MAX_BUCKETS)
		return macstats__broken(MACSTATS_RULE_TOO_MANY_BUCKETS, MACSTATS_PART_MODEL, 0);
	for (i = 0; i < n; i++) {
		struct macstats_finding finding = macstats__rules_bucket(model, &buckets[i]);
		unsigned int row = macstats__first_row(&buckets[i].rows);
		bool open = !macstats_sizes_high(model, model->counters[row].when[0].size);

		if (buckets[i].low != expected || open != (i + 1 == n))
			return macstats__broken(MACSTATS_RULE_HISTOGRAM_GAP, MACSTATS_PART_COUNTERS,
						row);
		if (finding.rule)
			return finding;
		expected = buckets[i].high + 1;
	}
	return macstats_no_finding;
}

/* The histograms of both directions have the same buckets, as those of ethtool do. */
MACSTATS_FN struct macstats_finding macstats__rules_histograms(const struct macstats_model *model)
{
	struct macstats_bucket rx[MACSTATS_MAX_BUCKETS] = { { 0, 0, { { 0 }, 0 } } };
	struct macstats_bucket tx[MACSTATS_MAX_BUCKETS] = { { 0, 0, { { 0 }, 0 } } };
	unsigned int n_rx = macstats_histogram(model, MACSTATS_STD_HIST_RX, rx,
					       MACSTATS_MAX_BUCKETS);
	unsigned int n_tx = macstats_histogram(model, MACSTATS_STD_HIST_TX, tx,
					       MACSTATS_MAX_BUCKETS);
	unsigned int i;

	/* Only the last one of each ends at the maximum: with the same sizes, both have as many. */
	for (i = 0; i < n_rx && i < n_tx; i++)
		if (rx[i].low != tx[i].low || rx[i].high != tx[i].high)
			return macstats__broken(MACSTATS_RULE_HISTOGRAM_SIZES,
						MACSTATS_PART_COUNTERS,
						macstats__first_row(&rx[i].rows));
	return macstats_no_finding;
}

/* Frames correct a sum of octets, but are none. */
MACSTATS_FN struct macstats_finding macstats__rules_octets(const struct macstats_model *model)
{
	bool has_octets[MACSTATS_STD_COUNT] = { false };
	unsigned int i;
	unsigned int t = 0;

	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		for (t = 0; t < MACSTATS_MAX_TERMS && counter->standard[t].id; t++)
			if (counter->unit != MACSTATS_FRAMES)
				has_octets[counter->standard[t].id] = true;
	}
	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		for (t = 0; t < MACSTATS_MAX_TERMS && counter->standard[t].id; t++) {
			unsigned int id = counter->standard[t].id;

			if (macstats_standard_rows[id].counts == MACSTATS_COUNTS_OCTETS &&
			    !has_octets[id])
				return macstats__broken(MACSTATS_RULE_TERM_UNIT,
							MACSTATS_PART_COUNTERS, i);
		}
	}
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats__rules_standard(const struct macstats_model *model)
{
	struct macstats_finding finding = macstats_no_finding;
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		enum macstats_rule rule = macstats__broken_by_terms(model, &model->counters[i]);

		if (rule)
			return macstats__broken(rule, MACSTATS_PART_COUNTERS, i);
	}
	finding = macstats__rules_octets(model);
	if (!finding.rule)
		finding = macstats__rules_macs(model);
	if (!finding.rule)
		finding = macstats__rules_histogram(model, MACSTATS_STD_HIST_RX);
	if (!finding.rule)
		finding = macstats__rules_histogram(model, MACSTATS_STD_HIST_TX);
	return finding.rule ? finding : macstats__rules_histograms(model);
}

#endif /* MACSTATS_RULES_STANDARD_H */
