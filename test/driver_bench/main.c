// SPDX-License-Identifier: GPL-2.0
/* The module macstats_bench is one NIC, until it is unloaded or its emulated device is deleted. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>

#include "../compat.h"
#include "bench.h"

static const struct bench_personality *const bench_personalities[] = {
	&bench_8139cp, &bench_altera_tse, &bench_alx, &bench_atl1c, &bench_e1000e,
	&bench_hibmcge, &bench_igb, &bench_igc, &bench_lan743x, &bench_macb, &bench_r8169,
	&bench_stmmac, &bench_stmmac4, &bench_stmmac_xgmac, &bench_tg3,
};

static char *personality;
module_param(personality, charp, 0400);
MODULE_PARM_DESC(personality, "the driver for which the NIC is, by its name");

static int device = -1;
module_param(device, int, 0400);
MODULE_PARM_DESC(device, "the number of the emulated device that has its statistics registers; "
			 "without one, they are memory");

static uint port;
module_param(port, uint, 0400);
MODULE_PARM_DESC(port, "the number of the port of that device");

static struct bench bench;

static ssize_t bench_port_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%d %u\n", device, port);
}

/* Of the driver's device: the numbers of the emulated device and port that it reads. */
static struct device_attribute bench_port = __ATTR(macstats, 0444, bench_port_show, NULL);

/**
 * bench_device_add() - let the driver's device show whose registers it has
 * @bench: the bench
 * @dev: the device
 *
 * Context: may sleep.
 * Return: 0 or an error.
 */
int bench_device_add(struct bench *bench, struct device *dev)
{
	return bench->user.port ? device_create_file(dev, &bench_port) : 0;
}

static int bench_plug(struct macstats_emu_user *user)
{
	return bench.personality->device ? bench_pci_plug(&bench) : bench_platform_plug(&bench);
}

static void bench_unplug(struct macstats_emu_user *user)
{
	if (bench.personality->device)
		bench_pci_unplug(&bench);
	else
		bench_platform_unplug(&bench);
}

static const struct bench_personality *bench_find(void)
{
	unsigned int i;

	for (i = 0; personality && i < ARRAY_SIZE(bench_personalities); i++)
		if (!strcmp(bench_personalities[i]->name, personality))
			return bench_personalities[i];
	pr_err("no personality %s; there are:\n", personality);
	for (i = 0; i < ARRAY_SIZE(bench_personalities); i++)
		pr_err("\t%s\n", bench_personalities[i]->name);
	return NULL;
}

static int bench_attach(void)
{
	int err;

	if (device < 0)
		return bench_plug(NULL);
	if (!bench.personality->model) {
		pr_err("%s: no model has its registers: load without device\n", personality);
		return -EINVAL;
	}
	bench.user.model = bench.personality->model;
	bench.user.plug = bench_plug;
	bench.user.unplug = bench_unplug;
	err = macstats_emu_attach(&bench.user, device, port);
	if (err == -ENODEV)
		pr_err("no port %u of an emulated device %d\n", port, device);
	else if (err == -EMEDIUMTYPE)
		pr_err("%s needs an emulated device of the model %s: that of %d is another one\n",
		       personality, bench.user.model, device);
	else if (err == -EBUSY)
		pr_err("the emulated device %d has a cable: unlink it\n", device);
	return err;
}

static int __init bench_module_init(void)
{
	const struct bench_personality *found = bench_find();
	int err;

	if (!found)
		return -EINVAL;
	err = bench_init(&bench, found);
	if (err)
		return err;
	bench_debugfs_init(&bench);
	err = bench_attach();
	if (err) {
		bench_debugfs_exit();
		bench_exit(&bench);
	}
	return err;
}

static void __exit bench_module_exit(void)
{
	if (device < 0)
		bench_unplug(NULL);
	else
		macstats_emu_detach(&bench.user);
	bench_debugfs_exit();
	bench_exit(&bench);
}

module_init(bench_module_init);
module_exit(bench_module_exit);

MODULE_DESCRIPTION("A NIC for a driver of the kernel's tree, whose registers are emulated");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(MACSTATS_NAMESPACE);
