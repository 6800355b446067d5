// SPDX-License-Identifier: GPL-2.0
/*
 * The statistics of the switch, provided by macstats: the way to its registers, and a port for each
 * net device. One statistics block counts for all of them.
 */
#include <linux/io.h>
#include <linux/netdevice.h>
#include <linux/phy.h>
#include <linux/pm_runtime.h>

#include <macstats/model/cpsw.h>

#include "cpsw_priv.h"

#define CPSW_STRING(name)	{ name, { name } }

static const struct macstats_alias cpsw_strings[] = {
	CPSW_STRING("Good Rx Frames"),
	CPSW_STRING("Broadcast Rx Frames"),
	CPSW_STRING("Multicast Rx Frames"),
	CPSW_STRING("Pause Rx Frames"),
	CPSW_STRING("Rx CRC Errors"),
	CPSW_STRING("Rx Align/Code Errors"),
	CPSW_STRING("Oversize Rx Frames"),
	CPSW_STRING("Rx Jabbers"),
	CPSW_STRING("Undersize (Short) Rx Frames"),
	CPSW_STRING("Rx Fragments"),
	CPSW_STRING("Rx Octets"),
	CPSW_STRING("Good Tx Frames"),
	CPSW_STRING("Broadcast Tx Frames"),
	CPSW_STRING("Multicast Tx Frames"),
	CPSW_STRING("Pause Tx Frames"),
	CPSW_STRING("Deferred Tx Frames"),
	CPSW_STRING("Collisions"),
	CPSW_STRING("Single Collision Tx Frames"),
	CPSW_STRING("Multiple Collision Tx Frames"),
	CPSW_STRING("Excessive Collisions"),
	CPSW_STRING("Late Collisions"),
	CPSW_STRING("Tx Underrun"),
	CPSW_STRING("Carrier Sense Errors"),
	CPSW_STRING("Tx Octets"),
	CPSW_STRING("Rx + Tx 64 Octet Frames"),
	CPSW_STRING("Rx + Tx 65-127 Octet Frames"),
	CPSW_STRING("Rx + Tx 128-255 Octet Frames"),
	CPSW_STRING("Rx + Tx 256-511 Octet Frames"),
	CPSW_STRING("Rx + Tx 512-1023 Octet Frames"),
	CPSW_STRING("Rx + Tx 1024-Up Octet Frames"),
	CPSW_STRING("Net Octets"),
	CPSW_STRING("Rx Start of Frame Overruns"),
	CPSW_STRING("Rx Middle of Frame Overruns"),
	CPSW_STRING("Rx DMA Overruns"),
	{ }
};

/* The model has a region for each block of registers, whose addresses depend on the version. */
static void __iomem *cpsw_macstats_register(struct cpsw_common *cpsw, u32 reg)
{
	void __iomem *regs = cpsw->regs;
	void __iomem *const blocks[] = {
		cpsw->hw_stats, regs,
		regs + (cpsw->version == CPSW_VERSION_1 ? CPSW1_SLIVER_OFFSET :
							  CPSW2_SLIVER_OFFSET),
		cpsw->wr_regs,
	};
	int region = macstats_region_at(&cpsw_model, reg);

	if (region < 0 || region >= ARRAY_SIZE(blocks))
		return NULL;
	return blocks[region] + (reg - cpsw_model.regions[region].first);
}

static int cpsw_macstats_read(void *priv, unsigned int reg, unsigned int *value)
{
	void __iomem *addr = cpsw_macstats_register(priv, reg);

	if (!addr)
		return -ENXIO;
	*value = readl(addr);
	return 0;
}

static int cpsw_macstats_update(void *priv, unsigned int reg, unsigned int mask,
				unsigned int value)
{
	void __iomem *addr = cpsw_macstats_register(priv, reg);

	if (!addr)
		return -ENXIO;
	writel((readl(addr) & ~mask) | (value & mask), addr);
	return 0;
}

static int cpsw_macstats_get(void *priv)
{
	struct cpsw_common *cpsw = priv;

	return pm_runtime_resume_and_get(cpsw->dev);
}

static void cpsw_macstats_put(void *priv)
{
	struct cpsw_common *cpsw = priv;

	pm_runtime_put(cpsw->dev);
}

static const struct macstats_port_ops cpsw_macstats_ops = {
	.get = cpsw_macstats_get,
	.put = cpsw_macstats_put,
	.reg_read = cpsw_macstats_read,
	.reg_update_bits = cpsw_macstats_update,
};

/**
 * cpsw_macstats_init() - provide the statistics of the switch
 * @cpsw: the switch, with power
 *
 * The port begins suspended, as all net devices are down. It ends with the device, after them.
 *
 * Return: 0 or an error.
 */
int cpsw_macstats_init(struct cpsw_common *cpsw)
{
	const struct macstats_port_config config = {
		.model = &cpsw_model,
		.ops = &cpsw_macstats_ops,
		.priv = cpsw,
		.flags = cpsw->data.dual_emac ? MACSTATS_PORT_SHARED : 0,
		.aliases = cpsw_strings,
	};

	cpsw->macstats = devm_macstats_port_register(cpsw->dev, &config);
	if (IS_ERR(cpsw->macstats))
		return PTR_ERR(cpsw->macstats);
	return macstats_port_suspend(cpsw->macstats);
}

/* ndo_init: the net device shows the statistics of the switch. */
int cpsw_ndo_init(struct net_device *ndev)
{
	struct cpsw_priv *priv = netdev_priv(ndev);

	priv->macstats = macstats_port_share(priv->cpsw->macstats, ndev);
	return PTR_ERR_OR_ZERO(priv->macstats);
}

void cpsw_ndo_uninit(struct net_device *ndev)
{
	struct cpsw_priv *priv = netdev_priv(ndev);

	macstats_port_unregister(priv->macstats);
}
