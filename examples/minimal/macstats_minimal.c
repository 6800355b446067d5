// SPDX-License-Identifier: GPL-2.0
/* A driver of the Intel 82540EM with statistics, which moves no frames: README.md has more. */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/pci.h>

#include <macstats/model/e1000.h>

#include "macstats.h"

static int minimal_reg_read(void *base, unsigned int reg, unsigned int *value)
{
	*value = readl((void __iomem *)base + reg);
	return 0;
}

static const struct macstats_port_ops minimal_port_ops = {
	.reg_read = minimal_reg_read,
};

static netdev_tx_t minimal_start_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	dev_core_stats_tx_dropped_inc(netdev);	/* the core adds it to ndo_get_stats64() */
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops minimal_netdev_ops = {
	.ndo_start_xmit = minimal_start_xmit,
	.ndo_get_stats64 = macstats_get_stats64,
};

static const struct ethtool_ops minimal_ethtool_ops = { MACSTATS_ETHTOOL_OPS };

static int minimal_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct macstats_port_config config = {
		.model = &e1000_model,
		.ops = &minimal_port_ops,
		.flags = MACSTATS_PORT_FAST_IO,
	};
	struct macstats_port *port;
	int err;

	/* QEMU's has no line rate: it sends as fast as its host can. */
	if (pdev->subsystem_vendor == PCI_SUBVENDOR_ID_REDHAT_QUMRANET)
		config.line_rate_bps = MACSTATS_NO_LINE_RATE;
	err = pcim_enable_device(pdev);
	if (err)
		return err;
	config.priv = (void __force *)devm_ioremap_resource(&pdev->dev, &pdev->resource[0]);
	if (IS_ERR(config.priv))
		return PTR_ERR(config.priv);
	config.netdev = devm_alloc_etherdev(&pdev->dev, 0);
	if (!config.netdev)
		return -ENOMEM;
	SET_NETDEV_DEV(config.netdev, &pdev->dev);
	config.netdev->netdev_ops = &minimal_netdev_ops;
	config.netdev->ethtool_ops = &minimal_ethtool_ops;
	eth_hw_addr_random(config.netdev);

	/* First, so that it ends last: the net device always has its statistics. */
	port = devm_macstats_port_register(&pdev->dev, &config);
	if (IS_ERR(port))
		return PTR_ERR(port);
	pci_set_drvdata(pdev, port);
	return devm_register_netdev(&pdev->dev, config.netdev);
}

/* D3 may clear registers. The port itself reports if the last read before it fails. */
static int minimal_suspend(struct device *dev)
{
	macstats_port_suspend(dev_get_drvdata(dev));
	return 0;
}

static int minimal_resume(struct device *dev)
{
	macstats_port_resume(dev_get_drvdata(dev));
	return 0;
}

static DEFINE_SIMPLE_DEV_PM_OPS(minimal_pm_ops, minimal_suspend, minimal_resume);

static const struct pci_device_id minimal_ids[] = { { PCI_VDEVICE(INTEL, 0x100e) }, { } };

static struct pci_driver minimal_driver = {
	.name = KBUILD_MODNAME,
	.id_table = minimal_ids,
	.probe = minimal_probe,
	.driver.pm = pm_sleep_ptr(&minimal_pm_ops),
};
module_pci_driver(minimal_driver);

MODULE_DESCRIPTION("Minimal driver with statistics from macstats");
MODULE_LICENSE("GPL");
