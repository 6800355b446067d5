// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The native benchmarks share this: a benchmark of each model, a port of one, a mix of frames.
#ifndef MACSTATS_TEST_BENCH_MODELS_HPP
#define MACSTATS_TEST_BENCH_MODELS_HPP

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include <benchmark/benchmark.h>
#include <macstats/emulate/emulator.h>
#include <macstats/models.h>
#include <macstats/poll.h>

namespace macstats::bench {

inline constexpr __u64 second_ns = 1'000'000'000;

// Registers TITLE/MODEL for each model. Return: 0, for a global variable.
inline int
for_each_model(const std::string& title, void (*run)(benchmark::State&, const macstats_model&)) {
    for (const macstats_model* model : macstats_models)
        benchmark::RegisterBenchmark((title + '/' + model->name).c_str(), run, *model);
    return 0;
}

// An emulated port whose statistics are switched on. It keeps its address.
struct Port {
    explicit Port(const macstats_model& model) {
        macstats_emulator_power_up(&emulator, &model, &cell_set, model.default_options, false, 1);
        const macstats_bit& gate = emulator.roles.gate;
        if (gate.mask)
            macstats_emulator_write(&emulator, &cell_set, gate.offset, gate.mask);
    }

    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

    void count(const macstats_frame& frame) {
        macstats_emulator_count(&emulator, &cell_set, &cells, &frame, 1);
    }

    macstats_cpu_cells cells{};
    macstats_cpu_cells* cell_list[1] = {&cells};
    macstats_cell_set cell_set{cell_list, 1};
    macstats_emulator emulator{};
};

// Frames of 64 to 1518 octets in a fixed order that no branch predictor learns at once.
inline std::array<macstats_frame, 256> mixed_frames() {
    std::array<macstats_frame, 256> frames{};
    __u64 random = 1;

    for (macstats_frame& frame : frames) {
        frame.direction = macstats_random(&random) & 1 ? MACSTATS_RX : MACSTATS_TX;
        frame.destination = MACSTATS_UNICAST;
        frame.kind = MACSTATS_DATA;
        frame.origin = MACSTATS_BY_SOFTWARE;
        frame.length = static_cast<__u32>(64 + macstats_random(&random) % (1518 - 64 + 1));
    }
    return frames;
}

} // namespace macstats::bench

#endif // MACSTATS_TEST_BENCH_MODELS_HPP
