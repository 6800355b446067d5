/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an Ethernet driver calls to have its MAC's statistics provided: it
 * registers each port with a regmap and a model, and lets its ethtool_ops and
 * ndo_get_stats64 call the functions below.
 */
#ifndef MACSTATS_PROVIDER_H
#define MACSTATS_PROVIDER_H

#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/regmap.h>

#include <macstats/schema.h>

struct macstats_port;

/**
 * struct macstats_port_config - what a driver says of a port
 * @netdev: the port's net device, not registered yet
 * @regmap: its registers, addressed in the unit of the datasheet. Clear-on-read
 *	registers must be precious (see macstats_regmap_precious()), nothing may
 *	be cached.
 * @model: what is in these registers
 * @index: which of the device's ports it is, from 0
 * @without_counters: the MAC was built without its statistics. Only where it has
 *	no register that tells so does anybody ask
 * @clocks_run: do the clocks run without which the counters cannot be read?
 *	Called where it may sleep; NULL if they always do
 * @private_only: leave out of ethtool -S what has a standard statistic of its
 *	own, as is asked of new drivers in the kernel's tree
 * @held: read the counters at macstats_port_refresh() only, and answer everything
 *	else from memory; for tests, which have to know what is read when
 */
struct macstats_port_config {
	struct net_device *netdev;
	struct regmap *regmap;
	const struct macstats_model *model;
	unsigned int index;
	bool without_counters;
	bool (*clocks_run)(struct net_device *netdev);
	bool private_only;
	bool held;
};

/* The models; @i counts from 0, NULL behind the last. Any context. */
const struct macstats_model *macstats_model_at(unsigned int i);
const struct macstats_model *macstats_model_find(const char *name);

/*
 * Take a port into use: identify it, clear its counters, start polling. To be
 * called before register_netdev(), and undone after unregister_netdev(). May
 * sleep. Returns an ERR_PTR: -ENODEV if the registers are not the model's.
 */
struct macstats_port *macstats_port_register(const struct macstats_port_config *config);
void macstats_port_unregister(struct macstats_port *port);

/*
 * Read the hardware now, also if the port is held. Returns 0 or -errno; then the
 * totals are as they were.
 */
int macstats_port_refresh(struct macstats_port *port);

/* As if so much more time had passed since the last poll. May sleep. */
void macstats_port_advance(struct macstats_port *port, u64 nsecs);

/* The MAC interrupts because a counter is half full: read it soon. Any context. */
void macstats_port_interrupt(struct macstats_port *port);

/*
 * @count frames were sent, or given up, with this status in their descriptor.
 * For models whose counters descriptors feed. Bottom halves off; no lock.
 */
void macstats_port_transmitted(struct macstats_port *port, u32 status, u64 count);

/*
 * Emulated hardware only: let counter @index hold @value, which is not counted.
 * @hold makes it so, and returns what it held until then; called under the
 * port's lock. May sleep.
 */
void macstats_port_preset(struct macstats_port *port, unsigned int index, u64 value,
			  u64 (*hold)(void *context, unsigned int index, u64 value),
			  void *context);

/* For regmap_config.precious_reg. */
bool macstats_regmap_precious(const struct macstats_model *model, unsigned int reg);

/* ethtool_ops. All may sleep but for macstats_get_stats64(), which is atomic. */

/*
 * The first and last operation of a request. What a request reads is fresh, but
 * read once, however many groups of statistics it asks for. Without these two,
 * each group is read for itself.
 */
void macstats_ethtool_begin(struct macstats_port *port);
void macstats_ethtool_complete(struct macstats_port *port);

int macstats_get_sset_count(struct macstats_port *port, int sset);
void macstats_get_strings(struct macstats_port *port, u32 sset, u8 *data);
void macstats_get_ethtool_stats(struct macstats_port *port, u64 *data);
void macstats_get_eth_mac_stats(struct macstats_port *port,
				struct ethtool_eth_mac_stats *stats);
void macstats_get_eth_ctrl_stats(struct macstats_port *port,
				 struct ethtool_eth_ctrl_stats *stats);
void macstats_get_rmon_stats(struct macstats_port *port, struct ethtool_rmon_stats *stats,
			     const struct ethtool_rmon_hist_range **ranges);
void macstats_get_pause_stats(struct macstats_port *port,
			      struct ethtool_pause_stats *stats);

/*
 * A register dump of version MACSTATS_REGS_VERSION is a list of pairs of u32 in
 * host byte order, ascending: an address, in the unit of the datasheet and from the
 * device's base, and the bus word there, or all-ones if it could not be read. It
 * holds each register and such counters as reading leaves alone, at the time of the
 * dump; a counter of several words has as many pairs.
 */
#define MACSTATS_REGS_VERSION	1
int macstats_get_regs_len(struct macstats_port *port);
void macstats_get_regs(struct macstats_port *port, struct ethtool_regs *regs, void *data);
#define MACSTATS_COALESCE_PARAMS ETHTOOL_COALESCE_STATS_BLOCK_USECS
int macstats_get_coalesce(struct macstats_port *port, struct ethtool_coalesce *coalesce);
int macstats_set_coalesce(struct macstats_port *port,
			  const struct ethtool_coalesce *coalesce,
			  struct netlink_ext_ack *extack);
/* Adds to @stats, which may hold what only the driver knows. Atomic. */
void macstats_get_stats64(struct macstats_port *port, struct rtnl_link_stats64 *stats);

/*
 * The self tests of ethtool -t, which the strings of ETH_SS_TEST name: one
 * result each, 0 if passed. @loop sends at least one frame that comes back; it
 * is only called for an offline test.
 */
void macstats_self_test(struct macstats_port *port, struct ethtool_test *test, u64 *results,
			int (*loop)(void *context), void *context);

#endif /* MACSTATS_PROVIDER_H */
