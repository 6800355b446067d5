// SPDX-License-Identifier: GPL-2.0 OR MIT
// The in-process device: a bus that leads from the accumulator to the emulator.
#include "libmacstats/device.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <macstats/emulator.h>

#include "libmacstats/netlink.hpp"
#include "words.hpp"

namespace macstats {

namespace {

constexpr std::uint64_t most_frames = (1ULL << 63) - 1;

// Bus errors and the like, by the errno that the schema's functions return.
Error hardware_error(int error, std::string_view what) {
    return {-error, fmt::format("{}: {}", what, errno_text(-error))};
}

Error out_of_range(std::string_view what, std::uint64_t least, std::uint64_t most) {
    return {ERANGE, fmt::format("{} is not in {} to {}", what, least, most)};
}

bool is_one_of(unsigned int value, unsigned int all) {
    return value && !(value & (value - 1)) && !(value & ~all);
}

Result<void> check(const macstats_frame& frame) {
    if (!is_one_of(frame.direction, MACSTATS_RX | MACSTATS_TX) ||
        !is_one_of(frame.destination, MACSTATS_UNICAST | MACSTATS_MULTICAST | MACSTATS_BROADCAST) ||
        !is_one_of(frame.kind, MACSTATS_ANY_KIND) ||
        !is_one_of(frame.origin, MACSTATS_BY_SOFTWARE | MACSTATS_BY_MAC) ||
        (frame.errors & ~MACSTATS_ERR_ALL))
        return Error{EINVAL, "a frame of no known class"};
    if (frame.length < 1 || frame.length > MACSTATS_FRAME_MAX)
        return out_of_range("length", 1, MACSTATS_FRAME_MAX);
    if (frame.vlan_tags > 2)
        return out_of_range("vlan_tags", 0, 2);
    if (frame.collisions > MACSTATS_ATTEMPT_LIMIT)
        return out_of_range("collisions", 0, MACSTATS_ATTEMPT_LIMIT);
    return {};
}

} // namespace

// Everything of a port; it stays where it is, as its parts point at each other.
struct Device::Port {
    macstats_emulator emulator{};
    macstats_lane lane{};
    macstats_lane* lane_list[1] = {&lane};
    macstats_lanes lanes{lane_list, 1};
    macstats_accumulator accumulator{};
    macstats_standard standard{};
    std::uint64_t described[MACSTATS_MAX_COUNTERS] = {}; // since the last poll

    // The bus of a port starts at its base.
    static int bus_read(void* context, std::uint32_t address, __u64* values, unsigned int words) {
        auto* port = static_cast<Port*>(context);
        const std::uint32_t step = macstats_word_step(port->emulator.model);
        for (unsigned int i = 0; i < words; i++) {
            const int error = macstats_emulator_read(
                &port->emulator, &port->lanes, address + i * step, &values[i]);
            if (error)
                return error;
        }
        return 0;
    }

    static int bus_write(void* context, std::uint32_t address, __u64 value) {
        auto* port = static_cast<Port*>(context);
        return macstats_emulator_write(&port->emulator, &port->lanes, address, value);
    }

    // Emulated hardware gets no further by waiting.
    static void bus_wait(void*) {}

    static bool clocks_run(void* context) {
        auto* port = static_cast<Port*>(context);
        return !(port->emulator.faults & MACSTATS_FAULT_CLOCK_STOPPED);
    }

    // What the driver does with the status in a transmit descriptor.
    void take_status(const macstats_frame& frame, std::uint64_t count) {
        const macstats_model& model = *emulator.model;
        if (!macstats_has_tx_status(&model, &frame))
            return;
        const std::uint32_t status = macstats_tx_status(&emulator, &frame);
        for (unsigned int i = macstats_register_counters(&model); i < model.n_counters; i++)
            described[i] += macstats_described(&model, i, status, count);
    }

    void take_described() {
        const macstats_model& model = *emulator.model;
        for (unsigned int i = macstats_register_counters(&model); i < model.n_counters; i++)
            accumulator.totals[i] += std::exchange(described[i], 0);
    }

    void switch_on(const macstats_model& model, const DeviceSetup& setup, std::uint64_t seed) {
        macstats_emulator_power_up(
            &emulator, &model, &lanes, setup.options.value_or(model.default_options),
            setup.random_power_up, seed);
        accumulator.model = &model;
        accumulator.without_counters = !(emulator.options & MACSTATS_OPT_STATISTICS);
        accumulator.bus = {this, bus_read, bus_write, bus_wait, clocks_run};
        const int error = macstats_start(&accumulator, 0);
        if (error == -ENODEV)
            throw std::logic_error("the emulator is not what its model says");
        update_standard();
    }

    void update_standard() {
        if (!accumulator.absent)
            macstats_standard_update(&standard, accumulator.model, accumulator.totals);
    }
};

Device::Device(const macstats_model& model, const DeviceSetup& setup) : model_(&model) {
    for (unsigned int i = 0; i < model.ports; i++) {
        auto port = std::make_unique<Port>();
        port->switch_on(model, setup, setup.seed + i);
        ports_.push_back(std::move(port));
    }
}

Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::~Device() = default;

unsigned int Device::ports() const {
    return static_cast<unsigned int>(ports_.size());
}

Result<void> Device::send(unsigned int port, const macstats_frame& frame, std::uint64_t count) {
    Port& target = at(port);
    auto valid = check(frame);
    if (!valid)
        return valid;
    if (count < 1 || count > most_frames)
        return out_of_range("count", 1, most_frames);
    if (!macstats_count_common(&target.emulator, &target.lane, &frame, count))
        macstats_count_rare(&target.emulator, &target.lanes, &frame, count);
    target.take_status(frame, count);
    return {};
}

Result<std::uint64_t> Device::read(unsigned int port, std::uint32_t address) {
    Port& target = at(port);
    __u64 value = 0;
    const int error = macstats_emulator_read(&target.emulator, &target.lanes, address, &value);
    if (error)
        return hardware_error(error, fmt::format("cannot read {:#x}", address));
    return std::uint64_t{value};
}

Result<void> Device::write(unsigned int port, std::uint32_t address, std::uint64_t value) {
    Port& target = at(port);
    if (value > macstats_bus_mask(model_))
        return out_of_range("value", 0, macstats_bus_mask(model_));
    const int error = macstats_emulator_write(&target.emulator, &target.lanes, address, value);
    if (error)
        return hardware_error(error, fmt::format("cannot write {:#x}", address));
    return {};
}

Result<std::uint64_t> Device::read(unsigned int port, const Place& place) {
    return read_words(
        *model_, place, [this, port](std::uint32_t address) { return read(port, address); });
}

Result<void> Device::write(unsigned int port, const Place& place, std::uint64_t value) {
    return write_words(*model_, place, value, [this, port](std::uint32_t address, auto word) {
        return write(port, address, word);
    });
}

Result<void> Device::preset(unsigned int port, unsigned int counter, std::uint64_t value) {
    Port& target = at(port);
    if (counter >= model_->n_counters)
        throw std::out_of_range("no such counter");
    const std::uint64_t most = macstats_bits_mask(model_->counters[counter].bits);
    if (value > most)
        return out_of_range("value", 0, most);
    if (target.accumulator.absent)
        return Error{EOPNOTSUPP, "the device is built without the counters"};
    if (macstats_is_described(&model_->counters[counter]))
        return Error{EOPNOTSUPP, "no register holds that counter"};
    const std::uint64_t held =
        macstats_emulator_preset(&target.emulator, &target.lanes, counter, value);
    macstats_preset(&target.accumulator, counter, held, value);
    target.update_standard();
    return {};
}

Result<void> Device::fault(unsigned int port, std::uint32_t faults, bool active) {
    Port& target = at(port);
    if (faults & ~std::uint32_t{model_->faults})
        return Error{EINVAL, fmt::format("a fault that {} does not know", model_->name)};
    macstats_emulator_fault(&target.emulator, static_cast<__u8>(faults), active);
    return {};
}

Result<unsigned int> Device::poll(unsigned int port, std::uint64_t now_ns) {
    Port& target = at(port);
    unsigned int events = 0;
    const int error = macstats_poll(&target.accumulator, now_ns, &events);
    target.take_described();
    target.update_standard();
    if (error)
        return hardware_error(error, target.accumulator.reason);
    return events;
}

std::vector<std::uint64_t> Device::totals(unsigned int port) const {
    const macstats_accumulator& accumulator = at(port).accumulator;
    if (accumulator.absent)
        return {};
    return {accumulator.totals, accumulator.totals + model_->n_counters};
}

const macstats_standard& Device::standard(unsigned int port) const {
    return at(port).standard;
}

const macstats_accumulator& Device::accumulator(unsigned int port) const {
    return at(port).accumulator;
}

std::uint32_t Device::max_frame(unsigned int port) const {
    return at(port).emulator.max_frame_rx;
}

Device::Port& Device::at(unsigned int port) const {
    return *ports_.at(port);
}

} // namespace macstats
