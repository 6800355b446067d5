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

#include "libmacstats/core/escape.hpp"
#include "present/counter_name.hpp"
#include "present/time.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// The local time of an event; "-" if the event has no time, or one that no clock can show.
std::string time_text(const Event& event, nanoseconds boot) {
    const auto since_boot = event.time_ns ? time_since_boot(*event.time_ns) : std::nullopt;
    if (!since_boot)
        return "-";
    const nanoseconds time = boot + *since_boot;
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    return fmt::format(
        "{:%F %T}.{:03}", fmt::localtime(static_cast<std::time_t>(seconds.count())),
        std::chrono::duration_cast<milliseconds>(time - seconds).count());
}

// "rx_fcs_errors was read at its maximum 2 times, ...", of the last read.
std::string saturated_text(Client& client, const PortInfo& port) {
    std::vector<std::string> parts;
    for (const Saturation& one : latest_of(port.saturated))
        parts.push_back(fmt::format(
            "{} was read at its maximum {} time{}", counter_text(client, port.model, one.counter),
            one.times, one.times == 1 ? "" : "s"));
    return fmt::format("{}", fmt::join(parts, ", "));
}

ordered_json saturated_json(Client& client, const PortInfo& port) {
    ordered_json json = ordered_json::object();
    for (const Saturation& one : port.saturated)
        json[counter_text(client, port.model, one.counter)] = {{"times", one.times}};
    return json;
}

std::string details(Client& client, const Event& event) {
    switch (event.kind) {
    case EventKind::port_added:
        return fmt::format(
            "{}, ifindex {}", printable(event.port.model), event.port.ifindex.value());
    case EventKind::stale:
        return printable(event.port.stale_reason);
    case EventKind::saturated:
        return saturated_text(client, event.port);
    case EventKind::discontinuity:
        return fmt::format(
            "number {}{}", event.port.discontinuities,
            event.port.suspect
                ? fmt::format(
                      ", {} read {}",
                      counter_text(client, event.port.model, event.port.suspect->counter),
                      event.port.suspect->value)
                : "");
    case EventKind::parity_error:
        return fmt::format("number {}", event.port.parity_errors);
    case EventKind::threshold:
        return fmt::format(
            "{} has reached {}", counter_text(client, event.port.model, event.threshold->counter),
            event.threshold->value);
    default:
        return "";
    }
}

} // namespace

std::string event_text(Client& client, const Event& event, std::chrono::nanoseconds boot) {
    if (event.kind == EventKind::lost)
        return "lost: some events came faster than they could be read\n";
    const std::string more = details(client, event);
    return fmt::format(
        "{} {} {}{}{}\n", time_text(event, boot), escaped(event.port.name), event_name(event.kind),
        more.empty() ? "" : ": ", more);
}

ordered_json event_json(Client& client, const Event& event) {
    ordered_json json = {{"event", event_name(event.kind)}};
    if (event.kind == EventKind::lost)
        return json;
    json["time_ns"] = event.time_ns ? ordered_json(*event.time_ns) : ordered_json();
    json["port"] = event.port.name;
    json["ifindex"] = event.port.ifindex.value();
    json["model"] = event.port.model;
    json["state"] = {
        {"stale", event.port.stale},
        {"possible_loss", event.port.possible_loss},
        {"discontinuities", event.port.discontinuities}};
    if (event.kind == EventKind::stale)
        json["reason"] = event.port.stale_reason;
    if (event.kind == EventKind::parity_error)
        json["parity_errors"] = event.port.parity_errors;
    if (!event.port.saturated.empty())
        json["at_least"] = saturated_json(client, event.port);
    if (event.kind == EventKind::discontinuity && event.port.suspect) {
        json["counter"] = counter_json(client, event.port.model, event.port.suspect->counter);
        json["value"] = event.port.suspect->value;
    }
    if (event.threshold) {
        json["counter"] = counter_json(client, event.port.model, event.threshold->counter);
        json["value"] = event.threshold->value;
    }
    return json;
}

} // namespace macstats
