/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Intel Low Latency 40G Ethernet FPGA IP for Agilex 5: the pages of the transmit (0x800) and
 * receive (0x900) statistics counters. Data only.
 *
 * Source: Low Latency 40G Ethernet Intel FPGA IP User Guide: Agilex 5, Intel 813652, 7.5
 * (counters) and 7.6 (shadow register); 4.3.1.2 for the padding of transmitted frames. "Inferred"
 * marks facts that the guide leaves open and released cores of this generation or their tools
 * show.
 *
 * Lengths run from the destination address to the FCS inclusive, Length/Type too (inferred). A
 * counter with the meaning of the older core has its ethtool name, too.
 *
 * The transmitter checks neither FCS nor undersize: its counters of frames with an FCS error,
 * FRAGMENTS and RNT never count, and a frame with any FCS counts as OK. Good frames of the octet
 * counters are those without FCS, undersize, oversize or payload length error (inferred).
 *
 * Frames of 64 octets and more are oversize and jabbers by the maximum, shorter ones are runts and
 * fragments whatever it is (inferred), so that no frame is both.
 *
 * Standard statistics. Frames OK are those of good FCS less those of wrong size among them; wrong
 * size with good FCS is OVERSIZE - JABBERS and RNT - FRAGMENTS. JABBERS is a subset of
 * CRCERR_OKPKT. Bytes without FCS are Frame OctetsOK less 4 for each of these frames, tags or not.
 * A frame with a payload length error is one of them, but its octets do not count: bytes lack its
 * length, and no register makes up for it. Payload octets, and so the IEEE octets, lack the two of
 * the opcode of each control frame (inferred).
 */
#ifndef MACSTATS_MODEL_LL40G_AGILEX5_H
#define MACSTATS_MODEL_LL40G_AGILEX5_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum ll40g_agilex5_page { AGILEX5_TX = 0x800, AGILEX5_RX = 0x900 };

enum ll40g_agilex5_block { AGILEX5_TX_BLOCK, AGILEX5_RX_BLOCK };

/* Both pages have the same counters: 64 bits wide, rolling over, changed by a clear only. */
#define AGILEX5_TX_NAME		"tx_"
#define AGILEX5_RX_NAME		"rx_"
#define AGILEX5_TX_VERB		"Transmitted "
#define AGILEX5_RX_VERB		"Received "
#define AGILEX5_COUNTER(way, name_, reg_, offset_, unit_, help_, ...)				\
	MACSTATS_ROW(AGILEX5_##way##_NAME name_, #way " " reg_, AGILEX5_##way + (offset_),	\
		     help_, .bits = 64, .block = AGILEX5_##way##_BLOCK,				\
		     .unit = MACSTATS_##unit_, __VA_ARGS__)
#define AGILEX5_ROW(way, name_, reg_, offset_, help_, ...)					\
	AGILEX5_COUNTER(way, name_, reg_, offset_, FRAMES, AGILEX5_##way##_VERB help_, __VA_ARGS__)
#define AGILEX5_SIZE(way, i, name_, reg_, text, size_)						\
	AGILEX5_ROW(way, name_ "b", reg_ "B", 0x16 + 2 * (i), "frames of " text ", good or bad", \
		    MACSTATS_WHEN_##way(.size = size_), MACSTATS_FEEDS(HIST_##way)),
#define AGILEX5_TX_SIZE(...)	AGILEX5_SIZE(TX, __VA_ARGS__)
#define AGILEX5_RX_SIZE(...)	AGILEX5_SIZE(RX, __VA_ARGS__)
/* Frames with an FCS error: the transmitter never counts one. */
#define AGILEX5_TX_ERROR(name_, reg_, offset_, help_, ...) \
	AGILEX5_ROW(TX, name_, reg_, offset_, help_ "; never counts", MACSTATS_ERRORS_NEVER_SEEN)
#define AGILEX5_RX_ERROR(...)	AGILEX5_ROW(RX, __VA_ARGS__)
#define AGILEX5_BAD(to, kind_)									\
	MACSTATS_WHEN_RX(.destination = MACSTATS_##to, .kind = MACSTATS_##kind_,		\
			 .errors = MACSTATS_ERR_FCS)
/* Good frames: for the transmitter, all of them. */
#define AGILEX5_TX_GOOD(to, kind_) \
	MACSTATS_WHEN_TX(.destination = MACSTATS_##to, .kind = MACSTATS_##kind_)
#define AGILEX5_RX_GOOD(to, kind_)								\
	MACSTATS_WHEN_RX(.destination = MACSTATS_##to, .kind = MACSTATS_##kind_,		\
			 .no_errors = MACSTATS_ERR_FCS)
#define AGILEX5_TX_FCS		" frames whatever the FCS"
#define AGILEX5_RX_FCS		" frames without an FCS error"

/* Octets of frames without an error; the transmitter checks the payload length only. */
#define AGILEX5_TX_WHOLE \
	MACSTATS_WHEN_TX(.excess = MACSTATS_WITHIN_MAX, .no_errors = MACSTATS_ERR_PAYLOAD_LENGTH)
#define AGILEX5_RX_WHOLE									\
	MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP,		\
			 .no_errors = MACSTATS_ERR_FCS | MACSTATS_ERR_PAYLOAD_LENGTH)

/* Sums of good frames; their bytes are octets less the FCS. */
#define AGILEX5_TX_OK \
	MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS), { MACSTATS_STD_RTNL_TX_BYTES, -4 }
#define AGILEX5_RX_OK \
	MACSTATS_PLUS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS), { MACSTATS_STD_RTNL_RX_BYTES, -4 }
/* Frames of wrong size come off the good ones with -1; bad ones go back with 1. */
#define AGILEX5_TX_WRONG_SIZE(sign)								\
	MACSTATS_TERMS(sign, FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),				\
	{ MACSTATS_STD_RTNL_TX_BYTES, -4 * (sign) }, { MACSTATS_STD_RTNL_TX_ERRORS, -(sign) }
#define AGILEX5_RX_WRONG_SIZE(sign)								\
	MACSTATS_TERMS(sign, FRAMES_RECEIVED_OK, RTNL_RX_PACKETS),				\
	{ MACSTATS_STD_RTNL_RX_BYTES, -4 * (sign) }, { MACSTATS_STD_RTNL_RX_ERRORS, -(sign) }
/*
 * Frames of a wrong size are among the multicast and broadcast ones, and cannot be told apart: no
 * row feeds MulticastFrames...OK or BroadcastFrames...OK.
 */
#define AGILEX5_TX_MULTICAST
#define AGILEX5_RX_MULTICAST	MACSTATS_PLUS(RTNL_MULTICAST)
#define AGILEX5_TX_CONTROL	MACSTATS_PLUS(MAC_CONTROL_FRAMES_TRANSMITTED)
#define AGILEX5_RX_CONTROL	MACSTATS_PLUS(MAC_CONTROL_FRAMES_RECEIVED)
/* Linux has these statistics for received frames only. */
#define AGILEX5_TX_TOO_LONG
#define AGILEX5_RX_TOO_LONG \
	MACSTATS_PLUS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS)
#define AGILEX5_TX_PAUSE_ERROR	"pause frames with an FCS error"
#define AGILEX5_RX_PAUSE_ERROR	"pause frames with an FCS error; also counted as control frames"

/*
 * TX BCAST_CTRL_OK: the guide has 0x23, the high half of 1519toMAXB, a misprint (inferred from its
 * neighbours, 2 apart, and from the older core). PAUSE: a priority pause frame (opcode 01-01) is a
 * control frame, and not one of these (inferred); the older core counts it.
 */
#define AGILEX5_PAGE(way)									\
	AGILEX5_##way##_ERROR("fragments", "FRAGMENTS", 0x00,					\
		"frames of less than 64 octets with an FCS error",				\
		MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .errors = MACSTATS_ERR_FCS),	\
		.standard = { AGILEX5_RX_WRONG_SIZE(1), MACSTATS_MINUS(UNDERSIZE_PKTS),		\
			      MACSTATS_PLUS(FRAGMENTS) }),					\
	AGILEX5_##way##_ERROR("jabbers", "JABBERS", 0x02,					\
		"frames of at least 64 octets and over the maximum length with an FCS error", \
		MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .size = MACSTATS_SIZE_64_UP,	\
				 .errors = MACSTATS_ERR_FCS),					\
		.standard = { AGILEX5_RX_WRONG_SIZE(1), MACSTATS_MINUS(OVERSIZE_PKTS),		\
			      MACSTATS_PLUS(JABBERS),						\
			      MACSTATS_MINUS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS) }), \
	AGILEX5_##way##_ERROR("fcs", "FCSERR", 0x04, "frames of any length with an FCS error",	\
		MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_FCS), MACSTATS_FEEDS(RTNL_RX_ERRORS)),	\
	AGILEX5_##way##_ERROR("crcerr", "CRCERR_OKPKT", 0x06,					\
		"frames of at least 64 octets with an FCS error",				\
		MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_64_UP, .errors = MACSTATS_ERR_FCS),	\
		MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS)),		\
	AGILEX5_##way##_ERROR("mcast_data_err", "MCAST_DATA_ERR", 0x08,				\
		"multicast frames with an FCS error, control frames excluded",			\
		AGILEX5_BAD(MULTICAST, DATA)),							\
	AGILEX5_##way##_ERROR("bcast_data_err", "BCAST_DATA_ERR", 0x0a,				\
		"broadcast frames with an FCS error, control frames excluded",			\
		AGILEX5_BAD(BROADCAST, DATA)),							\
	AGILEX5_##way##_ERROR("ucast_data_err", "UCAST_DATA_ERR", 0x0c,				\
		"unicast frames with an FCS error, control frames excluded",			\
		AGILEX5_BAD(UNICAST, DATA)),							\
	AGILEX5_##way##_ERROR("mcast_ctrl_err", "MCAST_CTRL_ERR", 0x0e,				\
		"multicast control frames with an FCS error",					\
		AGILEX5_BAD(MULTICAST, ANY_CONTROL)),						\
	AGILEX5_##way##_ERROR("bcast_ctrl_err", "BCAST_CTRL_ERR", 0x10,				\
		"broadcast control frames with an FCS error",					\
		AGILEX5_BAD(BROADCAST, ANY_CONTROL)),						\
	AGILEX5_##way##_ERROR("ucast_ctrl_err", "UCAST_CTRL_ERR", 0x12,				\
		"unicast control frames with an FCS error", AGILEX5_BAD(UNICAST, ANY_CONTROL)),	\
	AGILEX5_##way##_ERROR("pause_err", "PAUSE_ERR", 0x14, AGILEX5_##way##_PAUSE_ERROR,	\
		AGILEX5_BAD(ANY, PAUSE)),							\
	MACSTATS_RMON_ROWS(AGILEX5_##way##_SIZE, "to", "to")					\
	AGILEX5_ROW(way, "1519tomaxb", "1519toMAXB", 0x22,					\
		"frames of 1519 octets up to the maximum frame length, good or bad",		\
		MACSTATS_WHEN_##way(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_1519_UP), \
		MACSTATS_FEEDS(HIST_##way)),							\
	AGILEX5_ROW(way, "oversize", "OVERSIZE", 0x24,						\
		"frames of at least 64 octets and over the maximum length, good or bad", \
		MACSTATS_WHEN_##way(.excess = MACSTATS_OVER_MAX, .size = MACSTATS_SIZE_64_UP),	\
		.standard = { AGILEX5_##way##_WRONG_SIZE(-1), AGILEX5_##way##_TOO_LONG }),	\
	AGILEX5_ROW(way, "mcast_data_ok", "MCAST_DATA_OK", 0x26,				\
		"multicast" AGILEX5_##way##_FCS ", control frames excluded; of any length",	\
		AGILEX5_##way##_GOOD(MULTICAST, DATA),						\
		.standard = { AGILEX5_##way##_OK, AGILEX5_##way##_MULTICAST }),			\
	AGILEX5_ROW(way, "bcast_data_ok", "BCAST_DATA_OK", 0x28,				\
		"broadcast" AGILEX5_##way##_FCS ", control frames excluded; of any length",	\
		AGILEX5_##way##_GOOD(BROADCAST, DATA),						\
		.standard = { AGILEX5_##way##_OK }),					\
	AGILEX5_ROW(way, "ucast_data_ok", "UCAST_DATA_OK", 0x2a,				\
		"unicast" AGILEX5_##way##_FCS ", control frames excluded; of any length",	\
		AGILEX5_##way##_GOOD(UNICAST, DATA), .standard = { AGILEX5_##way##_OK }),	\
	AGILEX5_ROW(way, "mcast_ctrl", "MCAST_CTRL_OK", 0x2c,					\
		"multicast control" AGILEX5_##way##_FCS ", pause frames included",		\
		AGILEX5_##way##_GOOD(MULTICAST, ANY_CONTROL),					\
		.standard = { AGILEX5_##way##_OK, AGILEX5_##way##_CONTROL,			\
			      AGILEX5_##way##_MULTICAST }),					\
	AGILEX5_ROW(way, "bcast_ctrl", "BCAST_CTRL_OK", 0x2e,					\
		"broadcast control" AGILEX5_##way##_FCS ", pause frames included",		\
		AGILEX5_##way##_GOOD(BROADCAST, ANY_CONTROL),					\
		.standard = { AGILEX5_##way##_OK, AGILEX5_##way##_CONTROL }),			\
	AGILEX5_ROW(way, "ucast_ctrl", "UCAST_CTRL_OK", 0x30,					\
		"unicast control" AGILEX5_##way##_FCS ", pause frames included",		\
		AGILEX5_##way##_GOOD(UNICAST, ANY_CONTROL),					\
		.standard = { AGILEX5_##way##_OK, AGILEX5_##way##_CONTROL }),			\
	AGILEX5_ROW(way, "pause", "PAUSE", 0x32,						\
		"pause" AGILEX5_##way##_FCS "; also counted as control frames",			\
		AGILEX5_##way##_GOOD(ANY, PAUSE), MACSTATS_FEEDS(way##_PAUSE_FRAMES))

MACSTATS_TABLE const struct macstats_counter ll40g_agilex5_counters[] = {
	AGILEX5_PAGE(TX),
	AGILEX5_ROW(TX, "runt", "RNT", 0x34, "frames of less than 64 octets; never counts",
		    MACSTATS_ERRORS_NEVER_SEEN),
	AGILEX5_COUNTER(TX, "octets_ok", "Payload OctetsOK", 0x60, PAYLOAD,
			"Payload and padding octets of transmitted frames without oversize or "
			"payload length error", AGILEX5_TX_WHOLE,
			MACSTATS_FEEDS(OCTETS_TRANSMITTED_OK)),
	AGILEX5_COUNTER(TX, "frame_octets_ok", "Frame OctetsOK", 0x62, OCTETS,
			"Octets, header and FCS included, of transmitted frames without oversize "
			"or payload length error", AGILEX5_TX_WHOLE, MACSTATS_FEEDS(RTNL_TX_BYTES)),
	AGILEX5_PAGE(RX),
	AGILEX5_ROW(RX, "runt", "RNT", 0x34,
		    "frames of less than 64 octets, with or without an FCS error",
		    MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64),
		    .standard = { AGILEX5_RX_WRONG_SIZE(-1), MACSTATS_PLUS(UNDERSIZE_PKTS) }),
	AGILEX5_COUNTER(RX, "octets_ok", "Payload OctetsOK", 0x60, PAYLOAD,
			"Payload and padding octets of received frames without FCS, undersize, "
			"oversize or payload length error", AGILEX5_RX_WHOLE,
			MACSTATS_FEEDS(OCTETS_RECEIVED_OK)),
	AGILEX5_COUNTER(RX, "frame_octets_ok", "Frame OctetsOK", 0x62, OCTETS,
			"Octets, header and FCS included, of received frames without FCS, "
			"undersize, oversize or payload length error", AGILEX5_RX_WHOLE,
			MACSTATS_FEEDS(RTNL_RX_BYTES)),
};

/*
 * The configuration is RO in the guide's table, but 7.6 has software set bit 2. Its bits and those
 * of the status are the older core's; all other bits read 0 (inferred).
 */
#define AGILEX5_PAGE_REGISTERS(way, page)						\
	MACSTATS_BLOCK_REGISTER(RW, AGILEX5_##way##_BLOCK, #way " CNTR_CONFIG", (page) + 0x45, 0, \
				"Configuration of the " #way " statistics counters", .fields = { \
		MACSTATS_COMMAND("clear", 0,						\
				 "Reset all " #way " statistics counters, but not the parity bit", \
				 .roles = MACSTATS_ROLE_CLEAR),				\
		MACSTATS_COMMAND("parity_clear", 1,					\
				 "Clear the parity bit of " #way " CNTR_STATUS",	\
				 .roles = MACSTATS_ROLE_PARITY_CLEAR),			\
		MACSTATS_FIELD(RW, "shadow_request", 2, 1,				\
			       "Freeze the readable values; the counters go on underneath", \
			       .roles = MACSTATS_ROLE_SNAPSHOT_REQUEST) }),		\
	MACSTATS_BLOCK_REGISTER(RO, AGILEX5_##way##_BLOCK, #way " CNTR_STATUS", (page) + 0x46, 0, \
				"Status of the " #way " statistics counters", .fields = { \
		MACSTATS_FIELD(RO, "parity_error", 0, 1,				\
			       "At least one parity error in the " #way " statistics counters", \
			       .roles = MACSTATS_ROLE_PARITY_ERROR),			\
		MACSTATS_FIELD(RO, "paused", 1, 1,					\
			       "At least one bank of the " #way " statistics counters is frozen", \
			       .roles = MACSTATS_ROLE_SNAPSHOT_GRANTED) })

/* The addresses and reset values of the maximum lengths are the older core's (inferred). */
MACSTATS_TABLE const struct macstats_register ll40g_agilex5_registers[] = {
	MACSTATS_REGISTER(RW, "MAX_TX_SIZE_CONFIG", 0x407, 9600,
			  "Longest frame transmitted without being counted as oversize", .fields = {
		MACSTATS_FIELD(RW, "max_size", 0, 16, "Octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_TX) }),
	MACSTATS_REGISTER(RW, "MAX_RX_SIZE_CONFIG", 0x506, 9600,
			  "Longest frame received without being counted as oversize", .fields = {
		MACSTATS_FIELD(RW, "max_size", 0, 16, "Octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX) }),
	AGILEX5_PAGE_REGISTERS(TX, 0x800),
	AGILEX5_PAGE_REGISTERS(RX, 0x900),
};

MACSTATS_TABLE const struct macstats_model ll40g_agilex5_model = {
	.name = "ll40g_agilex5", .title = "Intel Low Latency 40G Ethernet FPGA IP for Agilex 5",
	.datasheet = "Intel 813652, 7.5 and 7.6",
	.ports = 1, .address_unit_bits = 32, .bus_bits = 32, .line_rate_bps = 40000000000ull,
	MACSTATS_ROWS(counters, ll40g_agilex5_counters),
	MACSTATS_ROWS(registers, ll40g_agilex5_registers),
	/*
	 * The commands are independent, and a grant is the OR of the banks (inferred). The parity
	 * bit does not tell which counter is wrong, so every value of the page has to be plausible.
	 * Each page has an option of its own that builds it, as in the older core (inferred).
	 */
	.blocks = {
		{ .name = "tx", .grant_leads = true, .option = MACSTATS_OPT_TX_STATISTICS },
		{ .name = "rx", .grant_leads = true, .option = MACSTATS_OPT_RX_STATISTICS },
	}, .n_blocks = 2,
	/* No counter uses these words of the counters' memory, 0x00-0x3f and 0x60-0x7f. */
	.reserved = {
		{ 0x836, 0x83f, MACSTATS_READS_RANDOM }, { 0x864, 0x87f, MACSTATS_READS_RANDOM },
		{ 0x936, 0x93f, MACSTATS_READS_RANDOM }, { 0x964, 0x97f, MACSTATS_READS_RANDOM },
	}, .n_reserved = 4,
	.needs_clocks = true, .sizes = { .edge = MACSTATS_RMON_EDGES },
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_shortest = 9, .tx_pad_to = 64,
	.data_overhead = 18, .control_overhead = 20,		/* inferred */
	.options = MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS |
		   MACSTATS_OPT_VLAN_DETECTION,
	.default_options = MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS |
			   MACSTATS_OPT_VLAN_DETECTION,
	.note = "frames of illegal length with a good FCS count in the multicast and broadcast "
		"statistics, but not in FramesReceivedOK and FramesTransmittedOK",
	.power_up = MACSTATS_POWER_UP_RANDOM,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_LL40G_AGILEX5_H */
