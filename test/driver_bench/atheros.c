// SPDX-License-Identifier: GPL-2.0
/* alx: an AR8161; atl1c: an AR8131. */
#include "bench.h"

static const struct bench_rule atheros_rules[] = {
	{ 0x1400, .done = BIT(0) },			/* master: reset */
	{ 0x1488, .reset = 0x02030405 },		/* the address */
	{ 0x148c, .reset = 0x00000201 },
	{ 0x15e0, .done = ~0u },			/* a reset clears it */
	{ 0x1600, .w1c = ~0u },				/* interrupt status */
};

static const struct bench_mdio atheros_mdio = {
	.command = 0x1414, .reg_lsb = 16, .op = BIT(21), .read = BIT(21), .start = BIT(23),
	.done = BIT(23) | BIT(27),
};

/* The status of the link: 1000 Mb/s, full duplex, resolved. */
static const struct bench_phy_register atheros_phy[] = { { 17, 0xa800 } };

const struct bench_personality bench_alx = {
	.name = "alx", .model = "alx", .size = 0x40000,
	.vendor = 0x1969, .device = 0x1091,
	BENCH_RULES(atheros_rules), .mdio = &atheros_mdio, BENCH_PHY(atheros_phy),
};

const struct bench_personality bench_atl1c = {
	.name = "atl1c", .model = "alx", .size = 0x40000,
	.vendor = 0x1969, .device = 0x1063,
	BENCH_RULES(atheros_rules), .mdio = &atheros_mdio, BENCH_PHY(atheros_phy),
};
