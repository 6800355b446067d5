// SPDX-License-Identifier: GPL-2.0 OR MIT
#pragma once

#include <algorithm>
#include <span>

#include <macstats/schema.h>

#include "libmacstats/netlink/client.hpp"

namespace macstats {

/// Whether a model of this library has the counters that the kernel reports of its model.
inline bool has_same_counters(const macstats_model& model, std::span<const CounterInfo> counters) {
    const std::span rows(model.counters, model.n_counters);
    return std::equal(
        rows.begin(), rows.end(), counters.begin(), counters.end(),
        [](const macstats_counter& row, const CounterInfo& counter) {
            return row.name == counter.name && row.reg == counter.reg &&
                   row.offset == counter.offset && row.bits == counter.bits;
        });
}

} // namespace macstats
