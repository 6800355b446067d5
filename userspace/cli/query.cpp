// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommands models, model and ports.
#include <memory>

#include <fmt/format.h>

#include "cli.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "present/counter_name.hpp"
#include "present/model.hpp"
#include "present/table.hpp"

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
    MACSTATS_TRY(const auto* model, model_called(name));
    if (json)
        print_json(model_json(*model));
    else
        print(model_text(*model, is_utf8()));
    return {};
}

void add_work(ordered_json& json, const std::optional<PortWork>& work) {
    const auto value_or_null = [&work](auto PortWork::*member) {
        return work ? ordered_json((*work).*member) : ordered_json();
    };
    json["late_polls"] = value_or_null(&PortWork::late_polls);
    json["failed_polls"] = value_or_null(&PortWork::failed_polls);
    json["longest_poll_ns"] = value_or_null(&PortWork::longest_poll_ns);
    json["longest_wait_ns"] = value_or_null(&PortWork::longest_wait_ns);
}

ordered_json port_json(Client& client, const PortInfo& port) {
    ordered_json json = {
        {"port", port.name},
        {"ifindex", port.ifindex.value()},
        {"model", port.model},
        {"index", port.index.value()},
        {"absent", port.absent},
        {"state",
         {{"stale", port.stale},
          {"possible_loss", port.possible_loss},
          {"discontinuities", port.discontinuities}}},
        {"stale_reason", nullptr},
        {"discontinuity_time_ns", nullptr},
        {"discontinuity_counter", nullptr},
        {"discontinuity_value", nullptr},
        {"parity_errors", port.parity_errors},
        {"poll_usecs", port.poll_usecs},
        {"poll_ceiling_usecs", port.poll_ceiling_usecs},
        {"poll_time_ns", port.poll_ns},
    };
    if (port.stale)
        json["stale_reason"] = port.stale_reason;
    if (port.discontinuity_ns)
        json["discontinuity_time_ns"] = *port.discontinuity_ns;
    if (port.suspect) {
        json["discontinuity_counter"] = counter_json(client, port.model, port.suspect->counter);
        json["discontinuity_value"] = port.suspect->value;
    }
    add_work(json, port.work);
    for (const Saturation& one : port.saturated)
        json["at_least"][counter_text(client, port.model, one.counter)] = {{"times", one.times}};
    return json;
}

std::string state_of(const PortInfo& port) {
    if (port.absent)
        return "built without counters";
    std::string text =
        port.stale ? fmt::format("stale ({})", printable(port.stale_reason)) : std::string("fresh");
    if (port.possible_loss)
        text += ", possible loss";
    if (const auto counters = port.saturated.size())
        text += fmt::format(", {} saturated counter{}", counters, counters == 1 ? "" : "s");
    return text;
}

Result<void> ports(const std::string& model, bool json) {
    MACSTATS_TRY(auto client, Client::open());
    MACSTATS_TRY(const auto ports, client.ports(model));

    if (json) {
        ordered_json array = ordered_json::array();
        for (const PortInfo& port : ports)
            array.push_back(port_json(client, port));
        print_json(array);
        return {};
    }
    if (ports.empty()) {
        report_no_ports();
        return {};
    }
    Table table(
        {"PORT", "IFINDEX", "MODEL", "POLLED EVERY", "DISCONTINUITIES", "PARITY ERRORS", "STATE"});
    for (const PortInfo& port : ports)
        table.add(
            {escaped(port.name), fmt::format("{}", port.ifindex.value()), port.model,
             fmt::format("{} us", port.poll_usecs), fmt::format("{}", port.discontinuities),
             fmt::format("{}", port.parity_errors), state_of(port)});
    print(table.text());
    return {};
}

} // namespace

void describe_models(CLI::App& command, Action& action) {
    auto json = std::make_shared<bool>(false);
    add_json_flag(command, *json);
    command.callback([&action, json] { action = [json] { return models(*json); }; });
}

void describe_model(CLI::App& command, Action& action) {
    auto json = std::make_shared<bool>(false);
    auto name = std::make_shared<std::string>();
    command.add_option("NAME", *name, "Model, as `macstats models` lists it")->required();
    add_json_flag(command, *json);
    command.callback(
        [&action, name, json] { action = [name, json] { return model(*name, *json); }; });
    command.footer(fmt::format(
        "\nExample:\n  macstats model {} --json | jq '.counters[].name'", example().model));
}

void describe_ports(CLI::App& command, Action& action) {
    auto json = std::make_shared<bool>(false);
    auto model = std::make_shared<std::string>();
    command.add_option("--model", *model, "List only ports of model NAME")->option_text("NAME");
    add_json_flag(command, *json);
    command.callback(
        [&action, model, json] { action = [model, json] { return ports(*model, *json); }; });
    command.footer(
        "\nExamples:\n"
        "  macstats ports\n"
        "  macstats ports --json | jq '.[] | select(.state.stale) | .port'\n\n"
        "--json also reports the polls of each port: late_polls (later than the wrap\n"
        "time allows), failed_polls, longest_poll_ns and longest_wait_ns (of a reader\n"
        "for a poll). discontinuity_counter and discontinuity_value are the counter that\n"
        "showed the last discontinuity and the value that was read and not added.");
}

} // namespace macstats::cli
