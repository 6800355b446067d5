// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand show: statistics now, per second, or since a tag.
#include <algorithm>
#include <chrono>
#include <span>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "cli.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/interface.hpp"
#include "present/compare.hpp"
#include "present/json_writer.hpp"
#include "present/show.hpp"
#include "present/view.hpp"
#include "tag_store.hpp"

namespace macstats::cli {

namespace {

using std::chrono::duration;

constexpr Seconds rate_range{.least = 0.01, .most = 86400};

struct ShowRequest {
    PortSelection selection;
    ShowOptions options;
    bool json = false;
    bool json_strings = false;
    bool cached = false;
    bool diff = false;
    std::vector<std::string> group_words; // after --group, which takes all words
    std::string rate_word;                // after --rate
    CLI::Option* rate = nullptr;
};

// --group takes all the words after it, --rate the next one. Those which are neither groups
// nor durations are ports.
Result<double> sort_arguments(ShowRequest& request) {
    const auto groups = standard_groups();
    for (const std::string& word : request.group_words) {
        if (std::find(groups.begin(), groups.end(), word) != groups.end()) {
            request.options.groups.push_back(word);
            continue;
        }
        MACSTATS_TRY(const auto index, interface_index(word));
        if (index)
            request.selection.ports.push_back(word);
        else
            return invalid(
                "--group: \"{}\" is not a group; give one or more of {}", word,
                fmt::join(groups, ","));
    }
    if (request.rate_word.empty())
        return 1.0;
    if (!is_duration(request.rate_word)) {
        request.selection.ports.push_back(request.rate_word);
        return 1.0;
    }
    return parse_seconds("--rate", request.rate_word, rate_range);
}

Result<std::vector<PortView>> read_views(Client& client, const PortSelection& selection) {
    MACSTATS_TRY(auto ports, read_ports(client, selection));
    return views_of(std::move(ports));
}

Result<std::vector<PortView>>
read_with_rates(Client& client, const PortSelection& selection, double seconds) {
    MACSTATS_TRY(const auto before, read_views(client, selection));
    std::this_thread::sleep_for(duration<double>(seconds));
    MACSTATS_TRY(auto after, read_views(client, selection));
    add_rates(after, before);
    return after;
}

// Turns the totals of @views into what has been counted since the tag. Ports that
// it does not have are left out, unless they were asked for.
Result<void> count_since(std::vector<PortView>& views, const ShowRequest& request) {
    MACSTATS_TRY(const auto folder, tag_folder());
    MACSTATS_TRY(const auto tag, TagStore(folder).load(request.options.since));
    MACSTATS_TRY(const auto boot, boot_id());
    const auto missing = add_since(views, tag, boot);
    if (missing.empty())
        return {};
    const std::string text =
        fmt::format("the tag \"{}\" does not have {}", tag.name, fmt::join(missing, ", "));
    if (!request.selection.ports.empty())
        return Error{ENOENT, text};
    complain(text);
    std::erase_if(views, [](const PortView& view) { return !view.since; });
    return {};
}

std::string given_text(std::size_t ports) {
    return ports == 1 ? "1 is" : fmt::format("{} are", ports);
}

constexpr std::size_t octets_at_once = 65536; // of JSON, for fewer calls of fwrite()

void print_ports(std::span<const PortView> views, const ShowRequest& request) {
    JsonWriter json(
        json_indent,
        request.json_strings ? JsonWriter::Integers::as_strings : JsonWriter::Integers::as_numbers);
    json.begin_array();
    for (const PortView& view : views) {
        write_port(json, view, request.options);
        if (json.text().size() >= octets_at_once) {
            print(json.text());
            json.clear();
        }
    }
    json.end_array();
    print(json.text());
    print("\n");
}

Result<void> show(ShowRequest request) {
    MACSTATS_TRY(const auto seconds, sort_arguments(request));
    if (!request.selection.model.empty() && !request.selection.ports.empty())
        return invalid("--model excludes PORT");
    if (request.diff && request.selection.ports.size() != 2)
        return invalid(
            "--diff compares two ports, and {} given; for example `macstats show --diff mac0 mac1`",
            given_text(request.selection.ports.size()));
    request.selection.freshness = request.cached ? Freshness::cached : Freshness::read_hardware;

    MACSTATS_TRY(auto client, Client::open());
    MACSTATS_CHECK(in_context("--model", check_model(client, request.selection.model)));
    MACSTATS_TRY(
        auto views, request.rate->count() ? read_with_rates(client, request.selection, seconds)
                                          : read_views(client, request.selection));
    if (!request.options.since.empty())
        MACSTATS_CHECK(count_since(views, request));

    if (request.json || request.json_strings) {
        print_ports(views, request);
        return {};
    }
    if (views.empty())
        report_no_ports();
    request.options.unicode = is_utf8();
    request.options.terminal = is_terminal(STDOUT_FILENO);
    request.options.colours = wants_colours(STDOUT_FILENO);
    if (request.diff) {
        print(compare_text(views.at(0), views.at(1), request.options));
        return {};
    }
    for (const PortView& view : views)
        print(show_text(view, request.options));
    return {};
}

} // namespace

void describe_show(CLI::App& command, Action& action) {
    auto& request = request_of<ShowRequest>(command, action, show);
    auto* ports = command.add_option("PORT", request.selection.ports, ports_help);
    add_option(command, "--model NAME", request.selection.model, "Show only ports of model NAME")
        ->excludes(ports);
    command.add_flag("--nonzero", request.options.nonzero, "Leave out totals of 0");
    add_option(
        command, "--group GROUP[,GROUP...]", request.group_words,
        fmt::format(
            "Show standard statistics in place of the totals: {}",
            fmt::join(standard_groups(), ", ")))
        ->delimiter(',')
        ->allow_extra_args();
    request.rate =
        add_option(
            command, "--rate [SECONDS]", request.rate_word,
            "Also print rates, measured over SECONDS, 0.01 to 86400; also 500ms, 2m (default 1)")
            ->expected(0, 1);
    add_option(
        command, "--since TAG", request.options.since,
        "Show what was counted since a tag in place of the totals (see `macstats help tag`)");
    auto* descriptions = command.add_flag(
        "--descriptions", request.options.descriptions, "Also describe each counter");
    command.add_flag(
        "--cached", request.cached, "Show the totals of the last poll; do not read the MAC");
    auto* json = add_json_flag(command, request.json);
    auto* json_strings = command.add_flag(
        "--json-strings", request.json_strings,
        "Print JSON with integers as strings, for readers that round large numbers");
    auto* diff = command.add_flag(
        "--diff", request.diff, "Compare two ports: print the values of both and their difference");
    for (auto* other : {request.rate, descriptions, json, json_strings})
        diff->excludes(other);
    command.footer(
        "\nExamples:\n"
        "  macstats show mac0 --nonzero\n"
        "  macstats show mac0 mac1 --group rmon,pause\n"
        "  macstats show --rate 10 --nonzero\n"
        "  macstats tag add before && sleep 60 && macstats show --since before\n"
        "  macstats show --diff mac0 mac1 --group rmon\n"
        "  macstats show --json | jq '.[].standard.rmon'\n\n"
        "A total with \"≥\" (\">=\" unless the locale is UTF-8) is a lower bound: the counter\n"
        "was read at its maximum. A statistic that subtracts such a counter has \"≤\"\n"
        "(\"<=\"), or \"≈\" (\"~\") if it also adds one. A statistic also has \"≥\" while it is\n"
        "that of an earlier read, because a later one missed some of its counters. In\n"
        "JSON, \"at_least\" names all of these. Its member \"bound\" is \"at_most\" or\n"
        "\"unknown\" for those that are not lower bounds; \"stale\" marks those of an\n"
        "earlier read.\n\n"
        "--diff prints the value of the second port less that of the first; \"=\" is no\n"
        "difference, and a port with \"-\" does not have the counter. Ports of different\n"
        "models have --group in common.\n\n"
        "On a terminal, \"!\" marks counters of errors, large totals are also printed in\n"
        "larger units, and colours show errors and zeros. The environment variable\n"
        "NO_COLOR turns colours off. A pipe gets neither marks, larger units nor colours.\n\n"
        "A rate of \"-\" (null in JSON) is unknown: the port was not read in between or\n"
        "was stale, or its totals started again. With --group and --json, the members of\n"
        "\"per_second\" are statistics, such as \"rmon-rx-pkts65to127\".");
}

} // namespace macstats::cli
