// SPDX-License-Identifier: GPL-2.0 OR MIT
// The attributes of the control commands and of their replies.
#include "libmacstats/netlink/emulator.hpp"

#include <macstats/netlink_emu.h>

#include "core/accepted.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "core/words.hpp"
#include "libmacstats/core/try.hpp"
#include "netlink/messages.hpp"

namespace macstats {

namespace {

Message emulator_command(int command) {
    return Message(static_cast<std::uint8_t>(command), MACSTATS_EMU_GENL_VERSION);
}

Message port_command(int which, IfIndex port) {
    Message message = emulator_command(which);
    message.put_u32(MACSTATS_EMU_A_PORT_IFINDEX, port.value());
    return message;
}

// The kernel would see the part in front of a NUL character.
Result<void> check_text(std::string_view what, const std::string& text) {
    if (text.find('\0') == text.npos)
        return {};
    return invalid("{}: {} has a NUL character", what, in_quotes(text));
}

DeviceInfo read_device(Attributes& from) {
    DeviceInfo device{
        .id = DeviceId(from.u32(MACSTATS_EMU_A_DEVICE_ID)),
        .model = from.string(MACSTATS_EMU_A_DEVICE_MODEL),
        .options = static_cast<std::uint16_t>(from.u32(MACSTATS_EMU_A_DEVICE_OPTIONS)),
        .line_rate_bound = std::nullopt,
        .held = from.has(MACSTATS_EMU_A_DEVICE_HELD),
        .ports = {},
    };
    // The kernel reports 0 for a port in another network namespace.
    for (const std::uint32_t port : from.u32s(MACSTATS_EMU_A_DEVICE_PORT))
        device.ports.push_back(port ? std::optional(IfIndex(port)) : std::nullopt);
    if (const auto bound = from.optional_u8(MACSTATS_EMU_A_DEVICE_LINE_RATE_BOUND))
        device.line_rate_bound = *bound != 0;
    return device;
}

} // namespace

Result<Emulator> Emulator::open() {
    MACSTATS_TRY(auto netlink, GenericNetlink::open());
    MACSTATS_TRY(
        const auto family, netlink.family(MACSTATS_EMU_GENL_NAME, MACSTATS_EMU_GENL_VERSION));
    return Emulator(std::move(netlink), family);
}

Emulator::Emulator(GenericNetlink netlink, std::uint16_t family)
    : netlink_(std::move(netlink)),
      family_(family) {}

Result<DeviceInfo> Emulator::add(const DeviceConfig& config) {
    MACSTATS_CHECK(check_text("model", config.model));
    MACSTATS_CHECK(check_text("name", config.name_template.value_or("")));
    Message message = emulator_command(MACSTATS_EMU_CMD_DEVICE_NEW);
    message.put_string(MACSTATS_EMU_A_DEVICE_MODEL, config.model);
    if (config.name_template)
        message.put_string(MACSTATS_EMU_A_DEVICE_NAME, *config.name_template);
    message.put_u32(MACSTATS_EMU_A_DEVICE_OPTIONS, config.options)
        .put_flag(MACSTATS_EMU_A_DEVICE_POWER_UP_RANDOM, config.random_power_up)
        .put_u64(MACSTATS_EMU_A_DEVICE_SEED, config.seed)
        .put_flag(MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY, config.private_only)
        .put_flag(MACSTATS_EMU_A_DEVICE_HELD, config.held)
        .put_flag(MACSTATS_EMU_A_DEVICE_OWNED, config.owned)
        .put_u8(MACSTATS_EMU_A_DEVICE_LINE_RATE_BOUND, config.line_rate_bound)
        .put_u32(MACSTATS_EMU_A_DEVICE_NETDEVS, config.netdevs);

    return decode_one(netlink_.query(family_, std::move(message)), read_device);
}

Result<void> Emulator::remove(DeviceId id) {
    Message message = emulator_command(MACSTATS_EMU_CMD_DEVICE_DEL);
    message.put_u32(MACSTATS_EMU_A_DEVICE_ID, id.value());
    return control(std::move(message));
}

Result<std::vector<DeviceInfo>> Emulator::devices() {
    return decode_all(
        netlink_.dump(family_, emulator_command(MACSTATS_EMU_CMD_DEVICE_GET)), read_device);
}

Result<void> Emulator::link(IfIndex port, IfIndex peer) {
    Message message = port_command(MACSTATS_EMU_CMD_LINK, port);
    message.put_u32(MACSTATS_EMU_A_PORT_PEER, peer.value());
    return control(std::move(message));
}

Result<void> Emulator::unlink(IfIndex port) {
    return control(port_command(MACSTATS_EMU_CMD_UNLINK, port));
}

Result<void> Emulator::inject(IfIndex port, const FrameRequest& frame, std::uint64_t count) {
    Message message = port_command(MACSTATS_EMU_CMD_INJECT, port);
    message.put_nest(MACSTATS_EMU_A_PORT_FRAME, [&frame](Message& nest) {
        nest.put_u32(MACSTATS_EMU_A_FRAME_DIRECTION, frame.direction)
            .put_u32(MACSTATS_EMU_A_FRAME_LENGTH, frame.length)
            .put_u32(MACSTATS_EMU_A_FRAME_KIND, frame.kind)
            .put_u32(MACSTATS_EMU_A_FRAME_ORIGIN, frame.origin)
            .put_u32(MACSTATS_EMU_A_FRAME_VLAN_TAGS, frame.vlan_tags)
            .put_u32(MACSTATS_EMU_A_FRAME_ERRORS, frame.errors)
            .put_u32(MACSTATS_EMU_A_FRAME_COLLISIONS, frame.collisions)
            .put_u32(MACSTATS_EMU_A_FRAME_DESTINATION, frame.destination)
            .put_flag(MACSTATS_EMU_A_FRAME_DEFERRED, frame.deferred)
            .put_u8(MACSTATS_EMU_A_FRAME_APPEND_CRC, frame.append_crc)
            .put_u8(MACSTATS_EMU_A_FRAME_HUGE, frame.huge);
        if (frame.descriptors)
            nest.put_u32(MACSTATS_EMU_A_FRAME_DESCRIPTORS, frame.descriptors);
    });
    message.put_u64(MACSTATS_EMU_A_PORT_COUNT, count);
    return control(std::move(message));
}

Result<std::uint64_t> Emulator::read(IfIndex port, std::uint32_t address) {
    Message message = port_command(MACSTATS_EMU_CMD_REG_READ, port);
    message.put_u32(MACSTATS_EMU_A_PORT_ADDRESS, address);
    return decode_one(netlink_.query(family_, std::move(message)), [](Attributes& from) {
        return from.u64(MACSTATS_EMU_A_PORT_VALUE);
    });
}

Result<void> Emulator::write(IfIndex port, std::uint32_t address, std::uint64_t value) {
    Message message = port_command(MACSTATS_EMU_CMD_REG_WRITE, port);
    message.put_u32(MACSTATS_EMU_A_PORT_ADDRESS, address);
    message.put_u64(MACSTATS_EMU_A_PORT_VALUE, value);
    return control(std::move(message));
}

Result<std::uint64_t>
Emulator::read(IfIndex port, const macstats_model& model, const Place& place) {
    return read_words(
        model, place, [this, port](std::uint32_t address) { return read(port, address); });
}

Result<void> Emulator::write(
    IfIndex port, const macstats_model& model, const Place& place, std::uint64_t value) {
    return write_words(model, place, value, [this, port](std::uint32_t address, auto word) {
        return write(port, address, word);
    });
}

Result<void> Emulator::preset(IfIndex port, CounterIndex counter, std::uint64_t value) {
    Message message = port_command(MACSTATS_EMU_CMD_PRESET, port);
    message.put_u32(MACSTATS_EMU_A_PORT_COUNTER, counter.value());
    message.put_u64(MACSTATS_EMU_A_PORT_VALUE, value);
    return control(std::move(message));
}

Result<void> Emulator::fault(IfIndex port, const FaultRequest& request) {
    Message message = port_command(MACSTATS_EMU_CMD_FAULT, port);
    message.put_u32(MACSTATS_EMU_A_PORT_FAULT, request.faults);
    message.put_u8(MACSTATS_EMU_A_PORT_ACTIVE, request.active);
    if (request.active && !fault_argument_name(request.faults).empty())
        message.put_u32(MACSTATS_EMU_A_PORT_ARGUMENT, request.argument);
    message.put_flag(MACSTATS_EMU_A_PORT_ANNOUNCED, request.announced)
        .put_flag(MACSTATS_EMU_A_PORT_DURING_READ, request.during_read);
    return control(std::move(message));
}

Result<void> Emulator::poll(IfIndex port) {
    return control(port_command(MACSTATS_EMU_CMD_POLL, port));
}

Result<void> Emulator::advance(IfIndex port, std::uint64_t nanoseconds) {
    Message message = port_command(MACSTATS_EMU_CMD_ADVANCE, port);
    message.put_u64(MACSTATS_EMU_A_PORT_NSECS, nanoseconds);
    return control(std::move(message));
}

Result<void> Emulator::control(Message message) {
    MACSTATS_CHECK(netlink_.request(family_, std::move(message)));
    return {};
}

} // namespace macstats
