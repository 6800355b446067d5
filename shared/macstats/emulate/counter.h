/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The values of counters. A value is the sum of the cells that a row counts, less the counter's
 * base. All side effects are moves of bases: a clear moves the base to the present sum, a decrement
 * adds to it, a preset puts it where the value comes out.
 */
#ifndef MACSTATS_EMULATE_COUNTER_H
#define MACSTATS_EMULATE_COUNTER_H

#include "cells.h"
#include "settings.h"

/* The value that a counter shows after @events events since its base. */
MACSTATS_FN __u64 macstats__shown(const struct macstats_emulator *emu,
				  const struct macstats_counter *counter, __u64 events)
{
	__u64 mask = macstats_bits_mask(counter->bits);

	if (macstats__saturates(emu, counter))
		return events < mask ? events : mask;
	return events & mask;
}

/* A counter's value now, whatever a snapshot shows. */
MACSTATS_FN __u64 macstats__live_value(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set, unsigned int index)
{
	__u64 sum = macstats__sum_counter(emu, cell_set, index);

	return macstats__shown(emu, &emu->model->counters[index],
			       sum - emu->counters[index].base);
}

/* Note that an access moves a counter, whose cells have @sum, to @value. */
MACSTATS_FN void macstats__note_access(struct macstats_emulator *emu, unsigned int index,
				       __u64 sum, __u64 value)
{
	struct macstats_emulated_counter *state = &emu->counters[index];
	const struct macstats_counter *counter = &emu->model->counters[index];
	__u64 mask = macstats_bits_mask(counter->bits);
	__u64 now;

	if (!state->preset)
		return;
	now = macstats__shown(emu, counter, sum - state->base);
	/* What was counted since the preset is theirs to take. */
	if (emu->foreign && ((now - value) & mask) > ((now - state->preset_to) & mask))
		state->lowered = true;
	if (!emu->foreign || state->lowered)
		state->preset = false;
}

/* Let a counter hold @value now. Returns what it held until then. */
MACSTATS_FN __u64 macstats__set_counter(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set,
					unsigned int index, __u64 value)
{
	__u64 sum = macstats__sum_counter(emu, cell_set, index);
	__u64 held;

	macstats__settle(emu, cell_set, index);
	macstats__note_access(emu, index, sum, value);
	held = macstats__shown(emu, &emu->model->counters[index],
			       sum - emu->counters[index].base);
	emu->counters[index].base = sum - value;
	return held;
}

/*
 * The same for a user: no count falls between the two values, though counting goes on. A snapshot
 * or a latch goes on showing what it has caught, and what is not shown before good frames came is
 * still to be shown, on top of @value.
 */
MACSTATS_FN __u64 macstats_emulator_preset(struct macstats_emulator *emu,
					   const struct macstats_cell_set *cell_set,
					   unsigned int index, __u64 value)
{
	struct macstats_emulated_counter *state = &emu->counters[index];
	__u64 held = macstats__set_counter(emu, cell_set, index, value);

	state->preset_to = value;
	state->preset = true;
	return held;
}

/* For macstats_bus.lowered. */
MACSTATS_FN bool macstats_emulator_lowered(struct macstats_emulator *emu, unsigned int index)
{
	struct macstats_emulated_counter *state = &emu->counters[index];
	bool lowered = state->lowered;

	state->lowered = false;
	return lowered;
}

MACSTATS_FN void macstats__block_clear(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set, unsigned int block)
{
	unsigned int i;

	macstats__sum_cells(emu, cell_set);
	for (i = 0; i < emu->model->n_counters; i++)
		if (emu->model->counters[i].block == block) {
			macstats__note_access(emu, i, emu->counters[i].sum, 0);
			emu->counters[i].base = emu->counters[i].sum;
			emu->counters[i].pending = 0;
		}
	if (emu->model->blocks[block].clear_clears_parity)
		emu->blocks[block].parity_error = false;
}

MACSTATS_FN void macstats__block_freeze(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set,
					unsigned int block)
{
	unsigned int i;

	macstats__sum_cells(emu, cell_set);
	for (i = 0; i < emu->model->n_counters; i++) {
		struct macstats_emulated_counter *state = &emu->counters[i];

		if (emu->model->counters[i].block == block)
			state->captured = macstats__shown(emu, &emu->model->counters[i],
							  state->sum - state->base);
	}
	emu->blocks[block].granted = true;
}

/* Check whether a read clears a counter now. */
MACSTATS_FN bool macstats__is_cleared(const struct macstats_emulator *emu,
				      const struct macstats_counter *counter)
{
	return counter->onread == MACSTATS_ONREAD_RCLR || emu->blocks[counter->block].clears;
}

/* Check whether a read of its low word holds the others: one that clears it must. */
MACSTATS_FN bool macstats__latches(const struct macstats_emulator *emu,
				   const struct macstats_counter *counter)
{
	return counter->latch || emu->blocks[counter->block].clears;
}

/*
 * Read a counter, whose cells have @sum, with the side effects of a read. The hardware is ready.
 */
MACSTATS_FN __u64 macstats__read_value(struct macstats_emulator *emu,
				       const struct macstats_cell_set *cell_set,
				       unsigned int index, __u64 sum)
{
	const struct macstats_counter *counter = &emu->model->counters[index];
	struct macstats_emulated_counter *state = &emu->counters[index];
	__u64 value;

	if (emu->blocks[counter->block].granted || emu->roles.blocks[counter->block].dump.mask)
		return state->captured;
	macstats__settle(emu, cell_set, index);
	value = macstats__shown(emu, counter, sum - state->base);
	if (macstats__latches(emu, counter))
		state->captured = value;
	if (macstats__is_cleared(emu, counter)) {
		macstats__note_access(emu, index, sum, 0);
		state->base = sum;
	}
	return value;
}

/* Add 1 to each register of a block, whatever it counts; a saturated one stays as it is. */
MACSTATS_FN void macstats__block_increment(struct macstats_emulator *emu,
					   const struct macstats_cell_set *cell_set,
					   unsigned int block)
{
	const struct macstats_model *model = emu->model;
	unsigned int i = 0;

	for (i = 0; i < macstats_register_counters(model); i++) {
		const struct macstats_counter *counter = &model->counters[i];

		if (counter->block == block &&
		    (!macstats__saturates(emu, counter) ||
		     macstats__live_value(emu, cell_set, i) != macstats_bits_mask(counter->bits)))
			emu->counters[i].base--;
	}
}

/* Let the counters of a block count, or stay as they are, from now on. */
MACSTATS_FN void macstats__block_hold_still(struct macstats_emulator *emu,
					    const struct macstats_cell_set *cell_set,
					    unsigned int block, bool still)
{
	unsigned int i;

	emu->blocks[block].still = false;
	macstats__sum_again(emu, cell_set);
	for (i = 0; i < emu->model->n_counters; i++) {
		struct macstats_emulated_counter *state = &emu->counters[i];

		if (emu->model->counters[i].block != block)
			continue;
		if (still)
			state->still = state->sum;
		else
			state->base += state->sum - state->still;
	}
	emu->blocks[block].still = still;
}

/* Let the counters of a block stay at their maximum, or roll over, from what they hold now. */
MACSTATS_FN void macstats__block_saturate(struct macstats_emulator *emu,
					  const struct macstats_cell_set *cell_set,
					  unsigned int block, bool saturates)
{
	unsigned int i;

	macstats__sum_cells(emu, cell_set);
	for (i = 0; i < emu->model->n_counters; i++) {
		struct macstats_emulated_counter *state = &emu->counters[i];
		const struct macstats_counter *counter = &emu->model->counters[i];

		if (counter->block == block)
			state->base = state->sum -
				      macstats__shown(emu, counter, state->sum - state->base);
	}
	emu->blocks[block].saturates = saturates;
}

/* Follow the bits of a register that switch how the counters of a block behave. */
MACSTATS_FN void macstats__switch_block(struct macstats_emulator *emu,
					const struct macstats_cell_set *cell_set,
					unsigned int block)
{
	const struct macstats_block_roles *of = &emu->roles.blocks[block];
	bool saturates = macstats__stored(emu, &of->saturate, 0);
	bool still = macstats__stored(emu, &of->freeze, 0);

	emu->blocks[block].clears = macstats__stored(emu, &of->clear_on_read, 0);
	if (saturates != emu->blocks[block].saturates)
		macstats__block_saturate(emu, cell_set, block, saturates);
	if (still != emu->blocks[block].still)
		macstats__block_hold_still(emu, cell_set, block, still);
}

#endif /* MACSTATS_EMULATE_COUNTER_H */
