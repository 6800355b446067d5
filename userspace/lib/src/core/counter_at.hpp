// SPDX-License-Identifier: GPL-2.0 OR MIT
// The row of a counter by an index that a caller gave.
#pragma once

#include <stdexcept>

#include <fmt/format.h>
#include <macstats/schema.h>

#include "libmacstats/core/index.hpp"

namespace macstats {

/// The row of a counter. Throws std::out_of_range for one that the model does not have.
inline const macstats_counter& counter_at(const macstats_model& model, CounterIndex index) {
    if (index.value() >= model.n_counters)
        throw std::out_of_range(fmt::format(
            "counter {}: {} has {} counters", index.value(), model.name, model.n_counters));
    return model.counters[index.value()];
}

} // namespace macstats
