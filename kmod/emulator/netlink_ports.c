// SPDX-License-Identifier: GPL-2.0
/* Requests of the family "macstats_emu" for one port: frames, registers, faults, time. */
#include <linux/netdevice.h>

#include <macstats/netlink_emu.h>

#include "netdev.h"
#include "netlink.h"
#include "netlink_gen.h"

/* A control of the first descriptor. */
static u8 macstats_emu_control(struct macstats_emu_request *request, struct macstats_attr attr)
{
	bool on = macstats_emu_switch(request, attr, false);

	if (!request->attrs[attr.type])
		return MACSTATS_BY_REGISTER;
	return on ? MACSTATS_CONTROL_ON : MACSTATS_CONTROL_OFF;
}

/* Read the attributes of a frame that are about its descriptors. */
static int macstats_emu_descriptors_from(struct macstats_emu_request *request,
					 const struct macstats_model *model,
					 struct macstats_frame *frame)
{
	const struct macstats_attr attrs[] = {
		MACSTATS_EMU_ATTR(FRAME_DESCRIPTORS),
		MACSTATS_EMU_ATTR(FRAME_APPEND_CRC),
		MACSTATS_EMU_ATTR(FRAME_HUGE),
	};
	unsigned int i;
	int err;

	frame->descriptors = macstats_emu_number(request, attrs[0], 1, MACSTATS_MAX_DESCRIPTORS, 0);
	frame->append_crc = macstats_emu_control(request, attrs[1]);
	frame->huge = macstats_emu_control(request, attrs[2]);
	if (request->err)
		return request->err;
	err = macstats_check_descriptors(model, frame);
	if (!err)
		return 0;
	/* Several descriptors are possible in both directions. */
	i = err == -EINVAL ? 1 : 0;
	while (i < ARRAY_SIZE(attrs) - 1 && !request->attrs[attrs[i].type])
		i++;
	if (err == -EINVAL)
		return MACSTATS_REJECT(err, request->extack, request->attrs[attrs[i].type],
				       "%s: only transmitted frames of software have it",
				       attrs[i].name);
	return MACSTATS_REJECT(err, request->extack, request->attrs[attrs[i].type],
			       "%s: %s has no descriptors with a status", attrs[i].name,
			       model->name);
}

static int macstats_emu_frame_from(struct genl_info *info, const struct macstats_model *model,
				   struct macstats_frame *frame)
{
	const struct nlattr *given = info->attrs[MACSTATS_EMU_A_PORT_FRAME];
	struct nlattr *attrs[MACSTATS_EMU_A_FRAME_MAX + 1];
	struct macstats_emu_request request = { .attrs = attrs, .extack = info->extack };
	int err;

	if (!given)
		return macstats_missing(info->extack, MACSTATS_EMU_ATTR(PORT_FRAME));
	err = nla_parse_nested(attrs, MACSTATS_EMU_A_FRAME_MAX, given,
			       macstats_emu_frame_nl_policy, info->extack);
	if (err)
		return err;
	frame->direction = macstats_emu_one_of(&request, MACSTATS_EMU_ATTR(FRAME_DIRECTION),
					       MACSTATS_RX | MACSTATS_TX, MACSTATS_TX);
	frame->length = macstats_emu_number(&request, MACSTATS_EMU_ATTR(FRAME_LENGTH), 1,
					    MACSTATS_FRAME_MAX, MACSTATS_FRAME_MIN);
	frame->destination = macstats_emu_one_of(&request, MACSTATS_EMU_ATTR(FRAME_DESTINATION),
						 MACSTATS_UNICAST | MACSTATS_MULTICAST |
						 MACSTATS_BROADCAST, 0);
	frame->kind = macstats_emu_one_of(&request, MACSTATS_EMU_ATTR(FRAME_KIND),
					  MACSTATS_ANY_KIND, MACSTATS_DATA);
	frame->origin = macstats_emu_one_of(&request, MACSTATS_EMU_ATTR(FRAME_ORIGIN),
					    MACSTATS_ANY_ORIGIN, MACSTATS_BY_SOFTWARE);
	frame->vlan_tags = macstats_emu_number(&request, MACSTATS_EMU_ATTR(FRAME_VLAN_TAGS),
					       0, 2, 0);
	frame->errors = macstats_emu_any_of(&request, MACSTATS_EMU_ATTR(FRAME_ERRORS),
					    MACSTATS_ERR_ALL, 0);
	frame->collisions = macstats_emu_number(&request, MACSTATS_EMU_ATTR(FRAME_COLLISIONS),
						0, MACSTATS_ATTEMPT_LIMIT, 0);
	frame->deferred = attrs[MACSTATS_EMU_A_FRAME_DEFERRED];
	if (request.err)
		return request.err;
	if (!attrs[MACSTATS_EMU_A_FRAME_DESTINATION])
		frame->destination = macstats_default_destination(model, frame);
	if (!macstats_valid_own_pause(model, frame))
		return MACSTATS_REJECT(-EINVAL, info->extack, given,
				       "PORT_FRAME: pause frames of this MAC have %u octets and a multicast destination",
				       MACSTATS_FRAME_MIN);
	return macstats_emu_descriptors_from(&request, model, frame);
}

int macstats_emu_nl_inject_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_emu_request request = { .attrs = info->attrs, .extack = info->extack };
	struct net_device *netdev = info->user_ptr[0];
	struct macstats_frame frame = {};
	u64 count;
	int err;

	err = macstats_emu_frame_from(info, macstats_emu_port_of(netdev)->device->model, &frame);
	if (err)
		return err;
	count = macstats_emu_long(&request, MACSTATS_EMU_ATTR(PORT_COUNT), 1, 1);
	if (!request.err)
		macstats_emu_inject(netdev, &frame, count);
	return request.err;
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
		high = max3(high, macstats_counter_end(model, counter) - 1,
			    counter->offset + counter->word_stride);
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
		return macstats_missing(info->extack, MACSTATS_EMU_ATTR(PORT_ADDRESS));
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
		return macstats_missing(info->extack, MACSTATS_EMU_ATTR(PORT_ADDRESS));
	if (!value)
		return macstats_missing(info->extack, MACSTATS_EMU_ATTR(PORT_VALUE));
	most = macstats_bus_mask(port->device->model);
	if (nla_get_u64(value) > most)
		return MACSTATS_REJECT(-ERANGE, info->extack, value,
				       "PORT_VALUE: %#llx is out of range: 0 to %#llx, a bus word",
				       nla_get_u64(value), most);
	err = macstats_emu_reg_write(port, nla_get_u32(address), nla_get_u64(value), true);
	if (err)
		macstats_emu_explain_access(info, port, nla_get_u32(address), err);
	return err;
}

int macstats_emu_nl_preset_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct macstats_emu_request request = { .attrs = info->attrs, .extack = info->extack };
	const struct nlattr *attr = info->attrs[MACSTATS_EMU_A_PORT_COUNTER];
	const struct nlattr *value = info->attrs[MACSTATS_EMU_A_PORT_VALUE];
	struct net_device *netdev = info->user_ptr[0];
	struct macstats_emu_port *port = macstats_emu_port_of(netdev);
	const struct macstats_model *model = port->device->model;
	const struct macstats_counter *counter;
	u32 index;

	if (!attr)
		return macstats_missing(info->extack, MACSTATS_EMU_ATTR(PORT_COUNTER));
	if (!value)
		return macstats_missing(info->extack, MACSTATS_EMU_ATTR(PORT_VALUE));
	index = macstats_emu_number(&request, MACSTATS_EMU_ATTR(PORT_COUNTER), 0,
				    model->n_counters - 1, 0);
	if (request.err)
		return request.err;
	counter = &model->counters[index];
	if (nla_get_u64(value) > macstats_bits_mask(counter->bits))
		return MACSTATS_REJECT(-ERANGE, info->extack, value,
				       "PORT_VALUE: %#llx is out of range: 0 to %#llx",
				       nla_get_u64(value), macstats_bits_mask(counter->bits));
	if (!(port->emu->options & macstats_statistics_options(model))) {
		NL_SET_ERR_MSG(info->extack,
			       "the device is built without the counters: add one with them");
		return -EOPNOTSUPP;
	}
	if (!macstats_builds_counter(model, port->emu->options, counter))
		return MACSTATS_REJECT(-EOPNOTSUPP, info->extack, attr,
				       "PORT_COUNTER: the device is built without %s",
				       counter->name);
	if (macstats_is_software_counter(counter))
		return MACSTATS_REJECT(-EOPNOTSUPP, info->extack, attr,
				       "PORT_COUNTER: no register holds counter %u, a software counter",
				       index);
	macstats_port_preset(macstats_emu_stats_of(netdev), index, nla_get_u64(value),
			     macstats_emu_preset, port);
	return 0;
}

/* Read PORT_ARGUMENT, which belongs to the beginning of some faults. */
static int macstats_emu_fault_argument_from(struct macstats_emu_request *request,
					    const struct macstats_model *model,
					    struct macstats_fault_request *fault)
{
	const u32 with_argument = MACSTATS_FAULT_BUS_ERROR_AT | MACSTATS_FAULT_SLOW_BUS;
	const struct nlattr *argument = request->attrs[MACSTATS_EMU_A_PORT_ARGUMENT];
	const u32 with = fault->active ? fault->faults & with_argument : 0;

	if (!with && !argument)
		return 0;
	if (!with)
		return MACSTATS_REJECT(-EINVAL, request->extack, argument,
				       "PORT_ARGUMENT: accepted only if faults of %#x begin",
				       with_argument);
	if (with == with_argument)
		return MACSTATS_REJECT(-EINVAL, request->extack,
				       request->attrs[MACSTATS_EMU_A_PORT_FAULT],
				       "PORT_FAULT: %#x and %#x need a PORT_ARGUMENT each: begin one at a time",
				       MACSTATS_FAULT_BUS_ERROR_AT, MACSTATS_FAULT_SLOW_BUS);
	if (!argument)
		return macstats_missing(request->extack, MACSTATS_EMU_ATTR(PORT_ARGUMENT));
	if (with == MACSTATS_FAULT_SLOW_BUS)
		fault->argument = macstats_emu_number(request, MACSTATS_EMU_ATTR(PORT_ARGUMENT),
						      1, MACSTATS_SLOW_BUS_MAX_USECS, 0);
	else
		fault->argument = macstats_emu_number(request, MACSTATS_EMU_ATTR(PORT_ARGUMENT),
						      0, macstats_counter_words(model) - 1, 0);
	return request->err;
}

/* Read and check all attributes of a request for faults. */
static int macstats_emu_fault_request_from(struct genl_info *info,
					   const struct macstats_model *model,
					   struct macstats_fault_request *fault)
{
	struct macstats_emu_request request = { .attrs = info->attrs, .extack = info->extack };
	const struct nlattr *during_read = info->attrs[MACSTATS_EMU_A_PORT_DURING_READ];
	const struct nlattr *announced = info->attrs[MACSTATS_EMU_A_PORT_ANNOUNCED];
	const struct nlattr *attr = info->attrs[MACSTATS_EMU_A_PORT_FAULT];
	u32 supported = macstats_supported_faults(model);

	if (!attr)
		return macstats_missing(info->extack, MACSTATS_EMU_ATTR(PORT_FAULT));
	fault->faults = macstats_emu_any_of(&request, MACSTATS_EMU_ATTR(PORT_FAULT), supported, 0);
	if (!request.err && !fault->faults)
		return MACSTATS_REJECT(-EINVAL, info->extack, attr,
				       "PORT_FAULT: 0 is no fault: give bits of %#x", supported);
	fault->active = macstats_emu_switch(&request, MACSTATS_EMU_ATTR(PORT_ACTIVE), true);
	if (request.err)
		return request.err;
	if (!fault->active && (fault->faults & MACSTATS_FAULT_RESET))
		return MACSTATS_REJECT(-EINVAL, info->extack,
				       info->attrs[MACSTATS_EMU_A_PORT_ACTIVE],
				       "PORT_ACTIVE: a reset (%#x) happens once, it cannot end: give 1",
				       MACSTATS_FAULT_RESET);
	if (announced && fault->faults != MACSTATS_FAULT_RESET)
		return MACSTATS_REJECT(-EINVAL, info->extack, announced,
				       "PORT_ANNOUNCED: accepted only if PORT_FAULT is %#x, a reset",
				       MACSTATS_FAULT_RESET);
	if (during_read && (!fault->active || (fault->faults & ~MACSTATS_FAULTS_DURING_READ)))
		return MACSTATS_REJECT(-EINVAL, info->extack, during_read,
				       "PORT_DURING_READ: accepted only if faults of %#x begin",
				       MACSTATS_FAULTS_DURING_READ & supported);
	fault->during_read = during_read;
	return macstats_emu_fault_argument_from(&request, model, fault);
}

/*
 * Begin or end faults. The driver takes part in a reset and in a suspend. A suspend
 * begins before other faults, and ends after them.
 */
int macstats_emu_nl_fault_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct net_device *netdev = info->user_ptr[0];
	struct macstats_fault_request fault = {};
	const struct macstats_model *model;
	struct macstats_fault_request rest;
	bool suspend;
	int err;

	model = macstats_emu_port_of(netdev)->device->model;
	err = macstats_emu_fault_request_from(info, model, &fault);
	if (err)
		return err;
	err = macstats_fault_check(model, &fault);
	if (err)
		return MACSTATS_REJECT(err, info->extack, info->attrs[MACSTATS_EMU_A_PORT_FAULT],
				       "PORT_FAULT: %#x is no accepted combination: begin one at a time",
				       fault.faults);
	suspend = fault.faults & MACSTATS_FAULT_SUSPEND;
	rest = fault;
	rest.faults &= ~(MACSTATS_FAULT_RESET | MACSTATS_FAULT_SUSPEND);
	/* A failed read makes the port stale, which the provider reports. */
	if (suspend && fault.active)
		macstats_emu_suspend(netdev, MACSTATS_EMU_SLEEP_FAULT);
	if (rest.faults)
		macstats_emu_set_faults(netdev, &rest);
	if (fault.faults & MACSTATS_FAULT_RESET)
		macstats_emu_reset(netdev, info->attrs[MACSTATS_EMU_A_PORT_ANNOUNCED]);
	if (suspend && !fault.active)
		macstats_emu_resume(netdev, MACSTATS_EMU_SLEEP_FAULT);
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
	struct macstats_emu_request request = { .attrs = info->attrs, .extack = info->extack };
	u64 nsecs = macstats_emu_long(&request, MACSTATS_EMU_ATTR(PORT_NSECS), 0, 0);

	if (!info->attrs[MACSTATS_EMU_A_PORT_NSECS])
		return macstats_missing(info->extack, MACSTATS_EMU_ATTR(PORT_NSECS));
	if (!request.err)
		macstats_port_advance(macstats_emu_stats_of(info->user_ptr[0]), nsecs);
	return request.err;
}
