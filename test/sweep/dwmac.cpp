// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sweep.hpp"

namespace macstats::sweep::dwmac {

namespace {

constexpr u32 stop = 1u << 1;
constexpr u32 clear_on_read = 1u << 2;

using Names = std::vector<std::string>;

// @half: the MAC has half duplex, and counters for it. @preempts: it has those of frame preemption.
// @longest: what its maximum can be.
std::vector<Statistic> statistics(bool half, bool preempts, u32 longest) {
    const auto of_half = [&](const std::string& counter) {
        return half ? Names{counter} : Names{};
    };
    const std::string align = half ? "MMC_RX_ALIGN_ERROR" : "MMC_RX_ALIGN_ERR_FRAMES";
    const Names received = {
        "MMC_RX_UNICAST_G", "MMC_RX_MULTICASTFRAME_G", "MMC_RX_BROADCASTFRAME_G"};
    Names lost = {"MMC_TX_UNDERFLOW_ERROR"};
    if (half)
        lost.insert(
            lost.end(),
            {"MMC_TX_LATECOL", "MMC_TX_EXESSCOL", "MMC_TX_CARRIER_ERROR", "MMC_TX_EXCESSDEF"});
    const auto sizes = [&](const std::string& way) {
        return std::vector<Bucket>{
            {64, 64, way + "_64_OCTETS_GB"},
            {65, 127, way + "_65_TO_127_OCTETS_GB"},
            {128, 255, way + "_128_TO_255_OCTETS_GB"},
            {256, 511, way + "_256_TO_511_OCTETS_GB"},
            {512, 1023, way + "_512_TO_1023_OCTETS_GB"},
            {1024, longest, way + "_1024_TO_MAX_OCTETS_GB"}};
    };

    std::vector<Statistic> all{
        {"eth-mac", "FramesTransmittedOK", {"MMC_TX_FRAMECOUNT_G"}},
        {"eth-mac", "SingleCollisionFrames", of_half("MMC_TX_SINGLECOL_G")},
        {"eth-mac", "MultipleCollisionFrames", of_half("MMC_TX_MULTICOL_G")},
        {"eth-mac", "FramesReceivedOK", received},
        {"eth-mac",
         "FrameCheckSequenceErrors",
         {"MMC_RX_CRC_ERROR", "-MMC_RX_RUN_ERROR", "-MMC_RX_JABBER_ERROR"}},
        {"eth-mac", "AlignmentErrors", {align}},
        {"eth-mac", "OctetsTransmittedOK", {}},
        {"eth-mac", "FramesWithDeferredXmissions", {}},
        {"eth-mac", "LateCollisions", of_half("MMC_TX_LATECOL")},
        {"eth-mac", "FramesAbortedDueToXSColls", of_half("MMC_TX_EXESSCOL")},
        {"eth-mac", "FramesLostDueToIntMACXmitError", {"MMC_TX_UNDERFLOW_ERROR"}},
        {"eth-mac", "CarrierSenseErrors", of_half("MMC_TX_CARRIER_ERROR")},
        {"eth-mac", "OctetsReceivedOK", {}},
        {"eth-mac", "FramesLostDueToIntMACRcvError", {}},
        {"eth-mac", "MulticastFramesXmittedOK", {"MMC_TX_MULTICASTFRAME_G"}},
        {"eth-mac", "BroadcastFramesXmittedOK", {"MMC_TX_BROADCASTFRAME_G"}},
        {"eth-mac", "FramesWithExcessiveDeferral", of_half("MMC_TX_EXCESSDEF")},
        {"eth-mac", "MulticastFramesReceivedOK", {"MMC_RX_MULTICASTFRAME_G"}},
        {"eth-mac", "BroadcastFramesReceivedOK", {"MMC_RX_BROADCASTFRAME_G"}},
        {"eth-mac", "InRangeLengthErrors", {"MMC_RX_LENGTH_ERROR"}},
        {"eth-mac", "OutOfRangeLengthField", {"MMC_RX_AUTOFRANGETYPE"}},
        {"eth-mac", "FrameTooLongErrors", {"MMC_RX_JABBER_ERROR", "MMC_RX_OVERSIZE_G"}},
        {"eth-ctrl", "MACControlFramesTransmitted", {}},
        {"eth-ctrl", "MACControlFramesReceived", {}},
        {"eth-ctrl", "UnsupportedOpcodesReceived", {}},
        {"eth-phy", "SymbolErrorDuringCarrier", of_half("MMC_RX_ERROR")},
        {"rmon", "etherStatsUndersizePkts", {"MMC_RX_UNDERSIZE_G"}},
        {"rmon", "etherStatsOversizePkts", {"MMC_RX_OVERSIZE_G"}},
        {"rmon", "etherStatsFragments", {"MMC_RX_RUN_ERROR"}},
        {"rmon", "etherStatsJabbers", {"MMC_RX_JABBER_ERROR"}},
        {"rmon", "rx-pktsNtoM", {}, sizes("MMC_RX")},
        {"rmon", "tx-pktsNtoM", {}, sizes("MMC_TX")},
        {"pause", "tx_pause_frames", {"MMC_TX_PAUSE_FRAME"}},
        {"pause", "rx_pause_frames", {"MMC_RX_PAUSE_FRAMES"}},
        {"rtnl", "rx_packets", received},
        {"rtnl", "tx_packets", {"MMC_TX_FRAMECOUNT_G"}},
        {"rtnl", "rx_bytes", {"MMC_RX_OCTETCOUNT_G", "-4*FramesReceivedOK"}},
        {"rtnl", "tx_bytes", {"MMC_TX_OCTETCOUNT_G", "-4*FramesTransmittedOK"}},
        {"rtnl",
         "rx_errors",
         {"MMC_RX_CRC_ERROR", align, "MMC_RX_UNDERSIZE_G", "MMC_RX_OVERSIZE_G"}},
        {"rtnl", "tx_errors", lost},
        {"rtnl", "rx_dropped", {}},
        {"rtnl", "tx_dropped", {}},
        {"rtnl", "multicast", {"MMC_RX_MULTICASTFRAME_G"}},
        {"rtnl", "collisions", {}},
        {"rtnl",
         "rx_length_errors",
         {"MMC_RX_JABBER_ERROR", "MMC_RX_UNDERSIZE_G", "MMC_RX_OVERSIZE_G"}},
        {"rtnl", "rx_over_errors", {}},
        {"rtnl", "rx_crc_errors", {"MMC_RX_CRC_ERROR"}},
        {"rtnl", "rx_frame_errors", {align}},
        {"rtnl", "rx_fifo_errors", {}},
        {"rtnl", "rx_missed_errors", {"MMC_RX_FIFO_OVERFLOW"}},
        {"rtnl", "tx_aborted_errors", of_half("MMC_TX_EXESSCOL")},
        {"rtnl", "tx_carrier_errors", of_half("MMC_TX_CARRIER_ERROR")},
        {"rtnl", "tx_fifo_errors", {"MMC_TX_UNDERFLOW_ERROR"}},
        {"rtnl", "tx_heartbeat_errors", {}},
        {"rtnl", "tx_window_errors", of_half("MMC_TX_LATECOL")},
    };
    if (preempts)
        for (const auto& [name, counter] :
             std::initializer_list<std::pair<const char*, const char*>>{
                 {"FrameAssErrorCount", "RX_PACKET_ASSEMBLY_ERR"},
                 {"FrameSmdErrorCount", "RX_PACKET_SMD_ERR"},
                 {"FrameAssOkCount", "RX_PACKET_ASSEMBLY_OK"},
                 {"FragCountRx", "RX_FPE_FRAGMENT"},
                 {"FragCountTx", "TX_FPE_FRAGMENT"},
                 {"HoldCount", "TX_HOLD_REQ"}})
            all.push_back(
                {"mm", std::string("MACMerge") + name, {std::string("MMC_") + counter + "_CNTR"}});
    return all;
}

// A core, and the settings with which its maximum lengths are others than 1518 octets.
struct Core {
    Mac mac;
    std::vector<std::vector<std::pair<std::string, u32>>> maxima;
    bool half; // it has half duplex, and counters for it

    Core(
        const std::string& model, bool half_duplex, bool preempts, u32 longest,
        std::map<std::string, u32> registers,
        std::vector<std::vector<std::pair<std::string, u32>>> maxima_of)
        : mac({
              .model = model,
              .registers = std::move(registers),
              .standard = statistics(half_duplex, preempts, longest),
          }),
          maxima(std::move(maxima_of)),
          half(half_duplex) {}
};

// The longest maximum is that of JE, or all bits of GPSL. While it is 62, frames of 63 octets are
// too short and too long.
const Core cores[] = {
    {"dwmac_mmc",
     true,
     false,
     9018,
     {{"GMAC_CONTROL", 0x000}, {"MMC_CNTRL", 0x100}},
     {{{"GMAC_CONTROL", 1u << 20}}}},
    {"dwmac4_mmc",
     true,
     true,
     0x3fff,
     {{"GMAC_CONFIG", 0x000}, {"GMAC_EXT_CONFIG", 0x004}, {"MMC_CNTRL", 0x700}},
     {{{"GMAC_CONFIG", 1u << 16}, {"GMAC_EXT_CONFIG", 2000}},
      {{"GMAC_CONFIG", 1u << 23}, {"GMAC_EXT_CONFIG", 2000}},
      {{"GMAC_CONFIG", 1u << 16 | 1u << 23}, {"GMAC_EXT_CONFIG", 62}}}},
    {"dwxgmac_mmc",
     false,
     true,
     0x3fff,
     {{"XGMAC_RX_CONFIG", 0x004}, {"MMC_CNTRL", 0x800}},
     {{{"XGMAC_RX_CONFIG", 1u << 8 | 2000u << 16}},
      {{"XGMAC_RX_CONFIG", 1u << 6 | 2000u << 16}},
      {{"XGMAC_RX_CONFIG", 1u << 6 | 1u << 8 | 62u << 16}}}},
};

const std::string driver = "Linux mmc_core.c, MMC_TX_OCTETCOUNT_GB to MMC_RX_ICMP_ERR_OCTETS";
const std::string control = "Intel, Arria 10 HPS, MMC_Control";

const std::vector<Device> full = {{}};
const std::vector<Device> half = {{.options = {{"duplex", "half"}}}};

// Every size class, too short, too long, and bad in each way.
const Frames received = frames(
    "64, 100, 200, 300, 600, 1200, 1518, 1519, 1522, 1523, 63, 64 fcs, 64 alignment, 63 fcs,"
    "1523 fcs, 63 alignment, 1523 alignment, 64 overrun, 64 no_buffer, 64 code, 64 payload_length");
const Frames sent = frames("64, 100, 200, 300, 600, 1200, 1518, 1519, 1523");
const Frames sorts = frames(
    ", multicast, broadcast, control, pause, pfc, pause multicast, pause broadcast, tag, tags,"
    "pause tag, multicast tag, broadcast tag, by_mac, multicast by_mac, broadcast by_mac,"
    "control by_mac, pfc by_mac multicast, c1, c2, c16, deferred");
const Frames collided = frames("c1, c2, deferred, deferred c1, deferred c2") *
                        frames(", multicast, broadcast, control, pause, pfc, tag, tags, by_mac");
const Frames own_pause = frames("tx 64 pause by_mac multicast");
const Frames errors =
    frames("fcs, alignment, code, payload_length, late_collision, excessive_collisions,"
           "excessive_deferral, carrier_loss, underrun, overrun, checksum, no_buffer");
const Frames lengths =
    frames("62, 63, 64, 66, 67, 100, 200, 300, 600, 1200, 1518, 1519, 1522, 1523, 2000, 2001,"
           "2004, 2005, 9018, 9019, 9022, 9023");

Values full_values(const Sweep& sweep) {
    Values values;

    for (const auto& counter : sweep.counters())
        values.emplace_back(counter.name, counter.bits == 64 ? ~u64{0} : 0xffffffff);
    return values;
}

void read_all(Sweep& sweep) {
    for (const auto& counter : sweep.counters())
        for (u32 word = 0; word < counter.bits / 32; word++)
            sweep.read(hex(counter.address + 4 * word));
}

// One of everything that can be counted.
void send_each(Sweep& sweep, const Core& core) {
    sweep.each(100)
        .send(frames("rx") * (received + frames("64 multicast, 64 broadcast, 64 pause, 64 tag")))
        .send(frames("tx") * (sent + frames("64 multicast, 64 broadcast, 64 tag, 64 underrun")));
    if (core.half)
        sweep.send(
            frames("tx 64") * frames("c1, c2, c16, deferred, late_collision,"
                                     "excessive_deferral, carrier_loss"));
    else
        sweep.send(own_pause);
}

void add_registers(Sweeps& all, const Core& core) {
    const std::vector<Device>& devices = core.half ? half : full;

    Sweep& writes = all.emplace_back(
        core.mac, "no_counter_can_be_written",
        "each counter shows all of its bits at its address, and neither a read nor a write changes "
        "it",
        driver + "; that writes are ignored is inferred");
    Values values;
    for (const auto& counter : writes.counters())
        values.emplace_back(
            counter.name,
            counter.bits == 64 ? ~u64{0} - (values.size() << 32) : 0xffffffff - values.size());
    writes.preset(values);
    for (const auto& counter : writes.counters())
        for (u32 word = 0; word < counter.bits / 32; word++)
            writes.read(hex(counter.address + 4 * word)).write(hex(counter.address + 4 * word), 5);
    read_all(writes);

    Sweep& clears = all.emplace_back(
        core.mac, "a_read_clears_each_counter",
        "with RSTONRD, a read of a counter clears it, and holds the high word of one that has two",
        control + ", RSTONRD; that it holds the high word is inferred");
    clears.write("MMC_CNTRL", clear_on_read).preset(values);
    read_all(clears);
    read_all(clears);
    clears.poll().preset(values);
    clears.expect("mac", State::all);
    read_all(clears);

    Sweep& over = all.emplace_back(
        core.mac, "counters_roll_over", "without CNTSTOPRO, counters roll over",
        control + ", CNTSTOPRO", devices);
    over.preset(full_values(over));
    send_each(over, core);
    over.expect("mac", State::all);
    if (core.half)
        all.emplace_back(
               core.mac, "pause_frames_of_the_mac_roll_over", "a counter of 32 bits rolls over",
               control + ", CNTSTOPRO", full)
            .preset({{"MMC_TX_PAUSE_FRAME", 0xffffffff}})
            .send(own_pause)
            .expect("mac", State::all);

    Sweep& stays = all.emplace_back(
        core.mac, "counters_stay_at_their_maximum",
        "with CNTSTOPRO, counters of 32 bits stay at their maximum", control + ", CNTSTOPRO",
        devices);
    stays.write("MMC_CNTRL", stop).preset(full_values(stays));
    send_each(stays, core);
    read_all(stays);
    stays.expect("mac", State::all);
}

void add_both_ways(
    Sweeps& all, const Core& core, const std::string& duplex, const std::vector<Device>& devices) {
    all.emplace_back(
           core.mac, "received_frames_of_any_kind_in_" + duplex + "_duplex",
           "destination, kind, tags, origin and what happened on the medium change no other "
           "receive counter than those of destination, kind and tags",
           driver, devices)
        .send(frames("rx") * received * sorts)
        .send(frames("rx 64 pause by_mac, rx 1600 fcs tag, rx 1600 tags"))
        .expect();
    all.emplace_back(
           core.mac, "errors_of_received_frames_in_" + duplex + "_duplex",
           "CRC, alignment and receive errors make a frame bad; a full FIFO is counted; other "
           "errors change nothing",
           driver, devices)
        .send(
            frames("rx") * (received + frames("64 multicast, 64 broadcast, 64 pause, 64 tag")) *
            errors)
        .expect();
    all.emplace_back(
           core.mac, "transmitted_frames_of_any_kind_in_" + duplex + "_duplex",
           "destination, kind, tags and origin change no other transmit counter than their own",
           driver, devices)
        .send(frames("tx") * sent * sorts)
        .send(frames("tx 100") * collided)
        .send(own_pause * frames(", c1, deferred, fcs"))
        .expect();
    all.emplace_back(
           core.mac, "errors_of_transmitted_frames_in_" + duplex + "_duplex",
           "a frame that is given up has one error, and is not good", driver, devices)
        .send(
            frames("tx") * sent *
            frames(", multicast, broadcast, pause, tag, by_mac, c1, c2, c16, deferred") * errors)
        .send(own_pause * errors)
        .expect();
    all.emplace_back(
           core.mac, "two_errors_of_transmitted_frames_in_" + duplex + "_duplex",
           "an underflow comes before a late collision, and both before other errors", driver,
           devices)
        .send(frames("tx 100") * errors * errors)
        .expect();
    for (std::size_t i = 0; i < core.maxima.size(); i++) {
        std::vector<Device> set = devices;
        for (Device& device : set)
            device.registers = core.maxima[i];
        all.emplace_back(
               core.mac, "maximum_length_" + std::to_string(i + 1) + "_in_" + duplex + "_duplex",
               "the maximum length decides which frames are legal, and a tag is 4 octets more",
               "Linux dwmac1000.h, dwmac4.h and dwxgmac2.h", set)
            .send(
                frames("rx, tx") * lengths *
                frames(", tag, tags, fcs, tag fcs, alignment, multicast,"
                       "broadcast, pause, payload_length"))
            .send(frames("tx") * lengths * (errors + frames("by_mac")))
            .send(own_pause)
            .expect();
    }
}

} // namespace

void add(Sweeps& all) {
    for (const Core& core : cores) {
        add_registers(all, core);
        add_both_ways(all, core, "full", full);
        if (core.half)
            add_both_ways(all, core, "half", half);
    }
}

} // namespace macstats::sweep::dwmac
