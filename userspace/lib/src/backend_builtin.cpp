// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backend without a kernel: devices in this process, on a clock that only
// advance() moves.
#include <fmt/format.h>

#include "libmacstats/backend.hpp"
#include "libmacstats/device.hpp"
#include "libmacstats/show.hpp"

namespace macstats {

namespace {

class BuiltinBench final : public Bench {
public:
    Result<void> plug_in(const ScenarioDevice& config) {
        Device& device = devices_.emplace_back(
            *config.model, DeviceSetup{
                               .options = config.options,
                               .random_power_up = config.random_power_up,
                               .seed = config.seed});
        for (unsigned int port = 0; port < device.ports(); port++)
            for (const RegisterSetting& setting : config.registers)
                if (auto written = device.write(port, setting.place, setting.value); !written)
                    return in_context(
                        fmt::format("{}: {}", config.name, setting.name), written.error());
        return {};
    }

    Result<void>
    send(ScenarioPort port, const macstats_frame& frame, std::uint64_t count) override {
        return at(port).send(port.port, frame, count);
    }

    Result<std::uint64_t> read(ScenarioPort port, const Place& place) override {
        return at(port).read(port.port, place);
    }

    Result<void> write(ScenarioPort port, const Place& place, std::uint64_t value) override {
        return at(port).write(port.port, place, value);
    }

    Result<void> preset(ScenarioPort port, unsigned int counter, std::uint64_t value) override {
        return at(port).preset(port.port, counter, value);
    }

    Result<void> fault(ScenarioPort port, std::uint32_t fault, bool active) override {
        return at(port).fault(port.port, fault, active);
    }

    Result<void> poll(ScenarioPort port) override {
        (void)at(port).poll(port.port, now_ns_); // how it went is in the port's state
        return {};
    }

    Result<void> advance(std::uint64_t nanoseconds) override {
        now_ns_ += nanoseconds;
        return {};
    }

    Result<Observation> observe(ScenarioPort port, bool with_standard) override {
        const Device& device = at(port);
        const macstats_accumulator& state = device.accumulator(port.port);
        Observation seen{
            .stale = state.stale,
            .possible_loss = state.possible_loss,
            .discontinuities = state.discontinuities,
            .totals = device.totals(port.port),
            .standard = {},
        };
        if (with_standard)
            seen.standard = standard_json(
                device.model(), device.standard(port.port), seen.totals,
                device.accumulator(port.port).max_frame);
        return seen;
    }

private:
    Device& at(ScenarioPort port) { return devices_.at(port.device); }

    std::vector<Device> devices_;
    std::uint64_t now_ns_ = 0;
};

class BuiltinBackend final : public Backend {
public:
    [[nodiscard]] std::string_view name() const override { return "builtin"; }

    Result<std::unique_ptr<Bench>> set_up(const std::vector<ScenarioDevice>& devices) override {
        auto bench = std::make_unique<BuiltinBench>();
        for (const ScenarioDevice& device : devices)
            if (auto plugged = bench->plug_in(device); !plugged)
                return plugged.error();
        return std::unique_ptr<Bench>(std::move(bench));
    }
};

} // namespace

std::unique_ptr<Backend> builtin_backend() {
    return std::make_unique<BuiltinBackend>();
}

} // namespace macstats
