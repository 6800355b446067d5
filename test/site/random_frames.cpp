// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Prints what happens to random devices of each model, for the MACs of the site to repeat: a line
// of JSON each.
//
// Frames alike on a new device: {"model", "options", "complete", "writes": [[address, value]],
// "frame", "send", "counted"}: "complete" hardware has all counters, "send" has the numbers of the
// frame, and "counted" is null if the device rejects it.
//
// --devices N: accesses to a device that keeps its state, {"model", "options", "seed", "steps"},
// see Steps. Values of 64 bits are strings.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "libmacstats/core/names.hpp"
#include "libmacstats/device/standard.hpp"
#include "present/count.hpp"
#include "support/fixture.hpp"
#include "support/options.hpp"
#include "support/random.hpp"

using namespace macstats;
using nlohmann::ordered_json;

namespace {

constexpr PortIndex only_port{0};

// Registers with bits that rules of frames are about, and these bits.
std::vector<macstats_bit> bits_of_rules(const macstats_model& model) {
    const macstats_roles roles = macstats_find_roles(&model);
    std::vector<macstats_bit> bits{
        roles.max_frame_rx,     roles.max_frame_tx, roles.any_length_tx,   roles.flow_control,
        roles.max_frame_switch, roles.retry_limit,  roles.max_frame_enable};
    bits.insert(bits.end(), std::begin(roles.setting), std::end(roles.setting));
    const macstats_descriptor& descriptor = *macstats_descriptor_of(&model);
    for (const macstats_status& field : std::span(descriptor.tx_status, descriptor.n_tx_status))
        bits.push_back(field.copy);
    std::vector<macstats_bit> merged;
    for (const macstats_bit& bit : bits) {
        const auto same =
            std::find_if(merged.begin(), merged.end(), [&bit](const macstats_bit& known) {
                return known.offset == bit.offset;
            });
        if (!bit.mask)
            continue;
        if (same == merged.end())
            merged.push_back(bit);
        else
            same->mask |= bit.mask;
    }
    return merged;
}

std::vector<RegisterValue> random_registers(test::Random& random, const macstats_model& model) {
    std::vector<RegisterValue> values;
    for (const macstats_bit& bit : bits_of_rules(model)) {
        const macstats_register& reg = model.registers[macstats_register_at(&model, bit.offset)];
        if (reg.access == MACSTATS_RO || random.one_in(2))
            continue;
        // Half of them near the lengths of frames.
        const std::uint64_t any = random.one_in(2) ? random.below(1ULL << 32) : random.below(2100);
        const std::uint64_t chosen = any << macstats_bit_shift(bit.mask) & bit.mask;
        values.push_back({reg.name, (reg.reset & ~bit.mask) | chosen});
    }
    return values;
}

DeviceSetup random_setup(test::Random& random, const macstats_model& model) {
    std::vector<std::string> texts;
    for (const DeviceOption& option : options_of(model))
        // Seldom without counters: then the frames count nothing.
        if (option.values.size() > 1 &&
            random.one_in(option.name.find("statistics") == option.name.npos ? 2 : 12))
            texts.push_back(fmt::format("{}={}", option.name, random.of(option.values).word));
    const auto options = with_options(model, model.default_options, texts);
    if (!options)
        throw std::runtime_error(options.error().message);
    DeviceSetup setup;
    setup.options = *options;
    return setup;
}

// The longest frame that the device takes for one of normal length.
std::uint32_t longest(const macstats_model& model, std::span<const RegisterValue> registers) {
    const macstats_bit bit = macstats_find_role(&model, MACSTATS_ROLE_MAX_FRAME_RX);
    const int index = bit.mask ? macstats_register_at(&model, bit.offset) : -1;
    if (index < 0)
        return macstats__default_max_frame(&model) % MACSTATS_FRAME_MAX;
    std::uint64_t value = model.registers[index].reset;
    for (const RegisterValue& each : registers)
        if (each.name == model.registers[index].name)
            value = each.value;
    return static_cast<std::uint32_t>((value & bit.mask) >> macstats_bit_shift(bit.mask));
}

test::Frame random_frame(
    test::Random& random, const macstats_model& model, std::span<const RegisterValue> registers) {
    const std::uint32_t max = std::clamp<std::uint32_t>(longest(model, registers), 8, 32'000);
    test::Frame frame = test::with_descriptors(random, model, test::random_frame(random, max));
    if (frame.direction == MACSTATS_RX && random.one_in(20))
        frame.errors |= MACSTATS_ERR_NO_BUFFER;
    // A MAC that makes pause frames of one form only rejects others.
    if (random.one_in(frame.origin == MACSTATS_BY_MAC ? 4 : 40))
        frame.length = random.between(1, 200);
    return frame;
}

// The arguments of mac_send(), but the number of frames.
ordered_json numbers_of(const macstats_frame& frame) {
    return {frame.direction, frame.destination, frame.kind,       frame.origin,
            frame.vlan_tags, frame.length,      frame.errors,     frame.collisions,
            frame.deferred,  frame.descriptors, frame.append_crc, frame.huge};
}

void print_frames(test::Random& random, const macstats_model& model) {
    const DeviceSetup setup = random_setup(random, model);
    const std::vector<RegisterValue> registers = random_registers(random, model);
    const test::Frame frame = random_frame(random, model, registers);
    const CountedFrames frames{
        .frame = request_of(frame), .count = random.one_in(4) ? random.between(1, 300) : 1};
    ordered_json writes = ordered_json::array();
    for (const RegisterValue& each : registers)
        writes.push_back({find_place(model, each.name)->address, each.value});
    const unsigned int lacks = macstats_statistics_options(&model) & ~unsigned{*setup.options};
    const auto counted = count_frames(model, setup, registers, frames);
    fmt::print(
        "{}\n",
        ordered_json{
            {"model", model.name},
            {"options", *setup.options},
            {"complete", lacks == 0},
            {"writes", std::move(writes)},
            {"frame", frames_json(frames)},
            {"send", numbers_of(frame)},
            {"counted", counted ? count_json(*counted) : ordered_json()}}
            .dump());
}

// Random steps on a device, each with what it returns; null stands for an error:
//
//	["send", frame, count, 0]
//	["write", address, value, 0]
//	["read", address, value]
//	["poll", microseconds, 0, why it failed or may have lost counts, {total of each counter},
//	 {standard statistic}]
class Steps {
public:
    Steps(test::Random& random, const macstats_model& model, const DeviceSetup& setup)
        : random_(random),
          model_(model),
          device_(model, setup) {
        for (const auto& counter : std::span(model.counters, macstats_register_counters(&model)))
            if (!macstats__is_windowed(&model, &counter))
                for (unsigned int i = 0; i < macstats_words(&model, &counter); i++)
                    addresses_.push_back(macstats_word_offset(&model, &counter, i));
        for (const auto& range : std::span(model.reserved, model.n_reserved))
            addresses_.push_back(range.first);
        for (const auto& reg : std::span(model.registers, model.n_registers))
            registers_.push_back(reg.offset);
    }

    ordered_json make(unsigned int count) {
        ordered_json steps = ordered_json::array();
        for (unsigned int i = 0; i < count; i++)
            steps.push_back(step());
        steps.push_back(poll());
        return steps;
    }

private:
    ordered_json step() {
        switch (random_.below(8)) {
        case 0:
        case 1:
        case 2:
            return send();
        case 3:
        case 4:
            return read();
        case 5:
        case 6:
            return write();
        default:
            return poll();
        }
    }

    ordered_json send() {
        macstats_frame frame = random_frame(random_, model_, {});
        if (random_.one_in(10))
            spoil(frame);
        const std::uint64_t count = random_.one_in(3) ? random_.below(100'000) : 1;
        const auto sent = device_.send(only_port, frame, count);
        return {"send", numbers_of(frame), count, result_of(sent)};
    }

    // A member that no frame can have.
    void spoil(macstats_frame& frame) {
        const auto any = static_cast<std::uint8_t>(random_.below(256));
        __u8* const members[] = {&frame.direction,  &frame.destination, &frame.kind,
                                 &frame.origin,     &frame.vlan_tags,   &frame.collisions,
                                 &frame.append_crc, &frame.huge,        &frame.descriptors};
        if (random_.one_in(3))
            frame.length = random_.one_in(2) ? 0 : MACSTATS_FRAME_MAX + random_.below(1000);
        else if (random_.one_in(3))
            frame.errors = static_cast<std::uint16_t>(random_.below(65'536));
        else
            *random_.of(members) = any;
    }

    std::uint32_t address() {
        if (random_.one_in(20))
            return random_.below(1ULL << 32);
        return random_.one_in(2) && !addresses_.empty() ? random_.of(addresses_)
                                                        : random_.of(registers_);
    }

    ordered_json read() {
        const std::uint32_t at = address();
        const auto value = device_.read(only_port, at);
        return {"read", at, value ? ordered_json(std::to_string(*value)) : ordered_json()};
    }

    ordered_json write() {
        const std::uint32_t at = address();
        std::uint64_t value = random_.one_in(3) ? random_.next() : 1ULL << random_.below(32);
        if (!random_.one_in(20))
            value &= macstats_bus_mask(&model_);
        return {"write", at, std::to_string(value), result_of(device_.write(only_port, at, value))};
    }

    ordered_json poll() {
        const std::uint64_t usecs = random_.one_in(20) ? random_.below(1ULL << 32) : 50'000;
        now_ns_ += usecs * 1000;
        const auto polled = device_.poll(only_port, now_ns_);
        const std::vector<std::uint64_t> totals = device_.totals(only_port);
        const std::vector<CounterIndex> absent = device_.absent(only_port);
        ordered_json counters = ordered_json::object();
        for (std::uint32_t i = 0; i < totals.size(); i++)
            if (!is_absent(absent, CounterIndex(i)))
                counters[model_.counters[i].name] = std::to_string(totals[i]);
        ordered_json standard = ordered_json::object();
        for (const StandardValue& each :
             standard_values(device_.standard(only_port), buckets_of(model_), totals, absent))
            standard[fmt::format("{}/{}", each.group(), each.name())] = std::to_string(each.value);
        const macstats_accumulator& accumulator = device_.accumulator(only_port);
        const bool has_lost = polled && (*polled & MACSTATS_EVENT_POSSIBLE_LOSS);
        return {
            "poll",
            usecs,
            result_of(polled),
            has_lost ? accumulator.state.loss : accumulator.state.reason,
            std::move(counters),
            std::move(standard)};
    }

    template <typename T>
    static ordered_json result_of(const Result<T>& result) {
        return result ? ordered_json(0) : ordered_json();
    }

    test::Random& random_;
    const macstats_model& model_;
    Device device_;
    std::vector<std::uint32_t> addresses_; // of counters and of reserved words
    std::vector<std::uint32_t> registers_;
    std::uint64_t now_ns_ = 0;
};

void print_steps(test::Random& random, const macstats_model& model) {
    constexpr unsigned int steps_of_a_device = 60;
    DeviceSetup setup = random_setup(random, model);
    setup.line_rate_bound = true;
    setup.random_power_up = random.one_in(2);
    setup.seed = setup.random_power_up ? random.next() : 0;
    fmt::print(
        "{}\n",
        ordered_json{
            {"model", model.name},
            {"options", *setup.options},
            {"seed", std::to_string(setup.seed)},
            {"steps", Steps(random, model, setup).make(steps_of_a_device)}}
            .dump());
}

} // namespace

int main(int argc, char** argv) try {
    std::uint64_t seed = 1;
    std::uint32_t count = 100;
    std::uint32_t devices = 0;
    test::read_options(
        argc, argv,
        {{"seed", test::into(seed)},
         {"count", test::into(count)},
         {"devices", test::into(devices)}});
    test::Random random(seed);
    for (const macstats_model* model : all_models())
        for (std::uint32_t i = 0; i < count; i++)
            print_frames(random, *model);
    for (const macstats_model* model : all_models())
        for (std::uint32_t i = 0; i < devices; i++)
            print_steps(random, *model);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "random_frames: %s\n", error.what());
    return 1;
}
