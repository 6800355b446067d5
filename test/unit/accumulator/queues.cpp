// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Counters of each queue: a port with 64 queues of four counters.
#include "boost_test.hpp"

#include <string>

#include <macstats/check.h>

#include "../../models/queues.h"
#include "fixture.hpp"

BOOST_AUTO_TEST_SUITE(unit_queues)

using namespace macstats::test;

static_assert(macstats::model_holds<queues_model>);
static_assert(MACSTATS_COUNT_OF(queues_counters) == 4 * 64);

BOOST_AUTO_TEST_CASE(the_first_number_of_a_name_is_its_index) {
    const struct {
        std::string name;
        std::string family;
        u32 number;
    } names[] = {
        {"tx_pri3_frames", "tx_pri_frames", 3},
        {"rx_queue_12_packets", "rx_queue_packets", 12},
        {"rx_frames_0", "rx_frames", 0},
        {"rx_q63", "rx_q", 63},
        {"rx_q65535_64_octets", "rx_q_64_octets", 65535},
        {"rx_q00", "rx_q", ~0u},
        {"rx_q123456", "rx_q", ~0u},
        {"rx_frames", "rx_frames", ~0u},
    };

    for (const auto& one : names) {
        const macstats_numbered_name parts = macstats_number_in(one.name.c_str());

        BOOST_TEST(parts.number == one.number, one.name);
        BOOST_TEST(one.name.substr(0, parts.head) + one.name.substr(parts.tail) == one.family);
    }
}

BOOST_AUTO_TEST_CASE(each_queue_has_registers_a_total_and_a_share_in_the_sum) {
    Polled port(queues_model);

    port.port.send(rx(100), 3);
    port.port.send(tx(64), 2);
    port.preset("RQ5_FRAMES", 0xfffffffe);
    BOOST_TEST(port.poll() == 0);
    // Frames of the emulation are of queue 0.
    for (u32 i = 0; i < 4 * 64; i++) {
        const u64 first[] = {3, 300, 0, 2};

        BOOST_TEST(port.acc.counters[i].total == (i < 4 ? first[i] : 0), queues_counters[i].name);
    }
    // As hardware would: two frames into queue 5, which rolls over, and one into queue 63.
    port.port.preset(port.index("RQ5_FRAMES"), 0);
    port.port.preset(port.index("RQ63_FRAMES"), 1);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RQ5_FRAMES") == 2u);
    BOOST_TEST(port.total("RQ63_FRAMES") == 1u);
    BOOST_TEST(port.standard()[MACSTATS_STD_RTNL_RX_PACKETS] == 6u);
    BOOST_TEST(port.standard()[MACSTATS_STD_RTNL_TX_PACKETS] == 2u);
    BOOST_TEST(port.acc.state.discontinuities == 0u);
}

// By counter: 64 octets in the accumulator, 8 in the totals that readers see, 2 in the strings.
BOOST_AUTO_TEST_CASE(a_port_of_64_queues_needs_less_than_64_kib) {
    const std::size_t readers = 4 * 64 * (3 * sizeof(u64) + sizeof(u16));

    BOOST_TEST(macstats_accumulator_size(&queues_model) + readers < 32u << 10);
    // Of as many counters as a model can have, all of which saturate.
    BOOST_TEST(sizeof(macstats_accumulator) + 2 * readers < 64u << 10);
}

BOOST_AUTO_TEST_SUITE_END()
