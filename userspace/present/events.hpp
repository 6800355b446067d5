// SPDX-License-Identifier: GPL-2.0 OR MIT
// Events of ports as text and as JSON.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "libmacstats/netlink/events.hpp"
#include "libmacstats/netlink/ports.hpp"

namespace macstats {

/// The ethtool -S string of a model's counter, or "counter N" if @infos lack it.
std::string counter_text(std::span<const CounterInfo> infos, CounterIndex index);
/// The name as JSON; null if it is unknown.
nlohmann::ordered_json counter_json(std::span<const CounterInfo> infos, CounterIndex index);

/// One line: local time ("-" for one that no clock can show), port, kind and details.
/// @boot: the time since 1970 at which the system booted.
std::string event_text(const Event& event, std::chrono::nanoseconds boot);

/// The object that `macstats events --json` prints.
nlohmann::ordered_json event_json(const Event& event);

/// An event that no kernel sends: a total has reached a value that the user waits for.
struct ReachedThreshold {
    const PortStatistics& port; ///< the time of the event is that of its statistics
    CounterIndex counter;
    std::uint64_t value = 0;
};

std::string event_text(const ReachedThreshold& event, std::chrono::nanoseconds boot);
nlohmann::ordered_json event_json(const ReachedThreshold& event);

} // namespace macstats
