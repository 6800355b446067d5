/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Do not edit directly, auto-generated from: */
/*	docs/netlink/macstats_emu.yaml */
/* YNL-GEN kernel header */
/* To regenerate run: ./dev lint netlink */

#ifndef _LINUX_MACSTATS_EMU_GEN_H
#define _LINUX_MACSTATS_EMU_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <macstats/netlink_emu.h>

/* Common nested types */
extern const struct nla_policy macstats_emu_frame_nl_policy[MACSTATS_EMU_A_FRAME_HUGE + 1];

extern const struct nla_policy macstats_emu_device_new_nl_policy[MACSTATS_EMU_A_DEVICE_NETDEVS + 1];

extern const struct nla_policy macstats_emu_device_del_nl_policy[MACSTATS_EMU_A_DEVICE_ID + 1];

extern const struct nla_policy macstats_emu_device_get_nl_policy[MACSTATS_EMU_A_DEVICE_ID + 1];

extern const struct nla_policy macstats_emu_link_nl_policy[MACSTATS_EMU_A_PORT_PEER + 1];

extern const struct nla_policy macstats_emu_unlink_nl_policy[MACSTATS_EMU_A_PORT_IFINDEX + 1];

extern const struct nla_policy macstats_emu_inject_nl_policy[MACSTATS_EMU_A_PORT_COUNT + 1];

extern const struct nla_policy macstats_emu_reg_read_nl_policy[MACSTATS_EMU_A_PORT_ADDRESS + 1];

extern const struct nla_policy macstats_emu_reg_write_nl_policy[MACSTATS_EMU_A_PORT_VALUE + 1];

extern const struct nla_policy macstats_emu_preset_nl_policy[MACSTATS_EMU_A_PORT_COUNTER + 1];

extern const struct nla_policy macstats_emu_fault_nl_policy[MACSTATS_EMU_A_PORT_DURING_READ + 1];

extern const struct nla_policy macstats_emu_poll_nl_policy[MACSTATS_EMU_A_PORT_IFINDEX + 1];

extern const struct nla_policy macstats_emu_advance_nl_policy[MACSTATS_EMU_A_PORT_NSECS + 1];

/* Ops table for macstats_emu */
extern const struct genl_ops macstats_emu_nl_ops[12];

int macstats_emu_nl_device_new_doit(struct sk_buff *skb,
				    struct genl_info *info);
int macstats_emu_nl_device_del_doit(struct sk_buff *skb,
				    struct genl_info *info);
int macstats_emu_nl_device_get_doit(struct sk_buff *skb,
				    struct genl_info *info);
int macstats_emu_nl_device_get_dumpit(struct sk_buff *skb,
				      struct netlink_callback *cb);
int macstats_emu_nl_link_doit(struct sk_buff *skb, struct genl_info *info);
int macstats_emu_nl_unlink_doit(struct sk_buff *skb, struct genl_info *info);
int macstats_emu_nl_inject_doit(struct sk_buff *skb, struct genl_info *info);
int macstats_emu_nl_reg_read_doit(struct sk_buff *skb, struct genl_info *info);
int macstats_emu_nl_reg_write_doit(struct sk_buff *skb, struct genl_info *info);
int macstats_emu_nl_preset_doit(struct sk_buff *skb, struct genl_info *info);
int macstats_emu_nl_fault_doit(struct sk_buff *skb, struct genl_info *info);
int macstats_emu_nl_poll_doit(struct sk_buff *skb, struct genl_info *info);
int macstats_emu_nl_advance_doit(struct sk_buff *skb, struct genl_info *info);

#endif /* _LINUX_MACSTATS_EMU_GEN_H */
