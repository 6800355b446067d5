// SPDX-License-Identifier: GPL-2.0 OR MIT
// Declarations that the subcommands share.
#pragma once

#include <cerrno>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "arguments.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/client.hpp"
#include "program.hpp"

namespace macstats::cli {

/// Each adds the options, the help and the subcommands of a command. The one that the user calls
/// stores itself in @action.
void describe_check_driver(CLI::App& command, Action& action);
void describe_count(CLI::App& command, Action& action);
void describe_emu(CLI::App& command, Action& action);
void describe_events(CLI::App& command, Action& action);
void describe_export(CLI::App& command, Action& action);
void describe_model(CLI::App& command, Action& action);
void describe_models(CLI::App& command, Action& action);
void describe_ports(CLI::App& command, Action& action);
void describe_registers(CLI::App& command, Action& action);
void describe_run(CLI::App& command, Action& action);
void describe_show(CLI::App& command, Action& action);
void describe_tag(CLI::App& command, Action& action);
void describe_watch(CLI::App& command, Action& action);

/// Error::errnum of an action that completed, but with a result that was not expected.
inline constexpr int not_as_expected = EBADE;

/// Spaces for each level of JSON that is printed on several lines.
inline constexpr int json_indent = 2;

void print(std::string_view text);
void print_json(const nlohmann::ordered_json& json);
/// Print a line on stderr. Control characters in @text are escaped.
void complain(std::string_view text);
/// The time since 1970 at which the system booted, by its present clocks.
std::chrono::nanoseconds boot_time();
/// True if the locale's character set is UTF-8.
bool is_utf8();
/// Whether a person reads what goes to a file descriptor.
bool is_terminal(int fd);
/// True for a terminal that obeys escape sequences: not if TERM is "dumb".
bool shows_screens(int fd);
/// True for such a terminal, unless the user set NO_COLOR (https://no-color.org).
bool wants_colours(int fd);
/// Report on stderr that a list is empty: "no ports; `COMMAND` adds one".
void report_none(std::string_view things, std::string_view next);
void report_no_ports();

/// Add what is typed for a command, which is then done by @act(request). It lives as long as the
/// command.
template <typename Request, typename Act>
Request& request_of(CLI::App& command, Action& action, Act act) {
    auto request = std::make_shared<Request>();
    command.callback(
        [&action, request, act] { action = [request, act] { return act(*request); }; });
    return *request;
}

/// Add an option. @names: its own and, after a blank, that of its value in the help, as in
/// "--count N". A list has one word each time: CLI11 would give it those that follow, and take
/// brackets off.
template <typename Value>
CLI::Option*
add_option(CLI::App& command, const std::string& names, Value& value, const std::string& help) {
    const auto blank = names.find(' ');
    return command.add_option(names.substr(0, blank), value, help)
        ->option_text(names.substr(blank + 1))
        ->allow_extra_args(false);
}

/// Add a flag --json.
CLI::Option* add_json_flag(CLI::App& command, bool& flag);

inline constexpr const char* port_help = "Interface: name, alternative name or index";
inline constexpr const char* ports_help =
    "Interfaces: names, alternative names or indices (default: all ports)";

/// Names for examples, of the first model.
struct Example {
    std::string model;
    std::string counter; ///< as in ethtool -S
    std::string reg;     ///< with the longest frame that is not oversize
    std::string low;     ///< one word of the counter, as a register
};

Example example();

} // namespace macstats::cli
