/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The lengths of frames: size classes, and the maximum that registers set.
 */
#ifndef MACSTATS_LENGTHS_H
#define MACSTATS_LENGTHS_H

#include "roles.h"

/* The shortest length in the size classes of @mask, whatever the maximum. */
MACSTATS_FN __u32 macstats_sizes_low(const struct macstats_model *model, __u16 mask)
{
	unsigned int first = mask ? macstats_bit_shift(mask) : 0;

	return first ? (__u32)model->sizes.edge[first - 1] : 0u;
}

/* The longest length in them, or 0 where the maximum frame length is the end. */
MACSTATS_FN __u32 macstats_sizes_high(const struct macstats_model *model, __u16 mask)
{
	unsigned int last = 0;

	if (!mask)
		return 0;
	while (mask >> (last + 1))
		last++;
	return last < MACSTATS_MAX_EDGES && model->sizes.edge[last] ?
	       (__u32)(model->sizes.edge[last] - 1) : 0u;
}

/* The maximum frame length while the field that switches it is set or not. */
MACSTATS_FN __u32 macstats__switched_max_frame(const struct macstats_model *model, bool set)
{
	return set ? model->max_frame_switch.on : model->max_frame_switch.off;
}

/* The maximum frame length where no register sets it: a constant, or no maximum at all. */
MACSTATS_FN __u32 macstats__fixed_max_frame(const struct macstats_model *model)
{
	return model->default_max_frame ? model->default_max_frame : (__u32)MACSTATS_FRAME_MAX;
}

/* The same, or what a field that switches the maximum makes of it after a reset. */
MACSTATS_FN __u32 macstats__default_max_frame(const struct macstats_model *model)
{
	const struct macstats_bit bit = macstats_find_role(model, MACSTATS_ROLE_MAX_FRAME_SWITCH);

	return bit.mask ? macstats__switched_max_frame(model, macstats_reset_bits(model, &bit)) :
			  macstats__fixed_max_frame(model);
}

/*
 * The longest maximum frame length that the field with @role, MACSTATS_ROLE_MAX_FRAME_RX or _TX,
 * has room for.
 */
MACSTATS_FN __u32 macstats_longest_frame(const struct macstats_model *model, __u32 role)
{
	const struct macstats_bit max = macstats_find_role(model, role);
	__u32 off = model->max_frame_switch.off;
	__u32 on = model->max_frame_switch.on;
	__u32 longest = macstats__fixed_max_frame(model);

	if (max.mask)
		longest = max.mask >> macstats_bit_shift(max.mask);
	else if (macstats_used_roles(model) & MACSTATS_ROLE_MAX_FRAME_SWITCH)
		longest = on > off ? on : off;
	return longest < MACSTATS_FRAME_MAX ? longest : (__u32)MACSTATS_FRAME_MAX;
}

/*
 * The longest maximum frame length of both directions: Linux has one list of size classes for
 * them.
 */
MACSTATS_FN __u32 macstats__last_class_end(const struct macstats_model *model)
{
	__u32 received = macstats_longest_frame(model, MACSTATS_ROLE_MAX_FRAME_RX);
	__u32 sent = macstats_longest_frame(model, MACSTATS_ROLE_MAX_FRAME_TX);

	return received > sent ? received : sent;
}

/*
 * The shortest frame that a counter counts by its size classes: at least an octet, which is that
 * of a row without frames.
 */
MACSTATS_FN __u32 macstats__shortest_length(const struct macstats_model *model,
					    const struct macstats_counter *counter)
{
	__u32 shortest = counter->when[0].direction || counter->never ? MACSTATS_FRAME_MAX : 0;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN && counter->when[i].direction; i++) {
		__u32 low = macstats_sizes_low(model, counter->when[i].size);

		if (low < shortest)
			shortest = low;
	}
	return shortest ? shortest : 1u;
}

/* The shortest distance of two frames that a counter counts, in octets on the wire. */
MACSTATS_FN __u32 macstats__shortest_frame(const struct macstats_model *model,
					   const struct macstats_counter *counter)
{
	__u32 shortest = MACSTATS_FRAME_MAX;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN && counter->when[i].direction; i++) {
		const struct macstats_when *when = &counter->when[i];
		__u32 low = macstats_sizes_low(model, when->size);
		__u32 least = when->direction & MACSTATS_RX ? model->min_frame_rx :
							      model->min_frame_tx;

		if (low < least)
			low = least;
		if (low < shortest)
			shortest = low;
	}
	return shortest + MACSTATS_GAP_LEN;
}

#endif /* MACSTATS_LENGTHS_H */
