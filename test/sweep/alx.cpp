// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <utility>

#include "sweep.hpp"

namespace macstats::sweep::alx {

namespace {

const Mac mac = {
    .model = "alx",
    .registers = {{"MAC_CTRL", 0x1480}, {"MTU", 0x149c}},
    .standard =
        {
            {"eth-mac", "FramesReceivedOK", {"RX_OK"}},
            {"eth-mac", "FramesTransmittedOK", {"TX_OK"}},
            {"rtnl", "rx_bytes", {"RX_BYTE_CNT"}},
            {"rtnl", "tx_bytes", {"TX_BYTE_CNT"}},
            {"rtnl",
             "rx_errors",
             {"RX_FCS_ERR", "RX_LEN_ERR", "RX_RUNT", "RX_FRAG", "RX_OV_SZ", "RX_ALIGN_ERR"}},
            {"rtnl", "rx_missed_errors", {"RX_OV_RXF", "RX_OV_RRD"}},
            {"rtnl", "tx_errors", {"TX_LATE_COL", "TX_ABORT_COL", "TX_UNDERRUN", "TX_TRUNC"}},
        },
};

// Flow control is on.
const std::vector<Device> full = {{.registers = {{"MAC_CTRL", 1u << 2}}}};
const std::vector<Device> half = {
    {.options = {{"duplex", "half"}}, .registers = {{"MAC_CTRL", 1u << 2}}}};

const std::string driver = "Linux alx/reg.h, ALX_MIB_RX_OK to ALX_MIB_TX_MCCNT";

// Every size class, too short, too long, and bad in each way.
const Frames received =
    frames("64, 100, 200, 300, 600, 1200, 1519, 1522, 1523, 63, 64 control, 64 fcs, 64 alignment,"
           "63 fcs, 1523 fcs, 64 payload_length, 64 overrun, 64 no_buffer");
const Frames sent = frames("64, 64 control, 100, 200, 300, 600, 1200, 1519, 1523");
const Frames collided = frames("c1, c2, deferred, deferred c1, deferred c2") *
                        frames(", multicast, broadcast, control, pause, pfc, tag, tags, by_mac");

void add_registers(Sweeps& all) {
    Sweep& reads = all.emplace_back(
        mac, "a_read_clears_each_counter",
        "each counter shows all of its bits at its address, a write leaves them, and a read clears "
        "them",
        driver + "; alx/hw.h; that writes are ignored is inferred");
    Values values;
    for (const auto& counter : reads.counters())
        values.emplace_back(counter.name, 0xffffffff - values.size());
    reads.preset(values);
    for (const auto& counter : reads.counters())
        reads.write(hex(counter.address), 5).read(hex(counter.address)).read(hex(counter.address));

    Sweep& over = all.emplace_back(
        mac, "counters_roll_over", "a counter of 32 bits rolls over",
        driver + "; that they roll over is inferred", half);
    values.clear();
    for (const auto& counter : over.counters())
        values.emplace_back(counter.name, 0xffffffff);
    over.preset(values)
        .each(100)
        .send(
            frames("rx") *
            (received + frames("64 multicast, 64 broadcast, 64 pause, 64 control, 64 code")))
        .send(
            frames("tx") *
            (sent + frames("64 multicast, 64 broadcast, 64 c1, 64 c2, 64 c16, 64 deferred,"
                           "64 late_collision, 64 underrun, 64 excessive_deferral, 64 pause,"
                           "64 pfc, 64 payload_length")))
        .expect("mac", State::all);
}

// MTU below all size classes, and above.
void add_maxima(Sweeps& all) {
    for (const auto& [name, max] : {std::pair{"small", 60u}, std::pair{"large", 9000u}}) {
        const std::vector<Device> devices = {
            {.options = {{"duplex", "half"}}, .registers = {{"MTU", max}}},
            {.name = "full", .registers = {{"MTU", max}, {"MAC_CTRL", 1u << 2}}}};

        all.emplace_back(
               mac, std::string("a_") + name + "_maximum",
               "MTU alone decides what is too long, whatever the tags and errors of a frame",
               "Linux alx/hw.h: rx_ov_sz, tx_trunc: \"size > MTU\"", devices)
            .send(
                frames("rx, tx") *
                frames("40, 60, 61, 64, 100, 200, 300, 600, 1200, 1519, 9000, 9001, 9004") *
                frames(", tag, fcs, multicast, broadcast, pause, control"))
            .send(
                frames("rx 61, rx 9001") * frames("fcs, alignment, overrun, no_buffer") *
                frames(", fcs"))
            .send(
                frames("tx 64, tx 9001") *
                frames("underrun, c1, c2, deferred, late_collision, excessive_collisions"))
            .expect()
            .send(frames("tx 64 pause by_mac multicast"), "full")
            .expect("full");
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
        .received_errors = "FCS, alignment and symbol errors, and a wrong length field, make a "
                           "frame bad, a lack of "
                           "room drops it; other errors change nothing",
        .sent_errors =
            "a frame that a collision or an underrun cuts is given up; one with a bad FCS is not "
            "good; other errors change nothing",
        .two_errors =
            "a late collision ends a frame before it is given up, and both before an underrun"};

    add_registers(all);
    add_maxima(all);
    add_both_ways(all, both_ways, "full", full);
    add_both_ways(all, both_ways, "half", half);
}

} // namespace macstats::sweep::alx
