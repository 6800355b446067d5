// SPDX-License-Identifier: GPL-2.0
// The MAC management counters (MMC) of the driver stmmac come from the provider. Nothing lets a
// read clear them any more.

// Registers and totals, and the functions that read them.
@defines@
identifier name =~ "^MMC_(?!CNTRL|.*(INTR|MASK|OFFSET)$)";
expression offset;
@@
-#define name offset

@counters@
@@
-struct stmmac_counters { ... };

@ctrl@
@@
-static void dwmac_mmc_ctrl(...) { ... }

@xgmac_ctrl@
@@
-static void dwxgmac_mmc_ctrl(...) { ... }

@read@
@@
-static void dwmac_mmc_read(...) { ... }

@xgmac_read_reg@
@@
-static void dwxgmac_read_mmc_reg(...) { ... }

@xgmac_read@
@@
-static void dwxgmac_mmc_read(...) { ... }

@ops@
@@
 const struct stmmac_mmc_ops dwmac_mmc_ops = {
-	.ctrl = dwmac_mmc_ctrl,
-	.read = dwmac_mmc_read,
 };

@xgmac_ops@
@@
 const struct stmmac_mmc_ops dwxgmac_mmc_ops = {
-	.ctrl = dwxgmac_mmc_ctrl,
-	.read = dwxgmac_mmc_read,
 };

// Operations of the hardware.
@hwif@
field ctrl_op;
field mask_op;
field read_op;
@@
 struct stmmac_mmc_ops {
-	ctrl_op
 	mask_op
-	read_op
 };

@counters_declared@
@@
-struct stmmac_counters;

@hwif_ctrl@
expression E;
@@
-#define stmmac_mmc_ctrl(...) E

@hwif_read@
expression E;
@@
-#define stmmac_mmc_read(...) E

@setup@
@@
 static void stmmac_mmc_setup(struct stmmac_priv *priv)
 {
-	unsigned int mode = ...;
-
 	stmmac_mmc_intr_all_mask(priv, priv->mmcaddr);
 	if (priv->dma_cap.rmon) {
-		stmmac_mmc_ctrl(...);
-		memset(...);
+		macstats_port_resume(priv->macstats);
 	} else
 		netdev_info(...);
 }

// The baseline, after the reset and before the first frame.
@setup_first@
@@
 stmmac_hw_setup(...)
 {
 	...
 	ret = stmmac_rx_ipc(priv, priv->hw);
 	if (!ret) { ... }
+	stmmac_mmc_setup(priv);
 	stmmac_mac_set(priv, priv->ioaddr, true);
 	...
-	stmmac_mmc_setup(priv);
 	...
 }

// The MAC is reset when it is opened, and without clocks until then. phylink_stop() has disabled
// it.
@release@
identifier release =~ "^(__)?stmmac_release$";
@@
 release(...)
 {
 	...
 	stmmac_stop_all_dma(priv);
+	macstats_port_suspend(priv->macstats);
 	...
 }

@open_fails@
@@
 __stmmac_open(...)
 {
 	<...
 	phylink_stop(priv->phylink);
+	macstats_port_suspend(priv->macstats);
 	...>
 }

// Frames that it receives while it waits for one to wake the system are in no total.
@suspend_receiving@
@@
 stmmac_suspend(...)
 {
 	<...
+	macstats_port_suspend(priv->macstats);
 	stmmac_pmt(priv, priv->hw, priv->wolopts);
 	...>
 }

@suspend@
@@
 stmmac_suspend(...)
 {
 	<...
 	stmmac_mac_set(priv, priv->ioaddr, false);
+	macstats_port_suspend(priv->macstats);
 	...>
 }

@link@
identifier speed;
@@
 stmmac_mac_link_up(..., int speed, int duplex, ...)
 {
 	<...
+	macstats_port_set_line_rate(priv->macstats, speed * 1000000ull);
 	stmmac_mac_set(priv, priv->ioaddr, true);
 	...>
 }

@probe@
@@
+ret = stmmac_macstats_init(priv);
+if (ret)
+	goto error_netdev_register;
 ret = register_netdev(ndev);

// Strings and values of ethtool -S.
@strings@
@@
-static const struct stmmac_stats stmmac_mmc[] = { ... };

@strings_number@
@@
-#define STMMAC_MMC_STATS_LEN ARRAY_SIZE(stmmac_mmc)

@get_stats@
@@
 stmmac_get_ethtool_stats(...)
 {
 	<...
 	if (priv->dma_cap.rmon) {
-		stmmac_mmc_read(...);
-		for (...;...;...) { ... }
+		macstats_get_ethtool_stats(dev, dummy, data + j);
+		j += macstats_get_sset_count(dev, ETH_SS_STATS);
 	}
 	...>
 }

@count@
@@
-STMMAC_MMC_STATS_LEN
+macstats_get_sset_count(netdev, sset)

@get_strings@
@@
 stmmac_get_strings(...)
 {
 	<...
-	if (priv->dma_cap.rmon)
-		for (...;...;...) { ... }
+	if (priv->dma_cap.rmon) {
+		macstats_get_strings(dev, stringset, p);
+		p += macstats_get_sset_count(dev, stringset) * ETH_GSTRING_LEN;
+	}
 	...>
 }

@mm@
@@
-static void stmmac_get_mm_stats(...) { ... }

@ethtool_ops@
@@
 struct ethtool_ops stmmac_ethtool_ops = {
-	.get_mm_stats = stmmac_get_mm_stats,
+	.get_mm_stats = macstats_get_mm_stats,
+	MACSTATS_ETHTOOL_GROUPS,
+	MACSTATS_ETHTOOL_REQUESTS,
 };

// The self test: the frames that it sends to itself count like others.
@selftest_final@
@@
 stmmac_test_mmc(...)
 {
 	...
-	struct stmmac_counters final;
 	...
-	memset(&final, 0, sizeof(final));
 	...
 }

@selftest@
expression E;
@@
 stmmac_test_mmc(...)
 {
-	struct stmmac_counters initial;
 	int ret;
+	u64 initial;
-	memset(&initial, 0, sizeof(initial));
 	if (!priv->dma_cap.rmon)
 		return -EOPNOTSUPP;
-	stmmac_mmc_read(priv, priv->mmcaddr, &priv->mmc);
-	ret = stmmac_test_mac_loopback(priv);
-	if (ret)
-		return ret;
-	stmmac_mmc_read(priv, priv->mmcaddr, &final);
-	if (E)
+	initial = stmmac_macstats_frames(priv);
+	ret = stmmac_test_mac_loopback(priv);
+	if (ret)
+		return ret;
+	if (stmmac_macstats_frames(priv) == initial)
 		return -EINVAL;
 	return 0;
 }

@priv@
@@
 struct stmmac_priv {
 	...
-	struct stmmac_counters mmc;
+	struct macstats_port *macstats;
 	...
 };

@include depends on priv@
@@
 #include "common.h"
+#include "macstats.h"

@functions@
@@
+int stmmac_macstats_init(struct stmmac_priv *priv);
+u64 stmmac_macstats_frames(struct stmmac_priv *priv);
 int stmmac_mdio_unregister(struct net_device *ndev);
