// SPDX-License-Identifier: GPL-2.0 OR MIT
// The control commands, attribute by attribute.
#include "libmacstats/emulator.hpp"

#include <macstats/netlink.h>

#include "words.hpp"

namespace macstats {

namespace {

Message command(int command) {
    return Message(static_cast<std::uint8_t>(command), MACSTATS_EMU_GENL_VERSION);
}

Message port_command(int which, std::uint32_t port) {
    Message message = command(which);
    message.put_u32(MACSTATS_EMU_A_PORT_IFINDEX, port);
    return message;
}

Result<DeviceInfo> read_device(const Reply& reply) {
    auto from = Attributes::parse(reply.payload);
    if (!from)
        return from.error();
    DeviceInfo device{
        .id = from->u32(MACSTATS_EMU_A_DEVICE_ID),
        .model = from->string(MACSTATS_EMU_A_DEVICE_MODEL),
        .options = static_cast<std::uint8_t>(from->u32(MACSTATS_EMU_A_DEVICE_OPTIONS)),
        .ports = from->u32s(MACSTATS_EMU_A_DEVICE_PORT),
    };
    if (from->error())
        return *from->error();
    return device;
}

} // namespace

Result<Emulator> Emulator::open() {
    auto netlink = GenericNetlink::open();
    if (!netlink)
        return netlink.error();
    const auto family = netlink->family(MACSTATS_EMU_GENL_NAME);
    if (!family)
        return family.error();
    return Emulator(std::move(*netlink), *family);
}

Emulator::Emulator(GenericNetlink netlink, std::uint16_t family)
    : netlink_(std::move(netlink)),
      family_(family) {}

Result<DeviceInfo> Emulator::add(const DeviceConfig& config) {
    Message message = command(MACSTATS_EMU_CMD_DEVICE_NEW);
    message.put_string(MACSTATS_EMU_A_DEVICE_MODEL, config.model);
    if (config.name_template)
        message.put_string(MACSTATS_EMU_A_DEVICE_NAME, *config.name_template);
    if (config.options)
        message.put_u32(MACSTATS_EMU_A_DEVICE_OPTIONS, *config.options);
    if (config.random_power_up)
        message.put_flag(MACSTATS_EMU_A_DEVICE_POWER_UP_RANDOM);
    if (config.seed)
        message.put_u64(MACSTATS_EMU_A_DEVICE_SEED, *config.seed);
    if (config.private_only)
        message.put_flag(MACSTATS_EMU_A_DEVICE_PRIVATE_ONLY);
    if (config.held)
        message.put_flag(MACSTATS_EMU_A_DEVICE_HELD);
    if (config.owned)
        message.put_flag(MACSTATS_EMU_A_DEVICE_OWNED);

    const auto reply = netlink_.query(family_, std::move(message));
    return reply ? read_device(*reply) : reply.error();
}

Result<void> Emulator::remove(std::uint32_t id) {
    Message message = command(MACSTATS_EMU_CMD_DEVICE_DEL);
    message.put_u32(MACSTATS_EMU_A_DEVICE_ID, id);
    return control(std::move(message));
}

Result<std::vector<DeviceInfo>> Emulator::devices() {
    const auto replies = netlink_.dump(family_, command(MACSTATS_EMU_CMD_DEVICE_GET));
    if (!replies)
        return replies.error();
    std::vector<DeviceInfo> devices;
    for (const Reply& reply : *replies) {
        auto device = read_device(reply);
        if (!device)
            return device.error();
        devices.push_back(std::move(*device));
    }
    return devices;
}

Result<void> Emulator::link(std::uint32_t port, std::uint32_t peer) {
    Message message = port_command(MACSTATS_EMU_CMD_LINK, port);
    message.put_u32(MACSTATS_EMU_A_PORT_PEER, peer);
    return control(std::move(message));
}

Result<void> Emulator::unlink(std::uint32_t port) {
    return control(port_command(MACSTATS_EMU_CMD_UNLINK, port));
}

Result<void> Emulator::inject(std::uint32_t port, const FrameRequest& frame, std::uint64_t count) {
    Message message = port_command(MACSTATS_EMU_CMD_INJECT, port);
    message.put_nest(MACSTATS_EMU_A_PORT_FRAME, [&frame](Message& nest) {
        nest.put_u32(MACSTATS_EMU_A_FRAME_DIRECTION, frame.direction)
            .put_u32(MACSTATS_EMU_A_FRAME_LENGTH, frame.length)
            .put_u32(MACSTATS_EMU_A_FRAME_DESTINATION, frame.destination)
            .put_u32(MACSTATS_EMU_A_FRAME_KIND, frame.kind)
            .put_u32(MACSTATS_EMU_A_FRAME_ORIGIN, frame.origin)
            .put_u32(MACSTATS_EMU_A_FRAME_VLAN_TAGS, frame.vlan_tags)
            .put_u32(MACSTATS_EMU_A_FRAME_ERRORS, frame.errors)
            .put_u32(MACSTATS_EMU_A_FRAME_COLLISIONS, frame.collisions);
        if (frame.deferred)
            nest.put_flag(MACSTATS_EMU_A_FRAME_DEFERRED);
    });
    message.put_u64(MACSTATS_EMU_A_PORT_COUNT, count);
    return control(std::move(message));
}

Result<std::uint64_t> Emulator::read(std::uint32_t port, std::uint32_t address) {
    Message message = port_command(MACSTATS_EMU_CMD_REG_READ, port);
    message.put_u32(MACSTATS_EMU_A_PORT_ADDRESS, address);
    const auto reply = netlink_.query(family_, std::move(message));
    if (!reply)
        return reply.error();
    auto attributes = Attributes::parse(reply->payload);
    if (!attributes)
        return attributes.error();
    const std::uint64_t value = attributes->u64(MACSTATS_EMU_A_PORT_VALUE);
    if (attributes->error())
        return *attributes->error();
    return value;
}

Result<void> Emulator::write(std::uint32_t port, std::uint32_t address, std::uint64_t value) {
    Message message = port_command(MACSTATS_EMU_CMD_REG_WRITE, port);
    message.put_u32(MACSTATS_EMU_A_PORT_ADDRESS, address);
    message.put_u64(MACSTATS_EMU_A_PORT_VALUE, value);
    return control(std::move(message));
}

Result<std::uint64_t>
Emulator::read(std::uint32_t port, const macstats_model& model, const Place& place) {
    return read_words(
        model, place, [this, port](std::uint32_t address) { return read(port, address); });
}

Result<void> Emulator::write(
    std::uint32_t port, const macstats_model& model, const Place& place, std::uint64_t value) {
    return write_words(model, place, value, [this, port](std::uint32_t address, auto word) {
        return write(port, address, word);
    });
}

Result<void> Emulator::preset(std::uint32_t port, std::uint32_t counter, std::uint64_t value) {
    Message message = port_command(MACSTATS_EMU_CMD_PRESET, port);
    message.put_u32(MACSTATS_EMU_A_PORT_COUNTER, counter);
    message.put_u64(MACSTATS_EMU_A_PORT_VALUE, value);
    return control(std::move(message));
}

Result<void> Emulator::fault(std::uint32_t port, std::uint32_t faults, bool active) {
    Message message = port_command(MACSTATS_EMU_CMD_FAULT, port);
    message.put_u32(MACSTATS_EMU_A_PORT_FAULT, faults);
    message.put_u8(MACSTATS_EMU_A_PORT_ACTIVE, active);
    return control(std::move(message));
}

Result<void> Emulator::poll(std::uint32_t port) {
    return control(port_command(MACSTATS_EMU_CMD_POLL, port));
}

Result<void> Emulator::advance(std::uint32_t port, std::uint64_t nanoseconds) {
    Message message = port_command(MACSTATS_EMU_CMD_ADVANCE, port);
    message.put_u64(MACSTATS_EMU_A_PORT_NSECS, nanoseconds);
    return control(std::move(message));
}

Result<void> Emulator::control(Message message) {
    const auto replies = netlink_.request(family_, std::move(message));
    if (!replies)
        return replies.error();
    return {};
}

} // namespace macstats
