// SPDX-License-Identifier: GPL-2.0 OR MIT
// How a device comes up.
#pragma once

#include <cstdint>
#include <optional>

namespace macstats {

/// The options and the power-up of a device.
struct DeviceSetup {
    /// Mask of enum macstats_option; the model's defaults if not set.
    std::optional<std::uint16_t> options = std::nullopt;
    bool random_power_up = false;
    std::uint64_t seed = 0;
    bool line_rate_bound = false; ///< no total advances by more than the line carries
};

} // namespace macstats
