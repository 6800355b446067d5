// SPDX-License-Identifier: GPL-2.0
// The statistics of the driver macb come from net/core/eth_hw_stats.c.

// Totals, tables and the functions that read and copy them.
@totals@
@@
-struct macb_stats { ... };

@gem_totals@
@@
-struct gem_stats { ... };

@rows@
@@
-static const struct gem_statistic gem_statistics[] = { ... };

@queue_rows@
@@
-static const struct gem_statistic queue_statistics[] = { ... };

@lock@
@@
 struct macb {
 	...
-	spinlock_t stats_lock;
-	bool stats_running;
-	union { ... } hw_stats;
 	...
 };

@array@
expression E;
@@
 struct macb {
 	...
-	u64 ethtool_stats[E];
+	struct eth_hw_stats *stats;
 	...
 };

@lock_init@
@@
-spin_lock_init(&bp->stats_lock);

@update@
@@
-static void macb_update_stats(...) { ... }

@gem_update@
@@
-static void gem_update_stats(...) { ... }

@gem_link@
@@
-static void gem_get_stats(...) { ... }

@link@
@@
-static void macb_get_stats(...) { ... }

@values@
@@
-static void gem_get_ethtool_stats(...) { ... }

@count@
@@
-static int gem_get_sset_count(...) { ... }

@strings@
@@
-static void gem_get_ethtool_strings(...) { ... }

@pause@
@@
-static void macb_get_pause_stats(...) { ... }

@gem_pause@
@@
-static void gem_get_pause_stats(...) { ... }

@mac@
@@
-static void macb_get_eth_mac_stats(...) { ... }

@gem_mac@
@@
-static void gem_get_eth_mac_stats(...) { ... }

@phy@
@@
-static void macb_get_eth_phy_stats(...) { ... }

@gem_phy@
@@
-static void gem_get_eth_phy_stats(...) { ... }

@rmon@
@@
-static void macb_get_rmon_stats(...) { ... }

@ranges@
@@
-static const struct ethtool_rmon_hist_range gem_rmon_ranges[] = { ... };

@gem_rmon@
@@
-static void gem_get_rmon_stats(...) { ... }

@pause_called@
@@
-gem_get_pause_stats
+macb_get_pause_stats

@mac_called@
@@
-gem_get_eth_mac_stats
+macb_get_eth_mac_stats

@phy_called@
@@
-gem_get_eth_phy_stats
+macb_get_eth_phy_stats

@rmon_called@
@@
-gem_get_rmon_stats
+macb_get_rmon_stats

// Resets and clocks
@starts@
@@
-static void macb_stats_start(...) { ... }

@stops@
@@
-static void macb_stats_stop(...) { ... }

@start@
@@
-macb_stats_start(bp);
+eth_hw_stats_start(bp->stats);

@stop@
@@
-macb_stats_stop(bp);
+eth_hw_stats_stop(bp->stats);

@include@
@@
+#include <net/eth_hw_stats.h>
 #include <net/pkt_sched.h>

@probe@
@@
 platform_set_drvdata(pdev, netdev);
+err = macb_stats_init(bp);
+if (err)
+	goto err_out_free_netdev;
