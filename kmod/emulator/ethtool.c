// SPDX-License-Identifier: GPL-2.0
/* What ethtool shows and changes. */
#include <linux/ethtool.h>

#include <macstats/standard.h>

#include "../compat.h"
#include "netdev.h"

static void macstats_emu_get_drvinfo(struct net_device *netdev, struct ethtool_drvinfo *info)
{
	strscpy(info->driver, MACSTATS_EMU_NAME, sizeof(info->driver));
	strscpy(info->bus_info, dev_name(netdev->dev.parent), sizeof(info->bus_info));
	strscpy(info->fw_version, macstats_emu_port_of(netdev)->device->model->name,
		sizeof(info->fw_version));
}

static int macstats_emu_get_link_ksettings(struct net_device *netdev,
					   struct ethtool_link_ksettings *settings)
{
	const struct macstats_emu_port *port = macstats_emu_port_of(netdev);
	bool half = port->emu->options & MACSTATS_OPT_HALF_DUPLEX;

	ethtool_link_ksettings_zero_link_mode(settings, supported);
	ethtool_link_ksettings_zero_link_mode(settings, advertising);
	settings->base.speed = div_u64(port->line_rate_bps, 1000000);
	settings->base.duplex = half ? DUPLEX_HALF : DUPLEX_FULL;
	settings->base.autoneg = AUTONEG_DISABLE;
	settings->base.port = port->emu->options & MACSTATS_OPT_FIBER ? PORT_FIBRE : PORT_OTHER;
	return 0;
}

/* The speed alone can change, to another one of the model. */
static int macstats_emu_set_link_ksettings(struct net_device *netdev,
					   const struct ethtool_link_ksettings *settings)
{
	static const u16 speeds[] = { 0, MACSTATS_OPT_10M, MACSTATS_OPT_100M };
	struct macstats_emu_port *port = macstats_emu_port_of(netdev);
	const struct macstats_model *model = port->device->model;
	bool half = port->emu->options & MACSTATS_OPT_HALF_DUPLEX;
	unsigned int i;

	if (settings->base.autoneg != AUTONEG_DISABLE ||
	    settings->base.duplex != (half ? DUPLEX_HALF : DUPLEX_FULL))
		return -EOPNOTSUPP;
	for (i = 0; i < ARRAY_SIZE(speeds); i++) {
		u64 rate = macstats_line_rate_bps(model, speeds[i]);

		if (!macstats_valid_options(model, speeds[i]) ||
		    rate != settings->base.speed * 1000000ull)
			continue;
		port->line_rate_bps = rate;
		return macstats_port_set_line_rate(macstats_emu_stats_of(netdev), rate);
	}
	return -EINVAL;
}

static void macstats_emu_get_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	const struct macstats_emu_priv *priv = netdev_priv(netdev);

	pause->autoneg = AUTONEG_DISABLE;
	pause->rx_pause = priv->rx_pause;
	pause->tx_pause = priv->tx_pause;
}

static int macstats_emu_set_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);

	if (pause->autoneg)
		return -EOPNOTSUPP;
	priv->rx_pause = pause->rx_pause;
	priv->tx_pause = pause->tx_pause;
	return 0;
}

#ifdef HAVE_ETHTOOL_MM
/* A port whose MAC has the sublayer never preempts a frame. */
static int macstats_emu_get_mm(struct net_device *netdev, struct ethtool_mm_state *state)
{
	if (!macstats_merges(macstats_emu_port_of(netdev)->device->model))
		return -EOPNOTSUPP;
	state->verify_status = ETHTOOL_MM_VERIFY_STATUS_DISABLED;
	state->tx_min_frag_size = ETH_ZLEN;
	state->rx_min_frag_size = ETH_ZLEN;
	return 0;
}
#endif

static int macstats_emu_get_sset_count(struct net_device *netdev, int sset)
{
	return sset == ETH_SS_TEST ? 1 : macstats_get_sset_count(netdev, sset);
}

static void macstats_emu_get_strings(struct net_device *netdev, u32 sset, u8 *data)
{
	if (sset == ETH_SS_TEST)
		ethtool_puts(&data, "counters (online)");
	else
		macstats_get_strings(netdev, sset, data);
}

/*
 * The one test reads the counters. It fails without a read on a held port and on a slow bus, for
 * which it must not wait under RTNL.
 */
static void macstats_emu_self_test(struct net_device *netdev, struct ethtool_test *test,
				   u64 *results)
{
	const struct macstats_emu_port *port = macstats_emu_port_of(netdev);

	*results = port->device->config.held ||
		   (READ_ONCE(port->emu->faults) & MACSTATS_FAULT_SLOW_BUS) ||
		   macstats_port_refresh(macstats_emu_stats_of(netdev));
	if (*results)
		test->flags |= ETH_TEST_FL_FAILED;
}

const struct ethtool_ops macstats_emu_ethtool_ops = {
	MACSTATS_ETHTOOL_GROUPS,
	MACSTATS_ETHTOOL_REQUESTS,
	MACSTATS_ETHTOOL_REGS,
	MACSTATS_ETHTOOL_INTERVAL,
	.get_sset_count = macstats_emu_get_sset_count,
	.get_strings = macstats_emu_get_strings,
	.get_ethtool_stats = macstats_get_ethtool_stats,
	.get_drvinfo = macstats_emu_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = macstats_emu_get_link_ksettings,
	.set_link_ksettings = macstats_emu_set_link_ksettings,
	.get_ts_info = ethtool_op_get_ts_info,
	.get_pauseparam = macstats_emu_get_pauseparam,
	.set_pauseparam = macstats_emu_set_pauseparam,
	.self_test = macstats_emu_self_test,
#ifdef HAVE_ETHTOOL_MM
	.get_mm = macstats_emu_get_mm,
	.get_mm_stats = macstats_get_mm_stats,
#endif
};
