// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Text that is no JSON, too long, or malicious: the parser rejects it within moments,
// with the reason in one line.
#include "boost_test.hpp"

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "folder.hpp"
#include "scenario_documents.hpp"
#include "text.hpp"

BOOST_AUTO_TEST_SUITE(unit_scenario_hostile)

using namespace macstats;
using namespace macstats::test;

namespace {

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; i++)
        all += text;
    return all;
}

using Json = nlohmann::ordered_json;

// All values in @document but itself.
std::vector<Json::json_pointer> places_in(const Json& document) {
    std::set<std::string> places;
    const Json flat = document.flatten();
    for (const auto& [pointer, value] : flat.items())
        for (Json::json_pointer place(pointer); !place.empty(); place.pop_back())
            places.insert(place.to_string());
    return {places.begin(), places.end()};
}

// Half a second is as good as one; a total or standard statistic may be null.
bool is_allowed(const Json::json_pointer& place, const Json& value) {
    if (place.back() == "seconds")
        return value.is_number();
    const std::string parent = place.parent_pointer().to_string();
    return value.is_null() && (parent.ends_with("/rtnl") || parent.ends_with("/rmon") ||
                               parent.ends_with("/totals") || place.back() == "val");
}

const std::string smallest = R"({"name": "x", "devices": {}, "steps": []})";

} // namespace

BOOST_AUTO_TEST_CASE(syntax_errors_have_line_and_column) {
    // nlohmann-json has another reason from 3.11.3 on.
    BOOST_TEST(rejection("").starts_with("line 1, column 1: "));
    BOOST_TEST(contains(rejection(""), "input"));
    BOOST_TEST(!contains(rejection(""), "json.exception"));
    BOOST_TEST(
        rejection("{\n  \"name\": nul\n}") ==
        "line 2, column 14: syntax error while parsing value - invalid literal");
    BOOST_TEST(
        rejection("{\"name\" \"x\"}") == "line 1, column 11: syntax error while parsing object "
                                         "separator - unexpected string literal; "
                                         "expected ':'");
    BOOST_TEST(rejection("{'name': 1}").starts_with("line 1, column 2: "));
    BOOST_TEST(rejection("// comment\n{}").starts_with("line 1, column 1: "));
    BOOST_TEST(rejection(R"({"name": "x", "devices": {}, "steps": [],})")
                   .starts_with("line 1, column 42: "));
}

BOOST_AUTO_TEST_CASE(nothing_may_stand_behind_the_scenario) {
    BOOST_TEST(parse_scenario(smallest + "\n\n", "").has_value());
    BOOST_TEST(contains(rejection(smallest + "x"), "expected end of input"));
    BOOST_TEST(contains(rejection(smallest + smallest), "expected end of input"));
    // The JSON library would take a NUL character for the end.
    BOOST_TEST(
        rejection(smallest + "\n" + std::string(1, '\0') + "x") ==
        "line 2, column 1: expected text, not a NUL character");
}

BOOST_AUTO_TEST_CASE(names_must_not_be_repeated) {
    BOOST_TEST(
        rejection(R"({"name": "x", "devices": {}, "steps": [], "name": "y"})") ==
        "/name: expected this name once in the object");
    BOOST_TEST(
        rejection_of_step(R"({"send": {"port": "mac", "length": 1, "count": 1, "length": 2}})") ==
        "send/length: expected this name once in the object");
    BOOST_TEST(
        rejection(R"({"name": "x", "devices": {"a/~": {"model": "cpsw"}, "a/~": {}}})") ==
        "/devices/a~1~0: expected this name once in the object");
    // The same name, written in another way.
    BOOST_TEST(
        rejection(R"([1, {"a": 1, "\u0061": 2}])") ==
        "/1/a: expected this name once in the object");
}

BOOST_AUTO_TEST_CASE(text_must_be_utf_8) {
    for (const char* bytes :
         {"\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"})
        BOOST_TEST(
            contains(rejection("{\"name\": \"" + std::string(bytes) + "\"}"), "ill-formed UTF-8"));
    BOOST_TEST(contains(rejection(R"({"name": "\ud800"})"), "surrogate"));
    BOOST_TEST(rejection("{\"name\": \"\xff\"}")
                   .starts_with("line 1, column 11: syntax error while parsing value"));
}

BOOST_AUTO_TEST_CASE(control_characters_are_not_passed_on_to_a_terminal) {
    const std::string message = rejection_of_step(R"({"poll": {"port": "\u001b[2J\u007f"}})");
    BOOST_TEST(contains(message, "\\x1b[2J\\x7f"));
    BOOST_TEST(!contains(message, "\x1b"));
}

BOOST_AUTO_TEST_CASE(numbers_are_exact_or_rejected) {
    BOOST_TEST(
        rejection_of_step(R"({"send": {"port": "mac", "count": 1)" + std::string(10000, '0') + "}}")
            .starts_with("send/count: expected a smaller number, not 1000"));
    BOOST_TEST(
        rejection_of_step(
            R"({"send": {"port": "mac", "count": 0.)" + std::string(10000, '0') + "}}")
            .starts_with("send/count: expected an integer from 1 to 9223372036854775807, in digits "
                         "alone, not 0.000"));
    BOOST_TEST(
        rejection_of_step(R"({"advance": {"seconds": 1e400}})") ==
        "advance/seconds: expected a smaller number, not 1e400");
    for (const char* text : {"NaN", "Infinity", "-Infinity", "+1", "01", "0x10", ".5", "1."})
        BOOST_TEST_CONTEXT(text)
    BOOST_TEST(contains(
        rejection(with_steps(std::string(R"({"advance": {"seconds": )") + text + "}}")),
        "syntax error"));
}

BOOST_AUTO_TEST_CASE(depth_is_limited) {
    BOOST_TEST(
        rejection(repeated("[", 100000)) ==
        repeated("/0", 32) + ": expected no more than 32 levels of arrays and objects");
    BOOST_TEST(
        rejection(repeated("{\"a\":", 100000)) ==
        repeated("/a", 32) + ": expected no more than 32 levels of arrays and objects");
    BOOST_TEST(
        rejection(repeated("[", 32) + repeated("]", 32)) == "expected an object, not an array");
    BOOST_TEST(
        rejection(R"({"name": [1, {"x": )" + repeated("[", 30)) ==
        "/name/1/x" + repeated("/0", 29) +
            ": expected no more than 32 levels of arrays and objects");
}

BOOST_AUTO_TEST_CASE(every_value_of_the_wrong_type_is_rejected) {
    const std::string good =
        R"({"name": "x", "reference": "r", "devices": {"mac": {"model": "cpsw", "power_up": "zero",
            "seed": 1, "options": {"duplex": "full"}, "registers": {"STAT_PORT_EN": 7}}}, "steps": [
            {"send": {"port": "mac", "direction": "tx", "length": 64, "destination": "unicast",
            "kind": "data", "origin": "mac", "vlan_tags": 1, "errors": ["fcs"], "collisions": 1,
            "deferred": true, "count": 1}}, {"read": {"port": "mac", "register": "ID_VER",
            "expect": 1}}, {"write": {"port": "mac", "register": "ID_VER", "value": 1}},
            {"preset": {"port": "mac", "counters": {"Collisions": 1}}},
            {"fault": {"port": "mac", "name": "bus_error", "active": true}},
            {"poll": {"port": "mac"}}, {"advance": {"seconds": 1}},
            {"expect": {"port": "mac", "totals": {"Collisions": 1}, "others": "any",
            "standard": {"rtnl": {"collisions": 1}, "rmon": {"rx-pktsNtoM": [{"low": 64, "high": 64,
            "val": 1}]}}, "state": {"stale": true, "possible_loss": true, "discontinuities": 1},
            "fresh": true}}]})";
    const Json document = Json::parse(good);
    BOOST_REQUIRE(parse_scenario(document.dump(), "").has_value());

    const Json others[] = {nullptr, false, 1.5, "z", Json::array({1, 2}), Json::object({{"z", 1}})};
    unsigned int places = 0;
    for (const Json::json_pointer& place : places_in(document))
        for (const Json& other : others) {
            if (other.type() == document.at(place).type() || is_allowed(place, other))
                continue;
            Json changed = document;
            changed.at(place) = other;
            const std::string message = rejection(changed.dump());
            BOOST_TEST(
                contains(message, "expected"), place.to_string()
                                                   << " " << other << ": " << message);
            places++;
        }
    BOOST_TEST(places > 200U);
}

BOOST_AUTO_TEST_CASE(messages_stay_short_whatever_they_are_about) {
    const std::string longest(1000000, 'x');
    for (const std::string& text :
         {with_steps(R"({"poll": {"port": ")" + longest + R"("}})"),
          with_steps(R"({")" + longest + R"(": {}})"),
          with_steps(R"({"read": {"port": "mac", "register": ")" + longest + R"("}})"),
          with_steps(R"({"read": {"port": "mac", "register": "0x)" + longest + R"("}})"),
          with_steps(R"({"preset": {"port": "mac", "counters": {")" + longest + R"(": 1}}})"),
          with_steps(R"({"expect": {"port": "mac", "standard": {")" + longest + R"(": {}}}})"),
          with_device(R"({"model": ")" + longest + R"("})"),
          with_device(R"({"model": "cpsw", "options": {")" + longest + R"(": true}})"),
          with_device(R"({"model": "cpsw", "options": {"duplex": ")" + longest + R"("}})"),
          std::string("{\"name\": \"") + longest, "{" + longest}) {
        const std::string message = rejection(text);
        BOOST_TEST(message.size() < 2000U);
        BOOST_TEST(!contains(message, "\n"));
    }
}

BOOST_AUTO_TEST_CASE(a_scenario_has_no_more_values_than_fit_into_the_memory) {
    const std::string start = R"({"name": "x", "devices": {}, "steps": [)";
    // The document, the name, the devices and the steps are values, too.
    BOOST_TEST(
        rejection(start + repeated("1,", (8U << 20) - 4) + "1]}") ==
        "/steps/8388604: expected no more than 8388608 values in all");
}

BOOST_AUTO_TEST_CASE(files_are_read_to_their_end) {
    const Folder folder;
    const auto scenario = load_scenario(folder.file("good.json", smallest));
    BOOST_TEST(scenario->file == folder.path / "good.json");

    const std::string bad = folder.file("bad.json", "{}");
    BOOST_TEST(load_scenario(bad).error().message == bad + ": expected a member \"name\"");
}

BOOST_AUTO_TEST_CASE(unreadable_files_are_rejected_with_the_reason) {
    const Folder folder;
    const auto missing = load_scenario(folder.path / "missing.json");
    BOOST_TEST(missing.error().errnum == ENOENT);
    BOOST_TEST(
        missing.error().message ==
        (folder.path / "missing.json").string() + ": No such file or directory");
    BOOST_TEST(load_scenario(folder.path).error().errnum == EISDIR);
    const auto empty = load_scenario(folder.file("empty.json", ""));
    BOOST_TEST(empty.error().errnum == EINVAL);
    BOOST_TEST(contains(empty.error().message, ": line 1, column 1: "));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_too_long_is_not_read_to_its_end) {
    const Folder folder;
    const std::string huge = folder.file("huge.json", "{");
    std::filesystem::resize_file(huge, 100U << 20);
    for (const std::string& name : {huge, std::string("/dev/zero")}) {
        const auto scenario = load_scenario(name);
        BOOST_TEST(scenario.error().errnum == EFBIG);
        BOOST_TEST(
            scenario.error().message == name + ": expected no more than 67108864 octets (64 MiB)");
    }
    const std::string longest = smallest + std::string(most_scenario_octets - smallest.size(), ' ');
    BOOST_TEST(parse_scenario(longest, "").has_value());
    BOOST_TEST(parse_scenario(longest + " ", "").error().errnum == EFBIG);
}

BOOST_AUTO_TEST_CASE(a_pipe_is_read_until_its_writer_is_done) {
    const Folder folder;
    const std::string fifo = folder.path / "fifo";
    BOOST_REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
    std::thread writer([&fifo] { std::ofstream(fifo) << smallest; });
    const auto scenario = load_scenario(fifo);
    writer.join();
    BOOST_TEST(scenario.has_value());
}

// A generous bound: it takes a third of a second on an idle machine of 2022.
BOOST_AUTO_TEST_CASE(two_hundred_thousand_steps_are_read_in_seconds) {
    std::string steps;
    for (int i = 0; i < 200000; i++)
        steps +=
            R"(    { "send":   { "port": "mac", "direction": "tx", "kind": "data", "length": 64, )"
            R"("count": )" +
            std::to_string(i + 1) + " } },\n";
    const std::string text = with_steps(steps + R"({"poll": {"port": "mac"}})");
    const auto start = std::clock();
    const auto scenario = parse_scenario(text, "");
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    BOOST_TEST(scenario->steps.size() == 200001U);
    BOOST_TEST_MESSAGE(text.size() << " octets in " << seconds << " s of processor time");
    BOOST_TEST(seconds < 10);
}

BOOST_AUTO_TEST_SUITE_END()
