// SPDX-License-Identifier: GPL-2.0
/*
 * The driver side: a net device for each port, which counts what it sends and
 * receives in the port's registers and takes its statistics from macstats.ko.
 */
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/regmap.h>
#include <linux/rtnetlink.h>
#include <linux/u64_stats_sync.h>

#include "../compat.h"
#include "emu.h"

struct emu_drops {
	u64_stats_t tx;
	struct u64_stats_sync syncp;
};

struct emu_priv {
	struct emu_port *port;
	struct regmap *regmap;
	struct macstats_port *stats;
	struct net_device __rcu *peer;		/* itself in loopback; written under RTNL */
	bool rx_pause;
	bool tx_pause;
	struct net_device *netdev;
	struct list_head leaving;		/* while it is being deleted */
	struct delayed_work interrupt;		/* looks whether there is one */
	struct emu_drops __percpu *drops;
};

static const struct net_device_ops emu_netdev_ops;

bool emu_is_port(const struct net_device *netdev)
{
	return netdev->netdev_ops == &emu_netdev_ops;
}

struct emu_port *emu_port_of(const struct net_device *netdev)
{
	return ((struct emu_priv *)netdev_priv(netdev))->port;
}

struct macstats_port *emu_stats_of(const struct net_device *netdev)
{
	return ((struct emu_priv *)netdev_priv(netdev))->stats;
}

static void emu_drop(struct emu_priv *priv, struct sk_buff *skb)
{
	struct emu_drops *drops = this_cpu_ptr(priv->drops);

	u64_stats_update_begin(&drops->syncp);
	u64_stats_inc(&drops->tx);
	u64_stats_update_end(&drops->syncp);
	kfree_skb(skb);
}

/* Count a frame that goes out, and write its status back. Bottom halves off. */
static void emu_transmit(struct emu_priv *priv, const struct macstats_frame *frame, u64 count)
{
	struct emu_port *port = priv->port;

	emu_count(port, frame, count);
	if (macstats_has_tx_status(port->device->model, frame))
		macstats_port_transmitted(priv->stats, macstats_tx_status(&port->emu, frame),
					  count);
}

void emu_inject(struct net_device *netdev, const struct macstats_frame *frame, u64 count)
{
	struct emu_priv *priv = netdev_priv(netdev);

	local_bh_disable();
	if (frame->direction == MACSTATS_TX)
		emu_transmit(priv, frame, count);
	else
		emu_count(priv->port, frame, count);
	local_bh_enable();
	emu_look_for_interrupt(netdev);
}

/*
 * The interrupt line. Looking at every counter is too much to do for each frame:
 * traffic is looked at every second, which is short against the time in which
 * any counter gets from half full to full.
 */
void emu_look_for_interrupt(struct net_device *netdev)
{
	struct emu_priv *priv = netdev_priv(netdev);

	if (priv->port->device->model->half_full && emu_interrupts(priv->port))
		macstats_port_interrupt(priv->stats);
}

static void emu_interrupt_work(struct work_struct *work)
{
	struct emu_priv *priv = container_of(to_delayed_work(work), struct emu_priv, interrupt);

	emu_look_for_interrupt(priv->netdev);
	queue_delayed_work(system_unbound_wq, &priv->interrupt, HZ);
}

/* A MAC keeps flow control to itself, and does not pass on what is bad or too long. */
static bool emu_is_for_host(const struct emu_port *port, const struct macstats_frame *frame)
{
	return !(frame->kind & (MACSTATS_PAUSE | MACSTATS_PFC)) && !frame->errors &&
	       frame->length <= macstats_max_length(&port->emu, frame);
}

/* What leaves a MAC that stops in the middle of a long frame is a bad one. */
static void emu_cut(const struct emu_port *port, struct macstats_frame *frame)
{
	u32 max = macstats_max_length(&port->emu, frame);

	if (port->device->model->cut_at_max && frame->length > max) {
		frame->length = max;
		frame->errors = MACSTATS_ERR_FCS;
	}
}

/* What crosses the wire for @skb, which holds the frame without padding and FCS. */
static void emu_describe(const struct sk_buff *skb, struct macstats_frame *frame)
{
	u8 copy[MACSTATS_HEADER_LEN + 2 * MACSTATS_TAG_LEN];
	unsigned int len = min_t(unsigned int, skb->len, sizeof(copy));

	frame->length = max_t(u32, skb->len + MACSTATS_FCS_LEN, MACSTATS_FRAME_MIN);
	/* Of a long frame, only the Ethernet header need be in the linear part. */
	macstats_frame_parse(frame, skb_header_pointer(skb, 0, len, copy), len);
}

static netdev_tx_t emu_start_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	struct emu_priv *priv = netdev_priv(netdev);
	struct macstats_frame frame;
	struct net_device *peer;

	emu_describe(skb, &frame);
	skb_tx_timestamp(skb);

	rcu_read_lock();
	peer = rcu_dereference(priv->peer);
	if (unlikely(!peer || !netif_running(peer))) {
		emu_drop(priv, skb);
		goto out;
	}
	frame.direction = MACSTATS_TX;
	emu_transmit(priv, &frame, 1);
	emu_cut(priv->port, &frame);

	priv = netdev_priv(peer);
	frame.direction = MACSTATS_RX;
	emu_count(priv->port, &frame, 1);
	if (likely(emu_is_for_host(priv->port, &frame)))
		dev_forward_skb(peer, skb);
	else
		consume_skb(skb);
out:
	rcu_read_unlock();
	return NETDEV_TX_OK;
}

/* Without a clock there is nothing to count, nor to read. */
static bool emu_clocks_run(struct net_device *netdev)
{
	return !(READ_ONCE(emu_port_of(netdev)->emu.faults) & MACSTATS_FAULT_CLOCK_STOPPED);
}

/* There is a carrier where both ends of the cable are up. Under RTNL. */
static void emu_update_carrier(struct net_device *netdev)
{
	struct emu_priv *priv = netdev_priv(netdev);
	struct net_device *peer = rtnl_dereference(priv->peer);

	if (peer && netif_running(netdev) && netif_running(peer))
		netif_carrier_on(netdev);
	else
		netif_carrier_off(netdev);
}

static void emu_update_carriers(struct net_device *netdev)
{
	struct emu_priv *priv = netdev_priv(netdev);
	struct net_device *peer = rtnl_dereference(priv->peer);

	emu_update_carrier(netdev);
	if (peer && peer != netdev)
		emu_update_carrier(peer);
}

static int emu_open(struct net_device *netdev)
{
	emu_update_carriers(netdev);
	return 0;
}

static int emu_stop(struct net_device *netdev)
{
	/* netif_running() is false already. */
	emu_update_carriers(netdev);
	return 0;
}

struct net_device *emu_peer_of(const struct net_device *netdev)
{
	struct emu_priv *priv = netdev_priv(netdev);

	return rtnl_dereference(priv->peer);
}

static void emu_disconnect(struct net_device *netdev)
{
	struct emu_priv *priv = netdev_priv(netdev);
	struct net_device *peer = rtnl_dereference(priv->peer);

	if (!peer)
		return;
	RCU_INIT_POINTER(priv->peer, NULL);
	emu_update_carrier(netdev);
	if (peer == netdev)
		return;
	priv = netdev_priv(peer);
	RCU_INIT_POINTER(priv->peer, NULL);
	emu_update_carrier(peer);
}

/* Plug a cable in between two ports. Under RTNL. */
int emu_link(struct net_device *a, struct net_device *b, struct netlink_ext_ack *extack)
{
	struct emu_priv *priv_a = netdev_priv(a);
	struct emu_priv *priv_b = netdev_priv(b);
	const struct net_device *ends[] = { a, b };
	unsigned int i;

	ASSERT_RTNL();
	if (a == b) {
		NL_SET_ERR_MSG(extack, "PORT_PEER: a port cannot be linked to itself");
		return -EINVAL;
	}
	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		const struct net_device *peer = emu_peer_of(ends[i]);

		if (peer == ends[i]) {
			MACSTATS_EXTACK(extack, "%s is in loopback", ends[i]->name);
			return -EBUSY;
		}
		if (peer) {
			MACSTATS_EXTACK(extack, "%s is linked to %s already", ends[i]->name,
					peer->name);
			return -EBUSY;
		}
	}
	rcu_assign_pointer(priv_a->peer, b);
	rcu_assign_pointer(priv_b->peer, a);
	emu_update_carriers(a);
	return 0;
}

int emu_unlink(struct net_device *netdev, struct netlink_ext_ack *extack)
{
	const struct net_device *peer = emu_peer_of(netdev);

	ASSERT_RTNL();
	if (!peer || peer == netdev) {
		MACSTATS_EXTACK(extack, "%s is not linked", netdev->name);
		return -ENOTCONN;
	}
	emu_disconnect(netdev);
	return 0;
}

static netdev_features_t emu_fix_features(struct net_device *netdev, netdev_features_t features)
{
	const struct net_device *peer = emu_peer_of(netdev);

	/* A cable excludes a loopback plug. */
	if (peer && peer != netdev)
		features &= ~NETIF_F_LOOPBACK;
	return features;
}

static int emu_set_features(struct net_device *netdev, netdev_features_t features)
{
	struct emu_priv *priv = netdev_priv(netdev);
	bool loopback = features & NETIF_F_LOOPBACK;
	bool now = rtnl_dereference(priv->peer) == netdev;

	if (loopback && !now) {
		rcu_assign_pointer(priv->peer, netdev);
		emu_update_carrier(netdev);
	} else if (!loopback && now) {
		emu_disconnect(netdev);
	}
	return 0;
}

static void emu_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats)
{
	struct emu_priv *priv = netdev_priv(netdev);
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct emu_drops *drops = per_cpu_ptr(priv->drops, cpu);
		unsigned int start;
		u64 tx;

		do {
			start = u64_stats_fetch_begin(&drops->syncp);
			tx = u64_stats_read(&drops->tx);
		} while (u64_stats_fetch_retry(&drops->syncp, start));
		stats->tx_dropped += tx;
	}
	macstats_get_stats64(priv->stats, stats);
}

static int emu_get_phys_port_name(struct net_device *netdev, char *name, size_t len)
{
	const struct emu_port *port = emu_port_of(netdev);

	if (port->device->n_ports == 1)
		return -EOPNOTSUPP;
	return snprintf(name, len, "p%u", port->index) >= len ? -EINVAL : 0;
}

static void emu_uninit(struct net_device *netdev)
{
	emu_disconnect(netdev);
}

/* Raise a maximum frame length of the MAC to @length, unless it is as long already. */
static int emu_raise_max_frame(struct emu_priv *priv, const struct macstats_bit *max, u32 length)
{
	const struct emu_port *port = priv->port;
	u32 address = port->index * port->device->model->port_stride + max->offset;
	unsigned int shift, word;
	int err;

	if (!max->mask)
		return 0;
	shift = macstats_bit_shift(max->mask);
	err = regmap_read(priv->regmap, address, &word);
	if (err || (word & max->mask) >> shift >= length)
		return err;
	return regmap_write(priv->regmap, address, (word & ~max->mask) | length << shift);
}

static int emu_change_mtu(struct net_device *netdev, int mtu)
{
	struct emu_priv *priv = netdev_priv(netdev);
	const struct macstats_model *model = priv->port->device->model;
	u32 length = mtu + ETH_HLEN + ETH_FCS_LEN;
	int err = emu_raise_max_frame(priv, &model->max_frame_rx, length);

	err = err ?: emu_raise_max_frame(priv, &model->max_frame_tx, length);
	if (!err)
		WRITE_ONCE(netdev->mtu, mtu);
	return err;
}

static const struct net_device_ops emu_netdev_ops = {
	.ndo_uninit = emu_uninit,
	.ndo_open = emu_open,
	.ndo_stop = emu_stop,
	.ndo_start_xmit = emu_start_xmit,
	.ndo_get_stats64 = emu_get_stats64,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_change_mtu = emu_change_mtu,
	.ndo_fix_features = emu_fix_features,
	.ndo_set_features = emu_set_features,
	.ndo_get_phys_port_name = emu_get_phys_port_name,
};

static void emu_get_drvinfo(struct net_device *netdev, struct ethtool_drvinfo *info)
{
	strscpy(info->driver, EMU_NAME, sizeof(info->driver));
	strscpy(info->bus_info, dev_name(netdev->dev.parent), sizeof(info->bus_info));
	strscpy(info->fw_version, emu_port_of(netdev)->device->model->name,
		sizeof(info->fw_version));
}

static int emu_get_link_ksettings(struct net_device *netdev,
				  struct ethtool_link_ksettings *settings)
{
	const struct emu_port *port = emu_port_of(netdev);
	bool half = port->emu.options & MACSTATS_OPT_HALF_DUPLEX;

	ethtool_link_ksettings_zero_link_mode(settings, supported);
	ethtool_link_ksettings_zero_link_mode(settings, advertising);
	settings->base.speed = div_u64(port->device->model->line_rate_bps, 1000000);
	settings->base.duplex = half ? DUPLEX_HALF : DUPLEX_FULL;
	settings->base.autoneg = AUTONEG_DISABLE;
	settings->base.port = port->emu.options & MACSTATS_OPT_FIBER ? PORT_FIBRE : PORT_OTHER;
	return 0;
}

static void emu_get_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	const struct emu_priv *priv = netdev_priv(netdev);

	pause->autoneg = AUTONEG_DISABLE;
	pause->rx_pause = priv->rx_pause;
	pause->tx_pause = priv->tx_pause;
}

static int emu_set_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	struct emu_priv *priv = netdev_priv(netdev);

	if (pause->autoneg)
		return -EOPNOTSUPP;
	priv->rx_pause = pause->rx_pause;
	priv->tx_pause = pause->tx_pause;
	return 0;
}

static int emu_get_sset_count(struct net_device *netdev, int sset)
{
	return macstats_get_sset_count(emu_stats_of(netdev), sset);
}

static void emu_get_strings(struct net_device *netdev, u32 sset, u8 *data)
{
	macstats_get_strings(emu_stats_of(netdev), sset, data);
}

static void emu_get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats,
				  u64 *data)
{
	macstats_get_ethtool_stats(emu_stats_of(netdev), data);
}

static void emu_get_eth_mac_stats(struct net_device *netdev,
				  struct ethtool_eth_mac_stats *stats)
{
	macstats_get_eth_mac_stats(emu_stats_of(netdev), stats);
}

static void emu_get_eth_ctrl_stats(struct net_device *netdev,
				   struct ethtool_eth_ctrl_stats *stats)
{
	macstats_get_eth_ctrl_stats(emu_stats_of(netdev), stats);
}

static void emu_get_rmon_stats(struct net_device *netdev, struct ethtool_rmon_stats *stats,
			       const struct ethtool_rmon_hist_range **ranges)
{
	macstats_get_rmon_stats(emu_stats_of(netdev), stats, ranges);
}

static void emu_get_pause_stats(struct net_device *netdev, struct ethtool_pause_stats *stats)
{
	macstats_get_pause_stats(emu_stats_of(netdev), stats);
}

static int emu_get_regs_len(struct net_device *netdev)
{
	return macstats_get_regs_len(emu_stats_of(netdev));
}

static void emu_get_regs(struct net_device *netdev, struct ethtool_regs *regs, void *data)
{
	macstats_get_regs(emu_stats_of(netdev), regs, data);
}

static int emu_get_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
			    struct kernel_ethtool_coalesce *kernel_coalesce,
			    struct netlink_ext_ack *extack)
{
	return macstats_get_coalesce(emu_stats_of(netdev), coalesce);
}

static int emu_set_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
			    struct kernel_ethtool_coalesce *kernel_coalesce,
			    struct netlink_ext_ack *extack)
{
	return macstats_set_coalesce(emu_stats_of(netdev), coalesce, extack);
}

/* Loop a frame back inside the MAC: it does not reach the wire or the host. */
static int emu_loop(void *context)
{
	struct net_device *netdev = context;
	struct macstats_frame frame = {
		.destination = MACSTATS_UNICAST,
		.kind = MACSTATS_DATA,
		.origin = MACSTATS_BY_SOFTWARE,
		.length = MACSTATS_FRAME_MIN,
	};

	frame.direction = MACSTATS_TX;
	emu_inject(netdev, &frame, 1);
	frame.direction = MACSTATS_RX;
	emu_inject(netdev, &frame, 1);
	return 0;
}

static void emu_self_test(struct net_device *netdev, struct ethtool_test *test, u64 *results)
{
	macstats_self_test(emu_stats_of(netdev), test, results, emu_loop, netdev);
}

static int emu_ethtool_begin(struct net_device *netdev)
{
	macstats_ethtool_begin(emu_stats_of(netdev));
	return 0;
}

static void emu_ethtool_complete(struct net_device *netdev)
{
	macstats_ethtool_complete(emu_stats_of(netdev));
}

static const struct ethtool_ops emu_ethtool_ops = {
	.supported_coalesce_params = MACSTATS_COALESCE_PARAMS,
	.begin = emu_ethtool_begin,
	.complete = emu_ethtool_complete,
	.get_drvinfo = emu_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = emu_get_link_ksettings,
	.get_ts_info = ethtool_op_get_ts_info,
	.get_pauseparam = emu_get_pauseparam,
	.set_pauseparam = emu_set_pauseparam,
	.get_sset_count = emu_get_sset_count,
	.get_strings = emu_get_strings,
	.get_ethtool_stats = emu_get_ethtool_stats,
	.get_eth_mac_stats = emu_get_eth_mac_stats,
	.get_eth_ctrl_stats = emu_get_eth_ctrl_stats,
	.get_rmon_stats = emu_get_rmon_stats,
	.get_pause_stats = emu_get_pause_stats,
	.get_regs_len = emu_get_regs_len,
	.get_regs = emu_get_regs,
	.get_coalesce = emu_get_coalesce,
	.set_coalesce = emu_set_coalesce,
	.self_test = emu_self_test,
};

/* The longest payload that is not oversize if the MAC is set to its longest frames. */
static unsigned int emu_max_mtu(const struct macstats_model *model)
{
	u32 mask = model->max_frame_tx.mask;
	u32 max_frame = model->default_max_frame ?: ETH_FRAME_LEN + ETH_FCS_LEN;

	if (mask)
		max_frame = mask >> macstats_bit_shift(mask);
	return max_frame - ETH_HLEN - ETH_FCS_LEN;
}

static void emu_setup(struct net_device *netdev)
{
	ether_setup(netdev);
	netdev->netdev_ops = &emu_netdev_ops;
	netdev->ethtool_ops = &emu_ethtool_ops;
	netdev->priv_flags |= IFF_LIVE_ADDR_CHANGE | IFF_NO_QUEUE;
	netdev->priv_flags &= ~IFF_TX_SKB_SHARING;
	macstats_set_lltx(netdev);
	netdev->features |= NETIF_F_SG | NETIF_F_FRAGLIST | NETIF_F_HW_CSUM | NETIF_F_HIGHDMA;
	netdev->hw_features = NETIF_F_SG | NETIF_F_FRAGLIST | NETIF_F_HW_CSUM |
			      NETIF_F_LOOPBACK;
	netdev->vlan_features = netdev->features & ~NETIF_F_LOOPBACK;
	eth_hw_addr_random(netdev);
}

/* Make a port's net device, in @net. Called while a driver is being bound. */
struct net_device *emu_netdev_new(struct emu_port *port, struct regmap *regmap, struct net *net)
{
	struct emu_device *device = port->device;
	struct macstats_port_config config = {
		.regmap = regmap,
		.model = device->model,
		.index = port->index,
		.clocks_run = emu_clocks_run,
		.private_only = device->private_only,
		.held = device->held,
		.without_counters = !(port->emu.options & MACSTATS_OPT_STATISTICS),
	};
	struct net_device *netdev;
	struct emu_priv *priv;
	unsigned int cpu;
	int err;

	netdev = alloc_netdev(sizeof(*priv), device->name, device->name_assign_type, emu_setup);
	if (!netdev)
		return ERR_PTR(-ENOMEM);
	dev_net_set(netdev, net);
	SET_NETDEV_DEV(netdev, &device->pdev->dev);
	netdev->dev_port = port->index;
	netdev->max_mtu = emu_max_mtu(device->model);

	priv = netdev_priv(netdev);
	priv->port = port;
	priv->regmap = regmap;
	priv->netdev = netdev;
	INIT_DELAYED_WORK(&priv->interrupt, emu_interrupt_work);
	priv->rx_pause = true;
	priv->tx_pause = true;
	priv->drops = alloc_percpu(struct emu_drops);
	if (!priv->drops) {
		err = -ENOMEM;
		goto err_free;
	}
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(priv->drops, cpu)->syncp);

	config.netdev = netdev;
	priv->stats = macstats_port_register(&config);
	if (IS_ERR(priv->stats)) {
		err = PTR_ERR(priv->stats);
		goto err_drops;
	}
	netif_carrier_off(netdev);
	rtnl_lock();
	err = register_netdevice(netdev);
	if (!err)
		port->netdev = netdev;
	rtnl_unlock();
	if (err)
		goto err_stats;
	if (device->model->half_full)
		queue_delayed_work(system_unbound_wq, &priv->interrupt, HZ);
	return netdev;

err_stats:
	macstats_port_unregister(priv->stats);
err_drops:
	free_percpu(priv->drops);
err_free:
	free_netdev(netdev);
	return ERR_PTR(err);
}

/*
 * Undo the above for all ports of the devices that have a net device; with @net,
 * for those that are in this namespace, which are gone for good. Together, since
 * the kernel waits several times until nobody uses a net device any more, and no
 * longer for many of them. No driver may be bound or unbound meanwhile.
 */
void emu_netdevs_del(struct emu_device *const *devices, unsigned int n, const struct net *net)
{
	struct emu_priv *priv;
	struct emu_priv *next;
	LIST_HEAD(unregister);
	LIST_HEAD(leaving);
	unsigned int d;
	unsigned int i;

	rtnl_lock();
	for (d = 0; d < n; d++) {
		for (i = 0; i < devices[d]->n_ports; i++) {
			struct emu_port *port = &devices[d]->ports[i];
			struct net_device *netdev = port->netdev;

			if (!netdev || (net && !net_eq(dev_net(netdev), net)))
				continue;
			port->netdev = NULL;
			port->gone = net;
			priv = netdev_priv(netdev);
			list_add_tail(&priv->leaving, &leaving);
			unregister_netdevice_queue(netdev, &unregister);
		}
	}
	unregister_netdevice_many(&unregister);
	rtnl_unlock();
	list_for_each_entry_safe(priv, next, &leaving, leaving) {
		cancel_delayed_work_sync(&priv->interrupt);
		macstats_port_unregister(priv->stats);
		free_percpu(priv->drops);
		free_netdev(priv->netdev);
	}
}
