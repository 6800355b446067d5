// SPDX-License-Identifier: GPL-2.0 OR MIT
// Running scenarios, and what came of it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "backend.hpp"
#include "result.hpp"
#include "scenario.hpp"

namespace macstats {

/// What was not as expected, in one step.
struct Failure {
    std::size_t step = 0;   ///< index into Scenario::steps
    std::string port;       ///< as "mac" or "mac/2"
    std::string subject;    ///< counter, register, "group/statistic" or "state/stale"
    std::string expected;   ///< "" if the step itself failed
    std::string actual;     ///< "absent", a number, or what went wrong
    std::string datasheet;  ///< what the row says it counts; "" if there is no row
};

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

enum class ReportFormat {
    tap,   ///< version 13
    junit, ///< XML as CI servers read it
    json
};

/// Writes reports as they come. TAP's plan and the frame of the others come with
/// begin() and end().
class ReportWriter {
public:
    ReportWriter() = default;
    ReportWriter(const ReportWriter&) = delete;
    ReportWriter& operator=(const ReportWriter&) = delete;
    virtual ~ReportWriter() = default;

    virtual void begin(std::size_t scenarios) = 0;
    virtual void add(const Report& report) = 0;
    virtual void end() = 0;
};

std::unique_ptr<ReportWriter>
report_writer(ReportFormat format, std::ostream& out, std::string_view backend);

} // namespace macstats
