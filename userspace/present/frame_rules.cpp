// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/frame_rules.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/lengths.h>
#include <nlohmann/json.hpp>

#include "core/model.hpp"
#include "libmacstats/core/names.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

// A class that only rows name, in JSON and for people: scenarios and the command describe frames
// by numbers instead.
struct Class {
    std::string_view name;
    std::string_view text;
    unsigned int value;
};

constexpr Class tags[] = {
    {"untagged", "no VLAN tag", MACSTATS_UNTAGGED},
    {"tagged", "one VLAN tag", MACSTATS_TAGGED},
    {"double_tagged", "two VLAN tags", MACSTATS_DOUBLE_TAGGED},
};

constexpr Class excesses[] = {
    {"within_max", "within the maximum length", MACSTATS_WITHIN_MAX},
    {"over_max", "over the maximum length", MACSTATS_OVER_MAX},
    {"very_long", "very long", MACSTATS_VERY_LONG},
};

constexpr Class collision_classes[] = {
    {"none", "no collision", MACSTATS_NO_COLLISION},
    {"one", "one collision", MACSTATS_ONE_COLLISION},
    {"several", "2 to 15 collisions", MACSTATS_SEVERAL_COLLISIONS},
    {"attempt_limit", "16 collisions", MACSTATS_SIXTEEN_COLLISIONS},
};

std::vector<std::string_view> words_in(
    std::span<const Class> classes, unsigned int mask,
    std::string_view Class::*word = &Class::name) {
    std::vector<std::string_view> words;
    for (const Class& one : classes)
        if (one.value & mask)
            words.push_back(one.*word);
    return words;
}

std::vector<std::string_view> origins_in(unsigned int mask) {
    std::vector<std::string_view> words = names_in(origin_names, mask);
    if (mask & MACSTATS_FORCED_COLLISION)
        words.emplace_back("forced_collision");
    return words;
}

// The conditions of enum macstats_option: values of options, and set bits of registers.
ordered_json conditions_json(const macstats_model& model, unsigned int mask) {
    ordered_json json = ordered_json::array();
    for (const DeviceOption& option : options_of(model))
        for (const OptionValue& value : option.values)
            if (value.bits & mask)
                json.push_back({{"option", option.name}, {"value", value.word}});
    const macstats_roles roles = macstats_find_roles(&model);
    for (unsigned int i = 0; i < MACSTATS_MAX_SETTINGS; i++)
        if (mask & static_cast<unsigned int>(MACSTATS_OPT_SETTING) << i)
            json.push_back(bit_json(model, roles.setting[i]));
    return json;
}

ordered_json alternative_json(const macstats_model& model, const macstats_when& when) {
    ordered_json json = {{"direction", names_in(direction_names, when.direction)}};
    const auto add = [&json](const char* name, unsigned int mask, auto words) {
        if (mask)
            json[name] = std::move(words);
    };
    add("destination", when.destination, names_in(destination_names, when.destination));
    add("kind", when.kind, names_in(kind_names, when.kind));
    add("origin", when.origin, origins_in(when.origin));
    add("tags", when.tags, words_in(tags, when.tags));
    add("excess", when.excess, words_in(excesses, when.excess));
    add("collisions", when.collisions, words_in(collision_classes, when.collisions));
    add("deferred", when.deferred, true);
    add("sizes", when.size, bits_of(when.size));
    add("errors", when.errors, names_in(error_names, when.errors));
    add("no_errors", when.no_errors, names_in(error_names, when.no_errors));
    add("with", when.with, conditions_json(model, when.with));
    add("without", when.without, conditions_json(model, when.without));
    return json;
}

// "of 64 to 127 octets", or with an open end.
std::string sizes_text(const macstats_model& model, const macstats_when& when) {
    const std::uint32_t low = macstats_sizes_low(&model, when.size);
    const std::uint32_t high = macstats_sizes_high(&model, when.size);
    if (!high)
        return fmt::format("of {} octets and more", low);
    return low == high ? fmt::format("of {} octets", low)
                       : fmt::format("of {} to {} octets", low, high);
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

std::vector<unsigned int> bits_of(unsigned int mask) {
    std::vector<unsigned int> bits;
    for (unsigned int i = 0; mask >> i; i++)
        if (mask >> i & 1)
            bits.push_back(i);
    return bits;
}

ordered_json when_json(const macstats_model& model, std::span<const macstats_when> list) {
    ordered_json json = ordered_json::array();
    for (const macstats_when& alternative : rules_in(list))
        json.push_back(alternative_json(model, alternative));
    return json;
}

std::string rule_text(const macstats_model& model, const macstats_when& when) {
    std::string text;
    const auto add = [&text](std::string_view before, const std::vector<std::string_view>& words) {
        if (!words.empty())
            text += fmt::format("{}{}", before, fmt::join(words, " or "));
    };
    add("", names_in(direction_names, when.direction));
    add(" ", names_in(destination_names, when.destination));
    add(" ", names_in(kind_names, when.kind));
    text += " frames";
    if (when.size)
        text += " " + sizes_text(model, when);
    add(", with ", names_in(error_names, when.errors));
    add(", without ", names_in(error_names, when.no_errors));
    add(", ", words_in(tags, when.tags, &Class::text));
    add(", ", words_in(excesses, when.excess, &Class::text));
    add(", ", words_in(collision_classes, when.collisions, &Class::text));
    if (when.origin & MACSTATS_FORCED_COLLISION)
        text += ", forced collisions included";
    else if (when.origin == MACSTATS_BY_MAC || when.origin == MACSTATS_BY_SOFTWARE)
        add(", ", names_in(origin_names, when.origin));
    if (when.deferred)
        text += ", deferred";
    if (when.with || when.without)
        text += ", with some settings only";
    return text;
}

} // namespace macstats
