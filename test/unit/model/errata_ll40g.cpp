// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The errata of the Low Latency 40GbE user guide, by their numbers in section 1.4 of the
// register maps, and what drivers of this core were seen to get wrong (5.3): values
// worked out by hand. Errata of its younger relative alone are with that one.
#include "boost_test.hpp"

#include <macstats/model/ll40g.h>

#include "fixture.hpp"

BOOST_AUTO_TEST_SUITE(unit_errata_ll40g)

using namespace macstats::test;

namespace {

struct Page {
    u8 direction;
    u32 base;
    u32 config;
};

constexpr Page tx_page = {MACSTATS_TX, 0x800, 0x845};
constexpr Page rx_page = {MACSTATS_RX, 0x900, 0x945};
constexpr Page pages[] = {tx_page, rx_page};

constexpr u32 clear = 1u << 0;
constexpr u32 request = 1u << 2;

Frame on(const Page& page, u32 length) {
    return {page.direction, length};
}

// A core whose counters start at 0.
struct Core : Port {
    explicit Core(const Setup& setup = {}) : Port(ll40g_model, setup) {}
};

} // namespace

BOOST_AUTO_TEST_SUITE(errata)

BOOST_AUTO_TEST_CASE(I1_bcast_ctrl_is_at_0x2e_and_0x23_is_the_high_half_of_1519tomaxb) {
    for (const Page& page : pages) {
        Core core;

        core.send(on(page, 64).to(MACSTATS_BROADCAST).as(MACSTATS_CONTROL), 7);
        core.send(on(page, 1600), 3ull << 32 | 5);
        BOOST_TEST(core.read(page.base + 0x2e) == 7u);
        BOOST_TEST(core.read(page.base + 0x22) == 5u);
        BOOST_TEST(core.read(page.base + 0x23) == 3u);
    }
}

// The clause is 5.2.2.1.8, aOctetsTransmittedOK (30.3.1.1.8): data and padding only, no
// header and no FCS. 46 + 82 octets of frames of 64 and 100.
BOOST_AUTO_TEST_CASE(I4_octets_ok_are_those_of_aOctetsTransmittedOK) {
    Polled polled(ll40g_model);

    for (const Page& page : pages) {
        polled.port.send(on(page, 64));
        polled.port.send(on(page, 100));
    }
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.standard()[MACSTATS_STD_OCTETS_TRANSMITTED_OK] == 128u);
    BOOST_TEST(polled.standard()[MACSTATS_STD_OCTETS_RECEIVED_OK] == 128u);
}

BOOST_AUTO_TEST_CASE(I5_this_core_has_no_counter_of_frame_octets_and_0x62_reads_0) {
    for (const Page& page : pages) {
        Core core;

        core.send(on(page, 1518), 2);
        BOOST_TEST(core.pair(page.base + 0x60) == 3000u);
        BOOST_TEST(core.pair(page.base + 0x62) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(I6_crcerr_includes_oversize_frames_unless_it_is_the_released_core) {
    for (u8 variant : {u8{0}, u8{MACSTATS_OPT_VARIANT}}) {
        Core core({.with = variant});

        core.send(rx(63).bad(), 1);
        core.send(rx(64).bad(), 2);
        core.send(rx(9600).bad(), 4);
        core.send(rx(9601).bad(), 8);
        BOOST_TEST(core.pair(0x906) == (variant ? 6u : 14u));
    }
}

BOOST_AUTO_TEST_CASE(I7_paused_collection_is_a_frozen_view_of_counters_that_go_on) {
    for (const Page& page : pages) {
        Core core;

        core.send(on(page, 64), 3);
        core.write(page.config, request);
        core.send(on(page, 64), 4);
        BOOST_TEST(core.pair(page.base + 0x16) == 3u);
        core.write(page.config, 0);
        BOOST_TEST(core.pair(page.base + 0x16) == 7u);
    }
}

BOOST_AUTO_TEST_CASE(I8_counters_roll_over_at_2_to_the_64) {
    Polled polled(ll40g_model);

    polled.preset("CNTR_RX_64B", ~u64{0});
    polled.port.send(rx(64), 3);
    BOOST_TEST(polled.port.pair(0x916) == 2u);
}

BOOST_AUTO_TEST_CASE(I9_0x04_is_any_size_with_an_fcs_error_and_0x06_is_not) {
    Core core;

    core.send(rx(63).bad());
    BOOST_TEST(core.pair(0x904) == 1u);
    BOOST_TEST(core.pair(0x906) == 0u);
    core.send(rx(64).bad());
    BOOST_TEST(core.pair(0x904) == 2u);
    BOOST_TEST(core.pair(0x906) == 1u);
}

BOOST_AUTO_TEST_CASE(I10_frames_of_9_to_63_octets_are_padded_to_64_and_are_no_runts) {
    for (u32 length : {9u, 63u, 64u}) {
        Core core;

        core.send(tx(length));
        BOOST_TEST(core.pair(0x816) == 1u);
        BOOST_TEST(core.pair(0x834) == 0u);
    }
    Core core;
    core.send(tx(8));
    BOOST_TEST(core.pair(0x816) == 0u);
    BOOST_TEST(core.pair(0x836) == 0u);
}

// 6 + 6 addresses, 2 Length/Type, 46 data, 4 FCS.
BOOST_AUTO_TEST_CASE(I11_the_length_type_field_is_part_of_the_length) {
    Core core;

    core.send(rx(6 + 6 + 2 + 46 + 4));
    BOOST_TEST(core.pair(0x916) == 1u);
    BOOST_TEST(core.pair(0x960) == 46u);
}

BOOST_AUTO_TEST_CASE(I14_a_pfc_frame_is_a_pause_frame_of_the_released_core_only) {
    for (u8 variant : {u8{0}, u8{MACSTATS_OPT_VARIANT}}) {
        Core core({.with = variant});

        core.send(rx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PFC), 5);
        BOOST_TEST(core.pair(0x932) == (variant ? 5u : 0u));
        BOOST_TEST(core.pair(0x92c) == 5u);
    }
}

// A tool calls 0x81b, 0x81d, 0x91b and 0x91d low halves, and the names writable.
BOOST_AUTO_TEST_CASE(I15_odd_addresses_are_high_halves_and_names_cannot_be_written) {
    for (const Page& page : pages) {
        Core core;

        core.send(on(page, 200), 2ull << 32 | 3);
        core.send(on(page, 300), 4ull << 32 | 5);
        BOOST_TEST(core.read(page.base + 0x1a) == 3u);
        BOOST_TEST(core.read(page.base + 0x1b) == 2u);
        BOOST_TEST(core.read(page.base + 0x1c) == 5u);
        BOOST_TEST(core.read(page.base + 0x1d) == 4u);
        core.write(page.base + 0x42, 0);
        BOOST_TEST(core.read(page.base + 0x42) == 0x30343067u); // "040g"
    }
}

// Another tool swaps the high halves of FCS and CRCERR.
BOOST_AUTO_TEST_CASE(I16_0x05_is_the_high_half_of_fcs_and_0x07_that_of_crcerr) {
    Core core;

    core.send(rx(63).bad(), 1ull << 32);
    BOOST_TEST(core.read(0x905) == 1u);
    BOOST_TEST(core.read(0x907) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

// Section 5.3.
BOOST_AUTO_TEST_SUITE(traps)

BOOST_AUTO_TEST_CASE(a_clear_while_frozen_shows_after_the_release) {
    for (const Page& page : pages) {
        Core core;

        core.send(on(page, 64), 5);
        core.write(page.config, request);
        core.write(page.config, request | clear);
        BOOST_TEST(core.pair(page.base + 0x16) == 5u);
        core.write(page.config, 0);
        BOOST_TEST(core.pair(page.base + 0x16) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(a_write_of_the_clear_bit_alone_drops_the_snapshot) {
    for (const Page& page : pages) {
        Core core;

        core.send(on(page, 64), 5);
        core.write(page.config, request);
        core.write(page.config, clear);
        BOOST_TEST(core.read(page.config + 1) == 0u);
        BOOST_TEST(core.pair(page.base + 0x16) == 0u);
    }
}

// The low half of a counter of 64-octet frames wraps in 72 s at 40 Gb/s.
BOOST_AUTO_TEST_CASE(a_total_takes_in_both_halves) {
    Polled polled(ll40g_model);

    polled.port.send(rx(64), 0xffffffff);
    BOOST_TEST(polled.poll() == 0);
    polled.port.send(rx(64), 2);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 0x100000001u);
}

BOOST_AUTO_TEST_CASE(size_bins_hold_bad_frames_so_that_bins_are_not_good_frames) {
    Core core;

    core.send(rx(64), 5);
    core.send(rx(64).bad(), 3);
    BOOST_TEST(core.pair(0x916) == 8u);
    BOOST_TEST(core.pair(0x92a) == 5u);
}

// The younger core's does not.
BOOST_AUTO_TEST_CASE(a_clear_of_the_counters_clears_the_parity_error_too) {
    for (const Page& page : pages) {
        Core core;

        core.fault(MACSTATS_FAULT_PARITY_ERROR);
        BOOST_TEST(core.read(page.config + 1) == 1u);
        core.write(page.config, clear);
        BOOST_TEST(core.read(page.config + 1) == 0u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
