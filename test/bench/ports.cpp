// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Ports of a guest for the benchmarks, by the library:
//
// bench-ports hold MODEL N PREFIX [held]: makes ports PREFIX0, PREFIX1, ... of a model, prints a
// line, and keeps them until standard input ends. Held ports are polled on request only.
//
// bench-ports cached: once, the names and cached totals of all ports. Prints the nanoseconds that
// it took, and the number of totals.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <libmacstats/core/names.hpp>
#include <libmacstats/netlink/client.hpp>
#include <libmacstats/netlink/emulator.hpp>

namespace {

using macstats::Result;

template <typename T>
T must(Result<T> result) {
    if (!result)
        throw std::runtime_error(result.error().message);
    return std::move(*result);
}

void hold(const std::string& model, std::size_t wanted, const std::string& prefix, bool held) {
    auto emulator = must(macstats::Emulator::open());
    const macstats_model* known = macstats::find_model(model);
    const bool alone = known && known->ports == 1;
    std::string line;

    // For %d, the kernel looks at the names of all net devices.
    for (std::size_t made = 0; made < wanted;) {
        macstats::DeviceConfig config{};

        config.model = model;
        config.owned = true;
        config.held = held;
        config.line_rate_bound = true; // by default, held ports have none
        config.name_template = prefix + (alone ? std::to_string(made) : "%d");
        made += must(emulator.add(config)).ports.size();
    }
    std::cout << "made" << std::endl;
    std::getline(std::cin, line);
}

void cached() {
    using Clock = std::chrono::steady_clock;
    const auto begun = Clock::now();
    auto client = must(macstats::Client::open());
    std::size_t totals = 0;
    std::size_t letters = 0;
    std::uint64_t sum = 0;

    for (const auto& port : must(client.statistics(macstats::Freshness::cached))) {
        const auto counters = must(client.counters(port.model_id));

        for (std::size_t i = 0; i < counters.size(); i++, totals++) {
            letters += counters[i].name.size();
            sum += port.values[i];
        }
    }
    const auto took = Clock::now() - begun;

    if (!letters)
        throw std::runtime_error("no counter has a name");
    std::cerr << sum << "\n"; // nothing is computed in vain
    std::cout << std::chrono::nanoseconds(took).count() << "\n" << totals << "\n";
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";

    try {
        const bool held = argc == 6 && std::string_view(argv[5]) == "held";

        if (what == "hold" && (argc == 5 || held))
            hold(argv[2], std::strtoul(argv[3], nullptr, 10), argv[4], held);
        else if (what == "cached" && argc == 2)
            cached();
        else
            return 2;
    } catch (const std::exception& error) {
        std::cerr << "bench-ports: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
