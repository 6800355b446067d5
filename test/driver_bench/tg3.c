// SPDX-License-Identifier: GPL-2.0
/* tg3: a BCM5705. */
#include "bench.h"

#define WINDOW		0x7c
#define WINDOW_DATA	0x84
#define MISC_HOST_CTRL	0x68
#define BCM5705		0x30010000

static const struct bench_rule tg3_rules[] = {
	{ MISC_HOST_CTRL, .ones = BCM5705 },
	{ 0x044c, .done = BIT(29) },			/* MDIO: busy */
	{ 0x0800, 0x08ff, .rclr = true },		/* counters of the MAC */
	{ 0x224c, 0x2258, .rclr = true },		/* and of what it has discarded */
	{ 0x6804, .done = BIT(0) },			/* reset */
	{ 0x6838, .ones = BIT(30) },			/* EEPROM: complete */
	{ 0x7000, .ones = BIT(3) },			/* NVRAM: done */
	{ 0x7020, .ones = BIT(9) },			/* NVRAM: granted */
};

static const struct bench_mdio tg3_mdio = {
	.command = 0x044c, .reg_lsb = 16, .phy_lsb = 21, .op = GENMASK(27, 26), .read = BIT(27),
	.start = BIT(29), .done = BIT(29),
};

static const struct bench_phy_register tg3_phy[] = { { 0x19, 0x0700 } };

/* The memory behind the window: that the firmware has started, and the address. */
static u32 tg3_read(struct bench *bench, u32 offset, u32 value)
{
	if (offset != WINDOW_DATA)
		return value;
	switch (*bench_word(bench, WINDOW)) {
	case 0x0b50:
		return ~0x4b657654;
	case 0x0c14:
		return 0x484b0200;
	case 0x0c18:
		return 0x03040506;
	default:
		return 0;
	}
}

static int tg3_prepare(struct bench *bench, struct platform_device *pdev)
{
	*(u32 *)&bench->config[MISC_HOST_CTRL] = BCM5705;
	*(u32 *)&bench->writable[MISC_HOST_CTRL] = 0xffff;
	return 0;
}

const struct bench_personality bench_tg3 = {
	.name = "tg3", .size = 0x10000,
	.vendor = 0x14e4, .device = 0x1653,
	BENCH_RULES(tg3_rules), .mdio = &tg3_mdio, .phy_address = 1, .phy_id = 0x002061a0,
	BENCH_PHY(tg3_phy), .read = tg3_read, .prepare = tg3_prepare,
};
