/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * When counters can be read at all: the hardware answers, its clocks run, it is not in reset, and
 * the gate is open.
 */
#ifndef MACSTATS_FEATURE_READY_H
#define MACSTATS_FEATURE_READY_H

#include "../read.h"

/*
 * Check, with the gate closed, whether the hardware was reset: a reset closes the gate and clears
 * the counters, while a gate that somebody closes leaves them as they are. Only counters that had
 * counted tell.
 */
MACSTATS_FN bool macstats__was_reset(struct macstats_accumulator *acc)
{
	unsigned int n = macstats_register_counters(acc->model);
	bool cleared = false;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];

		if (!acc->counters[i].old || macstats_lacks_counter(acc, i) ||
		    macstats__is_windowed(acc->model, counter) ||
		    macstats__may_change(acc, counter) ||
		    macstats__has_snapshot(acc, counter->block))
			continue;
		if (macstats__read_words(acc, i) || acc->counters[i].value)
			return false;
		cleared = true;
	}
	return cleared;
}

/* Check whether the clocks run that an access needs, as far as the bus knows. */
MACSTATS_FN bool macstats__clocks_run(const struct macstats_accumulator *acc)
{
	return !acc->bus.clocks_run || acc->bus.clocks_run(acc->bus.context);
}

/* Like macstats__clocks_run(), but sets the reason: see macstats_check_ready(). */
MACSTATS_FN int macstats_check_clocks(struct macstats_accumulator *acc)
{
	acc->unusable = !macstats__clocks_run(acc);
	if (!acc->unusable)
		return 0;
	acc->state.reason = "the clocks of the port stand still";
	return -ENOLINK;
}

/* Why reads give all-ones, which macstats__check_presence() has found. Sets the reason. */
MACSTATS_FN int macstats__why_silent(struct macstats_accumulator *acc)
{
	int err = macstats_check_clocks(acc);

	acc->unusable = true;
	return err ? err : -ENODEV;
}

/*
 * Check whether the counters can be read now; acc->state.reason explains an error. Return: 0 or,
 * with acc->unusable, -ENODEV: the hardware does not answer; -ENOLINK: its clocks do not run;
 * -EBUSY: it is in reset; -ENODATA: the gate is closed. Without acc->unusable: the bus failed.
 */
MACSTATS_FN int macstats_check_ready(struct macstats_accumulator *acc)
{
	__u32 open = 0;
	__u32 busy = 0;
	int err;

	err = macstats_check_clocks(acc);
	if (err)
		return err;
	err = macstats__bus_bit(acc, &acc->roles.busy, 0, &busy);
	if (!err)
		err = macstats__bus_bit(acc, &acc->roles.gate, 1, &open);
	if (!err)
		err = macstats__check_presence(acc);
	if (err && !acc->unusable)
		acc->state.reason = "the registers cannot be reached";
	if (err)
		return err;
	acc->unusable = true;
	if (busy) {
		acc->state.reason = "a reset is in progress";
		return -EBUSY;
	}
	if (!open) {
		acc->state.reason = "the statistics are switched off by their gate";
		return -ENODATA;
	}
	acc->unusable = false;
	return 0;
}

#endif /* MACSTATS_FEATURE_READY_H */
