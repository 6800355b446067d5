/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Microchip LAN7430 and LAN7431 PCIe Gigabit Ethernet controllers: statistics of their MAC. Data
 * only.
 *
 * Source: the Linux 7.3 driver. lan743x_main.h has the addresses of counters and the bits of
 * registers; lan743x_ethtool.c has the names of counters and their width; lan743x_main.c shows that
 * a read does not clear them. LAN950x datasheet, 5.3.1.7, is about a forerunner: an alignment error
 * is no CRC error, good frames include those that the receive FIFO drops, and counters roll over.
 * What a counter counts is otherwise inferred from its name, by RFC 2819 and IEEE 802.3. Inferred,
 * too: reset values, and that CNTR_RST clears the counters and reads as 0.
 *
 * Inferred in general. Lengths and octets include the FCS (RFC 2819 etherStatsOctets). Legal is a
 * length of 64 octets up to MAX_SIZE, which the driver sets to MTU + 18. A symbol error makes the
 * FCS bad (IEEE 802.3 22.2.1.5). Good frames include pause frames, which RFC 2819 counts by address
 * like any other. A transmitted frame with an error is not good: the driver shows errors beside
 * good frames. Transmission has no maximum, as only MAC_RX has one.
 *
 * Limits of the model:
 * - MAC_RX.FSE raises the maximum by 4 octets for tagged frames (inferred). Here it always does, as
 *   the driver always sets it.
 * - RXEN and TXEN stop the counters of one direction. Here they are always on.
 * - Speed and duplex are options of the device, not bits of MAC_CR.
 * - Frames do not show low power idle. The bits of the rollover status stay 0.
 *
 * Standard statistics. bytes are octets - 4 for each good frame. IEEE octets are absent, because no
 * counter separates tagged frames, and collisions, because none tells how many a frame had. A frame
 * that the FIFO drops is missed by the host, and is in rx_packets or rx_errors as well;
 * FramesLostDueToIntMACRcvError, which must not overlap with FramesReceivedOK, is absent. A
 * transmitted frame with two errors counts under both, and twice in tx_errors.
 */
#ifndef MACSTATS_MODEL_LAN743X_H
#define MACSTATS_MODEL_LAN743X_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum lan743x_errors {
	LAN743X_BAD_FCS = MACSTATS_ERR_FCS | MACSTATS_ERR_CODE,
	LAN743X_BAD = MACSTATS_ERR_FCS | MACSTATS_ERR_CODE | MACSTATS_ERR_ALIGNMENT,
	LAN743X_TX_BAD_FCS = MACSTATS_ERR_FCS | MACSTATS_ERR_UNDERRUN,
	LAN743X_TX_CUT = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS |
			 MACSTATS_ERR_UNDERRUN,
	LAN743X_TX_BAD = MACSTATS_ERR_MEDIUM | MACSTATS_ERR_FCS | MACSTATS_ERR_UNDERRUN,
};

#define LAN743X_COUNTER(name_, reg_, offset_, unit_, help_, ...)				\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32, .unit = MACSTATS_##unit_,		\
		     __VA_ARGS__)
#define LAN743X_ROW(name_, reg_, offset_, help_, ...) \
	LAN743X_COUNTER(name_, reg_, offset_, FRAMES, help_, __VA_ARGS__)

#define LAN743X_RX_LEGAL(...) \
	MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP, __VA_ARGS__)
#define LAN743X_RX_GOOD(...)									\
	MACSTATS_WHEN_RX(__VA_ARGS__, .excess = MACSTATS_WITHIN_MAX,				\
			 .size = MACSTATS_SIZE_64_UP, .no_errors = LAN743X_BAD)
#define LAN743X_TX_GOOD(...) MACSTATS_WHEN_TX(__VA_ARGS__, .no_errors = LAN743X_TX_BAD)
#define LAN743X_RX_GOOD_TO(to) LAN743X_RX_GOOD(.destination = MACSTATS_##to)
#define LAN743X_TX_GOOD_TO(to) LAN743X_TX_GOOD(.destination = MACSTATS_##to)

/* RFC 2819 etherStatsPkts64Octets: good or bad, but what a collision or an underrun cuts. */
#define LAN743X_RX_SIZE(i, name_, reg_, text, size_)						\
	LAN743X_ROW("rx_" name_ "_octets", "RX_" reg_, 0x1238 + 4 * (i),			\
		    "Received frames of " text ", good or bad",					\
		    MACSTATS_WHEN_RX(.size = size_), MACSTATS_FEEDS(HIST_RX)),
#define LAN743X_TX_SIZE(i, name_, reg_, text, size_)						\
	LAN743X_ROW("tx_" name_ "_octets", "TX_" reg_, 0x12bc + 4 * (i),			\
		    "Frames of " text " sent whole, good or bad",				\
		    MACSTATS_WHEN_TX(.size = size_, .no_errors = LAN743X_TX_CUT),		\
		    MACSTATS_FEEDS(HIST_TX)),
/* The names of the driver: some have "BYTES". */
#define LAN743X_SIZES(row)									\
	row(0, "64", "64_BYTE_FRAMES", "64 octets", MACSTATS_SIZE_64)				\
	row(1, "65_to_127", "65_127_BYTE_FRAMES", "65 to 127 octets", MACSTATS_SIZE_65_TO_127)	\
	row(2, "128_to_255", "128_255_BYTE_FRAMES", "128 to 255 octets",			\
	    MACSTATS_SIZE_128_TO_255)								\
	row(3, "256_to_511", "256_511_BYTES_FRAMES", "256 to 511 octets",			\
	    MACSTATS_SIZE_256_TO_511)								\
	row(4, "512_to_1023", "512_1023_BYTE_FRAMES", "512 to 1023 octets",			\
	    MACSTATS_SIZE_512_TO_1023)								\
	row(5, "1024_to_1518", "1024_1518_BYTE_FRAMES", "1024 to 1518 octets",			\
	    MACSTATS_SIZE_1024_TO_1518)								\
	row(6, "1519_up", "GREATER_1518_BYTE_FRAMES", "1519 octets or more",			\
	    MACSTATS_SIZE_1519_UP)

/* Octets and frames to one kind of address, all good: RFC 2819 etherStatsMulticastPkts. */
#define LAN743X_RX_TO(to, name_, offset_, ...)							\
	LAN743X_ROW("rx_" name_ "_frames", "RX_" #to "_FRAMES", offset_,			\
		    "Good received " name_ " frames", __VA_ARGS__),
#define LAN743X_RX_OCTETS_TO(to, name_, offset_)						\
	LAN743X_COUNTER("rx_" name_ "_octets", "RX_" #to "_BYTE_COUNT", offset_, OCTETS,	\
			"Octets of good received " name_ " frames", LAN743X_RX_GOOD_TO(to),	\
			MACSTATS_FEEDS(RTNL_RX_BYTES)),
#define LAN743X_TX_TO(to, name_, offset_, ...)							\
	LAN743X_ROW("tx_" name_ "_frames", "TX_" #to "_FRAMES", offset_,			\
		    "Good transmitted " name_ " frames", __VA_ARGS__),
#define LAN743X_TX_OCTETS_TO(to, name_, offset_)						\
	LAN743X_COUNTER("tx_" name_ "_octets", "TX_" #to "_BYTE_COUNT", offset_, OCTETS,	\
			"Octets of good transmitted " name_ " frames", LAN743X_TX_GOOD_TO(to),	\
			MACSTATS_FEEDS(RTNL_TX_BYTES)),

/* No frame shows low power idle. Its microseconds are inferred. */
#define LAN743X_LPI(name_, reg_, offset_)							\
	LAN743X_ROW(name_ "_eee_lpi_transitions", "EEE_" reg_ "_LPI_TRANSITIONS", offset_,	\
		    "Entries to low power idle: stays 0", .never = true),			\
	LAN743X_ROW(name_ "_eee_lpi_time", "EEE_" reg_ "_LPI_TIME", (offset_) + 4,		\
		    "Microseconds in low power idle: stays 0", .never = true),

MACSTATS_TABLE const struct macstats_counter lan743x_counters[] = {
	/* Legal lengths, as RFC 2819 sets fragments and jabbers apart. */
	LAN743X_ROW("rx_fcs_errors", "RX_FCS_ERRORS", 0x1200,
		    "Received frames of legal length and whole octets with a bad FCS",
		    LAN743X_RX_LEGAL(.errors = LAN743X_BAD_FCS,
				     .no_errors = MACSTATS_ERR_ALIGNMENT),
		    MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS,
				   RTNL_RX_ERRORS)),
	LAN743X_ROW("rx_alignment_errors", "RX_ALIGNMENT_ERRORS", 0x1204,
		    "Received frames of legal length, but not of whole octets",
		    LAN743X_RX_LEGAL(.errors = MACSTATS_ERR_ALIGNMENT),
		    MACSTATS_FEEDS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS, RTNL_RX_ERRORS)),
	/* RFC 2819 etherStatsFragments, Jabbers, UndersizePkts, OversizePkts. */
	LAN743X_ROW("rx_fragment_errors", "RX_FRAGMENT_ERRORS", 0x1208,
		    "Received frames of less than 64 octets with a bad FCS or alignment",
		    MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .errors = LAN743X_BAD),
		    MACSTATS_FEEDS(FRAGMENTS, RTNL_RX_ERRORS)),
	LAN743X_ROW("rx_jabber_errors", "RX_JABBER_ERRORS", 0x120c,
		    "Received frames longer than the maximum with a bad FCS or alignment",
		    MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .errors = LAN743X_BAD),
		    MACSTATS_FEEDS(JABBERS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS,
				   RTNL_RX_ERRORS)),
	LAN743X_ROW("rx_undersize_errors", "RX_UNDERSIZE_FRAME_ERRORS", 0x1210,
		    "Received frames of less than 64 octets, otherwise good",
		    MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .no_errors = LAN743X_BAD),
		    MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS)),
	LAN743X_ROW("rx_oversize_errors", "RX_OVERSIZE_FRAME_ERRORS", 0x1214,
		    "Received frames longer than the maximum, otherwise good",
		    MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .no_errors = LAN743X_BAD),
		    MACSTATS_FEEDS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS,
				   RTNL_RX_ERRORS)),
	/* LAN950x: "RX FIFO Dropped Frames". Whether good or bad is inferred: that comes later. */
	LAN743X_ROW("rx_dropped_frames", "RX_DROPPED_FRAMES", 0x1218,
		    "Received frames, good or bad, for which the receive FIFO had no room",
		    MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_OVERRUN),
		    MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
	LAN743X_RX_OCTETS_TO(UNICAST, "unicast", 0x121c)
	LAN743X_RX_OCTETS_TO(BROADCAST, "broadcast", 0x1220)
	LAN743X_RX_OCTETS_TO(MULTICAST, "multicast", 0x1224)
	LAN743X_RX_TO(UNICAST, "unicast", 0x1228, LAN743X_RX_GOOD_TO(UNICAST))
	LAN743X_RX_TO(BROADCAST, "broadcast", 0x122c, LAN743X_RX_GOOD_TO(BROADCAST),
		      MACSTATS_FEEDS(BROADCAST_FRAMES_RECEIVED_OK))
	LAN743X_RX_TO(MULTICAST, "multicast", 0x1230, LAN743X_RX_GOOD_TO(MULTICAST),
		      MACSTATS_FEEDS(MULTICAST_FRAMES_RECEIVED_OK, RTNL_MULTICAST))
	/* IEEE 802.3 30.3.4.3 asks for no address. */
	LAN743X_ROW("rx_pause_frames", "RX_PAUSE_FRAMES", 0x1234, "Good received pause frames",
		    LAN743X_RX_GOOD(.kind = MACSTATS_PAUSE),
		    MACSTATS_FEEDS(RX_PAUSE_FRAMES)),
	LAN743X_SIZES(LAN743X_RX_SIZE)
	/* Good: the driver shows it as rx_packets. */
	LAN743X_ROW("rx_total_frames", "RX_TOTAL_FRAMES", 0x1254, "Good received frames",
		    LAN743X_RX_GOOD_TO(ANY),
		    .standard = { MACSTATS_PLUS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS),
				  { MACSTATS_STD_RTNL_RX_BYTES, -4 } }),
	LAN743X_LPI("rx", "RX", 0x1258)
	/* An underrun cuts a frame, whose FCS is bad then: inferred. */
	LAN743X_ROW("tx_fcs_errors", "TX_FCS_ERRORS", 0x1280,
		    "Frames transmitted with a bad FCS, cut by an underrun or not",
		    MACSTATS_WHEN_TX(.errors = LAN743X_TX_BAD_FCS),
		    MACSTATS_FEEDS(RTNL_TX_ERRORS)),
	/* IEEE 802.3 30.3.1.1.20 and 30.3.1.1.13; the frame is sent all the same. */
	LAN743X_ROW("tx_excess_deferral_errors", "TX_EXCESS_DEFERRAL_ERRORS", 0x1284,
		    "Frames whose transmission was deferred for too long",
		    MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL),
		    MACSTATS_FEEDS(FRAMES_WITH_EXCESSIVE_DEFERRAL, RTNL_TX_ERRORS)),
	LAN743X_ROW("tx_carrier_errors", "TX_CARRIER_ERRORS", 0x1288,
		    "Frames transmitted without carrier sense; half duplex only",
		    MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_CARRIER_LOSS),
		    MACSTATS_FEEDS(CARRIER_SENSE_ERRORS, RTNL_TX_CARRIER_ERRORS, RTNL_TX_ERRORS)),
	LAN743X_COUNTER("tx_bad_octets", "TX_BAD_BYTE_COUNT", 0x128c, OCTETS,
			"Octets of transmitted frames with an error",
			MACSTATS_WHEN_TX(.errors = LAN743X_TX_BAD)),
	/* IEEE 802.3 30.3.1.1.3, .4, .11, .10: a late collision ends the frame before the limit. */
	LAN743X_ROW("tx_single_collisions", "TX_SINGLE_COLLISIONS", 0x1290,
		    "Good frames transmitted after exactly one collision",
		    LAN743X_TX_GOOD(.collisions = MACSTATS_ONE_COLLISION),
		    MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),
	LAN743X_ROW("tx_multiple_collisions", "TX_MULTIPLE_COLLISIONS", 0x1294,
		    "Good frames transmitted after 2 to 15 collisions",
		    LAN743X_TX_GOOD(.collisions = MACSTATS_SEVERAL_COLLISIONS),
		    MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),
	LAN743X_ROW("tx_excessive_collisions", "TX_EXCESSIVE_COLLISION", 0x1298,
		    "Frames given up after 16 collisions",
		    MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
				     .no_errors = MACSTATS_ERR_LATE_COLLISION),
		    MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ABORTED_ERRORS,
				   RTNL_TX_ERRORS)),
	LAN743X_ROW("tx_late_collisions", "TX_LATE_COLLISIONS", 0x129c,
		    "Frames given up because of a collision later than a slot time",
		    MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION),
		    MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_TX_WINDOW_ERRORS, RTNL_TX_ERRORS)),
	LAN743X_TX_OCTETS_TO(UNICAST, "unicast", 0x12a0)
	LAN743X_TX_OCTETS_TO(BROADCAST, "broadcast", 0x12a4)
	LAN743X_TX_OCTETS_TO(MULTICAST, "multicast", 0x12a8)
	LAN743X_TX_TO(UNICAST, "unicast", 0x12ac, LAN743X_TX_GOOD_TO(UNICAST))
	LAN743X_TX_TO(BROADCAST, "broadcast", 0x12b0, LAN743X_TX_GOOD_TO(BROADCAST),
		      MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK))
	LAN743X_TX_TO(MULTICAST, "multicast", 0x12b4, LAN743X_TX_GOOD_TO(MULTICAST),
		      MACSTATS_FEEDS(MULTICAST_FRAMES_XMITTED_OK))
	/* Those of software are frames like any other: the MAC does not look (inferred). */
	LAN743X_ROW("tx_pause_frames", "TX_PAUSE_FRAMES", 0x12b8, "Pause frames of the MAC",
		    MACSTATS_WHEN_TX(.kind = MACSTATS_PAUSE, .origin = MACSTATS_BY_MAC),
		    MACSTATS_FEEDS(TX_PAUSE_FRAMES)),
	LAN743X_SIZES(LAN743X_TX_SIZE)
	LAN743X_ROW("tx_total_frames", "TX_TOTAL_FRAMES", 0x12d8, "Good transmitted frames",
		    LAN743X_TX_GOOD_TO(ANY),
		    .standard = { MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),
				  { MACSTATS_STD_RTNL_TX_BYTES, -4 } }),
	LAN743X_LPI("tx", "TX", 0x12dc)
};

/* 0x7430 or 0x7431 in the high half of ID_REV tells the chips apart; the other bits are alike. */
MACSTATS_TABLE const struct macstats_register lan743x_registers[] = {
	MACSTATS_REGISTER(RO, "ID_REV", 0x0000, 0x74300000, "Chip and revision", .fields = {
		MACSTATS_FIELD(RO, "CHIP_REV", 0, 16, "Revision"),
		MACSTATS_FIELD(RO, "LAN7431", 16, 1, "The chip is a LAN7431, not a LAN7430"),
		MACSTATS_FIELD(RO, "ID", 17, 15, "Bits 15 to 1 of the chip's number",
			       .roles = MACSTATS_ROLE_IDENTITY) }),
	MACSTATS_REGISTER(RW, "MAC_CR", 0x0100, 0, "MAC control", .fields = {
		MACSTATS_COMMAND("RST", 0, "MAC reset; does nothing here"),
		MACSTATS_FIELD(RW, "CFG", 1, 2, "Speed: 10, 100 or 1000 Mb/s"),
		MACSTATS_FIELD(RW, "DPX", 3, 1, "Full duplex"),
		MACSTATS_COMMAND("CNTR_RST", 5, "Clear the counters",
				 .roles = MACSTATS_ROLE_CLEAR),
		MACSTATS_FIELD(RW, "ASD", 11, 1, "Automatic speed detection"),
		MACSTATS_FIELD(RW, "ADD", 12, 1, "Automatic duplex detection"),
		MACSTATS_FIELD(RW, "EEE_EN", 17, 1, "Energy-efficient Ethernet enable"),
		MACSTATS_FIELD(RW, "MII_EN", 19, 1, "MII in place of RGMII") }),
	MACSTATS_REGISTER(RW, "MAC_RX", 0x0104, 0x05ee0000, "Receive control", .fields = {
		MACSTATS_FIELD(RW, "RXEN", 0, 1,
			       "Receive enable; frames count whatever it is here"),
		MACSTATS_FIELD(RW, "RXD", 1, 1, "Receiver is disabled"),
		MACSTATS_FIELD(RW, "FSE", 2, 1,
			       "A tagged frame may be 4 octets longer; it always may here"),
		MACSTATS_FIELD(RW, "MAX_SIZE", 16, 14, "Maximum length in octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX) }),
	MACSTATS_REGISTER(RW, "MAC_TX", 0x0108, 0, "Transmit control", .fields = {
		MACSTATS_FIELD(RW, "TXEN", 0, 1,
			       "Transmit enable; frames count whatever it is here"),
		MACSTATS_FIELD(RW, "TXD", 1, 1, "Transmitter is disabled") }),
	MACSTATS_REGISTER(RW, "MAC_FLOW", 0x010c, 0, "Flow control", .fields = {
		MACSTATS_FIELD(RW, "FCPT", 0, 16, "Pause time of the pause frames of the MAC"),
		MACSTATS_FIELD(RW, "RX_FCEN", 29, 1, "Act upon received pause frames"),
		MACSTATS_FIELD(RW, "TX_FCEN", 30, 1, "Exert flow control",
			       .roles = MACSTATS_ROLE_FLOW_CONTROL) }),
	MACSTATS_REGISTER(RO, "RX_COUNTER_ROLLOVER_STATUS", 0x127c, 0,
			  "Receive counters that rolled over: stays 0"),
	MACSTATS_REGISTER(RO, "TX_COUNTER_ROLLOVER_STATUS", 0x12fc, 0,
			  "Transmit counters that rolled over: stays 0"),
};

/* Padding and the pause frames of the MAC are inferred: IEEE 802.3 4.2.3.3 and annex 31B. */
MACSTATS_TABLE const struct macstats_model lan743x_model = {
	.name = "lan743x", .title = "Microchip LAN7430/LAN7431 Gigabit Ethernet controller",
	.datasheet = "Linux driver lan743x, lan743x_main.h",
	.drivers = { "lan743x" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000ull,
	MACSTATS_ROWS(counters, lan743x_counters), MACSTATS_ROWS(registers, lan743x_registers),
	.blocks = { { .name = "statistics" } }, .n_blocks = 1,
	.sizes = { .edge = MACSTATS_RMON_EDGES },
	.tag_over_max = true, .ieee_own_pause = true,
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN,
	.data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_LAN743X_H */
