// SPDX-License-Identifier: GPL-2.0
// The statistics of the TI CPSW drivers (cpsw.c and cpsw_new.c) come from the provider.

// The strings are in cpsw_macstats.c, and the registers in the model.
@hw_stats@
@@
-struct cpsw_hw_stats { ... };

@strings@
@@
-const struct cpsw_stats cpsw_gstrings_stats[] = { ... };

@stat@
identifier m;
expression E1, E2;
@@
-#define CPSW_STAT(m) CPSW_STATS, E1, E2

@common_len@
expression E;
@@
-#define CPSW_STATS_COMMON_LEN E

@count@
@@
 cpsw_get_sset_count(...)
 {
 	<...
	return
-	(CPSW_STATS_COMMON_LEN +
+	(macstats_get_sset_count(ndev, sset) +
	...);
 	...>
 }

// The strings and values of the DMA channels stay the driver's, behind those of the provider.
@get_strings@
identifier i;
@@
 cpsw_get_strings(...)
 {
 	...
-	int i;
 	<...
-	for (i = 0; i < CPSW_STATS_COMMON_LEN; i++) { ... }
+	macstats_get_strings(ndev, stringset, p);
+	p += macstats_get_sset_count(ndev, stringset) * ETH_GSTRING_LEN;
 	...>
 }

@get_stats@
identifier l;
@@
 cpsw_get_ethtool_stats(...)
 {
 	...
-	for (l = 0; l < CPSW_STATS_COMMON_LEN; l++)
-		data[l] = ...;
+	macstats_get_ethtool_stats(ndev, stats, data);
+	l = macstats_get_sset_count(ndev, ETH_SS_STATS);
 	...
 }

// One poll for all groups of a request.
@begin@
@@
 cpsw_ethtool_op_begin(...)
 {
 	...
+	if (!ret)
+		macstats_ethtool_begin(ndev);
 	return ret;
 }

@complete@
@@
 cpsw_ethtool_op_complete(...)
 {
 	...
 	int ret;
+
+	macstats_ethtool_complete(ndev);
 	...
 }

@ethtool_ops@
@@
 struct ethtool_ops cpsw_ethtool_ops = {
 	.get_ethtool_stats = cpsw_get_ethtool_stats,
+	MACSTATS_ETHTOOL_GROUPS,
 };

@netdev_ops@ // files: 2
@@
 struct net_device_ops cpsw_netdev_ops = {
+	.ndo_init = cpsw_ndo_init,
+	.ndo_uninit = cpsw_ndo_uninit,
 	.ndo_open = cpsw_ndo_open,
 };

// One port for the hardware, which starts suspended.
@probe@ // files: 2
@@
 cpsw_probe(...)
 {
 	...
 	cpsw_split_res(cpsw);
+
+	ret = cpsw_macstats_init(cpsw);
+	if (ret)
+		goto clean_cpts;
 	...
 }

// The first net device that is up resets the switch. Statistics start anew there: the provider
// enables them in STAT_PORT_EN.
@resume@ // files: 2
@@
-writel_relaxed(0x7, &cpsw->regs->stat_port_en);
+macstats_port_resume(cpsw->macstats);

@stop@ // files: 2
@@
 cpsw_ndo_stop(...)
 {
 	...
+	if (cpsw->usage_count <= 1)
+		macstats_port_suspend(cpsw->macstats);
 	cpsw->usage_count--;
 	...
 }

// The error path of the open in cpsw.c. That of cpsw_new.c calls cpsw_ndo_stop().
@cleanup@
@@
 cpsw_ndo_open(...)
 {
 	<...
 	if (!cpsw->usage_count) {
 		...
 		cpsw_destroy_xdp_rxqs(cpsw);
+		macstats_port_suspend(cpsw->macstats);
 	}
 	...>
 }

@common@
@@
 struct cpsw_common {
 	...
 	int misc_irq;
+	struct macstats_port *macstats;
 	...
 };

@priv@
@@
 struct cpsw_priv {
 	...
 	struct cpsw_common *cpsw;
+	struct macstats_port *macstats;
 	...
 };

@include depends on priv@
@@
 #include "davinci_cpdma.h"
+#include "macstats.h"

@functions@
@@
 struct cpsw_priv { ... };
+
+/* statistics */
+int cpsw_macstats_init(struct cpsw_common *cpsw);
+int cpsw_ndo_init(struct net_device *ndev);
+void cpsw_ndo_uninit(struct net_device *ndev);
