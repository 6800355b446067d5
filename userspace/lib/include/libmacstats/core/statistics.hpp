// SPDX-License-Identifier: GPL-2.0 OR MIT
// The statistics of a port as plain values, wherever they were read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/core/index.hpp"

namespace macstats {

/// A counter that was read at its maximum: its total is a lower bound.
struct Saturation {
    CounterIndex counter;
    std::uint64_t times = 0;   ///< reads that found the counter at its maximum
    std::uint64_t time_ns = 0; ///< of the last such read, since boot
};

/// The meaning of a value that may differ from the count.
enum class Bound {
    exact,
    at_least,
    at_most, ///< a counter at its maximum is subtracted
    unknown, ///< some are added and others subtracted
};

/// "exact", "at_least", "at_most", "unknown"
std::string_view bound_name(Bound bound);

/// The bound of a value to which both apply.
Bound combined(Bound first, Bound second);

/// A standard statistic of a port, or one bucket of a histogram.
struct StandardValue {
    std::uint32_t id = 0; ///< of enum macstats_standard_id
    std::uint64_t value = 0;
    std::uint32_t low = 0; ///< of a bucket: octets with FCS
    std::uint32_t high = 0;
    std::vector<CounterIndex> counters{}; ///< of a bucket, if they are known
    Bound bound = Bound::exact;
    std::uint64_t times = 0; ///< reads that found a counter that feeds it at its maximum
    /// A read moved some of its counters and missed others: the value of an earlier read.
    bool stale = false;

    /// "rmon", "eth-mac", ...
    [[nodiscard]] std::string_view group() const;
    /// "etherStatsJabbers", or "rx-pkts65to127" for a bucket.
    [[nodiscard]] std::string name() const;

    bool operator==(const StandardValue&) const = default;
};

/// The totals of a port.
struct Statistics {
    IfIndex ifindex;
    std::string model;
    ModelId model_id{};           ///< of the kernel
    std::uint64_t generation = 0; ///< good polls so far
    std::uint64_t time_ns = 0;    ///< last good poll, since boot
    bool stale = false;
    bool possible_loss = false;
    std::uint32_t discontinuities = 0;
    std::optional<std::uint64_t> discontinuity_ns; ///< of the last one
    std::optional<std::uint64_t> start_ns;         ///< the totals count from this time on
    /// In the order of the counters, or of the requested ones; empty if the hardware is
    /// built without any counters.
    std::vector<std::uint64_t> values;
    std::vector<Saturation> saturated{}; ///< totals that are lower bounds
    /// Those of the counters that the hardware is built without, ascending. Their values
    /// have no meaning. Empty if `values` is.
    std::vector<CounterIndex> absent{};
    std::vector<StandardValue> standard{}; ///< other than histograms, ascending
    /// Net devices share the counters, or only some were requested, or there are none: no standard
    /// statistics, and no histograms.
    bool without_standard = false;
};

/// Whether @counter is in @absent, which ascends.
bool is_absent(std::span<const CounterIndex> absent, CounterIndex counter);

/// A bucket of a histogram.
struct Bucket {
    macstats_standard_id id;
    std::vector<CounterIndex> counters; ///< whose sum it is, ascending
    std::uint32_t low;                  ///< octets with FCS
    std::uint32_t high;
};

/// All statistics of a port, in the order of the groups. @totals: one for each counter, or none.
/// @absent: the counters that the hardware is built without, ascending; their buckets are omitted.
std::vector<StandardValue> standard_values(
    std::span<const StandardValue> standard, std::span<const Bucket> buckets,
    std::span<const std::uint64_t> totals, std::span<const CounterIndex> absent = {},
    std::span<const Saturation> saturated = {});

} // namespace macstats
