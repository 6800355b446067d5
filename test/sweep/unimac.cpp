// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "sweep.hpp"

namespace macstats::sweep::unimac {

namespace {

const Mac mac = {
    .model = "unimac",
    .registers = {{"UMAC_CMD", 0x008}, {"UMAC_MAX_FRAME_LEN", 0x014}},
    .standard =
        {
            {"eth-phy", "SymbolErrorDuringCarrier", {"GRCDE"}},
            {"eth-mac", "FramesTransmittedOK", {"GTPOK"}},
            {"eth-mac", "SingleCollisionFrames", {"GTSCL"}},
            {"eth-mac", "MultipleCollisionFrames", {"GTMCL"}},
            {"eth-mac", "FramesReceivedOK", {"GRPOK"}},
            {"eth-mac", "FrameCheckSequenceErrors", {"GRFCS"}},
            {"eth-mac", "AlignmentErrors", {"GRALN"}},
            {"eth-mac", "OctetsTransmittedOK", {}},
            {"eth-mac", "FramesWithDeferredXmissions", {"GTDRF"}},
            {"eth-mac", "LateCollisions", {"GTLCL"}},
            {"eth-mac", "FramesAbortedDueToXSColls", {"GTXCL"}},
            {"eth-mac", "FramesLostDueToIntMACXmitError", {}},
            {"eth-mac", "CarrierSenseErrors", {}},
            {"eth-mac", "OctetsReceivedOK", {}},
            {"eth-mac", "FramesLostDueToIntMACRcvError", {}},
            {"eth-mac", "MulticastFramesXmittedOK", {"GTMCA"}},
            {"eth-mac", "BroadcastFramesXmittedOK", {"GTBCA"}},
            {"eth-mac", "FramesWithExcessiveDeferral", {"GTEDF"}},
            {"eth-mac", "MulticastFramesReceivedOK", {}},
            {"eth-mac", "BroadcastFramesReceivedOK", {"GRBCA"}},
            {"eth-mac", "InRangeLengthErrors", {"GRFLR"}},
            {"eth-mac", "OutOfRangeLengthField", {}},
            {"eth-mac", "FrameTooLongErrors", {"GRMTUE"}},
            {"eth-ctrl", "MACControlFramesTransmitted", {"GTXCF"}},
            {"eth-ctrl", "MACControlFramesReceived", {"GRXCF"}},
            {"eth-ctrl", "UnsupportedOpcodesReceived", {"GRXUO"}},
            {"rmon", "etherStatsUndersizePkts", {"RRUND"}},
            {"rmon", "etherStatsOversizePkts", {"GROVR", "GRMTUE"}},
            {"rmon", "etherStatsFragments", {"RRFRG"}},
            {"rmon", "etherStatsJabbers", {"GRJBR"}},
            {"rmon",
             "rx-pktsNtoM",
             {},
             {{64, 64, "GR64"},
              {65, 127, "GR127"},
              {128, 255, "GR255"},
              {256, 511, "GR511"},
              {512, 1023, "GR1023"},
              {1024, 1518, "GR1518"},
              {1519, 2047, "GR2047"},
              {2048, 4095, "GR4095"},
              {4096, 65535, "GR9216"}}},
            {"rmon",
             "tx-pktsNtoM",
             {},
             {{64, 64, "TR64"},
              {65, 127, "TR127"},
              {128, 255, "TR255"},
              {256, 511, "TR511"},
              {512, 1023, "TR1023"},
              {1024, 1518, "TR1518"},
              {1519, 2047, "TR2047"},
              {2048, 4095, "TR4095"},
              {4096, 65535, "TR9216"}}},
            {"pause", "tx_pause_frames", {"GTXPF"}},
            {"pause", "rx_pause_frames", {"GRXPF"}},
            {"rtnl", "rx_packets", {"GRPOK"}},
            {"rtnl", "tx_packets", {"GTPOK"}},
            {"rtnl", "rx_bytes", {}},
            {"rtnl", "tx_bytes", {}},
            {"rtnl", "rx_errors", {"GRFCS", "GRALN", "GRFLR", "GRJBR", "GRMTUE", "RRUND", "RRFRG"}},
            {"rtnl", "tx_errors", {"GTFCS", "GTEDF", "GTLCL", "GTXCL", "GTJBR"}},
            {"rtnl", "rx_dropped", {}},
            {"rtnl", "tx_dropped", {}},
            {"rtnl", "multicast", {"GRMCA"}},
            {"rtnl", "collisions", {"GTNCL"}},
            {"rtnl", "rx_length_errors", {"GRFLR", "GRMTUE", "RRUND"}},
            {"rtnl", "rx_over_errors", {}},
            {"rtnl", "rx_crc_errors", {"GRFCS"}},
            {"rtnl", "rx_frame_errors", {"GRALN"}},
            {"rtnl", "rx_fifo_errors", {}},
            {"rtnl", "rx_missed_errors", {}},
            {"rtnl", "tx_aborted_errors", {"GTXCL"}},
            {"rtnl", "tx_carrier_errors", {}},
            {"rtnl", "tx_fifo_errors", {}},
            {"rtnl", "tx_heartbeat_errors", {}},
            {"rtnl", "tx_window_errors", {"GTLCL"}},
        },
};

constexpr u32 unchecked = 1 << 24;

// With the longest frames, and with length fields checked or not.
std::vector<Device> with(u32 command, const std::string& duplex) {
    return {
        {.options = {{"duplex", duplex}},
         .registers = {{"UMAC_CMD", command}, {"UMAC_MAX_FRAME_LEN", 0x3fff}}}};
}

// One of every size class, and those around them that are neither legal nor oversize by a tag.
const Frames sizes = frames("64, 100, 200, 300, 600, 1200, 1519, 1522, 1523, 2048, 4096");
const Frames tags = frames(", tag, tags");
const Frames sorts =
    frames(", multicast, broadcast, control, pause, pfc, multicast control, multicast pause,"
           "multicast pfc, broadcast control, broadcast pause, broadcast pfc");

// Every counter at its address: all bits are there, a read and a write leave them.
void add_registers(Sweeps& all) {
    Sweep& places = all.emplace_back(
        mac, "every_counter_is_at_its_address",
        "each counter shows all of its bits at its address; neither a read nor a write changes it",
        "bcmgenet.h, bcmasp_intf_defs.h; that writes are ignored is inferred");
    Values values;
    for (const auto& counter : places.counters())
        values.emplace_back(counter.name, 0xffffff00 + values.size());
    places.preset(values);
    for (const auto& counter : places.counters())
        places.read(hex(counter.address)).write(hex(counter.address), 5);
    for (const auto& counter : places.counters())
        places.read(hex(counter.address));

    Sweep& around = all.emplace_back(
        mac, "counters_roll_over_at_32_bits",
        "a counter of 32 bits rolls over, and its total goes on",
        "that the counters of the MIB roll over is inferred", with(0, "half"));
    values.clear();
    for (const auto& counter : around.counters())
        values.emplace_back(counter.name, 0xfffffff0);
    around.preset(values)
        .each(100)
        .send(frames("rx") * sizes * frames(", tag, fcs, alignment, code, multicast, broadcast"))
        .send(frames("rx 64") * frames("pause, control, pfc, payload_length"))
        .send(frames("rx 20000"))
        .send(frames("rx 63") * frames(", fcs"))
        .send(frames("tx") * sizes * frames(", tag, fcs, multicast, broadcast"))
        .send(
            frames("tx 64") * frames("pause, deferred, c1, c2, c16, late_collision,"
                                     "excessive_deferral"))
        .expect("mac", State::all);
}

void add_received(Sweeps& all) {
    const std::string registers = "Broadcom UNIMAC_MIB, GR64 to RRBYT; OpenBCM stat_ge.c";
    const Frames lengths = frames("63") + sizes;
    const std::string errors = "fcs, alignment, code, payload_length";
    const Frames around =
        frames("rx") * (lengths + frames("40, 41, 101, 1518, 1520, 1521, 1536, 1537, 2500, 2501"));
    const Frames wrong_lengths =
        frames("payload_length, payload_length multicast, payload_length broadcast");
    const Frames some =
        frames(", multicast, broadcast, control, pause, pfc, fcs, alignment, code") + wrong_lengths;

    all.emplace_back(
           mac, "received_frames_of_any_kind",
           "size, tags, destination and kind decide which counters a good frame adds to", registers,
           with(0, "full"))
        .send(frames("rx") * lengths * tags * sorts)
        .expect();
    for (const u32 command : {0u, unchecked}) {
        const std::string how = command ? "unchecked" : "checked";

        all.emplace_back(
               mac, "receive_errors_while_lengths_are_" + how,
               "which counters a frame with an error adds to, while length fields are " + how,
               registers, with(command, "full"))
            .send(frames("rx") * lengths * tags * sorts * frames(errors))
            .send(frames("rx") * lengths * tags * frames(errors) * frames(errors))
            .expect();
        all.emplace_back(
               mac, "what_says_nothing_on_receive_while_lengths_are_" + how,
               "origin, collisions, deferral, a lack of room and errors of transmission change no "
               "receive counter",
               registers, with(command, "half"))
            .send(
                frames("rx") *
                frames("63, 64, 100, 200, 300, 600, 1200, 1519, 1522 tag, 2048, 4096, 20000") *
                some *
                frames("by_mac, c1, c2, c16, deferred, late_collision, excessive_collisions,"
                       "excessive_deferral, carrier_loss, underrun, overrun"))
            .expect();
    }
    for (const u32 most : {40u, 100u, 1518u, 1520u, 1536u, 2500u})
        all.emplace_back(
               mac, "a_maximum_of_" + std::to_string(most),
               "frames over " + std::to_string(most) +
                   " octets are MTU errors, unless they are bad",
               registers,
               std::vector<Device>{
                   {.name = "checked",
                    .registers = {{"UMAC_CMD", 0}, {"UMAC_MAX_FRAME_LEN", most}}},
                   {.name = "unchecked", .registers = {{"UMAC_MAX_FRAME_LEN", most}}}})
            .send(around * tags * some, "checked")
            .expect("checked")
            .send(around * tags * wrong_lengths, "unchecked")
            .expect("unchecked");
}

void add_transmitted(Sweeps& all) {
    const std::string registers = "Broadcom UNIMAC_MIB, TR64 to GTUC; OpenBCM stat_ge.c";
    const Frames some = frames("tx") * sizes;
    const Frames events = frames(", c1, c2, c15, c16, deferred, deferred c1, deferred c2");
    const Frames by_mac = frames("by_mac, by_mac pause tag, by_mac control, by_mac multicast");
    const Frames own_pause = frames("tx 64 by_mac multicast pause");
    const Frames ends =
        frames("late_collision, excessive_collisions, excessive_deferral, fcs, underrun");

    for (const std::string in : {"full", "half"}) {
        const std::vector<Device> duplex = with(in == "half" ? 0 : unchecked, in);

        all.emplace_back(
               mac, "transmitted_frames_in_" + in + "_duplex",
               "size, tags, destination and kind decide which counters a good frame adds to; " +
                   std::string(in == "half" ? "collisions count" : "nothing collides"),
               registers, duplex)
            .send(some * tags * sorts)
            .send(some * events * frames(", tag, multicast, broadcast, pause, control, pfc"))
            .send((some * by_mac + own_pause) * frames(", c1, c2, deferred"))
            .send(
                frames("tx") * frames("64, 1522 tag") * frames("multicast, broadcast, fcs") *
                frames("by_mac, c1, deferred"))
            .expect();
        all.emplace_back(
               mac, "transmit_errors_in_" + in + "_duplex",
               "which counters a frame that was given up, or has a bad FCS, adds to", registers,
               duplex)
            .send(some * tags * sorts * ends)
            .send((some * by_mac + own_pause) * ends)
            .send(some * events * ends)
            .send(frames("tx") * frames("64, 1519, 1522 tag, 2048") * ends * ends)
            .expect();
        all.emplace_back(
               mac, "what_says_nothing_on_transmit_in_" + in + "_duplex",
               "a lost carrier and errors of reception change no transmit counter", registers,
               duplex)
            .send(
                (some * frames(", tag, multicast, broadcast, pause, control, pfc, c1, c2, deferred,"
                               "fcs, late_collision, excessive_collisions, excessive_deferral") +
                 frames("tx 1522 tag") * frames("multicast, broadcast, fcs, underrun")) *
                frames("carrier_loss, alignment, code, payload_length, overrun"))
            .expect();
    }
}

} // namespace

void add(Sweeps& all) {
    add_registers(all);
    add_received(all);
    add_transmitted(all);
}

} // namespace macstats::sweep::unimac
