// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <utility>

#include "sweep.hpp"

namespace macstats::sweep::lan743x {

namespace {

const Mac mac = {
    .model = "lan743x",
    .registers = {{"MAC_RX", 0x104}, {"MAC_FLOW", 0x10c}},
    .standard =
        {
            {"eth-mac", "FramesReceivedOK", {"RX_TOTAL_FRAMES"}},
            {"eth-mac", "FramesTransmittedOK", {"TX_TOTAL_FRAMES"}},
            {"rtnl",
             "rx_errors",
             {"RX_FCS_ERRORS", "RX_ALIGNMENT_ERRORS", "RX_FRAGMENT_ERRORS", "RX_JABBER_ERRORS",
              "RX_UNDERSIZE_FRAME_ERRORS", "RX_OVERSIZE_FRAME_ERRORS"}},
            {"rtnl",
             "tx_errors",
             {"TX_FCS_ERRORS", "TX_EXCESS_DEFERRAL_ERRORS", "TX_CARRIER_ERRORS",
              "TX_EXCESSIVE_COLLISION", "TX_LATE_COLLISIONS"}},
        },
};

// Flow control is on.
const std::vector<Device> full = {{.registers = {{"MAC_FLOW", 1u << 30}}}};
const std::vector<Device> half = {
    {.options = {{"duplex", "half"}}, .registers = {{"MAC_FLOW", 1u << 30}}}};

const std::string driver = "Linux lan743x_main.h, STAT_RX_FCS_ERRORS to STAT_EEE_TX_LPI_TIME";

// Every size class, too short, too long, and bad in each way.
const Frames received =
    frames("64, 100, 200, 300, 600, 1200, 1519 tag, 63, 1519, 64 fcs, 64 alignment, 63 fcs,"
           "1519 fcs, 64 overrun");
const Frames sent = frames("64, 100, 200, 300, 600, 1200, 1519");
const Frames collided =
    frames("c1, c2") * frames(", multicast, broadcast, control, pause, pfc, tag, tags, by_mac");

void add_registers(Sweeps& all) {
    Sweep& writes = all.emplace_back(
        mac, "no_counter_can_be_written",
        "each counter shows all of its bits at its address, and neither a read nor a write changes "
        "it",
        driver + "; that writes are ignored is inferred");
    Values values;
    for (const auto& counter : writes.counters())
        values.emplace_back(counter.name, 0xffffffff - values.size());
    writes.preset(values);
    for (const auto& counter : writes.counters())
        writes.read(hex(counter.address)).write(hex(counter.address), 5);
    for (const auto& counter : writes.counters())
        writes.read(hex(counter.address));

    Sweep& over = all.emplace_back(
        mac, "counters_roll_over", "a counter of 32 bits rolls over", "LAN950x datasheet 5.3.1.7",
        half);
    values.clear();
    for (const auto& counter : over.counters())
        values.emplace_back(counter.name, 0xffffffff);
    over.preset(values)
        .each(100)
        .send(frames("rx") * (received + frames("64 multicast, 64 broadcast, 64 pause")))
        .send(
            frames("tx") *
            (sent + frames("64 multicast, 64 broadcast, 64 c1, 64 c2, 64 c16, 64 fcs,"
                           "64 late_collision, 64 carrier_loss, 64 excessive_deferral")))
        .expect("mac", State::all);
    all.emplace_back(
           mac, "pause_frames_of_the_mac_roll_over", "a counter of 32 bits rolls over",
           "LAN950x datasheet 5.3.1.7", full)
        .preset({{"TX_PAUSE_FRAMES", 0xffffffff}})
        .send(frames("tx 64 pause by_mac multicast"))
        .expect("mac", State::all);
}

// MAX_SIZE below all size classes, and above.
void add_maxima(Sweeps& all) {
    for (const auto& [name, max] : {std::pair{"small", 40u}, std::pair{"large", 9000u}}) {
        const std::vector<Device> devices = {{.registers = {{"MAC_RX", max << 16}}}};

        all.emplace_back(
               mac, std::string("a_") + name + "_maximum",
               "MAX_SIZE alone decides what is too long; the size classes do not depend on it",
               "Linux lan743x_main.h, MAC_RX_MAX_SIZE_MASK_", devices)
            .send(
                frames("rx") * frames("40, 41, 44, 45, 63, 9000, 9001, 9004, 9005") *
                frames(", tag, fcs"))
            .send(frames("rx") * received * frames(", multicast, broadcast, pause"))
            .expect();
    }
}

} // namespace

void add(Sweeps& all) {
    const BothWays both_ways = {
        .mac = mac,
        .reference = driver,
        .received = received,
        .sent = sent,
        .collided = collided,
        .received_errors =
            "FCS, alignment and symbol errors make a frame bad, an overrun drops it; other errors "
            "change nothing",
        .sent_errors =
            "a frame with an error of its own counter is not good, and not sent if a collision or "
            "an underrun cut it",
        .two_errors =
            "a late collision ends a frame before it is given up; other errors are independent"};

    add_registers(all);
    add_maxima(all);
    add_both_ways(all, both_ways, "full", full);
    add_both_ways(all, both_ways, "half", half);
}

} // namespace macstats::sweep::lan743x
