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

// One standard statistic of a port, or one size class of a histogram.
struct StandardRow {
    unsigned int id;
    std::uint64_t value;
    std::uint32_t low; // of a size class
    std::uint32_t high;
};

void add_histogram(
    std::vector<StandardRow>& rows, const macstats_model& model, unsigned int id,
    std::span<const std::uint64_t> totals, std::uint32_t max_frame) {
    std::array<macstats_bucket, MACSTATS_MAX_EDGES + 1> buckets{};
    const unsigned int found =
        macstats_histogram(&model, id, buckets.data(), static_cast<unsigned int>(buckets.size()));
    for (const auto& bucket :
         std::span(buckets).first(std::min<std::size_t>(found, buckets.size())))
        rows.push_back(
            {.id = id,
             .value = totals[bucket.counter],
             .low = bucket.low,
             .high = bucket.high ? bucket.high : std::max(max_frame, bucket.low)});
}

// All that the model gives, in the order of the groups.
std::vector<StandardRow> standard_rows(
    const macstats_model& model, const macstats_standard& standard,
    std::span<const std::uint64_t> totals, std::uint32_t max_frame) {
    std::vector<StandardRow> rows;
    if (totals.size() < model.n_counters)
        return rows;
    for (unsigned int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT; id++) {
        if (macstats_is_histogram(id))
            add_histogram(rows, model, id, totals, max_frame);
        else if (standard.present[id])
            rows.push_back({.id = id, .value = standard.value[id], .low = 0, .high = 0});
    }
    return rows;
}

macstats_standard standard_of(const macstats_model& model, std::span<const std::uint64_t> totals) {
    const std::vector<__u64> values(totals.begin(), totals.end());
    macstats_standard standard{};
    if (values.size() >= model.n_counters)
        macstats_standard_update(&standard, &model, values.data());
    return standard;
}

// The maximum frame length that a reset leaves behind.
std::uint32_t max_frame_after_reset(const macstats_model& model) {
    const macstats_bit& bit = model.max_frame_rx;
    const int index = macstats_register_at(&model, bit.offset);
    if (!bit.mask || index < 0)
        return MACSTATS_FRAME_MAX;
    return (model.registers[index].reset & bit.mask) >> macstats_bit_shift(bit.mask);
}

std::uint32_t max_frame_of(const macstats_model& model, const Statistics& statistics) {
    return statistics.max_frame.value_or(max_frame_after_reset(model));
}

std::uint32_t unit_of(unsigned int standard_id) {
    switch (standard_id) {
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

// "etherStatsJabbers", or "rx-pkts65to127" for a size class.
std::string row_name(const StandardRow& row) {
    std::string name(standard_name(row.id).name);
    if (macstats_is_histogram(row.id))
        name.replace(name.find("NtoM"), 4, fmt::format("{}to{}", row.low, row.high));
    return name;
}

// What is shown: totals, or what was counted since a tag.
std::span<const std::uint64_t> values_of(const PortView& view) {
    const auto& values = view.since ? view.since->values : view.statistics.values;
    return std::span(values).first(std::min(values.size(), view.counters.size()));
}

bool is_wanted(const ShowOptions& options, std::string_view group) {
    return options.groups.empty() ||
           std::find(options.groups.begin(), options.groups.end(), group) != options.groups.end();
}

// A line of text.
struct Line {
    std::string name;
    std::uint64_t value;
    std::uint32_t unit;
    std::optional<double> per_second;
    std::string description;
};

struct Section {
    std::string title;
    std::vector<Line> lines;
};

Section total_lines(const PortView& view) {
    Section section;
    const auto values = values_of(view);
    for (std::size_t i = 0; i < values.size(); i++) {
        const CounterInfo& counter = view.counters[i];
        section.lines.push_back(
            {.name = counter.name,
             .value = values[i],
             .unit = counter.unit,
             .per_second = view.rate ? view.rate->per_second(i) : std::nullopt,
             .description = counter.description});
    }
    return section;
}

// Standard statistics are sums of totals, so their differences are sums of the
// totals' differences.
std::vector<std::optional<double>>
standard_rates(const macstats_model& model, const PortView& view, std::size_t rows) {
    std::vector<std::optional<double>> rates(rows);
    if (!view.rate || !view.rate->per_second(0))
        return rates;
    const auto& values = view.rate->values;
    const auto counted = standard_rows(model, standard_of(model, values), values, 0);
    for (std::size_t i = 0; i < rows && i < counted.size(); i++)
        rates[i] = static_cast<double>(counted[i].value) / view.rate->seconds;
    return rates;
}

std::vector<Section> standard_lines(const PortView& view, const ShowOptions& options) {
    std::vector<Section> sections;
    const macstats_model* model = same_model(view);
    if (!model)
        return sections;
    const auto values = values_of(view);
    const auto rows = standard_rows(
        *model, standard_of(*model, values), values, max_frame_of(*model, view.statistics));
    const auto rates = standard_rates(*model, view, rows.size());
    for (std::size_t i = 0; i < rows.size(); i++) {
        const std::string_view group = standard_name(rows[i].id).group;
        if (!is_wanted(options, group))
            continue;
        if (sections.empty() || sections.back().title != group)
            sections.push_back({.title = std::string(group), .lines = {}});
        sections.back().lines.push_back(
            {.name = row_name(rows[i]),
             .value = rows[i].value,
             .unit = unit_of(rows[i].id),
             .per_second = rates[i],
             .description = {}});
    }
    return sections;
}

std::string rate_of(const Line& line) {
    return line.per_second ? rate_text(*line.per_second, line.unit) : "-";
}

std::string
table_text(std::vector<Section> sections, const PortView& view, const ShowOptions& options) {
    std::size_t name_width = 0;
    std::size_t value_width = 0;
    std::size_t unit_width = 0;
    std::size_t rate_width = 0;
    const auto name_of_unit = [](const Line& line) { return name_of(unit_names(), line.unit); };
    for (const Section& section : sections)
        for (const Line& line : section.lines) {
            name_width = std::max(name_width, line.name.size());
            value_width = std::max(value_width, fmt::formatted_size("{}", line.value));
            unit_width = std::max(unit_width, name_of_unit(line).size());
            rate_width = std::max(rate_width, rate_of(line).size());
        }

    std::string text;
    for (const Section& section : sections) {
        const std::string_view indent = section.title.empty() ? "  " : "    ";
        std::string rows;
        for (const Line& line : section.lines) {
            if (!line.value && options.nonzero)
                continue;
            std::string row = fmt::format(
                "{}{:<{}}  {:>{}} {:<{}}", indent, line.name, name_width, line.value, value_width,
                name_of_unit(line), unit_width);
            if (view.rate)
                row += fmt::format("  {:>{}}", rate_of(line), rate_width);
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
        text = fmt::format(", not since \"{}\" but since it began anew", tag);
    if (since.seconds > 0)
        text += fmt::format(" ({:.3f} s)", since.seconds);
    if (!since.reason.empty())
        text += fmt::format(": {}", since.reason);
    if (since.continuity == Continuity::discontinuity)
        text += ", so these are the least that was counted";
    return text;
}

// What has to be known of rates that are not the whole truth.
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

ordered_json difference_json(const Difference& difference) {
    return {
        {"continuity", continuity_name(difference.continuity)},
        {"reason", difference.reason.empty() ? ordered_json() : ordered_json(difference.reason)},
        {"seconds", difference.seconds},
    };
}

ordered_json per_second_json(const PortView& view) {
    ordered_json json = ordered_json::object();
    for (std::size_t i = 0; i < view.counters.size() && i < view.rate->values.size(); i++) {
        const auto rate = view.rate->per_second(i);
        json[view.counters[i].name] = rate ? ordered_json(*rate) : ordered_json();
    }
    return json;
}

} // namespace

std::vector<std::string> standard_groups() {
    std::vector<std::string> groups;
    for (unsigned int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT; id++)
        if (const auto group = standard_name(id).group; groups.empty() || groups.back() != group)
            groups.emplace_back(group);
    return groups;
}

nlohmann::ordered_json standard_json(
    const macstats_model& model, const macstats_standard& standard,
    std::span<const std::uint64_t> totals, std::uint32_t max_frame) {
    ordered_json groups = ordered_json::object();
    for (const StandardRow& row : standard_rows(model, standard, totals, max_frame)) {
        const StandardName name = standard_name(row.id);
        ordered_json& statistic = groups[std::string(name.group)][std::string(name.name)];
        if (macstats_is_histogram(row.id))
            statistic.push_back({{"low", row.low}, {"high", row.high}, {"val", row.value}});
        else
            statistic = row.value;
    }
    return groups;
}

nlohmann::ordered_json standard_json(
    const macstats_model& model, std::span<const std::uint64_t> totals,
    std::optional<std::uint32_t> max_frame) {
    return standard_json(
        model, standard_of(model, totals), totals,
        max_frame.value_or(max_frame_after_reset(model)));
}

nlohmann::ordered_json show_json(const PortView& view, const ShowOptions& options) {
    const Statistics& statistics = view.statistics;
    const auto values = values_of(view);
    ordered_json totals = ordered_json::object();
    ordered_json counters = ordered_json::object();
    for (std::size_t i = 0; i < values.size() && options.groups.empty(); i++) {
        const CounterInfo& counter = view.counters[i];
        if (!values[i] && options.nonzero)
            continue;
        totals[counter.name] = values[i];
        counters[counter.name] = {
            {"unit", name_of(unit_names(), counter.unit)}, {"description", counter.description}};
    }

    ordered_json standard = ordered_json::object();
    if (const macstats_model* model = same_model(view))
        standard = standard_json(*model, values, max_frame_of(*model, statistics));
    for (const std::string& group : standard_groups())
        if (!is_wanted(options, group))
            standard.erase(group);

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
        {"totals", std::move(totals)},
        {"standard", std::move(standard)},
    };
    if (view.since) {
        json["since"] = difference_json(*view.since);
        json["since"]["tag"] = options.since;
    }
    if (view.rate) {
        json["rate"] = difference_json(*view.rate);
        json["rate"]["per_second"] = per_second_json(view);
    }
    if (options.descriptions)
        json["counters"] = std::move(counters);
    return json;
}

std::string show_text(const PortView& view, const ShowOptions& options) {
    std::string text =
        fmt::format("{}: {}, {}", view.name, view.statistics.model, state_text(view));
    if (view.since)
        text += since_text(*view.since, options.since);
    if (view.rate)
        text += rate_state_text(*view.rate);
    auto sections =
        options.groups.empty() ? std::vector{total_lines(view)} : standard_lines(view, options);
    return text + "\n" + table_text(std::move(sections), view, options);
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
