/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * TI CPSW of K3 processors (AM65x, AM64x, AM62x, J721E, J7200): the statistics block of an
 * Ethernet port. Data only.
 *
 * Source of offsets and names: AM64x Technical Reference Manual, SPRUIM2H, table 12-1187
 * (CPSW0_STATN), and the driver am65-cpsw of Linux; of what good, long and short frames are, and
 * what reads and writes do: the DRA821 manual, SPRUIU1C. Rows with the offset and the name of one
 * of the AM335x (cpsw.h) have its rule, but for fragments (inferred). "Inferred" marks what none of
 * these says.
 *
 * Addresses are octets from the base of the subsystem, and those of port 1: the registers of port n
 * are 0x1000 * (n - 1) behind, and its counters 0x200 * (n - 1). STAT_PORT_EN has a bit for each
 * port. While any is set, a 32-bit write decrements a counter; otherwise it is stored, and nothing
 * counts.
 *
 * No frame of the emulation shows what the address lookup engine (ALE) finds or drops. None has a
 * priority: all are counted under priority 0. None is preempted, so that the counters of the MAC
 * Merge sublayer (IET) stay at 0. All other counters are those of both of its MACs together.
 *
 * Standard statistics: see cpsw.h. The size counters mix both directions, so there is no histogram.
 * IET_RX_FRAG lacks fragments with an assembly error, which MACMergeFragCountRx has (am65-cpsw).
 */
#ifndef MACSTATS_MODEL_AM65_CPSW_H
#define MACSTATS_MODEL_AM65_CPSW_H

#include "../schema.h"

MACSTATS_MODEL_BEGIN

enum am65_cpsw_mask {
	AM65_RX_BAD = MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE,
	AM65_ALIGN_CODE = MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE,
	AM65_LOST = MACSTATS_ERR_CARRIER_LOSS | MACSTATS_ERR_UNDERRUN,
	AM65_NOT_LATE = MACSTATS_ERR_LATE_COLLISION | AM65_LOST,
	AM65_TX_BAD = MACSTATS_ERR_EXCESSIVE_COLLISIONS | AM65_NOT_LATE,
	AM65_NOT_SENT = MACSTATS_ERR_LATE_COLLISION | MACSTATS_ERR_EXCESSIVE_COLLISIONS |
			MACSTATS_ERR_CARRIER_LOSS,
	AM65_COLLIDED = MACSTATS_ONE_COLLISION | MACSTATS_SEVERAL_COLLISIONS |
			MACSTATS_SIXTEEN_COLLISIONS,
	AM65_LARGE = MACSTATS_SIZE_1024_TO_1518 | MACSTATS_SIZE_1519_UP,
};

enum am65_cpsw_base { AM65_NU = 0x20000, AM65_PORT = 0x22000, AM65_STATS = 0x3a200 };

/* Counters are 32 bits wide, which roll over; a write decrements them. */
#define AM65_COUNTER(name_, reg_, offset_, unit_, help_, ...)				\
	MACSTATS_ROW(name_, reg_, AM65_STATS + (offset_), help_, .bits = 32,		\
		     .unit = MACSTATS_##unit_, .onwrite = MACSTATS_ONWRITE_DECREMENT, __VA_ARGS__)
#define AM65_ROW(name_, reg_, offset_, help_, ...) \
	AM65_COUNTER(name_, reg_, offset_, FRAMES, help_, __VA_ARGS__)
#define AM65_RX(name_, reg_, offset_, help_, ...) \
	AM65_ROW("rx_" name_, "RX" reg_, offset_, "Received frames " help_, __VA_ARGS__)
#define AM65_TX(name_, reg_, offset_, help_, ...) \
	AM65_ROW("tx_" name_, "TX" reg_, offset_, "Frames " help_, __VA_ARGS__)
#define AM65_UNSEEN(name_, reg_, offset_, unit_, help_) \
	AM65_COUNTER(name_, reg_, offset_, unit_, help_, .never = true)
#define AM65_ALE(name_, reg_, offset_, help_) \
	AM65_UNSEEN("rx_ale_" name_, "ALE_" reg_, offset_, FRAMES, "Received frames " help_)
#define AM65_IET(never, name_, reg_, offset_, help_, ...) \
	AM65_ROW(name_, "IET_" reg_, offset_, help_, never, MACSTATS_FEEDS(__VA_ARGS__))
#define AM65_UNKNOWN(to, reg_, offset_)							\
	AM65_ALE("unknown_" to "_frames", "UNKN_" reg_, offset_, "to unknown " to " addresses"), \
	AM65_UNSEEN("rx_ale_unknown_" to "_octets", "ALE_UNKN_" reg_ "_BCNT", (offset_) + 4, \
		    OCTETS, "Octets of received frames to unknown " to " addresses")
/* A row of each priority. */
#define AM65_PRIORITY(k, name_, reg_, offset_, unit_, help_, ...)			\
	AM65_COUNTER("tx_pri" #k "_" name_, "TX_PRI" #k reg_, (offset_) + 4 * (k), unit_, \
		     help_, MACSTATS_INDEX(PRIORITY, k), __VA_ARGS__)
#define AM65_SIZE(i, name_, reg_, text, size_)						\
	AM65_ROW("rxtx_" name_ "_octet_frames", "OCTETFRAMES" reg_, 0x68 + 4 * (i),	\
		 "Received and transmitted frames of " text " without late or excessive "	\
		 "collisions or carrier sense error",					\
		 .when = { { .direction = MACSTATS_RX | MACSTATS_TX, .size = size_,	\
			     .no_errors = AM65_NOT_SENT } }),

/* Received frames of legal length; good ones; good transmitted ones. */
#define AM65_LEGAL(...) \
	MACSTATS_WHEN_RX(.excess = MACSTATS_WITHIN_MAX, .size = MACSTATS_SIZE_64_UP, __VA_ARGS__)
#define AM65_RX_GOOD(to)								\
	MACSTATS_WHEN_RX(.destination = MACSTATS_##to, .excess = MACSTATS_WITHIN_MAX,	\
			 .size = MACSTATS_SIZE_64_UP, .no_errors = AM65_RX_BAD)
#define AM65_TX_GOOD(to) \
	MACSTATS_WHEN_TX(.destination = MACSTATS_##to, .no_errors = AM65_TX_BAD)
/* Those that the MAC makes have no priority (inferred). */
#define AM65_TX_BY_SOFTWARE \
	MACSTATS_WHEN_TX(.origin = MACSTATS_BY_SOFTWARE, .no_errors = AM65_TX_BAD)

MACSTATS_TABLE const struct macstats_counter am65_cpsw_counters[] = {
	AM65_RX("good_frames", "GOODFRAMES", 0x00,
		"of 64 octets up to RX_MAXLEN without CRC, alignment or code error, overrun or not",
		AM65_RX_GOOD(ANY), .standard = { MACSTATS_PLUS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS),
						 { MACSTATS_STD_RTNL_RX_BYTES, -4 } }),
	AM65_RX("broadcast_frames", "BROADCASTFRAMES", 0x04, "to the broadcast address, good",
		AM65_RX_GOOD(BROADCAST), MACSTATS_FEEDS(BROADCAST_FRAMES_RECEIVED_OK)),
	AM65_RX("multicast_frames", "MULTICASTFRAMES", 0x08,
		"to a multicast address other than broadcast, good, pause frames included",
		AM65_RX_GOOD(MULTICAST),
		MACSTATS_FEEDS(MULTICAST_FRAMES_RECEIVED_OK, RTNL_MULTICAST)),
	AM65_RX("pause_frames", "PAUSEFRAMES", 0x0c,
		"that are good pause frames while TX_FLOW_EN is set; also counted by their address",
		MACSTATS_WHEN_RX(.kind = MACSTATS_PAUSE, .excess = MACSTATS_WITHIN_MAX,
				 .size = MACSTATS_SIZE_64_UP, .no_errors = AM65_RX_BAD,
				 .with = MACSTATS_OPT_SETTING), MACSTATS_FEEDS(RX_PAUSE_FRAMES)),
	AM65_RX("crc_errors", "CRCERRORS", 0x10,
		"of 64 octets up to RX_MAXLEN with a CRC error, but no alignment or code error",
		AM65_LEGAL(.errors = MACSTATS_ERR_FCS, .no_errors = AM65_ALIGN_CODE),
		MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_ERRORS, RTNL_RX_CRC_ERRORS)),
	AM65_RX("align_code_errors", "ALIGNCODEERRORS", 0x14,
		"of 64 octets up to RX_MAXLEN with an alignment or code error",
		AM65_LEGAL(.errors = AM65_ALIGN_CODE), MACSTATS_FEEDS(RTNL_RX_ERRORS)),
	AM65_RX("oversize_frames", "OVERSIZEDFRAMES", 0x18,
		"longer than RX_MAXLEN without CRC, alignment or code error",
		MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .no_errors = AM65_RX_BAD),
		MACSTATS_FEEDS(OVERSIZE_PKTS, FRAME_TOO_LONG_ERRORS, RTNL_RX_ERRORS,
			       RTNL_RX_LENGTH_ERRORS)),
	AM65_RX("jabbers", "JABBERFRAMES", 0x1c,
		"longer than RX_MAXLEN with a CRC, alignment or code error",
		MACSTATS_WHEN_RX(.excess = MACSTATS_OVER_MAX, .errors = AM65_RX_BAD),
		MACSTATS_FEEDS(JABBERS, FRAME_TOO_LONG_ERRORS, RTNL_RX_ERRORS,
			       RTNL_RX_LENGTH_ERRORS)),
	AM65_RX("undersize_frames", "UNDERSIZEDFRAMES", 0x20,
		"of less than 64 octets without CRC, alignment or code error",
		MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .no_errors = AM65_RX_BAD),
		MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_ERRORS)),
	/* SPRUIU1C: any short frame with such an error, control frames and collisions, too. */
	AM65_RX("fragments", "FRAGMENTS", 0x24,
		"of less than 64 octets with a CRC, alignment or code error",
		MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .errors = AM65_RX_BAD),
		MACSTATS_FEEDS(FRAGMENTS, RTNL_RX_ERRORS)),
	AM65_ALE("drops", "DROP", 0x28, "that the ALE dropped"),
	AM65_ALE("overrun_drops", "OVERRUN_DROP", 0x2c, "dropped as the ALE was not in time"),
	AM65_COUNTER("rx_octets", "RXOCTETS", 0x30, OCTETS,
		     "Octets of good received frames, FCS included", AM65_RX_GOOD(ANY),
		     MACSTATS_FEEDS(RTNL_RX_BYTES)),
	AM65_TX("good_frames", "GOODFRAMES", 0x34, "of any length sent without late or excessive "
		"collisions, carrier loss or underrun", AM65_TX_GOOD(ANY),
		.standard = { MACSTATS_PLUS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS),
			      { MACSTATS_STD_RTNL_TX_BYTES, -4 } }),
	AM65_TX("broadcast_frames", "BROADCASTFRAMES", 0x38, "sent to the broadcast address, good",
		AM65_TX_GOOD(BROADCAST), MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK)),
	AM65_TX("multicast_frames", "MULTICASTFRAMES", 0x3c,
		"sent to a multicast address other than broadcast, good, pause frames included",
		AM65_TX_GOOD(MULTICAST), MACSTATS_FEEDS(MULTICAST_FRAMES_XMITTED_OK)),
	AM65_TX("pause_frames", "PAUSEFRAMES", 0x40,
		"for flow control that the MAC made itself; good, multicast, of 64 octets",
		MACSTATS_WHEN_TX(.kind = MACSTATS_PAUSE, .origin = MACSTATS_BY_MAC),
		MACSTATS_FEEDS(TX_PAUSE_FRAMES)),
	/* In the newer AM275x this place counts frames sent with a CRC error (SPRUJC6A). */
	AM65_TX("deferred_frames", "DEFERREDFRAMES", 0x44, "that found the medium busy at first, "
		"and then had no collision, carrier loss or underrun",
		MACSTATS_WHEN_TX(.collisions = MACSTATS_NO_COLLISION, .deferred = true,
				 .no_errors = AM65_LOST),
		MACSTATS_FEEDS(FRAMES_WITH_DEFERRED_XMISSIONS)),
	AM65_COUNTER("rxtx_collisions", "TXCOLLISIONFRAMES", 0x48, COLLISIONS,
		     "Collisions, late ones too, of frames sent without carrier loss or underrun, "
		     "and those that flow control forces on received ones in half duplex",
		     .when = { { .direction = MACSTATS_TX, .no_errors = AM65_LOST },
			       { .direction = MACSTATS_RX, .collisions = AM65_COLLIDED,
				 .with = MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SETTING_2 } },
		     MACSTATS_FEEDS(RTNL_COLLISIONS)),
	AM65_TX("single_collision_frames", "SINGLECOLLFRAMES", 0x4c,
		"sent after exactly one collision, which was not late",
		MACSTATS_WHEN_TX(.collisions = MACSTATS_ONE_COLLISION, .no_errors = AM65_NOT_LATE),
		MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),
	AM65_TX("multiple_collision_frames", "MULTCOLLFRAMES", 0x50,
		"sent after 2 to 15 collisions, none of them late",
		MACSTATS_WHEN_TX(.collisions = MACSTATS_SEVERAL_COLLISIONS,
				 .no_errors = AM65_NOT_LATE),
		MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),
	AM65_TX("excessive_collisions", "EXCESSIVECOLLISIONS", 0x54,
		"given up after 16 collisions, none of them late",
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_EXCESSIVE_COLLISIONS,
				 .no_errors = AM65_NOT_LATE),
		MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ERRORS,
			       RTNL_TX_ABORTED_ERRORS)),
	AM65_TX("late_collisions", "LATECOLLISIONS", 0x58, "given up after a late collision",
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_LATE_COLLISION),
		MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_TX_ERRORS, RTNL_TX_WINDOW_ERRORS)),
	/* Of ports with 10 Gb/s alone (am65-cpsw). */
	AM65_RX("ipg_errors", "IPGERROR", 0x5c, "after a gap that was too short",
		MACSTATS_ERRORS_NEVER_SEEN),
	AM65_TX("carrier_sense_errors", "CARRIERSENSEERRORS", 0x60, "sent without carrier sense",
		MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_CARRIER_LOSS),
		MACSTATS_FEEDS(CARRIER_SENSE_ERRORS, RTNL_TX_ERRORS, RTNL_TX_CARRIER_ERRORS)),
	AM65_COUNTER("tx_octets", "TXOCTETS", 0x64, OCTETS,
		     "Octets of good transmitted frames, FCS included", AM65_TX_GOOD(ANY),
		     MACSTATS_FEEDS(RTNL_TX_BYTES)),
	MACSTATS_RMON_ROWS_TO_1023(AM65_SIZE, "_", "T")
	AM65_ROW("rxtx_1024_up_octet_frames", "OCTETFRAMES1024", 0x7c,
		 "Received frames of 1024 octets up to RX_MAXLEN and transmitted ones of 1024 and "
		 "more, without late or excessive collisions or carrier sense error",
		 .when = { { .direction = MACSTATS_RX, .excess = MACSTATS_WITHIN_MAX,
			     .size = AM65_LARGE, .no_errors = AM65_NOT_SENT },
			   { .direction = MACSTATS_TX, .size = AM65_LARGE,
			     .no_errors = AM65_NOT_SENT } }),
	AM65_COUNTER("rxtx_net_octets", "NETOCTETS", 0x80, WIRE_OCTETS,
		     "Octets of all frames, whatever became of them, and of attempts that collided",
		     .when = { { .direction = MACSTATS_RX | MACSTATS_TX } }),
	/* Overruns are at the bottom, where the AM335x has those at the start (inferred). */
	AM65_RX("bottom_of_fifo_drops", "_BOTTOM_OF_FIFO_DROP", 0x84, "that found no room",
		MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_OVERRUN),
		MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
	AM65_UNSEEN("rx_portmask_drops", "PORTMASK_DROP", 0x88, FRAMES,
		    "Received frames whose mask of destination ports was empty"),
	AM65_RX("top_of_fifo_drops", "_TOP_OF_FIFO_DROP", 0x8c, "that found no room further on",
		MACSTATS_ERRORS_NEVER_SEEN, MACSTATS_FEEDS(RTNL_RX_MISSED_ERRORS)),
	AM65_ALE("rate_limit_drops", "RATE_LIMIT_DROP", 0x90, "dropped by a rate limit"),
	AM65_ALE("vid_ingress_drops", "VID_INGRESS_DROP", 0x94, "of a VLAN without this port"),
	AM65_ALE("da_eq_sa_drops", "DA_EQ_SA_DROP", 0x98, "whose addresses were the same"),
	AM65_ALE("block_drops", "BLOCK_DROP", 0x9c, "with a blocked address"),
	AM65_ALE("secure_drops", "SECURE_DROP", 0xa0, "with a secure address on another port"),
	AM65_ALE("auth_drops", "AUTH_DROP", 0xa4, "dropped by authentication"),
	AM65_UNKNOWN("unicast", "UNI", 0xa8),
	AM65_UNKNOWN("multicast", "MLT", 0xb0),
	AM65_UNKNOWN("broadcast", "BRD", 0xb8),
	AM65_ALE("pol_matches", "POL_MATCH", 0xc0, "that matched a policer"),
	AM65_ALE("pol_red_matches", "POL_MATCH_RED", 0xc4, "that were red by a policer"),
	AM65_ALE("pol_yellow_matches", "POL_MATCH_YELLOW", 0xc8, "that were yellow by a policer"),
	AM65_ALE("multicast_sa_drops", "MULT_SA_DROP", 0xcc, "with a multicast source address"),
	AM65_ALE("dual_vlan_drops", "DUAL_VLAN_DROP", 0xd0, "dropped for two VLAN tags"),
	AM65_ALE("len_error_drops", "LEN_ERROR_DROP", 0xd4, "dropped for a wrong length field"),
	AM65_ALE("ip_next_hdr_drops", "IP_NEXT_HDR_DROP", 0xd8, "dropped for their next header"),
	AM65_ALE("ipv4_frag_drops", "IPV4_FRAG_DROP", 0xdc, "dropped as fragments of IPv4"),
	AM65_IET(MACSTATS_ERRORS_NEVER_SEEN, "rx_iet_assembly_errors", "RX_ASSEMBLY_ERROR", 0x140,
		 "Received fragments whose frame or fragment count was wrong",
		 MAC_MERGE_FRAME_ASS_ERROR_COUNT, MAC_MERGE_FRAG_COUNT_RX),
	AM65_IET(.never = true, "rx_iet_assembly_ok", "RX_ASSEMBLY_OK", 0x144,
		 "Received frames assembled from fragments", MAC_MERGE_FRAME_ASS_OK_COUNT),
	AM65_IET(MACSTATS_ERRORS_NEVER_SEEN, "rx_iet_smd_errors", "RX_SMD_ERROR", 0x148,
		 "Received frames with a wrong start delimiter", MAC_MERGE_FRAME_SMD_ERROR_COUNT),
	AM65_IET(.never = true, "rx_iet_fragments", "RX_FRAG", 0x14c,
		 "Good fragments received behind the first of a frame", MAC_MERGE_FRAG_COUNT_RX),
	AM65_IET(.never = true, "tx_iet_holds", "TX_HOLD", 0x150,
		 "Times that preemptible frames were held", MAC_MERGE_HOLD_COUNT),
	AM65_IET(.never = true, "tx_iet_fragments", "TX_FRAG", 0x154,
		 "Fragments sent behind the first of a frame", MAC_MERGE_FRAG_COUNT_TX),
	AM65_ROW("tx_memory_protect_errors", "TX_MEMORY_PROTECT_ERROR", 0x17c,
		 "Frames not sent, as their memory was damaged", MACSTATS_ERRORS_NEVER_SEEN),
	MACSTATS_EACH_OF_8(AM65_PRIORITY, "frames", "", 0x180, FRAMES,
			   "Good transmitted frames of this priority", AM65_TX_BY_SOFTWARE),
	MACSTATS_EACH_OF_8(AM65_PRIORITY, "octets", "_BCNT", 0x1a0, OCTETS,
			   "Octets of good transmitted frames of this priority",
			   AM65_TX_BY_SOFTWARE),
	MACSTATS_EACH_OF_8(AM65_PRIORITY, "drops", "_DROP", 0x1c0, FRAMES,
			   "Frames of this priority that found no room",
			   MACSTATS_ERRORS_NEVER_SEEN),
	MACSTATS_EACH_OF_8(AM65_PRIORITY, "dropped_octets", "_DROP_BCNT", 0x1e0, OCTETS,
			   "Octets of frames of this priority that found no room", .never = true),
};

MACSTATS_TABLE const struct macstats_register am65_cpsw_registers[] = {
	/* The value of the AM65x; others differ in their version (inferred). */
	MACSTATS_STAT_REGISTER(RO, "CPSW_ID_VER", AM65_NU + 0x00, 0x6ba80100,
			       "Identification and version of the switch", .fields = {
		MACSTATS_FIELD(RO, "version", 0, 16, "Version, major, minor and of the RTL"),
		MACSTATS_FIELD(RO, "ident", 16, 16, "Identification",
			       .roles = MACSTATS_ROLE_IDENTITY) }),
	MACSTATS_STAT_REGISTER(RW, "CPSW_STAT_PORT_EN", AM65_NU + 0x14, 0,
			       "Ports whose statistics are enabled; none: nothing counts, writes "
			       "are stored", .fields = {
		MACSTATS_FIELD(RW, "p_stat_en", 0, 9, "A bit for each port, 0 is the host's",
			       .roles = MACSTATS_ROLE_GATE) }),
	MACSTATS_REGISTER(RW, "CPSW_PN_RX_MAXLEN", AM65_PORT + 0x24, 1518,
			  "Longest frame received without being counted as oversize", .fields = {
		MACSTATS_FIELD(RW, "rx_maxlen", 0, 14, "Octets, FCS included",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX) }),
	MACSTATS_REGISTER(RW, "CPSW_PN_MAC_CONTROL", AM65_PORT + 0x330, 0x18,
			  "Control of the MAC; flow control is on, as drivers set it", .fields = {
		MACSTATS_FIELD(RW, "rx_flow_en", 3, 1,
			       "Exert flow control: by pause frames or, in half duplex, collisions",
			       .roles = MACSTATS_ROLE_FLOW_CONTROL | MACSTATS_ROLE_SETTING_2),
		MACSTATS_FIELD(RW, "tx_flow_en", 4, 1, "Act upon received pause frames",
			       .roles = MACSTATS_ROLE_SETTING) }),
};

MACSTATS_TABLE const struct macstats_model am65_cpsw_model = {
	.name = "am65_cpsw", .title = "TI CPSW Ethernet port of AM65x, AM64x and J721E",
	.datasheet = "TI SPRUIM2H (2023-10), table 12-1187",
	.drivers = { "am65-cpsw-nuss" },
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000ull,
	MACSTATS_ROWS(counters, am65_cpsw_counters), MACSTATS_ROWS(registers, am65_cpsw_registers),
	.blocks = { { .name = "stats" } }, .n_blocks = 1,
	.reserved = { { AM65_STATS + 0xe0, AM65_STATS + 0x13f, MACSTATS_READS_ZERO },
		      { AM65_STATS + 0x158, AM65_STATS + 0x17b, MACSTATS_READS_ZERO } },
	.n_reserved = 2,	/* inferred */
	.regions = { { "nu", AM65_NU, AM65_NU + 0xfff }, { "port", AM65_PORT, AM65_PORT + 0xfff },
		     { "stats", AM65_STATS, AM65_STATS + 0x1ff } }, .n_regions = 3,
	.sizes = { .edge = MACSTATS_RMON_EDGES }, .ieee_own_pause = true,
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_SPEEDS,
	.default_options = MACSTATS_OPT_STATISTICS,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_AM65_CPSW_H */
