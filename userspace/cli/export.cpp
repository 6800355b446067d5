// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand export: the statistics of all ports as metrics, in a file or, by the program
// macstats-exporter, over HTTP.
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "metrics_options.hpp"
#include "present/metrics.hpp"
#include "scenario/file.hpp"
#include "server_options.hpp"

namespace macstats::cli {

namespace {

struct ExportRequest {
    ServerOptions server;
    std::string textfile;
    std::string format = "prometheus";
    MetricsOptions metrics;
};

Result<void> write_textfile(const ExportRequest& request, MetricsFormat format) {
    MACSTATS_TRY(const auto selection, selection_from(request.metrics));
    MACSTATS_TRY(const auto text, read_metrics(format, selection));
    if (request.textfile == "-") {
        print(text);
        return {};
    }
    // Readable by all: node_exporter runs as another user.
    return replace_file(request.textfile, text, 0644);
}

/// The options of the command line, as words of another one.
std::vector<std::string> given_options(const CLI::App& command) {
    std::vector<std::string> words;
    for (const CLI::Option* option : command.get_options()) {
        if (option->get_items_expected_max() == 0 && option->count() > 0)
            words.push_back(option->get_name());
        else
            for (const std::string& value : option->results())
                words.push_back(fmt::format("{}={}", option->get_name(), value));
    }
    return words;
}

/// Replaces this process by the exporter that lies beside this program, and that has all
/// options of @command that are not those of a file.
Result<void> serve(const CLI::App& command) {
    std::error_code unknown;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", unknown);
    const std::string path = (self.parent_path() / "macstats-exporter").string();
    std::vector<std::string> words = given_options(command);
    words.insert(words.begin(), path);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    (void)execv(path.c_str(), arguments.data());
    return failure(errno, "cannot serve metrics: {}: {}", path, errno_text(errno));
}

Result<void> export_metrics(const CLI::App& command, const ExportRequest& request) {
    const bool open = request.format == "openmetrics";
    if (!open && request.format != "prometheus")
        return invalid(
            "--format: \"{}\" is not a format; give prometheus or openmetrics", request.format);
    if (request.textfile.empty())
        return serve(command);
    return write_textfile(request, open ? MetricsFormat::openmetrics : MetricsFormat::prometheus);
}

} // namespace

void describe_export(CLI::App& command, Action& action) {
    auto& request =
        request_of<ExportRequest>(command, action, [&command](const ExportRequest& typed) {
            return export_metrics(command, typed);
        });
    const auto server = add_server_options(command, request.server);
    auto* textfile = add_option(
        command, "--textfile FILE", request.textfile,
        "Write the metrics to FILE, for node_exporter's textfile collector, and exit; - is "
        "standard output");
    for (auto* option : server)
        textfile->excludes(option);
    add_option(
        command, "--format FORMAT", request.format,
        "Format of FILE: prometheus (text format 0.0.4) or openmetrics (1.0) (default prometheus)")
        ->needs(textfile);
    add_metrics_options(command, request.metrics);
    command.footer(
        "\nBy default, the state of each port, its standard statistics and its counters of\n"
        "errors are exported. The Accept header of a request chooses the format of its\n"
        "answer.\n\n"
        "On a loopback address, a browser finds a live page of the ports at /. It shows\n"
        "the totals of the last poll and reads no register. Only requests are answered\n"
        "there whose Host is localhost, a loopback address, the host of --listen or one\n"
        "of --allow-host. On other addresses, any Host is accepted.\n"
        "\nExamples:\n"
        "  macstats export --max-series 100 --label rack=7\n"
        "  macstats export --group rmon,pause --counter 'rx_*_err'\n"
        "  curl -H 'Accept: application/openmetrics-text' http://127.0.0.1:9797/metrics\n"
        "  macstats export --textfile /var/lib/prometheus/node-exporter/macstats.prom");
}

} // namespace macstats::cli
