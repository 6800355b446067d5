/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Names: ethtool's limit, the case, and that each is there once, in metrics too.
 */
#ifndef MACSTATS_RULES_NAMES_H
#define MACSTATS_RULES_NAMES_H

#include "../feature/index.h"
#include "finding.h"

/*
 * A name in metrics: that which node_exporter's ethtool collector gives to a string of ethtool -S,
 * or that of the family of `macstats export`.
 */
struct macstats_metric_name {
	/* The longest one is of "tx_rx_tx_...": 21 characters for every six. NUL-terminated. */
	char text[4 * (MACSTATS_NAME_LEN + 1) + 12];
	unsigned int length;
};

MACSTATS_TABLE const char *const macstats_renamed_totals[] = {
	"rx_bytes", "rx_dropped", "rx_errors", "rx_packets", "tx_bytes", "tx_errors", "tx_packets",
};

MACSTATS_FN void macstats__metric_name_add(struct macstats_metric_name *name, const char *text)
{
	while (*text)
		name->text[name->length++] = *text++;
	name->text[name->length] = 0;
}

/*
 * The name that the collector gives to a string of ethtool -S of lower case, digits and single
 * underscores. It spells out the words rx and tx, but of two that are the same and follow each
 * other only the first, and appends "_total" to the names in its own list.
 */
MACSTATS_FN void macstats__spell_out(struct macstats_metric_name *name, const char *string)
{
	const char *token = string;
	char last = 0;	/* 'r' or 't', if that word was spelt out in front of this one */
	unsigned int i;

	name->length = 0;
	while (*token) {
		bool is_word = (token[0] == 'r' || token[0] == 't') && token[1] == 'x' &&
			       (token[2] == '_' || !token[2]) && token[0] != last;

		last = is_word ? token[0] : 0;
		if (is_word) {
			macstats__metric_name_add(name, *token == 'r' ? "received" : "transmitted");
			token += 2;
		}
		while (*token && *token != '_')
			name->text[name->length++] = *token++;
		if (*token)
			name->text[name->length++] = *token++;
	}
	name->text[name->length] = 0;
	for (i = 0; i < MACSTATS_COUNT_OF(macstats_renamed_totals); i++)
		if (macstats__is_same_text(string, macstats_renamed_totals[i]))
			macstats__metric_name_add(name, "_total");
}

/*
 * The name of a counter's family: without the number if there is one for each queue. It ends with
 * the unit, and so may the counter's name.
 */
MACSTATS_FN void macstats__family_name(struct macstats_metric_name *name, const char *counter,
				       bool indexed, const char *unit)
{
	const struct macstats_numbered_name parts = macstats_number_in(counter);
	unsigned int length = 0;
	unsigned int i;

	for (name->length = 0; indexed && name->length < parts.head; name->length++)
		name->text[name->length] = counter[name->length];
	macstats__metric_name_add(name, indexed ? counter + parts.tail : counter);
	while (unit[length])
		length++;
	for (i = 0; i < length && i < name->length; i++)
		if (name->text[name->length - 1 - i] != unit[length - 1 - i])
			break;
	if (i == length && name->length > i && name->text[name->length - 1 - i] == '_')
		return;
	macstats__metric_name_add(name, "_");
	macstats__metric_name_add(name, unit);
}

/* Text @i of those that must differ, or NULL. @room: a place for a text that is made. */
typedef const char *macstats_text_at(const struct macstats_model *model, unsigned int i,
				     struct macstats_metric_name *room);

MACSTATS_FN const char *macstats__name_at(const struct macstats_model *model, unsigned int i,
					  struct macstats_metric_name *room)
{
	(void)room;
	return model->counters[i].name;
}

/* The datasheet names of counters, and after them those of registers. */
MACSTATS_FN const char *macstats__reg_at(const struct macstats_model *model, unsigned int i,
					 struct macstats_metric_name *room)
{
	(void)room;
	return i < model->n_counters ? model->counters[i].reg :
				       model->registers[i - model->n_counters].name;
}

MACSTATS_FN const char *macstats__renamed_at(const struct macstats_model *model, unsigned int i,
					     struct macstats_metric_name *room)
{
	/* Of lower case, digits and single underscores, by a rule. */
	macstats__spell_out(room, model->counters[i].name);
	return room->text;
}

MACSTATS_FN const char *macstats__family_at(const struct macstats_model *model, unsigned int i,
					    struct macstats_metric_name *room)
{
	const struct macstats_counter *counter = &model->counters[i];

	if (counter->index)
		return NULL;
	macstats__family_name(room, counter->name, counter->index_of,
			      macstats_metric_unit((enum macstats_unit)counter->unit));
	return room->text;
}

MACSTATS_FN __u32 macstats__text_hash(const char *text)
{
	__u32 value = 0x811c9dc5;	/* FNV-1a */

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * 0x01000193u;
	return value;
}

/* Note in @bits that bit @i was seen. Return: it was before. */
MACSTATS_FN bool macstats__was_seen(__u8 *bits, unsigned int i)
{
	unsigned int bit = 1u << i % 8;
	bool before = bits[i / 8] & bit;

	bits[i / 8] = (__u8)(bits[i / 8] | bit);
	return before;
}

struct macstats_twins {
	unsigned int earlier;
	unsigned int later;
};

#define MACSTATS_SEEN_BITS	2048
#define MACSTATS_MAX_TEXTS	(MACSTATS_MAX_COUNTERS + MACSTATS_MAX_REGISTERS)

/*
 * Find the first of @n texts that equals an earlier one. It compares only those texts with all
 * earlier ones whose hash may have come before: to compare all pairs would exceed the
 * compiler's limit of steps.
 */
MACSTATS_FN bool macstats__find_twins(const struct macstats_model *model, unsigned int n,
				      macstats_text_at *text_at, struct macstats_twins *twins)
{
	struct macstats_metric_name rooms[2] = { { { 0 }, 0 }, { { 0 }, 0 } };
	__u8 seen[MACSTATS_SEEN_BITS / 8] = { 0 };
	__u32 hashes[MACSTATS_MAX_TEXTS] = { 0 };	/* 0: there is no text */
	unsigned int i;
	unsigned int k = 0;

	for (i = 0; i < n; i++) {
		const char *text = text_at(model, i, &rooms[0]);
		bool low = false;
		bool high = false;

		if (macstats_is_null(text))
			continue;
		hashes[i] = macstats__text_hash(text) | 1u;
		low = macstats__was_seen(seen, (hashes[i] >> 1) % MACSTATS_SEEN_BITS);
		high = macstats__was_seen(seen, (hashes[i] >> 16) % MACSTATS_SEEN_BITS);
		for (k = 0; low && high && k < i; k++) {
			if (hashes[k] == hashes[i] &&
			    macstats__is_same_text(text_at(model, k, &rooms[1]), text)) {
				twins->earlier = k;
				twins->later = i;
				return true;
			}
		}
	}
	return false;
}

MACSTATS_FN bool macstats__lacks_text(const char *name, const char *help)
{
	return macstats__is_empty_text(name) || macstats__is_empty_text(help);
}

MACSTATS_FN struct macstats_finding macstats__rules_texts(const struct macstats_model *model)
{
	const enum macstats_rule missing = MACSTATS_RULE_TEXT_MISSING;
	unsigned int i;
	unsigned int k = 0;

	if (macstats__lacks_text(model->name, model->title) ||
	    macstats__is_empty_text(model->datasheet))
		return macstats__broken(missing, MACSTATS_PART_MODEL, 0);
	for (i = 0; i < model->n_counters; i++)
		if (macstats__lacks_text(model->counters[i].name, model->counters[i].help) ||
		    macstats__is_empty_text(model->counters[i].reg))
			return macstats__broken(missing, MACSTATS_PART_COUNTERS, i);
	for (i = 0; i < model->n_registers; i++)
		if (macstats__lacks_text(model->registers[i].name, model->registers[i].help))
			return macstats__broken(missing, MACSTATS_PART_REGISTERS, i);
	for (i = 0; i < model->n_registers; i++)
		for (k = 0; k < macstats_field_count(&model->registers[i]); k++)
			if (macstats__lacks_text(model->registers[i].fields[k].name,
						 model->registers[i].fields[k].help))
				return macstats__broken_field(missing, i, k);
	for (i = 0; i < model->n_blocks; i++)
		if (macstats__is_empty_text(model->blocks[i].name))
			return macstats__broken(missing, MACSTATS_PART_BLOCKS, i);
	for (i = 0; i < model->n_regions; i++)
		if (macstats__is_empty_text(model->regions[i].name))
			return macstats__broken(missing, MACSTATS_PART_REGIONS, i);
	return macstats_no_finding;
}

MACSTATS_FN bool macstats__is_snake_case(const char *name)
{
	char before = '_';

	for (; *name; name++) {
		bool letter = *name >= 'a' && *name <= 'z';
		bool digit = *name >= '0' && *name <= '9';

		if (!letter && !digit && !(*name == '_' && before != '_'))
			return false;
		before = *name;
	}
	return before != '_';
}

MACSTATS_FN bool macstats__has_prefix(const char *name, unsigned int direction)
{
	bool rx = macstats__begins_with(name, "rx_");
	bool tx = macstats__begins_with(name, "tx_");
	bool rxtx = macstats__begins_with(name, "rxtx_");

	switch (direction) {
	case MACSTATS_RX:
		return rx;
	case MACSTATS_TX:
		return tx;
	case MACSTATS_RX | MACSTATS_TX:
		return rxtx;
	default:
		return rx || tx || rxtx;
	}
}

/* The number of revisions that a model names. */
MACSTATS_FN unsigned int macstats__count_revisions(const struct macstats_model *model)
{
	unsigned int n = 0;

	while (n < MACSTATS_MAX_REVISIONS && !macstats__is_empty_text(model->revisions[n]))
		n++;
	return n;
}

/* A model's revisions: valid words, each one once, with an option for all but the first. */
MACSTATS_FN struct macstats_finding macstats__rules_revisions(const struct macstats_model *model)
{
	unsigned int n = macstats__count_revisions(model);
	unsigned int later = n ? (1u << (n - 1)) - 1 : 0;
	unsigned int i;
	unsigned int k = 0;

	for (i = 0; i < MACSTATS_MAX_REVISIONS; i++) {
		const char *name = model->revisions[i];

		if (i >= n && !macstats_is_null(name))
			return macstats__broken(i > n ? MACSTATS_RULE_GAP_IN_LIST :
							MACSTATS_RULE_TEXT_MISSING,
						MACSTATS_PART_REVISIONS, i);
		if (i < n && !macstats__is_snake_case(name))
			return macstats__broken(MACSTATS_RULE_NAME_NOT_SNAKE_CASE,
						MACSTATS_PART_REVISIONS, i);
		for (k = 0; i < n && k < i; k++)
			if (macstats__is_same_text(model->revisions[k], name))
				return macstats__collision(MACSTATS_RULE_NAME_TWICE,
							   MACSTATS_PART_REVISIONS, i, name);
	}
	if ((model->options & MACSTATS_OPT_REVISIONS) != later * MACSTATS_OPT_REVISION_2 ||
	    (model->default_options & MACSTATS_OPT_REVISIONS))
		return macstats__broken(MACSTATS_RULE_REVISION_OPTIONS, MACSTATS_PART_MODEL, 0);
	return macstats_no_finding;
}

/* Length of a text, but no further than @most. */
MACSTATS_FN unsigned int macstats__text_length(const char *text, unsigned int most)
{
	unsigned int n = 0;

	while (n < most && text[n])
		n++;
	return n;
}

MACSTATS_FN enum macstats_rule
macstats__broken_by_name(const struct macstats_counter *counter)
{
	if (macstats__text_length(counter->name, MACSTATS_NAME_LEN + 1) > MACSTATS_NAME_LEN)
		return MACSTATS_RULE_NAME_TOO_LONG;
	if (!macstats__is_snake_case(counter->name))
		return MACSTATS_RULE_NAME_NOT_SNAKE_CASE;
	if (!macstats__has_prefix(counter->name, macstats_counter_direction(counter)))
		return MACSTATS_RULE_NAME_PREFIX;
	return MACSTATS_RULE_NONE;
}

MACSTATS_FN struct macstats_finding macstats__rules_names(const struct macstats_model *model)
{
	struct macstats_twins twins = { 0, 0 };

	if (macstats__find_twins(model, model->n_counters, macstats__name_at, &twins))
		return macstats__collision(MACSTATS_RULE_NAME_TWICE, MACSTATS_PART_COUNTERS,
					   twins.later, model->counters[twins.earlier].name);
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding
macstats__rules_register_names(const struct macstats_model *model)
{
	unsigned int counters = model->n_counters;
	struct macstats_twins twins = { 0, 0 };
	const char *other = "";

	if (!macstats__find_twins(model, counters + model->n_registers, macstats__reg_at, &twins))
		return macstats_no_finding;
	other = twins.earlier < counters ? model->counters[twins.earlier].name :
					   model->registers[twins.earlier - counters].name;
	if (twins.later < counters)
		return macstats__collision(MACSTATS_RULE_REGISTER_NAME_TWICE,
					   MACSTATS_PART_COUNTERS, twins.later, other);
	return macstats__collision(MACSTATS_RULE_REGISTER_NAME_TWICE, MACSTATS_PART_REGISTERS,
				   twins.later - counters, other);
}

MACSTATS_FN struct macstats_finding
macstats__rules_metric_names(const struct macstats_model *model, macstats_text_at *name_at)
{
	struct macstats_twins twins = { 0, 0 };

	if (macstats__find_twins(model, model->n_counters, name_at, &twins))
		return macstats__collision(MACSTATS_RULE_METRIC_NAME_TWICE,
					   MACSTATS_PART_COUNTERS, twins.later,
					   model->counters[twins.earlier].name);
	return macstats_no_finding;
}

MACSTATS_FN struct macstats_finding
macstats__rules_renamed_names(const struct macstats_model *model)
{
	return macstats__rules_metric_names(model, macstats__renamed_at);
}

MACSTATS_FN struct macstats_finding
macstats__rules_family_names(const struct macstats_model *model)
{
	return macstats__rules_metric_names(model, macstats__family_at);
}

#endif /* MACSTATS_RULES_NAMES_H */
