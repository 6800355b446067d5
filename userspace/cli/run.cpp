// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand that runs scenarios.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "cli.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/driver.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"
#include "libmacstats/scenario/wire.hpp"
#include "present/progress.hpp"
#include "present/report_page.hpp"
#include "scenario/file.hpp"
#include "signals.hpp"

namespace macstats::cli {

namespace {

namespace fs = std::filesystem;

constexpr Name formats[] = {
    {"tap", static_cast<unsigned int>(ReportFormat::tap)},
    {"junit", static_cast<unsigned int>(ReportFormat::junit)},
    {"json", static_cast<unsigned int>(ReportFormat::json)}};

enum class BackendKind {
    builtin,
    kernel,
    wire,
    driver
};

constexpr Name backends[] = {
    {"builtin", static_cast<unsigned int>(BackendKind::builtin)},
    {"kernel", static_cast<unsigned int>(BackendKind::kernel)},
    {"wire", static_cast<unsigned int>(BackendKind::wire)},
    {"driver", static_cast<unsigned int>(BackendKind::driver)}};

struct RunRequest {
    std::vector<std::string> paths;
    std::string backend = "builtin";
    std::string format = "tap";
    std::vector<std::string> ports; // of the backends wire and driver, as "mac=eth0"
    std::string model;              // of these
    std::string strings;            // of the backend driver: a file; "": none
    std::string page;               // "": none
    std::string shard;              // "3/8"; all scenarios if empty
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
        return failure(ENOENT, "{}: there is no .json file below it", folder);
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
    return invalid(
        "nothing was run, as {} of {} files cannot be used", errors.size(), files.size());
}

// FNV-1a of 64 bits: the same everywhere and for ever, unlike std::hash.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char octet : text) {
        hash ^= static_cast<unsigned char>(octet);
        hash *= 0x100000001b3;
    }
    return hash;
}

// Removes the scenarios of other shards. The name of a scenario assigns it: another file, order
// or scenario beside it changes nothing.
Result<void> keep_shard(std::vector<Scenario>& scenarios, const std::string& shard) {
    const auto slash = shard.find('/');
    const auto number = [](std::string_view text) {
        return parse_number("--shard", text, 1'000'000);
    };
    const auto index = number(std::string_view(shard).substr(0, slash));
    const auto count = number(
        slash == shard.npos ? std::string_view() : std::string_view(shard).substr(slash + 1));
    if (!index || !count || *index < 1 || *index > *count)
        return invalid(
            "--shard: \"{}\" is not INDEX/COUNT with INDEX from 1 to COUNT; for example 3/8",
            shard);
    std::erase_if(scenarios, [&](const Scenario& scenario) {
        return hash_of(scenario.name) % *count != *index - 1;
    });
    return {};
}

// TAP identifies a result by its name: scenarios that share one are reported with their files, as
// in "reads are exact (mac/reads.json)". JUnit XML and JSON have the file beside the name.
std::string tap_name(const Report& report, const std::vector<Scenario>& scenarios) {
    const auto uses =
        std::count_if(scenarios.begin(), scenarios.end(), [&report](const Scenario& scenario) {
            return scenario.name == report.name;
        });
    const fs::path file(report.file);
    return uses < 2 ? report.name
                    : fmt::format(
                          "{} ({})", report.name,
                          (file.parent_path().filename() / file.filename()).string());
}

// A line on the terminal that shows the progress of a run longer than a second. Prints
// nothing unless stderr is a terminal that can clear a line.
class Progress {
public:
    explicit Progress(std::size_t total) : total_(total), shown_(shows_screens(STDERR_FILENO)) {}

    void report(std::size_t done, std::size_t failed) {
        const auto now = Clock::now();
        if (!shown_ || now < next_)
            return;
        next_ = now + std::chrono::milliseconds(100);
        write(progress_text(done, total_, failed, now - start_));
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
    Clock::time_point start_ = Clock::now();
    Clock::time_point next_ = start_ + std::chrono::seconds(1);
};

// "mac=eth0"
Result<WireMapping> mapping_of(const std::string& text) {
    const auto sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
        return invalid("--port: \"{}\" is not NAME=INTERFACE; for example --port mac=eth0", text);
    std::string name = text.substr(0, sign);
    if (name.ends_with("/0")) // port 0 has the name of its device
        name.resize(name.size() - 2);
    return WireMapping{std::move(name), text.substr(sign + 1)};
}

// The ports of all scenarios, as in "mac" and "mac/2".
std::set<std::string> port_names(const std::vector<Scenario>& scenarios) {
    std::set<std::string> names;
    for (const Scenario& scenario : scenarios)
        for (const ScenarioDevice& device : scenario.devices) {
            names.insert(device.name);
            for (unsigned int i = 1; i < device.model->ports; i++)
                names.insert(fmt::format("{}/{}", device.name, i));
        }
    return names;
}

// Otherwise every scenario would be skipped.
Result<void>
check_names(const std::vector<WireMapping>& ports, const std::vector<Scenario>& scenarios) {
    const auto names = port_names(scenarios);
    std::vector<std::string> given;
    for (const WireMapping& port : ports) {
        if (names.contains(port.name))
            return {};
        given.push_back(port.name);
    }
    return invalid(
        "--port: no scenario has a port {}; the ports of the scenarios are {}",
        fmt::join(given, " or "), fmt::join(names, ", "));
}

std::string times_given(std::size_t times) {
    if (times == 0)
        return "not given";
    return times == 1 ? "given once" : fmt::format("given {} times", times);
}

// Ports of the host, for the backends on these.
struct HostPorts {
    std::vector<WireMapping> ports{};
    const macstats_model* model = nullptr;
    std::map<std::string, std::string> strings{};
};

// The strings that show a counter each: what `macstats check-driver --json` prints.
Result<std::map<std::string, std::string>> strings_in(const std::string& file) {
    constexpr std::size_t most = 16 << 20;
    MACSTATS_TRY(const auto text, read_file(file, most));
    const auto document = nlohmann::json::parse(text, nullptr, false);
    std::map<std::string, std::string> strings;
    try {
        for (const auto& one : document.at("strings"))
            strings[one.at("counter").get<std::string>()] = one.at("name").get<std::string>();
    } catch (const nlohmann::json::exception&) {
        return invalid("{}: no report of `macstats check-driver --json`", file);
    }
    return strings;
}

Result<HostPorts> host_ports(const RunRequest& request, BackendKind kind) {
    if (kind == BackendKind::wire && request.ports.size() != 2)
        return invalid(
            "--backend wire needs --port twice, once for each end of a cable; it is {}; for "
            "example --port mac=eth0 --port other=eth1",
            times_given(request.ports.size()));
    if (kind == BackendKind::driver && request.ports.size() != 1)
        return invalid(
            "--backend driver needs --port once; it is {}; for example --port mac=eth0",
            times_given(request.ports.size()));
    HostPorts given;
    for (const std::string& port : request.ports) {
        MACSTATS_TRY(auto mapping, mapping_of(port));
        given.ports.push_back(std::move(mapping));
    }
    if (!request.model.empty()) {
        MACSTATS_TRY(given.model, in_context("--model", model_called(request.model)));
    }
    if (!request.strings.empty()) {
        MACSTATS_TRY(given.strings, in_context("--strings", strings_in(request.strings)));
    }
    return given;
}

Result<std::unique_ptr<Backend>> open(
    BackendKind kind, const std::string& name, const HostPorts& given,
    const std::function<bool()>& interrupted) {
    if (kind == BackendKind::wire)
        return open_wire(
            {.ports = {given.ports[0], given.ports[1]},
             .model = given.model,
             .interrupted = interrupted});
    if (kind == BackendKind::driver) {
        MACSTATS_TRY(
            auto driver, open_driver(
                             {.port = given.ports[0],
                              .model = given.model,
                              .strings = given.strings,
                              .interrupted = interrupted}));
        return std::unique_ptr<Backend>(std::move(driver));
    }
    return open_backend(name);
}

Result<void> run_all(const RunRequest& request) {
    MACSTATS_TRY(const auto format, value_of(formats, "--format", request.format));
    MACSTATS_TRY(const auto word, value_of(backends, "--backend", request.backend));
    const auto kind = static_cast<BackendKind>(word);
    const bool on_host = kind == BackendKind::wire || kind == BackendKind::driver;
    if (!on_host && !request.ports.empty())
        return Error{EINVAL, "--port is for --backend wire and driver only"};
    if (!on_host && !request.model.empty())
        return Error{EINVAL, "--model is for --backend wire and driver only"};
    if (kind != BackendKind::driver && !request.strings.empty())
        return Error{EINVAL, "--strings is for --backend driver only"};
    HostPorts given;
    if (on_host) {
        MACSTATS_TRY(given, host_ports(request, kind));
    }
    MACSTATS_TRY(auto scenarios, load(request.paths));
    std::optional<Interruption> interruption;
    if (on_host) {
        MACSTATS_CHECK(check_names(given.ports, scenarios));
        interruption.emplace();
    }
    if (!request.shard.empty())
        MACSTATS_CHECK(keep_shard(scenarios, request.shard));
    MACSTATS_TRY(const auto backend, open(kind, request.backend, given, [&interruption] {
                     return interruption && (*interruption)();
                 }));

    const auto report_format = static_cast<ReportFormat>(format);
    const auto writer = report_writer(report_format, std::cout, backend->name());
    std::optional<ReportPage> page;
    if (!request.page.empty())
        page.emplace(backend->name(), fmt::format("{:%F %T} UTC", fmt::gmtime(std::time(nullptr))));
    Progress progress(scenarios.size());
    const bool as_tap = report_format == ReportFormat::tap;
    std::size_t done = 0;
    std::size_t failed = 0;
    writer->begin(scenarios.size());
    for (const Scenario& scenario : scenarios) {
        const Report report = run_scenario(scenario, *backend);
        if (interruption && (*interruption)())
            return failure(
                EINTR, "interrupted; {} of {} scenarios did not end", scenarios.size() - done,
                scenarios.size());
        done++;
        failed += report.outcome == Outcome::failed;
        progress.clear();
        Report shown = report;
        if (as_tap)
            shown.name = tap_name(report, scenarios);
        writer->add(shown);
        if (page)
            page->add(scenario, report);
        progress.report(done, failed);
    }
    progress.clear();
    writer->end();
    if (page) {
        constexpr mode_t readable = 0644;
        MACSTATS_CHECK(in_context("--report", replace_file(request.page, page->text(), readable)));
    }
    if (failed)
        return failure(not_as_expected, "{} of {} scenarios failed", failed, scenarios.size());
    return {};
}

} // namespace

void describe_run(CLI::App& command, Action& action) {
    auto& request = request_of<RunRequest>(command, action, run_all);
    command
        .add_option(
            "FILE", request.paths, "Scenario files, folders of .json files, or - (standard input)")
        ->required();
    add_option(
        command, "--backend builtin|kernel|wire|driver", request.backend,
        "Run the devices in this process (builtin), with the kernel modules (kernel; requires "
        "CAP_NET_ADMIN in the first user namespace), on real ports (wire; requires CAP_NET_ADMIN "
        "and CAP_NET_RAW) or on a driver whose registers are emulated (driver; as kernel) "
        "(default builtin)");
    add_option(
        command, "--port NAME=INTERFACE", request.ports,
        "Run port NAME of the scenarios on INTERFACE; twice, for both ends of a cable (required "
        "with --backend wire), or once (with --backend driver)")
        ->expected(1)
        ->take_all();
    add_option(
        command, "--model MODEL", request.model,
        "Compare ports that macstats does not serve as this model; see `macstats models` (default: "
        "skip their scenarios; with --backend driver, that of the registers)");
    add_option(
        command, "--strings FILE", request.strings,
        "With --backend driver, also compare the strings of `ethtool -S` that show a counter each, "
        "as `macstats check-driver --json` has found them");
    add_option(
        command, "--format tap|junit|json", request.format,
        "Format of the report (default tap, version 13)");
    add_option(
        command, "--report FILE", request.page,
        "Also write a page for a browser: failures, coverage of registers and rules, time lines");
    add_option(
        command, "--shard INDEX/COUNT", request.shard,
        "Run only part INDEX of COUNT parts; a scenario's name decides its part, so that other "
        "scenarios never move it");
    command.footer("\nExamples:\n"
                   "  macstats run pause.json\n"
                   "  macstats run test/scenario --backend kernel --format junit > report.xml\n"
                   "  macstats run test/scenario --report report.html\n"
                   "  macstats run - --format json < pause.json | jq '.scenarios[].outcome'\n"
                   "  macstats run test/scenario --shard 3/8\n"
                   "  macstats run test/scenario --backend wire --port mac=eth0 --port "
                   "other=eth1\n"
                   "  macstats run test/scenario/gem --backend driver --port mac=eth0\n\n"
                   "All files are read before the first scenario runs. Exit codes: 0 all passed\n"
                   "or were skipped with a reason; 1 some failed; 2 bad input or rejected; 3 the\n"
                   "kernel modules are not loaded.");
}

} // namespace macstats::cli
