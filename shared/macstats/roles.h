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
	struct macstats_bit write_enable;
	struct macstats_bit clear;
	struct macstats_bit increment;
	struct macstats_bit clear_on_read;
	struct macstats_bit saturate;
	struct macstats_bit freeze;
	struct macstats_bit parity_error;
	struct macstats_bit parity_clear;
};

/* The place of each role of a model, with the bits of all its fields. */
struct macstats_roles {
	struct macstats_bit gate;
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
	bool switched;		/* some block has clear_on_read, saturate or freeze */
	struct macstats_block_roles blocks[MACSTATS_MAX_BLOCKS];
};

MACSTATS_MODEL_BEGIN
MACSTATS_TABLE const struct macstats_roles macstats__no_roles = { .n_identity = 0 };
MACSTATS_MODEL_END

/* Check whether the counters of a block are of one instant: a snapshot, or a copy in memory. */
MACSTATS_FN bool macstats__is_held(const struct macstats_block_roles *block)
{
	return block->snapshot_request.mask | block->dump.mask;
}

/* The bits of the fields with @role in a register. One without fields has all bits. */
MACSTATS_FN __u32 macstats__role_mask(const struct macstats_model *model,
				      const struct macstats_register *reg, __u32 role)
{
	unsigned int n = macstats_field_count(reg);
	__u32 mask = 0;
	unsigned int i;

	if (!n && (reg->roles & role))
		return (__u32)macstats_bits_mask(model->bus_bits);
	for (i = 0; i < n; i++)
		if (reg->fields[i].roles & role)
			mask |= macstats__field_mask(&reg->fields[i]);
	return mask;
}

/* The roles of a register and of its fields. */
MACSTATS_FN __u32 macstats__register_roles(const struct macstats_register *reg)
{
	__u32 roles = reg->roles;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_FIELDS && reg->fields[i].bits; i++)
		roles |= reg->fields[i].roles;
	return roles;
}

/* The roles that any field of a model has. */
MACSTATS_FN __u32 macstats_used_roles(const struct macstats_model *model)
{
	__u32 roles = 0;
	unsigned int i;

	for (i = 0; i < model->n_registers; i++)
		roles |= macstats__register_roles(&model->registers[i]);
	return roles;
}

/* Check whether a block has a role. */
MACSTATS_FN bool macstats__block_has(const struct macstats_model *model, unsigned int block,
				     __u32 role)
{
	unsigned int i;

	for (i = 0; i < model->n_registers; i++)
		if (model->registers[i].block == block &&
		    (macstats__register_roles(&model->registers[i]) & role))
			return true;
	return false;
}

/* Check whether a counter stays at its maximum, at least while a bit is set. */
MACSTATS_FN bool macstats_may_saturate(const struct macstats_model *model,
				       const struct macstats_counter *counter)
{
	return counter->overflow == MACSTATS_SATURATE ||
	       (counter->bits < 64 &&
		macstats__block_has(model, counter->block, MACSTATS_ROLE_SATURATE));
}

/* Check whether a read changes a counter, at least while a bit is set. */
MACSTATS_FN bool macstats_may_change(const struct macstats_model *model,
				     const struct macstats_counter *counter)
{
	return macstats__is_destructive(counter) ||
	       macstats__block_has(model, counter->block, MACSTATS_ROLE_CLEAR_ON_READ);
}

/*
 * Check whether a read of @offset changes anything. Register dumps leave such addresses out.
 */
MACSTATS_FN bool macstats_read_is_destructive(const struct macstats_model *model, __u32 offset)
{
	unsigned int word = 0;
	int i = macstats_counter_at(model, offset, &word);
	int k = macstats_reserved_at(model, offset);

	return (i >= 0 && macstats_may_change(model, &model->counters[i])) ||
	       (k >= 0 && model->reserved[k].content == MACSTATS_READS_HIGH_WORD);
}

/* Check whether register dumps have a counter: it has an address, and no read changes it. */
MACSTATS_FN bool macstats_is_dumped(const struct macstats_model *model,
				    const struct macstats_counter *counter)
{
	return !macstats__is_windowed(model, counter) &&
	       !macstats_read_is_destructive(model, counter->offset);
}

/* Set the place of a role, unless a register before this one has it. @role: 0 for none. */
MACSTATS_FN void macstats__place_role(struct macstats_bit *bit, const struct macstats_model *model,
				      const struct macstats_register *reg, __u32 role)
{
	if (bit->mask || !role)
		return;
	bit->mask = macstats__role_mask(model, reg, role);
	bit->offset = bit->mask ? reg->offset : 0;
}

/* Find the place of a role of no block, but not MACSTATS_ROLE_IDENTITY, of which there are many. */
MACSTATS_FN struct macstats_bit macstats_find_role(const struct macstats_model *model, __u32 role)
{
	struct macstats_bit bit = { 0, 0 };
	unsigned int i;

	for (i = 0; i < model->n_registers; i++)
		macstats__place_role(&bit, model, &model->registers[i], role);
	return bit;
}

/* Set the places of the roles @used that a register has for its block. */
MACSTATS_FN void macstats__place_block_roles(struct macstats_block_roles *roles,
					     const struct macstats_model *model,
					     const struct macstats_register *reg, __u32 used)
{
	macstats__place_role(&roles->snapshot_request, model, reg,
			     used & MACSTATS_ROLE_SNAPSHOT_REQUEST);
	macstats__place_role(&roles->snapshot_granted, model, reg,
			     used & MACSTATS_ROLE_SNAPSHOT_GRANTED);
	macstats__place_role(&roles->dump, model, reg, used & MACSTATS_ROLE_DUMP);
	macstats__place_role(&roles->window_index, model, reg, used & MACSTATS_ROLE_WINDOW_INDEX);
	macstats__place_role(&roles->window_start, model, reg, used & MACSTATS_ROLE_WINDOW_START);
	macstats__place_role(&roles->window_low, model, reg, used & MACSTATS_ROLE_WINDOW_LOW);
	macstats__place_role(&roles->window_high, model, reg, used & MACSTATS_ROLE_WINDOW_HIGH);
	macstats__place_role(&roles->write_enable, model, reg, used & MACSTATS_ROLE_WRITE_ENABLE);
	macstats__place_role(&roles->clear, model, reg, used & MACSTATS_ROLE_CLEAR);
	macstats__place_role(&roles->increment, model, reg, used & MACSTATS_ROLE_INCREMENT);
	macstats__place_role(&roles->clear_on_read, model, reg,
			     used & MACSTATS_ROLE_CLEAR_ON_READ);
	macstats__place_role(&roles->saturate, model, reg, used & MACSTATS_ROLE_SATURATE);
	macstats__place_role(&roles->freeze, model, reg, used & MACSTATS_ROLE_FREEZE);
	macstats__place_role(&roles->parity_error, model, reg, used & MACSTATS_ROLE_PARITY_ERROR);
	macstats__place_role(&roles->parity_clear, model, reg, used & MACSTATS_ROLE_PARITY_CLEAR);
}

/* Set the places of the roles that a register has. */
MACSTATS_FN void macstats__place_roles(struct macstats_roles *roles,
				       const struct macstats_model *model,
				       const struct macstats_register *reg)
{
	const __u32 used = macstats__register_roles(reg);
	unsigned int i;

	if (!used)
		return;
	if (used & (MACSTATS_ROLE_CLEAR_ON_READ | MACSTATS_ROLE_SATURATE | MACSTATS_ROLE_FREEZE))
		roles->switched = true;
	macstats__place_role(&roles->gate, model, reg, used & MACSTATS_ROLE_GATE);
	macstats__place_role(&roles->busy, model, reg, used & MACSTATS_ROLE_BUSY);
	macstats__place_role(&roles->half_full, model, reg, used & MACSTATS_ROLE_HALF_FULL);
	macstats__place_role(&roles->half_full_enable, model, reg,
			     used & MACSTATS_ROLE_HALF_FULL_ENABLE);
	macstats__place_role(&roles->max_frame_rx, model, reg, used & MACSTATS_ROLE_MAX_FRAME_RX);
	macstats__place_role(&roles->max_frame_tx, model, reg, used & MACSTATS_ROLE_MAX_FRAME_TX);
	macstats__place_role(&roles->any_length_tx, model, reg,
			     used & MACSTATS_ROLE_ANY_LENGTH_TX);
	macstats__place_role(&roles->max_frame_enable, model, reg,
			     used & MACSTATS_ROLE_MAX_FRAME_ENABLE);
	macstats__place_role(&roles->max_frame_switch, model, reg,
			     used & MACSTATS_ROLE_MAX_FRAME_SWITCH);
	macstats__place_role(&roles->flow_control, model, reg, used & MACSTATS_ROLE_FLOW_CONTROL);
	macstats__place_role(&roles->retry_limit, model, reg, used & MACSTATS_ROLE_RETRY_LIMIT);
	for (i = 0; i < MACSTATS_MAX_SETTINGS; i++)
		macstats__place_role(&roles->setting[i], model, reg,
				     used & ((__u32)MACSTATS_ROLE_SETTING << i));
	if (reg->block < MACSTATS_MAX_BLOCKS)
		macstats__place_block_roles(&roles->blocks[reg->block], model, reg, used);
	if (!(used & MACSTATS_ROLE_IDENTITY) || roles->n_identity == MACSTATS_MAX_IDENTITY)
		return;
	macstats__place_role(&roles->identity[roles->n_identity], model, reg,
			     MACSTATS_ROLE_IDENTITY);
	if (roles->identity[roles->n_identity].mask)
		roles->n_identity++;
}

/* Find the places of all roles. */
MACSTATS_FN struct macstats_roles macstats_find_roles(const struct macstats_model *model)
{
	struct macstats_roles roles = macstats__no_roles;
	unsigned int i;

	for (i = 0; i < model->n_registers; i++)
		macstats__place_roles(&roles, model, &model->registers[i]);
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
