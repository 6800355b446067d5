/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A model of the driver: a copy of cpsw, with other texts, whole or broken. All of it is in the
 * memory of the driver.
 */
#ifndef MACSTATS_TEST_OWN_MODEL_H
#define MACSTATS_TEST_OWN_MODEL_H

#include <linux/sizes.h>
#include <linux/string.h>

#include "macstats.h"

#define OWN_FIELDS	32
#define OWN_POISON	0x5a

static struct macstats_model own_model;
static struct macstats_counter own_counters[MACSTATS_MAX_COUNTERS];
static struct macstats_register own_registers[MACSTATS_MAX_REGISTERS];
static struct macstats_field own_fields[OWN_FIELDS];
static char own_texts[SZ_16K];
static size_t own_used;

/* A copy of @text; NULL if there is no room. */
static const char *own_text(const char *text)
{
	char *copy = own_texts + own_used;

	if (strscpy(copy, text, sizeof(own_texts) - own_used) < 0)
		return NULL;
	own_used += strlen(text) + 1;
	return copy;
}

static void own_copy(const struct macstats_model *from, const char *name)
{
	unsigned int i;

	own_model = *from;
	own_model.name = own_text(name);
	own_model.title = own_text(from->title);
	own_model.datasheet = own_text(from->datasheet);
	own_model.counters = own_counters;
	own_model.registers = own_registers;
	own_model.fields = own_fields;
	for (i = 0; i < from->n_counters; i++) {
		own_counters[i] = from->counters[i];
		own_counters[i].name = own_text(from->counters[i].name);
		own_counters[i].reg = own_text(from->counters[i].reg);
		own_counters[i].help = own_text(from->counters[i].help);
	}
	for (i = 0; i < from->n_registers; i++) {
		own_registers[i] = from->registers[i];
		own_registers[i].name = own_text(from->registers[i].name);
		own_registers[i].help = own_text(from->registers[i].help);
	}
	for (i = 0; i < from->n_fields; i++) {
		own_fields[i] = from->fields[i];
		own_fields[i].name = own_text(from->fields[i].name);
		own_fields[i].help = own_text(from->fields[i].help);
	}
	for (i = 0; i < from->n_blocks; i++)
		own_model.blocks[i].name = own_text(from->blocks[i].name);
	for (i = 0; i < from->n_regions; i++)
		own_model.regions[i].name = own_text(from->regions[i].name);
}

static void own_break_limits(void)
{
	own_model.n_counters = MACSTATS_MAX_COUNTERS + 1;
}

static void own_break_tables(void)
{
	own_model.counters = NULL;
}

static void own_break_texts(void)
{
	own_counters[1].help = NULL;
}

static void own_break_name(void)
{
	own_model.name = NULL;
}

static void own_break_settings(void)
{
	own_model.line_rate_bps = 0;
}

static void own_break_sizes(void)
{
	own_model.sizes.edge[1] = own_model.sizes.edge[0];
}

static void own_break_counters(void)
{
	own_counters[2].offset = own_counters[1].offset;
}

static void own_break_frames(void)
{
	own_counters[0].when[0].kind = 0xff;
}

static void own_break_descriptors(void)
{
	own_model.descriptor.first = 1;
}

static void own_break_registers(void)
{
	own_registers[0].access = 2;
}

static void own_break_overlaps(void)
{
	own_model.reserved[0].last = 0x30;
}

static void own_break_regions(void)
{
	own_model.regions[1].name = own_model.regions[0].name;
}

static void own_break_ports(void)
{
	own_model.n_regions = 0;
	own_model.block_lines = 1;
	own_model.ports = 2;
}

static void own_break_fields(void)
{
	own_fields[3].bits = 33;
}

static void own_break_bits(void)
{
	own_model.scratch[0] = own_model.gate;
	own_model.scratch[0].offset += 4;
}

static void own_break_identity(void)
{
	own_model.identity[0].value++;
}

static void own_break_options(void)
{
	own_model.blocks[0].option = MACSTATS_OPT_HALF_DUPLEX;
}

static void own_break_standard(void)
{
	own_counters[0].standard[0].id = MACSTATS_STD_COUNT;
}

static void own_break_names(void)
{
	own_counters[2].name = own_counters[1].name;
}

/* Rules are kept, but the provider cannot serve these. */
static void own_break_long_name(void)
{
	static const char name[] =
		"a_name_of_64_characters_is_one_more_than_a_netlink_request_holds";

	own_model.name = own_text(name);
}

static void own_break_long_text(void)
{
	static char text[513];

	memset(text, 'x', sizeof(text) - 1);
	own_counters[33].help = text;
}

static void own_break_nothing(void)
{
	own_counters[1].help = own_text("Received frames, in other words than before");
}

/* No rule is broken: a scratch register of one bit. */
static void own_break_scratch(void)
{
	own_model.scratch[0].offset = own_fields[0].offset;
	own_model.scratch[0].mask = 1u << own_fields[0].lsb;
}

static const struct {
	const char *name;
	void (*apply)(void);
} own_breaks[] = {
	{ "limits", own_break_limits },
	{ "tables", own_break_tables },
	{ "texts", own_break_texts },
	{ "name", own_break_name },
	{ "settings", own_break_settings },
	{ "sizes", own_break_sizes },
	{ "counters", own_break_counters },
	{ "frames", own_break_frames },
	{ "descriptors", own_break_descriptors },
	{ "registers", own_break_registers },
	{ "overlaps", own_break_overlaps },
	{ "regions", own_break_regions },
	{ "ports", own_break_ports },
	{ "fields", own_break_fields },
	{ "bits", own_break_bits },
	{ "identity", own_break_identity },
	{ "options", own_break_options },
	{ "standard", own_break_standard },
	{ "names", own_break_names },
	{ "long_name", own_break_long_name },
	{ "long_text", own_break_long_text },
	{ "nothing", own_break_nothing },
	{ "scratch", own_break_scratch },
};

/* Make the model, with the change @broken (none if it is ""). Return: NULL for no such change. */
static const struct macstats_model *own_make(const char *name, const char *broken)
{
	unsigned int i;

	own_copy(macstats_model_find("cpsw"), name);
	if (!*broken)
		return &own_model;
	for (i = 0; i < ARRAY_SIZE(own_breaks); i++) {
		if (strcmp(own_breaks[i].name, broken))
			continue;
		own_breaks[i].apply();
		return &own_model;
	}
	return NULL;
}

/* The driver is done with the rows and the texts. */
static void own_forget(void)
{
	memset(own_counters, OWN_POISON, sizeof(own_counters));
	memset(own_registers, OWN_POISON, sizeof(own_registers));
	memset(own_fields, OWN_POISON, sizeof(own_fields));
	memset(own_texts, OWN_POISON, sizeof(own_texts));
}

#endif /* MACSTATS_TEST_OWN_MODEL_H */
