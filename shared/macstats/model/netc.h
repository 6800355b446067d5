/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * NXP NETC (i.MX 95, i.MX RT1180, S32Z2) and ENETC (LS1028A): the MACs of an Ethernet port. Port
 * MAC 0 is the express MAC, port MAC 1 the preemptible one (IEEE 802.3 clause 99). Data only.
 *
 * Sources: Linux 7.3, enetc4_hw.h of the driver enetc: names, offsets and the width of 64 bits, and
 * which MAC is which; dpmac.h of the driver dpaa2, whose MAC has these counters under other names:
 * what each counts. NXP's register headers of the RT1180 and the S32Z2 name the object of RFC 2819,
 * of the interfaces MIB (RFC 2863) or of IEEE 802.3 for most of them, and have STATN_CONFIG and the
 * reset values. "Inferred" marks what none of these says. They disagree on priority-based flow
 * control: in dpmac.h it is pause (RXPF, TXPF); the headers name aPAUSEMACCtrlFramesReceived, which
 * leaves it out. They are of this hardware: here it is control (RCNP, TCNP).
 *
 * Addresses are octets from PM0, the registers of a port's link: 0x5000 in the port registers of an
 * ENETC of NETC, 0x1000 in those of the switch. In the LS1028A the two MACs are at 0x8000 and
 * 0x9000, and the counters of the MAC Merge sublayer at 0x1f08; ROCT and TIOCT are missing there
 * (inferred: enetc_hw.h has none), and so are OctetsReceivedOK and rx_bytes; TXP is bit 11, TCRSE
 * is not here, and STATN_CONFIG is open. A driver's reg_read(), reg_read64() and has_counter() know
 * that, and which ports have no PM1. For nxp_enetc4, Linux 7.3 has no get_mm, and shows no PM1.
 *
 * Good frames have no error and a legal length: 64 octets, FCS included, up to MAXFRM, tagged or
 * not (inferred). Names of a MIB count as that says. A symbol error makes the FCS bad (inferred:
 * IEEE 802.3 22.2.1.5). A frame for which the FIFO has no room is dropped whole, and is in RDRP and
 * RDRNTP only (inferred: RFC 2819 etherStatsDropEvents). Transmitted frames are padded, and have no
 * maximum, as Linux leaves TX_MTU at 0. Frames given up are in TLCOL or TECOL only (inferred).
 *
 * Limits of the model:
 * - A read of 32 bits holds nothing (inferred from Linux). By NXP's erratum 050679 some parts want
 *   atomic access: reg_read64() of a driver on 32 bits locks all of NETC, and rereads the words.
 *   While COD is set, a read of the low word clears both and holds the high one (inferred).
 * - By NXP's errata TFRM and TOCT of some parts have frames given up, too (051710: TFRM - TLCOL -
 *   TECOL is right, TOCT cannot be), TEOCT and TOCT count too much after pause frames with a short
 *   preamble (051711), and MMFAECR is unreliable unless PM1_RFCS is 0 (051707).
 * - CLR does nothing here, as it is not known whether it clears itself, and SAT neither: no counter
 *   of 64 bits gets to its maximum.
 * - TX_EN and RX_EN stop one direction; here both are always on, as is padding (TXP). No frame is
 *   preempted: port MAC 1 and the sublayer count nothing. Most ports run at 2.5 Gb/s at most.
 *
 * Standard statistics. bytes are octets of good frames - 4 for each, IEEE octets - 18: a tag is
 * data (inferred). Control frames are those of RCNP and pause frames. Collisions are absent, and so
 * is FramesLostDueToIntMACXmitError: TERR has frames that were sent with a bad FCS, too (inferred).
 */
#ifndef MACSTATS_MODEL_NETC_H
#define MACSTATS_MODEL_NETC_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum netc_mask {
	NETC_BAD_FCS = MACSTATS_ERR_FCS | MACSTATS_ERR_CODE,
	NETC_BAD = NETC_BAD_FCS | MACSTATS_ERR_ALIGNMENT,
	NETC_BAD_OR_DROPPED = NETC_BAD | MACSTATS_ERR_OVERRUN,
	NETC_ALIGNMENT_OR_DROPPED = MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_OVERRUN,
	NETC_GIVEN_UP = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS,
	NETC_TX_ERROR = MACSTATS_ERR_UNDERRUN | MACSTATS_ERR_FCS,
	NETC_TX_BAD = NETC_GIVEN_UP | NETC_TX_ERROR,
	NETC_GIVEN_UP_OR_CUT = NETC_GIVEN_UP | MACSTATS_ERR_UNDERRUN,
	NETC_CONTROL = MACSTATS_CONTROL | MACSTATS_PFC,
	NETC_TAGGED = MACSTATS_TAGGED | MACSTATS_DOUBLE_TAGGED,
	NETC_SIZE_1024_TO_1522 = 1 << 6,
	NETC_SIZE_1523_UP = 1 << 7,
};

/* Names and texts of port MAC @m, 0 or 1. */
#define NETC_NAME_0	"emac_"
#define NETC_NAME_1	"pmac_"
#define NETC_MAC_0	MACSTATS_MAC_EXPRESS
#define NETC_MAC_1	MACSTATS_MAC_PREEMPTIBLE

#define NETC_COUNTER(m, dir, name_, reg_, offset_, unit_, help_, ...)				\
	MACSTATS_ROW(dir "_" NETC_NAME_##m name_, "PM" #m "_" reg_, 0x400 * (m) + (offset_),	\
		     help_, .bits = 64, .block = (m), .unit = MACSTATS_##unit_, .reread = true,	\
		     .mac = NETC_MAC_##m, __VA_ARGS__)
#define NETC_RX(m, name_, reg_, offset_, help_, ...) \
	NETC_COUNTER(m, "rx", name_, "R" reg_, offset_, FRAMES, "Received frames " help_, \
		     __VA_ARGS__)
#define NETC_TX(m, name_, reg_, offset_, help_, ...) \
	NETC_COUNTER(m, "tx", name_, "T" reg_, offset_, FRAMES, "Frames " help_, __VA_ARGS__)
#define NETC_RX_OCTETS(m, name_, reg_, offset_, help_, ...)					\
	NETC_COUNTER(m, "rx", name_, reg_, offset_, OCTETS, "Octets of " help_, __VA_ARGS__)
#define NETC_TX_OCTETS(m, name_, reg_, offset_, help_, ...)					\
	NETC_COUNTER(m, "tx", name_, reg_, offset_, OCTETS, "Octets of " help_, __VA_ARGS__)

#define NETC_LEGAL(...) \
	MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP, __VA_ARGS__)
#define NETC_RX_GOOD(...)									\
	MACSTATS_WHEN_RX(__VA_ARGS__, .excess = MACSTATS_WITHIN_MAX,				\
			 .size = MACSTATS_SIZE_64_UP, .no_errors = NETC_BAD_OR_DROPPED)
#define NETC_TX_GOOD(...) MACSTATS_WHEN_TX(__VA_ARGS__, .no_errors = NETC_TX_BAD)
#define NETC_TX_WHOLE(...) MACSTATS_WHEN_TX(__VA_ARGS__, .no_errors = NETC_GIVEN_UP)

/* Sizes of good and bad frames. */
#define NETC_RX_SIZE(m, i, name_, reg_, text, size_)						\
	NETC_RX(m, name_ "_octets", reg_, 0x170 + 8 * (i), "of " text ", good or bad",		\
		MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = size_,			\
				 .no_errors = MACSTATS_ERR_OVERRUN), MACSTATS_FEEDS(HIST_RX))
#define NETC_TX_SIZE(m, i, name_, reg_, text, size_)						\
	NETC_TX(m, name_ "_octets", reg_, 0x270 + 8 * (i), "of " text " sent, good or bad",	\
		NETC_TX_WHOLE(.size = size_), MACSTATS_FEEDS(HIST_TX))
#define NETC_SIZES(row, m, max)									\
	row(m, 0, "64", "64", "64 octets", MACSTATS_SIZE_64),					\
	row(m, 1, "65_to_127", "127", "65 to 127 octets", MACSTATS_SIZE_65_TO_127),		\
	row(m, 2, "128_to_255", "255", "128 to 255 octets", MACSTATS_SIZE_128_TO_255),		\
	row(m, 3, "256_to_511", "511", "256 to 511 octets", MACSTATS_SIZE_256_TO_511),		\
	row(m, 4, "512_to_1023", "1023", "512 to 1023 octets", MACSTATS_SIZE_512_TO_1023),	\
	row(m, 5, "1024_to_1522", "1522", "1024 to 1522 octets", NETC_SIZE_1024_TO_1522),	\
	row(m, 6, "1523_to_max", "1523X", max, NETC_SIZE_1523_UP)

#define NETC_RX_ROWS(m)										\
	NETC_RX_OCTETS(m, "ethernet_octets", "REOCT", 0x100, "received frames, good or bad",	\
		       MACSTATS_WHEN_RX(.no_errors = MACSTATS_ERR_OVERRUN)),			\
	NETC_RX_OCTETS(m, "octets", "ROCT", 0x108, "good received frames",			\
		       NETC_RX_GOOD(.kind = MACSTATS_ANY),					\
		       MACSTATS_FEEDS(OCTETS_RECEIVED_OK, RTNL_RX_BYTES)),			\
	/* Of any length: dpmac.h has "otherwise of correct length" for FCS errors alone. */	\
	NETC_RX(m, "alignment_errors", "ALN", 0x110, "that are not of whole octets",		\
		MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_ALIGNMENT,				\
				 .no_errors = MACSTATS_ERR_OVERRUN),				\
		MACSTATS_FEEDS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS)),			\
	NETC_RX(m, "pause_frames", "XPF", 0x118, "that are good pause frames",			\
		NETC_RX_GOOD(.kind = MACSTATS_PAUSE),						\
		MACSTATS_FEEDS(RX_PAUSE_FRAMES, MAC_CONTROL_FRAMES_RECEIVED)),			\
	NETC_RX(m, "frames", "FRM", 0x120, "that are good, pause frames included",		\
		NETC_RX_GOOD(.kind = MACSTATS_ANY),						\
		.standard = { MACSTATS_PLUS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS),		\
			      { MACSTATS_STD_OCTETS_RECEIVED_OK, -18 },				\
			      { MACSTATS_STD_RTNL_RX_BYTES, -4 } }),				\
	NETC_RX(m, "fcs_errors", "FCS", 0x128, "of legal length and whole octets with a bad FCS", \
		NETC_LEGAL(.errors = NETC_BAD_FCS, .no_errors = NETC_ALIGNMENT_OR_DROPPED),	\
		MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS)),		\
	NETC_RX(m, "vlan_frames", "VLAN", 0x130, "that are good and tagged",			\
		NETC_RX_GOOD(.tags = NETC_TAGGED)),						\
	/* No short ones: dpmac.h. */								\
	NETC_RX(m, "errors", "ERR", 0x138, "of 64 octets or more with an error, or too long",	\
		.when = { { .direction = MACSTATS_RX, .size = MACSTATS_SIZE_64_UP,		\
			    .errors = NETC_BAD, .no_errors = MACSTATS_ERR_OVERRUN },		\
			  { .direction = MACSTATS_RX, .excess = MACSTATS_OVER_MAX,		\
			    .size = MACSTATS_SIZE_64_UP, .no_errors = MACSTATS_ERR_OVERRUN } },	\
		MACSTATS_FEEDS(RTNL_RX_ERRORS)),						\
	NETC_RX(m, "unicast_frames", "UCA", 0x140, "that are good unicast frames",		\
		NETC_RX_GOOD(.destination = MACSTATS_UNICAST)),					\
	/* Pause frames, too (inferred: nothing leaves them out). */				\
	NETC_RX(m, "multicast_frames", "MCA", 0x148, "that are good multicast frames",		\
		NETC_RX_GOOD(.destination = MACSTATS_MULTICAST),				\
		MACSTATS_FEEDS(MULTICAST_FRAMES_RECEIVED_OK, RTNL_MULTICAST)),			\
	NETC_RX(m, "broadcast_frames", "BCA", 0x150, "that are good broadcast frames",		\
		NETC_RX_GOOD(.destination = MACSTATS_BROADCAST),				\
		MACSTATS_FEEDS(BROADCAST_FRAMES_RECEIVED_OK)),					\
	NETC_RX(m, "drops", "DRP", 0x158, "for which the FIFO had no room, cut or not",		\
		MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_OVERRUN),				\
		MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),						\
	NETC_RX(m, "packets", "PKT", 0x160, "of any length, good or bad",			\
		MACSTATS_WHEN_RX(.no_errors = MACSTATS_ERR_OVERRUN)),				\
	NETC_RX(m, "undersize_packets", "UND", 0x168, "of less than 64 octets, otherwise good",	\
		MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64,				\
				 .no_errors = NETC_BAD_OR_DROPPED),				\
		MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS)),		\
	NETC_SIZES(NETC_RX_SIZE, m, "1523 octets up to MAXFRM"),				\
	NETC_RX(m, "oversize_packets", "OVR", 0x1a8, "longer than MAXFRM, otherwise good",	\
		MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .no_errors = NETC_BAD_OR_DROPPED), \
		MACSTATS_FEEDS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS)),	\
	NETC_RX(m, "jabbers", "JBR", 0x1b0, "longer than MAXFRM with a bad FCS or alignment",	\
		MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .errors = NETC_BAD,		\
				 .no_errors = MACSTATS_ERR_OVERRUN),				\
		MACSTATS_FEEDS(JABBERS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS)),		\
	NETC_RX(m, "fragments", "FRG", 0x1b8, "of less than 64 octets with bad FCS or alignment", \
		MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .errors = NETC_BAD,		\
				 .no_errors = MACSTATS_ERR_OVERRUN),				\
		MACSTATS_FEEDS(FRAGMENTS, RTNL_RX_ERRORS)),					\
	NETC_RX(m, "control_packets", "CNP", 0x1c0, "that are good control frames, but no pause", \
		NETC_RX_GOOD(.kind = NETC_CONTROL), MACSTATS_FEEDS(MAC_CONTROL_FRAMES_RECEIVED)), \
	NETC_RX(m, "whole_drops", "DRNTP", 0x1c8, "for which the FIFO had no room, dropped whole", \
		MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_OVERRUN),				\
		MACSTATS_FEEDS(FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR))

#define NETC_TX_ROWS(m)										\
	NETC_TX_OCTETS(m, "ethernet_octets", "TEOCT", 0x200, "transmitted frames, good or bad",	\
		       NETC_TX_WHOLE(.kind = MACSTATS_ANY)),					\
	NETC_TX_OCTETS(m, "octets", "TOCT", 0x208, "good transmitted frames",			\
		       NETC_TX_GOOD(.kind = MACSTATS_ANY),					\
		       MACSTATS_FEEDS(OCTETS_TRANSMITTED_OK, RTNL_TX_BYTES)),			\
	NETC_TX(m, "pause_frames", "XPF", 0x218, "that are good pause frames",			\
		NETC_TX_GOOD(.kind = MACSTATS_PAUSE),						\
		MACSTATS_FEEDS(TX_PAUSE_FRAMES, MAC_CONTROL_FRAMES_TRANSMITTED)),		\
	NETC_TX(m, "frames", "FRM", 0x220, "sent without error, pause frames included",		\
		NETC_TX_GOOD(.kind = MACSTATS_ANY),						\
		.standard = { MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),		\
			      { MACSTATS_STD_OCTETS_TRANSMITTED_OK, -18 },			\
			      { MACSTATS_STD_RTNL_TX_BYTES, -4 } }),				\
	NETC_TX(m, "fcs_errors", "FCS", 0x228, "sent with a bad FCS, but no underrun",		\
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_FCS, .no_errors = NETC_GIVEN_UP_OR_CUT)), \
	NETC_TX(m, "vlan_frames", "VLAN", 0x230, "with a tag sent without error",		\
		NETC_TX_GOOD(.tags = NETC_TAGGED)),						\
	NETC_TX(m, "errors", "ERR", 0x238, "sent with a bad FCS or an underrun",		\
		MACSTATS_WHEN_TX(.errors = NETC_TX_ERROR, .no_errors = NETC_GIVEN_UP),		\
		MACSTATS_FEEDS(RTNL_TX_ERRORS)),						\
	NETC_TX(m, "unicast_frames", "UCA", 0x240, "to unicast addresses sent without error",	\
		NETC_TX_GOOD(.destination = MACSTATS_UNICAST)),					\
	NETC_TX(m, "multicast_frames", "MCA", 0x248, "to multicast addresses sent without error", \
		NETC_TX_GOOD(.destination = MACSTATS_MULTICAST),				\
		MACSTATS_FEEDS(MULTICAST_FRAMES_XMITTED_OK)),					\
	NETC_TX(m, "broadcast_frames", "BCA", 0x250, "to broadcast addresses sent without error", \
		NETC_TX_GOOD(.destination = MACSTATS_BROADCAST),				\
		MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK)),					\
	NETC_TX(m, "packets", "PKT", 0x260, "sent, good or bad",				\
		NETC_TX_WHOLE(.kind = MACSTATS_ANY)),						\
	NETC_TX(m, "undersize_packets", "UND", 0x268, "of less than 64 octets sent: stays 0",	\
		MACSTATS_ERRORS_NEVER_SEEN),							\
	NETC_SIZES(NETC_TX_SIZE, m, "1523 octets or more"),					\
	NETC_TX(m, "control_packets", "CNP", 0x2c0, "that are good control frames, but no pause", \
		NETC_TX_GOOD(.kind = NETC_CONTROL),						\
		MACSTATS_FEEDS(MAC_CONTROL_FRAMES_TRANSMITTED)),				\
	/* Of good frames: IEEE 802.3 30.3.1.1.3, .4 and .9. */					\
	NETC_TX(m, "deferred_packets", "DFR", 0x2d0, "deferred at first, sent without collision", \
		NETC_TX_GOOD(.collisions = MACSTATS_NO_COLLISION, .deferred = true),		\
		MACSTATS_FEEDS(FRAMES_WITH_DEFERRED_XMISSIONS)),				\
	NETC_TX(m, "multiple_collisions", "MCOL", 0x2d8, "sent after 2 to 15 collisions",	\
		NETC_TX_GOOD(.collisions = MACSTATS_SEVERAL_COLLISIONS),			\
		MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),					\
	NETC_TX(m, "single_collisions", "SCOL", 0x2e0, "sent after exactly one collision",	\
		NETC_TX_GOOD(.collisions = MACSTATS_ONE_COLLISION),				\
		MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),					\
	NETC_TX(m, "late_collisions", "LCOL", 0x2e8, "given up after a late collision",		\
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION),			\
		MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_TX_ERRORS, RTNL_TX_WINDOW_ERRORS)),	\
	NETC_TX(m, "excessive_collisions", "ECOL", 0x2f0, "given up after 16 collisions",	\
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,			\
				 .no_errors = MACSTATS_ERR_LATE_COLLISION),			\
		MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ERRORS,			\
			       RTNL_TX_ABORTED_ERRORS)),					\
	/* What is invalid is open. */								\
	NETC_TX_OCTETS(m, "invalid_octets", "TIOCT", 0x2f8, "invalid transmitted frames: stays 0", \
		       .never = true)

/* IEEE 802.3 30.14.1.8 to .13. They state no frames: none is preempted here, but they may wrap. */
#define NETC_MERGE(name_, reg_, offset_, feeds, errors_only_, help_)				\
	MACSTATS_ROW(name_, "MAC_MERGE_" reg_, offset_, help_, .bits = 32, .block = 2,		\
		     .unit = MACSTATS_FRAMES, .errors_only = errors_only_, MACSTATS_FEEDS(feeds))

MACSTATS_TABLE const struct macstats_counter netc_counters[] = {
	NETC_RX_ROWS(0), NETC_TX_ROWS(0),
	NETC_RX_ROWS(1), NETC_TX_ROWS(1),
	NETC_MERGE("rx_merge_assembly_errors", "MMFAECR", 0x808, MAC_MERGE_FRAME_ASS_ERROR_COUNT,
		   true, "Received frames that could not be assembled"),
	NETC_MERGE("rx_merge_smd_errors", "MMFSECR", 0x80c, MAC_MERGE_FRAME_SMD_ERROR_COUNT,
		   true, "Received frames with a wrong start delimiter"),
	NETC_MERGE("rx_merge_assembly_ok", "MMFAOCR", 0x810, MAC_MERGE_FRAME_ASS_OK_COUNT,
		   false, "Received frames assembled from fragments"),
	NETC_MERGE("rx_merge_fragments", "MMFCRXR", 0x814, MAC_MERGE_FRAG_COUNT_RX,
		   false, "Fragments received behind the first of a frame"),
	NETC_MERGE("tx_merge_fragments", "MMFCTXR", 0x818, MAC_MERGE_FRAG_COUNT_TX,
		   false, "Fragments sent behind the first of a frame"),
	NETC_MERGE("tx_merge_holds", "MMHCR", 0x81c, MAC_MERGE_HOLD_COUNT,
		   false, "Times that preemptible frames were held"),
};

#define NETC_STATN_CONFIG(m)									\
	MACSTATS_BLOCK_REGISTER(RW, m, "PM" #m "_STATN_CONFIG", 0x400 * (m) + 0xe0, 0,		\
				"Statistics configuration", .fields = {				\
		MACSTATS_FIELD(RW, "SAT", 0, 1, "Counters stay at their maximum"),		\
		MACSTATS_FIELD(RW, "COD", 1, 1, "A read of a counter clears it",		\
			       .roles = MACSTATS_ROLE_CLEAR_ON_READ),				\
		MACSTATS_FIELD(RW, "CLR", 2, 1, "Clear the counters; does nothing here"),	\
		MACSTATS_FIELD(RW, "WEN", 3, 1, "Counters can be written",			\
			       .roles = MACSTATS_ROLE_WRITE_ENABLE) })

MACSTATS_TABLE const struct macstats_register netc_registers[] = {
	MACSTATS_REGISTER(RW, "PM0_COMMAND_CONFIG", 0x08, 0x8000, "Command and configuration",
			  .fields = {
		MACSTATS_FIELD(RW, "TX_EN", 0, 1, "Transmit path enable; always on here"),
		MACSTATS_FIELD(RW, "RX_EN", 1, 1, "Receive path enable; always on here"),
		MACSTATS_FIELD(RW, "TXP", 15, 1, "Short frames are padded; always here") }),
	MACSTATS_REGISTER(RW, "PM0_MAXFRM", 0x14, 1536, "Maximum frame length", .fields = {
		MACSTATS_FIELD(RW, "MAXFRM", 0, 16, "Of received frames, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX),
		MACSTATS_FIELD(RW, "TX_MTU", 16, 16, "Of transmitted frames; unused here") }),
	NETC_STATN_CONFIG(0),
	NETC_STATN_CONFIG(1),
};

/* Pause frames of the MAC are inferred: IEEE 802.3 annex 31B. */
MACSTATS_TABLE const struct macstats_model netc_model = {
	.name = "netc", .title = "NXP NETC and ENETC Ethernet port with frame preemption",
	.datasheet = "Linux driver enetc, enetc4_hw.h; NXP MIMXRT1180, PERI_NETC_ETH_LINK.h",
	.drivers = { "nxp_enetc4", "fsl_enetc" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .read64 = true,
	.line_rate_bps = 10000000000ull,
	MACSTATS_ROWS(counters, netc_counters), MACSTATS_ROWS(registers, netc_registers),
	.blocks = { { .name = "PM0" }, { .name = "PM1" }, { .name = "MAC_MERGE" } }, .n_blocks = 3,
	.sizes = { .edge = { 64, 65, 128, 256, 512, 1024, 1523 } }, .ieee_own_pause = true,
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN, .data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_NETC_H */
