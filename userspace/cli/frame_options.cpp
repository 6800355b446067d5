// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "frame_options.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats::cli {

namespace {

std::string one_of(std::span<const Name> names) {
    std::vector<std::string_view> words;
    for (const Name& name : names)
        words.push_back(name.name);
    return fmt::format("{}", fmt::join(words, "|"));
}

// "duplex=full|half", for each option that a model has.
std::vector<std::string> option_words() {
    struct Option {
        std::string_view name;
        std::vector<std::string> words;
    };
    std::vector<Option> options;
    for (const macstats_model* model : all_models())
        for (const DeviceOption& option : options_of(*model)) {
            auto known = std::find_if(options.begin(), options.end(), [&option](const Option& it) {
                return it.name == option.name;
            });
            if (known == options.end())
                known = options.insert(known, {option.name, {}});
            for (const OptionValue& value : option.values)
                if (!std::count(known->words.begin(), known->words.end(), value.word))
                    known->words.push_back(value.word);
        }
    std::vector<std::string> words;
    for (const Option& option : options)
        words.push_back(fmt::format("{}={}", option.name, fmt::join(option.words, "|")));
    return words;
}

} // namespace

void add_frame_options(CLI::App& command, FrameOptions& options, std::string_view counts) {
    add_option(
        command, "--direction " + one_of(direction_names), options.direction,
        "Transmit or receive frames (default tx)");
    add_option(
        command, "--length OCTETS", options.length,
        "Octets from destination address to FCS, 1 to 65535 (default 64)");
    add_option(
        command, "--destination " + one_of(destination_names), options.destination,
        "Kind of destination address (default unicast, or multicast for pause frames of a MAC "
        "that makes no others)");
    add_option(
        command, "--kind " + one_of(kind_names), options.kind, "Kind of frame (default data)");
    add_option(
        command, "--origin " + one_of(origin_names), options.origin,
        "Sender of pause frames (default software)");
    add_option(command, "--vlan-tags N", options.vlan_tags, "VLAN tags, 0 to 2 (default 0)");
    add_option(
        command, "--errors ERROR[,ERROR...]", options.errors,
        fmt::format(
            "Errors, separated by commas (default none): {}",
            fmt::join(names_in(error_names, UINT_MAX), ", ")))
        ->delimiter(',');
    add_option(command, "--collisions N", options.collisions, "Collisions, 0 to 16 (default 0)");
    command.add_flag("--deferred", options.deferred, "Defer the first attempt: medium busy");
    add_option(
        command, "--descriptors N", options.descriptors,
        fmt::format(
            "Descriptors of each packet, 1 to {} (default 1); for models with descriptors",
            MACSTATS_MAX_DESCRIPTORS));
    add_option(
        command, "--append-crc on|off", options.append_crc,
        "The first descriptor lets the MAC append the CRC or not (default: a register decides)");
    add_option(
        command, "--huge on|off", options.huge,
        "The first descriptor lifts the maximum length or not (default: a register decides)");
    add_option(command, "--count N", options.count, fmt::format("Frames, {} (default 1)", counts));
}

Result<FrameRequest> frame_from(const FrameOptions& options) {
    FrameRequest frame;
    frame.deferred = options.deferred;

    struct Word {
        std::string_view option;
        std::span<const Name> names;
        const std::string& word;
        std::uint32_t& value;
    };
    for (const Word& it :
         {Word{"--direction", direction_names, options.direction, frame.direction},
          Word{"--kind", kind_names, options.kind, frame.kind},
          Word{"--origin", origin_names, options.origin, frame.origin}}) {
        MACSTATS_TRY(it.value, value_of(it.names, it.option, it.word));
    }

    if (!options.destination.empty()) {
        MACSTATS_TRY(
            frame.destination, value_of(destination_names, "--destination", options.destination));
    }

    struct Number {
        std::string_view option;
        const std::string& text;
        std::uint32_t& value;
        std::uint64_t least;
        std::uint64_t most;
    };
    for (const Number& it :
         {Number{"--length", options.length, frame.length, 1, MACSTATS_FRAME_MAX},
          Number{"--vlan-tags", options.vlan_tags, frame.vlan_tags, 0, 2},
          Number{"--collisions", options.collisions, frame.collisions, 0, MACSTATS_ATTEMPT_LIMIT},
          Number{
              "--descriptors", options.descriptors, frame.descriptors, 1,
              MACSTATS_MAX_DESCRIPTORS}}) {
        if (&it.text == &options.descriptors && it.text.empty())
            continue;
        MACSTATS_TRY(const auto value, parse_number(it.option, it.text, it.least, it.most));
        it.value = static_cast<std::uint32_t>(value);
    }

    if (!options.append_crc.empty()) {
        MACSTATS_TRY(frame.append_crc, parse_switch("--append-crc", options.append_crc));
    }
    if (!options.huge.empty()) {
        MACSTATS_TRY(frame.huge, parse_switch("--huge", options.huge));
    }

    for (const std::string& word : options.errors) {
        MACSTATS_TRY(const auto error, value_of(error_names, "--errors", word));
        frame.errors |= error;
    }
    return frame;
}

void add_device_option(CLI::App& command, std::vector<std::string>& options) {
    add_option(
        command, "--option NAME=VALUE", options,
        fmt::format(
            "Set an option that `macstats model NAME` lists: {}; repeatable",
            fmt::join(option_words(), ", ")));
}

} // namespace macstats::cli
