// SPDX-License-Identifier: GPL-2.0 OR MIT
// The report of a run of scenarios as one HTML page.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"
#include "scenario/coverage.hpp"

namespace macstats {

/// Collects the scenarios of a run, and writes them as a page: outcomes, failed expectations,
/// coverage of registers and rules, and a time line of each scenario. The page loads nothing and
/// runs no program; its policy forbids both. All texts are escaped.
class ReportPage {
public:
    /// @backend and @time (of the run) are shown.
    ReportPage(std::string_view backend, std::string_view time) : backend_(backend), time_(time) {}

    void add(const Scenario& scenario, const Report& report);
    [[nodiscard]] std::string text() const;

private:
    std::string backend_;
    std::string time_;
    std::array<std::size_t, 3> counts_{}; // by enum Outcome
    std::chrono::nanoseconds duration_{};
    Coverage coverage_;
    std::string failures_;  // HTML
    std::string scenarios_; // HTML
};

} // namespace macstats
