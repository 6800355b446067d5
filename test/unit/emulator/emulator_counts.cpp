// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The counters of the Low Latency 40GbE core that count a frame, and those that do
// not. Expected values are worked out from the user guide (Intel 683745, table 44),
// and where that is silent from section 1.1 of the register maps. The receive page
// counts alike.
#include "boost_test.hpp"
#include <boost/test/data/test_case.hpp>

#include <cstddef>
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

    for (bool rare : {false, true}) {
        Port port(ll40g_model);

        if (rare)
            port.send_rare(rx(64), many);
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
                    const int found = macstats_counter_near(model, offset, near, &word);

                    BOOST_TEST_REQUIRE(found == static_cast<int>(i));
                    BOOST_TEST_REQUIRE(word == w);
                }
    }
}

BOOST_AUTO_TEST_CASE(counting_nothing_counts_nothing) {
    counts_exactly(rx(64), {{"64B", 1}, {"UCAST_DATA_OK", 1}, {"ST", 1}, {"OctetsOK", 46}});
    Port port(ll40g_model);

    port.send(rx(64), 0);
    port.send_rare(rx(64).bad(), 0);
    BOOST_TEST(equal(read_all(port), zero_but(MACSTATS_RX, {})));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cells)

// 2 directions, 3 destinations, 4 kinds, 8 size classes and one for those over the maximum.
BOOST_AUTO_TEST_CASE(the_model_has_216_cells) {
    BOOST_TEST(macstats_cells(&ll40g_model) == 216u);
    BOOST_TEST(macstats_cpu_cells_size(&ll40g_model) >= 216u * 3 * 8);
    BOOST_TEST(macstats_cpu_cells_size(&ll40g_model) < sizeof(macstats_cpu_cells));
}

namespace {

// One frame of each common class, with the maximum frame length at @max.
std::vector<Frame> common_frames(u32 max) {
    std::vector<Frame> frames;

    for (u8 direction : directions)
        for (macstats_destination to : {unicast, multicast, broadcast})
            for (macstats_kind kind : {MACSTATS_DATA, MACSTATS_CONTROL, MACSTATS_PAUSE})
                for (u8 tags = 0; tags <= 1; tags++)
                    for (u32 length :
                         {30u, 64u, 100u, 200u, 300u, 600u, 1200u, 1519u, max, max + 1, max + 1000})
                        frames.push_back(Frame(direction, length).to(to).as(kind).tagged(tags));
    return frames;
}

} // namespace

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
        for (macstats_cell& cell : cpu_cells.cells)
            if (cell.frames)
                cell = {0, one.octets, one.payload};
        cpu_cells.additions++;
        BOOST_TEST(port.read("RxOctets") == one.octets);
        BOOST_TEST(port.read("RxFrames") == one.payload);
    }
}

// The memory of a CPU ends with its last cell: see macstats_cpu_cells_size().
BOOST_AUTO_TEST_CASE(what_lies_behind_the_last_cell_is_not_counted) {
    for (const macstats_model* model : models) {
        Polled polled(*model);
        macstats_cell* behind = &polled.port.whole_set().cpu_cells[0]->cells[macstats_cells(model)];

        BOOST_TEST_REQUIRE(macstats_cells(model) < MACSTATS_MAX_CELLS);
        *behind = {1000, 64000, 46000};
        polled.send(rx(64).to(broadcast), 3);
        polled.send(tx(64).to(broadcast), 3);
        BOOST_TEST(polled.poll() == 0);
        for (unsigned int i = 0; i < model->n_counters; i++)
            BOOST_TEST(polled.acc.counters[i].total <= 6u * 64, model->counters[i].name);
    }
}

BOOST_AUTO_TEST_CASE(a_cell_and_the_path_for_rare_frames_count_the_same) {
    u64 count = 1;

    for (u32 max : {1518u, 2000u, 9600u}) {
        Port all(ll40g_model);
        Port all_rare(ll40g_model);

        for (Port* port : {&all, &all_rare}) {
            port->write(ll40g::max_rx_size, max);
            port->write(ll40g::max_tx_size, max);
        }
        for (const Frame& frame : common_frames(max)) {
            Port one(ll40g_model);
            Port one_rare(ll40g_model);

            for (Port* port : {&one, &one_rare}) {
                port->write(ll40g::max_rx_size, max);
                port->write(ll40g::max_tx_size, max);
            }
            count = count * 7 % 1000003;
            BOOST_TEST_CONTEXT(frame << " maximum " << max) {
                BOOST_TEST(one.send_common(frame, count));
                one_rare.send_rare(frame, count);
                BOOST_TEST(equal(read_all(one), read_all(one_rare)));
            }
            all.send(frame, count);
            all_rare.send_rare(frame, count);
        }
        BOOST_TEST(equal(read_all(all), read_all(all_rare)));
    }
}

BOOST_AUTO_TEST_CASE(a_frame_of_a_rare_class_is_left_to_the_other_path) {
    Frame collided = tx(64);
    Frame deferred = tx(64);
    Frame by_mac = tx(64).as(MACSTATS_PAUSE);

    collided.collisions = 1;
    deferred.deferred = true;
    by_mac.origin = MACSTATS_BY_MAC;
    for (const Frame& frame :
         {rx(64).bad(), rx(64).with(MACSTATS_ERR_PAYLOAD_LENGTH), rx(64).as(MACSTATS_PFC),
          rx(72).tagged(2), collided, deferred, by_mac}) {
        Port port(ll40g_model);

        BOOST_TEST_CONTEXT(frame) {
            BOOST_TEST(!port.send_common(frame));
            BOOST_TEST(equal(read_all(port), zero_but(MACSTATS_RX, {})));
        }
    }
}

// There is a cell for frames over the maximum only among the longest ones.
BOOST_AUTO_TEST_CASE(over_a_small_maximum_short_frames_are_rare) {
    Port port(ll40g_model);

    port.write(ll40g::max_rx_size, 1000);
    BOOST_TEST(port.send_common(rx(1000)));
    BOOST_TEST(!port.send_common(rx(1001)));
    BOOST_TEST(!port.send_common(rx(1518)));
    BOOST_TEST(port.send_common(rx(1519)));
}

// The way of real traffic finds the class by powers of two, the other one by the list.
BOOST_AUTO_TEST_CASE(both_ways_of_finding_a_size_class_agree_at_every_length) {
    const macstats_sizes lists[] = {
        {MACSTATS_RMON_EDGES, 0},
        {MACSTATS_RMON_EDGES, 1u << 6},
        {{64, 65, 128, 256, 512, 1024, 1519, 1523}, 0}, // two between 1024 and 2047
        {{1, 2, 3, 64, 127, 4096, 32768, 40000, 65535}, 0},
        {{1518, 65531}, 3},
        {{0}, 0},
    };

    for (const macstats_sizes& sizes : lists) {
        for (bool tagged : {false, true}) {
            macstats_octave octaves[MACSTATS_OCTAVES] = {};
            u32 wrong = 0;

            macstats_octaves(octaves, &sizes, tagged);
            for (u32 length = 1; length <= MACSTATS_FRAME_MAX; length++)
                wrong += macstats_octave_class(octaves, length) !=
                         macstats_size_class(&sizes, length, tagged);
            BOOST_TEST(wrong == 0u);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_class_of_a_cell_is_that_of_the_frames_in_it) {
    Port port(ll40g_model);
    std::set<int> seen;

    for (const Frame& frame : common_frames(9600)) {
        macstats_class of_frame = {};
        macstats_class of_cell = {};
        u32 length = macstats_length_on_wire(&ll40g_model, &frame);
        int index =
            macstats_cell_index(&port.emulator(), &port.emulator().settings, &frame, length);

        BOOST_TEST_CONTEXT(frame) {
            BOOST_TEST_REQUIRE(index >= 0);
            seen.insert(index);
            macstats_classify(
                &port.emulator(), &port.emulator().settings, &frame, length, &of_frame);
            macstats_cell_class(&port.emulator(), static_cast<unsigned int>(index), &of_cell);
            BOOST_TEST(+of_cell.direction == +of_frame.direction);
            BOOST_TEST(+of_cell.destination == +of_frame.destination);
            BOOST_TEST(+of_cell.kind == +of_frame.kind);
            BOOST_TEST(+of_cell.origin == +of_frame.origin);
            BOOST_TEST(+of_cell.tags == +of_frame.tags);
            BOOST_TEST(+of_cell.excess == +of_frame.excess);
            BOOST_TEST(+of_cell.collisions == +of_frame.collisions);
            BOOST_TEST(of_cell.deferred == of_frame.deferred);
            BOOST_TEST(of_cell.size == of_frame.size);
            BOOST_TEST(of_cell.errors == of_frame.errors);
        }
    }
    // All of them but the 12 for transmitted frames of less than 64 octets.
    BOOST_TEST(seen.size() == 216u - 12);
}

// Plain frames are counted without a look at most rules. Their cell and sums must be those of the
// long way, with any content of the registers.
BOOST_DATA_TEST_CASE(the_short_way_counts_as_the_long_one_does, models, model) {
    static constexpr u64 values[] = {0, 1, 7, 64, 100, 1518, 1522, 1536, 9000, 65535, 0xffffffff};
    Random random(seed_of(4));
    Port port(*model);
    macstats_cpu_cells by_plain = {};
    macstats_cpu_cells by_rules = {};
    unsigned int all = 0;

    for (unsigned int i = 0; i < 200'000; i++) {
        const Frame frame = random_frame(random, port.emulator().settings.max_frame_rx);
        const u64 count = random.one_in(50) ? random.next() >> random.below(64) : 1;

        if (random.one_in(500)) {
            const u16 options = static_cast<u16>(random.next()) & model->options;

            if (random.one_in(2) || !macstats_valid_options(model, options))
                port.power_up({});
            else
                port.power_up({.with = options, .without = static_cast<u16>(~options)});
            if (model->gate.mask)
                port.write(model->gate.offset, model->gate.mask);
        }
        if (model->n_registers && random.one_in(500))
            port.try_write(
                model->registers[random.below(model->n_registers)].offset, random.of(values));
        if (random.one_in(1000)) {
            const macstats_fault_request request{
                1u << random.below(20), random.one_in(2), false, 1};

            if (!macstats_fault_check(model, &request))
                port.fault(request);
        }
        if (!macstats_count_plain(&port.emulator(), &by_plain, &frame, count))
            continue;
        all++;
        BOOST_TEST_REQUIRE(
            macstats_count_otherwise(&port.emulator(), &by_rules, &frame, count), frame);
    }
    BOOST_TEST(all > 2000u);
    for (unsigned int i = 0; i < macstats_cells(model); i++) {
        macstats_sums one = {};
        macstats_sums other = {};

        macstats_cell_read(&by_plain, i, &one);
        macstats_cell_read(&by_rules, i, &other);
        BOOST_TEST(one.frames == other.frames, i);
        BOOST_TEST(one.octets == other.octets, i);
        BOOST_TEST(one.payload == other.payload, i);
    }
    BOOST_TEST(by_plain.additions == by_rules.additions);
}

// Settings that are the same are not published again.
BOOST_AUTO_TEST_CASE(settings_that_differ_in_any_field_are_not_the_same) {
    const macstats_settings settings = MACSTATS_NO_SETTINGS;
    const auto differs = [&](auto change) {
        macstats_settings other = settings;

        change(other);
        return !macstats_same_settings(&settings, &other);
    };

    BOOST_TEST(!differs([](macstats_settings&) {}));
    BOOST_TEST(differs([](macstats_settings& other) { other.max_frame_rx = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.max_frame_tx = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.longest_common = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.max_frame_set = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.tx_config = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.attempts = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.options = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.counting = true; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.flow_control = true; }));
}

// IEEE 802.3, 3.2.7: a basic frame has 64 to 1518 octets, one with a tag 4 more.
BOOST_DATA_TEST_CASE(frames_of_ordinary_traffic_take_the_short_way, models, model) {
    Port port(*model);
    macstats_cpu_cells cpu_cells = {};

    if (model->gate.mask)
        port.write(model->gate.offset, model->gate.mask);
    for (const auto destination : {unicast, multicast, broadcast})
        for (const u8 tags : {u8{0}, u8{1}})
            for (const u32 length : {64u, 65u, 128u, 1000u, 1518u})
                for (const Frame& frame :
                     {rx(length).to(destination).tagged(tags),
                      tx(length).to(destination).tagged(tags)})
                    BOOST_TEST(
                        macstats_count_plain(&port.emulator(), &cpu_cells, &frame, 1), frame);
}

// The sums of a block are taken cell by cell; those of one counter must be the same.
BOOST_AUTO_TEST_CASE(the_sum_of_a_block_is_that_of_its_counters_even_after_a_roll_over) {
    constexpr u64 many = 0x7fffffffffffffff;
    Port port(ll40g_model);

    // 2^64 frames in one cell: as many as none, but not so their octets, which are
    // (2^63 - 1) * (47 + 109) + 2 * 47 = 78 * 2^64 - 62.
    const macstats_frame frame = rx(65);
    const int cell = macstats_cell_index(&port.emulator(), &port.emulator().settings, &frame, 65);
    for (const auto& [count, length] : {std::pair{many, 65u}, {many, 127u}, {u64{2}, 65u}}) {
        const macstats_sums sums{count, count * length, count * (length - 18)};
        macstats_cell_add(port.whole_set().cpu_cells[0], static_cast<unsigned int>(cell), &sums);
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
