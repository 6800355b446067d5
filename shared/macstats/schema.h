/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The types in which a model under model/ describes the statistics registers of a MAC.
 * rules.h has the rules that every model keeps.
 *
 * Offsets and addresses are in the datasheet's own unit (a word for some MACs, an octet for
 * others) and count from the base of the port. They form one flat address space; a model whose
 * registers lie in several blocks of the chip divides it into regions.
 */
#ifndef MACSTATS_SCHEMA_H
#define MACSTATS_SCHEMA_H

#include "role_list.h"
#include "statistics.h"

#define MACSTATS_NAME_LEN	31	/* ETH_GSTRING_LEN without the NUL */
#define MACSTATS_MAX_COUNTERS	512	/* a port with all of them needs less than 64 KiB */
#define MACSTATS_MAX_REGISTERS	64
#define MACSTATS_MAX_FIELDS	16	/* of one register */
#define MACSTATS_MAX_BLOCKS	4
#define MACSTATS_MAX_RESERVED	8
#define MACSTATS_MAX_REGIONS	4
#define MACSTATS_MAX_IDENTITY	8	/* registers */
#define MACSTATS_MAX_REVISIONS	4
#define MACSTATS_MAX_DRIVERS	4
#define MACSTATS_MAX_WHEN	4
#define MACSTATS_MAX_TERMS	8
#define MACSTATS_MAX_SETTINGS	2
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

/*
 * The MACs below a MAC Merge sublayer (IEEE 802.3 clause 99), with the numbers of
 * enum ethtool_mac_stats_src. Frames of the emulation are of the express MAC.
 */
enum macstats_mac {
	MACSTATS_MAC_ANY,		/* both together, or the only one */
	MACSTATS_MAC_EXPRESS,
	MACSTATS_MAC_PREEMPTIBLE,
};

/* What there is a counter for each of. */
enum macstats_index_of {
	MACSTATS_INDEX_OF_NONE,		/* it is the only one */
	MACSTATS_INDEX_OF_QUEUE,
	MACSTATS_INDEX_OF_PRIORITY,
};

/* How a device of a model can be built or set up. */
enum macstats_option {
	MACSTATS_OPT_STATISTICS     = 1 << 0,	/* the counters of all blocks are implemented */
	MACSTATS_OPT_HALF_DUPLEX    = 1 << 1,
	MACSTATS_OPT_VLAN_DETECTION = 1 << 2,	/* tags are not payload */
	MACSTATS_OPT_FIBER          = 1 << 3,
	MACSTATS_OPT_VARIANT        = 1 << 4,	/* see macstats_model.variant */
	/* Switched by the fields with the roles of these names. */
	MACSTATS_OPT_SETTING        = 1 << 5,
	MACSTATS_OPT_SETTING_2      = 1 << 6,
	MACSTATS_OPT_SETTINGS       = 3 << 5,
	/*
	 * A speed below the line rate of the model, at most one of them: without one, the
	 * port runs at line rate.
	 */
	MACSTATS_OPT_10M            = 1 << 8,
	MACSTATS_OPT_100M           = 1 << 9,
	MACSTATS_OPT_SPEEDS         = 3 << 8,
	/*
	 * In place of MACSTATS_OPT_STATISTICS: the counters of the blocks that name the option
	 * are implemented, see macstats_block.option.
	 */
	MACSTATS_OPT_TX_STATISTICS  = 1 << 10,
	MACSTATS_OPT_RX_STATISTICS  = 1 << 11,
	/* A later one of macstats_model.revisions, at most one of them: without one, the first. */
	MACSTATS_OPT_REVISION_2     = 1 << 12,
	MACSTATS_OPT_REVISION_3     = 1 << 13,
	MACSTATS_OPT_REVISION_4     = 1 << 14,
	MACSTATS_OPT_REVISIONS      = 7 << 12,
	MACSTATS_OPT_ALL            = ((1 << 5) - 1) | MACSTATS_OPT_SPEEDS |
				      MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS |
				      MACSTATS_OPT_REVISIONS,
};

/*
 * The frames that a row counts. A mask of 0 means: any; of an origin: any frame, but no
 * MACSTATS_FORCED_COLLISION. An alternative without a direction ends the list, so the emulation
 * of a row without one never counts.
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
	__u16 with;		/* options that must be on */
	__u16 without;		/* options that must be off */
};

/*
 * The descriptor statuses that a software counter counts: those with @value under @mask. A
 * @mask of 0: the row is a register. The last three count something other than the frame.
 */
struct macstats_from_status {
	bool received;		/* of receive descriptors; otherwise of transmit ones */
	__u32 mask;
	__u32 value;
	__u8 low;		/* and with at least this number of collisions */
	__u8 high;		/* but at most this one; 0: any number */
	bool adds_collisions;
	bool adds_attempts;	/* macstats_packet.attempts */
	bool adds_octets;	/* macstats_packet.octets, or the length in the status */
};

/* Bits of a register; a mask of 0 means: not there. */
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
	__u8 lsb;		/* its lowest bit in a word that others may share; ascending */
	__u8 bits;		/* 1 to 64 */
	__u8 block;		/* index into macstats_model.blocks */
	__u8 unit;		/* enum macstats_unit */
	__u8 onread;		/* enum macstats_onread */
	__u8 onwrite;		/* enum macstats_onwrite */
	__u8 overflow;		/* enum macstats_overflow */
	bool latch;		/* reading the low word holds the others for a read */
	bool reread;		/* nothing holds its two words: see feature/reread.h */
	__u32 word_stride;	/* from its low word to its high one; 0: they are adjacent */
	__u8 good_frames;	/* to follow before it shows what it counted */
	__u16 frame_limit;	/* octets that it counts of one frame; 0: all */
	__u8 mac;		/* enum macstats_mac: of whose frames */
	__u32 port_stride;	/* to that of the next port; 0: as all of the port */
	__u8 revisions;		/* those that have it, 1 << index; 0: all */
	__u8 index_of;		/* enum macstats_index_of: there is one for each of these */
	__u16 index;		/* from 0 on, as in the name: see feature/index.h */
	struct macstats_bit present;	/* 1: the hardware has it; none: if it has the block */
	struct macstats_from_status status;	/* no register: descriptors feed it */
	struct macstats_when when[MACSTATS_MAX_WHEN];
	bool never;		/* no frame reaches it; without this and when: frames not stated */
	bool errors_only;	/* without when: what it counts are errors by the datasheet */
	struct macstats_term standard[MACSTATS_MAX_TERMS];
	const char *help;	/* what it counts, as a sentence */
};

enum macstats_access {
	MACSTATS_RO,
	MACSTATS_RW,
};

struct macstats_field {
	const char *name;
	__u8 lsb;
	__u8 bits;
	__u8 access;		/* enum macstats_access */
	bool singlepulse;	/* a command: reads as 0 */
	const char *help;
	__u32 roles;		/* mask of enum macstats_role */
};

/* A register that is not a counter. One without fields is one field. */
struct macstats_register {
	const char *name;
	__u32 offset;
	__u8 access;		/* enum macstats_access */
	bool statistics_only;	/* absent with the counters of its block */
	__u8 block;		/* index into macstats_model.blocks */
	__u32 reset;
	const char *help;
	__u32 roles;		/* without fields: mask of enum macstats_role */
	struct macstats_field fields[MACSTATS_MAX_FIELDS];	/* one of 0 bits ends them */
};

/* The maximum frame length that a field switches: @off while it is clear, @on while it is set. */
struct macstats_switch {
	__u32 off;
	__u32 on;
};

/* Counters that are frozen, cleared and checked together. */
struct macstats_block {
	const char *name;
	__u32 window;		/* the offset of index 0: see feature/window.h; 0: none */
	bool grant_leads;	/* a grant may be a look ahead of the freeze */
	bool clear_clears_parity;
	__u16 option;		/* that builds it; 0: MACSTATS_OPT_STATISTICS */
};

enum macstats_content {
	MACSTATS_READS_ZERO,
	MACSTATS_READS_RANDOM,
	/* The high word of the counter before it, which has twice its bits: a read clears both. */
	MACSTATS_READS_HIGH_WORD,
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

enum macstats_power_up {
	MACSTATS_POWER_UP_ZERO,
	MACSTATS_POWER_UP_RANDOM,	/* counters and parity bits */
};

struct macstats_descriptor;

struct macstats_model {
	const char *name;
	const char *title;
	const char *datasheet;
	const char *drivers[MACSTATS_MAX_DRIVERS];	/* of Linux, as `ethtool -i` names them */
	__u8 ports;
	__u32 port_stride;		/* from the base of a port to that of the next */
	__u8 address_unit_bits;		/* 32: word addresses, 8: octet addresses */
	__u8 bus_bits;			/* of one access: 8, 16 or 32 */
	bool read64;			/* one 64-bit access reads both words of a counter */
	__u64 line_rate_bps;		/* per direction, at full speed */
	__u8 block_lines;		/* Ethernet lines that feed one block; 0 means 1 */

	const struct macstats_counter *counters;	/* ascending by offset */
	__u16 n_counters;
	const struct macstats_register *registers;	/* ascending by offset */
	__u16 n_registers;
	const struct macstats_descriptor *descriptor;	/* feature/descriptors.h; NULL: none */
	struct macstats_block blocks[MACSTATS_MAX_BLOCKS];
	__u8 n_blocks;
	struct macstats_reserved reserved[MACSTATS_MAX_RESERVED];
	__u8 n_reserved;
	struct macstats_region regions[MACSTATS_MAX_REGIONS];	/* ascending */
	__u8 n_regions;			/* 0: one region, the whole device */
	bool needs_clocks;		/* to read the counters, so that a stopped one is a fault */
	__u64 half_full;		/* level from which on it interrupts; 0: none */
	struct macstats_sizes sizes;
	struct macstats_switch max_frame_switch;
	__u32 default_max_frame;	/* where there is no register for it */
	bool tag_over_max;		/* a tagged frame may be 4 octets longer */
	bool cut_at_max;		/* longer frames are cut there on transmit */
	bool deferral_aborts;		/* an excessively deferred frame is not sent */
	bool ieee_own_pause;		/* the pause frames that it makes: 64 octets, multicast */
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
	const char *variant;		/* what MACSTATS_OPT_VARIANT means */
	const char *revisions[MACSTATS_MAX_REVISIONS];	/* their names; the first is the default */
	const char *note;		/* a caveat about its statistics, or NULL */
	__u8 power_up;			/* enum macstats_power_up of the real one */
};

#include "rows.h"

#endif /* MACSTATS_SCHEMA_H */
