/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The registers on the bus: reads and writes, with their side effects.
 */
#ifndef MACSTATS_EMULATE_REGISTERS_H
#define MACSTATS_EMULATE_REGISTERS_H

#include "counter.h"
#include "settings.h"

/* SplitMix64: any seed will do, and the sequence repeats with it. */
MACSTATS_FN __u64 macstats_random(__u64 *state)
{
	__u64 z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

/* Bits of a register that a write stores. */
MACSTATS_FN __u32 macstats__writable(const struct macstats_register *reg)
{
	unsigned int n = macstats_field_count(reg);
	__u32 mask = 0;
	unsigned int i;

	if (!n)
		return reg->access == MACSTATS_RW ? ~0u : 0u;
	for (i = 0; i < n; i++) {
		const struct macstats_field *field = &reg->fields[i];

		if (field->access == MACSTATS_RW && !field->singlepulse)
			mask |= macstats__field_mask(field);
	}
	return mask;
}

MACSTATS_FN bool macstats__is_absent(const struct macstats_emulator *emu,
				     const struct macstats_register *reg)
{
	return reg->statistics_only &&
	       !macstats_is_built(emu->model, emu->options, reg->block);
}

/*
 * Check whether the counters can be read. If not, a read returns anything and clears nothing.
 */
MACSTATS_FN bool macstats__is_ready(const struct macstats_emulator *emu)
{
	return !(emu->faults & (MACSTATS_FAULT_RESET_IN_PROGRESS | MACSTATS_FAULT_CLOCK_STOPPED));
}

/* Check whether the hardware has a counter; otherwise its register reads as 0. */
MACSTATS_FN bool macstats__has_counter(const struct macstats_emulator *emu,
				       const struct macstats_counter *counter)
{
	return macstats_builds_counter(emu->model, emu->options, counter) &&
	       macstats__stored(emu, &counter->present, 1);
}

/* Check whether a counter has reached the level at which the MAC interrupts. */
MACSTATS_FN bool macstats__half_full(struct macstats_emulator *emu,
				     const struct macstats_cell_set *cell_set)
{
	const struct macstats_model *model = emu->model;
	unsigned int n = model->half_full ? macstats_register_counters(model) : 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		if (macstats__has_counter(emu, &model->counters[i]) &&
		    macstats__live_value(emu, cell_set, i) >= model->half_full)
			return true;
	return false;
}

/* An access to a word of a counter. Return: all of its words, in their places. */
MACSTATS_FN __u64 macstats__read_counter(struct macstats_emulator *emu,
					 const struct macstats_cell_set *cell_set,
					 unsigned int index, unsigned int word)
{
	const struct macstats_counter *counter = &emu->model->counters[index];
	__u64 value = emu->counters[index].captured;

	if (!macstats__has_counter(emu, counter))
		return 0;
	if (emu->armed) {
		MACSTATS_STORE(emu->faults, emu->faults | emu->armed);
		emu->armed = 0;
		macstats__emulator_settings(emu);
	}
	if (!macstats__is_ready(emu))
		return macstats_random(&emu->random);
	/* A counter that latches has its low word first. */
	if (!word || !macstats__latches(emu, counter))
		value = macstats__read_value(emu, cell_set, index,
					     macstats__sum_counter(emu, cell_set, index));
	return value << counter->lsb;
}

/* Read a bus word: that of a counter, and of those after it that share the word. */
MACSTATS_FN __u64 macstats__read_word(struct macstats_emulator *emu,
				      const struct macstats_cell_set *cell_set, unsigned int index,
				      unsigned int word)
{
	__u64 value = 0;

	do
		value |= macstats__read_counter(emu, cell_set, index, word);
	while (macstats_shares_word(emu->model, ++index));
	return value >> (word * emu->model->bus_bits) & macstats_bus_mask(emu->model);
}

/* Read the high word after a counter, which clears both words. */
MACSTATS_FN __u64 macstats__read_high_word(struct macstats_emulator *emu,
					   const struct macstats_cell_set *cell_set, __u32 offset)
{
	const struct macstats_model *model = emu->model;
	unsigned int word = 0;
	int i = macstats_counter_at(model, offset - macstats_word_step(model), &word);
	__u64 value;
	__u64 sum;

	if (i < 0 || !macstats__has_counter(emu, &model->counters[i]))
		return 0;
	sum = macstats__sum_counter(emu, cell_set, (unsigned int)i);
	macstats__settle(emu, cell_set, (unsigned int)i);
	value = (sum - emu->counters[i].base) >> model->counters[i].bits;
	macstats__note_access(emu, (unsigned int)i, sum, 0);
	emu->counters[i].base = sum;
	return value & macstats_bus_mask(model);
}

/* The bit of a block that copies its counters to memory or puts one of them into its window. */
MACSTATS_FN const struct macstats_bit *
macstats__command_of(const struct macstats_block_roles *rule)
{
	return rule->dump.mask ? &rule->dump : &rule->window_start;
}

/* Do that: the counter is the one that the window's index names. */
MACSTATS_FN void macstats__end_command(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set, unsigned int block)
{
	const struct macstats_model *model = emu->model;
	__u32 index = macstats__stored(emu, &emu->roles.blocks[block].window_index, 0);
	__u64 *data = &emu->blocks[block].data;
	unsigned int i = 0;

	emu->blocks[block].requested = false;
	if (emu->roles.blocks[block].dump.mask) {
		macstats__block_freeze(emu, cell_set, block);
		return;
	}
	*data = 0;
	for (i = 0; i < macstats_register_counters(model); i++) {
		const struct macstats_counter *counter = &model->counters[i];

		if (counter->block == block && macstats__window_index(model, counter) == index &&
		    macstats__has_counter(emu, counter))
			*data = macstats__read_value(emu, cell_set, i,
						     macstats__sum_counter(emu, cell_set, i));
	}
}

/* The lowest bits of @value, in the place of @bit. */
MACSTATS_FN __u32 macstats__in_place(const struct macstats_bit *bit, __u64 value)
{
	return (__u32)(value << macstats_bit_shift(bit->mask)) & bit->mask;
}

/* What a register at @offset that holds @value reads, if it has a command or data of a block. */
MACSTATS_FN __u32 macstats__read_command(struct macstats_emulator *emu,
					 const struct macstats_cell_set *cell_set,
					 unsigned int index, __u32 offset, __u32 value)
{
	const struct macstats_block_roles *rule = &emu->roles.blocks[index];
	const struct macstats_bit *command = macstats__command_of(rule);
	struct macstats_emulated_block *block = &emu->blocks[index];
	unsigned int low_bits = macstats__mask_bits(rule->window_low.mask);

	if (command->mask && command->offset == offset) {
		if (block->requested && !(emu->faults & MACSTATS_FAULT_SNAPSHOT_STUCK)) {
			if (block->looks)
				block->looks--;
			else
				macstats__end_command(emu, cell_set, index);
		}
		value = block->requested ? value | command->mask : value & ~command->mask;
	}
	if (rule->window_low.offset == offset)
		value |= macstats__in_place(&rule->window_low, block->data);
	if (rule->window_high.offset == offset)
		value |= macstats__in_place(&rule->window_high, block->data >> low_bits);
	return value;
}

MACSTATS_FN __u32 macstats__read_register(struct macstats_emulator *emu,
					  const struct macstats_cell_set *cell_set,
					  unsigned int index)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_roles *roles = &emu->roles;
	const struct macstats_register *reg = &model->registers[index];
	__u32 value = emu->registers[index];
	unsigned int i;

	if (macstats__is_absent(emu, reg))
		return 0;
	if (roles->busy.offset == reg->offset && (emu->faults & MACSTATS_FAULT_RESET_IN_PROGRESS))
		value |= roles->busy.mask;
	if (roles->gate.mask && roles->gate.offset == reg->offset &&
	    (emu->faults & MACSTATS_FAULT_GATE_CLOSES))
		value &= ~roles->gate.mask;
	if (roles->half_full.mask && roles->half_full.offset == reg->offset &&
	    macstats__stored(emu, &roles->half_full_enable, 1) &&
	    macstats__half_full(emu, cell_set))
		value |= roles->half_full.mask;
	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_block_roles *rule = &roles->blocks[i];
		struct macstats_emulated_block *block = &emu->blocks[i];

		if (!macstats_is_built(model, emu->options, i))
			continue;
		if (rule->snapshot_granted.mask && rule->snapshot_granted.offset == reg->offset) {
			if (block->requested && !block->granted &&
			    !(emu->faults & MACSTATS_FAULT_SNAPSHOT_STUCK)) {
				if (block->looks)
					block->looks--;
				else
					macstats__block_freeze(emu, cell_set, i);
			}
			if (block->granted ||
			    (model->blocks[i].grant_leads && block->requested && !block->looks &&
			     !(emu->faults & MACSTATS_FAULT_SNAPSHOT_STUCK)))
				value |= rule->snapshot_granted.mask;
		}
		value = macstats__read_command(emu, cell_set, i, reg->offset, value);
		if (rule->parity_error.offset == reg->offset && block->parity_error)
			value |= rule->parity_error.mask;
	}
	return value;
}

/* The side effects that a write of @value to the register at @offset has on a block. */
MACSTATS_FN void macstats__write_block(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set, unsigned int index,
				       __u32 offset, __u32 value)
{
	const struct macstats_block_roles *rule = &emu->roles.blocks[index];
	const struct macstats_bit *command = macstats__command_of(rule);
	struct macstats_emulated_block *block = &emu->blocks[index];

	if (!macstats_is_built(emu->model, emu->options, index))
		return;
	macstats__switch_block(emu, cell_set, index);
	if (rule->clear.offset == offset && (value & rule->clear.mask))
		macstats__block_clear(emu, cell_set, index);
	if (rule->increment.offset == offset && (value & rule->increment.mask))
		macstats__block_increment(emu, cell_set, index);
	if (rule->parity_clear.offset == offset && (value & rule->parity_clear.mask))
		block->parity_error = false;
	if (rule->snapshot_request.mask && rule->snapshot_request.offset == offset) {
		bool requested = value & rule->snapshot_request.mask;

		if (requested && !block->requested) {
			block->looks = emu->faults & MACSTATS_FAULT_SNAPSHOT_SLOW ? 2 : 0;
			if (!(emu->faults & (MACSTATS_FAULT_SNAPSHOT_SLOW |
					     MACSTATS_FAULT_SNAPSHOT_STUCK)))
				macstats__block_freeze(emu, cell_set, index);
		}
		if (!requested)
			block->granted = false;
		block->requested = requested;
	}
	if (command->offset == offset && (value & command->mask)) {
		block->requested = true;
		block->looks = emu->faults & MACSTATS_FAULT_SNAPSHOT_SLOW ? 2 : 0;
		if (!(emu->faults & (MACSTATS_FAULT_SNAPSHOT_SLOW | MACSTATS_FAULT_SNAPSHOT_STUCK)))
			macstats__end_command(emu, cell_set, index);
	}
}

/* Store @value in one bus word of a counter; what the other words hold stays. */
MACSTATS_FN void macstats__store_counter(struct macstats_emulator *emu,
					 const struct macstats_cell_set *cell_set,
					 unsigned int index, unsigned int word, __u64 value)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_counter *counter = &model->counters[index];
	__u64 mask = macstats_bus_mask(model) << (word * model->bus_bits);
	__u64 sum = macstats__sum_counter(emu, cell_set, index);
	__u64 now = macstats__shown(emu, counter, sum - emu->counters[index].base);

	now = (now << counter->lsb & ~mask) | (value << (word * model->bus_bits) & mask);
	now = now >> counter->lsb & macstats_bits_mask(counter->bits);
	macstats__note_access(emu, index, sum, now);
	emu->counters[index].base = sum - now;
}

MACSTATS_FN void macstats__write_counter(struct macstats_emulator *emu,
					 const struct macstats_cell_set *cell_set,
					 unsigned int index, unsigned int word, __u64 value)
{
	const struct macstats_counter *counter = &emu->model->counters[index];
	__u64 left = value;
	__u64 sum;

	if (!macstats__has_counter(emu, counter))
		return;
	if (macstats__stored(emu, &emu->roles.blocks[counter->block].write_enable, 0)) {
		macstats__store_counter(emu, cell_set, index, word, value);
		return;
	}
	if (counter->onwrite != MACSTATS_ONWRITE_DECREMENT)
		return;
	/* One sum for both: frames are counted meanwhile, and that must not get lost. */
	sum = macstats__sum_counter(emu, cell_set, index);
	if (macstats__gate_is_open(emu)) {
		__u64 now = macstats__shown(emu, counter, sum - emu->counters[index].base);

		left = value < now ? now - value : 0;
	}
	macstats__note_access(emu, index, sum, left & macstats_bits_mask(counter->bits));
	emu->counters[index].base = sum - left;
}

/* Check whether MACSTATS_FAULT_BUS_ERROR_AT hits this word of the counters. */
MACSTATS_FN bool macstats__word_fails(const struct macstats_emulator *emu, unsigned int index,
				      unsigned int word)
{
	return (emu->faults & MACSTATS_FAULT_BUS_ERROR_AT) &&
	       macstats__words_before(emu->model, index) + word == emu->bus_error_word;
}

/* The same for data registers at @offset of a window, which show the counter with its index. */
MACSTATS_FN bool macstats__data_fails(const struct macstats_emulator *emu, __u32 offset)
{
	const struct macstats_model *model = emu->model;
	unsigned int i = 0;

	for (i = 0; i < macstats_register_counters(model); i++) {
		const struct macstats_counter *counter = &model->counters[i];
		const struct macstats_block_roles *rule = &emu->roles.blocks[counter->block];

		if (macstats__is_windowed(model, counter) && macstats__word_fails(emu, i, 0) &&
		    (rule->window_low.offset == offset || rule->window_high.offset == offset))
			return macstats__window_index(model, counter) ==
			       macstats__stored(emu, &rule->window_index, 0);
	}
	return false;
}

/*
 * Check whether nothing answers on the bus, so that reads give all-ones and writes are lost.
 */
MACSTATS_FN bool macstats__is_silent(const struct macstats_emulator *emu)
{
	return (emu->faults & MACSTATS_FAULT_UNPLUG) || !macstats__has_power(emu);
}

/*
 * One bus read at @offset, with its side effects. -EIO: the bus failed;
 * -ENXIO: nothing answers there.
 */
MACSTATS_FN int macstats_emulator_read(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set, __u32 offset,
				       __u64 *value)
{
	const struct macstats_model *model = emu->model;
	unsigned int word = 0;
	int i;

	if (emu->faults & MACSTATS_FAULT_BUS_ERROR)
		return -EIO;
	if (macstats__is_silent(emu)) {
		*value = macstats_bus_mask(model);
		return 0;
	}
	/* Registers first: most words of counters are read in blocks, and not here. */
	i = macstats_register_at(model, offset);
	if (i >= 0) {
		if ((emu->faults & MACSTATS_FAULT_BUS_ERROR_AT) &&
		    macstats__data_fails(emu, offset))
			return -EIO;
		*value = macstats__read_register(emu, cell_set, (unsigned int)i);
		return 0;
	}
	i = macstats__counter_near(model, offset, emu->last_read, &word);
	if (i >= 0) {
		emu->last_read = (__u16)i;
		if (macstats__word_fails(emu, (unsigned int)i, word))
			return -EIO;
		*value = macstats__read_word(emu, cell_set, (unsigned int)i, word);
		return 0;
	}
	i = macstats_reserved_at(model, offset);
	if (i >= 0) {
		*value = 0;
		if (model->reserved[i].content == MACSTATS_READS_RANDOM)
			*value = macstats_random(&emu->random) & macstats_bus_mask(model);
		if (model->reserved[i].content == MACSTATS_READS_HIGH_WORD)
			*value = macstats__read_high_word(emu, cell_set, offset);
		return 0;
	}
	return -ENXIO;
}

/*
 * One access of 64 bits, to both words of a counter at @offset. Errors as above; -ENXIO for all
 * else, and for hardware without such accesses.
 */
MACSTATS_FN int macstats_emulator_read64(struct macstats_emulator *emu,
					 const struct macstats_cell_set *cell_set, __u32 offset,
					 __u64 *value)
{
	const struct macstats_model *model = emu->model;
	unsigned int word = 0;
	int i = macstats__counter_near(model, offset, emu->last_read, &word);
	unsigned int index = i < 0 ? 0 : (unsigned int)i;

	if (emu->faults & MACSTATS_FAULT_BUS_ERROR)
		return -EIO;
	if (!model->read64 || i < 0 || word || !model->counters[index].reread)
		return -ENXIO;
	if (macstats__is_silent(emu)) {
		*value = ~0ull;
		return 0;
	}
	emu->last_read = (__u16)index;
	if (macstats__word_fails(emu, index, 0) || macstats__word_fails(emu, index, 1))
		return -EIO;
	*value = macstats__read_counter(emu, cell_set, index, 0);
	return 0;
}

/*
 * The number of bus words that one look at a counter at @offset can fill: those of a whole counter
 * whose words do not depend on each other, while there are no faults. 0: an access for each.
 */
MACSTATS_FN unsigned int macstats__words_at_once(const struct macstats_emulator *emu,
						 unsigned int index, __u32 offset)
{
	const struct macstats_counter *counter = &emu->model->counters[index];
	unsigned int words = macstats_words(emu->model, counter);

	if ((emu->faults | emu->armed) || counter->offset != offset || counter->word_stride ||
	    (words > 1 && macstats__latches(emu, counter)))
		return 0;
	return words;
}

/* Read a whole counter, whose cells are summed. @values: its @n words. */
MACSTATS_FN void macstats__read_at_once(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set,
					unsigned int index, __u64 *values, unsigned int n)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_counter *counter = &model->counters[index];
	__u64 mask = macstats_bus_mask(model);
	__u64 value = 0;
	unsigned int i;

	if (macstats__has_counter(emu, counter))
		value = macstats__read_value(emu, cell_set, index, emu->counters[index].sum);
	value <<= counter->lsb;
	for (i = 0; i < n; i++)
		values[i] = value >> (i * model->bus_bits) & mask;
}

/*
 * Read @words adjacent bus words from @offset on, like @words calls of macstats_emulator_read()
 * in one moment. @done becomes the number of words that were read. Errors as above.
 */
MACSTATS_FN int macstats_emulator_read_block(struct macstats_emulator *emu,
					     const struct macstats_cell_set *cell_set,
					     __u32 offset, __u64 *values, unsigned int words,
					     unsigned int *done)
{
	const struct macstats_model *model = emu->model;
	unsigned int n = macstats_register_counters(model);
	__u32 step = macstats_word_step(model);
	unsigned int word = 0;
	int i = macstats__counter_near(model, offset, emu->last_read, &word);
	unsigned int index = i < 0 ? n : (unsigned int)i;

	macstats__sum_cells(emu, cell_set);
	*done = 0;
	while (*done < words) {
		unsigned int each = index < n ? macstats__words_at_once(emu, index, offset) : 0;
		int err = 0;

		if (each && each <= words - *done) {
			emu->last_read = (__u16)index;
			macstats__read_at_once(emu, cell_set, index, &values[*done], each);
			while (macstats_shares_word(model, ++index)) {
				__u64 more = 0;

				macstats__read_at_once(emu, cell_set, index, &more, 1);
				values[*done] |= more;
			}
			offset += each * step;
			*done += each;
			continue;
		}
		err = macstats_emulator_read(emu, cell_set, offset, &values[*done]);
		if (err)
			return err;
		++*done;
		offset += step;
		while (index < n && offset >= macstats_counter_end(model, &model->counters[index]))
			index++;
	}
	return 0;
}

/*
 * One bus write. Counters, reserved addresses and read-only bits ignore it where
 * the model gives it no meaning. Errors as above.
 */
MACSTATS_FN int macstats_emulator_write(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set, __u32 offset,
					__u64 value)
{
	const struct macstats_model *model = emu->model;
	const struct macstats_register *reg;
	unsigned int word = 0;
	__u32 writable;
	unsigned int block;
	int i;

	if (emu->faults & MACSTATS_FAULT_BUS_ERROR)
		return -EIO;
	if (macstats__is_silent(emu))
		return 0;
	i = macstats_register_at(model, offset);
	if (i < 0) {
		i = macstats_counter_at(model, offset, &word);
		if (i < 0)
			return macstats_reserved_at(model, offset) >= 0 ? 0 : -ENXIO;
		do {
			macstats__write_counter(emu, cell_set, (unsigned int)i, word, value);
			i++;
		} while (macstats_shares_word(model, (unsigned int)i));
		return 0;
	}

	reg = &model->registers[i];
	if (reg->access == MACSTATS_RO || macstats__is_absent(emu, reg))
		return 0;
	writable = macstats__writable(reg);
	emu->registers[i] = (emu->registers[i] & ~writable) | ((__u32)value & writable);
	for (block = 0; block < model->n_blocks; block++)
		macstats__write_block(emu, cell_set, block, offset, (__u32)value);
	macstats__emulator_settings(emu);
	return 0;
}

/*
 * Change the bits of @mask in the register at @offset to those of @value: one access
 * that nothing divides, with the side effects of the write. Errors as above.
 */
MACSTATS_FN int macstats_emulator_update(struct macstats_emulator *emu,
					 const struct macstats_cell_set *cell_set, __u32 offset,
					 __u32 mask, __u32 value)
{
	__u64 old = 0;
	int err = macstats_emulator_read(emu, cell_set, offset, &old);

	if (err)
		return err;
	return macstats_emulator_write(emu, cell_set, offset,
				       (old & ~(__u64)mask) | (value & mask));
}

/* Reads and writes of anybody but the owner of the counts. Errors as above. */
MACSTATS_FN int macstats_foreign_read(struct macstats_emulator *emu,
				      const struct macstats_cell_set *cell_set, __u32 offset,
				      __u64 *value)
{
	int err;

	emu->foreign = true;
	err = macstats_emulator_read(emu, cell_set, offset, value);
	emu->foreign = false;
	return err;
}

MACSTATS_FN int macstats_foreign_write(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set, __u32 offset,
				       __u64 value)
{
	int err;

	emu->foreign = true;
	err = macstats_emulator_write(emu, cell_set, offset, value);
	emu->foreign = false;
	return err;
}

#endif /* MACSTATS_EMULATE_REGISTERS_H */
