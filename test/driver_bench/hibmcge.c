// SPDX-License-Identifier: GPL-2.0
/* hibmcge: the Ethernet controller of a BMC. */
#include "bench.h"

#define MDIO_COMMAND	0x8000
#define MDIO_START	BIT(14)
#define MDIO_OP		GENMASK(11, 10)
#define MDIO_READ	BIT(11)
#define MDIO_WDATA	0x8008
#define MDIO_RDATA	0x800c

static const struct bench_rule hibmcge_rules[] = {
	{ 0x0000, .reset = 1 },				/* what follows is valid */
	{ 0x0004, .done = ~0u },			/* event: done */
	{ 0x000c, .reset = 1 },				/* address of the PHY */
	{ 0x0010, .reset = 0x03040506 },		/* the address */
	{ 0x0014, .reset = 0x0202 },
	{ 0x0018, .reset = 4 },				/* addresses that it filters */
	{ 0x0028, .reset = 4000 },			/* MTU: most and least */
	{ 0x002c, .reset = 68 },
	{ 0x0030, .reset = 64 },			/* frames in the FIFOs */
	{ 0x0034, .reset = 64 },
	{ MDIO_COMMAND, .done = MDIO_START },
	{ 0x10058, .ones = BIT(15) },			/* the link is up */
	{ 0x10080, 0x100ec, .rclr = true },		/* counters */
	{ 0x10100, 0x1015c, .rclr = true },
	{ 0x101ec, 0x101f8, .rclr = true },
};

static void hibmcge_write(struct bench *bench, u32 offset, u32 value)
{
	u16 *phy = &bench->phy[value & 0x1f];

	if (offset != MDIO_COMMAND || !(value & MDIO_START))
		return;
	if ((value & MDIO_OP) == MDIO_READ)
		*bench_word(bench, MDIO_RDATA) = *phy;
	else if (value & 0x1f)
		*phy = *bench_word(bench, MDIO_WDATA);
}

const struct bench_personality bench_hibmcge = {
	.name = "hibmcge", .size = 0x40000,
	.vendor = 0x19e5, .device = 0x3730, .vectors = 4,
	BENCH_RULES(hibmcge_rules), .phy_id = 0x001cc916, .write = hibmcge_write,
};
