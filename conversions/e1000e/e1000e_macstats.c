// SPDX-License-Identifier: GPL-2.0
/* The statistics of the MAC, provided by macstats. */
#include <macstats/model/e1000e.h>
#include <macstats/option.h>

#include "e1000.h"

/* Strings that scripts know. The provider lists all other counters behind them. */
static const struct macstats_alias e1000e_strings[] = {
	{ "rx_packets", { "GPRC" } },
	{ "tx_packets", { "GPTC" } },
	{ "rx_bytes", { "GORC" } },
	{ "tx_bytes", { "GOTC" } },
	{ "rx_broadcast", { "BPRC" } },
	{ "tx_broadcast", { "BPTC" } },
	{ "rx_multicast", { "MPRC" } },
	{ "tx_multicast", { "MPTC" } },
	{ "multicast", { "MPRC" } },
	{ "collisions", { "COLC" } },
	{ "rx_length_errors", { "RUC", "ROC" } },
	{ "rx_crc_errors", { "CRCERRS" } },
	{ "rx_no_buffer_count", { "RNBC" } },
	{ "rx_missed_errors", { "MPC" } },
	{ "tx_aborted_errors", { "ECOL" } },
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
	{ "tx_smbus", { "MGTPTC" } },
	{ "rx_smbus", { "MGTPRC" } },
	{ "dropped_smbus", { "MGTPDC" } },
	{ }
};

/**
 * e1000e_phy_count - a counter of the PHY that the watchdog reads
 * @adapter: board private structure
 * @reg: the register of the same counter in parts where it is one of the MAC
 **/
atomic_t *e1000e_phy_count(struct e1000_adapter *adapter, u32 reg)
{
	return &adapter->phy_counts[(reg - E1000_SCC) / 4];
}

/* Parts without size classes are of the revision of the PCH. All have counters of half duplex. */
static bool e1000e_macstats_has_counter(void *priv, const struct macstats_counter *counter)
{
	const struct e1000_adapter *adapter = priv;

	switch (counter->offset) {
	case E1000_SCC ... E1000_COLC:
	case E1000_DC:
		return true;
	case E1000_TNCRS:
		return adapter->hw.mac.type != e1000_82574 && adapter->hw.mac.type != e1000_82583;
	default:
		return macstats_in_revision(counter, adapter->flags & FLAG_IS_ICH ?
						     E1000E_PCH : E1000E_82574);
	}
}

static int e1000e_macstats_read(void *priv, unsigned int reg, unsigned int *value)
{
	struct e1000_adapter *adapter = priv;

	if (pci_channel_offline(adapter->pdev))
		return -EIO;
	if ((adapter->flags2 & FLAG2_HAS_PHY_STATS) && reg >= E1000_SCC && reg <= E1000_TNCRS)
		*value = atomic_xchg(e1000e_phy_count(adapter, reg), 0);
	else
		*value = readl(adapter->hw.hw_addr + reg);
	/* In full duplex, no frame can miss the carrier. */
	if (reg == E1000_TNCRS && *value != ~0u && adapter->link_duplex != HALF_DUPLEX)
		*value = 0;
	return 0;
}

static const struct macstats_port_ops e1000e_macstats_ops = {
	.reg_read = e1000e_macstats_read,
};

/**
 * e1000e_macstats_init - provide the statistics of the MAC, for ndo_init
 * @netdev: network interface device structure
 *
 * They are read while the net device is up.
 *
 * Return: 0 or a negative error.
 **/
int e1000e_macstats_init(struct net_device *netdev)
{
	struct e1000_adapter *adapter = netdev_priv(netdev);
	const struct macstats_port_config config = {
		.netdev = netdev,
		.model = &e1000e_model,
		.has_counter = e1000e_macstats_has_counter,
		.flags = MACSTATS_PORT_FAST_IO | MACSTATS_PORT_SUSPENDED,
		.ops = &e1000e_macstats_ops,
		.priv = adapter,
		.aliases = e1000e_strings,
		/* Hypervisors that emulate such a part are faster than its line. */
		.line_rate_bps = 10 * SPEED_1000 * 1000000ull,
	};

	adapter->macstats = macstats_port_register(&config);
	return PTR_ERR_OR_ZERO(adapter->macstats);
}

/**
 * e1000e_since - what a counter has counted up to the last refresh
 * @adapter: board private structure
 * @reg: the name of its register
 * @old: its total at the last call
 **/
u64 e1000e_since(struct e1000_adapter *adapter, const char *reg, u64 *old)
{
	u64 total = macstats_port_total(adapter->macstats, reg);
	u64 since = total - *old;

	*old = total;
	return since;
}
