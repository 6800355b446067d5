// SPDX-License-Identifier: GPL-2.0 OR MIT
// The rows, sparklines and layout of the live view.
#include "present/watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/text.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "present/error_counters.hpp"
#include "present/rate.hpp"
#include "present/show.hpp"
#include "present/style.hpp"
#include "present/table.hpp"

namespace macstats {

namespace {

std::string fit(std::string text, std::size_t width) {
    text.resize(width, ' ');
    return text;
}

// The first cells of a text (UTF-8).
std::string cut(std::string text, std::size_t cells) {
    while (cells_of(text) > cells)
        text.pop_back();
    return text;
}

constexpr std::array<std::string_view, 9> blocks = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 9> ascii = {" ", "_", ".", ":", "-", "=", "+", "*", "#"};

// One cell for each of the last @width rates, scaled to the largest of them. A blank is an
// unknown rate; a rate of 0 has its own character.
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
            // Unknown rates are last.
            return a.rate.value_or(-1) > b.rate.value_or(-1);
        case WatchOrder::total:
            return a.total > b.total;
        }
        return a.place < b.place;
    });
}

constexpr std::string_view port_heading = "PORT";
constexpr std::string_view counter_heading = "COUNTER";
constexpr std::string_view rate_heading = "RATE";
constexpr std::string_view total_heading = "TOTAL";

// Widths of the columns, at least those of their headings. 0: hides a column.
struct Layout {
    std::size_t port = port_heading.size();
    std::size_t counter = counter_heading.size();
    std::size_t rate = rate_heading.size();
    std::size_t total = total_heading.size();
    std::size_t graph = 0;
};

constexpr std::size_t mark_width = 2;
constexpr std::size_t gap = 2;
constexpr std::size_t least_graph = 4;
constexpr double widest_rate = 100e6; // columns do not move while rates change, but for marks

// "≥ " for a lower bound.
std::string_view mark(bool at_least, bool unicode) {
    return bound_mark(at_least ? Bound::at_least : Bound::exact, unicode);
}

std::string total_text(const WatchRow& row, bool unicode) {
    return fmt::format("{}{}", mark(row.at_least, unicode), row.total);
}

std::string rate_of(const WatchRow& row, bool unicode) {
    if (!row.rate)
        return "-";
    return fmt::format("{}{}", mark(row.rate_at_least, unicode), rate_text(*row.rate, row.unit));
}

Layout layout_for(const std::vector<WatchRow>& rows, std::size_t columns, bool unicode) {
    Layout layout;
    bool several_ports = false;
    for (const WatchRow& row : rows) {
        several_ports |= row.port != rows.front().port;
        layout.port = std::max(layout.port, row.port.size());
        layout.counter = std::max(layout.counter, row.counter.size());
        layout.rate = std::max(
            {layout.rate, rate_text(widest_rate, row.unit).size(),
             cells_of(rate_of(row, unicode))});
        layout.total = std::max(layout.total, cells_of(total_text(row, unicode)));
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

// Without colours and sparkline, one octet is one cell.
std::string columns_of(
    const Layout& layout, const std::string& port, const std::string& counter,
    const std::string& rate, const std::string& total) {
    std::string text = layout.port ? fit(port, layout.port) : "";
    text += fit(counter, layout.counter + gap) + right_aligned(rate, layout.rate);
    if (layout.total)
        text += std::string(gap, ' ') + right_aligned(total, layout.total);
    return text;
}

std::string row_text(
    const WatchRow& row, const Layout& layout, std::size_t columns, const WatchOptions& options) {
    std::string text = row.is_error && row.total ? "! " : "  ";
    text += columns_of(
        layout, row.port, row.counter, rate_of(row, options.unicode),
        total_text(row, options.unicode));
    text = cut(std::move(text), columns);
    if (layout.graph)
        text += std::string(gap, ' ') + sparkline(row.rates, layout.graph, options.unicode);
    if (row.is_error && row.rate.value_or(0) > 0)
        return styled(text, Style::error, options.colours);
    if (row.is_error && row.total)
        return styled(text, Style::warning, options.colours);
    return text;
}

std::string heading_text(const WatchHistory& history, const WatchOptions& options) {
    std::vector<std::string> names;
    for (const PortView& port : history.ports())
        names.push_back(
            escaped_ascii(port.name) + " (" + escaped_ascii(port.statistics.model) + ")");
    return fmt::format(
        "macstats watch: {}; every {:g} s{}",
        names.empty() ? "no ports" : fmt::format("{}", fmt::join(names, ", ")), options.interval,
        options.paused ? "; PAUSED" : "");
}

std::string keys_text(const WatchOptions& options) {
    return fmt::format(
        "q quit  s sort: {}  z zeros: {}  p {}  j/k scroll  ? help", order_name(options.order),
        options.hide_zero ? "hidden" : "shown", options.paused ? "continue" : "pause");
}

std::string remark_of(const PortView& view) {
    const Statistics& statistics = view.statistics;
    std::vector<std::string> words;
    if (std::string lacks = lacks_text(statistics); !lacks.empty())
        words.push_back(std::move(lacks));
    if (statistics.stale)
        words.push_back(
            view.stale_reason.empty() ? "stale" : fmt::format("stale ({})", view.stale_reason));
    if (statistics.possible_loss)
        words.emplace_back("possible loss");
    if (view.rate && !view.rate->saturated.empty())
        words.push_back(fmt::format(
            "{} counter{} saturated", view.rate->saturated.size(),
            view.rate->saturated.size() == 1 ? "" : "s"));
    if (view.rate && (view.rate->continuity == Continuity::discontinuity ||
                      view.rate->continuity == Continuity::restarted))
        words.push_back(view.rate->reason);
    if (words.empty())
        return "";
    return escaped_ascii(fmt::format("{}: {}", view.name, fmt::join(words, ", ")));
}

} // namespace

std::string_view order_name(WatchOrder order) {
    constexpr std::string_view names[] = {"registers", "name", "rate", "total"};
    return names[static_cast<std::size_t>(order)];
}

WatchOrder next_order(WatchOrder order) {
    return order == WatchOrder::total ? WatchOrder::registers
                                      : static_cast<WatchOrder>(static_cast<int>(order) + 1);
}

void WatchHistory::add(std::vector<PortView> views) {
    add_rates(views, read_);
    const auto is_gone = [&views](const std::string& name) {
        return std::none_of(
            views.begin(), views.end(), [&name](const PortView& now) { return now.name == name; });
    };
    // The rates of those that the sample before lacked, too, are forgotten.
    std::erase_if(rates_, [this, &is_gone](const auto& port) {
        return std::count(gone_.begin(), gone_.end(), port.first) && is_gone(port.first);
    });
    gone_.clear();
    for (const PortView& before : last_)
        if (is_gone(before.name))
            gone_.push_back(before.name);
    for (const PortView& view : views)
        for (std::uint32_t i = 0; i < view.infos.size(); i++) {
            auto& rates = rates_[view.name][view.infos[i].name];
            rates.push_back(view.rate ? view.rate->per_second(CounterIndex(i)) : std::nullopt);
            if (rates.size() > most_rates)
                rates.pop_front();
        }
    std::vector<PortView> read;
    for (const PortView& view : views) {
        const auto before = std::find_if(read_.begin(), read_.end(), [&view](const PortView& one) {
            return one.statistics.ifindex == view.statistics.ifindex;
        });
        const bool is_same = view.rate && view.rate->continuity == Continuity::not_read;
        read.push_back(is_same ? *before : view);
    }
    read_ = std::move(read);
    last_ = std::move(views);
}

std::vector<WatchRow> WatchHistory::rows() const {
    std::vector<WatchRow> rows;
    for (const PortView& view : last_) {
        const macstats_model* model = view.model();
        for (const CounterValue& counter : view.counters())
            if (counter.value)
                rows.push_back(
                    {.port = escaped_ascii(view.name),
                     .counter = escaped_ascii(counter.name()),
                     .unit = counter.info->unit,
                     .is_error =
                         model && counts_errors(*model, model->counters[counter.index.value()]),
                     .place = rows.size(),
                     .total = *counter.value,
                     .at_least = counter.bound() == Bound::at_least,
                     .rate = view.rate ? view.rate->per_second(counter.index) : std::nullopt,
                     .rate_at_least = view.rate && (view.rate->bound() == Bound::at_least ||
                                                    times_of(view.rate->saturated, counter.index)),
                     .rates = rates_.at(view.name).at(counter.name())});
    }
    return rows;
}

std::vector<std::string> WatchHistory::remarks() const {
    std::vector<std::string> remarks;
    for (const PortView& view : last_)
        if (std::string remark = remark_of(view); !remark.empty())
            remarks.push_back(std::move(remark));
    for (const std::string& name : gone_)
        remarks.push_back(escaped_ascii(name) + ": gone");
    return remarks;
}

WatchScreen
render_watch(const WatchHistory& history, ScreenSize size, const WatchOptions& options) {
    constexpr std::size_t most_remarks = 3;
    std::vector<WatchRow> rows = history.rows();
    if (options.hide_zero)
        std::erase_if(rows, [](const WatchRow& row) { return row.total == 0; });
    sort_rows(rows, options.order);
    const Layout layout = layout_for(rows, size.columns, options.unicode);

    std::vector<std::string> lines;
    const auto add = [&](std::string text, Style style) {
        lines.push_back(styled(fit(std::move(text), size.columns), style, options.colours));
    };
    add(heading_text(history, options), Style::bar);
    const auto remarks = history.remarks();
    for (std::size_t i = 0; i < remarks.size() && i < most_remarks; i++)
        add(i + 1 == most_remarks && remarks.size() > most_remarks
                ? fmt::format("... and {} more ports with remarks", remarks.size() - i)
                : remarks[i],
            Style::warning);
    lines.push_back(
        fit("  " + columns_of(
                       layout, std::string(port_heading), std::string(counter_heading),
                       std::string(rate_heading), std::string(total_heading)),
            size.columns));

    const std::size_t room = size.rows > lines.size() + 1 ? size.rows - lines.size() - 1 : 0;
    const std::size_t last_scroll = rows.size() > room ? rows.size() - room : 0;
    const std::size_t first = std::min(options.scroll, last_scroll);
    if (options.help) {
        for (const std::string_view text : watch_keys)
            lines.push_back(fit("  " + std::string(text), size.columns));
        for (const std::string_view text :
             {"", "  \"!\" marks counters of errors; they are red while they count."})
            lines.push_back(fit(std::string(text), size.columns));
    } else {
        for (std::size_t i = first; i < rows.size() && i < first + room; i++)
            lines.push_back(row_text(rows[i], layout, size.columns, options));
        if (rows.empty() && room && !history.ports().empty())
            lines.emplace_back(fit("  nothing counted yet", size.columns));
    }

    lines.resize(std::max<std::size_t>(size.rows, 1) - 1);
    add(keys_text(options), Style::bar);
    return {std::move(lines), first, std::max<std::size_t>(room, 1)};
}

WatchKey next_key(std::string_view& keys) {
    struct Known {
        std::string_view text;
        WatchKey key;
    };
    static constexpr Known known[] = {
        {"q", WatchKey::quit},
        {"s", WatchKey::order},
        {"z", WatchKey::zeros},
        {"p", WatchKey::pause},
        {" ", WatchKey::pause},
        {"?", WatchKey::help},
        {"j", WatchKey::down},
        {"\033[B", WatchKey::down},
        {"\033OB", WatchKey::down},
        {"k", WatchKey::up},
        {"\033[A", WatchKey::up},
        {"\033OA", WatchKey::up},
        {"\033[6~", WatchKey::page_down},
        {"\033[5~", WatchKey::page_up},
        {"\033[H", WatchKey::home},
        {"\033OH", WatchKey::home},
        {"\033[1~", WatchKey::home},
        {"\033[7~", WatchKey::home},
        {"\033[F", WatchKey::end},
        {"\033OF", WatchKey::end},
        {"\033[4~", WatchKey::end},
        {"\033[8~", WatchKey::end},
    };

    // Escape and O take one more character; Escape and [ go on up to the first from @ to ~.
    std::size_t size = 1;
    if (keys.starts_with("\033O"))
        size = 3;
    if (keys.starts_with("\033["))
        for (size = 2; size < keys.size() && (keys[size] < '@' || keys[size] > '~');)
            size++;
    if (keys.starts_with("\033["))
        size++;
    const std::string_view text = keys.substr(0, size);
    keys.remove_prefix(text.size());
    for (const Known& one : known)
        if (one.text == text)
            return one.key;
    return WatchKey::none;
}

void press_key(WatchOptions& options, WatchKey key, std::size_t page) {
    constexpr std::size_t far = SIZE_MAX;
    const auto down = [&options](std::size_t rows) {
        options.scroll = rows < far - options.scroll ? options.scroll + rows : far;
    };
    const auto up = [&options](std::size_t rows) {
        options.scroll -= std::min(rows, options.scroll);
    };
    switch (key) {
    case WatchKey::none:
    case WatchKey::quit:
        break;
    case WatchKey::order:
        options.order = next_order(options.order);
        break;
    case WatchKey::zeros:
        options.hide_zero = !options.hide_zero;
        break;
    case WatchKey::pause:
        options.paused = !options.paused;
        break;
    case WatchKey::help:
        options.help = !options.help;
        break;
    case WatchKey::down:
        return down(1);
    case WatchKey::up:
        return up(1);
    case WatchKey::page_down:
        return down(page);
    case WatchKey::page_up:
        return up(page);
    case WatchKey::home:
        return up(far);
    case WatchKey::end:
        return down(far);
    }
}

std::string watch_text(const WatchHistory& history, std::string_view time) {
    std::string text;
    for (const std::string& remark : history.remarks())
        text += fmt::format("{} {}\n", time, remark);
    for (const WatchRow& row : history.rows())
        if (row.rate.value_or(0) > 0)
            text += fmt::format(
                "{} {} {} {}{} {}{}{}\n", time, row.port, row.counter, row.at_least ? ">=" : "",
                row.total, row.rate_at_least ? ">=" : "", rate_text(*row.rate, row.unit),
                row.is_error ? " !" : "");
    return text;
}

} // namespace macstats
