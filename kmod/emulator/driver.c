// SPDX-License-Identifier: GPL-2.0
/*
 * The platform driver: the regmap through which it accesses a device, and the binding that makes
 * the net devices of each port.
 */
#include <linux/pm.h>
#include <linux/regmap.h>
#include <net/net_namespace.h>

#include "../compat.h"
#include "netdev.h"

/* Find the port of a register. Makes @reg an offset from the base of the port. */
static struct macstats_emu_port *macstats_emu_port_at(struct macstats_emu_device *device,
						      unsigned int *reg)
{
	unsigned int index = macstats_port_of(device->model, reg);

	return index < device->n_ports ? &device->ports[index] : NULL;
}

static int macstats_emu_regmap_read(void *context, unsigned int reg, unsigned int *value)
{
	struct macstats_emu_port *port = macstats_emu_port_at(context, &reg);
	u64 word;
	int err;

	if (!port)
		return -ENXIO;
	err = macstats_emu_reg_read(port, reg, &word, false);
	if (err)
		return err;
	*value = word;
	return 0;
}

static int macstats_emu_regmap_write(void *context, unsigned int reg, unsigned int value)
{
	struct macstats_emu_port *port = macstats_emu_port_at(context, &reg);

	if (!port)
		return -ENXIO;
	return macstats_emu_reg_write(port, reg, value, false);
}

static int macstats_emu_regmap_update(void *context, unsigned int reg, unsigned int mask,
				      unsigned int value)
{
	struct macstats_emu_port *port = macstats_emu_port_at(context, &reg);

	if (!port)
		return -ENXIO;
	return macstats_emu_reg_update(port, reg, mask, value);
}

static const struct regmap_bus macstats_emu_regmap_bus = {
	.reg_read = macstats_emu_regmap_read,
	.reg_write = macstats_emu_regmap_write,
	.reg_update_bits = macstats_emu_regmap_update,
};

static struct macstats_emu_device *macstats_emu_device_of(struct device *dev)
{
	return *(struct macstats_emu_device **)dev_get_platdata(dev);
}

static struct regmap *macstats_emu_regmap_init(struct macstats_emu_device *device)
{
	const struct regmap_config config = {
		.reg_bits = 32,
		.val_bits = device->model->bus_bits,
		.reg_stride = macstats_word_step(device->model),
		.cache_type = REGCACHE_NONE,
		/* The ports have their own locks; also keeps it out of debugfs. */
		.disable_locking = true,
	};

	return devm_regmap_init(&device->pdev->dev, &macstats_emu_regmap_bus, device, &config);
}

static int macstats_emu_bind(struct macstats_emu_device *device)
{
	struct regmap *regmap;
	struct net *net;
	unsigned int i;
	int err = 0;

	regmap = macstats_emu_regmap_init(device);
	if (IS_ERR(regmap))
		return PTR_ERR(regmap);
	/* A namespace that is ending takes no new net devices. */
	net = maybe_get_net(device->net);
	if (!net)
		return -ENODEV;
	for (i = 0; i < device->n_slots; i++) {
		if (device->slots[i].gone)
			continue;
		err = PTR_ERR_OR_ZERO(macstats_emu_netdev_new(&device->slots[i], regmap, net));
		if (err)
			break;
	}
	put_net(net);
	if (err)
		macstats_emu_netdevs_del(&device, 1, NULL);
	return err;
}

static int macstats_emu_probe(struct platform_device *pdev)
{
	struct macstats_emu_device *device = macstats_emu_device_of(&pdev->dev);
	int err = macstats_emu_bind(device);

	WRITE_ONCE(device->error, err);
	return err;
}

static void macstats_emu_remove(struct platform_device *pdev)
{
	struct macstats_emu_device *device = macstats_emu_device_of(&pdev->dev);

	macstats_emu_netdevs_del(&device, 1, NULL);
}

/* A failed read makes a port stale, which the provider reports. */
static void macstats_emu_pm(struct macstats_emu_device *device,
			    int (*change)(struct net_device *netdev, enum macstats_emu_sleep why))
{
	struct net_device *netdev;
	unsigned int i;

	for (i = 0; i < device->n_slots; i++) {
		netdev = rcu_dereference_protected(device->slots[i].netdev,
						   lockdep_is_held(&device->pdev->dev.mutex));
		if (netdev)
			change(netdev, MACSTATS_EMU_SLEEP_SYSTEM);
	}
}

static int macstats_emu_pm_resume(struct device *dev)
{
	macstats_emu_pm(macstats_emu_device_of(dev), macstats_emu_resume);
	return 0;
}

static int macstats_emu_pm_suspend(struct device *dev)
{
	macstats_emu_pm(macstats_emu_device_of(dev), macstats_emu_suspend);
	return 0;
}

static DEFINE_SIMPLE_DEV_PM_OPS(macstats_emu_pm_ops, macstats_emu_pm_suspend,
				macstats_emu_pm_resume);

struct platform_driver macstats_emu_driver = {
	.probe = macstats_emu_probe,
	.MACSTATS_PLATFORM_REMOVE = macstats_emu_remove,
	.driver = {
		.name = MACSTATS_EMU_NAME,
		.pm = pm_sleep_ptr(&macstats_emu_pm_ops),
		/* The reply to DEVICE_NEW lists the ports. */
		.probe_type = PROBE_FORCE_SYNCHRONOUS,
	},
};
