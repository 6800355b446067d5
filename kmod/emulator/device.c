// SPDX-License-Identifier: GPL-2.0
/* The hardware: the registers of a device, its cells, its faults. */
#include <linux/delay.h>
#include <linux/pm_runtime.h>
#include <linux/slab.h>

#include "emu.h"

/* Cells, of which a port has a block for each CPU: freeing per-CPU memory takes longer. */
static struct kmem_cache *macstats_emu_cells;

/*
 * Count frames that are sent or received. Takes the lock of the port for the first frames of a
 * class, and for those that no cell takes. Bottom halves off. Return: the frame as the MAC sees it.
 */
struct macstats_seen macstats_emu_count(struct macstats_emu_port *port,
					const struct macstats_frame *frame, u64 count)
{
	struct macstats_cpu_cells *cells = port->cpu_cells[smp_processor_id()];
	const struct macstats_seen seen = macstats_see(port->emu, frame);
	unsigned long flags;

	if (unlikely(!macstats_count(port->emu, cells, &seen, count))) {
		spin_lock_irqsave(&port->lock, flags);
		macstats_count_locked(port->emu, &port->cell_set, cells, &seen, count);
		spin_unlock_irqrestore(&port->lock, flags);
	}
	return seen;
}

/*
 * Begin or end faults. The caller has checked @request. Context of this and the next three
 * functions: process context, bottom halves on or off.
 */
void macstats_emu_fault(struct macstats_emu_port *port,
			const struct macstats_fault_request *request)
{
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	macstats_emulator_fault(port->emu, &port->cell_set, request);
	spin_unlock_irqrestore(&port->lock, flags);
}

/* For macstats_emulated.line_octets. */
u64 macstats_emu_line_octets(void *priv)
{
	struct macstats_emu_port *port = priv;
	unsigned long flags;
	u64 octets;

	spin_lock_irqsave(&port->lock, flags);
	octets = macstats_line_octets(port->emu, &port->cell_set);
	spin_unlock_irqrestore(&port->lock, flags);
	return octets;
}

/* For macstats_emulated.lowered. */
bool macstats_emu_lowered(void *priv, unsigned int index)
{
	struct macstats_emu_port *port = priv;
	unsigned long flags;
	bool lowered;

	spin_lock_irqsave(&port->lock, flags);
	lowered = macstats_emulator_lowered(port->emu, index);
	spin_unlock_irqrestore(&port->lock, flags);
	return lowered;
}

/* Set a counter. Return: its old value. For macstats_port_preset(). */
u64 macstats_emu_preset(void *context, unsigned int index, u64 value)
{
	struct macstats_emu_port *port = context;
	unsigned long flags;
	u64 old;

	spin_lock_irqsave(&port->lock, flags);
	old = macstats_emulator_preset(port->emu, &port->cell_set, index, value);
	spin_unlock_irqrestore(&port->lock, flags);
	return old;
}

/*
 * A slow bus delays each access, but not while the net device of the port is being
 * deleted: other tasks wait for that. The provider knows of it, see macstats_emu_set_faults().
 */
static void macstats_emu_bus_wait(const struct macstats_emu_port *port)
{
	if ((READ_ONCE(port->emu->faults) & MACSTATS_FAULT_SLOW_BUS) &&
	    !READ_ONCE(port->bus_hurries))
		fsleep(READ_ONCE(port->emu->slow_bus_usecs));
}

/*
 * One bus access with its side effects. @offset counts from the base of the port; @foreign: not
 * by the driver. Return: 0, -ENXIO if no register is there, or the error of a faulty bus. Sleeps
 * on a slow bus.
 */
int macstats_emu_reg_read(struct macstats_emu_port *port, u32 offset, u64 *value, bool foreign)
{
	unsigned long flags;
	int err;

	macstats_emu_bus_wait(port);
	spin_lock_irqsave(&port->lock, flags);
	err = (foreign ? macstats_foreign_read : macstats_emulator_read)(port->emu, &port->cell_set,
									 offset, value);
	spin_unlock_irqrestore(&port->lock, flags);
	return err;
}

/* Read both words of a counter in one access of 64 bits, for macstats_port_ops.reg_read64. */
int macstats_emu_reg_read64(void *priv, unsigned int reg, u64 *value)
{
	struct macstats_emu_port *port = priv;
	u32 offset = reg;
	unsigned long flags;
	int err;

	if (macstats_port_of(port->device->model, &offset) != port->index)
		return -ENXIO;
	macstats_emu_bus_wait(port);
	spin_lock_irqsave(&port->lock, flags);
	err = macstats_emulator_read64(port->emu, &port->cell_set, offset, value);
	spin_unlock_irqrestore(&port->lock, flags);
	return err;
}

/* Read adjacent words, for macstats_emulated.read_block. */
int macstats_emu_read_block(void *priv, unsigned int reg, u64 *values, unsigned int words,
			    unsigned int *done)
{
	struct macstats_emu_port *port = priv;
	const struct macstats_model *model = port->device->model;
	u32 step = macstats_word_step(model);
	u32 offset = reg;
	unsigned long flags;
	int err = 0;

	if (macstats_port_of(model, &offset) != port->index)
		return -ENXIO;
	if (READ_ONCE(port->emu->faults)) {
		/* Each word has an access of its own, which may be slow. */
		while (!err && *done < words) {
			err = macstats_emu_reg_read(port, offset + *done * step, &values[*done],
						    false);
			if (!err)
				(*done)++;
		}
		return err;
	}
	spin_lock_irqsave(&port->lock, flags);
	err = macstats_emulator_read_block(port->emu, &port->cell_set, offset, values, words,
					   done);
	spin_unlock_irqrestore(&port->lock, flags);
	return err;
}

int macstats_emu_reg_write(struct macstats_emu_port *port, u32 offset, u64 value, bool foreign)
{
	unsigned long flags;
	int err;

	macstats_emu_bus_wait(port);
	spin_lock_irqsave(&port->lock, flags);
	err = (foreign ? macstats_foreign_write : macstats_emulator_write)(port->emu,
									   &port->cell_set, offset,
									   value);
	spin_unlock_irqrestore(&port->lock, flags);
	return err;
}

int macstats_emu_reg_update(struct macstats_emu_port *port, u32 offset, u32 mask, u32 value)
{
	unsigned long flags;
	int err;

	macstats_emu_bus_wait(port);
	spin_lock_irqsave(&port->lock, flags);
	err = macstats_emulator_update(port->emu, &port->cell_set, offset, mask, value);
	spin_unlock_irqrestore(&port->lock, flags);
	return err;
}

static void macstats_emu_free_cells(struct macstats_emu_port *port)
{
	while (port->cell_set.count)
		kmem_cache_free(macstats_emu_cells, port->cpu_cells[--port->cell_set.count]);
	kfree(port->cpu_cells);
}

/* Free a device that is not plugged in. */
void macstats_emu_device_free(struct macstats_emu_device *device)
{
	unsigned int i;

	platform_device_put(device->pdev);
	for (i = 0; i < device->n_ports; i++) {
		mutex_destroy(&device->ports[i].power_lock);
		kvfree(device->ports[i].emu);
		macstats_emu_free_cells(&device->ports[i]);
	}
	kfree(device->slots);
	kvfree(device);
}

/* Allocate the cells of every CPU, and switch the hardware on. */
static int macstats_emu_port_init(struct macstats_emu_port *port,
				  const struct macstats_emu_config *config)
{
	unsigned long flags;
	unsigned int cpu;

	port->cpu_cells = kcalloc(nr_cpu_ids, sizeof(*port->cpu_cells), GFP_KERNEL);
	port->emu = kvzalloc(macstats_emulator_size(config->model), GFP_KERNEL);
	if (!port->cpu_cells || !port->emu)
		return -ENOMEM;
	for (cpu = 0; cpu < nr_cpu_ids; cpu++) {
		int node = cpu_possible(cpu) ? cpu_to_node(cpu) : NUMA_NO_NODE;
		struct macstats_cpu_cells *cells =
			kmem_cache_alloc_node(macstats_emu_cells, GFP_KERNEL | __GFP_ZERO, node);

		if (!cells)
			return -ENOMEM;
		macstats_cpu_cells_init(cells);
		port->cpu_cells[port->cell_set.count++] = cells;
	}
	port->cell_set.cpu_cells = port->cpu_cells;
	port->line_rate_bps = macstats_line_rate_bps(config->model, config->options);
	spin_lock_init(&port->lock);
	spin_lock_irqsave(&port->lock, flags);
	macstats_emulator_power_up(port->emu, config->model, &port->cell_set, config->options,
				   config->random, config->seed + port->index);
	spin_unlock_irqrestore(&port->lock, flags);
	return 0;
}

/* Give each port its places for net devices. */
static int macstats_emu_make_slots(struct macstats_emu_device *device, unsigned int per_port)
{
	unsigned int i;

	device->slots = kcalloc(device->n_ports * per_port, sizeof(*device->slots), GFP_KERNEL);
	if (!device->slots)
		return -ENOMEM;
	device->n_slots = device->n_ports * per_port;
	for (i = 0; i < device->n_slots; i++) {
		device->slots[i].port = &device->ports[i / per_port];
		device->slots[i].index = i;
	}
	for (i = 0; i < device->n_ports; i++) {
		device->ports[i].slots = &device->slots[i * per_port];
		device->ports[i].n_slots = per_port;
	}
	return 0;
}

/* Create a device with power, which is not plugged in. Return: it, or an ERR_PTR. May sleep. */
struct macstats_emu_device *macstats_emu_device_alloc(u32 id, struct net *net,
						      const struct macstats_emu_config *config)
{
	const struct macstats_model *model = config->model;
	struct macstats_emu_device *device;
	unsigned int i;
	int err;

	device = kvzalloc(struct_size(device, ports, model->ports), GFP_KERNEL);
	if (!device)
		return ERR_PTR(-ENOMEM);
	device->id = id;
	device->net = net;
	device->config = *config;
	device->model = model;
	device->n_ports = model->ports;
	for (i = 0; i < device->n_ports; i++) {
		device->ports[i].device = device;
		device->ports[i].index = i;
		mutex_init(&device->ports[i].power_lock);
	}
	err = macstats_emu_make_slots(device, config->netdevs);
	if (err)
		goto err_free;
	for (i = 0; i < device->n_ports; i++) {
		err = macstats_emu_port_init(&device->ports[i], config);
		if (err)
			goto err_free;
	}
	device->pdev = platform_device_alloc(MACSTATS_EMU_NAME, device->id);
	if (!device->pdev) {
		err = -ENOMEM;
		goto err_free;
	}
	/* Suppress uevents while plugging: no driver needs loading. */
	dev_set_uevent_suppress(&device->pdev->dev, true);
	/* Without runtime power management, its files in sysfs would only take time to make. */
	pm_runtime_no_callbacks(&device->pdev->dev);
	err = platform_device_add_data(device->pdev, &device, sizeof(device));
	if (err)
		goto err_free;
	return device;

err_free:
	macstats_emu_device_free(device);
	return ERR_PTR(err);
}

int __init macstats_emu_device_init(void)
{
	macstats_emu_cells = KMEM_CACHE(macstats_cpu_cells, SLAB_HWCACHE_ALIGN);
	return macstats_emu_cells ? 0 : -ENOMEM;
}

void macstats_emu_device_exit(void)
{
	kmem_cache_destroy(macstats_emu_cells);
}
