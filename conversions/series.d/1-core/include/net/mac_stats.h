/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Totals of the statistics registers of an Ethernet MAC, and the standard
 * statistics that they are terms of.
 */
#ifndef _NET_MAC_STATS_H
#define _NET_MAC_STATS_H

#include <linux/bits.h>
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/stddef.h>
#include <linux/types.h>

struct device;
struct mac_stats;

/* What a register does besides counting. */
#define MAC_STATS_CLEARS	BIT(0)	/* a read clears it */
#define MAC_STATS_SATURATES	BIT(1)	/* it stays at its maximum */

/*
 * Masks of standard statistics: a bit for each member of the structures that
 * drivers fill. Packets and bytes of rtnl_link_stats64 have none, since they
 * come from the driver's own software counts.
 */
enum mac_stats_first_bit {
	MAC_STATS_FIRST_RTNL = 0,
	MAC_STATS_FIRST_MAC = MAC_STATS_FIRST_RTNL +
		(sizeof(struct rtnl_link_stats64) -
		 offsetof(struct rtnl_link_stats64, rx_errors)) / sizeof(u64),
	MAC_STATS_FIRST_PHY = MAC_STATS_FIRST_MAC +
		sizeof_field(struct ethtool_eth_mac_stats, stats) / sizeof(u64),
	MAC_STATS_FIRST_PAUSE = MAC_STATS_FIRST_PHY +
		sizeof_field(struct ethtool_eth_phy_stats, stats) / sizeof(u64),
	/* Of a histogram only its first bucket has a bit. */
	MAC_STATS_FIRST_RMON = MAC_STATS_FIRST_PAUSE +
		sizeof_field(struct ethtool_pause_stats, stats) / sizeof(u64),
};

#define MAC_STATS_BIT(first, type, from, member)			\
	BIT_U64((first) + (offsetof(type, member) -			\
			   offsetof(type, from)) / sizeof(u64))

#define MAC_STATS_RTNL(member)						\
	MAC_STATS_BIT(MAC_STATS_FIRST_RTNL, struct rtnl_link_stats64,	\
		      rx_errors, member)
#define MAC_STATS_MAC(member)						\
	MAC_STATS_BIT(MAC_STATS_FIRST_MAC, struct ethtool_eth_mac_stats, \
		      stats, member)
#define MAC_STATS_PHY(member)						\
	MAC_STATS_BIT(MAC_STATS_FIRST_PHY, struct ethtool_eth_phy_stats, \
		      stats, member)
#define MAC_STATS_PAUSE(member)						\
	MAC_STATS_BIT(MAC_STATS_FIRST_PAUSE, struct ethtool_pause_stats, \
		      stats, member)
/* Rows of hist, and those of hist_tx, are in the order of their buckets. */
#define MAC_STATS_RMON(member)						\
	MAC_STATS_BIT(MAC_STATS_FIRST_RMON, struct ethtool_rmon_stats,	\
		      stats, member)

/**
 * struct mac_stats_row - a counter of the hardware
 * @terms: the standard statistics that it is a term of, a mask of
 *	MAC_STATS_RTNL() and others; 0: none
 * @mask: its maximum. More than 32 bits: @reg holds the low word, whose read
 *	latches the high word in @reg + 4
 * @reg: its register, as mac_stats_desc.read() gets it
 * @flags: MAC_STATS_CLEARS, MAC_STATS_SATURATES
 * @name: in ethtool -S
 */
struct mac_stats_row {
	u64 terms;
	u64 mask;
	u16 reg;
	u8 flags;
	char name[ETH_GSTRING_LEN] __nonstring;
};

#define MAC_STATS_ROW(_reg, _bits, _flags, _terms, _name)		\
	{								\
		.terms = (_terms), .mask = GENMASK_ULL((_bits) - 1, 0),	\
		.reg = (_reg), .flags = (_flags), .name = _name,	\
	}

/**
 * struct mac_stats_desc - the statistics registers of a MAC
 * @rows: its counters, in the order of ethtool -S
 * @n_rows: the number of @rows
 * @interval_ms: the time between two reads that nobody asks for. A counter that
 *	wraps or fills within it loses counts
 * @ranges: of the buckets of the histograms; NULL: there are none
 * @read: reads a register. Called in atomic context
 * @hold: makes the registers keep their values while they are read, or lets
 *	them follow again. An error: nothing is read until the next request.
 *	Called in atomic context. NULL: they always follow
 */
struct mac_stats_desc {
	const struct mac_stats_row *rows;
	unsigned int n_rows;
	unsigned int interval_ms;
	const struct ethtool_rmon_hist_range *ranges;
	u32 (*read)(void *priv, unsigned int reg);
	int (*hold)(void *priv, bool on);
};

struct mac_stats *devm_mac_stats_alloc(struct device *dev,
				       const struct mac_stats_desc *desc,
				       void *priv);
void mac_stats_start(struct mac_stats *stats);
void mac_stats_stop(struct mac_stats *stats);

unsigned int mac_stats_count(const struct mac_stats *stats);
void mac_stats_get_strings(const struct mac_stats *stats, u8 **data);
void mac_stats_get_ethtool_stats(struct mac_stats *stats, u64 *data);

void mac_stats_get_stats64(struct mac_stats *stats,
			   struct rtnl_link_stats64 *link);
void mac_stats_get_eth_mac_stats(struct mac_stats *stats,
				 struct ethtool_eth_mac_stats *mac);
void mac_stats_get_eth_phy_stats(struct mac_stats *stats,
				 struct ethtool_eth_phy_stats *phy);
void mac_stats_get_pause_stats(struct mac_stats *stats,
			       struct ethtool_pause_stats *pause);
void mac_stats_get_rmon_stats(struct mac_stats *stats,
			      struct ethtool_rmon_stats *rmon,
			      const struct ethtool_rmon_hist_range **ranges);

#endif /* _NET_MAC_STATS_H */
