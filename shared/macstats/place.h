/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Where the words of a counter are, and what is at an address.
 */
#ifndef MACSTATS_PLACE_H
#define MACSTATS_PLACE_H

#include "arithmetic.h"
#include "schema.h"

/* Bus words of a counter. */
MACSTATS_FN unsigned int macstats_words(const struct macstats_model *model,
					const struct macstats_counter *counter)
{
	return (counter->bits + model->bus_bits - 1u) / model->bus_bits;
}

/* Check for a software counter, which descriptors feed. These rows come last. */
MACSTATS_FN bool macstats_is_software_counter(const struct macstats_counter *counter)
{
	return counter->status.mask;
}

/* Check whether a counter lies in the same bus word as the one before it. */
MACSTATS_FN bool macstats_shares_word(const struct macstats_model *model, unsigned int index)
{
	const struct macstats_counter *counter = &model->counters[index];

	return index && index < model->n_counters && counter->offset == counter[-1].offset &&
	       !macstats_is_software_counter(counter);
}

/* Bus words of the counters before one, all of which are registers. */
MACSTATS_FN unsigned int macstats__words_before(const struct macstats_model *model,
						unsigned int index)
{
	unsigned int words = 0;
	unsigned int i;

	for (i = 0; i < index; i++)
		if (!macstats_shares_word(model, i))
			words += macstats_words(model, &model->counters[i]);
	return words;
}

/* Addresses from one bus word to the next. */
MACSTATS_FN __u32 macstats_word_step(const struct macstats_model *model)
{
	return model->bus_bits > model->address_unit_bits ?
	       (__u32)(model->bus_bits / model->address_unit_bits) : 1u;
}

/* The offset of a bus word of a counter; @word is its index, the low word first. */
MACSTATS_FN __u32 macstats_word_offset(const struct macstats_model *model,
				       const struct macstats_counter *counter, unsigned int word)
{
	return counter->offset + word * (counter->word_stride ? counter->word_stride :
								macstats_word_step(model));
}

/* The first address after a counter, or after its low word if the high one lies apart. */
MACSTATS_FN __u32 macstats_counter_end(const struct macstats_model *model,
				       const struct macstats_counter *counter)
{
	unsigned int adjacent = counter->word_stride ? 1 : macstats_words(model, counter);

	return counter->offset + adjacent * macstats_word_step(model);
}

/* The directions with which the name of a counter begins: rx_, tx_ or rxtx_. */
MACSTATS_FN __u8 macstats_named_direction(const struct macstats_counter *counter)
{
	const char *name = counter->name;

	if (name[0] != 'r')
		return MACSTATS_TX;
	return name[1] == 'x' && name[2] == 't' ? MACSTATS_RX | MACSTATS_TX : MACSTATS_RX;
}

/*
 * The address of a counter in a device, for the port whose base is @base. Most lie after the
 * base; those with a stride of their own are apart, side by side with those of other ports.
 */
MACSTATS_FN __u32 macstats_counter_address(const struct macstats_model *model,
					   const struct macstats_counter *counter, __u32 base)
{
	if (!counter->port_stride)
		return base + counter->offset;
	return counter->offset + base / model->port_stride * counter->port_stride;
}

/* The number of counters that are registers. Called at each access to one of them. */
MACSTATS_FN unsigned int macstats_register_counters(const struct macstats_model *model)
{
	unsigned int low = 0;
	unsigned int high = model->n_counters;

	if (!high || !macstats_is_software_counter(&model->counters[high - 1]))
		return high;
	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (macstats_is_software_counter(&model->counters[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/*
 * Find the port that an address of a device belongs to. Return: its index; @address becomes the
 * address of the same register in port 0.
 */
MACSTATS_FN unsigned int macstats_port_of(const struct macstats_model *model, __u32 *address)
{
	unsigned int i = 0;
	unsigned int port = 0;

	if (!model->port_stride)
		return 0;
	/* Counters that are apart come after the others, and before those of descriptors. */
	i = macstats_register_counters(model);
	while (i-- && model->counters[i].port_stride) {
		const struct macstats_counter *counter = &model->counters[i];
		__u32 behind = *address - counter->offset;

		if (*address >= counter->offset &&
		    behind < model->ports * counter->port_stride) {
			*address -= behind / counter->port_stride * counter->port_stride;
			return behind / counter->port_stride;
		}
	}
	port = *address / model->port_stride;
	*address -= port * model->port_stride;
	return port;
}

/* The bits of a bus word. */
MACSTATS_FN __u64 macstats_bus_mask(const struct macstats_model *model)
{
	return (1ull << model->bus_bits) - 1;
}

/* The register at @offset, or -1. */
MACSTATS_FN int macstats_register_at(const struct macstats_model *model, __u32 offset)
{
	unsigned int low = 0;
	unsigned int high = model->n_registers;

	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (offset < model->registers[middle].offset)
			high = middle;
		else if (offset > model->registers[middle].offset)
			low = middle + 1;
		else
			return (int)middle;
	}
	return -1;
}

/* Bus words of all counters that are registers. */
MACSTATS_FN unsigned int macstats_counter_words(const struct macstats_model *model)
{
	return macstats__words_before(model, macstats_register_counters(model));
}

/* Check whether a counter has no address, but an index in a window: see feature/window.h. */
MACSTATS_FN bool macstats__is_windowed(const struct macstats_model *model,
				       const struct macstats_counter *counter)
{
	return model->blocks[counter->block].window;
}

MACSTATS_FN __u32 macstats__window_index(const struct macstats_model *model,
					 const struct macstats_counter *counter)
{
	return (counter->offset - model->blocks[counter->block].window) / macstats_word_step(model);
}

/*
 * Find the counter at @offset, the first one of those that share its word; the search begins with
 * the counters @near, which is a register, and @near + 1. Return: its index, or -1, also for a
 * counter behind a window; @word becomes the index of the bus word.
 */
MACSTATS_FN int macstats__counter_near(const struct macstats_model *model, __u32 offset,
				       unsigned int near, unsigned int *word)
{
	unsigned int low = 0;
	unsigned int high = macstats_register_counters(model);
	unsigned int look = near;

	while (low < high) {
		const struct macstats_counter *counter = &model->counters[look];

		if (offset < counter->offset) {
			high = look;
		} else if (offset >= macstats_counter_end(model, counter)) {
			low = look + 1;
		} else {
			__u32 step = macstats_word_step(model);

			*word = (offset - counter->offset) / step;
			while (macstats_shares_word(model, look))
				look--;
			return (offset - counter->offset) % step ||
			       macstats__is_windowed(model, counter) ? -1 : (int)look;
		}
		look = low == near + 1 ? low : (low + high) / 2;
	}
	for (look = macstats_register_counters(model); look--;)
		if (model->counters[look].word_stride &&
		    macstats_word_offset(model, &model->counters[look], 1) == offset) {
			*word = 1;
			return (int)look;
		}
	return -1;
}

/* The same for callers without such a counter. */
MACSTATS_FN int macstats_counter_at(const struct macstats_model *model, __u32 offset,
				    unsigned int *word)
{
	return macstats__counter_near(model, offset, macstats_register_counters(model) / 2, word);
}

/* The reserved range that holds @offset, or -1. */
MACSTATS_FN int macstats_reserved_at(const struct macstats_model *model, __u32 offset)
{
	unsigned int i;

	for (i = 0; i < model->n_reserved; i++) {
		const struct macstats_reserved *reserved = &model->reserved[i];

		if (offset >= reserved->first && offset <= reserved->last)
			return (offset - reserved->first) % macstats_word_step(model) ?
			       -1 : (int)i;
	}
	return -1;
}

/* The region that holds @address, or -1. Without regions, it is the first one. */
MACSTATS_FN int macstats_region_at(const struct macstats_model *model, __u32 address)
{
	unsigned int i;

	if (!model->n_regions)
		return 0;
	for (i = 0; i < model->n_regions; i++)
		if (address >= model->regions[i].first && address <= model->regions[i].last)
			return (int)i;
	return -1;
}

/* Check whether each read changes this counter, so that no read of it can be repeated. */
MACSTATS_FN bool macstats__is_destructive(const struct macstats_counter *counter)
{
	return counter->onread != MACSTATS_ONREAD_NONE || counter->latch;
}

MACSTATS_FN bool macstats_is_same_bit(const struct macstats_bit *a, const struct macstats_bit *b)
{
	return a->offset == b->offset && a->mask == b->mask;
}

/* What bits of a register hold after a reset, in their places in the register. */
MACSTATS_FN __u32 macstats_reset_bits(const struct macstats_model *model,
				      const struct macstats_bit *bit)
{
	int at = macstats_register_at(model, bit->offset);

	return at < 0 ? 0u : model->registers[at].reset & bit->mask;
}

/* The fields of a register. */
MACSTATS_FN unsigned int macstats_field_count(const struct macstats_register *reg)
{
	unsigned int n = 0;

	while (n < MACSTATS_MAX_FIELDS && reg->fields[n].bits)
		n++;
	return n;
}

MACSTATS_FN __u32 macstats__field_mask(const struct macstats_field *field)
{
	return (__u32)(macstats_bits_mask(field->bits) << field->lsb);
}

#endif /* MACSTATS_PLACE_H */
