// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <sstream>

#include "cli/program.hpp"
#include "documents/documents.hpp"
#include "libmacstats/core/names.hpp"

namespace macstats::documents {

namespace {

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

std::vector<Argument> arguments_of(const CLI::App& app, bool positional) {
    std::vector<Argument> arguments;
    for (const CLI::Option* option : app.get_options([positional](const CLI::Option* candidate) {
             return !candidate->get_group().empty() && candidate->get_positional() == positional;
         }))
        arguments.push_back(described(*option));
    return arguments;
}

} // namespace

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands(
        [](const CLI::App* candidate) { return !candidate->get_group().empty(); });
}

std::vector<Argument> options_of(const CLI::App& app) {
    return arguments_of(app, false);
}

std::vector<Argument> positionals_of(const CLI::App& app) {
    return arguments_of(app, true);
}

Completion completion_of(const CLI::App& app) {
    if (cli::path_of(app) == "macstats model") // NAME
        return model_names();
    for (const Argument& argument : positionals_of(app))
        if (argument.completion.kind != Completion::Kind::none)
            return argument.completion;
    return {};
}

std::vector<Paragraph> paragraphs_of(const CLI::App& app) {
    std::vector<Paragraph> found;
    std::istringstream rest(app.get_footer());
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

} // namespace macstats::documents
