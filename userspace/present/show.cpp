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
#include "present/table.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

macstats_unit unit_of(macstats_standard_id statistic) {
    switch (statistic) {
    case MACSTATS_STD_OCTETS_TRANSMITTED_OK:
    case MACSTATS_STD_OCTETS_RECEIVED_OK:
    case MACSTATS_STD_RTNL_RX_BYTES:
    case MACSTATS_STD_RTNL_TX_BYTES:
        return MACSTATS_OCTETS;
    case MACSTATS_STD_RTNL_COLLISIONS:
        return MACSTATS_COLLISIONS;
    default:
        return MACSTATS_FRAMES;
    }
}

// The values to show: totals, or the counts since a tag.
std::span<const std::uint64_t> values_of(const PortView& view) {
    const auto& values = view.since ? view.since->values : view.statistics.values;
    return std::span(values).first(std::min(values.size(), view.counters.size()));
}

// The values of these that are lower bounds.
std::span<const Saturation> saturated_of(const PortView& view) {
    return view.since ? view.since->saturated : view.statistics.saturated;
}

// A member of "at_least"; "bound" for a statistic that is not a lower bound.
ordered_json bound_json(std::uint64_t times, Bound bound) {
    ordered_json json = {{"times", times}};
    if (bound == Bound::at_most)
        json["bound"] = "at_most";
    if (bound == Bound::unknown)
        json["bound"] = "unknown";
    return json;
}

// A sum that contains saturated counters.
struct Dependence {
    std::uint64_t times = 0; // of all of them
    bool adds = false;
    bool takes_off = false;

    [[nodiscard]] Bound bound() const {
        if (adds && takes_off)
            return Bound::unknown;
        return adds ? Bound::at_least : takes_off ? Bound::at_most : Bound::exact;
    }
};

Dependence dependence_of(
    const macstats_model& model, const StandardValue& row, std::span<const Saturation> saturated) {
    Dependence found;
    for (const Saturation& one : saturated) {
        const std::uint32_t index = one.counter.value();
        if (index >= model.n_counters || (row.counter && *row.counter != one.counter))
            continue;
        for (const macstats_term& term : model.counters[index].standard) {
            if (term.id != row.id || !term.factor)
                continue;
            found.times += one.times;
            (term.factor > 0 ? found.adds : found.takes_off) = true;
        }
    }
    return found;
}

bool is_wanted(const ShowOptions& options, std::string_view group) {
    return options.groups.empty() ||
           std::find(options.groups.begin(), options.groups.end(), group) != options.groups.end();
}

// Does "nonzero" let a total through? A bound is worth showing even if it is 0.
bool is_shown(std::uint64_t value, Bound bound, const ShowOptions& options) {
    return !options.nonzero || value || bound != Bound::exact;
}

// A line of text.
struct CounterLine {
    std::string name;
    std::uint64_t value;
    std::optional<macstats_unit> unit;
    std::optional<double> per_second;
    std::string description;
    Bound bound = Bound::exact;      // of the value
    Bound rate_bound = Bound::exact; // of the rate
};

struct Section {
    std::string title;
    std::vector<CounterLine> lines;
};

Bound bound_of(std::span<const Saturation> saturated, CounterIndex counter) {
    return times_of(saturated, counter) ? Bound::at_least : Bound::exact;
}

Section total_lines(const PortView& view) {
    Section section;
    const auto values = values_of(view);
    for (std::uint32_t i = 0; i < values.size(); i++) {
        const CounterIndex index(i);
        const CounterInfo& counter = view.counters[i];
        if (!has_counter(view, index))
            continue;
        section.lines.push_back(
            {.name = counter.name,
             .value = values[i],
             .unit = counter.unit,
             .per_second = view.rate ? view.rate->per_second(index) : std::nullopt,
             .description = counter.description,
             .bound = bound_of(saturated_of(view), index),
             .rate_bound = view.rate ? bound_of(view.rate->saturated, index) : Bound::exact});
    }
    return section;
}

// Standard statistics are sums of totals, so their differences are sums of the
// totals' differences.
std::vector<std::optional<double>>
standard_rates(const macstats_model& model, const PortView& view, std::size_t rows) {
    std::vector<std::optional<double>> rates(rows);
    if (!view.rate || !view.rate->has_rates())
        return rates;
    const auto& values = view.rate->values;
    const auto counted = standard_values(model, values, 0, view.rate->absent);
    for (std::size_t i = 0; i < rows && i < counted.size(); i++)
        rates[i] = static_cast<double>(counted[i].value) / view.rate->seconds;
    return rates;
}

std::vector<StandardValue> standard_of(const macstats_model& model, const PortView& view) {
    return standard_values(
        model, values_of(view), view.statistics.max_frame, view.statistics.absent);
}

std::vector<Section> standard_lines(const PortView& view, const ShowOptions& options) {
    std::vector<Section> sections;
    const macstats_model* model = same_model(view);
    if (!model)
        return sections;
    const auto rows = standard_of(*model, view);
    const auto rates = standard_rates(*model, view, rows.size());
    for (std::size_t i = 0; i < rows.size(); i++) {
        const std::string_view group = standard_name(rows[i].id).group;
        if (!is_wanted(options, group))
            continue;
        if (sections.empty() || sections.back().title != group)
            sections.push_back({.title = std::string(group), .lines = {}});
        sections.back().lines.push_back(
            {.name = standard_label(rows[i]),
             .value = rows[i].value,
             .unit = unit_of(rows[i].id),
             .per_second = rates[i],
             .description = {},
             .bound = dependence_of(*model, rows[i], saturated_of(view)).bound(),
             .rate_bound = view.rate ? dependence_of(*model, rows[i], view.rate->saturated).bound()
                                     : Bound::exact});
    }
    return sections;
}

std::string value_of(const CounterLine& line, bool unicode) {
    return fmt::format("{}{}", bound_mark(line.bound, unicode), line.value);
}

std::string rate_of(const CounterLine& line, bool unicode) {
    if (!line.per_second)
        return "-";
    return fmt::format(
        "{}{}", bound_mark(line.rate_bound, unicode), rate_text(*line.per_second, line.unit));
}

// Right-aligned; characters of UTF-8 take one cell each.
std::string aligned(const std::string& text, std::size_t width) {
    const std::size_t cells = cells_of(text);
    return std::string(cells < width ? width - cells : 0, ' ') + text;
}

std::string
table_text(std::vector<Section> sections, const PortView& view, const ShowOptions& options) {
    std::size_t name_width = 0;
    std::size_t value_width = 0;
    std::size_t unit_width = 0;
    std::size_t rate_width = 0;
    const auto name_of_unit = [](const CounterLine& line) {
        return name_of(unit_names(), line.unit);
    };
    for (const Section& section : sections)
        for (const CounterLine& line : section.lines) {
            name_width = std::max(name_width, line.name.size());
            value_width = std::max(value_width, cells_of(value_of(line, options.unicode)));
            unit_width = std::max(unit_width, name_of_unit(line).size());
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
                aligned(value_of(line, options.unicode), value_width), name_of_unit(line),
                unit_width);
            if (view.rate)
                row += "  " + aligned(rate_of(line, options.unicode), rate_width);
            if (options.descriptions)
                row += fmt::format("  {}", line.description);
            row.erase(row.find_last_not_of(' ') + 1);
            rows += row + "\n";
        }
        if (!section.title.empty() && !rows.empty())
            text += fmt::format("  {}\n", section.title);
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

std::string state_text(const PortView& view) {
    const Statistics& statistics = view.statistics;
    std::string text = statistics.stale ? "stale" : "fresh";
    if (!view.stale_reason.empty())
        text += fmt::format(" ({})", printable(view.stale_reason));
    if (statistics.possible_loss)
        text += ", possible loss";
    if (statistics.discontinuities)
        text += fmt::format(
            ", {} discontinuit{}", statistics.discontinuities,
            statistics.discontinuities == 1 ? "y" : "ies");
    if (const auto counters = saturated_of(view).size())
        text += fmt::format(", {} saturated counter{}", counters, counters == 1 ? "" : "s");
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

std::string show_text(const PortView& view, const ShowOptions& options) {
    std::string text =
        fmt::format("{}: {}, {}", escaped(view.name), view.statistics.model, state_text(view));
    if (view.since)
        text += since_text(*view.since, options.since);
    if (view.rate)
        text += rate_state_text(*view.rate);
    text += "\n";
    if (options.groups.empty())
        return text + table_text({total_lines(view)}, view, options);
    if (!same_model(view))
        text += fmt::format(
            "  this macstats does not have the model; `ethtool -S {} --groups {}` shows the "
            "groups\n",
            escaped(view.name), fmt::join(options.groups, " "));
    return text + table_text(standard_lines(view, options), view, options);
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
