/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Intel 8254x Gigabit Ethernet controllers: the statistics registers of an 82540EM. Data only.
 *
 * Source: PCI/PCI-X Family of Gigabit Ethernet Controllers Software Developer's Manual, section
 * 13.7, "Statistics Registers". "Inferred" marks facts that the manual leaves open.
 *
 * Lengths run from the destination address to the CRC inclusive. Legal is a length of 64 octets
 * up to the maximum, which is 1522 octets, or 16384 while RCTL.LPE allows long packets. Tags do
 * not change the maximum. Transmission has no maximum (inferred).
 *
 * A frame with an alignment error, or in which the PHY signalled an error, has a bad CRC (IEEE
 * 802.3 4.2.4.1.1 and 22.2.1.5). A good received frame has a legal length and a good CRC. Flow
 * control frames are not among good frames, their octets and sizes: received XON, XOFF and those
 * with another opcode; transmitted ones of the MAC. Of those MPTC and sizes other than 64 octets
 * are inferred. Only MPC, TPR and TOR count a missed frame. "Transmitted" without "good
 * or bad" means sent whole: neither given up after a collision nor cut by an underrun; TPT and TOT
 * leave out the former only. The MAC does not check a CRC that software appends (inferred).
 *
 * Limits of the model:
 * - RCTL.EN and TCTL.EN stop the counters of one direction. Here they are always on.
 * - CTRL.RST leaves the statistics unknown. Here it does nothing; the fault `reset` stands for it.
 * - Alignment errors exist in MII mode, at 10 and 100 Mb/s. Rows cannot name a speed.
 * - Frames do not show pause time, carrier extension, management traffic or TCP segmentation, and
 *   an 82540EM has no SerDes. Pause frames count as XOFF, and the other rows never count.
 * - All frames pass the address filter, and control frames are flow control to any address; the
 *   manual asks for the station's or the multicast address of flow control.
 * - The last size class of transmitted frames has no maximum, but Linux shows that of reception.
 *
 * Standard statistics. Octets include the CRC, so bytes are octets - 4 for each good frame. IEEE
 * octets are absent, because no counter separates tagged frames, and so are received multicast
 * frames, because MPRC leaves out pause frames, which may be multicast or not. The pause frames of
 * the MAC are multicast. Deferred transmissions are absent: DC includes frames that collided later.
 * FramesLostDueToIntMACRcvError is absent: MPC includes bad frames. A frame without carrier sense
 * is sent, so it is in tx_packets and in tx_errors. No counter shows an underrun.
 */
#ifndef MACSTATS_MODEL_E1000_H
#define MACSTATS_MODEL_E1000_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum e1000_errors {
	E1000_MISSED = MACSTATS_ERR_OVERRUN,
	E1000_BAD_CRC = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE,
	E1000_COLLIDED = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS,
	E1000_TX_ENDED = E1000_COLLIDED | MACSTATS_ERR_UNDERRUN,
};

/* A read clears a counter other than one of octets; it stays at its maximum. */
#define E1000_COUNTER(name_, reg_, offset_, unit_, help_, ...)				\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32, .unit = MACSTATS_##unit_,	\
		     .onread = MACSTATS_ONREAD_RCLR, .overflow = MACSTATS_SATURATE, __VA_ARGS__)
#define E1000_ROW(name_, reg_, offset_, help_, ...) \
	E1000_COUNTER(name_, reg_, offset_, FRAMES, help_, __VA_ARGS__)
/*
 * The low word of a counter of 64 bits, which rolls over. A read of the high word would clear
 * both, and whether the low word is held from its read until then is open: octets that arrive
 * between the two reads could be lost. So nothing may read the high word.
 */
#define E1000_OCTETS(name_, reg_, offset_, help_, ...)					\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32, .unit = MACSTATS_OCTETS,	\
		     __VA_ARGS__)
#define E1000_NEVER(name_, reg_, offset_, help_) \
	E1000_ROW(name_, reg_, offset_, help_, .never = true)
#define E1000_ERRORS_NEVER_SEEN(name_, reg_, offset_, help_) \
	E1000_ROW(name_, reg_, offset_, help_, MACSTATS_ERRORS_NEVER_SEEN)

/* Received frames that were not missed, without the errors @not_. */
#define E1000_RX(not_, ...) \
	MACSTATS_WHEN_RX(__VA_ARGS__, .no_errors = E1000_MISSED | (not_))
#define E1000_RX_GOOD(to, kind_, size_)							\
	E1000_RX(E1000_BAD_CRC, .destination = MACSTATS_##to, .kind = kind_,		\
		 .excess = MACSTATS_WITHIN_MAX, .size = size_)
#define E1000_TX_SENT(...) MACSTATS_WHEN_TX(__VA_ARGS__, .no_errors = E1000_TX_ENDED)
/* All but the pause frames of the MAC: those that software queues are frames like any other. */
#define E1000_TX_DATA(to, size_)								\
	E1000_TX_SENT(.destination = MACSTATS_##to, .origin = MACSTATS_BY_SOFTWARE, .size = size_)

/*
 * The sizes from 1024 octets up are one row. None feeds the histogram of Linux, whose ranges are
 * those of RFC 2819: they have bad frames and flow control frames, too.
 */
#define E1000_SIZE_1024_UP (MACSTATS_SIZE_1024_TO_1518 | MACSTATS_SIZE_1519_UP)
#define E1000_RX_SIZE(i, name_, reg_, text, size_)					\
	E1000_ROW("rx_" name_ "_octets", "PRC" reg_, 0x405c + 4 * (i),			\
		  "Good received frames of " text, E1000_RX_GOOD(ANY, MACSTATS_DATA, size_)),
#define E1000_TX_SIZE(i, name_, reg_, text, size_)					\
	E1000_ROW("tx_" name_ "_octets", "PTC" reg_, 0x40d8 + 4 * (i),			\
		  "Transmitted frames of " text, E1000_TX_DATA(ANY, size_)),
/* The datasheet names a row after its last length. */
#define E1000_SIZES(row)								\
	row(0, "64", "64", "64 octets", MACSTATS_SIZE_64)				\
	row(1, "65_to_127", "127", "65 to 127 octets", MACSTATS_SIZE_65_TO_127)		\
	row(2, "128_to_255", "255", "128 to 255 octets", MACSTATS_SIZE_128_TO_255)	\
	row(3, "256_to_511", "511", "256 to 511 octets", MACSTATS_SIZE_256_TO_511)	\
	row(4, "512_to_1023", "1023", "512 to 1023 octets", MACSTATS_SIZE_512_TO_1023)	\
	row(5, "1024_up", "1522", "1024 octets up to the maximum", E1000_SIZE_1024_UP)

/*
 * Rows that e1000e.h has as well, each macro up to an address at which that has others. Collisions
 * are counted in some of its revisions only.
 */
#define E1000_CRC_ROWS									\
	E1000_ROW("rx_crc_errors", "CRCERRS", 0x4000,					\
		  "Received frames of 64 octets or more with a CRC error",		\
		  E1000_RX(0, .size = MACSTATS_SIZE_64_UP, .errors = E1000_BAD_CRC),	\
		  MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS,	\
				 RTNL_RX_ERRORS)),					\
	/* The manual states 64 octets or more; the maximum is inferred: IEEE 802.3 30.3.1.1.7. */ \
	E1000_ROW("rx_align_errors", "ALGNERRC", 0x4004,				\
		  "Received frames of legal length with an alignment error",		\
		  E1000_RX(0, .excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP, \
			   .errors = MACSTATS_ERR_ALIGNMENT),				\
		  .standard = { MACSTATS_PLUS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS),	\
				MACSTATS_MINUS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS) }),
#define E1000_MISSED_ROWS								\
	E1000_ROW("rx_data_errors", "RXERRC", 0x400c,					\
		  "Received frames of 64 octets or more with a PHY error",		\
		  E1000_RX(0, .size = MACSTATS_SIZE_64_UP, .errors = MACSTATS_ERR_CODE)), \
	E1000_ROW("rx_missed", "MPC", 0x4010,						\
		  "Frames missed because the receive FIFO had no room",			\
		  MACSTATS_WHEN_RX(.errors = E1000_MISSED),				\
		  MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
/* The unit and the text of COLC, and what late collisions feed but for errors. */
#define E1000_COLLISION_ROWS(revisions_, unit_, help_, ...)				\
	E1000_ROW("tx_single_collisions", "SCC", 0x4014,				\
		  "Frames transmitted after exactly one collision", .revisions = revisions_, \
		  E1000_TX_SENT(.collisions = MACSTATS_ONE_COLLISION),			\
		  MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),				\
	/* A late collision ends the frame before the limit (inferred). */		\
	E1000_ROW("tx_excessive_collisions", "ECOL", 0x4018,				\
		  "Frames given up after 16 collisions", .revisions = revisions_,	\
		  MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,		\
				   .no_errors = MACSTATS_ERR_LATE_COLLISION),		\
		  MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ABORTED_ERRORS, \
				 RTNL_TX_ERRORS)),					\
	E1000_ROW("tx_multiple_collisions", "MCC", 0x401c,				\
		  "Frames transmitted after 2 to 15 collisions", .revisions = revisions_, \
		  E1000_TX_SENT(.collisions = MACSTATS_SEVERAL_COLLISIONS),		\
		  MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),				\
	E1000_ROW("tx_late_collisions", "LATECOL", 0x4020,				\
		  "Frames given up because of a collision later than 64 octet times",	\
		  .revisions = revisions_,						\
		  MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION),		\
		  MACSTATS_FEEDS(__VA_ARGS__, RTNL_TX_WINDOW_ERRORS, RTNL_TX_ERRORS)),	\
	E1000_COUNTER("tx_collisions", "COLC", 0x4028, unit_, help_,			\
		      .revisions = revisions_, MACSTATS_WHEN_TX(),			\
		      MACSTATS_FEEDS(RTNL_COLLISIONS)),
#define E1000_FLOW_CONTROL_ROWS								\
	/* The sum of RUC and ROC, so it feeds nothing. That the CRC is good is inferred. */ \
	E1000_ROW("rx_length_errors", "RLEC", 0x4040,					\
		  "Received frames of illegal length with a good CRC",			\
		  .when = { { .direction = MACSTATS_RX, .size = MACSTATS_SIZE_UNDER_64,	\
			      .no_errors = E1000_MISSED | E1000_BAD_CRC },		\
			    { .direction = MACSTATS_RX, .excess = MACSTATS_OVER_MAX,	\
			      .no_errors = E1000_MISSED | E1000_BAD_CRC } }),		\
	E1000_ROW("rx_xon", "XONRXC", 0x4048, "Received XON frames; see rx_xoff",	\
		  .never = true,							\
		  MACSTATS_FEEDS(RX_PAUSE_FRAMES, MAC_CONTROL_FRAMES_RECEIVED,		\
				 FRAMES_RECEIVED_OK)),					\
	E1000_ROW("tx_xon", "XONTXC", 0x404c, "Transmitted XON frames; see tx_xoff",	\
		  .never = true,							\
		  MACSTATS_FEEDS(TX_PAUSE_FRAMES, FRAMES_TRANSMITTED_OK,		\
				 MULTICAST_FRAMES_XMITTED_OK)),				\
	/* "Valid": good is inferred. */						\
	E1000_ROW("rx_xoff", "XOFFRXC", 0x4050, "Good received pause frames of any pause time", \
		  E1000_RX_GOOD(ANY, MACSTATS_PAUSE, MACSTATS_SIZE_64_UP),		\
		  MACSTATS_FEEDS(RX_PAUSE_FRAMES, MAC_CONTROL_FRAMES_RECEIVED,		\
				 FRAMES_RECEIVED_OK)),					\
	E1000_ROW("tx_xoff", "XOFFTXC", 0x4054,						\
		  "Transmitted pause frames of the MAC, of any pause time",		\
		  E1000_TX_SENT(.kind = MACSTATS_PAUSE, .origin = MACSTATS_BY_MAC),	\
		  MACSTATS_FEEDS(TX_PAUSE_FRAMES, FRAMES_TRANSMITTED_OK,		\
				 MULTICAST_FRAMES_XMITTED_OK)),				\
	E1000_ROW("rx_unsupported_flow_control", "FCRUC", 0x4058,			\
		  "Good received MAC control frames with an opcode other than 00-01",	\
		  E1000_RX_GOOD(ANY, MACSTATS_CONTROL | MACSTATS_PFC, MACSTATS_SIZE_64_UP), \
		  MACSTATS_FEEDS(UNSUPPORTED_OPCODES_RECEIVED, MAC_CONTROL_FRAMES_RECEIVED, \
				 FRAMES_RECEIVED_OK)),
#define E1000_TOTAL_ROWS								\
	E1000_ROW("rx_good_frames", "GPRC", 0x4074, "Good received frames, flow control excluded", \
		  E1000_RX_GOOD(ANY, MACSTATS_DATA, MACSTATS_SIZE_64_UP),		\
		  .standard = { MACSTATS_PLUS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS),	\
				{ MACSTATS_STD_RTNL_RX_BYTES, -4 } }),			\
	E1000_ROW("rx_broadcast", "BPRC", 0x4078, "Good received broadcast frames",	\
		  E1000_RX_GOOD(BROADCAST, MACSTATS_DATA, MACSTATS_SIZE_64_UP),		\
		  MACSTATS_FEEDS(BROADCAST_FRAMES_RECEIVED_OK)),			\
	/* Without broadcast, as for MPTC: inferred. */					\
	E1000_ROW("rx_multicast", "MPRC", 0x407c,					\
		  "Good received multicast frames, broadcast and flow control excluded", \
		  E1000_RX_GOOD(MULTICAST, MACSTATS_DATA, MACSTATS_SIZE_64_UP),		\
		  MACSTATS_FEEDS(RTNL_MULTICAST)),					\
	E1000_ROW("tx_good_frames", "GPTC", 0x4080,					\
		  "Good transmitted frames, flow control excluded",			\
		  E1000_TX_DATA(ANY, MACSTATS_ANY),					\
		  .standard = { MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),	\
				{ MACSTATS_STD_RTNL_TX_BYTES, -4 } }),			\
	E1000_OCTETS("rx_good_octets", "GORC", 0x4088, "Octets of the frames in GPRC",	\
		     E1000_RX_GOOD(ANY, MACSTATS_DATA, MACSTATS_SIZE_64_UP),		\
		     MACSTATS_FEEDS(RTNL_RX_BYTES)),					\
	E1000_OCTETS("tx_good_octets", "GOTC", 0x4090, "Octets of the frames in GPTC",	\
		     E1000_TX_DATA(ANY, MACSTATS_ANY), MACSTATS_FEEDS(RTNL_TX_BYTES)),	\
	/* Such a frame is not lost yet, so the other rows count it too. */		\
	E1000_ROW("rx_no_buffer", "RNBC", 0x40a0,					\
		  "Frames received while no buffer was free, flow control excluded",	\
		  E1000_RX(0, .kind = MACSTATS_DATA, .errors = MACSTATS_ERR_NO_BUFFER)), \
	E1000_ROW("rx_undersize", "RUC", 0x40a4,					\
		  "Received frames of less than 64 octets with a good CRC",		\
		  E1000_RX(E1000_BAD_CRC, .size = MACSTATS_SIZE_UNDER_64),		\
		  MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_ERRORS)),			\
	E1000_ROW("rx_fragments", "RFC", 0x40a8,					\
		  "Received frames of less than 64 octets with a bad CRC",		\
		  E1000_RX(0, .size = MACSTATS_SIZE_UNDER_64, .errors = E1000_BAD_CRC),	\
		  MACSTATS_FEEDS(FRAGMENTS, RTNL_RX_ERRORS)),				\
	E1000_ROW("rx_oversize", "ROC", 0x40ac,						\
		  "Received frames longer than the maximum with a good CRC",		\
		  E1000_RX(E1000_BAD_CRC, .excess = MACSTATS_OVER_MAX),			\
		  MACSTATS_FEEDS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS, \
				 RTNL_RX_ERRORS)),					\
	E1000_ROW("rx_jabbers", "RJC", 0x40b0,						\
		  "Received frames longer than the maximum with a bad CRC",		\
		  E1000_RX(0, .excess = MACSTATS_OVER_MAX, .errors = E1000_BAD_CRC),	\
		  .standard = { MACSTATS_PLUS(JABBERS, FRAME_TOO_LONG_ERRORS,		\
					      RTNL_RX_LENGTH_ERRORS),			\
				MACSTATS_MINUS(FRAME_CHECK_SEQUENCE_ERRORS,		\
					       RTNL_RX_CRC_ERRORS) }),			\
	E1000_NEVER("rx_management", "MGTPRC", 0x40b4, "Received management frames: stays 0"), \
	E1000_ERRORS_NEVER_SEEN("rx_management_dropped", "MGTPDC", 0x40b8,		\
				"Dropped management frames: stays 0"),			\
	E1000_NEVER("tx_management", "MGTPTC", 0x40bc, "Transmitted management frames: stays 0"), \
	E1000_OCTETS("rx_total_octets", "TOR", 0x40c0,					\
		     "Octets of all received frames, good, bad or missed",		\
		     MACSTATS_WHEN_RX()),						\
	E1000_OCTETS("tx_total_octets", "TOT", 0x40c8,					\
		     "Octets of all transmitted frames, good or bad",			\
		     MACSTATS_WHEN_TX(.no_errors = E1000_COLLIDED)),			\
	E1000_ROW("rx_total_frames", "TPR", 0x40d0, "All received frames, good, bad or missed", \
		  MACSTATS_WHEN_RX()),							\
	E1000_ROW("tx_total_frames", "TPT", 0x40d4, "All transmitted frames, good or bad", \
		  MACSTATS_WHEN_TX(.no_errors = E1000_COLLIDED)),
#define E1000_ADDRESS_ROWS								\
	E1000_ROW("tx_multicast", "MPTC", 0x40f0,					\
		  "Transmitted multicast frames, broadcast and flow control excluded",	\
		  E1000_TX_DATA(MULTICAST, MACSTATS_ANY),				\
		  MACSTATS_FEEDS(MULTICAST_FRAMES_XMITTED_OK)),				\
	E1000_ROW("tx_broadcast", "BPTC", 0x40f4, "Transmitted broadcast frames",	\
		  E1000_TX_DATA(BROADCAST, MACSTATS_ANY),				\
		  MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK)),

MACSTATS_TABLE const struct macstats_counter e1000_counters[] = {
	E1000_CRC_ROWS
	E1000_ERRORS_NEVER_SEEN("rx_symbol_errors", "SYMERRS", 0x4008,
				"Symbol errors of a SerDes: stays 0"),
	E1000_MISSED_ROWS
	/* 13.7.10: "collisions that are not late collisions". */
	E1000_COLLISION_ROWS(0, EARLY_COLLISIONS, "Collisions, late ones excluded",
			     LATE_COLLISIONS, RTNL_COLLISIONS)
	/* One deferral for each frame (inferred). */
	E1000_ROW("tx_deferred", "DC", 0x4030, "Frames whose transmission was deferred",
		  MACSTATS_WHEN_TX(.deferred = true)),
	E1000_ROW("tx_no_carrier_sense", "TNCRS", 0x4034,
		  "Frames transmitted without carrier sense; half duplex only",
		  MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_CARRIER_LOSS,
				   .no_errors = E1000_TX_ENDED),
		  MACSTATS_FEEDS(CARRIER_SENSE_ERRORS, RTNL_TX_CARRIER_ERRORS, RTNL_TX_ERRORS)),
	E1000_ERRORS_NEVER_SEEN("rx_sequence_errors", "SEC", 0x4038,
				"Sequence errors of a SerDes: stays 0"),
	E1000_ERRORS_NEVER_SEEN("rx_carrier_extension_errors", "CEXTERR", 0x403c,
				"Carrier extension errors: stays 0"),
	E1000_FLOW_CONTROL_ROWS
	E1000_SIZES(E1000_RX_SIZE)
	E1000_TOTAL_ROWS
	E1000_SIZES(E1000_TX_SIZE)
	E1000_ADDRESS_ROWS
	E1000_NEVER("tx_tcp_contexts", "TSCTC", 0x40f8,
		    "TCP segmentation contexts transmitted: stays 0"),
	E1000_ERRORS_NEVER_SEEN("tx_tcp_contexts_failed", "TSCTFC", 0x40fc,
				"TCP segmentation contexts that failed: stays 0"),
};

/* Reset values are inferred. */
MACSTATS_TABLE const struct macstats_register e1000_registers[] = {
	MACSTATS_REGISTER(RW, "CTRL", 0x0000, 0, "Device control", .fields = {
		MACSTATS_COMMAND("RST", 26, "Device reset; does nothing here") }),
	MACSTATS_REGISTER(RO, "STATUS", 0x0008, 0x2, "Device status", .fields = {
		MACSTATS_FIELD(RO, "LU", 1, 1, "Link is up") }),
	MACSTATS_REGISTER(RW, "RCTL", 0x0100, 0, "Receive control", .fields = {
		MACSTATS_FIELD(RW, "EN", 1, 1,
			       "Receive enable; frames count whatever it is here"),
		MACSTATS_FIELD(RW, "SBP", 2, 1, "Store bad packets"),
		MACSTATS_FIELD(RW, "LPE", 5, 1, "Long packet enable: raises the maximum length",
			       .roles = MACSTATS_ROLE_MAX_FRAME_SWITCH) }),
	MACSTATS_REGISTER(RW, "TCTL", 0x0400, 0, "Transmit control", .fields = {
		MACSTATS_FIELD(RW, "EN", 1, 1,
			       "Transmit enable; frames count whatever it is here") }),
};

MACSTATS_TABLE const struct macstats_model e1000_model = {
	.name = "e1000", .title = "Intel 8254x Gigabit Ethernet controller",
	.datasheet = "Intel 8254x Software Developer's Manual, Statistics Registers",
	.drivers = { "e1000" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000ull,
	MACSTATS_ROWS(counters, e1000_counters), MACSTATS_ROWS(registers, e1000_registers),
	.blocks = { { .name = "statistics" } }, .n_blocks = 1,
	.reserved = {
		{ 0x408c, 0x408f, MACSTATS_READS_HIGH_WORD },
		{ 0x4094, 0x4097, MACSTATS_READS_HIGH_WORD },
		{ 0x40c4, 0x40c7, MACSTATS_READS_HIGH_WORD },
		{ 0x40cc, 0x40cf, MACSTATS_READS_HIGH_WORD },
	}, .n_reserved = 4,
	.sizes = { .edge = MACSTATS_RMON_EDGES },
	.max_frame_switch = { 1522, 16384 },
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN,	/* inferred: padding is enabled */
	.data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
	.power_up = MACSTATS_POWER_UP_RANDOM,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_E1000_H */
