// SPDX-License-Identifier: GPL-2.0 OR MIT
// Ports with their statistics, the names of their counters, and the changes since an
// earlier read.
#pragma once

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
    std::uint32_t parity_errors = 0;
    std::optional<PortWork> work;    ///< the provider's polls of the port, if reported
    std::optional<Difference> since; ///< to show instead of the totals
    std::optional<Difference> rate;  ///< to show beside the totals, per second
    /// The result of same_model(), if it is known already.
    std::optional<const macstats_model*> same_model;
};

struct PortSelection {
    std::vector<std::string> ports; ///< names or indices of interfaces; all if empty
    std::string model;              ///< only ports of this model; any if ""
    Freshness freshness = Freshness::read_hardware;
    bool skip_missing = false; ///< omit named ports that do not exist
};

/// The ports and their statistics. The views are valid as long as the client.
Result<std::vector<PortView>> read_views(Client& client, const PortSelection& selection);

/// Whether the port has a value of this counter.
bool has_counter(const PortView& view, CounterIndex counter);

/// Fill in the rates of the ports that are in @before.
void add_rates(std::vector<PortView>& views, std::span<const PortView> before);

/// This library's model of a port, if its counters are those of the kernel; otherwise
/// nullptr.
const macstats_model* same_model(const PortView& view);

} // namespace macstats
