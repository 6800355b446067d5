// SPDX-License-Identifier: GPL-2.0 OR MIT
#include <string>

#include "sweep.hpp"

namespace macstats::sweep::rc32438 {

namespace {

const Mac mac = {
    .model = "rc32438",
    .registers = {{"ETHINTFC", 0x000}, {"ETHFIFOTT", 0x004}, {"ETHARC", 0x008},
                  {"ETHHASH0", 0x00c}, {"ETHHASH1", 0x010},  {"ETHPFS", 0x024},
                  {"ETHMCP", 0x028},   {"ETHSAL0", 0x100},   {"ETHSAH0", 0x104},
                  {"ETHSAL1", 0x108},  {"ETHSAH1", 0x10c},   {"ETHSAL2", 0x110},
                  {"ETHSAH2", 0x114},  {"ETHSAL3", 0x118},   {"ETHSAH3", 0x11c},
                  {"ETHGPF", 0x134},   {"ETHMAC1", 0x200},   {"ETHMAC2", 0x204},
                  {"ETHIPGT", 0x208},  {"ETHIPGR", 0x20c},   {"ETHCLRT", 0x210},
                  {"ETHMAXF", 0x214},  {"ETHMTEST", 0x21c},  {"MIIMCFG", 0x220},
                  {"MIIMCMD", 0x224},  {"MIIMADDR", 0x228},  {"MIIMWTD", 0x22c},
                  {"MIIMRDD", 0x230},  {"MIIMIND", 0x234},   {"ETHCFSA0", 0x240},
                  {"ETHCFSA1", 0x244}, {"ETHCFSA2", 0x248}},
    .standard =
        {{"eth-mac", "FramesTransmittedOK", {"TOK"}},
         {"eth-mac", "SingleCollisionFrames", {"CC=1"}},
         {"eth-mac", "MultipleCollisionFrames", {"CC>1"}},
         {"eth-mac", "FramesWithDeferredXmissions", {"TD"}},
         {"eth-mac", "LateCollisions", {"LC"}},
         {"eth-mac", "FramesAbortedDueToXSColls", {"EC"}},
         {"eth-mac", "FramesLostDueToIntMACXmitError", {"UND"}},
         {"eth-mac", "FramesWithExcessiveDeferral", {"ED"}},
         {"eth-mac", "MulticastFramesXmittedOK", {"MP"}},
         {"eth-mac", "BroadcastFramesXmittedOK", {"BP"}},
         {"rmon", "etherStatsUndersizePkts", {"RUPC"}},
         {"rmon", "etherStatsFragments", {"RFC"}},
         {"rtnl", "rx_packets", {"RX_ROK"}},
         {"rtnl", "rx_bytes", {"RX_LENGTH", "-4*RX_ROK"}},
         {"rtnl", "rx_errors", {"RX_ROK=0", "RUPC", "RFC"}},
         {"rtnl", "tx_packets", {"TOK"}},
         {"rtnl", "tx_bytes", {"COUNT"}},
         {"rtnl", "tx_errors", {"TOK=0"}},
         {"rtnl", "tx_aborted_errors", {"EC"}},
         {"rtnl", "tx_fifo_errors", {"UND"}},
         {"rtnl", "tx_window_errors", {"LC"}},
         {"rtnl", "collisions", {"EC*", "LC", "CC"}}},
};

const Device full = {.name = "full"};
const Device half = {.name = "half", .options = {{"duplex", "half"}}};
const std::vector<Device> half_mac = {{.options = {{"duplex", "half"}}}};

const std::string manual = "79RC32438 User Reference Manual (2002-11-04) 11-16";

void add_registers(Sweeps& all) {
    Sweep& sweep = all.emplace_back(
        mac, "registers_of_an_interface",
        "registers hold what is written to their fields, with the statistics or without",
        "Linux mach-rc32434/eth.h, FreeBSD if_krreg.h; reset values inferred",
        std::vector<Device>{{}, {.name = "bare", .options = {{"statistics", false}}}});
    std::map<u32, std::string> by_address;
    for (const auto& [name, address] : mac.registers)
        by_address[address] = name;
    const std::string only_read[] = {"ETHMTEST", "MIIMCFG"};
    for (const std::string& name : only_read)
        by_address.erase(mac.registers.at(name));
    for (const std::string port : {"mac", "bare"}) {
        for (const auto& [address, name] : by_address) {
            sweep.read(name, port);
            for (const u32 value : {0xffffffff, 0u})
                sweep.write(name, value, port).read(name, port);
        }
        for (const std::string& name : only_read)
            sweep.read(name, port);
    }
    sweep.expect();
}

void add_transmitted(Sweeps& all) {
    const std::string harmless = " alignment code carrier_loss overrun";
    Sweep& reasons = all.emplace_back(
        mac, "each_reason_of_every_sort", "each failure is counted whatever the frame is",
        manual + ": UND, ED, EC, LC, CRC, LE", std::vector<Device>{full, half});
    for (const std::string port : {"full", "half"})
        reasons.from(1)
            .send(
                frames("tx 200") *
                    frames("underrun, excessive_deferral, excessive_collisions, late_collision,"
                           "fcs, payload_length") *
                    frames(
                        "multicast control" + harmless + ", broadcast pause" + harmless + ", tag" +
                        harmless + ", tags deferred" + harmless + ", c1"),
                port)
            .expect(port);

    all.emplace_back(
           mac, "frames_with_many_collisions",
           "what a descriptor says is counted whatever its collision count",
           manual + ": CC, a field of 4 bits", half_mac)
        .from(2)
        .send(
            frames("tx") * frames("c1, c2, c4, c8, c15") *
            frames(", multicast, broadcast, fcs, payload_length, deferred, underrun,"
                   "late_collision, excessive_deferral, 1600"))
        .expect();

    const Frames controlled =
        frames("tx") *
        frames("100, 100 multicast, 100 broadcast, 100 underrun, 2000, 100 excessive_deferral,"
               "100 c16, 100 late_collision, 100 deferred, 100 fcs, 100 payload_length, 100 c1,"
               "100 c2, 100 c15") *
        frames("append_crc, no_crc, huge, not_huge, two_descriptors append_crc,"
               "two_descriptors not_huge, two_descriptors");
    all.emplace_back(
           mac, "controls_of_transmitted_packets",
           "the controls of the first descriptor change what CRC and OF say, and nothing else",
           manual + ": CEN, HFE, OEN; the status of the last descriptor", half_mac)
        .send(controlled)
        .expect()
        .write("ETHMAC2", 0x14)
        .send(controlled)
        .expect();
}

void add_settings(Sweeps& all) {
    const Frames every_sort =
        frames("tx") *
            frames("100, 100 multicast, 100 broadcast, 100 underrun, 100 excessive_deferral,"
                   "100 late_collision, 100 excessive_collisions, 100 payload_length, 100 fcs,"
                   "100 deferred, 100 c1, 100 c2, 1600, 100 fcs, 101 fcs, 100 fcs no_crc,"
                   "101 fcs no_crc, 100 fcs append_crc, 101 fcs append_crc") +
        frames("rx") *
            (frames("60, 63") * frames("fcs, alignment, code,") +
             frames("100 data, 100 control, 100 pause, 100 pfc") *
                 frames("unicast, multicast, broadcast, by_mac, payload_length, code, fcs, overrun,"
                        "no_buffer") +
             frames("1600"));
    Sweep& sweep = all.emplace_back(
        mac, "settings_leave_other_rules_alone",
        "PAF, HFE and CEN change what they are about, and no other rule, in half duplex too",
        manual + ": CEN, HFE; PAF is inferred from the Linux driver", half_mac);
    for (const auto& [mac1, mac2] : {std::pair(0x2u, 0x0u), {0x2u, 0x4u}, {0x0u, 0x10u}})
        sweep.write("ETHMAC1", mac1).write("ETHMAC2", mac2).send(every_sort);
    sweep.expect();
}

void add_received(Sweeps& all) {
    const Frames sorts = counted(
                             frames("multicast, broadcast, control, pause by_mac, tag, tags,"
                                    "deferred"),
                             1) +
                         counted(
                             frames("multicast, broadcast control, pause by_mac, tag, tags,"
                                    "deferred"),
                             11) *
                             frames("fcs") +
                         frames("c1 x21, c2 x22, alignment c3 x23");
    Sweep& every_sort = all.emplace_back(
        mac, "received_frames_of_every_sort",
        "address, kind, origin, tags, collisions and deferral of a received frame do not matter",
        manual + "; what it counts is inferred from the same MAC core, Digi NS9750 Hardware "
                 "Reference",
        std::vector<Device>{full, half});
    for (const std::string port : {"full", "half"})
        every_sort.send(frames("rx 64, rx 60 x29") * sorts, port).expect(port);

    // One frame for each bit of the status, and what leaves it alone.
    const Frames bits =
        frames("64, 64 multicast, 64 broadcast, 64 overrun, 64 fcs, 64 alignment, 64 code,"
               "64 payload_length");
    const Frames too_long = frames("1537");
    const Frames control = frames("64 control, 64 pause fcs, 64 pause alignment, 64 pause code");
    const std::string of_transmission = "late_collision excessive_collisions excessive_deferral "
                                        "carrier_loss underrun checksum";
    const Frames any_length = frames(
        ", " + of_transmission + ", fcs alignment code payload_length overrun " + of_transmission +
        ", c1, c2, c16, deferred, control, tag, tags, multicast, broadcast, by_mac");
    const Frames of_sizes = any_length + frames("65, 128, 256, 512, 1024, 1519");

    Sweep& status = all.emplace_back(
        mac, "status_of_received_frames",
        "the status of a received frame follows from its errors, length and address alone, and "
        "from PAF and HFE",
        manual + ": receive descriptors are inferred from the Linux driver",
        std::vector<Device>{full, half});
    status
        .send(frames("rx") * (bits * of_sizes + too_long * any_length + control * of_sizes), "full")
        .expect("full");
    const auto send_few = [&](const std::string& longest) {
        const Frames few = frames(", " + of_transmission);
        const Frames more = few + Frames{longest};
        status.send(frames("rx") * (bits * more + too_long * few + control * more), "full");
    };
    status.write("ETHMAC1", 0x2, "full");
    send_few("1536");
    status.write("ETHMAC2", 0x4, "full");
    send_few("65535");
    status.write("ETHMAC1", 0x0, "full");
    send_few("65535");
    status.expect("full")
        .send(
            frames("rx") * (bits + too_long + control) * frames(", c1, c16, " + of_transmission),
            "half")
        .expect("half");
}

} // namespace

void add(Sweeps& all) {
    add_registers(all);
    add_transmitted(all);
    add_settings(all);
    add_received(all);
}

} // namespace macstats::sweep::rc32438
