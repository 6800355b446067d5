// SPDX-License-Identifier: GPL-2.0-only
/* Statistics of the Cadence MACB and GEM */
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <net/eth_hw_stats.h>
#include "macb.h"

#define RTNL(member)	ETH_HW_RTNL(member)
#define MAC(member)	ETH_HW_MAC(member)
#define PHY(member)	ETH_HW_PHY(member)
#define PAUSE(member)	ETH_HW_PAUSE(member)
#define RMON(member)	ETH_HW_RMON(member)

#define RX_LENGTH	(RTNL(rx_errors) | RTNL(rx_length_errors))

/* The MACB has no strings in ethtool -S. */
#define MACB_STAT(reg, terms) \
	ETH_HW_ROW(MACB_##reg, 32, ETH_HW_CLEARS, terms, "")

static const struct eth_hw_stats_row macb_rows[] = {
	MACB_STAT(PFR, PAUSE(rx_pause_frames)),
	MACB_STAT(FTO, MAC(FramesTransmittedOK)),
	MACB_STAT(SCF, MAC(SingleCollisionFrames) | RTNL(collisions)),
	MACB_STAT(MCF, MAC(MultipleCollisionFrames) | RTNL(collisions)),
	MACB_STAT(FRO, MAC(FramesReceivedOK)),
	MACB_STAT(FCSE, MAC(FrameCheckSequenceErrors) | RTNL(rx_errors) |
		  RTNL(rx_crc_errors)),
	MACB_STAT(ALE, MAC(AlignmentErrors) | RTNL(rx_errors) |
		  RTNL(rx_frame_errors)),
	MACB_STAT(DTF, MAC(FramesWithDeferredXmissions)),
	MACB_STAT(LCOL, MAC(LateCollisions) | RTNL(tx_errors)),
	MACB_STAT(EXCOL, MAC(FramesAbortedDueToXSColls) | RTNL(tx_errors) |
		  RTNL(collisions) | RTNL(tx_aborted_errors)),
	MACB_STAT(TUND, MAC(FramesLostDueToIntMACXmitError) |
		  RTNL(tx_errors) | RTNL(tx_fifo_errors)),
	MACB_STAT(CSE, MAC(CarrierSenseErrors) | RTNL(tx_errors) |
		  RTNL(tx_carrier_errors)),
	MACB_STAT(RRE, RTNL(rx_errors) | RTNL(rx_over_errors)),
	MACB_STAT(ROVR, MAC(FramesLostDueToIntMACRcvError) | RTNL(rx_errors) |
		  RTNL(rx_over_errors) | RTNL(rx_fifo_errors)),
	MACB_STAT(RSE, PHY(SymbolErrorDuringCarrier)),
	MACB_STAT(ELE, MAC(FrameTooLongErrors) | RMON(oversize_pkts) |
		  RX_LENGTH),
	MACB_STAT(RJA, RMON(jabbers) | RX_LENGTH),
	MACB_STAT(USF, RMON(undersize_pkts) | RX_LENGTH),
	/* SQE test errors, which phy_stats cannot report yet */
	MACB_STAT(STE, RTNL(tx_errors)),
	MACB_STAT(RLE, MAC(InRangeLengthErrors) | RX_LENGTH),
	MACB_STAT(TPF, PAUSE(tx_pause_frames)),
};

#define GEM_STAT(reg, bits, name, terms) \
	ETH_HW_ROW(GEM_##reg, bits, ETH_HW_CLEARS, terms, name)

static const struct eth_hw_stats_row gem_rows[] = {
	GEM_STAT(OCTTXL, 48, "tx_octets", MAC(OctetsTransmittedOK)),
	GEM_STAT(TXCNT, 32, "tx_frames", MAC(FramesTransmittedOK)),
	GEM_STAT(TXBCCNT, 32, "tx_broadcast_frames",
		 MAC(BroadcastFramesXmittedOK)),
	GEM_STAT(TXMCCNT, 32, "tx_multicast_frames",
		 MAC(MulticastFramesXmittedOK)),
	GEM_STAT(TXPAUSECNT, 16, "tx_pause_frames", PAUSE(tx_pause_frames)),
	GEM_STAT(TX64CNT, 32, "tx_64_byte_frames", ETH_HW_HIST_TX),
	GEM_STAT(TX65CNT, 32, "tx_65_127_byte_frames", ETH_HW_HIST_TX),
	GEM_STAT(TX128CNT, 32, "tx_128_255_byte_frames", ETH_HW_HIST_TX),
	GEM_STAT(TX256CNT, 32, "tx_256_511_byte_frames", ETH_HW_HIST_TX),
	GEM_STAT(TX512CNT, 32, "tx_512_1023_byte_frames", ETH_HW_HIST_TX),
	GEM_STAT(TX1024CNT, 32, "tx_1024_1518_byte_frames", ETH_HW_HIST_TX),
	GEM_STAT(TX1519CNT, 32, "tx_greater_than_1518_byte_frames",
		 ETH_HW_HIST_TX),
	GEM_STAT(TXURUNCNT, 10, "tx_underrun",
		 MAC(FramesLostDueToIntMACXmitError) | RTNL(tx_errors) |
		 RTNL(tx_fifo_errors)),
	GEM_STAT(SNGLCOLLCNT, 18, "tx_single_collision_frames",
		 MAC(SingleCollisionFrames) | RTNL(collisions)),
	GEM_STAT(MULTICOLLCNT, 18, "tx_multiple_collision_frames",
		 MAC(MultipleCollisionFrames) | RTNL(collisions)),
	GEM_STAT(EXCESSCOLLCNT, 10, "tx_excessive_collisions",
		 MAC(FramesAbortedDueToXSColls) | RTNL(tx_errors) |
		 RTNL(tx_aborted_errors) | RTNL(collisions)),
	GEM_STAT(LATECOLLCNT, 10, "tx_late_collisions",
		 MAC(LateCollisions) | RTNL(tx_errors)),
	GEM_STAT(TXDEFERCNT, 18, "tx_deferred_frames",
		 MAC(FramesWithDeferredXmissions)),
	GEM_STAT(TXCSENSECNT, 10, "tx_carrier_sense_errors",
		 MAC(CarrierSenseErrors) | RTNL(tx_errors) |
		 RTNL(tx_carrier_errors)),
	GEM_STAT(OCTRXL, 48, "rx_octets", MAC(OctetsReceivedOK)),
	GEM_STAT(RXCNT, 32, "rx_frames", MAC(FramesReceivedOK)),
	GEM_STAT(RXBROADCNT, 32, "rx_broadcast_frames",
		 MAC(BroadcastFramesReceivedOK)),
	GEM_STAT(RXMULTICNT, 32, "rx_multicast_frames",
		 MAC(MulticastFramesReceivedOK) | RTNL(multicast)),
	GEM_STAT(RXPAUSECNT, 16, "rx_pause_frames", PAUSE(rx_pause_frames)),
	GEM_STAT(RX64CNT, 32, "rx_64_byte_frames", ETH_HW_HIST),
	GEM_STAT(RX65CNT, 32, "rx_65_127_byte_frames", ETH_HW_HIST),
	GEM_STAT(RX128CNT, 32, "rx_128_255_byte_frames", ETH_HW_HIST),
	GEM_STAT(RX256CNT, 32, "rx_256_511_byte_frames", ETH_HW_HIST),
	GEM_STAT(RX512CNT, 32, "rx_512_1023_byte_frames", ETH_HW_HIST),
	GEM_STAT(RX1024CNT, 32, "rx_1024_1518_byte_frames", ETH_HW_HIST),
	GEM_STAT(RX1519CNT, 32, "rx_greater_than_1518_byte_frames",
		 ETH_HW_HIST),
	GEM_STAT(RXUNDRCNT, 10, "rx_undersized_frames",
		 RMON(undersize_pkts) | RX_LENGTH),
	GEM_STAT(RXOVRCNT, 10, "rx_oversize_frames",
		 MAC(FrameTooLongErrors) | RMON(oversize_pkts) | RX_LENGTH),
	GEM_STAT(RXJABCNT, 10, "rx_jabbers", RMON(jabbers) | RX_LENGTH),
	GEM_STAT(RXFCSCNT, 10, "rx_frame_check_sequence_errors",
		 MAC(FrameCheckSequenceErrors) | RTNL(rx_errors) |
		 RTNL(rx_crc_errors)),
	GEM_STAT(RXLENGTHCNT, 10, "rx_length_field_frame_errors",
		 MAC(InRangeLengthErrors) | RX_LENGTH),
	GEM_STAT(RXSYMBCNT, 10, "rx_symbol_errors",
		 PHY(SymbolErrorDuringCarrier)),
	GEM_STAT(RXALIGNCNT, 10, "rx_alignment_errors",
		 MAC(AlignmentErrors) | RTNL(rx_errors) |
		 RTNL(rx_frame_errors)),
	GEM_STAT(RXRESERRCNT, 18, "rx_resource_errors",
		 RTNL(rx_errors) | RTNL(rx_over_errors)),
	GEM_STAT(RXORCNT, 10, "rx_overruns",
		 RTNL(rx_errors) | RTNL(rx_fifo_errors)),
	GEM_STAT(RXIPCCNT, 8, "rx_ip_header_checksum_errors", 0),
	GEM_STAT(RXTCPCCNT, 8, "rx_tcp_checksum_errors", 0),
	GEM_STAT(RXUDPCCNT, 8, "rx_udp_checksum_errors", 0),
	GEM_STAT(RXLPI, 32, "rx_lpi_transitions", 0),
	GEM_STAT(RXLPITIME, 32, "rx_lpi_time", 0),
	GEM_STAT(TXLPI, 32, "tx_lpi_transitions", 0),
	GEM_STAT(TXLPITIME, 32, "tx_lpi_time", 0),
};

static const struct ethtool_rmon_hist_range gem_rmon_ranges[] = {
	{   64,    64 },
	{   65,   127 },
	{  128,   255 },
	{  256,   511 },
	{  512,  1023 },
	{ 1024,  1518 },
	{ 1519, 16384 },
	{ },
};

/* A MAC behind PCI may be gone, and reads give all ones. */
static int macb_stats_read(void *priv, unsigned int reg, u32 *value)
{
	struct macb *bp = priv;

	*value = bp->macb_reg_readl(bp, reg);
	return *value == U32_MAX && macb_readl(bp, MID) == U32_MAX ?
	       -ENODEV : 0;
}

static const struct eth_hw_stats_desc macb_desc = {
	.rows = macb_rows,
	.n_rows = ARRAY_SIZE(macb_rows),
	.interval_ms = 1000,
	.read = macb_stats_read,
};

static const struct eth_hw_stats_desc gem_desc = {
	.rows = gem_rows,
	.n_rows = ARRAY_SIZE(gem_rows),
	.interval_ms = 1000,
	.ranges = gem_rmon_ranges,
	.read = macb_stats_read,
};

int macb_stats_init(struct macb *bp)
{
	struct eth_hw_stats *stats;

	stats = eth_hw_stats_alloc(&bp->pdev->dev, macb_is_gem(bp) ?
				   &gem_desc : &macb_desc, bp);
	if (IS_ERR(stats))
		return PTR_ERR(stats);
	bp->stats = stats;
	return 0;
}

void macb_get_stats(struct net_device *netdev, struct rtnl_link_stats64 *nstat)
{
	struct macb *bp = netdev_priv(netdev);

	netdev_stats_to_stats64(nstat, &netdev->stats);
	eth_hw_stats_get_stats64(bp->stats, nstat);
}

void macb_get_pause_stats(struct net_device *netdev,
			  struct ethtool_pause_stats *pause_stats)
{
	struct macb *bp = netdev_priv(netdev);

	eth_hw_stats_get_pause_stats(bp->stats, pause_stats);
}

void macb_get_eth_mac_stats(struct net_device *netdev,
			    struct ethtool_eth_mac_stats *mac_stats)
{
	struct macb *bp = netdev_priv(netdev);

	eth_hw_stats_get_eth_mac_stats(bp->stats, mac_stats);
}

void macb_get_eth_phy_stats(struct net_device *netdev,
			    struct ethtool_eth_phy_stats *phy_stats)
{
	struct macb *bp = netdev_priv(netdev);

	eth_hw_stats_get_eth_phy_stats(bp->stats, phy_stats);
}

void macb_get_rmon_stats(struct net_device *netdev,
			 struct ethtool_rmon_stats *rmon_stats,
			 const struct ethtool_rmon_hist_range **ranges)
{
	struct macb *bp = netdev_priv(netdev);

	eth_hw_stats_get_rmon_stats(bp->stats, rmon_stats, ranges);
}

/* Per queue, in the order of struct queue_stats */
static const char * const queue_statistics[] = {
	"rx_packets", "rx_bytes", "rx_dropped",
	"tx_packets", "tx_bytes", "tx_dropped",
};

int gem_get_sset_count(struct net_device *netdev, int sset)
{
	struct macb *bp = netdev_priv(netdev);

	if (sset != ETH_SS_STATS)
		return -EOPNOTSUPP;
	return eth_hw_stats_count(bp->stats) +
	       bp->num_queues * ARRAY_SIZE(queue_statistics);
}

void gem_get_ethtool_strings(struct net_device *netdev, u32 sset, u8 *p)
{
	struct macb *bp = netdev_priv(netdev);
	unsigned int i, q;

	if (sset != ETH_SS_STATS)
		return;
	eth_hw_stats_get_strings(bp->stats, &p);
	for (q = 0; q < bp->num_queues; ++q)
		for (i = 0; i < ARRAY_SIZE(queue_statistics); i++)
			ethtool_sprintf(&p, "q%u_%s", q, queue_statistics[i]);
}

void gem_get_ethtool_stats(struct net_device *netdev,
			   struct ethtool_stats *stats, u64 *data)
{
	struct macb *bp = netdev_priv(netdev);
	unsigned int i, q;

	eth_hw_stats_get_ethtool_stats(bp->stats, data);
	data += eth_hw_stats_count(bp->stats);
	for (q = 0; q < bp->num_queues; ++q) {
		const unsigned long *stat = &bp->queues[q].stats.first;

		for (i = 0; i < ARRAY_SIZE(queue_statistics); i++)
			*data++ = stat[i];
	}
}
