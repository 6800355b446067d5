// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/driver_check.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/frame.hpp"
#include "present/count.hpp"
#include "present/table.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;
using Seconds = std::chrono::duration<double>;

std::string name_of(const StandardValue& statistic) {
    return fmt::format("{}/{}", statistic.group(), statistic.name());
}

CountedFrames frames_of(const DriverFinding& finding) {
    return {.frame = request_of(finding.frame), .count = finding.count};
}

std::string cause_of(const DriverFinding& finding, const macstats_model& model) {
    if (finding.went_back)
        return "went back while others read";
    if (finding.counter)
        return fmt::format("{} counts alone", model.counters[finding.counter->value()].name);
    return frames_text(frames_of(finding)) + (finding.more ? ", and others" : "");
}

// The first finding of each trial, as cells of the table.
std::vector<std::vector<std::string>>
rows_of(const std::vector<DriverFinding>& findings, const macstats_model& model) {
    std::vector<std::vector<std::string>> rows;
    const DriverFinding* last = nullptr;
    for (const DriverFinding& one : findings) {
        if (one.expected && (!last || last->trial != one.trial))
            rows.push_back(
                {std::string(trial_name(one.trial)), fmt::format("{}", *one.expected),
                 one.fall() ? fmt::format("-{}", *one.fall()) : fmt::format("{}", one.actual),
                 cause_of(one, model)});
        last = &one;
    }
    return rows;
}

// A line, or one for each row of findings.
void add_lines(
    Table& table, std::vector<std::string> start,
    const std::vector<std::vector<std::string>>& rows) {
    if (rows.empty())
        table.add(start);
    for (const std::vector<std::string>& row : rows) {
        start.insert(start.end(), row.begin(), row.end());
        table.add(start);
        start = {"", ""};
    }
}

ordered_json
findings_json(const std::vector<DriverFinding>& findings, const macstats_model& model) {
    ordered_json array = ordered_json::array();
    for (const DriverFinding& finding : findings)
        array.push_back({
            {"trial", trial_name(finding.trial)},
            {"counter", finding.counter
                            ? ordered_json(model.counters[finding.counter->value()].name)
                            : ordered_json()},
            {"frames", finding.counter ? ordered_json() : frames_json(frames_of(finding))},
            {"more_frames", finding.more},
            {"went_back", finding.went_back},
            {"expected", or_null(finding.expected)},
            {"macstats", or_null(finding.macstats)},
            {"actual", finding.actual},
            {"before", or_null(finding.before)},
        });
    return array;
}

std::string summary_of(const DriverReport& report) {
    std::map<DriverVerdict, std::size_t> counts;
    for (const CheckedStatistic& one : report.statistics)
        counts[one.verdict]++;
    std::vector<std::string> parts;
    for (const auto& [verdict, count] : counts)
        parts.push_back(fmt::format("{} {}", count, verdict_name(verdict)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

std::size_t count_bad(const DriverReport& report) {
    return static_cast<std::size_t>(std::count_if(
        report.statistics.begin(), report.statistics.end(),
        [](const CheckedStatistic& one) { return is_bad(one.verdict); }));
}

std::string driver_report_text(
    const DriverReport& report, const std::string& interface, const macstats_model& model) {
    Table table({"STATISTIC", "VERDICT", "TRIAL", "EXPECTED", "ACTUAL", "AFTER"});
    for (const CheckedStatistic& one : report.statistics) {
        std::vector<std::string> start{
            name_of(one.statistic), std::string(verdict_name(one.verdict))};
        if (one.verdict == DriverVerdict::late)
            start.insert(
                start.end(),
                {"", "", "", fmt::format("after {:.1f} s or more", Seconds(*one.late).count())});
        add_lines(table, std::move(start), rows_of(one.findings, model));
    }
    std::string text = fmt::format(
        "{}: the driver on registers of {}\n\n{}\n", interface, model.name, table.text());
    Table strings({"ETHTOOL -S", "COUNTER", "TRIAL", "EXPECTED", "ACTUAL", "AFTER"});
    for (const CheckedString& one : report.strings)
        if (!one.findings.empty())
            add_lines(
                strings, {escaped(one.name), model.counters[one.counter.value()].name},
                rows_of(one.findings, model));
    if (strings.has_rows())
        text += strings.text() + "\n";
    for (const auto& [what, lines] :
         {std::pair("not tried", &report.not_tried), std::pair("failed", &report.failed)})
        for (const std::string& line : *lines)
            text += fmt::format("{}: {}\n", what, line);
    return text + summary_of(report) + "\n";
}

ordered_json driver_report_json(
    const DriverReport& report, const std::string& interface, const macstats_model& model) {
    ordered_json statistics = ordered_json::array();
    for (const CheckedStatistic& one : report.statistics)
        statistics.push_back({
            {"group", one.statistic.group()},
            {"name", one.statistic.name()},
            {"verdict", verdict_name(one.verdict)},
            {"late_seconds", one.late ? ordered_json(Seconds(*one.late).count()) : ordered_json()},
            {"findings", findings_json(one.findings, model)},
        });
    ordered_json strings = ordered_json::array();
    for (const CheckedString& one : report.strings)
        strings.push_back({
            {"name", one.name},
            {"counter", model.counters[one.counter.value()].name},
            {"findings", findings_json(one.findings, model)},
        });
    return {
        {"port", interface},
        {"model", model.name},
        {"statistics", std::move(statistics)},
        {"strings", std::move(strings)},
        {"not_tried", report.not_tried},
        {"failed", report.failed},
    };
}

} // namespace macstats
