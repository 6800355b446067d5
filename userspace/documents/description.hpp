// SPDX-License-Identifier: GPL-2.0 OR MIT
// A program as its help describes it, for documents in other forms. It leaves out what the help
// hides.
#pragma once

#include <string>
#include <vector>

namespace macstats::cli {
struct Program;
}

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

struct Command {
    std::string name;
    std::string path; ///< "macstats emu add"
    std::string description;
    std::string usage; ///< "macstats emu add MODEL [OPTIONS]"
    std::vector<Argument> positionals{};
    Completion completion{}; ///< of all positional arguments
    std::vector<Argument> options{};
    std::vector<Paragraph> footer{};
    std::vector<Command> commands{};
};

Command described(const cli::Program& program);

/// The parts of the text after the options of a help.
std::vector<Paragraph> paragraphs(const std::string& footer);

} // namespace macstats::documents
