// SPDX-License-Identifier: GPL-2.0
/* Drivers of others on the registers of a port: see attach.h. */
#include <linux/delay.h>
#include <linux/export.h>
#include <linux/rtnetlink.h>

#include "../compat.h"
#include "netdev.h"

/* A driver may hold a spinlock during an access: a slow bus makes it wait no longer than this. */
#define MACSTATS_EMU_BUS_MAX_USECS	100

/* Bits of the register or counter at @offset that the model describes; 0: there is none. */
static u32 macstats_emu_described(const struct macstats_model *model, u32 offset)
{
	const struct macstats_register *reg;
	int index = macstats_register_at(model, offset);
	unsigned int word;
	u32 mask = 0;
	unsigned int n;
	unsigned int i;

	if (index < 0)
		return macstats_counter_at(model, offset, &word) >= 0 ||
		       macstats_reserved_at(model, offset) >= 0 ? ~0u : 0;
	reg = &model->registers[index];
	n = macstats_field_count(reg);
	for (i = 0; i < n; i++)
		mask |= macstats__field_mask(&reg->fields[i]);
	return n ? mask : ~0u;
}

static void macstats_emu_bus_delay(const struct macstats_emu_port *port)
{
	if (READ_ONCE(port->emu->faults) & MACSTATS_FAULT_SLOW_BUS)
		udelay(min_t(u32, READ_ONCE(port->emu->slow_bus_usecs),
			     MACSTATS_EMU_BUS_MAX_USECS));
}

/**
 * macstats_emu_bus_read() - read a register for another driver
 * @port: the port
 * @offset: address from the base of the port
 * @described: the bits that the emulated hardware drives; the others are 0
 *
 * Has the side effects of a read. The provider does not take it for its own.
 *
 * Context: any but an NMI; with PREEMPT_RT, only with preemption and interrupts on. A faulty bus is
 *	slow for up to MACSTATS_EMU_BUS_MAX_USECS.
 * Return: the word; all-ones where the bus fails or nothing answers any more.
 */
u32 macstats_emu_bus_read(struct macstats_emu_port *port, u32 offset, u32 *described)
{
	unsigned long flags;
	u64 word = 0;
	bool silent;
	int err;

	macstats_emu_bus_delay(port);
	spin_lock_irqsave(&port->lock, flags);
	err = macstats_foreign_read(port->emu, &port->cell_set, offset, &word);
	silent = err == -EIO || macstats__is_silent(port->emu);
	spin_unlock_irqrestore(&port->lock, flags);
	*described = silent ? ~0u : macstats_emu_described(port->device->model, offset);
	return silent ? ~0u : word & *described;
}
EXPORT_SYMBOL_NS_GPL(macstats_emu_bus_read, MACSTATS_NAMESPACE);

/**
 * macstats_emu_bus_write() - write a register for another driver
 * @port: the port
 * @offset: address from the base of the port
 * @value: the word
 *
 * Has the side effects of a write. Without any where no register is, or nothing answers.
 *
 * Context: as macstats_emu_bus_read().
 */
void macstats_emu_bus_write(struct macstats_emu_port *port, u32 offset, u32 value)
{
	unsigned long flags;

	macstats_emu_bus_delay(port);
	spin_lock_irqsave(&port->lock, flags);
	macstats_foreign_write(port->emu, &port->cell_set, offset, value);
	spin_unlock_irqrestore(&port->lock, flags);
}
EXPORT_SYMBOL_NS_GPL(macstats_emu_bus_write, MACSTATS_NAMESPACE);

/**
 * macstats_emu_bus_reset() - restart the hardware, because another driver has reset it
 * @port: the port
 *
 * Registers and counters get the values that they have after power-up. Without any effect where the
 * bus fails or nothing answers.
 *
 * Context: as macstats_emu_bus_read().
 */
void macstats_emu_bus_reset(struct macstats_emu_port *port)
{
	const struct macstats_fault_request request = {
		.faults = MACSTATS_FAULT_RESET,
		.active = true,
	};
	unsigned long flags;

	spin_lock_irqsave(&port->lock, flags);
	if (!(port->emu->faults & MACSTATS_FAULT_BUS_ERROR) && !macstats__is_silent(port->emu))
		macstats_emulator_fault(port->emu, &port->cell_set, &request);
	spin_unlock_irqrestore(&port->lock, flags);
}
EXPORT_SYMBOL_NS_GPL(macstats_emu_bus_reset, MACSTATS_NAMESPACE);

/* Do the net devices of a port have cables? Caller holds RTNL. */
static bool macstats_emu_is_linked(const struct macstats_emu_port *port)
{
	const struct macstats_emu_priv *priv;
	const struct net_device *netdev;
	unsigned int i;

	for (i = 0; i < port->n_slots; i++) {
		netdev = rtnl_dereference(port->slots[i].netdev);
		if (!netdev)
			continue;
		priv = netdev_priv(netdev);
		if (rtnl_dereference(priv->peer))
			return true;
	}
	return false;
}

/* Reserve a port for @user. Caller holds macstats_emu_lock. */
static int macstats_emu_take(struct macstats_emu_user *user, u32 id, unsigned int index)
{
	struct macstats_emu_device *device = xa_load(&macstats_emu_devices, id);
	struct macstats_emu_port *port;
	int err = 0;

	if (!device || index >= device->n_ports)
		return -ENODEV;
	port = &device->ports[index];
	if (device->model->bus_bits != 32 || strcmp(device->model->name, user->model))
		return -EMEDIUMTYPE;
	rtnl_lock();
	if (port->user || macstats_emu_is_linked(port))
		err = -EBUSY;
	else
		port->user = user;
	rtnl_unlock();
	if (!err)
		user->port = port;
	return err;
}

/**
 * macstats_emu_attach() - give another driver the registers of a port
 * @user: what will access them; it must exist until macstats_emu_detach()
 * @id: the number of the device
 * @index: the number of the port in it
 *
 * From then on the port takes injected frames only: none cross a cable.
 *
 * Context: may sleep; takes RTNL.
 * Return: 0; -ENODEV: no such device or port; -EMEDIUMTYPE: it has another model; -EBUSY: it has a
 *	user or a cable; or the error of @user->plug.
 */
int macstats_emu_attach(struct macstats_emu_user *user, u32 id, unsigned int index)
{
	int err;

	mutex_lock(&macstats_emu_lock);
	err = macstats_emu_take(user, id, index);
	if (!err) {
		err = user->plug(user);
		if (err) {
			user->port->user = NULL;
			user->port = NULL;
		}
	}
	mutex_unlock(&macstats_emu_lock);
	return err;
}
EXPORT_SYMBOL_NS_GPL(macstats_emu_attach, MACSTATS_NAMESPACE);

/**
 * macstats_emu_detach() - end the use of a port by another driver
 * @user: what was attached, whose device may have been deleted meanwhile
 *
 * Context: may sleep; takes RTNL.
 */
void macstats_emu_detach(struct macstats_emu_user *user)
{
	mutex_lock(&macstats_emu_lock);
	if (user->port)
		macstats_emu_unplug_user(user->port);
	mutex_unlock(&macstats_emu_lock);
}
EXPORT_SYMBOL_NS_GPL(macstats_emu_detach, MACSTATS_NAMESPACE);
