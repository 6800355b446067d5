/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types, variables and functions that the files of the provider share.
 *
 * Layers, lowest first. A file calls only files above it in this list:
 *
 *	compat.c models.c	what older kernels lack; the models, those of drivers too
 *	threshold.c		totals that a user waits for
 *	config.c		what a driver passes for a port is checked
 *	strings.c		the strings of ethtool -S
 *	port.c			the hardware of ports: life cycle, polls, cached totals
 *	ports.c			all ports: registration, sharing, lookup, namespaces
 *	diagnose.c		register dumps and self tests
 *	ethtool.c		what ethtool and ip show
 *	netdev.c		the same for a net device, whose port it finds
 *	log.c netlink.c		the kernel log; the family macstats with its notifications
 *	main.c			the module
 *
 * The lower layers report what happens to a port on a notifier chain, see
 * macstats_port_notify().
 */
#ifndef MACSTATS_INTERNAL_H
#define MACSTATS_INTERNAL_H

#include <linux/jiffies.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rbtree.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/u64_stats_sync.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <macstats/accumulator.h>
#include <macstats/standard.h>

#include "macstats.h"

/* The longest wait of a getter for the hardware, in ms: its caller may hold RTNL. */
extern unsigned int macstats_reader_wait_ms;

/* A getter waits this much longer while busy CPUs delay the access to the hardware. */
#define MACSTATS_GETTER_GRACE_MS	8

/* The longest name of a model, without the NUL. */
#define MACSTATS_MODEL_NAME_LEN		63

/* The rtnl statistics are the last of the standard statistics. */
#define MACSTATS_RTNL_FIRST	MACSTATS_STD_RTNL_RX_PACKETS
#define MACSTATS_RTNL_COUNT	(MACSTATS_STD_COUNT - MACSTATS_RTNL_FIRST)

/*
 * A software counter of a CPU, and what a packet like the last one of its direction adds to it:
 * @adds, or with @octets the octets of the packet.
 */
struct macstats_software_counter {
	u64_stats_t count;
	struct macstats_software_counter *next;	/* that counts such a packet, too */
	u32 adds;
	bool octets;
};

/* The last packet of a direction: all that decides how it counts, and where. */
struct macstats_matched {
	u32 bits;		/* of its status */
	u8 attempts;		/* of macstats_packet */
	struct macstats_software_counter *first;
};

/*
 * Software counters of a CPU, which descriptors increment. Most packets are counted by the
 * counters of the one before, so @sent and @received remember these.
 */
struct macstats_software_counts {
	struct u64_stats_sync syncp;
	struct macstats_matched sent;
	struct macstats_matched received;
	struct macstats_software_counter counters[];
};

/**
 * struct macstats_net - the ports in a network namespace
 * @lock: protects the rest. Innermost lock; spinning
 * @ports: the ports whose net device is registered here, by id
 * @seq: changes with @ports and with the name of a port; never 0
 */
struct macstats_net {
	spinlock_t lock;
	struct rb_root ports;
	unsigned int seq;
};

/**
 * struct macstats_view - what readers of a port see
 * @started: the port has a baseline
 * @absent: the MAC is built without any counters
 * @absent_rows: the counters that the MAC lacks
 * @lacks_some: there are any
 * @stale: the totals are older than the last request to read them
 * @suspended: the driver has suspended the hardware, which is why the port is stale
 * @possible_loss: counts may be lost, since the port was registered
 * @suspect_known: a counter showed the last discontinuity
 * @suspect: that counter
 * @suspect_value: the value that @suspect was read with
 * @misfits: mask of the kinds in which the hardware differs from its model
 * @misfit: by kind
 * @reason: why the port is stale; a string constant
 * @discontinuities: number of discontinuities
 * @parity_errors: number of parity errors
 * @discontinuity_ns: time of the last discontinuity
 * @start_ns: time of the first baseline
 * @polled_ns: time of the last good poll
 * @generation: changes with each good poll
 * @poll_error: result of the last poll
 * @late_polls: good polls that ended later than the wrap time allows
 * @failed_polls: polls that failed
 * @longest_poll_ns: longest duration of a poll
 * @longest_wait_ns: longest time that a getter waited for a poll
 * @totals: total of each counter
 * @saturated: number of reads of each counter at its maximum; NULL if no counter of the
 *	model saturates
 * @saturated_ns: time of the last of those reads; NULL with @saturated
 * @standard: sums of @totals
 */
struct macstats_view {
	bool started;
	bool absent;
	struct macstats_rows absent_rows;
	bool lacks_some;
	bool stale;
	bool suspended;
	bool possible_loss;
	bool suspect_known;
	u16 suspect;
	u64 suspect_value;
	u8 misfits;
	struct macstats_misfit misfit[MACSTATS_MISFITS];
	const char *reason;
	u32 discontinuities;
	u32 parity_errors;
	u64 discontinuity_ns;
	u64 start_ns;
	u64 polled_ns;
	u64 generation;
	int poll_error;
	u32 late_polls;
	u32 failed_polls;
	u64 longest_poll_ns;
	u64 longest_wait_ns;
	u64 *totals;
	u64 *saturated;
	u64 *saturated_ns;
	struct macstats_standard standard;
};

/**
 * struct macstats_strings - the strings of ethtool -S
 * @n_aliases: number of @aliases
 * @n_counters: number of @counters
 * @aliases: strings that the driver maps to counters; they come first
 * @counters: the counters behind them
 */
struct macstats_strings {
	u16 n_aliases;
	u16 n_counters;
	struct macstats_alias_row *aliases;
	u16 *counters;
};

/* Reasons for the next run of the poll work. A lesser reason never delays a greater. */
enum macstats_due {
	MACSTATS_DUE_INTERVAL,
	MACSTATS_DUE_LINE_RATE,
	MACSTATS_DUE_GETTER,
};

/* The job of a register dump or a self test, see diagnose.c: one at a time. */
enum macstats_busy {
	MACSTATS_JOB_EXISTS,
	MACSTATS_JOB_RUNS,
};

/**
 * struct macstats_hw - hardware whose counters are read, behind one or more ports
 * @ref: keeps the memory
 * @claimed: entry in macstats_claimed
 * @ports: the ports that share the hardware; under @lock
 * @users: number of @ports that the driver has not begun to unregister; under @lock
 * @dev: the device, for messages about a port without a net device; NULL: it has one
 * @ops: functions of the driver; never NULL, called until @closed
 * @priv: passed to them
 * @regmap: the registers of the device; NULL: they are in @regmaps, or @ops accesses them
 * @regmaps: the registers of each region of @model
 * @model: describes the registers
 * @index: number of the port in its device
 * @strings: the strings of ethtool -S
 * @held: poll only in macstats_port_refresh()
 * @shared: the counters are those of several net devices, so that no standard statistic is one's
 * @first_software: the first software counter; those behind it are software counters, too
 * @sent_bits: the bits of the status of a sent packet that decide which software counters count
 *	it, and what they add
 * @received_bits: those of a received packet; its octets are read from each status
 * @received_lsb: the place of the octets in such a status
 * @received_octets: their mask, once shifted down; 0: it has none
 * @software: per-CPU software counters
 * @wq: runs @work
 * @work: polls the hardware
 * @hw_lock: protects the hardware and @acc. Held over bus accesses, whose duration depends
 *	on the hardware: under RTNL, only calls of the driver take it. Outermost
 * @closed: the hardware is no longer accessed; never reset
 * @access_error: an access fails with this error, as the driver's get() has failed
 * @lock: protects the fields up to @stale_logged, and fields of @ports, see struct macstats_port.
 *	Never held over a bus access. Taken inside RTNL and @hw_lock
 * @view: what readers see
 * @summed: the standard statistics of @view are those of its totals
 * @summed_absent: the absent counters for which they were made
 * @misfits_logged: the kinds of @view.misfits that the log has
 * @stale_logged: the log has a line that the port is stale, and none yet that it recovered
 * @published_seq: for readers of @rtnl and @published, in any context but an NMI; written
 *	under @lock with interrupts off
 * @rtnl: the rtnl cache: the standard statistics from MACSTATS_RTNL_FIRST on, for
 *	ndo_get_stats64
 * @published: the totals of @view, for macstats_port_total()
 * @timer_lock: protects the fields that follow. Any context
 * @line_rate_bps: the line rate now, in b/s
 * @highest_rate_bps: the highest one since a poll looked last
 * @poll_ceiling: longest poll interval, in microseconds; read without the lock, too
 * @wanted_usecs: the poll interval that the user has set, in microseconds; 0: none
 * @poll_usecs: the poll interval, in microseconds; read without the lock, too
 * @leaving: nothing schedules the work any more; never reset
 * @parked: the hardware is suspended or gone: only a resume schedules the work
 * @due: the reason why the work is scheduled
 * @polls_started: number of polls that have begun
 * @polls_ended: number of polls whose results readers see
 * @began: the moment when the last of @polls_started began, see macstats_moment()
 * @began_jiffies: that moment, in jiffies
 * @ended_began: the moment when the last of @polls_ended began
 * @poll_end: when the work last ended
 * @polled: waits for the end of a poll or of a job, or for @leaving
 * @busy: bits of enum macstats_busy
 * @acc: turns register values into totals; last, as its size depends on @model
 */
struct macstats_hw {
	struct kref ref;
	struct list_head claimed;
	struct list_head ports;
	unsigned int users;
	struct device *dev;
	const struct macstats_port_ops *ops;
	void *priv;
	struct regmap *regmap;
	struct regmap *regmaps[MACSTATS_MAX_REGIONS];
	const struct macstats_model *model;
	unsigned int index;
	struct macstats_strings strings;
	bool held;
	bool shared;
	unsigned int first_software;
	u32 sent_bits;
	u32 received_bits;
	u8 received_lsb;
	u32 received_octets;
	struct macstats_software_counts __percpu *software;
	struct workqueue_struct *wq;
	struct delayed_work work;

	struct mutex hw_lock;
	bool closed;
	int access_error;

	struct mutex lock;
	struct macstats_view view;
	bool summed;
	struct macstats_rows summed_absent;
	u8 misfits_logged;
	bool stale_logged;

	seqcount_t published_seq;
	u64 rtnl[MACSTATS_RTNL_COUNT];
	u64 *published;

	spinlock_t timer_lock;
	u64 line_rate_bps;
	u64 highest_rate_bps;
	u32 poll_ceiling;
	u32 wanted_usecs;
	u32 poll_usecs;
	bool leaving;
	bool parked;
	enum macstats_due due;
	u32 polls_started;
	u32 polls_ended;
	unsigned long began;
	unsigned long began_jiffies;
	unsigned long ended_began;
	ktime_t poll_end;
	wait_queue_head_t polled;
	unsigned long busy;
	struct macstats_accumulator acc;
};

/**
 * struct macstats_port - a net device whose statistics are provided
 * @ref: keeps the memory
 * @rcu: frees it, as macstats_netdev_get_stats64() takes no reference
 * @stays: a devres; once the driver has left the port, one of its net device, which ends the port
 * @hw: the hardware, with a reference. hw->lock protects the fields from @netdev on
 * @hw_node: in macstats_hw.ports
 * @node: in the table by net device
 * @net_node: in macstats_net.ports
 * @id: unique number from 1, never used again
 * @netdev: the net device; NULL until macstats_port_attach(). Never changes after that
 * @registered: the net device is registered, in whatever namespace
 * @released: the driver has unregistered the port, which ends with its net device
 * @net: the namespace that gets notifications; NULL while the net device is not
 *	registered there
 * @ifindex: ifindex of the net device in @net
 * @name: name of the net device; unlike net_device.name, it cannot tear
 * @request: an ethtool request is under way
 * @request_polled: that request has read the hardware
 * @thresholds: totals to report, by counter; 0: none. NULL until the first is set
 */
struct macstats_port {
	struct kref ref;
	struct rcu_head rcu;
	struct macstats_port **stays;
	struct macstats_hw *hw;
	struct list_head hw_node;
	struct hlist_node node;
	struct rb_node net_node;
	unsigned long id;
	struct net_device *netdev;

	bool registered;
	bool released;
	struct net *net;
	int ifindex;
	char name[IFNAMSIZ];
	bool request;
	bool request_polled;
	u64 *thresholds;
};

/*
 * The time that a getter or a reader may still wait; a timer may add one jiffy. Time in which
 * busy CPUs delay the access counts a quarter for the hardware.
 */
struct macstats_patience {
	unsigned long hardware;		/* in quarters of a jiffy */
	unsigned long total;		/* in jiffies */
};

static inline bool macstats_line_rate_is_possible(u64 line_rate_bps)
{
	return line_rate_bps >= MACSTATS_LINE_RATE_MIN_BPS &&
	       line_rate_bps <= MACSTATS_LINE_RATE_MAX_BPS;
}

static inline struct macstats_patience macstats_getter_patience(void)
{
	unsigned long wait = max(msecs_to_jiffies(READ_ONCE(macstats_reader_wait_ms)) - 1, 1ul);

	return (struct macstats_patience){
		.hardware = 4 * wait,
		.total = wait + msecs_to_jiffies(MACSTATS_GETTER_GRACE_MS),
	};
}

/* The patience of a reader that blocks nobody: it waits longer for busy CPUs than a getter. */
static inline struct macstats_patience macstats_reader_patience(void)
{
	struct macstats_patience patience = macstats_getter_patience();

	/* As long as all of it lasts while busy CPUs delay the access. */
	patience.total = patience.hardware;
	return patience;
}

static inline unsigned long macstats_wait_slice(const struct macstats_patience *patience)
{
	unsigned long slice = max(msecs_to_jiffies(READ_ONCE(macstats_reader_wait_ms)) / 4, 1ul);

	return min3(DIV_ROUND_UP(patience->hardware, 4), patience->total, slice);
}

/* A slice of a wait has lasted @passed jiffies, see macstats_wait(). */
static inline void macstats_wait_passed(struct macstats_hw *hw,
					struct macstats_patience *patience,
					unsigned long slice, unsigned long passed)
{
	unsigned long counts;

	passed = min(passed, slice + 1);
	counts = mutex_is_locked(&hw->hw_lock) ? 4 * passed : passed;
	patience->hardware -= min(patience->hardware, counts);
	patience->total -= min(patience->total, passed);
}

/*
 * Wait for @condition on hw->polled, as long as @patience lasts. While nobody accesses the
 * hardware, because the workqueue gets no CPU, only a quarter of the time counts against
 * patience->hardware. A machine that stops for a while, as a virtual one may, uses one slice
 * at most.
 */
#define macstats_wait(hw, condition, patience)						\
({											\
	while (!(condition) && macstats_wait_slice(patience)) {				\
		unsigned long __slice = macstats_wait_slice(patience);			\
		unsigned long __before = jiffies;					\
											\
		wait_event_timeout((hw)->polled, condition, __slice);			\
		macstats_wait_passed(hw, patience, __slice, jiffies - __before);	\
	}										\
})

/* The action of a notifier: how a port has changed. */
enum macstats_port_action {
	MACSTATS_PORT_ADDED,
	MACSTATS_PORT_REMOVED,
	MACSTATS_PORT_EVENTS,
};

/**
 * struct macstats_notice - the data of a notifier
 * @port: the port, with port->hw->lock held
 * @events: mask of enum macstats_event; 0 unless the action is MACSTATS_PORT_EVENTS
 * @loss: why counts may be lost; set with MACSTATS_EVENT_POSSIBLE_LOSS
 * @saturated: the first counter that was read at its maximum
 * @n_saturated: number of counters that were read at their maximum
 */
struct macstats_notice {
	struct macstats_port *port;
	unsigned int events;
	const char *loss;
	unsigned int saturated;
	unsigned int n_saturated;
};

/* threshold.c: the caller holds port->hw->lock */
int macstats_threshold_set(struct macstats_port *port, unsigned int counter, u64 value);
void macstats_threshold_drop(struct macstats_port *port, unsigned int counter);
u64 macstats_threshold(const struct macstats_port *port, unsigned int counter);
bool macstats_threshold_reached(const struct macstats_port *port, unsigned int counter);
bool macstats_thresholds_reached(const struct macstats_port *port);
void macstats_thresholds_drop_reached(struct macstats_port *port);

/* models.c */
size_t macstats_model_longest_text(const struct macstats_model *model);
int macstats_model_counter(const struct macstats_model *model, const char *reg);
bool macstats_model_is_known(const struct macstats_model *model);
const struct macstats_model *macstats_model_keep(const struct macstats_model *model);
void macstats_models_exit(void);

/* config.c */
void macstats_config_error(const struct macstats_port_config *config, const char *format, ...)
	__printf(2, 3);
int macstats_config_check(struct macstats_port_config *config);
int macstats_config_check_caches(const struct macstats_port_config *config);

/* strings.c: struct macstats_hw.strings */
int macstats_strings_init(struct macstats_strings *strings,
			  const struct macstats_port_config *config);
void macstats_strings_free(struct macstats_strings *strings);
void macstats_strings_choose(struct macstats_strings *strings,
			     const struct macstats_accumulator *acc,
			     const struct macstats_port_config *config);
unsigned int macstats_strings_count(const struct macstats_strings *strings);
void macstats_strings_names(const struct macstats_strings *strings,
			    const struct macstats_model *model, u8 *data);
void macstats_strings_values(const struct macstats_strings *strings, const u64 *totals, u64 *data);

/* port.c */
struct macstats_hw *macstats_hw_create(const struct macstats_port_config *config);
void macstats_hw_start(struct macstats_hw *hw);
void macstats_hw_retire(struct macstats_hw *hw);
void macstats_hw_close(struct macstats_hw *hw);
void macstats_hw_outlive(struct macstats_hw *hw);
void macstats_hw_inherit(struct macstats_hw *hw, const struct macstats_hw *old);
void macstats_hw_put(struct macstats_hw *hw);
int macstats_register_port_notifier(struct notifier_block *nb);
void macstats_unregister_port_notifier(struct notifier_block *nb);
void macstats_port_notify(enum macstats_port_action action, struct macstats_notice *notice);
void macstats_hw_enter(struct macstats_hw *hw);
void macstats_hw_leave(struct macstats_hw *hw);
bool macstats_hw_accessible(struct macstats_hw *hw);
unsigned long macstats_moment(void);
void macstats_hw_ask(struct macstats_hw *hw, unsigned long since);
int macstats_hw_poll_since(struct macstats_hw *hw, unsigned long since,
			   struct macstats_patience *patience);
int macstats_hw_poll_within(struct macstats_hw *hw, struct macstats_patience *patience);
void macstats_hw_update(struct macstats_hw *hw);
void macstats_hw_reschedule(struct macstats_hw *hw);
bool macstats_hw_set_interval(struct macstats_hw *hw, u32 usecs);
int macstats_poller_init(void);
void macstats_poller_exit(void);

/* ports.c */
void macstats_port_put(struct macstats_port *port);
struct macstats_port *macstats_port_find(const struct net_device *netdev);
struct macstats_port *macstats_port_find_rcu(const struct net_device *netdev);
struct macstats_port *macstats_port_next(struct macstats_net *ports, unsigned long id,
					 unsigned int *seq);
struct macstats_net *macstats_net_of(const struct net *net);
int macstats_ports_init(void);
void macstats_ports_exit(void);

/* diagnose.c */
unsigned int macstats_tests_count(const struct macstats_model *model);
void macstats_tests_names(const struct macstats_model *model, u8 *data);

/* ethtool.c */
void macstats_ethtool_exit(void);

/* log.c */
int macstats_log_init(void);
void macstats_log_exit(void);

/* netlink.c */
int macstats_netlink_init(void);
void macstats_netlink_exit(void);

#endif /* MACSTATS_INTERNAL_H */
