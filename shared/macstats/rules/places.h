/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Addresses: no two things are at one, on any port, and each is in a region.
 */
#ifndef MACSTATS_RULES_PLACES_H
#define MACSTATS_RULES_PLACES_H

#include "counters.h"

/* Addresses from @first on, up to @end exclusive. */
struct macstats_extent {
	__u64 first;
	__u64 end;
};

MACSTATS_FN bool macstats__overlap(const struct macstats_extent *a, const struct macstats_extent *b)
{
	return a->first < b->end && b->first < a->end;
}

/* Counters, registers and reserved ranges, one after the other. */
MACSTATS_FN unsigned int macstats__extents(const struct macstats_model *model)
{
	return macstats_register_counters(model) + model->n_registers + model->n_reserved;
}

MACSTATS_FN struct macstats_extent macstats__extent_at(const struct macstats_model *model,
						       unsigned int i)
{
	unsigned int n_counters = macstats_register_counters(model);
	struct macstats_extent extent = { 0, 0 };

	if (i < n_counters) {
		extent.first = model->counters[i].offset;
		extent.end = macstats_counter_end(model, &model->counters[i]);
		return extent;
	}
	i -= n_counters;
	if (i < model->n_registers) {
		extent.first = model->registers[i].offset;
		extent.end = extent.first + macstats_word_step(model);
		return extent;
	}
	i -= model->n_registers;
	extent.first = model->reserved[i].first;
	extent.end = (__u64)model->reserved[i].last + 1;
	return extent;
}

/* The first of the extents from @low on that ends behind @address, or @high. They ascend. */
MACSTATS_FN unsigned int macstats__first_behind(const struct macstats_model *model,
						unsigned int low, unsigned int high, __u64 address)
{
	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (macstats__extent_at(model, middle).end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Find the counter, or with @or_register the register, that lies in @range. Return: its name,
 * or "".
 */
MACSTATS_FN const char *macstats__taken_by(const struct macstats_model *model,
					   const struct macstats_extent *range, bool or_register)
{
	unsigned int counters = macstats_register_counters(model);
	unsigned int n = counters + (or_register ? 0u + model->n_registers : 0u);
	unsigned int i = macstats__first_behind(model, 0, counters, range->first);

	if (i == counters || macstats__extent_at(model, i).first >= range->end)
		i = macstats__first_behind(model, counters, n, range->first);
	if (i == n || macstats__extent_at(model, i).first >= range->end)
		return "";
	return i < counters ? model->counters[i].name : model->registers[i - counters].name;
}

/* Check that a high word is one, and lies after the low word that a driver reads. */
MACSTATS_FN bool macstats__is_high_word(const struct macstats_model *model,
					const struct macstats_reserved *reserved)
{
	const struct macstats_counter *counter;
	unsigned int word = 0;
	int i;

	if (reserved->first < macstats_word_step(model) ||
	    reserved->last - reserved->first >= macstats_word_step(model))
		return false;
	i = macstats_counter_at(model, reserved->first - macstats_word_step(model), &word);
	if (i < 0)
		return false;
	counter = &model->counters[i];
	return counter->bits == model->bus_bits && !macstats_may_change(model, counter) &&
	       counter->onwrite == MACSTATS_ONWRITE_NONE && !macstats_may_saturate(model, counter);
}

MACSTATS_FN struct macstats_finding macstats__rules_reserved(const struct macstats_model *model,
							     unsigned int i)
{
	unsigned int first = macstats_register_counters(model) + model->n_registers;
	struct macstats_extent extent = macstats__extent_at(model, first + i);
	const char *other = macstats__taken_by(model, &extent, true);
	unsigned int k;

	if (model->reserved[i].content > MACSTATS_READS_HIGH_WORD)
		return macstats__broken(MACSTATS_RULE_UNKNOWN_VALUE, MACSTATS_PART_RESERVED, i);
	if (model->reserved[i].first > model->reserved[i].last)
		return macstats__broken(MACSTATS_RULE_ORDER, MACSTATS_PART_RESERVED, i);
	if (*other)
		return macstats__collision(MACSTATS_RULE_OVERLAP, MACSTATS_PART_RESERVED, i, other);
	if (model->reserved[i].content == MACSTATS_READS_HIGH_WORD &&
	    !macstats__is_high_word(model, &model->reserved[i]))
		return macstats__broken(MACSTATS_RULE_HIGH_WORD, MACSTATS_PART_RESERVED, i);
	for (k = 0; k < i; k++) {
		struct macstats_extent before = macstats__extent_at(model, first + k);

		if (macstats__overlap(&extent, &before))
			return macstats__collision(MACSTATS_RULE_OVERLAP, MACSTATS_PART_RESERVED, i,
						   "another reserved range");
	}
	return macstats_no_finding;
}

/* High words that lie apart from their low ones have addresses of their own. */
MACSTATS_FN struct macstats_finding macstats__rules_high_word(const struct macstats_model *model,
							      unsigned int index)
{
	const struct macstats_counter *counter = &model->counters[index];
	__u32 at = macstats_word_offset(model, counter, 1);
	struct macstats_extent extent = { at, (__u64)at + macstats_word_step(model) };
	const char *other = macstats__taken_by(model, &extent, true);
	unsigned int i;

	for (i = 0; i < index; i++)
		if (model->counters[i].word_stride &&
		    macstats_word_offset(model, &model->counters[i], 1) == at)
			other = model->counters[i].name;
	for (i = 0; i < model->n_reserved; i++)
		if (at >= model->reserved[i].first && at <= model->reserved[i].last)
			other = "a reserved range";
	if (*other)
		return macstats__collision(MACSTATS_RULE_OVERLAP, MACSTATS_PART_COUNTERS, index,
					   other);
	return macstats_region_at(model, at) < 0 ?
	       macstats__broken(MACSTATS_RULE_NO_SUCH_REGION, MACSTATS_PART_COUNTERS, index) :
	       macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats__rules_overlaps(const struct macstats_model *model)
{
	unsigned int n_counters = macstats_register_counters(model);
	unsigned int i;

	for (i = 0; i < n_counters; i++) {
		struct macstats_finding finding = macstats_no_finding;

		if (model->counters[i].word_stride)
			finding = macstats__rules_high_word(model, i);
		if (finding.rule)
			return finding;
	}
	for (i = 0; i < model->n_registers; i++) {
		struct macstats_extent extent = macstats__extent_at(model, n_counters + i);
		const char *other = macstats__taken_by(model, &extent, false);

		if (*other)
			return macstats__collision(MACSTATS_RULE_OVERLAP, MACSTATS_PART_REGISTERS,
						   i, other);
	}
	for (i = 0; i < model->n_reserved; i++) {
		struct macstats_finding finding = macstats__rules_reserved(model, i);

		if (finding.rule)
			return finding;
	}
	return macstats_no_finding;
}

/* A rule that extent @i breaks. */
MACSTATS_FN struct macstats_finding macstats__broken_by_extent(const struct macstats_model *model,
							       unsigned int i,
							       enum macstats_rule rule)
{
	unsigned int n_counters = macstats_register_counters(model);

	if (i < n_counters)
		return macstats__broken(rule, MACSTATS_PART_COUNTERS, i);
	i -= n_counters;
	if (i < model->n_registers)
		return macstats__broken(rule, MACSTATS_PART_REGISTERS, i);
	return macstats__broken(rule, MACSTATS_PART_RESERVED, i - model->n_registers);
}

MACSTATS_FN struct macstats_finding macstats__rules_region(const struct macstats_model *model,
							   unsigned int i)
{
	const struct macstats_region *region = &model->regions[i];
	const struct macstats_region *before = region;
	unsigned int k;

	if (region->first > region->last)
		return macstats__broken(MACSTATS_RULE_ORDER, MACSTATS_PART_REGIONS, i);
	if (region->first % macstats_word_step(model))
		return macstats__broken(MACSTATS_RULE_ALIGNMENT, MACSTATS_PART_REGIONS, i);
	for (k = 0; k < i; k++) {
		before = &model->regions[k];
		if (macstats__is_same_text(before->name, region->name))
			return macstats__collision(MACSTATS_RULE_NAME_TWICE, MACSTATS_PART_REGIONS,
						   i, before->name);
	}
	if (!i || region->first > before->last)
		return macstats_no_finding;
	return macstats__collision(region->last < before->first ? MACSTATS_RULE_ORDER :
								 MACSTATS_RULE_OVERLAP,
				   MACSTATS_PART_REGIONS, i, before->name);
}

MACSTATS_FN struct macstats_finding macstats__rules_regions(const struct macstats_model *model)
{
	unsigned int i;

	for (i = 0; i < model->n_regions; i++) {
		struct macstats_finding finding = macstats__rules_region(model, i);

		if (finding.rule)
			return finding;
	}
	if (model->n_regions && model->ports > 1)
		return macstats__broken(MACSTATS_RULE_REGION_PORTS, MACSTATS_PART_MODEL, 0);
	for (i = 0; model->n_regions && i < macstats__extents(model); i++) {
		struct macstats_extent one = macstats__extent_at(model, i);
		int region = macstats_region_at(model, (__u32)one.first);

		if (region < 0 || one.end > (__u64)model->regions[region].last + 1)
			return macstats__broken_by_extent(model, i, MACSTATS_RULE_NO_SUCH_REGION);
	}
	return macstats_no_finding;
}

/* The addresses from extent @i of a port to that of the next one. */
MACSTATS_FN __u64 macstats__stride_of(const struct macstats_model *model, unsigned int i)
{
	return i < macstats_register_counters(model) ?
	       macstats__counter_stride(model, &model->counters[i]) : model->port_stride;
}

/* The first address after all ports, counters that lie apart left out. */
MACSTATS_FN __u64 macstats__end_of_ports(const struct macstats_model *model)
{
	unsigned int n = macstats_register_counters(model);
	__u64 end = 0;
	unsigned int i;

	for (i = 0; i < macstats__extents(model); i++) {
		struct macstats_extent one = macstats__extent_at(model, i);
		__u64 last = one.end + (__u64)model->port_stride * (model->ports - 1u);

		if (i < n && model->counters[i].port_stride)
			continue;
		end = last > end ? last : end;
	}
	return end;
}

/* Counters that lie apart from their port: an address there tells the port by their stride. */
MACSTATS_FN struct macstats_finding macstats__rules_apart(const struct macstats_model *model)
{
	unsigned int n = macstats_register_counters(model);
	__u64 end = macstats__end_of_ports(model);
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		__u32 length = macstats_counter_end(model, counter) - counter->offset;

		if (!counter->port_stride)
			continue;
		if (counter->onread != MACSTATS_ONREAD_RCLR || !model->port_stride ||
		    counter->offset < end || length > counter->port_stride)
			return macstats__broken(MACSTATS_RULE_APART, MACSTATS_PART_COUNTERS, i);
	}
	return macstats_no_finding;
}

/* All addresses of port 0, and what lies between. */
MACSTATS_FN struct macstats_extent macstats__span(const struct macstats_model *model)
{
	struct macstats_extent span = macstats__extent_at(model, 0);
	unsigned int n = macstats__extents(model);
	unsigned int i;

	for (i = 1; i < n; i++) {
		struct macstats_extent one = macstats__extent_at(model, i);

		span.first = one.first < span.first ? one.first : span.first;
		span.end = one.end > span.end ? one.end : span.end;
	}
	return span;
}

/* Check whether one of the extents from @low up to @high, which ascend, overlaps @range. */
MACSTATS_FN bool macstats__has_overlap(const struct macstats_model *model, unsigned int low,
				       unsigned int high, const struct macstats_extent *range)
{
	struct macstats_extent one = { 0, 0 };
	unsigned int end = high;

	/* Find the first one that ends after the beginning of the range. */
	while (low < high) {
		unsigned int middle = (low + high) / 2;

		one = macstats__extent_at(model, middle);
		if (one.end <= range->first)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == end)
		return false;
	one = macstats__extent_at(model, low);
	return one.first < range->end;
}

/* Check whether extent @i of @port overlaps one of port 0. */
MACSTATS_FN bool macstats__is_on_first_port(const struct macstats_model *model,
					    const struct macstats_extent *span, unsigned int port,
					    unsigned int i)
{
	struct macstats_extent moved = macstats__extent_at(model, i);
	__u64 shift = macstats__stride_of(model, i) * port;
	unsigned int n_counters = macstats_register_counters(model);
	unsigned int n_ascending = n_counters + model->n_registers;
	unsigned int n = macstats__extents(model);
	unsigned int k;

	/* Ports that interleave are the rare case, and the costly one. */
	if (shift >= span->end - span->first)
		return false;
	moved.first += shift;
	moved.end += shift;
	if (macstats__has_overlap(model, 0, n_counters, &moved) ||
	    macstats__has_overlap(model, n_counters, n_ascending, &moved))
		return true;
	for (k = n_ascending; k < n; k++) {
		struct macstats_extent reserved = macstats__extent_at(model, k);

		if (macstats__overlap(&moved, &reserved))
			return true;
	}
	return false;
}

MACSTATS_FN struct macstats_finding macstats__rules_ports(const struct macstats_model *model)
{
	struct macstats_finding apart = macstats__rules_apart(model);
	struct macstats_extent span = macstats__span(model);
	unsigned int n = macstats__extents(model);
	unsigned int port;
	unsigned int i = 0;

	if (apart.rule)
		return apart;
	if (model->ports > 1 && !model->port_stride)
		return macstats__broken(MACSTATS_RULE_PORT_STRIDE, MACSTATS_PART_MODEL, 0);
	for (port = 1; port < model->ports; port++)
		for (i = 0; i < n; i++)
			if (macstats__is_on_first_port(model, &span, port, i))
				return macstats__broken(MACSTATS_RULE_PORT_STRIDE,
							MACSTATS_PART_MODEL, 0);
	return macstats_no_finding;
}

typedef bool macstats_is_left_out(const struct macstats_model *model, __u32 offset);

/* Check what register dumps leave out; @is_left_out decides it. */
MACSTATS_FN struct macstats_finding macstats__rules_dump_by(const struct macstats_model *model,
							    macstats_is_left_out *is_left_out)
{
	const struct macstats_roles roles = macstats_find_roles(model);
	unsigned int i;
	unsigned int word = 0;

	for (i = 0; i < macstats_register_counters(model); i++) {
		const struct macstats_counter *counter = &model->counters[i];
		bool effects = counter->onread != MACSTATS_ONREAD_NONE || counter->latch ||
			       roles.blocks[counter->block].clear_on_read.mask;

		for (word = 0; word < macstats_words(model, counter); word++) {
			__u32 at = macstats_word_offset(model, counter, word);

			if (is_left_out(model, at) != effects)
				return macstats__broken(effects ? MACSTATS_RULE_DUMPED :
								 MACSTATS_RULE_NOT_DUMPED,
							MACSTATS_PART_COUNTERS, i);
		}
	}
	for (i = 0; i < model->n_registers; i++)
		if (is_left_out(model, model->registers[i].offset))
			return macstats__broken(MACSTATS_RULE_NOT_DUMPED,
						MACSTATS_PART_REGISTERS, i);
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats__rules_dump(const struct macstats_model *model)
{
	return macstats__rules_dump_by(model, macstats_read_is_destructive);
}

#endif /* MACSTATS_RULES_PLACES_H */
