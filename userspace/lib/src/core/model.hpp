// SPDX-License-Identifier: GPL-2.0 OR MIT
// The ports and rows of a model, by indices that a caller gave, and the rules of rows.
#pragma once

#include <algorithm>
#include <cerrno>
#include <span>
#include <stdexcept>

#include <fmt/format.h>
#include <macstats/schema.h>

#include "core/error.hpp"
#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"

namespace macstats {

/// ENODEV for a port that the model does not have.
inline Result<void> check_port(const macstats_model& model, PortIndex port) {
    if (port.value() < model.ports)
        return {};
    return failure(
        ENODEV, "port {}: {} has {} port{}, from 0 on", port.value(), model.name, model.ports,
        model.ports == 1 ? "" : "s");
}

/// The row of a counter. Throws std::out_of_range for one that the model does not have.
inline const macstats_counter& counter_at(const macstats_model& model, CounterIndex index) {
    if (index.value() >= model.n_counters)
        throw std::out_of_range(fmt::format(
            "counter {}: {} has {} counters", index.value(), model.name, model.n_counters));
    return model.counters[index.value()];
}

/// The rules in the list of a counter or status: the first one without a direction ends it.
inline std::span<const macstats_when> rules_in(std::span<const macstats_when> list) {
    const auto end = std::find_if(
        list.begin(), list.end(), [](const macstats_when& when) { return !when.direction; });
    return {list.begin(), end};
}

} // namespace macstats
