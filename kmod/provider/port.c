// SPDX-License-Identifier: GPL-2.0
/*
 * The hardware behind a port, or behind several that share it: the bus to its registers, its
 * polls, its cached totals, its life cycle.
 *
 * The holder of hw->hw_lock reads the hardware into the accumulator, then copies the
 * result into the view under hw->lock. Readers see the view only, so that they wait for
 * the bus no longer than they choose to.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
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
static DEFINE_MUTEX(macstats_claimed_lock);	/* protects the list */
static LIST_HEAD(macstats_claimed);

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

/* Report to the layers above what happened to a port. Caller holds port->hw->lock. */
void macstats_port_notify(enum macstats_port_action action, struct macstats_notice *notice)
{
	lockdep_assert_held(&notice->port->hw->lock);
	blocking_notifier_call_chain(&macstats_port_chain, action, notice);
}

/*
 * Report @events of the hardware for each port that it serves, and to each the thresholds that
 * it has reached. @notice: the rest of the report. Caller holds hw->lock.
 */
static void macstats_hw_notify(struct macstats_hw *hw, unsigned int events,
			       struct macstats_notice *notice)
{
	struct macstats_port *port;

	list_for_each_entry(port, &hw->ports, hw_node) {
		notice->port = port;
		notice->events = events;
		if (macstats_thresholds_reached(port))
			notice->events |= MACSTATS_EVENT_THRESHOLD;
		if (notice->events)
			macstats_port_notify(MACSTATS_PORT_EVENTS, notice);
		macstats_thresholds_drop_reached(port);
	}
}

/* The present moment, to compare with the beginnings of polls. Any context. */
unsigned long macstats_moment(void)
{
	return atomic_long_read(&macstats_moments);
}

/*
 * Make the registers accessible, and lock the hardware. If the first fails, accesses do. The
 * driver's get() may resume the hardware, and so comes first. May sleep.
 */
void macstats_hw_enter(struct macstats_hw *hw)
{
	int err = 0;

	if (READ_ONCE(hw->closed))
		err = -ENODEV;
	else if (hw->ops->get)
		err = hw->ops->get(hw->priv);
	mutex_lock(&hw->hw_lock);
	hw->access_error = err;
}

/* Undo macstats_hw_enter(). */
void macstats_hw_leave(struct macstats_hw *hw)
{
	bool put = !hw->access_error && hw->ops->put;

	hw->access_error = 0;
	mutex_unlock(&hw->hw_lock);
	if (put)
		hw->ops->put(hw->priv);
}

/* May the hardware be accessed? Caller holds hw->hw_lock. */
bool macstats_hw_accessible(struct macstats_hw *hw)
{
	return !READ_ONCE(hw->closed) && !hw->acc.suspended && !hw->acc.gone;
}

/*
 * Find the regmap of an address of the model. @address becomes the address in that regmap.
 * Return: NULL if no region holds the address.
 */
static struct regmap *macstats_regmap_at(const struct macstats_hw *hw, u32 *address)
{
	int region;

	if (hw->regmap)
		return hw->regmap;
	region = macstats_region_at(hw->model, *address);
	if (region < 0)
		return NULL;
	*address -= macstats_region_first(hw->model, region);
	return hw->regmaps[region];
}

/* Return: 0, or the error of every access at present. Caller holds hw->hw_lock. */
static int macstats_hw_access(struct macstats_hw *hw)
{
	return macstats_hw_accessible(hw) ? hw->access_error : -ENODEV;
}

/*
 * Read adjacent registers of a region. regmap stores them in its own width: widen them in
 * place.
 */
static int macstats_regmap_read(void *context, __u32 address, __u64 *values,
				unsigned int words)
{
	struct macstats_hw *hw = context;
	unsigned int value = 0;
	struct regmap *regmap;
	unsigned int bytes;
	int err;

	err = macstats_hw_access(hw);
	if (err)
		return err;
	regmap = macstats_regmap_at(hw, &address);
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
	bytes = hw->model->bus_bits / 8;
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

static int macstats_regmap_update(void *context, __u32 address, __u32 mask, __u32 value)
{
	struct macstats_hw *hw = context;
	struct regmap *regmap;
	int err;

	err = macstats_hw_access(hw);
	if (err)
		return err;
	regmap = macstats_regmap_at(hw, &address);
	return regmap ? regmap_update_bits(regmap, address, mask, value) : -ENXIO;
}

/* Read adjacent registers with a function of the driver. */
static int macstats_function_read(void *context, __u32 address, __u64 *values,
				  unsigned int words)
{
	struct macstats_hw *hw = context;
	unsigned int value;
	unsigned int i;
	int err;

	err = macstats_hw_access(hw);
	for (i = 0; !err && i < words; i++) {
		value = 0;
		err = hw->ops->reg_read(hw->priv, address + i * macstats_word_step(hw->model),
					&value);
		values[i] = value;
	}
	return err;
}

static int macstats_function_update(void *context, __u32 address, __u32 mask, __u32 value)
{
	struct macstats_hw *hw = context;
	unsigned int now = 0;
	int err;

	err = macstats_hw_access(hw);
	if (err)
		return err;
	if (hw->ops->reg_update_bits)
		return hw->ops->reg_update_bits(hw->priv, address, mask, value);
	err = hw->ops->reg_read(hw->priv, address, &now);
	return err ?: hw->ops->reg_write(hw->priv, address, (now & ~mask) | (value & mask));
}

static int macstats_hw_read_block(void *context, __u32 address, __u64 *values,
				  unsigned int words, unsigned int *done)
{
	struct macstats_hw *hw = context;
	int err;

	err = macstats_hw_access(hw);
	return err ?: hw->ops->read_block(hw->priv, address, values, words, done);
}

static void macstats_hw_wait(void *context)
{
	usleep_range(10, 50);
}

static bool macstats_hw_clocks_run(void *context)
{
	struct macstats_hw *hw = context;

	return !hw->ops->clocks_run || hw->ops->clocks_run(hw->priv);
}

static u64 macstats_hw_line_octets(void *context)
{
	struct macstats_hw *hw = context;

	return hw->ops->line_octets(hw->priv);
}

static bool macstats_hw_lowered(void *context, unsigned int index)
{
	struct macstats_hw *hw = context;

	return hw->ops->lowered(hw->priv, index);
}

static u64 macstats_hw_line_rate(void *context)
{
	struct macstats_hw *hw = context;
	unsigned long flags;
	u64 rate;

	spin_lock_irqsave(&hw->timer_lock, flags);
	rate = hw->highest_rate_bps;
	hw->highest_rate_bps = hw->line_rate_bps;
	spin_unlock_irqrestore(&hw->timer_lock, flags);
	return rate;
}

static u64 macstats_hw_now_ns(void *context)
{
	return ktime_get_boottime_ns();
}

/*
 * Find the software counters that count packets like this one, and what each packet adds to them.
 * @sent as in macstats_hw_count(). @bits: of the status, @sent_bits or @received_bits.
 */
static void macstats_hw_match(const struct macstats_hw *hw, struct macstats_software_counts *counts,
			      const struct macstats_packet *sent, u32 bits)
{
	const struct macstats_counter *rows = &hw->model->counters[hw->first_software];
	struct macstats_matched *matched = sent ? &counts->sent : &counts->received;
	unsigned int n = hw->model->n_counters - hw->first_software;
	struct macstats_software_counter **next = &matched->first;
	unsigned int i;

	matched->bits = bits;
	matched->attempts = sent ? sent->attempts : 0;
	for (i = 0; i < n; i++) {
		struct macstats_software_counter *counter = &counts->counters[i];
		unsigned int index = hw->first_software + i;

		if (!macstats_status_counts(&rows[i].status, !sent, bits))
			continue;
		counter->octets = rows[i].status.adds_octets;
		if (!counter->octets)
			counter->adds = sent ?
				macstats_transmitted_increment(hw->model, index, sent, bits, 1) :
				macstats_received_increment(hw->model, index, bits, 1);
		if (!counter->octets && !counter->adds)
			continue;
		*next = counter;
		next = &counter->next;
	}
	*next = NULL;
}

/* What @counted becomes with @count packets, each of which adds @each. */
static __always_inline u64 macstats_hw_counted(u64 counted, u64 count, u64 each)
{
	u64 events = likely(count == 1) ? each : macstats_saturating_multiply(count, each);

	return macstats_total_add(counted, events);
}

/*
 * Count packets in the software counters. @sent: describes sent packets; NULL for received packets.
 * @status: the status of each packet. Return: false, and nothing is counted, if they are not like
 * the last ones and @anew is not set.
 */
static __always_inline bool macstats_hw_count(struct macstats_hw *hw,
					      const struct macstats_packet *sent, u32 status,
					      u64 count, bool anew)
{
	u32 octets = sent ? sent->octets : status >> hw->received_lsb & hw->received_octets;
	u32 bits = status & (sent ? hw->sent_bits : hw->received_bits);
	struct macstats_software_counter *counter;
	struct macstats_software_counts *counts;
	const struct macstats_matched *matched;
	unsigned long flags;

	if (!hw->software)
		return true;
	/* An interrupt may count packets of its own: a network console cleans transmit rings. */
	local_irq_save(flags);
	counts = this_cpu_ptr(hw->software);
	matched = sent ? &counts->sent : &counts->received;
	if (anew) {
		macstats_hw_match(hw, counts, sent, bits);
	} else if (unlikely(matched->bits != bits ||
			    (sent && matched->attempts != sent->attempts))) {
		local_irq_restore(flags);
		return false;
	}
	u64_stats_update_begin(&counts->syncp);
	/* u64_stats_add() adds an unsigned long, which may have 32 bits. */
	for (counter = matched->first; counter; counter = counter->next)
		u64_stats_set(&counter->count,
			      macstats_hw_counted(u64_stats_read(&counter->count), count,
						  counter->octets ? octets : counter->adds));
	u64_stats_update_end(&counts->syncp);
	local_irq_restore(flags);
	return true;
}

/* The same for packets that are not like the last ones. */
static noinline void macstats_hw_count_anew(struct macstats_hw *hw,
					    const struct macstats_packet *sent, u32 status,
					    u64 count)
{
	macstats_hw_count(hw, sent, status, count, true);
}

/**
 * macstats_port_transmitted() - count sent packets in the software counters
 * @port: the port
 * @packet: what each of the packets is, see below
 * @count: number of packets, sent or given up
 *
 * For models with software counters. Call it once for a packet, when its last descriptor comes
 * back, with
 *
 * * first: the word with status and control bits of the packet's first descriptor;
 * * last: that word of its last descriptor. A packet of one descriptor has it in both;
 * * config: the control bits as registers set them for all packets, in the places that they
 *   have in a descriptor. They apply to a packet whose first descriptor does not override them;
 * * octets: the length of the packet without FCS, as for tx_bytes;
 * * attempts: how often the MAC tries to send a frame: its retry limit and one.
 *
 * Context: any but an NMI; takes no lock.
 */
void macstats_port_transmitted(struct macstats_port *port, const struct macstats_packet *packet,
			       u64 count)
{
	struct macstats_hw *hw = port->hw;
	u32 status = macstats_packet_status(hw->model, packet);

	if (unlikely(!macstats_hw_count(hw, packet, status, count, false)))
		macstats_hw_count_anew(hw, packet, status, count);
}
EXPORT_SYMBOL_GPL(macstats_port_transmitted);

/**
 * macstats_port_received() - count received packets in the software counters
 * @port: the port
 * @status: the receive descriptor status of each of the packets
 * @count: number of packets, good or bad
 *
 * For models with software counters. A descriptor that is not the last one of its packet
 * counts nothing, so the driver may pass every descriptor.
 *
 * Context: any but an NMI; takes no lock.
 */
void macstats_port_received(struct macstats_port *port, u32 status, u64 count)
{
	if (unlikely(!macstats_hw_count(port->hw, NULL, status, count, false)))
		macstats_hw_count_anew(port->hw, NULL, status, count);
}
EXPORT_SYMBOL_GPL(macstats_port_received);

/* Sum the software counters of all CPUs. Caller holds hw->hw_lock. */
static void macstats_hw_sum_software(struct macstats_hw *hw)
{
	unsigned int cpu;
	unsigned int i;

	if (hw->acc.absent)
		return;
	/*
	 * From the last one on: packets that count meanwhile show up in later counters first, so
	 * that octets less those of the FCS are never too many.
	 */
	for (i = hw->model->n_counters; i-- > hw->first_software;) {
		unsigned int at = i - hw->first_software;
		u64 total = 0;

		for_each_possible_cpu(cpu) {
			const struct macstats_software_counts *counts =
				per_cpu_ptr(hw->software, cpu);
			unsigned int start;
			u64 count;

			do {
				start = u64_stats_fetch_begin(&counts->syncp);
				count = u64_stats_read(&counts->counters[at].count);
			} while (u64_stats_fetch_retry(&counts->syncp, start));
			total = macstats_total_add(total, count);
		}
		macstats_take_software(&hw->acc, i, total);
	}
}

static int macstats_hw_init_software(struct macstats_hw *hw)
{
	unsigned int n = hw->model->n_counters - hw->first_software;
	const struct macstats_model *model = hw->model;
	const struct macstats_packet none = {};
	const struct macstats_status *field;
	unsigned int cpu;
	unsigned int i;

	if (!n)
		return 0;
	for (i = hw->first_software; i < model->n_counters; i++) {
		const struct macstats_from_status *from = &model->counters[i].status;

		if (from->received)
			hw->received_bits |= from->mask;
		else
			hw->sent_bits |= from->mask;
	}
	field = macstats_status_field(model->tx_status, model->n_tx_status, false);
	if (field)
		hw->sent_bits |= macstats_bits_mask(field->bits) << field->lsb;
	field = macstats_status_field(model->rx_status, model->n_rx_status, true);
	if (field) {
		hw->received_lsb = field->lsb;
		hw->received_octets = macstats_bits_mask(field->bits);
	}
	hw->software = __alloc_percpu_gfp(struct_size(hw->software, counters, n),
					  __alignof__(struct macstats_software_counts),
					  GFP_KERNEL_ACCOUNT);
	if (!hw->software)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct macstats_software_counts *counts = per_cpu_ptr(hw->software, cpu);

		u64_stats_init(&counts->syncp);
		macstats_hw_match(hw, counts, &none, 0);
		macstats_hw_match(hw, counts, NULL, 0);
	}
	return 0;
}

/* Find the counters that were read at their maximum since the view was last updated. */
static void macstats_hw_find_saturated(const struct macstats_hw *hw,
				       struct macstats_notice *notice)
{
	unsigned int i;

	if (!hw->view.saturated)
		return;
	for (i = 0; i < hw->model->n_counters; i++) {
		if (hw->acc.counters[i].saturated == hw->view.saturated[i])
			continue;
		if (!notice->n_saturated++)
			notice->saturated = i;
	}
}

/* Publish what is read in any context. Caller holds hw->lock. */
static void macstats_hw_publish(struct macstats_hw *hw)
{
	unsigned long flags;

	/* A reader in an interrupt of this CPU would wait for ever. */
	local_irq_save(flags);
	write_seqcount_begin(&hw->published_seq);
	if (!hw->shared)
		memcpy(hw->rtnl, &hw->view.standard.value[MACSTATS_RTNL_FIRST],
		       sizeof(hw->rtnl));
	memcpy(hw->published, hw->view.totals, hw->model->n_counters * sizeof(u64));
	write_seqcount_end(&hw->published_seq);
	local_irq_restore(flags);
}

/* Copy the counts into the view. Caller holds hw->hw_lock and hw->lock. */
static void macstats_hw_show_counts(struct macstats_hw *hw)
{
	const struct macstats_accumulator *acc = &hw->acc;
	const struct macstats_accumulated_counter *kept = acc->counters;
	unsigned int n = hw->model->n_counters;
	struct macstats_view *view = &hw->view;
	u64 changed = 0;
	unsigned int i;

	for (i = 0; i < n; i++, kept++) {
		changed |= view->totals[i] ^ kept->total;
		view->totals[i] = kept->total;
		if (!view->saturated)
			continue;
		view->saturated[i] = kept->saturated;
		view->saturated_ns[i] = kept->saturated_ns;
	}
	view->polled_ns = macstats_polled_ns(acc);
	/* Most polls of an idle port find nothing new: the sums are those of the last one. */
	if (hw->summed && macstats_is_same_set(&hw->summed_absent, &acc->absent_rows) &&
	    !changed && !view->standard.any_stale)
		return;
	hw->summed = true;
	hw->summed_absent = acc->absent_rows;
	macstats_standard_update(&view->standard, acc);
	macstats_hw_publish(hw);
}

/* Copy the rest of the state into the view. Caller holds hw->hw_lock and hw->lock. */
static void macstats_hw_show_state(struct macstats_hw *hw)
{
	const struct macstats_accumulator *acc = &hw->acc;
	struct macstats_view *view = &hw->view;

	view->started = acc->started;
	WRITE_ONCE(view->absent, acc->absent);
	view->absent_rows = acc->absent_rows;
	view->lacks_some = memchr_inv(&acc->absent_rows, 0, sizeof(acc->absent_rows));
	view->stale = acc->stale;
	view->suspended = acc->suspended && !acc->gone;
	view->reason = acc->reason;
	view->possible_loss = acc->possible_loss;
	view->misfits = acc->misfits;
	memcpy(view->misfit, acc->misfit, sizeof(view->misfit));
	view->suspect_known = acc->suspect_known;
	view->suspect = acc->suspect;
	view->suspect_value = acc->suspect_value;
	view->discontinuities = acc->discontinuities;
	view->discontinuity_ns = acc->discontinuity_ns;
	view->parity_errors = acc->parity_errors;
	view->late_polls = acc->late_polls;
	view->start_ns = acc->start_ns;
	view->generation = acc->generation;
}

/*
 * Begin a poll, which answers all requests for fresh totals until now. @work: the poll work
 * makes it. Caller holds hw->hw_lock.
 */
static void macstats_hw_begin(struct macstats_hw *hw, bool work)
{
	spin_lock_irq(&hw->timer_lock);
	hw->polls_started++;
	hw->began = atomic_long_inc_return(&macstats_moments);
	hw->began_jiffies = jiffies;
	if (work)
		hw->due = MACSTATS_DUE_INTERVAL;
	spin_unlock_irq(&hw->timer_lock);
}

/*
 * End a poll: copy the accumulator into the view, and report @events. This poll decides
 * whether the port is stale, also if a getter gave up waiting for it. Caller holds
 * hw->hw_lock.
 */
static void macstats_hw_end(struct macstats_hw *hw, unsigned int events, int err)
{
	struct macstats_notice notice = { .loss = hw->acc.loss };
	struct macstats_view *view = &hw->view;
	bool was_suspended;
	bool was_stale;

	mutex_lock(&hw->lock);
	was_suspended = view->suspended;
	was_stale = view->stale;
	macstats_hw_find_saturated(hw, &notice);
	macstats_hw_show_counts(hw);
	macstats_hw_show_state(hw);
	view->poll_error = err;
	events &= ~(MACSTATS_EVENT_STALE | MACSTATS_EVENT_RECOVERED);
	if (view->stale && (!was_stale || (was_suspended && !view->suspended)))
		events |= MACSTATS_EVENT_STALE;
	if (!view->stale && was_stale)
		events |= MACSTATS_EVENT_RECOVERED;
	macstats_hw_notify(hw, events, &notice);

	spin_lock_irq(&hw->timer_lock);
	WRITE_ONCE(hw->polls_ended, hw->polls_started);
	hw->ended_began = hw->began;
	spin_unlock_irq(&hw->timer_lock);
	mutex_unlock(&hw->lock);
	wake_up_all(&hw->polled);
}

/*
 * Read the hardware, if it may be accessed, and end the poll. Caller holds hw->hw_lock and
 * has called macstats_hw_begin().
 */
static int macstats_hw_poll(struct macstats_hw *hw)
{
	struct macstats_accumulator *acc = &hw->acc;
	struct macstats_view *view = &hw->view;
	u64 now = ktime_get_boottime_ns();
	unsigned int events = 0;
	u64 took;
	int err;

	if (!macstats_hw_accessible(hw)) {
		macstats_hw_sum_software(hw);
		err = acc->suspended ? -ESHUTDOWN : -ENODEV;
		macstats_hw_end(hw, 0, err);
		return err;
	}
	took = ktime_get_ns();
	err = macstats_poll(acc, now, &events);
	took = ktime_get_ns() - took;
	macstats_hw_sum_software(hw);

	mutex_lock(&hw->lock);
	view->failed_polls += !!err;
	view->longest_poll_ns = max(view->longest_poll_ns, took);
	mutex_unlock(&hw->lock);
	macstats_hw_end(hw, events, err);
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
	struct macstats_hw *hw = port->hw;
	int err;

	macstats_hw_enter(hw);
	macstats_hw_begin(hw, false);
	err = macstats_hw_poll(hw);
	macstats_hw_leave(hw);
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
	struct macstats_hw *hw = port->hw;

	mutex_lock(&hw->hw_lock);
	macstats_advance(&hw->acc, nsecs);
	mutex_lock(&hw->lock);
	hw->view.polled_ns = macstats_polled_ns(&hw->acc);
	mutex_unlock(&hw->lock);
	mutex_unlock(&hw->hw_lock);
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
	struct macstats_hw *hw = port->hw;

	mutex_lock(&hw->hw_lock);
	macstats_preset(&hw->acc, index, set(context, index, value), value);
	mutex_lock(&hw->lock);
	macstats_hw_show_counts(hw);
	mutex_unlock(&hw->lock);
	mutex_unlock(&hw->hw_lock);
}
EXPORT_SYMBOL_GPL(macstats_port_preset);

/*
 * Schedule the work in @usecs, unless it comes sooner for a greater reason. Schedules once
 * for each reason: repeated requests must not delay the work. Caller holds
 * hw->timer_lock.
 */
static void macstats_hw_schedule(struct macstats_hw *hw, enum macstats_due due, u32 usecs)
{
	lockdep_assert_held(&hw->timer_lock);
	if (hw->leaving || hw->held)
		return;
	if (hw->parked && due != MACSTATS_DUE_GETTER)
		return;
	if (hw->due != MACSTATS_DUE_INTERVAL && due <= hw->due)
		return;
	hw->due = due;
	mod_delayed_work(hw->wq, &hw->work, usecs_to_jiffies(usecs));
}

/* The poll interval, in microseconds: the user's, or the default, within the longest one. */
static u32 macstats_hw_interval(const struct macstats_hw *hw)
{
	if (hw->wanted_usecs)
		return min(hw->wanted_usecs, hw->poll_ceiling);
	return macstats_poll_default_within(hw->poll_ceiling);
}

/* Set the poll interval to @usecs, in microseconds. Return: false if it is too long. */
bool macstats_hw_set_interval(struct macstats_hw *hw, u32 usecs)
{
	bool possible;

	spin_lock_irq(&hw->timer_lock);
	possible = usecs <= hw->poll_ceiling;
	/* ethtool -C sends the interval with any other change, too. */
	if (possible && usecs != hw->poll_usecs) {
		hw->wanted_usecs = usecs;
		WRITE_ONCE(hw->poll_usecs, usecs);
	}
	spin_unlock_irq(&hw->timer_lock);
	if (possible)
		macstats_hw_reschedule(hw);
	return possible;
}

/**
 * macstats_port_set_line_rate() - report the speed of a port after its link has changed
 * @port: the port
 * @line_rate_bps: the speed, in b/s; 0: unknown, as while there is no link. The line rate of the
 *	model then serves, its highest speed
 *
 * The bound and the poll interval follow. The port is polled soon; until that poll has ended, the
 * higher of the two speeds counts, as frames may have passed at either.
 *
 * Context: any but an NMI; with PREEMPT_RT, no hard interrupt.
 * Return: 0, or -ERANGE for a speed that is not possible.
 */
int macstats_port_set_line_rate(struct macstats_port *port, u64 line_rate_bps)
{
	struct macstats_hw *hw = port->hw;
	unsigned long flags;
	u32 ceiling;

	if (!line_rate_bps)
		line_rate_bps = hw->model->line_rate_bps;
	if (!macstats_line_rate_is_possible(line_rate_bps))
		return -ERANGE;
	ceiling = macstats_poll_ceiling_usecs(hw->model, line_rate_bps);
	spin_lock_irqsave(&hw->timer_lock, flags);
	if (hw->line_rate_bps != line_rate_bps) {
		hw->line_rate_bps = line_rate_bps;
		hw->highest_rate_bps = max(hw->highest_rate_bps, line_rate_bps);
		WRITE_ONCE(hw->poll_ceiling, ceiling);
		WRITE_ONCE(hw->poll_usecs, macstats_hw_interval(hw));
		macstats_hw_schedule(hw, MACSTATS_DUE_LINE_RATE, 0);
	}
	spin_unlock_irqrestore(&hw->timer_lock, flags);
	return 0;
}
EXPORT_SYMBOL_GPL(macstats_port_set_line_rate);

/* Schedule the work by a changed poll interval, which counts from the last poll. */
void macstats_hw_reschedule(struct macstats_hw *hw)
{
	u32 usecs = READ_ONCE(hw->poll_usecs);
	s64 since;

	spin_lock_irq(&hw->timer_lock);
	since = ktime_us_delta(ktime_get(), hw->poll_end);
	macstats_hw_schedule(hw, MACSTATS_DUE_INTERVAL, since < usecs ? usecs - since : 0);
	spin_unlock_irq(&hw->timer_lock);
}

static void macstats_hw_work(struct work_struct *work)
{
	struct macstats_hw *hw = container_of(to_delayed_work(work), struct macstats_hw, work);
	bool parked;

	/* Scheduled before the hardware was suspended: get() must not wake it. */
	spin_lock_irq(&hw->timer_lock);
	parked = hw->parked && hw->due != MACSTATS_DUE_GETTER;
	if (parked)
		hw->due = MACSTATS_DUE_INTERVAL;
	spin_unlock_irq(&hw->timer_lock);
	if (parked)
		return;

	macstats_hw_enter(hw);
	macstats_hw_begin(hw, true);
	macstats_hw_poll(hw);
	macstats_hw_leave(hw);

	spin_lock_irq(&hw->timer_lock);
	hw->poll_end = ktime_get();
	macstats_hw_schedule(hw, MACSTATS_DUE_INTERVAL, READ_ONCE(hw->poll_usecs));
	spin_unlock_irq(&hw->timer_lock);
}

/* Has poll @number ended? Poll numbers wrap. */
static bool macstats_hw_polled(struct macstats_hw *hw, u32 number)
{
	return (s32)(READ_ONCE(hw->polls_ended) - number) >= 0;
}

/* Is there nothing more to wait for: has poll @number ended, or is the last port leaving? */
static bool macstats_hw_poll_over(struct macstats_hw *hw, u32 number)
{
	return macstats_hw_polled(hw, number) || READ_ONCE(hw->leaving);
}

/* Mark the port as stale, if it is not yet. Caller holds hw->lock. */
static void macstats_hw_set_stale(struct macstats_hw *hw, const char *reason)
{
	struct macstats_notice notice = {};

	if (hw->view.stale)
		return;
	hw->view.stale = true;
	hw->view.reason = reason;
	macstats_hw_notify(hw, MACSTATS_EVENT_STALE, &notice);
}

/*
 * A getter gave up waiting for poll @number: the port is stale until a poll ends, which
 * decides anew. Caller holds hw->lock.
 */
static bool macstats_hw_overdue(struct macstats_hw *hw, u32 number)
{
	if (macstats_hw_polled(hw, number))
		return false;
	macstats_hw_set_stale(hw, "the hardware did not answer in time");
	return true;
}

/*
 * The number of the first poll that began after @since, or of the next poll. Moments wrap.
 * Caller holds hw->timer_lock.
 */
static u32 macstats_hw_wanted(const struct macstats_hw *hw, unsigned long since)
{
	if ((long)(hw->ended_began - since) > 0)
		return hw->polls_ended;
	if ((long)(hw->began - since) > 0)
		return hw->polls_started;
	return hw->polls_started + 1;
}

/* Schedule a poll unless one began after @since. Return: its number. Caller holds timer_lock. */
static u32 macstats_hw_want(struct macstats_hw *hw, unsigned long since)
{
	u32 number = macstats_hw_wanted(hw, since);

	if (number == hw->polls_started + 1)
		macstats_hw_schedule(hw, MACSTATS_DUE_GETTER, 0);
	return number;
}

/* Schedule a poll unless one began after @since: a dump reads the port later. */
void macstats_hw_ask(struct macstats_hw *hw, unsigned long since)
{
	spin_lock_irq(&hw->timer_lock);
	macstats_hw_want(hw, since);
	spin_unlock_irq(&hw->timer_lock);
}

/**
 * macstats_hw_poll_since() - let the work poll the hardware, and wait for the poll
 * @hw: the hardware; not held
 * @since: a value of macstats_moment(): the poll must begin after it
 * @patience: the longest wait. The time that passes is subtracted, as is time that a poll
 *	under way has already taken
 *
 * Concurrent callers share a poll. A caller that gives up marks the port as stale until
 * the poll ends.
 *
 * Context: process context, may sleep; RTNL may be held.
 * Return: the result of the poll, -ETIMEDOUT, or -ENODEV if the last port is being
 *	unregistered.
 */
int macstats_hw_poll_since(struct macstats_hw *hw, unsigned long since,
			   struct macstats_patience *patience)
{
	u64 began = ktime_get_ns();
	unsigned long passed;
	bool leaving;
	u32 number;
	int err;

	spin_lock_irq(&hw->timer_lock);
	leaving = hw->leaving;
	number = macstats_hw_want(hw, since);
	if (number == hw->polls_started && number != hw->polls_ended) {
		/* At most half: the poll may have shared its CPU with other tasks. */
		passed = 4 * min(jiffies - hw->began_jiffies, patience->hardware / 8);
		patience->hardware -= passed;
	}
	spin_unlock_irq(&hw->timer_lock);
	if (leaving)
		return -ENODEV;
	macstats_wait(hw, macstats_hw_poll_over(hw, number), patience);

	mutex_lock(&hw->lock);
	hw->view.longest_wait_ns = max(hw->view.longest_wait_ns, ktime_get_ns() - began);
	if (READ_ONCE(hw->leaving))
		err = -ENODEV;
	else
		err = macstats_hw_overdue(hw, number) ? -ETIMEDOUT : hw->view.poll_error;
	mutex_unlock(&hw->lock);
	return err;
}

/* Like macstats_hw_poll_since() with a poll that begins after the call. */
int macstats_hw_poll_within(struct macstats_hw *hw, struct macstats_patience *patience)
{
	return macstats_hw_poll_since(hw, macstats_moment(), patience);
}

/*
 * Make the view fresh for a reader, unless the port is held or the hardware takes too
 * long. May sleep, also under RTNL.
 */
void macstats_hw_update(struct macstats_hw *hw)
{
	struct macstats_patience patience = macstats_getter_patience();

	if (!hw->held)
		macstats_hw_poll_within(hw, &patience);
}

/* Park the work, so that only getters schedule it; or schedule it again. */
static void macstats_hw_park(struct macstats_hw *hw, bool parked)
{
	spin_lock_irq(&hw->timer_lock);
	hw->parked = parked;
	macstats_hw_schedule(hw, MACSTATS_DUE_INTERVAL, READ_ONCE(hw->poll_usecs));
	spin_unlock_irq(&hw->timer_lock);
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
	struct macstats_hw *hw = port->hw;
	unsigned int events = 0;
	int err = 0;

	mutex_lock(&hw->hw_lock);
	if (macstats_hw_accessible(hw)) {
		macstats_hw_begin(hw, false);
		err = macstats_suspend(&hw->acc, ktime_get_boottime_ns(), &events);
		macstats_hw_sum_software(hw);
		macstats_hw_end(hw, events, err);
		macstats_hw_park(hw, true);
	}
	mutex_unlock(&hw->hw_lock);
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
 * Context: process context, may sleep; not under RTNL if the bus is slow.
 * Return: 0, or the error of the read; then the next good poll takes the baseline.
 */
int macstats_port_resume(struct macstats_port *port)
{
	struct macstats_hw *hw = port->hw;
	unsigned int events = 0;
	int err = -ENODEV;

	mutex_lock(&hw->hw_lock);
	if (!READ_ONCE(hw->closed) && !hw->acc.gone) {
		macstats_hw_begin(hw, false);
		err = macstats_resume(&hw->acc, ktime_get_boottime_ns(), &events);
		macstats_hw_sum_software(hw);
		macstats_hw_end(hw, events, err);
		macstats_hw_park(hw, false);
	}
	mutex_unlock(&hw->hw_lock);
	return err;
}
EXPORT_SYMBOL_GPL(macstats_port_resume);

/**
 * macstats_port_reset() - report that the hardware of a port was restarted
 * @port: the port
 *
 * To be called after the reset. The counts since the last poll are lost, which is one
 * discontinuity; the present counter values become the new baseline. A poll between the reset
 * and this call may notice the reset and report it, too. A driver that resets on purpose
 * loses nothing, and reports nothing, if it calls macstats_port_suspend() before the reset
 * and macstats_port_resume() after it.
 *
 * Context: process context, may sleep.
 * Return: 0, or the error of the read; then the next good poll takes the baseline.
 */
int macstats_port_reset(struct macstats_port *port)
{
	struct macstats_hw *hw = port->hw;
	unsigned int events = 0;
	int err = -ENODEV;

	mutex_lock(&hw->hw_lock);
	/* A suspended port takes its baseline at its resume. */
	if (!READ_ONCE(hw->closed) && !hw->acc.gone) {
		macstats_hw_begin(hw, false);
		err = macstats_reset(&hw->acc, ktime_get_boottime_ns(), &events);
		macstats_hw_sum_software(hw);
		macstats_hw_end(hw, events, err);
	}
	mutex_unlock(&hw->hw_lock);
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
	struct macstats_hw *hw = port->hw;
	unsigned int events = 0;

	/* A poll under way stops at its next access. */
	WRITE_ONCE(hw->closed, true);
	mutex_lock(&hw->hw_lock);
	macstats_hw_begin(hw, false);
	macstats_gone(&hw->acc, &events);
	macstats_hw_sum_software(hw);
	macstats_hw_end(hw, events, -ENODEV);
	macstats_hw_park(hw, true);
	mutex_unlock(&hw->hw_lock);
}
EXPORT_SYMBOL_GPL(macstats_port_gone);

static void macstats_hw_free(struct kref *ref)
{
	struct macstats_hw *hw = container_of(ref, struct macstats_hw, ref);

	mutex_destroy(&hw->lock);
	mutex_destroy(&hw->hw_lock);
	free_percpu(hw->software);
	kvfree(hw->view.totals);
	macstats_strings_free(&hw->strings);
	kvfree(hw);
}

void macstats_hw_put(struct macstats_hw *hw)
{
	kref_put(&hw->ref, macstats_hw_free);
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
	u32 offset = reg;

	return macstats_port_of(model, &offset) < model->ports &&
	       macstats_read_is_destructive(model, offset);
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

/*
 * Add the hardware to those in use. Two readers would take counts from each other. Return: 0, or
 * -EEXIST if it is in use.
 */
static int macstats_hw_claim(struct macstats_hw *hw)
{
	const struct macstats_hw *other;

	mutex_lock(&macstats_claimed_lock);
	list_for_each_entry(other, &macstats_claimed, claimed) {
		if (other->regmap == hw->regmap && other->regmaps[0] == hw->regmaps[0] &&
		    other->ops->reg_read == hw->ops->reg_read && other->index == hw->index &&
		    (!hw->ops->reg_read || other->priv == hw->priv)) {
			mutex_unlock(&macstats_claimed_lock);
			return -EEXIST;
		}
	}
	list_add(&hw->claimed, &macstats_claimed);
	mutex_unlock(&macstats_claimed_lock);
	return 0;
}

static void macstats_hw_release(struct macstats_hw *hw)
{
	mutex_lock(&macstats_claimed_lock);
	list_del_init(&hw->claimed);
	mutex_unlock(&macstats_claimed_lock);
}

/* Allocate the view for the counters of the model. */
static int macstats_hw_init_view(struct macstats_hw *hw)
{
	const struct macstats_model *model = hw->model;
	unsigned int n = model->n_counters;
	bool saturates = false;
	unsigned int i;

	for (i = 0; i < n; i++)
		saturates = saturates || model->counters[i].overflow == MACSTATS_SATURATE;
	hw->view.reason = "";
	hw->view.totals = kvcalloc(saturates ? 4 * n : 2 * n, sizeof(u64), GFP_KERNEL_ACCOUNT);
	if (!hw->view.totals)
		return -ENOMEM;
	hw->published = hw->view.totals + n;
	if (saturates) {
		hw->view.saturated = hw->view.totals + 2 * n;
		hw->view.saturated_ns = hw->view.totals + 3 * n;
	}
	return 0;
}

static void macstats_hw_init_accumulator(struct macstats_hw *hw,
					 const struct macstats_port_config *config)
{
	struct macstats_accumulator *acc = &hw->acc;
	unsigned int i;

	acc->model = config->model;
	for (i = 0; hw->ops->has_counter && i < macstats_register_counters(acc->model); i++)
		if (!hw->ops->has_counter(hw->priv, &acc->model->counters[i]))
			macstats_add_row(&acc->left_out, i);
	acc->base = config->index * config->model->port_stride;
	acc->without_counters = config->without_counters;
	acc->line_rate_bound = !config->no_line;
	acc->line_rate_bps = hw->line_rate_bps;
	acc->bus.context = hw;
	if (hw->ops->reg_read) {
		acc->bus.read = macstats_function_read;
		acc->bus.update = macstats_function_update;
	} else {
		acc->bus.read = macstats_regmap_read;
		acc->bus.update = macstats_regmap_update;
	}
	acc->bus.read_block = hw->ops->read_block ? macstats_hw_read_block : NULL;
	acc->bus.wait = macstats_hw_wait;
	acc->bus.clocks_run = macstats_hw_clocks_run;
	acc->bus.line_octets = hw->ops->line_octets ? macstats_hw_line_octets : NULL;
	acc->bus.lowered = hw->ops->lowered ? macstats_hw_lowered : NULL;
	acc->bus.line_rate = macstats_hw_line_rate;
	acc->bus.now_ns = macstats_hw_now_ns;
}

static const struct macstats_port_ops macstats_no_ops;

/*
 * Identify the hardware of a port, and take its baseline. Caller has checked the config. Return:
 * the hardware with a reference, or an ERR_PTR. May sleep.
 */
struct macstats_hw *macstats_hw_create(const struct macstats_port_config *config)
{
	const struct macstats_model *model = config->model;
	struct macstats_hw *hw;
	unsigned int i;
	int err;

	hw = kvzalloc(offsetof(struct macstats_hw, acc) + macstats_accumulator_size(model),
		      GFP_KERNEL_ACCOUNT);
	if (!hw)
		return ERR_PTR(-ENOMEM);

	hw->dev = config->dev;
	hw->ops = config->ops ?: &macstats_no_ops;
	hw->priv = config->priv;
	hw->regmap = config->regmap;
	for (i = 0; config->regmaps && i < macstats_region_count(model); i++)
		hw->regmaps[i] = config->regmaps[i];
	hw->wq = config->wq ?: macstats_wq;
	hw->model = model;
	hw->index = config->index;
	hw->held = config->held;
	hw->shared = config->shared;
	hw->line_rate_bps = config->line_rate_bps ?: model->line_rate_bps;
	hw->highest_rate_bps = hw->line_rate_bps;
	hw->poll_ceiling = macstats_poll_ceiling_usecs(model, hw->line_rate_bps);
	hw->poll_usecs = macstats_hw_interval(hw);
	hw->began = macstats_moment();
	hw->ended_began = hw->began;
	kref_init(&hw->ref);
	INIT_LIST_HEAD(&hw->ports);
	INIT_LIST_HEAD(&hw->claimed);
	mutex_init(&hw->hw_lock);
	mutex_init(&hw->lock);
	spin_lock_init(&hw->timer_lock);
	seqcount_init(&hw->published_seq);
	init_waitqueue_head(&hw->polled);
	INIT_DELAYED_WORK(&hw->work, macstats_hw_work);
	macstats_hw_init_accumulator(hw, config);
	hw->first_software = macstats_register_counters(model);
	err = macstats_hw_init_view(hw);
	if (err)
		goto err_free;
	err = macstats_strings_init(&hw->strings, config);
	if (err)
		goto err_free;
	err = macstats_hw_init_software(hw);
	if (err)
		goto err_free;

	err = macstats_hw_claim(hw);
	if (err) {
		macstats_config_error(config, "port %u of %s is registered already", hw->index,
				      hw->ops->reg_read ? "the device" : "the regmap");
		goto err_free;
	}

	macstats_hw_enter(hw);
	err = macstats_start(&hw->acc, ktime_get_boottime_ns());
	if (err) {
		const struct macstats_misfit *identity = &hw->acc.misfit[MACSTATS_MISFIT_IDENTITY];

		if (hw->access_error)
			macstats_config_error(config, "get() failed, error %d", err);
		else if (hw->acc.misfits >> MACSTATS_MISFIT_IDENTITY & 1)
			macstats_config_error(config,
					      "%s reads %#llx, %#llx expected: this is no %s",
					      identity->reg, identity->value,
					      identity->expected, model->name);
		else if (*hw->acc.reason)
			macstats_config_error(config,
					      "the first read of the counters failed: %s",
					      hw->acc.reason);
		macstats_hw_leave(hw);
		goto err_free;
	}
	mutex_lock(&hw->lock);
	macstats_hw_show_counts(hw);
	macstats_hw_show_state(hw);
	mutex_unlock(&hw->lock);
	macstats_hw_leave(hw);
	err = macstats_config_check_caches(config);
	if (err) {
		macstats_hw_close(hw);
		goto err_free;
	}
	macstats_strings_choose(&hw->strings, &hw->acc, config);
	return hw;

err_free:
	macstats_hw_release(hw);
	macstats_hw_put(hw);
	return ERR_PTR(err);
}

/* Start to poll. */
void macstats_hw_start(struct macstats_hw *hw)
{
	spin_lock_irq(&hw->timer_lock);
	hw->poll_end = ktime_get();
	spin_unlock_irq(&hw->timer_lock);
	macstats_hw_reschedule(hw);
}

/* Schedule no more polls, and wake all that wait for one. */
void macstats_hw_retire(struct macstats_hw *hw)
{
	spin_lock_irq(&hw->timer_lock);
	WRITE_ONCE(hw->leaving, true);
	spin_unlock_irq(&hw->timer_lock);
	wake_up_all(&hw->polled);
}

/* Access retired hardware no more. May sleep. */
void macstats_hw_close(struct macstats_hw *hw)
{
	cancel_delayed_work_sync(&hw->work);
	/* A job that runs later sees that the port is closed. get() would wake the hardware. */
	mutex_lock(&hw->hw_lock);
	WRITE_ONCE(hw->closed, true);
	mutex_unlock(&hw->hw_lock);
	/* One that runs now may have called get(). Pairs with macstats_job_work(). */
	smp_mb();
	wait_event(hw->polled, !test_bit(MACSTATS_JOB_RUNS, &hw->busy));
	macstats_hw_release(hw);
}

/*
 * The driver has left the hardware, whose ports outlive it with totals that no longer change.
 * Caller holds hw->lock.
 */
void macstats_hw_outlive(struct macstats_hw *hw)
{
	static const char reason[] = "the driver has left the hardware";

	macstats_hw_set_stale(hw, reason);
	hw->view.reason = reason;
}

/* Let software counters begin with these totals. */
static void macstats_hw_inherit_software(struct macstats_hw *hw, const u64 *totals)
{
	struct macstats_software_counts *counts;
	unsigned long flags;
	unsigned int i;

	if (!hw->software)
		return;
	local_irq_save(flags);
	counts = this_cpu_ptr(hw->software);
	u64_stats_update_begin(&counts->syncp);
	for (i = hw->first_software; i < hw->model->n_counters; i++) {
		u64_stats_t *count = &counts->counters[i - hw->first_software].count;

		u64_stats_set(count, macstats_total_add(u64_stats_read(count), totals[i]));
	}
	u64_stats_update_end(&counts->syncp);
	local_irq_restore(flags);
	macstats_hw_sum_software(hw);
}

/*
 * Continue the totals of hardware that no driver serves any more, if its model is the same. Counts
 * in between are unknown, which is a discontinuity. Waits for a poll under way.
 */
void macstats_hw_inherit(struct macstats_hw *hw, const struct macstats_hw *old)
{
	const struct macstats_view *from = &old->view;
	struct macstats_accumulator *acc = &hw->acc;
	unsigned int i;

	if (hw == old || hw->model != old->model || !READ_ONCE(old->closed))
		return;
	mutex_lock(&hw->hw_lock);
	for (i = 0; i < hw->first_software; i++) {
		struct macstats_accumulated_counter *kept = &acc->counters[i];

		kept->total = macstats_total_add(kept->total, from->totals[i]);
		if (!from->saturated)
			continue;
		kept->saturated += from->saturated[i];
		kept->saturated_ns = kept->saturated_ns ?: from->saturated_ns[i];
	}
	macstats_hw_inherit_software(hw, from->totals);
	if (from->started)
		acc->start_ns = from->start_ns;
	acc->possible_loss |= from->possible_loss;
	acc->parity_errors += from->parity_errors;
	acc->discontinuities += from->discontinuities + 1;
	acc->discontinuity_ns = ktime_get_boottime_ns();
	acc->suspect_known = false;
	mutex_lock(&hw->lock);
	hw->view.standard = from->standard;
	hw->summed = false;
	macstats_hw_show_counts(hw);
	macstats_hw_show_state(hw);
	mutex_unlock(&hw->lock);
	mutex_unlock(&hw->hw_lock);
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
