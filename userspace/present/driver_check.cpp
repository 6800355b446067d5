// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/driver_check.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/frame.hpp"
#include "present/count.hpp"
#include "present/json.hpp"
#include "present/table.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;
using Seconds = std::chrono::duration<double>;

std::string name_of(const StandardValue& statistic) {
    return fmt::format("{}/{}", statistic.group(), statistic.name());
}

std::vector<std::string> other_names(const DriverReport& report) {
    std::vector<std::string> names;
    for (const StandardValue& other : report.others)
        names.push_back(name_of(other));
    return names;
}

CountedFrames frames_of(const DriverFinding& finding) {
    return {.frame = request_of(finding.frame), .count = finding.count};
}

std::string cause_of(const DriverFinding& finding, const macstats_model& model) {
    if (finding.counter)
        return fmt::format("{} counts alone", model.counters[finding.counter->value()].name);
    return frames_text(frames_of(finding)) + (finding.more ? ", and others" : "");
}

// The first finding of each trial.
std::vector<const DriverFinding*> first_findings(const CheckedStatistic& one) {
    std::vector<const DriverFinding*> first;
    for (const DriverFinding& finding : one.findings)
        if (first.empty() || first.back()->trial != finding.trial)
            first.push_back(&finding);
    return first;
}

std::size_t count_of(const std::vector<CheckedStatistic>& statistics, DriverVerdict verdict) {
    return static_cast<std::size_t>(
        std::count_if(statistics.begin(), statistics.end(), [verdict](const CheckedStatistic& one) {
            return one.verdict == verdict;
        }));
}

constexpr DriverVerdict verdicts[] = {
    DriverVerdict::right,     DriverVerdict::late, DriverVerdict::untried, DriverVerdict::missing,
    DriverVerdict::uncounted, DriverVerdict::torn, DriverVerdict::lost,    DriverVerdict::wrong};

std::string summary_of(const DriverReport& report) {
    std::vector<std::string> parts;
    for (const DriverVerdict verdict : verdicts)
        if (const auto count = count_of(report.statistics, verdict))
            parts.push_back(fmt::format("{} {}", count, verdict_name(verdict)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

std::size_t count_bad(const DriverReport& report) {
    return count_of(report.statistics, DriverVerdict::torn) +
           count_of(report.statistics, DriverVerdict::lost) +
           count_of(report.statistics, DriverVerdict::wrong);
}

std::string driver_report_text(
    const DriverReport& report, const std::string& interface, const macstats_model& model) {
    Table table({"STATISTIC", "VERDICT", "TRIAL", "EXPECTED", "ACTUAL", "AFTER"});
    for (const CheckedStatistic& one : report.statistics) {
        std::vector<std::string> row{
            name_of(one.statistic), std::string(verdict_name(one.verdict))};
        for (const DriverFinding* finding : first_findings(one)) {
            row.insert(
                row.end(),
                {std::string(trial_name(finding->trial)), fmt::format("{}", finding->expected),
                 fmt::format("{}", finding->actual), cause_of(*finding, model)});
            table.add(row);
            row = {"", ""};
        }
        if (one.verdict == DriverVerdict::late)
            row.insert(
                row.end(),
                {"", "", "", fmt::format("after {:.1f} s or more", Seconds(*one.late).count())});
        if (one.findings.empty())
            table.add(row);
    }
    std::string text = fmt::format(
        "{}: the driver on registers of {}\n\n{}\n", interface, model.name, table.text());
    if (!report.others.empty())
        text += fmt::format(
            "reported, and not of the model: {}\n", fmt::join(other_names(report), ", "));
    for (const auto& [what, lines] :
         {std::pair("not tried", &report.not_tried), std::pair("failed", &report.failed)})
        for (const std::string& line : *lines)
            text += fmt::format("{}: {}\n", what, line);
    return text + summary_of(report) + "\n";
}

ordered_json driver_report_json(
    const DriverReport& report, const std::string& interface, const macstats_model& model) {
    ordered_json statistics = ordered_json::array();
    for (const CheckedStatistic& one : report.statistics) {
        ordered_json findings = ordered_json::array();
        for (const DriverFinding& finding : one.findings)
            findings.push_back({
                {"trial", trial_name(finding.trial)},
                {"counter", finding.counter
                                ? ordered_json(model.counters[finding.counter->value()].name)
                                : ordered_json()},
                {"frames", finding.counter ? ordered_json() : frames_json(frames_of(finding))},
                {"more_frames", finding.more},
                {"expected", finding.expected},
                {"actual", finding.actual},
            });
        statistics.push_back({
            {"group", one.statistic.group()},
            {"name", one.statistic.name()},
            {"verdict", verdict_name(one.verdict)},
            {"late_seconds", one.late ? ordered_json(Seconds(*one.late).count()) : ordered_json()},
            {"findings", std::move(findings)},
        });
    }
    return {
        {"port", interface},
        {"model", model.name},
        {"statistics", std::move(statistics)},
        {"others", other_names(report)},
        {"not_tried", report.not_tried},
        {"failed", report.failed},
    };
}

} // namespace macstats
