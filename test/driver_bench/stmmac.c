// SPDX-License-Identifier: GPL-2.0
/* stmmac with the module dwmac-generic: a GMAC 3.7 without a node of the device tree. */
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

static struct stmmac_dma_cfg stmmac_dma = { .pbl = 8 };
static struct stmmac_mdio_bus_data stmmac_bus;

static const struct plat_stmmacenet_data stmmac_data = {
	.core_type = DWMAC_CORE_GMAC,
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
	return platform_device_add_data(pdev, &stmmac_data, sizeof(stmmac_data));
}

const struct bench_personality bench_stmmac = {
	.name = "stmmac", .model = "dwmac_mmc", .platform = "stmmaceth", .size = 0x2000,
	.regions = { "registers" }, .irqs = { "macirq" },
	BENCH_RULES(stmmac_rules), .mdio = &stmmac_mdio, .phy_address = 1, .phy_id = 0x00221622,
	.prepare = stmmac_prepare,
};
