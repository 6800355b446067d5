// SPDX-License-Identifier: GPL-2.0 OR MIT
// Manual pages in the language man(7).
#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/program.hpp"
#include "documents/documents.hpp"

namespace macstats::documents {

namespace {

constexpr std::size_t columns = 78;
constexpr std::string_view exit_codes = "Exit codes: ";

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
        return static_cast<char>(std::toupper(c));
    });
    return text;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
    return text;
}

// Text of users: no backslash, hyphen or accent is one of roff's. A line starts with no
// control character.
std::string plain(std::string_view text) {
    constexpr std::pair<std::string_view, std::string_view> escapes[] = {
        {"\\", "\\e"},  {"-", "\\-"},   {"'", "\\(aq"}, {"`", "\\(ga"}, {"^", "\\(ha"},
        {"~", "\\(ti"}, {"≥", "\\(>="}, {"≤", "\\(<="}, {"≈", "\\(~~"}};
    std::string escaped(text);
    for (const auto& [character, escape] : escapes)
        escaped = replaced(std::move(escaped), character, escape);
    return escaped.starts_with('.') ? "\\&" + escaped : escaped;
}

std::string bold(std::string_view text) {
    return "\\fB" + plain(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + plain(text) + "\\fR";
}

// Prose, whose `code` becomes bold.
std::string prose(std::string_view text) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const auto open = text.find('`', at);
        const auto close =
            open == std::string_view::npos ? std::string_view::npos : text.find('`', open + 1);
        if (close == std::string_view::npos)
            return result + plain(text.substr(at));
        result += plain(text.substr(at, open - at)) + bold(text.substr(open + 1, close - open - 1));
        at = close + 1;
    }
    return result;
}

// One line of roff, broken at blanks. A line that would start with a control character gets a
// zero-width space.
std::string filled(const std::string& text) {
    std::string result;
    std::string line;
    const auto end_line = [&result, &line] {
        if (line.starts_with('.') || line.starts_with('\''))
            line.insert(0, "\\&");
        result += line + "\n";
        line.clear();
    };
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!line.empty() && line.size() + 1 + word.size() > columns)
            end_line();
        line += line.empty() ? word : " " + word;
    }
    if (!line.empty())
        end_line();
    return result;
}

std::string in_one_line(const std::vector<std::string>& lines) {
    return fmt::format("{}", fmt::join(lines, " "));
}

std::string heading(const Argument& argument) {
    std::vector<std::string> names;
    for (const std::string& name : argument.names)
        names.push_back(name.starts_with('-') ? bold(name) : italic(name));
    std::string text = fmt::format("{}", fmt::join(names, ", "));
    return argument.value.empty() ? text : text + " " + italic(argument.value);
}

std::string items(const std::vector<Argument>& arguments) {
    std::string text;
    for (const Argument& argument : arguments)
        text += ".TP\n" + heading(argument) + "\n" + filled(prose(argument.description));
    return text;
}

std::string synopsis(const CLI::App& command) {
    const std::string path = cli::path_of(command);
    const std::string rest = cli::usage_of(command).substr(path.size());
    return bold(path) + (rest.empty() ? "" : plain(rest)) + "\n";
}

bool is_example(const Paragraph& paragraph) {
    return paragraph.title.starts_with("Example");
}

bool has_exit_codes(const Paragraph& paragraph) {
    return in_one_line(paragraph.lines).find(exit_codes) != std::string::npos;
}

std::string literal(const std::vector<std::string>& lines) {
    std::string text = ".nf\n.RS 4\n";
    for (const std::string& line : lines)
        text += plain(line) + "\n";
    return text + ".RE\n.fi\n";
}

// The paragraphs that are neither examples nor exit codes. Without @titles, as in a
// description, those with a title are left out too.
std::string texts(const CLI::App& command, bool titles) {
    std::string text;
    for (const Paragraph& paragraph : paragraphs_of(command)) {
        if (is_example(paragraph) || paragraph.literal != titles)
            continue;
        if (titles) {
            text += ".SH " + upper(paragraph.title) + "\n" + literal(paragraph.lines);
            continue;
        }
        std::string all = in_one_line(paragraph.lines);
        all.erase(std::min(all.find(exit_codes), all.size()));
        if (!all.empty())
            text += ".PP\n" + filled(prose(all));
    }
    return text;
}

std::string examples(const CLI::App& command) {
    const auto footer = paragraphs_of(command);
    const auto found = std::find_if(footer.begin(), footer.end(), is_example);
    return found == footer.end() ? "" : literal(found->lines);
}

// "Exit codes: 0 success; 1 failure": of the command, or of the whole program.
std::string exit_status(const CLI::App& command, const CLI::App& program) {
    for (const CLI::App* candidate : {&command, &program}) {
        const auto footer = paragraphs_of(*candidate);
        const auto found = std::find_if(footer.begin(), footer.end(), has_exit_codes);
        if (found == footer.end())
            continue;
        std::string all = in_one_line(found->lines);
        all.erase(0, all.find(exit_codes) + exit_codes.size());
        if (all.ends_with('.'))
            all.pop_back();
        std::string text;
        std::istringstream codes(all);
        for (std::string code; std::getline(codes >> std::ws, code, ';');)
            text += ".TP\n" + bold(code.substr(0, 1)) + "\n" +
                    filled(prose(code.substr(std::min<std::size_t>(2, code.size()))));
        return ".SH EXIT STATUS\n" + text;
    }
    return "";
}

// "macstats emu" has the page macstats-emu.
std::string page_of(const CLI::App& command) {
    return replaced(cli::path_of(command), " ", "-");
}

std::string reference(const std::string& page, std::string_view section = "1") {
    return fmt::format(".BR {} ({})", plain(page), section);
}

std::string see_also(const CLI::App& command, const CLI::App& program) {
    std::vector<std::string> pages;
    if (&command != &program)
        pages.push_back(reference(page_of(program)));
    for (const CLI::App* each : commands_of(program))
        if (&command == &program && each->get_name() != "help")
            pages.push_back(reference(page_of(*each)));
    if (program.get_name() != "macstats")
        pages.push_back(reference("macstats"));
    if (command.get_name() == "run")
        pages.push_back(reference("macstats-scenario", "5"));
    if (command.get_name() == "export")
        pages.push_back(reference("macstats-exporter"));
    if (&command == &program && program.get_name() == "macstats") {
        pages.push_back(reference("macstats-exporter"));
        pages.push_back(reference("libmacstats", "3"));
        pages.push_back(reference("macstats-scenario", "5"));
    }
    pages.push_back(reference("macstats", "7"));
    return fmt::format(".SH SEE ALSO\n{}\n", fmt::join(pages, " ,\n"));
}

// The verbs of a command, each with all of its options.
std::string verbs(const CLI::App& command) {
    std::string text;
    for (const CLI::App* verb : commands_of(command)) {
        text += ".SS " + verb->get_name() + "\n" + synopsis(*verb) + ".PP\n" +
                filled(prose(verb->get_description()) + ".") + texts(*verb, false) +
                items(positionals_of(*verb));
        // Each verb has --help.
        std::vector<Argument> own = options_of(*verb);
        std::erase_if(own, [](const Argument& option) { return option.names.back() == "--help"; });
        text += items(own);
        if (const std::string lines = examples(*verb); !lines.empty())
            text += ".PP\nFor example:\n.PP\n" + lines;
    }
    return text.empty() ? "" : ".SH COMMANDS\n" + text;
}

std::string list_of_commands(const CLI::App& program) {
    std::string text = ".SH COMMANDS\n";
    for (const CLI::App* command : commands_of(program))
        text += ".TP\n" +
                (command->get_name() == "help" ? ".B help" : reference(page_of(*command))) + "\n" +
                filled(prose(command->get_description()));
    return text;
}

File page(const CLI::App& command, const CLI::App& program, const Edition& edition) {
    const bool is_program = &command == &program;
    const std::string name = page_of(command);
    std::string text = fmt::format(
        ".\\\" SPDX-License-Identifier: GPL-2.0 OR MIT\n.\\\" Made from the options of {0}.\n"
        ".TH {1} 1 {2} \"macstats {3}\" \"Statistics of Ethernet MACs\"\n"
        ".SH NAME\n{4} \\- {5}\n.SH SYNOPSIS\n.nf\n",
        program.get_name(), plain(upper(name)), edition.date, edition.version, plain(name),
        prose(command.get_description()));
    const auto all = commands_of(command);
    if (all.empty() || is_program)
        text += synopsis(command);
    else
        for (const CLI::App* verb : all)
            text += synopsis(*verb);
    text += ".fi\n.SH DESCRIPTION\n" + filled(prose(command.get_description()) + ".") +
            texts(command, false);
    if (const std::string arguments = items(positionals_of(command)) + items(options_of(command));
        !arguments.empty())
        text += ".SH OPTIONS\n" + arguments;
    if (!all.empty())
        text += is_program ? list_of_commands(command) : verbs(command);
    text += texts(command, true);
    if (const std::string lines = examples(command); !lines.empty())
        text += ".SH EXAMPLES\n" + lines;
    text += exit_status(command, program) + see_also(command, program);
    return {.name = name + ".1", .text = text};
}

} // namespace

std::vector<File> man_pages(const CLI::App& program, const Edition& edition) {
    std::vector<File> pages = {page(program, program, edition)};
    for (const CLI::App* command : commands_of(program))
        if (command->get_name() != "help")
            pages.push_back(page(*command, program, edition));
    return pages;
}

} // namespace macstats::documents
