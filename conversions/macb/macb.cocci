// SPDX-License-Identifier: GPL-2.0
// The statistics of a GEM come from the provider. Those of its predecessor MACB stay the driver's.
// Rules with files: 0 are for what Linux 6.12 or newer kernels lack.

// Totals, the table of registers and strings, and the functions that read the registers.
@hw_stats@
@@
-struct gem_stats { ... };

@strings@
@@
-static const struct gem_statistic gem_statistics[] = { ... };

@length@
expression E;
@@
-#define GEM_STATS_LEN E

@titles@
identifier name, title;
@@
-#define GEM_STAT_TITLE(name, title) GEM_STAT_TITLE_BITS(name, title, 0)

@bits@
identifier bit =~ "^GEM_NDS_";
expression E;
@@
-#define bit E

@update@
@@
-static void gem_update_stats(struct macb *bp) { ... }

@get@
type T;
parameter list P;
@@
-static T gem_get_stats(P) { ... }

@get_groups@
identifier f =~ "^gem_get_.*_stats$";
parameter list P;
@@
-static void f(P) { ... }

@ranges@ // files: 0
@@
-static const struct ethtool_rmon_hist_range gem_rmon_ranges[] = { ... };

// The MAC counts an overrun, too.
@overrun@
@@
-if (macb_is_gem(bp))
-	bp->hw_stats.gem.rx_overruns++;
-else
+if (!macb_is_gem(bp))
 	bp->hw_stats.macb.rx_overruns++;

// A reset clears the counters: it comes behind a last read.
@init@
@@
 macb_init_hw(...)
 {
 	...
+	macstats_port_suspend(bp->macstats);
 	macb_reset_hw(bp);
 	...
+	macstats_port_resume(bp->macstats);
 }

@stop@
@@
+macstats_port_suspend(bp->macstats);
 spin_lock_irqsave(&bp->lock, flags);
 macb_reset_hw(bp);

@open_fails@
@@
 macb_open(...)
 {
 	<...
+	macstats_port_suspend(bp->macstats);
 	macb_reset_hw(bp);
 	...>
 }

// One port for a net device, from ndo_init on, when the clocks run.
@netdev_ops@
@@
 struct net_device_ops macb_netdev_ops = {
+	.ndo_init = macb_macstats_init,
+	.ndo_uninit = macstats_ndo_uninit,
 	.ndo_open = macb_open,
 };

@get_stats64@ // files: 0
@@
-gem_get_stats(bp, nstat);
+macstats_get_stats64(netdev, nstat);

// Linux 6.12: ndo_get_stats
@get_stats@ // files: 0
@@
-return gem_get_stats(bp);
+return nstat;

@get_stats_64@ // files: 0
@@
 struct net_device_stats *macb_get_stats(...) { ... }
+
+static void macb_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
+{
+	netdev_stats_to_stats64(stats, macb_get_stats(dev));
+	macstats_get_stats64(dev, stats);
+}

@netdev_ops_64@ // files: 0
@@
 struct net_device_ops macb_netdev_ops = {
-	.ndo_get_stats = macb_get_stats,
+	.ndo_get_stats64 = macb_get_stats64,
 };

// Strings: those of the provider, then those of the queues.
@count@
identifier dev, sset;
@@
 gem_get_sset_count(struct net_device *dev, int sset)
 {
 	<...
-	return GEM_STATS_LEN + bp->num_queues * QUEUE_STATS_LEN;
+	return macstats_get_sset_count(dev, sset) + bp->num_queues * QUEUE_STATS_LEN;
 	...>
 }

@get_strings@
identifier dev, sset, p;
@@
 gem_get_ethtool_strings(struct net_device *dev, u32 sset, u8 *p)
 {
 	<...
-	for (i = 0; i < GEM_STATS_LEN; i++, p += ETH_GSTRING_LEN)
-		memcpy(...);
+	macstats_get_strings(dev, sset, p);
+	p += macstats_get_sset_count(dev, sset) * ETH_GSTRING_LEN;
 	...>
 }

@groups@ // files: 0
@@
 struct ethtool_ops gem_ethtool_ops = {
-	.get_pause_stats = gem_get_pause_stats,
-	.get_eth_mac_stats = gem_get_eth_mac_stats,
-	.get_eth_phy_stats = gem_get_eth_phy_stats,
-	.get_rmon_stats = gem_get_rmon_stats,
 };

@ethtool_ops@
@@
 struct ethtool_ops gem_ethtool_ops = {
 	.get_sset_count = gem_get_sset_count,
+	MACSTATS_ETHTOOL_GROUPS,
+	MACSTATS_ETHTOOL_REQUESTS,
 };

@gem_stats@
@@
 struct macb {
 	...
 	union {
 		struct macb_stats macb;
-		struct gem_stats gem;
 	} hw_stats;
 	...
 };

@macb@
expression E;
@@
 struct macb {
 	...
-	u64 ethtool_stats[E];
+	struct macstats_port *macstats;
+	/* Of each counter, in QEMU */
+	u32 last_read[(GEM_DCFG1 - GEM_OCTTXL) / 4];
 	...
 };
+
+int macb_macstats_init(struct net_device *netdev);
+void gem_get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats, u64 *data);

@include depends on macb@
@@
 #include <linux/workqueue.h>
+#include "macstats.h"
