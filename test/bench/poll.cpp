// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Register values become totals: by the accumulator, and by a bare loop. Each counter goes from 0
// to the same value again and again; `rewind` has the time that this takes. An item is a counter.
#include <algorithm>
#include <array>
#include <memory>

#include "models.hpp"

namespace macstats::bench {
namespace {

using Values = std::array<__u64, MACSTATS_MAX_COUNTERS>;

constexpr __u64 events = 1000; // of each counter between two polls

void report(benchmark::State& state, unsigned int counters) {
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * counters);
}

void go_back(__u64* old, unsigned int n) {
    std::fill_n(old, n, 0);
    benchmark::ClobberMemory();
}

void rewind(benchmark::State& state, const macstats_model& model) {
    const unsigned int n = macstats_register_counters(&model);
    Values old{};

    benchmark::DoNotOptimize(old.data());
    for (auto _ : state)
        go_back(old.data(), n);
    report(state, n);
}

// The least that any statistics need.
void bare_loop(benchmark::State& state, const macstats_model& model) {
    const unsigned int n = macstats_register_counters(&model);
    Values masks{};
    Values values{};
    Values old{};
    Values totals{};

    for (unsigned int i = 0; i < n; i++)
        masks[i] = macstats_bits_mask(model.counters[i].bits);
    values.fill(events);
    for (Values* each : {&masks, &values, &old, &totals})
        benchmark::DoNotOptimize(each->data());
    for (auto _ : state) {
        go_back(old.data(), n);
        for (unsigned int i = 0; i < n; i++) {
            totals[i] += (values[i] - old[i]) & masks[i];
            old[i] = values[i];
        }
        benchmark::ClobberMemory();
    }
    report(state, n);
}

// The part of a good poll that adds. A second has passed on the line since the one before.
void take_values(benchmark::State& state, const macstats_model& model) {
    const unsigned int n = macstats_register_counters(&model);
    auto acc = std::make_unique<macstats_accumulator>();
    unsigned int found = 0;

    acc->model = &model;
    acc->line_rate_bound = true;
    acc->line_rate_bps = model.line_rate_bps;
    acc->line_octets = macstats_octets_in(model.line_rate_bps, second_ns);
    for (auto _ : state) {
        for (unsigned int i = 0; i < n; i++) {
            macstats__wake(acc.get(), i);
            acc->counters[i].extent = MACSTATS_READ_WHOLE;
            acc->counters[i].value = events;
            acc->counters[i].old = 0;
        }
        benchmark::ClobberMemory();
        macstats_take_values(acc.get(), true, 0, 0, second_ns, &found);
        benchmark::ClobberMemory();
    }
    if (found)
        state.SkipWithError("the accumulator has found something wrong");
    else if (acc->counters[0].total != events * static_cast<__u64>(state.iterations()))
        state.SkipWithError("a value was not added");
    report(state, n);
}

const int rewinding = for_each_model("rewind", rewind);
const int looping = for_each_model("bare_add", bare_loop);
const int taking = for_each_model("accumulate", take_values);

} // namespace
} // namespace macstats::bench
