// SPDX-License-Identifier: GPL-2.0-only
/* The MAC management counters (MMC), provided by macstats. */
#include <linux/cleanup.h>
#include <linux/ctype.h>

#include <macstats/model/dwmac_mmc.h>

#include "stmmac.h"

static int stmmac_macstats_read(void *base, unsigned int reg, unsigned int *value)
{
	*value = readl((void __iomem *)base + reg);
	return 0;
}

/* The provider writes the control register of the counters alone, and nobody else does. */
static int stmmac_macstats_update(void *base, unsigned int reg, unsigned int mask,
				  unsigned int value)
{
	void __iomem *addr = (void __iomem *)base + reg;

	writel((readl(addr) & ~mask) | value, addr);
	return 0;
}

static const struct macstats_port_ops stmmac_macstats_ops = {
	.reg_read = stmmac_macstats_read,
	.reg_update_bits = stmmac_macstats_update,
};

static const struct macstats_model *stmmac_macstats_model(const struct stmmac_priv *priv)
{
	switch (priv->mmcaddr - priv->ioaddr) {
	case MMC_XGMAC_OFFSET:
		return &dwxgmac_mmc_model;
	case MMC_GMAC4_OFFSET:
		return &dwmac4_mmc_model;
	default:
		return &dwmac_mmc_model;
	}
}

/**
 * stmmac_macstats_init - provide the counters, if the MAC has them
 * @priv: driver private structure
 * Description: the port is suspended until the net device opens, as the clocks may stop.
 * Return: 0 or a negative error.
 */
int stmmac_macstats_init(struct stmmac_priv *priv)
{
	const struct macstats_model *model = stmmac_macstats_model(priv);
	unsigned int n = model->n_counters;
	char (*strings)[ETH_GSTRING_LEN] __free(kfree) = kcalloc(n, sizeof(*strings), GFP_KERNEL);
	struct macstats_alias *aliases __free(kfree) =
		kcalloc(n + 1, sizeof(*aliases), GFP_KERNEL);
	struct macstats_port_config config = {
		.netdev = priv->dev,
		.model = model,
		.flags = MACSTATS_PORT_FAST_IO | MACSTATS_PORT_SUSPENDED |
			 MACSTATS_PORT_OWN_PACKETS,
		.ops = &stmmac_macstats_ops,
		.priv = (void __force *)priv->ioaddr,
		.aliases = aliases,
	};
	unsigned int i, k;

	if (!priv->dma_cap.rmon)
		return 0;
	if (!strings || !aliases)
		return -ENOMEM;
	/* ethtool -S has the names of the registers, in lower case. */
	for (i = 0; i < n; i++) {
		const char *reg = model->counters[i].reg;

		for (k = 0; reg[k]; k++)
			strings[i][k] = tolower(reg[k]);
		aliases[i].string = strings[i];
		aliases[i].regs[0] = reg;
	}
	priv->macstats = devm_macstats_port_register(priv->device, &config);
	return PTR_ERR_OR_ZERO(priv->macstats);
}

/**
 * stmmac_macstats_frames - frames that the MAC has counted so far
 * @priv: driver private structure
 * Description: those that it has sent and received. Not each MAC has both counters.
 */
u64 stmmac_macstats_frames(struct stmmac_priv *priv)
{
	struct macstats_port *port = priv->macstats;

	macstats_port_refresh(port);
	return macstats_port_total(port, "MMC_TX_FRAMECOUNT_G") +
	       macstats_port_total(port, "MMC_RX_FRAMECOUNT_GB");
}
