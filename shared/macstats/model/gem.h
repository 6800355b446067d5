/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Cadence Gigabit Ethernet MAC (GEM), as in Zynq UltraScale+; also in Zynq-7000, SAM, PolarFire and
 * the Raspberry Pi 5. Data only.
 *
 * Source: AMD UG1087, Zynq UltraScale+ Register Reference, module GEM; UG585, Zynq-7000 Technical
 * Reference Manual, chapter 16. "Inferred" marks facts that they leave open.
 *
 * Lengths include the FCS. Legal is a length of 64 octets up to the maximum: 1518 octets, 1536 with
 * bit 8 of network_config, or jumbo_max_length with bit 3, tagged or not. Transmission has no
 * maximum (inferred). A read clears a counter, which stays at its maximum. Frames with an underrun
 * are in no other counter. Good received frames are those that were copied to memory, so neither
 * overrun nor without a buffer; the counters of errors do not depend on that (inferred). A late
 * collision at 10 and 100 Mb/s is a collision like others: the frame is retried, and is given up
 * only after 16 of them. At 1000 Mb/s it ends the frame.
 *
 * Limits of the model:
 * - Both directions are always enabled. Speed and duplex are options of the device.
 * - Frames with a wrong checksum have a wrong one of IP. A length field is wrong in either
 *   direction, while the MAC only finds frames that are too short. MAC control frames have neither;
 *   one that is described with such an error is discarded like others.
 * - Nothing is idle: the counters of low power idle, whose widths are inferred, stay 0.
 * - The module number in revision differs by generation, so that nothing identifies all.
 *
 * Standard statistics. bytes are octets - 4 for each good frame. IEEE octets are absent, because no
 * counter separates tagged frames; histograms, as RFC 2819 has bad and pause frames, too; and
 * received multicast frames, as pause frames are left out. A frame without carrier sense is sent,
 * as is one with a late collision at 10 and 100 Mb/s: both are in tx_packets and in tx_errors.
 */
#ifndef MACSTATS_MODEL_GEM_H
#define MACSTATS_MODEL_GEM_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum gem_mask {
	GEM_BAD = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE,
	GEM_GIVEN_UP = MACSTATS_ERR_EXCESSIVE_COLLISIONS | MACSTATS_ERR_UNDERRUN,
	GEM_ABORTED = GEM_GIVEN_UP | MACSTATS_ERR_LATE_COLLISION,
	GEM_BAD_OR_OVERRUN = GEM_BAD | MACSTATS_ERR_OVERRUN,
	GEM_BAD_OR_LOST = GEM_BAD_OR_OVERRUN | MACSTATS_ERR_NO_BUFFER,
	GEM_WRONG_CHECKSUM = MACSTATS_ERR_CHECKSUM,
	GEM_WRONG_LENGTH = MACSTATS_ERR_PAYLOAD_LENGTH,
	GEM_WRONG = GEM_WRONG_CHECKSUM | GEM_WRONG_LENGTH,
	GEM_DISCARDS_LENGTH   = MACSTATS_OPT_SETTING,
	GEM_DISCARDS_CHECKSUM = MACSTATS_OPT_SETTING_2,
	GEM_DISCARDS_BOTH     = MACSTATS_OPT_SETTING | MACSTATS_OPT_SETTING_2,
};

#define GEM_COUNTER(name_, reg_, offset_, bits_, unit_, help_, ...)				\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = bits_, .unit = MACSTATS_##unit_,	\
		     .onread = MACSTATS_ONREAD_RCLR, .overflow = MACSTATS_SATURATE, __VA_ARGS__)
#define GEM_ROW(name_, reg_, offset_, bits_, help_, ...) \
	GEM_COUNTER(name_, reg_, offset_, bits_, FRAMES, help_, __VA_ARGS__)
/* The low word is read first, and holds the high one. */
#define GEM_OCTETS(name_, reg_, offset_, help_, ...) \
	GEM_COUNTER(name_, reg_, offset_, 48, OCTETS, help_, .latch = true, __VA_ARGS__)

/* Frames below 1000 Mb/s; those that software has sent, and that collided: late, too, there. */
#define GEM_SLOW(...) \
	{ __VA_ARGS__, .with = MACSTATS_OPT_10M }, { __VA_ARGS__, .with = MACSTATS_OPT_100M }
#define GEM_SENT(to, collided, late, size_)							\
	.when = { { GEM_BY_SOFTWARE(to, collided, size_), .no_errors = GEM_ABORTED },		\
		  GEM_SLOW(GEM_BY_SOFTWARE(to, late, size_),					\
			   .errors = MACSTATS_ERR_LATE_COLLISION, .no_errors = GEM_GIVEN_UP) }
#define GEM_BY_SOFTWARE(to, collided, size_)							\
	.direction = MACSTATS_TX, .destination = MACSTATS_##to,					\
	.origin = MACSTATS_BY_SOFTWARE, .collisions = collided, .size = size_
#define GEM_TX(to, size_) \
	GEM_SENT(to, MACSTATS_ANY, MACSTATS_ONE_COLLISION | MACSTATS_SEVERAL_COLLISIONS, size_)

/* Good received frames but pause frames, unless a check discards them. */
#define GEM_GOOD(to, size_, checked, without_)							\
	{ .direction = MACSTATS_RX, .destination = MACSTATS_##to,				\
	  .kind = MACSTATS_DATA | MACSTATS_CONTROL | MACSTATS_PFC, .excess = MACSTATS_WITHIN_MAX, \
	  .size = size_, .no_errors = GEM_BAD_OR_LOST | (checked), .without = without_ }
#define GEM_RX(to, size_)									\
	.when = { GEM_GOOD(to, size_, GEM_WRONG, 0),						\
		  GEM_GOOD(to, size_, GEM_WRONG_CHECKSUM, GEM_DISCARDS_LENGTH),		\
		  GEM_GOOD(to, size_, GEM_WRONG_LENGTH, GEM_DISCARDS_CHECKSUM),	\
		  GEM_GOOD(to, size_, 0, GEM_DISCARDS_BOTH) }
#define GEM_RX_LEGAL(...) \
	MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP, __VA_ARGS__)

/* Frames that the MAC would have copied to memory. That a checksum is not looked at is inferred. */
#define GEM_NO_BUFFER(checked, without_)							\
	{ .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP,	\
	  .errors = MACSTATS_ERR_NO_BUFFER, .no_errors = GEM_BAD_OR_OVERRUN | (checked),	\
	  .without = without_ }

/* Not every GEM has them: there they read as 0. */
#define GEM_LPI(way, offset_)									\
	GEM_ROW(way "_lpi_transitions", way "_lpi", offset_, 16,				\
		"Entries to low power idle: stays 0", .never = true),				\
	GEM_ROW(way "_lpi_time", way "_lpi_time", (offset_) + 4, 24,			\
		"Time in low power idle: stays 0", .never = true),

#define GEM_UNCHECKED(name_, of, offset_)							\
	GEM_ROW("rx_" name_ "_checksum_errors", "rx_" name_ "_ck_errors", offset_, 8,		\
		"Frames discarded because of a wrong checksum of " of "; see "			\
		"rx_ip_checksum_errors", MACSTATS_ERRORS_NEVER_SEEN)
#define GEM_TX_SIZE(i, name_, reg_, text, size_)						\
	GEM_ROW("tx_" name_ "_octets", "frames_txed_" reg_, 0x118 + 4 * (i), 32,		\
		"Transmitted frames of " text ", without pause frames of the MAC",		\
		GEM_TX(ANY, size_)),
#define GEM_RX_SIZE(i, name_, reg_, text, size_)						\
	GEM_ROW("rx_" name_ "_octets", "frames_rxed_" reg_, 0x168 + 4 * (i), 32,		\
		"Good received frames of " text ", without pause frames", GEM_RX(ANY, size_)),
/* The manual names a row after its first length. */
#define GEM_SIZES(row)										\
	row(0, "64", "64", "64 octets", MACSTATS_SIZE_64)					\
	row(1, "65_to_127", "65", "65 to 127 octets", MACSTATS_SIZE_65_TO_127)			\
	row(2, "128_to_255", "128", "128 to 255 octets", MACSTATS_SIZE_128_TO_255)		\
	row(3, "256_to_511", "256", "256 to 511 octets", MACSTATS_SIZE_256_TO_511)		\
	row(4, "512_to_1023", "512", "512 to 1023 octets", MACSTATS_SIZE_512_TO_1023)		\
	row(5, "1024_to_1518", "1024", "1024 to 1518 octets", MACSTATS_SIZE_1024_TO_1518)	\
	row(6, "1519_up", "1519", "1519 octets or more", MACSTATS_SIZE_1519_UP)

MACSTATS_TABLE const struct macstats_counter gem_counters[] = {
	GEM_OCTETS("tx_octets", "octets_txed", 0x100,
		   "Octets of transmitted frames, without pause frames of the MAC",
		   GEM_TX(ANY, MACSTATS_ANY), MACSTATS_FEEDS(RTNL_TX_BYTES)),
	GEM_ROW("tx_frames", "frames_txed_ok", 0x108, 32,
		"Transmitted frames, without pause frames of the MAC", GEM_TX(ANY, MACSTATS_ANY),
		.standard = { MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),
			      { MACSTATS_STD_RTNL_TX_BYTES, -4 } }),
	GEM_ROW("tx_broadcast", "broadcast_txed", 0x10c, 32, "Transmitted broadcast frames",
		GEM_TX(BROADCAST, MACSTATS_ANY), MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK)),
	GEM_ROW("tx_multicast", "multicast_txed", 0x110, 32,
		"Transmitted multicast frames, without pause frames of the MAC",
		GEM_TX(MULTICAST, MACSTATS_ANY), MACSTATS_FEEDS(MULTICAST_FRAMES_XMITTED_OK)),
	GEM_ROW("tx_pause", "pause_frames_txed", 0x114, 16, "Pause frames of the MAC",
		MACSTATS_WHEN_TX(.kind = MACSTATS_PAUSE, .origin = MACSTATS_BY_MAC,
				 .no_errors = MACSTATS_ERR_UNDERRUN),
		MACSTATS_FEEDS(TX_PAUSE_FRAMES, FRAMES_TRANSMITTED_OK,
			       MULTICAST_FRAMES_XMITTED_OK)),
	GEM_SIZES(GEM_TX_SIZE)
	GEM_ROW("tx_underruns", "tx_underruns", 0x134, 10,
		"Frames not transmitted because of an underrun",
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_UNDERRUN),
		MACSTATS_FEEDS(FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, RTNL_TX_FIFO_ERRORS,
			       RTNL_TX_ERRORS)),
	GEM_ROW("tx_single_collisions", "single_collisions", 0x138, 18,
		"Frames transmitted after exactly one collision",
		GEM_SENT(ANY, MACSTATS_ONE_COLLISION, MACSTATS_ONE_COLLISION, MACSTATS_ANY),
		MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),
	GEM_ROW("tx_multiple_collisions", "multiple_collisions", 0x13c, 18,
		"Frames transmitted after 2 to 15 collisions",
		GEM_SENT(ANY, MACSTATS_SEVERAL_COLLISIONS, MACSTATS_SEVERAL_COLLISIONS,
			 MACSTATS_ANY),
		MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),
	GEM_ROW("tx_excessive_collisions", "excessive_collisions", 0x140, 10,
		"Frames given up after 16 collisions",
		.when = { { .direction = MACSTATS_TX, .errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
			    .no_errors = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_UNDERRUN },
			  GEM_SLOW(.direction = MACSTATS_TX,
				   .collisions = MACSTATS_SIXTEEN_COLLISIONS,
				   .no_errors = MACSTATS_ERR_UNDERRUN) },
		MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ABORTED_ERRORS,
			       RTNL_TX_ERRORS)),
	GEM_ROW("tx_late_collisions", "late_collisions", 0x144, 10,
		"Frames with a collision later than a slot time; given up at 1000 Mb/s",
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION,
				 .no_errors = MACSTATS_ERR_UNDERRUN),
		MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_TX_WINDOW_ERRORS, RTNL_TX_ERRORS)),
	GEM_ROW("tx_deferred", "deferred_frames", 0x148, 18,
		"Frames whose first attempt was deferred, and that did not collide",
		MACSTATS_WHEN_TX(.collisions = MACSTATS_NO_COLLISION, .deferred = true,
				 .no_errors = MACSTATS_ERR_UNDERRUN),
		MACSTATS_FEEDS(FRAMES_WITH_DEFERRED_XMISSIONS)),
	GEM_ROW("tx_carrier_sense_errors", "crs_errors", 0x14c, 10,
		"Frames transmitted without carrier sense and collisions; half duplex only",
		MACSTATS_WHEN_TX(.collisions = MACSTATS_NO_COLLISION,
				 .errors = MACSTATS_ERR_CARRIER_LOSS,
				 .no_errors = MACSTATS_ERR_UNDERRUN),
		MACSTATS_FEEDS(CARRIER_SENSE_ERRORS, RTNL_TX_CARRIER_ERRORS, RTNL_TX_ERRORS)),
	GEM_OCTETS("rx_octets", "octets_rxed", 0x150,
		   "Octets of good received frames, without pause frames",
		   GEM_RX(ANY, MACSTATS_SIZE_64_UP), MACSTATS_FEEDS(RTNL_RX_BYTES)),
	GEM_ROW("rx_frames", "frames_rxed_ok", 0x158, 32,
		"Good received frames, without pause frames", GEM_RX(ANY, MACSTATS_SIZE_64_UP),
		.standard = { MACSTATS_PLUS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS),
			      { MACSTATS_STD_RTNL_RX_BYTES, -4 } }),
	GEM_ROW("rx_broadcast", "broadcast_rxed", 0x15c, 32, "Good received broadcast frames",
		GEM_RX(BROADCAST, MACSTATS_SIZE_64_UP),
		MACSTATS_FEEDS(BROADCAST_FRAMES_RECEIVED_OK)),
	GEM_ROW("rx_multicast", "multicast_rxed", 0x160, 32,
		"Good received multicast frames, without pause frames",
		GEM_RX(MULTICAST, MACSTATS_SIZE_64_UP), MACSTATS_FEEDS(RTNL_MULTICAST)),
	GEM_ROW("rx_pause", "pause_frames_rxed", 0x164, 16, "Good received pause frames",
		MACSTATS_WHEN_RX(.kind = MACSTATS_PAUSE, .excess = MACSTATS_WITHIN_MAX,
				 .size = MACSTATS_SIZE_64_UP, .no_errors = GEM_BAD),
		MACSTATS_FEEDS(RX_PAUSE_FRAMES, FRAMES_RECEIVED_OK)),
	GEM_SIZES(GEM_RX_SIZE)
	GEM_ROW("rx_undersize", "undersize_frames", 0x184, 10,
		"Received frames of less than 64 octets without an FCS or alignment error",
		MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64,
				 .no_errors = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT),
		MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS)),
	GEM_ROW("rx_oversize", "excessive_rx_length", 0x188, 10,
		"Received frames longer than the maximum without an error",
		MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .no_errors = GEM_BAD),
		MACSTATS_FEEDS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS,
			       RTNL_RX_ERRORS)),
	GEM_ROW("rx_jabbers", "rx_jabbers", 0x18c, 10,
		"Received frames longer than the maximum with an FCS, alignment or symbol error",
		MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .errors = GEM_BAD),
		MACSTATS_FEEDS(JABBERS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS,
			       RTNL_RX_ERRORS)),
	GEM_ROW("rx_fcs_errors", "fcs_errors", 0x190, 10,
		"Received frames of legal length and whole octets with an FCS or symbol error",
		GEM_RX_LEGAL(.errors = MACSTATS_ERR_FCS | MACSTATS_ERR_CODE,
			     .no_errors = MACSTATS_ERR_ALIGNMENT),
		MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS, RTNL_RX_ERRORS)),
	/* That the frame is otherwise good, and not without a buffer, is inferred. */
	GEM_ROW("rx_length_field_errors", "rx_length_errors", 0x194, 10,
		"Received frames with a wrong length field, while these are discarded",
		GEM_RX_LEGAL(.errors = MACSTATS_ERR_PAYLOAD_LENGTH, .no_errors = GEM_BAD,
			     .with = GEM_DISCARDS_LENGTH),
		MACSTATS_FEEDS(IN_RANGE_LENGTH_ERRORS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS)),
	GEM_ROW("rx_symbol_errors", "rx_symbol_errors", 0x198, 10,
		"Received frames with a symbol error; at 1000 Mb/s of a slot time or more",
		.when = { { .direction = MACSTATS_RX, .size = MACSTATS_SIZE_64_UP,
			    .errors = MACSTATS_ERR_CODE },
			  GEM_SLOW(.direction = MACSTATS_RX, .errors = MACSTATS_ERR_CODE) },
		MACSTATS_FEEDS(SYMBOL_ERROR_DURING_CARRIER)),
	GEM_ROW("rx_alignment_errors", "alignment_errors", 0x19c, 10,
		"Received frames of legal length, but not of whole octets",
		GEM_RX_LEGAL(.errors = MACSTATS_ERR_ALIGNMENT),
		MACSTATS_FEEDS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS, RTNL_RX_ERRORS)),
	GEM_ROW("rx_resource_errors", "rx_resource_errors", 0x1a0, 18,
		"Good received frames for which memory had no buffer",
		.when = { GEM_NO_BUFFER(GEM_WRONG_LENGTH, 0),
			  GEM_NO_BUFFER(0, GEM_DISCARDS_LENGTH) },
		MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
	GEM_ROW("rx_overruns", "rx_overruns", 0x1a4, 10,
		"Received frames that did not get to memory because of an overrun",
		MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_OVERRUN),
		MACSTATS_FEEDS(FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR, RTNL_RX_FIFO_ERRORS)),
	GEM_ROW("rx_ip_checksum_errors", "rx_ip_ck_errors", 0x1a8, 8,
		"Frames discarded because of a wrong checksum of the IP header",
		GEM_RX_LEGAL(.errors = MACSTATS_ERR_CHECKSUM, .no_errors = GEM_BAD_OR_LOST,
			     .with = GEM_DISCARDS_CHECKSUM)),
	GEM_UNCHECKED("tcp", "TCP", 0x1ac), GEM_UNCHECKED("udp", "UDP", 0x1b0),
	GEM_LPI("rx", 0x270)
	GEM_LPI("tx", 0x278)
};

MACSTATS_TABLE const struct macstats_register gem_registers[] = {
	MACSTATS_REGISTER(RW, "network_control", 0x0000, 0, "Network control", .fields = {
		MACSTATS_FIELD(RW, "enable_receive", 2, 1, "Receive enable; always on here"),
		MACSTATS_FIELD(RW, "enable_transmit", 3, 1, "Transmit enable; always on here"),
		MACSTATS_COMMAND("clear_all_stats_regs", 5, "Clear the counters",
				 .roles = MACSTATS_ROLE_CLEAR),
		MACSTATS_COMMAND("inc_all_stats_regs", 6, "Increment the counters",
				 .roles = MACSTATS_ROLE_INCREMENT),
		MACSTATS_FIELD(RW, "stats_write_en", 7, 1, "Writes to counters are stored",
			       .roles = MACSTATS_ROLE_WRITE_ENABLE) }),
	MACSTATS_REGISTER(RW, "network_config", 0x04, 0x280000, "Network configuration", .fields = {
		MACSTATS_FIELD(RW, "jumbo_frames", 3, 1, "The maximum length is jumbo_max_length",
			       .roles = MACSTATS_ROLE_MAX_FRAME_ENABLE),
		MACSTATS_FIELD(RW, "receive_1536_byte_frames", 8, 1,
			       "The maximum length is 1536 octets in place of 1518",
			       .roles = MACSTATS_ROLE_MAX_FRAME_SWITCH),
		MACSTATS_FIELD(RW, "length_field_error_frame_discard", 16, 1,
			       "Frames with a wrong length field are discarded",
			       .roles = MACSTATS_ROLE_SETTING),
		MACSTATS_FIELD(RW, "receive_checksum_offload_enable", 24, 1,
			       "Frames with a wrong checksum are discarded",
			       .roles = MACSTATS_ROLE_SETTING_2) }),
	MACSTATS_REGISTER(RW, "jumbo_max_length", 0x48, 10240, "Longest jumbo frames", .fields = {
		MACSTATS_FIELD(RW, "jumbo_max_length", 0, 14, "Octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX | MACSTATS_ROLE_MAX_FRAME_TX) }),
	MACSTATS_REGISTER(RO, "revision_reg", 0x00fc, 0x40070106, "Module and revision", .fields = {
		MACSTATS_FIELD(RO, "module_revision", 0, 16, "Revision"),
		MACSTATS_FIELD(RO, "module_identification_number", 16, 12,
			       "Module: 2 in Zynq-7000, 7 in Zynq UltraScale+"),
		MACSTATS_FIELD(RO, "fix_number", 28, 4, "Fix") }),
};

MACSTATS_TABLE const struct macstats_model gem_model = {
	.name = "gem", .title = "Cadence Gigabit Ethernet MAC",
	.datasheet = "AMD UG1087, Zynq UltraScale+ Register Reference, GEM",
	.drivers = { "macb" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000ull,
	MACSTATS_ROWS(counters, gem_counters), MACSTATS_ROWS(registers, gem_registers),
	.blocks = { { .name = "statistics" } }, .n_blocks = 1,
	.sizes = { .edge = MACSTATS_RMON_EDGES }, .max_frame_switch = { 1518, 1536 },
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN, .data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_GEM_H */
