// SPDX-License-Identifier: GPL-2.0 OR MIT
// Running scenarios, and what came of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "backend.hpp"
#include "result.hpp"
#include "scenario.hpp"

namespace macstats {

/// What was not as expected, in one step.
struct Failure {
    std::size_t step = 0;      ///< index into Scenario::steps
    std::string kind{};        ///< of the step: "send", ...; "devices": it never came to a step
    std::string port{};        ///< as "mac" or "mac/2"
    std::string subject{};     ///< counter, register, "group/statistic" or "state/stale"
    std::string expected{};    ///< "" if the step itself failed
    std::string actual{};      ///< "absent", a number, or what went wrong
    std::string datasheet{};   ///< what the row says it counts; "" if there is no row
    std::string explanation{}; ///< if the step itself failed: the backend's own words
};

/// "/steps/3 (expect), mac: tx_pause: expected 3, actual 4"
std::string failure_text(const Failure& failure);

enum class Outcome {
    passed,
    failed,
    skipped
};

struct Report {
    std::string file;
    std::string name;
    std::string reference;
    Outcome outcome = Outcome::passed;
    std::string reason;            ///< why skipped
    std::vector<Failure> failures; ///< of the first step that failed
    std::chrono::nanoseconds duration{};
};

/// Run one scenario to its end or to the first step that fails.
Report run_scenario(const Scenario& scenario, Backend& backend);
/// The same on its devices that are set up already.
Report run_steps(const Scenario& scenario, Bench& bench);

enum class ReportFormat {
    tap,   ///< version 13
    junit, ///< XML as CI servers read it
    json
};

/// Writes reports, each as soon as the format allows, between begin() and end().
/// Whether all of it got out is for the owner of the stream to see.
///
/// Any string is written such that readers of the format understand it: what it
/// cannot hold becomes an escape like \x07.
///
/// JSON is one object, the same for every backend and run but for "seconds":
///   { "scenarios": [ { "file": "a.json", "name": "...", "reference": "...",
///                      "outcome": "passed" or "failed" or "skipped",
///                      "reason": "...",      only if skipped
///                      "failures": [ ... ]   only if failed
///                    } ],
///     "passed": 1, "failed": 0, "skipped": 0,
///     "seconds": [ 0.001 ] }                 for each scenario
/// The members of a failure are those of Failure, without the explanation, with
/// numbers, true and false as such and null where nothing was expected.
class ReportWriter {
public:
    ReportWriter() = default;
    ReportWriter(const ReportWriter&) = delete;
    ReportWriter& operator=(const ReportWriter&) = delete;
    virtual ~ReportWriter() = default;

    /// @scenarios: how many reports will come.
    virtual void begin(std::size_t scenarios) = 0;
    virtual void add(const Report& report) = 0;
    virtual void end() = 0;
};

/// @out has to live as long as the writer.
std::unique_ptr<ReportWriter>
report_writer(ReportFormat format, std::ostream& out, std::string_view backend);

} // namespace macstats
