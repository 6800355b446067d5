// SPDX-License-Identifier: GPL-2.0
/*
 * 8139cp: an RTL8139C+; r8169: an RTL8168B. Both dump their counters to memory. Those of the model
 * are from COUNTERS on, where neither has a register.
 */
#include <linux/io.h>

#include "bench.h"

#define DUMP_LOW	0x10
#define DUMP_HIGH	0x14
#define DUMP		BIT(3)
#define COUNTERS	0x100
#define COUNTERS_SIZE	64

/* Once the MAC is done, the counters are in memory. */
static u32 tally_read(struct bench *bench, u32 offset, u32 value)
{
	u32 *dumping = &bench->state[0];
	u32 described;
	u64 address;
	u32 *to;
	u32 i;

	if (offset != DUMP_LOW || !*dumping || (value & DUMP))
		return value;
	*dumping = 0;
	address = (u64)*bench_word(bench, DUMP_HIGH) << 32;
	address |= *bench_word(bench, DUMP_LOW) & ~(COUNTERS_SIZE - 1);
	if (!pfn_valid(PHYS_PFN(address))) {
		pr_warn_once("the driver wants the counters at %#llx, where no memory is\n",
			     address);
		return value;
	}
	to = phys_to_virt(address);
	for (i = COUNTERS; i < COUNTERS + COUNTERS_SIZE; i += 4)
		*to++ = bench_emulated(bench, i, &described) | (*bench_word(bench, i) & ~described);
	return value;
}

static void tally_write(struct bench *bench, u32 offset, u32 value)
{
	if (offset == DUMP_LOW)
		bench->state[0] = value & DUMP;
}

#define TALLY_RULES									\
	{ 0x00, .reset = 0x03020102 },			/* the address */		\
	{ 0x04, .reset = 0x00000504 },							\
	{ DUMP_LOW, .done = DUMP | BIT(0) },						\
	{ 0x34, .done = BIT(28) },			/* command: reset */		\
	{ 0x3c, .w1c = GENMASK(31, 16) }		/* interrupt status */

static const struct bench_rule rtl8139cp_rules[] = {
	TALLY_RULES,
	{ 0x4c, .done = ~0u },				/* missed: cleared by a write */
	{ 0x60, .reset = 0x1000 << 16, .done = 0x8200 << 16 },	/* PHY: BMCR */
	{ 0x64, .reset = 0x05e1796d },			/* BMSR, advertisement */
	{ 0x68, .reset = 0x000045e1 },			/* of the partner */
};

const struct bench_personality bench_8139cp = {
	.name = "8139cp", .model = "rtl_tally", .size = 0x200,
	.vendor = 0x10ec, .device = 0x8139, .revision = 0x20, .bar = 1,
	BENCH_RULES(rtl8139cp_rules), .read = tally_read, .write = tally_write,
};

static const struct bench_rule r8169_rules[] = {
	TALLY_RULES,
	{ 0x40, .ones = 0x38000000 },			/* which chip it is */
};

static const struct bench_mdio r8169_mdio = {
	.command = 0x60, .reg_lsb = 16, .op = BIT(31), .flips = BIT(31),
};

const struct bench_personality bench_r8169 = {
	.name = "r8169", .model = "rtl_tally", .size = 0x200,
	.vendor = 0x10ec, .device = 0x8168, .bar = 2,
	BENCH_RULES(r8169_rules), .mdio = &r8169_mdio, .phy_id = 0x001cc912,
	.read = tally_read, .write = tally_write,
};
