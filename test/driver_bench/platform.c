// SPDX-License-Identifier: GPL-2.0
/* The bench as a platform device. */
#include <linux/clk-provider.h>
#include <linux/irq.h>
#include <linux/of.h>

#include "bench.h"

static unsigned long bench_platform_read(struct um_pci_device *um, int bar, unsigned int offset,
					 int size)
{
	return bench_access_read(container_of(um, struct bench, um), offset, size);
}

static void bench_platform_write(struct um_pci_device *um, int bar, unsigned int offset, int size,
				 unsigned long value)
{
	bench_access_write(container_of(um, struct bench, um), offset, size, value);
}

/* Drivers on the bench copy no registers of a platform device. */
static const struct um_pci_ops bench_platform_ops = {
	.bar_read = bench_platform_read,
	.bar_write = bench_platform_write,
};

static void bench_free_irqs(struct bench *bench)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bench->irqs); i++)
		if (bench->irqs[i] > 0)
			irq_free_desc(bench->irqs[i]);
}

/* Add the registers and interrupts to the platform device. */
static int bench_add_resources(struct bench *bench)
{
	const struct bench_personality *personality = bench->personality;
	struct resource resources[ARRAY_SIZE(personality->regions) +
				  ARRAY_SIZE(personality->irqs)] = {};
	unsigned int n_regions = 0;
	unsigned int n;
	unsigned int i;
	u32 size;

	while (n_regions < ARRAY_SIZE(personality->regions) && personality->regions[n_regions])
		n_regions++;
	size = personality->size / n_regions;
	for (n = 0; n < n_regions; n++)
		resources[n] = (struct resource)
			DEFINE_RES_MEM_NAMED(BENCH_PLATFORM_BASE + n * size, size,
					     personality->regions[n]);
	for (i = 0; i < ARRAY_SIZE(bench->irqs) && personality->irqs[i]; i++, n++) {
		/* Without an owner: a driver that has requested it must not keep this module. */
		bench->irqs[i] = __irq_alloc_descs(-1, 0, 1, NUMA_NO_NODE, NULL, NULL);
		if (bench->irqs[i] < 0)
			return bench->irqs[i];
		irq_set_chip_and_handler(bench->irqs[i], &dummy_irq_chip, handle_simple_irq);
		resources[n] = (struct resource)
			DEFINE_RES_IRQ_NAMED(bench->irqs[i], personality->irqs[i]);
	}
	return platform_device_add_resources(bench->pdev, resources, n);
}

/* What drivers want to know of a MAC whose link is fixed. */
static int bench_fill_node(struct of_changeset *changes, struct device_node *node,
			   const char *compatible)
{
	struct device_node *link;

	link = of_changeset_create_node(changes, node, "fixed-link");
	/* No device for it by the core. */
	of_node_set_flag(node, OF_POPULATED);
	return !link ? -ENOMEM :
	       of_changeset_add_prop_string(changes, node, "compatible", compatible) ? :
	       of_changeset_add_prop_string(changes, node, "phy-mode", "rgmii") ? :
	       of_changeset_add_prop_u32(changes, node, "rx-fifo-depth", 2048) ? :
	       of_changeset_add_prop_u32(changes, node, "tx-fifo-depth", 2048) ? :
	       of_changeset_add_prop_u32(changes, link, "speed", 1000) ? :
	       of_changeset_add_prop_bool(changes, link, "full-duplex") ? :
	       of_changeset_apply(changes);
}

/* Give the platform device a node of the device tree. The node stays, for the next time. */
static int bench_set_node(struct bench *bench)
{
	static struct of_changeset changes;
	struct device_node *node;
	char path[48];
	int err = 0;

	snprintf(path, sizeof(path), "/macstats-bench-%s", bench->personality->name);
	node = of_find_node_by_path(path);
	if (!node) {
		of_changeset_init(&changes);
		node = of_changeset_create_node(&changes, of_root, path + 1);
		err = node ? bench_fill_node(&changes, node, bench->personality->compatible) :
			     -ENOMEM;
	}
	if (!err)
		device_set_node(&bench->pdev->dev, of_fwnode_handle(node));
	return err;
}

/**
 * bench_platform_plug() - add a platform device
 * @bench: the bench
 *
 * A driver that is loaded probes it.
 *
 * Context: may sleep.
 * Return: 0 or an error.
 */
int bench_platform_plug(struct bench *bench)
{
	const struct bench_personality *personality = bench->personality;
	int err;

	bench->um.ops = &bench_platform_ops;
	err = um_pci_platform_device_register(&bench->um);
	if (err)
		return err;
	bench->clk = clk_register_fixed_rate(NULL, "macstats_bench", NULL, 0, 125000000);
	err = PTR_ERR_OR_ZERO(bench->clk);
	if (err)
		goto err_um;
	err = -ENOMEM;
	bench->pdev = platform_device_alloc(personality->platform ? : personality->name,
					    PLATFORM_DEVID_NONE);
	if (!bench->pdev)
		goto err_clk;
	err = bench_add_resources(bench);
	if (!err)
		err = dma_coerce_mask_and_coherent(&bench->pdev->dev, DMA_BIT_MASK(32));
	if (!err && personality->compatible)
		err = bench_set_node(bench);
	if (!err && personality->prepare)
		err = personality->prepare(bench, bench->pdev);
	if (!err)
		err = platform_device_add(bench->pdev);
	if (!err) {
		err = bench_device_add(bench, &bench->pdev->dev);
		if (err)
			bench_platform_unplug(bench);
		return err;
	}
	platform_device_put(bench->pdev);
	bench_free_irqs(bench);
err_clk:
	clk_unregister_fixed_rate(bench->clk);
err_um:
	um_pci_platform_device_unregister(&bench->um);
	return err;
}

/**
 * bench_platform_unplug() - remove the platform device
 * @bench: the bench
 *
 * Context: may sleep.
 */
void bench_platform_unplug(struct bench *bench)
{
	platform_device_unregister(bench->pdev);
	irq_work_sync(&bench->irq_work);
	bench_free_irqs(bench);
	clk_unregister_fixed_rate(bench->clk);
	um_pci_platform_device_unregister(&bench->um);
}
