// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "sweep.hpp"

namespace macstats::sweep::gem {

namespace {

const Mac mac = {
    .model = "gem",
    .registers = {{"network_config", 0x4}, {"jumbo_max_length", 0x48}},
    .standard =
        {
            {"eth-mac", "FramesTransmittedOK", {"frames_txed_ok", "pause_frames_txed"}},
            {"eth-mac", "SingleCollisionFrames", {"single_collisions"}},
            {"eth-mac", "MultipleCollisionFrames", {"multiple_collisions"}},
            {"eth-mac", "FramesReceivedOK", {"frames_rxed_ok", "pause_frames_rxed"}},
            {"eth-mac", "FrameCheckSequenceErrors", {"fcs_errors"}},
            {"eth-mac", "AlignmentErrors", {"alignment_errors"}},
            {"eth-mac", "OctetsTransmittedOK", {}},
            {"eth-mac", "FramesWithDeferredXmissions", {"deferred_frames"}},
            {"eth-mac", "LateCollisions", {"late_collisions"}},
            {"eth-mac", "FramesAbortedDueToXSColls", {"excessive_collisions"}},
            {"eth-mac", "FramesLostDueToIntMACXmitError", {"tx_underruns"}},
            {"eth-mac", "CarrierSenseErrors", {"crs_errors"}},
            {"eth-mac", "OctetsReceivedOK", {}},
            {"eth-mac", "FramesLostDueToIntMACRcvError", {"rx_overruns"}},
            {"eth-mac", "MulticastFramesXmittedOK", {"multicast_txed", "pause_frames_txed"}},
            {"eth-mac", "BroadcastFramesXmittedOK", {"broadcast_txed"}},
            {"eth-mac", "FramesWithExcessiveDeferral", {}},
            {"eth-mac", "MulticastFramesReceivedOK", {}},
            {"eth-mac", "BroadcastFramesReceivedOK", {"broadcast_rxed"}},
            {"eth-mac", "InRangeLengthErrors", {"rx_length_errors"}},
            {"eth-mac", "OutOfRangeLengthField", {}},
            {"eth-mac", "FrameTooLongErrors", {"excessive_rx_length", "rx_jabbers"}},
            {"eth-ctrl", "MACControlFramesTransmitted", {}},
            {"eth-ctrl", "MACControlFramesReceived", {}},
            {"eth-ctrl", "UnsupportedOpcodesReceived", {}},
            {"eth-phy", "SymbolErrorDuringCarrier", {"rx_symbol_errors"}},
            {"rmon", "etherStatsUndersizePkts", {"undersize_frames"}},
            {"rmon", "etherStatsOversizePkts", {"excessive_rx_length"}},
            {"rmon", "etherStatsFragments", {}},
            {"rmon", "etherStatsJabbers", {"rx_jabbers"}},
            {"rmon", "rx-pktsNtoM", {}},
            {"rmon", "tx-pktsNtoM", {}},
            {"pause", "tx_pause_frames", {"pause_frames_txed"}},
            {"pause", "rx_pause_frames", {"pause_frames_rxed"}},
            {"rtnl", "rx_packets", {"frames_rxed_ok"}},
            {"rtnl", "tx_packets", {"frames_txed_ok"}},
            {"rtnl", "rx_bytes", {"octets_rxed", "-4*frames_rxed_ok"}},
            {"rtnl", "tx_bytes", {"octets_txed", "-4*frames_txed_ok"}},
            {"rtnl",
             "rx_length_errors",
             {"undersize_frames", "excessive_rx_length", "rx_jabbers", "rx_length_errors"}},
            {"rtnl", "rx_errors", {"rx_length_errors", "fcs_errors", "alignment_errors"}},
            {"rtnl",
             "tx_errors",
             {"tx_underruns", "excessive_collisions", "late_collisions", "crs_errors"}},
            {"rtnl", "rx_dropped", {}},
            {"rtnl", "tx_dropped", {}},
            {"rtnl", "multicast", {"multicast_rxed"}},
            {"rtnl", "collisions", {}},
            {"rtnl", "rx_over_errors", {}},
            {"rtnl", "rx_crc_errors", {"fcs_errors"}},
            {"rtnl", "rx_frame_errors", {"alignment_errors"}},
            {"rtnl", "rx_fifo_errors", {"rx_overruns"}},
            {"rtnl", "rx_missed_errors", {"rx_resource_errors"}},
            {"rtnl", "tx_aborted_errors", {"excessive_collisions"}},
            {"rtnl", "tx_carrier_errors", {"crs_errors"}},
            {"rtnl", "tx_fifo_errors", {"tx_underruns"}},
            {"rtnl", "tx_heartbeat_errors", {}},
            {"rtnl", "tx_window_errors", {"late_collisions"}},
        },
};

std::string from_the_manual(const std::string& registers) {
    return "UG1087, module GEM, " + registers;
}

// Each frame once, with polls in between: counters of 8 bits must not stay at their maximum.
void send(Sweep& sweep, const Frames& some, const std::string& device) {
    unsigned int unpolled = 0;

    sweep.each(1);
    for (const std::string& one : some) {
        sweep.send({one}, device);
        if (++unpolled == 200)
            sweep.poll(device);
        unpolled %= 200;
    }
    sweep.expect(device);
}

// Bit 8: frames of up to 1536 octets. Bits 16 and 24: those with a wrong length field, or with
// a wrong checksum, are discarded.
const std::vector<Device> each_check = {
    {.name = "receives", .registers = {{"network_config", 0x100}}},
    {.name = "length", .registers = {{"network_config", 0x10100}}},
    {.name = "checksum", .registers = {{"network_config", 0x1000100}}},
    {.name = "both", .registers = {{"network_config", 0x1010100}}},
};

// The same with bit 3: all but the shortest frames are longer than the maximum.
const std::vector<Device> each_check_of_40_octets = {
    {.name = "receives", .registers = {{"network_config", 0x8}, {"jumbo_max_length", 40}}},
    {.name = "length", .registers = {{"network_config", 0x10008}, {"jumbo_max_length", 40}}},
    {.name = "checksum", .registers = {{"network_config", 0x1000008}, {"jumbo_max_length", 40}}},
    {.name = "both", .registers = {{"network_config", 0x1010008}, {"jumbo_max_length", 40}}},
};

std::vector<Device> in_half_duplex(std::vector<Device> devices) {
    for (Device& device : devices)
        device.options["duplex"] = "half";
    return devices;
}

const std::vector<Device> each_speed = {
    {.name = "at_1000"},
    {.name = "at_100", .options = {{"speed", 100}}},
    {.name = "at_10", .options = {{"speed", 10}}},
};

std::vector<Device> with_checks(std::vector<Device> devices) {
    for (Device& device : devices)
        device.registers = {{"network_config", 0x1010000}};
    return devices;
}

// One device after the other.
void add(
    Sweeps& all, const std::string& name, const std::string& claim, const std::string& registers,
    const std::vector<Device>& devices, const Frames& some) {
    Sweep& sweep = all.emplace_back(mac, name, claim, from_the_manual(registers), devices);

    for (const Device& device : devices)
        send(sweep, some, device.name);
}

void add_received(Sweeps& all) {
    const Frames checks = frames(", payload_length, checksum, payload_length checksum");
    const Frames lengths = frames("64, 100, 200, 300, 600, 1200, 1536, 63, 1537");
    const Frames errors =
        frames(", fcs, alignment, code, overrun, no_buffer, fcs alignment, fcs code,"
               "overrun no_buffer, 63 code, 63 code alignment, 63 code overrun, 63 code no_buffer,"
               "1537 fcs, 1537 alignment, 1537 code, 1537 fcs overrun, 1537 fcs no_buffer");
    const Frames sorts =
        frames(", multicast, broadcast, control, pause, pfc, pause multicast, control broadcast,"
               "control multicast, pfc broadcast, pfc multicast, tag, tags, pause tag,"
               "multicast tags, broadcast tag");
    const Frames nothing =
        frames("late_collision, excessive_collisions, excessive_deferral, carrier_loss, underrun,"
               "c1, c2, c16, deferred, by_mac, pause by_mac multicast");
    const Frames rx = frames("rx");
    const Frames most = rx * (lengths * sorts + lengths * errors + errors * sorts) * checks;
    const std::string claim =
        "destination, kind and length of a received frame choose its counters; errors and the "
        "checks that are on keep it from them";
    const std::string registers = "octets_rxed to rx_ip_ck_errors";

    add(all, "received_in_full_duplex", claim, registers, each_check, most);
    add(all, "received_in_half_duplex", claim, registers, in_half_duplex(each_check), most);
    add(all, "longer_than_a_small_maximum", "frames of any length may be longer than the maximum",
        registers, each_check_of_40_octets, rx * lengths * (errors + sorts) * checks);
    add(all, "errors_that_say_nothing_on_receive",
        "errors of transmission, collisions and deferral change no receive counter", registers,
        each_check, rx * (lengths + errors + sorts) * checks * nothing);
    const std::string speed =
        "symbol errors of short frames do not count at 1000 Mb/s; else the speed does not matter";
    const Frames few = rx * (lengths * errors + errors * sorts + errors * checks * nothing);
    add(all, "received_at_each_speed", speed, registers, each_speed, few);
    add(all, "received_at_each_speed_in_half_duplex", speed, registers, in_half_duplex(each_speed),
        few);
    add(all, "received_at_each_speed_with_all_checks", speed, registers, with_checks(each_speed),
        few);
}

void add_transmitted(Sweeps& all) {
    const Frames lengths = frames("64, 100, 200, 300, 600, 1200, 1600, 1, 65535");
    const Frames sorts =
        frames(", multicast, broadcast, control, pause, pfc, pause multicast, pause broadcast,"
               "control broadcast, tag, tags, pause tag, multicast tags, broadcast tag, by_mac,"
               "control by_mac,"
               "pause by_mac, pause by_mac multicast, pause by_mac broadcast, pause by_mac tag");
    const Frames medium =
        frames(", c1, c2, c15, c16, deferred, carrier_loss, late_collision c1, late_collision c2,"
               "late_collision c14, late_collision c15, late_collision c16, excessive_collisions,"
               "late_collision excessive_collisions, c1 deferred, c2 carrier_loss, c16 deferred,"
               "c16 carrier_loss, deferred carrier_loss, late_collision deferred,"
               "late_collision carrier_loss, excessive_collisions deferred,"
               "excessive_collisions carrier_loss, underrun, underrun c1, underrun c16,"
               "underrun deferred, underrun carrier_loss, underrun late_collision,"
               "underrun excessive_collisions, underrun c2, underrun late_collision c2,"
               "late_collision c2 carrier_loss, late_collision c15 carrier_loss, c2 deferred");
    const Frames nothing = frames(
        ", fcs, alignment, code, payload_length, overrun, checksum, no_buffer, excessive_deferral");
    const Frames late = frames(", late_collision");
    const Frames tx = frames("tx");
    const Frames most = tx * (lengths * medium + sorts * medium + medium * nothing +
                              late * (lengths * sorts + lengths * nothing + sorts * nothing));
    const std::string claim =
        "destination, length and what happened on the medium choose the counters of a transmitted "
        "frame; an underrun keeps it from all others";
    const std::string registers = "octets_txed to crs_errors";

    add(all, "transmitted_in_half_duplex", claim, registers, in_half_duplex(each_speed), most);
    add(all, "transmitted_in_full_duplex", claim, registers, {each_speed.front()}, most);
    add(all, "transmitted_with_checks", "the checks of received frames do not matter on transmit",
        registers, with_checks(in_half_duplex(each_speed)),
        tx * (lengths * late + sorts * late + medium));
}

void add_with_other_settings(Sweeps& all) {
    const Frames lengths = frames("64, 100, 200, 300, 600, 1200, 1600");
    const Frames tx = frames("tx") * lengths * frames(", late_collision");
    std::vector<Device> jumbo = in_half_duplex(each_speed);
    std::vector<Device> small = jumbo;
    for (Device& device : jumbo)
        device.registers = {{"network_config", 0x8}};
    for (Device& device : small)
        device.registers = {{"network_config", 0x8}, {"jumbo_max_length", 40}};

    const std::string claim = "no maximum of received frames keeps a frame from transmission";
    add(all, "transmitted_with_jumbo_frames", claim, "octets_txed to crs_errors", jumbo, tx);
    add(all, "transmitted_longer_than_a_small_maximum", claim, "octets_txed to crs_errors", small,
        tx);
    add(all, "symbol_errors_longer_than_a_small_maximum",
        "symbol errors count whatever the maximum is", "rx_symbol_errors", small,
        frames("rx") * frames("63 code, 64 code, 1200 code"));
    add(all, "pause_frames_of_the_mac_with_each_check",
        "checks of received frames do not change what is transmitted", "pause_frames_txed",
        each_check, frames("tx") * frames("pause by_mac multicast, 100, 300"));
}

void add_registers(Sweeps& all) {
    Sweep& reads = all.emplace_back(
        mac, "a_read_clears_each_counter",
        "each counter shows all of its bits at its address, and a read clears it",
        "UG585, chapter 16, statistics registers");
    Values values;
    for (const auto& counter : reads.counters())
        values.emplace_back(counter.name, (u64{1} << counter.bits) - 1);
    reads.preset(values);
    for (unsigned int time = 0; time < 2; time++)
        for (const auto& counter : reads.counters()) {
            reads.read(hex(counter.address));
            if (counter.bits > 32)
                reads.read(hex(counter.address + 4));
        }

    Sweep& stuck = all.emplace_back(
        mac, "each_counter_sticks", "each counter stays at its maximum and reports it",
        "UG585, chapter 16, statistics registers",
        std::vector<Device>{
            {.options = {{"duplex", "half"}}, .registers = {{"network_config", 0x1010100}}}});
    const Frames both_ways =
        frames("64, 100, 200, 300, 600, 1200, 1530, 64 multicast, 64 broadcast");
    values.clear();
    for (const auto& counter : stuck.counters())
        values.emplace_back(
            counter.name, (u64{1} << counter.bits) - (counter.bits > 32 ? 5000 : 9));
    stuck.preset(values)
        .each(9)
        .send(
            frames("rx") *
            (both_ways + frames("64 pause, 63, 1537, 1537 fcs, 64 fcs, 64 payload_length, 64 code,"
                                "64 alignment, 64 no_buffer, 64 overrun, 64 checksum")))
        .send(
            frames("tx") *
            (both_ways + frames("64 underrun, 64 c1, 64 c2, 64 c16, 64 late_collision, 64 deferred,"
                                "64 carrier_loss")))
        .expect("mac", State::all);
}

} // namespace

void add(Sweeps& all) {
    add_registers(all);
    add_received(all);
    add_transmitted(all);
    add_with_other_settings(all);
}

} // namespace macstats::sweep::gem
