// SPDX-License-Identifier: GPL-2.0
/*
 * The life of hardware: created with its first port, suspended, resumed, reset, gone, closed.
 */
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "internal.h"

/*
 * Let the accumulator follow a change of the hardware, which is not gone. Return: the result of
 * @change, 0 for a resume of what is not suspended, or -ENODEV. May sleep.
 */
static int macstats_port_change(struct macstats_port *port,
				int (*change)(struct macstats_accumulator *acc, u64 now_ns,
					      unsigned int *events))
{
	struct macstats_hw *hw;
	unsigned int events = 0;
	int err = 0;

	if (IS_ERR_OR_NULL(port))
		return 0;
	hw = port->hw;
	macstats_hw_lock(hw);
	macstats_hw_unlock_to_sleep(hw);
	if (READ_ONCE(hw->bus.closed) || hw->acc.state.gone) {
		err = -ENODEV;
	} else if (change != macstats_resume || hw->acc.state.suspended) {
		macstats_hw_begin(hw);
		err = change(&hw->acc, ktime_get_boottime_ns(), &events);
		macstats_hw_sum_software(hw);
		macstats_hw_end(hw, events, err);
		macstats_hw_park(hw, hw->acc.state.suspended);
	}
	macstats_hw_unlock(hw);
	macstats_hw_report(hw);
	return err;
}

/**
 * macstats_port_suspend() - read a port a last time before its hardware is suspended
 * @port: the port; NULL or an error of its registration: nothing to do
 *
 * Nothing accesses the hardware afterwards until macstats_port_resume(). Only a poll that began
 * before may still call macstats_port_ops.get, which wakes it. Readers get the last totals, marked
 * stale.
 *
 * Context: process context, may sleep; under RTNL, holds it for a poll of a slow bus.
 * Return: 0, or the error of the last read; then the counts since the last good poll are
 *	lost, which is reported as a possible loss.
 */
int macstats_port_suspend(struct macstats_port *port)
{
	return macstats_port_change(port, macstats_suspend);
}
EXPORT_SYMBOL_GPL(macstats_port_suspend);

/**
 * macstats_port_resume() - poll a port again after a suspend
 * @port: the port; NULL or an error of its registration: nothing to do
 *
 * The present counter values become the new baseline. The totals continue from their last
 * values. Does nothing for a port that is not suspended.
 *
 * Context: process context, may sleep; under RTNL, holds it for a poll of a slow bus.
 * Return: 0, or the error of the read; then the next good poll takes the baseline.
 */
int macstats_port_resume(struct macstats_port *port)
{
	return macstats_port_change(port, macstats_resume);
}
EXPORT_SYMBOL_GPL(macstats_port_resume);

/**
 * macstats_port_reset() - report that the hardware of a port was restarted
 * @port: the port; NULL or an error of its registration: nothing to do
 *
 * To be called after the reset. The counts since the last poll are lost, which is one
 * discontinuity; the present counter values become the new baseline. A poll between the reset
 * and this call may notice the reset and report it, too. A driver that resets on purpose
 * loses nothing, and reports nothing, if it calls macstats_port_suspend() before the reset
 * and macstats_port_resume() after it.
 *
 * Context: process context, may sleep; under RTNL, holds it for a poll of a slow bus.
 * Return: 0, or the error of the read; then the next good poll takes the baseline.
 */
int macstats_port_reset(struct macstats_port *port)
{
	return macstats_port_change(port, macstats_reset);
}
EXPORT_SYMBOL_GPL(macstats_port_reset);

/**
 * macstats_port_gone() - report that the hardware of a port was removed
 * @port: the port; NULL or an error of its registration: nothing to do
 *
 * Nothing accesses the hardware any more. Readers get the last totals, marked stale,
 * until the port is unregistered.
 *
 * Context: process context, may sleep; under RTNL, holds it for a poll of a slow bus.
 */
void macstats_port_gone(struct macstats_port *port)
{
	struct macstats_hw *hw;
	unsigned int events = 0;

	if (IS_ERR_OR_NULL(port))
		return;
	hw = port->hw;
	/* A poll under way stops at its next access. */
	WRITE_ONCE(hw->bus.closed, true);
	macstats_hw_lock(hw);
	macstats_hw_begin(hw);
	macstats_gone(&hw->acc, &events);
	macstats_hw_sum_software(hw);
	macstats_hw_end(hw, events, false);
	macstats_hw_park(hw, true);
	macstats_hw_unlock(hw);
	macstats_hw_report(hw);
}
EXPORT_SYMBOL_GPL(macstats_port_gone);

static void macstats_hw_free(struct kref *ref)
{
	struct macstats_hw *hw = container_of(ref, struct macstats_hw, ref);

	mutex_destroy(&hw->ports_lock);
	mutex_destroy(&hw->bus.mutex);
	free_percpu(hw->software.counts);
	kvfree(hw->view.by_mac);
	kvfree(hw->view.totals);
	macstats_strings_free(&hw->strings);
	kvfree(hw);
}

void macstats_hw_put(struct macstats_hw *hw)
{
	kref_put(&hw->ref, macstats_hw_free);
}

static void macstats_hw_init_accumulator(struct macstats_hw *hw,
					 const struct macstats_port_config *config)
{
	unsigned int n = macstats_register_counters(config->model);
	struct macstats_accumulator *acc = &hw->acc;
	unsigned int left_out = 0;
	unsigned int i;

	acc->model = config->model;
	for (i = 0; config->has_counter && i < n; i++) {
		if (config->has_counter(config->priv, &acc->model->counters[i]))
			continue;
		macstats_add_row(&acc->left_out, i);
		left_out++;
	}
	acc->without_counters = n && left_out == n;
	acc->base = config->index * config->model->port_stride;
	acc->line_rate_bound = config->line_rate_bps != MACSTATS_NO_LINE_RATE &&
			       !hw->emulated.unbounded;
	acc->line_rate_bps = hw->poll.line_rate_bps;
}

/*
 * Identify the hardware of a port, and take its baseline. Return: 0, or an error, which the log
 * explains. May sleep.
 */
static int macstats_hw_identify(struct macstats_hw *hw, const struct macstats_port_config *config)
{
	const struct macstats_misfit *identity = &hw->acc.state.misfit[MACSTATS_MISFIT_IDENTITY];
	unsigned int events = 0;
	int err;

	macstats_hw_enter(hw);
	macstats_hw_begin(hw);
	err = macstats_start(&hw->acc, ktime_get_boottime_ns());
	/* Its clocks may not run yet. A read that fails for another reason is a possible loss. */
	if (!err && (config->flags & MACSTATS_PORT_SUSPENDED))
		macstats_suspend(&hw->acc, ktime_get_boottime_ns(), &events);
	if (!err)
		macstats_hw_end(hw, events, false);
	else if (hw->bus.access_error)
		macstats_config_error(config, "get() failed, error %d", err);
	else if (hw->acc.state.misfits >> MACSTATS_MISFIT_IDENTITY & 1)
		macstats_config_error(config, "%s reads %#llx, %#llx expected: this is no %s",
				      identity->reg, identity->value, identity->expected,
				      hw->model->name);
	else if (*hw->acc.state.reason)
		macstats_config_error(config, "the first read of the counters failed: %s",
				      hw->acc.state.reason);
	macstats_hw_leave(hw);
	return err;
}

/*
 * Create the hardware of a port, with a baseline. Caller has checked the config. Return: the
 * hardware with a reference, or an ERR_PTR. May sleep.
 */
struct macstats_hw *macstats_hw_create(struct device *dev,
				       const struct macstats_port_config *config,
				       const struct macstats_emulated *emulated)
{
	const struct macstats_model *model = config->model;
	struct macstats_hw *hw;
	int err;

	hw = kvzalloc(offsetof(struct macstats_hw, acc) + macstats_accumulator_size(model),
		      GFP_KERNEL);
	if (!hw)
		return ERR_PTR(-ENOMEM);

	if (!dev && config->netdev)
		dev = config->netdev->dev.parent;
	if (!dev && config->regmap)
		dev = regmap_get_device(config->regmap);
	hw->dev = get_device(dev);
	hw->model = model;
	hw->index = config->index;
	if (emulated)
		hw->emulated = *emulated;
	hw->shared = config->flags & MACSTATS_PORT_SHARED;
	hw->view.standard.own_packets = config->flags & MACSTATS_PORT_OWN_PACKETS;
	kref_init(&hw->ref);
	INIT_LIST_HEAD(&hw->ports);
	mutex_init(&hw->ports_lock);
	spin_lock_init(&hw->lock);
	macstats_hw_init_bus(hw, config);
	macstats_hw_init_poll(hw, config);
	macstats_hw_init_dumps(hw);
	macstats_hw_init_accumulator(hw, config);
	err = macstats_hw_init_view(hw);
	if (err)
		goto err_close;
	err = macstats_strings_init(&hw->strings, config);
	if (err)
		goto err_close;
	err = macstats_hw_init_software(hw);
	if (err)
		goto err_close;
	err = macstats_hw_claim(hw);
	if (err) {
		macstats_config_error(config, "port %u of %s is registered already", hw->index,
				      hw->bus.ops->reg_read ? "the device" : "the regmap");
		goto err_close;
	}
	err = macstats_hw_identify(hw, config);
	if (err)
		goto err_close;
	macstats_strings_choose(&hw->strings, &hw->acc, config);
	return hw;

err_close:
	macstats_hw_close(hw);
	macstats_hw_put(hw);
	return ERR_PTR(err);
}

/* Access the hardware no more, and let no message about it come. May sleep. */
void macstats_hw_close(struct macstats_hw *hw)
{
	cancel_delayed_work_sync(&hw->poll.work);
	/* Later readers see that, and do not call get(), which would wake the hardware. */
	macstats_hw_lock(hw);
	WRITE_ONCE(hw->bus.closed, true);
	macstats_hw_unlock(hw);
	macstats_hw_end_dumps(hw);
	macstats_hw_release(hw);
	put_device(hw->dev);
	hw->dev = NULL;
}
