/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Octets and frames of one direction are of the same traffic: after a reset, or without a line
 * rate, their sums tell when counters hold anything, or may have wrapped.
 */
#ifndef MACSTATS_FEATURE_TRAFFIC_H
#define MACSTATS_FEATURE_TRAFFIC_H

#include "../line.h"
#include "../read.h"

/* Without a line rate, and on a bus that does not report its traffic: macstats__check_traffic() */
MACSTATS_FN bool macstats__uses_max_frame(const struct macstats_accumulator *acc)
{
	return !acc->line_rate_bound && !acc->bus.line_octets;
}

/* Read the maximum frame length that is set now, the larger one of both directions. */
MACSTATS_FN int macstats__read_max_frame(struct macstats_accumulator *acc)
{
	const struct macstats_roles *roles = &acc->roles;
	__u32 value = macstats__fixed_max_frame(acc->model);
	__u32 enabled = 1;
	__u32 sent = 0;
	int err = macstats__bus_bit(acc, &roles->max_frame_switch, value, &value);

	if (roles->max_frame_switch.mask)
		value = macstats__switched_max_frame(acc->model, value);
	if (!err)
		err = macstats__bus_bit(acc, &roles->max_frame_enable, 1, &enabled);
	if (!err && enabled)
		err = macstats__bus_bit(acc, &roles->max_frame_rx, value, &value);
	if (!err && enabled && !macstats_is_same_bit(&roles->max_frame_tx, &roles->max_frame_rx))
		err = macstats__bus_bit(acc, &roles->max_frame_tx, 0, &sent);
	if (err)
		return err;
	acc->max_frame = value > sent ? value : sent;
	return 0;
}

/* The share of the counters that feed a standard statistic. */
MACSTATS_FN enum macstats_share macstats__share_of(unsigned int id)
{
	switch (id) {
	case MACSTATS_STD_RTNL_RX_BYTES:
		return MACSTATS_SHARE_RX_OCTETS;
	case MACSTATS_STD_RTNL_RX_PACKETS:
		return MACSTATS_SHARE_RX_FRAMES;
	case MACSTATS_STD_RTNL_TX_BYTES:
		return MACSTATS_SHARE_TX_OCTETS;
	case MACSTATS_STD_RTNL_TX_PACKETS:
		return MACSTATS_SHARE_TX_FRAMES;
	default:
		return MACSTATS_SHARE_NONE;
	}
}

MACSTATS_FN bool macstats__is_of_frames(enum macstats_share share)
{
	return share == MACSTATS_SHARE_RX_FRAMES || share == MACSTATS_SHARE_TX_FRAMES;
}

/* Check whether a counter counts the octets or frames of @share, and nothing else. */
MACSTATS_FN bool macstats__is_sharer(const struct macstats_counter *counter,
				     const struct macstats_term *term, enum macstats_share share)
{
	__u8 other = share < MACSTATS_SHARE_TX_OCTETS ? MACSTATS_TX : MACSTATS_RX;

	return term->factor == 1 && !counter->good_frames &&
	       !macstats_is_software_counter(counter) &&
	       !(macstats_counter_direction(counter) & other) &&
	       (macstats__is_of_frames(share) ? counter->unit == MACSTATS_FRAMES :
		counter->unit == MACSTATS_OCTETS || counter->unit == MACSTATS_PAYLOAD);
}

/* Let a counter be one of @share. */
MACSTATS_FN void macstats__add_sharer(struct macstats_accumulator *acc, unsigned int index)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_sharers *sharers = &acc->sharers[acc->counters[index].share];
	__u32 shortest = macstats__shortest_length(acc->model, counter);

	sharers->counters++;
	sharers->payload = sharers->payload || counter->unit == MACSTATS_PAYLOAD;
	if (shortest < sharers->shortest)
		sharers->shortest = shortest;
}

/*
 * Find the counters that share in the traffic of a direction. A direction has no shares unless
 * each counter that feeds its bytes or packets counts its octets or frames alone.
 */
MACSTATS_FN void macstats__find_shares(struct macstats_accumulator *acc)
{
	const struct macstats_model *model = acc->model;
	bool spoilt[2] = { false, false };
	unsigned int i;
	unsigned int t = 0;

	for (i = 0; i < MACSTATS_SHARES; i++) {
		acc->sharers[i].counters = 0;
		acc->sharers[i].payload = false;
		acc->sharers[i].shortest = MACSTATS_FRAME_MAX;
	}
	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		acc->counters[i].share = MACSTATS_SHARE_NONE;
		for (t = 0; t < MACSTATS_MAX_TERMS && counter->standard[t].id; t++) {
			enum macstats_share share = macstats__share_of(counter->standard[t].id);

			/* Frames in bytes: octets of headers or FCS, as many for each frame. */
			if (share == MACSTATS_SHARE_NONE ||
			    (!macstats__is_of_frames(share) && counter->unit == MACSTATS_FRAMES))
				continue;
			if (macstats__is_sharer(counter, &counter->standard[t], share))
				acc->counters[i].share = (__u8)share;
			else
				spoilt[share / 2] = true;
		}
	}
	for (i = 0; i < model->n_counters; i++) {
		if (acc->counters[i].share == MACSTATS_SHARE_NONE)
			continue;
		if (spoilt[acc->counters[i].share / 2])
			acc->counters[i].share = MACSTATS_SHARE_NONE;
		else
			macstats__add_sharer(acc, i);
	}
}

/* What the counters of a share have counted since the last poll. */
struct macstats_shared {
	__u64 events;
	bool unusable;		/* what one of them counted is not known */
};

MACSTATS_FN void macstats__clear_shares(struct macstats_shared *shares)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_SHARES; i++) {
		shares[i].events = 0;
		shares[i].unusable = false;
	}
}

/* Add what a counter has counted, by all reads of this poll. */
MACSTATS_FN void macstats__add_to_share(struct macstats_shared *share,
					const struct macstats_counter *counter,
					const struct macstats_accumulated_counter *kept)
{
	__u64 events = macstats_events_between(counter, kept->old, kept->value);

	share->events = macstats_saturating_add(share->events, events);
	share->events = macstats_saturating_add(share->events, kept->again);
}

/*
 * Sum up what was read, for each share. @damaged: mask of blocks whose values mean nothing. Values
 * that cannot be used count nothing.
 */
MACSTATS_FN void macstats__sum_shares(const struct macstats_accumulator *acc, bool snapshots,
				      __u32 damaged, struct macstats_shared *shares)
{
	unsigned int i;

	macstats__clear_shares(shares);
	macstats_for_each_row(i, &acc->awake) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		const struct macstats_accumulated_counter *kept = &acc->counters[i];
		struct macstats_shared *share;

		if (kept->share == MACSTATS_SHARE_NONE)
			continue;
		share = &shares[kept->share];
		if (!macstats__is_usable(acc, i, snapshots) ||
		    macstats__is_full(acc, counter, kept->value) ||
		    macstats__is_mixed(acc, counter) ||
		    kept->unknown || kept->extent == MACSTATS_READ_PART ||
		    (damaged >> counter->block & 1)) {
			share->unusable = true;
		} else {
			macstats__add_to_share(share, counter, kept);
		}
	}
}

/*
 * Check whether the hardware lacks a counter of a share, so that its sum is not of all traffic.
 * Counters of an absent MAC do not matter.
 */
MACSTATS_FN bool macstats__lacks_sharer(const struct macstats_accumulator *acc, unsigned int share)
{
	unsigned int n = macstats_register_counters(acc->model);
	unsigned int i;

	for (i = 0; i < n; i++)
		if (acc->counters[i].share == share && macstats_lacks_counter(acc, i) &&
		    !macstats_lacks_mac(acc->model, &acc->state.absent_rows,
					acc->model->counters[i].mac))
			return true;
	return false;
}

/* The most that all counters of a share can show; ~0 if none of them wraps. */
MACSTATS_FN __u64 macstats__most_shown(const struct macstats_accumulator *acc, unsigned int share)
{
	unsigned int n = macstats_register_counters(acc->model);
	__u64 most = ~0ull;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];

		if (acc->counters[i].share == share && !macstats_lacks_counter(acc, i) &&
		    counter->overflow != MACSTATS_SATURATE &&
		    macstats_bits_mask(counter->bits) < most)
			most = macstats_bits_mask(counter->bits);
	}
	return most;
}

/*
 * Check whether these octets of a direction, whose share is @at, can be those of these frames.
 * @slack: octets that may be in one sum only, as the counters are read one after the other.
 */
MACSTATS_FN bool macstats__shares_agree(const struct macstats_accumulator *acc, unsigned int at,
					__u64 octets, __u64 frames, __u64 slack)
{
	__u64 most = macstats_saturating_multiply(frames, MACSTATS_FRAME_MAX);
	__u64 least = macstats_saturating_multiply(frames, acc->sharers[at + 1].shortest);

	return octets <= macstats_saturating_add(most, slack) &&
	       (acc->sharers[at].payload || least <= macstats_saturating_add(octets, slack));
}

/*
 * Find the directions whose octets and frames contradict each other: after a reset, counters may
 * hold anything. A bit for each of the shares that are then unknown. @during: octet times that
 * passed while this poll read.
 */
MACSTATS_FN unsigned int macstats__contradictions(const struct macstats_accumulator *acc,
						  const struct macstats_shared *shares,
						  __u64 during)
{
	__u64 slack = macstats_saturating_add(acc->read_octets, during);
	unsigned int lines = 2 * (acc->model->block_lines ? acc->model->block_lines : 1u);
	unsigned int found = 0;
	unsigned int i;

	/* Octets that may have wrapped tell nothing. */
	if (!acc->line_rate_bound || !acc->whole ||
	    macstats_saturating_multiply(acc->line_octets, lines) >= acc->wrap_octets)
		return 0;
	if (slack)
		slack = macstats_saturating_add(slack, (slack >> 11) + MACSTATS_FRAME_MAX +
						       MACSTATS_GAP_LEN);
	slack = macstats_saturating_multiply(slack, lines / 2);
	for (i = 0; i < MACSTATS_SHARES; i += 2)
		if (acc->sharers[i].counters && acc->sharers[i + 1].counters &&
		    !shares[i].unusable && !shares[i + 1].unusable &&
		    !macstats__shares_agree(acc, i, shares[i].events, shares[i + 1].events,
					    slack) &&
		    !macstats__lacks_sharer(acc, i) && !macstats__lacks_sharer(acc, i + 1))
			found |= 3u << i;
	return found;
}

/*
 * Report a contradiction at the first counter of the shares in @wrong that counted anything.
 * Return: mask of the blocks whose free-running counters it shows to be reset.
 */
MACSTATS_FN __u32 macstats__disown_shares(struct macstats_accumulator *acc, unsigned int wrong,
					  unsigned int *events)
{
	unsigned int n = macstats_register_counters(acc->model);
	__u32 blocks = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		const struct macstats_accumulated_counter *kept = &acc->counters[i];

		if (kept->share == MACSTATS_SHARE_NONE || !(wrong >> kept->share & 1))
			continue;
		if (macstats_events_between(counter, kept->old, kept->value))
			macstats__note_discontinuity(acc, i, events);
		if (!macstats__clears(acc, counter))
			blocks |= 1u << counter->block;
	}
	return blocks;
}

/*
 * Without a better bound, frames tell whether octets may have wrapped: none is longer than the
 * maximum with two tags, and no hardware is many times faster than its model.
 */
MACSTATS_FN void macstats__check_traffic(struct macstats_accumulator *acc,
					 const struct macstats_shared *shares,
					 unsigned int *events)
{
	__u64 longest = acc->max_frame + 8ull;
	__u64 fastest = macstats_saturating_multiply(acc->line_octets, MACSTATS_FASTER);
	unsigned int i;

	if (!macstats__uses_max_frame(acc))
		return;
	for (i = 0; i < MACSTATS_SHARES; i += 2) {
		__u64 most;

		if (!acc->sharers[i].counters || !shares[i + 1].events)
			continue;
		most = macstats__most_shown(acc, i);
		if (fastest <= most ||
		    macstats_saturating_multiply(shares[i + 1].events, longest) <= most)
			continue;
		macstats__note_loss(acc, "frames may have had more octets than a counter shows",
				    events);
	}
}

#endif /* MACSTATS_FEATURE_TRAFFIC_H */
