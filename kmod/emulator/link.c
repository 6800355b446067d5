// SPDX-License-Identifier: GPL-2.0
/* Cables between net devices, loopback plugs, and the carrier that they make. */
#include "../compat.h"
#include "netdev.h"

static struct net_device *macstats_emu_peer_of(const struct net_device *netdev)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);

	return rtnl_dereference(priv->peer);
}

/* A port has a carrier if both ends of the cable are up. Caller holds RTNL. */
static void macstats_emu_update_carrier(struct net_device *netdev)
{
	const struct net_device *peer = macstats_emu_peer_of(netdev);

	if (peer && macstats_emu_is_ready(netdev) && macstats_emu_is_ready(peer))
		netif_carrier_on(netdev);
	else
		netif_carrier_off(netdev);
}

/* Both ends of a cable: one is up or down now, as netif_running() says. Return: 0. */
int macstats_emu_update_carriers(struct net_device *netdev)
{
	struct net_device *peer = macstats_emu_peer_of(netdev);

	macstats_emu_update_carrier(netdev);
	if (peer && peer != netdev)
		macstats_emu_update_carrier(peer);
	return 0;
}

void macstats_emu_disconnect(struct net_device *netdev)
{
	struct net_device *peer = macstats_emu_peer_of(netdev);
	struct macstats_emu_priv *priv = netdev_priv(netdev);

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
		if (READ_ONCE(macstats_emu_port_of(ends[i])->user)) {
			MACSTATS_EXTACK(extack,
					"%s lends its registers to another driver: inject frames",
					ends[i]->name);
			return -EBUSY;
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

netdev_features_t macstats_emu_fix_features(struct net_device *netdev,
					    netdev_features_t features)
{
	const struct net_device *peer = macstats_emu_peer_of(netdev);

	/* A cable, or another driver, excludes a loopback plug. */
	if ((peer && peer != netdev) || READ_ONCE(macstats_emu_port_of(netdev)->user))
		features &= ~NETIF_F_LOOPBACK;
	return features;
}

int macstats_emu_set_features(struct net_device *netdev, netdev_features_t features)
{
	struct macstats_emu_priv *priv = netdev_priv(netdev);
	bool now = macstats_emu_peer_of(netdev) == netdev;
	bool loopback = features & NETIF_F_LOOPBACK;

	if (loopback && !now) {
		rcu_assign_pointer(priv->peer, netdev);
		macstats_emu_update_carrier(netdev);
	} else if (!loopback && now) {
		macstats_emu_disconnect(netdev);
	}
	return 0;
}
