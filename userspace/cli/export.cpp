// SPDX-License-Identifier: GPL-2.0 OR MIT
// macstats export: the statistics of all ports as metrics, by HTTP or in a file.
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <httplib.h>

#include "cli.hpp"
#include "libmacstats/client.hpp"
#include "libmacstats/file.hpp"
#include "libmacstats/metrics.hpp"
#include "libmacstats/names.hpp"
#include "libmacstats/view.hpp"

namespace macstats::cli {

namespace {

struct ExportRequest {
    std::string listen = "127.0.0.1:9797";
    std::string textfile;
    std::string format = "prometheus";
    bool cached = false;
};

/// A scrape with a client of its own: requests are answered by several threads.
Result<std::string> scrape(MetricsFormat format, bool cached) {
    auto client = Client::open();
    if (!client)
        return client.error();
    const PortSelection all{
        .ports = {},
        .model = {},
        .freshness = cached ? Freshness::cached : Freshness::read_hardware,
        .skip_missing = true};
    const auto views = read_views(*client, all);
    if (!views)
        return views.error();
    return metrics_text(*views, format, boot_time());
}

Result<void> write_textfile(const ExportRequest& request, MetricsFormat format) {
    const auto text = scrape(format, request.cached);
    if (!text)
        return text.error();
    // Readable by all, as its reader is somebody else.
    return replace_file(request.textfile, *text, 0644);
}

struct Address {
    std::string host;
    int port = 0;
};

/// "127.0.0.1:9797", "[::1]:9797", ":9797" (all addresses) or "9797" (loopback).
Result<Address> parse_address(const std::string& text) {
    const auto colon = text.rfind(':');
    std::string host = colon == std::string::npos ? "127.0.0.1" : text.substr(0, colon);
    const auto port =
        parse_number("port", colon == std::string::npos ? text : text.substr(colon + 1), 65535);
    if (!port)
        return in_context("--listen", port.error());
    if (host.empty())
        host = "::";
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    return Address{host, static_cast<int>(*port)};
}

constexpr std::string_view front_page =
    "<!DOCTYPE html><html lang=\"en\"><title>macstats</title>"
    "<h1>macstats</h1><p><a href=\"/metrics\">Metrics</a></p></html>\n";

void answer_scrape(const httplib::Request& request, httplib::Response& response, bool cached) {
    const MetricsFormat format = accepted_format(request.get_header_value("Accept"));
    const auto text = scrape(format, cached);
    if (!text) {
        response.status = 503;
        response.set_content(text.error().message + "\n", "text/plain; charset=utf-8");
        return;
    }
    response.set_header("Vary", "Accept");
    response.set_content(*text, std::string(content_type(format)));
}

/// Stops the server at SIGINT or SIGTERM. Make it before other threads are started:
/// they must not get these signals.
class StopOnSignal {
public:
    explicit StopOnSignal(httplib::Server& server) {
        sigset_t signals{};
        sigemptyset(&signals);
        sigaddset(&signals, SIGINT);
        sigaddset(&signals, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &signals, nullptr);
        waiter_ = std::jthread([&server, signals](const std::stop_token& over) {
            const timespec patience{.tv_sec = 0, .tv_nsec = 100'000'000};
            while (!over.stop_requested() && sigtimedwait(&signals, nullptr, &patience) < 0) {}
            // A server that has not begun yet cannot be stopped.
            while (!over.stop_requested() && !server.is_running())
                std::this_thread::yield();
            server.stop();
        });
    }

private:
    std::jthread waiter_;
};

Result<void> serve(const ExportRequest& request) {
    const auto address = parse_address(request.listen);
    if (!address)
        return address.error();
    // What is wrong now will not be right later: say it at once.
    if (const auto first = Client::open(); !first)
        return first.error();

    httplib::Server server;
    const StopOnSignal stop(server);
    // By default several servers could share a port: scrapes would reach any of them.
    server.set_socket_options([](socket_t socket) {
        const int yes = 1;
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    server.Get("/", [](const httplib::Request&, httplib::Response& response) {
        response.set_content(front_page.data(), front_page.size(), "text/html; charset=utf-8");
    });
    server.Get(
        "/metrics",
        [cached = request.cached](const httplib::Request& scraped, httplib::Response& response) {
            answer_scrape(scraped, response, cached);
        });
    const int port = address->port == 0 ? server.bind_to_any_port(address->host)
                     : server.bind_to_port(address->host, address->port) ? address->port
                                                                         : -1;
    if (port < 0)
        return Error{EADDRINUSE, fmt::format("cannot listen at {}", request.listen)};
    const bool ipv6 = address->host.find(':') != std::string::npos;
    complain(fmt::format(
        "serving http://{}{}{}:{}/metrics", ipv6 ? "[" : "", address->host, ipv6 ? "]" : "", port));
    server.listen_after_bind();
    return {};
}

Result<void> export_metrics(const ExportRequest& request) {
    const bool open = request.format == "openmetrics";
    if (!open && request.format != "prometheus")
        return Error{
            EINVAL, fmt::format("--format: prometheus or openmetrics, not {}", request.format)};
    if (request.textfile.empty())
        return serve(request);
    return write_textfile(request, open ? MetricsFormat::openmetrics : MetricsFormat::prometheus);
}

} // namespace

void add_export_command(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand(
        "export", "Serve the statistics of all ports as metrics for Prometheus, or write them");
    auto request = std::make_shared<ExportRequest>();
    auto* listen = command->add_option(
        "--listen", request->listen,
        "ADDRESS:PORT to serve HTTP at; port 0: any that is free. Default: 127.0.0.1:9797");
    auto* textfile = command->add_option(
        "--textfile", request->textfile,
        "Write the metrics to this file, for node_exporter's textfile collector, and end");
    textfile->excludes(listen);
    command
        ->add_option(
            "--format", request->format,
            "prometheus (text format 0.0.4; default) or openmetrics (1.0)")
        ->needs(textfile);
    command->add_flag(
        "--cached", request->cached, "The totals of the last poll, without reading the MAC");
    command->callback(
        [&action, request] { action = [request] { return export_metrics(*request); }; });
    command->footer(
        "\nThe format of an answer is chosen by the Accept header.\n"
        "\nExamples:\n"
        "  macstats export\n"
        "  curl -H 'Accept: application/openmetrics-text' http://127.0.0.1:9797/metrics\n"
        "  macstats export --textfile /var/lib/prometheus/node-exporter/macstats.prom");
}

} // namespace macstats::cli
