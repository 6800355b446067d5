// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "sweep.hpp"

namespace macstats::sweep::rtl_tally {

namespace {

const Mac mac = {
    .model = "rtl_tally",
    .registers = {{"DTCCR_low", 0x10}},
    .standard =
        {
            {"eth-mac", "FramesTransmittedOK", {"TxOk"}},
            {"eth-mac", "SingleCollisionFrames", {"Tx1Col"}},
            {"eth-mac", "MultipleCollisionFrames", {"TxMCol"}},
            {"eth-mac", "FramesAbortedDueToXSColls", {"TxAbt"}},
            {"eth-mac", "FramesLostDueToIntMACXmitError", {"TxUndrn"}},
            {"eth-mac", "FramesReceivedOK", {"RxOk"}},
            {"eth-mac", "MulticastFramesReceivedOK", {"RxOkMu"}},
            {"eth-mac", "BroadcastFramesReceivedOK", {"RxOkBrd"}},
            {"eth-mac", "AlignmentErrors", {"FAE"}},
            {"eth-mac", "FramesLostDueToIntMACRcvError", {"MissPkt"}},
            {"rtnl", "tx_errors", {"TxErr"}},
            {"rtnl", "rx_errors", {"RxErr"}},
        },
};

std::string from_the_datasheet(const std::string& counters) {
    return "Realtek RTL8169 datasheet, Dump Tally Counter Command, " + counters;
}

const Frames sizes = frames("64, 65, 100, 200, 300, 600, 1200, 1518, 1519, 9000, 65535");

const Frames sorts = frames(
    ", multicast, broadcast, control, pause, pfc, pause multicast, control broadcast, tag, tags,"
    "multicast tag, broadcast tags, pause tag, by_mac, by_mac multicast, by_mac broadcast,"
    "control by_mac, pause by_mac, pause by_mac multicast, pause by_mac broadcast, c1, c2, c15,"
    "c16, c1 multicast, c2 broadcast, c1 control, c2 control, c1 by_mac, c2 by_mac, c1 tag, c2 tag,"
    " deferred, deferred multicast, deferred broadcast");

void add_words(Sweeps& all) {
    const std::string layout = from_the_datasheet("struct rtl8169_counters of Linux");

    Sweep& words = all.emplace_back(
        mac, "each_counter_has_its_place_in_the_copy",
        "a dump copies all bits of each counter to its place, in little-endian order", layout);
    Values values;
    for (const auto& counter : words.counters())
        values.emplace_back(
            counter.name,
            (0x8edc'ba98'7654'3210 + values.size() * 0x0101'0101'0101'0101) >> (64 - counter.bits));
    words.preset(values).write("DTCCR_low", 8);
    for (u32 address = 0x100; address < 0x140; address += 4)
        words.read(hex(address));
    for (u32 address = 0x100; address < 0x140; address += 4)
        words.write(hex(address), 5);
    for (u32 address = 0x100; address < 0x140; address += 4)
        words.read(hex(address));
    words.expect();

    Sweep& ends = all.emplace_back(
        mac, "narrow_counters_roll_over",
        "a counter of 16 or 32 bits goes on from 0 behind its maximum, without a carry into the "
        "other half of its word, and its total goes on",
        layout, half_duplex);
    values.clear();
    for (const auto& counter : ends.counters())
        if (counter.bits < 64)
            values.emplace_back(counter.name, (u64{1} << counter.bits) - 2);
    ends.preset(values)
        .each(5)
        .send(frames("rx 64 fcs, rx 64 alignment, rx 64 overrun, rx 64 multicast, tx 64 c1,"
                     "tx 64 c2, tx 64 excessive_collisions, tx 64 underrun"))
        .expect()
        .read("0x118")
        .read("0x11c")
        .read("0x120")
        .read("0x124")
        .read("0x138")
        .read("0x13c");
}

} // namespace

void add(Sweeps& all) {
    const std::string received = from_the_datasheet("RxOk, RxOkPhy, RxOkBrd, RxOkMu");
    const std::string transmitted = from_the_datasheet("TxOk, TxErr, Tx1Col, TxMCol");

    add_words(all);
    for (const bool is_half : {false, true}) {
        const std::vector<Device>& duplex = is_half ? half_duplex : full_duplex;
        const std::string in = is_half ? "_in_half_duplex" : "_in_full_duplex";

        all.emplace_back(
               mac, "received_frames_of_any_kind" + in,
               "of a good frame only the destination matters, if it has 64 octets or more",
               received, duplex)
            .each(2)
            .send(frames("rx") * (frames("8, 63") + sizes) * sorts)
            .expect();
        all.emplace_back(
               mac, "received_frames_with_errors" + in,
               "an FCS, alignment or symbol error makes a frame a bad one, and lack of room one "
               "that was missed, which counts nowhere else",
               from_the_datasheet("RxErr, FAE, MissPkt"), duplex)
            .each(2)
            .send(
                frames("rx") * frames("63, 64, 1519") *
                frames(", multicast, broadcast, pause, tag, tags, by_mac") * each_error)
            .send(frames("rx 100") * each_error * each_error)
            .expect();
        all.emplace_back(
               mac, "transmitted_frames_of_any_kind" + in,
               "only collisions matter; in half duplex the MAC sends no pause frames", transmitted,
               duplex)
            .each(2)
            .send(frames("tx") * (frames("8, 63") + sizes) * sorts)
            .expect();
        all.emplace_back(
               mac, "transmitted_frames_with_errors" + in,
               "collisions in half duplex, and an underrun, end a transmission; no other error "
               "does",
               from_the_datasheet("TxErr, TxAbt, TxUndrn"), duplex)
            .each(2)
            .send(frames("tx") * frames("64, 1519") * sorts * each_error)
            .send(frames("tx 100") * frames(", c1, c2, c16") * each_error * each_error)
            .expect();
    }
}

} // namespace macstats::sweep::rtl_tally
