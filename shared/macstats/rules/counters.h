/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The rows of counters: the frames that they count, and how they are read.
 */
#ifndef MACSTATS_RULES_COUNTERS_H
#define MACSTATS_RULES_COUNTERS_H

#include "../feature/descriptors.h"
#include "names.h"

MACSTATS_FN bool macstats__is_empty_when(const struct macstats_when *when)
{
	return !when->direction && !when->destination && !when->kind && !when->origin &&
	       !when->tags && !when->excess && !when->collisions && !when->deferred &&
	       !when->size && !when->errors && !when->no_errors && !when->with && !when->without;
}

MACSTATS_FN bool macstats__has_known_classes(const struct macstats_when *when)
{
	return macstats__is_subset(when->direction, MACSTATS_RX | MACSTATS_TX) &&
	       macstats__is_subset(when->destination, MACSTATS_UNICAST | MACSTATS_MULTICAST |
						     MACSTATS_BROADCAST) &&
	       macstats__is_subset(when->kind, MACSTATS_ANY_KIND) &&
	       macstats__is_subset(when->origin, (unsigned int)MACSTATS_ANY_ORIGIN |
						MACSTATS_FORCED_COLLISION) &&
	       macstats__is_subset(when->tags, MACSTATS_UNTAGGED | MACSTATS_TAGGED |
					      MACSTATS_DOUBLE_TAGGED) &&
	       macstats__is_subset(when->excess, MACSTATS_WITHIN_MAX | MACSTATS_OVER_MAX |
						MACSTATS_VERY_LONG) &&
	       macstats__is_subset(when->collisions,
				   MACSTATS_NO_COLLISION | MACSTATS_ONE_COLLISION |
				   MACSTATS_SEVERAL_COLLISIONS | MACSTATS_SIXTEEN_COLLISIONS) &&
	       macstats__is_subset(when->errors, MACSTATS_ERR_ALL) &&
	       macstats__is_subset(when->no_errors, MACSTATS_ERR_ALL);
}

MACSTATS_FN enum macstats_rule macstats__broken_by_when(const struct macstats_model *model,
							const struct macstats_roles *roles,
							const struct macstats_when *when)
{
	unsigned int options = when->with | when->without;

	if (!macstats__has_known_classes(when))
		return MACSTATS_RULE_UNKNOWN_VALUE;
	if (when->size && (!macstats__is_contiguous(when->size) ||
			   when->size >> macstats_size_classes(&model->sizes)))
		return MACSTATS_RULE_SIZE_MASK;
	if (!macstats__is_subset(options, 0u + model->options + macstats__settings_in(roles)) ||
	    (when->with & when->without))
		return MACSTATS_RULE_UNKNOWN_OPTION;
	return MACSTATS_RULE_NONE;
}

/* Check entry @i of a list of frames: the first one without a direction ends the list. */
MACSTATS_FN bool macstats__is_behind_end(const struct macstats_when *list, unsigned int i)
{
	return !macstats__is_empty_when(&list[i]) &&
	       (!list[i].direction || (i && !list[i - 1].direction));
}

MACSTATS_FN enum macstats_rule macstats__broken_by_frames(const struct macstats_model *model,
							  const struct macstats_roles *roles,
							  const struct macstats_counter *counter)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN; i++) {
		enum macstats_rule rule = macstats__broken_by_when(model, roles, &counter->when[i]);

		if (rule)
			return rule;
		if (macstats__is_behind_end(counter->when, i))
			return MACSTATS_RULE_GAP_IN_LIST;
	}
	return (counter->never || counter->errors_only) && counter->when[0].direction ?
		       MACSTATS_RULE_FRAMES_OF_NONE : MACSTATS_RULE_NONE;
}

/*
 * Check that a counter has an index in the window of its block, that its value fits there, and that
 * reading it has no side effects: a command that fails might have had them.
 */
MACSTATS_FN bool macstats__fits_window(const struct macstats_model *model,
				       const struct macstats_block_roles *of,
				       const struct macstats_counter *counter)
{
	unsigned int index_bits = macstats__mask_bits(of->window_index.mask);
	unsigned int bits = macstats__mask_bits(of->window_low.mask) +
			    macstats__mask_bits(of->window_high.mask);

	return counter->offset >= model->blocks[counter->block].window &&
	       !(macstats__window_index(model, counter) >> index_bits) &&
	       counter->bits <= bits && !counter->lsb && !counter->latch &&
	       !counter->reread && !counter->onread && !counter->onwrite && !counter->port_stride;
}

/* Check a counter whose behaviour bits of its block switch: see feature/switched.h. */
MACSTATS_FN enum macstats_rule macstats__broken_by_switches(const struct macstats_model *model,
							    const struct macstats_block_roles *of,
							    const struct macstats_counter *counter)
{
	if (of->clear_on_read.mask &&
	    (counter->onread || counter->onwrite || counter->latch ||
	     macstats__is_held(of) || macstats__is_windowed(model, counter)))
		return MACSTATS_RULE_SWITCHED_READ;
	if (of->saturate.mask && (counter->overflow || counter->onwrite))
		return MACSTATS_RULE_SWITCHED_MAXIMUM;
	return of->freeze.mask && counter->good_frames ? MACSTATS_RULE_SWITCHED_LAG :
							 MACSTATS_RULE_NONE;
}

/* May all words of a counter be read, one after the other, and be of one instant? */
MACSTATS_FN enum macstats_rule macstats__broken_by_reading(const struct macstats_model *model,
							   const struct macstats_roles *roles,
							   const struct macstats_counter *counter)
{
	bool snapshot = macstats__is_held(&roles->blocks[counter->block]);
	bool windowed = macstats__is_windowed(model, counter);
	bool several = macstats_words(model, counter) > 1 && !windowed;

	if (windowed && !macstats__fits_window(model, &roles->blocks[counter->block], counter))
		return MACSTATS_RULE_WINDOW;
	if (counter->onwrite && (several || counter->lsb))
		return MACSTATS_RULE_DECREMENT_WORDS;
	if (counter->onwrite && roles->blocks[counter->block].write_enable.mask)
		return MACSTATS_RULE_TWO_WRITES;
	if (counter->onread && counter->onwrite)
		return MACSTATS_RULE_TWO_SIDE_EFFECTS;
	/* A poll does not write to it, so that it would stay at its maximum. */
	if (counter->onwrite && counter->overflow == MACSTATS_SATURATE)
		return MACSTATS_RULE_SATURATING_DECREMENT;
	if (snapshot && (counter->onread || counter->onwrite ||
			 (counter->latch && roles->blocks[counter->block].dump.mask)))
		return MACSTATS_RULE_SNAPSHOT_SIDE_EFFECT;
	if (counter->reread && (macstats_words(model, counter) != 2 || snapshot ||
				macstats__is_destructive(counter)))
		return MACSTATS_RULE_REREAD;
	if (counter->word_stride && (!counter->reread || model->ports > 1 ||
				     roles->blocks[counter->block].clear_on_read.mask))
		return MACSTATS_RULE_WORD_STRIDE;
	if (model->read64 && several &&
	    (!counter->reread || counter->word_stride || model->bus_bits != 32 ||
	     (counter->offset | model->port_stride) % (2 * macstats_word_step(model))))
		return MACSTATS_RULE_READ64;
	if (several && !snapshot && !counter->latch && !counter->reread)
		return MACSTATS_RULE_TORN;
	return MACSTATS_RULE_NONE;
}

/* The bits of a field of a status, which lie within 32. */
MACSTATS_FN __u32 macstats__status_bits(const struct macstats_status *field)
{
	return (__u32)(macstats_bits_mask(field->bits) << field->lsb);
}

/* The bits of a status that have a name. */
MACSTATS_FN __u32 macstats__status_mask(const struct macstats_status *fields, unsigned int n)
{
	__u32 known = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		known |= macstats__status_bits(&fields[i]);
	return known;
}

/* A row that descriptors feed: it has no register, and counts statuses that there can be. */
MACSTATS_FN enum macstats_rule macstats__broken_by_status(const struct macstats_model *model,
							  const struct macstats_counter *counter)
{
	const struct macstats_descriptor *bits = macstats_descriptor_of(model);
	const struct macstats_from_status *status = &counter->status;
	__u32 known = status->received ?
			      macstats__status_mask(bits->rx_status, bits->n_rx_status) :
			      macstats__status_mask(bits->tx_status, bits->n_tx_status);

	if (!macstats__is_subset(status->mask, known) ||
	    !macstats__is_subset(status->value, status->mask) ||
	    (status->high && status->high < status->low) ||
	    status->adds_collisions + status->adds_attempts + status->adds_octets > 1)
		return MACSTATS_RULE_UNKNOWN_VALUE;
	/* Only the transmit status has collisions. */
	if (status->received &&
	    (status->low || status->high || status->adds_collisions || status->adds_attempts))
		return MACSTATS_RULE_UNKNOWN_VALUE;
	return counter->when[0].direction ? MACSTATS_RULE_STATUS_ROW_WITH_FRAMES :
					    MACSTATS_RULE_NONE;
}

/* The addresses from a counter of a port to that of the next one. */
MACSTATS_FN __u64 macstats__counter_stride(const struct macstats_model *model,
					   const struct macstats_counter *counter)
{
	return counter->port_stride ? counter->port_stride : model->port_stride;
}

/* The first address after a counter of the last port. */
MACSTATS_FN __u64 macstats__last_end_of(const struct macstats_model *model,
					const struct macstats_counter *counter)
{
	return counter->offset + macstats__counter_stride(model, counter) * (model->ports - 1u) +
	       (__u64)macstats_words(model, counter) * macstats_word_step(model);
}

MACSTATS_FN enum macstats_rule macstats__broken_by_counter(const struct macstats_model *model,
							   const struct macstats_roles *roles,
							   const struct macstats_counter *counter)
{
	enum macstats_rule rule = macstats__broken_by_name(counter);

	if (rule)
		return rule;
	if (!macstats__is_between(counter->unit, MACSTATS_FRAMES, MACSTATS_EARLY_COLLISIONS) ||
	    counter->onread > MACSTATS_ONREAD_RCLR ||
	    counter->onwrite > MACSTATS_ONWRITE_DECREMENT ||
	    counter->overflow > MACSTATS_SATURATE || counter->mac > MACSTATS_MAC_PREEMPTIBLE)
		return MACSTATS_RULE_UNKNOWN_VALUE;
	if (!macstats__is_between(counter->bits, 1, 64))
		return MACSTATS_RULE_BITS;
	if (counter->lsb && 0u + counter->lsb + counter->bits > model->bus_bits)
		return MACSTATS_RULE_FIELD_WIDTH;
	if (counter->block >= model->n_blocks)
		return MACSTATS_RULE_NO_SUCH_BLOCK;
	if (counter->revisions >> macstats__count_revisions(model) ||
	    (counter->revisions && macstats_is_software_counter(counter)))
		return MACSTATS_RULE_NO_SUCH_REVISION;
	if (macstats_is_software_counter(counter))
		return macstats__broken_by_status(model, counter);
	if ((counter->offset | counter->word_stride) % macstats_word_step(model))
		return MACSTATS_RULE_ALIGNMENT;
	/* The address after a counter has 32 bits as well: macstats_counter_end(). */
	if (macstats__last_end_of(model, counter) + counter->word_stride > ~0u)
		return MACSTATS_RULE_ADDRESS_SPACE;
	rule = macstats__broken_by_frames(model, roles, counter);
	if (!rule)
		rule = macstats__broken_by_reading(model, roles, counter);
	return rule ? rule : macstats__broken_by_switches(model, &roles->blocks[counter->block],
							  counter);
}

/* The rule that a row breaks which begins at @offset, after one from @before to @end. */
MACSTATS_FN enum macstats_rule macstats__broken_by_place(__u32 offset, __u32 before, __u32 end)
{
	if (offset == before)
		return MACSTATS_RULE_OVERLAP;
	if (offset < before)
		return MACSTATS_RULE_ORDER;
	return offset < end ? MACSTATS_RULE_OVERLAP : MACSTATS_RULE_NONE;
}

/* Check for counters that no device has both. */
MACSTATS_FN bool macstats__are_apart(const struct macstats_counter *a,
				     const struct macstats_counter *b)
{
	return a->revisions && b->revisions && !(a->revisions & b->revisions);
}

/* The rule that a counter breaks after another one, whose bus word it may share. */
MACSTATS_FN enum macstats_rule macstats__broken_by_order(const struct macstats_model *model,
							 const struct macstats_counter *before,
							 const struct macstats_counter *counter)
{
	bool apart = macstats__are_apart(before, counter);

	if (counter->offset != before->offset)
		return macstats__broken_by_place(counter->offset, before->offset,
						 macstats_counter_end(model, before));
	if (!apart && counter->lsb + counter->bits <= before->lsb)
		return MACSTATS_RULE_ORDER;
	if (!apart && counter->lsb < before->lsb + before->bits)
		return MACSTATS_RULE_OVERLAP;
	if (counter->block != before->block || counter->port_stride != before->port_stride ||
	    counter->onread != before->onread || counter->onwrite != before->onwrite ||
	    counter->latch != before->latch || macstats_words(model, counter) > 1 ||
	    macstats_words(model, before) > 1)
		return MACSTATS_RULE_SHARED_WORD;
	return MACSTATS_RULE_NONE;
}

/* Check a counter against the one before it, and against all those that share its bus word. */
MACSTATS_FN struct macstats_finding macstats__rules_order(const struct macstats_model *model,
							  unsigned int index)
{
	const struct macstats_counter *counter = &model->counters[index];
	unsigned int i = index;

	while (i-- && (i + 1 == index || model->counters[i].offset == counter->offset)) {
		const struct macstats_counter *before = &model->counters[i];
		enum macstats_rule rule = macstats__broken_by_order(model, before, counter);

		if (rule)
			return macstats__collision(rule, MACSTATS_PART_COUNTERS, index,
						   before->name);
	}
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats__rules_counters(const struct macstats_model *model)
{
	const struct macstats_roles roles = macstats_find_roles(model);
	struct macstats_finding order = macstats_no_finding;
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		enum macstats_rule rule = macstats__broken_by_counter(model, &roles, counter);

		if (rule)
			return macstats__broken(rule, MACSTATS_PART_COUNTERS, i);
		/* Rows that descriptors feed have no place among the registers: they are last. */
		if (macstats_is_software_counter(counter) && i + 1 < model->n_counters &&
		    !macstats_is_software_counter(counter + 1))
			return macstats__collision(MACSTATS_RULE_ORDER, MACSTATS_PART_COUNTERS, i,
						   counter[1].name);
		if (!macstats_is_software_counter(counter))
			order = macstats__rules_order(model, i);
		if (order.rule)
			return order;
	}
	return macstats_no_finding;
}

#endif /* MACSTATS_RULES_COUNTERS_H */
