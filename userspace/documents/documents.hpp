// SPDX-License-Identifier: GPL-2.0 OR MIT
// Manual pages and shell completion of the programs.
#pragma once

#include <string>
#include <vector>

#include "documents/description.hpp"

namespace macstats::documents {

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
std::vector<File> man_pages(const Command& program, const Edition& edition);

/// The completion of a program for each shell, named as the shell finds it.
File bash_completion(const Command& program);
File zsh_completion(const Command& program);
File fish_completion(const Command& program);

} // namespace macstats::documents
