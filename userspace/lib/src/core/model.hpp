// SPDX-License-Identifier: GPL-2.0 OR MIT
// The ports of a model, and the rules of its rows.
#pragma once

#include <algorithm>
#include <cerrno>
#include <span>

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

/// The rules in the list of a counter or status: the first one without a direction ends it.
inline std::span<const macstats_when> rules_in(std::span<const macstats_when> list) {
    const auto end = std::find_if(
        list.begin(), list.end(), [](const macstats_when& when) { return !when.direction; });
    return {list.begin(), end};
}

} // namespace macstats
