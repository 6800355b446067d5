// SPDX-License-Identifier: GPL-2.0 OR MIT
// The in-process device: a bus between the accumulator and the emulator.
#include "libmacstats/device/device.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <macstats/emulate/emulator.h>
#include <macstats/poll.h>
#include <macstats/standard.h>

#include "core/accepted.hpp"
#include "core/error.hpp"
#include "core/model.hpp"
#include "core/words.hpp"
#include "device/standard_totals.hpp"
#include "libmacstats/core/frame.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats {

namespace {

// An Error from an errno value that a function of the schema returns.
Error hardware_error(int error, std::string_view what) {
    return {-error, fmt::format("{}: {}", what, errno_text(-error))};
}

Error out_of_range(std::string_view what, std::uint64_t least, std::uint64_t most) {
    return {ERANGE, fmt::format("{} is not in {} to {}", what, least, most)};
}

bool is_one_of(unsigned int value, unsigned int all) {
    return value && !(value & (value - 1)) && !(value & ~all);
}

// Whether the device can have a frame with such descriptors.
Result<void> check_descriptors(const macstats_model& model, const macstats_frame& frame) {
    if (frame.descriptors > MACSTATS_MAX_DESCRIPTORS)
        return out_of_range("descriptors", 1, MACSTATS_MAX_DESCRIPTORS);
    if (frame.append_crc > MACSTATS_CONTROL_ON || frame.huge > MACSTATS_CONTROL_ON)
        return invalid("the frame has an unknown control of a descriptor");
    const std::string_view given = frame.append_crc ? "append_crc"
                                   : frame.huge     ? "huge"
                                                    : "descriptors";
    switch (macstats_check_descriptors(&model, &frame)) {
    case 0:
        return {};
    case -EINVAL:
        return invalid("{}: only transmitted frames of software have it", given);
    default:
        return failure(EOPNOTSUPP, "{}: {} has no descriptors with a status", given, model.name);
    }
}

Result<void> check(const macstats_frame& frame) {
    if (!is_one_of(frame.direction, MACSTATS_RX | MACSTATS_TX) ||
        !is_one_of(frame.destination, MACSTATS_UNICAST | MACSTATS_MULTICAST | MACSTATS_BROADCAST) ||
        !is_one_of(frame.kind, MACSTATS_ANY_KIND) ||
        !is_one_of(frame.origin, MACSTATS_ANY_ORIGIN) || (frame.errors & ~MACSTATS_ERR_ALL))
        return invalid("the frame has an unknown direction, destination, kind, origin or error");
    if (frame.length < 1 || frame.length > MACSTATS_FRAME_MAX)
        return out_of_range("length", 1, MACSTATS_FRAME_MAX);
    if (frame.vlan_tags > 2)
        return out_of_range("vlan_tags", 0, 2);
    if (frame.collisions > MACSTATS_ATTEMPT_LIMIT)
        return out_of_range("collisions", 0, MACSTATS_ATTEMPT_LIMIT);
    return {};
}

} // namespace

// The state of a port. It keeps its address: its members point at each other.
struct Device::Port {
    macstats_emulator emulator{};
    macstats_cpu_cells cpu_cells{};
    macstats_cpu_cells* cell_list[1] = {&cpu_cells};
    macstats_cell_set cell_set{cell_list, 1};
    macstats_accumulator accumulator{};
    macstats_standard standard{};
    __u64 summed[MACSTATS_MAX_COUNTERS] = {};           // the totals of standard
    std::uint64_t software[MACSTATS_MAX_COUNTERS] = {}; // since the last poll
    std::uint64_t now_ns = 0;                           // the latest time that was given

    // Addresses on the bus of a port start at its base.
    static int bus_read(void* context, std::uint32_t address, __u64* value) {
        unsigned int done = 0;
        return bus_read_block(context, address, value, 1, false, &done);
    }

    static int bus_read64(void* context, std::uint32_t address, __u64* value) {
        auto* port = static_cast<Port*>(context);
        return macstats_emulator_read64(&port->emulator, &port->cell_set, address, value);
    }

    static int bus_read_block(
        void* context, std::uint32_t address, __u64* values, unsigned int words, bool /*changes*/,
        unsigned int* done) {
        auto* port = static_cast<Port*>(context);
        return macstats_emulator_read_block(
            &port->emulator, &port->cell_set, address, values, words, done);
    }

    static int
    bus_update(void* context, std::uint32_t address, std::uint32_t mask, std::uint32_t value) {
        auto* port = static_cast<Port*>(context);
        return macstats_emulator_update(&port->emulator, &port->cell_set, address, mask, value);
    }

    static __u64 line_octets(void* context) {
        auto* port = static_cast<Port*>(context);
        return macstats_line_octets(&port->emulator, &port->cell_set);
    }

    static bool lowered(void* context, unsigned int index) {
        return macstats_emulator_lowered(&static_cast<Port*>(context)->emulator, index);
    }

    // Emulated hardware needs no time.
    static bool bus_wait(void*) { return true; }

    static bool clocks_run(void* context) {
        auto* port = static_cast<Port*>(context);
        return !(port->emulator.faults & MACSTATS_FAULT_CLOCK_STOPPED);
    }

    // The driver's counts from the descriptors of packets: @add(counter, increment).
    template <typename Add>
    void each_described(const macstats_frame& frame, std::uint64_t count, Add add) const {
        const macstats_model& model = *emulator.model;
        const unsigned int first = macstats_register_counters(&model);
        if (macstats_has_tx_status(&model, &frame)) {
            const macstats_packet packet = macstats_tx_packet(&emulator, &frame);
            const std::uint32_t status = macstats_packet_status(&model, &packet);
            for (unsigned int i = first; i < model.n_counters; i++)
                add(i, macstats_transmitted_increment(&model, i, &packet, status, count));
        }
        std::uint32_t status = 0;
        if (!macstats_rx_status(&emulator, &frame, &status))
            return;
        for (unsigned int at = 0; at < macstats_descriptors(&frame); at++) {
            const std::uint32_t word = macstats_rx_descriptor(&model, &frame, status, at);
            for (unsigned int i = first; i < model.n_counters; i++)
                add(i, macstats_received_increment(&model, i, word, count));
        }
    }

    // Calls @add(counter, rule) for each rule of a register that counts the frame.
    template <typename Add>
    void each_rule(const macstats_frame& frame, Add add) const {
        const macstats_model& model = *emulator.model;
        const macstats_seen seen = macstats_see(&emulator, &frame);
        if (!macstats_is_counted(&seen))
            return;
        for (unsigned int i = 0; i < model.n_counters; i++) {
            const macstats_counter& counter = model.counters[i];
            if (!macstats_builds_counter(&model, emulator.options, &counter) ||
                !macstats_counts(&counter, seen.frame_class))
                continue;
            for (unsigned int w = 0; const macstats_when& when : rules_in(counter.when)) {
                if (macstats_when_matches(&when, seen.frame_class))
                    add(i, w);
                w++;
            }
        }
    }

    void take_software() {
        const macstats_model& model = *emulator.model;
        for (unsigned int i = macstats_register_counters(&model); i < model.n_counters; i++)
            macstats_take_software(
                &accumulator, i,
                macstats_total_add(accumulator.counters[i].total, std::exchange(software[i], 0)));
    }

    void switch_on(const macstats_model& model, const DeviceSetup& setup, std::uint64_t seed) {
        macstats_emulator_power_up(
            &emulator, &model, &cell_set, setup.options.value_or(model.default_options),
            setup.random_power_up, seed);
        accumulator.model = &model;
        accumulator.without_counters = !(emulator.options & macstats_statistics_options(&model));
        accumulator.left_out = macstats_other_revisions(&model, emulator.options);
        accumulator.line_rate_bound = setup.line_rate_bound;
        accumulator.line_rate_bps = macstats_line_rate_bps(&model, emulator.options);
        accumulator.bus = {
            .context = this,
            .read = bus_read,
            // As in the emulated device of a kernel for this machine.
            .read64 = sizeof(long) == sizeof(__u64) ? bus_read64 : nullptr,
            .update = bus_update,
            .wait = bus_wait,
            .clocks_run = clocks_run,
            .line_octets = line_octets,
            .now_ns = nullptr,
            .read_block = bus_read_block,
            .lowered = lowered,
            .line_rate = nullptr,
        };
        const int error = macstats_start(&accumulator, 0);
        if (error == -ENODEV)
            throw std::logic_error("the emulator does not match its model");
        update_standard();
    }

    Result<void> move_to(std::uint64_t time_ns) {
        if (time_ns < now_ns)
            return failure(
                ERANGE, "the time {} ns is before {} ns, the last one that was given", time_ns,
                now_ns);
        now_ns = time_ns;
        return {};
    }

    // Called after the accumulator has read the hardware.
    void publish() {
        take_software();
        update_standard();
    }

    [[nodiscard]] bool is_suspended() const { return emulator.faults & MACSTATS_FAULT_SUSPEND; }

    // The driver turns the power off or on; a repeated request changes nothing.
    void set_power(const macstats_fault_request& request) {
        unsigned int events = 0;
        if (request.active == is_suspended())
            return;
        if (request.active)
            (void)macstats_suspend(&accumulator, now_ns, &events);
        macstats_emulator_fault(&emulator, &cell_set, &request);
        if (!request.active)
            (void)macstats_resume(&accumulator, now_ns, &events);
        publish();
    }

    void reset(const macstats_fault_request& request, bool announced) {
        unsigned int events = 0;
        macstats_emulator_fault(&emulator, &cell_set, &request);
        if (!announced)
            return;
        (void)macstats_reset(&accumulator, now_ns, &events);
        publish();
    }

    void update_standard() {
        macstats_standard_update(&standard, &accumulator, summed);
        for (unsigned int i = 0; i < emulator.model->n_counters; i++)
            summed[i] = accumulator.counters[i].total;
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

Result<void> Device::send(PortIndex port, const macstats_frame& frame, std::uint64_t count) {
    MACSTATS_CHECK(check_frame(port, frame));
    Port& target = at(port);
    if (count < 1 || count > most_frames)
        return out_of_range("count", 1, most_frames);
    // A port without power transmits and receives nothing.
    if (target.is_suspended())
        return {};
    macstats_emulator_count(&target.emulator, &target.cell_set, &target.cpu_cells, &frame, count);
    target.each_described(frame, count, [&target](unsigned int i, std::uint64_t increment) {
        target.software[i] = macstats_total_add(target.software[i], increment);
    });
    return {};
}

std::vector<CounterRule> Device::matching_rules(PortIndex port, const macstats_frame& frame) const {
    std::vector<CounterRule> rules;
    if (!check_frame(port, frame) || at(port).is_suspended())
        return rules;
    at(port).each_rule(frame, [&rules](unsigned int counter, unsigned int rule) {
        rules.push_back({CounterIndex(counter), rule});
    });
    at(port).each_described(frame, 1, [&rules](unsigned int counter, std::uint64_t increment) {
        if (increment)
            rules.push_back({CounterIndex(counter), 0});
    });
    return rules;
}

Result<std::uint64_t> Device::read(PortIndex port, std::uint32_t address) {
    MACSTATS_CHECK(check_port(*model_, port));
    Port& target = at(port);
    __u64 value = 0;
    const int error = macstats_foreign_read(&target.emulator, &target.cell_set, address, &value);
    if (error)
        return hardware_error(error, fmt::format("cannot read {:#x}", address));
    return std::uint64_t{value};
}

Result<void> Device::write(PortIndex port, std::uint32_t address, std::uint64_t value) {
    MACSTATS_CHECK(check_port(*model_, port));
    Port& target = at(port);
    if (value > macstats_bus_mask(model_))
        return out_of_range("value", 0, macstats_bus_mask(model_));
    const int error = macstats_foreign_write(&target.emulator, &target.cell_set, address, value);
    if (error)
        return hardware_error(error, fmt::format("cannot write {:#x}", address));
    return {};
}

Result<std::uint64_t> Device::read(PortIndex port, const Place& place) {
    return read_words(
        *model_, place, [this, port](std::uint32_t address) { return read(port, address); });
}

Result<void> Device::write(PortIndex port, const Place& place, std::uint64_t value) {
    return write_words(*model_, place, value, [this, port](std::uint32_t address, auto word) {
        return write(port, address, word);
    });
}

Result<void> Device::preset(PortIndex port, CounterIndex counter, std::uint64_t value) {
    MACSTATS_CHECK(check_port(*model_, port));
    Port& target = at(port);
    const std::uint32_t index = counter.value();
    if (index >= model_->n_counters)
        return out_of_range("counter", 0, model_->n_counters - 1);
    const std::uint64_t most = macstats_bits_mask(model_->counters[index].bits);
    if (value > most)
        return out_of_range("value", 0, most);
    if (target.accumulator.state.absent)
        return Error{EOPNOTSUPP, "the device is built without the counters"};
    if (macstats_lacks_counter(&target.accumulator, index))
        return failure(EOPNOTSUPP, "the device is built without {}", model_->counters[index].name);
    if (macstats_is_software_counter(&model_->counters[index]))
        return Error{EOPNOTSUPP, "no register holds that counter"};
    const std::uint64_t held =
        macstats_emulator_preset(&target.emulator, &target.cell_set, index, value);
    macstats_preset(&target.accumulator, index, held, value);
    target.update_standard();
    return {};
}

Result<void>
Device::fault(PortIndex port, const FaultRequest& request, std::optional<std::uint64_t> now_ns) {
    MACSTATS_CHECK(check_port(*model_, port));
    Port& target = at(port);
    MACSTATS_CHECK(check_fault(*model_, request));
    MACSTATS_CHECK(target.move_to(now_ns.value_or(target.now_ns)));
    const macstats_fault_request wanted{
        .faults = request.faults,
        .active = request.active,
        .during_read = request.during_read,
        .argument = request.active ? request.argument : 0,
    };
    if (macstats_fault_check(model_, &wanted))
        throw std::logic_error("the emulator rejects a fault that the library accepts");
    if (request.faults == MACSTATS_FAULT_SUSPEND)
        target.set_power(wanted);
    else if (request.faults == MACSTATS_FAULT_RESET)
        target.reset(wanted, request.announced);
    else
        macstats_emulator_fault(&target.emulator, &target.cell_set, &wanted);
    return {};
}

Result<unsigned int> Device::poll(PortIndex port, std::uint64_t now_ns) {
    MACSTATS_CHECK(check_port(*model_, port));
    Port& target = at(port);
    unsigned int events = 0;
    MACSTATS_CHECK(target.move_to(now_ns));
    const int error = macstats_poll(&target.accumulator, now_ns, &events);
    target.publish();
    if (error)
        return hardware_error(error, target.accumulator.state.reason);
    return events;
}

std::vector<std::uint64_t> Device::totals(PortIndex port) const {
    if (at(port).accumulator.state.absent)
        return {};
    std::vector<std::uint64_t> totals;
    for (unsigned int i = 0; i < model_->n_counters; i++)
        totals.push_back(at(port).accumulator.counters[i].total);
    for (const CounterIndex counter : absent(port))
        totals[counter.value()] = UINT64_MAX;
    return totals;
}

std::vector<CounterIndex> Device::absent(PortIndex port) const {
    const macstats_accumulator& accumulator = at(port).accumulator;
    std::vector<CounterIndex> counters;
    for (std::uint32_t i = 0; i < model_->n_counters && !accumulator.state.absent; i++)
        if (macstats_lacks_counter(&accumulator, i))
            counters.emplace_back(i);
    return counters;
}

std::vector<StandardValue> Device::standard(PortIndex port) const {
    return standard_totals(at(port).standard, at(port).accumulator);
}

const macstats_accumulator& Device::accumulator(PortIndex port) const {
    return at(port).accumulator;
}

Result<void> Device::check_frame(PortIndex port, const macstats_frame& frame) const {
    MACSTATS_CHECK(check_port(*model_, port));
    MACSTATS_CHECK(check(frame));
    MACSTATS_CHECK(check_own_pause(frame, *model_));
    return check_descriptors(*model_, frame);
}

Device::Port& Device::at(PortIndex port) const {
    return *ports_.at(port.value());
}

} // namespace macstats
