/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types, variables and functions that the files of the provider share.
 *
 * Layers, lowest first. A file calls only files above it in this list:
 *
 *	compat.c		what older kernels lack
 *	config.c		what a driver passes for a port is checked
 *	strings.c		the strings of ethtool -S
 *	bus.c software.c	access to the hardware of ports; counts of its driver
 *	view.c			what readers of hardware see, and are told
 *	poll.c			when hardware is read, and who waits for it
 *	life.c			hardware is created, suspended, resumed, reset, gone, closed
 *	ports.c			all ports: registration, sharing, lookup, namespaces
 *	diagnose.c		register dumps
 *	ethtool.c		what ethtool and ip show
 *	netlink_gen.c		the policies of requests, which docs/netlink/macstats.yaml states
 *	netlink_fill.c		messages of the family macstats
 *	log.c netlink.c		the kernel log; the family with its notifications
 *	main.c			the module
 *
 * The lower layers report what happens to a port on a notifier chain, see
 * macstats_port_notify().
 */
#ifndef MACSTATS_INTERNAL_H
#define MACSTATS_INTERNAL_H

#include <linux/completion.h>
#include <linux/jiffies.h>
#include <linux/kref.h>
#include <linux/list.h>
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

#include <macstats/poll.h>
#include <macstats/standard.h>

#include "emulated.h"

/* The rtnl statistics, which are adjacent. */
#define MACSTATS_RTNL_FIRST	MACSTATS_STD_RTNL_RX_PACKETS
#define MACSTATS_RTNL_COUNT	(MACSTATS_STD_RTNL_TX_WINDOW_ERRORS + 1 - MACSTATS_RTNL_FIRST)

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
 * struct macstats_software - the software counters of hardware
 * @first: the first of them among the counters; those behind it are software counters, too
 * @sent_bits: the bits of the status of a sent packet that decide which of them count it, and
 *	what they add
 * @received_bits: those of a received packet; its octets are read from each status
 * @received_lsb: the place of the octets in such a status
 * @received_octets: their mask, once shifted down; 0: it has none
 * @counts: the counters of each CPU; NULL: the model has none
 */
struct macstats_software {
	unsigned int first;
	u32 sent_bits;
	u32 received_bits;
	u8 received_lsb;
	u32 received_octets;
	struct macstats_software_counts __percpu *counts;
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
 * @state: that of the accumulator
 * @polled_ns: time of the last good poll
 * @failed_polls: polls that failed
 * @longest_poll_ns: longest duration of a poll
 * @longest_wait_ns: longest time that a reader waited for the poll work
 * @totals: total of each counter
 * @saturated: number of reads of each counter at its maximum; NULL if no counter of the
 *	model saturates
 * @saturated_ns: time of the last of those reads; NULL with @saturated
 * @standard: sums of @totals
 * @by_mac: the same of the rows of each MAC, the express one first; NULL: no row is of one
 */
struct macstats_view {
	struct macstats_state state;
	u64 polled_ns;
	u32 failed_polls;
	u64 longest_poll_ns;
	u64 longest_wait_ns;
	u64 *totals;
	u64 *saturated;
	u64 *saturated_ns;
	struct macstats_standard standard;
	struct macstats_standard *by_mac;
};

/* The action of a notifier: how a port has changed. */
enum macstats_port_action {
	MACSTATS_PORT_ADDED,
	MACSTATS_PORT_REMOVED,
	MACSTATS_PORT_EVENTS,
};

/**
 * struct macstats_notice - the data of a notifier
 * @port: the port, with port->hw->ports_lock held
 * @events: mask of enum macstats_event; 0 unless the action is MACSTATS_PORT_EVENTS, which sets
 *	the following fields
 * @time_ns: time of the last of the events
 * @failure: why the port became stale; NULL: it did not, or the driver has suspended the hardware
 * @saturated: the counters that were read at their maximum
 * @state: the state of the port after the last of them
 */
struct macstats_notice {
	struct macstats_port *port;
	unsigned int events;
	u64 time_ns;
	const char *failure;
	struct macstats_rows saturated;
	const struct macstats_state *state;
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

/* The job of a register dump, see diagnose.c: one at a time. */
enum macstats_busy {
	MACSTATS_JOB_EXISTS,
	MACSTATS_JOB_RUNS,
};

/**
 * struct macstats_hw - hardware whose counters are read, behind one or more ports
 * @ref: keeps the memory, which may outlast @model
 * @ports_lock: protects @ports and what struct macstats_port says. Held over the notifier chain,
 *	and never over an access to the hardware. Taken inside RTNL
 * @ports: the ports that share the hardware
 * @misfits_logged: the kinds of @view.state.misfits that the log has
 * @stale_logged: the log has a line that the port is stale, and none yet that it recovered
 * @dev: the device, with a reference until the hardware is closed, for messages about a port
 *	without a net device; NULL: they have the name of the model
 * @model: describes the registers; not to be used any more once the last of @ports has ended
 * @model_id: the number of @model, by which netlink names it
 * @index: number of the port in its device
 * @strings: the strings of ethtool -S
 * @emulated: what emulated hardware and tests have passed; all 0: a driver's hardware
 * @shared: the counters are those of several net devices, so that no standard statistic is one's
 * @own_packets: MACSTATS_PORT_OWN_PACKETS
 * @busy: bits of enum macstats_busy
 *
 * @bus: access to the registers, bus.c
 * @bus.claimed: entry in macstats_claimed
 * @bus.registers: entry in macstats_claimed_registers
 * @bus.ops: functions of the driver; never NULL, called until @bus.closed
 * @bus.priv: passed to them
 * @bus.regmap: the registers of the device; NULL: @bus.ops accesses them
 * @bus.mutex: taken by all who may sleep while they access the hardware: under RTNL, only calls
 *	of the driver do. Outermost
 * @bus.sleeps: only the holder of @bus.mutex accesses the hardware, and may sleep. Otherwise @lock
 *	protects the hardware and @acc. Becomes true under @lock, and false under both
 * @bus.fast_io: MACSTATS_PORT_FAST_IO; a slow fault clears it; written under @bus.mutex
 * @bus.slow: the last poll took too long for a reader
 * @bus.busy_waits: number of waits in this poll
 * @bus.closed: the hardware is no longer accessed; never reset
 * @bus.access_error: an access fails with this error, as the driver's get() has failed
 *
 * @software: software counters, software.c
 *
 * @lock: protects @view and @pending, and more, see @bus.sleeps. Taken inside @bus.mutex or
 *	@ports_lock, with bottom halves off
 * @view: what readers see, view.c
 * @pending: what has happened since macstats_hw_report()
 *
 * @published: what is read in any context but an NMI, view.c
 * @published.seq: sequence counter of lockless readers, also of @view.totals for
 *	macstats_port_total(); written under @lock with interrupts off
 * @published.rtnl: the standard statistics from MACSTATS_RTNL_FIRST on, for ndo_get_stats64
 *
 * @poll: when the hardware is read, poll.c
 * @poll.wq: runs @poll.work
 * @poll.work: polls the hardware
 * @poll.lock: protects the fields that follow. Any context
 * @poll.line_rate_bps: the line rate now, in b/s
 * @poll.highest_rate_bps: the highest one since a poll looked last
 * @poll.ceiling: longest poll interval, in microseconds; read without the lock, too
 * @poll.wanted_usecs: the poll interval that the user has set, in microseconds; 0: none
 * @poll.usecs: the poll interval, in microseconds; read without the lock, too
 * @poll.leaving: nothing schedules the work any more; never reset
 * @poll.parked: the hardware is suspended or gone: only a resume schedules the work. Read without
 *	the lock, too
 * @poll.due: the reason why the work is scheduled
 * @poll.started: number of polls that have begun
 * @poll.ended: number of polls whose results readers see
 * @poll.began_ns: when the last of @poll.started began, see macstats_moment()
 * @poll.read_ns: when the last of @poll.ended began; also under @lock
 * @poll.expired: the time of the last macstats_port_expire(); under @lock
 * @poll.end: when the work last ended
 * @poll.waiters: for the end of a poll or of a job, or for @poll.leaving
 *
 * @acc: turns register values into totals; last, as its size depends on @model
 */
struct macstats_hw {
	struct kref ref;
	struct mutex ports_lock;
	struct list_head ports;
	u8 misfits_logged;
	bool stale_logged;
	struct device *dev;
	const struct macstats_model *model;
	u32 model_id;
	unsigned int index;
	struct macstats_strings strings;
	struct macstats_emulated emulated;
	bool shared;
	bool own_packets;
	unsigned long busy;

	struct {
		struct list_head claimed;
		struct hlist_node registers;
		const struct macstats_port_ops *ops;
		void *priv;
		struct regmap *regmap;
		struct mutex mutex;
		bool sleeps;
		bool fast_io;
		bool slow;
		u8 busy_waits;
		bool closed;
		int access_error;
	} bus;

	struct macstats_software software;

	spinlock_t lock;
	struct macstats_view view;
	struct macstats_notice pending;

	struct {
		seqcount_t seq;
		u64 rtnl[MACSTATS_RTNL_COUNT];
	} published;

	struct {
		struct workqueue_struct *wq;
		struct delayed_work work;
		spinlock_t lock;
		u64 line_rate_bps;
		u64 highest_rate_bps;
		u32 ceiling;
		u32 wanted_usecs;
		u32 usecs;
		bool leaving;
		bool parked;
		enum macstats_due due;
		u32 started;
		u32 ended;
		u64 began_ns;
		u64 read_ns;
		u64 expired;
		ktime_t end;
		wait_queue_head_t waiters;
	} poll;

	struct macstats_accumulator acc;
};

/**
 * struct macstats_port - a net device whose statistics are provided
 * @ref: references of readers, and one of the driver
 * @unused: the last reference is gone
 * @rcu: frees the memory, as macstats_get_stats64() takes no reference
 * @hw: the hardware, with a reference. hw->ports_lock protects the fields from @netdev to @name
 * @hw_node: in macstats_hw.ports
 * @node: in the table by net device
 * @net_node: in macstats_net.ports
 * @id: unique number from 1, never used again
 * @netdev: the net device; NULL: only others that share @hw have one. Never changes
 * @net: the namespace that gets notifications; NULL while the net device is not
 *	registered there
 * @ifindex: ifindex of the net device in @net
 * @name: name of the net device; unlike net_device.name, it cannot tear
 * @request: an ethtool request is under way; hw->lock protects this field and those that follow
 * @request_began: when it began, see macstats_moment()
 * @request_wait: how long it may still wait for the hardware, in jiffies
 */
struct macstats_port {
	struct kref ref;
	struct completion unused;
	struct rcu_head rcu;
	struct macstats_hw *hw;
	struct list_head hw_node;
	struct hlist_node node;
	struct rb_node net_node;
	unsigned long id;
	struct net_device *netdev;

	struct net *net;
	int ifindex;
	char name[IFNAMSIZ];

	bool request;
	u64 request_began;
	unsigned long request_wait;
};

static inline bool macstats_line_rate_is_possible(u64 line_rate_bps)
{
	return line_rate_bps >= MACSTATS_LINE_RATE_MIN_BPS &&
	       line_rate_bps <= MACSTATS_LINE_RATE_MAX_BPS;
}

/* config.c */
void macstats_config_error(const struct macstats_port_config *config, const char *format, ...)
	__printf(2, 3);
int macstats_model_counter(const struct macstats_model *model, const char *reg);
bool macstats_config_has_counter(const struct macstats_port_config *config, unsigned int index);
bool macstats_config_lacks_all(const struct macstats_port_config *config);
int macstats_config_check_model(const struct macstats_port_config *config);
int macstats_config_check(const struct macstats_port_config *config);
int macstats_config_check_caches(const struct macstats_port_config *config);

/* strings.c: struct macstats_hw.strings */
int macstats_strings_init(struct macstats_strings *strings,
			  const struct macstats_port_config *config);
void macstats_strings_free(struct macstats_strings *strings);
void macstats_strings_choose(struct macstats_strings *strings,
			     const struct macstats_accumulator *acc,
			     const struct macstats_port_config *config);
void macstats_strings_names(const struct macstats_strings *strings,
			    const struct macstats_model *model, u8 *data);
void macstats_strings_values(const struct macstats_strings *strings, const u64 *totals, u64 *data);

/* bus.c */
void macstats_hw_init_bus(struct macstats_hw *hw, const struct macstats_port_config *config);
bool macstats_model_is_used(const struct macstats_model *model);
int macstats_hw_claim(struct macstats_hw *hw);
void macstats_hw_release(struct macstats_hw *hw);
void macstats_hw_lock(struct macstats_hw *hw) __acquires(&hw->lock);
void macstats_hw_assert_locked(struct macstats_hw *hw);
void macstats_hw_unlock_to_sleep(struct macstats_hw *hw);
void macstats_hw_unlock(struct macstats_hw *hw) __releases(&hw->lock);
void macstats_hw_lock_view(struct macstats_hw *hw);
void macstats_hw_unlock_view(struct macstats_hw *hw);
void macstats_hw_enter(struct macstats_hw *hw) __acquires(&hw->lock);
void macstats_hw_leave(struct macstats_hw *hw) __releases(&hw->lock);
bool macstats_hw_gave_up(const struct macstats_hw *hw);
bool macstats_hw_accessible(struct macstats_hw *hw);

/* software.c */
int macstats_hw_init_software(struct macstats_hw *hw);
void macstats_hw_sum_software(struct macstats_hw *hw);

/* view.c */
int macstats_register_port_notifier(struct notifier_block *nb);
void macstats_unregister_port_notifier(struct notifier_block *nb);
void macstats_port_notify(enum macstats_port_action action, struct macstats_notice *notice);
int macstats_hw_init_view(struct macstats_hw *hw);
void macstats_hw_show_counts(struct macstats_hw *hw);
void macstats_hw_show_poll(struct macstats_hw *hw, unsigned int events);
void macstats_hw_report(struct macstats_hw *hw);

/* poll.c */
void macstats_hw_init_poll(struct macstats_hw *hw, const struct macstats_port_config *config);
u64 macstats_moment(void);
unsigned long macstats_reader_wait(void);
void macstats_hw_begin(struct macstats_hw *hw);
void macstats_hw_end(struct macstats_hw *hw, unsigned int events, bool failed);
void macstats_hw_poll_ahead(struct macstats_hw *hw, u64 since);
unsigned long macstats_hw_remaining_wait(struct macstats_hw *hw, unsigned long wait);
bool macstats_hw_update(struct macstats_hw *hw, u64 since, unsigned long wait);
void macstats_hw_update_atomic(struct macstats_hw *hw);
bool macstats_hw_set_interval(struct macstats_hw *hw, u32 usecs);
void macstats_hw_park(struct macstats_hw *hw, bool parked);
void macstats_hw_start(struct macstats_hw *hw);
void macstats_hw_retire(struct macstats_hw *hw);
int macstats_poller_init(void);
void macstats_poller_exit(void);

/* life.c */
struct macstats_hw *macstats_hw_create(struct device *dev,
				       const struct macstats_port_config *config,
				       const struct macstats_emulated *emulated);
void macstats_hw_close(struct macstats_hw *hw);
void macstats_hw_put(struct macstats_hw *hw);

/* ports.c */
void macstats_port_put(struct macstats_port *port);
struct macstats_port *macstats_port_find(const struct net_device *netdev);
struct macstats_port *macstats_port_find_rcu(const struct net_device *netdev);
struct macstats_port *macstats_port_next(struct macstats_net *ports, unsigned long id,
					 unsigned int *seq);
struct macstats_port *macstats_port_of_model(struct macstats_net *ports, u32 id,
					     unsigned int *seq);
struct macstats_net *macstats_net_of(const struct net *net);
int macstats_ports_init(void);
void macstats_ports_exit(void);

/* ethtool.c */
void macstats_ethtool_exit(void);

/* log.c */
int macstats_log_init(void);
void macstats_log_exit(void);

/* netlink.c */
int macstats_netlink_init(void);
void macstats_netlink_exit(void);

#endif /* MACSTATS_INTERNAL_H */
