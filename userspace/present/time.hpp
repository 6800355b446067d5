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
constexpr std::optional<std::chrono::nanoseconds> time_since_boot(std::uint64_t ns) {
    constexpr std::uint64_t most = 100ULL * 365 * 24 * 3600 * 1'000'000'000;
    if (ns > most)
        return std::nullopt;
    return std::chrono::nanoseconds(ns);
}

} // namespace macstats
