// SPDX-License-Identifier: GPL-2.0
/*
 * The frames of a net device: they are counted in the registers of its port, cross the cable, and
 * complete their descriptors.
 */
#include <linux/etherdevice.h>
#include <linux/u64_stats_sync.h>

#include <macstats/account.h>

#include "../compat.h"
#include "netdev.h"

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
	struct macstats_emu_own own_sent;
	struct macstats_emu_own own_received;
	struct macstats_emu_known sent;
	struct macstats_emu_known received;
};

/* Make the counts of each CPU, all 0. Return: -ENOMEM or 0. May sleep. */
int macstats_emu_traffic_init(struct macstats_emu_priv *priv)
{
	unsigned int cpu;

	priv->completes = priv->port->device->model->descriptor || priv->port->n_slots > 1;
	if (!priv->completes)
		return 0;
	priv->local = alloc_percpu(struct macstats_emu_local);
	if (!priv->local)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(priv->local, cpu)->syncp);
	return 0;
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
	u32 octets = frame->length > MACSTATS_FCS_LEN ? frame->length - MACSTATS_FCS_LEN : 0;

	if (sent ? frame->origin != MACSTATS_BY_SOFTWARE : !for_host)
		return;
	u64_stats_update_begin(&local->syncp);
	u64_stats_set(&own->packets, macstats_total_add(u64_stats_read(&own->packets), count));
	u64_stats_set(&own->octets,
		      macstats_total_add(u64_stats_read(&own->octets),
					 macstats_saturating_multiply(count, octets)));
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
 * Return: the frame as the MAC sees it.
 */
static __always_inline struct macstats_seen macstats_emu_cross(struct macstats_emu_priv *priv,
							       const struct macstats_frame *frame,
							       u64 count)
{
	const struct macstats_seen seen = macstats_emu_count(priv->port, frame, count);

	if (priv->completes)
		macstats_emu_complete(priv, frame, macstats_is_for_host(seen.frame_class), count);
	return seen;
}

void macstats_emu_inject(struct net_device *netdev, const struct macstats_frame *frame, u64 count)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	unsigned long flags;

	local_bh_disable();
	/*
	 * Another driver's read in a hard interrupt would wait for the end of the addition. With
	 * PREEMPT_RT, its interrupts are threads.
	 */
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		local_irq_save(flags);
	macstats_emu_cross(priv, frame, count);
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		local_irq_restore(flags);
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

netdev_tx_t macstats_emu_start_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	struct macstats_frame frame;
	struct macstats_seen seen;
	struct net_device *peer;

	/* With bottom halves off, this is a read-side critical section. */
	peer = rcu_dereference_bh(priv->peer);
	if (unlikely(!peer || !macstats_emu_is_ready(netdev) || !macstats_emu_is_ready(peer) ||
		     !macstats_emu_is_frame(skb))) {
		dev_core_stats_tx_dropped_inc(netdev);
		kfree_skb(skb);
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

void macstats_emu_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	unsigned int cpu;

	macstats_get_stats64(netdev, stats);
	if (!priv->completes)
		return;
	for_each_possible_cpu(cpu) {
		const struct macstats_emu_local *local = per_cpu_ptr(priv->local, cpu);
		struct rtnl_link_stats64 own = {};
		unsigned int start;

		do {
			start = u64_stats_fetch_begin(&local->syncp);
			own.tx_packets = u64_stats_read(&local->own_sent.packets);
			own.tx_bytes = u64_stats_read(&local->own_sent.octets);
			own.rx_packets = u64_stats_read(&local->own_received.packets);
			own.rx_bytes = u64_stats_read(&local->own_received.octets);
		} while (u64_stats_fetch_retry(&local->syncp, start));
		stats->tx_packets = macstats_total_add(stats->tx_packets, own.tx_packets);
		stats->tx_bytes = macstats_total_add(stats->tx_bytes, own.tx_bytes);
		stats->rx_packets = macstats_total_add(stats->rx_packets, own.rx_packets);
		stats->rx_bytes = macstats_total_add(stats->rx_bytes, own.rx_bytes);
	}
}
