// SPDX-License-Identifier: GPL-2.0 OR MIT
// Metrics in the text formats of Prometheus and OpenMetrics.
#include "present/metrics.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <ctime>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <macstats/schema.h>
#include <macstats/standard.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/device/standard.hpp"
#include "present/show.hpp"
#include "present/time.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;
using std::chrono::system_clock;

using Labels = std::vector<std::pair<std::string_view, std::string>>;

bool is_lower_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

/// "FramesLostDueToIntMACXmitError" is "frames_lost_due_to_int_mac_xmit_error".
std::string snake_case(std::string_view name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); i++) {
        const char c = name[i];
        const bool begins =
            is_upper(c) && i > 0 &&
            (is_lower_or_digit(name[i - 1]) || (is_upper(name[i - 1]) && i + 1 < name.size() &&
                                                name[i + 1] >= 'a' && name[i + 1] <= 'z'));
        if (begins)
            text += '_';
        if (is_upper(c))
            text += static_cast<char>(c - 'A' + 'a');
        else
            text += is_lower_or_digit(c) ? c : '_';
    }
    return text;
}

std::string with_escapes(std::string_view text, bool quotes) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\\\";
        else if (c == '\n')
            out += "\\n";
        else if (c == '"' && quotes)
            out += "\\\"";
        else
            out += c;
    }
    return out;
}

std::string label_text(const Labels& labels) {
    std::string text;
    for (const auto& [name, value] : labels)
        text +=
            fmt::format("{}{}=\"{}\"", text.empty() ? "{" : ",", name, with_escapes(value, true));
    return text.empty() ? text : text + "}";
}

/// Seconds since 1970, to the millisecond.
std::string seconds(system_clock::time_point time) {
    const auto ms =
        std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
    return fmt::format("{}.{:03}", ms / 1000, ms % 1000);
}

/// "tx_st" in frames is "tx_st_frames": OpenMetrics requires the unit at the end of a
/// family's name. A name that ends with the unit stays unchanged.
std::string with_unit(std::string name, std::string_view unit) {
    if (unit.empty() || name.ends_with(fmt::format("_{}", unit)))
        return name;
    return fmt::format("{}_{}", name, unit);
}

std::string_view unit_of(const CounterInfo& counter) {
    switch (counter.unit.value_or(MACSTATS_FRAMES)) {
    case MACSTATS_OCTETS:
    case MACSTATS_PAYLOAD:
    case MACSTATS_WIRE_OCTETS:
        return "bytes";
    case MACSTATS_COLLISIONS:
    case MACSTATS_EARLY_COLLISIONS:
        return "collisions";
    default:
        return "frames";
    }
}

/// The other standard statistics count frames or events; their names contain the unit.
std::string_view unit_of(const StandardName& standard) {
    return standard.name.ends_with("bytes") || standard.name.starts_with("Octets") ? "bytes" : "";
}

/// Writes families one after the other, each with all its samples.
class Writer {
public:
    Writer(MetricsFormat format, system_clock::time_point boot) : format_(format), boot_(boot) {}

    void counter(const std::string& name, std::string_view unit, std::string_view help) {
        family_ = with_unit(name, unit);
        // In the format of Prometheus, a family has the name of its samples.
        const std::string called = is_open() ? family_ : family_ + "_total";
        head(called, "counter", unit, help);
    }

    void gauge(const std::string& name, std::string_view unit, std::string_view help) {
        family_ = with_unit(name, unit);
        head(family_, "gauge", unit, help);
    }

    /// A sample of the counter; @since in nanoseconds since boot.
    void
    count(const Labels& labels, std::uint64_t value, const std::optional<std::uint64_t>& since) {
        const std::string text = label_text(labels);
        text_ += fmt::format("{}_total{} {}\n", family_, text, value);
        if (const auto created = since ? at(*since) : std::nullopt; is_open() && created)
            text_ += fmt::format("{}_created{} {}\n", family_, text, seconds(*created));
    }

    /// A sample of the gauge.
    void value(const Labels& labels, std::string_view value) {
        text_ += fmt::format("{}{} {}\n", family_, label_text(labels), value);
    }

    /// Nothing for an impossible time since boot.
    [[nodiscard]] std::optional<system_clock::time_point> at(std::uint64_t ns_since_boot) const {
        if (const auto since_boot = time_since_boot(ns_since_boot))
            return boot_ + *since_boot;
        return std::nullopt;
    }

    std::string finish() && {
        if (is_open())
            text_ += "# EOF\n";
        return std::move(text_);
    }

private:
    [[nodiscard]] bool is_open() const { return format_ == MetricsFormat::openmetrics; }

    void head(
        const std::string& name, std::string_view type, std::string_view unit,
        std::string_view help) {
        text_ += fmt::format("# HELP {} {}\n", name, with_escapes(help, is_open()));
        text_ += fmt::format("# TYPE {} {}\n", name, type);
        if (is_open() && !unit.empty())
            text_ += fmt::format("# UNIT {} {}\n", name, unit);
    }

    MetricsFormat format_;
    system_clock::time_point boot_;
    std::string family_;
    std::string text_;
};

Labels labels_of(const PortView& port) {
    return {{"port", escaped(port.name)}, {"model", escaped(port.statistics.model)}};
}

/// The time since which a port's totals count without a discontinuity.
std::optional<std::uint64_t> counts_since(const Statistics& statistics) {
    return statistics.discontinuity_ns ? statistics.discontinuity_ns : statistics.start_ns;
}

using Ports = std::vector<const PortView*>;

/// The ports that have a counter.
Ports ports_with(const Ports& ports, CounterIndex counter) {
    Ports with;
    std::copy_if(
        ports.begin(), ports.end(), std::back_inserter(with),
        [counter](const PortView* port) { return has_counter(*port, counter); });
    return with;
}

void write_model(Writer& writer, const std::string& model, const Ports& all) {
    const auto& counters = all.front()->counters;
    for (std::uint32_t i = 0; i < counters.size(); i++) {
        const Ports ports = ports_with(all, CounterIndex(i));
        if (ports.empty())
            continue;
        writer.counter(
            fmt::format("macstats_{}_{}", model, counters[i].name), unit_of(counters[i]),
            fmt::format("{} ({})", counters[i].description, counters[i].reg));
        for (const PortView* port : ports)
            writer.count(
                labels_of(*port), port->statistics.values[i], counts_since(port->statistics));
    }
}

/// For each saturating counter: the reads that found it at its maximum.
void write_saturated(Writer& writer, const std::string& model, const Ports& all) {
    const auto& counters = all.front()->counters;
    for (std::uint32_t i = 0; i < counters.size(); i++) {
        const Ports ports = ports_with(all, CounterIndex(i));
        if (counters[i].overflow != MACSTATS_SATURATE || ports.empty())
            continue;
        writer.counter(
            fmt::format("macstats_{}_{}_saturated", model, counters[i].name), "",
            fmt::format(
                "Reads that found {} at its maximum, so that its total is a lower bound",
                counters[i].reg));
        for (const PortView* port : ports)
            writer.count(
                labels_of(*port), times_of(port->statistics.saturated, CounterIndex(i)),
                port->statistics.start_ns);
    }
}

void write_counters(Writer& writer, std::span<const PortView> ports) {
    std::map<std::string, Ports> by_model;
    for (const PortView& port : ports)
        if (!port.counters.empty() && port.statistics.values.size() == port.counters.size())
            by_model[port.statistics.model].push_back(&port);
    for (const auto& [model, of_model] : by_model) {
        write_model(writer, model, of_model);
        write_saturated(writer, model, of_model);
    }
}

struct PortStandard {
    const PortView* port;
    ordered_json groups;
};

std::vector<PortStandard> all_standard(std::span<const PortView> ports) {
    std::vector<PortStandard> all;
    for (const PortView& port : ports)
        if (const macstats_model* model = same_model(port))
            all.push_back(
                {&port, standard_json(
                            *model, port.statistics.values, port.statistics.max_frame,
                            port.statistics.absent)});
    return all;
}

const ordered_json* find(const ordered_json& groups, const StandardName& name) {
    const auto group = groups.find(name.group);
    if (group == groups.end())
        return nullptr;
    const auto value = group->find(name.name);
    return value == group->end() ? nullptr : &*value;
}

/// The buckets of a histogram as samples of a counter: a histogram of Prometheus has
/// cumulative buckets and a sum.
void write_buckets(Writer& writer, const PortView& port, const ordered_json& buckets) {
    for (const ordered_json& bucket : buckets) {
        Labels labels = labels_of(port);
        labels.emplace_back("low", bucket.at("low").dump());
        labels.emplace_back("high", bucket.at("high").dump());
        writer.count(labels, bucket.at("val").get<std::uint64_t>(), counts_since(port.statistics));
    }
}

void write_standard(Writer& writer, std::span<const PortView> ports) {
    const std::vector<PortStandard> all = all_standard(ports);
    for (unsigned int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT; id++) {
        const StandardName name = standard_name(id);
        const bool histogram = macstats_is_histogram(id);
        bool begun = false;
        for (const PortStandard& one : all) {
            const ordered_json* value = find(one.groups, name);
            if (!value)
                continue;
            if (!std::exchange(begun, true))
                writer.counter(
                    histogram
                        ? fmt::format("macstats_rmon_{}_size_frames", name.name.substr(0, 2))
                        : fmt::format(
                              "macstats_{}_{}", snake_case(name.group), snake_case(name.name)),
                    histogram ? "frames" : unit_of(name),
                    histogram ? "Frames by their length in octets with FCS"
                              : fmt::format("{} of the group {}", name.name, name.group));
            if (histogram)
                write_buckets(writer, *one.port, *value);
            else
                writer.count(
                    labels_of(*one.port), value->get<std::uint64_t>(),
                    counts_since(one.port->statistics));
        }
    }
}

void write_read_times(Writer& writer, std::span<const PortView> ports) {
    bool begun = false;
    for (const PortView& port : ports) {
        const auto time = writer.at(port.statistics.time_ns);
        if (!time)
            continue;
        if (!std::exchange(begun, true))
            writer.gauge(
                "macstats_port_read_timestamp", "seconds",
                "Time at which the hardware was read last");
        writer.value(labels_of(port), seconds(*time));
    }
}

void write_state(Writer& writer, std::span<const PortView> ports) {
    if (ports.empty())
        return;
    const auto flag = [&](const char* name, const char* help, bool Statistics::*member) {
        writer.gauge(name, "", help);
        for (const PortView& port : ports)
            writer.value(labels_of(port), port.statistics.*member ? "1" : "0");
    };
    flag(
        "macstats_port_stale", "1: the hardware cannot be read, the totals are old",
        &Statistics::stale);
    flag(
        "macstats_port_possible_loss", "1: a counter may have wrapped more than once unseen",
        &Statistics::possible_loss);
    writer.counter(
        "macstats_port_discontinuities", "",
        "Times that the counters were cleared or reset, or held an impossible value");
    for (const PortView& port : ports)
        writer.count(labels_of(port), port.statistics.discontinuities, port.statistics.start_ns);
    write_read_times(writer, ports);
}

/// Seconds, to the nanosecond.
std::string duration_text(std::uint64_t ns) {
    constexpr std::uint64_t per_second = 1'000'000'000;
    return fmt::format("{}.{:09}", ns / per_second, ns % per_second);
}

/// The provider's polls of the ports, if the kernel reports them.
void write_work(Writer& writer, std::span<const PortView> all) {
    Ports ports;
    for (const PortView& port : all)
        if (port.work)
            ports.push_back(&port);
    if (ports.empty())
        return;
    const auto counter = [&](const char* name, const char* help, std::uint32_t PortWork::*member) {
        writer.counter(name, "", help);
        for (const PortView* port : ports)
            writer.count(labels_of(*port), (*port->work).*member, port->statistics.start_ns);
    };
    const auto duration = [&](const char* name, const char* help, std::uint64_t PortWork::*member) {
        writer.gauge(name, "seconds", help);
        for (const PortView* port : ports)
            writer.value(labels_of(*port), duration_text((*port->work).*member));
    };
    counter(
        "macstats_port_late_polls", "Polls later than the wrap time allows", &PortWork::late_polls);
    counter(
        "macstats_port_failed_polls", "Polls that could not read the hardware",
        &PortWork::failed_polls);
    duration(
        "macstats_port_longest_poll", "Time that the longest poll took",
        &PortWork::longest_poll_ns);
    duration(
        "macstats_port_longest_wait", "Longest time that a reader waited for a poll",
        &PortWork::longest_wait_ns);
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Removes the part before the next @separator from @text.
std::string_view next_part(std::string_view& text, char separator) {
    const auto end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    return trimmed(part);
}

/// A media range of an Accept header, and its quality.
struct MediaRange {
    std::string_view type;
    std::string_view version; ///< "" if not given
    double quality = 1;
};

MediaRange read_range(std::string_view text) {
    MediaRange range{.type = next_part(text, ';'), .version = {}, .quality = 1};
    while (!text.empty()) {
        std::string_view value = next_part(text, ';');
        const std::string_view name = next_part(value, '=');
        value = trimmed(value);
        if (name == "version")
            range.version = value;
        else if (
            name == "q" &&
            std::from_chars(value.data(), value.data() + value.size(), range.quality).ec !=
                std::errc{})
            range.quality = 0;
    }
    return range;
}

} // namespace

std::string_view content_type(MetricsFormat format) {
    return format == MetricsFormat::openmetrics
               ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
               : "text/plain; version=0.0.4; charset=utf-8";
}

MetricsFormat accepted_format(std::string_view accept) {
    double open = 0;
    double plain = 0;
    while (!accept.empty()) {
        const MediaRange range = read_range(next_part(accept, ','));
        if (range.type == "application/openmetrics-text" &&
            (range.version.empty() || range.version == "1.0.0"))
            open = std::max(open, range.quality);
        else if (range.type == "text/plain" || range.type == "text/*" || range.type == "*/*")
            plain = std::max(plain, range.quality);
    }
    return open > 0 && open >= plain ? MetricsFormat::openmetrics : MetricsFormat::prometheus;
}

std::string
metrics_text(std::span<const PortView> ports, MetricsFormat format, system_clock::time_point boot) {
    Writer writer(format, boot);
    write_state(writer, ports);
    write_work(writer, ports);
    write_standard(writer, ports);
    write_counters(writer, ports);
    return std::move(writer).finish();
}

Result<std::string> read_metrics(MetricsFormat format, Freshness freshness) {
    MACSTATS_TRY(auto client, Client::open());
    const PortSelection all{.ports = {}, .model = {}, .freshness = freshness, .skip_missing = true};
    MACSTATS_TRY(const auto views, read_views(client, all));
    return metrics_text(views, format, boot_time());
}

system_clock::time_point boot_time() {
    timespec since_boot{};
    if (clock_gettime(CLOCK_BOOTTIME, &since_boot) != 0)
        throw std::runtime_error("there is no CLOCK_BOOTTIME");
    return system_clock::now() - std::chrono::seconds(since_boot.tv_sec) -
           std::chrono::duration_cast<system_clock::duration>(
               std::chrono::nanoseconds(since_boot.tv_nsec));
}

} // namespace macstats
