// SPDX-License-Identifier: GPL-2.0
/*
 * A minimal driver with statistics from macstats, of the Intel 82540EM that QEMU emulates. It
 * moves no frames; README.md lists what a driver with traffic adds.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/regmap.h>

#include "macstats.h"

#define MINIMAL_MODEL	"e1000"
#define MINIMAL_ICR	0x00c0	/* a read clears the causes of interrupts */

/* Keep debugfs from reading registers that a read changes: those of the model, and others. */
static bool minimal_precious_reg(struct device *dev, unsigned int reg)
{
	return reg == MINIMAL_ICR ||
	       macstats_regmap_precious(macstats_model_find(MINIMAL_MODEL), reg);
}

/* Without a cache. In one, counters and the registers with the state must be volatile. */
static const struct regmap_config minimal_regmap_config = {
	.reg_bits = 32,
	.val_bits = 32,
	.reg_stride = 4,
	.max_register = 0x40fc,		/* the last counter */
	.precious_reg = minimal_precious_reg,
};

static netdev_tx_t minimal_start_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	/* No register counts it. The core adds it to the result of ndo_get_stats64(). */
	dev_core_stats_tx_dropped_inc(netdev);
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops minimal_netdev_ops = {
	.ndo_start_xmit = minimal_start_xmit,
	.ndo_get_stats64 = macstats_netdev_get_stats64,
};

static const struct ethtool_ops minimal_ethtool_ops = {
	MACSTATS_ETHTOOL_OPS,
};

static int minimal_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct macstats_port_config config = {
		.model = macstats_model_find(MINIMAL_MODEL),
		.no_line = true,	/* QEMU sends as fast as its host can */
	};
	struct macstats_port *port;
	void __iomem *base;
	int err;

	err = pcim_enable_device(pdev);
	if (err)
		return err;
	base = devm_ioremap_resource(&pdev->dev, &pdev->resource[0]);
	if (IS_ERR(base))
		return PTR_ERR(base);
	config.regmap = devm_regmap_init_mmio(&pdev->dev, base, &minimal_regmap_config);
	if (IS_ERR(config.regmap))
		return PTR_ERR(config.regmap);

	config.netdev = devm_alloc_etherdev(&pdev->dev, 0);
	if (!config.netdev)
		return -ENOMEM;
	SET_NETDEV_DEV(config.netdev, &pdev->dev);
	config.netdev->netdev_ops = &minimal_netdev_ops;
	config.netdev->ethtool_ops = &minimal_ethtool_ops;
	eth_hw_addr_random(config.netdev);

	/* The port comes first and ends last: the net device always has its statistics. */
	port = devm_macstats_port_register(&pdev->dev, &config);
	if (IS_ERR(port))
		return PTR_ERR(port);
	pci_set_drvdata(pdev, port);
	return devm_register_netdev(&pdev->dev, config.netdev);
}

/* The last read before D3, which may clear registers. The port itself reports a failure. */
static int minimal_suspend(struct device *dev)
{
	macstats_port_suspend(dev_get_drvdata(dev));
	return 0;
}

/* In D0 again, the counters have unknown values: a new baseline. The totals continue. */
static int minimal_resume(struct device *dev)
{
	macstats_port_resume(dev_get_drvdata(dev));
	return 0;
}

static DEFINE_SIMPLE_DEV_PM_OPS(minimal_pm_ops, minimal_suspend, minimal_resume);

/* QEMU's only: others have a line rate, and the driver e1000. */
static const struct pci_device_id minimal_ids[] = {
	{ PCI_DEVICE_SUB(PCI_VENDOR_ID_INTEL, 0x100e, PCI_SUBVENDOR_ID_REDHAT_QUMRANET,
			 PCI_SUBDEVICE_ID_QEMU) },
	{ }
};
MODULE_DEVICE_TABLE(pci, minimal_ids);

static struct pci_driver minimal_driver = {
	.name = KBUILD_MODNAME,
	.id_table = minimal_ids,
	.probe = minimal_probe,
	.driver.pm = pm_sleep_ptr(&minimal_pm_ops),
};
module_pci_driver(minimal_driver);

MODULE_DESCRIPTION("Minimal driver with statistics from macstats");
MODULE_AUTHOR("macstats contributors");
MODULE_LICENSE("GPL");
