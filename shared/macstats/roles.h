/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Where the fields are that have a role.
 */
#ifndef MACSTATS_ROLES_H
#define MACSTATS_ROLES_H

#include "place.h"

struct macstats_block_roles {
	struct macstats_bit snapshot_request;
	struct macstats_bit snapshot_granted;
	struct macstats_bit dump;
	struct macstats_bit window_index;
	struct macstats_bit window_start;
	struct macstats_bit window_low;
	struct macstats_bit window_high;
	struct macstats_bit clear;
	struct macstats_bit increment;
	struct macstats_bit parity_error;
	struct macstats_bit parity_clear;
};

/* The place of each role of a model, with the bits of all its fields. */
struct macstats_roles {
	struct macstats_bit gate;
	struct macstats_bit write_enable;
	struct macstats_bit busy;
	struct macstats_bit half_full;
	struct macstats_bit half_full_enable;
	struct macstats_bit max_frame_rx;
	struct macstats_bit max_frame_tx;
	struct macstats_bit any_length_tx;
	struct macstats_bit max_frame_enable;
	struct macstats_bit max_frame_switch;
	struct macstats_bit flow_control;
	struct macstats_bit retry_limit;
	struct macstats_bit setting[MACSTATS_MAX_SETTINGS];
	struct macstats_bit identity[MACSTATS_MAX_IDENTITY];	/* one for each register */
	__u8 n_identity;
	struct macstats_block_roles blocks[MACSTATS_MAX_BLOCKS];
};

/* Check whether the counters of a block are of one instant: a snapshot, or a copy in memory. */
MACSTATS_FN bool macstats__is_held(const struct macstats_block_roles *block)
{
	return block->snapshot_request.mask | block->dump.mask;
}

/* The bits of a register that a bus word has room for. */
MACSTATS_FN unsigned int macstats__register_bits(const struct macstats_model *model)
{
	return model->bus_bits < 32 ? model->bus_bits : 32;
}

/* The bits of the fields with @role in a register. One without fields has all bits. */
MACSTATS_FN __u32 macstats_role_mask(const struct macstats_model *model,
				     const struct macstats_register *reg, __u32 role)
{
	unsigned int n = macstats_field_count(reg);
	__u32 mask = 0;
	unsigned int i;

	if (!n && (reg->roles & role))
		return (__u32)macstats_bits_mask(macstats__register_bits(model));
	for (i = 0; i < n; i++)
		if (reg->fields[i].roles & role)
			mask |= macstats__field_mask(&reg->fields[i]);
	return mask;
}

/* Find the place of a role, in a register of @block or, below 0, in any. */
MACSTATS_FN struct macstats_bit macstats__find_place(const struct macstats_model *model,
						     __u32 role, int block)
{
	struct macstats_bit bit = { 0, 0 };
	unsigned int i;

	for (i = 0; i < model->n_registers && !bit.mask; i++) {
		bit.offset = model->registers[i].offset;
		if (block < 0 || model->registers[i].block == block)
			bit.mask = macstats_role_mask(model, &model->registers[i], role);
	}
	if (!bit.mask)
		bit.offset = 0;
	return bit;
}

/* Find the place of a role of no block, but not MACSTATS_ROLE_IDENTITY, of which there are many. */
MACSTATS_FN struct macstats_bit macstats_find_role(const struct macstats_model *model, __u32 role)
{
	return macstats__find_place(model, role, -1);
}

/* Find the place of a role of a block. */
MACSTATS_FN struct macstats_bit macstats__find_block_role(const struct macstats_model *model,
							  __u32 role, unsigned int block)
{
	return macstats__find_place(model, role, (int)block);
}

MACSTATS_FN struct macstats_block_roles
macstats_find_block_roles(const struct macstats_model *model, unsigned int block)
{
	const struct macstats_block_roles roles = {
		macstats__find_block_role(model, MACSTATS_ROLE_SNAPSHOT_REQUEST, block),
		macstats__find_block_role(model, MACSTATS_ROLE_SNAPSHOT_GRANTED, block),
		macstats__find_block_role(model, MACSTATS_ROLE_DUMP, block),
		macstats__find_block_role(model, MACSTATS_ROLE_WINDOW_INDEX, block),
		macstats__find_block_role(model, MACSTATS_ROLE_WINDOW_START, block),
		macstats__find_block_role(model, MACSTATS_ROLE_WINDOW_LOW, block),
		macstats__find_block_role(model, MACSTATS_ROLE_WINDOW_HIGH, block),
		macstats__find_block_role(model, MACSTATS_ROLE_CLEAR, block),
		macstats__find_block_role(model, MACSTATS_ROLE_INCREMENT, block),
		macstats__find_block_role(model, MACSTATS_ROLE_PARITY_ERROR, block),
		macstats__find_block_role(model, MACSTATS_ROLE_PARITY_CLEAR, block),
	};

	return roles;
}

/* Find the places of all roles. */
MACSTATS_FN struct macstats_roles macstats_find_roles(const struct macstats_model *model)
{
	struct macstats_roles roles;
	unsigned int i;

	roles.gate = macstats_find_role(model, MACSTATS_ROLE_GATE);
	roles.write_enable = macstats_find_role(model, MACSTATS_ROLE_WRITE_ENABLE);
	roles.busy = macstats_find_role(model, MACSTATS_ROLE_BUSY);
	roles.half_full = macstats_find_role(model, MACSTATS_ROLE_HALF_FULL);
	roles.half_full_enable = macstats_find_role(model, MACSTATS_ROLE_HALF_FULL_ENABLE);
	roles.max_frame_rx = macstats_find_role(model, MACSTATS_ROLE_MAX_FRAME_RX);
	roles.max_frame_tx = macstats_find_role(model, MACSTATS_ROLE_MAX_FRAME_TX);
	roles.any_length_tx = macstats_find_role(model, MACSTATS_ROLE_ANY_LENGTH_TX);
	roles.max_frame_enable = macstats_find_role(model, MACSTATS_ROLE_MAX_FRAME_ENABLE);
	roles.max_frame_switch = macstats_find_role(model, MACSTATS_ROLE_MAX_FRAME_SWITCH);
	roles.flow_control = macstats_find_role(model, MACSTATS_ROLE_FLOW_CONTROL);
	roles.retry_limit = macstats_find_role(model, MACSTATS_ROLE_RETRY_LIMIT);
	for (i = 0; i < MACSTATS_MAX_SETTINGS; i++)
		roles.setting[i] = macstats_find_role(model, (__u32)MACSTATS_ROLE_SETTING << i);
	for (i = 0; i < MACSTATS_MAX_BLOCKS; i++)
		roles.blocks[i] = macstats_find_block_roles(model, i);
	for (i = 0; i < MACSTATS_MAX_IDENTITY; i++) {
		roles.identity[i].offset = 0;
		roles.identity[i].mask = 0;
	}
	roles.n_identity = 0;
	for (i = 0; i < model->n_registers && roles.n_identity < MACSTATS_MAX_IDENTITY; i++) {
		const struct macstats_register *reg = &model->registers[i];
		struct macstats_bit *identity = &roles.identity[roles.n_identity];

		identity->offset = reg->offset;
		identity->mask = macstats_role_mask(model, reg, MACSTATS_ROLE_IDENTITY);
		if (identity->mask)
			roles.n_identity++;
	}
	return roles;
}

/* The roles that any field of a model has. */
MACSTATS_FN __u32 macstats_used_roles(const struct macstats_model *model)
{
	__u32 roles = 0;
	unsigned int i;
	unsigned int k = 0;

	for (i = 0; i < model->n_registers; i++) {
		const struct macstats_register *reg = &model->registers[i];

		roles |= reg->roles;
		for (k = 0; k < macstats_field_count(reg); k++)
			roles |= reg->fields[k].roles;
	}
	return roles;
}

/* The settings that a model has, as options. */
MACSTATS_FN __u8 macstats__settings_in(const struct macstats_roles *roles)
{
	unsigned int settings = 0;
	unsigned int i = 0;

	for (i = 0; i < MACSTATS_MAX_SETTINGS; i++)
		if (roles->setting[i].mask)
			settings |= (unsigned int)MACSTATS_OPT_SETTING << i;
	return (__u8)settings;
}

#endif /* MACSTATS_ROLES_H */
