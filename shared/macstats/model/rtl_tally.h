/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The tally counters of Realtek Ethernet controllers: RTL8139C+, RTL8169 and its successors. Data
 * only.
 *
 * Source: Realtek RTL8139C+ and RTL8169 datasheets, Dump Tally Counter Command; layout as in struct
 * rtl8169_counters of Linux. "Inferred" marks facts that they leave open.
 *
 * The counters have no registers: a command makes the MAC write all of them to 64 octets of memory,
 * in little-endian order. Here that memory is the range from 0x100 on, and the address of the
 * command is only stored.
 *
 * Counters roll over (inferred), and a dump does not change them. A received frame counts as good
 * or bad if it was neither missed nor shorter than 64 octets: the MAC drops shorter ones unseen
 * (inferred). No length is too long. A frame that was given up after collisions, or cut by an
 * underrun, is a transmit error; one without carrier sense is sent (inferred). Pause frames of the
 * MAC count as sent (inferred).
 *
 * Standard statistics. The counters have no octets, so that bytes are those of the driver.
 * Multicast frames that were transmitted are absent, because no counter has them.
 */
#ifndef MACSTATS_MODEL_RTL_TALLY_H
#define MACSTATS_MODEL_RTL_TALLY_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum rtl_tally_errors {
	RTL_TALLY_MISSED = MACSTATS_ERR_OVERRUN | MACSTATS_ERR_NO_BUFFER,
	RTL_TALLY_BAD = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE,
	RTL_TALLY_BAD_OR_MISSED = RTL_TALLY_BAD | RTL_TALLY_MISSED,
	RTL_TALLY_COLLIDED = MACSTATS_ERR_EXCESSIVE_COLLISIONS | MACSTATS_ERR_LATE_COLLISION,
	RTL_TALLY_NOT_SENT = RTL_TALLY_COLLIDED | MACSTATS_ERR_UNDERRUN,
};

#define RTL_TALLY_ROW(name_, reg_, offset_, bits_, help_, ...)					\
	MACSTATS_ROW(name_, reg_, 0x100 + (offset_), help_, .bits = bits_,			\
		     .unit = MACSTATS_FRAMES, __VA_ARGS__)

#define RTL_TALLY_RX(to, ...)									\
	MACSTATS_WHEN_RX(.destination = MACSTATS_##to, .size = MACSTATS_SIZE_64_UP, __VA_ARGS__)
#define RTL_TALLY_RX_GOOD(to) RTL_TALLY_RX(to, .no_errors = RTL_TALLY_BAD_OR_MISSED)
#define RTL_TALLY_TX_SENT(collided) \
	MACSTATS_WHEN_TX(.collisions = collided, .no_errors = RTL_TALLY_NOT_SENT)

MACSTATS_TABLE const struct macstats_counter rtl_tally_counters[] = {
	RTL_TALLY_ROW("tx_frames", "TxOk", 0, 64, "Transmitted frames",
		      RTL_TALLY_TX_SENT(MACSTATS_ANY),
		      MACSTATS_FEEDS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS)),
	RTL_TALLY_ROW("rx_frames", "RxOk", 8, 64, "Good received frames", RTL_TALLY_RX_GOOD(ANY),
		      MACSTATS_FEEDS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS)),
	RTL_TALLY_ROW("tx_errors", "TxErr", 16, 64,
		      "Frames given up after collisions, or cut by an underrun",
		      MACSTATS_WHEN_TX(.errors = RTL_TALLY_NOT_SENT),
		      MACSTATS_FEEDS(RTNL_TX_ERRORS)),
	RTL_TALLY_ROW("rx_errors", "RxErr", 24, 32,
		      "Received frames with an FCS, alignment or symbol error",
		      RTL_TALLY_RX(ANY, .errors = RTL_TALLY_BAD, .no_errors = RTL_TALLY_MISSED),
		      MACSTATS_FEEDS(RTNL_RX_ERRORS)),
	RTL_TALLY_ROW("rx_missed", "MissPkt", 28, 16,
		      "Received frames for which the FIFO or memory had no room",
		      RTL_TALLY_RX(ANY, .errors = RTL_TALLY_MISSED),
		      MACSTATS_FEEDS(FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR, RTNL_RX_MISSED_ERRORS)),
	MACSTATS_ROW("rx_align_errors", "FAE", 0x11c, "Received frames with an alignment error",
		     .lsb = 16, .bits = 16, .unit = MACSTATS_FRAMES,
		     RTL_TALLY_RX(ANY, .errors = MACSTATS_ERR_ALIGNMENT,
				  .no_errors = RTL_TALLY_MISSED),
		     MACSTATS_FEEDS(ALIGNMENT_ERRORS, RTNL_RX_FRAME_ERRORS)),
	RTL_TALLY_ROW("tx_single_collisions", "Tx1Col", 32, 32,
		      "Frames transmitted after exactly one collision",
		      RTL_TALLY_TX_SENT(MACSTATS_ONE_COLLISION),
		      MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),
	RTL_TALLY_ROW("tx_multiple_collisions", "TxMCol", 36, 32,
		      "Frames transmitted after 2 to 15 collisions",
		      RTL_TALLY_TX_SENT(MACSTATS_SEVERAL_COLLISIONS),
		      MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),
	RTL_TALLY_ROW("rx_unicast", "RxOkPhy", 40, 64, "Good received unicast frames",
		      RTL_TALLY_RX_GOOD(UNICAST)),
	RTL_TALLY_ROW("rx_broadcast", "RxOkBrd", 48, 64, "Good received broadcast frames",
		      RTL_TALLY_RX_GOOD(BROADCAST), MACSTATS_FEEDS(BROADCAST_FRAMES_RECEIVED_OK)),
	RTL_TALLY_ROW("rx_multicast", "RxOkMu", 56, 32, "Good received multicast frames",
		      RTL_TALLY_RX_GOOD(MULTICAST),
		      MACSTATS_FEEDS(MULTICAST_FRAMES_RECEIVED_OK, RTNL_MULTICAST)),
	RTL_TALLY_ROW("tx_aborted", "TxAbt", 60, 16, "Frames given up after 16 collisions",
		      MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
				       .no_errors = MACSTATS_ERR_LATE_COLLISION),
		      MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ABORTED_ERRORS)),
	MACSTATS_ROW("tx_underruns", "TxUndrn", 0x13c, "Frames cut by an underrun", .lsb = 16,
		     .bits = 16, .unit = MACSTATS_FRAMES,
		     MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_UNDERRUN),
		     MACSTATS_FEEDS(FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, RTNL_TX_FIFO_ERRORS)),
};

MACSTATS_TABLE const struct macstats_register rtl_tally_registers[] = {
	MACSTATS_STAT_REGISTER(RW, "DTCCR_low", 0x10, 0, "Dump tally counter command", .fields = {
		MACSTATS_COMMAND("Reset", 0, "Clear the counters", .roles = MACSTATS_ROLE_CLEAR),
		MACSTATS_FIELD(RW, "Cmd", 3, 1, "Dump the counters; set until that is done",
			       .roles = MACSTATS_ROLE_DUMP),
		MACSTATS_FIELD(RW, "CntrAddr_low", 6, 26, "Bits 31:6 of the address in memory") }),
	MACSTATS_STAT_REGISTER(RW, "DTCCR_high", 0x14, 0,
			       "Bits 63:32 of the address in memory"),
};

MACSTATS_TABLE const struct macstats_model rtl_tally_model = {
	.name = "rtl_tally", .title = "Realtek tally counters",
	.datasheet = "Realtek RTL8139C+ and RTL8169 datasheets, Dump Tally Counter Command",
	.drivers = { "r8169", "8139cp" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000ull,
	MACSTATS_ROWS(counters, rtl_tally_counters), MACSTATS_ROWS(registers, rtl_tally_registers),
	.blocks = { { .name = "tally" } }, .n_blocks = 1,
	.regions = { { "registers", 0x0, 0xff }, { "memory", 0x100, 0x13f } }, .n_regions = 2,
	.sizes = { .edge = MACSTATS_RMON_EDGES },
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN,
	.data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_RTL_TALLY_H */
