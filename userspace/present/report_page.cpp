// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/report_page.hpp"

#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include "core/text.hpp"
#include "libmacstats/core/names.hpp"
#include "present/frame_rules.hpp"
#include "present/report_style.hpp"

namespace macstats {

namespace {

// "1.234 s", "12 ms", "3 µs"
std::string time_text(std::chrono::nanoseconds time) {
    const double seconds = std::chrono::duration<double>(time).count();
    if (seconds >= 1)
        return fmt::format("{:.3f} s", seconds);
    if (seconds >= 1e-3)
        return fmt::format("{:.0f} ms", seconds * 1e3);
    return fmt::format("{:.0f} µs", seconds * 1e6);
}

// A colour is never the only sign.
std::string verdict(Outcome outcome) {
    constexpr std::string_view signs[] = {"✓", "✗", "–"};
    return fmt::format(
        "<span class=\"verdict {0}\">{1} {0}</span>", outcome_name(outcome),
        signs[static_cast<std::size_t>(outcome)]);
}

std::string row(std::string_view what, std::string_view text) {
    if (text.empty())
        return "";
    return fmt::format("<dt>{}</dt><dd>{}</dd>\n", what, markup(text));
}

std::string failure_html(const Failure& failure) {
    const std::string where = failure.kind == "devices"
                                  ? "devices"
                                  : fmt::format("step {} ({})", failure.step, failure.kind);
    return fmt::format("<dl>\n{}", row("where", where)) + row("port", failure.port) +
           row("counter", failure.subject) + row("expected", failure.expected) +
           row("actual", failure.actual) + row("datasheet", failure.datasheet) +
           row("explanation", failure.explanation) + row("remark", failure.remark) + "</dl>\n";
}

// The time that a step takes on the clock of the devices.
std::uint64_t advanced_by(const Step& step) {
    const auto* advance = std::get_if<AdvanceStep>(&step);
    return advance ? advance->nanoseconds : 0;
}

std::string step_html(
    const Scenario& scenario, std::size_t index, const Report& report, std::uint64_t clock_ns) {
    const bool ran = index < report.steps.size();
    const bool failed =
        std::any_of(report.failures.begin(), report.failures.end(), [index](const Failure& one) {
            return one.step == index && one.kind != "devices";
        });
    return fmt::format(
        "<li class=\"{}\"><span class=\"when\">{}</span><code>{}</code>"
        "<span class=\"took\">{}</span></li>\n",
        failed ? "failed"
        : ran  ? "ran"
               : "left",
        time_text(std::chrono::nanoseconds(clock_ns)),
        markup(step_text(scenario, scenario.steps[index])),
        failed ? "✗ failed"
        : ran  ? time_text(report.steps[index])
               : "not run");
}

std::string scenario_html(const Scenario& scenario, const Report& report) {
    std::string text = fmt::format(
        "<li class=\"scenario {}\"><details><summary>{} <span class=\"name\">{}</span> "
        "<span class=\"took\">{}</span></summary>\n<dl>\n",
        outcome_name(report.outcome), verdict(report.outcome), markup(report.name),
        time_text(report.duration));
    text +=
        row("file", report.file) + row("clause", report.reference) + row("reason", report.reason);
    for (const std::string& left_out : report.not_compared)
        text += row("not compared", left_out);
    for (const ScenarioDevice& device : scenario.devices)
        text +=
            row("device",
                fmt::format("{}: {}, {}", device.name, device.model->name, device.model->title));
    text += "</dl>\n<ol class=\"time\" start=\"0\">\n";
    std::uint64_t clock_ns = 0;
    for (std::size_t i = 0; i < scenario.steps.size(); i++) {
        text += step_html(scenario, i, report, clock_ns);
        clock_ns += advanced_by(scenario.steps[i]);
    }
    return text + "</ol></details></li>\n";
}

enum class Covered {
    none,
    part,
    full
};

std::size_t matched(const CounterCoverage& counter) {
    return static_cast<std::size_t>(std::count(counter.rules.begin(), counter.rules.end(), true));
}

Covered covered(const CounterCoverage& counter) {
    const std::size_t rules = matched(counter);
    if (rules == counter.rules.size() && counter.compared)
        return Covered::full;
    return rules || counter.compared ? Covered::part : Covered::none;
}

std::string cell(Covered covered, std::string_view name, std::string_view title) {
    constexpr std::string_view words[] = {"none", "part", "full"};
    constexpr std::string_view signs[] = {"○", "◐", "●"};
    const auto index = static_cast<std::size_t>(covered);
    return fmt::format(
        "<li class=\"{}\" title=\"{}\"><span class=\"sign\">{}</span> {}</li>\n", words[index],
        markup(title), signs[index], markup(name));
}

struct Share {
    std::size_t reached = 0;
    std::size_t all = 0;

    void add(bool is_reached) {
        reached += is_reached;
        all++;
    }
    [[nodiscard]] std::string text(std::string_view what) const {
        return fmt::format(
            "<span class=\"share\">{} <b>{}</b> of {}\n"
            "<svg viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{} "
            "of {}\">"
            "<rect class=\"track\" width=\"100\" height=\"6\"/>"
            "<rect class=\"fill\" width=\"{}\" height=\"6\"/></svg></span>\n",
            what, reached, all, reached, all, all ? reached * 100 / all : 100);
    }
};

std::string coverage_html(const ModelCoverage& coverage) {
    const macstats_model& model = *coverage.model;
    Share rules;
    Share compared;
    Share registers;
    std::string cells;
    std::string missing;
    for (std::size_t i = 0; i < coverage.counters.size(); i++) {
        const CounterCoverage& counter = coverage.counters[i];
        const macstats_counter& counted = model.counters[i];
        compared.add(counter.compared);
        for (std::size_t w = 0; w < counter.rules.size(); w++) {
            rules.add(counter.rules[w]);
            if (!counter.rules[w])
                missing += fmt::format(
                    "<li><b>{}</b>: {}</li>\n", markup(counted.name),
                    markup(
                        macstats_is_software_counter(&counted)
                            ? std::string("a descriptor status")
                            : rule_text(model, counted.when[w])));
        }
        cells += cell(
            covered(counter), counted.name,
            fmt::format(
                "{}: {}. {} of {} rules reached, {}", counted.reg, counted.help, matched(counter),
                counter.rules.size(), counter.compared ? "compared" : "not compared"));
    }
    std::string register_cells;
    for (std::size_t i = 0; i < coverage.registers.size(); i++) {
        registers.add(coverage.registers[i]);
        register_cells += cell(
            coverage.registers[i] ? Covered::full : Covered::none, model.registers[i].name,
            fmt::format(
                "{}; {}", model.registers[i].help,
                coverage.registers[i] ? "set, written or read" : "not accessed"));
    }
    std::string text = fmt::format(
        "<details class=\"model\" open><summary><h3>{}</h3> {}</summary>\n<p class=\"shares\">",
        markup(model.name), markup(model.title));
    text += rules.text("rules") + compared.text("counters compared") +
            registers.text("other registers");
    text += fmt::format("</p>\n<h4>Counters</h4>\n<ul class=\"map\">\n{}</ul>\n", cells);
    if (!register_cells.empty())
        text +=
            fmt::format("<h4>Other registers</h4>\n<ul class=\"map\">\n{}</ul>\n", register_cells);
    if (!missing.empty())
        text += fmt::format(
            "<details><summary>{} rules that no frame reached</summary>\n<ul>\n{}</ul></details>\n",
            rules.all - rules.reached, missing);
    return text + "</details>\n";
}

constexpr std::string_view legend = R"(<p>A counter counts frames by its rules. <b>●</b> frames
reached each rule of the counter, and its value was compared; <b>◐</b> a part of that; <b>○</b>
nothing. Another register is <b>●</b> if a scenario set, wrote or read it.</p>
)";

} // namespace

void ReportPage::add(const Scenario& scenario, const Report& report) {
    counts_[static_cast<std::size_t>(report.outcome)]++;
    duration_ += report.duration;
    coverage_.add(scenario, report.steps.size());
    scenarios_ += scenario_html(scenario, report);
    if (report.outcome != Outcome::failed)
        return;
    failures_ += fmt::format(
        "<article><h3>{}</h3>\n<dl>\n{}{}</dl>\n", markup(report.name), row("file", report.file),
        row("clause", report.reference));
    for (const Failure& failure : report.failures)
        failures_ += failure_html(failure);
    failures_ += "</article>\n";
}

std::string ReportPage::text() const {
    const auto [passed, failed, skipped] = counts_;
    const std::size_t all = passed + failed + skipped;
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'{}'; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}: {} of {} scenarios failed</title>\n<style>{}</style>\n</head>\n<body>\n",
        report_style_hash, "macstats run", failed, all, report_style);
    text += fmt::format(
        "<header><h1>{} {}</h1>\n"
        "<p>macstats run, backend {}, {}: <b>{}</b> scenarios in {}: "
        "<b>{}</b> passed, <b>{}</b> failed, <b>{}</b> skipped.</p></header>\n<main>\n",
        verdict(failed ? Outcome::failed : Outcome::passed),
        failed ? fmt::format("{} of {} scenarios", failed, all) : fmt::format("{} scenarios", all),
        markup(backend_), markup(time_), all, time_text(duration_), passed, failed, skipped);
    if (!failures_.empty())
        text +=
            "<section id=\"failures\"><h2>Failed expectations</h2>\n" + failures_ + "</section>\n";
    text += "<section id=\"coverage\"><h2>Coverage</h2>\n";
    text += legend;
    for (const ModelCoverage& model : coverage_.models())
        text += coverage_html(model);
    text += "</section>\n<section id=\"scenarios\"><h2>Scenarios</h2>\n"
            "<p>Each opens to its time line: the clock of the devices, the step, and how long it "
            "took.</p>\n";
    for (const std::string_view filter : {"all", "failed", "skipped", "passed"})
        text += fmt::format(
            "<input type=\"radio\" name=\"only\" id=\"only-{0}\"{1}><label for=\"only-{0}\">{0}"
            "</label>\n",
            filter, filter == "all" ? " checked" : "");
    return text + fmt::format(
                      "<ul class=\"scenarios\">\n{}</ul></section>\n</main>\n</body>\n</html>\n",
                      scenarios_);
}

} // namespace macstats
