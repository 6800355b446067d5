/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Synopsys DesignWare Ethernet MACs: MAC management counters (MMC), in three maps. dwmac_mmc is the
 * GMAC (3.x, MMC at 0x100), dwmac4_mmc the GMAC4 or EQOS (4.x and 5.x, at 0x700), dwxgmac_mmc the
 * XGMAC (at 0x800). Data only. Addresses count from the base of the MAC.
 *
 * Sources: Linux 7.3, drivers/net/ethernet/stmicro/stmmac: names and offsets are those of
 * mmc_core.c, names of preemption and gates those of mmc.h, which has them in lower case, bits of
 * registers those of mmc.h, dwmac1000.h, dwmac4.h and dwxgmac2.h. Intel's register pages of the
 * Arria 10 HPS (GMAC 3.72a): one line for each counter of the GMAC, and MMC_Control. NVIDIA
 * DriveOS, osi_mmc_counters: one line for each of GMAC4 and XGMAC, with the same meaning. Linux
 * amd/xgbe, xgbe_mmc_read(): which counters of the XGMAC have 64 bits, low word first. STM32
 * RM0433: a GMAC4 that was built with 7 of these counters.
 *
 * Intel: octets are without preamble and retried ones; "gb" are good and bad frames, "g" good ones;
 * a giant is longer than 1518 octets (1522 with a tag), or 9018 (9022) with JE; a runt is shorter
 * than 64 octets, with a CRC error. A read of a counter clears it while RSTONRD is set, also while
 * CNTFREEZ keeps all counters as they are; while CNTSTOPRO is set, they stay at their maximum.
 * CNTRST clears all of them, and itself. Linux writes RSTONRD, CNTRST and both bits of presets in
 * one word, at each open, so the preset has no effect beside CNTRST (inferred): a driver reports
 * that by macstats_port_reset().
 *
 * Inferred: octets include the FCS. Good frames have a legal length and no error of CRC, alignment
 * or receive; a wrong length field leaves them good (it is no part of the error summary in receive
 * descriptors). An alignment error is no CRC error, and a receive error makes the CRC bad (IEEE
 * 802.3 30.3.1.1.7 and 22.2.1.5). Pause frames count by their address, too. A frame that is
 * aborted has one error, an underflow before all others, and then a late collision. Transmission
 * does not check the CRC. A tagged frame may be 4 octets longer than GPSL of GMAC4 and XGMAC, too.
 * Nothing holds the high word of a counter of the XGMAC while the low one is read, unless RSTONRD
 * is set: a read of the low word clears both then. Counters of what the hardware was built without
 * (HW_FEATURE) stay 0, whether they exist or not, and are left out.
 *
 * Limits of the models:
 * - CNTPRST, CNTPRSTLVL and UCDBC do nothing here.
 * - Each counter is an option of the synthesis. A register that does not exist reads 0:
 *   has_counter() of the driver tells. An XGMAC may have 64 bits for octets alone, which needs
 *   other rows.
 * - Frames of up to 2000 octets (802.3as) and the watchdog are left out, and always off.
 * - What is in a frame, low power idle and frame preemption are no events here.
 *
 * Standard statistics. bytes are octets - 4 for each good frame. IEEE octets are absent, because no
 * counter separates received tagged frames that are good; deferred frames, because those that
 * collided as well count. FrameCheckSequenceErrors leaves out what is too short or too long.
 */
#ifndef MACSTATS_MODEL_DWMAC_MMC_H
#define MACSTATS_MODEL_DWMAC_MMC_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum dwmac_errors {
	DWMAC_CRC = MACSTATS_ERR_FCS | MACSTATS_ERR_CODE,
	DWMAC_BAD = DWMAC_CRC | MACSTATS_ERR_ALIGNMENT,
	DWMAC_CUT = MACSTATS_ERR_UNDERRUN | MACSTATS_ERR_LATE_COLLISION,
	DWMAC_GIVEN_UP = DWMAC_CUT | MACSTATS_ERR_EXCESSIVE_COLLISIONS,
	DWMAC_NOT_SENT = DWMAC_GIVEN_UP | MACSTATS_ERR_EXCESSIVE_DEFERRAL,
	DWMAC_TX_BAD = DWMAC_NOT_SENT | MACSTATS_ERR_CARRIER_LOSS,
};

enum dwmac_size {
	DWMAC_SIZE_1024_UP = MACSTATS_SIZE_1024_TO_1518 | MACSTATS_SIZE_1519_UP,
};

#define DWMAC_VLAN (MACSTATS_TAGGED | MACSTATS_DOUBLE_TAGGED)

/* 32 bits, and 64 bits, as most have in the XGMAC. Names are those of the driver. */
#define DWMAC_32(name_, reg_, unit_, offset_, help_, ...)					\
	MACSTATS_ROW(name_, "MMC_" reg_, offset_, help_, .bits = 32, .unit = MACSTATS_##unit_,	\
		     __VA_ARGS__),
#define DWMAC_64(name_, reg_, unit_, offset_, help_, ...)					\
	MACSTATS_ROW(name_, "MMC_" reg_, offset_, help_, .bits = 64, .unit = MACSTATS_##unit_,	\
		     .reread = true, __VA_ARGS__),
/* What no frame shows: frames, microseconds or events. */
#define DWMAC_NEVER(name_, reg_, offset_, help_, has) \
	DWMAC_32(name_, reg_, FRAMES, offset_, help_ ": stays 0", has .never = true)

/* Bits of the hardware without which such counters stay 0. A GMAC shows less. */
#define DWMAC_NO_BIT
#define DWMAC_LPI_BIT	.present = { 0x11c, 1u << 13 },
#define DWMAC_FPE_BIT	.present = { 0x128, 1u << 26 },
#define DWMAC_AT_COE
#define DWMAC4_AT_COE	.present = { 0x11c, 1u << 16 },
#define DWXGMAC_AT_COE	DWMAC4_AT_COE

/* Addresses, by the offset in the MMC of a GMAC or GMAC4, and of an XGMAC. */
#define DWMAC_AT(gmac, xgmac)		(0x100 + (gmac))
#define DWMAC4_AT(gmac, xgmac)		(0x700 + (gmac))
#define DWXGMAC_AT(gmac, xgmac)		(0x800 + (xgmac))

#define DWMAC_RX_LEGAL(...) \
	MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP, __VA_ARGS__)
#define DWMAC_RX_GOOD(to)									\
	MACSTATS_WHEN_RX(.destination = MACSTATS_##to, .excess = MACSTATS_WITHIN_MAX,		\
			 .size = MACSTATS_SIZE_64_UP, .no_errors = DWMAC_BAD)
#define DWMAC_TX_GOOD(...) MACSTATS_WHEN_TX(__VA_ARGS__, .no_errors = DWMAC_TX_BAD)

/* Frames by length, good or bad. */
#define DWMAC_TX_SIZE(row, at, i, name_, reg_, text, size_)					\
	row("tx_" name_ "_octets_good_bad", "TX_" reg_ "_OCTETS_GB", FRAMES,			\
	    at(0x24 + 4 * (i), 0x34 + 8 * (i)), "Transmitted frames of " text ", good or bad",	\
	    MACSTATS_WHEN_TX(.excess = MACSTATS_WITHIN_MAX, .size = size_),			\
	    MACSTATS_FEEDS(HIST_TX))
#define DWMAC_RX_SIZE(row, at, i, name_, reg_, text, size_)					\
	row("rx_" name_ "_octets_good_bad", "RX_" reg_ "_OCTETS_GB", FRAMES,			\
	    at(0xac + 4 * (i), 0x140 + 8 * (i)), "Received frames of " text ", good or bad",	\
	    MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = size_),			\
	    MACSTATS_FEEDS(HIST_RX))
#define DWMAC_SIZES(size, r, a)									\
	size(r, a, 0, "64", "64", "64 octets", MACSTATS_SIZE_64)				\
	size(r, a, 1, "65_to_127", "65_TO_127", "65 to 127 octets", MACSTATS_SIZE_65_TO_127)	\
	size(r, a, 2, "128_to_255", "128_TO_255", "128 to 255 octets", MACSTATS_SIZE_128_TO_255) \
	size(r, a, 3, "256_to_511", "256_TO_511", "256 to 511 octets", MACSTATS_SIZE_256_TO_511) \
	size(r, a, 4, "512_to_1023", "512_TO_1023", "512 to 1023 octets",			\
	     MACSTATS_SIZE_512_TO_1023)								\
	size(r, a, 5, "1024_to_max", "1024_TO_MAX", "1024 octets up to the maximum",		\
	     DWMAC_SIZE_1024_UP)

/* Intel: txoctetcount_gb to txunderflowerror. */
#define DWMAC_TX_ALL(row, at)									\
	row("tx_octetcount_good_bad", "TX_OCTETCOUNT_GB", OCTETS, at(0x14, 0x14),		\
	    "Octets of transmitted frames, good or bad", MACSTATS_WHEN_TX(.kind = MACSTATS_ANY)) \
	row("tx_framecount_good_bad", "TX_FRAMECOUNT_GB", FRAMES, at(0x18, 0x1c),		\
	    "Transmitted frames, good or bad", MACSTATS_WHEN_TX(.kind = MACSTATS_ANY))		\
	row("tx_broadcastframe_g", "TX_BROADCASTFRAME_G", FRAMES, at(0x1c, 0x24),		\
	    "Good transmitted broadcast frames",						\
	    DWMAC_TX_GOOD(.destination = MACSTATS_BROADCAST),					\
	    MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK))					\
	row("tx_multicastframe_g", "TX_MULTICASTFRAME_G", FRAMES, at(0x20, 0x2c),		\
	    "Good transmitted multicast frames",						\
	    DWMAC_TX_GOOD(.destination = MACSTATS_MULTICAST),					\
	    MACSTATS_FEEDS(MULTICAST_FRAMES_XMITTED_OK))					\
	DWMAC_SIZES(DWMAC_TX_SIZE, row, at)							\
	row("tx_unicast_good_bad", "TX_UNICAST_GB", FRAMES, at(0x3c, 0x64),			\
	    "Transmitted unicast frames, good or bad",						\
	    MACSTATS_WHEN_TX(.destination = MACSTATS_UNICAST))					\
	row("tx_multicast_good_bad", "TX_MULTICAST_GB", FRAMES, at(0x40, 0x6c),			\
	    "Transmitted multicast frames, good or bad",					\
	    MACSTATS_WHEN_TX(.destination = MACSTATS_MULTICAST))				\
	row("tx_broadcast_good_bad", "TX_BROADCAST_GB", FRAMES, at(0x44, 0x74),			\
	    "Transmitted broadcast frames, good or bad",					\
	    MACSTATS_WHEN_TX(.destination = MACSTATS_BROADCAST))				\
	row("tx_underflow_error", "TX_UNDERFLOW_ERROR", FRAMES, at(0x48, 0x7c),			\
	    "Frames aborted because of an underflow",						\
	    MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_UNDERRUN),					\
	    MACSTATS_FEEDS(FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, RTNL_TX_FIFO_ERRORS,		\
			   RTNL_TX_ERRORS))

/* Intel: txsinglecol_g to txcarriererr. An XGMAC has no half duplex. */
#define DWMAC_TX_MEDIUM(at)									\
	DWMAC_32("tx_singlecol_g", "TX_SINGLECOL_G", FRAMES, at(0x4c, 0),			\
		 "Good frames transmitted after a single collision",				\
		 DWMAC_TX_GOOD(.collisions = MACSTATS_ONE_COLLISION),				\
		 MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES))					\
	DWMAC_32("tx_multicol_g", "TX_MULTICOL_G", FRAMES, at(0x50, 0),				\
		 "Good frames transmitted after more than a single collision",			\
		 DWMAC_TX_GOOD(.collisions = MACSTATS_SEVERAL_COLLISIONS),			\
		 MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES))					\
	DWMAC_32("tx_deferred", "TX_DEFERRED", FRAMES, at(0x54, 0),				\
		 "Good frames transmitted after a deferral", DWMAC_TX_GOOD(.deferred = true))	\
	DWMAC_32("tx_latecol", "TX_LATECOL", FRAMES, at(0x58, 0),				\
		 "Frames aborted because of a late collision",					\
		 MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION,			\
				  .no_errors = MACSTATS_ERR_UNDERRUN),				\
		 MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_TX_WINDOW_ERRORS, RTNL_TX_ERRORS))	\
	DWMAC_32("tx_exesscol", "TX_EXESSCOL", FRAMES, at(0x5c, 0),				\
		 "Frames aborted because of 16 collisions",					\
		 MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,			\
				  .no_errors = DWMAC_CUT),					\
		 MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ABORTED_ERRORS,		\
				RTNL_TX_ERRORS))						\
	DWMAC_32("tx_carrier_error", "TX_CARRIER_ERROR", FRAMES, at(0x60, 0),			\
		 "Frames aborted because the carrier was lost or never there",			\
		 MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_CARRIER_LOSS,				\
				  .no_errors = DWMAC_NOT_SENT),					\
		 MACSTATS_FEEDS(CARRIER_SENSE_ERRORS, RTNL_TX_CARRIER_ERRORS, RTNL_TX_ERRORS))

/* Intel: txoctetcnt, txframecount_g. */
#define DWMAC_TX_GOOD_ONES(row, at)								\
	row("tx_octetcount_g", "TX_OCTETCOUNT_G", OCTETS, at(0x64, 0x84),			\
	    "Octets of good transmitted frames", DWMAC_TX_GOOD(.kind = MACSTATS_ANY),		\
	    MACSTATS_FEEDS(RTNL_TX_BYTES))							\
	row("tx_framecount_g", "TX_FRAMECOUNT_G", FRAMES, at(0x68, 0x8c),			\
	    "Good transmitted frames", DWMAC_TX_GOOD(.kind = MACSTATS_ANY),			\
	    .standard = { MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),		\
			  { MACSTATS_STD_RTNL_TX_BYTES, -4 } })

#define DWMAC_TX_EXCESSDEF(at)									\
	DWMAC_32("tx_excessdef", "TX_EXCESSDEF", FRAMES, at(0x6c, 0),				\
		 "Frames aborted because they were deferred for too long",			\
		 MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL,			\
				  .no_errors = DWMAC_GIVEN_UP),					\
		 MACSTATS_FEEDS(FRAMES_WITH_EXCESSIVE_DEFERRAL, RTNL_TX_ERRORS))

/* Intel: txpauseframes, txvlanframes_g. That pause frames are those of the MAC is inferred. */
#define DWMAC_TX_KINDS(row, at)									\
	row("tx_pause_frame", "TX_PAUSE_FRAME", FRAMES, at(0x70, 0x94), "Pause frames of the MAC", \
	    MACSTATS_WHEN_TX(.kind = MACSTATS_PAUSE, .origin = MACSTATS_BY_MAC),		\
	    MACSTATS_FEEDS(TX_PAUSE_FRAMES))							\
	row("tx_vlan_frame_g", "TX_VLAN_FRAME_G", FRAMES, at(0x74, 0x9c),			\
	    "Good transmitted VLAN frames", DWMAC_TX_GOOD(.tags = DWMAC_VLAN))

#define DWMAC_TX_OVERSIZE(at)									\
	DWMAC_32("tx_oversize_g", "TX_OVERSIZE_G", FRAMES, at(0x78, 0),				\
		 "Good transmitted frames longer than the maximum",				\
		 DWMAC_TX_GOOD(.excess = MACSTATS_OVER_MAX))

/* Good received frames to one kind of address, and what they feed. */
#define DWMAC_RX_TO(row, name_, reg_, offset_, to, text, ...)					\
	row(name_, reg_, FRAMES, offset_, "Good received " text " frames", DWMAC_RX_GOOD(to),	\
	    .standard = { MACSTATS_PLUS(FRAMES_RECEIVED_OK, __VA_ARGS__),			\
			  { MACSTATS_STD_RTNL_RX_BYTES, -4 } })

/* Intel: rxframecount_gb to rxcrcerror. */
#define DWMAC_RX_ALL(row, at)									\
	row("rx_framecount_good_bad", "RX_FRAMECOUNT_GB", FRAMES, at(0x80, 0x100),		\
	    "Received frames, good or bad", MACSTATS_WHEN_RX(.kind = MACSTATS_ANY))		\
	row("rx_octetcount_good_bad", "RX_OCTETCOUNT_GB", OCTETS, at(0x84, 0x108),		\
	    "Octets of received frames, good or bad", MACSTATS_WHEN_RX(.kind = MACSTATS_ANY))	\
	row("rx_octetcount_g", "RX_OCTETCOUNT_G", OCTETS, at(0x88, 0x110),			\
	    "Octets of good received frames", DWMAC_RX_GOOD(ANY), MACSTATS_FEEDS(RTNL_RX_BYTES)) \
	DWMAC_RX_TO(row, "rx_broadcastframe_g", "RX_BROADCASTFRAME_G", at(0x8c, 0x118),		\
		    BROADCAST, "broadcast", BROADCAST_FRAMES_RECEIVED_OK, RTNL_RX_PACKETS)	\
	DWMAC_RX_TO(row, "rx_multicastframe_g", "RX_MULTICASTFRAME_G", at(0x90, 0x120),		\
		    MULTICAST, "multicast", MULTICAST_FRAMES_RECEIVED_OK, RTNL_RX_PACKETS,	\
		    RTNL_MULTICAST)								\
	row("rx_crc_error", "RX_CRC_ERROR", FRAMES, at(0x94, 0x128),				\
	    "Received frames of any length with a bad CRC",					\
	    MACSTATS_WHEN_RX(.errors = DWMAC_CRC, .no_errors = MACSTATS_ERR_ALIGNMENT),		\
	    MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS, RTNL_RX_ERRORS))

/* Intel: rxalignmenterror, valid at 10 and 100 Mb/s. That of an XGMAC is behind the others. */
#define DWMAC_RX_ALIGN(name_, reg_, at)								\
	DWMAC_32(name_, reg_, FRAMES, at(0x98, 0x1bc),						\
		 "Received frames of legal length, but not of whole octets",			\
		 DWMAC_RX_LEGAL(.errors = MACSTATS_ERR_ALIGNMENT),				\
		 MACSTATS_FEEDS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS, RTNL_RX_ERRORS))

/* Intel: rxrunterror to rxoversize_g. Linux amd/xgbe: 32 bits in an XGMAC, too. */
#define DWMAC_RX_LENGTHS(at)									\
	DWMAC_32("rx_run_error", "RX_RUN_ERROR", FRAMES, at(0x9c, 0x130),			\
		 "Received frames of less than 64 octets with a bad CRC",			\
		 MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .errors = DWMAC_CRC,		\
				  .no_errors = MACSTATS_ERR_ALIGNMENT),				\
		 .standard = { MACSTATS_PLUS(FRAGMENTS),					\
			       MACSTATS_MINUS(FRAME_CHECK_SEQUENCE_ERRORS) })			\
	DWMAC_32("rx_jabber_error", "RX_JABBER_ERROR", FRAMES, at(0xa0, 0x134),			\
		 "Received frames longer than the maximum with a bad CRC",			\
		 MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .errors = DWMAC_CRC,		\
				  .no_errors = MACSTATS_ERR_ALIGNMENT),				\
		 .standard = { MACSTATS_PLUS(JABBERS, FRAME_TOO_LONG_ERRORS,			\
					     RTNL_RX_LENGTH_ERRORS),				\
			       MACSTATS_MINUS(FRAME_CHECK_SEQUENCE_ERRORS) })			\
	DWMAC_32("rx_undersize_g", "RX_UNDERSIZE_G", FRAMES, at(0xa4, 0x138),			\
		 "Received frames of less than 64 octets, otherwise good",			\
		 MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .no_errors = DWMAC_BAD),	\
		 MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS))		\
	DWMAC_32("rx_oversize_g", "RX_OVERSIZE_G", FRAMES, at(0xa8, 0x13c),			\
		 "Received frames longer than the maximum, otherwise good",			\
		 MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .no_errors = DWMAC_BAD),		\
		 MACSTATS_FEEDS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS,	\
				RTNL_RX_ERRORS))

/* Intel: rx64octets_gb to rxvlanframes_gb. */
#define DWMAC_RX_KINDS(row, at)									\
	DWMAC_SIZES(DWMAC_RX_SIZE, row, at)							\
	DWMAC_RX_TO(row, "rx_unicast_g", "RX_UNICAST_G", at(0xc4, 0x170), UNICAST, "unicast",	\
		    RTNL_RX_PACKETS)								\
	row("rx_length_error", "RX_LENGTH_ERROR", FRAMES, at(0xc8, 0x178),			\
	    "Received frames of legal length whose length field is wrong, otherwise good",	\
	    DWMAC_RX_LEGAL(.errors = MACSTATS_ERR_PAYLOAD_LENGTH, .no_errors = DWMAC_BAD),	\
	    MACSTATS_FEEDS(IN_RANGE_LENGTH_ERRORS))						\
	row("rx_autofrangetype", "RX_AUTOFRANGETYPE", FRAMES, at(0xcc, 0x180),			\
	    "Received frames with a length field of 1501 to 1535: stays 0",			\
	    MACSTATS_ERRORS_NEVER_SEEN, MACSTATS_FEEDS(OUT_OF_RANGE_LENGTH_FIELD))		\
	row("rx_pause_frames", "RX_PAUSE_FRAMES", FRAMES, at(0xd0, 0x188),			\
	    "Good received pause frames",							\
	    MACSTATS_WHEN_RX(.kind = MACSTATS_PAUSE, .excess = MACSTATS_WITHIN_MAX,		\
			     .size = MACSTATS_SIZE_64_UP, .no_errors = DWMAC_BAD),		\
	    MACSTATS_FEEDS(RX_PAUSE_FRAMES))							\
	row("rx_fifo_overflow", "RX_FIFO_OVERFLOW", FRAMES, at(0xd4, 0x190),			\
	    "Received frames for which the FIFO had no room",					\
	    MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_OVERRUN),					\
	    MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS))						\
	row("rx_vlan_frames_good_bad", "RX_VLAN_FRAMES_GB", FRAMES, at(0xd8, 0x198),		\
	    "Received VLAN frames, good or bad", MACSTATS_WHEN_RX(.tags = DWMAC_VLAN))

#define DWMAC_RX_WATCHDOG(at)									\
	DWMAC_32("rx_watchdog_error", "RX_WATCHDOG_ERROR", FRAMES, at(0xdc, 0x1a0),		\
		 "Received frames that the watchdog cut: stays 0", MACSTATS_ERRORS_NEVER_SEEN)

/* Intel: rxrcverror. */
#define DWMAC_RX_ERROR(at)									\
	DWMAC_32("rx_error", "RX_ERROR", FRAMES, at(0xe0, 0),					\
		 "Received frames with a receive or frame extension error of the PHY",		\
		 MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_CODE),					\
		 MACSTATS_FEEDS(SYMBOL_ERROR_DURING_CARRIER))

/* Low power idle; inferred from STM32 RM0433, which has them in a GMAC4. */
#define DWMAC_LPI(name_, reg_, offset_)								\
	DWMAC_NEVER(name_ "_lpi_usec", reg_ "_LPI_USEC", offset_, "Microseconds of idle",	\
		    DWMAC_LPI_BIT)								\
	DWMAC_NEVER(name_ "_lpi_tran", reg_ "_LPI_TRAN", (offset_) + 4, "Entries to idle",	\
		    DWMAC_LPI_BIT)

/* Received datagrams of each kind, and below their octets: no frame of the emulation is one. */
#define DWMAC_IPC(name_, reg_, row, unit_, at, gmac, xgmac, i, text)				\
	row("rx_" name_, "RX_" reg_, unit_, at((gmac) + 4 * (i), (xgmac) + 8 * (i)),		\
	    text ": stays 0", at##_COE .never = true)
#define DWMAC_IPCS(suffix, SUFFIX, what, ...)							\
	DWMAC_IPC("ipv4_gd" suffix, "IPV4_GD" SUFFIX, __VA_ARGS__, 0, what "good IPv4")		\
	DWMAC_IPC("ipv4_hderr" suffix, "IPV4_HDERR" SUFFIX, __VA_ARGS__, 1, what "bad IPv4")	\
	DWMAC_IPC("ipv4_nopay" suffix, "IPV4_NOPAY" SUFFIX, __VA_ARGS__, 2,			\
		  what "IPv4 without TCP, UDP or ICMP")						\
	DWMAC_IPC("ipv4_frag" suffix, "IPV4_FRAG" SUFFIX, __VA_ARGS__, 3, what "IPv4 fragments") \
	DWMAC_IPC("ipv4_udsbl" suffix, "IPV4_UDSBL" SUFFIX, __VA_ARGS__, 4,			\
		  what "IPv4 with UDP without checksum")					\
	DWMAC_IPC("ipv6_gd" suffix, "IPV6_GD" SUFFIX, __VA_ARGS__, 5, what "good IPv6")		\
	DWMAC_IPC("ipv6_hderr" suffix, "IPV6_HDERR" SUFFIX, __VA_ARGS__, 6, what "bad IPv6")	\
	DWMAC_IPC("ipv6_nopay" suffix, "IPV6_NOPAY" SUFFIX, __VA_ARGS__, 7,			\
		  what "IPv6 without TCP, UDP or ICMP")						\
	DWMAC_IPC("udp_gd" suffix, "UDP_GD" SUFFIX, __VA_ARGS__, 8, what "good UDP")		\
	DWMAC_IPC("udp_err" suffix, "UDP_ERR" SUFFIX, __VA_ARGS__, 9, what "bad UDP")		\
	DWMAC_IPC("tcp_gd" suffix, "TCP_GD" SUFFIX, __VA_ARGS__, 10, what "good TCP")		\
	DWMAC_IPC("tcp_err" suffix, "TCP_ERR" SUFFIX, __VA_ARGS__, 11, what "bad TCP")		\
	DWMAC_IPC("icmp_gd" suffix, "ICMP_GD" SUFFIX, __VA_ARGS__, 12, what "good ICMP")	\
	DWMAC_IPC("icmp_err" suffix, "ICMP_ERR" SUFFIX, __VA_ARGS__, 13, what "bad ICMP")
#define DWMAC_IPC_ALL(row, at)									\
	DWMAC_IPCS("", "", "Received datagrams, ", row, FRAMES, at, 0x110, 0x264)		\
	DWMAC_IPCS("_octets", "_OCTETS", "Octets of received datagrams, ", row, OCTETS, at, 0x150, \
		   0x2d4)

/* Frame preemption: transmitted, and received. */
#define DWMAC_FPE_ROW(never_, name_, reg_, offset_, help_, feeds)				\
	DWMAC_32(name_ "_cntr", reg_ "_CNTR", FRAMES, offset_, help_ ": stays 0",		\
		 DWMAC_FPE_BIT never_, MACSTATS_FEEDS(MAC_MERGE_##feeds))
#define DWMAC_FPE(at, tx_gmac, tx_xgmac)							\
	DWMAC_FPE_ROW(.never = true, "tx_fpe_fragment", "TX_FPE_FRAGMENT",			\
		      at(tx_gmac, tx_xgmac), "Transmitted fragments of preempted frames",	\
		      FRAG_COUNT_TX)								\
	DWMAC_FPE_ROW(.never = true, "tx_hold_req", "TX_HOLD_REQ",				\
		      at((tx_gmac) + 4, (tx_xgmac) + 4),					\
		      "Requests to hold preemptible frames", HOLD_COUNT)
#define DWMAC_RX_FPE(at)									\
	DWMAC_FPE_ROW(MACSTATS_ERRORS_NEVER_SEEN, "rx_packet_assembly_err",			\
		      "RX_PACKET_ASSEMBLY_ERR", at(0x1c8, 0x228),				\
		      "Received frames that could not be assembled", FRAME_ASS_ERROR_COUNT)	\
	DWMAC_FPE_ROW(MACSTATS_ERRORS_NEVER_SEEN, "rx_packet_smd_err", "RX_PACKET_SMD_ERR",	\
		      at(0x1cc, 0x22c), "Received frames with an unknown start of frame",	\
		      FRAME_SMD_ERROR_COUNT)							\
	DWMAC_FPE_ROW(.never = true, "rx_packet_assembly_ok", "RX_PACKET_ASSEMBLY_OK",		\
		      at(0x1d0, 0x230), "Received frames assembled of fragments",		\
		      FRAME_ASS_OK_COUNT)							\
	DWMAC_FPE_ROW(.never = true, "rx_fpe_fragment", "RX_FPE_FRAGMENT", at(0x1d4, 0x234),	\
		      "Received fragments of preempted frames", FRAG_COUNT_RX)

/* The counters of a GMAC, which a GMAC4 has, too, up to those of datagrams. */
#define DWMAC_TX_ROWS(at)									\
	DWMAC_TX_ALL(DWMAC_32, at) DWMAC_TX_MEDIUM(at) DWMAC_TX_GOOD_ONES(DWMAC_32, at)		\
	DWMAC_TX_EXCESSDEF(at) DWMAC_TX_KINDS(DWMAC_32, at) DWMAC_TX_OVERSIZE(at)
#define DWMAC_RX_ROWS(at)									\
	DWMAC_RX_ALL(DWMAC_32, at) DWMAC_RX_ALIGN("rx_align_error", "RX_ALIGN_ERROR", at)	\
	DWMAC_RX_LENGTHS(at) DWMAC_RX_KINDS(DWMAC_32, at) DWMAC_RX_WATCHDOG(at)			\
	DWMAC_RX_ERROR(at)

MACSTATS_TABLE const struct macstats_counter dwmac_mmc_counters[] = {
	DWMAC_TX_ROWS(DWMAC_AT)
	DWMAC_RX_ROWS(DWMAC_AT)
	DWMAC_IPC_ALL(DWMAC_32, DWMAC_AT)
};

MACSTATS_TABLE const struct macstats_counter dwmac4_mmc_counters[] = {
	DWMAC_TX_ROWS(DWMAC4_AT)
	DWMAC_RX_ROWS(DWMAC4_AT)
	DWMAC_LPI("tx", "TX", 0x7ec)
	DWMAC_LPI("rx", "RX", 0x7f4)
	DWMAC_IPC_ALL(DWMAC_32, DWMAC4_AT)
	DWMAC_FPE(DWMAC4_AT, 0x1a8, 0)
	DWMAC_RX_FPE(DWMAC4_AT)
};

MACSTATS_TABLE const struct macstats_counter dwxgmac_mmc_counters[] = {
	DWMAC_TX_ALL(DWMAC_64, DWXGMAC_AT)
	DWMAC_TX_GOOD_ONES(DWMAC_64, DWXGMAC_AT)
	DWMAC_TX_KINDS(DWMAC_64, DWXGMAC_AT)
	DWMAC_LPI("tx", "TX", 0x8a4)
	DWMAC_RX_ALL(DWMAC_64, DWXGMAC_AT)
	DWMAC_RX_LENGTHS(DWXGMAC_AT)
	DWMAC_RX_KINDS(DWMAC_64, DWXGMAC_AT)
	DWMAC_RX_WATCHDOG(DWXGMAC_AT)
	DWMAC_LPI("rx", "RX", 0x9a4)
	DWMAC_64("rx_discard_frames_good_bad", "RX_DISCARD_FRAMES_GB", FRAMES, 0x9ac,
		 "Received frames that the MAC discarded: stays 0", .never = true)
	DWMAC_64("rx_discard_octets_good_bad", "RX_DISCARD_OCTETS_GB", OCTETS, 0x9b4,
		 "Octets of received frames that the MAC discarded: stays 0", .never = true)
	DWMAC_RX_ALIGN("rx_align_err_frames", "RX_ALIGN_ERR_FRAMES", DWXGMAC_AT)
	DWMAC_NEVER("rx_sgf_pass_fragment_cntr", "SGF_PASS_FRAGMENT_CNTR", 0x9f0,
		    "Received frames that a stream gate passed", DWMAC_NO_BIT)
	DWMAC_NEVER("rx_sgf_fail_fragment_cntr", "SGF_FAIL_FRAGMENT_CNTR", 0x9f4,
		    "Received frames that a stream gate dropped", DWMAC_NO_BIT)
	DWMAC_FPE(DWXGMAC_AT, 0, 0x208)
	DWMAC_64("tx_gate_overrun_cntr", "TX_GATE_OVERRUN_CNTR", FRAMES, 0xa10,
		 "Frames that overran a transmission gate: stays 0", .never = true)
	DWMAC_RX_FPE(DWXGMAC_AT)
	DWMAC_IPC_ALL(DWMAC_64, DWXGMAC_AT)
};

/* Intel MMC_Control. CNTFREEZ counts nothing while it is set. Reset values are Intel's. */
#define DWMAC_MMC_CONTROL(offset_)								\
	MACSTATS_REGISTER(RW, "MMC_CNTRL", offset_, 0, "Control of the counters", .fields = {	\
		MACSTATS_COMMAND("CNTRST", 0, "Clear the counters", .roles = MACSTATS_ROLE_CLEAR), \
		MACSTATS_FIELD(RW, "CNTSTOPRO", 1, 1, "Counters stay at their maximum",	\
			       .roles = MACSTATS_ROLE_SATURATE),				\
		MACSTATS_FIELD(RW, "RSTONRD", 2, 1, "A read of a counter clears it",		\
			       .roles = MACSTATS_ROLE_CLEAR_ON_READ),				\
		MACSTATS_FIELD(RW, "CNTFREEZ", 3, 1, "Counters stay as they are",		\
			       .roles = MACSTATS_ROLE_FREEZE),					\
		MACSTATS_COMMAND("CNTPRST", 4, "Preset the counters; does nothing here"),	\
		MACSTATS_FIELD(RW, "CNTPRSTLVL", 5, 1, "Preset almost full, not half full"),	\
		MACSTATS_FIELD(RW, "UCDBC", 8, 1, "Dropped broadcast frames count; always") })

/* What the hardware was built with. */
#define DWMAC_HW_FEATURE0(prefix)								\
	MACSTATS_REGISTER(RO, prefix "_HW_FEATURE0", 0x11c, 1u << 13 | 1u << 16,		\
			  "What the MAC was built with", .fields = {				\
		MACSTATS_FIELD(RO, "EEESEL", 13, 1, "Low power idle, and its counters"),	\
		MACSTATS_FIELD(RO, "RXCOESEL", 16, 1, "The MAC checks and counts datagrams") })
#define DWMAC_HW_FEATURE3(prefix)								\
	MACSTATS_REGISTER(RO, prefix "_HW_FEATURE3", 0x128, 1u << 26,				\
			  "What else it was built with", .fields = {				\
		MACSTATS_FIELD(RO, "FPESEL", 26, 1, "Frame preemption, and its counters") })

MACSTATS_TABLE const struct macstats_register dwmac_mmc_registers[] = {
	MACSTATS_REGISTER(RW, "GMAC_CONTROL", 0x000, 0, "Configuration of the MAC", .fields = {
		MACSTATS_FIELD(RW, "JE", 20, 1, "Frames of up to 9018 octets, not 1518, are legal",
			       .roles = MACSTATS_ROLE_MAX_FRAME_SWITCH) }),
	DWMAC_MMC_CONTROL(0x100),
};

/* In GPSL the length of the frame is inferred, and its reset value. */
MACSTATS_TABLE const struct macstats_register dwmac4_mmc_registers[] = {
	MACSTATS_REGISTER(RW, "GMAC_CONFIG", 0x000, 0, "Configuration of the MAC", .fields = {
		MACSTATS_FIELD(RW, "JE", 16, 1, "Frames of up to 9018 octets, not 1518, are legal",
			       .roles = MACSTATS_ROLE_MAX_FRAME_SWITCH),
		MACSTATS_FIELD(RW, "GPSLCE", 23, 1, "GPSL is the maximum, whatever JE is",
			       .roles = MACSTATS_ROLE_MAX_FRAME_ENABLE) }),
	MACSTATS_REGISTER(RW, "GMAC_EXT_CONFIG", 0x004, 0, "Extended configuration", .fields = {
		MACSTATS_FIELD(RW, "GPSL", 0, 14, "Maximum length in octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX |
					MACSTATS_ROLE_MAX_FRAME_TX) }),
	DWMAC_HW_FEATURE0("GMAC"),
	DWMAC_HW_FEATURE3("GMAC"),
	DWMAC_MMC_CONTROL(0x700),
};

MACSTATS_TABLE const struct macstats_register dwxgmac_mmc_registers[] = {
	MACSTATS_REGISTER(RW, "XGMAC_RX_CONFIG", 0x004, 0, "Receive configuration", .fields = {
		MACSTATS_FIELD(RW, "GPSLCE", 6, 1, "GPSL is the maximum, whatever JE is",
			       .roles = MACSTATS_ROLE_MAX_FRAME_ENABLE),
		MACSTATS_FIELD(RW, "JE", 8, 1, "Frames of up to 9018 octets, not 1518, are legal",
			       .roles = MACSTATS_ROLE_MAX_FRAME_SWITCH),
		MACSTATS_FIELD(RW, "GPSL", 16, 14, "Maximum length in octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX |
					MACSTATS_ROLE_MAX_FRAME_TX) }),
	DWMAC_HW_FEATURE0("XGMAC"),
	DWMAC_HW_FEATURE3("XGMAC"),
	DWMAC_MMC_CONTROL(0x800),
};

#define DWMAC_MODEL(name_, title_, rate_, options_)						\
	.name = #name_, .title = title_, .datasheet = "Linux driver stmmac, mmc_core.c",	\
	.drivers = { "stmmac" },								\
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = rate_,		\
	MACSTATS_ROWS(counters, name_##_counters), MACSTATS_ROWS(registers, name_##_registers),	\
	.blocks = { { .name = "MMC" } }, .n_blocks = 1, .sizes = { .edge = MACSTATS_RMON_EDGES }, \
	.max_frame_switch = { .off = 1518, .on = 9018 }, .tag_over_max = true,			\
	.deferral_aborts = true, .ieee_own_pause = true,					\
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,			\
	.tx_pad_to = MACSTATS_FRAME_MIN, .data_overhead = 18, .control_overhead = 18,		\
	.options = MACSTATS_OPT_STATISTICS | (options_),					\
	.default_options = MACSTATS_OPT_STATISTICS

MACSTATS_TABLE const struct macstats_model dwmac_mmc_model = {
	DWMAC_MODEL(dwmac_mmc, "Synopsys DesignWare GMAC, management counters", 1000000000ull,
		    MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS),
};

MACSTATS_TABLE const struct macstats_model dwmac4_mmc_model = {
	DWMAC_MODEL(dwmac4_mmc, "Synopsys DesignWare GMAC4 (EQOS), management counters",
		    2500000000ull, MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS),
};

MACSTATS_TABLE const struct macstats_model dwxgmac_mmc_model = {
	DWMAC_MODEL(dwxgmac_mmc, "Synopsys DesignWare XGMAC, management counters",
		    10000000000ull, 0),
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_DWMAC_MMC_H */
