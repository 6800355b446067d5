// SPDX-License-Identifier: GPL-2.0 OR MIT
// Which metrics are exported of which ports, and what their names and labels have in addition.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/ports.hpp"

namespace macstats {

struct MetricsSelection {
    /// By default the standard statistics and the counters of errors of all ports.
    MetricsSelection();
    /// All statistics and counters of all ports.
    static MetricsSelection everything();

    std::vector<std::string> models;   ///< only ports of these; of any model if empty
    std::vector<std::string> groups;   ///< of standard statistics
    std::vector<std::string> counters; ///< see selects()
    /// OpenMetrics: also the time since which each counter counts, as a second series.
    bool created = false;
    /// Series of one port at most, its state included.
    std::uint64_t most_series = std::numeric_limits<std::uint64_t>::max();
    std::string prefix = "macstats"; ///< of the name of each family
    Freshness freshness = Freshness::read_hardware;
    std::string labels; ///< of each sample: `rack="7",site="fra"`, or ""
};

/// The word of MetricsSelection::counters for those that count errors, by counts_errors().
inline constexpr std::string_view error_counters = "errors";

/// The most series that the state of a port has, which no budget leaves out.
inline constexpr std::uint64_t most_state_series = 17;

/// Whether a word of MetricsSelection::counters selects a counter: its name in ethtool -S or
/// in the datasheet, either of them as a pattern of fnmatch(3). Not for error_counters.
bool selects(std::string_view word, std::string_view name, std::string_view reg);

/// For each counter of the port's model whether it is exported. Where only the kernel knows
/// the model, nothing tells errors apart: error_counters selects all of its counters.
std::vector<bool> exported_counters(const MetricsSelection& selection, const PortStatistics& port);

/// `NAME="VALUE"`, escaped; an Error if metrics cannot have that label. @others: the names of
/// labels that samples have already.
Result<std::string> metrics_label(std::string_view text, std::span<const std::string_view> others);

/// An Error unless the text can start the name of a metric.
Result<void> check_metrics_prefix(std::string_view prefix);

} // namespace macstats
