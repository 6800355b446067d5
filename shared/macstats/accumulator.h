/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Raw register values become totals: 64 bits wide, never going back, nothing
 * lost. This is the only reader of a port's counters; it reaches them through a
 * bus that its user supplies, so that the kernel and an in-process device run
 * the same lines.
 *
 * Everything here needs the caller's lock on the port and sleeps where the
 * bus does.
 */
#ifndef MACSTATS_ACCUMULATOR_H
#define MACSTATS_ACCUMULATOR_H

#include "schema.h"

#ifdef __KERNEL__
#include <linux/errno.h>
#else
#include <errno.h>
#endif

/* How a port's registers are reached. Functions return 0 or -errno. */
struct macstats_bus {
	void *context;
	/* Read @words bus words at adjacent addresses from @address on. */
	int (*read)(void *context, __u32 address, __u64 *values, unsigned int words);
	int (*write)(void *context, __u32 address, __u64 value);
	/* Let a few microseconds pass before the hardware is looked at again. */
	void (*wait)(void *context);
	/* Do the port's clocks run? NULL: they always do. */
	bool (*clocks_run)(void *context);
};

enum macstats_event {
	MACSTATS_EVENT_STALE         = 1 << 0,	/* the counters cannot be read */
	MACSTATS_EVENT_RECOVERED     = 1 << 1,	/* they can, again */
	MACSTATS_EVENT_DISCONTINUITY = 1 << 2,	/* somebody cleared or reset them */
	MACSTATS_EVENT_PARITY_ERROR  = 1 << 3,
	MACSTATS_EVENT_POSSIBLE_LOSS = 1 << 4,	/* not read within a wrap time */
	MACSTATS_EVENT_THRESHOLD     = 1 << 5,	/* a total reached a value to tell of */
};

#define MACSTATS_EVENTS	6

#define MACSTATS_SNAPSHOT_LOOKS	100	/* at the status before a snapshot is stuck */
#define MACSTATS_SNAPSHOT_TRIES	3	/* if somebody else releases it */
#define MACSTATS_READ_WORDS	128	/* bus words read at once, at the most */

struct macstats_accumulator {
	const struct macstats_model *model;
	struct macstats_bus bus;
	__u32 base;			/* address of the port's base */

	bool started;			/* there was a good poll to count from */
	/* Built without the counters, says the driver: asked where the MAC cannot tell. */
	bool without_counters;
	bool absent;			/* built without the counters */
	bool stale;			/* the totals are those of the last good poll */
	bool possible_loss;		/* sticky */
	bool went_back;			/* a preset has found that; not told yet */
	const char *reason;		/* why stale; a string constant */
	__u32 discontinuities;
	__u32 parity_errors;
	__u64 discontinuity_ns;		/* time of the last one */
	__u64 start_ns;			/* time of the first good poll: totals count from it */
	__u64 poll_ns;			/* time of the last good poll */
	__u64 advanced_ns;		/* since then, besides what the clock says */
	__u32 max_frame;		/* the maximum length set then, of received frames */
	__u64 wrap_usecs;		/* the shortest of the model */
	__u64 generation;		/* good polls */

	__u64 totals[MACSTATS_MAX_COUNTERS];
	__u64 old[MACSTATS_MAX_COUNTERS];	/* what each register held after the last read */
	__u64 values[MACSTATS_MAX_COUNTERS];	/* being read */
	__u64 words[MACSTATS_READ_WORDS];
};

/*
 * The one rule: add what is new to the total. @value was read, @left is what
 * the register held right after that. True: a counter that cannot wrap went
 * back, which is a reset; the total stays, counting goes on from @left.
 */
MACSTATS_FN bool macstats_accumulate(const struct macstats_counter *counter, __u64 *total,
				     __u64 *old, __u64 value, __u64 left)
{
	bool wraps = counter->bits < 64 && counter->overflow == MACSTATS_ROLLOVER;
	bool back = !wraps && value < *old;

	if (!back)
		*total += (value - *old) & macstats_bits_mask(counter->bits);
	*old = left;
	return back;
}

MACSTATS_FN int macstats_bus_read(struct macstats_accumulator *acc, __u32 offset,
				  __u32 *value)
{
	__u64 word = 0;
	int err = acc->bus.read(acc->bus.context, acc->base + offset, &word, 1);

	*value = (__u32)word;
	return err;
}

MACSTATS_FN int macstats_bus_write(struct macstats_accumulator *acc, __u32 offset,
				   __u64 value)
{
	return acc->bus.write(acc->bus.context, acc->base + offset, value);
}

/* Read-modify-write, so that a command does not undo a setting beside it. */
MACSTATS_FN int macstats_bus_update(struct macstats_accumulator *acc, __u32 offset,
				    __u32 clear, __u32 set)
{
	__u32 value = 0;
	int err = macstats_bus_read(acc, offset, &value);

	if (err)
		return err;
	return macstats_bus_write(acc, offset, (value & ~clear) | set);
}

/* The bits of @bit now, right aligned; @otherwise if the model does not have them. */
MACSTATS_FN int macstats_bus_bit(struct macstats_accumulator *acc,
				 const struct macstats_bit *bit, __u32 otherwise, __u32 *value)
{
	int err = 0;

	*value = otherwise;
	if (!bit->mask)
		return 0;
	err = macstats_bus_read(acc, bit->offset, value);
	*value = (*value & bit->mask) >> macstats_bit_shift(bit->mask);
	return err;
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
	__u64 value = 0;
	unsigned int i = 0;

	for (i = 0; i < n; i++) {
		unsigned int place = counter->high_first ? n - 1 - i : i;

		value |= words[i] << (place * model->bus_bits);
	}
	return value & macstats_bits_mask(counter->bits);
}

/*
 * Is a counter so near to its end that it might wrap before a write of what was
 * read arrives? The floor of a decrement would take away what it has counted
 * since. So it is left alone: the difference to the next value is exact across
 * the wrap, behind which it can be decremented again. All-ones are such a value.
 */
MACSTATS_FN bool macstats_may_wrap(const struct macstats_counter *counter, __u64 value)
{
	__u64 mask = macstats_bits_mask(counter->bits);

	return value >= mask - (mask >> 4);
}

/* Take over one value that was read. */
MACSTATS_FN int macstats_take(struct macstats_accumulator *acc, unsigned int index,
			      __u64 value, unsigned int *events)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	__u64 left = counter->onread == MACSTATS_ONREAD_RCLR ? 0 : value;
	int err = 0;

	/* Writing back what was read leaves what was counted since. */
	if (counter->onwrite == MACSTATS_ONWRITE_DECREMENT && value &&
	    !macstats_may_wrap(counter, value)) {
		err = macstats_bus_write(acc, counter->offset, value);
		if (!err)
			left = 0;
	}
	if (macstats_accumulate(counter, &acc->totals[index], &acc->old[index], value, left))
		*events |= MACSTATS_EVENT_DISCONTINUITY;
	return err;
}

/*
 * Read all counters, adjacent ones at once. Those in a snapshot are only put
 * into acc->values, the others are taken over at once, since reading some of
 * them has already changed them.
 */
MACSTATS_FN int macstats_read_counters(struct macstats_accumulator *acc, unsigned int *events)
{
	const struct macstats_model *model = acc->model;
	unsigned int n = macstats_register_counters(model);
	unsigned int first = 0;

	while (first < n) {
		__u32 start = model->counters[first].offset;
		unsigned int words = 0;
		unsigned int last = first;
		unsigned int at = 0;
		unsigned int i = 0;
		int err = 0;

		do {
			words += macstats_words(model, &model->counters[last]);
			last++;
		} while (last < n && model->counters[last].offset ==
				macstats_counter_end(model, &model->counters[last - 1]) &&
			 words + macstats_words(model, &model->counters[last]) <=
				MACSTATS_READ_WORDS);

		err = acc->bus.read(acc->bus.context, acc->base + start, acc->words, words);
		if (err)
			return err;
		for (i = first; i < last; i++) {
			const struct macstats_counter *counter = &model->counters[i];

			acc->values[i] = macstats_assemble(model, counter, &acc->words[at]);
			at += macstats_words(model, counter);
			if (!macstats_has_snapshot(model, counter->block)) {
				/* All of them: a read may have cleared what it showed. */
				int failed = macstats_take(acc, i, acc->values[i], events);

				err = err ? err : failed;
			}
		}
		if (err)
			return err;
		first = last;
	}
	return 0;
}

/* Wait until a block says that it is frozen, or is not. @looks: at the status so far. */
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
	/* What was said just now holds by the time of the next look. */
	if (!err && frozen && rule->grant_leads)
		err = macstats_bus_bit(acc, &rule->snapshot_granted, 0, &granted);
	return err;
}

/* Ask for a snapshot of each block and wait for all of them, within a bound. */
MACSTATS_FN int macstats_snapshot_take(struct macstats_accumulator *acc)
{
	const struct macstats_model *model = acc->model;
	unsigned int looks = 0;
	unsigned int i = 0;
	int err = 0;

	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_bit *request = &model->blocks[i].snapshot_request;
		__u32 value = 0;

		if (!request->mask)
			continue;
		err = macstats_bus_read(acc, request->offset, &value);
		/* One left over from somebody else shows the past: let go of it. */
		if (!err && (value & request->mask))
			err = macstats_bus_write(acc, request->offset, value & ~request->mask);
		/* The grant of the last one must not be taken for that of this one. */
		err = err ? err : macstats_snapshot_wait(acc, i, false, &looks);
		if (!err)
			err = macstats_bus_write(acc, request->offset, value | request->mask);
		if (err)
			return err;
	}
	for (i = 0; !err && i < model->n_blocks; i++)
		err = macstats_snapshot_wait(acc, i, true, &looks);
	return err;
}

/* Was every block still frozen after the read? Notes parity errors on the way. */
MACSTATS_FN int macstats_snapshot_check(struct macstats_accumulator *acc, unsigned int *parity)
{
	const struct macstats_model *model = acc->model;
	bool held = true;
	unsigned int i = 0;

	for (i = 0; i < model->n_blocks; i++) {
		__u32 granted = 0;
		__u32 error = 0;
		int err = macstats_bus_bit(acc, &model->blocks[i].snapshot_granted, 1, &granted);

		if (!err)
			err = macstats_bus_bit(acc, &model->blocks[i].parity_error, 0, &error);
		if (err)
			return err;
		held = held && granted;
		if (error)
			*parity |= 1u << i;
	}
	return held ? 0 : -EAGAIN;
}

/* Let go of the snapshots, and clear the parity bits of the blocks in @parity. */
MACSTATS_FN int macstats_snapshot_release(struct macstats_accumulator *acc, unsigned int parity)
{
	const struct macstats_model *model = acc->model;
	unsigned int i = 0;
	int err = 0;

	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_block *block = &model->blocks[i];
		int failed = 0;

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

/* May the counters be read now? Says why not in acc->reason. */
MACSTATS_FN int macstats_check_ready(struct macstats_accumulator *acc)
{
	const struct macstats_model *model = acc->model;
	__u32 open = 0;
	__u32 busy = 0;
	int err = 0;

	if (model->needs_clocks && acc->bus.clocks_run &&
	    !acc->bus.clocks_run(acc->bus.context)) {
		acc->reason = "the clocks of the port stand still";
		return -ENOLINK;
	}
	err = macstats_bus_bit(acc, &model->busy, 0, &busy);
	err = err ? err : macstats_bus_bit(acc, &model->gate, 1, &open);
	if (err) {
		acc->reason = "the registers cannot be reached";
	} else if (busy) {
		acc->reason = "a reset is in progress";
		err = -EBUSY;
	} else if (!open) {
		acc->reason = "the statistics are switched off by their gate";
		err = -ENODATA;
	}
	return err;
}

/* The maximum length of received frames, which is set as the counters are read. */
MACSTATS_FN int macstats_read_max_frame(struct macstats_accumulator *acc)
{
	__u32 length = 0;
	int err = macstats_bus_bit(acc, &acc->model->max_frame_rx,
				   macstats_default_max_frame(acc->model), &length);

	if (!err)
		acc->max_frame = length;
	return err;
}

/* One read of everything; what failed is in acc->reason. */
MACSTATS_FN int macstats_read_port(struct macstats_accumulator *acc, unsigned int *events)
{
	const struct macstats_model *model = acc->model;
	unsigned int parity = 0;
	unsigned int tries = 0;
	unsigned int i = 0;
	int released = 0;
	int err = macstats_check_ready(acc);

	if (err)
		return err;
	err = macstats_read_max_frame(acc);
	while (!err) {
		err = macstats_snapshot_take(acc);
		err = err ? err : macstats_read_counters(acc, events);
		err = err ? err : macstats_snapshot_check(acc, &parity);
		released = macstats_snapshot_release(acc, parity);
		/* Once more if somebody else let go of a snapshot meanwhile. */
		if (err != -EAGAIN || ++tries == MACSTATS_SNAPSHOT_TRIES)
			break;
		err = released;
	}
	if (parity) {
		acc->parity_errors++;
		*events |= MACSTATS_EVENT_PARITY_ERROR;
	}
	if (err == -ETIMEDOUT)
		acc->reason = "a snapshot of the counters is not granted";
	else if (err == -EAGAIN)
		acc->reason = "snapshots are released by somebody else";
	else if (err || released)
		acc->reason = "the registers cannot be reached";
	if (err)
		return err;

	for (i = 0; i < model->n_counters; i++)
		if (macstats_has_snapshot(model, model->counters[i].block))
			macstats_take(acc, i, acc->values[i], events);
	return released;
}

/*
 * The first read: switch the statistics on and clear counters and parity where
 * there is a command for it (after power-up they hold anything), and let what
 * they hold then be nothing.
 */
MACSTATS_FN int macstats_first_read(struct macstats_accumulator *acc, unsigned int *events)
{
	const struct macstats_model *model = acc->model;
	unsigned int n = macstats_register_counters(model);
	unsigned int i = 0;
	int err = 0;

	if (model->gate.mask)
		err = macstats_bus_update(acc, model->gate.offset, 0, model->gate.mask);
	if (!err && model->half_full_enable.mask)
		err = macstats_bus_update(acc, model->half_full_enable.offset, 0,
					  model->half_full_enable.mask);
	if (err)
		acc->reason = "the registers cannot be reached";
	else
		err = macstats_check_ready(acc);
	for (i = 0; !err && i < model->n_blocks; i++) {
		const struct macstats_block *block = &model->blocks[i];

		if (block->clear.mask)
			err = macstats_bus_update(acc, block->clear.offset, 0, block->clear.mask);
		if (!err && block->parity_clear.mask)
			err = macstats_bus_update(acc, block->parity_clear.offset, 0,
						  block->parity_clear.mask);
		if (err)
			acc->reason = "the registers cannot be reached";
	}
	err = err ? err : macstats_read_port(acc, events);
	for (i = 0; i < n; i++)
		acc->totals[i] = 0;
	*events = 0;
	acc->parity_errors = 0;
	acc->started = !err;
	return err;
}

/* Time since the last good poll. */
MACSTATS_FN __u64 macstats_unpolled_ns(const struct macstats_accumulator *acc, __u64 now_ns)
{
	__u64 gap = now_ns - acc->poll_ns;

	return gap > ~0ull - acc->advanced_ns ? ~0ull : gap + acc->advanced_ns;
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
	int err = 0;

	*events = 0;
	if (acc->absent)
		return 0;
	err = started ? macstats_read_port(acc, events) : macstats_first_read(acc, events);
	if (acc->went_back)
		*events |= MACSTATS_EVENT_DISCONTINUITY;
	acc->went_back = false;
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
		acc->start_ns = now_ns;
	} else if (MACSTATS_DIV64(macstats_unpolled_ns(acc, now_ns), 1000) > acc->wrap_usecs) {
		acc->possible_loss = true;
		*events |= MACSTATS_EVENT_POSSIBLE_LOSS;
	}
	acc->poll_ns = now_ns;
	acc->advanced_ns = 0;
	acc->generation += started;
	return 0;
}

/* Let the last good poll be longer ago, by @nsecs. */
MACSTATS_FN void macstats_advance(struct macstats_accumulator *acc, __u64 nsecs)
{
	__u64 most = ~0ull - acc->advanced_ns;

	acc->advanced_ns += nsecs < most ? nsecs : most;
}

/* When the last good poll was; not before the time since boot began. */
MACSTATS_FN __u64 macstats_polled_ns(const struct macstats_accumulator *acc)
{
	return acc->poll_ns > acc->advanced_ns ? acc->poll_ns - acc->advanced_ns : 0;
}

/*
 * Were the statistics left out when the hardware was built? Asked where no
 * register tells what it is: then not one of the snapshot requests can be stored.
 * Where there are none, only the driver can know.
 */
MACSTATS_FN int macstats_probe(struct macstats_accumulator *acc, bool *absent)
{
	const struct macstats_model *model = acc->model;
	bool probed = false;
	bool stored = false;
	unsigned int i = 0;

	*absent = acc->without_counters;
	if (model->needs_clocks && acc->bus.clocks_run &&
	    !acc->bus.clocks_run(acc->bus.context))
		return 0;
	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_bit *request = &model->blocks[i].snapshot_request;
		__u32 value = 0;
		int err = 0;

		if (!request->mask)
			continue;
		probed = true;
		err = macstats_bus_update(acc, request->offset, 0, request->mask);
		err = err ? err : macstats_bus_read(acc, request->offset, &value);
		err = err ? err : macstats_bus_write(acc, request->offset, value & ~request->mask);
		if (err)
			return err;
		stored = stored || (value & request->mask);
	}
	if (probed)
		*absent = !stored;
	return 0;
}

/*
 * Are these the registers of the model? Sets acc->absent if the statistics
 * were left out when the hardware was built. -ENODEV: it is something else.
 */
MACSTATS_FN int macstats_identify(struct macstats_accumulator *acc)
{
	const struct macstats_model *model = acc->model;
	unsigned int right = 0;
	unsigned int zero = 0;
	unsigned int i = 0;

	for (i = 0; i < model->n_identity; i++) {
		__u32 value = 0;
		int err = macstats_bus_read(acc, model->identity[i].offset, &value);

		if (err)
			return err;
		right += value == model->identity[i].value;
		zero += value == 0;
	}
	if (!model->n_identity)
		return macstats_probe(acc, &acc->absent);
	acc->absent = zero == model->n_identity;
	return acc->absent || right == model->n_identity ? 0 : -ENODEV;
}

/*
 * Take the port into use: identify it, and count from now on. The model, bus,
 * base and without_counters have to be set; the rest is set here. A port whose counters cannot be
 * read now is stale, and counts from its first good poll on. -ENODEV: these are
 * not the registers of the model; other errors are those of a poll.
 */
MACSTATS_FN int macstats_start(struct macstats_accumulator *acc, __u64 now_ns)
{
	unsigned int events = 0;
	int err = 0;

	acc->started = false;
	acc->stale = false;
	acc->possible_loss = false;
	acc->went_back = false;
	acc->reason = "";
	acc->discontinuities = 0;
	acc->discontinuity_ns = 0;
	acc->parity_errors = 0;
	acc->start_ns = 0;
	acc->poll_ns = now_ns;
	acc->advanced_ns = 0;
	acc->max_frame = macstats_default_max_frame(acc->model);
	acc->generation = 0;
	acc->wrap_usecs = macstats_shortest_wrap_usecs(acc->model);
	err = macstats_identify(acc);
	if (!err)
		err = macstats_poll(acc, now_ns, &events);
	return err == -ENOLINK || err == -EBUSY || err == -ENODATA ? 0 : err;
}

/*
 * An emulated counter that held @held holds @value now, as if that had been
 * counted before the port was taken into use. What was counted since the last
 * poll goes into the total, as at a poll; nothing else changes.
 */
MACSTATS_FN void macstats_preset(struct macstats_accumulator *acc, unsigned int index,
				 __u64 held, __u64 value)
{
	if (acc->started &&
	    macstats_accumulate(&acc->model->counters[index], &acc->totals[index],
				&acc->old[index], held, value))
		acc->went_back = true;
}

/*
 * What @count frames with this status in their transmit descriptor add to
 * counter @index: 0 unless it is a counter that descriptors feed.
 */
MACSTATS_FN __u64 macstats_described(const struct macstats_model *model, unsigned int index,
				     __u32 status, __u64 count)
{
	const struct macstats_from_status *from = &model->counters[index].status;
	__u32 collisions = 0;
	unsigned int i = 0;

	if (!from->mask || (status & from->mask) != from->value)
		return 0;
	if (!from->low && !from->high && !from->adds_collisions)
		return count;
	for (i = 0; i < model->n_tx_status; i++)
		if (model->tx_status[i].collisions)
			collisions = status >> model->tx_status[i].lsb &
				     (__u32)macstats_bits_mask(model->tx_status[i].bits);
	if (collisions < from->low || (from->high && collisions > from->high))
		return 0;
	return from->adds_collisions ? count * collisions : count;
}

#endif /* MACSTATS_ACCUMULATOR_H */
