// SPDX-License-Identifier: GPL-2.0
/*
 * A port: the bus to its registers, its polls, its cached totals, its life cycle.
 *
 * The holder of port->hw_lock reads the hardware into the accumulator, then copies the
 * result into the view under port->lock. Readers see the view only, so that they wait for
 * the bus no longer than they choose to.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/ratelimit.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "internal.h"

#define MACSTATS_READER_WAIT_MIN_MS	1
#define MACSTATS_READER_WAIT_MAX_MS	10000

unsigned int macstats_reader_wait_ms = 40;

static int macstats_set_reader_wait(const char *value, const struct kernel_param *param)
{
	return param_set_uint_minmax(value, param, MACSTATS_READER_WAIT_MIN_MS,
				     MACSTATS_READER_WAIT_MAX_MS);
}

static const struct kernel_param_ops macstats_reader_wait_ops = {
	.set = macstats_set_reader_wait,
	.get = param_get_uint,
};

module_param_cb(reader_wait_ms, &macstats_reader_wait_ops, &macstats_reader_wait_ms, 0644);
MODULE_PARM_DESC(reader_wait_ms,
		 "Milliseconds that a read waits for the hardware, with RTNL held (1 to 10000, default 40)");

static struct workqueue_struct *macstats_wq;

static BLOCKING_NOTIFIER_HEAD(macstats_port_chain);

/* Number of polls of all ports that have begun: the clock of macstats_moment(). */
static atomic_long_t macstats_moments = ATOMIC_LONG_INIT(0);

int macstats_register_port_notifier(struct notifier_block *nb)
{
	return blocking_notifier_chain_register(&macstats_port_chain, nb);
}

void macstats_unregister_port_notifier(struct notifier_block *nb)
{
	blocking_notifier_chain_unregister(&macstats_port_chain, nb);
}

/* Report to the layers above what happened to a port. Caller holds port->lock. */
void macstats_port_notify(enum macstats_port_action action, struct macstats_notice *notice)
{
	lockdep_assert_held(&notice->port->lock);
	blocking_notifier_call_chain(&macstats_port_chain, action, notice);
}

/* The present moment, to compare with the beginnings of polls. Any context. */
unsigned long macstats_moment(void)
{
	return atomic_long_read(&macstats_moments);
}

/* May the hardware be accessed? Caller holds port->hw_lock. */
bool macstats_port_accessible(struct macstats_port *port)
{
	return !READ_ONCE(port->closed) && !port->acc.suspended && !port->acc.gone;
}

/*
 * Find the regmap of an address of the model. @address becomes the address in that regmap.
 * Return: NULL if no region holds the address.
 */
static struct regmap *macstats_regmap_at(const struct macstats_port *port, u32 *address)
{
	int region;

	if (port->regmap)
		return port->regmap;
	region = macstats_region_at(port->model, *address);
	if (region < 0)
		return NULL;
	*address -= macstats_region_first(port->model, region);
	return port->regmaps[region];
}

/*
 * Read adjacent registers of a region. regmap stores them in its own width: widen them in
 * place.
 */
static int macstats_regmap_read(void *context, __u32 address, __u64 *values,
				unsigned int words)
{
	struct macstats_port *port = context;
	unsigned int value = 0;
	struct regmap *regmap;
	unsigned int bytes;
	int err;

	if (!macstats_port_accessible(port))
		return -ENODEV;
	regmap = macstats_regmap_at(port, &address);
	if (!regmap)
		return -ENXIO;
	if (words == 1) {
		err = regmap_read(regmap, address, &value);
		values[0] = value;
		return err;
	}
	err = regmap_bulk_read(regmap, address, values, words);
	if (err)
		return err;
	bytes = port->model->bus_bits / 8;
	while (words--) {
		if (bytes == 1)
			values[words] = ((u8 *)values)[words];
		else if (bytes == 2)
			values[words] = ((u16 *)values)[words];
		else
			values[words] = ((u32 *)values)[words];
	}
	return 0;
}

static int macstats_regmap_write(void *context, __u32 address, __u64 value)
{
	struct macstats_port *port = context;
	struct regmap *regmap;

	if (!macstats_port_accessible(port))
		return -ENODEV;
	regmap = macstats_regmap_at(port, &address);
	return regmap ? regmap_write(regmap, address, value) : -ENXIO;
}

static int macstats_regmap_update(void *context, __u32 address, __u32 mask, __u32 value)
{
	struct macstats_port *port = context;
	struct regmap *regmap;

	if (!macstats_port_accessible(port))
		return -ENODEV;
	regmap = macstats_regmap_at(port, &address);
	return regmap ? regmap_update_bits(regmap, address, mask, value) : -ENXIO;
}

static void macstats_regmap_wait(void *context)
{
	usleep_range(10, 50);
}

static bool macstats_port_clocks_run(void *context)
{
	struct macstats_port *port = context;

	return !port->clocks_run || port->clocks_run(port->netdev);
}

static u64 macstats_port_line_octets(void *context)
{
	struct macstats_port *port = context;

	return port->line_octets(port->netdev);
}

static u64 macstats_port_now_ns(void *context)
{
	return ktime_get_boottime_ns();
}

/**
 * macstats_port_transmitted() - count frames in the software counters
 * @port: the port
 * @status: the transmit descriptor status of each of the frames
 * @count: number of frames, sent or given up
 *
 * For models with software counters.
 *
 * Context: bottom halves off; takes no lock.
 */
void macstats_port_transmitted(struct macstats_port *port, u32 status, u64 count)
{
	struct macstats_software_counts *counts;
	unsigned int i;

	if (!port->software)
		return;
	counts = this_cpu_ptr(port->software);
	u64_stats_update_begin(&counts->syncp);
	for (i = port->first_software; i < port->model->n_counters; i++) {
		u64 adds = macstats_software_increment(port->model, i, status, count);

		if (adds)
			u64_stats_add(&counts->count[i - port->first_software], adds);
	}
	u64_stats_update_end(&counts->syncp);
}
EXPORT_SYMBOL_GPL(macstats_port_transmitted);

/* Sum the software counters of all CPUs. Caller holds port->hw_lock. */
static void macstats_port_sum_software(struct macstats_port *port)
{
	unsigned int cpu;
	unsigned int i;

	if (!port->software || port->acc.absent)
		return;
	for (i = port->first_software; i < port->model->n_counters; i++) {
		u64 total = 0;

		for_each_possible_cpu(cpu) {
			const struct macstats_software_counts *counts =
				per_cpu_ptr(port->software, cpu);
			unsigned int start;
			u64 count;

			do {
				start = u64_stats_fetch_begin(&counts->syncp);
				count = u64_stats_read(&counts->count[i - port->first_software]);
			} while (u64_stats_fetch_retry(&counts->syncp, start));
			total += count;
		}
		port->acc.totals[i] = total;
	}
}

static int macstats_port_init_software(struct macstats_port *port)
{
	unsigned int n = port->model->n_counters - port->first_software;
	unsigned int cpu;

	if (!n)
		return 0;
	port->software = __alloc_percpu_gfp(struct_size(port->software, count, n),
					    __alignof__(struct macstats_software_counts),
					    GFP_KERNEL_ACCOUNT);
	if (!port->software)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(port->software, cpu)->syncp);
	return 0;
}

/* Find the counters that were read at their maximum since the view was last updated. */
static void macstats_port_find_saturated(const struct macstats_port *port,
					 struct macstats_notice *notice)
{
	unsigned int i;

	if (!port->view.saturated)
		return;
	for (i = 0; i < port->model->n_counters; i++) {
		if (port->acc.saturated[i] == port->view.saturated[i])
			continue;
		if (!notice->n_saturated++)
			notice->saturated = i;
	}
}

/* Publish the rtnl cache. Caller holds port->lock. */
static void macstats_port_publish_rtnl(struct macstats_port *port)
{
	write_seqlock_bh(&port->rtnl_lock);
	memcpy(port->rtnl, port->view.standard.value, sizeof(port->rtnl));
	write_sequnlock_bh(&port->rtnl_lock);
}

/* Copy the counts into the view. Caller holds port->hw_lock and port->lock. */
static void macstats_port_show_counts(struct macstats_port *port)
{
	const struct macstats_accumulator *acc = &port->acc;
	struct macstats_view *view = &port->view;
	size_t bytes;

	bytes = port->model->n_counters * sizeof(u64);
	memcpy(view->totals, acc->totals, bytes);
	if (view->saturated) {
		memcpy(view->saturated, acc->saturated, bytes);
		memcpy(view->saturated_ns, acc->saturated_ns, bytes);
	}
	view->polled_ns = macstats_polled_ns(acc);
	macstats_standard_update(&view->standard, port->model, view->totals);
	macstats_port_publish_rtnl(port);
}

/* Copy the rest of the state into the view. Caller holds port->hw_lock and port->lock. */
static void macstats_port_show_state(struct macstats_port *port)
{
	const struct macstats_accumulator *acc = &port->acc;
	struct macstats_view *view = &port->view;

	view->started = acc->started;
	view->absent = acc->absent;
	view->stale = acc->stale;
	view->reason = acc->reason;
	view->possible_loss = acc->possible_loss;
	view->suspect_known = acc->suspect_known;
	view->suspect = acc->suspect;
	view->suspect_value = acc->suspect_value;
	view->discontinuities = acc->discontinuities;
	view->discontinuity_ns = acc->discontinuity_ns;
	view->parity_errors = acc->parity_errors;
	view->max_frame = acc->max_frame;
	view->start_ns = acc->start_ns;
	view->generation = acc->generation;
}

/*
 * Begin a poll, which answers all requests for fresh totals until now. @work: the poll work
 * makes it. Caller holds port->hw_lock.
 */
static void macstats_port_begin(struct macstats_port *port, bool work)
{
	spin_lock_irq(&port->timer_lock);
	port->polls_started++;
	port->began = atomic_long_inc_return(&macstats_moments);
	port->began_jiffies = jiffies;
	if (work) {
		port->polling = true;
		port->due = MACSTATS_DUE_INTERVAL;
	}
	spin_unlock_irq(&port->timer_lock);
}

/*
 * End a poll: copy the accumulator into the view, and report @events. This poll decides
 * whether the port is stale, also if a getter gave up waiting for it. Caller holds
 * port->hw_lock.
 */
static void macstats_port_end(struct macstats_port *port, unsigned int events, int err)
{
	struct macstats_notice notice = { .port = port, .loss = port->acc.loss };
	struct macstats_view *view = &port->view;
	bool was_stale;

	mutex_lock(&port->lock);
	was_stale = view->stale;
	macstats_port_find_saturated(port, &notice);
	macstats_port_show_counts(port);
	macstats_port_show_state(port);
	view->poll_error = err;
	events &= ~(MACSTATS_EVENT_STALE | MACSTATS_EVENT_RECOVERED);
	if (view->stale != was_stale)
		events |= view->stale ? MACSTATS_EVENT_STALE : MACSTATS_EVENT_RECOVERED;
	if (macstats_thresholds_reached(port))
		events |= MACSTATS_EVENT_THRESHOLD;
	notice.events = events;
	if (events)
		macstats_port_notify(MACSTATS_PORT_EVENTS, &notice);
	macstats_thresholds_drop_reached(port);

	spin_lock_irq(&port->timer_lock);
	port->polls_ended = port->polls_started;
	port->ended_began = port->began;
	spin_unlock_irq(&port->timer_lock);
	mutex_unlock(&port->lock);
	wake_up_all(&port->polled);
}

/*
 * Read the hardware, if it may be accessed, and end the poll. Caller holds port->hw_lock and
 * has called macstats_port_begin().
 */
static int macstats_port_poll(struct macstats_port *port)
{
	struct macstats_accumulator *acc = &port->acc;
	struct macstats_view *view = &port->view;
	u64 now = ktime_get_boottime_ns();
	unsigned int events = 0;
	bool late;
	u64 took;
	int err;

	if (!macstats_port_accessible(port)) {
		macstats_port_sum_software(port);
		err = acc->suspended ? -ESHUTDOWN : -ENODEV;
		macstats_port_end(port, 0, err);
		return err;
	}
	late = acc->started && !acc->rebase &&
	       div_u64(macstats_unpolled_ns(acc, now), 1000) > acc->wrap_usecs;
	took = ktime_get_ns();
	err = macstats_poll(acc, now, &events);
	/*
	 * Unmask before macstats_port_end() wakes readers: while the interrupt is masked, a
	 * gate that a reader closes looks like a reset.
	 */
	macstats_mask_half_full(acc, false);
	took = ktime_get_ns() - took;
	macstats_port_sum_software(port);

	mutex_lock(&port->lock);
	view->late_polls += late && !err;
	view->failed_polls += !!err;
	view->longest_poll_ns = max(view->longest_poll_ns, took);
	mutex_unlock(&port->lock);
	macstats_port_end(port, events, err);
	return err;
}

/**
 * macstats_port_refresh() - read the hardware now
 * @port: the port, which may be held
 *
 * Context: process context, may sleep; not under RTNL if the bus is slow.
 * Return: 0, or the error of the read; then the totals are unchanged.
 */
int macstats_port_refresh(struct macstats_port *port)
{
	int err;

	mutex_lock(&port->hw_lock);
	macstats_port_begin(port, false);
	err = macstats_port_poll(port);
	mutex_unlock(&port->hw_lock);
	return err;
}
EXPORT_SYMBOL_GPL(macstats_port_refresh);

/**
 * macstats_port_advance() - pretend that time has passed since the last poll
 * @port: the port
 * @nsecs: nanoseconds
 *
 * For tests.
 *
 * Context: process context, may sleep.
 */
void macstats_port_advance(struct macstats_port *port, u64 nsecs)
{
	mutex_lock(&port->hw_lock);
	macstats_advance(&port->acc, nsecs);
	mutex_lock(&port->lock);
	port->view.polled_ns = macstats_polled_ns(&port->acc);
	mutex_unlock(&port->lock);
	mutex_unlock(&port->hw_lock);
}
EXPORT_SYMBOL_GPL(macstats_port_advance);

/**
 * macstats_port_preset() - set a hardware counter without changing its total
 * @port: the port
 * @index: the counter
 * @value: its new value
 * @set: sets the counter and returns its old value; called with the port locked
 * @context: passed to @set
 *
 * For emulated hardware.
 *
 * Context: process context, may sleep.
 */
void macstats_port_preset(struct macstats_port *port, unsigned int index, u64 value,
			  u64 (*set)(void *context, unsigned int index, u64 value),
			  void *context)
{
	mutex_lock(&port->hw_lock);
	macstats_preset(&port->acc, index, set(context, index, value), value);
	mutex_lock(&port->lock);
	macstats_port_show_counts(port);
	mutex_unlock(&port->lock);
	mutex_unlock(&port->hw_lock);
}
EXPORT_SYMBOL_GPL(macstats_port_preset);

/*
 * Schedule the work in @usecs, unless it comes sooner for a greater reason. Schedules once
 * for each reason: repeated requests must not delay the work. Caller holds
 * port->timer_lock.
 */
static void macstats_port_schedule(struct macstats_port *port, enum macstats_due due, u32 usecs)
{
	lockdep_assert_held(&port->timer_lock);
	if (port->leaving || port->held)
		return;
	if (port->parked && due != MACSTATS_DUE_GETTER)
		return;
	if (port->due != MACSTATS_DUE_INTERVAL && due <= port->due)
		return;
	port->due = due;
	mod_delayed_work(port->wq, &port->work, usecs_to_jiffies(usecs));
}

/* Schedule the work by a changed poll interval, which counts from the last poll. */
void macstats_port_reschedule(struct macstats_port *port)
{
	u32 usecs = READ_ONCE(port->poll_usecs);
	s64 since;

	spin_lock_irq(&port->timer_lock);
	since = ktime_us_delta(ktime_get(), port->poll_end);
	macstats_port_schedule(port, MACSTATS_DUE_INTERVAL, since < usecs ? usecs - since : 0);
	spin_unlock_irq(&port->timer_lock);
}

/**
 * macstats_port_interrupt() - report that a counter is half full
 * @port: the port
 *
 * Polls soon. For the interrupt handler of the driver.
 *
 * Context: any.
 */
void macstats_port_interrupt(struct macstats_port *port)
{
	unsigned long flags;
	u32 wait = 0;
	s64 since;

	spin_lock_irqsave(&port->timer_lock, flags);
	if (port->polling) {
		/* The work looks at this when it ends. */
		if (port->due == MACSTATS_DUE_INTERVAL)
			port->due = MACSTATS_DUE_INTERRUPT;
	} else {
		since = ktime_us_delta(ktime_get(), port->poll_end);
		if (since < MACSTATS_INTERRUPT_GAP_USECS)
			wait = MACSTATS_INTERRUPT_GAP_USECS - since;
		macstats_port_schedule(port, MACSTATS_DUE_INTERRUPT, wait);
	}
	spin_unlock_irqrestore(&port->timer_lock, flags);
}
EXPORT_SYMBOL_GPL(macstats_port_interrupt);

static void macstats_port_work(struct work_struct *work)
{
	struct macstats_port *port = container_of(to_delayed_work(work), struct macstats_port,
						  work);

	mutex_lock(&port->hw_lock);
	macstats_port_begin(port, true);
	/* macstats_port_poll() unmasks it; if that fails, the next poll retries. */
	macstats_mask_half_full(&port->acc, true);
	macstats_port_poll(port);
	mutex_unlock(&port->hw_lock);

	spin_lock_irq(&port->timer_lock);
	port->polling = false;
	port->poll_end = ktime_get();
	if (port->due == MACSTATS_DUE_INTERRUPT) {
		port->due = MACSTATS_DUE_INTERVAL;
		macstats_port_schedule(port, MACSTATS_DUE_INTERRUPT,
				       MACSTATS_INTERRUPT_GAP_USECS);
	} else {
		macstats_port_schedule(port, MACSTATS_DUE_INTERVAL, READ_ONCE(port->poll_usecs));
	}
	spin_unlock_irq(&port->timer_lock);
}

/* Has poll @number ended? Poll numbers wrap. */
static bool macstats_port_polled(struct macstats_port *port, u32 number)
{
	return (s32)(READ_ONCE(port->polls_ended) - number) >= 0;
}

/*
 * A getter gave up waiting for poll @number: the port is stale until a poll ends, which
 * decides anew. Caller holds port->lock.
 */
static bool macstats_port_overdue(struct macstats_port *port, u32 number)
{
	struct macstats_notice notice = { .port = port };

	if (macstats_port_polled(port, number))
		return false;
	if (!port->view.stale) {
		port->view.stale = true;
		port->view.reason = "the hardware did not answer in time";
		notice.events = MACSTATS_EVENT_STALE;
		macstats_port_notify(MACSTATS_PORT_EVENTS, &notice);
	}
	return true;
}

/*
 * The number of the first poll that began after @since, or of the next poll. Moments wrap.
 * Caller holds port->timer_lock.
 */
static u32 macstats_port_wanted(const struct macstats_port *port, unsigned long since)
{
	if ((long)(port->ended_began - since) > 0)
		return port->polls_ended;
	if ((long)(port->began - since) > 0)
		return port->polls_started;
	return port->polls_started + 1;
}

/* Schedule a poll unless one began after @since. Return: its number. Caller holds timer_lock. */
static u32 macstats_port_want(struct macstats_port *port, unsigned long since)
{
	u32 number = macstats_port_wanted(port, since);

	if (number == port->polls_started + 1)
		macstats_port_schedule(port, MACSTATS_DUE_GETTER, 0);
	return number;
}

/* Schedule a poll unless one began after @since: a dump reads the port later. */
void macstats_port_ask(struct macstats_port *port, unsigned long since)
{
	spin_lock_irq(&port->timer_lock);
	macstats_port_want(port, since);
	spin_unlock_irq(&port->timer_lock);
}

/**
 * macstats_port_poll_since() - let the work poll the hardware, and wait for the poll
 * @port: a port that is not held
 * @since: a value of macstats_moment(): the poll must begin after it
 * @patience: the longest wait. The time that passes is subtracted, as is time that a poll
 *	under way has already taken
 *
 * Concurrent callers share a poll. A caller that gives up marks the port as stale until
 * the poll ends.
 *
 * Context: process context, may sleep; RTNL may be held.
 * Return: the result of the poll, -ETIMEDOUT, or -ENODEV if the port is being
 *	unregistered.
 */
int macstats_port_poll_since(struct macstats_port *port, unsigned long since,
			     struct macstats_patience *patience)
{
	u64 began = ktime_get_ns();
	unsigned long passed;
	bool leaving;
	u32 number;
	int err;

	spin_lock_irq(&port->timer_lock);
	leaving = port->leaving;
	number = macstats_port_want(port, since);
	if (number == port->polls_started && number != port->polls_ended) {
		/* At most half: the poll may have shared its CPU with other tasks. */
		passed = min(jiffies - port->began_jiffies, patience->hardware / 2);
		patience->hardware -= passed;
	}
	spin_unlock_irq(&port->timer_lock);
	if (leaving)
		return -ENODEV;
	macstats_wait(port, macstats_port_polled(port, number) || READ_ONCE(port->leaving),
		      patience);

	mutex_lock(&port->lock);
	port->view.longest_wait_ns = max(port->view.longest_wait_ns, ktime_get_ns() - began);
	if (READ_ONCE(port->leaving))
		err = -ENODEV;
	else
		err = macstats_port_overdue(port, number) ? -ETIMEDOUT : port->view.poll_error;
	mutex_unlock(&port->lock);
	return err;
}

/* Like macstats_port_poll_since() with a poll that begins after the call. */
int macstats_port_poll_within(struct macstats_port *port, struct macstats_patience *patience)
{
	return macstats_port_poll_since(port, macstats_moment(), patience);
}

/*
 * Make the view fresh for a reader, unless the port is held or the hardware takes too
 * long. May sleep, also under RTNL.
 */
void macstats_port_update(struct macstats_port *port)
{
	struct macstats_patience patience = macstats_getter_patience();

	if (!port->held)
		macstats_port_poll_within(port, &patience);
}

/* Park the work, so that only getters schedule it; or schedule it again. */
static void macstats_port_park(struct macstats_port *port, bool parked)
{
	spin_lock_irq(&port->timer_lock);
	port->parked = parked;
	macstats_port_schedule(port, MACSTATS_DUE_INTERVAL, READ_ONCE(port->poll_usecs));
	spin_unlock_irq(&port->timer_lock);
}

/**
 * macstats_port_suspend() - read a port a last time before its hardware is suspended
 * @port: the port
 *
 * Nothing accesses the hardware afterwards, until macstats_port_resume(). Readers get the
 * last totals, marked stale.
 *
 * Context: process context, may sleep; not under RTNL if the bus is slow.
 * Return: 0, or the error of the last read; then the counts since the last good poll are
 *	lost, which is reported as a possible loss.
 */
int macstats_port_suspend(struct macstats_port *port)
{
	unsigned int events = 0;
	int err = 0;

	mutex_lock(&port->hw_lock);
	if (macstats_port_accessible(port)) {
		macstats_port_begin(port, false);
		macstats_mask_half_full(&port->acc, true);
		err = macstats_suspend(&port->acc, ktime_get_boottime_ns(), &events);
		macstats_port_sum_software(port);
		macstats_port_end(port, events, err);
		macstats_port_park(port, true);
	}
	mutex_unlock(&port->hw_lock);
	return err;
}
EXPORT_SYMBOL_GPL(macstats_port_suspend);

/**
 * macstats_port_resume() - poll a port again after a suspend
 * @port: the port
 *
 * The present counter values become the new baseline. The totals continue from their last
 * values.
 *
 * Context: process context, may sleep.
 * Return: 0, or the error of the read; then the next good poll takes the baseline.
 */
int macstats_port_resume(struct macstats_port *port)
{
	unsigned int events = 0;
	int err = -ENODEV;

	mutex_lock(&port->hw_lock);
	if (!READ_ONCE(port->closed) && !port->acc.gone) {
		macstats_port_begin(port, false);
		err = macstats_resume(&port->acc, ktime_get_boottime_ns(), &events);
		macstats_port_sum_software(port);
		macstats_port_end(port, events, err);
		macstats_port_park(port, false);
	}
	mutex_unlock(&port->hw_lock);
	return err;
}
EXPORT_SYMBOL_GPL(macstats_port_resume);

/**
 * macstats_port_reset() - report that the hardware of a port was restarted
 * @port: the port
 *
 * To be called after the reset. The counts since the last poll are lost, which is one
 * discontinuity; the present counter values become the new baseline. A driver that resets
 * on purpose loses nothing if it calls macstats_port_suspend() before the reset and
 * macstats_port_resume() after it.
 *
 * Context: process context, may sleep.
 * Return: 0, or the error of the read; then the next good poll takes the baseline.
 */
int macstats_port_reset(struct macstats_port *port)
{
	unsigned int events = 0;
	int err = -ENODEV;

	mutex_lock(&port->hw_lock);
	/* A suspended port takes its baseline at its resume. */
	if (!READ_ONCE(port->closed) && !port->acc.gone) {
		macstats_port_begin(port, false);
		err = macstats_reset(&port->acc, ktime_get_boottime_ns(), &events);
		macstats_port_sum_software(port);
		macstats_port_end(port, events, err);
	}
	mutex_unlock(&port->hw_lock);
	return err;
}
EXPORT_SYMBOL_GPL(macstats_port_reset);

/**
 * macstats_port_gone() - report that the hardware of a port was removed
 * @port: the port
 *
 * Nothing accesses the hardware any more. Readers get the last totals, marked stale,
 * until the port is unregistered.
 *
 * Context: process context, may sleep.
 */
void macstats_port_gone(struct macstats_port *port)
{
	unsigned int events = 0;

	/* A poll under way stops at its next access. */
	WRITE_ONCE(port->closed, true);
	mutex_lock(&port->hw_lock);
	macstats_port_begin(port, false);
	macstats_gone(&port->acc, &events);
	macstats_port_sum_software(port);
	macstats_port_end(port, events, -ENODEV);
	macstats_port_park(port, true);
	mutex_unlock(&port->hw_lock);
}
EXPORT_SYMBOL_GPL(macstats_port_gone);

static void macstats_port_free(struct kref *ref)
{
	struct macstats_port *port = container_of(ref, struct macstats_port, ref);

	mutex_destroy(&port->lock);
	mutex_destroy(&port->hw_lock);
	free_percpu(port->software);
	kvfree(port->thresholds);
	kvfree(port->view.totals);
	kvfree(port->shown);
	kvfree(port);
}

void macstats_port_put(struct macstats_port *port)
{
	kref_put(&port->ref, macstats_port_free);
}

/**
 * macstats_regmap_precious() - does a read change a register?
 * @model: describes the registers
 * @reg: address of the register, from the base of the device
 *
 * For regmap_config.precious_reg.
 *
 * Context: any.
 * Return: true if a read clears or otherwise changes the register.
 */
bool macstats_regmap_precious(const struct macstats_model *model, unsigned int reg)
{
	unsigned int base = model->port_stride ? reg / model->port_stride : 0;

	return macstats_read_is_destructive(model, reg - base * model->port_stride);
}
EXPORT_SYMBOL_GPL(macstats_regmap_precious);

/**
 * macstats_regmap_precious_in() - does a read change a register of a region?
 * @model: describes the registers
 * @region: index into macstats_model.regions; 0 for a model without regions
 * @reg: address of the register in the regmap of that region
 *
 * For regmap_config.precious_reg of a driver with a regmap for each region.
 *
 * Context: any.
 * Return: true if a read clears or otherwise changes the register.
 */
bool macstats_regmap_precious_in(const struct macstats_model *model, unsigned int region,
				 unsigned int reg)
{
	return region < macstats_region_count(model) &&
	       macstats_regmap_precious(model, macstats_region_first(model, region) + reg);
}
EXPORT_SYMBOL_GPL(macstats_regmap_precious_in);

/* Check that the driver gives either a regmap, or one for each region. */
static int macstats_check_regmaps(const struct macstats_port_config *config)
{
	const struct macstats_model *model = config->model;
	unsigned int i;

	if (config->regmap && config->regmaps) {
		netdev_err(config->netdev,
			   "no statistics: the driver gives regmap and regmaps, one is accepted\n");
		return -EINVAL;
	}
	if (!config->regmap && !config->regmaps) {
		netdev_err(config->netdev,
			   "no statistics: the driver gives neither regmap nor regmaps\n");
		return -EINVAL;
	}
	for (i = 0; config->regmaps && i < macstats_region_count(model); i++) {
		if (!IS_ERR_OR_NULL(config->regmaps[i]))
			continue;
		netdev_err(config->netdev, "no statistics: regmaps[%u] is missing, of %s\n", i,
			   model->n_regions ? model->regions[i].name : "the device");
		return -EINVAL;
	}
	return 0;
}

/* Allocate the view for the counters of the model. */
static int macstats_port_init_view(struct macstats_port *port)
{
	const struct macstats_model *model = port->model;
	unsigned int n = model->n_counters;
	bool saturates = false;
	unsigned int i;

	for (i = 0; i < n; i++)
		saturates = saturates || model->counters[i].overflow == MACSTATS_SATURATE;
	port->view.reason = "";
	port->view.totals = kvcalloc(saturates ? 3 * n : n, sizeof(u64), GFP_KERNEL_ACCOUNT);
	if (!port->view.totals)
		return -ENOMEM;
	if (saturates) {
		port->view.saturated = port->view.totals + n;
		port->view.saturated_ns = port->view.totals + 2 * n;
	}
	port->shown = kvcalloc(n, sizeof(*port->shown), GFP_KERNEL_ACCOUNT);
	return port->shown ? 0 : -ENOMEM;
}

static u64 macstats_port_line_rate(const struct macstats_port_config *config)
{
	return config->line_rate_bps ?: config->model->line_rate_bps;
}

static void macstats_port_init_accumulator(struct macstats_port *port,
					   const struct macstats_port_config *config)
{
	struct macstats_accumulator *acc = &port->acc;

	acc->model = config->model;
	acc->base = config->index * config->model->port_stride;
	acc->without_counters = config->without_counters;
	acc->line_rate_bound = !config->no_line;
	acc->line_rate_bps = macstats_port_line_rate(config);
	acc->bus.context = port;
	acc->bus.read = macstats_regmap_read;
	acc->bus.write = macstats_regmap_write;
	acc->bus.update = macstats_regmap_update;
	acc->bus.wait = macstats_regmap_wait;
	acc->bus.clocks_run = macstats_port_clocks_run;
	acc->bus.line_octets = config->line_octets ? macstats_port_line_octets : NULL;
	acc->bus.now_ns = macstats_port_now_ns;
}

/*
 * Create a port: identify the hardware, and take its baseline. Return: the port with a
 * reference, or an ERR_PTR. May sleep.
 */
struct macstats_port *macstats_port_create(const struct macstats_port_config *config)
{
	const struct macstats_model *model = config->model;
	struct macstats_port *port;
	unsigned int i;
	u64 rate;
	int err;

	if (model->n_counters > MACSTATS_MAX_COUNTERS || model->bus_bits > 32)
		return ERR_PTR(-EINVAL);
	err = macstats_check_regmaps(config);
	if (err)
		return ERR_PTR(err);
	port = kvzalloc(sizeof(*port), GFP_KERNEL_ACCOUNT);
	if (!port)
		return ERR_PTR(-ENOMEM);

	port->netdev = config->netdev;
	port->regmap = config->regmap;
	for (i = 0; config->regmaps && i < macstats_region_count(model); i++)
		port->regmaps[i] = config->regmaps[i];
	port->wq = config->wq ?: macstats_wq;
	port->model = model;
	port->index = config->index;
	port->held = config->held;
	port->clocks_run = config->clocks_run;
	port->line_octets = config->line_octets;
	rate = macstats_port_line_rate(config);
	port->poll_ceiling = macstats_poll_ceiling_usecs(model, rate);
	port->poll_usecs = macstats_poll_default_usecs(model, rate);
	port->began = macstats_moment();
	port->ended_began = port->began;
	kref_init(&port->ref);
	mutex_init(&port->hw_lock);
	mutex_init(&port->lock);
	spin_lock_init(&port->timer_lock);
	seqlock_init(&port->rtnl_lock);
	init_waitqueue_head(&port->polled);
	for (i = 0; i < ARRAY_SIZE(port->log_limit); i++)
		ratelimit_state_init(&port->log_limit[i], DEFAULT_RATELIMIT_INTERVAL,
				     DEFAULT_RATELIMIT_BURST);
	INIT_DELAYED_WORK(&port->work, macstats_port_work);
	macstats_port_init_accumulator(port, config);
	port->first_software = macstats_register_counters(model);
	err = macstats_port_init_view(port);
	if (err)
		goto err_free;
	err = macstats_port_init_software(port);
	if (err)
		goto err_free;

	mutex_lock(&port->hw_lock);
	err = macstats_start(&port->acc, ktime_get_boottime_ns());
	if (err) {
		mutex_unlock(&port->hw_lock);
		if (port->acc.stale)
			netdev_err(port->netdev,
				   "no statistics, the first read of the counters failed: %s\n",
				   port->acc.reason);
		goto err_free;
	}
	mutex_lock(&port->lock);
	macstats_port_show_counts(port);
	macstats_port_show_state(port);
	mutex_unlock(&port->lock);
	mutex_unlock(&port->hw_lock);
	for (i = 0; i < model->n_counters && !port->acc.absent; i++)
		if (!config->private_only || !macstats_has_standard(model, i))
			port->shown[port->n_shown++] = i;
	return port;

err_free:
	macstats_port_put(port);
	return ERR_PTR(err);
}

/* Start to poll a port. */
void macstats_port_start(struct macstats_port *port)
{
	port->poll_end = ktime_get();
	macstats_port_reschedule(port);
}

/* Schedule no more polls, and wake all that wait for one. */
void macstats_port_retire(struct macstats_port *port)
{
	spin_lock_irq(&port->timer_lock);
	port->leaving = true;
	spin_unlock_irq(&port->timer_lock);
	wake_up_all(&port->polled);
}

/* Access the hardware of a retired port no more. May sleep. */
void macstats_port_close(struct macstats_port *port)
{
	cancel_delayed_work_sync(&port->work);
	/* A job that runs later sees that the port is closed. */
	mutex_lock(&port->hw_lock);
	macstats_disable_half_full(&port->acc);
	WRITE_ONCE(port->closed, true);
	mutex_unlock(&port->hw_lock);
}

int macstats_poller_init(void)
{
	/* High priority, as readers wait for the work; freezable: it stops before a suspend. */
	macstats_wq = alloc_workqueue("macstats", WQ_UNBOUND | WQ_FREEZABLE | WQ_HIGHPRI,
				      WQ_MAX_ACTIVE);
	return macstats_wq ? 0 : -ENOMEM;
}

void macstats_poller_exit(void)
{
	destroy_workqueue(macstats_wq);
}
