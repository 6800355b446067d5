// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/progress.hpp"

#include <cmath>

#include <fmt/format.h>

namespace macstats {

namespace {

// Never 0 s: the run has not ended.
std::string about(double seconds) {
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    if (seconds >= 2 * hour)
        return fmt::format("{:.0f} h", seconds / hour);
    if (seconds >= 2 * minute)
        return fmt::format("{:.0f} min", seconds / minute);
    return fmt::format("{:.0f} s", std::fmax(std::ceil(seconds), 1));
}

} // namespace

std::string progress_text(
    std::size_t done, std::size_t total, std::size_t failed,
    std::chrono::duration<double> elapsed) {
    std::string text = fmt::format("{} of {} scenarios, {} failed", done, total, failed);
    if (!done || done >= total || elapsed < estimated_after)
        return text;
    const double left =
        elapsed.count() / static_cast<double>(done) * static_cast<double>(total - done);
    return text + fmt::format(", about {} left", about(left));
}

} // namespace macstats
