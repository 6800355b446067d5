// SPDX-License-Identifier: GPL-2.0
/* The generic netlink family "macstats": its requests. */
#include <macstats/netlink.h>

#include "../genl.h"
#include "internal.h"
#include "netlink_fill.h"
#include "netlink_gen.h"

#define MACSTATS_ATTR(name)	((struct macstats_attr){ MACSTATS_A_##name, #name })

/*
 * Find a port of a namespace whose model has the number in @attr. Return: the port with a
 * reference, which keeps the model, or an ERR_PTR.
 */
static struct macstats_port *macstats_model_from(struct net *net, struct nlattr **attrs,
						 struct macstats_attr attr,
						 struct netlink_ext_ack *extack)
{
	const struct nlattr *given = attrs[attr.type];
	struct macstats_port *port;
	unsigned int seq;

	if (!given)
		return ERR_PTR(macstats_missing(extack, attr));
	port = macstats_port_of_model(macstats_net_of(net), nla_get_u32(given), &seq);
	if (port && port->hw->model_id == nla_get_u32(given))
		return port;
	if (port)
		macstats_port_put(port);
	return ERR_PTR(MACSTATS_REJECT(-ENOENT, extack, given,
				       "%s: no port has a model with the number %u", attr.name,
				       nla_get_u32(given)));
}

static int macstats_nl_model_get(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_port *port;
	int err;

	port = macstats_model_from(genl_info_net(info), info->attrs, MACSTATS_ATTR(MODEL_ID),
				   info->extack);
	if (IS_ERR(port))
		return PTR_ERR(port);
	err = macstats_reply(info, &macstats_family, MACSTATS_CMD_MODEL_GET, macstats_fill_model,
			     port->hw);
	macstats_port_put(port);
	return err;
}

static int macstats_nl_model_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct macstats_net *ports = macstats_net_of(sock_net(cb->skb->sk));
	struct macstats_port *port;
	int err;

	err = macstats_dump_of_all(cb, MACSTATS_ATTR(MODEL_ID));
	if (err)
		return err;
	while ((port = macstats_port_of_model(ports, cb->args[0], &cb->seq))) {
		u32 id = port->hw->model_id;

		err = macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_MODEL_GET,
					macstats_fill_model, port->hw);
		macstats_port_put(port);
		if (err)
			break;
		cb->args[0] = id + 1;
	}
	return macstats_dump_done(skb, err);
}

static int macstats_nl_counter_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct macstats_counter_of of;
	struct macstats_port *port;
	int err = 0;

	port = macstats_model_from(sock_net(cb->skb->sk), macstats_dump_attrs(cb),
				   MACSTATS_ATTR(COUNTER_MODEL_ID), cb->extack);
	if (IS_ERR(port))
		return PTR_ERR(port);
	of.hw = port->hw;
	for (of.index = cb->args[0]; of.index < of.hw->model->n_counters; of.index++) {
		err = macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_COUNTER_GET,
					macstats_fill_counter, &of);
		if (err)
			break;
	}
	cb->args[0] = of.index;
	macstats_port_put(port);
	return macstats_dump_done(skb, err);
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
	if (!wanted->n || nla_len(attr) % sizeof(u32))
		return MACSTATS_REJECT(-EINVAL, extack, attr,
				       "STATS_COUNTERS: %u octets: 1 to %u ids of 4 octets are accepted",
				       nla_len(attr), model->n_counters);
	for (i = 0; i < wanted->n; i++) {
		if (wanted->counters[i] >= model->n_counters)
			return MACSTATS_REJECT(-ERANGE, extack, attr,
					       "STATS_COUNTERS: %u is out of range: 0 to %u are accepted",
					       wanted->counters[i], model->n_counters - 1);
		if (i && wanted->counters[i] <= wanted->counters[i - 1])
			return MACSTATS_REJECT(-EINVAL, extack, attr,
					       "STATS_COUNTERS: %u after %u: give ascending ids",
					       wanted->counters[i], wanted->counters[i - 1]);
	}
	return 0;
}

/* Find the port of a request. Return: the port with a reference, or an ERR_PTR. */
static struct macstats_port *macstats_port_from(struct genl_info *info, struct macstats_attr attr)
{
	const struct nlattr *given = info->attrs[attr.type];
	struct macstats_port *port = NULL;
	struct net_device *netdev;

	if (!given)
		return ERR_PTR(macstats_missing(info->extack, attr));
	netdev = dev_get_by_index(genl_info_net(info), nla_get_u32(given));
	if (netdev) {
		port = macstats_port_find(netdev);
		dev_put(netdev);
	}
	return port ?: ERR_PTR(MACSTATS_REJECT(-ENODEV, info->extack, given,
					       "%s: no port of macstats has ifindex %u: see PORT_GET",
					       attr.name, nla_get_u32(given)));
}

/* Reply with what @fill says of a port that still is in the namespace of the request. */
static int macstats_port_reply(struct macstats_port *port, struct genl_info *info, u8 cmd,
			       macstats_fill_fn *fill, const void *object)
{
	int err = -ENODEV;

	mutex_lock(&port->hw->ports_lock);
	if (port->net == genl_info_net(info))
		err = macstats_reply(info, &macstats_family, cmd, fill, object);
	mutex_unlock(&port->hw->ports_lock);
	return err;
}

static int macstats_nl_port_get(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_port *port = macstats_port_from(info, MACSTATS_ATTR(PORT_IFINDEX));
	int err;

	if (IS_ERR(port))
		return PTR_ERR(port);
	err = macstats_port_reply(port, info, MACSTATS_CMD_PORT_GET, macstats_fill_port, port);
	macstats_port_put(port);
	return err;
}

static int macstats_nl_stats_get(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr **attrs = info->attrs;
	struct macstats_wanted wanted = { .cached = attrs[MACSTATS_A_STATS_CACHED] };
	struct macstats_port *port;
	int err;

	if (attrs[MACSTATS_A_STATS_MODEL_ID])
		return MACSTATS_REJECT(-EINVAL, info->extack, attrs[MACSTATS_A_STATS_MODEL_ID],
				       "STATS_MODEL_ID: accepted only in a dump: leave it out");
	port = macstats_port_from(info, MACSTATS_ATTR(STATS_IFINDEX));
	if (IS_ERR(port))
		return PTR_ERR(port);
	wanted.port = port;
	err = macstats_counters_from(attrs[MACSTATS_A_STATS_COUNTERS], port->hw->model, &wanted,
				     info->extack);
	if (!err && !wanted.cached)
		macstats_hw_update(port->hw, macstats_moment(), macstats_reader_wait());
	if (!err)
		err = macstats_port_reply(port, info, MACSTATS_CMD_STATS_GET,
					  macstats_fill_stats, &wanted);
	macstats_port_put(port);
	return err;
}

/* The number of ports that a dump lets poll together, before it reports them. */
#define MACSTATS_DUMP_AHEAD	16

/* Octets of the header of a message of a port, and of its attributes without a list. */
#define MACSTATS_OTHER_ROOM	512

/* The time that a dump waits for ports without an answer; after it, the others get less. */
#define MACSTATS_DUMP_WAIT_MS	2000

/* The position of a dump of ports, in netlink_callback.ctx. Ports are given by their ids. */
struct macstats_dump {
	unsigned long id;	/* the next port, or less */
	unsigned long updated;	/* the last port that the dump came to, and made fresh */
	u64 since;		/* when the dump began, see macstats_moment() */
	unsigned long ahead;	/* lower ones poll, or have polled */
	unsigned long refill;	/* before it, the dump lets more ports poll */
	u32 left;		/* jiffies to wait for ports without an answer */
};

static struct macstats_dump *macstats_dump_of(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct macstats_dump) > sizeof(cb->ctx));
	return (struct macstats_dump *)cb->ctx;
}

/* The room that a message of a port requires at the most, if each value is a bound. */
static u32 macstats_port_room(const struct macstats_port *port)
{
	const struct macstats_model *model = port->hw->model;
	struct macstats_hw *hw = port->hw;
	unsigned int saturating = 0;
	unsigned int sums = 0;
	unsigned int i;

	/* This pointer never changes. */
	for (i = 0; hw->view.saturated && i < model->n_counters; i++)
		saturating += macstats_may_saturate(model, &model->counters[i]);
	spin_lock_bh(&hw->lock);
	for (i = 0; i < MACSTATS_STD_COUNT; i++)
		sums += hw->view.standard.present[i];
	spin_unlock_bh(&hw->lock);
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
static void macstats_dump_ask(struct macstats_net *ports, u32 model_id, struct macstats_dump *dump,
			      unsigned long id)
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
		if (!model_id || port->hw->model_id == model_id) {
			macstats_hw_poll_ahead(port->hw, dump->since);
			n++;
		}
		macstats_port_put(port);
	}
	dump->ahead = id;
}

/*
 * Make the totals of a port as fresh as the dump, unless the hardware takes too long. Return: did
 * that make the dump wait?
 */
static bool macstats_dump_update(struct macstats_port *port, struct macstats_dump *dump)
{
	unsigned long wait = dump->left ? macstats_reader_wait() : 1;
	unsigned long waited = jiffies;
	bool fresh = macstats_hw_update(port->hw, dump->since, wait);

	waited = jiffies - waited;
	if (!fresh)
		dump->left -= min_t(unsigned long, dump->left, waited);
	return waited;
}

/*
 * Dump the ports of the caller's namespace, or those of a model (@model_id 0: of all), in the
 * order of their ids. @wanted: dump their statistics; NULL: the ports themselves.
 */
static int macstats_dump_ports(struct sk_buff *skb, struct netlink_callback *cb,
			       u32 model_id, struct macstats_wanted *wanted)
{
	struct macstats_dump *dump = macstats_dump_of(cb);
	const struct net *net = sock_net(cb->skb->sk);
	bool fresh = wanted && !wanted->cached;
	unsigned long id = dump->id;
	bool first = !id;
	bool waited = false;
	struct macstats_net *ports;
	struct macstats_port *port;
	int err = 0;

	ports = macstats_net_of(net);
	while (!err) {
		if (fresh && id >= dump->refill)
			macstats_dump_ask(ports, model_id, dump, id);
		port = macstats_port_next(ports, id, &cb->seq);
		if (!port)
			break;
		/* A port that has left since has changed the sequence number. */
		id = port->id;
		if (model_id && port->hw->model_id != model_id) {
			macstats_port_put(port);
			id++;
			continue;
		}
		/* Once, also if the port is repeated in the next part. */
		if (fresh && dump->updated != id)
			waited |= macstats_dump_update(port, dump);
		dump->updated = id;
		mutex_lock(&port->hw->ports_lock);
		if (port->net == net && wanted) {
			wanted->port = port;
			err = macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_STATS_GET,
						macstats_fill_stats, wanted);
		} else if (port->net == net) {
			err = macstats_dump_put(skb, cb, &macstats_family, MACSTATS_CMD_PORT_GET,
						macstats_fill_port, port);
		}
		mutex_unlock(&port->hw->ports_lock);
		macstats_port_put(port);
		if (err)
			break;
		id++;
		/* The first part has a lock of all families, for which others wait, too. */
		if (first && waited && skb->len)
			err = -EMSGSIZE;
	}
	dump->id = id;
	return macstats_dump_done(skb, err);
}

static int macstats_nl_port_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	int err = macstats_dump_of_all(cb, MACSTATS_ATTR(PORT_IFINDEX));

	return err ?: macstats_dump_ports(skb, cb, 0, NULL);
}

/* A number stands for one model for good, so that one check is enough. */
static int macstats_stats_dump_check(struct netlink_callback *cb)
{
	struct nlattr **attrs = macstats_dump_attrs(cb);
	const struct nlattr *counters = attrs[MACSTATS_A_STATS_COUNTERS];
	struct macstats_wanted wanted = {};
	struct macstats_port *port;
	int err;

	err = macstats_dump_of_all(cb, MACSTATS_ATTR(STATS_IFINDEX));
	if (err)
		return err;
	if (attrs[MACSTATS_A_STATS_MODEL_ID]) {
		port = macstats_model_from(sock_net(cb->skb->sk), attrs,
					   MACSTATS_ATTR(STATS_MODEL_ID), cb->extack);
		if (IS_ERR(port))
			return PTR_ERR(port);
		err = macstats_counters_from(counters, port->hw->model, &wanted, cb->extack);
		macstats_port_put(port);
		if (err)
			return err;
	} else if (counters) {
		NL_SET_ERR_ATTR_MISS(cb->extack, NULL, MACSTATS_A_STATS_MODEL_ID);
		return MACSTATS_REJECT(-EINVAL, cb->extack, counters,
				       "STATS_MODEL_ID is missing: STATS_COUNTERS in a dump requires it");
	}
	return 0;
}

static int macstats_nl_stats_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct nlattr **attrs = macstats_dump_attrs(cb);
	const struct nlattr *counters = attrs[MACSTATS_A_STATS_COUNTERS];
	const struct nlattr *model_id = attrs[MACSTATS_A_STATS_MODEL_ID];
	struct macstats_wanted wanted = {
		.cached = attrs[MACSTATS_A_STATS_CACHED],
		.counters = counters ? nla_data(counters) : NULL,
		.n = counters ? nla_len(counters) / sizeof(u32) : 0,
	};
	struct macstats_dump *dump = macstats_dump_of(cb);
	int err;

	/* In the first part: older kernels have no message from a function that starts a dump. */
	if (!dump->id) {
		err = macstats_stats_dump_check(cb);
		if (err)
			return err;
	}

	return macstats_dump_ports(skb, cb, model_id ? nla_get_u32(model_id) : 0, &wanted);
}

/* The policy of an operation: the core rejects all other attributes. */
#define MACSTATS_POLICY(of) .policy = (of), .maxattr = ARRAY_SIZE(of) - 1

/* By hand: the generator of the policies knows no .start. */
static const struct genl_ops macstats_ops[] = {
	{
		.cmd = MACSTATS_CMD_MODEL_GET,
		.doit = macstats_nl_model_get,
		.dumpit = macstats_nl_model_dump,
		MACSTATS_POLICY(macstats_model_get_nl_policy),
	},
	{
		.cmd = MACSTATS_CMD_COUNTER_GET,
		.dumpit = macstats_nl_counter_dump,
		MACSTATS_POLICY(macstats_counter_get_nl_policy),
	},
	{
		.cmd = MACSTATS_CMD_PORT_GET,
		.doit = macstats_nl_port_get,
		.start = macstats_nl_ports_start,
		.dumpit = macstats_nl_port_dump,
		MACSTATS_POLICY(macstats_port_get_nl_policy),
	},
	{
		.cmd = MACSTATS_CMD_STATS_GET,
		.doit = macstats_nl_stats_get,
		.start = macstats_nl_ports_start,
		.dumpit = macstats_nl_stats_dump,
		MACSTATS_POLICY(macstats_stats_get_nl_policy),
	},
};

int __init macstats_netlink_init(void)
{
	macstats_family.ops = macstats_ops;
	macstats_family.n_ops = ARRAY_SIZE(macstats_ops);
	return genl_register_family(&macstats_family);
}

void macstats_netlink_exit(void)
{
	genl_unregister_family(&macstats_family);
}
