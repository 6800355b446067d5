// SPDX-License-Identifier: GPL-2.0
/* The generic netlink family "macstats_emu": make devices, and link their ports. */
#include <linux/capability.h>
#include <linux/rtnetlink.h>

#include <macstats/models.h>

#include "../genl.h"
#include "netdev.h"
#include "netlink.h"
#include "netlink_gen.h"

/* Parse a number from @low to @high. Keeps @value if @attr is absent. */
int macstats_emu_number(const struct nlattr *attr, const char *what, u32 low, u32 high,
			u32 *value, struct netlink_ext_ack *extack)
{
	u32 number;

	if (!attr)
		return 0;
	number = nla_get_u32(attr);
	if (number < low || number > high) {
		MACSTATS_EXTACK_ATTR(extack, attr, "%s: %u is out of range: %u to %u are accepted",
				     what, number, low, high);
		return -ERANGE;
	}
	*value = number;
	return 0;
}

/* Parse one bit of @all. Keeps @value if @attr is absent. */
int macstats_emu_one_of(const struct nlattr *attr, const char *what, u32 all, u8 *value,
			struct netlink_ext_ack *extack)
{
	u32 number;

	if (!attr)
		return 0;
	number = nla_get_u32(attr);
	if (!is_power_of_2(number) || (number & ~all)) {
		MACSTATS_EXTACK_ATTR(extack, attr, "%s: %#x is not accepted: give one bit of %#x",
				     what, number, all);
		return -EINVAL;
	}
	*value = number;
	return 0;
}

/* Parse any bits of @all. Keeps @value if @attr is absent. */
int macstats_emu_any_of(const struct nlattr *attr, const char *what, u32 all, u32 *value,
			struct netlink_ext_ack *extack)
{
	u32 number;

	if (!attr)
		return 0;
	number = nla_get_u32(attr);
	if (number & ~all) {
		MACSTATS_EXTACK_ATTR(extack, attr, "%s: %#x is not supported: give bits of %#x",
				     what, number, all);
		return -EINVAL;
	}
	*value = number;
	return 0;
}

/* A device as seen from @net. */
struct macstats_emu_view {
	const struct macstats_emu_device *device;
	const struct net *net;
};

/* The ifindex of a net device in @net, or 0 if it is elsewhere. */
static int macstats_emu_ifindex_at(const struct macstats_emu_slot *slot, const struct net *net)
{
	const struct net_device *netdev;
	int ifindex = 0;

	rcu_read_lock();
	netdev = rcu_dereference(slot->netdev);
	if (netdev && net_eq(dev_net(netdev), net))
		ifindex = READ_ONCE(netdev->ifindex);
	rcu_read_unlock();
	return ifindex;
}

/* The caller prevents deletion of the device. */
static int macstats_emu_fill_device(struct sk_buff *skb, const void *object)
{
	const struct macstats_emu_view *view = object;
	const struct macstats_emu_device *device;
	unsigned int i;

	device = view->device;
	if (nla_put_u32(skb, MACSTATS_EMU_A_DEVICE_ID, device->id) ||
	    nla_put_string(skb, MACSTATS_EMU_A_DEVICE_MODEL, device->model->name) ||
	    nla_put_u32(skb, MACSTATS_EMU_A_DEVICE_OPTIONS, device->ports[0].emu->options) ||
	    (device->private_only && nla_put_flag(skb, MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY)) ||
	    (device->held && nla_put_flag(skb, MACSTATS_EMU_A_DEVICE_HELD)) ||
	    nla_put_u8(skb, MACSTATS_EMU_A_DEVICE_LINE_RATE_BOUND, !device->no_line) ||
	    nla_put_u32(skb, MACSTATS_EMU_A_DEVICE_NETDEVS, device->ports[0].n_slots) ||
	    (device->owner_portid && nla_put_flag(skb, MACSTATS_EMU_A_DEVICE_OWNED)))
		return -EMSGSIZE;
	for (i = 0; i < device->n_slots; i++)
		if (nla_put_u32(skb, MACSTATS_EMU_A_DEVICE_PORT,
				macstats_emu_ifindex_at(&device->slots[i], view->net)))
			return -EMSGSIZE;
	return 0;
}

static int macstats_emu_reply_device(struct genl_info *info,
				     const struct macstats_emu_device *device, u8 cmd)
{
	struct macstats_emu_view view = { device, genl_info_net(info) };

	return macstats_reply(info, &macstats_emu_family, cmd, macstats_emu_fill_device, &view);
}

/* Parse how many net devices share a port: a port with several lines may have two. */
static int macstats_emu_netdevs_from(const struct nlattr *attr, struct macstats_emu_config *config,
				     struct netlink_ext_ack *extack)
{
	int err;

	config->netdevs = 1;
	err = macstats_emu_number(attr, "DEVICE_NETDEVS", 1, MACSTATS_EMU_MAX_NETDEVS,
				  &config->netdevs, extack);
	if (err)
		return err;
	if (config->netdevs > max_t(u32, config->model->block_lines, 1)) {
		MACSTATS_EXTACK_ATTR(extack, attr,
				     "DEVICE_NETDEVS: %u: a port of %.16s has one line: give 1",
				     config->netdevs, config->model->name);
		return -EOPNOTSUPP;
	}
	return 0;
}

static int macstats_emu_check_name(const struct nlattr *attr,
				   const struct macstats_emu_config *config,
				   struct netlink_ext_ack *extack)
{
	unsigned int n = config->model->ports * config->netdevs;
	const char *name = nla_data(attr);

	if (!dev_valid_name(name)) {
		MACSTATS_EXTACK_ATTR(extack, attr,
				     "DEVICE_NAME: %.16s is invalid: 1 to %d characters, no /, : or space",
				     name, IFNAMSIZ - 1);
		return -EINVAL;
	}
	if (n > 1 && !strstr(name, "%d")) {
		MACSTATS_EXTACK_ATTR(extack, attr,
				     "DEVICE_NAME: must contain %%d: %.16s has %u ports, for example mac%%d",
				     config->model->name, n);
		return -EINVAL;
	}
	return 0;
}

static int macstats_emu_device_config(struct genl_info *info, struct macstats_emu_config *config)
{
	const struct nlattr *bound = info->attrs[MACSTATS_EMU_A_DEVICE_LINE_RATE_BOUND];
	const struct nlattr *model = info->attrs[MACSTATS_EMU_A_DEVICE_MODEL];
	const struct nlattr *name = info->attrs[MACSTATS_EMU_A_DEVICE_NAME];
	const struct nlattr *seed = info->attrs[MACSTATS_EMU_A_DEVICE_SEED];
	u32 options;
	int err;

	if (!model)
		return macstats_missing(info->extack, MACSTATS_EMU_A_DEVICE_MODEL, "DEVICE_MODEL");
	config->model = macstats_listed_model(nla_data(model));
	if (!config->model) {
		MACSTATS_EXTACK_ATTR(info->extack, model,
				     "DEVICE_MODEL: unknown model %.20s",
				     (const char *)nla_data(model));
		return -ENOENT;
	}
	options = config->model->default_options;
	err = macstats_emu_any_of(info->attrs[MACSTATS_EMU_A_DEVICE_OPTIONS], "DEVICE_OPTIONS",
				  config->model->options | MACSTATS_OPT_STATISTICS, &options,
				  info->extack);
	if (err)
		return err;
	if (options & MACSTATS_OPT_STATISTICS)
		options = (options & ~MACSTATS_OPT_STATISTICS) |
			  (macstats_statistics_options(config->model) & config->model->options);
	if (!macstats_valid_options(config->model, options)) {
		MACSTATS_EXTACK_ATTR(info->extack, info->attrs[MACSTATS_EMU_A_DEVICE_OPTIONS],
				     "DEVICE_OPTIONS: %#x has more than one speed: give one of %#x",
				     options, (u32)MACSTATS_OPT_SPEEDS);
		return -EINVAL;
	}
	config->options = options;
	err = macstats_emu_netdevs_from(info->attrs[MACSTATS_EMU_A_DEVICE_NETDEVS], config,
					info->extack);
	if (err)
		return err;
	if (name) {
		err = macstats_emu_check_name(name, config, info->extack);
		if (err)
			return err;
		config->name = nla_data(name);
	}
	config->random = info->attrs[MACSTATS_EMU_A_DEVICE_POWER_UP_RANDOM];
	config->private_only = info->attrs[MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY];
	config->held = info->attrs[MACSTATS_EMU_A_DEVICE_HELD];
	config->no_line = config->held;
	if (bound) {
		if (nla_get_u8(bound) > 1) {
			MACSTATS_EXTACK_ATTR(info->extack, bound,
					     "DEVICE_LINE_RATE_BOUND: %u is not accepted: give 0 (off) or 1 (on)",
					     nla_get_u8(bound));
			return -ERANGE;
		}
		config->no_line = !nla_get_u8(bound);
	}
	if (info->attrs[MACSTATS_EMU_A_DEVICE_OWNED])
		config->owner_portid = info->snd_portid;
	if (seed)
		config->seed = nla_get_u64(seed);
	return 0;
}

int macstats_emu_nl_device_new_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_emu_config config = {};
	struct macstats_emu_device *device;
	int err;

	err = macstats_emu_device_config(info, &config);
	if (err)
		return err;
	mutex_lock(&macstats_emu_lock);
	device = macstats_emu_device_new(genl_info_net(info), &config, info->extack);
	if (IS_ERR(device)) {
		err = PTR_ERR(device);
		goto out_unlock;
	}
	err = macstats_emu_reply_device(info, device, MACSTATS_EMU_CMD_DEVICE_NEW);
	/* Without the reply, the sender would not know the device. */
	if (err)
		macstats_emu_device_del(device);
out_unlock:
	mutex_unlock(&macstats_emu_lock);
	return err;
}

/*
 * Find the device of a request, which the sender's namespace made. Return: the device, or an
 * ERR_PTR. Caller holds macstats_emu_lock.
 */
static struct macstats_emu_device *macstats_emu_device_from(struct genl_info *info)
{
	const struct nlattr *id = info->attrs[MACSTATS_EMU_A_DEVICE_ID];
	struct macstats_emu_device *device;

	if (!id)
		return ERR_PTR(macstats_missing(info->extack, MACSTATS_EMU_A_DEVICE_ID,
						"DEVICE_ID"));
	device = xa_load(&macstats_emu_devices, nla_get_u32(id));
	if (device && net_eq(device->net, genl_info_net(info)))
		return device;
	MACSTATS_EXTACK_ATTR(info->extack, id,
			     "DEVICE_ID: no device %u in this network namespace: see DEVICE_GET",
			     nla_get_u32(id));
	return ERR_PTR(-ENODEV);
}

int macstats_emu_nl_device_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	macstats_emu_device_del(info->user_ptr[0]);
	return 0;
}

int macstats_emu_nl_device_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	return macstats_emu_reply_device(info, info->user_ptr[0], MACSTATS_EMU_CMD_DEVICE_GET);
}

int macstats_emu_nl_device_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct macstats_emu_view view = { .net = sock_net(cb->skb->sk) };
	struct macstats_emu_device *device;
	unsigned long id;
	int err;

	err = macstats_dump_of_all(cb, MACSTATS_EMU_A_DEVICE_ID, "DEVICE_ID");
	if (err)
		return err;
	/* In the order of the ids: no change makes the dump miss or repeat another device. */
	mutex_lock(&macstats_emu_lock);
	xa_for_each_start(&macstats_emu_devices, id, device, cb->args[0]) {
		if (!net_eq(device->net, view.net))
			continue;
		view.device = device;
		err = macstats_dump_put(skb, cb, &macstats_emu_family, MACSTATS_EMU_CMD_DEVICE_GET,
					macstats_emu_fill_device, &view);
		if (err)
			break;
		cb->args[0] = id + 1;
	}
	mutex_unlock(&macstats_emu_lock);
	return macstats_dump_done(skb, err);
}

/*
 * Find the port with the ifindex in @attr in the sender's namespace. Return: its net device
 * with a reference, which keeps the driver bound and the device in place; or an ERR_PTR.
 */
static struct net_device *macstats_emu_port_from(struct genl_info *info, unsigned int attr,
						 const char *what)
{
	const struct nlattr *ifindex = info->attrs[attr];
	struct net_device *netdev;

	if (!ifindex)
		return ERR_PTR(macstats_missing(info->extack, attr, what));
	netdev = dev_get_by_index(genl_info_net(info), nla_get_u32(ifindex));
	if (netdev && macstats_emu_is_port(netdev))
		return netdev;
	dev_put(netdev);
	MACSTATS_EXTACK_ATTR(info->extack, ifindex,
			     "%s: no emulated port has ifindex %u: see PORT_GET", what,
			     nla_get_u32(ifindex));
	return ERR_PTR(-ENODEV);
}

/* A flag of the operation would do the same without an explanation. */
static int macstats_emu_check_admin(struct sk_buff *skb, struct genl_info *info)
{
	if (netlink_capable(skb, CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG(info->extack, "needs CAP_NET_ADMIN in the first user namespace");
	return -EPERM;
}

/* What macstats_emu_pre_doit() checks and prepares for a request. */
enum {
	MACSTATS_EMU_NEEDS_ADMIN = 1 << 0,	/* CAP_NET_ADMIN in the first user namespace */
	MACSTATS_EMU_NEEDS_DEVICE = 1 << 1,	/* user_ptr[0]: DEVICE_ID, under the lock */
	MACSTATS_EMU_NEEDS_PORT = 1 << 2,	/* user_ptr[0]: the net device, with a reference */
};

static unsigned int macstats_emu_needs(u8 cmd)
{
	switch (cmd) {
	case MACSTATS_EMU_CMD_DEVICE_NEW:
		return MACSTATS_EMU_NEEDS_ADMIN;
	case MACSTATS_EMU_CMD_DEVICE_DEL:
		return MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_DEVICE;
	case MACSTATS_EMU_CMD_DEVICE_GET:
		return MACSTATS_EMU_NEEDS_DEVICE;
	default:
		return MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_PORT;
	}
}

static int macstats_emu_pre_doit(const struct macstats_doit_ops *ops, struct sk_buff *skb,
				 struct genl_info *info)
{
	const unsigned int needs = macstats_emu_needs(ops->cmd);
	struct macstats_emu_device *device;
	struct net_device *netdev;
	int err;

	if (needs & MACSTATS_EMU_NEEDS_ADMIN) {
		err = macstats_emu_check_admin(skb, info);
		if (err)
			return err;
	}
	if (needs & MACSTATS_EMU_NEEDS_DEVICE) {
		mutex_lock(&macstats_emu_lock);
		device = macstats_emu_device_from(info);
		if (IS_ERR(device)) {
			mutex_unlock(&macstats_emu_lock);
			return PTR_ERR(device);
		}
		info->user_ptr[0] = device;
	}
	if (needs & MACSTATS_EMU_NEEDS_PORT) {
		netdev = macstats_emu_port_from(info, MACSTATS_EMU_A_PORT_IFINDEX, "PORT_IFINDEX");
		if (IS_ERR(netdev))
			return PTR_ERR(netdev);
		info->user_ptr[0] = netdev;
	}
	return 0;
}

static void macstats_emu_post_doit(const struct macstats_doit_ops *ops, struct sk_buff *skb,
				   struct genl_info *info)
{
	const unsigned int needs = macstats_emu_needs(ops->cmd);

	if (needs & MACSTATS_EMU_NEEDS_DEVICE)
		mutex_unlock(&macstats_emu_lock);
	if (needs & MACSTATS_EMU_NEEDS_PORT) {
		/* Readers see at once what the request has changed. */
		macstats_port_expire(macstats_emu_stats_of(info->user_ptr[0]));
		dev_put(info->user_ptr[0]);
	}
}

int macstats_emu_nl_link_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct net_device *netdev = info->user_ptr[0];
	struct net_device *peer;
	int err;

	peer = macstats_emu_port_from(info, MACSTATS_EMU_A_PORT_PEER, "PORT_PEER");
	if (IS_ERR(peer))
		return PTR_ERR(peer);
	rtnl_lock();
	err = macstats_emu_link(netdev, peer, info->extack);
	rtnl_unlock();
	dev_put(peer);
	return err;
}

int macstats_emu_nl_unlink_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err;

	rtnl_lock();
	err = macstats_emu_unlink(info->user_ptr[0], info->extack);
	rtnl_unlock();
	return err;
}

struct genl_family macstats_emu_family __ro_after_init = {
	.name = MACSTATS_EMU_GENL_NAME,
	.version = MACSTATS_EMU_GENL_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.module = THIS_MODULE,
	.ops = macstats_emu_nl_ops,
	.n_ops = ARRAY_SIZE(macstats_emu_nl_ops),
	.pre_doit = macstats_emu_pre_doit,
	.post_doit = macstats_emu_post_doit,
};

int __init macstats_emu_netlink_init(void)
{
	return genl_register_family(&macstats_emu_family);
}

void macstats_emu_netlink_exit(void)
{
	genl_unregister_family(&macstats_emu_family);
}
