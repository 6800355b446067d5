// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommands events and threshold: what happens to ports, as it happens.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <optional>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli.hpp"
#include "libmacstats/client.hpp"
#include "libmacstats/events.hpp"
#include "libmacstats/names.hpp"
#include "libmacstats/table.hpp"

namespace macstats::cli {

namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

// "" if it is not known.
std::string counter_name(Client& client, const std::string& model, std::uint32_t index) {
    const auto counters = client.counters(model);
    return counters && index < counters->size() ? (*counters)[index].name : "";
}

std::string counter_text(Client& client, const std::string& model, std::uint32_t index) {
    const std::string name = counter_name(client, model, index);
    return name.empty() ? fmt::format("counter {}", index) : name;
}

nanoseconds now(clockid_t clock) {
    timespec time{};
    (void)clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

// A time since boot as local time.
std::string time_text(std::uint64_t since_boot) {
    const nanoseconds time = now(CLOCK_REALTIME) - now(CLOCK_BOOTTIME) +
                             nanoseconds(static_cast<std::int64_t>(since_boot));
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
    return fmt::format(
        "{:%F %T}.{:03}", fmt::localtime(static_cast<std::time_t>(seconds.count())),
        std::chrono::duration_cast<milliseconds>(time - seconds).count());
}

std::string details(Client& client, const Event& event) {
    switch (event.kind) {
    case EventKind::port_added:
        return fmt::format("{}, ifindex {}", event.port.model, event.port.ifindex);
    case EventKind::stale:
        return event.port.stale_reason;
    case EventKind::discontinuity:
        return fmt::format("number {}", event.port.discontinuities);
    case EventKind::parity_error:
        return fmt::format("number {}", event.port.parity_errors);
    case EventKind::threshold:
        return fmt::format(
            "{} has reached {}", counter_text(client, event.port.model, event.threshold->counter),
            event.threshold->value);
    default:
        return "";
    }
}

std::string event_text(Client& client, const Event& event) {
    if (event.kind == EventKind::lost)
        return "lost: some events came too fast and are not shown\n";
    const std::string more = details(client, event);
    return fmt::format(
        "{} {} {}{}{}\n", event.time_ns ? time_text(*event.time_ns) : "-", event.port.name,
        event_name(event.kind), more.empty() ? "" : ": ", more);
}

ordered_json event_json(Client& client, const Event& event) {
    ordered_json json = {{"event", event_name(event.kind)}};
    if (event.kind == EventKind::lost)
        return json;
    json["time_ns"] = event.time_ns ? ordered_json(*event.time_ns) : ordered_json();
    json["port"] = event.port.name;
    json["ifindex"] = event.port.ifindex;
    json["model"] = event.port.model;
    json["state"] = {
        {"stale", event.port.stale},
        {"possible_loss", event.port.possible_loss},
        {"discontinuities", event.port.discontinuities}};
    if (event.kind == EventKind::stale)
        json["reason"] = event.port.stale_reason;
    if (event.kind == EventKind::parity_error)
        json["parity_errors"] = event.port.parity_errors;
    if (event.threshold) {
        json["counter"] = counter_name(client, event.port.model, event.threshold->counter);
        json["value"] = event.threshold->value;
    }
    return json;
}

struct EventsRequest {
    std::vector<std::string> ports;
    std::optional<std::uint64_t> count;
    std::optional<double> timeout;
    bool json = false;

    [[nodiscard]] bool wants(const Event& event) const {
        if (ports.empty() || event.kind == EventKind::lost)
            return true;
        return std::any_of(ports.begin(), ports.end(), [&event](const std::string& port) {
            return port == event.port.name || port == fmt::format("{}", event.port.ifindex);
        });
    }
};

// What is left until @deadline; nothing if there is none.
std::optional<milliseconds> time_left(std::optional<Clock::time_point> deadline) {
    if (!deadline)
        return std::nullopt;
    return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(*deadline - Clock::now()));
}

Result<void> follow(EventStream& stream, Client& client, const EventsRequest& request) {
    std::optional<Clock::time_point> deadline;
    if (request.timeout)
        deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(*request.timeout));

    for (std::uint64_t shown = 0; !request.count || shown < *request.count;) {
        const auto event = stream.next(time_left(deadline));
        if (!event)
            return event.error();
        if (!*event && request.count)
            return Error{
                ETIMEDOUT, fmt::format("{} of {} events came in time", shown, *request.count)};
        if (!*event)
            return {};
        if (!request.wants(**event))
            continue;
        constexpr auto replace = ordered_json::error_handler_t::replace;
        print(
            request.json ? event_json(client, **event).dump(-1, ' ', false, replace) + "\n"
                         : event_text(client, **event));
        if (std::fflush(stdout) != 0)
            return Error{EIO, "cannot write the output"};
        shown++;
    }
    return {};
}

Result<void> events(const EventsRequest& request) {
    auto stream = EventStream::open();
    if (!stream)
        return stream.error();
    auto client = Client::open();
    if (!client)
        return client.error();
    for (const std::string& port : request.ports)
        if (!client->port(port))
            complain(fmt::format("there is no port \"{}\" yet", port));
    return follow(*stream, *client, request);
}

struct ThresholdRequest {
    std::string port;
    std::string counter;
    std::string value;
    bool list = false;
    bool json = false;
};

Result<std::uint32_t> counter_index(Client& client, const PortInfo& port, const std::string& name) {
    const auto counters = client.counters(port.model);
    if (!counters)
        return counters.error();
    for (std::uint32_t i = 0; i < counters->size(); i++)
        if ((*counters)[i].name == name || (*counters)[i].reg == name)
            return i;
    // The library knows other ways to write it, and what it may be a misprint of.
    if (const auto model = model_called(port.model)) {
        const auto found = find_counter(**model, name);
        return found ? Result<std::uint32_t>(*found) : found.error();
    }
    return Error{EINVAL, fmt::format("{} has no counter \"{}\"", port.model, name)};
}

Result<void> list_thresholds(Client& client, const ThresholdRequest& request) {
    const auto ports = client.ports();
    if (!ports)
        return ports.error();
    std::optional<PortInfo> only;
    if (!request.port.empty()) {
        auto port = client.port(request.port);
        if (!port)
            return port.error();
        only = std::move(*port);
    }
    const auto thresholds = only ? client.thresholds(only->ifindex) : client.thresholds();
    if (!thresholds)
        return thresholds.error();

    ordered_json array = ordered_json::array();
    Table table({"PORT", "COUNTER", "VALUE"});
    for (const Threshold& threshold : *thresholds) {
        const auto port = std::find_if(ports->begin(), ports->end(), [&threshold](const auto& one) {
            return one.ifindex == threshold.ifindex;
        });
        if (port == ports->end())
            continue; // gone meanwhile
        array.push_back(
            {{"port", port->name},
             {"ifindex", port->ifindex},
             {"counter", counter_name(client, port->model, threshold.counter)},
             {"value", threshold.value}});
        table.add(
            {port->name, counter_text(client, port->model, threshold.counter),
             fmt::format("{}", threshold.value)});
    }
    if (request.json)
        print_json(array);
    else
        print(table.text());
    return {};
}

Result<void> threshold(const ThresholdRequest& request) {
    if (!request.list && request.value.empty())
        return Error{EINVAL, "PORT, COUNTER and VALUE are needed, or --list (try --help)"};
    if (request.list && !request.counter.empty())
        return Error{EINVAL, "--list takes a port at the most"};
    std::optional<std::uint64_t> value;
    if (!request.list && request.value != "none") {
        const auto number = parse_number("VALUE", request.value, UINT64_MAX);
        if (!number)
            return number.error();
        value = *number;
    }

    auto client = Client::open();
    if (!client)
        return client.error();
    if (request.list)
        return list_thresholds(*client, request);
    const auto port = client->port(request.port);
    if (!port)
        return port.error();
    const auto counter = counter_index(*client, *port, request.counter);
    if (!counter)
        return counter.error();
    auto set = client->set_threshold(port->ifindex, *counter, value);
    if (!set)
        return in_context(request.port, set.error());
    return {};
}

} // namespace

void add_event_commands(CLI::App& app, Action& action) {
    {
        auto* command = app.add_subcommand(
            "events", "Print what happens to ports and their statistics, as it happens");
        auto request = std::make_shared<EventsRequest>();
        command->add_option(
            "PORT", request->ports, "Names or indices of interfaces; all ports if none");
        command->add_option("--count", request->count, "End after so many events")
            ->check(CLI::PositiveNumber);
        command
            ->add_option(
                "--timeout", request->timeout,
                "End after so many seconds; exit code 1 if --count has not been reached")
            ->check(CLI::Range(0.0, 1e9));
        add_json_flag(*command, request->json);
        command->callback([&action, request] { action = [request] { return events(*request); }; });
        command->footer(
            "\nExamples:\n"
            "  macstats events\n"
            "  macstats events mac0 --json | jq -r .event\n"
            "  macstats events --count 1 --timeout 60 mac0\n\n"
            "With --json, one object a line. Events: port_added, port_removed, stale,\n"
            "recovered, discontinuity, parity_error, possible_loss, threshold, and lost\n"
            "where they came faster than they could be read.");
    }
    {
        auto* command = app.add_subcommand(
            "threshold", "Have an event when a counter's total reaches a value, once");
        auto request = std::make_shared<ThresholdRequest>();
        command->add_option("PORT", request->port, "Name or index of an interface");
        command->add_option("COUNTER", request->counter, "As in ethtool -S or in the datasheet");
        command->add_option("VALUE", request->value, "The total to tell of, or \"none\"");
        command->add_flag("--list", request->list, "List those that have not been reached");
        add_json_flag(*command, request->json);
        command->callback(
            [&action, request] { action = [request] { return threshold(*request); }; });
        command->footer(fmt::format(
            "\nExamples:\n"
            "  macstats threshold mac0 {0} 1000000\n"
            "  macstats threshold mac0 {0} none\n"
            "  macstats threshold --list\n"
            "  macstats events mac0\n\n"
            "A counter has one threshold at a time. Setting it needs CAP_NET_ADMIN.",
            example().counter));
    }
}

} // namespace macstats::cli
