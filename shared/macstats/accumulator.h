/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The state of a port's counters, and the bus by which poll.h reads them; the kernel and an
 * in-process device supply a bus each, and run the same code.
 *
 * Functions that take a non-const accumulator require that nobody else uses it meanwhile: for
 * the kernel, see macstats_hw_assert_locked(). They sleep where the bus sleeps.
 */
#ifndef MACSTATS_ACCUMULATOR_H
#define MACSTATS_ACCUMULATOR_H

#include "account.h"
#include "option.h"
#include "roles.h"

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
	/* Read the bus word at @address. */
	int (*read)(void *context, __u32 address, __u64 *value);
	/* Read both words of a counter in one access. NULL: the machine has none of 64 bits. */
	int (*read64)(void *context, __u32 address, __u64 *value);
	/* Change the bits of @mask to those of @value, in one atomic access. */
	int (*update)(void *context, __u32 address, __u32 mask, __u32 value);
	/* Wait a few microseconds before the next look at the hardware. False: give up instead. */
	bool (*wait)(void *context);
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
	 * Read @words bus words of counters at adjacent addresses from @address on. @done, which is
	 * 0, becomes the number of words that were read before an error; without @changes, as a
	 * read does not change them, it may stay 0.
	 */
	int (*read_block)(void *context, __u32 address, __u64 *values, unsigned int words,
			  bool changes, unsigned int *done);
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
	MACSTATS_EVENT_SATURATED     = 1 << 5,	/* a counter was found at its maximum */
	MACSTATS_EVENT_MISFIT        = 1 << 6,	/* the hardware does not do what its model says */
};

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
#define MACSTATS_READ_WORDS	16	/* words read at once, perhaps with interrupts off */

/* How far a poll read a counter. */
enum macstats_read {
	MACSTATS_READ_NOTHING,
	MACSTATS_READ_PART,	/* the lower words; then the bus failed */
	MACSTATS_READ_WHOLE,
	MACSTATS_READ_ONES,	/* all of it, and every bit of every word was set */
	MACSTATS_READ_SAME,	/* all of it, if at all, with nothing new: the counter sleeps */
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
	bool taken;		/* the last read is in @total, as far as it is plausible */
	bool preset;		/* macstats_preset() was called since the last read */
	bool unknown;		/* @old is, as what was read after the preset was not usable */
	__u8 share;		/* enum macstats_share */
	/* Of macstats__plan_reads(): */
	__u16 run;		/* counters of the run that begins here; 0: none does */
	__u8 run_words;		/* and its words, of the bus or of 64 bits; 0: read one by one */
	__u8 at;		/* where in the words of its run this counter begins */
	__u8 words;		/* its own, one of 64 bits, too; 0: the hardware lacks it */
	bool single;		/* it is one word, from bit 0 on */
	bool idle;		/* the same, and it sleeps on the word @old */
};

/* Bits that switch how counters behave, as masks of the blocks in which they are set. */
struct macstats_switches {
	__u32 clear_on_read;
	__u32 saturate;
	__u32 freeze;
};

/* What looks at them have found, as far as the values of the poll can be used. */
struct macstats_switched {
	struct macstats_switches last;
	__u32 ever_saturating;		/* masks of blocks: at some look since the last good poll */
	__u32 still_saturating;		/* at all of them */
	__u32 frozen;			/* at some look since all counters were read */
	bool look_failed;		/* the last one, after a read */
};

/* What the readers of a port are told of it, but for values. */
struct macstats_state {
	bool started;			/* there was a good poll to count from */
	bool absent;			/* built without any counters */
	bool stale;			/* the totals are those of the last good poll */
	bool suspended;			/* by the driver: the hardware is left alone */
	bool gone;			/* the driver reported that the hardware is gone */
	bool possible_loss;		/* sticky */
	bool suspect_known;		/* the last discontinuity showed at counter @suspect */
	__u8 misfits;			/* mask of the kinds that were found */
	__u16 suspect;
	__u32 discontinuities;
	__u32 parity_errors;
	__u32 late_polls;		/* good polls that ended after max_gap_usecs */
	__u64 suspect_value;		/* what was read from @suspect, and not added */
	__u64 discontinuity_ns;		/* time of the last discontinuity */
	__u64 start_ns;			/* time of the first good poll: totals count from it */
	__u64 generation;		/* good polls */
	const char *reason;		/* why stale; a string constant, as is the next */
	const char *loss;		/* why the last possible loss is one */
	struct macstats_misfit misfit[MACSTATS_MISFITS];	/* by kind */
	struct macstats_rows absent_rows;	/* the hardware lacks them, for any reason */
};

struct macstats_accumulator {
	const struct macstats_model *model;
	struct macstats_bus bus;
	__u32 base;			/* address of the port's base */
	struct macstats_roles roles;	/* those of the model, see macstats_start() */

	/* Set by the driver, before macstats_start(). */
	bool without_counters;		/* built without any counters */
	struct macstats_rows left_out;	/* by the driver: the hardware lacks these counters */
	bool line_rate_bound;		/* no total advances by more than the line carries */
	__u64 line_rate_bps;		/* of the port; 0: that of the model; see next_rate_bps */

	struct macstats_state state;
	bool rebased;			/* the last good poll took a new baseline */
	bool rebase;			/* the next good poll takes a new baseline */
	__u32 absent_blocks;		/* mask: built without the counters of these blocks */
	__u16 planned;			/* counters, the reads of those of them that are there */
	bool identified;		/* the registers are known to be those of the model */
	bool went_back;			/* a discontinuity that the next poll reports */
	bool silent;			/* a word of this poll read as all-ones */
	bool asked;			/* and the hardware has been asked whether it is there */
	__u16 reached;			/* counters that this poll has read so far */
	struct macstats_rows awake;	/* counters that do not sleep: macstats__begin_read() */
	struct macstats_rows woken;	/* those that the last read may have changed */
	__u32 reads;			/* by which macstats_standard knows if it missed one */
	bool unusable;			/* reads do not return what the registers contain */
	__u8 clear_looks;		/* polls that looked whether a read clears counters */
	__u8 misfits_told;		/* those of @state that an event has reported */
	__u64 poll_ns;			/* time of the last good poll */
	__u64 advanced_ns;		/* since then, in addition to the clock's time */
	__u64 slower_ns;		/* since then, by which a slower line carried less */
	__u32 max_frame;		/* the larger maximum length set then, received or sent */
	__u32 damaged;			/* mask of blocks, whose parity errors were cleared since */
	__u64 max_gap_usecs;		/* between two polls, so that no counter wraps twice */
	__u64 wrap_octets;		/* octet times of frames in which one may do so */
	__u64 next_rate_bps;		/* the highest line rate while this poll reads */

	__u64 line_ns;			/* the clock's line time is counted up to here */
	__u64 line_octets;		/* octet times since the last good poll */
	__u64 read_octets;		/* those that passed while the last good poll read */
	bool whole;			/* what all counters counted is of the time since then */
	__u64 line_total;		/* and of all good polls before */
	__u32 cleared_blocks;		/* mask: the next poll treats these blocks as cleared */
	/* Of feature/switched.h: */
	struct macstats_switched switched;
	struct macstats_switches reading;	/* while this poll reads counters */
	__u32 frozen_told;		/* mask of blocks: a loss was reported when all were read */
	__u32 unsure;			/* of what a read has left in the counters */
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

MACSTATS_FN int macstats_bus_read(struct macstats_accumulator *acc, __u32 offset,
				  __u32 *value)
{
	__u64 word = 0;
	int err = acc->bus.read(acc->bus.context, acc->base + offset, &word);

	*value = (__u32)word;
	return err;
}

/* The commands in a register. Some hardware shows one that it has not carried out. */
MACSTATS_FN __u32 macstats__commands_at(const struct macstats_model *model, __u32 offset)
{
	int at = macstats_register_at(model, offset);
	unsigned int n = at < 0 ? 0 : macstats_field_count(&model->registers[at]);
	__u32 commands = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_field *field = &model->registers[at].fields[i];

		if (field->singlepulse)
			commands |= macstats__field_mask(field);
	}
	return commands;
}

/*
 * Set and clear bits of a register that another writer may change as well. Gives no command but
 * those in @set.
 */
MACSTATS_FN int macstats__bus_update(struct macstats_accumulator *acc, __u32 offset,
				     __u32 clear, __u32 set)
{
	clear |= macstats__commands_at(acc->model, offset);
	return acc->bus.update(acc->bus.context, acc->base + offset, clear | set, set);
}

/* Read a register, and note whether it is all-ones. */
MACSTATS_FN int macstats__bus_look(struct macstats_accumulator *acc, __u32 offset, __u32 *value)
{
	int err = macstats_bus_read(acc, offset, value);

	acc->silent = acc->silent || (!err && *value == macstats_bus_mask(acc->model));
	return err;
}

/* The bits of @bit in the value of its register, right aligned. */
MACSTATS_FN __u32 macstats__bit_value(const struct macstats_bit *bit, __u32 value)
{
	return (value & bit->mask) >> macstats_bit_shift(bit->mask);
}

/* Read the bits of @bit, right aligned; @otherwise if the model does not have them. */
MACSTATS_FN int macstats__bus_bit(struct macstats_accumulator *acc,
				  const struct macstats_bit *bit, __u32 otherwise, __u32 *value)
{
	int err;

	*value = otherwise;
	if (!bit->mask)
		return 0;
	err = macstats__bus_look(acc, bit->offset, value);
	*value = macstats__bit_value(bit, *value);
	return err;
}

/* Check whether the hardware was built without a block. */
MACSTATS_FN bool macstats__lacks_block(const struct macstats_accumulator *acc, unsigned int block)
{
	return acc->absent_blocks >> block & 1;
}

/* Check whether the hardware was built without a counter. */
MACSTATS_FN bool macstats_lacks_counter(const struct macstats_accumulator *acc,
					unsigned int index)
{
	return macstats_has_row(&acc->state.absent_rows, index);
}

/*
 * Check whether the hardware has none of the counters of an express or a preemptible MAC: it is
 * built without that MAC, and a sum of both is that of the other one.
 */
MACSTATS_FN bool macstats_lacks_mac(const struct macstats_model *model,
				    const struct macstats_rows *absent, unsigned int mac)
{
	unsigned int i;

	for (i = 0; mac && i < model->n_counters; i++)
		if (model->counters[i].mac == mac && !macstats_has_row(absent, i))
			return false;
	return mac;
}

MACSTATS_FN void macstats__note_discontinuity(struct macstats_accumulator *acc,
					      unsigned int index, unsigned int *events)
{
	if (!(*events & MACSTATS_EVENT_DISCONTINUITY)) {
		acc->state.suspect_known = true;
		acc->state.suspect = (__u16)index;
		acc->state.suspect_value = acc->counters[index].value;
	}
	*events |= MACSTATS_EVENT_DISCONTINUITY;
}

MACSTATS_FN void macstats__note_loss(struct macstats_accumulator *acc, const char *why,
				     unsigned int *events)
{
	acc->state.loss = why;
	acc->state.possible_loss = true;
	*events |= MACSTATS_EVENT_POSSIBLE_LOSS;
}

/*
 * An unchanged value means nothing new, unless the word could also be that of absent hardware or
 * of a saturated counter.
 */
MACSTATS_FN bool macstats__is_settled(const struct macstats_model *model,
				      const struct macstats_counter *counter,
				      const struct macstats_accumulated_counter *kept)
{
	__u64 zeros;
	unsigned int n;
	unsigned int i;

	if (kept->preset || kept->unknown)
		return false;
	if (!kept->old)
		return true;
	zeros = (~kept->old & macstats_bits_mask(counter->bits)) << counter->lsb;
	n = macstats_words(model, counter);
	for (i = 0; i < n; i++)
		if (!(zeros >> i * model->bus_bits & macstats_bus_mask(model)))
			return false;
	return true;
}

/* Let a counter sleep: nothing has been read yet, or what was read is in its total. */
MACSTATS_FN void macstats__let_sleep(struct macstats_accumulator *acc, unsigned int index)
{
	struct macstats_accumulated_counter *kept = &acc->counters[index];

	kept->extent = MACSTATS_READ_SAME;
	kept->idle = kept->single;
	kept->taken = true;
	kept->value = kept->old;
	kept->again = 0;
	macstats__remove_row(&acc->awake, index);
}

/* Wake a counter, which was not read. */
MACSTATS_FN void macstats__wake(struct macstats_accumulator *acc, unsigned int index)
{
	acc->counters[index].extent = MACSTATS_READ_NOTHING;
	acc->counters[index].idle = false;
	acc->counters[index].taken = false;
	macstats_add_row(&acc->awake, index);
	macstats_add_row(&acc->woken, index);
}

/*
 * Nothing has been read yet. Most counters show nothing new most of the time: these sleep, with
 * the state of such a read, and a poll works on the others only.
 */
MACSTATS_FN void macstats__begin_read(struct macstats_accumulator *acc)
{
	const struct macstats_rows none = { { 0 }, 0 };
	unsigned int i;

	acc->reads++;
	acc->woken = none;
	macstats_for_each_row(i, &acc->awake) {
		bool settled = macstats__is_settled(acc->model, &acc->model->counters[i],
						    &acc->counters[i]);

		macstats__let_sleep(acc, i);
		if (!settled)
			macstats__wake(acc, i);
	}
	acc->reached = 0;
}

/* Wake all that are registers, before any is added: they are as after a read, or were not read. */
MACSTATS_FN void macstats__wake_all(struct macstats_accumulator *acc)
{
	unsigned int n = macstats_register_counters(acc->model);
	unsigned int i;

	for (i = 0; i < n; i++) {
		acc->counters[i].taken = false;
		macstats_add_row(&acc->woken, i);
		if (acc->counters[i].extent != MACSTATS_READ_SAME)
			continue;
		macstats__wake(acc, i);
		if (i < acc->reached)
			acc->counters[i].extent = MACSTATS_READ_WHOLE;
	}
}

#endif /* MACSTATS_ACCUMULATOR_H */
