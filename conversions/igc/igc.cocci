// SPDX-License-Identifier: GPL-2.0
// The statistics of the MAC of the driver igc come from the provider. Frames and octets stay those of
// its rings.

// Totals, and the functions that read the registers. What remains are strings of values that nobody
// counts, and counters of the driver.
@hw_stats@
@@
 struct igc_hw_stats {
-	u64 crcerrs;
-	...
-	u64 tsctc;
 	u64 tsctfc;
-	u64 iac;
-	...
-	u64 hrmpc;
 	u64 doosync;
 	...
 	u64 txdrop;
 };

@clear_called@
@@
-igc_clear_hw_cntrs_base(hw);

@clear@
@@
-void igc_clear_hw_cntrs_base(struct igc_hw *hw) { ... }

@clear_declared@
@@
-void igc_clear_hw_cntrs_base(struct igc_hw *hw);

@update@
@@
 igc_update_stats(...)
 {
 	...
-	u32 mpc;
 	...
 	rcu_read_unlock();
-	...
-	adapter->stats.mgpdc += rd32(IGC_MGTPDC);
 }

@get_stats64@
@@
 igc_get_stats64(...)
 {
 	...
	memcpy(stats, &adapter->stats64, sizeof(*stats));
+	macstats_get_stats64(netdev, stats);
+	stats->rx_fifo_errors += stats->rx_missed_errors;
+	stats->tx_dropped = adapter->stats.txdrop;
 	...
 }

// Each reset, which leaves the counters unknown, is between these two, and so is each sleep.
@down@
@@
 igc_down(...)
 {
 	...
 	igc_update_stats(adapter);
 	spin_unlock(&adapter->stats64_lock);
+	macstats_port_suspend(adapter->macstats);
 	...
 }

@open_fails@
@@
 igc_power_down_phy_copper_base(&adapter->hw);
+macstats_port_suspend(adapter->macstats);
 igc_free_all_rx_resources(adapter);

@up@
@@
 igc_configure(...)
 {
 	...
+	macstats_port_resume(adapter->macstats);
 	igc_get_hw_control(adapter);
 	...
 }

@netdev_ops@
@@
 struct net_device_ops igc_netdev_ops = {
+	.ndo_init = igc_macstats_init,
+	.ndo_uninit = macstats_ndo_uninit,
 	.ndo_open = igc_open,
 };

// Strings: those of statistics that the driver counts itself, then those of the provider.
@carrier_errors@
@@
 static const struct igc_stats igc_gstrings_net_stats[] = {
 	...,
 	IGC_NETDEV_STAT(tx_errors),
+	IGC_NETDEV_STAT(tx_carrier_errors),
 	...,
 };

@length_errors@
@@
 static const struct igc_stats igc_gstrings_net_stats[] = {
 	...,
-	IGC_NETDEV_STAT(rx_length_errors),
 	...,
 };

@strings@
expression s;
identifier f != { tsctfc, doosync, o2bgptc, b2ospc, o2bspc, b2ogprc };
@@
 static const struct igc_stats igc_gstrings_stats[] = {
 	...,
-	IGC_STAT(s, stats.f),
 	...,
 };

@count@
@@
-return IGC_STATS_LEN;
+return IGC_STATS_LEN + macstats_get_sset_count(netdev, sset);

@get_stats@
@@
 igc_ethtool_get_stats(...)
 {
 	...
-	struct rtnl_link_stats64 *net_stats = &adapter->stats64;
+	struct rtnl_link_stats64 net_stats;
 	...
+	dev_get_stats(netdev, &net_stats);
 	spin_lock(&adapter->stats64_lock);
-	igc_update_stats(adapter);
 	...
 	spin_unlock(&adapter->stats64_lock);
+	macstats_get_ethtool_stats(netdev, stats, data + i);
 }

@net_stats@
@@
-p = (char *)net_stats + igc_gstrings_net_stats[j].stat_offset;
+p = (char *)&net_stats + igc_gstrings_net_stats[j].stat_offset;

@get_strings@
@@
 igc_ethtool_get_strings(...)
 {
 	<...
 	for (...;...;...) { ... ethtool_sprintf(&p, "rx_queue_%u_alloc_failed", ...); }
+	macstats_get_strings(netdev, stringset, p);
 	...>
 }

@dump@
@@
-regs_buff[30] = adapter->stats.crcerrs;
+igc_macstats_dump(adapter, regs_buff);

@dumped@
expression place;
identifier f;
@@
-regs_buff[place] = adapter->stats.f;

@ethtool_ops@
@@
 struct ethtool_ops igc_ethtool_ops = {
 	.get_ethtool_stats = igc_ethtool_get_stats,
+	MACSTATS_ETHTOOL_GROUPS,
+	MACSTATS_ETHTOOL_REQUESTS,
 };

@adapter@
@@
 struct igc_adapter {
 	...
 	struct igc_hw_stats stats;
+	struct macstats_port *macstats;
 	...
 };

@include depends on adapter@
@@
 #include "igc_hw.h"
+#include "macstats.h"

@functions@
@@
+int igc_macstats_init(struct net_device *netdev);
+void igc_macstats_dump(struct igc_adapter *adapter, u32 *regs);
 void igc_update_stats(struct igc_adapter *adapter);
