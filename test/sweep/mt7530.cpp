// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "sweep.hpp"

namespace macstats::sweep::mt7530 {

namespace {

const Mac mac = {
    .model = "mt7530",
    .registers = {{"MIB_CCR", 0x4fe0}},
    .standard =
        {
            {"eth-mac", "FramesReceivedOK", {"RX_UNICAST", "RX_MULTICAST", "RX_BROADCAST"}},
            {"eth-mac", "FramesTransmittedOK", {"TX_UNICAST", "TX_MULTICAST", "TX_BROADCAST"}},
            {"rtnl",
             "rx_bytes",
             {"RX_BYTES", "-4*RX_UNICAST", "-4*RX_MULTICAST", "-4*RX_BROADCAST"}},
            {"rtnl",
             "tx_bytes",
             {"TX_BYTES", "-4*TX_UNICAST", "-4*TX_MULTICAST", "-4*TX_BROADCAST"}},
            {"rtnl",
             "rx_errors",
             {"RX_ALIGN_ERR", "RX_CRC_ERR", "RX_UNDER_SIZE_ERR", "RX_FRAG_ERR", "RX_OVER_SZ_ERR",
              "RX_JABBER_ERR"}},
            {"rtnl", "tx_errors", {"TX_CRC_ERR", "TX_LATE_COLLISION", "TX_EXCESSIVE_COLLISION"}},
            {"rtnl", "collisions", {"TX_COLLISION"}},
        },
};

const std::string driver = "Linux mt7530.h, MT7530_PORT_MIB_TX_DROP to RX_ARL_DROP";

// Every size class, too short, too long, and bad in each way.
const Frames received =
    frames("64, 100, 200, 300, 600, 1200, 1519, 1522, 1523, 63, 64 fcs, 64 alignment, 63 fcs,"
           "1523 fcs, 64 overrun, 64 no_buffer");
const Frames sent = frames("64, 100, 200, 300, 600, 1200, 1519, 1523");
const Frames collided = frames("c1, c2, deferred, deferred c1, deferred c2") *
                        frames(", multicast, broadcast, control, pause, pfc, tag, tags, by_mac");
const Frames own_pause = frames("tx 64 pause by_mac multicast");

bool is_octets(const reference::Counter& counter) {
    return counter.bits == 64;
}

void add_registers(Sweeps& all) {
    Sweep& writes = all.emplace_back(
        mac, "no_counter_can_be_written",
        "each counter shows all of its bits at its address, and neither a read nor a write changes "
        "it",
        driver + "; that writes are ignored is inferred");
    Values values;
    for (const auto& counter : writes.counters())
        values.emplace_back(
            counter.name,
            is_octets(counter) ? ~u64{0} - (values.size() << 32) : 0xffffffff - values.size());
    writes.preset(values);
    for (const auto& counter : writes.counters())
        for (u32 word = 0; word < counter.bits / 32; word++)
            writes.read(hex(counter.address + 4 * word)).write(hex(counter.address + 4 * word), 5);
    for (const auto& counter : writes.counters())
        for (u32 word = 0; word < counter.bits / 32; word++)
            writes.read(hex(counter.address + 4 * word));

    Sweep& over = all.emplace_back(
        mac, "counters_roll_over", "counters roll over, octets at 64 bits, and others at 32",
        driver + "; that they roll over is inferred", half_duplex);
    values.clear();
    for (const auto& counter : over.counters())
        values.emplace_back(counter.name, is_octets(counter) ? ~u64{0} : 0xffffffff);
    over.preset(values)
        .each(100)
        .send(frames("rx") * (received + frames("64 multicast, 64 broadcast, 64 pause")))
        .send(
            frames("tx") * (sent + frames("64 multicast, 64 broadcast, 64 c1, 64 c2, 64 c16,"
                                          "64 deferred, 64 fcs, 64 late_collision")))
        .expect("mac", State::all);
    all.emplace_back(
           mac, "pause_frames_of_the_mac_roll_over", "a counter of 32 bits rolls over",
           driver + "; that they roll over is inferred", full_duplex)
        .preset({{"TX_PAUSE", 0xffffffff}})
        .send(own_pause)
        .expect("mac", State::all);

    Sweep& carry = all.emplace_back(
        mac, "octets_carry_between_the_reads_of_their_words",
        "frames of any length between two reads of a word: the words are those of the moment",
        "Linux mt7530.h, MT7530_PORT_MIB_TX_BYTES, RX_BYTES; that nothing holds them is inferred");
    carry.each(1);
    for (const char* length : {"64", "1000", "1522"}) {
        carry.preset({{"RX_BYTES", 0xffffffff}, {"TX_BYTES", 0xffffffff}});
        carry.read("0x40a8").send(frames("rx") * frames(length)).read("0x40ac").read("0x40a8");
        carry.read("0x404c").send(frames("tx") * frames(length)).read("0x4048").read("0x404c");
        carry.expect("mac", State::all);
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
            "FCS, alignment and symbol errors make a frame bad, a lack of room drops it; other "
            "errors change nothing",
        .sent_errors =
            "a frame that is given up or has a bad FCS is not good, and not sent whole if a "
            "collision or an underrun cut it",
        .two_errors =
            "a late collision ends a frame before it is given up, and both before its FCS"};

    add_registers(all);
    add_both_ways(all, both_ways, "full", full_duplex);
    add_both_ways(all, both_ways, "half", half_duplex);
}

} // namespace macstats::sweep::mt7530
