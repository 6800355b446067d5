// SPDX-License-Identifier: GPL-2.0
/* Registers as a driver sees them: rules, the PHY, interrupts, and what the driver did. */
#include <linux/irq.h>
#include <linux/mii.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "bench.h"

/* Capable of 10 to 1000 Mb/s, as is the other end; autonegotiation is complete. */
static const struct bench_phy_register bench_phy[] = {
	{ MII_BMCR, BMCR_ANENABLE | BMCR_FULLDPLX | BMCR_SPEED1000 },
	{ MII_BMSR, 0x796d },
	{ MII_ADVERTISE, 0x05e1 },
	{ MII_LPA, 0xcde1 },
	{ MII_CTRL1000, 0x0300 },
	{ MII_STAT1000, 0x3c00 },
	{ MII_ESTATUS, 0x3000 },
};

static const struct bench_rule *bench_rule_at(const struct bench *bench, u32 offset)
{
	const struct bench_personality *personality = bench->personality;
	unsigned int i;

	for (i = 0; i < personality->n_rules; i++) {
		const struct bench_rule *rule = &personality->rules[i];

		if (offset >= rule->offset && offset <= max(rule->offset, rule->last))
			return rule;
	}
	return NULL;
}

static u32 bench_field(u32 value, u8 lsb)
{
	return value >> lsb & 0x1f;
}

/* The driver has written @command of its MDIO. */
static void bench_mdio_write(struct bench *bench, u32 command)
{
	const struct bench_mdio *mdio = bench->personality->mdio;
	u32 *data = bench_word(bench, mdio->data ? : mdio->command);
	u32 *word = bench_word(bench, mdio->command);
	u32 numbers = mdio->address ? *bench_word(bench, mdio->address) : command;
	u32 reg = bench_field(numbers, mdio->reg_lsb);
	bool there = !mdio->phy_lsb ||
		     bench_field(numbers, mdio->phy_lsb) == bench->personality->phy_address;

	if (mdio->start && !(command & mdio->start))
		return;
	if ((command & mdio->op) == mdio->read) {
		*data &= ~0xffff;
		*data |= there ? bench->phy[reg] : 0xffff;
	} else if (there && reg != MII_BMSR && reg != MII_PHYSID1 && reg != MII_PHYSID2) {
		bench->phy[reg] = *data;
		bench->phy[MII_BMCR] &= ~(BMCR_RESET | BMCR_ANRESTART);
	}
	*word = ((*word & ~mdio->done) | mdio->ready) ^ mdio->flips;
}

static void bench_note(struct bench *bench, u32 offset, int size, u32 value, bool write)
{
	bench->trace[bench->accesses++ % BENCH_TRACE] = (struct bench_access) {
		.offset = offset, .value = value, .size = size, .write = write,
	};
}

/**
 * bench_emulated() - read a register of the emulated port
 * @bench: the bench
 * @offset: its address
 * @described: the bits that the port drives; 0 without a port
 *
 * Context: any.
 * Return: these bits.
 */
u32 bench_emulated(struct bench *bench, u32 offset, u32 *described)
{
	*described = 0;
	if (!bench->user.port)
		return 0;
	return macstats_emu_bus_read(bench->user.port, offset, described);
}

/* Read the word at @offset, with its side effects. Caller holds the lock. */
static u32 bench_read_word(struct bench *bench, u32 offset)
{
	const struct bench_rule *rule = bench_rule_at(bench, offset);
	u32 *word = bench_word(bench, offset);
	u16 *asked = &bench->asked[offset / 4];
	u32 described;
	u32 value;

	value = bench_emulated(bench, offset, &described);
	/* A test may write it meanwhile, on another processor. */
	value |= (rule && rule->rclr ? xchg(word, 0) : *word) & ~described;
	if (rule)
		value |= rule->ones;
	if (bench->personality->read)
		value = bench->personality->read(bench, offset, value);
	if (!rule && !described && *asked < BENCH_KNOWN - 1)
		++*asked;
	return value;
}

/* Write the bits of @mask of the word at @offset. Caller holds the lock. */
static void bench_write_word(struct bench *bench, u32 offset, u32 mask, u32 value)
{
	const struct bench_rule *rule = bench_rule_at(bench, offset);
	const struct bench_mdio *mdio = bench->personality->mdio;
	u32 *word = bench_word(bench, offset);
	u32 old = *word;

	value &= mask;
	bench->asked[offset / 4] = BENCH_KNOWN;
	*word = (old & ~mask) | value;
	if (rule) {
		*word &= ~rule->done;
		*word = (*word & ~rule->w1c) | (old & rule->w1c & ~value);
		if (bench->user.port && (value & rule->restarts))
			macstats_emu_bus_reset(bench->user.port);
	}
	if (bench->user.port)
		macstats_emu_bus_write(bench->user.port, offset, (old & ~mask) | value);
	if (mdio && offset == mdio->command)
		bench_mdio_write(bench, value);
	if (bench->personality->write)
		bench->personality->write(bench, offset, value);
}

/**
 * bench_access_read() - the driver reads a register
 * @bench: the bench
 * @offset: its address
 * @size: 1, 2, 4 or 8 octets; of 8, the low word is read first
 *
 * Context: any.
 * Return: what it reads.
 */
unsigned long bench_access_read(struct bench *bench, u32 offset, int size)
{
	unsigned long value = 0;
	unsigned long flags;

	if (offset + size > bench->personality->size)
		return ULONG_MAX;
	spin_lock_irqsave(&bench->lock, flags);
	value = bench_read_word(bench, offset & ~3) >> 8 * (offset & 3);
	if (size == 8)
		value |= (u64)bench_read_word(bench, offset + 4) << 32;
	else
		value &= GENMASK(8 * size - 1, 0);
	bench_note(bench, offset, size, value, false);
	spin_unlock_irqrestore(&bench->lock, flags);
	return value;
}

/**
 * bench_access_write() - the driver writes a register
 * @bench: the bench
 * @offset: its address
 * @size: 1, 2, 4 or 8 octets; of 8, the low word is written first
 * @value: what it writes
 *
 * Context: any.
 */
void bench_access_write(struct bench *bench, u32 offset, int size, unsigned long value)
{
	unsigned int shift = 8 * (offset & 3);
	unsigned long flags;

	if (offset + size > bench->personality->size)
		return;
	spin_lock_irqsave(&bench->lock, flags);
	bench_note(bench, offset, size, value, true);
	bench_write_word(bench, offset & ~3, GENMASK(min(8 * size, 32) - 1, 0) << shift,
			 value << shift);
	if (size == 8)
		bench_write_word(bench, offset + 4, U32_MAX, value >> 32);
	spin_unlock_irqrestore(&bench->lock, flags);
}

/**
 * bench_fire() - interrupt the driver, soon
 * @bench: the bench
 * @number: of the vector, or of the interrupt of a platform device
 *
 * Context: any.
 */
void bench_fire(struct bench *bench, unsigned int number)
{
	set_bit(number, &bench->pending);
	irq_work_queue(&bench->irq_work);
}

static void bench_irq_work_fn(struct irq_work *work)
{
	struct bench *bench = container_of(work, struct bench, irq_work);
	unsigned int number;
	int irq;

	for_each_set_bit(number, &bench->pending, BENCH_MAX_VECTORS) {
		irq = bench->pdev ? bench->irqs[number] : bench_pci_irq(bench, number);
		if (irq < 0)	/* masked: it waits */
			continue;
		clear_bit(number, &bench->pending);
		generic_handle_irq_safe(irq);
	}
}

static void bench_phy_init(struct bench *bench)
{
	const struct bench_personality *personality = bench->personality;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bench_phy); i++)
		bench->phy[bench_phy[i].number] = bench_phy[i].value;
	bench->phy[MII_PHYSID1] = personality->phy_id >> 16;
	bench->phy[MII_PHYSID2] = personality->phy_id;
	for (i = 0; i < personality->n_phy; i++)
		bench->phy[personality->phy[i].number] = personality->phy[i].value;
}

/**
 * bench_init() - make the registers
 * @bench: the bench, zeroed
 * @personality: what it is
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int bench_init(struct bench *bench, const struct bench_personality *personality)
{
	unsigned int i;
	u32 offset;

	bench->personality = personality;
	spin_lock_init(&bench->lock);
	init_irq_work(&bench->irq_work, bench_irq_work_fn);
	bench->words = vzalloc(personality->size);
	bench->asked = vcalloc(personality->size / 4, sizeof(*bench->asked));
	if (!bench->words || !bench->asked) {
		bench_exit(bench);
		return -ENOMEM;
	}
	for (i = 0; i < personality->n_rules; i++) {
		const struct bench_rule *rule = &personality->rules[i];

		for (offset = rule->offset; offset <= max(rule->offset, rule->last); offset += 4)
			*bench_word(bench, offset) = rule->reset;
	}
	bench_phy_init(bench);
	return 0;
}

/**
 * bench_exit() - free the registers
 * @bench: the bench, which the driver cannot reach any more
 *
 * Context: may sleep.
 */
void bench_exit(struct bench *bench)
{
	irq_work_sync(&bench->irq_work);
	vfree(bench->words);
	vfree(bench->asked);
}
