// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand tag: remember the statistics of now.
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli.hpp"
#include "libmacstats/client.hpp"
#include "libmacstats/table.hpp"
#include "libmacstats/tag.hpp"

namespace macstats::cli {

namespace {

using nlohmann::ordered_json;

struct TagRequest {
    std::string name;
    PortSelection selection;
    bool list = false;
    bool remove = false;
    bool json = false;
};

std::vector<std::string> port_names(const Tag& tag) {
    std::vector<std::string> names;
    for (const TaggedPort& port : tag.ports)
        names.push_back(port.name);
    return names;
}

ordered_json tag_json(const Tag& tag, const std::string& boot) {
    return {
        {"tag", tag.name},
        {"saved", tag.saved},
        {"this_boot", tag.boot_id == boot},
        {"ports", port_names(tag)},
    };
}

Result<void> save(const TagStore& store, const TagRequest& request, const std::string& boot) {
    auto client = Client::open();
    if (!client)
        return client.error();
    const auto views = read_views(*client, request.selection);
    if (!views)
        return views.error();
    if (views->empty())
        return Error{ENODEV, "there are no ports to tag"};
    for (const PortView& view : *views)
        if (view.statistics.stale)
            complain(fmt::format(
                "{} is stale{}: its totals are those of the last good poll", view.name,
                view.stale_reason.empty() ? "" : " (" + view.stale_reason + ")"));

    const Tag tag = make_tag(request.name, boot, *views);
    if (auto saved = store.save(tag); !saved)
        return saved;
    if (request.json)
        print_json(tag_json(tag, boot));
    else
        print(fmt::format("tag {}: {}\n", tag.name, fmt::join(port_names(tag), ", ")));
    return {};
}

Result<void> list(const TagStore& store, const std::string& boot, bool json) {
    const auto names = store.names();
    if (!names)
        return names.error();
    ordered_json array = ordered_json::array();
    Table table({"TAG", "SAVED", "PORTS"});
    for (const std::string& name : *names) {
        const auto tag = store.load(name);
        if (!tag) {
            complain(tag.error().message);
            continue;
        }
        array.push_back(tag_json(*tag, boot));
        table.add(
            {name, tag->saved,
             fmt::format(
                 "{}{}", fmt::join(port_names(*tag), ", "),
                 tag->boot_id == boot ? "" : " (before the system was booted)")});
    }
    if (json)
        print_json(array);
    else if (array.empty())
        complain("there are no tags");
    else
        print(table.text());
    return {};
}

Result<void> tag(const TagRequest& request) {
    if (request.name.empty() != request.list)
        return Error{
            EINVAL, request.list ? "--list takes no name" : "a name is missing (try --help)"};
    if (request.list && request.remove)
        return Error{EINVAL, "--list and --delete exclude each other"};
    const auto folder = tag_folder();
    if (!folder)
        return folder.error();
    const auto boot = boot_id();
    if (!boot)
        return boot.error();
    const TagStore store(*folder);
    if (request.list)
        return list(store, *boot, request.json);
    if (!request.remove)
        return save(store, request, *boot);
    if (!request.selection.ports.empty())
        return Error{EINVAL, "--delete takes no ports"};
    return store.remove(request.name);
}

} // namespace

void add_tag_command(CLI::App& app, Action& action) {
    auto* command = app.add_subcommand(
        "tag", "Remember the statistics of now under a name, for `macstats show --since`");
    auto request = std::make_shared<TagRequest>();
    command->add_option("NAME", request->name, "Letters, digits and ._-; an old tag is replaced");
    command->add_option(
        "PORT", request->selection.ports, "Names or indices of interfaces; all ports if none");
    command->add_flag("--list", request->list, "List the tags");
    command->add_flag("--delete", request->remove, "Delete the tag");
    add_json_flag(*command, request->json);
    command->callback([&action, request] { action = [request] { return tag(*request); }; });
    command->footer("\nExamples:\n"
                    "  macstats tag before mac0 mac1\n"
                    "  macstats show --since before --nonzero\n"
                    "  macstats tag --list\n"
                    "  macstats tag --delete before\n\n"
                    "Tags are files in $XDG_STATE_HOME/macstats/tags; without that variable in\n"
                    "/var/lib/macstats/tags for root, in ~/.local/state/macstats/tags for others.");
}

} // namespace macstats::cli
