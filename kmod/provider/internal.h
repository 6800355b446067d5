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
 *	netlink_fill.c		the family macstats, and its messages
 *	log.c			the kernel log
 *	view.c			what readers of hardware see, and are told
 *	poll.c			when hardware is read, and who waits for it
 *	diagnose.c		register dumps
 *	life.c			hardware is created, suspended, resumed, reset, gone, closed
 *	ports.c			all ports: registration, sharing, lookup, namespaces
 *	ethtool.c		what ethtool and ip show
 *	netlink_gen.c		the policies of requests, which docs/netlink/macstats.yaml states
 *	netlink.c		the requests of the family macstats
 *	main.c			the module
 */
#ifndef MACSTATS_INTERNAL_H
#define MACSTATS_INTERNAL_H

#include <linux/completion.h>
#include <linux/jiffies.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
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

/* The software counters of hardware. The bits of a status decide which of them count a packet. */
struct macstats_software {
	u16 first;		/* among the counters; those behind it are software counters, too */
	u8 received_lsb;	/* the place of the octets in a status of a received packet */
	u32 sent_bits;
	u32 received_bits;	/* without its octets, which each status has */
	u32 received_octets;	/* their mask, once shifted down; 0: it has none */
	struct macstats_software_counts __percpu *counts;	/* NULL: the model has none */
};

/* The ports in a network namespace. */
struct macstats_net {
	spinlock_t lock;	/* of what follows; innermost */
	struct rb_root ports;	/* by id; those whose net device is registered here */
	unsigned int seq;	/* changes with the ports and their names; never 0 */
};

/* What readers of a port see. */
struct macstats_view {
	struct macstats_state state;	/* that of the accumulator */
	u64 polled_ns;			/* of the last good poll */
	u32 failed_polls;
	u64 longest_poll_ns;
	u64 longest_wait_ns;		/* of a reader for the poll work */
	u64 *totals;			/* of each counter */
	u64 *saturated;			/* reads of each at its maximum; NULL: none saturates */
	u64 *saturated_ns;		/* when the last of them was */
	struct macstats_standard standard;
	struct macstats_standard *by_mac;	/* of each MAC; NULL: no row is of one */
};

/* What happened to a port. Only events set the members behind @events. */
struct macstats_notice {
	struct macstats_port *port;	/* with port->hw->ports_lock held */
	unsigned int events;		/* of enum macstats_event; 0: the port came or left */
	u64 time_ns;			/* of the last of the events */
	const char *failure;		/* why it became stale; NULL: it did not, or is suspended */
	struct macstats_rows saturated;	/* the counters that were read at their maximum */
	const struct macstats_state *state;	/* after the last of the events */
};

/* The strings of ethtool -S: those that the driver maps to counters come first. */
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

/*
 * Hardware whose counters are read, behind one or more ports.
 *
 * @ports_lock protects @ports and what struct macstats_port says. It is taken inside RTNL, held
 * over notifications, and never over an access to the hardware.
 *
 * @bus.mutex is taken by all who may sleep while they access the hardware: under RTNL, only calls
 * of the driver do. Outermost. While @bus.sleeps, only its holder accesses the hardware, and may
 * sleep. Otherwise @lock protects the hardware and @acc. @bus.sleeps becomes true under @lock, and
 * false under both.
 *
 * @lock protects @view and @pending. It is taken inside @bus.mutex or @ports_lock, with bottom
 * halves off.
 */
struct macstats_hw {
	struct kref ref;		/* of the memory, which may outlast @model */
	u32 model_id;			/* by which netlink names @model */
	const struct macstats_model *model;	/* not to be used once the last port has ended */
	struct mutex ports_lock;
	struct list_head ports;
	struct device *dev;		/* for messages, with a reference; NULL: closed, or none */
	unsigned int index;		/* of the port in its device */
	u8 misfits_logged;
	bool stale_logged;		/* the log has no line yet that the port recovered */
	bool shared;			/* by net devices: standard statistics are absent */
	struct macstats_strings strings;
	struct macstats_emulated emulated;	/* all 0: a driver's hardware */

	/* A register dump, diagnose.c */
	struct {
		struct work_struct work;
		struct list_head jobs;	/* that it has not begun yet; under poll.lock */
	} dump;

	/* Access to the registers, bus.c */
	struct {
		struct list_head claimed;
		struct hlist_node registers;
		const struct macstats_port_ops *ops;	/* never NULL; called until @closed */
		void *priv;
		struct regmap *regmap;	/* NULL: @ops accesses the registers */
		struct mutex mutex;
		bool sleeps;
		bool fast_io;		/* written under @mutex: a slow fault clears it */
		bool slow;		/* the last poll took too long for a reader */
		bool stuck;		/* the last poll slept or took long, in vain */
		u8 busy_waits;		/* of this poll */
		bool closed;		/* the hardware is no longer accessed; never reset */
		int access_error;	/* of every access, as get() has failed */
	} bus;

	struct macstats_software software;

	spinlock_t lock;
	struct macstats_view view;
	struct macstats_notice pending;	/* since macstats_hw_report() */

	/*
	 * What is read in any context but an NMI, view.c. @seq is also that of @view.totals for
	 * macstats_port_total(); written under @lock with interrupts off.
	 */
	struct {
		seqcount_t seq;
		u64 rtnl[MACSTATS_RTNL_COUNT];
	} published;

	/* When the hardware is read, poll.c. Times are those of macstats_moment(). */
	struct {
		struct workqueue_struct *wq;
		struct delayed_work work;
		spinlock_t lock;	/* of what follows, and of @dump.jobs; any context */
		u64 line_rate_bps;
		u64 highest_rate_bps;	/* since a poll looked last */
		u32 ceiling;		/* of the interval, in us; also read without the lock */
		u32 wanted_usecs;	/* the interval that the user has set; 0: none */
		u32 usecs;		/* the interval; also read without the lock */
		bool leaving;		/* nothing schedules the work any more; never reset */
		bool parked;		/* only a resume schedules it; also read without the lock */
		u8 due;			/* enum macstats_due */
		u32 started;		/* number of polls */
		u32 ended;		/* number of those whose results readers see */
		u64 began_ns;		/* the last of @started */
		u64 read_ns;		/* when the last of @ended began; also under hw->lock */
		u64 expired;		/* the last macstats_port_expire(); under hw->lock */
		ktime_t end;		/* when the work last ended */
		wait_queue_head_t waiters;	/* for the end of a poll or job, or for @leaving */
	} poll;

	struct macstats_accumulator acc;	/* its size depends on @model */
};

/* A net device whose statistics are provided. */
struct macstats_port {
	struct kref ref;		/* of readers, and one of the driver */
	struct completion unused;	/* the last reference is gone */
	struct rcu_head rcu;		/* macstats_get_stats64() takes no reference */
	struct macstats_hw *hw;		/* with a reference */
	struct list_head hw_node;
	struct hlist_node node;		/* in the table by net device */
	struct rb_node net_node;
	unsigned long id;		/* from 1, never used again */
	struct net_device *netdev;	/* never changes; NULL: others that share @hw have one */

	/* Under hw->ports_lock: */
	struct net *net;		/* NULL while the net device is not registered there */
	int ifindex;			/* in @net */
	char name[IFNAMSIZ];		/* unlike net_device.name, it cannot tear */

	/* An ethtool request: the core makes one at a time of a net device. */
	u64 request_began;		/* 0: none is under way */
	unsigned long request_wait;	/* how long it may still wait, in jiffies */
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
int macstats_config_check_model(const struct macstats_port_config *config);
int macstats_config_check(const struct macstats_port_config *config);

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

/* netlink_fill.c; the rest is in netlink_fill.h */
void macstats_netlink_notify(u8 cmd, const struct macstats_notice *notice);

/* log.c */
void macstats_log(const struct macstats_notice *what);

/* view.c */
void macstats_port_notify(u8 cmd, const struct macstats_notice *notice);
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

/* diagnose.c */
void macstats_hw_init_dumps(struct macstats_hw *hw);
void macstats_hw_end_dumps(struct macstats_hw *hw);
unsigned int macstats_hw_dump_addresses(const struct macstats_hw *hw, u32 *values);
void macstats_hw_dump(struct macstats_hw *hw, u32 *values, unsigned int n);

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

/* netlink.c */
int macstats_netlink_init(void);
void macstats_netlink_exit(void);

#endif /* MACSTATS_INTERNAL_H */
