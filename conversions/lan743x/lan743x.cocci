// SPDX-License-Identifier: GPL-2.0
// The statistics of the driver lan743x come from the provider. Behind them, ethtool -S lists those
// of the queues, and which counters have rolled over.

@defines@
identifier register_name =~ "^STAT_(?!.*ROLLOVER)";
expression E;
@@
-#define register_name E

@set0@
@@
-static const char lan743x_set0_hw_cnt_strings[][ETH_GSTRING_LEN] = { ... };

@set2@
@@
-static const char lan743x_set2_hw_cnt_strings[][ETH_GSTRING_LEN] = { ... };

@addr0@
@@
-static const u32 lan743x_set0_hw_cnt_addr[] = { ... };

@addr2@
@@
-static const u32 lan743x_set2_hw_cnt_addr[] = { ... };

@set1@
@@
 static const char lan743x_set1_sw_cnt_strings[][ETH_GSTRING_LEN] = {
 	...,
 	"RX Queue 3 Frames",
+	"RX Counter Rollover Status",
+	"TX Counter Rollover Status",
 };

@get_strings@
@@
 lan743x_ethtool_get_strings(...)
 {
 	<...
-	memcpy(data, lan743x_set0_hw_cnt_strings, ...);
-	memcpy(&data[...], lan743x_set1_sw_cnt_strings, ...);
-	memcpy(&data[...], lan743x_set2_hw_cnt_strings, ...);
+	macstats_get_strings(netdev, stringset, data);
+	data += macstats_get_sset_count(netdev, stringset) * ETH_GSTRING_LEN;
+	memcpy(data, lan743x_set1_sw_cnt_strings,
+	       sizeof(lan743x_set1_sw_cnt_strings));
 	if (adapter->is_pci11x1x) {
-		memcpy(&data[...], lan743x_tx_queue_cnt_strings, ...);
+		memcpy(data + sizeof(lan743x_set1_sw_cnt_strings),
+		       lan743x_tx_queue_cnt_strings,
+		       sizeof(lan743x_tx_queue_cnt_strings));
 	}
 	...>
 }

@get_stats@
identifier buf, i;
statement S;
@@
 lan743x_ethtool_get_ethtool_stats(...)
 {
 	...
-	u32 buf;
 	int i;
-	for (i = 0; i < ARRAY_SIZE(lan743x_set0_hw_cnt_addr); i++) { ... }
+	macstats_get_ethtool_stats(netdev, stats, data);
+	data_index = macstats_get_sset_count(netdev, ETH_SS_STATS);
 	for (...;...;...) S
-	for (i = 0; i < ARRAY_SIZE(lan743x_set2_hw_cnt_addr); i++) { ... }
+	data[data_index++] = lan743x_csr_read(adapter,
+					      STAT_RX_COUNTER_ROLLOVER_STATUS);
+	data[data_index++] = lan743x_csr_read(adapter,
+					      STAT_TX_COUNTER_ROLLOVER_STATUS);
 	...
 }

@count@
@@
 lan743x_ethtool_get_sset_count(...)
 {
 	<...
-	ret = ARRAY_SIZE(lan743x_set0_hw_cnt_strings);
+	ret = macstats_get_sset_count(netdev, sset);
 	ret += ARRAY_SIZE(lan743x_set1_sw_cnt_strings);
-	ret += ARRAY_SIZE(lan743x_set2_hw_cnt_strings);
 	...>
 }

@ethtool_ops@
@@
 struct ethtool_ops lan743x_ethtool_ops = {
 	.get_ethtool_stats = lan743x_ethtool_get_ethtool_stats,
+	MACSTATS_ETHTOOL_GROUPS,
+	MACSTATS_ETHTOOL_REQUESTS,
 };

@stats64@
@@
-static void lan743x_netdev_get_stats64(...) { ... }

@netdev_ops@
@@
 struct net_device_ops lan743x_netdev_ops = {
-	.ndo_get_stats64 = lan743x_netdev_get_stats64,
+	.ndo_get_stats64	= macstats_get_stats64,
 };

@netdev_init@
@@
 struct net_device_ops lan743x_netdev_ops = {
+	.ndo_init		= lan743x_macstats_init,
+	.ndo_uninit		= macstats_ndo_uninit,
 	.ndo_open = lan743x_netdev_open,
 };

// A reset of the chip clears the counters.
@suspend@
@@
 lan743x_pm_suspend(...)
 {
 	...
 	lan743x_pcidev_shutdown(pdev);
+	macstats_port_suspend(adapter->macstats);
 	...
 }

@resume@
@@
 lan743x_pm_resume(...)
 {
 	...
 	ret = lan743x_hardware_init(adapter, pdev);
 	if (ret) { ... }
+	macstats_port_resume(adapter->macstats);
 	...
 }

@adapter@
@@
 struct lan743x_adapter {
 	struct net_device *netdev;
+	struct macstats_port	*macstats;
 	...
 };

@include depends on adapter@
@@
 #include "lan743x_ptp.h"
+#include "macstats.h"

@functions@
@@
+int lan743x_macstats_init(struct net_device *netdev);
 int lan743x_sgmii_read(struct lan743x_adapter *adapter, u8 mmd, u16 addr);
