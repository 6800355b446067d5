// SPDX-License-Identifier: GPL-2.0
/*
 * The driver side: a net device for each port, or two that share it, which count what they
 * send and receive in the port's registers and take their statistics from macstats.ko.
 */
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/if_vlan.h>
#include <linux/mutex.h>
#include <linux/regmap.h>
#include <linux/rtnetlink.h>
#include <linux/u64_stats_sync.h>

#include "../compat.h"
#include "emu.h"

/* The last frame of a direction, and its descriptors: those of the next one are often the same. */
struct macstats_emu_known {
	u32 version;			/* of the settings then; 0: no frame yet */
	bool described;			/* descriptors report it */
	u32 received;			/* the status in the last descriptor of a received frame */
	struct macstats_packet sent;	/* the descriptors of a sent frame */
	struct macstats_frame frame;
};

/* Packets of one direction, and their octets without FCS. */
struct macstats_emu_own {
	u64_stats_t packets;
	u64_stats_t octets;
};

/* Of each CPU. @own_sent and @own_received: of a net device that shares its registers. */
struct macstats_emu_local {
	struct u64_stats_sync syncp;
	u64_stats_t tx_dropped;
	struct macstats_emu_own own_sent;
	struct macstats_emu_own own_received;
	struct macstats_emu_known sent;
	struct macstats_emu_known received;
};

struct macstats_emu_priv {
	struct macstats_emu_slot *slot;
	struct macstats_emu_port *port;		/* slot->port */
	struct regmap *const *regmaps;		/* of each region of the model */
	struct macstats_port *stats;
	struct net_device __rcu *peer;		/* itself in loopback; written under RTNL */
	bool rx_pause;
	bool tx_pause;
	bool counts;				/* descriptors with a status, or own packets */
	struct net_device *netdev;
	struct list_head leaving;		/* while it is being deleted */
	struct macstats_emu_local __percpu *local;
};

static const struct net_device_ops macstats_emu_netdev_ops;

/* Polls the ports, so that slow ones do not delay those of other drivers. */
struct workqueue_struct *macstats_emu_wq;

bool macstats_emu_is_port(const struct net_device *netdev)
{
	return netdev->netdev_ops == &macstats_emu_netdev_ops;
}

struct macstats_emu_slot *macstats_emu_slot_of(const struct net_device *netdev)
{
	return ((struct macstats_emu_priv *)netdev_priv(netdev))->slot;
}

struct macstats_emu_port *macstats_emu_port_of(const struct net_device *netdev)
{
	return ((struct macstats_emu_priv *)netdev_priv(netdev))->port;
}

struct macstats_port *macstats_emu_stats_of(const struct net_device *netdev)
{
	return ((struct macstats_emu_priv *)netdev_priv(netdev))->stats;
}

static void macstats_emu_drop(struct macstats_emu_priv *priv, struct sk_buff *skb)
{
	struct macstats_emu_local *local = this_cpu_ptr(priv->local);

	u64_stats_update_begin(&local->syncp);
	u64_stats_inc(&local->tx_dropped);
	u64_stats_update_end(&local->syncp);
	kfree_skb(skb);
}

/* Does the MAC have power? Takes no lock. */
static bool macstats_emu_has_power(const struct macstats_emu_port *port)
{
	return !(READ_ONCE(port->emu->faults) & MACSTATS_FAULT_SUSPEND);
}

/* Receive frames of several descriptors, each descriptor by itself. Bottom halves off. */
static noinline void macstats_emu_receive_parts(struct macstats_emu_priv *priv,
						const struct macstats_emu_known *known, u64 count)
{
	unsigned int i;

	for (i = 0; i < known->frame.descriptors; i++)
		macstats_port_received(priv->stats,
				       macstats_rx_descriptor(priv->port->device->model,
							      &known->frame, known->received, i),
				       count);
}

/* Complete the descriptors of @known frames. Bottom halves off. */
static __always_inline void
macstats_emu_complete_known(struct macstats_emu_priv *priv,
			    const struct macstats_emu_known *known, u64 count)
{
	if (unlikely(!known->described))
		return;
	if (known->frame.direction == MACSTATS_TX)
		macstats_port_transmitted(priv->stats, &known->sent, count);
	else if (likely(known->frame.descriptors <= 1))
		macstats_port_received(priv->stats, known->received, count);
	else
		macstats_emu_receive_parts(priv, known, count);
}

/* The same for frames other than the last ones, whose descriptors follow from all rules. */
static noinline void macstats_emu_complete_new(struct macstats_emu_priv *priv,
					       struct macstats_emu_known *known,
					       const struct macstats_frame *frame, u64 count)
{
	const struct macstats_emu_port *port = priv->port;
	const struct macstats_model *model = port->device->model;
	/* If settings change meanwhile, the next frame is described again. */
	u32 version = macstats_settings_version(port->emu);
	u32 status = 0;

	if (frame->direction == MACSTATS_TX) {
		known->described = macstats_has_tx_status(model, frame);
		if (known->described)
			known->sent = macstats_tx_packet(port->emu, frame);
	} else {
		known->described = macstats_rx_status(port->emu, frame, &status);
		known->received = macstats_rx_descriptor(model, frame, status,
							 macstats_descriptors(frame) - 1);
	}
	known->version = version;
	known->frame = *frame;
	macstats_emu_complete_known(priv, known, count);
}

/*
 * Count the packets of one of the net devices that share registers: the packets that software
 * hands over or gets. Bottom halves off.
 */
static void macstats_emu_count_own(struct macstats_emu_priv *priv,
				   const struct macstats_frame *frame, bool for_host, u64 count)
{
	struct macstats_emu_local *local = this_cpu_ptr(priv->local);
	bool sent = frame->direction == MACSTATS_TX;
	struct macstats_emu_own *own = sent ? &local->own_sent : &local->own_received;

	if (sent ? frame->origin != MACSTATS_BY_SOFTWARE : !for_host)
		return;
	u64_stats_update_begin(&local->syncp);
	/* u64_stats_add() adds an unsigned long, which may have 32 bits. */
	u64_stats_set(&own->packets, u64_stats_read(&own->packets) + count);
	u64_stats_set(&own->octets, u64_stats_read(&own->octets) +
				    count * (frame->length - MACSTATS_FCS_LEN));
	u64_stats_update_end(&local->syncp);
}

/*
 * Complete the descriptors of frames that are sent or received, and count those of a net device
 * that shares its registers. Bottom halves off.
 */
static void macstats_emu_complete(struct macstats_emu_priv *priv,
				  const struct macstats_frame *frame, bool for_host, u64 count)
{
	struct macstats_emu_local *local = this_cpu_ptr(priv->local);
	struct macstats_emu_known *known =
		frame->direction == MACSTATS_TX ? &local->sent : &local->received;

	/* A MAC without power sends nothing and writes no status. */
	if (unlikely(!macstats_emu_has_power(priv->port)))
		return;
	/* With PREEMPT_RT, another task may send on this CPU meanwhile. */
	preempt_disable_nested();
	if (priv->port->n_slots > 1)
		macstats_emu_count_own(priv, frame, for_host, count);
	if (likely(known->version == macstats_settings_version(priv->port->emu) &&
		   !memcmp(&known->frame, frame, sizeof(*frame))))
		macstats_emu_complete_known(priv, known, count);
	else
		macstats_emu_complete_new(priv, known, frame, count);
	preempt_enable_nested();
}

/*
 * Count frames that are sent or received, and complete their descriptors. Bottom halves off.
 * Return: a frame as the MAC sees it.
 */
static __always_inline struct macstats_seen macstats_emu_cross(struct macstats_emu_priv *priv,
							       const struct macstats_frame *frame,
							       u64 count)
{
	const struct macstats_seen seen = macstats_emu_count(priv->port, frame, count);

	if (priv->counts)
		macstats_emu_complete(priv, frame, macstats_is_for_host(seen.frame_class), count);
	return seen;
}

void macstats_emu_inject(struct net_device *netdev, const struct macstats_frame *frame, u64 count)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);

	local_bh_disable();
	macstats_emu_cross(priv, frame, count);
	local_bh_enable();
}

#define MACSTATS_EMU_HEADER_LEN	(MACSTATS_HEADER_LEN + 2 * MACSTATS_TAG_LEN)

/* Describe a frame that is short, or whose header is not all in the linear part. */
static noinline void macstats_emu_describe_copy(const struct sk_buff *skb,
						struct macstats_frame *frame)
{
	/* In a short frame, the padding can be the 00 of a tag's type 81-00. */
	u8 copy[MACSTATS_EMU_HEADER_LEN] = {};

	skb_copy_bits(skb, 0, copy, min_t(u32, skb->len, sizeof(copy)));
	macstats_frame_parse(frame, copy, sizeof(copy));
}

/* Describe the frame that crosses the wire for @skb, which has no padding and no FCS. */
static void macstats_emu_describe(const struct sk_buff *skb, struct macstats_frame *frame)
{
	frame->length = max_t(u32, skb->len + MACSTATS_FCS_LEN, MACSTATS_FRAME_MIN);
	/* Only the Ethernet header is certain to be in the linear part. */
	if (likely(skb_headlen(skb) >= MACSTATS_EMU_HEADER_LEN))
		macstats_frame_parse(frame, skb->data, MACSTATS_EMU_HEADER_LEN);
	else
		macstats_emu_describe_copy(skb, frame);
}

/*
 * Is this an Ethernet frame? A mirrored packet may be anything. Pulls the header into the
 * linear part, where the receiver reads it.
 */
static bool macstats_emu_is_frame(struct sk_buff *skb)
{
	return pskb_may_pull(skb, ETH_HLEN) && skb->len <= MACSTATS_FRAME_MAX - ETH_FCS_LEN;
}

/* Does the port send and receive frames? */
static bool macstats_emu_is_ready(const struct net_device *netdev)
{
	const struct macstats_emu_priv *priv = netdev_priv(netdev);

	return netif_running(netdev) && !READ_ONCE(priv->port->suspended);
}

static netdev_tx_t macstats_emu_start_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	struct macstats_frame frame;
	struct macstats_seen seen;
	struct net_device *peer;

	/* With bottom halves off, this is a read-side critical section. */
	peer = rcu_dereference_bh(priv->peer);
	if (unlikely(!peer || !macstats_emu_is_ready(netdev) || !macstats_emu_is_ready(peer) ||
		     !macstats_emu_is_frame(skb))) {
		macstats_emu_drop(priv, skb);
		return NETDEV_TX_OK;
	}
	macstats_emu_describe(skb, &frame);
	skb_tx_timestamp(skb);
	frame.direction = MACSTATS_TX;
	seen = macstats_emu_cross(priv, &frame, 1);
	/* A MAC that cuts a long frame off sends a frame with a bad FCS. */
	if (unlikely(seen.each.octets < frame.length)) {
		frame.length = seen.each.octets;
		frame.errors = MACSTATS_ERR_FCS;
	}

	priv = netdev_priv(peer);
	frame.direction = MACSTATS_RX;
	seen = macstats_emu_cross(priv, &frame, 1);
	if (likely(macstats_is_for_host(seen.frame_class)))
		dev_forward_skb(peer, skb);
	else
		consume_skb(skb);
	return NETDEV_TX_OK;
}

static u64 macstats_emu_line(void *priv)
{
	return macstats_emu_line_octets(priv);
}

/* Without clocks, the port neither counts nor answers. */
static bool macstats_emu_clocks_run(void *priv)
{
	const struct macstats_emu_port *port = priv;

	return !(READ_ONCE(port->emu->faults) & MACSTATS_FAULT_CLOCK_STOPPED);
}

static int macstats_emu_read_block(void *priv, unsigned int reg, u64 *values, unsigned int words,
				   unsigned int *done)
{
	struct macstats_emu_port *port = priv;
	u32 offset = reg;

	*done = 0;
	if (macstats_port_of(port->device->model, &offset) != port->index)
		return -ENXIO;
	return macstats_emu_reg_read_block(port, offset, values, words, done);
}

/* None, if the device is built without statistics; of one option, registers tell. */
static bool macstats_emu_has_counter(void *priv, const struct macstats_counter *counter)
{
	const struct macstats_emu_port *port = priv;

	return port->emu->options & macstats_statistics_options(port->device->model);
}

static bool macstats_emu_port_lowered(void *priv, unsigned int index)
{
	return macstats_emu_lowered(priv, index);
}

static const struct macstats_port_ops macstats_emu_port_ops = {
	.clocks_run = macstats_emu_clocks_run,
	.has_counter = macstats_emu_has_counter,
};

/* A port has a carrier if both ends of the cable are up. Caller holds RTNL. */
static void macstats_emu_update_carrier(struct net_device *netdev)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	struct net_device *peer;

	peer = rtnl_dereference(priv->peer);
	if (peer && macstats_emu_is_ready(netdev) && macstats_emu_is_ready(peer))
		netif_carrier_on(netdev);
	else
		netif_carrier_off(netdev);
}

static void macstats_emu_update_carriers(struct net_device *netdev)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	struct net_device *peer;

	peer = rtnl_dereference(priv->peer);
	macstats_emu_update_carrier(netdev);
	if (peer && peer != netdev)
		macstats_emu_update_carrier(peer);
}

static int macstats_emu_open(struct net_device *netdev)
{
	macstats_emu_update_carriers(netdev);
	return 0;
}

static int macstats_emu_stop(struct net_device *netdev)
{
	/* netif_running() is false already. */
	macstats_emu_update_carriers(netdev);
	return 0;
}

static struct net_device *macstats_emu_peer_of(const struct net_device *netdev)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);

	return rtnl_dereference(priv->peer);
}

static void macstats_emu_disconnect(struct net_device *netdev)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	struct net_device *peer;

	peer = rtnl_dereference(priv->peer);
	if (!peer)
		return;
	RCU_INIT_POINTER(priv->peer, NULL);
	macstats_emu_update_carrier(netdev);
	if (peer == netdev)
		return;
	priv = netdev_priv(peer);
	RCU_INIT_POINTER(priv->peer, NULL);
	macstats_emu_update_carrier(peer);
}

/* Connect two ports with a cable. Caller holds RTNL. */
int macstats_emu_link(struct net_device *a, struct net_device *b, struct netlink_ext_ack *extack)
{
	struct macstats_emu_priv *priv_a = netdev_priv(a);
	struct macstats_emu_priv *priv_b = netdev_priv(b);
	const struct net_device *ends[] = { a, b };
	unsigned int i;

	ASSERT_RTNL();
	if (a == b) {
		NL_SET_ERR_MSG(extack,
			       "PORT_PEER: a port cannot be linked to itself: set its feature loopback");
		return -EINVAL;
	}
	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		const struct net_device *peer = macstats_emu_peer_of(ends[i]);

		if (ends[i]->reg_state != NETREG_REGISTERED) {
			MACSTATS_EXTACK(extack, "%s is being deleted: give another port",
					ends[i]->name);
			return -ENODEV;
		}
		if (peer == ends[i]) {
			MACSTATS_EXTACK(extack,
					"%s is in loopback: switch its feature loopback off first",
					ends[i]->name);
			return -EBUSY;
		}
		if (peer) {
			MACSTATS_EXTACK(extack, "%s is already linked to %s: unlink it first",
					ends[i]->name, peer->name);
			return -EBUSY;
		}
	}
	rcu_assign_pointer(priv_a->peer, b);
	rcu_assign_pointer(priv_b->peer, a);
	macstats_emu_update_carriers(a);
	return 0;
}

int macstats_emu_unlink(struct net_device *netdev, struct netlink_ext_ack *extack)
{
	const struct net_device *peer = macstats_emu_peer_of(netdev);

	ASSERT_RTNL();
	if (!peer || peer == netdev) {
		MACSTATS_EXTACK(extack, "%s is not linked: link it before you unlink it",
				netdev->name);
		return -ENOTCONN;
	}
	macstats_emu_disconnect(netdev);
	return 0;
}

static netdev_features_t macstats_emu_fix_features(struct net_device *netdev,
						   netdev_features_t features)
{
	const struct net_device *peer = macstats_emu_peer_of(netdev);

	/* A cable excludes a loopback plug. */
	if (peer && peer != netdev)
		features &= ~NETIF_F_LOOPBACK;
	return features;
}

static int macstats_emu_set_features(struct net_device *netdev, netdev_features_t features)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	bool loopback = features & NETIF_F_LOOPBACK;
	bool now;

	now = rtnl_dereference(priv->peer) == netdev;
	if (loopback && !now) {
		rcu_assign_pointer(priv->peer, netdev);
		macstats_emu_update_carrier(netdev);
	} else if (!loopback && now) {
		macstats_emu_disconnect(netdev);
	}
	return 0;
}

static void macstats_emu_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		const struct macstats_emu_local *local = per_cpu_ptr(priv->local, cpu);
		struct rtnl_link_stats64 own = {};
		unsigned int start;

		do {
			start = u64_stats_fetch_begin(&local->syncp);
			own.tx_dropped = u64_stats_read(&local->tx_dropped);
			own.tx_packets = u64_stats_read(&local->own_sent.packets);
			own.tx_bytes = u64_stats_read(&local->own_sent.octets);
			own.rx_packets = u64_stats_read(&local->own_received.packets);
			own.rx_bytes = u64_stats_read(&local->own_received.octets);
		} while (u64_stats_fetch_retry(&local->syncp, start));
		stats->tx_dropped += own.tx_dropped;
		stats->tx_packets += own.tx_packets;
		stats->tx_bytes += own.tx_bytes;
		stats->rx_packets += own.rx_packets;
		stats->rx_bytes += own.rx_bytes;
	}
	macstats_get_stats64(netdev, stats);
}

static int macstats_emu_get_phys_port_name(struct net_device *netdev, char *name, size_t len)
{
	const struct macstats_emu_slot *slot = macstats_emu_slot_of(netdev);

	if (slot->port->device->n_slots == 1)
		return -EOPNOTSUPP;
	return snprintf(name, len, "p%u", slot->index) >= len ? -EINVAL : 0;
}

static void macstats_emu_uninit(struct net_device *netdev)
{
	macstats_emu_disconnect(netdev);
}

/* The longest frame for an MTU, with one tag unless the MAC allows a tag beyond its limit. */
static u32 macstats_emu_frame_of(const struct macstats_model *model, unsigned int mtu)
{
	return mtu + ETH_HLEN + ETH_FCS_LEN + (model->tag_over_max ? 0 : VLAN_HLEN);
}

static int macstats_emu_set_max_frame(struct macstats_emu_priv *priv,
				      const struct macstats_bit *max, u32 length)
{
	const struct macstats_emu_port *port = priv->port;
	const struct macstats_model *model = port->device->model;
	u32 address;
	int region;

	if (!max->mask)
		return 0;
	region = macstats_region_at(model, max->offset);
	if (region < 0)
		return -ENXIO;
	address = port->index * model->port_stride + max->offset -
		  macstats_region_first(model, region);
	return regmap_update_bits(priv->regmaps[region], address, max->mask,
				  length << macstats_bit_shift(max->mask));
}

/* The larger one of @mtu and the MTU of the net device that shares the port. */
static unsigned int macstats_emu_largest_mtu(const struct macstats_emu_priv *priv,
					     unsigned int mtu)
{
	const struct macstats_emu_port *port = priv->port;
	unsigned int i;

	rcu_read_lock();
	for (i = 0; i < port->n_slots; i++) {
		const struct net_device *other = rcu_dereference(port->slots[i].netdev);

		if (other && other != priv->netdev)
			mtu = max(mtu, READ_ONCE(other->mtu));
	}
	rcu_read_unlock();
	return mtu;
}

/*
 * Set the maximum frame lengths of the MAC for an MTU. A held device keeps its lengths:
 * they belong to its test. Makes at most two bus accesses. Caller holds RTNL once the net
 * device is registered.
 */
static int macstats_emu_apply_mtu(struct macstats_emu_priv *priv, unsigned int mtu)
{
	const struct macstats_model *model = priv->port->device->model;
	const struct macstats_roles *roles = &priv->port->emu->roles;
	u32 length = macstats_emu_frame_of(model, macstats_emu_largest_mtu(priv, mtu));
	int err;

	if (priv->port->device->held)
		return 0;
	if (roles->max_frame_switch.mask)
		return macstats_emu_set_max_frame(priv, &roles->max_frame_switch,
					 length > model->max_frame_switch.off ? 1 : 0);
	err = macstats_emu_set_max_frame(priv, &roles->max_frame_rx, length);
	if (err)
		return err;
	/* Some models have one register for both directions. */
	if (macstats_is_same_bit(&roles->max_frame_tx, &roles->max_frame_rx))
		return 0;
	return macstats_emu_set_max_frame(priv, &roles->max_frame_tx, length);
}

static int macstats_emu_change_mtu(struct net_device *netdev, int mtu)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	int err = macstats_emu_apply_mtu(priv, mtu);

	if (err) {
		/* Restore what was applied, as far as the bus works. */
		macstats_emu_apply_mtu(priv, netdev->mtu);
		return err;
	}
	WRITE_ONCE(netdev->mtu, mtu);
	return 0;
}

/* Set restarted hardware up again. */
static void macstats_emu_restore(struct net_device *netdev)
{
	rtnl_lock();
	macstats_emu_apply_mtu(netdev_priv(netdev), netdev->mtu);
	rtnl_unlock();
}

static void macstats_emu_set_suspended(struct macstats_emu_port *port, bool suspended)
{
	unsigned int i;

	rtnl_lock();
	WRITE_ONCE(port->suspended, suspended);
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
	port->sleeps |= why;
	if (awake) {
		macstats_emu_set_suspended(port, true);
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
	if (port->sleeps) {
		port->sleeps &= ~why;
		if (!port->sleeps) {
			macstats_emu_set_power(port, true);
			macstats_emu_restore(netdev);
			err = macstats_port_resume(priv->stats);
			macstats_emu_set_suspended(port, false);
		}
	}
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

static const struct net_device_ops macstats_emu_netdev_ops = {
	.ndo_uninit = macstats_emu_uninit,
	.ndo_open = macstats_emu_open,
	.ndo_stop = macstats_emu_stop,
	.ndo_start_xmit = macstats_emu_start_xmit,
	.ndo_get_stats64 = macstats_emu_get_stats64,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_change_mtu = macstats_emu_change_mtu,
	.ndo_fix_features = macstats_emu_fix_features,
	.ndo_set_features = macstats_emu_set_features,
	.ndo_get_phys_port_name = macstats_emu_get_phys_port_name,
};

static void macstats_emu_get_drvinfo(struct net_device *netdev, struct ethtool_drvinfo *info)
{
	strscpy(info->driver, MACSTATS_EMU_NAME, sizeof(info->driver));
	strscpy(info->bus_info, dev_name(netdev->dev.parent), sizeof(info->bus_info));
	strscpy(info->fw_version, macstats_emu_port_of(netdev)->device->model->name,
		sizeof(info->fw_version));
}

static int macstats_emu_get_link_ksettings(struct net_device *netdev,
					   struct ethtool_link_ksettings *settings)
{
	const struct macstats_emu_port *port = macstats_emu_port_of(netdev);
	bool half = port->emu->options & MACSTATS_OPT_HALF_DUPLEX;

	ethtool_link_ksettings_zero_link_mode(settings, supported);
	ethtool_link_ksettings_zero_link_mode(settings, advertising);
	settings->base.speed = div_u64(port->line_rate_bps, 1000000);
	settings->base.duplex = half ? DUPLEX_HALF : DUPLEX_FULL;
	settings->base.autoneg = AUTONEG_DISABLE;
	settings->base.port = port->emu->options & MACSTATS_OPT_FIBER ? PORT_FIBRE : PORT_OTHER;
	return 0;
}

/* The speed alone can change, to another one of the model. */
static int macstats_emu_set_link_ksettings(struct net_device *netdev,
					   const struct ethtool_link_ksettings *settings)
{
	static const u16 speeds[] = { 0, MACSTATS_OPT_10M, MACSTATS_OPT_100M };
	struct macstats_emu_port *port = macstats_emu_port_of(netdev);
	const struct macstats_model *model = port->device->model;
	bool half = port->emu->options & MACSTATS_OPT_HALF_DUPLEX;
	unsigned int i;

	if (settings->base.autoneg != AUTONEG_DISABLE ||
	    settings->base.duplex != (half ? DUPLEX_HALF : DUPLEX_FULL))
		return -EOPNOTSUPP;
	for (i = 0; i < ARRAY_SIZE(speeds); i++) {
		u64 rate = macstats_line_rate_bps(model, speeds[i]);

		if (!macstats_valid_options(model, speeds[i]) ||
		    rate != settings->base.speed * 1000000ull)
			continue;
		port->line_rate_bps = rate;
		return macstats_port_set_line_rate(macstats_emu_stats_of(netdev), rate);
	}
	return -EINVAL;
}

static void macstats_emu_get_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	const struct macstats_emu_priv *priv = netdev_priv(netdev);

	pause->autoneg = AUTONEG_DISABLE;
	pause->rx_pause = priv->rx_pause;
	pause->tx_pause = priv->tx_pause;
}

static int macstats_emu_set_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);

	if (pause->autoneg)
		return -EOPNOTSUPP;
	priv->rx_pause = pause->rx_pause;
	priv->tx_pause = pause->tx_pause;
	return 0;
}

static int macstats_emu_get_sset_count(struct net_device *netdev, int sset)
{
	return sset == ETH_SS_TEST ? 1 : macstats_get_sset_count(netdev, sset);
}

static void macstats_emu_get_strings(struct net_device *netdev, u32 sset, u8 *data)
{
	if (sset == ETH_SS_TEST)
		ethtool_puts(&data, "counters (online)");
	else
		macstats_get_strings(netdev, sset, data);
}

/*
 * The one test reads the counters. It fails without a read on a held port and on a slow bus, for
 * which it must not wait under RTNL.
 */
static void macstats_emu_self_test(struct net_device *netdev, struct ethtool_test *test,
				   u64 *results)
{
	const struct macstats_emu_port *port = macstats_emu_port_of(netdev);

	*results = port->device->held ||
		   (READ_ONCE(port->emu->faults) & MACSTATS_FAULT_SLOW_BUS) ||
		   macstats_port_refresh(macstats_emu_stats_of(netdev));
	if (*results)
		test->flags |= ETH_TEST_FL_FAILED;
}

static const struct ethtool_ops macstats_emu_ethtool_ops = {
	MACSTATS_ETHTOOL_GROUPS,
	MACSTATS_ETHTOOL_REQUESTS,
	MACSTATS_ETHTOOL_REGS,
	MACSTATS_ETHTOOL_INTERVAL,
	.get_sset_count = macstats_emu_get_sset_count,
	.get_strings = macstats_emu_get_strings,
	.get_ethtool_stats = macstats_get_ethtool_stats,
	.get_drvinfo = macstats_emu_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = macstats_emu_get_link_ksettings,
	.set_link_ksettings = macstats_emu_set_link_ksettings,
	.get_ts_info = ethtool_op_get_ts_info,
	.get_pauseparam = macstats_emu_get_pauseparam,
	.set_pauseparam = macstats_emu_set_pauseparam,
	.self_test = macstats_emu_self_test,
};

/* The largest MTU for which the maximum frame length registers have room. */
static unsigned int macstats_emu_max_mtu(const struct macstats_model *model)
{
	return min(macstats_longest_frame(model, MACSTATS_ROLE_MAX_FRAME_RX),
		   macstats_longest_frame(model, MACSTATS_ROLE_MAX_FRAME_TX)) -
	       macstats_emu_frame_of(model, 0);
}

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

/* Make a port ready for its first net device: the last driver may have left it suspended. */
static void macstats_emu_port_ready(struct macstats_emu_port *port)
{
	WRITE_ONCE(port->bus_hurries, false);
	mutex_lock(&port->power_lock);
	port->sleeps = 0;
	WRITE_ONCE(port->suspended, false);
	macstats_emu_set_power(port, true);
	mutex_unlock(&port->power_lock);
}

/**
 * macstats_emu_netdev_new() - make and register a net device of a port
 * @slot: its place
 * @regmaps: the registers of each region of its device; they live as long as the net device
 * @net: the namespace of the net device
 *
 * Context: may sleep; the driver is being bound.
 * Return: the net device, or an ERR_PTR.
 */
struct net_device *macstats_emu_netdev_new(struct macstats_emu_slot *slot,
					   struct regmap *const *regmaps, struct net *net)
{
	struct macstats_emu_port *port = slot->port;
	struct macstats_port *shared = macstats_emu_shared_stats(port);
	struct macstats_emu_device *device = port->device;
	const struct macstats_emulated emulated = {
		.held = device->held,
		.line_octets = macstats_emu_line,
		.lowered = macstats_emu_port_lowered,
		.read_block = macstats_emu_read_block,
		.unbounded = device->no_line,
		.wq = macstats_emu_wq,
	};
	struct macstats_port_config config = {
		.model = device->model,
		.index = port->index,
		.ops = &macstats_emu_port_ops,
		.priv = port,
		.line_rate_bps = port->line_rate_bps,
	};
	struct macstats_emu_priv *priv;
	struct net_device *netdev;
	unsigned int cpu;
	int err;

	if (!(READ_ONCE(port->emu->faults) & MACSTATS_FAULT_SLOW_BUS))
		config.flags |= MACSTATS_PORT_FAST_IO;
	if (device->private_only)
		config.flags |= MACSTATS_PORT_PRIVATE_ONLY;
	if (port->n_slots > 1)
		config.flags |= MACSTATS_PORT_SHARED;
	if (device->model->n_regions)
		config.regmaps = regmaps;
	else
		config.regmap = regmaps[0];
	netdev = alloc_netdev(sizeof(*priv), device->name, device->name_assign_type,
			      macstats_emu_setup);
	if (!netdev)
		return ERR_PTR(-ENOMEM);
	dev_net_set(netdev, net);
	SET_NETDEV_DEV(netdev, &device->pdev->dev);
	netdev->dev_port = slot->index;
	netdev->max_mtu = macstats_emu_max_mtu(device->model);

	priv = netdev_priv(netdev);
	priv->slot = slot;
	priv->port = port;
	priv->regmaps = regmaps;
	priv->netdev = netdev;
	priv->rx_pause = true;
	priv->tx_pause = true;
	priv->counts = device->model->n_tx_status || device->model->n_rx_status ||
		       port->n_slots > 1;
	priv->local = alloc_percpu(struct macstats_emu_local);
	if (!priv->local) {
		err = -ENOMEM;
		goto err_free;
	}
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(priv->local, cpu)->syncp);

	if (!shared) {
		macstats_emu_port_ready(port);
		err = macstats_emu_apply_mtu(priv, netdev->mtu);
		if (err)
			goto err_local;
	}
	config.netdev = netdev;
	priv->stats = shared ? macstats_port_share(shared, netdev) :
			       macstats_port_register_emulated(&config, &emulated);
	if (IS_ERR(priv->stats)) {
		err = PTR_ERR(priv->stats);
		goto err_local;
	}
	netif_carrier_off(netdev);
	rtnl_lock();
	err = register_netdevice(netdev);
	if (!err) {
		rcu_assign_pointer(slot->netdev, netdev);
		/* Under RTNL the net device that shares the port keeps its MTU. */
		if (shared)
			err = macstats_emu_apply_mtu(priv, netdev->mtu);
		if (err) {
			RCU_INIT_POINTER(slot->netdev, NULL);
			unregister_netdevice(netdev);
		}
	}
	rtnl_unlock();
	if (err)
		goto err_stats;
	return netdev;

err_stats:
	macstats_port_unregister(priv->stats);
err_local:
	free_percpu(priv->local);
err_free:
	free_netdev(netdev);
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

/**
 * macstats_emu_netdevs_del() - delete the net devices of several devices
 * @devices: the devices
 * @n: number of @devices
 * @net: delete only net devices in this namespace, which is ending: they never come back;
 *	NULL: delete all
 *
 * Deletes all together: the kernel waits several times until a net device is unused, and
 * one such wait serves many net devices.
 *
 * Context: may sleep; the caller prevents binding and unbinding of the driver.
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
		free_percpu(priv->local);
		free_netdev(priv->netdev);
	}
	/* A net device that stays has its slow bus back. */
	for (d = 0; d < n; d++)
		for (i = 0; i < devices[d]->n_ports; i++)
			WRITE_ONCE(devices[d]->ports[i].bus_hurries, false);
}
