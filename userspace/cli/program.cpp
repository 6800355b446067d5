// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "program.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "arguments.hpp"
#include "cli.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/netlink/version.hpp"

namespace macstats::cli {

namespace {

enum ExitCode {
    exit_ok = 0,
    exit_failed = 1,     // tried, and failed or gave another result than expected
    exit_usage = 2,      // bad usage or rejected
    exit_no_modules = 3, // the kernel modules are not loaded, or of another version
};

ExitCode exit_code(const Error& error) {
    switch (error.errnum) {
    case Error::not_loaded:
    case Error::other_protocol:
        return exit_no_modules;
    case Error::loaded_again:
    case macstats::cli::not_as_expected:
    case EADDRINUSE:
    case EADDRNOTAVAIL:
    case EAGAIN:
    case EBADMSG:
    case EDQUOT:
    case EINTR:
    case EIO:
    case EMFILE:
    case EMSGSIZE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
    case ENOSPC:
    case ETIMEDOUT:
        return exit_failed;
    default:
        return exit_usage;
    }
}

bool is_visible(const CLI::App* command) {
    return !command->get_group().empty();
}

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
    return app.get_subcommands(is_visible);
}

// Breaks lines at blanks such that none is longer than @width, unless a word is.
std::string wrapped(const std::string& text, std::size_t width) {
    std::string result;
    std::size_t column = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        const std::size_t size = end - at;
        if (column && column + 1 + size > width) {
            result += '\n';
            column = 0;
        } else if (column) {
            result += ' ';
            column++;
        }
        result += text.substr(at, size);
        column += size;
        at = end + 1;
    }
    return result;
}

// The title of a part of the help, as OPTIONS: with CLI11 2.6.
bool is_capital_title(std::string_view line) {
    return line.size() > 1 && line.back() == ':' &&
           std::ranges::all_of(
               line.substr(0, line.size() - 1), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// Help in 80 columns. Hidden options and commands (those with an empty group) stay out of the
// usage line.
class Help : public CLI::Formatter {
public:
    std::string make_option_desc(const CLI::Option* option) const override {
        constexpr std::size_t columns = 79;
        return wrapped(option->get_description(), columns - column_width_);
    }

    // CLI11 would refill the footer. Its versions differ in the capitals of titles, in blanks at
    // the end of a line and in empty lines: there is one between two parts.
    std::string
    make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        std::istringstream lines(
            app->get_description() + '\n' + make_usage(app, std::move(name)) +
            make_positionals(app) + make_groups(app, mode) + make_subcommands(app, mode) + '\n' +
            make_footer(app));
        std::string text;
        for (std::string line; std::getline(lines, line);) {
            line.erase(line.find_last_not_of(' ') + 1);
            if (is_capital_title(line))
                for (std::size_t i = 1; i < line.size() - 1; i++)
                    line[i] = static_cast<char>(line[i] - 'A' + 'a');
            if (!line.empty() || !text.ends_with("\n\n"))
                text += line + '\n';
        }
        return text;
    }

    std::string make_footer(const CLI::App* app) const override {
        const std::string footer = app->get_footer();
        const auto start = footer.find_first_not_of('\n');
        return start == std::string::npos ? "" : "\n" + footer.substr(start) + "\n";
    }

    std::string make_option_opts(const CLI::Option* option) const override {
        if (!option->get_option_text().empty())
            return " " + option->get_option_text();
        return option->get_positional() || option->get_items_expected_max() == 0 ? "" : " VALUE";
    }

    std::string make_usage(const CLI::App* app, std::string name) const override {
        return fmt::format("Usage: {}{}\n", name, arguments_of(*app));
    }

    std::string arguments_of(const CLI::App& app) const {
        std::string usage;
        const auto visible = [](const CLI::Option* option) { return !option->get_group().empty(); };
        const auto commands = subcommands_of(app);
        if (!commands.empty())
            usage += " COMMAND";
        for (const CLI::Option* option : app.get_options(visible))
            if (option->get_positional())
                usage += " " + make_option_usage(option);
        return usage + (commands.empty() ? " [OPTIONS]" : " ...");
    }
};

std::string help_hint(const CLI::App& command) {
    std::string words = path_of(command);
    if (!command.get_parent() && subcommands_of(command).empty())
        return fmt::format("see `{} --help`", words);
    words.insert(words.find(' ') == std::string::npos ? words.size() : words.find(' '), " help");
    return fmt::format("see `{}`", words);
}

// The command to which the last words of the command line belong.
CLI::App& innermost(CLI::App& app) {
    const auto parsed = app.get_subcommands();
    return parsed.empty() ? app : innermost(*parsed.back());
}

std::string unknown_option(const CLI::App& app, std::string_view word) {
    const std::string_view name = word.substr(0, word.find('='));
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        if (!option->get_group().empty())
            for (const std::string& long_name : option->get_lnames())
                names.push_back("--" + long_name);
    return fmt::format(
        "`{}` has no option {}{}", path_of(app), name,
        did_you_mean(
            name, std::vector<std::string_view>(names.begin(), names.end()),
            "; " + help_hint(app)));
}

// The message for a command line that is rejected.
std::string complaint(CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = innermost(app);
    const auto unknown = app.remaining(true);
    const bool lacks_command = !subcommands_of(command).empty();
    // A word that is no command is the reason why a command is missing.
    if (!unknown.empty() && unknown.front().starts_with('-'))
        return unknown_option(command, unknown.front());
    if (!unknown.empty() && lacks_command)
        return unknown_command(command, unknown.front());
    if (!unknown.empty())
        return fmt::format(
            "`{}` does not take \"{}\"; {}", path_of(command), unknown.front(), help_hint(command));
    if (dynamic_cast<const CLI::RequiredError*>(&error) && lacks_command)
        return fmt::format("`{}` needs a command; {}", path_of(command), help_hint(command));
    const std::string text = error.what();
    const auto colon = text.find(": ");
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) && text.ends_with(" missing") &&
        colon != std::string::npos)
        return fmt::format("{} needs a value; {}", text.substr(0, colon), help_hint(command));
    return fmt::format("{}; {}", text, help_hint(command));
}

// One line each: this program, its library, and each module as the kernel has it now.
std::string versions(const std::string& program) {
    std::string text =
        fmt::format("{} {}\nlibmacstats {}", program, MACSTATS_VERSION, library_version());
    for (const ModuleVersion& module : module_versions())
        text += fmt::format(
            "\nkernel module {}: {}", module.name,
            module.loaded ? printable(*module.loaded) : "not loaded");
    return text;
}

// The second line of a message: a way to correct an error of the kernel side.
std::string_view advice_for(const Error& error) {
    switch (error.errnum) {
    case Error::not_loaded:
        return "the kernel modules are not loaded: `sudo modprobe macstats_emu`, or `sudo insmod` "
               "macstats.ko and then macstats_emu.ko";
    case Error::other_protocol:
        return "the command and the loaded kernel modules do not fit each other (`macstats "
               "--version`): install both of one version, then load the modules again: `sudo "
               "modprobe -r macstats_emu macstats`, `sudo modprobe macstats_emu`";
    default:
        return "";
    }
}

// The option of a command that has an empty value, as "$TAG" is where TAG is not set; nullptr:
// none.
const CLI::Option* empty_option(const CLI::App& command) {
    for (const CLI::Option* option : command.get_options())
        if (!option->get_positional() && option->count() && option->get_items_expected_min() > 0 &&
            std::ranges::any_of(option->results(), &std::string::empty))
            return option;
    return nullptr;
}

ExitCode parse_and_act(const Program& program, int argc, char** argv) {
    Action action;
    const auto parser = parser_of(program, action, Words(argv, argv + argc));
    CLI::App& app = *parser;

    // CLI11 would take the next word for the value of "--option=".
    for (const std::string_view word : std::span(argv, static_cast<std::size_t>(argc))) {
        if (word == "--")
            break;
        if (word.starts_with("--") && word.find('=') == word.size() - 1) {
            complain(fmt::format("{} needs a value", word.substr(0, word.size() - 1)));
            return exit_usage;
        }
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& request) {
        app.exit(request); // prints help or version
        return exit_ok;
    } catch (const CLI::ParseError& error) {
        complain(complaint(app, error));
        return exit_usage;
    }
    if (const CLI::App& command = innermost(app); const auto* option = empty_option(command)) {
        complain(fmt::format("{} needs a value; {}", option->get_name(), help_hint(command)));
        return exit_usage;
    }

    const auto result = action();
    if (result)
        return exit_ok;
    const ExitCode code = exit_code(result.error());
    complain(in_user_words(result.error()).message);
    if (const auto advice = advice_for(result.error()); !advice.empty())
        complain(advice);
    return code;
}

} // namespace

// The words that lead to a command: "macstats emu add".
std::string path_of(const CLI::App& command) {
    return command.get_parent() ? path_of(*command.get_parent()) + " " + command.get_name()
                                : command.get_name();
}

std::string usage_of(const CLI::App& command) {
    return path_of(command) + Help().arguments_of(command);
}

std::string unknown_command(const CLI::App& app, std::string_view word) {
    std::vector<std::string_view> names;
    for (const CLI::App* command : subcommands_of(app))
        names.push_back(command->get_name());
    return fmt::format(
        "{} has no command \"{}\"{}", app.get_parent() ? "`" + path_of(app) + "`" : "macstats",
        word, did_you_mean(word, names, "; " + help_hint(app)));
}

std::unique_ptr<CLI::App>
parser_of(const Program& program, Action& action, const std::optional<Words>& words) {
    auto app = std::make_unique<CLI::App>(program.description, program.name);
    app->formatter(std::make_shared<Help>());
    app->set_help_flag("-h,--help", "Print this help and exit");
    app->set_version_flag(
        "--version", [name = program.name] { return versions(name); },
        "Print the versions of command, library and loaded modules, and exit");
    program.set_up(*app, action, words);
    return app;
}

int run(const Program& program, int argc, char** argv) {
    ExitCode code = exit_failed;
    try {
        code = parse_and_act(program, argc, argv);
    } catch (const std::exception& exception) {
        complain(fmt::format("internal error: {}", exception.what()));
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
        complain("cannot write the output");
        return exit_failed;
    }
    return code;
}

} // namespace macstats::cli
