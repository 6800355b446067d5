// SPDX-License-Identifier: GPL-2.0
//
// `macstats show --json` together with --nonzero, --group and --rate.
#include "boost_test.hpp"

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "counters.hpp"
#include "json.hpp"
#include "libmacstats/core/names.hpp"
#include "present/show.hpp"

BOOST_AUTO_TEST_SUITE(unit_shown_json)

using namespace macstats;
using namespace macstats::test;
using nlohmann::ordered_json;

namespace {

const macstats_model& ll40g = *find_model("ll40g");

// A port with 6 frames of 64 octets and 4 pause frames, half of them in the last 2 seconds.
struct Port {
    std::vector<CounterInfo> counters = counters_of(ll40g);
    PortView view;
    ShowOptions options;

    Port() {
        view.name = "mac0";
        view.infos = counters;
        view.statistics.model = "ll40g";
        view.statistics.values.resize(counters.size());
        view.rate =
            Difference{.continuity = Continuity::whole, .reason = {}, .seconds = 2, .values = {}};
        view.rate->values.resize(counters.size());
        count("rx_64b", 6);
        count("rx_pause", 4);
    }

    void count(std::string_view name, std::uint64_t total) {
        const std::uint32_t index = find_counter(ll40g, name)->value();
        view.statistics.values.at(index) = total;
        view.rate->values.at(index) = total / 2;
    }

    [[nodiscard]] ordered_json json() const {
        JsonWriter writer;
        PortView reported = view;
        test::add_standard(reported.statistics, ll40g);
        reported.rate->standard =
            standard_of_totals(ll40g, reported.rate->values, reported.rate->saturated);
        write_port(writer, reported, options);
        return parse_json(writer.text());
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(json_of_a_port, Port)

BOOST_AUTO_TEST_CASE(rates_are_those_of_the_counters) {
    const auto rates = json().at("rate").at("per_second");
    BOOST_TEST(rates.size() == counters.size());
    BOOST_TEST(rates.at("rx_64b") == 1.5);
    BOOST_TEST(rates.at("tx_64b") == 0.0);
}

BOOST_AUTO_TEST_CASE(nonzero_leaves_out_the_rates_of_totals_of_0) {
    options.nonzero = true;
    const auto expected = parse_json(R"({"rx_64b": 1.5, "rx_pause": 1.0})");
    BOOST_TEST(json().at("rate").at("per_second") == expected);
}

BOOST_AUTO_TEST_CASE(nonzero_leaves_out_standard_statistics_of_0) {
    options.nonzero = true;
    const auto standard = json().at("standard");
    BOOST_TEST(standard.at("pause") == parse_json(R"({"rx_pause_frames": 4})"));
    BOOST_TEST(
        standard.at("rmon") ==
        parse_json(R"({"rx-pktsNtoM": [{"low": 64, "high": 64, "val": 6}]})"));
    BOOST_TEST(standard.at("eth-ctrl") == ordered_json::object());
}

BOOST_AUTO_TEST_CASE(nonzero_keeps_statistics_that_are_bounds) {
    options.nonzero = true;
    view.statistics.saturated = {{.counter = *find_counter(ll40g, "tx_pause"), .times = 1}};
    BOOST_TEST(
        json().at("standard").at("pause") ==
        parse_json(R"({"tx_pause_frames": 0, "rx_pause_frames": 4})"));
}

BOOST_AUTO_TEST_CASE(a_group_has_the_rates_of_its_statistics) {
    options.groups = {"pause"};
    BOOST_TEST(
        json().at("rate").at("per_second") ==
        parse_json(R"({"pause-tx_pause_frames": 0.0, "pause-rx_pause_frames": 1.0})"));
    options.groups = {"rmon"};
    BOOST_TEST(json().at("rate").at("per_second").at("rmon-rx-pkts64to64") == 1.5);
}

BOOST_AUTO_TEST_CASE(groups_and_nonzero_apply_to_rates_together) {
    options.groups = {"rmon", "pause"};
    options.nonzero = true;
    BOOST_TEST(
        json().at("rate").at("per_second") ==
        parse_json(R"({"rmon-rx-pkts64to64": 1.5, "pause-rx_pause_frames": 1.0})"));
}

BOOST_AUTO_TEST_CASE(unknown_rates_of_a_group_are_null) {
    options.groups = {"pause"};
    view.rate->continuity = Continuity::not_read;
    BOOST_TEST(
        json().at("rate").at("per_second") ==
        parse_json(R"({"pause-tx_pause_frames": null, "pause-rx_pause_frames": null})"));
}

BOOST_AUTO_TEST_CASE(bounds_of_rates_are_those_of_the_groups) {
    view.rate->saturated = {{.counter = *find_counter(ll40g, "rx_pause"), .times = 2}};
    options.groups = {"pause"};
    BOOST_TEST(
        json().at("rate").at("at_least") ==
        parse_json(R"({"pause-rx_pause_frames": {"times": 2}})"));
    options.groups = {"rmon"};
    BOOST_TEST(!json().at("rate").contains("at_least"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
