// SPDX-License-Identifier: GPL-2.0
/* The generic netlink family "macstats": queries, thresholds, notifications. */
#include <linux/capability.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include <macstats/netlink.h>

#include "../genl.h"
#include "internal.h"

enum {
	MACSTATS_MCGRP_EVENTS,
};

static const struct genl_multicast_group macstats_mcgrps[] = {
	[MACSTATS_MCGRP_EVENTS] = { .name = MACSTATS_GENL_EVENTS },
};

static struct genl_family macstats_family;

/* genl_ops.internal_flags: macstats_pre_doit() requires these for an operation. */
enum {
	MACSTATS_NEEDS_ADMIN = 1 << 0,	/* CAP_NET_ADMIN */
};

static const struct nla_policy macstats_model_policy[] = {
	[MACSTATS_A_MODEL_NAME] = { .type = NLA_NUL_STRING, .len = MACSTATS_MODEL_NAME_LEN },
};

static const struct nla_policy macstats_counter_policy[] = {
	[MACSTATS_A_COUNTER_MODEL] = { .type = NLA_NUL_STRING, .len = MACSTATS_MODEL_NAME_LEN },
};

static const struct nla_policy macstats_port_policy[] = {
	[MACSTATS_A_PORT_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_A_PORT_MODEL] = { .type = NLA_NUL_STRING, .len = MACSTATS_MODEL_NAME_LEN },
};

static const struct nla_policy macstats_stats_policy[] = {
	[MACSTATS_A_STATS_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_A_STATS_CACHED] = { .type = NLA_FLAG },
	[MACSTATS_A_STATS_MODEL] = { .type = NLA_NUL_STRING, .len = MACSTATS_MODEL_NAME_LEN },
	[MACSTATS_A_STATS_COUNTERS] = {
		.type = NLA_BINARY,
		.len = MACSTATS_MAX_COUNTERS * sizeof(u32),
	},
};

static const struct nla_policy macstats_threshold_set_policy[] = {
	[MACSTATS_A_THRESHOLD_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_A_THRESHOLD_COUNTER] = { .type = NLA_U32 },
	[MACSTATS_A_THRESHOLD_VALUE] = { .type = NLA_U64 },
};

static const struct nla_policy macstats_threshold_policy[] = {
	[MACSTATS_A_THRESHOLD_IFINDEX] = { .type = NLA_U32 },
};

static int macstats_fill_model(struct sk_buff *skb, const void *object)
{
	const struct macstats_model *model = object;

	if (nla_put_string(skb, MACSTATS_A_MODEL_NAME, model->name) ||
	    nla_put_string(skb, MACSTATS_A_MODEL_TITLE, model->title) ||
	    nla_put_string(skb, MACSTATS_A_MODEL_DATASHEET, model->datasheet) ||
	    nla_put_u32(skb, MACSTATS_A_MODEL_PORTS, model->ports) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_MODEL_LINE_RATE, model->line_rate_bps,
			      MACSTATS_A_MODEL_PAD) ||
	    nla_put_u32(skb, MACSTATS_A_MODEL_COUNTERS, model->n_counters))
		return -EMSGSIZE;
	return 0;
}

/* Find the model with the name in @type. Return: the model, or an ERR_PTR. */
static const struct macstats_model *macstats_model_from(struct nlattr **attrs, unsigned int type,
							const char *what,
							struct netlink_ext_ack *extack)
{
	const struct nlattr *attr = attrs[type];
	const struct macstats_model *model;

	if (!attr)
		return ERR_PTR(macstats_missing(extack, type, what));
	model = macstats_model_find(nla_data(attr));
	if (!model) {
		MACSTATS_EXTACK_ATTR(extack, attr,
				     "%s: unknown model %.20s: MODEL_GET lists all models", what,
				     (const char *)nla_data(attr));
		return ERR_PTR(-ENOENT);
	}
	return model;
}

static int macstats_nl_model_get(struct sk_buff *skb, struct genl_info *info)
{
	const struct macstats_model *model;

	model = macstats_model_from(info->attrs, MACSTATS_A_MODEL_NAME, "MODEL_NAME",
				    info->extack);
	if (IS_ERR(model))
		return PTR_ERR(model);
	return macstats_reply(info, &macstats_family, MACSTATS_CMD_MODEL_GET, macstats_fill_model,
			      model);
}

static int macstats_nl_model_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct macstats_model *model;
	int err;

	err = macstats_dump_of_all(cb, MACSTATS_A_MODEL_NAME, "MODEL_NAME");
	if (err)
		return err;
	while ((model = macstats_model_at(cb->args[0]))) {
		err = macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_MODEL_GET,
					macstats_fill_model, model);
		if (err)
			break;
		cb->args[0]++;
	}
	return macstats_dump_done(skb, err);
}

struct macstats_counter_of {
	const struct macstats_model *model;
	unsigned int index;
};

#define MACSTATS_STANDARD_NAME(group, id, direction, what, name) [MACSTATS_STD_##id] = name,
static const char *const macstats_standard_names[MACSTATS_STD_COUNT] = {
	MACSTATS_STANDARD_LIST(MACSTATS_STANDARD_NAME)
};

/* The lengths of the frames that a counter counts, if it is a bucket. */
static int macstats_fill_bucket(struct sk_buff *skb, const struct macstats_counter_of *of)
{
	const struct macstats_counter *counter = &of->model->counters[of->index];

	if (!macstats_is_bucket(counter))
		return 0;
	if (nla_put_u32(skb, MACSTATS_A_COUNTER_BUCKET_LOW,
			macstats_sizes_low(of->model, counter->when[0].size)) ||
	    nla_put_u32(skb, MACSTATS_A_COUNTER_BUCKET_HIGH,
			macstats_bucket_high(of->model, counter)))
		return -EMSGSIZE;
	return 0;
}

static int macstats_fill_counter(struct sk_buff *skb, const void *object)
{
	const struct macstats_counter_of *of = object;
	const struct macstats_counter *counter;
	unsigned int i;

	counter = &of->model->counters[of->index];
	if (nla_put_string(skb, MACSTATS_A_COUNTER_MODEL, of->model->name) ||
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
	     nla_put_u32(skb, MACSTATS_A_COUNTER_PORT_STRIDE, counter->port_stride)))
		return -EMSGSIZE;
	for (i = 0; i < MACSTATS_MAX_TERMS && counter->standard[i].id; i++)
		if (nla_put_string(skb, MACSTATS_A_COUNTER_STANDARD,
				   macstats_standard_names[counter->standard[i].id]))
			return -EMSGSIZE;
	return macstats_fill_bucket(skb, of);
}

static int macstats_nl_counter_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct macstats_counter_of of;
	int err = 0;

	of.model = macstats_model_from(macstats_dump_attrs(cb), MACSTATS_A_COUNTER_MODEL,
				       "COUNTER_MODEL", cb->extack);
	if (IS_ERR(of.model))
		return PTR_ERR(of.model);
	for (of.index = cb->args[0]; of.index < of.model->n_counters; of.index++) {
		err = macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_COUNTER_GET,
					macstats_fill_counter, &of);
		if (err)
			break;
	}
	cb->args[0] = of.index;
	return macstats_dump_done(skb, err);
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

/* Caller holds port->hw->lock, and port->net is set. */
static int macstats_fill_port(struct sk_buff *skb, const void *object)
{
	const struct macstats_port *port = object;
	const struct macstats_view *view;
	bool suspect;

	view = &port->hw->view;
	suspect = view->discontinuities && view->suspect_known;
	if (nla_put_u32(skb, MACSTATS_A_PORT_IFINDEX, port->ifindex) ||
	    nla_put_string(skb, MACSTATS_A_PORT_NAME, port->name) ||
	    nla_put_string(skb, MACSTATS_A_PORT_MODEL, port->hw->model->name) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_INDEX, port->hw->index) ||
	    (view->absent && nla_put_flag(skb, MACSTATS_A_PORT_ABSENT)) ||
	    (view->stale && nla_put_flag(skb, MACSTATS_A_PORT_STALE)) ||
	    (view->stale && nla_put_string(skb, MACSTATS_A_PORT_STALE_REASON, view->reason)) ||
	    (view->possible_loss && nla_put_flag(skb, MACSTATS_A_PORT_POSSIBLE_LOSS)) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_DISCONTINUITIES, view->discontinuities) ||
	    (view->discontinuities &&
	     nla_put_u64_64bit(skb, MACSTATS_A_PORT_DISCONTINUITY_TIME, view->discontinuity_ns,
			       MACSTATS_A_PORT_PAD)) ||
	    (suspect &&
	     nla_put_u32(skb, MACSTATS_A_PORT_DISCONTINUITY_COUNTER, view->suspect)) ||
	    (suspect &&
	     nla_put_u64_64bit(skb, MACSTATS_A_PORT_DISCONTINUITY_VALUE, view->suspect_value,
			       MACSTATS_A_PORT_PAD)) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_PARITY_ERRORS, view->parity_errors) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_POLL_USECS, READ_ONCE(port->hw->poll_usecs)) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_POLL_CEILING_USECS,
			READ_ONCE(port->hw->poll_ceiling)) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_PORT_POLL_TIME, view->polled_ns,
			      MACSTATS_A_PORT_PAD) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_LATE_POLLS, view->late_polls) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_FAILED_POLLS, view->failed_polls) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_PORT_LONGEST_POLL, view->longest_poll_ns,
			      MACSTATS_A_PORT_PAD) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_PORT_LONGEST_WAIT, view->longest_wait_ns,
			      MACSTATS_A_PORT_PAD))
		return -EMSGSIZE;
	return macstats_fill_saturated(skb, MACSTATS_A_PORT_SATURATED, view, NULL,
				       port->hw->model->n_counters);
}

/* A request for statistics of a port. */
struct macstats_wanted {
	struct macstats_port *port;
	bool cached;			/* do not poll */
	const u32 *counters;		/* ids, ascending; NULL: all */
	unsigned int n;			/* number of @counters */
};

static unsigned int macstats_wanted_counter(const struct macstats_wanted *wanted, unsigned int i)
{
	return wanted->counters ? wanted->counters[i] : i;
}

/* Does the hardware lack this counter? */
static bool macstats_port_lacks(const struct macstats_port *port, unsigned int counter)
{
	return macstats_has_row(&port->hw->view.absent_rows, counter);
}

static int macstats_fill_values(struct sk_buff *skb, const struct macstats_wanted *wanted)
{
	const struct macstats_port *port = wanted->port;
	struct nlattr *attr;
	unsigned int i;
	unsigned int n;
	u64 *values;

	n = wanted->counters ? wanted->n : port->hw->model->n_counters;
	if (port->hw->view.absent)
		n = 0;
	attr = nla_reserve_64bit(skb, MACSTATS_A_STATS_VALUES, n * sizeof(u64),
				 MACSTATS_A_STATS_PAD);
	if (!attr)
		return -EMSGSIZE;
	values = nla_data(attr);
	/* Most dumps are of all counters, and most hardware has them all. */
	if (!wanted->counters && !port->hw->view.lacks_some) {
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
	struct nlattr *attr;
	unsigned int missing = 0;
	unsigned int i;
	unsigned int n;
	u32 *counters;

	if (port->hw->view.absent || !port->hw->view.lacks_some)
		return 0;
	n = wanted->counters ? wanted->n : port->hw->model->n_counters;
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

	if (port->hw->view.absent || port->hw->shared)
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

/* Caller holds port->hw->lock, and port->net is set. */
static int macstats_fill_stats(struct sk_buff *skb, const void *object)
{
	const struct macstats_wanted *wanted = object;
	const struct macstats_port *port;
	const struct macstats_view *view;

	port = wanted->port;
	view = &port->hw->view;
	if (nla_put_u32(skb, MACSTATS_A_STATS_IFINDEX, port->ifindex) ||
	    nla_put_string(skb, MACSTATS_A_STATS_MODEL, port->hw->model->name) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_STATS_GENERATION, view->generation,
			      MACSTATS_A_STATS_PAD) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_STATS_TIME, view->polled_ns,
			      MACSTATS_A_STATS_PAD) ||
	    (view->stale && nla_put_flag(skb, MACSTATS_A_STATS_STALE)) ||
	    (view->possible_loss && nla_put_flag(skb, MACSTATS_A_STATS_POSSIBLE_LOSS)) ||
	    nla_put_u32(skb, MACSTATS_A_STATS_DISCONTINUITIES, view->discontinuities) ||
	    (view->discontinuities &&
	     nla_put_u64_64bit(skb, MACSTATS_A_STATS_DISCONTINUITY_TIME, view->discontinuity_ns,
			       MACSTATS_A_STATS_PAD)) ||
	    (view->started &&
	     nla_put_u64_64bit(skb, MACSTATS_A_STATS_START_TIME, view->start_ns,
			       MACSTATS_A_STATS_PAD)))
		return -EMSGSIZE;
	if (macstats_fill_saturated(skb, MACSTATS_A_STATS_SATURATED, view, wanted->counters,
				    wanted->counters ? wanted->n : port->hw->model->n_counters))
		return -EMSGSIZE;
	if (macstats_fill_values(skb, wanted) || macstats_fill_absent(skb, wanted))
		return -EMSGSIZE;
	return wanted->counters ? 0 : macstats_fill_standard(skb, port);
}

/* Parse and check the ids of counters of @model. */
static int macstats_counters_from(const struct nlattr *attr, const struct macstats_model *model,
				  struct macstats_wanted *wanted, struct netlink_ext_ack *extack)
{
	unsigned int i;

	if (!attr)
		return 0;
	wanted->counters = nla_data(attr);
	wanted->n = nla_len(attr) / sizeof(u32);
	if (!wanted->n || nla_len(attr) % sizeof(u32)) {
		MACSTATS_EXTACK_ATTR(extack, attr,
				     "STATS_COUNTERS: %u octets: 1 to %u ids of 4 octets are accepted",
				     nla_len(attr), model->n_counters);
		return -EINVAL;
	}
	for (i = 0; i < wanted->n; i++) {
		if (wanted->counters[i] >= model->n_counters) {
			MACSTATS_EXTACK_ATTR(extack, attr,
					     "STATS_COUNTERS: %u is out of range: 0 to %u are accepted",
					     wanted->counters[i], model->n_counters - 1);
			return -ERANGE;
		}
		if (i && wanted->counters[i] <= wanted->counters[i - 1]) {
			MACSTATS_EXTACK_ATTR(extack, attr,
					     "STATS_COUNTERS: %u after %u: give ascending ids",
					     wanted->counters[i], wanted->counters[i - 1]);
			return -EINVAL;
		}
	}
	return 0;
}

/* How the requests about a port name it. */
struct macstats_named_port {
	u8 ifindex;			/* the attribute with the ifindex; 0: no port */
	const char *ifindex_name;
	u8 dump_only;			/* an attribute for dumps only; 0: none */
	const char *dump_only_name;
};

static const struct macstats_named_port macstats_named_ports[MACSTATS_CMD_MAX + 1] = {
	[MACSTATS_CMD_PORT_GET] = {
		.ifindex = MACSTATS_A_PORT_IFINDEX,
		.ifindex_name = "PORT_IFINDEX",
		.dump_only = MACSTATS_A_PORT_MODEL,
		.dump_only_name = "PORT_MODEL",
	},
	[MACSTATS_CMD_STATS_GET] = {
		.ifindex = MACSTATS_A_STATS_IFINDEX,
		.ifindex_name = "STATS_IFINDEX",
		.dump_only = MACSTATS_A_STATS_MODEL,
		.dump_only_name = "STATS_MODEL",
	},
	[MACSTATS_CMD_THRESHOLD_SET] = {
		.ifindex = MACSTATS_A_THRESHOLD_IFINDEX,
		.ifindex_name = "THRESHOLD_IFINDEX",
	},
};

/* The attributes that name the port of a command, if it has one. */
static const struct macstats_named_port *macstats_named_port(u8 cmd)
{
	const struct macstats_named_port *named = &macstats_named_ports[cmd];

	return named->ifindex ? named : NULL;
}

/* Find the port with the ifindex in @attr. Return: the port with a reference, or an ERR_PTR. */
static struct macstats_port *macstats_port_at(struct net *net, const struct nlattr *attr,
					      const char *what, struct netlink_ext_ack *extack)
{
	struct macstats_port *port = NULL;
	struct net_device *netdev;

	netdev = dev_get_by_index(net, nla_get_u32(attr));
	if (netdev) {
		port = macstats_port_find(netdev);
		dev_put(netdev);
	}
	if (port)
		return port;
	MACSTATS_EXTACK_ATTR(extack, attr, "%s: no port of macstats has ifindex %u: see PORT_GET",
			     what, nla_get_u32(attr));
	return ERR_PTR(-ENODEV);
}

/* Find the port of a request. Return: the port with a reference, or an ERR_PTR. */
static struct macstats_port *macstats_port_from(struct genl_info *info,
						const struct macstats_named_port *named)
{
	const struct nlattr *ifindex = info->attrs[named->ifindex];

	if (named->dump_only && info->attrs[named->dump_only]) {
		MACSTATS_EXTACK_ATTR(info->extack, info->attrs[named->dump_only],
				     "%s: accepted only in a dump: leave it out",
				     named->dump_only_name);
		return ERR_PTR(-EINVAL);
	}
	if (!ifindex)
		return ERR_PTR(macstats_missing(info->extack, named->ifindex,
						named->ifindex_name));
	return macstats_port_at(genl_info_net(info), ifindex, named->ifindex_name, info->extack);
}

/*
 * Require CAP_NET_ADMIN over the network namespace of a request. A flag of the operation
 * would do the same without an explanation.
 */
static int macstats_check_admin(struct sk_buff *skb, struct genl_info *info)
{
	if (netlink_ns_capable(skb, genl_info_net(info)->user_ns, CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG(info->extack,
		       "needs CAP_NET_ADMIN in the user namespace that owns the network namespace");
	return -EPERM;
}

/* Check the sender, and get the port of a request with a reference in user_ptr[0]. */
static int macstats_pre_doit(const struct macstats_doit_ops *ops, struct sk_buff *skb,
			     struct genl_info *info)
{
	const struct macstats_named_port *named = macstats_named_port(ops->cmd);
	struct macstats_port *port;
	int err;

	if (ops->internal_flags & MACSTATS_NEEDS_ADMIN) {
		err = macstats_check_admin(skb, info);
		if (err)
			return err;
	}
	if (!named)
		return 0;
	port = macstats_port_from(info, named);
	if (IS_ERR(port))
		return PTR_ERR(port);
	info->user_ptr[0] = port;
	return 0;
}

static void macstats_post_doit(const struct macstats_doit_ops *ops, struct sk_buff *skb,
			       struct genl_info *info)
{
	if (macstats_named_port(ops->cmd))
		macstats_port_put(info->user_ptr[0]);
}

/*
 * Lock a port that still is in the namespace of a request. Return: 0, or -ENODEV; then the
 * port is not locked.
 */
static int macstats_port_lock(struct macstats_port *port, struct genl_info *info)
{
	mutex_lock(&port->hw->lock);
	if (port->net == genl_info_net(info))
		return 0;
	mutex_unlock(&port->hw->lock);
	return -ENODEV;
}

static int macstats_nl_port_get(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_port *port = info->user_ptr[0];
	int err;

	err = macstats_port_lock(port, info);
	if (err)
		return err;
	err = macstats_reply(info, &macstats_family, MACSTATS_CMD_PORT_GET, macstats_fill_port,
			     port);
	mutex_unlock(&port->hw->lock);
	return err;
}

static int macstats_nl_stats_get(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_patience patience = macstats_reader_patience();
	struct macstats_port *port = info->user_ptr[0];
	struct macstats_wanted wanted = {
		.port = port,
		.cached = info->attrs[MACSTATS_A_STATS_CACHED],
	};
	int err;

	err = macstats_counters_from(info->attrs[MACSTATS_A_STATS_COUNTERS], port->hw->model,
				     &wanted, info->extack);
	if (err)
		return err;
	if (!wanted.cached && !port->hw->held)
		macstats_hw_poll_within(port->hw, &patience);
	err = macstats_port_lock(port, info);
	if (err)
		return err;
	err = macstats_reply(info, &macstats_family, MACSTATS_CMD_STATS_GET,
			     macstats_fill_stats, &wanted);
	mutex_unlock(&port->hw->lock);
	return err;
}

/* The number of ports that a dump lets poll together, before it reports them. */
#define MACSTATS_DUMP_AHEAD	16

/* Octets of the header of a message of a port, and of its attributes without a list. */
#define MACSTATS_OTHER_ROOM	512

/* The time that a dump waits for ports without an answer; after it, the others get less. */
#define MACSTATS_DUMP_WAIT_MS	2000

/**
 * struct macstats_dump - the position of a dump of ports, in netlink_callback.ctx
 * @id: id of the next port, or less
 * @updated: the last port that the dump came to, and made fresh
 * @since: when the dump began, see macstats_moment()
 * @ahead: ports with a lower id poll, or have polled
 * @refill: before this port, the dump lets more ports poll
 * @counter: the counter of the next threshold of @updated
 * @left: jiffies that the dump may still wait for ports without an answer
 */
struct macstats_dump {
	unsigned long id;
	unsigned long updated;
	unsigned long since;
	unsigned long ahead;
	unsigned long refill;
	u32 counter;
	u32 left;
};

static struct macstats_dump *macstats_dump_of(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct macstats_dump) > sizeof(cb->ctx));
	return (struct macstats_dump *)cb->ctx;
}

/* The room that a message of a port requires at the most, if each value is a bound. */
static u32 macstats_port_room(const struct macstats_port *port)
{
	const struct macstats_standard *standard = &port->hw->view.standard;
	const struct macstats_model *model = port->hw->model;
	unsigned int saturating = 0;
	unsigned int sums = 0;
	unsigned int i;

	for (i = 0; port->hw->view.saturated && i < model->n_counters; i++)
		saturating += model->counters[i].overflow == MACSTATS_SATURATE;
	for (i = 0; i < MACSTATS_STD_COUNT; i++)
		sums += standard->present[i];
	return MACSTATS_OTHER_ROOM +
	       nla_total_size_64bit(model->n_counters * sizeof(u64)) +
	       nla_total_size(model->n_counters * sizeof(u32)) +
	       saturating * nla_total_size(nla_total_size(sizeof(u32)) +
					   2 * nla_total_size_64bit(sizeof(u64))) +
	       nla_total_size_64bit(sums * sizeof(u64)) + nla_total_size(sums * sizeof(u32)) +
	       sums * nla_total_size(2 * nla_total_size(sizeof(u32)) +
				     nla_total_size_64bit(sizeof(u64)) + nla_total_size(0));
}

static int macstats_nl_ports_start(struct netlink_callback *cb)
{
	struct macstats_net *ports = macstats_net_of(sock_net(cb->skb->sk));
	struct macstats_dump *dump = macstats_dump_of(cb);
	struct macstats_port *port;
	unsigned long id = 0;
	unsigned int seq;
	u32 room = 0;

	while ((port = macstats_port_next(ports, id, &seq))) {
		id = port->id + 1;
		room = max(room, macstats_port_room(port));
		macstats_port_put(port);
	}
	/* A reader may have no more room than that of any message. */
	if (room > NLMSG_GOODSIZE)
		cb->min_dump_alloc = max_t(u32, cb->min_dump_alloc, room);
	dump->since = macstats_moment();
	dump->left = msecs_to_jiffies(MACSTATS_DUMP_WAIT_MS);
	return 0;
}

/* Let the next ports, from @id on, poll at the same time. */
static void macstats_dump_ask(struct macstats_net *ports, const struct macstats_model *model,
			      struct macstats_dump *dump, unsigned long id)
{
	unsigned int n = 0;

	id = max(id, dump->ahead);
	dump->refill = id;
	while (n < MACSTATS_DUMP_AHEAD) {
		struct macstats_port *port;
		unsigned int seq;

		port = macstats_port_next(ports, id, &seq);
		if (!port)
			break;
		id = port->id + 1;
		if (!model || port->hw->model == model) {
			macstats_hw_ask(port->hw, dump->since);
			n++;
		}
		macstats_port_put(port);
	}
	dump->ahead = id;
}

/* Make the totals of a port as fresh as the dump, unless the hardware takes too long. */
static void macstats_dump_update(struct macstats_port *port, struct macstats_dump *dump)
{
	struct macstats_patience patience = macstats_reader_patience();
	unsigned long before;

	if (port->hw->held)
		return;
	if (!dump->left)
		patience.total = 1;
	before = patience.total;
	if (macstats_hw_poll_since(port->hw, dump->since, &patience) == -ETIMEDOUT)
		dump->left -= min_t(u32, dump->left, before - patience.total);
}

/*
 * Dump the ports of the caller's namespace, or those of @model, in the order of their ids.
 * @put puts the messages of a port, which is locked and in the namespace. @fresh: poll the
 * hardware before.
 */
static int macstats_dump_ports(struct sk_buff *skb, struct netlink_callback *cb,
			       const struct macstats_model *model, bool fresh,
			       int (*put)(struct sk_buff *skb, struct netlink_callback *cb,
					  struct macstats_port *port, void *context),
			       void *context)
{
	struct macstats_dump *dump = macstats_dump_of(cb);
	const struct net *net = sock_net(cb->skb->sk);
	unsigned long id = dump->id;
	struct macstats_net *ports;
	struct macstats_port *port;
	int err = 0;

	ports = macstats_net_of(net);
	while (!err) {
		if (fresh && id >= dump->refill)
			macstats_dump_ask(ports, model, dump, id);
		port = macstats_port_next(ports, id, &cb->seq);
		if (!port)
			break;
		/* A port that has left since has changed the sequence number. */
		id = port->id;
		if (model && port->hw->model != model) {
			macstats_port_put(port);
			id++;
			continue;
		}
		/* Once, also if the port is repeated in the next part. */
		if (dump->updated != id) {
			dump->counter = 0;
			if (fresh)
				macstats_dump_update(port, dump);
		}
		dump->updated = id;
		mutex_lock(&port->hw->lock);
		if (port->net == net)
			err = put(skb, cb, port, context);
		mutex_unlock(&port->hw->lock);
		macstats_port_put(port);
		if (!err)
			id++;
	}
	dump->id = id;
	return macstats_dump_done(skb, err);
}

/* The model whose ports a dump reports, NULL for all models, or an ERR_PTR. */
static const struct macstats_model *macstats_dump_model(struct netlink_callback *cb,
							unsigned int attr, const char *what)
{
	struct nlattr **attrs = macstats_dump_attrs(cb);

	return attrs[attr] ? macstats_model_from(attrs, attr, what, cb->extack) : NULL;
}

static int macstats_put_port(struct sk_buff *skb, struct netlink_callback *cb,
			     struct macstats_port *port, void *context)
{
	return macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_PORT_GET,
				 macstats_fill_port, port);
}

static int macstats_nl_port_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct macstats_model *model;
	int err;

	err = macstats_dump_of_all(cb, MACSTATS_A_PORT_IFINDEX, "PORT_IFINDEX");
	if (err)
		return err;
	model = macstats_dump_model(cb, MACSTATS_A_PORT_MODEL, "PORT_MODEL");
	if (IS_ERR(model))
		return PTR_ERR(model);
	return macstats_dump_ports(skb, cb, model, false, macstats_put_port, NULL);
}

static int macstats_put_stats(struct sk_buff *skb, struct netlink_callback *cb,
			      struct macstats_port *port, void *context)
{
	struct macstats_wanted *wanted = context;

	wanted->port = port;
	return macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_STATS_GET,
				 macstats_fill_stats, wanted);
}

static int macstats_nl_stats_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct nlattr *counters = macstats_dump_attrs(cb)[MACSTATS_A_STATS_COUNTERS];
	struct macstats_wanted wanted = {
		.cached = macstats_dump_attrs(cb)[MACSTATS_A_STATS_CACHED],
	};
	const struct macstats_model *model;
	int err;

	err = macstats_dump_of_all(cb, MACSTATS_A_STATS_IFINDEX, "STATS_IFINDEX");
	if (err)
		return err;
	model = macstats_dump_model(cb, MACSTATS_A_STATS_MODEL, "STATS_MODEL");
	if (IS_ERR(model))
		return PTR_ERR(model);
	if (counters && !model) {
		NL_SET_ERR_ATTR_MISS(cb->extack, NULL, MACSTATS_A_STATS_MODEL);
		MACSTATS_EXTACK_ATTR(cb->extack, counters,
				     "STATS_MODEL is missing: STATS_COUNTERS in a dump requires it");
		return -EINVAL;
	}
	err = macstats_counters_from(counters, model, &wanted, cb->extack);
	if (err)
		return err;
	return macstats_dump_ports(skb, cb, model, !wanted.cached, macstats_put_stats, &wanted);
}

struct macstats_threshold_of {
	const struct macstats_port *port;
	unsigned int counter;
};

/* Caller holds port->hw->lock, and port->net is set. */
static int macstats_fill_threshold(struct sk_buff *skb, const void *object)
{
	const struct macstats_threshold_of *of = object;

	if (nla_put_u32(skb, MACSTATS_A_THRESHOLD_IFINDEX, of->port->ifindex) ||
	    nla_put_u32(skb, MACSTATS_A_THRESHOLD_COUNTER, of->counter) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_THRESHOLD_VALUE,
			      macstats_threshold(of->port, of->counter),
			      MACSTATS_A_THRESHOLD_PAD))
		return -EMSGSIZE;
	return 0;
}

/* Caller holds port->hw->lock. */
static int macstats_change_threshold(struct macstats_port *port, struct genl_info *info)
{
	const struct nlattr *counter = info->attrs[MACSTATS_A_THRESHOLD_COUNTER];
	const struct nlattr *value = info->attrs[MACSTATS_A_THRESHOLD_VALUE];
	u32 index = nla_get_u32(counter);
	int err;

	if (index >= port->hw->model->n_counters) {
		MACSTATS_EXTACK_ATTR(info->extack, counter,
				     "THRESHOLD_COUNTER: %u is out of range: 0 to %u are accepted",
				     index, port->hw->model->n_counters - 1);
		return -ERANGE;
	}
	if (port->hw->view.absent) {
		NL_SET_ERR_MSG(info->extack,
			       "the port is built without the counters: it has no thresholds");
		return -EOPNOTSUPP;
	}
	if (macstats_port_lacks(port, index)) {
		MACSTATS_EXTACK_ATTR(info->extack, counter,
				     "THRESHOLD_COUNTER: the port is built without %s",
				     port->hw->model->counters[index].name);
		return -EOPNOTSUPP;
	}
	if (!value) {
		macstats_threshold_drop(port, index);
		return 0;
	}
	err = macstats_threshold_set(port, index, nla_get_u64(value));
	if (err == -ERANGE)
		MACSTATS_EXTACK_ATTR(info->extack, value,
				     "THRESHOLD_VALUE: %llu: give more than the total, %llu",
				     nla_get_u64(value), port->hw->view.totals[index]);
	return err;
}

static int macstats_nl_threshold_set(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_port *port = info->user_ptr[0];
	int err;

	if (!info->attrs[MACSTATS_A_THRESHOLD_COUNTER])
		return macstats_missing(info->extack, MACSTATS_A_THRESHOLD_COUNTER,
					"THRESHOLD_COUNTER");
	err = macstats_port_lock(port, info);
	if (err)
		return err;
	err = macstats_change_threshold(port, info);
	mutex_unlock(&port->hw->lock);
	return err;
}

/* Put the thresholds of a port, from the counter where the last part ended. */
static int macstats_put_thresholds(struct sk_buff *skb, struct netlink_callback *cb,
				   struct macstats_port *port, void *context)
{
	const struct nlattr *ifindex = macstats_dump_attrs(cb)[MACSTATS_A_THRESHOLD_IFINDEX];
	struct macstats_dump *dump = macstats_dump_of(cb);
	struct macstats_threshold_of of = { .port = port };
	int err = 0;

	if (ifindex && port->ifindex != nla_get_u32(ifindex))
		return 0;
	for (of.counter = dump->counter; of.counter < port->hw->model->n_counters; of.counter++) {
		if (!macstats_threshold(port, of.counter))
			continue;
		err = macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_THRESHOLD_GET,
					macstats_fill_threshold, &of);
		if (err)
			break;
	}
	dump->counter = of.counter;
	return err;
}

static int macstats_nl_thresholds_start(struct netlink_callback *cb)
{
	const struct nlattr *ifindex = macstats_dump_attrs(cb)[MACSTATS_A_THRESHOLD_IFINDEX];
	struct macstats_port *port;

	if (!ifindex)
		return 0;
	port = macstats_port_at(sock_net(cb->skb->sk), ifindex, "THRESHOLD_IFINDEX", cb->extack);
	if (IS_ERR(port))
		return PTR_ERR(port);
	macstats_port_put(port);
	return 0;
}

static int macstats_nl_threshold_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return macstats_dump_ports(skb, cb, NULL, false, macstats_put_thresholds, NULL);
}

/* Something that happened to a port. */
struct macstats_notification {
	const struct macstats_port *port;
	unsigned int events;
	u64 time_ns;
};

static int macstats_fill_notification(struct sk_buff *skb, const void *object)
{
	const struct macstats_notification *notification = object;
	struct macstats_threshold_of of;
	struct nlattr *nest;

	if (macstats_fill_port(skb, notification->port) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_PORT_TIME, notification->time_ns,
			      MACSTATS_A_PORT_PAD) ||
	    (notification->events && nla_put_u32(skb, MACSTATS_A_PORT_EVENT, notification->events)))
		return -EMSGSIZE;
	if (!(notification->events & MACSTATS_EVENT_THRESHOLD))
		return 0;
	of.port = notification->port;
	for (of.counter = 0; of.counter < of.port->hw->model->n_counters; of.counter++) {
		if (!macstats_threshold_reached(of.port, of.counter))
			continue;
		nest = nla_nest_start(skb, MACSTATS_A_PORT_THRESHOLD);
		if (!nest || macstats_fill_threshold(skb, &of))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

static u8 macstats_notification_cmd(unsigned long action)
{
	switch (action) {
	case MACSTATS_PORT_ADDED:
		return MACSTATS_CMD_PORT_NEW_NTF;
	case MACSTATS_PORT_REMOVED:
		return MACSTATS_CMD_PORT_DEL_NTF;
	default:
		return MACSTATS_CMD_PORT_EVENT_NTF;
	}
}

/* Notify the listeners in the namespace of the port. */
static int macstats_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	const struct macstats_notice *notice = data;
	struct macstats_notification notification = {
		.port = notice->port,
		.events = notice->events,
		.time_ns = ktime_get_boottime_ns(),
	};
	const struct macstats_port *port;
	struct sk_buff *skb;

	port = notice->port;
	if (!port->net || !genl_has_listeners(&macstats_family, port->net,
					      MACSTATS_MCGRP_EVENTS))
		return NOTIFY_DONE;
	skb = macstats_message(&macstats_family, 0, 0, macstats_notification_cmd(action),
			       macstats_fill_notification, &notification);
	if (IS_ERR(skb)) {
		/* Let the listeners know that they missed a notification. */
		genl_set_err(&macstats_family, port->net, 0, MACSTATS_MCGRP_EVENTS, -ENOBUFS);
		return NOTIFY_DONE;
	}
	genlmsg_multicast_netns(&macstats_family, port->net, skb, 0, MACSTATS_MCGRP_EVENTS,
				GFP_KERNEL);
	return NOTIFY_DONE;
}

static struct notifier_block macstats_netlink_notifier = {
	.notifier_call = macstats_notify,
};

static const struct genl_ops macstats_ops[] = {
	{
		.cmd = MACSTATS_CMD_MODEL_GET,
		.doit = macstats_nl_model_get,
		.dumpit = macstats_nl_model_dump,
		MACSTATS_POLICY(macstats_model_policy),
	},
	{
		.cmd = MACSTATS_CMD_COUNTER_GET,
		.dumpit = macstats_nl_counter_dump,
		MACSTATS_POLICY(macstats_counter_policy),
	},
	{
		.cmd = MACSTATS_CMD_PORT_GET,
		.doit = macstats_nl_port_get,
		.start = macstats_nl_ports_start,
		.dumpit = macstats_nl_port_dump,
		MACSTATS_POLICY(macstats_port_policy),
	},
	{
		.cmd = MACSTATS_CMD_STATS_GET,
		.doit = macstats_nl_stats_get,
		.start = macstats_nl_ports_start,
		.dumpit = macstats_nl_stats_dump,
		MACSTATS_POLICY(macstats_stats_policy),
	},
	{
		.cmd = MACSTATS_CMD_THRESHOLD_SET,
		.doit = macstats_nl_threshold_set,
		.internal_flags = MACSTATS_NEEDS_ADMIN,
		MACSTATS_POLICY(macstats_threshold_set_policy),
	},
	{
		.cmd = MACSTATS_CMD_THRESHOLD_GET,
		.start = macstats_nl_thresholds_start,
		.dumpit = macstats_nl_threshold_dump,
		MACSTATS_POLICY(macstats_threshold_policy),
	},
};

static struct genl_family macstats_family __ro_after_init = {
	.name = MACSTATS_GENL_NAME,
	.version = MACSTATS_GENL_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.module = THIS_MODULE,
	.ops = macstats_ops,
	.n_ops = ARRAY_SIZE(macstats_ops),
	.pre_doit = macstats_pre_doit,
	.post_doit = macstats_post_doit,
	.mcgrps = macstats_mcgrps,
	.n_mcgrps = ARRAY_SIZE(macstats_mcgrps),
};

int __init macstats_netlink_init(void)
{
	int err;

	err = genl_register_family(&macstats_family);
	if (err)
		return err;
	err = macstats_register_port_notifier(&macstats_netlink_notifier);
	if (err)
		genl_unregister_family(&macstats_family);
	return err;
}

void macstats_netlink_exit(void)
{
	macstats_unregister_port_notifier(&macstats_netlink_notifier);
	genl_unregister_family(&macstats_family);
}
