// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommands models, model and ports.
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli.hpp"
#include "core/json_text.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/ports.hpp"
#include "present/events.hpp"
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
    const auto list = [](const auto& words) {
        return words.empty() ? "-" : fmt::format("{}", fmt::join(words, ","));
    };
    Table table({"MODEL", "PORTS", "COUNTERS", "BUS", "ACCESS", "DRIVERS", "TITLE"});
    for (const macstats_model* model : all_models())
        table.add(
            {model->name, std::to_string(model->ports), std::to_string(model->n_counters),
             std::to_string(model->bus_bits), list(accesses_of(*model)), list(drivers_of(*model)),
             model->title});
    print(table.text());
    return {};
}

struct Query {
    std::string model;
    bool json = false;
};

Result<void> model(const Query& request) {
    MACSTATS_TRY(const auto* model, model_called(request.model));
    if (request.json)
        print_json(model_json(*model));
    else
        print(model_text(*model, is_utf8()));
    return {};
}

ordered_json port_json(const PortInfo& port, std::span<const CounterInfo> infos) {
    const auto work = [&port](auto PortWork::*member) {
        return port.work ? ordered_json((*port.work).*member) : ordered_json();
    };
    ordered_json json = {
        {"port", port.name},
        {"ifindex", port.ifindex.value()},
        {"model", port.model},
        {"index", port.index.value()},
        {"absent", port.without_counters},
        {"state",
         {{"stale", port.stale},
          {"possible_loss", port.possible_loss},
          {"discontinuities", port.discontinuities}}},
        {"stale_reason", port.stale ? ordered_json(port.stale_reason) : ordered_json()},
        {"discontinuity_time_ns", or_null(port.discontinuity_ns)},
        {"discontinuity_counter",
         port.suspect ? counter_json(infos, port.suspect->counter) : ordered_json()},
        {"discontinuity_value", port.suspect ? ordered_json(port.suspect->value) : ordered_json()},
        {"parity_errors", port.parity_errors},
        {"poll_usecs", port.poll_usecs},
        {"poll_ceiling_usecs", port.poll_ceiling_usecs},
        {"poll_time_ns", port.poll_ns},
        {"late_polls", work(&PortWork::late_polls)},
        {"failed_polls", work(&PortWork::failed_polls)},
        {"longest_poll_ns", work(&PortWork::longest_poll_ns)},
        {"longest_wait_ns", work(&PortWork::longest_wait_ns)},
    };
    for (const Saturation& one : port.saturated)
        json["at_least"][counter_text(infos, one.counter)] = {{"times", one.times}};
    return json;
}

std::string state_of(const PortInfo& port) {
    if (port.without_counters)
        return "built without counters";
    std::string text =
        port.stale ? fmt::format("stale ({})", printable(port.stale_reason)) : std::string("fresh");
    if (port.possible_loss)
        text += ", possible loss";
    if (const auto counters = port.saturated.size())
        text += fmt::format(", {} saturated counter{}", counters, counters == 1 ? "" : "s");
    return text;
}

Result<void> ports(const Query& request) {
    MACSTATS_TRY(auto client, Client::open());
    MACSTATS_CHECK(in_context("--model", check_model(client, request.model)));
    MACSTATS_TRY(const auto ports, ports_of(client, request.model));

    if (request.json) {
        ordered_json array = ordered_json::array();
        for (const PortInfo& port : ports) {
            const auto infos = client.counters(port.model_id);
            array.push_back(port_json(port, infos ? *infos : CounterInfos()));
        }
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
            {escaped(port.name), std::to_string(port.ifindex.value()), port.model,
             fmt::format("{} us", port.poll_usecs), std::to_string(port.discontinuities),
             std::to_string(port.parity_errors), state_of(port)});
    print(table.text());
    return {};
}

} // namespace

void describe_models(CLI::App& command, Action& action) {
    add_json_flag(command, request_of<bool>(command, action, models));
}

void describe_model(CLI::App& command, Action& action) {
    auto& request = request_of<Query>(command, action, model);
    command.add_option("NAME", request.model, "Model, as `macstats models` lists it")->required();
    add_json_flag(command, request.json);
    command.footer(fmt::format(
        "\nExample:\n  macstats model {} --json | jq '.counters[].name'", example().model));
}

void describe_ports(CLI::App& command, Action& action) {
    auto& request = request_of<Query>(command, action, ports);
    add_option(command, "--model NAME", request.model, "List only ports of model NAME");
    add_json_flag(command, request.json);
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
