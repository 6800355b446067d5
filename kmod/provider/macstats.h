/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface of the provider to Ethernet drivers. A driver registers each port once, with a
 * model and the way to its registers: before register_netdev() or in ndo_init. It unregisters the
 * port after unregister_netdev(), or in ndo_uninit or priv_destructor. So a net device has its
 * statistics, and the same number of them, as long as it is registered. Its ethtool_ops and
 * net_device_ops get the functions at the end, which find the port of the net device, or functions
 * of its own, which call them.
 *
 * Locks. The provider makes one access at a time to the hardware of a port. With
 * MACSTATS_PORT_FAST_IO, it reads the counters where somebody asks for them, also in
 * ndo_get_stats64, with a spinlock held and bottom halves off: the functions of
 * struct macstats_port_ops must not sleep, nor take a lock with which the driver calls
 * macstats_get_stats64(). Otherwise it reads them in process context, under a mutex that readers
 * never take: the functions may sleep, and must not take RTNL. Nor may they take a lock with which
 * the driver suspends, resumes, resets, refreshes or unregisters the port, or reports it gone:
 * those wait for a poll.
 */
#ifndef MACSTATS_PROVIDER_H
#define MACSTATS_PROVIDER_H

#include <linux/bits.h>
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/regmap.h>

#include <macstats/feature/descriptors.h>

struct device;
struct macstats_port;
struct ethtool_mm_stats;
struct netdev_stat_ops;

/**
 * struct macstats_port_ops - functions of a driver for its hardware; each may be NULL
 * @get: make the registers accessible, and keep them so until @put, as
 *	pm_runtime_resume_and_get() and clk_prepare_enable() do. Comes before each access,
 *	except those in macstats_port_suspend(), _resume() and _reset(). Only locks of the
 *	caller are held, so it may wait for callbacks of the driver that call those three. Nobody
 *	wakes hardware to read it: a suspended port shows its last totals, and only what began
 *	before the suspend may still call it. An error counts as one of the bus: the totals
 *	become stale. Must not take RTNL
 * @put: undo a successful @get
 * @clocks_run: do the clocks run that the counters need? NULL: they always do
 * @reg_read: read a register, at an address from the base of the device, instead of a regmap.
 *	Returns 0 or an error
 * @reg_read64: read both words of a counter, as they were at one instant, at an address from the
 *	base of the device. The word there is the low one of the value, which has the byte order of
 *	the CPU. Beside a regmap or @reg_read, for a model with read64; ignored for others. With
 *	CONFIG_64BIT, it calls readq(), never a nonatomic one: a lock does not stop the
 *	MAC, whose carry can come between two reads. On other machines it is NULL, and the provider
 *	reads the high word before and after the low one until it is the same twice; or it does so
 *	itself, where a lock of the driver must enclose all three reads. Returns 0 or an error
 * @reg_update_bits: give the bits of a mask in a register those of a value, which has no others;
 *	atomic against all others who write the register. Returns 0 or an error; -EOPNOTSUPP for
 *	the command that clears the counters, on a part without it. Required with @reg_read if the
 *	model has a gate, a snapshot, a dump, a window or a command that clears
 *
 * Each gets macstats_port_config.priv. @get and @put may sleep; the others may without
 * MACSTATS_PORT_FAST_IO.
 */
struct macstats_port_ops {
	int (*get)(void *priv);
	void (*put)(void *priv);
	bool (*clocks_run)(void *priv);
	int (*reg_read)(void *priv, unsigned int reg, unsigned int *value);
	int (*reg_read64)(void *priv, unsigned int reg, u64 *value);
	int (*reg_update_bits)(void *priv, unsigned int reg, unsigned int mask,
			       unsigned int value);
};

/* The most counters that an alias adds. */
#define MACSTATS_ALIAS_REGS	4

/**
 * struct macstats_alias - a string that the driver's ethtool -S had before it used the provider
 * @string: the string, of at most 32 printable characters; NULL ends a list of aliases
 * @regs: the counters whose totals it adds, by their names in the datasheet; NULL ends them
 */
struct macstats_alias {
	const char *string;
	const char *regs[MACSTATS_ALIAS_REGS];
};

/**
 * enum macstats_port_flags - properties of a port
 * @MACSTATS_PORT_FAST_IO: accesses to the registers take some microseconds at the most, and do not
 *	sleep, as those of a memory-mapped regmap. Not with macstats_port_ops.get
 * @MACSTATS_PORT_PRIVATE_ONLY: omit counters with a standard statistic from ethtool -S, as new
 *	drivers in the kernel's tree must; no effect with MACSTATS_PORT_SHARED
 * @MACSTATS_PORT_SHARED: further net devices share the counters, see macstats_port_share().
 *	ethtool -S shows them; no standard statistic, in ip or a group of ethtool, is that of one
 *	net device
 * @MACSTATS_PORT_SUSPENDED: the port is suspended until macstats_port_resume(), while its net
 *	device is down. The registration reads its registers nevertheless
 * @MACSTATS_PORT_OWN_PACKETS: the driver counts packets and octets; macstats_get_stats64() adds
 *	none, and the port has no such standard statistic
 */
enum macstats_port_flags {
	MACSTATS_PORT_FAST_IO = BIT(0),
	MACSTATS_PORT_PRIVATE_ONLY = BIT(1),
	MACSTATS_PORT_SHARED = BIT(2),
	MACSTATS_PORT_SUSPENDED = BIT(3),
	MACSTATS_PORT_OWN_PACKETS = BIT(4),
};

#define MACSTATS_PORT_FLAGS	(MACSTATS_PORT_FAST_IO | MACSTATS_PORT_PRIVATE_ONLY | \
				 MACSTATS_PORT_SHARED | MACSTATS_PORT_SUSPENDED | \
				 MACSTATS_PORT_OWN_PACKETS)

/* Nothing bounds the totals of such a port; the poll interval is that of its model's line rate. */
#define MACSTATS_NO_LINE_RATE	U64_MAX

/**
 * struct macstats_port_config - a port and its properties
 * @netdev: the net device. If it shares its counters with others, the first of them. NULL: all
 *	net devices come later, see macstats_port_share()
 * @ops: functions of the driver, which must exist until the port is unregistered; NULL: none
 * @priv: passed to @ops and @has_counter; the same for all net devices of the hardware
 * @regmap: the registers of the device, addressed in the unit of the datasheet. val_bits is
 *	the width of the model's registers, reg_stride the distance of two of them; both are
 *	checked. The rest is not: max_register, if it is set, is not before the last of them;
 *	counters and the registers with commands or the state of the hardware are volatile, as a
 *	counter in a cache never moves; clear-on-read registers are precious, see
 *	macstats_regmap_precious(). NULL with macstats_port_ops.reg_read, which also serves a
 *	driver with a resource for each region of the model
 * @model: describes the registers: that of a header in macstats/model/, which one file of the
 *	driver includes, or the driver's own. It is not copied, and must exist until the last port
 *	of the hardware is unregistered. A C++ compiler checks it, see macstats/check.h; the
 *	registration rejects only what could do harm in the kernel: a text or table that is missing
 *	or too long, a width, rate or index that is out of range
 * @has_counter: does the hardware have this register of a counter? Asked only during the
 *	registration; may sleep. Nothing reads the registers of the others, and no statistic has
 *	them. If it returns false for every counter, the port has no statistics. For a model with
 *	revisions, macstats_in_revision() tells. NULL: it has all, but for what its registers tell
 * @flags: any of enum macstats_port_flags
 * @index: number of the port in its device, from 0
 * @aliases: strings with which ethtool -S begins, so that scripts which know them keep working.
 *	A counter that an alias names alone, or whose name it has, is not listed again; an alias
 *	of a counter that the hardware lacks is not listed. An empty row ends them. Copied. NULL:
 *	none. That no two strings are alike is not checked. The driver lists strings with values of
 *	its own before or behind those of macstats_get_strings()
 * @line_rate_bps: the speed of the port until macstats_port_set_line_rate(); 0: the line rate of
 *	the model, its highest speed. Of a model with several lines (block_lines) the speed of the
 *	fastest one. MACSTATS_NO_LINE_RATE: the hardware has none, as that of a virtual machine, so
 *	that no total is bound by it
 */
struct macstats_port_config {
	struct net_device *netdev;
	const struct macstats_port_ops *ops;
	void *priv;
	struct regmap *regmap;
	const struct macstats_model *model;
	bool (*has_counter)(void *priv, const struct macstats_counter *counter);
	unsigned int flags;
	unsigned int index;
	const struct macstats_alias *aliases;
	u64 line_rate_bps;
};

/* Life cycle */
struct macstats_port *macstats_port_register(const struct macstats_port_config *config);
struct macstats_port *devm_macstats_port_register(struct device *dev,
						  const struct macstats_port_config *config);
struct macstats_port *macstats_port_share(struct macstats_port *port, struct net_device *netdev);
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

/* For regmap_config */
bool macstats_regmap_precious(const struct macstats_model *model, unsigned int reg);

/* Totals for the driver itself */
u64 macstats_port_total(const struct macstats_port *port, const char *reg);

/*
 * For members of net_device_ops, net_device and ethtool_ops. These functions find the port of the
 * net device. One without a port has no statistics.
 */
void macstats_ndo_uninit(struct net_device *netdev);
void macstats_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats);
/* For a net device with one queue. Kernels before 6.10 have no stat_ops. */
extern const struct netdev_stat_ops macstats_netdev_stat_ops;

int macstats_ethtool_begin(struct net_device *netdev);
void macstats_ethtool_complete(struct net_device *netdev);
int macstats_get_sset_count(struct net_device *netdev, int sset);
void macstats_get_strings(struct net_device *netdev, u32 sset, u8 *data);
void macstats_get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats,
				u64 *data);
void macstats_get_eth_phy_stats(struct net_device *netdev, struct ethtool_eth_phy_stats *stats);
void macstats_get_eth_mac_stats(struct net_device *netdev, struct ethtool_eth_mac_stats *stats);
void macstats_get_eth_ctrl_stats(struct net_device *netdev, struct ethtool_eth_ctrl_stats *stats);
void macstats_get_rmon_stats(struct net_device *netdev, struct ethtool_rmon_stats *stats,
			     const struct ethtool_rmon_hist_range **ranges);
void macstats_get_pause_stats(struct net_device *netdev, struct ethtool_pause_stats *stats);
/* Kernels before 6.3 have no get_mm_stats. */
void macstats_get_mm_stats(struct net_device *netdev, struct ethtool_mm_stats *stats);

/*
 * A register dump of version MACSTATS_REGS_VERSION is a list of pairs of __le32, in ascending
 * order: an address, in the unit of the datasheet and from the base of the device, and the bus
 * word there, or all-ones if it was not read. The dump holds each register, and each counter
 * that a read does not change; a counter of several words has as many pairs.
 */
#define MACSTATS_REGS_VERSION	2
int macstats_get_regs_len(struct net_device *netdev);
void macstats_get_regs(struct net_device *netdev, struct ethtool_regs *regs, void *data);

/* For ethtool_ops.supported_coalesce_params: the poll interval is stats-block-usecs */
#define MACSTATS_COALESCE_PARAMS ETHTOOL_COALESCE_STATS_BLOCK_USECS
int macstats_get_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
			  struct kernel_ethtool_coalesce *kernel_coalesce,
			  struct netlink_ext_ack *extack);
int macstats_set_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
			  struct kernel_ethtool_coalesce *kernel_coalesce,
			  struct netlink_ext_ack *extack);

/*
 * Initialisers for ethtool_ops. A driver uses those whose members it does not set itself; its
 * own begin, complete and string functions can call those above. The kernel shows
 * pause statistics only for a driver with get_pauseparam, and those of one MAC or of the MAC Merge
 * sublayer only for one with get_mm.
 */
#define MACSTATS_ETHTOOL_GROUPS							\
	.get_eth_phy_stats = macstats_get_eth_phy_stats,			\
	.get_eth_mac_stats = macstats_get_eth_mac_stats,			\
	.get_eth_ctrl_stats = macstats_get_eth_ctrl_stats,			\
	.get_rmon_stats = macstats_get_rmon_stats,				\
	.get_pause_stats = macstats_get_pause_stats

#define MACSTATS_ETHTOOL_STRINGS						\
	.get_sset_count = macstats_get_sset_count,				\
	.get_strings = macstats_get_strings,					\
	.get_ethtool_stats = macstats_get_ethtool_stats

#define MACSTATS_ETHTOOL_REQUESTS						\
	.begin = macstats_ethtool_begin,					\
	.complete = macstats_ethtool_complete

#define MACSTATS_ETHTOOL_REGS							\
	.get_regs_len = macstats_get_regs_len,					\
	.get_regs = macstats_get_regs

#define MACSTATS_ETHTOOL_INTERVAL						\
	.supported_coalesce_params = MACSTATS_COALESCE_PARAMS,			\
	.get_coalesce = macstats_get_coalesce,					\
	.set_coalesce = macstats_set_coalesce

#define MACSTATS_ETHTOOL_OPS							\
	MACSTATS_ETHTOOL_GROUPS,						\
	MACSTATS_ETHTOOL_STRINGS,						\
	MACSTATS_ETHTOOL_REQUESTS,						\
	MACSTATS_ETHTOOL_REGS,							\
	MACSTATS_ETHTOOL_INTERVAL

#endif /* MACSTATS_PROVIDER_H */
