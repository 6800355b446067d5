// SPDX-License-Identifier: GPL-2.0 OR MIT
// Rows, sparklines and the layout of the live view.
#include "libmacstats/watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "libmacstats/names.hpp"

namespace macstats {

namespace {

// Statistics that something went wrong, by their definitions in IEEE 802.3
// clause 30, RFC 2819 and the kernel's rtnl_link_stats64.
bool is_error_statistic(unsigned int id) {
    switch (id) {
    case MACSTATS_STD_FRAME_CHECK_SEQUENCE_ERRORS:
    case MACSTATS_STD_ALIGNMENT_ERRORS:
    case MACSTATS_STD_LATE_COLLISIONS:
    case MACSTATS_STD_FRAMES_ABORTED_DUE_TO_XS_COLLS:
    case MACSTATS_STD_FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR:
    case MACSTATS_STD_CARRIER_SENSE_ERRORS:
    case MACSTATS_STD_FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR:
    case MACSTATS_STD_FRAMES_WITH_EXCESSIVE_DEFERRAL:
    case MACSTATS_STD_IN_RANGE_LENGTH_ERRORS:
    case MACSTATS_STD_OUT_OF_RANGE_LENGTH_FIELD:
    case MACSTATS_STD_FRAME_TOO_LONG_ERRORS:
    case MACSTATS_STD_UNDERSIZE_PKTS:
    case MACSTATS_STD_OVERSIZE_PKTS:
    case MACSTATS_STD_FRAGMENTS:
    case MACSTATS_STD_JABBERS:
    case MACSTATS_STD_RTNL_RX_ERRORS:
    case MACSTATS_STD_RTNL_TX_ERRORS:
    case MACSTATS_STD_RTNL_RX_DROPPED:
    case MACSTATS_STD_RTNL_TX_DROPPED:
        return true;
    default:
        return false;
    }
}

// Only frames with an error, of a length that is none, or given up.
bool is_about_errors(const macstats_model& model, const macstats_when& when) {
    const std::uint32_t longest = macstats_sizes_high(&model, when.size);
    return when.errors || (longest && longest < MACSTATS_FRAME_MIN) ||
           (when.excess && !(when.excess & MACSTATS_WITHIN_MAX)) ||
           when.collisions == MACSTATS_SIXTEEN_COLLISIONS;
}

// The list of a counter or status ends with the first that has no direction.
std::span<const macstats_when> rules_in(std::span<const macstats_when> list) {
    const auto end = std::find_if(
        list.begin(), list.end(), [](const macstats_when& when) { return !when.direction; });
    return {list.begin(), end};
}

bool are_about_errors(const macstats_model& model, std::span<const macstats_when> rules) {
    return !rules.empty() &&
           std::all_of(rules.begin(), rules.end(), [&model](const macstats_when& when) {
               return is_about_errors(model, when);
           });
}

// Does it ask for a bit of the descriptor's status that tells of an error?
bool has_error_status(const macstats_model& model, const macstats_counter& counter) {
    const std::span statuses(model.tx_status, model.n_tx_status);
    return std::any_of(statuses.begin(), statuses.end(), [&](const macstats_status& status) {
        return (counter.status.value >> status.lsb & macstats_bits_mask(status.bits)) &&
               are_about_errors(model, rules_in(status.when));
    });
}

bool feeds_error_statistic(const macstats_counter& counter) {
    const std::span terms(counter.standard);
    return std::any_of(terms.begin(), terms.end(), [](const macstats_term& term) {
        return term.factor > 0 && is_error_statistic(term.id);
    });
}

// Cells of the terminal, not octets: names of interfaces may hold anything.
std::string printable(std::string text) {
    for (char& c : text)
        if (c < ' ' || c > '~')
            c = '?';
    return text;
}

std::string fit(std::string text, std::size_t width) {
    text.resize(width, ' ');
    return text;
}

std::string fit_right(const std::string& text, std::size_t width) {
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

constexpr std::array<std::string_view, 9> blocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 9> ascii = {" ", "_", ".", ":", "-", "=", "+", "*", "#"};

// One cell for each of the last @width rates, scaled to the largest of them. A
// rate that is not known is a blank; one of 0 is not.
std::string
sparkline(const std::deque<std::optional<double>>& rates, std::size_t width, bool unicode) {
    const auto& levels = unicode ? blocks : ascii;
    const std::size_t shown = std::min(width, rates.size());
    const auto begin = rates.end() - static_cast<std::ptrdiff_t>(shown);
    double most = 0;
    for (auto rate = begin; rate != rates.end(); ++rate)
        most = std::max(most, rate->value_or(0));

    std::string text(width - shown, ' ');
    for (auto rate = begin; rate != rates.end(); ++rate) {
        std::size_t level = 0;
        if (*rate)
            level = most > 0 ? 1 + static_cast<std::size_t>(std::round(**rate / most * 7)) : 1;
        text += levels[level];
    }
    return text;
}

void sort_rows(std::vector<WatchRow>& rows, WatchOrder order) {
    std::stable_sort(rows.begin(), rows.end(), [order](const WatchRow& a, const WatchRow& b) {
        switch (order) {
        case WatchOrder::registers:
            break;
        case WatchOrder::name:
            return std::tie(a.counter, a.port) < std::tie(b.counter, b.port);
        case WatchOrder::rate:
            // What is not known comes last.
            return a.rate.value_or(-1) > b.rate.value_or(-1);
        case WatchOrder::total:
            return a.total > b.total;
        }
        return a.place < b.place;
    });
}

// Widths of the columns; 0: it is left out.
struct Layout {
    std::size_t port = 0;
    std::size_t counter = 0;
    std::size_t rate = 0;
    std::size_t total = 5;
    std::size_t graph = 0;
};

constexpr std::size_t mark_width = 2;
constexpr std::size_t gap = 2;
constexpr std::size_t least_graph = 4;
constexpr double widest_rate = 100e6; // columns do not move while rates change

Layout layout_for(const std::vector<WatchRow>& rows, std::size_t columns) {
    Layout layout;
    bool several_ports = false;
    for (const WatchRow& row : rows) {
        several_ports |= row.port != rows.front().port;
        layout.port = std::max(layout.port, row.port.size());
        layout.counter = std::max(layout.counter, row.counter.size());
        for (const double rate : {widest_rate, row.rate.value_or(0)})
            layout.rate = std::max(layout.rate, rate_text(rate, row.unit).size());
        layout.total = std::max(layout.total, fmt::formatted_size("{}", row.total));
    }
    layout.port = several_ports ? layout.port + gap : 0;
    std::size_t used =
        mark_width + layout.port + layout.counter + gap + layout.rate + gap + layout.total;
    if (used > columns) { // a narrow screen: the rate matters most
        used -= gap + layout.total;
        layout.total = 0;
    }
    if (used + gap + least_graph <= columns)
        layout.graph = columns - used - gap;
    return layout;
}

constexpr std::string_view red = "\033[1;31m";
constexpr std::string_view yellow = "\033[33m";
constexpr std::string_view reverse = "\033[7m";
constexpr std::string_view plain = "\033[0m";

std::string coloured(std::string text, std::string_view colour, bool colours) {
    return colours ? fmt::format("{}{}{}", colour, text, plain) : text;
}

// Without colours and sparkline: all of it is one cell per octet.
std::string columns_of(
    const Layout& layout, const std::string& port, const std::string& counter,
    const std::string& rate, const std::string& total) {
    std::string text = layout.port ? fit(port, layout.port) : "";
    text += fit(counter, layout.counter + gap) + fit_right(rate, layout.rate);
    if (layout.total)
        text += std::string(gap, ' ') + fit_right(total, layout.total);
    return text;
}

std::string row_text(
    const WatchRow& row, const Layout& layout, std::size_t columns, const WatchOptions& options) {
    std::string text = row.is_error && row.total ? "! " : "  ";
    text += columns_of(
        layout, row.port, row.counter, row.rate ? rate_text(*row.rate, row.unit) : "-",
        fmt::format("{}", row.total));
    if (text.size() > columns)
        text.resize(columns);
    if (layout.graph)
        text += std::string(gap, ' ') + sparkline(row.rates, layout.graph, options.unicode);
    if (row.is_error && row.rate.value_or(0) > 0)
        return coloured(std::move(text), red, options.colours);
    if (row.is_error && row.total)
        return coloured(std::move(text), yellow, options.colours);
    return text;
}

std::string heading_text(const WatchHistory& history, const WatchOptions& options) {
    std::vector<std::string> names;
    for (const PortView& port : history.ports())
        names.push_back(printable(port.name) + " (" + printable(port.statistics.model) + ")");
    return fmt::format(
        "macstats watch: {}; every {:g} s{}",
        names.empty() ? "no ports" : fmt::format("{}", fmt::join(names, ", ")), options.interval,
        options.paused ? "; PAUSED" : "");
}

std::string keys_text(const WatchOptions& options) {
    return fmt::format(
        "q quit  s sort: {}  z zeros: {}  p {}  j/k scroll", order_name(options.order),
        options.hide_zero ? "hidden" : "shown", options.paused ? "go on" : "pause");
}

std::string remark_of(const PortView& view) {
    const Statistics& statistics = view.statistics;
    std::vector<std::string> words;
    if (statistics.values.empty())
        words.emplace_back("built without counters");
    if (statistics.stale)
        words.push_back(
            view.stale_reason.empty() ? "stale" : fmt::format("stale ({})", view.stale_reason));
    if (statistics.possible_loss)
        words.emplace_back("possible loss");
    if (view.rate && view.rate->continuity == Continuity::discontinuity)
        words.push_back(view.rate->reason);
    if (view.rate && view.rate->continuity == Continuity::restarted)
        words.push_back(view.rate->reason);
    if (words.empty())
        return "";
    return printable(fmt::format("{}: {}", view.name, fmt::join(words, ", ")));
}

} // namespace

bool counts_errors(const macstats_model& model, const macstats_counter& counter) {
    const auto rules = rules_in(counter.when);
    if (!rules.empty())
        return are_about_errors(model, rules);
    return has_error_status(model, counter) || feeds_error_statistic(counter);
}

std::string_view order_name(WatchOrder order) {
    switch (order) {
    case WatchOrder::registers:
        break;
    case WatchOrder::name:
        return "name";
    case WatchOrder::rate:
        return "rate";
    case WatchOrder::total:
        return "total";
    }
    return "registers";
}

WatchOrder next_order(WatchOrder order) {
    return order == WatchOrder::total ? WatchOrder::registers
                                      : static_cast<WatchOrder>(static_cast<int>(order) + 1);
}

void WatchHistory::add(std::vector<PortView> views) {
    add_rates(views, last_);
    gone_.clear();
    for (const PortView& before : last_) {
        const bool still_there =
            std::any_of(views.begin(), views.end(), [&before](const PortView& now) {
                return now.name == before.name;
            });
        if (!still_there)
            gone_.push_back(before.name);
    }
    for (const PortView& view : views)
        for (std::size_t i = 0; i < view.counters.size(); i++) {
            auto& rates = rates_[{view.name, view.counters[i].name}];
            rates.push_back(view.rate ? view.rate->per_second(i) : std::nullopt);
            if (rates.size() > most_rates)
                rates.pop_front();
        }
    last_ = std::move(views);
}

std::vector<WatchRow> WatchHistory::rows() const {
    std::vector<WatchRow> rows;
    for (const PortView& view : last_) {
        const macstats_model* model = same_model(view);
        const auto& values = view.statistics.values;
        for (std::size_t i = 0; i < values.size() && i < view.counters.size(); i++) {
            const CounterInfo& counter = view.counters[i];
            rows.push_back(
                {.port = printable(view.name),
                 .counter = printable(counter.name),
                 .unit = counter.unit,
                 .is_error = model && counts_errors(*model, model->counters[i]),
                 .place = rows.size(),
                 .total = values[i],
                 .rate = view.rate ? view.rate->per_second(i) : std::nullopt,
                 .rates = rates_.at({view.name, counter.name})});
        }
    }
    return rows;
}

std::vector<std::string> WatchHistory::remarks() const {
    std::vector<std::string> remarks;
    for (const PortView& view : last_)
        if (std::string remark = remark_of(view); !remark.empty())
            remarks.push_back(std::move(remark));
    for (const std::string& name : gone_)
        remarks.push_back(printable(name) + ": gone");
    return remarks;
}

WatchScreen
render_watch(const WatchHistory& history, ScreenSize size, const WatchOptions& options) {
    constexpr std::size_t most_remarks = 3;
    std::vector<WatchRow> rows = history.rows();
    if (options.hide_zero)
        std::erase_if(rows, [](const WatchRow& row) { return row.total == 0; });
    sort_rows(rows, options.order);
    const Layout layout = layout_for(rows, size.columns);

    std::vector<std::string> lines;
    const auto add = [&](std::string text, std::string_view colour) {
        lines.push_back(coloured(fit(std::move(text), size.columns), colour, options.colours));
    };
    add(heading_text(history, options), reverse);
    const auto remarks = history.remarks();
    for (std::size_t i = 0; i < remarks.size() && i < most_remarks; i++)
        add(i + 1 == most_remarks && remarks.size() > most_remarks
                ? fmt::format("... and {} more ports to look after", remarks.size() - i)
                : remarks[i],
            yellow);
    lines.push_back(
        fit("  " + columns_of(layout, "PORT", "COUNTER", "RATE", "TOTAL"), size.columns));

    const std::size_t room = size.rows > lines.size() + 1 ? size.rows - lines.size() - 1 : 0;
    const std::size_t last_scroll = rows.size() > room ? rows.size() - room : 0;
    const std::size_t first = std::min(options.scroll, last_scroll);
    for (std::size_t i = first; i < rows.size() && i < first + room; i++)
        lines.push_back(row_text(rows[i], layout, size.columns, options));
    if (rows.empty() && room && !history.ports().empty())
        lines.emplace_back(fit("  nothing counted yet", size.columns));

    lines.resize(std::max<std::size_t>(size.rows, 1) - 1);
    add(keys_text(options), reverse);
    return {std::move(lines), first};
}

std::string watch_text(const WatchHistory& history, std::string_view time) {
    std::string text;
    for (const std::string& remark : history.remarks())
        text += fmt::format("{} {}\n", time, remark);
    for (const WatchRow& row : history.rows())
        if (row.rate.value_or(0) > 0)
            text += fmt::format(
                "{} {} {} {} {}{}\n", time, row.port, row.counter, row.total,
                rate_text(*row.rate, row.unit), row.is_error ? " !" : "");
    return text;
}

} // namespace macstats
