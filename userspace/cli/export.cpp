// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand export: the statistics of all ports as metrics, over HTTP or in a file.
#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <httplib.h>
#include <netdb.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/scenario/file.hpp"
#include "present/metrics.hpp"
#include "present/view.hpp"
#include "signals.hpp"

namespace macstats::cli {

namespace {

struct ExportRequest {
    std::string listen = "127.0.0.1:9797";
    std::string textfile;
    std::string format = "prometheus";
    bool cached = false;
};

/// A scrape with a client of its own: several threads answer requests.
Result<std::string> scrape(MetricsFormat format, bool cached) {
    MACSTATS_TRY(auto client, Client::open());
    const PortSelection all{
        .ports = {},
        .model = {},
        .freshness = cached ? Freshness::cached : Freshness::read_hardware,
        .skip_missing = true};
    MACSTATS_TRY(const auto views, read_views(client, all));
    return metrics_text(views, format, boot_time());
}

Result<void> write_textfile(const ExportRequest& request, MetricsFormat format) {
    MACSTATS_TRY(const auto text, scrape(format, request.cached));
    if (request.textfile == "-") {
        print(text);
        return {};
    }
    // Readable by all: node_exporter runs as another user.
    return replace_file(request.textfile, text, 0644);
}

struct Address {
    std::string host;
    int port = 0;
};

/// "127.0.0.1:9797", "[::1]:9797", ":9797" (all addresses) or "9797" (loopback).
Result<Address> parse_address(const std::string& text) {
    const auto colon = text.rfind(':');
    std::string host = colon == std::string::npos ? "127.0.0.1" : text.substr(0, colon);
    const std::string digits = colon == std::string::npos ? text : text.substr(colon + 1);
    MACSTATS_TRY(const auto port, in_context("--listen", parse_number("port", digits, 65535)));
    if (host.empty())
        host = "::";
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    return Address{host, static_cast<int>(port)};
}

constexpr std::string_view front_page =
    "<!DOCTYPE html><html lang=\"en\"><title>macstats</title>"
    "<h1>macstats</h1><p><a href=\"/metrics\">Metrics</a></p></html>\n";

void answer_scrape(const httplib::Request& request, httplib::Response& response, bool cached) {
    const MetricsFormat format = accepted_format(request.get_header_value("Accept"));
    const auto text = scrape(format, cached);
    if (!text) {
        response.status = 503;
        response.set_content(printable(text.error().message) + "\n", "text/plain; charset=utf-8");
        return;
    }
    response.set_header("Vary", "Accept");
    response.set_content(*text, std::string(content_type(format)));
}

struct FreeAddresses {
    void operator()(addrinfo* addresses) const { freeaddrinfo(addresses); }
};

// Why a socket cannot listen at an address. httplib only reports that it cannot.
Error listen_error(const Address& address, const std::string& text) {
    const auto because = [&text](int errnum, std::string_view why) {
        return Error{errnum, fmt::format("cannot listen at {}: {}", text, why)};
    };
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    addrinfo* list = nullptr;
    const int found =
        getaddrinfo(address.host.c_str(), fmt::format("{}", address.port).c_str(), &hints, &list);
    if (found != 0)
        return because(EADDRNOTAVAIL, gai_strerror(found));
    const std::unique_ptr<addrinfo, FreeAddresses> addresses(list);
    int errnum = EADDRINUSE; // unless another socket has left the address meanwhile
    for (const addrinfo* at = list; at; at = at->ai_next) {
        const int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
        const int yes = 1;
        if (fd >= 0)
            (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
        if (fd < 0 || bind(fd, at->ai_addr, at->ai_addrlen) != 0 || ::listen(fd, 1) != 0)
            errnum = errno;
        if (fd >= 0)
            (void)close(fd);
    }
    if (errnum == EADDRINUSE)
        return because(errnum, errno_text(errnum) + "; give another port with --listen");
    if (errnum == EACCES)
        return because(
            errnum, errno_text(errnum) + "; ports below 1024 require CAP_NET_BIND_SERVICE");
    return because(errnum, errno_text(errnum));
}

/// Serves requests in a thread of its own until SIGINT or SIGTERM, or until the server fails.
Result<void> serve_until_signal(httplib::Server& server, const Signals& signals) {
    const int over = eventfd(0, EFD_CLOEXEC);
    if (over < 0)
        return Error{errno, fmt::format("cannot wait for the server: {}", errno_text(errno))};
    bool worked = false;
    std::thread serving([&server, &worked, over] {
        worked = server.listen_after_bind();
        (void)eventfd_write(over, 1);
    });
    std::array<pollfd, 2> sources{{
        {.fd = signals.fd(), .events = POLLIN, .revents = 0},
        {.fd = over, .events = POLLIN, .revents = 0},
    }};
    while (poll(sources.data(), sources.size(), -1) < 0 && errno == EINTR) {}
    const bool stopped = signals.next().has_value();
    // A server that has not started yet cannot be stopped.
    while (stopped && !server.is_running() && poll(&sources[1], 1, 1) == 0) {}
    if (stopped)
        server.stop();
    serving.join();
    (void)close(over);
    if (!stopped && !worked)
        return Error{EIO, "the server failed"};
    return {};
}

Result<void> serve(const ExportRequest& request) {
    MACSTATS_TRY(const auto address, parse_address(request.listen));

    const Signals signals{SIGINT, SIGTERM};
    httplib::Server server;
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
    const int port = address.port == 0 ? server.bind_to_any_port(address.host)
                     : server.bind_to_port(address.host, address.port) ? address.port
                                                                       : -1;
    if (port < 0)
        return listen_error(address, request.listen);
    // A kernel that has no provider now is an error at once, not at the first scrape.
    MACSTATS_CHECK(Client::open());
    const bool ipv6 = address.host.find(':') != std::string::npos;
    complain(fmt::format(
        "serving http://{}{}{}:{}/metrics", ipv6 ? "[" : "", address.host, ipv6 ? "]" : "", port));
    return serve_until_signal(server, signals);
}

Result<void> export_metrics(const ExportRequest& request) {
    const bool open = request.format == "openmetrics";
    if (!open && request.format != "prometheus")
        return Error{
            EINVAL, fmt::format(
                        "--format: \"{}\" is not a format; give prometheus or openmetrics",
                        request.format)};
    if (request.textfile.empty())
        return serve(request);
    return write_textfile(request, open ? MetricsFormat::openmetrics : MetricsFormat::prometheus);
}

} // namespace

void add_export_command(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("export", "Serve or write the statistics as metrics");
    auto request = std::make_shared<ExportRequest>();
    auto* listen =
        command
            ->add_option(
                "--listen", request->listen,
                "Serve HTTP at ADDRESS:PORT; port 0 is any free one (default 127.0.0.1:9797)")
            ->option_text("ADDRESS:PORT");
    auto* textfile =
        command
            ->add_option(
                "--textfile", request->textfile,
                "Write the metrics to FILE, for node_exporter's textfile collector, and exit; - is "
                "standard output")
            ->option_text("FILE");
    textfile->excludes(listen);
    command
        ->add_option(
            "--format", request->format,
            "Format of FILE: prometheus (text format 0.0.4) or openmetrics (1.0) (default "
            "prometheus)")
        ->option_text("FORMAT")
        ->needs(textfile);
    command->add_flag(
        "--cached", request->cached, "Export the totals of the last poll; do not read the MAC");
    command->callback(
        [&action, request] { action = [request] { return export_metrics(*request); }; });
    command->footer(
        "\nThe Accept header of a request chooses the format of its answer.\n"
        "\nExamples:\n"
        "  macstats export\n"
        "  curl -H 'Accept: application/openmetrics-text' http://127.0.0.1:9797/metrics\n"
        "  macstats export --textfile /var/lib/prometheus/node-exporter/macstats.prom");
}

} // namespace macstats::cli
