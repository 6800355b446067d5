// SPDX-License-Identifier: GPL-2.0 OR MIT
// What a driver's author may write: an own test program, on an emulated device in
// this process or, with the argument "kernel", on one of the kernel modules.
#include <libmacstats/scenario/test_device.hpp>

int main(int argc, char** argv) {
    macstats::TestDevice mac(argc > 1 ? argv[1] : "builtin", "ll40g");
    mac.send({.direction = MACSTATS_RX, .length = 60, .errors = MACSTATS_ERR_FCS}, 7);
    mac.expect("rx_fragments", 7);
    mac.expect("rmon/etherStatsFragments", 7);
}
