// SPDX-License-Identifier: GPL-2.0
/* Plug devices in, unplug them, and unplug those of a network namespace that ends. */
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <net/net_namespace.h>

#include "../compat.h"
#include "emu.h"

/* Let dumps under way notice the change. Caller holds owner->lock. */
static void macstats_emu_devices_changed(struct macstats_emu_net *owner)
{
	if (!++owner->seq)
		owner->seq = 1;
}

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
	if (!err)
		return 0;
	if (err == -EEXIST) {
		MACSTATS_EXTACK(extack, "DEVICE_NAME: a net device %s exists: give another name",
				device->name);
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

/* Freezable, so that polls stop before devices suspend. Caller holds owner->lock. */
static int macstats_emu_make_wq(struct macstats_emu_net *owner)
{
	if (!owner->wq)
		owner->wq = alloc_workqueue(MACSTATS_EMU_NAME, WQ_UNBOUND | WQ_FREEZABLE,
					    WQ_MAX_ACTIVE);
	return owner->wq ? 0 : -ENOMEM;
}

/**
 * macstats_emu_device_new() - make a device and plug it in
 * @net: its home
 * @config: what it is
 * @extack: explains an error
 *
 * Context: may sleep; the caller holds the lock of macstats_emu_net(@net).
 * Return: the device, which its home owns, or an ERR_PTR.
 */
struct macstats_emu_device *macstats_emu_device_new(struct net *net,
						    const struct macstats_emu_config *config,
						    struct netlink_ext_ack *extack)
{
	struct macstats_emu_net *owner = macstats_emu_net(net);
	struct macstats_emu_device *device;
	int err;

	lockdep_assert_held(&owner->lock);
	err = macstats_emu_make_wq(owner);
	if (err)
		return ERR_PTR(err);
	device = macstats_emu_device_alloc(config);
	if (IS_ERR(device))
		return device;
	/* Reserved: a lookup finds the device only when it is complete. */
	err = xa_reserve(&owner->devices, device->id, GFP_KERNEL_ACCOUNT);
	if (err)
		goto err_put;
	macstats_emu_settle(device, net);
	err = macstats_emu_device_plug(device, extack);
	if (err)
		goto err_release;
	if (config->owner_portid)
		macstats_emu_own(owner, device, config->owner_portid);
	xa_store(&owner->devices, device->id, device, GFP_KERNEL_ACCOUNT);
	macstats_emu_devices_changed(owner);
	return device;

err_release:
	macstats_emu_disown(device);
	xa_release(&owner->devices, device->id);
err_put:
	macstats_emu_device_put(device);
	return ERR_PTR(err);
}

/**
 * macstats_emu_device_del() - unplug a device
 * @owner: the devices of its home
 * @device: the device
 *
 * The driver has deleted the net devices when this returns.
 *
 * Context: may sleep; the caller holds owner->lock.
 */
void macstats_emu_device_del(struct macstats_emu_net *owner, struct macstats_emu_device *device)
{
	lockdep_assert_held(&owner->lock);
	xa_erase(&owner->devices, device->id);
	macstats_emu_devices_changed(owner);
	macstats_emu_disown(device);
	platform_device_del(device->pdev);
	macstats_emu_device_put(device);
}

static int macstats_emu_compare_ids(const void *first, const void *second)
{
	const struct macstats_emu_device *const *a = first;
	const struct macstats_emu_device *const *b = second;

	return (*a)->id < (*b)->id ? -1 : (*a)->id > (*b)->id;
}

/*
 * Prevent binding and unbinding of up to MACSTATS_EMU_BATCH devices. Sorts them by id, so
 * that every caller locks in the same order.
 */
static void macstats_emu_lock_bindings(struct macstats_emu_device **devices, unsigned int n)
{
	unsigned int i;

	sort(devices, n, sizeof(*devices), macstats_emu_compare_ids, NULL);
	for (i = 0; i < n; i++)
		device_lock(&devices[i]->pdev->dev);
}

static void macstats_emu_unlock_bindings(struct macstats_emu_device *const *devices,
					 unsigned int n)
{
	while (n--)
		device_unlock(&devices[n]->pdev->dev);
}

/* Delete several devices, which takes little longer than deleting one. */
static void macstats_emu_devices_del(struct macstats_emu_net *owner,
				     struct macstats_emu_device **devices, unsigned int n)
{
	unsigned int i;

	macstats_emu_lock_bindings(devices, n);
	macstats_emu_netdevs_del(devices, n, NULL);
	macstats_emu_unlock_bindings(devices, n);
	for (i = 0; i < n; i++)
		macstats_emu_device_del(owner, devices[i]);
}

static void macstats_emu_delete_orphans(struct work_struct *work)
{
	struct macstats_emu_net *owner = container_of(work, struct macstats_emu_net, orphans_work);
	struct macstats_emu_device *orphans[MACSTATS_EMU_BATCH];
	unsigned int n;

	do {
		mutex_lock(&owner->lock);
		n = macstats_emu_take_orphans(owner, orphans);
		macstats_emu_devices_del(owner, orphans, n);
		mutex_unlock(&owner->lock);
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
 * Get up to MACSTATS_EMU_BATCH devices of other namespaces with ports in @net, with
 * references. Return: how many.
 */
static unsigned int macstats_emu_get_guests(struct net *net, struct macstats_emu_device **devices)
{
	struct net_device *netdev;
	unsigned int n = 0;
	unsigned int i;

	rtnl_lock();
	for_each_netdev(net, netdev) {
		struct macstats_emu_slot *slot;
		struct macstats_emu_port *port;

		if (!macstats_emu_is_port(netdev))
			continue;
		slot = macstats_emu_slot_of(netdev);
		port = slot->port;
		if (rtnl_dereference(slot->netdev) != netdev ||
		    READ_ONCE(port->device->home) == net)
			continue;
		for (i = 0; i < n && devices[i] != port->device; i++)
			;
		if (i < n)
			continue;
		if (n == MACSTATS_EMU_BATCH)
			break;
		kref_get(&port->device->ref);
		devices[n++] = port->device;
	}
	rtnl_unlock();
	return n;
}

/* Delete the ports that have moved to @net. A device is deleted with its last port. */
static void macstats_emu_end_guests(struct net *net)
{
	struct macstats_emu_device *devices[MACSTATS_EMU_BATCH];
	bool empty[MACSTATS_EMU_BATCH];
	unsigned int n;
	unsigned int i;

	while ((n = macstats_emu_get_guests(net, devices))) {
		macstats_emu_lock_bindings(devices, n);
		macstats_emu_netdevs_del(devices, n, net);
		for (i = 0; i < n; i++)
			empty[i] = !macstats_emu_has_ports(devices[i]);
		macstats_emu_unlock_bindings(devices, n);
		for (i = 0; i < n; i++) {
			if (empty[i])
				macstats_emu_orphan(devices[i]);
			macstats_emu_device_put(devices[i]);
		}
	}
}

static int __net_init macstats_emu_pernet_init(struct net *net)
{
	struct macstats_emu_net *owner = macstats_emu_net(net);

	mutex_init(&owner->lock);
	xa_init(&owner->devices);
	owner->seq = 1;
	INIT_LIST_HEAD(&owner->owned);
	INIT_LIST_HEAD(&owner->orphans);
	INIT_WORK(&owner->orphans_work, macstats_emu_delete_orphans);
	return 0;
}

/*
 * A namespace ends. Delete the devices that it has made, wherever their ports are, and
 * the ports of other devices in it: the core would move net devices without rtnl_link_ops
 * to the first namespace.
 */
static void __net_exit macstats_emu_pernet_exit(struct net *net)
{
	struct macstats_emu_net *owner = macstats_emu_net(net);
	struct macstats_emu_device *batch[MACSTATS_EMU_BATCH];
	unsigned int n;

	macstats_emu_end_guests(net);
	mutex_lock(&owner->lock);
	do {
		n = xa_extract(&owner->devices, (void **)batch, 0, ULONG_MAX, MACSTATS_EMU_BATCH,
			       XA_PRESENT);
		macstats_emu_devices_del(owner, batch, n);
	} while (n);
	mutex_unlock(&owner->lock);
	/* Without devices, nothing queues the work any more. */
	cancel_work_sync(&owner->orphans_work);
	if (owner->wq)
		destroy_workqueue(owner->wq);
	mutex_destroy(&owner->lock);
}

static struct pernet_operations macstats_emu_pernet_ops = {
	.init = macstats_emu_pernet_init,
	.exit = macstats_emu_pernet_exit,
	.id = &macstats_emu_net_id,
	.size = sizeof(struct macstats_emu_net),
};

/* Pernet operations of devices run before the core moves the net devices that are left. */
int __init macstats_emu_plug_init(void)
{
	return register_pernet_device(&macstats_emu_pernet_ops);
}

void macstats_emu_plug_exit(void)
{
	unregister_pernet_device(&macstats_emu_pernet_ops);
}
