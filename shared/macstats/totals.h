/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * From the values of a poll to the totals, once it is known that they can be used.
 */
#ifndef MACSTATS_TOTALS_H
#define MACSTATS_TOTALS_H

#include "feature/misfit.h"
#include "feature/traffic.h"

/*
 * The mask of the blocks that were cleared since the last poll. One free-running counter that
 * shows it stands for its whole block, including counters that have since passed their old
 * value. In a block with a parity error a counter shows only that error.
 */
MACSTATS_FN __u32 macstats__cleared_blocks(struct macstats_accumulator *acc, bool snapshots,
					   unsigned int parity,
					   const struct macstats_least *bounds,
					   unsigned int *events)
{
	__u32 cleared = acc->cleared_blocks;
	unsigned int i;

	macstats_for_each_row(i, &acc->awake) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		const struct macstats_accumulated_counter *kept = &acc->counters[i];
		__u64 least = macstats__least_bound(bounds, counter);
		__u64 most = MACSTATS_UNBOUNDED;

		if (kept->value == kept->old)
			continue;
		/* An increase by so few events is no discontinuity, nor is such a rollover. */
		if (macstats_events_between(counter, kept->old, kept->value) <= least &&
		    !macstats__fell(acc, counter, kept->old, kept->value))
			continue;
		if (!macstats__is_usable(acc, i, snapshots) || (parity >> counter->block & 1) ||
		    macstats__clears(acc, counter) || macstats__is_mixed(acc, counter))
			continue;
		if (acc->line_rate_bound)
			most = macstats__bound(acc, i, least);
		if (!macstats__fell(acc, counter, kept->old, kept->value) &&
		    !macstats_is_discontinuity(counter, kept->old, kept->value, most))
			continue;
		cleared |= 1u << counter->block;
		macstats__note_discontinuity(acc, i, events);
	}
	return cleared;
}

/* A value at the maximum of a counter that saturates means "at least"; it was @old before. */
MACSTATS_FN void macstats__note_saturation(struct macstats_accumulator *acc, unsigned int index,
					   __u64 old, __u64 value, __u64 now_ns,
					   unsigned int *events)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_accumulated_counter *kept = &acc->counters[index];

	if (!macstats__is_full(acc, counter, value))
		return;
	if (old != value || !kept->saturated)
		*events |= MACSTATS_EVENT_SATURATED;
	kept->saturated++;
	kept->saturated_ns = now_ns;
}

/*
 * Add to a total what a read of a counter shows. @left: its value right after that read. @most: the
 * events that can have happened since the last poll, of which a further read may show the rest.
 */
MACSTATS_FN void macstats__add_read(struct macstats_accumulator *acc, unsigned int index,
				    __u64 value, __u64 left, __u64 *most, __u64 now_ns,
				    unsigned int *events)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_accumulated_counter *kept = &acc->counters[index];
	__u64 old = kept->old;

	if (macstats__fell(acc, counter, old, value)) {
		kept->old = left;
		macstats__note_discontinuity(acc, index, events);
		return;
	}
	if (macstats_accumulate(counter, &kept->total, &kept->old, value, left, *most)) {
		macstats__note_discontinuity(acc, index, events);
		return;
	}
	if (macstats__may_have_stayed(acc, counter, old, value))
		macstats__note_loss(acc, "a counter may have been full before it rolled over",
				    events);
	macstats__note_saturation(acc, index, old, value, now_ns, events);
	if (*most != MACSTATS_UNBOUNDED)
		*most -= macstats_events_between(counter, old, value);
}

/*
 * A preset counter was read. Return: true if the value of the preset is no longer in it, so that
 * nothing tells what was counted since.
 */
MACSTATS_FN bool macstats__end_preset(struct macstats_accumulator *acc, unsigned int index)
{
	bool preset = acc->counters[index].preset;

	acc->counters[index].preset = false;
	/* One that was lowered after its preset was read tells nothing about the next preset. */
	return acc->bus.lowered && acc->bus.lowered(acc->bus.context, index) && preset;
}

/*
 * Check whether a counter shows what most do most of the time: a whole read, and no more events
 * than there can have been.
 */
MACSTATS_FN bool macstats__is_usual(const struct macstats_accumulator *acc, unsigned int index,
				    __u64 least)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	const struct macstats_accumulated_counter *kept = &acc->counters[index];

	if (kept->extent < MACSTATS_READ_WHOLE || kept->again || kept->preset || kept->unknown ||
	    macstats__is_full(acc, counter, kept->value) ||
	    macstats__fell(acc, counter, kept->old, kept->value) ||
	    macstats__may_have_stayed(acc, counter, kept->old, kept->value))
		return false;
	return !macstats_is_discontinuity(counter, kept->old, kept->value, least) ||
	       (acc->line_rate_bound &&
		!macstats_is_discontinuity(counter, kept->old, kept->value,
					   macstats__most_counted(acc, counter)));
}

/*
 * Sum up what counters have counted, for each share, if all of them show what is usual. Return:
 * false if one does not.
 */
MACSTATS_FN bool macstats__sum_usual(const struct macstats_accumulator *acc,
				     const struct macstats_least *bounds,
				     struct macstats_shared *shares)
{
	unsigned int i;

	macstats__clear_shares(shares);
	macstats_for_each_row(i, &acc->awake) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		const struct macstats_accumulated_counter *kept = &acc->counters[i];

		if (!macstats__is_usual(acc, i, macstats__least_bound(bounds, counter)))
			return false;
		if (kept->share != MACSTATS_SHARE_NONE)
			macstats__add_to_share(&shares[kept->share], counter, kept);
	}
	return true;
}

/* Add what such a counter shows to its total. If it can sleep, it does from now on. */
MACSTATS_FN void macstats__take_usual(struct macstats_accumulator *acc, unsigned int index)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_accumulated_counter *kept = &acc->counters[index];
	__u64 left = macstats__clears(acc, counter) ? 0 : kept->value;

	/* It is within its bound. */
	macstats_accumulate(counter, &kept->total, &kept->old, kept->value, left,
			    MACSTATS_TOTAL_MAX);
	kept->taken = true;
	if (macstats__is_settled(acc->model, counter, kept))
		macstats__let_sleep(acc, index);
}

/* What a poll knows of its read when it adds the values. */
struct macstats_taking {
	bool snapshots;		/* those of all blocks were granted */
	unsigned int parity;	/* mask of the blocks with a parity error */
	__u32 cleared;		/* mask of those that were cleared */
	unsigned int wrong;	/* mask of the shares that contradict each other */
	struct macstats_least least;
	__u64 now_ns;
};

/* Add the value of a counter to its total, whatever it shows. */
MACSTATS_FN void macstats__take_value(struct macstats_accumulator *acc, unsigned int index,
				      const struct macstats_taking *taking, unsigned int *events)
{
	const struct macstats_counter *counter = &acc->model->counters[index];
	struct macstats_accumulated_counter *kept = &acc->counters[index];
	bool suspect = taking->parity >> counter->block & 1;
	__u64 least = macstats__least_bound(&taking->least, counter);
	__u64 most = MACSTATS_UNBOUNDED;
	__u64 left = macstats__clears(acc, counter) ? 0 : kept->value;
	bool unknown;

	if (!macstats__is_usable(acc, index, taking->snapshots))
		return;
	if (macstats__is_mixed(acc, counter)) {
		macstats__note_discontinuity(acc, index, events);
		return;
	}
	if (!suspect)
		macstats__check_words(acc, index, least);
	unknown = (kept->preset && macstats__end_preset(acc, index)) || kept->unknown;
	kept->unknown = false;
	kept->taken = kept->extent != MACSTATS_READ_PART;
	if (((taking->cleared >> counter->block & 1) && !macstats__clears(acc, counter)) ||
	    (kept->share != MACSTATS_SHARE_NONE && (taking->wrong >> kept->share & 1))) {
		*events |= MACSTATS_EVENT_DISCONTINUITY;
		kept->old = left;
		return;
	}
	if (unknown) {
		macstats__note_discontinuity(acc, index, events);
		kept->old = left;
		return;
	}
	/* Its other words may still count on from the old value. */
	if (kept->extent == MACSTATS_READ_PART && kept->old &&
	    counter->onread == MACSTATS_ONREAD_NONE) {
		macstats__note_loss(acc, "the bus failed in the middle of a counter", events);
		kept->old = left;
		return;
	}
	/* A value that a parity error may have damaged must be plausible in any case. */
	if (suspect)
		most = macstats__most_counted(acc, counter);
	else if (acc->line_rate_bound)
		most = macstats__bound(acc, index, least);
	if (suspect && most > macstats_bits_mask(counter->bits) / 2)
		most = macstats_bits_mask(counter->bits) / 2;
	macstats__add_read(acc, index, kept->value, left, &most, taking->now_ns, events);
	if (kept->again)
		macstats__add_read(acc, index, kept->again, left, &most, taking->now_ns, events);
	if (kept->extent == MACSTATS_READ_PART)
		macstats__note_loss(acc, "the bus failed in the middle of a counter", events);
}

/* Add the values that were read to the totals. */
MACSTATS_FN void macstats_take_values(struct macstats_accumulator *acc, bool snapshots,
				      unsigned int parity, __u64 during, __u64 now_ns,
				      unsigned int *events)
{
	struct macstats_shared shares[MACSTATS_SHARES];
	struct macstats_taking taking;
	unsigned int i;

	taking.snapshots = snapshots;
	taking.parity = parity;
	taking.now_ns = now_ns;
	taking.least = macstats__find_least(acc);
	if (snapshots && !parity && !acc->cleared_blocks && !acc->unsure &&
	    macstats__sum_usual(acc, &taking.least, shares) &&
	    !macstats__contradictions(acc, shares, during)) {
		macstats__check_traffic(acc, shares, events);
		macstats_for_each_row(i, &acc->awake)
			macstats__take_usual(acc, i);
		return;
	}
	taking.cleared = macstats__cleared_blocks(acc, snapshots, parity, &taking.least, events);
	if (taking.cleared | parity)
		macstats__wake_all(acc);
	macstats__sum_shares(acc, snapshots, taking.cleared | parity, shares);
	taking.wrong = macstats__contradictions(acc, shares, during);
	if (taking.wrong)
		taking.cleared |= macstats__disown_shares(acc, taking.wrong, events);
	macstats__check_traffic(acc, shares, events);
	if (!snapshots || (taking.cleared | taking.wrong | parity | acc->unsure))
		macstats__wake_all(acc);
	macstats_for_each_row(i, &acc->awake)
		macstats__take_value(acc, i, &taking, events);
	/* The next poll also treats the unread counters of these blocks as cleared. */
	acc->cleared_blocks = snapshots ? 0 : taking.cleared;
	macstats__forget_read(acc);
}

/*
 * Check, for values that cannot be used, whether the read cleared anything and so lost it.
 * @silent: values of all-ones did not come from the hardware. One exception remains: a count of
 * all-ones that was read just before the hardware went looks the same, and is lost with it.
 */
MACSTATS_FN void macstats__discard_values(struct macstats_accumulator *acc, bool silent,
					  unsigned int *events)
{
	unsigned int n = macstats_register_counters(acc->model);
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &acc->model->counters[i];
		struct macstats_accumulated_counter *kept = &acc->counters[i];

		if (!macstats__clears(acc, counter) ||
		    kept->extent == MACSTATS_READ_NOTHING ||
		    (silent && kept->extent == MACSTATS_READ_ONES))
			continue;
		/* A bit of a word of all-ones does not tell that a read cleared anything. */
		if (acc->silent && kept->old)
			kept->unknown = true;
		else
			kept->old = 0;
		if (!kept->value)
			continue;
		macstats__note_loss(acc, "what a read has cleared was not usable", events);
		kept->unknown = kept->unknown || kept->preset;
	}
	if (!silent)
		macstats__forget_read(acc);
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
	bool unknown;
	bool fell;
	bool back;

	/* A value that will be a later baseline needs no check now. */
	if (!acc->state.started || acc->rebase || acc->state.suspended || acc->state.gone ||
	    macstats_lacks_counter(acc, index))
		return;
	macstats__line_passes(acc, acc->poll_ns);
	if (acc->line_rate_bound)
		most = macstats__most_counted(acc, counter);
	unknown = macstats__end_preset(acc, index) || kept->unknown;
	kept->preset = true;
	kept->unknown = false;
	acc->whole = false;
	macstats__begin_read(acc);
	macstats__wake_all(acc);
	fell = held < kept->old && macstats__stays(counter, acc->switched.last.saturate);
	back = fell || macstats_is_discontinuity(counter, kept->old, held, most);
	if (unknown || fell) {
		kept->old = value;
	} else if (!macstats_accumulate(counter, &kept->total, &kept->old, held, value, most)) {
		kept->taken = true;
		return;
	}
	acc->went_back = true;
	acc->state.suspect_known = true;
	acc->state.suspect = (__u16)index;
	acc->state.suspect_value = held;
	if (back && !macstats__clears(acc, counter))
		acc->cleared_blocks |= 1u << counter->block;
}

/*
 * Take over the total of a software counter, which can always be read. Standard statistics are to
 * be updated before the next read.
 */
MACSTATS_FN void macstats_take_software(struct macstats_accumulator *acc, unsigned int index,
					__u64 total)
{
	acc->counters[index].taken = true;
	acc->counters[index].total = total;
	macstats_add_row(&acc->woken, index);
}

#endif /* MACSTATS_TOTALS_H */
