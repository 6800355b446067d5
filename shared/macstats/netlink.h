/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The two generic netlink families.
 *
 * "macstats" answers queries about the ports of the caller's network namespace
 * and sets thresholds. "macstats_emu" makes and controls emulated devices.
 * The _GET commands need no privilege. THRESHOLD_SET needs CAP_NET_ADMIN in the user
 * namespace that owns the network namespace, those of macstats_emu in the first user
 * namespace.
 *
 * Requests name a port by ifindex. Repeated attributes are multi-attr. Numbers
 * are in host byte order. The kernel rejects unknown attributes and invalid values
 * with an extended acknowledgment that names the attribute and the allowed range.
 *
 * The version of a family, which the controller of generic netlink reports, is that of its
 * protocol. New attributes and commands keep it. It is raised when a program of the earlier
 * version would misread a message, or when a request that it sends gets another meaning.
 */
#ifndef MACSTATS_NETLINK_H
#define MACSTATS_NETLINK_H

#define MACSTATS_GENL_NAME	"macstats"
#define MACSTATS_GENL_VERSION	2
#define MACSTATS_GENL_EVENTS	"events"	/* multicast group */

enum macstats_cmd {
	/* do: MODEL_NAME; dump: all. Reply: MODEL_*. */
	MACSTATS_CMD_MODEL_GET = 1,
	/* dump: COUNTER_MODEL. Reply: one counter per message, COUNTER_*. */
	MACSTATS_CMD_COUNTER_GET,
	/* do: PORT_IFINDEX; dump: all, or those of PORT_MODEL. Reply: PORT_*. */
	MACSTATS_CMD_PORT_GET,
	/*
	 * do: STATS_IFINDEX; dump: all, or those of STATS_MODEL. Reads the
	 * hardware unless STATS_CACHED is there. Reply: STATS_*. The values
	 * come in the order of COUNTER_ID, starting with 0; with STATS_COUNTERS
	 * (a dump then needs STATS_MODEL) only those of these counters come, and no
	 * standard statistics.
	 */
	MACSTATS_CMD_STATS_GET,

	/* Notifications: PORT_* as in a PORT_GET reply, and EVENT_* below. */
	MACSTATS_CMD_PORT_NEW_NTF,
	MACSTATS_CMD_PORT_DEL_NTF,
	MACSTATS_CMD_PORT_EVENT_NTF,

	/*
	 * do: THRESHOLD_IFINDEX, _COUNTER, _VALUE: notify once, by a PORT_EVENT_NTF
	 * with EVENT_THRESHOLD and the THRESHOLD, when the counter's total reaches
	 * the value. Without _VALUE: remove the threshold. A counter has one
	 * threshold at most: a later one replaces it, and the notification removes
	 * it. A value that the total has already reached is rejected. Needs
	 * CAP_NET_ADMIN in the user namespace that owns the network namespace.
	 */
	MACSTATS_CMD_THRESHOLD_SET,
	/* dump: all, or those of THRESHOLD_IFINDEX. Reply: one threshold per message. */
	MACSTATS_CMD_THRESHOLD_GET,

	__MACSTATS_CMD_MAX,
	MACSTATS_CMD_MAX = __MACSTATS_CMD_MAX - 1
};

enum macstats_model_attr {
	MACSTATS_A_MODEL_NAME = 1,	/* string */
	MACSTATS_A_MODEL_TITLE,		/* string */
	MACSTATS_A_MODEL_DATASHEET,	/* string */
	MACSTATS_A_MODEL_PORTS,		/* u32 */
	MACSTATS_A_MODEL_LINE_RATE,	/* u64, bits per second */
	MACSTATS_A_MODEL_COUNTERS,	/* u32 */
	MACSTATS_A_MODEL_PAD,

	__MACSTATS_A_MODEL_MAX,
	MACSTATS_A_MODEL_MAX = __MACSTATS_A_MODEL_MAX - 1
};

enum macstats_counter_attr {
	MACSTATS_A_COUNTER_MODEL = 1,	/* string */
	MACSTATS_A_COUNTER_ID,		/* u32, from 0 on */
	MACSTATS_A_COUNTER_NAME,	/* string, as in ethtool -S */
	MACSTATS_A_COUNTER_REGISTER,	/* string, as in the datasheet */
	MACSTATS_A_COUNTER_DESCRIPTION,	/* string */
	MACSTATS_A_COUNTER_UNIT,	/* u32, enum macstats_unit */
	/* u32, address units from the port's base, or of port 0 with COUNTER_PORT_STRIDE */
	MACSTATS_A_COUNTER_OFFSET,
	MACSTATS_A_COUNTER_BITS,	/* u32 */
	MACSTATS_A_COUNTER_ONREAD,	/* u32, enum macstats_onread */
	MACSTATS_A_COUNTER_ONWRITE,	/* u32, enum macstats_onwrite */
	MACSTATS_A_COUNTER_OVERFLOW,	/* u32, enum macstats_overflow */
	MACSTATS_A_COUNTER_DIRECTION,	/* u32, mask of enum macstats_direction */
	MACSTATS_A_COUNTER_STANDARD,	/* string, multi-attr: statistics it feeds */
	/* u32, address units to the counter of the next port, if those of ports lie apart */
	MACSTATS_A_COUNTER_PORT_STRIDE,
	/* u32, octets with FCS: the first and last of a bucket of a histogram */
	MACSTATS_A_COUNTER_BUCKET_LOW,
	MACSTATS_A_COUNTER_BUCKET_HIGH,	/* u32 */

	__MACSTATS_A_COUNTER_MAX,
	MACSTATS_A_COUNTER_MAX = __MACSTATS_A_COUNTER_MAX - 1
};

enum macstats_port_attr {
	MACSTATS_A_PORT_IFINDEX = 1,	/* u32 */
	MACSTATS_A_PORT_NAME,		/* string */
	MACSTATS_A_PORT_MODEL,		/* string */
	MACSTATS_A_PORT_INDEX,		/* u32, port of the device */
	MACSTATS_A_PORT_ABSENT,		/* flag: built without any counters */
	MACSTATS_A_PORT_STALE,		/* flag: the totals are from PORT_POLL_TIME */
	MACSTATS_A_PORT_STALE_REASON,	/* string, with STALE */
	MACSTATS_A_PORT_POSSIBLE_LOSS,	/* flag */
	MACSTATS_A_PORT_DISCONTINUITIES,	/* u32 */
	MACSTATS_A_PORT_DISCONTINUITY_TIME,	/* u64, ns since boot, if there was one */
	MACSTATS_A_PORT_PARITY_ERRORS,	/* u32 */
	MACSTATS_A_PORT_POLL_USECS,	/* u32 */
	MACSTATS_A_PORT_POLL_CEILING_USECS,	/* u32 */
	MACSTATS_A_PORT_POLL_TIME,	/* u64, ns since boot of the last good poll */
	MACSTATS_A_PORT_EVENT,		/* u32, mask of enum macstats_event; notifications */
	MACSTATS_A_PORT_PAD,
	MACSTATS_A_PORT_THRESHOLD,	/* nest of THRESHOLD_*, multi-attr; notifications */
	MACSTATS_A_PORT_TIME,		/* u64, ns since boot; notifications */
	/*
	 * u32 COUNTER_ID: the counter that showed the last discontinuity; absent if the
	 * driver reported it
	 */
	MACSTATS_A_PORT_DISCONTINUITY_COUNTER,
	MACSTATS_A_PORT_DISCONTINUITY_VALUE,	/* u64: what was read, and not added */
	MACSTATS_A_PORT_SATURATED,	/* nest of SATURATED_*, multi-attr */
	MACSTATS_A_PORT_LATE_POLLS,	/* u32: later than the wrap time allows */
	MACSTATS_A_PORT_FAILED_POLLS,	/* u32 */
	MACSTATS_A_PORT_LONGEST_POLL,	/* u64, ns */
	MACSTATS_A_PORT_LONGEST_WAIT,	/* u64, ns that a getter waited for a poll */

	__MACSTATS_A_PORT_MAX,
	MACSTATS_A_PORT_MAX = __MACSTATS_A_PORT_MAX - 1
};

enum macstats_stats_attr {
	MACSTATS_A_STATS_IFINDEX = 1,	/* u32 */
	MACSTATS_A_STATS_CACHED,	/* flag, in requests */
	MACSTATS_A_STATS_MODEL,		/* string */
	MACSTATS_A_STATS_GENERATION,	/* u64, good polls so far */
	MACSTATS_A_STATS_TIME,		/* u64, ns since boot of the last good poll */
	MACSTATS_A_STATS_STALE,		/* flag */
	MACSTATS_A_STATS_POSSIBLE_LOSS,	/* flag */
	MACSTATS_A_STATS_DISCONTINUITIES,	/* u32 */
	/* array of u64, empty if all counters are absent; ~0 for those of STATS_ABSENT */
	MACSTATS_A_STATS_VALUES,
	MACSTATS_A_STATS_PAD,
	MACSTATS_A_STATS_COUNTERS,	/* array of u32, ascending COUNTER_IDs; requests */
	MACSTATS_A_STATS_DISCONTINUITY_TIME,	/* u64, ns since boot, if there was one */
	MACSTATS_A_STATS_START_TIME,	/* u64, ns since boot: the totals count from here on */
	/* nest of SATURATED_*, multi-attr: totals that are lower bounds */
	MACSTATS_A_STATS_SATURATED,
	/*
	 * array of u32, ascending COUNTER_IDs: those of STATS_VALUES that the hardware is built
	 * without, if it has others
	 */
	MACSTATS_A_STATS_ABSENT,
	/*
	 * array of u32, ascending: the standard statistics of the port but for histograms, as
	 * places in MACSTATS_STANDARD_LIST (schema.h), from 1 on. Another order of that list is
	 * another version of the protocol
	 */
	MACSTATS_A_STATS_STANDARD,
	MACSTATS_A_STATS_STANDARD_VALUES,	/* array of u64, in that order */
	MACSTATS_A_STATS_INEXACT,	/* nest of INEXACT_*, multi-attr */

	__MACSTATS_A_STATS_MAX,
	MACSTATS_A_STATS_MAX = __MACSTATS_A_STATS_MAX - 1
};

enum macstats_threshold_attr {
	MACSTATS_A_THRESHOLD_IFINDEX = 1,	/* u32 */
	MACSTATS_A_THRESHOLD_COUNTER,	/* u32, COUNTER_ID */
	MACSTATS_A_THRESHOLD_VALUE,	/* u64 */
	MACSTATS_A_THRESHOLD_PAD,

	__MACSTATS_A_THRESHOLD_MAX,
	MACSTATS_A_THRESHOLD_MAX = __MACSTATS_A_THRESHOLD_MAX - 1
};

/* A counter that was read at its maximum: its total is a lower bound. */
enum macstats_saturated_attr {
	MACSTATS_A_SATURATED_COUNTER = 1,	/* u32, COUNTER_ID */
	MACSTATS_A_SATURATED_TIMES,	/* u64, reads that found it there */
	MACSTATS_A_SATURATED_TIME,	/* u64, ns since boot, of the last one */
	MACSTATS_A_SATURATED_PAD,

	__MACSTATS_A_SATURATED_MAX,
	MACSTATS_A_SATURATED_MAX = __MACSTATS_A_SATURATED_MAX - 1
};

/* A standard statistic that is a bound. */
enum macstats_inexact_attr {
	MACSTATS_A_INEXACT_STANDARD = 1,	/* u32, as in STATS_STANDARD */
	MACSTATS_A_INEXACT_BOUND,	/* u32, enum macstats_standard_bound */
	/* u64, reads that found a counter that feeds it at its maximum */
	MACSTATS_A_INEXACT_TIMES,
	/* flag: the last read that moved one of its counters missed another: an earlier value */
	MACSTATS_A_INEXACT_STALE,
	MACSTATS_A_INEXACT_PAD,

	__MACSTATS_A_INEXACT_MAX,
	MACSTATS_A_INEXACT_MAX = __MACSTATS_A_INEXACT_MAX - 1
};

#define MACSTATS_EMU_GENL_NAME		"macstats_emu"
#define MACSTATS_EMU_GENL_VERSION	1

enum macstats_emu_cmd {
	/*
	 * Plug a device in: DEVICE_MODEL and, if wanted, DEVICE_NAME,
	 * DEVICE_OPTIONS, DEVICE_POWER_UP_RANDOM, DEVICE_SEED,
	 * DEVICE_PRIVATE_ONLY, DEVICE_HELD, DEVICE_OWNED. The reply is that of
	 * DEVICE_GET.
	 */
	MACSTATS_EMU_CMD_DEVICE_NEW = 1,
	MACSTATS_EMU_CMD_DEVICE_DEL,	/* DEVICE_ID */
	/* do: DEVICE_ID; dump. Reply: DEVICE_ID, _MODEL, _OPTIONS, _PORT... */
	MACSTATS_EMU_CMD_DEVICE_GET,
	MACSTATS_EMU_CMD_LINK,		/* PORT, PEER */
	MACSTATS_EMU_CMD_UNLINK,	/* PORT */
	MACSTATS_EMU_CMD_INJECT,	/* PORT, FRAME, COUNT */
	/* PORT, ADDRESS; the reply adds VALUE */
	MACSTATS_EMU_CMD_REG_READ,
	MACSTATS_EMU_CMD_REG_WRITE,	/* PORT, ADDRESS, VALUE */
	MACSTATS_EMU_CMD_PRESET,	/* PORT, COUNTER, VALUE */
	MACSTATS_EMU_CMD_FAULT,		/* PORT, FAULT, ACTIVE */
	/* PORT: the provider reads the hardware now, also if the port is held */
	MACSTATS_EMU_CMD_POLL,
	/* PORT, NSECS: as if so much time had passed since the last poll */
	MACSTATS_EMU_CMD_ADVANCE,

	__MACSTATS_EMU_CMD_MAX,
	MACSTATS_EMU_CMD_MAX = __MACSTATS_EMU_CMD_MAX - 1
};

enum macstats_emu_device_attr {
	MACSTATS_EMU_A_DEVICE_ID = 1,	/* u32 */
	MACSTATS_EMU_A_DEVICE_MODEL,	/* string */
	/* string: template for the names of the ports, "mac%d" if not given */
	MACSTATS_EMU_A_DEVICE_NAME,
	/*
	 * u32, mask of enum macstats_option that are on; the model's if not given.
	 * MACSTATS_OPT_STATISTICS stands for the options that build its blocks
	 */
	MACSTATS_EMU_A_DEVICE_OPTIONS,
	MACSTATS_EMU_A_DEVICE_POWER_UP_RANDOM,	/* flag */
	MACSTATS_EMU_A_DEVICE_SEED,	/* u64 */
	/* flag: ethtool -S leaves out what has a standard statistic of its own */
	MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY,
	/* u32 ifindex, multi-attr, in the order of the ports; 0: in another namespace */
	MACSTATS_EMU_A_DEVICE_PORT,
	MACSTATS_EMU_A_DEVICE_PAD,
	/*
	 * flag: the provider reads the hardware at POLL only; everything else
	 * is answered from memory
	 */
	MACSTATS_EMU_A_DEVICE_HELD,
	/* flag: the device goes with the socket that asked for it */
	MACSTATS_EMU_A_DEVICE_OWNED,
	/* u8, 0 or 1: the line-rate bound; if not given, 0 for held devices and 1 for others */
	MACSTATS_EMU_A_DEVICE_LINE_RATE_BOUND,
	/*
	 * u32, 1 or 2: the net devices that share the counters of a port, 2 only if its model
	 * has several lines; 1 if not given. Each is a port to users: DEVICE_PORT and
	 * PORT_INDEX count them
	 */
	MACSTATS_EMU_A_DEVICE_NETDEVS,

	__MACSTATS_EMU_A_DEVICE_MAX,
	MACSTATS_EMU_A_DEVICE_MAX = __MACSTATS_EMU_A_DEVICE_MAX - 1
};

enum macstats_emu_port_attr {
	MACSTATS_EMU_A_PORT_IFINDEX = 1,	/* u32 */
	MACSTATS_EMU_A_PORT_PEER,	/* u32 ifindex */
	MACSTATS_EMU_A_PORT_FRAME,	/* nest of enum macstats_emu_frame_attr */
	MACSTATS_EMU_A_PORT_COUNT,	/* u64, 1 to 2^63 - 1; 1 if not given */
	/* u32, address units from the port's base; COUNTER_OFFSET of a counter */
	MACSTATS_EMU_A_PORT_ADDRESS,
	MACSTATS_EMU_A_PORT_VALUE,	/* u64 */
	MACSTATS_EMU_A_PORT_COUNTER,	/* u32, id of a counter */
	MACSTATS_EMU_A_PORT_FAULT,	/* u32, mask of enum macstats_fault */
	MACSTATS_EMU_A_PORT_ACTIVE,	/* u8: 0 or 1; 1 if not given */
	MACSTATS_EMU_A_PORT_PAD,
	MACSTATS_EMU_A_PORT_NSECS,	/* u64, 0 to 2^63 - 1 */
	/*
	 * u32 DEVICE_ID: with PORT_INDEX, names a port in place of PORT_IFINDEX, wherever
	 * it is; for the namespace that made the device only
	 */
	MACSTATS_EMU_A_PORT_DEVICE,
	MACSTATS_EMU_A_PORT_INDEX,	/* u32, from 0 */
	/* u32: the word of MACSTATS_FAULT_BUS_ERROR_AT, microseconds of _SLOW_BUS */
	MACSTATS_EMU_A_PORT_ARGUMENT,
	MACSTATS_EMU_A_PORT_ANNOUNCED,	/* flag: the driver reports the reset */
	MACSTATS_EMU_A_PORT_DURING_READ,	/* flag: MACSTATS_FAULTS_DURING_READ */

	__MACSTATS_EMU_A_PORT_MAX,
	MACSTATS_EMU_A_PORT_MAX = __MACSTATS_EMU_A_PORT_MAX - 1
};

/* A frame to inject; what is not given is as in the comments. */
enum macstats_emu_frame_attr {
	MACSTATS_EMU_A_FRAME_DIRECTION = 1,	/* u32, enum macstats_direction; MACSTATS_TX */
	MACSTATS_EMU_A_FRAME_LENGTH,	/* u32, octets with FCS, 1 to 65535; 64 */
	/* u32, enum macstats_destination; unicast, or multicast where the MAC makes no others */
	MACSTATS_EMU_A_FRAME_DESTINATION,
	MACSTATS_EMU_A_FRAME_KIND,	/* u32, enum macstats_kind; data */
	MACSTATS_EMU_A_FRAME_ORIGIN,	/* u32, enum macstats_origin; software */
	MACSTATS_EMU_A_FRAME_VLAN_TAGS,	/* u32, 0 to 2; 0 */
	MACSTATS_EMU_A_FRAME_ERRORS,	/* u32, mask of enum macstats_error; 0 */
	MACSTATS_EMU_A_FRAME_COLLISIONS,	/* u32, 0 to 16; 0 */
	MACSTATS_EMU_A_FRAME_DEFERRED,	/* flag */
	/* For models with descriptors; the last two are for transmitted frames. */
	MACSTATS_EMU_A_FRAME_DESCRIPTORS,	/* u32, of a packet, 1 to 64; 1 */
	MACSTATS_EMU_A_FRAME_APPEND_CRC,	/* u8: 0 or 1; a register decides */
	MACSTATS_EMU_A_FRAME_HUGE,	/* u8: 0 or 1; a register decides */

	__MACSTATS_EMU_A_FRAME_MAX,
	MACSTATS_EMU_A_FRAME_MAX = __MACSTATS_EMU_A_FRAME_MAX - 1
};

#endif /* MACSTATS_NETLINK_H */
