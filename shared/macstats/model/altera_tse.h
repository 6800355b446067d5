/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Intel (Altera) Triple-Speed Ethernet IP: statistics of its MAC, with 64-bit byte counters. Data
 * only.
 *
 * Source: Triple-Speed Ethernet Intel FPGA IP User Guide (683402, 2024-10-07). Statistics Counters:
 * what a register counts, that counters roll over, and that their registers are read-only; Length
 * Checking; Command_Config Register. Offsets there are those of words of 32 bits; the Linux driver
 * altera_tse, altera_tse.h, has the same as octets. "Inferred" marks what the guide leaves open.
 *
 * Good frames have no error and a valid length: at least 64 octets, FCS included, and at most
 * frm_length, or 4 octets more with a tag. Error frames have an error or another length. Names of
 * IEEE 802.3 and RFC 2819 count as those say, where the guide has no other words (inferred): FCS
 * and alignment errors are those of valid lengths, and no frame is in both. A symbol error makes
 * the FCS bad (inferred: IEEE 802.3 22.2.1.5). A frame that the FIFO drops is in
 * etherStatsDropEvents only (inferred: RFC 2819). Memory behind the MAC has no say in it.
 *
 * Transmission has no maximum. Frames given up because of collisions are in no counter (inferred:
 * ifOutErrors lists its errors, and these are not there); those with an underrun or an error of the
 * application, here a bad FCS, are in ifOutErrors only.
 *
 * Limits of the model:
 * - aOctetsTransmittedOK, aOctetsReceivedOK and etherStatsOctets have 64 bits as an option of the
 *   core. Without it they have 32, which are not described: there they would seem to be cleared.
 *   That nothing holds the high word is inferred: the guide says nothing of it.
 * - A second tag allows for 4 octets more. Here it does not.
 * - TX_ENA and RX_ENA stop one direction. Here both are always on. Control frames but pause frames
 *   are always accepted (CNTL_FRM_ENA), and no frame is filtered by its address.
 * - SW_RESET clears the counters and the two enables. Here it does nothing; the driver sets
 *   CNT_RESET with it. Speed and duplex are options of the device.
 *
 * Standard statistics. bytes are octets of data and 14 octets of header for each good frame: a tag
 * is data (inferred). Collisions are absent.
 */
#ifndef MACSTATS_MODEL_ALTERA_TSE_H
#define MACSTATS_MODEL_ALTERA_TSE_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum altera_tse_errors {
	ALTERA_TSE_BAD_FCS = MACSTATS_ERR_FCS | MACSTATS_ERR_CODE,
	ALTERA_TSE_BAD = ALTERA_TSE_BAD_FCS | MACSTATS_ERR_ALIGNMENT,
	ALTERA_TSE_BAD_OR_DROPPED = ALTERA_TSE_BAD | MACSTATS_ERR_OVERRUN,
	ALTERA_TSE_NOT_OK = ALTERA_TSE_BAD_OR_DROPPED | MACSTATS_ERR_PAYLOAD_LENGTH,
	ALTERA_TSE_ALIGNMENT_OR_DROPPED = MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_OVERRUN,
	ALTERA_TSE_TX_GIVEN_UP = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS,
	ALTERA_TSE_TX_ERROR = MACSTATS_ERR_UNDERRUN | MACSTATS_ERR_FCS,
	ALTERA_TSE_TX_NOT_OK = ALTERA_TSE_TX_GIVEN_UP | ALTERA_TSE_TX_ERROR,
};

#define ALTERA_TSE_UNCHECKED MACSTATS_OPT_SETTING	/* NO_LGTH_CHECK */

#define ALTERA_TSE_ROW(name_, reg_, offset_, help_, ...)					\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32, .unit = MACSTATS_FRAMES, __VA_ARGS__)
/* The high words are at 0xf0, 0xf4 and 0xf8. */
#define ALTERA_TSE_OCTETS(name_, reg_, offset_, high_, unit_, help_, ...)			\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 64, .unit = MACSTATS_##unit_,		\
		     .reread = true, .word_stride = (high_) - (offset_), __VA_ARGS__)

#define ALTERA_TSE_RX_LEGAL(...) \
	MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP, __VA_ARGS__)
#define ALTERA_TSE_GOOD(to, kind_, no_errors_, with_)						\
	{ .direction = MACSTATS_RX, .destination = MACSTATS_##to, .kind = kind_,		\
	  .excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP, .no_errors = no_errors_,	\
	  .with = with_ }
/* A wrong length field makes a frame an error frame, while it is checked. */
#define ALTERA_TSE_RX_GOOD(to, kind_)								\
	.when = { ALTERA_TSE_GOOD(to, kind_, ALTERA_TSE_NOT_OK, 0),				\
		  ALTERA_TSE_GOOD(to, kind_, ALTERA_TSE_BAD_OR_DROPPED, ALTERA_TSE_UNCHECKED) }
#define ALTERA_TSE_ERROR(member_, value_, without_)						\
	{ .direction = MACSTATS_RX, .member_ = value_, .no_errors = MACSTATS_ERR_OVERRUN,	\
	  .without = without_ }
#define ALTERA_TSE_RX_ERRORS									\
	.when = { ALTERA_TSE_ERROR(excess, MACSTATS_OVER_MAX, 0),				\
		  ALTERA_TSE_ERROR(size, MACSTATS_SIZE_UNDER_64, 0),				\
		  ALTERA_TSE_ERROR(errors, ALTERA_TSE_BAD, 0),					\
		  ALTERA_TSE_ERROR(errors, MACSTATS_ERR_PAYLOAD_LENGTH, ALTERA_TSE_UNCHECKED) }
#define ALTERA_TSE_TX_GOOD(...) MACSTATS_WHEN_TX(__VA_ARGS__, .no_errors = ALTERA_TSE_TX_NOT_OK)
#define ALTERA_TSE_NO_PAUSE (MACSTATS_DATA | MACSTATS_CONTROL | MACSTATS_PFC)

#define ALTERA_TSE_SIZE(i, name_, reg_, text, size_)						\
	ALTERA_TSE_ROW("rx_pkts_" name_ "_octets", "etherStatsPkts" reg_ "Octets",		\
		       0xc0 + 4 * (i), "Received frames of " text ", good or bad",		\
		       MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = size_,		\
					.no_errors = MACSTATS_ERR_OVERRUN),			\
		       MACSTATS_FEEDS(HIST_RX)),

MACSTATS_TABLE const struct macstats_counter altera_tse_counters[] = {
	ALTERA_TSE_ROW("tx_frames_transmitted_ok", "aFramesTransmittedOK", 0x68,
		       "Good transmitted frames, pause frames included",
		       ALTERA_TSE_TX_GOOD(.destination = MACSTATS_ANY),
		       .standard = { MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),
				     { MACSTATS_STD_RTNL_TX_BYTES, MACSTATS_HEADER_LEN } }),
	ALTERA_TSE_ROW("rx_frames_received_ok", "aFramesReceivedOK", 0x6c,
		       "Good received frames, pause frames included", ALTERA_TSE_RX_GOOD(ANY, 0),
		       .standard = { MACSTATS_PLUS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS),
				     { MACSTATS_STD_RTNL_RX_BYTES, MACSTATS_HEADER_LEN } }),
	/* IEEE 802.3 30.3.1.1.6 and .7. */
	ALTERA_TSE_ROW("rx_frame_check_sequence_errors", "aFrameCheckSequenceErrors", 0x70,
		       "Received frames of legal length and whole octets with a bad FCS",
		       ALTERA_TSE_RX_LEGAL(.errors = ALTERA_TSE_BAD_FCS,
					   .no_errors = ALTERA_TSE_ALIGNMENT_OR_DROPPED),
		       MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS)),
	ALTERA_TSE_ROW("rx_alignment_errors", "aAlignmentErrors", 0x74,
		       "Received frames of legal length, but not of whole octets",
		       ALTERA_TSE_RX_LEGAL(.errors = MACSTATS_ERR_ALIGNMENT,
					   .no_errors = MACSTATS_ERR_OVERRUN),
		       MACSTATS_FEEDS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS)),
	ALTERA_TSE_OCTETS("tx_octets_transmitted_ok", "aOctetsTransmittedOK", 0x78, 0xf0, PAYLOAD,
			  "Data and padding octets of good transmitted frames",
			  ALTERA_TSE_TX_GOOD(.destination = MACSTATS_ANY),
			  MACSTATS_FEEDS(OCTETS_TRANSMITTED_OK, RTNL_TX_BYTES)),
	ALTERA_TSE_OCTETS("rx_octets_received_ok", "aOctetsReceivedOK", 0x7c, 0xf4, PAYLOAD,
			  "Data and padding octets of good received frames",
			  ALTERA_TSE_RX_GOOD(ANY, 0),
			  MACSTATS_FEEDS(OCTETS_RECEIVED_OK, RTNL_RX_BYTES)),
	/* Good, and those of software, too: inferred, of both directions. */
	ALTERA_TSE_ROW("tx_pause_mac_ctrl_frames", "aTxPAUSEMACCtrlFrames", 0x80,
		       "Good transmitted pause frames", ALTERA_TSE_TX_GOOD(.kind = MACSTATS_PAUSE),
		       MACSTATS_FEEDS(TX_PAUSE_FRAMES)),
	ALTERA_TSE_ROW("rx_pause_mac_ctrl_frames", "aRxPAUSEMACCtrlFrames", 0x84,
		       "Good received pause frames", ALTERA_TSE_RX_GOOD(ANY, MACSTATS_PAUSE),
		       MACSTATS_FEEDS(RX_PAUSE_FRAMES)),
	/* Errors, and invalid lengths: by the definition of error frames. */
	ALTERA_TSE_ROW("rx_if_in_errors", "ifInErrors", 0x88,
		       "Received frames with an error or a length that is not valid",
		       ALTERA_TSE_RX_ERRORS, MACSTATS_FEEDS(RTNL_RX_ERRORS)),
	ALTERA_TSE_ROW("tx_if_out_errors", "ifOutErrors", 0x8c,
		       "Frames transmitted with an underrun or an error of the application",
		       MACSTATS_WHEN_TX(.errors = ALTERA_TSE_TX_ERROR,
					.no_errors = ALTERA_TSE_TX_GIVEN_UP),
		       MACSTATS_FEEDS(RTNL_TX_ERRORS)),
	ALTERA_TSE_ROW("rx_if_in_ucast_pkts", "ifInUcastPkts", 0x90, "Good received unicast frames",
		       ALTERA_TSE_RX_GOOD(UNICAST, 0)),
	ALTERA_TSE_ROW("rx_if_in_multicast_pkts", "ifInMulticastPkts", 0x94,
		       "Good received multicast frames but pause frames",
		       ALTERA_TSE_RX_GOOD(MULTICAST, ALTERA_TSE_NO_PAUSE),
		       MACSTATS_FEEDS(RTNL_MULTICAST)),
	ALTERA_TSE_ROW("rx_if_in_broadcast_pkts", "ifInBroadcastPkts", 0x98,
		       "Good received broadcast frames", ALTERA_TSE_RX_GOOD(BROADCAST, 0),
		       MACSTATS_FEEDS(BROADCAST_FRAMES_RECEIVED_OK)),
	ALTERA_TSE_ROW("tx_if_out_discards", "ifOutDiscards", 0x9c, "Not in use: stays 0",
		       .never = true),
	ALTERA_TSE_ROW("tx_if_out_ucast_pkts", "ifOutUcastPkts", 0xa0,
		       "Good transmitted unicast frames",
		       ALTERA_TSE_TX_GOOD(.destination = MACSTATS_UNICAST)),
	ALTERA_TSE_ROW("tx_if_out_multicast_pkts", "ifOutMulticastPkts", 0xa4,
		       "Good transmitted multicast frames but pause frames",
		       ALTERA_TSE_TX_GOOD(.destination = MACSTATS_MULTICAST,
					  .kind = ALTERA_TSE_NO_PAUSE)),
	ALTERA_TSE_ROW("tx_if_out_broadcast_pkts", "ifOutBroadcastPkts", 0xa8,
		       "Good transmitted broadcast frames",
		       ALTERA_TSE_TX_GOOD(.destination = MACSTATS_BROADCAST),
		       MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK)),
	ALTERA_TSE_ROW("rx_drop_events", "etherStatsDropEvents", 0xac,
		       "Received frames for which the FIFO had no room",
		       MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_OVERRUN),
		       MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
	/* With the FCS: RFC 2819. */
	ALTERA_TSE_OCTETS("rx_octets", "etherStatsOctets", 0xb0, 0xf8, OCTETS,
			  "Octets of received frames, good or bad",
			  MACSTATS_WHEN_RX(.no_errors = MACSTATS_ERR_OVERRUN)),
	ALTERA_TSE_ROW("rx_pkts", "etherStatsPkts", 0xb4, "Received frames, good or bad",
		       MACSTATS_WHEN_RX(.no_errors = MACSTATS_ERR_OVERRUN)),
	/* "Does not include errored frames": RFC 2819, otherwise well formed. */
	ALTERA_TSE_ROW("rx_undersize_pkts", "etherStatsUndersizePkts", 0xb8,
		       "Received frames of less than 64 octets, otherwise good",
		       MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64,
					.no_errors = ALTERA_TSE_BAD_OR_DROPPED),
		       MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_LENGTH_ERRORS)),
	ALTERA_TSE_ROW("rx_oversize_pkts", "etherStatsOversizePkts", 0xbc,
		       "Received frames longer than the maximum, otherwise good",
		       MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX,
					.no_errors = ALTERA_TSE_BAD_OR_DROPPED),
		       MACSTATS_FEEDS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS,
				      RTNL_RX_LENGTH_ERRORS)),
	/* Up to the maximum: inferred, but of the last one. */
	MACSTATS_RMON_ROWS(ALTERA_TSE_SIZE, "_to_", "to")
	ALTERA_TSE_SIZE(6, "1519_to_x", "1519toX", "1519 octets up to the maximum",
			MACSTATS_SIZE_1519_UP)
	ALTERA_TSE_ROW("rx_jabbers", "etherStatsJabbers", 0xdc,
		       "Received frames longer than the maximum with a bad FCS or alignment",
		       MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .errors = ALTERA_TSE_BAD,
					.no_errors = MACSTATS_ERR_OVERRUN),
		       MACSTATS_FEEDS(JABBERS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS)),
	ALTERA_TSE_ROW("rx_fragments", "etherStatsFragments", 0xe0,
		       "Received frames of less than 64 octets with a bad FCS or alignment",
		       MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .errors = ALTERA_TSE_BAD,
					.no_errors = MACSTATS_ERR_OVERRUN),
		       MACSTATS_FEEDS(FRAGMENTS)),
};

MACSTATS_TABLE const struct macstats_register altera_tse_registers[] = {
	MACSTATS_REGISTER(RW, "command_config", 0x08, 0, "Command and configuration", .fields = {
		MACSTATS_FIELD(RW, "TX_ENA", 0, 1,
			       "Transmit enable; frames count whatever it is here"),
		MACSTATS_FIELD(RW, "RX_ENA", 1, 1,
			       "Receive enable; frames count whatever it is here"),
		MACSTATS_FIELD(RW, "ETH_SPEED", 3, 1, "Gigabit operation"),
		MACSTATS_FIELD(RW, "HD_ENA", 10, 1, "Half duplex"),
		MACSTATS_COMMAND("SW_RESET", 13, "Software reset; does nothing here"),
		MACSTATS_FIELD(RW, "NO_LGTH_CHECK", 24, 1, "Length fields are not checked",
			       .roles = MACSTATS_ROLE_SETTING),
		MACSTATS_COMMAND("CNT_RESET", 31, "Clear the counters",
				 .roles = MACSTATS_ROLE_CLEAR) }),
	MACSTATS_REGISTER(RW, "frm_length", 0x14, 1518, "Maximum length", .fields = {
		MACSTATS_FIELD(RW, "frm_length", 0, 14, "Octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX) }),
};

/* Padding and the pause frames of the MAC are inferred: IEEE 802.3 4.2.3.3 and annex 31B. */
MACSTATS_TABLE const struct macstats_model altera_tse_model = {
	.name = "altera_tse", .title = "Intel/Altera Triple-Speed Ethernet IP",
	.datasheet = "Intel 683402, Triple-Speed Ethernet IP User Guide, Statistics Counters",
	.drivers = { "altera_tse" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000ull,
	MACSTATS_ROWS(counters, altera_tse_counters),
	MACSTATS_ROWS(registers, altera_tse_registers),
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

#endif /* MACSTATS_MODEL_ALTERA_TSE_H */
