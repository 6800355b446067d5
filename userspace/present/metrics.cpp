// SPDX-License-Identifier: GPL-2.0 OR MIT
// Metrics in the text formats of Prometheus and OpenMetrics.
#include "present/metrics.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <macstats/interval.h>
#include <macstats/schema.h>
#include <macstats/standard.h>

#include "libmacstats/core/difference.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "present/time.hpp"

namespace macstats {

namespace {

using std::chrono::system_clock;

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

std::string label(std::string_view name, std::string_view value) {
    return fmt::format("{}=\"{}\"", name, with_escapes(escaped(value), true));
}

/// Seconds since 1970, to the millisecond.
std::string seconds(system_clock::time_point time) {
    const auto ms =
        std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
    return fmt::format("{}{}.{:03}", ms < 0 ? "-" : "", std::abs(ms / 1000), std::abs(ms % 1000));
}

/// "tx_st" in frames is "tx_st_frames": OpenMetrics requires the unit at the end of a
/// family's name. A name that ends with the unit stays unchanged.
std::string with_unit(std::string name, std::string_view unit) {
    if (unit.empty() || name.ends_with(fmt::format("_{}", unit)))
        return name;
    return fmt::format("{}_{}", name, unit);
}

std::string_view unit_of(const CounterInfo& counter) {
    return macstats_metric_unit(counter.unit.value_or(MACSTATS_FRAMES));
}

/// The other standard statistics count frames or events; their names contain the unit.
std::string_view unit_of_standard(unsigned int id) {
    return macstats_standard_rows[id].counts == MACSTATS_COUNTS_OCTETS ? "bytes" : "";
}

/// A port, the labels of its samples, and how many series it may still have.
struct Labelled {
    const PortStatistics* view;
    std::string labels;
    std::uint64_t left;
    std::uint64_t dropped = 0;

    [[nodiscard]] const Statistics& statistics() const { return view->statistics; }
};

/// Writes families one after the other, each with all its samples. A family without samples
/// is omitted.
class Writer {
public:
    Writer(MetricsFormat format, system_clock::time_point boot, const MetricsSelection& selection)
        : format_(format),
          boot_(boot),
          selection_(selection) {}

    void counter(const std::string& name, std::string_view unit, std::string_view help) {
        begin(name, "counter", unit, help);
    }

    void gauge(const std::string& name, std::string_view unit, std::string_view help) {
        begin(name, "gauge", unit, help);
    }

    /// A sample of the counter; @since in nanoseconds since boot. @more: labels beside those of
    /// the port, each with a comma before it.
    void count(
        Labelled& port, std::uint64_t value, const std::optional<std::uint64_t>& since,
        std::string_view more = {}) {
        const auto created = is_open() && selection_.created && since ? at(*since) : std::nullopt;
        if (!take(port, created ? 2 : 1))
            return;
        const fmt::format_int digits(value);
        sample("_total", port.labels, more, {digits.data(), digits.size()});
        if (created)
            sample("_created", port.labels, more, seconds(*created));
    }

    /// A sample of the gauge.
    void value(Labelled& port, std::string_view value) {
        if (take(port, 1))
            sample("", port.labels, {}, value);
    }

    /// How many series there are, and how many the budget has left out.
    void write_series(std::span<const Labelled> ports) {
        std::uint64_t dropped = 0;
        for (const Labelled& port : ports)
            dropped += port.dropped;
        const auto own = [this](const char* name, const char* help, std::uint64_t value) {
            gauge(name, "", help);
            sample("", selection_.labels, {}, fmt::format("{}", value));
        };
        own("export_series", "Series of all ports in this answer", series_);
        own("export_dropped_series", "Series beyond the budget of their port", dropped);
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

    bool take(Labelled& port, std::uint64_t series) {
        if (port.left < series) {
            port.left = 0; // what follows is dropped, too
            port.dropped += series;
            return false;
        }
        port.left -= series;
        series_ += series;
        return true;
    }

    void sample(
        std::string_view suffix, std::string_view labels, std::string_view more,
        std::string_view value) {
        text_ += std::exchange(head_, {});
        text_ += family_;
        text_ += suffix;
        if (!labels.empty())
            for (const std::string_view part :
                 {std::string_view("{"), labels, more, std::string_view("}")})
                text_ += part;
        for (const std::string_view part : {std::string_view(" "), value, std::string_view("\n")})
            text_ += part;
    }

    void begin(
        const std::string& name, std::string_view type, std::string_view unit,
        std::string_view help) {
        family_ = with_unit(selection_.prefix + "_" + name, unit);
        // In the format of Prometheus, a family has the name of its samples.
        const std::string called = type == "counter" && !is_open() ? family_ + "_total" : family_;
        head_ = fmt::format("# HELP {} {}\n", called, with_escapes(help, is_open()));
        head_ += fmt::format("# TYPE {} {}\n", called, type);
        if (is_open() && !unit.empty())
            head_ += fmt::format("# UNIT {} {}\n", called, unit);
    }

    MetricsFormat format_;
    system_clock::time_point boot_;
    const MetricsSelection& selection_;
    std::string family_;
    std::string head_; ///< of the family, until it has a sample
    std::string text_;
    std::uint64_t series_ = 0;
};

using Ports = std::vector<Labelled>;

Ports labelled(std::span<const PortStatistics> views, const MetricsSelection& selection) {
    const std::string more = selection.labels.empty() ? "" : "," + selection.labels;
    Ports ports;
    for (const PortStatistics& view : views)
        ports.push_back(
            {&view, label("port", view.name) + "," + label("model", view.statistics.model) + more,
             selection.most_series});
    return ports;
}

using Group = std::vector<Labelled*>;

/// The totals of a counter, of all ports that have it and whose models have one name; of all queues
/// or priorities.
struct Family {
    std::string name;
    const CounterInfo* counter; ///< the first one
    struct Sample {
        Labelled* port;
        CounterValue value;
        std::string labels; ///< beside those of the port, each with a comma before it
    };
    std::vector<Sample> samples;
};

/// ",queue=\"3\"", or "" for a counter that is the only one.
std::string index_label(const CounterInfo& counter) {
    if (!counter.index_of)
        return "";
    return fmt::format(",{}=\"{}\"", name_of(index_names, *counter.index_of), counter.index);
}

/// What stands for a counter in HELP: its register, or the first one of its family.
std::string reg_of(const CounterInfo& counter) {
    return counter.reg + (counter.index_of ? " and on" : "");
}

/// The exported families of ports whose models have one name. Models that differ share those of
/// counters with the same name.
std::vector<Family> families_of(const Group& ports, const MetricsSelection& selection) {
    constexpr auto none = static_cast<std::size_t>(-1);
    std::vector<Family> families;
    std::map<ModelId, std::vector<std::size_t>> places; // of the counters, in families
    for (Labelled* port : ports) {
        const auto& counters = port->view->infos;
        auto& place = places[port->statistics().model_id];
        if (place.empty()) {
            const auto exported = exported_counters(selection, *port->view);
            place.resize(counters.size(), none);
            for (std::size_t i = 0; i < counters.size(); i++) {
                if (!exported[i])
                    continue;
                std::string name = counters[i].family();
                const auto same =
                    std::find_if(families.begin(), families.end(), [&](const Family& one) {
                        return one.name == name && unit_of(*one.counter) == unit_of(counters[i]);
                    });
                place[i] = static_cast<std::size_t>(same - families.begin());
                if (same == families.end())
                    families.push_back({std::move(name), &counters[i], {}});
            }
        }
        for (const CounterValue& counter : port->view->counters())
            if (const auto at = place[counter.index.value()]; at != none && counter.value) {
                const CounterInfo& info = counters[counter.index.value()];
                families[at].samples.push_back({port, counter, index_label(info)});
            }
    }
    return families;
}

void write_totals(Writer& writer, const std::string& model, const Family& family) {
    writer.counter(
        fmt::format("{}_{}", model, family.name), unit_of(*family.counter),
        fmt::format("{} ({})", family.counter->description, reg_of(*family.counter)));
    for (const auto& [port, counter, labels] : family.samples)
        writer.count(*port, *counter.value, port->statistics().start_ns, labels);
}

/// True for a counter that saturates; where a bit of the MAC decides that, once it did.
bool may_be_bounds(const Family& family) {
    return family.counter->overflow == MACSTATS_SATURATE ||
           std::any_of(family.samples.begin(), family.samples.end(), [](const auto& sample) {
               return sample.value.times != 0;
           });
}

/// Of a saturating counter: the reads that found it at its maximum.
void write_saturated(Writer& writer, const std::string& model, const Family& family) {
    writer.counter(
        fmt::format("{}_{}_saturated", model, family.name), "",
        fmt::format(
            "Reads that found {} at its maximum, so that its total is a lower bound",
            reg_of(*family.counter)));
    for (const auto& [port, counter, labels] : family.samples)
        writer.count(*port, counter.times, port->statistics().start_ns, labels);
}

void write_counters(Writer& writer, Ports& ports, const MetricsSelection& selection) {
    std::map<std::string, Group> by_name;
    for (Labelled& port : ports)
        if (!port.view->infos.empty() && port.statistics().values.size() == port.view->infos.size())
            by_name[port.statistics().model].push_back(&port);
    for (const auto& [model, of_model] : by_name) {
        const auto families = families_of(of_model, selection);
        for (const Family& family : families)
            write_totals(writer, model, family);
        for (const Family& family : families)
            if (may_be_bounds(family))
                write_saturated(writer, model, family);
    }
}

/// The standard statistics of a port, in the order of their ids.
struct PortStandard {
    Labelled* port;
    std::vector<StandardValue> values;
    std::size_t written = 0;

    /// Those with this id, which no earlier call returned.
    std::span<const StandardValue> next(unsigned int id) {
        const std::size_t start = written;
        while (written < values.size() && values[written].id == id)
            written++;
        return std::span(values).subspan(start, written - start);
    }
};

std::vector<PortStandard> all_standard(Ports& ports) {
    std::vector<PortStandard> all;
    for (Labelled& port : ports)
        all.push_back({&port, port.view->standard()});
    return all;
}

/// Begins the family of a statistic. A histogram is a counter with the limits of the bucket as
/// labels: a histogram of Prometheus has cumulative buckets and a sum.
void begin_standard(Writer& writer, unsigned int id) {
    const StandardName name = standard_name(id);
    if (macstats_is_histogram(id))
        writer.counter(
            fmt::format("rmon_{}_size_frames", name.name.substr(0, 2)), "frames",
            "Frames by their length in octets with FCS");
    else
        writer.counter(
            fmt::format("{}_{}", snake_case(name.group), snake_case(name.name)),
            unit_of_standard(id), fmt::format("{} of the group {}", name.name, name.group));
}

void write_standard(
    Writer& writer, std::span<PortStandard> all, const MetricsSelection& selection) {
    for (unsigned int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT; id++) {
        const auto& groups = selection.groups;
        const bool exported =
            std::find(groups.begin(), groups.end(), standard_name(id).group) != groups.end();
        const bool histogram = macstats_is_histogram(id);
        begin_standard(writer, id);
        for (PortStandard& one : all)
            for (const StandardValue& value : one.next(id)) {
                if (!exported)
                    continue;
                const std::string bucket =
                    histogram ? fmt::format(",low=\"{}\",high=\"{}\"", value.low, value.high) : "";
                writer.count(*one.port, value.value, one.port->statistics().start_ns, bucket);
            }
    }
}

/// A time since boot of each port, as a date.
void write_times(
    Writer& writer, Ports& ports, const char* name, const char* help,
    const std::function<std::optional<std::uint64_t>(const Statistics&)>& time_of) {
    writer.gauge(name, "seconds", help);
    for (Labelled& port : ports)
        if (const auto since_boot = time_of(port.statistics()))
            if (const auto time = writer.at(*since_boot))
                writer.value(port, seconds(*time));
}

/// True for a MAC that reports parity errors, and for a model that only the kernel knows.
bool reports_parity(const PortStatistics& view) {
    const macstats_model* model = view.model();
    return !model || (macstats_used_roles(model) & MACSTATS_ROLE_PARITY_ERROR) != 0;
}

bool saturates(const CounterInfo& counter) {
    return counter.overflow == MACSTATS_SATURATE;
}

std::uint64_t saturated_reads(const Statistics& statistics) {
    std::uint64_t reads = 0;
    for (const Saturation& one : statistics.saturated)
        reads += one.times;
    return reads;
}

void write_state(Writer& writer, Ports& ports, std::span<const PortStandard> standard) {
    const auto flag = [&](const char* name, const char* help, bool Statistics::*member) {
        writer.gauge(name, "", help);
        for (Labelled& port : ports)
            writer.value(port, port.statistics().*member ? "1" : "0");
    };
    flag("port_stale", "1: the hardware cannot be read, the totals are old", &Statistics::stale);
    flag(
        "port_possible_loss",
        "1: counts may be lost, as a poll came later than the wrap time or the traffic allows, "
        "or a read was unusable",
        &Statistics::possible_loss);
    writer.counter(
        "port_discontinuities", "",
        "Times that the counters were cleared or reset, or held an impossible value");
    for (Labelled& port : ports)
        writer.count(port, port.statistics().discontinuities, port.statistics().start_ns);
    writer.counter("port_parity_errors", "", "Parity errors that the hardware reported");
    for (Labelled& port : ports)
        if (reports_parity(*port.view))
            writer.count(port, port.view->parity_errors, port.statistics().start_ns);
    writer.counter(
        "port_saturated_reads", "",
        "Reads that found any counter at its maximum, so that its total is a lower bound");
    for (Labelled& port : ports)
        if (saturated_reads(port.statistics()) ||
            std::any_of(port.view->infos.begin(), port.view->infos.end(), saturates))
            writer.count(port, saturated_reads(port.statistics()), port.statistics().start_ns);
    writer.gauge(
        "port_inexact_statistics", "",
        "Standard statistics that are bounds, or those of an earlier read");
    for (const PortStandard& one : standard)
        writer.value(
            *one.port,
            fmt::format(
                "{}",
                std::count_if(one.values.begin(), one.values.end(), [](const StandardValue& value) {
                    return value.bound != Bound::exact || value.stale;
                })));
    write_times(
        writer, ports, "port_read_timestamp", "Time at which the hardware was read last",
        [](const Statistics& statistics) { return statistics.time_ns; });
    write_times(
        writer, ports, "port_start_timestamp",
        "Time since which the totals count without a discontinuity",
        [](const Statistics& statistics) {
            return statistics.discontinuity_ns ? statistics.discontinuity_ns : statistics.start_ns;
        });
}

/// Seconds, to the nanosecond.
std::string duration_text(std::uint64_t ns) {
    constexpr std::uint64_t per_second = 1'000'000'000;
    return fmt::format("{}.{:09}", ns / per_second, ns % per_second);
}

/// The provider's polls of the ports, if the kernel reports them.
void write_work(Writer& writer, Ports& ports) {
    const auto counter = [&](const char* name, const char* help, std::uint32_t PortWork::*member) {
        writer.counter(name, "", help);
        for (Labelled& port : ports)
            if (port.view->work)
                writer.count(port, (*port.view->work).*member, port.statistics().start_ns);
    };
    const auto duration = [&](const char* name, const char* help, std::uint64_t PortWork::*member) {
        writer.gauge(name, "seconds", help);
        for (Labelled& port : ports)
            if (port.view->work)
                writer.value(port, duration_text((*port.view->work).*member));
    };
    counter("port_late_polls", "Polls later than the wrap time allows", &PortWork::late_polls);
    counter("port_failed_polls", "Polls that could not read the hardware", &PortWork::failed_polls);
    duration("port_longest_poll", "Time that the longest poll took", &PortWork::longest_poll_ns);
    duration(
        "port_longest_wait", "Longest time that a reader waited for a poll",
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

std::string metrics_text(
    std::span<const PortStatistics> views, MetricsFormat format, system_clock::time_point boot,
    const MetricsSelection& selection) {
    Ports ports = labelled(views, selection);
    Writer writer(format, boot, selection);
    std::vector<PortStandard> standard = all_standard(ports);
    write_state(writer, ports, standard);
    write_work(writer, ports);
    write_standard(writer, standard, selection);
    write_counters(writer, ports, selection);
    writer.write_series(ports);
    return std::move(writer).finish();
}

} // namespace macstats
