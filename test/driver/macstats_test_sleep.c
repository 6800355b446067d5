// SPDX-License-Identifier: GPL-2.0
/*
 * Puts one device on the platform or PCI bus to sleep while this module is loaded: the bus goes
 * through the phases of a system's suspend and resume for it alone, and calls its driver. All
 * programs go on.
 */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/platform_device.h>

static char *name;
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "The device, as 0000:00:03.0 or macstats_emu.0");

static struct device *sleeper;

static struct device *sleeper_find(void)
{
	struct device *dev = bus_find_device_by_name(&platform_bus_type, NULL, name);

#ifdef CONFIG_PCI
	if (!dev)
		dev = bus_find_device_by_name(&pci_bus_type, NULL, name);
#endif
	return dev;
}

/* The platform bus has one phase, the PCI bus two. */
static int sleeper_phase(int (*phase)(struct device *dev))
{
	return phase ? phase(sleeper) : 0;
}

static int __init test_init(void)
{
	const struct dev_pm_ops *pm;
	int err = -ENODEV;

	sleeper = sleeper_find();
	if (!sleeper)
		return -ENODEV;
	pm = sleeper->bus->pm;
	device_lock(sleeper);
	if (sleeper->driver)
		err = sleeper_phase(pm->suspend) ?: sleeper_phase(pm->suspend_noirq);
	device_unlock(sleeper);
	if (err)
		put_device(sleeper);
	return err;
}

static void __exit test_exit(void)
{
	const struct dev_pm_ops *pm = sleeper->bus->pm;

	device_lock(sleeper);
	WARN_ON(sleeper_phase(pm->resume_noirq) || sleeper_phase(pm->resume));
	device_unlock(sleeper);
	put_device(sleeper);
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("Lets one PCI device sleep, for tests");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
