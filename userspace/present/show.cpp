// SPDX-License-Identifier: GPL-2.0 OR MIT
// Writes totals and standard statistics as JSON and as text.
#include "present/show.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/standard.h>

#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/device/standard.hpp"
#include "present/rate.hpp"
#include "present/show_lines.hpp"
#include "present/style.hpp"
#include "present/table.hpp"

namespace macstats {

namespace {

// A member of "at_least".
struct BoundOf {
    std::string name; // of a counter or a standard statistic
    std::uint64_t times;
    Bound bound;
    bool stale;
};

std::string rate_of(const CounterLine& line, bool unicode) {
    if (!line.per_second)
        return "-";
    return fmt::format(
        "{}{}", bound_mark(line.rate_bound, unicode), rate_text(*line.per_second, line.unit));
}

// Errors are red while they count, or where no rate shows whether they do.
Style style_of(const CounterLine& line, bool has_rate) {
    if (!line.value && line.bound == Bound::exact)
        return Style::faint;
    if (!line.is_error)
        return Style::plain;
    return !has_rate || line.per_second.value_or(0) > 0 ? Style::error : Style::warning;
}

std::string
table_text(std::vector<Section> sections, const PortView& view, const ShowOptions& options) {
    std::size_t name_width = 0;
    std::size_t value_width = 0;
    std::size_t unit_width = 0;
    std::size_t scaled_width = 0;
    std::size_t rate_width = 0;
    const auto name_of_unit = [](const CounterLine& line) {
        return name_of(unit_names(), line.unit);
    };
    for (const Section& section : sections)
        for (const CounterLine& line : section.lines) {
            name_width = std::max(name_width, line.name.size());
            value_width = std::max(value_width, cells_of(value_text(line, options.unicode)));
            unit_width = std::max(unit_width, name_of_unit(line).size());
            if (options.terminal)
                scaled_width = std::max(scaled_width, scaled_text(line.value, line.unit).size());
            rate_width = std::max(rate_width, cells_of(rate_of(line, options.unicode)));
        }

    std::string text;
    for (const Section& section : sections) {
        const std::string_view indent = section.title.empty() ? "  " : "    ";
        std::string rows;
        for (const CounterLine& line : section.lines) {
            if (!is_shown(line.value, line.bound, options))
                continue;
            std::string row = fmt::format(
                "{}{:<{}}  {} {:<{}}", indent, line.name, name_width,
                right_aligned(value_text(line, options.unicode), value_width), name_of_unit(line),
                unit_width);
            if (scaled_width)
                row += "  " + right_aligned(scaled_text(line.value, line.unit), scaled_width);
            if (view.rate)
                row += "  " + right_aligned(rate_of(line, options.unicode), rate_width);
            if (options.descriptions)
                row += fmt::format("  {}", line.description);
            row.erase(row.find_last_not_of(' ') + 1);
            if (options.terminal && line.is_error && line.value)
                row.front() = '!';
            rows += styled(row, style_of(line, view.rate.has_value()), options.colours) + "\n";
        }
        if (!section.title.empty() && !rows.empty())
            text += fmt::format("  {}\n", styled(section.title, Style::heading, options.colours));
        text += rows;
    }
    return text;
}

std::string since_text(const Difference& since, const std::string& tag) {
    std::string text = fmt::format(", since \"{}\"", tag);
    if (since.continuity == Continuity::restarted)
        text = fmt::format(", not since \"{}\" but since it restarted", tag);
    if (since.seconds > 0)
        text += fmt::format(" ({:.3f} s)", since.seconds);
    if (!since.reason.empty())
        text += fmt::format(": {}", since.reason);
    if (since.continuity == Continuity::discontinuity)
        text += ", so these are lower bounds";
    return text;
}

// The remark on rates that are bounds or unknown.
std::string rate_state_text(const Difference& rate) {
    if (rate.continuity == Continuity::whole)
        return "";
    return fmt::format(
        ", {}: {}", rate.continuity == Continuity::discontinuity ? "rates at least" : "no rates",
        rate.reason);
}

std::string state_text(const PortView& view, bool colours) {
    const Statistics& statistics = view.statistics;
    std::string state = statistics.stale ? "stale" : "fresh";
    if (!view.stale_reason.empty())
        state += fmt::format(" ({})", printable(view.stale_reason));
    std::string text = styled(state, statistics.stale ? Style::error : Style::plain, colours);
    const auto warn = [&text, colours](const std::string& warning) {
        text += ", " + styled(warning, Style::warning, colours);
    };
    if (statistics.possible_loss)
        warn("possible loss");
    if (statistics.discontinuities)
        warn(fmt::format(
            "{} discontinuit{}", statistics.discontinuities,
            statistics.discontinuities == 1 ? "y" : "ies"));
    if (const auto counters = saturated_of(view).size())
        warn(fmt::format("{} saturated counter{}", counters, counters == 1 ? "" : "s"));
    if (statistics.values.empty())
        text += ", built without counters";
    else if (!statistics.absent.empty())
        text += fmt::format(
            ", built without {} of {} counters", statistics.absent.size(),
            statistics.values.size());
    return text;
}

// The first members of "since" and "rate".
void write_difference(JsonWriter& json, const Difference& difference) {
    json.member("continuity", continuity_name(difference.continuity));
    json.name("reason");
    if (difference.reason.empty())
        json.null();
    else
        json.value(difference.reason);
    json.member("seconds", difference.seconds);
}

bool is_shown(const StandardValue& row, const ShowOptions& options) {
    return is_shown(row.value, row.bound, options);
}

// Calls @write with each counter that @options show: none if they ask for groups.
template <typename Write>
void for_each_counter(const PortView& view, const ShowOptions& options, Write write) {
    if (!options.groups.empty())
        return;
    const auto values = values_of(view);
    for (std::uint32_t i = 0; i < values.size(); i++) {
        const CounterIndex index(i);
        if (has_counter(view, index) &&
            (!options.nonzero || is_shown(values[i], bound_of(saturated_of(view), index), options)))
            write(index);
    }
}

void write_totals(JsonWriter& json, const PortView& view, const ShowOptions& options) {
    const auto values = values_of(view);
    json.begin_object("totals");
    for_each_counter(view, options, [&](CounterIndex index) {
        json.member(view.counters[index.value()].name, values[index.value()]);
    });
    json.end_object();
}

void write_counters(JsonWriter& json, const PortView& view, const ShowOptions& options) {
    json.begin_object("counters");
    for_each_counter(view, options, [&](CounterIndex index) {
        const CounterInfo& counter = view.counters[index.value()];
        json.begin_object(counter.name);
        json.member("unit", name_of(unit_names(), counter.unit));
        json.member("description", counter.description);
        json.end_object();
    });
    json.end_object();
}

std::string_view group_of(const StandardValue& row) {
    return standard_name(row.id).group;
}

macstats_standard_id id_of(const StandardValue& row) {
    return row.id;
}

// The rows at the start of @rows, of which there is one at least, that have the same key.
template <typename Key>
std::span<const StandardValue> leading_run(std::span<const StandardValue> rows, Key key) {
    const auto end = std::find_if(
        rows.begin(), rows.end(),
        [key, first = key(rows.front())](const StandardValue& row) { return key(row) != first; });
    return {rows.begin(), end};
}

// The statistics of a group: a number, or the buckets of a histogram.
template <typename Shows>
void write_group(JsonWriter& json, std::span<const StandardValue> group, Shows shows) {
    for (auto rest = group; !rest.empty();) {
        const auto rows = leading_run(rest, id_of);
        rest = rest.subspan(rows.size());
        if (std::none_of(rows.begin(), rows.end(), shows))
            continue;
        json.name(standard_name(rows.front().id).name);
        if (!macstats_is_histogram(rows.front().id)) {
            json.value(rows.front().value);
            continue;
        }
        json.begin_array();
        for (const StandardValue& bucket : rows) {
            if (!shows(bucket))
                continue;
            json.begin_object();
            json.member("low", bucket.low);
            json.member("high", bucket.high);
            json.member("val", bucket.value);
            json.end_object();
        }
        json.end_array();
    }
}

// The groups that @options want, without the totals of 0 that they leave out.
void write_standard(
    JsonWriter& json, std::span<const StandardValue> rows, const ShowOptions& options) {
    json.begin_object("standard");
    const auto shows = [&](const StandardValue& row) { return is_shown(row, options); };
    for (auto rest = rows; !rest.empty();) {
        const auto group = leading_run(rest, group_of);
        rest = rest.subspan(group.size());
        if (!is_wanted(options, group_of(group.front())))
            continue;
        json.begin_object(group_of(group.front()));
        write_group(json, group, shows);
        json.end_object();
    }
    json.end_object();
}

// The member "at_least": for each counter in @saturated, and for each of @rows that is a bound, of
// the groups that @options want. Without any, there is no such member.
void write_at_least(
    JsonWriter& json, const PortView& view, std::span<const Saturation> saturated,
    std::span<const StandardValue> rows, const ShowOptions& options) {
    std::vector<BoundOf> bounds;
    if (options.groups.empty())
        for (const Saturation& one : saturated)
            if (one.counter.value() < view.counters.size())
                bounds.push_back(
                    {view.counters[one.counter.value()].name, one.times, Bound::at_least, false});
    for (const StandardValue& row : rows)
        if (row.bound != Bound::exact && is_wanted(options, group_of(row)))
            bounds.push_back({qualified_name(row), row.times, row.bound, row.stale});
    if (bounds.empty())
        return;

    json.begin_object("at_least");
    for (const BoundOf& one : bounds) {
        json.begin_object(one.name);
        json.member("times", one.times);
        if (one.bound == Bound::at_most)
            json.member("bound", "at_most");
        if (one.bound == Bound::unknown)
            json.member("bound", "unknown");
        if (one.stale)
            json.member("stale", true);
        json.end_object();
    }
    json.end_object();
}

// Rates of what @options show: of the counters or, with groups, of their statistics.
void write_per_second(
    JsonWriter& json, const PortView& view, std::span<const StandardValue> rows,
    std::span<const StandardValue> rates, const ShowOptions& options) {
    const auto write = [&json](std::string_view name, std::optional<double> rate) {
        json.name(name);
        if (rate)
            json.value(*rate);
        else
            json.null();
    };
    json.begin_object("per_second");
    for_each_counter(view, options, [&](CounterIndex index) {
        write(view.counters[index.value()].name, view.rate->per_second(index));
    });
    if (!options.groups.empty())
        for (const StandardValue& row : rows)
            if (is_wanted(options, group_of(row)) && is_shown(row, options))
                write(qualified_name(row), rate_of(view, rates, row));
    json.end_object();
}

} // namespace

std::string_view bound_mark(Bound bound, bool unicode) {
    switch (bound) {
    case Bound::exact:
        break;
    case Bound::at_least:
        return unicode ? "≥ " : ">= ";
    case Bound::at_most:
        return unicode ? "≤ " : "<= ";
    case Bound::unknown:
        return unicode ? "≈ " : "~ ";
    }
    return "";
}

void write_port(JsonWriter& json, const PortView& view, const ShowOptions& options) {
    const Statistics& statistics = view.statistics;
    const auto rows = standard_of(view);
    json.begin_object();
    json.member("port", view.name);
    json.member("ifindex", statistics.ifindex.value());
    json.member("model", statistics.model);
    json.member("time_ns", statistics.time_ns);
    json.member("generation", statistics.generation);
    json.begin_object("state");
    json.member("stale", statistics.stale);
    json.member("possible_loss", statistics.possible_loss);
    json.member("discontinuities", statistics.discontinuities);
    if (statistics.stale && !view.stale_reason.empty())
        json.member("stale_reason", view.stale_reason);
    json.end_object();
    write_totals(json, view, options);
    write_standard(json, rows, options);
    write_at_least(json, view, saturated_of(view), rows, options);
    if (view.since) {
        json.begin_object("since");
        write_difference(json, *view.since);
        json.member("tag", options.since);
        json.end_object();
    }
    if (view.rate) {
        json.begin_object("rate");
        write_difference(json, *view.rate);
        const auto rates = standard_rates(view);
        write_per_second(json, view, rows, rates, options);
        write_at_least(json, view, view.rate->saturated, rates, options);
        json.end_object();
    }
    if (options.descriptions)
        write_counters(json, view, options);
    json.end_object();
}

std::string ports_json_text(std::span<const PortView> ports, JsonWriter::Integers integers) {
    constexpr int one_line = -1;
    JsonWriter json(one_line, integers);
    json.begin_array();
    for (const PortView& port : ports)
        write_port(json, port, {});
    json.end_array();
    return std::string(json.text()) + "\n";
}

std::string show_heading(const PortView& view, const ShowOptions& options) {
    std::string text = fmt::format(
        "{}: {}, {}", styled(escaped(view.name), Style::heading, options.colours),
        view.statistics.model, state_text(view, options.colours));
    if (view.since)
        text += since_text(*view.since, options.since);
    if (view.rate)
        text += rate_state_text(*view.rate);
    text += "\n";
    if (!options.groups.empty() && view.statistics.without_standard)
        text +=
            "  no standard statistics: other net devices share the counters, or there are none\n";
    return text;
}

std::string show_text(const PortView& view, const ShowOptions& options) {
    return show_heading(view, options) + table_text(show_sections(view, options), view, options);
}

} // namespace macstats
