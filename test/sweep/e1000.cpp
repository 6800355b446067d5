// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <string>
#include <utility>
#include <vector>

#include "sweep.hpp"

namespace macstats::sweep::e1000 {

namespace {

// A MAC, with the options of its devices.
struct Family {
    Mac mac;
    std::string manual;
    std::string suffix; // of the names of its sweeps
    std::vector<Device> full;
    std::vector<Device> half;

    Family(
        Mac of, std::string manual_of, const ordered_json& options = ordered_json::object(),
        std::string suffix_of = "")
        : mac(std::move(of)),
          manual(std::move(manual_of)),
          suffix(std::move(suffix_of)),
          full({{.options = options}}),
          half({{.options = options}}) {
        half[0].options["duplex"] = "half";
    }

    [[nodiscard]] std::string from_the_manual(const std::string& registers) const {
        return manual + ", Statistics Registers, " + registers;
    }
};

// @tx_errors, @collisions: counters that are the sum
Mac mac_of(
    std::string model, std::vector<std::string> tx_errors, std::vector<std::string> collisions) {
    return {
        .model = std::move(model),
        .registers = {},
        .standard =
            {
                {"eth-mac", "FramesTransmittedOK", {"GPTC", "XONTXC", "XOFFTXC"}},
                {"eth-mac", "LateCollisions", {"LATECOL"}},
                {"eth-mac", "FramesAbortedDueToXSColls", {"ECOL"}},
                {"eth-mac", "CarrierSenseErrors", {"TNCRS"}},
                {"eth-mac", "FramesLostDueToIntMACXmitError", {}},
                {"rtnl", "tx_errors", std::move(tx_errors)},
                {"rtnl", "tx_window_errors", {"LATECOL"}},
                {"rtnl", "tx_aborted_errors", {"ECOL"}},
                {"rtnl", "tx_carrier_errors", {"TNCRS"}},
                {"rtnl", "collisions", std::move(collisions)},
            },
        .revisions = {"82574", "pch", "i350", "i225"}};
}

Family e1000e_of(const std::string& revision, const std::string& suffix) {
    return {
        mac_of("e1000e", {"LATECOL", "ECOL"}, {"COLC"}), "Ethernet Controller I210 Data Sheet",
        ordered_json{{"revision", revision}}, suffix};
}

// Of e1000e, the revision with most of the counters that frames reach.
const Family families[] = {
    {mac_of("e1000", {"LATECOL", "ECOL", "TNCRS"}, {"COLC", "LATECOL"}),
     "Intel 8254x Software Developer's Manual"},
    e1000e_of("i350", ""),
};
// Of these the registers alone.
const Family other_revisions[] = {
    e1000e_of("82574", "_of_an_82574"), e1000e_of("i225", "_of_an_i225")};

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
void add_registers(Sweeps& all, const Family& of) {
    const std::string common = of.from_the_manual("Common rules");

    Sweep& reads = all.emplace_back(
        of.mac, "a_read_clears_each_counter" + of.suffix,
        "each counter shows all of its bits at its address, and a read clears it, unless it is "
        "the low word of an octet counter",
        common, of.full);
    Values values;
    for (const auto& counter : reads.counters())
        values.emplace_back(counter.name, 0xffffffff);
    reads.preset(values);
    for (unsigned int time = 0; time < 2; time++)
        for (const auto& counter : reads.counters())
            reads.read(hex(counter.address));

    Sweep& writes = all.emplace_back(
        of.mac, "no_counter_can_be_written" + of.suffix, "a write changes no counter",
        common + "; that writes are ignored is inferred", of.full);
    values.clear();
    for (const auto& counter : writes.counters())
        values.emplace_back(counter.name, values.size() + (counter.saturates ? 256 : 768));
    writes.preset(values);
    for (const auto& counter : writes.counters())
        writes.write(hex(counter.address), 5);
    for (const auto& counter : writes.counters())
        writes.read(hex(counter.address));

    Sweep& stuck = all.emplace_back(
        of.mac, "counters_stick_at_32_bits" + of.suffix,
        "a counter of 32 bits stays at 0xffffffff and reports it", common, of.half);
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

void add_received(Sweeps& all, const Family& of) {
    const std::string registers = of.from_the_manual("GPRC, BPRC, MPRC, XOFFRXC, FCRUC, TPR");
    const std::string claim =
        "destination, kind, tags, origin and what happened on the medium change no other receive "
        "counter than those of destination and kind";

    all.emplace_back(
           of.mac, "received_frames_of_any_kind_in_full_duplex", claim, registers, of.full)
        .send(frames("rx") * lengths_and_errors * sorts_received)
        .expect();
    all.emplace_back(
           of.mac, "received_frames_of_any_kind_in_half_duplex", claim, registers, of.half)
        .send(frames("rx") * lengths_and_errors * few_sorts_received)
        .expect();
    all.emplace_back(
           of.mac, "errors_that_say_nothing_on_receive",
           "errors of transmission and a wrong checksum change no receive counter, and a wrong "
           "length field none of an 8254x",
           registers, of.full)
        .send(
            frames("rx") * lengths_and_errors * frames(", multicast, broadcast, pause, control") *
            frames("payload_length, late_collision, excessive_collisions, excessive_deferral,"
                   "carrier_loss, underrun, checksum"))
        .expect();
    all.emplace_back(
           of.mac, "received_errors_alone_and_in_pairs",
           "each error counts as itself, of frames of any size; a missed one counts as nothing "
           "else",
           of.from_the_manual("CRCERRS, ALGNERRC, RXERRC, MPC, RNBC, RUC, RFC, ROC, RJC"), of.full)
        .send(
            frames("rx") * frames("63, 64, 100, 200, 300, 600, 1522, 1523") *
            frames(", multicast, broadcast, pause, control") *
            frames("fcs, alignment, code, overrun, no_buffer, fcs alignment, fcs code,"
                   "fcs overrun, fcs no_buffer, alignment code, alignment overrun,"
                   "alignment no_buffer, code overrun, code no_buffer, overrun no_buffer"))
        .expect();
    all.emplace_back(
           of.mac, "missed_frames_and_wrong_length_fields",
           "neither what a frame is nor errors of transmission change how these errors count",
           of.from_the_manual("MPC, RNBC; LENERRS of an I210"), of.half)
        .send(
            frames("rx") * frames("40, 64, 100, 1522, 1523") *
            frames("overrun, payload_length, overrun payload_length, payload_length fcs,"
                   "payload_length alignment, payload_length code, payload_length no_buffer") *
            few_sorts_received)
        .send(
            frames("rx") * frames("64, 100") * frames("overrun, payload_length, no_buffer") *
            frames("late_collision, excessive_collisions, excessive_deferral, carrier_loss,"
                   "underrun, checksum, tag, tags, pfc"))
        .expect();
}

void add_transmitted(Sweeps& all, const Family& of) {
    const Frames some = frames("tx") * sizes_sent;
    const std::string registers = of.from_the_manual("GPTC, MPTC, BPTC, XOFFTXC, SCC, MCC, DC");

    all.emplace_back(
           of.mac, "transmitted_frames_of_any_kind_in_full_duplex",
           "destination, kind, tags and origin change no other transmit counter than their own; in "
           "full duplex nothing collides",
           registers, of.full)
        .send(some * sorts_sent)
        .expect();
    all.emplace_back(
           of.mac, "transmitted_frames_of_any_kind_in_half_duplex",
           "in half duplex the collisions of such frames count, too", registers, of.half)
        .send(some * sorts_sent)
        .expect();
    all.emplace_back(
           of.mac, "errors_that_say_nothing_on_transmit",
           "errors that do not end a transmission change no transmit counter",
           of.from_the_manual("GPTC, TPT"), of.full)
        .send(
            some *
            frames(", multicast, broadcast, pause, pause by_mac, pause multicast, pause broadcast,"
                   "c1, c2, deferred") *
            other_errors)
        .expect();
    all.emplace_back(
           of.mac, "errors_that_say_nothing_on_transmit_in_half_duplex",
           "nor do they in half duplex", of.from_the_manual("GPTC, TPT, SCC, MCC"), of.half)
        .send(some * frames(", multicast, broadcast, pause, c1, c2, c16, deferred") * other_errors)
        .expect();
    all.emplace_back(
           of.mac, "transmissions_that_end_in_two_ways",
           "a late collision ends a frame before 16 collisions do, and both before an underrun",
           of.from_the_manual("LATECOL, ECOL, COLC, TPT"), of.half)
        .send(
            some * frames("late_collision excessive_collisions, late_collision underrun,"
                          "excessive_collisions underrun, late_collision c16, underrun c16,"
                          "late_collision c2, underrun c2"))
        .expect();
    all.emplace_back(
           of.mac, "carrier_loss_in_half_duplex",
           "any frame without carrier sense counts in half duplex, and is sent",
           of.from_the_manual("TNCRS"), of.half)
        .send(some * sorts_sent * frames("carrier_loss"))
        .expect();
    all.emplace_back(
           of.mac, "carrier_loss_with_other_errors",
           "a frame that was not sent does not count as missing carrier sense",
           of.from_the_manual("TNCRS"), of.half)
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
    bool half; // the duplex mode
};

void add_ended(Sweeps& all, const Family& of, const End& end) {
    const std::string registers = of.from_the_manual(end.registers);
    const Frames error = frames("tx " + end.error);
    const std::vector<Device>& duplex = end.half ? of.half : of.full;

    all.emplace_back(of.mac, end.name, end.claim + end.addition, registers, duplex)
        .send(error * sizes_sent * sorts_sent)
        .expect();
    all.emplace_back(
           of.mac, end.name + "_with_other_errors", end.claim + "; other errors do not matter",
           registers, duplex)
        .send(
            error * frames("64, 100") * frames(", deferred") *
            (other_errors + frames("carrier_loss")))
        .expect();
    all.emplace_back(
           of.mac, end.name + end.name_in_the_other, end.claim_in_the_other, registers,
           end.half ? of.full : of.half)
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
    const End ends[] = {
        {"late_collision", "late_collisions", "LATECOL, COLC",
         "a frame ended by a late collision is not transmitted, whatever it is",
         "; COLC of an 8254x leaves out the late one", "_in_full_duplex", nothing_collides, true},
        {"excessive_collisions", "excessive_collisions", "ECOL, COLC",
         "a frame given up has collided 16 times, and is not transmitted", "", "_in_full_duplex",
         nothing_collides, true},
        {"underrun", "underruns", "GPTC, TPT", cut, "; no counter is its own", "_in_half_duplex",
         cut + ", in half duplex too", false},
    };

    for (const Family& of : families) {
        add_registers(all, of);
        add_received(all, of);
        add_transmitted(all, of);
        for (const End& end : ends)
            add_ended(all, of, end);
    }
    for (const Family& of : other_revisions)
        add_registers(all, of);
}

} // namespace macstats::sweep::e1000
