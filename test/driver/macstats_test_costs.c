// SPDX-License-Identifier: GPL-2.0
/*
 * The peers of ./dev bench in the kernel. The net device ram0 is a port whose registers are
 * memory. bare0 makes the bus accesses of one poll of ram0 again, in a bare loop, and loop0 makes
 * those of an emulated port, each for ETHTOOL_GSTATS. An accumulator of this module records them,
 * so that blocks of adjacent words are those of a port. The generic netlink family macstats_costs
 * dumps messages of attributes that nla_put() copies.
 */
#include <linux/etherdevice.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <net/genetlink.h>

#include <macstats/poll.h>
#include <macstats/models.h>

#include "emu.h"

#define COSTS_WORDS	BIT(16)
#define COSTS_ACCESSES	1024
#define COSTS_CALLS	1000
#define COSTS_ATTRIBUTES	32

static char *model_name = "ll40g";
module_param_named(model, model_name, charp, 0444);
MODULE_PARM_DESC(model, "The model of ram0");

static char *emulated;
module_param(emulated, charp, 0444);
MODULE_PARM_DESC(emulated, "A platform device of this model, for loop0 (default: none)");

static uint cells;
module_param(cells, uint, 0444);
MODULE_PARM_DESC(cells, "Octets of the cells of a port for one CPU");

static uint messages;
module_param(messages, uint, 0644);
MODULE_PARM_DESC(messages, "Number of messages in a dump");

static uint sizes[COSTS_ATTRIBUTES];
static uint n_sizes;
module_param_array(sizes, uint, &n_sizes, 0644);
MODULE_PARM_DESC(sizes, "Octets of each attribute of a message");

/* The accesses of a poll to registers. */
enum costs_kind {
	COSTS_READ,
	COSTS_READ_BLOCK,	/* in one access */
	COSTS_READ64,		/* both words of a counter in one access */
	COSTS_UPDATE,
};

/* @words: adjacent ones. @value: of an update, for the bits of @mask. */
struct costs_access {
	enum costs_kind kind;
	u32 address;
	u32 words;
	u32 mask;
	u32 value;
};

/* The accesses of a poll, in their order. @words: those that they read and update. */
struct costs_plan {
	struct costs_access accesses[COSTS_ACCESSES];
	unsigned int n;
	unsigned int words;
};

/* The place of an access in a regmap. */
struct costs_step {
	struct regmap *regmap;
	u32 reg;
};

/* A net device without a port. @emu: the emulated port whose registers it reads, or NULL: ram. */
struct costs_loop {
	const struct costs_plan *plan;
	struct macstats_emu_port *emu;
	struct costs_step steps[COSTS_ACCESSES];
	u64 words[MACSTATS_READ_WORDS];
};

static const struct macstats_model *model;
static struct macstats_roles roles;	/* of the model */
static struct platform_device *pdev;
static struct regmap *ram;
static u32 *words;
static unsigned int accessed;		/* words of ram */
static struct costs_plan by_regmap;	/* as ram0 reads, which has a regmap only */
static struct costs_plan in_blocks;	/* as a port reads whose driver reads blocks */
static struct macstats_port *port;
static struct net_device *netdevs[3];	/* ram0, bare0, loop0 */

/* A snapshot is granted, and a command done, as soon as it is requested. */
static void costs_store(unsigned int reg, unsigned int value)
{
	unsigned int i;

	words[reg % COSTS_WORDS] = value;
	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_bit *granted = &roles.blocks[i].snapshot_granted;
		const struct macstats_bit *request = &roles.blocks[i].snapshot_request;
		const struct macstats_bit *start = &roles.blocks[i].window_start;
		const struct macstats_bit *dump = &roles.blocks[i].dump;

		if (start->mask && start->offset == reg)
			words[reg % COSTS_WORDS] &= ~start->mask;
		if (dump->mask && dump->offset == reg)
			words[reg % COSTS_WORDS] &= ~dump->mask;
		if (!granted->mask || request->offset != reg)
			continue;
		if (value & request->mask)
			words[granted->offset % COSTS_WORDS] |= granted->mask;
		else
			words[granted->offset % COSTS_WORDS] &= ~granted->mask;
	}
}

static int costs_read(void *context, unsigned int reg, unsigned int *value)
{
	*value = words[reg % COSTS_WORDS];
	accessed++;
	return 0;
}

static int costs_write(void *context, unsigned int reg, unsigned int value)
{
	costs_store(reg, value);
	accessed++;
	return 0;
}

static int costs_update(void *context, unsigned int reg, unsigned int mask, unsigned int value)
{
	costs_store(reg, (words[reg % COSTS_WORDS] & ~mask) | (value & mask));
	accessed++;
	return 0;
}

/* As a regmap for memory-mapped registers: its lock is a spinlock. */
static const struct regmap_bus costs_bus = {
	.fast_io = true,
	.reg_read = costs_read,
	.reg_write = costs_write,
	.reg_update_bits = costs_update,
};

static int costs_power_up(void)
{
	const struct regmap_config config = {
		.reg_bits = 32,
		.val_bits = model->bus_bits,
		.reg_stride = macstats_word_step(model),
	};
	unsigned int i;

	for (i = 0; i < model->n_registers; i++)
		costs_store(model->registers[i].offset, model->registers[i].reset);
	if (roles.gate.mask)
		words[roles.gate.offset % COSTS_WORDS] |= roles.gate.mask;
	ram = devm_regmap_init(&pdev->dev, &costs_bus, NULL, &config);
	return PTR_ERR_OR_ZERO(ram);
}

static void costs_record(struct costs_plan *plan, const struct costs_access *access)
{
	if (plan->n < COSTS_ACCESSES)
		plan->accesses[plan->n++] = *access;
	plan->words += access->words;
}

static int costs_plan_read(void *context, __u32 address, __u64 *value)
{
	const struct costs_access access = { COSTS_READ, address, 1 };

	costs_record(context, &access);
	*value = words[address % COSTS_WORDS];
	return 0;
}

/* Words that a read changes, the provider reads from a regmap one by one. */
static int costs_plan_read_block(void *context, __u32 address, __u64 *values, unsigned int n,
				 bool changes, unsigned int *done)
{
	const struct costs_plan *plan = context;
	const struct costs_access access = {
		plan == &in_blocks ? COSTS_READ_BLOCK : COSTS_READ, address, n
	};
	bool each = plan != &in_blocks && changes;

	if (!each)
		costs_record(context, &access);
	for (; *done < n; ++*done) {
		if (each)
			costs_plan_read(context, address, &values[*done]);
		else
			values[*done] = words[address % COSTS_WORDS];
		address += macstats_word_step(model);
	}
	return 0;
}

static int costs_plan_read64(void *context, __u32 address, __u64 *value)
{
	const struct costs_access access = { COSTS_READ64, address, 2 };

	costs_record(context, &access);
	*value = words[address % COSTS_WORDS] |
		 (u64)words[(address + macstats_word_step(model)) % COSTS_WORDS] << 32;
	return 0;
}

static int costs_plan_update(void *context, __u32 address, __u32 mask, __u32 value)
{
	const struct costs_access access = { COSTS_UPDATE, address, 1, mask, value };

	costs_record(context, &access);
	return costs_update(NULL, address, mask, value);
}

/* Record a poll for a reader, which finds the counters as the one before has left them. */
static int costs_make_plan(struct costs_plan *plan)
{
	struct macstats_accumulator *acc;
	unsigned int events = 0;
	int err;

	acc = kvzalloc(macstats_accumulator_size(model), GFP_KERNEL);
	if (!acc)
		return -ENOMEM;
	acc->model = model;
	acc->bus.context = plan;
	acc->bus.read = costs_plan_read;
	/* A regmap has no such access. */
	acc->bus.read64 = plan == &in_blocks && IS_ENABLED(CONFIG_64BIT) ? costs_plan_read64 :
									     NULL;
	acc->bus.update = costs_plan_update;
	acc->bus.read_block = costs_plan_read_block;
	err = macstats_start(acc, ktime_get_boottime_ns());
	plan->n = 0;
	plan->words = 0;
	err = err ?: macstats_poll(acc, ktime_get_boottime_ns(), &events);
	kvfree(acc);
	return err ?: plan->n < COSTS_ACCESSES ? 0 : -E2BIG;
}

/* As the emulated port reads blocks while it has no faults. */
static int costs_read_block(struct macstats_emu_port *emu, u32 reg, u64 *values, unsigned int n)
{
	unsigned int done;
	unsigned long flags;
	int err;

	spin_lock_irqsave(&emu->lock, flags);
	err = macstats_emulator_read_block(emu->emu, &emu->cell_set, reg, values, n, &done);
	spin_unlock_irqrestore(&emu->lock, flags);
	return err;
}

static int costs_read64(struct macstats_emu_port *emu, u32 reg, u64 *value)
{
	unsigned long flags;
	int err;

	spin_lock_irqsave(&emu->lock, flags);
	err = macstats_emulator_read64(emu->emu, &emu->cell_set, reg, value);
	spin_unlock_irqrestore(&emu->lock, flags);
	return err;
}

static int costs_run_read(const struct costs_access *access, const struct costs_step *step,
			  u64 *values)
{
	unsigned int value;
	int err;

	if (access->words > 1)
		return regmap_bulk_read(step->regmap, step->reg, values, access->words);
	err = regmap_read(step->regmap, step->reg, &value);
	*values = value;
	return err;
}

/* Make the accesses of a poll again. @data becomes the words that were read last. */
static int costs_run(struct costs_loop *loop, u64 *data)
{
	const struct costs_access *access = loop->plan->accesses;
	const struct costs_step *step = loop->steps;
	unsigned int n = loop->plan->n;
	int err = 0;

	for (; !err && n--; access++, step++) {
		switch (access->kind) {
		case COSTS_READ:
			err = costs_run_read(access, step, loop->words);
			break;
		case COSTS_READ_BLOCK:
			err = costs_read_block(loop->emu, access->address, loop->words,
					       access->words);
			break;
		case COSTS_READ64:
			err = costs_read64(loop->emu, access->address, loop->words);
			break;
		case COSTS_UPDATE:
			err = regmap_update_bits(step->regmap, step->reg, access->mask,
						 access->value);
			break;
		}
	}
	memcpy(data, loop->words, min_t(size_t, sizeof(loop->words),
					model->n_counters * sizeof(*data)));
	return err;
}

static netdev_tx_t costs_start_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	kfree_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops costs_netdev_ops = {
	.ndo_start_xmit = costs_start_xmit,
};

static int costs_get_sset_count(struct net_device *netdev, int sset)
{
	if (netdev == netdevs[0])
		return macstats_get_sset_count(netdev, sset);
	return sset == ETH_SS_STATS ? model->n_counters : -EOPNOTSUPP;
}

/* Without this, the kernel does not ask for their number. */
static void costs_get_strings(struct net_device *netdev, u32 sset, u8 *data)
{
	if (netdev == netdevs[0])
		macstats_get_strings(netdev, sset, data);
	else
		memset(data, 0, model->n_counters * ETH_GSTRING_LEN);
}

static void costs_get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats,
				    u64 *data)
{
	if (netdev == netdevs[0])
		macstats_get_ethtool_stats(netdev, stats, data);
	else
		WARN_ON_ONCE(costs_run(netdev_priv(netdev), data));
}

static const struct ethtool_ops costs_ethtool_ops = {
	.get_sset_count = costs_get_sset_count,
	.get_strings = costs_get_strings,
	.get_ethtool_stats = costs_get_ethtool_stats,
};

/* Set the place of each access in the regmap of @dev; NULL: in ram. */
static int costs_find(struct costs_loop *loop, struct device *dev)
{
	struct regmap *regmap = dev ? dev_get_regmap(dev, NULL) : ram;
	unsigned int i;

	for (i = 0; i < loop->plan->n; i++) {
		loop->steps[i].regmap = regmap;
		loop->steps[i].reg = loop->plan->accesses[i].address;
	}
	return regmap ? 0 : -ENODEV;
}

static int costs_init_bare(struct costs_loop *loop)
{
	loop->plan = &by_regmap;
	return costs_find(loop, NULL);
}

/* Of the first port of the device. */
static int costs_init_loop(struct costs_loop *loop)
{
	struct macstats_emu_device *device;
	struct device *dev;
	int err;

	dev = bus_find_device_by_name(&platform_bus_type, NULL, emulated);
	if (!dev)
		return -ENODEV;
	device = *(struct macstats_emu_device **)dev_get_platdata(dev);
	loop->plan = &in_blocks;
	loop->emu = &device->ports[0];
	err = strcmp(device->model->name, model->name) ? -EINVAL : costs_find(loop, dev);
	put_device(dev);
	return err;
}

/*
 * A poll of ram0 for a reader accesses as many words as each of the plans. Of a counter that a port
 * reads in one access of 64 bits, a regmap reads the high word twice.
 */
static int costs_check_plans(void)
{
	unsigned int before = accessed;
	u64 *data;

	data = kcalloc(macstats_get_sset_count(netdevs[0], ETH_SS_STATS), sizeof(*data),
		       GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	macstats_get_ethtool_stats(netdevs[0], NULL, data);
	kfree(data);
	if (accessed - before == by_regmap.words &&
	    (model->read64 || by_regmap.words == in_blocks.words))
		return 0;
	pr_err("macstats_test_costs: a poll of ram0 accesses %u words, the plans %u and %u\n",
	       accessed - before, by_regmap.words, in_blocks.words);
	return -EPROTO;
}

static int costs_make(unsigned int i, const char *name)
{
	struct net_device *netdev = alloc_netdev(sizeof(struct costs_loop), name,
						 NET_NAME_USER, ether_setup);

	if (!netdev)
		return -ENOMEM;
	netdev->netdev_ops = &costs_netdev_ops;
	netdev->ethtool_ops = &costs_ethtool_ops;
	eth_hw_addr_random(netdev);
	netdevs[i] = netdev;
	return 0;
}

static int costs_register_port(void)
{
	const struct macstats_port_config config = {
		.netdev = netdevs[0],
		.model = model,
		.flags = MACSTATS_PORT_FAST_IO,
		.regmap = ram,
		.line_rate_bps = MACSTATS_NO_LINE_RATE,
	};

	port = macstats_port_register(&config);
	return PTR_ERR_OR_ZERO(port);
}

static int costs_start(void)
{
	static const char *const names[] = { "ram0", "bare0", "loop0" };
	unsigned int n = emulated ? 3 : 2;
	unsigned int i;
	int err;

	err = costs_power_up();
	for (i = 0; !err && i < n; i++)
		err = costs_make(i, names[i]);
	err = err ?: costs_make_plan(&by_regmap);
	err = err ?: costs_make_plan(&in_blocks);
	err = err ?: costs_register_port();
	err = err ?: costs_check_plans();
	err = err ?: costs_init_bare(netdev_priv(netdevs[1]));
	if (!err && emulated)
		err = costs_init_loop(netdev_priv(netdevs[2]));
	for (i = 0; !err && i < n; i++)
		err = register_netdev(netdevs[i]);
	return err;
}

static void costs_end(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(netdevs); i++)
		if (netdevs[i] && netdevs[i]->reg_state == NETREG_REGISTERED)
			unregister_netdev(netdevs[i]);
	if (!IS_ERR_OR_NULL(port))
		macstats_port_unregister(port);
	for (i = 0; i < ARRAY_SIZE(netdevs); i++)
		if (netdevs[i])
			free_netdev(netdevs[i]);
	platform_device_unregister(pdev);
	vfree(words);
}

/* Written: the name of a net device. Read: nanoseconds of COSTS_CALLS calls. */
static u64 stats64_ns;

static int costs_stats64_set(const char *value, const struct kernel_param *param)
{
	struct rtnl_link_stats64 stats = {};
	struct net_device *netdev;
	char name[IFNAMSIZ];
	unsigned int i;
	u64 began;

	strscpy(name, value, sizeof(name));
	netdev = dev_get_by_name(&init_net, strim(name));
	if (!netdev)
		return -ENODEV;
	if (!netdev->netdev_ops->ndo_get_stats64) {
		dev_put(netdev);
		return -EOPNOTSUPP;
	}
	rcu_read_lock();
	began = ktime_get_ns();
	for (i = 0; i < COSTS_CALLS; i++)
		netdev->netdev_ops->ndo_get_stats64(netdev, &stats);
	stats64_ns = ktime_get_ns() - began;
	rcu_read_unlock();
	dev_put(netdev);
	return 0;
}

static int costs_stats64_get(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%llu\n", stats64_ns);
}

static const struct kernel_param_ops costs_stats64_ops = {
	.set = costs_stats64_set,
	.get = costs_stats64_get,
};

module_param_cb(stats64, &costs_stats64_ops, NULL, 0600);
MODULE_PARM_DESC(stats64, "Write: the name of a net device. Read: nanoseconds of 1000 calls of its ndo_get_stats64");

static struct genl_family costs_family;

static int costs_fill(struct sk_buff *skb)
{
	static const u8 zeros[4096];
	unsigned int i;

	for (i = 0; i < n_sizes; i++)
		if (nla_put(skb, i + 1, min_t(uint, sizes[i], sizeof(zeros)), zeros))
			return -EMSGSIZE;
	return 0;
}

static int costs_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	void *header;

	while (cb->args[0] < messages) {
		header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				     &costs_family, NLM_F_MULTI, 1);
		if (!header)
			break;
		if (costs_fill(skb)) {
			genlmsg_cancel(skb, header);
			break;
		}
		genlmsg_end(skb, header);
		cb->args[0]++;
	}
	return skb->len;
}

static const struct genl_ops costs_ops[] = {
	{ .cmd = 1, .dumpit = costs_dump },
};

static struct genl_family costs_family __ro_after_init = {
	.name = "macstats_costs",
	.version = 1,
	.module = THIS_MODULE,
	.ops = costs_ops,
	.n_ops = ARRAY_SIZE(costs_ops),
	.resv_start_op = 2,
};

static int __init costs_init(void)
{
	int err;

	model = macstats_listed_model(model_name);
	if (!model)
		return -ENOENT;
	roles = macstats_find_roles(model);
	cells = sizeof(struct macstats_cpu_cells);
	words = vcalloc(COSTS_WORDS, sizeof(*words));
	if (!words)
		return -ENOMEM;
	pdev = platform_device_register_simple("macstats_test_costs", -1, NULL, 0);
	if (IS_ERR(pdev)) {
		vfree(words);
		return PTR_ERR(pdev);
	}
	err = costs_start();
	err = err ?: genl_register_family(&costs_family);
	if (err)
		costs_end();
	return err;
}

static void __exit costs_exit(void)
{
	genl_unregister_family(&costs_family);
	costs_end();
}

module_init(costs_init);
module_exit(costs_exit);

MODULE_DESCRIPTION("The bare loops beside which ./dev bench measures");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
