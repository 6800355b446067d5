// SPDX-License-Identifier: GPL-2.0
/* The generic netlink family "macstats": queries, for everybody. */
#include <linux/slab.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include <macstats/netlink.h>

#include "../compat.h"
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
};

static const struct nla_policy macstats_stats_policy[] = {
	[MACSTATS_A_STATS_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_A_STATS_CACHED] = { .type = NLA_FLAG },
};

/* Replies are one message that @fill writes; it is made larger until it fits. */
static int macstats_reply(struct genl_info *info, u8 cmd,
			  int (*fill)(struct sk_buff *skb, const void *object),
			  const void *object)
{
	size_t size = NLMSG_GOODSIZE;
	struct sk_buff *skb;
	void *header;
	int err;

	for (;;) {
		skb = genlmsg_new(size, GFP_KERNEL);
		if (!skb)
			return -ENOMEM;
		header = genlmsg_put_reply(skb, info, &macstats_family, 0, cmd);
		err = header ? fill(skb, object) : -EMSGSIZE;
		if (!err)
			break;
		nlmsg_free(skb);
		if (err != -EMSGSIZE || size > SZ_64K)
			return err;
		size *= 4;
	}
	genlmsg_end(skb, header);
	return genlmsg_reply(skb, info);
}

/* The same for one message of a dump; -EMSGSIZE: it does not fit any more. */
static int macstats_dump_put(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
			     int (*fill)(struct sk_buff *skb, const void *object),
			     const void *object)
{
	void *header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				   &macstats_family, NLM_F_MULTI, cmd);
	int err;

	if (!header)
		return -EMSGSIZE;
	err = fill(skb, object);
	if (err) {
		genlmsg_cancel(skb, header);
		return err;
	}
	genl_dump_check_consistent(cb, header);
	genlmsg_end(skb, header);
	return 0;
}

/* A dump without a filter refuses what would be one. */
static int macstats_dump_of_all(struct netlink_callback *cb, unsigned int attr, const char *what)
{
	if (!macstats_dump_attrs(cb)[attr])
		return 0;
	MACSTATS_EXTACK(cb->extack, "%s: a dump is of all of them", what);
	return -EINVAL;
}

/* What a dump returns after @err: old kernels take no error with data. */
static int macstats_dump_done(struct sk_buff *skb, int err)
{
	return err == -EMSGSIZE && skb->len ? (int)skb->len : err;
}

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
	return macstats_reply(info, MACSTATS_CMD_MODEL_GET, macstats_fill_model, model);
}

static int macstats_nl_model_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct macstats_model *model;
	int err = macstats_dump_of_all(cb, MACSTATS_A_MODEL_NAME, "MODEL_NAME");

	while (!err && (model = macstats_model_at(cb->args[0]))) {
		err = macstats_dump_put(skb, cb, MACSTATS_CMD_MODEL_GET, macstats_fill_model,
					model);
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
		err = macstats_dump_put(skb, cb, MACSTATS_CMD_COUNTER_GET,
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
	    nla_put_u64_64bit(skb, MACSTATS_A_PORT_POLL_TIME, acc->poll_ns,
			      MACSTATS_A_PORT_PAD))
		return -EMSGSIZE;
	return 0;
}

/* Caller holds port->lock, and port->net is set. */
static int macstats_fill_stats(struct sk_buff *skb, const void *object)
{
	const struct macstats_port *port = object;
	const struct macstats_accumulator *acc = &port->acc;

	if (nla_put_u32(skb, MACSTATS_A_STATS_IFINDEX, port->netdev->ifindex) ||
	    nla_put_string(skb, MACSTATS_A_STATS_MODEL, port->model->name) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_STATS_GENERATION, acc->generation,
			      MACSTATS_A_STATS_PAD) ||
	    nla_put_u64_64bit(skb, MACSTATS_A_STATS_TIME, acc->poll_ns, MACSTATS_A_STATS_PAD) ||
	    (acc->stale && nla_put_flag(skb, MACSTATS_A_STATS_STALE)) ||
	    (acc->possible_loss && nla_put_flag(skb, MACSTATS_A_STATS_POSSIBLE_LOSS)) ||
	    nla_put_u32(skb, MACSTATS_A_STATS_DISCONTINUITIES, acc->discontinuities) ||
	    nla_put_64bit(skb, MACSTATS_A_STATS_VALUES,
			  acc->absent ? 0 : port->model->n_counters * sizeof(u64), acc->totals,
			  MACSTATS_A_STATS_PAD))
		return -EMSGSIZE;
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

static int macstats_reply_port(struct genl_info *info, struct macstats_port *port, u8 cmd,
			       bool refresh,
			       int (*fill)(struct sk_buff *skb, const void *object))
{
	int err = -ENODEV;

	if (IS_ERR(port))
		return PTR_ERR(port);
	mutex_lock(&port->lock);
	if (port->net == genl_info_net(info)) {
		if (refresh)
			macstats_port_poll(port);
		err = macstats_reply(info, cmd, fill, port);
	}
	mutex_unlock(&port->lock);
	macstats_port_put(port);
	return err;
}

static int macstats_nl_port_get(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_port *port =
		macstats_port_from(info->attrs[MACSTATS_A_PORT_IFINDEX], "PORT_IFINDEX",
				   genl_info_net(info), info->extack);

	return macstats_reply_port(info, port, MACSTATS_CMD_PORT_GET, false,
				   macstats_fill_port);
}

static int macstats_nl_stats_get(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_port *port =
		macstats_port_from(info->attrs[MACSTATS_A_STATS_IFINDEX], "STATS_IFINDEX",
				   genl_info_net(info), info->extack);

	return macstats_reply_port(info, port, MACSTATS_CMD_STATS_GET,
				   !info->attrs[MACSTATS_A_STATS_CACHED],
				   macstats_fill_stats);
}

/*
 * Dump the ports of the caller's namespace, in the order of their ids. The
 * hardware is read without macstats_ports_lock: that one is waited for under
 * RTNL.
 */
static int macstats_dump_ports(struct sk_buff *skb, struct netlink_callback *cb, u8 cmd,
			       bool refresh,
			       int (*fill)(struct sk_buff *skb, const void *object))
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
		if (port->net == net) {
			if (refresh)
				macstats_port_poll(port);
			err = macstats_dump_put(skb, cb, cmd, fill, port);
		}
		mutex_unlock(&port->lock);
		macstats_port_put(port);
		if (!err)
			id++;
	}
	cb->args[0] = id;
	return macstats_dump_done(skb, err);
}

static int macstats_nl_port_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	int err = macstats_dump_of_all(cb, MACSTATS_A_PORT_IFINDEX, "PORT_IFINDEX");

	if (err)
		return err;
	return macstats_dump_ports(skb, cb, MACSTATS_CMD_PORT_GET, false, macstats_fill_port);
}

static int macstats_nl_stats_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	bool cached = macstats_dump_attrs(cb)[MACSTATS_A_STATS_CACHED];
	int err = macstats_dump_of_all(cb, MACSTATS_A_STATS_IFINDEX, "STATS_IFINDEX");

	if (err)
		return err;
	return macstats_dump_ports(skb, cb, MACSTATS_CMD_STATS_GET, !cached,
				   macstats_fill_stats);
}

/* Tell who listens in the port's namespace. Caller holds port->lock. */
void macstats_notify(struct macstats_port *port, u8 cmd, unsigned int events)
{
	struct sk_buff *skb;
	void *header;

	if (!port->net || !genl_has_listeners(&macstats_family, port->net,
					      MACSTATS_MCGRP_EVENTS))
		return;
	skb = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!skb)
		return;
	header = genlmsg_put(skb, 0, 0, &macstats_family, 0, cmd);
	if (!header || macstats_fill_port(skb, port) ||
	    (events && nla_put_u32(skb, MACSTATS_A_PORT_EVENT, events))) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, header);
	genlmsg_multicast_netns(&macstats_family, port->net, skb, 0, MACSTATS_MCGRP_EVENTS,
				GFP_KERNEL);
}

#define MACSTATS_POLICY(of) .policy = (of), .maxattr = ARRAY_SIZE(of) - 1

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
