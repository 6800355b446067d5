// SPDX-License-Identifier: GPL-2.0
/* lan743x: a LAN7430. It opens only if its test interrupt comes. */
#include "bench.h"

#define INT_STS		0x780
#define INT_SET		0x784
#define INT_EN_SET	0x788
#define INT_EN_CLR	0x78c
#define INT_STS_R2C	0x790

static const struct bench_rule lan743x_rules[] = {
	{ 0x0000, .reset = 0x74300011 },			/* ID_REV */
	{ 0x0010, .done = BIT(1) },				/* HW_CFG: reset */
	{ 0x0014, .done = BIT(4), .ones = BIT(7) },		/* PMT_CTL: ready */
	{ 0x0024, .ones = BIT(31) },				/* DP_SEL: ready */
	{ 0x00ac, .done = GENMASK(23, 20) },			/* FCT_RX_CTL: reset */
	{ 0x00c4, .done = GENMASK(23, 20) },			/* FCT_TX_CTL: reset */
	{ 0x0104, .ones = BIT(1) },				/* MAC_RX: disabled */
	{ 0x0108, .ones = BIT(1) },				/* MAC_TX: disabled */
	{ 0x0a00, .done = ~0u },				/* PTP_CMD_CTL */
	{ 0x0c0c, .done = BIT(31) | GENMASK(27, 24) | GENMASK(11, 8) },	/* DMAC_CMD */
};

static const struct bench_mdio lan743x_mdio = {
	.command = 0x0120, .data = 0x0124, .reg_lsb = 6, .phy_lsb = 11, .op = BIT(1),
	.done = BIT(0),
};

static u32 lan743x_read(struct bench *bench, u32 offset, u32 value)
{
	u32 *status = bench_word(bench, INT_STS);

	if (offset == INT_STS_R2C)
		value = *status;
	if (offset == INT_STS || offset == INT_STS_R2C)
		*status = 0;
	return value;
}

static void lan743x_write(struct bench *bench, u32 offset, u32 value)
{
	u32 *enabled = &bench->state[0];

	if (offset == INT_SET) {
		*bench_word(bench, INT_STS) |= value | BIT(0);
		bench_fire(bench, 0);
	} else if (offset == INT_EN_SET || offset == INT_EN_CLR) {
		*enabled = offset == INT_EN_SET ? *enabled | value : *enabled & ~value;
		*bench_word(bench, INT_EN_SET) = *enabled;
	}
}

const struct bench_personality bench_lan743x = {
	.name = "lan743x", .model = "lan743x", .size = 0x2000,
	.vendor = 0x1055, .device = 0x7430,
	BENCH_RULES(lan743x_rules), .mdio = &lan743x_mdio, .phy_address = 1, .phy_id = 0x0007c132,
	.read = lan743x_read, .write = lan743x_write,
};
