/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What holds for a model as a whole: its limits, size classes, options and lengths.
 */
#ifndef MACSTATS_RULES_SETTINGS_H
#define MACSTATS_RULES_SETTINGS_H

#include "finding.h"

MACSTATS_FN struct macstats_finding macstats__rules_limits(const struct macstats_model *model)
{
	if (!macstats__is_between(model->n_counters, 1, MACSTATS_MAX_COUNTERS))
		return macstats__broken(MACSTATS_RULE_TOO_MANY_ROWS, MACSTATS_PART_COUNTERS, 0);
	if (model->n_registers > MACSTATS_MAX_REGISTERS)
		return macstats__broken(MACSTATS_RULE_TOO_MANY_ROWS, MACSTATS_PART_REGISTERS, 0);
	if (!macstats__is_between(model->n_blocks, 1, MACSTATS_MAX_BLOCKS))
		return macstats__broken(MACSTATS_RULE_TOO_MANY_ROWS, MACSTATS_PART_BLOCKS, 0);
	if (model->n_reserved > MACSTATS_MAX_RESERVED)
		return macstats__broken(MACSTATS_RULE_TOO_MANY_ROWS, MACSTATS_PART_RESERVED, 0);
	if (model->n_regions > MACSTATS_MAX_REGIONS)
		return macstats__broken(MACSTATS_RULE_TOO_MANY_ROWS, MACSTATS_PART_REGIONS, 0);
	if (macstats_is_null(model->counters))
		return macstats__broken(MACSTATS_RULE_TABLE_MISSING, MACSTATS_PART_COUNTERS, 0);
	if (model->n_registers && macstats_is_null(model->registers))
		return macstats__broken(MACSTATS_RULE_TABLE_MISSING, MACSTATS_PART_REGISTERS, 0);
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding macstats__rules_sizes(const struct macstats_model *model)
{
	const struct macstats_sizes *sizes = &model->sizes;
	unsigned int edges = macstats_size_classes(sizes) - 1;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_EDGES; i++) {
		unsigned int lift = sizes->tagged_edges >> i & 1 ? MACSTATS_TAG_LEN : 0;
		unsigned int next = sizes->tagged_edges >> (i + 1) & 1 ? MACSTATS_TAG_LEN : 0;

		/* Behind the end of the list nothing may follow. */
		if (i >= edges && (sizes->edge[i] || lift))
			return macstats__broken(MACSTATS_RULE_EDGE_ORDER, MACSTATS_PART_SIZES, i);
		if (sizes->edge[i] + lift > MACSTATS_FRAME_MAX)
			return macstats__broken(MACSTATS_RULE_EDGE_RANGE, MACSTATS_PART_SIZES, i);
		if (i + 1 < edges && (sizes->edge[i] >= sizes->edge[i + 1] ||
				      sizes->edge[i] + lift >= sizes->edge[i + 1] + next))
			return macstats__broken(MACSTATS_RULE_EDGE_ORDER, MACSTATS_PART_SIZES,
						i + 1);
	}
	return macstats_no_finding;
}

/* The rule that the settings of the model as a whole break. */
MACSTATS_FN enum macstats_rule macstats__broken_by_settings(const struct macstats_model *model)
{
	if ((model->bus_bits != 8 && model->bus_bits != 16 && model->bus_bits != 32) ||
	    !model->address_unit_bits || model->bus_bits % model->address_unit_bits)
		return MACSTATS_RULE_BUS_WIDTH;
	if (model->line_rate_bps < MACSTATS_LINE_RATE_MIN_BPS ||
	    model->line_rate_bps > MACSTATS_LINE_RATE_MAX_BPS)
		return MACSTATS_RULE_LINE_RATE;
	if (!model->ports)
		return MACSTATS_RULE_NO_PORTS;
	if (model->block_lines > 16 || (model->block_lines > 1 && model->ports > 1))
		return MACSTATS_RULE_LINES_OF_PORTS;
	if (model->tx_pad_to < model->tx_shortest)
		return MACSTATS_RULE_PADDING;
	if (!macstats__is_subset(model->options, MACSTATS_OPT_ALL) ||
	    !macstats__is_subset(model->default_options, model->options))
		return MACSTATS_RULE_UNKNOWN_OPTION;
	if ((model->default_options & MACSTATS_OPT_SPEEDS) ||
	    ((model->options & MACSTATS_OPT_100M) && model->line_rate_bps <= 100000000) ||
	    ((model->options & MACSTATS_OPT_10M) && model->line_rate_bps <= 10000000))
		return MACSTATS_RULE_SPEED;
	if (model->variant_control_overhead && !(model->options & MACSTATS_OPT_VARIANT))
		return MACSTATS_RULE_NO_VARIANT;
	if ((model->options & MACSTATS_OPT_VARIANT) && macstats__is_empty_text(model->variant))
		return MACSTATS_RULE_VARIANT_UNEXPLAINED;
	return model->power_up > MACSTATS_POWER_UP_RANDOM ? MACSTATS_RULE_UNKNOWN_VALUE :
							    MACSTATS_RULE_NONE;
}

MACSTATS_FN struct macstats_finding macstats__rules_settings(const struct macstats_model *model)
{
	enum macstats_rule rule = macstats__broken_by_settings(model);
	struct macstats_finding finding = macstats__broken(rule, MACSTATS_PART_MODEL, 0);

	return finding.rule ? finding : macstats__rules_sizes(model);
}

#endif /* MACSTATS_RULES_SETTINGS_H */
