// SPDX-License-Identifier: GPL-2.0 OR MIT
// The example of docs/adding-a-mac.md, taken out of that page when the build is
// configured: its model is checked, and what the page says of it happens.
#include "boost_test.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include <libmacstats/device/device.hpp>
#include <libmacstats/scenario/runner.hpp>
#include <libmacstats/scenario/scenario.hpp>
#include <macstats/check.h>
#include <macstats/models.h>

#include "adding_a_mac_example/tse.h"

#include "adding_a_mac_example/check.inc"

BOOST_AUTO_TEST_SUITE(unit_adding_a_mac)

namespace {

template <typename T>
void check(const macstats::Result<T>& result) {
    BOOST_TEST_REQUIRE(result.has_value());
}

} // namespace

// Its headers are above, since here they would become part of the suite.
#define main try_tse
#include "adding_a_mac_example/try_tse.cpp"
#undef main

namespace {

constexpr macstats::PortIndex first(0);

} // namespace

BOOST_AUTO_TEST_CASE(the_program_of_the_page_succeeds) {
    BOOST_TEST(try_tse() == 0);
}

// 5 thousand million fragments are more than 32 bits count, and no other counter stops.
BOOST_AUTO_TEST_CASE(a_saturated_counter_of_the_page_is_reported) {
    macstats::Device mac{tse_model};
    macstats_frame frame{};

    frame.direction = MACSTATS_RX;
    frame.destination = MACSTATS_UNICAST;
    frame.kind = MACSTATS_DATA;
    frame.origin = MACSTATS_BY_SOFTWARE;
    frame.length = 40;
    frame.errors = MACSTATS_ERR_FCS;
    check(mac.send(first, frame, 5'000'000'000));
    check(mac.poll(first, 1'000'000'000));
    for (unsigned int i = 0; i < tse_model.n_counters; i++)
        BOOST_TEST(
            mac.accumulator(first).counters[i].saturated ==
                (std::string_view(tse_model.counters[i].name) == "rx_fragments" ? 1U : 0U),
            tse_model.counters[i].name);
}

BOOST_AUTO_TEST_CASE(the_scenario_of_the_page_passes) {
    const auto scenario = macstats::load_scenario(
        MACSTATS_EXAMPLE_SCENARIO, [](std::string_view name) -> const macstats_model* {
            return name == "tse" ? &tse_model : nullptr;
        });
    if (!scenario)
        BOOST_FAIL(scenario.error().message);
    const auto backend = macstats::builtin_backend();
    const macstats::Report report = macstats::run_scenario(*scenario, *backend);
    for (const macstats::Failure& failure : report.failures)
        BOOST_TEST_MESSAGE(macstats::failure_text(failure));
    BOOST_TEST((report.outcome == macstats::Outcome::passed));
}

BOOST_AUTO_TEST_CASE(a_statistic_without_a_row_is_absent) {
    macstats::Device mac{tse_model};
    check(mac.poll(first, 1));
    const auto has = [standard = mac.standard(first)](macstats_standard_id id) {
        return std::any_of(
            standard.begin(), standard.end(), [id](const auto& total) { return total.id == id; });
    };
    BOOST_TEST(!has(MACSTATS_STD_OCTETS_TRANSMITTED_OK));
    BOOST_TEST(has(MACSTATS_STD_OCTETS_RECEIVED_OK));
}

// 2^32 octets of 8 bits at 10^9 bits a second: 34.36 s; half of it is the ceiling.
BOOST_AUTO_TEST_CASE(the_poll_interval_follows_from_width_unit_and_rate) {
    BOOST_TEST(macstats__shortest_wrap_usecs(&tse_model, tse_model.line_rate_bps) == 34'359'738U);
    BOOST_TEST(macstats_poll_ceiling_usecs(&tse_model, tse_model.line_rate_bps) == 17'179'869U);
}

BOOST_AUTO_TEST_SUITE_END()
