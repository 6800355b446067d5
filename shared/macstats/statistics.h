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
 * rtnl_link_stats64). But for the group rmon, it is also that of the member in the kernel.
 * Buckets of the histogram have no name: their range follows from the size
 * classes of the row that feeds them. Netlink sends places in this list.
 */
#define MACSTATS_STANDARD_LIST(X)							\
	X(ETH_PHY, SYMBOL_ERROR_DURING_CARRIER, RX, ERRORS, SymbolErrorDuringCarrier)	\
	X(ETH_MAC, FRAMES_TRANSMITTED_OK, TX, FRAMES, FramesTransmittedOK)		\
	X(ETH_MAC, SINGLE_COLLISION_FRAMES, TX, FRAMES, SingleCollisionFrames)		\
	X(ETH_MAC, MULTIPLE_COLLISION_FRAMES, TX, FRAMES, MultipleCollisionFrames)	\
	X(ETH_MAC, FRAMES_RECEIVED_OK, RX, FRAMES, FramesReceivedOK)			\
	X(ETH_MAC, FRAME_CHECK_SEQUENCE_ERRORS, RX, ERRORS, FrameCheckSequenceErrors)	\
	X(ETH_MAC, ALIGNMENT_ERRORS, RX, ERRORS, AlignmentErrors)			\
	X(ETH_MAC, OCTETS_TRANSMITTED_OK, TX, OCTETS, OctetsTransmittedOK)		\
	X(ETH_MAC, FRAMES_WITH_DEFERRED_XMISSIONS, TX, FRAMES,				\
	  FramesWithDeferredXmissions)							\
	X(ETH_MAC, LATE_COLLISIONS, TX, ERRORS, LateCollisions)				\
	X(ETH_MAC, FRAMES_ABORTED_DUE_TO_XS_COLLS, TX, ERRORS,				\
	  FramesAbortedDueToXSColls)							\
	X(ETH_MAC, FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, TX, ERRORS,			\
	  FramesLostDueToIntMACXmitError)						\
	X(ETH_MAC, CARRIER_SENSE_ERRORS, TX, ERRORS, CarrierSenseErrors)		\
	X(ETH_MAC, OCTETS_RECEIVED_OK, RX, OCTETS, OctetsReceivedOK)			\
	X(ETH_MAC, FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR, RX, ERRORS,			\
	  FramesLostDueToIntMACRcvError)						\
	X(ETH_MAC, MULTICAST_FRAMES_XMITTED_OK, TX, FRAMES, MulticastFramesXmittedOK)	\
	X(ETH_MAC, BROADCAST_FRAMES_XMITTED_OK, TX, FRAMES, BroadcastFramesXmittedOK)	\
	X(ETH_MAC, FRAMES_WITH_EXCESSIVE_DEFERRAL, TX, ERRORS,				\
	  FramesWithExcessiveDeferral)							\
	X(ETH_MAC, MULTICAST_FRAMES_RECEIVED_OK, RX, FRAMES, MulticastFramesReceivedOK)	\
	X(ETH_MAC, BROADCAST_FRAMES_RECEIVED_OK, RX, FRAMES, BroadcastFramesReceivedOK)	\
	X(ETH_MAC, IN_RANGE_LENGTH_ERRORS, RX, ERRORS, InRangeLengthErrors)		\
	X(ETH_MAC, OUT_OF_RANGE_LENGTH_FIELD, RX, ERRORS, OutOfRangeLengthField)	\
	X(ETH_MAC, FRAME_TOO_LONG_ERRORS, RX, ERRORS, FrameTooLongErrors)		\
	X(ETH_CTRL, MAC_CONTROL_FRAMES_TRANSMITTED, TX, FRAMES,				\
	  MACControlFramesTransmitted)							\
	X(ETH_CTRL, MAC_CONTROL_FRAMES_RECEIVED, RX, FRAMES, MACControlFramesReceived)	\
	X(ETH_CTRL, UNSUPPORTED_OPCODES_RECEIVED, RX, FRAMES,				\
	  UnsupportedOpcodesReceived)							\
	X(RMON, UNDERSIZE_PKTS, RX, ERRORS, etherStatsUndersizePkts)			\
	X(RMON, OVERSIZE_PKTS, RX, ERRORS, etherStatsOversizePkts)			\
	X(RMON, FRAGMENTS, RX, ERRORS, etherStatsFragments)				\
	X(RMON, JABBERS, RX, ERRORS, etherStatsJabbers)					\
	X(RMON, HIST_RX, RX, FRAMES, rx-pktsNtoM)					\
	X(RMON, HIST_TX, TX, FRAMES, tx-pktsNtoM)					\
	X(PAUSE, TX_PAUSE_FRAMES, TX, FRAMES, tx_pause_frames)				\
	X(PAUSE, RX_PAUSE_FRAMES, RX, FRAMES, rx_pause_frames)				\
	X(RTNL, RTNL_RX_PACKETS, RX, FRAMES, rx_packets)				\
	X(RTNL, RTNL_TX_PACKETS, TX, FRAMES, tx_packets)				\
	X(RTNL, RTNL_RX_BYTES, RX, OCTETS, rx_bytes)					\
	X(RTNL, RTNL_TX_BYTES, TX, OCTETS, tx_bytes)					\
	X(RTNL, RTNL_RX_ERRORS, RX, ERRORS, rx_errors)					\
	X(RTNL, RTNL_TX_ERRORS, TX, ERRORS, tx_errors)					\
	X(RTNL, RTNL_RX_DROPPED, RX, FRAMES, rx_dropped)				\
	X(RTNL, RTNL_TX_DROPPED, TX, FRAMES, tx_dropped)				\
	X(RTNL, RTNL_MULTICAST, RX, FRAMES, multicast)					\
	X(RTNL, RTNL_COLLISIONS, RXTX, COLLISIONS, collisions)				\
	X(RTNL, RTNL_RX_LENGTH_ERRORS, RX, ERRORS, rx_length_errors)			\
	X(RTNL, RTNL_RX_OVER_ERRORS, RX, ERRORS, rx_over_errors)			\
	X(RTNL, RTNL_RX_CRC_ERRORS, RX, ERRORS, rx_crc_errors)				\
	X(RTNL, RTNL_RX_FRAME_ERRORS, RX, ERRORS, rx_frame_errors)			\
	X(RTNL, RTNL_RX_FIFO_ERRORS, RX, ERRORS, rx_fifo_errors)			\
	X(RTNL, RTNL_RX_MISSED_ERRORS, RX, ERRORS, rx_missed_errors)			\
	X(RTNL, RTNL_TX_ABORTED_ERRORS, TX, ERRORS, tx_aborted_errors)			\
	X(RTNL, RTNL_TX_CARRIER_ERRORS, TX, ERRORS, tx_carrier_errors)			\
	X(RTNL, RTNL_TX_FIFO_ERRORS, TX, ERRORS, tx_fifo_errors)			\
	X(RTNL, RTNL_TX_HEARTBEAT_ERRORS, TX, ERRORS, tx_heartbeat_errors)		\
	X(RTNL, RTNL_TX_WINDOW_ERRORS, TX, ERRORS, tx_window_errors)

enum macstats_group {
	MACSTATS_GROUP_ETH_PHY,
	MACSTATS_GROUP_ETH_MAC,
	MACSTATS_GROUP_ETH_CTRL,
	MACSTATS_GROUP_RMON,
	MACSTATS_GROUP_PAUSE,
	MACSTATS_GROUP_RTNL,
};

#define MACSTATS_STANDARD_ENUM(group, id, ...) MACSTATS_STD_##id,
enum macstats_standard_id {
	MACSTATS_STD_NONE,
	MACSTATS_STANDARD_LIST(MACSTATS_STANDARD_ENUM)
	MACSTATS_STD_COUNT
};
#undef MACSTATS_STANDARD_ENUM

#endif /* MACSTATS_STATISTICS_H */
