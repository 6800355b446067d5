// SPDX-License-Identifier: GPL-2.0
/* Requests of the family "macstats_emu" for one port: frames, registers, faults, time. */
#include <linux/netdevice.h>

#include <macstats/netlink_emu.h>

#include "../genl.h"
#include "netdev.h"
#include "netlink.h"
#include "netlink_gen.h"

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
			       info->attrs[MACSTATS_EMU_A_PORT_FRAME], macstats_emu_frame_nl_policy,
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

int macstats_emu_nl_inject_doit(struct sk_buff *skb, struct genl_info *info)
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
	unsigned int n = macstats_register_counters(model);
	u32 low = ~0u;
	u32 high = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		if (macstats__is_windowed(model, counter))
			continue;
		low = min(low, counter->offset);
		high = max(high, macstats_counter_end(model, counter) - 1);
	}
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

int macstats_emu_nl_reg_read_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_emu_port *port = macstats_emu_port_of(info->user_ptr[0]);
	const struct nlattr *address = info->attrs[MACSTATS_EMU_A_PORT_ADDRESS];
	u32 ifindex = nla_get_u32(info->attrs[MACSTATS_EMU_A_PORT_IFINDEX]);
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
	if (!header || nla_put_u32(reply, MACSTATS_EMU_A_PORT_IFINDEX, ifindex) ||
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

int macstats_emu_nl_reg_write_doit(struct sk_buff *skb, struct genl_info *info)
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

int macstats_emu_nl_preset_doit(struct sk_buff *skb, struct genl_info *info)
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
		macstats_emu_set_faults(netdev, &rest);
	if (request->faults & MACSTATS_FAULT_RESET)
		macstats_emu_reset(netdev, announced);
	if (!request->active && (request->faults & MACSTATS_FAULT_SUSPEND))
		macstats_emu_resume(netdev, MACSTATS_EMU_SLEEP_FAULT);
}

int macstats_emu_nl_fault_doit(struct sk_buff *skb, struct genl_info *info)
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

int macstats_emu_nl_poll_doit(struct sk_buff *skb, struct genl_info *info)
{
	/* A failed read makes the port stale, which the provider reports. */
	macstats_port_refresh(macstats_emu_stats_of(info->user_ptr[0]));
	return 0;
}

int macstats_emu_nl_advance_doit(struct sk_buff *skb, struct genl_info *info)
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
