// SPDX-License-Identifier: GPL-2.0
/*
 * Register dumps and self tests. Their callers hold RTNL and must not wait for slow
 * hardware, so a job on the workqueue accesses it. A caller that gives up uses the values
 * that the job has read until then, and the job stops.
 */
#include <linux/bitops.h>
#include <linux/kref.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../compat.h"
#include "internal.h"

/**
 * struct macstats_job - accesses to the registers of hardware
 * @work: runs the job
 * @ref: references of the work and of the caller
 * @hw: the hardware, with a reference
 * @done: the job has ended
 * @run: makes the accesses; called with hw->hw_lock held
 * @abandoned: the caller no longer waits for the job
 * @n: number of @values
 * @values: input and results of @run
 */
struct macstats_job {
	struct work_struct work;
	struct kref ref;
	struct macstats_hw *hw;
	bool done;
	void (*run)(struct macstats_job *job);
	bool abandoned;
	unsigned int n;
	u32 values[];
};

static void macstats_job_free(struct kref *ref)
{
	struct macstats_job *job = container_of(ref, struct macstats_job, ref);

	macstats_hw_put(job->hw);
	kvfree(job);
}

static void macstats_job_work(struct work_struct *work)
{
	struct macstats_job *job = container_of(work, struct macstats_job, work);
	struct macstats_hw *hw = job->hw;

	set_bit(MACSTATS_JOB_RUNS, &hw->busy);
	smp_mb__after_atomic();		/* before a look at hw->closed */
	macstats_hw_enter(hw);
	job->run(job);
	macstats_hw_leave(hw);
	clear_bit_unlock(MACSTATS_JOB_RUNS, &hw->busy);
	smp_store_release(&job->done, true);	/* after the values */
	clear_bit_unlock(MACSTATS_JOB_EXISTS, &hw->busy);
	wake_up_all(&hw->polled);
	kref_put(&job->ref, macstats_job_free);
}

/* A new job with @n values, or NULL without memory. */
static struct macstats_job *macstats_job_new(struct macstats_hw *hw, unsigned int n,
					     void (*run)(struct macstats_job *job))
{
	struct macstats_job *job;

	job = kvzalloc(struct_size(job, values, n), GFP_KERNEL_ACCOUNT);
	if (!job)
		return NULL;
	INIT_WORK(&job->work, macstats_job_work);
	kref_init(&job->ref);
	kref_get(&hw->ref);
	job->hw = hw;
	job->run = run;
	job->n = n;
	return job;
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

	spin_lock_irq(&hw->timer_lock);
	leaving = hw->leaving;
	if (!leaving) {
		kref_get(&job->ref);
		queue_work(hw->wq, &job->work);
	}
	spin_unlock_irq(&hw->timer_lock);
	if (leaving) {
		clear_bit_unlock(MACSTATS_JOB_EXISTS, &hw->busy);
		wake_up_all(&hw->polled);
	}
	return !leaving;
}

/* Run a job, one at a time, and wait for its end until @patience is used up. */
static void macstats_job_do(struct macstats_job *job, struct macstats_patience *patience)
{
	struct macstats_hw *hw = job->hw;
	bool mine = false;

	macstats_wait(hw, macstats_job_try_begin(hw, &mine), patience);
	if (!mine || !macstats_job_queue(job))
		return;
	/* Pairs with the release in macstats_job_work(). */
	macstats_wait(hw, smp_load_acquire(&job->done), patience);
	WRITE_ONCE(job->abandoned, true);
}

/*
 * Do the registers answer, by what is known without a wait? A closed gate stops only the
 * counters. Return: 0 or an error. Caller holds hw->hw_lock.
 */
static int macstats_registers_ready(struct macstats_hw *hw)
{
	const char *reason = hw->acc.reason;
	int err;

	if (!macstats_hw_accessible(hw))
		return -ENODEV;
	/* A port without counters has no gate, but it has clocks. */
	err = hw->acc.absent ? macstats_check_clocks(&hw->acc) :
				 macstats_check_ready(&hw->acc);
	hw->acc.reason = reason;	/* keep that of the last poll */
	return err == -ENODATA ? 0 : err;
}

/* Words of an entry in a register dump, see MACSTATS_REGS_VERSION: address and value. */
#define MACSTATS_DUMPED	2

static unsigned int macstats_dumped_words(const struct macstats_model *model,
					  const struct macstats_counter *counter)
{
	return macstats_read_is_destructive(model, counter->offset) ?
	       0 : macstats_words(model, counter);
}

/**
 * macstats_get_regs_len() - the size of a register dump
 * @port: the port
 *
 * Context: any.
 * Return: the size, in octets.
 */
int macstats_get_regs_len(struct macstats_port *port)
{
	const struct macstats_model *model = port->hw->model;
	unsigned int n = model->n_registers;
	unsigned int counters;
	unsigned int i;

	counters = macstats_register_counters(model);
	for (i = 0; i < counters; i++)
		n += macstats_dumped_words(model, &model->counters[i]);
	return n * MACSTATS_DUMPED * sizeof(u32);
}
EXPORT_SYMBOL_GPL(macstats_get_regs_len);

/* Read the addresses in the values of a job into the values after them. */
static void macstats_dump(struct macstats_job *job)
{
	struct macstats_accumulator *acc = &job->hw->acc;
	unsigned int i;

	if (macstats_registers_ready(job->hw))
		return;
	for (i = 0; i < job->n && !READ_ONCE(job->abandoned); i += MACSTATS_DUMPED) {
		u32 offset = job->values[i] - acc->base;
		unsigned int word;
		int counter = macstats_counter_at(acc->model, offset, &word);
		u32 value;

		if (counter >= 0 && macstats_lacks_counter(acc, counter))
			continue;
		if (!macstats_bus_read(acc, offset, &value))
			WRITE_ONCE(job->values[i + 1], value);
	}
}

static void macstats_dump_add(u32 **at, u32 address)
{
	*(*at)++ = address;
	*(*at)++ = ~0u;
}

/* Fill a dump with its addresses, and all-ones for each value. */
static void macstats_dump_addresses(const struct macstats_port *port, u32 *at)
{
	const struct macstats_model *model = port->hw->model;
	u32 base = port->hw->acc.base;
	unsigned int counters;
	unsigned int r = 0;
	unsigned int i;
	unsigned int w;

	counters = macstats_register_counters(model);
	for (i = 0; i < counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		while (r < model->n_registers && model->registers[r].offset < counter->offset)
			macstats_dump_add(&at, base + model->registers[r++].offset);
		for (w = 0; w < macstats_dumped_words(model, counter); w++)
			macstats_dump_add(&at, base + counter->offset +
					  w * macstats_word_step(model));
	}
	while (r < model->n_registers)
		macstats_dump_add(&at, base + model->registers[r++].offset);
}

/**
 * macstats_get_regs() - a register dump
 * @port: the port
 * @regs: receives MACSTATS_REGS_VERSION
 * @data: receives the dump, of macstats_get_regs_len() octets
 *
 * Waits at most reader_wait_ms for the hardware. Registers that were not read
 * until then, and counters that the hardware lacks, are all-ones.
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_get_regs(struct macstats_port *port, struct ethtool_regs *regs, void *data)
{
	struct macstats_patience patience = macstats_getter_patience();
	unsigned int n = macstats_get_regs_len(port) / sizeof(u32);
	struct macstats_job *job;
	u32 *values = data;
	unsigned int i;

	regs->version = MACSTATS_REGS_VERSION;
	macstats_dump_addresses(port, values);
	job = macstats_job_new(port->hw, n, macstats_dump);
	if (job) {
		memcpy(job->values, values, n * sizeof(u32));
		macstats_job_do(job, &patience);
		/* A job that has not ended has read good values until now. */
		for (i = 1; i < n; i += MACSTATS_DUMPED)
			values[i] = READ_ONCE(job->values[i]);
		kref_put(&job->ref, macstats_job_free);
	}
	cpu_to_le32_array(values, n);
}
EXPORT_SYMBOL_GPL(macstats_get_regs);

/* All self tests, in the order of their results. A model has some of them. */
enum macstats_test {
	MACSTATS_TEST_SCRATCH,
	MACSTATS_TEST_IDENTITY,
	MACSTATS_TEST_SNAPSHOT,
	MACSTATS_TEST_LOOPBACK,
	MACSTATS_TESTS
};

/* The results of a test, as ethtool -t prints them. */
enum macstats_test_result {
	MACSTATS_TEST_PASSED,
	MACSTATS_TEST_FAILED,
	MACSTATS_TEST_NO_ANSWER,	/* the hardware did not answer in time, or not at all */
};

static int macstats_test_result_of(int err)
{
	switch (err) {
	case 0:
		return MACSTATS_TEST_PASSED;
	case -ETIMEDOUT:
	case -ENODEV:
	case -ESHUTDOWN:
		return MACSTATS_TEST_NO_ANSWER;
	default:
		return MACSTATS_TEST_FAILED;
	}
}

static const char *const macstats_test_names[MACSTATS_TESTS] = {
	[MACSTATS_TEST_SCRATCH] = "scratch register  (online)",
	[MACSTATS_TEST_IDENTITY] = "identity          (online)",
	[MACSTATS_TEST_SNAPSHOT] = "snapshot          (online)",
	[MACSTATS_TEST_LOOPBACK] = "loopback          (offline)",
};

static bool macstats_test_exists(const struct macstats_model *model, enum macstats_test test)
{
	switch (test) {
	case MACSTATS_TEST_SCRATCH:
		return model->scratch[0].mask;
	case MACSTATS_TEST_IDENTITY:
		return model->n_identity;
	case MACSTATS_TEST_SNAPSHOT:
		return macstats_has_snapshot(model, 0);
	default:
		return true;
	}
}

unsigned int macstats_tests_count(const struct macstats_model *model)
{
	unsigned int n = 0;
	unsigned int i;

	for (i = 0; i < MACSTATS_TESTS; i++)
		n += macstats_test_exists(model, i);
	return n;
}

void macstats_tests_names(const struct macstats_model *model, u8 *data)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_TESTS; i++)
		if (macstats_test_exists(model, i))
			ethtool_puts(&data, macstats_test_names[i]);
}

/* Write and read a pattern and its complement. Restores the old value in every case. */
static int macstats_test_one_scratch(struct macstats_job *job, const struct macstats_bit *scratch)
{
	static const u32 patterns[] = { 0x5aa5f00f, 0xa55a0ff0 };
	struct macstats_accumulator *acc = &job->hw->acc;
	unsigned int p;
	u32 before;
	u32 value;
	int err;

	err = macstats_bus_read(acc, scratch->offset, &before);
	if (err)
		return err;
	for (p = 0; p < ARRAY_SIZE(patterns); p++) {
		u32 wanted = patterns[p] & scratch->mask;

		if (READ_ONCE(job->abandoned)) {
			err = -ETIMEDOUT;
			break;
		}
		err = macstats_bus_update(acc, scratch->offset, scratch->mask, wanted);
		if (err)
			break;
		err = macstats_bus_read(acc, scratch->offset, &value);
		if (err)
			break;
		if ((value & scratch->mask) != wanted) {
			err = -EIO;
			break;
		}
	}
	value = before & scratch->mask;
	if (!macstats_bus_update(acc, scratch->offset, scratch->mask, value))
		return err;
	/* Retry once. The test has failed in both cases. */
	macstats_bus_update(acc, scratch->offset, scratch->mask, value);
	return -EIO;
}

/* Is a register absent with the counters of its block? */
static bool macstats_lacks_register(const struct macstats_hw *hw, u32 offset)
{
	int i = macstats_register_at(hw->model, offset);

	return i >= 0 && hw->model->registers[i].statistics_only &&
	       macstats_lacks_block(&hw->acc, hw->model->registers[i].block);
}

static int macstats_test_scratch(struct macstats_job *job)
{
	const struct macstats_model *model = job->hw->model;
	unsigned int i;
	int err;

	for (i = 0; i < MACSTATS_MAX_BLOCKS && model->scratch[i].mask; i++) {
		if (macstats_lacks_register(job->hw, model->scratch[i].offset))
			continue;
		err = macstats_test_one_scratch(job, &model->scratch[i]);
		if (err)
			return err;
	}
	return 0;
}

static int macstats_test_identity(struct macstats_job *job)
{
	struct macstats_accumulator *acc = &job->hw->acc;
	bool identified = acc->identified;
	const char *reason = acc->reason;
	u8 misfits = acc->misfits;
	struct macstats_rows rows = acc->absent_rows;
	u32 absent = acc->absent_blocks;
	int err;

	err = macstats_identify(acc);
	if (!err && !macstats_is_same_set(&acc->absent_rows, &rows))
		err = -ENODEV;
	/* A test leaves no trace. */
	acc->identified = identified;
	macstats_set_absent(acc, absent);
	acc->absent_rows = rows;
	acc->reason = reason;
	acc->misfits = misfits;
	return err == -ENODEV ? MACSTATS_TEST_FAILED : macstats_test_result_of(err);
}

/* The tests of registers. Their results are in the values of the job. */
static void macstats_test_registers(struct macstats_job *job)
{
	if (macstats_registers_ready(job->hw))
		return;
	if (!READ_ONCE(job->abandoned))
		WRITE_ONCE(job->values[MACSTATS_TEST_IDENTITY],
			   macstats_test_identity(job));
	/* A MAC that is built without counters has no scratch register. */
	if (job->hw->acc.absent)
		WRITE_ONCE(job->values[MACSTATS_TEST_SCRATCH], MACSTATS_TEST_PASSED);
	else if (!READ_ONCE(job->abandoned))
		WRITE_ONCE(job->values[MACSTATS_TEST_SCRATCH],
			   macstats_test_result_of(macstats_test_scratch(job)));
}

/* The good frames that were sent and received, as readers see them. */
struct macstats_looped {
	bool present[2];
	u64 value[2];
};

static void macstats_look_at_looped(struct macstats_hw *hw, struct macstats_looped *looped)
{
	static const u8 both[] = {
		MACSTATS_STD_FRAMES_TRANSMITTED_OK, MACSTATS_STD_FRAMES_RECEIVED_OK,
	};
	unsigned int i;

	mutex_lock(&hw->lock);
	for (i = 0; i < ARRAY_SIZE(both); i++) {
		looped->present[i] = hw->view.standard.present[both[i]];
		looped->value[i] = hw->view.standard.value[both[i]];
	}
	mutex_unlock(&hw->lock);
}

static int macstats_test_snapshot(struct macstats_hw *hw, struct macstats_patience *patience)
{
	if (hw->held)
		return MACSTATS_TEST_FAILED;
	return macstats_test_result_of(macstats_hw_poll_within(hw, patience));
}

/* Do the counters count just the frames that the port sends to itself? */
static int macstats_test_loopback(struct macstats_hw *hw, int (*loop)(void *context),
				  void *context, struct macstats_patience *patience)
{
	struct macstats_looped before;
	struct macstats_looped after;
	unsigned int i;
	int sent;
	int err;

	if (hw->held)
		return MACSTATS_TEST_FAILED;
	err = macstats_hw_poll_within(hw, patience);
	if (err)
		return macstats_test_result_of(err);
	macstats_look_at_looped(hw, &before);
	sent = loop(context);
	if (sent <= 0)
		return MACSTATS_TEST_FAILED;
	err = macstats_hw_poll_within(hw, patience);
	if (err)
		return macstats_test_result_of(err);
	macstats_look_at_looped(hw, &after);
	for (i = 0; i < ARRAY_SIZE(after.value); i++)
		if (after.present[i] && after.value[i] - before.value[i] != sent)
			return MACSTATS_TEST_FAILED;
	return MACSTATS_TEST_PASSED;
}

/**
 * macstats_self_test() - the self tests of ethtool -t
 * @port: the port
 * @test: the request, and whether a test failed
 * @results: receives 0 (passed), 1 (failed) or 2 (the hardware did not answer in time) for each
 *	string of ETH_SS_TEST
 * @loop: sends frames that come back, for an offline test; returns their number or an error. The
 *	driver sends and receives no other frames during the test. NULL: that test is not made, with
 *	the result 0, as in an online test
 * @context: passed to @loop
 *
 * Context: process context, may sleep; RTNL may be held.
 */
void macstats_self_test(struct macstats_port *port, struct ethtool_test *test, u64 *results,
			int (*loop)(void *context), void *context)
{
	struct macstats_patience patience = macstats_getter_patience();
	bool offline = test->flags & ETH_TEST_FL_OFFLINE;
	int failed[MACSTATS_TESTS] = {
		[MACSTATS_TEST_SCRATCH] = MACSTATS_TEST_NO_ANSWER,
		[MACSTATS_TEST_IDENTITY] = MACSTATS_TEST_NO_ANSWER,
	};
	struct macstats_job *job;
	unsigned int i;

	job = macstats_job_new(port->hw, MACSTATS_TESTS, macstats_test_registers);
	if (job) {
		job->values[MACSTATS_TEST_SCRATCH] = MACSTATS_TEST_NO_ANSWER;
		job->values[MACSTATS_TEST_IDENTITY] = MACSTATS_TEST_NO_ANSWER;
		macstats_job_do(job, &patience);
		failed[MACSTATS_TEST_SCRATCH] = READ_ONCE(job->values[MACSTATS_TEST_SCRATCH]);
		failed[MACSTATS_TEST_IDENTITY] = READ_ONCE(job->values[MACSTATS_TEST_IDENTITY]);
		kref_put(&job->ref, macstats_job_free);
	}
	/* A port without counters has no polls, and a self test does not poll a held port. */
	if (!READ_ONCE(port->hw->view.absent)) {
		if (macstats_test_exists(port->hw->model, MACSTATS_TEST_SNAPSHOT))
			failed[MACSTATS_TEST_SNAPSHOT] =
				macstats_test_snapshot(port->hw, &patience);
		if (offline && loop)
			failed[MACSTATS_TEST_LOOPBACK] =
				macstats_test_loopback(port->hw, loop, context, &patience);
	}

	for (i = 0; i < MACSTATS_TESTS; i++) {
		if (!macstats_test_exists(port->hw->model, i))
			continue;
		if (failed[i])
			test->flags |= ETH_TEST_FL_FAILED;
		*results++ = failed[i];
	}
}
EXPORT_SYMBOL_GPL(macstats_self_test);
