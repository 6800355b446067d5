// SPDX-License-Identifier: GPL-2.0
/*
 * All ports: registration, the sharing of hardware, lookup, and their way through network
 * namespaces.
 */
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "internal.h"

static DEFINE_SPINLOCK(macstats_ports_lock);	/* protects the table */
static DEFINE_HASHTABLE(macstats_ports_by_netdev, 8);
static unsigned long macstats_last_id;
static unsigned int macstats_net_id __read_mostly;

struct macstats_net *macstats_net_of(const struct net *net)
{
	return net_generic(net, macstats_net_id);
}

static void macstats_port_free(struct kref *ref)
{
	struct macstats_port *port = container_of(ref, struct macstats_port, ref);

	if (port->hw)
		macstats_hw_put(port->hw);
	kvfree(port->thresholds);
	kvfree(port);
}

void macstats_port_put(struct macstats_port *port)
{
	kref_put(&port->ref, macstats_port_free);
}

/* Find the port of a net device. Return: the port with a reference, or NULL. */
struct macstats_port *macstats_port_find(const struct net_device *netdev)
{
	struct macstats_port *port;

	spin_lock(&macstats_ports_lock);
	hash_for_each_possible(macstats_ports_by_netdev, port, node, (unsigned long)netdev) {
		if (port->netdev == netdev) {
			kref_get(&port->ref);
			spin_unlock(&macstats_ports_lock);
			return port;
		}
	}
	spin_unlock(&macstats_ports_lock);
	return NULL;
}

/*
 * Find the first port of a namespace whose id is @id or more, and the sequence number of
 * the namespace at that moment. Return: the port with a reference, or NULL after the last.
 */
struct macstats_port *macstats_port_next(struct macstats_net *ports, unsigned long id,
					 unsigned int *seq)
{
	struct macstats_port *found = NULL;
	struct rb_node *node;

	spin_lock(&ports->lock);
	*seq = ports->seq;
	node = ports->ports.rb_node;
	while (node) {
		struct macstats_port *port = rb_entry(node, struct macstats_port, net_node);

		if (port->id >= id) {
			found = port;
			node = node->rb_left;
		} else {
			node = node->rb_right;
		}
	}
	if (found)
		kref_get(&found->ref);
	spin_unlock(&ports->lock);
	return found;
}

/* Let dumps under way notice a change. Caller holds ports->lock. */
static void macstats_net_changed(struct macstats_net *ports)
{
	if (!++ports->seq)
		ports->seq = 1;
}

static bool macstats_port_less(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct macstats_port, net_node)->id <
	       rb_entry(b, struct macstats_port, net_node)->id;
}

/* Add the port to the namespace of its net device. Caller holds port->hw->lock. */
static void macstats_port_enter(struct macstats_port *port)
{
	struct macstats_net *ports;

	port->net = dev_net(port->netdev);
	port->ifindex = port->netdev->ifindex;
	strscpy(port->name, port->netdev->name, sizeof(port->name));
	ports = macstats_net_of(port->net);
	spin_lock(&ports->lock);
	rb_add(&port->net_node, &ports->ports, macstats_port_less);
	macstats_net_changed(ports);
	spin_unlock(&ports->lock);
}

/* Remove the port from its namespace. Caller holds port->hw->lock. */
static void macstats_port_leave(struct macstats_port *port)
{
	struct macstats_net *ports = macstats_net_of(port->net);

	spin_lock(&ports->lock);
	rb_erase(&port->net_node, &ports->ports);
	macstats_net_changed(ports);
	spin_unlock(&ports->lock);
	port->net = NULL;
}

/* Adopt the name of the net device. Caller holds port->hw->lock. */
static void macstats_port_rename(struct macstats_port *port)
{
	struct macstats_net *ports = macstats_net_of(port->net);

	strscpy(port->name, port->netdev->name, sizeof(port->name));
	spin_lock(&ports->lock);
	macstats_net_changed(ports);
	spin_unlock(&ports->lock);
}

/* Let macstats_port_find() find the port. */
static void macstats_port_list(struct macstats_port *port)
{
	spin_lock(&macstats_ports_lock);
	port->id = ++macstats_last_id;
	hash_add(macstats_ports_by_netdev, &port->node, (unsigned long)port->netdev);
	spin_unlock(&macstats_ports_lock);
}

/*
 * Let macstats_port_find() and dumps no longer find the port. Until this returns, a getter
 * with only a reference to the port may use the net device under port->hw->lock.
 */
static void macstats_port_unlist(struct macstats_port *port)
{
	spin_lock(&macstats_ports_lock);
	hash_del(&port->node);
	spin_unlock(&macstats_ports_lock);

	mutex_lock(&port->hw->lock);
	if (port->net)
		macstats_port_leave(port);
	mutex_unlock(&port->hw->lock);
}

/* A new port without hardware, or NULL without memory. */
static struct macstats_port *macstats_port_alloc(struct net_device *netdev)
{
	struct macstats_port *port;

	port = kvzalloc(sizeof(*port), GFP_KERNEL_ACCOUNT);
	if (!port)
		return NULL;
	kref_init(&port->ref);
	port->netdev = netdev;
	return port;
}

/* Let the hardware, whose reference the port takes over, serve the port. */
static void macstats_port_join(struct macstats_port *port, struct macstats_hw *hw)
{
	port->hw = hw;
	mutex_lock(&hw->hw_lock);
	mutex_lock(&hw->lock);
	list_add_tail(&port->hw_node, &hw->ports);
	hw->users++;
	mutex_unlock(&hw->lock);
	mutex_unlock(&hw->hw_lock);
	macstats_port_list(port);
}

/* Let the hardware no longer serve the port, nor use its net device. */
static void macstats_port_part(struct macstats_port *port)
{
	struct macstats_hw *hw = port->hw;

	mutex_lock(&hw->hw_lock);
	mutex_lock(&hw->lock);
	list_del(&port->hw_node);
	if (!list_empty(&hw->ports))
		hw->netdev = list_first_entry(&hw->ports, struct macstats_port, hw_node)->netdev;
	mutex_unlock(&hw->lock);
	mutex_unlock(&hw->hw_lock);
}

/**
 * macstats_port_register() - provide the statistics of a port
 * @config: the port and its properties
 *
 * Identifies the hardware, clears its counters, and starts to poll them. To be called
 * before register_netdev(). Undo with macstats_port_unregister().
 *
 * Context: process context, may sleep.
 * Return: the port, or an ERR_PTR: -EINVAL if the config is invalid, -EEXIST if this port of
 *	the regmap is registered already, -ENODEV if the registers are not those of the model, or
 *	the error of the first read.
 */
struct macstats_port *macstats_port_register(const struct macstats_port_config *config)
{
	struct macstats_port *port;
	struct macstats_hw *hw;

	port = macstats_port_alloc(config->netdev);
	if (!port)
		return ERR_PTR(-ENOMEM);
	hw = macstats_hw_create(config);
	if (IS_ERR(hw)) {
		macstats_port_put(port);
		return ERR_CAST(hw);
	}
	macstats_port_join(port, hw);
	macstats_hw_start(hw);
	return port;
}
EXPORT_SYMBOL_GPL(macstats_port_register);

/**
 * macstats_port_share() - provide the statistics of a port to a further net device
 * @port: a port of the hardware
 * @netdev: the further net device, not registered yet
 *
 * For net devices with one block of counters, as the two of a switch in dual-EMAC mode. The
 * hardware keeps its one reader. Each net device shows the totals of the whole block, in ip
 * and ethtool as in netlink. It has an ifindex, a name, a namespace and thresholds of its own;
 * all else, as the poll interval, belongs to the hardware. An event of the hardware is
 * reported for each net device, and logged once.
 *
 * A driver reports what happens to the hardware (macstats_port_suspend(), _resume(), _reset(),
 * _gone(), _interrupt()) once, with any of the ports. To be called before register_netdev().
 * Undo with macstats_port_unregister(); the ports may be unregistered in any order, and the
 * last one ends the polls.
 *
 * Context: process context, may sleep; not under RTNL if the bus is slow.
 * Return: the port of @netdev, or an ERR_PTR.
 */
struct macstats_port *macstats_port_share(struct macstats_port *port, struct net_device *netdev)
{
	struct macstats_port *another;

	another = macstats_port_alloc(netdev);
	if (!another)
		return ERR_PTR(-ENOMEM);
	kref_get(&port->hw->ref);
	macstats_port_join(another, port->hw);
	return another;
}
EXPORT_SYMBOL_GPL(macstats_port_share);

/**
 * macstats_port_unregister() - stop to provide the statistics of a port
 * @port: the port
 *
 * To be called after unregister_netdev(). Nothing uses the net device after it. If no other
 * port shares the hardware, nothing accesses the hardware either.
 *
 * Context: process context, may sleep; not under RTNL if the bus is slow.
 */
void macstats_port_unregister(struct macstats_port *port)
{
	struct macstats_hw *hw = port->hw;
	bool last;

	mutex_lock(&hw->lock);
	last = !--hw->users;
	mutex_unlock(&hw->lock);
	if (last)
		macstats_hw_retire(hw);
	macstats_port_unlist(port);
	if (last)
		macstats_hw_close(hw);
	macstats_port_part(port);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_port_unregister);

/*
 * Follow the net device of a port through namespaces and names. Runs under RTNL. While
 * port->net is set, the namespace exists: its net devices leave it first.
 */
static int macstats_netdev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *netdev = netdev_notifier_info_to_dev(ptr);
	struct macstats_notice notice = {};
	struct macstats_port *port;

	if (event != NETDEV_REGISTER && event != NETDEV_UNREGISTER && event != NETDEV_CHANGENAME)
		return NOTIFY_DONE;
	port = macstats_port_find(netdev);
	if (!port)
		return NOTIFY_DONE;

	notice.port = port;
	mutex_lock(&port->hw->lock);
	if (event == NETDEV_REGISTER && !port->net) {
		macstats_port_enter(port);
		macstats_port_notify(MACSTATS_PORT_ADDED, &notice);
	} else if (event == NETDEV_UNREGISTER && port->net) {
		macstats_port_notify(MACSTATS_PORT_REMOVED, &notice);
		macstats_port_leave(port);
	} else if (event == NETDEV_CHANGENAME && port->net) {
		macstats_port_rename(port);
	}
	mutex_unlock(&port->hw->lock);
	macstats_port_put(port);
	return NOTIFY_DONE;
}

static struct notifier_block macstats_netdev_notifier = {
	.notifier_call = macstats_netdev_event,
};

static int __net_init macstats_net_init(struct net *net)
{
	struct macstats_net *ports = macstats_net_of(net);

	spin_lock_init(&ports->lock);
	ports->ports = RB_ROOT;
	ports->seq = 1;
	return 0;
}

static void __net_exit macstats_net_exit(struct net *net)
{
	WARN_ON_ONCE(!RB_EMPTY_ROOT(&macstats_net_of(net)->ports));
}

static struct pernet_operations macstats_net_ops = {
	.init = macstats_net_init,
	.exit = macstats_net_exit,
	.id = &macstats_net_id,
	.size = sizeof(struct macstats_net),
};

int macstats_ports_init(void)
{
	int err;

	err = register_pernet_subsys(&macstats_net_ops);
	if (err)
		return err;
	err = register_netdevice_notifier(&macstats_netdev_notifier);
	if (err)
		unregister_pernet_subsys(&macstats_net_ops);
	return err;
}

void macstats_ports_exit(void)
{
	unregister_netdevice_notifier(&macstats_netdev_notifier);
	unregister_pernet_subsys(&macstats_net_ops);
}
