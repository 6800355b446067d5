/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Atheros AR813x, AR815x and AR816x PCIe Ethernet controllers: the MIB registers. Data only.
 *
 * Source: Linux 7.3, drivers/net/ethernet/atheros. Addresses are those of alx/reg.h and
 * atl1c/atl1c_hw.h; what a register counts, and that a read clears it, is in the comments of
 * alx/hw.h and atl1c/atl1c.h; what is left out of good frames follows from the sums in alx/main.c,
 * which add good frames and errors: each received frame is in one of RX_OK and the errors.
 * FreeBSD's if_alc.c has the same addresses, and adds runts to the errors. "Inferred" marks what
 * these leave open. Inferred, too: counters roll over.
 *
 * Lengths include the FCS, octets do not. Legal is a length of 64 octets up to MTU, which the
 * drivers set to that of a tagged frame. A symbol error makes the FCS bad (inferred: IEEE 802.3
 * 22.2.1.5), and so does alignment (inferred: FRAG is beside RUNT, and nothing else). Good frames
 * include pause frames (inferred: RFC 2819 counts by address). A frame that finds no room is in the
 * counter of its kind and in that of its size only (inferred: the drivers' sums).
 *
 * Transmission. Frames given up because of collisions or of an underrun are not transmitted, but an
 * excessively deferred one is (inferred: the drivers add no error), and one with a wrong length
 * field is good (inferred: the same). A frame longer than MTU is not good (inferred: cut).
 *
 * Limits of the model:
 * - RX_EN and TX_EN stop the counters of one direction. Here they are always on.
 * - Speed and duplex are options of the device, not bits of MAC_CTRL. An AR8132 or AR8152 is Fast
 *   Ethernet.
 * - No frame is filtered by its address. A reset of the MAC clears nothing (no source).
 * - atl1c has a bit LENCHK, which the drivers leave clear. Here length fields are always checked.
 *
 * Standard statistics. bytes are those of good frames. IEEE octets are absent, because no counter
 * separates tagged frames, and collisions, because none tells how many a frame had. Frames over the
 * maximum are good and bad ones, so that oversize ones and jabbers are absent.
 */
#ifndef MACSTATS_MODEL_ALX_H
#define MACSTATS_MODEL_ALX_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum alx_errors {
	ALX_NO_ROOM = MACSTATS_ERR_OVERRUN | MACSTATS_ERR_NO_BUFFER,
	ALX_BAD_FCS = MACSTATS_ERR_FCS | MACSTATS_ERR_CODE,
	ALX_BAD_FRAME = ALX_BAD_FCS | MACSTATS_ERR_ALIGNMENT,
	ALX_BAD_OR_NO_ROOM = ALX_BAD_FRAME | ALX_NO_ROOM,
	ALX_NOT_OK = ALX_BAD_OR_NO_ROOM | MACSTATS_ERR_PAYLOAD_LENGTH,
	ALX_ALIGNMENT_OR_NO_ROOM = MACSTATS_ERR_ALIGNMENT | ALX_NO_ROOM,
	ALX_TX_GIVEN_UP = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS,
	ALX_TX_CUT = ALX_TX_GIVEN_UP | MACSTATS_ERR_UNDERRUN,
	ALX_TX_NOT_OK = ALX_TX_CUT | MACSTATS_ERR_FCS,
};

#define ALX_COUNTER(name_, reg_, offset_, unit_, help_, ...)					\
	MACSTATS_ROW(name_, reg_, 0x1700 + (offset_), help_, .bits = 32,			\
		     .unit = MACSTATS_##unit_, .onread = MACSTATS_ONREAD_RCLR, __VA_ARGS__)
#define ALX_ROW(name_, reg_, offset_, help_, ...) \
	ALX_COUNTER(name_, reg_, offset_, FRAMES, help_, __VA_ARGS__)
/* Octets without the FCS: .data_overhead. */
#define ALX_OCTETS(name_, reg_, offset_, help_, ...) \
	ALX_COUNTER(name_, reg_, offset_, PAYLOAD, help_, __VA_ARGS__)

#define ALX_RX_LEGAL(...) \
	MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP, __VA_ARGS__)
#define ALX_RX_GOOD(...)									\
	MACSTATS_WHEN_RX(__VA_ARGS__, .excess = MACSTATS_WITHIN_MAX,				\
			 .size = MACSTATS_SIZE_64_UP, .no_errors = ALX_NOT_OK)
#define ALX_TX_GOOD(...) \
	MACSTATS_WHEN_TX(__VA_ARGS__, .excess = MACSTATS_WITHIN_MAX, .no_errors = ALX_TX_NOT_OK)
#define ALX_TX_GOOD_AFTER(...) \
	MACSTATS_WHEN_TX(.excess = MACSTATS_WITHIN_MAX, __VA_ARGS__, .no_errors = ALX_TX_NOT_OK)
#define ALX_OTHER_CONTROL .kind = MACSTATS_CONTROL | MACSTATS_PFC

/* Good and bad frames (atl1c.h), but what a collision or an underrun cuts (inferred). */
#define ALX_RX_SIZE(i, name_, reg_, text, size_)						\
	ALX_ROW("rx_sz_" name_, "RX_SZ_" reg_, 0x28 + 4 * (i),					\
		"Received frames of " text ", good or bad",					\
		MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = size_),			\
		MACSTATS_FEEDS(HIST_RX)),
#define ALX_TX_SIZE(i, name_, reg_, text, size_)						\
	ALX_ROW("tx_sz_" name_, "TX_SZ_" reg_, 0x80 + 4 * (i),					\
		"Frames of " text " sent whole, good or bad",					\
		MACSTATS_WHEN_TX(.excess = MACSTATS_WITHIN_MAX, .size = size_,			\
				 .no_errors = ALX_TX_CUT),					\
		MACSTATS_FEEDS(HIST_TX)),
/* The names of the rows are those of atl1c.h. */
#define ALX_SIZES(row)										\
	row(0, "64", "64B", "64 octets", MACSTATS_SIZE_64)					\
	row(1, "65_127", "127B", "65 to 127 octets", MACSTATS_SIZE_65_TO_127)			\
	row(2, "128_255", "255B", "128 to 255 octets", MACSTATS_SIZE_128_TO_255)		\
	row(3, "256_511", "511B", "256 to 511 octets", MACSTATS_SIZE_256_TO_511)		\
	row(4, "512_1023", "1023B", "512 to 1023 octets", MACSTATS_SIZE_512_TO_1023)		\
	row(5, "1024_1518", "1518B", "1024 to 1518 octets", MACSTATS_SIZE_1024_TO_1518)		\
	row(6, "1519_max", "MAX", "1519 octets up to the maximum", MACSTATS_SIZE_1519_UP)

MACSTATS_TABLE const struct macstats_counter alx_counters[] = {
	ALX_ROW("rx_ok", "RX_OK", 0x00, "Good received frames",
		ALX_RX_GOOD(.destination = MACSTATS_ANY),
		MACSTATS_FEEDS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS)),
	ALX_ROW("rx_bcast", "RX_BCAST", 0x04, "Good received broadcast frames",
		ALX_RX_GOOD(.destination = MACSTATS_BROADCAST),
		MACSTATS_FEEDS(BROADCAST_FRAMES_RECEIVED_OK)),
	ALX_ROW("rx_mcast", "RX_MCAST", 0x08, "Good received multicast frames",
		ALX_RX_GOOD(.destination = MACSTATS_MULTICAST),
		MACSTATS_FEEDS(MULTICAST_FRAMES_RECEIVED_OK, RTNL_MULTICAST)),
	/* Good: inferred, of both. IEEE 802.3 30.3.4.3 asks for no address. */
	ALX_ROW("rx_pause", "RX_PAUSE", 0x0c, "Good received pause frames",
		ALX_RX_GOOD(.kind = MACSTATS_PAUSE),
		MACSTATS_FEEDS(RX_PAUSE_FRAMES, MAC_CONTROL_FRAMES_RECEIVED)),
	ALX_ROW("rx_ctrl", "RX_CTRL", 0x10, "Good received MAC control frames but pause frames",
		ALX_RX_GOOD(ALX_OTHER_CONTROL), MACSTATS_FEEDS(MAC_CONTROL_FRAMES_RECEIVED)),
	/* Legal lengths, as RX_FRAG and RX_OV_SZ are beside it; whole octets, as ALIGN_ERR is. */
	ALX_ROW("rx_fcs_err", "RX_FCS_ERR", 0x14,
		"Received frames of legal length and whole octets with a bad FCS",
		ALX_RX_LEGAL(.errors = ALX_BAD_FCS, .no_errors = ALX_ALIGNMENT_OR_NO_ROOM),
		MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_CRC_ERRORS, RTNL_RX_ERRORS)),
	ALX_ROW("rx_len_err", "RX_LEN_ERR", 0x18,
		"Otherwise good frames of another length than their length field",
		ALX_RX_LEGAL(.errors = MACSTATS_ERR_PAYLOAD_LENGTH,
			     .no_errors = ALX_BAD_OR_NO_ROOM),
		MACSTATS_FEEDS(IN_RANGE_LENGTH_ERRORS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS)),
	ALX_OCTETS("rx_byte_cnt", "RX_BYTE_CNT", 0x1c, "Octets of good received frames without FCS",
		   ALX_RX_GOOD(.destination = MACSTATS_ANY), MACSTATS_FEEDS(RTNL_RX_BYTES)),
	ALX_ROW("rx_runt", "RX_RUNT", 0x20, "Frames of less than 64 octets with a good FCS",
		MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .no_errors = ALX_BAD_OR_NO_ROOM),
		MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS)),
	ALX_ROW("rx_frag", "RX_FRAG", 0x24, "Frames of less than 64 octets with a bad FCS",
		MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .errors = ALX_BAD_FRAME,
				 .no_errors = ALX_NO_ROOM),
		MACSTATS_FEEDS(FRAGMENTS, RTNL_RX_ERRORS)),
	ALX_SIZES(ALX_RX_SIZE)
	ALX_ROW("rx_sz_ov", "RX_OV_SZ", 0x44,
		"Received frames longer than the maximum, good or bad",
		MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .no_errors = ALX_NO_ROOM),
		MACSTATS_FEEDS(FRAME_TOO_LONG_ERRORS, RTNL_RX_LENGTH_ERRORS, RTNL_RX_ERRORS)),
	/* The FIFO comes first (inferred). */
	ALX_ROW("rx_rxf_ov", "RX_OV_RXF", 0x48, "Frames for which the receive FIFO had no room",
		MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_OVERRUN),
		MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
	ALX_ROW("rx_rrd_ov", "RX_OV_RRD", 0x4c, "Frames for which no return descriptor was free",
		MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_NO_BUFFER,
				 .no_errors = MACSTATS_ERR_OVERRUN),
		MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
	ALX_ROW("rx_align_err", "RX_ALIGN_ERR", 0x50,
		"Received frames of legal length, but not of whole octets",
		ALX_RX_LEGAL(.errors = MACSTATS_ERR_ALIGNMENT, .no_errors = ALX_NO_ROOM),
		MACSTATS_FEEDS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS, RTNL_RX_ERRORS)),
	/* Good: inferred, of both. */
	ALX_OCTETS("rx_bcast_byte_cnt", "RX_BCCNT", 0x54,
		   "Octets of good received broadcast frames without FCS",
		   ALX_RX_GOOD(.destination = MACSTATS_BROADCAST)),
	ALX_OCTETS("rx_mcast_byte_cnt", "RX_MCCNT", 0x58,
		   "Octets of good received multicast frames without FCS",
		   ALX_RX_GOOD(.destination = MACSTATS_MULTICAST)),
	ALX_ROW("rx_err_addr", "RX_ERRADDR", 0x5c,
		"Frames that the filter of addresses dropped: stays 0", .never = true),
	ALX_ROW("tx_ok", "TX_OK", 0x60, "Good transmitted frames",
		ALX_TX_GOOD(.destination = MACSTATS_ANY),
		MACSTATS_FEEDS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS)),
	ALX_ROW("tx_bcast", "TX_BCAST", 0x64, "Good transmitted broadcast frames",
		ALX_TX_GOOD(.destination = MACSTATS_BROADCAST),
		MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK)),
	ALX_ROW("tx_mcast", "TX_MCAST", 0x68, "Good transmitted multicast frames",
		ALX_TX_GOOD(.destination = MACSTATS_MULTICAST),
		MACSTATS_FEEDS(MULTICAST_FRAMES_XMITTED_OK)),
	/* Good, and those of software, too: inferred from reception. */
	ALX_ROW("tx_pause", "TX_PAUSE", 0x6c, "Good transmitted pause frames",
		ALX_TX_GOOD(.kind = MACSTATS_PAUSE),
		MACSTATS_FEEDS(TX_PAUSE_FRAMES, MAC_CONTROL_FRAMES_TRANSMITTED)),
	ALX_ROW("tx_exc_defer", "TX_EXC_DEFER", 0x70,
		"Frames whose transmission was deferred for too long",
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL),
		MACSTATS_FEEDS(FRAMES_WITH_EXCESSIVE_DEFERRAL)),
	ALX_ROW("tx_ctrl", "TX_CTRL", 0x74,
		"Good transmitted MAC control frames but pause frames",
		ALX_TX_GOOD(ALX_OTHER_CONTROL), MACSTATS_FEEDS(MAC_CONTROL_FRAMES_TRANSMITTED)),
	/* Good, and without those that collided: inferred from IEEE 802.3 30.3.1.1.9. */
	ALX_ROW("tx_defer", "TX_DEFER", 0x78,
		"Good frames deferred at first, and transmitted without collision",
		ALX_TX_GOOD_AFTER(.collisions = MACSTATS_NO_COLLISION, .deferred = true),
		MACSTATS_FEEDS(FRAMES_WITH_DEFERRED_XMISSIONS)),
	/* Good: inferred, of all octets transmitted. */
	ALX_OCTETS("tx_byte_cnt", "TX_BYTE_CNT", 0x7c,
		   "Octets of good transmitted frames without FCS",
		   ALX_TX_GOOD(.destination = MACSTATS_ANY), MACSTATS_FEEDS(RTNL_TX_BYTES)),
	ALX_SIZES(ALX_TX_SIZE)
	ALX_ROW("tx_1_col", "TX_SINGLE_COL", 0x9c,
		"Good frames transmitted after exactly one collision",
		ALX_TX_GOOD_AFTER(.collisions = MACSTATS_ONE_COLLISION),
		MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),
	ALX_ROW("tx_2_col", "TX_MULTI_COL", 0xa0,
		"Good frames transmitted after 2 to 15 collisions",
		ALX_TX_GOOD_AFTER(.collisions = MACSTATS_SEVERAL_COLLISIONS),
		MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),
	/* IEEE 802.3 30.3.1.1.10, .11: a late collision ends a frame at once. */
	ALX_ROW("tx_late_col", "TX_LATE_COL", 0xa4,
		"Frames given up because of a collision later than a slot time",
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION),
		MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_TX_WINDOW_ERRORS, RTNL_TX_ERRORS)),
	ALX_ROW("tx_abort_col", "TX_ABORT_COL", 0xa8, "Frames given up after 16 collisions",
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
				 .no_errors = MACSTATS_ERR_LATE_COLLISION),
		MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ABORTED_ERRORS,
			       RTNL_TX_ERRORS)),
	ALX_ROW("tx_underrun", "TX_UNDERRUN", 0xac,
		"Frames given up because the transmit FIFO or its descriptors ran empty",
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_UNDERRUN, .no_errors = ALX_TX_GIVEN_UP),
		MACSTATS_FEEDS(RTNL_TX_FIFO_ERRORS, RTNL_TX_ERRORS)),
	ALX_ROW("tx_rd_eop", "TX_TRD_EOP", 0xb0,
		"Reads of descriptors beyond the end of a frame: stays 0",
		MACSTATS_ERRORS_NEVER_SEEN),
	ALX_ROW("tx_len_err", "TX_LEN_ERR", 0xb4,
		"Good frames of another length than their length field",
		ALX_TX_GOOD_AFTER(.errors = MACSTATS_ERR_PAYLOAD_LENGTH)),
	ALX_ROW("tx_trunc", "TX_TRUNC", 0xb8, "Frames longer than the maximum",
		MACSTATS_WHEN_TX(.excess = MACSTATS_OVER_MAX, .no_errors = ALX_TX_CUT),
		MACSTATS_FEEDS(RTNL_TX_ERRORS)),
	/* Good: inferred, of both. */
	ALX_OCTETS("tx_bcast_byte", "TX_BCCNT", 0xbc,
		   "Octets of good transmitted broadcast frames without FCS",
		   ALX_TX_GOOD(.destination = MACSTATS_BROADCAST)),
	ALX_OCTETS("tx_mcast_byte", "TX_MCCNT", 0xc0,
		   "Octets of good transmitted multicast frames without FCS",
		   ALX_TX_GOOD(.destination = MACSTATS_MULTICAST)),
};

/* Reset values are inferred; MTU is that of the drivers for 1500. Other bits are not described. */
MACSTATS_TABLE const struct macstats_register alx_registers[] = {
	MACSTATS_REGISTER(RW, "MAC_CTRL", 0x1480, 0, "MAC control", .fields = {
		MACSTATS_FIELD(RW, "TX_EN", 0, 1,
			       "Transmit enable; frames count whatever it is here"),
		MACSTATS_FIELD(RW, "RX_EN", 1, 1,
			       "Receive enable; frames count whatever it is here"),
		MACSTATS_FIELD(RW, "TXFC_EN", 2, 1, "Exert flow control",
			       .roles = MACSTATS_ROLE_FLOW_CONTROL),
		MACSTATS_FIELD(RW, "RXFC_EN", 3, 1, "Act upon received pause frames"),
		MACSTATS_FIELD(RW, "FULLD", 5, 1, "Full duplex") }),
	MACSTATS_REGISTER(RW, "MTU", 0x149c, 1522, "Maximum length", .fields = {
		MACSTATS_FIELD(RW, "MTU", 0, 16, "Octets, tags and FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX |
					MACSTATS_ROLE_MAX_FRAME_TX) }),
};

/* Padding and the pause frames of the MAC are inferred: IEEE 802.3 4.2.3.3 and annex 31B. */
MACSTATS_TABLE const struct macstats_model alx_model = {
	.name = "alx", .title = "Atheros AR813x/AR815x/AR816x Ethernet controller",
	.datasheet = "Linux drivers alx, reg.h and hw.h, and atl1c, atl1c.h",
	.drivers = { "alx", "atl1c" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000ull,
	MACSTATS_ROWS(counters, alx_counters), MACSTATS_ROWS(registers, alx_registers),
	.blocks = { { .name = "MIB" } }, .n_blocks = 1,
	.sizes = { .edge = MACSTATS_RMON_EDGES },
	.ieee_own_pause = true,
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN,
	.data_overhead = MACSTATS_FCS_LEN, .control_overhead = MACSTATS_FCS_LEN,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_ALX_H */
