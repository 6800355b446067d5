// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/count.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/standard.h>
#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/device/standard.hpp"
#include "present/table.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

constexpr PortIndex only_port{0};

const macstats_counter& row(const CountResult& result, CounterIndex counter) {
    return result.model->counters[counter.value()];
}

// Send the frames, and poll so often that no register wraps or saturates in between.
Result<void> count_all(Device& device, const macstats_frame& frame, std::uint64_t count) {
    constexpr std::uint64_t frames_a_poll = 64;
    constexpr std::uint64_t second = 1'000'000'000;
    std::uint64_t now = 0;
    for (std::uint64_t left = count; left;) {
        const std::uint64_t some = std::min(left, frames_a_poll);
        MACSTATS_CHECK(device.send(only_port, frame, some));
        MACSTATS_CHECK(device.poll(only_port, now += second));
        left -= some;
    }
    return {};
}

std::string statistic_of(const StandardValue& value) {
    return fmt::format("{}/{}", value.group(), value.name());
}

} // namespace

Result<CountResult> count_frames(
    const macstats_model& model, const DeviceSetup& setup, std::span<const RegisterValue> registers,
    const CountedFrames& frames) {
    MACSTATS_TRY(const auto frame, frame_of(frames.frame, model));
    Device device(model, setup);
    for (const RegisterValue& each : registers) {
        MACSTATS_TRY(const Place place, find_place(model, each.name));
        MACSTATS_CHECK(in_context(each.name, device.write(only_port, place, each.value)));
    }
    MACSTATS_CHECK(count_all(device, frame, frames.count));

    CountResult result{.model = &model, .counters = {}, .standard = {}};
    const std::vector<std::uint64_t> totals = device.totals(only_port);
    const std::vector<CounterIndex> absent = device.absent(only_port);
    for (std::uint32_t i = 0; i < totals.size(); i++)
        if (totals[i] && !is_absent(absent, CounterIndex(i)))
            result.counters.push_back({CounterIndex(i), totals[i]});
    result.standard =
        standard_values(device.standard(only_port), buckets_of(model), totals, absent);
    return result;
}

std::string frames_text(const CountedFrames& frames) {
    const FrameRequest& frame = frames.frame;
    std::string text = fmt::format(
        "{} {}{} {} frame{} of {} octets, {}", frames.count,
        name_of(direction_names, frame.direction),
        frame.origin == MACSTATS_BY_SOFTWARE
            ? ""
            : fmt::format(" {}", name_of(origin_names, frame.origin)),
        name_of(kind_names, frame.kind), frames.count == 1 ? "" : "s", frame.length,
        name_of(destination_names, frame.destination.value_or(MACSTATS_UNICAST)));
    if (frame.vlan_tags)
        text += fmt::format(", {} VLAN tag{}", frame.vlan_tags, frame.vlan_tags == 1 ? "" : "s");
    if (frame.errors)
        text += fmt::format(", errors: {}", fmt::join(names_in(error_names, frame.errors), ", "));
    if (frame.collisions)
        text += fmt::format(", {} collision{}", frame.collisions, frame.collisions == 1 ? "" : "s");
    if (frame.deferred)
        text += ", deferred";
    if (frame.descriptors > 1)
        text += fmt::format(", {} descriptors", frame.descriptors);
    for (const auto& [what, choice] :
         {std::pair("CRC appended", frame.append_crc), std::pair("huge", frame.huge)})
        if (choice)
            text += fmt::format(", {}: {}", what, *choice ? "on" : "off");
    return text;
}

std::string count_text(const CountResult& result) {
    if (result.counters.empty())
        return fmt::format("no counter of {} counts these frames\n", result.model->name);

    Table counters({"COUNTER", "REGISTER", "ADDS", "DESCRIPTION"});
    for (const auto& [counter, value] : result.counters)
        counters.add(
            {row(result, counter).name, row(result, counter).reg, fmt::format("{}", value),
             row(result, counter).help});
    std::string text = counters.text();

    Table standard({"STANDARD STATISTIC", "ADDS"});
    for (const StandardValue& each : result.standard)
        if (each.value)
            standard.add({statistic_of(each), fmt::format("{}", each.value)});
    return standard.has_rows() ? text + "\n" + standard.text() : text;
}

std::string count_comparison(std::span<const CountResult> results) {
    std::vector<std::string> names; // incremented on any model, in the order of the groups
    std::vector<std::uint32_t> ids;
    for (const CountResult& result : results)
        for (const StandardValue& each : result.standard) {
            const std::string name = statistic_of(each);
            if (!each.value || std::count(names.begin(), names.end(), name))
                continue;
            const auto after = std::upper_bound(ids.begin(), ids.end(), each.id);
            names.insert(names.begin() + (after - ids.begin()), name);
            ids.insert(after, each.id);
        }

    if (names.empty())
        return "no standard statistic of these models counts these frames\n";
    std::vector<std::string> heading{"STANDARD STATISTIC"};
    for (const CountResult& result : results)
        heading.emplace_back(result.model->name);
    Table table(heading);
    for (const std::string& name : names) {
        std::vector<std::string> line{name};
        for (const CountResult& result : results) {
            const auto found = std::find_if(
                result.standard.begin(), result.standard.end(),
                [&name](const StandardValue& each) { return statistic_of(each) == name; });
            line.push_back(found == result.standard.end() ? "-" : fmt::format("{}", found->value));
        }
        table.add(line);
    }
    return table.text();
}

ordered_json standard_json(std::span<const StandardValue> values) {
    ordered_json json = ordered_json::object();
    for (const StandardValue& row : values) {
        ordered_json& statistic =
            json[std::string(row.group())][std::string(standard_name(row.id).name)];
        if (macstats_is_histogram(row.id))
            statistic.push_back({{"low", row.low}, {"high", row.high}, {"val", row.value}});
        else
            statistic = row.value;
    }
    return json;
}

ordered_json count_json(const CountResult& result) {
    ordered_json counters = ordered_json::array();
    for (const auto& [counter, value] : result.counters)
        counters.push_back({
            {"name", row(result, counter).name},
            {"register", row(result, counter).reg},
            {"value", value},
            {"description", row(result, counter).help},
        });
    return {
        {"model", result.model->name},
        {"counters", std::move(counters)},
        {"standard", standard_json(result.standard)},
    };
}

ordered_json frames_json(const CountedFrames& frames) {
    const FrameRequest& frame = frames.frame;
    return {
        {"direction", name_of(direction_names, frame.direction)},
        {"length", frame.length},
        {"destination", frame.destination
                            ? ordered_json(name_of(destination_names, *frame.destination))
                            : ordered_json()},
        {"kind", name_of(kind_names, frame.kind)},
        {"origin", name_of(origin_names, frame.origin)},
        {"vlan_tags", frame.vlan_tags},
        {"errors", names_in(error_names, frame.errors)},
        {"collisions", frame.collisions},
        {"deferred", frame.deferred},
        {"descriptors", std::max(frame.descriptors, 1U)},
        {"append_crc", or_null(frame.append_crc)},
        {"huge", or_null(frame.huge)},
        {"count", frames.count},
    };
}

} // namespace macstats
