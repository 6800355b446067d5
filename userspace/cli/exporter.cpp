// SPDX-License-Identifier: GPL-2.0 OR MIT
// The program macstats-exporter: the statistics of all ports as metrics, over HTTP. A program of
// its own, since the libraries of the HTTP server take longer to load than most subcommands run.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <functional>
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

#include "cli.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "metrics_options.hpp"
#include "present/live_page.hpp"
#include "present/metrics.hpp"
#include "present/show.hpp"
#include "server_options.hpp"
#include "signals.hpp"

namespace macstats::cli {

namespace {

struct Request {
    ServerOptions server;
    MetricsOptions metrics;
};

// The page at / for other machines.
constexpr std::string_view metrics_only =
    "<!DOCTYPE html><html lang=\"en\"><title>macstats</title>"
    "<h1>macstats</h1><p><a href=\"/metrics\">Metrics</a></p>"
    "<p>The live page is served on loopback addresses only.</p></html>\n";

// As many clients as are served at once. One whose request comes octet by octet keeps its thread
// until the request is too long: no timeout is of a whole request.
constexpr std::size_t most_clients = 128;
constexpr std::chrono::seconds read_timeout{2};    // of each read of a request
constexpr std::chrono::seconds answer_timeout{20}; // of a whole answer
constexpr std::size_t piece = 65536;               // octets that are sent at once
constexpr const char* plain_text = "text/plain; charset=utf-8";

/// Reads for requests in any number of threads, once at a time. Requests that arrive during a
/// read share the next one and its text, so that their number costs neither reads nor memory.
class SharedRead {
public:
    using Answer = std::shared_ptr<const Result<std::string>>;

    explicit SharedRead(std::function<Result<std::string>()> read) : read_(std::move(read)) {}

    /// The text of a read that starts after this call.
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
            Answer answer = read_or_error();
            lock.lock();
            last_ = std::move(answer);
            finished_ = started_;
            changed_.notify_all();
        }
        return last_;
    }

private:
    // Those that wait need an answer, whatever happens.
    Answer read_or_error() const {
        try {
            return std::make_shared<const Result<std::string>>(read_());
        } catch (const std::exception& error) {
            return std::make_shared<const Result<std::string>>(Error{EIO, error.what()});
        }
    }

    std::function<Result<std::string>()> read_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t started_ = 0;
    std::uint64_t finished_ = 0;
    Answer last_;
};

/// Sends the text in pieces, or the error of the read. A client that takes too long for all of it
/// is dropped.
void send(
    const httplib::Request& request, httplib::Response& response, const SharedRead::Answer& answer,
    std::string_view type) {
    // The next read makes another text, of which parts are of no use: all of it is the answer.
    const_cast<httplib::Request&>(request).ranges.clear();
    if (!*answer) {
        response.status = 503;
        response.set_content(printable(answer->error().message) + "\n", plain_text);
        return;
    }
    const auto end = std::chrono::steady_clock::now() + answer_timeout;
    const auto write = [answer, end](std::size_t offset, httplib::DataSink& sink) {
        const std::string& text = **answer;
        return std::chrono::steady_clock::now() < end &&
               sink.write(text.data() + offset, std::min(piece, text.size() - offset));
    };
    if (request.version == "HTTP/1.0") { // without chunks
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
    const httplib::Request& request, httplib::Response& response, SharedRead& plain,
    SharedRead& open) {
    const MetricsFormat format = accepted_format(request.get_header_value("Accept"));
    response.set_header("Vary", "Accept");
    send(
        request, response, (format == MetricsFormat::openmetrics ? open : plain).read(),
        content_type(format));
}

/// What `macstats show --json` prints of all ports, on one line, with a client of its own.
/// JavaScript rounds integers above 2^53.
Result<std::string> read_ports_json(JsonWriter::Integers integers) {
    MACSTATS_TRY(auto client, Client::open());
    MACSTATS_TRY(auto ports, read_ports(client, {.freshness = Freshness::cached}));
    return ports_json_text(views_of(std::move(ports)), integers);
}

/// The page and its data. Nothing here reads the hardware: a page that stays open must not
/// compete with the scrapes, nor change when registers are read.
class Live {
public:
    void serve(httplib::Server& server) {
        for (const LiveFile& file : live_files())
            server.Get(
                std::string(file.path),
                [&file](const httplib::Request&, httplib::Response& response) {
                    protect(response);
                    response.set_content(
                        file.text.data(), file.text.size(), std::string(file.type));
                });
        server.Get(
            "/api/ports", [this](const httplib::Request& request, httplib::Response& response) {
                protect(response);
                const bool strings = request.get_param_value("integers") == "strings";
                send(request, response, (strings ? strings_ : numbers_).read(), json_type);
            });
        server.Get(
            R"(/api/models/(\w{1,64}))",
            [](const httplib::Request& request, httplib::Response& response) {
                protect(response);
                if (const auto text = model_json_text(request.matches[1].str()))
                    return response.set_content(*text, std::string(json_type));
                response.status = 404;
                response.set_content("this exporter does not have the model\n", plain_text);
            });
    }

private:
    static constexpr std::string_view json_type = "application/json";

    static void protect(httplib::Response& response) {
        response.set_header("Content-Security-Policy", std::string(live_policy()));
        response.set_header("X-Content-Type-Options", "nosniff");
        response.set_header("Cross-Origin-Resource-Policy", "same-origin");
        response.set_header("Cross-Origin-Opener-Policy", "same-origin");
        response.set_header("Referrer-Policy", "no-referrer");
        response.set_header("Cache-Control", "no-store");
    }

    SharedRead numbers_{[] { return read_ports_json(JsonWriter::Integers::as_numbers); }};
    SharedRead strings_{[] { return read_ports_json(JsonWriter::Integers::as_strings); }};
};

void reject(httplib::Response& response, int status, const std::string& why) {
    response.status = status;
    response.set_content(why + "\n", plain_text);
}

/// A browser states so of what a page of another site loads, but not of a link that its user
/// follows.
bool is_from_another_site(const httplib::Request& request) {
    return request.get_header_value("Sec-Fetch-Site") == "cross-site" &&
           (request.get_header_value("Sec-Fetch-Mode") != "navigate" ||
            request.get_header_value("Sec-Fetch-Dest") != "document");
}

/// Rejects requests for other hosts and those of other sites, before anything is served.
void check_origin(httplib::Server& server, const ServerOptions& options, const Address& address) {
    const bool ipv6 = address.host.find(':') != std::string::npos;
    const std::string listened = ipv6 ? "[" + address.host + "]" : address.host;
    server.set_pre_routing_handler([listened, others = options.hosts](
                                       const httplib::Request& request,
                                       httplib::Response& response) {
        using Handled = httplib::Server::HandlerResponse;
        const auto headers = request.get_header_value_count("Host");
        if (!headers && request.version == "HTTP/1.0")
            return Handled::Unhandled;
        if (headers != 1 || request.get_header_value("Host").empty())
            reject(response, 400, "the request must have exactly one Host header");
        else if (!is_own_host(request.get_header_value("Host"), listened, others))
            reject(
                response, 403,
                fmt::format(
                    "the host {} is rejected: localhost, loopback addresses, the host of --listen "
                    "and those of --allow-host are accepted",
                    printable(request.get_header_value("Host"))));
        else if (is_from_another_site(request))
            reject(response, 403, "requests of another site are rejected");
        else
            return Handled::Unhandled;
        return Handled::Handled;
    });
}

/// Serves requests in a thread of its own until SIGINT or SIGTERM, or until the server fails.
Result<void> serve_until_signal(httplib::Server& server, const Signals& signals) {
    const int over = eventfd(0, EFD_CLOEXEC);
    if (over < 0)
        return failure(errno, "cannot wait for the server: {}", errno_text(errno));
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
    MACSTATS_TRY(const auto address, parse_address(request.server.listen));
    MACSTATS_CHECK(check_allowed_hosts(request.server.hosts));
    MACSTATS_TRY(
        const bool is_local,
        in_context("cannot listen at " + request.server.listen, is_loopback(address.host)));
    if (!is_local && !request.server.hosts.empty())
        return Error{
            EINVAL, "--allow-host: accepted only where --listen is a loopback address, as no "
                    "other one checks hosts"};
    MACSTATS_TRY(const auto selection, selection_from(request.metrics));
    const auto reader = [&selection](MetricsFormat format) {
        return [&selection, format] { return read_metrics(format, selection); };
    };
    SharedRead plain(reader(MetricsFormat::prometheus));
    SharedRead open(reader(MetricsFormat::openmetrics));
    Live live;

    const Signals signals{SIGINT, SIGTERM};
    httplib::Server server;
    // By default several servers could share a port: scrapes would reach any of them.
    server.set_socket_options([](socket_t socket) {
        const int yes = 1;
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    if (is_local) {
        check_origin(server, request.server, address);
        live.serve(server);
    } else {
        server.Get("/", [](const httplib::Request&, httplib::Response& response) {
            response.set_content(
                metrics_only.data(), metrics_only.size(), "text/html; charset=utf-8");
        });
    }
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
        return listen_error(address, request.server.listen);
    // A kernel that has no provider now is an error at once, not at the first scrape.
    MACSTATS_CHECK(Client::open());
    const bool ipv6 = address.host.find(':') != std::string::npos;
    const std::string place =
        fmt::format("http://{}{}{}:{}/", ipv6 ? "[" : "", address.host, ipv6 ? "]" : "", port);
    complain(fmt::format(
        "serving {}metrics{}", place,
        is_local ? fmt::format(", and the live page at {}", place) : ""));
    return serve_until_signal(server, signals);
}

void set_up(CLI::App& app, Action& action, const std::optional<Words>& /*words*/) {
    auto& request = request_of<Request>(app, action, serve);
    add_server_options(app, request.server);
    add_metrics_options(app, request.metrics);
    app.footer(
        "\nThe Accept header of a request chooses the format of its answer: OpenMetrics 1.0\n"
        "or Prometheus 0.0.4. `macstats export` runs this program, or writes a file.\n\n"
        "On a loopback address, / is a live page of the ports. It shows the totals of the\n"
        "last poll and reads no register; /api/ports has the same as JSON. Only requests\n"
        "are answered there whose Host is localhost, a loopback address, the host of\n"
        "--listen or one of --allow-host. On other addresses, any Host is accepted.");
}

} // namespace

Program exporter() {
    return {
        .name = "macstats-exporter",
        .description = "Serve the statistics of all ports as metrics",
        .set_up = set_up};
}

} // namespace macstats::cli
