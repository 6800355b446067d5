// SPDX-License-Identifier: GPL-2.0
/*
 * stmmac with the module dwmac-generic, without a node of the device tree: a GMAC 3.7, a GMAC 5.2
 * and an XGMAC 2.1.
 */
#include <linux/stmmac.h>

#include "bench.h"

static const struct bench_rule stmmac_rules[] = {
	{ 0x0020, .reset = 0x1037 },			/* version: Synopsys' number 3.7 */
	{ 0x0040, .reset = 0x80000504 },		/* the address */
	{ 0x0044, .reset = 0x03020102 },
	{ 0x1000, .done = BIT(0), .restarts = BIT(0) },	/* DMA bus mode: reset */
	{ 0x1018, .done = BIT(20) },			/* DMA operation mode: flush */
	{ 0x1058, .reset = 0x01000807 },		/* features: enhanced descriptors, MMC */
};

static const struct bench_mdio stmmac_mdio = {
	.command = 0x0010, .data = 0x0014, .reg_lsb = 6, .phy_lsb = 11, .op = BIT(1),
	.start = BIT(0), .done = BIT(0),
};

static const struct bench_rule stmmac4_rules[] = {
	{ 0x0110, .reset = 0x1052 },			/* version: Synopsys' number 5.2 */
	{ 0x011c, .reset = 0x0102 },			/* features: 1 Gb/s, MMC */
	{ 0x0120, .reset = 0x0145 },			/* FIFOs of 4 KiB */
	{ 0x0300, .reset = 0x80000504 },		/* the address */
	{ 0x0304, .reset = 0x03020102 },
	{ 0x1000, .done = BIT(0), .restarts = BIT(0) },	/* DMA mode: reset */
};

static const struct bench_mdio stmmac4_mdio = {
	.command = 0x0200, .data = 0x0204, .reg_lsb = 16, .phy_lsb = 21, .op = GENMASK(3, 2),
	.read = GENMASK(3, 2), .start = BIT(0), .done = BIT(0),
};

static const struct bench_rule stmmac_xgmac_rules[] = {
	{ 0x0110, .reset = 0x7621 },			/* version: an XGMAC 2.1 */
	{ 0x011c, .reset = 0x0102 },			/* features: 1 Gb/s, MMC */
	{ 0x0120, .reset = 0x0145 },			/* FIFOs of 4 KiB */
	{ 0x0300, .reset = 0x80000504 },		/* the address */
	{ 0x0304, .reset = 0x03020102 },
	{ 0x3000, .done = BIT(0), .restarts = BIT(0) },	/* DMA mode: reset */
};

static const struct bench_mdio stmmac_xgmac_mdio = {
	.command = 0x0204, .address = 0x0200, .phy_lsb = 16, .op = GENMASK(17, 16),
	.read = GENMASK(17, 16), .start = BIT(22), .done = BIT(22),
};

static struct stmmac_dma_cfg stmmac_dma = { .pbl = 8 };
static struct stmmac_mdio_bus_data stmmac_bus;

static struct plat_stmmacenet_data stmmac_data = {
	.phy_addr = -1,
	.phy_interface = PHY_INTERFACE_MODE_RGMII,
	.mdio_bus_data = &stmmac_bus,
	.dma_cfg = &stmmac_dma,
	.maxmtu = ETH_DATA_LEN,
	.rx_queues_to_use = 1,
	.tx_queues_to_use = 1,
};

static int stmmac_prepare(struct bench *bench, struct platform_device *pdev)
{
	stmmac_data.core_type = bench->personality == &bench_stmmac4 ? DWMAC_CORE_GMAC4 :
				bench->personality == &bench_stmmac_xgmac ? DWMAC_CORE_XGMAC :
									    DWMAC_CORE_GMAC;
	return platform_device_add_data(pdev, &stmmac_data, sizeof(stmmac_data));
}

const struct bench_personality bench_stmmac = {
	.name = "stmmac", .model = "dwmac_mmc", .platform = "stmmaceth", .size = 0x2000,
	.regions = { "registers" }, .irqs = { "macirq" },
	BENCH_RULES(stmmac_rules), .mdio = &stmmac_mdio, .phy_address = 1, .phy_id = 0x00221622,
	.prepare = stmmac_prepare,
};

const struct bench_personality bench_stmmac4 = {
	.name = "stmmac4", .model = "dwmac4_mmc", .platform = "stmmaceth", .size = 0x2000,
	.regions = { "registers" }, .irqs = { "macirq" },
	BENCH_RULES(stmmac4_rules), .mdio = &stmmac4_mdio, .phy_address = 1, .phy_id = 0x00221622,
	.prepare = stmmac_prepare,
};

const struct bench_personality bench_stmmac_xgmac = {
	.name = "stmmac_xgmac", .model = "dwxgmac_mmc", .platform = "stmmaceth", .size = 0x4000,
	.regions = { "registers" }, .irqs = { "macirq" },
	BENCH_RULES(stmmac_xgmac_rules), .mdio = &stmmac_xgmac_mdio, .phy_address = 1,
	.phy_id = 0x00221622, .prepare = stmmac_prepare,
};
