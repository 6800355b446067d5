// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The live view, drawn from samples made up here: widths, order, what is marked.
#include "boost_test.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include <macstats/place.h>

#include "counters.hpp"
#include "libmacstats/core/names.hpp"
#include "present/error_counters.hpp"
#include "present/watch.hpp"
#include "text.hpp"

BOOST_AUTO_TEST_SUITE(unit_watch_screen)

using namespace macstats;

namespace {

using macstats::test::contains;
using macstats::test::counters_of;

const macstats_model& ll40g = *find_model("ll40g");

const std::vector<CounterInfo> counters = counters_of(ll40g);

struct Watching {
    WatchHistory history;
    WatchOptions options;
    ScreenSize size{.columns = 80, .rows = 24};
    std::uint64_t second = 0;
    std::map<std::string, std::uint64_t> totals;

    Watching() { options.colours = false; }

    [[nodiscard]] PortView view(const char* name = "mac0", std::uint32_t ifindex = 7) const {
        PortView port;
        port.name = name;
        port.infos = counters;
        port.statistics.ifindex = IfIndex(ifindex);
        port.statistics.model = "ll40g";
        port.statistics.start_ns = 1;
        port.statistics.generation = second;
        port.statistics.time_ns = second * 1'000'000'000;
        for (const CounterInfo& counter : counters) {
            const auto total = totals.find(counter.name);
            port.statistics.values.push_back(total == totals.end() ? 0 : total->second);
        }
        return port;
    }

    // A second passes, in which so much is counted.
    void tick(const std::map<std::string, std::uint64_t>& counted) {
        second++;
        for (const auto& [name, count] : counted)
            totals[name] += count;
        history.add({view()});
    }

    std::vector<std::string> screen() { return render_watch(history, size, options).lines; }

    // The line with this counter; "" if it is not there.
    std::string line(std::string_view counter) {
        for (const std::string& text : screen())
            if (contains(text, counter))
                return text;
        return "";
    }

    // Counters on the screen, from top to bottom.
    std::vector<std::string> order() {
        std::vector<std::string> names;
        for (const std::string& text : screen())
            for (const CounterInfo& counter : counters)
                if (contains(text, " " + counter.name + " "))
                    names.push_back(counter.name);
        return names;
    }
};

// Cells of a terminal: UTF-8 goes on, ANSI sequences take none.
std::size_t width_of(const std::string& text) {
    std::size_t width = 0;
    bool escape = false;
    for (const char c : text) {
        if (c == '\033')
            escape = true;
        else if (!escape && (static_cast<unsigned char>(c) & 0xc0) != 0x80)
            width++;
        if (escape && c == 'm')
            escape = false;
    }
    return width;
}

using Names = std::vector<std::string>;

} // namespace

BOOST_FIXTURE_TEST_SUITE(screen_of_a_port, Watching)

BOOST_AUTO_TEST_CASE(a_rate_is_what_was_counted_since_the_last_sample_with_its_unit) {
    tick({{"tx_64b", 100}, {"rx_octets_ok", 1000}});
    BOOST_TEST(contains(line("tx_64b"), " - "));
    tick({{"tx_64b", 50}, {"rx_octets_ok", 125'000'000}});
    BOOST_TEST(contains(line("tx_64b"), " 50 frames/s "));
    BOOST_TEST(contains(line("tx_64b"), " 150 "));
    BOOST_TEST(contains(line("rx_octets_ok"), " 1.000 Gbit/s "));
}

BOOST_AUTO_TEST_CASE(counters_that_the_hardware_lacks_have_no_row) {
    options.hide_zero = false;
    size.rows = 80;
    for (second = 1; second < 4; second++) {
        PortView port = view();
        for (std::uint32_t i = 0; i < counters.size(); i++)
            if (counters[i].name.starts_with("tx_")) {
                port.statistics.absent.emplace_back(i);
                port.statistics.values[i] = UINT64_MAX;
            }
        history.add({port});
    }
    BOOST_TEST(order().size() == 29U);
    BOOST_TEST(line("tx_64b") == "");
    BOOST_TEST(line("rx_64b") != "");
    BOOST_TEST(line("built without 29 of 58 counters") != "");
}

BOOST_AUTO_TEST_CASE(no_line_is_wider_than_the_screen_and_there_are_as_many_as_it_has_rows) {
    for (int i = 0; i < 200; i++)
        tick({{"tx_64b", 1'000'000'000'000'000}, {"rx_fcs", 1}, {"tx_mcast_data_err", 3}});
    options.hide_zero = false;
    for (const bool colours : {false, true})
        for (const std::size_t columns : {1U, 5U, 20U, 40U, 79U, 80U, 81U, 132U, 300U})
            for (const std::size_t rows : {1U, 2U, 3U, 4U, 24U, 100U}) {
                options.colours = colours;
                size = {columns, rows};
                const auto lines = screen();
                BOOST_REQUIRE(lines.size() == rows);
                for (const std::string& text : lines)
                    BOOST_REQUIRE(width_of(text) <= columns);
            }
}

BOOST_AUTO_TEST_CASE(at_80_columns_all_columns_are_there) {
    tick({});
    tick({{"tx_64b", 1}});
    const auto lines = screen();
    BOOST_TEST(contains(lines.at(1), "COUNTER"));
    BOOST_TEST(contains(lines.at(1), "RATE"));
    BOOST_TEST(contains(lines.at(1), "TOTAL"));
    BOOST_TEST(contains(line("tx_64b"), "█"));
}

BOOST_AUTO_TEST_CASE(totals_of_0_are_hidden_or_shown) {
    tick({{"tx_64b", 1}});
    BOOST_TEST(order() == Names({"tx_64b"}), boost::test_tools::per_element());
    options.hide_zero = false;
    size.rows = 100;
    BOOST_TEST(order().size() == 58U);
}

BOOST_AUTO_TEST_CASE(rows_come_in_the_order_that_was_chosen) {
    tick({{"rx_64b", 5}, {"tx_64b", 900}, {"tx_pause", 40}});
    tick({{"rx_64b", 7}, {"tx_64b", 1}, {"tx_pause", 3}});
    BOOST_TEST(
        order() == Names({"tx_64b", "tx_pause", "rx_64b"}), boost::test_tools::per_element());
    options.order = WatchOrder::name;
    BOOST_TEST(
        order() == Names({"rx_64b", "tx_64b", "tx_pause"}), boost::test_tools::per_element());
    options.order = WatchOrder::rate;
    BOOST_TEST(
        order() == Names({"rx_64b", "tx_pause", "tx_64b"}), boost::test_tools::per_element());
    options.order = WatchOrder::total;
    BOOST_TEST(
        order() == Names({"tx_64b", "tx_pause", "rx_64b"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_orders_go_round) {
    std::set<std::string_view> names;
    WatchOrder order = WatchOrder::registers;
    for (int i = 0; i < 4; i++, order = next_order(order))
        names.insert(order_name(order));
    BOOST_TEST(names.size() == 4U);
    BOOST_TEST((order == WatchOrder::registers));
}

BOOST_AUTO_TEST_CASE(a_sparkline_shows_the_last_rates_against_the_largest_of_them) {
    tick({});
    for (const std::uint64_t count : {0U, 7U, 14U})
        tick({{"tx_64b", count}});
    // Of 0, half and all: the lowest, the fifth and the highest block.
    BOOST_TEST(line("tx_64b").ends_with(" ▁▅█"));
    options.unicode = false;
    BOOST_TEST(line("tx_64b").ends_with(" _=#"));
}

BOOST_AUTO_TEST_CASE(a_rate_that_is_not_known_is_no_rate_of_0) {
    tick({{"tx_64b", 1}});
    tick({{"tx_64b", 1}});
    auto stale = view();
    stale.statistics.stale = true;
    stale.statistics.possible_loss = true;
    stale.stale_reason = "no snapshot";
    history.add({stale});
    BOOST_TEST(contains(line("tx_64b"), "- "));
    BOOST_TEST(line("tx_64b").ends_with("█ "));
    BOOST_TEST(line("mac0: ").starts_with("mac0: stale (no snapshot)"));
    // The next read: 6 frames in two seconds, less the loss.
    second += 2;
    totals["tx_64b"] += 6;
    PortView read = view();
    read.statistics.possible_loss = true;
    history.add({read});
    BOOST_TEST(contains(line("tx_64b"), " \u2265 3 frames/s "));
    second++;
    totals["tx_64b"] += 6;
    read = view();
    read.statistics.possible_loss = true;
    history.add({read});
    BOOST_TEST(contains(line("tx_64b"), " 6 frames/s "));
    BOOST_TEST(!contains(line("tx_64b"), "\u2265"));
}

BOOST_AUTO_TEST_CASE(resets_and_recreated_ports_are_reported) {
    tick({{"tx_64b", 1}});
    second++;
    auto reset = view();
    reset.statistics.discontinuities = 1;
    history.add({reset});
    BOOST_TEST(line("mac0: ").starts_with("mac0: somebody cleared or reset the counters"));
    BOOST_TEST(contains(line("tx_64b"), " \u2265 0 frames/s "));
    second++;
    auto anew = view();
    anew.statistics.start_ns = 2'000'000'000;
    history.add({anew});
    BOOST_TEST(line("mac0: ").starts_with("mac0: the port was added again"));
    BOOST_TEST(contains(line("tx_64b"), " - "));
}

BOOST_AUTO_TEST_CASE(a_port_that_nobody_reads_may_be_renamed) {
    tick({{"tx_64b", 1}});
    history.add({view("lan0")});
    BOOST_TEST(contains(line("tx_64b"), " - "));
    second += 2;
    totals["tx_64b"] += 6;
    history.add({view("lan0")});
    BOOST_TEST(contains(line("tx_64b"), " 3 frames/s "));
}

BOOST_AUTO_TEST_CASE(a_removed_port_is_reported_and_may_come_back) {
    tick({{"tx_64b", 1}});
    history.add({});
    BOOST_TEST(line("mac0: ").starts_with("mac0: gone"));
    BOOST_TEST(line("tx_64b") == "");
    tick({});
    BOOST_TEST(line("mac0: ") == "");
    BOOST_TEST(line("tx_64b") != "");
}

BOOST_AUTO_TEST_CASE(rates_of_a_port_that_was_gone_for_long_are_forgotten) {
    const auto graph = [this] { return history.rows().front().rates.size(); };
    tick({{"tx_64b", 1}});
    tick({{"tx_64b", 1}});
    history.add({});
    tick({{"tx_64b", 1}});
    BOOST_TEST(graph() == 3U);
    history.add({});
    history.add({});
    tick({{"tx_64b", 1}});
    BOOST_TEST(graph() == 1U);
}

BOOST_AUTO_TEST_CASE(errors_are_marked_and_red_while_they_count) {
    tick({{"rx_fcs", 1}, {"rx_64b", 1}});
    tick({{"rx_fcs", 1}, {"rx_64b", 1}});
    BOOST_TEST(line("rx_fcs").starts_with("! rx_fcs"));
    BOOST_TEST(line("rx_64b").starts_with("  rx_64b"));
    options.colours = true;
    BOOST_TEST(line("rx_fcs").starts_with("\033[1;31m! "));
    BOOST_TEST(line("rx_fcs").ends_with("\033[0m"));
    BOOST_TEST(line("rx_64b").starts_with("  rx_64b"));
    tick({});
    BOOST_TEST(line("rx_fcs").starts_with("\033[33m! "));
}

BOOST_AUTO_TEST_CASE(several_ports_have_a_column_with_their_names) {
    second = 1;
    totals["tx_64b"] = 1;
    history.add({view("mac0", 7), view("mac1", 8)});
    BOOST_TEST(contains(line("PORT"), "COUNTER"));
    BOOST_TEST(line("mac1  tx_64b").starts_with("  mac1  tx_64b "));
}

BOOST_AUTO_TEST_CASE(scrolling_ends_with_the_last_row_at_the_bottom) {
    tick({});
    options.hide_zero = false;
    size.rows = 13; // heading, titles, ten rows, keys
    const Names all = order();
    BOOST_TEST(all.front() == counters.front().name);
    options.scroll = 1'000;
    const WatchScreen screen = render_watch(history, size, options);
    BOOST_TEST(screen.scroll == 58U - 10U);
    BOOST_TEST(order().back() == counters.back().name);
    BOOST_TEST(order().size() == 10U);
    options.scroll = 1;
    BOOST_TEST(order().front() == counters[1].name);
}

BOOST_AUTO_TEST_CASE(keys_and_what_they_have_set_are_at_the_bottom) {
    tick({});
    options.paused = true;
    options.order = WatchOrder::rate;
    BOOST_TEST(screen().back().starts_with("q quit  s sort: rate  z zeros: hidden  p continue"));
    BOOST_TEST(contains(screen().front(), "PAUSED"));
}

BOOST_AUTO_TEST_CASE(names_of_interfaces_cannot_draw) {
    second = 1;
    totals["tx_64b"] = 1;
    history.add({view("\033[2Jm\xc3\xa4", 7), view("mac1", 8)});
    for (const std::string& text : screen())
        BOOST_TEST(!contains(text, "\033"));
    BOOST_TEST(line(R"(\x1b[2Jm\xc3\xa4 )") != "");
}

BOOST_AUTO_TEST_CASE(without_a_screen_there_is_a_line_for_each_counter_that_counts) {
    tick({{"tx_64b", 5}});
    BOOST_TEST(watch_text(history, "12:00:00") == "");
    tick({{"tx_64b", 2}, {"rx_fcs", 1}});
    BOOST_TEST(
        watch_text(history, "12:00:01") == "12:00:01 mac0 tx_64b 7 2 frames/s\n"
                                           "12:00:01 mac0 rx_fcs 1 1 frames/s !\n");
    history.add({});
    BOOST_TEST(watch_text(history, "12:00:02") == "12:00:02 mac0: gone\n");
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

std::set<std::string> errors_of(const char* model_name) {
    const macstats_model& model = *find_model(model_name);
    std::set<std::string> names;
    for (const auto& counter : std::span(model.counters, model.n_counters))
        if (counts_errors(model, counter))
            names.insert(counter.name);
    return names;
}

} // namespace

BOOST_AUTO_TEST_CASE(which_standard_statistics_are_of_errors) {
    const std::vector<unsigned int> errors = {
        MACSTATS_STD_JABBERS, MACSTATS_STD_RTNL_TX_DROPPED, MACSTATS_STD_RTNL_RX_DROPPED,
        MACSTATS_STD_MAC_MERGE_FRAME_ASS_ERROR_COUNT, MACSTATS_STD_MAC_MERGE_FRAME_SMD_ERROR_COUNT};
    for (const unsigned int id : errors)
        BOOST_TEST(is_error_statistic(id), standard_name(id).name);
    const std::vector<unsigned int> others = {
        MACSTATS_STD_RTNL_COLLISIONS,
        MACSTATS_STD_RTNL_RX_BYTES,
        MACSTATS_STD_HIST_RX,
        MACSTATS_STD_UNSUPPORTED_OPCODES_RECEIVED,
        MACSTATS_STD_MAC_MERGE_FRAME_ASS_OK_COUNT,
        MACSTATS_STD_MAC_MERGE_HOLD_COUNT};
    for (const unsigned int id : others)
        BOOST_TEST(!is_error_statistic(id), standard_name(id).name);
}

// Of good frames or bad ones, and with the late ones or without them.
BOOST_AUTO_TEST_CASE(collisions_in_a_status_are_no_errors) {
    unsigned int found = 0;
    for (const macstats_model* model : all_models())
        for (macstats_counter row : std::span(model->counters, model->n_counters)) {
            if (row.unit != MACSTATS_COLLISIONS || !macstats_is_software_counter(&row))
                continue;
            found++;
            BOOST_TEST(!counts_errors(*model, row));
            row.unit = MACSTATS_EARLY_COLLISIONS;
            BOOST_TEST(!counts_errors(*model, row));
        }
    BOOST_TEST(found > 0U);
}

// By what the datasheets say of each counter: all that are listed count frames
// with an error, of a wrong length, lost or given up, and no other does.
BOOST_AUTO_TEST_CASE(which_counters_count_errors) {
    const std::set<std::string> ll40g_errors = [] {
        std::set<std::string> names;
        for (const char* direction : {"tx_", "rx_"})
            for (const char* name :
                 {"fragments", "jabbers", "fcs", "crcerr", "mcast_data_err", "bcast_data_err",
                  "ucast_data_err", "mcast_ctrl_err", "bcast_ctrl_err", "ucast_ctrl_err",
                  "pause_err", "oversize", "runt"})
                names.insert(std::string(direction) + name);
        return names;
    }();
    BOOST_TEST(errors_of("ll40g") == ll40g_errors, boost::test_tools::per_element());
    // Also those that its transmitter never counts.
    BOOST_TEST(errors_of("ll40g_agilex5") == ll40g_errors, boost::test_tools::per_element());
    BOOST_TEST(
        errors_of("cpsw") ==
            std::set<std::string>(
                {"rx_crc_errors", "rx_align_code_errors", "rx_oversize_frames", "rx_jabbers",
                 "rx_undersize_frames", "rx_fragments", "tx_excessive_collisions",
                 "tx_late_collisions", "tx_underrun", "tx_carrier_sense_errors", "rx_sof_overruns",
                 "rx_mof_overruns", "rx_dma_overruns"}),
        boost::test_tools::per_element());
    BOOST_TEST(
        errors_of("rc32438") ==
            std::set<std::string>(
                {"rx_rupc", "rx_rfc", "tx_not_ok", "tx_fifo_underflow", "tx_oversized_frame",
                 "tx_excessive_deferral", "tx_excessive_collisions", "tx_late_collision",
                 "tx_crc_error", "tx_length_error", "rx_not_ok", "rx_overrun", "rx_crc_error",
                 "rx_alignment_error", "rx_code_violation", "rx_length_error"}),
        boost::test_tools::per_element());
    BOOST_TEST(
        errors_of("ixf1104") == std::set<std::string>(
                                    {"rx_octets_bad",
                                     "rx_fcs_errors",
                                     "rx_data_error",
                                     "rx_align_errors",
                                     "rx_long_errors",
                                     "rx_jabber_errors",
                                     "rx_very_long_errors",
                                     "rx_runt_errors",
                                     "rx_short_errors",
                                     "rx_carrier_extend_error",
                                     "rx_sequence_errors",
                                     "rx_symbol_errors",
                                     "rx_frames_removed",
                                     "tx_octets_transmitted_bad",
                                     "tx_late_collisions",
                                     "tx_excessive_collision_errors",
                                     "tx_excessive_deferral_errors",
                                     "tx_excessive_length_drop",
                                     "tx_underrun",
                                     "tx_crc_error",
                                     "tx_frames_removed"}),
        boost::test_tools::per_element());
    BOOST_TEST(
        errors_of("e1000") ==
            std::set<std::string>(
                {"rx_crc_errors", "rx_align_errors", "rx_symbol_errors", "rx_data_errors",
                 "rx_missed", "rx_no_buffer", "tx_excessive_collisions", "tx_late_collisions",
                 "tx_no_carrier_sense", "rx_sequence_errors", "rx_carrier_extension_errors",
                 "rx_length_errors", "rx_undersize", "rx_fragments", "rx_oversize", "rx_jabbers",
                 "rx_management_dropped", "tx_tcp_contexts_failed"}),
        boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(the_total_and_the_rate_of_a_saturated_counter_are_marked, Watching) {
    tick({{"rx_fragments", 1}});
    second++;
    totals["rx_fragments"] = 1023;
    PortView port = view();
    port.statistics.saturated = {
        {.counter = *find_counter(ll40g, "rx_fragments"), .times = 1, .time_ns = 1}};
    history.add({port});
    BOOST_TEST(contains(line("rx_fragments"), "\u2265 1.022 kframes/s  \u2265 1023"));
    options.unicode = false;
    BOOST_TEST(contains(line("rx_fragments"), ">= 1.022 kframes/s  >= 1023"));
    BOOST_TEST((history.remarks() == std::vector<std::string>{"mac0: 1 counter saturated"}));
    BOOST_TEST(contains(watch_text(history, "now"), "rx_fragments >=1023 >=1.022 kframes/s !"));
    second++;
    totals["rx_fragments"]++;
    PortView next = view();
    next.statistics.saturated = port.statistics.saturated;
    history.add({next});
    BOOST_TEST(contains(line("rx_fragments"), " 1 frames/s  >= 1024"));
}

BOOST_FIXTURE_TEST_CASE(a_hostile_name_takes_one_cell_for_each_octet, Watching) {
    second = 1;
    history.add({view("\x1b\xff\u00fc")});
    BOOST_TEST(history.rows().at(0).port == R"(\x1b\xff\xc3\xbc)");
}

BOOST_AUTO_TEST_SUITE_END()
