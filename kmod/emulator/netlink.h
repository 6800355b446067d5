/* SPDX-License-Identifier: GPL-2.0 */
/* What both files of the family "macstats_emu" share. */
#ifndef MACSTATS_EMU_NETLINK_H
#define MACSTATS_EMU_NETLINK_H

#include "../genl.h"

extern struct genl_family macstats_emu_family;

/* Attributes of a request, read one after the other: none any more after the first error. */
struct macstats_emu_request {
	struct nlattr **attrs;
	struct netlink_ext_ack *extack;
	int err;
};

/* Each reads an attribute; @otherwise if it is absent. */
u32 macstats_emu_number(struct macstats_emu_request *request, struct macstats_attr attr,
			u32 low, u32 high, u32 otherwise);
u64 macstats_emu_long(struct macstats_emu_request *request, struct macstats_attr attr,
		      u64 low, u64 otherwise);
u32 macstats_emu_one_of(struct macstats_emu_request *request, struct macstats_attr attr,
			u32 all, u32 otherwise);
u32 macstats_emu_any_of(struct macstats_emu_request *request, struct macstats_attr attr,
			u32 all, u32 otherwise);
bool macstats_emu_switch(struct macstats_emu_request *request, struct macstats_attr attr,
			 bool otherwise);

#define MACSTATS_EMU_ATTR(name)	((struct macstats_attr){ MACSTATS_EMU_A_##name, #name })

#endif /* MACSTATS_EMU_NETLINK_H */
