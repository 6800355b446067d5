// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Statistics as metrics, in the text formats of Prometheus and of OpenMetrics, and
// which of them an Accept header asks for. Expected lines are written by the two
// formats' specifications.
#include "boost_test.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "counters.hpp"
#include "libmacstats/core/names.hpp"
#include "present/metrics.hpp"
#include "present/model.hpp"
#include "text.hpp"

BOOST_AUTO_TEST_SUITE(unit_metrics)

using namespace macstats;
using macstats::test::contains;
using std::chrono::system_clock;

namespace {

using macstats::test::add_standard;
using macstats::test::counters_of;

constexpr auto prometheus = MetricsFormat::prometheus;
constexpr auto openmetrics = MetricsFormat::openmetrics;

// 2001-09-09 01:46:40 UTC.
const system_clock::time_point boot{std::chrono::seconds(1'000'000'000)};

// A port of a model, on which nothing has happened.
struct Port {
    explicit Port(const std::string& model_name, std::string name = "mac0")
        : model(*find_model(model_name)),
          counters(counters_of(model)) {
        view.name = std::move(name);
        view.statistics.model = model_name;
        view.statistics.time_ns = 2'500'000'000;
        view.statistics.start_ns = 1'250'000'000;
        view.statistics.values.resize(counters.size());
    }

    std::uint64_t& total(std::string_view counter) {
        return view.statistics.values.at(find_counter(model, counter)->value());
    }

    // As the kernel reports it.
    [[nodiscard]] PortStatistics reported() const {
        PortStatistics port = view;
        port.infos = counters;
        add_standard(port.statistics, model);
        return port;
    }

    const macstats_model& model;
    std::vector<CounterInfo> counters;
    PortStatistics view;
};

std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> found;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        found.push_back(line);
    return found;
}

bool has_line(const std::string& text, const std::string& line) {
    const auto all = lines(text);
    return std::find(all.begin(), all.end(), line) != all.end();
}

// The lines of a family, its head included, of which all others must be elsewhere.
std::vector<std::string> family(const std::string& text, const std::string& name) {
    std::vector<std::string> found;
    for (const std::string& line : lines(text))
        if (contains(line, name))
            found.push_back(line);
    return found;
}

// Everything that a port has, and the time of creation.
MetricsSelection complete() {
    MetricsSelection selection = MetricsSelection::everything();
    selection.created = true;
    return selection;
}

std::string
text_of(const Port& port, MetricsFormat format, const MetricsSelection& selection = complete()) {
    const PortStatistics view = port.reported();
    return metrics_text(std::span(&view, 1), format, boot, selection);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_counter_is_a_family_with_help_unit_value_and_time_of_creation) {
    Port port("ll40g");
    port.total("tx_fragments") = 7;
    const std::vector<std::string> expected = {
        "# TYPE macstats_ll40g_tx_fragments_frames counter",
        "# UNIT macstats_ll40g_tx_fragments_frames frames",
        R"(macstats_ll40g_tx_fragments_frames_total{port="mac0",model="ll40g"} 7)",
        R"(macstats_ll40g_tx_fragments_frames_created{port="mac0",model="ll40g"} 1000000001.250)",
    };
    auto found = family(text_of(port, openmetrics), "macstats_ll40g_tx_fragments");
    BOOST_REQUIRE_EQUAL(found.size(), 5U);
    BOOST_TEST(found.front().starts_with("# HELP macstats_ll40g_tx_fragments_frames "));
    BOOST_TEST(found.front().ends_with(" (CNTR_TX_FRAGMENTS)"));
    found.erase(found.begin());
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(prometheus_has_no_unit_and_no_time_of_creation_and_names_families_as_samples) {
    Port port("ll40g");
    port.total("tx_fragments") = 7;
    auto found = family(text_of(port, prometheus), "macstats_ll40g_tx_fragments");
    const std::vector<std::string> expected = {
        "# TYPE macstats_ll40g_tx_fragments_frames_total counter",
        R"(macstats_ll40g_tx_fragments_frames_total{port="mac0",model="ll40g"} 7)",
    };
    BOOST_REQUIRE_EQUAL(found.size(), 3U);
    BOOST_TEST(found.front().starts_with("# HELP macstats_ll40g_tx_fragments_frames_total "));
    found.erase(found.begin());
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

// 1'000'000'000 s and 36500 days of 86400 s.
BOOST_AUTO_TEST_CASE(a_time_within_a_century_since_boot_is_exact) {
    constexpr std::uint64_t century_ns = 3'153'600'000'000'000'000;
    Port port("ll40g");
    port.view.statistics.start_ns = century_ns;
    port.view.statistics.time_ns = century_ns;
    const std::string text = text_of(port, openmetrics);
    for (const char* line :
         {R"(macstats_ll40g_tx_64b_frames_created{port="mac0",model="ll40g"} 4153600000.000)",
          R"(macstats_port_discontinuities_created{port="mac0",model="ll40g"} 4153600000.000)",
          R"(macstats_port_read_timestamp_seconds{port="mac0",model="ll40g"} 4153600000.000)"})
        BOOST_TEST(has_line(text, line), line);
}

// No clock can have measured it: as a date it would be plausible and wrong.
BOOST_AUTO_TEST_CASE(a_time_of_more_than_a_century_since_boot_is_left_out) {
    for (const std::uint64_t time_ns :
         {std::uint64_t{3'153'600'000'000'000'001}, std::numeric_limits<std::uint64_t>::max()}) {
        Port port("ll40g");
        Port other("ll40g", "mac1");
        port.view.statistics.start_ns = time_ns;
        port.view.statistics.time_ns = time_ns;
        const std::string alone = text_of(port, openmetrics);
        BOOST_TEST(!contains(alone, "_created{"));
        BOOST_TEST(family(alone, "macstats_port_read_timestamp").empty());
        BOOST_TEST(
            has_line(alone, R"(macstats_ll40g_tx_64b_frames_total{port="mac0",model="ll40g"} 0)"));
        BOOST_TEST(
            has_line(alone, R"(macstats_port_discontinuities_total{port="mac0",model="ll40g"} 0)"));

        const std::vector<PortStatistics> views = {port.reported(), other.reported()};
        const std::vector<std::string> expected = {
            "# HELP macstats_port_read_timestamp_seconds Time at which the hardware was read last",
            "# TYPE macstats_port_read_timestamp_seconds gauge",
            "# UNIT macstats_port_read_timestamp_seconds seconds",
            R"(macstats_port_read_timestamp_seconds{port="mac1",model="ll40g"} 1000000002.500)",
        };
        BOOST_TEST(
            family(
                metrics_text(views, openmetrics, boot, complete()),
                "macstats_port_read_timestamp") == expected,
            boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_CASE(units_follow_from_the_rows) {
    Port port("ll40g");
    port.total("tx_octets_ok") = 1500;
    BOOST_TEST(has_line(
        text_of(port, prometheus),
        R"(macstats_ll40g_tx_octets_ok_bytes_total{port="mac0",model="ll40g"} 1500)"));

    // The unit is not appended to a name that already ends with it.
    Port cpsw("cpsw");
    cpsw.total("rx_good_frames") = 1;
    cpsw.total("rxtx_collisions") = 2;
    const std::string text = text_of(cpsw, prometheus);
    BOOST_TEST(has_line(text, R"(macstats_cpsw_rx_good_frames_total{port="mac0",model="cpsw"} 1)"));
    BOOST_TEST(
        has_line(text, R"(macstats_cpsw_rxtx_collisions_total{port="mac0",model="cpsw"} 2)"));
}

BOOST_AUTO_TEST_CASE(integers_are_exact) {
    Port port("ll40g");
    port.total("rx_octets_ok") = std::numeric_limits<std::uint64_t>::max();
    for (const auto format : {prometheus, openmetrics})
        BOOST_TEST(has_line(
            text_of(port, format),
            R"(macstats_ll40g_rx_octets_ok_bytes_total{port="mac0",model="ll40g"} 18446744073709551615)"));
}

// A total of OpenMetrics was 0 when it was created, and ours continues after a discontinuity.
BOOST_AUTO_TEST_CASE(after_a_discontinuity_counters_were_created_when_they_began_at_0) {
    Port port("ll40g");
    port.view.statistics.discontinuities = 1;
    port.view.statistics.discontinuity_ns = 9'007'000'000;
    const std::string text = text_of(port, openmetrics);
    for (const char* name : {"ll40g_tx_64b_frames", "eth_mac_frames_transmitted_ok"})
        BOOST_TEST(has_line(
            text, fmt::format(
                      R"(macstats_{}_created{{port="mac0",model="ll40g"}} 1000000001.250)", name)));
    BOOST_TEST(has_line(
        text,
        R"(macstats_port_start_timestamp_seconds{port="mac0",model="ll40g"} 1000000009.007)"));
    BOOST_TEST(
        has_line(text, R"(macstats_port_discontinuities_total{port="mac0",model="ll40g"} 1)"));
}

// A clock that was never set. Metrics have their times as signed decimal numbers.
BOOST_AUTO_TEST_CASE(a_time_before_1970_is_one_negative_number) {
    Port port("ll40g");
    port.view.statistics.start_ns = 9'007'000'000;
    const auto created = [&port](std::chrono::milliseconds booted) {
        const PortStatistics ports[] = {port.reported()};
        const std::string text = metrics_text(
            ports, openmetrics, std::chrono::system_clock::time_point(booted), complete());
        const std::string name =
            R"(macstats_ll40g_tx_64b_frames_created{port="mac0",model="ll40g"} )";
        const auto at = text.find(name) + name.size();
        return text.substr(at, text.find('\n', at) - at);
    };
    BOOST_TEST(created(std::chrono::milliseconds(-9'307)) == "-0.300");
    BOOST_TEST(created(std::chrono::milliseconds(-10'307)) == "-1.300");
    BOOST_TEST(created(std::chrono::milliseconds(-9'007)) == "0.000");
}

BOOST_AUTO_TEST_CASE(standard_statistics_are_families_that_models_share) {
    Port first("ll40g");
    Port second("cpsw", "mac1");
    first.total("rx_ucast_data_ok") = 5;
    first.total("rx_st") = 5;
    second.total("rx_good_frames") = 3;
    const std::vector<PortStatistics> views = {first.reported(), second.reported()};
    const std::string text = metrics_text(views, prometheus, boot, complete());
    const std::vector<std::string> expected = {
        "# HELP macstats_eth_mac_frames_received_ok_total FramesReceivedOK of the group eth-mac",
        "# TYPE macstats_eth_mac_frames_received_ok_total counter",
        R"(macstats_eth_mac_frames_received_ok_total{port="mac0",model="ll40g"} 5)",
        R"(macstats_eth_mac_frames_received_ok_total{port="mac1",model="cpsw"} 3)",
    };
    BOOST_TEST(
        family(text, "macstats_eth_mac_frames_received_ok") == expected,
        boost::test_tools::per_element());
}

// The CPSW's size bins count both directions together.
BOOST_AUTO_TEST_CASE(statistics_that_a_mac_cannot_report_are_absent) {
    const std::string cpsw = text_of(Port("cpsw"), openmetrics);
    BOOST_TEST(family(cpsw, "macstats_rmon_rx_size").empty());
    BOOST_TEST(family(cpsw, "eth_mac_octets_received_ok").empty());
    BOOST_TEST(!family(text_of(Port("ll40g"), openmetrics), "macstats_rmon_rx_size").empty());
}

BOOST_AUTO_TEST_CASE(counters_that_the_hardware_lacks_have_no_samples) {
    Port sends("ll40g");
    Port whole("ll40g", "mac1");
    for (std::uint32_t i = 0; i < sends.counters.size(); i++)
        if (sends.counters[i].name.starts_with("rx_")) {
            sends.view.statistics.absent.emplace_back(i);
            sends.view.statistics.values[i] = std::numeric_limits<std::uint64_t>::max();
        }
    sends.total("tx_64b") = 3;
    for (const auto format : {prometheus, openmetrics}) {
        const std::string text = text_of(sends, format);
        BOOST_TEST(
            has_line(text, R"(macstats_ll40g_tx_64b_frames_total{port="mac0",model="ll40g"} 3)"));
        BOOST_TEST(!contains(text, "_rx_"));
        BOOST_TEST(!contains(text, "received"));
        BOOST_TEST(!contains(text, "18446744073709551615"));
    }
    const std::vector<PortStatistics> views = {sends.reported(), whole.reported()};
    const std::vector<std::string> expected = {
        "# TYPE macstats_ll40g_rx_64b_frames_total counter",
        R"(macstats_ll40g_rx_64b_frames_total{port="mac1",model="ll40g"} 0)",
    };
    auto found = family(metrics_text(views, prometheus, boot, complete()), "macstats_ll40g_rx_64b");
    BOOST_REQUIRE_EQUAL(found.size(), 3U);
    found.erase(found.begin());
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(buckets_of_the_histogram_have_their_limits_as_labels) {
    Port port("ll40g");
    port.total("rx_65to127b") = 2;
    port.total("rx_1519tomaxb") = 9;
    const std::string text = text_of(port, openmetrics);
    BOOST_TEST(has_line(
        text,
        R"(macstats_rmon_rx_size_frames_total{port="mac0",model="ll40g",low="65",high="127"} 2)"));
    BOOST_TEST(has_line(
        text,
        R"(macstats_rmon_rx_size_frames_total{port="mac0",model="ll40g",low="1519",high="65535"} 9)"));
}

BOOST_AUTO_TEST_CASE(a_port_without_counters_has_a_state_only) {
    Port port("ll40g");
    port.view.statistics.values.clear();
    port.view.statistics.stale = true;
    const std::string text = text_of(port, openmetrics);
    BOOST_TEST(has_line(text, R"(macstats_port_stale{port="mac0",model="ll40g"} 1)"));
    BOOST_TEST(has_line(text, R"(macstats_port_possible_loss{port="mac0",model="ll40g"} 0)"));
    BOOST_TEST(has_line(
        text, R"(macstats_port_read_timestamp_seconds{port="mac0",model="ll40g"} 1000000002.500)"));
    BOOST_TEST(family(text, "macstats_ll40g_").empty());
}

BOOST_AUTO_TEST_CASE(quotes_backslashes_and_newlines_are_escaped) {
    Port port("ll40g", "a\"b\\c\nd");
    port.counters[0].description = "one\ntwo \\ \"three\"";
    const std::string open = text_of(port, openmetrics);
    BOOST_TEST(has_line(open, R"(macstats_port_stale{port="a\"b\\c\\x0ad",model="ll40g"} 0)"));
    const std::string name = port.counters[0].reg;
    BOOST_TEST(contains(open, R"(one\ntwo \\ \"three\" ()" + name));
    // Prometheus escapes no quotes in a help text.
    BOOST_TEST(contains(text_of(port, prometheus), R"(one\ntwo \\ "three" ()" + name));
}

BOOST_AUTO_TEST_CASE(no_ports_is_a_valid_answer) {
    const std::string text = metrics_text({}, openmetrics, boot, complete());
    BOOST_TEST(has_line(text, "macstats_export_series 0"));
    BOOST_TEST(has_line(text, "macstats_export_dropped_series 0"));
    BOOST_TEST(!contains(text, "macstats_port_"));
    BOOST_TEST(text.ends_with("\n# EOF\n"));
}

// Each family once, all its samples behind its head, and every counter there.
BOOST_AUTO_TEST_CASE(families_of_all_models_are_whole_and_do_not_clash) {
    std::vector<std::unique_ptr<Port>> ports;
    std::vector<PortStatistics> views;
    for (const macstats_model* model : all_models())
        for (int i = 0; i < 2; i++) {
            ports.push_back(
                std::make_unique<Port>(model->name, std::string(model->name) + char('0' + i)));
            views.push_back(ports.back()->reported());
        }
    for (const auto format : {prometheus, openmetrics}) {
        std::set<std::string> seen;
        std::set<std::string> samples;
        std::string current;
        for (const std::string& line : lines(metrics_text(views, format, boot, complete()))) {
            if (line.starts_with("# HELP ")) {
                current = line.substr(7, line.find(' ', 7) - 7);
                BOOST_TEST(seen.insert(current).second, current << " begins twice");
            } else if (!line.starts_with("#")) {
                BOOST_TEST(line.starts_with(current), line << " is not of " << current);
                BOOST_TEST(samples.insert(line.substr(0, line.rfind(' '))).second, line);
            }
        }
        for (const macstats_model* model : all_models())
            for (unsigned int i = 0; i < model->n_counters; i++) {
                const macstats_counter& counter = model->counters[i];
                const std::string prefix =
                    fmt::format("macstats_{}_", model->name) +
                    (counter.index_of ? family_of(counter.name) : counter.name);
                const auto found = std::count_if(seen.begin(), seen.end(), [&](const auto& name) {
                    return name == prefix || name.starts_with(prefix + "_");
                });
                BOOST_TEST(found >= 1, prefix);
            }
    }
}

BOOST_AUTO_TEST_CASE(the_accept_header_chooses_the_format) {
    const std::pair<const char*, MetricsFormat> headers[] = {
        {"", prometheus},
        {"*/*", prometheus},
        {"text/plain", prometheus},
        {"text/html,application/xhtml+xml,*/*;q=0.8", prometheus},
        {"application/openmetrics-text", openmetrics},
        {"application/openmetrics-text; version=1.0.0; charset=utf-8", openmetrics},
        {"application/openmetrics-text;version=0.0.1", prometheus},
        // As Prometheus 2.42 asks.
        {"application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;"
         "q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
         openmetrics},
        {"application/openmetrics-text;q=0.2, text/plain;q=0.9", prometheus},
        {"application/openmetrics-text;q=0", prometheus},
        {"application/openmetrics-text;q=nonsense", prometheus},
        {";;;,,,q=,=", prometheus},
    };
    for (const auto& [accept, format] : headers)
        BOOST_TEST((accepted_format(accept) == format), accept);
}

BOOST_AUTO_TEST_CASE(a_counter_that_saturates_has_a_family_for_that) {
    Port port("ll40g");
    const CounterIndex index = *find_counter(port.model, "rx_fragments");
    port.counters[index.value()].overflow = MACSTATS_SATURATE;
    port.view.statistics.saturated = {{.counter = index, .times = 3, .time_ns = 2}};
    const std::vector<std::string> expected = {
        "# HELP macstats_ll40g_rx_fragments_saturated Reads that found CNTR_RX_FRAGMENTS at its "
        "maximum, so that its total is a lower bound",
        "# TYPE macstats_ll40g_rx_fragments_saturated counter",
        R"(macstats_ll40g_rx_fragments_saturated_total{port="mac0",model="ll40g"} 3)",
        R"(macstats_ll40g_rx_fragments_saturated_created{port="mac0",model="ll40g"} 1000000001.250)",
    };
    BOOST_TEST(
        family(text_of(port, openmetrics), "rx_fragments_saturated") == expected,
        boost::test_tools::per_element());
    BOOST_TEST(family(text_of(port, openmetrics), "tx_fragments_saturated").empty());
    port.view.statistics.saturated.clear();
    BOOST_TEST(has_line(
        text_of(port, prometheus),
        R"(macstats_ll40g_rx_fragments_saturated_total{port="mac0",model="ll40g"} 0)"));
}

BOOST_AUTO_TEST_CASE(bounds_and_statistics_of_an_earlier_read_are_counted) {
    Port port("ll40g");
    const std::string name = R"(macstats_port_inexact_statistics{port="mac0",model="ll40g"} )";
    BOOST_TEST(has_line(text_of(port, prometheus), name + "0"));

    PortStatistics view = port.reported();
    BOOST_REQUIRE(view.statistics.standard.size() > 3);
    view.statistics.standard[0].bound = Bound::at_least;
    view.statistics.standard[1].bound = Bound::unknown;
    view.statistics.standard[2].stale = true;
    view.statistics.standard[3] = {
        .id = view.statistics.standard[3].id, .bound = Bound::at_least, .stale = true};
    // A bucket of the histogram.
    view.statistics.saturated = {
        {.counter = *find_counter(port.model, "rx_65to127b"), .times = 1, .time_ns = 2}};
    for (const auto& selection : {complete(), MetricsSelection{}})
        BOOST_TEST(
            has_line(metrics_text(std::span(&view, 1), prometheus, boot, selection), name + "5"));

    view.statistics.without_standard = true;
    BOOST_TEST(
        has_line(metrics_text(std::span(&view, 1), prometheus, boot, complete()), name + "0"));
}

BOOST_AUTO_TEST_CASE(the_providers_work_is_there_if_the_kernel_counts_it) {
    Port port("ll40g");
    BOOST_TEST(family(text_of(port, prometheus), "late_polls").empty());
    port.view.work = {
        .late_polls = 1, .failed_polls = 2, .longest_poll_ns = 3'000'004, .longest_wait_ns = 5};
    const std::string text = text_of(port, prometheus);
    for (const char* line :
         {R"(macstats_port_late_polls_total{port="mac0",model="ll40g"} 1)",
          R"(macstats_port_failed_polls_total{port="mac0",model="ll40g"} 2)",
          R"(macstats_port_longest_poll_seconds{port="mac0",model="ll40g"} 0.003000004)",
          R"(macstats_port_longest_wait_seconds{port="mac0",model="ll40g"} 0.000000005)"})
        BOOST_TEST(has_line(text, line));
}

BOOST_AUTO_TEST_CASE(counters_of_priorities_are_a_family_with_their_index_as_label) {
    Port port("am65_cpsw");
    port.total("tx_pri0_frames") = 5;
    port.total("tx_pri7_frames") = 6;
    const std::string name = "macstats_am65_cpsw_tx_pri_frames";
    std::vector<std::string> expected = {
        "# HELP " + name + "_total Good transmitted frames of this priority (TX_PRI0 and on)",
        "# TYPE " + name + "_total counter"};
    for (int i = 0; i < 8; i++)
        expected.push_back(fmt::format(
            R"({}_total{{port="mac0",model="am65_cpsw",priority="{}"}} {})", name, i,
            i == 0   ? 5
            : i == 7 ? 6
                     : 0));
    BOOST_TEST(
        family(text_of(port, prometheus), name) == expected, boost::test_tools::per_element());
    BOOST_TEST(has_line(
        text_of(port, openmetrics),
        R"(macstats_am65_cpsw_tx_pri_octets_bytes_total{port="mac0",model="am65_cpsw",priority="2"} 0)"));
}

BOOST_AUTO_TEST_CASE(only_the_family_of_queues_or_priorities_lacks_the_number) {
    CounterInfo counter;
    counter.name = "rx_64b";
    BOOST_TEST(counter.family() == "rx_64b");
    counter.name = "tx_q3";
    counter.index_of = MACSTATS_INDEX_OF_QUEUE;
    BOOST_TEST(counter.family() == "tx_q");
}

BOOST_AUTO_TEST_CASE(a_name_of_any_octets_is_valid_utf8_and_unlike_others) {
    const Port raw("ll40g", "\xff\x1b");
    const Port literal("ll40g", R"(\xff\x1b)");
    BOOST_TEST(has_line(
        text_of(raw, prometheus), R"(macstats_port_stale{port="\\xff\\x1b",model="ll40g"} 0)"));
    BOOST_TEST(has_line(
        text_of(literal, prometheus),
        R"(macstats_port_stale{port="\\x5cxff\\x5cx1b",model="ll40g"} 0)"));
}

// By the manual of the AM335x (14.3.2.20): CRC, align/code, oversize, jabber, undersize,
// fragment, excessive and late collisions, underrun, carrier sense and overruns.
BOOST_AUTO_TEST_CASE(by_default_the_counters_of_errors_and_the_standard_statistics_are_there) {
    const std::set<std::string> errors = {"rx_crc_errors",           "rx_align_code_errors",
                                          "rx_oversize_frames",      "rx_jabbers",
                                          "rx_undersize_frames",     "rx_fragments",
                                          "rx_sof_overruns",         "rx_mof_overruns",
                                          "rx_dma_overruns",         "tx_late_collisions",
                                          "tx_excessive_collisions", "tx_underrun",
                                          "tx_carrier_sense_errors"};
    const Port port("cpsw");
    const std::string text = text_of(port, prometheus, MetricsSelection());
    for (const CounterInfo& counter : port.counters) {
        const auto found = contains(text, "macstats_cpsw_" + counter.name + "_");
        BOOST_TEST(found == errors.contains(counter.name), counter.name);
    }
    BOOST_TEST(!family(text, "macstats_eth_mac_frames_received_ok_total").empty());
    BOOST_TEST(!family(text, "macstats_rtnl_rx_bytes_total").empty());
}

BOOST_AUTO_TEST_CASE(filters_select_groups_and_counters) {
    const Port port("cpsw");
    MetricsSelection selection;
    selection.groups = {"pause"};
    selection.counters = {"rx_*_frames", "Net Octets"};
    const std::string text = text_of(port, prometheus, selection);
    std::set<std::string> found;
    for (const std::string& line : lines(text))
        if (!line.starts_with("#") && !line.starts_with("macstats_port_") &&
            !line.starts_with("macstats_export_"))
            found.insert(line.substr(0, line.find('{')));
    const std::set<std::string> expected = {
        "macstats_pause_rx_pause_frames_total",     "macstats_pause_tx_pause_frames_total",
        "macstats_cpsw_rx_good_frames_total",       "macstats_cpsw_rx_broadcast_frames_total",
        "macstats_cpsw_rx_multicast_frames_total",  "macstats_cpsw_rx_pause_frames_total",
        "macstats_cpsw_rx_oversize_frames_total",   "macstats_cpsw_rx_undersize_frames_total",
        "macstats_cpsw_rxtx_net_octets_bytes_total"};
    BOOST_TEST(found == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(labels_and_the_prefix_are_those_of_each_sample) {
    const Port port("ll40g");
    MetricsSelection selection;
    selection.labels = *metrics_label(R"(rack=7 "a\b)", {});
    selection.prefix = "nic";
    const std::string text = text_of(port, openmetrics, selection);
    const std::string labels = R"(rack="7 \"a\\b")";
    BOOST_TEST(has_line(text, R"(nic_port_stale{port="mac0",model="ll40g",)" + labels + "} 0"));
    for (const std::string& line : lines(text))
        if (!line.starts_with("#")) {
            BOOST_TEST(line.starts_with("nic_"), line);
            BOOST_TEST(contains(line, labels), line);
        }
}

BOOST_AUTO_TEST_CASE(labels_that_metrics_cannot_have_are_rejected) {
    const std::string_view others[] = {"port"};
    for (const char* text : {"rack", "=7", "7=rack", "a-b=c", "__a=b", "port=x", "a=\n", "a=\xff"})
        BOOST_TEST(!metrics_label(text, others).has_value(), text);
    BOOST_TEST(*metrics_label("a_1=", others) == "a_1=\"\"");
    for (const char* prefix : {"", "1a", "a:b", "a b"})
        BOOST_TEST(!check_metrics_prefix(prefix).has_value(), prefix);
    BOOST_TEST(check_metrics_prefix("nic_1").has_value());
}

std::uint64_t series_of(const std::string& text, const std::string& port) {
    const auto all = lines(text);
    return static_cast<std::uint64_t>(
        std::count_if(all.begin(), all.end(), [&](const std::string& line) {
            return contains(line, "port=\"" + port + "\"");
        }));
}

BOOST_AUTO_TEST_CASE(a_budget_leaves_out_counters_first_and_counts_what_it_leaves_out) {
    const Port small("cpsw");
    const Port large("ll40g", "mac1");
    const std::vector<PortStatistics> views = {small.reported(), large.reported()};
    MetricsSelection selection = MetricsSelection::everything();
    const std::string all = metrics_text(views, prometheus, boot, selection);
    const std::uint64_t whole_series = series_of(all, "mac0") + series_of(all, "mac1");
    BOOST_TEST(has_line(all, "macstats_export_series " + std::to_string(whole_series)));
    BOOST_TEST(has_line(all, "macstats_export_dropped_series 0"));

    selection.most_series = 40;
    const std::string text = metrics_text(views, prometheus, boot, selection);
    BOOST_TEST(series_of(text, "mac0") == 40U);
    BOOST_TEST(series_of(text, "mac1") == 40U);
    BOOST_TEST(has_line(text, "macstats_export_series 80"));
    BOOST_TEST(
        has_line(text, "macstats_export_dropped_series " + std::to_string(whole_series - 80)));
    BOOST_TEST(has_line(text, R"(macstats_port_stale{port="mac1",model="ll40g"} 0)"));
    BOOST_TEST(!family(text, "macstats_eth_mac_frames_received_ok_total").empty());
    BOOST_TEST(family(text, "macstats_ll40g_rx_st").empty());
}

// Every state that a port can have fits into the smallest budget.
BOOST_AUTO_TEST_CASE(the_smallest_budget_holds_the_state_of_a_port) {
    for (const macstats_model* model : all_models()) {
        Port port(model->name);
        port.view.work.emplace();
        MetricsSelection selection = complete();
        selection.most_series = most_state_series;
        const std::string text = text_of(port, openmetrics, selection);
        BOOST_TEST(!family(text, "macstats_port_longest_wait_seconds").empty(), model->name);
        BOOST_TEST(series_of(text, "mac0") <= most_state_series, model->name);
    }
}

BOOST_AUTO_TEST_CASE(without_created_each_counter_is_one_series) {
    Port port("ll40g");
    port.view.statistics.discontinuity_ns = 9'007'000'000;
    const std::string text = text_of(port, openmetrics, MetricsSelection());
    BOOST_TEST(!contains(text, "_created"));
    BOOST_TEST(has_line(
        text,
        R"(macstats_port_start_timestamp_seconds{port="mac0",model="ll40g"} 1000000009.007)"));
}

// The 8254x reports no parity errors, and its counters saturate; the LL40G's are the reverse.
BOOST_AUTO_TEST_CASE(parity_errors_and_saturated_reads_are_there_if_the_mac_has_them) {
    Port parity("ll40g");
    parity.view.parity_errors = 2;
    const std::string first = text_of(parity, prometheus, MetricsSelection());
    BOOST_TEST(
        has_line(first, R"(macstats_port_parity_errors_total{port="mac0",model="ll40g"} 2)"));
    BOOST_TEST(family(first, "saturated").empty());
    Port port("e1000");
    for (std::uint32_t i = 0; i < port.counters.size(); i++)
        port.counters[i].overflow = macstats_overflow(port.model.counters[i].overflow);
    port.view.statistics.saturated = {
        {.counter = CounterIndex(0), .times = 3, .time_ns = 2},
        {.counter = CounterIndex(5), .times = 4, .time_ns = 2}};
    const std::string second = text_of(port, prometheus, MetricsSelection());
    BOOST_TEST(
        has_line(second, R"(macstats_port_saturated_reads_total{port="mac0",model="e1000"} 7)"));
    BOOST_TEST(family(second, "parity").empty());
}

BOOST_AUTO_TEST_SUITE_END()
