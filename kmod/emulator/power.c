// SPDX-License-Identifier: GPL-2.0
/* Faults, sleep and resets of the hardware of a port, and what a driver does about them. */
#include <linux/mutex.h>
#include <linux/rtnetlink.h>

#include "netdev.h"

/* Set restarted hardware up again. */
static void macstats_emu_restore(struct net_device *netdev)
{
	rtnl_lock();
	macstats_emu_apply_mtu(netdev_priv(netdev), netdev->mtu);
	rtnl_unlock();
}

static void macstats_emu_set_sleeps(struct macstats_emu_port *port, u8 sleeps)
{
	unsigned int i;

	rtnl_lock();
	WRITE_ONCE(port->sleeps, sleeps);
	for (i = 0; i < port->n_slots; i++) {
		struct net_device *netdev = rtnl_dereference(port->slots[i].netdev);

		if (netdev)
			macstats_emu_update_carriers(netdev);
	}
	rtnl_unlock();
}

static void macstats_emu_set_power(struct macstats_emu_port *port, bool on)
{
	const struct macstats_fault_request request = {
		.faults = MACSTATS_FAULT_SUSPEND,
		.active = !on,
	};

	macstats_emu_fault(port, &request);
}

/*
 * Begin or end faults other than a reset or a suspend. Tells the provider before the bus becomes
 * slow, and after it is fast again. May sleep.
 */
void macstats_emu_set_faults(struct net_device *netdev,
			     const struct macstats_fault_request *request)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	bool slow = request->faults & MACSTATS_FAULT_SLOW_BUS;
	struct macstats_emu_port *port = priv->port;

	mutex_lock(&port->power_lock);
	if (slow && request->active)
		macstats_port_set_slow(priv->stats, true);
	macstats_emu_fault(port, request);
	if (slow && !request->active)
		macstats_port_set_slow(priv->stats, false);
	mutex_unlock(&port->power_lock);
}

/*
 * Suspend the port of a net device: stop its frames, read its counters a last time, switch
 * the power off. Return: 0, or the error of the last read; the port is suspended in both
 * cases. May sleep.
 */
int macstats_emu_suspend(struct net_device *netdev, enum macstats_emu_sleep why)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	struct macstats_emu_port *port = priv->port;
	int err = 0;
	bool awake;

	mutex_lock(&port->power_lock);
	awake = !port->sleeps;
	macstats_emu_set_sleeps(port, port->sleeps | why);
	if (awake) {
		/* Wait for frames that would be counted after the last read. */
		synchronize_net();
		err = macstats_port_suspend(priv->stats);
		macstats_emu_set_power(port, false);
	}
	mutex_unlock(&port->power_lock);
	return err;
}

/*
 * Resume the port of a net device, unless another reason to sleep is left. Return: 0, or the
 * error of the first read. May sleep.
 */
int macstats_emu_resume(struct net_device *netdev, enum macstats_emu_sleep why)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	struct macstats_emu_port *port = priv->port;
	int err = 0;

	mutex_lock(&port->power_lock);
	if (port->sleeps == why) {
		macstats_emu_set_power(port, true);
		macstats_emu_restore(netdev);
		err = macstats_port_resume(priv->stats);
	}
	macstats_emu_set_sleeps(port, port->sleeps & ~why);
	mutex_unlock(&port->power_lock);
	return err;
}

/*
 * Restart the hardware of a net device. @announced: the driver reports it to the provider.
 * Return: 0, or the error of the first read. May sleep.
 */
int macstats_emu_reset(struct net_device *netdev, bool announced)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	struct macstats_emu_port *port = priv->port;
	const struct macstats_fault_request request = {
		.faults = MACSTATS_FAULT_RESET,
		.active = true,
	};
	int err = 0;

	mutex_lock(&port->power_lock);
	macstats_emu_fault(port, &request);
	if (announced) {
		macstats_emu_restore(netdev);
		err = macstats_port_reset(priv->stats);
	}
	mutex_unlock(&port->power_lock);
	return err;
}

/* Make a port ready for its first net device: the last driver may have left it suspended. */
void macstats_emu_port_ready(struct macstats_emu_port *port)
{
	WRITE_ONCE(port->bus_hurries, false);
	mutex_lock(&port->power_lock);
	WRITE_ONCE(port->sleeps, 0);
	macstats_emu_set_power(port, true);
	mutex_unlock(&port->power_lock);
}
