// SPDX-License-Identifier: GPL-2.0 OR MIT
// Standard statistics: rows with their buckets, names and JSON.
#include "libmacstats/device/standard.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "device/standard_totals.hpp"
#include "libmacstats/core/difference.hpp"
#include "libmacstats/core/names.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

// The last member of an object, which it gets unless it has this name. Values come group by
// group: a search for the name, as by operator[], would grow with the square of their number.
ordered_json& last_member(ordered_json::object_t& object, std::string_view name) {
    constexpr std::size_t usual = 16;
    if (object.empty())
        object.reserve(usual);
    if (object.empty() || object.back().first != name)
        object.emplace_back(std::string(name), ordered_json());
    return object.back().second;
}

ordered_json& last_member(ordered_json& object, std::string_view name) {
    if (object.is_null())
        object = ordered_json::object();
    return last_member(object.get_ref<ordered_json::object_t&>(), name);
}

} // namespace

std::vector<StandardTotal>
standard_totals(const macstats_standard& standard, const macstats_accumulator& acc) {
    std::vector<__u64> saturated(acc.model->n_counters);
    for (std::size_t i = 0; i < saturated.size(); i++)
        saturated[i] = acc.counters[i].saturated;
    std::vector<StandardTotal> totals;
    for (unsigned int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT && !acc.absent; id++) {
        if (!standard.present[id])
            continue;
        __u64 times = 0;
        const macstats_standard_bound bound =
            macstats_bound_of(&standard, acc.model, saturated.data(), id, &times);
        totals.push_back(
            {.id = id,
             .value = standard.value[id],
             .bound = static_cast<Bound>(bound),
             .times = times,
             .stale = standard.stale[id]});
    }
    return totals;
}

std::vector<StandardTotal> standard_of_totals(
    const macstats_model& model, std::span<const std::uint64_t> totals,
    std::span<const Saturation> saturated, std::span<const CounterIndex> absent) {
    const auto acc = std::make_unique<macstats_accumulator>();
    macstats_standard standard{};
    acc->model = &model;
    acc->absent = totals.empty();
    for (std::size_t i = 0; i < totals.size(); i++) {
        acc->counters[i].total = totals[i];
        acc->counters[i].saturated = times_of(saturated, CounterIndex(static_cast<unsigned>(i)));
    }
    for (const CounterIndex counter : absent)
        macstats_add_row(&acc->absent_rows, counter.value());
    macstats_standard_update(&standard, acc.get());
    return standard_totals(standard, *acc);
}

std::vector<Bucket> buckets_of(const macstats_model& model) {
    std::vector<Bucket> buckets;
    for (const macstats_standard_id id : {MACSTATS_STD_HIST_RX, MACSTATS_STD_HIST_TX}) {
        std::array<macstats_bucket, MACSTATS_MAX_EDGES + 1> found{};
        const std::size_t n =
            macstats_histogram(&model, id, found.data(), static_cast<unsigned int>(found.size()));
        for (const auto& bucket : std::span(found).first(std::min(n, found.size())))
            buckets.push_back({id, CounterIndex(bucket.counter), bucket.low, bucket.high});
    }
    return buckets;
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

std::string standard_label(const StandardValue& row) {
    std::string name(standard_name(row.id).name);
    if (macstats_is_histogram(row.id))
        name.replace(name.find("NtoM"), 4, fmt::format("{}to{}", row.low, row.high));
    return name;
}

nlohmann::ordered_json standard_json(std::span<const StandardValue> values) {
    ordered_json json = ordered_json::object();
    auto& groups = json.get_ref<ordered_json::object_t&>();
    for (const StandardValue& row : values) {
        const StandardName name = standard_name(row.id);
        ordered_json& statistic = last_member(last_member(groups, name.group), name.name);
        if (macstats_is_histogram(row.id))
            statistic.push_back({{"low", row.low}, {"high", row.high}, {"val", row.value}});
        else
            statistic = row.value;
    }
    return json;
}

} // namespace macstats
