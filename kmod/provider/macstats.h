/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The interface of the provider to Ethernet drivers. A driver registers each port once, with a
 * regmap and a model, and calls the functions below from its ethtool_ops, ndo_get_stats64 and
 * netdev_stat_ops.
 */
#ifndef MACSTATS_PROVIDER_H
#define MACSTATS_PROVIDER_H

#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/regmap.h>

#include <macstats/schema.h>

struct macstats_port;
struct netdev_queue_stats_rx;
struct netdev_queue_stats_tx;
struct workqueue_struct;

/**
 * struct macstats_port_config - a port and its properties
 * @netdev: the net device, not registered yet. If it shares its counters with others, the
 *	first of them, see macstats_port_share()
 * @regmap: the registers of the device, addressed in the unit of the datasheet. val_bits is
 *	the width of the model's registers, reg_stride the distance of two of them, and
 *	max_register, if it is set, not before the last of them. Counters and the registers with
 *	the state of the hardware must be volatile, and clear-on-read registers precious, see
 *	macstats_regmap_precious(). NULL with @regmaps
 * @regmaps: for a driver with a resource for each region of the model: a regmap for each, in
 *	the order of macstats_model.regions; an address in it counts from the first one of its
 *	region. The array is copied. NULL: @regmap serves all addresses of the model
 * @model: describes the registers
 * @index: number of the port in its device, from 0
 * @without_counters: the MAC is built without its statistics. Used only for models
 *	without an identity register that reports it
 * @clocks_run: do the clocks run that the counters need? Called with a net device of the
 *	hardware. May sleep. NULL: they always do
 * @private_only: omit counters with a standard statistic from ethtool -S, as new drivers
 *	in the kernel's tree must
 * @no_line: the hardware has no line rate, as that of a virtual machine: switch the
 *	line-rate bound off
 * @line_rate_bps: the speed of the port, for good; 0: the line rate of the model, which also
 *	serves a port that runs at a lower speed for some time: it is only polled more often.
 *	Of a model with several lines (block_lines) the speed of the fastest one
 * @line_octets: the octet times that have passed on that line since the last call, ~0 for
 *	any number. Called with a net device of the hardware, not always with the same one: keep
 *	what it counts for the hardware. May sleep; called by one task at a time. NULL: those of
 *	the clock, at @line_rate_bps
 * @wq: the workqueue that polls the hardware; it must outlive the port. For ports that may
 *	keep many workers waiting. NULL: that of this module
 * @held: poll the hardware only in macstats_port_refresh(), and answer everything else
 *	from memory. For tests, which must know when the hardware is read
 */
struct macstats_port_config {
	struct net_device *netdev;
	struct regmap *regmap;
	struct regmap *const *regmaps;
	const struct macstats_model *model;
	unsigned int index;
	bool without_counters;
	bool (*clocks_run)(struct net_device *netdev);
	bool private_only;
	bool no_line;
	u64 line_rate_bps;
	u64 (*line_octets)(struct net_device *netdev);
	struct workqueue_struct *wq;
	bool held;
};

const struct macstats_model *macstats_model_at(unsigned int i);
const struct macstats_model *macstats_model_find(const char *name);

/* Life cycle */
struct macstats_port *macstats_port_register(const struct macstats_port_config *config);
struct macstats_port *macstats_port_share(struct macstats_port *port, struct net_device *netdev);
void macstats_port_unregister(struct macstats_port *port);
int macstats_port_refresh(struct macstats_port *port);
int macstats_port_suspend(struct macstats_port *port);
int macstats_port_resume(struct macstats_port *port);
int macstats_port_reset(struct macstats_port *port);
void macstats_port_gone(struct macstats_port *port);

/* Events of the hardware */
void macstats_port_interrupt(struct macstats_port *port);
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
 * For netdev_stat_ops, of a net device with one queue. Kernels before 6.9 have neither these
 * functions nor struct netdev_stat_ops.
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

#endif /* MACSTATS_PROVIDER_H */
