/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * IDT 79RC32438: one of its two Ethernet interfaces, with five statistics registers and the status
 * of its descriptors. Data only.
 *
 * Source: 79RC32438 User Reference Manual, 2002-11-04, 11-16. That page describes how to read the
 * counters, and the bits of a descriptor. The names, addresses and fields of the registers, and
 * the places of the bits in a descriptor, are those of the Linux and FreeBSD drivers for the same
 * interface. "Inferred" marks facts that neither gives: the exact rules of the counters come from
 * the same MAC core in another chip (Digi NS9750 Hardware Reference), reset values from that core
 * elsewhere.
 *
 * "Each counter increments by one" is true of three: RBC and TBC count octets. There is no
 * register for transmitted frames, errors or collisions. The rows after TBC are software counters,
 * fed by the status that the MAC writes back. Only the last descriptor of a packet has a valid
 * status, so all of them require LD.
 *
 * Standard statistics. Packets, octets and errors are those of descriptors: RBC, RPC and TBC mix
 * good and bad frames, and TBC has pause frames of the MAC. Received frames below 64 octets have
 * no descriptor; RUPC and RFC give their errors. A frame without a free descriptor leaves no trace
 * but in RPC, so IEEE statistics of reception would not be exact and are absent. By the definition
 * of TOK a frame with a CRC or length error is OK.
 */
#ifndef MACSTATS_MODEL_RC32438_H
#define MACSTATS_MODEL_RC32438_H

#include "../feature/descriptors.h"

MACSTATS_MODEL_BEGIN

/* Bits of the status of transmit and receive descriptors, which have FD and LD in common. */
enum rc32438_status {
	RC32438_TX_FD = 1 << 0, RC32438_TX_LD = 1 << 1, RC32438_TX_OEN = 1 << 2,
	RC32438_TX_CEN = 1 << 4, RC32438_TX_HFE = 1 << 5, RC32438_TX_TOK = 1 << 6,
	RC32438_TX_MP = 1 << 7, RC32438_TX_BP = 1 << 8, RC32438_TX_UND = 1 << 9,
	RC32438_TX_OF = 1 << 10, RC32438_TX_ED = 1 << 11, RC32438_TX_EC = 1 << 12,
	RC32438_TX_LC = 1 << 13, RC32438_TX_TD = 1 << 14, RC32438_TX_CRC = 1 << 15,
	RC32438_TX_LE = 1 << 16, RC32438_TX_CC = 0xf << 17,
	RC32438_RX_ROK = 1 << 2, RC32438_RX_MP = 1 << 4, RC32438_RX_BP = 1 << 5,
	RC32438_RX_OVR = 1 << 8, RC32438_RX_CRC = 1 << 9, RC32438_RX_CV = 1 << 10,
	RC32438_RX_DB = 1 << 11, RC32438_RX_LE = 1 << 12,
};

#define RC32438_BAD_CRC	(MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT)
#define RC32438_PAF	MACSTATS_OPT_SETTING	/* of ETHMAC1 */
#define RC32438_HFE	MACSTATS_OPT_SETTING_2	/* of ETHMAC2 */

/* Registers are 32 bits wide, which roll over; a read clears them. */
#define RC32438_ROW(name_, reg_, offset_, unit_, help_, ...)				\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32, .unit = MACSTATS_##unit_,	\
		     .onread = MACSTATS_ONREAD_RCLR, __VA_ARGS__)
/* Software counters, of the last descriptor of a packet with these bits set and clear. */
#define RC32438_TX(name_, reg_, unit_, help_, ...)					\
	MACSTATS_ROW(name_, reg_, 0xffffffff, help_, .bits = 64, .unit = MACSTATS_##unit_, \
		     __VA_ARGS__)
#define RC32438_LAST(set, clear) \
	.mask = RC32438_TX_LD | (set) | (clear), .value = RC32438_TX_LD | (set)
#define RC32438_RX(name_, reg_, unit_, help_, set, clear, ...)				\
	RC32438_TX(name_, reg_, unit_, help_,						\
		   .status = { .received = true, RC32438_LAST(set, clear),		\
			       .adds_octets = MACSTATS_##unit_ == MACSTATS_OCTETS }, __VA_ARGS__)

MACSTATS_TABLE const struct macstats_counter rc32438_counters[] = {
	/* Good and bad, from the destination address to the FCS: inferred. */
	RC32438_ROW("rx_rbc", "RBC", 0x120, OCTETS,
		    "Octets of received frames, good or bad, FCS included", MACSTATS_WHEN_RX()),
	/* Good and bad, to any address: inferred. */
	RC32438_ROW("rx_rpc", "RPC", 0x124, FRAMES, "Received frames of any length, good or bad",
		    MACSTATS_WHEN_RX()),
	/* The length field of a well-formed frame may have any value: inferred. */
	RC32438_ROW("rx_rupc", "RUPC", 0x128, FRAMES,
		    "Received frames of less than 64 octets that are otherwise well formed",
		    MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64,
				     .no_errors = RC32438_BAD_CRC | MACSTATS_ERR_CODE),
		    MACSTATS_FEEDS(UNDERSIZE_PKTS, RTNL_RX_ERRORS)),
	/* A whole number of octets or not: inferred. */
	RC32438_ROW("rx_rfc", "RFC", 0x12c, FRAMES,
		    "Received frames of less than 64 octets with an FCS or alignment error",
		    MACSTATS_WHEN_RX(.size = MACSTATS_SIZE_UNDER_64, .errors = RC32438_BAD_CRC),
		    MACSTATS_FEEDS(FRAGMENTS, RTNL_RX_ERRORS)),
	/* Attempts that collided, without preamble and jam: inferred. */
	RC32438_ROW("tx_tbc", "TBC", 0x130, WIRE_OCTETS,
		    "Octets put on the wire, FCS and attempts that collided included",
		    MACSTATS_WHEN_TX()),

	/* From transmit descriptors. */
	RC32438_TX("tx_ok", "TOK", FRAMES,
		   "Frames sent whole, those with a CRC or length error included",
		   .status = { RC32438_LAST(RC32438_TX_TOK, 0) },
		   MACSTATS_FEEDS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS)),
	RC32438_TX("tx_ok_octets", "COUNT", OCTETS, "Octets of the frames sent whole, without FCS",
		   .status = { RC32438_LAST(RC32438_TX_TOK, 0), .adds_octets = true },
		   MACSTATS_FEEDS(RTNL_TX_BYTES)),
	/* A frame may have several reasons: this counts it once. */
	RC32438_TX("tx_not_ok", "TOK=0", FRAMES,
		   "Frames whose transmission was aborted, for whatever reason",
		   .status = { RC32438_LAST(0, RC32438_TX_TOK) }, MACSTATS_FEEDS(RTNL_TX_ERRORS)),
	/* Whether MP comes with BP is not stated: a broadcast frame is not counted. */
	RC32438_TX("tx_multicast_packet", "MP", FRAMES,
		   "Frames sent whole to a multicast address, broadcast excluded",
		   .status = { RC32438_LAST(RC32438_TX_TOK | RC32438_TX_MP, RC32438_TX_BP) },
		   MACSTATS_FEEDS(MULTICAST_FRAMES_XMITTED_OK)),
	RC32438_TX("tx_broadcast_packet", "BP", FRAMES,
		   "Frames sent whole to the broadcast address",
		   .status = { RC32438_LAST(RC32438_TX_TOK | RC32438_TX_BP, 0) },
		   MACSTATS_FEEDS(BROADCAST_FRAMES_XMITTED_OK)),
	RC32438_TX("tx_fifo_underflow", "UND", FRAMES,
		   "Frames aborted because the output FIFO ran empty",
		   .status = { RC32438_LAST(RC32438_TX_UND, 0) },
		   MACSTATS_FEEDS(FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, RTNL_TX_FIFO_ERRORS)),
	RC32438_TX("tx_oversized_frame", "OF", FRAMES, "Frames cut at the maximum frame length",
		   .status = { RC32438_LAST(RC32438_TX_OF, 0) }),
	RC32438_TX("tx_excessive_deferral", "ED", FRAMES,
		   "Frames aborted because of excessive deferral",
		   .status = { RC32438_LAST(RC32438_TX_ED, 0) },
		   MACSTATS_FEEDS(FRAMES_WITH_EXCESSIVE_DEFERRAL)),
	RC32438_TX("tx_excessive_collisions", "EC", FRAMES,
		   "Frames aborted because of excessive collisions",
		   .status = { RC32438_LAST(RC32438_TX_EC, 0) },
		   MACSTATS_FEEDS(FRAMES_ABORTED_DUE_TO_XS_COLLS, RTNL_TX_ABORTED_ERRORS)),
	/* Each has collided at every attempt: the retransmissions of MAX_RET, and the first. */
	RC32438_TX("tx_excessive_collision_attempts", "EC*", COLLISIONS,
		   "Collisions of frames aborted because of excessive collisions",
		   .status = { RC32438_LAST(RC32438_TX_EC, 0), .adds_attempts = true },
		   MACSTATS_FEEDS(RTNL_COLLISIONS)),
	/* How often such a frame collided before is not known: CC is valid with TOK only. */
	RC32438_TX("tx_late_collision", "LC", FRAMES,
		   "Frames aborted because of a collision beyond the collision window",
		   .status = { RC32438_LAST(RC32438_TX_LC, 0) },
		   MACSTATS_FEEDS(LATE_COLLISIONS, RTNL_TX_WINDOW_ERRORS, RTNL_COLLISIONS)),
	/* IEEE 802.3 30.3.1.1.9 leaves out frames that collided. */
	RC32438_TX("tx_deferred", "TD", FRAMES,
		   "Frames sent whole and without a collision, deferred on the first attempt",
		   .status = { RC32438_LAST(RC32438_TX_TOK | RC32438_TX_TD,
					    RC32438_TX_EC | RC32438_TX_CC) },
		   MACSTATS_FEEDS(FRAMES_WITH_DEFERRED_XMISSIONS)),
	/* To be ignored where the MAC appends the CRC: CEN of the first descriptor or ETHMAC2. */
	RC32438_TX("tx_crc_error", "CRC", FRAMES,
		   "Frames with a CRC from software that is not the MAC's",
		   .status = { RC32438_LAST(RC32438_TX_CRC, RC32438_TX_CEN) }),
	RC32438_TX("tx_length_error", "LE", FRAMES,
		   "Frames with a length field that is not their length",
		   .status = { RC32438_LAST(RC32438_TX_LE, 0) }),
	RC32438_TX("tx_single_collision", "CC=1", FRAMES, "Frames sent whole after one collision",
		   .status = { RC32438_LAST(RC32438_TX_TOK, RC32438_TX_EC), .low = 1, .high = 1 },
		   MACSTATS_FEEDS(SINGLE_COLLISION_FRAMES)),
	RC32438_TX("tx_multiple_collision", "CC>1", FRAMES,
		   "Frames sent whole after several collisions",
		   .status = { RC32438_LAST(RC32438_TX_TOK, RC32438_TX_EC), .low = 2 },
		   MACSTATS_FEEDS(MULTIPLE_COLLISION_FRAMES)),
	RC32438_TX("tx_collision_count", "CC", COLLISIONS,
		   "Collisions of the frames that were sent whole",
		   .status = { RC32438_LAST(RC32438_TX_TOK, RC32438_TX_EC),
			       .adds_collisions = true },
		   MACSTATS_FEEDS(RTNL_COLLISIONS)),
	/* From receive descriptors: inferred from the names of the bits and the Linux driver. */
	RC32438_RX("rx_ok", "RX_ROK", FRAMES, "Frames received without error", RC32438_RX_ROK, 0,
		   .standard = { MACSTATS_PLUS(RTNL_RX_PACKETS),
				 { MACSTATS_STD_RTNL_RX_BYTES, -4 } }),
	RC32438_RX("rx_not_ok", "RX_ROK=0", FRAMES, "Frames received with any error",
		   0, RC32438_RX_ROK, MACSTATS_FEEDS(RTNL_RX_ERRORS)),
	RC32438_RX("rx_ok_octets", "RX_LENGTH", OCTETS,
		   "Octets of frames received without error, FCS included",
		   RC32438_RX_ROK, 0, MACSTATS_FEEDS(RTNL_RX_BYTES)),
	RC32438_RX("rx_multicast_packet", "RX_MP", FRAMES, "Good multicast frames, not broadcast",
		   RC32438_RX_ROK | RC32438_RX_MP, RC32438_RX_BP, MACSTATS_FEEDS(RTNL_MULTICAST)),
	RC32438_RX("rx_broadcast_packet", "RX_BP", FRAMES, "Good broadcast frames",
		   RC32438_RX_ROK | RC32438_RX_BP, 0, .never = true),
	/* The parts of rx_errors: a frame counts in one, that of its first cause. */
	RC32438_RX("rx_overrun", "RX_OVR", FRAMES, "Frames cut because the input FIFO was full",
		   RC32438_RX_OVR, 0, MACSTATS_FEEDS(RTNL_RX_FIFO_ERRORS)),
	RC32438_RX("rx_crc_error", "RX_CRC", FRAMES,
		   "Frames of whole octets with a CRC error, not cut",
		   RC32438_RX_CRC, RC32438_RX_DB | RC32438_RX_OVR,
		   MACSTATS_FEEDS(RTNL_RX_CRC_ERRORS)),
	RC32438_RX("rx_alignment_error", "RX_DB", FRAMES,
		   "Frames with dribble bits and CRC error, not cut",
		   RC32438_RX_CRC | RC32438_RX_DB, RC32438_RX_OVR,
		   MACSTATS_FEEDS(RTNL_RX_FRAME_ERRORS)),
	/* The Linux driver has them in rx_frame_errors, which are alignment errors. */
	RC32438_RX("rx_code_violation", "RX_CV", FRAMES, "Frames with a code violation",
		   RC32438_RX_CV, 0, .never = true),
	RC32438_RX("rx_length_error", "RX_LE", FRAMES,
		   "Frames without a CRC error, and not cut, whose length field is not theirs",
		   RC32438_RX_LE, RC32438_RX_CRC | RC32438_RX_OVR,
		   MACSTATS_FEEDS(RTNL_RX_LENGTH_ERRORS)),
};

/*
 * Reset values other than 0 are inferred, as are the access and texts of fields; the drivers write
 * 0 to OVR and UND to clear them.
 */
MACSTATS_TABLE const struct macstats_register rc32438_registers[] = {
	MACSTATS_REGISTER(RW, "ETHINTFC", 0x000, 0, "Interface control", .fields = {
		MACSTATS_FIELD(RW, "EN", 0, 1,
			       "Interface enabled; frames are counted whatever it is here"),
		MACSTATS_FIELD(RW, "ITS", 1, 1, "Ignore the transmit status"),
		MACSTATS_FIELD(RO, "RIP", 2, 1, "Reset in progress: the counters must not be read",
			       .roles = MACSTATS_ROLE_BUSY),
		MACSTATS_FIELD(RW, "JAM", 3, 1, "Not described by the sources"),
		MACSTATS_FIELD(RW, "OVR", 4, 1, "Input FIFO overflow"),
		MACSTATS_FIELD(RW, "UND", 5, 1, "Output FIFO underflow"),
		MACSTATS_FIELD(RW, "IOC", 6, 2, "Not described by the sources") }),
	MACSTATS_REGISTER(RW, "ETHFIFOTT", 0x004, 0, "Transmit FIFO threshold", .fields = {
		MACSTATS_FIELD(RW, "TTH", 0, 7, "Transmit threshold") }),
	MACSTATS_REGISTER(RW, "ETHARC", 0x008, 0, "Address recognition", .fields = {
		MACSTATS_FIELD(RW, "PRO", 0, 1, "Promiscuous mode"),
		MACSTATS_FIELD(RW, "AM", 1, 1, "Accept all multicast frames"),
		MACSTATS_FIELD(RW, "AFM", 2, 1, "Accept filtered multicast frames"),
		MACSTATS_FIELD(RW, "AB", 3, 1, "Accept broadcast frames") }),
	MACSTATS_REGISTER(RW, "ETHHASH0", 0x00c, 0, "Multicast hash table, low half"),
	MACSTATS_REGISTER(RW, "ETHHASH1", 0x010, 0, "Multicast hash table, high half"),
	MACSTATS_REGISTER(RW, "ETHPFS", 0x024, 0, "Pause frame status", .fields = {
		MACSTATS_FIELD(RW, "PFD", 0, 1, "Pause frame done") }),
	MACSTATS_REGISTER(RW, "ETHMCP", 0x028, 0, "MII clock prescaler", .fields = {
		MACSTATS_FIELD(RW, "DIV", 0, 8, "Divider of the MII management clock") }),
	MACSTATS_REGISTER(RW, "ETHSAL0", 0x100, 0, "Station address 0, low"),
	MACSTATS_REGISTER(RW, "ETHSAH0", 0x104, 0, "Station address 0, high", .fields = {
		MACSTATS_FIELD(RW, "ADDR", 0, 16, "Octets 0 and 1") }),
	MACSTATS_REGISTER(RW, "ETHSAL1", 0x108, 0, "Station address 1, low"),
	MACSTATS_REGISTER(RW, "ETHSAH1", 0x10c, 0, "Station address 1, high", .fields = {
		MACSTATS_FIELD(RW, "ADDR", 0, 16, "Octets 0 and 1") }),
	MACSTATS_REGISTER(RW, "ETHSAL2", 0x110, 0, "Station address 2, low"),
	MACSTATS_REGISTER(RW, "ETHSAH2", 0x114, 0, "Station address 2, high", .fields = {
		MACSTATS_FIELD(RW, "ADDR", 0, 16, "Octets 0 and 1") }),
	MACSTATS_REGISTER(RW, "ETHSAL3", 0x118, 0, "Station address 3, low"),
	MACSTATS_REGISTER(RW, "ETHSAH3", 0x11c, 0, "Station address 3, high", .fields = {
		MACSTATS_FIELD(RW, "ADDR", 0, 16, "Octets 0 and 1") }),
	MACSTATS_REGISTER(RW, "ETHGPF", 0x134, 0, "Generate a pause frame", .fields = {
		MACSTATS_FIELD(RW, "PTV", 0, 16, "Pause timer value") }),
	MACSTATS_REGISTER(RW, "ETHMAC1", 0x200, 0, "MAC configuration 1", .fields = {
		MACSTATS_FIELD(RW, "RE", 0, 1, "Receive enable"),
		MACSTATS_FIELD(RW, "PAF", 1, 1, "Pass all frames, control frames too",
			       .roles = MACSTATS_ROLE_SETTING),
		MACSTATS_FIELD(RW, "RFC", 2, 1,
			       "Receive flow control; not the counter of this name"),
		MACSTATS_FIELD(RW, "TFC", 3, 1, "Transmit flow control"),
		MACSTATS_FIELD(RW, "LB", 4, 1, "Loopback"),
		/* Bit 7 in the FreeBSD driver. */
		MACSTATS_FIELD(RW, "MR", 31, 1, "MAC reset") }),
	MACSTATS_REGISTER(RW, "ETHMAC2", 0x204, 0, "MAC configuration 2", .fields = {
		MACSTATS_FIELD(RW, "FD", 0, 1, "Full duplex"),
		MACSTATS_FIELD(RW, "FLC", 1, 1, "Frame length check"),
		MACSTATS_FIELD(RW, "HFE", 2, 1, "Huge frame enable: no maximum frame length",
			       .roles = MACSTATS_ROLE_ANY_LENGTH_TX |
					MACSTATS_ROLE_SETTING_2),
		MACSTATS_FIELD(RW, "DC", 3, 1, "Delayed CRC"),
		MACSTATS_FIELD(RW, "CEN", 4, 1, "CRC enable: the MAC appends it"),
		MACSTATS_FIELD(RW, "PE", 5, 1, "Pad enable"),
		MACSTATS_FIELD(RW, "VPE", 6, 1, "VLAN pad enable"),
		MACSTATS_FIELD(RW, "APE", 7, 1, "Automatic pad enable"),
		MACSTATS_FIELD(RW, "PPE", 8, 1, "Pure preamble enforcement"),
		MACSTATS_FIELD(RW, "LPE", 9, 1, "Long preamble enforcement"),
		MACSTATS_FIELD(RW, "NB", 12, 1, "No backoff"),
		MACSTATS_FIELD(RW, "BP", 13, 1, "No backoff after back pressure"),
		MACSTATS_FIELD(RW, "ED", 14, 1, "Excessive deferral allowed") }),
	MACSTATS_REGISTER(RW, "ETHIPGT", 0x208, 0, "Back-to-back inter-packet gap", .fields = {
		MACSTATS_FIELD(RW, "IPGT", 0, 7, "Gap") }),
	MACSTATS_REGISTER(RW, "ETHIPGR", 0x20c, 0, "Non-back-to-back inter-packet gap", .fields = {
		MACSTATS_FIELD(RW, "IPGR2", 0, 7, "Second part of the gap"),
		MACSTATS_FIELD(RW, "IPGR1", 8, 7, "First part of the gap") }),
	MACSTATS_REGISTER(RW, "ETHCLRT", 0x210, 0x370f,
			  "Collision window and retransmissions", .fields = {
		MACSTATS_FIELD(RW, "MAX_RET", 0, 4, "Retransmissions before a frame is aborted",
			       .roles = MACSTATS_ROLE_RETRY_LIMIT),
		MACSTATS_FIELD(RW, "COL_WIN", 8, 6, "Collision window") }),
	/* The manual speaks of transmission; that it limits reception is inferred. */
	MACSTATS_REGISTER(RW, "ETHMAXF", 0x214, 0x600, "Maximum frame length", .fields = {
		MACSTATS_FIELD(RW, "MAXF", 0, 16, "Octets, FCS included (inferred)",
			       .roles = MACSTATS_ROLE_MAX_FRAME_RX |
					MACSTATS_ROLE_MAX_FRAME_TX) }),
	MACSTATS_REGISTER(RW, "ETHMTEST", 0x21c, 0, "Test", .fields = {
		MACSTATS_FIELD(RW, "TEST", 2, 1, "Not described by the sources") }),
	MACSTATS_REGISTER(RW, "MIIMCFG", 0x220, 0, "MII management configuration"),
	MACSTATS_REGISTER(RW, "MIIMCMD", 0x224, 0, "MII management command", .fields = {
		MACSTATS_FIELD(RW, "RD", 0, 1, "Read once"),
		MACSTATS_FIELD(RW, "SCN", 1, 1, "Read on and on") }),
	MACSTATS_REGISTER(RW, "MIIMADDR", 0x228, 0, "MII management address", .fields = {
		MACSTATS_FIELD(RW, "REG", 0, 5, "Register of the PHY"),
		MACSTATS_FIELD(RW, "PHY", 8, 5, "Address of the PHY") }),
	MACSTATS_REGISTER(RW, "MIIMWTD", 0x22c, 0, "MII management write data", .fields = {
		MACSTATS_FIELD(RW, "DATA", 0, 16, "To be written to the PHY") }),
	MACSTATS_REGISTER(RO, "MIIMRDD", 0x230, 0, "MII management read data", .fields = {
		MACSTATS_FIELD(RO, "DATA", 0, 16, "Read from the PHY") }),
	MACSTATS_REGISTER(RO, "MIIMIND", 0x234, 0, "MII management indicators", .fields = {
		MACSTATS_FIELD(RO, "BSY", 0, 1, "Busy"),
		MACSTATS_FIELD(RO, "SCN", 1, 1, "Reading on and on"),
		MACSTATS_FIELD(RO, "NV", 2, 1, "Read data not valid") }),
	MACSTATS_REGISTER(RW, "ETHCFSA0", 0x240, 0,
			  "Control frame station address, octets 4 and 5", .fields = {
		MACSTATS_FIELD(RW, "CFSA4", 0, 8, "Octet 4 of the address"),
		MACSTATS_FIELD(RW, "CFSA5", 8, 8, "Octet 5 of the address") }),
	MACSTATS_REGISTER(RW, "ETHCFSA1", 0x244, 0,
			  "Control frame station address, octets 2 and 3", .fields = {
		MACSTATS_FIELD(RW, "CFSA2", 0, 8, "Octet 2 of the address"),
		MACSTATS_FIELD(RW, "CFSA3", 8, 8, "Octet 3 of the address") }),
	MACSTATS_REGISTER(RW, "ETHCFSA2", 0x248, 0,
			  "Control frame station address, octets 0 and 1", .fields = {
		MACSTATS_FIELD(RW, "CFSA0", 0, 8, "Octet 0 of the address"),
		MACSTATS_FIELD(RW, "CFSA1", 8, 8, "Octet 1 of the address") }),
};

/*
 * Software sets FD to HFE, and the MAC sets the other bits. Where OEN is 0, CEN and HFE of
 * ETHMAC2 apply.
 */
#define RC32438_BIT(name_, lsb_, help_, ...) \
	{ .name = name_, .lsb = lsb_, .bits = 1, __VA_ARGS__, .help = help_ }
#define RC32438_ERROR(name_, lsb_, error, help_) \
	RC32438_BIT(name_, lsb_, help_, \
		    MACSTATS_WHEN_TX(.errors = MACSTATS_ERR_##error))

MACSTATS_TABLE const struct macstats_status rc32438_tx_status[] = {
	RC32438_BIT("FD", 0, "First descriptor of a packet", .unless = 0),
	RC32438_BIT("LD", 1, "Last descriptor of a packet: only its status is valid", .unless = 0),
	RC32438_BIT("OEN", 2, "Override enable: CEN and HFE below count", .unless = 0),
	RC32438_BIT("PEN", 3, "Pad enable", .unless = 0),
	RC32438_BIT("CEN", 4, "Packet CRC enable: the MAC appends the CRC",
		    .copy = { 0x204, 1 << 4 }),
	RC32438_BIT("HFE", 5, "Huge frame enable: no maximum frame length",
		    .copy = { 0x204, 1 << 2 }),
	RC32438_BIT("TOK", 6,
		    "Transmit OK: none of UND, OF, ED, EC and LC; CRC and LE do not matter",
		    .unless = RC32438_TX_UND | RC32438_TX_OF | RC32438_TX_ED | RC32438_TX_EC |
			      RC32438_TX_LC),
	/* Not for broadcast: inferred. */
	RC32438_BIT("MP", 7, "Multicast packet",
		    MACSTATS_WHEN_TX(.destination = MACSTATS_MULTICAST)),
	RC32438_BIT("BP", 8, "Broadcast packet",
		    MACSTATS_WHEN_TX(.destination = MACSTATS_BROADCAST)),
	RC32438_ERROR("UND", 9, UNDERRUN, "Transmit FIFO underflow"),
	RC32438_BIT("OF", 10, "Oversized frame, cut at the maximum frame length",
		    /* Frames that are not begun, or end in the collision window, are not cut. */
		    MACSTATS_WHEN_TX(.excess = MACSTATS_OVER_MAX,
				     .no_errors = MACSTATS_ERR_EXCESSIVE_DEFERRAL |
						  MACSTATS_ERR_EXCESSIVE_COLLISIONS)),
	RC32438_ERROR("ED", 11, EXCESSIVE_DEFERRAL, "Excessive deferral"),
	RC32438_ERROR("EC", 12, EXCESSIVE_COLLISIONS, "Excessive collisions; CC is not valid"),
	RC32438_ERROR("LC", 13, LATE_COLLISION, "Late collision"),
	RC32438_BIT("TD", 14, "Transmit deferred on the first attempt",
		    MACSTATS_WHEN_TX(.deferred = true)),
	RC32438_ERROR("CRC", 15, FCS, "CRC error; to be ignored if the MAC appends the CRC"),
	RC32438_ERROR("LE", 16, PAYLOAD_LENGTH, "Length error: the length field is not the length"),
	{ .name = "CC", .lsb = 17, .bits = 4, .collisions = true,
	  .help = "Collision count; valid with TOK" },
};

/*
 * Inferred, as in other chips with this core: a frame over the maximum is cut there, which
 * spoils its CRC, unless HFE of ETHMAC2 is set. FM, LOR and CES are not emulated.
 */
#define RC32438_RX_BIT(name_, lsb_, help_, ...) \
	RC32438_BIT(name_, lsb_, help_, MACSTATS_WHEN_RX(__VA_ARGS__))
#define RC32438_CUT \
	.direction = MACSTATS_RX, .excess = MACSTATS_OVER_MAX, .without = RC32438_HFE

MACSTATS_TABLE const struct macstats_status rc32438_rx_status[] = {
	RC32438_BIT("FD", 0, "First descriptor of a packet", .unless = 0),
	RC32438_BIT("LD", 1, "Last descriptor of a packet", .unless = 0),
	RC32438_BIT("ROK", 2, "Receive OK: none of OVR, CRC, CV and LE",
		    .unless = RC32438_RX_OVR | RC32438_RX_CRC | RC32438_RX_CV | RC32438_RX_LE),
	RC32438_BIT("FM", 3, "Filter match", .unless = 0),
	RC32438_RX_BIT("MP", 4, "Multicast packet", .destination = MACSTATS_MULTICAST),
	RC32438_RX_BIT("BP", 5, "Broadcast packet", .destination = MACSTATS_BROADCAST),
	RC32438_RX_BIT("VLT", 6, "VLAN tag", .tags = MACSTATS_TAGGED | MACSTATS_DOUBLE_TAGGED),
	RC32438_RX_BIT("CF", 7, "Control frame", .kind = MACSTATS_ANY_CONTROL),
	RC32438_RX_BIT("OVR", 8, "Receive FIFO overrun", .errors = MACSTATS_ERR_OVERRUN),
	RC32438_BIT("CRC", 9, "CRC error", .when = { { RC32438_CUT },
		    { .direction = MACSTATS_RX, .errors = RC32438_BAD_CRC } }),
	RC32438_RX_BIT("CV", 10, "Code violation", .errors = MACSTATS_ERR_CODE),
	RC32438_RX_BIT("DB", 11, "Dribble bits", .errors = MACSTATS_ERR_ALIGNMENT),
	RC32438_RX_BIT("LE", 12, "Length error", .errors = MACSTATS_ERR_PAYLOAD_LENGTH),
	RC32438_BIT("LOR", 13, "Length out of range", .unless = 0),
	RC32438_BIT("CES", 14, "Carrier event seen before", .unless = 0),
	{ .name = "LENGTH", .lsb = 16, .bits = 16, .octets = true, .help = "Valid with ROK" },
};

/* Frames of 64 octets and more (11-6); inferred: not without buffer, control with PAF only. */
#define RC32438_DESCRIBED(kind_, errors_, with_) \
	{ .direction = MACSTATS_RX, .kind = kind_, .size = MACSTATS_SIZE_64_UP, \
	  .errors = errors_, .no_errors = MACSTATS_ERR_NO_BUFFER, .with = with_ }

MACSTATS_TABLE const struct macstats_descriptor rc32438_descriptor = {
	MACSTATS_ROWS(tx_status, rc32438_tx_status), MACSTATS_ROWS(rx_status, rc32438_rx_status),
	.rx_described = {
		RC32438_DESCRIBED(MACSTATS_DATA, 0, 0), RC32438_DESCRIBED(0, 0, RC32438_PAF),
		RC32438_DESCRIBED(0, RC32438_BAD_CRC | MACSTATS_ERR_CODE, 0) },
	.first = RC32438_TX_FD, .last = RC32438_TX_LD,
	.override = RC32438_TX_OEN, .append_crc = RC32438_TX_CEN, .huge = RC32438_TX_HFE,
};

MACSTATS_TABLE const struct macstats_model rc32438_model = {
	.name = "rc32438", .title = "IDT 79RC32438 Ethernet interface",
	.datasheet = "79RC32438 User Reference Manual (2002-11-04), 11-16",
	.drivers = { "korina" },
	.ports = 2, .port_stride = 0x8000, .address_unit_bits = 8, .bus_bits = 32,
	.line_rate_bps = 100000000ull,
	MACSTATS_ROWS(counters, rc32438_counters), MACSTATS_ROWS(registers, rc32438_registers),
	.descriptor = &rc32438_descriptor,
	.blocks = { { .name = "port" } }, .n_blocks = 1,
	.needs_clocks = true, .sizes = { .edge = MACSTATS_RMON_EDGES },
	.cut_at_max = true, .deferral_aborts = true,
	/* Four octets are the least that the register maps reckon with (inferred). */
	.min_frame_rx = 4, .min_frame_tx = MACSTATS_FRAME_MIN,
	.data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX | MACSTATS_OPT_10M,
	.default_options = MACSTATS_OPT_STATISTICS,
	.power_up = MACSTATS_POWER_UP_ZERO,	/* inferred */
};

MACSTATS_MODEL_END

#endif /* MACSTATS_MODEL_RC32438_H */
