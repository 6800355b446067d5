// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "sweep.hpp"

namespace macstats::sweep::k1_emac {

namespace {

const Mac mac = {
    .model = "k1_emac",
    .registers =
        {{"MAC_MAXIMUM_FRAME_SIZE", 0x10c},
         {"MAC_RX_STATCTR_CONTROL", 0x1a8},
         {"MAC_RX_STATCTR_DATA_HIGH", 0x1ac},
         {"MAC_RX_STATCTR_DATA_LOW", 0x1b0},
         {"MAC_TX_STATCTR_CONTROL", 0x1b4},
         {"MAC_TX_STATCTR_DATA_HIGH", 0x1b8},
         {"MAC_TX_STATCTR_DATA_LOW", 0x1bc}},
    .standard =
        {
            {"eth-mac", "FramesTransmittedOK", {"tx_ok_pkts"}},
            {"eth-mac", "SingleCollisionFrames", {"tx_singleclsn_pkts"}},
            {"eth-mac", "MultipleCollisionFrames", {"tx_multiclsn_pkts"}},
            {"eth-mac", "LateCollisions", {"tx_lateclsn_pkts"}},
            {"eth-mac", "FramesAbortedDueToXSColls", {"tx_excessclsn_pkts"}},
            {"eth-mac", "MulticastFramesXmittedOK", {"tx_multicast_pkts"}},
            {"eth-mac", "BroadcastFramesXmittedOK", {"tx_broadcast_pkts"}},
            {"eth-mac", "FramesReceivedOK", {"rx_ok_pkts"}},
            {"eth-mac", "FrameCheckSequenceErrors", {"rx_crc_err_pkts"}},
            {"eth-mac", "AlignmentErrors", {"rx_align_err_pkts"}},
            {"eth-mac", "InRangeLengthErrors", {"rx_len_err_pkts"}},
            {"eth-mac", "FramesLostDueToIntMACRcvError", {"rx_drp_fifo_full_pkts"}},
            {"rmon", "etherStatsUndersizePkts", {"rx_len_undersize_pkts"}},
            {"rmon", "etherStatsOversizePkts", {"rx_len_oversize_pkts"}},
            {"rmon", "etherStatsFragments", {"rx_len_fragment_pkts"}},
            {"rmon", "etherStatsJabbers", {"rx_len_jabber_pkts"}},
            {"rtnl", "tx_errors", {"tx_err_pkts"}},
            {"rtnl", "rx_errors", {"rx_err_total_pkts"}},
            // Without the FCS.
            {"rtnl", "tx_bytes", {"tx_ok_bytes", "-4*tx_ok_pkts"}},
            {"rtnl", "rx_bytes", {"rx_ok_bytes", "-4*rx_ok_pkts"}},
        },
};

const std::vector<Device> long_frames = {{.registers = {{"MAC_MAXIMUM_FRAME_SIZE", 9000}}}};
const std::vector<Device> short_frames = {{.registers = {{"MAC_MAXIMUM_FRAME_SIZE", 50}}}};

std::string from_the_header(const std::string& counters, const std::string& standard) {
    return "Linux, drivers/net/ethernet/spacemit/k1_emac.h, " + counters + "; " + standard;
}

const Frames sizes = frames("63, 64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024, 1518, 1519,"
                            "1522, 1523, 9000, 9001, 65535");

const Frames sorts = frames(
    ", multicast, broadcast, control, pause, pfc, pause multicast, pause broadcast, tag, tags,"
    "multicast tag, broadcast tags, pause tag, pause multicast tags, by_mac, by_mac multicast,"
    "by_mac broadcast, control by_mac, pause by_mac, pause by_mac multicast,"
    "pause by_mac broadcast, c1, c2, c15, c16, c1 multicast, c1 broadcast, c1 pause, c2 multicast,"
    "c2 broadcast, c2 pause, c1 by_mac, c2 by_mac, c1 tag, c2 tag, deferred, deferred multicast, "
    "deferred broadcast, deferred pause");

void add_windows(Sweeps& all) {
    const std::string order = from_the_header(
        "emac_hw_tx_stats, emac_hw_rx_stats", "\"index used for accessing hardware\"");

    Sweep& numbers = all.emplace_back(
        mac, "each_counter_has_its_number",
        "a command puts the counter of its number into the data registers, and 0 where there is "
        "none",
        order);
    Values values;
    for (const auto& counter : numbers.counters())
        values.emplace_back(counter.name, 0x8fed'cb01 + values.size() * 0x0101'0101);
    numbers.preset(values);
    for (const std::string window : {"MAC_RX_STATCTR_", "MAC_TX_STATCTR_"})
        for (u32 number = 0; number < 32; number++)
            numbers.write(window + "CONTROL", 0x8000 | number)
                .read(window + "CONTROL")
                .read(window + "DATA_HIGH")
                .read(window + "DATA_LOW");

    Sweep& ends = all.emplace_back(
        mac, "counters_roll_over",
        "a counter goes on from 0 behind its maximum, and its total goes on", order, half_duplex);
    values.clear();
    for (const auto& counter : ends.counters())
        values.emplace_back(counter.name, 0xffff'fffe);
    const Frames to_all = frames("64, 64 multicast, 64 broadcast, 64 pause");
    ends.preset(values)
        .each(5)
        .send(
            frames("rx") * (to_all + frames("100, 200, 300, 600, 1200, 1519, 63, 63 fcs, 1519 fcs,"
                                            "64 fcs, 64 alignment, 64 payload_length,"
                                            "64 overrun")))
        .send(
            frames("tx") * (to_all + frames("64 c1, 64 c2, 64 late_collision,"
                                            "64 excessive_collisions")))
        .expect();
}

void add_lengths(Sweeps& all, const std::string& name, const std::vector<Device>& devices) {
    all.emplace_back(
           mac, "received_lengths" + name,
           "legal is 64 octets up to the maximum; longer and shorter frames are good or bad ones "
           "of "
           "RFC 2819, and each length counts in its range",
           from_the_header("rx_len_undersize_pkts to rx_1519_plus_pkts", "RFC 2819"), devices)
        .send(
            frames("rx") * (frames("8, 49, 50, 51") + sizes) *
            frames(", multicast, broadcast, pause, tag, fcs, alignment, code, payload_length,"
                   "overrun, fcs overrun, fcs alignment, payload_length fcs,"
                   "payload_length overrun"))
        .expect();
}

} // namespace

void add(Sweeps& all) {
    const std::string received = from_the_header("emac_hw_rx_stats", "IEEE 802.3 and RFC 2819");
    const std::string transmitted = from_the_header("emac_hw_tx_stats", "IEEE 802.3");

    add_windows(all);
    add_lengths(all, "", full_duplex);
    add_lengths(all, "_of_long_frames", long_frames);
    add_lengths(all, "_of_a_maximum_below_64", short_frames);
    for (const bool is_half : {false, true}) {
        const std::vector<Device>& duplex = is_half ? half_duplex : full_duplex;
        const std::string in = is_half ? "_in_half_duplex" : "_in_full_duplex";

        all.emplace_back(
               mac, "received_frames_of_any_kind" + in,
               "of a good frame only destination, kind and length matter", received, duplex)
            .send(frames("rx") * (frames("8") + sizes) * sorts)
            .expect();
        all.emplace_back(
               mac, "received_frames_with_errors" + in,
               "an FCS error comes before a wrong length field, and a frame that was dropped "
               "counts "
               "in no error of its own",
               received, duplex)
            .send(
                frames("rx") * frames("63, 64, 1519") *
                frames(", multicast, broadcast, pause, tag, tags, by_mac") * each_error)
            .send(
                frames("rx") * frames("63, 100, 200, 300, 600, 1200, 1519") * each_error *
                each_error)
            .expect();
        all.emplace_back(
               mac, "transmitted_frames_of_any_kind" + in,
               "destination, kind and collisions matter; in half duplex the MAC sends no pause "
               "frames",
               transmitted, duplex)
            .send(frames("tx") * (frames("8") + sizes) * sorts)
            .expect();
        all.emplace_back(
               mac, "transmitted_frames_with_errors" + in,
               "collisions in half duplex, and an underrun, end a transmission; no other error "
               "does",
               transmitted, duplex)
            .send(frames("tx") * frames("64, 1519") * sorts * each_error)
            .send(frames("tx 100") * frames(", c1, c2, c16") * each_error * each_error)
            .expect();
    }
}

} // namespace macstats::sweep::k1_emac
