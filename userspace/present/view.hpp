// SPDX-License-Identifier: GPL-2.0 OR MIT
// Ports with their statistics, the names of their counters, and the changes since an
// earlier read.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/core/difference.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/client.hpp"

namespace macstats {

/// The statistics of a port and the names of its counters.
struct PortView {
    std::string name;
    Statistics statistics;
    std::string stale_reason; ///< "" if it is unknown
    std::span<const CounterInfo> counters;
    std::optional<PortWork> work;    ///< the provider's polls of the port, if reported
    std::optional<Difference> since; ///< to show instead of the totals
    std::optional<Difference> rate;  ///< to show beside the totals, per second
};

struct PortSelection {
    std::vector<std::string> ports; ///< names or indices of interfaces; all if empty
    std::string model;              ///< only ports of this model; any if ""
    Freshness freshness = Freshness::read_hardware;
    bool skip_missing = false; ///< omit named ports that do not exist
};

/// The ports and their statistics. The views are valid as long as the client.
Result<std::vector<PortView>> read_views(Client& client, const PortSelection& selection);

/// Nanoseconds since boot, as the kernel reports them, as a duration that can be added to the
/// time of the boot: at most 100 years.
std::chrono::nanoseconds time_since_boot(std::uint64_t ns);

/// The ethtool -S string of a model's counter, or nothing if it is unknown.
std::optional<std::string>
counter_name(Client& client, const std::string& model, CounterIndex index);
/// The same, or "counter N".
std::string counter_text(Client& client, const std::string& model, CounterIndex index);

/// Whether the port has a value of this counter.
bool has_counter(const PortView& view, CounterIndex counter);

/// Fill in the rates of the ports that are in @before.
void add_rates(std::vector<PortView>& views, std::span<const PortView> before);

/// This library's model of a port, if its counters are those of the kernel; otherwise
/// nullptr.
const macstats_model* same_model(const PortView& view);

} // namespace macstats
