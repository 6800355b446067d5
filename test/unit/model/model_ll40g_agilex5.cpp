// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The Low Latency 40G Ethernet core for Agilex 5 (Intel 813652, 7.5 and 7.6): what a comparison of
// its registers with the slow reference (reference.cpp) and scenarios cannot show, as what happens
// while a poll reads.
#include "boost_test.hpp"

#include <cerrno>

#include "fixture.hpp"
#include "models.hpp"

BOOST_AUTO_TEST_SUITE(unit_model_ll40g_agilex5)

using namespace macstats::test;

// "The read access to these unused addresses return random values."
BOOST_AUTO_TEST_CASE(unused_addresses_of_the_counters_memory_read_random_and_ignore_writes) {
    Port port(ll40g_agilex5_model, {.seed = 99});

    for (u32 page : {0x800u, 0x900u}) {
        for (u32 offset = 0; offset <= 0x7f; offset++) {
            const bool unused =
                (offset >= 0x36 && offset <= 0x3f) || (offset >= 0x64 && offset <= 0x7f);

            if (!unused)
                continue;
            const u64 first = port.read(page + offset);

            port.write(page + offset, 0);
            BOOST_TEST(port.read(page + offset) != first, page + offset);
        }
    }
    for (unsigned int i = 0; i < ll40g_agilex5_model.n_counters; i++)
        BOOST_TEST(port.pair(ll40g_agilex5_model.counters[i].offset) == 0u);
}

BOOST_AUTO_TEST_CASE(a_port_taken_into_use_before_the_system_is_stable_counts_from_then_on) {
    Provided provided(ll40g_agilex5_model, {.random = true, .seed = 3});

    provided.port.fault(MACSTATS_FAULT_CLOCK_STOPPED);
    BOOST_TEST(provided.start() == 0);
    BOOST_TEST(provided.acc.state.stale);
    BOOST_TEST(!provided.acc.state.absent);
    BOOST_TEST(provided.poll() == -ENOLINK);
    provided.port.fault(MACSTATS_FAULT_CLOCK_STOPPED, false);
    BOOST_TEST(provided.poll() == 0);
    BOOST_TEST(!provided.acc.state.stale);
    for (const u64 total : provided.totals())
        BOOST_TEST(total == 0u);
    provided.port.send(tx(64), 4);
    BOOST_TEST(provided.poll() == 0);
    BOOST_TEST(provided.total("TX 64B") == 4u);
}

// Register maps 1.3: STATUS bit 1 is the OR of the banks, and may come before all are frozen,
// which is why the provider looks once more.
BOOST_AUTO_TEST_CASE(the_provider_reads_only_what_is_frozen_although_the_grant_comes_early) {
    for (bool slow : {false, true}) {
        Polled polled(ll40g_agilex5_model);
        u64 sent = 0;

        polled.port.fault(MACSTATS_FAULT_SNAPSHOT_SLOW, slow);
        polled.preset("RX 64B", 0xfffffffe);
        polled.preset("RX UCAST_DATA_OK", 0xfffffffe);
        BOOST_TEST(polled.poll() == 0);
        // A frame crosses before every single word: totals of one instant are the same.
        polled.bus.before_read = [&](u32) {
            polled.port.send(rx(64));
            sent++;
        };
        for (int i = 0; i < 4; i++) {
            BOOST_TEST(polled.poll() == 0);
            BOOST_TEST(polled.total("RX 64B") == polled.total("RX UCAST_DATA_OK"));
            BOOST_TEST(polled.total("RX Frame OctetsOK") == 64 * polled.total("RX 64B"));
            BOOST_TEST(polled.total("RX Payload OctetsOK") == 46 * polled.total("RX 64B"));
        }
        polled.bus.before_read = nullptr;
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(polled.total("RX 64B") == sent);
    }
}

// 54 halves at 0x800, 4 at 0x860, and the same of the other page; a fifth more at most.
BOOST_AUTO_TEST_CASE(a_poll_reads_the_116_halves_and_little_else) {
    Polled polled(ll40g_agilex5_model);

    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.bus.reads >= 116u);
    BOOST_TEST(polled.bus.reads <= 139u);
    BOOST_TEST(polled.bus.waits == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
