// SPDX-License-Identifier: GPL-2.0 OR MIT
// What there is: the subcommands models, model and ports.
#include <memory>

#include <fmt/format.h>

#include "cli.hpp"
#include "libmacstats/client.hpp"
#include "libmacstats/model.hpp"
#include "libmacstats/names.hpp"
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

Result<void> ports(const std::string& model, bool json) {
    auto client = Client::open();
    if (!client)
        return client.error();
    const auto ports = client->ports(model);
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
        auto model = std::make_shared<std::string>();
        command->add_option("--model", *model, "Only those of this model");
        add_json_flag(*command, *json);
        command->callback(
            [&action, model, json] { action = [model, json] { return ports(*model, *json); }; });
    }
}

} // namespace macstats::cli
