/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Turns raw register values into totals: 64 bits wide, never decreasing. Every possible loss
 * is reported. This is the only reader of a port's counters. It reaches them through a bus
 * that its user supplies, so that the kernel and an in-process device run the same code.
 *
 * A poll has three parts. It checks that the counters can be read, reads them without adding
 * anything, and checks again. Only then does it add the values, so that values of hardware in
 * reset, unplugged or without clocks enter no total.
 *
 * Functions that take a non-const accumulator require the caller to hold the port lock. They
 * sleep where the bus sleeps.
 */
#ifndef MACSTATS_ACCUMULATOR_H
#define MACSTATS_ACCUMULATOR_H

#include "schema.h"

#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/stddef.h>
#else
#include <errno.h>
#include <stddef.h>
#endif

/*
 * A bus: how the accumulator reaches a port's registers. Functions return 0, or -errno if the
 * access failed; a failed update has changed nothing.
 */
struct macstats_bus {
	void *context;
	/* Read @words bus words at adjacent addresses from @address on. */
	int (*read)(void *context, __u32 address, __u64 *values, unsigned int words);
	/* Change the bits of @mask to those of @value, in one atomic access. */
	int (*update)(void *context, __u32 address, __u32 mask, __u32 value);
	/* Wait a few microseconds before the next look at the hardware. */
	void (*wait)(void *context);
	/* Do the port's clocks run? NULL: they always do. */
	bool (*clocks_run)(void *context);
	/*
	 * Octet times that the frames of both directions took since the last call; ~0 stands for
	 * any number. NULL: those of the clock at the model's line rate.
	 */
	__u64 (*line_octets)(void *context);
	/* The time since boot. NULL: the time that the caller passed to macstats_poll(). */
	__u64 (*now_ns)(void *context);
	/*
	 * Like read, but @done, which is 0, becomes the number of words that were read before an
	 * error. Each of them is known, so it also serves registers that a read changes. NULL:
	 * those are read word by word.
	 */
	int (*read_block)(void *context, __u32 address, __u64 *values, unsigned int words,
			  unsigned int *done);
	/*
	 * Of emulated hardware: since the last call, has anybody but the accumulator taken away
	 * some of what a preset had put into a counter? NULL: no.
	 */
	bool (*lowered)(void *context, unsigned int index);
	/*
	 * The highest line rate since the last call, in b/s. NULL: that of
	 * macstats_accumulator.line_rate_bps, for good.
	 */
	__u64 (*line_rate)(void *context);
};

enum macstats_event {
	MACSTATS_EVENT_STALE         = 1 << 0,	/* the counters cannot be read */
	MACSTATS_EVENT_RECOVERED     = 1 << 1,	/* they can, again */
	MACSTATS_EVENT_DISCONTINUITY = 1 << 2,	/* they were cleared, reset or damaged */
	MACSTATS_EVENT_PARITY_ERROR  = 1 << 3,
	MACSTATS_EVENT_POSSIBLE_LOSS = 1 << 4,	/* read too late, or what was read was unusable */
	MACSTATS_EVENT_THRESHOLD     = 1 << 5,	/* a total reached its threshold */
	MACSTATS_EVENT_SATURATED     = 1 << 6,	/* a counter was found at its maximum */
	MACSTATS_EVENT_MISFIT        = 1 << 7,	/* the hardware does not do what its model says */
};

#define MACSTATS_EVENTS	8

/* How hardware differs from its model. */
enum macstats_misfit_kind {
	MACSTATS_MISFIT_IDENTITY,	/* an identity register reads another value */
	MACSTATS_MISFIT_READ,		/* a read does not clear a counter */
	MACSTATS_MISFIT_CLEAR,		/* the clear command of a block has no effect */
	MACSTATS_MISFIT_WORDS,		/* the words of a counter are exchanged */
};

#define MACSTATS_MISFITS	4

struct macstats_misfit {
	const char *reg;	/* the register, as the datasheet prints it */
	__u64 value;		/* what it read */
	__u64 expected;		/* the value of an identity, or the most of a counter */
};

#define MACSTATS_FASTER		16	/* times than its model: hardware without a line rate */
#define MACSTATS_CLEAR_LOOKS	16	/* polls that look whether a read clears counters */
#define MACSTATS_SNAPSHOT_LOOKS	100	/* at the status before a snapshot is stuck */
#define MACSTATS_SNAPSHOT_TRIES	3	/* if somebody else releases it */
#define MACSTATS_READ_WORDS	128	/* bus words read at once, at the most */
#define MACSTATS_UNBOUNDED	(~0ull)	/* events that a counter may have counted: any number */
#define MACSTATS_ROLLOVER_64	0x100000000ull	/* by which a 64-bit counter may then roll over */

/* How far a poll read a counter. */
enum macstats_read {
	MACSTATS_READ_NOTHING,
	MACSTATS_READ_PART,	/* the lower words; then the bus failed */
	MACSTATS_READ_WHOLE,
	MACSTATS_READ_ONES,	/* all of it, and every bit of every word was set */
};

/*
 * The part of a counter in the traffic of one direction: it counts octets that go into bytes, or
 * frames that go into packets of the rtnl statistics, and so the same frames.
 */
enum macstats_share {
	MACSTATS_SHARE_RX_OCTETS,
	MACSTATS_SHARE_RX_FRAMES,
	MACSTATS_SHARE_TX_OCTETS,
	MACSTATS_SHARE_TX_FRAMES,
	MACSTATS_SHARES,
	MACSTATS_SHARE_NONE = MACSTATS_SHARES,
};

/* The counters of a share, by the model. */
struct macstats_sharers {
	unsigned int counters;
	bool payload;		/* one of them counts payload */
	__u32 shortest;		/* octets of the shortest frame that they count */
};

/* The state of a counter. */
struct macstats_accumulated_counter {
	__u64 total;
	__u64 old;		/* what its register held after the last read */
	__u64 value;		/* being read */
	__u64 saturated;	/* reads that found it at its maximum */
	__u64 saturated_ns;	/* time of the last one */
	__u64 again;		/* counted since @value was read, by a second read of this poll */
	__u8 extent;		/* of @value: enum macstats_read */
	__u8 share;		/* enum macstats_share */
	bool preset;		/* macstats_preset() was called since the last read */
	bool unknown;		/* @old is, as what was read after the preset was not usable */
	bool taken;		/* the last read is in @total, as far as it is plausible */
	bool moved;		/* and has changed it */
};

struct macstats_accumulator {
	const struct macstats_model *model;
	struct macstats_bus bus;
	__u32 base;			/* address of the port's base */

	/* Set by the driver, before macstats_start(). */
	bool without_counters;		/* built without any counters */
	struct macstats_rows left_out;	/* by the driver: the hardware lacks these counters */
	bool line_rate_bound;		/* no total advances by more than the line carries */
	__u64 line_rate_bps;		/* of the port; 0: that of the model; see next_rate_bps */

	bool started;			/* there was a good poll to count from */
	bool rebased;			/* the last good poll took a new baseline */
	bool rebase;			/* the next good poll takes a new baseline */
	bool absent;			/* built without any counters */
	__u32 absent_blocks;		/* mask: built without the counters of these blocks */
	struct macstats_rows absent_rows;	/* the hardware lacks them, for any reason */
	bool identified;		/* the registers are known to be those of the model */
	bool stale;			/* the totals are those of the last good poll */
	bool possible_loss;		/* sticky */
	bool suspended;			/* by the driver: the hardware is left alone */
	bool gone;			/* the driver reported that the hardware is gone */
	bool went_back;			/* a discontinuity that the next poll reports */
	bool silent;			/* a word of this poll read as all-ones */
	bool unusable;			/* reads do not return what the registers contain */
	bool suspect_known;		/* the last discontinuity showed at this counter: */
	__u16 suspect;
	__u64 suspect_value;		/* what was read from it, and not added */
	__u8 clear_looks;		/* polls that looked whether a read clears counters */
	__u8 misfits;			/* mask of the kinds that were found */
	__u8 misfits_told;		/* and of those that an event has reported */
	struct macstats_misfit misfit[MACSTATS_MISFITS];
	const char *reason;		/* why stale; a string constant, as is the next */
	const char *loss;		/* why the last possible loss is one */
	__u32 discontinuities;
	__u32 parity_errors;
	__u32 late_polls;		/* good polls that ended after max_gap_usecs */
	__u64 discontinuity_ns;		/* time of the last one */
	__u64 start_ns;			/* time of the first good poll: totals count from it */
	__u64 poll_ns;			/* time of the last good poll */
	__u64 advanced_ns;		/* since then, in addition to the clock's time */
	__u64 slower_ns;		/* since then, by which a slower line carried less */
	__u32 max_frame;		/* the larger maximum length set then, received or sent */
	__u64 max_gap_usecs;		/* between two polls, so that no counter wraps twice */
	__u64 wrap_octets;		/* octet times of frames in which one may do so */
	__u64 next_rate_bps;		/* the highest line rate while this poll reads */
	__u64 generation;		/* good polls */

	__u64 line_ns;			/* the clock's line time is counted up to here */
	__u64 line_octets;		/* octet times since the last good poll */
	__u64 read_octets;		/* those that passed while the last good poll read */
	bool whole;			/* what all counters counted is of the time since then */
	__u64 line_total;		/* and of all good polls before */
	__u32 cleared_blocks;		/* mask: the next poll treats these blocks as cleared */
	struct macstats_sharers sharers[MACSTATS_SHARES];

	__u64 words[MACSTATS_READ_WORDS];
	/* There is memory for those of the model only: macstats_accumulator_size(). */
	struct macstats_accumulated_counter counters[MACSTATS_MAX_COUNTERS];
};

/* The size of the zeroed memory that an accumulator for this model needs. */
MACSTATS_FN size_t macstats_accumulator_size(const struct macstats_model *model)
{
	return offsetof(struct macstats_accumulator, counters) +
	       model->n_counters * sizeof(struct macstats_accumulated_counter);
}

/* The events from @old to @value of a counter that rolled over at most once in between. */
MACSTATS_FN __u64 macstats_events_between(const struct macstats_counter *counter, __u64 old,
					  __u64 value)
{
	return (value - old) & macstats_bits_mask(counter->bits);
}

/*
 * Check whether @value, read after @old, shows that the counter was cleared, reset or damaged:
 * it needs more than the @most events that can have happened, or it went back and cannot have
 * rolled over. Without a bound, only counters of 64 bits and counters that saturate cannot
 * have rolled over.
 */
MACSTATS_FN bool macstats_is_discontinuity(const struct macstats_counter *counter, __u64 old,
					   __u64 value, __u64 most)
{
	__u64 events = macstats_events_between(counter, old, value);

	if (counter->overflow == MACSTATS_SATURATE && value < old)
		return true;
	if (most != MACSTATS_UNBOUNDED)
		return events > most;
	return counter->bits == 64 && value < old && events > MACSTATS_ROLLOVER_64;
}

/* The largest total, which stays: all-ones stand for a value that does not exist. */
#define MACSTATS_TOTAL_MAX	(~0ull - 1)

/* The sum of two totals, or of a total and new events. */
MACSTATS_FN __u64 macstats_total_add(__u64 total, __u64 events)
{
	return events > MACSTATS_TOTAL_MAX - total ? MACSTATS_TOTAL_MAX : total + events;
}

/*
 * Add new events to a total; the one place that does. @value was read, @left is the register's
 * value right after that read, @most is the number of events that can have happened since the
 * last read (or MACSTATS_UNBOUNDED). Return: true for a discontinuity; the total then stays,
 * and counting goes on from @left.
 */
MACSTATS_FN bool macstats_accumulate(const struct macstats_counter *counter, __u64 *total,
				     __u64 *old, __u64 value, __u64 left, __u64 most)
{
	bool discontinuity = macstats_is_discontinuity(counter, *old, value, most);

	if (!discontinuity)
		*total = macstats_total_add(*total,
					    macstats_events_between(counter, *old, value));
	*old = left;
	return discontinuity;
}

MACSTATS_FN int macstats_bus_read(struct macstats_accumulator *acc, __u32 offset,
				  __u32 *value)
{
	__u64 word = 0;
	int err = acc->bus.read(acc->bus.context, acc->base + offset, &word, 1);

	*value = (__u32)word;
	return err;
}

/* The commands in a register. Some hardware shows one that it has not carried out. */
MACSTATS_FN __u32 macstats_commands_at(const struct macstats_model *model, __u32 offset)
{
	__u32 commands = 0;
	unsigned int i;

	for (i = 0; i < model->n_fields; i++) {
		const struct macstats_field *field = &model->fields[i];

		if (field->singlepulse && field->offset == offset)
			commands |= (__u32)macstats_bits_mask(field->bits) << field->lsb;
	}
	return commands;
}

/*
 * Set and clear bits of a register that another writer may change as well. Gives no command but
 * those in @set.
 */
MACSTATS_FN int macstats_bus_update(struct macstats_accumulator *acc, __u32 offset,
				    __u32 clear, __u32 set)
{
	clear |= macstats_commands_at(acc->model, offset);
	return acc->bus.update(acc->bus.context, acc->base + offset, clear | set, set);
}

/* Read a register, and note whether it is all-ones. */
MACSTATS_FN int macstats_bus_look(struct macstats_accumulator *acc, __u32 offset, __u32 *value)
{
	int err = macstats_bus_read(acc, offset, value);

	acc->silent = acc->silent || (!err && *value == macstats_bus_mask(acc->model));
	return err;
}

/* The bits of @bit in the value of its register, right aligned. */
MACSTATS_FN __u32 macstats_bit_value(const struct macstats_bit *bit, __u32 value)
{
	return (value & bit->mask) >> macstats_bit_shift(bit->mask);
}

/* Read the bits of @bit, right aligned; @otherwise if the model does not have them. */
MACSTATS_FN int macstats_bus_bit(struct macstats_accumulator *acc,
				 const struct macstats_bit *bit, __u32 otherwise, __u32 *value)
{
	int err;

	*value = otherwise;
	if (!bit->mask)
		return 0;
	err = macstats_bus_look(acc, bit->offset, value);
	*value = macstats_bit_value(bit, *value);
	return err;
}

/* Check whether the hardware was built without a block. */
MACSTATS_FN bool macstats_lacks_block(const struct macstats_accumulator *acc, unsigned int block)
{
	return acc->absent_blocks >> block & 1;
}

/* Check whether the hardware was built without a counter. */
MACSTATS_FN bool macstats_lacks_counter(const struct macstats_accumulator *acc,
					unsigned int index)
{
	return macstats_has_row(&acc->absent_rows, index);
}

MACSTATS_FN bool macstats_has_snapshot(const struct macstats_model *model, unsigned int block)
{
	return model->blocks[block].snapshot_request.mask;
}

/* A counter's value from its bus words, which are in address order. */
MACSTATS_FN __u64 macstats_assemble(const struct macstats_model *model,
				    const struct macstats_counter *counter,
				    const __u64 *words)
{
	unsigned int n = macstats_words(model, counter);
	unsigned int shift = macstats_first_shift(model, counter, n);
	__u64 value = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		value |= words[i] << shift;
		shift = macstats_next_shift(model, counter, shift);
	}
	return value & macstats_bits_mask(counter->bits);
}

/* Octet times of @nsecs on a line of @rate_bps, rounded up. */
MACSTATS_FN __u64 macstats_octets_in(__u64 rate_bps, __u64 nsecs)
{
	__u64 each_msec = MACSTATS_DIV64(rate_bps, 8000ull);
	__u64 msecs = MACSTATS_DIV64(nsecs, 1000000ull);
	__u64 rest = nsecs - msecs * 1000000ull;
	__u64 part = MACSTATS_DIV64(rest * each_msec + 999999ull, 1000000ull);

	if (msecs > MACSTATS_DIV64(~0ull - part, each_msec))
		return ~0ull;
	return msecs * each_msec + part;
}

/*
 * The longest time from the start of a good poll to the end of the next one, in whole
 * microseconds, in which no counter can have wrapped twice. It is shorter than the wrap time by
 * 1/4096: the line may be 100 ppm faster than its rate (IEEE 802.3), and the clock 100 ppm slower.
 * The longest poll interval is half of the wrap time.
 */
MACSTATS_FN __u64 macstats_max_gap_usecs(const struct macstats_model *model, __u64 rate_bps)
{
	__u64 wrap = macstats_shortest_wrap_usecs(model, rate_bps);

	return wrap && wrap != ~0ull ? wrap - (wrap >> 12) - 1 : wrap;
}

/* Octets of the time in which a line at @from_bps carries @octets, at @to_bps, rounded up. */
MACSTATS_FN __u64 macstats_octets_at(__u64 octets, __u64 from_bps, __u64 to_bps)
{
	__u64 msecs;

	if (!octets)
		return 0;
	msecs = MACSTATS_DIV64(octets, MACSTATS_DIV64(from_bps, 8000ull));
	return macstats_saturating_multiply(msecs + 1, MACSTATS_DIV64(to_bps, 8000ull));
}

/* Time since the last good poll at the present line rate, or of as much traffic. */
MACSTATS_FN __u64 macstats_unpolled_ns(const struct macstats_accumulator *acc, __u64 now_ns)
{
	__u64 gap = now_ns > acc->poll_ns ? now_ns - acc->poll_ns : 0;

	gap = macstats_saturating_add(gap, acc->advanced_ns);
	return gap > acc->slower_ns ? gap - acc->slower_ns : 0;
}

/* The time now, or that of the poll if the bus has no clock. */
MACSTATS_FN __u64 macstats_time(const struct macstats_accumulator *acc, __u64 poll_ns)
{
	return acc->bus.now_ns ? acc->bus.now_ns(acc->bus.context) : poll_ns;
}

/* Take @rate_bps for the line rate since the last good poll. */
MACSTATS_FN void macstats_set_line_rate(struct macstats_accumulator *acc, __u64 rate_bps)
{
	if (!acc->bus.line_octets) {
		acc->line_octets = macstats_octets_at(acc->line_octets, acc->line_rate_bps,
						      rate_bps);
		acc->read_octets = macstats_octets_at(acc->read_octets, acc->line_rate_bps,
						      rate_bps);
	}
	acc->line_rate_bps = rate_bps;
	acc->max_gap_usecs = macstats_max_gap_usecs(acc->model, rate_bps);
}

/*
 * Follow a line rate that changes. The change may have been at any time since the last good poll,
 * so that the higher rate bounds what was counted in all of this time. It was reported promptly,
 * so that this time is no longer than it was when no counter wraps.
 */
MACSTATS_FN void macstats_follow_line_rate(struct macstats_accumulator *acc, __u64 now_ns)
{
	__u64 rate;
	__u64 part;

	if (!acc->bus.line_rate)
		return;
	rate = acc->bus.line_rate(acc->bus.context);
	if (rate > acc->next_rate_bps)
		acc->next_rate_bps = rate;
	if (rate <= acc->line_rate_bps)
		return;
	/* In 1024ths, rounded up. */
	part = MACSTATS_DIV64(acc->line_rate_bps * 1024 + rate - 1, rate);
	acc->slower_ns += (macstats_unpolled_ns(acc, macstats_time(acc, now_ns)) >> 10) *
			  (1024 - part);
	macstats_set_line_rate(acc, rate);
}

/* Add up line time until now. */
MACSTATS_FN void macstats_line_passes(struct macstats_accumulator *acc, __u64 now_ns)
{
	__u64 octets = 0;

	macstats_follow_line_rate(acc, now_ns);
	if (acc->bus.line_octets) {
		octets = acc->bus.line_octets(acc->bus.context);
	} else {
		if (acc->bus.now_ns)
			now_ns = acc->bus.now_ns(acc->bus.context);
		if (now_ns > acc->line_ns) {
			octets = macstats_octets_in(acc->line_rate_bps, now_ns - acc->line_ns);
			acc->line_ns = now_ns;
		}
	}
	acc->line_octets = macstats_saturating_add(acc->line_octets, octets);
}

/*
 * The most octets that a line at @rate_bps can have carried in @octets octet times: those, one
 * frame of maximum length, and one millisecond. A line may be 100 ppm faster than its rate
 * (IEEE 802.3) and the clock slower, so 1/2048 is added.
 */
MACSTATS_FN __u64 macstats_most_octets(__u64 rate_bps, __u64 octets)
{
	__u64 slack = MACSTATS_FRAME_MAX + MACSTATS_GAP_LEN +
		      MACSTATS_DIV64(rate_bps, 8000ull);

	octets = macstats_saturating_add(octets, (octets >> 11) + slack);
	return octets > ~0ull / 2 ? MACSTATS_UNBOUNDED : octets;
}

/* The largest number of events that a counter can have counted in @octets octet times. */
MACSTATS_FN __u64 macstats_most_events(const struct macstats_model *model,
				       const struct macstats_counter *counter, __u64 rate_bps,
				       __u64 octets)
{
	unsigned int lines = macstats_feeding_lines(model, counter);

	octets = macstats_most_octets(rate_bps, octets);
	if (octets == MACSTATS_UNBOUNDED)
		return MACSTATS_UNBOUNDED;
	return MACSTATS_DIV64(octets * lines, (__u64)macstats_shortest_event(model, counter));
}

/* The largest number of events that a counter can have counted since the last good poll. */
MACSTATS_FN __u64 macstats_most_counted(const struct macstats_accumulator *acc,
					const struct macstats_counter *counter)
{
	__u64 octets = acc->line_octets;

	/* The events that it shows only now may have crossed the line at any time. */
	if (counter->good_frames)
		octets = macstats_saturating_add(octets, acc->line_total);
	return macstats_most_events(acc->model, counter, acc->line_rate_bps, octets);
}

/*
 * So many events each counter can have counted since the last good poll, at least: no two events
 * are further apart than two frames of maximum length.
 */
MACSTATS_FN __u64 macstats_few_counted(const struct macstats_accumulator *acc)
{
	__u64 octets = macstats_most_octets(acc->line_rate_bps, acc->line_octets);

	if (octets == MACSTATS_UNBOUNDED)
		return MACSTATS_UNBOUNDED;
	return MACSTATS_DIV64(octets, MACSTATS_FRAME_MAX + MACSTATS_GAP_LEN);
}

/*
 * A bound for what a counter seems to have counted: macstats_most_counted(), or less where that
 * changes no decision. @few: macstats_few_counted(), for most counters the quicker answer.
 */
MACSTATS_FN __u64 macstats_bound(const struct macstats_accumulator *acc, unsigned int index,
				 __u64 few)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	const struct macstats_accumulated_counter *kept = &acc->counters[index];

	if (!kept->again && macstats_events_between(counter, kept->old, kept->value) <= few)
		return few;
	return macstats_most_counted(acc, counter);
}

/* Note that the hardware does not do what its model says: each kind once. */
MACSTATS_FN void macstats_note_misfit(struct macstats_accumulator *acc,
				      enum macstats_misfit_kind kind, const char *reg,
				      __u64 value, __u64 expected)
{
	if (acc->misfits >> kind & 1)
		return;
	acc->misfits = (__u8)(acc->misfits | 1u << kind);
	acc->misfit[kind].reg = reg;
	acc->misfit[kind].value = value;
	acc->misfit[kind].expected = expected;
}

/*
 * The most that a counter can have counted in @octets octet times, a frame that had begun before
 * included. Hardware without a line rate may be many times faster than its model.
 */
MACSTATS_FN __u64 macstats_most_at_once(const struct macstats_accumulator *acc,
					const struct macstats_counter *counter, __u64 octets)
{
	__u32 event = macstats_shortest_event(acc->model, counter);

	if (!acc->line_rate_bound && !acc->bus.line_octets)
		octets = macstats_saturating_multiply(octets, MACSTATS_FASTER);
	octets = macstats_saturating_multiply(octets,
					      macstats_feeding_lines(acc->model, counter));
	return MACSTATS_DIV64(macstats_saturating_add(octets, event == 1 ? MACSTATS_FRAME_MAX : 0),
			      (__u64)event) + 1;
}

/* Store the value of a counter, of which @n words were read: @words, in address order. */
MACSTATS_FN void macstats_put_value(struct macstats_accumulator *acc, unsigned int index,
				    __u64 *words, unsigned int n)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_accumulated_counter *kept = &acc->counters[index];
	unsigned int whole = macstats_words(acc->model, counter);
	__u64 mask = macstats_bus_mask(acc->model);
	unsigned int silent = 0;
	unsigned int i;

	for (i = 0; i < n; i++)
		silent += words[i] == mask;
	acc->silent = acc->silent || silent;
	for (; i < whole; i++)
		words[i] = 0;
	kept->value = macstats_assemble(acc->model, counter, words);
	if (n == whole)
		kept->extent = silent == n ? MACSTATS_READ_ONES : MACSTATS_READ_WHOLE;
	else
		kept->extent = n ? MACSTATS_READ_PART : MACSTATS_READ_NOTHING;
}

/* Read a counter word by word, to know which words were read if the bus fails. */
MACSTATS_FN int macstats_read_words(struct macstats_accumulator *acc, unsigned int index)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	unsigned int n = macstats_words(acc->model, counter);
	__u32 address = macstats_counter_address(acc->model, counter, acc->base);
	unsigned int i;
	int err = 0;

	for (i = 0; i < n; i++) {
		err = acc->bus.read(acc->bus.context, address, &acc->words[i], 1);
		if (err)
			break;
		address += macstats_word_step(acc->model);
	}
	macstats_put_value(acc, index, acc->words, i);
	return err;
}

/* Check whether a poll may read a counter together with its neighbours. */
MACSTATS_FN bool macstats_is_block_read(const struct macstats_accumulator *acc,
					unsigned int index)
{
	return acc->bus.read_block || !macstats_is_destructive(&acc->model->counters[index]);
}

/*
 * Check whether this poll has still to read a counter: one that a read changes is read once, even
 * if the poll repeats its snapshot.
 */
MACSTATS_FN bool macstats_is_unread(const struct macstats_accumulator *acc, unsigned int index)
{
	return !macstats_lacks_counter(acc, index) &&
	       (acc->counters[index].extent == MACSTATS_READ_NOTHING ||
		!macstats_is_destructive(&acc->model->counters[index]));
}

/*
 * Read adjacent counters of a region, from @first on, in one access. @last becomes the first
 * counter that was not part of it.
 */
MACSTATS_FN int macstats_read_run(struct macstats_accumulator *acc, unsigned int first,
				  unsigned int *last)
{
	const struct macstats_model *model = acc->model;
	int region = macstats_region_at(model, model->counters[first].offset);
	unsigned int n = macstats_register_counters(model);
	__u32 address = macstats_counter_address(model, &model->counters[first], acc->base);
	__u32 step = macstats_word_step(model);
	unsigned int words = 0;
	unsigned int done = 0;
	unsigned int at = 0;
	unsigned int i = first;
	int err = 0;

	do {
		words += macstats_words(model, &model->counters[i]);
		i++;
	} while (i < n && macstats_is_block_read(acc, i) && macstats_is_unread(acc, i) &&
		 macstats_counter_address(model, &model->counters[i], acc->base) ==
			address + words * step &&
		 macstats_region_at(model, model->counters[i].offset) == region &&
		 words + macstats_words(model, &model->counters[i]) <= MACSTATS_READ_WORDS);
	*last = i;
	if (acc->bus.read_block) {
		err = acc->bus.read_block(acc->bus.context, address, acc->words, words, &done);
	} else {
		err = acc->bus.read(acc->bus.context, address, acc->words, words);
		done = err ? 0 : words;
	}
	for (i = first; at < done; i++) {
		unsigned int each = macstats_words(model, &model->counters[i]);

		if (each > done - at)
			each = done - at;
		macstats_put_value(acc, i, &acc->words[at], each);
		at += each;
	}
	return err;
}

/*
 * Check, with the gate closed, whether the hardware was reset: a reset closes the gate and clears
 * the counters, while a gate that somebody closes leaves them as they are. Only counters that had
 * counted tell.
 */
MACSTATS_FN bool macstats_was_reset(struct macstats_accumulator *acc)
{
	unsigned int n = macstats_register_counters(acc->model);
	bool cleared = false;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];

		if (!acc->counters[i].old || macstats_lacks_counter(acc, i) ||
		    macstats_is_destructive(counter) ||
		    macstats_has_snapshot(acc->model, counter->block))
			continue;
		if (macstats_read_words(acc, i) || acc->counters[i].value)
			return false;
		cleared = true;
	}
	return cleared;
}

/* Read the values of all counters that exist. */
MACSTATS_FN int macstats_read_counters(struct macstats_accumulator *acc)
{
	unsigned int n = macstats_register_counters(acc->model);
	unsigned int i = 0;
	int err = 0;

	while (!err && i < n) {
		if (!macstats_is_unread(acc, i))
			i++;
		else if (macstats_is_block_read(acc, i))
			err = macstats_read_run(acc, i, &i);
		else
			err = macstats_read_words(acc, i++);
	}
	return err;
}

/*
 * At the first reads that find counts: read counters that a read clears once more, to see whether
 * it does. @octets: the line time when the first of them was read. A counter tells nothing if it
 * showed no more than may have come since then.
 */
MACSTATS_FN int macstats_read_again(struct macstats_accumulator *acc, __u64 octets)
{
	unsigned int n = macstats_register_counters(acc->model);
	bool looked = false;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		struct macstats_accumulated_counter *kept = &acc->counters[i];
		__u64 first = kept->value;
		__u64 most;
		bool ones;
		int err;

		if (counter->onread != MACSTATS_ONREAD_RCLR || !first ||
		    kept->extent != MACSTATS_READ_WHOLE ||
		    macstats_has_snapshot(acc->model, counter->block))
			continue;
		looked = true;
		err = macstats_read_words(acc, i);
		ones = kept->extent == MACSTATS_READ_ONES;
		kept->again = kept->value;
		kept->value = first;
		if (kept->extent != MACSTATS_READ_PART)
			kept->extent = MACSTATS_READ_WHOLE;
		if (err)
			return err;
		macstats_line_passes(acc, 0);
		most = macstats_most_at_once(acc, counter, acc->line_octets - octets);
		/* All-ones that nobody counted are no answer. */
		if (ones && kept->again > most)
			kept->again = 0;
		if (first <= most)
			continue;
		acc->clear_looks = MACSTATS_CLEAR_LOOKS;
		if (kept->again < first)
			continue;
		macstats_note_misfit(acc, MACSTATS_MISFIT_READ, counter->reg, kept->again, most);
		kept->again = 0;
	}
	if (looked && acc->clear_looks < MACSTATS_CLEAR_LOOKS)
		acc->clear_looks++;
	return 0;
}

/*
 * Wait until a block reports that it is frozen, or that it is not. @looks: reads of the status
 * so far.
 */
MACSTATS_FN int macstats_snapshot_wait(struct macstats_accumulator *acc, unsigned int block,
				       bool frozen, unsigned int *looks)
{
	const struct macstats_block *rule = &acc->model->blocks[block];
	__u32 granted = 0;
	int err = 0;

	if (!rule->snapshot_granted.mask)
		return 0;
	for (;;) {
		err = macstats_bus_bit(acc, &rule->snapshot_granted, 0, &granted);
		if (err || !granted == !frozen)
			break;
		if (++*looks > MACSTATS_SNAPSHOT_LOOKS)
			return -ETIMEDOUT;
		acc->bus.wait(acc->bus.context);
	}
	/* The status of one look is valid by the time of the next. */
	if (!err && frozen && rule->grant_leads)
		err = macstats_bus_bit(acc, &rule->snapshot_granted, 0, &granted);
	return err;
}

/* Request a snapshot of each block and wait for all of them, within a bound. */
MACSTATS_FN int macstats_snapshot_take(struct macstats_accumulator *acc)
{
	const struct macstats_model *model = acc->model;
	unsigned int looks = 0;
	unsigned int i;
	int err = 0;

	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_bit *request = &model->blocks[i].snapshot_request;
		__u32 value = 0;

		if (!request->mask || macstats_lacks_block(acc, i))
			continue;
		err = macstats_bus_read(acc, request->offset, &value);
		/* A snapshot that another reader left behind shows the past: release it. */
		if (!err && (value & request->mask))
			err = macstats_bus_update(acc, request->offset, request->mask, 0);
		/* Do not take the grant of the last snapshot for that of this one. */
		if (!err)
			err = macstats_snapshot_wait(acc, i, false, &looks);
		if (!err)
			err = macstats_bus_update(acc, request->offset, 0, request->mask);
		if (err)
			return err;
	}
	for (i = 0; !err && i < model->n_blocks; i++)
		if (!macstats_lacks_block(acc, i))
			err = macstats_snapshot_wait(acc, i, true, &looks);
	return err;
}

/* Check that every block was still frozen after the read. Notes parity errors. */
MACSTATS_FN int macstats_snapshot_check(struct macstats_accumulator *acc, unsigned int *parity)
{
	const struct macstats_model *model = acc->model;
	bool held = true;
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_bit *granted = &model->blocks[i].snapshot_granted;
		const struct macstats_bit *error = &model->blocks[i].parity_error;
		bool together = granted->mask && granted->offset == error->offset;
		__u32 value = 0;
		int err = 0;

		if (macstats_lacks_block(acc, i))
			continue;
		if (granted->mask)
			err = macstats_bus_look(acc, granted->offset, &value);
		held = held && (!granted->mask || (value & granted->mask));
		if (!err && error->mask && !together)
			err = macstats_bus_look(acc, error->offset, &value);
		if (err)
			return err;
		if (value & error->mask)
			*parity |= 1u << i;
	}
	return held ? 0 : -EAGAIN;
}

/* Release the snapshots, and clear the parity bits of the blocks in @parity. */
MACSTATS_FN int macstats_snapshot_release(struct macstats_accumulator *acc, unsigned int parity)
{
	const struct macstats_model *model = acc->model;
	unsigned int i;
	int err = 0;

	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_block *block = &model->blocks[i];
		int failed = 0;

		if (macstats_lacks_block(acc, i))
			continue;
		if (block->snapshot_request.mask)
			failed = macstats_bus_update(acc, block->snapshot_request.offset,
						     block->snapshot_request.mask, 0);
		if (!failed && (parity >> i & 1))
			failed = macstats_bus_update(acc, block->parity_clear.offset, 0,
						     block->parity_clear.mask);
		err = err ? err : failed;
	}
	return err;
}

/*
 * Check whether the hardware answers, after a word was read as all-ones. A register that never
 * reads so confirms it. Without such a register the hardware counts as present.
 */
MACSTATS_FN int macstats_check_presence(struct macstats_accumulator *acc, bool *absent)
{
	__u32 offset = 0;
	__u32 value = 0;
	int err;

	*absent = false;
	if (!acc->silent || !macstats_presence_register(acc->model, &offset))
		return 0;
	err = macstats_bus_read(acc, offset, &value);
	*absent = !err && value == macstats_bus_mask(acc->model);
	return err;
}

/* Check whether the clocks run that an access needs. */
MACSTATS_FN bool macstats_clocks_run(const struct macstats_accumulator *acc)
{
	return !acc->model->needs_clocks || !acc->bus.clocks_run ||
	       acc->bus.clocks_run(acc->bus.context);
}

/* Like macstats_clocks_run(), but sets the reason: see macstats_check_ready(). */
MACSTATS_FN int macstats_check_clocks(struct macstats_accumulator *acc)
{
	acc->unusable = !macstats_clocks_run(acc);
	if (!acc->unusable)
		return 0;
	acc->reason = "the clocks of the port stand still";
	return -ENOLINK;
}

/*
 * Check whether the counters can be read now; acc->reason explains an error. Return: 0 or,
 * with acc->unusable, -ENODEV: the hardware does not answer; -ENOLINK: its clocks do not run;
 * -EBUSY: it is in reset; -ENODATA: the gate is closed. Without acc->unusable: the bus failed.
 */
MACSTATS_FN int macstats_check_ready(struct macstats_accumulator *acc)
{
	const struct macstats_model *model = acc->model;
	__u32 open = 0;
	__u32 busy = 0;
	bool absent = false;
	int err;

	err = macstats_check_clocks(acc);
	if (err)
		return err;
	acc->unusable = true;
	err = macstats_bus_bit(acc, &model->busy, 0, &busy);
	if (!err)
		err = macstats_bus_bit(acc, &model->gate, 1, &open);
	if (!err)
		err = macstats_check_presence(acc, &absent);
	if (err) {
		acc->unusable = false;
		acc->reason = "the registers cannot be reached";
		return err;
	}
	if (absent) {
		acc->reason = "the device does not answer, all reads give ones";
		return -ENODEV;
	}
	if (busy) {
		acc->reason = "a reset is in progress";
		return -EBUSY;
	}
	if (!open) {
		acc->reason = "the statistics are switched off by their gate";
		return -ENODATA;
	}
	acc->unusable = false;
	return 0;
}

/* Read the maximum frame length that is set now, the larger one of both directions. */
MACSTATS_FN int macstats_read_max_frame(struct macstats_accumulator *acc)
{
	const struct macstats_model *model = acc->model;
	bool is_switched = model->max_frame_switch.bit.mask;
	__u32 value = 0;
	__u32 sent = 0;
	int err = macstats_bus_bit(acc, is_switched ? &model->max_frame_switch.bit :
						      &model->max_frame_rx,
				   macstats_default_max_frame(model), &value);

	if (!err && !macstats_is_same_bit(&model->max_frame_tx, &model->max_frame_rx))
		err = macstats_bus_bit(acc, &model->max_frame_tx, 0, &sent);
	if (err)
		return err;
	if (is_switched)
		value = macstats_switched_max_frame(model, value);
	acc->max_frame = value > sent ? value : sent;
	return 0;
}

MACSTATS_FN void macstats_note_discontinuity(struct macstats_accumulator *acc,
					     unsigned int index, unsigned int *events)
{
	if (!(*events & MACSTATS_EVENT_DISCONTINUITY)) {
		acc->suspect_known = true;
		acc->suspect = (__u16)index;
		acc->suspect_value = acc->counters[index].value;
	}
	*events |= MACSTATS_EVENT_DISCONTINUITY;
}

MACSTATS_FN void macstats_note_loss(struct macstats_accumulator *acc, const char *why,
				    unsigned int *events)
{
	acc->loss = why;
	acc->possible_loss = true;
	*events |= MACSTATS_EVENT_POSSIBLE_LOSS;
}

/* Nothing has been read yet. */
MACSTATS_FN void macstats_begin_read(struct macstats_accumulator *acc)
{
	unsigned int i;

	for (i = 0; i < acc->model->n_counters; i++) {
		acc->counters[i].extent = MACSTATS_READ_NOTHING;
		acc->counters[i].again = 0;
		acc->counters[i].taken = false;
		acc->counters[i].moved = false;
	}
}

/* Check whether all of a counter was read, so that it can be added. */
MACSTATS_FN bool macstats_is_usable(const struct macstats_accumulator *acc, unsigned int index,
				    bool snapshots)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	const struct macstats_accumulated_counter *kept = &acc->counters[index];

	if (macstats_has_snapshot(acc->model, counter->block) && !snapshots)
		return false;
	if (kept->extent == MACSTATS_READ_PART)
		return counter->onread == MACSTATS_ONREAD_RCLR;
	return kept->extent >= MACSTATS_READ_WHOLE;
}

/* Check whether a counter counts on from its value after a read. */
MACSTATS_FN bool macstats_is_free_running(const struct macstats_counter *counter)
{
	return counter->onread == MACSTATS_ONREAD_NONE;
}

/*
 * The mask of the blocks that were cleared since the last poll. One free-running counter that
 * shows it stands for its whole block, including counters that have since passed their old
 * value. In a block with a parity error a counter shows only that error. @few: an increase by at
 * most so many events is no discontinuity; nor is a rollover by as many.
 */
MACSTATS_FN __u32 macstats_cleared_blocks(struct macstats_accumulator *acc, bool snapshots,
					  unsigned int parity, __u64 few,
					  unsigned int *events)
{
	unsigned int n = macstats_register_counters(acc->model);
	__u32 cleared = acc->cleared_blocks;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		const struct macstats_accumulated_counter *kept = &acc->counters[i];
		__u64 most = MACSTATS_UNBOUNDED;

		/* Most counters, most of the time. */
		if (macstats_events_between(counter, kept->old, kept->value) <= few &&
		    (counter->overflow != MACSTATS_SATURATE || kept->value >= kept->old))
			continue;
		if (!macstats_is_usable(acc, i, snapshots) || (parity >> counter->block & 1) ||
		    !macstats_is_free_running(counter))
			continue;
		if (acc->line_rate_bound)
			most = macstats_bound(acc, i, few);
		if (!macstats_is_discontinuity(counter, kept->old, kept->value, most))
			continue;
		cleared |= 1u << counter->block;
		macstats_note_discontinuity(acc, i, events);
	}
	return cleared;
}

/* A value at the maximum of a counter that saturates means "at least"; it was @old before. */
MACSTATS_FN void macstats_note_saturation(struct macstats_accumulator *acc, unsigned int index,
					  __u64 old, __u64 value, __u64 now_ns,
					  unsigned int *events)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_accumulated_counter *kept = &acc->counters[index];
	__u64 most = macstats_bits_mask(counter->bits);

	if (counter->overflow != MACSTATS_SATURATE || value != most)
		return;
	if (old != most || !kept->saturated)
		*events |= MACSTATS_EVENT_SATURATED;
	kept->saturated++;
	kept->saturated_ns = now_ns;
}

/*
 * Add to a total what a read of a counter shows. @left: its value right after that read. @most: the
 * events that can have happened since the last poll, of which a further read may show the rest.
 */
MACSTATS_FN void macstats_add_read(struct macstats_accumulator *acc, unsigned int index,
				   __u64 value, __u64 left, __u64 *most, __u64 now_ns,
				   unsigned int *events)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_accumulated_counter *kept = &acc->counters[index];
	__u64 old = kept->old;

	if (macstats_accumulate(counter, &kept->total, &kept->old, value, left, *most)) {
		macstats_note_discontinuity(acc, index, events);
		return;
	}
	macstats_note_saturation(acc, index, old, value, now_ns, events);
	if (*most != MACSTATS_UNBOUNDED)
		*most -= macstats_events_between(counter, old, value);
}

/* The share of the counters that feed a standard statistic. */
MACSTATS_FN enum macstats_share macstats_share_of(unsigned int id)
{
	switch (id) {
	case MACSTATS_STD_RTNL_RX_BYTES:
		return MACSTATS_SHARE_RX_OCTETS;
	case MACSTATS_STD_RTNL_RX_PACKETS:
		return MACSTATS_SHARE_RX_FRAMES;
	case MACSTATS_STD_RTNL_TX_BYTES:
		return MACSTATS_SHARE_TX_OCTETS;
	case MACSTATS_STD_RTNL_TX_PACKETS:
		return MACSTATS_SHARE_TX_FRAMES;
	default:
		return MACSTATS_SHARE_NONE;
	}
}

MACSTATS_FN bool macstats_is_of_frames(enum macstats_share share)
{
	return share == MACSTATS_SHARE_RX_FRAMES || share == MACSTATS_SHARE_TX_FRAMES;
}

/* Check whether a counter counts the octets or frames of @share, and nothing else. */
MACSTATS_FN bool macstats_is_sharer(const struct macstats_counter *counter,
				    const struct macstats_term *term, enum macstats_share share)
{
	__u8 other = share < MACSTATS_SHARE_TX_OCTETS ? MACSTATS_TX : MACSTATS_RX;

	return term->factor == 1 && !counter->good_frames &&
	       !macstats_is_software_counter(counter) &&
	       !(macstats_counter_direction(counter) & other) &&
	       (macstats_is_of_frames(share) ? counter->unit == MACSTATS_FRAMES :
		counter->unit == MACSTATS_OCTETS || counter->unit == MACSTATS_PAYLOAD);
}

/* Let a counter be one of @share. */
MACSTATS_FN void macstats_add_sharer(struct macstats_accumulator *acc, unsigned int index)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_sharers *sharers = &acc->sharers[acc->counters[index].share];
	__u32 shortest = macstats_shortest_length(acc->model, counter);

	sharers->counters++;
	sharers->payload = sharers->payload || counter->unit == MACSTATS_PAYLOAD;
	if (shortest < sharers->shortest)
		sharers->shortest = shortest;
}

/*
 * Find the counters that share in the traffic of a direction. A direction has no shares unless
 * each counter that feeds its bytes or packets counts its octets or frames alone.
 */
MACSTATS_FN void macstats_find_shares(struct macstats_accumulator *acc)
{
	const struct macstats_model *model = acc->model;
	bool spoilt[2] = { false, false };
	unsigned int i;
	unsigned int t = 0;

	for (i = 0; i < MACSTATS_SHARES; i++) {
		acc->sharers[i].counters = 0;
		acc->sharers[i].payload = false;
		acc->sharers[i].shortest = MACSTATS_FRAME_MAX;
	}
	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		acc->counters[i].share = MACSTATS_SHARE_NONE;
		for (t = 0; t < MACSTATS_MAX_TERMS && counter->standard[t].id; t++) {
			enum macstats_share share = macstats_share_of(counter->standard[t].id);

			/* Frames in bytes: octets of headers or FCS, as many for each frame. */
			if (share == MACSTATS_SHARE_NONE ||
			    (!macstats_is_of_frames(share) && counter->unit == MACSTATS_FRAMES))
				continue;
			if (macstats_is_sharer(counter, &counter->standard[t], share))
				acc->counters[i].share = (__u8)share;
			else
				spoilt[share / 2] = true;
		}
	}
	for (i = 0; i < model->n_counters; i++) {
		if (acc->counters[i].share == MACSTATS_SHARE_NONE)
			continue;
		if (spoilt[acc->counters[i].share / 2])
			acc->counters[i].share = MACSTATS_SHARE_NONE;
		else
			macstats_add_sharer(acc, i);
	}
}

/* What the counters of a share have counted since the last poll, and what they can show. */
struct macstats_shared {
	__u64 events;
	__u64 most;		/* of any of them, ~0 if none goes round */
	bool unusable;		/* what one of them counted is not known */
};

/*
 * Sum up what was read, for each share. @damaged: mask of blocks whose values mean nothing. Values
 * that cannot be used count nothing.
 */
MACSTATS_FN void macstats_sum_shares(const struct macstats_accumulator *acc, bool snapshots,
				     __u32 damaged, struct macstats_shared *shares)
{
	unsigned int n = macstats_register_counters(acc->model);
	unsigned int i;

	for (i = 0; i < MACSTATS_SHARES; i++) {
		shares[i].events = 0;
		shares[i].most = ~0ull;
		shares[i].unusable = false;
	}
	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		const struct macstats_accumulated_counter *kept = &acc->counters[i];
		__u64 most = macstats_bits_mask(counter->bits);
		struct macstats_shared *share;
		__u64 events;

		if (kept->share == MACSTATS_SHARE_NONE)
			continue;
		share = &shares[kept->share];
		if (macstats_lacks_counter(acc, i) || !macstats_is_usable(acc, i, snapshots) ||
		    (counter->overflow == MACSTATS_SATURATE && kept->value == most) ||
		    kept->unknown || kept->extent == MACSTATS_READ_PART ||
		    (damaged >> counter->block & 1)) {
			share->unusable = true;
			continue;
		}
		events = macstats_events_between(counter, kept->old, kept->value);
		share->events = macstats_saturating_add(share->events, events);
		share->events = macstats_saturating_add(share->events, kept->again);
		if (counter->overflow != MACSTATS_SATURATE && most < share->most)
			share->most = most;
	}
}

/*
 * Check whether so many octets of a direction, whose share is @at, can be those of so many frames.
 * @slack: octets that may be in one sum only, as the counters are read one after the other.
 */
MACSTATS_FN bool macstats_shares_agree(const struct macstats_accumulator *acc, unsigned int at,
				       __u64 octets, __u64 frames, __u64 slack)
{
	__u64 most = macstats_saturating_multiply(frames, MACSTATS_FRAME_MAX);
	__u64 least = macstats_saturating_multiply(frames, acc->sharers[at + 1].shortest);

	return octets <= macstats_saturating_add(most, slack) &&
	       (acc->sharers[at].payload || least <= macstats_saturating_add(octets, slack));
}

/*
 * Find the directions whose octets and frames contradict each other: after a reset, counters may
 * hold anything. A bit for each of the shares that are then unknown. @during: octet times that
 * passed while this poll read.
 */
MACSTATS_FN unsigned int macstats_contradictions(const struct macstats_accumulator *acc,
						 const struct macstats_shared *shares,
						 __u64 during)
{
	__u64 slack = macstats_saturating_add(acc->read_octets, during);
	unsigned int lines = 2 * (acc->model->block_lines ? acc->model->block_lines : 1u);
	unsigned int found = 0;
	unsigned int i;

	/* Octets that may have gone round tell nothing. */
	if (!acc->line_rate_bound || !acc->whole ||
	    macstats_saturating_multiply(acc->line_octets, lines) >= acc->wrap_octets)
		return 0;
	if (slack)
		slack = macstats_saturating_add(slack, (slack >> 11) + MACSTATS_FRAME_MAX +
						       MACSTATS_GAP_LEN);
	slack = macstats_saturating_multiply(slack, lines / 2);
	for (i = 0; i < MACSTATS_SHARES; i += 2)
		if (acc->sharers[i].counters && acc->sharers[i + 1].counters &&
		    !shares[i].unusable && !shares[i + 1].unusable &&
		    !macstats_shares_agree(acc, i, shares[i].events, shares[i + 1].events, slack))
			found |= 3u << i;
	return found;
}

/*
 * Report a contradiction at the first counter of the shares in @wrong that counted anything.
 * Return: mask of the blocks whose free-running counters it shows to be reset.
 */
MACSTATS_FN __u32 macstats_disown_shares(struct macstats_accumulator *acc, unsigned int wrong,
					 unsigned int *events)
{
	unsigned int n = macstats_register_counters(acc->model);
	__u32 blocks = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		const struct macstats_accumulated_counter *kept = &acc->counters[i];

		if (kept->share == MACSTATS_SHARE_NONE || !(wrong >> kept->share & 1))
			continue;
		if (macstats_events_between(counter, kept->old, kept->value))
			macstats_note_discontinuity(acc, i, events);
		if (macstats_is_free_running(counter))
			blocks |= 1u << counter->block;
	}
	return blocks;
}

/*
 * Without a line rate, and on a bus that does not report its traffic, frames tell whether octets
 * may have gone round: none is longer than the maximum with two tags, and no hardware is many
 * times faster than its model.
 */
MACSTATS_FN void macstats_check_traffic(struct macstats_accumulator *acc,
					const struct macstats_shared *shares,
					unsigned int *events)
{
	__u64 longest = acc->max_frame + 8ull;
	__u64 fastest = macstats_saturating_multiply(acc->line_octets, MACSTATS_FASTER);
	unsigned int i;

	if (acc->line_rate_bound || acc->bus.line_octets)
		return;
	for (i = 0; i < MACSTATS_SHARES; i += 2) {
		if (!acc->sharers[i].counters || fastest <= shares[i].most ||
		    macstats_saturating_multiply(shares[i + 1].events, longest) <= shares[i].most)
			continue;
		macstats_note_loss(acc, "frames may have had more octets than a counter shows",
				   events);
	}
}

/*
 * Check whether the words of a pair are exchanged: as they are, no line can have carried what they
 * count; exchanged, it can. @few: macstats_few_counted().
 */
MACSTATS_FN void macstats_check_words(struct macstats_accumulator *acc, unsigned int index,
				      __u64 few)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	const struct macstats_accumulated_counter *kept = &acc->counters[index];
	unsigned int bits = acc->model->bus_bits;
	__u64 mask = macstats_bits_mask(counter->bits);
	__u64 events = macstats_events_between(counter, kept->old, kept->value);
	__u64 most;

	if (events <= few || macstats_words(acc->model, counter) != 2)
		return;
	most = macstats_most_counted(acc, counter);
	if (events <= most)
		return;
	events = ((kept->value >> bits | kept->value << bits) -
		  (kept->old >> bits | kept->old << bits)) & mask;
	if (events && events <= most)
		macstats_note_misfit(acc, MACSTATS_MISFIT_WORDS, counter->reg, kept->value, most);
}

/*
 * A preset counter was read. Return: true if the value of the preset is no longer in it, so that
 * nothing tells what was counted since.
 */
MACSTATS_FN bool macstats_end_preset(struct macstats_accumulator *acc, unsigned int index)
{
	bool preset = acc->counters[index].preset;

	acc->counters[index].preset = false;
	/* One that was lowered after its preset was read tells nothing about the next preset. */
	return acc->bus.lowered && acc->bus.lowered(acc->bus.context, index) && preset;
}

/* Add the values that were read to the totals. */
MACSTATS_FN void macstats_take_values(struct macstats_accumulator *acc, bool snapshots,
				      unsigned int parity, __u64 during, __u64 now_ns,
				      unsigned int *events)
{
	unsigned int n = macstats_register_counters(acc->model);
	__u64 few = acc->line_rate_bound ? macstats_few_counted(acc) : MACSTATS_ROLLOVER_64;
	__u32 cleared = macstats_cleared_blocks(acc, snapshots, parity, few, events);
	struct macstats_shared shares[MACSTATS_SHARES];
	unsigned int wrong;
	unsigned int i;

	macstats_sum_shares(acc, snapshots, cleared | parity, shares);
	wrong = macstats_contradictions(acc, shares, during);
	if (wrong)
		cleared |= macstats_disown_shares(acc, wrong, events);
	macstats_check_traffic(acc, shares, events);
	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		struct macstats_accumulated_counter *kept = &acc->counters[i];
		bool rclr = counter->onread == MACSTATS_ONREAD_RCLR;
		bool suspect = parity >> counter->block & 1;
		__u64 most = MACSTATS_UNBOUNDED;
		__u64 left = rclr ? 0 : kept->value;
		__u64 total = kept->total;
		bool unknown;

		if (!macstats_is_usable(acc, i, snapshots))
			continue;
		if (!suspect)
			macstats_check_words(acc, i, few);
		unknown = (kept->preset && macstats_end_preset(acc, i)) || kept->unknown;
		kept->unknown = false;
		kept->taken = kept->extent != MACSTATS_READ_PART;
		if (((cleared >> counter->block & 1) && macstats_is_free_running(counter)) ||
		    (kept->share != MACSTATS_SHARE_NONE && (wrong >> kept->share & 1))) {
			*events |= MACSTATS_EVENT_DISCONTINUITY;
			kept->old = left;
			continue;
		}
		if (unknown) {
			macstats_note_discontinuity(acc, i, events);
			kept->old = left;
			continue;
		}
		/*
		 * A value that a parity error may have damaged must be plausible in any case.
		 */
		if (suspect)
			most = macstats_most_counted(acc, counter);
		else if (acc->line_rate_bound)
			most = macstats_bound(acc, i, few);
		if (suspect && most > macstats_bits_mask(counter->bits) / 2)
			most = macstats_bits_mask(counter->bits) / 2;
		macstats_add_read(acc, i, kept->value, left, &most, now_ns, events);
		if (kept->again)
			macstats_add_read(acc, i, kept->again, left, &most, now_ns, events);
		kept->moved = kept->total != total;
		if (kept->extent == MACSTATS_READ_PART)
			macstats_note_loss(acc, "the bus failed in the middle of a counter",
					   events);
	}
	/* The next poll also treats the unread counters of these blocks as cleared. */
	acc->cleared_blocks = snapshots ? 0 : cleared;
}

/*
 * Check, for values that cannot be used, whether the read cleared anything and so lost it.
 * @silent: values of all-ones did not come from the hardware. One exception remains: a count of
 * all-ones that was read just before the hardware went looks the same, and is lost with it.
 */
MACSTATS_FN void macstats_discard_values(struct macstats_accumulator *acc, bool silent,
					 unsigned int *events)
{
	unsigned int n = macstats_register_counters(acc->model);
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		struct macstats_accumulated_counter *kept = &acc->counters[i];

		if (counter->onread != MACSTATS_ONREAD_RCLR ||
		    kept->extent == MACSTATS_READ_NOTHING || !kept->value ||
		    (silent && kept->extent == MACSTATS_READ_ONES))
			continue;
		macstats_note_loss(acc, "what a read has cleared was not usable", events);
		kept->unknown = kept->preset;
	}
}

/* Set the reason of a failed read, for errors without one. */
MACSTATS_FN void macstats_explain(struct macstats_accumulator *acc, int err)
{
	if (err == -ETIMEDOUT)
		acc->reason = "a snapshot of the counters is not granted";
	else if (err == -EAGAIN)
		acc->reason = "snapshots are released by somebody else";
	else
		acc->reason = "the registers cannot be reached";
}

/*
 * Read everything that a poll needs, and check that it could be read. @parity becomes the mask
 * of the blocks with a parity error. On an error with acc->unusable no value can be used: see
 * macstats_check_ready(), or the bus failed there, and nothing tells whether words of all-ones
 * came from the hardware. On any other error the values are good, except those of counters under
 * a snapshot.
 */
MACSTATS_FN int macstats_read_values(struct macstats_accumulator *acc, unsigned int *parity)
{
	unsigned int tries = 0;
	__u64 octets = 0;
	int released = 0;
	int ready;
	int err;

	*parity = 0;
	acc->silent = false;
	macstats_begin_read(acc);
	err = macstats_check_ready(acc);
	if (err)
		return err;
	err = macstats_read_max_frame(acc);
	while (!err) {
		err = macstats_snapshot_take(acc);
		octets = acc->line_octets;
		if (!err)
			err = macstats_read_counters(acc);
		if (!err && acc->clear_looks < MACSTATS_CLEAR_LOOKS && !acc->rebase && !tries)
			err = macstats_read_again(acc, octets);
		if (!err)
			err = macstats_snapshot_check(acc, parity);
		released = macstats_snapshot_release(acc, *parity);
		/* Repeat once if another reader released a snapshot meanwhile. */
		if (err != -EAGAIN || ++tries == MACSTATS_SNAPSHOT_TRIES)
			break;
		err = released;
	}
	ready = macstats_check_ready(acc);
	/* Words of all-ones are no values, and no proof of absence: their loss is possible. */
	acc->unusable = acc->unusable || (ready && acc->silent);
	if (acc->unusable) {
		*parity = 0;
		return ready;
	}
	if (!err)
		err = released;
	if (!err)
		err = ready;
	if (err)
		macstats_explain(acc, err);
	return err;
}

/* The mask of the blocks that one of these options builds. */
MACSTATS_FN __u32 macstats_blocks_of(const struct macstats_model *model, unsigned int options)
{
	return macstats_all_blocks(model) & ~macstats_unbuilt_blocks(model, options);
}

/* Note which blocks the hardware was built without, and so which counters it lacks. */
MACSTATS_FN void macstats_set_absent(struct macstats_accumulator *acc, __u32 blocks)
{
	unsigned int i;

	acc->absent_blocks = blocks;
	acc->absent = blocks == macstats_all_blocks(acc->model);
	acc->absent_rows = acc->left_out;
	for (i = 0; i < acc->model->n_counters; i++)
		if (blocks >> acc->model->counters[i].block & 1)
			macstats_add_row(&acc->absent_rows, i);
}

/*
 * Find the counters that the hardware lacks, in addition to those of @blocks: by bits of its
 * registers. Return: 0 or the error of an access, which changes nothing.
 */
MACSTATS_FN int macstats_find_absent(struct macstats_accumulator *acc, __u32 blocks)
{
	const struct macstats_model *model = acc->model;
	struct macstats_rows rows = { { 0 } };
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_bit *bit = &model->counters[i].present;
		__u32 value = 0;
		int err;

		if (!bit->mask || (blocks >> model->counters[i].block & 1))
			continue;
		err = macstats_bus_bit(acc, bit, 1, &value);
		if (err)
			return err;
		if (!value)
			macstats_add_row(&rows, i);
	}
	macstats_set_absent(acc, blocks);
	for (i = 0; i < MACSTATS_COUNT_OF(rows.bits); i++)
		acc->absent_rows.bits[i] |= rows.bits[i];
	return 0;
}

/*
 * Find the options that the hardware was built without. Used only for models without an
 * identity register: none of the snapshot requests of their blocks can then be stored. Where
 * there are no snapshots either, only the driver knows.
 */
MACSTATS_FN int macstats_probe(struct macstats_accumulator *acc, unsigned int *absent)
{
	const struct macstats_model *model = acc->model;
	unsigned int probed = 0;
	unsigned int stored = 0;
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_bit *request = &model->blocks[i].snapshot_request;
		__u32 value = 0;
		int err;

		if (!request->mask)
			continue;
		probed |= macstats_block_option(model, i);
		err = macstats_bus_update(acc, request->offset, 0, request->mask);
		if (!err)
			err = macstats_bus_read(acc, request->offset, &value);
		if (!err)
			err = macstats_bus_update(acc, request->offset, request->mask, 0);
		if (err)
			return err;
		if (value & request->mask)
			stored |= macstats_block_option(model, i);
	}
	*absent = probed & ~stored;
	return 0;
}

/* The option to which the block of an identity register belongs. */
MACSTATS_FN unsigned int macstats_identity_option(const struct macstats_model *model,
						  unsigned int index)
{
	int at = macstats_register_at(model, model->identity[index].offset);

	return macstats_block_option(model, at < 0 ? 0 : model->registers[at].block);
}

/*
 * Find the options that the hardware was built without: all identity registers of their blocks
 * read 0. Return: 0; -ENODEV: another device; other errors are those of the bus.
 */
MACSTATS_FN int macstats_read_identity(struct macstats_accumulator *acc, unsigned int *absent)
{
	const struct macstats_model *model = acc->model;
	unsigned int wrong = 0;
	unsigned int zero = 0;
	unsigned int other = 0;
	unsigned int i;

	for (i = 0; i < model->n_identity; i++) {
		unsigned int option = macstats_identity_option(model, i);
		__u32 value = 0;
		int err = macstats_bus_read(acc, model->identity[i].offset, &value);

		if (err)
			return err;
		if (value != model->identity[i].value)
			wrong |= option;
		if (value)
			other |= option;
		else
			zero |= option;
	}
	/* What reads 0 is absent. */
	*absent = zero & ~other;
	wrong &= ~*absent;
	for (i = 0; wrong && i < model->n_identity; i++) {
		const struct macstats_identity *identity = &model->identity[i];
		int at = macstats_register_at(model, identity->offset);
		__u32 value = 0;

		if ((wrong & macstats_identity_option(model, i)) &&
		    !macstats_bus_read(acc, identity->offset, &value) && value != identity->value)
			macstats_note_misfit(acc, MACSTATS_MISFIT_IDENTITY,
					     at < 0 ? "" : model->registers[at].name, value,
					     identity->value);
	}
	return wrong ? -ENODEV : 0;
}

/*
 * Check that these are the registers of the model. Sets acc->absent_rows, acc->absent_blocks and
 * acc->absent if the hardware was built without some of the counters, or without all. Return: 0;
 * -ENODEV: another device; other errors are those of the bus.
 */
MACSTATS_FN int macstats_identify(struct macstats_accumulator *acc)
{
	const struct macstats_model *model = acc->model;
	unsigned int absent = 0;
	int err;

	macstats_set_absent(acc, acc->without_counters ? macstats_all_blocks(model) : 0);
	acc->identified = acc->absent;
	/* A port without a clock cannot be identified before its first good read. */
	if (acc->absent || macstats_check_clocks(acc))
		return 0;
	err = model->n_identity ? macstats_read_identity(acc, &absent) :
				  macstats_probe(acc, &absent);
	if (err)
		return err;
	err = macstats_find_absent(acc, macstats_blocks_of(model, absent));
	acc->identified = !err;
	return err;
}

/*
 * Identify a port whose clocks were stopped at macstats_start(). Users have read its counters
 * since then, so a port without some of them is an error, too. Return: 0; -ENODEV: another device,
 * or one that lacks counters; other errors are those of the bus.
 */
MACSTATS_FN int macstats_identify_late(struct macstats_accumulator *acc)
{
	int err = macstats_identify(acc);

	acc->reason = "the registers cannot be reached";
	if (err != -ENODEV && macstats_is_same_set(&acc->absent_rows, &acc->left_out))
		return err;
	acc->reason = err ? "these are not the registers of the model" :
			    "the device lacks counters that its users were shown";
	macstats_set_absent(acc, 0);
	acc->identified = false;
	acc->unusable = true;
	return -ENODEV;
}

/* Check whether counters that were cleared @octets octet times ago show no more than can be new. */
MACSTATS_FN void macstats_check_clear(struct macstats_accumulator *acc, __u64 octets)
{
	unsigned int n = macstats_register_counters(acc->model);
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		__u64 value = acc->counters[i].value;
		__u64 most;

		if (!value || macstats_lacks_counter(acc, i) ||
		    !acc->model->blocks[counter->block].clear.mask)
			continue;
		most = macstats_most_at_once(acc, counter, octets);
		if (value > most)
			macstats_note_misfit(acc, MACSTATS_MISFIT_CLEAR, counter->reg, value, most);
	}
}

/*
 * Enable the statistics, clear counters and parity where a command for it exists (they contain
 * anything after power-up), and take the values of the counters as the new baseline.
 */
MACSTATS_FN int macstats_read_baseline(struct macstats_accumulator *acc, __u64 now_ns)
{
	const struct macstats_model *model = acc->model;
	unsigned int n = macstats_register_counters(model);
	unsigned int parity = 0;
	unsigned int i;
	int err;

	err = macstats_check_clocks(acc);
	if (!err && !acc->identified)
		err = macstats_identify_late(acc);
	if (err)
		return err;
	acc->reason = "the registers cannot be reached";
	acc->silent = false;
	if (model->gate.mask)
		err = macstats_bus_update(acc, model->gate.offset, 0, model->gate.mask);
	if (!err)
		err = macstats_check_ready(acc);
	/* Events from here on may show in the next read. */
	macstats_line_passes(acc, now_ns);
	acc->next_rate_bps = 0;
	acc->line_octets = 0;
	for (i = 0; !err && i < model->n_blocks; i++) {
		const struct macstats_block *block = &model->blocks[i];

		if (macstats_lacks_block(acc, i))
			continue;
		acc->reason = "the registers cannot be reached";
		if (block->clear.mask)
			err = macstats_bus_update(acc, block->clear.offset, 0, block->clear.mask);
		if (!err && block->parity_clear.mask)
			err = macstats_bus_update(acc, block->parity_clear.offset, 0,
						  block->parity_clear.mask);
	}
	if (!err)
		err = macstats_read_values(acc, &parity);
	if (err)
		return err;
	for (i = 0; i < n; i++) {
		struct macstats_accumulated_counter *kept = &acc->counters[i];
		bool rclr = model->counters[i].onread == MACSTATS_ONREAD_RCLR;

		kept->old = rclr ? 0 : kept->value;
		kept->preset = false;
		kept->unknown = false;
		kept->taken = true;
	}
	macstats_line_passes(acc, now_ns);
	macstats_check_clear(acc, acc->line_octets);
	acc->read_octets = acc->line_octets;
	acc->whole = true;
	acc->cleared_blocks = 0;
	acc->rebase = false;
	acc->rebased = true;
	return 0;
}

/* Read everything once and add it to the totals. Sets the reason of an error. */
MACSTATS_FN int macstats_read_port(struct macstats_accumulator *acc, __u64 now_ns,
				   unsigned int *events)
{
	__u64 during;
	unsigned int parity = 0;
	bool snapshots;
	int err;

	acc->rebased = false;
	macstats_line_passes(acc, now_ns);
	acc->next_rate_bps = 0;
	during = acc->line_octets;
	err = macstats_read_values(acc, &parity);
	if (parity) {
		acc->parity_errors++;
		*events |= MACSTATS_EVENT_PARITY_ERROR;
	}
	if (acc->unusable && err == -ENODATA && macstats_was_reset(acc)) {
		acc->suspect_known = false;
		*events |= MACSTATS_EVENT_DISCONTINUITY;
		acc->rebase = true;
		macstats_discard_values(acc, false, events);
		return macstats_read_baseline(acc, now_ns);
	}
	if (acc->unusable) {
		acc->whole = false;
		macstats_discard_values(acc, err == -ENODEV, events);
		return err;
	}
	macstats_line_passes(acc, now_ns);
	during = acc->line_octets - during;
	snapshots = !err;
	macstats_take_values(acc, snapshots, parity, during, now_ns, events);
	acc->whole = !err;
	if (!err) {
		if (acc->bus.line_octets && acc->line_octets >= acc->wrap_octets)
			macstats_note_loss(acc, "more passed on the line than a counter shows",
					   events);
		/* Events during the read may show in the next one. */
		acc->line_total = macstats_saturating_add(acc->line_total, acc->line_octets);
		acc->line_octets = during;
		acc->read_octets = during;
	}
	return err;
}

/*
 * Read the hardware and bring the totals up to date. @now_ns is the time since
 * boot. Returns 0 or -errno (then the port is stale, see acc->reason); what is
 * new since the last poll is in @events, a mask of enum macstats_event.
 */
MACSTATS_FN int macstats_poll(struct macstats_accumulator *acc, __u64 now_ns,
			      unsigned int *events)
{
	bool started = acc->started;
	bool baseline = acc->rebase;
	int err = 0;

	*events = 0;
	if (acc->absent)
		return 0;
	if (acc->gone || acc->suspended)
		return -ESHUTDOWN;
	err = baseline ? macstats_read_baseline(acc, now_ns) :
			 macstats_read_port(acc, now_ns, events);
	if (acc->went_back)
		*events |= MACSTATS_EVENT_DISCONTINUITY;
	acc->went_back = false;
	if (acc->misfits != acc->misfits_told)
		*events |= MACSTATS_EVENT_MISFIT;
	acc->misfits_told = acc->misfits;
	if (*events & MACSTATS_EVENT_DISCONTINUITY) {
		acc->discontinuities++;
		acc->discontinuity_ns = now_ns;
	}
	if (err) {
		if (!acc->stale)
			*events |= MACSTATS_EVENT_STALE;
		acc->stale = true;
		return err;
	}
	if (acc->stale)
		*events |= MACSTATS_EVENT_RECOVERED;
	acc->stale = false;
	acc->reason = "";
	if (!started) {
		if (!acc->start_ns)
			acc->start_ns = now_ns;
	} else if (!baseline &&
		   /* A slow poll reads long after it began. */
		   MACSTATS_DIV64(macstats_unpolled_ns(acc, macstats_time(acc, now_ns)), 1000) >
			acc->max_gap_usecs) {
		acc->late_polls++;
		macstats_note_loss(acc, "not polled within the wrap time", events);
	}
	/* A fall while it read may be that of what the next one shows. */
	if (acc->bus.line_rate && acc->next_rate_bps < acc->line_rate_bps)
		macstats_set_line_rate(acc, acc->next_rate_bps);
	acc->started = true;
	acc->poll_ns = now_ns;
	acc->advanced_ns = 0;
	acc->slower_ns = 0;
	acc->generation += started;
	return 0;
}

/* Move the last good poll back in time, by @nsecs. */
MACSTATS_FN void macstats_advance(struct macstats_accumulator *acc, __u64 nsecs)
{
	__u64 most = ~0ull - acc->advanced_ns;

	acc->advanced_ns += nsecs < most ? nsecs : most;
}

/* The time of the last good poll; not before boot. */
MACSTATS_FN __u64 macstats_polled_ns(const struct macstats_accumulator *acc)
{
	return acc->poll_ns > acc->advanced_ns ? acc->poll_ns - acc->advanced_ns : 0;
}

/*
 * The life cycle of the hardware, as its driver reports it. @events as in
 * macstats_poll(). Totals stay what they are, or advance.
 *
 * suspend: read a last time, then leave the hardware alone until a resume; the port
 *	is stale meanwhile. Returns the result of the last read. If that read failed, the
 *	counts since the last good poll may be lost: a possible loss.
 * resume: the hardware works again, and has counted nothing since the suspend. The
 *	current values of its counters are the new baseline. If they cannot be read now, the
 *	counts until then are lost: a possible loss.
 * reset: the hardware was restarted. The counts since the last poll are lost, which is
 *	a discontinuity; the current values of its counters are the new baseline.
 * gone: the hardware was removed. The port stays stale, and nothing accesses it again.
 */
MACSTATS_FN int macstats_suspend(struct macstats_accumulator *acc, __u64 now_ns,
				 unsigned int *events)
{
	int err;

	*events = 0;
	if (acc->absent)
		acc->suspended = true;
	if (acc->absent || acc->suspended || acc->gone)
		return 0;
	err = macstats_poll(acc, now_ns, events);
	if (err && acc->started)
		macstats_note_loss(acc, "the last read before the suspend failed", events);
	if (!acc->stale)
		*events |= MACSTATS_EVENT_STALE;
	*events &= ~(unsigned int)MACSTATS_EVENT_RECOVERED;
	acc->stale = true;
	acc->suspended = true;
	acc->reason = "the port is suspended";
	return err;
}

MACSTATS_FN int macstats_resume(struct macstats_accumulator *acc, __u64 now_ns,
				unsigned int *events)
{
	int err;

	*events = 0;
	if (!acc->suspended)
		return 0;
	acc->suspended = false;
	acc->rebase = true;
	err = macstats_poll(acc, now_ns, events);
	if (err && acc->started)
		macstats_note_loss(acc, "the counters could not be read at the resume", events);
	return err;
}

MACSTATS_FN int macstats_reset(struct macstats_accumulator *acc, __u64 now_ns,
			       unsigned int *events)
{
	*events = 0;
	if (acc->absent || acc->gone)
		return 0;
	if (acc->started) {
		acc->suspect_known = false;
		acc->went_back = true;
	}
	acc->rebase = true;
	/* A suspended port reports it, and takes its baseline, when it is resumed. */
	return acc->suspended ? 0 : macstats_poll(acc, now_ns, events);
}

MACSTATS_FN void macstats_gone(struct macstats_accumulator *acc, unsigned int *events)
{
	*events = 0;
	if (acc->absent)
		acc->gone = true;
	if (acc->gone)
		return;
	if (!acc->stale)
		*events |= MACSTATS_EVENT_STALE;
	/* The events since the last good poll are lost with it. */
	if (acc->started && !acc->suspended)
		macstats_note_loss(acc, "the device is gone", events);
	acc->stale = true;
	acc->gone = true;
	acc->reason = "the device is gone";
}

/*
 * Start the port: identify it, and count from now on. The caller has set the model, the
 * bus, the base and the driver's choices; this function sets the rest. A port whose
 * counters cannot be read now is stale, and counts from its first good poll on.
 * -ENODEV: these are not the registers of the model; other errors are those of a poll.
 */
MACSTATS_FN int macstats_start(struct macstats_accumulator *acc, __u64 now_ns)
{
	unsigned int events = 0;
	unsigned int i;
	int err;

	acc->started = false;
	acc->rebase = true;
	acc->stale = false;
	acc->possible_loss = false;
	acc->suspended = false;
	acc->gone = false;
	acc->went_back = false;
	acc->suspect_known = false;
	acc->clear_looks = 0;
	acc->misfits = 0;
	acc->misfits_told = 0;
	acc->unusable = false;
	acc->reason = "";
	acc->loss = "";
	acc->discontinuities = 0;
	acc->discontinuity_ns = 0;
	acc->parity_errors = 0;
	acc->late_polls = 0;
	acc->start_ns = 0;
	acc->poll_ns = now_ns;
	acc->advanced_ns = 0;
	acc->slower_ns = 0;
	acc->max_frame = macstats_default_max_frame(acc->model);
	acc->generation = 0;
	acc->line_ns = now_ns;
	acc->line_octets = 0;
	acc->line_total = 0;
	acc->read_octets = 0;
	acc->whole = false;
	acc->cleared_blocks = 0;
	if (!acc->line_rate_bps)
		acc->line_rate_bps = acc->model->line_rate_bps;
	acc->max_gap_usecs = macstats_max_gap_usecs(acc->model, acc->line_rate_bps);
	acc->wrap_octets = macstats_fewest_wrap_octets(acc->model);
	macstats_find_shares(acc);
	for (i = 0; i < acc->model->n_counters; i++) {
		struct macstats_accumulated_counter *kept = &acc->counters[i];

		kept->total = 0;
		kept->old = 0;
		kept->preset = false;
		kept->unknown = false;
		kept->saturated = 0;
		kept->saturated_ns = 0;
	}
	macstats_begin_read(acc);
	err = macstats_identify(acc);
	if (err)
		return err;
	err = macstats_poll(acc, now_ns, &events);
	/* Nobody listens yet. */
	acc->misfits_told = 0;
	return acc->unusable && err != -ENODEV ? 0 : err;
}

/*
 * Follow a preset that changed an emulated counter from @held to @value, as if the
 * hardware had counted @value before macstats_start(). The counts since the last poll
 * go into the total, as at a poll; nothing else changes.
 */
MACSTATS_FN void macstats_preset(struct macstats_accumulator *acc, unsigned int index,
				 __u64 held, __u64 value)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_accumulated_counter *kept = &acc->counters[index];
	__u64 most = MACSTATS_UNBOUNDED;
	__u64 total = kept->total;
	bool unknown;
	bool back;

	/* A value that will be a later baseline needs no check now. */
	if (!acc->started || acc->rebase || acc->suspended || acc->gone ||
	    macstats_lacks_counter(acc, index))
		return;
	macstats_line_passes(acc, acc->poll_ns);
	if (acc->line_rate_bound)
		most = macstats_most_counted(acc, counter);
	unknown = macstats_end_preset(acc, index) || kept->unknown;
	kept->preset = true;
	kept->unknown = false;
	acc->whole = false;
	macstats_begin_read(acc);
	back = macstats_is_discontinuity(counter, kept->old, held, most);
	if (unknown) {
		kept->old = value;
	} else if (!macstats_accumulate(counter, &kept->total, &kept->old, held, value, most)) {
		kept->taken = true;
		kept->moved = kept->total != total;
		return;
	}
	acc->went_back = true;
	acc->suspect_known = true;
	acc->suspect = (__u16)index;
	acc->suspect_value = held;
	if (back && macstats_is_free_running(counter))
		acc->cleared_blocks |= 1u << counter->block;
}

/* Take over the total of a software counter, which is always at hand. */
MACSTATS_FN void macstats_take_software(struct macstats_accumulator *acc, unsigned int index,
					__u64 total)
{
	struct macstats_accumulated_counter *kept = &acc->counters[index];

	kept->taken = true;
	kept->moved = total != kept->total;
	kept->total = total;
}

/*
 * The status of a packet: the last descriptor has what the MAC wrote, and the first one the
 * controls, where its override bit is set; otherwise they are those of the registers.
 */
MACSTATS_FN __u32 macstats_packet_status(const struct macstats_model *model,
					 const struct macstats_packet *packet)
{
	const struct macstats_descriptor *bits = &model->descriptor;
	__u32 controls = bits->append_crc | bits->huge;

	return (packet->last & ~controls) |
	       ((packet->first & bits->override ? packet->first : packet->config) & controls);
}

/* The field of a table that contains collisions, or with @octets the length; NULL without one. */
MACSTATS_FN const struct macstats_status *
macstats_status_field(const struct macstats_status *fields, unsigned int n, bool octets)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		if (octets ? fields[i].octets : fields[i].collisions)
			return &fields[i];
	return NULL;
}

/* The number in a field of a status; 0 without one. */
MACSTATS_FN __u32 macstats_status_number(const struct macstats_status *field, __u32 status)
{
	return field ? status >> field->lsb & (__u32)macstats_bits_mask(field->bits) : 0;
}

/* Check whether a counter counts packets with a status, by the bits of the status. */
MACSTATS_FN bool macstats_status_counts(const struct macstats_from_status *from, bool received,
					__u32 status)
{
	/* Most rows fail the first comparison. */
	return (status & from->mask) == from->value && from->mask && from->received == received;
}

/*
 * The amount that @count packets of one kind, each sent or given up, add to counter @index.
 * @status: macstats_packet_status() of @packet.
 */
MACSTATS_FN __u64 macstats_transmitted_increment(const struct macstats_model *model,
						 unsigned int index,
						 const struct macstats_packet *packet,
						 __u32 status, __u64 count)
{
	const struct macstats_from_status *from = &model->counters[index].status;
	__u32 collisions = 0;

	if (!macstats_status_counts(from, false, status))
		return 0;
	if (from->adds_octets)
		return macstats_saturating_multiply(count, packet->octets);
	if (from->adds_attempts)
		return macstats_saturating_multiply(count, packet->attempts);
	if (!from->low && !from->high && !from->adds_collisions)
		return count;
	collisions = macstats_status_number(macstats_status_field(model->tx_status,
								  model->n_tx_status, false),
					    status);
	if (collisions < from->low || (from->high && collisions > from->high))
		return 0;
	return from->adds_collisions ? macstats_saturating_multiply(count, collisions) : count;
}

/* The amount that @count receive descriptors with this status add to counter @index. */
MACSTATS_FN __u64 macstats_received_increment(const struct macstats_model *model,
					      unsigned int index, __u32 status, __u64 count)
{
	const struct macstats_from_status *from = &model->counters[index].status;
	const struct macstats_status *length;

	if (!macstats_status_counts(from, true, status))
		return 0;
	if (!from->adds_octets)
		return count;
	length = macstats_status_field(model->rx_status, model->n_rx_status, true);
	return macstats_saturating_multiply(count, macstats_status_number(length, status));
}

#endif /* MACSTATS_ACCUMULATOR_H */
