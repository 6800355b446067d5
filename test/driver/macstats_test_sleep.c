// SPDX-License-Identifier: GPL-2.0
/*
 * Puts one PCI device to sleep while this module is loaded: the PCI core goes through the phases of
 * a system's suspend and resume for it alone, and calls its driver. All programs go on.
 */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/pci.h>

static char *name;
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "The device, as 0000:00:03.0");

static struct device *sleeper;

static int __init test_init(void)
{
	const struct dev_pm_ops *pm = pci_bus_type.pm;
	int err = -ENODEV;

	sleeper = bus_find_device_by_name(&pci_bus_type, NULL, name);
	if (!sleeper)
		return -ENODEV;
	device_lock(sleeper);
	if (sleeper->driver)
		err = pm->suspend(sleeper) ?: pm->suspend_noirq(sleeper);
	device_unlock(sleeper);
	if (err)
		put_device(sleeper);
	return err;
}

static void __exit test_exit(void)
{
	const struct dev_pm_ops *pm = pci_bus_type.pm;

	device_lock(sleeper);
	WARN_ON(pm->resume_noirq(sleeper) || pm->resume(sleeper));
	device_unlock(sleeper);
	put_device(sleeper);
}

module_init(test_init);
module_exit(test_exit);

MODULE_DESCRIPTION("Lets one PCI device sleep, for tests");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
