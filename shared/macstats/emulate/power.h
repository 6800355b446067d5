/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Power: a port is switched on, or restarts.
 */
#ifndef MACSTATS_EMULATE_POWER_H
#define MACSTATS_EMULATE_POWER_H

#include "registers.h"

/*
 * Give the registers their reset values and the counters what they hold after
 * power-up: 0 or, with random_power_up, anything, as the parity bits. Frames may be
 * counted meanwhile.
 */
MACSTATS_FN void macstats__emulator_restart(struct macstats_emulator *emu,
					    const struct macstats_cell_set *cell_set)
{
	const struct macstats_model *model = emu->model;
	bool random = emu->random_power_up;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_BLOCKS; i++) {
		struct macstats_emulated_block *block = &emu->blocks[i];

		block->requested = false;
		block->granted = false;
		block->looks = 0;
		block->data = 0;
		block->parity_error = random && i < model->n_blocks &&
				      emu->roles.blocks[i].parity_error.mask &&
				      (macstats_random(&emu->random) & 1) &&
				      macstats_is_built(model, emu->options, i);
	}
	for (i = 0; i < model->n_registers; i++)
		emu->registers[i] = model->registers[i].reset;
	for (i = 0; i < model->n_blocks; i++)
		macstats__switch_block(emu, cell_set, i);
	for (i = 0; i < model->n_counters; i++) {
		__u64 value = random ? macstats_random(&emu->random) : 0;

		/* More than its width would fill up a saturating counter. */
		value &= macstats_bits_mask(model->counters[i].bits);
		emu->counters[i].pending = 0;
		macstats__set_counter(emu, cell_set, i, value);
		emu->counters[i].captured = 0;
	}
	macstats__emulator_settings(emu);
}

/*
 * Build a port with these options, and switch its power on. The cells, which may have been those of
 * another port, must not be in use.
 */
MACSTATS_FN void macstats_emulator_power_up(struct macstats_emulator *emu,
					    const struct macstats_model *model,
					    const struct macstats_cell_set *cell_set,
					    unsigned int options, bool random, __u64 seed)
{
	struct macstats_settings first = MACSTATS_NO_SETTINGS;
	const struct macstats_sums none = { 0, 0, 0, 0 };
	unsigned int cell = 0;
	unsigned int i;

#ifdef __KERNEL__
	seqcount_init(&emu->settings_seq);
#endif
	emu->model = model;
	emu->roles = macstats_find_roles(model);
	emu->options = (__u16)options;
	emu->random_power_up = random;
	emu->tag_allowance = model->tag_over_max ? MACSTATS_TAG_LEN : 0;
	for (i = 0; i < MACSTATS_OCTAVES; i++)
		emu->first_size[i] = (__u8)macstats__size_class(&model->sizes, 1u << i, true);
	for (i = 0; i <= MACSTATS_MAX_EDGES; i++) {
		bool last = i + 1 >= macstats_size_classes(&model->sizes);

		emu->size_end[false][i] = last ? ~0u : macstats__edge(&model->sizes, i, false);
		emu->size_end[true][i] = last ? ~0u : macstats__edge(&model->sizes, i, true);
	}
	emu->frame_limit = MACSTATS_FRAME_MAX;
	emu->other_good = 0;
	emu->other_line = 0;
	emu->line_seen = 0;
	emu->last_read = 0;
	emu->cells = 0;
	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		if (counter->frame_limit && counter->frame_limit < emu->frame_limit)
			emu->frame_limit = counter->frame_limit;
	}
	for (cell = 0; cell < MACSTATS_CELLS; cell++) {
		emu->classes[cell] = 0;
		for (i = 0; i < cell_set->count; i++)
			cell_set->cpu_cells[i]->cells[cell] = none;
	}
	emu->faults = 0;
	emu->armed = 0;
	emu->bus_error_word = 0;
	emu->slow_bus_usecs = 0;
	emu->random = seed;
	first = macstats__settings_of(emu);
	macstats__settings_publish(emu, &first);
	for (i = 0; i < MACSTATS_MAX_BLOCKS; i++) {
		emu->blocks[i].saturates = false;
		emu->blocks[i].still = false;
	}
	macstats__sum_again(emu, cell_set);
	macstats__emulator_restart(emu, cell_set);
}

#endif /* MACSTATS_EMULATE_POWER_H */
