// SPDX-License-Identifier: GPL-2.0+
/* The statistics of the MAC, provided by macstats. */
#include <linux/pci.h>

#include <macstats/model/lan743x.h>

#include "lan743x_main.h"

static const struct macstats_alias lan743x_strings[] = {
	{ "RX FCS Errors", { "RX_FCS_ERRORS" } },
	{ "RX Alignment Errors", { "RX_ALIGNMENT_ERRORS" } },
	{ "Rx Fragment Errors", { "RX_FRAGMENT_ERRORS" } },
	{ "RX Jabber Errors", { "RX_JABBER_ERRORS" } },
	{ "RX Undersize Frame Errors", { "RX_UNDERSIZE_FRAME_ERRORS" } },
	{ "RX Oversize Frame Errors", { "RX_OVERSIZE_FRAME_ERRORS" } },
	{ "RX Dropped Frames", { "RX_DROPPED_FRAMES" } },
	{ "RX Unicast Byte Count", { "RX_UNICAST_BYTE_COUNT" } },
	{ "RX Broadcast Byte Count", { "RX_BROADCAST_BYTE_COUNT" } },
	{ "RX Multicast Byte Count", { "RX_MULTICAST_BYTE_COUNT" } },
	{ "RX Unicast Frames", { "RX_UNICAST_FRAMES" } },
	{ "RX Broadcast Frames", { "RX_BROADCAST_FRAMES" } },
	{ "RX Multicast Frames", { "RX_MULTICAST_FRAMES" } },
	{ "RX Pause Frames", { "RX_PAUSE_FRAMES" } },
	{ "RX 64 Byte Frames", { "RX_64_BYTE_FRAMES" } },
	{ "RX 65 - 127 Byte Frames", { "RX_65_127_BYTE_FRAMES" } },
	{ "RX 128 - 255 Byte Frames", { "RX_128_255_BYTE_FRAMES" } },
	{ "RX 256 - 511 Bytes Frames", { "RX_256_511_BYTES_FRAMES" } },
	{ "RX 512 - 1023 Byte Frames", { "RX_512_1023_BYTE_FRAMES" } },
	{ "RX 1024 - 1518 Byte Frames", { "RX_1024_1518_BYTE_FRAMES" } },
	{ "RX Greater 1518 Byte Frames", { "RX_GREATER_1518_BYTE_FRAMES" } },
	{ "RX Total Frames", { "RX_TOTAL_FRAMES" } },
	{ "EEE RX LPI Transitions", { "EEE_RX_LPI_TRANSITIONS" } },
	{ "EEE RX LPI Time", { "EEE_RX_LPI_TIME" } },
	{ "TX FCS Errors", { "TX_FCS_ERRORS" } },
	{ "TX Excess Deferral Errors", { "TX_EXCESS_DEFERRAL_ERRORS" } },
	{ "TX Carrier Errors", { "TX_CARRIER_ERRORS" } },
	{ "TX Bad Byte Count", { "TX_BAD_BYTE_COUNT" } },
	{ "TX Single Collisions", { "TX_SINGLE_COLLISIONS" } },
	{ "TX Multiple Collisions", { "TX_MULTIPLE_COLLISIONS" } },
	{ "TX Excessive Collision", { "TX_EXCESSIVE_COLLISION" } },
	{ "TX Late Collisions", { "TX_LATE_COLLISIONS" } },
	{ "TX Unicast Byte Count", { "TX_UNICAST_BYTE_COUNT" } },
	{ "TX Broadcast Byte Count", { "TX_BROADCAST_BYTE_COUNT" } },
	{ "TX Multicast Byte Count", { "TX_MULTICAST_BYTE_COUNT" } },
	{ "TX Unicast Frames", { "TX_UNICAST_FRAMES" } },
	{ "TX Broadcast Frames", { "TX_BROADCAST_FRAMES" } },
	{ "TX Multicast Frames", { "TX_MULTICAST_FRAMES" } },
	{ "TX Pause Frames", { "TX_PAUSE_FRAMES" } },
	{ "TX 64 Byte Frames", { "TX_64_BYTE_FRAMES" } },
	{ "TX 65 - 127 Byte Frames", { "TX_65_127_BYTE_FRAMES" } },
	{ "TX 128 - 255 Byte Frames", { "TX_128_255_BYTE_FRAMES" } },
	{ "TX 256 - 511 Bytes Frames", { "TX_256_511_BYTES_FRAMES" } },
	{ "TX 512 - 1023 Byte Frames", { "TX_512_1023_BYTE_FRAMES" } },
	{ "TX 1024 - 1518 Byte Frames", { "TX_1024_1518_BYTE_FRAMES" } },
	{ "TX Greater 1518 Byte Frames", { "TX_GREATER_1518_BYTE_FRAMES" } },
	{ "TX Total Frames", { "TX_TOTAL_FRAMES" } },
	{ "EEE TX LPI Transitions", { "EEE_TX_LPI_TRANSITIONS" } },
	{ "EEE TX LPI Time", { "EEE_TX_LPI_TIME" } },
	{ }
};

static int lan743x_macstats_read(void *priv, unsigned int reg, unsigned int *value)
{
	struct lan743x_adapter *adapter = priv;

	*value = lan743x_csr_read(adapter, reg);
	/* These chips have the same counters, under numbers of their own. */
	if (reg == ID_REV && adapter->is_pci11x1x && *value == adapter->csr.id_rev)
		*value = ID_REV_ID_LAN7430_;
	return 0;
}

/* Clears the counters when the driver is loaded or resumed, before phylink writes MAC_CR. */
static int lan743x_macstats_update(void *priv, unsigned int reg, unsigned int mask,
				   unsigned int value)
{
	lan743x_csr_write(priv, reg, (lan743x_csr_read(priv, reg) & ~mask) | value);
	return 0;
}

static const struct macstats_port_ops lan743x_macstats_ops = {
	.reg_read = lan743x_macstats_read,
	.reg_update_bits = lan743x_macstats_update,
};

/* For ndo_init */
int lan743x_macstats_init(struct net_device *netdev)
{
	struct lan743x_adapter *adapter = netdev_priv(netdev);
	const struct macstats_port_config config = {
		.netdev = netdev,
		.model = &lan743x_model,
		.flags = MACSTATS_PORT_FAST_IO,
		.ops = &lan743x_macstats_ops,
		.priv = adapter,
		.aliases = lan743x_strings,
		.line_rate_bps = (adapter->is_pci11x1x ? SPEED_2500 : SPEED_1000) * 1000000ull,
	};

	adapter->macstats = macstats_port_register(&config);
	return PTR_ERR_OR_ZERO(adapter->macstats);
}
