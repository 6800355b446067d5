// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backend without a kernel: devices in this process, on a clock that only
// advance() moves.
#include <cerrno>
#include <cstdint>
#include <utility>

#include <fmt/format.h>
#include <macstats/accumulator.h>

#include "core/error.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/device/device.hpp"
#include "libmacstats/device/standard.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "scenario/builtin.hpp"

namespace macstats {

namespace {

class BuiltinDevices final : public DeviceSet {
public:
    explicit BuiltinDevices(OnFrames on_frames) : on_frames_(std::move(on_frames)) {}

    Result<void> plug_in(const ScenarioDevice& config) {
        Device& device = devices_.emplace_back(
            *config.model, DeviceSetup{
                               .options = config.options,
                               .random_power_up = config.random_power_up,
                               .seed = config.seed,
                               .line_rate_bound = config.line_rate_bound});
        for (std::uint32_t i = 0; i < device.ports(); i++)
            for (const RegisterSetting& setting : config.registers)
                MACSTATS_CHECK(in_context(
                    fmt::format("{}: {}", config.name, setting.name),
                    device.write(PortIndex(i), setting.place, setting.value)));
        return {};
    }

    Result<void>
    send(ScenarioPort port, const macstats_frame& frame, std::uint64_t count) override {
        if (on_frames_)
            on_frames_(at(port), port.index, frame);
        return at(port).send(port.index, frame, count);
    }

    Result<std::uint64_t> read(ScenarioPort port, const Place& place) override {
        return at(port).read(port.index, place);
    }

    Result<void> write(ScenarioPort port, const Place& place, std::uint64_t value) override {
        return at(port).write(port.index, place, value);
    }

    Result<void> preset(ScenarioPort port, CounterIndex counter, std::uint64_t value) override {
        return at(port).preset(port.index, counter, value);
    }

    Result<void> fault(ScenarioPort port, const FaultRequest& request) override {
        return at(port).fault(port.index, request, now_ns_);
    }

    Result<void> poll(ScenarioPort port) override {
        (void)at(port).poll(port.index, now_ns_); // the port's state has the result
        return {};
    }

    Result<void> advance(std::uint64_t nanoseconds) override {
        // The clock of all steps must not go back.
        if (const std::uint64_t most = INT64_MAX - now_ns_; nanoseconds > most)
            return failure(ERANGE, "nanoseconds is not in 0 to {}", most);
        now_ns_ += nanoseconds;
        return {};
    }

    Result<Observation> observe(ScenarioPort port, bool with_standard) override {
        const Device& device = at(port);
        const macstats_accumulator& accumulator = device.accumulator(port.index);
        const macstats_state& state = accumulator.state;
        Observation seen{
            .stale = state.stale,
            .possible_loss = state.possible_loss,
            .discontinuities = state.discontinuities,
            .saturated = {},
            .totals = device.totals(port.index),
            .standard = {},
            .absent = device.absent(port.index),
        };
        for (std::uint32_t i = 0; i < seen.totals.size(); i++)
            if (accumulator.counters[i].saturated)
                seen.saturated.emplace_back(i);
        if (with_standard)
            seen.standard = standard_values(
                device.standard(port.index), buckets_of(device.model()), seen.totals, seen.absent);
        return seen;
    }

private:
    Device& at(ScenarioPort port) { return devices_.at(port.device); }

    OnFrames on_frames_;
    std::vector<Device> devices_;
    std::uint64_t now_ns_ = 0;
};

class BuiltinBackend final : public Backend {
public:
    explicit BuiltinBackend(OnFrames on_frames) : on_frames_(std::move(on_frames)) {}

    [[nodiscard]] std::string_view name() const override { return "builtin"; }

    Result<std::unique_ptr<DeviceSet>> set_up(const std::vector<ScenarioDevice>& devices) override {
        auto set = std::make_unique<BuiltinDevices>(on_frames_);
        for (const ScenarioDevice& device : devices)
            MACSTATS_CHECK(set->plug_in(device));
        return std::unique_ptr<DeviceSet>(std::move(set));
    }

private:
    OnFrames on_frames_;
};

} // namespace

std::unique_ptr<Backend> builtin_backend() {
    return builtin_backend({});
}

std::unique_ptr<Backend> builtin_backend(OnFrames on_frames) {
    return std::make_unique<BuiltinBackend>(std::move(on_frames));
}

} // namespace macstats
