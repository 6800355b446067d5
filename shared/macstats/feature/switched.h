/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bits of a block that let a read clear its counters, let them stay at their maximum, or freeze
 * them. They are the driver's: a poll looks at them before and after it reads counters, and leaves
 * them as they are. The command that clears counters for a baseline may be in the same register: a
 * driver changes the bits by the regmap, or under the lock of its reg_update_bits(). While a block
 * is frozen the port is stale, though its counters are read and added.
 */
#ifndef MACSTATS_FEATURE_SWITCHED_H
#define MACSTATS_FEATURE_SWITCHED_H

#include "reread.h"

/* Check whether the read of this poll clears a counter. Otherwise it counts on from its value. */
MACSTATS_FN bool macstats__clears(const struct macstats_accumulator *acc,
				  const struct macstats_counter *counter)
{
	return counter->onread == MACSTATS_ONREAD_RCLR ||
	       (acc->reading.clear_on_read >> counter->block & 1);
}

/* Check whether a read may change a counter now or later. */
MACSTATS_FN bool macstats__may_change(const struct macstats_accumulator *acc,
				      const struct macstats_counter *counter)
{
	return macstats__is_destructive(counter) ||
	       acc->roles.blocks[counter->block].clear_on_read.mask;
}

/* Check whether bits let a counter stay at its maximum. One of 64 bits never gets there. */
MACSTATS_FN bool macstats__stays(const struct macstats_counter *counter, __u32 saturating)
{
	return counter->bits < 64 && (saturating >> counter->block & 1);
}

/* Check whether @value is the maximum at which a counter stays, so that it means "at least". */
MACSTATS_FN bool macstats__is_full(const struct macstats_accumulator *acc,
				   const struct macstats_counter *counter, __u64 value)
{
	return value == macstats_bits_mask(counter->bits) &&
	       (counter->overflow == MACSTATS_SATURATE ||
		macstats__stays(counter, acc->switched.ever_saturating));
}

/* Check whether a counter that cannot have rolled over went back. */
MACSTATS_FN bool macstats__fell(const struct macstats_accumulator *acc,
				const struct macstats_counter *counter, __u64 old, __u64 value)
{
	return value < old && (counter->overflow == MACSTATS_SATURATE ||
			       macstats__stays(counter, acc->switched.still_saturating));
}

/* Check whether a counter that rolled over may have been at its maximum for a while before. */
MACSTATS_FN bool macstats__may_have_stayed(const struct macstats_accumulator *acc,
					   const struct macstats_counter *counter, __u64 old,
					   __u64 value)
{
	return value < old &&
	       macstats__stays(counter, acc->switched.ever_saturating &
					~acc->switched.still_saturating);
}

/* Look at the bits of all blocks. */
MACSTATS_FN int macstats__look_at_switches(struct macstats_accumulator *acc,
					   struct macstats_switches *now)
{
	const struct macstats_switches none = { 0, 0, 0 };
	unsigned int i;

	*now = none;
	for (i = 0; i < acc->model->n_blocks; i++) {
		const struct macstats_block_roles *of = &acc->roles.blocks[i];
		const struct macstats_bit *const bits[] = { &of->clear_on_read, &of->saturate,
							    &of->freeze };
		__u32 *const masks[] = { &now->clear_on_read, &now->saturate, &now->freeze };
		__u32 value = 0;
		unsigned int last = 0;
		unsigned int k;

		if (macstats__lacks_block(acc, i))
			continue;
		for (k = 0; k < MACSTATS_COUNT_OF(bits); k++) {
			int err = 0;

			if (!bits[k]->mask)
				continue;
			if (!bits[last]->mask || last == k || bits[last]->offset != bits[k]->offset)
				err = macstats__bus_look(acc, bits[k]->offset, &value);
			if (err)
				return err;
			last = k;
			if (value & bits[k]->mask)
				*masks[k] |= 1u << i;
		}
	}
	return 0;
}

/* Nothing tells what the last read of a counter of these blocks left there. */
MACSTATS_FN void macstats__forget(struct macstats_accumulator *acc, unsigned int index,
				  __u32 blocks)
{
	const struct macstats_counter *counter = &acc->model->counters[index];

	if ((blocks >> counter->block & 1) && counter->onread == MACSTATS_ONREAD_NONE &&
	    !macstats_lacks_counter(acc, index))
		acc->counters[index].unknown = true;
}

/*
 * Check whether a bit changed while the two words of a counter were read, one by one: in another
 * order than their reads had effects, so that they are no value.
 */
MACSTATS_FN bool macstats__is_mixed(const struct macstats_accumulator *acc,
				    const struct macstats_counter *counter)
{
	return counter->reread && !macstats__reads_64(acc, counter) &&
	       (acc->unsure >> counter->block & 1);
}

/* macstats__forget() for all that this poll has read, if a bit changed meanwhile. */
MACSTATS_FN void macstats__forget_read(struct macstats_accumulator *acc)
{
	unsigned int n = macstats_register_counters(acc->model);
	unsigned int i;

	for (i = 0; acc->unsure && i < n; i++)
		if (acc->counters[i].extent != MACSTATS_READ_NOTHING &&
		    (acc->counters[i].value ||
		     macstats__is_mixed(acc, &acc->model->counters[i])))
			macstats__forget(acc, i, acc->unsure);
}

/* Before counters are read. */
MACSTATS_FN int macstats__begin_switched(struct macstats_accumulator *acc)
{
	struct macstats_switches now;
	__u32 changed = 0;
	unsigned int i;
	unsigned int n;
	int err;

	if (!acc->roles.switched)
		return 0;
	n = macstats_register_counters(acc->model);
	err = macstats__look_at_switches(acc, &now);
	if (err)
		return err;
	if (acc->switched.look_failed)
		changed = acc->switched.last.clear_on_read ^ now.clear_on_read;
	if (changed)
		macstats__wake_all(acc);
	for (i = 0; changed && i < n; i++)
		macstats__forget(acc, i, changed);
	acc->switched.look_failed = false;
	acc->reading = now;
	acc->switched.ever_saturating |= now.saturate;
	acc->switched.still_saturating &= now.saturate;
	acc->switched.frozen |= now.freeze;
	acc->unsure = 0;
	/* A read of what sleeps tells nothing only if it clears nothing. */
	for (i = 0; now.clear_on_read && i < n; i++)
		if (acc->counters[i].extent == MACSTATS_READ_SAME && acc->counters[i].old &&
		    macstats__clears(acc, &acc->model->counters[i]))
			macstats__wake(acc, i);
	return 0;
}

/* Behind the read, whether it failed or not. */
MACSTATS_FN int macstats__end_switched(struct macstats_accumulator *acc)
{
	struct macstats_switches now;
	int err;

	if (!acc->roles.switched)
		return 0;
	err = macstats__look_at_switches(acc, &now);
	acc->switched.look_failed = err;
	if (err)
		now = acc->reading;
	acc->switched.last = now;
	acc->switched.ever_saturating |= now.saturate;
	acc->switched.still_saturating &= now.saturate;
	acc->switched.frozen |= now.freeze;
	acc->unsure = now.clear_on_read ^ acc->reading.clear_on_read;
	if (acc->unsure)
		macstats__wake_all(acc);
	return err;
}

/* The values of the poll cannot be used, nor can what it saw; a doubt stays. */
MACSTATS_FN void macstats__undo_looks(struct macstats_accumulator *acc,
				      const struct macstats_switched *before)
{
	bool doubt = before->look_failed || acc->switched.look_failed;

	acc->switched = *before;
	acc->switched.look_failed = doubt;
}

/* All counters were read: they may have stayed at their maximum from now on. */
MACSTATS_FN void macstats__all_read(struct macstats_accumulator *acc)
{
	acc->switched.ever_saturating = acc->switched.last.saturate;
	acc->switched.still_saturating = acc->switched.last.saturate;
}

/*
 * All counters were read: report blocks that were frozen since the last time, each once. Return: 0,
 * or -ENODATA with a reason: what was read has been added, but frames count nothing.
 */
MACSTATS_FN int macstats__check_frozen(struct macstats_accumulator *acc, unsigned int *events)
{
	if (acc->state.started && (acc->switched.frozen & ~acc->frozen_told))
		macstats__note_loss(acc, "the counters were frozen by a bit of a register", events);
	acc->switched.frozen = 0;
	acc->frozen_told = acc->reading.freeze | acc->switched.last.freeze;
	if (!acc->frozen_told)
		return 0;
	acc->state.reason = "the counters are frozen by a bit of a register";
	return -ENODATA;
}

#endif /* MACSTATS_FEATURE_SWITCHED_H */
