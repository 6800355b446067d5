// SPDX-License-Identifier: GPL-2.0
/*
 * The view: what readers of hardware see, and the events that they get. Polls copy it from the
 * accumulator.
 */
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include <macstats/netlink.h>

#include "internal.h"

/* Report what happened to a port. @cmd: of the notification. Caller holds port->hw->ports_lock. */
void macstats_port_notify(u8 cmd, const struct macstats_notice *notice)
{
	lockdep_assert_held(&notice->port->hw->ports_lock);
	if (notice->events)
		macstats_log(notice);
	macstats_netlink_notify(cmd, notice);
}

/* Is the port stale because the driver has suspended the hardware? */
static bool macstats_is_asleep(const struct macstats_state *state)
{
	return state->suspended && !state->gone;
}

/* Keep events for macstats_hw_report(). Caller holds hw->lock. */
static void macstats_hw_note(struct macstats_hw *hw, unsigned int events)
{
	struct macstats_notice *pending = &hw->pending;

	lockdep_assert_held(&hw->lock);
	if (!events)
		return;
	WRITE_ONCE(pending->events, pending->events | events);
	pending->time_ns = ktime_get_boottime_ns();
	if ((events & MACSTATS_EVENT_STALE) && !macstats_is_asleep(&hw->view.state))
		pending->failure = hw->view.state.reason;
}

/*
 * Report the events of the hardware for each port that it serves. Whoever may have caused one calls
 * this, or schedules the poll work, which does. May sleep; RTNL may be held.
 */
void macstats_hw_report(struct macstats_hw *hw)
{
	struct macstats_notice notice;
	struct macstats_state state;
	struct macstats_port *port;

	if (!READ_ONCE(hw->pending.events))
		return;
	mutex_lock(&hw->ports_lock);
	spin_lock_bh(&hw->lock);
	notice = hw->pending;
	notice.state = &state;
	state = hw->view.state;
	WRITE_ONCE(hw->pending.events, 0);
	hw->pending.failure = NULL;
	hw->pending.saturated = (struct macstats_rows){};
	spin_unlock_bh(&hw->lock);
	list_for_each_entry(port, &hw->ports, hw_node) {
		notice.port = port;
		if (notice.events)
			macstats_port_notify(MACSTATS_CMD_PORT_EVENT_NTF, &notice);
	}
	mutex_unlock(&hw->ports_lock);
}

/* Allocate the view for the counters of the model. */
int macstats_hw_init_view(struct macstats_hw *hw)
{
	const struct macstats_model *model = hw->model;
	unsigned int n = model->n_counters;
	bool saturates = false;
	bool by_mac = false;
	unsigned int i;

	for (i = 0; i < n; i++) {
		saturates = saturates || macstats_may_saturate(model, &model->counters[i]);
		by_mac = by_mac || model->counters[i].mac;
	}
	hw->view.state.reason = "";
	if (by_mac) {
		hw->view.by_mac = kvcalloc(MACSTATS_MAC_PREEMPTIBLE, sizeof(*hw->view.by_mac),
					   GFP_KERNEL);
		if (!hw->view.by_mac)
			return -ENOMEM;
		for (i = 0; i < MACSTATS_MAC_PREEMPTIBLE; i++)
			hw->view.by_mac[i].mac = i + 1;
	}
	hw->view.totals = kvcalloc(saturates ? 3 * n : n, sizeof(u64), GFP_KERNEL);
	if (!hw->view.totals)
		return -ENOMEM;
	seqcount_init(&hw->published.seq);
	if (saturates) {
		hw->view.saturated = hw->view.totals + n;
		hw->view.saturated_ns = hw->view.totals + 2 * n;
	}
	return 0;
}

/* Note the counters that were read at their maximum since the view was last updated. */
static void macstats_hw_note_saturated(struct macstats_hw *hw)
{
	unsigned int i;

	for (i = 0; hw->view.saturated && i < hw->model->n_counters; i++)
		if (hw->acc.counters[i].saturated != hw->view.saturated[i])
			macstats_add_row(&hw->pending.saturated, i);
}

/*
 * Copy the totals into the view, and publish what is read in any context. Caller has locked the
 * hardware and the view.
 */
static void macstats_hw_publish(struct macstats_hw *hw)
{
	const struct macstats_accumulated_counter *kept = hw->acc.counters;
	unsigned long flags;
	unsigned int i;

	macstats_hw_assert_locked(hw);
	lockdep_assert_held(&hw->lock);
	/* A reader in an interrupt of this CPU would wait for ever. */
	local_irq_save(flags);
	write_seqcount_begin(&hw->published.seq);
	if (!hw->shared)
		memcpy(hw->published.rtnl, &hw->view.standard.value[MACSTATS_RTNL_FIRST],
		       sizeof(hw->published.rtnl));
	macstats_for_each_row(i, &hw->view.standard.rows)
		hw->view.totals[i] = kept[i].total;
	write_seqcount_end(&hw->published.seq);
	local_irq_restore(flags);
}

/* Copy the counts into the view. Caller has locked the hardware and it. */
void macstats_hw_show_counts(struct macstats_hw *hw)
{
	const struct macstats_accumulator *acc = &hw->acc;
	struct macstats_view *view = &hw->view;
	unsigned int i;

	macstats_hw_assert_locked(hw);
	lockdep_assert_held(&hw->lock);
	view->polled_ns = macstats_polled_ns(acc);
	for (i = 0; view->by_mac && i < MACSTATS_MAC_PREEMPTIBLE; i++)
		macstats_standard_update(&view->by_mac[i], acc, view->totals);
	if (macstats_standard_update(&view->standard, acc, view->totals))
		macstats_hw_publish(hw);
	if (!view->saturated)
		return;
	macstats_for_each_row(i, &view->standard.rows) {
		view->saturated[i] = acc->counters[i].saturated;
		view->saturated_ns[i] = acc->counters[i].saturated_ns;
	}
}

/* Copy the result of a poll into the view. Caller has locked the hardware and the view. */
void macstats_hw_show_poll(struct macstats_hw *hw, unsigned int events)
{
	struct macstats_state *state = &hw->view.state;
	bool was_asleep = macstats_is_asleep(state);
	bool was_stale = state->stale;

	if (events & MACSTATS_EVENT_SATURATED)
		macstats_hw_note_saturated(hw);
	macstats_hw_show_counts(hw);
	*state = hw->acc.state;
	events &= ~(MACSTATS_EVENT_STALE | MACSTATS_EVENT_RECOVERED);
	if (state->stale && (!was_stale || (was_asleep && !macstats_is_asleep(state))))
		events |= MACSTATS_EVENT_STALE;
	if (!state->stale && was_stale)
		events |= MACSTATS_EVENT_RECOVERED;
	macstats_hw_note(hw, events);
}
