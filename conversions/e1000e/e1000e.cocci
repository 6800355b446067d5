// SPDX-License-Identifier: GPL-2.0
// The statistics of the driver e1000e come from the provider.

// Totals, and the functions that read the registers.
@hw_stats@
@@
-struct e1000_hw_stats { ... };

@clear_declared@ // files: 3
identifier clear =~ "^e1000_clear_hw_cntrs";
@@
-static void clear(struct e1000_hw *hw);

@clear_base_declared@
@@
-void e1000e_clear_hw_cntrs_base(struct e1000_hw *hw);

@clear_called@ // files: 3
identifier clear =~ "^e1000_clear_hw_cntrs";
@@
-clear(hw);

@clear@ // files: 3
identifier clear =~ "^e1000_clear_hw_cntrs";
@@
-static void clear(struct e1000_hw *hw) { ... }

@clear_base@
@@
-void e1000e_clear_hw_cntrs_base(struct e1000_hw *hw) { ... }

@clear_operation@ // files: 3
identifier operations;
expression E;
@@
 struct e1000_mac_operations operations = {
-	.clear_hw_cntrs = E,
 };

@clear_member@
@@
 struct e1000_mac_operations {
 	...
-	void (*clear_hw_cntrs)(struct e1000_hw *);
 	...
 };

@get_stats64@
@@
-void e1000e_get_stats64(...) { ... }

@get_stats64_declared@
@@
-void e1000e_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats);

// What remains are counters of the PHY, and of errors in memory.
@update@
@@
 e1000e_update_stats(...)
 {
-	struct net_device *netdev = adapter->netdev;
 	...
-	adapter->stats.crcerrs += er32(CRCERRS);
-	...
-	adapter->stats.mgpdc += er32(MGTPDC);
+	if (adapter->link_duplex == HALF_DUPLEX && (adapter->flags2 & FLAG2_HAS_PHY_STATS))
+		e1000e_update_phy_stats(adapter);
+	macstats_port_refresh(adapter->macstats);
 	...
 }

@phy@
@@
(
-adapter->stats.scc += phy_data;
+atomic_add(phy_data, e1000e_phy_count(adapter, E1000_SCC));
|
-adapter->stats.ecol += phy_data;
+atomic_add(phy_data, e1000e_phy_count(adapter, E1000_ECOL));
|
-adapter->stats.mcc += phy_data;
+atomic_add(phy_data, e1000e_phy_count(adapter, E1000_MCC));
|
-adapter->stats.latecol += phy_data;
+atomic_add(phy_data, e1000e_phy_count(adapter, E1000_LATECOL));
|
-hw->mac.collision_delta = phy_data;
+atomic_add(phy_data, e1000e_phy_count(adapter, E1000_COLC));
|
-adapter->stats.dc += phy_data;
+atomic_add(phy_data, e1000e_phy_count(adapter, E1000_DC));
|
-adapter->stats.tncrs += phy_data;
+atomic_add(phy_data, e1000e_phy_count(adapter, E1000_TNCRS));
)

// The PHY is read under a mutex.
@unlocked@
@@
-spin_lock(&adapter->stats64_lock);
 e1000e_update_stats(adapter);
 ... when any
-spin_unlock(&adapter->stats64_lock);

@memory_errors@
@@
 e1000e_update_stats(...)
 {
 	...
 	if (hw->mac.type >= e1000_pch_lpt) {
 		...
+		spin_lock(&adapter->stats64_lock);
 		adapter->corr_errors += ...;
 		adapter->uncorr_errors += ...;
+		spin_unlock(&adapter->stats64_lock);
 	}
 }

// Totals that the watchdog compares with those of its last run.
@watchdog@
@@
-mac->tx_packet_delta = adapter->stats.tpt - adapter->tpt_old;
-adapter->tpt_old = adapter->stats.tpt;
-mac->collision_delta = adapter->stats.colc - adapter->colc_old;
-adapter->colc_old = adapter->stats.colc;
+mac->tx_packet_delta = e1000e_since(adapter, "TPT", &adapter->tpt_old);
+mac->collision_delta = e1000e_since(adapter, "COLC", &adapter->colc_old);
-adapter->gorc = adapter->stats.gorc - adapter->gorc_old;
-adapter->gorc_old = adapter->stats.gorc;
-adapter->gotc = adapter->stats.gotc - adapter->gotc_old;
-adapter->gotc_old = adapter->stats.gotc;
+adapter->gorc = e1000e_since(adapter, "GORC", &adapter->gorc_old);
+adapter->gotc = e1000e_since(adapter, "GOTC", &adapter->gotc_old);

// Each reset, which leaves the counters unknown, is between these two, and so is each sleep.
@down@
@@
 e1000e_down(...)
 {
 	...
 	e1000e_update_stats(adapter);
+	macstats_port_suspend(adapter->macstats);
 	...
 }

@open_fails@
@@
 e1000_power_down_phy(adapter);
+macstats_port_suspend(adapter->macstats);
 e1000e_free_rx_resources(adapter->rx_ring);

// Not before e1000_configure(), whose comment some versions of spatch leave above it.
@declare@
@@
+static void e1000e_update_phy_stats(struct e1000_adapter *adapter);
+
 static const struct e1000_info *e1000_info_tbl[] = { ... };

@up@
@@
 e1000_configure(...)
 {
 	...
+	if (adapter->flags2 & FLAG2_HAS_PHY_STATS)
+		e1000e_update_phy_stats(adapter);
+	/* What the PHY has counted so far is part of the baseline. */
+	macstats_port_resume(adapter->macstats);
 	e1000e_set_rx_mode(adapter->netdev);
 	...
 }

@netdev_ops@
@@
 struct net_device_ops e1000e_netdev_ops = {
-	.ndo_get_stats64 = e1000e_get_stats64,
+	.ndo_init = e1000e_macstats_init,
+	.ndo_uninit = macstats_ndo_uninit,
+	.ndo_get_stats64 = macstats_get_stats64,
 };

// Strings: those of statistics that the driver counts itself, then those of the provider.
@carrier_errors@
@@
 static const struct e1000_stats e1000_gstrings_stats[] = {
 	...,
-	E1000_STAT("tx_carrier_errors", stats.tncrs),
+	E1000_NETDEV_STAT("tx_carrier_errors", tx_carrier_errors),
 	...,
 };

@length_errors@
@@
 static const struct e1000_stats e1000_gstrings_stats[] = {
 	...,
-	E1000_NETDEV_STAT("rx_length_errors", rx_length_errors),
 	...,
 };

@strings@
expression s;
identifier f;
@@
 static const struct e1000_stats e1000_gstrings_stats[] = {
 	...,
-	E1000_STAT(s, stats.f),
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
+	atomic_t phy_counts[(E1000_TNCRS - E1000_SCC) / 4 + 1];
 	...
 };

@include depends on adapter@
@@
 #include "hw.h"
+#include "macstats.h"

@functions@
@@
 struct e1000_adapter { ... };
+
+int e1000e_macstats_init(struct net_device *netdev);
+atomic_t *e1000e_phy_count(struct e1000_adapter *adapter, u32 reg);
+u64 e1000e_since(struct e1000_adapter *adapter, const char *reg, u64 *old);
