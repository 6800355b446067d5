// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Statistics as JSON and as text.
#include "boost_test.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "counters.hpp"
#include "json.hpp"
#include "libmacstats/core/names.hpp"
#include "present/compare.hpp"
#include "present/model.hpp"
#include "present/show.hpp"
#include "text.hpp"

BOOST_AUTO_TEST_SUITE(unit_format_show)

using namespace macstats;
using macstats::test::contains;
using macstats::test::parse_json;
using nlohmann::ordered_json;

namespace {

using macstats::test::add_standard;
using macstats::test::counters_of;

const macstats_model& ll40g = *find_model("ll40g");

// A port on which nothing has happened yet.
struct Port {
    std::vector<CounterInfo> counters = counters_of(ll40g);
    PortView view;
    ShowOptions options;

    Port() {
        view.name = "mac0";
        view.infos = counters;
        view.statistics.ifindex = IfIndex(7);
        view.statistics.model = "ll40g";
        view.statistics.generation = 5;
        view.statistics.time_ns = 123;
        view.statistics.values.resize(counters.size());
    }

    // The hardware is built without the counters whose names begin so.
    void lack(std::string_view prefix) {
        for (std::uint32_t i = 0; i < counters.size(); i++)
            if (counters[i].name.starts_with(prefix)) {
                view.statistics.absent.emplace_back(i);
                view.statistics.values[i] = UINT64_MAX;
            }
    }

    std::uint64_t& total(std::string_view name) {
        return view.statistics.values.at(find_counter(ll40g, name)->value());
    }

    // As the kernel reports it.
    [[nodiscard]] PortView reported() const {
        PortView port = view;
        if (port.statistics.standard.empty())
            add_standard(port.statistics, *find_model(port.statistics.model));
        return port;
    }

    // It is read again.
    void pass(std::uint64_t seconds) {
        view.statistics.generation++;
        view.statistics.time_ns += seconds * 1'000'000'000;
    }

    // The change of the port from @before on.
    [[nodiscard]] Difference since(Statistics before) const {
        add_standard(before, ll40g);
        return difference(before, reported().statistics);
    }

    [[nodiscard]] std::string json_of(JsonWriter::Integers integers) const {
        JsonWriter writer(-1, integers);
        write_port(writer, reported(), options);
        return std::string(writer.text());
    }
    [[nodiscard]] ordered_json json() const {
        const std::string text = json_of(JsonWriter::Integers::as_numbers);
        auto json = parse_json(text);
        BOOST_TEST(json_text(json) == text, "no name is there twice");
        return json;
    }
    [[nodiscard]] std::string text() const { return show_text(reported(), options); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(a_port_of_a_model_that_this_program_lacks, Port)

BOOST_AUTO_TEST_CASE(its_totals_and_groups_are_those_of_the_kernel) {
    view.statistics.model = "other";
    total("rx_64b") = 5;
    view.statistics.standard = {{.id = MACSTATS_STD_FRAMES_RECEIVED_OK, .value = 7}};
    options.nonzero = true;
    BOOST_TEST(text().starts_with("mac0: other, fresh\n  rx_64b "));
    BOOST_TEST(json().at("totals").at("rx_64b") == 5);
    BOOST_TEST(json().at("standard").at("eth-mac") == ordered_json({{"FramesReceivedOK", 7}}));
    BOOST_TEST(json().at("standard").at("rmon").at("rx-pktsNtoM").at(0).at("val") == 5);
    options.groups = {"eth-mac", "rmon"};
    BOOST_TEST(
        text() == "mac0: other, fresh\n"
                  "  eth-mac\n    FramesReceivedOK    7 frames\n"
                  "  rmon\n    rx-pkts64to64       5 frames\n");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(a_port_that_shares_its_counters, Port)

// Size classes are totals, but of frames of all these ports.
BOOST_AUTO_TEST_CASE(it_has_no_standard_statistic_and_no_histogram) {
    view.statistics.without_standard = true;
    view.statistics.standard = {};
    total("rx_64b") = 5;
    JsonWriter writer(-1, JsonWriter::Integers::as_numbers);
    write_port(writer, view, options);
    const auto json = parse_json(writer.text());
    BOOST_TEST(json.at("totals").at("rx_64b") == 5);
    BOOST_TEST(json.at("standard") == ordered_json::object());
    options.groups = {"rmon"};
    BOOST_TEST(
        show_text(view, options) ==
        "mac0: ll40g, fresh\n"
        "  no standard statistics: other net devices share the counters, or there are none\n");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(a_port_without_the_counters_of_transmission, Port)

BOOST_AUTO_TEST_CASE(it_shows_no_counter_or_statistic_of_transmission) {
    lack("tx_");
    total("rx_64b") = 5;
    total("rx_ucast_data_ok") = 5;
    const auto json = this->json();
    BOOST_TEST(json.at("totals").size() == 29U);
    BOOST_TEST(json.at("totals").at("rx_64b") == 5);
    BOOST_TEST(!contains(json.dump(), "tx_"));
    BOOST_TEST(!contains(json.dump(), "Transmitted"));
    BOOST_TEST(!contains(json.dump(), "Xmitted"));
    BOOST_TEST(!contains(json.dump(), "tx-pkts"));
    BOOST_TEST(!contains(json.dump(), "18446744073709551615"));
    BOOST_TEST(json.at("standard").at("eth-mac").at("FramesReceivedOK") == 5);
    const std::string text = this->text();
    BOOST_TEST(contains(text, "built without 29 of 58 counters"));
    BOOST_TEST(!contains(text, "tx_"));
    BOOST_TEST(contains(text, "rx_64b"));
    options.groups = {"eth-mac", "rmon", "pause", "rtnl", "eth-ctrl"};
    options.nonzero = true;
    BOOST_TEST(contains(this->text(), "FramesReceivedOK"));
    BOOST_TEST(!contains(this->text(), "tx"));
    BOOST_TEST(!contains(this->text(), "Transmitted"));
}

BOOST_AUTO_TEST_CASE(it_has_rates_of_the_others) {
    lack("tx_");
    Statistics before = view.statistics;
    total("rx_ucast_data_ok") = 6;
    pass(2);
    view.rate = since(before);
    options.descriptions = true;
    const auto rates = json().at("rate").at("per_second");
    BOOST_TEST(rates.size() == 29U);
    BOOST_TEST(rates.at("rx_ucast_data_ok") == 3.0);
    options.groups = {"eth-mac"};
    const auto standard = json().at("rate").at("per_second");
    BOOST_TEST(standard.at("eth-mac-FramesReceivedOK") == 3.0);
    BOOST_TEST(!standard.contains("eth-mac-FramesTransmittedOK"));
    view.since = view.rate;
    options.groups.clear();
    BOOST_TEST(json().at("totals").at("rx_ucast_data_ok") == 6);
    BOOST_TEST(json().at("totals").size() == 29U);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(json_of_a_port, Port)

BOOST_AUTO_TEST_CASE(a_port_has_the_members_that_the_format_names) {
    const auto json = this->json();
    BOOST_TEST(json.at("port") == "mac0");
    BOOST_TEST(json.at("ifindex") == 7);
    BOOST_TEST(json.at("model") == "ll40g");
    BOOST_TEST(json.at("time_ns") == 123);
    BOOST_TEST(json.at("generation") == 5);
    BOOST_TEST(
        json.at("state") ==
        ordered_json({{"stale", false}, {"possible_loss", false}, {"discontinuities", 0}}));
    BOOST_TEST(json.at("totals").size() == 58U);
    BOOST_TEST(json.at("standard").contains("rmon"));
    BOOST_TEST(json.at("standard").contains("eth-mac"));
    std::vector<std::string> members;
    for (const auto& [name, value] : json.items())
        members.push_back(name);
    BOOST_TEST(
        members == std::vector<std::string>(
                       {"port", "ifindex", "model", "time_ns", "generation", "state", "totals",
                        "standard"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(totals_come_in_the_order_of_the_registers) {
    const auto totals = json().at("totals");
    auto it = totals.begin();
    for (const auto& counter : counters)
        BOOST_TEST((it++).key() == counter.name);
}

BOOST_AUTO_TEST_CASE(bounds_are_in_the_order_of_the_groups_not_of_the_options) {
    for (const char* name : {"rx_64b", "rx_pause"})
        view.statistics.saturated.push_back({*find_counter(ll40g, name), 1});
    options.groups = {"pause", "rmon"};
    const auto json = this->json();
    std::vector<std::string> names;
    for (const auto& [name, bound] : json.at("at_least").items())
        names.push_back(name);
    const std::vector<std::string> expected = {"rmon-rx-pkts64to64", "pause-rx_pause_frames"};
    BOOST_TEST(names == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(large_integers_are_exact) {
    total("tx_64b") = (1ULL << 53) + 1;
    total("rx_64b") = UINT64_MAX;
    const std::string text = json().dump();
    BOOST_TEST(contains(text, "\"tx_64b\":9007199254740993"));
    BOOST_TEST(contains(text, "\"rx_64b\":18446744073709551615"));
}

BOOST_AUTO_TEST_CASE(integers_can_be_strings_everywhere) {
    total("rx_64b") = UINT64_MAX;
    const auto json = parse_json(json_of(JsonWriter::Integers::as_strings));
    BOOST_TEST(json.at("totals").at("rx_64b") == "18446744073709551615");
    BOOST_TEST(json.at("totals").at("tx_64b") == "0");
    BOOST_TEST(json.at("time_ns") == "123");
    BOOST_TEST(
        json.at("standard").at("rmon").at("rx-pktsNtoM").at(0).at("val") == "18446744073709551615");
    BOOST_TEST(json.at("state").at("stale") == false);
    BOOST_TEST(json.at("port") == "mac0");
}

BOOST_AUTO_TEST_CASE(the_state_is_shown_with_its_reason) {
    view.statistics.stale = true;
    view.statistics.possible_loss = true;
    view.statistics.discontinuities = 3;
    view.stale_reason = "no snapshot";
    const auto json = this->json();
    BOOST_TEST(
        json.at("state") == ordered_json(
                                {{"stale", true},
                                 {"possible_loss", true},
                                 {"discontinuities", 3},
                                 {"stale_reason", "no snapshot"}}));
    BOOST_TEST(contains(text(), "stale (no snapshot), possible loss, 3 discontinuities"));
}

BOOST_AUTO_TEST_CASE(totals_of_0_can_be_left_out) {
    options.nonzero = true;
    total("rx_pause") = 2;
    BOOST_TEST(json().at("totals") == ordered_json({{"rx_pause", 2}}));
}

BOOST_AUTO_TEST_CASE(groups_are_all_that_there_is_if_they_are_asked_for) {
    options.groups = {"pause", "rmon"};
    const auto json = this->json();
    BOOST_TEST(json.at("totals") == ordered_json::object());
    BOOST_TEST(json.at("standard").size() == 2U);
    BOOST_TEST(json.at("standard").contains("pause"));
    BOOST_TEST(
        standard_groups() == std::vector<std::string_view>(
                                 {"eth-phy", "eth-mac", "eth-ctrl", "rmon", "pause", "rtnl", "mm"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(rates_are_a_member_of_their_own_and_null_where_they_are_not_known) {
    total("tx_64b") = 5;
    Statistics before = view.statistics;
    before.values.assign(before.values.size(), 0);
    pass(2);
    view.rate = since(before);
    auto rate = json().at("rate");
    BOOST_TEST(rate.at("continuity") == "whole");
    BOOST_TEST(rate.at("reason").is_null());
    BOOST_TEST(rate.at("seconds") == 2.0);
    BOOST_TEST(rate.at("per_second").at("tx_64b") == 2.5);
    BOOST_TEST(rate.at("per_second").at("rx_64b") == 0.0);

    view.rate = since(view.statistics);
    rate = json().at("rate");
    BOOST_TEST(rate.at("continuity") == "not_read");
    BOOST_TEST(rate.at("per_second").at("tx_64b").is_null());
}

BOOST_AUTO_TEST_CASE(counts_and_rates_over_a_possible_loss_are_lower_bounds) {
    const Statistics before = view.statistics;
    total("tx_64b") = 5;
    pass(2);
    view.statistics.possible_loss = true;
    view.rate = since(before);
    BOOST_TEST(json().at("rate").at("continuity") == "possible_loss");
    BOOST_TEST(json().at("rate").at("reason") == "counts may have been lost");
    BOOST_TEST(json().at("rate").at("per_second").at("tx_64b") == 2.5);
    BOOST_TEST(contains(text(), ", rates at least: counts may have been lost"), text());
    view.rate.reset();
    view.since = since(before);
    options.since = "before";
    BOOST_TEST(
        contains(
            text(),
            ", since \"before\" (2.000 s): counts may have been lost, so these are lower bounds"),
        text());
}

BOOST_AUTO_TEST_CASE(totals_and_standard_statistics_since_a_tag_are_differences) {
    total("tx_64b") = 5;
    total("tx_ucast_data_ok") = 5;
    Statistics before = view.statistics;
    before.values.at(find_counter(ll40g, "tx_64b")->value()) = 3;
    before.values.at(find_counter(ll40g, "tx_ucast_data_ok")->value()) = 3;
    pass(0);
    view.since = since(before);
    options.since = "before";
    const auto json = this->json();
    BOOST_TEST(json.at("totals").at("tx_64b") == 2);
    BOOST_TEST(json.at("standard").at("eth-mac").at("FramesTransmittedOK") == 2);
    BOOST_TEST(json.at("standard").at("rmon").at("tx-pktsNtoM").at(0).at("val") == 2);
    BOOST_TEST(json.at("since").at("tag") == "before");
    BOOST_TEST(json.at("since").at("continuity") == "whole");
}

BOOST_AUTO_TEST_CASE(units_and_descriptions_come_on_request) {
    options.descriptions = true;
    const auto counter = json().at("counters").at("tx_octets_ok");
    BOOST_TEST(counter.at("unit") == "octets");
    BOOST_TEST(counter.at("description").get<std::string>().starts_with("Payload"));
}

BOOST_AUTO_TEST_CASE(a_port_without_counters_has_no_totals_rather_than_zeros) {
    view.statistics.values.clear();
    const auto json = this->json();
    BOOST_TEST(json.at("totals") == ordered_json::object());
    BOOST_TEST(json.at("standard") == ordered_json::object());
    BOOST_TEST(contains(text(), "built without counters"));
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

// Six frames of 64 octets and four pause frames, half of them in the last two seconds.
struct CountingPort : Port {
    CountingPort() {
        count(1);
        before = view.statistics;
        count(2);
        pass(2);
        view.rate = since(before);
    }

    void count(std::uint64_t times) {
        total("rx_64b") = 3 * times;
        total("rx_pause") = 2 * times;
    }

    [[nodiscard]] ordered_json rates() const { return json().at("rate").at("per_second"); }

    Statistics before;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(groups_and_rates, CountingPort)

BOOST_AUTO_TEST_CASE(nonzero_leaves_out_the_rates_of_totals_of_0) {
    options.nonzero = true;
    BOOST_TEST(rates() == parse_json(R"({"rx_64b": 1.5, "rx_pause": 1.0})"));
}

BOOST_AUTO_TEST_CASE(nonzero_leaves_out_standard_statistics_of_0_that_are_no_bounds) {
    options.nonzero = true;
    const auto standard = json().at("standard");
    BOOST_TEST(standard.at("pause") == parse_json(R"({"rx_pause_frames": 4})"));
    BOOST_TEST(
        standard.at("rmon") ==
        parse_json(R"({"rx-pktsNtoM": [{"low": 64, "high": 64, "val": 6}]})"));
    BOOST_TEST(standard.at("eth-ctrl") == ordered_json::object());
    view.statistics.saturated = {{.counter = *find_counter(ll40g, "tx_pause"), .times = 1}};
    BOOST_TEST(
        json().at("standard").at("pause") ==
        parse_json(R"({"tx_pause_frames": 0, "rx_pause_frames": 4})"));
}

BOOST_AUTO_TEST_CASE(a_group_has_the_rates_of_its_statistics) {
    options.groups = {"pause"};
    BOOST_TEST(
        rates() == parse_json(R"({"pause-tx_pause_frames": 0.0, "pause-rx_pause_frames": 1.0})"));
    view.rate->continuity = Continuity::not_read;
    BOOST_TEST(
        rates() == parse_json(R"({"pause-tx_pause_frames": null, "pause-rx_pause_frames": null})"));
    view.rate->continuity = Continuity::whole;
    options.groups = {"rmon", "pause"};
    options.nonzero = true;
    BOOST_TEST(
        rates() == parse_json(R"({"rmon-rx-pkts64to64": 1.5, "pause-rx_pause_frames": 1.0})"));
    view.rate->stale = true;
    BOOST_TEST(
        rates() == parse_json(R"({"rmon-rx-pkts64to64": null, "pause-rx_pause_frames": null})"));
    BOOST_TEST(contains(show_text(view, options), ", no rates: the port is or was stale"));
}

BOOST_AUTO_TEST_CASE(bounds_of_rates_are_those_of_the_groups) {
    view.statistics.saturated = {{.counter = *find_counter(ll40g, "rx_pause"), .times = 2}};
    view.rate = since(before);
    options.groups = {"pause"};
    BOOST_TEST(
        json().at("rate").at("at_least") ==
        parse_json(R"({"pause-rx_pause_frames": {"times": 2}})"));
    options.groups = {"rmon"};
    BOOST_TEST(!json().at("rate").contains("at_least"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(standard_statistics, Port)

BOOST_AUTO_TEST_CASE(groups_have_the_names_that_ethtool_prints) {
    total("tx_mcast_ctrl") = 3;
    total("tx_pause") = 2;
    const auto standard = json().at("standard");
    BOOST_TEST(standard.at("eth-ctrl").at("MACControlFramesTransmitted") == 3);
    BOOST_TEST(standard.at("eth-mac").at("FramesTransmittedOK") == 3);
    BOOST_TEST(standard.at("pause").at("tx_pause_frames") == 2);
    BOOST_TEST(standard.at("rtnl").at("tx_packets") == 3);
}

BOOST_AUTO_TEST_CASE(a_statistic_that_the_mac_does_not_have_is_left_out) {
    const auto standard = json().at("standard");
    BOOST_TEST(!standard.at("eth-mac").contains("LateCollisions"));
    BOOST_TEST(!standard.at("rtnl").contains("rx_missed_errors"));
    BOOST_TEST(standard.at("eth-mac").contains("FramesTransmittedOK"));
}

BOOST_AUTO_TEST_CASE(the_histogram_has_the_size_classes_and_ends_at_the_longest_maximum) {
    total("rx_64b") = 1;
    total("rx_65to127b") = 2;
    total("rx_1519tomaxb") = 7;
    const ordered_json expected = ordered_json::array({
        {{"low", 64}, {"high", 64}, {"val", 1}},
        {{"low", 65}, {"high", 127}, {"val", 2}},
        {{"low", 128}, {"high", 255}, {"val", 0}},
        {{"low", 256}, {"high", 511}, {"val", 0}},
        {{"low", 512}, {"high", 1023}, {"val", 0}},
        {{"low", 1024}, {"high", 1518}, {"val", 0}},
        {{"low", 1519}, {"high", 65535}, {"val", 7}},
    });
    BOOST_TEST(json().at("standard").at("rmon").at("rx-pktsNtoM") == expected);
    BOOST_TEST(json().at("standard").at("rmon").at("tx-pktsNtoM").at(0).at("val") == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(text_of_a_port, Port)

BOOST_AUTO_TEST_CASE(values_are_right_aligned_behind_the_names) {
    total("tx_64b") = 5;
    total("rx_64b") = 1234;
    options.nonzero = true;
    // The longest name, tx_mcast_data_err, has 17 characters.
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "  tx_64b                5 frames\n"
                  "  rx_64b             1234 frames\n");
}

BOOST_AUTO_TEST_CASE(octets_are_called_so) {
    total("tx_octets_ok") = 46;
    total("tx_64b") = 1;
    options.nonzero = true;
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "  tx_64b              1 frames\n"
                  "  tx_octets_ok       46 octets\n");
}

BOOST_AUTO_TEST_CASE(groups_come_instead_of_the_totals) {
    total("rx_65to127b") = 3;
    total("rx_oversize") = 1;
    options.groups = {"rmon"};
    options.nonzero = true;
    // The longest name, etherStatsUndersizePkts, has 23 characters.
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "  rmon\n"
                  "    etherStatsOversizePkts   1 frames\n"
                  "    rx-pkts65to127           3 frames\n");
}

BOOST_AUTO_TEST_CASE(rates_are_a_column_behind_the_units) {
    total("tx_64b") = 5;
    total("tx_octets_ok") = 230;
    options.nonzero = true;
    Statistics before = view.statistics;
    before.values.assign(before.values.size(), 0);
    pass(2);
    view.rate = since(before);
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "  tx_64b               5 frames  2.500 frames/s\n"
                  "  tx_octets_ok       230 octets       920 bit/s\n");
    options.groups = {"eth-mac"};
    BOOST_TEST(contains(text(), "OctetsTransmittedOK       230 octets   920 bit/s"));
}

BOOST_AUTO_TEST_CASE(a_rate_that_is_not_known_is_a_hyphen_with_the_reason_above) {
    total("tx_64b") = 5;
    options.nonzero = true;
    view.statistics.stale = true;
    view.rate = since(view.statistics);
    BOOST_TEST(
        text() == "mac0: ll40g, stale, no rates: the counters cannot be read\n"
                  "  tx_64b             5 frames  -\n");
}

BOOST_AUTO_TEST_CASE(counts_since_a_tag_replace_the_totals) {
    total("tx_64b") = 5;
    options.nonzero = true;
    options.since = "before";
    Statistics before = view.statistics;
    before.values.at(find_counter(ll40g, "tx_64b")->value()) = 3;
    pass(2);
    view.since = since(before);
    BOOST_TEST(
        text() == "mac0: ll40g, fresh, since \"before\" (2.000 s)\n"
                  "  tx_64b             2 frames\n");
    view.since = since_start(view.statistics, "the port was added again");
    BOOST_TEST(text().starts_with("mac0: ll40g, fresh, not since \"before\" but since it "
                                  "restarted: the port was added again\n"
                                  "  tx_64b             5 frames\n"));
}

BOOST_AUTO_TEST_CASE(descriptions_are_a_third_column) {
    total("tx_64b") = 5;
    options.nonzero = true;
    options.descriptions = true;
    BOOST_TEST(contains(text(), "  5 frames  Transmitted frames of 64 octets"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(lower_bounds, Port)

BOOST_AUTO_TEST_CASE(totals_and_sums_of_saturated_counters_are_marked) {
    const CounterIndex index = *find_counter(ll40g, "rx_fragments");
    view.statistics.values[index.value()] = 1023;
    view.statistics.saturated = {{.counter = index, .times = 2, .time_ns = 5}};
    const auto json = this->json();
    BOOST_TEST(json.at("totals").at("rx_fragments") == 1023);
    BOOST_TEST(json.at("at_least").at("rx_fragments") == ordered_json({{"times", 2}}));
    // Fragments are a statistic of RMON (RFC 2819).
    BOOST_TEST(json.at("at_least").at("rmon-etherStatsFragments") == ordered_json({{"times", 2}}));
    BOOST_TEST(!json.at("at_least").contains("tx_fragments"));

    const std::string text = this->text();
    BOOST_TEST(contains(text, "\u2265 1023 frames"));
    BOOST_TEST(contains(text, "1 saturated counter"));
    options.unicode = false;
    BOOST_TEST(contains(this->text(), ">= 1023 frames"));
    options.groups = {"rmon"};
    BOOST_TEST(contains(this->text(), ">= 1023 frames"));
    BOOST_TEST(!this->json().at("at_least").contains("rx_fragments"));
    options.groups = {"pause"};
    BOOST_TEST(!this->json().contains("at_least"));
}

// As in the header of ll40g: undersize frames are the short frames less fragments, and
// frames with a bad FCS are rx_fcs less fragments and jabbers.
BOOST_AUTO_TEST_CASE(a_statistic_less_a_saturated_counter_is_an_upper_bound) {
    const CounterIndex fragments = *find_counter(ll40g, "rx_fragments");
    total("rx_runt") = 2000;
    total("rx_fragments") = 1023;
    view.statistics.saturated = {{.counter = fragments, .times = 2, .time_ns = 5}};
    const auto json = this->json();
    BOOST_TEST(json.at("standard").at("rmon").at("etherStatsUndersizePkts") == 977);
    BOOST_TEST(
        json.at("at_least").at("rmon-etherStatsUndersizePkts") ==
        ordered_json({{"times", 2}, {"bound", "at_most"}}));
    BOOST_TEST(json.at("at_least").at("rmon-etherStatsFragments") == ordered_json({{"times", 2}}));
    BOOST_TEST(json.at("at_least").at("rx_fragments") == ordered_json({{"times", 2}}));

    options.groups = {"rmon"};
    BOOST_TEST(contains(text(), "\u2264 977 frames"));
    BOOST_TEST(contains(text(), "\u2265 1023 frames"));
    options.unicode = false;
    BOOST_TEST(contains(text(), "<= 977 frames"));
}

BOOST_AUTO_TEST_CASE(a_statistic_with_saturated_counters_on_both_sides_has_no_bound) {
    total("rx_fcs") = 3000;
    total("rx_fragments") = 1000;
    view.statistics.saturated = {
        {.counter = *find_counter(ll40g, "rx_fragments"), .times = 2, .time_ns = 5},
        {.counter = *find_counter(ll40g, "rx_fcs"), .times = 3, .time_ns = 5}};
    BOOST_TEST(
        json().at("at_least").at("eth-mac-FrameCheckSequenceErrors") ==
        ordered_json({{"times", 5}, {"bound", "unknown"}}));

    options.groups = {"eth-mac"};
    BOOST_TEST(contains(text(), "\u2248 2000 frames"));
    options.unicode = false;
    BOOST_TEST(contains(text(), "~ 2000 frames"));
}

// Statistics only grow: the true value is not below an earlier one.
BOOST_AUTO_TEST_CASE(a_statistic_of_an_earlier_read_is_a_lower_bound_and_stale) {
    view.statistics.standard = {
        {.id = MACSTATS_STD_RTNL_RX_BYTES, .value = 960, .bound = Bound::at_least, .stale = true}};
    BOOST_TEST(json().at("standard").at("rtnl").at("rx_bytes") == 960);
    BOOST_TEST(
        json().at("at_least").at("rtnl-rx_bytes") == ordered_json({{"times", 0}, {"stale", true}}));
    options.groups = {"rtnl"};
    BOOST_TEST(contains(text(), "\u2265 960 octets"));
}

BOOST_AUTO_TEST_CASE(a_port_whose_counters_are_exact_has_no_bounds) {
    BOOST_TEST(!json().contains("at_least"));
    BOOST_TEST(!contains(text(), "\u2265"));
}

BOOST_AUTO_TEST_CASE(a_rate_over_a_saturated_read_is_a_lower_bound) {
    const CounterIndex index = *find_counter(ll40g, "rx_fragments");
    PortView before = view;
    pass(1);
    view.statistics.values[index.value()] = 1023;
    view.statistics.saturated = {{.counter = index, .times = 1, .time_ns = 5}};
    view.rate = since(before.statistics);
    BOOST_TEST(json().at("rate").at("at_least").at("rx_fragments") == ordered_json({{"times", 1}}));
    BOOST_TEST(contains(text(), "\u2265 1.023 kframes/s"));
}

BOOST_AUTO_TEST_CASE(a_port_with_a_hostile_name_prints_it_escaped) {
    view.name = "\x1b[31m\xff";
    BOOST_TEST(text().starts_with(R"(\x1b[31m\xff: ll40g)"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_FIXTURE_TEST_SUITE(text_on_a_terminal, Port)

BOOST_AUTO_TEST_CASE(errors_are_marked_and_large_totals_have_a_larger_unit) {
    total("rx_st") = 9'999;
    total("rx_fcs") = 3;
    total("rx_64b") = 12'345'678;
    total("rx_octets_ok") = 419'140;
    options.nonzero = true;
    options.terminal = true;
    // 12345678 / 10^6 and 419140 / 10^3, to four digits.
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "! rx_fcs                    3 frames\n"
                  "  rx_64b             12345678 frames  12.35 Mframes\n"
                  "  rx_st                  9999 frames\n"
                  "  rx_octets_ok         419140 octets       419.1 kB\n");
}

BOOST_AUTO_TEST_CASE(a_pipe_gets_neither_marks_nor_larger_units) {
    total("rx_fcs") = 3;
    total("rx_octets_ok") = 419'140;
    options.nonzero = true;
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "  rx_fcs                  3 frames\n"
                  "  rx_octets_ok       419140 octets\n");
}

BOOST_AUTO_TEST_CASE(colours_show_errors_and_zeros) {
    total("rx_fcs") = 3;
    total("rx_64b") = 1;
    options.terminal = true;
    options.colours = true;
    const std::string text = this->text();
    BOOST_TEST(text.starts_with("\033[1mmac0\033[0m: ll40g, fresh\n"));
    BOOST_TEST(text.find("\n\033[1;31m! rx_fcs ") != std::string::npos);
    BOOST_TEST(contains(text, "\n  rx_64b "));
    BOOST_TEST(contains(text, "\n\033[2m  rx_jabbers "));
    BOOST_TEST(text.ends_with("\033[0m\n"));
}

BOOST_AUTO_TEST_CASE(errors_that_do_not_count_now_are_yellow) {
    Statistics before = view.statistics;
    total("rx_fcs") = 3;
    total("rx_crcerr") = 3;
    before.values = view.statistics.values;
    total("rx_fcs") = 5;
    pass(1);
    view.rate = since(before);
    options.colours = true;
    options.nonzero = true;
    BOOST_TEST(text().find("\n\033[1;31m  rx_fcs ") != std::string::npos);
    BOOST_TEST(contains(text(), "\n\033[33m  rx_crcerr "));
}

BOOST_AUTO_TEST_CASE(standard_statistics_of_errors_are_marked) {
    total("rx_fcs") = 2;
    total("rx_crcerr") = 2;
    options.groups = {"eth-mac", "rtnl"};
    options.nonzero = true;
    options.terminal = true;
    BOOST_TEST(contains(text(), "\n!   FrameCheckSequenceErrors "));
    BOOST_TEST(contains(text(), "\n!   rx_crc_errors "));
}

BOOST_AUTO_TEST_CASE(a_port_that_is_stale_is_red_and_what_may_be_missing_is_yellow) {
    view.statistics.stale = true;
    view.stale_reason = "no snapshot";
    view.statistics.possible_loss = true;
    view.statistics.discontinuities = 2;
    options.colours = true;
    BOOST_TEST(this->text().starts_with(
        "\033[1mmac0\033[0m: ll40g, \033[1;31mstale (no snapshot)\033[0m, "
        "\033[33mpossible loss\033[0m, \033[33m2 discontinuities\033[0m\n"));
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

struct TwoPorts {
    Port first;
    Port second;
    ShowOptions options;

    TwoPorts() {
        second.view.name = "mac1";
        options.nonzero = true;
    }

    [[nodiscard]] std::string text() const {
        return compare_text(first.reported(), second.reported(), options);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(two_ports, TwoPorts)

BOOST_AUTO_TEST_CASE(the_difference_is_the_second_less_the_first) {
    first.total("tx_64b") = 10;
    second.total("tx_64b") = 12;
    first.total("rx_64b") = 700;
    second.total("rx_fcs") = 3;
    first.total("rx_st") = 5;
    second.total("rx_st") = 5;
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "mac1: ll40g, fresh\n"
                  "  COUNTER  mac0  mac1  DIFFERENCE  UNIT\n"
                  "  tx_64b     10    12          +2  frames\n"
                  "  rx_fcs      0     3          +3  frames\n"
                  "  rx_64b    700     0        -700  frames\n"
                  "  rx_st       5     5           =  frames\n");
}

BOOST_AUTO_TEST_CASE(the_largest_totals_have_an_exact_difference) {
    first.total("rx_st") = UINT64_MAX;
    BOOST_TEST(contains(text(), " -18446744073709551615  frames\n"));
}

BOOST_AUTO_TEST_CASE(a_counter_of_one_port_has_no_difference) {
    first.lack("tx_");
    second.total("tx_64b") = 12;
    BOOST_TEST(contains(text(), "\n  tx_64b      -    12           -  frames\n"));
    options.nonzero = false;
    const std::string text = this->text();
    // A line for each of the 58 counters, two headings, and that of the table.
    BOOST_TEST(std::count(text.begin(), text.end(), '\n') == 61);
}

BOOST_AUTO_TEST_CASE(groups_are_compared_between_models) {
    const macstats_model& cpsw = *find_model("cpsw");
    second.counters = counters_of(cpsw);
    second.view.infos = second.counters;
    second.view.statistics.model = "cpsw";
    second.view.statistics.values.assign(second.counters.size(), 0);
    first.total("rx_pause") = 4;
    second.view.statistics.values.at(find_counter(cpsw, "rx_pause_frames")->value()) = 6;
    options.groups = {"pause"};
    BOOST_TEST(
        text() == "mac0: ll40g, fresh\n"
                  "mac1: cpsw, fresh\n"
                  "  STATISTIC        mac0  mac1  DIFFERENCE  UNIT\n"
                  "  pause\n"
                  "  rx_pause_frames     4     6          +2  frames\n");
}

BOOST_AUTO_TEST_CASE(the_difference_of_bounds_is_a_bound_or_unknown) {
    const auto saturate = [](Port& port) {
        port.view.statistics.saturated = {
            {.counter = *find_counter(ll40g, "rx_fcs"), .times = 1, .time_ns = 1}};
    };
    first.total("rx_fcs") = 1023;
    second.total("rx_fcs") = 5;
    saturate(first);
    BOOST_TEST(contains(text(), " ≥ 1023     5     ≤ -1018  frames\n"));
    saturate(second);
    BOOST_TEST(contains(text(), " ≈ -1018  frames\n"));
    first.view.statistics.saturated.clear();
    BOOST_TEST(contains(text(), " ≥ -1018  frames\n"));
    second.total("rx_fcs") = 1023;
    BOOST_TEST(contains(text(), " ≥ 0  frames\n"));
}

BOOST_AUTO_TEST_CASE(differences_are_coloured_and_errors_marked) {
    first.total("rx_fcs") = 1;
    first.total("tx_64b") = 2;
    first.total("tx_st") = 2;
    second.total("tx_st") = 2;
    options.terminal = true;
    options.colours = true;
    options.nonzero = false;
    BOOST_TEST(text().find("\n\033[1;31m! rx_fcs ") != std::string::npos);
    BOOST_TEST(contains(text(), "\n\033[33m  tx_64b "));
    BOOST_TEST(contains(text(), "\n  tx_st "));
    BOOST_TEST(contains(text(), "\n\033[2m  rx_runt "));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
