// SPDX-License-Identifier: GPL-2.0
/* altera_tse: a Triple-Speed Ethernet MAC with mSGDMA, whose link is fixed. */
#include "bench.h"

static const struct bench_rule altera_tse_rules[] = {
	{ 0x0000, .reset = 0xd00 },			/* revision */
};

const struct bench_personality bench_altera_tse = {
	.name = "altera_tse", .model = "altera_tse", .size = 0x6000,
	.compatible = "altr,tse-msgdma-1.0",
	.regions = { "control_port", "rx_csr", "tx_csr", "rx_desc", "tx_desc", "rx_resp" },
	.irqs = { "rx_irq", "tx_irq" },
	BENCH_RULES(altera_tse_rules),
};
