// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommands events and threshold.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "arguments.hpp"
#include "cli.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/events.hpp"
#include "libmacstats/netlink/interface.hpp"
#include "present/counter_name.hpp"
#include "present/events.hpp"
#include "present/table.hpp"

namespace macstats::cli {

namespace {

using nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;

nanoseconds now(clockid_t clock) {
    timespec time{};
    (void)clock_gettime(clock, &time);
    return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

struct EventsRequest {
    std::vector<std::string> ports;
    std::optional<std::string> count_word;
    std::optional<std::string> timeout_word;
    std::optional<std::uint64_t> count;
    std::optional<double> timeout;
    bool json = false;
};

// Selects the events of the ports that the user named, by any of their names. An event may be
// read after its port was removed or lost the name: the last index that was found stays.
class PortFilter {
public:
    explicit PortFilter(std::vector<std::string> names) : names_(std::move(names)) {
        for (const std::string& name : names_)
            indices_[name] = interface_index(name);
    }

    bool wants(const Event& event) {
        return names_.empty() || event.kind == EventKind::lost ||
               std::any_of(names_.begin(), names_.end(), [this, &event](const std::string& name) {
                   return is_called(event, name);
               });
    }

private:
    bool is_called(const Event& event, const std::string& name) {
        if (name == event.port.name || name == fmt::format("{}", event.port.ifindex.value()))
            return true;
        auto& index = indices_[name];
        if (const auto found = interface_index(name))
            index = found;
        return index == event.port.ifindex;
    }

    std::vector<std::string> names_;
    std::map<std::string, std::optional<IfIndex>> indices_; // not set: not found yet
};

// The time left until @deadline, or nothing if there is none.
std::optional<milliseconds> time_left(std::optional<Clock::time_point> deadline) {
    if (!deadline)
        return std::nullopt;
    return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(*deadline - Clock::now()));
}

Result<void>
follow(EventStream& stream, Client& client, PortFilter& filter, const EventsRequest& request) {
    std::optional<Clock::time_point> deadline;
    if (request.timeout)
        deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(*request.timeout));

    for (std::uint64_t shown = 0; !request.count || shown < *request.count;) {
        MACSTATS_TRY(const auto event, stream.next(time_left(deadline)));
        if (!event && request.count)
            return Error{
                ETIMEDOUT, fmt::format("only {} of {} events came in time", shown, *request.count)};
        if (!event)
            return {};
        if (!filter.wants(*event))
            continue;
        print(
            request.json ? json_text(event_json(client, *event)) + "\n"
                         : event_text(client, *event, now(CLOCK_REALTIME) - now(CLOCK_BOOTTIME)));
        if (std::fflush(stdout) != 0)
            return Error{EIO, "cannot write the output"};
        shown++;
    }
    return {};
}

Result<void> events(EventsRequest request) {
    if (request.count_word) {
        MACSTATS_TRY(request.count, parse_count("--count", "events", *request.count_word));
    }
    if (request.timeout_word) {
        MACSTATS_TRY(
            request.timeout,
            parse_seconds("--timeout", *request.timeout_word, {.least = 0, .most = 1e9}));
    }
    // Before the stream opens: an event may be read after its port was removed.
    PortFilter filter(request.ports);
    MACSTATS_TRY(auto stream, EventStream::open());
    MACSTATS_TRY(auto client, Client::open());
    for (const std::string& port : request.ports)
        if (!client.port(port))
            complain(fmt::format("no port \"{}\" yet; its events follow when it is added", port));
    return follow(stream, client, filter, request);
}

// In place of a value: delete the threshold.
constexpr const char* no_value = "none";

struct ThresholdRequest {
    std::string port;
    std::string counter;
    std::string value;
    bool list = false;
    bool json = false;
};

Result<CounterIndex> counter_index(Client& client, const PortInfo& port, const std::string& name) {
    MACSTATS_TRY(const auto counters, client.counters(port.model));
    for (std::uint32_t i = 0; i < counters.size(); i++)
        if (counters[i].name == name || counters[i].reg == name)
            return CounterIndex(i);
    // The library accepts other spellings, and suggests names for a misprint.
    if (const auto model = model_called(port.model))
        return find_counter(**model, name);
    return Error{EINVAL, fmt::format("{} has no counter \"{}\"", port.model, name)};
}

Result<void> list_thresholds(Client& client, const ThresholdRequest& request) {
    const auto thresholds_of = [&client](const PortInfo& port) {
        return client.thresholds(port.ifindex);
    };
    MACSTATS_TRY(const auto ports, client.ports());
    MACSTATS_TRY(
        const auto thresholds, request.port.empty()
                                   ? client.thresholds()
                                   : client.port(request.port).and_then(thresholds_of));

    ordered_json array = ordered_json::array();
    Table table({"PORT", "COUNTER", "VALUE"});
    for (const Threshold& threshold : thresholds) {
        const auto port = std::find_if(ports.begin(), ports.end(), [&threshold](const auto& one) {
            return one.ifindex == threshold.ifindex;
        });
        if (port == ports.end())
            continue; // removed meanwhile
        array.push_back(
            {{"port", port->name},
             {"ifindex", port->ifindex.value()},
             {"counter", counter_json(client, port->model, threshold.counter)},
             {"value", threshold.value}});
        table.add(
            {escaped(port->name), counter_text(client, port->model, threshold.counter),
             fmt::format("{}", threshold.value)});
    }
    if (request.json)
        print_json(array);
    else if (array.empty())
        report_none("thresholds", "`macstats threshold add PORT COUNTER VALUE` sets one");
    else
        print(table.text());
    return {};
}

Result<void> threshold(const ThresholdRequest& request) {
    if (!request.list && request.value.empty())
        return Error{
            EINVAL, "`macstats threshold` needs a command: add, list or delete; see `macstats help "
                    "threshold`"};
    if (request.list && !request.counter.empty())
        return Error{EINVAL, "--list takes at most one port"};
    std::optional<std::uint64_t> value;
    if (!request.list && request.value != no_value) {
        MACSTATS_TRY(value, parse_number("VALUE", request.value, UINT64_MAX));
    }

    MACSTATS_TRY(auto client, Client::open());
    if (request.list)
        return list_thresholds(client, request);
    MACSTATS_TRY(const auto port, client.port(request.port));
    MACSTATS_TRY(const auto counter, counter_index(client, port, request.counter));
    return in_context(request.port, client.set_threshold(port.ifindex, counter, value));
}

} // namespace

namespace {

const char* counter_help = "Counter by its ethtool -S or datasheet name";

void add_threshold_add(CLI::App& threshold_command, Action& action) {
    auto* command = threshold_command.add_subcommand("add", "Set or replace a threshold");
    auto request = std::make_shared<ThresholdRequest>();
    command->add_option("PORT", request->port, port_help)->required();
    command->add_option("COUNTER", request->counter, counter_help)->required();
    command->add_option("VALUE", request->value, "Total to report, decimal or 0x...")->required();
    command->callback([&action, request] { action = [request] { return threshold(*request); }; });
    command->footer(
        fmt::format("\nExample:\n  macstats threshold add mac0 {} 1000000", example().counter));
}

void add_threshold_list(CLI::App& threshold_command, Action& action) {
    auto* command =
        threshold_command.add_subcommand("list", "List the thresholds that are not reached yet");
    auto request = std::make_shared<ThresholdRequest>();
    request->list = true;
    command->add_option("PORT", request->port, "Interface (default: all ports)");
    add_json_flag(*command, request->json);
    command->callback([&action, request] { action = [request] { return threshold(*request); }; });
}

void add_threshold_delete(CLI::App& threshold_command, Action& action) {
    auto* command = threshold_command.add_subcommand("delete", "Delete a threshold");
    auto request = std::make_shared<ThresholdRequest>();
    request->value = no_value;
    command->add_option("PORT", request->port, port_help)->required();
    command->add_option("COUNTER", request->counter, counter_help)->required();
    command->callback([&action, request] { action = [request] { return threshold(*request); }; });
    command->footer(
        fmt::format("\nExample:\n  macstats threshold delete mac0 {}", example().counter));
}

// The form without a verb, from before there were verbs.
void add_threshold_alias(CLI::App& command, Action& action) {
    auto request = std::make_shared<ThresholdRequest>();
    command.add_option("PORT", request->port)->group("");
    command.add_option("COUNTER", request->counter)->group("");
    command.add_option("VALUE", request->value)->group("");
    command.add_flag("--list", request->list)->group("");
    command.add_flag("--json", request->json)->group("");
    command.callback([&command, &action, request] {
        if (command.get_subcommands().empty())
            action = [request] { return threshold(*request); };
    });
}

} // namespace

void describe_events(CLI::App& command, Action& action) {
    auto request = std::make_shared<EventsRequest>();
    command.add_option("PORT", request->ports, ports_help);
    command.add_option("--count", request->count_word, "End after N events (default: never)")
        ->option_text("N");
    command
        .add_option(
            "--timeout", request->timeout_word,
            "End after SECONDS, also 500ms, 2m; with exit code 1 if --count was not reached "
            "(default: never)")
        ->option_text("SECONDS");
    add_json_flag(command, request->json);
    command.callback([&action, request] { action = [request] { return events(*request); }; });
    command.footer(
        "\nExamples:\n"
        "  macstats events\n"
        "  macstats events mac0 --json | jq -r .event\n"
        "  macstats events --count 1 --timeout 60 mac0\n\n"
        "Events: port_added, port_removed, stale, recovered, discontinuity, parity_error,\n"
        "possible_loss, threshold, saturated (a counter was read at its maximum),\n"
        "misfit (the hardware does not do what its model says: see the kernel log), and\n"
        "lost (events came faster than they could be read). A discontinuity reports the\n"
        "counter that showed it and the value that was read and not added, unless the\n"
        "driver reported it. --json prints one object a line.");
}

void describe_threshold(CLI::App& command, Action& action) {
    command.require_subcommand(0, 1);
    add_threshold_add(command, action);
    add_threshold_list(command, action);
    add_threshold_delete(command, action);
    add_threshold_alias(command, action);
    command.footer(fmt::format(
        "\nExamples:\n"
        "  macstats threshold add mac0 {0} 1000000\n"
        "  macstats threshold list\n"
        "  macstats threshold delete mac0 {0}\n"
        "  macstats events mac0\n\n"
        "A counter has one threshold at a time. Setting it requires CAP_NET_ADMIN.",
        example().counter));
}

} // namespace macstats::cli
