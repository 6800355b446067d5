// SPDX-License-Identifier: GPL-2.0
/* Ports: registration, the bus to their registers, polling, and who hears of it. */
#include <linux/delay.h>
#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/jiffies.h>
#include <linux/ratelimit.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include <macstats/netlink.h>

#include "internal.h"

DEFINE_MUTEX(macstats_ports_lock);
DEFINE_XARRAY_ALLOC(macstats_ports);
unsigned int macstats_ports_seq = 1;
static DEFINE_HASHTABLE(macstats_ports_by_netdev, 8);

/* Read adjacent registers; regmap has them in its own width, so widen in place. */
static int macstats_regmap_read(void *context, __u32 address, __u64 *values,
				unsigned int words)
{
	struct macstats_port *port = context;
	unsigned int bytes = port->model->bus_bits / 8;
	unsigned int value;
	int err;

	if (words == 1) {
		err = regmap_read(port->regmap, address, &value);
		values[0] = value;
		return err;
	}
	err = regmap_bulk_read(port->regmap, address, values, words);
	if (err)
		return err;
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

	return regmap_write(port->regmap, address, value);
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

void macstats_port_transmitted(struct macstats_port *port, u32 status, u64 count)
{
	struct macstats_described_counts *counts;
	unsigned int i;

	if (!port->described)
		return;
	counts = this_cpu_ptr(port->described);
	u64_stats_update_begin(&counts->syncp);
	for (i = port->first_described; i < port->model->n_counters; i++) {
		u64 adds = macstats_described(port->model, i, status, count);

		if (adds)
			u64_stats_add(&counts->count[i - port->first_described], adds);
	}
	u64_stats_update_end(&counts->syncp);
}
EXPORT_SYMBOL_GPL(macstats_port_transmitted);

/* Add up what descriptors have fed. Caller holds port->lock. */
static void macstats_port_sum_described(struct macstats_port *port)
{
	unsigned int cpu;
	unsigned int i;

	if (!port->described || port->acc.absent)
		return;
	for (i = port->first_described; i < port->model->n_counters; i++) {
		u64 total = 0;

		for_each_possible_cpu(cpu) {
			const struct macstats_described_counts *counts =
				per_cpu_ptr(port->described, cpu);
			unsigned int start;
			u64 count;

			do {
				start = u64_stats_fetch_begin(&counts->syncp);
				count = u64_stats_read(&counts->count[i - port->first_described]);
			} while (u64_stats_fetch_retry(&counts->syncp, start));
			total += count;
		}
		port->acc.totals[i] = total;
	}
}

static int macstats_port_init_described(struct macstats_port *port)
{
	unsigned int n = port->model->n_counters - port->first_described;
	unsigned int cpu;

	if (!n)
		return 0;
	port->described = __alloc_percpu(struct_size(port->described, count, n),
					 __alignof__(struct macstats_described_counts));
	if (!port->described)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		u64_stats_init(&per_cpu_ptr(port->described, cpu)->syncp);
	return 0;
}

/* May the log have another line of this event? Each has a limit of its own. */
static bool macstats_port_may_log(struct macstats_port *port, unsigned int events,
				  enum macstats_event event)
{
	return (events & event) && __ratelimit(&port->log_limit[__ffs(event)]);
}

/* Tell of @events in the log and to who listens. Caller holds port->lock. */
static void macstats_port_report(struct macstats_port *port, unsigned int events)
{
	const struct net_device *netdev = port->netdev;

	if (!events)
		return;
	if (macstats_port_may_log(port, events, MACSTATS_EVENT_STALE))
		netdev_err(netdev, "statistics are stale: %s\n", port->acc.reason);
	if (macstats_port_may_log(port, events, MACSTATS_EVENT_RECOVERED))
		netdev_info(netdev, "statistics can be read again\n");
	if (macstats_port_may_log(port, events, MACSTATS_EVENT_DISCONTINUITY))
		netdev_notice(netdev, "counters went back: somebody cleared or reset them\n");
	if (macstats_port_may_log(port, events, MACSTATS_EVENT_PARITY_ERROR))
		netdev_err(netdev, "parity error in the statistics counters, cleared\n");
	if (macstats_port_may_log(port, events, MACSTATS_EVENT_POSSIBLE_LOSS))
		netdev_notice(netdev, "not polled within the wrap time, counts may be lost\n");
	macstats_notify(port, MACSTATS_CMD_PORT_EVENT_NTF, events);
}

/* Bring everything that is served from memory up to date. Caller holds port->lock. */
int macstats_port_poll(struct macstats_port *port)
{
	unsigned int events;
	int err = macstats_poll(&port->acc, ktime_get_boottime_ns(), &events);

	macstats_port_sum_described(port);
	macstats_publish(port);
	if (macstats_thresholds_reached(port))
		events |= MACSTATS_EVENT_THRESHOLD;
	macstats_port_report(port, events);
	macstats_thresholds_drop_reached(port);
	return err;
}

/* The same for who wants to show what is there. Caller holds port->lock. */
void macstats_port_update(struct macstats_port *port)
{
	if (!port->held)
		macstats_port_poll(port);
}

int macstats_port_refresh(struct macstats_port *port)
{
	int err;

	mutex_lock(&port->lock);
	err = macstats_port_poll(port);
	mutex_unlock(&port->lock);
	return err;
}
EXPORT_SYMBOL_GPL(macstats_port_refresh);

void macstats_port_advance(struct macstats_port *port, u64 nsecs)
{
	mutex_lock(&port->lock);
	macstats_advance(&port->acc, nsecs);
	mutex_unlock(&port->lock);
}
EXPORT_SYMBOL_GPL(macstats_port_advance);

void macstats_port_preset(struct macstats_port *port, unsigned int index, u64 value,
			  u64 (*hold)(void *context, unsigned int index, u64 value),
			  void *context)
{
	mutex_lock(&port->lock);
	macstats_preset(&port->acc, index, hold(context, index, value), value);
	macstats_publish(port);
	mutex_unlock(&port->lock);
}
EXPORT_SYMBOL_GPL(macstats_port_preset);

/* Let the next poll be in @usecs, if the port polls by itself. Any context. */
void macstats_port_schedule(struct macstats_port *port, u32 usecs)
{
	if (!port->held)
		mod_delayed_work(system_unbound_wq, &port->work, usecs_to_jiffies(usecs));
}

void macstats_port_interrupt(struct macstats_port *port)
{
	macstats_port_schedule(port, 0);
}
EXPORT_SYMBOL_GPL(macstats_port_interrupt);

static void macstats_port_work(struct work_struct *work)
{
	struct macstats_port *port = container_of(to_delayed_work(work), struct macstats_port,
						  work);
	u32 usecs;

	mutex_lock(&port->lock);
	macstats_port_poll(port);
	usecs = port->poll_usecs;
	mutex_unlock(&port->lock);
	queue_delayed_work(system_unbound_wq, &port->work, usecs_to_jiffies(usecs));
}

/* Dumps under way have to notice. Caller holds macstats_ports_lock. */
static void macstats_ports_changed(void)
{
	if (!++macstats_ports_seq)
		macstats_ports_seq = 1;
}

/* Caller holds macstats_ports_lock. */
struct macstats_port *macstats_port_find(const struct net_device *netdev)
{
	struct macstats_port *port;

	hash_for_each_possible(macstats_ports_by_netdev, port, node, (unsigned long)netdev)
		if (port->netdev == netdev)
			return port;
	return NULL;
}

static void macstats_port_free(struct kref *ref)
{
	struct macstats_port *port = container_of(ref, struct macstats_port, ref);

	mutex_destroy(&port->lock);
	free_percpu(port->described);
	kvfree(port->thresholds);
	kvfree(port);
}

void macstats_port_put(struct macstats_port *port)
{
	kref_put(&port->ref, macstats_port_free);
}

/*
 * Follow a port's net device through the namespaces. Runs under RTNL. While
 * port->net is set the namespace cannot go: its devices leave it first.
 */
static int macstats_netdev_event(struct notifier_block *nb, unsigned long event, void *ptr)
{
	struct net_device *netdev = netdev_notifier_info_to_dev(ptr);
	struct macstats_port *port;

	if (event != NETDEV_REGISTER && event != NETDEV_UNREGISTER)
		return NOTIFY_DONE;

	mutex_lock(&macstats_ports_lock);
	port = macstats_port_find(netdev);
	if (port) {
		mutex_lock(&port->lock);
		if (event == NETDEV_REGISTER) {
			port->net = dev_net(netdev);
			macstats_notify(port, MACSTATS_CMD_PORT_NEW_NTF, 0);
		} else if (port->net) {
			macstats_notify(port, MACSTATS_CMD_PORT_DEL_NTF, 0);
			port->net = NULL;
		}
		mutex_unlock(&port->lock);
		macstats_ports_changed();
	}
	mutex_unlock(&macstats_ports_lock);
	return NOTIFY_DONE;
}

static struct notifier_block macstats_netdev_notifier = {
	.notifier_call = macstats_netdev_event,
};

bool macstats_regmap_precious(const struct macstats_model *model, unsigned int reg)
{
	unsigned int base = model->port_stride ? reg / model->port_stride : 0;

	return macstats_read_is_destructive(model, reg - base * model->port_stride);
}
EXPORT_SYMBOL_GPL(macstats_regmap_precious);

struct macstats_port *macstats_port_register(const struct macstats_port_config *config)
{
	const struct macstats_model *model = config->model;
	struct macstats_port *port;
	unsigned int i;
	int err;

	if (model->n_counters > MACSTATS_MAX_COUNTERS || model->bus_bits > 32)
		return ERR_PTR(-EINVAL);
	port = kvzalloc(sizeof(*port), GFP_KERNEL);
	if (!port)
		return ERR_PTR(-ENOMEM);

	port->netdev = config->netdev;
	port->regmap = config->regmap;
	port->model = model;
	port->index = config->index;
	port->held = config->held;
	port->poll_ceiling = macstats_poll_ceiling_usecs(model);
	port->poll_usecs = macstats_poll_default_usecs(model);
	kref_init(&port->ref);
	mutex_init(&port->lock);
	seqlock_init(&port->rtnl_lock);
	for (i = 0; i < ARRAY_SIZE(port->log_limit); i++)
		ratelimit_state_init(&port->log_limit[i], DEFAULT_RATELIMIT_INTERVAL,
				     DEFAULT_RATELIMIT_BURST);
	INIT_DELAYED_WORK(&port->work, macstats_port_work);

	port->acc.model = model;
	port->acc.base = config->index * model->port_stride;
	port->acc.without_counters = config->without_counters;
	port->acc.bus.context = port;
	port->acc.bus.read = macstats_regmap_read;
	port->acc.bus.write = macstats_regmap_write;
	port->acc.bus.wait = macstats_regmap_wait;
	port->acc.bus.clocks_run = macstats_port_clocks_run;
	port->clocks_run = config->clocks_run;
	port->first_described = macstats_register_counters(model);
	err = macstats_port_init_described(port);
	if (err)
		goto err_free;
	err = macstats_start(&port->acc, ktime_get_boottime_ns());
	if (err) {
		if (port->acc.stale)
			netdev_err(port->netdev, "statistics cannot be read: %s\n",
				   port->acc.reason);
		goto err_free;
	}
	for (i = 0; i < model->n_counters && !port->acc.absent; i++)
		if (!config->private_only || !macstats_has_home(model, i))
			port->shown[port->n_shown++] = i;
	macstats_publish(port);

	mutex_lock(&macstats_ports_lock);
	err = xa_alloc(&macstats_ports, &port->id, port, xa_limit_31b, GFP_KERNEL);
	if (!err) {
		hash_add(macstats_ports_by_netdev, &port->node, (unsigned long)port->netdev);
		macstats_ports_changed();
	}
	mutex_unlock(&macstats_ports_lock);
	if (err)
		goto err_free;

	macstats_port_schedule(port, port->poll_usecs);
	return port;

err_free:
	macstats_port_put(port);
	return ERR_PTR(err);
}
EXPORT_SYMBOL_GPL(macstats_port_register);

void macstats_port_unregister(struct macstats_port *port)
{
	mutex_lock(&macstats_ports_lock);
	hash_del(&port->node);
	xa_erase(&macstats_ports, port->id);
	macstats_ports_changed();
	mutex_unlock(&macstats_ports_lock);

	cancel_delayed_work_sync(&port->work);
	macstats_port_put(port);
}
EXPORT_SYMBOL_GPL(macstats_port_unregister);

int macstats_ports_init(void)
{
	return register_netdevice_notifier(&macstats_netdev_notifier);
}

void macstats_ports_exit(void)
{
	unregister_netdevice_notifier(&macstats_netdev_notifier);
	xa_destroy(&macstats_ports);
}
