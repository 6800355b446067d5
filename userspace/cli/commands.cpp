// SPDX-License-Identifier: GPL-2.0 OR MIT
// All of the macstats command. Each subcommand has a file beside this one.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli.hpp"

namespace macstats::cli {

namespace {

std::string footer() {
    return fmt::format(
        R"(
Examples:
  macstats model {0}            print register map, rules and wrap times
  macstats emu add {0}          add an emulated device: "device 0: mac0"
  macstats emu inject mac0 --length 1000 --count 5
  macstats show mac0 --nonzero    print its statistics
  macstats show --json            print those of all ports
  macstats watch mac0             show its rates, live

`macstats help COMMAND` explains a command. A port is an interface: its name, an
alternative name (`ip link property add dev mac0 altname uplink`) or its index.
Numbers are decimal or, after 0x, hexadecimal.

Exit codes: 0 success; 1 failure; 2 bad usage or rejected; 3 the kernel modules
are not loaded, or of another version.)",
        example().model);
}

Result<void> print_help(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App* command = &app;
    for (const std::string& word : words) {
        const auto all = command->get_subcommands([](const CLI::App*) { return true; });
        const auto found = std::find_if(all.begin(), all.end(), [&word](const CLI::App* candidate) {
            return candidate->check_name(word);
        });
        if (found == all.end())
            return Error{EINVAL, unknown_command(*command, word)};
        command = *found;
    }
    print(command->get_formatter()->make_help(
        command, path_of(*command), CLI::AppFormatMode::Normal));
    return {};
}

struct Command {
    std::string_view name;
    const char* description;
    void (*describe)(CLI::App& command, Action& action);
};

constexpr Command commands[] = {
    {"count", "Print which counters frames increment", describe_count},
    {"models", "List the models of MACs", describe_models},
    {"model", "Print a model: register map, rules, wrap times", describe_model},
    {"ports", "List the ports in this network namespace", describe_ports},
    {"show", "Read and print the statistics of ports", describe_show},
    {"watch", "Show the rates of ports, live", describe_watch},
    {"tag", "Save statistics, for `macstats show --since`", describe_tag},
    {"events", "Print events of ports as they happen", describe_events},
    {"registers", "Decode the registers of a port or a saved dump", describe_registers},
    {"emu", "Add and control emulated devices", describe_emu},
    {"export", "Serve or write the statistics as metrics", describe_export},
    {"run", "Run scenarios and report which ones fail", describe_run},
    {"check-driver", "Check the statistics of a driver on the bench", describe_check_driver},
};

constexpr std::string_view help_name = "help";

void add_help_command(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand(std::string(help_name), "Explain a command");
    auto& words = request_of<std::vector<std::string>>(
        *command, action,
        [&app](const std::vector<std::string>& given) { return print_help(app, given); });
    command->add_option("COMMAND", words, "Words of a command, for example `emu add`");
}

// A command that is called first is set up alone; otherwise those that a word names have options.
void set_up(CLI::App& app, Action& action, const std::optional<Words>& words) {
    const std::string_view first = words && words->size() > 1 ? (*words)[1] : "";
    const auto called = std::ranges::find(commands, first, &Command::name);
    const bool is_alone = called != std::end(commands);
    app.require_subcommand(1);
    for (const Command& command : commands) {
        if (is_alone && &command != called)
            continue;
        auto* added = app.add_subcommand(std::string(command.name), command.description);
        if (!words || std::ranges::find(*words, command.name) != words->end())
            command.describe(*added, action);
    }
    if (!is_alone)
        add_help_command(app, action);
    // A command that is added later would inherit it.
    app.footer(footer());
}

} // namespace

Program command() {
    return {
        .name = "macstats",
        .description = "Statistics of Ethernet MACs, and emulated MACs to try them on",
        .set_up = set_up};
}

} // namespace macstats::cli
