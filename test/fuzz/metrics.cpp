// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The metrics of any ports follow the grammar of OpenMetrics 1.0 and of the text format of
// Prometheus, and have each total with its exact value.
//
// The rules are those of the specification ("OpenMetrics, a cloud-native, highly scalable metrics
// protocol", 1.0, section "Text format"): lines, escapes, one block for each family, one metric
// for each set of labels, the suffixes of counters, and units at the end of names.
//
// inputs: 2000
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>
#include <macstats/poll.h>

#include "counters.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "present/metrics.hpp"
#include "require.hpp"

using namespace macstats;
using macstats::test::require;

namespace {

constexpr auto openmetrics = MetricsFormat::openmetrics;
constexpr std::size_t most_ports = 3;
constexpr std::size_t longest_name = 15; // IFNAMSIZ - 1

bool is_name(std::string_view name) {
    const auto fits = [](char c, bool first) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
               (!first && c >= '0' && c <= '9');
    };
    for (std::size_t i = 0; i < name.size(); i++)
        if (!fits(name[i], i == 0))
            return false;
    return !name.empty();
}

// A real number without an exponent, as a counter or a gauge here has.
bool is_number(std::string_view text) {
    const auto digits = [&text] {
        const auto end = std::min(text.find_first_not_of("0123456789"), text.size());
        text.remove_prefix(end);
        return end > 0;
    };
    if (!digits())
        return false;
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        if (!digits())
            return false;
    }
    return text.empty();
}

// Removes what ends before @delimiter from @text, and the delimiter.
std::string_view next_word(std::string_view& text, char delimiter) {
    const auto end = std::min(text.find(delimiter), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
}

struct Sample {
    std::string name;
    std::map<std::string, std::string> labels;
    std::string value;
};

// Reads {name="value",...} from the start of @text.
std::map<std::string, std::string> read_labels(std::string_view& text) {
    std::map<std::string, std::string> labels;
    text.remove_prefix(1);
    for (;;) {
        const std::string name(next_word(text, '='));
        require(is_name(name), "the name of a label: " + name);
        require(text.starts_with('"'), "a label has quotes");
        std::string value;
        std::size_t i = 1;
        for (; i < text.size() && text[i] != '"'; i++) {
            if (text[i] != '\\') {
                value += text[i];
                continue;
            }
            require(++i < text.size(), "an escape is complete");
            require(
                text[i] == '\\' || text[i] == '"' || text[i] == 'n',
                "an escape is one of three: " + std::string(text));
            value += text[i] == 'n' ? '\n' : text[i];
        }
        require(i + 1 < text.size(), "a label ends");
        require(labels.emplace(name, value).second, "a label occurs once: " + name);
        const char next = text[i + 1];
        text.remove_prefix(i + 2);
        if (next == '}')
            return labels;
        require(next == ',', "labels have commas between them");
    }
}

Sample read_sample(std::string_view line) {
    Sample sample;
    const auto end = line.find_first_of("{ ");
    require(end != line.npos, "a sample has a value: " + std::string(line));
    sample.name = line.substr(0, end);
    require(is_name(sample.name), "the name of a sample: " + sample.name);
    line.remove_prefix(end);
    if (line.starts_with('{'))
        sample.labels = read_labels(line);
    require(line.starts_with(' '), "one blank is before the value");
    sample.value = line.substr(1);
    require(is_number(sample.value), "a value is a number: " + sample.value);
    return sample;
}

using Labels = std::map<std::string, std::string>;

// Reads the text line by line. The families must come one after the other.
class Reader {
public:
    explicit Reader(MetricsFormat format) : format_(format) {}

    void read(std::string_view text) {
        require(text.empty() || text.ends_with('\n'), "each line ends");
        bool ended = false;
        while (!text.empty()) {
            const std::string_view line = next_word(text, '\n');
            require(!ended, "nothing follows the end");
            require(printable(line) == line, "a line is printable UTF-8: " + std::string(line));
            if (line == "# EOF")
                ended = true;
            else if (line.starts_with('#'))
                head(line.substr(1));
            else
                add(read_sample(line));
        }
        require(ended == (format_ == openmetrics), "only OpenMetrics has an end");
        finish();
    }

    // Counters by their names without _total, and by their labels.
    std::map<std::string, std::map<Labels, std::string>> totals;

private:
    void head(std::string_view text) {
        require(text.starts_with(' '), "a comment is a descriptor");
        text.remove_prefix(1);
        const std::string word(next_word(text, ' ')), name(next_word(text, ' '));
        require(is_name(name), "the name of a family: " + name);
        if (name != family_) {
            finish();
            require(families_.insert(name).second, "a family is one block: " + name);
            family_ = name;
        }
        require(!has_samples_, "a descriptor is before the samples");
        require(words_.insert(word).second, "a descriptor occurs once: " + word);
        if (word == "TYPE")
            type_ = text;
        else if (word == "UNIT")
            require(
                format_ == openmetrics && name.ends_with("_" + std::string(text)),
                "a name ends with its unit: " + name);
        else
            require(word == "HELP", "a known descriptor: " + word);
    }

    void add(const Sample& sample) {
        require(type_ == "counter" || type_ == "gauge", "a known type: " + type_);
        std::string base = family_;
        if (format_ != openmetrics && type_ == "counter") {
            require(base.ends_with("_total"), "a counter ends with _total: " + base);
            base.resize(base.size() - std::string_view("_total").size());
        }
        const bool created = type_ == "counter" && sample.name == base + "_created";
        require(
            sample.name == base + (type_ == "counter" ? "_total" : "") ||
                (created && format_ == openmetrics),
            "a sample belongs to its family: " + sample.name);
        // The samples of one metric are adjacent.
        if (!has_samples_ || labels_ != sample.labels) {
            require(metrics_.insert(sample.labels).second, "a metric is one block: " + base);
            samples_.clear();
        }
        require(samples_.insert(sample.name).second, "a sample occurs once: " + sample.name);
        require(
            names_of_samples_.emplace(sample.name, family_).first->second == family_,
            "a sample belongs to one family: " + sample.name);
        has_samples_ = true;
        labels_ = sample.labels;
        if (type_ == "counter" && !created)
            totals[base][sample.labels] = sample.value;
    }

    void finish() {
        require(family_.empty() || has_samples_, "a family has samples: " + family_);
        family_.clear();
        type_.clear();
        has_samples_ = false;
        words_.clear();
        metrics_.clear();
        samples_.clear();
    }

    MetricsFormat format_;
    std::string family_, type_;
    bool has_samples_ = false;
    std::set<std::string> families_, words_, samples_;
    std::set<Labels> metrics_;
    std::map<std::string, std::string> names_of_samples_;
    Labels labels_;
};

// Octets that the kernel allows in the name of an interface: no white space, '/', ':'.
std::string interface_name(FuzzedDataProvider& data) {
    std::string name = data.ConsumeRandomLengthString(longest_name);
    std::erase_if(name, [](char c) {
        return c == '/' || c == ':' || c == '\0' || c == ' ' || (c >= '\t' && c <= '\r') ||
               c == '\xa0';
    });
    return name.empty() || name == "." || name == ".." ? "mac0" : name;
}

PortStatistics view_of(FuzzedDataProvider& data, const CounterInfos& counters) {
    PortStatistics view;
    Statistics& statistics = view.statistics;
    view.name = interface_name(data);
    view.infos = counters;
    view.statistics.ifindex = IfIndex(data.ConsumeIntegral<std::uint32_t>());
    statistics.time_ns = data.ConsumeIntegral<std::uint64_t>();
    statistics.stale = data.ConsumeBool();
    statistics.possible_loss = data.ConsumeBool();
    statistics.discontinuities = data.ConsumeIntegral<std::uint32_t>();
    if (data.ConsumeBool())
        statistics.start_ns = data.ConsumeIntegral<std::uint64_t>();
    if (data.ConsumeBool())
        statistics.discontinuity_ns = data.ConsumeIntegral<std::uint64_t>();
    if (data.ConsumeBool())
        view.work = PortWork{
            .late_polls = data.ConsumeIntegral<std::uint32_t>(),
            .failed_polls = data.ConsumeIntegral<std::uint32_t>(),
            .longest_poll_ns = data.ConsumeIntegral<std::uint64_t>(),
            .longest_wait_ns = data.ConsumeIntegral<std::uint64_t>()};
    if (data.ConsumeBool()) // hardware without the counters
        return view;
    for (std::uint32_t i = 0; i < counters.size(); i++) {
        statistics.values.push_back(data.ConsumeBool() ? data.ConsumeIntegral<std::uint64_t>() : i);
        const auto kind = data.ConsumeIntegralInRange(0, 15);
        if (kind == 0)
            statistics.absent.emplace_back(i);
        if (kind == 1)
            statistics.saturated.push_back(
                {.counter = CounterIndex(i), .times = data.ConsumeIntegral<std::uint64_t>()});
    }
    return view;
}

// The unit of a family, by the row of its counter.
std::string unit_of(const CounterInfo& counter) {
    switch (*counter.unit) {
    case MACSTATS_FRAMES:
        return "frames";
    case MACSTATS_COLLISIONS:
    case MACSTATS_EARLY_COLLISIONS:
        return "collisions";
    default:
        return "bytes";
    }
}

// Whether the samples are those of a port: they may have more labels than those of the port.
bool has_port(const std::map<Labels, std::string>& samples, const Labels& port) {
    return std::any_of(samples.begin(), samples.end(), [&port](const auto& sample) {
        const Labels& labels = sample.first;
        return std::includes(labels.begin(), labels.end(), port.begin(), port.end());
    });
}

// Hardware without counters has a state, and no total of its own or of a standard group.
void check_no_totals(const Reader& reader, const Labels& port) {
    for (const auto& [family, samples] : reader.totals)
        require(
            family.starts_with("macstats_port_") || !has_port(samples, port),
            "hardware without counters has no totals: " + family);
}

void check_totals(const Reader& reader, const PortStatistics& view) {
    const Labels of_port = {{"port", escaped(view.name)}, {"model", view.statistics.model}};
    if (view.statistics.values.empty()) {
        check_no_totals(reader, of_port);
        return;
    }
    for (std::uint32_t i = 0; i < view.infos.size(); i++) {
        const CounterInfo& counter = view.infos[i];
        std::string family = "macstats_" + view.statistics.model + "_" + counter.family();
        Labels labels = of_port;
        if (counter.index_of)
            labels.emplace(name_of(index_names, *counter.index_of), std::to_string(counter.index));
        if (const std::string unit = unit_of(counter); !family.ends_with("_" + unit))
            family += "_" + unit;
        const auto found = reader.totals.find(family);
        const bool shown = found != reader.totals.end() && found->second.contains(labels);
        require(
            shown != is_absent(view.statistics.absent, CounterIndex(i)),
            "a total is shown exactly if the hardware has it: " + family);
        require(
            !shown || found->second.at(labels) == std::to_string(view.statistics.values[i]),
            "a total is exact: " + family);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    const auto models = all_models();
    static const auto counters = [&models] {
        std::vector<CounterInfos> all;
        for (const macstats_model* model : models)
            all.push_back(macstats::test::counters_of(*model));
        return all;
    }();
    const auto boot = std::chrono::system_clock::time_point(
        std::chrono::seconds(data.ConsumeIntegral<std::uint32_t>()));
    std::vector<PortStatistics> views;
    std::set<std::string> names;
    const auto ports = data.ConsumeIntegralInRange<std::size_t>(0, most_ports);
    for (std::size_t i = 0; i < ports; i++) {
        const auto model = data.ConsumeIntegralInRange<std::size_t>(0, models.size() - 1);
        PortStatistics view = view_of(data, counters[model]);
        view.statistics.model = models[model]->name;
        if (names.insert(view.name).second) // as in one network namespace
            views.push_back(std::move(view));
    }
    MetricsSelection selection = MetricsSelection::everything();
    selection.created = data.ConsumeBool();
    for (const auto format : {MetricsFormat::prometheus, openmetrics}) {
        Reader reader(format);
        reader.read(metrics_text(views, format, boot, selection));
        for (const PortStatistics& view : views)
            check_totals(reader, view);
    }
    return 0;
}
