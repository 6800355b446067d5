/* SPDX-License-Identifier: GPL-2.0 */
/* Aliases that a driver of cpsw passes, right and wrong ones, by name. */
#ifndef MACSTATS_TEST_ALIASES_H
#define MACSTATS_TEST_ALIASES_H

#include <linux/kernel.h>
#include <linux/string.h>

#include "macstats.h"

struct test_aliases {
	const char *name;
	const struct macstats_alias *aliases;
};

static const struct macstats_alias aliases_good[] = {
	{ "Good Rx Frames", { "Good Rx Frames" } },
	{ "good frames", { "Good Rx Frames", "Good Tx Frames" } },
	{ "a_string_of_thirty_two_letters__",
	  { "Rx Octets", "Tx Octets", "Net Octets", "Collisions" } },
	/* The name of another counter. */
	{ "tx_octets", { "Rx Octets", "Tx Octets" } },
	{ }
};

static const struct macstats_alias aliases_long[] = {
	{ "a_string_of_thirty_three_letters_", { "Tx Octets" } }, { }
};

static const struct macstats_alias aliases_nameless[] = {
	{ "octets", { "Rx Octets" } }, { NULL, { "Tx Octets" } }, { }
};

static const struct macstats_alias aliases_bare[] = { { "octets" }, { } };
static const struct macstats_alias aliases_unknown[] = {
	{ "octets", { "Rx Octets", "Octets of nobody" } }, { }
};

#define TEST_ALIASES(name_) { #name_, aliases_##name_ }
static const struct test_aliases test_aliases[] = {
	TEST_ALIASES(good), TEST_ALIASES(nameless), TEST_ALIASES(long), TEST_ALIASES(bare),
	TEST_ALIASES(unknown),
};

/* Pass the aliases of this name. Return: whether they exist. */
static bool test_pass_aliases(struct macstats_port_config *config, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(test_aliases); i++) {
		if (strcmp(test_aliases[i].name, name))
			continue;
		config->aliases = test_aliases[i].aliases;
		return true;
	}
	return false;
}

#endif /* MACSTATS_TEST_ALIASES_H */
