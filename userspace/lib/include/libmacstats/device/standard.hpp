// SPDX-License-Identifier: GPL-2.0 OR MIT
// Standard statistics as the provider, or a device in this process, has counted them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <macstats/schema.h>
#include <nlohmann/json_fwd.hpp>

#include "libmacstats/core/names.hpp"
#include "libmacstats/core/statistics.hpp"

namespace macstats {

/// The standard statistics other than histograms of a port with these totals, all of one read.
/// Ascending. @totals: one for each counter; none if the hardware is built without counters.
std::vector<StandardTotal> standard_of_totals(
    const macstats_model& model, std::span<const std::uint64_t> totals,
    std::span<const Saturation> saturated = {}, std::span<const CounterIndex> absent = {});

/// In the order of the counters.
std::vector<Bucket> buckets_of(const macstats_model& model);

/// One standard statistic of a port, or one bucket of a histogram.
struct StandardValue {
    macstats_standard_id id;
    std::uint64_t value;
    std::uint32_t low = 0; ///< of a bucket: octets with FCS
    std::uint32_t high = 0;
    std::optional<CounterIndex> counter{}; ///< of a bucket
    Bound bound = Bound::exact;
    std::uint64_t times = 0; ///< reads that found a counter that feeds it at its maximum
    bool stale = false;      ///< see StandardTotal
};

/// All statistics of a port, in the order of the groups. @totals: one for each counter, or none.
/// @absent: the counters that the hardware is built without, ascending; their buckets are omitted.
std::vector<StandardValue> standard_values(
    std::span<const StandardTotal> standard, std::span<const Bucket> buckets,
    std::span<const std::uint64_t> totals, std::span<const CounterIndex> absent = {},
    std::span<const Saturation> saturated = {});

/// The values with the names that ethtool and ip use.
std::vector<StandardStatistic> standard_statistics(std::span<const StandardValue> values);

/// "etherStatsJabbers", or "rx-pkts65to127" for a bucket.
std::string standard_label(const StandardValue& value);

/// The standard statistics by group, in the format of `ethtool --json -S IF --groups ...`,
/// with the groups "pause" and "rtnl". Empty groups are omitted.
nlohmann::ordered_json standard_json(std::span<const StandardValue> values);

} // namespace macstats
