// SPDX-License-Identifier: GPL-2.0
/*
 * The driver side: a net device for each port, or two that share it, which count what they
 * send and receive in the port's registers and take their statistics from macstats.ko.
 */
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>

#include "../compat.h"
#include "netdev.h"

static const struct net_device_ops macstats_emu_netdev_ops;

/* Polls the ports, so that slow ones do not delay those of other drivers. */
struct workqueue_struct *macstats_emu_wq;

bool macstats_emu_is_port(const struct net_device *netdev)
{
	return netdev->netdev_ops == &macstats_emu_netdev_ops;
}

/* Without clocks, the port neither counts nor answers. */
static bool macstats_emu_clocks_run(void *priv)
{
	const struct macstats_emu_port *port = priv;

	return !(READ_ONCE(port->emu->faults) & MACSTATS_FAULT_CLOCK_STOPPED);
}

/*
 * False for all if built without statistics. Registers tell which blocks exist; nothing tells the
 * revision.
 */
static bool macstats_emu_has_counter(void *priv, const struct macstats_counter *counter)
{
	const struct macstats_emu_port *port = priv;
	unsigned int options = port->emu->options;

	return (options & macstats_statistics_options(port->device->model)) &&
	       macstats_in_revision(counter, macstats_revision(options));
}

static const struct macstats_port_ops macstats_emu_port_ops = {
	.clocks_run = macstats_emu_clocks_run,
	/* Like readq(): 64-bit kernels only. */
	.reg_read64 = IS_ENABLED(CONFIG_64BIT) ? macstats_emu_reg_read64 : NULL,
};

static int macstats_emu_get_phys_port_name(struct net_device *netdev, char *name, size_t len)
{
	const struct macstats_emu_priv *priv = netdev_priv(netdev);
	const struct macstats_emu_slot *slot = priv->slot;

	if (slot->port->device->n_slots == 1)
		return -EOPNOTSUPP;
	return snprintf(name, len, "p%u", slot->index) >= len ? -EINVAL : 0;
}

static const struct net_device_ops macstats_emu_netdev_ops = {
	.ndo_uninit = macstats_emu_disconnect,
	.ndo_open = macstats_emu_update_carriers,
	.ndo_stop = macstats_emu_update_carriers,
	.ndo_start_xmit = macstats_emu_start_xmit,
	.ndo_get_stats64 = macstats_emu_get_stats64,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_change_mtu = macstats_emu_change_mtu,
	.ndo_fix_features = macstats_emu_fix_features,
	.ndo_set_features = macstats_emu_set_features,
	.ndo_get_phys_port_name = macstats_emu_get_phys_port_name,
};

static void macstats_emu_setup(struct net_device *netdev)
{
	ether_setup(netdev);
	netdev->netdev_ops = &macstats_emu_netdev_ops;
	netdev->ethtool_ops = &macstats_emu_ethtool_ops;
#ifdef HAVE_NETDEV_STAT_OPS
	netdev->stat_ops = &macstats_netdev_stat_ops;
#endif
	/* A message of netconsole in an interrupt would be counted in the middle of a frame. */
	netdev->priv_flags |= IFF_LIVE_ADDR_CHANGE | IFF_NO_QUEUE | IFF_DISABLE_NETPOLL;
	netdev->priv_flags &= ~IFF_TX_SKB_SHARING;
	macstats_set_lltx(netdev);
	netdev->features |= NETIF_F_SG | NETIF_F_FRAGLIST | NETIF_F_HW_CSUM | NETIF_F_HIGHDMA;
	netdev->hw_features = NETIF_F_SG | NETIF_F_FRAGLIST | NETIF_F_HW_CSUM |
			      NETIF_F_LOOPBACK;
	netdev->vlan_features = netdev->features;
	eth_hw_addr_random(netdev);
}

/*
 * The statistics of a net device that already shares the port, or NULL. Caller holds the
 * driver core's lock.
 */
static struct macstats_port *macstats_emu_shared_stats(const struct macstats_emu_port *port)
{
	const struct net_device *netdev;
	unsigned int i;

	for (i = 0; i < port->n_slots; i++) {
		netdev = rcu_dereference_protected(port->slots[i].netdev,
						   lockdep_is_held(&port->device->pdev->dev.mutex));
		if (netdev)
			return macstats_emu_stats_of(netdev);
	}
	return NULL;
}

/* Make a net device, not yet registered, and without statistics. Return: it, or an ERR_PTR. */
static struct net_device *macstats_emu_netdev_alloc(struct macstats_emu_slot *slot, struct net *net)
{
	const struct macstats_emu_device *device = slot->port->device;
	struct macstats_emu_priv *priv;
	struct net_device *netdev;
	int err;

	netdev = alloc_netdev(sizeof(*priv), device->config.name, device->config.name_assign_type,
			      macstats_emu_setup);
	if (!netdev)
		return ERR_PTR(-ENOMEM);
	dev_net_set(netdev, net);
	SET_NETDEV_DEV(netdev, &device->pdev->dev);
	netdev->dev_port = slot->index;
	netdev->max_mtu = macstats_emu_max_mtu(device->model);
	netif_carrier_off(netdev);

	priv = netdev_priv(netdev);
	priv->slot = slot;
	priv->port = slot->port;
	priv->netdev = netdev;
	priv->rx_pause = true;
	priv->tx_pause = true;
	err = macstats_emu_traffic_init(priv);
	if (err) {
		free_netdev(netdev);
		return ERR_PTR(err);
	}
	return netdev;
}

static void macstats_emu_netdev_free(struct macstats_emu_priv *priv)
{
	free_percpu(priv->local);
	free_netdev(priv->netdev);
}

/* Prepare the hardware of a net device that is the first of its port, and register the port. */
static struct macstats_port *macstats_emu_stats_new(struct macstats_emu_priv *priv,
						    struct regmap *regmap)
{
	struct macstats_emu_port *port = priv->port;
	const struct macstats_emu_config *given = &port->device->config;
	const struct macstats_emulated emulated = {
		.held = given->held,
		.line_octets = macstats_emu_line_octets,
		.lowered = macstats_emu_lowered,
		.read_block = macstats_emu_read_block,
		.unbounded = given->no_line,
		.wq = macstats_emu_wq,
	};
	struct macstats_port_config config = {
		.netdev = priv->netdev,
		.model = given->model,
		.has_counter = macstats_emu_has_counter,
		.index = port->index,
		.regmap = regmap,
		.ops = &macstats_emu_port_ops,
		.priv = port,
		.line_rate_bps = port->line_rate_bps,
	};
	int err;

	if (!(READ_ONCE(port->emu->faults) & MACSTATS_FAULT_SLOW_BUS))
		config.flags |= MACSTATS_PORT_FAST_IO;
	if (given->private_only)
		config.flags |= MACSTATS_PORT_PRIVATE_ONLY;
	if (port->n_slots > 1)
		config.flags |= MACSTATS_PORT_SHARED;
	macstats_emu_port_ready(port);
	err = macstats_emu_apply_mtu(priv, priv->netdev->mtu);
	return err ? ERR_PTR(err) : macstats_port_register_emulated(&config, &emulated);
}

/* Register a net device, which may share its port with another one. May sleep. */
static int macstats_emu_netdev_register(struct macstats_emu_priv *priv)
{
	struct net_device *netdev = priv->netdev;
	int err;

	rtnl_lock();
	err = register_netdevice(netdev);
	if (!err) {
		rcu_assign_pointer(priv->slot->netdev, netdev);
		/* Under RTNL the net device that shares the port keeps its MTU. */
		if (priv->port->n_slots > 1)
			err = macstats_emu_apply_mtu(priv, netdev->mtu);
		if (err) {
			RCU_INIT_POINTER(priv->slot->netdev, NULL);
			unregister_netdevice(netdev);
		}
	}
	rtnl_unlock();
	return err;
}

/*
 * Make and register a net device, which @regmap must outlive. Return: the net device, or an
 * ERR_PTR. May sleep; the driver is being bound.
 */
struct net_device *macstats_emu_netdev_new(struct macstats_emu_slot *slot,
					   struct regmap *regmap, struct net *net)
{
	struct macstats_port *shared = macstats_emu_shared_stats(slot->port);
	struct macstats_emu_priv *priv;
	struct net_device *netdev;
	int err;

	netdev = macstats_emu_netdev_alloc(slot, net);
	if (IS_ERR(netdev))
		return netdev;
	priv = netdev_priv(netdev);
	priv->stats = shared ? macstats_port_share(shared, netdev) :
			       macstats_emu_stats_new(priv, regmap);
	err = PTR_ERR_OR_ZERO(priv->stats);
	if (err)
		goto err_free;
	err = macstats_emu_netdev_register(priv);
	if (err)
		goto err_stats;
	return netdev;

err_stats:
	macstats_port_unregister(priv->stats);
err_free:
	macstats_emu_netdev_free(priv);
	return ERR_PTR(err);
}

/* Set the maximum frame length for the net devices that stay. Caller holds RTNL. */
static void macstats_emu_restore_mtu(struct macstats_emu_device *device)
{
	unsigned int i;

	for (i = 0; i < device->n_slots; i++) {
		struct net_device *netdev = rtnl_dereference(device->slots[i].netdev);

		if (netdev && device->slots[i].port->n_slots > 1)
			macstats_emu_apply_mtu(netdev_priv(netdev), netdev->mtu);
	}
}

/*
 * Delete the net devices of @n devices. If @net is given, delete only those in it: it is ending,
 * and they never come back. All are deleted at once, as the kernel waits until they are unused.
 * May sleep; the caller prevents binding and unbinding of the driver.
 */
void macstats_emu_netdevs_del(struct macstats_emu_device *const *devices, unsigned int n,
			      const struct net *net)
{
	struct macstats_emu_priv *priv;
	struct macstats_emu_priv *next;
	LIST_HEAD(unregister);
	LIST_HEAD(leaving);
	unsigned int d;
	unsigned int i;

	if (!n)
		return;
	rtnl_lock();
	for (d = 0; d < n; d++) {
		for (i = 0; i < devices[d]->n_slots; i++) {
			struct macstats_emu_slot *slot = &devices[d]->slots[i];
			struct net_device *netdev;

			netdev = rtnl_dereference(slot->netdev);
			if (!netdev || (net && !net_eq(dev_net(netdev), net)))
				continue;
			RCU_INIT_POINTER(slot->netdev, NULL);
			slot->gone = !!net;
			/* Let polls under way end soon. */
			WRITE_ONCE(slot->port->bus_hurries, true);
			priv = netdev_priv(netdev);
			list_add_tail(&priv->leaving, &leaving);
			unregister_netdevice_queue(netdev, &unregister);
		}
	}
	for (d = 0; d < n; d++)
		macstats_emu_restore_mtu(devices[d]);
	unregister_netdevice_many(&unregister);
	rtnl_unlock();
	list_for_each_entry_safe(priv, next, &leaving, leaving) {
		/* The driver reports that its hardware was unplugged, unless it still serves it. */
		if ((READ_ONCE(priv->port->emu->faults) & MACSTATS_FAULT_UNPLUG) &&
		    !macstats_emu_shared_stats(priv->port))
			macstats_port_gone(priv->stats);
		macstats_port_unregister(priv->stats);
		macstats_emu_netdev_free(priv);
	}
	/* A net device that stays has its slow bus back. */
	for (d = 0; d < n; d++)
		for (i = 0; i < devices[d]->n_ports; i++)
			WRITE_ONCE(devices[d]->ports[i].bus_hurries, false);
}
