/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Broadcom UniMAC: the MIB registers, as in the GENET of the Raspberry Pi 4 and of set-top boxes.
 * Data only. Offsets count from the UniMAC, which is at 0x800 of a GENET.
 *
 * Sources: Linux, drivers/net/ethernet/broadcom: names and offsets from unimac.h, genet and asp2,
 * standard statistics from asp2. Broadcom's descriptions of its blocks UNIMAC_MIB and XUMAC (Linux
 * drivers of BCM6856 and its successors): one line a counter. OpenBCM, sdk/src/bcm/esw/stat_ge.c:
 * what each counter leaves out, by the sums there. "Inferred" marks what these leave open.
 *
 * Counters roll over (inferred: Linux expects a maximum of others only), and a read does not change
 * them. Lengths include the FCS.
 *
 * Received frames of less than 64 octets are runts, which only the counters RR... have. Legal is a
 * length of 64 octets up to 1518, or 1522 with a tag. Longer frames are oversize up to
 * UMAC_MAX_FRAME_LEN, MTU errors beyond, and jabbers with a bad FCS. An error of the PHY makes the
 * FCS bad (inferred: IEEE 802.3 22.2.1.5). A frame that finds no room is as good as others
 * (inferred: FIFO and memory are behind the MAC). Transmission has no maximum length.
 *
 * Frames given up because of collisions or of excessive deferral are not transmitted. One with an
 * underrun is, with a bad FCS (inferred: bit FCS_CORRUPT_URUN_EN of XUMAC).
 *
 * Limits of the model:
 * - The bits of UMAC_MIB_CTRL hold receive, runt or transmit counters at 0 while they are set. Here
 *   they do nothing. They have no role, as no provider may set them: they do not fall back.
 * - Both directions and flow control are always on. Speed and duplex are options of the device.
 * - GR9216 and TR9216 end at 9216 octets. Here no frame is too long for them.
 *
 * Standard statistics. Octets and bytes are absent, because GRBYT and GTBYT have bad frames, too;
 * received multicast frames, because GRMCA lacks flow control frames.
 */
#ifndef MACSTATS_MODEL_UNIMAC_H
#define MACSTATS_MODEL_UNIMAC_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum unimac_errors {
	UNIMAC_BAD = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE,
	UNIMAC_BAD_OCTETS = MACSTATS_ERR_FCS | MACSTATS_ERR_CODE,
	UNIMAC_BAD_OR_LENGTH = UNIMAC_BAD | MACSTATS_ERR_PAYLOAD_LENGTH,
	UNIMAC_TX_BAD = MACSTATS_ERR_FCS | MACSTATS_ERR_UNDERRUN,
	UNIMAC_DEFERRED_OR_LATE = MACSTATS_ERR_EXCESSIVE_DEFERRAL | MACSTATS_ERR_LATE_COLLISION,
	UNIMAC_GIVEN_UP = UNIMAC_DEFERRED_OR_LATE | MACSTATS_ERR_EXCESSIVE_COLLISIONS,
	UNIMAC_GIVEN_UP_OR_BAD = UNIMAC_GIVEN_UP | UNIMAC_TX_BAD,
};

/* Size classes from 1519 octets up, and ranges of classes. */
enum unimac_size {
	UNIMAC_1519_TO_1522 = 1 << 7, UNIMAC_1519_TO_2047 = 3 << 7, UNIMAC_2048_TO_4095 = 1 << 9,
	UNIMAC_4096_UP = 1 << 10, UNIMAC_64_TO_1518 = 0x7e, UNIMAC_64_UP = 0x7fe,
	UNIMAC_1523_UP = 0x700,
};

#define UNIMAC_VLAN	 (MACSTATS_TAGGED | MACSTATS_DOUBLE_TAGGED)
#define UNIMAC_UNCHECKED MACSTATS_OPT_SETTING	/* NO_LEN_CHK: length fields are not checked */

#define UNIMAC_COUNTER(name_, reg_, offset_, unit_, help_, ...)					\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32, .unit = MACSTATS_##unit_, __VA_ARGS__)
#define UNIMAC_ROW(name_, reg_, offset_, help_, ...) \
	UNIMAC_COUNTER(name_, reg_, offset_, FRAMES, help_, __VA_ARGS__)

#define UNIMAC_FRAMES(dir, to, kind_, tags_, excess_, size_, errors_, no_errors_, with_)	\
	{ .direction = MACSTATS_##dir, .destination = MACSTATS_##to, .kind = kind_,		\
	  .tags = tags_, .excess = excess_, .size = size_, .errors = errors_,			\
	  .no_errors = no_errors_, .with = with_ }
#define UNIMAC_LEGAL(dir, to, kind_, excess_, errors_, no_errors_, with_)			\
	UNIMAC_FRAMES(dir, to, kind_, 0, excess_, UNIMAC_64_TO_1518, errors_, no_errors_, with_), \
	UNIMAC_FRAMES(dir, to, kind_, UNIMAC_VLAN, excess_, UNIMAC_1519_TO_1522, errors_,	\
		      no_errors_, with_)
#define UNIMAC_LONG(dir, excess_, errors_, no_errors_)						\
	.when = { UNIMAC_FRAMES(dir, ANY, 0, 0, excess_, UNIMAC_1523_UP, errors_, no_errors_, 0), \
		  UNIMAC_FRAMES(dir, ANY, 0, MACSTATS_UNTAGGED, excess_, UNIMAC_1519_TO_1522,	\
				errors_, no_errors_, 0) }

#define UNIMAC_RX_LEGAL(errors_, no_errors_) \
	.when = { UNIMAC_LEGAL(RX, ANY, 0, 0, errors_, no_errors_, 0) }
/* Good frames, not longer than UMAC_MAX_FRAME_LEN. A wrong length field makes a frame bad. */
#define UNIMAC_RX_GOOD(tags_, size_)								\
	.when = { UNIMAC_FRAMES(RX, ANY, 0, tags_, MACSTATS_WITHIN_MAX, size_, 0,		\
				UNIMAC_BAD_OR_LENGTH, 0),					\
		  UNIMAC_FRAMES(RX, ANY, 0, tags_, MACSTATS_WITHIN_MAX, size_, 0, UNIMAC_BAD,	\
				UNIMAC_UNCHECKED) }
/* GRPKT is their sum with bad frames, MAC control frames and oversize ones (OpenBCM). */
#define UNIMAC_RX_DATA(to)									\
	.when = { UNIMAC_LEGAL(RX, to, MACSTATS_DATA, MACSTATS_WITHIN_MAX, 0,			\
			       UNIMAC_BAD_OR_LENGTH, 0),					\
		  UNIMAC_LEGAL(RX, to, MACSTATS_DATA, MACSTATS_WITHIN_MAX, 0, UNIMAC_BAD,	\
			       UNIMAC_UNCHECKED) }
#define UNIMAC_RX_CONTROL(kind_)								\
	MACSTATS_WHEN_RX(.kind = kind_, .excess = MACSTATS_WITHIN_MAX,				\
			 .size = UNIMAC_64_UP, .no_errors = UNIMAC_BAD)
/* GTPKT is their sum with bad frames and oversize ones; control frames are in it (OpenBCM). */
#define UNIMAC_TX_LEGAL(to, errors_, no_errors_) \
	.when = { UNIMAC_LEGAL(TX, to, 0, 0, errors_, no_errors_, 0) }
#define UNIMAC_TX_SENT(...) MACSTATS_WHEN_TX(__VA_ARGS__, .no_errors = UNIMAC_GIVEN_UP)
#define UNIMAC_TX_GOOD(kind_) \
	MACSTATS_WHEN_TX(.kind = kind_, .no_errors = UNIMAC_GIVEN_UP_OR_BAD)

/* Good or bad frames: inferred from the histogram of asp2, and RFC 2819. */
#define UNIMAC_RX_SIZE(i, name_, reg_, text, size_)						\
	UNIMAC_ROW("rx_" name_, "GR" reg_, 0x400 + 4 * (i),					\
		   "Received frames of " text " octets, good or bad",				\
		   MACSTATS_WHEN_RX(.size = size_), MACSTATS_FEEDS(HIST_RX)),
#define UNIMAC_TX_SIZE(i, name_, reg_, text, size_)						\
	UNIMAC_ROW("tx_" name_, "TR" reg_, 0x480 + 4 * (i),					\
		   "Transmitted frames of " text " octets, good or bad",			\
		   UNIMAC_TX_SENT(.size = size_), MACSTATS_FEEDS(HIST_TX)),
#define UNIMAC_SIZES_TO_1518(row)								\
	row(0, "64_octets", "64", "64", MACSTATS_SIZE_64)					\
	row(1, "65_127_oct", "127", "65 to 127", MACSTATS_SIZE_65_TO_127)			\
	row(2, "128_255_oct", "255", "128 to 255", MACSTATS_SIZE_128_TO_255)			\
	row(3, "256_511_oct", "511", "256 to 511", MACSTATS_SIZE_256_TO_511)			\
	row(4, "512_1023_oct", "1023", "512 to 1023", MACSTATS_SIZE_512_TO_1023)		\
	row(5, "1024_1518_oct", "1518", "1024 to 1518", MACSTATS_SIZE_1024_TO_1518)
/* The driver calls the first one 1522_2047; the register has good tagged frames, too. */
#define UNIMAC_SIZES_FROM_1519(row)								\
	row(7, "1522_2047_oct", "2047", "1519 to 2047", UNIMAC_1519_TO_2047)			\
	row(8, "2048_4095_oct", "4095", "2048 to 4095", UNIMAC_2048_TO_4095)			\
	row(9, "4096_9216_oct", "9216", "4096 or more", UNIMAC_4096_UP)

MACSTATS_TABLE const struct macstats_counter unimac_counters[] = {
	UNIMAC_SIZES_TO_1518(UNIMAC_RX_SIZE)
	UNIMAC_ROW("rx_vlan_1519_1522_oct", "GRMGV", 0x418,
		   "Good received frames of 1519 to 1522 octets with a tag",
		   UNIMAC_RX_GOOD(UNIMAC_VLAN, UNIMAC_1519_TO_1522)),
	UNIMAC_SIZES_FROM_1519(UNIMAC_RX_SIZE)
	UNIMAC_ROW("rx_pkts", "GRPKT", 0x428, "Received frames but runts, good or bad",
		   MACSTATS_WHEN_RX(.size = UNIMAC_64_UP)),
	UNIMAC_COUNTER("rx_bytes", "GRBYT", 0x42c, OCTETS, "Octets of the frames in GRPKT",
		       MACSTATS_WHEN_RX(.size = UNIMAC_64_UP)),
	UNIMAC_ROW("rx_multicast", "GRMCA", 0x430, "Good multicast data frames of legal length",
		   UNIMAC_RX_DATA(MULTICAST), MACSTATS_FEEDS(RTNL_MULTICAST)),
	UNIMAC_ROW("rx_broadcast", "GRBCA", 0x434, "Good broadcast data frames of legal length",
		   UNIMAC_RX_DATA(BROADCAST), MACSTATS_FEEDS(BROADCAST_FRAMES_RECEIVED_OK)),
	/* OpenBCM: GRFCS has no dribble bits, GRALN has some, and the FCS is bad in both. */
	UNIMAC_ROW("rx_fcs", "GRFCS", 0x438,
		   "Received frames of legal length and of whole octets with a bad FCS",
		   UNIMAC_RX_LEGAL(UNIMAC_BAD_OCTETS, MACSTATS_ERR_ALIGNMENT),
		   MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS, RTNL_RX_ERRORS)),
	/* OpenBCM: with a good FCS, and GRXCF all MAC control frames. */
	UNIMAC_ROW("rx_control", "GRXCF", 0x43c, "Good received MAC control frames",
		   UNIMAC_RX_CONTROL(MACSTATS_ANY_CONTROL),
		   MACSTATS_FEEDS(MAC_CONTROL_FRAMES_RECEIVED)),
	UNIMAC_ROW("rx_pause", "GRXPF", 0x440, "Good received pause frames",
		   UNIMAC_RX_CONTROL(MACSTATS_PAUSE), MACSTATS_FEEDS(RX_PAUSE_FRAMES)),
	UNIMAC_ROW("rx_unknown", "GRXUO", 0x444, "Good MAC control frames with an unknown opcode",
		   UNIMAC_RX_CONTROL(MACSTATS_CONTROL),
		   MACSTATS_FEEDS(UNSUPPORTED_OPCODES_RECEIVED)),
	UNIMAC_ROW("rx_align", "GRALN", 0x448, "Frames of legal length, but not of whole octets",
		   UNIMAC_RX_LEGAL(MACSTATS_ERR_ALIGNMENT, 0),
		   MACSTATS_FEEDS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS, RTNL_RX_ERRORS)),
	/* OpenBCM: good FCS, bad length. That the length is that of the field is inferred. */
	UNIMAC_ROW("rx_outrange", "GRFLR", 0x44c,
		   "Otherwise good frames with a wrong length field, while this is checked",
		   MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = UNIMAC_64_UP,
				    .errors = MACSTATS_ERR_PAYLOAD_LENGTH,
				    .no_errors = UNIMAC_BAD, .without = UNIMAC_UNCHECKED),
		   MACSTATS_FEEDS(IN_RANGE_LENGTH_ERRORS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS)),
	UNIMAC_ROW("rx_code", "GRCDE", 0x450, "Received frames with an error of the PHY, no runts",
		   MACSTATS_WHEN_RX(.size = UNIMAC_64_UP, .errors = MACSTATS_ERR_CODE),
		   MACSTATS_FEEDS(SYMBOL_ERROR_DURING_CARRIER)),
	/* StrataXGS calls it false carrier, so that there is no frame. */
	UNIMAC_ROW("rx_carrier", "GRFCR", 0x454, "Carrier sense errors without a frame",
		   MACSTATS_ERRORS_NEVER_SEEN),
	/* OpenBCM: good FCS. GRMTUE leaves MTU errors to it, and GRPOK has these frames. */
	UNIMAC_ROW("rx_oversize", "GROVR", 0x458, "Oversize frames with a good FCS",
		   UNIMAC_LONG(RX, MACSTATS_WITHIN_MAX, 0, UNIMAC_BAD),
		   MACSTATS_FEEDS(OVERSIZE_PKTS)),
	UNIMAC_ROW("rx_jabber", "GRJBR", 0x45c, "Received oversize frames with a bad FCS",
		   UNIMAC_LONG(RX, 0, UNIMAC_BAD, 0), MACSTATS_FEEDS(JABBERS, RTNL_RX_ERRORS)),
	UNIMAC_ROW("rx_mtu_err", "GRMTUE", 0x460, "Frames over the maximum length with a good FCS",
		   MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .size = UNIMAC_64_UP,
				    .no_errors = UNIMAC_BAD),
		   MACSTATS_FEEDS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS,
				  RTNL_RX_ERRORS)),
	UNIMAC_ROW("rx_good_pkts", "GRPOK", 0x464, "Good received frames up to the maximum length",
		   UNIMAC_RX_GOOD(MACSTATS_ANY, UNIMAC_64_UP),
		   MACSTATS_FEEDS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS)),
	UNIMAC_ROW("rx_unicast", "GRUC", 0x468, "Good unicast data frames of legal length",
		   UNIMAC_RX_DATA(UNICAST)),
	/* Inferred: other MACs of Broadcom call PFC per-priority pause, PPP. */
	UNIMAC_ROW("rx_ppp", "GRPPP", 0x46c, "Good received PFC frames",
		   UNIMAC_RX_CONTROL(MACSTATS_PFC)),
	/* Inferred: the register of this value is UMAC_MACSEC_PROG_TX_CRC. */
	UNIMAC_ROW("rx_crc", "GRMCRC", 0x470, "Frames whose FCS is a value that software has set",
		   .never = true),
	UNIMAC_SIZES_TO_1518(UNIMAC_TX_SIZE)
	UNIMAC_ROW("tx_vlan_1519_1522_oct", "TRMGV", 0x498,
		   "Good transmitted frames of 1519 to 1522 octets with a tag",
		   MACSTATS_WHEN_TX(.tags = UNIMAC_VLAN, .size = UNIMAC_1519_TO_1522,
				    .no_errors = UNIMAC_GIVEN_UP_OR_BAD)),
	UNIMAC_SIZES_FROM_1519(UNIMAC_TX_SIZE)
	UNIMAC_ROW("tx_pkts", "GTPKT", 0x4a8, "Transmitted frames, good or bad",
		   UNIMAC_TX_SENT(.size = MACSTATS_ANY)),
	UNIMAC_ROW("tx_multicast", "GTMCA", 0x4ac, "Good multicast frames of legal length",
		   UNIMAC_TX_LEGAL(MULTICAST, 0, UNIMAC_GIVEN_UP_OR_BAD),
		   MACSTATS_FEEDS(MULTICAST_FRAMES_XMITTED_OK)),
	UNIMAC_ROW("tx_broadcast", "GTBCA", 0x4b0, "Good broadcast frames of legal length",
		   UNIMAC_TX_LEGAL(BROADCAST, 0, UNIMAC_GIVEN_UP_OR_BAD),
		   MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK)),
	/* Good, and that GTXCF has pause frames, too, is inferred from reception. */
	UNIMAC_ROW("tx_pause", "GTXPF", 0x4b4, "Good transmitted pause frames",
		   UNIMAC_TX_GOOD(MACSTATS_PAUSE), MACSTATS_FEEDS(TX_PAUSE_FRAMES)),
	UNIMAC_ROW("tx_control", "GTXCF", 0x4b8, "Good transmitted MAC control frames",
		   UNIMAC_TX_GOOD(MACSTATS_ANY_CONTROL),
		   MACSTATS_FEEDS(MAC_CONTROL_FRAMES_TRANSMITTED)),
	UNIMAC_ROW("tx_fcs_err", "GTFCS", 0x4bc, "Frames of legal length with a bad FCS",
		   UNIMAC_TX_LEGAL(ANY, UNIMAC_TX_BAD, UNIMAC_GIVEN_UP),
		   MACSTATS_FEEDS(RTNL_TX_ERRORS)),
	UNIMAC_ROW("tx_oversize", "GTOVR", 0x4c0, "Transmitted oversize frames with a good FCS",
		   UNIMAC_LONG(TX, 0, 0, UNIMAC_GIVEN_UP_OR_BAD)),
	/* Those that collided are left out: inferred from IEEE 802.3 30.3.1.1.9. */
	UNIMAC_ROW("tx_defer", "GTDRF", 0x4c4,
		   "Frames transmitted after their first attempt was deferred, without a collision",
		   UNIMAC_TX_SENT(.collisions = MACSTATS_NO_COLLISION, .deferred = true),
		   MACSTATS_FEEDS(FRAMES_WITH_DEFERRED_XMISSIONS)),
	/* OpenBCM: discards. That such a frame is in no other counter is inferred. */
	UNIMAC_ROW("tx_excess_defer", "GTEDF", 0x4c8, "Frames given up for excessive deferral",
		   MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL),
		   MACSTATS_FEEDS(FRAMES_WITH_EXCESSIVE_DEFERRAL, RTNL_TX_ERRORS)),
	UNIMAC_ROW("tx_single_col", "GTSCL", 0x4cc, "Frames transmitted after one collision",
		   UNIMAC_TX_SENT(.collisions = MACSTATS_ONE_COLLISION),
		   MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),
	UNIMAC_ROW("tx_multi_col", "GTMCL", 0x4d0, "Frames transmitted after 2 to 15 collisions",
		   UNIMAC_TX_SENT(.collisions = MACSTATS_SEVERAL_COLLISIONS),
		   MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),
	/* Given up, and before 16 collisions: inferred. */
	UNIMAC_ROW("tx_late_col", "GTLCL", 0x4d4, "Frames given up because of a late collision",
		   MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION,
				    .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL),
		   MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_TX_WINDOW_ERRORS, RTNL_TX_ERRORS)),
	UNIMAC_ROW("tx_excess_col", "GTXCL", 0x4d8, "Frames given up after 16 collisions",
		   MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
				    .no_errors = UNIMAC_DEFERRED_OR_LATE),
		   MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ABORTED_ERRORS,
				  RTNL_TX_ERRORS)),
	/* XUMAC: the transmitter pads all frames to 64 octets. */
	UNIMAC_ROW("tx_frags", "GTFRG", 0x4dc, "Transmitted frames of less than 64 octets",
		   MACSTATS_ERRORS_NEVER_SEEN),
	/* Late ones are in it: inferred from RFC 2819, etherStatsCollisions. */
	UNIMAC_COUNTER("tx_total_col", "GTNCL", 0x4e0, COLLISIONS, "Collisions, late ones included",
		       MACSTATS_WHEN_TX(), MACSTATS_FEEDS(RTNL_COLLISIONS)),
	UNIMAC_ROW("tx_jabber", "GTJBR", 0x4e4, "Transmitted oversize frames with a bad FCS",
		   UNIMAC_LONG(TX, 0, UNIMAC_TX_BAD, UNIMAC_GIVEN_UP),
		   MACSTATS_FEEDS(RTNL_TX_ERRORS)),
	UNIMAC_COUNTER("tx_bytes", "GTBYT", 0x4e8, OCTETS, "Octets of the frames in GTPKT",
		       UNIMAC_TX_SENT(.size = MACSTATS_ANY)),
	UNIMAC_ROW("tx_good_pkts", "GTPOK", 0x4ec, "Good transmitted frames",
		   UNIMAC_TX_GOOD(MACSTATS_ANY),
		   MACSTATS_FEEDS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS)),
	UNIMAC_ROW("tx_unicast", "GTUC", 0x4f0, "Good unicast frames of legal length",
		   UNIMAC_TX_LEGAL(UNICAST, 0, UNIMAC_GIVEN_UP_OR_BAD)),
	/* Runts, by UNIMAC_MIB; they are not in GRPKT and GRBYT (OpenBCM). */
	UNIMAC_ROW("rx_runt_pkts", "RRPKT", 0x500, "Received frames of less than 64 octets",
		   MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64)),
	UNIMAC_ROW("rx_runt_valid_fcs", "RRUND", 0x504, "Runts with a good FCS",
		   MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .no_errors = UNIMAC_BAD),
		   MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS)),
	UNIMAC_ROW("rx_runt_inval_fcs_align", "RRFRG", 0x508, "Runts with a bad FCS",
		   MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .errors = UNIMAC_BAD),
		   MACSTATS_FEEDS(FRAGMENTS, RTNL_RX_ERRORS)),
	UNIMAC_COUNTER("rx_runt_bytes", "RRBYT", 0x50c, OCTETS, "Octets of runts",
		       MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64)),
};

/* Reset values: XUMAC. */
MACSTATS_TABLE const struct macstats_register unimac_registers[] = {
	MACSTATS_REGISTER(RW, "UMAC_CMD", 0x008, 1 << 24, "Command", .fields = {
		MACSTATS_FIELD(RW, "NO_LEN_CHK", 24, 1, "Length fields are not checked",
			       .roles = MACSTATS_ROLE_SETTING) }),
	MACSTATS_REGISTER(RW, "UMAC_MAX_FRAME_LEN", 0x014, 1518, "Maximum length", .fields = {
		MACSTATS_FIELD(RW, "MAXFR", 0, 14, "Octets, of received frames",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX) }),
	MACSTATS_REGISTER(RW, "UMAC_MIB_CTRL", 0x580, 0, "MIB control", .fields = {
		MACSTATS_FIELD(RW, "MIB_RESET_RX", 0, 1, "Holds counters of reception at 0"),
		MACSTATS_FIELD(RW, "MIB_RESET_RUNT", 1, 1, "Holds counters of runts at 0"),
		MACSTATS_FIELD(RW, "MIB_RESET_TX", 2, 1, "Holds counters of transmission at 0") }),
};

MACSTATS_TABLE const struct macstats_model unimac_model = {
	.name = "unimac", .title = "Broadcom UniMAC",
	.datasheet = "Linux, drivers/net/ethernet/broadcom: unimac.h, genet and asp2",
	.drivers = { "bcmgenet", "bcmasp" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000ull,
	MACSTATS_ROWS(counters, unimac_counters), MACSTATS_ROWS(registers, unimac_registers),
	.blocks = { { .name = "MIB" } }, .n_blocks = 1,
	.sizes = { .edge = { 64, 65, 128, 256, 512, 1024, 1519, 1523, 2048, 4096 } },
	.ieee_own_pause = true,
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
	.power_up = MACSTATS_POWER_UP_RANDOM,	/* inferred: bcmgenet clears the counters first */
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_UNIMAC_H */
