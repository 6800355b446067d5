// SPDX-License-Identifier: GPL-2.0
/* macb: a GEM, as a platform device without a node of the device tree. */
#include "bench.h"

static const struct bench_rule macb_rules[] = {
	{ 0x0000, .done = BIT(5) | BIT(6) },		/* network_control: clear, increment */
	{ 0x0008, .ones = BIT(2) },			/* network_status: MDIO is idle */
	{ 0x0024, .w1c = ~0u },				/* int_status */
	{ 0x0088, .reset = 0x03020102 },		/* the address */
	{ 0x008c, .reset = 0x00000504 },
	{ 0x00fc, .reset = 0x00020118 },		/* revision_reg: a GEM */
	{ 0x0100, 0x01b0, .rclr = true },		/* counters */
};

static const struct bench_mdio macb_mdio = {
	.command = 0x0034, .reg_lsb = 18, .phy_lsb = 23, .op = GENMASK(29, 28), .read = BIT(29),
};

/* The driver's structure has this layout. */
struct macb_platform_data {
	struct clk *pclk;
	struct clk *hclk;
};

static int macb_prepare(struct bench *bench, struct platform_device *pdev)
{
	const struct macb_platform_data data = { bench->clk, bench->clk };

	return platform_device_add_data(pdev, &data, sizeof(data));
}

const struct bench_personality bench_macb = {
	.name = "macb", .model = "gem", .size = 0x1000,
	.regions = { "registers" }, .irqs = { "macb" },
	BENCH_RULES(macb_rules), .mdio = &macb_mdio, .phy_address = 1, .phy_id = 0x00221622,
	.prepare = macb_prepare,
};
