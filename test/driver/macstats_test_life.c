// SPDX-License-Identifier: GPL-2.0
/*
 * A driver whose port begins and ends in different ways, also wrong ones, and which wakes its
 * hardware for each access. Its hardware is a cpsw in memory, which it accesses with functions of
 * its own. It warns where the provider accesses hardware that sleeps. Loading fails with the error
 * of the provider.
 */
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <macstats/models.h>

#include "../compat.h"
#include "emulated.h"

#define LIFE_WORDS	2048	/* the registers lie within 8 KiB */
#define LIFE_STATS	0x900	/* there; the model has them at 0 */

static char *order = "early";
module_param(order, charp, 0444);
MODULE_PARM_DESC(order, "When the port is registered: early (before the net device), devm, init (in ndo_init, until ndo_uninit), twice, late (after it, which is wrong), alone (without one, which is not registered either)");

static char *bus = "both";
module_param(bus, charp, 0444);
MODULE_PARM_DESC(bus, "The functions for registers: both, read, update, none; or besides both: regmap; or both without get: put; or instead of them: error; fast: both, which must not sleep");

static char *model_name = "cpsw";
module_param_named(model, model_name, charp, 0444);
MODULE_PARM_DESC(model, "The model of the config (default cpsw, which the hardware is)");

static ulong rate;
module_param(rate, ulong, 0444);
MODULE_PARM_DESC(rate, "Bits per second of the line (default 0: as the model states)");

static uint access_ms;
module_param(access_ms, uint, 0644);
MODULE_PARM_DESC(access_ms, "Milliseconds of a read access (default 0)");

static uint accesses;
module_param(accesses, uint, 0444);
MODULE_PARM_DESC(accesses, "Number of read accesses");

static int get_error;
module_param(get_error, int, 0644);
MODULE_PARM_DESC(get_error, "get() fails with this error");

static int read_error;
module_param(read_error, int, 0644);
MODULE_PARM_DESC(read_error, "A read access fails with this error");

static bool stopped;
module_param(stopped, bool, 0644);
MODULE_PARM_DESC(stopped, "The clocks stand still, so that no register answers");

static bool queue;
module_param(queue, bool, 0444);
MODULE_PARM_DESC(queue, "The port is polled by a workqueue of the driver");

static bool suspended;
module_param(suspended, bool, 0444);
MODULE_PARM_DESC(suspended, "The port is suspended until it is resumed");

static bool own_packets;
module_param(own_packets, bool, 0444);
MODULE_PARM_DESC(own_packets, "The driver counts packets and octets, of which there are none");

static struct platform_device *pdev;
static struct net_device *netdev;
static struct macstats_port *port;
static struct macstats_port *shared;	/* shares the hardware of the port */
static struct macstats_port_config config;
static u32 words[LIFE_WORDS];
static struct workqueue_struct *wq;
static unsigned int delay_ms;	/* of all other work on it, until it ends */
static bool ending;
static DECLARE_WAIT_QUEUE_HEAD(end);

/* Power, as runtime PM handles it. */
static DEFINE_MUTEX(power_lock);
static unsigned int users;
static bool sleeps;
module_param(sleeps, bool, 0444);
MODULE_PARM_DESC(sleeps, "The hardware sleeps");
static struct task_struct *changes;	/* puts the hardware to sleep or wakes it */

/* Caller holds power_lock. */
static int life_wake(void)
{
	int err;

	sleeps = false;
	WRITE_ONCE(changes, current);
	err = macstats_port_resume(port);
	WRITE_ONCE(changes, NULL);
	return err;
}

/* May come just after the hardware has fallen asleep. */
static int life_get(void *priv)
{
	int err = READ_ONCE(get_error);

	WARN_ON(priv != words);
	if (err)
		return err;
	mutex_lock(&power_lock);
	users++;
	if (sleeps)
		life_wake();
	mutex_unlock(&power_lock);
	return 0;
}

static void life_put(void *priv)
{
	mutex_lock(&power_lock);
	WARN_ON(!users);
	users--;
	mutex_unlock(&power_lock);
}

static int life_sleep(void)
{
	int err = -EBUSY;

	mutex_lock(&power_lock);
	if (!users && !sleeps) {
		WRITE_ONCE(changes, current);
		err = macstats_port_suspend(port);
		WRITE_ONCE(changes, NULL);
		sleeps = true;
	}
	mutex_unlock(&power_lock);
	return err;
}

static int life_resume(void)
{
	int err;

	mutex_lock(&power_lock);
	err = life_wake();
	mutex_unlock(&power_lock);
	return err;
}

static u32 *life_at(unsigned int reg)
{
	return &words[(reg < 0x100 ? reg + LIFE_STATS : reg) / 4 % LIFE_WORDS];
}

/* A register, for the provider. */
static u32 *life_word(unsigned int reg)
{
	WARN_ONCE(!READ_ONCE(users) && READ_ONCE(changes) != current,
		  "register %#x was accessed without get()", reg);
	return life_at(reg);
}

static u32 *life_counter(void)
{
	return life_at(cpsw_model.counters[0].offset);
}

static int life_read(void *priv, unsigned int reg, unsigned int *value)
{
	accesses++;
	if (READ_ONCE(access_ms))
		msleep(access_ms);
	WARN_ONCE(READ_ONCE(stopped), "register %#x was read without a clock", reg);
	*value = READ_ONCE(*life_word(reg));
	return READ_ONCE(read_error);
}

/* Counters are read only. */
static int life_update(void *priv, unsigned int reg, unsigned int mask, unsigned int value)
{
	u32 *word = life_word(reg);
	unsigned int at;

	WARN(macstats_counter_at(&cpsw_model, reg, &at) >= 0, "counter %#x was written", reg);
	*word = (*word & ~mask) | (value & mask);
	return 0;
}

static bool life_clocks_run(void *priv)
{
	return !READ_ONCE(stopped);
}

/* A reset clears the registers, and is reported. The hardware is powered meanwhile. */
static int life_reset(void)
{
	int err;

	mutex_lock(&power_lock);
	*life_counter() = 0;
	WRITE_ONCE(changes, current);
	err = macstats_port_reset(port);
	WRITE_ONCE(changes, NULL);
	mutex_unlock(&power_lock);
	return err;
}

static void life_end_port(void)
{
	macstats_port_unregister(shared);
	/* None of them does anything after a registration that failed. */
	if (IS_ERR(port)) {
		macstats_port_set_line_rate(port, 0);
		macstats_port_gone(port);
	}
	macstats_port_unregister(port);
	shared = NULL;
	port = NULL;
	WRITE_ONCE(ending, true);
	wake_up(&end);
	if (wq)
		destroy_workqueue(wq);
	wq = NULL;
}

static void life_delay_work(struct work_struct *work)
{
	/* It may take longer than the kernel lets a task sleep. */
	wait_event_idle_timeout(end, READ_ONCE(ending), msecs_to_jiffies(delay_ms));
}

static DECLARE_WORK(life_delay, life_delay_work);

static int life_share(void)
{
	struct macstats_port *another = macstats_port_share(port, netdev);

	if (IS_ERR(another))
		return PTR_ERR(another);
	shared = another;
	return 0;
}

static int life_register(void)
{
	const struct macstats_emulated emulated = { .wq = wq };

	port = strcmp(order, "devm") ? macstats_port_register_emulated(&config, &emulated) :
				       devm_macstats_port_register(&pdev->dev, &config);
	if (!IS_ERR(port) && !strcmp(order, "twice"))
		return life_share();
	return PTR_ERR_OR_ZERO(port);
}

static int life_init_netdev(struct net_device *dev)
{
	return strcmp(order, "init") ? 0 : life_register();
}

static void life_uninit_netdev(struct net_device *dev)
{
	if (strcmp(order, "init"))
		return;
	macstats_ndo_uninit(dev);
	port = NULL;
	life_end_port();
}

static void life_unregister_netdev(void)
{
	if (netdev->reg_state == NETREG_REGISTERED)
		unregister_netdev(netdev);
}

/* A dump by the driver, without RTNL, as for devcoredump. It fails if a register was not read. */
static int life_dump(void)
{
	int n = macstats_get_regs_len(netdev) / sizeof(__le32);
	__le32 *values = kcalloc(n, sizeof(*values), GFP_KERNEL);
	struct ethtool_regs regs = {};
	int err = 0;
	int i;

	if (!values)
		return -ENOMEM;
	macstats_get_regs(netdev, &regs, values);
	for (i = 1; i < n; i += 2)
		if (values[i] == cpu_to_le32(~0))
			err = -ETIMEDOUT;
	kfree(values);
	return err;
}

static int life_do(const char *value, const struct kernel_param *param)
{
	u64 speed;
	u32 count;

	if (!port)
		return -ENODEV;
	if (sscanf(value, "count %u", &count) == 1)
		*life_counter() += count;
	else if (sscanf(value, "speed %llu", &speed) == 1)
		return macstats_port_set_line_rate(port, speed);
	else if (sysfs_streq(value, "end"))
		life_end_port();
	else if (sysfs_streq(value, "share"))
		return life_share();
	else if (sysfs_streq(value, "register"))
		return register_netdev(netdev);
	else if (sysfs_streq(value, "unregister"))
		life_unregister_netdev();
	else if (sysfs_streq(value, "sleep"))
		return life_sleep();
	else if (sysfs_streq(value, "reset"))
		return life_reset();
	else if (sysfs_streq(value, "resume"))
		return life_resume();
	else if (sysfs_streq(value, "dump"))
		return life_dump();
	else if (sysfs_streq(value, "unplug"))
		macstats_port_gone(port);
	else if (wq && sscanf(value, "delay %u", &delay_ms) == 1)
		queue_work(wq, &life_delay);
	else
		return -EINVAL;
	return 0;
}

static const struct kernel_param_ops life_do_ops = {
	.set = life_do,
};

module_param_cb(do, &life_do_ops, NULL, 0200);
MODULE_PARM_DESC(do, "Lets this happen: count N, speed N (b/s, of the link), end (of the port), share (it with the net device), register and unregister (the net device), sleep, reset, resume, unplug, dump, delay MS (of polls by the workqueue of the driver)");

static netdev_tx_t life_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	kfree_skb(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops life_netdev_ops = {
	.ndo_init = life_init_netdev,
	.ndo_uninit = life_uninit_netdev,
	.ndo_start_xmit = life_start_xmit,
	.ndo_get_stats64 = macstats_get_stats64,
};

static void life_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	strscpy(info->driver, "macstats_test_life", sizeof(info->driver));
}

/* Without it, ethtool asks for no statistics of pause frames. */
static void life_get_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause)
{
}

static const struct ethtool_ops life_ethtool_ops = {
	MACSTATS_ETHTOOL_OPS,
	.get_drvinfo = life_get_drvinfo,
	.get_pauseparam = life_get_pauseparam,
};

static struct macstats_port_ops life_port_ops = {
	.get = life_get,
	.put = life_put,
	.clocks_run = life_clocks_run,
	.reg_read = life_read,
	.reg_update_bits = life_update,
};

/* Give the functions for registers that the parameter asks for. */
static void life_make_bus(void)
{
	bool none = !strcmp(bus, "none") || !strcmp(bus, "error");

	if (none || !strcmp(bus, "read"))
		life_port_ops.reg_update_bits = NULL;
	if (none || !strcmp(bus, "update"))
		life_port_ops.reg_read = NULL;
	if (!strcmp(bus, "put"))
		life_port_ops.get = NULL;
	/* These are rejected before a use. */
	if (!strcmp(bus, "regmap"))
		config.regmap = (struct regmap *)words;
	if (!strcmp(bus, "fast"))
		config.flags |= MACSTATS_PORT_FAST_IO;
	if (!strcmp(bus, "error"))
		config.regmap = ERR_PTR(-ENODEV);
}

static int life_begin(void)
{
	int err = 0;

	config = (struct macstats_port_config){
		.netdev = strcmp(order, "alone") ? netdev : NULL,
		.ops = &life_port_ops,
		.priv = words,
		.model = macstats_listed_model(model_name),
		.flags = (strcmp(order, "twice") ? 0 : MACSTATS_PORT_SHARED) |
			 (suspended ? MACSTATS_PORT_SUSPENDED : 0) |
			 (own_packets ? MACSTATS_PORT_OWN_PACKETS : 0),
		.line_rate_bps = rate ?: MACSTATS_NO_LINE_RATE,
	};
	life_make_bus();
	if (!strcmp(order, "late") || !strcmp(order, "init"))
		err = register_netdev(netdev);
	if (err || !strcmp(order, "init"))
		return err;
	if (queue) {
		wq = alloc_ordered_workqueue("macstats_test", 0);
		if (!wq)
			return -ENOMEM;
	}
	err = life_register();
	if (err || !strcmp(order, "alone"))
		return err;
	return strcmp(order, "devm") ? register_netdev(netdev) :
				       devm_register_netdev(&pdev->dev, netdev);
}

static void life_end(void)
{
	if (!strcmp(order, "devm")) {
		devres_release_group(&pdev->dev, words);
		port = NULL;
		life_end_port();
	} else {
		life_unregister_netdev();
		life_end_port();
		free_netdev(netdev);
	}
	WARN(users, "get() was called %u times more often than put()", users);
	platform_device_unregister(pdev);
}

static void (*life_release_default)(struct device *dev);

/* As that of a USB device, it may sleep; and it is gone with this module. */
static void life_release(struct device *dev)
{
	might_sleep();
	life_release_default(dev);
}

static int __init life_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < cpsw_model.n_registers; i++)
		*life_at(cpsw_model.registers[i].offset) = cpsw_model.registers[i].reset;
	pdev = platform_device_register_simple("macstats_test_life", -1, NULL, 0);
	if (IS_ERR(pdev))
		return PTR_ERR(pdev);
	life_release_default = pdev->dev.release;
	pdev->dev.release = life_release;
	/* The module ends what devm_ functions make, the last first. */
	if (devres_open_group(&pdev->dev, words, GFP_KERNEL))
		netdev = strcmp(order, "devm") ? alloc_etherdev(0) :
						 devm_alloc_etherdev(&pdev->dev, 0);
	if (!netdev) {
		platform_device_unregister(pdev);
		return -ENOMEM;
	}
	SET_NETDEV_DEV(netdev, &pdev->dev);
	netdev->netdev_ops = &life_netdev_ops;
	netdev->ethtool_ops = &life_ethtool_ops;
	eth_hw_addr_random(netdev);
	err = life_begin();
	if (err)
		life_end();
	return err;
}

static void __exit life_exit(void)
{
	life_end();
}

module_init(life_init);
module_exit(life_exit);

MODULE_DESCRIPTION("Begins and ends a port in different orders, for tests");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MACSTATS_NAMESPACE);
