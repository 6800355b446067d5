// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Any text is a scenario or is rejected with a reason in one line; a scenario is
// written out such that it reads as the same again. It runs, twice with the same result,
// and each format reports the result.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"
#include "require.hpp"

using namespace macstats;
using macstats::test::require;

namespace {

// A step takes about as long as a poll. Larger scenarios are only read.
constexpr std::size_t most_devices = 4, most_steps = 100;

Report run(const Scenario& scenario) {
    Report report = run_scenario(scenario, *builtin_backend());
    report.duration = std::chrono::nanoseconds(0);
    return report;
}

std::string written(const Report& report, ReportFormat format) {
    std::ostringstream out;
    const auto writer = report_writer(format, out, "builtin");
    writer->begin(1);
    writer->add(report);
    writer->end();
    return out.str();
}

void check_report(const Scenario& scenario, const Report& report) {
    require(
        (report.outcome == Outcome::failed) == !report.failures.empty(),
        "a report has failures exactly if the scenario failed");
    require(
        (report.outcome == Outcome::skipped) == !report.reason.empty(),
        "a report has a reason exactly if the scenario was skipped");
    for (const Failure& failure : report.failures) {
        require(
            failure.kind == "devices" || failure.step < scenario.steps.size(),
            "a failure names a step");
        require(failure.expected != failure.actual, "a failure shows a difference");
    }
}

void check_formats(const Report& report) {
    const auto json = nlohmann::json::parse(written(report, ReportFormat::json));
    const std::string outcome = json.at("scenarios").at(0).at("outcome");
    require(
        outcome == (report.outcome == Outcome::passed    ? "passed"
                    : report.outcome == Outcome::skipped ? "skipped"
                                                         : "failed"),
        "JSON has the outcome");

    // The verdict of TAP is the only line that starts with "ok" or "not ok".
    std::istringstream tap(written(report, ReportFormat::tap));
    unsigned int verdicts = 0;
    for (std::string line; std::getline(tap, line);) {
        const bool failed = line.starts_with("not ok ");
        if (failed || line.starts_with("ok "))
            verdicts++;
        require(!failed || report.outcome == Outcome::failed, "TAP has the outcome: " + line);
    }
    require(verdicts == 1, "TAP has one verdict");

    for (const char c : written(report, ReportFormat::junit))
        require(
            static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t' || c == '\r',
            "XML has no control characters");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto scenario = parse_scenario(text, "file");
    if (!scenario) {
        const std::string& message = scenario.error().message;
        require(message.starts_with("file: "), "a rejection names the file: " + message);
        require(message.find('\n') == message.npos, "a rejection is one line: " + message);
        require(message.size() < 4096, "a rejection is short: " + message);
        return 0;
    }
    const std::string text_again = scenario_text(*scenario);
    const auto again = parse_scenario(text_again, "file");
    require(again.has_value(), "what was written can be read: " + text_again);
    require(scenario_text(*again) == text_again, "what was written reads the same: " + text_again);

    if (scenario->devices.size() > most_devices || scenario->steps.size() > most_steps)
        return 0;
    const Report report = run(*scenario);
    check_report(*scenario, report);
    check_formats(report);
    require(
        written(run(*again), ReportFormat::json) == written(report, ReportFormat::json),
        "a scenario has the same result each time");
    return 0;
}
