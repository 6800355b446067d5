// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand that checks the statistics of a driver on the bench.
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/scenario/driver.hpp"
#include "libmacstats/scenario/driver_check.hpp"
#include "present/driver_check.hpp"
#include "signals.hpp"

namespace macstats::cli {

namespace {

struct CheckRequest {
    std::string port;
    std::string model;
    std::string twin;
    std::vector<std::string> trials;
    bool json = false;
};

Result<void> check(const CheckRequest& request) {
    Interruption interruption;
    const auto interrupted = [&interruption] { return interruption(); };
    DriverRequest wanted{
        .port = {.name = "mac", .interface = request.port}, .interrupted = interrupted};
    if (!request.model.empty()) {
        MACSTATS_TRY(wanted.model, in_context("--model", model_called(request.model)));
    }
    wanted.twin = request.twin;
    std::set<DriverTrial> trials;
    for (const std::string& name : request.trials) {
        MACSTATS_TRY(const auto trial, in_context("--trials", trial_called(name)));
        trials.insert(trial);
    }
    MACSTATS_TRY(const auto backend, open_driver(wanted));
    MACSTATS_TRY(const auto report, check_driver(*backend, trials, interrupted));
    const macstats_model& model = *backend->port().end().model;
    if (request.json)
        print_json(driver_report_json(report, request.port, model));
    else
        print(driver_report_text(report, request.port, model));
    if (const auto bad = count_bad(report))
        return Error{
            not_as_expected,
            fmt::format(
                "{} of {} statistics are wrong, lost or torn", bad, report.statistics.size())};
    if (!report.failed.empty())
        return Error{not_as_expected, report.failed.front()};
    return {};
}

} // namespace

void describe_check_driver(CLI::App& command, Action& action) {
    auto& request = request_of<CheckRequest>(command, action, check);
    command.add_option("PORT", request.port, "Interface of the driver: name or alternative name")
        ->required();
    add_option(
        command, "--model MODEL", request.model,
        "Reject emulated registers of another model (default: any)");
    add_option(
        command, "--twin PORT", request.twin,
        "Give this emulated port the same, and compare it, too (default: none)");
    add_option(
        command, "--trials LIST", request.trials,
        "Only these, and frames, for example silence,wrap (default: all)")
        ->delimiter(',')
        ->expected(1)
        ->take_all();
    add_json_flag(command, request.json);
    command.footer(
        "\nIt requires CAP_NET_ADMIN in the first user namespace, and a driver on the\n"
        "bench: see docs/driver-bench.md. It sends frames of each class, lets counters\n"
        "wrap, waits, sets the interface down and up, and restarts the hardware.\n\n"
        "Verdicts: right; late (right, but not at once); wrong; lost (after silence, down\n"
        "and up, or a reset); torn (while others read); missing (not reported); uncounted\n"
        "(a member of rtnl that stays 0); untried (nothing increments it); unjudged (not\n"
        "of the model). Strings of `ethtool -S` that grow as one counter does are\n"
        "compared, too, and listed where they differ.\n\n"
        "Trials: open, frames, counters, wrap, silence, down-up, readers, reset.\n\n"
        "Examples:\n"
        "  macstats check-driver eth0 --twin mac0\n"
        "  macstats check-driver eth0 --json | jq '.statistics[] | [.name, .verdict]'\n\n"
        "Exit codes: 0 no statistic is wrong, lost or torn; 1 some are, or a trial\n"
        "failed; 2 bad usage or rejected; 3 the kernel modules are not loaded.");
}

} // namespace macstats::cli
