// SPDX-License-Identifier: GPL-2.0
/* The maximum frame lengths of a port, which follow from the MTU of its net devices. */
#include <linux/if_vlan.h>

#include "netdev.h"

/* The longest frame for an MTU, with one tag unless the MAC allows a tag beyond its limit. */
static u32 macstats_emu_frame_of(const struct macstats_model *model, unsigned int mtu)
{
	return mtu + ETH_HLEN + ETH_FCS_LEN + (model->tag_over_max ? 0 : VLAN_HLEN);
}

static int macstats_emu_set_max_frame(struct macstats_emu_port *port,
				      const struct macstats_bit *max, u32 length)
{
	if (!max->mask)
		return 0;
	return macstats_emu_reg_update(port, max->offset, max->mask,
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
 * they belong to its test. Makes at most four bus accesses. Caller holds RTNL once the net
 * device is registered.
 */
int macstats_emu_apply_mtu(struct macstats_emu_priv *priv, unsigned int mtu)
{
	struct macstats_emu_port *port = priv->port;
	const struct macstats_model *model = port->device->model;
	const struct macstats_roles *roles = &port->emu->roles;
	u32 length = macstats_emu_frame_of(model, macstats_emu_largest_mtu(priv, mtu));
	int err;

	if (port->device->config.held)
		return 0;
	err = macstats_emu_set_max_frame(port, &roles->max_frame_switch,
					 length > model->max_frame_switch.off);
	if (!err)
		err = macstats_emu_set_max_frame(port, &roles->max_frame_enable,
						 length > model->max_frame_switch.on);
	if (!err)
		err = macstats_emu_set_max_frame(port, &roles->max_frame_rx, length);
	/* Some models have one register for both directions. */
	if (!err && !macstats_is_same_bit(&roles->max_frame_tx, &roles->max_frame_rx))
		err = macstats_emu_set_max_frame(port, &roles->max_frame_tx, length);
	return err;
}

int macstats_emu_change_mtu(struct net_device *netdev, int mtu)
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

/* The largest MTU for which the maximum frame length registers have room. */
unsigned int macstats_emu_max_mtu(const struct macstats_model *model)
{
	return min(macstats_longest_frame(model, MACSTATS_ROLE_MAX_FRAME_RX),
		   macstats_longest_frame(model, MACSTATS_ROLE_MAX_FRAME_TX)) -
	       macstats_emu_frame_of(model, 0);
}
