// SPDX-License-Identifier: GPL-2.0 OR MIT
// The program macstats-exporter: the statistics of all ports as metrics, over HTTP. A program of
// its own, since the libraries of the HTTP server take longer to load than most subcommands run.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <httplib.h>
#include <netdb.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "metrics_options.hpp"
#include "present/metrics.hpp"
#include "program.hpp"
#include "signals.hpp"

namespace macstats::cli {

namespace {

struct Request {
    std::string listen = "127.0.0.1:9797";
    MetricsOptions metrics;
};

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

// As many clients as are served at once: a slow one keeps its thread for some seconds.
constexpr std::size_t most_clients = 128;
constexpr std::chrono::seconds read_timeout{2};    // of each read of a request
constexpr std::chrono::seconds answer_timeout{20}; // of a whole answer
constexpr std::size_t piece = 65536;               // octets that are sent at once

/// Reads metrics for scrapes in any number of threads, once at a time. Scrapes that arrive
/// during a read share the next one and its text, so that their number costs neither reads
/// nor memory.
class Scrapes {
public:
    using Answer = std::shared_ptr<const Result<std::string>>;

    Scrapes(MetricsFormat format, Freshness freshness, const MetricsSelection& selection)
        : format_(format),
          freshness_(freshness),
          selection_(selection) {}

    /// Metrics of a read that starts after this call.
    Answer read() {
        std::unique_lock lock(mutex_);
        const std::uint64_t wanted = started_ + 1;
        while (finished_ < wanted) {
            if (started_ > finished_) {
                changed_.wait(lock);
                continue;
            }
            started_++;
            lock.unlock();
            auto answer = std::make_shared<const Result<std::string>>(
                read_metrics(format_, freshness_, selection_));
            lock.lock();
            last_ = std::move(answer);
            finished_ = started_;
            changed_.notify_all();
        }
        return last_;
    }

private:
    MetricsFormat format_;
    Freshness freshness_;
    const MetricsSelection& selection_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t started_ = 0;
    std::uint64_t finished_ = 0;
    Answer last_;
};

/// Sends the text in pieces. A client that takes too long for all of it is dropped.
void send(
    httplib::Response& response, const Scrapes::Answer& answer, std::string_view type,
    bool chunked) {
    const auto end = std::chrono::steady_clock::now() + answer_timeout;
    const auto write = [answer, end](std::size_t offset, httplib::DataSink& sink) {
        const std::string& text = **answer;
        return std::chrono::steady_clock::now() < end &&
               sink.write(text.data() + offset, std::min(piece, text.size() - offset));
    };
    if (!chunked) {
        response.set_content_provider(
            (*answer)->size(), std::string(type),
            [write](std::size_t offset, std::size_t, httplib::DataSink& sink) {
                return write(offset, sink);
            });
        return;
    }
    response.set_chunked_content_provider(
        std::string(type), [answer, write](std::size_t offset, httplib::DataSink& sink) {
            if (offset < (*answer)->size())
                return write(offset, sink);
            sink.done();
            return true;
        });
}

void answer_scrape(
    const httplib::Request& request, httplib::Response& response, Scrapes& plain, Scrapes& open) {
    const MetricsFormat format = accepted_format(request.get_header_value("Accept"));
    const auto answer = (format == MetricsFormat::openmetrics ? open : plain).read();
    if (!*answer) {
        response.status = 503;
        response.set_content(
            printable(answer->error().message) + "\n", "text/plain; charset=utf-8");
        return;
    }
    response.set_header("Vary", "Accept");
    send(response, answer, content_type(format), request.version != "HTTP/1.0");
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

Result<void> serve(const Request& request) {
    MACSTATS_TRY(const auto address, parse_address(request.listen));
    MACSTATS_TRY(const auto selection, selection_from(request.metrics));
    const auto freshness = request.metrics.cached ? Freshness::cached : Freshness::read_hardware;
    Scrapes plain(MetricsFormat::prometheus, freshness, selection);
    Scrapes open(MetricsFormat::openmetrics, freshness, selection);

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
        "/metrics", [&plain, &open](const httplib::Request& scraped, httplib::Response& response) {
            answer_scrape(scraped, response, plain, open);
        });
    server.new_task_queue = [] { return new httplib::ThreadPool(most_clients); };
    server.set_read_timeout(read_timeout);
    server.set_keep_alive_timeout(read_timeout.count());
    server.set_payload_max_length(piece);
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

void set_up(CLI::App& app, Action& action) {
    auto request = std::make_shared<Request>();
    app.add_option(
           "--listen", request->listen,
           "Serve HTTP at ADDRESS:PORT; port 0 is any free one (default 127.0.0.1:9797)")
        ->option_text("ADDRESS:PORT");
    add_metrics_options(app, request->metrics);
    app.callback([&action, request] { action = [request] { return serve(*request); }; });
    app.footer(
        "\nThe Accept header of a request chooses the format of its answer: OpenMetrics 1.0 or\n"
        "Prometheus 0.0.4. `macstats export` runs this program, or writes a file.");
}

} // namespace

Program exporter() {
    return {
        .name = "macstats-exporter",
        .description = "Serve the statistics of all ports as metrics",
        .set_up = set_up};
}

} // namespace macstats::cli
