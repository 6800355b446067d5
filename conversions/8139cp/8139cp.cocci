// SPDX-License-Identifier: GPL-2.0
// The tally counters of the driver 8139cp come from the provider, and so do missed and multicast
// frames of `ip -s link`. Its packets, octets and errors stay those of the descriptors.

@private@
@@
 struct cp_private {
 	...
 	struct cp_extra_stats cp_stats;
+	struct macstats_port	*macstats;
 	...
 };

@include depends on private@
@@
 #include <linux/uaccess.h>
+#include "macstats.h"

@include_functions@
@@
+#include "8139cp_macstats.h"
 static inline void cp_set_rxbufsize (struct cp_private *cp) { ... }

@layout@
@@
-struct cp_dma_stats { ... };

@keys depends on private@
@@
-static struct { const char str[ETH_GSTRING_LEN]; } ethtool_stats_keys[] = { ... };

@missed@
@@
-static void __cp_get_stats(...) { ... }

@get_missed@
@@
-static struct net_device_stats *cp_get_stats(...) { ... }

@get_stats64@
@@
+static void cp_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
+{
+	struct rtnl_link_stats64 mac = { };
+
+	netdev_stats_to_stats64(stats, &dev->stats);
+	macstats_get_stats64(dev, &mac);
+	stats->rx_missed_errors = mac.rx_missed_errors;
+	stats->multicast = mac.multicast;
+}
+
 static void cp_stop_hw (struct cp_private *cp) { ... }

@netdev_ops@
@@
 struct net_device_ops cp_netdev_ops = {
-	.ndo_get_stats = cp_get_stats,
+	.ndo_get_stats64 = cp_get_stats64,
 };

// The net device ends with the PCI device, after its port.
@probe depends on private@
expression E;
@@
-dev = alloc_etherdev(E);
+dev = devm_alloc_etherdev(&pdev->dev, E);

@probe_enable depends on private@
@@
 rc = pci_enable_device(pdev);
 if (rc)
-	goto err_out_free;
+	return rc;

@probe_end depends on private@
@@
 pci_disable_device(pdev);
-err_out_free:
-free_netdev(dev);

@remove depends on private@
@@
 cp_remove_one(...)
 {
 	...
-	free_netdev(dev);
 }

@registration depends on private@
@@
+rc = cp_init_stats(dev);
+if (rc)
+	goto err_out_iomap;
 rc = register_netdev(dev);

// A reset clears the counters. Some of these MACs dump them only while the receiver is on, as the
// driver r8169 says. So a port resumes between there and the mode of the receiver, which accepts no
// frame before, and is suspended before the MAC stops: what the MAC counts in between is in no
// total.
@start@
@@
 cp_init_hw(...)
 {
 	...
+	cpw32_f(RxConfig, cp_rx_config);
 	cp_start_hw(cp);
+	macstats_port_resume(cp->macstats);
 	...
 }

@open_fails@
@@
 napi_disable(&cp->napi);
+macstats_port_suspend(cp->macstats);
 cp_stop_hw(cp);

// Nothing answers the interrupts of frames any more.
@close@
@@
 cp_close(...)
 {
 	...
 	napi_disable(&cp->napi);
+	cpw16_f(IntrMask, 0);
+	macstats_port_suspend(cp->macstats);
 	...
 }

// A dump that hangs must not end in freed memory.
@stop@
@@
 cp_stop_hw(...)
 {
 	...
 	cpw16_f(CpCmd, 0);
+	cpw32(StatsAddr, 0);
+	cpw32_f(StatsAddr + 4, 0);
 	...
 }

@sleep@
@@
 cp_suspend(...)
 {
 	...
 	netif_stop_queue(dev);
+	macstats_port_suspend(cp->macstats);
 	...
 }

// The stack sends nothing before.
@wake@
@@
 cp_resume(...)
 {
 	...
-	netif_device_attach(dev);
 	...
 	cp_init_hw(cp);
+	netif_device_attach(dev);
 	...
 }

// Strings: those of the provider, then one of the driver.
@get_strings@
@@
-static void cp_get_strings(...) { ... }

@get_stats@
@@
-static void cp_get_ethtool_stats(...) { ... }

@new_get_strings@
typedef u32, u8;
@@
+static void cp_get_strings(struct net_device *dev, u32 stringset, u8 *buf)
+{
+	macstats_get_strings(dev, stringset, buf);
+	strscpy(buf + (CP_NUM_STATS - 1) * ETH_GSTRING_LEN, "rx_frags",
+		ETH_GSTRING_LEN);
+}
+
 static const struct ethtool_ops cp_ethtool_ops = { ... };

@new_get_stats@
typedef u64;
@@
+static void cp_get_ethtool_stats(struct net_device *dev,
+				 struct ethtool_stats *estats, u64 *tmp_stats)
+{
+	struct cp_private *cp = netdev_priv(dev);
+
+	macstats_get_ethtool_stats(dev, estats, tmp_stats);
+	tmp_stats[CP_NUM_STATS - 1] = cp->cp_stats.rx_frags;
+}
+
 static const struct ethtool_ops cp_ethtool_ops = { ... };

@ethtool_ops@
@@
 struct ethtool_ops cp_ethtool_ops = {
 	.get_ethtool_stats = cp_get_ethtool_stats,
+	MACSTATS_ETHTOOL_GROUPS,
+	MACSTATS_ETHTOOL_REQUESTS,
 };
