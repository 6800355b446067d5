// SPDX-License-Identifier: GPL-2.0
/*
 * The strings of ethtool -S: those that a driver had before and maps to counters, then the
 * counters by their names in the model.
 */
#include <linux/ethtool.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../compat.h"
#include "internal.h"

/* An alias of a port, see struct macstats_alias. */
struct macstats_alias_row {
	char string[ETH_GSTRING_LEN];	/* without a NUL if it has as many characters */
	u16 n;
	u16 counters[MACSTATS_ALIAS_REGS];
};

/* Allocate the lists, for macstats_strings_choose(). Return: 0 or -ENOMEM. */
int macstats_strings_init(struct macstats_strings *strings,
			  const struct macstats_port_config *config)
{
	unsigned int n = 0;

	strings->counters = kvcalloc(config->model->n_counters, sizeof(*strings->counters),
				     GFP_KERNEL);
	if (!strings->counters)
		return -ENOMEM;
	while (config->aliases && config->aliases[n].string)
		n++;
	if (!n)
		return 0;
	strings->aliases = kvcalloc(n, sizeof(*strings->aliases), GFP_KERNEL);
	return strings->aliases ? 0 : -ENOMEM;
}

void macstats_strings_free(struct macstats_strings *strings)
{
	kvfree(strings->counters);
	kvfree(strings->aliases);
}

/* Add an alias, unless the hardware lacks one of its counters. */
static void macstats_strings_add(struct macstats_strings *strings,
				 const struct macstats_accumulator *acc,
				 const struct macstats_alias *alias)
{
	struct macstats_alias_row *row = &strings->aliases[strings->n_aliases];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(alias->regs) && alias->regs[i]; i++) {
		int counter = macstats_model_counter(acc->model, alias->regs[i]);

		if (macstats_lacks_counter(acc, counter))
			return;
		row->counters[i] = counter;
	}
	row->n = i;
	memcpy(row->string, alias->string, strlen(alias->string));
	strings->n_aliases++;
}

/* Check whether an alias that is listed names just this counter, or has its name. */
static bool macstats_is_aliased(const struct macstats_strings *strings,
				const struct macstats_model *model, unsigned int counter)
{
	unsigned int i;

	for (i = 0; i < strings->n_aliases; i++) {
		const struct macstats_alias_row *row = &strings->aliases[i];

		if (!strncmp(row->string, model->counters[counter].name, sizeof(row->string)) ||
		    (row->n == 1 && row->counters[0] == counter))
			return true;
	}
	return false;
}

/*
 * Choose the strings of a port, once its baseline shows which counters the hardware has. The
 * config was checked.
 */
void macstats_strings_choose(struct macstats_strings *strings,
			     const struct macstats_accumulator *acc,
			     const struct macstats_port_config *config)
{
	const struct macstats_model *model = acc->model;
	unsigned int flags = config->flags & (MACSTATS_PORT_PRIVATE_ONLY | MACSTATS_PORT_SHARED);
	bool private_only = flags == MACSTATS_PORT_PRIVATE_ONLY;
	bool own_packets = config->flags & MACSTATS_PORT_OWN_PACKETS;
	unsigned int i;

	for (i = 0; config->aliases && config->aliases[i].string; i++)
		macstats_strings_add(strings, acc, &config->aliases[i]);
	for (i = 0; i < model->n_counters; i++)
		if (!macstats_lacks_counter(acc, i) &&
		    !(private_only && macstats_has_standard(model, i, own_packets)) &&
		    !macstats_is_aliased(strings, model, i))
			strings->counters[strings->n_counters++] = i;
}

void macstats_strings_names(const struct macstats_strings *strings,
			    const struct macstats_model *model, u8 *data)
{
	unsigned int i;

	for (i = 0; i < strings->n_aliases; i++) {
		memcpy(data, strings->aliases[i].string, ETH_GSTRING_LEN);
		data += ETH_GSTRING_LEN;
	}
	for (i = 0; i < strings->n_counters; i++)
		ethtool_puts(&data, model->counters[strings->counters[i]].name);
}

/* Put the value of each string into @data. */
void macstats_strings_values(const struct macstats_strings *strings, const u64 *totals, u64 *data)
{
	const u16 *counters;
	const u16 *end;
	unsigned int i;
	unsigned int k;

	for (i = 0; i < strings->n_aliases; i++) {
		const struct macstats_alias_row *row = &strings->aliases[i];

		*data = 0;
		for (k = 0; k < row->n; k++)
			*data = macstats_total_add(*data, totals[row->counters[k]]);
		data++;
	}
	/* @data might be any of them, as far as the compiler knows. */
	counters = strings->counters;
	end = counters + strings->n_counters;
	while (counters < end)
		*data++ = totals[*counters++];
}
