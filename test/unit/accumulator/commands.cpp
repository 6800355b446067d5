// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Counters that a command copies to memory (rtl_tally, at 0x10) or puts into data registers, one
// at a time (k1_emac, at 0x1a8 for received frames and at 0x1b4 for transmitted ones).
#include "boost_test.hpp"

#include <cerrno>
#include <optional>
#include <string>
#include <vector>

#include <macstats/rules.h>

#include "fixture.hpp"
#include "models.hpp"

BOOST_AUTO_TEST_SUITE(unit_commands)

using namespace macstats::test;

namespace {

constexpr u32 dump_register = 0x10;
constexpr u32 dump = 1u << 3;
constexpr u32 rx_window = 0x1a8;
constexpr u32 tx_window = 0x1b4;
constexpr u32 start = 1u << 15;

// Commands of a window never end: those for counter @number, or all.
void hang(Polled& polled, u32 window, std::optional<u32> number = {}) {
    polled.port.after_read = [=](u32 offset, int, u64& value) {
        if (offset == window && (value & 0x1f) == number.value_or(value & 0x1f))
            value |= start;
    };
}

// The tally counters in two blocks, of which a dump copies the first one. RxOkMu, TxAbt and
// TxUndrn are in the other one.
macstats_model& with_live_counters(Copy& copy) {
    for (macstats_counter& row : copy.rows)
        if (row.offset >= 0x138)
            row.block = 1;
    copy.model().blocks[1].name = "live";
    copy.model().n_blocks = 2;
    return copy.model();
}

} // namespace

BOOST_AUTO_TEST_SUITE(dumps)

BOOST_AUTO_TEST_CASE(a_poll_gives_one_command_and_reads_the_copy_at_once) {
    Polled polled(rtl_tally_model);

    polled.port.write(dump_register, 0x12345640);
    polled.port.send(rx(64), 5);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("RxOk") == 5u);
    BOOST_TEST(
        polled.bus.writes == (std::vector<Bus::Access>{{dump_register, 0x12345640 | dump}}),
        boost::test_tools::per_element());
    BOOST_TEST(polled.bus.bulk == std::vector<unsigned int>{16}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_dump_under_way_is_not_taken_for_the_present) {
    Polled polled(rtl_tally_model);

    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_SLOW, true);
    polled.port.write(dump_register, dump);
    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_SLOW, false);
    // It ends at the third look, and frames follow.
    polled.bus.before_write = [&](u32) { polled.port.send(rx(64), 5); };
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("RxOk") == 5u);
    BOOST_TEST(polled.bus.waits == 2u);
}

BOOST_AUTO_TEST_CASE(a_stuck_dump_makes_the_port_stale_and_adds_nothing) {
    Polled polled(rtl_tally_model);

    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_STUCK, true);
    polled.port.send(rx(64), 5);
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.events == MACSTATS_EVENT_STALE);
    BOOST_TEST(polled.acc.state.reason == std::string("the counters are not copied to memory"));
    BOOST_TEST(polled.total("RxOk") == 0u);
    BOOST_TEST(polled.bus.waits == 100u); // MACSTATS_SNAPSHOT_LOOKS
    BOOST_TEST(polled.bus.bulk.empty());  // nothing there is of now
    // No second command while the first one is under way.
    BOOST_TEST(polled.bus.writes.size() == 1u);
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.bus.writes.size() == 1u);

    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_STUCK, false);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == MACSTATS_EVENT_RECOVERED);
    BOOST_TEST(polled.total("RxOk") == 5u);
    BOOST_TEST(std::string(polled.acc.state.reason).empty());
}

BOOST_AUTO_TEST_CASE(a_stuck_dump_leaves_the_counters_of_other_blocks) {
    Copy copy(rtl_tally_model);
    Polled polled(with_live_counters(copy));

    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_STUCK, true);
    polled.port.send(rx(64).to(MACSTATS_MULTICAST), 5);
    polled.port.send(tx(64).with(MACSTATS_ERR_UNDERRUN), 7);
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.acc.state.stale);
    BOOST_TEST(polled.total("RxOkMu") == 5u);
    BOOST_TEST(polled.total("TxUndrn") == 7u);
    BOOST_TEST(polled.total("RxOk") == 0u);
    BOOST_TEST(polled.total("TxErr") == 0u);

    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_STUCK, false);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("RxOkMu") == 5u);
    BOOST_TEST(polled.total("TxUndrn") == 7u);
    BOOST_TEST(polled.total("RxOk") == 5u);
    BOOST_TEST(polled.total("TxErr") == 7u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(windows)

BOOST_AUTO_TEST_CASE(a_poll_gives_a_command_for_each_counter) {
    Polled polled(k1_emac_model);
    std::vector<Bus::Access> commands;

    for (u32 number = 0; number < 12; number++)
        commands.push_back({tx_window, start | number});
    for (u32 number = 0; number < 25; number++)
        commands.push_back({rx_window, start | number});
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.bus.writes == commands, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_command_is_waited_for) {
    Polled polled(k1_emac_model);

    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_SLOW, true);
    polled.port.send(rx(64), 5);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("rx_ok_pkts") == 5u);
    BOOST_TEST(polled.bus.waits == 2u * 37);
}

BOOST_AUTO_TEST_CASE(a_command_under_way_is_not_taken_for_that_of_the_poll) {
    Polled polled(k1_emac_model);

    polled.port.send(tx(64), 5);
    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_SLOW, true);
    polled.port.write(tx_window, start | 2);
    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_SLOW, false);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("tx_ok_pkts") == 5u);
    BOOST_TEST(polled.bus.waits == 2u);
}

BOOST_AUTO_TEST_CASE(stuck_windows_make_the_port_stale_and_add_nothing) {
    Polled polled(k1_emac_model);

    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_STUCK, true);
    polled.port.send(rx(64), 5);
    polled.port.send(tx(64), 7);
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.events == MACSTATS_EVENT_STALE);
    BOOST_TEST(polled.acc.state.reason == std::string("a command to read a counter does not end"));
    BOOST_TEST(polled.totals() == std::vector<u64>(37), boost::test_tools::per_element());
    // One bound for each window, and no further command.
    BOOST_TEST(polled.bus.waits == 200u);
    BOOST_TEST(polled.bus.writes.size() == 2u);
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.bus.writes.size() == 2u);

    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_STUCK, false);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == MACSTATS_EVENT_RECOVERED);
    BOOST_TEST(polled.total("rx_ok_pkts") == 5u);
    BOOST_TEST(polled.total("tx_ok_pkts") == 7u);
}

BOOST_AUTO_TEST_CASE(a_stuck_window_leaves_the_counters_of_the_other_one) {
    for (const u32 window : {tx_window, rx_window}) {
        Polled polled(k1_emac_model);

        hang(polled, window);
        polled.port.send(rx(64), 5);
        polled.port.send(tx(64), 7);
        BOOST_TEST(polled.poll() == -ETIMEDOUT);
        BOOST_TEST(polled.acc.state.stale);
        BOOST_TEST(
            polled.acc.state.reason == std::string("a command to read a counter does not end"));
        BOOST_TEST(polled.total("rx_ok_pkts") == (window == rx_window ? 0u : 5u));
        BOOST_TEST(polled.total("rx_64_pkts") == (window == rx_window ? 0u : 5u));
        BOOST_TEST(polled.total("tx_ok_pkts") == (window == tx_window ? 0u : 7u));
        BOOST_TEST(polled.bus.waits == 100u);

        polled.port.after_read = nullptr;
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(polled.total("rx_64_pkts") == 5u);
        BOOST_TEST(polled.total("tx_ok_pkts") == 7u);
    }
}

BOOST_AUTO_TEST_CASE(a_window_that_gets_stuck_has_given_the_counters_before) {
    Polled polled(k1_emac_model);

    hang(polled, tx_window, 8);
    polled.port.send(tx(64), 7);
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.total("tx_ok_pkts") == 7u);
    BOOST_TEST(polled.total("tx_unicast_pkts") == 0u);
    polled.port.after_read = nullptr;
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("tx_ok_pkts") == 7u);
    BOOST_TEST(polled.total("tx_unicast_pkts") == 7u);
}

// Index 0 is that of the frames, 5 that of their octets: one without the other would look like a
// counter that somebody has cleared.
BOOST_AUTO_TEST_CASE(counters_behind_a_stuck_command_count_as_not_read) {
    Polled polled(k1_emac_model);

    polled.acc.line_rate_bound = true;
    polled.port.send(rx(1000), 5);
    BOOST_TEST(polled.poll() == 0);
    hang(polled, rx_window, 2);
    polled.port.send(rx(1000), 1000);
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.events == MACSTATS_EVENT_STALE);
    BOOST_TEST(polled.total("rx_ok_pkts") == 1005u);
    BOOST_TEST(polled.total("rx_ok_bytes") == 5000u);
    polled.port.after_read = nullptr;
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("rx_ok_bytes") == 1005000u);
    BOOST_TEST(polled.acc.state.discontinuities == 0u);
}

BOOST_AUTO_TEST_CASE(a_window_leaves_counters_with_addresses) {
    Copy copy(k1_emac_model);

    copy.model().blocks[0].window = 0;
    drop_role(copy.registers, MACSTATS_WINDOW_ROLES, 1u << 0);
    Polled polled(copy.model());
    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_STUCK, true);
    polled.port.send(rx(64), 5);
    polled.port.send(tx(64), 7);
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.total("tx_ok_pkts") == 7u);
    BOOST_TEST(polled.total("rx_ok_pkts") == 0u);
}

BOOST_AUTO_TEST_CASE(a_bus_that_fails_is_told_from_a_command_that_does_not_end) {
    for (const u32 at : {rx_window, rx_window + 4, rx_window + 8}) {
        Polled polled(k1_emac_model);

        polled.port.send(rx(64), 5);
        polled.port.send(tx(64), 7);
        polled.bus.before_read = [&](u32 offset) {
            polled.port.fault(MACSTATS_FAULT_BUS_ERROR, offset == at);
        };
        BOOST_TEST(polled.poll() == -EIO);
        BOOST_TEST(polled.acc.state.reason == std::string("the registers cannot be reached"));
        BOOST_TEST(polled.total("rx_ok_pkts") == 0u);
        BOOST_TEST(polled.total("tx_ok_pkts") == 7u);
    }
}

BOOST_AUTO_TEST_CASE(a_bus_that_is_late_is_one_that_cannot_be_reached) {
    Polled polled(k1_emac_model);

    polled.acc.bus.read = [](void*, __u32, __u64*) { return -ETIMEDOUT; };
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.acc.state.reason == std::string("the registers cannot be reached"));
}

BOOST_AUTO_TEST_CASE(the_fault_of_one_word_hits_the_counter_in_the_window) {
    for (const bool is_there : {true, false}) {
        Polled polled(k1_emac_model);
        u64 value = 0;

        // 12 counters of transmitted frames come before.
        polled.port.fault(macstats_fault_request{
            .faults = MACSTATS_FAULT_BUS_ERROR_AT,
            .active = true,
            .during_read = false,
            .argument = is_there ? 12u + 3 : 12u + 4});
        polled.port.write(rx_window, start | 3);
        for (const u32 data : {rx_window + 4, rx_window + 8})
            BOOST_TEST(polled.port.try_read(data, value) == (is_there ? -EIO : 0));
        BOOST_TEST(polled.port.try_read(rx_window, value) == 0);
        BOOST_TEST(polled.port.try_read(tx_window + 4, value) == 0);
    }
}

BOOST_AUTO_TEST_CASE(a_counter_of_a_window_has_no_address) {
    unsigned int word = 0;

    for (unsigned int i = 0; i < k1_emac_model.n_counters; i++) {
        const macstats_counter& row = k1_emac_model.counters[i];

        BOOST_TEST(macstats_counter_at(&k1_emac_model, row.offset, &word) == -1);
        BOOST_TEST(!macstats_is_dumped(&k1_emac_model, &row));
    }
    for (unsigned int i = 0; i < rtl_tally_model.n_counters; i++)
        BOOST_TEST(macstats_is_dumped(&rtl_tally_model, &rtl_tally_model.counters[i]));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
