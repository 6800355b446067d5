// SPDX-License-Identifier: GPL-2.0 OR MIT
// Writes the manual pages and shell completions of the programs, as their options describe
// them:
//
//   macstats-documents FOLDER VERSION DATE
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "cli/program.hpp"
#include "documents/documents.hpp"

namespace {

using namespace macstats::documents;

void write(const std::filesystem::path& folder, const File& file) {
    std::filesystem::create_directories(folder);
    std::ofstream out(folder / file.name);
    out << file.text;
    if (!out.flush())
        throw std::runtime_error("cannot write " + (folder / file.name).string());
}

void write_all(const std::filesystem::path& folder, const Edition& edition) {
    for (const auto& program : {macstats::cli::command(), macstats::cli::exporter()}) {
        macstats::cli::Action action;
        const auto parser = macstats::cli::parser_of(program, action);
        const CLI::App& command = *parser;
        for (const File& page : man_pages(command, edition))
            write(folder / "man1", page);
        write(folder / "bash", bash_completion(command));
        write(folder / "zsh", zsh_completion(command));
        write(folder / "fish", fish_completion(command));
    }
}

} // namespace

int main(int argc, char** argv) {
    try {
        if (argc != 4)
            throw std::runtime_error("usage: macstats-documents FOLDER VERSION DATE");
        write_all(argv[1], {.version = argv[2], .date = argv[3]});
    } catch (const std::exception& error) {
        (void)std::fprintf(stderr, "macstats-documents: %s\n", error.what());
        return 1;
    }
    return 0;
}
