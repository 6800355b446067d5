// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The verdicts about a driver, as a table and as JSON.
#include "boost_test.hpp"

#include <chrono>

#include <macstats/frame.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/frame.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/scenario/driver_check.hpp"
#include "present/driver_check.hpp"

BOOST_AUTO_TEST_SUITE(unit_driver_check)

namespace {

using namespace std::chrono_literals;

using macstats::DriverTrial;
using macstats::DriverVerdict;

const macstats_model& model() {
    return *macstats::find_model("e1000");
}

macstats::DriverReport report() {
    const auto frame =
        macstats::frame_of({.direction = MACSTATS_RX, .errors = MACSTATS_ERR_FCS}, model());
    const auto counter = macstats::find_counter(model(), "COLC");
    BOOST_REQUIRE(frame && counter);
    macstats::DriverReport made;
    made.statistics = {
        {.statistic = {.id = MACSTATS_STD_RTNL_RX_PACKETS}},
        {.statistic = {.id = MACSTATS_STD_RTNL_TX_PACKETS},
         .verdict = DriverVerdict::late,
         .late = 1270ms},
        {.statistic = {.id = MACSTATS_STD_RTNL_COLLISIONS},
         .verdict = DriverVerdict::wrong,
         .late = {},
         .findings = {
             {.trial = DriverTrial::frames,
              .counter = {},
              .frame = *frame,
              .count = 3,
              .more = true,
              .expected = 0,
              .actual = 3},
             {.trial = DriverTrial::frames,
              .counter = {},
              .frame = *frame,
              .count = 5,
              .more = false,
              .expected = 0,
              .actual = 5},
             {.trial = DriverTrial::counters,
              .counter = *counter,
              .frame = {},
              .count = 0,
              .more = false,
              .expected = 5,
              .actual = UINT64_MAX,
              .before = 7}}}};
    made.statistics.push_back(
        {.statistic = {.id = MACSTATS_STD_RTNL_RX_BYTES},
         .verdict = DriverVerdict::unjudged,
         .late = {},
         .findings = {{.trial = DriverTrial::frames, .frame = *frame, .count = 3, .actual = 64}}});
    made.strings = {
        {.name = "collisions", .counter = *counter},
        {.name = "colc",
         .counter = *counter,
         .findings = {
             {.trial = DriverTrial::wrap,
              .frame = *frame,
              .count = 6,
              .expected = 6,
              .macstats = 6,
              .actual = 2}}}};
    made.not_tried = {"readers: nobody interrupts a reader on this kernel"};
    return made;
}

BOOST_AUTO_TEST_CASE(the_table_has_the_first_finding_of_each_trial) {
    BOOST_TEST(
        macstats::driver_report_text(report(), "eth0", model()) ==
        "eth0: the driver on registers of e1000\n"
        "\n"
        "STATISTIC        VERDICT   TRIAL     EXPECTED  ACTUAL  AFTER\n"
        "rtnl/rx_packets  right\n"
        "rtnl/tx_packets  late                                  after 1.3 s or more\n"
        "rtnl/collisions  wrong     frames    0         3       3 rx data frames of "
        "64 "
        "octets, unicast, errors: fcs, and others\n"
        "                           counters  5         -1      tx_collisions counts "
        "alone\n"
        "rtnl/rx_bytes    unjudged\n"
        "\n"
        "ETHTOOL -S  COUNTER        TRIAL  EXPECTED  ACTUAL  AFTER\n"
        "colc        tx_collisions  wrap   6         2       6 rx data frames of 64 octets, "
        "unicast, "
        "errors: fcs\n"
        "\n"
        "not tried: readers: nobody interrupts a reader on this kernel\n"
        "1 right, 1 late, 1 unjudged, 1 wrong\n");
    BOOST_TEST(macstats::count_bad(report()) == 1U);
}

BOOST_AUTO_TEST_CASE(json_has_all_findings) {
    const auto json = macstats::driver_report_json(report(), "eth0", model());
    BOOST_TEST(json["statistics"].size() == 4U);
    BOOST_TEST(json["statistics"][3]["findings"][0]["expected"].is_null());
    BOOST_TEST(json["strings"].size() == 2U);
    BOOST_TEST(json["strings"][1]["counter"] == "tx_collisions");
    BOOST_TEST(json["strings"][1]["findings"][0]["macstats"] == 6);
    BOOST_TEST(json["statistics"][1]["late_seconds"] == 1.27);
    const auto& findings = json["statistics"][2]["findings"];
    BOOST_TEST(findings.size() == 3U);
    BOOST_TEST(findings[0]["frames"]["count"] == 3);
    BOOST_TEST(findings[0]["more_frames"] == true);
    BOOST_TEST(findings[0]["counter"].is_null());
    BOOST_TEST(findings[2]["frames"].is_null());
    BOOST_TEST(findings[2]["counter"] == "tx_collisions");
    BOOST_TEST(findings[2]["actual"] == UINT64_MAX);
    BOOST_TEST(findings[2]["before"] == 7);
    BOOST_TEST(findings[0]["before"].is_null());
}

} // namespace

BOOST_AUTO_TEST_SUITE_END()
