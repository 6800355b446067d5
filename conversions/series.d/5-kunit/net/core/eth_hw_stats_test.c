// SPDX-License-Identifier: GPL-2.0
/* Tests of eth_hw_stats.c, with registers in RAM. */
#include <kunit/device.h>
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/if_link.h>
#include <net/eth_hw_stats.h>

/* Offsets of registers. What a statistic means does not matter here. */
enum {
	WRAPS_16 = 0x00,
	WRAPS_32 = 0x04,
	WRAPS_48 = 0x08,
	CLEARS_32 = 0x10,
	CLEARS_48 = 0x14,
	CLEARS_10 = 0x1c,
	SATURATES_8 = 0x20,
	WRAPS_64 = 0x24,
	SIZE = 0x2c,
};

static const struct eth_hw_stats_row rows[] = {
	ETH_HW_ROW(WRAPS_16, 16, 0, ETH_HW_RTNL(rx_errors) |
		   ETH_HW_RTNL(rx_crc_errors) |
		   ETH_HW_MAC(FrameCheckSequenceErrors), "wraps_16"),
	ETH_HW_ROW(WRAPS_32, 32, 0, ETH_HW_RTNL(rx_errors) |
		   ETH_HW_RTNL(tx_window_errors) |
		   ETH_HW_MAC(FrameTooLongErrors), "wraps_32"),
	ETH_HW_ROW(WRAPS_48, 48, 0, ETH_HW_MAC(FramesTransmittedOK) |
		   ETH_HW_CTRL(MACControlFramesReceived), "wraps_48"),
	ETH_HW_ROW(CLEARS_32, 32, ETH_HW_CLEARS,
		   ETH_HW_HIST | ETH_HW_RMON(undersize_pkts), "clears_32"),
	ETH_HW_ROW(CLEARS_48, 48, ETH_HW_CLEARS,
		   ETH_HW_HIST | ETH_HW_RMON(jabbers), "clears_48"),
	ETH_HW_ROW(CLEARS_10, 10, ETH_HW_CLEARS | ETH_HW_SATURATES,
		   ETH_HW_HIST_TX | ETH_HW_PHY(SymbolErrorDuringCarrier),
		   "clears_10"),
	ETH_HW_ROW(SATURATES_8, 8, ETH_HW_SATURATES,
		   ETH_HW_HIST_TX | ETH_HW_PAUSE(rx_pause_frames),
		   "saturates_8"),
	ETH_HW_ROW(WRAPS_64, 64, 0, 0, "a_name_of_exactly_32_characters_"),
};

struct hardware {
	struct eth_hw_stats *stats;
	u32 words[SIZE / 4];
	bool gone;
	atomic_t reads;
};

static int hw_read(void *priv, unsigned int reg, u32 *value)
{
	struct hardware *hw = priv;

	atomic_inc(&hw->reads);
	if (hw->gone)
		return -ENODEV;
	*value = hw->words[reg / 4];
	if (reg >= CLEARS_32 && reg < SATURATES_8)
		hw->words[reg / 4] = 0;
	return 0;
}

static const struct ethtool_rmon_hist_range ranges[] = {
	{ 64, 64 }, { 65, 127 }, {}
};

static const struct eth_hw_stats_desc follows = {
	.rows = rows, .n_rows = ARRAY_SIZE(rows), .interval_ms = 10000,
	.ranges = ranges, .read = hw_read,
};

static const struct eth_hw_stats_desc polls = {
	.rows = rows, .n_rows = ARRAY_SIZE(rows), .interval_ms = 1,
	.read = hw_read,
};

static void hw_end(void *data)
{
	struct hardware *hw = data;

	eth_hw_stats_stop(hw->stats);
	eth_hw_stats_free(hw->stats);
}

static struct hardware *hw_new(struct kunit *test,
			       const struct eth_hw_stats_desc *desc)
{
	struct hardware *hw;
	struct device *dev;

	hw = kunit_kzalloc(test, sizeof(*hw), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, hw);
	dev = kunit_device_register(test, "eth-hw-stats");
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, dev);
	hw->stats = eth_hw_stats_alloc(dev, desc, hw);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, hw->stats);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, hw_end, hw), 0);
	return hw;
}

static void hw_set(struct hardware *hw, unsigned int reg, u64 value)
{
	hw->words[reg / 4] = lower_32_bits(value);
	if (reg == WRAPS_48 || reg == CLEARS_48 || reg == WRAPS_64)
		hw->words[reg / 4 + 1] = upper_32_bits(value);
}

static u64 total(struct hardware *hw, unsigned int reg)
{
	u64 totals[ARRAY_SIZE(rows)];
	unsigned int i = 0;

	eth_hw_stats_get_ethtool_stats(hw->stats, totals);
	while (rows[i].reg != reg)
		i++;
	return totals[i];
}

static void counts_what_follows_the_start(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);

	hw_set(hw, WRAPS_32, 1000);
	hw_set(hw, CLEARS_32, 1000);
	eth_hw_stats_start(hw->stats);
	KUNIT_EXPECT_EQ(test, total(hw, WRAPS_32), 0);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_32), 0);
	hw_set(hw, WRAPS_32, 1003);
	hw_set(hw, CLEARS_32, 4);
	KUNIT_EXPECT_EQ(test, total(hw, WRAPS_32), 3);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_32), 4);
}

static void counters_wrap(struct kunit *test)
{
	static const struct {
		unsigned int reg;
		u64 max;
	} cases[] = {
		{ WRAPS_16, 0xffff },
		{ WRAPS_32, U32_MAX },
		{ WRAPS_48, 0xffffffffffff },
	};
	struct hardware *hw = hw_new(test, &follows);
	unsigned int i, times;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		hw_set(hw, cases[i].reg, cases[i].max);
	eth_hw_stats_start(hw->stats);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		unsigned int reg = cases[i].reg;

		/* From the maximum to 2 are 3 events, to the maximum the rest. */
		for (times = 1; times <= 3; times++) {
			hw_set(hw, reg, 2);
			KUNIT_EXPECT_EQ(test, total(hw, reg),
					(times - 1) * (cases[i].max + 1) + 3);
			hw_set(hw, reg, cases[i].max);
			KUNIT_EXPECT_EQ(test, total(hw, reg),
					times * (cases[i].max + 1));
		}
	}
}

static void a_64_bit_counter_wraps(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);

	hw_set(hw, WRAPS_64, U64_MAX);
	eth_hw_stats_start(hw->stats);
	hw_set(hw, WRAPS_64, 2);
	KUNIT_EXPECT_EQ(test, total(hw, WRAPS_64), 3);
}

static void other_bits_of_a_register_do_not_count(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);

	/* Nor do they look as if a counter went back. */
	hw_set(hw, SATURATES_8, 0xff00);
	eth_hw_stats_start(hw->stats);
	hw_set(hw, WRAPS_16, 0xabcd0002);
	hw_set(hw, SATURATES_8, 0xfe05);
	KUNIT_EXPECT_EQ(test, total(hw, WRAPS_16), 2);
	KUNIT_EXPECT_EQ(test, total(hw, SATURATES_8), 5);
	hw_set(hw, WRAPS_16, 0x12340005);
	hw_set(hw, SATURATES_8, 0x0006);
	KUNIT_EXPECT_EQ(test, total(hw, WRAPS_16), 5);
	KUNIT_EXPECT_EQ(test, total(hw, SATURATES_8), 6);
}

/* A revision may have a wider counter, of which a read clears all bits. */
static void all_that_a_read_clears_is_counted(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);

	eth_hw_stats_start(hw->stats);
	hw_set(hw, CLEARS_10, 1025);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_10), 1025);
}

static void clear_on_read_counts_each_event_once(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);

	eth_hw_stats_start(hw->stats);
	hw_set(hw, CLEARS_32, 5);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_32), 5);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_32), 5);
	hw_set(hw, CLEARS_32, U32_MAX);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_32), 5ull + U32_MAX);
	hw_set(hw, CLEARS_48, 0xffffffffffff);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_48), 0xffffffffffff);
	hw_set(hw, CLEARS_48, 0x100000001);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_48), 0x1000100000000);
}

static void a_saturated_counter_counts_its_maximum(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);

	eth_hw_stats_start(hw->stats);
	hw_set(hw, CLEARS_10, 1023);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_10), 1023);
	hw_set(hw, CLEARS_10, 1);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_10), 1024);

	hw_set(hw, SATURATES_8, 250);
	KUNIT_EXPECT_EQ(test, total(hw, SATURATES_8), 250);
	hw_set(hw, SATURATES_8, 255);
	KUNIT_EXPECT_EQ(test, total(hw, SATURATES_8), 255);
	KUNIT_EXPECT_EQ(test, total(hw, SATURATES_8), 255);
}

/* No count of events leads there: the hardware was reset. */
static void a_counter_that_cannot_go_back_is_a_new_baseline(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);

	eth_hw_stats_start(hw->stats);
	hw_set(hw, SATURATES_8, 200);
	hw_set(hw, WRAPS_64, 1ull << 40);
	KUNIT_EXPECT_EQ(test, total(hw, SATURATES_8), 200);
	hw_set(hw, SATURATES_8, 3);
	hw_set(hw, WRAPS_64, 3);
	KUNIT_EXPECT_EQ(test, total(hw, SATURATES_8), 200);
	KUNIT_EXPECT_EQ(test, total(hw, WRAPS_64), 1ull << 40);
	hw_set(hw, SATURATES_8, 10);
	hw_set(hw, WRAPS_64, 10);
	KUNIT_EXPECT_EQ(test, total(hw, SATURATES_8), 207);
	KUNIT_EXPECT_EQ(test, total(hw, WRAPS_64), (1ull << 40) + 7);
}

static void a_device_that_is_gone_is_read_no_more(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);

	eth_hw_stats_start(hw->stats);
	hw_set(hw, CLEARS_32, 5);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_32), 5);
	hw->gone = true;
	memset(hw->words, 0xff, sizeof(hw->words));
	atomic_set(&hw->reads, 0);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_32), 5);
	KUNIT_EXPECT_EQ(test, total(hw, WRAPS_64), 0);
	eth_hw_stats_stop(hw->stats);
	KUNIT_EXPECT_EQ(test, atomic_read(&hw->reads), 1);

	/* It comes back from a reset. */
	hw->gone = false;
	memset(hw->words, 0, sizeof(hw->words));
	eth_hw_stats_start(hw->stats);
	hw_set(hw, CLEARS_32, 2);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_32), 7);
}

static void a_device_without_an_interval_is_rejected(struct kunit *test)
{
	static const struct eth_hw_stats_desc never = {
		.rows = rows, .n_rows = ARRAY_SIZE(rows), .read = hw_read,
	};
	struct eth_hw_stats *stats;

	stats = eth_hw_stats_alloc(NULL, &never, NULL);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(stats), -EINVAL);
}

static void totals_survive_a_reset(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);

	eth_hw_stats_start(hw->stats);
	hw_set(hw, WRAPS_32, 1000);
	hw_set(hw, CLEARS_32, 1000);
	hw_set(hw, SATURATES_8, 100);
	eth_hw_stats_stop(hw->stats);

	/* Reading a register without a clock may stop the machine. */
	atomic_set(&hw->reads, 0);
	memset(hw->words, 0xff, sizeof(hw->words));
	KUNIT_EXPECT_EQ(test, total(hw, WRAPS_32), 1000);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_32), 1000);
	eth_hw_stats_stop(hw->stats);
	KUNIT_EXPECT_EQ(test, atomic_read(&hw->reads), 0);

	memset(hw->words, 0, sizeof(hw->words));
	hw_set(hw, WRAPS_32, 7);
	eth_hw_stats_start(hw->stats);
	hw_set(hw, WRAPS_32, 9);
	hw_set(hw, CLEARS_32, 1);
	KUNIT_EXPECT_EQ(test, total(hw, WRAPS_32), 1002);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_32), 1001);
	KUNIT_EXPECT_EQ(test, total(hw, SATURATES_8), 100);
}

static void nothing_is_read_before_the_start(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);

	hw_set(hw, CLEARS_32, 5);
	KUNIT_EXPECT_EQ(test, total(hw, CLEARS_32), 0);
	eth_hw_stats_stop(hw->stats);
	KUNIT_EXPECT_EQ(test, atomic_read(&hw->reads), 0);
}

static bool polled(struct hardware *hw)
{
	unsigned int tries;

	atomic_set(&hw->reads, 0);
	for (tries = 0; !atomic_read(&hw->reads) && tries < 1000; tries++)
		msleep(20);
	return atomic_read(&hw->reads);
}

static void counters_are_read_without_a_request(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &polls);

	eth_hw_stats_start(hw->stats);
	KUNIT_EXPECT_TRUE(test, polled(hw));
	KUNIT_EXPECT_TRUE(test, polled(hw));
}

static void polling_ends_with_the_stop(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &polls);

	eth_hw_stats_start(hw->stats);
	KUNIT_EXPECT_TRUE(test, polled(hw));
	eth_hw_stats_stop(hw->stats);
	atomic_set(&hw->reads, 0);
	msleep(100);
	KUNIT_EXPECT_EQ(test, atomic_read(&hw->reads), 0);
}

/* The work of before the stop is still pending. */
static void polling_goes_on_after_a_restart(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &polls);

	eth_hw_stats_start(hw->stats);
	eth_hw_stats_stop(hw->stats);
	eth_hw_stats_start(hw->stats);
	KUNIT_EXPECT_TRUE(test, polled(hw));
	KUNIT_EXPECT_TRUE(test, polled(hw));
	eth_hw_stats_stop(hw->stats);
	msleep(100);
	eth_hw_stats_start(hw->stats);
	KUNIT_EXPECT_TRUE(test, polled(hw));
	KUNIT_EXPECT_TRUE(test, polled(hw));
}

static void statistics_are_sums_or_not_set(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);
	const struct ethtool_rmon_hist_range *its_ranges = NULL;
	struct {
		struct rtnl_link_stats64 link;
		u64 after;
	} rtnl = {
		.link = {
			.rx_packets = 12,
			.rx_errors = 1,
			.tx_window_errors = ETHTOOL_STAT_NOT_SET,
		},
	};
	struct ethtool_eth_mac_stats mac;
	struct ethtool_eth_phy_stats phy;
	struct ethtool_eth_ctrl_stats ctrl;
	struct ethtool_pause_stats pause;
	struct ethtool_rmon_stats rmon;

	/* As net/ethtool does */
	memset(&mac, 0xff, sizeof(mac));
	memset(&phy, 0xff, sizeof(phy));
	memset(&ctrl, 0xff, sizeof(ctrl));
	memset(&pause, 0xff, sizeof(pause));
	memset(&rmon, 0xff, sizeof(rmon));

	eth_hw_stats_start(hw->stats);
	hw_set(hw, WRAPS_16, 2);
	hw_set(hw, WRAPS_32, 30);
	hw_set(hw, WRAPS_48, 400);
	hw_set(hw, CLEARS_32, 5000);
	hw_set(hw, CLEARS_48, 60000);
	hw_set(hw, CLEARS_10, 700);
	hw_set(hw, SATURATES_8, 80);

	/* What the driver has counted itself stays. */
	eth_hw_stats_get_stats64(hw->stats, &rtnl.link);
	KUNIT_EXPECT_EQ(test, rtnl.link.rx_packets, 12);
	KUNIT_EXPECT_EQ(test, rtnl.link.rx_errors, 1 + 2 + 30);
	KUNIT_EXPECT_EQ(test, rtnl.link.rx_crc_errors, 2);
	/* Here it is a number, and the sum wraps. */
	KUNIT_EXPECT_EQ(test, rtnl.link.tx_window_errors, 29);
	KUNIT_EXPECT_EQ(test, rtnl.link.tx_errors, 0);
	KUNIT_EXPECT_EQ(test, rtnl.after, 0);

	eth_hw_stats_get_eth_mac_stats(hw->stats, &mac);
	KUNIT_EXPECT_EQ(test, mac.FramesTransmittedOK, 400);
	KUNIT_EXPECT_EQ(test, mac.FrameCheckSequenceErrors, 2);
	KUNIT_EXPECT_EQ(test, mac.FrameTooLongErrors, 30);
	KUNIT_EXPECT_EQ(test, mac.FramesReceivedOK, ETHTOOL_STAT_NOT_SET);
	KUNIT_EXPECT_EQ(test, mac.OutOfRangeLengthField, ETHTOOL_STAT_NOT_SET);

	eth_hw_stats_get_eth_phy_stats(hw->stats, &phy);
	KUNIT_EXPECT_EQ(test, phy.SymbolErrorDuringCarrier, 700);

	eth_hw_stats_get_eth_ctrl_stats(hw->stats, &ctrl);
	KUNIT_EXPECT_EQ(test, ctrl.MACControlFramesReceived, 400);
	KUNIT_EXPECT_EQ(test, ctrl.MACControlFramesTransmitted,
			ETHTOOL_STAT_NOT_SET);

	eth_hw_stats_get_pause_stats(hw->stats, &pause);
	KUNIT_EXPECT_EQ(test, pause.rx_pause_frames, 80);
	KUNIT_EXPECT_EQ(test, pause.tx_pause_frames, ETHTOOL_STAT_NOT_SET);

	eth_hw_stats_get_rmon_stats(hw->stats, &rmon, &its_ranges);
	KUNIT_EXPECT_PTR_EQ(test, its_ranges, &ranges[0]);
	KUNIT_EXPECT_EQ(test, rmon.undersize_pkts, 5000);
	KUNIT_EXPECT_EQ(test, rmon.jabbers, 60000);
	KUNIT_EXPECT_EQ(test, rmon.fragments, ETHTOOL_STAT_NOT_SET);
	KUNIT_EXPECT_EQ(test, rmon.hist[0], 5000);
	KUNIT_EXPECT_EQ(test, rmon.hist[1], 60000);
	KUNIT_EXPECT_EQ(test, rmon.hist[2], ETHTOOL_STAT_NOT_SET);
	KUNIT_EXPECT_EQ(test, rmon.hist_tx[0], 700);
	KUNIT_EXPECT_EQ(test, rmon.hist_tx[1], 80);
	KUNIT_EXPECT_EQ(test, rmon.hist_tx[2], ETHTOOL_STAT_NOT_SET);
}

static void strings_are_those_of_the_rows(struct kunit *test)
{
	struct hardware *hw = hw_new(test, &follows);
	u8 data[ARRAY_SIZE(rows) * ETH_GSTRING_LEN];
	u8 *end = data;

	KUNIT_EXPECT_EQ(test, eth_hw_stats_count(hw->stats), ARRAY_SIZE(rows));
	eth_hw_stats_get_strings(hw->stats, &end);
	KUNIT_EXPECT_PTR_EQ(test, end, data + sizeof(data));
	KUNIT_EXPECT_STREQ(test, (char *)data, "wraps_16");
	KUNIT_EXPECT_MEMEQ(test, end - ETH_GSTRING_LEN,
			   "a_name_of_exactly_32_characters_", ETH_GSTRING_LEN);
}

static struct kunit_case eth_hw_stats_cases[] = {
	KUNIT_CASE(counts_what_follows_the_start),
	KUNIT_CASE(counters_wrap),
	KUNIT_CASE(a_64_bit_counter_wraps),
	KUNIT_CASE(other_bits_of_a_register_do_not_count),
	KUNIT_CASE(all_that_a_read_clears_is_counted),
	KUNIT_CASE(clear_on_read_counts_each_event_once),
	KUNIT_CASE(a_saturated_counter_counts_its_maximum),
	KUNIT_CASE(a_counter_that_cannot_go_back_is_a_new_baseline),
	KUNIT_CASE(a_device_that_is_gone_is_read_no_more),
	KUNIT_CASE(totals_survive_a_reset),
	KUNIT_CASE(nothing_is_read_before_the_start),
	KUNIT_CASE(a_device_without_an_interval_is_rejected),
	KUNIT_CASE(counters_are_read_without_a_request),
	KUNIT_CASE(polling_ends_with_the_stop),
	KUNIT_CASE(polling_goes_on_after_a_restart),
	KUNIT_CASE(statistics_are_sums_or_not_set),
	KUNIT_CASE(strings_are_those_of_the_rows),
	{}
};

static struct kunit_suite eth_hw_stats_suite = {
	.name = "eth_hw_stats",
	.test_cases = eth_hw_stats_cases,
};

kunit_test_suite(eth_hw_stats_suite);

MODULE_DESCRIPTION("Tests of totals of the statistics registers");
MODULE_LICENSE("GPL");
