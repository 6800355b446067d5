// SPDX-License-Identifier: GPL-2.0
/* The statistics of the MAC, provided by macstats. */
#include <macstats/model/e1000e.h>
#include <macstats/option.h>

#include "igb.h"

/* Strings that scripts know. The provider lists all other counters behind them. */
static const struct macstats_alias igb_strings[] = {
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
	{ "rx_long_byte_count", { "GORC" } },
	{ "tx_smbus", { "MGTPTC" } },
	{ "rx_smbus", { "MGTPRC" } },
	{ "dropped_smbus", { "MGTPDC" } },
	{ }
};

/* Counters in a register dump, at their places. The hardware lacks some. */
static const char * const igb_dumped[] = {
	[54] = "CRCERRS", "ALGNERRC", "SYMERRS", "RXERRC", "MPC", "SCC", "ECOL", "MCC",
	"LATECOL", "COLC", "DC", "TNCRS", "SEC", "HTDPMC", "RLEC", "XONRXC", "XONTXC",
	"XOFFRXC", "XOFFTXC", "FCRUC", "PRC64", "PRC127", "PRC255", "PRC511", "PRC1023",
	"PRC1522", "GPRC", "BPRC", "MPRC", "GPTC", "GORC", [86] = "GOTC", [88] = "RNBC", "RUC",
	"RFC", "ROC", "RJC", "MGTPRC", "MGTPDC", "MGTPTC", "TOR", [98] = "TOT", [100] = "TPR",
	"TPT", "PTC64", "PTC127", "PTC255", "PTC511", "PTC1023", "PTC1522", "MPTC", "BPTC",
	"TSCTC", "IAC", "RPTHC", "HGPTC", "HGORC", [116] = "HGOTC", [118] = "LENERRS",
};

static bool igb_macstats_has_counter(void *priv, const struct macstats_counter *counter)
{
	const struct igb_adapter *adapter = priv;
	const struct e1000_hw *hw = &adapter->hw;

	/* It has invalid values in these two. */
	if (counter->offset == E1000_TNCRS)
		return hw->mac.type != e1000_i210 && hw->mac.type != e1000_i211;
	return macstats_in_revision(counter, E1000E_I350);
}

static int igb_macstats_read(void *priv, unsigned int reg, unsigned int *value)
{
	struct igb_adapter *adapter = priv;
	struct e1000_hw *hw = &adapter->hw;

	if (pci_channel_offline(adapter->pdev))
		return -EIO;
	*value = rd32(reg);
	/* These are of the internal PHY. */
	if ((reg == E1000_RXERRC || reg == E1000_TNCRS) && *value != ~0u &&
	    (rd32(E1000_CTRL_EXT) & E1000_CTRL_EXT_LINK_MODE_MASK))
		*value = 0;
	return E1000_REMOVED(hw->hw_addr) ? -ENODEV : 0;
}

static const struct macstats_port_ops igb_macstats_ops = {
	.reg_read = igb_macstats_read,
};

/**
 * igb_macstats_init - provide the statistics of the MAC, for ndo_init
 * @netdev: network interface device structure
 *
 * They are read while the net device is up.
 *
 * Return: 0 or a negative error.
 */
int igb_macstats_init(struct net_device *netdev)
{
	struct igb_adapter *adapter = netdev_priv(netdev);
	const struct macstats_port_config config = {
		.netdev = netdev,
		.model = &e1000e_model,
		.has_counter = igb_macstats_has_counter,
		.flags = MACSTATS_PORT_FAST_IO | MACSTATS_PORT_SUSPENDED |
			 MACSTATS_PORT_OWN_PACKETS,
		.ops = &igb_macstats_ops,
		.priv = adapter,
		.aliases = igb_strings,
		/* Hypervisors that emulate such a part are faster than its line. */
		.line_rate_bps = 10 * SPEED_1000 * 1000000ull,
	};

	adapter->macstats = macstats_port_register(&config);
	return PTR_ERR_OR_ZERO(adapter->macstats);
}

/**
 * igb_macstats_dump - add the counters to a register dump
 * @adapter: board private structure
 * @regs: the dump
 */
void igb_macstats_dump(struct igb_adapter *adapter, u32 *regs)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(igb_dumped); i++)
		if (igb_dumped[i])
			regs[i] = macstats_port_total(adapter->macstats, igb_dumped[i]);
}
