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

/* Some orphans. Caller holds emu_lock, so that they stay. */
static unsigned int emu_take_orphans(struct emu_device **orphans)
{
	unsigned int n = 0;

	spin_lock(&emu_owners_lock);
	while (n < EMU_BATCH && !list_empty(&emu_orphans)) {
		orphans[n] = list_first_entry(&emu_orphans, struct emu_device, owned);
		list_del_init(&orphans[n++]->owned);
	}
	spin_unlock(&emu_owners_lock);
	return n;
}

static void emu_delete_orphans(struct work_struct *work)
{
	struct emu_device *orphans[EMU_BATCH];
	unsigned int n;

	do {
		mutex_lock(&emu_lock);
		n = emu_take_orphans(orphans);
		emu_devices_del(orphans, n);
		mutex_unlock(&emu_lock);
	} while (n);
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
