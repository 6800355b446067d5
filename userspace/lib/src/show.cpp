// SPDX-License-Identifier: GPL-2.0 OR MIT
// Totals and standard statistics, written out for readers.
#include "libmacstats/show.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <macstats/standard.h>

#include "libmacstats/names.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

ordered_json histogram_json(
    const macstats_model& model, unsigned int id, std::span<const std::uint64_t> totals,
    std::uint32_t max_frame) {
    std::array<macstats_bucket, MACSTATS_MAX_EDGES + 1> buckets{};
    const unsigned int found =
        macstats_histogram(&model, id, buckets.data(), static_cast<unsigned int>(buckets.size()));

    ordered_json json = ordered_json::array();
    for (const auto& bucket :
         std::span(buckets).first(std::min<std::size_t>(found, buckets.size())))
        json.push_back({
            {"low", bucket.low},
            {"high", bucket.high ? bucket.high : std::max(max_frame, bucket.low)},
            {"val", totals[bucket.counter]},
        });
    return json;
}

// The maximum frame length that a reset leaves behind.
std::uint32_t max_frame_after_reset(const macstats_model& model) {
    const macstats_bit& bit = model.max_frame_rx;
    const int index = macstats_register_at(&model, bit.offset);
    if (!bit.mask || index < 0)
        return MACSTATS_FRAME_MAX;
    return (model.registers[index].reset & bit.mask) >> macstats_bit_shift(bit.mask);
}

// The model that this library has for a port, if it is the one of the kernel.
const macstats_model* same_model(const PortView& view) {
    const macstats_model* model = find_model(view.statistics.model);
    if (!model)
        return nullptr;
    const std::span rows(model->counters, model->n_counters);
    const bool same = std::equal(
        rows.begin(), rows.end(), view.counters.begin(), view.counters.end(),
        [](const macstats_counter& row, const CounterInfo& counter) {
            return row.name == counter.name;
        });
    return same ? model : nullptr;
}

std::string state_text(const PortView& view) {
    const Statistics& statistics = view.statistics;
    std::string text = statistics.stale ? "stale" : "fresh";
    if (!view.stale_reason.empty())
        text += fmt::format(" ({})", view.stale_reason);
    if (statistics.possible_loss)
        text += ", possible loss";
    if (statistics.discontinuities)
        text += fmt::format(
            ", {} discontinuit{}", statistics.discontinuities,
            statistics.discontinuities == 1 ? "y" : "ies");
    if (statistics.values.empty())
        text += ", built without counters";
    return text;
}

} // namespace

nlohmann::ordered_json standard_json(
    const macstats_model& model, const macstats_standard& standard,
    std::span<const std::uint64_t> totals, std::uint32_t max_frame) {
    ordered_json groups = ordered_json::object();
    if (totals.size() < model.n_counters)
        return groups;
    for (unsigned int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT; id++) {
        const StandardName name = standard_name(id);
        if (macstats_is_histogram(id)) {
            ordered_json histogram = histogram_json(model, id, totals, max_frame);
            if (!histogram.empty())
                groups[std::string(name.group)][std::string(name.name)] = std::move(histogram);
        } else if (standard.present[id]) {
            groups[std::string(name.group)][std::string(name.name)] = standard.value[id];
        }
    }
    return groups;
}

nlohmann::ordered_json
standard_json(const macstats_model& model, std::span<const std::uint64_t> totals) {
    if (totals.size() < model.n_counters)
        return ordered_json::object();
    const std::vector<__u64> values(totals.begin(), totals.end());
    macstats_standard standard{};
    macstats_standard_update(&standard, &model, values.data());
    return standard_json(model, standard, totals, max_frame_after_reset(model));
}

nlohmann::ordered_json show_json(const PortView& view, const ShowOptions& options) {
    const Statistics& statistics = view.statistics;
    ordered_json totals = ordered_json::object();
    for (std::size_t i = 0; i < statistics.values.size() && i < view.counters.size(); i++)
        if (statistics.values[i] || !options.nonzero)
            totals[view.counters[i].name] = statistics.values[i];

    ordered_json json = {
        {"port", view.name},
        {"ifindex", statistics.ifindex},
        {"model", statistics.model},
        {"time_ns", statistics.time_ns},
        {"generation", statistics.generation},
        {"state",
         {{"stale", statistics.stale},
          {"possible_loss", statistics.possible_loss},
          {"discontinuities", statistics.discontinuities}}},
    };
    if (statistics.values.empty())
        json["absent"] = true;
    if (!view.stale_reason.empty())
        json["stale_reason"] = view.stale_reason;
    json["totals"] = std::move(totals);
    const macstats_model* model = same_model(view);
    json["standard"] = model ? standard_json(*model, statistics.values) : ordered_json::object();
    return json;
}

std::string show_text(const PortView& view, const ShowOptions& options) {
    const Statistics& statistics = view.statistics;
    std::size_t name_width = 0;
    std::size_t value_width = 0;
    for (std::size_t i = 0; i < statistics.values.size() && i < view.counters.size(); i++) {
        name_width = std::max(name_width, view.counters[i].name.size());
        value_width = std::max(value_width, fmt::formatted_size("{}", statistics.values[i]));
    }

    std::string text = fmt::format("{}: {}, {}\n", view.name, statistics.model, state_text(view));
    for (std::size_t i = 0; i < statistics.values.size() && i < view.counters.size(); i++) {
        if (!statistics.values[i] && options.nonzero)
            continue;
        text += fmt::format(
            "  {:<{}}  {:>{}}", view.counters[i].name, name_width, statistics.values[i],
            value_width);
        if (options.descriptions)
            text += fmt::format("  {}", view.counters[i].description);
        text += "\n";
    }
    return text;
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
