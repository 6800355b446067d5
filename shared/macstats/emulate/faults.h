/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Faults of an emulated port.
 */
#ifndef MACSTATS_EMULATE_FAULTS_H
#define MACSTATS_EMULATE_FAULTS_H

#include "power.h"

/* Faults that begin or end. */
struct macstats_fault_request {
	__u32 faults;		/* mask of enum macstats_fault, which the model supports */
	bool active;
	bool during_read;	/* begins when a counter is read; MACSTATS_FAULTS_DURING_READ */
	/*
	 * Of BUS_ERROR_AT: a bus word of the counters that are registers, in the order of
	 * their addresses, from 0. Of SLOW_BUS: microseconds of one access.
	 */
	__u32 argument;
};

/*
 * Check a request for the faults of a model. -EINVAL: the model does not support the
 * fault, or it cannot begin during a read, or it is one that happens once and should
 * end; -ERANGE: the argument is out of its range.
 */
MACSTATS_FN int macstats_fault_check(const struct macstats_model *model,
				     const struct macstats_fault_request *request)
{
	if (!request->faults || (request->faults & ~macstats_supported_faults(model)))
		return -EINVAL;
	if (request->during_read &&
	    (!request->active || (request->faults & ~(__u32)MACSTATS_FAULTS_DURING_READ)))
		return -EINVAL;
	if (!request->active && (request->faults & MACSTATS_FAULT_RESET))
		return -EINVAL;
	if (!request->active)
		return 0;
	if ((request->faults & MACSTATS_FAULT_SLOW_BUS) &&
	    (!request->argument || request->argument > MACSTATS_SLOW_BUS_MAX_USECS))
		return -ERANGE;
	if ((request->faults & MACSTATS_FAULT_BUS_ERROR_AT) &&
	    request->argument >= macstats_counter_words(model))
		return -ERANGE;
	return 0;
}

/*
 * Cause a parity error in every block that is built with a parity error bit: set that bit, and flip
 * the top bit of the block's first counter.
 */
MACSTATS_FN void macstats__parity_fault(struct macstats_emulator *emu)
{
	const struct macstats_model *model = emu->model;
	bool damaged[MACSTATS_MAX_BLOCKS] = { false };
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++)
		if (emu->roles.blocks[i].parity_error.mask &&
		    macstats_is_built(model, emu->options, i))
			emu->blocks[i].parity_error = true;
	for (i = 0; i < macstats_register_counters(model); i++) {
		const struct macstats_counter *counter = &model->counters[i];

		if (!emu->blocks[counter->block].parity_error || damaged[counter->block])
			continue;
		damaged[counter->block] = true;
		emu->counters[i].base -= 1ull << (counter->bits - 1);
	}
}

/* Start or end the faults of a request that macstats_fault_check() has accepted. */
MACSTATS_FN void macstats_emulator_fault(struct macstats_emulator *emu,
					 const struct macstats_cell_set *cell_set,
					 const struct macstats_fault_request *request)
{
	__u32 faults = request->faults & ~(__u32)MACSTATS_FAULTS_ONCE;
	bool had_power = macstats__has_power(emu);

	if (request->active && request->during_read) {
		emu->armed |= faults;
	} else if (request->active) {
		MACSTATS_STORE(emu->faults, emu->faults | faults);
	} else {
		MACSTATS_STORE(emu->faults, emu->faults & ~faults);
		emu->armed &= ~faults;
	}
	if (request->active && (faults & MACSTATS_FAULT_BUS_ERROR_AT))
		emu->bus_error_word = request->argument;
	if (faults & MACSTATS_FAULT_SLOW_BUS)
		MACSTATS_STORE(emu->slow_bus_usecs, request->active ? request->argument : 0);
	if (request->active && (request->faults & MACSTATS_FAULT_PARITY_ERROR))
		macstats__parity_fault(emu);
	emu->foreign = true;
	if ((request->active && (request->faults & MACSTATS_FAULT_RESET)) ||
	    (!had_power && macstats__has_power(emu)))
		macstats__emulator_restart(emu, cell_set);
	emu->foreign = false;
	macstats__emulator_settings(emu);
}

#endif /* MACSTATS_EMULATE_FAULTS_H */
