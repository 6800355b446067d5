// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommands of `macstats emu`, which control emulated devices.
#include <algorithm>
#include <climits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <net/if.h>

#include "cli.hpp"
#include "core/json_text.hpp"
#include "frame_options.hpp"
#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/fault.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/emulator.hpp"

namespace macstats::cli {

namespace {

using nlohmann::ordered_json;

// The name of an interface, or "" if it is in another network namespace.
std::string port_name(std::optional<IfIndex> ifindex) {
    char name[IF_NAMESIZE] = "";
    return ifindex && if_indextoname(ifindex->value(), name) ? name : "";
}

Result<PortInfo> find_port(const std::string& name) {
    MACSTATS_TRY(auto client, Client::open());
    return client.port(name);
}

// A port and its model, which this command knows.
struct KnownPort {
    IfIndex port;
    const macstats_model* model;
};

Result<KnownPort> find_known_port(const std::string& name) {
    MACSTATS_TRY(const auto port, find_port(name));
    MACSTATS_TRY(const auto* model, model_called(port.model));
    return KnownPort{port.ifindex, model};
}

// Call @what with the emulator and a port. A missing emulator is reported before a missing port.
template <typename Do>
Result<void> at_port(const std::string& name, Do what) {
    MACSTATS_TRY(auto emulator, Emulator::open());
    MACSTATS_TRY(const auto port, find_known_port(name));
    return in_context(name, what(emulator, port));
}

ordered_json ports_json(const DeviceInfo& device) {
    ordered_json ports = ordered_json::array();
    for (const auto ifindex : device.ports) {
        const std::string name = port_name(ifindex);
        ports.push_back({
            {"name", name.empty() ? ordered_json() : ordered_json(name)},
            {"ifindex", ifindex ? ordered_json(ifindex->value()) : ordered_json()},
        });
    }
    return ports;
}

std::string ports_text(const DeviceInfo& device) {
    std::vector<std::string> names;
    for (const auto ifindex : device.ports) {
        const std::string name = port_name(ifindex);
        names.push_back(name.empty() ? "(elsewhere)" : escaped(name));
    }
    return fmt::format("{}", fmt::join(names, " "));
}

struct AddRequest {
    std::string model;
    std::optional<std::string> name;
    std::string power_up = "zero";
    std::optional<std::string> seed;
    std::vector<std::string> options;
    bool private_only = false;
    bool held = false;
    std::optional<std::string> line_rate_bound;
    std::optional<std::string> netdevs;
    bool json = false;
};

Result<DeviceConfig> config_from(const AddRequest& request) {
    MACSTATS_TRY(const auto* model, model_called(request.model));
    DeviceConfig config;
    config.model = request.model;
    config.private_only = request.private_only;
    config.held = request.held;
    if (request.netdevs) {
        MACSTATS_TRY(const auto netdevs, parse_number("--netdevs", *request.netdevs, 1, 2));
        config.netdevs = static_cast<std::uint32_t>(netdevs);
    }
    const unsigned int netdevs = model->ports * config.netdevs.value_or(1);

    if (request.name) {
        if (request.name->empty() || request.name->size() >= IF_NAMESIZE)
            return invalid(
                "--name: \"{}\" has {} characters; give 1 to {}", *request.name,
                request.name->size(), IF_NAMESIZE - 1);
        if (netdevs > 1 && request.name->find("%d") == std::string::npos)
            return invalid(
                "--name must contain `%d`: {} gets {} net devices, for example `--name mac%d`",
                request.model, netdevs);
        config.name_template = request.name;
    }
    MACSTATS_TRY(const auto power_up, value_of(power_up_names, "--power-up", request.power_up));
    config.random_power_up = power_up == MACSTATS_POWER_UP_RANDOM;
    if (request.seed) {
        MACSTATS_TRY(config.seed, parse_number("--seed", *request.seed, UINT64_MAX));
    }
    if (request.line_rate_bound) {
        MACSTATS_TRY(
            config.line_rate_bound, parse_switch("--line-rate-bound", *request.line_rate_bound));
    }
    if (!request.options.empty()) {
        MACSTATS_TRY(config.options, with_options(*model, model->default_options, request.options));
    }
    return config;
}

Result<void> add(const AddRequest& request) {
    MACSTATS_TRY(const auto config, config_from(request));
    MACSTATS_TRY(auto emulator, Emulator::open());
    MACSTATS_TRY(const auto device, emulator.add(config));

    if (request.json)
        print_json(
            {{"id", device.id.value()}, {"model", device.model}, {"ports", ports_json(device)}});
    else
        print(fmt::format("device {}: {}\n", device.id.value(), ports_text(device)));
    return {};
}

Result<DeviceId> device_of(const std::string& name, const std::vector<DeviceInfo>& devices) {
    if (const auto number = parse_number("device", name, UINT32_MAX)) {
        for (const DeviceInfo& device : devices)
            if (device.id.value() == *number)
                return device.id;
        return failure(
            ENODEV,
            "there is no device {} in this network namespace; `macstats emu list` lists them",
            *number);
    }
    MACSTATS_TRY(const auto port, find_port(name));
    for (const DeviceInfo& device : devices)
        if (std::count(device.ports.begin(), device.ports.end(), port.ifindex))
            return device.id;
    return failure(
        ENODEV,
        "{} belongs to a device of another network namespace; delete it in the namespace that "
        "added it",
        name);
}

Result<void> del(const std::vector<std::string>& names) {
    MACSTATS_TRY(auto emulator, Emulator::open());
    MACSTATS_TRY(const auto devices, emulator.devices());

    // Look up all names first, so that a misprint deletes nothing.
    std::vector<DeviceId> ids;
    for (const std::string& name : names) {
        MACSTATS_TRY(const DeviceId id, device_of(name, devices));
        if (!std::count(ids.begin(), ids.end(), id))
            ids.push_back(id);
    }
    for (const DeviceId id : ids)
        MACSTATS_CHECK(in_context(fmt::format("device {}", id.value()), emulator.remove(id)));
    return {};
}

ordered_json options_json(const DeviceInfo& device) {
    ordered_json json = ordered_json::object();
    if (const macstats_model* model = find_model(device.model))
        for (const OptionSetting& option : option_settings(*model, device.options))
            json[std::string(option.name)] = option.word;
    return json;
}

std::string options_text(const DeviceInfo& device) {
    const macstats_model* model = find_model(device.model);
    if (!model)
        return "";
    std::vector<std::string> words;
    for (const OptionSetting& option : option_settings(*model, device.options))
        words.push_back(fmt::format("{}={}", option.name, option.word));
    return fmt::format(" ({})", fmt::join(words, ", "));
}

Result<void> list(bool json) {
    MACSTATS_TRY(auto emulator, Emulator::open());
    MACSTATS_TRY(const auto devices, emulator.devices());

    if (json) {
        ordered_json array = ordered_json::array();
        for (const DeviceInfo& device : devices)
            array.push_back({
                {"id", device.id.value()},
                {"model", device.model},
                {"options", options_json(device)},
                {"line_rate_bound", or_null(device.line_rate_bound)},
                {"held", device.held},
                {"ports", ports_json(device)},
            });
        print_json(array);
        return {};
    }
    if (devices.empty())
        report_none("devices", "`macstats emu add MODEL` adds one");
    for (const DeviceInfo& device : devices) {
        print(fmt::format(
            "device {}: {}, {}{}{}{}\n", device.id.value(), ports_text(device), device.model,
            options_text(device),
            device.line_rate_bound
                ? fmt::format(", line rate bound {}", *device.line_rate_bound ? "on" : "off")
                : "",
            device.held ? ", held" : ""));
    }
    return {};
}

struct Ends {
    std::string a;
    std::string b;
};

Result<void> link(const Ends& ends) {
    return at_port(ends.a, [&ends](Emulator& emulator, const KnownPort& port) -> Result<void> {
        MACSTATS_TRY(const auto peer, find_port(ends.b));
        return emulator.link(port.port, peer.ifindex);
    });
}

Result<void> unlink(const std::string& name) {
    return at_port(
        name, [](Emulator& emulator, const KnownPort& port) { return emulator.unlink(port.port); });
}

struct InjectRequest {
    std::string port;
    FrameOptions frames;
};

Result<void> inject(const InjectRequest& request) {
    MACSTATS_TRY(const auto frame, frame_from(request.frames));
    MACSTATS_TRY(const auto count, parse_number("--count", request.frames.count, 1, most_frames));
    return at_port(request.port, [&frame, &count](Emulator& emulator, const KnownPort& port) {
        return emulator.inject(port.port, frame, count);
    });
}

struct RegisterRequest {
    std::string port;
    std::string name;
    std::string value;
    bool json = false;
};

Result<void> peek(const RegisterRequest& request) {
    return at_port(
        request.port, [&request](Emulator& emulator, const KnownPort& port) -> Result<void> {
            MACSTATS_TRY(const Place place, find_place(*port.model, request.name));
            MACSTATS_TRY(
                const auto value,
                in_context(request.name, emulator.read(port.port, *port.model, place)));
            if (request.json)
                print_json({
                    {"port", request.port},
                    {"register", request.name},
                    {"address", place.address},
                    {"bits", place.bits},
                    {"value", value},
                });
            else
                print(fmt::format("{:#x}\n", value));
            return {};
        });
}

Result<void> poke(const RegisterRequest& request) {
    return at_port(
        request.port, [&request](Emulator& emulator, const KnownPort& port) -> Result<void> {
            MACSTATS_TRY(const Place place, find_place(*port.model, request.name));
            MACSTATS_TRY(
                const auto value,
                parse_number("value", request.value, macstats_bits_mask(place.bits)));
            return in_context(request.name, emulator.write(port.port, *port.model, place, value));
        });
}

Result<void> preset(const RegisterRequest& request) {
    return at_port(
        request.port, [&request](Emulator& emulator, const KnownPort& port) -> Result<void> {
            MACSTATS_TRY(const auto counter, find_counter(*port.model, request.name));
            const auto most = macstats_bits_mask(port.model->counters[counter.value()].bits);
            MACSTATS_TRY(const auto value, parse_number("value", request.value, most));
            return emulator.preset(port.port, counter, value);
        });
}

struct FaultCommand {
    std::string port;
    std::string name;
    bool off = false;
    FaultRequest request;
    std::optional<std::string> word;
    std::optional<std::string> microseconds;
};

Result<FaultRequest> fault_request(const macstats_model& model, const FaultCommand& command) {
    FaultRequest request = command.request;
    const auto fault = value_of(supported_faults(model), "fault", command.name);
    if (!fault) // in words of the model
        return check_fault(model, request).error();
    request.faults = *fault;

    struct Argument {
        std::uint32_t fault;
        std::string_view option;
        const std::optional<std::string>& text;
    };
    for (const Argument& argument :
         {Argument{MACSTATS_FAULT_BUS_ERROR_AT, "--word", command.word},
          Argument{MACSTATS_FAULT_SLOW_BUS, "--microseconds", command.microseconds}}) {
        const bool takes_it = request.faults == argument.fault;
        if (argument.text && !(takes_it && request.active))
            return invalid(
                "{} is accepted only with {}, without --off", argument.option,
                name_of(fault_names, argument.fault));
        if (!argument.text && takes_it && request.active)
            return invalid("{} needs {} N", command.name, argument.option);
        if (!argument.text)
            continue;
        MACSTATS_TRY(const auto number, parse_number(argument.option, *argument.text, UINT32_MAX));
        request.argument = static_cast<std::uint32_t>(number);
    }
    MACSTATS_CHECK(check_fault(model, request));
    return request;
}

Result<void> fault(FaultCommand command) {
    MACSTATS_CHECK(value_of(fault_names, "fault", command.name));
    command.request.active = !command.off;
    return at_port(
        command.port, [&command](Emulator& emulator, const KnownPort& port) -> Result<void> {
            MACSTATS_TRY(const auto request, fault_request(*port.model, command));
            return emulator.fault(port.port, request);
        });
}

void add_add(CLI::App& emu, Action& action) {
    auto* command = emu.add_subcommand("add", "Add an emulated device; print its id and ports");
    auto& request = request_of<AddRequest>(*command, action, add);
    command->add_option("MODEL", request.model, "Model, as `macstats models` lists it")->required();
    add_option(
        *command, "--name TEMPLATE", request.name,
        "Name the ports by TEMPLATE; %d becomes a free number (default mac%d)");
    add_option(
        *command, "--power-up zero|random", request.power_up,
        "Start the hardware counters at 0 or at random values (default zero)");
    add_option(
        *command, "--seed NUMBER", request.seed, "Seed for `--power-up random` (default: random)");
    add_device_option(*command, request.options);
    command->add_flag(
        "--private-only", request.private_only,
        "Leave counters that have a standard statistic out of ethtool -S");
    command->add_flag(
        "--held", request.held,
        "Leave the registers to another driver, as of the bench: the provider reads none");
    add_option(
        *command, "--line-rate-bound on|off", request.line_rate_bound,
        "Reject counts that the line cannot carry since the last poll (default: on, with --held "
        "off)");
    add_option(
        *command, "--netdevs NUMBER", request.netdevs,
        "Let NUMBER net devices share the counters of a port: 1, or 2 for a switch (default 1)");
    add_json_flag(*command, request.json);
    command->footer(fmt::format(
        "\nExamples:\n"
        "  macstats emu add {0}\n"
        "  macstats emu add {0} --name lab%d --power-up random --seed 7\n"
        "  macstats emu add {0} --option statistics=off",
        example().model));
}

void add_delete(CLI::App& emu, Action& action) {
    auto* command = emu.add_subcommand("delete", "Delete emulated devices and all of their ports");
    auto& names = request_of<std::vector<std::string>>(*command, action, del);
    command->add_option("DEVICE", names, "Ids of devices, or names of their ports")->required();
    command->footer("\nExamples:\n"
                    "  macstats emu delete 0\n"
                    "  macstats emu delete mac0 mac1");
}

void add_list(CLI::App& emu, Action& action) {
    auto* command = emu.add_subcommand("list", "List the devices of this network namespace");
    add_json_flag(*command, request_of<bool>(*command, action, list));
}

void add_links(CLI::App& emu, Action& action) {
    auto* link_command = emu.add_subcommand("link", "Connect two ports with a cable");
    auto& [a, b] = request_of<Ends>(*link_command, action, link);
    link_command->add_option("A", a, port_help)->required();
    link_command->add_option("B", b, "Another port")->required();
    link_command->footer("\nExample:\n  macstats emu link mac0 mac1");

    auto* unlink_command = emu.add_subcommand("unlink", "Disconnect the cable of a port");
    auto& port = request_of<std::string>(*unlink_command, action, unlink);
    unlink_command->add_option("PORT", port, port_help)->required();
}

void add_inject(CLI::App& emu, Action& action) {
    auto* command = emu.add_subcommand("inject", "Count synthetic frames; nothing is delivered");
    auto& request = request_of<InjectRequest>(*command, action, inject);
    command->add_option("PORT", request.port, port_help)->required();
    add_frame_options(*command, request.frames, "1 to 2^63-1, at once");
    command->footer(
        "\nExamples:\n"
        "  macstats emu inject mac0 --length 1518 --count 1000\n"
        "  macstats emu inject mac0 --direction rx --kind pause --destination multicast\n"
        "  macstats emu inject mac0 --direction rx --length 40 --errors fcs  (a fragment)");
}

constexpr const char* register_help =
    "Counter or register by its datasheet or ethtool -S name, with _LO or _HI for one word of "
    "it; or an address (0x...)";
constexpr const char* value_help = "Value, decimal or 0x...";

void add_peek_and_poke(CLI::App& emu, Action& action) {
    auto* peek_command =
        emu.add_subcommand("peek", "Read a register on the bus, with its side effects");
    auto& peek_request = request_of<RegisterRequest>(*peek_command, action, peek);
    peek_command->add_option("PORT", peek_request.port, port_help)->required();
    peek_command->add_option("REGISTER", peek_request.name, register_help)->required();
    add_json_flag(*peek_command, peek_request.json);
    peek_command->footer(fmt::format(
        "\nExamples:\n"
        "  macstats emu peek mac0 {}\n"
        "  macstats emu peek mac0 {}    (all words of a counter)\n"
        "  macstats emu peek mac0 {}",
        example().reg, example().counter, example().low));

    auto* poke_command =
        emu.add_subcommand("poke", "Write a register on the bus, with its side effects");
    auto& poke_request = request_of<RegisterRequest>(*poke_command, action, poke);
    poke_command->add_option("PORT", poke_request.port, port_help)->required();
    poke_command->add_option("REGISTER", poke_request.name, register_help)->required();
    poke_command->add_option("VALUE", poke_request.value, value_help)->required();
    poke_command->footer(
        fmt::format("\nExample:\n  macstats emu poke mac0 {} 1518", example().reg));

    auto* preset_command =
        emu.add_subcommand("preset", "Set a hardware counter without changing its total");
    auto& preset_request = request_of<RegisterRequest>(*preset_command, action, preset);
    preset_command->add_option("PORT", preset_request.port, port_help)->required();
    preset_command
        ->add_option("COUNTER", preset_request.name, "Counter by its datasheet or ethtool -S name")
        ->required();
    preset_command->add_option("VALUE", preset_request.value, value_help)->required();
    preset_command->footer(
        fmt::format("\nExample:\n  macstats emu preset mac0 {} 0xffffffff", example().counter));
}

std::string faults_in(unsigned int mask) {
    return fmt::format("{}", fmt::join(names_in(fault_names, mask), ", "));
}

void add_fault(CLI::App& emu, Action& action) {
    auto* command = emu.add_subcommand("fault", "Begin or end a fault of a port's hardware");
    auto& request = request_of<FaultCommand>(*command, action, fault);
    command->add_option("PORT", request.port, port_help)->required();
    command->add_option("NAME", request.name, faults_in(UINT_MAX))->required();
    command->add_flag("--off", request.off, "End the fault");
    command->add_flag(
        "--announced", request.request.announced,
        "With reset: the driver reports it, as for a reset on purpose");
    command->add_flag(
        "--during-read", request.request.during_read,
        fmt::format(
            "Begin when the provider reads a counter, after its check: {}",
            faults_in(MACSTATS_FAULTS_DURING_READ)));
    add_option(
        *command, "--word N", request.word,
        "With bus_error_at: fail reads of word N, from 0 in the order of addresses");
    add_option(
        *command, "--microseconds N", request.microseconds,
        fmt::format(
            "With slow_bus: delay each access by N microseconds, 1 to {}",
            MACSTATS_SLOW_BUS_MAX_USECS));
    command->footer("\nExamples:\n"
                    "  macstats emu fault mac0 snapshot_stuck\n"
                    "  macstats emu fault mac0 snapshot_stuck --off\n"
                    "  macstats emu fault mac0 reset --announced\n"
                    "  macstats emu fault mac0 clock_stopped --during-read\n"
                    "  macstats emu fault mac0 bus_error_at --word 3\n"
                    "  macstats emu fault mac0 slow_bus --microseconds 1000\n\n"
                    "parity_error and reset happen once. `macstats model NAME` lists the faults\n"
                    "that a model supports.");
}

} // namespace

void describe_emu(CLI::App& command, Action& action) {
    command.require_subcommand(1);
    command.footer(
        "\nAll commands except `emu list` require CAP_NET_ADMIN in the first user\nnamespace. "
        "`macstats help emu COMMAND` explains a command.\n\n"
        "A device belongs to the network namespace that added it, and is deleted with it.\n"
        "A port that moved to another namespace is controlled there, and stays linked.");
    add_add(command, action);
    add_delete(command, action);
    add_list(command, action);
    add_links(command, action);
    add_inject(command, action);
    add_peek_and_poke(command, action);
    add_fault(command, action);
}

} // namespace macstats::cli
