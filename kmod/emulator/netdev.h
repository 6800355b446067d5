/* SPDX-License-Identifier: GPL-2.0 */
/* The net devices of emulated ports. */
#ifndef MACSTATS_EMU_NETDEV_H
#define MACSTATS_EMU_NETDEV_H

#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

#include "emu.h"

/* Reasons why a port has no power. */
enum macstats_emu_sleep {
	MACSTATS_EMU_SLEEP_FAULT = 1 << 0,
	MACSTATS_EMU_SLEEP_SYSTEM = 1 << 1,
};

struct macstats_emu_local;	/* counts of one CPU, see traffic.c */

/* Of a net device. */
struct macstats_emu_priv {
	struct macstats_emu_slot *slot;
	struct macstats_emu_port *port;		/* slot->port */
	struct macstats_port *stats;
	struct net_device __rcu *peer;		/* itself in loopback; written under RTNL */
	bool rx_pause;
	bool tx_pause;
	bool completes;				/* descriptors with a status, or own packets */
	struct net_device *netdev;
	struct list_head leaving;		/* while it is being deleted */
	struct macstats_emu_local __percpu *local;	/* NULL without @completes */
};

/* Does the port send and receive frames? */
static inline bool macstats_emu_is_ready(const struct net_device *netdev)
{
	const struct macstats_emu_priv *priv = netdev_priv(netdev);

	return netif_running(netdev) && !READ_ONCE(priv->port->sleeps);
}

static inline struct macstats_emu_port *macstats_emu_port_of(const struct net_device *netdev)
{
	const struct macstats_emu_priv *priv = netdev_priv(netdev);

	return priv->port;
}

static inline struct macstats_port *macstats_emu_stats_of(const struct net_device *netdev)
{
	const struct macstats_emu_priv *priv = netdev_priv(netdev);

	return priv->stats;
}

/* traffic.c */
int macstats_emu_traffic_init(struct macstats_emu_priv *priv);
void macstats_emu_inject(struct net_device *netdev, const struct macstats_frame *frame, u64 count);
netdev_tx_t macstats_emu_start_xmit(struct sk_buff *skb, struct net_device *netdev);
void macstats_emu_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats);

/* link.c */
int macstats_emu_update_carriers(struct net_device *netdev);
void macstats_emu_disconnect(struct net_device *netdev);
int macstats_emu_link(struct net_device *a, struct net_device *b, struct netlink_ext_ack *extack);
int macstats_emu_unlink(struct net_device *netdev, struct netlink_ext_ack *extack);
netdev_features_t macstats_emu_fix_features(struct net_device *netdev,
					    netdev_features_t features);
int macstats_emu_set_features(struct net_device *netdev, netdev_features_t features);

/* mtu.c */
int macstats_emu_apply_mtu(struct macstats_emu_priv *priv, unsigned int mtu);
int macstats_emu_change_mtu(struct net_device *netdev, int mtu);
unsigned int macstats_emu_max_mtu(const struct macstats_model *model);

/* power.c */
void macstats_emu_set_faults(struct net_device *netdev,
			     const struct macstats_fault_request *request);
int macstats_emu_suspend(struct net_device *netdev, enum macstats_emu_sleep why);
int macstats_emu_resume(struct net_device *netdev, enum macstats_emu_sleep why);
int macstats_emu_reset(struct net_device *netdev, bool announced);
void macstats_emu_port_ready(struct macstats_emu_port *port);

/* ethtool.c */
extern const struct ethtool_ops macstats_emu_ethtool_ops;

/* netdev.c */
extern struct workqueue_struct *macstats_emu_wq;
struct net_device *macstats_emu_netdev_new(struct macstats_emu_slot *slot,
					   struct regmap *regmap, struct net *net);
void macstats_emu_netdevs_del(struct macstats_emu_device *const *devices, unsigned int n,
			      const struct net *net);
bool macstats_emu_is_port(const struct net_device *netdev);

#endif /* MACSTATS_EMU_NETDEV_H */
