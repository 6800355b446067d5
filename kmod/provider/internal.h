/* SPDX-License-Identifier: GPL-2.0 */
/* What the provider's own files share. */
#ifndef MACSTATS_INTERNAL_H
#define MACSTATS_INTERNAL_H

#include <linux/kref.h>
#include <linux/mutex.h>
#include <linux/ratelimit_types.h>
#include <linux/seqlock.h>
#include <linux/types.h>
#include <linux/u64_stats_sync.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <macstats/accumulator.h>
#include <macstats/standard.h>

#include "macstats.h"

/* This CPU's share in the counters that transmit descriptors feed. */
struct macstats_described_counts {
	struct u64_stats_sync syncp;
	u64_stats_t count[];
};

/**
 * struct macstats_port - a port whose statistics are provided
 * @ref: keeps the memory. The hardware behind it may be touched by who holds
 *	@lock and sees @net set, or is called by the driver.
 * @lock: the view of the hardware: all that follows it but @rtnl. May sleep
 *	for some milliseconds. Taken inside RTNL and macstats_ports_lock.
 * @net: the namespace that hears of events; NULL while the net device is not
 *	registered there
 * @request: an ethtool request is under way; @request_polled: it has read the port
 * @thresholds: by counter, totals to tell of; 0: none. NULL until there is one.
 * @rtnl_lock: @rtnl, which ndo_get_stats64 copies in atomic context
 */
struct macstats_port {
	struct kref ref;
	struct hlist_node node;		/* in the table by net device */
	u32 id;				/* in macstats_ports */
	struct net_device *netdev;
	struct regmap *regmap;
	const struct macstats_model *model;
	unsigned int index;
	u16 n_shown;			/* strings of ethtool -S */
	u16 shown[MACSTATS_MAX_COUNTERS];
	u32 poll_ceiling;		/* usecs */
	bool held;			/* read at macstats_port_refresh() only */
	bool (*clocks_run)(struct net_device *netdev);
	unsigned int first_described;	/* counter; the rest follow */
	struct macstats_described_counts __percpu *described;
	struct delayed_work work;

	struct mutex lock;
	struct net *net;
	u32 poll_usecs;
	struct macstats_accumulator acc;
	struct macstats_standard standard;
	bool request;
	bool request_polled;
	u64 *thresholds;
	struct ethtool_rmon_hist_range ranges[ETHTOOL_RMON_HIST_MAX + 1];
	struct ratelimit_state log_limit[MACSTATS_EVENTS];

	seqlock_t rtnl_lock;
	struct rtnl_link_stats64 rtnl;
};

/* port.c */
extern struct xarray macstats_ports;
extern struct mutex macstats_ports_lock;	/* macstats_ports and the table */
extern unsigned int macstats_ports_seq;		/* changes with them; never 0 */

struct macstats_port *macstats_port_find(const struct net_device *netdev);
void macstats_port_put(struct macstats_port *port);
int macstats_port_poll(struct macstats_port *port);
void macstats_port_update(struct macstats_port *port);
void macstats_port_schedule(struct macstats_port *port, u32 usecs);
int macstats_ports_init(void);
void macstats_ports_exit(void);

/* ethtool.c */
void macstats_publish(struct macstats_port *port);

/* threshold.c: the caller holds port->lock */
int macstats_threshold_set(struct macstats_port *port, unsigned int counter, u64 value,
			   struct netlink_ext_ack *extack);
void macstats_threshold_drop(struct macstats_port *port, unsigned int counter);
u64 macstats_threshold(const struct macstats_port *port, unsigned int counter);
bool macstats_threshold_reached(const struct macstats_port *port, unsigned int counter);
bool macstats_thresholds_reached(const struct macstats_port *port);
void macstats_thresholds_drop_reached(struct macstats_port *port);

/* netlink.c */
int macstats_netlink_init(void);
void macstats_netlink_exit(void);
void macstats_notify(struct macstats_port *port, u8 cmd, unsigned int events);

#endif /* MACSTATS_INTERNAL_H */
