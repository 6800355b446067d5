// SPDX-License-Identifier: GPL-2.0 OR MIT
// Standard statistics with their buckets and names.
#include "libmacstats/core/statistics.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <macstats/standard.h>

#include "libmacstats/core/difference.hpp"
#include "libmacstats/core/names.hpp"

namespace macstats {

std::string_view bound_name(Bound bound) {
    constexpr std::string_view names[] = {"exact", "at_least", "at_most", "unknown"};
    return names[static_cast<std::size_t>(bound)];
}

std::vector<StandardValue> standard_values(
    std::span<const StandardTotal> standard, std::span<const Bucket> buckets,
    std::span<const std::uint64_t> totals, std::span<const CounterIndex> absent,
    std::span<const Saturation> saturated) {
    std::vector<StandardValue> rows;
    rows.reserve(standard.size() + buckets.size());
    for (const StandardTotal& total : standard)
        rows.push_back(
            {.id = static_cast<macstats_standard_id>(total.id),
             .value = total.value,
             .bound = total.bound,
             .times = total.times,
             .stale = total.stale});
    for (const Bucket& bucket : buckets) {
        if (bucket.counter.value() >= totals.size() || is_absent(absent, bucket.counter))
            continue;
        const std::uint64_t times = times_of(saturated, bucket.counter);
        rows.push_back(
            {.id = bucket.id,
             .value = totals[bucket.counter.value()],
             .low = bucket.low,
             .high = bucket.high,
             .counter = bucket.counter,
             .bound = times ? Bound::at_least : Bound::exact,
             .times = times});
    }
    std::stable_sort(
        rows.begin(), rows.end(),
        [](const StandardValue& one, const StandardValue& other) { return one.id < other.id; });
    return rows;
}

std::vector<StandardStatistic> standard_statistics(std::span<const StandardValue> values) {
    std::vector<StandardStatistic> statistics;
    for (const StandardValue& value : values) {
        const StandardName name = standard_name(value.id);
        StandardStatistic& statistic = statistics.emplace_back(StandardStatistic{
            .group = std::string(name.group),
            .name = std::string(name.name),
            .value = value.value});
        if (macstats_is_histogram(value.id)) {
            statistic.low = value.low;
            statistic.high = value.high;
        }
    }
    return statistics;
}

std::string_view StandardValue::group() const {
    return standard_name(id).group;
}

std::string StandardValue::name() const {
    std::string name(standard_name(id).name);
    if (macstats_is_histogram(id))
        name.replace(name.find("NtoM"), 4, fmt::format("{}to{}", low, high));
    return name;
}

} // namespace macstats
