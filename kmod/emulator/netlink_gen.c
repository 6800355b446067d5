// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Do not edit directly, auto-generated from: */
/*	docs/netlink/macstats_emu.yaml */
/* YNL-GEN kernel source */
/* To regenerate run: ./dev lint netlink */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <macstats/netlink_emu.h>

/* Common nested types */
const struct nla_policy macstats_emu_frame_nl_policy[MACSTATS_EMU_A_FRAME_HUGE + 1] = {
	[MACSTATS_EMU_A_FRAME_DIRECTION] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_FRAME_LENGTH] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_FRAME_DESTINATION] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_FRAME_KIND] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_FRAME_ORIGIN] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_FRAME_VLAN_TAGS] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_FRAME_ERRORS] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_FRAME_COLLISIONS] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_FRAME_DEFERRED] = { .type = NLA_FLAG, },
	[MACSTATS_EMU_A_FRAME_DESCRIPTORS] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_FRAME_APPEND_CRC] = { .type = NLA_U8, },
	[MACSTATS_EMU_A_FRAME_HUGE] = { .type = NLA_U8, },
};

/* MACSTATS_EMU_CMD_DEVICE_NEW */
const struct nla_policy macstats_emu_device_new_nl_policy[MACSTATS_EMU_A_DEVICE_NETDEVS + 1] = {
	[MACSTATS_EMU_A_DEVICE_MODEL] = { .type = NLA_NUL_STRING, .len = 63, },
	[MACSTATS_EMU_A_DEVICE_NAME] = { .type = NLA_NUL_STRING, .len = 63, },
	[MACSTATS_EMU_A_DEVICE_OPTIONS] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_DEVICE_POWER_UP_RANDOM] = { .type = NLA_FLAG, },
	[MACSTATS_EMU_A_DEVICE_SEED] = { .type = NLA_U64, },
	[MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY] = { .type = NLA_FLAG, },
	[MACSTATS_EMU_A_DEVICE_HELD] = { .type = NLA_FLAG, },
	[MACSTATS_EMU_A_DEVICE_OWNED] = { .type = NLA_FLAG, },
	[MACSTATS_EMU_A_DEVICE_LINE_RATE_BOUND] = { .type = NLA_U8, },
	[MACSTATS_EMU_A_DEVICE_NETDEVS] = { .type = NLA_U32, },
};

/* MACSTATS_EMU_CMD_DEVICE_DEL */
const struct nla_policy macstats_emu_device_del_nl_policy[MACSTATS_EMU_A_DEVICE_ID + 1] = {
	[MACSTATS_EMU_A_DEVICE_ID] = { .type = NLA_U32, },
};

/* MACSTATS_EMU_CMD_DEVICE_GET */
const struct nla_policy macstats_emu_device_get_nl_policy[MACSTATS_EMU_A_DEVICE_ID + 1] = {
	[MACSTATS_EMU_A_DEVICE_ID] = { .type = NLA_U32, },
};

/* MACSTATS_EMU_CMD_LINK */
const struct nla_policy macstats_emu_link_nl_policy[MACSTATS_EMU_A_PORT_PEER + 1] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_PORT_PEER] = { .type = NLA_U32, },
};

/* MACSTATS_EMU_CMD_UNLINK */
const struct nla_policy macstats_emu_unlink_nl_policy[MACSTATS_EMU_A_PORT_IFINDEX + 1] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32, },
};

/* MACSTATS_EMU_CMD_INJECT */
const struct nla_policy macstats_emu_inject_nl_policy[MACSTATS_EMU_A_PORT_COUNT + 1] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_PORT_FRAME] = NLA_POLICY_NESTED(macstats_emu_frame_nl_policy),
	[MACSTATS_EMU_A_PORT_COUNT] = { .type = NLA_U64, },
};

/* MACSTATS_EMU_CMD_REG_READ */
const struct nla_policy macstats_emu_reg_read_nl_policy[MACSTATS_EMU_A_PORT_ADDRESS + 1] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_PORT_ADDRESS] = { .type = NLA_U32, },
};

/* MACSTATS_EMU_CMD_REG_WRITE */
const struct nla_policy macstats_emu_reg_write_nl_policy[MACSTATS_EMU_A_PORT_VALUE + 1] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_PORT_ADDRESS] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_PORT_VALUE] = { .type = NLA_U64, },
};

/* MACSTATS_EMU_CMD_PRESET */
const struct nla_policy macstats_emu_preset_nl_policy[MACSTATS_EMU_A_PORT_COUNTER + 1] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_PORT_COUNTER] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_PORT_VALUE] = { .type = NLA_U64, },
};

/* MACSTATS_EMU_CMD_FAULT */
const struct nla_policy macstats_emu_fault_nl_policy[MACSTATS_EMU_A_PORT_DURING_READ + 1] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_PORT_FAULT] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_PORT_ACTIVE] = { .type = NLA_U8, },
	[MACSTATS_EMU_A_PORT_ARGUMENT] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_PORT_ANNOUNCED] = { .type = NLA_FLAG, },
	[MACSTATS_EMU_A_PORT_DURING_READ] = { .type = NLA_FLAG, },
};

/* MACSTATS_EMU_CMD_POLL */
const struct nla_policy macstats_emu_poll_nl_policy[MACSTATS_EMU_A_PORT_IFINDEX + 1] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32, },
};

/* MACSTATS_EMU_CMD_ADVANCE */
const struct nla_policy macstats_emu_advance_nl_policy[MACSTATS_EMU_A_PORT_NSECS + 1] = {
	[MACSTATS_EMU_A_PORT_IFINDEX] = { .type = NLA_U32, },
	[MACSTATS_EMU_A_PORT_NSECS] = { .type = NLA_U64, },
};

/* Ops table for macstats_emu */
const struct genl_ops macstats_emu_nl_ops[12] = {
	{
		.cmd		= MACSTATS_EMU_CMD_DEVICE_NEW,
		.doit		= macstats_emu_nl_device_new_doit,
		.policy		= macstats_emu_device_new_nl_policy,
		.maxattr	= MACSTATS_EMU_A_DEVICE_NETDEVS,
	},
	{
		.cmd		= MACSTATS_EMU_CMD_DEVICE_DEL,
		.doit		= macstats_emu_nl_device_del_doit,
		.policy		= macstats_emu_device_del_nl_policy,
		.maxattr	= MACSTATS_EMU_A_DEVICE_ID,
	},
	{
		.cmd		= MACSTATS_EMU_CMD_DEVICE_GET,
		.doit		= macstats_emu_nl_device_get_doit,
		.dumpit		= macstats_emu_nl_device_get_dumpit,
		.policy		= macstats_emu_device_get_nl_policy,
		.maxattr	= MACSTATS_EMU_A_DEVICE_ID,
	},
	{
		.cmd		= MACSTATS_EMU_CMD_LINK,
		.doit		= macstats_emu_nl_link_doit,
		.policy		= macstats_emu_link_nl_policy,
		.maxattr	= MACSTATS_EMU_A_PORT_PEER,
	},
	{
		.cmd		= MACSTATS_EMU_CMD_UNLINK,
		.doit		= macstats_emu_nl_unlink_doit,
		.policy		= macstats_emu_unlink_nl_policy,
		.maxattr	= MACSTATS_EMU_A_PORT_IFINDEX,
	},
	{
		.cmd		= MACSTATS_EMU_CMD_INJECT,
		.doit		= macstats_emu_nl_inject_doit,
		.policy		= macstats_emu_inject_nl_policy,
		.maxattr	= MACSTATS_EMU_A_PORT_COUNT,
	},
	{
		.cmd		= MACSTATS_EMU_CMD_REG_READ,
		.doit		= macstats_emu_nl_reg_read_doit,
		.policy		= macstats_emu_reg_read_nl_policy,
		.maxattr	= MACSTATS_EMU_A_PORT_ADDRESS,
	},
	{
		.cmd		= MACSTATS_EMU_CMD_REG_WRITE,
		.doit		= macstats_emu_nl_reg_write_doit,
		.policy		= macstats_emu_reg_write_nl_policy,
		.maxattr	= MACSTATS_EMU_A_PORT_VALUE,
	},
	{
		.cmd		= MACSTATS_EMU_CMD_PRESET,
		.doit		= macstats_emu_nl_preset_doit,
		.policy		= macstats_emu_preset_nl_policy,
		.maxattr	= MACSTATS_EMU_A_PORT_COUNTER,
	},
	{
		.cmd		= MACSTATS_EMU_CMD_FAULT,
		.doit		= macstats_emu_nl_fault_doit,
		.policy		= macstats_emu_fault_nl_policy,
		.maxattr	= MACSTATS_EMU_A_PORT_DURING_READ,
	},
	{
		.cmd		= MACSTATS_EMU_CMD_POLL,
		.doit		= macstats_emu_nl_poll_doit,
		.policy		= macstats_emu_poll_nl_policy,
		.maxattr	= MACSTATS_EMU_A_PORT_IFINDEX,
	},
	{
		.cmd		= MACSTATS_EMU_CMD_ADVANCE,
		.doit		= macstats_emu_nl_advance_doit,
		.policy		= macstats_emu_advance_nl_policy,
		.maxattr	= MACSTATS_EMU_A_PORT_NSECS,
	},
};
