// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The counts between two reads, and reads whose difference is unknown.
#include "boost_test.hpp"

#include <macstats/schema.h>

#include "libmacstats/core/difference.hpp"
#include "present/rate.hpp"

BOOST_AUTO_TEST_SUITE(unit_difference)

using namespace macstats;

namespace {

using Values = std::vector<std::uint64_t>;

Statistics read_at(std::uint64_t seconds, std::uint64_t generation, Values values) {
    Statistics statistics;
    statistics.ifindex = IfIndex(7);
    statistics.model = "some_mac";
    statistics.generation = generation;
    statistics.time_ns = seconds * 1'000'000'000;
    statistics.start_ns = 1'000;
    statistics.values = std::move(values);
    return statistics;
}

void check_restarted(const Statistics& before, const Statistics& after, std::string_view reason) {
    const Difference result = difference(before, after);
    BOOST_TEST((result.continuity == Continuity::restarted));
    BOOST_TEST(result.reason == reason);
    BOOST_TEST(result.values == after.values, boost::test_tools::per_element());
    BOOST_TEST((result.bound() == Bound::at_least)); // without the counts before the restart
    BOOST_TEST(!result.per_second(CounterIndex(0)).has_value());
}

} // namespace

BOOST_AUTO_TEST_CASE(a_difference_is_what_was_counted_and_how_long_it_took) {
    const auto result = difference(read_at(10, 5, {1, 100}), read_at(14, 6, {9, 100}));
    BOOST_TEST((result.continuity == Continuity::whole));
    BOOST_TEST(result.values == Values({8, 0}), boost::test_tools::per_element());
    BOOST_TEST(result.seconds == 4.0);
    BOOST_TEST(result.per_second(CounterIndex(0)).value() == 2.0);
    BOOST_TEST(result.per_second(CounterIndex(1)).value() == 0.0);
    BOOST_TEST(!result.per_second(CounterIndex(2)).has_value());
    BOOST_TEST(result.reason == "");
}

// A read that failed has the time of the last good one, and counts of later words that it could
// read: 10,000 in ten seconds, of which the last good poll saw five.
BOOST_AUTO_TEST_CASE(a_stale_read_has_no_rates) {
    auto stale = read_at(15, 6, {10'000});
    stale.stale = true;
    for (const auto& result :
         {difference(read_at(10, 5, {0}), stale), difference(stale, read_at(20, 7, {10'500}))}) {
        BOOST_TEST(!result.has_rates());
        BOOST_TEST(!result.per_second(CounterIndex(0)).has_value());
        BOOST_TEST(result.seconds == 5.0);
    }
}

BOOST_AUTO_TEST_CASE(standard_statistics_are_subtracted_by_their_numbers) {
    auto before = read_at(10, 5, {1});
    auto after = read_at(14, 6, {9});
    before.standard = {{.id = 3, .value = 10}, {.id = 9, .value = 5, .times = 2}};
    after.standard = {
        {.id = 2, .value = 7},
        {.id = 3, .value = 12},
        {.id = 9, .value = 6, .bound = Bound::at_most, .times = 5}};
    const std::vector<StandardValue> expected = {
        {.id = 3, .value = 2}, {.id = 9, .value = 1, .bound = Bound::at_most, .times = 3}};
    BOOST_TEST((difference(before, after).standard == expected));
    BOOST_TEST((since_start(after, "").standard == after.standard));
}

// A counter that was at its maximum before, and not since, changes no difference.
BOOST_AUTO_TEST_CASE(a_difference_is_a_bound_if_a_value_lags_or_was_at_its_maximum_since) {
    const auto bound = [](StandardValue earlier, StandardValue later) {
        auto before = read_at(10, 5, {1});
        auto after = read_at(14, 6, {9});
        before.standard = {earlier};
        after.standard = {later};
        return difference(before, after).standard.at(0).bound;
    };
    const StandardValue exact{.id = 3, .value = 5};
    const StandardValue stale{.id = 3, .value = 5, .bound = Bound::at_least, .stale = true};
    const StandardValue saturated{.id = 3, .value = 5, .bound = Bound::at_least, .times = 1};
    BOOST_TEST((bound(exact, exact) == Bound::exact));
    BOOST_TEST((bound(exact, stale) == Bound::at_least));
    BOOST_TEST((bound(stale, exact) == Bound::at_most));
    BOOST_TEST((bound(stale, stale) == Bound::unknown));
    BOOST_TEST((bound(exact, saturated) == Bound::at_least));
    BOOST_TEST((bound(saturated, saturated) == Bound::exact));
}

BOOST_AUTO_TEST_CASE(a_counter_that_the_hardware_lacks_has_no_rate) {
    auto before = read_at(10, 5, {UINT64_MAX, 100});
    auto after = read_at(14, 6, {UINT64_MAX, 108});
    before.absent = after.absent = {CounterIndex(0)};
    const auto result = difference(before, after);
    BOOST_TEST((result.continuity == Continuity::whole));
    BOOST_TEST(result.has_rates());
    BOOST_TEST(!result.per_second(CounterIndex(0)).has_value());
    BOOST_TEST(result.per_second(CounterIndex(1)).value() == 2.0);
    BOOST_REQUIRE(result.absent.size() == 1U);
    BOOST_TEST(is_absent(result.absent, CounterIndex(0)));
    BOOST_TEST(since_start(after, "").absent.size() == 1U);
    before.absent.clear();
    check_restarted(before, after, "the port has other counters now");
}

BOOST_AUTO_TEST_CASE(totals_near_the_end_of_64_bits_are_exact) {
    const auto result = difference(read_at(1, 1, {UINT64_MAX - 3}), read_at(2, 2, {UINT64_MAX}));
    BOOST_TEST(result.values == Values({3}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_port_that_was_not_read_in_between_has_no_rate_which_is_not_a_rate_of_0) {
    auto after = read_at(10, 5, {1});
    const auto cached = difference(read_at(10, 5, {1}), after);
    BOOST_TEST((cached.continuity == Continuity::not_read));
    BOOST_TEST(!cached.per_second(CounterIndex(0)).has_value());
    after.stale = true;
    const auto stale = difference(read_at(10, 5, {1}), after);
    BOOST_TEST((stale.continuity == Continuity::not_read));
    BOOST_TEST(stale.reason == "the counters cannot be read");
}

BOOST_AUTO_TEST_CASE(after_a_reset_of_the_counters_a_rate_is_the_least_that_was_counted) {
    auto after = read_at(12, 6, {5});
    after.discontinuities = 1;
    after.discontinuity_ns = 11'000'000'000;
    const auto result = difference(read_at(10, 5, {1}), after);
    BOOST_TEST((result.continuity == Continuity::discontinuity));
    BOOST_TEST(result.per_second(CounterIndex(0)).value() == 2.0);
    BOOST_TEST(result.reason == "somebody cleared or reset the counters");
}

BOOST_AUTO_TEST_CASE(after_a_possible_loss_a_rate_is_the_least_that_was_counted) {
    auto before = read_at(10, 5, {1});
    auto after = read_at(12, 6, {5});
    after.possible_loss = true;
    const auto result = difference(before, after);
    BOOST_TEST(continuity_name(result.continuity) == "possible_loss");
    BOOST_TEST(result.per_second(CounterIndex(0)).value() == 2.0);
    BOOST_TEST(result.reason == "counts may have been lost");
    // The mark stays: it is of a time before both reads.
    before.possible_loss = true;
    BOOST_TEST(continuity_name(difference(before, after).continuity) == "whole");
    // Without a read of all counters, nothing is known.
    before.possible_loss = false;
    after.generation = before.generation;
    BOOST_TEST(continuity_name(difference(before, after).continuity) == "not_read");
}

BOOST_AUTO_TEST_CASE(a_recreated_port_counts_from_its_start) {
    auto after = read_at(12, 9, {50});
    after.start_ns = 11'500'000'000;
    check_restarted(read_at(10, 5, {1}), after, "the port was added again");
    BOOST_TEST(difference(read_at(10, 5, {1}), after).seconds == 0.5);
}

BOOST_AUTO_TEST_CASE(totals_or_generations_that_go_back_mean_a_restart) {
    auto before = read_at(10, 5, {7, 7});
    before.start_ns.reset();
    check_restarted(before, read_at(12, 6, {8, 6}), "the totals restarted from 0");
    check_restarted(before, read_at(12, 4, {8, 8}), "the totals restarted from 0");
    check_restarted(before, read_at(12, 6, {8}), "the totals restarted from 0");
    check_restarted(before, read_at(12, 6, {}), "the totals restarted from 0");
}

BOOST_AUTO_TEST_CASE(another_port_is_no_continuation) {
    auto after = read_at(12, 6, {8});
    after.model = "other_mac";
    check_restarted(read_at(10, 5, {7}), after, "it is a different port");
    after.model = "some_mac";
    after.start_ns.reset();
    after.ifindex = IfIndex(8);
    check_restarted(read_at(10, 5, {7}), after, "it is a different port");
}

BOOST_AUTO_TEST_CASE(a_port_keeps_its_start_when_it_moves_to_another_namespace) {
    auto after = read_at(12, 6, {8});
    after.ifindex = IfIndex(2);
    BOOST_TEST((difference(read_at(10, 5, {7}), after).continuity == Continuity::whole));
}

BOOST_AUTO_TEST_CASE(a_port_without_counters_has_no_difference) {
    const auto result = difference(read_at(10, 5, {}), read_at(12, 6, {}));
    BOOST_TEST((result.continuity == Continuity::whole));
    BOOST_TEST(!result.per_second(CounterIndex(0)).has_value());
}

BOOST_AUTO_TEST_CASE(rates_have_units_and_octets_are_printed_in_bits) {
    BOOST_TEST(rate_text(0, MACSTATS_FRAMES) == "0 frames/s");
    BOOST_TEST(rate_text(12, MACSTATS_FRAMES) == "12 frames/s");
    BOOST_TEST(rate_text(0.5, MACSTATS_FRAMES) == "0.500 frames/s");
    BOOST_TEST(rate_text(12.5, MACSTATS_COLLISIONS) == "12.50 collisions/s");
    BOOST_TEST(rate_text(59'523'809, MACSTATS_FRAMES) == "59.52 Mframes/s");
    BOOST_TEST(rate_text(125, MACSTATS_OCTETS) == "1.000 kbit/s");
    BOOST_TEST(rate_text(5e9, MACSTATS_PAYLOAD) == "40.00 Gbit/s");
    BOOST_TEST(rate_text(5e9, MACSTATS_WIRE_OCTETS) == "40.00 Gbit/s");
    BOOST_TEST(rate_text(999.96, MACSTATS_FRAMES) == "1.000 kframes/s");
    BOOST_TEST(rate_text(999, MACSTATS_FRAMES) == "999 frames/s");
    BOOST_TEST(rate_text(1e18, MACSTATS_FRAMES) == "1.000 Eframes/s");
}

BOOST_AUTO_TEST_SUITE_END()
