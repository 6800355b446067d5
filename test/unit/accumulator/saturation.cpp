// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Counters that stay at their maximum: what a scenario on the builtin backend sees of
// a made-up model whose counters have eight bits.
#include "boost_test.hpp"

#include <string>

#include <nlohmann/json.hpp>

#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "present/model.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_saturation)

using namespace macstats;
using namespace macstats::test;

namespace {

const macstats_model* find_synthetic(std::string_view name) {
    return name == saturating_model.name ? &saturating_model : find_model(name);
}

// The first thing that was not as expected, or "".
std::string run(const std::string& steps) {
    const auto scenario = parse_scenario(
        R"({"name": "n", "devices": {"mac": {"model": "saturating"}}, "steps": [)" + steps + "]}",
        "", find_synthetic);
    BOOST_REQUIRE(scenario.has_value());
    const auto backend = builtin_backend();
    const Report report = run_scenario(*scenario, *backend);
    return report.failures.empty() ? "" : failure_text(report.failures.front());
}

std::string send(const char* direction, int count) {
    return R"({"send": {"port": "mac", "direction": ")" + std::string(direction) +
           R"(", "count": )" + std::to_string(count) + "}},";
}

std::string expect(const std::string& members) {
    return R"({"expect": {"port": "mac", )" + members + "}}";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_counter_below_its_maximum_is_exact) {
    BOOST_TEST(
        run(send("tx", 254) +
            expect(R"("totals": {"tx_frames": 254}, "state": {"saturated": []})")) == "");
}

BOOST_AUTO_TEST_CASE(each_read_at_the_maximum_adds_it_and_is_a_lower_bound) {
    BOOST_TEST(
        run(send("tx", 1000) +
            expect(R"("totals": {"tx_frames": 255}, "state": {"saturated": ["tx_frames"]})") + "," +
            send("tx", 1000) +
            expect(
                R"("totals": {"tx_frames": 510, "rx_frames": 0},
                   "state": {"saturated": ["tx_frames"], "stale": false, "possible_loss": false,
                             "discontinuities": 0})")) == "");
}

BOOST_AUTO_TEST_CASE(a_bound_stays_after_exact_reads) {
    BOOST_TEST(
        run(send("tx", 1000) + expect(R"("others": "any")") + "," + send("tx", 3) +
            expect(R"("totals": {"tx_frames": 258}, "state": {"saturated": ["tx_frames"]})")) ==
        "");
}

BOOST_AUTO_TEST_CASE(a_counter_that_no_read_clears_stays_at_its_maximum) {
    BOOST_TEST(
        run(send("rx", 1000) + expect(R"("totals": {"rx_frames": 255})") + "," + send("rx", 5) +
            expect(R"("totals": {"rx_frames": 255}, "state": {"saturated": ["rx_frames"]})")) ==
        "");
}

BOOST_AUTO_TEST_CASE(the_set_of_saturated_counters_is_exact) {
    BOOST_TEST(
        run(send("tx", 1000) + expect(R"("state": {"saturated": []})")) ==
        "/steps/1 (expect), mac: state/saturated: expected none, actual tx_frames");
    BOOST_TEST(
        run(send("tx", 1000) + expect(R"("state": {"saturated": ["rx_frames", "tx_frames"]})")) ==
        "/steps/1 (expect), mac: state/saturated: expected rx_frames, tx_frames, actual "
        "tx_frames");
}

BOOST_AUTO_TEST_CASE(a_model_reports_the_fill_time_of_a_counter) {
    // 255 frames of 64 octets and 20 more on the wire at 1 Gb/s: 255 * 672 ns.
    const auto json = model_json(saturating_model).at("counters").at(1);
    BOOST_TEST(json.at("wrap_seconds").is_null());
    BOOST_TEST(
        json.at("fill_seconds").get<double>() == 171.36e-6, boost::test_tools::tolerance(1e-9));
    const std::string text = model_text(saturating_model);
    BOOST_TEST(text.find("fills in 0.171 ms") != std::string::npos);
    BOOST_TEST(text.find("short enough (the shortest is 1 ms) for\n") != std::string::npos);
    BOOST_TEST(text.find("exact only if fewer events than the maximum") != std::string::npos);
    BOOST_TEST(text.find("\"\u2265\"") != std::string::npos);
    const std::string ascii = model_text(saturating_model, false);
    BOOST_TEST(ascii.find("\">=\"") != std::string::npos);
    BOOST_TEST(ascii.find("\u2265") == std::string::npos);
    const std::string other = model_text(*find_model("ll40g"));
    BOOST_TEST(other.find("fills") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
