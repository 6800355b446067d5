// SPDX-License-Identifier: GPL-2.0 OR MIT
// Standard statistics as sums of totals.
#include "libmacstats/device/standard.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/names.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

// The blocks of these counters.
std::uint32_t blocks_of(const macstats_model& model, std::span<const CounterIndex> counters) {
    std::uint32_t blocks = 0;
    for (const CounterIndex counter : counters)
        if (counter.value() < model.n_counters)
            blocks |= 1U << model.counters[counter.value()].block;
    return blocks;
}

void add_histogram(
    std::vector<StandardValue>& rows, const macstats_model& model, macstats_standard_id id,
    std::span<const std::uint64_t> totals, std::uint32_t max_frame, std::uint32_t absent_blocks) {
    std::array<macstats_bucket, MACSTATS_MAX_EDGES + 1> buckets{};
    const unsigned int found = macstats_histogram(
        &model, id, absent_blocks, buckets.data(), static_cast<unsigned int>(buckets.size()));
    for (const auto& bucket :
         std::span(buckets).first(std::min<std::size_t>(found, buckets.size())))
        rows.push_back(
            {.id = id,
             .value = totals[bucket.counter],
             .low = bucket.low,
             .high = bucket.high ? bucket.high : std::max(max_frame, bucket.low),
             .counter = CounterIndex(bucket.counter)});
}

macstats_standard standard_of(
    const macstats_model& model, std::span<const std::uint64_t> totals,
    std::span<const CounterIndex> absent) {
    const std::vector<__u64> values(totals.begin(), totals.end());
    macstats_standard standard{};
    if (values.size() >= model.n_counters)
        macstats_standard_update(&standard, &model, values.data(), blocks_of(model, absent));
    return standard;
}

// The larger of the maximum frame lengths after a reset.
std::uint32_t max_frame_after_reset(const macstats_model& model) {
    std::uint32_t longest = model.max_frame_rx.mask ? 0 : macstats_default_max_frame(&model);
    for (const macstats_bit& bit : {model.max_frame_rx, model.max_frame_tx})
        if (const int index = macstats_register_at(&model, bit.offset); bit.mask && index >= 0)
            longest = std::max(
                longest, (model.registers[index].reset & bit.mask) >> macstats_bit_shift(bit.mask));
    return longest;
}

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

std::vector<StandardValue> standard_values(
    const macstats_model& model, const macstats_standard& standard,
    std::span<const std::uint64_t> totals, std::uint32_t max_frame,
    std::span<const CounterIndex> absent) {
    std::vector<StandardValue> rows;
    if (totals.size() < model.n_counters)
        return rows;
    rows.reserve(MACSTATS_STD_COUNT);
    for (unsigned int i = MACSTATS_STD_NONE + 1; i < MACSTATS_STD_COUNT; i++) {
        const auto id = static_cast<macstats_standard_id>(i);
        if (macstats_is_histogram(id))
            add_histogram(rows, model, id, totals, max_frame, blocks_of(model, absent));
        else if (standard.present[id])
            rows.push_back(
                {.id = id, .value = standard.value[id], .low = 0, .high = 0, .counter = {}});
    }
    return rows;
}

std::vector<StandardValue> standard_values(
    const macstats_model& model, std::span<const std::uint64_t> totals,
    std::optional<std::uint32_t> max_frame, std::span<const CounterIndex> absent) {
    return standard_values(
        model, standard_of(model, totals, absent), totals,
        max_frame.value_or(max_frame_after_reset(model)), absent);
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

nlohmann::ordered_json standard_json(
    const macstats_model& model, const macstats_standard& standard,
    std::span<const std::uint64_t> totals, std::uint32_t max_frame,
    std::span<const CounterIndex> absent) {
    return standard_json(standard_values(model, standard, totals, max_frame, absent));
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

nlohmann::ordered_json standard_json(
    const macstats_model& model, std::span<const std::uint64_t> totals,
    std::optional<std::uint32_t> max_frame, std::span<const CounterIndex> absent) {
    return standard_json(
        model, standard_of(model, totals, absent), totals,
        max_frame.value_or(max_frame_after_reset(model)), absent);
}

} // namespace macstats
