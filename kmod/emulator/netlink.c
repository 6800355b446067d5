// SPDX-License-Identifier: GPL-2.0
/* The generic netlink family "macstats_emu": make devices and control their ports. */
#include <linux/capability.h>
#include <linux/rtnetlink.h>

#include <macstats/netlink.h>

#include "../genl.h"
#include "emu.h"

static struct genl_family macstats_emu_family;

/* genl_ops.internal_flags: macstats_emu_pre_doit() checks and prepares these for an operation. */
enum {
	MACSTATS_EMU_NEEDS_ADMIN = 1 << 0,	/* CAP_NET_ADMIN in the first user namespace */
	MACSTATS_EMU_NEEDS_DEVICE = 1 << 1,	/* user_ptr[0]: DEVICE_ID, under the lock */
	MACSTATS_EMU_NEEDS_PORT = 1 << 2,	/* user_ptr[0]: the net device, with a reference */
};

static const struct nla_policy macstats_emu_new_policy[] = {
	[MACSTATS_EMU_A_DEVICE_MODEL] = { .type = NLA_NUL_STRING, .len = 63 },
	[MACSTATS_EMU_A_DEVICE_NAME] = { .type = NLA_NUL_STRING, .len = 63 },
	[MACSTATS_EMU_A_DEVICE_OPTIONS] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_DEVICE_POWER_UP_RANDOM] = { .type = NLA_FLAG },
	[MACSTATS_EMU_A_DEVICE_SEED] = { .type = NLA_U64 },
	[MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY] = { .type = NLA_FLAG },
	[MACSTATS_EMU_A_DEVICE_HELD] = { .type = NLA_FLAG },
	[MACSTATS_EMU_A_DEVICE_OWNED] = { .type = NLA_FLAG },
	[MACSTATS_EMU_A_DEVICE_LINE_RATE_BOUND] = { .type = NLA_U8 },
	[MACSTATS_EMU_A_DEVICE_NETDEVS] = { .type = NLA_U32 },
};

static const struct nla_policy macstats_emu_device_policy[] = {
	[MACSTATS_EMU_A_DEVICE_ID] = { .type = NLA_U32 },
};

static const struct nla_policy macstats_emu_frame_policy[] = {
	[MACSTATS_EMU_A_FRAME_DIRECTION] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_LENGTH] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_DESTINATION] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_KIND] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_ORIGIN] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_VLAN_TAGS] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_ERRORS] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_COLLISIONS] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_DEFERRED] = { .type = NLA_FLAG },
	[MACSTATS_EMU_A_FRAME_DESCRIPTORS] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_APPEND_CRC] = { .type = NLA_U8 },
	[MACSTATS_EMU_A_FRAME_HUGE] = { .type = NLA_U8 },
};

/* The attributes that name a port. */
#define MACSTATS_EMU_PORT_POLICY \
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32 }, \
	[MACSTATS_EMU_A_PORT_DEVICE] = { .type = NLA_U32 }, \
	[MACSTATS_EMU_A_PORT_INDEX] = { .type = NLA_U32 }

static const struct nla_policy macstats_emu_link_policy[] = {
	MACSTATS_EMU_PORT_POLICY,
	[MACSTATS_EMU_A_PORT_PEER] = { .type = NLA_U32 },
};

static const struct nla_policy macstats_emu_port_policy[] = {
	MACSTATS_EMU_PORT_POLICY,
};

static const struct nla_policy macstats_emu_inject_policy[] = {
	MACSTATS_EMU_PORT_POLICY,
	[MACSTATS_EMU_A_PORT_FRAME] = NLA_POLICY_NESTED(macstats_emu_frame_policy),
	[MACSTATS_EMU_A_PORT_COUNT] = { .type = NLA_U64 },
};

static const struct nla_policy macstats_emu_reg_read_policy[] = {
	MACSTATS_EMU_PORT_POLICY,
	[MACSTATS_EMU_A_PORT_ADDRESS] = { .type = NLA_U32 },
};

static const struct nla_policy macstats_emu_reg_write_policy[] = {
	MACSTATS_EMU_PORT_POLICY,
	[MACSTATS_EMU_A_PORT_ADDRESS] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_VALUE] = { .type = NLA_U64 },
};

static const struct nla_policy macstats_emu_preset_policy[] = {
	MACSTATS_EMU_PORT_POLICY,
	[MACSTATS_EMU_A_PORT_COUNTER] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_VALUE] = { .type = NLA_U64 },
};

static const struct nla_policy macstats_emu_fault_policy[] = {
	MACSTATS_EMU_PORT_POLICY,
	[MACSTATS_EMU_A_PORT_FAULT] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_ACTIVE] = { .type = NLA_U8 },
	[MACSTATS_EMU_A_PORT_ARGUMENT] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_ANNOUNCED] = { .type = NLA_FLAG },
	[MACSTATS_EMU_A_PORT_DURING_READ] = { .type = NLA_FLAG },
};

static const struct nla_policy macstats_emu_advance_policy[] = {
	MACSTATS_EMU_PORT_POLICY,
	[MACSTATS_EMU_A_PORT_NSECS] = { .type = NLA_U64 },
};

/* Parse a number from @low to @high. Keeps @value if @attr is absent. */
static int macstats_emu_number(const struct nlattr *attr, const char *what, u32 low, u32 high,
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
static int macstats_emu_one_of(const struct nlattr *attr, const char *what, u32 all, u8 *value,
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
static int macstats_emu_any_of(const struct nlattr *attr, const char *what, u32 all, u32 *value,
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
	config->model = macstats_model_find(nla_data(model));
	if (!config->model) {
		MACSTATS_EXTACK_ATTR(info->extack, model,
				     "DEVICE_MODEL: unknown model %.20s: MODEL_GET lists all models",
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

static int macstats_emu_nl_device_new(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_emu_net *owner = macstats_emu_net(genl_info_net(info));
	struct macstats_emu_config config = {};
	struct macstats_emu_device *device;
	int err;

	err = macstats_emu_device_config(info, &config);
	if (err)
		return err;
	mutex_lock(&owner->lock);
	device = macstats_emu_device_new(genl_info_net(info), &config, info->extack);
	if (IS_ERR(device)) {
		err = PTR_ERR(device);
		goto out_unlock;
	}
	err = macstats_emu_reply_device(info, device, MACSTATS_EMU_CMD_DEVICE_NEW);
	/* Without the reply, the sender would not know the device. */
	if (err)
		macstats_emu_device_del(owner, device);
out_unlock:
	mutex_unlock(&owner->lock);
	return err;
}

/*
 * Find the device of the sender's namespace with the id in @attr. Return: the device, or
 * an ERR_PTR. The caller holds the lock of that namespace's devices.
 */
static struct macstats_emu_device *macstats_emu_device_from(struct genl_info *info,
							    unsigned int attr, const char *what)
{
	const struct nlattr *id = info->attrs[attr];
	struct macstats_emu_device *device;

	if (!id)
		return ERR_PTR(macstats_missing(info->extack, attr, what));
	device = xa_load(&macstats_emu_net(genl_info_net(info))->devices, nla_get_u32(id));
	if (device)
		return device;
	MACSTATS_EXTACK_ATTR(info->extack, id,
			     "%s: no device %u in this network namespace: see DEVICE_GET", what,
			     nla_get_u32(id));
	return ERR_PTR(-ENODEV);
}

static int macstats_emu_nl_device_del(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_emu_device *device = info->user_ptr[0];

	macstats_emu_device_del(macstats_emu_net(genl_info_net(info)), device);
	return 0;
}

static int macstats_emu_nl_device_get(struct sk_buff *skb, struct genl_info *info)
{
	return macstats_emu_reply_device(info, info->user_ptr[0], MACSTATS_EMU_CMD_DEVICE_GET);
}

static int macstats_emu_nl_device_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct macstats_emu_view view = { .net = sock_net(cb->skb->sk) };
	struct macstats_emu_net *owner = macstats_emu_net(view.net);
	struct macstats_emu_device *device;
	unsigned long id;
	int err;

	err = macstats_dump_of_all(cb, MACSTATS_EMU_A_DEVICE_ID, "DEVICE_ID");
	if (err)
		return err;
	mutex_lock(&owner->lock);
	cb->seq = owner->seq;
	xa_for_each_start(&owner->devices, id, device, cb->args[0]) {
		view.device = device;
		err = macstats_dump_put(skb, cb, &macstats_emu_family, MACSTATS_EMU_CMD_DEVICE_GET,
					macstats_emu_fill_device, &view);
		if (err)
			break;
		cb->args[0] = id + 1;
	}
	mutex_unlock(&owner->lock);
	return macstats_dump_done(skb, err);
}

/*
 * Find the port with the ifindex in @attr, if the sender's namespace controls it. Return:
 * its net device with a reference, or an ERR_PTR.
 */
static struct net_device *macstats_emu_get_by_ifindex(struct genl_info *info, unsigned int attr,
						      const char *what)
{
	const struct nlattr *ifindex = info->attrs[attr];
	struct net *net = genl_info_net(info);
	struct net_device *netdev;
	int err;

	if (!ifindex)
		return ERR_PTR(macstats_missing(info->extack, attr, what));
	netdev = dev_get_by_index(net, nla_get_u32(ifindex));
	if (!netdev || !macstats_emu_is_port(netdev)) {
		MACSTATS_EXTACK_ATTR(info->extack, ifindex,
				     "%s: no emulated port has ifindex %u: see DEVICE_GET", what,
				     nla_get_u32(ifindex));
		err = -ENODEV;
		goto err_put;
	}
	/* A port that moved here is visible, but its home controls it. */
	if (READ_ONCE(macstats_emu_port_of(netdev)->device->home) != net) {
		MACSTATS_EXTACK_ATTR(info->extack, ifindex,
				     "%s: %u moved here: its device's network namespace controls it",
				     what, nla_get_u32(ifindex));
		err = -EPERM;
		goto err_put;
	}
	return netdev;

err_put:
	dev_put(netdev);
	return ERR_PTR(err);
}

/* Find the port that PORT_DEVICE and PORT_INDEX name, in any namespace. */
static struct net_device *macstats_emu_get_by_device(struct genl_info *info)
{
	struct macstats_emu_net *owner = macstats_emu_net(genl_info_net(info));
	const struct nlattr *index = info->attrs[MACSTATS_EMU_A_PORT_INDEX];
	struct macstats_emu_device *device;
	struct net_device *netdev;
	int err;

	if (!index)
		return ERR_PTR(macstats_missing(info->extack, MACSTATS_EMU_A_PORT_INDEX,
						"PORT_INDEX"));
	mutex_lock(&owner->lock);
	device = macstats_emu_device_from(info, MACSTATS_EMU_A_PORT_DEVICE, "PORT_DEVICE");
	if (IS_ERR(device)) {
		err = PTR_ERR(device);
		goto err_unlock;
	}
	if (nla_get_u32(index) >= device->n_slots) {
		MACSTATS_EXTACK_ATTR(info->extack, index,
				     "PORT_INDEX: %u is out of range: 0 to %u are accepted",
				     nla_get_u32(index), device->n_slots - 1);
		err = -ERANGE;
		goto err_unlock;
	}
	rcu_read_lock();
	netdev = rcu_dereference(device->slots[nla_get_u32(index)].netdev);
	dev_hold(netdev);
	rcu_read_unlock();
	if (!netdev) {
		MACSTATS_EXTACK_ATTR(info->extack, index,
				     "PORT_INDEX: port %u has no driver, or its network namespace ended",
				     nla_get_u32(index));
		err = -ENODEV;
		goto err_unlock;
	}
	mutex_unlock(&owner->lock);
	return netdev;

err_unlock:
	mutex_unlock(&owner->lock);
	return ERR_PTR(err);
}

/*
 * Find the port that a request controls. Return: its net device with a reference, which
 * keeps the driver bound and the device in place; or an ERR_PTR.
 */
static struct net_device *macstats_emu_port_from(struct genl_info *info)
{
	bool by_device = info->attrs[MACSTATS_EMU_A_PORT_DEVICE] ||
			 info->attrs[MACSTATS_EMU_A_PORT_INDEX];

	if (!by_device)
		return macstats_emu_get_by_ifindex(info, MACSTATS_EMU_A_PORT_IFINDEX,
						   "PORT_IFINDEX");
	if (info->attrs[MACSTATS_EMU_A_PORT_IFINDEX]) {
		NL_SET_ERR_MSG_ATTR(info->extack, info->attrs[MACSTATS_EMU_A_PORT_IFINDEX],
				    "PORT_IFINDEX: the port is named twice: give PORT_IFINDEX, or PORT_DEVICE and PORT_INDEX");
		return ERR_PTR(-EINVAL);
	}
	return macstats_emu_get_by_device(info);
}

/* A flag of the operation would do the same without an explanation. */
static int macstats_emu_check_admin(struct sk_buff *skb, struct genl_info *info)
{
	if (netlink_capable(skb, CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG(info->extack, "needs CAP_NET_ADMIN in the first user namespace");
	return -EPERM;
}

static int macstats_emu_pre_doit(const struct macstats_doit_ops *ops, struct sk_buff *skb,
				 struct genl_info *info)
{
	struct macstats_emu_net *owner = macstats_emu_net(genl_info_net(info));
	struct macstats_emu_device *device;
	struct net_device *netdev;
	int err;

	if (ops->internal_flags & MACSTATS_EMU_NEEDS_ADMIN) {
		err = macstats_emu_check_admin(skb, info);
		if (err)
			return err;
	}
	if (ops->internal_flags & MACSTATS_EMU_NEEDS_DEVICE) {
		mutex_lock(&owner->lock);
		device = macstats_emu_device_from(info, MACSTATS_EMU_A_DEVICE_ID, "DEVICE_ID");
		if (IS_ERR(device)) {
			mutex_unlock(&owner->lock);
			return PTR_ERR(device);
		}
		info->user_ptr[0] = device;
	}
	if (ops->internal_flags & MACSTATS_EMU_NEEDS_PORT) {
		netdev = macstats_emu_port_from(info);
		if (IS_ERR(netdev))
			return PTR_ERR(netdev);
		info->user_ptr[0] = netdev;
	}
	return 0;
}

static void macstats_emu_post_doit(const struct macstats_doit_ops *ops, struct sk_buff *skb,
				   struct genl_info *info)
{
	if (ops->internal_flags & MACSTATS_EMU_NEEDS_DEVICE)
		mutex_unlock(&macstats_emu_net(genl_info_net(info))->lock);
	if (ops->internal_flags & MACSTATS_EMU_NEEDS_PORT)
		dev_put(info->user_ptr[0]);
}

static int macstats_emu_nl_link(struct sk_buff *skb, struct genl_info *info)
{
	struct net_device *netdev = info->user_ptr[0];
	struct net_device *peer;
	int err;

	peer = macstats_emu_get_by_ifindex(info, MACSTATS_EMU_A_PORT_PEER, "PORT_PEER");
	if (IS_ERR(peer))
		return PTR_ERR(peer);
	rtnl_lock();
	err = macstats_emu_link(netdev, peer, info->extack);
	rtnl_unlock();
	dev_put(peer);
	return err;
}

static int macstats_emu_nl_unlink(struct sk_buff *skb, struct genl_info *info)
{
	int err;

	rtnl_lock();
	err = macstats_emu_unlink(info->user_ptr[0], info->extack);
	rtnl_unlock();
	return err;
}

/* Read @attr, a control of the first descriptor. */
static int macstats_emu_control(const struct nlattr *attr, const char *what, u8 *control,
				struct netlink_ext_ack *extack)
{
	if (!attr)
		return 0;
	if (nla_get_u8(attr) > 1) {
		MACSTATS_EXTACK_ATTR(extack, attr, "%s: %u is not accepted: give 0 (no) or 1 (yes)",
				     what, nla_get_u8(attr));
		return -ERANGE;
	}
	*control = nla_get_u8(attr) ? MACSTATS_CONTROL_ON : MACSTATS_CONTROL_OFF;
	return 0;
}

/* Read the attributes of a frame that are about its descriptors. */
static int macstats_emu_descriptors_from(struct nlattr **attrs,
					 const struct macstats_model *model,
					 struct macstats_frame *frame,
					 struct netlink_ext_ack *extack)
{
	const struct nlattr *first = attrs[MACSTATS_EMU_A_FRAME_DESCRIPTORS];
	const char *what = "FRAME_DESCRIPTORS";
	u32 descriptors = 0;
	int err;

	err = macstats_emu_number(first, what, 1, MACSTATS_MAX_DESCRIPTORS, &descriptors, extack);
	if (err)
		return err;
	frame->descriptors = descriptors;
	err = macstats_emu_control(attrs[MACSTATS_EMU_A_FRAME_APPEND_CRC], "FRAME_APPEND_CRC",
				   &frame->append_crc, extack);
	if (err)
		return err;
	err = macstats_emu_control(attrs[MACSTATS_EMU_A_FRAME_HUGE], "FRAME_HUGE", &frame->huge,
				   extack);
	if (err)
		return err;
	err = macstats_check_descriptors(model, frame);
	if (!err)
		return 0;
	if (!first || err == -EINVAL) {
		first = attrs[MACSTATS_EMU_A_FRAME_APPEND_CRC];
		what = "FRAME_APPEND_CRC";
	}
	if (!first) {
		first = attrs[MACSTATS_EMU_A_FRAME_HUGE];
		what = "FRAME_HUGE";
	}
	if (err == -EINVAL)
		MACSTATS_EXTACK_ATTR(extack, first,
				     "%s: only transmitted frames of software have it", what);
	else
		MACSTATS_EXTACK_ATTR(extack, first,
				     "%s: %s has no descriptors with a status", what, model->name);
	return err;
}

static int macstats_emu_frame_from(struct genl_info *info, const struct macstats_model *model,
				   struct macstats_frame *frame)
{
	struct nlattr *attrs[MACSTATS_EMU_A_FRAME_MAX + 1];
	struct netlink_ext_ack *extack = info->extack;
	u32 length = MACSTATS_FRAME_MIN;
	u32 collisions = 0;
	u32 errors = 0;
	u32 tags = 0;
	int err;

	if (!info->attrs[MACSTATS_EMU_A_PORT_FRAME])
		return macstats_missing(extack, MACSTATS_EMU_A_PORT_FRAME, "PORT_FRAME");
	err = nla_parse_nested(attrs, MACSTATS_EMU_A_FRAME_MAX,
			       info->attrs[MACSTATS_EMU_A_PORT_FRAME], macstats_emu_frame_policy,
			       extack);
	if (err)
		return err;
	err = macstats_emu_one_of(attrs[MACSTATS_EMU_A_FRAME_DIRECTION], "FRAME_DIRECTION",
				  MACSTATS_RX | MACSTATS_TX, &frame->direction, extack);
	if (err)
		return err;
	err = macstats_emu_number(attrs[MACSTATS_EMU_A_FRAME_LENGTH], "FRAME_LENGTH", 1,
				  MACSTATS_FRAME_MAX, &length, extack);
	if (err)
		return err;
	err = macstats_emu_one_of(attrs[MACSTATS_EMU_A_FRAME_DESTINATION], "FRAME_DESTINATION",
				  MACSTATS_UNICAST | MACSTATS_MULTICAST | MACSTATS_BROADCAST,
				  &frame->destination, extack);
	if (err)
		return err;
	err = macstats_emu_one_of(attrs[MACSTATS_EMU_A_FRAME_KIND], "FRAME_KIND",
				  MACSTATS_ANY_KIND, &frame->kind, extack);
	if (err)
		return err;
	err = macstats_emu_one_of(attrs[MACSTATS_EMU_A_FRAME_ORIGIN], "FRAME_ORIGIN",
				  MACSTATS_ANY_ORIGIN, &frame->origin, extack);
	if (err)
		return err;
	err = macstats_emu_number(attrs[MACSTATS_EMU_A_FRAME_VLAN_TAGS], "FRAME_VLAN_TAGS", 0, 2,
				  &tags, extack);
	if (err)
		return err;
	err = macstats_emu_any_of(attrs[MACSTATS_EMU_A_FRAME_ERRORS], "FRAME_ERRORS",
				  MACSTATS_ERR_ALL, &errors, extack);
	if (err)
		return err;
	err = macstats_emu_number(attrs[MACSTATS_EMU_A_FRAME_COLLISIONS], "FRAME_COLLISIONS", 0,
				  MACSTATS_ATTEMPT_LIMIT, &collisions, extack);
	if (err)
		return err;
	frame->length = length;
	frame->vlan_tags = tags;
	frame->errors = errors;
	frame->collisions = collisions;
	frame->deferred = attrs[MACSTATS_EMU_A_FRAME_DEFERRED];
	if (!attrs[MACSTATS_EMU_A_FRAME_DESTINATION])
		frame->destination = macstats_default_destination(model, frame);
	if (!macstats_valid_own_pause(model, frame)) {
		MACSTATS_EXTACK_ATTR(extack, info->attrs[MACSTATS_EMU_A_PORT_FRAME],
				     "PORT_FRAME: pause frames of this MAC have %u octets and a multicast destination",
				     MACSTATS_FRAME_MIN);
		return -EINVAL;
	}
	return macstats_emu_descriptors_from(attrs, model, frame, extack);
}

static int macstats_emu_nl_inject(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[MACSTATS_EMU_A_PORT_COUNT];
	struct net_device *netdev = info->user_ptr[0];
	struct macstats_frame frame = {
		.direction = MACSTATS_TX,
		.kind = MACSTATS_DATA,
		.origin = MACSTATS_BY_SOFTWARE,
	};
	u64 count;
	int err;

	err = macstats_emu_frame_from(info, macstats_emu_port_of(netdev)->device->model, &frame);
	if (err)
		return err;
	count = attr ? nla_get_u64(attr) : 1;
	if (!count || count > S64_MAX) {
		MACSTATS_EXTACK_ATTR(info->extack, attr,
				     "PORT_COUNT: %llu is out of range: 1 to 9223372036854775807",
				     count);
		return -ERANGE;
	}
	macstats_emu_inject(netdev, &frame, count);
	return 0;
}

/* Explain why the access to @address returned @err. */
static void macstats_emu_explain_access(struct genl_info *info,
					const struct macstats_emu_port *port, u32 address, int err)
{
	const struct macstats_model *model = port->device->model;
	u32 low = model->counters[0].offset;
	u32 high;

	high = macstats_counter_end(model, &model->counters[model->n_counters - 1]) - 1;
	if (model->n_registers) {
		low = min(low, model->registers[0].offset);
		high = max(high, model->registers[model->n_registers - 1].offset);
	}
	if (err == -ENXIO)
		MACSTATS_EXTACK_ATTR(info->extack, info->attrs[MACSTATS_EMU_A_PORT_ADDRESS],
				     "PORT_ADDRESS: no register at %#x: they lie in %#x to %#x",
				     address, low, high);
	else
		MACSTATS_EXTACK(info->extack,
				"the bus failed at address %#x (error %d): end its fault first",
				address, err);
}

/* Put the attributes with which the request named the port. */
static int macstats_emu_put_port(struct sk_buff *reply, const struct genl_info *info,
				 const struct macstats_emu_port *port)
{
	if (info->attrs[MACSTATS_EMU_A_PORT_IFINDEX])
		return nla_put_u32(reply, MACSTATS_EMU_A_PORT_IFINDEX,
				   nla_get_u32(info->attrs[MACSTATS_EMU_A_PORT_IFINDEX]));
	if (nla_put_u32(reply, MACSTATS_EMU_A_PORT_DEVICE, port->device->id))
		return -EMSGSIZE;
	return nla_put_u32(reply, MACSTATS_EMU_A_PORT_INDEX,
			   nla_get_u32(info->attrs[MACSTATS_EMU_A_PORT_INDEX]));
}

static int macstats_emu_nl_reg_read(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_emu_port *port = macstats_emu_port_of(info->user_ptr[0]);
	const struct nlattr *address = info->attrs[MACSTATS_EMU_A_PORT_ADDRESS];
	struct sk_buff *reply;
	void *header;
	u64 value;
	int err;

	if (!address)
		return macstats_missing(info->extack, MACSTATS_EMU_A_PORT_ADDRESS, "PORT_ADDRESS");
	/* Allocate first: the read may clear the register. */
	reply = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!reply)
		return -ENOMEM;
	err = macstats_emu_reg_read(port, nla_get_u32(address), &value, true);
	if (err) {
		macstats_emu_explain_access(info, port, nla_get_u32(address), err);
		goto err_free;
	}
	header = genlmsg_put_reply(reply, info, &macstats_emu_family, 0,
				   MACSTATS_EMU_CMD_REG_READ);
	if (!header || macstats_emu_put_port(reply, info, port) ||
	    nla_put_u32(reply, MACSTATS_EMU_A_PORT_ADDRESS, nla_get_u32(address)) ||
	    nla_put_u64_64bit(reply, MACSTATS_EMU_A_PORT_VALUE, value, MACSTATS_EMU_A_PORT_PAD)) {
		err = -EMSGSIZE;
		goto err_free;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);

err_free:
	nlmsg_free(reply);
	return err;
}

static int macstats_emu_nl_reg_write(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_emu_port *port = macstats_emu_port_of(info->user_ptr[0]);
	const struct nlattr *address = info->attrs[MACSTATS_EMU_A_PORT_ADDRESS];
	const struct nlattr *value = info->attrs[MACSTATS_EMU_A_PORT_VALUE];
	u64 most;
	int err;

	if (!address)
		return macstats_missing(info->extack, MACSTATS_EMU_A_PORT_ADDRESS, "PORT_ADDRESS");
	if (!value)
		return macstats_missing(info->extack, MACSTATS_EMU_A_PORT_VALUE, "PORT_VALUE");
	most = macstats_bus_mask(port->device->model);
	if (nla_get_u64(value) > most) {
		MACSTATS_EXTACK_ATTR(info->extack, value,
				     "PORT_VALUE: %#llx is out of range: 0 to %#llx, a bus word",
				     nla_get_u64(value), most);
		return -ERANGE;
	}
	err = macstats_emu_reg_write(port, nla_get_u32(address), nla_get_u64(value), true);
	if (err)
		macstats_emu_explain_access(info, port, nla_get_u32(address), err);
	return err;
}

static int macstats_emu_nl_preset(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[MACSTATS_EMU_A_PORT_COUNTER];
	const struct nlattr *value = info->attrs[MACSTATS_EMU_A_PORT_VALUE];
	struct net_device *netdev = info->user_ptr[0];
	const struct macstats_model *model;
	struct macstats_emu_port *port;
	u32 index;
	u64 most;
	int err;

	port = macstats_emu_port_of(netdev);
	model = port->device->model;
	if (!attr)
		return macstats_missing(info->extack, MACSTATS_EMU_A_PORT_COUNTER, "PORT_COUNTER");
	if (!value)
		return macstats_missing(info->extack, MACSTATS_EMU_A_PORT_VALUE, "PORT_VALUE");
	err = macstats_emu_number(attr, "PORT_COUNTER", 0, model->n_counters - 1, &index,
				  info->extack);
	if (err)
		return err;
	most = macstats_bits_mask(model->counters[index].bits);
	if (nla_get_u64(value) > most) {
		MACSTATS_EXTACK_ATTR(info->extack, value,
				     "PORT_VALUE: %#llx is out of range: 0 to %#llx",
				     nla_get_u64(value), most);
		return -ERANGE;
	}
	if (!(port->emu->options & macstats_statistics_options(model))) {
		NL_SET_ERR_MSG(info->extack,
			       "the device is built without the counters: add one with them");
		return -EOPNOTSUPP;
	}
	if (!macstats_is_built(model, port->emu->options, model->counters[index].block)) {
		MACSTATS_EXTACK_ATTR(info->extack, attr,
				     "PORT_COUNTER: the device is built without %s",
				     model->counters[index].name);
		return -EOPNOTSUPP;
	}
	if (macstats_is_software_counter(&model->counters[index])) {
		MACSTATS_EXTACK_ATTR(info->extack, attr,
				     "PORT_COUNTER: no register holds counter %u, a software counter",
				     index);
		return -EOPNOTSUPP;
	}
	macstats_port_preset(macstats_emu_stats_of(netdev), index, nla_get_u64(value),
			     macstats_emu_preset, port);
	return 0;
}

/* Parse PORT_ARGUMENT, which belongs to the beginning of some faults. */
static int macstats_emu_fault_argument_from(struct genl_info *info,
					    const struct macstats_model *model,
					    struct macstats_fault_request *request)
{
	const u32 with_argument = MACSTATS_FAULT_BUS_ERROR_AT | MACSTATS_FAULT_SLOW_BUS;
	const struct nlattr *argument = info->attrs[MACSTATS_EMU_A_PORT_ARGUMENT];

	if (!request->active || !(request->faults & with_argument)) {
		if (!argument)
			return 0;
		MACSTATS_EXTACK_ATTR(info->extack, argument,
				     "PORT_ARGUMENT: accepted only if faults of %#x begin",
				     with_argument);
		return -EINVAL;
	}
	if ((request->faults & with_argument) == with_argument) {
		MACSTATS_EXTACK_ATTR(info->extack, info->attrs[MACSTATS_EMU_A_PORT_FAULT],
				     "PORT_FAULT: %#x and %#x need a PORT_ARGUMENT each: begin one at a time",
				     MACSTATS_FAULT_BUS_ERROR_AT, MACSTATS_FAULT_SLOW_BUS);
		return -EINVAL;
	}
	if (!argument)
		return macstats_missing(info->extack, MACSTATS_EMU_A_PORT_ARGUMENT,
					"PORT_ARGUMENT");
	if (request->faults & MACSTATS_FAULT_SLOW_BUS)
		return macstats_emu_number(argument, "PORT_ARGUMENT", 1,
					   MACSTATS_SLOW_BUS_MAX_USECS, &request->argument,
					   info->extack);
	return macstats_emu_number(argument, "PORT_ARGUMENT", 0, macstats_counter_words(model) - 1,
				   &request->argument, info->extack);
}

/* Parse and check all attributes of a request for faults. */
static int macstats_emu_fault_request_from(struct genl_info *info,
					   const struct macstats_model *model,
					   struct macstats_fault_request *request, bool *announced)
{
	const struct nlattr *during_read = info->attrs[MACSTATS_EMU_A_PORT_DURING_READ];
	const struct nlattr *announce = info->attrs[MACSTATS_EMU_A_PORT_ANNOUNCED];
	const struct nlattr *active = info->attrs[MACSTATS_EMU_A_PORT_ACTIVE];
	const struct nlattr *fault = info->attrs[MACSTATS_EMU_A_PORT_FAULT];
	u32 supported = macstats_supported_faults(model);
	int err;

	if (!fault)
		return macstats_missing(info->extack, MACSTATS_EMU_A_PORT_FAULT, "PORT_FAULT");
	err = macstats_emu_any_of(fault, "PORT_FAULT", supported, &request->faults, info->extack);
	if (err)
		return err;
	if (!request->faults) {
		MACSTATS_EXTACK_ATTR(info->extack, fault,
				     "PORT_FAULT: 0 is no fault: give bits of %#x", supported);
		return -EINVAL;
	}
	if (active && nla_get_u8(active) > 1) {
		MACSTATS_EXTACK_ATTR(info->extack, active,
				     "PORT_ACTIVE: %u is not accepted: give 0 (end) or 1 (begin)",
				     nla_get_u8(active));
		return -ERANGE;
	}
	request->active = !active || nla_get_u8(active);
	if (!request->active && (request->faults & MACSTATS_FAULT_RESET)) {
		MACSTATS_EXTACK_ATTR(info->extack, active,
				     "PORT_ACTIVE: a reset (%#x) happens once, it cannot end: give 1",
				     MACSTATS_FAULT_RESET);
		return -EINVAL;
	}
	if (announce && request->faults != MACSTATS_FAULT_RESET) {
		MACSTATS_EXTACK_ATTR(info->extack, announce,
				     "PORT_ANNOUNCED: accepted only if PORT_FAULT is %#x, a reset",
				     MACSTATS_FAULT_RESET);
		return -EINVAL;
	}
	*announced = announce;
	if (during_read && (!request->active || (request->faults & ~MACSTATS_FAULTS_DURING_READ))) {
		MACSTATS_EXTACK_ATTR(info->extack, during_read,
				     "PORT_DURING_READ: accepted only if faults of %#x begin",
				     MACSTATS_FAULTS_DURING_READ & supported);
		return -EINVAL;
	}
	request->during_read = during_read;
	return macstats_emu_fault_argument_from(info, model, request);
}

/*
 * Begin or end faults. The driver takes part in a reset and in a suspend. A suspend
 * begins before other faults, and ends after them.
 */
static void macstats_emu_begin_or_end(struct net_device *netdev,
				      const struct macstats_fault_request *request, bool announced)
{
	struct macstats_fault_request rest = *request;

	rest.faults &= ~(MACSTATS_FAULT_RESET | MACSTATS_FAULT_SUSPEND);
	/* A failed read makes the port stale, which the provider reports. */
	if (request->active && (request->faults & MACSTATS_FAULT_SUSPEND))
		macstats_emu_suspend(netdev, MACSTATS_EMU_SLEEP_FAULT);
	if (rest.faults)
		macstats_emu_fault(macstats_emu_port_of(netdev), &rest);
	if (request->faults & MACSTATS_FAULT_RESET)
		macstats_emu_reset(netdev, announced);
	if (!request->active && (request->faults & MACSTATS_FAULT_SUSPEND))
		macstats_emu_resume(netdev, MACSTATS_EMU_SLEEP_FAULT);
}

static int macstats_emu_nl_fault(struct sk_buff *skb, struct genl_info *info)
{
	struct net_device *netdev = info->user_ptr[0];
	struct macstats_fault_request request = {};
	const struct macstats_model *model;
	bool announced;
	int err;

	model = macstats_emu_port_of(netdev)->device->model;
	err = macstats_emu_fault_request_from(info, model, &request, &announced);
	if (err)
		return err;
	err = macstats_fault_check(model, &request);
	if (err) {
		MACSTATS_EXTACK_ATTR(info->extack, info->attrs[MACSTATS_EMU_A_PORT_FAULT],
				     "PORT_FAULT: %#x is no accepted combination: begin one at a time",
				     request.faults);
		return err;
	}
	macstats_emu_begin_or_end(netdev, &request, announced);
	return 0;
}

static int macstats_emu_nl_poll(struct sk_buff *skb, struct genl_info *info)
{
	/* A failed read makes the port stale, which the provider reports. */
	macstats_port_refresh(macstats_emu_stats_of(info->user_ptr[0]));
	return 0;
}

static int macstats_emu_nl_advance(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *nsecs = info->attrs[MACSTATS_EMU_A_PORT_NSECS];

	if (!nsecs)
		return macstats_missing(info->extack, MACSTATS_EMU_A_PORT_NSECS, "PORT_NSECS");
	if (nla_get_u64(nsecs) > S64_MAX) {
		MACSTATS_EXTACK_ATTR(info->extack, nsecs,
				     "PORT_NSECS: %llu is out of range: 0 to 9223372036854775807",
				     nla_get_u64(nsecs));
		return -ERANGE;
	}
	macstats_port_advance(macstats_emu_stats_of(info->user_ptr[0]), nla_get_u64(nsecs));
	return 0;
}

static const struct genl_ops macstats_emu_ops[] = {
	{
		.cmd = MACSTATS_EMU_CMD_DEVICE_NEW,
		.doit = macstats_emu_nl_device_new,
		.internal_flags = MACSTATS_EMU_NEEDS_ADMIN,
		MACSTATS_POLICY(macstats_emu_new_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_DEVICE_DEL,
		.doit = macstats_emu_nl_device_del,
		.internal_flags = MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_DEVICE,
		MACSTATS_POLICY(macstats_emu_device_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_DEVICE_GET,
		.doit = macstats_emu_nl_device_get,
		.dumpit = macstats_emu_nl_device_dump,
		.internal_flags = MACSTATS_EMU_NEEDS_DEVICE,
		MACSTATS_POLICY(macstats_emu_device_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_LINK,
		.doit = macstats_emu_nl_link,
		.internal_flags = MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_PORT,
		MACSTATS_POLICY(macstats_emu_link_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_UNLINK,
		.doit = macstats_emu_nl_unlink,
		.internal_flags = MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_PORT,
		MACSTATS_POLICY(macstats_emu_port_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_INJECT,
		.doit = macstats_emu_nl_inject,
		.internal_flags = MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_PORT,
		MACSTATS_POLICY(macstats_emu_inject_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_REG_READ,
		.doit = macstats_emu_nl_reg_read,
		.internal_flags = MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_PORT,
		MACSTATS_POLICY(macstats_emu_reg_read_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_REG_WRITE,
		.doit = macstats_emu_nl_reg_write,
		.internal_flags = MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_PORT,
		MACSTATS_POLICY(macstats_emu_reg_write_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_PRESET,
		.doit = macstats_emu_nl_preset,
		.internal_flags = MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_PORT,
		MACSTATS_POLICY(macstats_emu_preset_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_FAULT,
		.doit = macstats_emu_nl_fault,
		.internal_flags = MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_PORT,
		MACSTATS_POLICY(macstats_emu_fault_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_POLL,
		.doit = macstats_emu_nl_poll,
		.internal_flags = MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_PORT,
		MACSTATS_POLICY(macstats_emu_port_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_ADVANCE,
		.doit = macstats_emu_nl_advance,
		.internal_flags = MACSTATS_EMU_NEEDS_ADMIN | MACSTATS_EMU_NEEDS_PORT,
		MACSTATS_POLICY(macstats_emu_advance_policy),
	},
};

static struct genl_family macstats_emu_family __ro_after_init = {
	.name = MACSTATS_EMU_GENL_NAME,
	.version = MACSTATS_EMU_GENL_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.module = THIS_MODULE,
	.ops = macstats_emu_ops,
	.n_ops = ARRAY_SIZE(macstats_emu_ops),
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
