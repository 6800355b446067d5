// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Do not edit directly, auto-generated from: */
/*	docs/netlink/macstats.yaml */
/* YNL-GEN kernel source */
/* To regenerate run: ./dev lint netlink */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <macstats/netlink.h>

/* MACSTATS_CMD_MODEL_GET */
const struct nla_policy macstats_model_get_nl_policy[MACSTATS_A_MODEL_ID + 1] = {
	[MACSTATS_A_MODEL_ID] = { .type = NLA_U32, },
};

/* MACSTATS_CMD_COUNTER_GET */
const struct nla_policy macstats_counter_get_nl_policy[MACSTATS_A_COUNTER_MODEL_ID + 1] = {
	[MACSTATS_A_COUNTER_MODEL_ID] = { .type = NLA_U32, },
};

/* MACSTATS_CMD_PORT_GET */
const struct nla_policy macstats_port_get_nl_policy[MACSTATS_A_PORT_IFINDEX + 1] = {
	[MACSTATS_A_PORT_IFINDEX] = { .type = NLA_U32, },
};

/* MACSTATS_CMD_STATS_GET */
const struct nla_policy macstats_stats_get_nl_policy[MACSTATS_A_STATS_MODEL_ID + 1] = {
	[MACSTATS_A_STATS_IFINDEX] = { .type = NLA_U32, },
	[MACSTATS_A_STATS_CACHED] = { .type = NLA_FLAG, },
	[MACSTATS_A_STATS_COUNTERS] = { .type = NLA_BINARY, },
	[MACSTATS_A_STATS_MODEL_ID] = { .type = NLA_U32, },
};
