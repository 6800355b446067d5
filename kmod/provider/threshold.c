// SPDX-License-Identifier: GPL-2.0
/* Totals of a port that somebody wants to hear of when they are reached. */
#include <linux/mm.h>
#include <linux/slab.h>

#include "../compat.h"
#include "internal.h"

/* 0 stands for none: each total has reached it. */
u64 macstats_threshold(const struct macstats_port *port, unsigned int counter)
{
	return port->thresholds ? port->thresholds[counter] : 0;
}

bool macstats_threshold_reached(const struct macstats_port *port, unsigned int counter)
{
	u64 value = macstats_threshold(port, counter);

	return value && port->acc.totals[counter] >= value;
}

bool macstats_thresholds_reached(const struct macstats_port *port)
{
	unsigned int i;

	/* There has to be somebody to tell: a port between two namespaces tells later. */
	if (!port->thresholds || !port->net)
		return false;
	for (i = 0; i < port->model->n_counters; i++)
		if (macstats_threshold_reached(port, i))
			return true;
	return false;
}

int macstats_threshold_set(struct macstats_port *port, unsigned int counter, u64 value,
			   struct netlink_ext_ack *extack)
{
	u64 total = port->acc.totals[counter];

	if (value <= total) {
		MACSTATS_EXTACK(extack, "THRESHOLD_VALUE: %llu is reached, the total is %llu",
				value, total);
		return -ERANGE;
	}
	if (!port->thresholds)
		port->thresholds = kvcalloc(port->model->n_counters, sizeof(u64), GFP_KERNEL);
	if (!port->thresholds)
		return -ENOMEM;
	port->thresholds[counter] = value;
	return 0;
}

void macstats_threshold_drop(struct macstats_port *port, unsigned int counter)
{
	if (port->thresholds)
		port->thresholds[counter] = 0;
}

/* After they were told of. */
void macstats_thresholds_drop_reached(struct macstats_port *port)
{
	unsigned int i;

	if (!macstats_thresholds_reached(port))
		return;
	for (i = 0; i < port->model->n_counters; i++)
		if (macstats_threshold_reached(port, i))
			macstats_threshold_drop(port, i);
}
