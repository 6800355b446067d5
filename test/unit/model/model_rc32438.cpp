// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The Ethernet interfaces of the IDT 79RC32438, by the manual's page 11-16 and section 3 of the
// register maps: names, and descriptors that no MAC writes. What the frames of the emulation do to
// registers and descriptors is compared in reference.cpp.
#include "boost_test.hpp"

#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "../../reference/rc32438_reference.hpp"
#include "fixture.hpp"
#include "models.hpp"

BOOST_AUTO_TEST_SUITE(unit_model_rc32438)

using namespace macstats::test;

namespace {

using macstats::reference::Rc32438Driver;

const macstats_descriptor& rc32438_descriptor = *rc32438_model.descriptor;

constexpr u32 ethmac2 = 0x204;

// Places of the bits in a transmit descriptor, section 3.2a.
constexpr u32 fd = 1 << 0;
constexpr u32 ld = 1 << 1;
constexpr u32 oen = 1 << 2;
constexpr u32 cen = 1 << 4;
constexpr u32 tok = 1 << 6;
constexpr u32 crc = 1 << 15;

// A port in half duplex, where frames collide.
class PolledMac : public Polled {
public:
    PolledMac() : Polled(rc32438_model, {.with = MACSTATS_OPT_HALF_DUPLEX}) {}
};

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

        for (unsigned int i = 0; i < rc32438_model.n_registers; i++) {
            const macstats_register& reg = rc32438_model.registers[i];

            for (unsigned int k = 0; k < macstats_field_count(&reg); k++)
                found += reg.offset == one.offset && reg.fields[k].lsb == one.lsb &&
                         reg.fields[k].name == one.name;
        }
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

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(descriptors)

// "This field is valid only in the last descriptor of a packet."
BOOST_AUTO_TEST_CASE(a_descriptor_that_is_not_the_last_of_its_packet_counts_nothing) {
    PolledMac device;

    for (u32 status = 0; status < 1u << 21; status += 1u << 6)
        device.finish(fd | status);
    for (const u64 total : device.totals())
        BOOST_TEST(total == 0u);
    device.finish(ld | tok);
    BOOST_TEST(device.total("TOK") == 1u);
    BOOST_TEST(device.total("COUNT") == 60u);
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

// All 2^11 of TOK to LE, whether a MAC would write them or not, with every CC, and with
// and without CEN, in the registers or the first descriptor. By rows from @first on, before @end.
std::optional<u32>
first_sent_decoded_differently(const macstats_model& model, unsigned int first, unsigned int end) {
    for (u32 bits = 0; bits < 1u << 11; bits++)
        for (u32 collisions = 0; collisions < 16; collisions++)
            for (u32 software : {0u, cen, oen, oen | cen}) {
                const u32 status = bits << 6 | collisions << 17 | ld;
                const u32 config = bits & 1 ? 0 : cen;
                const macstats_packet packet = {software, status, config, 96, 4};
                Rc32438Driver driver;

                driver.sent(software, status, config, 3, 100, 7);
                for (unsigned int i = first; i < end; i++)
                    if (macstats_transmitted_increment(
                            &model, i, &packet, macstats_packet_status(&model, &packet), 7) !=
                        driver.*Rc32438Driver::totals[i - 5].member)
                        return status;
            }
    return {};
}

// Every receive status.
std::optional<u32> first_received_decoded_differently(
    const macstats_model& model, unsigned int first, unsigned int end) {
    for (u32 bits = 0; bits < 1u << 15; bits++) {
        const u32 status = bits | 1234u << 16;
        Rc32438Driver driver;

        driver.received(status, 7);
        for (unsigned int i = first; i < end; i++)
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
    const unsigned int end = rc32438_model.n_counters;
    BOOST_TEST_REQUIRE(end == 5 + Rc32438Driver::totals.size());
    for (const auto decoded :
         {first_sent_decoded_differently, first_received_decoded_differently}) {
        const std::optional<u32> status = decoded(rc32438_model, 5, end);
        BOOST_TEST(!status.has_value(), "status " << std::hex << status.value_or(0));
    }
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
            const auto decoded =
                received ? first_received_decoded_differently : first_sent_decoded_differently;
            BOOST_TEST(decoded(model, i, i + 1).has_value(), rows[i].reg << " bit " << bit);
        }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
