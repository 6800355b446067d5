/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What can go wrong with emulated hardware.
 */
#ifndef MACSTATS_FAULT_H
#define MACSTATS_FAULT_H

#include "roles.h"

enum macstats_fault {
	MACSTATS_FAULT_PARITY_ERROR      = 1 << 0,	/* one parity error, once */
	MACSTATS_FAULT_SNAPSHOT_STUCK    = 1 << 1,	/* a request is never granted or done */
	MACSTATS_FAULT_SNAPSHOT_SLOW     = 1 << 2,	/* granted at the third look */
	MACSTATS_FAULT_BUS_ERROR         = 1 << 3,	/* every access fails */
	MACSTATS_FAULT_RESET_IN_PROGRESS = 1 << 4,
	MACSTATS_FAULT_CLOCK_STOPPED     = 1 << 5,
	MACSTATS_FAULT_RESET             = 1 << 6,	/* the hardware restarts, once */
	MACSTATS_FAULT_UNPLUG            = 1 << 7,	/* reads give ones, writes are lost */
	MACSTATS_FAULT_BUS_ERROR_AT      = 1 << 8,	/* one word of the counters fails */
	MACSTATS_FAULT_SLOW_BUS          = 1 << 9,	/* an access takes microseconds */
	MACSTATS_FAULT_GATE_CLOSES       = 1 << 10,	/* closed, whatever is written */
	MACSTATS_FAULT_SUSPEND           = 1 << 11,	/* by the driver, power off */
	MACSTATS_FAULT_ALL               = (1 << 12) - 1,
	/* Faults that happen once and do not stay. */
	MACSTATS_FAULTS_ONCE = MACSTATS_FAULT_PARITY_ERROR | MACSTATS_FAULT_RESET,
	/* Faults that can begin between the readiness check and the read. */
	MACSTATS_FAULTS_DURING_READ = MACSTATS_FAULT_RESET_IN_PROGRESS |
				      MACSTATS_FAULT_CLOCK_STOPPED | MACSTATS_FAULT_GATE_CLOSES,
	/* Faults of any hardware; macstats_supported_faults() adds those of a model. */
	MACSTATS_FAULTS_COMMON = MACSTATS_FAULT_BUS_ERROR | MACSTATS_FAULT_RESET |
				 MACSTATS_FAULT_UNPLUG | MACSTATS_FAULT_BUS_ERROR_AT |
				 MACSTATS_FAULT_SLOW_BUS | MACSTATS_FAULT_SUSPEND,
};

#define MACSTATS_SLOW_BUS_MAX_USECS	10000	/* of one access */

/* The faults that an emulated device of this model supports: enum macstats_fault. */
MACSTATS_FN __u32 macstats_supported_faults(const struct macstats_model *model)
{
	__u32 roles = macstats_used_roles(model);
	__u32 faults = MACSTATS_FAULTS_COMMON;

	if (roles & MACSTATS_ROLE_PARITY_ERROR)
		faults |= MACSTATS_FAULT_PARITY_ERROR;
	if (roles & (MACSTATS_ROLE_SNAPSHOT_GRANTED | MACSTATS_ROLE_DUMP |
		     MACSTATS_ROLE_WINDOW_START))
		faults |= MACSTATS_FAULT_SNAPSHOT_STUCK | MACSTATS_FAULT_SNAPSHOT_SLOW;
	if (roles & MACSTATS_ROLE_BUSY)
		faults |= MACSTATS_FAULT_RESET_IN_PROGRESS;
	if (model->needs_clocks)
		faults |= MACSTATS_FAULT_CLOCK_STOPPED;
	if (roles & MACSTATS_ROLE_GATE)
		faults |= MACSTATS_FAULT_GATE_CLOSES;
	return faults;
}

#endif /* MACSTATS_FAULT_H */
