// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Random scenarios: the generator picks the steps, the slow reference of the MAC
// predicts the values, and a shrinker turns a long failing scenario into a short one.
#ifndef MACSTATS_TEST_RANDOM_SCENARIOS_HPP
#define MACSTATS_TEST_RANDOM_SCENARIOS_HPP

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <macstats/emulate/emulator.h>

#include "../reference/reference.hpp"
#include "../unit/support/fixture.hpp"
#include "../unit/support/reference_faults.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"

namespace macstats::test {

// Generates the steps. Its expectations name only where to look, without values.
class Generator {
public:
    Generator(const macstats_model& model, std::uint64_t seed) : model_(model), random_(seed) {}

    Scenario generate() {
        Scenario scenario;
        scenario.name = "random";
        scenario.devices.push_back(device());
        rate_bps_ = macstats_line_rate_bps(&model_, scenario.devices[0].options);
        const unsigned int steps = random_.between(3, 30);
        for (unsigned int i = 0; i < steps; i++)
            scenario.steps.push_back(step());
        for (unsigned int i = 0; i < model_.ports; i++)
            scenario.steps.push_back(ExpectStep{.port = {0, PortIndex(i)}});
        return scenario;
    }

private:
    ScenarioDevice device() {
        ScenarioDevice device{.name = "mac", .model = &model_, .options = model_.default_options};
        const unsigned int statistics = macstats_statistics_options(&model_);
        for (unsigned int bit = 1; bit <= MACSTATS_OPT_RX_STATISTICS; bit <<= 1) {
            if (bit & (MACSTATS_OPT_SETTINGS | MACSTATS_OPT_SPEEDS))
                continue;
            if ((model_.options & bit) && random_.one_in(statistics & bit ? 20 : 3))
                device.options = static_cast<std::uint16_t>(device.options ^ bit);
        }
        // Never two of them.
        const u32 speed = random_.one_in(2) ? MACSTATS_OPT_10M : MACSTATS_OPT_100M;
        if ((model_.options & speed) && random_.one_in(3))
            device.options = static_cast<std::uint16_t>(device.options | speed);
        const u32 later = u32{MACSTATS_OPT_REVISION_2} << random_.below(3);
        if ((model_.options & later) && random_.one_in(2))
            device.options = static_cast<std::uint16_t>(device.options | later);
        device.random_power_up = random_.one_in(3);
        device.seed = device.random_power_up ? random_.next() : 0;
        return device;
    }

    ScenarioPort port() { return {0, PortIndex(random_.below(model_.ports))}; }

    Step step() {
        const u32 chance = random_.below(100);
        if (chance < 50)
            return send();
        if (chance < 65)
            return ReadStep{.port = port(), .name = address()};
        if (chance < 73)
            return WriteStep{.port = port(), .name = address(), .value = value()};
        if (chance < 78)
            return preset();
        if (chance < 84)
            return fault();
        if (chance < 88)
            return PollStep{.port = port()};
        if (chance < 90)
            return advance();
        return ExpectStep{.port = port(), .fresh = !random_.one_in(4)};
    }

    Step send() {
        Frame frame = random_frame(random_);
        if (random_.one_in(6))
            frame.errors = static_cast<u16>(1u << random_.below(12));
        if (random_.one_in(6))
            frame.collisions = static_cast<u8>(random_.below(MACSTATS_ATTEMPT_LIMIT + 1));
        frame.deferred = random_.one_in(8);
        if (random_.one_in(8))
            frame.origin = MACSTATS_BY_MAC;
        make_possible(frame);
        frame = with_descriptors(random_, model_, frame);
        std::uint64_t count = random_.between(1, 20);
        if (random_.one_in(10))
            count = std::uint64_t{1} << random_.below(36);
        return SendStep{.port = port(), .frame = frame, .count = count};
    }

    // A counter's word or a register, rarely an address where nothing may be.
    std::string address() {
        std::uint32_t address = 0;
        const auto& row = model_.counters[random_.below(macstats_register_counters(&model_))];
        if (model_.n_registers && (random_.one_in(2) || macstats__is_windowed(&model_, &row))) {
            address = model_.registers[random_.below(model_.n_registers)].offset;
        } else {
            address =
                macstats_word_offset(&model_, &row, random_.below(macstats_words(&model_, &row)));
        }
        return fmt::format("{:#x}", address);
    }

    std::uint64_t value() {
        static constexpr std::uint32_t telling[] = {0, 1, 2, 4, 5, 7, 64, 100, 1518, 9600, ~0u};
        if (random_.one_in(3))
            return random_.next() & macstats_bus_mask(&model_);
        return telling[random_.below(std::size(telling))];
    }

    Step preset() {
        const unsigned int counter = random_.below(macstats_register_counters(&model_));
        const std::uint64_t most = macstats_bits_mask(model_.counters[counter].bits);
        // Not so near to the end of 64 bits that it looks like a clear to go round.
        const std::uint64_t value = most == ~std::uint64_t{0} ? random_.next() >> 2
                                    : random_.one_in(2)       ? most - random_.below(10)
                                                              : random_.next() & most;
        return PresetStep{.port = port(), .counters = {{CounterIndex(counter), value}}};
    }

    // Those that the references know, and a slow bus, which changes no count of a held port.
    Step fault() {
        const std::uint32_t unknown =
            MACSTATS_FAULT_GATE_CLOSES |
            (MACSTATS_FAULTS_COMMON & ~(MACSTATS_FAULT_BUS_ERROR | MACSTATS_FAULT_SLOW_BUS));
        const std::uint32_t known = macstats_supported_faults(&model_) & ~unknown;
        std::vector<std::uint32_t> faults;
        for (unsigned int bit = 1; bit <= MACSTATS_FAULT_ALL; bit <<= 1)
            if (known & bit)
                faults.push_back(bit);
        FaultRequest request{
            .faults = faults[random_.below(faults.size())], .active = random_.one_in(2)};
        if (request.faults == MACSTATS_FAULT_SLOW_BUS && request.active)
            request.argument = 1; // a microsecond, so that a run takes no longer
        return FaultStep{.port = port(), .request = request};
    }

    // Never to the very moment at which a counter wraps.
    Step advance() {
        const std::uint64_t wrap_usecs = macstats__shortest_wrap_usecs(&model_, rate_bps_);
        const std::uint64_t wrap_ns =
            wrap_usecs > 1'000'000'000'000 ? 1'000'000'000'000'000 : wrap_usecs * 1000;
        return AdvanceStep{.nanoseconds = random_.one_in(2) ? wrap_ns * 3 : wrap_ns / 20 * 3};
    }

    const macstats_model& model_;
    std::uint64_t rate_bps_ = 0;
    Random random_;
};

// Writes the expected values into a scenario. Totals, states and registers come from
// the reference. Standard statistics, which the reference does not have, come from the
// builtin backend, which runs beside it, if they are wanted: by another backend that is
// tested. Values unknown to the reference are left open.
class Prophet {
public:
    Prophet(const Scenario& outline, bool with_standard)
        : device_(outline.devices.at(0)),
          with_standard_(with_standard) {
        const auto on = [&](unsigned int bit) { return (device_.options & bit) != 0; };
        const bool per_direction =
            device_.model->options & (MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS);
        const reference::Options options{
            .statistics = per_direction || on(MACSTATS_OPT_STATISTICS),
            .tx_statistics = on(MACSTATS_OPT_TX_STATISTICS),
            .rx_statistics = on(MACSTATS_OPT_RX_STATISTICS),
            .half_duplex = on(MACSTATS_OPT_HALF_DUPLEX),
            .fiber = on(MACSTATS_OPT_FIBER),
            .vlan_detection = on(MACSTATS_OPT_VLAN_DETECTION),
            .as_released = on(MACSTATS_OPT_VARIANT),
            .revision = macstats_revision(device_.options),
            .random = device_.random_power_up,
            .slowness = static_cast<u32>(
                device_.model->line_rate_bps /
                macstats_line_rate_bps(device_.model, device_.options))};
        for (unsigned int i = 0; i < device_.model->ports; i++) {
            ports_.push_back(reference::make_reference(device_.model->name, options));
            ports_.back()->poll();
        }
        auto set = builtin_backend()->set_up(outline.devices);
        if (!set)
            throw std::runtime_error(set.error().message);
        devices_ = std::move(*set);
        told_ = outline;
        told_.steps.clear();
        for (Step step : outline.steps)
            if (std::visit([this](auto& one) { return happens(one); }, step))
                told_.steps.push_back(std::move(step));
    }

    Scenario scenario() && { return std::move(told_); }

private:
    using Kind = reference::Answer::Kind;

    reference::Reference& at(ScenarioPort port) { return *ports_.at(port.index.value()); }

    static void must(const Result<void>& result) {
        if (!result)
            throw std::runtime_error(result.error().message);
    }

    // False: nobody could do this.
    bool happens(SendStep& step) {
        at(step.port).send(step.frame, step.count);
        must(devices_->send(step.port, step.frame, step.count));
        return true;
    }

    bool happens(ReadStep& step) {
        step.place = find_place(*device_.model, step.name).value();
        const auto answer = at(step.port).read(step.place.address);
        if (answer.kind != Kind::value && answer.kind != Kind::anything)
            return false;
        if (answer.kind == Kind::value && answer.certain == ~0u)
            step.expect = answer.value;
        return devices_->read(step.port, step.place).has_value();
    }

    bool happens(WriteStep& step) {
        step.place = find_place(*device_.model, step.name).value();
        step.value &= macstats_bits_mask(step.place.bits);
        const auto value = static_cast<std::uint32_t>(step.value);
        if (at(step.port).write(step.place.address, value) != Kind::value)
            return false;
        must(devices_->write(step.port, step.place, step.value));
        return true;
    }

    bool happens(PresetStep& step) {
        for (const auto& [counter, value] : step.counters)
            if (!macstats_builds_counter(
                    device_.model, device_.options, &device_.model->counters[counter.value()]))
                return false;
        for (const auto& [counter, value] : step.counters) {
            at(step.port).preset(index_of(step.port, counter), value);
            must(devices_->preset(step.port, counter, value));
        }
        return true;
    }

    bool happens(FaultStep& step) {
        for (const auto& [bit, fault] : reference_faults)
            if (bit == step.request.faults)
                at(step.port).fault(fault, step.request.active);
        must(devices_->fault(step.port, step.request));
        return true;
    }

    bool happens(PollStep& step) {
        at(step.port).poll();
        must(devices_->poll(step.port));
        return true;
    }

    bool happens(AdvanceStep& step) {
        for (auto& port : ports_)
            port->advance(step.nanoseconds);
        must(devices_->advance(step.nanoseconds));
        return true;
    }

    bool happens(ExpectStep& step) {
        if (step.fresh) {
            at(step.port).poll();
            must(devices_->poll(step.port));
        }
        const auto seen = devices_->observe(step.port, with_standard_);
        if (!seen)
            throw std::runtime_error(seen.error().message);
        const reference::State& state = at(step.port).state();
        step.state = {state.stale, state.possible_loss, {}, {}};
        if (!state.unclear)
            step.state.discontinuities = state.discontinuities;
        // In a kernel time passes, perhaps more of it than a short wrap time.
        if (macstats__shortest_wrap_usecs(device_.model, device_.model->line_rate_bps) <
                1'000'000 &&
            state.possible_loss == false)
            step.state.possible_loss.reset();
        step.totals.clear();
        for (unsigned int i = 0; i < seen->totals.size(); i++) {
            const CounterIndex counter(i);
            const std::size_t index = index_of(step.port, counter);
            const auto total = at(step.port).total(index);
            if (at(step.port).lacks(index))
                step.totals.push_back({counter, std::nullopt});
            else if (total && at(step.port).is_certain(index))
                step.totals.push_back({counter, *total});
        }
        if (with_standard_)
            step.standard = standard_of(seen->standard);
        return true;
    }

    // The rows of a model are in the order of the addresses, a reference is in its own.
    std::size_t index_of(ScenarioPort port, CounterIndex counter) {
        return at(port).index(device_.model->counters[counter.value()].reg);
    }

    // Each statistic as it is reported; one that is not reported must stay so.
    static std::vector<ExpectedStandard> standard_of(std::span<const StandardValue> statistics) {
        std::vector<ExpectedStandard> all;
        for (unsigned int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT; id++) {
            const StandardName name = standard_name(id);
            ExpectedStandard one{
                .group = std::string(name.group),
                .name = std::string(name.name),
                .low = {},
                .value = {}};
            const std::size_t before = all.size();
            for (const StandardValue& statistic : statistics) {
                if (statistic.id != id)
                    continue;
                if (macstats_is_histogram(id)) {
                    one.low = statistic.low;
                    one.high = statistic.high;
                }
                one.value = statistic.value;
                all.push_back(one);
            }
            if (all.size() == before)
                all.push_back(one);
        }
        return all;
    }

    const ScenarioDevice& device_;
    const bool with_standard_;
    std::vector<std::unique_ptr<reference::Reference>> ports_;
    std::unique_ptr<DeviceSet> devices_;
    Scenario told_;
};

// The scenario with what must be read.
inline Scenario foretold(const Scenario& outline, bool with_standard = true) {
    return Prophet(outline, with_standard).scenario();
}

// A shortest scenario that still fails, by leaving out what is not needed for it.
inline Scenario
shrunk(Scenario outline, const std::function<bool(const Scenario& outline)>& fails) {
    for (std::size_t size = outline.steps.size(); size > 0; size /= 2)
        for (std::size_t at = 0; at + size <= outline.steps.size();) {
            Scenario shorter = outline;
            const auto first = shorter.steps.begin() + static_cast<std::ptrdiff_t>(at);
            shorter.steps.erase(first, first + static_cast<std::ptrdiff_t>(size));
            if (fails(shorter))
                outline = std::move(shorter);
            else
                at += size;
        }
    const auto attempt = [&](const auto& simplify) {
        Scenario simpler = outline;
        simplify(simpler);
        if (fails(simpler))
            outline = std::move(simpler);
    };
    for (std::size_t i = 0; i < outline.steps.size(); i++) {
        if (!std::holds_alternative<SendStep>(outline.steps[i]))
            continue;
        attempt([i](Scenario& scenario) { std::get<SendStep>(scenario.steps[i]).count = 1; });
        attempt([i](Scenario& scenario) {
            auto& step = std::get<SendStep>(scenario.steps[i]);
            step.frame = Frame(step.frame.direction, MACSTATS_FRAME_MIN);
        });
    }
    attempt([](Scenario& scenario) { scenario.devices[0].random_power_up = false; });
    attempt([](Scenario& scenario) {
        scenario.devices[0].options = scenario.devices[0].model->default_options;
    });
    return outline;
}

} // namespace macstats::test

#endif // MACSTATS_TEST_RANDOM_SCENARIOS_HPP
