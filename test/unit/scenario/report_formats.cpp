// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Reports, as readers that know nothing of this project understand them: Python's
// xml.etree, json and yaml, and a reader of TAP version 13 that takes nothing
// else.
#include "boost_test.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "folder.hpp"
#include "json.hpp"
#include "libmacstats/scenario/runner.hpp"

BOOST_AUTO_TEST_SUITE(unit_report_formats)

namespace {

namespace test = macstats::test;

using macstats::Failure;
using macstats::Outcome;
using macstats::Report;
using macstats::ReportFormat;
using macstats::test::parse_json;
using json = nlohmann::ordered_json;

// Each reader prints [[outcome, name, file or null, [failure messages]], ...].
constexpr const char* read_junit = R"(
import json, sys, xml.etree.ElementTree as tree
suite, = tree.parse(sys.stdin.buffer).getroot()
cases = []
for case in suite:
    outcome = case[0].tag if len(case) else 'passed'
    texts = [case[0].get('message')] if len(case) else []
    cases.append([outcome, case.get('name'), case.get('classname'), texts])
outcomes = [case[0] for case in cases]
assert int(suite.get('tests')) == len(cases)
assert int(suite.get('failures')) == outcomes.count('failure')
assert int(suite.get('skipped')) == outcomes.count('skipped')
assert float(suite.get('time')) >= 0
json.dump(cases, sys.stdout)
)";

constexpr const char* read_json = R"(
import json, sys
report = json.load(sys.stdin.buffer)
cases = [[case['outcome'], case['name'], case['file'],
          case.get('failures', [case['reason']] if 'reason' in case else [])]
         for case in report['scenarios']]
outcomes = [case[0] for case in cases]
for outcome in 'passed', 'failed', 'skipped':
    assert report[outcome] == outcomes.count(outcome)
assert len(report['seconds']) == len(cases)
json.dump(cases, sys.stdout)
)";

constexpr const char* read_tap = R"(
import json, re, sys, yaml
lines = sys.stdin.buffer.read().decode('utf-8').split('\n')
assert lines.pop(0) == 'TAP version 13' and lines.pop() == ''
plan = re.fullmatch(r'1\.\.(\d+)(?: # SKIP \w.*)?', lines.pop(0))
cases = []
while lines:
    line = re.fullmatch(r'(ok|not ok) (\d+) - ((?:[^\\#\x00-\x1f]|\\[\\#])*) # (.*)', lines.pop(0))
    assert int(line[2]) == len(cases) + 1
    outcome, file, texts = line[1], None, []
    if line[4].startswith('SKIP '):
        outcome, texts = 'skip', [re.sub(r'\\(.)', r'\1', line[4][5:])]
    else:
        assert re.fullmatch(r'time=\d+ms', line[4])
    if lines and lines[0] == '  ---':
        end = lines.index('  ...')
        block = yaml.safe_load('\n'.join(lines[1:end]))
        file, texts = block['file'], block['failures']
        del lines[:end + 1]
    assert (outcome == 'not ok') == bool(file)
    cases.append([outcome, re.sub(r'\\(.)', r'\1', line[3]), file, texts])
assert int(plan[1]) == len(cases) and ('SKIP' in plan[0]) == (not cases)
json.dump(cases, sys.stdout)
)";

std::string written(ReportFormat format, const std::vector<Report>& reports) {
    std::ostringstream out;
    const auto writer = macstats::report_writer(format, out, "builtin");
    writer->begin(reports.size());
    for (const Report& report : reports)
        writer->add(report);
    writer->end();
    return out.str();
}

// Feeds a text to a Python program and parses its output as JSON.
json understood(const std::string& program, const std::string& text) {
    const test::Folder folder;
    folder.file("reader.py", program);
    folder.file("report", text);
    const std::string at = folder.path.string();
    const int status = std::system(
        ("/usr/bin/python3 " + at + "/reader.py <" + at + "/report >" + at + "/answer").c_str());
    BOOST_REQUIRE_MESSAGE(WIFEXITED(status) && WEXITSTATUS(status) == 0, "not read:\n" << text);
    std::ifstream answer(folder.path / "answer");
    return parse_json(answer);
}

Report passed(std::string name) {
    Report report;
    report.file = "a.json";
    report.name = std::move(name);
    return report;
}

Report skipped(std::string name, std::string reason) {
    Report report = passed(std::move(name));
    report.outcome = Outcome::skipped;
    report.reason = std::move(reason);
    return report;
}

Report failed(std::string name, std::vector<Failure> failures) {
    Report report = passed(std::move(name));
    report.outcome = Outcome::failed;
    report.failures = std::move(failures);
    return report;
}

const Failure too_few{
    .step = 3,
    .kind = "expect",
    .port = "mac/2",
    .subject = "tx_frames",
    .expected = "18446744073709551615",
    .actual = "4",
    .datasheet = "TXF: Frames sent",
};

const Failure no_bus{
    .step = 1,
    .kind = "read",
    .port = "mac",
    .subject = "TXF",
    .expected = "",
    .actual = "Input/output error",
    .explanation = "cannot read 0x12: Input/output error",
};

const std::vector<Report> one_of_each = {
    passed("frames are counted"),
    failed("frames are counted twice", {too_few, no_bus}),
    skipped("time passes", "no clock here"),
};

} // namespace

BOOST_AUTO_TEST_CASE(tap_reports_the_outcome_of_each_scenario) {
    const json cases = understood(read_tap, written(ReportFormat::tap, one_of_each));
    BOOST_REQUIRE(cases.size() == 3u);
    BOOST_TEST(cases[0] == parse_json(R"(["ok", "frames are counted", null, []])"));
    BOOST_TEST(cases[2] == parse_json(R"(["skip", "time passes", null, ["no clock here"]])"));
    BOOST_TEST(cases[1][0] == "not ok");
    BOOST_TEST(cases[1][2] == "a.json");
    BOOST_TEST(cases[1][3] == parse_json(R"([
        {"step": 3, "kind": "expect", "port": "mac/2", "counter": "tx_frames",
         "expected": 18446744073709551615, "actual": 4, "datasheet": "TXF: Frames sent"},
        {"step": 1, "kind": "read", "port": "mac", "counter": "TXF",
         "actual": "Input/output error",
         "explanation": "cannot read 0x12: Input/output error"}])"));
}

BOOST_AUTO_TEST_CASE(tap_has_the_plan_first_and_each_report_at_once) {
    std::ostringstream out;
    const auto writer = macstats::report_writer(ReportFormat::tap, out, "builtin");
    writer->begin(2);
    BOOST_TEST(out.str() == "TAP version 13\n1..2\n");
    writer->add(passed("first"));
    BOOST_TEST(out.str() == "TAP version 13\n1..2\nok 1 - first # time=0ms\n");
}

BOOST_AUTO_TEST_CASE(junit_reports_the_outcome_of_each_scenario) {
    const json cases = understood(read_junit, written(ReportFormat::junit, one_of_each));
    BOOST_TEST(cases == parse_json(R"([
        ["passed", "frames are counted", "a.json", []],
        ["failure", "frames are counted twice", "a.json",
         ["/steps/3 (expect), mac/2: tx_frames: expected 18446744073709551615, actual 4"]],
        ["skipped", "time passes", "a.json", ["no clock here"]]])"));
}

BOOST_AUTO_TEST_CASE(json_reports_the_outcome_of_each_scenario) {
    const json cases = understood(read_json, written(ReportFormat::json, one_of_each));
    BOOST_TEST(cases == parse_json(R"([
        ["passed", "frames are counted", "a.json", []],
        ["failed", "frames are counted twice", "a.json",
         [{"step": 3, "kind": "expect", "port": "mac/2", "subject": "tx_frames",
           "expected": 18446744073709551615, "actual": 4, "datasheet": "TXF: Frames sent"},
          {"step": 1, "kind": "read", "port": "mac", "subject": "TXF", "expected": null,
           "actual": "Input/output error", "datasheet": ""}]],
        ["skipped", "time passes", "a.json", ["no clock here"]]])"));
}

BOOST_AUTO_TEST_CASE(no_scenarios_are_a_report_too) {
    BOOST_TEST(understood(read_tap, written(ReportFormat::tap, {})) == json::array());
    BOOST_TEST(understood(read_junit, written(ReportFormat::junit, {})) == json::array());
    BOOST_TEST(understood(read_json, written(ReportFormat::json, {})) == json::array());
}

// Everything that a format might stumble over, at every place for a text.
BOOST_AUTO_TEST_CASE(any_text_is_understood) {
    struct Text {
        std::string written;
        std::string understood; // in TAP and XML; JSON holds all of them as they are
    };
    const std::vector<Text> texts = {
        {"a # b", "a # b"},
        {"# SKIP not really", "# SKIP not really"},
        {R"(back\slash \# )", R"(back\slash \# )"},
        {"<a b='c' d=\"e\">&amp;]]></a>", "<a b='c' d=\"e\">&amp;]]></a>"},
        {"two\nlines\r\n\tand more", R"(two\x0alines\x0d\x0a\x09and more)"},
        {std::string("\0\x01\x1b[31m\x7f", 8), R"(\x00\x01\x1b[31m\x7f)"},
        {"\xc2\x85 next line", R"(\xc2\x85 next line)"},
        {"- \u00e4\u20ac\U0001f600: {}", "- \u00e4\u20ac\U0001f600: {}"},
        {"\xef\xbf\xbe\xef\xbf\xbf", R"(\xef\xbf\xbe\xef\xbf\xbf)"}, // no characters of XML
        {"null", "null"},
        {"2026-01-01", "2026-01-01"},
        {"", ""},
    };
    std::vector<Report> reports;
    for (const Text& text : texts) {
        Failure failure{
            .step = 0,
            .kind = "read",
            .port = text.written,
            .subject = text.written,
            .expected = "",
            .actual = "absent",
            .datasheet = text.written,
            .explanation = text.written};
        Report report = failed(text.written, {failure});
        report.file = text.written.empty() ? "-" : text.written;
        report.reference = text.written;
        reports.push_back(report);
        reports.push_back(skipped("again", "because: " + text.written));
    }

    const json tap = understood(read_tap, written(ReportFormat::tap, reports));
    const json junit = understood(read_junit, written(ReportFormat::junit, reports));
    const json exact = understood(read_json, written(ReportFormat::json, reports));
    for (std::size_t i = 0; i < texts.size(); i++) {
        const Text& text = texts[i];
        BOOST_TEST_CONTEXT("text " << i) {
            BOOST_TEST(tap[2 * i][1] == text.understood);
            if (!text.written.empty()) {
                BOOST_TEST(tap[2 * i][2] == text.understood);
                BOOST_TEST(tap[2 * i][3][0]["port"] == text.understood);
                BOOST_TEST(tap[2 * i][3][0]["datasheet"] == text.understood);
            }
            BOOST_TEST(tap[2 * i + 1][3][0] == "because: " + text.understood);
            BOOST_TEST(junit[2 * i][1] == text.understood);
            BOOST_TEST(junit[2 * i + 1][3][0] == "because: " + text.understood);
            BOOST_TEST(exact[2 * i][1] == text.written);
            BOOST_TEST(exact[2 * i][3][0]["port"] == text.written);
        }
    }
}

// Names of files may be any octets but "/" and NUL.
BOOST_AUTO_TEST_CASE(octets_that_are_no_utf_8_are_understood) {
    // A lone octet of each kind, cut off, overlong, a surrogate, beyond Unicode.
    const std::string octets =
        "\x80 \xff \xe2\x82 \xc0\xaf \xe0\x80\xaf \xed\xa0\x80 \xf4\x90\x80\x80 \xc3";
    const std::string escaped = R"(\x80 \xff \xe2\x82 \xc0\xaf \xe0\x80\xaf \xed\xa0\x80 )"
                                R"(\xf4\x90\x80\x80 \xc3)";
    Report report = failed(octets, {no_bus});
    report.file = octets;
    BOOST_TEST(understood(read_tap, written(ReportFormat::tap, {report}))[0][2] == escaped);
    BOOST_TEST(understood(read_junit, written(ReportFormat::junit, {report}))[0][2] == escaped);
    const json exact = understood(read_json, written(ReportFormat::json, {report}));
    BOOST_TEST(exact[0][2] == escaped);
}

// A passed and a failed scenario of which a part was left out.
BOOST_AUTO_TEST_CASE(what_was_not_compared_is_listed_in_each_format) {
    Report passed;
    passed.name = "good";
    passed.not_compared = {"eth0 does not report: rmon/a, <b>"};
    Report failed = passed;
    failed.outcome = Outcome::failed;
    failed.failures = {{.step = 1, .kind = "expect", .expected = "1", .actual = "2"}};

    const std::string tap = written(ReportFormat::tap, {passed, failed});
    BOOST_TEST(tap.starts_with("TAP version 13\n1..2\n"
                               "ok 1 - good # time=0ms\n"
                               "# not compared: eth0 does not report: rmon/a, <b>\n"
                               "not ok 2 - good # time=0ms\n"
                               "  ---\n"));
    BOOST_TEST(tap.ends_with("  ...\n# not compared: eth0 does not report: rmon/a, <b>\n"));

    const json document = parse_json(written(ReportFormat::json, {passed, failed, Report{}}));
    const json expected = {"eth0 does not report: rmon/a, <b>"};
    BOOST_TEST(document["scenarios"][0]["not_compared"] == expected);
    BOOST_TEST(document["scenarios"][1]["not_compared"] == expected);
    BOOST_TEST(!document["scenarios"][2].contains("not_compared"));

    const json outputs = understood(
        R"(
import json, sys, xml.etree.ElementTree as tree
suite, = tree.parse(sys.stdin.buffer).getroot()
json.dump([[[part.tag for part in case], case.find('system-out').text] for case in suite],
          sys.stdout)
)",
        written(ReportFormat::junit, {passed, failed}));
    const std::string text = "not compared: eth0 does not report: rmon/a, <b>\n";
    const json wanted = {
        json::array({json::array({"system-out"}), text}),
        json::array({json::array({"failure", "system-out"}), text})};
    BOOST_TEST(outputs == wanted);
}

BOOST_AUTO_TEST_SUITE_END()
