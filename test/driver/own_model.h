/* SPDX-License-Identifier: GPL-2.0 */
/* Models of the test driver that no other module and no program has. */
#ifndef MACSTATS_TEST_OWN_MODEL_H
#define MACSTATS_TEST_OWN_MODEL_H

#include <macstats/schema.h>

MACSTATS_MODEL_BEGIN

#define OWN_ROW(name_, reg_, offset_, help_, ...)					\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32, .unit = MACSTATS_FRAMES, __VA_ARGS__)
#define OWN_SIZE(i, name_, reg_, text_, size_)						\
	OWN_ROW("rx_" name_, "Rx" reg_, 0x10 + 4 * (i), "Received frames of " text_,	\
		MACSTATS_WHEN_RX(.size = size_), MACSTATS_FEEDS(HIST_RX)),

MACSTATS_TABLE const struct macstats_counter own_counters[] = {
	OWN_ROW("rx_frames", "RxFrames", 0x00, "Received frames without error",
		MACSTATS_WHEN_RX(.no_errors = MACSTATS_ERR_ALL),
		MACSTATS_FEEDS(FRAMES_RECEIVED_OK, RTNL_RX_PACKETS)),
	OWN_ROW("rx_fcs_errors", "RxFcsErrors", 0x04, "Received frames with a bad FCS",
		MACSTATS_WHEN_RX(.errors = MACSTATS_ERR_FCS),
		MACSTATS_FEEDS(FRAME_CHECK_SEQUENCE_ERRORS, RTNL_RX_ERRORS)),
	OWN_ROW("tx_frames", "TxFrames", 0x08, "Sent frames", MACSTATS_WHEN_TX(),
		MACSTATS_FEEDS(FRAMES_TRANSMITTED_OK, RTNL_TX_PACKETS)),
	OWN_ROW("tx_own_events", "TxOwnEvents", 0x0c, "Sent frames that no other model counts",
		MACSTATS_WHEN_TX(.tags = MACSTATS_DOUBLE_TAGGED)),
	MACSTATS_RMON_ROWS(OWN_SIZE, "_to_", "To")
	OWN_SIZE(6, "1519_up", "1519Up", "1519 octets and more", MACSTATS_SIZE_1519_UP)
};

MACSTATS_TABLE const struct macstats_register own_registers[] = {
	MACSTATS_REGISTER(RW, "SCRATCH", 0x80, 0, "Free for tests", .fields = {
		MACSTATS_FIELD(RW, "scratch", 0, 1, "Free for tests") }),
};

#define OWN_WIDE_ROW(name_, reg_, offset_, help_)					\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 64, .unit = MACSTATS_FRAMES,	\
		     .reread = true)

/* Two of them have 64 bits. */
MACSTATS_TABLE const struct macstats_counter own_wide_counters[] = {
	OWN_WIDE_ROW("rx_frames", "RxFrames", 0x00, "Received frames"),
	OWN_ROW("tx_own_events", "TxOwnEvents", 0x08, "Sent frames that it counts in 32 bits",
		MACSTATS_WHEN_TX()),
	OWN_WIDE_ROW("tx_frames", "TxFrames", 0x10, "Sent frames"),
};

#define OWN_MODEL(name_, counters_, read64_) {							\
	.name = name_, .title = "A MAC of the test driver", .datasheet = "None",	\
	.ports = 1, .address_unit_bits = 8, .bus_bits = 32,			\
	.read64 = read64_, .line_rate_bps = 1000000000ull,				\
	MACSTATS_ROWS(counters, counters_), MACSTATS_ROWS(registers, own_registers),	\
	.blocks = { { .name = "all" } }, .n_blocks = 1,				\
	.sizes = { .edge = MACSTATS_RMON_EDGES },					\
	.min_frame_rx = MACSTATS_FRAME_MIN, .min_frame_tx = MACSTATS_FRAME_MIN,		\
	.data_overhead = 18, .control_overhead = 18,					\
	.options = MACSTATS_OPT_STATISTICS, .default_options = MACSTATS_OPT_STATISTICS,	\
}

MACSTATS_TABLE const struct macstats_model own_model = OWN_MODEL("own", own_counters, false);
/* With the name of a model that others have, too. */
MACSTATS_TABLE const struct macstats_model namesake_model =
	OWN_MODEL("cpsw", own_counters, false);
MACSTATS_TABLE const struct macstats_model wide_model =
	OWN_MODEL("wide", own_wide_counters, true);

MACSTATS_MODEL_END

#endif /* MACSTATS_TEST_OWN_MODEL_H */
