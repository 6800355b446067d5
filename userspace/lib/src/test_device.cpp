// SPDX-License-Identifier: GPL-2.0 OR MIT
// A scenario that is written while it runs.
#include "libmacstats/test_device.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "libmacstats/names.hpp"
#include "libmacstats/runner.hpp"

namespace macstats {

namespace {

template <typename T>
T value_or_throw(Result<T> result) {
    if (!result)
        throw TestFailure(result.error().message);
    return std::move(result).value();
}

// A number of a request in the frame's own, narrower type.
template <typename T>
void narrow(T& to, std::uint32_t from) {
    if (from > std::numeric_limits<T>::max())
        throw TestFailure(fmt::format("a frame with {}, which is too much", from));
    to = static_cast<T>(from);
}

macstats_frame frame_from(const FrameRequest& request) {
    macstats_frame frame{};
    narrow(frame.direction, request.direction);
    narrow(frame.destination, request.destination);
    narrow(frame.kind, request.kind);
    narrow(frame.origin, request.origin);
    narrow(frame.vlan_tags, request.vlan_tags);
    narrow(frame.collisions, request.collisions);
    narrow(frame.errors, request.errors);
    frame.deferred = request.deferred;
    frame.length = request.length;
    return frame;
}

std::string text(const Report& report) {
    if (report.failures.empty())
        return report.reason;
    const Failure& failure = report.failures.front();
    std::string text = failure_text(failure);
    for (const std::string* more : {&failure.datasheet, &failure.explanation})
        if (!more->empty())
            text += fmt::format(" ({})", *more);
    return text;
}

} // namespace

TestDevice::TestDevice(std::string_view backend, std::string_view model)
    : backend_(value_or_throw(open_backend(backend))) {
    const macstats_model* known = value_or_throw(model_called(model));
    ScenarioDevice device;
    device.name = known->name;
    device.model = known;
    device.options = known->default_options;
    scenario_.devices.push_back(std::move(device));
    bench_ = value_or_throw(backend_->set_up(scenario_.devices));
}

void TestDevice::send(const FrameRequest& frame, std::uint64_t count, unsigned int port) {
    run(SendStep{.port = at(port), .frame = frame_from(frame), .count = count});
}

void TestDevice::expect(std::string_view statistic, std::uint64_t value, unsigned int port) {
    ExpectStep step;
    step.port = at(port);
    if (const auto slash = statistic.find('/'); slash != std::string_view::npos)
        step.standard.push_back(
            {.group = std::string(statistic.substr(0, slash)),
             .name = std::string(statistic.substr(slash + 1)),
             .low = std::nullopt,
             .value = value});
    else
        step.totals.push_back(
            {.counter = value_or_throw(find_counter(*scenario_.devices[0].model, statistic)),
             .value = value});
    run(std::move(step));
}

void TestDevice::run(Step step) {
    scenario_.steps.clear();
    scenario_.steps.push_back(std::move(step));
    const Report report = run_steps(scenario_, *bench_);
    if (report.outcome != Outcome::passed)
        throw TestFailure(text(report));
}

ScenarioPort TestDevice::at(unsigned int port) const {
    const macstats_model& model = *scenario_.devices[0].model;
    if (port >= model.ports)
        throw TestFailure(fmt::format("{} has {} ports, from 0 on", model.name, model.ports));
    return {.device = 0, .port = port};
}

} // namespace macstats
