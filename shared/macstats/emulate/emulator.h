/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The registers of an emulated port: frames become counts, counts become register values, reads and
 * writes have the side effects of the model. Each file knows only those before it:
 *
 *	state.h		the state of a port, and the settings of one moment
 *	settings.h	registers and faults -> settings
 *	class.h		a frame -> its class, what it adds, and which rows count it
 *	cells.h		classes -> sums
 *	counter.h	sums -> values
 *	registers.h	reads and writes on the bus
 *	descriptors.h	what descriptors state about frames
 *	power.h		power-up and restart
 *	faults.h	faults
 *
 * Functions that take a non-const emulator require the caller to hold the port's lock, in the
 * kernel a spinlock that interrupts cannot take; nothing sleeps or allocates.
 */
#ifndef MACSTATS_EMULATE_EMULATOR_H
#define MACSTATS_EMULATE_EMULATOR_H

#include "descriptors.h"
#include "faults.h"

/* Count frames under the lock, which those that macstats_count() takes do not need. */
MACSTATS_FN void macstats_emulator_count(struct macstats_emulator *emu,
					 const struct macstats_cell_set *cell_set,
					 struct macstats_cpu_cells *cpu_cells,
					 const struct macstats_frame *frame, __u64 count)
{
	const struct macstats_seen seen = macstats_see(emu, frame);

	if (!macstats_count(emu, cpu_cells, &seen, count))
		macstats_count_locked(emu, cell_set, cpu_cells, &seen, count);
}

#endif /* MACSTATS_EMULATE_EMULATOR_H */
