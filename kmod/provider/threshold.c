// SPDX-License-Identifier: GPL-2.0
/* Thresholds: totals that a port reports once, when its counters reach them. */
#include <linux/mm.h>
#include <linux/slab.h>

#include "internal.h"

/* The threshold of a counter, or 0: every total has reached 0. */
u64 macstats_threshold(const struct macstats_port *port, unsigned int counter)
{
	return port->thresholds ? port->thresholds[counter] : 0;
}

bool macstats_threshold_reached(const struct macstats_port *port, unsigned int counter)
{
	u64 value = macstats_threshold(port, counter);

	return value && port->hw->view.totals[counter] >= value;
}

/* Is a threshold reached that can be reported? A port between two namespaces reports later. */
bool macstats_thresholds_reached(const struct macstats_port *port)
{
	unsigned int i;

	if (!port->thresholds || !port->net)
		return false;
	for (i = 0; i < port->hw->model->n_counters; i++)
		if (macstats_threshold_reached(port, i))
			return true;
	return false;
}

/* Return: 0, -ERANGE if the total has already reached @value, or -ENOMEM. */
int macstats_threshold_set(struct macstats_port *port, unsigned int counter, u64 value)
{
	if (value <= port->hw->view.totals[counter])
		return -ERANGE;
	if (!port->thresholds)
		port->thresholds = kvcalloc(port->hw->model->n_counters, sizeof(u64),
					    GFP_KERNEL_ACCOUNT);
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

/* Drop the thresholds that were reported. */
void macstats_thresholds_drop_reached(struct macstats_port *port)
{
	unsigned int i;

	if (!macstats_thresholds_reached(port))
		return;
	for (i = 0; i < port->hw->model->n_counters; i++)
		if (macstats_threshold_reached(port, i))
			macstats_threshold_drop(port, i);
}
