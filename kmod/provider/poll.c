// SPDX-License-Identifier: GPL-2.0
/*
 * Polls: when hardware is read, and by whom. Whoever has locked the hardware reads it into the
 * accumulator, then copies the result into the view. A reader does that itself, unless accesses may
 * sleep: then it waits for the poll work, unless the hardware is stuck.
 */
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/timekeeping.h>

#include "../compat.h"
#include "internal.h"

#define MACSTATS_READER_WAIT_MIN_MS	1
#define MACSTATS_READER_WAIT_MAX_MS	10000

/* The longest wait of a reader for a poll, in ms: its caller may hold RTNL. */
static unsigned int macstats_reader_wait_ms = 40;

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
		 "Milliseconds that a read waits for hardware whose accesses sleep, with RTNL held (1 to 10000, default 40)");

/* The longest wait of a reader, in jiffies; a timer may add one. */
unsigned long macstats_reader_wait(void)
{
	return max(msecs_to_jiffies(READ_ONCE(macstats_reader_wait_ms)) - 1, 1ul);
}

/* Longest poll that a reader may make with bottom halves off. */
#define MACSTATS_READER_POLL_NS	(200 * NSEC_PER_USEC)

/* No reader waits for hardware whose last poll failed after more than this. */
#define MACSTATS_STUCK_POLL_NS	(2 * NSEC_PER_MSEC)

/* ndo_get_stats64 reuses a poll up to this old. */
#define MACSTATS_RECENT_NS	NSEC_PER_MSEC

static struct workqueue_struct *macstats_wq;

/* The present time, to compare with the beginnings of polls. Any context but an NMI. */
u64 macstats_moment(void)
{
	smp_mb();	/* orders the caller's writes before the reads of a later poll */
	return ktime_get_ns();
}

/*
 * Begin a poll, which answers all requests for fresh totals until now. Caller has locked the
 * hardware.
 */
void macstats_hw_begin(struct macstats_hw *hw)
{
	macstats_hw_assert_locked(hw);
	hw->bus.busy_waits = 0;
	spin_lock_irq(&hw->poll.lock);
	hw->poll.started++;
	hw->poll.began_ns = ktime_get_ns();
	smp_mb();	/* reads nothing before; pairs with macstats_moment() */
	hw->poll.due = MACSTATS_DUE_INTERVAL;
	spin_unlock_irq(&hw->poll.lock);
}

/*
 * End a poll, and show its result to readers. A slow one sends later readers to the work. Caller
 * has locked the hardware.
 */
void macstats_hw_end(struct macstats_hw *hw, unsigned int events, bool failed)
{
	struct macstats_view *view = &hw->view;
	u64 took = ktime_get_ns() - hw->poll.began_ns;

	macstats_hw_assert_locked(hw);
	hw->bus.slow = took > MACSTATS_READER_POLL_NS || macstats_hw_gave_up(hw);
	WRITE_ONCE(hw->bus.stuck, failed && hw->bus.sleeps &&
		   (took > MACSTATS_STUCK_POLL_NS || macstats_hw_gave_up(hw)));
	macstats_hw_lock_view(hw);
	macstats_hw_show_poll(hw, events);
	view->failed_polls += failed;
	view->longest_poll_ns = max(view->longest_poll_ns, took);
	spin_lock_irq(&hw->poll.lock);
	WRITE_ONCE(hw->poll.ended, hw->poll.started);
	smp_wmb();	/* after what was published; pairs with macstats_hw_is_recent() */
	WRITE_ONCE(hw->poll.read_ns, hw->poll.began_ns);
	spin_unlock_irq(&hw->poll.lock);
	macstats_hw_unlock_view(hw);
	if (wq_has_sleeper(&hw->poll.waiters))
		wake_up_all(&hw->poll.waiters);
}

/*
 * Undo macstats_hw_begin() after a poll that gave up. What it has read is shown; the next one
 * decides whether the port is stale. Caller has locked the hardware and the view.
 */
static void macstats_hw_undo_begin(struct macstats_hw *hw, unsigned int events)
{
	lockdep_assert_held(&hw->lock);
	hw->bus.slow = true;
	hw->acc.state.stale = hw->view.state.stale;
	hw->acc.state.reason = hw->view.state.reason;
	macstats_hw_show_poll(hw, events);
	spin_lock_irq(&hw->poll.lock);
	hw->poll.started--;
	hw->poll.began_ns = hw->poll.read_ns;
	spin_unlock_irq(&hw->poll.lock);
}

/*
 * Read the hardware, if it may be accessed, and show the result. Caller has locked the hardware.
 * Return: false if that must be done again where accesses may sleep.
 */
static bool macstats_hw_try_poll(struct macstats_hw *hw, int *err)
{
	struct macstats_accumulator *acc = &hw->acc;
	unsigned int events = 0;
	ktime_t now;

	macstats_hw_begin(hw);
	if (!macstats_hw_accessible(hw)) {
		macstats_hw_sum_software(hw);
		*err = acc->state.suspended ? -ESHUTDOWN : -ENODEV;
		macstats_hw_end(hw, 0, false);
		return true;
	}
	now = ktime_mono_to_any(ns_to_ktime(hw->poll.began_ns), TK_OFFS_BOOT);
	*err = macstats_poll(acc, ktime_to_ns(now), &events);
	macstats_hw_sum_software(hw);
	if (*err && macstats_hw_gave_up(hw) && !hw->bus.sleeps) {
		macstats_hw_undo_begin(hw, events);
		return false;
	}
	macstats_hw_end(hw, events, *err);
	return true;
}

/* The same for a caller who may sleep. Return: 0, or the error of the read. */
static int macstats_hw_poll(struct macstats_hw *hw)
{
	int err;

	if (!macstats_hw_try_poll(hw, &err)) {
		macstats_hw_unlock_to_sleep(hw);
		macstats_hw_try_poll(hw, &err);
	}
	return err;
}

/**
 * macstats_port_refresh() - read the hardware now
 * @port: the port, which may be held
 *
 * Context: process context, may sleep; under RTNL, holds it for a poll of a slow bus.
 * Return: 0, or the error of the read; then the totals have only what was read before it.
 */
int macstats_port_refresh(struct macstats_port *port)
{
	struct macstats_hw *hw = port->hw;
	int err;

	/* get() would wake the hardware. */
	if (hw->bus.ops->get && READ_ONCE(hw->poll.parked))
		return -ESHUTDOWN;
	macstats_hw_enter(hw);
	err = macstats_hw_poll(hw);
	macstats_hw_leave(hw);
	macstats_hw_report(hw);
	return err;
}
EXPORT_SYMBOL_GPL(macstats_port_refresh);

/**
 * macstats_port_set_slow() - let register accesses sleep from now on, or no longer
 * @port: the port
 * @slow: they may sleep
 *
 * Context: process context, may sleep.
 */
void macstats_port_set_slow(struct macstats_port *port, bool slow)
{
	struct macstats_hw *hw = port->hw;

	macstats_hw_lock(hw);
	WRITE_ONCE(hw->bus.fast_io, !slow);
	hw->bus.slow = false;
	macstats_hw_unlock(hw);
}
EXPORT_SYMBOL_NS_GPL(macstats_port_set_slow, MACSTATS_NAMESPACE);

/**
 * macstats_port_expire() - let ndo_get_stats64 read the hardware, however recent the last poll
 * @port: the port
 *
 * Context: process context.
 */
void macstats_port_expire(struct macstats_port *port)
{
	struct macstats_hw *hw = port->hw;

	spin_lock_bh(&hw->lock);
	WRITE_ONCE(hw->poll.expired, macstats_moment());
	spin_unlock_bh(&hw->lock);
}
EXPORT_SYMBOL_NS_GPL(macstats_port_expire, MACSTATS_NAMESPACE);

/**
 * macstats_port_advance() - pretend, for tests, that time has passed since the last poll
 * @port: the port
 * @nsecs: the time, in nanoseconds
 *
 * Context: process context, may sleep.
 */
void macstats_port_advance(struct macstats_port *port, u64 nsecs)
{
	struct macstats_hw *hw = port->hw;

	macstats_hw_lock(hw);
	macstats_advance(&hw->acc, nsecs);
	macstats_hw_lock_view(hw);
	hw->view.polled_ns = macstats_polled_ns(&hw->acc);
	macstats_hw_unlock_view(hw);
	macstats_hw_unlock(hw);
}
EXPORT_SYMBOL_NS_GPL(macstats_port_advance, MACSTATS_NAMESPACE);

/**
 * macstats_port_preset() - set a counter of the hardware without changing its total
 * @port: the port
 * @index: the counter
 * @value: its new value
 * @set: sets it, and returns its old value; called with the hardware locked, must not sleep
 * @context: passed to @set
 *
 * Context: process context, may sleep.
 */
void macstats_port_preset(struct macstats_port *port, unsigned int index, u64 value,
			  u64 (*set)(void *context, unsigned int index, u64 value),
			  void *context)
{
	struct macstats_hw *hw = port->hw;

	macstats_hw_lock(hw);
	macstats_preset(&hw->acc, index, set(context, index, value), value);
	macstats_hw_lock_view(hw);
	macstats_hw_show_counts(hw);
	macstats_hw_unlock_view(hw);
	macstats_hw_unlock(hw);
}
EXPORT_SYMBOL_NS_GPL(macstats_port_preset, MACSTATS_NAMESPACE);

/*
 * Schedule the work in @usecs, unless it comes sooner for a greater reason. Schedules once
 * for each reason: repeated requests must not delay the work. Caller holds
 * hw->poll.lock.
 */
static void macstats_hw_schedule(struct macstats_hw *hw, enum macstats_due due, u32 usecs)
{
	unsigned long delay = 0;

	lockdep_assert_held(&hw->poll.lock);
	if (hw->poll.leaving || hw->poll.parked || hw->emulated.held)
		return;
	if (hw->poll.due != MACSTATS_DUE_INTERVAL && due <= hw->poll.due)
		return;
	hw->poll.due = due;
	/* Rounded down, as a timer adds up to a jiffy, or an eighth of a long delay. */
	if (usecs)
		delay = max(nsecs_to_jiffies((u64)usecs * NSEC_PER_USEC), 1ul);
	mod_delayed_work(hw->poll.wq, &hw->poll.work, delay);
}

/* The poll interval, in microseconds: the user's, or the default, within the longest one. */
static u32 macstats_hw_interval(const struct macstats_hw *hw)
{
	if (hw->poll.wanted_usecs)
		return min(hw->poll.wanted_usecs, hw->poll.ceiling);
	return macstats_poll_default_within(hw->poll.ceiling);
}

/* Schedule the work by a changed poll interval, which counts from the last poll. */
static void macstats_hw_reschedule(struct macstats_hw *hw)
{
	u32 usecs = READ_ONCE(hw->poll.usecs);
	s64 since;

	spin_lock_irq(&hw->poll.lock);
	since = ktime_us_delta(ktime_get(), hw->poll.end);
	macstats_hw_schedule(hw, MACSTATS_DUE_INTERVAL, since < usecs ? usecs - since : 0);
	spin_unlock_irq(&hw->poll.lock);
}

/* Set the poll interval to @usecs, in microseconds. Return: false if it is too long. */
bool macstats_hw_set_interval(struct macstats_hw *hw, u32 usecs)
{
	bool possible;

	spin_lock_irq(&hw->poll.lock);
	possible = usecs <= hw->poll.ceiling;
	/* ethtool -C sends the interval with any other change, too. */
	if (possible && usecs != hw->poll.usecs) {
		hw->poll.wanted_usecs = usecs;
		WRITE_ONCE(hw->poll.usecs, usecs);
	}
	spin_unlock_irq(&hw->poll.lock);
	if (possible)
		macstats_hw_reschedule(hw);
	return possible;
}

/**
 * macstats_port_set_line_rate() - report the speed of a port after its link has changed
 * @port: the port; NULL or an error of its registration: nothing to do
 * @line_rate_bps: the speed, in b/s; 0: unknown, as while there is no link. The line rate of the
 *	model then serves, its highest speed
 *
 * The poll interval follows, and the bound, unless the port has none (MACSTATS_NO_LINE_RATE). The
 * port is polled soon; until that poll has ended, the higher of the two speeds counts, as frames
 * may have passed at either. Report a higher speed before the MAC counts at it: what a slower line
 * cannot have carried is taken for the values of a reset, and discarded. A driver that learns of it
 * only later reports 0 whenever the link goes down.
 *
 * Context: any but an NMI; with PREEMPT_RT, only with preemption and interrupts on.
 * Return: 0, or -ERANGE for a speed that is not possible.
 */
int macstats_port_set_line_rate(struct macstats_port *port, u64 line_rate_bps)
{
	struct macstats_hw *hw;
	unsigned long flags;
	u32 ceiling;

	if (IS_ERR_OR_NULL(port))
		return 0;
	hw = port->hw;
	if (!line_rate_bps)
		line_rate_bps = hw->model->line_rate_bps;
	if (!macstats_line_rate_is_possible(line_rate_bps))
		return -ERANGE;
	ceiling = macstats_poll_ceiling_usecs(hw->model, line_rate_bps);
	spin_lock_irqsave(&hw->poll.lock, flags);
	if (hw->poll.line_rate_bps != line_rate_bps) {
		WRITE_ONCE(hw->poll.line_rate_bps, line_rate_bps);
		WRITE_ONCE(hw->poll.highest_rate_bps,
			   max(hw->poll.highest_rate_bps, line_rate_bps));
		WRITE_ONCE(hw->poll.ceiling, ceiling);
		WRITE_ONCE(hw->poll.usecs, macstats_hw_interval(hw));
		macstats_hw_schedule(hw, MACSTATS_DUE_LINE_RATE, 0);
	}
	spin_unlock_irqrestore(&hw->poll.lock, flags);
	return 0;
}
EXPORT_SYMBOL_GPL(macstats_port_set_line_rate);

/* The highest line rate since the last poll that asked. */
static u64 macstats_hw_line_rate(void *context)
{
	struct macstats_hw *hw = context;
	unsigned long flags;
	u64 rate;

	/* Without a change, as at most polls, no lock is needed; but 32 bits may tear. */
	rate = READ_ONCE(hw->poll.line_rate_bps);
	if (IS_ENABLED(CONFIG_64BIT) && READ_ONCE(hw->poll.highest_rate_bps) == rate)
		return rate;
	spin_lock_irqsave(&hw->poll.lock, flags);
	rate = hw->poll.highest_rate_bps;
	WRITE_ONCE(hw->poll.highest_rate_bps, hw->poll.line_rate_bps);
	spin_unlock_irqrestore(&hw->poll.lock, flags);
	return rate;
}

static void macstats_hw_work(struct work_struct *work)
{
	struct macstats_hw *hw = container_of(to_delayed_work(work), struct macstats_hw, poll.work);
	bool parked;

	/* What macstats_get_stats64() found, which must not sleep. */
	macstats_hw_report(hw);
	/* Scheduled before the hardware was suspended: get() must not wake it. */
	spin_lock_irq(&hw->poll.lock);
	parked = hw->poll.parked;
	if (parked)
		hw->poll.due = MACSTATS_DUE_INTERVAL;
	spin_unlock_irq(&hw->poll.lock);
	if (parked)
		return;

	macstats_hw_enter(hw);
	macstats_hw_poll(hw);
	macstats_hw_leave(hw);
	macstats_hw_report(hw);

	spin_lock_irq(&hw->poll.lock);
	hw->poll.end = ktime_get();
	macstats_hw_schedule(hw, MACSTATS_DUE_INTERVAL, READ_ONCE(hw->poll.usecs));
	spin_unlock_irq(&hw->poll.lock);
}

/*
 * Is there nothing more to wait for: has poll @number ended, or will none come, as the work is
 * parked or the last port leaving? Poll numbers wrap.
 */
static bool macstats_hw_poll_over(struct macstats_hw *hw, u32 number)
{
	return (s32)(READ_ONCE(hw->poll.ended) - number) >= 0 || READ_ONCE(hw->poll.parked) ||
	       READ_ONCE(hw->poll.leaving);
}

/* Did the last poll begin after the time @since? Caller holds hw->lock or hw->poll.lock. */
static bool macstats_hw_is_fresh(const struct macstats_hw *hw, u64 since)
{
	lockdep_assert(lockdep_is_held(&hw->lock) || lockdep_is_held(&hw->poll.lock));
	return hw->poll.read_ns > since;
}

/* Schedule a poll, unless one began after @since. Return: the number of the first such poll. */
static u32 macstats_hw_request_poll(struct macstats_hw *hw, u64 since)
{
	u32 number;

	spin_lock_irq(&hw->poll.lock);
	if (macstats_hw_is_fresh(hw, since)) {
		number = hw->poll.ended;
	} else if (hw->poll.began_ns > since) {
		number = hw->poll.started;
	} else {
		number = hw->poll.started + 1;
		macstats_hw_schedule(hw, MACSTATS_DUE_GETTER, 0);
	}
	spin_unlock_irq(&hw->poll.lock);
	return number;
}

/* Let the work poll soon. */
static void macstats_hw_poll_soon(struct macstats_hw *hw)
{
	spin_lock_irq(&hw->poll.lock);
	macstats_hw_schedule(hw, MACSTATS_DUE_GETTER, 0);
	spin_unlock_irq(&hw->poll.lock);
}

/* Let the work poll for a dump that comes to the port later, if the work must do that. */
void macstats_hw_poll_ahead(struct macstats_hw *hw, u64 since)
{
	if (READ_ONCE(hw->bus.sleeps))
		macstats_hw_request_poll(hw, since);
}

/*
 * How long to wait for the work, of @wait jiffies: the time that a poll under way has taken counts,
 * and nobody waits for hardware on a slow bus that did not answer last time.
 */
unsigned long macstats_hw_remaining_wait(struct macstats_hw *hw, unsigned long wait)
{
	unsigned long passed = 0;
	bool stale;

	spin_lock_bh(&hw->lock);
	stale = hw->view.state.stale;
	spin_unlock_bh(&hw->lock);
	/* With fast accesses, a poll or dump ends soon, unless the hardware is stuck. */
	if (stale && !READ_ONCE(hw->bus.fast_io))
		return 0;
	spin_lock_irq(&hw->poll.lock);
	if (hw->poll.started != hw->poll.ended)
		passed = nsecs_to_jiffies(ktime_get_ns() - hw->poll.began_ns);
	spin_unlock_irq(&hw->poll.lock);
	return wait - min(wait, passed);
}

/*
 * Let the work poll, and wait up to @wait jiffies for a poll that began after @since, but not for
 * hardware that is stuck. Return: false if none has ended.
 */
static bool macstats_hw_await(struct macstats_hw *hw, u64 since, unsigned long wait)
{
	u64 began = ktime_get_ns();
	bool ended;
	u32 number;

	wait = READ_ONCE(hw->bus.stuck) ? 0 : macstats_hw_remaining_wait(hw, wait);
	number = macstats_hw_request_poll(hw, since);
	ended = wait_event_timeout(hw->poll.waiters, macstats_hw_poll_over(hw, number), wait);

	spin_lock_bh(&hw->lock);
	hw->view.longest_wait_ns = max(hw->view.longest_wait_ns, ktime_get_ns() - began);
	spin_unlock_bh(&hw->lock);
	return ended;
}

/*
 * Poll the hardware, unless a poll began after the time @since. Caller holds hw->lock. Return:
 * false if accesses may sleep, so that the work must do it.
 */
static bool macstats_hw_poll_here(struct macstats_hw *hw, u64 since)
{
	bool done = true;
	int err;

	lockdep_assert_held(&hw->lock);
	if (hw->bus.sleeps)
		return false;
	if (!READ_ONCE(hw->bus.closed) && !macstats_hw_is_fresh(hw, since))
		done = macstats_hw_try_poll(hw, &err);
	/* From now on, the work polls, until that is fast again. */
	if (hw->bus.slow)
		WRITE_ONCE(hw->bus.sleeps, true);
	return done;
}

/*
 * Make the view fresh for a reader, whom a poll satisfies that began after @since. If accesses may
 * sleep, wait for it up to @wait jiffies, unless the hardware is stuck. Readers that meet share a
 * poll. Hardware that is held, suspended or gone keeps its view. Return: false if no poll ended in
 * time. May sleep; RTNL may be held.
 */
bool macstats_hw_update(struct macstats_hw *hw, u64 since, unsigned long wait)
{
	bool fresh;

	if (hw->emulated.held)
		return true;
	/* Of suspended hardware, this sums the software counters. */
	spin_lock_bh(&hw->lock);
	fresh = macstats_hw_poll_here(hw, since);
	spin_unlock_bh(&hw->lock);
	if (!fresh)
		fresh = READ_ONCE(hw->poll.parked) || macstats_hw_await(hw, since, wait);
	macstats_hw_report(hw);
	return fresh;
}

/* May the caller take a spinlock for bottom halves? */
static bool macstats_may_lock(void)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT) ? preemptible() : !in_hardirq() && !irqs_disabled();
}

/*
 * Is what was published of the last millisecond? Takes no lock. Where loads of 64 bits may tear,
 * the caller finds out under the lock.
 */
static bool macstats_hw_is_recent(const struct macstats_hw *hw, u64 now)
{
	u64 read_ns = READ_ONCE(hw->poll.read_ns);

	smp_rmb();	/* pairs with macstats_hw_end() */
	return IS_ENABLED(CONFIG_64BIT) && now - read_ns <= MACSTATS_RECENT_NS &&
	       read_ns > READ_ONCE(hw->poll.expired);
}

/* Poll the hardware, unless a poll began in the millisecond before @since. Takes locks. */
static noinline void macstats_hw_poll_atomic(struct macstats_hw *hw, u64 since)
{
	bool soon = false;

	spin_lock_bh(&hw->lock);
	if (since - hw->poll.read_ns <= MACSTATS_RECENT_NS)
		since = hw->poll.expired;
	if (!macstats_hw_is_fresh(hw, since)) {
		macstats_hw_poll_here(hw, since);
		/* The work sees whether a poll is fast again, and reports events. */
		soon = hw->bus.sleeps || hw->pending.events;
	}
	spin_unlock_bh(&hw->lock);
	if (soon)
		macstats_hw_poll_soon(hw);
}

/*
 * The same for ndo_get_stats64, which must not sleep: a poll of the last millisecond will do, and
 * if accesses may sleep, any. Any context but an NMI; does nothing where it must not take a lock.
 */
void macstats_hw_update_atomic(struct macstats_hw *hw)
{
	u64 now;

	if (!READ_ONCE(hw->bus.fast_io) || hw->emulated.held || hw->shared)
		return;
	now = macstats_moment();
	if (!macstats_hw_is_recent(hw, now) && macstats_may_lock())
		macstats_hw_poll_atomic(hw, now);
}

/* Park the work, which nothing schedules then; or schedule it again. */
void macstats_hw_park(struct macstats_hw *hw, bool parked)
{
	spin_lock_irq(&hw->poll.lock);
	WRITE_ONCE(hw->poll.parked, parked);
	macstats_hw_schedule(hw, MACSTATS_DUE_INTERVAL, READ_ONCE(hw->poll.usecs));
	spin_unlock_irq(&hw->poll.lock);
	wake_up_all(&hw->poll.waiters);
}

/* Set the poll interval, and how the accumulator gets the line rate. */
void macstats_hw_init_poll(struct macstats_hw *hw, const struct macstats_port_config *config)
{
	hw->poll.wq = hw->emulated.wq ?: macstats_wq;
	hw->poll.line_rate_bps = config->line_rate_bps;
	if (!config->line_rate_bps || config->line_rate_bps == MACSTATS_NO_LINE_RATE)
		hw->poll.line_rate_bps = hw->model->line_rate_bps;
	hw->poll.highest_rate_bps = hw->poll.line_rate_bps;
	hw->poll.ceiling = macstats_poll_ceiling_usecs(hw->model, hw->poll.line_rate_bps);
	hw->poll.usecs = macstats_hw_interval(hw);
	hw->acc.bus.line_rate = macstats_hw_line_rate;
	spin_lock_init(&hw->poll.lock);
	init_waitqueue_head(&hw->poll.waiters);
	INIT_DELAYED_WORK(&hw->poll.work, macstats_hw_work);
}

/* Start to poll. */
void macstats_hw_start(struct macstats_hw *hw)
{
	spin_lock_irq(&hw->poll.lock);
	hw->poll.end = ktime_get();
	WRITE_ONCE(hw->poll.parked, hw->acc.state.suspended);
	spin_unlock_irq(&hw->poll.lock);
	macstats_hw_reschedule(hw);
}

/* Schedule no more polls, and wake all that wait for one. */
void macstats_hw_retire(struct macstats_hw *hw)
{
	spin_lock_irq(&hw->poll.lock);
	WRITE_ONCE(hw->poll.leaving, true);
	spin_unlock_irq(&hw->poll.lock);
	wake_up_all(&hw->poll.waiters);
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
