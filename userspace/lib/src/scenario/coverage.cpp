// SPDX-License-Identifier: GPL-2.0 OR MIT
// Repeats scenarios without their expectations, and looks which rules their frames match.
#include "scenario/coverage.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/model.hpp"
#include "libmacstats/device/device.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "scenario/builtin.hpp"

namespace macstats {

namespace {

ModelCoverage nothing_of(const macstats_model& model) {
    ModelCoverage coverage{.model = &model, .counters = {}, .registers = {}};
    for (const macstats_counter& counter : std::span(model.counters, model.n_counters)) {
        // No frame of the emulation is of a later queue or priority.
        const std::size_t rules = counter.index ? 0 : rules_in(counter.when).size();
        const bool is_software = macstats_is_software_counter(&counter);
        coverage.counters.push_back(
            {.rules = std::vector<bool>(is_software ? 1 : rules), .compared = false});
    }
    coverage.registers.resize(model.n_registers);
    return coverage;
}

// Marks what a step names: registers, and counters that it compares.
class Named {
public:
    explicit Named(ModelCoverage& coverage) : coverage_(coverage) {}

    void access(const Place& place, bool compared = false) {
        const macstats_model& model = *coverage_.model;
        unsigned int word = 0;
        if (const int i = macstats_register_at(&model, place.address); i >= 0)
            coverage_.registers[static_cast<std::size_t>(i)] = true;
        if (place.counter && compared)
            compare(CounterIndex(static_cast<std::uint32_t>(place.counter - model.counters)));
        else if (const int i = macstats_counter_at(&model, place.address, &word);
                 i >= 0 && compared)
            compare(CounterIndex(static_cast<std::uint32_t>(i)));
    }

    void compare(CounterIndex counter) { coverage_.counters.at(counter.value()).compared = true; }

    void operator()(const ReadStep& step) { access(step.place, step.expect.has_value()); }
    void operator()(const WriteStep& step) { access(step.place); }
    void operator()(const ExpectStep& step) {
        for (const ExpectStep::Total& total : step.totals)
            compare(total.counter);
        if (step.others == Others::zero)
            for (CounterCoverage& counter : coverage_.counters)
                counter.compared = true;
    }
    template <typename Other>
    void operator()(const Other&) {}

private:
    ModelCoverage& coverage_;
};

// The same steps without expectations, so that none fails: their polls change the device.
std::vector<Step> without_expectations(std::span<const Step> steps) {
    std::vector<Step> kept;
    for (Step step : steps) {
        if (auto* read = std::get_if<ReadStep>(&step))
            read->expect.reset();
        const auto* expect = std::get_if<ExpectStep>(&step);
        if (!expect)
            kept.push_back(std::move(step));
        else if (expect->fresh)
            kept.emplace_back(PollStep{expect->port});
    }
    return kept;
}

} // namespace

ModelCoverage& Coverage::of(const macstats_model& model) {
    const auto found =
        std::find_if(models_.begin(), models_.end(), [&model](const ModelCoverage& coverage) {
            return coverage.model == &model;
        });
    return found != models_.end() ? *found : models_.emplace_back(nothing_of(model));
}

void Coverage::add(const Scenario& scenario, std::size_t steps) {
    for (const ScenarioDevice& device : scenario.devices) {
        Named named(of(*device.model));
        for (const RegisterSetting& setting : device.registers)
            named.access(setting.place);
    }
    const auto ran = std::span(scenario.steps).first(std::min(steps, scenario.steps.size()));
    for (const Step& step : ran)
        std::visit(
            [&](const auto& one) {
                if constexpr (requires { one.port; })
                    Named(of(*scenario.devices.at(one.port.device).model))(one);
            },
            step);

    const auto backend =
        builtin_backend([this](const Device& device, PortIndex port, const macstats_frame& frame) {
            for (const CounterRule& match : device.matching_rules(port, frame))
                of(device.model()).counters[match.counter.value()].rules[match.rule] = true;
        });
    Scenario repeated = scenario;
    repeated.steps = without_expectations(ran);
    (void)run_scenario(repeated, *backend);
}

} // namespace macstats
