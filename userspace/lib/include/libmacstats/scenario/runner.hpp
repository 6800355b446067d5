// SPDX-License-Identifier: GPL-2.0 OR MIT
// Runs scenarios and reports the results.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "libmacstats/core/result.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/scenario.hpp"

namespace macstats {

/// One failed expectation or step.
struct Failure {
    std::size_t step = 0;    ///< index into Scenario::steps
    std::string kind{};      ///< of the step: "send", ...; "devices" if the devices were not added
    std::string port{};      ///< as "mac" or "mac/2"
    std::string subject{};   ///< counter, register, "group/statistic" or "state/stale"
    std::string expected{};  ///< "" if the step itself failed
    std::string actual{};    ///< "absent", a number, or the reason of the failure
    std::string datasheet{}; ///< the description in the row; "" without a row
    std::string explanation{}; ///< the backend's text, if the step itself failed
    std::string remark{};      ///< of the backend about a difference: Observation::remark
};

/// "/steps/3 (expect), mac: tx_pause: expected 3, actual 4"
std::string failure_text(const Failure& failure);

enum class Outcome {
    passed,
    failed,
    skipped
};

/// "passed", "failed", "skipped"
std::string_view outcome_name(Outcome outcome);

struct Report {
    std::string file;
    std::string name;
    std::string reference;
    Outcome outcome = Outcome::passed;
    std::string reason;            ///< of a skip
    std::vector<Failure> failures; ///< of the first step that failed
    /// Expectations that the backend left out, each with its reason.
    std::vector<std::string> not_compared{};
    std::chrono::nanoseconds duration{};
    /// Of each step that ran, in the last attempt; the last one may have failed.
    std::vector<std::chrono::nanoseconds> steps{};
};

/// Run a scenario up to its end or to the first step that fails. Throws std::out_of_range for
/// a device or counter that the scenario does not have.
Report run_scenario(const Scenario& scenario, Backend& backend);
/// The same on devices that are set up already.
Report run_steps(const Scenario& scenario, DeviceSet& set);

enum class ReportFormat {
    tap,   ///< version 13
    junit, ///< XML as CI servers read it
    json
};

/// Writes reports between begin() and end(), each as soon as the format allows. The owner
/// of the stream checks whether the stream accepted all of it.
///
/// Strings are escaped for readers of the format; characters that the format does not
/// support become an escape like \x07.
///
/// JSON is one object, equal for all backends and runs except "seconds":
///   { "scenarios": [ { "file": "a.json", "name": "...", "reference": "...",
///                      "outcome": "passed" or "failed" or "skipped",
///                      "reason": "...",      only if skipped
///                      "failures": [ ... ],  only if failed
///                      "not_compared": [ "..." ] only if something was left out
///                    } ],
///     "passed": 1, "failed": 0, "skipped": 0,
///     "seconds": [ 0.001 ] }                 for each scenario
/// The members of a failure are those of Failure without the explanation: numbers, true
/// and false as JSON values, and null where nothing was expected. A remark is there only if
/// the backend has one.
class ReportWriter {
public:
    ReportWriter() = default;
    ReportWriter(const ReportWriter&) = delete;
    ReportWriter& operator=(const ReportWriter&) = delete;
    virtual ~ReportWriter() = default;

    /// @scenarios: the number of reports that follow.
    virtual void begin(std::size_t scenarios) = 0;
    virtual void add(const Report& report) = 0;
    virtual void end() = 0;
};

/// @out must outlive the writer.
std::unique_ptr<ReportWriter>
report_writer(ReportFormat format, std::ostream& out, std::string_view backend);

} // namespace macstats
