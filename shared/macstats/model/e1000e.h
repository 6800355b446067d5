/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Intel PCI Express Gigabit Ethernet controllers: the statistics registers of four revisions.
 * Data only. What the 8254x has as well is in e1000.h.
 *
 * 82574	and 82571 to 82573 and 82583 (the Linux driver e1000e)
 * pch		the platform controller hubs, 82577 to I219 (e1000e)
 * i350		and 82575 to I211 (igb)
 * i225		and I226 (igc)
 *
 * Sources: Ethernet Controller I210 Data Sheet, section 8.18, "Statistics Registers"; 82575EB
 * Software Developer's Manual, section 14.9, for what both have; the 8254x manual for the rest of
 * what an 82574 counts. Which revision has which register follows from the registers that those
 * drivers clear by reading them at start (Linux 7.3; regs.h, e1000_regs.h, igc_regs.h): 82571.c,
 * ich8lan.c, e1000_82575.c, igc_mac.c. "Inferred" marks facts that all of these leave open.
 *
 * Rows and frames are those of e1000.h but for the following. A driver of a part that lacks more,
 * such as the size classes of an 82567, says so in has_counter().
 * - A pch has no size classes, and counts what happens in half duplex in registers of its PHY.
 * - TNCRS is invalid in 82574 and 82583, and in I210 and I211 (e1000e and igb do not use it); igc
 *   does not use it either. It counts good frames, which are no tx_errors.
 * - From 0x4104 on an 82574 counts causes of interrupts, and an i350 and i225 frames of the host,
 *   some of them at the same addresses; so do CEXTERR and HTDPMC share one.
 *
 * Limits of the model, and those of e1000.h:
 * - Lengths are those of the 82574. In an i350 or i225 the maximum is 1518 octets and 4 for each
 *   tag, or with LPE that in RLPML, up to 9728; it does not count frames under 25 octets at all.
 * - The line rate is that of an i225. A driver states that of its link.
 * - All frames are of the host, and none of a management controller or another function.
 */
#ifndef MACSTATS_MODEL_E1000E_H
#define MACSTATS_MODEL_E1000E_H

#include "e1000.h"

MACSTATS_MODEL_BEGIN

enum e1000e_revisions {
	E1000E_82574 = 1 << 0,
	E1000E_PCH = 1 << 1,
	E1000E_I350 = 1 << 2,
	E1000E_I225 = 1 << 3,
	E1000E_OLD = E1000E_82574 | E1000E_PCH,
	E1000E_NEW = E1000E_I350 | E1000E_I225,
	E1000E_NOT_PCH = E1000E_82574 | E1000E_NEW,
	E1000E_NOT_I225 = E1000E_OLD | E1000E_I350,
};

/* What is no frame, so that no frame reaches it. */
#define E1000E_NEVER(revisions_, name_, reg_, offset_, help_) \
	E1000_ROW(name_, reg_, offset_, help_, .revisions = revisions_, .never = true)
#define E1000E_ERRORS_NEVER_SEEN(revisions_, name_, reg_, offset_, help_)		\
	E1000_ROW(name_, reg_, offset_, help_, .revisions = revisions_, MACSTATS_ERRORS_NEVER_SEEN)

#define E1000E_RX_SIZE(i, name_, reg_, text, size_)					\
	E1000_ROW("rx_" name_ "_octets", "PRC" reg_, 0x405c + 4 * (i),			\
		  "Good received frames of " text, .revisions = E1000E_NOT_PCH,		\
		  E1000_RX_GOOD(ANY, MACSTATS_DATA, size_)),
#define E1000E_TX_SIZE(i, name_, reg_, text, size_)					\
	E1000_ROW("tx_" name_ "_octets", "PTC" reg_, 0x40d8 + 4 * (i),			\
		  "Transmitted frames of " text, .revisions = E1000E_NOT_PCH,		\
		  E1000_TX_DATA(ANY, size_)),

MACSTATS_TABLE const struct macstats_counter e1000e_counters[] = {
	E1000_CRC_ROWS
	E1000E_ERRORS_NEVER_SEEN(E1000E_NOT_I225, "rx_symbol_errors", "SYMERRS", 0x4008,
				 "Symbol errors of a SerDes: stays 0"),
	E1000_MISSED_ROWS
	/* 8.18.10: "the total number of collisions"; inferred for the 82574. */
	E1000_COLLISION_ROWS(E1000E_NOT_PCH, COLLISIONS, "Collisions, late ones included",
			     LATE_COLLISIONS)
	E1000E_ERRORS_NEVER_SEEN(E1000E_I225, "rx_receive_errors", "RERC", 0x402c,
				 "Receive errors, which only the name defines: stays 0"),
	E1000_ROW("tx_deferred", "DC", 0x4030, "Frames whose transmission was deferred",
		  .revisions = E1000E_NOT_PCH, MACSTATS_WHEN_TX(.deferred = true)),
	E1000_ROW("tx_no_carrier_sense", "TNCRS", 0x4034,
		  "Frames transmitted without carrier sense; half duplex only",
		  .revisions = E1000E_I350,
		  MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_CARRIER_LOSS,
				   .no_errors = E1000_TX_ENDED),
		  MACSTATS_FEEDS(CARRIER_SENSE_ERRORS, RTNL_TX_CARRIER_ERRORS)),
	E1000E_ERRORS_NEVER_SEEN(E1000E_NOT_I225, "rx_sequence_errors", "SEC", 0x4038,
				 "Sequence errors of a SerDes: stays 0"),
	E1000E_ERRORS_NEVER_SEEN(E1000E_OLD, "rx_carrier_extension_errors", "CEXTERR", 0x403c,
				 "Carrier extension errors: stays 0"),
	/* Because of excessive collisions or a lost link; late collisions are inferred. */
	E1000_ROW("tx_host_discarded", "HTDPMC", 0x403c,
		  "Frames of the host that the MAC gave up", .revisions = E1000E_NEW,
		  MACSTATS_WHEN_TX(.origin = MACSTATS_BY_SOFTWARE, .errors = E1000_COLLIDED)),
	E1000_FLOW_CONTROL_ROWS
	E1000_SIZES(E1000E_RX_SIZE)
	E1000_TOTAL_ROWS
	E1000_SIZES(E1000E_TX_SIZE)
	E1000_ADDRESS_ROWS
	E1000_NEVER("tx_tcp_contexts", "TSCTC", 0x40f8,
		    "TCP segmentation contexts transmitted: stays 0"),
	E1000E_ERRORS_NEVER_SEEN(E1000E_NOT_I225, "tx_tcp_contexts_failed", "TSCTFC", 0x40fc,
				 "TCP segmentation contexts that failed: stays 0"),
	E1000_NEVER("rxtx_interrupts", "IAC", 0x4100, "Interrupts asserted: stays 0"),
	E1000E_NEVER(E1000E_82574, "rx_packet_timer_interrupts", "ICRXPTC", 0x4104,
		     "Expirations of the receive packet timer: stays 0"),
	/* Those dropped later because no buffer was free count, as in HGORC: inferred. */
	E1000_ROW("rx_host_frames", "RPTHC", 0x4104, "Good received frames for the host",
		  .revisions = E1000E_NEW, E1000_RX_GOOD(ANY, MACSTATS_DATA, MACSTATS_SIZE_64_UP)),
	E1000E_NEVER(E1000E_82574, "rx_absolute_timer_interrupts", "ICRXATC", 0x4108,
		     "Expirations of the receive absolute timer: stays 0"),
	E1000E_NEVER(E1000E_82574, "tx_packet_timer_interrupts", "ICTXPTC", 0x410c,
		     "Expirations of the transmit packet timer: stays 0"),
	E1000E_NEVER(E1000E_82574, "tx_absolute_timer_interrupts", "ICTXATC", 0x4110,
		     "Expirations of the transmit absolute timer: stays 0"),
	E1000E_NEVER(E1000E_82574, "tx_queue_empty_interrupts", "ICTXQEC", 0x4118,
		     "Interrupts because of an empty transmit queue: stays 0"),
	E1000_ROW("tx_host_frames", "HGPTC", 0x4118, "Good transmitted frames of the host",
		  .revisions = E1000E_NEW, E1000_TX_DATA(ANY, MACSTATS_ANY)),
	E1000E_NEVER(E1000E_82574, "tx_queue_minimum_interrupts", "ICTXQMTC", 0x411c,
		     "Interrupts because of few transmit descriptors in use: stays 0"),
	E1000E_NEVER(E1000E_82574, "rx_minimum_interrupts", "ICRXDMTC", 0x4120,
		     "Interrupts because of few receive descriptors: stays 0"),
	E1000E_NEVER(E1000E_NEW, "rx_descriptor_minimum", "RXDMTC", 0x4120,
		     "Times that receive descriptors became few: stays 0"),
	E1000E_NEVER(E1000E_OLD, "rx_overrun_interrupts", "ICRXOC", 0x4124,
		     "Interrupts because of receiver overruns: stays 0"),
	E1000_OCTETS("rx_host_octets", "HGORC", 0x4128, "Octets of the frames in RPTHC",
		     .revisions = E1000E_NEW,
		     E1000_RX_GOOD(ANY, MACSTATS_DATA, MACSTATS_SIZE_64_UP)),
	E1000_OCTETS("tx_host_octets", "HGOTC", 0x4130, "Octets of the frames in HGPTC",
		     .revisions = E1000E_NEW, E1000_TX_DATA(ANY, MACSTATS_ANY)),
	/* Such frames are good ones, too. That their length is legal is inferred. */
	E1000_ROW("rx_in_range_length_errors", "LENERRS", 0x4138,
		  "Good received frames whose length field is wrong", .revisions = E1000E_NEW,
		  E1000_RX(E1000_BAD_CRC, .kind = MACSTATS_DATA, .excess = MACSTATS_WITHIN_MAX,
			   .size = MACSTATS_SIZE_64_UP, .errors = MACSTATS_ERR_PAYLOAD_LENGTH),
		  MACSTATS_FEEDS(IN_RANGE_LENGTH_ERRORS)),
	E1000E_NEVER(E1000E_I225, "tx_low_power_idle", "TLPIC", 0x4148,
		     "Periods of low power idle on transmit: stays 0"),
	E1000E_NEVER(E1000E_I225, "rx_low_power_idle", "RLPIC", 0x414c,
		     "Periods of low power idle on receive: stays 0"),
};

MACSTATS_TABLE const struct macstats_model e1000e_model = {
	.name = "e1000e", .title = "Intel PCI Express Gigabit Ethernet controller",
	.datasheet = "Intel Ethernet Controller I210 Data Sheet, Statistics Registers",
	.drivers = { "e1000e", "igb", "igc" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 2500000000ull,
	MACSTATS_ROWS(counters, e1000e_counters), MACSTATS_ROWS(registers, e1000_registers),
	.blocks = { { .name = "statistics" } }, .n_blocks = 1,
	.reserved = {
		{ 0x408c, 0x408f, MACSTATS_READS_HIGH_WORD },
		{ 0x4094, 0x4097, MACSTATS_READS_HIGH_WORD },
		{ 0x40c4, 0x40c7, MACSTATS_READS_HIGH_WORD },
		{ 0x40cc, 0x40cf, MACSTATS_READS_HIGH_WORD },
		{ 0x412c, 0x412f, MACSTATS_READS_HIGH_WORD },
		{ 0x4134, 0x4137, MACSTATS_READS_HIGH_WORD },
	}, .n_reserved = 6,
	.sizes = { .edge = MACSTATS_RMON_EDGES },
	.max_frame_switch = { 1522, 16384 },
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.tx_pad_to = MACSTATS_FRAME_MIN,	/* inferred: padding is enabled */
	.data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS |
		   MACSTATS_OPT_REVISIONS,
	.default_options = MACSTATS_OPT_STATISTICS,
	.revisions = { "82574", "pch", "i350", "i225" },
	.power_up = MACSTATS_POWER_UP_RANDOM,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_E1000E_H */
