// SPDX-License-Identifier: GPL-2.0 OR MIT
// Reports for people and for CI servers: TAP, JUnit XML, JSON.
#include <array>
#include <ostream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

#include "libmacstats/runner.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

constexpr char32_t invalid = 0xffffffff;

struct Character {
    char32_t code; // invalid if the octet begins no character of UTF-8
    std::size_t octets;
};

// The first character of a text that is not empty.
Character first_character(std::string_view text) {
    struct Form {
        unsigned char mask;
        unsigned char lead;
        char32_t least; // of what needs so many octets
    };
    static constexpr std::array<Form, 4> forms{
        {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}}};

    const auto lead = static_cast<unsigned char>(text[0]);
    for (std::size_t more = 0; more < forms.size(); more++) {
        if ((lead & forms[more].mask) != forms[more].lead)
            continue;
        char32_t code = lead & static_cast<unsigned char>(~forms[more].mask);
        for (std::size_t i = 1; i <= more; i++) {
            const unsigned int next = i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
            if ((next & 0xc0) != 0x80)
                return {invalid, 1};
            code = code << 6 | (next & 0x3f);
        }
        const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
        if (code < forms[more].least || code > 0x10ffff || is_surrogate)
            return {invalid, 1};
        return {code, more + 1};
    }
    return {invalid, 1};
}

// Printable, and a Char of XML 1.0.
bool is_plain(char32_t code) {
    const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    return !is_control && code != 0xfffe && code != 0xffff && code <= 0x10ffff;
}

// The text on one line, in valid UTF-8, with anything else as \xNN octet by octet.
std::string plain(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const Character character = first_character(text);
        const std::string_view octets = text.substr(0, character.octets);
        if (is_plain(character.code))
            result += octets;
        else
            for (const char octet : octets)
                result += fmt::format("\\x{:02x}", static_cast<unsigned char>(octet));
        text.remove_prefix(character.octets);
    }
    return result;
}

// The text with each octet that is in @special replaced by what @escape gives.
template <typename Escape>
std::string escaped(std::string_view text, std::string_view special, Escape escape) {
    std::string result;
    for (const char octet : text)
        if (special.find(octet) == std::string_view::npos)
            result += octet;
        else
            result += escape(octet);
    return result;
}

// A description in TAP ends at a number sign, and a backslash escapes it.
std::string tap(std::string_view text) {
    return escaped(plain(text), "\\#", [](char octet) { return std::string{'\\', octet}; });
}

std::string xml(std::string_view text) {
    return escaped(plain(text), "&<>\"'", [](char octet) { return fmt::format("&#{};", +octet); });
}

// What was expected or there: a number, true or false, nothing, or words.
ordered_json value_json(const std::string& text) {
    if (text.empty())
        return nullptr;
    const ordered_json value = ordered_json::parse(text, nullptr, false);
    return value.is_number_unsigned() || value.is_boolean() ? value : ordered_json(text);
}

// JSON is YAML, too, as long as its strings are plain.
std::string yaml(const ordered_json& json) {
    return (json.is_string() ? ordered_json(plain(json.get<std::string>())) : json).dump();
}

double seconds(std::chrono::nanoseconds duration) {
    return std::chrono::duration<double>(duration).count();
}

struct Counts {
    std::size_t passed = 0;
    std::size_t failed = 0;
    std::size_t skipped = 0;

    void add(Outcome outcome) {
        switch (outcome) {
        case Outcome::passed:
            passed++;
            break;
        case Outcome::failed:
            failed++;
            break;
        case Outcome::skipped:
            skipped++;
            break;
        }
    }
};

class Tap final : public ReportWriter {
public:
    explicit Tap(std::ostream& out) : out_(out) {}

    void begin(std::size_t scenarios) override {
        fmt::print(out_, "TAP version 13\n1..{}\n", scenarios);
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
        out_.flush(); // so that a reader sees how it goes
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
        counts_.add(report.outcome);
        total_ += report.duration;
        cases_ += fmt::format(
            "    <testcase name=\"{}\" classname=\"{}\" time=\"{:.6f}\"", xml(report.name),
            xml(report.file), seconds(report.duration));
        switch (report.outcome) {
        case Outcome::passed:
            cases_ += "/>\n";
            return;
        case Outcome::skipped:
            cases_ += fmt::format(">\n      <skipped message=\"{}\"/>\n", xml(report.reason));
            break;
        case Outcome::failed:
            add_failures(report);
            break;
        }
        cases_ += "    </testcase>\n";
    }

    // The counts come first, so everything waits for them.
    void end() override {
        const std::string counts = fmt::format(
            "tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.6f}\"",
            counts_.passed + counts_.failed + counts_.skipped, counts_.failed, counts_.skipped,
            seconds(total_));
        fmt::print(
            out_,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites {0}>\n"
            "  <testsuite name=\"macstats.{1}\" {0}>\n"
            "{2}"
            "  </testsuite>\n"
            "</testsuites>\n",
            counts, xml(backend_), cases_);
        out_.flush();
    }

private:
    void add_failures(const Report& report) {
        cases_ += fmt::format(
            ">\n      <failure message=\"{}\">",
            report.failures.empty() ? "" : xml(failure_text(report.failures.front())));
        for (const Failure& failure : report.failures) {
            cases_ += xml(failure_text(failure)) + "\n";
            if (!failure.datasheet.empty())
                cases_ += "  " + xml(failure.datasheet) + "\n";
            if (!failure.explanation.empty())
                cases_ += "  " + xml(failure.explanation) + "\n";
        }
        if (!report.reference.empty())
            cases_ += "See " + xml(report.reference) + "\n";
        cases_ += "</failure>\n";
    }

    std::ostream& out_;
    std::string backend_;
    std::string cases_;
    Counts counts_;
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
            {"outcome", report.outcome == Outcome::passed   ? "passed"
                        : report.outcome == Outcome::failed ? "failed"
                                                            : "skipped"},
        };
        if (report.outcome == Outcome::skipped)
            json["reason"] = report.reason;
        for (const Failure& failure : report.failures)
            json["failures"].push_back({
                {"step", failure.step},
                {"kind", failure.kind},
                {"port", failure.port},
                {"subject", failure.subject},
                {"expected", value_json(failure.expected)},
                {"actual", value_json(failure.actual)},
                {"datasheet", failure.datasheet},
            });
        scenarios_.push_back(std::move(json));
        seconds_.push_back(seconds(report.duration));
        counts_.add(report.outcome);
    }

    void end() override {
        const ordered_json json = {
            {"scenarios", std::move(scenarios_)}, {"passed", counts_.passed},
            {"failed", counts_.failed},           {"skipped", counts_.skipped},
            {"seconds", std::move(seconds_)},
        };
        constexpr int indent = 2;
        out_ << json.dump(indent, ' ', false, ordered_json::error_handler_t::replace) << "\n";
        out_.flush();
    }

private:
    std::ostream& out_;
    ordered_json scenarios_ = ordered_json::array();
    ordered_json seconds_ = ordered_json::array();
    Counts counts_;
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
