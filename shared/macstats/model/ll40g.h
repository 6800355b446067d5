/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Intel Low Latency 40-Gbps Ethernet IP core (Arria 10 generation): the pages of the transmit
 * (0x800) and receive (0x900) statistics. Data only.
 *
 * Source: Low Latency 40-Gbps Ethernet IP Core User Guide, Intel 683745, 2021-03-08, 3.4.1.6 (TX)
 * and 3.4.1.7 (RX). "Inferred" marks facts that the guide leaves open and the released core or its
 * tools show.
 *
 * Lengths run from the destination address to the FCS inclusive; the guide's list omits the
 * Length/Type field, which counts too (inferred). A "valid" frame needs a good FCS only, whatever
 * its size.
 *
 * Frames of 64 octets and more are oversize and jabbers by the maximum, shorter ones are runts and
 * fragments whatever it is (inferred), so that no frame is both.
 *
 * Standard statistics. Frames OK are those of good FCS less those of wrong size among them; wrong
 * size with good FCS is OVERSIZE - JABBERS and RUNT - FRAGMENTS. A frame has 18 octets that are not
 * payload, so that bytes without FCS are payload + 14; as released, bytes lack the 2 octets of each
 * control frame's opcode. With VLAN detection the core does not count the octets of tags (rtnl
 * bytes lack 4 for each tagged frame). It never counts the payload of frames with a payload length
 * error; no register makes up for any of these.
 */
#ifndef MACSTATS_MODEL_LL40G_H
#define MACSTATS_MODEL_LL40G_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum ll40g_page { LL40G_TX = 0x800, LL40G_RX = 0x900 };

enum ll40g_block { LL40G_TX_BLOCK, LL40G_RX_BLOCK };

/*
 * Both pages have the same counters: 64 bits wide, they roll over, and nothing but a clear changes
 * them.
 */
#define LL40G_TX_NAME		"tx_"
#define LL40G_RX_NAME		"rx_"
#define LL40G_TX_VERB		"Transmitted "
#define LL40G_RX_VERB		"Received "
#define LL40G_ROW(way, name_, reg_, offset_, help_, ...)					\
	MACSTATS_ROW(LL40G_##way##_NAME name_, "CNTR_" #way "_" reg_, LL40G_##way + (offset_),	\
		     LL40G_##way##_VERB help_, .bits = 64, .block = LL40G_##way##_BLOCK,	\
		     .unit = MACSTATS_FRAMES, __VA_ARGS__)
#define LL40G_SIZE(way, i, name_, reg_, text, size_)						\
	LL40G_ROW(way, name_ "b", reg_ "B", 0x16 + 2 * (i), "frames of " text ", good or bad",	\
		  MACSTATS_WHEN_##way(.size = size_), MACSTATS_FEEDS(HIST_##way)),
#define LL40G_TX_SIZE(...)	LL40G_SIZE(TX, __VA_ARGS__)
#define LL40G_RX_SIZE(...)	LL40G_SIZE(RX, __VA_ARGS__)

#define LL40G_GOOD(way, to, kind_)								\
	{ .direction = MACSTATS_##way, .destination = MACSTATS_##to, .kind = MACSTATS_##kind_,	\
	  .no_errors = MACSTATS_ERR_FCS }
#define LL40G_BAD(way, to, kind_)								\
	{ .direction = MACSTATS_##way, .destination = MACSTATS_##to, .kind = MACSTATS_##kind_,	\
	  .errors = MACSTATS_ERR_FCS }

/* Sums; 14: octets of a frame that are neither payload nor FCS. */
#define LL40G_TX_OK										\
	MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS), { MACSTATS_STD_RTNL_TX_BYTES, 14 }
#define LL40G_RX_OK										\
	MACSTATS_PLUS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS), { MACSTATS_STD_RTNL_RX_BYTES, 14 }
/* Frames of wrong size come off the good ones with -1; bad ones go back with 1. */
#define LL40G_TX_WRONG_SIZE(sign)								\
	MACSTATS_TERMS(sign, FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),				\
	{ MACSTATS_STD_RTNL_TX_BYTES, 14 * (sign) }, { MACSTATS_STD_RTNL_TX_ERRORS, -(sign) }
#define LL40G_RX_WRONG_SIZE(sign)								\
	MACSTATS_TERMS(sign, FRAMES_RECEIVED_OK, RTNL_RX_PACKETS),				\
	{ MACSTATS_STD_RTNL_RX_BYTES, 14 * (sign) }, { MACSTATS_STD_RTNL_RX_ERRORS, -(sign) }
/*
 * Frames of a wrong size are among the multicast and broadcast ones, and cannot be told apart: no
 * row feeds MulticastFrames...OK or BroadcastFrames...OK.
 */
#define LL40G_TX_MULTICAST
#define LL40G_RX_MULTICAST	MACSTATS_PLUS(RTNL_MULTICAST)
#define LL40G_TX_CONTROL	MACSTATS_PLUS(MAC_CONTROL_FRAMES_TRANSMITTED)
#define LL40G_RX_CONTROL	MACSTATS_PLUS(MAC_CONTROL_FRAMES_RECEIVED)
/* Statistics that Linux has for received frames only. */
#define LL40G_TX_ONLY_RX(...)
#define LL40G_RX_ONLY_RX(...)	__VA_ARGS__

/*
 * CRCERR: the text sets no upper limit; the released RTL stops at the maximum frame length
 * (inferred), which is what the variant does. PAUSE and PAUSE_ERR: in the released RTL, PFC is a
 * pause frame (inferred). OctetsOK: IEEE 802.3-2008 5.2.2.1.8 (for which the text has 5.2.2.18, a
 * misprint) and 5.2.2.1.14.
 */
#define LL40G_PAGE(way)										\
	LL40G_ROW(way, "fragments", "FRAGMENTS", 0x00,						\
		  "frames of less than 64 octets with an FCS error",				\
		  MACSTATS_WHEN_##way(.size = MACSTATS_SIZE_UNDER_64, .errors = MACSTATS_ERR_FCS), \
		  .standard = { LL40G_##way##_WRONG_SIZE(1), LL40G_##way##_ONLY_RX(		\
			MACSTATS_MINUS(UNDERSIZE_PKTS), MACSTATS_PLUS(FRAGMENTS),		\
			MACSTATS_MINUS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS)) }),	\
	LL40G_ROW(way, "jabbers", "JABBERS", 0x02,						\
		  "frames of at least 64 octets and over the maximum length with an FCS error", \
		  MACSTATS_WHEN_##way(.excess = MACSTATS_OVER_MAX, .size = MACSTATS_SIZE_64_UP,	\
				      .errors = MACSTATS_ERR_FCS),				\
		  .standard = { LL40G_##way##_WRONG_SIZE(1), LL40G_##way##_ONLY_RX(		\
			MACSTATS_MINUS(OVERSIZE_PKTS), MACSTATS_PLUS(JABBERS),			\
			MACSTATS_MINUS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS)) }),	\
	LL40G_ROW(way, "fcs", "FCS", 0x04, "frames of any length with an FCS error",		\
		  MACSTATS_WHEN_##way(.errors = MACSTATS_ERR_FCS),				\
		  .standard = { MACSTATS_PLUS(RTNL_##way##_ERRORS), LL40G_##way##_ONLY_RX(	\
			MACSTATS_PLUS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS)) }),	\
	LL40G_ROW(way, "crcerr", "CRCERR", 0x06,						\
		  "frames of at least 64 octets with an FCS error",				\
		  .when = { { .direction = MACSTATS_##way, .excess = MACSTATS_WITHIN_MAX,	\
			      .size = MACSTATS_SIZE_64_UP, .errors = MACSTATS_ERR_FCS },	\
			    { .direction = MACSTATS_##way, .excess = MACSTATS_OVER_MAX,		\
			      .size = MACSTATS_SIZE_64_UP, .errors = MACSTATS_ERR_FCS,		\
			      .without = MACSTATS_OPT_VARIANT } }),				\
	LL40G_ROW(way, "mcast_data_err", "MCAST_DATA_ERR", 0x08,				\
		  "multicast frames with an FCS error, control frames excluded",		\
		  .when = { LL40G_BAD(way, MULTICAST, DATA) }),					\
	LL40G_ROW(way, "bcast_data_err", "BCAST_DATA_ERR", 0x0a,				\
		  "broadcast frames with an FCS error, control frames excluded",		\
		  .when = { LL40G_BAD(way, BROADCAST, DATA) }),					\
	LL40G_ROW(way, "ucast_data_err", "UCAST_DATA_ERR", 0x0c,				\
		  "unicast frames with an FCS error, control frames excluded",			\
		  .when = { LL40G_BAD(way, UNICAST, DATA) }),					\
	LL40G_ROW(way, "mcast_ctrl_err", "MCAST_CTRL_ERR", 0x0e,				\
		  "multicast control frames with an FCS error",					\
		  .when = { LL40G_BAD(way, MULTICAST, ANY_CONTROL) }),				\
	LL40G_ROW(way, "bcast_ctrl_err", "BCAST_CTRL_ERR", 0x10,				\
		  "broadcast control frames with an FCS error",					\
		  .when = { LL40G_BAD(way, BROADCAST, ANY_CONTROL) }),				\
	LL40G_ROW(way, "ucast_ctrl_err", "UCAST_CTRL_ERR", 0x12,				\
		  "unicast control frames with an FCS error",					\
		  .when = { LL40G_BAD(way, UNICAST, ANY_CONTROL) }),				\
	LL40G_ROW(way, "pause_err", "PAUSE_ERR", 0x14,						\
		  "pause frames with an FCS error; also counted as control frames",		\
		  .when = { LL40G_BAD(way, ANY, PAUSE),						\
			    { .direction = MACSTATS_##way, .kind = MACSTATS_PFC,		\
			      .errors = MACSTATS_ERR_FCS, .with = MACSTATS_OPT_VARIANT } }),	\
	MACSTATS_RMON_ROWS(LL40G_##way##_SIZE, "to", "to")					\
	LL40G_ROW(way, "1519tomaxb", "1519toMAXB", 0x22,					\
		  "frames of 1519 octets up to the maximum frame length, good or bad",		\
		  MACSTATS_WHEN_##way(.excess = MACSTATS_WITHIN_MAX,				\
				      .size = MACSTATS_SIZE_1519_UP), MACSTATS_FEEDS(HIST_##way)), \
	LL40G_ROW(way, "oversize", "OVERSIZE", 0x24,						\
		  "frames of at least 64 octets and over the maximum length, good or bad", \
		  MACSTATS_WHEN_##way(.excess = MACSTATS_OVER_MAX, .size = MACSTATS_SIZE_64_UP), \
		  .standard = { LL40G_##way##_WRONG_SIZE(-1), LL40G_##way##_ONLY_RX(		\
			MACSTATS_PLUS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS,			\
				      RTNL_RX_LENGTH_ERRORS)) }),				\
	LL40G_ROW(way, "mcast_data_ok", "MCAST_DATA_OK", 0x26,					\
		  "multicast frames without an FCS error, control frames excluded; of any length", \
		  .when = { LL40G_GOOD(way, MULTICAST, DATA) },					\
		  .standard = { LL40G_##way##_OK, LL40G_##way##_MULTICAST }),		\
	LL40G_ROW(way, "bcast_data_ok", "BCAST_DATA_OK", 0x28,					\
		  "broadcast frames without an FCS error, control frames excluded; of any length", \
		  .when = { LL40G_GOOD(way, BROADCAST, DATA) },					\
		  .standard = { LL40G_##way##_OK }),					\
	LL40G_ROW(way, "ucast_data_ok", "UCAST_DATA_OK", 0x2a,					\
		  "unicast frames without an FCS error, control frames excluded; of any length", \
		  .when = { LL40G_GOOD(way, UNICAST, DATA) },					\
		  .standard = { LL40G_##way##_OK }),					\
	LL40G_ROW(way, "mcast_ctrl", "MCAST_CTRL", 0x2c,					\
		  "multicast control frames without an FCS error, pause frames included",	\
		  .when = { LL40G_GOOD(way, MULTICAST, ANY_CONTROL) },				\
		  .standard = { LL40G_##way##_OK, LL40G_##way##_CONTROL,			\
				LL40G_##way##_MULTICAST }),					\
	LL40G_ROW(way, "bcast_ctrl", "BCAST_CTRL", 0x2e,					\
		  "broadcast control frames without an FCS error, pause frames included",	\
		  .when = { LL40G_GOOD(way, BROADCAST, ANY_CONTROL) },				\
		  .standard = { LL40G_##way##_OK, LL40G_##way##_CONTROL }),			\
	LL40G_ROW(way, "ucast_ctrl", "UCAST_CTRL", 0x30,					\
		  "unicast control frames without an FCS error, pause frames included",		\
		  .when = { LL40G_GOOD(way, UNICAST, ANY_CONTROL) },				\
		  .standard = { LL40G_##way##_OK, LL40G_##way##_CONTROL }),			\
	LL40G_ROW(way, "pause", "PAUSE", 0x32,							\
		  "pause frames without an FCS error; also counted as control frames",		\
		  .when = { LL40G_GOOD(way, ANY, PAUSE),					\
			    { .direction = MACSTATS_##way, .kind = MACSTATS_PFC,		\
			      .no_errors = MACSTATS_ERR_FCS, .with = MACSTATS_OPT_VARIANT } },	\
		  MACSTATS_FEEDS(way##_PAUSE_FRAMES)),						\
	LL40G_ROW(way, "runt", "RUNT", 0x34,							\
		  "frames of less than 64 octets, with or without an FCS error",		\
		  MACSTATS_WHEN_##way(.size = MACSTATS_SIZE_UNDER_64),				\
		  .standard = { LL40G_##way##_WRONG_SIZE(-1),				\
				LL40G_##way##_ONLY_RX(MACSTATS_PLUS(UNDERSIZE_PKTS)) }),	\
	LL40G_ROW(way, "st", "ST", 0x36, "frame starts", MACSTATS_WHEN_##way())

#define LL40G_OCTETS(way, name_, reg_, text, octets)						\
	MACSTATS_ROW(name_, reg_, LL40G_##way + 0x60,						\
		     "Payload and padding octets of " text " frames without FCS, undersize, "	\
		     "oversize or payload length error", .bits = 64, .block = LL40G_##way##_BLOCK, \
		     .unit = MACSTATS_PAYLOAD,							\
		     MACSTATS_WHEN_##way(.excess = MACSTATS_WITHIN_MAX,				\
					 .size = MACSTATS_SIZE_64_UP, .no_errors =		\
					 MACSTATS_ERR_FCS | MACSTATS_ERR_PAYLOAD_LENGTH),	\
		     MACSTATS_FEEDS(octets, RTNL_##way##_BYTES))

MACSTATS_TABLE const struct macstats_counter ll40g_counters[] = {
	LL40G_PAGE(TX),
	LL40G_OCTETS(TX, "tx_octets_ok", "TxOctetsOK", "transmitted", OCTETS_TRANSMITTED_OK),
	LL40G_PAGE(RX),
	LL40G_OCTETS(RX, "rx_octets_ok", "RxOctetsOK", "received", OCTETS_RECEIVED_OK),
};

/* Both pages have these; the revision differs between releases (inferred). */
#define LL40G_REGISTER(access_, way, name_, offset_, reset_, ...)			\
	MACSTATS_BLOCK_REGISTER(access_, LL40G_##way##_BLOCK, name_, LL40G_##way + (offset_), \
				reset_, __VA_ARGS__)
#define LL40G_PAGE_REGISTERS(way, scratch)						\
	LL40G_REGISTER(RO, way, #way "STAT_REVID", 0x40, 0x04142014,			\
		       "Revision of the " #way " statistics module; differs "		\
		       "between releases (inferred)"),					\
	LL40G_REGISTER(RW, way, #way "STAT_SCRATCH", 0x41, scratch,			\
		       "Scratch register available for testing"),			\
	LL40G_REGISTER(RO, way, #way "STAT_NAME_0", 0x42, 0x30343067,			\
		       "First 4 characters of \"040gMacStats\"",			\
		       .roles = MACSTATS_ROLE_IDENTITY),				\
	LL40G_REGISTER(RO, way, #way "STAT_NAME_1", 0x43, 0x4d616353,			\
		       "Next 4 characters of \"040gMacStats\"",				\
		       .roles = MACSTATS_ROLE_IDENTITY),				\
	LL40G_REGISTER(RO, way, #way "STAT_NAME_2", 0x44, 0x74617473,			\
		       "Final 4 characters of \"040gMacStats\"",			\
		       .roles = MACSTATS_ROLE_IDENTITY),				\
	LL40G_REGISTER(RW, way, "CNTR_" #way "_CONFIG", 0x45, 0,			\
		       "Configuration of the " #way " statistics counters", .fields = {	\
		MACSTATS_COMMAND("clear", 0, "Reset all " #way " statistics registers",	\
				 .roles = MACSTATS_ROLE_CLEAR),				\
		MACSTATS_COMMAND("parity_clear", 1,					\
				 "Clear the parity bit of CNTR_" #way "_STATUS",	\
				 .roles = MACSTATS_ROLE_PARITY_CLEAR),			\
		MACSTATS_FIELD(RW, "shadow_request", 2, 1,				\
			       "Freeze the readable values; the counters go on underneath", \
			       .roles = MACSTATS_ROLE_SNAPSHOT_REQUEST),		\
		MACSTATS_FIELD(RW, "reserved", 3, 13,					\
			       "Plain storage; bits 31:16 read 0 (inferred)") }),	\
	LL40G_REGISTER(RO, way, "CNTR_" #way "_STATUS", 0x46, 0,			\
		       "Status of the " #way " statistics counters", .fields = {	\
		MACSTATS_FIELD(RO, "parity_error", 0, 1,				\
			       "At least one parity error in the " #way " statistics counters", \
			       .roles = MACSTATS_ROLE_PARITY_ERROR),			\
		MACSTATS_FIELD(RO, "paused", 1, 1,					\
			       "The " #way " statistics registers are frozen",		\
			       .roles = MACSTATS_ROLE_SNAPSHOT_GRANTED) })

MACSTATS_TABLE const struct macstats_register ll40g_registers[] = {
	MACSTATS_REGISTER(RW, "MAX_TX_SIZE_CONFIG", 0x407, 9600,
			  "Longest frame transmitted without being counted as oversize", .fields = {
		MACSTATS_FIELD(RW, "max_size", 0, 16, "Octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_TX) }),
	MACSTATS_REGISTER(RW, "MAX_RX_SIZE_CONFIG", 0x506, 9600,
			  "Longest frame received without being counted as oversize", .fields = {
		MACSTATS_FIELD(RW, "max_size", 0, 16, "Octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX) }),
	LL40G_PAGE_REGISTERS(TX, 0x08),
	LL40G_PAGE_REGISTERS(RX, 0x09),
};

MACSTATS_TABLE const struct macstats_model ll40g_model = {
	.name = "ll40g", .title = "Intel Low Latency 40-Gbps Ethernet IP core",
	.datasheet = "Intel 683745 (2021-03-08), 3.4.1.6 and 3.4.1.7",
	.ports = 1, .address_unit_bits = 32, .bus_bits = 32, .line_rate_bps = 40000000000ull,
	MACSTATS_ROWS(counters, ll40g_counters), MACSTATS_ROWS(registers, ll40g_registers),
	/*
	 * The parity bit does not tell which counter is wrong, so every value of the page has to
	 * be plausible. That a clear also clears it is inferred. Each page is built by an option
	 * of its own.
	 */
	.blocks = {
		{ .name = "tx", .clear_clears_parity = true, .option = MACSTATS_OPT_TX_STATISTICS },
		{ .name = "rx", .clear_clears_parity = true, .option = MACSTATS_OPT_RX_STATISTICS },
	}, .n_blocks = 2,
	/* 0x862 and 0x962: undocumented, unconnected in this core (inferred). */
	.reserved = {
		{ 0x838, 0x83f, MACSTATS_READS_ZERO }, { 0x862, 0x863, MACSTATS_READS_ZERO },
		{ 0x938, 0x93f, MACSTATS_READS_ZERO }, { 0x962, 0x963, MACSTATS_READS_ZERO },
	}, .n_reserved = 4,
	.sizes = { .edge = MACSTATS_RMON_EDGES },
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_shortest = 9, .tx_pad_to = 64,
	.data_overhead = 18, .control_overhead = 18,
	.variant_control_overhead = 20,				/* inferred */
	.options = MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS |
		   MACSTATS_OPT_VLAN_DETECTION | MACSTATS_OPT_VARIANT,
	.default_options = MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS |
			   MACSTATS_OPT_VLAN_DETECTION,
	.variant = "as in the released RTL, CRCERR leaves out frames over the maximum length, "
		   "PAUSE takes in PFC and OctetsOK leaves out the opcode of control frames",
	.note = "frames of illegal length with a good FCS count in the multicast and broadcast "
		"statistics, but not in FramesReceivedOK and FramesTransmittedOK",
	/* The counters are RAM, which starts with any content (inferred). */
	.power_up = MACSTATS_POWER_UP_RANDOM,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_LL40G_H */
