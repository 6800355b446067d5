// SPDX-License-Identifier: GPL-2.0 OR MIT
// What users see of a port.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/statistics.hpp"

namespace macstats {

/// The statistics that users of a port see, as of the provider's last good poll.
struct Observation {
    bool stale = false;
    bool possible_loss = false;
    std::uint32_t discontinuities = 0;
    std::vector<CounterIndex> saturated{}; ///< ascending
    /// In the order of the counters; empty if the hardware is built without any.
    std::vector<std::uint64_t> totals{};
    std::vector<StandardValue> standard{}; ///< only the supported ones, in any order
    /// Of these, those that were never anything but 0: also before the scenario, where the others
    /// are differences.
    std::vector<StandardValue> uncounted{};
    std::vector<CounterIndex> absent{}; ///< of the counters, ascending: without a total
    std::string remark{}; ///< may explain a difference: "3 of 5 frames arrived at eth0"
};

} // namespace macstats
