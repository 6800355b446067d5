/* SPDX-License-Identifier: GPL-2.0 */
/* The messages of the family "macstats", each a macstats_fill_fn. */
#ifndef MACSTATS_NETLINK_FILL_H
#define MACSTATS_NETLINK_FILL_H

#include "internal.h"

/* macstats_netlink_init() adds its requests. */
extern struct genl_family macstats_family;

/* A counter of the model of this hardware. */
struct macstats_counter_of {
	const struct macstats_hw *hw;
	unsigned int index;
};

/* A request for statistics of a port. */
struct macstats_wanted {
	struct macstats_port *port;
	bool cached;			/* do not poll */
	const u32 *counters;		/* ids, ascending; NULL: all */
	unsigned int n;			/* number of @counters */
};

/* The object is a struct macstats_hw, macstats_counter_of, macstats_port or macstats_wanted. */
int macstats_fill_model(struct sk_buff *skb, const void *object);
int macstats_fill_counter(struct sk_buff *skb, const void *object);
int macstats_fill_port(struct sk_buff *skb, const void *object);
int macstats_fill_stats(struct sk_buff *skb, const void *object);

#endif /* MACSTATS_NETLINK_FILL_H */
