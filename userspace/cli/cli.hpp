// SPDX-License-Identifier: GPL-2.0 OR MIT
// What the parts of the command share.
#pragma once

#include <cerrno>
#include <functional>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "libmacstats/result.hpp"

namespace macstats::cli {

/// What a subcommand does, once its arguments have been read.
using Action = std::function<Result<void>()>;

/// Add subcommands to @app; the one that is called puts itself into @action.
void add_query_commands(CLI::App& app, Action& action);
void add_emu_commands(CLI::App& app, Action& action);
void add_event_commands(CLI::App& app, Action& action);
void add_export_command(CLI::App& app, Action& action);
void add_registers_command(CLI::App& app, Action& action);
void add_run_command(CLI::App& app, Action& action);
void add_show_command(CLI::App& app, Action& action);
void add_tag_command(CLI::App& app, Action& action);
void add_watch_command(CLI::App& app, Action& action);

/// Error::errnum of an action that worked, and found what was not expected.
inline constexpr int not_as_expected = EBADE;

void print(std::string_view text);
void print_json(const nlohmann::ordered_json& json);
/// A line on stderr.
void complain(std::string_view text);
/// Say how ports come into being.
void hint_if_none(std::size_t ports);

/// A flag --json.
void add_json_flag(CLI::App& command, bool& flag);

/// Names to show in examples, of the first model.
struct Example {
    std::string model;
    std::string counter; ///< as in ethtool -S
    std::string reg;     ///< a register that can be written
    std::string low;     ///< one word of the counter, as a register
};

Example example();

} // namespace macstats::cli
