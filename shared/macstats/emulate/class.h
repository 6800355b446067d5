/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A frame and the settings of the moment -> the class of the frame, and what it adds to the sums
 * of that class. The rows of a model state which classes they count.
 *
 * A class is a key of 64 bits with all that decides how frames are counted: two frames with the
 * same key add to the same counters, and by the same rules.
 */
#ifndef MACSTATS_EMULATE_CLASS_H
#define MACSTATS_EMULATE_CLASS_H

#include "../feature/descriptors.h"
#include "state.h"

/*
 * The fields of a class. Most are one bit of an enumeration, as rows name them. Neither half of a
 * key is ever 0: see macstats__find_cell().
 */
#define MACSTATS_FIELD_AT(lsb, bits)	((lsb) | ((bits) << 8))
enum macstats_class_field {
	/* At the distances that they have in a frame. */
	MACSTATS_CLASS_DIRECTION	= MACSTATS_FIELD_AT(0, 2),
	MACSTATS_CLASS_DESTINATION	= MACSTATS_FIELD_AT(8, 3),
	MACSTATS_CLASS_KIND		= MACSTATS_FIELD_AT(16, 4),	/* on the wire */
	MACSTATS_CLASS_ORIGIN		= MACSTATS_FIELD_AT(24, 3),

	MACSTATS_CLASS_TAGS		= MACSTATS_FIELD_AT(2, 3),
	MACSTATS_CLASS_DEFERRED		= MACSTATS_FIELD_AT(5, 1),
	MACSTATS_CLASS_COLLISIONS	= MACSTATS_FIELD_AT(20, 4),
	MACSTATS_CLASS_SIZE		= MACSTATS_FIELD_AT(27, 4),	/* its index */
	MACSTATS_CLASS_EXCESS		= MACSTATS_FIELD_AT(32, 3),
	MACSTATS_CLASS_ERRORS		= MACSTATS_FIELD_AT(36, 12),
	MACSTATS_CLASS_OPTIONS		= MACSTATS_FIELD_AT(48, 16),
	/* What the amounts of frames with collisions depend on; no row names it. */
	MACSTATS_CLASS_COLLISION_COUNT	= MACSTATS_FIELD_AT(11, 5),
	MACSTATS_CLASS_SHORT		= MACSTATS_FIELD_AT(6, 1),	/* than a slot time */
	MACSTATS_CLASS_FLOW_CONTROL	= MACSTATS_FIELD_AT(7, 1),
};

MACSTATS_FN __u64 macstats__class_put(enum macstats_class_field field, unsigned int value)
{
	return (__u64)value << (field & 0xff);
}

MACSTATS_FN unsigned int macstats__class_get(__u64 frame_class, enum macstats_class_field field)
{
	return (unsigned int)(frame_class >> (field & 0xff)) & ((1u << (field >> 8)) - 1);
}

/* The size class, as rows name it. */
MACSTATS_FN __u16 macstats__class_size(__u64 frame_class)
{
	return (__u16)(1u << macstats__class_get(frame_class, MACSTATS_CLASS_SIZE));
}

/* A frame as the MAC sees it, by the settings of one moment. */
struct macstats_seen {
	struct macstats_settings settings;
	__u64 frame_class;
	__u32 length;		/* on the wire, were it not cut; 0: there is no such frame */
	struct macstats_sums each;
};

/* The length of a frame on the wire: the transmitter pads it, or drops it (0). */
MACSTATS_FN __u32 macstats__length_on_wire(const struct macstats_model *model,
					   const struct macstats_frame *frame)
{
	if (frame->direction == MACSTATS_TX) {
		if (frame->length < model->tx_shortest)
			return 0;
		if (frame->length < model->tx_pad_to)
			return model->tx_pad_to;
	}
	return frame->length;
}

/* Octets of a frame that are no payload. */
MACSTATS_FN __u32 macstats__overhead(const struct macstats_emulator *emu,
				     const struct macstats_frame *frame)
{
	const struct macstats_model *model = emu->model;

	if (macstats_kind_on_wire(frame) != MACSTATS_DATA)
		return model->variant_control_overhead && (emu->options & MACSTATS_OPT_VARIANT) ?
		       model->variant_control_overhead : model->control_overhead;
	if (emu->options & MACSTATS_OPT_VLAN_DETECTION)
		return model->data_overhead + frame->vlan_tags * (__u32)MACSTATS_TAG_LEN;
	return model->data_overhead;
}

/* The same as macstats__size_class(), but quicker for long frames. */
MACSTATS_FN unsigned int macstats__size_index(const struct macstats_emulator *emu, __u32 length,
					      bool tagged)
{
	const __u32 *end = emu->size_end[tagged];
	unsigned int i = emu->first_size[31 - __builtin_clz(length | 1)];

	while (length >= end[i])
		i++;
	return i;
}

/* The longest frame that is not very long while the maximum length is @max. */
MACSTATS_FN __u32 macstats__longest_but_very(const struct macstats_model *model, __u32 max)
{
	if (!model->very_long_least || max > model->very_long_limit)
		return MACSTATS_FRAME_MAX;
	return 2 * max > model->very_long_least ? 2 * max : model->very_long_least;
}

/*
 * The fields of a class that tell what befell the frame, as the MAC sees it. In full duplex a
 * transmitter neither defers nor collides, and ignores the carrier (IEEE 802.3, 4.1.2.1.1). Pause
 * frames that the MAC makes itself cannot collide on some MACs, or be bad. A frame whose last
 * attempt has collided is given up, which is an error; a MAC with a retry limit never comes to a
 * later collision. A frame with that error collided at every attempt. A late collision is one more
 * than those which are given.
 */
MACSTATS_FN __u64 macstats__class_of_events(const struct macstats_emulator *emu,
					    const struct macstats_settings *now,
					    const struct macstats_frame *frame, __u32 sent)
{
	unsigned int collisions = frame->collisions;
	unsigned int errors = frame->errors;
	bool deferred = frame->deferred;
	__u8 collided = MACSTATS_SIXTEEN_COLLISIONS;

	if (frame->direction == MACSTATS_TX && !(emu->options & MACSTATS_OPT_HALF_DUPLEX)) {
		collisions = 0;
		deferred = false;
		errors &= ~(unsigned int)MACSTATS_ERR_MEDIUM;
	}
	if (emu->model->ieee_own_pause && macstats__is_own_pause(frame)) {
		collisions = 0;
		errors = 0;
	}
	if (collisions >= now->attempts) {
		if (emu->roles.retry_limit.mask)
			errors &= ~(unsigned int)MACSTATS_ERR_LATE_COLLISION;
		if (!(errors & MACSTATS_ERR_LATE_COLLISION))
			errors |= MACSTATS_ERR_EXCESSIVE_COLLISIONS;
	}
	if (errors & MACSTATS_ERR_LATE_COLLISION)
		collisions++;
	else if (errors & MACSTATS_ERR_EXCESSIVE_COLLISIONS)
		collisions = now->attempts;
	if (!(errors & MACSTATS_ERR_EXCESSIVE_COLLISIONS))
		collided = macstats__collision_class(collisions);
	return macstats__class_put(MACSTATS_CLASS_DEFERRED, deferred) |
	       macstats__class_put(MACSTATS_CLASS_ERRORS, errors) |
	       macstats__class_put(MACSTATS_CLASS_COLLISIONS, collided) |
	       macstats__class_put(MACSTATS_CLASS_COLLISION_COUNT, collisions) |
	       macstats__class_put(MACSTATS_CLASS_SHORT, sent < MACSTATS_FRAME_MIN) |
	       macstats__class_put(MACSTATS_CLASS_FLOW_CONTROL, now->flow_control);
}

/* The settings for a frame: the first descriptor of its packet may override a register. */
MACSTATS_FN struct macstats_settings macstats__settings_for(const struct macstats_emulator *emu,
							    const struct macstats_frame *frame)
{
	struct macstats_settings now = macstats__settings_now(emu);

	if (frame->huge && macstats_descriptor_of(emu->model)->huge &&
	    frame->direction == MACSTATS_TX && frame->origin == MACSTATS_BY_SOFTWARE)
		now.max_frame_tx = frame->huge == MACSTATS_CONTROL_ON ?
				   (__u32)MACSTATS_FRAME_MAX : now.max_frame_set;
	return now;
}

/* See a frame as the MAC does. Takes no lock. */
MACSTATS_FN struct macstats_seen macstats_see(const struct macstats_emulator *emu,
					      const struct macstats_frame *frame)
{
	const struct macstats_model *model = emu->model;
	struct macstats_seen seen = { macstats__settings_for(emu, frame), 0,
				      macstats__length_on_wire(model, frame), { 1, 0, 0, 0 } };
	const struct macstats_settings *now = &seen.settings;
	bool received = frame->direction == MACSTATS_RX;
	__u32 shortest = received ? model->min_frame_rx : model->min_frame_tx;
	__u32 max = received ? now->max_frame_rx : now->max_frame_tx;
	__u32 longest = frame->vlan_tags ? max + emu->tag_allowance : max;
	__u32 overhead = macstats__overhead(emu, frame);
	__u8 excess = MACSTATS_WITHIN_MAX;
	__u8 origin = MACSTATS_BY_SOFTWARE;
	__u32 length = seen.length;
	__u32 sent = length;

	if (length > longest) {
		excess = length > macstats__longest_but_very(model, max) ? MACSTATS_VERY_LONG :
									  MACSTATS_OVER_MAX;
		if (model->cut_at_max && !received)
			sent = longest;
	}
	if (macstats__is_own_pause(frame)) {
		origin = emu->options & MACSTATS_OPT_HALF_DUPLEX ? MACSTATS_FORCED_COLLISION :
								   MACSTATS_BY_MAC;
		if (!now->flow_control)
			seen.length = 0;
	}
	seen.each.octets = sent;
	seen.each.payload = sent > overhead ? sent - overhead : 0;
	seen.each.line = (length > shortest ? length : shortest) + MACSTATS_GAP_LEN;
	seen.frame_class =
		macstats__class_put(MACSTATS_CLASS_DIRECTION, frame->direction) |
		macstats__class_put(MACSTATS_CLASS_DESTINATION, frame->destination) |
		macstats__class_put(MACSTATS_CLASS_KIND, macstats_kind_on_wire(frame)) |
		macstats__class_put(MACSTATS_CLASS_ORIGIN, origin) |
		macstats__class_put(MACSTATS_CLASS_TAGS,
				    (unsigned int)MACSTATS_UNTAGGED << frame->vlan_tags) |
		macstats__class_put(MACSTATS_CLASS_EXCESS, excess) |
		macstats__class_put(MACSTATS_CLASS_SIZE,
				    macstats__size_index(emu, length, frame->vlan_tags)) |
		macstats__class_put(MACSTATS_CLASS_OPTIONS, now->options);
	/* Most frames are sent or received without any event. */
	if (!(frame->collisions | frame->errors | frame->deferred)) {
		seen.frame_class |= macstats__class_put(MACSTATS_CLASS_COLLISIONS,
							MACSTATS_NO_COLLISION);
		return seen;
	}
	seen.frame_class |= macstats__class_of_events(emu, now, frame, sent);
	seen.each.line += macstats__class_get(seen.frame_class, MACSTATS_CLASS_COLLISION_COUNT) *
			  (MACSTATS_FRAME_MIN + (__u64)MACSTATS_GAP_LEN);
	return seen;
}

/* Check whether such a frame exists, and the port counts now. */
MACSTATS_FN bool macstats_is_counted(const struct macstats_seen *seen)
{
	return seen->settings.counting && seen->length;
}

/* Check for frames that were not sent or received as most are. */
MACSTATS_FN bool macstats__has_events(__u64 frame_class)
{
	return macstats__class_get(frame_class, MACSTATS_CLASS_COLLISIONS) !=
		       MACSTATS_NO_COLLISION ||
	       macstats__class_get(frame_class, MACSTATS_CLASS_DEFERRED) ||
	       (macstats__class_get(frame_class, MACSTATS_CLASS_ERRORS) &
		~(unsigned int)MACSTATS_ERR_PAYLOAD_LENGTH) ||
	       macstats__class_get(frame_class, MACSTATS_CLASS_ORIGIN) != MACSTATS_BY_SOFTWARE;
}

/*
 * Check whether the MAC leaves a received frame of this class to software: it consumes flow control
 * frames, and drops bad and overlong ones. A wrong length field is only reported.
 */
MACSTATS_FN bool macstats_is_for_host(__u64 frame_class)
{
	const __u64 not_for_host =
		macstats__class_put(MACSTATS_CLASS_KIND, MACSTATS_PAUSE | MACSTATS_PFC) |
		macstats__class_put(MACSTATS_CLASS_EXCESS, MACSTATS_OVER_MAX | MACSTATS_VERY_LONG) |
		macstats__class_put(MACSTATS_CLASS_ERRORS,
				    MACSTATS_ERR_ALL & ~MACSTATS_ERR_PAYLOAD_LENGTH);

	return !(frame_class & not_for_host);
}

/* Check for a field of a class against a mask in which 0 stands for any. */
MACSTATS_FN bool macstats__class_in(__u64 frame_class, enum macstats_class_field field,
				    unsigned int mask)
{
	return !mask || (mask & macstats__class_get(frame_class, field));
}

MACSTATS_FN bool macstats_when_matches(const struct macstats_when *when, __u64 frame_class)
{
	unsigned int errors = macstats__class_get(frame_class, MACSTATS_CLASS_ERRORS);
	unsigned int options = macstats__class_get(frame_class, MACSTATS_CLASS_OPTIONS);

	/* First what most rows that do not match fail at. */
	return (when->direction & macstats__class_get(frame_class, MACSTATS_CLASS_DIRECTION)) &&
	       (!when->errors || (when->errors & errors)) &&
	       (!when->size || (when->size & macstats__class_size(frame_class))) &&
	       macstats__class_in(frame_class, MACSTATS_CLASS_DESTINATION, when->destination) &&
	       macstats__class_in(frame_class, MACSTATS_CLASS_KIND, when->kind) &&
	       macstats__class_in(frame_class, MACSTATS_CLASS_ORIGIN,
				  when->origin ? when->origin : (__u8)MACSTATS_ANY_ORIGIN) &&
	       macstats__class_in(frame_class, MACSTATS_CLASS_TAGS, when->tags) &&
	       macstats__class_in(frame_class, MACSTATS_CLASS_EXCESS, when->excess) &&
	       macstats__class_in(frame_class, MACSTATS_CLASS_COLLISIONS, when->collisions) &&
	       !(when->no_errors & errors) &&
	       (!when->deferred || macstats__class_get(frame_class, MACSTATS_CLASS_DEFERRED)) &&
	       (when->with & options) == when->with && !(when->without & options);
}

/* Check whether one of the rules of a row matches; @when has MACSTATS_MAX_WHEN, or fewer. */
MACSTATS_FN bool macstats__some_when_matches(const struct macstats_when *when, __u64 frame_class)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN && when[i].direction; i++)
		if (macstats_when_matches(&when[i], frame_class))
			return true;
	return false;
}

/*
 * Check whether a counter counts frames of this class; the one place that decides. All of them are
 * of the express MAC, and of the first queue and priority.
 */
MACSTATS_FN bool macstats_counts(const struct macstats_counter *counter, __u64 frame_class)
{
	return counter->mac != MACSTATS_MAC_PREEMPTIBLE && !counter->index &&
	       macstats__some_when_matches(counter->when, frame_class);
}

/* The amount that frames of a class add to a counter which counts them. */
MACSTATS_FN __u64 macstats_amount(const struct macstats_model *model,
				  const struct macstats_counter *counter, __u64 frame_class,
				  const struct macstats_sums *sums)
{
	unsigned int errors = macstats__class_get(frame_class, MACSTATS_CLASS_ERRORS);
	__u64 collisions = macstats__class_get(frame_class, MACSTATS_CLASS_COLLISION_COUNT);
	__u64 early = collisions - !!(errors & MACSTATS_ERR_LATE_COLLISION);
	__u64 attempts = early * MACSTATS_FRAME_MIN * sums->frames;

	switch (counter->unit) {
	case MACSTATS_OCTETS:
		return sums->octets;
	case MACSTATS_PAYLOAD:
		return sums->payload;
	case MACSTATS_COLLISIONS:
		return collisions * sums->frames;
	case MACSTATS_EARLY_COLLISIONS:
		return early * sums->frames;
	case MACSTATS_WIRE_OCTETS:
		/* A received frame collides by flow control in half duplex, or not at all. */
		if (macstats__class_get(frame_class, MACSTATS_CLASS_DIRECTION) == MACSTATS_RX &&
		    (!macstats__class_get(frame_class, MACSTATS_CLASS_FLOW_CONTROL) ||
		     !(macstats__class_get(frame_class, MACSTATS_CLASS_OPTIONS) &
		       MACSTATS_OPT_HALF_DUPLEX)))
			return sums->octets;
		/*
		 * An attempt that collides in time has sent a slot time of the frame at the most;
		 * the last one, late or not, all of it, unless it collided as the others or was
		 * never begun.
		 */
		if (macstats__class_get(frame_class, MACSTATS_CLASS_SHORT))
			attempts = early * sums->octets;
		if ((errors & MACSTATS_ERR_EXCESSIVE_COLLISIONS) && early == collisions)
			return attempts;
		if ((errors & MACSTATS_ERR_EXCESSIVE_DEFERRAL) && model->deferral_aborts)
			return attempts;
		return attempts + sums->octets;
	default:
		return sums->frames;
	}
}

/* Check for good frames, after which a lagging counter shows the events it counted. */
MACSTATS_FN bool macstats__is_good(const struct macstats_model *model, __u64 frame_class)
{
	return macstats__class_get(frame_class, MACSTATS_CLASS_DIRECTION) == MACSTATS_RX &&
	       macstats__class_get(frame_class, MACSTATS_CLASS_EXCESS) == MACSTATS_WITHIN_MAX &&
	       !(macstats__class_get(frame_class, MACSTATS_CLASS_ERRORS) &
		 ~(unsigned int)model->good_despite) &&
	       macstats_sizes_low(model, macstats__class_size(frame_class)) >= MACSTATS_FRAME_MIN;
}

#endif /* MACSTATS_EMULATE_CLASS_H */
