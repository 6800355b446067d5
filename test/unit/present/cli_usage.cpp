// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The command as its users see it, where no kernel module is needed: output,
// complaints and exit codes.
#include "boost_test.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "json.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/netlink/client.hpp"
#include "present/model.hpp"

BOOST_AUTO_TEST_SUITE(unit_cli_usage)

using macstats::test::parse_json;

namespace {

struct Outcome {
    int code;
    std::string out;
    std::string complaints;
};

std::string read_all(std::FILE* file) {
    std::string text;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), file)) > 0;)
        text.append(buffer.data(), n);
    return text;
}

std::pair<int, std::string> shell(const std::string& line) {
    std::FILE* pipe = popen(line.c_str(), "r");
    BOOST_REQUIRE(pipe != nullptr);
    std::string text = read_all(pipe);
    const int status = pclose(pipe);
    BOOST_REQUIRE(WIFEXITED(status));
    return {WEXITSTATUS(status), text};
}

Outcome macstats_command(const std::string& arguments) {
    const std::string line = std::string(MACSTATS_PROGRAM) + " " + arguments;
    const auto [code, out] = shell(line + " 2>/dev/null");
    return {code, out, shell("(" + line + ") 2>&1 >/dev/null").second};
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// Whether this kernel has the modules loaded, so that tests would find them.
boost::test_tools::assertion_result modules_are_absent(boost::unit_test::test_unit_id) {
    return !macstats::Client::open().has_value();
}

} // namespace

BOOST_AUTO_TEST_CASE(models_are_listed_as_text_and_as_json) {
    const auto text = macstats_command("models");
    BOOST_TEST(text.code == 0);
    BOOST_TEST(text.complaints == "");
    BOOST_TEST(contains(text.out, "MODEL          PORTS  COUNTERS  BUS  ACCESS"));
    BOOST_TEST(
        contains(text.out, "ixf1104        4      53        32   rclr             -       "));
    BOOST_TEST(
        contains(text.out, "rtl_tally      1      13        32   dump             r8169,8139cp"));

    const auto json = parse_json(macstats_command("models --json").out);
    BOOST_REQUIRE(json.is_array());
    BOOST_TEST(json.size() == macstats::all_models().size());
    BOOST_TEST(json.at(0) == macstats::model_json(*macstats::all_models()[0]));
}

BOOST_AUTO_TEST_CASE(a_model_is_described_as_text_and_as_json) {
    const auto text = macstats_command("model ll40g");
    BOOST_TEST(text.code == 0);
    BOOST_TEST(contains(text.out, "CNTR_TX_CONFIG"));
    const auto json = parse_json(macstats_command("model ll40g --json").out);
    BOOST_TEST(json.at("name") == "ll40g");
}

BOOST_AUTO_TEST_CASE(an_unknown_model_is_bad_input) {
    const auto outcome = macstats_command("model nosuch --json");
    BOOST_TEST(outcome.code == 2);
    BOOST_TEST(outcome.out == "");
    BOOST_TEST(outcome.complaints.starts_with(
        "macstats: this macstats has no model \"nosuch\"; its models are ll40g, "));
}

BOOST_AUTO_TEST_CASE(bad_usage_is_exit_code_2_with_a_complaint) {
    for (const char* arguments :
         {"",
          "nosuch",
          "emu",
          "emu nosuch",
          "model",
          "model ll40g extra",
          "models --nosuch",
          "show --nosuch",
          "show --rate 0 mac0",
          "show --rate=100000",
          "show mac0 --group nosuch",
          "show mac0 --model ll40g",
          "tag",
          "tag name",
          "tag list name",
          "tag delete no/name",
          "tag delete name mac0",
          "watch --interval 0",
          "watch --interval x",
          "watch --count 0",
          "events --count 0",
          "events --count -1",
          "events --timeout x",
          "events --threshold tx_64b",
          "events --threshold tx_64b=many",
          "threshold",
          "registers",
          "registers mac0 --model ll40g",
          "registers --model ll40g",
          "registers --file /dev/null",
          "registers mac0 --model ll40g --file /dev/null",
          "registers --model nosuch --file /dev/null",
          "registers --model ll40g --file /dev/null",
          "registers --model ll40g --file /nosuch",
          "emu add",
          "emu add nosuch",
          "emu add ll40g --power-up maybe",
          "emu add ll40g --seed x",
          "emu add cpsw --netdevs x",
          "emu add cpsw --netdevs 2 --name lab",
          "emu add ll40g --option medium=fiber",
          "emu add ll40g --option",
          "emu add ll40g --name 0123456789abcdef",
          "emu delete",
          "emu link mac0",
          "emu inject mac0 --direction up",
          "emu inject mac0 --length -1",
          "emu inject mac0 --length 65536",
          "emu inject mac0 --count 0",
          "emu inject mac0 --length 4294967296",
          "emu inject mac0 --errors fcs,nosuch",
          "emu inject mac0 --count 18446744073709551616",
          "emu inject mac0 --count 1.5",
          "emu inject mac0 --kind jumbo",
          "emu peek mac0",
          "emu poke mac0 CNTR_TX_CONFIG",
          "emu fault mac0",
          "emu fault mac0 nosuch",
          "emu fault mac0 bus_error maybe",
          "emu fault mac0 bus_error on --off",
          "emu fault mac0 bus_error_at --word",
          "emu add ll40g --line-rate-bound maybe"}) {
        const auto outcome = macstats_command(arguments);
        BOOST_TEST_CONTEXT(arguments) {
            BOOST_TEST(outcome.code == 2);
            BOOST_TEST(outcome.out == "");
            BOOST_TEST(outcome.complaints.starts_with("macstats: "));
        }
    }
}

BOOST_AUTO_TEST_CASE(a_complaint_is_one_line_of_printable_utf8) {
    const auto outcome = macstats_command("model \"$(printf 'no\\033[31m\\377\\nsuch')\"");
    BOOST_TEST(outcome.code == 2);
    BOOST_TEST(contains(outcome.complaints, R"("no\x1b[31m\xff\x0asuch")"));
    BOOST_TEST(std::count(outcome.complaints.begin(), outcome.complaints.end(), '\n') == 1);
}

BOOST_AUTO_TEST_CASE(help_is_no_failure_and_has_examples) {
    for (const char* arguments :
         {"--help", "emu add --help", "emu inject --help", "emu peek --help", "show --help",
          "watch --help", "tag --help", "events --help", "registers --help"}) {
        const auto outcome = macstats_command(arguments);
        BOOST_TEST_CONTEXT(arguments) {
            BOOST_TEST(outcome.code == 0);
            BOOST_TEST(outcome.complaints == "");
            BOOST_TEST(contains(outcome.out, "Example"));
        }
    }
}

BOOST_AUTO_TEST_CASE(help_names_the_values_of_options) {
    const auto fault = macstats_command("emu fault --help");
    BOOST_TEST(contains(fault.out, "--word N "));
    BOOST_TEST(contains(fault.out, "--microseconds N "));
    BOOST_TEST(contains(macstats_command("emu add --help").out, "--line-rate-bound on|off "));
}

BOOST_AUTO_TEST_CASE(the_version_is_printed) {
    const auto outcome = macstats_command("--version");
    BOOST_TEST(outcome.code == 0);
    BOOST_TEST(outcome.out.starts_with("macstats "));
}

BOOST_AUTO_TEST_CASE(a_saved_register_dump_is_decoded_without_a_kernel) {
    // Addresses 0x0f (Max Frame Size) and 0x19, and their values 9600 and 0, as x86 and ARM store
    // them.
    const auto dump = [](const std::string& arguments) {
        return shell(
            "printf '\\017\\000\\000\\000\\200\\045\\000\\000\\031\\000\\000\\000\\000\\000\\000"
            "\\000' | " MACSTATS_PROGRAM " registers --file - --model " +
            arguments + " 2>/dev/null");
    };
    const auto [code, text] = dump("ixf1104 --json");
    BOOST_TEST(code == 0);
    const auto json = parse_json(text);
    BOOST_TEST(json.at("registers").at(0).at("name") == "Max Frame Size");
    BOOST_TEST(json.at("registers").at(0).at("value") == 9600);
    BOOST_TEST(dump("ll40g").first == 2);
}

BOOST_AUTO_TEST_CASE(tags_are_listed_from_where_the_environment_says) {
    const auto list = [](const std::string& home) {
        return shell("XDG_STATE_HOME=" + home + " " MACSTATS_PROGRAM " tag list --json");
    };
    BOOST_TEST(list("/nosuch").first == 0);
    BOOST_TEST(parse_json(list("/nosuch").second).empty());
    BOOST_TEST(list("/dev/null").first == 2);
}

BOOST_AUTO_TEST_CASE(output_that_cannot_be_written_is_a_failure) {
    BOOST_TEST(shell(std::string(MACSTATS_PROGRAM) + " models 2>/dev/null >/dev/full").first == 1);
}

BOOST_AUTO_TEST_CASE(
    without_the_kernel_modules_the_exit_code_is_3_with_a_hint,
    *boost::unit_test::precondition(modules_are_absent)) {
    for (const char* arguments :
         {"ports",
          "ports --json",
          "ports --model ll40g",
          "show",
          "show mac0 --json",
          "show mac0 --rate",
          "show --rate 2 mac0 --json",
          "show mac0 --group rmon pause",
          "watch",
          "watch mac0 --json",
          "tag add name mac0",
          "events --timeout 1",
          "events --threshold tx_64b=1 mac0",
          "registers mac0",
          "emu add ll40g",
          "emu list",
          "emu delete 0",
          "emu inject mac0",
          "emu link mac0 mac1",
          "emu unlink mac0",
          "emu peek mac0 0x800",
          "emu poke mac0 CNTR_TX_CONFIG 1",
          "emu preset mac0 tx_64b 0xffffffff",
          "emu fault mac0 bus_error on",
          "emu fault mac0 bus_error --off",
          "emu fault mac0 reset --announced",
          "emu fault mac0 bus_error_at --word 3",
          "emu fault mac0 slow_bus --microseconds 10",
          "emu fault mac0 clock_stopped --during-read",
          "emu add ll40g --line-rate-bound off",
          "emu add cpsw --netdevs 2 --name lab%d",
          "emu add ll40g --option vlan_detection=off --option variant=on --power-up random --seed "
          "0x7"}) {
        const auto outcome = macstats_command(arguments);
        BOOST_TEST_CONTEXT(arguments) {
            BOOST_TEST(outcome.code == 3);
            BOOST_TEST(outcome.out == "");
            BOOST_TEST(outcome.complaints.starts_with("macstats: "));
            BOOST_TEST(contains(outcome.complaints, "sudo modprobe macstats_emu"));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
