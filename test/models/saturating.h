/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Made-up MACs: one whose error counter is narrow and stays at its maximum, one with 256 counters
 * that do, two with a bus of 8 and of 16 bits, one with as many size classes as ethtool has room
 * for, and one with 64 queues.
 * Build with MACSTATS_EXTRA_MODELS set to this file: see models.h.
 */
#ifndef MACSTATS_TEST_MODELS_SATURATING_H
#define MACSTATS_TEST_MODELS_SATURATING_H

#include <macstats/schema.h>

#include "queues.h"

MACSTATS_MODEL_BEGIN

MACSTATS_TABLE const struct macstats_counter saturating_counters[] = {
	{ .name = "rx_frames", .reg = "RX_FRAMES",
	  .offset = 0x100, .bits = 32, .unit = MACSTATS_FRAMES, .onread = MACSTATS_ONREAD_RCLR,
	  .when = { { .direction = MACSTATS_RX } },
	  .standard = { { MACSTATS_STD_RTNL_RX_PACKETS, 1 } },
	  .help = "Received frames, good or bad" },
	{ .name = "rx_fcs_errors", .reg = "RX_FCS_ERRORS",
	  .offset = 0x104, .bits = 10, .unit = MACSTATS_FRAMES, .onread = MACSTATS_ONREAD_RCLR,
	  .overflow = MACSTATS_SATURATE,
	  .when = { { .direction = MACSTATS_RX, .errors = MACSTATS_ERR_FCS } },
	  .standard = { { MACSTATS_STD_RTNL_RX_PACKETS, -1 },
			{ MACSTATS_STD_FRAME_CHECK_SEQUENCE_ERRORS, 1 } },
	  .help = "Received frames with a bad FCS, up to 1023" },
	{ .name = "tx_frames", .reg = "TX_FRAMES",
	  .offset = 0x108, .bits = 8, .unit = MACSTATS_FRAMES,
	  .overflow = MACSTATS_SATURATE,
	  .when = { { .direction = MACSTATS_TX } },
	  .help = "Transmitted frames, up to 255; nothing clears it" },
};

MACSTATS_TABLE const struct macstats_model saturating_model = {
	.name = "saturating",
	.title = "a MAC for tests, with counters that stay at their maximum",
	.datasheet = "none",
	.ports = 1,
	.address_unit_bits = 8,
	.bus_bits = 32,
	.line_rate_bps = 1000000000ull,
	.counters = saturating_counters,
	.n_counters = MACSTATS_COUNT_OF(saturating_counters),
	.blocks = { { .name = "port" } },
	.n_blocks = 1,
	.sizes = { .edge = MACSTATS_RMON_EDGES },
	.min_frame_rx = MACSTATS_FRAME_MIN,
	.min_frame_tx = MACSTATS_FRAME_MIN,
	.data_overhead = 18,
	.control_overhead = 18,
	.options = MACSTATS_OPT_STATISTICS,
	.default_options = MACSTATS_OPT_STATISTICS,
	.power_up = MACSTATS_POWER_UP_ZERO,
};

/* A counter with the hexadecimal number xy. */
#define MANY_COUNTER(x, y)									\
	{ .name = "rx_frames_" #x #y, .reg = "RX_FRAMES_" #x #y, .offset = 4 * 0x##x##y,	\
	  .bits = 16, .unit = MACSTATS_FRAMES, .onread = MACSTATS_ONREAD_RCLR,			\
	  .overflow = MACSTATS_SATURATE, .when = { { .direction = MACSTATS_RX } },		\
	  .help = "Received frames" },
#define MANY_COUNTERS(n)									\
	MANY_COUNTER(n, 0) MANY_COUNTER(n, 1) MANY_COUNTER(n, 2) MANY_COUNTER(n, 3)		\
	MANY_COUNTER(n, 4) MANY_COUNTER(n, 5) MANY_COUNTER(n, 6) MANY_COUNTER(n, 7)		\
	MANY_COUNTER(n, 8) MANY_COUNTER(n, 9) MANY_COUNTER(n, a) MANY_COUNTER(n, b)		\
	MANY_COUNTER(n, c) MANY_COUNTER(n, d) MANY_COUNTER(n, e) MANY_COUNTER(n, f)

MACSTATS_TABLE const struct macstats_counter saturating256_counters[] = {
	MANY_COUNTERS(0) MANY_COUNTERS(1) MANY_COUNTERS(2) MANY_COUNTERS(3)
	MANY_COUNTERS(4) MANY_COUNTERS(5) MANY_COUNTERS(6) MANY_COUNTERS(7)
	MANY_COUNTERS(8) MANY_COUNTERS(9) MANY_COUNTERS(a) MANY_COUNTERS(b)
	MANY_COUNTERS(c) MANY_COUNTERS(d) MANY_COUNTERS(e) MANY_COUNTERS(f)
};

/* Adjacent counters of one word, which a poll reads at once. */
#define NARROW_COUNTERS(bits_, step_)								\
	{ .name = "rx_frames", .reg = "RX_FRAMES", .offset = 0x10, .bits = bits_,		\
	  .unit = MACSTATS_FRAMES, .when = { { .direction = MACSTATS_RX } },			\
	  .help = "Received frames" },								\
	{ .name = "tx_frames", .reg = "TX_FRAMES", .offset = 0x10 + step_, .bits = bits_,	\
	  .unit = MACSTATS_FRAMES, .when = { { .direction = MACSTATS_TX } },			\
	  .help = "Transmitted frames" },							\
	{ .name = "rx_fcs_errors", .reg = "RX_FCS_ERRORS", .offset = 0x10 + 2 * step_,		\
	  .bits = bits_, .unit = MACSTATS_FRAMES,						\
	  .when = { { .direction = MACSTATS_RX, .errors = MACSTATS_ERR_FCS } },			\
	  .help = "Received frames with a bad FCS" },

/* The edges of the size classes come last. */
#define SMALL_MODEL(name_, title_, bits_, counters_, ...) {					\
	.name = name_, .title = "a MAC for tests, " title_, .datasheet = "none",		\
	.ports = 1, .address_unit_bits = 8, .bus_bits = bits_, .line_rate_bps = 10000000ull,	\
	.counters = counters_, .n_counters = MACSTATS_COUNT_OF(counters_),			\
	.blocks = { { .name = "port" } }, .n_blocks = 1,					\
	.sizes = { .edge = __VA_ARGS__ },							\
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,			\
	.data_overhead = 18, .control_overhead = 18,						\
	.options = MACSTATS_OPT_STATISTICS, .default_options = MACSTATS_OPT_STATISTICS,		\
	.power_up = MACSTATS_POWER_UP_ZERO,							\
}

MACSTATS_TABLE const struct macstats_counter narrow8_counters[] = { NARROW_COUNTERS(8, 1) };
MACSTATS_TABLE const struct macstats_model narrow8_model =
	SMALL_MODEL("narrow8", "with a narrow bus", 8, narrow8_counters, MACSTATS_RMON_EDGES);

MACSTATS_TABLE const struct macstats_counter narrow16_counters[] = { NARROW_COUNTERS(16, 2) };
MACSTATS_TABLE const struct macstats_model narrow16_model =
	SMALL_MODEL("narrow16", "with a narrow bus", 16, narrow16_counters,
		    MACSTATS_RMON_EDGES);

MACSTATS_TABLE const struct macstats_model saturating256_model =
	SMALL_MODEL("saturating256", "with 256 counters, which stay at their maximum", 32,
		    saturating256_counters, MACSTATS_RMON_EDGES);

#define SIZE_COUNTER(n)										\
	{ .name = "rx_size_" #n, .reg = "RX_SIZE_" #n, .offset = 4 * n, .bits = 32,		\
	  .unit = MACSTATS_FRAMES, .when = { { .direction = MACSTATS_RX, .size = 2u << n } },	\
	  .standard = { { MACSTATS_STD_HIST_RX, 1 } }, .help = "Received frames" },

MACSTATS_TABLE const struct macstats_counter sizes11_counters[] = {
	SIZE_COUNTER(0) SIZE_COUNTER(1) SIZE_COUNTER(2) SIZE_COUNTER(3)
	SIZE_COUNTER(4) SIZE_COUNTER(5) SIZE_COUNTER(6) SIZE_COUNTER(7)
	SIZE_COUNTER(8) SIZE_COUNTER(9) SIZE_COUNTER(10)
};
MACSTATS_TABLE const struct macstats_model sizes11_model =
	SMALL_MODEL("sizes11", "with 11 size classes", 32, sizes11_counters,
		    { 64, 65, 128, 256, 512, 1024, 1519, 2048, 4096, 8192, 9217 });

MACSTATS_MODEL_END

#define MACSTATS_EXTRA_MODEL_LIST							\
	&saturating_model, &narrow8_model, &narrow16_model, &saturating256_model,	\
	&sizes11_model, &queues_model,

#endif /* MACSTATS_TEST_MODELS_SATURATING_H */
