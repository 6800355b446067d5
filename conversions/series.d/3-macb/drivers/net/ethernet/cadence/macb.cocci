// SPDX-License-Identifier: GPL-2.0
// The statistics of the driver macb come from net/core/mac_stats.c.

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
-	union { ... } hw_stats;
 	...
 };

@array@
expression E;
@@
 struct macb {
 	...
-	u64 ethtool_stats[E];
+	struct mac_stats *stats;
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

// A register counts overruns, too.
@overruns@
@@
-	spin_lock(&bp->stats_lock);
-	if (macb_is_gem(bp))
-		bp->hw_stats.gem.rx_overruns++;
-	else
-		bp->hw_stats.macb.rx_overruns++;
-	spin_unlock(&bp->stats_lock);

// Resets and clocks
@open@
expression E;
@@
 macb_init_hw(bp);
+mac_stats_start(bp->stats);
 E = phy_set_mode_ext(...);

@close@
@@
 macb_close(...)
 {
 	...
 	phylink_disconnect_phy(bp->phylink);
+	mac_stats_stop(bp->stats);
 	...
 }

@open_fails@
@@
 macb_open(...)
 {
 	<...
+	mac_stats_stop(bp->stats);
 	macb_reset_hw(bp);
 	...>
 }

@at91_start@
@@
 at91ether_start(...)
 {
 	...
 	macb_writel(bp, RBQP, queue->rx_ring_dma);
+	mac_stats_start(bp->stats);
 	...
 }

@at91_stop@
@@
 at91ether_stop(...)
 {
 	...
 	macb_writel(bp, NCR, ...);
+	mac_stats_stop(bp->stats);
 	...
 }

@suspend@
@@
 macb_suspend(...)
 {
 	...
 	netif_device_detach(netdev);
+	mac_stats_stop(bp->stats);
 	...
 }

@resume@
@@
 macb_init_hw(bp);
+mac_stats_start(bp->stats);
 macb_set_rx_mode(netdev);

@include@
@@
+#include <net/mac_stats.h>
 #include <net/pkt_sched.h>

@probe@
@@
 platform_set_drvdata(pdev, netdev);
+err = macb_stats_init(bp);
+if (err)
+	goto err_out_free_netdev;
