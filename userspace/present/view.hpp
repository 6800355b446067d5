// SPDX-License-Identifier: GPL-2.0 OR MIT
// Ports as the command shows them: with their changes since an earlier read.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "libmacstats/core/difference.hpp"
#include "libmacstats/netlink/ports.hpp"

namespace macstats {

/// A port to show.
struct PortView : PortStatistics {
    std::optional<Difference> since{}; ///< to show instead of the totals
    std::optional<Difference> rate{};  ///< to show beside the totals, per second

    /// With the values to show: totals, or the counts since a tag.
    [[nodiscard]] std::vector<CounterValue> shown_counters() const {
        return since ? counters(*since) : counters();
    }
    [[nodiscard]] std::vector<StandardValue> shown_standard() const {
        return since ? standard(*since) : standard();
    }
};

std::vector<PortView> views_of(std::vector<PortStatistics> ports);

/// Fill in the rates of the ports that are in @before.
void add_rates(std::vector<PortView>& views, std::span<const PortView> before);

} // namespace macstats
