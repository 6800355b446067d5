// SPDX-License-Identifier: GPL-2.0
/* altera_tse: a Triple-Speed Ethernet MAC with mSGDMA, whose link is fixed. */
#include <linux/of.h>

#include "bench.h"

#define NODE	"macstats-bench-tse"

static const struct bench_rule altera_tse_rules[] = {
	{ 0x0000, .reset = 0xd00 },			/* revision */
};

static int altera_tse_make_node(struct of_changeset *changes, struct device_node *node)
{
	struct device_node *link;

	link = of_changeset_create_node(changes, node, "fixed-link");
	/* No device for it by the core. */
	of_node_set_flag(node, OF_POPULATED);
	return !link ? -ENOMEM :
	       of_changeset_add_prop_string(changes, node, "compatible", "altr,tse-msgdma-1.0") ? :
	       of_changeset_add_prop_string(changes, node, "phy-mode", "rgmii") ? :
	       of_changeset_add_prop_u32(changes, node, "rx-fifo-depth", 2048) ? :
	       of_changeset_add_prop_u32(changes, node, "tx-fifo-depth", 2048) ? :
	       of_changeset_add_prop_u32(changes, link, "speed", 1000) ? :
	       of_changeset_add_prop_bool(changes, link, "full-duplex") ? :
	       of_changeset_apply(changes);
}

/* The node stays, for the next time. */
static int altera_tse_prepare(struct bench *bench, struct platform_device *pdev)
{
	struct device_node *node = of_find_node_by_path("/" NODE);
	static struct of_changeset changes;
	int err = 0;

	if (!node) {
		of_changeset_init(&changes);
		node = of_changeset_create_node(&changes, of_root, NODE);
		err = node ? altera_tse_make_node(&changes, node) : -ENOMEM;
	}
	if (!err)
		device_set_node(&pdev->dev, of_fwnode_handle(node));
	return err;
}

const struct bench_personality bench_altera_tse = {
	.name = "altera_tse", .model = "altera_tse", .size = 0x6000,
	.regions = { "control_port", "rx_csr", "tx_csr", "rx_desc", "tx_desc", "rx_resp" },
	.irqs = { "rx_irq", "tx_irq" },
	BENCH_RULES(altera_tse_rules), .prepare = altera_tse_prepare,
};
