// SPDX-License-Identifier: GPL-2.0
// The statistics of the driver e1000 come from the provider.

// Totals, and the functions that read the registers.
@hw_stats@
@@
-struct e1000_hw_stats { ... };

@clear_declared@
@@
-static void e1000_clear_hw_cntrs(struct e1000_hw *hw);

@clear_called@
@@
-e1000_clear_hw_cntrs(hw);

@clear@
@@
-static void e1000_clear_hw_cntrs(struct e1000_hw *hw) { ... }

@update@
@@
-void e1000_update_stats(struct e1000_adapter *adapter) { ... }

@update_declared@
@@
-void e1000_update_stats(struct e1000_adapter *adapter);

// A frame that the driver accepts although the carrier extension of a link partner looks like an
// error stays what the MAC counted.
@adjust@
@@
-static void e1000_tbi_adjust_stats(...) { ... }

@accept@
identifier flags;
expression list E;
@@
 e1000_tbi_should_accept(...)
 {
 	...
-	if (TBI_ACCEPT(E)) {
-		unsigned long flags;
-		spin_lock_irqsave(&adapter->stats_lock, flags);
-		e1000_tbi_adjust_stats(...);
-		spin_unlock_irqrestore(&adapter->stats_lock, flags);
-		return true;
-	}
+	if (TBI_ACCEPT(E))
+		return true;
 	...
 }

// Totals that the watchdog compares with those of its last run.
@watchdog@
@@
-hw->tx_packet_delta = adapter->stats.tpt - adapter->tpt_old;
-adapter->tpt_old = adapter->stats.tpt;
-hw->collision_delta = adapter->stats.colc - adapter->colc_old;
-adapter->colc_old = adapter->stats.colc;
+hw->tx_packet_delta = e1000_since(adapter, "TPT", &adapter->tpt_old);
+hw->collision_delta = e1000_since(adapter, "COLC", &adapter->colc_old);
-adapter->gorcl = adapter->stats.gorcl - adapter->gorcl_old;
-adapter->gorcl_old = adapter->stats.gorcl;
-adapter->gotcl = adapter->stats.gotcl - adapter->gotcl_old;
-adapter->gotcl_old = adapter->stats.gotcl;
+adapter->gorcl = e1000_since(adapter, "GORC", &adapter->gorcl_old);
+adapter->gotcl = e1000_since(adapter, "GOTC", &adapter->gotcl_old);

// Each reset, which leaves the counters unknown, is between these two.
@down@
@@
 e1000_down(...)
 {
 	...
+	macstats_port_suspend(adapter->macstats);
 	e1000_reset(adapter);
 	...
 }

@open_fails@
@@
 e1000_power_down_phy(adapter);
+macstats_port_suspend(adapter->macstats);
 e1000_free_all_rx_resources(adapter);

@up@
@@
 e1000_configure(...)
 {
 	...
+	macstats_port_resume(adapter->macstats);
 	e1000_set_rx_mode(netdev);
 	...
 }

@netdev_ops@
@@
 struct net_device_ops e1000_netdev_ops = {
+	.ndo_init = e1000_macstats_init,
+	.ndo_uninit = macstats_ndo_uninit,
+	.ndo_get_stats64 = e1000_get_stats64,
 	.ndo_open = e1000_open,
 };

// Strings: those of statistics that the driver counts itself, then those of the provider.
@strings@
expression s;
identifier f;
@@
 static const struct e1000_stats e1000_gstrings_stats[] = {
 	...,
-	{ s, E1000_STAT(stats.f) },
 	...,
 };

@frame_errors@
@@
 static const struct e1000_stats e1000_gstrings_stats[] = {
 	...,
-	{ "rx_frame_errors", E1000_NETDEV_STAT(stats.rx_frame_errors) },
 	...,
 };

@count@
@@
-return E1000_STATS_LEN;
+return E1000_STATS_LEN + macstats_get_sset_count(netdev, sset);

@get_stats@
@@
 e1000_get_ethtool_stats(...)
 {
 	...
-	e1000_update_stats(adapter);
 	for (...;...;...) { ... }
+	macstats_get_ethtool_stats(netdev, stats, data + E1000_STATS_LEN);
 }

@get_strings@
identifier p;
@@
 e1000_get_strings(...)
 {
 	<...
 	for (...;...;...) { ... p += ETH_GSTRING_LEN; ... }
+	macstats_get_strings(netdev, stringset, p);
 	...>
 }

@ethtool_ops@
@@
 struct ethtool_ops e1000_ethtool_ops = {
 	.get_ethtool_stats = e1000_get_ethtool_stats,
+	MACSTATS_ETHTOOL_GROUPS,
+	MACSTATS_ETHTOOL_REQUESTS,
 };

@adapter@
@@
 struct e1000_adapter {
 	...
-	struct e1000_hw_stats stats;
+	struct macstats_port *macstats;
 	...
 };

@include depends on adapter@
@@
 #include "e1000_hw.h"
+#include "macstats.h"

@functions@
@@
+void e1000_update_stats(struct e1000_adapter *adapter);
+int e1000_macstats_init(struct net_device *netdev);
+void e1000_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats);
+u64 e1000_since(struct e1000_adapter *adapter, const char *reg, u64 *old);
 bool e1000_has_link(struct e1000_adapter *adapter);
