// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Any text is a scenario or is rejected with a reason in one line; a scenario is
// written out such that it reads as the same again. It runs, twice with the same result,
// and each format reports the result, whatever the text of names and values.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "junit.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"
#include "require.hpp"

using namespace macstats;
using macstats::test::JUnitReader;
using macstats::test::require;
using macstats::test::XmlElement;

namespace {

// A step takes about as long as a poll. Larger scenarios are only read.
constexpr std::size_t most_devices = 4, most_steps = 100;
constexpr std::size_t longest_text = 80;

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

void check_json(const Report& report) {
    const auto json = nlohmann::json::parse(written(report, ReportFormat::json));
    const std::string outcome = json.at("scenarios").at(0).at("outcome");
    require(
        outcome == (report.outcome == Outcome::passed    ? "passed"
                    : report.outcome == Outcome::skipped ? "skipped"
                                                         : "failed"),
        "JSON has the outcome");
    require(
        json.at("scenarios").at(0).at("name") == json_string(report.name),
        "JSON has the name: " + report.name);
}

// The text behind the first number sign without a backslash before it, or nothing.
std::string_view directive_in(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); i++) {
        if (line[i] == '\\')
            i++;
        else if (line[i] == '#')
            return line.substr(i + 1);
    }
    return {};
}

// The verdict is the only line that starts with "ok" or "not ok".
void check_tap(const Report& report) {
    std::istringstream tap(written(report, ReportFormat::tap));
    unsigned int verdicts = 0;
    for (std::string line; std::getline(tap, line);) {
        const bool failed = line.starts_with("not ok ");
        if (!failed && !line.starts_with("ok "))
            continue;
        verdicts++;
        require(failed == (report.outcome == Outcome::failed), "TAP has the outcome: " + line);
        require(
            directive_in(line).starts_with(" SKIP") == (report.outcome == Outcome::skipped),
            "TAP marks what was skipped: " + line);
    }
    require(verdicts == 1, "TAP has one verdict");
}

void check_junit(const Report& report) {
    const auto elements = JUnitReader(written(report, ReportFormat::junit)).elements;
    std::vector<std::string> names, expected = {"testsuites", "testsuite", "testcase"};
    for (const XmlElement& element : elements)
        names.push_back(element.name);
    if (report.outcome != Outcome::passed)
        expected.emplace_back(report.outcome == Outcome::failed ? "failure" : "skipped");
    require(names == expected, "JUnit has the outcome");

    const auto& suite = elements.at(1).attributes;
    require(
        suite.at("tests") == "1" &&
            suite.at("failures") == (report.outcome == Outcome::failed ? "1" : "0") &&
            suite.at("skipped") == (report.outcome == Outcome::skipped ? "1" : "0"),
        "JUnit counts the outcome");
    require(
        elements.at(2).attributes.at("name") == printable(report.name),
        "JUnit has the name: " + report.name);
    if (report.outcome == Outcome::skipped)
        require(
            elements.at(3).attributes.at("message") == printable(report.reason),
            "JUnit has the reason: " + report.reason);
}

void check_formats(const Report& report) {
    check_json(report);
    check_tap(report);
    check_junit(report);
}

// A report with @text wherever a scenario or the kernel gives one. Its last octet chooses the
// outcome: all three for each input would take longer than the scenarios.
void check_text(const std::string& text) {
    Report report;
    report.file = "file";
    report.name = text;
    const int choice = text.empty() ? 0 : static_cast<unsigned char>(text.back()) % 3;
    if (choice == 1) {
        report.outcome = Outcome::skipped;
        report.reason = text;
    } else if (choice == 2) {
        report.outcome = Outcome::failed;
        report.reference = text;
        report.failures = {
            {.step = 0,
             .kind = "read",
             .port = text,
             .subject = text,
             .expected = "1",
             .actual = text,
             .datasheet = text,
             .explanation = text}};
    }
    check_formats(report);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_text(std::string(text.substr(0, longest_text)));
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
