// SPDX-License-Identifier: GPL-2.0 OR MIT
// Writes totals and standard statistics as JSON and as text.
#include "present/show.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <macstats/standard.h>

#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "present/rate.hpp"
#include "present/show_lines.hpp"
#include "present/style.hpp"
#include "present/table.hpp"

namespace macstats {

namespace {

std::string rate_of(const ShownRow& row, bool unicode) {
    if (!row.per_second)
        return "-";
    return fmt::format(
        "{}{}", bound_mark(row.counted->bound, unicode), rate_text(*row.per_second, row.unit()));
}

// Errors are red while they count, or where no rate shows whether they do.
Style style_of(const ShownRow& row, bool is_error, bool has_rate) {
    if (!row.value.value && row.value.bound == Bound::exact)
        return Style::faint;
    if (!is_error)
        return Style::plain;
    return !has_rate || row.per_second.value_or(0) > 0 ? Style::error : Style::warning;
}

std::string table_text(const PortView& view, const ShowOptions& options) {
    // Name, value, unit and, if wanted, the value in a larger unit and the rate.
    struct Line {
        const ShownRow& row;
        std::array<std::string, 5> cells;
    };
    const auto rows = primary_rows(view, options);
    std::vector<Line> lines;
    std::array<std::size_t, 5> widths{};
    for (const ShownRow& row : rows) {
        const Line& line = lines.emplace_back(Line{
            row,
            {row.name(), value_text(row.value, options.unicode),
             std::string(name_of(unit_names, row.unit())),
             options.terminal ? scaled_text(row.value.value, row.unit()) : "",
             view.rate ? rate_of(row, options.unicode) : ""}});
        for (std::size_t i = 0; i < widths.size(); i++)
            widths[i] = std::max(widths[i], cells_of(line.cells[i]));
    }

    const macstats_model* model = view.model();
    const bool has_groups = !options.groups.empty();
    std::string text;
    std::string_view group;
    for (const auto& [row, cells] : lines) {
        if (!row.is_shown(options))
            continue;
        if (std::exchange(group, row.value.group()) != row.value.group())
            text += fmt::format("  {}\n", styled(group, Style::heading, options.colours));
        std::string line = fmt::format(
            "{}{:<{}}  {} {:<{}}", has_groups ? "    " : "  ", cells[0], widths[0],
            right_aligned(cells[1], widths[1]), cells[2], widths[2]);
        for (std::size_t i = 3; i < cells.size(); i++)
            if (widths[i])
                line += "  " + right_aligned(cells[i], widths[i]);
        if (options.descriptions && row.info)
            line += "  " + row.info->description;
        line.erase(line.find_last_not_of(' ') + 1);
        const bool is_error = row.counts_errors(model);
        if (options.terminal && is_error && row.value.value)
            line.front() = '!';
        text +=
            styled(line, style_of(row, is_error, view.rate.has_value()), options.colours) + "\n";
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
    if (since.continuity != Continuity::restarted && since.bound() == Bound::at_least)
        text += ", so these are lower bounds";
    return text;
}

// The remark on rates that are bounds or unknown.
std::string rate_state_text(const Difference& rate) {
    if (rate.continuity == Continuity::whole)
        return rate.stale ? ", no rates: the port is or was stale" : "";
    return fmt::format(", {}: {}", rate.has_rates() ? "rates at least" : "no rates", rate.reason);
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
    if (const auto counters = (view.since ? view.since->saturated : statistics.saturated).size())
        warn(fmt::format("{} saturated counter{}", counters, counters == 1 ? "" : "s"));
    if (const std::string lacks = lacks_text(statistics); !lacks.empty())
        text += ", " + lacks;
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

// The rows at the start of @rows, of which there is one at least, that have the same key.
template <typename Key>
std::span<const ShownRow> leading_run(std::span<const ShownRow> rows, Key key) {
    const auto end =
        std::find_if(rows.begin(), rows.end(), [key, first = key(rows.front())](const auto& row) {
            return key(row) != first;
        });
    return {rows.begin(), end};
}

// The statistics of a group: a number, or the buckets of a histogram.
void write_group(JsonWriter& json, std::span<const ShownRow> group, const ShowOptions& options) {
    const auto shows = [&options](const ShownRow& row) { return row.is_shown(options); };
    for (auto rest = group; !rest.empty();) {
        const auto rows = leading_run(rest, [](const ShownRow& row) { return row.value.id; });
        rest = rest.subspan(rows.size());
        if (std::none_of(rows.begin(), rows.end(), shows))
            continue;
        json.name(standard_name(rows.front().value.id).name);
        if (!macstats_is_histogram(rows.front().value.id)) {
            json.value(rows.front().value.value);
            continue;
        }
        json.begin_array();
        for (const ShownRow& bucket : rows) {
            if (!shows(bucket))
                continue;
            json.begin_object();
            json.member("low", bucket.value.low);
            json.member("high", bucket.value.high);
            json.member("val", bucket.value.value);
            json.end_object();
        }
        json.end_array();
    }
}

// The member "at_least": for each value that is a bound. Without any, there is no such member.
void write_at_least(
    JsonWriter& json, std::span<const ShownRow> rows,
    const StandardValue* (*value_of)(const ShownRow&)) {
    bool any = false;
    for (const ShownRow& row : rows) {
        const StandardValue* value = value_of(row);
        if (!value || value->bound == Bound::exact)
            continue;
        if (!std::exchange(any, true))
            json.begin_object("at_least");
        json.begin_object(row.qualified_name());
        json.member("times", value->times);
        if (value->bound != Bound::at_least)
            json.member("bound", bound_name(value->bound));
        if (value->stale)
            json.member("stale", true);
        json.end_object();
    }
    if (any)
        json.end_object();
}

} // namespace

std::string_view bound_mark(Bound bound, bool unicode) {
    constexpr std::string_view marks[] = {"", "≥ ", "≤ ", "≈ "}; // in the order of enum Bound
    constexpr std::string_view ascii_marks[] = {"", ">= ", "<= ", "~ "};
    return (unicode ? marks : ascii_marks)[static_cast<std::size_t>(bound)];
}

std::string lacks_text(const Statistics& statistics) {
    if (statistics.values.empty())
        return "built without counters";
    if (statistics.absent.empty())
        return "";
    return fmt::format(
        "built without {} of {} counters", statistics.absent.size(), statistics.values.size());
}

void write_port(JsonWriter& json, const PortView& view, const ShowOptions& options) {
    const Statistics& statistics = view.statistics;
    const auto rows = shown_rows(view, options);
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
    json.begin_object("totals");
    for (const ShownRow& row : rows)
        if (row.info && row.is_shown(options))
            json.member(row.info->name, row.value.value);
    json.end_object();
    json.begin_object("standard");
    const auto first =
        std::find_if(rows.begin(), rows.end(), [](const ShownRow& row) { return !row.info; });
    for (std::span<const ShownRow> rest(first, rows.end()); !rest.empty();) {
        const auto group = leading_run(rest, [](const ShownRow& row) { return row.value.group(); });
        rest = rest.subspan(group.size());
        json.begin_object(group.front().value.group());
        write_group(json, group, options);
        json.end_object();
    }
    json.end_object();
    write_at_least(json, rows, [](const ShownRow& row) { return &row.value; });
    if (view.since) {
        json.begin_object("since");
        write_difference(json, *view.since);
        json.member("tag", options.since);
        json.end_object();
    }
    if (view.rate) {
        json.begin_object("rate");
        write_difference(json, *view.rate);
        json.begin_object("per_second");
        for (const ShownRow& row : rows)
            if (row.is_primary(options) && row.is_shown(options)) {
                json.name(row.qualified_name());
                row.per_second ? json.value(*row.per_second) : json.null();
            }
        json.end_object();
        write_at_least(
            json, rows, [](const ShownRow& row) { return row.counted ? &*row.counted : nullptr; });
        json.end_object();
    }
    if (options.descriptions) {
        json.begin_object("counters");
        for (const ShownRow& row : rows)
            if (row.info && row.is_shown(options)) {
                json.begin_object(row.info->name);
                json.member("unit", name_of(unit_names, row.info->unit));
                json.member("description", row.info->description);
                json.end_object();
            }
        json.end_object();
    }
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
    return show_heading(view, options) + table_text(view, options);
}

} // namespace macstats
