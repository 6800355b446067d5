/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * How a port is built and set up, and the blocks of counters that it has.
 */
#ifndef MACSTATS_OPTION_H
#define MACSTATS_OPTION_H

#include "place.h"

/* The option that builds a block: the hardware lacks its counters without it. */
MACSTATS_FN unsigned int macstats_block_option(const struct macstats_model *model,
					       unsigned int block)
{
	return model->blocks[block].option ? model->blocks[block].option :
					     (unsigned int)MACSTATS_OPT_STATISTICS;
}

/* The options that build the blocks of a model. */
MACSTATS_FN unsigned int macstats_statistics_options(const struct macstats_model *model)
{
	unsigned int options = 0;
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++)
		options |= macstats_block_option(model, i);
	return options;
}

/* Check whether a block is built with these options. */
MACSTATS_FN bool macstats_is_built(const struct macstats_model *model, unsigned int options,
				   unsigned int block)
{
	return options & macstats_block_option(model, block);
}

/* The mask of all blocks. */
MACSTATS_FN __u32 macstats__all_blocks(const struct macstats_model *model)
{
	return (1u << model->n_blocks) - 1;
}

/* The mask of the blocks that are not built with these options. */
MACSTATS_FN __u32 macstats__unbuilt_blocks(const struct macstats_model *model,
					   unsigned int options)
{
	__u32 blocks = 0;
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++)
		if (!macstats_is_built(model, options, i))
			blocks |= 1u << i;
	return blocks;
}

/* The revision of a device with these options: its bit in the masks of rows. */
MACSTATS_FN unsigned int macstats_revision(unsigned int options)
{
	unsigned int later = options & MACSTATS_OPT_REVISIONS;

	return later ? 2 * later / MACSTATS_OPT_REVISION_2 : 1u;
}

/* Check whether a revision, a bit of the mask, has a counter. */
MACSTATS_FN bool macstats_in_revision(const struct macstats_counter *counter, unsigned int revision)
{
	return !counter->revisions || (counter->revisions & revision);
}

/* Check whether a device with these options has a counter: its block, and in its revision. */
MACSTATS_FN bool macstats_builds_counter(const struct macstats_model *model, unsigned int options,
					 const struct macstats_counter *counter)
{
	return macstats_is_built(model, options, counter->block) &&
	       macstats_in_revision(counter, macstats_revision(options));
}

/* The line rate of a port with these options, per direction. */
MACSTATS_FN __u64 macstats_line_rate_bps(const struct macstats_model *model, unsigned int options)
{
	if (options & MACSTATS_OPT_10M)
		return 10000000ull;
	return options & MACSTATS_OPT_100M ? 100000000ull : model->line_rate_bps;
}

/* Check whether a port can have these options: those of the model, at most one of each kind. */
MACSTATS_FN bool macstats_valid_options(const struct macstats_model *model, unsigned int options)
{
	unsigned int later = options & MACSTATS_OPT_REVISIONS;

	return !(options & ~(unsigned int)model->options) &&
	       (options & MACSTATS_OPT_SPEEDS) != MACSTATS_OPT_SPEEDS && !(later & (later - 1));
}

/* A set of counters, by their indices. */
struct macstats_rows {
	__u64 bits[MACSTATS_MAX_COUNTERS / 64];
	__u64 some;		/* mask of the words of @bits that are not 0, or were not */
};

MACSTATS_FN bool macstats_has_row(const struct macstats_rows *rows, unsigned int index)
{
	return rows->bits[index / 64] >> index % 64 & 1;
}

MACSTATS_FN void macstats_add_row(struct macstats_rows *rows, unsigned int index)
{
	rows->bits[index / 64] |= 1ull << index % 64;
	rows->some |= 1ull << index / 64;
}

MACSTATS_FN void macstats__remove_row(struct macstats_rows *rows, unsigned int index)
{
	rows->bits[index / 64] &= ~(1ull << index % 64);
}

/*
 * For each row @i of a set, in ascending order. Rows may be added, which are then visited or not,
 * and removed. A break would end one of two loops only.
 */
#define macstats_for_each_row(i, rows)							\
	for (__u64 macstats_some = (rows)->some; macstats_some;				\
	     macstats_some &= macstats_some - 1)					\
		for (__u64 macstats_left =						\
			     (rows)->bits[MACSTATS_LOWEST_BIT(macstats_some)];		\
		     macstats_left &&							\
		     ((i) = MACSTATS_LOWEST_BIT(macstats_some) * 64 +			\
			    MACSTATS_LOWEST_BIT(macstats_left), true);			\
		     macstats_left &= macstats_left - 1)

/* The first row of a set, or MACSTATS_MAX_COUNTERS if it is empty. */
MACSTATS_FN unsigned int macstats__first_row(const struct macstats_rows *rows)
{
	unsigned int i = 0;

	macstats_for_each_row(i, rows)
		return i;
	return MACSTATS_MAX_COUNTERS;
}

/* The counters of other revisions than that of a device with these options. */
MACSTATS_FN struct macstats_rows macstats_other_revisions(const struct macstats_model *model,
							  unsigned int options)
{
	struct macstats_rows rows = { { 0 }, 0 };
	unsigned int i;

	for (i = 0; i < model->n_counters; i++)
		if (!macstats_in_revision(&model->counters[i], macstats_revision(options)))
			macstats_add_row(&rows, i);
	return rows;
}

MACSTATS_FN bool macstats__is_same_set(const struct macstats_rows *a,
				       const struct macstats_rows *b)
{
	__u64 some = a->some | b->some;

	for (; some; some &= some - 1)
		if (a->bits[MACSTATS_LOWEST_BIT(some)] != b->bits[MACSTATS_LOWEST_BIT(some)])
			return false;
	return true;
}

#endif /* MACSTATS_OPTION_H */
