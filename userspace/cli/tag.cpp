// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand tag: statistics saved under a name.
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "present/table.hpp"
#include "tag_store.hpp"

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

std::vector<std::string> shown_names(const Tag& tag) {
    std::vector<std::string> names;
    for (const TaggedPort& port : tag.ports)
        names.push_back(escaped(port.name));
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
    MACSTATS_TRY(auto client, Client::open());
    MACSTATS_TRY(const auto ports, read_ports(client, request.selection));
    if (ports.empty())
        return Error{ENODEV, "no ports to save; `macstats emu add MODEL` adds emulated ones"};
    for (const PortStatistics& port : ports)
        if (port.statistics.stale)
            complain(fmt::format(
                "{} is stale{}; saving the totals of its last good poll", port.name,
                port.stale_reason.empty() ? "" : " (" + port.stale_reason + ")"));

    const Tag tag = make_tag(request.name, boot, ports);
    MACSTATS_CHECK(store.save(tag));
    if (request.json)
        print_json(tag_json(tag, boot));
    else
        print(fmt::format("tag {}: {}\n", tag.name, fmt::join(shown_names(tag), ", ")));
    return {};
}

Result<void> list(const TagStore& store, const std::string& boot, bool json) {
    MACSTATS_TRY(const auto names, store.names());
    ordered_json array = ordered_json::array();
    Table table({"TAG", "SAVED", "PORTS"});
    for (const std::string& name : names) {
        const auto tag = store.load(name);
        if (!tag) {
            complain(tag.error().message);
            continue;
        }
        array.push_back(tag_json(*tag, boot));
        table.add(
            {name, tag->saved,
             fmt::format(
                 "{}{}", fmt::join(shown_names(*tag), ", "),
                 tag->boot_id == boot ? "" : " (before the last boot)")});
    }
    if (json)
        print_json(array);
    else if (array.empty())
        report_none("tags", "`macstats tag add NAME` saves one");
    else
        print(table.text());
    return {};
}

Result<void> tag(const TagRequest& request) {
    if (request.name.empty() != request.list)
        return Error{
            EINVAL, request.list ? "--list takes no name"
                                 : "`macstats tag` needs a command: add, list or delete; see "
                                   "`macstats help tag`"};
    if (request.list && request.remove)
        return Error{EINVAL, "--list and --delete exclude each other"};
    MACSTATS_TRY(const auto folder, tag_folder());
    MACSTATS_TRY(const auto boot, boot_id());
    const TagStore store(folder);
    if (request.list)
        return list(store, boot, request.json);
    if (!request.remove)
        return save(store, request, boot);
    if (!request.selection.ports.empty())
        return Error{EINVAL, "--delete takes no ports"};
    return store.remove(request.name);
}

const char* name_help = "1 to 64 letters, digits and ._-";

void add_tag_add(CLI::App& tag_command, Action& action) {
    auto* command = tag_command.add_subcommand("add", "Save the present statistics as a tag");
    auto& request = request_of<TagRequest>(*command, action, tag);
    command->add_option("NAME", request.name, std::string(name_help) + "; replaces an old tag")
        ->required();
    command->add_option("PORT", request.selection.ports, ports_help);
    add_json_flag(*command, request.json);
}

void add_tag_list(CLI::App& tag_command, Action& action) {
    auto* command = tag_command.add_subcommand("list", "List the tags");
    auto& request = request_of<TagRequest>(*command, action, tag);
    request.list = true;
    add_json_flag(*command, request.json);
}

void add_tag_delete(CLI::App& tag_command, Action& action) {
    auto* command = tag_command.add_subcommand("delete", "Delete a tag");
    auto& request = request_of<TagRequest>(*command, action, tag);
    request.remove = true;
    command->add_option("NAME", request.name, name_help)->required();
}

// The form without a verb, from before there were verbs.
void add_tag_alias(CLI::App& command, Action& action) {
    auto request = std::make_shared<TagRequest>();
    command.add_option("NAME", request->name)->group("");
    command.add_option("PORT", request->selection.ports)->group("");
    command.add_flag("--list", request->list)->group("");
    command.add_flag("--delete", request->remove)->group("");
    command.add_flag("--json", request->json)->group("");
    command.callback([&command, &action, request] {
        if (command.get_subcommands().empty())
            action = [request] { return tag(*request); };
    });
}

} // namespace

void describe_tag(CLI::App& command, Action& action) {
    command.require_subcommand(0, 1);
    add_tag_add(command, action);
    add_tag_list(command, action);
    add_tag_delete(command, action);
    add_tag_alias(command, action);
    command.footer("\nExamples:\n"
                   "  macstats tag add before mac0 mac1\n"
                   "  macstats show --since before --nonzero\n"
                   "  macstats tag list\n"
                   "  macstats tag delete before\n\n"
                   "Tags are files in $XDG_STATE_HOME/macstats/tags. Without that variable,\n"
                   "root uses /var/lib/macstats/tags and others ~/.local/state/macstats/tags.");
}

} // namespace macstats::cli
