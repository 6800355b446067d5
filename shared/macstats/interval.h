/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * How fast a counter can count: its wrap and fill times, and the poll intervals that follow.
 */
#ifndef MACSTATS_INTERVAL_H
#define MACSTATS_INTERVAL_H

#include "lengths.h"

/*
 * Directions that a counter counts in: those of its frames, or of its name where the row does not
 * state them; 0 if it never counts, or if descriptors feed it.
 */
MACSTATS_FN __u8 macstats_counter_direction(const struct macstats_counter *counter)
{
	__u8 direction = 0;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN && counter->when[i].direction; i++)
		direction = (__u8)(direction | counter->when[i].direction);
	if (!i && !counter->never && !macstats_is_software_counter(counter))
		return macstats_named_direction(counter);
	return direction;
}

/* The unit in metrics. */
MACSTATS_FN const char *macstats_metric_unit(enum macstats_unit unit)
{
	switch (unit) {
	case MACSTATS_OCTETS:
	case MACSTATS_PAYLOAD:
	case MACSTATS_WIRE_OCTETS:
		return "bytes";
	case MACSTATS_COLLISIONS:
	case MACSTATS_EARLY_COLLISIONS:
		return "collisions";
	default:
		return "frames";
	}
}

/* The shortest distance of two events of a counter, in octets on the wire. */
MACSTATS_FN __u32 macstats_shortest_event(const struct macstats_model *model,
					  const struct macstats_counter *counter)
{
	switch (counter->unit) {
	case MACSTATS_OCTETS:
	case MACSTATS_PAYLOAD:
	case MACSTATS_WIRE_OCTETS:
		return 1;	/* octet counters are taken to fill without a gap */
	case MACSTATS_COLLISIONS:
	case MACSTATS_EARLY_COLLISIONS:
		return MACSTATS_COLLISION_LEN;
	default:
		if (counter->when[0].direction)
			return macstats__shortest_frame(model, counter);
		if (counter->never)
			return 1;	/* such as time in low power idle */
		/* The row states no frames, but the hardware may count some. */
		return (model->min_frame_rx < model->min_frame_tx ?
			model->min_frame_rx : model->min_frame_tx) + (__u32)MACSTATS_GAP_LEN;
	}
}

/*
 * Directions of lines that may feed a counter: one of each line if it is known to count in one
 * direction, or else both.
 */
MACSTATS_FN unsigned int macstats_feeding_lines(const struct macstats_model *model,
						const struct macstats_counter *counter)
{
	unsigned int lines = model->block_lines ? model->block_lines : 1;
	__u8 direction = macstats_counter_direction(counter);

	return direction == MACSTATS_RX || direction == MACSTATS_TX ? lines : 2 * lines;
}

/* Check whether a counter may reach its maximum within a century on any line so far. */
MACSTATS_FN bool macstats__fills(const struct macstats_counter *counter)
{
	return counter->bits < 64 && macstats_counter_direction(counter) &&
	       !macstats_is_software_counter(counter);
}

/*
 * The shortest time in which a counter can count from 0 to its maximum, in
 * microseconds, at @rate_bps in every direction that it counts; ~0 for one of 64
 * bits (over a century on any line so far), and for one that never counts or is no
 * register.
 */
MACSTATS_FN __u64 macstats__fill_usecs(const struct macstats_model *model,
				       const struct macstats_counter *counter, __u64 rate_bps)
{
	__u64 bits_per_event;
	__u64 events;
	__u64 usecs;
	__u64 rate;	/* bits per microsecond */

	if (!macstats__fills(counter))
		return ~0ull;
	bits_per_event = 8ull * macstats_shortest_event(model, counter);
	events = 1ull << counter->bits;
	rate = MACSTATS_DIV64(rate_bps * macstats_feeding_lines(model, counter) + 999999,
			      1000000ull);
	if (events <= MACSTATS_DIV64(~0ull, bits_per_event))
		return MACSTATS_DIV64(events * bits_per_event, rate);
	usecs = MACSTATS_DIV64(events, rate);
	return usecs > MACSTATS_DIV64(~0ull, bits_per_event) ? ~0ull : usecs * bits_per_event;
}

/* The fill time of a counter that rolls over; ~0 for one that never does. */
MACSTATS_FN __u64 macstats__wrap_usecs(const struct macstats_model *model,
				       const struct macstats_counter *counter, __u64 rate_bps)
{
	return counter->overflow == MACSTATS_SATURATE ?
		       ~0ull : macstats__fill_usecs(model, counter, rate_bps);
}

/* The shortest of all counters' wrap times, in microseconds. */
MACSTATS_FN __u64 macstats__shortest_wrap_usecs(const struct macstats_model *model, __u64 rate_bps)
{
	__u64 shortest = ~0ull;
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		__u64 usecs = macstats__wrap_usecs(model, &model->counters[i], rate_bps);

		if (usecs < shortest)
			shortest = usecs;
	}
	return shortest;
}

/* The fewest octet times of frames with which a counter of the model can wrap; ~0: none can. */
MACSTATS_FN __u64 macstats__fewest_wrap_octets(const struct macstats_model *model)
{
	__u64 fewest = ~0ull;
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		__u64 octets;

		if (counter->overflow == MACSTATS_SATURATE || !macstats__fills(counter))
			continue;
		octets = macstats_saturating_multiply(1ull << counter->bits,
						      macstats_shortest_event(model, counter));
		if (octets < fewest)
			fewest = octets;
	}
	return fewest;
}

/* Line rates that a model or a port may have. */
#define MACSTATS_LINE_RATE_MIN_BPS	1000000ull		/* a bit per microsecond */
#define MACSTATS_LINE_RATE_MAX_BPS	10000000000000ull	/* no overflow up to here */

/*
 * The poll interval: at least one millisecond, at most half of the shortest wrap time, and at
 * most an hour, so that totals served from memory do not get too old. Counters that saturate
 * also ask for half of their fill time. One that fills in less than 200 ms asks for no more
 * than ten polls a second: its value reports the loss.
 */
#define MACSTATS_POLL_MIN_USECS		1000ull
#define MACSTATS_POLL_MAX_USECS		3600000000ull
#define MACSTATS_POLL_DEFAULT_USECS	1000000ull
#define MACSTATS_POLL_SATURATING_USECS	100000ull

MACSTATS_FN __u64 macstats_poll_ceiling_usecs(const struct macstats_model *model, __u64 rate_bps)
{
	__u64 ceiling = macstats__shortest_wrap_usecs(model, rate_bps) / 2;
	unsigned int i;

	if (ceiling > MACSTATS_POLL_MAX_USECS)
		ceiling = MACSTATS_POLL_MAX_USECS;
	for (i = 0; i < model->n_counters; i++) {
		__u64 half;

		if (model->counters[i].overflow != MACSTATS_SATURATE)
			continue;
		half = macstats__fill_usecs(model, &model->counters[i], rate_bps) / 2;
		if (half < MACSTATS_POLL_SATURATING_USECS)
			half = MACSTATS_POLL_SATURATING_USECS;
		if (half < ceiling)
			ceiling = half;
	}
	/* A counter that wraps in less time loses counts, and late polls report that. */
	return ceiling < MACSTATS_POLL_MIN_USECS ? MACSTATS_POLL_MIN_USECS : ceiling;
}

/* The default interval where the longest one is @ceiling. */
MACSTATS_FN __u64 macstats_poll_default_within(__u64 ceiling)
{
	return ceiling < MACSTATS_POLL_DEFAULT_USECS ? ceiling : MACSTATS_POLL_DEFAULT_USECS;
}

MACSTATS_FN __u64 macstats_poll_default_usecs(const struct macstats_model *model, __u64 rate_bps)
{
	return macstats_poll_default_within(macstats_poll_ceiling_usecs(model, rate_bps));
}

#endif /* MACSTATS_INTERVAL_H */
