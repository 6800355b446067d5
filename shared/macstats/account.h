/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * From the value of a counter to its total: pure arithmetic, which test/proof proves.
 */
#ifndef MACSTATS_ACCOUNT_H
#define MACSTATS_ACCOUNT_H

#include "arithmetic.h"
#include "schema.h"

#define MACSTATS_UNBOUNDED	(~0ull)	/* events that a counter may have counted: any number */
#define MACSTATS_ROLLOVER_64	0x100000000ull	/* by which a 64-bit counter may then roll over */

/* The events from @old to @value of a counter that rolled over at most once in between. */
MACSTATS_FN __u64 macstats_events_between(const struct macstats_counter *counter, __u64 old,
					  __u64 value)
{
	return (value - old) & macstats_bits_mask(counter->bits);
}

/*
 * Check whether @value, read after @old, shows that the counter was cleared, reset or damaged:
 * it needs more than the @most events that can have happened, or it went back and cannot have
 * rolled over. Without a bound, only counters of 64 bits and counters that saturate cannot
 * have rolled over.
 */
MACSTATS_FN bool macstats_is_discontinuity(const struct macstats_counter *counter, __u64 old,
					   __u64 value, __u64 most)
{
	__u64 events = macstats_events_between(counter, old, value);

	if (counter->overflow == MACSTATS_SATURATE && value < old)
		return true;
	if (most != MACSTATS_UNBOUNDED)
		return events > most;
	return counter->bits == 64 && value < old && events > MACSTATS_ROLLOVER_64;
}

/* The largest total, which stays: all-ones stand for a value that does not exist. */
#define MACSTATS_TOTAL_MAX	(~0ull - 1)

/* The sum of two totals, or of a total and new events. */
MACSTATS_FN __u64 macstats_total_add(__u64 total, __u64 events)
{
	return events > MACSTATS_TOTAL_MAX - total ? MACSTATS_TOTAL_MAX : total + events;
}

/*
 * Add new events to a total; the one place that does. @value was read, @left is the register's
 * value right after that read, @most is the number of events that can have happened since the
 * last read (or MACSTATS_UNBOUNDED). Return: true for a discontinuity; the total then stays,
 * and counting goes on from @left.
 */
MACSTATS_FN bool macstats_accumulate(const struct macstats_counter *counter, __u64 *total,
				     __u64 *old, __u64 value, __u64 left, __u64 most)
{
	bool discontinuity = macstats_is_discontinuity(counter, *old, value, most);

	if (!discontinuity)
		*total = macstats_total_add(*total,
					    macstats_events_between(counter, *old, value));
	*old = left;
	return discontinuity;
}

#endif /* MACSTATS_ACCOUNT_H */
