// SPDX-License-Identifier: GPL-2.0 OR MIT
// Writes events as text and as JSON.
#include "present/events.hpp"

#include <ctime>
#include <optional>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "libmacstats/core/escape.hpp"
#include "present/time.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

constexpr const char* threshold_name = "threshold";

// The local time of an event; "-" if the event has no time, or one that no clock can show.
std::string time_text(std::optional<std::uint64_t> time_ns, nanoseconds boot) {
    const auto since_boot = time_ns ? time_since_boot(*time_ns) : std::nullopt;
    if (!since_boot)
        return "-";
    const nanoseconds time = boot + *since_boot;
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    return fmt::format(
        "{:%F %T}.{:03}", fmt::localtime(static_cast<std::time_t>(seconds.count())),
        std::chrono::duration_cast<milliseconds>(time - seconds).count());
}

// "rx_fcs_errors was read at its maximum 2 times, ...", of the last read.
std::string saturated_text(const Event& event) {
    std::vector<std::string> parts;
    for (const Saturation& one : latest_of(event.port.saturated))
        parts.push_back(fmt::format(
            "{} was read at its maximum {} time{}", counter_text(event.infos, one.counter),
            one.times, one.times == 1 ? "" : "s"));
    return fmt::format("{}", fmt::join(parts, ", "));
}

// What the events of a port have in common. @state: a PortInfo or Statistics.
ordered_json port_event_json(
    std::string_view kind, std::optional<std::uint64_t> time_ns, const std::string& port,
    std::span<const CounterInfo> infos, const auto& state) {
    ordered_json json = {
        {"event", kind},
        {"time_ns", or_null(time_ns)},
        {"port", port},
        {"ifindex", state.ifindex.value()},
        {"model", state.model},
        {"state",
         {{"stale", state.stale},
          {"possible_loss", state.possible_loss},
          {"discontinuities", state.discontinuities}}}};
    for (const Saturation& one : state.saturated)
        json["at_least"][counter_text(infos, one.counter)] = {{"times", one.times}};
    return json;
}

std::string details(const Event& event) {
    switch (event.kind) {
    case EventKind::port_added:
        return fmt::format(
            "{}, ifindex {}", printable(event.port.model), event.port.ifindex.value());
    case EventKind::stale:
        return printable(event.port.stale_reason);
    case EventKind::saturated:
        return saturated_text(event);
    case EventKind::discontinuity:
        return fmt::format(
            "number {}{}", event.port.discontinuities,
            event.port.suspect
                ? fmt::format(
                      ", {} read {}", counter_text(event.infos, event.port.suspect->counter),
                      event.port.suspect->value)
                : "");
    case EventKind::parity_error:
        return fmt::format("number {}", event.port.parity_errors);
    case EventKind::lost:
        return "some events came faster than they could be read";
    case EventKind::modules_unloaded:
        return "no ports until the kernel modules are loaded again";
    case EventKind::modules_loaded:
        return "the kernel modules were loaded again, their totals start anew";
    default:
        return "";
    }
}

} // namespace

std::string counter_text(std::span<const CounterInfo> infos, CounterIndex index) {
    return index.value() < infos.size() ? infos[index.value()].name
                                        : fmt::format("counter {}", index.value());
}

ordered_json counter_json(std::span<const CounterInfo> infos, CounterIndex index) {
    return index.value() < infos.size() ? ordered_json(infos[index.value()].name) : ordered_json();
}

std::string event_text(const Event& event, nanoseconds boot) {
    const std::string more = details(event);
    if (!event.has_port())
        return fmt::format("{}: {}\n", event_name(event.kind), more);
    return fmt::format(
        "{} {} {}{}{}\n", time_text(event.time_ns, boot), escaped(event.port.name),
        event_name(event.kind), more.empty() ? "" : ": ", more);
}

ordered_json event_json(const Event& event) {
    if (!event.has_port())
        return {{"event", event_name(event.kind)}};
    ordered_json json = port_event_json(
        event_name(event.kind), event.time_ns, event.port.name, event.infos, event.port);
    if (event.kind == EventKind::stale)
        json["reason"] = event.port.stale_reason;
    if (event.kind == EventKind::parity_error)
        json["parity_errors"] = event.port.parity_errors;
    if (event.kind == EventKind::discontinuity && event.port.suspect) {
        json["counter"] = counter_json(event.infos, event.port.suspect->counter);
        json["value"] = event.port.suspect->value;
    }
    return json;
}

std::string event_text(const ReachedThreshold& event, nanoseconds boot) {
    const Statistics& statistics = event.port.statistics;
    return fmt::format(
        "{} {} {}: {} has reached {}\n", time_text(statistics.time_ns, boot),
        escaped(event.port.name), threshold_name, counter_text(event.port.infos, event.counter),
        event.value);
}

ordered_json event_json(const ReachedThreshold& event) {
    const Statistics& statistics = event.port.statistics;
    ordered_json json = port_event_json(
        threshold_name, statistics.time_ns, event.port.name, event.port.infos, statistics);
    json["counter"] = counter_json(event.port.infos, event.counter);
    json["value"] = event.value;
    return json;
}

} // namespace macstats
