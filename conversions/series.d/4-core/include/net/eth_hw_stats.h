/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Totals of the statistics registers of an Ethernet MAC, and the standard
 * statistics that they are terms of.
 */
#ifndef _NET_ETH_HW_STATS_H
#define _NET_ETH_HW_STATS_H

#include <linux/bits.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/stddef.h>
#include <linux/types.h>

struct device;
struct eth_hw_stats;

/* What a register does besides counting. */
#define ETH_HW_CLEARS		BIT(0)	/* a read clears it */
#define ETH_HW_SATURATES	BIT(1)	/* it stays at its maximum */

/*
 * Masks of standard statistics: a bit for each member of the structures that
 * drivers fill. Packets and bytes of rtnl_link_stats64 have none, since they
 * come from the driver's own software counts. Each histogram has one.
 */
enum eth_hw_first_bit {
	ETH_HW_FIRST_RTNL = 0,
	ETH_HW_FIRST_MAC = ETH_HW_FIRST_RTNL +
		(sizeof(struct rtnl_link_stats64) -
		 offsetof(struct rtnl_link_stats64, rx_errors)) / sizeof(u64),
	ETH_HW_FIRST_PHY = ETH_HW_FIRST_MAC +
		sizeof_field(struct ethtool_eth_mac_stats, stats) / sizeof(u64),
	ETH_HW_FIRST_CTRL = ETH_HW_FIRST_PHY +
		sizeof_field(struct ethtool_eth_phy_stats, stats) / sizeof(u64),
	ETH_HW_FIRST_PAUSE = ETH_HW_FIRST_CTRL +
		sizeof_field(struct ethtool_eth_ctrl_stats, stats) /
		sizeof(u64),
	ETH_HW_FIRST_RMON = ETH_HW_FIRST_PAUSE +
		sizeof_field(struct ethtool_pause_stats, stats) / sizeof(u64),
	ETH_HW_HIST_BIT = ETH_HW_FIRST_RMON +
		(offsetof(struct ethtool_rmon_stats, hist) -
		 offsetof(struct ethtool_rmon_stats, stats)) / sizeof(u64),
	ETH_HW_HIST_TX_BIT,
};

#define ETH_HW_TERM(first, type, from, member)				\
	BIT_U64((first) + (offsetof(type, member) -			\
			   offsetof(type, from)) / sizeof(u64))

#define ETH_HW_RTNL(member)						\
	ETH_HW_TERM(ETH_HW_FIRST_RTNL, struct rtnl_link_stats64,	\
		    rx_errors, member)
#define ETH_HW_MAC(member)						\
	ETH_HW_TERM(ETH_HW_FIRST_MAC, struct ethtool_eth_mac_stats,	\
		    stats, member)
#define ETH_HW_PHY(member)						\
	ETH_HW_TERM(ETH_HW_FIRST_PHY, struct ethtool_eth_phy_stats,	\
		    stats, member)
#define ETH_HW_CTRL(member)						\
	ETH_HW_TERM(ETH_HW_FIRST_CTRL, struct ethtool_eth_ctrl_stats,	\
		    stats, member)
#define ETH_HW_PAUSE(member)						\
	ETH_HW_TERM(ETH_HW_FIRST_PAUSE, struct ethtool_pause_stats,	\
		    stats, member)
/* For members before the histograms */
#define ETH_HW_RMON(member)						\
	ETH_HW_TERM(ETH_HW_FIRST_RMON, struct ethtool_rmon_stats,	\
		    stats, member)
/* Rows of each histogram are in the order of its buckets. */
#define ETH_HW_HIST	BIT_U64(ETH_HW_HIST_BIT)
#define ETH_HW_HIST_TX	BIT_U64(ETH_HW_HIST_TX_BIT)

/**
 * struct eth_hw_stats_row - a counter of the hardware
 * @terms: the standard statistics that it is a term of, a mask of
 *	ETH_HW_RTNL() and others; 0: none
 * @mask: its maximum. More than 32 bits: @reg holds the low word, whose read
 *	latches the high word in @reg + 4. Bits of a register outside of @mask
 *	are ignored, unless a read clears it: then all have been counted
 * @reg: its register, as eth_hw_stats_desc.read() gets it
 * @flags: ETH_HW_CLEARS, ETH_HW_SATURATES; the second changes nothing for a
 *	register that a read clears
 * @name: in ethtool -S
 */
struct eth_hw_stats_row {
	u64 terms;
	u64 mask;
	u16 reg;
	u8 flags;
	char name[ETH_GSTRING_LEN] __nonstring;
};

#define ETH_HW_ROW(_reg, _bits, _flags, _terms, _name)			\
	{								\
		.terms = (_terms), .mask = GENMASK_ULL((_bits) - 1, 0),	\
		.reg = (_reg), .flags = (_flags), .name = _name,	\
	}

/**
 * struct eth_hw_stats_desc - the statistics registers of a MAC
 * @rows: its counters, in the order of ethtool -S
 * @n_rows: the number of @rows
 * @interval_ms: the time between two reads that nobody asks for, not 0. A
 *	counter that wraps or fills within it loses counts
 * @ranges: of the buckets of the histograms; NULL: there are none
 * @read: reads a register. An error, for example of a device that is gone:
 *	nothing more is read until eth_hw_stats_start(), and the totals stay.
 *	Called in atomic context
 */
struct eth_hw_stats_desc {
	const struct eth_hw_stats_row *rows;
	unsigned int n_rows;
	unsigned int interval_ms;
	const struct ethtool_rmon_hist_range *ranges;
	int (*read)(void *priv, unsigned int reg, u32 *value);
};

struct eth_hw_stats *eth_hw_stats_alloc(struct device *dev,
					const struct eth_hw_stats_desc *desc,
					void *priv);
void eth_hw_stats_free(struct eth_hw_stats *stats);
void eth_hw_stats_start(struct eth_hw_stats *stats);
void eth_hw_stats_stop(struct eth_hw_stats *stats);

unsigned int eth_hw_stats_count(const struct eth_hw_stats *stats);
void eth_hw_stats_get_strings(const struct eth_hw_stats *stats, u8 **data);
void eth_hw_stats_get_ethtool_stats(struct eth_hw_stats *stats, u64 *data);

void eth_hw_stats_get_stats64(struct eth_hw_stats *stats,
			      struct rtnl_link_stats64 *link);
void eth_hw_stats_get_eth_mac_stats(struct eth_hw_stats *stats,
				    struct ethtool_eth_mac_stats *mac);
void eth_hw_stats_get_eth_phy_stats(struct eth_hw_stats *stats,
				    struct ethtool_eth_phy_stats *phy);
void eth_hw_stats_get_eth_ctrl_stats(struct eth_hw_stats *stats,
				     struct ethtool_eth_ctrl_stats *ctrl);
void eth_hw_stats_get_pause_stats(struct eth_hw_stats *stats,
				  struct ethtool_pause_stats *pause);
void eth_hw_stats_get_rmon_stats(struct eth_hw_stats *stats,
				 struct ethtool_rmon_stats *rmon,
				 const struct ethtool_rmon_hist_range **ranges);

#endif /* _NET_ETH_HW_STATS_H */
