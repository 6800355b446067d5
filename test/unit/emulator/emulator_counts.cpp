// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The counters of the Low Latency 40GbE core that count a frame, and those that do
// not. Expected values are worked out from the user guide (Intel 683745, table 44),
// and where that is silent from section 1.1 of the register maps. The receive page
// counts alike.
#include "boost_test.hpp"
#include <boost/test/data/test_case.hpp>

#include <cstddef>
#include <iterator>
#include <set>
#include <vector>

#include "ll40g_datasheet.hpp"
#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_emulator_counts)

using namespace macstats::test;
using ll40g::equal;
using ll40g::on_page;
using ll40g::read_all;
using ll40g::read_counter;
using ll40g::zero_but;

namespace {

using Counts = std::initializer_list<std::pair<std::string_view, u64>>;

struct Case {
    Frame frame; // the direction is set by the test
    Counts counts;
};

const std::vector<const macstats_model*>
    models(macstats::all_models().begin(), macstats::all_models().end());

constexpr macstats_destination unicast = MACSTATS_UNICAST;
constexpr macstats_destination multicast = MACSTATS_MULTICAST;
constexpr macstats_destination broadcast = MACSTATS_BROADCAST;

Frame in(u8 direction, Frame frame) {
    frame.direction = direction;
    return frame;
}

// One frame into a fresh port; then both pages hold exactly these counts.
void counts_exactly(const Frame& frame, Counts counts, const Setup& setup = {}) {
    Port port(ll40g_model, setup);

    port.send(frame);
    BOOST_TEST_CONTEXT(frame) {
        BOOST_TEST(equal(read_all(port), zero_but(frame.direction, counts)));
    }
}

// Frames of at least 64 octets, which both directions count alike.
//
// Table 44: "_DATA_" excludes control frames, "_CTRL" excludes data frames, "valid"
// and "errored" are about the FCS; pause frames are control frames, too. FCS (0x804)
// counts errors of any size, CRCERR (0x806) those of "length at least 64". Size bins
// count good and bad frames. ST counts every start. OctetsOK is the payload of
// frames without error: the length less 18, less 20 for control (register maps 1.1).
const Case cases[] = {
    {rx(64), {{"64B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 46}}},
    {rx(100).to(multicast), {{"65to127B", 1}, {"MCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 82}}},
    {rx(200).to(broadcast), {{"128to255B", 1}, {"BCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 182}}},
    {rx(64).to(multicast).as(MACSTATS_CONTROL),
     {{"64B", 1}, {"MCAST_CTRL", 1}, {"ST", 1}, {"OctetsOK", 46}}},
    {rx(300).to(broadcast).as(MACSTATS_CONTROL),
     {{"256to511B", 1}, {"BCAST_CTRL", 1}, {"ST", 1}, {"OctetsOK", 282}}},
    {rx(600).as(MACSTATS_CONTROL),
     {{"512to1023B", 1}, {"UCAST_CTRL", 1}, {"ST", 1}, {"OctetsOK", 582}}},
    {rx(64).to(multicast).as(MACSTATS_PAUSE),
     {{"64B", 1}, {"MCAST_CTRL", 1}, {"PAUSE", 1}, {"ST", 1}, {"OctetsOK", 46}}},
    {rx(1100).to(broadcast).as(MACSTATS_PAUSE),
     {{"1024to1518B", 1}, {"BCAST_CTRL", 1}, {"PAUSE", 1}, {"ST", 1}, {"OctetsOK", 1082}}},
    {rx(1600).as(MACSTATS_PAUSE),
     {{"1519toMAXB", 1}, {"UCAST_CTRL", 1}, {"PAUSE", 1}, {"ST", 1}, {"OctetsOK", 1582}}},

    {rx(64).bad(), {{"FCS", 1}, {"CRCERR", 1}, {"UCAST_DATA_ERR", 1}, {"64B", 1}, {"ST", 1}}},
    {rx(1024).to(multicast).bad(),
     {{"FCS", 1}, {"CRCERR", 1}, {"MCAST_DATA_ERR", 1}, {"1024to1518B", 1}, {"ST", 1}}},
    {rx(1519).to(broadcast).bad(),
     {{"FCS", 1}, {"CRCERR", 1}, {"BCAST_DATA_ERR", 1}, {"1519toMAXB", 1}, {"ST", 1}}},
    {rx(65).to(multicast).as(MACSTATS_CONTROL).bad(),
     {{"FCS", 1}, {"CRCERR", 1}, {"MCAST_CTRL_ERR", 1}, {"65to127B", 1}, {"ST", 1}}},
    {rx(128).to(broadcast).as(MACSTATS_CONTROL).bad(),
     {{"FCS", 1}, {"CRCERR", 1}, {"BCAST_CTRL_ERR", 1}, {"128to255B", 1}, {"ST", 1}}},
    {rx(256).as(MACSTATS_CONTROL).bad(),
     {{"FCS", 1}, {"CRCERR", 1}, {"UCAST_CTRL_ERR", 1}, {"256to511B", 1}, {"ST", 1}}},
    {rx(64).to(multicast).as(MACSTATS_PAUSE).bad(),
     {{"FCS", 1}, {"CRCERR", 1}, {"MCAST_CTRL_ERR", 1}, {"PAUSE_ERR", 1}, {"64B", 1}, {"ST", 1}}},
    {rx(64).to(unicast).as(MACSTATS_PAUSE).bad(),
     {{"FCS", 1}, {"CRCERR", 1}, {"UCAST_CTRL_ERR", 1}, {"PAUSE_ERR", 1}, {"64B", 1}, {"ST", 1}}},

    // PFC is a control frame; the guide does not call it pause. The released core differs:
    // the_variant_counts_pfc_as_pause.
    {rx(64).to(multicast).as(MACSTATS_PFC),
     {{"64B", 1}, {"MCAST_CTRL", 1}, {"ST", 1}, {"OctetsOK", 46}}},
    {rx(64).to(multicast).as(MACSTATS_PFC).bad(),
     {{"64B", 1}, {"MCAST_CTRL_ERR", 1}, {"FCS", 1}, {"CRCERR", 1}, {"ST", 1}}},
    {rx(68).to(multicast).as(MACSTATS_PFC).tagged(),
     {{"65to127B", 1}, {"MCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 46}}},

    // Over MAX_xX_SIZE_CONFIG, 9600 after reset: not a valid size, so no octets; the FCS
    // alone decides between OK and ERR. JABBERS is a subset of OVERSIZE and of CRCERR.
    {rx(9601), {{"OVERSIZE", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}}},
    {rx(9601).to(multicast).as(MACSTATS_PAUSE),
     {{"OVERSIZE", 1}, {"MCAST_CTRL", 1}, {"PAUSE", 1}, {"ST", 1}}},
    {rx(65535).to(broadcast).bad(),
     {{"OVERSIZE", 1},
      {"JABBERS", 1},
      {"FCS", 1},
      {"CRCERR", 1},
      {"BCAST_DATA_ERR", 1},
      {"ST", 1}}},

    // register-maps 1.1: octets of VLAN tags are not payload; a tagged control frame
    // is data.
    {rx(68).tagged(), {{"65to127B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 46}}},
    {rx(72).tagged(2), {{"65to127B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 46}}},
    {rx(68).to(multicast).as(MACSTATS_PAUSE).tagged(),
     {{"65to127B", 1}, {"MCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 46}}},
    {rx(72).to(multicast).as(MACSTATS_CONTROL).tagged(2).bad(),
     {{"65to127B", 1}, {"MCAST_DATA_ERR", 1}, {"FCS", 1}, {"CRCERR", 1}, {"ST", 1}}},

    // A payload length error keeps the octets out and is no error otherwise.
    {rx(64).with(MACSTATS_ERR_PAYLOAD_LENGTH), {{"64B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}}},
    {rx(64).with(MACSTATS_ERR_PAYLOAD_LENGTH | MACSTATS_ERR_FCS),
     {{"64B", 1}, {"UCAST_DATA_ERR", 1}, {"FCS", 1}, {"CRCERR", 1}, {"ST", 1}}},
};

// Frames below 64 octets, which only a receiver sees. RUNT: "with or without
// FCS error"; FRAGMENTS: "less than 64 bytes and reporting a CRC error".
const Case runts[] = {
    {rx(63), {{"RUNT", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}}},
    {rx(1).to(broadcast), {{"RUNT", 1}, {"BCAST_DATA_OK", 1}, {"ST", 1}}},
    {rx(20).to(multicast).as(MACSTATS_PAUSE),
     {{"RUNT", 1}, {"MCAST_CTRL", 1}, {"PAUSE", 1}, {"ST", 1}}},
    {rx(63).bad(), {{"RUNT", 1}, {"FRAGMENTS", 1}, {"FCS", 1}, {"UCAST_DATA_ERR", 1}, {"ST", 1}}},
    {rx(9).as(MACSTATS_CONTROL).bad(),
     {{"RUNT", 1}, {"FRAGMENTS", 1}, {"FCS", 1}, {"UCAST_CTRL_ERR", 1}, {"ST", 1}}},
};

void open_gate(Port& port) {
    const macstats_bit& gate = port.emulator().roles.gate;

    if (gate.mask)
        port.write(gate.offset, gate.mask);
}

} // namespace

BOOST_AUTO_TEST_SUITE(one_frame)

BOOST_AUTO_TEST_CASE(a_transmitted_frame_counts_exactly_where_the_datasheet_says) {
    for (const Case& one : cases)
        counts_exactly(in(MACSTATS_TX, one.frame), one.counts);
}

BOOST_AUTO_TEST_CASE(a_received_frame_counts_exactly_where_the_datasheet_says) {
    for (const Case& one : cases)
        counts_exactly(in(MACSTATS_RX, one.frame), one.counts);
}

BOOST_AUTO_TEST_CASE(a_received_runt_counts_whatever_its_fcs) {
    for (const Case& one : runts)
        counts_exactly(one.frame, one.counts);
}

// Without this the three above would prove less than they seem to.
BOOST_AUTO_TEST_CASE(the_cases_show_every_counter_counting_and_not_counting) {
    std::set<std::string, std::less<>> counted;
    std::set<std::string, std::less<>> spared;
    auto note = [&](u8 direction, const Case& one) {
        std::set<std::string, std::less<>> here;

        for (const auto& [what, value] : one.counts)
            here.insert(on_page(direction, what));
        for (const ll40g::CounterAt& counter : ll40g::counters)
            (here.contains(counter.name) ? counted : spared).emplace(counter.name);
    };

    for (const Case& one : cases)
        note(MACSTATS_TX, one);
    for (const Case& one : cases)
        note(MACSTATS_RX, one);
    for (const Case& one : runts)
        note(MACSTATS_RX, one);
    for (const ll40g::CounterAt& counter : ll40g::counters) {
        // The core pads what it transmits to 64 octets: neither can happen there.
        bool impossible = counter.name == "CNTR_TX_RUNT" || counter.name == "CNTR_TX_FRAGMENTS";

        BOOST_TEST_CONTEXT(counter.name) {
            BOOST_TEST(counted.contains(counter.name) == !impossible);
            BOOST_TEST(spared.contains(counter.name));
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sizes)

// Table 44, 0x816 to 0x824, with MAX_xX_SIZE_CONFIG at its reset value of 9600.
BOOST_AUTO_TEST_CASE(each_length_is_in_one_size_class) {
    const struct {
        u32 length;
        std::string_view received;
        std::string_view transmitted;
    } lengths[] = {
        {1, "RUNT", ""}, // shorter than nine octets: not transmitted
        {8, "RUNT", ""},
        {9, "RUNT", "64B"}, // "pads frames of length nine bytes to 64 bytes"
        {63, "RUNT", "64B"},
        {64, "64B", "64B"},
        {65, "65to127B", "65to127B"},
        {127, "65to127B", "65to127B"},
        {128, "128to255B", "128to255B"},
        {255, "128to255B", "128to255B"},
        {256, "256to511B", "256to511B"},
        {511, "256to511B", "256to511B"},
        {512, "512to1023B", "512to1023B"},
        {1023, "512to1023B", "512to1023B"},
        {1024, "1024to1518B", "1024to1518B"},
        {1518, "1024to1518B", "1024to1518B"},
        {1519, "1519toMAXB", "1519toMAXB"},
        {9600, "1519toMAXB", "1519toMAXB"},
        {9601, "OVERSIZE", "OVERSIZE"},
        {65535, "OVERSIZE", "OVERSIZE"},
    };
    const std::string_view classes[] = {"RUNT",        "64B",        "65to127B",
                                        "128to255B",   "256to511B",  "512to1023B",
                                        "1024to1518B", "1519toMAXB", "OVERSIZE"};

    for (const auto& one : lengths) {
        for (u16 errors : good_and_bad) {
            Port port(ll40g_model);

            port.send(rx(one.length).with(errors));
            port.send(tx(one.length).with(errors));
            for (std::string_view what : classes) {
                BOOST_TEST_CONTEXT(what << " of length " << one.length) {
                    BOOST_TEST(
                        read_counter(port, on_page(MACSTATS_RX, what)) ==
                        (what == one.received ? 1u : 0u));
                    BOOST_TEST(
                        read_counter(port, on_page(MACSTATS_TX, what)) ==
                        (what == one.transmitted ? 1u : 0u));
                }
            }
        }
    }
}

// register-maps 1.1: bins up to 1518 are not gated by MAX, the last one is.
BOOST_AUTO_TEST_CASE(a_maximum_below_1518_counts_frames_in_their_bin_and_as_oversize) {
    const struct {
        u32 length;
        Counts counts;
    } lengths[] = {
        {1000, {{"512to1023B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 982}}},
        {1001, {{"512to1023B", 1}, {"OVERSIZE", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}}},
        {1518, {{"1024to1518B", 1}, {"OVERSIZE", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}}},
        {1519, {{"OVERSIZE", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}}},
    };

    for (u8 direction : directions) {
        for (const auto& one : lengths) {
            Port port(ll40g_model);

            port.write(direction == MACSTATS_RX ? ll40g::max_rx_size : ll40g::max_tx_size, 1000);
            port.send(Frame(direction, one.length));
            BOOST_TEST_CONTEXT("direction " << +direction << " length " << one.length) {
                BOOST_TEST(equal(read_all(port), zero_but(direction, one.counts)));
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(each_direction_has_its_own_maximum) {
    Port port(ll40g_model);

    port.write(ll40g::max_rx_size, 2000);
    port.send(rx(2001));
    port.send(tx(2001));
    BOOST_TEST(read_counter(port, "CNTR_RX_OVERSIZE") == 1u);
    BOOST_TEST(read_counter(port, "CNTR_TX_OVERSIZE") == 0u);
    BOOST_TEST(read_counter(port, "CNTR_TX_1519toMAXB") == 1u);
}

BOOST_AUTO_TEST_CASE(a_new_maximum_does_not_change_what_was_counted) {
    Port port(ll40g_model);

    port.send(rx(5000), 3);
    port.write(ll40g::max_rx_size, 2000);
    BOOST_TEST(read_counter(port, "CNTR_RX_1519toMAXB") == 3u);
    BOOST_TEST(read_counter(port, "CNTR_RX_OVERSIZE") == 0u);
    port.send(rx(5000), 2);
    port.write(ll40g::max_rx_size, 9600);
    BOOST_TEST(read_counter(port, "CNTR_RX_1519toMAXB") == 3u);
    BOOST_TEST(read_counter(port, "CNTR_RX_OVERSIZE") == 2u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(transmitter)

// Table 44, 0x834: "does not transmit frames of length less than nine bytes".
BOOST_AUTO_TEST_CASE(a_frame_below_nine_octets_is_not_sent_and_counts_nowhere) {
    for (u32 length : {1u, 8u})
        for (u16 errors : good_and_bad)
            counts_exactly(tx(length).with(errors), {});
}

// The same clause: "pads frames of length nine bytes to 64 bytes". 64 - 18 = 46 octets
// of payload and padding; a tagged one has 42 of them, a control frame 46.
BOOST_AUTO_TEST_CASE(a_frame_of_nine_to_63_octets_is_sent_as_one_of_64) {
    for (u32 length = 9; length <= 64; length++)
        counts_exactly(tx(length), {{"64B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 46}});
    counts_exactly(tx(9).tagged(), {{"64B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 42}});
    counts_exactly(
        tx(9).as(MACSTATS_CONTROL), {{"64B", 1}, {"UCAST_CTRL", 1}, {"ST", 1}, {"OctetsOK", 46}});
    counts_exactly(
        tx(9).bad(), {{"64B", 1}, {"FCS", 1}, {"CRCERR", 1}, {"UCAST_DATA_ERR", 1}, {"ST", 1}});
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(options)

// register-maps I6: "length at least 64" taken by its words includes oversize frames;
// the released core stops at the maximum, which is the variant.
BOOST_AUTO_TEST_CASE(the_variant_leaves_oversize_frames_out_of_crcerr) {
    const Setup variant = {.with = MACSTATS_OPT_VARIANT};

    for (u8 direction : directions) {
        counts_exactly(
            Frame(direction, 9601).bad(),
            {{"OVERSIZE", 1}, {"JABBERS", 1}, {"FCS", 1}, {"UCAST_DATA_ERR", 1}, {"ST", 1}},
            variant);
        counts_exactly(
            Frame(direction, 9600).bad(),
            {{"1519toMAXB", 1}, {"FCS", 1}, {"CRCERR", 1}, {"UCAST_DATA_ERR", 1}, {"ST", 1}},
            variant);
        counts_exactly(
            Frame(direction, 64).bad(),
            {{"64B", 1}, {"FCS", 1}, {"CRCERR", 1}, {"UCAST_DATA_ERR", 1}, {"ST", 1}}, variant);
    }
}

// register-maps I14: the released core counts PFC (opcode 01-01) as PAUSE, too.
BOOST_AUTO_TEST_CASE(the_variant_counts_pfc_as_pause) {
    const Setup variant = {.with = MACSTATS_OPT_VARIANT};

    for (u8 direction : directions) {
        const Frame pfc = Frame(direction, 64).to(multicast).as(MACSTATS_PFC);

        counts_exactly(
            pfc, {{"64B", 1}, {"MCAST_CTRL", 1}, {"PAUSE", 1}, {"ST", 1}, {"OctetsOK", 44}},
            variant);
        counts_exactly(
            pfc.bad(),
            {{"64B", 1},
             {"MCAST_CTRL_ERR", 1},
             {"PAUSE_ERR", 1},
             {"FCS", 1},
             {"CRCERR", 1},
             {"ST", 1}},
            variant);
        counts_exactly(
            pfc.as(MACSTATS_CONTROL), {{"64B", 1}, {"MCAST_CTRL", 1}, {"ST", 1}, {"OctetsOK", 44}},
            variant);
    }
}

// register-maps 1.1: "If VLAN detection is disabled, 4/8 tag bytes count as payload".
BOOST_AUTO_TEST_CASE(without_vlan_detection_tags_are_payload) {
    const Setup blind = {.without = MACSTATS_OPT_VLAN_DETECTION};

    for (u8 direction : directions) {
        counts_exactly(
            Frame(direction, 100).tagged(),
            {{"65to127B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 82}}, blind);
        counts_exactly(
            Frame(direction, 100).tagged(2),
            {{"65to127B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 82}}, blind);
        // 88-08 is not at octets 13 and 14, detected or not.
        counts_exactly(
            Frame(direction, 100).tagged().as(MACSTATS_PAUSE),
            {{"65to127B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 82}}, blind);
    }
}

// register-maps 1.1: len - 18 untagged, - 22 VLAN, - 26 stacked VLAN, - 20 control.
BOOST_AUTO_TEST_CASE(payload_is_the_length_less_header_tags_and_fcs) {
    const struct {
        Frame frame;
        u64 payload;
    } frames[] = {
        {rx(64), 46},
        {rx(64).tagged(), 42},
        {rx(64).tagged(2), 38},
        {rx(64).as(MACSTATS_CONTROL), 46},
        {rx(64).as(MACSTATS_PAUSE), 46},
        {rx(1518), 1500},
        {rx(1522).tagged(), 1500},
        {rx(1526).tagged(2), 1500},
        {rx(9600), 9582},
    };

    for (const auto& one : frames) {
        Port port(ll40g_model);

        port.send(one.frame, 10);
        port.send(in(MACSTATS_TX, one.frame), 7);
        BOOST_TEST_CONTEXT(one.frame) {
            BOOST_TEST(read_counter(port, "RxOctetsOK") == 10 * one.payload);
            BOOST_TEST(read_counter(port, "TxOctetsOK") == 7 * one.payload);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(many)

BOOST_AUTO_TEST_CASE(two_to_the_63_less_one_frames_count_in_one_call) {
    constexpr u64 many = 0x7fffffffffffffff;

    for (bool at_once : {false, true}) {
        Port port(ll40g_model);

        if (at_once)
            port.send_at_once(rx(64), many);
        else
            port.send(rx(64), many);
        BOOST_TEST(read_counter(port, "CNTR_RX_64B") == many);
        BOOST_TEST(read_counter(port, "CNTR_RX_ST") == many);
        // 46 * (2^63 - 1) = 23 * 2^64 - 46.
        BOOST_TEST(read_counter(port, "RxOctetsOK") == 0u - u64{46});
    }
}

// Section 3.4.1.6: "The 64-bit statistics registers are designed to roll over".
BOOST_AUTO_TEST_CASE(a_counter_rolls_over_at_two_to_the_64) {
    constexpr u64 many = 0x7fffffffffffffff;
    Port port(ll40g_model);

    port.send(rx(64), many);
    port.send(rx(64), many);
    BOOST_TEST(read_counter(port, "CNTR_RX_64B") == 0xfffffffffffffffeu);
    port.send(rx(64), 1);
    BOOST_TEST(read_counter(port, "CNTR_RX_64B") == 0xffffffffffffffffu);
    port.send(rx(64), 3);
    BOOST_TEST(read_counter(port, "CNTR_RX_64B") == 2u);
}

BOOST_AUTO_TEST_CASE(frames_of_all_cpu_cells_are_summed) {
    Port port(ll40g_model, {.cell_set = 5});

    for (unsigned int cpu_cells = 0; cpu_cells < 5; cpu_cells++)
        port.send(rx(64), cpu_cells + 1, cpu_cells);
    BOOST_TEST(read_counter(port, "CNTR_RX_64B") == 15u);
    BOOST_TEST(read_counter(port, "RxOctetsOK") == 15u * 46);
}

// Reads share sums. An idle port, one frame, a clear and a new start show whether they are new.
BOOST_AUTO_TEST_CASE(a_read_shows_all_frames_that_were_sent_before_it) {
    Port port(ll40g_model, {.cell_set = 3});

    for (unsigned int sent = 1; sent <= 9; sent++) {
        port.send(rx(64), 1, sent % 3);
        BOOST_TEST(read_counter(port, "CNTR_RX_64B") == sent);
        BOOST_TEST(read_counter(port, "CNTR_RX_64B") == sent);
        BOOST_TEST(read_counter(port, "RxOctetsOK") == sent * 46u);
        BOOST_TEST(read_counter(port, "CNTR_TX_64B") == 0u);
    }
    port.write(ll40g::rx_page.config, ll40g::config_clear);
    BOOST_TEST(read_counter(port, "CNTR_RX_64B") == 0u);
    port.send(tx(64), 1, 2);
    BOOST_TEST(read_counter(port, "CNTR_TX_64B") == 1u);
    BOOST_TEST(read_counter(port, "CNTR_RX_64B") == 0u);
    port.send(rx(64), 2, 0);
    port.power_up({});
    BOOST_TEST(read_counter(port, "CNTR_RX_64B") == 0u);
    port.send(rx(64), 5, 1);
    BOOST_TEST(read_counter(port, "CNTR_RX_64B") == 5u);
}

BOOST_AUTO_TEST_CASE(a_counter_is_found_from_any_other_one) {
    for (const macstats_model* model : models) {
        const unsigned int n = macstats_register_counters(model);
        const u32 step = macstats_word_step(model);

        for (unsigned int near = 0; near < n; near++)
            for (unsigned int i = 0; i < n; i++)
                for (unsigned int w = 0; w < macstats_words(model, &model->counters[i]); w++) {
                    const u32 offset = model->counters[i].offset + w * step;
                    unsigned int word = ~0u;
                    const int found = macstats__counter_near(model, offset, near, &word);

                    BOOST_TEST_REQUIRE(found == static_cast<int>(i));
                    BOOST_TEST_REQUIRE(word == w);
                }
    }
}

BOOST_AUTO_TEST_CASE(counting_nothing_counts_nothing) {
    counts_exactly(rx(64), {{"64B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 46}});
    Port port(ll40g_model);

    port.send(rx(64), 0);
    port.send_at_once(rx(64).bad(), 0);
    BOOST_TEST(equal(read_all(port), zero_but(MACSTATS_RX, {})));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cells)

namespace {

u64 class_of(const Port& port, const macstats_frame& frame) {
    return macstats_see(&port.emulator(), &frame).frame_class;
}

unsigned int cell_of(const Port& port, const macstats_frame& frame) {
    return macstats__find_cell(&port.emulator(), class_of(port, frame));
}

std::vector<u64> values_of(Port& port) {
    const macstats_cell_set cell_set = port.whole_set();
    std::vector<u64> values = {
        macstats__good_frames(&port.emulator(), &cell_set),
        macstats_line_octets(&port.emulator(), &cell_set)};

    for (unsigned int i = 0; i < macstats_register_counters(&port.model()); i++)
        values.push_back(macstats__live_value(&port.emulator(), &cell_set, i));
    return values;
}

} // namespace

// Frames of a class may differ in length alone: what they add up to in a cell is the sum of what
// each adds by itself, with any content of the registers.
BOOST_DATA_TEST_CASE(a_cell_counts_as_each_of_its_frames_does, models, model) {
    static constexpr u64 values[] = {0, 1, 7, 64, 100, 1518, 1522, 1536, 9000, 65535, 0xffffffff};
    Random random(seed_of(4));
    Port with_cells(*model, {.cell_set = 2});
    Port at_once(*model);

    for (unsigned int life = 0; life < 400; life++) {
        const u16 options = static_cast<u16>(random.next()) & model->options;
        Setup setup;

        if (random.one_in(2) && macstats_valid_options(model, options))
            setup = {.with = options, .without = static_cast<u16>(~options)};
        for (Port* port : {&with_cells, &at_once}) {
            port->power_up(setup);
            open_gate(*port);
        }
        for (unsigned int i = 0; i < 300; i++) {
            const Frame frame = with_descriptors(
                random, *model, random_frame(random, random.one_in(2) ? 1518 : 9600));
            const u64 count = random.one_in(50) ? random.next() >> random.between(0, 63) : 1;

            if (model->n_registers && random.one_in(50)) {
                const u32 offset = model->registers[random.below(model->n_registers)].offset;
                const u64 value = random.of(values);

                with_cells.try_write(offset, value);
                at_once.try_write(offset, value);
            }
            with_cells.send(frame, count, random.below(2));
            at_once.send_at_once(frame, count);
        }
        BOOST_TEST_REQUIRE(values_of(with_cells) == values_of(at_once));
    }
}

// The classes of all cells are different ones, and found again.
BOOST_DATA_TEST_CASE(each_class_has_a_cell_of_its_own, models, model) {
    Random random(seed_of(5));
    Port port(*model);

    open_gate(port);
    for (unsigned int i = 0; i < 2000; i++) {
        const Frame frame = random_frame(random);
        // Longer ones are counted at once: a counter does not count all of their octets.
        if (frame.length > port.emulator().frame_limit)
            continue;
        const u64 frame_class = class_of(port, frame);
        const unsigned int known = cell_of(port, frame);
        const u64 before =
            known < MACSTATS_CELLS ? port.whole_set().cpu_cells[0]->cells[known].frames : 0;

        // See macstats__find_cell().
        BOOST_TEST(static_cast<u32>(frame_class) != 0u);
        BOOST_TEST((frame_class >> 32) != 0u);
        port.send(frame, 5);
        const unsigned int cell = cell_of(port, frame);
        BOOST_TEST((known == MACSTATS_CELLS || known == cell));
        if (cell == MACSTATS_CELLS)
            continue;
        BOOST_TEST(port.emulator().classes[cell] == frame_class);
        BOOST_TEST(port.whole_set().cpu_cells[0]->cells[cell].frames - before == 5u);
    }
    std::set<u64> classes(std::begin(port.emulator().classes), std::end(port.emulator().classes));
    classes.erase(0);
    BOOST_TEST(classes.size() == port.emulator().cells);
    BOOST_TEST(classes.size() > MACSTATS_CELLS / 2);
}

// Frames with events take no more than half of the cells: traffic still gets one for each class.
BOOST_AUTO_TEST_CASE(cells_are_left_for_most_traffic) {
    Port port(ll40g_model);
    Random random(seed_of(6));

    for (unsigned int i = 0; i < 5000; i++) {
        Frame frame = random_frame(random);
        frame.errors |= MACSTATS_ERR_FCS;
        port.send(frame, 1);
    }
    BOOST_TEST(port.emulator().cells == MACSTATS_CELLS / 2);
    for (const u32 length : {64u, 65u, 128u, 256u, 512u, 1024u, 1519u})
        for (const Frame& frame :
             {rx(length), tx(length), rx(length).to(MACSTATS_MULTICAST),
              rx(length).to(MACSTATS_BROADCAST)}) {
            port.send(frame, 1);
            BOOST_TEST(cell_of(port, frame) < MACSTATS_CELLS);
        }
}

// Counts so large that the octets of a cell wrap: 64 octets are below any frame limit.
BOOST_AUTO_TEST_CASE(octets_that_go_round_in_a_cell_are_not_cut) {
    constexpr u64 most = 0xffffffff;
    constexpr u64 times = 262'200;
    Port with_cells(ixf1104_model);
    Port at_once(ixf1104_model);

    for (u64 i = 0; i < times; i++)
        with_cells.send(rx(64).bad(), most);
    at_once.send_at_once(rx(64).bad(), most * times);
    BOOST_TEST(values_of(with_cells) == values_of(at_once));
}

// What the key of a class and the search for its cell rely on.
static_assert(MACSTATS_ERR_ALL < 1 << 12 && MACSTATS_ATTEMPT_LIMIT + 1 < 1 << 5);
static_assert(MACSTATS_MAX_EDGES + 1 <= 1 << 4 && MACSTATS_FRAME_MAX < 1 << MACSTATS_OCTAVES);
static_assert(MACSTATS_CELLS <= 256 && (MACSTATS_CELLS & (MACSTATS_CELLS - 1)) == 0);

BOOST_AUTO_TEST_CASE(frames_that_anything_in_a_row_tells_apart_are_of_different_classes) {
    Copy copy(errors_model);
    copy.model().options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX;
    Port port(copy.model(), {.with = MACSTATS_OPT_HALF_DUPLEX});
    std::vector<Frame> frames = {rx(64), tx(64), tx(63), tx(64).late_start(), mac_pause()};
    std::set<u64> classes;

    for (const auto to : {multicast, broadcast})
        frames.push_back(tx(64).to(to));
    for (const auto kind : {MACSTATS_CONTROL, MACSTATS_PAUSE, MACSTATS_PFC})
        frames.push_back(tx(64).as(kind));
    for (const u8 tags : {u8{1}, u8{2}})
        frames.push_back(tx(64).tagged(tags));
    for (unsigned int collisions = 1; collisions <= 16; collisions++)
        for (const u32 length : {63u, 64u})
            frames.push_back(tx(length).collided(collisions));
    for (unsigned int bit = 1; bit < MACSTATS_ERR_ALL; bit <<= 1)
        if (bit != MACSTATS_ERR_EXCESSIVE_COLLISIONS) // as after 16 of them
            frames.push_back(tx(64).with(bit));
    for (const Frame& frame : frames)
        BOOST_TEST(classes.insert(class_of(port, frame)).second, frame);
    BOOST_TEST(class_of(port, tx(64).by(MACSTATS_BY_MAC)) == class_of(port, tx(64)));
}

// A MAC consumes pause and PFC frames, and drops bad and overlong ones: 9600 octets here. Behind a
// tag, it finds no flow control.
BOOST_AUTO_TEST_CASE(the_host_gets_good_frames_that_are_no_flow_control) {
    Port port(ll40g_model);

    for (const Frame& frame :
         {rx(64), rx(9600), rx(64).to(broadcast), rx(64).as(MACSTATS_CONTROL),
          rx(68).as(MACSTATS_PAUSE).tagged(), rx(64).with(MACSTATS_ERR_PAYLOAD_LENGTH)})
        BOOST_TEST(macstats_is_for_host(class_of(port, frame)), frame);
    for (const Frame& frame : {rx(9601), rx(64).as(MACSTATS_PAUSE), rx(64).as(MACSTATS_PFC)})
        BOOST_TEST(!macstats_is_for_host(class_of(port, frame)), frame);
    for (unsigned int bit = 1; bit < MACSTATS_ERR_ALL; bit <<= 1)
        if (bit != MACSTATS_ERR_PAYLOAD_LENGTH)
            BOOST_TEST(!macstats_is_for_host(class_of(port, rx(64).with(bit))), bit);
}

// As 2^64 frames leave it: only one of the three sums need be other than 0.
BOOST_AUTO_TEST_CASE(a_cell_whose_frames_have_gone_round_to_0_counts_its_octets) {
    const struct {
        u64 octets;
        u64 payload;
    } cells[] = {{5, 0}, {0, 7}, {1, 2}};

    for (const auto& one : cells) {
        Copy copy(clearing_model);
        copy.row("RxFrames").unit = MACSTATS_PAYLOAD;
        Port port(copy.model());
        macstats_cpu_cells& cpu_cells = *port.whole_set().cpu_cells[0];

        port.send(rx(64));
        cpu_cells.cells[cell_of(port, rx(64))] = {0, one.octets, one.payload, 0};
        cpu_cells.additions++;
        BOOST_TEST(port.read("RxOctets") == one.octets);
        BOOST_TEST(port.read("RxFrames") == one.payload);
    }
}

BOOST_AUTO_TEST_CASE(both_ways_of_finding_a_size_class_agree_at_every_length) {
    const macstats_sizes lists[] = {
        {MACSTATS_RMON_EDGES, 0},
        {MACSTATS_RMON_EDGES, 1u << 6},
        {{64, 65, 66, 67, 68, 127, 128, 1024, 1519, 1521, 1523, 1525}, 0xffe},
        {{1, 2, 3, 64, 127, 4096, 32768, 40000, 65535}, 0},
        {{1518, 65531}, 3},
        {{0}, 0},
    };

    for (const macstats_sizes& sizes : lists) {
        Copy copy(clearing_model);
        copy.model().sizes = sizes;
        Port port(copy.model());

        for (bool tagged : {false, true}) {
            u32 wrong = 0;

            for (u32 length = 1; length <= MACSTATS_FRAME_MAX; length++)
                wrong += macstats__size_index(&port.emulator(), length, tagged) !=
                         macstats__size_class(&sizes, length, tagged);
            BOOST_TEST(wrong == 0u);
        }
    }
}

// Settings that are the same are not published again.
BOOST_AUTO_TEST_CASE(settings_that_differ_in_any_field_are_not_the_same) {
    const macstats_settings settings = MACSTATS_NO_SETTINGS;
    const auto differs = [&](auto change) {
        macstats_settings other = settings;

        change(other);
        return !macstats__same_settings(&settings, &other);
    };

    BOOST_TEST(!differs([](macstats_settings&) {}));
    BOOST_TEST(differs([](macstats_settings& other) { other.max_frame_rx = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.max_frame_tx = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.max_frame_set = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.tx_config = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.attempts = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.options = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.counting = true; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.flow_control = true; }));
}

// The sums of a block are taken cell by cell; those of one counter must be the same.
BOOST_AUTO_TEST_CASE(the_sum_of_a_block_is_that_of_its_counters_even_after_a_roll_over) {
    constexpr u64 many = 0x7fffffffffffffff;
    Port port(ll40g_model);

    // 2^64 frames in one cell: as many as none, but not so their octets, which are
    // (2^63 - 1) * (47 + 109) + 2 * 47 = 78 * 2^64 - 62.
    port.send(rx(65), 0);
    for (const auto& [count, length] : {std::pair{many, 65u}, {many, 127u}, {u64{2}, 65u}}) {
        const macstats_sums each{1, length, length - 18, length + 20};
        macstats__cell_add(port.whole_set().cpu_cells[0], cell_of(port, rx(length)), &each, count);
    }
    BOOST_TEST(read_counter(port, "CNTR_RX_65to127B") == 0u);
    BOOST_TEST(read_counter(port, "RxOctetsOK") == 0u - u64{62});
    port.write(ll40g::rx_page.config, ll40g::config_request);
    BOOST_TEST(read_counter(port, "RxOctetsOK") == 0u - u64{62});
    port.write(ll40g::rx_page.config, ll40g::config_clear);
    BOOST_TEST(equal(read_all(port), zero_but(MACSTATS_RX, {})));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
