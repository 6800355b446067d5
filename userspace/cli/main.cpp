// SPDX-License-Identifier: GPL-2.0 OR MIT
// The macstats command: arguments in, exit code out. What it does is in the files
// beside this one.
#include <cstdio>
#include <exception>
#include <memory>

#include <fmt/format.h>

#include "cli.hpp"

namespace {

using macstats::Error;

enum ExitCode {
    exit_ok = 0,
    exit_failed = 1,     // it was tried, and did not work or gave something else
    exit_usage = 2,      // it cannot or may not be done
    exit_not_loaded = 3, // there is nobody in the kernel to do it
};

ExitCode exit_code(const Error& error) {
    switch (error.errnum) {
    case Error::not_loaded:
        return exit_not_loaded;
    case macstats::cli::not_as_expected:
    case EAGAIN:
    case EBADMSG:
    case EINTR:
    case EIO:
    case EMSGSIZE:
    case ENOBUFS:
    case ENOMEM:
    case ETIMEDOUT:
        return exit_failed;
    default:
        return exit_usage;
    }
}

// All arguments are words to the parser; their descriptions say more than that.
class Help : public CLI::Formatter {
public:
    std::string make_option_opts(const CLI::Option* option) const override {
        return option->get_positional() || option->get_items_expected_max() == 0 ? "" : " VALUE";
    }
};

std::string footer() {
    return fmt::format(
        R"(
Examples:
  macstats model {0}            register map, rules and wrap times of a model
  macstats emu add {0}          plug in an emulated device: "device 0: mac0"
  macstats emu inject mac0 --length 1000 --count 5
  macstats show mac0 --nonzero    its statistics
  macstats show --json            those of all ports
  macstats watch mac0             what it counts per second, live

PORT is the name of an interface or its index. Exit codes: 0 ok; 1 failed;
2 bad usage, or refused; 3 the kernel modules are not loaded.)",
        macstats::cli::example().model);
}

ExitCode run(int argc, char** argv) {
    CLI::App app("Statistics of Ethernet MACs, and emulated MACs to try them on", "macstats");
    app.formatter(std::make_shared<Help>());
    app.set_version_flag("--version", "macstats " MACSTATS_VERSION);
    app.require_subcommand(1);
    app.footer(footer());

    macstats::cli::Action action;
    macstats::cli::add_query_commands(app, action);
    macstats::cli::add_show_command(app, action);
    macstats::cli::add_watch_command(app, action);
    macstats::cli::add_tag_command(app, action);
    macstats::cli::add_event_commands(app, action);
    macstats::cli::add_registers_command(app, action);
    macstats::cli::add_emu_commands(app, action);
    macstats::cli::add_export_command(app, action);
    macstats::cli::add_run_command(app, action);

    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& request) {
        app.exit(request); // prints help or version
        return exit_ok;
    } catch (const CLI::RequiredError& error) {
        // A word that is no subcommand is the reason why one is missing.
        const auto unknown = app.remaining(true);
        macstats::cli::complain(
            unknown.empty() ? fmt::format("{} (try --help)", error.what())
                            : fmt::format("unknown command: {} (try --help)", unknown.front()));
        return exit_usage;
    } catch (const CLI::ParseError& error) {
        macstats::cli::complain(fmt::format("{} (try --help)", error.what()));
        return exit_usage;
    }

    const auto result = action();
    if (result)
        return exit_ok;
    const ExitCode code = exit_code(result.error());
    macstats::cli::complain(result.error().message);
    if (code == exit_not_loaded)
        macstats::cli::complain(
            "the kernel modules are not loaded: as root, `modprobe macstats_emu`, "
            "or `insmod` macstats.ko and then macstats_emu.ko");
    return code;
}

} // namespace

int main(int argc, char** argv) {
    ExitCode code = exit_failed;
    try {
        code = run(argc, argv);
    } catch (const std::exception& exception) {
        macstats::cli::complain(fmt::format("internal error: {}", exception.what()));
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
        macstats::cli::complain("cannot write the output");
        return exit_failed;
    }
    return code;
}
