// SPDX-License-Identifier: GPL-2.0 OR MIT
// Manual pages and shell completion of the programs, as their help describes them: what it hides is
// left out.
#pragma once

#include <string>
#include <vector>

#include "cli/cli.hpp"

namespace macstats::documents {

/// How a shell completes a word.
struct Completion {
    enum class Kind {
        none,
        choices,
        files,
        interfaces,
    };
    Kind kind = Kind::none;
    std::vector<std::string> choices{};
};

/// An option, a flag or a positional argument.
struct Argument {
    std::vector<std::string> names; ///< "-h", "--help"; of a positional "PORT"
    std::string value;              ///< as the help prints it, "[SECONDS]"; "" for a flag
    std::string description;
    Completion completion{};
};

/// Paragraphs under a title of a help text: "Examples", "Keys". Lines stay as they are if
/// they are @literal: examples and tables.
struct Paragraph {
    std::string title; ///< "" for text without a title
    std::vector<std::string> lines;
    bool literal = false;
};

/// The commands of a program, or the verbs of a command.
std::vector<const CLI::App*> commands_of(const CLI::App& app);
std::vector<Argument> options_of(const CLI::App& app);
std::vector<Argument> positionals_of(const CLI::App& app);
/// Of all positional arguments: that of the first one with a completion.
Completion completion_of(const CLI::App& app);
/// The parts of the text after the options.
std::vector<Paragraph> paragraphs_of(const CLI::App& app);

struct File {
    std::string name;
    std::string text;
};

/// The edition that each page states.
struct Edition {
    std::string version;
    std::string date; ///< "2026-11-24"
};

/// A manual page in section 1 for a program, and one for each of its commands.
std::vector<File> man_pages(const CLI::App& program, const Edition& edition);

/// The completion of a program for each shell, named as the shell finds it.
File bash_completion(const CLI::App& program);
File zsh_completion(const CLI::App& program);
File fish_completion(const CLI::App& program);

} // namespace macstats::documents
