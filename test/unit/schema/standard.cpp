// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Sums of counters that Linux has names for: how they are added, when they wait, and which are
// absent. Those of each model are in scenarios.
#include "boost_test.hpp"

#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include <macstats/model/e1000.h>
#include <macstats/model/ll40g.h>
#include <macstats/standard.h>

#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_standard)

using namespace macstats::test;

namespace {

// After a read that took all of these totals.
void update(
    Summed& standard, const macstats_model& model, std::span<const u64> totals,
    u32 absent_blocks = 0) {
    macstats_accumulator acc = {};

    acc.model = &model;
    macstats__set_absent(&acc, absent_blocks);
    for (std::size_t i = 0; i < totals.size(); i++) {
        acc.counters[i].total = totals[i];
        acc.counters[i].taken = true;
        macstats_add_row(&acc.woken, static_cast<unsigned int>(i));
    }
    standard.update(acc);
}

} // namespace

// Fragments have a share of +14 in the bytes, undersize frames of -14, and 2^63 - 1
// times either is more than 64 bits hold. 7 good frames of 64 octets are left.
BOOST_AUTO_TEST_CASE(terms_that_cancel_each_other_out_may_be_huge) {
    Polled polled(ll40g_model);

    polled.port.send(rx(63).bad(), (1ULL << 63) - 1);
    polled.port.send(rx(64), 7);
    BOOST_TEST(polled.poll() == 0);
    const Standard standard = polled.standard();
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_BYTES] == 7u * 60);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_PACKETS] == 7u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_ERRORS] == (1ULL << 63) - 1);
}

BOOST_AUTO_TEST_CASE(a_statistic_that_a_missing_block_feeds_is_absent_and_not_0) {
    for (const unsigned int missing : {MACSTATS_TX, MACSTATS_RX}) {
        const u32 blocks = missing == MACSTATS_TX ? 1 : 2;
        const std::vector<u64> totals(ll40g_model.n_counters, 7);
        Summed standard;

        update(standard, ll40g_model, totals, blocks);
        for (unsigned int id = 1; id < MACSTATS_STD_COUNT; id++) {
            bool fed = false;
            bool lacks = false;

            for (unsigned int i = 0; i < ll40g_model.n_counters; i++)
                for (const macstats_term& term : ll40g_model.counters[i].standard)
                    if (term.id == id && !macstats_is_histogram(id)) {
                        fed = true;
                        lacks = lacks ||
                                macstats_counter_direction(&ll40g_model.counters[i]) == missing;
                    }
            BOOST_TEST(standard.present[id] == (fed && !lacks), id);
            if (!standard.present[id])
                BOOST_TEST(standard.value[id] == 0u, id);
        }
    }
}

// The collisions of both blocks: half of a sum is not the sum.
BOOST_AUTO_TEST_CASE(a_sum_of_two_blocks_needs_both) {
    macstats_counter counters[2] = {};
    macstats_model model = ll40g_model;
    const u64 totals[] = {3, 4};

    counters[1].block = 1;
    for (macstats_counter& counter : counters)
        counter.standard[0] = {MACSTATS_STD_RTNL_COLLISIONS, 1};
    model.counters = counters;
    model.n_counters = 2;
    for (const u32 blocks : {1u, 2u, 3u}) {
        Summed standard;

        update(standard, model, totals, blocks);
        BOOST_TEST(!standard.present[MACSTATS_STD_RTNL_COLLISIONS]);
        BOOST_TEST(standard.value[MACSTATS_STD_RTNL_COLLISIONS] == 0u);
    }
    Summed standard;
    update(standard, model, totals);
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_COLLISIONS] == 7u);
}

BOOST_AUTO_TEST_SUITE(histogram)

BOOST_AUTO_TEST_CASE(no_more_buckets_are_written_than_there_is_room_for) {
    macstats_bucket buckets[4] = {};

    BOOST_TEST(macstats_histogram(&ll40g_model, MACSTATS_STD_HIST_RX, buckets, 3) == 7u);
    BOOST_TEST(buckets[2].low == 128u);
    BOOST_TEST(buckets[3].low == 0u);
}

BOOST_AUTO_TEST_CASE(rows_of_one_range_are_one_bucket) {
    macstats_bucket buckets[3] = {};

    BOOST_REQUIRE(macstats_histogram(&merging_model, MACSTATS_STD_HIST_RX, buckets, 3) == 2u);
    for (unsigned int i = 0; i < merging_model.n_counters; i++) {
        BOOST_TEST(macstats_has_row(&buckets[0].rows, i) == (i == 1 || i == 4));
        BOOST_TEST(macstats_has_row(&buckets[1].rows, i) == (i == 2 || i == 5));
    }
    BOOST_TEST(buckets[0].low == 64u);
    BOOST_TEST(buckets[0].high == 64u);
    BOOST_TEST(buckets[1].low == 65u);
    BOOST_TEST(buckets[1].high == 65535u);
}

BOOST_AUTO_TEST_CASE(rows_of_buckets_without_room_are_left_out) {
    macstats_bucket buckets[2] = {};

    // The rows of the second range are two of the buckets that exist, at least.
    BOOST_TEST(macstats_histogram(&merging_model, MACSTATS_STD_HIST_RX, buckets, 1) > 1u);
    BOOST_TEST(macstats_has_row(&buckets[0].rows, 4));
    BOOST_TEST(buckets[1].low == 0u);
    BOOST_TEST(buckets[1].rows.bits[0] == 0u);
}

BOOST_AUTO_TEST_CASE(a_model_without_size_bins_has_no_histogram) {
    macstats_bucket buckets[1] = {};

    BOOST_TEST(macstats_histogram(&clearing_model, MACSTATS_STD_HIST_RX, buckets, 1) == 0u);
    BOOST_TEST(macstats_histogram(&clearing_model, MACSTATS_STD_HIST_TX, buckets, 1) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sums)

namespace {

MACSTATS_MODEL_BEGIN

// Octets that include header and FCS, as most MACs have them: bytes = octets - 4 * frames.
constexpr macstats_counter whole_octets[] = {
    {.name = "rx_octets", .standard = {{MACSTATS_STD_RTNL_RX_BYTES, 1}}},
    {.name = "rx_frames",
     .standard = {{MACSTATS_STD_RTNL_RX_BYTES, -4}, {MACSTATS_STD_RTNL_RX_PACKETS, 1}}},
};

MACSTATS_MODEL_END

constexpr macstats_model whole_octets_model = [] {
    macstats_model model = synthetic("octets", 32, 32);

    model.counters = whole_octets;
    model.n_counters = 2;
    return model;
}();

} // namespace

BOOST_AUTO_TEST_CASE(coefficients_are_multiplied_and_may_be_negative) {
    const u64 totals[] = {6400, 100};
    Summed standard;

    update(standard, whole_octets_model, totals);
    for (unsigned int id = 0; id < MACSTATS_STD_COUNT; id++)
        BOOST_TEST(
            standard.present[id] ==
            (id == MACSTATS_STD_RTNL_RX_BYTES || id == MACSTATS_STD_RTNL_RX_PACKETS));
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_RX_BYTES] == 6000u);
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_RX_PACKETS] == 100u);
}

// Counters that are not read in the same instant: frames are ahead of their octets.
BOOST_AUTO_TEST_CASE(no_statistic_ever_goes_back) {
    const u64 first[] = {6400, 100};
    const u64 ahead[] = {6400, 200};
    const u64 level[] = {12800, 200};
    Summed standard;

    update(standard, whole_octets_model, first);
    update(standard, whole_octets_model, ahead);
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_RX_BYTES] == 6000u);
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_RX_PACKETS] == 200u);
    update(standard, whole_octets_model, level);
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_RX_BYTES] == 12000u);
}

namespace {

// One read of both counters of whole_octets_model after another, each with what it has counted; a
// counter that it misses is not set.
struct Reads {
    macstats_accumulator acc{};
    Summed standard;

    Reads() { acc.model = &whole_octets_model; }

    void read(std::optional<u64> octets, std::optional<u64> frames) {
        const std::optional<u64> counted[] = {octets, frames};

        macstats__begin_read(&acc);
        for (unsigned int i = 0; i < 2; i++) {
            acc.counters[i].taken = counted[i].has_value();
            acc.counters[i].total += counted[i].value_or(0);
            macstats_add_row(&acc.woken, i);
        }
        standard.update(acc);
    }

    u64 bytes() const { return standard.value[MACSTATS_STD_RTNL_RX_BYTES]; }
    bool stale() const { return standard.stale[MACSTATS_STD_RTNL_RX_BYTES]; }
};

} // namespace

// 5 frames of 64 octets, then 10 of 100: 5 * 60 + 10 * 96 octets without FCS.
BOOST_AUTO_TEST_CASE(a_sum_waits_for_a_read_of_all_its_counters) {
    Reads reads;

    reads.read(320, 5);
    BOOST_TEST(reads.bytes() == 300u);
    BOOST_TEST(!reads.stale());
    reads.read(1000, {});
    BOOST_TEST(reads.bytes() == 300u);
    BOOST_TEST(reads.stale());
    BOOST_TEST(reads.standard.any_stale);
    // What only one counter feeds is of that read.
    BOOST_TEST(!reads.standard.stale[MACSTATS_STD_RTNL_RX_PACKETS]);
    reads.read(0, 10);
    BOOST_TEST(reads.bytes() == 1260u);
    BOOST_TEST(!reads.stale());
    BOOST_TEST(!reads.standard.any_stale);
}

BOOST_AUTO_TEST_CASE(a_sum_waits_as_long_as_reads_miss_one_of_its_counters) {
    Reads reads;

    reads.read({}, 5);
    reads.read({}, {});
    BOOST_TEST(reads.stale());
    reads.read(320, {});
    BOOST_TEST(reads.stale());
    BOOST_TEST(reads.bytes() == 0u);
    reads.read(0, 0);
    BOOST_TEST(reads.bytes() == 300u);
    BOOST_TEST(!reads.stale());
}

// A reset takes what a read has missed. Ten frames of 64 octets then are 600 octets without FCS.
BOOST_AUTO_TEST_CASE(a_difference_counts_on_from_its_value_after_a_new_baseline) {
    Reads reads;

    reads.read(320, 5);
    reads.read({}, 10);
    BOOST_TEST(reads.stale());
    reads.acc.rebased = true;
    reads.read(0, 0);
    BOOST_TEST(reads.bytes() == 300u);
    BOOST_TEST(!reads.stale());
    reads.acc.rebased = false;
    reads.read(640, 10);
    BOOST_TEST(reads.bytes() == 900u);
}

BOOST_AUTO_TEST_CASE(a_read_that_finds_nothing_new_makes_no_sum_wait) {
    Reads reads;

    reads.read(320, 5);
    reads.read(0, {});
    BOOST_TEST(!reads.stale());
    reads.read({}, {});
    BOOST_TEST(!reads.stale());
    BOOST_TEST(reads.bytes() == 300u);
}

// rx_bytes = octets - 4 * frames.
BOOST_AUTO_TEST_CASE(the_bound_of_a_sum_follows_from_its_counters) {
    Reads reads;
    u64 times = 0;
    const auto bound = [&](u64 octets, u64 frames) {
        const u64 saturated[] = {octets, frames};

        return macstats_bound_of(
            &reads.standard, &whole_octets_model, saturated, MACSTATS_STD_RTNL_RX_BYTES, &times);
    };

    reads.read(320, 5);
    BOOST_TEST(bound(0, 0) == MACSTATS_BOUND_EXACT);
    BOOST_TEST(bound(2, 0) == MACSTATS_BOUND_AT_LEAST);
    BOOST_TEST(times == 2u);
    BOOST_TEST(bound(0, 3) == MACSTATS_BOUND_AT_MOST);
    BOOST_TEST(times == 3u);
    BOOST_TEST(bound(2, 3) == MACSTATS_BOUND_UNKNOWN);
    BOOST_TEST(times == 5u);
    // Statistics only grow: an earlier value is a lower bound.
    reads.read(1000, {});
    BOOST_TEST(bound(0, 0) == MACSTATS_BOUND_AT_LEAST);
    BOOST_TEST(times == 0u);
    BOOST_TEST(bound(0, 3) == MACSTATS_BOUND_UNKNOWN);
}

// Ten frames of 64 octets, counted by two reads and looked at once.
BOOST_AUTO_TEST_CASE(an_update_may_miss_a_read) {
    Polled polled(e1000_model);
    Summed standard;

    standard.update(polled.acc);
    polled.port.send(rx(64), 10);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.poll() == 0);
    standard.update(polled.acc);
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_RX_BYTES] == 600u);
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_RX_PACKETS] == 10u);
}

// A preset adds what one counter has counted, and looks at no other.
BOOST_AUTO_TEST_CASE(a_sum_does_not_mix_a_preset_with_an_earlier_read) {
    Polled polled(e1000_model);
    Summed standard;
    const auto bytes = [&] {
        standard.update(polled.acc);
        return standard.value[MACSTATS_STD_RTNL_RX_BYTES];
    };

    polled.port.send(rx(64), 10);
    polled.preset("GORC", 0);
    BOOST_TEST(bytes() == 0u);
    BOOST_TEST(standard.stale[MACSTATS_STD_RTNL_RX_BYTES]);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(bytes() == 600u);
    BOOST_TEST(!standard.any_stale);
}

// 5 frames, then 10 after polls that found nothing, each of 60 octets without FCS.
BOOST_AUTO_TEST_CASE(a_sum_is_of_one_read_wherever_the_bus_fails) {
    unsigned int words = 1;

    for (unsigned int at = 0; at < words; at++) {
        Polled polled(e1000_model);
        Summed standard;
        unsigned int n = 0;
        const auto poll = [&](int err) {
            n = 0;
            BOOST_TEST(polled.poll() == err);
            standard.update(polled.acc);
            return standard.value[MACSTATS_STD_RTNL_RX_BYTES];
        };

        polled.port.send(rx(64), 5);
        BOOST_TEST(poll(0) == 300u);
        polled.bus.before_read = [&](u32) { n++; };
        BOOST_TEST(poll(0) == 300u);
        BOOST_TEST(poll(0) == 300u);
        words = n;
        polled.port.send(rx(64), 10);
        polled.bus.before_read = [&](u32) {
            if (n++ == at)
                polled.port.fault(MACSTATS_FAULT_BUS_ERROR);
        };
        BOOST_TEST_CONTEXT("word " << at) {
            const u64 bytes = poll(-EIO);
            const bool frames = polled.total("GPRC") == 15u;
            const bool octets = polled.total("GORC") == 960u;
            BOOST_TEST(bytes == (frames && octets ? 900u : 300u));
            BOOST_TEST(standard.stale[MACSTATS_STD_RTNL_RX_BYTES] == (frames != octets));
            polled.bus.before_read = nullptr;
            polled.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
            BOOST_TEST(poll(0) == 900u);
            BOOST_TEST(!standard.any_stale);
        }
    }
    BOOST_TEST(words > 50u);
}

// 613566756 * 2^32 + 2454267027 is about 2^64 / 7, so that the products of both halves carry.
BOOST_AUTO_TEST_CASE(products_are_exact_in_128_bits) {
    __extension__ using Wide = unsigned __int128;
    const u64 totals[] = {
        0,
        1,
        3,
        0x7fffffff,
        0xffffffff,
        0x100000000,
        0x1ffffffff,
        (613566756ull << 32) | 2454267027,
        0x7fffffffffffffff,
        0x8000000000000000,
        0xfffffffeffffffff,
        ~u64{0}};

    for (const u64 total : totals)
        for (const int factor : {0, 1, 2, 7, 14, 20, 127, 0x7fffffff, -1, -2, -7, -18, -0x7fffffff})
            for (const u64 low : {u64{0}, u64{1}, ~u64{0}}) {
                macstats_wide sum{low, 5};
                const Wide expected = ((Wide{5} << 64) | low) + static_cast<Wide>(factor) * total;

                macstats__wide_add(&sum, total, factor);
                BOOST_TEST_CONTEXT(total << " times " << factor << " on " << low) {
                    BOOST_TEST(sum.low == static_cast<u64>(expected));
                    BOOST_TEST(sum.high == static_cast<u64>(expected >> 64));
                }
            }
}

BOOST_AUTO_TEST_CASE(a_difference_below_0_is_0) {
    const u64 totals[] = {3, 1};
    Summed standard;

    update(standard, whole_octets_model, totals);
    BOOST_TEST(standard.present[MACSTATS_STD_RTNL_RX_BYTES]);
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_RX_BYTES] == 0u);

    // 100 - 4 * 2^63 = 100 - 2^65, whose upper half is even.
    const u64 far_ahead[] = {100, u64{1} << 63};
    update(standard, whole_octets_model, far_ahead);
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_RX_BYTES] == 0u);
}

BOOST_AUTO_TEST_CASE(values_above_two_to_the_53_are_exact) {
    const u64 totals[] = {0x7fffffffffffffff, 0x0020000000000001};
    Summed standard;

    update(standard, whole_octets_model, totals);
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_RX_BYTES] == 0x7f7ffffffffffffbu);
    BOOST_TEST(standard.value[MACSTATS_STD_RTNL_RX_PACKETS] == 0x0020000000000001u);
}

BOOST_AUTO_TEST_SUITE_END()

// A strict driver keeps counters with a standard mapping out of ethtool -S.
BOOST_AUTO_TEST_CASE(a_counter_with_a_statistic_of_its_own_has_a_standard_mapping) {
    const std::set<std::string_view> at_home = {
        // Histograms.
        "tx_64b", "tx_65to127b", "tx_128to255b", "tx_256to511b", "tx_512to1023b", "tx_1024to1518b",
        "tx_1519tomaxb", "rx_64b", "rx_65to127b", "rx_128to255b", "rx_256to511b", "rx_512to1023b",
        "rx_1024to1518b", "rx_1519tomaxb",
        // etherStatsFragments, etherStatsJabbers, FrameTooLongErrors.
        "rx_fragments", "rx_jabbers", "rx_oversize",
        // Octets*OK, pause frames.
        "tx_octets_ok", "rx_octets_ok", "tx_pause", "rx_pause"};

    for (unsigned int i = 0; i < ll40g_model.n_counters; i++)
        BOOST_TEST(
            macstats_has_standard(&ll40g_model, i, false) ==
                at_home.contains(ll40g_model.counters[i].name),
            ll40g_model.counters[i].name);
}

BOOST_AUTO_TEST_CASE(a_part_of_a_bucket_is_no_statistic_of_its_own) {
    const std::set<std::string_view> at_home = {"rx_merge_errors", "tx_frames"};

    for (unsigned int i = 0; i < merging_model.n_counters; i++)
        BOOST_TEST(
            macstats_has_standard(&merging_model, i, false) ==
                at_home.contains(merging_model.counters[i].name),
            merging_model.counters[i].name);
}

// IEEE 802.3 clause 99: the sums of each MAC, and of both.
BOOST_AUTO_TEST_CASE(the_sums_of_a_mac_are_those_of_its_rows) {
    // Frames of the express MAC and by size, then the same of the other; fragments; sent frames.
    const u64 totals[] = {10, 4, 6, 300, 100, 200, 7, 50, 9};
    Summed both;
    Summed express;
    Summed preemptible;

    express.mac = MACSTATS_MAC_EXPRESS;
    preemptible.mac = MACSTATS_MAC_PREEMPTIBLE;
    for (Summed* sums : {&both, &express, &preemptible})
        update(*sums, merging_model, totals);
    BOOST_TEST(both.value[MACSTATS_STD_FRAMES_RECEIVED_OK] == 310u);
    BOOST_TEST(express.value[MACSTATS_STD_FRAMES_RECEIVED_OK] == 10u);
    BOOST_TEST(preemptible.value[MACSTATS_STD_FRAMES_RECEIVED_OK] == 300u);
    BOOST_TEST(both.value[MACSTATS_STD_FRAMES_TRANSMITTED_OK] == 9u);
    BOOST_TEST(both.value[MACSTATS_STD_MAC_MERGE_FRAME_ASS_ERROR_COUNT] == 7u);
    BOOST_TEST(both.value[MACSTATS_STD_MAC_MERGE_FRAG_COUNT_RX] == 57u);
    for (unsigned int id = 0; id < MACSTATS_STD_COUNT; id++) {
        const bool of_each = id == MACSTATS_STD_FRAMES_RECEIVED_OK;
        BOOST_TEST(
            both.present[id] == (of_each || id == MACSTATS_STD_FRAMES_TRANSMITTED_OK ||
                                 id == MACSTATS_STD_MAC_MERGE_FRAME_ASS_ERROR_COUNT ||
                                 id == MACSTATS_STD_MAC_MERGE_FRAG_COUNT_RX));
        BOOST_TEST(express.present[id] == of_each);
        BOOST_TEST(preemptible.present[id] == of_each);
    }
}

// A port that is built without frame preemption. Nobody reads a register that is not there.
BOOST_AUTO_TEST_CASE(without_the_preemptible_mac_the_sums_of_both_are_those_of_the_other_one) {
    const auto received = [](macstats_mac mac, const std::set<unsigned int>& absent) {
        macstats_accumulator acc = {};
        Summed sums;

        sums.mac = static_cast<u8>(mac);
        acc.model = &merging_model;
        acc.counters[0].total = 10;
        for (unsigned int row = 0; row < merging_model.n_counters; row++) {
            acc.counters[row].taken = !absent.contains(row);
            if (absent.contains(row))
                macstats_add_row(&acc.state.absent_rows, row);
        }
        sums.update(acc);
        return sums.present[MACSTATS_STD_FRAMES_RECEIVED_OK]
                   ? std::optional(sums.value[MACSTATS_STD_FRAMES_RECEIVED_OK])
                   : std::nullopt;
    };

    BOOST_TEST((received(MACSTATS_MAC_ANY, {3, 4, 5}) == 10u));
    BOOST_TEST((received(MACSTATS_MAC_EXPRESS, {3, 4, 5}) == 10u));
    BOOST_TEST(!received(MACSTATS_MAC_PREEMPTIBLE, {3, 4, 5}));
    // One register that a revision lacks is no missing MAC.
    BOOST_TEST(!received(MACSTATS_MAC_ANY, {3}));
    BOOST_TEST(!received(MACSTATS_MAC_ANY, {0, 1, 2, 3, 4, 5}));
}

BOOST_AUTO_TEST_CASE(a_read_that_missed_the_other_mac_makes_no_sum_stale) {
    macstats_accumulator acc = {};
    Summed both;
    Summed express;

    express.mac = MACSTATS_MAC_EXPRESS;
    acc.model = &merging_model;
    acc.counters[0].total = 5;
    acc.counters[0].taken = true;
    both.update(acc);
    express.update(acc);
    BOOST_TEST(both.stale[MACSTATS_STD_FRAMES_RECEIVED_OK]);
    BOOST_TEST(both.value[MACSTATS_STD_FRAMES_RECEIVED_OK] == 0u);
    BOOST_TEST(!express.stale[MACSTATS_STD_FRAMES_RECEIVED_OK]);
    BOOST_TEST(express.value[MACSTATS_STD_FRAMES_RECEIVED_OK] == 5u);
}

BOOST_AUTO_TEST_CASE(frames_of_the_emulation_are_of_the_express_mac) {
    Polled polled(merging_model);

    polled.port.send(rx(64), 3);
    polled.port.send(rx(100), 5);
    polled.port.send(tx(64), 7);
    BOOST_TEST(polled.poll() == 0);
    const u64 expected[] = {8, 3, 5, 0, 0, 0, 0, 0, 7};
    for (unsigned int i = 0; i < merging_model.n_counters; i++)
        BOOST_TEST(polled.acc.counters[i].total == expected[i], merging_model.counters[i].name);
}

BOOST_AUTO_TEST_CASE(a_model_merges_by_its_rows) {
    macstats_counter row = {};
    macstats_model model = synthetic("merges", 8, 32);

    model.counters = &row;
    model.n_counters = 1;
    row.standard[0] = {MACSTATS_STD_RTNL_TX_WINDOW_ERRORS, 1};
    BOOST_TEST(!macstats_merges(&model));
    row.standard[1] = {MACSTATS_STD_MAC_MERGE_FRAME_ASS_ERROR_COUNT, 1};
    BOOST_TEST(macstats_merges(&model));
    row.standard[1] = {MACSTATS_STD_MAC_MERGE_HOLD_COUNT, 1};
    BOOST_TEST(macstats_merges(&model));
    row.standard[1] = {};
    row.mac = MACSTATS_MAC_EXPRESS;
    BOOST_TEST(macstats_merges(&model));
}

BOOST_AUTO_TEST_CASE(a_term_of_a_sum_is_no_statistic_of_its_own) {
    macstats_counter rows[2] = {};
    rows[0].standard[0] = {MACSTATS_STD_RTNL_RX_ERRORS, 1};
    rows[1].standard[0] = {MACSTATS_STD_RTNL_RX_ERRORS, 1};
    macstats_model model = synthetic("sums", 32, 32);
    model.counters = rows;
    model.n_counters = 2;

    BOOST_TEST(!macstats_has_standard(&model, 0, false));
    BOOST_TEST(!macstats_has_standard(&model, 1, false));
    rows[1].standard[0] = {MACSTATS_STD_RTNL_RX_CRC_ERRORS, 1};
    BOOST_TEST(macstats_has_standard(&model, 0, false));
    BOOST_TEST(macstats_has_standard(&model, 1, false));
    rows[1].standard[0] = {MACSTATS_STD_RTNL_RX_CRC_ERRORS, 2};
    BOOST_TEST(!macstats_has_standard(&model, 1, false));
    // Packets and octets may be those of the driver.
    for (const bool own_packets : {false, true}) {
        for (const unsigned int id :
             {MACSTATS_STD_RTNL_RX_PACKETS, MACSTATS_STD_RTNL_TX_PACKETS,
              MACSTATS_STD_RTNL_RX_BYTES, MACSTATS_STD_RTNL_TX_BYTES}) {
            rows[1].standard[0] = {static_cast<u8>(id), 1};
            BOOST_TEST(macstats_has_standard(&model, 1, own_packets) == !own_packets);
        }
        rows[1].standard[0] = {MACSTATS_STD_FRAMES_RECEIVED_OK, 1};
        BOOST_TEST(macstats_has_standard(&model, 1, own_packets));
    }
}

// Register maps 0.1, from the kernel's include/linux/ethtool.h and if_link.h.
BOOST_AUTO_TEST_CASE(the_names_are_those_of_the_kernel) {
    const std::set<std::string_view> expected[] = {
        // eth-phy
        {"SymbolErrorDuringCarrier"},
        // eth-mac
        {"FramesTransmittedOK",
         "SingleCollisionFrames",
         "MultipleCollisionFrames",
         "FramesReceivedOK",
         "FrameCheckSequenceErrors",
         "AlignmentErrors",
         "OctetsTransmittedOK",
         "FramesWithDeferredXmissions",
         "LateCollisions",
         "FramesAbortedDueToXSColls",
         "FramesLostDueToIntMACXmitError",
         "CarrierSenseErrors",
         "OctetsReceivedOK",
         "FramesLostDueToIntMACRcvError",
         "MulticastFramesXmittedOK",
         "BroadcastFramesXmittedOK",
         "FramesWithExcessiveDeferral",
         "MulticastFramesReceivedOK",
         "BroadcastFramesReceivedOK",
         "InRangeLengthErrors",
         "OutOfRangeLengthField",
         "FrameTooLongErrors"},
        // eth-ctrl
        {"MACControlFramesTransmitted", "MACControlFramesReceived", "UnsupportedOpcodesReceived"},
        // rmon
        {"etherStatsUndersizePkts", "etherStatsOversizePkts", "etherStatsFragments",
         "etherStatsJabbers", "rx-pktsNtoM", "tx-pktsNtoM"},
        // pause
        {"tx_pause_frames", "rx_pause_frames"},
        // rtnl
        {"rx_packets",        "tx_packets",        "rx_bytes",         "tx_bytes",
         "rx_errors",         "tx_errors",         "rx_dropped",       "tx_dropped",
         "multicast",         "collisions",        "rx_length_errors", "rx_over_errors",
         "rx_crc_errors",     "rx_frame_errors",   "rx_fifo_errors",   "rx_missed_errors",
         "tx_aborted_errors", "tx_carrier_errors", "tx_fifo_errors",   "tx_heartbeat_errors",
         "tx_window_errors"},
        // mm
        {"MACMergeFrameAssErrorCount", "MACMergeFrameSmdErrorCount", "MACMergeFrameAssOkCount",
         "MACMergeFragCountRx", "MACMergeFragCountTx", "MACMergeHoldCount"},
    };
    std::set<std::string_view> names[std::size(expected)];

#define ADD_NAME(group, id, direction, what, name) names[MACSTATS_GROUP_##group].insert(name);
    MACSTATS_STANDARD_LIST(ADD_NAME)
#undef ADD_NAME
    for (std::size_t group = 0; group < std::size(expected); group++)
        BOOST_TEST(names[group] == expected[group], boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
