// SPDX-License-Identifier: GPL-2.0 OR MIT
// Names of ports and statistics among others, as the files of this room look them up.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include <fmt/format.h>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/statistics.hpp"
#include "libmacstats/scenario/scenario.hpp"

namespace macstats {

/// The port as scenarios write it: "mac", or "mac/2".
inline std::string port_name(const ScenarioDevice& device, PortIndex index) {
    return index == PortIndex(0) ? device.name : fmt::format("{}/{}", device.name, index.value());
}

/// The statistic that an expectation is about; nullptr if it is not among those.
inline const StandardValue*
find_expected(std::span<const StandardValue> among, const ExpectedStandard& wanted) {
    const unsigned int id = standard_id(wanted.group, wanted.name);
    const auto found = std::find_if(among.begin(), among.end(), [&](const StandardValue& value) {
        return value.id == id && value.low == wanted.low.value_or(value.low) &&
               value.high == wanted.high.value_or(value.high);
    });
    return found == among.end() ? nullptr : &*found;
}

/// The same statistic in another observation; nullptr if it is not there.
inline const StandardValue*
find_same(std::span<const StandardValue> among, const StandardValue& wanted) {
    const auto found = std::find_if(among.begin(), among.end(), [&wanted](const auto& other) {
        return other.id == wanted.id && other.low == wanted.low;
    });
    return found == among.end() ? nullptr : &*found;
}

} // namespace macstats
