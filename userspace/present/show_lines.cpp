// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/show_lines.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <macstats/standard.h>

#include "libmacstats/core/names.hpp"
#include "present/error_counters.hpp"

namespace macstats {

namespace {

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

const StandardValue* same_row(std::span<const StandardValue> rows, const StandardValue& row) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&row](const StandardValue& one) {
        return one.id == row.id && one.counter == row.counter;
    });
    return found == rows.end() ? nullptr : &*found;
}

Section total_lines(const PortView& view) {
    const macstats_model* model = same_model(view);
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
             .rate_bound = view.rate ? bound_of(view.rate->saturated, index) : Bound::exact,
             .is_error = model && counts_errors(*model, model->counters[i])});
    }
    return section;
}

std::vector<Section> standard_lines(const PortView& view, const ShowOptions& options) {
    std::vector<Section> sections;
    const auto rates = standard_rates(view);
    for (const StandardValue& row : standard_of(view)) {
        const std::string_view group = standard_name(row.id).group;
        const StandardValue* counted = same_row(rates, row);
        if (!is_wanted(options, group))
            continue;
        if (sections.empty() || sections.back().title != group)
            sections.push_back({.title = std::string(group), .lines = {}});
        sections.back().lines.push_back(
            {.name = standard_label(row),
             .value = row.value,
             .unit = unit_of(row.id),
             .per_second = rate_of(view, rates, row),
             .description = {},
             .bound = row.bound,
             .rate_bound = counted ? counted->bound : Bound::exact,
             .is_error = is_error_statistic(row.id)});
    }
    return sections;
}

} // namespace

std::span<const std::uint64_t> values_of(const PortView& view) {
    const auto& values = view.since ? view.since->values : view.statistics.values;
    return std::span(values).first(std::min(values.size(), view.counters.size()));
}

std::span<const Saturation> saturated_of(const PortView& view) {
    return view.since ? view.since->saturated : view.statistics.saturated;
}

Bound bound_of(std::span<const Saturation> saturated, CounterIndex counter) {
    return times_of(saturated, counter) ? Bound::at_least : Bound::exact;
}

bool is_wanted(const ShowOptions& options, std::string_view group) {
    return options.groups.empty() ||
           std::find(options.groups.begin(), options.groups.end(), group) != options.groups.end();
}

bool is_shown(std::uint64_t value, Bound bound, const ShowOptions& options) {
    return !options.nonzero || value || bound != Bound::exact;
}

std::vector<StandardValue> standard_of(const PortView& view) {
    if (view.statistics.without_standard)
        return {};
    return standard_values(
        view.since ? view.since->standard : view.statistics.standard, buckets_of(view.counters),
        values_of(view), view.statistics.absent, saturated_of(view));
}

std::string qualified_name(const StandardValue& row) {
    return fmt::format("{}-{}", standard_name(row.id).group, standard_label(row));
}

std::vector<StandardValue> standard_rates(const PortView& view) {
    if (!view.rate || !view.rate->has_rates() || view.statistics.without_standard)
        return {};
    return standard_values(
        view.rate->standard, buckets_of(view.counters), view.rate->values, view.rate->absent,
        view.rate->saturated);
}

std::optional<double>
rate_of(const PortView& view, std::span<const StandardValue> rates, const StandardValue& row) {
    const StandardValue* counted = same_row(rates, row);
    if (!counted)
        return std::nullopt;
    return static_cast<double>(counted->value) / view.rate->seconds;
}

std::vector<Section> show_sections(const PortView& view, const ShowOptions& options) {
    if (options.groups.empty())
        return {total_lines(view)};
    return standard_lines(view, options);
}

std::string value_text(const CounterLine& line, bool unicode) {
    return fmt::format("{}{}", bound_mark(line.bound, unicode), line.value);
}

} // namespace macstats
