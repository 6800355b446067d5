// SPDX-License-Identifier: GPL-2.0
/* Devices that go with the netlink socket which asked for them. */
#include <linux/netlink.h>
#include <linux/notifier.h>
#include <linux/workqueue.h>

#include "emu.h"

static DEFINE_SPINLOCK(emu_owners_lock);	/* both lists */
static LIST_HEAD(emu_owned);
static LIST_HEAD(emu_orphans);			/* whose socket is closed */

void emu_own(struct emu_device *device, struct net *net, u32 portid)
{
	device->owner_net = net;
	device->owner_portid = portid;
	spin_lock(&emu_owners_lock);
	list_add_tail(&device->owned, &emu_owned);
	spin_unlock(&emu_owners_lock);
}

void emu_disown(struct emu_device *device)
{
	spin_lock(&emu_owners_lock);
	list_del_init(&device->owned);
	spin_unlock(&emu_owners_lock);
}

/* An orphan. Caller holds emu_lock, so that it stays. */
static struct emu_device *emu_orphan(void)
{
	struct emu_device *device;

	spin_lock(&emu_owners_lock);
	device = list_first_entry_or_null(&emu_orphans, struct emu_device, owned);
	spin_unlock(&emu_owners_lock);
	return device;
}

static void emu_delete_orphans(struct work_struct *work)
{
	struct emu_device *device;

	mutex_lock(&emu_lock);
	while ((device = emu_orphan()))
		emu_device_del(device);
	mutex_unlock(&emu_lock);
}

static DECLARE_WORK(emu_orphans_work, emu_delete_orphans);

/*
 * A socket is closed. It has kept its namespace until now, so that no other one
 * can be at that address.
 */
static int emu_netlink_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	const struct netlink_notify *notify = ptr;
	struct emu_device *device;
	struct emu_device *next;
	bool found = false;

	if (event != NETLINK_URELEASE || notify->protocol != NETLINK_GENERIC)
		return NOTIFY_DONE;
	spin_lock(&emu_owners_lock);
	list_for_each_entry_safe(device, next, &emu_owned, owned) {
		if (device->owner_net != notify->net || device->owner_portid != notify->portid)
			continue;
		list_move_tail(&device->owned, &emu_orphans);
		found = true;
	}
	spin_unlock(&emu_owners_lock);
	/* Not here: who closes a socket shall not wait for net devices to go. */
	if (found)
		queue_work(system_unbound_wq, &emu_orphans_work);
	return NOTIFY_DONE;
}

static struct notifier_block emu_netlink_notifier = {
	.notifier_call = emu_netlink_event,
};

int __init emu_owners_init(void)
{
	return netlink_register_notifier(&emu_netlink_notifier);
}

/* No device becomes an orphan any more; those that are have to be deleted as the others. */
void emu_owners_exit(void)
{
	netlink_unregister_notifier(&emu_netlink_notifier);
	cancel_work_sync(&emu_orphans_work);
}
