/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Whether hardware is there: reads of absent hardware give all-ones, and may take long.
 */
#ifndef MACSTATS_FEATURE_PRESENCE_H
#define MACSTATS_FEATURE_PRESENCE_H

#include "../accumulator.h"

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
 * reads so confirms it. Without such a register the hardware counts as present. Return: 0, -ENODEV
 * with acc->unusable and a reason, or the error of the bus.
 */
MACSTATS_FN int macstats__check_presence(struct macstats_accumulator *acc)
{
	__u32 offset = 0;
	__u32 value = 0;
	int err;

	if (!acc->silent || !macstats__presence_register(acc->model, &acc->roles, &offset))
		return 0;
	err = macstats_bus_read(acc, offset, &value);
	if (err || value != macstats_bus_mask(acc->model))
		return err;
	acc->unusable = true;
	acc->state.reason = "the device does not answer, all reads give ones";
	return -ENODEV;
}

/* Like macstats__check_presence(), but once in a poll: the rest of a read would take long, too. */
MACSTATS_FN int macstats__ask_presence(struct macstats_accumulator *acc)
{
	if (!acc->silent || acc->asked)
		return 0;
	acc->asked = true;
	return macstats__check_presence(acc);
}

/*
 * Wait until a bit is set, or clear. @looks: reads of such bits so far; with too many of them, @why
 * is the reason.
 */
MACSTATS_FN int macstats__wait_for(struct macstats_accumulator *acc,
				   const struct macstats_bit *bit, bool set, unsigned int *looks,
				   const char *why)
{
	__u32 value = 0;
	int err = 0;

	while (bit->mask) {
		err = macstats__bus_bit(acc, bit, 0, &value);
		if (!err && !value == !set)
			break;
		if (!err)
			err = macstats__ask_presence(acc);
		if (err)
			break;
		if (++*looks > MACSTATS_SNAPSHOT_LOOKS || !acc->bus.wait(acc->bus.context)) {
			acc->state.reason = why;
			return -ETIMEDOUT;
		}
	}
	return err;
}

#endif /* MACSTATS_FEATURE_PRESENCE_H */
