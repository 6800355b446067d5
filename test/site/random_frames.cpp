// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Prints random frames on random devices, and what the emulator counts of them: a line of JSON
// each, {"model", "setup", "frame", "counted"}. "counted" is null if the device rejects the frame.
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
#include "present/count.hpp"
#include "support/fixture.hpp"
#include "support/options.hpp"
#include "support/random.hpp"

using namespace macstats;
using nlohmann::ordered_json;

namespace {

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

std::vector<std::string> random_options(test::Random& random, const macstats_model& model) {
    std::vector<std::string> texts;
    for (const DeviceOption& option : options_of(model))
        // Seldom without counters: then the frames count nothing.
        if (option.values.size() > 1 &&
            random.one_in(option.name.find("statistics") == option.name.npos ? 2 : 12))
            texts.push_back(fmt::format("{}={}", option.name, random.of(option.values).word));
    return texts;
}

ordered_json
setup_json(std::span<const std::string> options, std::span<const RegisterValue> registers) {
    ordered_json json = {
        {"options", ordered_json::object()}, {"registers", ordered_json::object()}};
    for (const std::string& text : options) {
        const auto equals = text.find('=');
        json["options"][text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const RegisterValue& value : registers)
        json["registers"][value.name] = value.value;
    return json;
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

void print_one(test::Random& random, const macstats_model& model) {
    const std::vector<std::string> texts = random_options(random, model);
    const std::vector<RegisterValue> registers = random_registers(random, model);
    const std::uint32_t max = std::clamp<std::uint32_t>(longest(model, registers), 8, 32'000);
    test::Frame frame = test::with_descriptors(random, model, test::random_frame(random, max));
    if (frame.direction == MACSTATS_RX && random.one_in(20))
        frame.errors |= MACSTATS_ERR_NO_BUFFER;
    // A MAC that makes pause frames of one form only rejects others.
    if (random.one_in(40))
        frame.length = random.between(1, 200);
    const CountedFrames frames{
        .frame = request_of(frame), .count = random.one_in(4) ? random.between(1, 300) : 1};

    DeviceSetup setup;
    const auto options = with_options(model, model.default_options, texts);
    if (!options)
        throw std::runtime_error(options.error().message);
    setup.options = *options;
    const auto counted = count_frames(model, setup, registers, frames);
    fmt::print(
        "{}\n",
        ordered_json{
            {"model", model.name},
            {"setup", setup_json(texts, registers)},
            {"frame", frames_json(frames)},
            {"counted", counted ? count_json(*counted) : ordered_json()}}
            .dump());
}

} // namespace

int main(int argc, char** argv) try {
    std::uint64_t seed = 1;
    std::uint32_t count = 100;
    test::read_options(argc, argv, {{"seed", test::into(seed)}, {"count", test::into(count)}});
    test::Random random(seed);
    for (const macstats_model* model : all_models())
        for (std::uint32_t i = 0; i < count; i++)
            print_one(random, *model);
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "random_frames: %s\n", error.what());
    return 1;
}
