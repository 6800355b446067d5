// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommands of `macstats emu`, which change emulated devices.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <net/if.h>

#include "cli.hpp"
#include "libmacstats/client.hpp"
#include "libmacstats/emulator.hpp"
#include "libmacstats/names.hpp"

namespace macstats::cli {

namespace {

using nlohmann::ordered_json;

// "" for a port that is not in this network namespace.
std::string port_name(std::uint32_t ifindex) {
    char name[IF_NAMESIZE] = "";
    return ifindex && if_indextoname(ifindex, name) ? name : "";
}

Result<PortInfo> find_port(const std::string& name) {
    auto client = Client::open();
    if (!client)
        return client.error();
    return client->port(name);
}

// A port of a model that this command knows, too.
struct KnownPort {
    std::uint32_t ifindex;
    const macstats_model* model;
};

Result<KnownPort> find_known_port(const std::string& name) {
    const auto port = find_port(name);
    if (!port)
        return port.error();
    const auto model = model_called(port->model);
    if (!model)
        return in_context(name, model.error());
    return KnownPort{port->ifindex, *model};
}

// What a request needs, in the order in which it is found out: is the emulator
// there, then the port.
template <typename Do>
Result<void> at_port(const std::string& name, Do what) {
    auto emulator = Emulator::open();
    if (!emulator)
        return emulator.error();
    const auto port = find_known_port(name);
    if (!port)
        return port.error();
    auto result = what(*emulator, *port);
    if (!result)
        return in_context(name, result.error());
    return {};
}

ordered_json ports_json(const DeviceInfo& device) {
    ordered_json ports = ordered_json::array();
    for (const std::uint32_t ifindex : device.ports) {
        const std::string name = port_name(ifindex);
        ports.push_back({
            {"name", name.empty() ? ordered_json() : ordered_json(name)},
            {"ifindex", ifindex ? ordered_json(ifindex) : ordered_json()},
        });
    }
    return ports;
}

std::string ports_text(const DeviceInfo& device) {
    std::vector<std::string> names;
    for (const std::uint32_t ifindex : device.ports) {
        const std::string name = port_name(ifindex);
        names.push_back(name.empty() ? "(elsewhere)" : name);
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
    bool json = false;
};

Result<DeviceConfig> config_from(const AddRequest& request) {
    const auto model = model_called(request.model);
    if (!model)
        return model.error();
    DeviceConfig config;
    config.model = request.model;
    config.private_only = request.private_only;

    if (request.name) {
        if (request.name->empty() || request.name->size() >= IF_NAMESIZE)
            return Error{
                EINVAL, fmt::format(
                            "--name: \"{}\" has {} characters, not 1 to {}", *request.name,
                            request.name->size(), IF_NAMESIZE - 1)};
        config.name_template = request.name;
    }
    const auto power_up = value_of(power_up_names(), "--power-up", request.power_up);
    if (!power_up)
        return power_up.error();
    config.random_power_up = *power_up == MACSTATS_POWER_UP_RANDOM;
    if (request.seed) {
        const auto seed = parse_number("--seed", *request.seed, UINT64_MAX);
        if (!seed)
            return seed.error();
        config.seed = *seed;
    }
    if (!request.options.empty()) {
        std::uint8_t options = (*model)->default_options;
        for (const std::string& change : request.options) {
            const auto changed = with_option(**model, options, change);
            if (!changed)
                return changed.error();
            options = *changed;
        }
        config.options = options;
    }
    return config;
}

Result<void> add(const AddRequest& request) {
    const auto config = config_from(request);
    if (!config)
        return config.error();
    auto emulator = Emulator::open();
    if (!emulator)
        return emulator.error();
    const auto device = emulator->add(*config);
    if (!device)
        return device.error();

    if (request.json)
        print_json({{"id", device->id}, {"model", device->model}, {"ports", ports_json(*device)}});
    else
        print(fmt::format("device {}: {}\n", device->id, ports_text(*device)));
    return {};
}

Result<std::uint32_t> device_of(const std::string& name, const std::vector<DeviceInfo>& devices) {
    if (const auto number = parse_number("device", name, UINT32_MAX))
        return static_cast<std::uint32_t>(*number);
    const auto port = find_port(name);
    if (!port)
        return port.error();
    for (const DeviceInfo& device : devices)
        if (std::count(device.ports.begin(), device.ports.end(), port->ifindex))
            return device.id;
    return Error{ENODEV, fmt::format("{} is no port of an emulated device", name)};
}

Result<void> del(const std::vector<std::string>& names) {
    auto emulator = Emulator::open();
    if (!emulator)
        return emulator.error();
    const auto devices = emulator->devices();
    if (!devices)
        return devices.error();

    // All names first, so that a misprint deletes nothing.
    std::vector<std::uint32_t> ids;
    for (const std::string& name : names) {
        const auto id = device_of(name, *devices);
        if (!id)
            return id.error();
        if (!std::count(ids.begin(), ids.end(), *id))
            ids.push_back(*id);
    }
    for (const std::uint32_t id : ids) {
        auto removed = emulator->remove(id);
        if (!removed)
            return in_context(fmt::format("device {}", id), removed.error());
    }
    return {};
}

ordered_json options_json(const DeviceInfo& device) {
    ordered_json json = ordered_json::object();
    if (const macstats_model* model = find_model(device.model))
        for (const OptionName& option : option_names())
            if (model->options & option.bit)
                json[std::string(option.name)] =
                    device.options & option.bit ? option.on : option.off;
    return json;
}

Result<void> list(bool json) {
    auto emulator = Emulator::open();
    if (!emulator)
        return emulator.error();
    const auto devices = emulator->devices();
    if (!devices)
        return devices.error();

    if (json) {
        ordered_json array = ordered_json::array();
        for (const DeviceInfo& device : *devices)
            array.push_back({
                {"id", device.id},
                {"model", device.model},
                {"options", options_json(device)},
                {"ports", ports_json(device)},
            });
        print_json(array);
        return {};
    }
    for (const DeviceInfo& device : *devices) {
        const macstats_model* model = find_model(device.model);
        print(fmt::format(
            "device {}: {}, {}{}\n", device.id, ports_text(device), device.model,
            model ? fmt::format(" ({})", fmt::join(option_words(*model, device.options), ", "))
                  : ""));
    }
    return {};
}

Result<void> link(const std::string& a, const std::string& b) {
    return at_port(a, [&b](Emulator& emulator, const KnownPort& port) -> Result<void> {
        const auto peer = find_port(b);
        if (!peer)
            return peer.error();
        return emulator.link(port.ifindex, peer->ifindex);
    });
}

Result<void> unlink(const std::string& name) {
    return at_port(name, [](Emulator& emulator, const KnownPort& port) {
        return emulator.unlink(port.ifindex);
    });
}

struct InjectRequest {
    std::string port;
    std::string direction = "rx";
    std::string length = "64";
    std::string destination = "unicast";
    std::string kind = "data";
    std::string origin = "software";
    std::string vlan_tags = "0";
    std::vector<std::string> errors;
    std::string collisions = "0";
    bool deferred = false;
    std::string count = "1";
};

Result<FrameRequest> frame_from(const InjectRequest& request) {
    FrameRequest frame;
    frame.deferred = request.deferred;

    struct Word {
        std::string_view option;
        std::span<const Name> names;
        const std::string& word;
        std::uint32_t& value;
    };
    for (const Word& it :
         {Word{"--direction", direction_names(), request.direction, frame.direction},
          Word{"--destination", destination_names(), request.destination, frame.destination},
          Word{"--kind", kind_names(), request.kind, frame.kind},
          Word{"--origin", origin_names(), request.origin, frame.origin}}) {
        const auto value = value_of(it.names, it.option, it.word);
        if (!value)
            return value.error();
        it.value = *value;
    }

    struct Number {
        std::string_view option;
        const std::string& text;
        std::uint32_t& value;
    };
    // What is too much is for the kernel to say.
    for (const Number& it :
         {Number{"--length", request.length, frame.length},
          Number{"--vlan-tags", request.vlan_tags, frame.vlan_tags},
          Number{"--collisions", request.collisions, frame.collisions}}) {
        const auto value = parse_number(it.option, it.text, UINT32_MAX);
        if (!value)
            return value.error();
        it.value = static_cast<std::uint32_t>(*value);
    }

    for (const std::string& word : request.errors) {
        const auto value = value_of(error_names(), "--errors", word);
        if (!value)
            return value.error();
        frame.errors |= *value;
    }
    return frame;
}

Result<void> inject(const InjectRequest& request) {
    const auto frame = frame_from(request);
    if (!frame)
        return frame.error();
    const auto count = parse_number("--count", request.count, UINT64_MAX);
    if (!count)
        return count.error();
    return at_port(request.port, [&frame, &count](Emulator& emulator, const KnownPort& port) {
        return emulator.inject(port.ifindex, *frame, *count);
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
            const auto place = find_place(*port.model, request.name);
            if (!place)
                return place.error();
            const auto value = emulator.read(port.ifindex, *port.model, *place);
            if (!value)
                return in_context(request.name, value.error());
            if (request.json)
                print_json({
                    {"port", request.port},
                    {"register", request.name},
                    {"address", place->address},
                    {"bits", place->bits},
                    {"value", *value},
                });
            else
                print(fmt::format("{:#x}\n", *value));
            return {};
        });
}

Result<void> poke(const RegisterRequest& request) {
    return at_port(
        request.port, [&request](Emulator& emulator, const KnownPort& port) -> Result<void> {
            const auto place = find_place(*port.model, request.name);
            if (!place)
                return place.error();
            const auto value =
                parse_number("value", request.value, macstats_bits_mask(place->bits));
            if (!value)
                return value.error();
            auto written = emulator.write(port.ifindex, *port.model, *place, *value);
            if (!written)
                return in_context(request.name, written.error());
            return {};
        });
}

Result<void> preset(const RegisterRequest& request) {
    return at_port(
        request.port, [&request](Emulator& emulator, const KnownPort& port) -> Result<void> {
            const auto counter = find_counter(*port.model, request.name);
            if (!counter)
                return counter.error();
            const auto most = macstats_bits_mask(port.model->counters[*counter].bits);
            const auto value = parse_number("value", request.value, most);
            if (!value)
                return value.error();
            return emulator.preset(port.ifindex, *counter, *value);
        });
}

Result<void>
fault(const std::string& port_called, const std::string& name, const std::string& state) {
    constexpr Name states[] = {{"on", 1}, {"off", 0}};
    const auto mask = value_of(fault_names(), "fault", name);
    if (!mask)
        return mask.error();
    const auto active = value_of(states, "state", state);
    if (!active)
        return active.error();
    return at_port(
        port_called,
        [&mask, &active, &name](Emulator& emulator, const KnownPort& port) -> Result<void> {
            if (!(port.model->faults & *mask))
                return Error{
                    EINVAL, fmt::format(
                                "{} cannot suffer {}, only {}", port.model->name, name,
                                fmt::join(names_in(fault_names(), port.model->faults), ", "))};
            return emulator.fault(port.ifindex, *mask, *active);
        });
}

std::string one_of(std::span<const Name> names) {
    std::vector<std::string_view> words;
    for (const Name& name : names)
        words.push_back(name.name);
    return fmt::format("{}", fmt::join(words, "|"));
}

void add_add(CLI::App& emu, Action& action) {
    auto* command =
        emu.add_subcommand("add", "Plug in an emulated device; prints its id and ports");
    auto request = std::make_shared<AddRequest>();
    command->add_option("MODEL", request->model, "One of `macstats models`")->required();
    command->add_option("--name", request->name, "Template for the names of the ports (mac%d)");
    command->add_option(
        "--power-up", request->power_up, "What the counters start with: zero|random (zero)");
    command->add_option("--seed", request->seed, "Of the randomness");
    command
        ->add_option(
            "--option", request->options,
            "NAME=VALUE, as `macstats model NAME` lists them: statistics=on|off, duplex=full|half, "
            "vlan_detection=on|off, medium=copper|fiber, variant=on|off; repeatable")
        ->allow_extra_args(false);
    command->add_flag(
        "--private-only", request->private_only,
        "Let ethtool -S leave out what has a standard statistic of its own");
    add_json_flag(*command, request->json);
    command->callback([&action, request] { action = [request] { return add(*request); }; });
    command->footer(fmt::format(
        "\nExamples:\n"
        "  macstats emu add {0}\n"
        "  macstats emu add {0} --name lab%d --power-up random --seed 7 --option statistics=off",
        example().model));
}

void add_del(CLI::App& emu, Action& action) {
    auto* command = emu.add_subcommand("del", "Unplug emulated devices, with all of their ports");
    auto names = std::make_shared<std::vector<std::string>>();
    command->add_option("DEVICE", *names, "Ids of devices, or names of ports of theirs")
        ->required();
    command->callback([&action, names] { action = [names] { return del(*names); }; });
}

void add_list(CLI::App& emu, Action& action) {
    auto* command = emu.add_subcommand("list", "List the emulated devices");
    auto json = std::make_shared<bool>(false);
    add_json_flag(*command, *json);
    command->callback([&action, json] { action = [json] { return list(*json); }; });
}

void add_links(CLI::App& emu, Action& action) {
    auto* link_command = emu.add_subcommand("link", "Connect two ports with a cable");
    auto a = std::make_shared<std::string>();
    auto b = std::make_shared<std::string>();
    link_command->add_option("A", *a, "A port")->required();
    link_command->add_option("B", *b, "Another port")->required();
    link_command->callback([&action, a, b] { action = [a, b] { return link(*a, *b); }; });

    auto* unlink_command = emu.add_subcommand("unlink", "Take the cable away from a port");
    unlink_command->add_option("PORT", *a, "A port")->required();
    unlink_command->callback([&action, a] { action = [a] { return unlink(*a); }; });
}

void add_inject(CLI::App& emu, Action& action) {
    auto* command = emu.add_subcommand(
        "inject", "Let frames of any class cross the wire, for the counters only");
    auto request = std::make_shared<InjectRequest>();
    command->add_option("PORT", request->port, "A port")->required();
    command->add_option("--direction", request->direction, one_of(direction_names()) + " (rx)");
    command->add_option(
        "--length", request->length, "Octets from destination address to FCS, 1 to 65535 (64)");
    command->add_option(
        "--destination", request->destination, one_of(destination_names()) + " (unicast)");
    command->add_option("--kind", request->kind, one_of(kind_names()) + " (data)");
    command->add_option(
        "--origin", request->origin,
        "Who made a pause frame: " + one_of(origin_names()) + " (software)");
    command->add_option("--vlan-tags", request->vlan_tags, "0 to 2 (0)");
    command
        ->add_option(
            "--errors", request->errors, "Any of, separated by commas: " + one_of(error_names()))
        ->delimiter(',')
        ->allow_extra_args(false);
    command->add_option("--collisions", request->collisions, "0 to 16 (0)");
    command->add_flag("--deferred", request->deferred, "The medium was busy at the first attempt");
    command->add_option("--count", request->count, "How many, 1 to 2^63-1, at once (1)");
    command->callback([&action, request] { action = [request] { return inject(*request); }; });
    command->footer(
        "\nExamples:\n"
        "  macstats emu inject mac0 --length 1518 --count 1000\n"
        "  macstats emu inject mac0 --direction tx --kind pause --destination multicast\n"
        "  macstats emu inject mac0 --length 40 --errors fcs    (a fragment)");
}

constexpr const char* register_help =
    "A counter or register by its datasheet or ethtool -S name, with _LO or _HI for one word of "
    "it, or an address (0x...)";

void add_peek_and_poke(CLI::App& emu, Action& action) {
    auto request = std::make_shared<RegisterRequest>();

    auto* peek_command =
        emu.add_subcommand("peek", "Read a register on the bus, with its side effects");
    peek_command->add_option("PORT", request->port, "A port")->required();
    peek_command->add_option("REGISTER", request->name, register_help)->required();
    add_json_flag(*peek_command, request->json);
    peek_command->callback([&action, request] { action = [request] { return peek(*request); }; });
    peek_command->footer(fmt::format(
        "\nExamples:\n"
        "  macstats emu peek mac0 {}\n"
        "  macstats emu peek mac0 {}    (all words of a counter)\n"
        "  macstats emu peek mac0 {}",
        example().reg, example().counter, example().low));

    auto* poke_command =
        emu.add_subcommand("poke", "Write a register on the bus, with its side effects");
    poke_command->add_option("PORT", request->port, "A port")->required();
    poke_command->add_option("REGISTER", request->name, register_help)->required();
    poke_command->add_option("VALUE", request->value, "Decimal, or 0x...")->required();
    poke_command->callback([&action, request] { action = [request] { return poke(*request); }; });
    poke_command->footer(
        fmt::format("\nExample:\n  macstats emu poke mac0 {} 0x55", example().reg));

    auto* preset_command = emu.add_subcommand(
        "preset", "Let a counter hold a value, as if that had been counted long ago");
    preset_command->add_option("PORT", request->port, "A port")->required();
    preset_command->add_option("COUNTER", request->name, "By its datasheet or ethtool -S name")
        ->required();
    preset_command->add_option("VALUE", request->value, "Decimal, or 0x...")->required();
    preset_command->callback(
        [&action, request] { action = [request] { return preset(*request); }; });
    preset_command->footer(
        fmt::format("\nExample:\n  macstats emu preset mac0 {} 0xffffffff", example().counter));
}

void add_fault(CLI::App& emu, Action& action) {
    auto* command = emu.add_subcommand("fault", "Let a port's hardware fail, or recover");
    auto port = std::make_shared<std::string>();
    auto name = std::make_shared<std::string>();
    auto state = std::make_shared<std::string>("on");
    command->add_option("PORT", *port, "A port")->required();
    command->add_option("NAME", *name, one_of(fault_names()))->required();
    command->add_option("STATE", *state, "on|off (on)");
    command->callback([&action, port, name, state] {
        action = [port, name, state] { return fault(*port, *name, *state); };
    });
    command->footer("\nExamples:\n"
                    "  macstats emu fault mac0 snapshot_stuck\n"
                    "  macstats emu fault mac0 snapshot_stuck off");
}

} // namespace

void add_emu_commands(CLI::App& app, Action& action) {
    auto* emu = app.add_subcommand("emu", "Make emulated devices and do things to them");
    emu->require_subcommand(1);
    emu->footer(
        "\nThese need CAP_NET_ADMIN, except `emu list`. See `macstats emu COMMAND --help`.");
    add_add(*emu, action);
    add_del(*emu, action);
    add_list(*emu, action);
    add_links(*emu, action);
    add_inject(*emu, action);
    add_peek_and_poke(*emu, action);
    add_fault(*emu, action);
}

} // namespace macstats::cli
