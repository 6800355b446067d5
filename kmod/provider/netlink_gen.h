/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Do not edit directly, auto-generated from: */
/*	docs/netlink/macstats.yaml */
/* YNL-GEN kernel header */
/* To regenerate run: ./dev lint netlink */

#ifndef _LINUX_MACSTATS_GEN_H
#define _LINUX_MACSTATS_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <macstats/netlink.h>

extern const struct nla_policy macstats_model_get_nl_policy[MACSTATS_A_MODEL_ID + 1];

extern const struct nla_policy macstats_counter_get_nl_policy[MACSTATS_A_COUNTER_MODEL_ID + 1];

extern const struct nla_policy macstats_port_get_nl_policy[MACSTATS_A_PORT_IFINDEX + 1];

extern const struct nla_policy macstats_stats_get_nl_policy[MACSTATS_A_STATS_MODEL_ID + 1];

#endif /* _LINUX_MACSTATS_GEN_H */
