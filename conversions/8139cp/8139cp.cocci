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
 cp_get_stats(...)
 {
-	struct cp_private *cp = netdev_priv(dev);
-	unsigned long flags;
-	spin_lock_irqsave(&cp->lock, flags);
-	if (netif_running(dev) && netif_device_present(dev))
-		__cp_get_stats(cp);
-	spin_unlock_irqrestore(&cp->lock, flags);
+	struct rtnl_link_stats64 mac = { };
+
+	macstats_get_stats64(dev, &mac);
+	dev->stats.rx_missed_errors = mac.rx_missed_errors;
+	dev->stats.multicast = mac.multicast;
 	return &dev->stats;
 }

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

// A reset clears the counters.
@open@
@@
 cp_open(...)
 {
 	...
 	netif_start_queue(dev);
+	macstats_port_resume(cp->macstats);
 	...
 }

@close@
@@
 cp_close(...)
 {
 	...
 	napi_disable(&cp->napi);
+	macstats_port_suspend(cp->macstats);
+	/* A dump that hangs must not end in freed memory. */
+	cpw32(StatsAddr, 0);
+	cpw32_f(StatsAddr + 4, 0);
 	...
 }

@suspend@
@@
 cp_suspend(...)
 {
 	...
 	netif_stop_queue(dev);
+	macstats_port_suspend(cp->macstats);
 	...
 }

@resume@
@@
 cp_resume(...)
 {
 	...
 	cp_init_hw(cp);
+	macstats_port_resume(cp->macstats);
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
