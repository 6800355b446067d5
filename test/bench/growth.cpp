// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Costs over sizes: counters of a model, frames, and threads that count at the same port.
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models.hpp"

namespace macstats::bench {
namespace {

// A MAC with @n counters of 32 bits, one word behind the other: of received frames, each of
// another size, then of octets.
struct WideModel {
    explicit WideModel(unsigned int n) : counters(n), names(n), model(ll40g_model) {
        for (unsigned int i = 0; i < n; i++) {
            names[i] = "counter" + std::to_string(i);
            counters[i] = {};
            counters[i].name = names[i].c_str();
            counters[i].reg = names[i].c_str();
            counters[i].offset = 0x100 + 4 * i;
            counters[i].bits = 32;
            counters[i].unit = i % 2 ? MACSTATS_OCTETS : MACSTATS_FRAMES;
            counters[i].when[0].direction = MACSTATS_RX;
        }
        model = {};
        model.name = "wide";
        model.title = model.datasheet = "none";
        model.ports = 1;
        model.address_unit_bits = 8;
        model.bus_bits = 32;
        model.line_rate_bps = second_ns;
        model.counters = counters.data();
        model.n_counters = static_cast<decltype(model.n_counters)>(n);
        model.blocks[0].name = "all";
        model.n_blocks = 1;
        model.sizes = ll40g_model.sizes;
        model.min_frame_rx = model.min_frame_tx = MACSTATS_FRAME_MIN;
        model.data_overhead = model.control_overhead = 18;
        model.options = model.default_options = MACSTATS_OPT_STATISTICS;
    }

    WideModel(const WideModel&) = delete;
    WideModel& operator=(const WideModel&) = delete;

    std::vector<macstats_counter> counters;
    std::vector<std::string> names;
    macstats_model model;
};

void frame_by_counters(benchmark::State& state) {
    const WideModel wide(static_cast<unsigned int>(state.range(0)));
    auto port = std::make_unique<Port>(wide.model);
    auto frames = mixed_frames();
    std::size_t i = 0;

    for (macstats_frame& frame : frames)
        frame.direction = MACSTATS_RX;
    for (auto _ : state) {
        port->count(frames[i++ % frames.size()]);
        benchmark::ClobberMemory();
    }
}

// Registers in memory, which all have the same value.
struct Memory {
    __u64 value = 0;
};

int read_memory(void* context, __u32, __u64* value) {
    *value = static_cast<const Memory*>(context)->value;
    return 0;
}

int read_block_of_memory(
    void* context, __u32 address, __u64* values, unsigned int words, bool, unsigned int* done) {
    for (; *done < words; ++*done)
        read_memory(context, address, &values[*done]);
    return 0;
}

int update_memory(void*, __u32, __u32, __u32) {
    return 0;
}

void poll_by_counters(benchmark::State& state) {
    const WideModel wide(static_cast<unsigned int>(state.range(0)));
    auto acc = std::make_unique<macstats_accumulator>();
    Memory memory;
    __u64 now_ns = second_ns;
    unsigned int events = 0;

    acc->model = &wide.model;
    acc->bus.context = &memory;
    acc->bus.read = read_memory;
    acc->bus.read_block = read_block_of_memory;
    acc->bus.update = update_memory;
    if (macstats_start(acc.get(), now_ns)) {
        state.SkipWithError("the port does not start");
        return;
    }
    for (auto _ : state) {
        memory.value++;
        now_ns += second_ns;
        if (macstats_poll(acc.get(), now_ns, &events))
            state.SkipWithError("a poll fails");
    }
}

void count_frames(benchmark::State& state) {
    const auto frames = mixed_frames();
    const auto wanted = static_cast<std::size_t>(state.range(0));
    auto port = std::make_unique<Port>(ll40g_model);

    for (auto _ : state)
        for (std::size_t i = 0; i < wanted; i++) {
            port->count(frames[i % frames.size()]);
            benchmark::ClobberMemory();
        }
}

// Each thread has cells of its own, as each CPU of the kernel has. The rate is that of the time
// of CPU, so that other work on the machine takes nothing from it.
void frames_by_threads(benchmark::State& state) {
    static const auto port = [] {
        auto made = std::make_unique<Port>(ll40g_model);
        // The threads have no lock with which they could give a class its cell.
        for (const macstats_frame& frame : mixed_frames())
            made->count(frame);
        return made;
    }();
    const auto frames = mixed_frames();
    auto cells = std::make_unique<macstats_cpu_cells>();
    std::size_t i = 0;

    for (auto _ : state) {
        const macstats_seen seen = macstats_see(&port->emulator, &frames[i++ % frames.size()]);
        benchmark::DoNotOptimize(macstats_count(&port->emulator, cells.get(), &seen, 1));
        benchmark::ClobberMemory();
    }
    state.counters["frames_per_second"] =
        benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

const auto* const wide_frames = benchmark::RegisterBenchmark("frame by counters", frame_by_counters)
                                    -> RangeMultiplier(4) -> Args({5}) -> Range(16, 256);
const auto* const wide_polls = benchmark::RegisterBenchmark("poll by counters", poll_by_counters)
                                   -> RangeMultiplier(4) -> Args({5}) -> Range(16, 256);
const auto* const many_frames = benchmark::RegisterBenchmark("count frames", count_frames)
                                    -> RangeMultiplier(10) -> Range(1'000, 100'000'000);
const auto* const threads =
    benchmark::RegisterBenchmark("frames by threads", frames_by_threads) -> ThreadRange(1, 2);

} // namespace
} // namespace macstats::bench
