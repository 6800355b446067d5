/* SPDX-License-Identifier: GPL-2.0 */
/* What both files of the family "macstats_emu" share. */
#ifndef MACSTATS_EMU_NETLINK_H
#define MACSTATS_EMU_NETLINK_H

#include <net/genetlink.h>

extern struct genl_family macstats_emu_family;

int macstats_emu_number(const struct nlattr *attr, const char *what, u32 low, u32 high,
			u32 *value, struct netlink_ext_ack *extack);
int macstats_emu_one_of(const struct nlattr *attr, const char *what, u32 all, u8 *value,
			struct netlink_ext_ack *extack);
int macstats_emu_any_of(const struct nlattr *attr, const char *what, u32 all, u32 *value,
			struct netlink_ext_ack *extack);

#endif /* MACSTATS_EMU_NETLINK_H */
