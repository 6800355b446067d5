// SPDX-License-Identifier: GPL-2.0 OR MIT
// Writes scenarios as JSON: one step a line, without defaults.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/accepted.hpp"
#include "core/json_text.hpp"
#include "core/model.hpp"
#include "libmacstats/scenario/scenario.hpp"
#include "scenario/lookup.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

// In ASCII, like json_text(), but without its escapes: a scenario is UTF-8 and must read
// back unchanged. Invalid UTF-8 of a calling program becomes U+FFFD.
std::string one_line(const ordered_json& json) {
    constexpr int no_indent = -1;
    constexpr bool ascii = true;
    return json.dump(no_indent, ' ', ascii, ordered_json::error_handler_t::replace);
}

// A speed is a number, as a user writes it.
ordered_json option_json(const DeviceOption& option, const OptionValue& value) {
    if (option.mask != MACSTATS_OPT_SPEEDS)
        return value.word;
    return std::stoul(value.word);
}

ordered_json device_json(const ScenarioDevice& device) {
    const macstats_model& model = *device.model;
    ordered_json json = {{"model", model.name}};
    if (device.random_power_up)
        json["power_up"] = name_of(power_up_names, MACSTATS_POWER_UP_RANDOM);
    if (device.seed)
        json["seed"] = device.seed;
    unsigned int left = device.options ^ model.default_options;
    for (const DeviceOption& option : options_of(model)) {
        if (!(left & option.mask))
            continue;
        for (const OptionValue& value : option.values)
            if ((device.options & option.mask) == value.bits) {
                json["options"][std::string(option.name)] = option_json(option, value);
                left &= ~unsigned{option.mask};
            }
    }
    if (device.line_rate_bound)
        json["options"]["line_rate_bound"] = true;
    for (const RegisterSetting& setting : device.registers)
        json["registers"][setting.name] = setting.value;
    return json;
}

// Seconds to the nanosecond, for which a double has too few digits.
std::string seconds_text(std::uint64_t nanoseconds) {
    constexpr std::uint64_t per_second = 1'000'000'000;
    std::string text = fmt::format("{}.{:09}", nanoseconds / per_second, nanoseconds % per_second);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

ordered_json standard_json(const std::vector<ExpectedStandard>& expected) {
    ordered_json groups = ordered_json::object();
    for (const ExpectedStandard& statistic : expected) {
        ordered_json& place = groups[statistic.group][statistic.name];
        if (!statistic.low) {
            place = or_null(statistic.value);
            continue;
        }
        ordered_json bucket = {{"low", *statistic.low}};
        if (statistic.high)
            bucket["high"] = *statistic.high;
        bucket["val"] = or_null(statistic.value);
        place.push_back(std::move(bucket));
    }
    return groups;
}

ordered_json state_json(const macstats_model& model, const ExpectedState& state) {
    ordered_json json = ordered_json::object();
    if (state.stale)
        json["stale"] = *state.stale;
    if (state.possible_loss)
        json["possible_loss"] = *state.possible_loss;
    if (state.discontinuities)
        json["discontinuities"] = *state.discontinuities;
    if (state.saturated) {
        json["saturated"] = ordered_json::array();
        for (const CounterIndex counter : *state.saturated)
            json["saturated"].push_back(counter_at(model, counter).name);
    }
    return json;
}

class StepWriter {
public:
    explicit StepWriter(const Scenario& scenario) : scenario_(scenario) {}

    std::string operator()(const SendStep& step) const {
        const macstats_frame& frame = step.frame;
        ordered_json json = {{"port", port(step.port)}};
        json["direction"] = name_of(direction_names, frame.direction);
        json["length"] = frame.length;
        if (frame.destination != MACSTATS_UNICAST || frame.origin != MACSTATS_BY_SOFTWARE)
            json["destination"] = name_of(destination_names, frame.destination);
        if (frame.kind != MACSTATS_DATA)
            json["kind"] = name_of(kind_names, frame.kind);
        if (frame.origin != MACSTATS_BY_SOFTWARE)
            json["origin"] = name_of(origin_names, frame.origin);
        if (frame.vlan_tags)
            json["vlan_tags"] = frame.vlan_tags;
        if (frame.errors)
            json["errors"] = names_in(error_names, frame.errors);
        if (frame.collisions)
            json["collisions"] = frame.collisions;
        if (frame.deferred)
            json["deferred"] = true;
        if (frame.descriptors)
            json["descriptors"] = frame.descriptors;
        if (frame.append_crc)
            json["append_crc"] = frame.append_crc == MACSTATS_CONTROL_ON;
        if (frame.huge)
            json["huge"] = frame.huge == MACSTATS_CONTROL_ON;
        if (step.count != 1)
            json["count"] = step.count;
        return one_line({{"send", std::move(json)}});
    }

    std::string operator()(const ReadStep& step) const {
        ordered_json json = {{"port", port(step.port)}, {"register", step.name}};
        if (step.expect)
            json["expect"] = *step.expect;
        return one_line({{"read", std::move(json)}});
    }

    std::string operator()(const WriteStep& step) const {
        return one_line(
            {{"write",
              {{"port", port(step.port)}, {"register", step.name}, {"value", step.value}}}});
    }

    std::string operator()(const PresetStep& step) const {
        ordered_json counters = ordered_json::object();
        for (const PresetStep::Value& value : step.counters)
            counters[counter(step.port, value.counter)] = value.value;
        return one_line(
            {{"preset", {{"port", port(step.port)}, {"counters", std::move(counters)}}}});
    }

    std::string operator()(const FaultStep& step) const {
        ordered_json json = {
            {"port", port(step.port)}, {"name", name_of(fault_names, step.request.faults)}};
        if (!step.request.active)
            json["active"] = false;
        if (step.request.announced)
            json["announced"] = true;
        if (step.request.during_read)
            json["during_read"] = true;
        const std::string_view argument = fault_argument_name(step.request.faults);
        if (!argument.empty() && (step.request.active || step.request.argument))
            json[std::string(argument)] = step.request.argument;
        return one_line({{"fault", std::move(json)}});
    }

    std::string operator()(const PollStep& step) const {
        return one_line({{"poll", {{"port", port(step.port)}}}});
    }

    std::string operator()(const AdvanceStep& step) const {
        return fmt::format(R"({{"advance":{{"seconds":{}}}}})", seconds_text(step.nanoseconds));
    }

    std::string operator()(const ExpectStep& step) const {
        ordered_json json = {{"port", port(step.port)}};
        for (const ExpectStep::Total& total : step.totals)
            json["totals"][counter(step.port, total.counter)] = or_null(total.value);
        if (step.others == Others::zero)
            json["others"] = "zero";
        if (!step.standard.empty())
            json["standard"] = standard_json(step.standard);
        if (ordered_json state = state_json(*device(step.port).model, step.state); !state.empty())
            json["state"] = std::move(state);
        if (!step.fresh)
            json["fresh"] = false;
        return one_line({{"expect", std::move(json)}});
    }

private:
    [[nodiscard]] const ScenarioDevice& device(ScenarioPort port) const {
        return scenario_.devices.at(port.device);
    }

    [[nodiscard]] std::string port(ScenarioPort port) const {
        return port_name(device(port), port.index);
    }

    [[nodiscard]] std::string counter(ScenarioPort port, CounterIndex index) const {
        return counter_at(*device(port).model, index).name;
    }

    const Scenario& scenario_;
};

// Lines with a comma after each one except the last.
template <typename Range, typename Line>
std::string lines(const Range& range, Line line) {
    std::string text;
    for (const auto& element : range)
        text += (text.empty() ? "\n    " : ",\n    ") + line(element);
    return text.empty() ? text : text + "\n  ";
}

} // namespace

std::string step_text(const Scenario& scenario, const Step& step) {
    return std::visit(StepWriter(scenario), step);
}

std::string scenario_text(const Scenario& scenario) {
    std::string text = "{\n";
    text += fmt::format("  \"name\": {},\n", one_line(scenario.name));
    if (!scenario.reference.empty())
        text += fmt::format("  \"reference\": {},\n", one_line(scenario.reference));
    text += fmt::format(
        "  \"devices\": {{{}}},\n", lines(scenario.devices, [](const ScenarioDevice& device) {
            return one_line(device.name) + ": " + one_line(device_json(device));
        }));
    text += fmt::format("  \"steps\": [{}]\n", lines(scenario.steps, [&](const Step& step) {
                            return step_text(scenario, step);
                        }));
    return text + "}\n";
}

} // namespace macstats
