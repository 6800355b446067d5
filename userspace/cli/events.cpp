// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand events: notifications of the kernel, and totals that it polls.
#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli.hpp"
#include "core/json_text.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/interface.hpp"
#include "libmacstats/netlink/watch.hpp"
#include "present/events.hpp"

namespace macstats::cli {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// The time between two looks at the totals. The provider polls about as often.
constexpr auto look_interval = std::chrono::seconds(1);

struct EventsRequest {
    std::vector<std::string> ports;
    std::vector<std::string> threshold_words;
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
            look_up(name);
    }

    bool wants(const std::string& port, IfIndex ifindex) {
        return names_.empty() || std::any_of(names_.begin(), names_.end(), [&](const auto& name) {
                   return name == port || is_called(ifindex, name);
               });
    }

    bool wants(const Event& event) {
        return !event.has_port() || wants(event.port.name, event.port.ifindex);
    }

private:
    bool is_called(IfIndex ifindex, const std::string& name) {
        if (const auto number = parse_number("port", name, INT32_MAX);
            number && *number == ifindex.value())
            return true;
        look_up(name);
        return indices_[name] == ifindex;
    }

    void look_up(const std::string& name) {
        if (const auto found = interface_index(name); found && *found)
            indices_[name] = *found;
    }

    std::vector<std::string> names_;
    std::map<std::string, std::optional<IfIndex>> indices_; // not set: not found yet
};

// The line that is printed for an event.
std::string line_of(const auto& event, bool json) {
    return json ? json_text(event_json(event)) + "\n" : event_text(event, boot_time());
}

struct Threshold {
    std::string counter; // its name in ethtool -S or in the datasheet
    std::uint64_t value = 0;
};

// @words: "COUNTER=VALUE".
Result<std::vector<Threshold>> parse_thresholds(const std::vector<std::string>& words) {
    std::vector<Threshold> thresholds;
    for (const std::string& word : words) {
        const std::size_t equals = std::min(word.rfind('='), word.size());
        const std::string counter = word.substr(0, equals);
        const auto value = parse_number("VALUE", word.substr(equals).erase(0, 1), UINT64_MAX);
        if (counter.empty() || !value || !*value)
            return invalid(
                "--threshold: \"{}\" is not COUNTER=VALUE with a value from 1 to {}, for example "
                "{}=1000",
                word, UINT64_MAX, example().counter);
        for (const Threshold& other : thresholds)
            if (other.counter == counter && other.value == *value)
                return invalid("--threshold: {} is given twice", word);
        thresholds.push_back({.counter = counter, .value = *value});
    }
    return thresholds;
}

// The counter of that name, if the port has it.
std::optional<CounterValue> counter_called(const PortStatistics& port, std::string_view name) {
    for (const CounterValue& counter : port.counters())
        if ((counter.name() == name || counter.info->reg == name) && counter.value)
            return counter;
    return std::nullopt;
}

Error unknown_counter(std::span<const PortStatistics> ports, const std::string& name) {
    std::set<std::string_view> names;
    for (const PortStatistics& port : ports)
        for (const CounterValue& counter : port.counters())
            if (counter.value)
                names.insert({counter.info->name, counter.info->reg});
    return invalid(
        "--threshold: no port has a counter \"{}\"{}", name,
        did_you_mean(name, std::vector(names.begin(), names.end())));
}

// Reports the totals of the ports of a filter that reach a threshold.
class TotalWatch {
public:
    explicit TotalWatch(std::vector<Threshold> thresholds) : thresholds_(std::move(thresholds)) {}

    [[nodiscard]] bool is_needed() const { return !thresholds_.empty(); }

    static PortSelection selection() { return {.freshness = Freshness::cached}; }

    // Rejects a counter that none of the ports has.
    [[nodiscard]] Result<void> check(Client& client, PortFilter& filter) const {
        MACSTATS_TRY(auto ports, read_ports(client, selection()));
        drop_others(ports, filter);
        for (const Threshold& threshold : thresholds_) {
            const auto has_it = [&threshold](const PortStatistics& port) {
                return counter_called(port, threshold.counter).has_value();
            };
            if (!ports.empty() && std::none_of(ports.begin(), ports.end(), has_it))
                return unknown_counter(ports, threshold.counter);
        }
        return {};
    }

    // The events of the totals that have reached their thresholds since the last look.
    std::deque<std::string> look(std::vector<PortStatistics> ports, PortFilter& filter, bool json) {
        drop_others(ports, filter);
        std::deque<std::string> lines;
        std::set<Key> reached;
        for (const PortStatistics& port : ports) {
            for (std::size_t i = 0; i < thresholds_.size(); i++) {
                const Threshold& threshold = thresholds_[i];
                const auto counter = counter_called(port, threshold.counter);
                if (!counter || *counter->value < threshold.value)
                    continue;
                const Key key(port.statistics.ifindex, i);
                reached.insert(key);
                if (!reached_.contains(key))
                    lines.push_back(
                        line_of(ReachedThreshold{port, counter->index, threshold.value}, json));
            }
        }
        reached_ = std::move(reached);
        return lines;
    }

private:
    using Key = std::pair<IfIndex, std::size_t>; // of a port, and in thresholds_

    static void drop_others(std::vector<PortStatistics>& ports, PortFilter& filter) {
        std::erase_if(ports, [&filter](const PortStatistics& port) {
            return !filter.wants(port.name, port.statistics.ifindex);
        });
    }

    std::vector<Threshold> thresholds_;
    std::set<Key> reached_; // of the ports at the last look: a removed port may come back
};

constexpr Clock::time_point never = Clock::time_point::max();

// The time left until @end, or nothing if that is never.
std::optional<milliseconds> time_left(Clock::time_point end) {
    if (end == never)
        return std::nullopt;
    return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(end - Clock::now()));
}

Result<void>
follow(Watch& watch, PortFilter& filter, TotalWatch& totals, const EventsRequest& request) {
    Clock::time_point deadline = never;
    if (request.timeout)
        deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(*request.timeout));
    // The last look is at the deadline.
    auto next_update =
        [&, looks = totals.is_needed()]() mutable -> Result<std::optional<Watch::Update>> {
        auto update = watch.next(time_left(deadline));
        if (!update || *update || !std::exchange(looks, false))
            return update;
        auto ports = read_ports(watch.client(), TotalWatch::selection());
        if (ports)
            return std::optional(Watch::Update{.ports = std::move(*ports)});
        if (ports.error().errnum == Error::not_loaded ||
            ports.error().errnum == Error::loaded_again)
            return std::optional<Watch::Update>();
        return ports.error();
    };

    std::deque<std::string> lines;
    for (std::uint64_t shown = 0; !request.count || shown < *request.count;) {
        if (!lines.empty()) {
            print(lines.front());
            if (std::fflush(stdout) != 0)
                return Error{EIO, "cannot write the output"};
            lines.pop_front();
            shown++;
            continue;
        }
        auto update = next_update();
        if (!update && update.error().errnum != EAGAIN) // ports come and go too fast for a list
            return update.error();
        if (!update)
            continue;
        if (!*update && request.count)
            return failure(ETIMEDOUT, "only {} of {} events came in time", shown, *request.count);
        if (!*update)
            return {};
        const auto& event = (*update)->event;
        if (!event)
            lines = totals.look(std::move((*update)->ports), filter, request.json);
        else if (filter.wants(*event))
            lines.push_back(line_of(*event, request.json));
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
    MACSTATS_TRY(auto thresholds, parse_thresholds(request.threshold_words));
    TotalWatch totals(std::move(thresholds));
    // Before the watch opens: an event may be read after its port was removed.
    PortFilter filter(request.ports);
    Watch::Settings settings{.selection = TotalWatch::selection()};
    if (totals.is_needed())
        settings.interval = look_interval;
    MACSTATS_TRY(auto watch, Watch::open(std::move(settings)));
    bool complete = true;
    for (const std::string& port : request.ports) {
        if (watch.client().port(port))
            continue;
        complete = false;
        complain(fmt::format("no port \"{}\" yet; its events follow when it is added", port));
    }
    // A port that is missing may have a counter that the others lack.
    if (totals.is_needed() && complete)
        MACSTATS_CHECK(totals.check(watch.client(), filter));
    return follow(watch, filter, totals, request);
}

} // namespace

void describe_events(CLI::App& command, Action& action) {
    auto& request = request_of<EventsRequest>(command, action, events);
    command.add_option("PORT", request.ports, ports_help);
    add_option(command, "--count N", request.count_word, "End after N events (default: never)");
    add_option(
        command, "--timeout SECONDS", request.timeout_word,
        "End after SECONDS, also 500ms, 2m; with exit code 1 if --count was not reached (default: "
        "never)");
    add_option(
        command, "--threshold COUNTER=VALUE", request.threshold_words,
        "Also report once when the total of a counter reaches a value, or has before; repeatable "
        "(default: none)");
    add_json_flag(command, request.json);
    command.footer(fmt::format(
        "\nExamples:\n"
        "  macstats events\n"
        "  macstats events mac0 --json | jq -r .event\n"
        "  macstats events --count 1 --timeout 60 mac0\n"
        "  macstats events --threshold {}=1000000\n\n"
        "Events: port_added, port_removed, stale, recovered, discontinuity, parity_error,\n"
        "possible_loss, threshold, saturated (a counter was read at its maximum),\n"
        "misfit (the hardware does not do what its model says: see the kernel log), lost\n"
        "(events came faster than they could be read), modules_unloaded, and\n"
        "modules_loaded (again: totals start anew). A discontinuity reports the counter\n"
        "that showed it and the value that was read and not added, unless the driver\n"
        "reported it. --json prints one object a line.\n\n"
        "--threshold looks once a second at the totals of the last poll, of each port\n"
        "that has the counter. Its name is that of ethtool -S or of the datasheet.",
        example().counter));
}

} // namespace macstats::cli
