// SPDX-License-Identifier: GPL-2.0
/* The statistics of the MAC, provided by macstats. */
#include <macstats/model/e1000e.h>
#include <macstats/option.h>

#include "igc.h"

/* Strings that scripts know. The provider lists all other counters behind them. */
static const struct macstats_alias igc_strings[] = {
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
	{ "rx_flow_control_xon", { "XONRXC" } },
	{ "rx_flow_control_xoff", { "XOFFRXC" } },
	{ "tx_flow_control_xon", { "XONTXC" } },
	{ "tx_flow_control_xoff", { "XOFFTXC" } },
	{ "rx_long_byte_count", { "GORC" } },
	{ "tx_smbus", { "MGTPTC" } },
	{ "rx_smbus", { "MGTPRC" } },
	{ "dropped_smbus", { "MGTPDC" } },
	{ "tx_lpi_counter", { "TLPIC" } },
	{ "rx_lpi_counter", { "RLPIC" } },
	{ }
};

/* Counters in a register dump, at their places. The hardware lacks some. */
static const char * const igc_dumped[] = {
	[30] = "CRCERRS", "ALGNERRC", "SYMERRS", "RXERRC", "MPC", "SCC", "ECOL", "MCC",
	"LATECOL", "COLC", "DC", "TNCRS", "SEC", "HTDPMC", "RLEC", "XONRXC", "XONTXC", "XOFFRXC",
	"XOFFTXC", "FCRUC", "PRC64", "PRC127", "PRC255", "PRC511", "PRC1023", "PRC1522",
	"GPRC", "BPRC", "MPRC", "GPTC", "GORC", "GOTC", "RNBC", "RUC", "RFC", "ROC", "RJC",
	"MGTPRC", "MGTPDC", "MGTPTC", "TOR", "TOT", "TPR", "TPT", "PTC64", "PTC127", "PTC255",
	"PTC511", "PTC1023", "PTC1522", "MPTC", "BPTC", "TSCTC", "IAC", "RPTHC", "HGPTC",
	"HGORC", "HGOTC", "LENERRS",
	[213] = "TLPIC", "RLPIC",
};

static bool igc_macstats_has_counter(void *priv, const struct macstats_counter *counter)
{
	return macstats_in_revision(counter, E1000E_I225);
}

static int igc_macstats_read(void *priv, unsigned int reg, unsigned int *value)
{
	struct igc_adapter *adapter = priv;
	struct igc_hw *hw = &adapter->hw;

	if (pci_channel_offline(adapter->pdev))
		return -EIO;
	*value = rd32(reg);
	return IGC_REMOVED(hw->hw_addr) ? -ENODEV : 0;
}

static const struct macstats_port_ops igc_macstats_ops = {
	.reg_read = igc_macstats_read,
};

/**
 * igc_macstats_init - provide the statistics of the MAC, for ndo_init
 * @netdev: network interface device structure
 *
 * They are read while the net device is up.
 *
 * Return: 0 or a negative error.
 */
int igc_macstats_init(struct net_device *netdev)
{
	struct igc_adapter *adapter = netdev_priv(netdev);
	const struct macstats_port_config config = {
		.netdev = netdev,
		.model = &e1000e_model,
		.has_counter = igc_macstats_has_counter,
		.flags = MACSTATS_PORT_FAST_IO | MACSTATS_PORT_SUSPENDED |
			 MACSTATS_PORT_OWN_PACKETS,
		.ops = &igc_macstats_ops,
		.priv = adapter,
		.aliases = igc_strings,
	};

	adapter->macstats = macstats_port_register(&config);
	return PTR_ERR_OR_ZERO(adapter->macstats);
}

/**
 * igc_macstats_dump - add the counters to a register dump
 * @adapter: board private structure
 * @regs: the dump
 */
void igc_macstats_dump(struct igc_adapter *adapter, u32 *regs)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(igc_dumped); i++)
		if (igc_dumped[i])
			regs[i] = macstats_port_total(adapter->macstats, igc_dumped[i]);
}
