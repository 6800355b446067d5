// SPDX-License-Identifier: GPL-2.0 OR MIT
// Standard statistics as the provider, or a device in this process, has counted them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/core/statistics.hpp"

namespace macstats {

/// The standard statistics other than histograms of a port with these totals, all of one read.
/// Ascending. @totals: one for each counter; none if the hardware is built without counters.
/// Throws std::out_of_range for more totals than counters, and for an unknown one in @absent.
std::vector<StandardValue> standard_of_totals(
    const macstats_model& model, std::span<const std::uint64_t> totals,
    std::span<const Saturation> saturated = {}, std::span<const CounterIndex> absent = {});

/// In the order of the counters.
std::vector<Bucket> buckets_of(const macstats_model& model);

} // namespace macstats
