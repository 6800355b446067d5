// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "sweep.hpp"

namespace macstats::sweep::e1000 {

namespace {

const Mac mac = {
    .model = "e1000",
    .registers = {},
    .standard =
        {
            {"eth-mac", "FramesTransmittedOK", {"GPTC", "XONTXC", "XOFFTXC"}},
            {"eth-mac", "LateCollisions", {"LATECOL"}},
            {"eth-mac", "FramesAbortedDueToXSColls", {"ECOL"}},
            {"eth-mac", "CarrierSenseErrors", {"TNCRS"}},
            {"eth-mac", "FramesLostDueToIntMACXmitError", {}},
            {"rtnl", "tx_errors", {"LATECOL", "ECOL", "TNCRS"}},
            {"rtnl", "tx_window_errors", {"LATECOL"}},
            {"rtnl", "tx_aborted_errors", {"ECOL"}},
            {"rtnl", "tx_carrier_errors", {"TNCRS"}},
            {"rtnl", "collisions", {"COLC"}},
        },
};

const std::vector<Device> half = {{.options = {{"duplex", "half"}}}};
const std::vector<Device> full = {{}};

std::string from_the_manual(const std::string& registers) {
    return "Intel 8254x Software Developer's Manual, Statistics Registers, " + registers;
}

// Every size class, and more than the maximum.
const Frames sizes_sent = frames("64, 100, 200, 300, 600, 1200, 65535");

const Frames sorts_sent = frames(
    ", multicast, broadcast, control, pause, pfc, pause multicast, pause broadcast, tag, tags,"
    "pause tag, multicast tag, broadcast tags, by_mac, pause by_mac, by_mac multicast,"
    "by_mac broadcast, c1, c2, c15, deferred, pause by_mac multicast, pause by_mac broadcast,"
    "pause by_mac tag, pause by_mac c1, pause by_mac c2, pause by_mac deferred,"
    "pause multicast c1, pause multicast c2, pause multicast deferred, pause broadcast c1,"
    "pause broadcast c2, pause broadcast deferred, control by_mac, control by_mac multicast,"
    "pfc by_mac, pfc by_mac multicast, control multicast, control broadcast, pfc multicast,"
    "pfc broadcast, multicast c1, multicast c2, multicast c15, multicast deferred, broadcast c1,"
    "broadcast c2, broadcast c15, broadcast deferred, pause c1, pause c2, pause c15,"
    "pause deferred, c1 tag, c1 tags, c1 by_mac, c1 control, c1 multicast deferred, c2 tag,"
    "c2 tags, c2 by_mac, c2 control, c2 multicast deferred, deferred tag, deferred tags,"
    "deferred by_mac, deferred control, deferred multicast");
// Those that say nothing on their own when a frame is sent.
const Frames other_errors = frames(
    "fcs, alignment, code, payload_length, excessive_deferral, overrun, checksum, no_buffer");

// Good frames of every size, and bad ones of every sort.
const Frames lengths_and_errors =
    frames("64, 100, 200, 300, 600, 1200, 1522, 63, 1523, 64 fcs, 1522 alignment, 63 fcs, 1523 fcs,"
           "64 code");

const Frames sorts_received = frames(
    ", multicast, broadcast, control, pause, pfc, pause multicast, pause broadcast,"
    "control multicast, control broadcast, tag, tags, pause tag, control tags, multicast tag,"
    "multicast tags, broadcast tag, broadcast tags, by_mac, by_mac multicast, by_mac broadcast,"
    "pause by_mac, control by_mac, c1, c2, c16, deferred, pfc multicast, pfc broadcast,"
    "multicast c1, multicast c2, multicast c16, multicast deferred, broadcast c1, broadcast c2,"
    "broadcast c16, broadcast deferred, pause c1, pause c2, pause c16, pause deferred, control c1,"
    "control c2, control c16, control deferred");
const Frames few_sorts_received =
    frames(", multicast, broadcast, control, pause, pfc, pause multicast, pause broadcast,"
           "control multicast, control broadcast, tag, c1, c2, c16, deferred");

// Octets roll over in 64 bits, the other counters stay at their maximum.
void add_registers(Sweeps& all) {
    const std::string common = from_the_manual("Common rules");

    Sweep& reads = all.emplace_back(
        mac, "a_read_clears_each_counter",
        "each counter shows all of its bits at its address, and a read clears it, unless it is "
        "the low word of an octet counter",
        common);
    Values values;
    for (const auto& counter : reads.counters())
        values.emplace_back(counter.name, 0xffffffff);
    reads.preset(values);
    for (unsigned int time = 0; time < 2; time++)
        for (const auto& counter : reads.counters())
            reads.read(hex(counter.address));

    Sweep& writes = all.emplace_back(
        mac, "no_counter_can_be_written", "a write changes no counter",
        common + "; that writes are ignored is inferred");
    values.clear();
    for (const auto& counter : writes.counters())
        values.emplace_back(counter.name, values.size() + (counter.saturates ? 256 : 768));
    writes.preset(values);
    for (const auto& counter : writes.counters())
        writes.write(hex(counter.address), 5);
    for (const auto& counter : writes.counters())
        writes.read(hex(counter.address));

    Sweep& stuck = all.emplace_back(
        mac, "counters_stick_at_32_bits", "a counter of 32 bits stays at 0xffffffff and reports it",
        common, half);
    values.clear();
    for (const auto& counter : stuck.counters())
        if (counter.saturates)
            values.emplace_back(counter.name, 0xfffffff0);
    const Frames both_ways = frames("64, 100, 200, 300, 600, 1200, 64 multicast, 64 broadcast");
    stuck.preset(values)
        .each(100)
        .send(
            frames("rx") *
            (both_ways + frames("64 pause, 64 control, 63, 1523, 64 alignment, 63 fcs, 1523 fcs,"
                                "64 code, 64 no_buffer, 64 overrun")))
        .send(
            frames("tx") * (both_ways + frames("64 deferred, 64 c1, 64 c2, 64 c16,"
                                               "64 late_collision, 64 carrier_loss")))
        .expect("mac", State::all);
}

void add_received(Sweeps& all) {
    const std::string registers = from_the_manual("GPRC, BPRC, MPRC, XOFFRXC, FCRUC, TPR");
    const std::string claim =
        "destination, kind, tags, origin and what happened on the medium change no other receive "
        "counter than those of destination and kind";

    all.emplace_back(mac, "received_frames_of_any_kind_in_full_duplex", claim, registers, full)
        .send(frames("rx") * lengths_and_errors * sorts_received)
        .expect();
    all.emplace_back(mac, "received_frames_of_any_kind_in_half_duplex", claim, registers, half)
        .send(frames("rx") * lengths_and_errors * few_sorts_received)
        .expect();
    all.emplace_back(
           mac, "errors_that_say_nothing_on_receive",
           "errors of transmission, a wrong length field and a wrong checksum change no receive "
           "counter",
           registers)
        .send(
            frames("rx") * lengths_and_errors * frames(", multicast, broadcast, pause, control") *
            frames("payload_length, late_collision, excessive_collisions, excessive_deferral,"
                   "carrier_loss, underrun, checksum"))
        .expect();
}

void add_transmitted(Sweeps& all) {
    const Frames some = frames("tx") * sizes_sent;
    const std::string registers = from_the_manual("GPTC, MPTC, BPTC, XOFFTXC, SCC, MCC, DC");

    all.emplace_back(
           mac, "transmitted_frames_of_any_kind_in_full_duplex",
           "destination, kind, tags and origin change no other transmit counter than their own; in "
           "full duplex nothing collides",
           registers, full)
        .send(some * sorts_sent)
        .expect();
    all.emplace_back(
           mac, "transmitted_frames_of_any_kind_in_half_duplex",
           "in half duplex the collisions of such frames count, too", registers, half)
        .send(some * sorts_sent)
        .expect();
    all.emplace_back(
           mac, "errors_that_say_nothing_on_transmit",
           "errors that do not end a transmission change no transmit counter",
           from_the_manual("GPTC, TPT"))
        .send(
            some *
            frames(", multicast, broadcast, pause, pause by_mac, pause multicast, pause broadcast,"
                   "c1, c2, deferred") *
            other_errors)
        .expect();
    all.emplace_back(
           mac, "carrier_loss_in_half_duplex",
           "any frame without carrier sense counts in half duplex, and is sent",
           from_the_manual("TNCRS"), half)
        .send(some * sorts_sent * frames("carrier_loss"))
        .expect();
    all.emplace_back(
           mac, "carrier_loss_with_other_errors",
           "a frame that was not sent does not count as missing carrier sense",
           from_the_manual("TNCRS"), half)
        .send(
            frames("tx carrier_loss") * frames("64, 100") * frames(", c1, c16") *
            (other_errors + frames("late_collision, excessive_collisions, underrun")))
        .expect();
}

// What ends a transmission in the one duplex, and what becomes of it in the other.
struct End {
    std::string error;
    std::string name;
    std::string registers;
    std::string claim;
    std::string addition;
    std::string name_in_the_other;
    std::string claim_in_the_other;
    const std::vector<Device>& duplex;
};

void add_ended(Sweeps& all, const End& end) {
    const std::string registers = from_the_manual(end.registers);
    const Frames error = frames("tx " + end.error);

    all.emplace_back(mac, end.name, end.claim + end.addition, registers, end.duplex)
        .send(error * sizes_sent * sorts_sent)
        .expect();
    all.emplace_back(
           mac, end.name + "_with_other_errors", end.claim + "; other errors do not matter",
           registers, end.duplex)
        .send(
            error * frames("64, 100") * frames(", deferred") *
            (other_errors + frames("carrier_loss")))
        .expect();
    all.emplace_back(
           mac, end.name + end.name_in_the_other, end.claim_in_the_other, registers,
           &end.duplex == &half ? full : half)
        .send(
            error * frames("64, 100, 200") *
            frames(", multicast, broadcast, control, pause, pfc, pause multicast, pause broadcast,"
                   "c1, c2, deferred"))
        .expect();
}

} // namespace

void add(Sweeps& all) {
    const std::string nothing_collides =
        "in full duplex nothing collides, and the frame is transmitted";
    const std::string cut = "a frame cut by an underrun is not transmitted";

    add_registers(all);
    add_received(all);
    add_transmitted(all);
    add_ended(
        all, {"late_collision", "late_collisions", "LATECOL, COLC",
              "a frame ended by a late collision is not transmitted, whatever it is",
              "; the late one is one collision more", "_in_full_duplex", nothing_collides, half});
    add_ended(
        all, {"excessive_collisions", "excessive_collisions", "ECOL, COLC",
              "a frame given up has collided 16 times, and is not transmitted", "",
              "_in_full_duplex", nothing_collides, half});
    add_ended(
        all, {"underrun", "underruns", "GPTC, TPT", cut, "; no counter is its own",
              "_in_half_duplex", cut + ", in half duplex too", full});
}

} // namespace macstats::sweep::e1000
