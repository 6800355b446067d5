// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "documents/description.hpp"

#include <algorithm>
#include <sstream>

#include "cli/cli.hpp"
#include "libmacstats/core/names.hpp"

namespace macstats::documents {

namespace {

bool is_visible(const std::string& group) {
    return !group.empty();
}

Completion model_names() {
    Completion models{.kind = Completion::Kind::choices};
    for (const macstats_model* model : all_models())
        models.choices.emplace_back(model->name);
    return models;
}

// "rx|tx" are choices, "ADDRESS:PORT" and "NAME=VALUE" are not. Otherwise, the name that the help
// gives to a value decides: an argument called FILE is a file.
Completion completion_of(const Argument& argument) {
    if (argument.value.find('|') != std::string::npos) {
        Completion words{.kind = Completion::Kind::choices};
        std::istringstream rest(argument.value);
        for (std::string word; std::getline(rest, word, '|');)
            words.choices.push_back(word);
        return words;
    }
    for (const std::string& name : {argument.names.back(), argument.value}) {
        if (name == "FILE")
            return {.kind = Completion::Kind::files};
        if (name == "PORT" || name == "A" || name == "B")
            return {.kind = Completion::Kind::interfaces};
        if (name == "MODEL" || name == "--model")
            return model_names();
    }
    return {};
}

// The positional argument that completes all words: the first one with a completion.
Completion completion_of(const Command& command) {
    if (command.path == "macstats model") // NAME
        return model_names();
    for (const Argument& argument : command.positionals)
        if (argument.completion.kind != Completion::Kind::none)
            return argument.completion;
    return {};
}

Argument described(const CLI::Option& option) {
    Argument argument{.names = {}, .value = {}, .description = option.get_description()};
    if (option.get_positional()) {
        argument.names.push_back(option.get_name());
        argument.completion = completion_of(argument);
        return argument;
    }
    for (const std::string& name : option.get_snames())
        argument.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames())
        argument.names.push_back("--" + name);
    if (option.get_items_expected_max() != 0)
        argument.value =
            option.get_option_text().empty() ? std::string("VALUE") : option.get_option_text();
    argument.completion = completion_of(argument);
    return argument;
}

Command described(const CLI::App& app) {
    Command command{
        .name = app.get_name(),
        .path = cli::path_of(app),
        .description = app.get_description(),
        .usage = cli::usage_of(app)};
    for (const CLI::Option* option : app.get_options(
             [](const CLI::Option* candidate) { return is_visible(candidate->get_group()); }))
        (option->get_positional() ? command.positionals : command.options)
            .push_back(described(*option));
    command.completion = completion_of(command);
    command.footer = paragraphs(app.get_footer());
    for (const CLI::App* verb : app.get_subcommands(
             [](const CLI::App* candidate) { return is_visible(candidate->get_group()); }))
        command.commands.push_back(described(*verb));
    return command;
}

} // namespace

std::vector<Paragraph> paragraphs(const std::string& footer) {
    std::vector<Paragraph> found;
    std::istringstream rest(footer);
    bool ends = true;
    for (std::string line; std::getline(rest, line);) {
        if (line.empty()) {
            ends = true;
            continue;
        }
        const bool is_title = ends && line.ends_with(':') && line.find(' ') == std::string::npos;
        if (ends)
            found.push_back({.title = {}, .lines = {}});
        ends = false;
        if (is_title) {
            found.back().title = line.substr(0, line.size() - 1);
            found.back().literal = true;
        } else {
            const auto start = found.back().literal ? line.find_first_not_of(' ') : 0;
            found.back().lines.push_back(line.substr(start));
        }
    }
    return found;
}

Command described(const cli::Program& program) {
    cli::Action action;
    return described(*cli::parser_of(program, action));
}

} // namespace macstats::documents
