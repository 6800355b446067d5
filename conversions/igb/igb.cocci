// SPDX-License-Identifier: GPL-2.0
// The statistics of the MAC of the driver igb come from the provider. Frames and octets stay those of
// its rings.

// Totals, and the functions that read the registers. What remains are counters of the driver.
@hw_stats@
@@
 struct e1000_hw_stats {
-	u64 crcerrs;
-	...
-	u64 hrmpc;
 	u64 doosync;
 	...
 };

@clear_declared@
@@
-static void igb_clear_hw_cntrs_82575(struct e1000_hw *);

@clear_called@
@@
-igb_clear_hw_cntrs_82575(hw);

@clear@
@@
-static void igb_clear_hw_cntrs_82575(struct e1000_hw *hw) { ... }

@clear_base@
@@
-void igb_clear_hw_cntrs_base(struct e1000_hw *hw) { ... }

@clear_base_declared@
@@
-void igb_clear_hw_cntrs_base(struct e1000_hw *hw);

@update@
@@
 igb_update_stats(...)
 {
 	...
-	u32 mpc;
 	...
 	rcu_read_unlock();
-	...
-	adapter->stats.mgpdc += rd32(E1000_MGTPDC);
 	...
 }

@get_stats64@
@@
 igb_get_stats64(...)
 {
 	...
	memcpy(stats, &adapter->stats64, sizeof(*stats));
+	macstats_get_stats64(netdev, stats);
+	stats->rx_fifo_errors += stats->rx_missed_errors;
 	...
 }

// Each reset, which leaves the counters unknown, is between these two, and so is each sleep.
@down@
@@
 igb_down(...)
 {
 	...
 	igb_update_stats(adapter);
 	spin_unlock(&adapter->stats64_lock);
+	macstats_port_suspend(adapter->macstats);
 	...
 }

@media@
@@
 if (hw->dev_spec._82575.media_changed) {
 	...
+	macstats_port_suspend(adapter->macstats);
 	igb_reset(adapter);
+	if (!test_bit(__IGB_DOWN, &adapter->state))
+		macstats_port_resume(adapter->macstats);
 }

@open_fails@
@@
 igb_power_down_link(adapter);
+macstats_port_suspend(adapter->macstats);
 igb_free_all_rx_resources(adapter);

@up@
@@
 igb_configure(...)
 {
 	...
+	macstats_port_resume(adapter->macstats);
 	igb_get_hw_control(adapter);
 	...
 }

@netdev_ops@
@@
 struct net_device_ops igb_netdev_ops = {
+	.ndo_init = igb_macstats_init,
+	.ndo_uninit = macstats_ndo_uninit,
 	.ndo_open = igb_open,
 };

// Strings: those of statistics that the driver counts itself, then those of the provider.
@carrier_errors@
@@
 static const struct igb_stats igb_gstrings_net_stats[] = {
 	...,
 	IGB_NETDEV_STAT(tx_errors),
+	IGB_NETDEV_STAT(tx_carrier_errors),
 	...,
 };

@length_errors@
@@
 static const struct igb_stats igb_gstrings_net_stats[] = {
 	...,
-	IGB_NETDEV_STAT(rx_length_errors),
 	...,
 };

@strings@
expression s;
identifier f != { doosync, o2bgptc, b2ospc, o2bspc, b2ogprc };
@@
 static const struct igb_stats igb_gstrings_stats[] = {
 	...,
-	IGB_STAT(s, stats.f),
 	...,
 };

@count@
@@
-return IGB_STATS_LEN;
+return IGB_STATS_LEN + macstats_get_sset_count(netdev, sset);

@get_stats@
@@
 igb_get_ethtool_stats(...)
 {
 	...
-	struct rtnl_link_stats64 *net_stats = &adapter->stats64;
+	struct rtnl_link_stats64 net_stats;
 	...
+	dev_get_stats(netdev, &net_stats);
 	spin_lock(&adapter->stats64_lock);
-	igb_update_stats(adapter);
 	...
 	spin_unlock(&adapter->stats64_lock);
+	macstats_get_ethtool_stats(netdev, stats, data + i);
 }

@net_stats@
@@
-p = (char *)net_stats + igb_gstrings_net_stats[j].stat_offset;
+p = (char *)&net_stats + igb_gstrings_net_stats[j].stat_offset;

@get_strings@
@@
 igb_get_strings(...)
 {
 	<...
 	for (...;...;...) { ... ethtool_sprintf(&p, "rx_queue_%u_alloc_failed", ...); }
+	macstats_get_strings(netdev, stringset, p);
 	...>
 }

@dump@
@@
-regs_buff[54] = adapter->stats.crcerrs;
+igb_macstats_dump(adapter, regs_buff);

@dumped@
expression place;
identifier f != { o2bgptc, b2ospc, o2bspc, b2ogprc };
@@
-regs_buff[place] = adapter->stats.f;

@ethtool_ops@
@@
 struct ethtool_ops igb_ethtool_ops = {
 	.get_ethtool_stats = igb_get_ethtool_stats,
+	MACSTATS_ETHTOOL_GROUPS,
+	MACSTATS_ETHTOOL_REQUESTS,
 };

@adapter@
@@
 struct igb_adapter {
 	...
 	struct e1000_hw_stats stats;
+	struct macstats_port *macstats;
 	...
 };

@include depends on adapter@
@@
 #include "e1000_82575.h"
+#include "macstats.h"

@functions@
@@
+int igb_macstats_init(struct net_device *netdev);
+void igb_macstats_dump(struct igb_adapter *adapter, u32 *regs);
 void igb_update_stats(struct igb_adapter *);
