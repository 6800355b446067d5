// SPDX-License-Identifier: GPL-2.0 OR MIT
// Programs of this project: arguments in, exit code out, help and messages of one form.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libmacstats/core/result.hpp"

namespace CLI {
class App; // its header alone takes 5 s to compile
}

namespace macstats::cli {

/// The work of a subcommand, done after all arguments are read.
using Action = std::function<Result<void>()>;
using Words = std::vector<std::string_view>;

struct Program {
    std::string name;
    std::string description;
    /// Adds the options and commands. Parsing the command line then sets @action. All of them take
    /// longer than most commands: what @words does not need may be missing.
    void (*set_up)(CLI::App& app, Action& action, const std::optional<Words>& words);
};

/// The macstats command, and the HTTP server that its subcommand export runs.
Program command();
Program exporter();

/// The options and commands of a program, with its help. Parsing sets @action. @words: those of
/// the command line, if no other will be parsed.
std::unique_ptr<CLI::App>
parser_of(const Program& program, Action& action, const std::optional<Words>& words = {});

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
