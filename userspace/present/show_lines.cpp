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
                                     : Bound::exact,
             .is_error = is_error_statistic(rows[i].id)});
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

Bound Dependence::bound() const {
    if (adds && takes_off)
        return Bound::unknown;
    return adds ? Bound::at_least : takes_off ? Bound::at_most : Bound::exact;
}

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

std::vector<Section> show_sections(const PortView& view, const ShowOptions& options) {
    if (options.groups.empty())
        return {total_lines(view)};
    return standard_lines(view, options);
}

std::string value_text(const CounterLine& line, bool unicode) {
    return fmt::format("{}{}", bound_mark(line.bound, unicode), line.value);
}

} // namespace macstats
