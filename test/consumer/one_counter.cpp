// SPDX-License-Identifier: GPL-2.0 OR MIT
// One counter of a port by its name; docs/library.md has these lines. Without the
// provider's kernel module, the Error states so.
#include <iostream>
#include <string>

#include <libmacstats/netlink/client.hpp>

int main(int argc, char** argv) {
    auto counter = macstats::Client::open().and_then([&](macstats::Client client) {
        return client.counter(argc > 1 ? argv[1] : "mac0", argc > 2 ? argv[2] : "rx_64b");
    });
    std::cout << (counter ? std::to_string(counter->total) : counter.error().message) << "\n";
    return counter || argc == 1 ? 0 : 1;
}
