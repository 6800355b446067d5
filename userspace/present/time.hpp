// SPDX-License-Identifier: GPL-2.0 OR MIT
// Times since boot, as the kernel reports them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace macstats {

/// Nanoseconds since boot as a duration that can be added to the time of the boot, or
/// nothing for more than 100 years: no system is up for so long, so that a sum would be
/// a plausible but wrong date.
std::optional<std::chrono::nanoseconds> time_since_boot(std::uint64_t ns);

} // namespace macstats
