/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* A made-up MAC with four counters for each of its 64 queues, side by side. */
#ifndef MACSTATS_TEST_MODELS_QUEUES_H
#define MACSTATS_TEST_MODELS_QUEUES_H

#include <macstats/schema.h>

MACSTATS_MODEL_BEGIN

#define QUEUES_ROW(k, name_, reg_, at, unit_, help_, ...)				\
	MACSTATS_ROW(name_, reg_, 0x40 * (k) + (at), help_, .bits = 32,	\
		     .unit = MACSTATS_##unit_, MACSTATS_INDEX(QUEUE, k), __VA_ARGS__)
#define QUEUES_QUEUE(k)									\
	QUEUES_ROW(k, "rx_queue_" #k "_frames", "RQ" #k "_FRAMES", 0x00, FRAMES,	\
		   "Good frames received into this queue",				\
		   MACSTATS_WHEN_RX(.no_errors = MACSTATS_ERR_ALL),			\
		   MACSTATS_FEEDS(RTNL_RX_PACKETS)),					\
	QUEUES_ROW(k, "rx_queue_" #k "_octets", "RQ" #k "_OCTETS", 0x04, OCTETS,	\
		   "Octets of good frames received into this queue, FCS included",	\
		   MACSTATS_WHEN_RX(.no_errors = MACSTATS_ERR_ALL),			\
		   MACSTATS_FEEDS(RTNL_RX_BYTES)),					\
	QUEUES_ROW(k, "rx_queue_" #k "_drops", "RQ" #k "_DROPS", 0x08, FRAMES,		\
		   "Received frames for which this queue had no room",			\
		   MACSTATS_ERRORS_NEVER_SEEN),						\
	QUEUES_ROW(k, "tx_queue_" #k "_frames", "TQ" #k "_FRAMES", 0x0c, FRAMES,	\
		   "Frames sent from this queue", MACSTATS_WHEN_TX(),			\
		   MACSTATS_FEEDS(RTNL_TX_PACKETS)),
#define QUEUES_TEN(t)									\
	QUEUES_QUEUE(t##0) QUEUES_QUEUE(t##1) QUEUES_QUEUE(t##2) QUEUES_QUEUE(t##3)	\
	QUEUES_QUEUE(t##4) QUEUES_QUEUE(t##5) QUEUES_QUEUE(t##6) QUEUES_QUEUE(t##7)	\
	QUEUES_QUEUE(t##8) QUEUES_QUEUE(t##9)

MACSTATS_TABLE const struct macstats_counter queues_counters[] = {
	QUEUES_QUEUE(0) QUEUES_QUEUE(1) QUEUES_QUEUE(2) QUEUES_QUEUE(3) QUEUES_QUEUE(4)
	QUEUES_QUEUE(5) QUEUES_QUEUE(6) QUEUES_QUEUE(7) QUEUES_QUEUE(8) QUEUES_QUEUE(9)
	QUEUES_TEN(1) QUEUES_TEN(2) QUEUES_TEN(3) QUEUES_TEN(4) QUEUES_TEN(5)
	QUEUES_QUEUE(60) QUEUES_QUEUE(61) QUEUES_QUEUE(62) QUEUES_QUEUE(63)
};

MACSTATS_TABLE const struct macstats_model queues_model = {
	.name = "queues", .title = "a MAC for tests, with 64 queues", .datasheet = "none",
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 10000000000ull,
	MACSTATS_ROWS(counters, queues_counters),
	.blocks = { { .name = "port" } }, .n_blocks = 1,
	.sizes = { .edge = MACSTATS_RMON_EDGES },
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,
	.data_overhead = 18, .control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS, .default_options = MACSTATS_OPT_STATISTICS,
};

MACSTATS_MODEL_END

#endif /* MACSTATS_TEST_MODELS_QUEUES_H */
