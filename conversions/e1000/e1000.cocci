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

// The MAC counts frames and octets, too.
@tx_bytes@
expression E;
@@
-netdev->stats.tx_bytes += E;

@tx_packets@
expression E;
@@
-netdev->stats.tx_packets += E;

@rx_bytes@
expression E;
@@
-netdev->stats.rx_bytes += E;

@rx_packets@
expression E;
@@
-netdev->stats.rx_packets += E;

// Totals that the watchdog compares with those of its last run.
@tpt@
@@
-adapter->stats.tpt
+e1000_macstats_total(adapter, "TPT")

@colc@
@@
-adapter->stats.colc
+e1000_macstats_total(adapter, "COLC")

@gorcl@
@@
-adapter->stats.gorcl
+e1000_macstats_total(adapter, "GORC")

@gotcl@
@@
-adapter->stats.gotcl
+e1000_macstats_total(adapter, "GOTC")

// A reset leaves the counters unknown.
@reset@
@@
 void e1000_reset(struct e1000_adapter *adapter)
 {
 	...
 	hw->fc = hw->original_fc;
+	e1000_macstats_suspend(adapter);
 	...
 	e1000_reset_hw(hw);
 	...
+	e1000_macstats_resume(adapter);
 }

// The poll interval follows the speed.
@link@
@@
 e1000_get_speed_and_duplex(hw, &adapter->link_speed, &adapter->link_duplex);
+e1000_macstats_link(adapter);

@no_link@
@@
 adapter->link_speed = 0;
+e1000_macstats_link(adapter);

// Frames of the self test cross no wire.
@loopback@
expression data;
@@
+e1000_macstats_suspend(adapter);
 *data = e1000_run_loopback_test(adapter);
+e1000_macstats_resume(adapter);

@power@
@@
+e1000_macstats_suspend(adapter);
 if (!test_and_set_bit(__E1000_DISABLED, &adapter->flags))
 	pci_disable_device(pdev);

@failure@
@@
 e1000_io_error_detected(...)
 {
 	...
(
-	if (state == pci_channel_io_perm_failure)
+	if (state == pci_channel_io_perm_failure) {
+		macstats_port_gone(adapter->macstats);
 		return PCI_ERS_RESULT_DISCONNECT;
+	}
|
 	if (state == pci_channel_io_perm_failure) {
+		macstats_port_gone(adapter->macstats);
 		rtnl_unlock();
 		return PCI_ERS_RESULT_DISCONNECT;
 	}
)
 	...
 }

@probe@
@@
 e1000_probe(...)
 {
 	<...
 	e1000_reset(adapter);
+	err = e1000_macstats_init(adapter);
+	if (err)
+		goto err_eeprom;
 	...>
 }

@probe_fails@
@@
 err = register_netdev(netdev);
-if (err)
+if (err) {
+	macstats_port_unregister(adapter->macstats);
 	goto err_register;
+}

@remove@
@@
 e1000_remove(...)
 {
 	...
 	unregister_netdev(netdev);
+	macstats_port_unregister(adapter->macstats);
 	...
 }

@netdev_ops@
@@
 struct net_device_ops e1000_netdev_ops = {
+	.ndo_get_stats64 = macstats_get_stats64,
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
+int e1000_macstats_init(struct e1000_adapter *adapter);
+void e1000_macstats_link(struct e1000_adapter *adapter);
+void e1000_macstats_suspend(struct e1000_adapter *adapter);
+void e1000_macstats_resume(struct e1000_adapter *adapter);
+u64 e1000_macstats_total(const struct e1000_adapter *adapter, const char *reg);
 bool e1000_has_link(struct e1000_adapter *adapter);
