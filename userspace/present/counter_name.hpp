// SPDX-License-Identifier: GPL-2.0 OR MIT
// Names of counters that a notification or an answer gives by index.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "libmacstats/core/index.hpp"
#include "libmacstats/netlink/client.hpp"

namespace macstats {

/// The ethtool -S string of a model's counter, or nothing if it is unknown.
std::optional<std::string>
counter_name(Client& client, const std::string& model, CounterIndex index);
/// The same, or "counter N".
std::string counter_text(Client& client, const std::string& model, CounterIndex index);
/// The name as JSON; null if it is unknown.
nlohmann::ordered_json counter_json(Client& client, const std::string& model, CounterIndex index);

} // namespace macstats
