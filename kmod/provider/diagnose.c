// SPDX-License-Identifier: GPL-2.0
/*
 * Register dumps. Their callers hold RTNL and must not wait for slow hardware: if accesses may
 * sleep, a job on the workqueue reads it. A caller that gives up uses the values that the job has
 * read until then, and the job stops.
 */
#include <linux/bitops.h>
#include <linux/kref.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "../compat.h"
#include "internal.h"

/* Words of an entry in a register dump, see MACSTATS_REGS_VERSION: address and value. */
#define MACSTATS_DUMPED	2

/* Registers that are read before others may lock the hardware. */
#define MACSTATS_DUMPED_AT_ONCE	16

/* Reads the registers of a dump. */
struct macstats_job {
	struct work_struct work;
	struct kref ref;		/* of the work and of the caller */
	struct macstats_hw *hw;		/* with a reference */
	bool done;
	bool abandoned;			/* the caller no longer waits */
	unsigned int next;		/* the first of @values that is not read yet */
	unsigned int n;
	u32 values[];
};

static void macstats_job_free(struct kref *ref)
{
	struct macstats_job *job = container_of(ref, struct macstats_job, ref);

	macstats_hw_put(job->hw);
	kvfree(job);
}

/*
 * Do the registers answer, by what is known without a wait? A closed gate stops only the
 * counters. Return: 0 or an error. Caller has locked the hardware.
 */
static int macstats_registers_ready(struct macstats_hw *hw)
{
	const char *reason = hw->acc.state.reason;
	int err;

	if (!macstats_hw_accessible(hw))
		return -ENODEV;
	/* A port without counters has no gate, but it has clocks. */
	err = hw->acc.state.absent ? macstats_check_clocks(&hw->acc) :
				     macstats_check_ready(&hw->acc);
	hw->acc.state.reason = reason;	/* keep that of the last poll */
	return err == -ENODATA ? 0 : err;
}

/* Read the next addresses in the values of a job. Caller has locked the hardware. */
static void macstats_regs_some(struct macstats_job *job)
{
	unsigned int end = min(job->next + MACSTATS_DUMPED_AT_ONCE * MACSTATS_DUMPED, job->n);
	struct macstats_accumulator *acc = &job->hw->acc;

	if (READ_ONCE(job->abandoned) || macstats_registers_ready(job->hw)) {
		job->next = job->n;
		return;
	}
	for (; job->next < end && !READ_ONCE(job->abandoned); job->next += MACSTATS_DUMPED) {
		u32 *at = &job->values[job->next];
		u32 offset = at[0] - acc->base;
		unsigned int word;
		int counter = macstats_counter_at(acc->model, offset, &word);
		u32 value;

		/* Of those that share the word, one that is there. */
		while (counter >= 0 && macstats_lacks_counter(acc, counter) &&
		       macstats_shares_word(acc->model, counter + 1))
			counter++;
		if ((counter < 0 || !macstats_lacks_counter(acc, counter)) &&
		    !macstats_bus_read(acc, offset, &value))
			WRITE_ONCE(at[1], value);
	}
}

/* Read the registers where the caller is, until accesses may sleep. */
static void macstats_regs_here(struct macstats_job *job)
{
	struct macstats_hw *hw = job->hw;
	bool sleeps = false;

	while (!sleeps && job->next < job->n) {
		spin_lock_bh(&hw->lock);
		sleeps = hw->bus.sleeps;
		if (!sleeps)
			macstats_regs_some(job);
		spin_unlock_bh(&hw->lock);
	}
}

static void macstats_job_work(struct work_struct *work)
{
	struct macstats_job *job = container_of(work, struct macstats_job, work);
	struct macstats_hw *hw = job->hw;

	set_bit(MACSTATS_JOB_RUNS, &hw->busy);
	smp_mb__after_atomic();		/* before a look at hw->bus.closed */
	while (job->next < job->n) {
		macstats_hw_enter(hw);
		macstats_regs_some(job);
		macstats_hw_leave(hw);
	}
	clear_bit_unlock(MACSTATS_JOB_RUNS, &hw->busy);
	smp_store_release(&job->done, true);	/* after the values */
	clear_bit_unlock(MACSTATS_JOB_EXISTS, &hw->busy);
	wake_up_all(&hw->poll.waiters);
	kref_put(&job->ref, macstats_job_free);
}

/*
 * Try to acquire MACSTATS_JOB_EXISTS, which macstats_job_work() releases. Once @mine is set, a
 * repeated call changes nothing.
 */
static bool macstats_job_try_begin(struct macstats_hw *hw, bool *mine)
{
	if (!*mine)
		*mine = !test_and_set_bit_lock(MACSTATS_JOB_EXISTS, &hw->busy);
	return *mine;
}

/* Queue a job, unless the driver leaves: the workqueue may be its own. */
static bool macstats_job_queue(struct macstats_job *job)
{
	struct macstats_hw *hw = job->hw;
	bool leaving;

	spin_lock_irq(&hw->poll.lock);
	leaving = hw->poll.leaving;
	if (!leaving) {
		kref_get(&job->ref);
		queue_work(hw->poll.wq, &job->work);
	}
	spin_unlock_irq(&hw->poll.lock);
	if (leaving) {
		clear_bit_unlock(MACSTATS_JOB_EXISTS, &hw->busy);
		wake_up_all(&hw->poll.waiters);
	}
	return !leaving;
}

/* Run a job, one at a time, and wait for its end as long as a reader waits. */
static void macstats_job_do(struct macstats_job *job)
{
	struct macstats_hw *hw = job->hw;
	unsigned long wait = macstats_hw_remaining_wait(hw, macstats_reader_wait());
	bool mine = false;

	if (READ_ONCE(hw->poll.parked))
		return;
	wait = wait_event_timeout(hw->poll.waiters, macstats_job_try_begin(hw, &mine), wait);
	if (!mine || !macstats_job_queue(job))
		return;
	/* Pairs with the release in macstats_job_work(). */
	wait_event_timeout(hw->poll.waiters, smp_load_acquire(&job->done), wait);
	WRITE_ONCE(job->abandoned, true);
}

static unsigned int macstats_regs_words(const struct macstats_model *model, unsigned int index)
{
	const struct macstats_counter *counter = &model->counters[index];

	return macstats_is_dumped(model, counter) && !macstats_shares_word(model, index) ?
	       macstats_words(model, counter) : 0;
}

/* Add an entry to a dump of @n values. @values: NULL only counts. Return: the new number. */
static unsigned int macstats_regs_add(u32 *values, unsigned int n, u32 address)
{
	if (values) {
		values[n] = address;
		values[n + 1] = ~0u;
	}
	return n + MACSTATS_DUMPED;
}

static int macstats_regs_compare(const void *a, const void *b)
{
	u32 left = *(const u32 *)a;
	u32 right = *(const u32 *)b;

	return left < right ? -1 : left > right;
}

/*
 * Fill a dump with its addresses, ascending, and all-ones for each value. @values: NULL counts.
 * Return: the number of both.
 */
static unsigned int macstats_regs_addresses(const struct macstats_hw *hw, u32 *values)
{
	const struct macstats_model *model = hw->model;
	unsigned int counters = macstats_register_counters(model);
	u32 base = hw->acc.base;
	unsigned int n = 0;
	unsigned int i;
	unsigned int w;

	for (i = 0; i < counters; i++)
		for (w = 0; w < macstats_regs_words(model, i); w++)
			n = macstats_regs_add(values, n, base +
					      macstats_word_offset(model, &model->counters[i], w));
	for (i = 0; i < model->n_registers; i++)
		n = macstats_regs_add(values, n, base + model->registers[i].offset);
	if (values)
		sort(values, n / MACSTATS_DUMPED, MACSTATS_DUMPED * sizeof(u32),
		     macstats_regs_compare, NULL);
	return n;
}

/**
 * macstats_get_regs_len() - the size of a register dump
 * @netdev: the net device
 *
 * Context: process context.
 * Return: the size, in octets; 0 without a port.
 */
int macstats_get_regs_len(struct net_device *netdev)
{
	struct macstats_port *port = macstats_port_find(netdev);
	int len;

	if (!port)
		return 0;
	len = macstats_regs_addresses(port->hw, NULL) * sizeof(u32);
	macstats_port_put(port);
	return len;
}
EXPORT_SYMBOL_GPL(macstats_get_regs_len);

/**
 * macstats_get_regs() - a register dump
 * @netdev: the net device
 * @regs: receives MACSTATS_REGS_VERSION
 * @data: receives the dump, of macstats_get_regs_len() octets
 *
 * Waits at most reader_wait_ms for hardware whose accesses sleep. Registers that were not read
 * until then, those of suspended hardware, and counters that the hardware lacks are all-ones.
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_get_regs(struct net_device *netdev, struct ethtool_regs *regs, void *data)
{
	struct macstats_port *port = macstats_port_find(netdev);
	struct macstats_job *job;
	struct macstats_hw *hw;
	u32 *values = data;
	unsigned int i;
	unsigned int n;

	if (!port)
		return;
	hw = port->hw;
	regs->version = MACSTATS_REGS_VERSION;
	n = macstats_regs_addresses(hw, values);
	job = kvzalloc(struct_size(job, values, n), GFP_KERNEL_ACCOUNT);
	if (job) {
		INIT_WORK(&job->work, macstats_job_work);
		kref_init(&job->ref);
		kref_get(&hw->ref);
		job->hw = hw;
		job->n = n;
		memcpy(job->values, values, n * sizeof(u32));
		macstats_regs_here(job);
		if (job->next < job->n)
			macstats_job_do(job);
		/* A job that has not ended has read good values until now. */
		for (i = 1; i < n; i += MACSTATS_DUMPED)
			values[i] = READ_ONCE(job->values[i]);
		kref_put(&job->ref, macstats_job_free);
	}
	cpu_to_le32_array(values, n);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_get_regs);
