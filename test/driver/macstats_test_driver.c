// SPDX-License-Identifier: GPL-2.0
/*
 * A driver that passes right and wrong regmaps, or a model of its own, whole or broken, and shares
 * a port between net devices. Its hardware is memory: a read of a word gives the last value that
 * was written, or its reset value. Loading fails with the error of the provider.
 */
#include <linux/etherdevice.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include <macstats/models.h>
#include <macstats/roles.h>

#include "../compat.h"
#include "aliases.h"
#include "broken_model.h"
#include "emulated.h"
#include "own_model.h"

#ifndef HAVE_HRTIMER_SETUP
#define hrtimer_setup(timer, call, clock, mode) \
	(hrtimer_init(timer, clock, mode), (void)((timer)->function = (call)))
#define hrtimer_setup_on_stack(timer, call, clock, mode) \
	(hrtimer_init_on_stack(timer, clock, mode), (void)((timer)->function = (call)))
#endif

#define TEST_WORDS	0xa00
#define TEST_NOWHERE	(~0u)
#define TEST_TIMER_NS	50000
/*
 * Statuses of rc32438, all with FD and LD. Received with ROK: a unicast frame of 64 octets, a
 * multicast frame of 100. Sent: one with EC, one with TOK and two collisions.
 */
#define TEST_UNICAST		0x00400007
#define TEST_MULTICAST		0x00640017
#define TEST_GIVEN_UP		0x00001003
#define TEST_COLLIDED		0x00040043

static char *model_name = "cpsw";
module_param_named(model, model_name, charp, 0444);
MODULE_PARM_DESC(model, "The model (default cpsw, which has regions): one of models.h, or own, namesake or wide of the driver");

static char *broken;
module_param(broken, charp, 0444);
MODULE_PARM_DESC(broken, "The model is the driver's own with this change, see TEST_BREAKS (default: none)");

static char *aliases;
module_param(aliases, charp, 0444);
MODULE_PARM_DESC(aliases, "The aliases of these names in test_aliases (default: none)");

static uint lacks = TEST_NOWHERE;
module_param(lacks, uint, 0444);
MODULE_PARM_DESC(lacks, "The counter that the hardware lacks, by its address (default none)");

static uint indices = TEST_NOWHERE;
module_param(indices, uint, 0444);
MODULE_PARM_DESC(indices, "The queues or priorities that the hardware has (default all of the model)");

static int width = 32;
module_param(width, int, 0444);
MODULE_PARM_DESC(width, "Bits of a value of the regmap (default 32)");

static int stride = 4;
module_param(stride, int, 0444);
MODULE_PARM_DESC(stride, "The stride of the regmap (default 4)");

static uint last;
module_param(last, uint, 0444);
MODULE_PARM_DESC(last, "The last address of the regmap (default 0: not stated)");

static bool again;
module_param(again, bool, 0444);
MODULE_PARM_DESC(again, "The port is registered, ends, and is registered again");

static bool twice;
module_param(twice, bool, 0444);
MODULE_PARM_DESC(twice, "Each net device registers the port, they do not share it");

static bool counting;
module_param(counting, bool, 0444);
MODULE_PARM_DESC(counting, "Each read of a counter finds 2^30 more events; a timer reads a total");

static uint forced_at = TEST_NOWHERE;
module_param(forced_at, uint, 0444);
MODULE_PARM_DESC(forced_at, "The register that reads as `forced` (default none: the port is held)");

static uint forced;
module_param(forced, uint, 0644);
MODULE_PARM_DESC(forced, "The value of the register at `forced_at` (default 0)");

static uint port_index;
module_param_named(index, port_index, uint, 0444);
MODULE_PARM_DESC(index, "The index of the port (default 0)");

static unsigned int interrupts;
module_param(interrupts, uint, 0444);
MODULE_PARM_DESC(interrupts, "So many interrupts count packets of rc32438, see test_count_packets()");

static unsigned int interrupted;
module_param(interrupted, uint, 0444);
MODULE_PARM_DESC(interrupted, "So many interrupts have done so");

static unsigned int rounds;
module_param(rounds, uint, 0444);
MODULE_PARM_DESC(rounds, "So many rounds of packets were counted meanwhile");

static bool alone;
module_param(alone, bool, 0444);
MODULE_PARM_DESC(alone, "The second net device has no port");

static int ends = -1;
module_param(ends, int, 0444);
MODULE_PARM_DESC(ends, "The net device that ends at once (default none)");

/* The registers of a region; a model without regions has one. */
struct test_region {
	unsigned int index;
	u32 words[TEST_WORDS];
};

static const struct macstats_model *model;
static struct macstats_roles roles;	/* of the model */
static struct platform_device *pdev;
static struct test_region regions[MACSTATS_MAX_REGIONS];
static struct regmap *regmap;
static struct net_device *netdevs[2];
static struct macstats_port *ports[2];
static DEFINE_PER_CPU(struct hrtimer, look);
static DEFINE_PER_CPU(u64, seen);
static bool looks;

static u32 *test_word(struct test_region *region, unsigned int reg)
{
	return reg / stride < TEST_WORDS ? &region->words[reg / stride] : NULL;
}

/*
 * All regions in one address space: that of a register there, whose address in the region becomes
 * @within. Return: NULL if no region has it.
 */
static struct test_region *test_region_of(unsigned int reg, unsigned int *within)
{
	int region = macstats_region_at(model, reg);

	if (region < 0)
		return NULL;
	*within = reg - model->regions[region].first;
	return &regions[region];
}

static u32 *test_word_at(unsigned int reg)
{
	unsigned int within;
	struct test_region *region = test_region_of(reg, &within);

	return region ? test_word(region, within) : NULL;
}

static int test_read(struct test_region *region, unsigned int reg, unsigned int *value)
{
	u32 *word = test_word(region, reg);

	if (!word)
		return -ENXIO;
	WARN_ONCE(region == &regions[0] && reg == lacks, "a counter that is not there is read");
	if (counting && region == &regions[0])
		*word += 1 << 30;
	*value = *word;
	return 0;
}

static int test_write(struct test_region *region, unsigned int reg, unsigned int value)
{
	u32 *word = test_word(region, reg);

	if (!word)
		return -ENXIO;
	*word = counting && region == &regions[0] ? *word - value : value;
	return 0;
}

/* The bits of @reg that grant the snapshots that were requested. */
static u32 test_granted(unsigned int reg)
{
	u32 granted = 0;
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_block_roles *block = &roles.blocks[i];
		u32 *request = test_word(&regions[0], block->snapshot_request.offset);

		if (block->snapshot_granted.mask && block->snapshot_granted.offset == reg &&
		    request && (*request & block->snapshot_request.mask))
			granted |= block->snapshot_granted.mask;
	}
	return granted;
}

/* Is this one of the two words of a counter that an access of 64 bits reads? */
static bool test_is_64(unsigned int reg)
{
	unsigned int word;
	int counter = macstats_counter_at(model, reg, &word);

	return model->read64 && counter >= 0 && model->counters[counter].reread;
}

/* Each word of such a counter reads as the address of the other. */
static int test_reg_read64(void *priv, unsigned int reg, u64 *value)
{
	WARN_ONCE(!test_is_64(reg), "register %#x has no 64 bits", reg);
	*value = (u64)reg << 32 | (reg + stride);
	return 0;
}

static int test_bus_read(void *context, unsigned int reg, unsigned int *value)
{
	unsigned int within;
	struct test_region *region = test_region_of(reg, &within);
	int err;

	if (!region)
		return -ENXIO;
	WARN_ONCE(test_is_64(reg), "register %#x of 64 bits is read by halves", reg);
	err = test_read(region, within, value);
	if (err)
		return err;
	*value |= test_granted(reg);
	if (reg == forced_at)
		*value = forced;
	return 0;
}

static int test_bus_write(void *context, unsigned int reg, unsigned int value)
{
	unsigned int within;
	struct test_region *region = test_region_of(reg, &within);

	return region ? test_write(region, within, value) : -ENXIO;
}

static const struct regmap_bus test_bus = {
	.reg_read = test_bus_read,
	.reg_write = test_bus_write,
};

static bool test_is_precious(struct device *dev, unsigned int reg)
{
	return macstats_regmap_precious(model, reg);
}

static struct regmap *test_regmap(void)
{
	const struct regmap_config config = {
		.reg_bits = 32,
		.val_bits = width,
		.reg_stride = stride,
		.max_register = last,
		.precious_reg = test_is_precious,
	};

	return devm_regmap_init(&pdev->dev, &test_bus, NULL, &config);
}

static int test_power_up(void)
{
	unsigned int i;

	for (i = 0; i < model->n_registers; i++) {
		u32 *word = test_word_at(model->registers[i].offset);

		if (!word)
			return -ENXIO;
		*word = model->registers[i].reset;
	}
	regmap = test_regmap();
	return PTR_ERR_OR_ZERO(regmap);
}

/* In a hard interrupt. */
static enum hrtimer_restart test_look(struct hrtimer *timer)
{
	u64 now = macstats_port_total(ports[0], model->counters[0].reg);
	u64 before = __this_cpu_read(seen);

	WARN_ONCE(now < before, "the total went back from %llu to %llu", before, now);
	__this_cpu_write(seen, now);
	hrtimer_forward_now(timer, ns_to_ktime(TEST_TIMER_NS));
	return HRTIMER_RESTART;
}

static void test_look_on_this_cpu(void *context)
{
	struct hrtimer *timer = this_cpu_ptr(&look);

	hrtimer_setup(timer, test_look, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(timer, ns_to_ktime(TEST_TIMER_NS), HRTIMER_MODE_REL_PINNED_HARD);
}

static void test_look_begin(void)
{
	on_each_cpu(test_look_on_this_cpu, NULL, 1);
	looks = true;
}

static void test_transmitted(u32 status, u32 octets, u8 attempts)
{
	const struct macstats_packet packet = {
		.first = status,
		.last = status,
		.octets = octets,
		.attempts = attempts,
	};

	macstats_port_transmitted(ports[0], &packet, 1);
}

/* In a hard interrupt, as the poll of a network console cleans a transmit ring. */
static enum hrtimer_restart test_interrupt(struct hrtimer *timer)
{
	test_transmitted(TEST_COLLIDED, 96, 16);
	macstats_port_received(ports[0], TEST_MULTICAST, 1);
	WRITE_ONCE(interrupted, interrupted + 1);
	hrtimer_forward_now(timer, ns_to_ktime(TEST_TIMER_NS));
	return HRTIMER_RESTART;
}

/*
 * Count packets until so many interrupts have counted others. A round: one is received, two are
 * given up, which differ in their attempts only, 16 and 4.
 */
static void test_count_packets(void)
{
	struct hrtimer timer;

	hrtimer_setup_on_stack(&timer, test_interrupt, CLOCK_MONOTONIC,
			       HRTIMER_MODE_REL_PINNED_HARD);
	migrate_disable();
	hrtimer_start(&timer, ns_to_ktime(TEST_TIMER_NS), HRTIMER_MODE_REL_PINNED_HARD);
	for (; READ_ONCE(interrupted) < interrupts; rounds++) {
		macstats_port_received(ports[0], TEST_UNICAST, 1);
		test_transmitted(TEST_GIVEN_UP, 60, 16);
		test_transmitted(TEST_GIVEN_UP, 60, 4);
		cond_resched();
	}
	migrate_enable();
	hrtimer_cancel(&timer);
	destroy_hrtimer_on_stack(&timer);
}

static bool test_has_counter(void *priv, const struct macstats_counter *counter)
{
	return counter->offset != lacks && counter->index < indices;
}

static const struct macstats_port_ops test_ops = {
	.reg_read64 = test_reg_read64,
};

static int test_register(void)
{
	const struct macstats_emulated emulated = {
		.held = !counting && !interrupts && forced_at == TEST_NOWHERE,
	};
	struct macstats_port_config config = {
		.netdev = netdevs[0],
		.regmap = regmap,
		.model = broken ? test_break(broken) : model,
		.has_counter = test_has_counter,
		.index = port_index,
		.ops = &test_ops,
		.flags = alone ? 0 : MACSTATS_PORT_SHARED,
		.line_rate_bps = counting ? MACSTATS_NO_LINE_RATE : 0,
	};

	if (aliases && !test_pass_aliases(&config, aliases))
		return -ENOENT;
	ports[0] = macstats_port_register_emulated(&config, &emulated);
	if (again && !IS_ERR(ports[0])) {
		macstats_port_unregister(ports[0]);
		ports[0] = macstats_port_register_emulated(&config, &emulated);
	}
	if (IS_ERR(ports[0]))
		return PTR_ERR(ports[0]);
	if (alone)
		return 0;
	config.netdev = netdevs[1];
	ports[1] = twice ? macstats_port_register_emulated(&config, &emulated) :
			   macstats_port_share(ports[0], netdevs[1]);
	return PTR_ERR_OR_ZERO(ports[1]);
}

static const struct macstats_model *test_model(void)
{
	if (broken || !strcmp(model_name, "own"))
		return &own_model;
	if (!strcmp(model_name, "namesake"))
		return &namesake_model;
	if (!strcmp(model_name, "wide"))
		return &wide_model;
	return macstats_listed_model(model_name);
}

static void test_end(unsigned int i)
{
	if (netdevs[i] && netdevs[i]->reg_state == NETREG_REGISTERED)
		unregister_netdev(netdevs[i]);
	if (!IS_ERR_OR_NULL(ports[i]))
		macstats_port_unregister(ports[i]);
	if (netdevs[i])
		free_netdev(netdevs[i]);
	ports[i] = NULL;
	netdevs[i] = NULL;
}

static void test_end_all(void)
{
	unsigned int i;
	int cpu;

	if (looks)
		for_each_online_cpu(cpu) {
			hrtimer_cancel(per_cpu_ptr(&look, cpu));
			WARN_ONCE(!per_cpu(seen, cpu), "no total was seen on CPU %d", cpu);
		}
	for (i = 0; i < ARRAY_SIZE(ports); i++)
		test_end(i);
	platform_device_unregister(pdev);
}

static netdev_tx_t test_start_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	kfree_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops test_netdev_ops = {
	.ndo_start_xmit = test_start_xmit,
};

static void test_get_drvinfo(struct net_device *netdev, struct ethtool_drvinfo *info)
{
	strscpy(info->driver, "macstats_test_driver", sizeof(info->driver));
}

static const struct ethtool_ops test_ethtool_ops = {
	MACSTATS_ETHTOOL_GROUPS,
	MACSTATS_ETHTOOL_STRINGS,
	MACSTATS_ETHTOOL_REGS,
	.get_drvinfo = test_get_drvinfo,
};

static int test_start(void)
{
	unsigned int i;
	int err;

	err = test_power_up();
	if (err)
		return err;
	for (i = 0; i < ARRAY_SIZE(netdevs); i++) {
		netdevs[i] = alloc_etherdev(0);
		if (!netdevs[i])
			return -ENOMEM;
		netdevs[i]->netdev_ops = &test_netdev_ops;
		netdevs[i]->ethtool_ops = &test_ethtool_ops;
		eth_hw_addr_random(netdevs[i]);
	}
	err = test_register();
	for (i = 0; !err && i < ARRAY_SIZE(netdevs); i++)
		err = register_netdev(netdevs[i]);
	if (!err && counting)
		test_look_begin();
	if (!err && interrupts)
		test_count_packets();
	if (err || ends < 0)
		return err;
	/* The other one must still be read. */
	test_end(ends);
	return macstats_port_refresh(ports[!ends]);
}

static int __init test_init(void)
{
	int err;

	model = test_model();
	if (!model || ends > 1)
		return -ENOENT;
	roles = macstats_find_roles(model);
	if ((counting && ends >= 0) || (interrupts && strcmp(model_name, "rc32438")))
		return -EINVAL;
	pdev = platform_device_register_simple("macstats_test_driver", -1, NULL, 0);
	if (IS_ERR(pdev))
		return PTR_ERR(pdev);
	err = test_start();
	if (err)
		test_end_all();
	return err;
}

static void __exit test_exit(void)
{
	test_end_all();
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("Registers ports in right and wrong ways, for tests");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MACSTATS_NAMESPACE);
