// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand tag: statistics saved under a name.
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

struct SaveRequest {
    std::string name;
    PortSelection selection;
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

Result<TagStore> open_store() {
    MACSTATS_TRY(const auto folder, tag_folder());
    return TagStore(folder);
}

Result<void> save_tag(const SaveRequest& request) {
    MACSTATS_TRY(const auto store, open_store());
    MACSTATS_TRY(const auto boot, boot_id());
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

Result<void> list_tags(bool json) {
    MACSTATS_TRY(const auto store, open_store());
    MACSTATS_TRY(const auto boot, boot_id());
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

Result<void> remove_tag(const std::string& name) {
    MACSTATS_TRY(const auto store, open_store());
    return store.remove(name);
}

const char* name_help = "1 to 64 letters, digits and ._-";

void add_tag_add(CLI::App& tag_command, Action& action) {
    auto* command = tag_command.add_subcommand("add", "Save the present statistics as a tag");
    auto& request = request_of<SaveRequest>(*command, action, save_tag);
    command->add_option("NAME", request.name, std::string(name_help) + "; replaces an old tag")
        ->required();
    command->add_option("PORT", request.selection.ports, ports_help);
    add_json_flag(*command, request.json);
}

void add_tag_list(CLI::App& tag_command, Action& action) {
    auto* command = tag_command.add_subcommand("list", "List the tags");
    add_json_flag(*command, request_of<bool>(*command, action, list_tags));
}

void add_tag_delete(CLI::App& tag_command, Action& action) {
    auto* command = tag_command.add_subcommand("delete", "Delete a tag");
    auto& name = request_of<std::string>(*command, action, remove_tag);
    command->add_option("NAME", name, name_help)->required();
}

} // namespace

void describe_tag(CLI::App& command, Action& action) {
    command.require_subcommand(1);
    add_tag_add(command, action);
    add_tag_list(command, action);
    add_tag_delete(command, action);
    command.footer("\nExamples:\n"
                   "  macstats tag add before mac0 mac1\n"
                   "  macstats show --since before --nonzero\n"
                   "  macstats tag list\n"
                   "  macstats tag delete before\n\n"
                   "Tags are files in $XDG_STATE_HOME/macstats/tags. Without that variable,\n"
                   "root uses /var/lib/macstats/tags and others ~/.local/state/macstats/tags.");
}

} // namespace macstats::cli
