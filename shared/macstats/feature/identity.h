/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Is this the hardware of the model, and which of its counters was it built with?
 */
#ifndef MACSTATS_FEATURE_IDENTITY_H
#define MACSTATS_FEATURE_IDENTITY_H

#include "misfit.h"
#include "ready.h"

/* The mask of the blocks that one of these options builds. */
MACSTATS_FN __u32 macstats__blocks_of(const struct macstats_model *model, unsigned int options)
{
	return macstats__all_blocks(model) & ~macstats__unbuilt_blocks(model, options);
}

/* Note which blocks the hardware was built without, and so which counters it lacks. */
MACSTATS_FN void macstats__set_absent(struct macstats_accumulator *acc, __u32 blocks)
{
	unsigned int i;

	acc->planned = 0;
	acc->absent_blocks = blocks;
	acc->state.absent = blocks == macstats__all_blocks(acc->model);
	acc->state.absent_rows = acc->left_out;
	for (i = 0; i < acc->model->n_counters; i++)
		if (blocks >> acc->model->counters[i].block & 1)
			macstats_add_row(&acc->state.absent_rows, i);
}

/*
 * Find the counters that the hardware lacks, in addition to those of @blocks: by bits of its
 * registers. Return: 0 or the error of an access, which changes nothing.
 */
MACSTATS_FN int macstats__find_absent(struct macstats_accumulator *acc, __u32 blocks)
{
	const struct macstats_model *model = acc->model;
	struct macstats_rows rows = { { 0 }, 0 };
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_bit *bit = &model->counters[i].present;
		__u32 value = 0;
		int err;

		if (!bit->mask || (blocks >> model->counters[i].block & 1))
			continue;
		err = macstats__bus_bit(acc, bit, 1, &value);
		if (err)
			return err;
		if (!value)
			macstats_add_row(&rows, i);
	}
	macstats__set_absent(acc, blocks);
	macstats_for_each_row(i, &rows)
		macstats_add_row(&acc->state.absent_rows, i);
	return 0;
}

/*
 * Find the options that the hardware was built without. Used only for models without an
 * identity register: none of the snapshot requests of their blocks can then be stored. Where
 * there are no snapshots either, only the driver knows.
 */
MACSTATS_FN int macstats__probe(struct macstats_accumulator *acc, unsigned int *absent)
{
	const struct macstats_model *model = acc->model;
	unsigned int probed = 0;
	unsigned int stored = 0;
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_bit *request = &acc->roles.blocks[i].snapshot_request;
		__u32 value = 0;
		int err;

		if (!request->mask)
			continue;
		probed |= macstats_block_option(model, i);
		err = macstats__bus_update(acc, request->offset, 0, request->mask);
		if (!err)
			err = macstats_bus_read(acc, request->offset, &value);
		if (!err)
			err = macstats__bus_update(acc, request->offset, request->mask, 0);
		if (err)
			return err;
		if (value & request->mask)
			stored |= macstats_block_option(model, i);
	}
	*absent = probed & ~stored;
	return 0;
}

/* The option to which the block of an identity register belongs. */
MACSTATS_FN unsigned int macstats__identity_option(const struct macstats_model *model,
						   const struct macstats_bit *identity)
{
	int at = macstats_register_at(model, identity->offset);

	return macstats_block_option(model, at < 0 ? 0 : model->registers[at].block);
}

/*
 * Find the options that the hardware was built without: all identity registers of their blocks
 * read 0. Return: 0; -ENODEV: another device; other errors are those of the bus.
 */
MACSTATS_FN int macstats__read_identity(struct macstats_accumulator *acc, unsigned int *absent)
{
	const struct macstats_model *model = acc->model;
	const struct macstats_roles *roles = &acc->roles;
	unsigned int wrong = 0;
	unsigned int zero = 0;
	unsigned int other = 0;
	unsigned int i;

	for (i = 0; i < roles->n_identity; i++) {
		const struct macstats_bit *identity = &roles->identity[i];
		unsigned int option = macstats__identity_option(model, identity);
		__u32 value = 0;
		int err = macstats_bus_read(acc, identity->offset, &value);

		if (err)
			return err;
		if ((value & identity->mask) != macstats_reset_bits(model, identity))
			wrong |= option;
		if (value)
			other |= option;
		else
			zero |= option;
	}
	/* What reads 0 is absent. */
	*absent = zero & ~other;
	wrong &= ~*absent;
	for (i = 0; wrong && i < roles->n_identity; i++) {
		const struct macstats_bit *identity = &roles->identity[i];
		int at = macstats_register_at(model, identity->offset);
		__u32 expected = macstats_reset_bits(model, identity);
		__u32 value = 0;

		if (!(wrong & macstats__identity_option(model, identity)) ||
		    macstats_bus_read(acc, identity->offset, &value))
			continue;
		expected |= value & ~identity->mask;
		if (value != expected)
			macstats__note_misfit(acc, MACSTATS_MISFIT_IDENTITY,
					      at < 0 ? "" : model->registers[at].name, value,
					      expected);
	}
	return wrong ? -ENODEV : 0;
}

/*
 * Check that these are the registers of the model, and note which counters the hardware was built
 * without. Return: 0; -ENODEV: another device; other errors are those of the bus.
 */
MACSTATS_FN int macstats__identify(struct macstats_accumulator *acc)
{
	const struct macstats_model *model = acc->model;
	unsigned int absent = 0;
	int err;

	macstats__set_absent(acc, acc->without_counters ? macstats__all_blocks(model) : 0);
	acc->identified = acc->state.absent;
	/* A port without a clock cannot be identified before its first good read. */
	if (acc->state.absent || macstats_check_clocks(acc))
		return 0;
	err = acc->roles.n_identity ? macstats__read_identity(acc, &absent) :
				      macstats__probe(acc, &absent);
	if (err)
		return err;
	err = macstats__find_absent(acc, macstats__blocks_of(model, absent));
	acc->identified = !err;
	return err;
}

/*
 * Identify a port whose clocks were stopped at macstats_start(). Users have read its counters
 * since then, so a port without some of them is an error, too. Return: 0; -ENODEV: another device,
 * or one that lacks counters; other errors are those of the bus.
 */
MACSTATS_FN int macstats__identify_late(struct macstats_accumulator *acc)
{
	int err = macstats__identify(acc);

	acc->state.reason = "the registers cannot be reached";
	if (err != -ENODEV && macstats__is_same_set(&acc->state.absent_rows, &acc->left_out))
		return err;
	acc->state.reason = err ? "these are not the registers of the model" :
			    "the device lacks counters that its users were shown";
	macstats__set_absent(acc, 0);
	acc->identified = false;
	acc->unusable = true;
	return -ENODEV;
}

#endif /* MACSTATS_FEATURE_IDENTITY_H */
