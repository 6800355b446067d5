// SPDX-License-Identifier: GPL-2.0 OR MIT
// A C++ program that uses the library, without a kernel.
#include <libmacstats/core/names.hpp>
#include <libmacstats/device/device.hpp>

int main() {
    macstats::Device device(*macstats::all_models().front());
    return device.poll(macstats::PortIndex(0), 1) ? 0 : 1;
}
