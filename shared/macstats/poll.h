/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Turns raw register values into totals: 64 bits wide, never decreasing. Every possible loss
 * is reported. Nothing else in the provider reads counters whose reads have side effects.
 *
 * A poll has three parts. It checks that the counters can be read, reads them without adding
 * anything, and checks again. Only then does it add the values, so that values of hardware in
 * reset, unplugged or without clocks enter no total.
 */
#ifndef MACSTATS_POLL_H
#define MACSTATS_POLL_H

#include "feature/identity.h"
#include "feature/snapshot.h"
#include "totals.h"

/*
 * Read everything that a poll needs, and check that it could be read. @parity becomes the mask
 * of the blocks with a parity error. On an error with acc->unusable no value can be used: see
 * macstats_check_ready(), or the bus failed there, and nothing tells whether words of all-ones
 * came from the hardware. On any other error the values are good, except those of counters under
 * a snapshot. Sets the reason of an error.
 */
MACSTATS_FN int macstats__read_values(struct macstats_accumulator *acc, unsigned int *parity)
{
	unsigned int tries = 0;
	__u64 octets = 0;
	const struct macstats_switched before = acc->switched;
	bool switched;
	int released = 0;
	int ready;
	int err;

	*parity = 0;
	acc->silent = false;
	acc->asked = false;
	macstats__begin_read(acc);
	err = macstats_check_ready(acc);
	if (err) {
		macstats__wake_all(acc);
		return err;
	}
	acc->state.reason = "the registers cannot be reached";
	err = macstats__uses_max_frame(acc) ? macstats__read_max_frame(acc) : 0;
	if (!err)
		err = macstats__begin_switched(acc);
	switched = !err;
	while (!err) {
		err = macstats__snapshot_take(acc);
		octets = acc->line_octets;
		/* Without it, the counters of other blocks can be read. */
		if (!err || err == -ETIMEDOUT) {
			int failed = macstats__read_counters(acc, !err);

			err = err ? err : failed;
		}
		if (!err && acc->clear_looks < MACSTATS_CLEAR_LOOKS && !acc->rebase && !tries)
			err = macstats__read_again(acc, octets);
		if (!err)
			err = macstats__snapshot_check(acc, parity);
		released = macstats__snapshot_release(acc, *parity);
		/* Repeat once if another reader released a snapshot meanwhile. */
		if (err != -EAGAIN || ++tries == MACSTATS_SNAPSHOT_TRIES)
			break;
		err = released;
	}
	if (switched) {
		int failed = macstats__end_switched(acc);

		err = err ? err : failed;
	}
	ready = acc->unusable ? macstats__why_silent(acc) : macstats_check_ready(acc);
	if (err || ready)
		macstats__wake_all(acc);
	/* All-ones are neither a value nor proof of absence: report a possible loss. */
	acc->unusable = acc->unusable || (ready && acc->silent);
	if (acc->unusable) {
		macstats__undo_looks(acc, &before);
		return ready;
	}
	if (!err)
		err = released;
	if (!err)
		err = ready;
	if (err == -EAGAIN)
		acc->state.reason = "snapshots are released by somebody else";
	return err;
}

/*
 * Enable the statistics, clear counters and parity where a command for it exists (they contain
 * anything after power-up), and take the values of the counters as the new baseline.
 */
MACSTATS_FN int macstats__read_baseline(struct macstats_accumulator *acc, __u64 now_ns,
					unsigned int *events)
{
	const struct macstats_model *model = acc->model;
	const struct macstats_bit *gate = &acc->roles.gate;
	unsigned int n = macstats_register_counters(model);
	unsigned int parity = 0;
	unsigned int i;
	int err;

	err = macstats_check_clocks(acc);
	if (!err && !acc->identified)
		err = macstats__identify_late(acc);
	if (err)
		return err;
	acc->state.reason = "the registers cannot be reached";
	acc->silent = false;
	acc->asked = false;
	if (gate->mask)
		err = macstats__bus_update(acc, gate->offset, 0, gate->mask);
	if (!err)
		err = macstats_check_ready(acc);
	/* Events from here on may show in the next read. */
	macstats__line_passes(acc, now_ns);
	acc->next_rate_bps = 0;
	acc->line_octets = 0;
	for (i = 0; !err && i < model->n_blocks; i++) {
		struct macstats_block_roles *block = &acc->roles.blocks[i];

		if (macstats__lacks_block(acc, i))
			continue;
		acc->state.reason = "the registers cannot be reached";
		if (block->clear.mask)
			err = macstats__bus_update(acc, block->clear.offset, 0, block->clear.mask);
		if (err == -EOPNOTSUPP) {
			block->clear.mask = 0;
			err = 0;
		}
		if (!err && block->parity_clear.mask)
			err = macstats__bus_update(acc, block->parity_clear.offset, 0,
						   block->parity_clear.mask);
	}
	if (!err)
		err = macstats__read_values(acc, &parity);
	if (!err)
		err = macstats__check_frozen(acc, events);
	if (err)
		return err;
	for (i = 0; i < n; i++) {
		struct macstats_accumulated_counter *kept = &acc->counters[i];

		kept->old = macstats__clears(acc, &model->counters[i]) ? 0 : kept->value;
		kept->preset = false;
		kept->unknown = false;
		kept->taken = true;
	}
	macstats__forget_read(acc);
	macstats__all_read(acc);
	macstats__line_passes(acc, now_ns);
	macstats__check_clear(acc, acc->line_octets);
	acc->read_octets = acc->line_octets;
	acc->whole = true;
	acc->cleared_blocks = 0;
	acc->damaged = 0;
	acc->rebase = false;
	acc->rebased = true;
	return 0;
}

/* A counter may have wrapped more than once since all of them were read. */
MACSTATS_FN void macstats__check_gap(struct macstats_accumulator *acc, __u64 now_ns,
				     unsigned int *events)
{
	/* A slow poll reads long after it began. */
	__u64 gap_ns = macstats__unpolled_ns(acc, macstats__time(acc, now_ns));

	if (MACSTATS_DIV64(gap_ns, 1000) <= acc->max_gap_usecs)
		return;
	acc->state.late_polls++;
	macstats__note_loss(acc, "not polled within the wrap time", events);
}

/* Read everything once and add it to the totals. Sets the reason of an error. */
MACSTATS_FN int macstats__read_port(struct macstats_accumulator *acc, __u64 now_ns,
				    unsigned int *events)
{
	__u64 during;
	unsigned int parity = 0;
	bool snapshots;
	int err;

	acc->rebased = false;
	macstats__line_passes(acc, now_ns);
	acc->next_rate_bps = 0;
	during = acc->line_octets;
	err = macstats__read_values(acc, &parity);
	if (parity) {
		acc->state.parity_errors++;
		*events |= MACSTATS_EVENT_PARITY_ERROR;
	}
	/* Cleared, and their blocks damaged until a poll takes the values. */
	acc->damaged |= parity;
	if (acc->unusable && err == -ENODATA && macstats__was_reset(acc)) {
		acc->state.suspect_known = false;
		*events |= MACSTATS_EVENT_DISCONTINUITY;
		acc->rebase = true;
		macstats__discard_values(acc, false, events);
		return macstats__read_baseline(acc, now_ns, events);
	}
	if (acc->unusable) {
		acc->whole = false;
		macstats__discard_values(acc, err == -ENODEV, events);
		return err;
	}
	macstats__line_passes(acc, now_ns);
	during = acc->line_octets - during;
	snapshots = !err;
	macstats_take_values(acc, snapshots, acc->damaged, during, now_ns, events);
	if (snapshots)
		acc->damaged = 0;
	acc->whole = !err;
	if (!err) {
		if (acc->bus.line_octets && acc->line_octets >= acc->wrap_octets)
			macstats__note_loss(acc, "more passed on the line than a counter shows",
					    events);
		/* Events during the read may show in the next one. */
		acc->line_total = macstats_saturating_add(acc->line_total, acc->line_octets);
		acc->line_octets = during;
		acc->read_octets = during;
		macstats__all_read(acc);
		err = macstats__check_frozen(acc, events);
		/* The port is stale, but all counters were read. */
		if (err) {
			macstats__check_gap(acc, now_ns, events);
			acc->slower_ns += macstats__unpolled_ns(acc, macstats__time(acc, now_ns));
		}
	}
	return err;
}

/*
 * Read the hardware and bring the totals up to date. @now_ns is the time since
 * boot. Returns 0 or -errno (then the port is stale, see acc->state.reason); what is
 * new since the last poll is in @events, a mask of enum macstats_event.
 */
MACSTATS_FN int macstats_poll(struct macstats_accumulator *acc, __u64 now_ns,
			      unsigned int *events)
{
	bool started = acc->state.started;
	bool baseline = acc->rebase;
	int err = 0;

	*events = 0;
	if (acc->state.absent)
		return 0;
	if (acc->state.gone || acc->state.suspended)
		return -ESHUTDOWN;
	err = baseline ? macstats__read_baseline(acc, now_ns, events) :
			 macstats__read_port(acc, now_ns, events);
	if (acc->went_back)
		*events |= MACSTATS_EVENT_DISCONTINUITY;
	acc->went_back = false;
	if (acc->state.misfits != acc->misfits_told)
		*events |= MACSTATS_EVENT_MISFIT;
	acc->misfits_told = acc->state.misfits;
	if (*events & MACSTATS_EVENT_DISCONTINUITY) {
		acc->state.discontinuities++;
		acc->state.discontinuity_ns = now_ns;
	}
	if (err) {
		if (!acc->state.stale)
			*events |= MACSTATS_EVENT_STALE;
		acc->state.stale = true;
		return err;
	}
	if (acc->state.stale)
		*events |= MACSTATS_EVENT_RECOVERED;
	acc->state.stale = false;
	acc->state.reason = "";
	if (!started) {
		if (!acc->state.start_ns)
			acc->state.start_ns = now_ns;
	} else if (!baseline) {
		macstats__check_gap(acc, now_ns, events);
	}
	/* A fall while it read may be that of what the next one shows. */
	if (acc->bus.line_rate && acc->next_rate_bps < acc->line_rate_bps)
		macstats__set_line_rate(acc, acc->next_rate_bps);
	acc->state.started = true;
	acc->poll_ns = now_ns;
	acc->advanced_ns = 0;
	acc->slower_ns = 0;
	acc->state.generation += started;
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
	if (acc->state.absent)
		acc->state.suspended = true;
	if (acc->state.absent || acc->state.suspended || acc->state.gone)
		return 0;
	err = macstats_poll(acc, now_ns, events);
	if (err && acc->state.started)
		macstats__note_loss(acc, "the last read before the suspend failed", events);
	if (!acc->state.stale)
		*events |= MACSTATS_EVENT_STALE;
	*events &= ~(unsigned int)MACSTATS_EVENT_RECOVERED;
	acc->state.stale = true;
	acc->state.suspended = true;
	acc->state.reason = "the port is suspended";
	return err;
}

MACSTATS_FN int macstats_resume(struct macstats_accumulator *acc, __u64 now_ns,
				unsigned int *events)
{
	int err;

	*events = 0;
	if (!acc->state.suspended)
		return 0;
	acc->state.suspended = false;
	acc->rebase = true;
	err = macstats_poll(acc, now_ns, events);
	if (err && acc->state.started)
		macstats__note_loss(acc, "the counters could not be read at the resume", events);
	return err;
}

MACSTATS_FN int macstats_reset(struct macstats_accumulator *acc, __u64 now_ns,
			       unsigned int *events)
{
	*events = 0;
	if (acc->state.absent || acc->state.gone)
		return 0;
	if (acc->state.started) {
		acc->state.suspect_known = false;
		acc->went_back = true;
	}
	acc->rebase = true;
	/* A suspended port reports it, and takes its baseline, when it is resumed. */
	return acc->state.suspended ? 0 : macstats_poll(acc, now_ns, events);
}

MACSTATS_FN void macstats_gone(struct macstats_accumulator *acc, unsigned int *events)
{
	*events = 0;
	if (acc->state.absent)
		acc->state.gone = true;
	if (acc->state.gone)
		return;
	if (!acc->state.stale)
		*events |= MACSTATS_EVENT_STALE;
	/* The events since the last good poll are lost with it. */
	if (acc->state.started && !acc->state.suspended)
		macstats__note_loss(acc, "the device is gone", events);
	acc->state.stale = true;
	acc->state.gone = true;
	acc->state.reason = "the device is gone";
}

/*
 * Start the port: identify it, and count from now on. The caller has set the model, the bus, the
 * base and the driver's choices; the rest of the memory is 0. A port whose counters cannot be read
 * now is stale, and counts from its first good poll on.
 * -ENODEV: these are not the registers of the model; other errors are those of a poll.
 */
MACSTATS_FN int macstats_start(struct macstats_accumulator *acc, __u64 now_ns)
{
	unsigned int events = 0;
	unsigned int i;
	int err;

	acc->roles = macstats_find_roles(acc->model);
	acc->rebase = true;
	acc->clear_looks = macstats__has_cleared(acc->model) ? 0 : MACSTATS_CLEAR_LOOKS;
	acc->state.loss = "";
	acc->poll_ns = now_ns;
	acc->line_ns = now_ns;
	acc->max_frame = macstats__default_max_frame(acc->model);
	if (!acc->line_rate_bps)
		acc->line_rate_bps = acc->model->line_rate_bps;
	acc->max_gap_usecs = macstats__max_gap_usecs(acc);
	acc->wrap_octets = macstats__fewest_wrap_octets(acc->model);
	macstats__find_shares(acc);
	acc->state.reason = "the registers cannot be reached";
	err = macstats__identify(acc);
	if (err)
		return err;
	acc->state.reason = "";
	for (i = 0; i < macstats_register_counters(acc->model); i++)
		if (!macstats_lacks_counter(acc, i))
			macstats__let_sleep(acc, i);
	err = macstats_poll(acc, now_ns, &events);
	/* Nobody listens yet. */
	acc->misfits_told = 0;
	/* Not ready, or frozen. */
	return (acc->unusable && err != -ENODEV) || err == -ENODATA ? 0 : err;
}

#endif /* MACSTATS_POLL_H */
