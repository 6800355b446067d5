// SPDX-License-Identifier: GPL-2.0 OR MIT
// Completion of the command line in bash, zsh and fish. A script is static, except for the
// names of interfaces, which it asks the system for.
#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/program.hpp"
#include "documents/documents.hpp"

namespace macstats::documents {

namespace {

using Kind = Completion::Kind;

std::vector<const CLI::App*> with_all_below(const CLI::App& command) {
    std::vector<const CLI::App*> all = {&command};
    for (const CLI::App* verb : commands_of(command))
        for (const CLI::App* each : with_all_below(*verb))
            all.push_back(each);
    return all;
}

std::string identifier(std::string name) {
    std::replace(name.begin(), name.end(), '-', '_');
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

std::string first_line(const CLI::App& program, std::string_view shell) {
    return fmt::format(
        "# SPDX-License-Identifier: GPL-2.0 OR MIT\n# Completion of {} in {}, made from its "
        "options.\n",
        program.get_name(), shell);
}

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
    std::vector<std::string> names;
    for (const CLI::App* command : commands)
        names.push_back(command->get_name());
    return names;
}

// A text between single quotes of bash, zsh and fish alike.
std::string in_quotes(std::string_view text) {
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

// @function: that of the program, as bash knows functions by their names.
std::string bash_reply(const Completion& words, const std::string& function) {
    switch (words.kind) {
    case Kind::choices:
        return fmt::format("_{}_reply {}", function, joined(words.choices));
    case Kind::interfaces:
        return fmt::format("_{}_reply $(command ls /sys/class/net 2>/dev/null)", function);
    case Kind::files:
        return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")";
    case Kind::none:
        break;
    }
    return ":";
}

// A subcommand and its verbs, as calls of complete(1) of fish.
std::string
fish_arguments(const CLI::App& command, const std::string& condition, const std::string& program) {
    const auto values = [](const Completion& words) -> std::string {
        switch (words.kind) {
        case Kind::choices:
            return fmt::format(" -xa {}", in_quotes(joined(words.choices)));
        case Kind::interfaces:
            return " -xa '(command ls /sys/class/net 2>/dev/null)'";
        case Kind::files:
            return " -rF";
        case Kind::none:
            break;
        }
        return " -x";
    };
    std::string text;
    for (const Argument& option : options_of(command)) {
        text += fmt::format("complete -c {} -n {}", program, in_quotes(condition));
        for (const std::string& name : option.names)
            text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
        if (!option.value.empty())
            text += values(option.completion);
        text += fmt::format(" -d {}\n", in_quotes(option.description));
    }
    for (const CLI::App* verb : commands_of(command))
        text += fmt::format(
            "complete -c {} -n {} -a {} -d {}\n", program, in_quotes(condition), verb->get_name(),
            in_quotes(verb->get_description()));
    if (completion_of(command).kind == Kind::files)
        text += fmt::format("complete -c {} -n {} -F\n", program, in_quotes(condition));
    else if (completion_of(command).kind != Kind::none)
        text += fmt::format(
            "complete -c {} -n {}{}\n", program, in_quotes(condition),
            values(completion_of(command)));
    return text;
}

// A text in the brackets of a specification of _arguments.
std::string zsh_text(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\')
            result += '\\';
        result += c;
    }
    return result;
}

std::string zsh_action(const Completion& words) {
    switch (words.kind) {
    case Kind::choices:
        return fmt::format("({})", joined(words.choices));
    case Kind::interfaces:
        return "_net_interfaces";
    case Kind::files:
        return "_files";
    case Kind::none:
        break;
    }
    return " ";
}

std::string zsh_function(const CLI::App& command) {
    std::string text = fmt::format("{}() {{\n", "_" + identifier(cli::path_of(command)));
    std::string specifications;
    for (const Argument& option : options_of(command))
        for (const std::string& name : option.names) {
            std::string value;
            if (!option.value.empty())
                value =
                    fmt::format(":{}:{}", zsh_text(option.value), zsh_action(option.completion));
            specifications += fmt::format(
                " \\\n    {}",
                in_quotes(fmt::format("{}[{}]{}", name, zsh_text(option.description), value)));
        }
    if (commands_of(command).empty()) {
        if (completion_of(command).kind != Kind::none)
            specifications += fmt::format(
                " \\\n    {}",
                in_quotes(fmt::format("*:argument:{}", zsh_action(completion_of(command)))));
        return text + "  _arguments" + specifications + "\n}\n";
    }
    text += "  local context state state_descr line\n  typeset -A opt_args\n"
            "  _arguments -C" +
            specifications +
            " \\\n    '1:command:->command' '*::argument:->argument'\n"
            "  case $state in\n  command)\n    local -a commands=(\n";
    for (const CLI::App* verb : commands_of(command))
        text += fmt::format(
            "      {}\n", in_quotes(verb->get_name() + ":" + zsh_text(verb->get_description())));
    text += "    )\n    _describe command commands ;;\n  argument)\n    case $line[1] in\n";
    for (const CLI::App* verb : commands_of(command))
        text += fmt::format("    {}) _{} ;;\n", verb->get_name(), identifier(cli::path_of(*verb)));
    return text + "    esac ;;\n  esac\n}\n";
}

} // namespace

File bash_completion(const CLI::App& program) {
    const std::string function = identifier(program.get_name());
    std::string paths;
    std::string values;
    std::string arguments;
    for (const CLI::App* command : with_all_below(program)) {
        std::vector<std::string> options;
        for (const Argument& option : options_of(*command))
            for (const std::string& name : option.names) {
                options.push_back(name);
                if (!option.value.empty())
                    values += fmt::format(
                        "    \"{} {}\") {}; return ;;\n", cli::path_of(*command), name,
                        bash_reply(option.completion, function));
            }
        if (command != &program)
            paths += fmt::format(" | \\\n        \"{}\"", cli::path_of(*command));
        const Completion words =
            commands_of(*command).empty()
                ? completion_of(*command)
                : Completion{.kind = Kind::choices, .choices = names_of(commands_of(*command))};
        arguments += fmt::format(
            "    \"{}\")\n        [[ $cur != -* ]] || {{ _{}_reply {}; return; }}\n"
            "        {} ;;\n",
            cli::path_of(*command), function, joined(options), bash_reply(words, function));
    }
    return {
        .name = program.get_name(),
        .text = first_line(program, "bash") + fmt::format(
                                                  R"(_{0}_reply() {{
    mapfile -t COMPREPLY < <(compgen -W "$*" -- "$cur")
}}

_{0}() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} path={1} word
    COMPREPLY=()
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$path $word" in
        ""{2}) path="$path $word" ;;
        esac
    done
    # --option=value is three words.
    if [[ $cur = = ]]; then
        cur=
    elif [[ $previous = = ]]; then
        previous=${{COMP_WORDS[COMP_CWORD-2]}}
    fi
    case "$path $previous" in
{3}    esac
    case "$path" in
{4}    esac
}}

complete -F _{0} {1}
)",
                                                  function, program.get_name(), paths, values,
                                                  arguments)};
}

File zsh_completion(const CLI::App& program) {
    std::string text =
        fmt::format("#compdef {}\n", program.get_name()) + first_line(program, "zsh");
    for (const CLI::App* command : with_all_below(program))
        text += "\n" + zsh_function(*command);
    return {
        .name = "_" + program.get_name(),
        .text = text + fmt::format("\n_{} \"$@\"\n", identifier(program.get_name()))};
}

File fish_completion(const CLI::App& program) {
    const std::string function = "__" + identifier(program.get_name()) + "_at";
    std::string paths;
    std::string calls;
    for (const CLI::App* command : with_all_below(program)) {
        if (command != &program)
            paths += " " + in_quotes(cli::path_of(*command));
        calls += fish_arguments(
            *command, fmt::format("{} {}", function, cli::path_of(*command)), program.get_name());
    }
    return {
        .name = program.get_name() + ".fish",
        .text =
            first_line(program, "fish") + fmt::format(
                                              R"(function {0} --description 'Is this the command?'
    set -l path {1}
    for word in (commandline -opc)[2..-1]
        if contains -- "$path $word"{2}
            set path "$path $word"
        end
    end
    test "$path" = "$argv"
end
complete -c {1} -f
{3})",
                                              function, program.get_name(), paths, calls)};
}

} // namespace macstats::documents
