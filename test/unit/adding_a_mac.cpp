// SPDX-License-Identifier: GPL-2.0 OR MIT
// The example of docs/adding-a-mac.md, taken out of that page when the build is
// configured: its model is checked, and what the page says of it happens.
#define BOOST_TEST_MODULE adding_a_mac
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <string_view>

#include <libmacstats/device.hpp>
#include <libmacstats/runner.hpp>
#include <libmacstats/scenario.hpp>
#include <macstats/check.h>

#include "adding_a_mac_example/tse.h"

#include "adding_a_mac_example/check.inc"

namespace {

template <typename T>
void check(const macstats::Result<T>& result) {
    BOOST_TEST_REQUIRE(result.has_value());
}

void expect(const macstats::Device& device, std::string_view name, std::uint64_t value) {
    for (unsigned int i = 0; i < device.model().n_counters; i++) {
        if (name == device.model().counters[i].name) {
            BOOST_TEST_INFO(name);
            BOOST_TEST(device.totals(0)[i] == value);
            return;
        }
    }
    BOOST_FAIL("no such counter");
}

} // namespace

BOOST_AUTO_TEST_CASE(the_example_of_the_page_does_what_the_page_says){
#include "adding_a_mac_example/test.inc"
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
    check(mac.poll(0, 1));
    BOOST_TEST(!mac.standard(0).present[MACSTATS_STD_OCTETS_TRANSMITTED_OK]);
    BOOST_TEST(mac.standard(0).present[MACSTATS_STD_OCTETS_RECEIVED_OK]);
}

// 2^32 octets of 8 bits at 10^9 bits a second: 34.36 s; half of it is the ceiling.
BOOST_AUTO_TEST_CASE(the_poll_interval_follows_from_width_unit_and_rate) {
    BOOST_TEST(macstats_shortest_wrap_usecs(&tse_model) == 34'359'738U);
    BOOST_TEST(macstats_poll_ceiling_usecs(&tse_model) == 17'179'869U);
}
