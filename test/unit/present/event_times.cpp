// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Times of events: local time for people, exact nanoseconds for programs. A time since boot
// that no clock can have measured is no date.
#include "boost_test.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "present/events.hpp"
#include "present/time.hpp"

BOOST_AUTO_TEST_SUITE(unit_event_times)

using namespace macstats;
using std::chrono::nanoseconds;
using std::chrono::seconds;

namespace {

// 2001-09-09 01:46:40 UTC.
constexpr nanoseconds boot = seconds(1'000'000'000);
// 36500 days of 86400 s.
constexpr std::uint64_t century_ns = 3'153'600'000'000'000'000;
constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

struct Utc {
    Utc() {
        setenv("TZ", "UTC0", 1);
        tzset();
    }

    Event event(std::optional<std::uint64_t> time_ns) const {
        Event event;
        event.kind = EventKind::recovered;
        event.time_ns = time_ns;
        event.port.name = "mac0";
        return event;
    }

    std::string text(std::optional<std::uint64_t> time_ns) {
        return event_text(event(time_ns), boot);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(times_of_events, Utc)

BOOST_AUTO_TEST_CASE(an_event_has_its_local_time_to_the_millisecond) {
    BOOST_TEST(text(2'500'999'999) == "2001-09-09 01:46:42.500 mac0 recovered\n");
    BOOST_TEST(text(0) == "2001-09-09 01:46:40.000 mac0 recovered\n");
}

// 100 years from 2001-09-09 on have 24 leap days, since 2100 has none.
BOOST_AUTO_TEST_CASE(the_time_of_an_event_within_a_century_is_a_date) {
    BOOST_TEST(text(century_ns) == "2101-08-16 01:46:40.000 mac0 recovered\n");
}

BOOST_AUTO_TEST_CASE(an_event_of_an_impossible_time_has_no_date) {
    BOOST_TEST(text(century_ns + 1) == "- mac0 recovered\n");
    BOOST_TEST(text(largest) == "- mac0 recovered\n");
    BOOST_TEST(text(std::nullopt) == "- mac0 recovered\n");
}

BOOST_AUTO_TEST_CASE(an_event_of_no_port_has_no_time) {
    const Event loaded{.kind = EventKind::modules_loaded, .time_ns = {}, .port = {}};
    BOOST_TEST(
        event_text(loaded, boot) ==
        "modules_loaded: the kernel modules were loaded again, their totals start anew\n");
    BOOST_TEST(event_json(loaded).dump() == R"({"event":"modules_loaded"})");
}

BOOST_AUTO_TEST_CASE(json_has_each_time_exactly) {
    for (const std::uint64_t time_ns : {std::uint64_t{0}, century_ns + 1, largest})
        BOOST_TEST(event_json(event(time_ns)).at("time_ns").get<std::uint64_t>() == time_ns);
    BOOST_TEST(event_json(event(std::nullopt)).at("time_ns").is_null());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_time_since_boot_is_at_most_a_century) {
    BOOST_TEST((time_since_boot(0) == nanoseconds(0)));
    BOOST_TEST((time_since_boot(century_ns) == seconds(3'153'600'000)));
    BOOST_TEST(!time_since_boot(century_ns + 1).has_value());
    BOOST_TEST(!time_since_boot(largest).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
