// SPDX-License-Identifier: GPL-2.0 OR MIT
// Checks times since boot.
#include "present/time.hpp"

namespace macstats {

std::optional<std::chrono::nanoseconds> time_since_boot(std::uint64_t ns) {
    constexpr std::uint64_t most = 100ULL * 365 * 24 * 3600 * 1'000'000'000;
    if (ns > most)
        return std::nullopt;
    return std::chrono::nanoseconds(ns);
}

} // namespace macstats
