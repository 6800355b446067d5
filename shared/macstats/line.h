/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What the line can have carried since the last good poll: a bound for what counters count.
 */
#ifndef MACSTATS_LINE_H
#define MACSTATS_LINE_H

#include "accumulator.h"
#include "interval.h"

/* The kernel slows its clock by up to a tenth to correct it: an eighth, as a shift, covers that. */
#define MACSTATS__SLOW_CLOCK	3

/* Octet times of @nsecs on a line of @rate_bps, rounded up. */
MACSTATS_FN __u64 macstats_octets_in(__u64 rate_bps, __u64 nsecs)
{
	__u64 each_msec = MACSTATS_DIV64(rate_bps, 8000ull);
	__u64 msecs = MACSTATS_DIV64(nsecs, 1000000ull);
	__u64 rest = nsecs - msecs * 1000000ull;
	__u64 part = MACSTATS_DIV64(rest * each_msec + 999999ull, 1000000ull);

	if (msecs > MACSTATS_DIV64(~0ull - part, each_msec))
		return ~0ull;
	return msecs * each_msec + part;
}

/*
 * The longest time from the start of a good poll to the end of the next one, in whole
 * microseconds, in which no counter can have wrapped twice. It is shorter than the wrap time: the
 * line may be 100 ppm faster than its rate (IEEE 802.3), and the clock slower; an emulated line
 * tells its octets. The longest poll interval is half of the wrap time.
 */
MACSTATS_FN __u64 macstats__max_gap_usecs(const struct macstats_accumulator *acc)
{
	__u64 wrap = macstats__shortest_wrap_usecs(acc->model, acc->line_rate_bps);
	unsigned int shift = acc->bus.line_octets ? 12 : MACSTATS__SLOW_CLOCK;

	return wrap && wrap != ~0ull ? wrap - (wrap >> shift) - 1 : wrap;
}

/* Octets of the time in which a line at @from_bps carries @octets, at @to_bps, rounded up. */
MACSTATS_FN __u64 macstats__octets_at(__u64 octets, __u64 from_bps, __u64 to_bps)
{
	__u64 msecs;

	if (!octets)
		return 0;
	msecs = MACSTATS_DIV64(octets, MACSTATS_DIV64(from_bps, 8000ull));
	return macstats_saturating_multiply(msecs + 1, MACSTATS_DIV64(to_bps, 8000ull));
}

/* Time since the last good poll at the present line rate, or of as much traffic. */
MACSTATS_FN __u64 macstats__unpolled_ns(const struct macstats_accumulator *acc, __u64 now_ns)
{
	__u64 gap = now_ns > acc->poll_ns ? now_ns - acc->poll_ns : 0;

	gap = macstats_saturating_add(gap, acc->advanced_ns);
	return gap > acc->slower_ns ? gap - acc->slower_ns : 0;
}

/* The time now, or that of the poll if the bus has no clock. */
MACSTATS_FN __u64 macstats__time(const struct macstats_accumulator *acc, __u64 poll_ns)
{
	return acc->bus.now_ns ? acc->bus.now_ns(acc->bus.context) : poll_ns;
}

/* Take @rate_bps for the line rate since the last good poll. */
MACSTATS_FN void macstats__set_line_rate(struct macstats_accumulator *acc, __u64 rate_bps)
{
	if (!acc->bus.line_octets) {
		acc->line_octets = macstats__octets_at(acc->line_octets, acc->line_rate_bps,
						       rate_bps);
		acc->read_octets = macstats__octets_at(acc->read_octets, acc->line_rate_bps,
						       rate_bps);
	}
	acc->line_rate_bps = rate_bps;
	acc->max_gap_usecs = macstats__max_gap_usecs(acc);
}

/*
 * Follow a line rate that changes. The change may have been at any time since the last good poll,
 * so that the higher rate bounds what was counted in all of this time. It was reported promptly,
 * so that this time is no longer than it was when no counter wraps.
 */
MACSTATS_FN void macstats__follow_line_rate(struct macstats_accumulator *acc, __u64 now_ns)
{
	__u64 rate;
	__u64 part;

	if (!acc->bus.line_rate)
		return;
	rate = acc->bus.line_rate(acc->bus.context);
	if (rate > acc->next_rate_bps)
		acc->next_rate_bps = rate;
	if (rate <= acc->line_rate_bps)
		return;
	/* In 1024ths, rounded up. */
	part = MACSTATS_DIV64(acc->line_rate_bps * 1024 + rate - 1, rate);
	acc->slower_ns += (macstats__unpolled_ns(acc, macstats__time(acc, now_ns)) >> 10) *
			  (1024 - part);
	macstats__set_line_rate(acc, rate);
}

/* Add up line time until now, which a slow clock counts as less. */
MACSTATS_FN void macstats__line_passes(struct macstats_accumulator *acc, __u64 now_ns)
{
	__u64 octets = 0;

	macstats__follow_line_rate(acc, now_ns);
	if (acc->bus.line_octets) {
		octets = acc->bus.line_octets(acc->bus.context);
	} else {
		if (acc->bus.now_ns)
			now_ns = acc->bus.now_ns(acc->bus.context);
		if (now_ns > acc->line_ns) {
			octets = macstats_octets_in(acc->line_rate_bps, now_ns - acc->line_ns);
			octets = macstats_saturating_add(octets, octets >> MACSTATS__SLOW_CLOCK);
			acc->line_ns = now_ns;
		}
	}
	acc->line_octets = macstats_saturating_add(acc->line_octets, octets);
}

/*
 * The most octets that a line at @rate_bps can have carried in @octets octet times: those, one
 * frame of maximum length, and one millisecond. A line may be 100 ppm faster than its rate
 * (IEEE 802.3), so 1/2048 is added.
 */
MACSTATS_FN __u64 macstats__most_octets(__u64 rate_bps, __u64 octets)
{
	__u64 slack = MACSTATS_FRAME_MAX + MACSTATS_GAP_LEN +
		      MACSTATS_DIV64(rate_bps, 8000ull);

	octets = macstats_saturating_add(octets, (octets >> 11) + slack);
	return octets > ~0ull / 2 ? MACSTATS_UNBOUNDED : octets;
}

/* The largest number of events that a counter can have counted in @octets octet times. */
MACSTATS_FN __u64 macstats__most_events(const struct macstats_model *model,
					const struct macstats_counter *counter, __u64 rate_bps,
					__u64 octets)
{
	unsigned int lines = macstats_feeding_lines(model, counter);

	octets = macstats__most_octets(rate_bps, octets);
	if (octets == MACSTATS_UNBOUNDED)
		return MACSTATS_UNBOUNDED;
	return MACSTATS_DIV64(octets * lines, (__u64)macstats_shortest_event(model, counter));
}

/* The largest number of events that a counter can have counted since the last good poll. */
MACSTATS_FN __u64 macstats__most_counted(const struct macstats_accumulator *acc,
					 const struct macstats_counter *counter)
{
	__u64 octets = acc->line_octets;

	/* The events that it shows only now may have crossed the line at any time. */
	if (counter->good_frames)
		octets = macstats_saturating_add(octets, acc->line_total);
	return macstats__most_events(acc->model, counter, acc->line_rate_bps, octets);
}

/* No counter's bound is less than this number of events since the last good poll. */
struct macstats_least {
	__u64 events;
	__u64 octets;		/* of a counter of octets */
};

/*
 * Events of octets follow at once; no others are further apart than two frames of maximum length.
 * Without a line rate, that by which a counter may roll over.
 */
MACSTATS_FN struct macstats_least macstats__find_least(const struct macstats_accumulator *acc)
{
	struct macstats_least least = { MACSTATS_ROLLOVER_64, MACSTATS_ROLLOVER_64 };

	if (!acc->line_rate_bound)
		return least;
	least.octets = macstats__most_octets(acc->line_rate_bps, acc->line_octets);
	least.events = least.octets;
	if (least.octets != MACSTATS_UNBOUNDED)
		least.events = MACSTATS_DIV64(least.octets,
					      MACSTATS_FRAME_MAX + MACSTATS_GAP_LEN);
	return least;
}

/* The least bound of a counter. */
MACSTATS_FN __u64 macstats__least_bound(const struct macstats_least *least,
					const struct macstats_counter *counter)
{
	return counter->unit == MACSTATS_OCTETS ? least->octets : least->events;
}

/*
 * A bound for what a counter seems to have counted: macstats__most_counted(), or less where that
 * changes no decision. @least: macstats__least_bound(), for most counters the quicker answer.
 */
MACSTATS_FN __u64 macstats__bound(const struct macstats_accumulator *acc, unsigned int index,
				  __u64 least)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	const struct macstats_accumulated_counter *kept = &acc->counters[index];

	if (!kept->again && macstats_events_between(counter, kept->old, kept->value) <= least)
		return least;
	return macstats__most_counted(acc, counter);
}

#endif /* MACSTATS_LINE_H */
