// SPDX-License-Identifier: GPL-2.0 OR MIT
// Writes totals and standard statistics as JSON and as text.
#include "present/show.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/standard.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/device/standard.hpp"
#include "present/rate.hpp"
#include "present/show_lines.hpp"
#include "present/style.hpp"
#include "present/table.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

// A member of "at_least"; "bound" for a statistic that is not a lower bound.
ordered_json bound_json(std::uint64_t times, Bound bound) {
    ordered_json json = {{"times", times}};
    if (bound == Bound::at_most)
        json["bound"] = "at_most";
    if (bound == Bound::unknown)
        json["bound"] = "unknown";
    return json;
}

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

ordered_json difference_json(const Difference& difference) {
    return {
        {"continuity", continuity_name(difference.continuity)},
        {"reason", difference.reason.empty() ? ordered_json() : ordered_json(difference.reason)},
        {"seconds", difference.seconds},
    };
}

// "rmon-rx-pkts65to127", as in "at_least".
std::string qualified_name(const StandardValue& row) {
    return fmt::format("{}-{}", standard_name(row.id).group, standard_label(row));
}

ordered_json number_or_null(std::optional<double> number) {
    return number ? ordered_json(*number) : ordered_json();
}

// Rates of what @options show: of the counters or, with groups, of their statistics.
ordered_json per_second_json(const PortView& view, const ShowOptions& options) {
    ordered_json json = ordered_json::object();
    if (options.groups.empty()) {
        const auto values = values_of(view);
        for (std::uint32_t i = 0; i < view.counters.size() && i < view.rate->values.size(); i++) {
            const CounterIndex index(i);
            if (is_absent(view.statistics.absent, index))
                continue;
            if (i >= values.size() ||
                is_shown(values[i], bound_of(saturated_of(view), index), options))
                json[view.counters[i].name] = number_or_null(view.rate->per_second(index));
        }
        return json;
    }
    const macstats_model* model = same_model(view);
    if (!model)
        return json;
    const auto rows = standard_of(*model, view);
    const auto rates = standard_rates(*model, view, rows.size());
    for (std::size_t i = 0; i < rows.size(); i++)
        if (is_wanted(options, standard_name(rows[i].id).group) &&
            is_shown(
                rows[i].value, dependence_of(*model, rows[i], saturated_of(view)).bound(), options))
            json[qualified_name(rows[i])] = number_or_null(rates[i]);
    return json;
}

// The groups that @options want, without the totals of 0 that they leave out.
ordered_json wanted_standard(const PortView& view, const ShowOptions& options) {
    const macstats_model* model = same_model(view);
    if (!model)
        return ordered_json::object();
    const auto rows = standard_of(*model, view);
    ordered_json groups = standard_json(rows);
    for (const std::string_view group : standard_groups())
        if (!is_wanted(options, group))
            groups.erase(std::string(group));
    if (!options.nonzero)
        return groups;
    for (const StandardValue& row : rows) {
        const StandardName name = standard_name(row.id);
        if (!is_wanted(options, name.group) ||
            is_shown(row.value, dependence_of(*model, row, saturated_of(view)).bound(), options))
            continue;
        ordered_json& group = groups.at(std::string(name.group));
        const auto statistic = group.find(std::string(name.name));
        if (!macstats_is_histogram(row.id)) {
            group.erase(statistic);
            continue;
        }
        const auto bucket =
            std::find_if(statistic->begin(), statistic->end(), [&row](const ordered_json& one) {
                return one.at("low") == row.low;
            });
        statistic->erase(bucket);
        if (statistic->empty())
            group.erase(statistic);
    }
    return groups;
}

// The members of @json which belong to the groups that @options want.
ordered_json wanted_at_least(ordered_json json, const ShowOptions& options) {
    if (options.groups.empty())
        return json;
    ordered_json wanted = ordered_json::object();
    for (const std::string& group : options.groups)
        for (const auto& [name, value] : json.items())
            if (name.starts_with(group + "-"))
                wanted[name] = value;
    return wanted;
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

nlohmann::ordered_json at_least_json(const PortView& view, std::span<const Saturation> saturated) {
    ordered_json json = ordered_json::object();
    for (const Saturation& one : saturated)
        if (one.counter.value() < view.counters.size())
            json[view.counters[one.counter.value()].name] = bound_json(one.times, Bound::at_least);
    const macstats_model* model = same_model(view);
    if (!model || json.empty())
        return json;
    for (const StandardValue& row : standard_of(*model, view))
        if (const Dependence found = dependence_of(*model, row, saturated); found.times)
            json[qualified_name(row)] = bound_json(found.times, found.bound());
    return json;
}

nlohmann::ordered_json show_json(const PortView& view, const ShowOptions& options) {
    const Statistics& statistics = view.statistics;
    const auto values = values_of(view);
    // Names of counters differ: the members of their objects need no search.
    ordered_json::object_t totals;
    ordered_json::object_t counters;
    totals.reserve(values.size());
    for (std::uint32_t i = 0; i < values.size() && options.groups.empty(); i++) {
        const CounterInfo& counter = view.counters[i];
        if (!has_counter(view, CounterIndex(i)) ||
            !is_shown(values[i], bound_of(saturated_of(view), CounterIndex(i)), options))
            continue;
        totals.emplace_back(counter.name, values[i]);
        if (options.descriptions)
            counters.emplace_back(
                counter.name, ordered_json{
                                  {"unit", name_of(unit_names(), counter.unit)},
                                  {"description", counter.description}});
    }

    ordered_json json = {
        {"port", view.name},
        {"ifindex", statistics.ifindex.value()},
        {"model", statistics.model},
        {"time_ns", statistics.time_ns},
        {"generation", statistics.generation},
        {"state",
         {{"stale", statistics.stale},
          {"possible_loss", statistics.possible_loss},
          {"discontinuities", statistics.discontinuities}}},
        {"totals", std::move(totals)},
        {"standard", wanted_standard(view, options)},
    };
    if (statistics.stale && !view.stale_reason.empty())
        json["state"]["stale_reason"] = view.stale_reason;
    if (ordered_json at_least = wanted_at_least(at_least_json(view, saturated_of(view)), options);
        !at_least.empty())
        json["at_least"] = std::move(at_least);
    if (view.since) {
        json["since"] = difference_json(*view.since);
        json["since"]["tag"] = options.since;
    }
    if (view.rate) {
        json["rate"] = difference_json(*view.rate);
        json["rate"]["per_second"] = per_second_json(view, options);
        if (ordered_json bounds =
                wanted_at_least(at_least_json(view, view.rate->saturated), options);
            !bounds.empty())
            json["rate"]["at_least"] = std::move(bounds);
    }
    if (options.descriptions)
        json["counters"] = std::move(counters);
    return json;
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
    if (!options.groups.empty() && !same_model(view))
        text += fmt::format(
            "  this macstats does not have the model; `ethtool -S {} --groups {}` shows the "
            "groups\n",
            escaped(view.name), fmt::join(options.groups, " "));
    return text;
}

std::string show_text(const PortView& view, const ShowOptions& options) {
    return show_heading(view, options) + table_text(show_sections(view, options), view, options);
}

nlohmann::ordered_json integers_as_strings(nlohmann::ordered_json json) {
    if (json.is_number_integer())
        return json.dump();
    if (json.is_structured())
        for (auto& element : json)
            element = integers_as_strings(std::move(element));
    return json;
}

} // namespace macstats
