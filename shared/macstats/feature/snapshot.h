/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Blocks whose counters freeze while they are read, by a request and a grant, or are copied to
 * memory by a command; and a parity bit that the same registers have.
 */
#ifndef MACSTATS_FEATURE_SNAPSHOT_H
#define MACSTATS_FEATURE_SNAPSHOT_H

#include "../read.h"

/* Wait until the counters of a block are frozen, or not, and no copy of them is under way. */
MACSTATS_FN int macstats__snapshot_wait(struct macstats_accumulator *acc, unsigned int block,
					bool frozen, unsigned int *looks)
{
	const struct macstats_block_roles *of = &acc->roles.blocks[block];
	__u32 granted = 0;
	int err = macstats__wait_for(acc, &of->snapshot_granted, frozen, looks,
				     "a snapshot of the counters is not granted");

	/* The status of one look is valid by the time of the next. */
	if (!err && frozen && acc->model->blocks[block].grant_leads)
		err = macstats__bus_bit(acc, &of->snapshot_granted, 0, &granted);
	if (!err)
		err = macstats__wait_for(acc, &of->dump, false, looks,
					 "the counters are not copied to memory");
	return err;
}

/* Request a snapshot or copy of each block, and wait for all of them, within a bound. */
MACSTATS_FN int macstats__snapshot_take(struct macstats_accumulator *acc)
{
	const struct macstats_model *model = acc->model;
	unsigned int looks = 0;
	unsigned int i;
	int err = 0;

	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_block_roles *of = &acc->roles.blocks[i];
		const struct macstats_bit *request = of->dump.mask ? &of->dump :
								     &of->snapshot_request;
		__u32 value = 0;

		if (!request->mask || macstats__lacks_block(acc, i))
			continue;
		if (!of->dump.mask)
			err = macstats_bus_read(acc, request->offset, &value);
		/* A snapshot that another reader left behind shows the past: release it. */
		if (!err && (value & request->mask))
			err = macstats__bus_update(acc, request->offset, request->mask, 0);
		/* Do not take the last snapshot, or a copy of the past, for this one. */
		if (!err)
			err = macstats__snapshot_wait(acc, i, false, &looks);
		if (!err)
			err = macstats__bus_update(acc, request->offset, 0, request->mask);
		if (err)
			return err;
	}
	for (i = 0; !err && i < model->n_blocks; i++)
		if (!macstats__lacks_block(acc, i))
			err = macstats__snapshot_wait(acc, i, true, &looks);
	return err;
}

/*
 * Check that every block was still frozen after the read. Notes parity errors, of which all-ones
 * are no sign.
 */
MACSTATS_FN int macstats__snapshot_check(struct macstats_accumulator *acc, unsigned int *parity)
{
	const struct macstats_model *model = acc->model;
	bool held = true;
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_bit *granted = &acc->roles.blocks[i].snapshot_granted;
		const struct macstats_bit *error = &acc->roles.blocks[i].parity_error;
		bool together = granted->mask && granted->offset == error->offset;
		__u32 value = 0;
		int err = 0;

		if (macstats__lacks_block(acc, i))
			continue;
		if (granted->mask)
			err = macstats__bus_look(acc, granted->offset, &value);
		held = held && (!granted->mask || (value & granted->mask));
		if (!err && error->mask && !together)
			err = macstats__bus_look(acc, error->offset, &value);
		if (err)
			return err;
		if ((value & error->mask) && value != macstats_bus_mask(model))
			*parity |= 1u << i;
	}
	return held ? 0 : -EAGAIN;
}

/* Release the snapshots, and clear the parity bits of the blocks in @parity. */
MACSTATS_FN int macstats__snapshot_release(struct macstats_accumulator *acc, unsigned int parity)
{
	const struct macstats_model *model = acc->model;
	unsigned int i;
	int err = 0;

	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_block_roles *block = &acc->roles.blocks[i];
		int failed = 0;

		if (macstats__lacks_block(acc, i))
			continue;
		if (block->snapshot_request.mask)
			failed = macstats__bus_update(acc, block->snapshot_request.offset,
						      block->snapshot_request.mask, 0);
		if (!failed && (parity >> i & 1))
			failed = macstats__bus_update(acc, block->parity_clear.offset, 0,
						      block->parity_clear.mask);
		err = err ? err : failed;
	}
	return err;
}

#endif /* MACSTATS_FEATURE_SNAPSHOT_H */
