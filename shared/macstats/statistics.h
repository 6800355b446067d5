/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The statistics that Linux has a name for.
 */
#ifndef MACSTATS_STATISTICS_H
#define MACSTATS_STATISTICS_H

#include "frame.h"

/*
 * The statistics that Linux has a name for: group, enumerator, direction, what is counted (ERRORS:
 * frames with an error), and the name which ethtool prints (for the rtnl group: the member of
 * rtnl_link_stats64). N marks those that are also the names of members in the kernel. Buckets of
 * the histogram have no name: their range follows from the size classes of the row that feeds them.
 * Netlink sends places in this list.
 */
#define MACSTATS_STANDARD_ROWS(X, N)							\
	X(ETH_PHY, SYMBOL_ERROR_DURING_CARRIER, RX, ERRORS,				\
	  N(SymbolErrorDuringCarrier))							\
	X(ETH_MAC, FRAMES_TRANSMITTED_OK, TX, FRAMES, N(FramesTransmittedOK))		\
	X(ETH_MAC, SINGLE_COLLISION_FRAMES, TX, FRAMES, N(SingleCollisionFrames))	\
	X(ETH_MAC, MULTIPLE_COLLISION_FRAMES, TX, FRAMES, N(MultipleCollisionFrames))	\
	X(ETH_MAC, FRAMES_RECEIVED_OK, RX, FRAMES, N(FramesReceivedOK))			\
	X(ETH_MAC, FRAME_CHECK_SEQUENCE_ERRORS, RX, ERRORS,				\
	  N(FrameCheckSequenceErrors))							\
	X(ETH_MAC, ALIGNMENT_ERRORS, RX, ERRORS, N(AlignmentErrors))			\
	X(ETH_MAC, OCTETS_TRANSMITTED_OK, TX, OCTETS, N(OctetsTransmittedOK))		\
	X(ETH_MAC, FRAMES_WITH_DEFERRED_XMISSIONS, TX, FRAMES,				\
	  N(FramesWithDeferredXmissions))						\
	X(ETH_MAC, LATE_COLLISIONS, TX, ERRORS, N(LateCollisions))			\
	X(ETH_MAC, FRAMES_ABORTED_DUE_TO_XS_COLLS, TX, ERRORS,				\
	  N(FramesAbortedDueToXSColls))							\
	X(ETH_MAC, FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, TX, ERRORS,			\
	  N(FramesLostDueToIntMACXmitError))						\
	X(ETH_MAC, CARRIER_SENSE_ERRORS, TX, ERRORS, N(CarrierSenseErrors))		\
	X(ETH_MAC, OCTETS_RECEIVED_OK, RX, OCTETS, N(OctetsReceivedOK))			\
	X(ETH_MAC, FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR, RX, ERRORS,			\
	  N(FramesLostDueToIntMACRcvError))						\
	X(ETH_MAC, MULTICAST_FRAMES_XMITTED_OK, TX, FRAMES,				\
	  N(MulticastFramesXmittedOK))							\
	X(ETH_MAC, BROADCAST_FRAMES_XMITTED_OK, TX, FRAMES,				\
	  N(BroadcastFramesXmittedOK))							\
	X(ETH_MAC, FRAMES_WITH_EXCESSIVE_DEFERRAL, TX, ERRORS,				\
	  N(FramesWithExcessiveDeferral))						\
	X(ETH_MAC, MULTICAST_FRAMES_RECEIVED_OK, RX, FRAMES,				\
	  N(MulticastFramesReceivedOK))							\
	X(ETH_MAC, BROADCAST_FRAMES_RECEIVED_OK, RX, FRAMES,				\
	  N(BroadcastFramesReceivedOK))							\
	X(ETH_MAC, IN_RANGE_LENGTH_ERRORS, RX, ERRORS, N(InRangeLengthErrors))		\
	X(ETH_MAC, OUT_OF_RANGE_LENGTH_FIELD, RX, ERRORS, N(OutOfRangeLengthField))	\
	X(ETH_MAC, FRAME_TOO_LONG_ERRORS, RX, ERRORS, N(FrameTooLongErrors))		\
	X(ETH_CTRL, MAC_CONTROL_FRAMES_TRANSMITTED, TX, FRAMES,				\
	  N(MACControlFramesTransmitted))						\
	X(ETH_CTRL, MAC_CONTROL_FRAMES_RECEIVED, RX, FRAMES,				\
	  N(MACControlFramesReceived))							\
	X(ETH_CTRL, UNSUPPORTED_OPCODES_RECEIVED, RX, FRAMES,				\
	  N(UnsupportedOpcodesReceived))						\
	X(RMON, UNDERSIZE_PKTS, RX, ERRORS, "etherStatsUndersizePkts")			\
	X(RMON, OVERSIZE_PKTS, RX, ERRORS, "etherStatsOversizePkts")			\
	X(RMON, FRAGMENTS, RX, ERRORS, "etherStatsFragments")				\
	X(RMON, JABBERS, RX, ERRORS, "etherStatsJabbers")				\
	X(RMON, HIST_RX, RX, FRAMES, "rx-pktsNtoM")					\
	X(RMON, HIST_TX, TX, FRAMES, "tx-pktsNtoM")					\
	X(PAUSE, TX_PAUSE_FRAMES, TX, FRAMES, N(tx_pause_frames))			\
	X(PAUSE, RX_PAUSE_FRAMES, RX, FRAMES, N(rx_pause_frames))			\
	X(RTNL, RTNL_RX_PACKETS, RX, FRAMES, N(rx_packets))				\
	X(RTNL, RTNL_TX_PACKETS, TX, FRAMES, N(tx_packets))				\
	X(RTNL, RTNL_RX_BYTES, RX, OCTETS, N(rx_bytes))					\
	X(RTNL, RTNL_TX_BYTES, TX, OCTETS, N(tx_bytes))					\
	X(RTNL, RTNL_RX_ERRORS, RX, ERRORS, N(rx_errors))				\
	X(RTNL, RTNL_TX_ERRORS, TX, ERRORS, N(tx_errors))				\
	X(RTNL, RTNL_RX_DROPPED, RX, FRAMES, N(rx_dropped))				\
	X(RTNL, RTNL_TX_DROPPED, TX, FRAMES, N(tx_dropped))				\
	X(RTNL, RTNL_MULTICAST, RX, FRAMES, N(multicast))				\
	X(RTNL, RTNL_COLLISIONS, RXTX, COLLISIONS, N(collisions))			\
	X(RTNL, RTNL_RX_LENGTH_ERRORS, RX, ERRORS, N(rx_length_errors))			\
	X(RTNL, RTNL_RX_OVER_ERRORS, RX, ERRORS, N(rx_over_errors))			\
	X(RTNL, RTNL_RX_CRC_ERRORS, RX, ERRORS, N(rx_crc_errors))			\
	X(RTNL, RTNL_RX_FRAME_ERRORS, RX, ERRORS, N(rx_frame_errors))			\
	X(RTNL, RTNL_RX_FIFO_ERRORS, RX, ERRORS, N(rx_fifo_errors))			\
	X(RTNL, RTNL_RX_MISSED_ERRORS, RX, ERRORS, N(rx_missed_errors))			\
	X(RTNL, RTNL_TX_ABORTED_ERRORS, TX, ERRORS, N(tx_aborted_errors))		\
	X(RTNL, RTNL_TX_CARRIER_ERRORS, TX, ERRORS, N(tx_carrier_errors))		\
	X(RTNL, RTNL_TX_FIFO_ERRORS, TX, ERRORS, N(tx_fifo_errors))			\
	X(RTNL, RTNL_TX_HEARTBEAT_ERRORS, TX, ERRORS, N(tx_heartbeat_errors))		\
	X(RTNL, RTNL_TX_WINDOW_ERRORS, TX, ERRORS, N(tx_window_errors))			\
	X(MM, MAC_MERGE_FRAME_ASS_ERROR_COUNT, RX, ERRORS, N(MACMergeFrameAssErrorCount)) \
	X(MM, MAC_MERGE_FRAME_SMD_ERROR_COUNT, RX, ERRORS, N(MACMergeFrameSmdErrorCount)) \
	X(MM, MAC_MERGE_FRAME_ASS_OK_COUNT, RX, FRAMES, N(MACMergeFrameAssOkCount))	\
	X(MM, MAC_MERGE_FRAG_COUNT_RX, RX, FRAMES, N(MACMergeFragCountRx))		\
	X(MM, MAC_MERGE_FRAG_COUNT_TX, TX, FRAMES, N(MACMergeFragCountTx))		\
	X(MM, MAC_MERGE_HOLD_COUNT, TX, FRAMES, N(MACMergeHoldCount))

/* The same with each name as a string. */
#define MACSTATS_QUOTED(name)		#name
#define MACSTATS_STANDARD_LIST(X)	MACSTATS_STANDARD_ROWS(X, MACSTATS_QUOTED)

enum macstats_group {
	MACSTATS_GROUP_ETH_PHY,
	MACSTATS_GROUP_ETH_MAC,
	MACSTATS_GROUP_ETH_CTRL,
	MACSTATS_GROUP_RMON,
	MACSTATS_GROUP_PAUSE,
	MACSTATS_GROUP_RTNL,
	MACSTATS_GROUP_MM,	/* the MAC Merge sublayer, IEEE 802.3 clause 99 */
};

#define MACSTATS_STANDARD_ENUM(group, id, ...) MACSTATS_STD_##id,
enum macstats_standard_id {
	MACSTATS_STD_NONE,
	MACSTATS_STANDARD_LIST(MACSTATS_STANDARD_ENUM)
	MACSTATS_STD_COUNT
};
#undef MACSTATS_STANDARD_ENUM

#endif /* MACSTATS_STATISTICS_H */
