// SPDX-License-Identifier: GPL-2.0 OR MIT
// Tags as JSON.
#include "present/tag.hpp"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <limits>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

// The version of the files. Others are rejected.
constexpr int version = 1;

std::string name_of_standard(std::uint32_t id) {
    return fmt::format("{}-{}", standard_name(id).group, standard_name(id).name);
}

ordered_json standard_json(const TaggedPort& port) {
    ordered_json json = ordered_json::object();
    for (const auto& [name, total] : port.standard) {
        ordered_json& member = json[name] = {{"value", total.value}};
        if (total.times)
            member["times"] = total.times;
        if (total.stale)
            member["stale"] = true;
    }
    return json;
}

ordered_json port_json(const TaggedPort& port) {
    const Statistics& statistics = port.statistics;
    return {
        {"port", port.name},
        {"ifindex", statistics.ifindex.value()},
        {"model", statistics.model},
        {"start_ns", or_null(statistics.start_ns)},
        {"time_ns", statistics.time_ns},
        {"generation", statistics.generation},
        {"discontinuities", statistics.discontinuities},
        {"discontinuity_ns", or_null(statistics.discontinuity_ns)},
        {"possible_loss", statistics.possible_loss},
        {"totals", port.totals},
        {"saturated", port.saturated},
        {"standard", standard_json(port)},
    };
}

// A number as port_json() writes it. Throws nlohmann::json::exception, as do all functions below:
// the conversions of nlohmann::json accept fractions and numbers that do not fit.
template <class T>
T whole_number(const ordered_json& value) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<T>::max())
        throw ordered_json::type_error::create(
            302, fmt::format("no whole number up to {}", std::numeric_limits<T>::max()), &value);
    return value.get<T>();
}

std::map<std::string, std::uint64_t> numbers_by_name(const ordered_json& json) {
    std::map<std::string, std::uint64_t> numbers;
    for (const auto& [name, value] : json.get_ref<const ordered_json::object_t&>())
        numbers.emplace(name, whole_number<std::uint64_t>(value));
    return numbers;
}

std::map<std::string, StandardValue> standard_from(const ordered_json& json) {
    std::map<std::string, StandardValue> standard;
    for (const auto& [name, member] : json.get_ref<const ordered_json::object_t&>()) {
        const auto times = member.find("times");
        const auto stale = member.find("stale");
        standard[name] = {
            .value = whole_number<std::uint64_t>(member.at("value")),
            .times = times == member.end() ? 0 : whole_number<std::uint64_t>(*times),
            .stale = stale != member.end() && stale->get<bool>()};
    }
    return standard;
}

TaggedPort port_of(const ordered_json& json) {
    const auto optional = [&json](const char* name) -> std::optional<std::uint64_t> {
        const auto& value = json.at(name);
        return value.is_null() ? std::nullopt : std::optional(whole_number<std::uint64_t>(value));
    };
    TaggedPort port;
    port.name = from_json_string(json.at("port").get<std::string>());
    port.statistics.ifindex = IfIndex(whole_number<std::uint32_t>(json.at("ifindex")));
    port.statistics.model = json.at("model").get<std::string>();
    port.statistics.start_ns = optional("start_ns");
    port.statistics.time_ns = whole_number<std::uint64_t>(json.at("time_ns"));
    port.statistics.generation = whole_number<std::uint64_t>(json.at("generation"));
    port.statistics.discontinuities = whole_number<std::uint32_t>(json.at("discontinuities"));
    port.statistics.discontinuity_ns = optional("discontinuity_ns");
    port.totals = numbers_by_name(json.at("totals"));
    port.statistics.possible_loss = json.at("possible_loss").get<bool>();
    port.saturated = numbers_by_name(json.at("saturated"));
    port.standard = standard_from(json.at("standard"));
    return port;
}

Tag tag_of(const std::string& name, const ordered_json& json) {
    Tag tag{
        .name = name,
        .saved = json.at("saved").get<std::string>(),
        .boot_id = json.at("boot_id").get<std::string>(),
        .ports = {}};
    for (const auto& port : json.at("ports"))
        tag.ports.push_back(port_of(port));
    return tag;
}

// The port's statistics with the values in the order of the counters of @view; not set if
// the port had other counters.
std::optional<Statistics> in_order(const TaggedPort& port, const PortView& view) {
    Statistics statistics = port.statistics;
    for (const StandardValue& total : view.statistics.standard)
        if (const auto found = port.standard.find(name_of_standard(total.id));
            found != port.standard.end()) {
            statistics.standard.push_back(found->second);
            statistics.standard.back().id = total.id;
        }
    if (view.statistics.values.empty())
        return statistics;
    for (std::uint32_t i = 0; i < view.infos.size(); i++) {
        const std::string& name = view.infos[i].name;
        const auto total = port.totals.find(name);
        const bool missing = is_absent(view.statistics.absent, CounterIndex(i));
        if (missing != (total == port.totals.end()))
            return std::nullopt;
        if (missing) {
            statistics.values.push_back(
                i < view.statistics.values.size() ? view.statistics.values[i] : 0);
            statistics.absent.emplace_back(i);
            continue;
        }
        if (const auto times = port.saturated.find(name); times != port.saturated.end())
            statistics.saturated.push_back(
                {.counter = CounterIndex(i), .times = times->second, .time_ns = 0});
        statistics.values.push_back(total->second);
    }
    return statistics;
}

// A port that was never read has the time of its registration.
bool started_after(const PortView& view, const Tag& tag) {
    return std::all_of(tag.ports.begin(), tag.ports.end(), [&view](const TaggedPort& port) {
        return view.statistics.start_ns.value_or(view.statistics.time_ns) > port.statistics.time_ns;
    });
}

const TaggedPort* find_port(const Tag& tag, const PortView& view) {
    const auto called = [&view](const TaggedPort& port) { return port.name == view.name; };
    const auto same = [&view, called](const TaggedPort& port) {
        return port.statistics.start_ns == view.statistics.start_ns &&
               (port.statistics.ifindex == view.statistics.ifindex || called(port));
    };
    auto found = std::find_if(tag.ports.begin(), tag.ports.end(), same);
    // Another port of this name was added again, if it was not there yet.
    if (found == tag.ports.end() && started_after(view, tag))
        found = std::find_if(tag.ports.begin(), tag.ports.end(), called);
    return found == tag.ports.end() ? nullptr : &*found;
}

Difference difference_from(const TaggedPort& port, const PortView& view) {
    const auto before = in_order(port, view);
    if (!before)
        return since_start(view.statistics, "the model has other counters now");
    return difference(*before, view.statistics);
}

} // namespace

Tag make_tag(std::string name, std::string boot, std::span<const PortStatistics> ports) {
    Tag tag{
        .name = std::move(name),
        .saved = fmt::format("{:%FT%TZ}", fmt::gmtime(std::time(nullptr))),
        .boot_id = std::move(boot),
        .ports = {}};
    for (const PortStatistics& one : ports) {
        TaggedPort port{
            .name = one.name,
            .statistics = one.statistics,
            .totals = {},
            .saturated = {},
            .standard = {}};
        for (const CounterValue& counter : one.counters()) {
            if (counter.value)
                port.totals.emplace(counter.name(), *counter.value);
            if (counter.times)
                port.saturated.emplace(counter.name(), counter.times);
        }
        for (const StandardValue& total : one.statistics.standard)
            port.standard.emplace(name_of_standard(total.id), total);
        port.statistics.values.clear();
        port.statistics.saturated.clear();
        port.statistics.absent.clear();
        port.statistics.standard.clear();
        tag.ports.push_back(std::move(port));
    }
    return tag;
}

std::vector<std::string>
add_since(std::vector<PortView>& views, const Tag& tag, const std::string& boot) {
    std::vector<std::string> missing;
    for (PortView& view : views) {
        const TaggedPort* port = find_port(tag, view);
        if (port && tag.boot_id == boot)
            view.since = difference_from(*port, view);
        else if (tag.boot_id != boot)
            view.since = since_start(view.statistics, "the system was booted in between");
        else if (started_after(view, tag))
            view.since = since_start(view.statistics, "the port was added after it");
        else
            missing.push_back(view.name);
    }
    return missing;
}

std::string tag_text(const Tag& tag) {
    ordered_json ports = ordered_json::array();
    for (const TaggedPort& port : tag.ports)
        ports.push_back(port_json(port));
    const ordered_json json = {
        {"macstats_tag", version},
        {"saved", tag.saved},
        {"boot_id", tag.boot_id},
        {"ports", std::move(ports)},
    };
    return json_text(json, 1) + "\n";
}

Result<Tag> parse_tag(const std::string& name, std::string_view text) {
    const auto broken = [](std::string_view why) {
        return Error{EBADMSG, fmt::format("is not a tag: {}", why)};
    };
    try {
        const ordered_json json = ordered_json::parse(text);
        if (json.at("macstats_tag") != version)
            return broken(fmt::format(
                "its version is {}, only {} is known", json.at("macstats_tag").dump(), version));
        return tag_of(name, json);
    } catch (const ordered_json::exception& exception) {
        return broken(exception.what());
    }
}

} // namespace macstats
