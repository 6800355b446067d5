/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Intel IXF1104: one of its four Gigabit Ethernet ports, with the receive (0x20) and transmit
 * (0x40) statistics. Data only.
 *
 * Source: IXF1104 datasheet, Intel 278757, revision 007 of 2004-03-25, 8.4.2 (table 93) and 8.4.3
 * (table 94); revision 009 and the sibling IXF1010 for pages that were not available. Port_Index
 * is the base of a port, not its number: a stride of 0x80 words. "Inferred" marks facts that the
 * datasheet leaves open.
 *
 * Lengths run from the destination address to the CRC inclusive. Legal is a size of 64 octets up
 * to the maximum frame size, which a tagged frame may exceed by its tag. Frames of 64 octets and
 * more are long by the maximum, shorter ones are runts or shorts whatever it is (inferred).
 *
 * A frame has one error (inferred: IEEE 802.3 30.3.1.1 counts by a frame's one status, and table
 * 25 adds RxAlignErrors and RxFCSErrors up): in this order alignment error (by fibre: wrong CRC),
 * wrong CRC, code violation. An alignment error implies a wrong CRC: left-over bits before a good
 * CRC are no error. A transmission has the error that ends it first: excessive deferral, late
 * collision, excessive collisions, underrun, excessive length, CRC. This MAC does not count errors
 * of carrier and payload length.
 *
 * Rows marked "NA - half-duplex only" count in half duplex.
 *
 * Standard statistics. IEEE octets are absent, because no counter separates the octets of good
 * tagged frames. Runts may have a good or a bad CRC, so undersize packets and fragments are
 * absent, although table 25 has them; by fibre the MAC does not count runts at all. Long and
 * jabber are exact up to the size of a very long frame, which may be either. MAC control frames
 * other than pause are counted on receive only, pause frames only of 64 octets. Sums of errors use
 * no differences: the registers are read one by one.
 */
#ifndef MACSTATS_MODEL_IXF1104_H
#define MACSTATS_MODEL_IXF1104_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

/*
 * The classes of RFC 2819, one up: below them is that of the shorts. With its preamble and SFD a
 * frame of 4 octets takes 96 bit times.
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
	/* Errors that make the CRC of a received frame wrong. */
	IXF1104_RX_CRC = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT,
	/* Errors that make a received frame bad. */
	IXF1104_RX_BAD = IXF1104_RX_CRC | MACSTATS_ERR_CODE,
	/* Collisions that end a transmission. */
	IXF1104_TX_COLLIDED = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS,
	/* These collisions, and the deferral that prevents a transmission. */
	IXF1104_TX_BLOCKED = IXF1104_TX_COLLIDED | MACSTATS_ERR_EXCESSIVE_DEFERRAL,
	/* All errors that prevent or end a transmission. */
	IXF1104_TX_ENDED = IXF1104_TX_BLOCKED | MACSTATS_ERR_UNDERRUN,
	IXF1104_TX_BAD = IXF1104_TX_ENDED | MACSTATS_ERR_FCS,
};

/* Counters are 32 bits wide, which roll over; a read clears them. */
#define IXF1104_ROW(name_, reg_, offset_, unit_, help_, ...)				\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32, .unit = MACSTATS_##unit_,	\
		     .onread = MACSTATS_ONREAD_RCLR, __VA_ARGS__)
#define IXF1104_RX_SIZE(i, name_, reg_, text, size_)					\
	IXF1104_ROW("rx_pkts" name_ "_octets", "RxPkts" reg_ "Octets", 0x25 + (i), FRAMES, \
		    "Received frames of " text ", good or bad",				\
		    MACSTATS_WHEN_RX(.size = (size_) << 1),	\
		    MACSTATS_FEEDS(HIST_RX)),
#define IXF1104_TX_SIZE(i, name_, reg_, text, size_)					\
	IXF1104_ROW("tx_pkts" name_ "_octets", "TxPkts" reg_ "Octets", 0x45 + (i), FRAMES, \
		    "Transmitted frames of " text ", good or bad",			\
		    .when = { IXF1104_TX_BIN((size_) << 1) },				\
		    MACSTATS_FEEDS(HIST_TX)),

/* Frames of legal size, and those of them without an error. */
#define IXF1104_RX_LEGAL(...) \
	{ .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_64_UP, \
	  __VA_ARGS__ }
#define IXF1104_RX_GOOD(to) \
	{ .direction = MACSTATS_RX, .destination = MACSTATS_##to, .excess = MACSTATS_WITHIN_MAX, \
	  .size = IXF1104_SIZE_64_UP, .no_errors = IXF1104_RX_BAD }
#define IXF1104_TX_GOOD(to, kind_) \
	{ .direction = MACSTATS_TX, .destination = MACSTATS_##to, .kind = MACSTATS_##kind_, \
	  .excess = MACSTATS_WITHIN_MAX, .no_errors = IXF1104_TX_BAD }
/* Frames that left the MAC whole, good or bad. */
#define IXF1104_TX_BIN(size_) \
	{ .direction = MACSTATS_TX, .excess = MACSTATS_WITHIN_MAX, .size = size_, \
	  .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL }

#define IXF1104_RX_OK \
	MACSTATS_PLUS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS), { MACSTATS_STD_RTNL_RX_BYTES, -4 }
#define IXF1104_TX_OK \
	MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS), { MACSTATS_STD_RTNL_TX_BYTES, -4 }
#define IXF1104_TOO_LONG \
	MACSTATS_PLUS(FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS)

MACSTATS_TABLE const struct macstats_counter ixf1104_counters[] = {
	IXF1104_ROW("rx_octets_total_ok", "RxOctetsTotalOK", 0x20, OCTETS,
		    "Octets of received frames of legal size without error, CRC included",
		    .when = { IXF1104_RX_GOOD(ANY) }, MACSTATS_FEEDS(RTNL_RX_BYTES)),
	/*
	 * Footnote 2: of a frame over 2^14 - 1 octets the count is not accurate. That it stops
	 * there is inferred; only the tag of a longest frame gets that far.
	 */
	IXF1104_ROW("rx_octets_bad", "RxOctetsBAD", 0x21, OCTETS,
		    "Octets of received frames of legal size with a CRC or alignment error or a "
		    "code violation, CRC included", .frame_limit = 16383,
		    .when = { IXF1104_RX_LEGAL(.errors = IXF1104_RX_BAD) }),
	IXF1104_ROW("rx_uc_pkts", "RxUCPkts", 0x22, FRAMES,
		    "Received unicast frames of legal size without error, control and tagged ones "
		    "included", .when = { IXF1104_RX_GOOD(UNICAST) },
		    .standard = { IXF1104_RX_OK }),
	IXF1104_ROW("rx_mc_pkts", "RxMCPkts", 0x23, FRAMES,
		    "Received multicast frames of legal size without error, pause frames included",
		    .when = { IXF1104_RX_GOOD(MULTICAST) },
		    .standard = { IXF1104_RX_OK,
				  MACSTATS_PLUS(MULTICAST_FRAMES_RECEIVED_OK, RTNL_MULTICAST) }),
	IXF1104_ROW("rx_bc_pkts", "RxBCPkts", 0x24, FRAMES,
		    "Received broadcast frames of legal size without error",
		    .when = { IXF1104_RX_GOOD(BROADCAST) },
		    .standard = { IXF1104_RX_OK, MACSTATS_PLUS(BROADCAST_FRAMES_RECEIVED_OK) }),
	/*
	 * "Including bad packets": long frames are such, so that a maximum below 1518 does not
	 * matter here, while the last one ends at the maximum by its name.
	 */
	MACSTATS_RMON_ROWS_TO_1023(IXF1104_RX_SIZE, "to", "to")
	IXF1104_RX_SIZE(5, "1024to1518", "1024to1518", "1024 to 1518 octets (1522 if tagged)",
			MACSTATS_SIZE_1024_TO_1518)
	IXF1104_ROW("rx_pkts1519to_max_octets", "RxPkts1519toMaxOctets", 0x2b, FRAMES,
		    "Received frames of 1519 octets (1523 if tagged) up to the maximum frame "
		    "size, good or bad",
		    MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_1519_UP),
		    MACSTATS_FEEDS(HIST_RX)),
	/* Not those with an alignment error, but where there is no such thing: inferred. */
	IXF1104_ROW("rx_fcs_errors", "RxFCSErrors", 0x2c, FRAMES,
		    "Received frames of legal size and whole octets with a wrong CRC",
		    .when = { IXF1104_RX_LEGAL(.errors = MACSTATS_ERR_FCS,
					       .no_errors = MACSTATS_ERR_ALIGNMENT),
			      IXF1104_RX_LEGAL(.errors = MACSTATS_ERR_ALIGNMENT,
					       .with = MACSTATS_OPT_FIBER) },
		    MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS,
				   RTNL_RX_ERRORS)),
	IXF1104_ROW("rx_tagged", "RxTagged", 0x2d, FRAMES,
		    "Received frames of any size with a VLAN tag (type 81-00), good or bad",
		    MACSTATS_WHEN_RX(.tags = MACSTATS_TAGGED | MACSTATS_DOUBLE_TAGGED)),
	/* Not those with a wrong CRC, which count as such: inferred. */
	IXF1104_ROW("rx_data_error", "RxDataError", 0x2e, FRAMES,
		    "Received frames of legal size and right CRC with a code violation",
		    .when = { IXF1104_RX_LEGAL(.errors = MACSTATS_ERR_CODE,
					       .no_errors = IXF1104_RX_CRC) },
		    MACSTATS_FEEDS(RTNL_RX_ERRORS)),
	/* "In 10 or 100 Mbps RGMII mode only": at any speed here. */
	IXF1104_ROW("rx_align_errors", "RxAlignErrors", 0x2f, FRAMES,
		    "Received frames of legal size with less than 8 additional bits and a wrong "
		    "CRC without them; copper only",
		    .when = { IXF1104_RX_LEGAL(.errors = MACSTATS_ERR_ALIGNMENT,
					       .without = MACSTATS_OPT_FIBER) },
		    MACSTATS_FEEDS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS, RTNL_RX_ERRORS)),
	IXF1104_ROW("rx_long_errors", "RxLongErrors", 0x30, FRAMES,
		    "Received frames longer than the maximum frame size with a right CRC, very "
		    "long ones excluded",
		    MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .size = IXF1104_SIZE_64_UP,
				     .no_errors = IXF1104_RX_CRC),
		    .standard = { MACSTATS_PLUS(OVERSIZE_PKTS), IXF1104_TOO_LONG }),
	IXF1104_ROW("rx_jabber_errors", "RxJabberErrors", 0x31, FRAMES,
		    "Received frames longer than the maximum frame size with a wrong CRC or "
		    "without a whole number of octets, very long ones excluded",
		    MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .size = IXF1104_SIZE_64_UP,
				     .errors = IXF1104_RX_CRC),
		    .standard = { MACSTATS_PLUS(JABBERS), IXF1104_TOO_LONG }),
	IXF1104_ROW("rx_pause_mac_control_received", "RxPauseMacControlReceivedCounter", 0x32,
		    FRAMES,
		    "Received pause frames of 64 octets without error, or with a wrong CRC if the "
		    "packet filter lets these pass",
		    .when = { { .direction = MACSTATS_RX, .kind = MACSTATS_PAUSE,
				.excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_64,
				.no_errors = IXF1104_RX_BAD },
			      { .direction = MACSTATS_RX, .kind = MACSTATS_PAUSE,
				.excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_64,
				.errors = MACSTATS_ERR_FCS,
				.no_errors = MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE,
				.with = MACSTATS_OPT_SETTING } }, MACSTATS_FEEDS(RX_PAUSE_FRAMES)),
	/* That it takes a good frame is inferred: of a bad one the opcode is anything. */
	IXF1104_ROW("rx_unknown_mac_control_frame", "RxUnknownMacControlFrameCounter", 0x33,
		    FRAMES,
		    "Received MAC control frames of legal size without error with an opcode other "
		    "than 00-01",
		    MACSTATS_WHEN_RX(.kind = MACSTATS_CONTROL | MACSTATS_PFC,
				     .excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_64_UP,
				     .no_errors = IXF1104_RX_BAD),
		    MACSTATS_FEEDS(UNSUPPORTED_OPCODES_RECEIVED)),
	/* The larger of two limits, and the limit of footnote 2 on the maximum. */
	IXF1104_ROW("rx_very_long_errors", "RxVeryLongErrors", 0x34, FRAMES,
		    "Received frames longer than twice the maximum frame size and than 50000 "
		    "bits, good or bad", MACSTATS_WHEN_RX(.excess = MACSTATS_VERY_LONG),
		    .standard = { IXF1104_TOO_LONG }),
	IXF1104_ROW("rx_runt_errors", "RxRuntErrors", 0x35, FRAMES,
		    "Received frames of 4 to 63 octets, shown after two good frames; copper only",
		    .good_frames = 2,
		    MACSTATS_WHEN_RX(.size = IXF1104_SIZE_RUNT, .without = MACSTATS_OPT_FIBER),
		    MACSTATS_FEEDS(RTNL_RX_ERRORS)),
	IXF1104_ROW("rx_short_errors", "RxShortErrors", 0x36, FRAMES,
		    "Received frames of less than 4 octets (96 bit times), shown after a good "
		    "frame; copper only", .good_frames = 1,
		    MACSTATS_WHEN_RX(.size = IXF1104_SIZE_SHORT, .without = MACSTATS_OPT_FIBER),
		    MACSTATS_FEEDS(RTNL_RX_ERRORS)),
	IXF1104_ROW("rx_carrier_extend_error", "RxCarrierExtendError", 0x37, FRAMES,
		    "Not applicable, as there is no half duplex at 1 Gb/s: stays 0",
		    MACSTATS_ERRORS_NEVER_SEEN),
	/* That a frame with a code violation has one sequencing error by fibre is inferred. */
	IXF1104_ROW("rx_sequence_errors", "RxSequenceErrors", 0x38, FRAMES,
		    "Sequencing errors in received frames; fibre only",
		    MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_CODE, .with = MACSTATS_OPT_FIBER)),
	/* One for each frame with a code violation: inferred. */
	IXF1104_ROW("rx_symbol_errors", "RxSymbolErrors", 0x39, FRAMES,
		    "Symbol errors that the PHY encountered in received frames of any size",
		    MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_CODE),
		    MACSTATS_FEEDS(SYMBOL_ERROR_DURING_CARRIER)),

	IXF1104_ROW("tx_octets_transmitted_ok", "OctetsTransmittedOK", 0x40, OCTETS,
		    "Octets of transmitted frames without error, CRC included, attempts that "
		    "collided excluded", .when = { IXF1104_TX_GOOD(ANY, ANY) },
		    MACSTATS_FEEDS(RTNL_TX_BYTES)),
	/*
	 * "Close to the actual number" after collisions: the frame's length (inferred). A frame
	 * over the maximum is truncated there; that it counts is inferred.
	 */
	IXF1104_ROW("tx_octets_transmitted_bad", "OctetsTransmittedBad", 0x41, OCTETS,
		    "Octets of frames transmitted with an error, up to the maximum frame size, "
		    "CRC included",
		    .when = { { .direction = MACSTATS_TX,
				.errors = MACSTATS_ERR_FCS | MACSTATS_ERR_UNDERRUN |
					  IXF1104_TX_COLLIDED,
				.no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL },
			      { .direction = MACSTATS_TX,
				.excess = MACSTATS_OVER_MAX | MACSTATS_VERY_LONG,
				.no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL } }),
	IXF1104_ROW("tx_uc_pkts", "TxUCPkts", 0x42, FRAMES,
		    "Transmitted unicast frames without error",
		    .when = { IXF1104_TX_GOOD(UNICAST, ANY) }, .standard = { IXF1104_TX_OK }),
	IXF1104_ROW("tx_mc_pkts", "TxMCPkts", 0x43, FRAMES,
		    "Transmitted multicast frames without error, pause frames included",
		    .when = { IXF1104_TX_GOOD(MULTICAST, ANY) },
		    .standard = { IXF1104_TX_OK, MACSTATS_PLUS(MULTICAST_FRAMES_XMITTED_OK) }),
	IXF1104_ROW("tx_bc_pkts", "TxBCPkts", 0x44, FRAMES,
		    "Transmitted broadcast frames without error",
		    .when = { IXF1104_TX_GOOD(BROADCAST, ANY) },
		    .standard = { IXF1104_TX_OK, MACSTATS_PLUS(BROADCAST_FRAMES_XMITTED_OK) }),
	/*
	 * The names up to 0x4a and that of 0x4c are inferred from their order. No size row counts
	 * a frame that was truncated at the maximum frame size or never sent (inferred).
	 */
	MACSTATS_RMON_ROWS_TO_1023(IXF1104_TX_SIZE, "to", "to")
	IXF1104_TX_SIZE(5, "1024to1518", "1024to1518", "1024 to 1518 octets (1522 if tagged)",
			MACSTATS_SIZE_1024_TO_1518)
	IXF1104_ROW("tx_pkts1519to_max_octets", "TxPkts1519toMaxOctets", 0x4b, FRAMES,
		    "Transmitted frames of 1519 octets (1523 if tagged) up to the maximum frame "
		    "size, good or bad",
		    MACSTATS_WHEN_TX(.excess = MACSTATS_WITHIN_MAX, .size = IXF1104_SIZE_1519_UP,
				     .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL),
		    MACSTATS_FEEDS(HIST_TX)),
	/* IEEE 802.3 30.3.1.1.9 leaves out those that collide; that this does is inferred. */
	IXF1104_ROW("tx_deferred", "TxDeferred", 0x4c, FRAMES,
		    "Frames deferred at the first attempt and sent without a collision; half "
		    "duplex only",
		    MACSTATS_WHEN_TX(.collisions = MACSTATS_NO_COLLISION, .deferred = true,
				     .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL),
		    MACSTATS_FEEDS(FRAMES_WITH_DEFERRED_XMISSIONS)),
	/* Table 25: the collisions of RFC 2819 less those of TxLateCollisions. */
	IXF1104_ROW("tx_total_collisions", "TxTotalCollisions", 0x4d, EARLY_COLLISIONS,
		    "Collisions, late ones excluded; half duplex only",
		    MACSTATS_WHEN_TX(),
		    MACSTATS_FEEDS(RTNL_COLLISIONS)),
	IXF1104_ROW("tx_single_collisions", "TxSingleCollisions", 0x4e, FRAMES,
		    "Frames transmitted without error after one collision; half duplex only",
		    MACSTATS_WHEN_TX(.excess = MACSTATS_WITHIN_MAX,
				     .collisions = MACSTATS_ONE_COLLISION,
				     .no_errors = IXF1104_TX_BAD),
		    MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),
	IXF1104_ROW("tx_multiple_collisions", "TxMultipleCollisions", 0x4f, FRAMES,
		    "Frames transmitted without error after several collisions; half duplex only",
		    MACSTATS_WHEN_TX(.excess = MACSTATS_WITHIN_MAX,
				     .collisions = MACSTATS_SEVERAL_COLLISIONS,
				     .no_errors = IXF1104_TX_BAD),
		    MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),
	IXF1104_ROW("tx_late_collisions", "TxLateCollisions", 0x50, FRAMES,
		    "Frames discarded because of a collision later than 512 bit times; half "
		    "duplex only",
		    MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION,
				     .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL),
		    MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_COLLISIONS, RTNL_TX_WINDOW_ERRORS,
				   RTNL_TX_ERRORS)),
	IXF1104_ROW("tx_excessive_collision_errors", "TxExcessiveCollisionErrors", 0x51, FRAMES,
		    "Frames discarded after 16 collisions; half duplex only",
		    MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
				     .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL |
						  MACSTATS_ERR_LATE_COLLISION),
		    MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ABORTED_ERRORS,
				   RTNL_TX_ERRORS)),
	IXF1104_ROW("tx_excessive_deferral_errors", "TxExcessiveDeferralErrors", 0x52, FRAMES,
		    "Frames discarded after a deferral of twice the maximum frame size; half "
		    "duplex only",
		    MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL),
		    MACSTATS_FEEDS(FRAMES_WITH_EXCESSIVE_DEFERRAL, RTNL_TX_ERRORS)),
	IXF1104_ROW("tx_excessive_length_drop", "TxExcessiveLengthDrop", 0x53, FRAMES,
		    "Frames truncated because they are longer than the maximum frame size",
		    MACSTATS_WHEN_TX(.excess = MACSTATS_OVER_MAX | MACSTATS_VERY_LONG,
				     .no_errors = IXF1104_TX_ENDED),
		    MACSTATS_FEEDS(RTNL_TX_ERRORS)),
	IXF1104_ROW("tx_underrun", "TxUnderrun", 0x54, FRAMES,
		    "Frames aborted because the transmit FIFO ran empty",
		    MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_UNDERRUN,
				     .no_errors = IXF1104_TX_BLOCKED),
		    MACSTATS_FEEDS(FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, RTNL_TX_FIFO_ERRORS,
				   RTNL_TX_ERRORS)),
	/* Bad ones as in RxTagged: inferred. */
	IXF1104_ROW("tx_tagged", "TxTagged", 0x55, FRAMES,
		    "Transmitted frames of any size with a VLAN tag, good or bad",
		    MACSTATS_WHEN_TX(.tags = MACSTATS_TAGGED | MACSTATS_DOUBLE_TAGGED)),
	IXF1104_ROW("tx_crc_error", "TxCRCError", 0x56, FRAMES,
		    "Frames transmitted whole with a wrong CRC",
		    MACSTATS_WHEN_TX(.excess = MACSTATS_WITHIN_MAX, .errors = MACSTATS_ERR_FCS,
				     .no_errors = IXF1104_TX_ENDED),
		    MACSTATS_FEEDS(RTNL_TX_ERRORS)),
	/* The row counts pause frames of the MAC and of software alike: inferred. */
	IXF1104_ROW("tx_pause_frames", "TxPauseFrames", 0x57, FRAMES,
		    "Transmitted pause frames without error",
		    .when = { IXF1104_TX_GOOD(ANY, PAUSE) }, MACSTATS_FEEDS(TX_PAUSE_FRAMES)),
	/* Name and meaning are inferred. Such an event is no pause frame. */
	IXF1104_ROW("tx_flow_control_collisions_send", "TxFlowControlCollisionsSend", 0x58, FRAMES,
		    "Collisions made on purpose for flow control; half duplex only",
		    MACSTATS_WHEN_TX(.origin = MACSTATS_FORCED_COLLISION)),

	/*
	 * etherStatsDropEvents of table 25, in the FIFO block, one beside the other for all ports.
	 * Addresses are those of the IXF1010, and that a read clears them is inferred. The MAC has
	 * counted these frames, good or bad, before the FIFO had no room.
	 */
	IXF1104_ROW("rx_frames_removed", "RX Number of Frames Removed", 0x594, FRAMES,
		    "Received frames that the receive FIFO removed for want of room",
		    .port_stride = 1, MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_OVERRUN),
		    MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
	IXF1104_ROW("tx_frames_removed", "TX Number of Frames Removed", 0x622, FRAMES,
		    "Frames that the transmit FIFO removed before the MAC saw them",
		    .port_stride = 1, MACSTATS_ERRORS_NEVER_SEEN),
};

MACSTATS_TABLE const struct macstats_register ixf1104_registers[] = {
	/*
	 * One for both directions; address and reset value as in the IXF1010, and as wide as the
	 * length that footnote 2 speaks of: inferred.
	 */
	MACSTATS_REGISTER(RW, "Max Frame Size", 0x0f, 1518,
			  "Longest frame that is legal, without a VLAN tag", .fields = {
		MACSTATS_FIELD(RW, "max_frame_size", 0, 14, "Octets, CRC included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX |
					MACSTATS_ROLE_MAX_FRAME_TX) }),
	MACSTATS_REGISTER(RW, "RX Packet Filter Control", 0x19, 0,
			  "Filters received frames by address and errors", .fields = {
		MACSTATS_FIELD(RW, "filters", 0, 5,
			       "Address, VLAN and pause filters; nothing that the statistics see "
			       "(inferred)"),
		MACSTATS_FIELD(RW, "crc_error_pass", 5, 1,
			       "Pause frames with a wrong CRC are counted too",
			       .roles = MACSTATS_ROLE_SETTING) }),
};

MACSTATS_TABLE const struct macstats_model ixf1104_model = {
	.name = "ixf1104", .title = "Intel IXF1104 4-port Gigabit Ethernet media access controller",
	.datasheet = "Intel 278757-007 (2004-03-25), 8.4.2 and 8.4.3",
	.ports = 4, .port_stride = 0x80, .address_unit_bits = 32, .bus_bits = 32,
	.line_rate_bps = 1000000000ull,
	MACSTATS_ROWS(counters, ixf1104_counters), MACSTATS_ROWS(registers, ixf1104_registers),
	.blocks = { { .name = "port" } }, .n_blocks = 1,
	.sizes = {
		/* The first is that of ShortRuntsThreshold, a register not emulated. */
		.edge = { 4, 64, 65, 128, 256, 512, 1024, 1519 },
		.tagged_edges = 1 << 7,
	},
	.tag_over_max = true, .cut_at_max = true,
	/* 50000 bits; and half of 2^14 - 1, rounded down. */
	.very_long_least = 6250, .very_long_limit = 8191,
	.good_despite = MACSTATS_ERR_ALL & ~IXF1104_RX_BAD,
	/* The shortest fragment with a well-formed preamble. */
	.min_frame_rx = 4, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN,	/* inferred: padding is enabled */
	.data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_FIBER |
		   MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
	.power_up = MACSTATS_POWER_UP_ZERO,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_IXF1104_H */
