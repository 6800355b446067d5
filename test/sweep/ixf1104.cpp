// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <string>

#include "sweep.hpp"

namespace macstats::sweep::ixf1104 {

namespace {

std::vector<Bucket> classes(const std::string& before) {
    return {
        {64, 64, before + "64Octets"},
        {65, 127, before + "65to127Octets"},
        {128, 255, before + "128to255Octets"},
        {256, 511, before + "256to511Octets"},
        {512, 1023, before + "512to1023Octets"},
        {1024, 1518, before + "1024to1518Octets"},
        {1519, 16383, before + "1519toMaxOctets"}};
}

const Mac mac = {
    .model = "ixf1104",
    .ports = 4,
    .registers = {{"Max Frame Size", 0x0f}, {"RX Packet Filter Control", 0x19}},
    .standard =
        {{"eth-mac", "FramesTransmittedOK", {"TxUCPkts", "TxMCPkts", "TxBCPkts"}},
         {"eth-mac", "SingleCollisionFrames", {"TxSingleCollisions"}},
         {"eth-mac", "MultipleCollisionFrames", {"TxMultipleCollisions"}},
         {"eth-mac", "FramesReceivedOK", {"RxUCPkts", "RxMCPkts", "RxBCPkts"}},
         {"eth-mac", "FrameCheckSequenceErrors", {"RxFCSErrors"}},
         {"eth-mac", "AlignmentErrors", {"RxAlignErrors"}},
         {"eth-mac", "FramesWithDeferredXmissions", {"TxDeferred"}},
         {"eth-mac", "LateCollisions", {"TxLateCollisions"}},
         {"eth-mac", "FramesAbortedDueToXSColls", {"TxExcessiveCollisionErrors"}},
         {"eth-mac", "FramesLostDueToIntMACXmitError", {"TxUnderrun"}},
         {"eth-mac", "FramesWithExcessiveDeferral", {"TxExcessiveDeferralErrors"}},
         {"eth-mac", "MulticastFramesXmittedOK", {"TxMCPkts"}},
         {"eth-mac", "BroadcastFramesXmittedOK", {"TxBCPkts"}},
         {"eth-mac", "MulticastFramesReceivedOK", {"RxMCPkts"}},
         {"eth-mac", "BroadcastFramesReceivedOK", {"RxBCPkts"}},
         {"eth-mac", "FrameTooLongErrors", {"RxLongErrors", "RxJabberErrors", "RxVeryLongErrors"}},
         {"eth-ctrl", "UnsupportedOpcodesReceived", {"RxUnknownMacControlFrameCounter"}},
         {"rmon", "etherStatsOversizePkts", {"RxLongErrors"}},
         {"rmon", "etherStatsJabbers", {"RxJabberErrors"}},
         {"rmon", "rx-pktsNtoM", {}, classes("RxPkts")},
         {"rmon", "tx-pktsNtoM", {}, classes("TxPkts")},
         {"pause", "tx_pause_frames", {"TxPauseFrames"}},
         {"pause", "rx_pause_frames", {"RxPauseMacControlReceivedCounter"}},
         {"rtnl", "rx_packets", {"FramesReceivedOK"}},
         {"rtnl", "tx_packets", {"FramesTransmittedOK"}},
         {"rtnl", "rx_bytes", {"RxOctetsTotalOK", "-4*FramesReceivedOK"}},
         {"rtnl", "tx_bytes", {"OctetsTransmittedOK", "-4*FramesTransmittedOK"}},
         {"rtnl", "multicast", {"RxMCPkts"}},
         {"rtnl", "collisions", {"TxTotalCollisions", "TxLateCollisions"}},
         {"rtnl", "rx_length_errors", {"FrameTooLongErrors"}},
         {"rtnl", "rx_crc_errors", {"RxFCSErrors"}},
         {"rtnl", "rx_frame_errors", {"RxAlignErrors"}},
         {"rtnl", "rx_missed_errors", {"RX Number of Frames Removed"}},
         {"rtnl",
          "rx_errors",
          {"RxFCSErrors", "RxDataError", "RxAlignErrors", "FrameTooLongErrors", "RxRuntErrors",
           "RxShortErrors"}},
         {"rtnl", "tx_aborted_errors", {"TxExcessiveCollisionErrors"}},
         {"rtnl", "tx_fifo_errors", {"TxUnderrun"}},
         {"rtnl", "tx_window_errors", {"TxLateCollisions"}},
         {"rtnl",
          "tx_errors",
          {"TxLateCollisions", "TxExcessiveCollisionErrors", "TxExcessiveDeferralErrors",
           "TxExcessiveLengthDrop", "TxUnderrun", "TxCRCError"}}},
};

const Device full = {.name = "full"};
const Device copper = {.name = "copper"};
const Device half = {.name = "half", .options = {{"duplex", "half"}}};
const Device fiber = {.name = "fiber", .options = {{"medium", "fiber"}}};

const std::string guide = "Intel 278757-007 ";
const Frames every_class = frames("64, 100, 200, 300, 600, 1200");
const std::string errors = "fcs alignment code payload_length late_collision excessive_collisions "
                           "carrier_loss underrun overrun";
const std::string errors_and_deferral = errors + " excessive_deferral";

void add_registers(Sweeps& all) {
    const auto from = [](const Sweep& sweep, u64 first, u64 step) {
        Values values;
        for (const auto& counter : sweep.counters()) {
            values.emplace_back(counter.name, first);
            first += step;
        }
        return values;
    };

    Sweep& addresses = all.emplace_back(
        mac, "addresses_of_the_counters",
        "each counter is at its address behind Port_Index, in every port",
        guide + "tables 93 and 94: +20h to +39h, +40h to +58h");
    for (const std::string port : {"mac", "mac/3"}) {
        addresses.preset(from(addresses, 1000, 1), port);
        for (const auto& counter : addresses.counters())
            addresses.read(hex(counter.address), port);
    }

    Sweep& clears = all.emplace_back(
        mac, "every_counter_clears_on_read", "a raw read clears each counter",
        guide + "tables 93 and 94: type R");
    clears.preset(from(clears, 100, 1));
    for (unsigned int time = 0; time < 2; time++)
        for (const auto& counter : clears.counters())
            clears.read(counter.name);

    Sweep& shows = all.emplace_back(
        mac, "every_counter_shows_32_bits", "each counter shows all of its 32 bits",
        guide + "8.4.2: 32-bit counters");
    shows.preset(from(shows, 0xffffffff, 0));
    for (const auto& counter : shows.counters())
        shows.read(counter.name);

    Sweep& written = all.emplace_back(
        mac, "no_counter_can_be_written", "a write leaves each counter as it is",
        guide + "tables 93 and 94: type R has no W");
    written.preset(from(written, 100, 1));
    for (const auto& counter : written.counters())
        written.write(counter.name, 7);
    for (const auto& counter : written.counters())
        written.read(counter.name);
}

void add_sizes(Sweeps& all) {
    const auto set_to_2000 = [](Device device) {
        device.registers = {{"Max Frame Size", 2000}};
        return device;
    };
    const Frames edges =
        frames("64, 65, 127, 128, 255, 256, 511, 512, 1023, 1024, 1518, 1519, 2000, 2001");
    const Frames bad =
        counted(frames("63") + edges, 0) * frames("rx fcs x2, rx alignment x200, rx code x40");
    const std::string claim = "CRC, alignment and code errors are counted from 64 octets up to the "
                              "maximum frame size; longer frames are jabbers or long";
    const std::string rows = guide + "table 93: +21h, +2Ch, +2Eh, +2Fh, +30h, +31h";

    all.emplace_back(
           mac, "sizes_of_bad_frames_by_copper", claim, rows, std::vector<Device>{set_to_2000({})})
        .send(bad)
        .expect()
        .send(frames("rx x2"))
        .expect();
    all.emplace_back(
           mac, "sizes_of_bad_frames_by_fiber", claim + ", and by fibre shorter ones nothing", rows,
           std::vector<Device>{set_to_2000({.options = fiber.options})})
        .send(bad)
        .expect();
    all.emplace_back(
           mac, "sizes_of_multicast_and_broadcast_frames",
           "multicast and broadcast frames of every size are good up to the maximum frame size",
           guide + "table 93 (+23h, +24h), " + guide + "table 94 (+43h, +44h)",
           std::vector<Device>{set_to_2000({})})
        .send(
            counted(edges, 0) * frames("rx multicast x1, tx multicast x1001, rx broadcast x100,"
                                       "tx broadcast x1100") +
            frames("rx 63 multicast x7, rx 63 broadcast x9"))
        .expect();

    const Device jumbo = set_to_2000({.name = "jumbo"});
    Sweep& tagged = all.emplace_back(
        mac, "sizes_of_tagged_frames",
        "a tagged frame may be 4 octets longer before it is long, and the sixth size class ends 4 "
        "octets later",
        guide + "table 93: \"(1522 if tagged)\"; +2Ah, +2Bh, +30h", std::vector<Device>{{}, jumbo});
    const std::pair<u32, u64> counts[] = {
        {64, 2},    {65, 3},    {127, 5},   {128, 7},   {255, 8},   {256, 9},
        {511, 10},  {512, 12},  {1023, 11}, {1024, 13}, {1518, 17}, {1519, 19},
        {1522, 23}, {1523, 29}, {2000, 31}, {2001, 37}, {2004, 41}, {2005, 43}};
    for (const std::string port : {"mac", "jumbo"}) {
        for (const auto& [tag, times] : {std::pair<std::string, u64>("tag", 1), {"tags", 4}})
            for (const auto& [length, count] : counts)
                tagged.send(
                    frames(tag) * frames(std::to_string(length)) *
                            counted(frames("rx"), times * count) +
                        frames(tag) * frames(std::to_string(length)) *
                            counted(frames("tx"), times * count + 100),
                    port);
        tagged.expect(port);
    }
}

void add_classes(Sweeps& all) {
    Sweep& received = all.emplace_back(
        mac, "size_classes_take_bad_frames",
        "the receive size classes count frames good or bad, of any kind and address, tagged or not",
        guide + "table 93: RxPkts64Octets (+25h) \"including bad packets\"",
        std::vector<Device>{copper, fiber, half});
    for (const std::string port : {"copper", "fiber", "half"})
        received
            .send(
                frames("rx") * counted(every_class, 0) *
                    frames(
                        "multicast pause by_mac c4 deferred x1 " + errors_and_deferral +
                        ", broadcast tags x10, control x20"),
                port)
            .expect(port);

    // In half duplex a pause frame of the MAC is none.
    Sweep& transmitted = all.emplace_back(
        mac, "transmit_size_classes_take_bad_frames",
        "the transmit size classes count frames good or bad, but neither truncated ones nor those "
        "never sent",
        guide + "table 94: +45h to +4Bh; the names are inferred from their order, as is what was "
                "truncated",
        std::vector<Device>{full, half});
    for (const std::string port : {"full", "half"})
        transmitted
            .send(
                frames("tx") * counted(every_class, 0) *
                    frames(
                        "multicast pause c4 deferred x1 " + errors +
                        (port == "full" ? " by_mac" : "") +
                        ", broadcast tags x10, control x20, c16 x30"),
                port)
            .expect(port);
}

void add_tagged(Sweeps& all) {
    Sweep& sweep = all.emplace_back(
        mac, "tagged_frames", "tagged frames of any size, good or bad, are counted as such",
        guide + "table 93: RxTagged (+2Dh), " + guide + "table 94: TxTagged (+55h)",
        std::vector<Device>{copper, fiber, half});
    for (const std::string port : {"copper", "fiber", "half"})
        sweep
            .send(
                frames("rx x2, tx x3") +
                    counted(frames("3, 5, 60, 64, 100, 200, 300, 600, 1200, 1523, 7000"), 0) *
                        frames("rx multicast tag x10, tx broadcast tag x30, rx multicast tags x20,"
                               "tx broadcast tags x60") +
                    frames("rx pause x100, tx control x200") *
                        frames("by_mac tag c5 deferred " + errors_and_deferral),
                port)
            .expect(port);
}

void add_what_a_frame_holds(Sweeps& all) {
    Sweep& received = all.emplace_back(
        mac, "what_a_frame_holds_does_not_matter_on_receive",
        "kind, origin, tags, collisions and deferral change none of the counts by address and "
        "error",
        guide + "table 93", std::vector<Device>{copper, fiber, half});
    for (const std::string port : {"copper", "fiber", "half"})
        received.from(1)
            .send(
                frames("rx 68") * frames("unicast, multicast, broadcast") *
                    frames(", fcs, alignment, code") *
                    frames("control, by_mac deferred, tag, tags, c1, c2"),
                port)
            .expect(port);

    Sweep& transmitted = all.emplace_back(
        mac, "what_a_frame_holds_does_not_matter_on_transmit",
        "address, kind, origin, tags, size and deferral change none of the counts by error and "
        "collisions",
        guide + "table 94", std::vector<Device>{full, half, fiber});
    const Frames ends =
        counted(
            frames(", c1, c2, late_collision, c16, underrun, fcs, 1600, underrun c1, fcs c1,"
                   "1600 c1"),
            1) +
        frames("7000 c1 x59, late_collision c1 x79, excessive_deferral c1 x99, underrun c2 x12,"
               "fcs c2 x13, 1600 c2 x14, 7000 c2 x62, late_collision c2 x82,"
               "excessive_deferral c2 x102");
    for (const std::string port : {"full", "half", "fiber"}) {
        const std::string maker = port == "half" ? "by_software" : "by_mac";
        transmitted
            .send(
                frames("tx") *
                    frames(
                        "64 multicast control, 300 broadcast pause x13 " + maker +
                        ", 100 tag x26, 600 multicast tags x39, 1200 by_mac x52,"
                        "200 deferred x65") *
                    ends,
                port)
            .expect(port);
    }
}

void add_pause(Sweeps& all) {
    const std::string forced = "in half duplex a pause frame of the MAC is a forced collision and "
                               "nothing else, whatever it is described with";
    const std::string row =
        guide + "table 94: TxFlowControlCollisionsSend (+58h; inferred); IEEE 802.3 annex 31B";
    const Frames by_the_mac =
        frames("tx by_mac") *
        (frames(", excessive_deferral, late_collision, excessive_collisions, underrun, fcs, c1, c2,"
                "deferred, multicast, broadcast, 100, 1600, 7000, tag") *
             frames("pause, control") +
         frames("deferred, underrun, fcs, c1, c2, late_collision, excessive_collisions,"
                "excessive_deferral, 1600"));
    all.emplace_back(
           mac, "forced_collisions", forced, row,
           std::vector<Device>{{.options = {{"duplex", "half"}}}})
        .send(by_the_mac)
        .expect();
    all.emplace_back(
           mac, "forced_collisions_by_fiber", forced + ", by fibre too", row,
           std::vector<Device>{{.options = {{"duplex", "half"}, {"medium", "fiber"}}}})
        .send(by_the_mac)
        .expect();

    Sweep& sent = all.emplace_back(
        mac, "transmitted_pause_frames",
        "pause frames count as such whoever made them, if they are sent without error; in half "
        "duplex the MAC forces a collision in place of one",
        guide + "table 94: TxPauseFrames, TxFlowControlCollisionsSend (+57h, +58h; inferred)",
        std::vector<Device>{full, half});
    Sweep& filtered = all.emplace_back(
        mac, "pause_frames_with_a_wrong_crc",
        "bit 5 of the RX Packet Filter Control lets pause frames of 64 octets with a wrong CRC "
        "count as pause frames, too",
        guide + "table 93: RxPauseMacControlReceivedCounter (+32h), RX Packet Filter Control "
                "(+19h)",
        std::vector<Device>{full, half});
    for (const std::string port : {"full", "half"}) {
        sent.send(
                frames("tx") *
                        frames(
                            "pause multicast x2, pause multicast by_mac x3, pause x5,"
                            "pause broadcast by_mac x7, control by_mac x11, by_mac x13,"
                            "68 pause by_mac tag x17, 100 pause x19, 1518 pause by_mac x23,"
                            "1519 pause x29, 7000 pause by_mac x31, pause fcs x40,"
                            "pause by_mac fcs x50, pause underrun x41, pause by_mac underrun x51,"
                            "pause late_collision x42, pause by_mac late_collision x52,"
                            "pause excessive_collisions x43, pause by_mac excessive_collisions "
                            "x53, pause excessive_deferral x60, pause by_mac c1 x70,"
                            "pause by_mac c2 x80, pause by_mac alignment code payload_length "
                            "carrier_loss overrun x90") +
                    frames("rx pause by_mac x100"),
                port)
            .expect(port);

        const Frames bad = frames("rx pause fcs");
        filtered.send(bad * frames("x2"), port)
            .write("RX Packet Filter Control", 0x20, port)
            .send(
                bad * frames("x3, multicast by_mac payload_length late_collision "
                             "excessive_collisions excessive_deferral carrier_loss underrun "
                             "overrun deferred x5, broadcast c2 x7, alignment x11, code x13") +
                    frames("rx pause alignment x17, rx pause code x18") +
                    bad * frames("65 x19, 128 x20, 256 x21, 512 x22, 1024 x23, 1519 x29"),
                port)
            .write("Max Frame Size", 2000, port)
            .send(bad * frames("1600 x26"), port)
            .write("Max Frame Size", 1518, port)
            .send(
                bad * frames("3 x27, 60 x30, data x31, control x37, tag x41") +
                    frames("tx pause fcs x43"),
                port)
            .write("RX Packet Filter Control", 0x1f, port)
            .send(bad * frames("x47"), port)
            .expect(port);
    }
}

void add_excessive_deferral(Sweeps& all) {
    Sweep& sweep = all.emplace_back(
        mac, "excessive_deferral",
        "in half duplex a frame deferred for too long is not sent at all: neither its octets nor "
        "its size are counted",
        guide + "table 94: TxExcessiveDeferralErrors (+52h)", std::vector<Device>{half, full});
    for (const std::string port : {"half", "full"}) {
        const std::string maker = port == "half" ? "by_software" : "by_mac";
        sweep
            .send(
                frames("tx excessive_deferral") *
                    (counted(every_class + frames("1519, 7000"), 2) +
                     frames(
                         "late_collision x20, excessive_collisions x30,"
                         "multicast underrun fcs alignment code payload_length carrier_loss "
                         "overrun x40, broadcast control x50, pause x60 " +
                         maker) +
                     counted(
                         frames("multicast, broadcast, fcs, alignment, code, payload_length,"
                                "carrier_loss, overrun"),
                         51) +
                     frames("pause x61, c1 x70, c2 x80, tags x90, tag x99")),
                port)
            .expect(port);
    }
}

// A short of 3 octets shows when a good frame follows.
void add_shorts(Sweeps& all) {
    Sweep& sweep = all.emplace_back(
        mac, "what_is_a_good_frame_to_a_short",
        "only a frame of legal size without CRC, alignment or code error lets a short be shown",
        guide + "table 93: RxShortErrors (+36h): \"after reception of a good frame\"");
    sweep
        .send(
            frames("rx 3 x2, rx 63 x1, rx 1519 x1, tx x1, rx fcs x1, rx alignment x1, rx code x1"))
        .expect()
        .send(frames("rx x2"))
        .expect();
    const auto follow = [&](u64 shorts, const Frames& good) {
        for (const std::string& one : good)
            sweep.send(counted(frames("rx 3"), shorts++) + frames("rx x1") * Frames{one}).expect();
    };
    follow(
        10, frames("payload_length, late_collision, excessive_collisions, excessive_deferral,"
                   "carrier_loss, underrun, overrun"));
    follow(
        100, frames("multicast pause, 100 broadcast, 1522 tag, 1518, 200 tags, 300 control,"
                    "600 by_mac"));
}

} // namespace

void add(Sweeps& all) {
    add_registers(all);
    add_sizes(all);
    add_classes(all);
    add_tagged(all);
    add_what_a_frame_holds(all);
    add_pause(all);
    add_excessive_deferral(all);
    add_shorts(all);
}

} // namespace macstats::sweep::ixf1104
