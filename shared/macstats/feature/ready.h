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

/*
 * Find the register that confirms that hardware is there when reads give all-ones, because it
 * never reads so itself: an identity, or a register with bits of no field. Return: false if
 * the model has none.
 */
MACSTATS_FN bool macstats__presence_register(const struct macstats_model *model,
					     const struct macstats_roles *roles, __u32 *offset)
{
	__u64 ones = macstats_bus_mask(model);
	unsigned int i;
	unsigned int f = 0;

	for (i = 0; i < roles->n_identity; i++) {
		*offset = roles->identity[i].offset;
		if (macstats_reset_bits(model, &roles->identity[i]) != roles->identity[i].mask)
			return true;
	}
	for (i = 0; i < model->n_registers; i++) {
		const struct macstats_register *reg = &model->registers[i];
		__u64 used = 0;

		*offset = reg->offset;
		for (f = 0; f < macstats_field_count(reg); f++)
			used |= macstats__field_mask(&reg->fields[f]);
		if (used && (used & ones) != ones)
			return true;
	}
	return false;
}

/*
 * Check whether the hardware answers, after a word was read as all-ones. A register that never
 * reads so confirms it. Without such a register the hardware counts as present.
 */
MACSTATS_FN int macstats__check_presence(struct macstats_accumulator *acc, bool *absent)
{
	__u32 offset = 0;
	__u32 value = 0;
	int err;

	*absent = false;
	if (!acc->silent || !macstats__presence_register(acc->model, &acc->roles, &offset))
		return 0;
	err = macstats_bus_read(acc, offset, &value);
	*absent = !err && value == macstats_bus_mask(acc->model);
	return err;
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

/*
 * Check whether the counters can be read now; acc->state.reason explains an error. Return: 0 or,
 * with acc->unusable, -ENODEV: the hardware does not answer; -ENOLINK: its clocks do not run;
 * -EBUSY: it is in reset; -ENODATA: the gate is closed. Without acc->unusable: the bus failed.
 */
MACSTATS_FN int macstats_check_ready(struct macstats_accumulator *acc)
{
	__u32 open = 0;
	__u32 busy = 0;
	bool absent = false;
	int err;

	err = macstats_check_clocks(acc);
	if (err)
		return err;
	acc->unusable = true;
	err = macstats__bus_bit(acc, &acc->roles.busy, 0, &busy);
	if (!err)
		err = macstats__bus_bit(acc, &acc->roles.gate, 1, &open);
	if (!err)
		err = macstats__check_presence(acc, &absent);
	if (err) {
		acc->unusable = false;
		acc->state.reason = "the registers cannot be reached";
		return err;
	}
	if (absent) {
		acc->state.reason = "the device does not answer, all reads give ones";
		return -ENODEV;
	}
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
