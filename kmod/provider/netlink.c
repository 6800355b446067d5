// SPDX-License-Identifier: GPL-2.0
/* The generic netlink family "macstats": queries, for everybody; and events. */
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

static const struct nla_policy macstats_model_policy[] = {
	[MACSTATS_A_MODEL_NAME] = { .type = NLA_NUL_STRING, .len = 63 },
};

static const struct nla_policy macstats_counter_policy[] = {
	[MACSTATS_A_COUNTER_MODEL] = { .type = NLA_NUL_STRING, .len = 63 },
};

static const struct nla_policy macstats_port_policy[] = {
	[MACSTATS_A_PORT_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_A_PORT_MODEL] = { .type = NLA_NUL_STRING, .len = 63 },
};

static const struct nla_policy macstats_stats_policy[] = {
	[MACSTATS_A_STATS_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_A_STATS_CACHED] = { .type = NLA_FLAG },
	[MACSTATS_A_STATS_MODEL] = { .type = NLA_NUL_STRING, .len = 63 },
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

static const struct macstats_model *macstats_model_from(const struct nlattr *attr,
							const char *what,
							struct netlink_ext_ack *extack)
{
	const struct macstats_model *model;

	if (!attr) {
		MACSTATS_EXTACK(extack, "%s is missing", what);
		return ERR_PTR(-EINVAL);
	}
	model = macstats_model_find(nla_data(attr));
	if (!model) {
		MACSTATS_EXTACK_ATTR(extack, attr, "%s: no such model, see MODEL_GET", what);
		return ERR_PTR(-ENOENT);
	}
	return model;
}

static int macstats_nl_model_get(struct sk_buff *skb, struct genl_info *info)
{
	const struct macstats_model *model =
		macstats_model_from(info->attrs[MACSTATS_A_MODEL_NAME], "MODEL_NAME",
				    info->extack);

	if (IS_ERR(model))
		return PTR_ERR(model);
	return macstats_reply(info, &macstats_family, MACSTATS_CMD_MODEL_GET, macstats_fill_model,
			      model);
}

static int macstats_nl_model_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct macstats_model *model;
	int err = macstats_dump_of_all(cb, MACSTATS_A_MODEL_NAME, "MODEL_NAME");

	while (!err && (model = macstats_model_at(cb->args[0]))) {
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

#define MACSTATS_STANDARD_NAME(group, id, name) [MACSTATS_STD_##id] = name,
static const char *const macstats_standard_names[MACSTATS_STD_COUNT] = {
	MACSTATS_STANDARD_LIST(MACSTATS_STANDARD_NAME)
};

static int macstats_fill_counter(struct sk_buff *skb, const void *object)
{
	const struct macstats_counter_of *of = object;
	const struct macstats_counter *counter = &of->model->counters[of->index];
	unsigned int i;

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
			macstats_counter_direction(counter)))
		return -EMSGSIZE;
	for (i = 0; i < MACSTATS_MAX_TERMS && counter->standard[i].id; i++)
		if (nla_put_string(skb, MACSTATS_A_COUNTER_STANDARD,
				   macstats_standard_names[counter->standard[i].id]))
			return -EMSGSIZE;
	return 0;
}

static int macstats_nl_counter_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct macstats_counter_of of;
	int err = 0;

	of.model = macstats_model_from(macstats_dump_attrs(cb)[MACSTATS_A_COUNTER_MODEL],
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

/* Caller holds port->lock, and port->net is set. */
static int macstats_fill_port(struct sk_buff *skb, const void *object)
{
	const struct macstats_port *port = object;
	const struct macstats_accumulator *acc = &port->acc;

	if (nla_put_u32(skb, MACSTATS_A_PORT_IFINDEX, port->netdev->ifindex) ||
	    nla_put_string(skb, MACSTATS_A_PORT_NAME, port->netdev->name) ||
	    nla_put_string(skb, MACSTATS_A_PORT_MODEL, port->model->name) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_INDEX, port->index) ||
	    (acc->absent && nla_put_flag(skb, MACSTATS_A_PORT_ABSENT)) ||
	    (acc->stale && nla_put_flag(skb, MACSTATS_A_PORT_STALE)) ||
	    (acc->stale && nla_put_string(skb, MACSTATS_A_PORT_STALE_REASON, acc->reason)) ||
	    (acc->possible_loss && nla_put_flag(skb, MACSTATS_A_PORT_POSSIBLE_LOSS)) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_DISCONTINUITIES, acc->discontinuities) ||
	    (acc->discontinuities &&
	     nla_put_u64_64bit(skb, MACSTATS_A_PORT_DISCONTINUITY_TIME, acc->discontinuity_ns,
			       MACSTATS_A_PORT_PAD)) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_PARITY_ERRORS, acc->parity_errors) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_POLL_USECS, port->poll_usecs) ||
	    nla_put_u32(skb, MACSTATS_A_PORT_POLL_CEILING_USECS, port->poll_ceiling) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_PORT_POLL_TIME, macstats_polled_ns(acc),
			      MACSTATS_A_PORT_PAD))
		return -EMSGSIZE;
	return 0;
}

/* A request for statistics, and the port of which it is. */
struct macstats_wanted {
	struct macstats_port *port;
	bool cached;
	const u32 *counters;		/* their ids, ascending; NULL: all */
	unsigned int n;
};

static int macstats_fill_values(struct sk_buff *skb, const struct macstats_wanted *wanted)
{
	const struct macstats_port *port = wanted->port;
	unsigned int n = wanted->counters ? wanted->n : port->model->n_counters;
	struct nlattr *attr;
	unsigned int i;
	u64 *values;

	if (port->acc.absent)
		n = 0;
	attr = nla_reserve_64bit(skb, MACSTATS_A_STATS_VALUES, n * sizeof(u64),
				 MACSTATS_A_STATS_PAD);
	if (!attr)
		return -EMSGSIZE;
	values = nla_data(attr);
	for (i = 0; i < n; i++)
		values[i] = port->acc.totals[wanted->counters ? wanted->counters[i] : i];
	return 0;
}

/* Caller holds port->lock, and port->net is set. */
static int macstats_fill_stats(struct sk_buff *skb, const void *object)
{
	const struct macstats_wanted *wanted = object;
	const struct macstats_port *port = wanted->port;
	const struct macstats_accumulator *acc = &port->acc;

	if (nla_put_u32(skb, MACSTATS_A_STATS_IFINDEX, port->netdev->ifindex) ||
	    nla_put_string(skb, MACSTATS_A_STATS_MODEL, port->model->name) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_STATS_GENERATION, acc->generation,
			      MACSTATS_A_STATS_PAD) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_STATS_TIME, macstats_polled_ns(acc),
			      MACSTATS_A_STATS_PAD) ||
	    (acc->stale && nla_put_flag(skb, MACSTATS_A_STATS_STALE)) ||
	    (acc->possible_loss && nla_put_flag(skb, MACSTATS_A_STATS_POSSIBLE_LOSS)) ||
	    nla_put_u32(skb, MACSTATS_A_STATS_DISCONTINUITIES, acc->discontinuities) ||
	    (acc->discontinuities &&
	     nla_put_u64_64bit(skb, MACSTATS_A_STATS_DISCONTINUITY_TIME, acc->discontinuity_ns,
			       MACSTATS_A_STATS_PAD)) ||
	    (acc->started &&
	     nla_put_u64_64bit(skb, MACSTATS_A_STATS_START_TIME, acc->start_ns,
			       MACSTATS_A_STATS_PAD)) ||
	    (!acc->absent && nla_put_u32(skb, MACSTATS_A_STATS_MAX_FRAME, acc->max_frame)))
		return -EMSGSIZE;
	return macstats_fill_values(skb, wanted);
}

/* Which counters are wanted; every model of them is @model. */
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
				     "STATS_COUNTERS: not 1 to %u ids of 4 octets each",
				     model->n_counters);
		return -EINVAL;
	}
	for (i = 0; i < wanted->n; i++) {
		if (wanted->counters[i] >= model->n_counters) {
			MACSTATS_EXTACK_ATTR(extack, attr,
					     "STATS_COUNTERS: %u is not in 0 to %u",
					     wanted->counters[i], model->n_counters - 1);
			return -ERANGE;
		}
		if (i && wanted->counters[i] <= wanted->counters[i - 1]) {
			MACSTATS_EXTACK_ATTR(extack, attr,
					     "STATS_COUNTERS: %u after %u, not ascending",
					     wanted->counters[i], wanted->counters[i - 1]);
			return -EINVAL;
		}
	}
	return 0;
}

/* The port of a request, with a reference; its net device was in @net just now. */
static struct macstats_port *macstats_port_from(const struct nlattr *attr, const char *what,
						struct net *net,
						struct netlink_ext_ack *extack)
{
	struct macstats_port *port = NULL;
	struct net_device *netdev;

	if (!attr) {
		MACSTATS_EXTACK(extack, "%s is missing", what);
		return ERR_PTR(-EINVAL);
	}
	netdev = dev_get_by_index(net, nla_get_u32(attr));
	if (netdev) {
		mutex_lock(&macstats_ports_lock);
		port = macstats_port_find(netdev);
		if (port)
			kref_get(&port->ref);
		mutex_unlock(&macstats_ports_lock);
		dev_put(netdev);
	}
	if (!port) {
		MACSTATS_EXTACK_ATTR(extack, attr, "%s: no port of macstats has ifindex %u",
				     what, nla_get_u32(attr));
		return ERR_PTR(-ENODEV);
	}
	return port;
}

/* Gives back what macstats_port_from() has returned. */
static int macstats_port_done(struct macstats_port *port, int err)
{
	mutex_unlock(&port->lock);
	macstats_port_put(port);
	return err;
}

/* The port of a request, locked and in the sender's namespace. */
static struct macstats_port *macstats_port_begin(struct genl_info *info, unsigned int attr,
						 const char *what)
{
	struct macstats_port *port = macstats_port_from(info->attrs[attr], what,
							genl_info_net(info), info->extack);

	if (IS_ERR(port))
		return port;
	mutex_lock(&port->lock);
	if (port->net == genl_info_net(info))
		return port;
	return ERR_PTR(macstats_port_done(port, -ENODEV));
}

/* What chooses among all is for a dump. */
static int macstats_only_in_dump(struct genl_info *info, unsigned int attr, const char *what)
{
	if (!info->attrs[attr])
		return 0;
	MACSTATS_EXTACK_ATTR(info->extack, info->attrs[attr], "%s: only in a dump", what);
	return -EINVAL;
}

static int macstats_nl_port_get(struct sk_buff *skb, struct genl_info *info)
{
	int err = macstats_only_in_dump(info, MACSTATS_A_PORT_MODEL, "PORT_MODEL");
	struct macstats_port *port;

	if (err)
		return err;
	port = macstats_port_begin(info, MACSTATS_A_PORT_IFINDEX, "PORT_IFINDEX");
	if (IS_ERR(port))
		return PTR_ERR(port);
	err = macstats_reply(info, &macstats_family, MACSTATS_CMD_PORT_GET, macstats_fill_port,
			     port);
	return macstats_port_done(port, err);
}

static int macstats_nl_stats_get(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_wanted wanted = { .cached = info->attrs[MACSTATS_A_STATS_CACHED] };
	int err = macstats_only_in_dump(info, MACSTATS_A_STATS_MODEL, "STATS_MODEL");
	struct macstats_port *port;

	if (err)
		return err;
	port = macstats_port_begin(info, MACSTATS_A_STATS_IFINDEX, "STATS_IFINDEX");
	if (IS_ERR(port))
		return PTR_ERR(port);
	wanted.port = port;
	err = macstats_counters_from(info->attrs[MACSTATS_A_STATS_COUNTERS], port->model, &wanted,
				     info->extack);
	if (!err) {
		if (!wanted.cached)
			macstats_port_update(port);
		err = macstats_reply(info, &macstats_family, MACSTATS_CMD_STATS_GET,
				     macstats_fill_stats, &wanted);
	}
	return macstats_port_done(port, err);
}

/*
 * Dump the ports of the caller's namespace, or those of @model, in the order of
 * their ids: @put puts the messages of one. It is not called with
 * macstats_ports_lock, which is waited for under RTNL, as it may read the hardware.
 */
static int macstats_dump_ports(struct sk_buff *skb, struct netlink_callback *cb,
			       const struct macstats_model *model,
			       int (*put)(struct sk_buff *skb, struct netlink_callback *cb,
					  struct macstats_port *port, void *context),
			       void *context)
{
	const struct net *net = sock_net(cb->skb->sk);
	struct macstats_port *port;
	unsigned long id = cb->args[0];
	int err = 0;

	while (!err) {
		mutex_lock(&macstats_ports_lock);
		cb->seq = macstats_ports_seq;
		port = xa_find(&macstats_ports, &id, ULONG_MAX, XA_PRESENT);
		if (port)
			kref_get(&port->ref);
		mutex_unlock(&macstats_ports_lock);
		if (!port)
			break;

		mutex_lock(&port->lock);
		if (port->net == net && (!model || port->model == model))
			err = put(skb, cb, port, context);
		mutex_unlock(&port->lock);
		macstats_port_put(port);
		if (!err)
			id++;
	}
	cb->args[0] = id;
	return macstats_dump_done(skb, err);
}

/* The model to which a dump is confined, NULL if it is not, or an ERR_PTR. */
static const struct macstats_model *macstats_dump_model(struct netlink_callback *cb,
							unsigned int attr, const char *what)
{
	const struct nlattr *name = macstats_dump_attrs(cb)[attr];

	return name ? macstats_model_from(name, what, cb->extack) : NULL;
}

static int macstats_put_port(struct sk_buff *skb, struct netlink_callback *cb,
			     struct macstats_port *port, void *context)
{
	return macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_PORT_GET,
				 macstats_fill_port, port);
}

static int macstats_nl_port_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	int err = macstats_dump_of_all(cb, MACSTATS_A_PORT_IFINDEX, "PORT_IFINDEX");
	const struct macstats_model *model;

	if (err)
		return err;
	model = macstats_dump_model(cb, MACSTATS_A_PORT_MODEL, "PORT_MODEL");
	if (IS_ERR(model))
		return PTR_ERR(model);
	return macstats_dump_ports(skb, cb, model, macstats_put_port, NULL);
}

static int macstats_put_stats(struct sk_buff *skb, struct netlink_callback *cb,
			      struct macstats_port *port, void *context)
{
	struct macstats_wanted *wanted = context;

	wanted->port = port;
	if (!wanted->cached)
		macstats_port_update(port);
	return macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_STATS_GET,
				 macstats_fill_stats, wanted);
}

static int macstats_nl_stats_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct nlattr *counters = macstats_dump_attrs(cb)[MACSTATS_A_STATS_COUNTERS];
	struct macstats_wanted wanted = {
		.cached = macstats_dump_attrs(cb)[MACSTATS_A_STATS_CACHED],
	};
	int err = macstats_dump_of_all(cb, MACSTATS_A_STATS_IFINDEX, "STATS_IFINDEX");
	const struct macstats_model *model;

	if (err)
		return err;
	model = macstats_dump_model(cb, MACSTATS_A_STATS_MODEL, "STATS_MODEL");
	if (IS_ERR(model))
		return PTR_ERR(model);
	if (counters && !model) {
		MACSTATS_EXTACK_ATTR(cb->extack, counters,
				     "STATS_COUNTERS: of which model? STATS_MODEL is missing");
		return -EINVAL;
	}
	err = macstats_counters_from(counters, model, &wanted, cb->extack);
	return err ?: macstats_dump_ports(skb, cb, model, macstats_put_stats, &wanted);
}

struct macstats_threshold_of {
	const struct macstats_port *port;
	unsigned int counter;
};

/* Caller holds port->lock, and port->net is set. */
static int macstats_fill_threshold(struct sk_buff *skb, const void *object)
{
	const struct macstats_threshold_of *of = object;

	if (nla_put_u32(skb, MACSTATS_A_THRESHOLD_IFINDEX, of->port->netdev->ifindex) ||
	    nla_put_u32(skb, MACSTATS_A_THRESHOLD_COUNTER, of->counter) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_THRESHOLD_VALUE,
			      macstats_threshold(of->port, of->counter),
			      MACSTATS_A_THRESHOLD_PAD))
		return -EMSGSIZE;
	return 0;
}

static int macstats_nl_threshold_set(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *counter = info->attrs[MACSTATS_A_THRESHOLD_COUNTER];
	const struct nlattr *value = info->attrs[MACSTATS_A_THRESHOLD_VALUE];
	int err = macstats_allowed(skb, info);
	struct macstats_port *port;

	if (err)
		return err;
	if (!counter)
		return macstats_missing(info, "THRESHOLD_COUNTER");
	port = macstats_port_begin(info, MACSTATS_A_THRESHOLD_IFINDEX, "THRESHOLD_IFINDEX");
	if (IS_ERR(port))
		return PTR_ERR(port);
	if (nla_get_u32(counter) >= port->model->n_counters) {
		MACSTATS_EXTACK_ATTR(info->extack, counter,
				     "THRESHOLD_COUNTER: %u is not in 0 to %u",
				     nla_get_u32(counter), port->model->n_counters - 1);
		err = -ERANGE;
	} else if (port->acc.absent) {
		NL_SET_ERR_MSG(info->extack, "the port is built without the counters");
		err = -EOPNOTSUPP;
	} else if (value) {
		err = macstats_threshold_set(port, nla_get_u32(counter), nla_get_u64(value),
					     info->extack);
	} else {
		macstats_threshold_drop(port, nla_get_u32(counter));
	}
	return macstats_port_done(port, err);
}

/* Several messages, but not a dump: they come at once. */
static int macstats_reply_thresholds(struct genl_info *info, const struct macstats_port *port)
{
	struct macstats_threshold_of of = { .port = port };
	size_t each = GENL_HDRLEN + NLMSG_HDRLEN + 2 * nla_total_size(sizeof(u32)) +
		      nla_total_size_64bit(sizeof(u64));
	struct sk_buff *skb = NULL;
	unsigned int n = 0;

	for (of.counter = 0; of.counter < port->model->n_counters; of.counter++)
		n += !!macstats_threshold(port, of.counter);
	if (!n)
		return 0;
	skb = nlmsg_new(n * each, GFP_KERNEL);
	if (!skb)
		return -ENOMEM;
	for (of.counter = 0; of.counter < port->model->n_counters; of.counter++) {
		void *header;

		if (!macstats_threshold(port, of.counter))
			continue;
		header = genlmsg_put_reply(skb, info, &macstats_family, 0,
					   MACSTATS_CMD_THRESHOLD_GET);
		if (!header || macstats_fill_threshold(skb, &of)) {
			nlmsg_free(skb);
			return -EMSGSIZE;
		}
		genlmsg_end(skb, header);
	}
	return genlmsg_reply(skb, info);
}

static int macstats_nl_threshold_get(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_port *port = macstats_port_begin(info, MACSTATS_A_THRESHOLD_IFINDEX,
							 "THRESHOLD_IFINDEX");

	if (IS_ERR(port))
		return PTR_ERR(port);
	return macstats_port_done(port, macstats_reply_thresholds(info, port));
}

/* From the counter on at which the last part has ended. */
static int macstats_put_thresholds(struct sk_buff *skb, struct netlink_callback *cb,
				   struct macstats_port *port, void *context)
{
	struct macstats_threshold_of of = { .port = port, .counter = cb->args[1] };
	int err = 0;

	for (; of.counter < port->model->n_counters; of.counter++) {
		if (!macstats_threshold(port, of.counter))
			continue;
		err = macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_THRESHOLD_GET,
					macstats_fill_threshold, &of);
		if (err)
			break;
	}
	cb->args[1] = err ? of.counter : 0;
	return err;
}

static int macstats_nl_threshold_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	int err = macstats_dump_of_all(cb, MACSTATS_A_THRESHOLD_IFINDEX, "THRESHOLD_IFINDEX");

	return err ?: macstats_dump_ports(skb, cb, NULL, macstats_put_thresholds, NULL);
}

/* What has happened to a port. */
struct macstats_news {
	const struct macstats_port *port;
	unsigned int events;
	u64 time_ns;
};

static int macstats_fill_news(struct sk_buff *skb, const void *object)
{
	const struct macstats_news *news = object;
	struct macstats_threshold_of of = { .port = news->port };
	struct nlattr *nest;

	if (macstats_fill_port(skb, news->port) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_PORT_TIME, news->time_ns, MACSTATS_A_PORT_PAD) ||
	    (news->events && nla_put_u32(skb, MACSTATS_A_PORT_EVENT, news->events)))
		return -EMSGSIZE;
	if (!(news->events & MACSTATS_EVENT_THRESHOLD))
		return 0;
	for (of.counter = 0; of.counter < of.port->model->n_counters; of.counter++) {
		if (!macstats_threshold_reached(of.port, of.counter))
			continue;
		nest = nla_nest_start(skb, MACSTATS_A_PORT_THRESHOLD);
		if (!nest || macstats_fill_threshold(skb, &of))
			return -EMSGSIZE;
		nla_nest_end(skb, nest);
	}
	return 0;
}

/* Tell who listens in the port's namespace. Caller holds port->lock. */
void macstats_notify(struct macstats_port *port, u8 cmd, unsigned int events)
{
	struct macstats_news news = { port, events, ktime_get_boottime_ns() };
	struct sk_buff *skb;

	if (!port->net || !genl_has_listeners(&macstats_family, port->net,
					      MACSTATS_MCGRP_EVENTS))
		return;
	skb = macstats_message(&macstats_family, 0, 0, cmd, macstats_fill_news, &news);
	if (IS_ERR(skb)) {
		/* So that they know that they have missed something. */
		genl_set_err(&macstats_family, port->net, 0, MACSTATS_MCGRP_EVENTS, -ENOBUFS);
		return;
	}
	genlmsg_multicast_netns(&macstats_family, port->net, skb, 0, MACSTATS_MCGRP_EVENTS,
				GFP_KERNEL);
}

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
		.dumpit = macstats_nl_port_dump,
		MACSTATS_POLICY(macstats_port_policy),
	},
	{
		.cmd = MACSTATS_CMD_STATS_GET,
		.doit = macstats_nl_stats_get,
		.dumpit = macstats_nl_stats_dump,
		MACSTATS_POLICY(macstats_stats_policy),
	},
	{
		.cmd = MACSTATS_CMD_THRESHOLD_SET,
		.doit = macstats_nl_threshold_set,
		MACSTATS_POLICY(macstats_threshold_set_policy),
	},
	{
		.cmd = MACSTATS_CMD_THRESHOLD_GET,
		.doit = macstats_nl_threshold_get,
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
	.mcgrps = macstats_mcgrps,
	.n_mcgrps = ARRAY_SIZE(macstats_mcgrps),
};

int __init macstats_netlink_init(void)
{
	return genl_register_family(&macstats_family);
}

void macstats_netlink_exit(void)
{
	genl_unregister_family(&macstats_family);
}

MODULE_ALIAS_GENL_FAMILY(MACSTATS_GENL_NAME);
