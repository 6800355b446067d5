/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Ethernet MAC of the SpacemiT K1. Data only.
 *
 * Source: the registers and counters of Linux, drivers/net/ethernet/spacemit/k1_emac.h. What the
 * counters count follows from their names, RFC 2819 and IEEE 802.3: all of that is inferred.
 *
 * A command with the number of a counter makes the MAC put its 32 bits into two registers. There
 * is one such window for each direction. Counters roll over, and a read does not change them.
 *
 * Lengths include the FCS. Legal is a length of 64 octets up to the maximum. "ok" frames were sent
 * whole, or are of legal length without an error; "total" ones are all frames, good or bad. A
 * received frame that was dropped for lack of room counts as such, in the "total" ones and by its
 * length, and nowhere else (IEEE 802.3, 30.3.1.1.15).
 */
#ifndef MACSTATS_MODEL_K1_EMAC_H
#define MACSTATS_MODEL_K1_EMAC_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum k1_emac_errors {
	K1_EMAC_BAD = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE,
	K1_EMAC_LOST = MACSTATS_ERR_OVERRUN,
	K1_EMAC_BAD_OR_LOST = K1_EMAC_BAD | K1_EMAC_LOST,
	K1_EMAC_BAD_OR_LENGTH = K1_EMAC_BAD | MACSTATS_ERR_PAYLOAD_LENGTH,
	K1_EMAC_BAD_RX = K1_EMAC_BAD_OR_LENGTH | K1_EMAC_LOST,
	K1_EMAC_ALIGN_OR_LOST = MACSTATS_ERR_ALIGNMENT | K1_EMAC_LOST,
	K1_EMAC_NOT_SENT = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS |
			   MACSTATS_ERR_UNDERRUN,
};

/* Offsets that stand for counter 0 of a direction. */
enum k1_emac_window {
	K1_EMAC_TX = 0x1000,
	K1_EMAC_RX = 0x1080,
};

enum k1_emac_block {
	K1_EMAC_BLOCK_TX,
	K1_EMAC_BLOCK_RX,
};

#define K1_EMAC_ROW(dir, name_, reg_, number, unit_, help_, ...)				\
	MACSTATS_ROW(name_, reg_, K1_EMAC_##dir + 4 * (number), help_, .bits = 32,		\
		     .block = K1_EMAC_BLOCK_##dir, .unit = MACSTATS_##unit_, __VA_ARGS__)
#define K1_EMAC_TX_ROW(name_, reg_, number, help_, ...) \
	K1_EMAC_ROW(TX, name_, reg_, number, FRAMES, help_, __VA_ARGS__)
#define K1_EMAC_RX_ROW(name_, reg_, number, help_, ...) \
	K1_EMAC_ROW(RX, name_, reg_, number, FRAMES, help_, __VA_ARGS__)

#define K1_EMAC_SENT(to, kind_, collided)							\
	MACSTATS_WHEN_TX(.destination = MACSTATS_##to, .kind = kind_, .collisions = collided,	\
			 .no_errors = K1_EMAC_NOT_SENT)
#define K1_EMAC_GOOD(to, kind_)									\
	MACSTATS_WHEN_RX(.destination = MACSTATS_##to, .kind = kind_,				\
			 .excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP,		\
			 .no_errors = K1_EMAC_BAD_RX)
/* Good or bad, so that these are the ranges of RFC 2819. */
#define K1_EMAC_SIZE(i, name_, reg_, text, size_)						\
	K1_EMAC_RX_ROW("rx_" name_ "_octets", "rx_" reg_ "_pkts", 16 + (i),			\
		       "Received frames of " text ", good or bad",				\
		       MACSTATS_WHEN_RX(.size = size_), MACSTATS_FEEDS(HIST_RX)),

MACSTATS_TABLE const struct macstats_counter k1_emac_counters[] = {
	K1_EMAC_TX_ROW("tx_frames", "tx_ok_pkts", 0, "Transmitted frames",
		       K1_EMAC_SENT(ANY, MACSTATS_ANY, MACSTATS_ANY),
		       .standard = { MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),
				     { MACSTATS_STD_RTNL_TX_BYTES, -4 } }),
	K1_EMAC_TX_ROW("tx_total_frames", "tx_total_pkts", 1, "Transmitted frames, good or bad",
		       MACSTATS_WHEN_TX()),
	K1_EMAC_ROW(TX, "tx_octets", "tx_ok_bytes", 2, OCTETS, "Octets of transmitted frames",
		    K1_EMAC_SENT(ANY, MACSTATS_ANY, MACSTATS_ANY), MACSTATS_FEEDS(RTNL_TX_BYTES)),
	K1_EMAC_TX_ROW("tx_errors", "tx_err_pkts", 3,
		       "Frames given up after collisions, or cut by an underrun",
		       MACSTATS_WHEN_TX(.errors = K1_EMAC_NOT_SENT),
		       MACSTATS_FEEDS(RTNL_TX_ERRORS)),
	K1_EMAC_TX_ROW("tx_single_collisions", "tx_singleclsn_pkts", 4,
		       "Frames transmitted after exactly one collision",
		       K1_EMAC_SENT(ANY, MACSTATS_ANY, MACSTATS_ONE_COLLISION),
		       MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),
	K1_EMAC_TX_ROW("tx_multiple_collisions", "tx_multiclsn_pkts", 5,
		       "Frames transmitted after 2 to 15 collisions",
		       K1_EMAC_SENT(ANY, MACSTATS_ANY, MACSTATS_SEVERAL_COLLISIONS),
		       MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),
	K1_EMAC_TX_ROW("tx_late_collisions", "tx_lateclsn_pkts", 6,
		       "Frames with a collision later than a slot time",
		       MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION),
		       MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_TX_WINDOW_ERRORS)),
	K1_EMAC_TX_ROW("tx_excessive_collisions", "tx_excessclsn_pkts", 7,
		       "Frames given up after 16 collisions",
		       MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
					.no_errors = MACSTATS_ERR_LATE_COLLISION),
		       MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ABORTED_ERRORS)),
	K1_EMAC_TX_ROW("tx_unicast", "tx_unicast_pkts", 8, "Transmitted unicast frames",
		       K1_EMAC_SENT(UNICAST, MACSTATS_ANY, MACSTATS_ANY)),
	K1_EMAC_TX_ROW("tx_multicast", "tx_multicast_pkts", 9, "Transmitted multicast frames",
		       K1_EMAC_SENT(MULTICAST, MACSTATS_ANY, MACSTATS_ANY),
		       MACSTATS_FEEDS(MULTICAST_FRAMES_XMITTED_OK)),
	K1_EMAC_TX_ROW("tx_broadcast", "tx_broadcast_pkts", 10, "Transmitted broadcast frames",
		       K1_EMAC_SENT(BROADCAST, MACSTATS_ANY, MACSTATS_ANY),
		       MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK)),
	K1_EMAC_TX_ROW("tx_pause", "tx_pause_pkts", 11, "Transmitted pause frames",
		       K1_EMAC_SENT(ANY, MACSTATS_PAUSE, MACSTATS_ANY),
		       MACSTATS_FEEDS(TX_PAUSE_FRAMES)),
	K1_EMAC_RX_ROW("rx_frames", "rx_ok_pkts", 0, "Good received frames",
		       K1_EMAC_GOOD(ANY, MACSTATS_ANY),
		       .standard = { MACSTATS_PLUS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS),
				     { MACSTATS_STD_RTNL_RX_BYTES, -4 } }),
	K1_EMAC_RX_ROW("rx_total_frames", "rx_total_pkts", 1, "Received frames, good or bad",
		       MACSTATS_WHEN_RX()),
	K1_EMAC_RX_ROW("rx_crc_errors", "rx_crc_err_pkts", 2,
		       "Received frames of legal length and whole octets with an FCS error",
		       MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP,
					.errors = MACSTATS_ERR_FCS,
					.no_errors = K1_EMAC_ALIGN_OR_LOST),
		       MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS)),
	K1_EMAC_RX_ROW("rx_align_errors", "rx_align_err_pkts", 3,
		       "Received frames of legal length, but not of whole octets",
		       MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP,
					.errors = MACSTATS_ERR_ALIGNMENT,
					.no_errors = K1_EMAC_LOST),
		       MACSTATS_FEEDS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS)),
	K1_EMAC_RX_ROW("rx_errors", "rx_err_total_pkts", 4,
		       "Received frames of a bad length, or with an error, that were not dropped",
		       .when = { { .direction = MACSTATS_RX, .errors = K1_EMAC_BAD_OR_LENGTH,
				   .no_errors = K1_EMAC_LOST },
				 { .direction = MACSTATS_RX, .size = MACSTATS_SIZE_UNDER_64,
				   .no_errors = K1_EMAC_LOST },
				 { .direction = MACSTATS_RX, .excess = MACSTATS_OVER_MAX,
				   .no_errors = K1_EMAC_LOST } },
		       MACSTATS_FEEDS(RTNL_RX_ERRORS)),
	K1_EMAC_ROW(RX, "rx_octets", "rx_ok_bytes", 5, OCTETS, "Octets of good received frames",
		    K1_EMAC_GOOD(ANY, MACSTATS_ANY), MACSTATS_FEEDS(RTNL_RX_BYTES)),
	K1_EMAC_ROW(RX, "rx_total_octets", "rx_total_bytes", 6, OCTETS,
		    "Octets of received frames, good or bad", MACSTATS_WHEN_RX()),
	K1_EMAC_RX_ROW("rx_unicast", "rx_unicast_pkts", 7, "Good received unicast frames",
		       K1_EMAC_GOOD(UNICAST, MACSTATS_ANY)),
	K1_EMAC_RX_ROW("rx_multicast", "rx_multicast_pkts", 8, "Good received multicast frames",
		       K1_EMAC_GOOD(MULTICAST, MACSTATS_ANY),
		       MACSTATS_FEEDS(MULTICAST_FRAMES_RECEIVED_OK, RTNL_MULTICAST)),
	K1_EMAC_RX_ROW("rx_broadcast", "rx_broadcast_pkts", 9, "Good received broadcast frames",
		       K1_EMAC_GOOD(BROADCAST, MACSTATS_ANY),
		       MACSTATS_FEEDS(BROADCAST_FRAMES_RECEIVED_OK)),
	K1_EMAC_RX_ROW("rx_pause", "rx_pause_pkts", 10, "Good received pause frames",
		       K1_EMAC_GOOD(ANY, MACSTATS_PAUSE), MACSTATS_FEEDS(RX_PAUSE_FRAMES)),
	K1_EMAC_RX_ROW("rx_length_errors", "rx_len_err_pkts", 11,
		       "Received frames of legal length with a wrong length field alone",
		       MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP,
					.errors = MACSTATS_ERR_PAYLOAD_LENGTH,
					.no_errors = K1_EMAC_BAD_OR_LOST),
		       MACSTATS_FEEDS(IN_RANGE_LENGTH_ERRORS, RTNL_RX_LENGTH_ERRORS)),
	K1_EMAC_RX_ROW("rx_undersize", "rx_len_undersize_pkts", 12,
		       "Received frames of less than 64 octets without an FCS or alignment error",
		       MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64,
					.no_errors = K1_EMAC_BAD_OR_LOST),
		       MACSTATS_FEEDS(UNDERSIZE_PKTS)),
	K1_EMAC_RX_ROW("rx_oversize", "rx_len_oversize_pkts", 13,
		       "Received frames longer than the maximum without an error",
		       MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .size = MACSTATS_SIZE_64_UP,
					.no_errors = K1_EMAC_BAD_OR_LOST),
		       MACSTATS_FEEDS(OVERSIZE_PKTS)),
	K1_EMAC_RX_ROW("rx_fragments", "rx_len_fragment_pkts", 14,
		       "Received frames of less than 64 octets with an error",
		       MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .errors = K1_EMAC_BAD,
					.no_errors = K1_EMAC_LOST),
		       MACSTATS_FEEDS(FRAGMENTS)),
	K1_EMAC_RX_ROW("rx_jabbers", "rx_len_jabber_pkts", 15,
		       "Received frames longer than the maximum with an error",
		       MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .size = MACSTATS_SIZE_64_UP,
					.errors = K1_EMAC_BAD, .no_errors = K1_EMAC_LOST),
		       MACSTATS_FEEDS(JABBERS)),
	MACSTATS_RMON_ROWS(K1_EMAC_SIZE, "_to_", "_")
	K1_EMAC_SIZE(6, "1519_up", "1519_plus", "1519 octets or more", MACSTATS_SIZE_1519_UP)
	K1_EMAC_RX_ROW("rx_fifo_dropped", "rx_drp_fifo_full_pkts", 23,
		       "Received frames dropped because the FIFO was full",
		       MACSTATS_WHEN_RX(.errors = K1_EMAC_LOST),
		       MACSTATS_FEEDS(FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR, RTNL_RX_FIFO_ERRORS,
				      RTNL_RX_MISSED_ERRORS)),
	K1_EMAC_RX_ROW("rx_fifo_truncated", "rx_truncate_fifo_full_pkts", 24,
		       "Received frames cut because the FIFO was full: stays 0",
		       MACSTATS_ERRORS_NEVER_SEEN),
};

#define K1_EMAC_WINDOW(dir, name_, control, text)						\
	MACSTATS_BLOCK_REGISTER(RW, K1_EMAC_BLOCK_##dir, name_ "_STATCTR_CONTROL", control, 0,	\
				"Read of a counter of " text " frames", .fields = {		\
		MACSTATS_FIELD(RW, "COUNTER_NUMBER", 0, 5, "Number of the counter",		\
			       .roles = MACSTATS_ROLE_WINDOW_INDEX),				\
		MACSTATS_FIELD(RW, "START_COUNTER_READ", 15, 1, "Read it; set until that is done", \
			       .roles = MACSTATS_ROLE_WINDOW_START) }),				\
	MACSTATS_BLOCK_REGISTER(RO, K1_EMAC_BLOCK_##dir, name_ "_STATCTR_DATA_HIGH",		\
				(control) + 4, 0, "Its value", .fields = {			\
		MACSTATS_FIELD(RO, "DATA_HIGH", 0, 16, "Bits 31:16",				\
			       .roles = MACSTATS_ROLE_WINDOW_HIGH) }),				\
	MACSTATS_BLOCK_REGISTER(RO, K1_EMAC_BLOCK_##dir, name_ "_STATCTR_DATA_LOW",		\
				(control) + 8, 0, "Its value", .fields = {			\
		MACSTATS_FIELD(RO, "DATA_LOW", 0, 16, "Bits 15:0",				\
			       .roles = MACSTATS_ROLE_WINDOW_LOW) })

MACSTATS_TABLE const struct macstats_register k1_emac_registers[] = {
	MACSTATS_REGISTER(RW, "MAC_MAXIMUM_FRAME_SIZE", 0x010c, 1518, "Maximum frame length",
			  .fields = {
		MACSTATS_FIELD(RW, "MAX_FRAME_SIZE", 0, 14, "Octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX |
					MACSTATS_ROLE_MAX_FRAME_TX) }),
	K1_EMAC_WINDOW(RX, "MAC_RX", 0x01a8, "received"),
	K1_EMAC_WINDOW(TX, "MAC_TX", 0x01b4, "transmitted"),
};

MACSTATS_TABLE const struct macstats_model k1_emac_model = {
	.name = "k1_emac", .title = "SpacemiT K1 Ethernet MAC",
	.datasheet = "Linux 7.3, drivers/net/ethernet/spacemit/k1_emac.h",
	.drivers = { "k1_emac" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000ull,
	MACSTATS_ROWS(counters, k1_emac_counters), MACSTATS_ROWS(registers, k1_emac_registers),
	.blocks = { { .name = "tx", .window = K1_EMAC_TX },
		    { .name = "rx", .window = K1_EMAC_RX } }, .n_blocks = 2,
	.sizes = { .edge = MACSTATS_RMON_EDGES },
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN,
	.data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_K1_EMAC_H */
