// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of a port for a net device, as members of net_device_ops, netdev_stat_ops and
 * ethtool_ops: each finds the port of the net device itself. They have the contexts of those,
 * and serve a port that its driver has unregistered, too.
 */
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>

#include "../compat.h"
#include "internal.h"

/**
 * macstats_netdev_get_stats64() - macstats_get_stats64(), for ndo_get_stats64
 * @netdev: the net device
 * @stats: the statistics, to which the driver may have added its own
 *
 * Context: any but an NMI.
 */
void macstats_netdev_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats)
{
	struct macstats_port *port;

	rcu_read_lock();
	port = macstats_port_find_rcu(netdev);
	if (port)
		macstats_get_stats64(port, stats);
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_stats64);

#ifdef HAVE_NETDEV_STAT_OPS
static void macstats_netdev_get_queue_stats_rx(struct net_device *netdev, int queue,
					       struct netdev_queue_stats_rx *stats)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_get_queue_stats_rx(port, stats);
	macstats_port_put(port);
}

static void macstats_netdev_get_queue_stats_tx(struct net_device *netdev, int queue,
					       struct netdev_queue_stats_tx *stats)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_get_queue_stats_tx(port, stats);
	macstats_port_put(port);
}

static void macstats_netdev_get_base_stats(struct net_device *netdev,
					   struct netdev_queue_stats_rx *rx,
					   struct netdev_queue_stats_tx *tx)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_get_base_stats(port, rx, tx);
	macstats_port_put(port);
}

/* For net_device.stat_ops of a net device with one queue. */
const struct netdev_stat_ops macstats_netdev_stat_ops = {
	.get_queue_stats_rx = macstats_netdev_get_queue_stats_rx,
	.get_queue_stats_tx = macstats_netdev_get_queue_stats_tx,
	.get_base_stats = macstats_netdev_get_base_stats,
};
EXPORT_SYMBOL_GPL(macstats_netdev_stat_ops);
#endif

/**
 * macstats_netdev_begin() - macstats_ethtool_begin(), for ethtool_ops.begin
 * @netdev: the net device
 *
 * Context: process context, may sleep.
 * Return: 0.
 */
int macstats_netdev_begin(struct net_device *netdev)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return 0;
	macstats_ethtool_begin(port);
	macstats_port_put(port);
	return 0;
}
EXPORT_SYMBOL_GPL(macstats_netdev_begin);

/**
 * macstats_netdev_complete() - macstats_ethtool_complete(), for ethtool_ops.complete
 * @netdev: the net device
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_netdev_complete(struct net_device *netdev)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_ethtool_complete(port);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_netdev_complete);

/**
 * macstats_netdev_get_sset_count() - macstats_get_sset_count(), for ethtool_ops
 * @netdev: the net device
 * @sset: the set of strings
 *
 * Context: process context, may sleep; RTNL may be held.
 * Return: the number, or -EOPNOTSUPP for other sets and without a port.
 */
int macstats_netdev_get_sset_count(struct net_device *netdev, int sset)
{
	struct macstats_port *port = macstats_port_find(netdev);
	int value;

	if (!port)
		return -EOPNOTSUPP;
	value = macstats_get_sset_count(port, sset);
	macstats_port_put(port);
	return value;
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_sset_count);

/**
 * macstats_netdev_get_strings() - macstats_get_strings(), for ethtool_ops
 * @netdev: the net device
 * @sset: the set of strings
 * @data: receives the strings
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_netdev_get_strings(struct net_device *netdev, u32 sset, u8 *data)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_get_strings(port, sset, data);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_strings);

/**
 * macstats_netdev_get_ethtool_stats() - macstats_get_ethtool_stats(), for ethtool_ops
 * @netdev: the net device
 * @stats: the request
 * @data: receives the totals
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_netdev_get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats,
				       u64 *data)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_get_ethtool_stats(port, data);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_ethtool_stats);

/**
 * macstats_netdev_get_eth_phy_stats() - macstats_get_eth_phy_stats(), for ethtool_ops
 * @netdev: the net device
 * @stats: receives the statistics that the model has
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_netdev_get_eth_phy_stats(struct net_device *netdev,
				       struct ethtool_eth_phy_stats *stats)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_get_eth_phy_stats(port, stats);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_eth_phy_stats);

/**
 * macstats_netdev_get_eth_mac_stats() - macstats_get_eth_mac_stats(), for ethtool_ops
 * @netdev: the net device
 * @stats: receives the statistics that the model has
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_netdev_get_eth_mac_stats(struct net_device *netdev,
				       struct ethtool_eth_mac_stats *stats)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_get_eth_mac_stats(port, stats);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_eth_mac_stats);

/**
 * macstats_netdev_get_eth_ctrl_stats() - macstats_get_eth_ctrl_stats(), for ethtool_ops
 * @netdev: the net device
 * @stats: receives the statistics that the model has
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_netdev_get_eth_ctrl_stats(struct net_device *netdev,
					struct ethtool_eth_ctrl_stats *stats)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_get_eth_ctrl_stats(port, stats);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_eth_ctrl_stats);

/**
 * macstats_netdev_get_rmon_stats() - macstats_get_rmon_stats(), for ethtool_ops
 * @netdev: the net device
 * @stats: receives the statistics that the model has
 * @ranges: receives the ranges of the histogram
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_netdev_get_rmon_stats(struct net_device *netdev, struct ethtool_rmon_stats *stats,
				    const struct ethtool_rmon_hist_range **ranges)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_get_rmon_stats(port, stats, ranges);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_rmon_stats);

/**
 * macstats_netdev_get_pause_stats() - macstats_get_pause_stats(), for ethtool_ops
 * @netdev: the net device
 * @stats: receives the statistics that the model has
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_netdev_get_pause_stats(struct net_device *netdev,
				     struct ethtool_pause_stats *stats)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_get_pause_stats(port, stats);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_pause_stats);

/**
 * macstats_netdev_get_regs_len() - macstats_get_regs_len(), for ethtool_ops
 * @netdev: the net device
 *
 * Context: process context, may sleep; RTNL may be held.
 * Return: the size, in octets.
 */
int macstats_netdev_get_regs_len(struct net_device *netdev)
{
	struct macstats_port *port = macstats_port_find(netdev);
	int value;

	if (!port)
		return 0;
	value = macstats_get_regs_len(port);
	macstats_port_put(port);
	return value;
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_regs_len);

/**
 * macstats_netdev_get_regs() - macstats_get_regs(), for ethtool_ops
 * @netdev: the net device
 * @regs: receives MACSTATS_REGS_VERSION
 * @data: receives the dump
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_netdev_get_regs(struct net_device *netdev, struct ethtool_regs *regs, void *data)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_get_regs(port, regs, data);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_regs);

/**
 * macstats_netdev_get_coalesce() - macstats_get_coalesce(), for ethtool_ops
 * @netdev: the net device
 * @coalesce: receives the poll interval
 * @kernel_coalesce: not used
 * @extack: not used
 *
 * Context: process context, may sleep; RTNL may be held.
 * Return: 0, or -EOPNOTSUPP without a port.
 */
int macstats_netdev_get_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
				 struct kernel_ethtool_coalesce *kernel_coalesce,
				 struct netlink_ext_ack *extack)
{
	struct macstats_port *port = macstats_port_find(netdev);
	int value;

	if (!port)
		return -EOPNOTSUPP;
	value = macstats_get_coalesce(port, coalesce);
	macstats_port_put(port);
	return value;
}
EXPORT_SYMBOL_GPL(macstats_netdev_get_coalesce);

/**
 * macstats_netdev_set_coalesce() - macstats_set_coalesce(), for ethtool_ops
 * @netdev: the net device
 * @coalesce: the poll interval
 * @kernel_coalesce: not used
 * @extack: explains an error
 *
 * Context: process context, may sleep; RTNL may be held.
 * Return: 0, -ERANGE, -EPERM, or -EOPNOTSUPP without a port.
 */
int macstats_netdev_set_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
				 struct kernel_ethtool_coalesce *kernel_coalesce,
				 struct netlink_ext_ack *extack)
{
	struct macstats_port *port = macstats_port_find(netdev);
	int value;

	if (!port)
		return -EOPNOTSUPP;
	value = macstats_set_coalesce(port, coalesce, extack);
	macstats_port_put(port);
	return value;
}
EXPORT_SYMBOL_GPL(macstats_netdev_set_coalesce);
