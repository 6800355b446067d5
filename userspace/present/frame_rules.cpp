// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/frame_rules.hpp"

#include <array>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "libmacstats/core/names.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

// Classes that only rows name: scenarios and the command describe frames by numbers instead.
constexpr auto tags = std::to_array<Name>({
    {"untagged", MACSTATS_UNTAGGED},
    {"tagged", MACSTATS_TAGGED},
    {"double_tagged", MACSTATS_DOUBLE_TAGGED},
});

constexpr auto excesses = std::to_array<Name>({
    {"within_max", MACSTATS_WITHIN_MAX},
    {"over_max", MACSTATS_OVER_MAX},
    {"very_long", MACSTATS_VERY_LONG},
});

constexpr auto collision_classes = std::to_array<Name>({
    {"none", MACSTATS_NO_COLLISION},
    {"one", MACSTATS_ONE_COLLISION},
    {"several", MACSTATS_SEVERAL_COLLISIONS},
    {"attempt_limit", MACSTATS_SIXTEEN_COLLISIONS},
});

std::vector<std::string_view> origins_in(unsigned int mask) {
    std::vector<std::string_view> words = names_in(origin_names(), mask);
    if (mask & MACSTATS_FORCED_COLLISION)
        words.emplace_back("forced_collision");
    return words;
}

std::vector<unsigned int> bits_of(unsigned int mask) {
    std::vector<unsigned int> bits;
    for (unsigned int i = 0; mask >> i; i++)
        if (mask >> i & 1)
            bits.push_back(i);
    return bits;
}

// The conditions of enum macstats_option: values of options, and set bits of registers.
ordered_json conditions_json(const macstats_model& model, unsigned int mask) {
    ordered_json json = ordered_json::array();
    for (const DeviceOption& option : options_of(model))
        for (const OptionValue& value : option.values)
            if (value.bits & mask)
                json.push_back({{"option", option.name}, {"value", value.word}});
    for (unsigned int i = 0; i < MACSTATS_MAX_SETTINGS; i++)
        if (mask & static_cast<unsigned int>(MACSTATS_OPT_SETTING) << i)
            json.push_back(bit_json(model, model.setting[i]));
    return json;
}

ordered_json alternative_json(const macstats_model& model, const macstats_when& when) {
    ordered_json json = {{"direction", names_in(direction_names(), when.direction)}};
    const auto add = [&json](const char* name, unsigned int mask, auto words) {
        if (mask)
            json[name] = std::move(words);
    };
    add("destination", when.destination, names_in(destination_names(), when.destination));
    add("kind", when.kind, names_in(kind_names(), when.kind));
    add("origin", when.origin, origins_in(when.origin));
    add("tags", when.tags, names_in(tags, when.tags));
    add("excess", when.excess, names_in(excesses, when.excess));
    add("collisions", when.collisions, names_in(collision_classes, when.collisions));
    add("deferred", when.deferred, true);
    add("sizes", when.size, bits_of(when.size));
    add("errors", when.errors, names_in(error_names(), when.errors));
    add("no_errors", when.no_errors, names_in(error_names(), when.no_errors));
    add("with", when.with, conditions_json(model, when.with));
    add("without", when.without, conditions_json(model, when.without));
    return json;
}

} // namespace

ordered_json bit_json(const macstats_model& model, const macstats_bit& bit) {
    if (!bit.mask)
        return nullptr;
    const int index = macstats_register_at(&model, bit.offset);
    return {
        {"register", index >= 0 ? ordered_json(model.registers[index].name) : ordered_json()},
        {"offset", bit.offset},
        {"mask", bit.mask},
    };
}

ordered_json
when_json(const macstats_model& model, const macstats_when (&when)[MACSTATS_MAX_WHEN]) {
    ordered_json json = ordered_json::array();
    for (const macstats_when& alternative : when) {
        if (!alternative.direction)
            break;
        json.push_back(alternative_json(model, alternative));
    }
    return json;
}

std::string_view amount_of(const macstats_counter& counter) {
    switch (counter.unit) {
    case MACSTATS_OCTETS:
        return "length";
    case MACSTATS_PAYLOAD:
        return "payload";
    case MACSTATS_WIRE_OCTETS:
        return "wire";
    case MACSTATS_COLLISIONS:
        return "collisions";
    case MACSTATS_EARLY_COLLISIONS:
        return "early_collisions";
    default:
        return "one";
    }
}

ordered_json from_status_json(const macstats_counter& counter) {
    const macstats_from_status& status = counter.status;
    if (!status.mask)
        return nullptr;
    return {
        {"descriptor", status.received ? "receive" : "transmit"},
        {"mask", status.mask},
        {"value", status.value},
        {"least_collisions", status.low},
        {"most_collisions", status.high ? ordered_json(status.high) : ordered_json()},
        {"adds", status.adds_octets       ? "octets"
                 : status.adds_attempts   ? "attempts"
                 : status.adds_collisions ? "collisions"
                                          : "one"},
    };
}

ordered_json sizes_json(const macstats_model& model) {
    const unsigned int edges = macstats_size_classes(&model.sizes) - 1;
    return {
        {"edges", std::span(model.sizes.edge).first(edges)},
        {"tagged_edges", bits_of(model.sizes.tagged_edges)},
    };
}

ordered_json overhead_json(const macstats_model& model) {
    return {
        {"data", model.data_overhead},
        {"control", model.control_overhead},
        {"variant_control", model.variant_control_overhead
                                ? ordered_json(model.variant_control_overhead)
                                : ordered_json()},
    };
}

} // namespace macstats
