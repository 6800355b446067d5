// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Counting one frame: by a cell, and by a walk over the model's rows.
#include <array>
#include <memory>

#include "models.hpp"

namespace macstats::bench {
namespace {

void count_frame(benchmark::State& state, const macstats_model& model) {
    const auto frames = mixed_frames();
    auto port = std::make_unique<Port>(model);
    std::size_t i = 0;

    for (auto _ : state) {
        port->count(frames[i++ % frames.size()]);
        benchmark::ClobberMemory();
    }
}

// The peer: each row is asked, as macstats_count_at_once() does.
void walk_rows(benchmark::State& state, const macstats_model& model) {
    const auto frames = mixed_frames();
    auto port = std::make_unique<Port>(model);
    std::array<__u64, MACSTATS_MAX_COUNTERS> counted{};
    std::size_t i = 0;

    for (auto _ : state) {
        const macstats_frame& frame = frames[i++ % frames.size()];
        const macstats_seen seen = macstats_see(&port->emulator, &frame);

        for (unsigned int c = 0; c < model.n_counters; c++) {
            const macstats_counter& counter = model.counters[c];

            if (macstats_counts(&counter, seen.frame_class))
                counted[c] += macstats_amount(&model, &counter, seen.frame_class, &seen.each);
        }
        benchmark::ClobberMemory();
    }
    benchmark::DoNotOptimize(counted);
}

// The same model with its first counters only: a frame costs the same.
void count_few(benchmark::State& state) {
    macstats_model few = ll40g_model;

    few.n_counters = static_cast<decltype(few.n_counters)>(state.range(0));
    count_frame(state, few);
}

const int counting = for_each_model("count", count_frame);
const int walking = for_each_model("walk", walk_rows);
BENCHMARK(count_few)->Arg(5)->Arg(ll40g_model.n_counters);

} // namespace
} // namespace macstats::bench
