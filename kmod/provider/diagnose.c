// SPDX-License-Identifier: GPL-2.0
/*
 * Register dumps. Their callers may hold RTNL and must not wait for slow hardware: if accesses may
 * sleep, a work reads it. A caller that gives up uses the values that were read until then.
 */
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "../compat.h"
#include "internal.h"

/* Words of an entry in a register dump, see MACSTATS_REGS_VERSION: address and value. */
#define MACSTATS_DUMPED	2

/* Registers that are read before others may lock the hardware. */
#define MACSTATS_DUMPED_AT_ONCE	16

/* A dump while it is read. */
struct macstats_job {
	struct kref ref;		/* of the caller, and of the work or the list */
	struct list_head node;		/* under hw->poll.lock; empty: in no list */
	bool done;
	bool abandoned;			/* the caller no longer waits */
	unsigned int next;		/* the first of @values that is not read yet */
	unsigned int n;
	u32 values[];
};

static void macstats_job_free(struct kref *ref)
{
	kvfree(container_of(ref, struct macstats_job, ref));
}

static void macstats_job_put(struct macstats_job *job)
{
	kref_put(&job->ref, macstats_job_free);
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
	/* Each read of hardware that is gone may take long. */
	hw->acc.silent = true;
	/* A port without counters has no gate, but it has clocks. */
	err = hw->acc.state.absent ?
		macstats_check_clocks(&hw->acc) ?: macstats__check_presence(&hw->acc) :
		macstats_check_ready(&hw->acc);
	hw->acc.state.reason = reason;	/* keep that of the last poll */
	return err == -ENODATA ? 0 : err;
}

/*
 * Read the register of the entry @at of a dump, or a counter of 64 bits, which has the next entry,
 * too. Return: the number of values, addresses included. Caller has locked the hardware.
 */
static unsigned int macstats_regs_one(struct macstats_accumulator *acc, u32 *at)
{
	u32 offset = at[0] - acc->base;
	unsigned int word;
	int counter = macstats_counter_at(acc->model, offset, &word);
	unsigned int done;
	__u64 both;
	u32 value;

	/* Of those that share the word, one that is there. */
	while (counter >= 0 && macstats_lacks_counter(acc, counter) &&
	       macstats_shares_word(acc->model, counter + 1))
		counter++;
	if (counter >= 0 && macstats_lacks_counter(acc, counter))
		return MACSTATS_DUMPED;
	if (counter >= 0 && macstats__reads_64(acc, &acc->model->counters[counter])) {
		if (!macstats__read_64(acc, at[0], &both, 1, &done)) {
			WRITE_ONCE(at[1], both);
			WRITE_ONCE(at[MACSTATS_DUMPED + 1], both >> 32);
		}
		return 2 * MACSTATS_DUMPED;
	}
	if (!macstats_bus_read(acc, offset, &value))
		WRITE_ONCE(at[1], value);
	return MACSTATS_DUMPED;
}

/* Read the next addresses in the values of a job. Caller has locked the hardware. */
static void macstats_regs_some(struct macstats_hw *hw, struct macstats_job *job)
{
	unsigned int end = min(job->next + MACSTATS_DUMPED_AT_ONCE * MACSTATS_DUMPED, job->n);

	if (READ_ONCE(job->abandoned) || macstats_registers_ready(hw)) {
		job->next = job->n;
		return;
	}
	while (job->next < end && !READ_ONCE(job->abandoned))
		job->next += macstats_regs_one(&hw->acc, &job->values[job->next]);
}

/* Read the registers where the caller is, until accesses may sleep. */
static void macstats_regs_here(struct macstats_hw *hw, struct macstats_job *job)
{
	bool sleeps = false;

	while (!sleeps && job->next < job->n) {
		spin_lock_bh(&hw->lock);
		sleeps = hw->bus.sleeps;
		if (!sleeps)
			macstats_regs_some(hw, job);
		spin_unlock_bh(&hw->lock);
	}
}

/* Will no job get further, as the hardware is parked, or its last port leaving? */
static bool macstats_jobs_stop(const struct macstats_hw *hw)
{
	return READ_ONCE(hw->poll.parked) || READ_ONCE(hw->poll.leaving);
}

/* Take the next job from the list. Return: it, with the reference of the list, or NULL. */
static struct macstats_job *macstats_job_next(struct macstats_hw *hw)
{
	struct macstats_job *job;

	spin_lock_irq(&hw->poll.lock);
	job = list_first_entry_or_null(&hw->dump.jobs, struct macstats_job, node);
	if (job)
		list_del_init(&job->node);
	spin_unlock_irq(&hw->poll.lock);
	return job;
}

static void macstats_dump_work(struct work_struct *work)
{
	struct macstats_hw *hw = container_of(work, struct macstats_hw, dump.work);
	struct macstats_job *job;

	while ((job = macstats_job_next(hw))) {
		/* get() must not wake hardware that was suspended meanwhile. */
		while (job->next < job->n && !READ_ONCE(job->abandoned) &&
		       !macstats_jobs_stop(hw)) {
			macstats_hw_enter(hw);
			macstats_regs_some(hw, job);
			macstats_hw_leave(hw);
		}
		smp_store_release(&job->done, true);	/* after the values */
		wake_up_all(&hw->poll.waiters);
		macstats_job_put(job);
	}
}

void macstats_hw_init_dumps(struct macstats_hw *hw)
{
	INIT_LIST_HEAD(&hw->dump.jobs);
	INIT_WORK(&hw->dump.work, macstats_dump_work);
}

/*
 * Read no more registers for a dump. hw->poll.leaving is set, so that each caller takes its job
 * back, or nobody knows the hardware yet.
 */
void macstats_hw_end_dumps(struct macstats_hw *hw)
{
	cancel_work_sync(&hw->dump.work);
}

/* Queue a job, unless the hardware is parked, or its driver leaves, whose workqueue may be gone. */
static bool macstats_job_queue(struct macstats_hw *hw, struct macstats_job *job)
{
	bool stop;

	spin_lock_irq(&hw->poll.lock);
	stop = macstats_jobs_stop(hw);
	if (!stop) {
		kref_get(&job->ref);
		list_add_tail(&job->node, &hw->dump.jobs);
		queue_work(hw->poll.wq, &hw->dump.work);
	}
	spin_unlock_irq(&hw->poll.lock);
	return !stop;
}

/* Let the work end a job soon, or take it back before the work begins it. */
static void macstats_job_abandon(struct macstats_hw *hw, struct macstats_job *job)
{
	bool mine;

	WRITE_ONCE(job->abandoned, true);
	spin_lock_irq(&hw->poll.lock);
	mine = !list_empty(&job->node);
	list_del_init(&job->node);
	spin_unlock_irq(&hw->poll.lock);
	if (mine)
		macstats_job_put(job);
}

static bool macstats_job_over(const struct macstats_hw *hw, const struct macstats_job *job)
{
	/* Pairs with the release in macstats_dump_work(). */
	return smp_load_acquire(&job->done) || macstats_jobs_stop(hw);
}

/* Let the work do a job, after those of other callers. Wait for it as long as a reader waits. */
static void macstats_job_do(struct macstats_hw *hw, struct macstats_job *job)
{
	unsigned long wait = macstats_hw_remaining_wait(hw, macstats_reader_wait());

	if (!wait || !macstats_job_queue(hw, job))
		return;
	wait_event_timeout(hw->poll.waiters, macstats_job_over(hw, job), wait);
	macstats_job_abandon(hw, job);
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
unsigned int macstats_hw_dump_addresses(const struct macstats_hw *hw, u32 *values)
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

/*
 * Read the @n @values of a dump, which has its addresses. May sleep; RTNL may be held. Those that
 * are not read in time stay all-ones.
 */
void macstats_hw_dump(struct macstats_hw *hw, u32 *values, unsigned int n)
{
	struct macstats_job *job;
	unsigned int i;

	job = kvzalloc(struct_size(job, values, n), GFP_KERNEL_ACCOUNT);
	if (!job)
		return;
	kref_init(&job->ref);
	INIT_LIST_HEAD(&job->node);
	job->n = n;
	memcpy(job->values, values, n * sizeof(u32));
	macstats_regs_here(hw, job);
	if (job->next < job->n)
		macstats_job_do(hw, job);
	/* A job that has not ended has read good values until now. */
	for (i = 1; i < n; i += MACSTATS_DUMPED)
		values[i] = READ_ONCE(job->values[i]);
	macstats_job_put(job);
}
