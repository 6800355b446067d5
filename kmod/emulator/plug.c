// SPDX-License-Identifier: GPL-2.0
/* Plug devices in, unplug them, and unplug those of a network namespace or socket that ends. */
#include <linux/netlink.h>
#include <linux/notifier.h>
#include <linux/rtnetlink.h>
#include <net/net_namespace.h>

#include "../compat.h"
#include "netdev.h"

/* The most devices that are deleted together. */
#define MACSTATS_EMU_BATCH	16

/* Marks in macstats_emu_devices: deleted with a socket; to be deleted. */
#define MACSTATS_EMU_OWNED	XA_MARK_1
#define MACSTATS_EMU_ORPHAN	XA_MARK_2

/*
 * The devices of all namespaces, by id. Whoever makes or deletes a device holds the mutex until
 * that is complete: a device that is found under the mutex stays.
 */
DEFINE_MUTEX(macstats_emu_lock);
DEFINE_XARRAY_ALLOC(macstats_emu_devices);

/* Plug @device in. Return: 0 once the driver is bound, else an error with an extack. */
static int macstats_emu_device_plug(struct macstats_emu_device *device,
				    struct netlink_ext_ack *extack)
{
	int err;

	device->error = -EPROBE_DEFER;	/* until the driver was bound, or failed */
	err = platform_device_add(device->pdev);
	if (err)
		return err;
	/* Read once: sysfs may bind the driver again at any time. */
	err = READ_ONCE(device->error);
	if (!err) {
		dev_set_uevent_suppress(&device->pdev->dev, false);
		return 0;
	}
	if (err == -EEXIST) {
		MACSTATS_EXTACK(extack, "DEVICE_NAME: a net device %s exists: give another name",
				device->config.name);
	} else if (err == -EPROBE_DEFER) {
		NL_SET_ERR_MSG(extack,
			       "no driver bound to the new device: write 1 to /sys/bus/platform/drivers_autoprobe");
		err = -ENODEV;
	} else {
		MACSTATS_EXTACK(extack,
				"the driver failed with error %d on the new device: see the kernel log",
				err);
	}
	platform_device_del(device->pdev);
	return err;
}

/*
 * Make a device and plug it in. Return: it, or an ERR_PTR. May sleep; the caller holds
 * macstats_emu_lock, and a reference to @net.
 */
struct macstats_emu_device *macstats_emu_device_new(struct net *net,
						    const struct macstats_emu_config *config,
						    struct netlink_ext_ack *extack)
{
	struct macstats_emu_device *device;
	u32 id;
	int err;

	lockdep_assert_held(&macstats_emu_lock);
	/* Reserved: a lookup finds the device only when it is complete. */
	err = xa_alloc(&macstats_emu_devices, &id, NULL, xa_limit_31b, GFP_KERNEL);
	if (err)
		return ERR_PTR(err);
	device = macstats_emu_device_alloc(id, net, config);
	if (IS_ERR(device)) {
		err = PTR_ERR(device);
		goto err_release;
	}
	err = macstats_emu_device_plug(device, extack);
	if (err)
		goto err_free;
	xa_store(&macstats_emu_devices, id, device, GFP_KERNEL);
	if (device->config.owner_portid)
		xa_set_mark(&macstats_emu_devices, id, MACSTATS_EMU_OWNED);
	return device;

err_free:
	macstats_emu_device_free(device);
err_release:
	xa_release(&macstats_emu_devices, id);
	return ERR_PTR(err);
}

/* Unplug what accesses the registers of a port, if there is any. Caller holds macstats_emu_lock. */
void macstats_emu_unplug_user(struct macstats_emu_port *port)
{
	struct macstats_emu_user *user = port->user;

	lockdep_assert_held(&macstats_emu_lock);
	if (!user)
		return;
	user->unplug(user);
	user->port = NULL;
	WRITE_ONCE(port->user, NULL);
}

/*
 * Unplug a device. The driver has deleted its net devices when this returns. May sleep; the caller
 * holds macstats_emu_lock.
 */
void macstats_emu_device_del(struct macstats_emu_device *device)
{
	unsigned int i;

	lockdep_assert_held(&macstats_emu_lock);
	for (i = 0; i < device->n_ports; i++)
		macstats_emu_unplug_user(&device->ports[i]);
	xa_erase(&macstats_emu_devices, device->id);
	dev_set_uevent_suppress(&device->pdev->dev, true);
	platform_device_del(device->pdev);
	macstats_emu_device_free(device);
}

/*
 * Prevent binding and unbinding of up to MACSTATS_EMU_BATCH devices. Only the holder of
 * macstats_emu_lock locks several.
 */
static void macstats_emu_lock_bindings(struct macstats_emu_device *const *devices, unsigned int n)
{
	unsigned int i;

	lockdep_assert_held(&macstats_emu_lock);
	for (i = 0; i < n; i++)
		device_lock(&devices[i]->pdev->dev);
}

static void macstats_emu_unlock_bindings(struct macstats_emu_device *const *devices,
					 unsigned int n)
{
	while (n--)
		device_unlock(&devices[n]->pdev->dev);
}

/*
 * Mark for deletion the devices that @net has made: all, or those of the socket @portid, if
 * that is not 0. Does not wait for the mutex: a device is erased from the array, which takes
 * xa_lock, before it is freed.
 */
static void macstats_emu_orphan(const struct net *net, u32 portid)
{
	struct macstats_emu_device *device;
	unsigned long id;

	xa_lock(&macstats_emu_devices);
	xa_for_each_marked(&macstats_emu_devices, id, device,
			   portid ? MACSTATS_EMU_OWNED : XA_PRESENT)
		if (net_eq(device->net, net) &&
		    (!portid || device->config.owner_portid == portid))
			__xa_set_mark(&macstats_emu_devices, id, MACSTATS_EMU_ORPHAN);
	xa_unlock(&macstats_emu_devices);
}

/*
 * Delete the marked devices, several together, which takes little longer than deleting one.
 * When this returns, those that another task was deleting are deleted, too.
 */
static void macstats_emu_delete_orphans(void)
{
	struct macstats_emu_device *orphans[MACSTATS_EMU_BATCH];
	unsigned int n;
	unsigned int i;

	do {
		mutex_lock(&macstats_emu_lock);
		n = xa_extract(&macstats_emu_devices, (void **)orphans, 0, ULONG_MAX,
			       MACSTATS_EMU_BATCH, MACSTATS_EMU_ORPHAN);
		macstats_emu_lock_bindings(orphans, n);
		macstats_emu_netdevs_del(orphans, n, NULL);
		macstats_emu_unlock_bindings(orphans, n);
		for (i = 0; i < n; i++)
			macstats_emu_device_del(orphans[i]);
		mutex_unlock(&macstats_emu_lock);
	} while (n);
}

/* Does the device have a port, or may it have one later? Caller holds the driver core's lock. */
static bool macstats_emu_has_ports(const struct macstats_emu_device *device)
{
	unsigned int i;

	for (i = 0; i < device->n_slots; i++)
		if (!device->slots[i].gone)
			return true;
	return false;
}

/*
 * Find up to MACSTATS_EMU_BATCH devices of other namespaces with ports in @net. Caller holds
 * macstats_emu_lock. Return: how many.
 */
static unsigned int macstats_emu_find_guests(struct net *net, struct macstats_emu_device **devices)
{
	struct net_device *netdev;
	unsigned int n = 0;
	unsigned int i;

	rtnl_lock();
	for_each_netdev(net, netdev) {
		struct macstats_emu_device *device;

		if (!macstats_emu_is_port(netdev))
			continue;
		device = macstats_emu_port_of(netdev)->device;
		if (net_eq(device->net, net))
			continue;
		for (i = 0; i < n && devices[i] != device; i++)
			;
		if (i < n)
			continue;
		if (n == MACSTATS_EMU_BATCH)
			break;
		devices[n++] = device;
	}
	rtnl_unlock();
	return n;
}

/* Delete the ports that have moved to @net, and mark devices without ports for deletion. */
static void macstats_emu_end_guests(struct net *net)
{
	struct macstats_emu_device *devices[MACSTATS_EMU_BATCH];
	unsigned int n;
	unsigned int i;

	do {
		mutex_lock(&macstats_emu_lock);
		n = xa_empty(&macstats_emu_devices) ? 0 : macstats_emu_find_guests(net, devices);
		macstats_emu_lock_bindings(devices, n);
		macstats_emu_netdevs_del(devices, n, net);
		for (i = 0; i < n; i++)
			if (!macstats_emu_has_ports(devices[i]))
				xa_set_mark(&macstats_emu_devices, devices[i]->id,
					    MACSTATS_EMU_ORPHAN);
		macstats_emu_unlock_bindings(devices, n);
		mutex_unlock(&macstats_emu_lock);
	} while (n);
}

/*
 * A namespace ends. Delete the devices that it has made, wherever their ports are, and
 * the ports of other devices in it: the core would move net devices without rtnl_link_ops
 * to the first namespace.
 */
static void __net_exit macstats_emu_pernet_exit(struct net *net)
{
	macstats_emu_end_guests(net);
	macstats_emu_orphan(net, 0);
	macstats_emu_delete_orphans();
}

static struct pernet_operations macstats_emu_pernet_ops = {
	.exit = macstats_emu_pernet_exit,
};

static void macstats_emu_orphans_work_fn(struct work_struct *work)
{
	macstats_emu_delete_orphans();
}

static DECLARE_WORK(macstats_emu_orphans_work, macstats_emu_orphans_work_fn);

/* A netlink socket was closed. Its process does not wait for the deletion of its devices. */
static int macstats_emu_netlink_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	const struct netlink_notify *notify = ptr;

	if (event != NETLINK_URELEASE || notify->protocol != NETLINK_GENERIC)
		return NOTIFY_DONE;
	macstats_emu_orphan(notify->net, notify->portid);
	if (xa_marked(&macstats_emu_devices, MACSTATS_EMU_ORPHAN))
		queue_work(system_unbound_wq, &macstats_emu_orphans_work);
	return NOTIFY_DONE;
}

static struct notifier_block macstats_emu_netlink_notifier = {
	.notifier_call = macstats_emu_netlink_event,
};

int __init macstats_emu_plug_init(void)
{
	int err;

	/* Pernet operations of devices run before the core moves the net devices that are left. */
	err = register_pernet_device(&macstats_emu_pernet_ops);
	if (err)
		return err;
	err = netlink_register_notifier(&macstats_emu_netlink_notifier);
	if (err)
		unregister_pernet_device(&macstats_emu_pernet_ops);
	return err;
}

void macstats_emu_plug_exit(void)
{
	netlink_unregister_notifier(&macstats_emu_netlink_notifier);
	unregister_pernet_device(&macstats_emu_pernet_ops);
	cancel_work_sync(&macstats_emu_orphans_work);
}
