// SPDX-License-Identifier: GPL-2.0
/*
 * All ports: registration, the sharing of hardware, lookup, and their way through network
 * namespaces.
 */
#include <linux/device.h>
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/netdevice.h>
#include <linux/notifier.h>
#include <linux/rculist.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include <macstats/netlink.h>

#include "../compat.h"
#include "internal.h"

static DEFINE_SPINLOCK(macstats_ports_lock);	/* protects the table */
static DEFINE_HASHTABLE(macstats_ports_by_netdev, 8);
static unsigned long macstats_last_id;
static unsigned int macstats_net_id __read_mostly;

struct macstats_net *macstats_net_of(const struct net *net)
{
	return net_generic(net, macstats_net_id);
}

static void macstats_port_free_rcu(struct rcu_head *rcu)
{
	struct macstats_port *port = container_of(rcu, struct macstats_port, rcu);

	macstats_hw_put(port->hw);
	kvfree(port);
}

static void macstats_port_is_unused(struct kref *ref)
{
	complete(&container_of(ref, struct macstats_port, ref)->unused);
}

/* A reader with a reference must not wait for RTNL: macstats_port_unregister() waits. */
void macstats_port_put(struct macstats_port *port)
{
	kref_put(&port->ref, macstats_port_is_unused);
}

/* Find the port of a net device. Caller holds the RCU read lock. Return: the port, or NULL. */
struct macstats_port *macstats_port_find_rcu(const struct net_device *netdev)
{
	struct macstats_port *port;

	hash_for_each_possible_rcu(macstats_ports_by_netdev, port, node, (unsigned long)netdev)
		if (port->netdev == netdev)
			return port;
	return NULL;
}

/* Find the port of a net device. Return: the port with a reference, or NULL. */
struct macstats_port *macstats_port_find(const struct net_device *netdev)
{
	struct macstats_port *port;

	rcu_read_lock();
	port = macstats_port_find_rcu(netdev);
	if (port && !kref_get_unless_zero(&port->ref))
		port = NULL;
	rcu_read_unlock();
	return port;
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

/*
 * Find a port of a namespace whose model has the lowest number from @id on, and the sequence number
 * of the namespace at that moment. Return: the port with a reference, or NULL after the last.
 */
struct macstats_port *macstats_port_of_model(struct macstats_net *ports, u32 id,
					     unsigned int *seq)
{
	struct macstats_port *found = NULL;
	struct rb_node *node;

	spin_lock(&ports->lock);
	*seq = ports->seq;
	for (node = rb_first(&ports->ports); node; node = rb_next(node)) {
		struct macstats_port *port = rb_entry(node, struct macstats_port, net_node);
		u32 at = port->hw->model_id;

		if (at >= id && (!found || at < found->hw->model_id))
			found = port;
		if (at == id)
			break;
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

/* The net device of the port comes to its namespace. Caller holds port->hw->ports_lock. */
static void macstats_port_begin(struct macstats_port *port)
{
	struct macstats_notice notice = { .port = port };
	struct macstats_net *ports;

	port->net = dev_net(port->netdev);
	port->ifindex = port->netdev->ifindex;
	strscpy(port->name, port->netdev->name, sizeof(port->name));
	ports = macstats_net_of(port->net);
	spin_lock(&ports->lock);
	rb_add(&port->net_node, &ports->ports, macstats_port_less);
	macstats_net_changed(ports);
	spin_unlock(&ports->lock);
	macstats_port_notify(MACSTATS_CMD_PORT_NEW_NTF, &notice);
}

/* The net device of the port leaves its namespace. Caller holds port->hw->ports_lock. */
static void macstats_port_end(struct macstats_port *port)
{
	struct macstats_net *ports = macstats_net_of(port->net);
	struct macstats_notice notice = { .port = port };

	macstats_port_notify(MACSTATS_CMD_PORT_DEL_NTF, &notice);
	spin_lock(&ports->lock);
	rb_erase(&port->net_node, &ports->ports);
	macstats_net_changed(ports);
	spin_unlock(&ports->lock);
	port->net = NULL;
}

/* Adopt the name of the net device. Caller holds port->hw->ports_lock. */
static void macstats_port_rename(struct macstats_port *port)
{
	struct macstats_net *ports = macstats_net_of(port->net);

	strscpy(port->name, port->netdev->name, sizeof(port->name));
	spin_lock(&ports->lock);
	macstats_net_changed(ports);
	spin_unlock(&ports->lock);
}

/* Bind the port to @hw, whose reference it takes over. */
static void macstats_port_join(struct macstats_port *port, struct macstats_hw *hw)
{
	port->hw = hw;
	mutex_lock(&hw->ports_lock);
	list_add_tail(&port->hw_node, &hw->ports);
	mutex_unlock(&hw->ports_lock);
}

/* May a further net device share the hardware? Caller holds hw->ports_lock. */
static bool macstats_hw_may_share(const struct macstats_hw *hw)
{
	const struct macstats_port *port;

	list_for_each_entry(port, &hw->ports, hw_node)
		if (port->netdev)
			return hw->shared;
	return true;
}

/* Add the port to the table. Caller holds port->hw->ports_lock. Return: 0 or -EEXIST. */
static int macstats_port_add(struct macstats_port *port, struct net_device *netdev)
{
	int err = 0;

	spin_lock(&macstats_ports_lock);
	rcu_read_lock();
	if (macstats_port_find_rcu(netdev))
		err = -EEXIST;
	rcu_read_unlock();
	if (!err) {
		port->id = ++macstats_last_id;
		port->netdev = netdev;
		hash_add_rcu(macstats_ports_by_netdev, &port->node, (unsigned long)netdev);
	}
	spin_unlock(&macstats_ports_lock);
	return err;
}

/*
 * Let macstats_port_find() find the port. Return: 0, or an error, which the log explains. May
 * sleep.
 */
static int macstats_port_list(struct macstats_port *port, struct net_device *netdev)
{
	struct macstats_hw *hw = port->hw;
	int err;

	/* The number of its strings must not change. */
	if (netdev->reg_state != NETREG_UNINITIALIZED) {
		netdev_err(netdev, "no statistics: the net device was registered before its port\n");
		return -EINVAL;
	}
	mutex_lock(&hw->ports_lock);
	err = macstats_hw_may_share(hw) ? macstats_port_add(port, netdev) : -EINVAL;
	mutex_unlock(&hw->ports_lock);
	if (err == -EINVAL)
		netdev_err(netdev, "no statistics: the hardware is not registered as shared\n");
	else if (err)
		netdev_err(netdev, "no statistics: the net device has a port already\n");
	return err;
}

/* A new port without hardware and without a net device, or NULL without memory. */
static struct macstats_port *macstats_port_alloc(void)
{
	struct macstats_port *port;

	port = kvzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return NULL;
	kref_init(&port->ref);
	init_completion(&port->unused);
	return port;
}

/* See macstats_port_register(). @dev: for messages; NULL: that of the net device or regmap. */
static struct macstats_port *macstats_port_new(struct device *dev,
					       const struct macstats_port_config *config,
					       const struct macstats_emulated *emulated)
{
	struct macstats_port *port;
	struct macstats_hw *hw;
	int err = 0;

	/* The ports that use a model have shown that it is good. */
	if (!macstats_model_is_used(config->model))
		err = macstats_config_check_model(config);
	if (!err)
		err = macstats_config_check(config);
	if (err)
		return ERR_PTR(err);
	port = macstats_port_alloc();
	if (!port)
		return ERR_PTR(-ENOMEM);
	hw = macstats_hw_create(dev, config, emulated);
	if (IS_ERR(hw)) {
		kvfree(port);
		return ERR_CAST(hw);
	}
	macstats_port_join(port, hw);
	if (config->netdev) {
		err = macstats_port_list(port, config->netdev);
		if (err) {
			macstats_port_unregister(port);
			return ERR_PTR(err);
		}
	}
	macstats_hw_start(hw);
	macstats_hw_report(hw);
	return port;
}

/**
 * macstats_port_register_emulated() - macstats_port_register() of emulated hardware
 * @config: the port and its properties
 * @emulated: what emulated hardware has besides; copied
 *
 * Context: as macstats_port_register().
 * Return: as macstats_port_register().
 */
struct macstats_port *macstats_port_register_emulated(const struct macstats_port_config *config,
						      const struct macstats_emulated *emulated)
{
	return macstats_port_new(NULL, config, emulated);
}
EXPORT_SYMBOL_NS_GPL(macstats_port_register_emulated, MACSTATS_NAMESPACE);

/**
 * macstats_port_register() - provide the statistics of a port
 * @config: the port and its properties
 *
 * Identifies the hardware, takes the present values of its counters as the baseline, and starts to
 * poll them; a clear command of the model is given before. Comes before register_netdev(), or in
 * ndo_init: the number of strings of a net device never changes. Undo with
 * macstats_port_unregister().
 *
 * Context: process context, may sleep; under RTNL, holds it for a poll of a slow bus.
 * Return: the port, or an ERR_PTR: -EINVAL if the config is invalid or the net device is
 *	registered, -EEXIST if this port of the regmap is registered already or the net device has
 *	a port, -ENODEV if the registers are not those of the model, or the error of the first read.
 */
struct macstats_port *macstats_port_register(const struct macstats_port_config *config)
{
	return macstats_port_new(NULL, config, NULL);
}
EXPORT_SYMBOL_GPL(macstats_port_register);

static void macstats_port_release(void *port)
{
	macstats_port_unregister(port);
}

/**
 * devm_macstats_port_register() - macstats_port_register(), undone with the device
 * @dev: the device
 * @config: the port and its properties
 *
 * Stands before devm_register_netdev(), so that the port ends after its net device.
 *
 * Context: as macstats_port_register().
 * Return: as macstats_port_register().
 */
struct macstats_port *devm_macstats_port_register(struct device *dev,
						  const struct macstats_port_config *config)
{
	struct macstats_port *port;
	int err;

	port = macstats_port_new(dev, config, NULL);
	if (IS_ERR(port))
		return port;
	err = devm_add_action_or_reset(dev, macstats_port_release, port);
	return err ? ERR_PTR(err) : port;
}
EXPORT_SYMBOL_GPL(devm_macstats_port_register);

/**
 * macstats_port_share() - provide the statistics of a port to a further net device
 * @port: a port of the hardware
 * @netdev: the further net device, not yet registered
 *
 * For net devices with one block of counters, as the two of a switch in dual-EMAC mode. The
 * config of @port has MACSTATS_PORT_SHARED, unless @netdev is the first and only one. The
 * hardware keeps its one reader. Each net device shows the totals of the whole block, in ethtool
 * -S as in netlink, and no standard statistic: what is of one net device alone, the driver counts.
 * It has an ifindex, a name and a namespace of its own; all else, as the poll interval, belongs to
 * the hardware. An event of the hardware is reported for each net device, and logged once.
 *
 * A driver reports what happens to the hardware (macstats_port_suspend(), _resume(), _reset(),
 * _gone()) once, with any of the ports. Undo with macstats_port_unregister(); the ports may be
 * unregistered in any order, and the last one ends the polls.
 *
 * Context: process context, may sleep.
 * Return: the port of @netdev, or an ERR_PTR, as -EEXIST if it has a port, or -EINVAL if it is
 *	registered or the hardware of @port is not shared.
 */
struct macstats_port *macstats_port_share(struct macstats_port *port, struct net_device *netdev)
{
	struct macstats_port *another;
	int err;

	another = macstats_port_alloc();
	if (!another)
		return ERR_PTR(-ENOMEM);
	kref_get(&port->hw->ref);
	macstats_port_join(another, port->hw);
	err = macstats_port_list(another, netdev);
	if (err) {
		macstats_port_unregister(another);
		return ERR_PTR(err);
	}
	return another;
}
EXPORT_SYMBOL_GPL(macstats_port_share);

/**
 * macstats_port_unregister() - stop to provide the statistics of a port
 * @port: the port, which must not be used any more; NULL or an error of its registration:
 *	nothing to do
 *
 * Comes after unregister_netdev(), in ndo_uninit or in priv_destructor; the net device must not be
 * freed before (as needs_free_netdev may do).
 *
 * Nothing calls the driver's functions, accesses the hardware or refers to its model after the last
 * of the ports that share it.
 *
 * Context: process context, may sleep; under RTNL, holds it for a poll of a slow bus.
 */
void macstats_port_unregister(struct macstats_port *port)
{
	struct macstats_hw *hw;
	bool last;

	if (IS_ERR_OR_NULL(port))
		return;
	hw = port->hw;
	if (port->netdev) {
		spin_lock(&macstats_ports_lock);
		hash_del_rcu(&port->node);
		spin_unlock(&macstats_ports_lock);
	}
	mutex_lock(&hw->ports_lock);
	if (port->net) {
		netdev_err(port->netdev, "the port ends before its net device\n");
		macstats_port_end(port);
	}
	list_del(&port->hw_node);
	last = list_empty(&hw->ports);
	mutex_unlock(&hw->ports_lock);
	if (last) {
		macstats_hw_retire(hw);
		macstats_hw_close(hw);
	}
	macstats_port_put(port);
	wait_for_completion(&port->unused);
	call_rcu(&port->rcu, macstats_port_free_rcu);
}
EXPORT_SYMBOL_GPL(macstats_port_unregister);

/**
 * macstats_ndo_uninit() - macstats_port_unregister() of the port of a net device, for ndo_uninit
 * @netdev: the net device, with or without a port
 *
 * The driver's pointer to the port is not valid afterwards. Not for a port of
 * devm_macstats_port_register(), which would be unregistered twice.
 *
 * Context: as macstats_port_unregister().
 */
void macstats_ndo_uninit(struct net_device *netdev)
{
	struct macstats_port *port = macstats_port_find(netdev);

	if (!port)
		return;
	macstats_port_put(port);
	macstats_port_unregister(port);
}
EXPORT_SYMBOL_GPL(macstats_ndo_uninit);

/*
 * Follow the net device of a port through namespaces and names. Runs under RTNL. While
 * port->net is set, the namespace exists: its net devices leave it first.
 */
static int macstats_netdev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *netdev = netdev_notifier_info_to_dev(ptr);
	struct macstats_port *port;

	if (event != NETDEV_REGISTER && event != NETDEV_UNREGISTER && event != NETDEV_CHANGENAME)
		return NOTIFY_DONE;
	port = macstats_port_find(netdev);
	if (!port)
		return NOTIFY_DONE;

	mutex_lock(&port->hw->ports_lock);
	/* A port that its driver unregisters too early begins nowhere any more. */
	if (event == NETDEV_REGISTER && !port->net && hash_hashed(&port->node))
		macstats_port_begin(port);
	else if (event == NETDEV_UNREGISTER && port->net)
		macstats_port_end(port);
	else if (event == NETDEV_CHANGENAME && port->net)
		macstats_port_rename(port);
	mutex_unlock(&port->hw->ports_lock);
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
	rcu_barrier();		/* for macstats_port_free_rcu() */
}
