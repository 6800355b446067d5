// SPDX-License-Identifier: GPL-2.0 OR MIT
// Standard statistics, as sums of the totals of a port.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <macstats/schema.h>
#include <macstats/standard.h>
#include <nlohmann/json_fwd.hpp>

#include "libmacstats/core/names.hpp"
#include "libmacstats/core/statistics.hpp"

namespace macstats {

/// One standard statistic of a port, or one bucket of a histogram.
struct StandardValue {
    macstats_standard_id id;
    std::uint64_t value;
    std::uint32_t low; ///< of a bucket: octets with FCS
    std::uint32_t high;
    std::optional<CounterIndex> counter; ///< of a bucket
};

/// All statistics that @model supports, in the order of the groups; none if @totals has
/// fewer values than the model has counters. @max_frame: the end of the last bucket.
/// @absent: the counters that the hardware is built without, ascending. Statistics that
/// one of them feeds are omitted.
std::vector<StandardValue> standard_values(
    const macstats_model& model, const macstats_standard& standard,
    std::span<const std::uint64_t> totals, std::uint32_t max_frame,
    std::span<const CounterIndex> absent = {});

/// The same from totals alone. @max_frame: by default the length that a reset sets.
std::vector<StandardValue> standard_values(
    const macstats_model& model, std::span<const std::uint64_t> totals,
    std::optional<std::uint32_t> max_frame = std::nullopt,
    std::span<const CounterIndex> absent = {});

/// The same with the names that ethtool and ip use.
std::vector<StandardStatistic> standard_statistics(std::span<const StandardValue> values);

/// "etherStatsJabbers", or "rx-pkts65to127" for a bucket.
std::string standard_label(const StandardValue& value);

/// The standard statistics by group, in the format of `ethtool --json -S IF --groups ...`,
/// with the groups "pause" and "rtnl". Statistics that the port does not support and
/// empty groups are omitted. @totals: one for each counter. @max_frame: the end of the
/// last bucket. @absent: as in standard_values().
nlohmann::ordered_json standard_json(
    const macstats_model& model, const macstats_standard& standard,
    std::span<const std::uint64_t> totals, std::uint32_t max_frame,
    std::span<const CounterIndex> absent = {});

/// The same of these values.
nlohmann::ordered_json standard_json(std::span<const StandardValue> values);

/// The same from totals alone. @max_frame: by default the length that a reset sets.
nlohmann::ordered_json standard_json(
    const macstats_model& model, std::span<const std::uint64_t> totals,
    std::optional<std::uint32_t> max_frame = std::nullopt,
    std::span<const CounterIndex> absent = {});

} // namespace macstats
