// SPDX-License-Identifier: GPL-2.0 OR MIT
// What the author of a reader or a tool may write: a scenario in C++ on an emulated device in this
// process or, with the argument "kernel", on one of the kernel modules.
#include <libmacstats/scenario/test_device.hpp>

// The reader.
bool has_damaged_frames(const macstats::Observation& seen) {
    for (const auto& statistic : seen.standard)
        if (statistic.name() == "etherStatsFragments" && statistic.value > 0)
            return true;
    return false;
}

int main(int argc, char** argv) {
    macstats::TestDevice mac(argc > 1 ? argv[1] : "builtin", "ll40g");
    if (has_damaged_frames(mac.observe()))
        return 1;
    mac.send({.direction = MACSTATS_RX, .length = 60, .errors = MACSTATS_ERR_FCS}, 7);
    mac.expect("rx_fragments", 7);
    mac.expect("rmon/etherStatsFragments", 7);
    return has_damaged_frames(mac.observe()) ? 0 : 1;
}
