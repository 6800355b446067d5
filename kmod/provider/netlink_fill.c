// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family "macstats": its messages about models, counters, ports and their
 * statistics, and its notifications.
 */
#include <linux/netlink.h>
#include <linux/timekeeping.h>

#include <macstats/netlink.h>

#include "../genl.h"
#include "internal.h"
#include "netlink_fill.h"

enum {
	MACSTATS_MCGRP_EVENTS,
};

static const struct genl_multicast_group macstats_mcgrps[] = {
	[MACSTATS_MCGRP_EVENTS] = { .name = MACSTATS_GENL_EVENTS },
};

struct genl_family macstats_family __ro_after_init = {
	.name = MACSTATS_GENL_NAME,
	.version = MACSTATS_GENL_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.module = THIS_MODULE,
	.mcgrps = macstats_mcgrps,
	.n_mcgrps = ARRAY_SIZE(macstats_mcgrps),
};

int macstats_fill_model(struct sk_buff *skb, const void *object)
{
	const struct macstats_hw *hw = object;
	const struct macstats_model *model = hw->model;

	if (nla_put_u32(skb, MACSTATS_A_MODEL_ID, hw->model_id) ||
	    nla_put_string(skb, MACSTATS_A_MODEL_NAME, model->name) ||
	    nla_put_string(skb, MACSTATS_A_MODEL_TITLE, model->title) ||
	    nla_put_string(skb, MACSTATS_A_MODEL_DATASHEET, model->datasheet) ||
	    nla_put_u32(skb, MACSTATS_A_MODEL_PORTS, model->ports) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_MODEL_LINE_RATE, model->line_rate_bps,
			      MACSTATS_A_MODEL_PAD) ||
	    nla_put_u32(skb, MACSTATS_A_MODEL_COUNTERS, model->n_counters))
		return -EMSGSIZE;
	return 0;
}

#define MACSTATS_STANDARD_NAME(group, id, direction, what, name) [MACSTATS_STD_##id] = name,
static const char *const macstats_standard_names[MACSTATS_STD_COUNT] = {
	MACSTATS_STANDARD_LIST(MACSTATS_STANDARD_NAME)
};

/* The lengths of the frames that a counter counts, if it is a bucket. */
static int macstats_fill_bucket(struct sk_buff *skb, const struct macstats_counter_of *of)
{
	const struct macstats_model *model = of->hw->model;
	const struct macstats_counter *counter = &model->counters[of->index];

	if (!macstats_is_bucket(counter))
		return 0;
	if (nla_put_u32(skb, MACSTATS_A_COUNTER_BUCKET_LOW,
			macstats_sizes_low(model, counter->when[0].size)) ||
	    nla_put_u32(skb, MACSTATS_A_COUNTER_BUCKET_HIGH,
			macstats_bucket_high(model, counter)))
		return -EMSGSIZE;
	return 0;
}

int macstats_fill_counter(struct sk_buff *skb, const void *object)
{
	const struct macstats_counter_of *of = object;
	const struct macstats_counter *counter;
	unsigned int i;

	counter = &of->hw->model->counters[of->index];
	if (nla_put_string(skb, MACSTATS_A_COUNTER_MODEL, of->hw->model->name) ||
	    nla_put_u32(skb, MACSTATS_A_COUNTER_MODEL_ID, of->hw->model_id) ||
	    nla_put_u32(skb, MACSTATS_A_COUNTER_ID, of->index) ||
	    nla_put_string(skb, MACSTATS_A_COUNTER_NAME, counter->name) ||
	    nla_put_string(skb, MACSTATS_A_COUNTER_REGISTER, counter->reg) ||
	    nla_put_string(skb, MACSTATS_A_COUNTER_DESCRIPTION, counter->help) ||
	    nla_put_u32(skb, MACSTATS_A_COUNTER_UNIT, counter->unit) ||
	    nla_put_u32(skb, MACSTATS_A_COUNTER_OFFSET, counter->offset) ||
	    nla_put_u32(skb, MACSTATS_A_COUNTER_BITS, counter->bits) ||
	    nla_put_u32(skb, MACSTATS_A_COUNTER_ONREAD, counter->onread) ||
	    nla_put_u32(skb, MACSTATS_A_COUNTER_ONWRITE, counter->onwrite) ||
	    nla_put_u32(skb, MACSTATS_A_COUNTER_OVERFLOW, counter->overflow) ||
	    nla_put_u32(skb, MACSTATS_A_COUNTER_DIRECTION,
			macstats_counter_direction(counter)) ||
	    (counter->port_stride &&
	     nla_put_u32(skb, MACSTATS_A_COUNTER_PORT_STRIDE, counter->port_stride)) ||
	    (counter->index_of &&
	     (nla_put_u32(skb, MACSTATS_A_COUNTER_INDEX_OF, counter->index_of) ||
	      nla_put_u32(skb, MACSTATS_A_COUNTER_INDEX, counter->index))))
		return -EMSGSIZE;
	for (i = 0; i < MACSTATS_MAX_TERMS && counter->standard[i].id; i++)
		if (nla_put_string(skb, MACSTATS_A_COUNTER_STANDARD,
				   macstats_standard_names[counter->standard[i].id]))
			return -EMSGSIZE;
	return macstats_fill_bucket(skb, of);
}

/* Put those of the @n @counters (NULL: of all) that were read at their maximum. */
static int macstats_fill_saturated(struct sk_buff *skb, int type, const struct macstats_view *view,
				   const u32 *counters, unsigned int n)
{
	struct nlattr *nest;
	unsigned int i;

	for (i = 0; view->saturated && i < n; i++) {
		unsigned int counter = counters ? counters[i] : i;

		if (!view->saturated[counter])
			continue;
		nest = nla_nest_start(skb, type);
		if (!nest ||
		    nla_put_u32(skb, MACSTATS_A_SATURATED_COUNTER, counter) ||
		    nla_put_u64_64bit(skb, MACSTATS_A_SATURATED_TIMES, view->saturated[counter],
				      MACSTATS_A_SATURATED_PAD) ||
		    nla_put_u64_64bit(skb, MACSTATS_A_SATURATED_TIME, view->saturated_ns[counter],
				      MACSTATS_A_SATURATED_PAD))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

/* Caller holds port->hw->ports_lock, and port->net is set. */
int macstats_fill_port(struct sk_buff *skb, const void *object)
{
	const struct macstats_port *port = object;
	const struct macstats_view *view = &port->hw->view;
	const struct macstats_state *state = &view->state;
	int err = -EMSGSIZE;
	bool suspect;

	spin_lock_bh(&port->hw->lock);
	suspect = state->discontinuities && state->suspect_known;
	if (nla_put_u32(skb, MACSTATS_A_PORT_IFINDEX, port->ifindex) ||
	    nla_put_string(skb, MACSTATS_A_PORT_NAME, port->name) ||
	    nla_put_string(skb, MACSTATS_A_PORT_MODEL, port->hw->model->name) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_MODEL_ID, port->hw->model_id) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_INDEX, port->hw->index) ||
	    (state->absent && nla_put_flag(skb, MACSTATS_A_PORT_ABSENT)) ||
	    (state->stale && nla_put_flag(skb, MACSTATS_A_PORT_STALE)) ||
	    (state->stale && nla_put_string(skb, MACSTATS_A_PORT_STALE_REASON, state->reason)) ||
	    (state->possible_loss && nla_put_flag(skb, MACSTATS_A_PORT_POSSIBLE_LOSS)) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_DISCONTINUITIES, state->discontinuities) ||
	    (state->discontinuities &&
	     nla_put_u64_64bit(skb, MACSTATS_A_PORT_DISCONTINUITY_TIME, state->discontinuity_ns,
			       MACSTATS_A_PORT_PAD)) ||
	    (suspect &&
	     nla_put_u32(skb, MACSTATS_A_PORT_DISCONTINUITY_COUNTER, state->suspect)) ||
	    (suspect &&
	     nla_put_u64_64bit(skb, MACSTATS_A_PORT_DISCONTINUITY_VALUE, state->suspect_value,
			       MACSTATS_A_PORT_PAD)) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_PARITY_ERRORS, state->parity_errors) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_POLL_USECS, READ_ONCE(port->hw->poll.usecs)) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_POLL_CEILING_USECS,
			READ_ONCE(port->hw->poll.ceiling)) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_PORT_POLL_TIME, view->polled_ns,
			      MACSTATS_A_PORT_PAD) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_LATE_POLLS, state->late_polls) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_FAILED_POLLS, view->failed_polls) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_PORT_LONGEST_POLL, view->longest_poll_ns,
			      MACSTATS_A_PORT_PAD) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_PORT_LONGEST_WAIT, view->longest_wait_ns,
			      MACSTATS_A_PORT_PAD))
		goto out_unlock;
	err = macstats_fill_saturated(skb, MACSTATS_A_PORT_SATURATED, view, NULL,
				      port->hw->model->n_counters);
out_unlock:
	spin_unlock_bh(&port->hw->lock);
	return err;
}

static unsigned int macstats_wanted_count(const struct macstats_wanted *wanted)
{
	return wanted->counters ? wanted->n : wanted->port->hw->model->n_counters;
}

static unsigned int macstats_wanted_counter(const struct macstats_wanted *wanted, unsigned int i)
{
	return wanted->counters ? wanted->counters[i] : i;
}

/* Does the hardware lack this counter? */
static bool macstats_port_lacks(const struct macstats_port *port, unsigned int counter)
{
	return macstats_has_row(&port->hw->view.state.absent_rows, counter);
}

static int macstats_fill_values(struct sk_buff *skb, const struct macstats_wanted *wanted)
{
	const struct macstats_port *port = wanted->port;
	unsigned int n = port->hw->view.state.absent ? 0 : macstats_wanted_count(wanted);
	struct nlattr *attr;
	unsigned int i;
	u64 *values;

	attr = nla_reserve_64bit(skb, MACSTATS_A_STATS_VALUES, n * sizeof(u64),
				 MACSTATS_A_STATS_PAD);
	if (!attr)
		return -EMSGSIZE;
	values = nla_data(attr);
	/* Most dumps are of all counters, and most hardware has them all. */
	if (!wanted->counters && !port->hw->view.state.absent_rows.some) {
		memcpy(values, port->hw->view.totals, n * sizeof(u64));
		return 0;
	}
	for (i = 0; i < n; i++) {
		unsigned int counter = macstats_wanted_counter(wanted, i);

		values[i] = macstats_port_lacks(port, counter) ? ~0ULL :
								 port->hw->view.totals[counter];
	}
	return 0;
}

/* The requested counters that the hardware is built without, if it has others. */
static int macstats_fill_absent(struct sk_buff *skb, const struct macstats_wanted *wanted)
{
	const struct macstats_port *port = wanted->port;
	unsigned int n = macstats_wanted_count(wanted);
	unsigned int missing = 0;
	struct nlattr *attr;
	unsigned int i;
	u32 *counters;

	if (port->hw->view.state.absent || !port->hw->view.state.absent_rows.some)
		return 0;
	for (i = 0; i < n; i++)
		missing += macstats_port_lacks(port, macstats_wanted_counter(wanted, i));
	if (!missing)
		return 0;
	attr = nla_reserve(skb, MACSTATS_A_STATS_ABSENT, missing * sizeof(u32));
	if (!attr)
		return -EMSGSIZE;
	counters = nla_data(attr);
	for (i = 0; i < n; i++)
		if (macstats_port_lacks(port, macstats_wanted_counter(wanted, i)))
			*counters++ = macstats_wanted_counter(wanted, i);
	return 0;
}

/* How far the standard statistics of a port can be trusted. */
static int macstats_fill_inexact(struct sk_buff *skb, const struct macstats_port *port)
{
	const struct macstats_standard *standard = &port->hw->view.standard;
	enum macstats_standard_bound bound;
	struct nlattr *nest;
	unsigned int id;
	u64 times;

	if (!standard->any_stale && !port->hw->view.saturated)
		return 0;
	for (id = 0; id < MACSTATS_STD_COUNT; id++) {
		if (!standard->present[id])
			continue;
		bound = macstats_bound_of(standard, port->hw->model, port->hw->view.saturated, id,
					  &times);
		if (bound == MACSTATS_BOUND_EXACT)
			continue;
		nest = nla_nest_start(skb, MACSTATS_A_STATS_INEXACT);
		if (!nest ||
		    nla_put_u32(skb, MACSTATS_A_INEXACT_STANDARD, id) ||
		    nla_put_u32(skb, MACSTATS_A_INEXACT_BOUND, bound) ||
		    nla_put_u64_64bit(skb, MACSTATS_A_INEXACT_TIMES, times,
				      MACSTATS_A_INEXACT_PAD) ||
		    (standard->stale[id] && nla_put_flag(skb, MACSTATS_A_INEXACT_STALE)))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

static int macstats_fill_standard(struct sk_buff *skb, const struct macstats_port *port)
{
	const struct macstats_standard *standard = &port->hw->view.standard;
	struct nlattr *attr;
	unsigned int n = 0;
	unsigned int id;
	u64 *values;
	u32 *ids;

	if (port->hw->view.state.absent || port->hw->shared)
		return 0;
	for (id = 0; id < MACSTATS_STD_COUNT; id++)
		n += standard->present[id];
	attr = nla_reserve(skb, MACSTATS_A_STATS_STANDARD, n * sizeof(u32));
	if (!attr)
		return -EMSGSIZE;
	ids = nla_data(attr);
	attr = nla_reserve_64bit(skb, MACSTATS_A_STATS_STANDARD_VALUES, n * sizeof(u64),
				 MACSTATS_A_STATS_PAD);
	if (!attr)
		return -EMSGSIZE;
	values = nla_data(attr);
	for (id = 0; id < MACSTATS_STD_COUNT; id++) {
		if (!standard->present[id])
			continue;
		*ids++ = id;
		*values++ = standard->value[id];
	}
	return macstats_fill_inexact(skb, port);
}

/* Caller holds port->hw->ports_lock, and port->net is set. */
int macstats_fill_stats(struct sk_buff *skb, const void *object)
{
	const struct macstats_wanted *wanted = object;
	const struct macstats_port *port = wanted->port;
	const struct macstats_view *view = &port->hw->view;
	const struct macstats_state *state = &view->state;
	int err = -EMSGSIZE;

	spin_lock_bh(&port->hw->lock);
	if (nla_put_u32(skb, MACSTATS_A_STATS_IFINDEX, port->ifindex) ||
	    nla_put_string(skb, MACSTATS_A_STATS_MODEL, port->hw->model->name) ||
	    nla_put_u32(skb, MACSTATS_A_STATS_MODEL_ID, port->hw->model_id) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_STATS_GENERATION, state->generation,
			      MACSTATS_A_STATS_PAD) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_STATS_TIME, view->polled_ns,
			      MACSTATS_A_STATS_PAD) ||
	    (state->stale && nla_put_flag(skb, MACSTATS_A_STATS_STALE)) ||
	    (state->possible_loss && nla_put_flag(skb, MACSTATS_A_STATS_POSSIBLE_LOSS)) ||
	    nla_put_u32(skb, MACSTATS_A_STATS_DISCONTINUITIES, state->discontinuities) ||
	    (state->discontinuities &&
	     nla_put_u64_64bit(skb, MACSTATS_A_STATS_DISCONTINUITY_TIME, state->discontinuity_ns,
			       MACSTATS_A_STATS_PAD)) ||
	    (state->started &&
	     nla_put_u64_64bit(skb, MACSTATS_A_STATS_START_TIME, state->start_ns,
			       MACSTATS_A_STATS_PAD)) ||
	    macstats_fill_saturated(skb, MACSTATS_A_STATS_SATURATED, view, wanted->counters,
				    macstats_wanted_count(wanted)) ||
	    macstats_fill_values(skb, wanted) || macstats_fill_absent(skb, wanted))
		goto out_unlock;
	err = wanted->counters ? 0 : macstats_fill_standard(skb, port);
out_unlock:
	spin_unlock_bh(&port->hw->lock);
	return err;
}

static int macstats_fill_notice(struct sk_buff *skb, const void *object)
{
	const struct macstats_notice *notice = object;
	u64 time_ns = notice->events ? notice->time_ns : ktime_get_boottime_ns();

	if (macstats_fill_port(skb, notice->port) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_PORT_TIME, time_ns, MACSTATS_A_PORT_PAD) ||
	    (notice->events && nla_put_u32(skb, MACSTATS_A_PORT_EVENT, notice->events)))
		return -EMSGSIZE;
	return 0;
}

/* Notify the listeners in the namespace of the port. Caller holds port->hw->ports_lock. */
void macstats_netlink_notify(u8 cmd, const struct macstats_notice *notice)
{
	struct net *net = notice->port->net;
	struct sk_buff *skb;

	if (!net || !genl_has_listeners(&macstats_family, net, MACSTATS_MCGRP_EVENTS))
		return;
	skb = macstats_message(&macstats_family, 0, 0, cmd, macstats_fill_notice, notice);
	if (IS_ERR(skb)) {
		/* Let the listeners know that they missed a notification. */
		genl_set_err(&macstats_family, net, 0, MACSTATS_MCGRP_EVENTS, -ENOBUFS);
		return;
	}
	genlmsg_multicast_netns(&macstats_family, net, skb, 0, MACSTATS_MCGRP_EVENTS, GFP_KERNEL);
}
