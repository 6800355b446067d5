/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Intel IXF1104: one of its four Gigabit Ethernet ports, with the receive
 * (0x20) and transmit (0x40) statistics. Data only.
 *
 * Source: IXF1104 datasheet, Intel 278757, revision 007 of 2004-03-25, 8.4.2
 * (table 93) and 8.4.3 (table 94); revision 009 and the sibling IXF1010 where
 * a page of it was not to be had. Port_Index is the base of a port, not its
 * number: a stride of 0x80 words. "Inferred" marks what the datasheet leaves open.
 *
 * Lengths run from the destination address to the CRC inclusive. Legal is a
 * size of 64 octets up to the maximum frame size, which a tagged frame may
 * exceed by its tag. Frames of 64 octets and more are long by the maximum,
 * shorter ones are runts or shorts whatever it is (inferred).
 *
 * A frame has one error (inferred: IEEE 802.3 30.3.1.1 counts by a frame's one
 * status, and table 25 adds RxAlignErrors and RxFCSErrors up): a frame with
 * octets left over counts as that, or, by fibre, as one of wrong CRC; one of
 * wrong CRC as that; one with a code violation as that. An alignment error is
 * one of the CRC, too: left-over bits before a good CRC are no error. What ends
 * a transmission first is its error: excessive deferral, late collision, excessive
 * collisions, underrun, excessive length, CRC. Carrier, payload length and
 * FIFO overrun are nothing that this MAC counts.
 *
 * "NA - half-duplex only" is taken by its words: those rows count in half duplex.
 *
 * Standard statistics. Octets of tagged frames cannot be told apart, RxTagged
 * counts bad ones too: no IEEE octets. Runts may have a good or a bad CRC, so
 * that there are neither undersize packets nor fragments, although table 25
 * has them; by fibre they are not counted at all. Long and jabber are exact up
 * to the size of a very long frame, which may be either. MAC control frames
 * other than pause are counted on receive only, pause frames only of 64 octets.
 * Sums of errors use no differences: the registers are read one by one.
 */
#ifndef MACSTATS_MODEL_IXF1104_H
#define MACSTATS_MODEL_IXF1104_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

/*
 * The classes of RFC 2819, one up: below them is that of the shorts. With its
 * preamble and SFD a frame of 4 octets takes 96 bit times.
 */
enum ixf1104_size {
	IXF1104_SIZE_SHORT        = 1 << 0,
	IXF1104_SIZE_RUNT         = MACSTATS_SIZE_UNDER_64 << 1,
	IXF1104_SIZE_64           = MACSTATS_SIZE_64 << 1,
	IXF1104_SIZE_65_TO_127    = MACSTATS_SIZE_65_TO_127 << 1,
	IXF1104_SIZE_128_TO_255   = MACSTATS_SIZE_128_TO_255 << 1,
	IXF1104_SIZE_256_TO_511   = MACSTATS_SIZE_256_TO_511 << 1,
	IXF1104_SIZE_512_TO_1023  = MACSTATS_SIZE_512_TO_1023 << 1,
	IXF1104_SIZE_1024_TO_1518 = MACSTATS_SIZE_1024_TO_1518 << 1,	/* 1522 if tagged */
	IXF1104_SIZE_1519_UP      = MACSTATS_SIZE_1519_UP << 1,
	IXF1104_SIZE_64_UP        = MACSTATS_SIZE_64_UP << 1,
};

enum ixf1104_errors {
	/* A received frame of wrong CRC. */
	IXF1104_RX_CRC = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT,
	/* A bad one. */
	IXF1104_RX_BAD = IXF1104_RX_CRC | MACSTATS_ERR_CODE,
	/* Collisions that end a transmission. */
	IXF1104_TX_COLLIDED = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS,
	/* Or never let it begin. */
	IXF1104_TX_BLOCKED = IXF1104_TX_COLLIDED | MACSTATS_ERR_EXCESSIVE_DEFERRAL,
	/* What ends it. */
	IXF1104_TX_ENDED = IXF1104_TX_BLOCKED | MACSTATS_ERR_UNDERRUN,
	IXF1104_TX_BAD = IXF1104_TX_ENDED | MACSTATS_ERR_FCS,
};

MACSTATS_TABLE const struct macstats_counter ixf1104_counters[] = {
	{ .name = "rx_octets_total_ok", .reg = "RxOctetsTotalOK",
	  .offset = 0x20, .bits = 32, .unit = MACSTATS_OCTETS,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_64_UP, .no_errors = IXF1104_RX_BAD } },
	  .standard = { { MACSTATS_STD_RTNL_RX_BYTES, 1 } },
	  .help = "Octets of received frames of legal size without error, CRC included" },
	/*
	 * Footnote 2: of a frame over 2^14 - 1 octets the count is not accurate. That
	 * it stops there is inferred; only the tag of a longest frame gets that far.
	 */
	{ .name = "rx_octets_bad", .reg = "RxOctetsBAD",
	  .offset = 0x21, .bits = 32, .unit = MACSTATS_OCTETS,
	  .onread = MACSTATS_ONREAD_RCLR, .frame_limit = 16383,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_64_UP, .errors = IXF1104_RX_BAD } },
	  .help = "Octets of received frames of legal size with a CRC or alignment error or "
		  "a code violation, CRC included" },
	{ .name = "rx_uc_pkts", .reg = "RxUCPkts",
	  .offset = 0x22, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .destination = MACSTATS_UNICAST,
		      .excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_64_UP,
		      .no_errors = IXF1104_RX_BAD } },
	  .standard = { { MACSTATS_STD_FRAMES_RECEIVED_OK, 1 },
			{ MACSTATS_STD_RTNL_RX_PACKETS, 1 },
			{ MACSTATS_STD_RTNL_RX_BYTES, -4 } },
	  .help = "Received unicast frames of legal size without error, control and tagged "
		  "ones included" },
	{ .name = "rx_mc_pkts", .reg = "RxMCPkts",
	  .offset = 0x23, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .destination = MACSTATS_MULTICAST,
		      .excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_64_UP,
		      .no_errors = IXF1104_RX_BAD } },
	  .standard = { { MACSTATS_STD_FRAMES_RECEIVED_OK, 1 },
			{ MACSTATS_STD_RTNL_RX_PACKETS, 1 },
			{ MACSTATS_STD_RTNL_RX_BYTES, -4 },
			{ MACSTATS_STD_MULTICAST_FRAMES_RECEIVED_OK, 1 },
			{ MACSTATS_STD_RTNL_MULTICAST, 1 } },
	  .help = "Received multicast frames of legal size without error, pause frames "
		  "included" },
	{ .name = "rx_bc_pkts", .reg = "RxBCPkts",
	  .offset = 0x24, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .destination = MACSTATS_BROADCAST,
		      .excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_64_UP,
		      .no_errors = IXF1104_RX_BAD } },
	  .standard = { { MACSTATS_STD_FRAMES_RECEIVED_OK, 1 },
			{ MACSTATS_STD_RTNL_RX_PACKETS, 1 },
			{ MACSTATS_STD_RTNL_RX_BYTES, -4 },
			{ MACSTATS_STD_BROADCAST_FRAMES_RECEIVED_OK, 1 } },
	  .help = "Received broadcast frames of legal size without error" },
	/*
	 * "Including bad packets": long frames are such, so that a maximum below 1518
	 * does not matter here, while the last one ends at the maximum by its name.
	 */
	{ .name = "rx_pkts64_octets", .reg = "RxPkts64Octets",
	  .offset = 0x25, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .size = IXF1104_SIZE_64 } },
	  .standard = { { MACSTATS_STD_HIST_RX, 1 } },
	  .help = "Received frames of 64 octets, good or bad" },
	{ .name = "rx_pkts65to127_octets", .reg = "RxPkts65to127Octets",
	  .offset = 0x26, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .size = IXF1104_SIZE_65_TO_127 } },
	  .standard = { { MACSTATS_STD_HIST_RX, 1 } },
	  .help = "Received frames of 65 to 127 octets, good or bad" },
	{ .name = "rx_pkts128to255_octets", .reg = "RxPkts128to255Octets",
	  .offset = 0x27, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .size = IXF1104_SIZE_128_TO_255 } },
	  .standard = { { MACSTATS_STD_HIST_RX, 1 } },
	  .help = "Received frames of 128 to 255 octets, good or bad" },
	{ .name = "rx_pkts256to511_octets", .reg = "RxPkts256to511Octets",
	  .offset = 0x28, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .size = IXF1104_SIZE_256_TO_511 } },
	  .standard = { { MACSTATS_STD_HIST_RX, 1 } },
	  .help = "Received frames of 256 to 511 octets, good or bad" },
	{ .name = "rx_pkts512to1023_octets", .reg = "RxPkts512to1023Octets",
	  .offset = 0x29, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .size = IXF1104_SIZE_512_TO_1023 } },
	  .standard = { { MACSTATS_STD_HIST_RX, 1 } },
	  .help = "Received frames of 512 to 1023 octets, good or bad" },
	{ .name = "rx_pkts1024to1518_octets", .reg = "RxPkts1024to1518Octets",
	  .offset = 0x2a, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .size = IXF1104_SIZE_1024_TO_1518 } },
	  .standard = { { MACSTATS_STD_HIST_RX, 1 } },
	  .help = "Received frames of 1024 to 1518 octets (1522 if tagged), good or bad" },
	{ .name = "rx_pkts1519to_max_octets", .reg = "RxPkts1519toMaxOctets",
	  .offset = 0x2b, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_1519_UP } },
	  .standard = { { MACSTATS_STD_HIST_RX, 1 } },
	  .help = "Received frames of 1519 octets (1523 if tagged) up to the maximum frame "
		  "size, good or bad" },
	/* Not those with an alignment error, but where there is no such thing: inferred. */
	{ .name = "rx_fcs_errors", .reg = "RxFCSErrors",
	  .offset = 0x2c, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_64_UP, .errors = MACSTATS_ERR_FCS,
		      .no_errors = MACSTATS_ERR_ALIGNMENT },
		    { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_64_UP, .errors = MACSTATS_ERR_ALIGNMENT,
		      .with = MACSTATS_OPT_FIBER } },
	  .standard = { { MACSTATS_STD_FRAME_CHECK_SEQUENCE_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_CRC_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 } },
	  .help = "Received frames of legal size and whole octets with a wrong CRC" },
	{ .name = "rx_tagged", .reg = "RxTagged",
	  .offset = 0x2d, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX,
		      .tags = MACSTATS_TAGGED | MACSTATS_DOUBLE_TAGGED } },
	  .help = "Received frames of any size with a VLAN tag (type 81-00), good or bad" },
	/* Not those with a wrong CRC, which count as such: inferred. */
	{ .name = "rx_data_error", .reg = "RxDataError",
	  .offset = 0x2e, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_64_UP, .errors = MACSTATS_ERR_CODE,
		      .no_errors = IXF1104_RX_CRC } },
	  .standard = { { MACSTATS_STD_RTNL_RX_ERRORS, 1 } },
	  .help = "Received frames of legal size and right CRC with a code violation" },
	/* "In 10 or 100 Mbps RGMII mode only": there is no word for the speed here. */
	{ .name = "rx_align_errors", .reg = "RxAlignErrors",
	  .offset = 0x2f, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_64_UP, .errors = MACSTATS_ERR_ALIGNMENT,
		      .without = MACSTATS_OPT_FIBER } },
	  .standard = { { MACSTATS_STD_ALIGNMENT_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_FRAME_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 } },
	  .help = "Received frames of legal size with less than 8 additional bits and a "
		  "wrong CRC without them; copper only" },
	{ .name = "rx_long_errors", .reg = "RxLongErrors",
	  .offset = 0x30, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_OVER_MAX,
		      .size = IXF1104_SIZE_64_UP, .no_errors = IXF1104_RX_CRC } },
	  .standard = { { MACSTATS_STD_OVERSIZE_PKTS, 1 },
			{ MACSTATS_STD_FRAME_TOO_LONG_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_LENGTH_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 } },
	  .help = "Received frames longer than the maximum frame size with a right CRC, "
		  "very long ones excluded" },
	{ .name = "rx_jabber_errors", .reg = "RxJabberErrors",
	  .offset = 0x31, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_OVER_MAX,
		      .size = IXF1104_SIZE_64_UP, .errors = IXF1104_RX_CRC } },
	  .standard = { { MACSTATS_STD_JABBERS, 1 },
			{ MACSTATS_STD_FRAME_TOO_LONG_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_LENGTH_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 } },
	  .help = "Received frames longer than the maximum frame size with a wrong CRC or "
		  "without a whole number of octets, very long ones excluded" },
	{ .name = "rx_pause_mac_control_received", .reg = "RxPauseMacControlReceivedCounter",
	  .offset = 0x32, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .kind = MACSTATS_PAUSE,
		      .excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_64,
		      .no_errors = IXF1104_RX_BAD },
		    { .direction = MACSTATS_RX, .kind = MACSTATS_PAUSE,
		      .excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_64,
		      .errors = MACSTATS_ERR_FCS,
		      .no_errors = MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE,
		      .with = MACSTATS_OPT_SETTING } },
	  .standard = { { MACSTATS_STD_RX_PAUSE_FRAMES, 1 } },
	  .help = "Received pause frames of 64 octets without error, or with a wrong CRC if "
		  "the packet filter lets these pass" },
	/* That it takes a good frame is inferred: of a bad one the opcode is anything. */
	{ .name = "rx_unknown_mac_control_frame", .reg = "RxUnknownMacControlFrameCounter",
	  .offset = 0x33, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .kind = MACSTATS_CONTROL | MACSTATS_PFC,
		      .excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_64_UP,
		      .no_errors = IXF1104_RX_BAD } },
	  .standard = { { MACSTATS_STD_UNSUPPORTED_OPCODES_RECEIVED, 1 } },
	  .help = "Received MAC control frames of legal size without error with an opcode "
		  "other than 00-01" },
	/* The larger of two limits, and the limit of footnote 2 on the maximum. */
	{ .name = "rx_very_long_errors", .reg = "RxVeryLongErrors",
	  .offset = 0x34, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_VERY_LONG } },
	  .standard = { { MACSTATS_STD_FRAME_TOO_LONG_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_LENGTH_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 } },
	  .help = "Received frames longer than twice the maximum frame size and than 50000 "
		  "bits, good or bad" },
	{ .name = "rx_runt_errors", .reg = "RxRuntErrors",
	  .offset = 0x35, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR, .good_frames = 2,
	  .when = { { .direction = MACSTATS_RX, .size = IXF1104_SIZE_RUNT,
		      .without = MACSTATS_OPT_FIBER } },
	  .standard = { { MACSTATS_STD_RTNL_RX_ERRORS, 1 } },
	  .help = "Received frames of 4 to 63 octets, shown after two good frames; copper "
		  "only" },
	{ .name = "rx_short_errors", .reg = "RxShortErrors",
	  .offset = 0x36, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR, .good_frames = 1,
	  .when = { { .direction = MACSTATS_RX, .size = IXF1104_SIZE_SHORT,
		      .without = MACSTATS_OPT_FIBER } },
	  .standard = { { MACSTATS_STD_RTNL_RX_ERRORS, 1 } },
	  .help = "Received frames of less than 4 octets (96 bit times), shown after a good "
		  "frame; copper only" },
	{ .name = "rx_carrier_extend_error", .reg = "RxCarrierExtendError",
	  .offset = 0x37, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .help = "Not applicable, as there is no half duplex at 1 Gb/s: stays 0" },
	/* That a frame with a code violation has one sequencing error by fibre is inferred. */
	{ .name = "rx_sequence_errors", .reg = "RxSequenceErrors",
	  .offset = 0x38, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .errors = MACSTATS_ERR_CODE,
		      .with = MACSTATS_OPT_FIBER } },
	  .help = "Sequencing errors in received frames; fibre only" },
	/* One for each frame with a code violation: inferred. */
	{ .name = "rx_symbol_errors", .reg = "RxSymbolErrors",
	  .offset = 0x39, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX, .errors = MACSTATS_ERR_CODE } },
	  .help = "Symbol errors that the PHY encountered in received frames of any size" },

	{ .name = "tx_octets_transmitted_ok", .reg = "OctetsTransmittedOK",
	  .offset = 0x40, .bits = 32, .unit = MACSTATS_OCTETS,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX,
		      .no_errors = IXF1104_TX_BAD } },
	  .standard = { { MACSTATS_STD_RTNL_TX_BYTES, 1 } },
	  .help = "Octets of transmitted frames without error, CRC included, attempts that "
		  "collided excluded" },
	/*
	 * "Close to the actual number" after collisions: the frame's length (inferred).
	 * A frame over the maximum is truncated there; that it counts is inferred.
	 */
	{ .name = "tx_octets_transmitted_bad", .reg = "OctetsTransmittedBad",
	  .offset = 0x41, .bits = 32, .unit = MACSTATS_OCTETS,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX,
		      .errors = MACSTATS_ERR_FCS | MACSTATS_ERR_UNDERRUN | IXF1104_TX_COLLIDED,
		      .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL },
		    { .direction = MACSTATS_TX,
		      .excess = MACSTATS_OVER_MAX | MACSTATS_VERY_LONG,
		      .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL } },
	  .help = "Octets of frames transmitted with an error, up to the maximum frame "
		  "size, CRC included" },
	{ .name = "tx_uc_pkts", .reg = "TxUCPkts",
	  .offset = 0x42, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .destination = MACSTATS_UNICAST,
		      .excess = MACSTATS_WITHIN_MAX, .no_errors = IXF1104_TX_BAD } },
	  .standard = { { MACSTATS_STD_FRAMES_TRANSMITTED_OK, 1 },
			{ MACSTATS_STD_RTNL_TX_PACKETS, 1 },
			{ MACSTATS_STD_RTNL_TX_BYTES, -4 } },
	  .help = "Transmitted unicast frames without error" },
	{ .name = "tx_mc_pkts", .reg = "TxMCPkts",
	  .offset = 0x43, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .destination = MACSTATS_MULTICAST,
		      .excess = MACSTATS_WITHIN_MAX, .no_errors = IXF1104_TX_BAD } },
	  .standard = { { MACSTATS_STD_FRAMES_TRANSMITTED_OK, 1 },
			{ MACSTATS_STD_RTNL_TX_PACKETS, 1 },
			{ MACSTATS_STD_RTNL_TX_BYTES, -4 },
			{ MACSTATS_STD_MULTICAST_FRAMES_XMITTED_OK, 1 } },
	  .help = "Transmitted multicast frames without error, pause frames included" },
	{ .name = "tx_bc_pkts", .reg = "TxBCPkts",
	  .offset = 0x44, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .destination = MACSTATS_BROADCAST,
		      .excess = MACSTATS_WITHIN_MAX, .no_errors = IXF1104_TX_BAD } },
	  .standard = { { MACSTATS_STD_FRAMES_TRANSMITTED_OK, 1 },
			{ MACSTATS_STD_RTNL_TX_PACKETS, 1 },
			{ MACSTATS_STD_RTNL_TX_BYTES, -4 },
			{ MACSTATS_STD_BROADCAST_FRAMES_XMITTED_OK, 1 } },
	  .help = "Transmitted broadcast frames without error" },
	/*
	 * The names up to 0x4a and that of 0x4c are inferred from their order. What was
	 * truncated at the maximum frame size or never sent is in none (inferred).
	 */
	{ .name = "tx_pkts64_octets", .reg = "TxPkts64Octets",
	  .offset = 0x45, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_64,
		      .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL } },
	  .standard = { { MACSTATS_STD_HIST_TX, 1 } },
	  .help = "Transmitted frames of 64 octets, good or bad" },
	{ .name = "tx_pkts65to127_octets", .reg = "TxPkts65to127Octets",
	  .offset = 0x46, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_65_TO_127,
		      .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL } },
	  .standard = { { MACSTATS_STD_HIST_TX, 1 } },
	  .help = "Transmitted frames of 65 to 127 octets, good or bad" },
	{ .name = "tx_pkts128to255_octets", .reg = "TxPkts128to255Octets",
	  .offset = 0x47, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_128_TO_255,
		      .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL } },
	  .standard = { { MACSTATS_STD_HIST_TX, 1 } },
	  .help = "Transmitted frames of 128 to 255 octets, good or bad" },
	{ .name = "tx_pkts256to511_octets", .reg = "TxPkts256to511Octets",
	  .offset = 0x48, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_256_TO_511,
		      .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL } },
	  .standard = { { MACSTATS_STD_HIST_TX, 1 } },
	  .help = "Transmitted frames of 256 to 511 octets, good or bad" },
	{ .name = "tx_pkts512to1023_octets", .reg = "TxPkts512to1023Octets",
	  .offset = 0x49, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_512_TO_1023,
		      .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL } },
	  .standard = { { MACSTATS_STD_HIST_TX, 1 } },
	  .help = "Transmitted frames of 512 to 1023 octets, good or bad" },
	{ .name = "tx_pkts1024to1518_octets", .reg = "TxPkts1024to1518Octets",
	  .offset = 0x4a, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_1024_TO_1518,
		      .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL } },
	  .standard = { { MACSTATS_STD_HIST_TX, 1 } },
	  .help = "Transmitted frames of 1024 to 1518 octets (1522 if tagged), good or bad" },
	{ .name = "tx_pkts1519to_max_octets", .reg = "TxPkts1519toMaxOctets",
	  .offset = 0x4b, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX,
		      .size = IXF1104_SIZE_1519_UP,
		      .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL } },
	  .standard = { { MACSTATS_STD_HIST_TX, 1 } },
	  .help = "Transmitted frames of 1519 octets (1523 if tagged) up to the maximum "
		  "frame size, good or bad" },
	/* IEEE 802.3 30.3.1.1.9 leaves out those that collide; that this does is inferred. */
	{ .name = "tx_deferred", .reg = "TxDeferred",
	  .offset = 0x4c, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .collisions = MACSTATS_NO_COLLISION,
		      .deferred = true, .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL,
		      .with = MACSTATS_OPT_HALF_DUPLEX } },
	  .standard = { { MACSTATS_STD_FRAMES_WITH_DEFERRED_XMISSIONS, 1 } },
	  .help = "Frames deferred at the first attempt and sent without a collision; half "
		  "duplex only" },
	/* Table 25: the collisions of RFC 2819 less those of TxLateCollisions. */
	{ .name = "tx_total_collisions", .reg = "TxTotalCollisions",
	  .offset = 0x4d, .bits = 32, .unit = MACSTATS_EARLY_COLLISIONS,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .with = MACSTATS_OPT_HALF_DUPLEX } },
	  .standard = { { MACSTATS_STD_RTNL_COLLISIONS, 1 } },
	  .help = "Collisions, late ones excluded; half duplex only" },
	{ .name = "tx_single_collisions", .reg = "TxSingleCollisions",
	  .offset = 0x4e, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX,
		      .collisions = MACSTATS_ONE_COLLISION, .no_errors = IXF1104_TX_BAD,
		      .with = MACSTATS_OPT_HALF_DUPLEX } },
	  .standard = { { MACSTATS_STD_SINGLE_COLLISION_FRAMES, 1 } },
	  .help = "Frames transmitted without error after one collision; half duplex only" },
	{ .name = "tx_multiple_collisions", .reg = "TxMultipleCollisions",
	  .offset = 0x4f, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX,
		      .collisions = MACSTATS_SEVERAL_COLLISIONS,
		      .no_errors = IXF1104_TX_BAD, .with = MACSTATS_OPT_HALF_DUPLEX } },
	  .standard = { { MACSTATS_STD_MULTIPLE_COLLISION_FRAMES, 1 } },
	  .help = "Frames transmitted without error after several collisions; half duplex "
		  "only" },
	{ .name = "tx_late_collisions", .reg = "TxLateCollisions",
	  .offset = 0x50, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .errors = MACSTATS_ERR_LATE_COLLISION,
		      .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL,
		      .with = MACSTATS_OPT_HALF_DUPLEX } },
	  .standard = { { MACSTATS_STD_LATE_COLLISIONS, 1 },
			{ MACSTATS_STD_RTNL_COLLISIONS, 1 },
			{ MACSTATS_STD_RTNL_TX_WINDOW_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_TX_ERRORS, 1 } },
	  .help = "Frames discarded because of a collision later than 512 bit times; half "
		  "duplex only" },
	{ .name = "tx_excessive_collision_errors", .reg = "TxExcessiveCollisionErrors",
	  .offset = 0x51, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
		      .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL | MACSTATS_ERR_LATE_COLLISION,
		      .with = MACSTATS_OPT_HALF_DUPLEX } },
	  .standard = { { MACSTATS_STD_FRAMES_ABORTED_DUE_TO_XS_COLLS, 1 },
			{ MACSTATS_STD_RTNL_TX_ABORTED_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_TX_ERRORS, 1 } },
	  .help = "Frames discarded after 16 collisions; half duplex only" },
	{ .name = "tx_excessive_deferral_errors", .reg = "TxExcessiveDeferralErrors",
	  .offset = 0x52, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL,
		      .with = MACSTATS_OPT_HALF_DUPLEX } },
	  .standard = { { MACSTATS_STD_FRAMES_WITH_EXCESSIVE_DEFERRAL, 1 },
			{ MACSTATS_STD_RTNL_TX_ERRORS, 1 } },
	  .help = "Frames discarded after a deferral of twice the maximum frame size; half "
		  "duplex only" },
	{ .name = "tx_excessive_length_drop", .reg = "TxExcessiveLengthDrop",
	  .offset = 0x53, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX,
		      .excess = MACSTATS_OVER_MAX | MACSTATS_VERY_LONG,
		      .no_errors = IXF1104_TX_ENDED } },
	  .standard = { { MACSTATS_STD_RTNL_TX_ERRORS, 1 } },
	  .help = "Frames truncated because they are longer than the maximum frame size" },
	{ .name = "tx_underrun", .reg = "TxUnderrun",
	  .offset = 0x54, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .errors = MACSTATS_ERR_UNDERRUN,
		      .no_errors = IXF1104_TX_BLOCKED } },
	  .standard = { { MACSTATS_STD_FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, 1 },
			{ MACSTATS_STD_RTNL_TX_FIFO_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_TX_ERRORS, 1 } },
	  .help = "Frames aborted because the transmit FIFO ran empty" },
	/* Bad ones as in RxTagged: inferred. */
	{ .name = "tx_tagged", .reg = "TxTagged",
	  .offset = 0x55, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX,
		      .tags = MACSTATS_TAGGED | MACSTATS_DOUBLE_TAGGED } },
	  .help = "Transmitted frames of any size with a VLAN tag, good or bad" },
	{ .name = "tx_crc_error", .reg = "TxCRCError",
	  .offset = 0x56, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX,
		      .errors = MACSTATS_ERR_FCS, .no_errors = IXF1104_TX_ENDED } },
	  .standard = { { MACSTATS_STD_RTNL_TX_ERRORS, 1 } },
	  .help = "Frames transmitted whole with a wrong CRC" },
	/* Whoever made them: inferred. */
	{ .name = "tx_pause_frames", .reg = "TxPauseFrames",
	  .offset = 0x57, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .kind = MACSTATS_PAUSE,
		      .excess = MACSTATS_WITHIN_MAX, .no_errors = IXF1104_TX_BAD } },
	  .standard = { { MACSTATS_STD_TX_PAUSE_FRAMES, 1 } },
	  .help = "Transmitted pause frames without error" },
	/*
	 * Name and meaning are inferred. The flow control that a MAC exerts is described
	 * as a pause frame of its own; in half duplex it makes a collision (inferred).
	 */
	{ .name = "tx_flow_control_collisions_send", .reg = "TxFlowControlCollisionsSend",
	  .offset = 0x58, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_TX, .kind = MACSTATS_PAUSE,
		      .origin = MACSTATS_BY_MAC, .with = MACSTATS_OPT_HALF_DUPLEX } },
	  .help = "Collisions made on purpose for flow control; half duplex only" },
};

MACSTATS_TABLE const struct macstats_register ixf1104_registers[] = {
	/* One for both directions; address and reset value as in the IXF1010: inferred. */
	{ .name = "Max Frame Size", .offset = 0x0f, .access = MACSTATS_RW, .reset = 1518,
	  .help = "Longest frame that is legal, without a VLAN tag" },
	{ .name = "RX Packet Filter Control", .offset = 0x19, .access = MACSTATS_RW,
	  .help = "What becomes of received frames by their address and errors" },
};

MACSTATS_TABLE const struct macstats_field ixf1104_fields[] = {
	/* As wide as the length that footnote 2 speaks of: inferred. */
	{ .name = "max_frame_size", .offset = 0x0f, .lsb = 0, .bits = 14, .access = MACSTATS_RW,
	  .help = "Octets, CRC included" },
	{ .name = "filters", .offset = 0x19, .lsb = 0, .bits = 5, .access = MACSTATS_RW,
	  .help = "Address, VLAN and pause filters; nothing that the statistics see (inferred)" },
	{ .name = "crc_error_pass", .offset = 0x19, .lsb = 5, .bits = 1, .access = MACSTATS_RW,
	  .help = "Pause frames with a wrong CRC are counted too" },
};

MACSTATS_TABLE const struct macstats_model ixf1104_model = {
	.name = "ixf1104",
	.title = "Intel IXF1104 4-port Gigabit Ethernet media access controller",
	.datasheet = "Intel 278757-007 (2004-03-25), 8.4.2 and 8.4.3",
	.ports = 4,
	.port_stride = 0x80,
	.address_unit_bits = 32,
	.bus_bits = 32,
	.line_rate_bps = 1000000000ull,
	.counters = ixf1104_counters,
	.n_counters = MACSTATS_COUNT_OF(ixf1104_counters),
	.registers = ixf1104_registers,
	.n_registers = MACSTATS_COUNT_OF(ixf1104_registers),
	.fields = ixf1104_fields,
	.n_fields = MACSTATS_COUNT_OF(ixf1104_fields),
	.blocks = { { .name = "port" } },
	.n_blocks = 1,
	.sizes = {
		/* The first is that of ShortRuntsThreshold, a register not emulated. */
		.edge = { 4, 64, 65, 128, 256, 512, 1024, 1519 },
		.tagged_edges = 1 << 7,
	},
	.max_frame_rx = { 0x0f, 0x3fff },
	.max_frame_tx = { 0x0f, 0x3fff },
	.tag_over_max = true,
	.cut_at_max = true,
	/* 50000 bits; and half of 2^14 - 1, rounded down. */
	.very_long_least = 6250,
	.very_long_limit = 8191,
	.good_despite = MACSTATS_ERR_ALL & ~IXF1104_RX_BAD,
	/* The shortest fragment with a well-formed preamble. */
	.min_frame_rx = 4,
	.min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN,	/* inferred: padding is enabled */
	.data_overhead = 18,
	.control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_FIBER,
	.default_options = MACSTATS_OPT_STATISTICS,
	.setting = { 0x19, 1 << 5 },
	.faults = MACSTATS_FAULT_BUS_ERROR,
	.power_up = MACSTATS_POWER_UP_ZERO,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_IXF1104_H */
