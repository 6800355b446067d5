// SPDX-License-Identifier: GPL-2.0 OR MIT
// Programs of this project: arguments in, exit code out, help and messages of one form.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli.hpp"

namespace macstats::cli {

struct Program {
    std::string name;
    std::string description;
    /// Adds the options and commands. Parsing the command line then sets @action. The options of
    /// all commands take longer than most commands: those of the others than @called may stay out.
    void (*set_up)(CLI::App& app, Action& action, std::optional<std::string_view> called);
};

/// The macstats command, and the HTTP server that its subcommand export runs.
Program command();
Program exporter();

/// The options and commands of a program, with its help. Parsing sets @action. @called: the word
/// of the only command that needs its options and subcommands; all have them without it.
std::unique_ptr<CLI::App>
parser_of(const Program& program, Action& action, std::optional<std::string_view> called = {});

/// The whole of a program. Returns the exit code: 0 success; 1 failure; 2 bad usage or rejected;
/// 3 the kernel modules are not loaded, or of another version.
int run(const Program& program, int argc, char** argv);

/// The words that lead to a command: "macstats emu add".
std::string path_of(const CLI::App& command);

/// The same, with the arguments: "macstats emu add MODEL [OPTIONS]".
std::string usage_of(const CLI::App& command);

/// The message for a word that is no command of @app.
std::string unknown_command(const CLI::App& app, std::string_view word);

} // namespace macstats::cli
