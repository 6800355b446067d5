/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The standard statistics of Linux (eth-phy, eth-mac, eth-ctrl, rmon, pause, rtnl, mm), as sums
 * of a model's counters. A statistic that no row feeds is absent, which is not the same as 0;
 * so is one that a counter feeds which the hardware was built without. Hardware without a whole MAC
 * of two has the statistics of the other one.
 */
#ifndef MACSTATS_STANDARD_H
#define MACSTATS_STANDARD_H

#include "accumulator.h"
#include "lengths.h"

/* What a standard statistic counts. */
enum macstats_counts {
	MACSTATS_COUNTS_FRAMES,
	MACSTATS_COUNTS_ERRORS,		/* frames with an error */
	MACSTATS_COUNTS_OCTETS,
	MACSTATS_COUNTS_COLLISIONS,
};

#define MACSTATS_DIRECTION_RX		MACSTATS_RX
#define MACSTATS_DIRECTION_TX		MACSTATS_TX
#define MACSTATS_DIRECTION_RXTX		(MACSTATS_RX | MACSTATS_TX)

struct macstats_standard_row {
	__u8 direction;
	__u8 counts;	/* enum macstats_counts */
};

#define MACSTATS_STANDARD_ROW(group, id, direction, counts, name)			\
	{ MACSTATS_DIRECTION_##direction, MACSTATS_COUNTS_##counts },
MACSTATS_TABLE const struct macstats_standard_row macstats_standard_rows[] = {
	{ 0, MACSTATS_COUNTS_FRAMES },
	MACSTATS_STANDARD_LIST(MACSTATS_STANDARD_ROW)
};
#undef MACSTATS_STANDARD_ROW

/*
 * A sum in 128 bits, two's complement: counts are 64 bits wide, and terms that
 * nearly cancel each other out may be multiples of them.
 */
struct macstats_wide {
	__u64 low;
	__u64 high;
};

struct macstats_standard {
	__u8 mac;		/* enum macstats_mac: sums of the rows of one MAC, or of all */
	bool own_packets;	/* packets and octets are those of the driver, and absent here */
	bool started;			/* @present is known, for a port that lacks: */
	struct macstats_rows absent;
	struct macstats_rows rows;	/* at which the last update has looked */
	__u32 reads;			/* macstats_accumulator.reads at that time */
	bool present[MACSTATS_STD_COUNT];
	bool stale[MACSTATS_STD_COUNT];	/* the value of an earlier read, see below */
	bool any_stale;
	__u64 value[MACSTATS_STD_COUNT];
	struct macstats_wide sum[MACSTATS_STD_COUNT];	/* the value follows it, but never back */
};

/* What the value of a standard statistic is. */
enum macstats_standard_bound {
	MACSTATS_BOUND_EXACT,
	MACSTATS_BOUND_AT_LEAST,
	MACSTATS_BOUND_AT_MOST,
	MACSTATS_BOUND_UNKNOWN,		/* too large or too small */
};

/* One size class of a histogram, which is the sum of one or more counters. */
struct macstats_bucket {
	__u32 low;
	__u32 high;
	struct macstats_rows rows;
};

MACSTATS_FN bool macstats_is_histogram(unsigned int id)
{
	return id == MACSTATS_STD_HIST_RX || id == MACSTATS_STD_HIST_TX;
}

/* Check whether a counter is a term of a statistic. */
MACSTATS_FN bool macstats__feeds(const struct macstats_counter *counter, unsigned int id)
{
	unsigned int t;

	for (t = 0; t < MACSTATS_MAX_TERMS && counter->standard[t].id; t++)
		if (counter->standard[t].id == id)
			return true;
	return false;
}

/* Check whether a counter is a bucket of a histogram, or a part of one. */
MACSTATS_FN bool macstats_is_bucket(const struct macstats_counter *counter)
{
	return macstats__feeds(counter, MACSTATS_STD_HIST_RX) ||
	       macstats__feeds(counter, MACSTATS_STD_HIST_TX);
}

/* Check whether the hardware of a model has a MAC Merge sublayer, by what its rows count. */
MACSTATS_FN bool macstats_merges(const struct macstats_model *model)
{
	unsigned int i;
	unsigned int id = 0;

	for (i = 0; i < model->n_counters; i++) {
		if (model->counters[i].mac)
			return true;
		for (id = MACSTATS_STD_MAC_MERGE_FRAME_ASS_ERROR_COUNT;
		     id <= MACSTATS_STD_MAC_MERGE_HOLD_COUNT; id++)
			if (macstats__feeds(&model->counters[i], id))
				return true;
	}
	return false;
}

/* wide += total * factor */
MACSTATS_FN void macstats__wide_add(struct macstats_wide *wide, __u64 total, int factor)
{
	__u64 size = (__u64)(factor < 0 ? -factor : factor);
	__u64 low = total * size;
	__u64 high = 0;

	if (total >> 32)
		high = ((total >> 32) * size + ((total & 0xffffffff) * size >> 32)) >> 32;

	if (factor < 0) {
		low = ~low + 1;
		high = ~high + !low;
	}
	wide->low += low;
	wide->high += high + (wide->low < low);
}

/* Check whether the sums have the terms of a counter. */
MACSTATS_FN bool macstats__is_summed(const struct macstats_standard *standard,
				     const struct macstats_counter *counter)
{
	return !standard->mac || standard->mac == counter->mac;
}

/* Check whether a statistic counts the packets of a net device, or their octets. */
MACSTATS_FN bool macstats__is_packets(unsigned int id)
{
	return id >= MACSTATS_STD_RTNL_RX_PACKETS && id <= MACSTATS_STD_RTNL_TX_BYTES;
}

/* Find the statistics that are present. */
MACSTATS_FN void macstats__find_present(struct macstats_standard *standard,
					const struct macstats_accumulator *acc)
{
	bool feeds[MACSTATS_STD_COUNT] = { false };
	bool lacks[MACSTATS_STD_COUNT] = { false };
	unsigned int i;
	unsigned int t = 0;

	for (i = 0; i < acc->model->n_counters; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		const struct macstats_term *terms = counter->standard;
		bool missing = macstats_lacks_counter(acc, i);

		if (!macstats__is_summed(standard, counter) ||
		    (missing && macstats_lacks_mac(acc->model, &acc->state.absent_rows,
						   counter->mac)))
			continue;
		for (t = 0; t < MACSTATS_MAX_TERMS && terms[t].id; t++) {
			feeds[terms[t].id] = true;
			if (missing)
				lacks[terms[t].id] = true;
		}
	}
	for (i = 0; i < MACSTATS_STD_COUNT; i++)
		standard->present[i] = feeds[i] && !lacks[i] && !macstats_is_histogram(i) &&
				       !(standard->own_packets && macstats__is_packets(i));
	standard->absent = acc->state.absent_rows;
	standard->started = true;
}

/* Check whether a statistic is a difference of counters. */
MACSTATS_FN bool macstats__is_difference(const struct macstats_standard *standard,
					 const struct macstats_model *model, unsigned int id)
{
	unsigned int i;
	unsigned int t = 0;

	for (i = 0; i < model->n_counters; i++)
		for (t = 0; t < MACSTATS_MAX_TERMS; t++)
			if (model->counters[i].standard[t].id == id &&
			    model->counters[i].standard[t].factor < 0 &&
			    macstats__is_summed(standard, &model->counters[i]))
				return true;
	return false;
}

/* Find the counters that may have changed since the last update, or all if it missed a read. */
MACSTATS_FN void macstats__find_changed(struct macstats_standard *standard,
					const struct macstats_accumulator *acc)
{
	unsigned int i;

	if (standard->started && acc->reads - standard->reads <= 1) {
		standard->rows = acc->woken;
	} else {
		for (i = 0; i < acc->model->n_counters; i++)
			macstats_add_row(&standard->rows, i);
	}
	standard->reads = acc->reads;
}

/*
 * Bring the standard statistics up to date with the totals. A sum changes only when one read has
 * taken all of its counters; after a read that has moved some of them and missed others, it keeps
 * its value, and is stale, until then. No value ever decreases: counters that are not read in the
 * same instant may let a difference of two shrink for a moment. The caller zeroes @standard before
 * the first call, but for @mac and @own_packets, and calls it after each read, preset and count of
 * software.
 * @totals: those of the call before, or zeros; those of @standard->rows may have moved.
 * Return: true if one has, or a statistic may have.
 */
MACSTATS_FN bool macstats_standard_update(struct macstats_standard *standard,
					  const struct macstats_accumulator *acc,
					  const __u64 *totals)
{
	bool changed = standard->any_stale;
	/* Masks of statistics. */
	__u64 missed = 0;
	__u64 moved = 0;
	unsigned int i;
	unsigned int t = 0;

	macstats__find_changed(standard, acc);
	if (!standard->started ||
	    !macstats__is_same_set(&standard->absent, &acc->state.absent_rows)) {
		macstats__find_present(standard, acc);
		changed = true;
	}
	macstats_for_each_row(i, &standard->rows) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		bool taken = acc->counters[i].taken || macstats_lacks_counter(acc, i);
		__u64 events = acc->counters[i].total - totals[i];

		if ((!events && taken) || !macstats__is_summed(standard, counter))
			continue;
		changed = changed || events;
		for (t = 0; t < MACSTATS_MAX_TERMS && counter->standard[t].id; t++) {
			const struct macstats_term *term = &counter->standard[t];

			if (!taken)
				missed |= 1ull << term->id;
			if (!events)
				continue;
			moved |= 1ull << term->id;
			macstats__wide_add(&standard->sum[term->id], events, term->factor);
		}
	}
	if (!changed)
		return false;
	for (i = 0; standard->any_stale && i < MACSTATS_STD_COUNT; i++)
		moved |= (__u64)standard->stale[i] << i;
	standard->any_stale = false;
	for (; moved; moved &= moved - 1) {
		struct macstats_wide *sum;

		i = MACSTATS_LOWEST_BIT(moved);
		sum = &standard->sum[i];
		if (!standard->present[i])
			continue;
		/* What a read has missed of a difference before a new baseline never comes. */
		if (standard->stale[i] && acc->rebased &&
		    macstats__is_difference(standard, acc->model, i)) {
			sum->low = standard->value[i];
			sum->high = 0;
		}
		standard->stale[i] = missed >> i & 1;
		if (standard->stale[i])
			standard->any_stale = true;
		else if (!(sum->high >> 63) && sum->low > standard->value[i])
			standard->value[i] = sum->low;
	}
	return true;
}

/*
 * The bound that the value of statistic @id is. @saturated: how often each counter was read at its
 * maximum; NULL if the model has none that saturates. @times becomes the number of those reads of
 * the counters that feed it.
 */
MACSTATS_FN enum macstats_standard_bound
macstats_bound_of(const struct macstats_standard *standard, const struct macstats_model *model,
		  const __u64 *saturated, unsigned int id, __u64 *times)
{
	/* The true value has not gone back since. */
	bool adds = standard->stale[id];
	bool takes_off = false;
	unsigned int i;
	unsigned int t = 0;

	*times = 0;
	for (i = 0; saturated && i < model->n_counters; i++) {
		const struct macstats_term *terms = model->counters[i].standard;

		for (t = 0; saturated[i] && t < MACSTATS_MAX_TERMS && terms[t].id; t++) {
			if (terms[t].id != id)
				continue;
			*times += saturated[i];
			if (terms[t].factor > 0)
				adds = true;
			else
				takes_off = true;
		}
	}
	if (adds && takes_off)
		return MACSTATS_BOUND_UNKNOWN;
	if (takes_off)
		return MACSTATS_BOUND_AT_MOST;
	return adds ? MACSTATS_BOUND_AT_LEAST : MACSTATS_BOUND_EXACT;
}

/*
 * Check whether a standard statistic, or a bucket, is this counter and nothing else.
 * @own_packets: as in struct macstats_standard
 */
MACSTATS_FN bool macstats_has_standard(const struct macstats_model *model, unsigned int index,
				       bool own_packets)
{
	const struct macstats_counter *counter = &model->counters[index];
	const struct macstats_term *terms = counter->standard;
	unsigned int t;
	unsigned int i = 0;

	for (t = 0; t < MACSTATS_MAX_TERMS && terms[t].id; t++) {
		bool alone = terms[t].factor == 1 &&
			     !(own_packets && macstats__is_packets(terms[t].id));
		bool any_size = !macstats_is_histogram(terms[t].id);

		for (i = 0; alone && i < model->n_counters; i++) {
			const struct macstats_counter *other = &model->counters[i];

			if (i != index && macstats__feeds(other, terms[t].id) &&
			    (any_size || other->when[0].size == counter->when[0].size))
				alone = false;
		}
		if (alone)
			return true;
	}
	return false;
}

/* The longest frame that a bucket counts. */
MACSTATS_FN __u32 macstats_bucket_high(const struct macstats_model *model,
				       const struct macstats_counter *counter)
{
	__u32 low = macstats_sizes_low(model, counter->when[0].size);
	__u32 high = macstats_sizes_high(model, counter->when[0].size);

	if (!high)
		high = macstats__last_class_end(model);
	return high > low ? high : low;
}

/* The place among @n buckets of the one with this range, or @n. */
MACSTATS_FN unsigned int macstats__bucket_at(const struct macstats_bucket *buckets, unsigned int n,
					     __u32 low, __u32 high)
{
	unsigned int i = 0;

	while (i < n && (buckets[i].low != low || buckets[i].high != high))
		i++;
	return i;
}

/*
 * Fill @buckets, which the caller has zeroed, with the buckets of histogram @id
 * (MACSTATS_STD_HIST_RX or _TX), in ascending order, at most @max of them. Rows of the same range
 * are one bucket. The last one ends at the longest maximum frame length, whatever is set: its name
 * never changes. Return: the number of buckets that exist, or more than @max.
 */
MACSTATS_FN unsigned int macstats_histogram(const struct macstats_model *model, unsigned int id,
					    struct macstats_bucket *buckets, unsigned int max)
{
	unsigned int n = 0;
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		unsigned int filled = n < max ? n : max;
		unsigned int at;
		__u32 high;
		__u32 low;

		if (!macstats__feeds(counter, id))
			continue;
		low = macstats_sizes_low(model, counter->when[0].size);
		high = macstats_bucket_high(model, counter);
		at = macstats__bucket_at(buckets, filled, low, high);
		if (at == filled)
			n++;
		if (at == max)
			continue;
		buckets[at].low = low;
		buckets[at].high = high;
		macstats_add_row(&buckets[at].rows, i);
	}
	return n;
}

#endif /* MACSTATS_STANDARD_H */
