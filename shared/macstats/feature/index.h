/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A counter for each queue or priority: rows that differ in their number, place and texts alone,
 * which MACSTATS_EACH_OF_8() makes of one. The first number in a row's name is its index. Metrics
 * have it as a label, and the counters as one family, whose name lacks it.
 *
 * Each of them is a counter: totals, state and strings are by counter, and so is the table of the
 * model. What a compiler checks of rows is by row. Frames of the emulation are of index 0.
 */
#ifndef MACSTATS_FEATURE_INDEX_H
#define MACSTATS_FEATURE_INDEX_H

#include "../schema.h"

/* The first number of a name, and the parts around it: "tx_q" and "_octets" of "tx_q3_octets". */
struct macstats_numbered_name {
	unsigned int head;	/* length of the first part; one of two underscores is left out */
	unsigned int tail;	/* where the second part begins */
	__u32 number;		/* ~0: there is none, or it has a 0 in front or too many digits */
};

MACSTATS_FN bool macstats__is_digit(char c)
{
	return c >= '0' && c <= '9';
}

MACSTATS_FN struct macstats_numbered_name macstats_number_in(const char *name)
{
	struct macstats_numbered_name parts = { 0, 0, 0 };

	while (name[parts.head] && !macstats__is_digit(name[parts.head]))
		parts.head++;
	for (parts.tail = parts.head; macstats__is_digit(name[parts.tail]); parts.tail++)
		parts.number = 10 * parts.number + (__u32)(name[parts.tail] - '0');
	if (parts.tail == parts.head || parts.tail > parts.head + 5 ||
	    (name[parts.head] == '0' && parts.tail > parts.head + 1))
		parts.number = ~0u;
	if (parts.head && name[parts.head - 1] == '_' && (!name[parts.tail] ||
							  name[parts.tail] == '_'))
		parts.head--;
	return parts;
}

#endif /* MACSTATS_FEATURE_INDEX_H */
