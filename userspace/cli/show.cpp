// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand show: statistics now, per second, or since a tag.
#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <net/if.h>

#include "cli.hpp"
#include "libmacstats/client.hpp"
#include "libmacstats/show.hpp"
#include "libmacstats/tag.hpp"
#include "libmacstats/view.hpp"

namespace macstats::cli {

namespace {

using nlohmann::ordered_json;
using std::chrono::duration;

constexpr double shortest_rate = 0.01;
constexpr double longest_rate = 86400;

struct ShowRequest {
    PortSelection selection;
    ShowOptions options;
    bool json = false;
    bool json_strings = false;
    bool cached = false;
    std::vector<std::string> group_words; // after --group, which takes all words
    std::string rate_word;                // after --rate
    bool with_rate = false;
};

std::optional<double> number_in(const std::string& text) {
    double number = 0;
    return CLI::detail::lexical_cast(text, number) ? std::optional(number) : std::nullopt;
}

// --group takes all the words behind it, --rate the next one: those that are no
// groups and no seconds are ports.
Result<double> sort_out_words(ShowRequest& request) {
    const auto groups = standard_groups();
    for (const std::string& word : request.group_words) {
        if (std::find(groups.begin(), groups.end(), word) != groups.end())
            request.options.groups.push_back(word);
        else if (if_nametoindex(word.c_str()))
            request.selection.ports.push_back(word);
        else
            return Error{
                EINVAL,
                fmt::format("--group: \"{}\" is none of {}", word, fmt::join(groups, ", "))};
    }
    if (request.rate_word.empty())
        return 1.0;
    const auto seconds = number_in(request.rate_word);
    if (!seconds) {
        request.selection.ports.push_back(request.rate_word);
        return 1.0;
    }
    if (!(*seconds >= shortest_rate && *seconds <= longest_rate))
        return Error{
            ERANGE, fmt::format(
                        "--rate: {} is not in {} to {} seconds", request.rate_word, shortest_rate,
                        longest_rate)};
    return *seconds;
}

Result<std::vector<PortView>>
read_with_rates(Client& client, const PortSelection& selection, double seconds) {
    const auto before = read_views(client, selection);
    if (!before)
        return before.error();
    std::this_thread::sleep_for(duration<double>(seconds));
    auto after = read_views(client, selection);
    if (after)
        add_rates(*after, *before);
    return after;
}

// Turns the totals of @views into what has been counted since the tag. Ports that
// it does not have are left out, unless they were asked for.
Result<void> count_since(std::vector<PortView>& views, const ShowRequest& request) {
    const auto folder = tag_folder();
    if (!folder)
        return folder.error();
    const auto tag = TagStore(*folder).load(request.options.since);
    if (!tag)
        return tag.error();
    const auto boot = boot_id();
    if (!boot)
        return boot.error();
    const auto missing = add_since(views, *tag, *boot);
    if (missing.empty())
        return {};
    const std::string text =
        fmt::format("the tag \"{}\" does not have {}", tag->name, fmt::join(missing, ", "));
    if (!request.selection.ports.empty())
        return Error{ENOENT, text};
    complain(text);
    std::erase_if(views, [](const PortView& view) { return !view.since; });
    return {};
}

Result<void> show(ShowRequest request) {
    const auto seconds = sort_out_words(request);
    if (!seconds)
        return seconds.error();
    request.selection.freshness = request.cached ? Freshness::cached : Freshness::read_hardware;

    auto client = Client::open();
    if (!client)
        return client.error();
    auto views = request.with_rate ? read_with_rates(*client, request.selection, *seconds)
                                   : read_views(*client, request.selection);
    if (!views)
        return views.error();
    if (!request.options.since.empty())
        if (auto counted = count_since(*views, request); !counted)
            return counted;

    if (request.json || request.json_strings) {
        ordered_json array = ordered_json::array();
        for (const PortView& view : *views)
            array.push_back(show_json(view, request.options));
        print_json(request.json_strings ? integers_as_strings(std::move(array)) : array);
        return {};
    }
    hint_if_none(views->size());
    for (const PortView& view : *views)
        print(show_text(view, request.options));
    return {};
}

} // namespace

void add_show_command(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand("show", "Read and print the statistics of ports");
    auto request = std::make_shared<ShowRequest>();
    auto* ports = command->add_option(
        "PORT", request->selection.ports, "Names or indices of interfaces; all ports if none");
    command->add_option("--model", request->selection.model, "Only ports of this model")
        ->excludes(ports);
    command->add_flag("--nonzero", request->options.nonzero, "Leave out totals of 0");
    command->add_option(
        "--group", request->group_words,
        fmt::format(
            "Instead of the totals, standard statistics: any of {}",
            fmt::join(standard_groups(), ", ")));
    auto* rate =
        command
            ->add_option(
                "--rate", request->rate_word,
                "What is counted per second as well, between two reads so many seconds apart (1)")
            ->expected(0, 1);
    command->add_option(
        "--since", request->options.since,
        "Instead of the totals, what was counted since this tag (see `macstats tag`)");
    command->add_flag(
        "--descriptions", request->options.descriptions, "Say what each counter counts");
    command->add_flag(
        "--cached", request->cached, "The totals of the last poll, without reading the MAC");
    add_json_flag(*command, request->json);
    command->add_flag(
        "--json-strings", request->json_strings,
        "Print JSON with integers as strings, for readers that would round them");
    command->callback([&action, request, rate] {
        request->with_rate = rate->count() > 0;
        action = [request] { return show(*request); };
    });
    command->footer("\nExamples:\n"
                    "  macstats show mac0 --nonzero\n"
                    "  macstats show mac0 mac1 --group rmon pause\n"
                    "  macstats show --rate 10 --nonzero\n"
                    "  macstats tag before && sleep 60 && macstats show --since before\n"
                    "  macstats show --json | jq '.[].standard.rmon'\n\n"
                    "A rate of \"-\" (null in JSON) is not known, which is not 0: the port could\n"
                    "not be read, or its totals began anew.");
}

} // namespace macstats::cli
