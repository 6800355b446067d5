/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * TI AM335x CPSW_3G Ethernet switch: its statistics block, one set of counters for the whole
 * switch. Data only.
 *
 * Source: AM335x Technical Reference Manual, SPRUH73H, 14.3.2.20; where that is silent or wrong,
 * the manuals of its siblings (EMAC, and the CPSW of the DRA821 for the effects of reads and
 * writes). "Inferred" marks facts that neither gives.
 *
 * The registers lie in four blocks of the switch, each a region here. Counters have the offsets
 * within the statistics block that the manual prints (0x00 to 0x8c), although that block is at
 * 0x4a100900. The other blocks are at their physical addresses, with CPSW_SS at 0x4a100000
 * (inferred, as are the ends of all blocks).
 *
 * While STAT_PORT_EN enables the statistics of any port, a 32-bit write decrements a counter;
 * otherwise the counter stores it. Lengths run from the destination address to the FCS inclusive.
 *
 * Standard statistics. Octets include the FCS, so bytes are octets - 4 for each good frame. IEEE
 * octets are absent, because no counter separates tagged frames, and alignment errors, because no
 * counter separates code errors. The size counters mix both directions, so there is no histogram.
 * A frame over the maximum counts as too long with any FCS. A transmitted frame with two faults (a
 * lost carrier and an underrun or a late collision) counts under both, and twice in tx_errors.
 *
 * A frame that overruns is missed by the host (rx_missed_errors), which is outside rx_errors. The
 * MAC counts it as good or bad, too, as if there had been room: rx_packets and rx_errors contain
 * it, and FramesLostDueToIntMACRcvError, which must not overlap with FramesReceivedOK, is absent.
 */
#ifndef MACSTATS_MODEL_CPSW_H
#define MACSTATS_MODEL_CPSW_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

/* Bits of MACCONTROL: act upon pause frames, and exert flow control. */
enum cpsw_setting {
	CPSW_TX_FLOW_EN = MACSTATS_OPT_SETTING,
	CPSW_RX_FLOW_EN = MACSTATS_OPT_SETTING_2,
	CPSW_FORCES_COLLISIONS = MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SETTING_2,
};

enum cpsw_errors {
	CPSW_RX_ERRORS = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE,
	CPSW_TX_ERRORS = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS |
			 MACSTATS_ERR_CARRIER_LOSS | MACSTATS_ERR_UNDERRUN,
	CPSW_COLLIDED_NO_ERRORS = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_CARRIER_LOSS |
				  MACSTATS_ERR_UNDERRUN,
	CPSW_BIN_NO_ERRORS = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS |
			     MACSTATS_ERR_CARRIER_LOSS,
};

enum cpsw_base {
	CPSW_STATS = 0,
	CPSW_SS = 0x4a100000,
	CPSW_SL1 = 0x4a100d80,	/* CPGMAC_SL1, the MAC of port 1 */
	CPSW_WR = 0x4a101200,
};

enum cpsw_address {
	CPSW_ID_VER = CPSW_SS + 0x00,
	CPSW_STAT_PORT_EN = CPSW_SS + 0x0c,
	CPSW_MACCONTROL = CPSW_SL1 + 0x04,
	CPSW_RX_MAXLEN = CPSW_SL1 + 0x10,
	CPSW_C0_MISC_EN = CPSW_WR + 0x1c,
	CPSW_C0_MISC_STAT = CPSW_WR + 0x4c,
};

/* Counters are 32 bits wide, which roll over; a write decrements them. */
#define CPSW_ROW(name_, reg_, offset_, unit_, help_, ...)				\
	MACSTATS_ROW(name_, reg_, CPSW_STATS + (offset_), help_, .bits = 32,		\
		     .unit = MACSTATS_##unit_, .onwrite = MACSTATS_ONWRITE_DECREMENT, __VA_ARGS__)
/* Underruns have no effect on the size classes; in the EMAC they do. */
#define CPSW_SIZE(i, name_, reg_, text, size_)						\
	CPSW_ROW("rxtx_" name_ "_octet_frames", "Rx + Tx " reg_ " Octet Frames", 0x68 + 4 * (i), \
		 FRAMES, "Received and transmitted frames of " text " without late or "	\
		 "excessive collisions or carrier sense error",				\
		 .when = { { .direction = MACSTATS_RX | MACSTATS_TX, .size = size_,	\
			     .no_errors = CPSW_BIN_NO_ERRORS } }),

#define CPSW_RX_GOOD(to, kind_) \
	{ .direction = MACSTATS_RX, .destination = MACSTATS_##to, .kind = MACSTATS_##kind_, \
	  .excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP, .no_errors = CPSW_RX_ERRORS }
#define CPSW_TX_GOOD(to) \
	{ .direction = MACSTATS_TX, .destination = MACSTATS_##to, .no_errors = CPSW_TX_ERRORS }

MACSTATS_TABLE const struct macstats_counter cpsw_counters[] = {
	CPSW_ROW("rx_good_frames", "Good Rx Frames", 0x00, FRAMES,
		 "Received frames of 64 octets up to RX_MAXLEN without CRC, alignment or code "
		 "error, overrun or not", .when = { CPSW_RX_GOOD(ANY, ANY) },
		 .standard = { MACSTATS_PLUS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS),
			       { MACSTATS_STD_RTNL_RX_BYTES, -4 } }),
	CPSW_ROW("rx_broadcast_frames", "Broadcast Rx Frames", 0x04, FRAMES,
		 "Good received frames to the broadcast address",
		 .when = { CPSW_RX_GOOD(BROADCAST, ANY) },
		 MACSTATS_FEEDS(BROADCAST_FRAMES_RECEIVED_OK)),
	CPSW_ROW("rx_multicast_frames", "Multicast Rx Frames", 0x08, FRAMES,
		 "Good received frames to a multicast address other than broadcast, pause frames "
		 "included", .when = { CPSW_RX_GOOD(MULTICAST, ANY) },
		 MACSTATS_FEEDS(MULTICAST_FRAMES_RECEIVED_OK, RTNL_MULTICAST)),
	CPSW_ROW("rx_pause_frames", "Pause Rx Frames", 0x0c, FRAMES,
		 "Good pause frames received while TX_FLOW_EN is set; also counted by their "
		 "address",
		 MACSTATS_WHEN_RX(.kind = MACSTATS_PAUSE, .excess = MACSTATS_WITHIN_MAX,
				  .size = MACSTATS_SIZE_64_UP, .no_errors = CPSW_RX_ERRORS,
				  .with = CPSW_TX_FLOW_EN), MACSTATS_FEEDS(RX_PAUSE_FRAMES)),
	CPSW_ROW("rx_crc_errors", "Rx CRC Errors", 0x10, FRAMES,
		 "Received frames of 64 octets up to RX_MAXLEN with a CRC error, but no alignment "
		 "or code error",
		 MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP,
				  .errors = MACSTATS_ERR_FCS,
				  .no_errors = MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE),
		 MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_ERRORS, RTNL_RX_CRC_ERRORS)),
	CPSW_ROW("rx_align_code_errors", "Rx Align/Code Errors", 0x14, FRAMES,
		 "Received frames of 64 octets up to RX_MAXLEN with an alignment or code error",
		 MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP,
				  .errors = MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE),
		 MACSTATS_FEEDS(RTNL_RX_ERRORS)),
	CPSW_ROW("rx_oversize_frames", "Oversize Rx Frames", 0x18, FRAMES,
		 "Received frames longer than RX_MAXLEN without CRC, alignment or code error",
		 MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .no_errors = CPSW_RX_ERRORS),
		 MACSTATS_FEEDS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS, RTNL_RX_ERRORS,
				RTNL_RX_LENGTH_ERRORS)),
	/* An erratum: the manual prints "had no" error, which would repeat the row above. */
	CPSW_ROW("rx_jabbers", "Rx Jabbers", 0x1c, FRAMES,
		 "Received frames longer than RX_MAXLEN with a CRC, alignment or code error",
		 MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .errors = CPSW_RX_ERRORS),
		 MACSTATS_FEEDS(JABBERS, FRAME_TOO_LONG_ERRORS, RTNL_RX_ERRORS,
				RTNL_RX_LENGTH_ERRORS)),
	/* An erratum: the manual prints "greater than rx_maxlen", copied from Oversize. */
	CPSW_ROW("rx_undersize_frames", "Undersize (Short) Rx Frames", 0x20, FRAMES,
		 "Received frames of less than 64 octets without CRC, alignment or code error",
		 MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .no_errors = CPSW_RX_ERRORS),
		 MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_ERRORS)),
	/* "Any data frame": the one receive row that leaves MAC control frames out. */
	CPSW_ROW("rx_fragments", "Rx Fragments", 0x24, FRAMES,
		 "Received data frames of less than 64 octets with a CRC, alignment or code error "
		 "that half-duplex flow control did not cause",
		 .when = { { .direction = MACSTATS_RX, .kind = MACSTATS_DATA,
			     .collisions = MACSTATS_NO_COLLISION, .size = MACSTATS_SIZE_UNDER_64,
			     .errors = CPSW_RX_ERRORS },
			   { .direction = MACSTATS_RX, .kind = MACSTATS_DATA,
			     .size = MACSTATS_SIZE_UNDER_64, .errors = CPSW_RX_ERRORS,
			     .without = MACSTATS_OPT_HALF_DUPLEX },
			   { .direction = MACSTATS_RX, .kind = MACSTATS_DATA,
			     .size = MACSTATS_SIZE_UNDER_64, .errors = CPSW_RX_ERRORS,
			     .without = CPSW_RX_FLOW_EN } },
		 MACSTATS_FEEDS(FRAGMENTS, RTNL_RX_ERRORS)),
	/* From the destination address to the FCS inclusive (inferred). */
	CPSW_ROW("rx_octets", "Rx Octets", 0x30, OCTETS,
		 "Octets of good received frames, FCS included",
		 .when = { CPSW_RX_GOOD(ANY, ANY) }, MACSTATS_FEEDS(RTNL_RX_BYTES)),
	/* "Received on the port" in this and the next two is a slip for "transmitted". */
	CPSW_ROW("tx_good_frames", "Good Tx Frames", 0x34, FRAMES,
		 "Transmitted frames of any length without late or excessive collisions, carrier "
		 "loss or underrun", .when = { CPSW_TX_GOOD(ANY) },
		 .standard = { MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),
			       { MACSTATS_STD_RTNL_TX_BYTES, -4 } }),
	CPSW_ROW("tx_broadcast_frames", "Broadcast Tx Frames", 0x38, FRAMES,
		 "Good transmitted frames to the broadcast address",
		 .when = { CPSW_TX_GOOD(BROADCAST) }, MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK)),
	CPSW_ROW("tx_multicast_frames", "Multicast Tx Frames", 0x3c, FRAMES,
		 "Good transmitted frames to a multicast address other than broadcast, pause "
		 "frames included", .when = { CPSW_TX_GOOD(MULTICAST) },
		 MACSTATS_FEEDS(MULTICAST_FRAMES_XMITTED_OK)),
	CPSW_ROW("tx_pause_frames", "Pause Tx Frames", 0x40, FRAMES,
		 "Pause frames that the MAC made itself; also counted as good, multicast and 64 "
		 "octet frames",
		 MACSTATS_WHEN_TX(.kind = MACSTATS_PAUSE, .origin = MACSTATS_BY_MAC),
		 MACSTATS_FEEDS(TX_PAUSE_FRAMES)),
	/* The manual leaves this one out; its rule is that of the EMAC, an older sibling. */
	CPSW_ROW("tx_deferred_frames", "Deferred Tx Frames", 0x44, FRAMES,
		 "Transmitted frames that found the medium busy at the first attempt and then had "
		 "no collision, carrier loss or underrun",
		 MACSTATS_WHEN_TX(.collisions = MACSTATS_NO_COLLISION, .deferred = true,
				  .no_errors = MACSTATS_ERR_CARRIER_LOSS | MACSTATS_ERR_UNDERRUN),
		 MACSTATS_FEEDS(FRAMES_WITH_DEFERRED_XMISSIONS)),
	CPSW_ROW("rxtx_collisions", "Collisions", 0x48, COLLISIONS,
		 "Collisions, late ones included, of transmitted frames without carrier loss or "
		 "underrun, and those that half-duplex flow control forces on received ones",
		 .when = { { .direction = MACSTATS_TX,
			     .no_errors = MACSTATS_ERR_CARRIER_LOSS | MACSTATS_ERR_UNDERRUN },
			   { .direction = MACSTATS_RX,
			     .collisions = MACSTATS_ONE_COLLISION | MACSTATS_SEVERAL_COLLISIONS |
					   MACSTATS_SIXTEEN_COLLISIONS,
			     .with = CPSW_FORCES_COLLISIONS } },
		 MACSTATS_FEEDS(RTNL_COLLISIONS)),
	CPSW_ROW("tx_single_collision_frames", "Single Collision Tx Frames", 0x4c, FRAMES,
		 "Frames transmitted after exactly one collision, which was not late",
		 MACSTATS_WHEN_TX(.collisions = MACSTATS_ONE_COLLISION,
				  .no_errors = CPSW_COLLIDED_NO_ERRORS),
		 MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),
	CPSW_ROW("tx_multiple_collision_frames", "Multiple Collision Tx Frames", 0x50, FRAMES,
		 "Frames transmitted after 2 to 15 collisions, none of them late",
		 MACSTATS_WHEN_TX(.collisions = MACSTATS_SEVERAL_COLLISIONS,
				  .no_errors = CPSW_COLLIDED_NO_ERRORS),
		 MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),
	CPSW_ROW("tx_excessive_collisions", "Excessive Collisions", 0x54, FRAMES,
		 "Frames given up after 16 collisions, none of them late",
		 MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
				  .no_errors = CPSW_COLLIDED_NO_ERRORS),
		 MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ERRORS,
				RTNL_TX_ABORTED_ERRORS)),
	/* Carrier loss and underrun have no effect here; in the EMAC they do. */
	CPSW_ROW("tx_late_collisions", "Late Collisions", 0x58, FRAMES,
		 "Frames given up because of a collision later than 512 bit times; not counted as "
		 "single, multiple or excessive collisions",
		 MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION),
		 MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_TX_ERRORS, RTNL_TX_WINDOW_ERRORS)),
	CPSW_ROW("tx_underrun", "Tx Underrun", 0x5c, FRAMES,
		 "Transmitted frames that experienced a FIFO underrun",
		 MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_UNDERRUN),
		 MACSTATS_FEEDS(FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, RTNL_TX_ERRORS,
				RTNL_TX_FIFO_ERRORS)),
	CPSW_ROW("tx_carrier_sense_errors", "Carrier Sense Errors", 0x60, FRAMES,
		 "Frames during whose transmission carrier sense was lost or never asserted",
		 MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_CARRIER_LOSS),
		 MACSTATS_FEEDS(CARRIER_SENSE_ERRORS, RTNL_TX_ERRORS, RTNL_TX_CARRIER_ERRORS)),
	/* From the destination address to the FCS inclusive (inferred). */
	CPSW_ROW("tx_octets", "Tx Octets", 0x64, OCTETS,
		 "Octets of good transmitted frames, FCS included", .when = { CPSW_TX_GOOD(ANY) },
		 MACSTATS_FEEDS(RTNL_TX_BYTES)),
	MACSTATS_RMON_ROWS_TO_1023(CPSW_SIZE, "_", "-")
	/* "Or any size on transmit" belongs to another statistic: an erratum. */
	CPSW_ROW("rxtx_1024_up_octet_frames", "Rx + Tx 1024-Up Octet Frames", 0x7c, FRAMES,
		 "Received frames of 1024 octets up to RX_MAXLEN and transmitted ones of 1024 "
		 "octets up, without late or excessive collisions or carrier sense error",
		 .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
			     .size = MACSTATS_SIZE_1024_TO_1518 | MACSTATS_SIZE_1519_UP,
			     .no_errors = CPSW_BIN_NO_ERRORS },
			   { .direction = MACSTATS_TX,
			     .size = MACSTATS_SIZE_1024_TO_1518 | MACSTATS_SIZE_1519_UP,
			     .no_errors = CPSW_BIN_NO_ERRORS } }),
	/* Octets of an attempt that collided: up to a slot time (inferred). */
	CPSW_ROW("rxtx_net_octets", "Net Octets", 0x80, WIRE_OCTETS,
		 "Octets of all received and transmitted frames, whatever became of them, and of "
		 "attempts that collided", .when = { { .direction = MACSTATS_RX | MACSTATS_TX } }),
	/*
	 * A frame that overruns does so at its start, for want of a DMA buffer: what a frame is
	 * described by does not tell more (inferred).
	 */
	CPSW_ROW("rx_sof_overruns", "Rx Start of Frame Overruns", 0x84, FRAMES,
		 "Received frames that found no buffer or room in the FIFO at their start",
		 MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_OVERRUN),
		 MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
	CPSW_ROW("rx_mof_overruns", "Rx Middle of Frame Overruns", 0x88, FRAMES,
		 "Received frames that ran out of DMA buffers after their start",
		 .never = true,
		 MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
	CPSW_ROW("rx_dma_overruns", "Rx DMA Overruns", 0x8c, FRAMES,
		 "Received frames that found no DMA buffer at their start or after it; they are "
		 "counted in one of the two above, too",
		 MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_OVERRUN)),
};

/*
 * There is no such switch without its statistics: one that is built so does not answer for the
 * switch either (inferred).
 */
MACSTATS_TABLE const struct macstats_register cpsw_registers[] = {
	/* The fields of ID_VER are those of the driver cpsw of Linux. */
	MACSTATS_STAT_REGISTER(RO, "ID_VER", CPSW_ID_VER, 0x0019010c,
			       "Identification and version of the switch; this one of the AM335x "
			       "(inferred)", .fields = {
		MACSTATS_FIELD(RO, "minor_ver", 0, 8, "Minor version"),
		MACSTATS_FIELD(RO, "maj_ver", 8, 3, "Major version"),
		MACSTATS_FIELD(RO, "rtl_ver", 11, 5, "Version of the RTL"),
		MACSTATS_FIELD(RO, "ident", 16, 16, "Identification, as of each CPSW_3G",
			       .roles = MACSTATS_ROLE_IDENTITY) }),
	MACSTATS_STAT_REGISTER(RW, "STAT_PORT_EN", CPSW_STAT_PORT_EN, 0,
			       "Ports whose statistics are enabled; none: nothing counts, writes "
			       "are stored", .fields = {
		MACSTATS_FIELD(RW, "p0_stat_en", 0, 1, "Port 0 (host) statistics are enabled",
			       .roles = MACSTATS_ROLE_GATE),
		MACSTATS_FIELD(RW, "p1_stat_en", 1, 1, "Port 1 statistics are enabled",
			       .roles = MACSTATS_ROLE_GATE),
		MACSTATS_FIELD(RW, "p2_stat_en", 2, 1, "Port 2 statistics are enabled",
			       .roles = MACSTATS_ROLE_GATE) }),
	/* Flow control is on after a reset here, as drivers set it; the hardware has it off. */
	MACSTATS_REGISTER(RW, "MACCONTROL", CPSW_MACCONTROL, 0x18,
			  "Control of the MAC; flow control is on, as drivers set it", .fields = {
		MACSTATS_FIELD(RW, "rx_flow_en", 3, 1,
			       "Exert flow control: by pause frames or, in half duplex, collisions",
			       .roles = MACSTATS_ROLE_FLOW_CONTROL | MACSTATS_ROLE_SETTING_2),
		MACSTATS_FIELD(RW, "tx_flow_en", 4, 1, "Act upon received pause frames",
			       .roles = MACSTATS_ROLE_SETTING) }),
	MACSTATS_REGISTER(RW, "RX_MAXLEN", CPSW_RX_MAXLEN, 1518,
			  "Longest frame received without being counted as oversize", .fields = {
		MACSTATS_FIELD(RW, "rx_maxlen", 0, 14, "Octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX) }),
	MACSTATS_STAT_REGISTER(RW, "C0_MISC_EN", CPSW_C0_MISC_EN, 0,
			       "Miscellaneous interrupts that are enabled", .fields = {
		MACSTATS_FIELD(RW, "mdio_user", 0, 1, "MDIO access complete"),
		MACSTATS_FIELD(RW, "mdio_link", 1, 1, "MDIO link change"),
		MACSTATS_FIELD(RW, "host_pend", 2, 1, "Host error"),
		MACSTATS_FIELD(RW, "stat_pend", 3, 1, "A counter is at 0x80000000 or above",
			       .roles = MACSTATS_ROLE_HALF_FULL_ENABLE),
		MACSTATS_FIELD(RW, "evnt_pend", 4, 1, "Time sync event") }),
	MACSTATS_STAT_REGISTER(RO, "C0_MISC_STAT", CPSW_C0_MISC_STAT, 0,
			       "Miscellaneous interrupts that are enabled and pending", .fields = {
		MACSTATS_FIELD(RO, "mdio_user", 0, 1, "MDIO access complete"),
		MACSTATS_FIELD(RO, "mdio_link", 1, 1, "MDIO link change"),
		MACSTATS_FIELD(RO, "host_pend", 2, 1, "Host error"),
		MACSTATS_FIELD(RO, "stat_pend", 3, 1,
			       "A counter is at 0x80000000 or above, until all are decremented "
			       "below it", .roles = MACSTATS_ROLE_HALF_FULL),
		MACSTATS_FIELD(RO, "evnt_pend", 4, 1, "Time sync event") }),
};

MACSTATS_TABLE const struct macstats_model cpsw_model = {
	.name = "cpsw", .title = "TI AM335x CPSW_3G Ethernet switch",
	.datasheet = "TI SPRUH73H (2013-04), 14.3.2.20",
	.drivers = { "cpsw", "cpsw-switch" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000ull,
	/* Two external ports and the host port; STAT_PORT_EN has a bit for each. */
	.block_lines = 3,
	MACSTATS_ROWS(counters, cpsw_counters), MACSTATS_ROWS(registers, cpsw_registers),
	.blocks = { { .name = "stats" } }, .n_blocks = 1,
	.reserved = { { 0x28, 0x2f, MACSTATS_READS_ZERO } },	/* inferred */
	.n_reserved = 1,
	.regions = { { "stats", CPSW_STATS, CPSW_STATS + 0xff }, { "ss", CPSW_SS, CPSW_SS + 0xff },
		     { "sl1", CPSW_SL1, CPSW_SL1 + 0x3f }, { "wr", CPSW_WR, CPSW_WR + 0xff } },
	.n_regions = 4, .half_full = 0x80000000, .sizes = { .edge = MACSTATS_RMON_EDGES },
	.ieee_own_pause = true,
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
	.power_up = MACSTATS_POWER_UP_ZERO,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_CPSW_H */
