// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommands that only look: models, model, ports, show.
#include <map>
#include <memory>

#include <fmt/format.h>

#include "cli.hpp"
#include "libmacstats/client.hpp"
#include "libmacstats/model.hpp"
#include "libmacstats/names.hpp"
#include "libmacstats/show.hpp"
#include "libmacstats/table.hpp"

namespace macstats::cli {

namespace {

using nlohmann::ordered_json;

Result<void> models(bool json) {
    if (json) {
        ordered_json array = ordered_json::array();
        for (const macstats_model* model : all_models())
            array.push_back(model_json(*model));
        print_json(array);
        return {};
    }
    Table table({"MODEL", "PORTS", "COUNTERS", "TITLE"});
    for (const macstats_model* model : all_models())
        table.add(
            {model->name, fmt::format("{}", model->ports), fmt::format("{}", model->n_counters),
             model->title});
    print(table.text());
    return {};
}

Result<void> model(const std::string& name, bool json) {
    const auto model = model_called(name);
    if (!model)
        return model.error();
    if (json)
        print_json(model_json(**model));
    else
        print(model_text(**model));
    return {};
}

ordered_json port_json(const PortInfo& port) {
    ordered_json json = {
        {"port", port.name},
        {"ifindex", port.ifindex},
        {"model", port.model},
        {"index", port.index},
        {"absent", port.absent},
        {"state",
         {{"stale", port.stale},
          {"possible_loss", port.possible_loss},
          {"discontinuities", port.discontinuities}}},
        {"stale_reason", nullptr},
        {"discontinuity_time_ns", nullptr},
        {"parity_errors", port.parity_errors},
        {"poll_usecs", port.poll_usecs},
        {"poll_ceiling_usecs", port.poll_ceiling_usecs},
        {"poll_time_ns", port.poll_ns},
    };
    if (port.stale)
        json["stale_reason"] = port.stale_reason;
    if (port.discontinuity_ns)
        json["discontinuity_time_ns"] = *port.discontinuity_ns;
    return json;
}

std::string state_of(const PortInfo& port) {
    if (port.absent)
        return "built without counters";
    std::string text =
        port.stale ? fmt::format("stale ({})", port.stale_reason) : std::string("fresh");
    if (port.possible_loss)
        text += ", possible loss";
    return text;
}

void hint_if_none(std::size_t ports) {
    if (ports == 0)
        complain("there are no ports here; `macstats emu add MODEL` makes emulated ones");
}

Result<void> ports(bool json) {
    auto client = Client::open();
    if (!client)
        return client.error();
    const auto ports = client->ports();
    if (!ports)
        return ports.error();

    if (json) {
        ordered_json array = ordered_json::array();
        for (const PortInfo& port : *ports)
            array.push_back(port_json(port));
        print_json(array);
        return {};
    }
    hint_if_none(ports->size());
    if (ports->empty())
        return {};
    Table table(
        {"PORT", "IFINDEX", "MODEL", "POLLED EVERY", "DISCONTINUITIES", "PARITY ERRORS", "STATE"});
    for (const PortInfo& port : *ports)
        table.add(
            {port.name, fmt::format("{}", port.ifindex), port.model,
             fmt::format("{} us", port.poll_usecs), fmt::format("{}", port.discontinuities),
             fmt::format("{}", port.parity_errors), state_of(port)});
    print(table.text());
    return {};
}

struct ShowRequest {
    std::vector<std::string> ports;
    bool json = false;
    bool json_strings = false;
    bool cached = false;
    ShowOptions options;
};

// The statistics of the named ports, or of all. The port's state is asked for
// after the statistics, so that a reason belongs to what has just been read.
Result<std::vector<PortView>> views(Client& client, const ShowRequest& request) {
    const Freshness freshness = request.cached ? Freshness::cached : Freshness::read_hardware;
    std::vector<Statistics> statistics;
    std::map<std::uint32_t, PortInfo> ports;

    if (request.ports.empty()) {
        auto all = client.statistics(freshness);
        if (!all)
            return all.error();
        statistics = std::move(*all);
        auto known = client.ports();
        if (!known)
            return known.error();
        for (PortInfo& port : *known)
            ports.emplace(port.ifindex, std::move(port));
    }
    for (const std::string& name : request.ports) {
        auto port = client.port(name);
        if (!port)
            return port.error();
        auto one = client.statistics(port->ifindex, freshness);
        if (!one)
            return in_context(name, one.error());
        if (one->stale || port->stale)
            port = client.port(port->ifindex);
        if (!port)
            return in_context(name, port.error());
        statistics.push_back(std::move(*one));
        ports.emplace(port->ifindex, std::move(*port));
    }

    std::vector<PortView> views;
    for (Statistics& one : statistics) {
        const auto port = ports.find(one.ifindex);
        if (port == ports.end())
            continue; // gone meanwhile
        const auto counters = client.counters(one.model);
        if (!counters)
            return counters.error();
        views.push_back(
            {.name = port->second.name,
             .statistics = std::move(one),
             .stale_reason = port->second.stale_reason,
             .counters = *counters});
    }
    return views;
}

Result<void> show(const ShowRequest& request) {
    auto client = Client::open();
    if (!client)
        return client.error();
    const auto all = views(*client, request);
    if (!all)
        return all.error();

    if (request.json || request.json_strings) {
        ordered_json array = ordered_json::array();
        for (const PortView& view : *all)
            array.push_back(show_json(view, request.options));
        print_json(request.json_strings ? integers_as_strings(std::move(array)) : array);
        return {};
    }
    hint_if_none(all->size());
    for (const PortView& view : *all)
        print(show_text(view, request.options));
    return {};
}

} // namespace

void add_query_commands(CLI::App& app, Action& action) {
    {
        auto* command = app.add_subcommand("models", "List the models of MACs");
        auto json = std::make_shared<bool>(false);
        add_json_flag(*command, *json);
        command->callback([&action, json] { action = [json] { return models(*json); }; });
    }
    {
        auto* command = app.add_subcommand(
            "model",
            "Describe a model: its register map, rules, wrap times and standard statistics");
        auto json = std::make_shared<bool>(false);
        auto name = std::make_shared<std::string>();
        command->add_option("NAME", *name, "One of `macstats models`")->required();
        add_json_flag(*command, *json);
        command->callback(
            [&action, name, json] { action = [name, json] { return model(*name, *json); }; });
        command->footer(fmt::format(
            "\nExample:\n  macstats model {} --json | jq '.counters[].name'", example().model));
    }
    {
        auto* command = app.add_subcommand("ports", "List the ports in this network namespace");
        auto json = std::make_shared<bool>(false);
        add_json_flag(*command, *json);
        command->callback([&action, json] { action = [json] { return ports(*json); }; });
    }
    {
        auto* command = app.add_subcommand("show", "Read and print the statistics of ports");
        auto request = std::make_shared<ShowRequest>();
        command->add_option(
            "PORT", request->ports, "Names or indices of interfaces; all ports if none");
        add_json_flag(*command, request->json);
        command->add_flag(
            "--json-strings", request->json_strings,
            "Print JSON with integers as strings, for readers that would round them");
        command->add_flag("--nonzero", request->options.nonzero, "Leave out totals of 0");
        command->add_flag(
            "--descriptions", request->options.descriptions, "Say what each counter counts");
        command->add_flag(
            "--cached", request->cached,
            "Print the totals of the last poll, without reading the MAC");
        command->callback([&action, request] { action = [request] { return show(*request); }; });
        command->footer("\nExamples:\n"
                        "  macstats show mac0 --nonzero\n"
                        "  macstats show --json | jq '.[].standard.rmon'");
    }
}

} // namespace macstats::cli
