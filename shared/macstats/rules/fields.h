/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Registers, their fields, and what these are for.
 */
#ifndef MACSTATS_RULES_FIELDS_H
#define MACSTATS_RULES_FIELDS_H

#include "counters.h"

MACSTATS_FN enum macstats_rule macstats__broken_by_register(const struct macstats_model *model,
							    const struct macstats_register *reg)
{
	if (reg->access > MACSTATS_RW)
		return MACSTATS_RULE_UNKNOWN_VALUE;
	if (reg->reset & ~macstats_bits_mask(model->bus_bits))
		return MACSTATS_RULE_BITS;
	if (reg->offset % macstats_word_step(model))
		return MACSTATS_RULE_ALIGNMENT;
	if (reg->block >= model->n_blocks)
		return MACSTATS_RULE_NO_SUCH_BLOCK;
	return reg->roles && macstats_field_count(reg) ? MACSTATS_RULE_ROLE_BESIDE_FIELDS :
							 MACSTATS_RULE_NONE;
}

MACSTATS_FN struct macstats_finding macstats__rules_registers(const struct macstats_model *model)
{
	__u32 step = macstats_word_step(model);
	unsigned int i;

	for (i = 0; i < model->n_registers; i++) {
		const struct macstats_register *reg = &model->registers[i];
		enum macstats_rule rule = macstats__broken_by_register(model, reg);

		if (rule)
			return macstats__broken(rule, MACSTATS_PART_REGISTERS, i);
		if (!i)
			continue;
		rule = macstats__broken_by_place(reg->offset, reg[-1].offset,
						 reg[-1].offset + step);
		if (rule)
			return macstats__collision(rule, MACSTATS_PART_REGISTERS, i, reg[-1].name);
	}
	return macstats_no_finding;
}

MACSTATS_FN enum macstats_rule macstats__broken_by_field(const struct macstats_model *model,
							 const struct macstats_register *reg,
							 const struct macstats_field *field)
{
	if (field->access > MACSTATS_RW)
		return MACSTATS_RULE_UNKNOWN_VALUE;
	if (!field->bits || 0u + field->lsb + field->bits > model->bus_bits)
		return MACSTATS_RULE_FIELD_WIDTH;
	if (field->access == MACSTATS_RW && reg->access == MACSTATS_RO)
		return MACSTATS_RULE_FIELD_ACCESS;
	if (field->singlepulse && field->access != MACSTATS_RW)
		return MACSTATS_RULE_SINGLEPULSE_READ_ONLY;
	return MACSTATS_RULE_NONE;
}

MACSTATS_FN struct macstats_finding macstats__rules_fields_of(const struct macstats_model *model,
							      unsigned int reg)
{
	const struct macstats_field *fields = model->registers[reg].fields;
	unsigned int n = macstats_field_count(&model->registers[reg]);
	unsigned int i;
	unsigned int k = 0;

	for (i = 0; i < MACSTATS_MAX_FIELDS; i++) {
		enum macstats_rule rule = MACSTATS_RULE_NONE;

		if (i > n && fields[i].bits)
			rule = MACSTATS_RULE_GAP_IN_LIST;
		else if (i < n || !macstats_is_null(fields[i].name))
			rule = macstats__broken_by_field(model, &model->registers[reg], &fields[i]);
		if (rule)
			return macstats__broken_field(rule, reg, i);
		for (k = 0; k < i; k++)
			if (macstats__field_mask(&fields[k]) & macstats__field_mask(&fields[i]))
				return macstats__collision(MACSTATS_RULE_FIELD_OVERLAP,
							   MACSTATS_PART_FIELDS,
							   reg * MACSTATS_MAX_FIELDS + i,
							   fields[k].name);
	}
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats__rules_fields(const struct macstats_model *model)
{
	struct macstats_finding finding = macstats_no_finding;
	unsigned int i;

	for (i = 0; i < model->n_registers && !finding.rule; i++)
		finding = macstats__rules_fields_of(model, i);
	return finding;
}

/* The access of a field that may have a role. */
enum macstats_access_kind {
	MACSTATS_ROLE_IS_ANY,
	MACSTATS_ROLE_IS_READ_ONLY,
	MACSTATS_ROLE_IS_STORED,
	MACSTATS_ROLE_IS_COMMAND,
};

#define MACSTATS_ROLE_ACCESS(name, access) MACSTATS_ROLE_IS_##access,
MACSTATS_TABLE const __u8 macstats_role_access[] = {
	MACSTATS_ROLE_LIST(MACSTATS_ROLE_ACCESS)
};
#undef MACSTATS_ROLE_ACCESS

enum macstats_role_masks {
	MACSTATS_WINDOW_ROLES = MACSTATS_ROLE_WINDOW_INDEX | MACSTATS_ROLE_WINDOW_START |
				MACSTATS_ROLE_WINDOW_LOW | MACSTATS_ROLE_WINDOW_HIGH,
	MACSTATS_BLOCK_ROLES = MACSTATS_ROLE_SNAPSHOT_REQUEST | MACSTATS_ROLE_SNAPSHOT_GRANTED |
			       MACSTATS_ROLE_DUMP | MACSTATS_WINDOW_ROLES |
			       MACSTATS_ROLE_WRITE_ENABLE |
			       MACSTATS_ROLE_CLEAR | MACSTATS_ROLE_INCREMENT |
			       MACSTATS_ROLE_CLEAR_ON_READ | MACSTATS_ROLE_SATURATE |
			       MACSTATS_ROLE_FREEZE |
			       MACSTATS_ROLE_PARITY_ERROR | MACSTATS_ROLE_PARITY_CLEAR,
};

MACSTATS_FN bool macstats__may_have_role(const struct macstats_field *field, unsigned int number)
{
	switch (macstats_role_access[number]) {
	case MACSTATS_ROLE_IS_READ_ONLY:
		return field->access == MACSTATS_RO;
	case MACSTATS_ROLE_IS_STORED:
		return field->access == MACSTATS_RW && !field->singlepulse;
	case MACSTATS_ROLE_IS_COMMAND:
		return field->singlepulse;
	default:
		return true;
	}
}

/* Check that a block has both of two roles, or that @field has neither. */
MACSTATS_FN bool macstats__has_partner(const struct macstats_field *field, __u32 roles,
				       const struct macstats_bit *a, const struct macstats_bit *b)
{
	return !(field->roles & roles) || (a->mask && b->mask);
}

/*
 * One rule for the maximum frame length, unless a bit tells which one holds, with two lengths that
 * differ.
 */
MACSTATS_FN enum macstats_rule macstats__broken_by_switch(const struct macstats_model *model,
							  const struct macstats_roles *roles)
{
	const struct macstats_switch *lengths = &model->max_frame_switch;

	if (((roles->max_frame_rx.mask || roles->max_frame_tx.mask) &&
	     !roles->max_frame_enable.mask) || model->default_max_frame)
		return MACSTATS_RULE_TWO_MAXIMA;
	if (lengths->off == lengths->on || lengths->off < 1518 || lengths->on < 1518 ||
	    lengths->off > MACSTATS_FRAME_MAX || lengths->on > MACSTATS_FRAME_MAX)
		return MACSTATS_RULE_SWITCHED_LENGTHS;
	return MACSTATS_RULE_NONE;
}

/* The rule that a field of @block breaks with its roles. */
MACSTATS_FN enum macstats_rule macstats__broken_by_roles(const struct macstats_model *model,
							 const struct macstats_roles *roles,
							 unsigned int block,
							 const struct macstats_field *field)
{
	const struct macstats_block_roles *of = &roles->blocks[block];
	const __u32 maxima = MACSTATS_ROLE_MAX_FRAME_RX | MACSTATS_ROLE_MAX_FRAME_TX;
	unsigned int i;

	if (field->roles >> MACSTATS_ROLES)
		return MACSTATS_RULE_UNKNOWN_VALUE;
	for (i = 0; i < MACSTATS_ROLES; i++)
		if ((field->roles >> i & 1) && !macstats__may_have_role(field, i))
			return MACSTATS_RULE_ROLE_ACCESS;
	if (!macstats__has_partner(field, MACSTATS_ROLE_SNAPSHOT_REQUEST |
					 MACSTATS_ROLE_SNAPSHOT_GRANTED,
				   &of->snapshot_request, &of->snapshot_granted) ||
	    !macstats__has_partner(field, MACSTATS_ROLE_PARITY_ERROR | MACSTATS_ROLE_PARITY_CLEAR,
				   &of->parity_error, &of->parity_clear))
		return MACSTATS_RULE_ROLE_INCOMPLETE;
	if ((field->roles & MACSTATS_ROLE_DUMP) && of->snapshot_request.mask)
		return MACSTATS_RULE_TWO_HOLDS;
	if ((field->roles & MACSTATS_ROLE_MAX_FRAME_ENABLE) && !roles->max_frame_rx.mask &&
	    !roles->max_frame_tx.mask)
		return MACSTATS_RULE_ROLE_INCOMPLETE;
	if ((field->roles & maxima) && macstats_bits_mask(field->bits) < 1518)
		return MACSTATS_RULE_MAX_FRAME_WIDTH;
	if ((field->roles & MACSTATS_ROLE_RETRY_LIMIT) &&
	    macstats_bits_mask(field->bits) >= MACSTATS_ATTEMPT_LIMIT)
		return MACSTATS_RULE_RETRY_WIDTH;
	return field->roles & MACSTATS_ROLE_MAX_FRAME_SWITCH ?
		       macstats__broken_by_switch(model, roles) : MACSTATS_RULE_NONE;
}

/* Field @i of a register. One without fields is one field. */
MACSTATS_FN struct macstats_field macstats__field_at(const struct macstats_model *model,
						     const struct macstats_register *reg,
						     unsigned int i)
{
	const struct macstats_field whole = {
		reg->name, 0, model->bus_bits, reg->access, false, reg->help,
		reg->roles,
	};

	return macstats_field_count(reg) ? reg->fields[i] : whole;
}

/*
 * The name of a field before field @at of register @reg with one of @roles, of which there is one
 * only, or one of each block; "" without one.
 */
MACSTATS_FN const char *macstats__role_taken_by(const struct macstats_model *model, __u32 roles,
						unsigned int reg, unsigned int at)
{
	unsigned int i;
	unsigned int k = 0;

	roles &= ~(__u32)MACSTATS_ROLE_IDENTITY;
	for (i = 0; roles && i <= reg; i++) {
		const struct macstats_register *other = &model->registers[i];
		unsigned int n = i < reg ? macstats_field_count(other) : at;
		__u32 shared = roles;

		if (other->block != model->registers[reg].block)
			shared &= ~(__u32)MACSTATS_BLOCK_ROLES;
		/* A switch has a gate with a bit for each port. */
		if (i == reg)
			shared &= ~(__u32)MACSTATS_ROLE_GATE;
		if (i < reg && (other->roles & shared))
			return other->name;
		for (k = 0; k < n; k++)
			if (other->fields[k].roles & shared)
				return other->fields[k].name;
	}
	return "";
}

MACSTATS_FN struct macstats_finding macstats__rules_roles_of(const struct macstats_model *model,
							     const struct macstats_roles *roles,
							     unsigned int reg)
{
	const struct macstats_register *at = &model->registers[reg];
	unsigned int n = macstats_field_count(at);
	enum macstats_part part = n ? MACSTATS_PART_FIELDS : MACSTATS_PART_REGISTERS;
	unsigned int first = n ? reg * MACSTATS_MAX_FIELDS : reg;
	unsigned int i = 0;

	do {
		const struct macstats_field field = macstats__field_at(model, at, i);
		enum macstats_rule rule = macstats__broken_by_roles(model, roles, at->block,
								    &field);
		const char *other = macstats__role_taken_by(model, field.roles, reg, i);

		if (rule)
			return macstats__broken(rule, part, first + i);
		if (*other)
			return macstats__collision(MACSTATS_RULE_ROLE_TWICE, part, first + i,
						   other);
	} while (++i < n);
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats__rules_roles(const struct macstats_model *model)
{
	const struct macstats_roles roles = macstats_find_roles(model);
	struct macstats_finding finding = macstats_no_finding;
	unsigned int identities = 0;
	unsigned int i;

	for (i = 0; i < model->n_registers && !finding.rule; i++) {
		const struct macstats_register *reg = &model->registers[i];

		finding = macstats__rules_roles_of(model, &roles, i);
		if (macstats__role_mask(model, reg, MACSTATS_ROLE_IDENTITY))
			identities++;
		if (!finding.rule && identities > MACSTATS_MAX_IDENTITY)
			return macstats__broken(MACSTATS_RULE_TOO_MANY_IDENTITIES,
						MACSTATS_PART_REGISTERS, i);
	}
	return finding;
}

/*
 * Check that a block has a window and what it needs, with the command in one register and nothing
 * else that holds the counters, or that it has none of that.
 */
MACSTATS_FN bool macstats__has_whole_window(const struct macstats_block_roles *of, bool window)
{
	if (!window)
		return !(of->window_index.mask | of->window_start.mask | of->window_low.mask |
			 of->window_high.mask);
	return of->window_index.mask && of->window_start.mask && of->window_low.mask &&
	       of->window_index.offset == of->window_start.offset && !macstats__is_held(of);
}

/* The options that build the blocks, their windows, and how hardware shows that it lacks one. */
MACSTATS_FN struct macstats_finding
macstats__rules_block_options(const struct macstats_model *model)
{
	const unsigned int directions = MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS;
	const unsigned int all = MACSTATS_OPT_STATISTICS | directions;
	const struct macstats_roles roles = macstats_find_roles(model);
	unsigned int identified = 0;
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++) {
		unsigned int option = model->blocks[i].option;

		if (!macstats__has_whole_window(&roles.blocks[i], model->blocks[i].window))
			return macstats__broken(MACSTATS_RULE_WINDOW, MACSTATS_PART_BLOCKS, i);
		if (option && (!macstats__is_subset(option, directions) ||
			       (option & (option - 1)) ||
			       !macstats__is_subset(option, model->options)))
			return macstats__broken(MACSTATS_RULE_BLOCK_OPTION, MACSTATS_PART_BLOCKS,
						i);
	}
	if (!macstats__is_subset(model->options & all, macstats_statistics_options(model)))
		return macstats__broken(MACSTATS_RULE_OPTION_WITHOUT_BLOCK, MACSTATS_PART_MODEL, 0);
	for (i = 0; i < roles.n_identity; i++) {
		int reg = macstats_register_at(model, roles.identity[i].offset);

		if (reg >= 0)
			identified |= macstats_block_option(model, model->registers[reg].block);
	}
	for (i = 0; i < model->n_blocks; i++)
		if (identified ? !macstats__is_subset(macstats_block_option(model, i), identified) :
				 model->blocks[i].option && !roles.blocks[i].snapshot_request.mask)
			return macstats__broken(MACSTATS_RULE_BLOCK_UNIDENTIFIED,
						MACSTATS_PART_BLOCKS, i);
	return macstats_no_finding;
}

/* Check whether bits of a register are exactly a field. A register without fields is one. */
MACSTATS_FN bool macstats__is_a_field(const struct macstats_model *model,
				      const struct macstats_bit *bit)
{
	int at = macstats_register_at(model, bit->offset);
	unsigned int n = at < 0 ? 0 : macstats_field_count(&model->registers[at]);
	unsigned int i;

	for (i = 0; i < n; i++)
		if (macstats__field_mask(&model->registers[at].fields[i]) == bit->mask)
			return true;
	return at >= 0 && !n && bit->mask == macstats_bits_mask(model->bus_bits);
}

/* The bits that show which counters the hardware has. */
MACSTATS_FN struct macstats_finding macstats__rules_present(const struct macstats_model *model)
{
	unsigned int i;

	for (i = 0; i < model->n_counters; i++)
		if (model->counters[i].present.mask &&
		    !macstats__is_a_field(model, &model->counters[i].present))
			return macstats__broken(MACSTATS_RULE_BIT_NOT_A_FIELD,
						MACSTATS_PART_COUNTERS, i);
	return macstats_no_finding;
}

#endif /* MACSTATS_RULES_FIELDS_H */
