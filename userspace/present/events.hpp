// SPDX-License-Identifier: GPL-2.0 OR MIT
// Events of ports as text and as JSON.
#pragma once

#include <chrono>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/events.hpp"

namespace macstats {

/// One line: local time ("-" for one that no clock can show), port, kind and details. @client
/// knows the names of counters.
/// @boot: the time since 1970 at which the system booted.
std::string event_text(Client& client, const Event& event, std::chrono::nanoseconds boot);

/// The object that `macstats events --json` prints.
nlohmann::ordered_json event_json(Client& client, const Event& event);

} // namespace macstats
