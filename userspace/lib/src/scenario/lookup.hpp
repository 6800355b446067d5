// SPDX-License-Identifier: GPL-2.0 OR MIT
// Names of ports and statistics among others, as the files of this room look them up.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include <fmt/format.h>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/statistics.hpp"
#include "libmacstats/scenario/scenario.hpp"

namespace macstats {

/// The port as scenarios write it: "mac", or "mac/2".
inline std::string port_name(const ScenarioDevice& device, PortIndex index) {
    return index == PortIndex(0) ? device.name : fmt::format("{}/{}", device.name, index.value());
}

/// The statistic that an expectation is about; nullptr if it is not among those.
inline const StandardStatistic*
find_expected(std::span<const StandardStatistic> among, const ExpectedStandard& wanted) {
    const auto found =
        std::find_if(among.begin(), among.end(), [&wanted](const StandardStatistic& statistic) {
            return statistic.group == wanted.group && statistic.name == wanted.name &&
                   (!wanted.low || statistic.low == wanted.low) &&
                   (!wanted.high || statistic.high == wanted.high);
        });
    return found == among.end() ? nullptr : &*found;
}

/// The same statistic in another observation; nullptr if it is not there.
inline const StandardStatistic*
find_same(std::span<const StandardStatistic> among, const StandardStatistic& wanted) {
    const auto found =
        std::find_if(among.begin(), among.end(), [&wanted](const StandardStatistic& other) {
            return other.group == wanted.group && other.name == wanted.name &&
                   other.low == wanted.low;
        });
    return found == among.end() ? nullptr : &*found;
}

} // namespace macstats
