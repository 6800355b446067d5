// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <string>
#include <utility>
#include <vector>

#include "sweep.hpp"

namespace macstats::sweep::netc {

namespace {

// Statistics are sums of both MACs.
std::vector<std::string> both(const std::string& reg, const std::string& factor = "") {
    return {factor + "PM0_" + reg, factor + "PM1_" + reg};
}

const Mac mac = {
    .model = "netc",
    .registers =
        {{"PM0_COMMAND_CONFIG", 0x08},
         {"PM0_MAXFRM", 0x14},
         {"PM0_STATN_CONFIG", 0xe0},
         {"PM1_STATN_CONFIG", 0x4e0}},
    .standard =
        {
            {"eth-mac", "FramesReceivedOK", both("RFRM")},
            {"eth-mac", "FramesTransmittedOK", both("TFRM")},
            {"eth-mac", "OctetsReceivedOK", both("ROCT") + both("RFRM", "-18*")},
            {"eth-mac", "OctetsTransmittedOK", both("TOCT") + both("TFRM", "-18*")},
            {"rtnl", "rx_bytes", both("ROCT") + both("RFRM", "-4*")},
            {"rtnl", "tx_bytes", both("TOCT") + both("TFRM", "-4*")},
            {"eth-ctrl", "MACControlFramesReceived", both("RCNP") + both("RXPF")},
            {"eth-ctrl", "MACControlFramesTransmitted", both("TCNP") + both("TXPF")},
            {"rtnl", "rx_errors", both("RERR") + both("RUND") + both("RFRG")},
            {"rtnl", "tx_errors", both("TERR") + both("TLCOL") + both("TECOL")},
        },
};

const std::string source = "Linux dpmac.h, enum dpmac_counter_id; NXP, PERI_NETC_ETH_LINK.h";

// Every size class, too short, too long, and bad in each way.
const Frames received = frames(
    "64, 100, 200, 300, 600, 1200, 1522, 1523, 1536, 63, 1537, 64 fcs, 64 alignment, 64 code,"
    "63 fcs, 63 alignment, 1537 fcs, 1537 alignment, 64 overrun");
const Frames sent = frames("64, 100, 200, 300, 600, 1200, 1522, 1523, 9000");
const Frames collided =
    frames("c1, c2") * frames(", multicast, broadcast, control, pause, pfc, tag, tags, by_mac");

bool is_wide(const reference::Counter& counter) {
    return counter.bits == 64;
}

void add_registers(Sweeps& all) {
    Sweep& writes = all.emplace_back(
        mac, "no_counter_can_be_written",
        "each counter shows all of its bits at its address, and neither a read nor a write changes "
        "it",
        source + ": read-only while WEN is clear");
    Values values;
    for (const auto& counter : writes.counters())
        values.emplace_back(
            counter.name,
            is_wide(counter) ? ~u64{0} - (u64{values.size()} << 32) : 0xffffffff - values.size());
    writes.preset(values);
    for (const auto& counter : writes.counters())
        for (u32 word = 0; word < counter.bits / 32; word++)
            writes.read(hex(counter.address + 4 * word)).write(hex(counter.address + 4 * word), 5);
    for (const auto& counter : writes.counters())
        for (u32 word = 0; word < counter.bits / 32; word++)
            writes.read(hex(counter.address + 4 * word));

    Sweep& clear = all.emplace_back(
        mac, "cod_lets_reads_of_one_mac_clear",
        "while COD of a MAC is set, a read of a low word clears its counter and holds the high "
        "word; the other MAC and the sublayer do not take part",
        source + ", PM0_STATN_CONFIG: COD; that the high word is held is inferred");
    clear.each(1);
    for (const char* config : {"PM0_STATN_CONFIG", "PM1_STATN_CONFIG"}) {
        clear.preset(values).write(config, 1u << 1);
        for (const auto& counter : clear.counters())
            for (u32 word = 0; word < counter.bits / 32; word++)
                clear.read(hex(counter.address + 4 * word));
        clear.send(frames("rx 64, tx 64"));
        for (const auto& counter : clear.counters())
            clear.read(hex(counter.address));
        clear.write(config, 0);
    }
}

// MAXFRM below all size classes, and above.
void add_settings(Sweeps& all) {
    for (const auto& [name, max] : {std::pair{"small", 40u}, std::pair{"large", 9600u}}) {
        const std::vector<Device> devices = {{.registers = {{"PM0_MAXFRM", max}}}};

        all.emplace_back(
               mac, std::string("a_") + name + "_maximum",
               "MAXFRM alone decides what is too long, tagged or not", source + ", PM0_MAXFRM",
               devices)
            .send(
                frames("rx") * frames("40, 41, 44, 63, 9600, 9601, 9604") *
                frames(", tag, fcs, alignment, code, overrun"))
            .send(frames("rx") * received * frames(", multicast, broadcast, pause, control, tag"))
            .send(frames("tx") * sent)
            .expect();
    }
}

} // namespace

void add(Sweeps& all) {
    const BothWays both_ways = {
        .mac = mac,
        .reference = source,
        .received = received + frames("64 control multicast, 64 tag, 1537 tag"),
        .sent = sent + frames("64 control multicast, 64 tag"),
        .collided = collided,
        .received_errors =
            "FCS, alignment and symbol errors make an error frame, an overrun drops it; other "
            "errors change nothing",
        .sent_errors =
            "a frame that is given up counts in TLCOL or TECOL only, one with an underrun or a bad "
            "FCS is bad; other errors change nothing",
        .two_errors = "a late collision comes before the sixteenth, and both before other errors"};

    add_registers(all);
    add_settings(all);
    add_both_ways(all, both_ways, "full", full_duplex);
    add_both_ways(all, both_ways, "half", half_duplex);
}

} // namespace macstats::sweep::netc
