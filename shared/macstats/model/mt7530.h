/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * MediaTek MT7530 and MT7531 Ethernet switches, also in MT7621 and MT7988: the MIB counters of one
 * of seven ports. Data only. Addresses are those of port 0. Counters of the next port are 0x100
 * further, but MIB_CCR is that of all ports: a driver's reg_read() adds what its port needs.
 *
 * Sources: Linux 7.3, drivers/net/dsa: names, offsets and widths are those of mt7530.h; mt7530.c
 * shows that a read clears nothing, and which frames it takes for good ones. Airoha's air_mib.h for
 * the AN8855, a later switch with the same counters, has a line for each: TX_COLLISION counts
 * events, and bits of MIB_CCR choose whether octets are those of good or of bad frames. What a
 * counter counts is otherwise inferred from its name, by RFC 2819 and IEEE 802.3. Inferred, too:
 * counters roll over, a write changes none, and nothing holds the high word of the octets while the
 * low one is read, as the driver does nothing for that.
 *
 * Inferred in general. Lengths and octets include the FCS (RFC 2819 etherStatsOctets). Legal is a
 * length of 64 octets up to 1522, tagged or not: the driver counts tags and FCS in the maximum. A
 * symbol error makes the FCS bad (IEEE 802.3 22.2.1.5). Good frames include pause frames, which
 * RFC 2819 counts by address like any other. Transmission has no maximum.
 *
 * Limits of the model:
 * - MIB_ENABLE is the gate. While it is clear, the counters of the switch are 0 (inferred: the
 *   driver writes it twice to clear them); here they stand still.
 * - The bits of MIB_CCR for octets do nothing here. A driver sets those of good frames, and clears
 *   those of bad ones, which the driver of Linux sets, too: then bytes cannot be told.
 * - The maximum is that which the driver sets in GMACCR for an MTU of 1500.
 * - Speed and duplex are options of the device. Ports 5 and 6 of a MT7531 may run at 2.5 Gb/s.
 * - What the switch drops or filters between ports is no event on the line of a port.
 *
 * Standard statistics. bytes are octets - 4 for each good frame. IEEE octets are absent, because no
 * counter separates tagged frames, and MAC control frames, because only pause frames are counted.
 */
#ifndef MACSTATS_MODEL_MT7530_H
#define MACSTATS_MODEL_MT7530_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum mt7530_errors {
	MT7530_BAD_FCS = MACSTATS_ERR_FCS | MACSTATS_ERR_CODE,
	MT7530_BAD = MT7530_BAD_FCS | MACSTATS_ERR_ALIGNMENT,
	MT7530_NO_ROOM = MACSTATS_ERR_OVERRUN | MACSTATS_ERR_NO_BUFFER,
	MT7530_TX_BAD_FCS = MACSTATS_ERR_FCS | MACSTATS_ERR_UNDERRUN,
	MT7530_TX_GIVEN_UP = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS,
	MT7530_TX_CUT = MT7530_TX_GIVEN_UP | MACSTATS_ERR_UNDERRUN,
	MT7530_TX_BAD = MT7530_TX_GIVEN_UP | MT7530_TX_BAD_FCS,
};

enum mt7530_size {
	MT7530_SIZE_1024_UP = MACSTATS_SIZE_1024_TO_1518 | MACSTATS_SIZE_1519_UP,
};

#define MT7530_ROW(name_, reg_, offset_, help_, ...)						\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32, .unit = MACSTATS_FRAMES, __VA_ARGS__)
/* The low word is first. */
#define MT7530_OCTETS(name_, reg_, offset_, help_, ...)						\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 64, .unit = MACSTATS_OCTETS,		\
		     .reread = true, __VA_ARGS__)

#define MT7530_RX_LEGAL(...) \
	MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP, __VA_ARGS__)
#define MT7530_RX_GOOD(...)									\
	MACSTATS_WHEN_RX(__VA_ARGS__, .excess = MACSTATS_WITHIN_MAX,				\
			 .size = MACSTATS_SIZE_64_UP, .no_errors = MT7530_BAD)
#define MT7530_TX_GOOD(...) MACSTATS_WHEN_TX(__VA_ARGS__, .no_errors = MT7530_TX_BAD)

/* RFC 2819 etherStatsPkts64Octets: good or bad, but what a collision or an underrun cuts. */
#define MT7530_RX_SIZE(i, name_, reg_, text, size_)						\
	MT7530_ROW("rx_pkt_sz_" name_, "RX_PKT_SZ_" reg_, 0x4090 + 4 * (i),			\
		   "Received frames of " text ", good or bad",					\
		   MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = size_),		\
		   MACSTATS_FEEDS(HIST_RX)),
#define MT7530_TX_SIZE(i, name_, reg_, text, size_)						\
	MT7530_ROW("tx_pkt_sz_" name_, "TX_PKT_SZ_" reg_, 0x4030 + 4 * (i),			\
		   "Frames of " text " sent whole, good or bad",				\
		   MACSTATS_WHEN_TX(.size = size_, .no_errors = MT7530_TX_CUT),			\
		   MACSTATS_FEEDS(HIST_TX)),

/* Good frames to one kind of address, and what they feed. */
#define MT7530_RX_TO(to, name_, offset_, ...)							\
	MT7530_ROW("rx_" name_, "RX_" #to, offset_, "Good received " name_ " frames",		\
		   MT7530_RX_GOOD(.destination = MACSTATS_##to),				\
		   .standard = { MACSTATS_PLUS(__VA_ARGS__),					\
				 { MACSTATS_STD_RTNL_RX_BYTES, -4 } })
#define MT7530_TX_TO(to, name_, offset_, ...)							\
	MT7530_ROW("tx_" name_, "TX_" #to, offset_, "Good transmitted " name_ " frames",	\
		   MT7530_TX_GOOD(.destination = MACSTATS_##to),				\
		   .standard = { MACSTATS_PLUS(__VA_ARGS__),					\
				 { MACSTATS_STD_RTNL_TX_BYTES, -4 } })

MACSTATS_TABLE const struct macstats_counter mt7530_counters[] = {
	MT7530_ROW("tx_drop", "TX_DROP", 0x4000,
		   "Frames that the switch dropped before transmission: stays 0", .never = true,
		   MACSTATS_FEEDS(RTNL_TX_DROPPED)),
	/* An underrun cuts a frame, whose FCS is bad then: inferred. */
	MT7530_ROW("tx_crc_err", "TX_CRC_ERR", 0x4004,
		   "Frames transmitted with a bad FCS, cut by an underrun or not",
		   MACSTATS_WHEN_TX(.errors = MT7530_TX_BAD_FCS, .no_errors = MT7530_TX_GIVEN_UP),
		   MACSTATS_FEEDS(RTNL_TX_ERRORS)),
	MT7530_TX_TO(UNICAST, "unicast", 0x4008, FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),
	MT7530_TX_TO(MULTICAST, "multicast", 0x400c, FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS,
		     MULTICAST_FRAMES_XMITTED_OK),
	MT7530_TX_TO(BROADCAST, "broadcast", 0x4010, FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS,
		     BROADCAST_FRAMES_XMITTED_OK),
	MACSTATS_ROW("tx_collision", "TX_COLLISION", 0x4014, "Collisions of transmitted frames",
		     .bits = 32, .unit = MACSTATS_COLLISIONS,
		     MACSTATS_WHEN_TX(.kind = MACSTATS_ANY), MACSTATS_FEEDS(RTNL_COLLISIONS)),
	/* IEEE 802.3 30.3.1.1.3, .4 and .9, .10, .11: a late collision ends a frame at once. */
	MT7530_ROW("tx_single_collision", "TX_SINGLE_COLLISION", 0x4018,
		   "Good frames transmitted after exactly one collision",
		   MT7530_TX_GOOD(.collisions = MACSTATS_ONE_COLLISION),
		   MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),
	MT7530_ROW("tx_multiple_collision", "TX_MULTIPLE_COLLISION", 0x401c,
		   "Good frames transmitted after 2 to 15 collisions",
		   MT7530_TX_GOOD(.collisions = MACSTATS_SEVERAL_COLLISIONS),
		   MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),
	MT7530_ROW("tx_deferred", "TX_DEFERRED", 0x4020,
		   "Good frames deferred at first, and transmitted without collision",
		   MT7530_TX_GOOD(.collisions = MACSTATS_NO_COLLISION, .deferred = true),
		   MACSTATS_FEEDS(FRAMES_WITH_DEFERRED_XMISSIONS)),
	MT7530_ROW("tx_late_collision", "TX_LATE_COLLISION", 0x4024,
		   "Frames given up because of a collision later than a slot time",
		   MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION),
		   MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_TX_WINDOW_ERRORS, RTNL_TX_ERRORS)),
	MT7530_ROW("tx_excessive_collision", "TX_EXCESSIVE_COLLISION", 0x4028,
		   "Frames given up after 16 collisions",
		   MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
				    .no_errors = MACSTATS_ERR_LATE_COLLISION),
		   MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ABORTED_ERRORS,
				  RTNL_TX_ERRORS)),
	/* Those of software are frames like any other: the MAC does not look (inferred). */
	MT7530_ROW("tx_pause", "TX_PAUSE", 0x402c, "Pause frames of the MAC",
		   MACSTATS_WHEN_TX(.kind = MACSTATS_PAUSE, .origin = MACSTATS_BY_MAC),
		   MACSTATS_FEEDS(TX_PAUSE_FRAMES)),
	MACSTATS_RMON_ROWS_TO_1023(MT7530_TX_SIZE, "_to_", "_TO_")
	MT7530_TX_SIZE(5, "1024_to_max", "1024_TO_MAX", "1024 octets or more", MT7530_SIZE_1024_UP)
	MT7530_OCTETS("tx_bytes", "TX_BYTES", 0x4048, "Octets of good transmitted frames",
		      MT7530_TX_GOOD(.destination = MACSTATS_ANY),
		      MACSTATS_FEEDS(RTNL_TX_BYTES)),
	/* AN8855: RX_DROP beside drops by address, by control and by rate. Inferred: no room. */
	MT7530_ROW("rx_drop", "RX_DROP", 0x4060,
		   "Received frames, good or bad, for which the switch had no room",
		   MACSTATS_WHEN_RX(.errors = MT7530_NO_ROOM),
		   MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
	MT7530_ROW("rx_filtering", "RX_FILTERING", 0x4064,
		   "Received frames that the switch filtered: stays 0", .never = true),
	MT7530_RX_TO(UNICAST, "unicast", 0x4068, FRAMES_RECEIVED_OK, RTNL_RX_PACKETS),
	MT7530_RX_TO(MULTICAST, "multicast", 0x406c, FRAMES_RECEIVED_OK, RTNL_RX_PACKETS,
		     MULTICAST_FRAMES_RECEIVED_OK, RTNL_MULTICAST),
	MT7530_RX_TO(BROADCAST, "broadcast", 0x4070, FRAMES_RECEIVED_OK, RTNL_RX_PACKETS,
		     BROADCAST_FRAMES_RECEIVED_OK),
	/* Legal lengths, as RFC 2819 sets fragments and jabbers apart. */
	MT7530_ROW("rx_align_err", "RX_ALIGN_ERR", 0x4074,
		   "Received frames of legal length, but not of whole octets",
		   MT7530_RX_LEGAL(.errors = MACSTATS_ERR_ALIGNMENT),
		   MACSTATS_FEEDS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS, RTNL_RX_ERRORS)),
	MT7530_ROW("rx_crc_err", "RX_CRC_ERR", 0x4078,
		   "Received frames of legal length and whole octets with a bad FCS",
		   MT7530_RX_LEGAL(.errors = MT7530_BAD_FCS, .no_errors = MACSTATS_ERR_ALIGNMENT),
		   MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS,
				  RTNL_RX_ERRORS)),
	/* RFC 2819 etherStatsUndersizePkts, Fragments, OversizePkts, Jabbers. */
	MT7530_ROW("rx_under_size_err", "RX_UNDER_SIZE_ERR", 0x407c,
		   "Received frames of less than 64 octets, otherwise good",
		   MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .no_errors = MT7530_BAD),
		   MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS)),
	MT7530_ROW("rx_frag_err", "RX_FRAG_ERR", 0x4080,
		   "Received frames of less than 64 octets with a bad FCS or alignment",
		   MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .errors = MT7530_BAD),
		   MACSTATS_FEEDS(FRAGMENTS, RTNL_RX_ERRORS)),
	MT7530_ROW("rx_over_sz_err", "RX_OVER_SZ_ERR", 0x4084,
		   "Received frames longer than the maximum, otherwise good",
		   MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .no_errors = MT7530_BAD),
		   MACSTATS_FEEDS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS,
				  RTNL_RX_ERRORS)),
	MT7530_ROW("rx_jabber_err", "RX_JABBER_ERR", 0x4088,
		   "Received frames longer than the maximum with a bad FCS or alignment",
		   MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .errors = MT7530_BAD),
		   MACSTATS_FEEDS(JABBERS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS,
				  RTNL_RX_ERRORS)),
	/* IEEE 802.3 30.3.4.3 asks for no address. */
	MT7530_ROW("rx_pause", "RX_PAUSE", 0x408c, "Good received pause frames",
		   MT7530_RX_GOOD(.kind = MACSTATS_PAUSE), MACSTATS_FEEDS(RX_PAUSE_FRAMES)),
	MACSTATS_RMON_ROWS_TO_1023(MT7530_RX_SIZE, "_to_", "_TO_")
	MT7530_RX_SIZE(5, "1024_to_max", "1024_TO_MAX", "1024 octets up to the maximum",
		       MT7530_SIZE_1024_UP)
	MT7530_OCTETS("rx_bytes", "RX_BYTES", 0x40a8, "Octets of good received frames",
		      MT7530_RX_GOOD(.destination = MACSTATS_ANY),
		      MACSTATS_FEEDS(RTNL_RX_BYTES)),
	MT7530_ROW("rx_ctrl_drop", "RX_CTRL_DROP", 0x40b0,
		   "Received frames that a control of the switch dropped: stays 0", .never = true),
	MT7530_ROW("rx_ingress_drop", "RX_INGRESS_DROP", 0x40b4,
		   "Received frames over the ingress rate limit: stays 0", .never = true),
	MT7530_ROW("rx_arl_drop", "RX_ARL_DROP", 0x40b8,
		   "Received frames that address resolution dropped: stays 0", .never = true),
};

/* Its reset value is inferred. */
MACSTATS_TABLE const struct macstats_register mt7530_registers[] = {
	MACSTATS_REGISTER(RW, "MIB_CCR", 0x4fe0, 0, "MIB counter control", .fields = {
		MACSTATS_FIELD(RW, "TX_OCT_CNT_BAD", 4, 1, "TX_BYTES has bad frames; not here"),
		MACSTATS_FIELD(RW, "TX_OCT_CNT_GOOD", 5, 1, "TX_BYTES has good frames; always"),
		MACSTATS_FIELD(RW, "RX_OCT_CNT_BAD", 6, 1, "RX_BYTES has bad frames; not here"),
		MACSTATS_FIELD(RW, "RX_OCT_CNT_GOOD", 7, 1, "RX_BYTES has good frames; always"),
		MACSTATS_FIELD(RW, "MIB_ENABLE", 31, 1, "Counters of all ports count",
			       .roles = MACSTATS_ROLE_GATE) }),
};

/* Padding and the pause frames of the MAC are inferred: IEEE 802.3 4.2.3.3 and annex 31B. */
MACSTATS_TABLE const struct macstats_model mt7530_model = {
	.name = "mt7530", .title = "MediaTek MT7530/MT7531 Gigabit Ethernet switch",
	.datasheet = "Linux driver mt7530, mt7530.h",
	.drivers = { "mt7530" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000ull,
	MACSTATS_ROWS(counters, mt7530_counters), MACSTATS_ROWS(registers, mt7530_registers),
	.blocks = { { .name = "MIB" } }, .n_blocks = 1,
	.sizes = { .edge = MACSTATS_RMON_EDGES },
	.default_max_frame = 1522, .ieee_own_pause = true,
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN,
	.data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
	.note = "octets are those of good frames while TX_OCT_CNT_BAD and RX_OCT_CNT_BAD are "
		"clear; the driver of Linux sets them",
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_MT7530_H */
