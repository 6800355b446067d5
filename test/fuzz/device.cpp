// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Random steps on a device of any model: totals and standard statistics never go
// back, and a register value fits into the bits of the register.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>
#include <macstats/emulate/emulator.h>

#include "libmacstats/core/names.hpp"
#include "libmacstats/device/device.hpp"
#include "require.hpp"

using namespace macstats;
using macstats::test::require;

namespace {

// So few that the sum over all steps of an input fits into 64 bits: totals that
// start at 0 again after 2^64 octets would seem to go back.
constexpr unsigned int most_count_bits = 36;
constexpr unsigned int most_steps = 64;

// Bus words of counters and registers, and what lies between and behind them.
std::vector<std::uint32_t> addresses_of(const macstats_model& model) {
    std::vector<std::uint32_t> addresses;
    for (unsigned int i = 0; i < macstats_register_counters(&model); i++) {
        const macstats_counter& counter = model.counters[i];
        for (std::uint32_t address = counter.offset;
             address < macstats_counter_end(&model, &counter); address++)
            addresses.push_back(address);
        addresses.push_back(counter.offset + counter.word_stride);
    }
    for (unsigned int i = 0; i < model.n_registers; i++)
        addresses.push_back(model.registers[i].offset);
    for (unsigned int i = 0; i < model.n_reserved; i++)
        addresses.push_back(model.reserved[i].first);
    addresses.push_back(0xffffffff);
    return addresses;
}

class Life {
public:
    explicit Life(FuzzedDataProvider& data)
        : data_(data),
          model_(
              *all_models()[data.ConsumeIntegralInRange<std::size_t>(0, all_models().size() - 1)]),
          addresses_(addresses_of(model_)),
          device_(model_, setup()),
          seen_(device_.ports()) {}

    void run() {
        for (unsigned int i = 0; i < most_steps && data_.remaining_bytes(); i++) {
            const PortIndex port(
                data_.ConsumeIntegralInRange<std::uint32_t>(0, device_.ports() - 1));
            step(port);
            check(port);
        }
    }

private:
    struct Seen {
        std::vector<std::uint64_t> totals;
        std::vector<StandardValue> standard;
    };

    DeviceSetup setup() {
        DeviceSetup setup;
        const unsigned int options = data_.ConsumeIntegral<std::uint16_t>() & model_.options;
        if (data_.ConsumeBool() && macstats_valid_options(&model_, options))
            setup.options = static_cast<std::uint16_t>(options);
        setup.random_power_up = data_.ConsumeBool();
        setup.seed = data_.ConsumeIntegral<std::uint8_t>();
        return setup;
    }

    macstats_frame frame() {
        macstats_frame frame{};
        frame.direction = data_.PickValueInArray<__u8>({MACSTATS_RX, MACSTATS_TX});
        frame.destination = data_.PickValueInArray<__u8>(
            {MACSTATS_UNICAST, MACSTATS_MULTICAST, MACSTATS_BROADCAST});
        frame.kind = data_.PickValueInArray<__u8>(
            {MACSTATS_DATA, MACSTATS_CONTROL, MACSTATS_PAUSE, MACSTATS_PFC});
        frame.origin = data_.PickValueInArray<__u8>({MACSTATS_BY_SOFTWARE, MACSTATS_BY_MAC});
        frame.vlan_tags = data_.ConsumeIntegralInRange<__u8>(0, 2);
        frame.collisions = data_.ConsumeIntegralInRange<__u8>(0, MACSTATS_ATTEMPT_LIMIT);
        frame.deferred = data_.ConsumeBool();
        frame.errors = static_cast<__u16>(data_.ConsumeIntegral<__u16>() & MACSTATS_ERR_ALL);
        frame.length = data_.ConsumeIntegralInRange<__u32>(1, MACSTATS_FRAME_MAX);
        if (macstats__is_own_pause(&frame)) {
            frame.length = MACSTATS_FRAME_MIN;
            frame.destination = MACSTATS_MULTICAST;
        }
        frame.descriptors = data_.ConsumeIntegralInRange<__u8>(0, MACSTATS_MAX_DESCRIPTORS);
        frame.append_crc = data_.ConsumeIntegralInRange<__u8>(0, MACSTATS_CONTROL_ON);
        frame.huge = data_.ConsumeIntegralInRange<__u8>(0, MACSTATS_CONTROL_ON);
        // The device rejects what its model cannot have.
        if (macstats_check_descriptors(&device_.model(), &frame))
            frame.descriptors = frame.append_crc = frame.huge = 0;
        return frame;
    }

    std::uint32_t address() {
        return addresses_[data_.ConsumeIntegralInRange<std::size_t>(0, addresses_.size() - 1)];
    }

    void step(PortIndex port) {
        switch (data_.ConsumeIntegralInRange(0, 6)) {
        case 0: {
            const auto bits = data_.ConsumeIntegralInRange<unsigned int>(0, most_count_bits);
            require(device_.send(port, frame(), 1ULL << bits).has_value(), "any frame can be sent");
            break;
        }
        case 1:
            read(port, address());
            break;
        case 2: {
            const auto value = data_.ConsumeIntegral<std::uint32_t>();
            static_cast<void>(device_.write(port, address(), value).has_value());
            break;
        }
        case 3: {
            const CounterIndex counter(
                data_.ConsumeIntegralInRange<std::uint32_t>(0, model_.n_counters - 1U));
            static_cast<void>(
                device_.preset(port, counter, data_.ConsumeIntegral<std::uint64_t>()).has_value());
            break;
        }
        case 4: {
            const macstats::FaultRequest request{
                .faults = 1U << data_.ConsumeIntegralInRange(0, 15),
                .active = data_.ConsumeBool(),
                .announced = data_.ConsumeBool(),
                .during_read = data_.ConsumeBool(),
                .argument = data_.ConsumeIntegralInRange<std::uint32_t>(0, 300),
            };
            const bool accepted = device_.fault(port, request).has_value();
            require(
                !accepted || (request.faults & macstats_supported_faults(&model_)),
                "a device accepts only the faults that its model supports");
            require(
                accepted == macstats::check_fault(model_, request).has_value(),
                "a device accepts the faults that were checked");
            break;
        }
        default:
            now_ns_ += data_.ConsumeIntegral<std::uint32_t>();
            static_cast<void>(device_.poll(port, now_ns_).has_value());
        }
    }

    void read(PortIndex port, std::uint32_t address) {
        const auto value = device_.read(port, address);
        unsigned int word = 0;
        const int index = macstats_counter_at(&model_, address, &word);
        if (!value || index < 0)
            return;
        const macstats_counter& counter = model_.counters[index];
        const unsigned int bits = counter.bits - word * model_.bus_bits;
        require(
            *value <= macstats_bits_mask(std::min<unsigned int>(bits, model_.bus_bits)),
            "a register holds no more than its bits");
    }

    void check(PortIndex port) {
        Seen& seen = seen_[port.value()];
        std::vector<std::uint64_t> totals = device_.totals(port);
        require(
            totals.empty() || totals.size() == model_.n_counters,
            "there is a total for each counter");
        for (std::size_t i = 0; i < totals.size() && i < seen.totals.size(); i++)
            require(
                totals[i] >= seen.totals[i],
                std::string("no total goes back: ") + model_.name + " " + model_.counters[i].name);
        seen.totals = std::move(totals);

        std::vector<StandardValue> standard = device_.standard(port);
        for (std::size_t i = 0; i < standard.size() && i < seen.standard.size(); i++)
            require(
                standard[i].id == seen.standard[i].id &&
                    standard[i].value >= seen.standard[i].value,
                "no standard statistic goes back: " +
                    std::string(standard_name(standard[i].id).name));
        seen.standard = std::move(standard);
    }

    FuzzedDataProvider& data_;
    const macstats_model& model_;
    std::vector<std::uint32_t> addresses_;
    Device device_;
    std::vector<Seen> seen_;
    std::uint64_t now_ns_ = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    FuzzedDataProvider data(bytes, size);
    Life(data).run();
    return 0;
}
