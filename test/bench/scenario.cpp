// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Steps of a scenario on the built-in device. An item is a step.
#include <memory>
#include <utility>

#include <benchmark/benchmark.h>

#include "libmacstats/core/names.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/runner.hpp"
#include "libmacstats/scenario/scenario.hpp"

namespace macstats::bench {
namespace {

constexpr std::size_t steps = 100'000;

void send_steps(benchmark::State& state) {
    auto scenario = parse_scenario(
        R"({"name": "send", "devices": {"mac": {"model": "ll40g"}},
        "steps": [{"send": {"port": "mac", "direction": "rx", "length": 64}}]})",
        "send.json");
    const auto backend = builtin_backend();

    if (!scenario) {
        state.SkipWithError(scenario.error().message.c_str());
        return;
    }
    const Step step = scenario->steps.front();

    scenario->steps.assign(steps, step);
    for (auto _ : state)
        if (run_scenario(*scenario, *backend).outcome != Outcome::passed)
            state.SkipWithError("the scenario fails");
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(steps));
}

BENCHMARK(send_steps)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace macstats::bench
