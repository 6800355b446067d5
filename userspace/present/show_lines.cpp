// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/show_lines.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <macstats/standard.h>

#include "libmacstats/core/names.hpp"
#include "present/error_counters.hpp"

namespace macstats {

namespace {

StandardValue value_of(const CounterValue& counter) {
    return {
        .id = MACSTATS_STD_NONE,
        .value = *counter.value,
        .bound = counter.bound(),
        .times = counter.times};
}

// What the standard statistics counted in the time of PortView::rate, if that is known.
std::vector<StandardValue> standard_rates(const PortView& view) {
    if (!view.rate || !view.rate->has_rates())
        return {};
    return view.standard(*view.rate);
}

} // namespace

std::string ShownRow::qualified_name() const {
    return info ? info->name : fmt::format("{}-{}", value.group(), value.name());
}

std::optional<macstats_unit> ShownRow::unit() const {
    if (info)
        return info->unit;
    switch (macstats_standard_rows[value.id].counts) {
    case MACSTATS_COUNTS_OCTETS:
        return MACSTATS_OCTETS;
    case MACSTATS_COUNTS_COLLISIONS:
        return MACSTATS_COLLISIONS;
    default:
        return MACSTATS_FRAMES;
    }
}

bool ShownRow::counts_errors(const macstats_model* model) const {
    if (!info)
        return is_error_statistic(value.id);
    return model && macstats::counts_errors(*model, model->counters[index.value()]);
}

std::vector<ShownRow> shown_rows(const PortView& view, const ShowOptions& options) {
    const auto& groups = options.groups;
    auto counters = groups.empty() ? view.shown_counters() : std::vector<CounterValue>();
    auto standard = view.shown_standard();
    std::vector<ShownRow> rows;
    rows.reserve(counters.size() + standard.size());
    for (CounterValue& counter : counters) {
        if (!counter.value)
            continue;
        ShownRow& row =
            rows.emplace_back(ShownRow{std::move(counter.info), counter.index, value_of(counter)});
        if (!view.rate)
            continue;
        row.per_second = view.rate->per_second(counter.index);
        const auto times = times_of(view.rate->saturated, counter.index);
        row.counted = StandardValue{
            .id = MACSTATS_STD_NONE,
            .value = 0,
            .bound = times ? Bound::at_least : Bound::exact,
            .times = times};
    }
    const auto rates = standard_rates(view);
    for (StandardValue& value : standard) {
        if (!groups.empty() &&
            std::find(groups.begin(), groups.end(), value.group()) == groups.end())
            continue;
        ShownRow& row = rows.emplace_back(ShownRow{nullptr, {}, std::move(value)});
        const auto counted =
            std::find_if(rates.begin(), rates.end(), [&row](const StandardValue& one) {
                return one.id == row.value.id && one.counters == row.value.counters;
            });
        if (counted == rates.end())
            continue;
        row.counted = *counted;
        row.per_second = static_cast<double>(counted->value) / view.rate->seconds;
    }
    return rows;
}

std::vector<ShownRow> primary_rows(const PortView& view, const ShowOptions& options) {
    auto rows = shown_rows(view, options);
    std::erase_if(rows, [&options](const ShownRow& row) { return !row.is_primary(options); });
    return rows;
}

std::string value_text(const StandardValue& value, bool unicode) {
    return fmt::format("{}{}", bound_mark(value.bound, unicode), value.value);
}

} // namespace macstats
