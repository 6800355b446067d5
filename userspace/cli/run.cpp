// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand that runs scenarios.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "cli.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/file.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"

namespace macstats::cli {

namespace {

namespace fs = std::filesystem;

constexpr Name formats[] = {
    {"tap", static_cast<unsigned int>(ReportFormat::tap)},
    {"junit", static_cast<unsigned int>(ReportFormat::junit)},
    {"json", static_cast<unsigned int>(ReportFormat::json)}};

struct RunRequest {
    std::vector<std::string> paths;
    std::string backend = "builtin";
    std::string format = "tap";
};

// The scenario files below a folder, in the order of their names.
Result<std::vector<std::string>> files_below(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error))
        if (at->path().extension() == ".json" && !at->is_directory(error))
            files.push_back(at->path().string());
    if (error)
        return file_error(folder, error.value());
    if (files.empty())
        return Error{ENOENT, fmt::format("{}: there is no .json file below it", folder)};
    std::sort(files.begin(), files.end());
    return files;
}

Result<std::vector<std::string>> files_of(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            files.push_back(path);
            continue;
        }
        MACSTATS_TRY(const auto below, files_below(path));
        files.insert(files.end(), below.begin(), below.end());
    }
    return files;
}

// All scenarios. Each file that is rejected gets a line on stderr.
Result<std::vector<Scenario>> load(const std::vector<std::string>& paths) {
    MACSTATS_TRY(const auto files, files_of(paths));
    std::vector<Scenario> scenarios;
    std::vector<Error> errors;
    for (const std::string& file : files) {
        auto scenario = load_scenario(file);
        if (scenario)
            scenarios.push_back(std::move(*scenario));
        else
            errors.push_back(scenario.error());
    }
    if (errors.empty())
        return scenarios;
    for (const Error& error : errors)
        complain(error.message);
    return Error{
        EINVAL,
        fmt::format(
            "nothing was run, as {} of {} files cannot be used", errors.size(), files.size())};
}

// A line on the terminal that shows the progress of a run longer than a second. Prints
// nothing unless stderr is a terminal.
class Progress {
public:
    explicit Progress(std::size_t total) : total_(total), shown_(isatty(STDERR_FILENO) == 1) {}

    void report(std::size_t done, std::size_t failed) {
        const auto now = Clock::now();
        if (!shown_ || now < next_)
            return;
        next_ = now + std::chrono::milliseconds(100);
        write(fmt::format("{} of {} scenarios, {} failed", done, total_, failed));
        visible_ = true;
    }

    /// Before something else is written.
    void clear() {
        if (visible_)
            write("");
        visible_ = false;
    }

private:
    using Clock = std::chrono::steady_clock;

    static void write(const std::string& text) {
        const std::string line = "\r\033[K" + text;
        (void)std::fwrite(line.data(), 1, line.size(), stderr);
    }

    std::size_t total_;
    bool shown_;
    bool visible_ = false;
    Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
};

Result<void> run(const RunRequest& request) {
    MACSTATS_TRY(const auto format, value_of(formats, "--format", request.format));
    MACSTATS_TRY(const auto scenarios, load(request.paths));
    MACSTATS_TRY(const auto backend, open_backend(request.backend));

    const auto writer =
        report_writer(static_cast<ReportFormat>(format), std::cout, backend->name());
    Progress progress(scenarios.size());
    std::size_t done = 0;
    std::size_t failed = 0;
    writer->begin(scenarios.size());
    for (const Scenario& scenario : scenarios) {
        const Report report = run_scenario(scenario, *backend);
        done++;
        failed += report.outcome == Outcome::failed;
        progress.clear();
        writer->add(report);
        progress.report(done, failed);
    }
    progress.clear();
    writer->end();
    if (failed)
        return Error{
            not_as_expected, fmt::format("{} of {} scenarios failed", failed, scenarios.size())};
    return {};
}

} // namespace

void add_run_command(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("run", "Run scenarios and report which ones fail");
    auto request = std::make_shared<RunRequest>();
    command
        ->add_option(
            "FILE", request->paths, "Scenario files, folders of .json files, or - (standard input)")
        ->required();
    command
        ->add_option(
            "--backend", request->backend,
            "Run the devices in this process (builtin) or with the kernel modules (kernel; "
            "requires CAP_NET_ADMIN) (default builtin)")
        ->option_text("builtin|kernel");
    command
        ->add_option("--format", request->format, "Format of the report (default tap, version 13)")
        ->option_text("tap|junit|json");
    command->callback([&action, request] { action = [request] { return run(*request); }; });
    command->footer("\nExamples:\n"
                    "  macstats run pause.json\n"
                    "  macstats run test/scenario --backend kernel --format junit > report.xml\n"
                    "  macstats run - --format json < pause.json | jq '.scenarios[].outcome'\n\n"
                    "All files are read before the first scenario runs. Exit codes: 0 all passed\n"
                    "or were skipped with a reason; 1 some failed; 2 bad input or rejected; 3 the\n"
                    "kernel modules are not loaded.");
}

} // namespace macstats::cli
