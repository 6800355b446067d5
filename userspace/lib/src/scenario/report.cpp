// SPDX-License-Identifier: GPL-2.0 OR MIT
// Reports in the formats TAP, JUnit XML and JSON.
#include <array>
#include <ostream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "core/text.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/scenario/runner.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

// A number sign ends a description in TAP; a backslash escapes it.
std::string tap(std::string_view text) {
    std::string result;
    for (const char octet : printable(text)) {
        if (octet == '\\' || octet == '#')
            result += '\\';
        result += octet;
    }
    return result;
}

// An expected or actual value: a number, true, false, null, or a text.
ordered_json value_json(const std::string& text) {
    if (text.empty())
        return nullptr;
    const ordered_json value = ordered_json::parse(text, nullptr, false);
    return value.is_number_unsigned() || value.is_boolean() ? value : ordered_json(text);
}

// JSON with printable strings is also YAML.
std::string yaml(const ordered_json& json) {
    return (json.is_string() ? ordered_json(printable(json.get<std::string>())) : json).dump();
}

double seconds(std::chrono::nanoseconds duration) {
    return std::chrono::duration<double>(duration).count();
}

// By enum Outcome.
using Counts = std::array<std::size_t, 3>;

void count(Counts& counts, const Report& report) {
    counts[static_cast<std::size_t>(report.outcome)]++;
}

class Tap final : public ReportWriter {
public:
    explicit Tap(std::ostream& out) : out_(out) {}

    void begin(std::size_t scenarios) override {
        fmt::print(
            out_, "TAP version 13\n1..{}{}\n", scenarios, scenarios ? "" : " # SKIP no scenario");
        out_.flush();
    }

    void add(const Report& report) override {
        const bool failed = report.outcome == Outcome::failed;
        fmt::print(
            out_, "{} {} - {} # {}\n", failed ? "not ok" : "ok", ++number_, tap(report.name),
            report.outcome == Outcome::skipped
                ? "SKIP " + tap(report.reason)
                : fmt::format("time={:.0f}ms", seconds(report.duration) * 1000));
        if (failed)
            details(report);
        for (const std::string& text : report.not_compared)
            fmt::print(out_, "# not compared: {}\n", printable(text));
        out_.flush(); // so that a reader sees the progress
    }

    void end() override {}

private:
    void details(const Report& report) {
        fmt::print(out_, "  ---\n  file: {}\n", yaml(report.file));
        if (!report.reference.empty())
            fmt::print(out_, "  reference: {}\n", yaml(report.reference));
        fmt::print(out_, "  failures:\n");
        for (const Failure& failure : report.failures) {
            fmt::print(out_, "    - step: {}\n      kind: {}\n", failure.step, failure.kind);
            item("port", failure.port);
            item("counter", failure.subject);
            item("expected", value_json(failure.expected));
            item("actual", value_json(failure.actual));
            item("datasheet", failure.datasheet);
            item("explanation", failure.explanation);
            item("remark", failure.remark);
        }
        fmt::print(out_, "  ...\n");
    }

    void item(std::string_view key, const ordered_json& value) {
        if (!value.is_null() && value != "")
            fmt::print(out_, "      {}: {}\n", key, yaml(value));
    }

    std::ostream& out_;
    std::size_t number_ = 0;
};

class JUnit final : public ReportWriter {
public:
    JUnit(std::ostream& out, std::string_view backend) : out_(out), backend_(backend) {}

    void begin(std::size_t) override {}

    void add(const Report& report) override {
        count(counts_, report);
        total_ += report.duration;
        cases_ += fmt::format(
            "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.6f}\"", markup(report.name),
            markup(report.file), seconds(report.duration));
        switch (report.outcome) {
        case Outcome::passed:
            if (report.not_compared.empty()) {
                cases_ += "/>\n";
                return;
            }
            cases_ += ">\n";
            break;
        case Outcome::skipped:
            cases_ += fmt::format(">\n      <skipped message=\"{}\"/>\n", markup(report.reason));
            break;
        case Outcome::failed:
            add_failures(report);
            break;
        }
        if (!report.not_compared.empty()) {
            cases_ += "      <system-out>";
            for (const std::string& text : report.not_compared)
                cases_ += "not compared: " + markup(text) + "\n";
            cases_ += "</system-out>\n";
        }
        cases_ += "    </testcase>\n";
    }

    // The counts precede the cases, which are kept until here.
    void end() override {
        const auto [passed, failed, skipped] = counts_;
        const std::string counts = fmt::format(
            "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.6f}\"",
            passed + failed + skipped, failed, skipped, seconds(total_));
        fmt::print(
            out_,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites {0}>\n"
            "  <testsuite name=\"macstats.{1}\" {0}>\n"
            "{2}"
            "  </testsuite>\n"
            "</testsuites>\n",
            counts, markup(backend_), cases_);
        out_.flush();
    }

private:
    void add_failures(const Report& report) {
        cases_ += fmt::format(
            ">\n      <failure message=\"{}\">",
            report.failures.empty() ? "" : markup(failure_text(report.failures.front())));
        for (const Failure& failure : report.failures) {
            cases_ += markup(failure_text(failure)) + "\n";
            if (!failure.datasheet.empty())
                cases_ += "  " + markup(failure.datasheet) + "\n";
            if (!failure.explanation.empty())
                cases_ += "  " + markup(failure.explanation) + "\n";
        }
        if (!report.reference.empty())
            cases_ += "See " + markup(report.reference) + "\n";
        cases_ += "</failure>\n";
    }

    std::ostream& out_;
    std::string backend_;
    std::string cases_;
    Counts counts_{};
    std::chrono::nanoseconds total_{};
};

class Json final : public ReportWriter {
public:
    explicit Json(std::ostream& out) : out_(out) {}

    void begin(std::size_t) override {}

    void add(const Report& report) override {
        ordered_json json = {
            {"file", report.file},
            {"name", report.name},
            {"reference", report.reference},
            {"outcome", outcome_name(report.outcome)},
        };
        if (report.outcome == Outcome::skipped)
            json["reason"] = report.reason;
        for (const Failure& failure : report.failures) {
            ordered_json& added = json["failures"].emplace_back(ordered_json{
                {"step", failure.step},
                {"kind", failure.kind},
                {"port", failure.port},
                {"subject", failure.subject},
                {"expected", value_json(failure.expected)},
                {"actual", value_json(failure.actual)},
                {"datasheet", failure.datasheet},
            });
            if (!failure.remark.empty())
                added["remark"] = failure.remark;
        }
        if (!report.not_compared.empty())
            json["not_compared"] = report.not_compared;
        scenarios_.push_back(std::move(json));
        seconds_.push_back(seconds(report.duration));
        count(counts_, report);
    }

    void end() override {
        const auto [passed, failed, skipped] = counts_;
        const ordered_json json = {
            {"scenarios", std::move(scenarios_)},
            {"passed", passed},
            {"failed", failed},
            {"skipped", skipped},
            {"seconds", std::move(seconds_)},
        };
        constexpr int indent = 2;
        out_ << json_text(json, indent) << "\n";
        out_.flush();
    }

private:
    std::ostream& out_;
    ordered_json scenarios_ = ordered_json::array();
    ordered_json seconds_ = ordered_json::array();
    Counts counts_{};
};

} // namespace

std::unique_ptr<ReportWriter>
report_writer(ReportFormat format, std::ostream& out, std::string_view backend) {
    switch (format) {
    case ReportFormat::tap:
        return std::make_unique<Tap>(out);
    case ReportFormat::junit:
        return std::make_unique<JUnit>(out, backend);
    case ReportFormat::json:
        return std::make_unique<Json>(out);
    }
    throw std::invalid_argument("no such format of reports");
}

} // namespace macstats
