// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "metrics_options.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arguments.hpp"
#include "cli.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats::cli {

namespace {

// The word of --group and --counter for an empty selection.
constexpr std::string_view none = "none";

struct Counter {
    std::string name;
    std::string reg;
};

// The models and counters that a filter can name.
struct Known {
    std::vector<std::string> models;
    std::vector<Counter> counters;
};

Known known_here() {
    Known known;
    for (const macstats_model* model : all_models()) {
        known.models.emplace_back(model->name);
        for (unsigned int i = 0; i < model->n_counters; i++)
            known.counters.push_back({model->counters[i].name, model->counters[i].reg});
    }
    return known;
}

bool has_model(const Known& known, const std::string& word) {
    return std::find(known.models.begin(), known.models.end(), word) != known.models.end();
}

// Those of drivers' own models, too.
Result<void> add_those_of_kernel(Known& known) {
    MACSTATS_TRY(auto client, Client::open());
    MACSTATS_TRY(const auto models, client.models());
    for (const ModelInfo& model : models) {
        if (!has_model(known, model.name))
            known.models.push_back(model.name);
        MACSTATS_TRY(const auto counters, client.counters(model.id));
        for (const CounterInfo& counter : counters)
            known.counters.push_back({counter.name, counter.reg});
    }
    return {};
}

std::string near(const std::string& word, const Known& known) {
    std::vector<std::string_view> names;
    for (const Counter& counter : known.counters)
        names.push_back(counter.name);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return did_you_mean(word, names, "; `macstats model NAME` lists them");
}

Result<void> check_words(const MetricsSelection& selection, const Known& known) {
    for (const std::string& word : selection.models)
        if (!has_model(known, word))
            return invalid(
                "--model: \"{}\" is not a model; give one or more of {}", word,
                fmt::join(known.models, ", "));
    for (const std::string& word : selection.counters)
        if (word != error_counters &&
            std::none_of(
                known.counters.begin(), known.counters.end(),
                [&word](const auto& counter) { return selects(word, counter.name, counter.reg); }))
            return invalid("--counter: no model has a counter \"{}\"{}", word, near(word, known));
    return {};
}

// Words that this program does not know may be those of a driver's own model.
Result<void> check_words(const MetricsSelection& selection) {
    Known known = known_here();
    if (check_words(selection, known))
        return {};
    const auto added = add_those_of_kernel(known);
    const auto checked = check_words(selection, known);
    if (checked || added)
        return checked;
    return Error{
        added.error().errnum,
        fmt::format("{}; {}", checked.error().message, added.error().message)};
}

Result<std::vector<std::string>> groups_from(const std::vector<std::string>& words) {
    const auto groups = standard_groups();
    std::vector<std::string> chosen;
    for (const std::string& word : words) {
        if (word == none)
            continue;
        if (std::find(groups.begin(), groups.end(), word) == groups.end())
            return invalid(
                "--group: \"{}\" is not a group; give {}, or one or more of {}", word, none,
                fmt::join(groups, ","));
        chosen.push_back(word);
    }
    return chosen;
}

Result<std::uint64_t> series_from(const std::string& text) {
    MACSTATS_TRY(const auto most, parse_count("--max-series", "series", text));
    if (most < most_state_series)
        return failure(
            ERANGE, "--max-series: {} is too few; the state of a port alone has up to {} series",
            most, most_state_series);
    return most;
}

Result<std::string> labels_from(const std::vector<std::string>& texts) {
    std::vector<std::string_view> names = {"port", "model", "low", "high"};
    for (const Name& name : index_names)
        names.push_back(name.name);
    std::vector<std::string> labels;
    for (const std::string& text : texts) {
        MACSTATS_TRY(const auto label, metrics_label(text, names));
        labels.push_back(label);
        names.push_back(std::string_view(text).substr(0, text.find('=')));
    }
    return fmt::format("{}", fmt::join(labels, ","));
}

} // namespace

void add_metrics_options(CLI::App& command, MetricsOptions& options) {
    const auto list = [](CLI::Option* option) {
        return option->delimiter(',')->expected(1)->take_all();
    };
    list(add_option(
        command, "--model NAME[,NAME...]", options.models,
        "Export only ports of these models (default: all ports)"));
    auto* groups = list(add_option(
        command, "--group GROUP[,GROUP...]", options.groups,
        fmt::format(
            "Export only standard statistics of these groups, or none of them: {} (default: all)",
            fmt::join(standard_groups(), ", "))));
    auto* counters = list(add_option(
        command, "--counter NAME[,NAME...]", options.counters,
        "Export these counters: names, patterns such as rx_*, errors (those that count errors) or "
        "none (default errors)"));
    command
        .add_flag("--all", options.all, "Export all standard statistics and all counters of a port")
        ->excludes(groups)
        ->excludes(counters);
    add_option(
        command, "--max-series NUMBER", options.max_series,
        "Export at most NUMBER series of a port; counters are left out first (default: no limit)");
    add_option(
        command, "--label NAME=VALUE", options.labels,
        "Add a label to each sample; repeatable, for example rack=7")
        ->expected(1)
        ->take_all();
    add_option(
        command, "--prefix TEXT", options.prefix,
        "Start the name of each metric with TEXT (default macstats)");
    command.add_flag(
        "--created", options.created,
        "OpenMetrics: add the time at which each counter began at 0, a second series for each");
    command.add_flag(
        "--cached", options.cached, "Export the totals of the last poll; do not read the MAC");
}

Result<MetricsSelection> selection_from(const MetricsOptions& options) {
    MetricsSelection selection = options.all ? MetricsSelection::everything() : MetricsSelection();
    // A port is read once.
    selection.models = options.models;
    std::sort(selection.models.begin(), selection.models.end());
    selection.models.erase(
        std::unique(selection.models.begin(), selection.models.end()), selection.models.end());
    if (!options.groups.empty()) {
        MACSTATS_TRY(selection.groups, groups_from(options.groups));
    }
    if (!options.counters.empty()) {
        selection.counters = options.counters;
        std::erase(selection.counters, none);
    }
    if (!options.max_series.empty()) {
        MACSTATS_TRY(selection.most_series, series_from(options.max_series));
    }
    MACSTATS_TRY(selection.labels, labels_from(options.labels));
    MACSTATS_CHECK(check_metrics_prefix(options.prefix));
    selection.prefix = options.prefix;
    selection.created = options.created;
    selection.freshness = options.cached ? Freshness::cached : Freshness::read_hardware;
    MACSTATS_CHECK(check_words(selection));
    return selection;
}

Result<std::string> read_metrics(MetricsFormat format, const MetricsSelection& selection) {
    MACSTATS_TRY(auto client, Client::open());
    std::vector<PortStatistics> ports;
    const std::vector<std::string> any = {""};
    for (const std::string& model : selection.models.empty() ? any : selection.models) {
        MACSTATS_TRY(
            auto of_model, read_ports(client, {.model = model, .freshness = selection.freshness}));
        std::move(of_model.begin(), of_model.end(), std::back_inserter(ports));
    }
    const std::chrono::system_clock::time_point boot{
        std::chrono::duration_cast<std::chrono::system_clock::duration>(boot_time())};
    return metrics_text(ports, format, boot, selection);
}

} // namespace macstats::cli
