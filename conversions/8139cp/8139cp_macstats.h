/* SPDX-License-Identifier: GPL-2.0 */
/* The tally counters, provided by macstats. The MAC dumps them to memory behind the rings. */
#include <macstats/model/rtl_tally.h>

static const struct macstats_alias cp_strings[] = {
	{ "tx_ok", { "TxOk" } },
	{ "rx_ok", { "RxOk" } },
	{ "tx_err", { "TxErr" } },
	{ "rx_err", { "RxErr" } },
	{ "rx_fifo", { "MissPkt" } },
	{ "frame_align", { "FAE" } },
	{ "tx_ok_1col", { "Tx1Col" } },
	{ "tx_ok_mcol", { "TxMCol" } },
	{ "rx_ok_phys", { "RxOkPhy" } },
	{ "rx_ok_bcast", { "RxOkBrd" } },
	{ "rx_ok_mcast", { "RxOkMu" } },
	{ "tx_abort", { "TxAbt" } },
	{ "tx_underrun", { "TxUndrn" } },
	{ }
};

static bool cp_has_rings(void *priv)
{
	return ((struct cp_private *)priv)->rx_ring;
}

/* The model has the dump behind the registers. */
static int cp_read_stats(void *priv, unsigned int reg, unsigned int *value)
{
	struct cp_private *cp = priv;
	const __le32 *dump = (void *)&cp->tx_ring[CP_TX_RING_SIZE];

	*value = reg < CP_REGS_SIZE ? cpr32(reg) : le32_to_cpu(dump[(reg - CP_REGS_SIZE) / 4]);
	return 0;
}

/* The C+ has no command that clears the counters. */
static int cp_dump_stats(void *priv, unsigned int reg, unsigned int mask, unsigned int value)
{
	struct cp_private *cp = priv;
	dma_addr_t dump = cp->ring_dma + CP_RING_BYTES - CP_STATS_SIZE;

	if (value != DumpStats)
		return -EOPNOTSUPP;
	cpw32(StatsAddr + 4, upper_32_bits(dump));
	cpw32(StatsAddr, lower_32_bits(dump) | value);
	return 0;
}

static const struct macstats_port_ops cp_port_ops = {
	.clocks_run = cp_has_rings,
	.reg_read = cp_read_stats,
	.reg_update_bits = cp_dump_stats,
};

/* The port is suspended while the net device is down. */
static int cp_init_stats(struct net_device *dev)
{
	struct cp_private *cp = netdev_priv(dev);
	const struct macstats_port_config config = {
		.netdev = dev,
		.model = &rtl_tally_model,
		.flags = MACSTATS_PORT_FAST_IO | MACSTATS_PORT_SUSPENDED |
			 MACSTATS_PORT_OWN_PACKETS,
		.ops = &cp_port_ops,
		.priv = cp,
		.aliases = cp_strings,
		.line_rate_bps = SPEED_100 * 1000000ull,
	};

	cp->macstats = devm_macstats_port_register(&cp->pdev->dev, &config);
	return PTR_ERR_OR_ZERO(cp->macstats);
}
