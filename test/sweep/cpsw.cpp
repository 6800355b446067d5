// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <set>
#include <string>

#include "sweep.hpp"

namespace macstats::sweep::cpsw {

namespace {

// A MAC, and its names of what the sweeps are about.
struct Switch {
    Mac mac;
    std::string manual; // up to the number of the section
    std::string enable; // a port's statistics
    std::string control;
    std::string maximum;
    std::string own_pause;
    std::set<std::string> unseen{}; // no port counts them, or not in these sweeps
};

const Switch am335x = {
    .mac =
        {
            .model = "cpsw",
            .registers =
                {{"STAT_PORT_EN", 0x4a10000c},
                 {"MACCONTROL", 0x4a100d84},
                 {"RX_MAXLEN", 0x4a100d90}},
            .standard =
                {{"eth-mac", "FramesTransmittedOK", {"Good Tx Frames"}},
                 {"eth-mac", "SingleCollisionFrames", {"Single Collision Tx Frames"}},
                 {"eth-mac", "MultipleCollisionFrames", {"Multiple Collision Tx Frames"}},
                 {"eth-mac", "FramesReceivedOK", {"Good Rx Frames"}},
                 {"eth-mac", "FrameCheckSequenceErrors", {"Rx CRC Errors"}},
                 {"eth-mac", "FramesWithDeferredXmissions", {"Deferred Tx Frames"}},
                 {"eth-mac", "LateCollisions", {"Late Collisions"}},
                 {"eth-mac", "FramesAbortedDueToXSColls", {"Excessive Collisions"}},
                 {"eth-mac", "FramesLostDueToIntMACXmitError", {"Tx Underrun"}},
                 {"eth-mac", "CarrierSenseErrors", {"Carrier Sense Errors"}},
                 {"eth-mac", "FramesLostDueToIntMACRcvError", {}},
                 {"eth-mac", "MulticastFramesXmittedOK", {"Multicast Tx Frames"}},
                 {"eth-mac", "BroadcastFramesXmittedOK", {"Broadcast Tx Frames"}},
                 {"eth-mac", "MulticastFramesReceivedOK", {"Multicast Rx Frames"}},
                 {"eth-mac", "BroadcastFramesReceivedOK", {"Broadcast Rx Frames"}},
                 {"eth-mac", "FrameTooLongErrors", {"Oversize Rx Frames", "Rx Jabbers"}},
                 {"rmon", "etherStatsUndersizePkts", {"Undersize (Short) Rx Frames"}},
                 {"rmon", "etherStatsOversizePkts", {"Oversize Rx Frames"}},
                 {"rmon", "etherStatsFragments", {"Rx Fragments"}},
                 {"rmon", "etherStatsJabbers", {"Rx Jabbers"}},
                 {"pause", "tx_pause_frames", {"Pause Tx Frames"}},
                 {"pause", "rx_pause_frames", {"Pause Rx Frames"}},
                 {"rtnl", "rx_packets", {"Good Rx Frames"}},
                 {"rtnl", "tx_packets", {"Good Tx Frames"}},
                 {"rtnl", "rx_bytes", {"Rx Octets", "-4*Good Rx Frames"}},
                 {"rtnl", "tx_bytes", {"Tx Octets", "-4*Good Tx Frames"}},
                 {"rtnl", "multicast", {"Multicast Rx Frames"}},
                 {"rtnl", "collisions", {"Collisions"}},
                 {"rtnl", "rx_crc_errors", {"Rx CRC Errors"}},
                 {"rtnl", "rx_length_errors", {"FrameTooLongErrors"}},
                 {"rtnl",
                  "rx_errors",
                  {"Rx CRC Errors", "Rx Align/Code Errors", "FrameTooLongErrors",
                   "Undersize (Short) Rx Frames", "Rx Fragments"}},
                 {"rtnl",
                  "rx_missed_errors",
                  {"Rx Start of Frame Overruns", "Rx Middle of Frame Overruns"}},
                 {"rtnl", "tx_aborted_errors", {"Excessive Collisions"}},
                 {"rtnl", "tx_carrier_errors", {"Carrier Sense Errors"}},
                 {"rtnl", "tx_fifo_errors", {"Tx Underrun"}},
                 {"rtnl", "tx_window_errors", {"Late Collisions"}},
                 {"rtnl",
                  "tx_errors",
                  {"tx_aborted_errors", "tx_carrier_errors", "tx_fifo_errors",
                   "tx_window_errors"}}},
        },
    .manual = "SPRUH73H 14.3.2.20.",
    .enable = "STAT_PORT_EN",
    .control = "MACCONTROL",
    .maximum = "RX_MAXLEN",
    .own_pause = "Pause Tx Frames",
    .unseen = {"Rx Middle of Frame Overruns"},
};

const Switch k3 = {
    .mac =
        {
            .model = "am65_cpsw",
            .registers =
                {{"CPSW_STAT_PORT_EN", 0x20014},
                 {"CPSW_PN_RX_MAXLEN", 0x22024},
                 {"CPSW_PN_MAC_CONTROL", 0x22330}},
            .standard =
                {{"eth-mac", "FramesTransmittedOK", {"TXGOODFRAMES"}},
                 {"eth-mac", "SingleCollisionFrames", {"TXSINGLECOLLFRAMES"}},
                 {"eth-mac", "MultipleCollisionFrames", {"TXMULTCOLLFRAMES"}},
                 {"eth-mac", "FramesReceivedOK", {"RXGOODFRAMES"}},
                 {"eth-mac", "FrameCheckSequenceErrors", {"RXCRCERRORS"}},
                 {"eth-mac", "FramesWithDeferredXmissions", {"TXDEFERREDFRAMES"}},
                 {"eth-mac", "LateCollisions", {"TXLATECOLLISIONS"}},
                 {"eth-mac", "FramesAbortedDueToXSColls", {"TXEXCESSIVECOLLISIONS"}},
                 {"eth-mac", "FramesLostDueToIntMACXmitError", {}},
                 {"eth-mac", "CarrierSenseErrors", {"TXCARRIERSENSEERRORS"}},
                 {"eth-mac", "FramesLostDueToIntMACRcvError", {}},
                 {"eth-mac", "MulticastFramesXmittedOK", {"TXMULTICASTFRAMES"}},
                 {"eth-mac", "BroadcastFramesXmittedOK", {"TXBROADCASTFRAMES"}},
                 {"eth-mac", "MulticastFramesReceivedOK", {"RXMULTICASTFRAMES"}},
                 {"eth-mac", "BroadcastFramesReceivedOK", {"RXBROADCASTFRAMES"}},
                 {"eth-mac", "FrameTooLongErrors", {"RXOVERSIZEDFRAMES", "RXJABBERFRAMES"}},
                 {"rmon", "etherStatsUndersizePkts", {"RXUNDERSIZEDFRAMES"}},
                 {"rmon", "etherStatsOversizePkts", {"RXOVERSIZEDFRAMES"}},
                 {"rmon", "etherStatsFragments", {"RXFRAGMENTS"}},
                 {"rmon", "etherStatsJabbers", {"RXJABBERFRAMES"}},
                 {"pause", "tx_pause_frames", {"TXPAUSEFRAMES"}},
                 {"pause", "rx_pause_frames", {"RXPAUSEFRAMES"}},
                 {"rtnl", "rx_packets", {"RXGOODFRAMES"}},
                 {"rtnl", "tx_packets", {"TXGOODFRAMES"}},
                 {"rtnl", "rx_bytes", {"RXOCTETS", "-4*RXGOODFRAMES"}},
                 {"rtnl", "tx_bytes", {"TXOCTETS", "-4*TXGOODFRAMES"}},
                 {"rtnl", "multicast", {"RXMULTICASTFRAMES"}},
                 {"rtnl", "collisions", {"TXCOLLISIONFRAMES"}},
                 {"rtnl", "rx_crc_errors", {"RXCRCERRORS"}},
                 {"rtnl", "rx_length_errors", {"FrameTooLongErrors"}},
                 {"rtnl",
                  "rx_errors",
                  {"RXCRCERRORS", "RXALIGNCODEERRORS", "FrameTooLongErrors", "RXUNDERSIZEDFRAMES",
                   "RXFRAGMENTS"}},
                 {"rtnl", "rx_missed_errors", {"RX_BOTTOM_OF_FIFO_DROP", "RX_TOP_OF_FIFO_DROP"}},
                 {"rtnl", "tx_aborted_errors", {"TXEXCESSIVECOLLISIONS"}},
                 {"rtnl", "tx_carrier_errors", {"TXCARRIERSENSEERRORS"}},
                 {"rtnl", "tx_fifo_errors", {}},
                 {"rtnl", "tx_window_errors", {"TXLATECOLLISIONS"}},
                 {"rtnl",
                  "tx_errors",
                  {"tx_aborted_errors", "tx_carrier_errors", "tx_window_errors"}},
                 {"mm", "MACMergeFrameAssErrorCount", {"IET_RX_ASSEMBLY_ERROR"}},
                 {"mm", "MACMergeFrameSmdErrorCount", {"IET_RX_SMD_ERROR"}},
                 {"mm", "MACMergeFrameAssOkCount", {"IET_RX_ASSEMBLY_OK"}},
                 {"mm", "MACMergeFragCountRx", {"IET_RX_FRAG", "IET_RX_ASSEMBLY_ERROR"}},
                 {"mm", "MACMergeFragCountTx", {"IET_TX_FRAG"}},
                 {"mm", "MACMergeHoldCount", {"IET_TX_HOLD"}}},
        },
    .manual = "SPRUIU1C; inferred for this MAC: SPRUH73H 14.3.2.20.",
    .enable = "CPSW_STAT_PORT_EN",
    .control = "CPSW_PN_MAC_CONTROL",
    .maximum = "CPSW_PN_RX_MAXLEN",
    .own_pause = "TXPAUSEFRAMES",
};

const Device full = {.name = "full"};
const Device half = {.name = "half", .options = {{"duplex", "half"}}};
const Device half_mac = {.options = {{"duplex", "half"}}};

const Frames receive_errors = frames("fcs, alignment, code");

// Frames for every counter but those of half duplex's pause frames.
const Frames one_of_everything =
    frames("rx") * frames("broadcast, multicast pause, fcs, code, 1519, 1519 fcs, 63, 63 fcs,"
                          "100 overrun") +
    frames("tx") * frames("200 broadcast, 300 multicast pause, 600 deferred, 1200 c1, c2, c16,"
                          "late_collision, underrun, carrier_loss");
// What it takes full duplex for.
const Frames own_pause_frame = frames("tx pause by_mac multicast x31");

void add_registers(Sweeps& all, const Switch& of) {
    Sweep& wraps = all.emplace_back(
        of.mac, "counters_wrap_at_32_bits",
        "a counter goes on from 0xffffffff to 0, and the total goes on rising",
        "DRA821 TRM, CPSW network statistics: rollover; 32-bit registers",
        std::vector<Device>{half_mac, full});
    Values values;
    for (const auto& counter : wraps.counters())
        values.emplace_back(counter.name, 0xfffffffe);
    wraps.preset(values).expect().primes().send(one_of_everything);
    for (const auto& counter : wraps.counters())
        wraps.read(counter.name);
    wraps.expect()
        .preset({{of.own_pause, 0xfffffffe}}, "full")
        .expect("full")
        .send(own_pause_frame, "full")
        .read(of.own_pause, "full")
        .expect("full");

    Sweep& decrements = all.emplace_back(
        of.mac, "every_counter_decrements",
        "each counter can be decremented, and keeps what it counted since",
        "DRA821 TRM, CPSW network statistics: write-to-decrement",
        std::vector<Device>{half_mac, full});
    decrements.primes().send(one_of_everything);
    for (const auto& counter : decrements.counters())
        if (!of.unseen.contains(counter.name))
            decrements.write(counter.name, 1).read(counter.name);
    decrements.expect();
    for (const auto& counter : decrements.counters())
        decrements.read(counter.name);
    decrements.send(own_pause_frame, "full")
        .write(of.own_pause, 1, "full")
        .read(of.own_pause, "full")
        .expect("full");
}

void add_flow_control(
    Sweeps& all, const Switch& of, const std::string& duplex, const Device& device) {
    const Frames ended =
        frames("64, 1200, 1600") *
            frames("late_collision, excessive_collisions, underrun, carrier_loss") +
        frames("100 c1, 100 c2, 100 c16, 100 deferred, 100");
    const Frames received =
        frames(", c1, c2") * frames("60, 63, 64, 100, 1518, 1519, 1600") *
            (frames("") + receive_errors) +
        frames("60") *
            frames("payload_length, late_collision, excessive_collisions, excessive_deferral,"
                   "carrier_loss, underrun, overrun") *
            frames(", c1") +
        frames("control, pause, pfc") * frames("64 multicast, 60 fcs c1");

    Sweep& sweep = all.emplace_back(
        of.mac, "flow_control_leaves_other_rules_alone_in_" + duplex + "_duplex",
        "in " + duplex + " duplex flow control changes what it is about, and no other rule",
        of.manual + "1 to .3", std::vector<Device>{device});
    sweep.write(of.enable, 7);
    for (const u32 flow : {0u, 8u, 16u}) // none, transmitted, received
        sweep.write(of.control, flow)
            .send(
                frames("tx by_software, tx by_mac") * ended + frames("rx") * received +
                frames("rx, tx") * frames("64, 200, 300, 600, 1200") *
                    frames(", multicast, broadcast") +
                frames("tx pause by_mac multicast"));
    sweep.expect();
}

void add_fragments(Sweeps& all, const Switch& of) {
    const std::string harmless = " payload_length excessive_deferral carrier_loss underrun";
    const Frames sorts = frames("rx") * frames(
                                            "x1, multicast by_mac" + harmless +
                                            " x10, broadcast tag overrun deferred x20, tags x30,"
                                            "control x40, pause x50");
    const Frames errors = frames("60 fcs, 60 alignment x1, 60 code x2");

    all.emplace_back(
           of.mac, "fragments_of_any_sort",
           "a short bad data frame is a fragment whatever its address, origin, tags and other "
           "errors; in full duplex collisions say nothing",
           of.manual + "1 (Offset = 24h)", std::vector<Device>{half, full})
        .send(
            errors * (sorts + frames("tx x60")) +
                frames("rx 60 fcs alignment code x70, rx 64 fcs x80, tx 60 fcs x90"),
            "half")
        .expect("half")
        .send(
            errors * (frames("c1") * sorts + frames("tx x60")) +
                frames("rx 60 fcs alignment code c1 x70, rx 64 fcs x80, tx 60 fcs c1 x90"),
            "full")
        .expect("full");
    all.emplace_back(
           of.mac, "fragments_without_flow_control",
           "without flow control no collision is forced: every short data frame with an error is a "
           "fragment",
           of.manual + "1 (Offset = 24h), " + of.manual + "2.5 (Offset = 48h), case 2",
           std::vector<Device>{{.options = half_mac.options, .registers = {{of.control, 16}}}})
        .send(
            frames("rx 60 c1") *
            (receive_errors * frames(
                                  "," + harmless +
                                  ", multicast, broadcast, tag, tags, by_mac, deferred, 1,"
                                  "40, 63, control, pause, pfc, pause tag, late_collision,"
                                  "excessive_collisions, overrun") +
             frames("payload_length")))
        .expect();
}

void add_sizes(Sweeps& all, const Switch& of) {
    Sweep& sizes = all.emplace_back(
        of.mac, "sizes_of_frames_with_receive_errors",
        "CRC, alignment and code errors are counted from 64 octets up to RX_MAXLEN; below a frame "
        "is a fragment, above a jabber",
        of.manual +
            "1 (Offset = 10h, 14h, 1Ch, 24h); that Rx Jabbers \"had no\" error is an erratum",
        std::vector<Device>{{.registers = {{of.maximum, 2000}}}});
    sizes
        .send(
            counted(
                frames("1, 63, 64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024, 1518, 1519,"
                       "2000, 2001, 65535"),
                0) *
            frames("rx fcs x2, rx alignment x200, rx code x40"))
        .expect();

    const std::vector<Device> both = {full, half};
    Sweep& holds = all.emplace_back(
        of.mac, "what_a_frame_holds_does_not_matter_on_receive",
        "kind, origin, tags, collisions and deferral of a received frame change none of the counts "
        "by size and error",
        of.manual + "1, 14.3.2.20.3", both);
    Sweep& classes = all.emplace_back(
        of.mac, "what_a_frame_holds_does_not_matter_to_the_size_classes",
        "the size classes count data and control frames, tagged or not, after collisions, with "
        "errors and without",
        of.manual + "3 (Offset = 68h to 7Ch): underruns have no effect", both);
    const Frames all_errors =
        frames("multicast fcs alignment code payload_length excessive_deferral underrun overrun c3 "
               "deferred");
    for (const Device& device : both) {
        holds
            .send(
                frames("rx") *
                    frames("64 x1, 64 fcs x8, 64 code x15, 1519 x22, 1519 fcs x29, 63 x36") *
                    counted(
                        frames("broadcast control by_mac, pause by_mac,"
                               "broadcast tag deferred, multicast tags, c2"),
                        0),
                device.name)
            .expect(device.name);
        classes
            .send(
                counted(frames("64, 100, 200, 300, 600, 1200"), 0) *
                    (frames("rx broadcast tags x1") + all_errors * frames("rx control by_mac x10") +
                     frames("tx broadcast tag x20") + all_errors * frames("tx pause x30")),
                device.name)
            .expect(device.name);
    }
}

// Each error alone and with some others, of frames of each size, destination and kind. Scenarios
// written by hand do it for the other MAC.
void add_errors(Sweeps& all, const Switch& of) {
    const Frames errors =
        frames(", fcs, alignment, code, payload_length, late_collision, excessive_collisions,"
               "excessive_deferral, carrier_loss, underrun, overrun");
    const Frames received =
        frames("rx") *
        frames("64, 64 multicast pause, 100 multicast, 200 broadcast, 300, 600, 1200, 1600, 60");
    const Frames sent =
        frames("tx") *
        frames("64, 100 multicast, 200 broadcast, 300, 600, 1200, 1600, 100 multicast c1,"
               "100 broadcast c2, 68 tag c1, 72 tags c2, 64 control c1, 64 pause c2");
    const std::vector<Device> both = {full, half};
    Sweep& alone = all.emplace_back(
        of.mac, "errors_of_any_frame", "each error counts in its own rules, whatever the frame is",
        of.manual + "1 to .3", both);
    for (const Device& device : both)
        alone.send(counted((received + sent) * errors, 0), device.name)
            .send(counted(received * errors * frames("fcs, alignment, overrun"), 0), device.name)
            .send(
                frames("tx 100 late_collision excessive_collisions x7, tx 100 c1 overrun x5,"
                       "tx 100 c2 fcs alignment code payload_length excessive_deferral x3"),
                device.name)
            .expect(device.name);
    for (const u32 most : {40u, 2000u})
        all.emplace_back(
               of.mac, "with_a_maximum_of_" + std::to_string(most),
               "sizes up to 64 octets and beyond 1518 depend on the maximum where a rule says so",
               of.manual + "1", std::vector<Device>{{.registers = {{of.maximum, most}}}})
            .send(counted(
                frames("rx") * frames("50, 60, 64, 1600, 2001") *
                    frames(", multicast, broadcast, pause multicast") * errors,
                0))
            .expect();
}

} // namespace

void add(Sweeps& all) {
    add_errors(all, k3);
    for (const Switch* of : {&am335x, &k3}) {
        add_registers(all, *of);
        add_flow_control(all, *of, "full", {});
        add_flow_control(all, *of, "half", half_mac);
        add_fragments(all, *of);
        add_sizes(all, *of);
    }
}

} // namespace macstats::sweep::cpsw
