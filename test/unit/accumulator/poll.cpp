// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Polling a port of the Low Latency 40GbE core: the snapshot handshake and all that
// can go wrong with it, parity, clears by somebody else, identification, time.
#include "boost_test.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include <macstats/rules.h>

#include "ll40g_datasheet.hpp"
#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_poll)

using namespace macstats::test;
using namespace macstats::test::ll40g;

namespace {

constexpr u32 configs[] = {tx_page.config, rx_page.config};
constexpr u32 statuses[] = {tx_page.status, rx_page.status};

// Neither page is left frozen, or asked to be.
void nothing_is_held(Port& port) {
    for (u32 config : configs)
        BOOST_TEST((port.read(config) & config_request) == 0u);
    for (u32 status : statuses)
        BOOST_TEST((port.read(status) & status_paused) == 0u);
}

void set_fault(Polled& polled, macstats_fault fault, bool active = true) {
    polled.port.fault(fault, active);
}

} // namespace

BOOST_AUTO_TEST_SUITE(reading)

BOOST_AUTO_TEST_CASE(a_poll_brings_the_totals_up_to_date) {
    Polled polled(ll40g_model);

    BOOST_TEST(polled.started == 0);
    polled.port.send(rx(64), 5);
    polled.port.send(tx(1518), 3);
    polled.port.send(rx(100).bad(), 2);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 0u);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == 0u);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 5u);
    BOOST_TEST(polled.total("RxOctetsOK") == 230u);
    BOOST_TEST(polled.total("CNTR_RX_FCS") == 2u);
    BOOST_TEST(polled.total("CNTR_RX_ST") == 7u);
    BOOST_TEST(polled.total("CNTR_TX_1024to1518B") == 3u);
    BOOST_TEST(polled.total("TxOctetsOK") == 4500u);
    BOOST_TEST(polled.total("CNTR_TX_OVERSIZE") == 0u);
    nothing_is_held(polled.port);
}

BOOST_AUTO_TEST_CASE(a_port_that_starts_has_nothing_to_report) {
    const Polled fresh(cpsw_model);

    BOOST_TEST(!fresh.acc.state.suspect_known);
    BOOST_TEST(fresh.acc.state.discontinuity_ns == 0u);
    BOOST_TEST(fresh.acc.state.parity_errors == 0u);
    BOOST_TEST(fresh.acc.state.late_polls == 0u);
    BOOST_TEST(fresh.acc.state.generation == 0u);
    BOOST_TEST(!fresh.acc.state.possible_loss);
    BOOST_TEST(!fresh.acc.state.stale);
    BOOST_TEST(fresh.acc.state.reason == std::string());
}

BOOST_AUTO_TEST_CASE(each_good_poll_is_a_generation) {
    Polled polled(ll40g_model);

    BOOST_TEST(polled.acc.state.generation == 0u);
    polled.poll_at(1000);
    polled.poll_at(2000);
    BOOST_TEST(polled.acc.state.generation == 2u);
    BOOST_TEST(polled.acc.poll_ns == 2000u);
    set_fault(polled, MACSTATS_FAULT_BUS_ERROR);
    polled.poll_at(3000);
    BOOST_TEST(polled.acc.state.generation == 2u);
    BOOST_TEST(polled.acc.poll_ns == 2000u);
}

// The pages: 28 counters of two words, a gap, the octets; twice. 16 words fit one access.
BOOST_AUTO_TEST_CASE(adjacent_counters_are_read_in_bulk) {
    Polled polled(ll40g_model);

    polled.poll();
    BOOST_TEST(
        polled.bus.bulk == (std::vector<unsigned int>{16, 16, 16, 8, 2, 16, 16, 16, 8, 2}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_poll_writes_to_the_two_configurations_only) {
    Polled polled(ll40g_model);

    polled.poll();
    // Each page is frozen once and released once.
    BOOST_TEST(polled.bus.writes.size() == 4u);
    for (const Bus::Access& write : polled.bus.writes) {
        BOOST_TEST((write.address == 0x845 || write.address == 0x945), write);
        // Never a clear.
        BOOST_TEST((write.value & config_clear) == 0u, write);
    }
}

BOOST_AUTO_TEST_CASE(a_port_that_is_not_at_address_0_is_reached_by_its_base) {
    Polled polled(ll40g_model, {}, 0x10000);

    BOOST_TEST(polled.started == 0);
    polled.port.send(rx(64), 5);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 5u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(snapshot)

// Frames arrive before every single word that is read, while the low halves of the
// counters run over. The total is what was frozen, and all the rest comes later.
BOOST_AUTO_TEST_CASE(a_64_bit_read_is_never_torn) {
    Polled polled(ll40g_model);
    u64 sent = 0;

    for (u64 start : {u64{0xfffffff0}, u64{0x7ffffffffffffff0}}) {
        for (const char* reg : {"CNTR_RX_64B", "CNTR_RX_ST", "RxOctetsOK"})
            polled.preset(reg, start);
        polled.bus.before_read = [&](u32) {
            polled.port.send(rx(64));
            sent++;
        };
        u64 last = polled.total("CNTR_RX_64B");
        for (int i = 0; i < 3; i++) {
            BOOST_TEST(polled.poll() == 0);
            const u64 total = polled.total("CNTR_RX_64B");
            BOOST_TEST(total > last);
            BOOST_TEST(total <= sent);
            // One snapshot for all of the page: sums that must agree do so.
            BOOST_TEST(polled.total("CNTR_RX_ST") == total);
            BOOST_TEST(polled.total("CNTR_RX_UCAST_DATA_OK") == total);
            BOOST_TEST(polled.total("RxOctetsOK") == 46 * total);
            last = total;
        }
        polled.bus.before_read = nullptr;
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(polled.total("CNTR_RX_64B") == sent);
        BOOST_TEST(polled.acc.state.discontinuities == 0u);
    }
}

BOOST_AUTO_TEST_CASE(a_slow_snapshot_is_waited_for) {
    Polled polled(ll40g_model);

    set_fault(polled, MACSTATS_FAULT_SNAPSHOT_SLOW);
    polled.port.send(rx(64), 5);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 5u);
    // Granted at the third look, in each of the two pages.
    BOOST_TEST(polled.bus.waits == 4u);
    nothing_is_held(polled.port);
}

BOOST_AUTO_TEST_CASE(a_stuck_snapshot_makes_the_port_stale_and_not_wrong) {
    Polled polled(ll40g_model);

    polled.port.send(rx(64), 5);
    polled.poll();
    const std::vector<u64> before = polled.totals();
    set_fault(polled, MACSTATS_FAULT_SNAPSHOT_STUCK);
    polled.port.send(rx(64), 7);
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.bus.waits == 100u); // MACSTATS_SNAPSHOT_LOOKS
    BOOST_TEST(polled.events == MACSTATS_EVENT_STALE);
    BOOST_TEST(polled.acc.state.stale);
    BOOST_TEST(polled.acc.state.reason == std::string("a snapshot of the counters is not granted"));
    BOOST_TEST(polled.totals() == before, boost::test_tools::per_element());
    // The event is reported once.
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.events == 0u);

    set_fault(polled, MACSTATS_FAULT_SNAPSHOT_STUCK, false);
    nothing_is_held(polled.port);
    polled.port.send(rx(64), 9);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == MACSTATS_EVENT_RECOVERED);
    BOOST_TEST(!polled.acc.state.stale);
    BOOST_TEST(std::string(polled.acc.state.reason).empty());
    BOOST_TEST(polled.total("CNTR_RX_64B") == 21u);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == 0u);
}

BOOST_AUTO_TEST_CASE(a_snapshot_that_somebody_left_behind_is_not_taken_for_the_present) {
    Polled polled(ll40g_model);

    for (u32 config : configs)
        polled.port.write(config, config_request);
    polled.port.send(rx(64), 5);
    polled.port.send(tx(64), 6);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 5u);
    BOOST_TEST(polled.total("CNTR_TX_64B") == 6u);
}

BOOST_AUTO_TEST_CASE(a_snapshot_released_by_somebody_else_is_taken_again) {
    for (u32 config : configs) {
        // Before any of the words of the counters, once.
        for (u32 at : {0x800u, 0x835u, 0x861u, 0x900u, 0x916u, 0x961u}) {
            Polled polled(ll40g_model);
            bool done = false;

            polled.preset("CNTR_RX_64B", 0xffffffff);
            polled.preset("CNTR_TX_64B", 0xffffffff);
            polled.bus.before_read = [&](u32 offset) {
                if (offset == at && !done) {
                    done = true;
                    polled.port.write(config, 0);
                }
                polled.port.send(rx(64));
                polled.port.send(tx(64));
            };
            BOOST_TEST_CONTEXT("release by " << config << " at " << at) {
                BOOST_TEST(polled.poll() == 0);
                BOOST_TEST(done);
                BOOST_TEST(polled.events == 0u);
                // All of a page is of one instant, in spite of it.
                const u64 received = polled.total("CNTR_RX_64B");
                const u64 transmitted = polled.total("CNTR_TX_64B");
                BOOST_TEST(polled.total("CNTR_RX_ST") == received);
                BOOST_TEST(polled.total("RxOctetsOK") == 46 * received);
                BOOST_TEST(polled.total("CNTR_TX_ST") == transmitted);
                BOOST_TEST(polled.total("TxOctetsOK") == 46 * transmitted);
                BOOST_TEST(received < 1000u);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_snapshot_released_again_and_again_makes_the_port_stale) {
    Polled polled(ll40g_model);

    polled.port.send(rx(64), 5);
    polled.bus.before_read = [&](u32 offset) {
        if (offset == 0x900)
            polled.port.write(rx_page.config, 0);
    };
    BOOST_TEST(polled.poll() == -EAGAIN);
    BOOST_TEST(polled.events == MACSTATS_EVENT_STALE);
    BOOST_TEST(polled.acc.state.reason == std::string("snapshots are released by somebody else"));
    BOOST_TEST(polled.total("CNTR_RX_64B") == 0u);
    polled.bus.before_read = nullptr;
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == MACSTATS_EVENT_RECOVERED);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 5u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(parity)

BOOST_AUTO_TEST_CASE(a_parity_error_is_reported_once_and_cleared) {
    Polled polled(ll40g_model);

    polled.port.send(rx(64), 5);
    set_fault(polled, MACSTATS_FAULT_PARITY_ERROR);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == (MACSTATS_EVENT_PARITY_ERROR | MACSTATS_EVENT_DISCONTINUITY));
    BOOST_TEST(polled.acc.state.parity_errors == 1u);
    for (u32 status : statuses)
        BOOST_TEST(polled.port.read(status) == 0u);
    // The damaged counters are not believed, the others are, and nothing else was cleared.
    BOOST_TEST(polled.total("CNTR_TX_FRAGMENTS") == 0u);
    BOOST_TEST(polled.total("CNTR_RX_FRAGMENTS") == 0u);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 5u);
    BOOST_TEST(read_counter(polled.port, "CNTR_RX_64B") == 5u);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == 0u);
    BOOST_TEST(polled.acc.state.parity_errors == 1u);
}

BOOST_AUTO_TEST_CASE(a_parity_error_of_one_page_is_found_there) {
    for (u32 config : configs) {
        Polled polled(ll40g_model);

        set_fault(polled, MACSTATS_FAULT_PARITY_ERROR);
        polled.port.write(config, config_parity_clear);
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(polled.events == (MACSTATS_EVENT_PARITY_ERROR | MACSTATS_EVENT_DISCONTINUITY));
        for (u32 status : statuses)
            BOOST_TEST(polled.port.read(status) == 0u);
        // The page without an error was not told to clear one.
        for (const Bus::Access& write : polled.bus.writes)
            if (write.address == config)
                BOOST_TEST((write.value & config_parity_clear) == 0u);
    }
}

// 1.3: "Read-modify-write is required to keep it": the snapshot.
BOOST_AUTO_TEST_CASE(a_command_by_read_modify_write_keeps_a_snapshot) {
    for (u32 command : {config_parity_clear, config_clear}) {
        Polled polled(ll40g_model);

        set_fault(polled, MACSTATS_FAULT_PARITY_ERROR);
        polled.port.send(rx(64), 5);
        polled.port.write(rx_page.config, config_request);
        polled.port.send(rx(64), 5);
        BOOST_TEST(macstats__bus_update(&polled.acc, rx_page.config, 0, command) == 0);
        BOOST_TEST(polled.port.read(rx_page.status) == status_paused);
        BOOST_TEST(read_counter(polled.port, "CNTR_RX_64B") == 5u);
    }
}

// A register may show a command that was given and not carried out yet, as a pending transmission.
BOOST_AUTO_TEST_CASE(an_update_gives_no_command_that_it_was_not_told) {
    struct Update {
        u32 mask, value;
    } given{};
    Polled polled(ll40g_model);

    polled.acc.bus.context = &given;
    polled.acc.bus.update = [](void* context, u32, u32 mask, u32 value) {
        *static_cast<Update*>(context) = {mask, value};
        return 0;
    };
    BOOST_TEST(macstats__bus_update(&polled.acc, rx_page.config, 0, config_parity_clear) == 0);
    BOOST_TEST(given.value == config_parity_clear);
    BOOST_TEST(given.mask == (config_parity_clear | config_clear));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(clear_by_somebody_else)

BOOST_AUTO_TEST_CASE(a_clear_is_a_discontinuity_and_no_total_goes_back) {
    Polled polled(ll40g_model);

    polled.port.send(tx(64), 100);
    polled.port.send(rx(64), 200);
    polled.poll();
    const std::vector<u64> before = polled.totals();
    polled.port.write(tx_page.config, config_clear);
    BOOST_TEST(polled.poll_at(5000000) == 0);
    BOOST_TEST(polled.events == MACSTATS_EVENT_DISCONTINUITY);
    BOOST_TEST(polled.acc.state.discontinuities == 1u);
    BOOST_TEST(polled.acc.state.discontinuity_ns == 5000000u);
    BOOST_TEST(polled.totals() == before, boost::test_tools::per_element());
    polled.port.send(tx(64), 3);
    polled.port.send(rx(64), 4);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == 0u);
    BOOST_TEST(polled.acc.state.discontinuities == 1u);
    BOOST_TEST(polled.total("CNTR_TX_64B") == 103u);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 204u);
}

BOOST_AUTO_TEST_CASE(a_clear_of_both_pages_between_two_polls_is_one_discontinuity) {
    Polled polled(ll40g_model);

    polled.port.send(tx(64), 100);
    polled.port.send(rx(64), 200);
    polled.poll();
    for (u32 config : configs)
        polled.port.write(config, config_clear);
    polled.poll();
    BOOST_TEST(polled.acc.state.discontinuities == 1u);
}

BOOST_AUTO_TEST_CASE(a_clear_while_a_poll_reads_shows_in_the_next_one) {
    Polled polled(ll40g_model);
    bool done = false;

    polled.port.send(rx(64), 100);
    polled.poll();
    polled.port.send(rx(64), 11);
    polled.bus.before_read = [&](u32 offset) {
        if (offset == 0x920 && !done) {
            done = true;
            polled.port.write(rx_page.config, config_request | config_clear);
        }
    };
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == 0u);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 111u);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == MACSTATS_EVENT_DISCONTINUITY);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 111u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(start)

// 1.3: "counters hold random values (MLAB), parity bits may be set: clear counters and
// parity before use".
BOOST_AUTO_TEST_CASE(random_power_up_leaves_no_trace_in_the_totals) {
    for (u64 seed = 0; seed < 20; seed++) {
        Polled polled(ll40g_model, {.random = true, .seed = seed});

        BOOST_TEST(polled.started == 0);
        BOOST_TEST(polled.totals() == std::vector<u64>(58, 0), boost::test_tools::per_element());
        BOOST_TEST(equal(read_all(polled.port), zero_but(MACSTATS_RX, {})));
        polled.port.send(rx(64), 5);
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(polled.events == 0u);
        BOOST_TEST(polled.total("CNTR_RX_64B") == 5u);
        BOOST_TEST(polled.acc.state.parity_errors == 0u);
        BOOST_TEST(polled.acc.state.discontinuities == 0u);
    }
}

BOOST_AUTO_TEST_CASE(start_releases_a_snapshot_that_was_left_behind) {
    Port port(ll40g_model);
    Bus bus(port);
    macstats_accumulator acc = {};

    for (u32 config : configs)
        port.write(config, config_request);
    acc.model = &ll40g_model;
    acc.bus = bus.ops();
    BOOST_TEST(macstats_start(&acc, 0) == 0);
    nothing_is_held(port);
}

// 3.4.1.6 and 3.4.1.7: one parameter for each direction.
BOOST_AUTO_TEST_CASE(a_core_with_the_counters_of_one_direction_is_identified) {
    const struct {
        u16 without;
        u32 absent;
    } cases[] = {
        {0, 0},
        {MACSTATS_OPT_TX_STATISTICS, 1},
        {MACSTATS_OPT_RX_STATISTICS, 2},
        {MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS, 3}};

    for (const macstats_model* model : {&ll40g_model, &ll40g_agilex5_model})
        for (const bool random : {false, true})
            for (const auto& one : cases)
                BOOST_TEST_CONTEXT(model->name << " without " << one.absent) {
                    Provided port(*model, {.without = one.without, .random = random, .seed = 5});

                    port.acc.without_counters = false;
                    BOOST_TEST(port.start() == 0);
                    BOOST_TEST(port.acc.absent_blocks == one.absent);
                    BOOST_TEST(port.acc.state.absent == (one.absent == 3));
                    BOOST_TEST(port.acc.identified);
                    port.send(rx(64), 5);
                    port.send(tx(64), 3);
                    BOOST_TEST(port.poll() == 0);
                    BOOST_TEST(port.events == 0u);
                    for (unsigned int i = 0; i < model->n_counters; i++) {
                        const std::string_view name = model->counters[i].name;
                        const u64 expected = one.absent >> model->counters[i].block & 1 ? 0
                                             : name == "rx_64b"                         ? 5
                                                                                        : 3;

                        BOOST_TEST(
                            macstats_lacks_counter(&port.acc, i) ==
                                !!(one.absent >> model->counters[i].block & 1),
                            name);
                        if (name == "rx_64b" || name == "tx_64b")
                            BOOST_TEST(port.acc.counters[i].total == expected, name);
                    }
                }
}

// The option for all statistics builds the first block, one for a direction the second one, whose
// identity register comes first.
BOOST_AUTO_TEST_CASE(each_identity_register_is_that_of_its_own_block) {
    const macstats_register registers[] = {
        MACSTATS_BLOCK_REGISTER(
            RO, 1, "ID_RX", 0x00, 0x1234, "Identity of the second block",
            .roles = MACSTATS_ROLE_IDENTITY, .fields = {}),
        MACSTATS_STAT_REGISTER(
            RO, "ID", 0x01, 0x5678, "Identity of the first block", .roles = MACSTATS_ROLE_IDENTITY,
            .fields = {}),
    };
    Copy copy(clearing_model);
    macstats_model model = copy.model();

    copy.rows[1].block = 1;
    model.registers = registers;
    model.n_registers = 2;
    model.blocks[1].name = "rx";
    model.blocks[1].option = MACSTATS_OPT_RX_STATISTICS;
    model.n_blocks = 2;
    model.options = model.default_options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_RX_STATISTICS;
    BOOST_TEST(macstats__find_violation(&model).rule == MACSTATS_RULE_NONE);

    const struct {
        u16 without;
        u32 absent;
    } cases[] = {
        {0, 0},
        {MACSTATS_OPT_STATISTICS, 1},
        {MACSTATS_OPT_RX_STATISTICS, 2},
        {MACSTATS_OPT_STATISTICS | MACSTATS_OPT_RX_STATISTICS, 3}};
    for (const auto& one : cases) {
        Provided port(model, {.without = one.without});

        port.acc.without_counters = false;
        BOOST_TEST(port.start() == 0);
        BOOST_TEST(port.acc.absent_blocks == one.absent);
    }
}

// By a bit of a register: STATUS of an 8254x here.
BOOST_AUTO_TEST_CASE(a_counter_is_there_if_its_bit_says_so) {
    Copy copy(e1000_model);
    const macstats_model& model = copy.model();

    copy.rows[0].present = {0x0008, 1u << 1};
    BOOST_TEST(macstats__find_violation(&model).rule == MACSTATS_RULE_NONE);
    for (const bool there : {true, false}) {
        for (auto& reg : copy.registers)
            if (reg.offset == 0x0008)
                reg.reset = there ? 1u << 1 : 0;
        Provided port(model, {});

        BOOST_TEST(port.start() == 0);
        BOOST_TEST(macstats_lacks_counter(&port.acc, 0) == !there);
        BOOST_TEST(!macstats_lacks_counter(&port.acc, 1));
        // CRCERRS.
        port.send(rx(64).with(MACSTATS_ERR_FCS), 5);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.acc.counters[0].total == (there ? 5u : 0u));
        BOOST_TEST(port.acc.absent_blocks == 0u);
        BOOST_TEST(port.events == 0u);
    }
    copy.rows[0].present = {0x0008, 1u << 9};
    BOOST_TEST(macstats__find_violation(&model).rule == MACSTATS_RULE_BIT_NOT_A_FIELD);
}

// By the driver.
BOOST_AUTO_TEST_CASE(a_counter_that_the_driver_leaves_out_is_not_read) {
    Provided port(e1000_model, {});

    macstats_add_row(&port.acc.left_out, 0);
    BOOST_TEST(port.start() == 0);
    port.send(rx(64).with(MACSTATS_ERR_FCS), 5);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.acc.counters[0].total == 0u);
    BOOST_TEST(macstats_lacks_counter(&port.acc, 0));
    BOOST_TEST(!macstats_lacks_counter(&port.acc, 1));
}

// Without an identity register, a snapshot request that nothing stores shows it.
BOOST_AUTO_TEST_CASE(a_device_that_stores_no_snapshot_request_has_no_counters) {
    for (const bool built : {true, false}) {
        Provided port(
            wide_model, {.without = static_cast<u16>(built ? 0 : MACSTATS_OPT_STATISTICS)});
        port.acc.without_counters = false;

        // wide_model has its request in a register that a device without counters lacks, too.
        std::vector<macstats_register> registers(
            wide_model.registers, wide_model.registers + wide_model.n_registers);
        for (macstats_register& reg : registers)
            reg.statistics_only = true;
        macstats_model model = wide_model;
        model.registers = registers.data();
        port.port.emulator().model = &model;

        BOOST_TEST(port.start() == 0);
        BOOST_TEST(port.acc.state.absent == !built);
    }
}

// Reads and writes of the present page only: nothing waits for a snapshot that cannot be.
BOOST_AUTO_TEST_CASE(a_missing_page_is_left_alone) {
    for (const u16 without : {MACSTATS_OPT_TX_STATISTICS, MACSTATS_OPT_RX_STATISTICS}) {
        Polled polled(ll40g_model, {.without = without});
        const u32 missing = without == MACSTATS_OPT_TX_STATISTICS ? 0x800 : 0x900;
        std::vector<u32> reads;

        polled.bus.writes.clear();
        polled.bus.before_read = [&](u32 address) { reads.push_back(address); };
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(polled.bus.waits == 0u);
        for (const u32 address : reads)
            BOOST_TEST((address & ~0xffu) != missing);
        for (const Bus::Access& write : polled.bus.writes)
            BOOST_TEST((write.address & ~0xffu) != missing);
        BOOST_TEST(!polled.bus.writes.empty());
    }
}

BOOST_AUTO_TEST_CASE(a_stuck_snapshot_of_the_only_page_makes_the_port_stale) {
    Polled polled(ll40g_model, {.without = MACSTATS_OPT_RX_STATISTICS});

    polled.port.fault(MACSTATS_FAULT_SNAPSHOT_STUCK);
    BOOST_TEST(polled.poll() == -ETIMEDOUT);
    BOOST_TEST(polled.acc.state.stale);
}

// 1.2: the 100G core calls itself "100gMacStats".
BOOST_AUTO_TEST_CASE(a_page_whose_name_is_partly_right_is_another_device) {
    for (const u32 wrong : {0x842u, 0x843u, 0x844u, 0x942u, 0x943u, 0x944u})
        for (const u32 value : {0u, 0x31303067u})
            for (const u16 without : {u16{0}, u16{MACSTATS_OPT_TX_STATISTICS}}) {
                std::vector<macstats_register> other(
                    ll40g_model.registers, ll40g_model.registers + ll40g_model.n_registers);
                macstats_model model = ll40g_model;

                if (without && wrong < 0x900)
                    continue;
                for (macstats_register& reg : other)
                    if (reg.offset == wrong)
                        reg.reset = value;
                model.registers = other.data();

                Port port(model, {.without = without});
                Bus bus(port);
                macstats_accumulator acc = {};

                acc.model = &ll40g_model;
                acc.bus = bus.ops();
                BOOST_TEST(macstats_start(&acc, 0) == -ENODEV, wrong);
                BOOST_TEST(acc.absent_blocks == 0u);
                BOOST_TEST(!acc.state.absent);
                BOOST_TEST(bus.writes.empty());
            }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(gaps)

// 2^32 octets at 1 Gb/s: 34,359,738.368 microseconds. A line that is 100 ppm faster (IEEE 802.3)
// needs 34,356,302.7, of which a clock that is 100 ppm slower shows 34,352,867.
BOOST_AUTO_TEST_CASE(a_gap_in_which_a_fast_line_can_wrap_is_a_possible_loss) {
    for (const u64 gap_ns : {34352867000u, 34359738000u, 34359738368u, 34359739000u}) {
        Polled polled(clearing_model);

        BOOST_TEST(polled.poll_at(34300000000) == 0);
        BOOST_TEST(polled.events == 0u);
        BOOST_TEST(!polled.acc.state.possible_loss);
        BOOST_TEST(polled.acc.state.late_polls == 0u);
        BOOST_TEST(polled.poll_at(34300000000 + gap_ns) == 0);
        BOOST_TEST(polled.events == MACSTATS_EVENT_POSSIBLE_LOSS);
        BOOST_TEST(polled.acc.state.late_polls == 1u);
        // The flag stays set; the event is not repeated.
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(polled.events == 0u);
        BOOST_TEST(polled.acc.state.possible_loss);
    }
}

// It starts after 30 s, and has read all after 34 s, or after 40 s.
BOOST_AUTO_TEST_CASE(a_poll_that_starts_in_time_and_reads_late_is_a_late_poll) {
    static u64 end_ns;

    for (const bool late : {false, true}) {
        Polled polled(clearing_model);

        end_ns = late ? 40000000000 : 34000000000;
        polled.acc.bus.now_ns = [](void*) -> __u64 { return end_ns; };
        BOOST_TEST(polled.poll_at(30000000000) == 0);
        BOOST_TEST(polled.events == (late ? unsigned{MACSTATS_EVENT_POSSIBLE_LOSS} : 0u));
        BOOST_TEST(polled.acc.state.late_polls == (late ? 1u : 0u));
    }
}

// 2^32 octets less a microsecond and 1/8, or 1/4096 on an emulated line: at 1 Gb/s 34.359738 s,
// less 4.294967 s or 8.388 ms; at 100 Mb/s 343.597383 s, less 42.949672 s or 83.886 ms; at six
// times 1 Gb/s 5.726623 s, less 715.827 ms or 1.398 ms.
BOOST_AUTO_TEST_CASE(the_longest_gap_leaves_room_for_a_fast_line_and_a_slow_clock) {
    const auto gap = [](const macstats_model& model, bool emulated) {
        Provided provided(model);

        if (!emulated)
            provided.acc.bus.line_octets = nullptr;
        BOOST_TEST(provided.start() == 0);
        return provided.acc.max_gap_usecs;
    };

    BOOST_TEST(gap(ixf1104_model, true) == 34351349u);
    BOOST_TEST(gap(rc32438_model, true) == 343513496u);
    BOOST_TEST(gap(cpsw_model, true) == 5725224u);
    BOOST_TEST(gap(ixf1104_model, false) == 30064770u);
    BOOST_TEST(gap(rc32438_model, false) == 300647710u);
    BOOST_TEST(gap(cpsw_model, false) == 5010795u);

    // 2^32 octets at 1.5 Mb/s: 22906.492 s.
    Provided slow(rc32438_model);
    slow.acc.line_rate_bps = 1'500'000;
    BOOST_TEST(slow.start() == 0);
    BOOST_TEST(slow.acc.max_gap_usecs < 22'906'492'244u);
}

BOOST_AUTO_TEST_CASE(failed_polls_do_not_shorten_the_gap) {
    Polled polled(clearing_model);

    set_fault(polled, MACSTATS_FAULT_BUS_ERROR);
    polled.poll_at(20000000000);
    set_fault(polled, MACSTATS_FAULT_BUS_ERROR, false);
    BOOST_TEST(polled.poll_at(40000000000) == 0);
    BOOST_TEST(polled.events == (MACSTATS_EVENT_RECOVERED | MACSTATS_EVENT_POSSIBLE_LOSS));
}

BOOST_AUTO_TEST_CASE(time_can_be_advanced_instead_of_waited_for) {
    Polled polled(clearing_model);

    macstats_advance(&polled.acc, 20000000000);
    BOOST_TEST(macstats_polled_ns(&polled.acc) == 0u);
    macstats_advance(&polled.acc, 14300000000);
    BOOST_TEST(polled.poll_at(1000) == 0); // 34.300001 seconds in all
    BOOST_TEST(polled.events == 0u);
    macstats_advance(&polled.acc, 34359739000);
    BOOST_TEST(polled.poll_at(1000) == 0);
    BOOST_TEST(polled.events == MACSTATS_EVENT_POSSIBLE_LOSS);
    // It was no time of the clock's, and is over.
    BOOST_TEST(polled.acc.poll_ns == 1000u);
    BOOST_TEST(polled.poll_at(2000) == 0);
    BOOST_TEST(polled.events == 0u);
    macstats_advance(&polled.acc, 500);
    BOOST_TEST(macstats_polled_ns(&polled.acc) == 1500u);
}

BOOST_AUTO_TEST_CASE(no_advance_is_so_large_that_it_becomes_a_small_one) {
    Polled polled(clearing_model);

    for (int i = 0; i < 3; i++)
        macstats_advance(&polled.acc, u64{0x7fffffffffffffff});
    BOOST_TEST(macstats_polled_ns(&polled.acc) == 0u);
    BOOST_TEST(polled.poll_at(1000) == 0);
    BOOST_TEST(polled.events == MACSTATS_EVENT_POSSIBLE_LOSS);
}

BOOST_AUTO_TEST_CASE(counters_that_never_wrap_lose_nothing_in_a_century) {
    Polled polled(ll40g_model);

    BOOST_TEST(polled.poll_at(u64{100} * 365 * 86400 * 1000000000) == 0);
    BOOST_TEST(polled.events == 0u);
    BOOST_TEST(!polled.acc.state.possible_loss);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(presets)

BOOST_AUTO_TEST_CASE(a_preset_is_not_traffic) {
    Polled polled(ll40g_model);

    polled.port.send(rx(64), 10);
    polled.poll();
    polled.port.send(rx(64), 5); // not read yet when the counter is preset
    for (u64 value : {u64{0xffffffff}, u64{0x7fffffffffffffff}, u64{0}, u64{123}}) {
        polled.preset("CNTR_RX_64B", value);
        BOOST_TEST(polled.total("CNTR_RX_64B") == 15u);
        BOOST_TEST(read_counter(polled.port, "CNTR_RX_64B") == value);
    }
    BOOST_TEST(polled.total("CNTR_RX_ST") == 10u); // nobody has read the others
    polled.port.send(rx(64), 3);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == 0u);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 18u);
    BOOST_TEST(read_counter(polled.port, "CNTR_RX_64B") == 126u);
    BOOST_TEST(polled.total("CNTR_RX_ST") == 18u);
}

BOOST_AUTO_TEST_CASE(a_preset_touches_neither_the_bus_nor_the_generation) {
    Polled polled(ll40g_model);

    polled.poll();
    polled.bus.reads = 0;
    polled.bus.writes.clear();
    polled.preset("CNTR_RX_64B", 5);
    BOOST_TEST(polled.bus.reads == 0u);
    BOOST_TEST(polled.bus.writes.empty());
    BOOST_TEST(polled.acc.state.generation == 1u);
}

// It caught the value of the moment in which it was taken.
BOOST_AUTO_TEST_CASE(a_counter_that_a_snapshot_holds_is_preset_behind_it) {
    Polled polled(ll40g_model);

    polled.port.send(rx(64), 4);
    polled.port.write(rx_page.config, config_request);
    polled.port.send(rx(64), 5);
    polled.preset("CNTR_RX_64B", 1000);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 9u);
    BOOST_TEST(read_counter(polled.port, "CNTR_RX_64B") == 4u);
    polled.port.write(rx_page.config, 0);
    BOOST_TEST(read_counter(polled.port, "CNTR_RX_64B") == 1000u);
    polled.port.send(rx(64), 1);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 10u);
    BOOST_TEST(polled.events == 0u);
}

BOOST_AUTO_TEST_CASE(a_stale_port_is_preset_like_any_other) {
    Polled polled(ll40g_model);

    polled.port.send(rx(64), 4);
    set_fault(polled, MACSTATS_FAULT_BUS_ERROR);
    BOOST_TEST(polled.poll() == -EIO);
    polled.preset("CNTR_RX_64B", 1000);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 4u);
    BOOST_TEST(polled.acc.state.stale);
    polled.port.send(rx(64), 2);
    set_fault(polled, MACSTATS_FAULT_BUS_ERROR, false);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 6u);
    BOOST_TEST(polled.events == MACSTATS_EVENT_RECOVERED);
}

// A preset detects a clear by somebody else as a poll does.
BOOST_AUTO_TEST_CASE(a_clear_before_a_preset_is_reported_at_the_next_poll) {
    Polled polled(ll40g_model);

    polled.port.send(rx(64), 10);
    polled.poll();
    polled.port.write(rx_page.config, config_clear);
    polled.preset("CNTR_RX_64B", 1000);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 10u);
    BOOST_TEST(polled.acc.state.discontinuities == 0u);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == MACSTATS_EVENT_DISCONTINUITY);
    BOOST_TEST(polled.acc.state.discontinuities == 1u);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == 0u);
    BOOST_TEST(polled.total("CNTR_RX_64B") == 10u);
}

BOOST_AUTO_TEST_SUITE_END()

// Anything that may happen without losing counts, in any order: at the end the totals
// are exactly what was sent.
BOOST_AUTO_TEST_CASE(totals_are_what_was_sent_whatever_happens) {
    for (u64 number = 0; number < 20; number++) {
        const u64 seed = seed_of(number);
        Random random(seed);
        Polled polled(ll40g_model, {.cell_set = 4, .random = true, .seed = seed});
        Port truth(ll40g_model); // counts the same, and is not touched otherwise
        auto some_traffic = [&] {
            const Frame frame = random_frame(random);
            const u64 count = 1 + random.below(1000000000);

            polled.port.send(frame, count, random.below(4));
            truth.send(frame, count);
        };

        polled.bus.before_read = [&](u32) {
            if (random.one_in(50))
                some_traffic();
            const bool failing = (polled.port.emulator().faults & MACSTATS_FAULT_BUS_ERROR) != 0;
            if (random.one_in(2000) && !failing)
                polled.port.write(configs[random.below(2)], 0);
        };
        for (int step = 0; step < 300; step++) {
            switch (random.below(8)) {
            case 0:
                polled.preset(
                    std::string(counters[random.below(58)].name),
                    random.next() >> (1 + random.below(40)));
                break;
            case 1:
                set_fault(polled, MACSTATS_FAULT_SNAPSHOT_SLOW, random.one_in(2));
                break;
            case 2:
                set_fault(polled, MACSTATS_FAULT_SNAPSHOT_STUCK, random.one_in(3));
                break;
            case 3:
                set_fault(polled, MACSTATS_FAULT_BUS_ERROR, random.one_in(3));
                break;
            case 4:
            case 5:
                polled.poll();
                break;
            default:
                some_traffic();
            }
        }
        polled.bus.before_read = nullptr;
        set_fault(polled, MACSTATS_FAULT_SNAPSHOT_STUCK, false);
        set_fault(polled, MACSTATS_FAULT_BUS_ERROR, false);
        BOOST_TEST_CONTEXT("seed " << seed) {
            BOOST_TEST(polled.poll() == 0);
            BOOST_TEST(polled.acc.state.discontinuities == 0u);
            for (const CounterAt& counter : counters)
                BOOST_TEST(
                    polled.total(std::string(counter.name)) == read_counter(truth, counter.name),
                    counter.name);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
