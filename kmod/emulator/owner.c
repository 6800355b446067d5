// SPDX-License-Identifier: GPL-2.0
/*
 * The owners of devices: the network namespace that made a device, and the netlink socket
 * with which it is deleted. plug.c deletes the devices; this file only keeps the lists.
 */
#include <linux/netlink.h>
#include <linux/notifier.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "emu.h"

/* Protects macstats_emu_device.home, and both lists of every namespace. */
static DEFINE_SPINLOCK(macstats_emu_owners_lock);

unsigned int macstats_emu_net_id __read_mostly;

struct macstats_emu_net *macstats_emu_net(const struct net *net)
{
	return net_generic(net, macstats_emu_net_id);
}

/* Make @net the home of a device. */
void macstats_emu_settle(struct macstats_emu_device *device, struct net *net)
{
	spin_lock(&macstats_emu_owners_lock);
	WRITE_ONCE(device->home, net);
	spin_unlock(&macstats_emu_owners_lock);
}

/* Get the home with a reference. NULL if it is ending: it takes no new net devices. */
struct net *macstats_emu_get_home(const struct macstats_emu_device *device)
{
	struct net *net;

	spin_lock(&macstats_emu_owners_lock);
	net = device->home ? maybe_get_net(device->home) : NULL;
	spin_unlock(&macstats_emu_owners_lock);
	return net;
}

/* Delete the device with a socket, unless it already is an orphan. */
void macstats_emu_own(struct macstats_emu_net *owner, struct macstats_emu_device *device,
		      u32 portid)
{
	spin_lock(&macstats_emu_owners_lock);
	device->owner_portid = portid;
	if (list_empty(&device->owned))
		list_add_tail(&device->owned, &owner->owned);
	spin_unlock(&macstats_emu_owners_lock);
}

/* Remove the device from its home. */
void macstats_emu_disown(struct macstats_emu_device *device)
{
	spin_lock(&macstats_emu_owners_lock);
	list_del_init(&device->owned);
	WRITE_ONCE(device->home, NULL);
	spin_unlock(&macstats_emu_owners_lock);
}

/*
 * Let the work of its home delete a device, unless its deletion is under way. Does not
 * wait for the work.
 */
void macstats_emu_orphan(struct macstats_emu_device *device)
{
	spin_lock(&macstats_emu_owners_lock);
	if (device->home) {
		struct macstats_emu_net *owner = macstats_emu_net(device->home);

		list_move_tail(&device->owned, &owner->orphans);
		queue_work(system_unbound_wq, &owner->orphans_work);
	}
	spin_unlock(&macstats_emu_owners_lock);
}

/*
 * Take up to MACSTATS_EMU_BATCH orphans from the list. Return: how many. The caller holds
 * owner->lock, so that they are not deleted meanwhile.
 */
unsigned int macstats_emu_take_orphans(struct macstats_emu_net *owner,
				       struct macstats_emu_device **orphans)
{
	unsigned int n = 0;

	lockdep_assert_held(&owner->lock);
	spin_lock(&macstats_emu_owners_lock);
	while (n < MACSTATS_EMU_BATCH && !list_empty(&owner->orphans)) {
		orphans[n] = list_first_entry(&owner->orphans, struct macstats_emu_device, owned);
		list_del_init(&orphans[n++]->owned);
	}
	spin_unlock(&macstats_emu_owners_lock);
	return n;
}

/* A netlink socket was closed. The socket keeps its namespace until then. */
static int macstats_emu_netlink_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	const struct netlink_notify *notify = ptr;
	struct macstats_emu_device *device;
	struct macstats_emu_device *next;
	struct macstats_emu_net *owner;
	bool found = false;

	if (event != NETLINK_URELEASE || notify->protocol != NETLINK_GENERIC)
		return NOTIFY_DONE;
	owner = macstats_emu_net(notify->net);
	spin_lock(&macstats_emu_owners_lock);
	list_for_each_entry_safe(device, next, &owner->owned, owned) {
		if (device->owner_portid != notify->portid)
			continue;
		list_move_tail(&device->owned, &owner->orphans);
		found = true;
	}
	if (found)
		queue_work(system_unbound_wq, &owner->orphans_work);
	spin_unlock(&macstats_emu_owners_lock);
	return NOTIFY_DONE;
}

static struct notifier_block macstats_emu_netlink_notifier = {
	.notifier_call = macstats_emu_netlink_event,
};

int __init macstats_emu_owners_init(void)
{
	return netlink_register_notifier(&macstats_emu_netlink_notifier);
}

/* Closing a socket no longer orphans devices. */
void macstats_emu_owners_exit(void)
{
	netlink_unregister_notifier(&macstats_emu_netlink_notifier);
}
