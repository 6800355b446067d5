/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The rules that every model keeps, for C++ alone. macstats__find_violation() names the first rule
 * that a model breaks, and the row that breaks it. check.h lets the compiler apply the rules.
 */
#ifndef MACSTATS_RULES_H
#define MACSTATS_RULES_H

#include "feature/descriptors_rules.h"
#include "feature/index_rules.h"
#include "rules/fields.h"
#include "rules/places.h"
#include "rules/settings.h"
#include "rules/standard.h"

/* In this order: later ones rely on what earlier ones found to be in order. */
typedef struct macstats_finding (*macstats_rule_group)(const struct macstats_model *model);
MACSTATS_TABLE const macstats_rule_group macstats_rule_groups[] = {
	macstats__rules_limits,
	macstats__rules_texts,
	macstats__rules_settings,
	macstats__rules_revisions,
	macstats__rules_descriptors,
	macstats__rules_counters,
	macstats__rules_registers,
	macstats__rules_overlaps,
	macstats__rules_regions,
	macstats__rules_ports,
	macstats__rules_fields,
	macstats__rules_roles,
	macstats__rules_present,
	macstats__rules_block_options,
	macstats__rules_standard,
	macstats__rules_names,
	macstats__rules_index,
	macstats__rules_register_names,
	macstats__rules_renamed_names, macstats__rules_family_names,
	macstats__rules_dump,
};

/* Find the first rule that @model breaks, and where; MACSTATS_RULE_NONE if it keeps all. */
MACSTATS_FN struct macstats_finding macstats__find_violation(const struct macstats_model *model)
{
	struct macstats_finding finding = macstats_no_finding;
	unsigned int i;

	for (i = 0; i < MACSTATS_COUNT_OF(macstats_rule_groups) && !finding.rule; i++)
		finding = macstats_rule_groups[i](model);
	return finding;
}

/* The name of the row that a finding is about; a member without rows names itself. */
MACSTATS_FN const char *macstats__finding_row(const struct macstats_model *model,
					      const struct macstats_finding *finding)
{
	const char *part = macstats_part_texts[finding->part];
	const char *name = part;

	if (finding->rule == MACSTATS_RULE_TOO_MANY_ROWS ||
	    finding->rule == MACSTATS_RULE_TABLE_MISSING)
		return part;
	switch (finding->part) {
	case MACSTATS_PART_COUNTERS:
		name = model->counters[finding->row].name;
		if (macstats__is_empty_text(name))
			name = model->counters[finding->row].reg;
		break;
	case MACSTATS_PART_REGISTERS:
		name = model->registers[finding->row].name;
		break;
	case MACSTATS_PART_FIELDS:
		name = model->registers[finding->row / MACSTATS_MAX_FIELDS]
			       .fields[finding->row % MACSTATS_MAX_FIELDS].name;
		break;
	case MACSTATS_PART_TX_STATUS:
		name = model->descriptor->tx_status[finding->row].name;
		break;
	case MACSTATS_PART_REGIONS:
		name = model->regions[finding->row].name;
		break;
	case MACSTATS_PART_REVISIONS:
		name = model->revisions[finding->row];
		break;
	case MACSTATS_PART_RX_STATUS:
		name = model->descriptor->rx_status[finding->row].name;
		break;
	default:
		break;
	}
	return macstats__is_empty_text(name) ? part : name;
}

/* How a message names a model. */
MACSTATS_FN const char *macstats__finding_model(const struct macstats_model *model)
{
	return macstats__is_empty_text(model->name) ? "a model" : model->name;
}

#endif /* MACSTATS_RULES_H */
