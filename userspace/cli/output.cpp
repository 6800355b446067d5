// SPDX-License-Identifier: GPL-2.0 OR MIT
// Output: data to stdout, messages to stderr.
#include "cli.hpp"

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <fmt/format.h>
#include <langinfo.h>
#include <macstats/roles.h>
#include <unistd.h>

#include "core/json_text.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"

namespace macstats::cli {

namespace {

// "" if the environment lacks it.
std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

} // namespace

// main() checks once, at the end, that all output was written.
void print(std::string_view text) {
    (void)std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_json(const nlohmann::ordered_json& json) {
    print(json_text(json, json_indent) + "\n");
}

void complain(std::string_view text) {
    const std::string line = fmt::format("macstats: {}\n", printable(text));
    (void)std::fwrite(line.data(), 1, line.size(), stderr);
}

std::chrono::nanoseconds boot_time() {
    const auto now = [](clockid_t clock) {
        timespec time{};
        (void)clock_gettime(clock, &time);
        return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    };
    return now(CLOCK_REALTIME) - now(CLOCK_BOOTTIME);
}

bool is_utf8() {
    (void)std::setlocale(LC_CTYPE, "");
    return std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool is_terminal(int fd) {
    return isatty(fd) == 1;
}

bool shows_screens(int fd) {
    return is_terminal(fd) && variable("TERM") != "dumb";
}

bool wants_colours(int fd) {
    return shows_screens(fd) && variable("NO_COLOR").empty();
}

void report_none(std::string_view things, std::string_view next) {
    complain(fmt::format("no {}; {}", things, next));
}

void report_no_ports() {
    report_none("ports", "`macstats emu add MODEL` adds emulated ones");
}

CLI::Option* add_json_flag(CLI::App& command, bool& flag) {
    return command.add_flag("--json", flag, "Print JSON");
}

Example example() {
    const macstats_model& model = *all_models().front();
    const macstats_counter& counter = model.counters[0];
    const bool two_words = macstats_words(&model, &counter) == 2;
    const macstats_bit max = macstats_find_role(&model, MACSTATS_ROLE_MAX_FRAME_TX);
    const int max_frame = max.mask ? macstats_register_at(&model, max.offset) : -1;

    return {
        .model = model.name,
        .counter = counter.name,
        .reg = max_frame >= 0 ? model.registers[max_frame].name : "REGISTER",
        .low = fmt::format("{}{}", counter.reg, two_words ? "_LO" : "")};
}

} // namespace macstats::cli
