// SPDX-License-Identifier: GPL-2.0
/*
 * What ethtool and ip show: totals and their sums, in kernel structures, and register dumps. The
 * functions for ethtool_ops, net_device_ops and netdev_stat_ops find the port of the net device.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/ethtool_netlink.h>
#include <linux/if_link.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <net/net_namespace.h>

#include "../compat.h"
#include "internal.h"

/* The place of each standard statistic in the structure of its group, and that group. */
#define MACSTATS_AT(id, type, member)	[MACSTATS_STD_##id] = offsetof(struct type, member),
#define MACSTATS_AT_ETH_PHY(id, name)	MACSTATS_AT(id, ethtool_eth_phy_stats, name)
#define MACSTATS_AT_ETH_MAC(id, name)	MACSTATS_AT(id, ethtool_eth_mac_stats, name)
#define MACSTATS_AT_ETH_CTRL(id, name)	MACSTATS_AT(id, ethtool_eth_ctrl_stats, name)
#define MACSTATS_AT_PAUSE(id, name)	MACSTATS_AT(id, ethtool_pause_stats, name)
#define MACSTATS_AT_RTNL(id, name)	MACSTATS_AT(id, rtnl_link_stats64, name)
#define MACSTATS_AT_RMON(id, name)	/* ethtool prints other names */
#ifdef HAVE_ETHTOOL_MM
#define MACSTATS_AT_MM(id, name)	MACSTATS_AT(id, ethtool_mm_stats, name)
#else
#define MACSTATS_AT_MM(id, name)
#endif
#define MACSTATS_MEMBER(group, id, direction, what, name)	MACSTATS_AT_##group(id, name)
#define MACSTATS_BARE(name)		name
static const u16 macstats_members[MACSTATS_STD_COUNT] = {
	MACSTATS_STANDARD_ROWS(MACSTATS_MEMBER, MACSTATS_BARE)
	MACSTATS_AT(UNDERSIZE_PKTS, ethtool_rmon_stats, undersize_pkts)
	MACSTATS_AT(OVERSIZE_PKTS, ethtool_rmon_stats, oversize_pkts)
	MACSTATS_AT(FRAGMENTS, ethtool_rmon_stats, fragments)
	MACSTATS_AT(JABBERS, ethtool_rmon_stats, jabbers)
};

/* Each rtnl statistic is at the place of the kernel's: see macstats_add_rtnl(). */
#define MACSTATS_ORDER_ETH_PHY(id, name)
#define MACSTATS_ORDER_ETH_MAC(id, name)
#define MACSTATS_ORDER_ETH_CTRL(id, name)
#define MACSTATS_ORDER_PAUSE(id, name)
#define MACSTATS_ORDER_RMON(id, name)
#define MACSTATS_ORDER_MM(id, name)
#define MACSTATS_ORDER_RTNL(id, name)							\
	+ (offsetof(struct rtnl_link_stats64, name) !=					\
	   (MACSTATS_STD_##id - MACSTATS_RTNL_FIRST) * sizeof(u64))
#define MACSTATS_ORDER(group, id, direction, what, name)	MACSTATS_ORDER_##group(id, name)
static_assert(!(0 MACSTATS_STANDARD_ROWS(MACSTATS_ORDER, MACSTATS_BARE)));

#define MACSTATS_GROUP(group, id, direction, what, name) \
	[MACSTATS_STD_##id] = MACSTATS_GROUP_##group,
static const u8 macstats_groups[MACSTATS_STD_COUNT] = {
	MACSTATS_STANDARD_LIST(MACSTATS_GROUP)
};

#ifdef HAVE_ETHTOOL_MM
static_assert((unsigned int)ETHTOOL_MAC_STATS_SRC_AGGREGATE == MACSTATS_MAC_ANY);
static_assert((unsigned int)ETHTOOL_MAC_STATS_SRC_EMAC == MACSTATS_MAC_EXPRESS);
static_assert((unsigned int)ETHTOOL_MAC_STATS_SRC_PMAC == MACSTATS_MAC_PREEMPTIBLE);
#endif

/* The sums of the rows of a MAC, or of all; NULL: there are none. Caller holds port->hw->lock. */
static const struct macstats_standard *macstats_sums_of(const struct macstats_port *port,
							unsigned int mac)
{
	const struct macstats_view *view = &port->hw->view;

	if (view->state.absent || port->hw->shared)
		return NULL;
	if (!mac)
		return &view->standard;
	return view->by_mac ? &view->by_mac[mac - 1] : NULL;
}

/* Set the statistics of a group that the port has. The others keep the values of the core. */
static void macstats_fill(const struct macstats_port *port, void *stats, enum macstats_group group,
			  unsigned int mac)
{
	const struct macstats_standard *sums = macstats_sums_of(port, mac);
	unsigned int id;

	for (id = MACSTATS_STD_NONE + 1; sums && id < MACSTATS_STD_COUNT; id++)
		if (macstats_groups[id] == group && sums->present[id])
			*(u64 *)(stats + macstats_members[id]) = sums->value[id];
}

/* Add the published statistics to @stats. Any context but an NMI. */
static void macstats_add_rtnl(const struct macstats_hw *hw, struct rtnl_link_stats64 *stats)
{
	u64 copy[MACSTATS_RTNL_COUNT] __uninitialized;
	u64 *sums = (u64 *)stats;
	unsigned int seq;
	unsigned int i;

	do {
		seq = read_seqcount_begin(&hw->published.seq);
		memcpy(copy, hw->published.rtnl, sizeof(copy));
	} while (read_seqcount_retry(&hw->published.seq, seq));
#pragma GCC unroll 32
	for (i = 0; i < MACSTATS_RTNL_COUNT; i++)
		sums[i] += copy[i];
}

/**
 * macstats_get_stats64() - add the statistics of a port, for ndo_get_stats64
 * @netdev: the net device
 * @stats: the statistics, to which the driver may have added its own
 *
 * With MACSTATS_PORT_FAST_IO, polls the hardware, unless the last poll began in the last
 * millisecond or was slow. Otherwise the statistics are those of the last poll.
 *
 * Context: any but an NMI; does not poll with interrupts off, nor under PREEMPT_RT without
 *	preemption. The caller holds no lock that the driver's functions take.
 */
void macstats_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats)
{
	const struct macstats_port *port;

	rcu_read_lock();
	port = macstats_port_find_rcu(netdev);
	if (port) {
		macstats_hw_update_atomic(port->hw);
		macstats_add_rtnl(port->hw, stats);
	}
	rcu_read_unlock();
}
EXPORT_SYMBOL_GPL(macstats_get_stats64);

/**
 * macstats_port_total() - the total of a counter at the last poll
 * @port: the port
 * @reg: the name of the counter in the datasheet
 *
 * For decisions of the driver, such as interrupt moderation. Does not read the hardware.
 *
 * Context: any but an NMI.
 * Return: the total; 0 for a counter that the hardware was built without.
 */
u64 macstats_port_total(const struct macstats_port *port, const char *reg)
{
	int counter = macstats_model_counter(port->hw->model, reg);
	unsigned int seq;
	u64 total;

	if (WARN_ON_ONCE(counter < 0))
		return 0;
	do {
		seq = read_seqcount_begin(&port->hw->published.seq);
		total = port->hw->view.totals[counter];
	} while (read_seqcount_retry(&port->hw->published.seq, seq));
	return total;
}
EXPORT_SYMBOL_GPL(macstats_port_total);

/* @began: the request that is under way; 0: it has ended. */
static void macstats_mark_request(struct net_device *netdev, u64 began)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	port->request_began = began;
	port->request_wait = macstats_reader_wait();
	macstats_port_put(port);
}

/**
 * macstats_ethtool_begin() - begin an ethtool request, for ethtool_ops.begin
 * @netdev: the net device
 *
 * A request polls the hardware once, however many groups of statistics it reads. Without
 * this function and macstats_ethtool_complete(), each group polls the hardware.
 *
 * Context: process context, may sleep.
 * Return: 0.
 */
int macstats_ethtool_begin(struct net_device *netdev)
{
	macstats_mark_request(netdev, macstats_moment());
	return 0;
}
EXPORT_SYMBOL_GPL(macstats_ethtool_begin);

/**
 * macstats_ethtool_complete() - end an ethtool request, for ethtool_ops.complete
 * @netdev: the net device
 *
 * Context: process context, may sleep.
 */
void macstats_ethtool_complete(struct net_device *netdev)
{
	macstats_mark_request(netdev, 0);
}
EXPORT_SYMBOL_GPL(macstats_ethtool_complete);

/* Make the view fresh. A request polls once, and waits once, however many statistics it reads. */
static void macstats_update_for_request(struct macstats_port *port)
{
	unsigned long wait = macstats_reader_wait();
	u64 since = port->request_began;

	if (since) {
		wait = port->request_wait;
		port->request_wait = 0;
	} else {
		since = macstats_moment();
	}
	macstats_hw_update(port->hw, since, wait);
}

/**
 * macstats_get_sset_count() - the number of strings of a set
 * @netdev: the net device
 * @sset: ETH_SS_STATS
 *
 * A driver may add it to a number of its own: a net device that got its port before it was
 * registered has one as long as requests come.
 *
 * Context: process context.
 * Return: the number, or -EOPNOTSUPP for other sets and without a port.
 */
int macstats_get_sset_count(struct net_device *netdev, int sset)
{
	struct macstats_port *port;
	int count;

	if (sset != ETH_SS_STATS)
		return -EOPNOTSUPP;
	port = macstats_port_find(netdev);
	if (!port)
		return -EOPNOTSUPP;
	count = port->hw->strings.n_aliases + port->hw->strings.n_counters;
	macstats_port_put(port);
	return count;
}
EXPORT_SYMBOL_GPL(macstats_get_sset_count);

/**
 * macstats_get_strings() - the strings of a set
 * @netdev: the net device
 * @sset: ETH_SS_STATS; other sets have no strings
 * @data: receives macstats_get_sset_count() strings
 *
 * Context: process context.
 */
void macstats_get_strings(struct net_device *netdev, u32 sset, u8 *data)
{
	struct macstats_port *port;

	if (sset != ETH_SS_STATS)
		return;
	port = macstats_port_find(netdev);
	if (!port)
		return;
	macstats_strings_names(&port->hw->strings, port->hw->model, data);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_get_strings);

/**
 * macstats_get_ethtool_stats() - the counters of ethtool -S
 * @netdev: the net device
 * @stats: not used
 * @data: receives macstats_get_sset_count() totals
 *
 * Like the functions of the groups below, polls the hardware. If accesses may sleep, or the last
 * poll was slow, the poll work does, for which the caller waits at most reader_wait_ms, and not at
 * all if the last poll waited in vain for the hardware; after that, returns the last totals.
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats,
				u64 *data)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_update_for_request(port);
	spin_lock_bh(&port->hw->lock);
	macstats_strings_values(&port->hw->strings, port->hw->view.totals, data);
	spin_unlock_bh(&port->hw->lock);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_get_ethtool_stats);

/* Set the statistics of a group that the port of a net device has, of one MAC or of both. */
static void macstats_get_group(struct net_device *netdev, void *stats, enum macstats_group group,
			       unsigned int mac)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_update_for_request(port);
	spin_lock_bh(&port->hw->lock);
	macstats_fill(port, stats, group, mac);
	spin_unlock_bh(&port->hw->lock);
	macstats_port_put(port);
}

/*
 * The groups eth-phy, eth-mac, eth-ctrl, pause and mm: each receives the statistics that the model
 * has, of the MAC that the request names. Process context, may sleep; RTNL may be held.
 */
void macstats_get_eth_phy_stats(struct net_device *netdev, struct ethtool_eth_phy_stats *stats)
{
	macstats_get_group(netdev, stats, MACSTATS_GROUP_ETH_PHY, macstats_requested_mac(stats));
}
EXPORT_SYMBOL_GPL(macstats_get_eth_phy_stats);

void macstats_get_eth_mac_stats(struct net_device *netdev, struct ethtool_eth_mac_stats *stats)
{
	macstats_get_group(netdev, stats, MACSTATS_GROUP_ETH_MAC, macstats_requested_mac(stats));
}
EXPORT_SYMBOL_GPL(macstats_get_eth_mac_stats);

void macstats_get_eth_ctrl_stats(struct net_device *netdev, struct ethtool_eth_ctrl_stats *stats)
{
	macstats_get_group(netdev, stats, MACSTATS_GROUP_ETH_CTRL, macstats_requested_mac(stats));
}
EXPORT_SYMBOL_GPL(macstats_get_eth_ctrl_stats);

void macstats_get_pause_stats(struct net_device *netdev, struct ethtool_pause_stats *stats)
{
	macstats_get_group(netdev, stats, MACSTATS_GROUP_PAUSE, macstats_requested_mac(stats));
}
EXPORT_SYMBOL_GPL(macstats_get_pause_stats);

#ifdef HAVE_ETHTOOL_MM
void macstats_get_mm_stats(struct net_device *netdev, struct ethtool_mm_stats *stats)
{
	macstats_get_group(netdev, stats, MACSTATS_GROUP_MM, MACSTATS_MAC_ANY);
}
EXPORT_SYMBOL_GPL(macstats_get_mm_stats);
#endif

/*
 * So many different lists of ranges may all models have that are ever loaded. Each has one, most
 * that of RFC 2819.
 */
#define MACSTATS_RANGES_MAX	32

static DEFINE_MUTEX(macstats_ranges_lock);

/*
 * Find or keep the ranges of a histogram, of @size octets. The core reads them after RTNL was
 * released, when a port may have ended: they exist until this module is unloaded. The core leaves
 * out what is not set. Return: a copy, or NULL.
 */
static const struct ethtool_rmon_hist_range *
macstats_ranges_keep(const struct ethtool_rmon_hist_range *range, size_t size)
{
	static struct ethtool_rmon_hist_range kept[MACSTATS_RANGES_MAX][ETHTOOL_RMON_HIST_MAX + 1];
	unsigned int i;

	mutex_lock(&macstats_ranges_lock);
	for (i = 0; i < ARRAY_SIZE(kept); i++) {
		if (!kept[i][0].high)
			memcpy(kept[i], range, size);
		if (!memcmp(kept[i], range, size))
			break;
	}
	mutex_unlock(&macstats_ranges_lock);
	if (i < ARRAY_SIZE(kept))
		return kept[i];
	pr_warn_once("models have more than %u histograms: not all are shown\n",
		     MACSTATS_RANGES_MAX);
	return NULL;
}

/* The sum of the rows of a bucket that are of a MAC, or of all. Caller holds port->hw->lock. */
static u64 macstats_bucket_value(const struct macstats_port *port,
				 const struct macstats_bucket *bucket, unsigned int mac)
{
	const struct macstats_rows *absent = &port->hw->view.state.absent_rows;
	const struct macstats_model *model = port->hw->model;
	u64 value = ETHTOOL_STAT_NOT_SET;
	unsigned int i;

	macstats_for_each_row(i, &bucket->rows) {
		if (mac && model->counters[i].mac != mac)
			continue;
		if (macstats_has_row(absent, i)) {
			if (macstats_lacks_mac(model, absent, model->counters[i].mac))
				continue;
			return ETHTOOL_STAT_NOT_SET;
		}
		value = value == ETHTOOL_STAT_NOT_SET ? 0 : value;
		value += port->hw->view.totals[i];
	}
	return value;
}

/*
 * Put the histogram of one direction into @hist and its ranges into @range. Both directions of
 * a model have the same ranges; rules.h requires that. Caller holds port->hw->lock. The core leaves
 * out a bucket without value.
 */
static void macstats_fill_histogram(const struct macstats_port *port, unsigned int id, u64 *hist,
				    struct ethtool_rmon_hist_range *range, unsigned int mac)
{
	struct macstats_bucket buckets[ETHTOOL_RMON_HIST_MAX] = {};
	unsigned int i;
	unsigned int n;

	n = macstats_histogram(port->hw->model, id, buckets, ARRAY_SIZE(buckets));
	for (i = 0; i < min_t(unsigned int, n, ARRAY_SIZE(buckets)); i++) {
		range[i].low = buckets[i].low;
		range[i].high = buckets[i].high;
		hist[i] = macstats_bucket_value(port, &buckets[i], mac);
	}
}

/**
 * macstats_get_rmon_stats() - the group rmon
 * @netdev: the net device
 * @stats: receives the statistics that the model has
 * @ranges: receives the ranges of the histogram, which exist until macstats is unloaded
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_get_rmon_stats(struct net_device *netdev, struct ethtool_rmon_stats *stats,
			     const struct ethtool_rmon_hist_range **ranges)
{
	struct ethtool_rmon_hist_range range[ETHTOOL_RMON_HIST_MAX + 1] = {};
	struct macstats_port *port = macstats_port_find(netdev);
	unsigned int mac = macstats_requested_mac(stats);

	if (!port)
		return;
	macstats_update_for_request(port);
	spin_lock_bh(&port->hw->lock);
	if (macstats_sums_of(port, mac)) {
		macstats_fill(port, stats, MACSTATS_GROUP_RMON, mac);
		macstats_fill_histogram(port, MACSTATS_STD_HIST_RX, stats->hist, range, mac);
		macstats_fill_histogram(port, MACSTATS_STD_HIST_TX, stats->hist_tx, range, mac);
	}
	spin_unlock_bh(&port->hw->lock);
	macstats_port_put(port);
	if (range[0].high)
		*ranges = macstats_ranges_keep(range, sizeof(range));
}
EXPORT_SYMBOL_GPL(macstats_get_rmon_stats);

#ifdef HAVE_NETDEV_STAT_OPS
/* Set a statistic that the port has. Caller holds port->hw->lock. */
static void macstats_fill_one(const struct macstats_port *port, unsigned int id, u64 *member,
			      bool zero)
{
	const struct macstats_standard *sums = macstats_sums_of(port, MACSTATS_MAC_ANY);

	if (sums && sums->present[id])
		*member = zero ? 0 : sums->value[id];
}

/* Set the statistics of the only queue, as ip -s shows them. @zero: 0 in their place. */
static void macstats_fill_queue(struct net_device *netdev, struct netdev_queue_stats_rx *rx,
				struct netdev_queue_stats_tx *tx, bool zero)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	if (!zero)
		macstats_hw_update_atomic(port->hw);
	spin_lock_bh(&port->hw->lock);
	if (rx) {
		macstats_fill_one(port, MACSTATS_STD_RTNL_RX_PACKETS, &rx->packets, zero);
		macstats_fill_one(port, MACSTATS_STD_RTNL_RX_BYTES, &rx->bytes, zero);
		macstats_fill_one(port, MACSTATS_STD_RTNL_RX_MISSED_ERRORS, &rx->hw_drop_overruns,
				  zero);
	}
	if (tx) {
		macstats_fill_one(port, MACSTATS_STD_RTNL_TX_PACKETS, &tx->packets, zero);
		macstats_fill_one(port, MACSTATS_STD_RTNL_TX_BYTES, &tx->bytes, zero);
	}
	spin_unlock_bh(&port->hw->lock);
	macstats_port_put(port);
}

static void macstats_get_queue_stats_rx(struct net_device *netdev, int queue,
					struct netdev_queue_stats_rx *stats)
{
	macstats_fill_queue(netdev, stats, NULL, false);
}

static void macstats_get_queue_stats_tx(struct net_device *netdev, int queue,
					struct netdev_queue_stats_tx *stats)
{
	macstats_fill_queue(netdev, NULL, stats, false);
}

/* A port counts nothing outside of its queues. */
static void macstats_get_base_stats(struct net_device *netdev, struct netdev_queue_stats_rx *rx,
				    struct netdev_queue_stats_tx *tx)
{
	macstats_fill_queue(netdev, rx, tx, true);
}

/* For net_device.stat_ops of a net device with one queue. */
const struct netdev_stat_ops macstats_netdev_stat_ops = {
	.get_queue_stats_rx = macstats_get_queue_stats_rx,
	.get_queue_stats_tx = macstats_get_queue_stats_tx,
	.get_base_stats = macstats_get_base_stats,
};
EXPORT_SYMBOL_GPL(macstats_netdev_stat_ops);
#endif

/**
 * macstats_get_regs_len() - the size of a register dump
 * @netdev: the net device
 *
 * Context: process context.
 * Return: the size, in octets; 0 without a port.
 */
int macstats_get_regs_len(struct net_device *netdev)
{
	struct macstats_port *port = macstats_port_find(netdev);
	int len;

	if (!port)
		return 0;
	len = macstats_hw_dump_addresses(port->hw, NULL) * sizeof(u32);
	macstats_port_put(port);
	return len;
}
EXPORT_SYMBOL_GPL(macstats_get_regs_len);

/**
 * macstats_get_regs() - a register dump
 * @netdev: the net device
 * @regs: receives MACSTATS_REGS_VERSION
 * @data: receives the dump, of macstats_get_regs_len() octets
 *
 * Waits at most reader_wait_ms for hardware whose accesses sleep or whose last poll was slow, and
 * not at all while the port is stale on a slow bus. Registers that were not read until then, those
 * of suspended hardware, and counters that the hardware lacks are all-ones.
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_get_regs(struct net_device *netdev, struct ethtool_regs *regs, void *data)
{
	struct macstats_port *port = macstats_port_find(netdev);
	unsigned int n;

	if (!port)
		return;
	regs->version = MACSTATS_REGS_VERSION;
	n = macstats_hw_dump_addresses(port->hw, data);
	macstats_hw_dump(port->hw, data, n);
	cpu_to_le32_array(data, n);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_get_regs);

/**
 * macstats_get_coalesce() - the poll interval of a port
 * @netdev: the net device
 * @coalesce: receives the interval in stats_block_coalesce_usecs
 * @kernel_coalesce: not used
 * @extack: not used
 *
 * Context: process context.
 * Return: 0, or -EOPNOTSUPP without a port.
 */
int macstats_get_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
			  struct kernel_ethtool_coalesce *kernel_coalesce,
			  struct netlink_ext_ack *extack)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return -EOPNOTSUPP;
	coalesce->stats_block_coalesce_usecs = READ_ONCE(port->hw->poll.usecs);
	macstats_port_put(port);
	return 0;
}
EXPORT_SYMBOL_GPL(macstats_get_coalesce);

/* Intervals below this use so much time of the processor that they are not for every owner. */
#define MACSTATS_POLL_PRIVILEGED_USECS	100000

/*
 * May the caller, who may configure the net device of the port, set this interval? Caller holds
 * port->hw->ports_lock.
 */
static int macstats_may_set_interval(const struct macstats_port *port, u32 usecs,
				     struct netlink_ext_ack *extack)
{
	u32 present = READ_ONCE(port->hw->poll.usecs);
	const struct macstats_port *other;

	if (usecs < MACSTATS_POLL_MIN_USECS) {
		MACSTATS_EXTACK(extack, "stats-block-usecs: %u is too short: %u to %u are accepted",
				usecs, (u32)MACSTATS_POLL_MIN_USECS,
				READ_ONCE(port->hw->poll.ceiling));
		return -ERANGE;
	}
	if (usecs < min_t(u32, present, MACSTATS_POLL_PRIVILEGED_USECS) &&
	    !capable(CAP_NET_ADMIN)) {
		NL_SET_ERR_MSG(extack,
			       "stats-block-usecs: under 100 ms needs CAP_NET_ADMIN in the first user namespace");
		return -EPERM;
	}
	list_for_each_entry(other, &port->hw->ports, hw_node) {
		if (other == port || usecs == present ||
		    ns_capable(other->net ? other->net->user_ns : &init_user_ns, CAP_NET_ADMIN))
			continue;
		NL_SET_ERR_MSG(extack,
			       "stats-block-usecs: that of a net device elsewhere, too, which needs CAP_NET_ADMIN there");
		return -EPERM;
	}
	return 0;
}

/**
 * macstats_set_coalesce() - set the poll interval of a port
 * @netdev: the net device
 * @coalesce: the interval in stats_block_coalesce_usecs
 * @kernel_coalesce: not used
 * @extack: explains an error
 *
 * Context: process context of the user, may sleep.
 * Return: 0, -ERANGE, -EPERM, or -EOPNOTSUPP without a port.
 */
int macstats_set_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
			  struct kernel_ethtool_coalesce *kernel_coalesce,
			  struct netlink_ext_ack *extack)
{
	struct macstats_port *port = macstats_port_find(netdev);
	u32 usecs = coalesce->stats_block_coalesce_usecs;
	u32 ceiling;
	int err;

	if (!port)
		return -EOPNOTSUPP;
	mutex_lock(&port->hw->ports_lock);
	err = macstats_may_set_interval(port, usecs, extack);
	mutex_unlock(&port->hw->ports_lock);
	if (!err && !macstats_hw_set_interval(port->hw, usecs)) {
		ceiling = READ_ONCE(port->hw->poll.ceiling);
		MACSTATS_EXTACK(extack, "stats-block-usecs: %u exceeds %u to %u, %s", usecs,
				(u32)MACSTATS_POLL_MIN_USECS, ceiling,
				ceiling < MACSTATS_POLL_MAX_USECS ?
				"half the wrap time" : "one hour");
		err = -ERANGE;
	}
	macstats_port_put(port);
	return err;
}
EXPORT_SYMBOL_GPL(macstats_set_coalesce);
