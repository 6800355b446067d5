// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand registers: the dump of `ethtool -d`, decoded with the datasheet's names.
#include <cstddef>
#include <span>
#include <string>

#include <fmt/format.h>

#include "cli.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/device/registers.hpp"
#include "libmacstats/netlink/ports.hpp"
#include "present/registers.hpp"
#include "scenario/file.hpp"

namespace macstats::cli {

namespace {

struct RegistersRequest {
    std::string port;
    std::string model;
    std::string file;
    bool descriptions = false;
    bool json = false;
};

Result<void> print_dump(
    const macstats_model& model, std::span<const std::byte> octets,
    std::span<const CounterIndex> absent, const RegistersRequest& request) {
    MACSTATS_TRY(const auto words, parse_dump(octets));
    MACSTATS_TRY(const auto dump, decode_dump(model, words, absent));
    if (request.json)
        print_json(dump_json(model, dump));
    else
        print(dump_text(model, dump, request.descriptions));
    return {};
}

// A driver may have a model of its own with the name of one here.
Result<const macstats_model*> model_of(const PortStatistics& port) {
    MACSTATS_TRY(const auto* model, model_called(port.statistics.model));
    if (port.model() != model)
        return invalid(
            "the driver's model {} has other counters than that of this macstats",
            port.statistics.model);
    return model;
}

Result<void> print_dump_of_port(const RegistersRequest& request) {
    MACSTATS_TRY(auto client, Client::open());
    MACSTATS_TRY(
        const auto ports,
        read_ports(client, {.ports = {request.port}, .freshness = Freshness::cached}));
    const PortStatistics& port = ports.front();
    const auto print_it = [&]() -> Result<void> {
        MACSTATS_TRY(const auto* model, model_of(port));
        MACSTATS_TRY(const auto octets, read_dump(port.name));
        return print_dump(*model, octets, port.statistics.absent, request);
    };
    return in_context(request.port, print_it());
}

Result<void> registers(const RegistersRequest& request) {
    if (request.port.empty() == request.file.empty() ||
        request.file.empty() != request.model.empty())
        return Error{EINVAL, "give PORT, or --model and --file; see `macstats help registers`"};
    if (!request.file.empty()) {
        MACSTATS_TRY(const auto text, read_file(request.file, most_dump_octets));
        MACSTATS_TRY(const auto* model, in_context(request.file, model_called(request.model)));
        return in_context(
            request.file, print_dump(*model, std::as_bytes(std::span(text)), {}, request));
    }
    return print_dump_of_port(request);
}

} // namespace

void describe_registers(CLI::App& command, Action& action) {
    auto& request = request_of<RegistersRequest>(command, action, registers);
    command.add_option("PORT", request.port, port_help);
    add_option(command, "--model NAME", request.model, "Decode the dump as one of model NAME");
    add_option(
        command, "--file FILE", request.file,
        "Read the dump from FILE, as `ethtool -d PORT raw on` writes it; - is standard input");
    command.add_flag("--descriptions", request.descriptions, "Also describe each register");
    add_json_flag(command, request.json);
    command.footer(fmt::format(
        "\nExamples:\n"
        "  macstats registers mac0 --descriptions\n"
        "  ethtool -d mac0 raw on | macstats registers --model {} --file -\n\n"
        "A dump leaves out counters that a read changes, and lists them. The others are\n"
        "read word by word, so that a value of two words may be torn. Addresses count\n"
        "from the port's base. Reading them requires CAP_NET_ADMIN.\n"
        "A dump must have all words of this release's model. Further ones have no name.",
        example().model));
}

} // namespace macstats::cli
