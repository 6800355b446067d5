// SPDX-License-Identifier: GPL-2.0
/* The generic netlink family "macstats_emu": make devices, and link their ports. */
#include <linux/capability.h>
#include <linux/rtnetlink.h>

#include <macstats/models.h>

#include "netdev.h"
#include "netlink.h"
#include "netlink_gen.h"

static const struct nlattr *macstats_emu_attr(const struct macstats_emu_request *request,
					      struct macstats_attr attr)
{
	return request->err ? NULL : request->attrs[attr.type];
}

/* A number from @low to @high. */
u32 macstats_emu_number(struct macstats_emu_request *request, struct macstats_attr attr,
			u32 low, u32 high, u32 otherwise)
{
	const struct nlattr *given = macstats_emu_attr(request, attr);
	u32 number = given ? nla_get_u32(given) : otherwise;

	if (given && (number < low || number > high))
		request->err = MACSTATS_REJECT(-ERANGE, request->extack, given,
					       "%s: %u is out of range: %u to %u are accepted",
					       attr.name, number, low, high);
	return number;
}

/* The same of 64 bits, up to S64_MAX. */
u64 macstats_emu_long(struct macstats_emu_request *request, struct macstats_attr attr,
		      u64 low, u64 otherwise)
{
	const struct nlattr *given = macstats_emu_attr(request, attr);
	u64 number = given ? nla_get_u64(given) : otherwise;

	if (given && (number < low || number > S64_MAX))
		request->err = MACSTATS_REJECT(-ERANGE, request->extack, given,
					       "%s: %llu is out of range: %llu to 9223372036854775807",
					       attr.name, number, low);
	return number;
}

/* One bit of @all. */
u32 macstats_emu_one_of(struct macstats_emu_request *request, struct macstats_attr attr,
			u32 all, u32 otherwise)
{
	const struct nlattr *given = macstats_emu_attr(request, attr);
	u32 number = given ? nla_get_u32(given) : otherwise;

	if (given && (!is_power_of_2(number) || (number & ~all)))
		request->err = MACSTATS_REJECT(-EINVAL, request->extack, given,
					       "%s: %#x is not accepted: give one bit of %#x",
					       attr.name, number, all);
	return number;
}

/* Any bits of @all. */
u32 macstats_emu_any_of(struct macstats_emu_request *request, struct macstats_attr attr,
			u32 all, u32 otherwise)
{
	const struct nlattr *given = macstats_emu_attr(request, attr);
	u32 number = given ? nla_get_u32(given) : otherwise;

	if (given && (number & ~all))
		request->err = MACSTATS_REJECT(-EINVAL, request->extack, given,
					       "%s: %#x is not supported: give bits of %#x",
					       attr.name, number, all);
	return number;
}

/* 0 or 1. */
bool macstats_emu_switch(struct macstats_emu_request *request, struct macstats_attr attr,
			 bool otherwise)
{
	const struct nlattr *given = macstats_emu_attr(request, attr);
	u8 number = given ? nla_get_u8(given) : otherwise;

	if (number > 1)
		request->err = MACSTATS_REJECT(-ERANGE, request->extack, given,
					       "%s: %u is not accepted: give 0 or 1", attr.name,
					       number);
	return number;
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
	const struct macstats_emu_device *device = view->device;
	const struct macstats_emu_config *config = &device->config;
	unsigned int i;

	if (nla_put_u32(skb, MACSTATS_EMU_A_DEVICE_ID, device->id) ||
	    nla_put_string(skb, MACSTATS_EMU_A_DEVICE_MODEL, device->model->name) ||
	    nla_put_u32(skb, MACSTATS_EMU_A_DEVICE_OPTIONS, config->options) ||
	    (config->private_only && nla_put_flag(skb, MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY)) ||
	    (config->held && nla_put_flag(skb, MACSTATS_EMU_A_DEVICE_HELD)) ||
	    nla_put_u8(skb, MACSTATS_EMU_A_DEVICE_LINE_RATE_BOUND, !config->no_line) ||
	    nla_put_u32(skb, MACSTATS_EMU_A_DEVICE_NETDEVS, config->netdevs) ||
	    (config->owner_portid && nla_put_flag(skb, MACSTATS_EMU_A_DEVICE_OWNED)))
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

static int macstats_emu_check_name(const struct nlattr *attr,
				   const struct macstats_emu_config *config,
				   struct netlink_ext_ack *extack)
{
	unsigned int n = config->model->ports * config->netdevs;
	const char *name = nla_data(attr);

	if (!dev_valid_name(name))
		return MACSTATS_REJECT(-EINVAL, extack, attr,
				       "DEVICE_NAME: %.16s is invalid: 1 to %d characters, no /, : or space",
				       name, IFNAMSIZ - 1);
	if (n > 1 && !strstr(name, "%d"))
		return MACSTATS_REJECT(-EINVAL, extack, attr,
				       "DEVICE_NAME: must contain %%d: %.16s has %u ports, for example mac%%d",
				       config->model->name, n);
	return 0;
}

/* What the hardware is: its model, options, and the net devices of a port. */
static int macstats_emu_hardware_config(struct macstats_emu_request *request,
					struct macstats_emu_config *config)
{
	const struct nlattr *attr = request->attrs[MACSTATS_EMU_A_DEVICE_MODEL];
	const struct macstats_model *model;
	u32 options;

	if (!attr)
		return macstats_missing(request->extack, MACSTATS_EMU_ATTR(DEVICE_MODEL));
	model = macstats_listed_model(nla_data(attr));
	if (!model)
		return MACSTATS_REJECT(-ENOENT, request->extack, attr,
				       "DEVICE_MODEL: unknown model %.20s",
				       (const char *)nla_data(attr));
	config->model = model;
	options = macstats_emu_any_of(request, MACSTATS_EMU_ATTR(DEVICE_OPTIONS),
				      model->options | MACSTATS_OPT_STATISTICS,
				      model->default_options);
	if (request->err)
		return request->err;
	if (options & MACSTATS_OPT_STATISTICS)
		options = (options & ~MACSTATS_OPT_STATISTICS) |
			  (macstats_statistics_options(model) & model->options);
	if (!macstats_valid_options(model, options))
		return MACSTATS_REJECT(-EINVAL, request->extack,
				       request->attrs[MACSTATS_EMU_A_DEVICE_OPTIONS],
				       "DEVICE_OPTIONS: %#x: give one speed of %#x and one revision of %#x",
				       options, (u32)MACSTATS_OPT_SPEEDS,
				       (u32)MACSTATS_OPT_REVISIONS);
	config->options = options;
	config->netdevs = macstats_emu_number(request, MACSTATS_EMU_ATTR(DEVICE_NETDEVS), 1,
					      MACSTATS_EMU_MAX_NETDEVS, 1);
	if (request->err)
		return request->err;
	if (config->netdevs > max_t(u32, model->block_lines, 1))
		return MACSTATS_REJECT(-EOPNOTSUPP, request->extack,
				       request->attrs[MACSTATS_EMU_A_DEVICE_NETDEVS],
				       "DEVICE_NETDEVS: %u: a port of %.16s has one line: give 1",
				       config->netdevs, model->name);
	return 0;
}

static int macstats_emu_device_config(struct genl_info *info, struct macstats_emu_config *config)
{
	struct macstats_emu_request request = { .attrs = info->attrs, .extack = info->extack };
	const struct nlattr *seed = info->attrs[MACSTATS_EMU_A_DEVICE_SEED];
	const struct nlattr *name = info->attrs[MACSTATS_EMU_A_DEVICE_NAME];
	int err;

	err = macstats_emu_hardware_config(&request, config);
	if (err)
		return err;
	strscpy(config->name, name ? nla_data(name) : "mac%d", sizeof(config->name));
	config->name_assign_type = name ? NET_NAME_USER : NET_NAME_ENUM;
	if (name) {
		err = macstats_emu_check_name(name, config, info->extack);
		if (err)
			return err;
	}
	config->random = info->attrs[MACSTATS_EMU_A_DEVICE_POWER_UP_RANDOM];
	config->private_only = info->attrs[MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY];
	config->held = info->attrs[MACSTATS_EMU_A_DEVICE_HELD];
	config->no_line = !macstats_emu_switch(&request, MACSTATS_EMU_ATTR(DEVICE_LINE_RATE_BOUND),
					       !config->held);
	if (info->attrs[MACSTATS_EMU_A_DEVICE_OWNED])
		config->owner_portid = info->snd_portid;
	if (seed)
		config->seed = nla_get_u64(seed);
	return request.err;
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
	err = IS_ERR(device) ? PTR_ERR(device) :
	      macstats_emu_reply_device(info, device, MACSTATS_EMU_CMD_DEVICE_NEW);
	/* Without the reply, the sender would not know the device. */
	if (err && !IS_ERR(device))
		macstats_emu_device_del(device);
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
		return ERR_PTR(macstats_missing(info->extack, MACSTATS_EMU_ATTR(DEVICE_ID)));
	device = xa_load(&macstats_emu_devices, nla_get_u32(id));
	if (device && net_eq(device->net, genl_info_net(info)))
		return device;
	return ERR_PTR(MACSTATS_REJECT(-ENODEV, info->extack, id,
				       "DEVICE_ID: no device %u in this network namespace: see DEVICE_GET",
				       nla_get_u32(id)));
}

int macstats_emu_nl_device_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_emu_device *device;

	mutex_lock(&macstats_emu_lock);
	device = macstats_emu_device_from(info);
	if (!IS_ERR(device))
		macstats_emu_device_del(device);
	mutex_unlock(&macstats_emu_lock);
	return PTR_ERR_OR_ZERO(device);
}

int macstats_emu_nl_device_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	const struct macstats_emu_device *device;
	int err;

	mutex_lock(&macstats_emu_lock);
	device = macstats_emu_device_from(info);
	err = IS_ERR(device) ? PTR_ERR(device) :
	      macstats_emu_reply_device(info, device, MACSTATS_EMU_CMD_DEVICE_GET);
	mutex_unlock(&macstats_emu_lock);
	return err;
}

int macstats_emu_nl_device_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct macstats_emu_view view = { .net = sock_net(cb->skb->sk) };
	struct macstats_emu_device *device;
	unsigned long id;
	int err;

	err = macstats_dump_of_all(cb, MACSTATS_EMU_ATTR(DEVICE_ID));
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
static struct net_device *macstats_emu_port_from(struct genl_info *info, struct macstats_attr attr)
{
	const struct nlattr *ifindex = info->attrs[attr.type];
	struct net_device *netdev;

	if (!ifindex)
		return ERR_PTR(macstats_missing(info->extack, attr));
	netdev = dev_get_by_index(genl_info_net(info), nla_get_u32(ifindex));
	if (netdev && macstats_emu_is_port(netdev))
		return netdev;
	dev_put(netdev);
	return ERR_PTR(MACSTATS_REJECT(-ENODEV, info->extack, ifindex,
				       "%s: no emulated port has ifindex %u: see PORT_GET",
				       attr.name, nla_get_u32(ifindex)));
}

static bool macstats_emu_is_about_port(u8 cmd)
{
	return cmd != MACSTATS_EMU_CMD_DEVICE_NEW && cmd != MACSTATS_EMU_CMD_DEVICE_DEL &&
	       cmd != MACSTATS_EMU_CMD_DEVICE_GET;
}

/* Check the capability; look up the port into user_ptr[0], with a reference. */
static int macstats_emu_pre_doit(const struct macstats_doit_ops *ops, struct sk_buff *skb,
				 struct genl_info *info)
{
	struct net_device *netdev;

	/* A flag of the operation would do the same without an explanation. */
	if (ops->cmd != MACSTATS_EMU_CMD_DEVICE_GET && !netlink_capable(skb, CAP_NET_ADMIN)) {
		NL_SET_ERR_MSG(info->extack, "needs CAP_NET_ADMIN in the first user namespace");
		return -EPERM;
	}
	if (!macstats_emu_is_about_port(ops->cmd))
		return 0;
	netdev = macstats_emu_port_from(info, MACSTATS_EMU_ATTR(PORT_IFINDEX));
	info->user_ptr[0] = netdev;
	return PTR_ERR_OR_ZERO(netdev);
}

static void macstats_emu_post_doit(const struct macstats_doit_ops *ops, struct sk_buff *skb,
				   struct genl_info *info)
{
	if (!macstats_emu_is_about_port(ops->cmd))
		return;
	/* Readers see at once what the request has changed. */
	macstats_port_expire(macstats_emu_stats_of(info->user_ptr[0]));
	dev_put(info->user_ptr[0]);
}

int macstats_emu_nl_link_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct net_device *netdev = info->user_ptr[0];
	struct net_device *peer;
	int err;

	peer = macstats_emu_port_from(info, MACSTATS_EMU_ATTR(PORT_PEER));
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
