// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// `macstats run` as its users see it: which files it takes, what it prints where,
// and its exit code.
#include "boost_test.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "folder.hpp"
#include "json.hpp"
#include "libmacstats/netlink/client.hpp"

BOOST_AUTO_TEST_SUITE(unit_runner_command)

using macstats::test::parse_json;

namespace {

namespace fs = std::filesystem;

const std::string good = R"({"name": "good", "devices": {"mac": {"model": "cpsw"}},
    "steps": [{"expect": {"port": "mac", "totals": {}, "others": "zero"}}]})";
const std::string bad = R"({"name": "bad", "devices": {"mac": {"model": "cpsw"}},
    "steps": [{"expect": {"port": "mac", "totals": {"Tx Octets": 1}}}]})";
const std::string unknown = R"({"name": "unknown", "devices": {}, "stops": []})";

struct Outcome {
    int code;
    std::string out;
    std::string complaints;
};

struct Fixture : macstats::test::Folder {
    Fixture() {
        file("good.json", good);
        file("bad.json", bad);
    }

    // With the folder as the current one.
    Outcome run(const std::string& arguments) const {
        const std::string line = "cd " + path.string() + " && " MACSTATS_PROGRAM " run " +
                                 arguments + " >out.txt 2>complaints.txt";
        const int status = std::system(line.c_str());
        BOOST_REQUIRE(WIFEXITED(status));
        return {WEXITSTATUS(status), content("out.txt"), content("complaints.txt")};
    }
};

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

boost::test_tools::assertion_result modules_are_absent(boost::unit_test::test_unit_id) {
    return !macstats::Client::open().has_value();
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(command, Fixture)

BOOST_AUTO_TEST_CASE(passed_scenarios_exit_with_0) {
    const Outcome outcome = run("good.json");
    BOOST_TEST(outcome.code == 0);
    BOOST_TEST(outcome.out.starts_with("TAP version 13\n1..1\nok 1 - good # time="));
    BOOST_TEST(outcome.complaints == "");
}

BOOST_AUTO_TEST_CASE(a_failed_scenario_exits_with_1_and_the_others_still_run) {
    const Outcome outcome = run("bad.json good.json");
    BOOST_TEST(outcome.code == 1);
    BOOST_TEST(contains(outcome.out, "\nnot ok 1 - bad # "));
    BOOST_TEST(contains(outcome.out, "\nok 2 - good # "));
    BOOST_TEST(outcome.complaints == "macstats: 1 of 2 scenarios failed\n");
}

BOOST_AUTO_TEST_CASE(nothing_runs_unless_all_files_are_understood) {
    file("unknown.json", unknown);
    const Outcome outcome = run("good.json unknown.json nosuch.json");
    BOOST_TEST(outcome.code == 2);
    BOOST_TEST(outcome.out == "");
    BOOST_TEST(contains(outcome.complaints, "macstats: unknown.json: "));
    BOOST_TEST(contains(outcome.complaints, "macstats: nosuch.json: No such file or directory\n"));
    BOOST_TEST(contains(outcome.complaints, "as 2 of 3 files cannot be used\n"));
}

BOOST_AUTO_TEST_CASE(bad_usage_is_exit_code_2) {
    for (const char* arguments :
         {"", "good.json --backend nosuch", "good.json --format yaml", "good.json --nosuch"}) {
        const Outcome outcome = run(arguments);
        BOOST_TEST(outcome.code == 2, arguments);
        BOOST_TEST(outcome.out == "", arguments);
        BOOST_TEST(outcome.complaints.starts_with("macstats: "), arguments);
    }
}

BOOST_AUTO_TEST_CASE(a_folder_stands_for_the_scenarios_below_it_in_order) {
    file("set/b.json", good);
    file("set/a/z.json", good);
    file("set/a/notes.txt", "no scenario");
    const auto report = parse_json(run("set good.json --format json").out);
    BOOST_REQUIRE(report["scenarios"].size() == 3u);
    BOOST_TEST(report["scenarios"][0]["file"] == "set/a/z.json");
    BOOST_TEST(report["scenarios"][1]["file"] == "set/b.json");
    BOOST_TEST(report["scenarios"][2]["file"] == "good.json");

    fs::create_directory(path / "empty");
    const Outcome none = run("empty");
    BOOST_TEST(none.code == 2);
    BOOST_TEST(none.complaints == "macstats: empty: there is no .json file below it\n");
}

BOOST_AUTO_TEST_CASE(a_scenario_comes_from_the_standard_input) {
    const Outcome outcome = run("- <good.json");
    BOOST_TEST(outcome.code == 0);
    BOOST_TEST(contains(outcome.out, "ok 1 - good"));
}

BOOST_AUTO_TEST_CASE(the_report_has_the_format_that_is_asked_for) {
    const Outcome junit = run("good.json bad.json --format junit");
    BOOST_TEST(junit.code == 1);
    BOOST_TEST(contains(junit.out, "<testsuite name=\"macstats.builtin\" tests=\"2\""));
    const Outcome json = run("good.json bad.json --format json --backend builtin");
    BOOST_TEST(json.code == 1);
    BOOST_TEST(parse_json(json.out)["failed"] == 1);
}

BOOST_AUTO_TEST_CASE(scenarios_of_the_same_name_have_their_files_in_tap) {
    file("set/a/z.json", good);
    file("set/bad.json", bad);
    const std::string text = run("set good.json").out;
    BOOST_TEST(contains(text, "\nok 1 - good (a/z.json) # time="));
    BOOST_TEST(contains(text, "\nnot ok 2 - bad # time="));
    BOOST_TEST(contains(text, "\nok 3 - good (good.json) # time="));
    const auto report = parse_json(run("set good.json --format json").out);
    BOOST_TEST(report["scenarios"][0]["name"] == "good");
}

BOOST_AUTO_TEST_CASE(output_that_gets_lost_is_noticed) {
    const int status =
        std::system(("cd " + path.string() +
                     " && " MACSTATS_PROGRAM " run good.json >/dev/full 2>complaints.txt")
                        .c_str());
    BOOST_REQUIRE(WIFEXITED(status));
    BOOST_TEST(WEXITSTATUS(status) == 1);
    BOOST_TEST(content("complaints.txt") == "macstats: cannot write the output\n");
}

BOOST_AUTO_TEST_CASE(
    without_the_modules_the_kernel_backend_is_exit_code_3,
    *boost::unit_test::precondition(modules_are_absent)) {
    const Outcome outcome = run("good.json --backend kernel");
    BOOST_TEST(outcome.code == 3);
    BOOST_TEST(outcome.out == "");
    BOOST_TEST(contains(outcome.complaints, "the kernel modules are not loaded"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
