// SPDX-License-Identifier: GPL-2.0
/* e1000e: an 82574; igb: an I210 without flash; igc: an I225-V without flash. */
#include "bench.h"

#define EERD	0x0014
#define ICR	0x00c0
#define ICS	0x00c8

#define INTEL_RULES									\
	{ 0x0000, .done = BIT(26) | BIT(29) | BIT(31), .restarts = BIT(26) | BIT(29) }, /* CTRL */ \
	{ 0x0008, .ones = 0x83 },			/* STATUS: full, up, 1000 Mb/s */ \
	{ 0x5400, .reset = 0x03020102 },		/* RAL, RAH */			\
	{ 0x5404, .reset = 0x80000504 }

static const struct bench_mdio intel_mdio = {
	.command = 0x0020, .reg_lsb = 16, .op = GENMASK(27, 26), .read = BIT(27),
	.ready = BIT(28),
};

/* Words of the NVM: the address, and what makes the sum of 64 of them 0xbaba. */
static u16 intel_nvm(u32 number)
{
	static const u16 address[] = { 0x0202, 0x0203, 0x0504 };
	u16 sum = 0xbaba;
	unsigned int i;

	if (number < ARRAY_SIZE(address))
		return address[number];
	for (i = 0; i < ARRAY_SIZE(address); i++)
		sum -= address[i];
	return number == 63 ? sum : 0;
}

static u32 e1000e_read(struct bench *bench, u32 offset, u32 value)
{
	if (offset == ICR)
		*bench_word(bench, ICR) = 0;
	return value;
}

static void e1000e_write(struct bench *bench, u32 offset, u32 value)
{
	if (offset == EERD)
		*bench_word(bench, EERD) |= intel_nvm(value >> 2 & 0x3fff) << 16 | BIT(1);
	if (offset != ICS)
		return;
	*bench_word(bench, ICR) |= value | BIT(31);
	bench_fire(bench, 0);
}

static const struct bench_rule e1000e_rules[] = {
	INTEL_RULES,
	{ 0x0010, .ones = 0x300 },			/* EECD: present, done */
	{ ICR },
};

const struct bench_personality bench_e1000e = {
	.name = "e1000e", .model = "e1000e", .size = 0x20000,
	.vendor = 0x8086, .device = 0x10d3,
	BENCH_RULES(e1000e_rules), .mdio = &intel_mdio, .phy_id = 0x01410cb1,
	.read = e1000e_read, .write = e1000e_write,
};

static const struct bench_rule igb_rules[] = {
	INTEL_RULES,
	{ 0x0010, .ones = 0x200 },			/* EECD: done, no flash */
	{ 0x1010, .ones = BIT(18) },			/* EEMNGCTL: done */
	{ 0x12030, .ones = BIT(18) },			/* EEMNGCTL of an I210 */
};

const struct bench_personality bench_igb = {
	.name = "igb", .model = "e1000e", .size = 0x20000,
	.vendor = 0x8086, .device = 0x157b,
	BENCH_RULES(igb_rules), .mdio = &intel_mdio, .phy_id = 0x01410c00,
};

static const struct bench_rule igc_rules[] = {
	INTEL_RULES,
	{ 0x0010, .ones = 0x200 },			/* EECD: done, no flash */
	{ 0x0e14, .ones = BIT(8) },			/* PHPM: the PHY has restarted */
};

const struct bench_personality bench_igc = {
	.name = "igc", .model = "e1000e", .size = 0x100000,
	.vendor = 0x8086, .device = 0x15f2,
	BENCH_RULES(igc_rules), .mdio = &intel_mdio, .phy_id = 0x67c9dc00,
};
