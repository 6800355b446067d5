// SPDX-License-Identifier: GPL-2.0
/* The statistics of the MAC, provided by macstats, and those of the PHY. */
#include <macstats/model/e1000.h>

#include "e1000.h"

/* Strings that scripts know. The provider lists all other counters behind them. */
static const struct macstats_alias e1000_strings[] = {
	{ "rx_packets", { "GPRC" } },
	{ "tx_packets", { "GPTC" } },
	{ "rx_bytes", { "GORC" } },
	{ "tx_bytes", { "GOTC" } },
	{ "rx_broadcast", { "BPRC" } },
	{ "tx_broadcast", { "BPTC" } },
	{ "rx_multicast", { "MPRC" } },
	{ "tx_multicast", { "MPTC" } },
	{ "rx_errors", { "RXERRC" } },
	{ "tx_errors", { "ECOL", "LATECOL" } },
	{ "multicast", { "MPRC" } },
	{ "collisions", { "COLC" } },
	/* RLEC may be wrong. */
	{ "rx_length_errors", { "RUC", "ROC" } },
	{ "rx_crc_errors", { "CRCERRS" } },
	{ "rx_frame_errors", { "ALGNERRC" } },
	{ "rx_no_buffer_count", { "RNBC" } },
	{ "rx_missed_errors", { "MPC" } },
	{ "tx_aborted_errors", { "ECOL" } },
	{ "tx_carrier_errors", { "TNCRS" } },
	{ "tx_window_errors", { "LATECOL" } },
	{ "tx_abort_late_coll", { "LATECOL" } },
	{ "tx_deferred_ok", { "DC" } },
	{ "tx_single_coll_ok", { "SCC" } },
	{ "tx_multi_coll_ok", { "MCC" } },
	{ "rx_long_length_errors", { "ROC" } },
	{ "rx_short_length_errors", { "RUC" } },
	{ "rx_align_errors", { "ALGNERRC" } },
	{ "tx_tcp_seg_good", { "TSCTC" } },
	{ "tx_tcp_seg_failed", { "TSCTFC" } },
	{ "rx_flow_control_xon", { "XONRXC" } },
	{ "rx_flow_control_xoff", { "XOFFRXC" } },
	{ "tx_flow_control_xon", { "XONTXC" } },
	{ "tx_flow_control_xoff", { "XOFFTXC" } },
	{ "rx_long_byte_count", { "GORC" } },
	{ "tx_smbus", { "MGTPTC" } },
	{ "rx_smbus", { "MGTPRC" } },
	{ "dropped_smbus", { "MGTPDC" } },
	{ }
};

static bool e1000_macstats_has_counter(void *priv, const struct macstats_counter *counter)
{
	const struct e1000_adapter *adapter = priv;
	const struct e1000_hw *hw = &adapter->hw;

	switch (counter->offset) {
	case E1000_ALGNERRC:
	case E1000_RXERRC:
	case E1000_TNCRS:
	case E1000_CEXTERR:
	case E1000_TSCTC:
	case E1000_TSCTFC:
		return hw->mac_type >= e1000_82543;
	case E1000_MGTPRC:
	case E1000_MGTPDC:
	case E1000_MGTPTC:
		return hw->has_smbus;
	default:
		return true;
	}
}

static int e1000_macstats_read(void *priv, unsigned int reg, unsigned int *value)
{
	struct e1000_adapter *adapter = priv;
	struct e1000_hw *hw = &adapter->hw;

	if (pci_channel_offline(adapter->pdev))
		return -EIO;
	*value = readl(hw->hw_addr + reg);
	/* An 82543 counts each frame that it transmits in full duplex. */
	if (reg == E1000_TNCRS && hw->bad_tx_carr_stats_fd && *value != ~0u &&
	    (er32(STATUS) & E1000_STATUS_FD))
		*value = 0;
	return 0;
}

static const struct macstats_port_ops e1000_macstats_ops = {
	.reg_read = e1000_macstats_read,
};

/**
 * e1000_macstats_init - provide the statistics of the MAC, for ndo_init
 * @netdev: network interface device structure
 *
 * They are read while the net device is up.
 *
 * Returns 0 or a negative error.
 **/
int e1000_macstats_init(struct net_device *netdev)
{
	struct e1000_adapter *adapter = netdev_priv(netdev);
	const struct macstats_port_config config = {
		.netdev = netdev,
		.model = &e1000_model,
		.has_counter = e1000_macstats_has_counter,
		.flags = MACSTATS_PORT_FAST_IO | MACSTATS_PORT_SUSPENDED |
			 MACSTATS_PORT_OWN_PACKETS,
		.ops = &e1000_macstats_ops,
		.priv = adapter,
		.aliases = e1000_strings,
		/* Hypervisors that emulate this part are faster than its line. */
		.line_rate_bps = 10 * SPEED_1000 * 1000000ull,
	};

	adapter->macstats = macstats_port_register(&config);
	return PTR_ERR_OR_ZERO(adapter->macstats);
}

/**
 * e1000_get_stats64 - packets and octets of the driver, and errors of the MAC
 * @netdev: network interface device structure
 * @stats: to be filled
 **/
void e1000_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats)
{
	netdev_stats_to_stats64(stats, &netdev->stats);
	macstats_get_stats64(netdev, stats);
}

/**
 * e1000_since - what a counter has counted up to the last e1000_update_stats()
 * @adapter: board private structure
 * @reg: the name of its register
 * @old: its total at the last call
 **/
u64 e1000_since(struct e1000_adapter *adapter, const char *reg, u64 *old)
{
	u64 total = macstats_port_total(adapter->macstats, reg);
	u64 since = total - *old;

	*old = total;
	return since;
}

static u16 e1000_phy_count(struct e1000_hw *hw, u32 reg)
{
	u16 count;

	return e1000_read_phy_reg(hw, reg, &count) ? 0 : count;
}

/**
 * e1000_update_stats - read the counters of the MAC and of the PHY
 * @adapter: board private structure
 **/
void e1000_update_stats(struct e1000_adapter *adapter)
{
	struct e1000_hw *hw = &adapter->hw;
	unsigned long flags;

	macstats_port_refresh(adapter->macstats);
	/* Without a link, or while the adapter is being reset, the PHY has nothing to count. */
	if (!adapter->link_speed || pci_channel_offline(adapter->pdev) ||
	    hw->media_type != e1000_media_type_copper)
		return;
	spin_lock_irqsave(&adapter->stats_lock, flags);
	if (adapter->link_speed == SPEED_1000)
		adapter->phy_stats.idle_errors += e1000_phy_count(hw, PHY_1000T_STATUS) & 0xff;
	if (hw->mac_type <= e1000_82546 && hw->phy_type == e1000_phy_m88)
		adapter->phy_stats.receive_errors += e1000_phy_count(hw, M88E1000_RX_ERR_CNTR);
	spin_unlock_irqrestore(&adapter->stats_lock, flags);
}
