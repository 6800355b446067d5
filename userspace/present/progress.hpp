// SPDX-License-Identifier: GPL-2.0 OR MIT
// The progress of a run in words.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace macstats {

/// A run that takes longer than this shows an estimate.
inline constexpr std::chrono::seconds estimated_after{2};

/// "120 of 479 scenarios, 2 failed, about 15 s left". The estimate, which appears after two
/// seconds, takes the scenarios that are left to be as long as the others. At most 79 cells
/// for up to ten million scenarios.
std::string progress_text(
    std::size_t done, std::size_t total, std::size_t failed, std::chrono::duration<double> elapsed);

} // namespace macstats
