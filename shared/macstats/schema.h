/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The types in which a model under model/ describes the statistics registers of a MAC.
 * emulator.h, accumulator.h and standard.h use these types; rules.h has the rules that every
 * model keeps.
 *
 * Offsets and addresses are in the datasheet's own unit (a word for some MACs, an octet for
 * others) and count from the base of the port. They form one flat address space; a model whose
 * registers lie in several blocks of the chip divides it into regions.
 */
#ifndef MACSTATS_SCHEMA_H
#define MACSTATS_SCHEMA_H

#include "frame.h"

#define MACSTATS_NAME_LEN	31	/* ETH_GSTRING_LEN without the NUL */
#define MACSTATS_MAX_COUNTERS	256
#define MACSTATS_MAX_REGISTERS	64
#define MACSTATS_MAX_BLOCKS	4
#define MACSTATS_MAX_RESERVED	8
#define MACSTATS_MAX_REGIONS	4
#define MACSTATS_MAX_IDENTITY	8
#define MACSTATS_MAX_WHEN	3
#define MACSTATS_MAX_TERMS	8
#define MACSTATS_MAX_SETTINGS	3
#define MACSTATS_MAX_WORDS	8	/* bus words of one counter */

/*
 * Before a table of model data: one copy in C++ however often it is included,
 * unused ones allowed in C. MACSTATS_MODEL_BEGIN and _END enclose the tables of
 * a model: a member that a row does not name is 0, "none" or "any".
 */
#ifdef __cplusplus
#define MACSTATS_TABLE inline constexpr
#define MACSTATS_MODEL_BEGIN _Pragma("GCC diagnostic push") \
	_Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"")
#define MACSTATS_MODEL_END _Pragma("GCC diagnostic pop")
#else
#define MACSTATS_TABLE static __attribute__((__unused__))
#define MACSTATS_MODEL_BEGIN
#define MACSTATS_MODEL_END
#endif

#define MACSTATS_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Short forms for the tables of a model. A row states only what differs from its
 * neighbours: each model defines a macro over MACSTATS_ROW() that fills in what its
 * registers have in common, from .bits to .frame_limit.
 *
 *	#define TSE_ROW(name_, reg_, offset_, unit_, help_, ...)			\
 *		MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32,			\
 *			     .unit = MACSTATS_##unit_, .onread = MACSTATS_ONREAD_RCLR,	\
 *			     __VA_ARGS__)
 *
 *	TSE_ROW("rx_frames", "RxFrames", 0x20, FRAMES, "Received frames",
 *		.when = { { .direction = MACSTATS_RX } }),
 *
 * Frame rules and sums that several rows share get a macro as well. All of these macros
 * start with the name of the model, because all models are included together.
 */
#define MACSTATS_ROW(name_, reg_, offset_, help_, ...)					\
	{ .name = name_, .reg = reg_, .offset = offset_, __VA_ARGS__, .help = help_ }

/* One class of frames of one direction: MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_FCS). */
#define MACSTATS_WHEN_RX(...)		.when = { { .direction = MACSTATS_RX, __VA_ARGS__ } }
#define MACSTATS_WHEN_TX(...)		.when = { { .direction = MACSTATS_TX, __VA_ARGS__ } }
/* .when = { MACSTATS_NEVER }: the counter exists, but no frame can reach it. */
#define MACSTATS_NEVER			{ .direction = 0 }
/* For a row that no frame can reach, and whose counter counts only errors by the datasheet. */
#define MACSTATS_ERRORS_NEVER_SEEN	.when = { MACSTATS_NEVER }, .errors_only = true
#define MACSTATS_ANY			0	/* in a mask of classes */

/*
 * The standard statistics that a row is added to, without MACSTATS_STD_; all sums are
 * written as .standard = { MACSTATS_PLUS(A, B), MACSTATS_MINUS(C), { <id>, <factor> } }.
 */
#define MACSTATS_FEEDS(...)		.standard = { MACSTATS_PLUS(__VA_ARGS__) }
#define MACSTATS_PLUS(...)		MACSTATS_TERMS(1, __VA_ARGS__)
#define MACSTATS_MINUS(...)		MACSTATS_TERMS(-1, __VA_ARGS__)
#define MACSTATS_TERMS(factor, ...)							\
	MACSTATS_NINTH(__VA_ARGS__, MACSTATS_TERM_8, MACSTATS_TERM_7, MACSTATS_TERM_6,	\
		       MACSTATS_TERM_5, MACSTATS_TERM_4, MACSTATS_TERM_3,		\
		       MACSTATS_TERM_2, MACSTATS_TERM_1, 0)(factor, __VA_ARGS__)
#define MACSTATS_NINTH(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define MACSTATS_TERM_1(n, id)		{ MACSTATS_STD_##id, n }
#define MACSTATS_TERM_2(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_1(n, __VA_ARGS__)
#define MACSTATS_TERM_3(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_2(n, __VA_ARGS__)
#define MACSTATS_TERM_4(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_3(n, __VA_ARGS__)
#define MACSTATS_TERM_5(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_4(n, __VA_ARGS__)
#define MACSTATS_TERM_6(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_5(n, __VA_ARGS__)
#define MACSTATS_TERM_7(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_6(n, __VA_ARGS__)
#define MACSTATS_TERM_8(n, id, ...)	MACSTATS_TERM_1(n, id), MACSTATS_TERM_7(n, __VA_ARGS__)

/*
 * The rows of the RFC 2819 size classes from 64 to 1518 octets, or to 1023. @row is a
 * macro of the model, row(index, name, reg, text, size), called with 1 for example as
 * row(1, "65" name_to "127", "65" reg_to "127", "65 to 127 octets", <the class's bit>).
 */
#define MACSTATS_RMON_ROWS(row, name_to, reg_to)					\
	MACSTATS_RMON_ROWS_TO_1023(row, name_to, reg_to)				\
	MACSTATS_RMON_CLASS(row, 5, "1024", "1518", name_to, reg_to, MACSTATS_SIZE_1024_TO_1518)
#define MACSTATS_RMON_ROWS_TO_1023(row, name_to, reg_to)				\
	row(0, "64", "64", "64 octets", MACSTATS_SIZE_64)				\
	MACSTATS_RMON_CLASS(row, 1, "65", "127", name_to, reg_to, MACSTATS_SIZE_65_TO_127)	\
	MACSTATS_RMON_CLASS(row, 2, "128", "255", name_to, reg_to, MACSTATS_SIZE_128_TO_255)	\
	MACSTATS_RMON_CLASS(row, 3, "256", "511", name_to, reg_to, MACSTATS_SIZE_256_TO_511)	\
	MACSTATS_RMON_CLASS(row, 4, "512", "1023", name_to, reg_to, MACSTATS_SIZE_512_TO_1023)
#define MACSTATS_RMON_CLASS(row, index, low, high, name_to, reg_to, size)		\
	row(index, low name_to high, low reg_to high, low " to " high " octets", size)

/* Rows of macstats_model.registers and .fields; @access_ is RO or RW. */
#define MACSTATS_REGISTER(access_, name_, offset_, reset_, help_)			\
	{ .name = name_, .offset = offset_, .access = MACSTATS_##access_, .reset = reset_, \
	  .help = help_ }
/* A register that is absent without the counters of the first block or of @block_. */
#define MACSTATS_STAT_REGISTER(access_, name_, offset_, reset_, help_)			\
	MACSTATS_BLOCK_REGISTER(access_, 0, name_, offset_, reset_, help_)
#define MACSTATS_BLOCK_REGISTER(access_, block_, name_, offset_, reset_, help_)		\
	{ .name = name_, .offset = offset_, .access = MACSTATS_##access_,		\
	  .statistics_only = true, .block = block_, .reset = reset_, .help = help_ }
#define MACSTATS_FIELD(access_, name_, offset_, lsb_, bits_, help_)			\
	{ .name = name_, .offset = offset_, .lsb = lsb_, .bits = bits_,			\
	  .access = MACSTATS_##access_, .help = help_ }
/* A bit that starts something and reads as 0. */
#define MACSTATS_COMMAND(name_, offset_, lsb_, help_)					\
	{ .name = name_, .offset = offset_, .lsb = lsb_, .bits = 1, .access = MACSTATS_RW, \
	  .singlepulse = true, .help = help_ }

/* A table of a model and its size: MACSTATS_ROWS(counters, tse_counters). */
#define MACSTATS_ROWS(member, array) .member = array, .n_##member = MACSTATS_COUNT_OF(array)

/*
 * The statistics that Linux has a name for: group, enumerator, direction, what is counted (ERRORS:
 * frames with an error), and the name which ethtool prints (for the rtnl group: the member of
 * rtnl_link_stats64).
 * Buckets of the histogram have no name: their range follows from the size
 * classes of the row that feeds them. Netlink sends places in this list.
 */
#define MACSTATS_STANDARD_LIST(X)							\
	X(ETH_PHY, SYMBOL_ERROR_DURING_CARRIER, RX, ERRORS, "SymbolErrorDuringCarrier")	\
	X(ETH_MAC, FRAMES_TRANSMITTED_OK, TX, FRAMES, "FramesTransmittedOK")		\
	X(ETH_MAC, SINGLE_COLLISION_FRAMES, TX, FRAMES, "SingleCollisionFrames")	\
	X(ETH_MAC, MULTIPLE_COLLISION_FRAMES, TX, FRAMES, "MultipleCollisionFrames")	\
	X(ETH_MAC, FRAMES_RECEIVED_OK, RX, FRAMES, "FramesReceivedOK")			\
	X(ETH_MAC, FRAME_CHECK_SEQUENCE_ERRORS, RX, ERRORS, "FrameCheckSequenceErrors")	\
	X(ETH_MAC, ALIGNMENT_ERRORS, RX, ERRORS, "AlignmentErrors")			\
	X(ETH_MAC, OCTETS_TRANSMITTED_OK, TX, OCTETS, "OctetsTransmittedOK")		\
	X(ETH_MAC, FRAMES_WITH_DEFERRED_XMISSIONS, TX, FRAMES,				\
	  "FramesWithDeferredXmissions")						\
	X(ETH_MAC, LATE_COLLISIONS, TX, ERRORS, "LateCollisions")			\
	X(ETH_MAC, FRAMES_ABORTED_DUE_TO_XS_COLLS, TX, ERRORS,				\
	  "FramesAbortedDueToXSColls")							\
	X(ETH_MAC, FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, TX, ERRORS,			\
	  "FramesLostDueToIntMACXmitError")						\
	X(ETH_MAC, CARRIER_SENSE_ERRORS, TX, ERRORS, "CarrierSenseErrors")		\
	X(ETH_MAC, OCTETS_RECEIVED_OK, RX, OCTETS, "OctetsReceivedOK")			\
	X(ETH_MAC, FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR, RX, ERRORS,			\
	  "FramesLostDueToIntMACRcvError")						\
	X(ETH_MAC, MULTICAST_FRAMES_XMITTED_OK, TX, FRAMES, "MulticastFramesXmittedOK")	\
	X(ETH_MAC, BROADCAST_FRAMES_XMITTED_OK, TX, FRAMES, "BroadcastFramesXmittedOK")	\
	X(ETH_MAC, FRAMES_WITH_EXCESSIVE_DEFERRAL, TX, ERRORS,				\
	  "FramesWithExcessiveDeferral")						\
	X(ETH_MAC, MULTICAST_FRAMES_RECEIVED_OK, RX, FRAMES,				\
	  "MulticastFramesReceivedOK")							\
	X(ETH_MAC, BROADCAST_FRAMES_RECEIVED_OK, RX, FRAMES,				\
	  "BroadcastFramesReceivedOK")							\
	X(ETH_MAC, IN_RANGE_LENGTH_ERRORS, RX, ERRORS, "InRangeLengthErrors")		\
	X(ETH_MAC, OUT_OF_RANGE_LENGTH_FIELD, RX, ERRORS, "OutOfRangeLengthField")	\
	X(ETH_MAC, FRAME_TOO_LONG_ERRORS, RX, ERRORS, "FrameTooLongErrors")		\
	X(ETH_CTRL, MAC_CONTROL_FRAMES_TRANSMITTED, TX, FRAMES,				\
	  "MACControlFramesTransmitted")						\
	X(ETH_CTRL, MAC_CONTROL_FRAMES_RECEIVED, RX, FRAMES,				\
	  "MACControlFramesReceived")							\
	X(ETH_CTRL, UNSUPPORTED_OPCODES_RECEIVED, RX, FRAMES,				\
	  "UnsupportedOpcodesReceived")							\
	X(RMON, UNDERSIZE_PKTS, RX, ERRORS, "etherStatsUndersizePkts")			\
	X(RMON, OVERSIZE_PKTS, RX, ERRORS, "etherStatsOversizePkts")			\
	X(RMON, FRAGMENTS, RX, ERRORS, "etherStatsFragments")				\
	X(RMON, JABBERS, RX, ERRORS, "etherStatsJabbers")				\
	X(RMON, HIST_RX, RX, FRAMES, "rx-pktsNtoM")					\
	X(RMON, HIST_TX, TX, FRAMES, "tx-pktsNtoM")					\
	X(PAUSE, TX_PAUSE_FRAMES, TX, FRAMES, "tx_pause_frames")			\
	X(PAUSE, RX_PAUSE_FRAMES, RX, FRAMES, "rx_pause_frames")			\
	X(RTNL, RTNL_RX_PACKETS, RX, FRAMES, "rx_packets")				\
	X(RTNL, RTNL_TX_PACKETS, TX, FRAMES, "tx_packets")				\
	X(RTNL, RTNL_RX_BYTES, RX, OCTETS, "rx_bytes")					\
	X(RTNL, RTNL_TX_BYTES, TX, OCTETS, "tx_bytes")					\
	X(RTNL, RTNL_RX_ERRORS, RX, ERRORS, "rx_errors")				\
	X(RTNL, RTNL_TX_ERRORS, TX, ERRORS, "tx_errors")				\
	X(RTNL, RTNL_RX_DROPPED, RX, FRAMES, "rx_dropped")				\
	X(RTNL, RTNL_TX_DROPPED, TX, FRAMES, "tx_dropped")				\
	X(RTNL, RTNL_MULTICAST, RX, FRAMES, "multicast")				\
	X(RTNL, RTNL_COLLISIONS, RXTX, COLLISIONS, "collisions")			\
	X(RTNL, RTNL_RX_LENGTH_ERRORS, RX, ERRORS, "rx_length_errors")			\
	X(RTNL, RTNL_RX_OVER_ERRORS, RX, ERRORS, "rx_over_errors")			\
	X(RTNL, RTNL_RX_CRC_ERRORS, RX, ERRORS, "rx_crc_errors")			\
	X(RTNL, RTNL_RX_FRAME_ERRORS, RX, ERRORS, "rx_frame_errors")			\
	X(RTNL, RTNL_RX_FIFO_ERRORS, RX, ERRORS, "rx_fifo_errors")			\
	X(RTNL, RTNL_RX_MISSED_ERRORS, RX, ERRORS, "rx_missed_errors")			\
	X(RTNL, RTNL_TX_ABORTED_ERRORS, TX, ERRORS, "tx_aborted_errors")		\
	X(RTNL, RTNL_TX_CARRIER_ERRORS, TX, ERRORS, "tx_carrier_errors")		\
	X(RTNL, RTNL_TX_FIFO_ERRORS, TX, ERRORS, "tx_fifo_errors")			\
	X(RTNL, RTNL_TX_HEARTBEAT_ERRORS, TX, ERRORS, "tx_heartbeat_errors")		\
	X(RTNL, RTNL_TX_WINDOW_ERRORS, TX, ERRORS, "tx_window_errors")

enum macstats_group {
	MACSTATS_GROUP_ETH_PHY,
	MACSTATS_GROUP_ETH_MAC,
	MACSTATS_GROUP_ETH_CTRL,
	MACSTATS_GROUP_RMON,
	MACSTATS_GROUP_PAUSE,
	MACSTATS_GROUP_RTNL,
};

#define MACSTATS_STANDARD_ENUM(group, id, ...) MACSTATS_STD_##id,
enum macstats_standard_id {
	MACSTATS_STD_NONE,
	MACSTATS_STANDARD_LIST(MACSTATS_STANDARD_ENUM)
	MACSTATS_STD_COUNT
};
#undef MACSTATS_STANDARD_ENUM

/* A counter's share in a standard statistic: statistic += factor * total. */
struct macstats_term {
	__u8 id;		/* enum macstats_standard_id */
	__s8 factor;
};

/* The amount that one event adds to a counter. */
enum macstats_unit {
	MACSTATS_FRAMES = 1,	/* 1 */
	MACSTATS_OCTETS,	/* the frame's length */
	MACSTATS_PAYLOAD,	/* its length without header, tags and FCS */
	MACSTATS_COLLISIONS,	/* the collisions that it experienced */
	MACSTATS_WIRE_OCTETS,	/* what was on the wire, attempts that collided included */
	MACSTATS_EARLY_COLLISIONS,	/* its collisions, but for a late one */
};

/* Side effects, in the words of SystemRDL 2.0. */
enum macstats_onread {
	MACSTATS_ONREAD_NONE,
	MACSTATS_ONREAD_RCLR,
};

enum macstats_onwrite {
	MACSTATS_ONWRITE_NONE,
	MACSTATS_ONWRITE_DECREMENT,	/* old - written, not below 0, while the gate is open */
};

enum macstats_overflow {
	MACSTATS_ROLLOVER,
	MACSTATS_SATURATE,
};

/* How a device of a model can be built or set up. */
enum macstats_option {
	MACSTATS_OPT_STATISTICS     = 1 << 0,	/* the counters of all blocks are implemented */
	MACSTATS_OPT_HALF_DUPLEX    = 1 << 1,
	MACSTATS_OPT_VLAN_DETECTION = 1 << 2,	/* tags are not payload */
	MACSTATS_OPT_FIBER          = 1 << 3,
	MACSTATS_OPT_VARIANT        = 1 << 4,	/* see macstats_model.variant */
	/*
	 * Switched by registers, see macstats_model.setting. Rows may name them for frames
	 * with errors or collisions and for MAC control frames only: the cells of all other
	 * frames do not record how a register was set.
	 */
	MACSTATS_OPT_SETTING        = 1 << 5,
	MACSTATS_OPT_SETTING_2      = 1 << 6,
	MACSTATS_OPT_SETTING_3      = 1 << 7,
	MACSTATS_OPT_SETTINGS       = 7 << 5,
	/*
	 * A speed below the line rate of the model, at most one of them: without one, the
	 * port runs at line rate. Rows cannot name these.
	 */
	MACSTATS_OPT_10M            = 1 << 8,
	MACSTATS_OPT_100M           = 1 << 9,
	MACSTATS_OPT_SPEEDS         = 3 << 8,
	/*
	 * In place of MACSTATS_OPT_STATISTICS: the counters of the blocks that name the option
	 * are implemented, see macstats_block.option. Rows cannot name these.
	 */
	MACSTATS_OPT_TX_STATISTICS  = 1 << 10,
	MACSTATS_OPT_RX_STATISTICS  = 1 << 11,
	MACSTATS_OPT_ALL            = ((1 << 5) - 1) | MACSTATS_OPT_SPEEDS |
				      MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS,
};

enum macstats_fault {
	MACSTATS_FAULT_PARITY_ERROR      = 1 << 0,	/* one parity error, once */
	MACSTATS_FAULT_SNAPSHOT_STUCK    = 1 << 1,	/* a request is never granted */
	MACSTATS_FAULT_SNAPSHOT_SLOW     = 1 << 2,	/* granted at the third look */
	MACSTATS_FAULT_BUS_ERROR         = 1 << 3,	/* every access fails */
	MACSTATS_FAULT_RESET_IN_PROGRESS = 1 << 4,
	MACSTATS_FAULT_CLOCK_STOPPED     = 1 << 5,
	MACSTATS_FAULT_RESET             = 1 << 6,	/* the hardware restarts, once */
	MACSTATS_FAULT_UNPLUG            = 1 << 7,	/* reads give ones, writes are lost */
	MACSTATS_FAULT_BUS_ERROR_AT      = 1 << 8,	/* one word of the counters fails */
	MACSTATS_FAULT_SLOW_BUS          = 1 << 9,	/* an access takes microseconds */
	MACSTATS_FAULT_GATE_CLOSES       = 1 << 10,	/* closed, whatever is written */
	MACSTATS_FAULT_SUSPEND           = 1 << 11,	/* by the driver, power off */
	MACSTATS_FAULT_ALL               = (1 << 12) - 1,
	/* Faults that happen once and do not stay. */
	MACSTATS_FAULTS_ONCE = MACSTATS_FAULT_PARITY_ERROR | MACSTATS_FAULT_RESET,
	/* Faults that can begin between the readiness check and the read. */
	MACSTATS_FAULTS_DURING_READ = MACSTATS_FAULT_RESET_IN_PROGRESS |
				      MACSTATS_FAULT_CLOCK_STOPPED | MACSTATS_FAULT_GATE_CLOSES,
	/* Faults of any hardware; macstats_supported_faults() adds those of a model. */
	MACSTATS_FAULTS_COMMON = MACSTATS_FAULT_BUS_ERROR | MACSTATS_FAULT_RESET |
				 MACSTATS_FAULT_UNPLUG | MACSTATS_FAULT_BUS_ERROR_AT |
				 MACSTATS_FAULT_SLOW_BUS | MACSTATS_FAULT_SUSPEND,
};

#define MACSTATS_SLOW_BUS_MAX_USECS	10000	/* of one access */

/*
 * The frames that a row counts. A mask of 0 means: any; of an origin: any frame, but no
 * MACSTATS_FORCED_COLLISION. An alternative without a direction ends the list, so a row without
 * one never counts.
 */
struct macstats_when {
	__u8 direction;
	__u8 destination;
	__u8 kind;
	__u8 origin;
	__u8 tags;
	__u8 excess;
	__u8 collisions;
	bool deferred;		/* only frames that were */
	__u16 size;		/* mask of the model's size classes */
	__u16 errors;		/* at least one of these */
	__u16 no_errors;	/* and none of these */
	__u8 with;		/* options that must be on */
	__u8 without;		/* options that must be off */
};

/*
 * The descriptor statuses that a software counter counts: those with @value under @mask. A
 * @mask of 0: the row is a register. The last three count something other than the frame.
 */
struct macstats_from_status {
	bool received;		/* of receive descriptors; otherwise of transmit ones */
	__u32 mask;
	__u32 value;
	__u8 low;		/* and with at least so many collisions */
	__u8 high;		/* but not more than so many; 0: any number */
	bool adds_collisions;
	bool adds_attempts;	/* macstats_packet.attempts */
	bool adds_octets;	/* macstats_packet.octets, or the length in the status */
};

/* Bits of a register that a rule is about; a mask of 0 means: not there. */
struct macstats_bit {
	__u32 offset;
	__u32 mask;
};

/*
 * One row per counter: its ethtool -S string, where it is, how it behaves,
 * what it counts and which standard statistics it feeds.
 */
struct macstats_counter {
	const char *name;	/* lower snake_case, rx_, tx_ or (mixed) rxtx_ first */
	const char *reg;	/* as the datasheet prints it, without _LO and _HI */
	__u32 offset;		/* of the first bus word */
	__u8 bits;		/* 1 to 64 */
	__u8 block;		/* index into macstats_model.blocks */
	__u8 unit;		/* enum macstats_unit */
	__u8 onread;		/* enum macstats_onread */
	__u8 onwrite;		/* enum macstats_onwrite */
	__u8 overflow;		/* enum macstats_overflow */
	bool high_first;	/* the high word is at the lower address */
	bool latch;		/* reading the low word holds the others for a read */
	__u8 good_frames;	/* to follow before it shows what it counted */
	__u16 frame_limit;	/* octets that it counts of one frame; 0: all */
	__u32 port_stride;	/* to that of the next port; 0: as all of the port */
	struct macstats_bit present;	/* 1: the hardware has it; none: if it has the block */
	struct macstats_from_status status;	/* no register: descriptors feed it */
	struct macstats_when when[MACSTATS_MAX_WHEN];
	bool errors_only;	/* no frame reaches it, but by the datasheet they are errors */
	struct macstats_term standard[MACSTATS_MAX_TERMS];
	const char *help;	/* what it counts, as a sentence */
};

enum macstats_access {
	MACSTATS_RO,
	MACSTATS_RW,
};

/* A register that is not a counter. One without fields is one field. */
struct macstats_register {
	const char *name;
	__u32 offset;
	__u8 access;		/* enum macstats_access */
	bool statistics_only;	/* absent with the counters of: */
	__u8 block;		/* index into macstats_model.blocks */
	__u32 reset;
	const char *help;
};

struct macstats_field {
	const char *name;
	__u32 offset;		/* of its register */
	__u8 lsb;
	__u8 bits;
	__u8 access;		/* enum macstats_access */
	bool singlepulse;	/* a command: reads as 0 */
	const char *help;
};

MACSTATS_FN bool macstats_is_same_bit(const struct macstats_bit *a, const struct macstats_bit *b)
{
	return a->offset == b->offset && a->mask == b->mask;
}

/* A length that a bit switches: @off while the bit is clear, @on while it is set. */
struct macstats_switch {
	struct macstats_bit bit;
	__u32 off;
	__u32 on;
};

/* Counters that are frozen, cleared and checked together. */
struct macstats_block {
	const char *name;
	struct macstats_bit snapshot_request;	/* level: held while it is set */
	struct macstats_bit snapshot_granted;
	bool grant_leads;			/* a grant may be a look ahead of the freeze */
	struct macstats_bit clear;		/* singlepulse */
	struct macstats_bit increment;		/* singlepulse: adds 1 to each counter */
	struct macstats_bit parity_error;	/* sticky */
	struct macstats_bit parity_clear;	/* singlepulse */
	bool clear_clears_parity;
	__u16 option;				/* that builds it; 0: MACSTATS_OPT_STATISTICS */
};

enum macstats_content {
	MACSTATS_READS_ZERO,
	MACSTATS_READS_RANDOM,
	/* The high word of the counter before it, which has twice its bits: a read clears both. */
	MACSTATS_READS_HIGH_WORD,
};

/*
 * A field of the status that the MAC writes back with a frame. Software sets a field without
 * any of the rules, or macstats_descriptor names it, or it is always 0.
 */
struct macstats_status {
	const char *name;
	__u8 lsb;
	__u8 bits;
	struct macstats_when when[MACSTATS_MAX_WHEN];	/* set for these frames */
	__u32 unless;			/* set if none of these bits is */
	struct macstats_bit copy;	/* the same as these bits of a register */
	bool collisions;		/* their number */
	bool octets;			/* the frame's length */
	const char *help;
};

/* Bits of descriptors with a meaning that the tables of their status cannot state. */
struct macstats_descriptor {
	__u32 first;		/* the first one of a packet */
	__u32 last;		/* the last one, the only one with a valid status */
	/* In the first one: those below decide, in place of the registers that they copy. */
	__u32 override;
	__u32 append_crc;	/* the MAC appends the CRC */
	__u32 huge;		/* there is no maximum frame length */
};

/* A transmitted packet, as its driver sees it when its last descriptor comes back. */
struct macstats_packet {
	__u32 first;		/* status and control bits of its first descriptor */
	__u32 last;		/* those of its last one; of one descriptor the same */
	__u32 config;		/* the same bits as registers set them for all packets */
	__u32 octets;		/* its length without FCS */
	__u8 attempts;		/* after which the MAC gives up: the retry limit and one */
};

/* Addresses without a register that answer reads all the same. */
struct macstats_reserved {
	__u32 first;
	__u32 last;
	__u8 content;		/* enum macstats_content */
};

/*
 * Addresses that a driver finds in a resource of their own. An address counts from @first in
 * that resource.
 */
struct macstats_region {
	const char *name;
	__u32 first;
	__u32 last;
};

/* A register that reads the same in every device of the model. */
struct macstats_identity {
	__u32 offset;
	__u32 value;
};

enum macstats_power_up {
	MACSTATS_POWER_UP_ZERO,
	MACSTATS_POWER_UP_RANDOM,	/* counters and parity bits */
};

struct macstats_model {
	const char *name;
	const char *title;
	const char *datasheet;
	__u8 ports;
	__u32 port_stride;		/* from the base of a port to that of the next */
	__u8 address_unit_bits;		/* 32: word addresses, 8: octet addresses */
	__u8 bus_bits;			/* of one access: 8, 16, 32 or 64 */
	__u64 line_rate_bps;		/* per direction, at full speed */
	__u8 block_lines;		/* Ethernet lines that feed one block; 0 means 1 */

	const struct macstats_counter *counters;	/* ascending by offset, as are */
	__u16 n_counters;
	const struct macstats_register *registers;	/* these */
	__u16 n_registers;
	const struct macstats_field *fields;
	__u16 n_fields;
	const struct macstats_status *tx_status;	/* of a transmit descriptor */
	__u16 n_tx_status;
	const struct macstats_status *rx_status;	/* of a receive descriptor */
	__u16 n_rx_status;
	struct macstats_when rx_described[MACSTATS_MAX_WHEN];	/* frames that have one */
	struct macstats_descriptor descriptor;
	struct macstats_block blocks[MACSTATS_MAX_BLOCKS];
	__u8 n_blocks;
	struct macstats_reserved reserved[MACSTATS_MAX_RESERVED];
	__u8 n_reserved;
	struct macstats_region regions[MACSTATS_MAX_REGIONS];	/* ascending */
	__u8 n_regions;			/* 0: one region, the whole device */
	struct macstats_identity identity[MACSTATS_MAX_IDENTITY];
	__u8 n_identity;
	struct macstats_bit scratch[MACSTATS_MAX_BLOCKS];	/* free for tests */
	struct macstats_bit gate;	/* all 0: nothing counts, writes store */
	struct macstats_bit write_enable;	/* set: a write to a counter is stored */

	struct macstats_bit busy;	/* set: the counters must not be read */
	bool needs_clocks;		/* nor while the port's clocks stand still */
	__u64 half_full;		/* level from which on it interrupts; 0: none */
	struct macstats_bit half_full_pending;	/* one is there, and enabled by: */
	struct macstats_bit half_full_enable;

	struct macstats_sizes sizes;
	struct macstats_bit max_frame_rx;	/* the maximum frame length now set */
	struct macstats_bit max_frame_tx;
	struct macstats_bit any_length_tx;	/* set: there is no maximum on transmit */
	struct macstats_switch max_frame_switch;	/* in place of the three above */
	__u32 default_max_frame;	/* where there is no register for it */
	bool tag_over_max;		/* a tagged frame may be 4 octets longer */
	bool cut_at_max;		/* longer frames are cut there on transmit */
	bool deferral_aborts;		/* an excessively deferred frame is not sent */
	struct macstats_bit flow_control;	/* set: the MAC exerts it; none: always */
	bool ieee_own_pause;		/* the pause frames that it makes: 64 octets, multicast */
	struct macstats_bit retry_limit;	/* transmissions after the first; else 15 */
	__u32 very_long_least;		/* over twice the maximum and over this: very long */
	__u32 very_long_limit;		/* no frame is, while the maximum is over this */
	__u16 good_despite;		/* errors that do not make a received frame a bad one */
	__u8 min_frame_rx;		/* shortest that is counted, for wrap times */
	__u8 min_frame_tx;
	__u8 tx_shortest;		/* shorter ones are not sent */
	__u8 tx_pad_to;			/* those up to this length are padded to it */
	__u8 data_overhead;		/* octets of an untagged data frame not payload */
	__u8 control_overhead;		/* the same of a MAC control frame */
	__u8 variant_control_overhead;	/* and of the variant; 0: no other */

	__u16 options;			/* enum macstats_option that exist */
	__u16 default_options;		/* of these, those that are on by default */
	/* set: MACSTATS_OPT_SETTING, _2 and _3 are on */
	struct macstats_bit setting[MACSTATS_MAX_SETTINGS];
	const char *variant;		/* what MACSTATS_OPT_VARIANT means */
	const char *note;		/* a caveat about its statistics, or NULL */
	__u32 faults;			/* enum macstats_fault beyond the common ones */
	__u8 power_up;			/* enum macstats_power_up of the real one */
};

/* Bus words of a counter. */
MACSTATS_FN unsigned int macstats_words(const struct macstats_model *model,
					const struct macstats_counter *counter)
{
	return (counter->bits + model->bus_bits - 1u) / model->bus_bits;
}

/* Addresses from one bus word to the next. */
MACSTATS_FN __u32 macstats_word_step(const struct macstats_model *model)
{
	return model->bus_bits > model->address_unit_bits ?
	       (__u32)(model->bus_bits / model->address_unit_bits) : 1u;
}

/* Where the first of the @n bus words of a counter, in address order, is in its value. */
MACSTATS_FN unsigned int macstats_first_shift(const struct macstats_model *model,
					      const struct macstats_counter *counter,
					      unsigned int n)
{
	return counter->high_first ? (n - 1) * model->bus_bits : 0;
}

/* Where the next one is. */
MACSTATS_FN unsigned int macstats_next_shift(const struct macstats_model *model,
					     const struct macstats_counter *counter,
					     unsigned int shift)
{
	return counter->high_first ? shift - model->bus_bits : shift + model->bus_bits;
}

/* The first address behind a counter. */
MACSTATS_FN __u32 macstats_counter_end(const struct macstats_model *model,
				       const struct macstats_counter *counter)
{
	return counter->offset +
	       macstats_words(model, counter) * macstats_word_step(model);
}

/* Check for a software counter, which descriptors feed. These rows come last. */
MACSTATS_FN bool macstats_is_software_counter(const struct macstats_counter *counter)
{
	return counter->status.mask;
}

/*
 * The address of a counter in a device, for the port whose base is @base. Most lie behind the
 * base; those with a stride of their own are apart, side by side with those of other ports.
 */
MACSTATS_FN __u32 macstats_counter_address(const struct macstats_model *model,
					   const struct macstats_counter *counter, __u32 base)
{
	if (!counter->port_stride)
		return base + counter->offset;
	return counter->offset + base / model->port_stride * counter->port_stride;
}

/*
 * Find the port that an address of a device belongs to. Return: its index; @address becomes the
 * address of the same register in port 0.
 */
MACSTATS_FN unsigned int macstats_port_of(const struct macstats_model *model, __u32 *address)
{
	unsigned int i = model->n_counters;
	unsigned int port = 0;

	/* Counters that are apart come after the others, and before those of descriptors. */
	while (i-- && (model->counters[i].port_stride || model->counters[i].status.mask)) {
		const struct macstats_counter *counter = &model->counters[i];
		__u32 behind = *address - counter->offset;

		if (counter->port_stride && *address >= counter->offset &&
		    behind < model->ports * counter->port_stride) {
			*address -= behind / counter->port_stride * counter->port_stride;
			return behind / counter->port_stride;
		}
	}
	port = model->port_stride ? *address / model->port_stride : 0;
	*address -= port * model->port_stride;
	return port;
}

/* The faults that an emulated device of this model supports: enum macstats_fault. */
MACSTATS_FN __u32 macstats_supported_faults(const struct macstats_model *model)
{
	__u32 faults = model->faults | MACSTATS_FAULTS_COMMON;

	return model->gate.mask ? faults | MACSTATS_FAULT_GATE_CLOSES : faults;
}

/* The option that builds a block: the hardware lacks its counters without it. */
MACSTATS_FN unsigned int macstats_block_option(const struct macstats_model *model,
					       unsigned int block)
{
	return model->blocks[block].option ? model->blocks[block].option :
					     (unsigned int)MACSTATS_OPT_STATISTICS;
}

/* The options that build the blocks of a model. */
MACSTATS_FN unsigned int macstats_statistics_options(const struct macstats_model *model)
{
	unsigned int options = 0;
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++)
		options |= macstats_block_option(model, i);
	return options;
}

/* Check whether a block is built with these options. */
MACSTATS_FN bool macstats_is_built(const struct macstats_model *model, unsigned int options,
				   unsigned int block)
{
	return options & macstats_block_option(model, block);
}

/* The mask of all blocks. */
MACSTATS_FN __u32 macstats_all_blocks(const struct macstats_model *model)
{
	return (1u << model->n_blocks) - 1;
}

/* The mask of the blocks that are not built with these options. */
MACSTATS_FN __u32 macstats_unbuilt_blocks(const struct macstats_model *model,
					  unsigned int options)
{
	__u32 blocks = 0;
	unsigned int i;

	for (i = 0; i < model->n_blocks; i++)
		if (!macstats_is_built(model, options, i))
			blocks |= 1u << i;
	return blocks;
}

/* A set of counters, by their indices. */
struct macstats_rows {
	__u64 bits[MACSTATS_MAX_COUNTERS / 64];
};

MACSTATS_FN bool macstats_has_row(const struct macstats_rows *rows, unsigned int index)
{
	return rows->bits[index / 64] >> index % 64 & 1;
}

MACSTATS_FN void macstats_add_row(struct macstats_rows *rows, unsigned int index)
{
	rows->bits[index / 64] |= 1ull << index % 64;
}

MACSTATS_FN bool macstats_is_same_set(const struct macstats_rows *a, const struct macstats_rows *b)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_COUNT_OF(a->bits); i++)
		if (a->bits[i] != b->bits[i])
			return false;
	return true;
}

/* The bits of a bus word. */
MACSTATS_FN __u64 macstats_bus_mask(const struct macstats_model *model)
{
	return model->bus_bits >= 64 ? ~0ull : (1ull << model->bus_bits) - 1;
}

/*
 * Find the register that confirms that hardware is there when reads give all-ones, because it
 * never reads so itself: an identity, or a register with bits of no field. Return: false if
 * the model has none.
 */
MACSTATS_FN bool macstats_presence_register(const struct macstats_model *model, __u32 *offset)
{
	__u64 ones = macstats_bus_mask(model);
	unsigned int i;
	unsigned int f = 0;

	for (i = 0; i < model->n_identity; i++) {
		*offset = model->identity[i].offset;
		if (model->identity[i].value != ones)
			return true;
	}
	for (i = 0; i < model->n_registers; i++) {
		__u64 used = 0;

		*offset = model->registers[i].offset;
		for (f = 0; f < model->n_fields; f++)
			if (model->fields[f].offset == *offset)
				used |= ((1ull << model->fields[f].bits) - 1)
					<< model->fields[f].lsb;
		if (used && (used & ones) != ones)
			return true;
	}
	return false;
}

/* The number of counters that are registers. Called at each access to one of them. */
MACSTATS_FN unsigned int macstats_register_counters(const struct macstats_model *model)
{
	unsigned int low = 0;
	unsigned int high = model->n_counters;

	if (!high || !macstats_is_software_counter(&model->counters[high - 1]))
		return high;
	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (macstats_is_software_counter(&model->counters[middle]))
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* a + b, or the largest value if that is too large. */
MACSTATS_FN __u64 macstats_saturating_add(__u64 a, __u64 b)
{
	return a > ~0ull - b ? ~0ull : a + b;
}

/* The largest value that @bits hold. */
MACSTATS_FN __u64 macstats_bits_mask(unsigned int bits)
{
	return bits >= 64 ? ~0ull : (1ull << bits) - 1;
}

MACSTATS_FN unsigned int macstats_bit_shift(__u32 mask)
{
	unsigned int shift = 0;

	while (mask && !(mask >> shift & 1))
		shift++;
	return shift;
}

/* Directions that a counter counts in; 0 if it never counts. */
MACSTATS_FN __u8 macstats_counter_direction(const struct macstats_counter *counter)
{
	__u8 direction = 0;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN && counter->when[i].direction; i++)
		direction = (__u8)(direction | counter->when[i].direction);
	return direction;
}

/*
 * Find the counter at @offset; the search begins with the counters @near, which is a register,
 * and @near + 1. Return: its index, or -1; @word becomes the index of the bus word, in address
 * order.
 */
MACSTATS_FN int macstats_counter_near(const struct macstats_model *model, __u32 offset,
				      unsigned int near, unsigned int *word)
{
	unsigned int low = 0;
	unsigned int high = macstats_register_counters(model);
	unsigned int look = near;

	while (low < high) {
		const struct macstats_counter *counter = &model->counters[look];

		if (offset < counter->offset) {
			high = look;
		} else if (offset >= macstats_counter_end(model, counter)) {
			low = look + 1;
		} else {
			__u32 step = macstats_word_step(model);

			*word = (offset - counter->offset) / step;
			return (offset - counter->offset) % step ? -1 : (int)look;
		}
		look = low == near + 1 ? low : (low + high) / 2;
	}
	return -1;
}

/* The same for callers without such a counter. */
MACSTATS_FN int macstats_counter_at(const struct macstats_model *model, __u32 offset,
				    unsigned int *word)
{
	return macstats_counter_near(model, offset, macstats_register_counters(model) / 2, word);
}

/* The unit in metrics. */
MACSTATS_FN const char *macstats_metric_unit(enum macstats_unit unit)
{
	switch (unit) {
	case MACSTATS_OCTETS:
	case MACSTATS_PAYLOAD:
	case MACSTATS_WIRE_OCTETS:
		return "bytes";
	case MACSTATS_COLLISIONS:
	case MACSTATS_EARLY_COLLISIONS:
		return "collisions";
	default:
		return "frames";
	}
}

/* The register at @offset, or -1. */
MACSTATS_FN int macstats_register_at(const struct macstats_model *model, __u32 offset)
{
	unsigned int low = 0;
	unsigned int high = model->n_registers;

	while (low < high) {
		unsigned int middle = (low + high) / 2;

		if (offset < model->registers[middle].offset)
			high = middle;
		else if (offset > model->registers[middle].offset)
			low = middle + 1;
		else
			return (int)middle;
	}
	return -1;
}

/* The settings that a model has, as options. */
MACSTATS_FN __u8 macstats_model_settings(const struct macstats_model *model)
{
	unsigned int settings = 0;
	unsigned int i = 0;

	for (i = 0; i < MACSTATS_MAX_SETTINGS; i++)
		if (model->setting[i].mask)
			settings |= (unsigned int)MACSTATS_OPT_SETTING << i;
	return (__u8)settings;
}

/* The maximum frame length while the bit that switches it is set or not. */
MACSTATS_FN __u32 macstats_switched_max_frame(const struct macstats_model *model, bool set)
{
	return set ? model->max_frame_switch.on : model->max_frame_switch.off;
}

/*
 * The maximum frame length of a model that has no register for it: what a bit makes of it
 * after a reset, a constant, or no maximum at all.
 */
MACSTATS_FN __u32 macstats_default_max_frame(const struct macstats_model *model)
{
	const struct macstats_bit *bit = &model->max_frame_switch.bit;
	int i = bit->mask ? macstats_register_at(model, bit->offset) : -1;

	if (i >= 0)
		return macstats_switched_max_frame(model, model->registers[i].reset & bit->mask);
	return model->default_max_frame ? model->default_max_frame : (__u32)MACSTATS_FRAME_MAX;
}

/*
 * The longest maximum frame length that @max, which is max_frame_rx or max_frame_tx of the model,
 * has room for.
 */
MACSTATS_FN __u32 macstats_longest_frame(const struct macstats_model *model,
					 const struct macstats_bit *max)
{
	__u32 off = model->max_frame_switch.off;
	__u32 on = model->max_frame_switch.on;
	__u32 longest = macstats_default_max_frame(model);

	if (max->mask)
		longest = max->mask >> macstats_bit_shift(max->mask);
	else if (model->max_frame_switch.bit.mask)
		longest = on > off ? on : off;
	return longest < MACSTATS_FRAME_MAX ? longest : (__u32)MACSTATS_FRAME_MAX;
}

/*
 * The longest maximum frame length of both directions: Linux has one list of size classes for
 * them.
 */
MACSTATS_FN __u32 macstats_last_class_end(const struct macstats_model *model)
{
	__u32 received = macstats_longest_frame(model, &model->max_frame_rx);
	__u32 sent = macstats_longest_frame(model, &model->max_frame_tx);

	return received > sent ? received : sent;
}

/* The reserved range that holds @offset, or -1. */
MACSTATS_FN int macstats_reserved_at(const struct macstats_model *model, __u32 offset)
{
	unsigned int i;

	for (i = 0; i < model->n_reserved; i++) {
		const struct macstats_reserved *reserved = &model->reserved[i];

		if (offset >= reserved->first && offset <= reserved->last)
			return (offset - reserved->first) % macstats_word_step(model) ?
			       -1 : (int)i;
	}
	return -1;
}

/* The number of regions: at least one. */
MACSTATS_FN unsigned int macstats_region_count(const struct macstats_model *model)
{
	return model->n_regions ? model->n_regions : 1u;
}

/* The address at which a region begins: 0 if it is the whole device. */
MACSTATS_FN __u32 macstats_region_first(const struct macstats_model *model, unsigned int region)
{
	return model->n_regions ? model->regions[region].first : 0u;
}

/* The region that holds @address, or -1. */
MACSTATS_FN int macstats_region_at(const struct macstats_model *model, __u32 address)
{
	unsigned int i;

	if (!model->n_regions)
		return 0;
	for (i = 0; i < model->n_regions; i++)
		if (address >= model->regions[i].first && address <= model->regions[i].last)
			return (int)i;
	return -1;
}

/* Check whether a read changes this counter, so that no read of it can be repeated. */
MACSTATS_FN bool macstats_is_destructive(const struct macstats_counter *counter)
{
	return counter->onread != MACSTATS_ONREAD_NONE || counter->latch;
}

/*
 * Check whether a read of @offset changes anything. Register dumps leave such addresses out.
 */
MACSTATS_FN bool macstats_read_is_destructive(const struct macstats_model *model,
					      __u32 offset)
{
	unsigned int word = 0;
	int i = macstats_counter_at(model, offset, &word);
	int k = macstats_reserved_at(model, offset);

	return (i >= 0 && macstats_is_destructive(&model->counters[i])) ||
	       (k >= 0 && model->reserved[k].content == MACSTATS_READS_HIGH_WORD);
}

/* The shortest length in the size classes of @mask, whatever the maximum. */
MACSTATS_FN __u32 macstats_sizes_low(const struct macstats_model *model, __u16 mask)
{
	unsigned int first = mask ? macstats_bit_shift(mask) : 0;

	return first ? (__u32)model->sizes.edge[first - 1] : 0u;
}

/* The longest length in them, or 0 where the maximum frame length is the end. */
MACSTATS_FN __u32 macstats_sizes_high(const struct macstats_model *model, __u16 mask)
{
	unsigned int last = 0;

	if (!mask)
		return 0;
	while (mask >> (last + 1))
		last++;
	return last < MACSTATS_MAX_EDGES && model->sizes.edge[last] ?
	       (__u32)(model->sizes.edge[last] - 1) : 0u;
}

/* The shortest frame that a counter counts by its size classes: at least an octet. */
MACSTATS_FN __u32 macstats_shortest_length(const struct macstats_model *model,
					   const struct macstats_counter *counter)
{
	__u32 shortest = MACSTATS_FRAME_MAX;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN && counter->when[i].direction; i++) {
		__u32 low = macstats_sizes_low(model, counter->when[i].size);

		if (low < shortest)
			shortest = low;
	}
	return shortest ? shortest : 1u;
}

/* The shortest distance of two frames that a counter counts, in octets on the wire. */
MACSTATS_FN __u32 macstats_shortest_frame(const struct macstats_model *model,
					  const struct macstats_counter *counter)
{
	__u32 shortest = MACSTATS_FRAME_MAX;
	unsigned int i;

	for (i = 0; i < MACSTATS_MAX_WHEN && counter->when[i].direction; i++) {
		const struct macstats_when *when = &counter->when[i];
		__u32 low = macstats_sizes_low(model, when->size);
		__u32 least = when->direction & MACSTATS_RX ? model->min_frame_rx :
							      model->min_frame_tx;

		if (low < least)
			low = least;
		if (low < shortest)
			shortest = low;
	}
	return shortest + MACSTATS_GAP_LEN;
}

#ifdef __KERNEL__
#include <linux/math64.h>
#define MACSTATS_DIV64(a, b) div64_u64(a, b)
#else
#define MACSTATS_DIV64(a, b) ((a) / (b))
#endif

/* a * b, or the largest value if that is too large. */
MACSTATS_FN __u64 macstats_saturating_multiply(__u64 a, __u64 b)
{
	return b && a > MACSTATS_DIV64(~0ull, b) ? ~0ull : a * b;
}

/* The shortest distance of two events of a counter, in octets on the wire. */
MACSTATS_FN __u32 macstats_shortest_event(const struct macstats_model *model,
					  const struct macstats_counter *counter)
{
	switch (counter->unit) {
	case MACSTATS_OCTETS:
	case MACSTATS_PAYLOAD:
	case MACSTATS_WIRE_OCTETS:
		return 1;	/* octet counters are taken to fill without a gap */
	case MACSTATS_COLLISIONS:
	case MACSTATS_EARLY_COLLISIONS:
		return MACSTATS_COLLISION_LEN;
	default:
		if (macstats_counter_direction(counter))
			return macstats_shortest_frame(model, counter);
		/* The row has no frames, but the hardware may count some. */
		return (model->min_frame_rx < model->min_frame_tx ?
			model->min_frame_rx : model->min_frame_tx) + (__u32)MACSTATS_GAP_LEN;
	}
}

/* The line rate of a port with these options, per direction. */
MACSTATS_FN __u64 macstats_line_rate_bps(const struct macstats_model *model, unsigned int options)
{
	if (options & MACSTATS_OPT_10M)
		return 10000000ull;
	return options & MACSTATS_OPT_100M ? 100000000ull : model->line_rate_bps;
}

/* Check whether a port can have these options: those of the model, one speed at most. */
MACSTATS_FN bool macstats_valid_options(const struct macstats_model *model, unsigned int options)
{
	return !(options & ~(unsigned int)model->options) &&
	       (options & MACSTATS_OPT_SPEEDS) != MACSTATS_OPT_SPEEDS;
}

/*
 * Directions of lines that may feed a counter: one of each line if it is known to count in one
 * direction, or else both.
 */
MACSTATS_FN unsigned int macstats_feeding_lines(const struct macstats_model *model,
						const struct macstats_counter *counter)
{
	unsigned int lines = model->block_lines ? model->block_lines : 1;
	__u8 direction = macstats_counter_direction(counter);

	return direction == MACSTATS_RX || direction == MACSTATS_TX ? lines : 2 * lines;
}

/* Check whether a counter may reach its maximum within a century on any line so far. */
MACSTATS_FN bool macstats_fills(const struct macstats_counter *counter)
{
	return macstats_counter_direction(counter) && counter->bits < 64 &&
	       !macstats_is_software_counter(counter);
}

/*
 * The shortest time in which a counter can count from 0 to its maximum, in
 * microseconds, at @rate_bps in every direction that it counts; ~0 for one of 64
 * bits (over a century on any line so far), and for one that never counts or is no
 * register.
 */
MACSTATS_FN __u64 macstats_fill_usecs(const struct macstats_model *model,
				      const struct macstats_counter *counter, __u64 rate_bps)
{
	__u64 bits_per_event = 8ull * macstats_shortest_event(model, counter);
	__u64 rate = rate_bps * macstats_feeding_lines(model, counter);
	__u64 events;
	__u64 usecs;

	if (!macstats_fills(counter))
		return ~0ull;
	events = 1ull << counter->bits;
	rate = MACSTATS_DIV64(rate, 1000000ull);	/* bits per microsecond */
	if (events <= MACSTATS_DIV64(~0ull, bits_per_event))
		return MACSTATS_DIV64(events * bits_per_event, rate);
	usecs = MACSTATS_DIV64(events, rate);
	return usecs > MACSTATS_DIV64(~0ull, bits_per_event) ? ~0ull : usecs * bits_per_event;
}

/* The fill time of a counter that rolls over; ~0 for one that never does. */
MACSTATS_FN __u64 macstats_wrap_usecs(const struct macstats_model *model,
				      const struct macstats_counter *counter, __u64 rate_bps)
{
	return counter->overflow == MACSTATS_SATURATE ?
		       ~0ull : macstats_fill_usecs(model, counter, rate_bps);
}

/* The shortest of all counters' wrap times, in microseconds. */
MACSTATS_FN __u64 macstats_shortest_wrap_usecs(const struct macstats_model *model, __u64 rate_bps)
{
	__u64 shortest = ~0ull;
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		__u64 usecs = macstats_wrap_usecs(model, &model->counters[i], rate_bps);

		if (usecs < shortest)
			shortest = usecs;
	}
	return shortest;
}

/* The fewest octet times of frames with which a counter of the model goes round; ~0: none does. */
MACSTATS_FN __u64 macstats_fewest_wrap_octets(const struct macstats_model *model)
{
	__u64 fewest = ~0ull;
	unsigned int i;

	for (i = 0; i < model->n_counters; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		__u64 octets;

		if (counter->overflow == MACSTATS_SATURATE || !macstats_fills(counter))
			continue;
		octets = macstats_saturating_multiply(1ull << counter->bits,
						      macstats_shortest_event(model, counter));
		if (octets < fewest)
			fewest = octets;
	}
	return fewest;
}

/* Line rates that a model or a port may have. */
#define MACSTATS_LINE_RATE_MIN_BPS	1000000ull		/* a bit per microsecond */
#define MACSTATS_LINE_RATE_MAX_BPS	10000000000000ull	/* the arithmetic bears it */

/*
 * The poll interval: at least one millisecond, at most half of the shortest wrap time, and at
 * most an hour, so that totals served from memory do not get too old. Counters that saturate
 * also ask for half of their fill time. One that fills in less than 200 ms asks for no more
 * than ten polls a second: its value reports the loss.
 */
#define MACSTATS_POLL_MIN_USECS		1000ull
#define MACSTATS_POLL_MAX_USECS		3600000000ull
#define MACSTATS_POLL_DEFAULT_USECS	1000000ull
#define MACSTATS_POLL_SATURATING_USECS	100000ull

MACSTATS_FN __u64 macstats_poll_ceiling_usecs(const struct macstats_model *model, __u64 rate_bps)
{
	__u64 ceiling = macstats_shortest_wrap_usecs(model, rate_bps) / 2;
	unsigned int i;

	if (ceiling > MACSTATS_POLL_MAX_USECS)
		ceiling = MACSTATS_POLL_MAX_USECS;
	for (i = 0; i < model->n_counters; i++) {
		__u64 half;

		if (model->counters[i].overflow != MACSTATS_SATURATE)
			continue;
		half = macstats_fill_usecs(model, &model->counters[i], rate_bps) / 2;
		if (half < MACSTATS_POLL_SATURATING_USECS)
			half = MACSTATS_POLL_SATURATING_USECS;
		if (half < ceiling)
			ceiling = half;
	}
	/* A counter that wraps in less time loses counts, and late polls report that. */
	return ceiling < MACSTATS_POLL_MIN_USECS ? MACSTATS_POLL_MIN_USECS : ceiling;
}

/* The default interval where the longest one is @ceiling. */
MACSTATS_FN __u64 macstats_poll_default_within(__u64 ceiling)
{
	return ceiling < MACSTATS_POLL_DEFAULT_USECS ? ceiling : MACSTATS_POLL_DEFAULT_USECS;
}

MACSTATS_FN __u64 macstats_poll_default_usecs(const struct macstats_model *model, __u64 rate_bps)
{
	return macstats_poll_default_within(macstats_poll_ceiling_usecs(model, rate_bps));
}

#endif /* MACSTATS_SCHEMA_H */
