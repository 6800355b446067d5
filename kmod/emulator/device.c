// SPDX-License-Identifier: GPL-2.0
/*
 * The hardware side: devices with their registers and cells, the regmap through
 * which a driver sees them, and the driver that makes net devices of them.
 */
#include <linux/module.h>
#include <linux/regmap.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>

#include "../compat.h"
#include "emu.h"

/*
 * Count frames at a port, with bottom halves off: frames of common classes go
 * into this CPU's cells, where nobody else counts meanwhile.
 */
void emu_count(struct emu_port *port, const struct macstats_frame *frame, u64 count)
{
	unsigned long flags;

	if (likely(macstats_count_common(&port->emu, this_cpu_ptr(port->cells), frame, count)))
		return;
	spin_lock_irqsave(&port->lock, flags);
	macstats_count_rare(&port->emu, &port->lanes, frame, count);
	spin_unlock_irqrestore(&port->lock, flags);
}

/* Is the port's half-full interrupt asserted? */
bool emu_interrupts(struct emu_port *port)
{
	const struct macstats_model *model = port->device->model;
	unsigned long flags;
	bool asserted;

	spin_lock_irqsave(&port->lock, flags);
	asserted = macstats_stored(&port->emu, &model->half_full_enable, 1) &&
		   macstats_half_full(&port->emu, &port->lanes);
	spin_unlock_irqrestore(&port->lock, flags);
	return asserted;
}

/* One bus access, with its side effects. @offset counts from the port's base. */
int emu_reg_read(struct emu_port *port, u32 offset, u64 *value)
{
	unsigned long flags;
	int err;

	spin_lock_irqsave(&port->lock, flags);
	err = macstats_emulator_read(&port->emu, &port->lanes, offset, value);
	spin_unlock_irqrestore(&port->lock, flags);
	return err;
}

int emu_reg_write(struct emu_port *port, u32 offset, u64 value)
{
	unsigned long flags;
	int err;

	spin_lock_irqsave(&port->lock, flags);
	err = macstats_emulator_write(&port->emu, &port->lanes, offset, value);
	spin_unlock_irqrestore(&port->lock, flags);
	return err;
}

/* The port that an address of the whole device belongs to. */
static struct emu_port *emu_port_at(struct emu_device *device, unsigned int *reg)
{
	u32 stride = device->model->port_stride;
	unsigned int index = stride ? *reg / stride : 0;

	if (index >= device->n_ports)
		return NULL;
	*reg -= index * stride;
	return &device->ports[index];
}

static int emu_regmap_read(void *context, unsigned int reg, unsigned int *value)
{
	struct emu_port *port = emu_port_at(context, &reg);
	u64 word;
	int err = port ? emu_reg_read(port, reg, &word) : -ENXIO;

	if (!err)
		*value = word;
	return err;
}

static int emu_regmap_write(void *context, unsigned int reg, unsigned int value)
{
	struct emu_port *port = emu_port_at(context, &reg);

	return port ? emu_reg_write(port, reg, value) : -ENXIO;
}

static const struct regmap_bus emu_regmap_bus = {
	.fast_io = true,
	.reg_read = emu_regmap_read,
	.reg_write = emu_regmap_write,
};

static struct emu_device *emu_device_of(struct device *dev)
{
	return *(struct emu_device **)dev_get_platdata(dev);
}

static bool emu_precious_reg(struct device *dev, unsigned int reg)
{
	return macstats_regmap_precious(emu_device_of(dev)->model, reg);
}

static struct regmap *emu_regmap_init(struct emu_device *device)
{
	const struct macstats_model *model = device->model;
	const struct regmap_config config = {
		.reg_bits = 32,
		.val_bits = model->bus_bits,
		.reg_stride = macstats_word_step(model),
		.precious_reg = emu_precious_reg,
		.cache_type = REGCACHE_NONE,
	};

	return devm_regmap_init(&device->pdev->dev, &emu_regmap_bus, device, &config);
}

static int emu_probe(struct platform_device *pdev)
{
	struct emu_device *device = emu_device_of(&pdev->dev);
	struct regmap *regmap = emu_regmap_init(device);
	struct net *net = NULL;
	unsigned int i;
	int err = PTR_ERR_OR_ZERO(regmap);

	if (!err) {
		/* A namespace that is going away takes no new net devices. */
		mutex_lock(&device->home_lock);
		if (device->home)
			net = maybe_get_net(device->home);
		mutex_unlock(&device->home_lock);
		if (!net)
			err = -ENODEV;
	}
	for (i = 0; !err && i < device->n_ports; i++) {
		struct net_device *netdev;

		if (device->ports[i].gone)
			continue;
		netdev = emu_netdev_new(&device->ports[i], regmap, net);
		err = PTR_ERR_OR_ZERO(netdev);
	}
	if (net)
		put_net(net);
	if (err)
		emu_netdevs_del(&device, 1, NULL);
	device->error = err;
	return err;
}

static void emu_remove(struct platform_device *pdev)
{
	struct emu_device *device = emu_device_of(&pdev->dev);

	emu_netdevs_del(&device, 1, NULL);
}

struct platform_driver emu_driver = {
	.probe = emu_probe,
	.MACSTATS_PLATFORM_REMOVE = emu_remove,
	.driver = {
		.name = EMU_NAME,
	},
};

/* Dumps under way have to notice. Caller holds emu_lock. */
static void emu_devices_changed(void)
{
	if (!++emu_devices_seq)
		emu_devices_seq = 1;
}

static void emu_device_free(struct emu_device *device)
{
	unsigned int i;

	for (i = 0; i < device->n_ports; i++) {
		kfree(device->ports[i].lane);
		free_percpu(device->ports[i].cells);
	}
	mutex_destroy(&device->home_lock);
	xa_erase(&emu_devices, device->id);
	kvfree(device);
}

/* Cells of every CPU, and the hardware switched on. */
static int emu_port_init(struct emu_port *port, const struct emu_config *config)
{
	unsigned int cpu;

	port->cells = __alloc_percpu(macstats_lane_size(config->model),
				     __alignof__(struct macstats_lane));
	port->lane = kcalloc(num_possible_cpus(), sizeof(*port->lane), GFP_KERNEL);
	if (!port->cells || !port->lane)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct macstats_lane *lane = per_cpu_ptr(port->cells, cpu);

		u64_stats_init(&lane->syncp);
		port->lane[port->lanes.count++] = lane;
	}
	port->lanes.lane = port->lane;
	spin_lock_init(&port->lock);
	macstats_emulator_power_up(&port->emu, config->model, &port->lanes, config->options,
				   config->random, config->seed + port->index);
	return 0;
}

struct emu_device *emu_device_new(struct net *net, const struct emu_config *config,
				  struct netlink_ext_ack *extack)
{
	const struct macstats_model *model = config->model;
	struct emu_device *device;
	unsigned int i;
	int err;

	device = kvzalloc(struct_size(device, ports, model->ports), GFP_KERNEL);
	if (!device)
		return ERR_PTR(-ENOMEM);
	/* An id, under which nothing is found until the device is complete. */
	err = xa_alloc(&emu_devices, &device->id, NULL, xa_limit_31b, GFP_KERNEL);
	if (err) {
		kvfree(device);
		return ERR_PTR(err);
	}
	INIT_LIST_HEAD(&device->owned);
	device->model = model;
	device->home = net;
	device->private_only = config->private_only;
	device->held = config->held;
	mutex_init(&device->home_lock);
	strscpy(device->name, config->name ?: "mac%d", sizeof(device->name));
	device->name_assign_type = config->name ? NET_NAME_USER : NET_NAME_ENUM;
	device->n_ports = model->ports;
	for (i = 0; i < device->n_ports; i++) {
		device->ports[i].device = device;
		device->ports[i].index = i;
	}
	for (i = 0; !err && i < device->n_ports; i++)
		err = emu_port_init(&device->ports[i], config);
	if (err)
		goto err_free;

	device->pdev = platform_device_alloc(EMU_NAME, device->id);
	if (!device->pdev) {
		err = -ENOMEM;
		goto err_free;
	}
	err = platform_device_add_data(device->pdev, &device, sizeof(device));
	if (err)
		goto err_put;
	device->error = -EPROBE_DEFER;	/* until a driver has bound, or failed */
	err = platform_device_add(device->pdev);
	if (err)
		goto err_put;
	if (device->error) {
		err = device->error;
		if (err == -EEXIST)
			NL_SET_ERR_MSG(extack, "DEVICE_NAME: a net device of that name exists");
		else if (err == -EPROBE_DEFER)
			NL_SET_ERR_MSG(extack, "no driver bound to the new device");
		else
			NL_SET_ERR_MSG(extack, "the driver could not use the new device");
		if (err == -EPROBE_DEFER)
			err = -ENODEV;
		platform_device_unregister(device->pdev);
		goto err_free;
	}
	if (config->owner_portid)
		emu_own(device, net, config->owner_portid);
	xa_store(&emu_devices, device->id, device, GFP_KERNEL);
	emu_devices_changed();
	return device;

err_put:
	platform_device_put(device->pdev);
err_free:
	emu_device_free(device);
	return ERR_PTR(err);
}

/* Unplug: the driver lets go of the net devices before this returns. */
void emu_device_del(struct emu_device *device)
{
	emu_disown(device);
	platform_device_unregister(device->pdev);
	emu_devices_changed();
	emu_device_free(device);
}

/* Keep the driver from being bound or unbound, of EMU_BATCH devices at the most. */
static void emu_lock_bindings(struct emu_device *const *devices, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		device_lock(&devices[i]->pdev->dev);
}

static void emu_unlock_bindings(struct emu_device *const *devices, unsigned int n)
{
	while (n--)
		device_unlock(&devices[n]->pdev->dev);
}

/* The same for several, which takes hardly longer than for one. */
void emu_devices_del(struct emu_device *const *devices, unsigned int n)
{
	unsigned int i;

	emu_lock_bindings(devices, n);
	emu_netdevs_del(devices, n, NULL);
	emu_unlock_bindings(devices, n);
	for (i = 0; i < n; i++)
		emu_device_del(devices[i]);
}

/* May a port of the device still be, or come back? Caller holds its lock. */
static bool emu_has_ports(struct emu_device *device)
{
	unsigned int left = 0;
	unsigned int i;

	for (i = 0; i < device->n_ports; i++) {
		struct emu_port *port = &device->ports[i];

		/* Unbound, it can come back only to its home. */
		if (!port->netdev && !device->home)
			port->gone = true;
		left += !port->gone;
	}
	return left;
}

static void emu_leave_net(struct emu_device *const *devices, unsigned int n, struct net *net)
{
	bool empty[EMU_BATCH];
	unsigned int i;

	emu_lock_bindings(devices, n);
	emu_netdevs_del(devices, n, net);
	for (i = 0; i < n; i++)
		empty[i] = !emu_has_ports(devices[i]);
	emu_unlock_bindings(devices, n);
	for (i = 0; i < n; i++)
		if (empty[i])
			emu_device_del(devices[i]);
}

/*
 * A namespace dies, and with it the ports that are in it: net devices without
 * rtnl_link_ops would be moved to the first namespace. A device is gone with
 * its last port.
 */
void emu_net_exit(struct net *net)
{
	struct emu_device *batch[EMU_BATCH];
	struct emu_device *device;
	unsigned int n = 0;
	unsigned long id;

	xa_for_each(&emu_devices, id, device) {
		mutex_lock(&device->home_lock);
		if (device->home == net)
			device->home = NULL;
		mutex_unlock(&device->home_lock);
		batch[n++] = device;
		if (n == EMU_BATCH) {
			emu_leave_net(batch, n, net);
			n = 0;
		}
	}
	emu_leave_net(batch, n, net);
}
