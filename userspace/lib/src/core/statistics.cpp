// SPDX-License-Identifier: GPL-2.0 OR MIT
// Standard statistics with their buckets and names.
#include "libmacstats/core/statistics.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <macstats/standard.h>

#include "libmacstats/core/difference.hpp"
#include "libmacstats/core/names.hpp"

namespace macstats {

std::string_view bound_name(Bound bound) {
    constexpr auto names =
        std::to_array<std::string_view>({"exact", "at_least", "at_most", "unknown"});
    return names.at(static_cast<std::size_t>(bound));
}

Bound combined(Bound first, Bound second) {
    if (first == Bound::exact || first == second)
        return second;
    return second == Bound::exact ? first : Bound::unknown;
}

bool is_absent(std::span<const CounterIndex> absent, CounterIndex counter) {
    return std::binary_search(absent.begin(), absent.end(), counter);
}

std::vector<StandardValue> standard_values(
    std::span<const StandardValue> standard, std::span<const Bucket> buckets,
    std::span<const std::uint64_t> totals, std::span<const CounterIndex> absent,
    std::span<const Saturation> saturated) {
    std::vector<StandardValue> rows(standard.begin(), standard.end());
    rows.reserve(standard.size() + buckets.size());
    for (const Bucket& bucket : buckets) {
        const bool known =
            std::all_of(bucket.counters.begin(), bucket.counters.end(), [&](CounterIndex counter) {
                return counter.value() < totals.size() && !is_absent(absent, counter);
            });
        if (!known)
            continue;
        StandardValue row{
            .id = bucket.id, .low = bucket.low, .high = bucket.high, .counters = bucket.counters};
        for (const CounterIndex counter : bucket.counters) {
            row.value += totals[counter.value()];
            row.times += times_of(saturated, counter);
        }
        row.bound = row.times ? Bound::at_least : Bound::exact;
        rows.push_back(std::move(row));
    }
    std::stable_sort(
        rows.begin(), rows.end(),
        [](const StandardValue& one, const StandardValue& other) { return one.id < other.id; });
    return rows;
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
