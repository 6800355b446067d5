// SPDX-License-Identifier: GPL-2.0 OR MIT
// A scenario of one device, whose steps run one by one.
#include "libmacstats/scenario/test_device.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/standard.h>

#include "core/error.hpp"
#include "core/model.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/device/standard.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"

namespace macstats {

namespace {

using Words = std::vector<std::string_view>;

template <typename T>
T value_or_throw(Result<T> result, SourceLocation where) {
    if (!result)
        throw TestFailure(result.error().message, where);
    return std::move(result).value();
}

// Without the place in a scenario, which the test program does not have.
std::string text_of(const Report& report) {
    if (report.failures.empty())
        return report.reason;
    const Failure& failure = report.failures.front();
    std::string text = failure_text(failure);
    if (const std::string step = fmt::format("/steps/{} ({}), ", failure.step, failure.kind);
        text.starts_with(step))
        text.erase(0, step.size());
    for (const std::string* more : {&failure.datasheet, &failure.explanation})
        if (!more->empty())
            text += fmt::format(" ({})", *more);
    return text;
}

Error unknown(
    std::string_view what, std::string_view word, std::string_view accepted,
    const Words& candidates) {
    return invalid(
        "{} \"{}\"{}", what, word,
        did_you_mean(
            word, candidates, fmt::format("; {} {}", accepted, fmt::join(candidates, ", "))));
}

// The statistics of a group, with the buckets of the model's histograms.
std::vector<StandardValue> values_in(const macstats_model& model, std::string_view group) {
    std::vector<StandardValue> values;
    for (unsigned int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT; id++)
        if (!macstats_is_histogram(id))
            values.push_back({.id = id});
    for (const Bucket& bucket : buckets_of(model))
        values.push_back({.id = bucket.id, .low = bucket.low, .high = bucket.high});
    std::erase_if(values, [group](const StandardValue& value) { return value.group() != group; });
    return values;
}

// The statistic called "group/name".
Result<ExpectedStandard>
standard_called(const macstats_model& model, std::string_view group, std::string_view name) {
    const Words groups = standard_groups();
    if (std::find(groups.begin(), groups.end(), group) == groups.end())
        return unknown("there is no group", group, "the groups are", groups);

    std::vector<std::string> names;
    for (const StandardValue& value : values_in(model, group)) {
        names.push_back(value.name());
        if (names.back() != name)
            continue;
        ExpectedStandard wanted{
            .group = std::string(group),
            .name = std::string(standard_name(value.id).name),
            .low = {},
            .value = {}};
        if (macstats_is_histogram(value.id)) {
            wanted.low = value.low;
            wanted.high = value.high;
        }
        return wanted;
    }
    return unknown(
        fmt::format("{} has no statistic", group), name, fmt::format("{} has", group),
        Words(names.begin(), names.end()));
}

} // namespace

TestFailure::TestFailure(const std::string& text, SourceLocation where)
    : std::runtime_error(fmt::format("{}:{}: {}", where.file_name(), where.line(), text)),
      where_(where) {}

// Members are destroyed from the last: the set needs the backend.
struct TestDevice::State {
    Scenario scenario{}; // the device, and the step that runs now
    std::unique_ptr<Backend> backend;
    std::unique_ptr<DeviceSet> set{};

    [[nodiscard]] const macstats_model& model() const { return *scenario.devices[0].model; }

    [[nodiscard]] ScenarioPort at(PortIndex port, SourceLocation where) const {
        if (const auto known = check_port(model(), port); !known)
            throw TestFailure(known.error().message, where);
        return {.device = 0, .index = port};
    }

    void run(Step step, SourceLocation where) {
        scenario.steps.clear();
        scenario.steps.push_back(std::move(step));
        const Report report = run_steps(scenario, *set);
        if (report.outcome != Outcome::passed)
            throw TestFailure(text_of(report), where);
    }
};

TestDevice::TestDevice(
    std::string_view backend, std::string_view model, const DeviceSetup& setup,
    SourceLocation where)
    : state_(
          std::make_unique<State>(State{.backend = value_or_throw(open_backend(backend), where)})) {
    const macstats_model* known = value_or_throw(model_called(model), where);
    ScenarioDevice device;
    device.name = known->name;
    device.model = known;
    device.options = setup.options.value_or(known->default_options);
    device.random_power_up = setup.random_power_up;
    device.seed = setup.seed;
    device.line_rate_bound = setup.line_rate_bound;
    state_->scenario.devices.push_back(std::move(device));
    state_->set = value_or_throw(state_->backend->set_up(state_->scenario.devices), where);
}

TestDevice::TestDevice(TestDevice&&) noexcept = default;
TestDevice& TestDevice::operator=(TestDevice&&) noexcept = default;
TestDevice::~TestDevice() = default;

void TestDevice::send(
    const FrameRequest& frame, std::uint64_t count, PortIndex port, SourceLocation where) {
    state_->run(
        SendStep{
            .port = state_->at(port, where),
            .frame =
                value_or_throw(frame_of(frame, *state_->scenario.devices.front().model), where),
            .count = count},
        where);
}

std::uint64_t TestDevice::read(std::string_view place, PortIndex port, SourceLocation where) {
    const Place found = value_or_throw(find_place(state_->model(), place), where);
    return value_or_throw(state_->set->read(state_->at(port, where), found), where);
}

void TestDevice::write(
    std::string_view place, std::uint64_t value, PortIndex port, SourceLocation where) {
    state_->run(
        WriteStep{
            .port = state_->at(port, where),
            .name = std::string(place),
            .place = value_or_throw(find_place(state_->model(), place), where),
            .value = value},
        where);
}

void TestDevice::preset(
    std::string_view counter, std::uint64_t value, PortIndex port, SourceLocation where) {
    const auto index = value_or_throw(find_counter(state_->model(), counter), where);
    state_->run(PresetStep{.port = state_->at(port, where), .counters = {{index, value}}}, where);
}

void TestDevice::fault(const FaultRequest& request, PortIndex port, SourceLocation where) {
    state_->run(FaultStep{.port = state_->at(port, where), .request = request}, where);
}

void TestDevice::poll(PortIndex port, SourceLocation where) {
    state_->run(PollStep{.port = state_->at(port, where)}, where);
}

void TestDevice::advance(std::uint64_t nanoseconds, SourceLocation where) {
    state_->run(AdvanceStep{.nanoseconds = nanoseconds}, where);
}

void TestDevice::expect(
    std::string_view statistic, std::uint64_t value, PortIndex port, SourceLocation where) {
    ExpectStep step;
    step.port = state_->at(port, where);
    const auto counter = find_counter(state_->model(), statistic);
    if (const auto slash = statistic.find('/'); !counter && slash != std::string_view::npos) {
        step.standard.push_back(value_or_throw(
            standard_called(
                state_->model(), statistic.substr(0, slash), statistic.substr(slash + 1)),
            where));
        step.standard.back().value = value;
    } else {
        step.totals.push_back({.counter = value_or_throw(counter, where), .value = value});
    }
    state_->run(std::move(step), where);
}

Observation TestDevice::observe(PortIndex port, SourceLocation where) {
    return value_or_throw(state_->set->observe(state_->at(port, where), true), where);
}

} // namespace macstats
