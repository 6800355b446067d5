// SPDX-License-Identifier: GPL-2.0-only
/* The statistics of a GEM, provided by macstats. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>

#include <macstats/model/gem.h>

#include "macb.h"

/* Strings that scripts know. */
static const struct macstats_alias gem_strings[] = {
	{ "tx_octets", { "octets_txed" } },
	{ "tx_frames", { "frames_txed_ok" } },
	{ "tx_broadcast_frames", { "broadcast_txed" } },
	{ "tx_multicast_frames", { "multicast_txed" } },
	{ "tx_pause_frames", { "pause_frames_txed" } },
	{ "tx_64_byte_frames", { "frames_txed_64" } },
	{ "tx_65_127_byte_frames", { "frames_txed_65" } },
	{ "tx_128_255_byte_frames", { "frames_txed_128" } },
	{ "tx_256_511_byte_frames", { "frames_txed_256" } },
	{ "tx_512_1023_byte_frames", { "frames_txed_512" } },
	{ "tx_1024_1518_byte_frames", { "frames_txed_1024" } },
	{ "tx_greater_than_1518_byte_frames", { "frames_txed_1519" } },
	{ "tx_underrun", { "tx_underruns" } },
	{ "tx_single_collision_frames", { "single_collisions" } },
	{ "tx_multiple_collision_frames", { "multiple_collisions" } },
	{ "tx_excessive_collisions", { "excessive_collisions" } },
	{ "tx_late_collisions", { "late_collisions" } },
	{ "tx_deferred_frames", { "deferred_frames" } },
	{ "tx_carrier_sense_errors", { "crs_errors" } },
	{ "rx_octets", { "octets_rxed" } },
	{ "rx_frames", { "frames_rxed_ok" } },
	{ "rx_broadcast_frames", { "broadcast_rxed" } },
	{ "rx_multicast_frames", { "multicast_rxed" } },
	{ "rx_pause_frames", { "pause_frames_rxed" } },
	{ "rx_64_byte_frames", { "frames_rxed_64" } },
	{ "rx_65_127_byte_frames", { "frames_rxed_65" } },
	{ "rx_128_255_byte_frames", { "frames_rxed_128" } },
	{ "rx_256_511_byte_frames", { "frames_rxed_256" } },
	{ "rx_512_1023_byte_frames", { "frames_rxed_512" } },
	{ "rx_1024_1518_byte_frames", { "frames_rxed_1024" } },
	{ "rx_greater_than_1518_byte_frames", { "frames_rxed_1519" } },
	{ "rx_undersized_frames", { "undersize_frames" } },
	{ "rx_oversize_frames", { "excessive_rx_length" } },
	{ "rx_jabbers", { "rx_jabbers" } },
	{ "rx_frame_check_sequence_errors", { "fcs_errors" } },
	{ "rx_length_field_frame_errors", { "rx_length_errors" } },
	{ "rx_symbol_errors", { "rx_symbol_errors" } },
	{ "rx_alignment_errors", { "alignment_errors" } },
	{ "rx_resource_errors", { "rx_resource_errors" } },
	{ "rx_overruns", { "rx_overruns" } },
	{ "rx_ip_header_checksum_errors", { "rx_ip_ck_errors" } },
	{ "rx_tcp_checksum_errors", { "rx_tcp_ck_errors" } },
	{ "rx_udp_checksum_errors", { "rx_udp_ck_errors" } },
	{ "rx_lpi_transitions", { "rx_lpi" } },
	{ "rx_lpi_time", { "rx_lpi_time" } },
	{ "tx_lpi_transitions", { "tx_lpi" } },
	{ "tx_lpi_time", { "tx_lpi_time" } },
	{ }
};

static bool emulated;
module_param(emulated, bool, 0444);
MODULE_PARM_DESC(emulated, "The hardware is QEMU's, where a read clears no counter");

/* What a counter has counted since the last read. QEMU exchanges the words of octets. */
static u32 gem_macstats_since(struct macb *bp, unsigned int reg)
{
	u32 *last = &bp->last_read[(reg - GEM_OCTTXL) / 4];
	u32 before = *last;

	if (reg == GEM_OCTTXH || reg == GEM_OCTRXH)
		return 0;
	if (reg == GEM_OCTTXL || reg == GEM_OCTRXL)
		reg += 4;
	*last = bp->macb_reg_readl(bp, reg);
	return *last - before;
}

static int gem_macstats_read(void *priv, unsigned int reg, unsigned int *value)
{
	struct macb *bp = priv;

	if (emulated && reg >= GEM_OCTTXL)
		*value = gem_macstats_since(bp, reg);
	else
		*value = bp->macb_reg_readl(bp, reg);
	return 0;
}

/* The command that clears the counters is in NCR. */
static int gem_macstats_update_bits(void *priv, unsigned int reg, unsigned int mask,
				    unsigned int value)
{
	struct macb *bp = priv;
	unsigned long flags;

	spin_lock_irqsave(&bp->lock, flags);
	bp->macb_reg_writel(bp, reg, (bp->macb_reg_readl(bp, reg) & ~mask) | value);
	spin_unlock_irqrestore(&bp->lock, flags);
	return 0;
}

static const struct macstats_port_ops gem_macstats_ops = {
	.reg_read = gem_macstats_read,
	.reg_update_bits = gem_macstats_update_bits,
};

/* For ndo_init. The port is suspended until macb_init_hw(): closed, it has no clocks. */
int macb_macstats_init(struct net_device *netdev)
{
	struct macb *bp = netdev_priv(netdev);
	const struct macstats_port_config config = {
		.netdev = netdev,
		.model = &gem_model,
		.flags = MACSTATS_PORT_FAST_IO | MACSTATS_PORT_SUSPENDED |
			 MACSTATS_PORT_OWN_PACKETS,
		.ops = &gem_macstats_ops,
		.priv = bp,
		.aliases = gem_strings,
		.line_rate_bps = emulated ? MACSTATS_NO_LINE_RATE :
			bp->caps & MACB_CAPS_HIGH_SPEED ? SPEED_10000 * 1000000ull : 0,
	};

	if (!(bp->caps & MACB_CAPS_MACB_IS_GEM))
		return 0;
	bp->macstats = macstats_port_register(&config);
	return PTR_ERR_OR_ZERO(bp->macstats);
}

/* The values of the provider, then those of the queues. */
void gem_get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats, u64 *data)
{
	struct macb *bp = netdev_priv(netdev);
	const unsigned long *stat;
	unsigned int q;
	unsigned int i;

	macstats_get_ethtool_stats(netdev, stats, data);
	data += macstats_get_sset_count(netdev, ETH_SS_STATS);
	for (q = 0; q < bp->num_queues; q++)
		for (i = 0, stat = &bp->queues[q].stats.first; i < QUEUE_STATS_LEN; i++)
			*data++ = *stat++;
}
