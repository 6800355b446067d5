// SPDX-License-Identifier: GPL-2.0 OR MIT
// Ports as a reader wants to see them: their statistics with the names of the
// counters, and what changed since an earlier read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <macstats/schema.h>

#include "client.hpp"
#include "difference.hpp"
#include "result.hpp"

namespace macstats {

/// The statistics of a port and the names of its counters.
struct PortView {
    std::string name;
    Statistics statistics;
    std::string stale_reason; ///< "" if not known
    std::span<const CounterInfo> counters;
    std::optional<Difference> since; ///< to be shown instead of the totals
    std::optional<Difference> rate;  ///< to be shown beside them, per second
};

struct PortSelection {
    std::vector<std::string> ports; ///< names or indices of interfaces; all if empty
    std::string model;              ///< only ports of this model; any if ""
    Freshness freshness = Freshness::read_hardware;
    bool skip_missing = false; ///< leave out named ports that are not there
};

/// The ports and their statistics. The views are valid as long as the client is.
Result<std::vector<PortView>> read_views(Client& client, const PortSelection& selection);

/// Fill in the rates of ports which were in @before, too.
void add_rates(std::vector<PortView>& views, std::span<const PortView> before);

/// The model that this library has for a port, if its counters are those of the
/// kernel; or nullptr.
const macstats_model* same_model(const PortView& view);

} // namespace macstats
