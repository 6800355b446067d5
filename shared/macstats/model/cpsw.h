/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * TI AM335x CPSW_3G Ethernet switch: its statistics block, one set of counters
 * for the whole switch. Data only.
 *
 * Source: AM335x Technical Reference Manual, SPRUH73H, 14.3.2.20; where that is
 * silent or slips, the manuals of its siblings (EMAC, and the CPSW of the
 * DRA821 for what reads and writes do). "Inferred" marks what follows from
 * neither.
 *
 * Two kinds of addresses. Counters have the offsets within the statistics block
 * that the manual prints (0x00 to 0x8c). The other registers belong to other
 * blocks, at offsets which overlap with those; they have their physical address,
 * with CPSW_SS at 0x4a100000 (inferred; the statistics block is at 0x4a100900).
 *
 * A write of 32 bits decrements a counter while any port's statistics are
 * enabled in STAT_PORT_EN, and is stored while none is. Lengths run from the
 * destination address to the FCS inclusive.
 *
 * Standard statistics. Octets include the FCS, so bytes are octets - 4 for each
 * good frame. There are no IEEE octets, as tagged frames cannot be told apart,
 * and no alignment errors, as code errors cannot. Sizes of received and of
 * transmitted frames are counted together, so there is no histogram. A frame
 * that is too long is so whatever its FCS. A frame with two independent faults
 * (an overrun and a bad FCS; a lost carrier and an underrun or a late collision)
 * is counted under both, and twice in rx_errors or tx_errors; one that overruns
 * is good all the same, as it is for the MAC.
 */
#ifndef MACSTATS_MODEL_CPSW_H
#define MACSTATS_MODEL_CPSW_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum cpsw_errors {
	CPSW_RX_ERRORS = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE,
	CPSW_TX_ERRORS = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS |
			 MACSTATS_ERR_CARRIER_LOSS | MACSTATS_ERR_UNDERRUN,
	CPSW_COLLIDED_NO_ERRORS = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_CARRIER_LOSS |
				  MACSTATS_ERR_UNDERRUN,
	CPSW_BIN_NO_ERRORS = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS |
			     MACSTATS_ERR_CARRIER_LOSS,
};

MACSTATS_TABLE const struct macstats_counter cpsw_counters[] = {
	{ .name = "rx_good_frames", .reg = "Good Rx Frames",
	  .offset = 0x00, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = MACSTATS_SIZE_64_UP, .no_errors = CPSW_RX_ERRORS } },
	  .standard = { { MACSTATS_STD_FRAMES_RECEIVED_OK, 1 },
			{ MACSTATS_STD_RTNL_RX_PACKETS, 1 },
			{ MACSTATS_STD_RTNL_RX_BYTES, -4 } },
	  .help = "Received frames of 64 octets up to RX_MAXLEN without CRC, alignment or code "
		  "error, overrun or not" },
	{ .name = "rx_broadcast_frames", .reg = "Broadcast Rx Frames",
	  .offset = 0x04, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .destination = MACSTATS_BROADCAST,
		      .excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP,
		      .no_errors = CPSW_RX_ERRORS } },
	  .standard = { { MACSTATS_STD_BROADCAST_FRAMES_RECEIVED_OK, 1 } },
	  .help = "Good received frames to the broadcast address" },
	{ .name = "rx_multicast_frames", .reg = "Multicast Rx Frames",
	  .offset = 0x08, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .destination = MACSTATS_MULTICAST,
		      .excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP,
		      .no_errors = CPSW_RX_ERRORS } },
	  .standard = { { MACSTATS_STD_MULTICAST_FRAMES_RECEIVED_OK, 1 },
			{ MACSTATS_STD_RTNL_MULTICAST, 1 } },
	  .help = "Good received frames to a multicast address other than broadcast, pause "
		  "frames included" },
	/* With TX_FLOW_EN, taken as always set: flow control is not switched here. */
	{ .name = "rx_pause_frames", .reg = "Pause Rx Frames",
	  .offset = 0x0c, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .kind = MACSTATS_PAUSE,
		      .excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP,
		      .no_errors = CPSW_RX_ERRORS } },
	  .standard = { { MACSTATS_STD_RX_PAUSE_FRAMES, 1 } },
	  .help = "Good received pause frames; also counted by their address" },
	{ .name = "rx_crc_errors", .reg = "Rx CRC Errors",
	  .offset = 0x10, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = MACSTATS_SIZE_64_UP, .errors = MACSTATS_ERR_FCS,
		      .no_errors = MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE } },
	  .standard = { { MACSTATS_STD_FRAME_CHECK_SEQUENCE_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_CRC_ERRORS, 1 } },
	  .help = "Received frames of 64 octets up to RX_MAXLEN with a CRC error, but no "
		  "alignment or code error" },
	{ .name = "rx_align_code_errors", .reg = "Rx Align/Code Errors",
	  .offset = 0x14, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = MACSTATS_SIZE_64_UP,
		      .errors = MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE } },
	  .standard = { { MACSTATS_STD_RTNL_RX_ERRORS, 1 } },
	  .help = "Received frames of 64 octets up to RX_MAXLEN with an alignment or code error" },
	{ .name = "rx_oversize_frames", .reg = "Oversize Rx Frames",
	  .offset = 0x18, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_OVER_MAX,
		      .no_errors = CPSW_RX_ERRORS } },
	  .standard = { { MACSTATS_STD_OVERSIZE_PKTS, 1 },
			{ MACSTATS_STD_FRAME_TOO_LONG_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_LENGTH_ERRORS, 1 } },
	  .help = "Received frames longer than RX_MAXLEN without CRC, alignment or code error" },
	/* The manual says "had no" error, which would make it the row above: an erratum. */
	{ .name = "rx_jabbers", .reg = "Rx Jabbers",
	  .offset = 0x1c, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_OVER_MAX,
		      .errors = CPSW_RX_ERRORS } },
	  .standard = { { MACSTATS_STD_JABBERS, 1 },
			{ MACSTATS_STD_FRAME_TOO_LONG_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_LENGTH_ERRORS, 1 } },
	  .help = "Received frames longer than RX_MAXLEN with a CRC, alignment or code error" },
	/* The manual says "greater than rx_maxlen", copied from Oversize: an erratum. */
	{ .name = "rx_undersize_frames", .reg = "Undersize (Short) Rx Frames",
	  .offset = 0x20, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .size = MACSTATS_SIZE_UNDER_64,
		      .no_errors = CPSW_RX_ERRORS } },
	  .standard = { { MACSTATS_STD_UNDERSIZE_PKTS, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 } },
	  .help = "Received frames of less than 64 octets without CRC, alignment or code error" },
	/* "Any data frame": the one receive row that leaves MAC control frames out. */
	{ .name = "rx_fragments", .reg = "Rx Fragments",
	  .offset = 0x24, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .kind = MACSTATS_DATA,
		      .collisions = MACSTATS_NO_COLLISION,
		      .size = MACSTATS_SIZE_UNDER_64, .errors = CPSW_RX_ERRORS },
		    { .direction = MACSTATS_RX, .kind = MACSTATS_DATA,
		      .size = MACSTATS_SIZE_UNDER_64, .errors = CPSW_RX_ERRORS,
		      .without = MACSTATS_OPT_HALF_DUPLEX } },
	  .standard = { { MACSTATS_STD_FRAGMENTS, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 } },
	  .help = "Received data frames of less than 64 octets with a CRC, alignment or code "
		  "error that half-duplex flow control did not cause" },
	/* From the destination address to the FCS inclusive (inferred). */
	{ .name = "rx_octets", .reg = "Rx Octets",
	  .offset = 0x30, .bits = 32, .unit = MACSTATS_OCTETS,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = MACSTATS_SIZE_64_UP, .no_errors = CPSW_RX_ERRORS } },
	  .standard = { { MACSTATS_STD_RTNL_RX_BYTES, 1 } },
	  .help = "Octets of good received frames, FCS included" },
	/* "Received on the port" in this and the next two is a slip for "transmitted". */
	{ .name = "tx_good_frames", .reg = "Good Tx Frames",
	  .offset = 0x34, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX, .no_errors = CPSW_TX_ERRORS } },
	  .standard = { { MACSTATS_STD_FRAMES_TRANSMITTED_OK, 1 },
			{ MACSTATS_STD_RTNL_TX_PACKETS, 1 },
			{ MACSTATS_STD_RTNL_TX_BYTES, -4 } },
	  .help = "Transmitted frames of any length without late or excessive collisions, "
		  "carrier loss or underrun" },
	{ .name = "tx_broadcast_frames", .reg = "Broadcast Tx Frames",
	  .offset = 0x38, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX, .destination = MACSTATS_BROADCAST,
		      .no_errors = CPSW_TX_ERRORS } },
	  .standard = { { MACSTATS_STD_BROADCAST_FRAMES_XMITTED_OK, 1 } },
	  .help = "Good transmitted frames to the broadcast address" },
	{ .name = "tx_multicast_frames", .reg = "Multicast Tx Frames",
	  .offset = 0x3c, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX, .destination = MACSTATS_MULTICAST,
		      .no_errors = CPSW_TX_ERRORS } },
	  .standard = { { MACSTATS_STD_MULTICAST_FRAMES_XMITTED_OK, 1 } },
	  .help = "Good transmitted frames to a multicast address other than broadcast, pause "
		  "frames included" },
	/* No error or collision has an effect: full duplex only, made in the MAC. */
	{ .name = "tx_pause_frames", .reg = "Pause Tx Frames",
	  .offset = 0x40, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX, .kind = MACSTATS_PAUSE,
		      .origin = MACSTATS_BY_MAC } },
	  .standard = { { MACSTATS_STD_TX_PAUSE_FRAMES, 1 } },
	  .help = "Pause frames that the MAC made itself; also counted as good, multicast and "
		  "64 octet frames" },
	/* The manual leaves this one out; its rule is that of the EMAC, an older sibling. */
	{ .name = "tx_deferred_frames", .reg = "Deferred Tx Frames",
	  .offset = 0x44, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX, .collisions = MACSTATS_NO_COLLISION,
		      .deferred = true,
		      .no_errors = MACSTATS_ERR_CARRIER_LOSS | MACSTATS_ERR_UNDERRUN } },
	  .standard = { { MACSTATS_STD_FRAMES_WITH_DEFERRED_XMISSIONS, 1 } },
	  .help = "Transmitted frames that found the medium busy at the first attempt and then "
		  "had no collision, carrier loss or underrun" },
	{ .name = "rxtx_collisions", .reg = "Collisions",
	  .offset = 0x48, .bits = 32, .unit = MACSTATS_COLLISIONS,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX,
		      .no_errors = MACSTATS_ERR_CARRIER_LOSS | MACSTATS_ERR_UNDERRUN },
		    { .direction = MACSTATS_RX, .with = MACSTATS_OPT_HALF_DUPLEX } },
	  .standard = { { MACSTATS_STD_RTNL_COLLISIONS, 1 } },
	  .help = "Collisions, late ones included, of transmitted frames without carrier loss "
		  "or underrun, and those that half-duplex flow control forces on received ones" },
	{ .name = "tx_single_collision_frames", .reg = "Single Collision Tx Frames",
	  .offset = 0x4c, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX, .collisions = MACSTATS_ONE_COLLISION,
		      .no_errors = CPSW_COLLIDED_NO_ERRORS } },
	  .standard = { { MACSTATS_STD_SINGLE_COLLISION_FRAMES, 1 } },
	  .help = "Frames transmitted after exactly one collision, which was not late" },
	{ .name = "tx_multiple_collision_frames", .reg = "Multiple Collision Tx Frames",
	  .offset = 0x50, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX,
		      .collisions = MACSTATS_SEVERAL_COLLISIONS,
		      .no_errors = CPSW_COLLIDED_NO_ERRORS } },
	  .standard = { { MACSTATS_STD_MULTIPLE_COLLISION_FRAMES, 1 } },
	  .help = "Frames transmitted after 2 to 15 collisions, none of them late" },
	{ .name = "tx_excessive_collisions", .reg = "Excessive Collisions",
	  .offset = 0x54, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX,
		      .errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
		      .no_errors = CPSW_COLLIDED_NO_ERRORS } },
	  .standard = { { MACSTATS_STD_FRAMES_ABORTED_DUE_TO_XS_COLLS, 1 },
			{ MACSTATS_STD_RTNL_TX_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_TX_ABORTED_ERRORS, 1 } },
	  .help = "Frames given up after 16 collisions, none of them late" },
	/* Carrier loss and underrun have no effect here; in the EMAC they do. */
	{ .name = "tx_late_collisions", .reg = "Late Collisions",
	  .offset = 0x58, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX,
		      .errors = MACSTATS_ERR_LATE_COLLISION } },
	  .standard = { { MACSTATS_STD_LATE_COLLISIONS, 1 },
			{ MACSTATS_STD_RTNL_TX_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_TX_WINDOW_ERRORS, 1 } },
	  .help = "Frames given up because of a collision later than 512 bit times; not counted "
		  "as single, multiple or excessive collisions" },
	{ .name = "tx_underrun", .reg = "Tx Underrun",
	  .offset = 0x5c, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX, .errors = MACSTATS_ERR_UNDERRUN } },
	  .standard = { { MACSTATS_STD_FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, 1 },
			{ MACSTATS_STD_RTNL_TX_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_TX_FIFO_ERRORS, 1 } },
	  .help = "Transmitted frames that experienced a FIFO underrun" },
	{ .name = "tx_carrier_sense_errors", .reg = "Carrier Sense Errors",
	  .offset = 0x60, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX, .errors = MACSTATS_ERR_CARRIER_LOSS } },
	  .standard = { { MACSTATS_STD_CARRIER_SENSE_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_TX_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_TX_CARRIER_ERRORS, 1 } },
	  .help = "Frames during whose transmission carrier sense was lost or never asserted" },
	/* From the destination address to the FCS inclusive (inferred). */
	{ .name = "tx_octets", .reg = "Tx Octets",
	  .offset = 0x64, .bits = 32, .unit = MACSTATS_OCTETS,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_TX, .no_errors = CPSW_TX_ERRORS } },
	  .standard = { { MACSTATS_STD_RTNL_TX_BYTES, 1 } },
	  .help = "Octets of good transmitted frames, FCS included" },
	/* Underruns have no effect on these six; in the EMAC they do. */
	{ .name = "rxtx_64_octet_frames", .reg = "Rx + Tx 64 Octet Frames",
	  .offset = 0x68, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX | MACSTATS_TX,
		      .size = MACSTATS_SIZE_64, .no_errors = CPSW_BIN_NO_ERRORS } },
	  .help = "Received and transmitted frames of 64 octets without late or excessive "
		  "collisions or carrier sense error" },
	{ .name = "rxtx_65_127_octet_frames", .reg = "Rx + Tx 65-127 Octet Frames",
	  .offset = 0x6c, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX | MACSTATS_TX,
		      .size = MACSTATS_SIZE_65_TO_127,
		      .no_errors = CPSW_BIN_NO_ERRORS } },
	  .help = "Received and transmitted frames of 65 to 127 octets without late or "
		  "excessive collisions or carrier sense error" },
	{ .name = "rxtx_128_255_octet_frames", .reg = "Rx + Tx 128-255 Octet Frames",
	  .offset = 0x70, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX | MACSTATS_TX,
		      .size = MACSTATS_SIZE_128_TO_255,
		      .no_errors = CPSW_BIN_NO_ERRORS } },
	  .help = "Received and transmitted frames of 128 to 255 octets without late or "
		  "excessive collisions or carrier sense error" },
	{ .name = "rxtx_256_511_octet_frames", .reg = "Rx + Tx 256-511 Octet Frames",
	  .offset = 0x74, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX | MACSTATS_TX,
		      .size = MACSTATS_SIZE_256_TO_511,
		      .no_errors = CPSW_BIN_NO_ERRORS } },
	  .help = "Received and transmitted frames of 256 to 511 octets without late or "
		  "excessive collisions or carrier sense error" },
	{ .name = "rxtx_512_1023_octet_frames", .reg = "Rx + Tx 512-1023 Octet Frames",
	  .offset = 0x78, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX | MACSTATS_TX,
		      .size = MACSTATS_SIZE_512_TO_1023,
		      .no_errors = CPSW_BIN_NO_ERRORS } },
	  .help = "Received and transmitted frames of 512 to 1023 octets without late or "
		  "excessive collisions or carrier sense error" },
	/* "Or any size on transmit" belongs to another statistic: an erratum. */
	{ .name = "rxtx_1024_up_octet_frames", .reg = "Rx + Tx 1024-Up Octet Frames",
	  .offset = 0x7c, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
		      .size = MACSTATS_SIZE_1024_TO_1518 | MACSTATS_SIZE_1519_UP,
		      .no_errors = CPSW_BIN_NO_ERRORS },
		    { .direction = MACSTATS_TX,
		      .size = MACSTATS_SIZE_1024_TO_1518 | MACSTATS_SIZE_1519_UP,
		      .no_errors = CPSW_BIN_NO_ERRORS } },
	  .help = "Received frames of 1024 octets up to RX_MAXLEN and transmitted ones of 1024 "
		  "octets up, without late or excessive collisions or carrier sense error" },
	/* Octets of an attempt that collided: up to a slot time (inferred). */
	{ .name = "rxtx_net_octets", .reg = "Net Octets",
	  .offset = 0x80, .bits = 32, .unit = MACSTATS_WIRE_OCTETS,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX | MACSTATS_TX } },
	  .help = "Octets of all received and transmitted frames, whatever became of them, and "
		  "of attempts that collided" },
	/*
	 * A frame that overruns does so at its start, for want of a DMA buffer: what
	 * a frame is described by does not tell more (inferred).
	 */
	{ .name = "rx_sof_overruns", .reg = "Rx Start of Frame Overruns",
	  .offset = 0x84, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .errors = MACSTATS_ERR_OVERRUN } },
	  .standard = { { MACSTATS_STD_FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_FIFO_ERRORS, 1 } },
	  .help = "Received frames that found no buffer or room in the FIFO at their start" },
	{ .name = "rx_mof_overruns", .reg = "Rx Middle of Frame Overruns",
	  .offset = 0x88, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .standard = { { MACSTATS_STD_FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR, 1 },
			{ MACSTATS_STD_RTNL_RX_ERRORS, 1 },
			{ MACSTATS_STD_RTNL_RX_FIFO_ERRORS, 1 } },
	  .help = "Received frames that ran out of buffers after their start; see the row above" },
	{ .name = "rx_dma_overruns", .reg = "Rx DMA Overruns",
	  .offset = 0x8c, .bits = 32, .unit = MACSTATS_FRAMES,
	  .onwrite = MACSTATS_ONWRITE_DECREMENT,
	  .when = { { .direction = MACSTATS_RX, .errors = MACSTATS_ERR_OVERRUN } },
	  .help = "Received frames that found no DMA buffer at their start or after it; they "
		  "are counted in one of the two above, too" },
};

/*
 * There is no such switch without its statistics: one that is built so does not
 * answer for the switch either (inferred).
 */
MACSTATS_TABLE const struct macstats_register cpsw_registers[] = {
	{ .name = "ID_VER", .offset = 0x4a100000, .access = MACSTATS_RO,
	  .statistics_only = true, .reset = 0x0019010c,
	  .help = "Identification and version of the switch; this one of the AM335x (inferred)" },
	{ .name = "STAT_PORT_EN", .offset = 0x4a10000c, .access = MACSTATS_RW,
	  .statistics_only = true,
	  .help = "Ports whose statistics are enabled; none: nothing counts, writes are stored" },
	/* Of port 1, CPGMAC_SL1 at 0x4a100d80 (inferred). */
	{ .name = "RX_MAXLEN", .offset = 0x4a100d90, .access = MACSTATS_RW, .reset = 1518,
	  .help = "Longest frame received without being counted as oversize" },
	{ .name = "C0_MISC_EN", .offset = 0x4a10121c, .access = MACSTATS_RW,
	  .statistics_only = true,
	  .help = "Miscellaneous interrupts that are enabled" },
	{ .name = "C0_MISC_STAT", .offset = 0x4a10124c, .access = MACSTATS_RO,
	  .statistics_only = true,
	  .help = "Miscellaneous interrupts that are enabled and pending" },
};

MACSTATS_TABLE const struct macstats_field cpsw_fields[] = {
	{ .name = "p0_stat_en", .offset = 0x4a10000c, .lsb = 0, .bits = 1, .access = MACSTATS_RW,
	  .help = "Port 0 (host) statistics are enabled" },
	{ .name = "p1_stat_en", .offset = 0x4a10000c, .lsb = 1, .bits = 1, .access = MACSTATS_RW,
	  .help = "Port 1 statistics are enabled" },
	{ .name = "p2_stat_en", .offset = 0x4a10000c, .lsb = 2, .bits = 1, .access = MACSTATS_RW,
	  .help = "Port 2 statistics are enabled" },
	{ .name = "rx_maxlen", .offset = 0x4a100d90, .lsb = 0, .bits = 14, .access = MACSTATS_RW,
	  .help = "Octets, FCS included" },
	{ .name = "mdio_user", .offset = 0x4a10121c, .lsb = 0, .bits = 1, .access = MACSTATS_RW,
	  .help = "MDIO access complete" },
	{ .name = "mdio_link", .offset = 0x4a10121c, .lsb = 1, .bits = 1, .access = MACSTATS_RW,
	  .help = "MDIO link change" },
	{ .name = "host_pend", .offset = 0x4a10121c, .lsb = 2, .bits = 1, .access = MACSTATS_RW,
	  .help = "Host error" },
	{ .name = "stat_pend", .offset = 0x4a10121c, .lsb = 3, .bits = 1, .access = MACSTATS_RW,
	  .help = "A counter is at 0x80000000 or above" },
	{ .name = "evnt_pend", .offset = 0x4a10121c, .lsb = 4, .bits = 1, .access = MACSTATS_RW,
	  .help = "Time sync event" },
	{ .name = "mdio_user", .offset = 0x4a10124c, .lsb = 0, .bits = 1, .access = MACSTATS_RO,
	  .help = "MDIO access complete" },
	{ .name = "mdio_link", .offset = 0x4a10124c, .lsb = 1, .bits = 1, .access = MACSTATS_RO,
	  .help = "MDIO link change" },
	{ .name = "host_pend", .offset = 0x4a10124c, .lsb = 2, .bits = 1, .access = MACSTATS_RO,
	  .help = "Host error" },
	{ .name = "stat_pend", .offset = 0x4a10124c, .lsb = 3, .bits = 1, .access = MACSTATS_RO,
	  .help = "A counter is at 0x80000000 or above, until all are decremented below it" },
	{ .name = "evnt_pend", .offset = 0x4a10124c, .lsb = 4, .bits = 1, .access = MACSTATS_RO,
	  .help = "Time sync event" },
};

MACSTATS_TABLE const struct macstats_model cpsw_model = {
	.name = "cpsw",
	.title = "TI AM335x CPSW_3G Ethernet switch",
	.datasheet = "TI SPRUH73H (2013-04), 14.3.2.20",
	.ports = 1,
	.address_unit_bits = 8,
	.bus_bits = 32,
	.line_rate_bps = 1000000000ull,
	.counters = cpsw_counters,
	.n_counters = MACSTATS_COUNT_OF(cpsw_counters),
	.registers = cpsw_registers,
	.n_registers = MACSTATS_COUNT_OF(cpsw_registers),
	.fields = cpsw_fields,
	.n_fields = MACSTATS_COUNT_OF(cpsw_fields),
	.blocks = { { .name = "stats" } },
	.n_blocks = 1,
	.reserved = { { 0x28, 0x2f, MACSTATS_READS_ZERO } },	/* inferred */
	.n_reserved = 1,
	.identity = { { 0x4a100000, 0x0019010c } },
	.n_identity = 1,
	.gate = { 0x4a10000c, 0x7 },
	.half_full = 0x80000000,
	.half_full_pending = { 0x4a10124c, 1 << 3 },
	.half_full_enable = { 0x4a10121c, 1 << 3 },
	.sizes = { .edge = MACSTATS_RMON_EDGES },
	.max_frame_rx = { 0x4a100d90, 0x3fff },
	.min_frame_rx = MACSTATS_FRAME_MIN,
	.min_frame_tx = MACSTATS_FRAME_MIN,
	.data_overhead = 18,
	.control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX,
	.default_options = MACSTATS_OPT_STATISTICS,
	.faults = MACSTATS_FAULT_BUS_ERROR,
	.power_up = MACSTATS_POWER_UP_ZERO,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_CPSW_H */
