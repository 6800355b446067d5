// SPDX-License-Identifier: GPL-2.0
/* The generic netlink family "macstats_emu": devices, and things done to them. */
#include <linux/rtnetlink.h>

#include <macstats/netlink.h>

#include "../genl.h"
#include "emu.h"

static struct genl_family emu_family;

static const struct nla_policy emu_new_policy[] = {
	[MACSTATS_EMU_A_DEVICE_MODEL] = { .type = NLA_NUL_STRING, .len = 63 },
	[MACSTATS_EMU_A_DEVICE_NAME] = { .type = NLA_NUL_STRING, .len = 63 },
	[MACSTATS_EMU_A_DEVICE_OPTIONS] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_DEVICE_POWER_UP_RANDOM] = { .type = NLA_FLAG },
	[MACSTATS_EMU_A_DEVICE_SEED] = { .type = NLA_U64 },
	[MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY] = { .type = NLA_FLAG },
	[MACSTATS_EMU_A_DEVICE_HELD] = { .type = NLA_FLAG },
	[MACSTATS_EMU_A_DEVICE_OWNED] = { .type = NLA_FLAG },
};

static const struct nla_policy emu_device_policy[] = {
	[MACSTATS_EMU_A_DEVICE_ID] = { .type = NLA_U32 },
};

static const struct nla_policy emu_frame_policy[] = {
	[MACSTATS_EMU_A_FRAME_DIRECTION] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_LENGTH] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_DESTINATION] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_KIND] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_ORIGIN] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_VLAN_TAGS] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_ERRORS] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_COLLISIONS] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_FRAME_DEFERRED] = { .type = NLA_FLAG },
};

static const struct nla_policy emu_link_policy[] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_PEER] = { .type = NLA_U32 },
};

static const struct nla_policy emu_port_policy[] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32 },
};

static const struct nla_policy emu_inject_policy[] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_FRAME] = NLA_POLICY_NESTED(emu_frame_policy),
	[MACSTATS_EMU_A_PORT_COUNT] = { .type = NLA_U64 },
};

static const struct nla_policy emu_reg_read_policy[] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_ADDRESS] = { .type = NLA_U32 },
};

static const struct nla_policy emu_reg_write_policy[] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_ADDRESS] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_VALUE] = { .type = NLA_U64 },
};

static const struct nla_policy emu_preset_policy[] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_COUNTER] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_VALUE] = { .type = NLA_U64 },
};

static const struct nla_policy emu_fault_policy[] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_FAULT] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_ACTIVE] = { .type = NLA_U8 },
};

static const struct nla_policy emu_advance_policy[] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32 },
	[MACSTATS_EMU_A_PORT_NSECS] = { .type = NLA_U64 },
};

/* A number from @low to @high; @value keeps what it is if @attr is not there. */
static int emu_number(const struct nlattr *attr, const char *what, u32 low, u32 high,
		      u32 *value, struct netlink_ext_ack *extack)
{
	u32 number;

	if (!attr)
		return 0;
	number = nla_get_u32(attr);
	if (number < low || number > high) {
		MACSTATS_EXTACK_ATTR(extack, attr, "%s: %u is not in %u to %u", what, number, low,
				     high);
		return -ERANGE;
	}
	*value = number;
	return 0;
}

/* One of the bits of @all. */
static int emu_one_of(const struct nlattr *attr, const char *what, u32 all, u8 *value,
		      struct netlink_ext_ack *extack)
{
	u32 number;

	if (!attr)
		return 0;
	number = nla_get_u32(attr);
	if (!is_power_of_2(number) || (number & ~all)) {
		MACSTATS_EXTACK_ATTR(extack, attr, "%s: %#x is not one of the bits of %#x", what,
				     number, all);
		return -EINVAL;
	}
	*value = number;
	return 0;
}

/* Any of the bits of @all. */
static int emu_any_of(const struct nlattr *attr, const char *what, u32 all, u32 *value,
		      struct netlink_ext_ack *extack)
{
	u32 number;

	if (!attr)
		return 0;
	number = nla_get_u32(attr);
	if (number & ~all) {
		MACSTATS_EXTACK_ATTR(extack, attr, "%s: %#x has bits that are not in %#x", what,
				     number, all);
		return -EINVAL;
	}
	*value = number;
	return 0;
}

/* Is a device of any concern to @net? Caller holds emu_lock and RTNL. */
static bool emu_is_visible(const struct emu_device *device, const struct net *net)
{
	unsigned int i;

	if (device->home == net)
		return true;
	for (i = 0; i < device->n_ports; i++)
		if (device->ports[i].netdev &&
		    net_eq(dev_net(device->ports[i].netdev), net))
			return true;
	return false;
}

/* A device, as it is seen from @net. */
struct emu_view {
	const struct emu_device *device;
	const struct net *net;
};

/* Caller holds RTNL. */
static int emu_fill_device(struct sk_buff *skb, const void *object)
{
	const struct emu_view *view = object;
	const struct emu_device *device = view->device;
	unsigned int i;

	if (nla_put_u32(skb, MACSTATS_EMU_A_DEVICE_ID, device->id) ||
	    nla_put_string(skb, MACSTATS_EMU_A_DEVICE_MODEL, device->model->name) ||
	    nla_put_u32(skb, MACSTATS_EMU_A_DEVICE_OPTIONS, device->ports[0].emu.options) ||
	    (device->private_only && nla_put_flag(skb, MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY)) ||
	    (device->held && nla_put_flag(skb, MACSTATS_EMU_A_DEVICE_HELD)) ||
	    (device->owner_portid && nla_put_flag(skb, MACSTATS_EMU_A_DEVICE_OWNED)))
		return -EMSGSIZE;
	for (i = 0; i < device->n_ports; i++) {
		const struct net_device *netdev = device->ports[i].netdev;
		bool here = netdev && net_eq(dev_net(netdev), view->net);

		/* A port elsewhere has an index there: here, it has none. */
		if (nla_put_u32(skb, MACSTATS_EMU_A_DEVICE_PORT, here ? netdev->ifindex : 0))
			return -EMSGSIZE;
	}
	return 0;
}

static int emu_reply_device(struct genl_info *info, const struct emu_device *device, u8 cmd)
{
	struct emu_view view = { device, genl_info_net(info) };
	int err;

	rtnl_lock();
	err = macstats_reply(info, &emu_family, cmd, emu_fill_device, &view);
	rtnl_unlock();
	return err;
}

static int emu_device_config(struct genl_info *info, struct emu_config *config)
{
	const struct nlattr *model = info->attrs[MACSTATS_EMU_A_DEVICE_MODEL];
	const struct nlattr *name = info->attrs[MACSTATS_EMU_A_DEVICE_NAME];
	const struct nlattr *seed = info->attrs[MACSTATS_EMU_A_DEVICE_SEED];
	u32 options;
	int err;

	if (!model)
		return macstats_missing(info, "DEVICE_MODEL");
	config->model = macstats_model_find(nla_data(model));
	if (!config->model) {
		MACSTATS_EXTACK_ATTR(info->extack, model,
				     "DEVICE_MODEL: no such model, see MODEL_GET");
		return -ENOENT;
	}
	options = config->model->default_options;
	err = emu_any_of(info->attrs[MACSTATS_EMU_A_DEVICE_OPTIONS], "DEVICE_OPTIONS",
			 config->model->options, &options, info->extack);
	if (err)
		return err;
	config->options = options;
	if (name) {
		config->name = nla_data(name);
		if (!dev_valid_name(config->name)) {
			MACSTATS_EXTACK_ATTR(info->extack, name,
					     "DEVICE_NAME: not a net device's, of 1 to %d characters",
					     IFNAMSIZ - 1);
			return -EINVAL;
		}
		if (config->model->ports > 1 && !strstr(config->name, "%d")) {
			MACSTATS_EXTACK_ATTR(info->extack, name,
					     "DEVICE_NAME: has to contain %%d for %u ports",
					     config->model->ports);
			return -EINVAL;
		}
	}
	config->random = info->attrs[MACSTATS_EMU_A_DEVICE_POWER_UP_RANDOM];
	config->private_only = info->attrs[MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY];
	config->held = info->attrs[MACSTATS_EMU_A_DEVICE_HELD];
	if (info->attrs[MACSTATS_EMU_A_DEVICE_OWNED])
		config->owner_portid = info->snd_portid;
	if (seed)
		config->seed = nla_get_u64(seed);
	return 0;
}

static int emu_nl_device_new(struct sk_buff *skb, struct genl_info *info)
{
	struct emu_config config = {};
	struct emu_device *device;
	int err = macstats_allowed(skb, info);

	err = err ?: emu_device_config(info, &config);
	if (err)
		return err;
	mutex_lock(&emu_lock);
	device = emu_device_new(genl_info_net(info), &config, info->extack);
	err = PTR_ERR_OR_ZERO(device);
	if (!err) {
		err = emu_reply_device(info, device, MACSTATS_EMU_CMD_DEVICE_NEW);
		/* Nobody would know of it. */
		if (err)
			emu_device_del(device);
	}
	mutex_unlock(&emu_lock);
	return err;
}

/* The device that a request names. Caller holds emu_lock. */
static struct emu_device *emu_device_from(struct genl_info *info)
{
	const struct nlattr *id = info->attrs[MACSTATS_EMU_A_DEVICE_ID];
	struct emu_device *device;

	if (!id)
		return ERR_PTR(macstats_missing(info, "DEVICE_ID"));
	device = xa_load(&emu_devices, nla_get_u32(id));
	rtnl_lock();
	if (device && !emu_is_visible(device, genl_info_net(info)))
		device = NULL;
	rtnl_unlock();
	if (device)
		return device;
	MACSTATS_EXTACK_ATTR(info->extack, id, "DEVICE_ID: there is no device %u",
			     nla_get_u32(id));
	return ERR_PTR(-ENODEV);
}

static int emu_nl_device_del(struct sk_buff *skb, struct genl_info *info)
{
	struct emu_device *device;
	int err = macstats_allowed(skb, info);

	if (err)
		return err;
	mutex_lock(&emu_lock);
	device = emu_device_from(info);
	err = PTR_ERR_OR_ZERO(device);
	if (!err)
		emu_device_del(device);
	mutex_unlock(&emu_lock);
	return err;
}

static int emu_nl_device_get(struct sk_buff *skb, struct genl_info *info)
{
	struct emu_device *device;
	int err;

	mutex_lock(&emu_lock);
	device = emu_device_from(info);
	err = PTR_ERR_OR_ZERO(device);
	if (!err)
		err = emu_reply_device(info, device, MACSTATS_EMU_CMD_DEVICE_GET);
	mutex_unlock(&emu_lock);
	return err;
}

static int emu_nl_device_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct emu_view view = { .net = sock_net(cb->skb->sk) };
	int err = macstats_dump_of_all(cb, MACSTATS_EMU_A_DEVICE_ID, "DEVICE_ID");
	struct emu_device *device;
	unsigned long id;

	if (err)
		return err;
	mutex_lock(&emu_lock);
	rtnl_lock();
	cb->seq = emu_devices_seq;
	xa_for_each_start(&emu_devices, id, device, cb->args[0]) {
		if (!emu_is_visible(device, view.net))
			continue;
		view.device = device;
		err = macstats_dump_put(skb, cb, &emu_family, MACSTATS_EMU_CMD_DEVICE_GET,
					emu_fill_device, &view);
		if (err)
			break;
		cb->args[0] = id + 1;
	}
	rtnl_unlock();
	mutex_unlock(&emu_lock);
	return macstats_dump_done(skb, err);
}

static int emu_no_port(struct genl_info *info, const struct nlattr *ifindex, const char *what)
{
	MACSTATS_EXTACK_ATTR(info->extack, ifindex, "%s: no emulated port has ifindex %u", what,
			     nla_get_u32(ifindex));
	return -ENODEV;
}

/* The net device of a port. Caller holds RTNL. */
static struct net_device *emu_netdev_from(struct genl_info *info, unsigned int attr,
					  const char *what)
{
	const struct nlattr *ifindex = info->attrs[attr];
	struct net_device *netdev;

	if (!ifindex)
		return ERR_PTR(macstats_missing(info, what));
	netdev = __dev_get_by_index(genl_info_net(info), nla_get_u32(ifindex));
	if (!netdev || !emu_is_port(netdev))
		return ERR_PTR(emu_no_port(info, ifindex, what));
	return netdev;
}

static int emu_nl_link(struct sk_buff *skb, struct genl_info *info)
{
	struct net_device *peer = NULL;
	struct net_device *netdev;
	int err = macstats_allowed(skb, info);

	if (err)
		return err;
	rtnl_lock();
	netdev = emu_netdev_from(info, MACSTATS_EMU_A_PORT_IFINDEX, "PORT_IFINDEX");
	err = PTR_ERR_OR_ZERO(netdev);
	if (!err) {
		peer = emu_netdev_from(info, MACSTATS_EMU_A_PORT_PEER, "PORT_PEER");
		err = PTR_ERR_OR_ZERO(peer);
	}
	if (!err)
		err = emu_link(netdev, peer, info->extack);
	rtnl_unlock();
	return err;
}

static int emu_nl_unlink(struct sk_buff *skb, struct genl_info *info)
{
	struct net_device *netdev;
	int err = macstats_allowed(skb, info);

	if (err)
		return err;
	rtnl_lock();
	netdev = emu_netdev_from(info, MACSTATS_EMU_A_PORT_IFINDEX, "PORT_IFINDEX");
	err = PTR_ERR_OR_ZERO(netdev);
	if (!err)
		err = emu_unlink(netdev, info->extack);
	rtnl_unlock();
	return err;
}

/*
 * Begin doing something to a port's hardware: checks the sender and takes a
 * reference to the net device, without which neither the driver lets go of the
 * port nor the device goes. emu_port_end() gives it back.
 */
static struct emu_port *emu_port_begin(struct sk_buff *skb, struct genl_info *info,
				       struct net_device **netdev)
{
	const struct nlattr *ifindex = info->attrs[MACSTATS_EMU_A_PORT_IFINDEX];
	int err = macstats_allowed(skb, info);

	if (err)
		return ERR_PTR(err);
	if (!ifindex)
		return ERR_PTR(macstats_missing(info, "PORT_IFINDEX"));
	*netdev = dev_get_by_index(genl_info_net(info), nla_get_u32(ifindex));
	if (*netdev && emu_is_port(*netdev))
		return emu_port_of(*netdev);
	dev_put(*netdev);
	return ERR_PTR(emu_no_port(info, ifindex, "PORT_IFINDEX"));
}

static void emu_port_end(struct net_device *netdev)
{
	dev_put(netdev);
}

static int emu_frame_from(struct genl_info *info, struct macstats_frame *frame)
{
	struct nlattr *attrs[MACSTATS_EMU_A_FRAME_MAX + 1];
	struct netlink_ext_ack *extack = info->extack;
	u32 length = MACSTATS_FRAME_MIN;
	u32 collisions = 0;
	u32 tags = 0;
	u32 errors = 0;
	int err;

	if (!info->attrs[MACSTATS_EMU_A_PORT_FRAME])
		return macstats_missing(info, "PORT_FRAME");
	err = nla_parse_nested(attrs, MACSTATS_EMU_A_FRAME_MAX,
			       info->attrs[MACSTATS_EMU_A_PORT_FRAME], emu_frame_policy, extack);
	err = err ?: emu_one_of(attrs[MACSTATS_EMU_A_FRAME_DIRECTION], "FRAME_DIRECTION",
				MACSTATS_RX | MACSTATS_TX, &frame->direction, extack);
	err = err ?: emu_number(attrs[MACSTATS_EMU_A_FRAME_LENGTH], "FRAME_LENGTH", 1,
				MACSTATS_FRAME_MAX, &length, extack);
	err = err ?: emu_one_of(attrs[MACSTATS_EMU_A_FRAME_DESTINATION], "FRAME_DESTINATION",
				MACSTATS_UNICAST | MACSTATS_MULTICAST | MACSTATS_BROADCAST,
				&frame->destination, extack);
	err = err ?: emu_one_of(attrs[MACSTATS_EMU_A_FRAME_KIND], "FRAME_KIND",
				MACSTATS_ANY_KIND, &frame->kind, extack);
	err = err ?: emu_one_of(attrs[MACSTATS_EMU_A_FRAME_ORIGIN], "FRAME_ORIGIN",
				MACSTATS_BY_SOFTWARE | MACSTATS_BY_MAC, &frame->origin, extack);
	err = err ?: emu_number(attrs[MACSTATS_EMU_A_FRAME_VLAN_TAGS], "FRAME_VLAN_TAGS", 0, 2,
				&tags, extack);
	err = err ?: emu_any_of(attrs[MACSTATS_EMU_A_FRAME_ERRORS], "FRAME_ERRORS",
				MACSTATS_ERR_ALL, &errors, extack);
	err = err ?: emu_number(attrs[MACSTATS_EMU_A_FRAME_COLLISIONS], "FRAME_COLLISIONS", 0,
				MACSTATS_ATTEMPT_LIMIT, &collisions, extack);
	if (err)
		return err;
	frame->length = length;
	frame->vlan_tags = tags;
	frame->errors = errors;
	frame->collisions = collisions;
	frame->deferred = attrs[MACSTATS_EMU_A_FRAME_DEFERRED];
	return 0;
}

static int emu_nl_inject(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[MACSTATS_EMU_A_PORT_COUNT];
	struct macstats_frame frame = {
		.direction = MACSTATS_RX,
		.destination = MACSTATS_UNICAST,
		.kind = MACSTATS_DATA,
		.origin = MACSTATS_BY_SOFTWARE,
	};
	struct net_device *netdev;
	struct emu_port *port = emu_port_begin(skb, info, &netdev);
	u64 count = attr ? nla_get_u64(attr) : 1;
	int err;

	if (IS_ERR(port))
		return PTR_ERR(port);
	err = emu_frame_from(info, &frame);
	if (!err && (!count || count > S64_MAX)) {
		MACSTATS_EXTACK_ATTR(info->extack, attr,
				     "PORT_COUNT: not in 1 to 9223372036854775807 (2^63 - 1)");
		err = -ERANGE;
	}
	if (!err)
		emu_inject(netdev, &frame, count);
	emu_port_end(netdev);
	return err;
}

/* What went wrong on the emulated bus. */
static void emu_explain_access(struct genl_info *info, const struct emu_port *port, u32 address,
			       int err)
{
	const struct macstats_model *model = port->device->model;
	const struct macstats_counter *last = &model->counters[model->n_counters - 1];
	u32 low = model->counters[0].offset;
	u32 high = macstats_counter_end(model, last) - 1;

	if (model->n_registers) {
		low = min(low, model->registers[0].offset);
		high = max(high, model->registers[model->n_registers - 1].offset);
	}
	if (err == -ENXIO)
		MACSTATS_EXTACK_ATTR(info->extack, info->attrs[MACSTATS_EMU_A_PORT_ADDRESS],
				     "PORT_ADDRESS: no register at %#x, they lie in %#x to %#x",
				     address, low, high);
	else if (err)
		NL_SET_ERR_MSG(info->extack, "the access failed on the bus");
}

static int emu_nl_reg_read(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[MACSTATS_EMU_A_PORT_ADDRESS];
	struct net_device *netdev;
	struct emu_port *port = emu_port_begin(skb, info, &netdev);
	struct sk_buff *reply = NULL;
	void *header;
	u64 value;
	int err;

	if (IS_ERR(port))
		return PTR_ERR(port);
	/* First what may fail: the read may not be repeatable. */
	err = attr ? 0 : macstats_missing(info, "PORT_ADDRESS");
	if (!err) {
		reply = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL);
		err = reply ? 0 : -ENOMEM;
	}
	if (!err) {
		err = emu_reg_read(port, nla_get_u32(attr), &value);
		emu_explain_access(info, port, nla_get_u32(attr), err);
	}
	if (!err) {
		header = genlmsg_put_reply(reply, info, &emu_family, 0,
					   MACSTATS_EMU_CMD_REG_READ);
		if (!header ||
		    nla_put_u32(reply, MACSTATS_EMU_A_PORT_IFINDEX, netdev->ifindex) ||
		    nla_put_u32(reply, MACSTATS_EMU_A_PORT_ADDRESS, nla_get_u32(attr)) ||
		    nla_put_u64_64bit(reply, MACSTATS_EMU_A_PORT_VALUE, value,
				      MACSTATS_EMU_A_PORT_PAD))
			err = -EMSGSIZE;
	}
	emu_port_end(netdev);
	if (err) {
		nlmsg_free(reply);
		return err;
	}
	genlmsg_end(reply, header);
	return genlmsg_reply(reply, info);
}

static int emu_nl_reg_write(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *address = info->attrs[MACSTATS_EMU_A_PORT_ADDRESS];
	const struct nlattr *value = info->attrs[MACSTATS_EMU_A_PORT_VALUE];
	struct net_device *netdev;
	struct emu_port *port = emu_port_begin(skb, info, &netdev);
	int err = 0;

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (!address) {
		err = macstats_missing(info, "PORT_ADDRESS");
	} else if (!value) {
		err = macstats_missing(info, "PORT_VALUE");
	} else if (nla_get_u64(value) > macstats_bus_mask(port->device->model)) {
		MACSTATS_EXTACK_ATTR(info->extack, value,
				     "PORT_VALUE: not in 0 to %#llx, a bus word",
				     (u64)macstats_bus_mask(port->device->model));
		err = -ERANGE;
	} else {
		err = emu_reg_write(port, nla_get_u32(address), nla_get_u64(value));
		emu_explain_access(info, port, nla_get_u32(address), err);
	}
	emu_port_end(netdev);
	return err;
}

static u64 emu_hold(void *context, unsigned int index, u64 value)
{
	struct emu_port *port = context;
	unsigned long flags;
	u64 held;

	spin_lock_irqsave(&port->lock, flags);
	held = macstats_emulator_preset(&port->emu, &port->lanes, index, value);
	spin_unlock_irqrestore(&port->lock, flags);
	return held;
}

static int emu_nl_preset(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *value = info->attrs[MACSTATS_EMU_A_PORT_VALUE];
	const struct nlattr *attr = info->attrs[MACSTATS_EMU_A_PORT_COUNTER];
	struct net_device *netdev;
	struct emu_port *port = emu_port_begin(skb, info, &netdev);
	const struct macstats_model *model;
	u32 index = 0;
	u64 most;
	int err;

	if (IS_ERR(port))
		return PTR_ERR(port);
	model = port->device->model;
	err = attr ? 0 : macstats_missing(info, "PORT_COUNTER");
	if (!err && !value)
		err = macstats_missing(info, "PORT_VALUE");
	err = err ?: emu_number(attr, "PORT_COUNTER", 0, model->n_counters - 1, &index,
				info->extack);
	if (!err) {
		most = macstats_bits_mask(model->counters[index].bits);
		if (nla_get_u64(value) > most) {
			MACSTATS_EXTACK_ATTR(info->extack, value, "PORT_VALUE: not in 0 to %#llx",
					     most);
			err = -ERANGE;
		}
	}
	if (!err && !(port->emu.options & MACSTATS_OPT_STATISTICS)) {
		NL_SET_ERR_MSG(info->extack, "the device is built without the counters");
		err = -EOPNOTSUPP;
	}
	if (!err && macstats_is_described(&model->counters[index])) {
		NL_SET_ERR_MSG(info->extack, "PORT_COUNTER: no register holds that counter");
		err = -EOPNOTSUPP;
	}
	if (!err) {
		macstats_port_preset(emu_stats_of(netdev), index, nla_get_u64(value), emu_hold,
				     port);
		emu_look_for_interrupt(netdev);
	}
	emu_port_end(netdev);
	return err;
}

static int emu_nl_fault(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *active = info->attrs[MACSTATS_EMU_A_PORT_ACTIVE];
	const struct nlattr *fault = info->attrs[MACSTATS_EMU_A_PORT_FAULT];
	struct net_device *netdev;
	struct emu_port *port = emu_port_begin(skb, info, &netdev);
	unsigned long flags;
	u32 faults = 0;
	int err;

	if (IS_ERR(port))
		return PTR_ERR(port);
	err = fault ? 0 : macstats_missing(info, "PORT_FAULT");
	err = err ?: emu_any_of(fault, "PORT_FAULT", port->device->model->faults, &faults,
				info->extack);
	if (!err && !faults) {
		MACSTATS_EXTACK_ATTR(info->extack, fault, "PORT_FAULT: none of the bits of %#x",
				     port->device->model->faults);
		err = -EINVAL;
	}
	if (!err && active && nla_get_u8(active) > 1) {
		MACSTATS_EXTACK_ATTR(info->extack, active, "PORT_ACTIVE: %u is not 0 or 1",
				     nla_get_u8(active));
		err = -ERANGE;
	}
	if (!err) {
		spin_lock_irqsave(&port->lock, flags);
		macstats_emulator_fault(&port->emu, faults, !active || nla_get_u8(active));
		spin_unlock_irqrestore(&port->lock, flags);
	}
	emu_port_end(netdev);
	return err;
}

static int emu_nl_poll(struct sk_buff *skb, struct genl_info *info)
{
	struct net_device *netdev;
	struct emu_port *port = emu_port_begin(skb, info, &netdev);

	if (IS_ERR(port))
		return PTR_ERR(port);
	/* If it cannot be read then the port is stale, which is for it to tell. */
	macstats_port_refresh(emu_stats_of(netdev));
	emu_port_end(netdev);
	return 0;
}

static int emu_nl_advance(struct sk_buff *skb, struct genl_info *info)
{
	const struct nlattr *nsecs = info->attrs[MACSTATS_EMU_A_PORT_NSECS];
	struct net_device *netdev;
	struct emu_port *port = emu_port_begin(skb, info, &netdev);
	int err = 0;

	if (IS_ERR(port))
		return PTR_ERR(port);
	if (!nsecs) {
		err = macstats_missing(info, "PORT_NSECS");
	} else if (nla_get_u64(nsecs) > S64_MAX) {
		MACSTATS_EXTACK_ATTR(info->extack, nsecs,
				     "PORT_NSECS: not in 0 to 9223372036854775807 (2^63 - 1)");
		err = -ERANGE;
	} else {
		macstats_port_advance(emu_stats_of(netdev), nla_get_u64(nsecs));
	}
	emu_port_end(netdev);
	return err;
}

static const struct genl_ops emu_ops[] = {
	{
		.cmd = MACSTATS_EMU_CMD_DEVICE_NEW,
		.doit = emu_nl_device_new,
		MACSTATS_POLICY(emu_new_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_DEVICE_DEL,
		.doit = emu_nl_device_del,
		MACSTATS_POLICY(emu_device_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_DEVICE_GET,
		.doit = emu_nl_device_get,
		.dumpit = emu_nl_device_dump,
		MACSTATS_POLICY(emu_device_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_LINK,
		.doit = emu_nl_link,
		MACSTATS_POLICY(emu_link_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_UNLINK,
		.doit = emu_nl_unlink,
		MACSTATS_POLICY(emu_port_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_INJECT,
		.doit = emu_nl_inject,
		MACSTATS_POLICY(emu_inject_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_REG_READ,
		.doit = emu_nl_reg_read,
		MACSTATS_POLICY(emu_reg_read_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_REG_WRITE,
		.doit = emu_nl_reg_write,
		MACSTATS_POLICY(emu_reg_write_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_PRESET,
		.doit = emu_nl_preset,
		MACSTATS_POLICY(emu_preset_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_FAULT,
		.doit = emu_nl_fault,
		MACSTATS_POLICY(emu_fault_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_POLL,
		.doit = emu_nl_poll,
		MACSTATS_POLICY(emu_port_policy),
	},
	{
		.cmd = MACSTATS_EMU_CMD_ADVANCE,
		.doit = emu_nl_advance,
		MACSTATS_POLICY(emu_advance_policy),
	},
};

static struct genl_family emu_family __ro_after_init = {
	.name = MACSTATS_EMU_GENL_NAME,
	.version = MACSTATS_EMU_GENL_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.module = THIS_MODULE,
	.ops = emu_ops,
	.n_ops = ARRAY_SIZE(emu_ops),
};

int __init emu_netlink_init(void)
{
	return genl_register_family(&emu_family);
}

void emu_netlink_exit(void)
{
	genl_unregister_family(&emu_family);
}

MODULE_ALIAS_GENL_FAMILY(MACSTATS_EMU_GENL_NAME);
