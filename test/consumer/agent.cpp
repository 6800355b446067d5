// SPDX-License-Identifier: GPL-2.0 OR MIT
// A monitoring agent; docs/library.md has these lines.
#include <iostream>

#include <libmacstats/core/escape.hpp>
#include <libmacstats/netlink/watch.hpp>
#include <poll.h>

void print(const macstats::PortStatistics& port) {
    std::cout << macstats::escaped(port.name) << (port.statistics.stale ? " stale " : "")
              << port.stale_reason << "\n";
    for (const auto& counter : port.counters())
        if (counter.value) // the hardware has it
            std::cout << counter.name() << " " << *counter.value << " "
                      << bound_name(counter.bound()) << "\n";
    for (const auto& statistic : port.standard())
        std::cout << statistic.group() << "/" << statistic.name() << " " << statistic.value << " "
                  << bound_name(statistic.bound) << "\n";
}

int main() {
    auto watch = macstats::Watch::open({.interval = std::chrono::seconds(2)});
    if (!watch) {
        std::cerr << watch.error().message << "\n";
        return 1;
    }
    pollfd source{.fd = watch->fd(), .events = POLLIN, .revents = 0}; // and those of the program
    while (poll(&source, 1, -1) >= 0) {
        auto update = watch->next(std::chrono::seconds(0));
        for (; update && *update; update = watch->next(std::chrono::seconds(0))) {
            if (const auto& event = (*update)->event)
                std::cout << (event->has_port() ? macstats::escaped(event->port.name) + " " : "")
                          << event_name(event->kind) << "\n";
            for (const auto& port : (*update)->ports)
                print(port);
        }
        if (!update) // the next read goes on
            std::cerr << macstats::printable(update.error().message) << "\n";
        std::cout << std::flush;
    }
}
