// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel log: one line for each event of the hardware, within the one limit of all messages of
 * the network. It belongs to the first network namespace, and has no line about ports of others,
 * unless their hardware differs from its model.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/net.h>
#include <net/net_namespace.h>

#include "internal.h"

static const char *macstats_hw_name(const struct macstats_hw *hw)
{
	return hw->dev ? dev_name(hw->dev) : hw->model->name;
}

/* A message in the name of a port, or of its hardware while it has no net device. */
#define macstats_log_port(level, port, format, ...)						\
do {												\
	if ((port)->netdev)									\
		netdev_##level((port)->netdev, format, ##__VA_ARGS__);				\
	else											\
		pr_##level("%s: " format, macstats_hw_name((port)->hw), ##__VA_ARGS__);		\
} while (0)

/* May @event be logged? */
static bool macstats_log_may(const struct macstats_notice *what, enum macstats_event event)
{
	return (what->events & event) && net_ratelimit();
}

static void macstats_log_saturated(const struct macstats_notice *what)
{
	const struct macstats_model *model = what->port->hw->model;
	const struct macstats_counter *first = NULL;
	unsigned int n = 0;
	unsigned int i;

	for (i = 0; i < model->n_counters; i++)
		if (macstats_has_row(&what->saturated, i) && !n++)
			first = &model->counters[i];
	if (n > 1)
		macstats_log_port(notice, what->port,
				  "%s and %u more were read at their maximum: their totals are lower bounds\n",
				  first->name, n - 1);
	else if (n)
		macstats_log_port(notice, what->port,
				  "%s was read at its maximum of %llu: its total is a lower bound\n",
				  first->name, macstats_bits_mask(first->bits));
}

/*
 * In the name of the device, which no user chooses: for ports in any namespace, and beyond the
 * limit, as each kind is reported once. Caller holds hw->ports_lock.
 */
static void macstats_log_misfits(const struct macstats_notice *what)
{
	struct macstats_hw *hw = what->port->hw;
	const char *name = macstats_hw_name(hw);
	u8 fresh = what->state->misfits & ~hw->misfits_logged;
	const struct macstats_misfit *misfit;

	hw->misfits_logged = what->state->misfits;
	misfit = &what->state->misfit[MACSTATS_MISFIT_IDENTITY];
	if (fresh & BIT(MACSTATS_MISFIT_IDENTITY))
		pr_warn("%s: %s reads %#llx, %#llx expected: this is no %s\n",
			name, misfit->reg, misfit->value, misfit->expected, hw->model->name);
	misfit = &what->state->misfit[MACSTATS_MISFIT_READ];
	if (fresh & BIT(MACSTATS_MISFIT_READ))
		pr_warn("%s: %s reads %llu once more, at most %llu expected: a read does not clear it as the model says\n",
			name, misfit->reg, misfit->value, misfit->expected);
	misfit = &what->state->misfit[MACSTATS_MISFIT_CLEAR];
	if (fresh & BIT(MACSTATS_MISFIT_CLEAR))
		pr_warn("%s: %s reads %llu after the command that clears it, at most %llu expected: the hardware ignores the command\n",
			name, misfit->reg, misfit->value, misfit->expected);
	misfit = &what->state->misfit[MACSTATS_MISFIT_WORDS];
	if (fresh & BIT(MACSTATS_MISFIT_WORDS))
		pr_warn("%s: %s reads %#llx, an increase by at most %llu expected: its two words are exchanged\n",
			name, misfit->reg, misfit->value, misfit->expected);
}

static void macstats_log_discontinuity(const struct macstats_notice *what)
{
	const struct macstats_port *port = what->port;

	if (what->state->suspect_known)
		macstats_log_port(notice, port,
				  "%s read %llu: the counters were cleared, reset or damaged, counting restarts from the current register values\n",
				  port->hw->model->counters[what->state->suspect].name,
				  what->state->suspect_value);
	else
		macstats_log_port(notice, port,
				  "the hardware was reset: counting restarts from the current register values\n");
}

/* Caller holds hw->ports_lock. */
static void macstats_log_recovered(const struct macstats_notice *what)
{
	const struct macstats_port *port = what->port;

	if (port->hw->stale_logged && macstats_log_may(what, MACSTATS_EVENT_RECOVERED)) {
		macstats_log_port(info, port, "statistics can be read again\n");
		port->hw->stale_logged = false;
	}
}

/* A suspend is no fault: the driver asked for it. Caller holds hw->ports_lock. */
static void macstats_log_stale(const struct macstats_notice *what)
{
	const struct macstats_port *port = what->port;
	struct macstats_hw *hw = port->hw;

	/* Both may be pending: the present state tells which came last. */
	if (what->state->stale)
		macstats_log_recovered(what);
	if (what->failure && macstats_log_may(what, MACSTATS_EVENT_STALE)) {
		macstats_log_port(err, port,
				  "statistics are stale: %s; readers get the last totals until a read succeeds\n",
				  what->failure);
		hw->stale_logged = true;
	}
	if (!what->state->stale)
		macstats_log_recovered(what);
}

/* Is the port the one in whose name the events of its hardware are logged? */
static bool macstats_log_speaks(const struct macstats_port *port)
{
	const struct macstats_port *other;
	bool elsewhere = false;

	list_for_each_entry(other, &port->hw->ports, hw_node) {
		if (other->netdev && net_eq(dev_net(other->netdev), &init_net))
			return other == port;
		elsewhere = elsewhere || other->netdev;
	}
	return !elsewhere && list_is_first(&port->hw_node, &port->hw->ports);
}

/* Caller holds hw->ports_lock. */
void macstats_log(const struct macstats_notice *what)
{
	const struct macstats_port *port = what->port;

	if (what->events & MACSTATS_EVENT_MISFIT)
		macstats_log_misfits(what);
	/* One line for each event of the hardware, in the name of one of its ports. */
	if (!macstats_log_speaks(port))
		return;
	if (macstats_log_may(what, MACSTATS_EVENT_SATURATED))
		macstats_log_saturated(what);
	macstats_log_stale(what);
	if (macstats_log_may(what, MACSTATS_EVENT_DISCONTINUITY))
		macstats_log_discontinuity(what);
	if (macstats_log_may(what, MACSTATS_EVENT_PARITY_ERROR))
		macstats_log_port(err, port,
				  "parity error in the statistics counters: the counters were cleared, their totals continue\n");
	if (macstats_log_may(what, MACSTATS_EVENT_POSSIBLE_LOSS))
		macstats_log_port(notice, port, "counts may be lost: %s\n", what->state->loss);
}
