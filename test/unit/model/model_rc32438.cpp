// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The Ethernet interfaces of the IDT 79RC32438: rows, counting, reads that clear,
// readiness and transmit descriptors, by values worked out from the manual's page 11-16
// and from section 3 of the register maps. The comparison with its slow reference is in
// reference.cpp, but for descriptors that no MAC writes.
#include "boost_test.hpp"

#include <cerrno>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/model/rc32438.h>
#include <macstats/models.h>

#include "../../reference/rc32438_reference.hpp"
#include "fixture.hpp"

BOOST_AUTO_TEST_SUITE(unit_model_rc32438)

using namespace macstats::test;

namespace {

using macstats::reference::Rc32438;
using macstats::reference::Rc32438Driver;

constexpr u64 two_to_32 = u64{1} << 32;

constexpr u32 rbc = 0x120;
constexpr u32 rpc = 0x124;
constexpr u32 rupc = 0x128;
constexpr u32 rfc = 0x12c;
constexpr u32 tbc = 0x130;

constexpr u32 ethintfc = 0x000;
constexpr u32 ethmac1 = 0x200;
constexpr u32 ethmac2 = 0x204;
constexpr u32 ethclrt = 0x210;
constexpr u32 ethmaxf = 0x214;
constexpr u32 mac1_paf = 1 << 1;
constexpr u32 mac2_hfe = 1 << 2;
constexpr u32 mac2_cen = 1 << 4;

// Places of the bits in a transmit descriptor, section 3.2a.
constexpr u32 fd = 1 << 0;
constexpr u32 ld = 1 << 1;
constexpr u32 oen = 1 << 2;
constexpr u32 cen = 1 << 4;
constexpr u32 hfe = 1 << 5;
constexpr u32 tok = 1 << 6;
constexpr u32 mp = 1 << 7;
constexpr u32 bp = 1 << 8;
constexpr u32 und = 1 << 9;
constexpr u32 of = 1 << 10;
constexpr u32 ed = 1 << 11;
constexpr u32 ec = 1 << 12;
constexpr u32 lc = 1 << 13;
constexpr u32 td = 1 << 14;
constexpr u32 crc = 1 << 15;
constexpr u32 le = 1 << 16;

constexpr u32 cc(u32 collisions) {
    return collisions << 17;
}

// And in a receive descriptor.
constexpr u32 rok = 1 << 2;
constexpr u32 rx_mp = 1 << 4;
constexpr u32 rx_bp = 1 << 5;
constexpr u32 vlt = 1 << 6;
constexpr u32 cf = 1 << 7;
constexpr u32 ovr = 1 << 8;
constexpr u32 rx_crc = 1 << 9;
constexpr u32 cv = 1 << 10;
constexpr u32 db = 1 << 11;
constexpr u32 rx_le = 1 << 12;

constexpr u32 octets(u32 length) {
    return length << 16;
}

// A port in half duplex, where frames collide.
class PolledMac : public Polled {
public:
    explicit PolledMac(const Setup& setup = {.with = MACSTATS_OPT_HALF_DUPLEX})
        : Polled(rc32438_model, setup) {}
};

macstats_packet packet_of(PolledMac& mac, const macstats_frame& frame) {
    return macstats_tx_packet(&mac.port.emulator(), &frame);
}

// The status that the MAC writes into the last descriptor of this frame.
u32 status_of(PolledMac& mac, const macstats_frame& frame) {
    return packet_of(mac, frame).last;
}

using Totals = std::map<std::string, u64>;

// The totals that are not 0.
Totals totals_of(const Polled& device) {
    Totals all;

    for (unsigned int i = 0; i < rc32438_model.n_counters; i++)
        if (u64 value = device.acc.counters[i].total)
            all[rc32438_model.counters[i].reg] = value;
    return all;
}

std::string print(const Totals& totals) {
    std::ostringstream out;

    for (const auto& [name, value] : totals)
        out << name << ' ' << value << "; ";
    return out.str();
}

// TOK comes with the octets without FCS, and EC with the attempts.
Totals with_amounts(Totals totals, u64 length) {
    if (totals.count("TOK"))
        totals["COUNT"] = totals["TOK"] * (length - 4);
    if (totals.count("EC"))
        totals["EC*"] = totals["EC"] * 16;
    return totals;
}

// One frame through a fresh port: then these are the totals, and all others are 0.
void counts_exactly(const Frame& frame, const Totals& expected) {
    PolledMac device;

    device.send(frame);
    BOOST_REQUIRE_EQUAL(device.poll(), 0);
    BOOST_TEST(print(totals_of(device)) == print(with_amounts(expected, frame.length)));
}

// The same of the five registers, whatever descriptors feed.
void registers_count_exactly(const Frame& frame, const Totals& expected) {
    PolledMac device;
    Totals registers;

    device.send(frame);
    BOOST_REQUIRE_EQUAL(device.poll(), 0);
    for (unsigned int i = 0; i < 5; i++)
        if (u64 value = device.acc.counters[i].total)
            registers[rc32438_model.counters[i].reg] = value;
    BOOST_TEST(print(registers) == print(expected));
}

// The same of a descriptor with this status, beside FD and LD.
void describes(u32 status, const Totals& expected) {
    PolledMac device;

    device.finish(fd | ld | status);
    BOOST_TEST(
        print(totals_of(device)) == print(with_amounts(expected, 64)),
        "status " << std::hex << status);
}

Standard standard_of(PolledMac& device) {
    BOOST_REQUIRE_EQUAL(device.poll(), 0);
    return device.standard();
}

} // namespace

BOOST_AUTO_TEST_SUITE(rows)

// Section 3.1: name, offset; section 3.2a for what descriptors tell.
const struct {
    std::string_view reg;
    std::string_view name;
    u32 offset;
    macstats_unit unit;
} expected_rows[] = {
    {"RBC", "rx_rbc", 0x120, MACSTATS_OCTETS},
    {"RPC", "rx_rpc", 0x124, MACSTATS_FRAMES},
    {"RUPC", "rx_rupc", 0x128, MACSTATS_FRAMES},
    {"RFC", "rx_rfc", 0x12c, MACSTATS_FRAMES},
    {"TBC", "tx_tbc", 0x130, MACSTATS_WIRE_OCTETS},
    {"TOK", "tx_ok", 0xffffffff, MACSTATS_FRAMES},
    {"COUNT", "tx_ok_octets", 0xffffffff, MACSTATS_OCTETS},
    {"TOK=0", "tx_not_ok", 0xffffffff, MACSTATS_FRAMES},
    {"MP", "tx_multicast_packet", 0xffffffff, MACSTATS_FRAMES},
    {"BP", "tx_broadcast_packet", 0xffffffff, MACSTATS_FRAMES},
    {"UND", "tx_fifo_underflow", 0xffffffff, MACSTATS_FRAMES},
    {"OF", "tx_oversized_frame", 0xffffffff, MACSTATS_FRAMES},
    {"ED", "tx_excessive_deferral", 0xffffffff, MACSTATS_FRAMES},
    {"EC", "tx_excessive_collisions", 0xffffffff, MACSTATS_FRAMES},
    {"EC*", "tx_excessive_collision_attempts", 0xffffffff, MACSTATS_COLLISIONS},
    {"LC", "tx_late_collision", 0xffffffff, MACSTATS_FRAMES},
    {"TD", "tx_deferred", 0xffffffff, MACSTATS_FRAMES},
    {"CRC", "tx_crc_error", 0xffffffff, MACSTATS_FRAMES},
    {"LE", "tx_length_error", 0xffffffff, MACSTATS_FRAMES},
    {"CC=1", "tx_single_collision", 0xffffffff, MACSTATS_FRAMES},
    {"CC>1", "tx_multiple_collision", 0xffffffff, MACSTATS_FRAMES},
    {"CC", "tx_collision_count", 0xffffffff, MACSTATS_COLLISIONS},
    {"RX_ROK", "rx_ok", 0xffffffff, MACSTATS_FRAMES},
    {"RX_ROK=0", "rx_not_ok", 0xffffffff, MACSTATS_FRAMES},
    {"RX_LENGTH", "rx_ok_octets", 0xffffffff, MACSTATS_OCTETS},
    {"RX_MP", "rx_multicast_packet", 0xffffffff, MACSTATS_FRAMES},
    {"RX_BP", "rx_broadcast_packet", 0xffffffff, MACSTATS_FRAMES},
    {"RX_OVR", "rx_overrun", 0xffffffff, MACSTATS_FRAMES},
    {"RX_CRC", "rx_crc_error", 0xffffffff, MACSTATS_FRAMES},
    {"RX_DB", "rx_alignment_error", 0xffffffff, MACSTATS_FRAMES},
    {"RX_CV", "rx_code_violation", 0xffffffff, MACSTATS_FRAMES},
    {"RX_LE", "rx_length_error", 0xffffffff, MACSTATS_FRAMES},
};

BOOST_AUTO_TEST_CASE(there_are_five_counter_registers_and_software_counters) {
    BOOST_TEST_REQUIRE(rc32438_model.n_counters == std::size(expected_rows));
    BOOST_TEST(macstats_register_counters(&rc32438_model) == 5u);
    for (std::size_t i = 0; i < std::size(expected_rows); i++) {
        const macstats_counter& row = rc32438_model.counters[i];

        BOOST_TEST_CONTEXT(expected_rows[i].reg) {
            BOOST_TEST(row.reg == expected_rows[i].reg);
            BOOST_TEST(row.name == expected_rows[i].name);
            BOOST_TEST(row.offset == expected_rows[i].offset);
            BOOST_TEST(+row.unit == expected_rows[i].unit);
            BOOST_TEST(+row.bits == (i < 5 ? 32 : 64));
            BOOST_TEST(macstats_is_software_counter(&row) == (i >= 5));
            BOOST_TEST(+row.onread == (i < 5 ? MACSTATS_ONREAD_RCLR : MACSTATS_ONREAD_NONE));
            BOOST_TEST(+row.onwrite == MACSTATS_ONWRITE_NONE);
            BOOST_TEST(+row.overflow == MACSTATS_ROLLOVER);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_registers_are_those_of_section_3_2) {
    const struct {
        u32 offset;
        std::string_view name;
    } expected[] = {
        {0x000, "ETHINTFC"}, {0x004, "ETHFIFOTT"}, {0x008, "ETHARC"},   {0x00c, "ETHHASH0"},
        {0x010, "ETHHASH1"}, {0x024, "ETHPFS"},    {0x028, "ETHMCP"},   {0x100, "ETHSAL0"},
        {0x104, "ETHSAH0"},  {0x108, "ETHSAL1"},   {0x10c, "ETHSAH1"},  {0x110, "ETHSAL2"},
        {0x114, "ETHSAH2"},  {0x118, "ETHSAL3"},   {0x11c, "ETHSAH3"},  {0x134, "ETHGPF"},
        {0x200, "ETHMAC1"},  {0x204, "ETHMAC2"},   {0x208, "ETHIPGT"},  {0x20c, "ETHIPGR"},
        {0x210, "ETHCLRT"},  {0x214, "ETHMAXF"},   {0x21c, "ETHMTEST"}, {0x220, "MIIMCFG"},
        {0x224, "MIIMCMD"},  {0x228, "MIIMADDR"},  {0x22c, "MIIMWTD"},  {0x230, "MIIMRDD"},
        {0x234, "MIIMIND"},  {0x240, "ETHCFSA0"},  {0x244, "ETHCFSA1"}, {0x248, "ETHCFSA2"},
    };

    BOOST_TEST_REQUIRE(rc32438_model.n_registers == std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); i++) {
        BOOST_TEST(rc32438_model.registers[i].name == expected[i].name);
        BOOST_TEST(rc32438_model.registers[i].offset == expected[i].offset);
    }
}

BOOST_AUTO_TEST_CASE(the_fields_are_the_bits_of_section_3_2) {
    const struct {
        u32 offset;
        unsigned int lsb;
        std::string_view name;
    } expected[] = {
        {0x000, 0, "EN"},  {0x000, 1, "ITS"}, {0x000, 2, "RIP"}, {0x000, 3, "JAM"},
        {0x000, 4, "OVR"}, {0x000, 5, "UND"}, {0x000, 6, "IOC"}, {0x008, 0, "PRO"},
        {0x008, 1, "AM"},  {0x008, 2, "AFM"}, {0x008, 3, "AB"},  {0x024, 0, "PFD"},
        {0x200, 0, "RE"},  {0x200, 1, "PAF"}, {0x200, 2, "RFC"}, {0x200, 3, "TFC"},
        {0x200, 4, "LB"},  {0x200, 31, "MR"}, {0x204, 0, "FD"},  {0x204, 1, "FLC"},
        {0x204, 2, "HFE"}, {0x204, 3, "DC"},  {0x204, 4, "CEN"}, {0x204, 5, "PE"},
        {0x204, 6, "VPE"}, {0x204, 7, "APE"}, {0x204, 8, "PPE"}, {0x204, 9, "LPE"},
        {0x204, 12, "NB"}, {0x204, 13, "BP"}, {0x204, 14, "ED"}, {0x214, 0, "MAXF"},
    };

    for (const auto& one : expected) {
        unsigned int found = 0;

        for (const macstats_register& reg : rc32438_registers)
            for (unsigned int i = 0; i < macstats_field_count(&reg); i++)
                found += reg.offset == one.offset && reg.fields[i].lsb == one.lsb &&
                         reg.fields[i].name == one.name;
        BOOST_TEST(found == 1u, one.name);
    }
}

BOOST_AUTO_TEST_CASE(the_bits_of_a_descriptor_are_those_of_section_3_2a) {
    const std::string_view names[] = {"FD",  "LD", "OEN", "PEN", "CEN", "HFE", "TOK", "MP", "BP",
                                      "UND", "OF", "ED",  "EC",  "LC",  "TD",  "CRC", "LE", "CC"};

    BOOST_TEST_REQUIRE(rc32438_descriptor.n_tx_status == std::size(names));
    for (unsigned int i = 0; i < std::size(names); i++) {
        BOOST_TEST(rc32438_descriptor.tx_status[i].name == names[i]);
        BOOST_TEST(+rc32438_descriptor.tx_status[i].lsb == i);
        BOOST_TEST(+rc32438_descriptor.tx_status[i].bits == (i == 17 ? 4 : 1));
    }
}

BOOST_AUTO_TEST_CASE(the_bits_of_a_receive_descriptor_are_those_of_section_3_2a) {
    const std::string_view names[] = {"FD",  "LD",  "ROK", "FM", "MP", "BP",  "VLT", "CF",
                                      "OVR", "CRC", "CV",  "DB", "LE", "LOR", "CES", "LENGTH"};

    BOOST_TEST_REQUIRE(rc32438_descriptor.n_rx_status == std::size(names));
    for (unsigned int i = 0; i < std::size(names); i++) {
        BOOST_TEST(rc32438_descriptor.rx_status[i].name == names[i]);
        BOOST_TEST(+rc32438_descriptor.rx_status[i].lsb == (i == 15 ? 16 : i));
        BOOST_TEST(+rc32438_descriptor.rx_status[i].bits == (i == 15 ? 16 : 1));
    }
}

BOOST_AUTO_TEST_CASE(it_is_a_fast_ethernet_mac_of_two_ports_at_octet_addresses) {
    BOOST_TEST(rc32438_model.name == std::string_view("rc32438"));
    BOOST_TEST(+rc32438_model.ports == 2);
    BOOST_TEST(rc32438_model.port_stride == 0x8000u);
    BOOST_TEST(+rc32438_model.address_unit_bits == 8);
    BOOST_TEST(+rc32438_model.bus_bits == 32);
    BOOST_TEST(rc32438_model.line_rate_bps == 100000000u);
    BOOST_TEST((rc32438_model.options & MACSTATS_OPT_HALF_DUPLEX));
    BOOST_TEST(+rc32438_model.power_up == MACSTATS_POWER_UP_ZERO);
}

BOOST_AUTO_TEST_CASE(it_is_in_the_list_of_models_once) {
    unsigned int found = 0;

    for (const macstats_model* model : macstats_models)
        found += model == &rc32438_model;
    BOOST_TEST(found == 1u);
}

BOOST_AUTO_TEST_CASE(names_fit_and_stay_unique_when_rx_and_tx_are_spelt_out) {
    std::set<std::string> names;

    for (unsigned int i = 0; i < rc32438_model.n_counters; i++) {
        std::string name = rc32438_model.counters[i].name;

        BOOST_TEST(name.size() <= 31u);
        BOOST_TEST((name.starts_with("rx_") || name.starts_with("tx_")));
        std::string renamed = (name[0] == 'r' ? "received" : "transmitted") + name.substr(2);
        BOOST_TEST(names.insert(renamed).second, name);
    }
}

// "The act of reading a counter causes its value to be reset to zero": not for a dump.
BOOST_AUTO_TEST_CASE(only_reads_of_the_five_counters_are_destructive) {
    for (u32 offset = 0; offset < 0x300; offset += 4)
        BOOST_TEST(
            macstats_read_is_destructive(&rc32438_model, offset) ==
                (offset >= 0x120 && offset <= 0x130),
            "offset " << offset);
    BOOST_TEST(!macstats_read_is_destructive(&rc32438_model, 0xffffffff));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(wrap_times)

// Section 3.5. RBC, TBC: 2^32 * 8 bits / 100 Mb/s = 343.597 s. RPC, RUPC, RFC: runts of 4
// octets, 24 with preamble and gap: 2^32 * 192 / 100 Mb/s = 8246.337 s.
BOOST_AUTO_TEST_CASE(counters_wrap_when_the_register_maps_say) {
    const u64 expected[] = {343597383, 8246337208, 8246337208, 8246337208, 343597383};

    for (unsigned int i = 0; i < rc32438_model.n_counters; i++)
        BOOST_TEST(
            macstats__wrap_usecs(
                &rc32438_model, &rc32438_model.counters[i], rc32438_model.line_rate_bps) ==
                (i < 5 ? expected[i] : ~u64{0}),
            rc32438_model.counters[i].reg);
}

BOOST_AUTO_TEST_CASE(polls_are_at_most_half_a_wrap_time_apart) {
    BOOST_TEST(
        macstats__shortest_wrap_usecs(&rc32438_model, rc32438_model.line_rate_bps) == 343597383u);
    BOOST_TEST(
        macstats_poll_ceiling_usecs(&rc32438_model, rc32438_model.line_rate_bps) == 171798691u);
    BOOST_TEST(
        macstats_poll_default_usecs(&rc32438_model, rc32438_model.line_rate_bps) == 1000000u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(receive_counters)

BOOST_AUTO_TEST_CASE(good_frames_count_in_RBC_and_RPC_only) {
    for (u32 length : {64u, 65u, 1518u, 1519u, 1536u, 1537u, 9000u, 65535u})
        registers_count_exactly(rx(length), {{"RBC", length}, {"RPC", 1}});
}

BOOST_AUTO_TEST_CASE(destination_kind_and_tags_make_no_difference_to_reception) {
    Frame frame = rx(64);

    for (u8 destination : {MACSTATS_UNICAST, MACSTATS_MULTICAST, MACSTATS_BROADCAST})
        for (u8 kind : {MACSTATS_DATA, MACSTATS_CONTROL, MACSTATS_PAUSE})
            for (u8 tags = 0; tags < 3; tags++) {
                frame.destination = destination;
                frame.kind = kind;
                frame.vlan_tags = tags;
                registers_count_exactly(frame, {{"RBC", 64}, {"RPC", 1}});
            }
}

BOOST_AUTO_TEST_CASE(bad_frames_of_64_octets_and_more_count_as_good_ones_do) {
    for (unsigned int bit = 0; bit < 10; bit++)
        registers_count_exactly(
            rx(64).with(static_cast<u16>(1u << bit)), {{"RBC", 64}, {"RPC", 1}});
}

BOOST_AUTO_TEST_CASE(RUPC_counts_frames_under_64_octets_with_a_valid_FCS) {
    for (u32 length : {1u, 4u, 63u})
        registers_count_exactly(rx(length), {{"RBC", length}, {"RPC", 1}, {"RUPC", 1}});
    // "Does not look at range/length errors" (3.1a).
    registers_count_exactly(
        rx(63).with(MACSTATS_ERR_PAYLOAD_LENGTH), {{"RBC", 63}, {"RPC", 1}, {"RUPC", 1}});
}

BOOST_AUTO_TEST_CASE(RFC_counts_frames_under_64_octets_with_an_invalid_FCS) {
    const u16 invalid[] = {
        MACSTATS_ERR_FCS,
        MACSTATS_ERR_ALIGNMENT,
        MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT,
        MACSTATS_ERR_FCS | MACSTATS_ERR_CODE,
        MACSTATS_ERR_FCS | MACSTATS_ERR_PAYLOAD_LENGTH,
    };

    for (u16 errors : invalid)
        registers_count_exactly(rx(63).with(errors), {{"RBC", 63}, {"RPC", 1}, {"RFC", 1}});
}

// Not well formed, but with a valid FCS.
BOOST_AUTO_TEST_CASE(a_short_frame_with_a_code_error_alone_is_neither_in_RUPC_nor_in_RFC) {
    counts_exactly(rx(63).with(MACSTATS_ERR_CODE), {{"RBC", 63}, {"RPC", 1}});
}

BOOST_AUTO_TEST_CASE(nothing_that_is_sent_counts_as_received) {
    for (u32 length : {1u, 63u, 64u, 1536u, 1537u}) {
        PolledMac device;

        device.send(tx(length));
        device.send(tx(length).with(MACSTATS_ERR_FCS));
        for (u32 offset : {rbc, rpc, rupc, rfc})
            BOOST_TEST(device.port.read(offset) == 0u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(transmitted_octets)

BOOST_AUTO_TEST_CASE(TBC_counts_the_octets_of_frames_without_collision_once) {
    PolledMac device;

    device.send(tx(64));
    BOOST_TEST(device.port.read(tbc) == 64u);
    device.send(tx(1518), 1000);
    BOOST_TEST(device.port.read(tbc) == 1518000u);
    device.send(tx(64).with(MACSTATS_ERR_FCS | MACSTATS_ERR_PAYLOAD_LENGTH));
    BOOST_TEST(device.port.read(tbc) == 64u);
    device.send(rx(64));
    BOOST_TEST(device.port.read(tbc) == 0u);
}

// Each collided attempt: 64 octets, or all of a shorter frame.
BOOST_AUTO_TEST_CASE(TBC_counts_the_octets_of_attempts_that_collided) {
    PolledMac device;

    device.send(tx(1000).collided(1));
    BOOST_TEST(device.port.read(tbc) == 64u + 1000u);
    device.send(tx(100).collided(15));
    BOOST_TEST(device.port.read(tbc) == 15u * 64 + 100);
    device.send(tx(40).collided(2));
    BOOST_TEST(device.port.read(tbc) == 3u * 40);
}

BOOST_AUTO_TEST_CASE(TBC_counts_sixteen_attempts_of_a_frame_that_only_collided) {
    PolledMac device;

    device.send(tx(1000).collided(16));
    BOOST_TEST(device.port.read(tbc) == 16u * 64);
    device.send(tx(1000).with(MACSTATS_ERR_EXCESSIVE_COLLISIONS));
    BOOST_TEST(device.port.read(tbc) == 16u * 64);
}

BOOST_AUTO_TEST_CASE(TBC_counts_the_octets_before_a_late_collision) {
    PolledMac device;

    device.send(tx(1000).with(MACSTATS_ERR_LATE_COLLISION));
    BOOST_TEST(device.port.read(tbc) == 1000u);
    device.send(tx(1000).with(MACSTATS_ERR_LATE_COLLISION).collided(3));
    BOOST_TEST(device.port.read(tbc) == 3u * 64 + 1000);
}

// ED: the transmission was aborted because the medium never got free.
BOOST_AUTO_TEST_CASE(TBC_does_not_count_a_frame_that_deferred_until_it_was_aborted) {
    PolledMac device;

    device.send(tx(1000).with(MACSTATS_ERR_EXCESSIVE_DEFERRAL).late_start());
    BOOST_TEST(device.port.read(tbc) == 0u);
    device.send(tx(1000).with(MACSTATS_ERR_EXCESSIVE_DEFERRAL).collided(2));
    BOOST_TEST(device.port.read(tbc) == 2u * 64);
}

// "The contents of the frame beyond ETH[0|1]MAXF are discarded."
BOOST_AUTO_TEST_CASE(TBC_counts_a_frame_up_to_MAXF) {
    PolledMac device;

    device.send(tx(1536));
    BOOST_TEST(device.port.read(tbc) == 1536u);
    device.send(tx(1537));
    BOOST_TEST(device.port.read(tbc) == 1536u);
    device.port.write(ethmaxf, 100);
    device.send(tx(101), 3);
    BOOST_TEST(device.port.read(tbc) == 300u);
    device.send(tx(65535).collided(1));
    BOOST_TEST(device.port.read(tbc) == 164u);
}

BOOST_AUTO_TEST_CASE(TBC_counts_all_of_a_huge_frame_while_HFE_is_set) {
    PolledMac device;

    device.port.write(ethmac2, mac2_hfe);
    device.send(tx(65535));
    BOOST_TEST(device.port.read(tbc) == 65535u);
    device.port.write(ethmac2, 0);
    device.send(tx(65535));
    BOOST_TEST(device.port.read(tbc) == 1536u);
}

BOOST_AUTO_TEST_CASE(MAXF_does_not_cut_what_is_received) {
    PolledMac device;

    device.port.write(ethmaxf, 100);
    device.send(rx(1518));
    BOOST_TEST(device.port.read(rbc) == 1518u);
}

BOOST_AUTO_TEST_CASE(a_pause_frame_that_the_MAC_makes_is_in_TBC_and_has_no_descriptor) {
    PolledMac full(Setup{});

    full.send(mac_pause());
    BOOST_REQUIRE_EQUAL(full.poll(), 0);
    BOOST_TEST(print(totals_of(full)) == print(with_amounts({{"TBC", 64}}, 64)));
    // In half duplex it sends none: IEEE 802.3 annex 31B.
    counts_exactly(mac_pause(), {});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(descriptors)

void has_status(const Frame& frame, u32 expected, u32 mac2 = 0, u32 maxf = 1536) {
    PolledMac device;

    device.port.write(ethmac2, mac2);
    device.port.write(ethmaxf, maxf);
    BOOST_TEST(status_of(device, frame) == (fd | ld | expected));
}

BOOST_AUTO_TEST_CASE(a_good_frame_has_TOK_and_nothing_else) {
    has_status(tx(64), tok);
    has_status(tx(1536), tok);
}

BOOST_AUTO_TEST_CASE(MP_and_BP_report_the_destination) {
    has_status(tx(64).to(MACSTATS_MULTICAST), tok | mp);
    has_status(tx(64).to(MACSTATS_BROADCAST), tok | bp);
    has_status(tx(64).with(MACSTATS_ERR_UNDERRUN).to(MACSTATS_BROADCAST), bp | und);
}

BOOST_AUTO_TEST_CASE(each_reason_to_abort_has_its_bit_and_clears_TOK) {
    has_status(tx(64).with(MACSTATS_ERR_UNDERRUN), und);
    has_status(tx(1537), of);
    has_status(tx(64).with(MACSTATS_ERR_EXCESSIVE_DEFERRAL), ed);
    has_status(tx(64).with(MACSTATS_ERR_EXCESSIVE_COLLISIONS), ec);
    has_status(tx(64).collided(16), ec);
    has_status(tx(64).with(MACSTATS_ERR_LATE_COLLISION), lc | cc(1));
}

BOOST_AUTO_TEST_CASE(TD_CRC_and_LE_leave_TOK_alone) {
    has_status(tx(64).late_start(), tok | td);
    has_status(tx(64).with(MACSTATS_ERR_FCS), tok | crc);
    has_status(tx(64).with(MACSTATS_ERR_PAYLOAD_LENGTH), tok | le);
}

// The errors that the manual has no bit for.
BOOST_AUTO_TEST_CASE(an_error_without_a_bit_leaves_the_frame_OK) {
    for (u16 error :
         {MACSTATS_ERR_CARRIER_LOSS, MACSTATS_ERR_ALIGNMENT, MACSTATS_ERR_CODE,
          MACSTATS_ERR_OVERRUN})
        has_status(tx(64).with(error), tok);
}

BOOST_AUTO_TEST_CASE(CC_is_the_number_of_collisions_up_to_fifteen) {
    for (u8 collisions = 0; collisions < 16; collisions++)
        has_status(tx(64).collided(collisions), tok | cc(collisions));
}

BOOST_AUTO_TEST_CASE(TOK_is_set_exactly_when_UND_OF_ED_EC_and_LC_are_clear) {
    const u16 errors[] = {
        MACSTATS_ERR_UNDERRUN,
        MACSTATS_ERR_EXCESSIVE_DEFERRAL,
        MACSTATS_ERR_EXCESSIVE_COLLISIONS,
        MACSTATS_ERR_LATE_COLLISION,
        MACSTATS_ERR_FCS,
        MACSTATS_ERR_PAYLOAD_LENGTH};
    PolledMac device;

    for (unsigned int mask = 0; mask < 64; mask++)
        for (u32 length : {64u, 1537u}) {
            Frame frame = tx(length);

            for (unsigned int i = 0; i < 6; i++)
                if (mask >> i & 1)
                    frame.errors = static_cast<u16>(frame.errors | errors[i]);
            u32 status = status_of(device, frame);
            BOOST_TEST(!(status & (und | of | ed | ec | lc)) == !!(status & tok));
            // A frame that is not begun, or is given up in the collision window, is not cut.
            BOOST_TEST(!!(status & of) == (length == 1537 && !(mask & 6)));
            BOOST_TEST(!!(status & crc) == !!(mask & 16));
            BOOST_TEST(!!(status & le) == !!(mask & 32));
        }
}

BOOST_AUTO_TEST_CASE(each_bit_feeds_its_total) {
    describes(tok, {{"TOK", 1}});
    describes(tok | mp, {{"TOK", 1}, {"MP", 1}});
    describes(tok | bp, {{"TOK", 1}, {"BP", 1}});
    describes(und, {{"TOK=0", 1}, {"UND", 1}});
    describes(of, {{"TOK=0", 1}, {"OF", 1}});
    describes(ed, {{"TOK=0", 1}, {"ED", 1}});
    describes(ec, {{"TOK=0", 1}, {"EC", 1}});
    describes(lc, {{"TOK=0", 1}, {"LC", 1}});
    describes(tok | td, {{"TOK", 1}, {"TD", 1}});
    describes(tok | crc, {{"TOK", 1}, {"CRC", 1}});
    describes(tok | le, {{"TOK", 1}, {"LE", 1}});
    describes(tok | cc(1), {{"TOK", 1}, {"CC", 1}, {"CC=1", 1}});
    describes(tok | cc(2), {{"TOK", 1}, {"CC", 2}, {"CC>1", 1}});
    describes(tok | cc(15), {{"TOK", 1}, {"CC", 15}, {"CC>1", 1}});
}

BOOST_AUTO_TEST_CASE(a_frame_with_several_reasons_is_one_that_is_not_OK) {
    describes(
        und | of | ed | ec | lc,
        {{"TOK=0", 1}, {"UND", 1}, {"OF", 1}, {"ED", 1}, {"EC", 1}, {"LC", 1}});
}

// Whether MP is set with BP is not stated: either way it is one broadcast frame.
BOOST_AUTO_TEST_CASE(a_broadcast_frame_is_not_a_multicast_one_even_with_MP) {
    describes(tok | mp | bp, {{"TOK", 1}, {"BP", 1}});
}

BOOST_AUTO_TEST_CASE(MP_and_BP_count_with_TOK_only) {
    describes(mp | und, {{"TOK=0", 1}, {"UND", 1}});
    describes(bp | lc, {{"TOK=0", 1}, {"LC", 1}});
}

// IEEE 802.3 30.3.1.1.9: frames that collided are not counted as deferred.
BOOST_AUTO_TEST_CASE(TD_counts_frames_without_collisions_only) {
    describes(tok | td | cc(1), {{"TOK", 1}, {"CC", 1}, {"CC=1", 1}});
    describes(td | ed, {{"TOK=0", 1}, {"ED", 1}});
}

// "This field is valid only in the last descriptor of a packet."
BOOST_AUTO_TEST_CASE(a_descriptor_that_is_not_the_last_of_its_packet_counts_nothing) {
    PolledMac device;

    device.finish(fd);
    device.finish(fd | tok | mp | td | crc | le | cc(3));
    device.finish(und | of | ed | ec | lc);
    BOOST_TEST(print(totals_of(device)) == "");
    device.finish(ld | tok);
    BOOST_TEST(print(totals_of(device)) == print({{"TOK", 1}, {"COUNT", 60}}));
}

// "When the OEN bit is set to 1, it controls"; "examined in the first packet descriptor".
BOOST_AUTO_TEST_CASE(CEN_counts_in_the_first_descriptor_and_with_OEN_only) {
    const struct {
        u32 first;
        u32 last;
        u32 config;
        bool is_error;
    } packets[] = {
        {0, 0, 0, true},          {0, 0, cen, false},         {cen, 0, 0, true},
        {cen, cen, 0, true},      {oen, 0, 0, true},          {oen, 0, cen, true},
        {oen | cen, 0, 0, false}, {oen | cen, 0, cen, false}, {0, oen | cen, 0, true},
        {0, oen, cen, false},     {oen, oen | cen, 0, true},  {oen | cen, oen, 0, false},
    };

    for (const auto& one : packets) {
        PolledMac device;

        device.finish(
            {.first = fd | one.first,
             .last = ld | tok | crc | one.last,
             .config = one.config,
             .octets = 60,
             .attempts = 16});
        BOOST_TEST(
            device.total("CRC") == one.is_error,
            "first " << one.first << " last " << one.last << " config " << one.config);
        BOOST_TEST(device.total("TOK") == 1u);
    }
}

// A driver as that of Linux: one descriptor, and OEN left at 0.
BOOST_AUTO_TEST_CASE(a_frame_without_a_control_of_its_own_has_OEN_CEN_and_HFE_clear) {
    PolledMac device;

    device.port.write(ethmac2, mac2_cen | mac2_hfe);
    const macstats_packet packet = packet_of(device, tx(64));
    BOOST_TEST(packet.first == (fd | ld | tok));
    BOOST_TEST(packet.last == (fd | ld | tok));
    BOOST_TEST(packet.config == (cen | hfe));
    BOOST_TEST(packet.octets == 60u);
    BOOST_TEST(+packet.attempts == 16);
}

BOOST_AUTO_TEST_CASE(a_frame_with_one_control_of_its_own_repeats_the_other_of_ETHMAC2) {
    const u32 all = oen | cen | hfe;
    PolledMac device;

    BOOST_TEST((packet_of(device, tx(64).with_crc(true)).first & all) == (oen | cen));
    BOOST_TEST((packet_of(device, tx(64).with_crc(false)).first & all) == oen);
    BOOST_TEST((packet_of(device, tx(64).with_huge(true)).first & all) == (oen | hfe));
    device.port.write(ethmac2, mac2_cen | mac2_hfe);
    BOOST_TEST((packet_of(device, tx(64).with_crc(false)).first & all) == (oen | hfe));
    BOOST_TEST((packet_of(device, tx(64).with_huge(false)).first & all) == (oen | cen));
}

BOOST_AUTO_TEST_CASE(only_the_first_of_several_descriptors_has_FD_and_only_the_last_has_LD) {
    PolledMac device;

    for (const unsigned int descriptors : {2u, 3u, 64u}) {
        const macstats_packet packet = packet_of(device, tx(64).in(descriptors).with_crc(true));

        BOOST_TEST((packet.first & (fd | ld | oen | cen)) == (fd | oen | cen));
        BOOST_TEST((packet.last & (fd | ld)) == ld);
        BOOST_TEST((packet.last & ~(oen | cen | hfe | ld)) == tok);
        // Its status is not valid.
        BOOST_TEST((packet_of(device, tx(64).in(descriptors)).first & tok) == 0u);
    }
}

// The field may be any of the table.
BOOST_AUTO_TEST_CASE(a_field_of_the_status_may_be_copied_from_a_register) {
    for (const std::size_t i : {std::size_t{0}, rc32438_descriptor.n_tx_status - std::size_t{1}}) {
        Copy copy(rc32438_model);
        copy.descriptor.tx[i].copy = {ethmac2, 1u << 2};
        Port port(copy.model());

        const u32 bit = 1u << copy.descriptor.tx[i].lsb;
        BOOST_TEST((macstats__copied_status(&port.emulator()) & bit) == 0u);
        port.write(ethmac2, 1u << 2);
        BOOST_TEST((macstats__copied_status(&port.emulator()) & bit) == bit);
    }
}

// After MAX_RET retransmissions, and not only after 16 collisions as in 802.3.
BOOST_AUTO_TEST_CASE(a_frame_with_excessive_collisions_is_of_their_class) {
    PolledMac device;
    const macstats_emulator& emu = device.port.emulator();

    device.port.write(ethclrt, 0x3703);
    for (const bool late : {false, true}) {
        Frame frame = tx(64).with(MACSTATS_ERR_EXCESSIVE_COLLISIONS);
        if (late)
            frame.errors |= MACSTATS_ERR_LATE_COLLISION;
        const macstats_seen seen = macstats_see(&emu, &frame);

        BOOST_TEST(
            macstats__class_get(seen.frame_class, MACSTATS_CLASS_COLLISIONS) ==
            MACSTATS_SIXTEEN_COLLISIONS);
    }
}

BOOST_AUTO_TEST_CASE(HFE_of_the_first_descriptor_decides_whether_a_frame_is_cut) {
    PolledMac device;

    device.send(tx(2000).with_huge(true));
    BOOST_TEST(device.port.read(tbc) == 2000u);
    BOOST_TEST(device.total("OF") == 0u);
    device.port.write(ethmac2, mac2_hfe);
    device.send(tx(2000).with_huge(false).in(2));
    BOOST_TEST(device.port.read(tbc) == 1536u);
    BOOST_TEST(device.total("OF") == 1u);
    device.send(tx(2000).with_crc(false));
    BOOST_TEST(device.port.read(tbc) == 2000u);
    BOOST_TEST(device.total("OF") == 1u);
}

// EC: the first attempt and MAX_RET retransmissions have collided.
BOOST_AUTO_TEST_CASE(EC_is_set_after_MAX_RET_retransmissions) {
    for (u8 max_ret = 0; max_ret < 16; max_ret++) {
        PolledMac device;

        device.port.write(ethclrt, 0x3700u | max_ret);
        BOOST_TEST(+packet_of(device, tx(64)).attempts == max_ret + 1);
        BOOST_TEST((status_of(device, tx(64).collided(max_ret)) & (ec | tok)) == tok);
        BOOST_TEST((status_of(device, tx(64).collided(max_ret + 1u)) & (ec | tok)) == ec);
        device.send(tx(1000).collided(max_ret + 1u));
        BOOST_TEST(device.port.read(tbc) == (max_ret + 1u) * 64);
        BOOST_TEST(device.total("EC*") == max_ret + 1u);
        device.send(tx(1000).with(MACSTATS_ERR_EXCESSIVE_COLLISIONS));
        BOOST_TEST(device.port.read(tbc) == (max_ret + 1u) * 64);
        // A frame that is given up has no late collision after that.
        const Frame late = tx(64).with(MACSTATS_ERR_LATE_COLLISION);
        BOOST_TEST((status_of(device, late.collided(max_ret)) & (lc | ec)) == lc);
        BOOST_TEST((status_of(device, late.collided(max_ret + 1u)) & (lc | ec)) == ec);
        const Standard standard = standard_of(device);
        BOOST_TEST(standard[MACSTATS_STD_RTNL_COLLISIONS] == 2u * (max_ret + 1));
    }
}

BOOST_AUTO_TEST_CASE(many_descriptors_alike_count_at_once) {
    PolledMac device;

    device.finish(ld | tok | mp | cc(3), 1000000000000);
    BOOST_TEST(device.total("TOK") == 1000000000000u);
    BOOST_TEST(device.total("MP") == 1000000000000u);
    BOOST_TEST(device.total("CC") == 3000000000000u);
    BOOST_TEST(device.total("CC>1") == 1000000000000u);
}

// Neither field is the last of its table.
BOOST_AUTO_TEST_CASE(each_field_of_a_status_may_contain_the_length_or_the_collisions) {
    macstats_status fields[2] = {};
    fields[0].lsb = 16;
    fields[0].bits = 16;
    fields[0].octets = true;
    fields[1].lsb = 4;
    fields[1].bits = 4;
    fields[1].collisions = true;
    const u32 status = 1518u << 16 | 0xau << 4 | 0xf;

    BOOST_TEST(macstats__status_number(macstats_status_field(fields, 2, true), status) == 1518u);
    BOOST_TEST(macstats__status_number(macstats_status_field(fields, 2, false), status) == 10u);
    BOOST_TEST(macstats__status_number(macstats_status_field(fields, 1, false), status) == 0u);
    BOOST_TEST(macstats__status_number(macstats_status_field(fields, 0, true), status) == 0u);
}

BOOST_AUTO_TEST_CASE(registers_are_not_fed_by_descriptors) {
    for (unsigned int i = 0; i < 5; i++)
        for (u32 status : {0u, ld | tok, 0xffffffffu}) {
            const macstats_packet packet = {status, status, 0, 60, 16};

            BOOST_TEST(
                macstats_transmitted_increment(
                    &rc32438_model, i, &packet, macstats_packet_status(&rc32438_model, &packet),
                    1) == 0u);
            BOOST_TEST(macstats_received_increment(&rc32438_model, i, status, 1) == 0u);
        }
}

// All 2^11 of TOK to LE, whether a MAC would write them or not, with every CC, and with
// and without CEN, in the registers or the first descriptor; and every receive status.
std::optional<u32> first_status_decoded_differently(const macstats_model& model) {
    for (u32 bits = 0; bits < 1u << 11; bits++)
        for (u32 collisions = 0; collisions < 16; collisions++)
            for (u32 software : {0u, cen, oen, oen | cen}) {
                const u32 status = bits << 6 | collisions << 17 | ld;
                const u32 config = bits & 1 ? 0 : cen;
                const macstats_packet packet = {software, status, config, 96, 4};
                Rc32438Driver driver;

                driver.sent(software, status, config, 3, 100, 7);
                for (unsigned int i = 5; i < model.n_counters; i++)
                    if (macstats_transmitted_increment(
                            &model, i, &packet, macstats_packet_status(&model, &packet), 7) !=
                        driver.*Rc32438Driver::totals[i - 5].member)
                        return status;
            }
    for (u32 bits = 0; bits < 1u << 15; bits++) {
        const u32 status = bits | octets(1234);
        Rc32438Driver driver;

        driver.received(status, 7);
        for (unsigned int i = 5; i < model.n_counters; i++)
            if (macstats_received_increment(&model, i, status, 7) !=
                driver.*Rc32438Driver::totals[i - 5].member)
                return status;
    }
    return {};
}

// A row without a least number of collisions.
BOOST_AUTO_TEST_CASE(a_row_of_at_most_so_many_collisions_counts_fewer_and_none) {
    Copy copy(rc32438_model);
    macstats_counter* row = nullptr;
    for (macstats_counter& one : copy.rows)
        if (one.status.low == 1 && one.status.high == 1)
            row = &one;
    BOOST_REQUIRE(row != nullptr);
    row->status.low = 0;
    row->status.high = 2;
    Polled port(copy.model(), {.with = MACSTATS_OPT_HALF_DUPLEX});
    const std::string_view reg = row->reg;

    for (unsigned int collisions = 0; collisions <= 3; collisions++) {
        const u64 before = port.total(reg);
        port.send(tx(64).collided(collisions));
        BOOST_TEST(port.total(reg) - before == (collisions <= 2 ? 1u : 0u), collisions);
    }
}

BOOST_AUTO_TEST_CASE(every_status_is_decoded_as_by_the_reference) {
    BOOST_TEST_REQUIRE(rc32438_model.n_counters == 5 + Rc32438Driver::totals.size());
    std::optional<u32> status = first_status_decoded_differently(rc32438_model);
    BOOST_TEST(!status.has_value(), "status " << std::hex << status.value_or(0));
}

// The comparison above is worth something: a wrong bit in any row is noticed.
BOOST_AUTO_TEST_CASE(a_wrong_bit_in_the_mask_of_any_descriptor_row_is_caught) {
    for (unsigned int i = 5; i < rc32438_model.n_counters; i++)
        for (unsigned int bit = 0; bit < 17; bit++) {
            // Bits that are software's and mean nothing here; the packets above all have LD.
            const bool received = rc32438_model.counters[i].status.received;
            if (!received && (bit < 4 || bit == 5))
                continue;
            if (received && bit > 14)
                continue;
            std::vector<macstats_counter> rows(
                rc32438_model.counters, rc32438_model.counters + rc32438_model.n_counters);
            macstats_model model = rc32438_model;

            model.counters = rows.data();
            rows[i].status.mask ^= 1u << bit;
            rows[i].status.value &= rows[i].status.mask;
            BOOST_TEST(
                first_status_decoded_differently(model).has_value(), rows[i].reg << " bit " << bit);
        }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(receive_descriptors)

void has_rx_status(const Frame& frame, u32 expected, u32 mac2 = 0) {
    PolledMac device;
    u32 status = 0;

    device.port.write(ethmac1, mac1_paf);
    device.port.write(ethmac2, mac2);
    BOOST_TEST_REQUIRE(macstats_rx_status(&device.port.emulator(), &frame, &status), frame);
    BOOST_TEST(
        macstats_rx_descriptor(&rc32438_model, &frame, status, 0) ==
            (fd | ld | expected | octets(frame.length)),
        frame);
}

bool has_descriptor(const Frame& frame, u32 mac1 = 0) {
    PolledMac device;
    u32 status = 0;

    device.port.write(ethmac1, mac1);
    return macstats_rx_status(&device.port.emulator(), &frame, &status);
}

BOOST_AUTO_TEST_CASE(a_good_frame_has_ROK_and_its_class) {
    has_rx_status(rx(64), rok);
    has_rx_status(rx(1536), rok);
    has_rx_status(rx(64).to(MACSTATS_MULTICAST), rok | rx_mp);
    has_rx_status(rx(64).to(MACSTATS_BROADCAST), rok | rx_bp);
    has_rx_status(rx(68).tagged(), rok | vlt);
    has_rx_status(rx(72).tagged(2), rok | vlt);
    for (macstats_kind kind : {MACSTATS_CONTROL, MACSTATS_PAUSE, MACSTATS_PFC})
        has_rx_status(rx(64).as(kind), rok | cf);
}

BOOST_AUTO_TEST_CASE(each_error_has_its_bit_and_clears_ROK) {
    has_rx_status(rx(64).with(MACSTATS_ERR_FCS), rx_crc);
    has_rx_status(rx(64).with(MACSTATS_ERR_ALIGNMENT), rx_crc | db);
    has_rx_status(rx(64).with(MACSTATS_ERR_CODE), cv);
    has_rx_status(rx(64).with(MACSTATS_ERR_OVERRUN), ovr);
    has_rx_status(rx(64).with(MACSTATS_ERR_PAYLOAD_LENGTH), rx_le);
    has_rx_status(rx(64).with(MACSTATS_ERR_CHECKSUM | MACSTATS_ERR_CARRIER_LOSS), rok);
}

BOOST_AUTO_TEST_CASE(a_frame_over_MAXF_is_cut_and_loses_its_CRC_unless_HFE_is_set) {
    has_rx_status(rx(1537), rx_crc);
    has_rx_status(rx(1537), rok, mac2_hfe);
    has_rx_status(rx(65535), rok, mac2_hfe);
    has_rx_status(rx(1537).with(MACSTATS_ERR_CODE), cv, mac2_hfe);
}

// "Runts are never passed to DMA" (11-6).
BOOST_AUTO_TEST_CASE(a_frame_under_64_octets_has_no_descriptor) {
    for (u32 errors : {0u, 0u + MACSTATS_ERR_FCS, 0u + MACSTATS_ERR_CODE}) {
        BOOST_TEST(!has_descriptor(rx(63).with(errors), mac1_paf));
        BOOST_TEST(has_descriptor(rx(64).with(errors), mac1_paf));
    }
}

BOOST_AUTO_TEST_CASE(a_frame_without_a_free_descriptor_has_none) {
    for (u32 errors : {0u, 0u + MACSTATS_ERR_FCS})
        BOOST_TEST(!has_descriptor(rx(64).with(errors | MACSTATS_ERR_NO_BUFFER), mac1_paf));
}

BOOST_AUTO_TEST_CASE(a_good_control_frame_has_a_descriptor_with_PAF_only) {
    for (macstats_kind kind : {MACSTATS_CONTROL, MACSTATS_PAUSE, MACSTATS_PFC}) {
        BOOST_TEST(!has_descriptor(rx(64).as(kind)));
        BOOST_TEST(has_descriptor(rx(64).as(kind), mac1_paf));
        BOOST_TEST(has_descriptor(rx(64).as(kind).with(MACSTATS_ERR_FCS)));
        BOOST_TEST(has_descriptor(rx(68).as(kind).tagged()));
    }
}

BOOST_AUTO_TEST_CASE(each_receive_bit_feeds_its_total) {
    const struct {
        u32 status;
        Totals totals;
    } descriptors[] = {
        {ld | rok | octets(64), {{"RX_ROK", 1}, {"RX_LENGTH", 64}}},
        {ld | rok | rx_mp, {{"RX_ROK", 1}, {"RX_MP", 1}}},
        {ld | rok | rx_bp, {{"RX_ROK", 1}, {"RX_BP", 1}}},
        {ld | rok | rx_mp | rx_bp, {{"RX_ROK", 1}, {"RX_BP", 1}}},
        {ld | ovr | octets(64), {{"RX_ROK=0", 1}, {"RX_OVR", 1}}},
        {ld | rx_crc | rx_mp, {{"RX_ROK=0", 1}, {"RX_CRC", 1}}},
        {ld | rx_crc | db, {{"RX_ROK=0", 1}, {"RX_DB", 1}}},
        {ld | rok | db, {{"RX_ROK", 1}}},
        {ld | cv, {{"RX_ROK=0", 1}, {"RX_CV", 1}}},
        {ld | rx_le, {{"RX_ROK=0", 1}, {"RX_LE", 1}}},
        // A part of rx_errors each.
        {ld | ovr | rx_crc | db | rx_le, {{"RX_ROK=0", 1}, {"RX_OVR", 1}}},
        {ld | rx_crc | db | rx_le, {{"RX_ROK=0", 1}, {"RX_DB", 1}}},
        {ld | rx_crc | rx_le, {{"RX_ROK=0", 1}, {"RX_CRC", 1}}},
        // Not the last one of its packet: nothing of it is valid.
        {fd | rok | rx_mp | octets(2048), {}},
        {ovr | rx_crc | cv | db | rx_le, {}},
    };

    for (const auto& one : descriptors) {
        PolledMac device;

        device.receive(one.status);
        BOOST_TEST(
            print(totals_of(device)) == print(one.totals), "status " << std::hex << one.status);
    }
}

BOOST_AUTO_TEST_CASE(a_frame_in_several_descriptors_is_one_packet_with_the_length_of_the_last) {
    for (unsigned int n : {1u, 2u, 3u, 64u}) {
        PolledMac device;

        device.send(rx(1500).in(n), 3);
        BOOST_TEST(device.total("RX_ROK") == 3u);
        BOOST_TEST(device.total("RX_ROK=0") == 0u);
        BOOST_TEST(device.total("RX_LENGTH") == 4500u);
    }
}

BOOST_AUTO_TEST_CASE(only_the_first_receive_descriptor_has_FD_and_only_the_last_has_LD) {
    PolledMac device;
    const Frame frame = rx(1500).in(3);
    const u32 expected[] = {fd, 0, ld};
    u32 status = 0;

    BOOST_TEST_REQUIRE(macstats_rx_status(&device.port.emulator(), &frame, &status));
    for (unsigned int i = 0; i < 3; i++) {
        const u32 word = macstats_rx_descriptor(&rc32438_model, &frame, status, i);
        BOOST_TEST((word & (fd | ld)) == expected[i]);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reads_that_clear)

BOOST_AUTO_TEST_CASE(clear_on_read_counts_each_frame_once) {
    PolledMac device;

    device.send(rx(63), 3);
    device.send(rx(63).with(MACSTATS_ERR_FCS), 5);
    device.send(tx(64), 7);
    BOOST_TEST(device.port.read(rbc) == 8u * 63);
    BOOST_TEST(device.port.read(rpc) == 8u);
    BOOST_TEST(device.port.read(rupc) == 3u);
    BOOST_TEST(device.port.read(rfc) == 5u);
    BOOST_TEST(device.port.read(tbc) == 7u * 64);
    for (u32 offset : {rbc, rpc, rupc, rfc, tbc})
        BOOST_TEST(device.port.read(offset) == 0u);
}

BOOST_AUTO_TEST_CASE(reading_one_counter_does_not_clear_another) {
    PolledMac device;

    device.send(rx(64), 2);
    BOOST_TEST(device.port.read(rbc) == 128u);
    device.send(rx(64));
    BOOST_TEST(device.port.read(rpc) == 3u);
    BOOST_TEST(device.port.read(rbc) == 64u);
}

// "This prevents the loss of events due to non-atomic read and clear operations."
BOOST_AUTO_TEST_CASE(a_frame_between_any_two_reads_of_a_poll_is_counted_once) {
    PolledMac device;
    u64 sent = 0;

    device.bus.before_read = [&](u32) {
        device.send(rx(63));
        device.send(tx(100));
        sent++;
    };
    for (unsigned int i = 0; i < 100; i++)
        BOOST_TEST(device.poll() == 0);
    device.bus.before_read = {};
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(sent >= 600u);
    BOOST_TEST(device.total("RBC") == sent * 63);
    BOOST_TEST(device.total("RPC") == sent);
    BOOST_TEST(device.total("RUPC") == sent);
    BOOST_TEST(device.total("TBC") == sent * 100);
    BOOST_TEST(device.total("TOK") == sent);
}

BOOST_AUTO_TEST_CASE(writing_a_counter_does_nothing) {
    PolledMac device;

    device.send(rx(64), 10);
    for (u64 value : {u64{0}, u64{1}, u64{0xffffffff}})
        device.port.write(rpc, value);
    BOOST_TEST(device.port.read(rpc) == 10u);
}

BOOST_AUTO_TEST_CASE(a_second_readers_counts_alone_are_missing_from_the_total) {
    PolledMac device;

    device.send(rx(64), 10);
    BOOST_TEST(device.port.read(rpc) == 10u);
    device.send(rx(64), 4);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.total("RPC") == 4u);
    BOOST_TEST(device.total("RBC") == 14u * 64);
}

BOOST_AUTO_TEST_CASE(without_the_counters_they_read_0) {
    PolledMac device({.without = MACSTATS_OPT_STATISTICS});

    device.send(rx(63), 10);
    device.send(tx(64), 10);
    for (u32 offset : {rbc, rpc, rupc, rfc, tbc})
        BOOST_TEST(device.port.read(offset) == 0u);
}

BOOST_AUTO_TEST_CASE(frames_collide_in_half_duplex_only) {
    PolledMac half({.with = MACSTATS_OPT_HALF_DUPLEX});
    PolledMac full(Setup{});

    for (PolledMac* device : {&half, &full}) {
        device->send(tx(64).collided(1));
        BOOST_TEST(device->poll() == 0);
    }
    BOOST_TEST(
        print(totals_of(half)) ==
        print({{"TBC", 128}, {"TOK", 1}, {"COUNT", 60}, {"CC", 1}, {"CC=1", 1}}));
    BOOST_TEST(print(totals_of(full)) == print({{"TBC", 64}, {"TOK", 1}, {"COUNT", 60}}));
}

BOOST_AUTO_TEST_CASE(in_full_duplex_no_frame_is_late_or_given_up_for_its_collisions) {
    for (const Frame& frame :
         {tx(64).collided(16), tx(64).with(MACSTATS_ERR_LATE_COLLISION),
          tx(64).with(MACSTATS_ERR_EXCESSIVE_COLLISIONS)}) {
        PolledMac full(Setup{});

        full.send(frame);
        BOOST_TEST(full.poll() == 0);
        BOOST_TEST(print(totals_of(full)) == print({{"TBC", 64}, {"TOK", 1}, {"COUNT", 60}}));
    }
}

BOOST_AUTO_TEST_CASE(each_port_has_its_own_counters_one_stride_up) {
    Chip device(rc32438_model);

    device[0].send(rx(64), 3);
    device[1].send(rx(100), 5);
    BOOST_TEST(device[1].poll() == 0);
    BOOST_TEST(device[1].total("RPC") == 5u);
    BOOST_TEST(device[0].total("RPC") == 0u);
    BOOST_TEST(device.read(0x0000 + rbc) == 192u);
    BOOST_TEST(device.read(0x0000 + rpc) == 3u);
    device[1].send(rx(100));
    BOOST_TEST(device.read(0x8000 + rbc) == 100u);
    BOOST_TEST(device.read(0x8000 + rpc) == 1u);
    u64 value = 0;
    BOOST_TEST(device.try_read(0x10000 + rpc, value) == -ENXIO);
}

BOOST_AUTO_TEST_CASE(MAXF_of_one_port_is_not_that_of_the_other) {
    Chip device(rc32438_model);

    device.write(0x8000 + ethmaxf, 100);
    device[0].send(tx(1000));
    device[1].send(tx(1000));
    BOOST_TEST(device.read(0x0000 + tbc) == 1000u);
    BOOST_TEST(device.read(0x8000 + tbc) == 100u);
    BOOST_TEST(device[0].total("OF") == 0u);
    BOOST_TEST(device[1].total("OF") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(readiness)

BOOST_AUTO_TEST_CASE(RIP_shows_that_a_reset_is_in_progress_and_cannot_be_written) {
    PolledMac device;

    device.port.write(ethintfc, 0xffffffff);
    BOOST_TEST(device.port.read(ethintfc) == 0xfbu);
    device.port.fault(MACSTATS_FAULT_RESET_IN_PROGRESS, true);
    BOOST_TEST(device.port.read(ethintfc) == 0xffu);
    device.port.fault(MACSTATS_FAULT_RESET_IN_PROGRESS, false);
    BOOST_TEST(device.port.read(ethintfc) == 0xfbu);
}

// 5.3: nor may a driver read then.
BOOST_AUTO_TEST_CASE(a_read_while_RIP_is_1_does_not_clear) {
    PolledMac device;

    device.send(rx(63), 3);
    device.port.fault(MACSTATS_FAULT_RESET_IN_PROGRESS, true);
    for (u32 offset : {rbc, rpc, rupc, rfc, tbc})
        device.port.read(offset);
    device.port.fault(MACSTATS_FAULT_RESET_IN_PROGRESS, false);
    BOOST_TEST(device.port.read(rbc) == 189u);
    BOOST_TEST(device.port.read(rpc) == 3u);
    BOOST_TEST(device.port.read(rupc) == 3u);
}

BOOST_AUTO_TEST_CASE(a_read_without_the_MII_clocks_does_not_clear) {
    PolledMac device;

    device.send(rx(63), 3);
    device.port.fault(MACSTATS_FAULT_CLOCK_STOPPED, true);
    for (u32 offset : {rbc, rpc, rupc, rfc, tbc})
        device.port.read(offset);
    device.port.fault(MACSTATS_FAULT_CLOCK_STOPPED, false);
    BOOST_TEST(device.port.read(rbc) == 189u);
    BOOST_TEST(device.port.read(rpc) == 3u);
}

// Totals keep their values, the port is stale until it is over, and nothing is lost.
void is_stale_meanwhile(macstats_fault fault, int err) {
    PolledMac device;

    device.send(rx(64), 3);
    BOOST_TEST(device.poll() == 0);
    device.send(rx(64), 4);
    device.port.fault(fault, true);
    BOOST_TEST(device.poll() == err);
    BOOST_TEST(device.events == MACSTATS_EVENT_STALE);
    BOOST_TEST(device.acc.stale);
    BOOST_TEST(device.acc.reason != std::string_view());
    BOOST_TEST(device.total("RPC") == 3u);
    device.send(rx(64), 5);
    BOOST_TEST(device.poll() == err);
    BOOST_TEST(device.events == 0u);
    device.port.fault(fault, false);
    BOOST_TEST(device.poll() == 0);
    BOOST_TEST(device.events == MACSTATS_EVENT_RECOVERED);
    BOOST_TEST(!device.acc.stale);
    BOOST_TEST(device.total("RPC") == 12u);
    BOOST_TEST(device.total("RBC") == 12u * 64);
    BOOST_TEST(device.acc.discontinuities == 0u);
}

BOOST_AUTO_TEST_CASE(a_port_is_stale_while_a_reset_is_in_progress) {
    is_stale_meanwhile(MACSTATS_FAULT_RESET_IN_PROGRESS, -EBUSY);
}

BOOST_AUTO_TEST_CASE(a_port_is_stale_while_the_MII_clocks_stand_still) {
    is_stale_meanwhile(MACSTATS_FAULT_CLOCK_STOPPED, -ENOLINK);
}

BOOST_AUTO_TEST_CASE(a_port_is_stale_while_the_bus_fails) {
    is_stale_meanwhile(MACSTATS_FAULT_BUS_ERROR, -EIO);
}

BOOST_AUTO_TEST_CASE(the_provider_reads_no_counter_that_is_not_ready) {
    for (macstats_fault fault : {MACSTATS_FAULT_RESET_IN_PROGRESS, MACSTATS_FAULT_CLOCK_STOPPED}) {
        PolledMac device;
        unsigned int reads = 0;

        device.bus.before_read = [&](u32 address) { reads += address >= rbc && address <= tbc; };
        device.port.fault(fault, true);
        BOOST_TEST(device.poll() != 0);
        BOOST_TEST(reads == 0u);
        device.port.fault(fault, false);
        BOOST_TEST(device.poll() == 0);
        BOOST_TEST(reads == 5u);
    }
}

BOOST_AUTO_TEST_CASE(a_stopped_clock_of_one_port_leaves_the_other_alone) {
    Chip device(rc32438_model);

    device[0].port.fault(MACSTATS_FAULT_CLOCK_STOPPED);
    device[1].send(rx(64), 2);
    BOOST_TEST(device[0].poll() == -ENOLINK);
    BOOST_TEST(device[1].poll() == 0);
    BOOST_TEST(device[1].total("RPC") == 2u);
}

BOOST_AUTO_TEST_CASE(it_supports_these_faults_and_no_others) {
    BOOST_TEST(
        macstats_supported_faults(&rc32438_model) ==
        (0u + MACSTATS_FAULTS_COMMON + MACSTATS_FAULT_RESET_IN_PROGRESS +
         MACSTATS_FAULT_CLOCK_STOPPED));
}

BOOST_AUTO_TEST_SUITE_END()

// Section 3.4, by number.
BOOST_AUTO_TEST_SUITE(errata)

BOOST_AUTO_TEST_CASE(R1_RBC_and_TBC_add_octets_the_other_counters_one) {
    PolledMac device;

    device.send(rx(50));
    device.send(rx(51).with(MACSTATS_ERR_FCS));
    device.send(tx(70));
    BOOST_TEST(device.port.read(rbc) == 101u);
    BOOST_TEST(device.port.read(tbc) == 70u);
    BOOST_TEST(device.port.read(rpc) == 2u);
    BOOST_TEST(device.port.read(rupc) == 1u);
    BOOST_TEST(device.port.read(rfc) == 1u);
}

BOOST_AUTO_TEST_CASE(R2_the_five_counters_are_RBC_RPC_RUPC_RFC_and_TBC_from_0x120_on) {
    const std::string_view names[] = {"RBC", "RPC", "RUPC", "RFC", "TBC"};

    for (unsigned int i = 0; i < 5; i++) {
        unsigned int word = 99;

        BOOST_TEST(
            macstats_counter_at(&rc32438_model, 0x120 + 4 * i, &word) == static_cast<int>(i));
        BOOST_TEST(word == 0u);
        BOOST_TEST(rc32438_model.counters[i].reg == names[i]);
    }
}

BOOST_AUTO_TEST_CASE(R3_transmitted_frames_and_errors_are_known_from_descriptors_only) {
    for (unsigned int i = 0; i < rc32438_model.n_counters; i++) {
        const macstats_counter& row = rc32438_model.counters[i];
        bool is_tx = std::string_view(row.name).starts_with("tx_");

        if (is_tx && row.reg != std::string_view("TBC"))
            BOOST_TEST(macstats_is_software_counter(&row), row.reg);
    }
    counts_exactly(tx(64), {{"TBC", 64}, {"TOK", 1}});
}

BOOST_AUTO_TEST_CASE(R4_a_frame_with_a_CRC_and_a_length_error_is_OK) {
    counts_exactly(
        tx(64).with(MACSTATS_ERR_FCS | MACSTATS_ERR_PAYLOAD_LENGTH),
        {{"TBC", 64}, {"TOK", 1}, {"CRC", 1}, {"LE", 1}});
}

BOOST_AUTO_TEST_CASE(R5_HFE_is_bit_5_of_a_descriptor_and_bit_2_of_ETHMAC2) {
    PolledMac device;

    BOOST_TEST(packet_of(device, tx(64)).config == 0u);
    device.port.write(ethmac2, 1 << 2);
    BOOST_TEST(packet_of(device, tx(64)).config == hfe);
    device.port.write(ethmac2, 0xffffffff & ~(1u << 2));
    BOOST_TEST(packet_of(device, tx(64)).config == cen);
}

BOOST_AUTO_TEST_CASE(R6_OF_is_set_for_a_frame_over_MAXF_unless_HFE_is) {
    PolledMac device;

    for (u32 maxf : {64u, 1518u, 1536u, 65534u}) {
        device.port.write(ethmac2, 0);
        device.port.write(ethmaxf, maxf);
        BOOST_TEST(status_of(device, tx(maxf)) == (fd | ld | tok));
        BOOST_TEST(status_of(device, tx(maxf + 1)) == (fd | ld | of));
        device.port.write(ethmac2, mac2_hfe);
        BOOST_TEST(status_of(device, tx(maxf + 1)) == (fd | ld | tok));
    }
}

BOOST_AUTO_TEST_CASE(R7_CC_is_used_with_TOK_only) {
    describes(lc | cc(5), {{"TOK=0", 1}, {"LC", 1}});
    describes(ec | cc(15), {{"TOK=0", 1}, {"EC", 1}});
    describes(und | cc(1), {{"TOK=0", 1}, {"UND", 1}});
    // No MAC writes this, but after EC it is not valid at all.
    describes(tok | ec | cc(1), {{"TOK", 1}, {"EC", 1}});
}

// 16 does not fit into 4 bits: neither the 0 that is left nor any other number counts.
BOOST_AUTO_TEST_CASE(R7_the_CC_of_a_frame_with_16_collisions_leaks_into_nothing) {
    for (const Frame& frame :
         {tx(64).collided(16), tx(64).collided(16).late_start(),
          tx(64).with(MACSTATS_ERR_EXCESSIVE_COLLISIONS).collided(7)})
        counts_exactly(frame, {{"TBC", 16 * 64}, {"TOK=0", 1}, {"EC", 1}});
    // 15 collisions and a late one are 16, too.
    counts_exactly(
        tx(64).with(MACSTATS_ERR_LATE_COLLISION).collided(15).late_start(),
        {{"TBC", 16 * 64}, {"TOK=0", 1}, {"LC", 1}});
}

BOOST_AUTO_TEST_CASE(R8_CRC_is_ignored_while_the_MAC_appends_the_CRC) {
    PolledMac device;

    device.port.write(ethmac2, mac2_cen);
    device.send(tx(64).with(MACSTATS_ERR_FCS));
    BOOST_TEST(device.total("CRC") == 0u);
    BOOST_TEST(device.total("TOK") == 1u);
    device.port.write(ethmac2, 0);
    device.send(tx(64).with(MACSTATS_ERR_FCS));
    BOOST_TEST(device.total("CRC") == 1u);
    BOOST_TEST(device.total("TOK") == 2u);
}

BOOST_AUTO_TEST_CASE(R9_MR_is_bit_31_and_has_nothing_to_do_with_statistics) {
    PolledMac device;

    device.send(rx(64), 2);
    device.port.write(ethmac1, 1u << 31 | 1u << 7);
    BOOST_TEST(device.port.read(ethmac1) == 1u << 31);
    BOOST_TEST(device.port.read(rpc) == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

// Section 3.2 and 5.3.
BOOST_AUTO_TEST_SUITE(traps)

BOOST_AUTO_TEST_CASE(RFC_is_a_counter_and_a_bit_of_ETHMAC1) {
    PolledMac device;

    device.send(rx(63).with(MACSTATS_ERR_FCS), 2);
    device.port.write(ethmac1, 1 << 2);
    BOOST_TEST(device.port.read(ethmac1) == 1u << 2);
    BOOST_TEST(device.port.read(rfc) == 2u);
}

BOOST_AUTO_TEST_CASE(RIP_is_a_bit_of_ETHINTFC_and_not_a_register) {
    const macstats_bit busy = macstats_find_role(&rc32438_model, MACSTATS_ROLE_BUSY);

    BOOST_TEST(busy.offset == ethintfc);
    BOOST_TEST(busy.mask == 1u << 2);
    for (unsigned int i = 0; i < rc32438_model.n_registers; i++)
        BOOST_TEST(rc32438_model.registers[i].name != std::string_view("RIP"));
}

BOOST_AUTO_TEST_CASE(a_counter_read_before_a_reset_is_over_is_not_taken_over) {
    PolledMac device;

    device.port.fault(MACSTATS_FAULT_RESET_IN_PROGRESS, true);
    for (unsigned int i = 0; i < 10; i++)
        BOOST_TEST(device.poll() == -EBUSY);
    BOOST_TEST(print(totals_of(device)) == "");
}

BOOST_AUTO_TEST_CASE(TOK_ignores_CRC_and_LE) {
    for (u32 errors : {0u, crc, le, crc | le})
        describes(tok | errors, [&] {
            Totals totals = {{"TOK", 1}};
            if (errors & crc)
                totals["CRC"] = 1;
            if (errors & le)
                totals["LE"] = 1;
            return totals;
        }());
}

BOOST_AUTO_TEST_CASE(a_collision_is_counted_once) {
    PolledMac device;

    device.send(tx(64).collided(1));
    device.send(tx(64).collided(3));
    BOOST_TEST(device.total("CC") == 4u);
    const Standard standard = standard_of(device);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_COLLISIONS] == 4u);
}

BOOST_AUTO_TEST_CASE(TBC_is_not_OctetsTransmittedOK) {
    for (unsigned int i = 0; i < rc32438_model.n_counters; i++)
        for (const macstats_term& term : rc32438_model.counters[i].standard)
            BOOST_TEST(+term.id != MACSTATS_STD_OCTETS_TRANSMITTED_OK);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(standard_statistics)

BOOST_AUTO_TEST_CASE(statistics_that_the_mac_cannot_report_are_absent) {
    const std::set<unsigned int> present = {
        MACSTATS_STD_FRAMES_TRANSMITTED_OK,
        MACSTATS_STD_SINGLE_COLLISION_FRAMES,
        MACSTATS_STD_MULTIPLE_COLLISION_FRAMES,
        MACSTATS_STD_FRAMES_WITH_DEFERRED_XMISSIONS,
        MACSTATS_STD_LATE_COLLISIONS,
        MACSTATS_STD_FRAMES_ABORTED_DUE_TO_XS_COLLS,
        MACSTATS_STD_FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR,
        MACSTATS_STD_MULTICAST_FRAMES_XMITTED_OK,
        MACSTATS_STD_BROADCAST_FRAMES_XMITTED_OK,
        MACSTATS_STD_FRAMES_WITH_EXCESSIVE_DEFERRAL,
        MACSTATS_STD_UNDERSIZE_PKTS,
        MACSTATS_STD_FRAGMENTS,
        MACSTATS_STD_RTNL_RX_PACKETS,
        MACSTATS_STD_RTNL_TX_PACKETS,
        MACSTATS_STD_RTNL_RX_BYTES,
        MACSTATS_STD_RTNL_TX_BYTES,
        MACSTATS_STD_RTNL_RX_ERRORS,
        MACSTATS_STD_RTNL_TX_ERRORS,
        MACSTATS_STD_RTNL_MULTICAST,
        MACSTATS_STD_RTNL_COLLISIONS,
        MACSTATS_STD_RTNL_RX_LENGTH_ERRORS,
        MACSTATS_STD_RTNL_RX_CRC_ERRORS,
        MACSTATS_STD_RTNL_RX_FRAME_ERRORS,
        MACSTATS_STD_RTNL_RX_FIFO_ERRORS,
        MACSTATS_STD_RTNL_TX_ABORTED_ERRORS,
        MACSTATS_STD_RTNL_TX_FIFO_ERRORS,
        MACSTATS_STD_RTNL_TX_WINDOW_ERRORS,
    };
    PolledMac device;
    const Standard standard = standard_of(device);

    for (unsigned int id = 0; id < MACSTATS_STD_COUNT; id++)
        BOOST_TEST(standard.has(id) == (present.count(id) != 0), "statistic " << id);
}

BOOST_AUTO_TEST_CASE(good_traffic_in_full_duplex_is_exact) {
    PolledMac device;

    device.send(rx(64), 3);
    device.send(rx(1518), 2);
    device.send(tx(100), 5);
    device.send(tx(64).to(MACSTATS_MULTICAST), 7);
    device.send(tx(64).to(MACSTATS_BROADCAST), 11);
    const Standard standard = standard_of(device);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_PACKETS] == 5u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_BYTES] == 3u * 60 + 2 * 1514);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_PACKETS] == 23u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_BYTES] == 5u * 96 + 18 * 60);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_ERRORS] == 0u);
    BOOST_TEST(standard[MACSTATS_STD_FRAMES_TRANSMITTED_OK] == 23u);
    BOOST_TEST(standard[MACSTATS_STD_MULTICAST_FRAMES_XMITTED_OK] == 7u);
    BOOST_TEST(standard[MACSTATS_STD_BROADCAST_FRAMES_XMITTED_OK] == 11u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_COLLISIONS] == 0u);
}

BOOST_AUTO_TEST_CASE(short_frames_received_are_undersize_or_fragments_and_no_packets) {
    PolledMac device;

    device.send(rx(63), 3);
    device.send(rx(20).with(MACSTATS_ERR_FCS), 4);
    device.send(rx(63).with(MACSTATS_ERR_CODE), 5);
    const Standard standard = standard_of(device);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_ERRORS] == 7u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_BYTES] == 0u);
    BOOST_TEST(standard[MACSTATS_STD_UNDERSIZE_PKTS] == 3u);
    BOOST_TEST(standard[MACSTATS_STD_FRAGMENTS] == 4u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_PACKETS] == 0u);
}

BOOST_AUTO_TEST_CASE(collisions_and_aborted_frames_have_their_statistics) {
    PolledMac device;

    device.send(tx(64).collided(1), 2);
    device.send(tx(64).collided(4), 3);
    device.send(tx(64).collided(16), 5);
    device.send(tx(64).with(MACSTATS_ERR_LATE_COLLISION), 7);
    device.send(tx(64).with(MACSTATS_ERR_EXCESSIVE_DEFERRAL), 11);
    device.send(tx(64).with(MACSTATS_ERR_UNDERRUN), 13);
    device.send(tx(2000), 17);
    device.send(tx(64).late_start(), 19);
    const Standard standard = standard_of(device);
    BOOST_TEST(standard[MACSTATS_STD_SINGLE_COLLISION_FRAMES] == 2u);
    BOOST_TEST(standard[MACSTATS_STD_MULTIPLE_COLLISION_FRAMES] == 3u);
    BOOST_TEST(standard[MACSTATS_STD_FRAMES_ABORTED_DUE_TO_XS_COLLS] == 5u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_ABORTED_ERRORS] == 5u);
    BOOST_TEST(standard[MACSTATS_STD_LATE_COLLISIONS] == 7u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_WINDOW_ERRORS] == 7u);
    BOOST_TEST(standard[MACSTATS_STD_FRAMES_WITH_EXCESSIVE_DEFERRAL] == 11u);
    BOOST_TEST(standard[MACSTATS_STD_FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR] == 13u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_FIFO_ERRORS] == 13u);
    BOOST_TEST(standard[MACSTATS_STD_FRAMES_WITH_DEFERRED_XMISSIONS] == 19u);
    BOOST_TEST(standard[MACSTATS_STD_FRAMES_TRANSMITTED_OK] == 2u + 3 + 19);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_PACKETS] == 2u + 3 + 19);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_ERRORS] == 5u + 7 + 11 + 13 + 17);
    // 2 * 1 + 3 * 4, 16 each of those given up, one of each late.
    BOOST_TEST(standard[MACSTATS_STD_RTNL_COLLISIONS] == 2u + 12 + 5 * 16 + 7);
}

BOOST_AUTO_TEST_CASE(bad_frames_are_once_in_rx_errors_and_in_no_packets_and_bytes) {
    PolledMac device;

    device.send(rx(64), 2);
    device.send(rx(64).to(MACSTATS_MULTICAST), 3);
    device.send(rx(100).with(MACSTATS_ERR_FCS), 5);
    device.send(rx(100).with(MACSTATS_ERR_ALIGNMENT), 7);
    device.send(rx(100).with(MACSTATS_ERR_FCS | MACSTATS_ERR_CODE | MACSTATS_ERR_OVERRUN), 11);
    device.send(rx(100).with(MACSTATS_ERR_PAYLOAD_LENGTH), 13);
    device.send(rx(1537), 17);
    device.send(rx(60).with(MACSTATS_ERR_FCS), 19);
    device.send(rx(100).to(MACSTATS_MULTICAST).with(MACSTATS_ERR_CODE), 23);
    const Standard standard = standard_of(device);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_PACKETS] == 2u + 3);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_BYTES] == 5u * 60);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_MULTICAST] == 3u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_ERRORS] == 5u + 7 + 11 + 13 + 17 + 19 + 23);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_CRC_ERRORS] == 5u + 17);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_FRAME_ERRORS] == 7u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_FIFO_ERRORS] == 11u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_LENGTH_ERRORS] == 13u);
}

// It has no descriptor: its octets are in TBC only.
BOOST_AUTO_TEST_CASE(a_pause_frame_of_the_MAC_is_in_neither_tx_packets_nor_tx_bytes) {
    PolledMac device(Setup{});

    device.send(mac_pause(), 5);
    const Standard standard = standard_of(device);
    BOOST_TEST(device.total("TBC") == 320u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_PACKETS] == 0u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_BYTES] == 0u);
}

// Octets of other frames are on the wire, too.
BOOST_AUTO_TEST_CASE(tx_bytes_are_those_of_the_frames_that_were_sent_whole) {
    PolledMac device;

    device.send(tx(100).collided(3), 2);
    device.send(tx(200).collided(16), 3);
    device.send(tx(300).with(MACSTATS_ERR_UNDERRUN), 5);
    device.send(tx(1537), 7);
    const Standard standard = standard_of(device);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_PACKETS] == 2u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_BYTES] == 2u * 96);
}

BOOST_AUTO_TEST_CASE(a_frame_with_two_errors_is_one_in_tx_errors) {
    PolledMac device;

    device.send(tx(2000).with(MACSTATS_ERR_UNDERRUN | MACSTATS_ERR_LATE_COLLISION));
    const Standard standard = standard_of(device);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_ERRORS] == 1u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_FIFO_ERRORS] == 1u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_TX_WINDOW_ERRORS] == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(wraps)

// A frame that counts in each counter, and what it adds.
const struct {
    const char* reg;
    Frame frame;
    u64 amount;
} counted[] = {
    {"RBC", rx(63), 63}, {"RPC", rx(63), 1},
    {"RUPC", rx(63), 1}, {"RFC", rx(63).with(MACSTATS_ERR_FCS), 1},
    {"TBC", tx(64), 64},
};

BOOST_AUTO_TEST_CASE(a_total_goes_on_where_its_counter_wraps) {
    for (const auto& one : counted) {
        PolledMac device;

        BOOST_TEST_CONTEXT(one.reg) {
            device.send(one.frame, 2);
            BOOST_TEST(device.poll() == 0);
            device.preset(one.reg, two_to_32 - 5);
            BOOST_TEST(device.total(one.reg) == 2 * one.amount);
            device.send(one.frame, 7);
            BOOST_TEST(device.poll() == 0);
            BOOST_TEST(device.total(one.reg) == 9 * one.amount);
            BOOST_TEST(!device.acc.possible_loss);
            device.send(one.frame, 1);
            BOOST_TEST(device.poll() == 0);
            BOOST_TEST(device.total(one.reg) == 10 * one.amount);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_raw_read_after_a_wrap_returns_the_remainder) {
    for (const auto& one : counted) {
        PolledMac device;
        unsigned int i = device.index(one.reg);

        device.preset(one.reg, two_to_32 - 5);
        device.send(one.frame, 7);
        BOOST_TEST(device.port.read(rc32438_model.counters[i].offset) == 7 * one.amount - 5);
    }
}

// 343.597383 s, less 83.887 ms (1/4096) for a fast line and a slow clock: polls further apart
// may have lost 2^32 octets, and report it.
BOOST_AUTO_TEST_CASE(two_wraps_between_polls_are_reported_as_possible_loss) {
    for (const auto& one : counted) {
        PolledMac device;

        BOOST_TEST_CONTEXT(one.reg) {
            device.preset(one.reg, two_to_32 - 5);
            device.send(one.frame, 7);
            BOOST_TEST(device.poll_at(343513496999) == 0);
            BOOST_TEST(!device.acc.possible_loss);
            device.send(one.frame, 2 * two_to_32 / one.amount + 1);
            BOOST_TEST(device.poll_at(2 * 343597384000) == 0);
            BOOST_TEST(device.acc.possible_loss);
            BOOST_TEST(!!(device.events & MACSTATS_EVENT_POSSIBLE_LOSS));
        }
    }
}

BOOST_AUTO_TEST_CASE(totals_from_descriptors_do_not_wrap) {
    PolledMac device;

    device.send(tx(64), 3 * two_to_32);
    BOOST_TEST(device.total("TOK") == 3 * two_to_32);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
