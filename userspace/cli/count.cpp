// SPDX-License-Identifier: GPL-2.0 OR MIT
// The subcommand count: which counters frames increment, without a kernel.
#include "present/count.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "frame_options.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats::cli {

namespace {

using nlohmann::ordered_json;

struct CountRequest {
    std::string model;
    bool all_models = false;
    FrameOptions frames;
    std::vector<std::string> options;
    std::vector<std::string> registers;
    bool json = false;
};

// With the destination that @model gives frames without one.
Result<CountedFrames> frames_of(const macstats_model& model, CountedFrames frames) {
    MACSTATS_TRY(const auto frame, frame_of(frames.frame, model));
    frames.frame.destination = frame.destination;
    return frames;
}

bool is_writable(const macstats_model& model, const Place& place) {
    const int index = macstats_register_at(&model, place.address);
    return index >= 0 && model.registers[index].access == MACSTATS_RW;
}

Result<RegisterValue> setting(const macstats_model& model, const std::string& text) {
    const auto equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
        return invalid("--register: \"{}\" is not of the form NAME=VALUE", text);
    const std::string name = text.substr(0, equals);
    MACSTATS_TRY(const Place place, in_context("--register", find_place(model, name)));
    if (!is_writable(model, place))
        return invalid("--register: {} of {} is not writable", name, model.name);
    MACSTATS_TRY(
        const auto value, parse_number(
                              "--register " + name, std::string_view(text).substr(equals + 1),
                              macstats_bits_mask(place.bits)));
    return RegisterValue{name, value};
}

Result<CountResult>
count_on(const macstats_model& model, const CountRequest& request, const CountedFrames& frames) {
    DeviceSetup setup;
    MACSTATS_TRY(setup.options, with_options(model, model.default_options, request.options));
    std::vector<RegisterValue> registers;
    for (const std::string& text : request.registers) {
        MACSTATS_TRY(auto value, setting(model, text));
        registers.push_back(std::move(value));
    }
    return count_frames(model, setup, registers, frames);
}

Result<void> count_on_one(const CountRequest& request, const CountedFrames& given) {
    MACSTATS_TRY(const auto* model, model_called(request.model));
    MACSTATS_TRY(const auto frames, frames_of(*model, given));
    MACSTATS_TRY(const auto result, count_on(*model, request, frames));
    if (request.json)
        print_json({{"frames", frames_json(frames)}, {"models", {count_json(result)}}});
    else
        print(fmt::format("{}: {}\n\n{}", model->name, frames_text(frames), count_text(result)));
    return {};
}

// A model that lacks an option or a register, or cannot have such a frame, is left out, with
// the reason; the command fails if none is left. All count the same frames: their destination, if
// it is not given, is one that no model rejects.
Result<void> count_on_all(const CountRequest& request, const CountedFrames& given) {
    const auto models = all_models();
    const auto strict = std::find_if(models.begin(), models.end(), [](const macstats_model* model) {
        return model->ieee_own_pause;
    });
    MACSTATS_TRY(
        const auto frames, frames_of(strict == models.end() ? *models.front() : **strict, given));
    std::vector<CountResult> results;
    ordered_json counted = ordered_json::array();
    std::vector<std::string> reasons;
    for (const macstats_model* model : models) {
        auto result = count_on(*model, request, frames);
        if (result) {
            counted.push_back(count_json(*result));
            results.push_back(std::move(*result));
            continue;
        }
        counted.push_back({{"model", model->name}, {"rejected", result.error().message}});
        reasons.push_back(fmt::format("{} is left out: {}", model->name, result.error().message));
    }
    if (results.empty())
        return Error{EINVAL, "no model can count these frames; " + reasons.front()};
    if (request.json)
        print_json({{"frames", frames_json(frames)}, {"models", std::move(counted)}});
    else
        print(fmt::format(
            "{}\n\n{}{}{}{}", frames_text(frames), count_comparison(results),
            reasons.empty() ? "" : "\n", fmt::join(reasons, "\n"), reasons.empty() ? "" : "\n"));
    return {};
}

Result<void> count(const CountRequest& request) {
    if (request.all_models != request.model.empty())
        return Error{EINVAL, "give either MODEL or --all-models"};
    MACSTATS_TRY(const auto frame, frame_from(request.frames));
    MACSTATS_TRY(
        const auto number, parse_number("--count", request.frames.count, 1, most_counted_frames));
    const CountedFrames frames{.frame = frame, .count = number};
    return request.all_models ? count_on_all(request, frames) : count_on_one(request, frames);
}

} // namespace

void describe_count(CLI::App& command, Action& action) {
    auto& request = request_of<CountRequest>(command, action, count);
    command.add_option("MODEL", request.model, "Model, as `macstats models` lists it");
    command.add_flag(
        "--all-models", request.all_models,
        "Compare the standard statistics of all models; - where a model does not support one "
        "or has other size classes");
    add_frame_options(command, request.frames, fmt::format("1 to {}", most_counted_frames));
    add_device_option(command, request.options);
    add_option(
        command, "--register NAME=VALUE", request.registers,
        "Write a register before the first frame, by its datasheet name; repeatable");
    add_json_flag(command, request.json);
    command.footer(fmt::format(
        "\nIt needs neither the kernel modules nor privileges. Whether such frames exist\n"
        "is not checked.\n\n"
        "Examples:\n"
        "  macstats count {0} --direction rx --length 1522 --vlan-tags 1\n"
        "  macstats count {0} --length 1522 --register {1}=1518\n"
        "  macstats count --all-models --direction rx --length 40 --errors fcs",
        example().model, example().reg));
}

} // namespace macstats::cli
