/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface of the provider to Ethernet drivers. A driver registers each port once, with a
 * model and the way to its registers. Its ethtool_ops, net_device_ops and netdev_stat_ops get
 * the functions macstats_netdev_*() at the end, which find the port from the net device, or
 * functions of its own, which call those for a port.
 *
 * Locks. The provider accesses registers in process context, one access at a time for a port,
 * with a mutex held that no reader under RTNL waits for: it waits at most reader_wait_ms for a
 * poll. So the functions of struct macstats_port_ops may sleep, and must not take RTNL.
 */
#ifndef MACSTATS_PROVIDER_H
#define MACSTATS_PROVIDER_H

#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/regmap.h>

#include <macstats/schema.h>

struct device;
struct macstats_port;
struct netdev_stat_ops;
struct netdev_queue_stats_rx;
struct netdev_queue_stats_tx;
struct workqueue_struct;

/**
 * struct macstats_port_ops - functions of a driver for its hardware; each may be NULL
 * @get: make the registers accessible, and keep them so until @put, as
 *	pm_runtime_resume_and_get() and clk_prepare_enable() do. Comes before each access,
 *	except those in macstats_port_suspend(), _resume() and _reset(). Only locks of the
 *	caller are held, so it may wait for callbacks of the driver that call those three. Polls
 *	by the interval call it only while the port is not suspended. An error counts as one of
 *	the bus: the totals become stale. Must not take RTNL
 * @put: undo a successful @get
 * @clocks_run: do the clocks run that the counters need? NULL: they always do
 * @line_octets: for emulated hardware: the octet times that the frames of both directions took
 *	since the last call, ~0 for any number. If they are enough for a counter to go round,
 *	counts may be lost. Called by one task at a time. NULL: those of the clock, at the line rate
 * @has_counter: does the hardware have this register of a counter? Asked once for each, when the
 *	port is registered. Nothing reads the registers of the others, and no statistic has them.
 *	NULL: it has all, but for what its registers tell
 * @reg_read: read a register, at an address from the base of the device, instead of a regmap.
 *	Returns 0 or an error
 * @reg_write: write one; required with @reg_read
 * @reg_update_bits: set the bits of a mask in a register to those of a value. Required if
 *	others write the registers of settings, too. NULL: @reg_read and @reg_write
 * @read_block: read counters at adjacent addresses from one on, from the base of the device, for
 *	a bus that is faster in blocks. It sets the last argument, which is 0, to the number of
 *	words that were read, also where it fails: a read may have cleared them. For a port with
 *	a regmap, too. NULL: counters are read by the regmap or @reg_read
 * @lowered: for emulated hardware: since the last call, has anybody but the provider taken away
 *	some of what macstats_port_preset() had put into a counter? NULL: no
 *
 * Each gets macstats_port_config.priv, and may sleep.
 */
struct macstats_port_ops {
	int (*get)(void *priv);
	void (*put)(void *priv);
	bool (*clocks_run)(void *priv);
	u64 (*line_octets)(void *priv);
	bool (*has_counter)(void *priv, const struct macstats_counter *counter);
	int (*reg_read)(void *priv, unsigned int reg, unsigned int *value);
	int (*reg_write)(void *priv, unsigned int reg, unsigned int value);
	int (*reg_update_bits)(void *priv, unsigned int reg, unsigned int mask,
			       unsigned int value);
	int (*read_block)(void *priv, unsigned int reg, u64 *values, unsigned int words,
			  unsigned int *done);
	bool (*lowered)(void *priv, unsigned int index);
};

/* The most counters that an alias adds. */
#define MACSTATS_ALIAS_REGS	4

/**
 * struct macstats_alias - a string that the driver's ethtool -S had before it used the provider
 * @string: the string, of at most 32 printable characters
 * @regs: the counters whose totals it adds, by their names in the datasheet; NULL ends them
 */
struct macstats_alias {
	const char *string;
	const char *regs[MACSTATS_ALIAS_REGS];
};

/**
 * struct macstats_port_config - a port and its properties
 * @netdev: the net device. If it shares its counters with others, the first of them, see
 *	macstats_port_share(). NULL: it comes later, see macstats_port_attach()
 * @dev: the device, for messages while there is no net device; required without @netdev
 * @ops: functions of the driver, which must exist until the port is unregistered; NULL: none
 * @priv: passed to @ops; the same for all net devices of the hardware
 * @regmap: the registers of the device, addressed in the unit of the datasheet. val_bits is
 *	the width of the model's registers, reg_stride the distance of two of them, and
 *	max_register, if it is set, not before the last of them. Counters and the registers with
 *	the state of the hardware must be volatile, and clear-on-read registers precious, see
 *	macstats_regmap_precious(). NULL with @regmaps or macstats_port_ops.reg_read
 * @regmaps: for a driver with a resource for each region of the model: a regmap for each, in
 *	the order of macstats_model.regions; an address in it counts from the first one of its
 *	region. The array is copied. NULL: @regmap serves all addresses of the model
 * @model: describes the registers: one of macstats_model_at(), or one of the driver. That one is
 *	checked by the rules of macstats/rules.h, and copied, so that it may end with the driver.
 *	Its name then stands for this model until macstats is unloaded: ports of models with the
 *	same rows share one copy, and a different model of the same name is rejected. Rows that
 *	are made at run time must be in memory that was zeroed, as padding is compared, too
 * @index: number of the port in its device, from 0
 * @without_counters: the MAC is built without its statistics. Used only for models
 *	without an identity register that reports it
 * @private_only: omit counters with a standard statistic from ethtool -S, as new drivers
 *	in the kernel's tree must; not with @shared
 * @shared: further net devices share the counters, see macstats_port_share(). ethtool -S shows
 *	them; no standard statistic, in ip or a group of ethtool, is that of one net device
 * @aliases: strings with which ethtool -S begins, so that scripts which know them keep working.
 *	A counter that an alias names alone, or whose name it has, is not listed again; an alias
 *	of a counter that the hardware lacks is not listed. Copied. NULL: none. The driver lists
 *	strings with values of its own before or behind those of macstats_get_strings()
 * @n_aliases: number of @aliases
 * @no_line: the hardware has no line rate, as that of a virtual machine: switch the
 *	line-rate bound off
 * @line_rate_bps: the speed of the port until macstats_port_set_line_rate(); 0: the line rate of
 *	the model, its highest speed. Of a model with several lines (block_lines) the speed of the
 *	fastest one
 * @wq: the workqueue that polls the hardware; it must exist until the last port of the
 *	hardware is unregistered. For ports that may
 *	keep many workers waiting. NULL: that of this module
 * @held: poll the hardware only in macstats_port_refresh(), and answer everything else
 *	from memory. For tests, which must know when the hardware is read
 */
struct macstats_port_config {
	struct net_device *netdev;
	struct device *dev;
	const struct macstats_port_ops *ops;
	void *priv;
	struct regmap *regmap;
	struct regmap *const *regmaps;
	const struct macstats_model *model;
	unsigned int index;
	bool without_counters;
	bool private_only;
	bool shared;
	const struct macstats_alias *aliases;
	unsigned int n_aliases;
	bool no_line;
	u64 line_rate_bps;
	struct workqueue_struct *wq;
	bool held;
};

const struct macstats_model *macstats_model_at(unsigned int i);
const struct macstats_model *macstats_model_find(const char *name);

/* Life cycle */
struct macstats_port *macstats_port_register(const struct macstats_port_config *config);
struct macstats_port *devm_macstats_port_register(struct device *dev,
						  const struct macstats_port_config *config);
struct macstats_port *macstats_port_share(struct macstats_port *port, struct net_device *netdev);
int macstats_port_attach(struct macstats_port *port, struct net_device *netdev);
void macstats_port_unregister(struct macstats_port *port);
int macstats_port_refresh(struct macstats_port *port);
int macstats_port_suspend(struct macstats_port *port);
int macstats_port_resume(struct macstats_port *port);
int macstats_port_reset(struct macstats_port *port);
void macstats_port_gone(struct macstats_port *port);

/* Events of the hardware */
int macstats_port_set_line_rate(struct macstats_port *port, u64 line_rate_bps);
void macstats_port_transmitted(struct macstats_port *port, const struct macstats_packet *packet,
			       u64 count);
void macstats_port_received(struct macstats_port *port, u32 status, u64 count);

/* For tests and emulated hardware */
void macstats_port_advance(struct macstats_port *port, u64 nsecs);
void macstats_port_preset(struct macstats_port *port, unsigned int index, u64 value,
			  u64 (*set)(void *context, unsigned int index, u64 value),
			  void *context);

/* For regmap_config */
bool macstats_regmap_precious(const struct macstats_model *model, unsigned int reg);
bool macstats_regmap_precious_in(const struct macstats_model *model, unsigned int region,
				 unsigned int reg);

/* Totals for the driver itself */
int macstats_port_counter(const struct macstats_port *port, const char *reg);
u64 macstats_port_total(const struct macstats_port *port, unsigned int counter);

/* For ndo_get_stats64 */
void macstats_get_stats64(struct macstats_port *port, struct rtnl_link_stats64 *stats);

/*
 * For netdev_stat_ops, of a net device with one queue. Kernels before 6.10 have none of
 * these functions.
 */
void macstats_get_queue_stats_rx(struct macstats_port *port, struct netdev_queue_stats_rx *stats);
void macstats_get_queue_stats_tx(struct macstats_port *port, struct netdev_queue_stats_tx *stats);
void macstats_get_base_stats(struct macstats_port *port, struct netdev_queue_stats_rx *rx,
			     struct netdev_queue_stats_tx *tx);

/* For ethtool_ops */
void macstats_ethtool_begin(struct macstats_port *port);
void macstats_ethtool_complete(struct macstats_port *port);
int macstats_get_sset_count(struct macstats_port *port, int sset);
void macstats_get_strings(struct macstats_port *port, u32 sset, u8 *data);
void macstats_get_ethtool_stats(struct macstats_port *port, u64 *data);
void macstats_get_eth_phy_stats(struct macstats_port *port,
				struct ethtool_eth_phy_stats *stats);
void macstats_get_eth_mac_stats(struct macstats_port *port,
				struct ethtool_eth_mac_stats *stats);
void macstats_get_eth_ctrl_stats(struct macstats_port *port,
				 struct ethtool_eth_ctrl_stats *stats);
void macstats_get_rmon_stats(struct macstats_port *port, struct ethtool_rmon_stats *stats,
			     const struct ethtool_rmon_hist_range **ranges);
void macstats_get_pause_stats(struct macstats_port *port,
			      struct ethtool_pause_stats *stats);

/*
 * A register dump of version MACSTATS_REGS_VERSION is a list of pairs of __le32, in ascending
 * order: an address, in the unit of the datasheet and from the base of the device, and the bus
 * word there, or all-ones if it was not read. The dump holds each register, and each counter
 * that a read does not change; a counter of several words has as many pairs. In version 1 the
 * words were in the byte order of the machine.
 */
#define MACSTATS_REGS_VERSION	2
int macstats_get_regs_len(struct macstats_port *port);
void macstats_get_regs(struct macstats_port *port, struct ethtool_regs *regs, void *data);

/* For ethtool_ops.supported_coalesce_params: the poll interval is stats-block-usecs */
#define MACSTATS_COALESCE_PARAMS ETHTOOL_COALESCE_STATS_BLOCK_USECS
int macstats_get_coalesce(struct macstats_port *port, struct ethtool_coalesce *coalesce);
int macstats_set_coalesce(struct macstats_port *port,
			  const struct ethtool_coalesce *coalesce,
			  struct netlink_ext_ack *extack);
void macstats_self_test(struct macstats_port *port, struct ethtool_test *test, u64 *results,
			int (*loop)(void *context), void *context);

/*
 * The same for a net device: each finds the port itself. They serve a port that the driver has
 * unregistered as long as its net device is registered, with the last totals. A net device
 * without a port has no statistics.
 */
void macstats_netdev_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats);
extern const struct netdev_stat_ops macstats_netdev_stat_ops;

int macstats_netdev_begin(struct net_device *netdev);
void macstats_netdev_complete(struct net_device *netdev);
int macstats_netdev_get_sset_count(struct net_device *netdev, int sset);
void macstats_netdev_get_strings(struct net_device *netdev, u32 sset, u8 *data);
void macstats_netdev_get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats,
				       u64 *data);
void macstats_netdev_get_eth_phy_stats(struct net_device *netdev,
				       struct ethtool_eth_phy_stats *stats);
void macstats_netdev_get_eth_mac_stats(struct net_device *netdev,
				       struct ethtool_eth_mac_stats *stats);
void macstats_netdev_get_eth_ctrl_stats(struct net_device *netdev,
					struct ethtool_eth_ctrl_stats *stats);
void macstats_netdev_get_rmon_stats(struct net_device *netdev, struct ethtool_rmon_stats *stats,
				    const struct ethtool_rmon_hist_range **ranges);
void macstats_netdev_get_pause_stats(struct net_device *netdev,
				     struct ethtool_pause_stats *stats);
int macstats_netdev_get_regs_len(struct net_device *netdev);
void macstats_netdev_get_regs(struct net_device *netdev, struct ethtool_regs *regs, void *data);
int macstats_netdev_get_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
				 struct kernel_ethtool_coalesce *kernel_coalesce,
				 struct netlink_ext_ack *extack);
int macstats_netdev_set_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
				 struct kernel_ethtool_coalesce *kernel_coalesce,
				 struct netlink_ext_ack *extack);

/*
 * Initialisers for ethtool_ops. A driver uses those whose members it does not set itself; its
 * own begin, complete and string functions can call the functions for a port. The kernel shows
 * pause statistics only for a driver with get_pauseparam.
 */
#define MACSTATS_ETHTOOL_GROUPS							\
	.get_eth_phy_stats = macstats_netdev_get_eth_phy_stats,			\
	.get_eth_mac_stats = macstats_netdev_get_eth_mac_stats,			\
	.get_eth_ctrl_stats = macstats_netdev_get_eth_ctrl_stats,		\
	.get_rmon_stats = macstats_netdev_get_rmon_stats,			\
	.get_pause_stats = macstats_netdev_get_pause_stats

#define MACSTATS_ETHTOOL_STRINGS						\
	.get_sset_count = macstats_netdev_get_sset_count,			\
	.get_strings = macstats_netdev_get_strings,				\
	.get_ethtool_stats = macstats_netdev_get_ethtool_stats

#define MACSTATS_ETHTOOL_REQUESTS						\
	.begin = macstats_netdev_begin,						\
	.complete = macstats_netdev_complete

#define MACSTATS_ETHTOOL_REGS							\
	.get_regs_len = macstats_netdev_get_regs_len,				\
	.get_regs = macstats_netdev_get_regs

#define MACSTATS_ETHTOOL_INTERVAL						\
	.supported_coalesce_params = MACSTATS_COALESCE_PARAMS,			\
	.get_coalesce = macstats_netdev_get_coalesce,				\
	.set_coalesce = macstats_netdev_set_coalesce

#define MACSTATS_ETHTOOL_OPS							\
	MACSTATS_ETHTOOL_GROUPS,						\
	MACSTATS_ETHTOOL_STRINGS,						\
	MACSTATS_ETHTOOL_REQUESTS,						\
	MACSTATS_ETHTOOL_REGS,							\
	MACSTATS_ETHTOOL_INTERVAL

#endif /* MACSTATS_PROVIDER_H */
