// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The statistics block of the AM335x CPSW_3G switch: addresses, what counts where,
// errata of its manual (C1 to C12) and bugs of its drivers, reads and writes with
// their side effects, totals and standard statistics, and a comparison with a
// reference model that shares nothing with the headers under test. Source: SPRUH73H
// 14.3.2.20; expected values are worked out by hand.
#include "boost_test.hpp"

#include <algorithm>
#include <cerrno>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <macstats/model/cpsw.h>
#include <macstats/models.h>

#include "../../reference/cpsw_reference.hpp"
#include "fixture.hpp"

BOOST_AUTO_TEST_SUITE(unit_model_cpsw)

using namespace macstats::test;

namespace {

constexpr u32 id_ver = 0x4a100000;
constexpr u32 stat_port_en = 0x4a10000c;
constexpr u32 rx_maxlen = 0x4a100d90;
constexpr u32 misc_en = 0x4a10121c;
constexpr u32 misc_stat = 0x4a10124c;
constexpr u32 stat_pend = 1u << 3;
constexpr u32 half = 0x80000000;

constexpr u16 fcs = MACSTATS_ERR_FCS;
constexpr u16 alignment = MACSTATS_ERR_ALIGNMENT;
constexpr u16 code = MACSTATS_ERR_CODE;
constexpr u16 late = MACSTATS_ERR_LATE_COLLISION;
constexpr u16 excessive = MACSTATS_ERR_EXCESSIVE_COLLISIONS;
constexpr u16 carrier_loss = MACSTATS_ERR_CARRIER_LOSS;
constexpr u16 underrun = MACSTATS_ERR_UNDERRUN;
constexpr u16 overrun = MACSTATS_ERR_OVERRUN;

using CounterAt = macstats::reference::CounterAt;

constexpr auto& datasheet = CpswReference::counters;
constexpr std::size_t n_counters = std::size(datasheet);

constexpr Setup half_duplex{.with = MACSTATS_OPT_HALF_DUPLEX};

// An emulated switch with these ports enabled (STAT_PORT_EN).
class Switch : public Port {
public:
    explicit Switch(const Setup& setup = {}, u32 enabled = 7) : Port(cpsw_model, setup) {
        if (enabled)
            write(stat_port_en, enabled);
    }
};

// One that is in use.
class PolledSwitch : public Polled {
public:
    explicit PolledSwitch(const Setup& setup = {}) : Polled(cpsw_model, setup) {}
};

using Counts = std::initializer_list<std::pair<const char*, u64>>;
using Values = std::map<std::string, u64>;

Values read_all(Port& port) {
    Values values;

    for (const CounterAt& counter : datasheet)
        values[counter.reg] = port.read(counter.address);
    return values;
}

Values totals_of(const Polled& polled) {
    Values values;

    for (unsigned int i = 0; i < cpsw_model.n_counters; i++)
        values[cpsw_model.counters[i].reg] = polled.acc.counters[i].total;
    return values;
}

Values zero_but(Counts counts) {
    Values values;

    for (const CounterAt& counter : datasheet)
        values[counter.reg] = 0;
    for (const auto& [reg, value] : counts)
        values.at(reg) = value;
    return values;
}

boost::test_tools::predicate_result equal(const Values& actual, const Values& expected) {
    boost::test_tools::predicate_result result(actual == expected);

    for (const auto& [reg, value] : actual)
        if (expected.at(reg) != value)
            result.message() << "\n  " << reg << " is " << value << ", not " << expected.at(reg);
    return result;
}

// One frame into a fresh switch; then it holds exactly these counts.
void counts_exactly(const Frame& frame, Counts counts, const Setup& setup = {}) {
    Switch port(setup);

    port.send(frame);
    BOOST_TEST_CONTEXT(frame) {
        BOOST_TEST(equal(read_all(port), zero_but(counts)));
    }
}

bool counts(std::string_view reg, const Frame& frame, const Setup& setup = {}) {
    Switch port(setup);

    port.send(frame);
    return port.read(reg) != 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(addresses)

BOOST_AUTO_TEST_CASE(every_counter_is_where_the_manual_prints_it) {
    BOOST_TEST_REQUIRE(cpsw_model.n_counters == n_counters);
    BOOST_TEST(n_counters == 34u);
    for (std::size_t i = 0; i < n_counters; i++) {
        const macstats_counter& counter = cpsw_model.counters[i];

        BOOST_TEST_CONTEXT(datasheet[i].reg) {
            BOOST_TEST(std::string_view(counter.reg) == datasheet[i].reg);
            BOOST_TEST(std::string_view(counter.name) == datasheet[i].name);
            BOOST_TEST(counter.offset == datasheet[i].address);
            BOOST_TEST(+counter.bits == 32);
            BOOST_TEST(+counter.onread == MACSTATS_ONREAD_NONE);
            BOOST_TEST(+counter.onwrite == MACSTATS_ONWRITE_DECREMENT);
            BOOST_TEST(+counter.overflow == MACSTATS_ROLLOVER);
            BOOST_TEST(std::string_view(counter.name).size() <= 31u);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_switch_is_in_the_list_of_models) {
    BOOST_TEST(
        (std::find(std::begin(macstats_models), std::end(macstats_models), &cpsw_model) !=
         std::end(macstats_models)));
}

BOOST_AUTO_TEST_CASE(other_registers_have_their_physical_address) {
    const std::pair<const char*, u32> registers[] = {
        {"ID_VER", id_ver},       {"STAT_PORT_EN", stat_port_en}, {"MACCONTROL", 0x4a100d84},
        {"RX_MAXLEN", rx_maxlen}, {"C0_MISC_EN", misc_en},        {"C0_MISC_STAT", misc_stat}};

    BOOST_TEST_REQUIRE(cpsw_model.n_registers == std::size(registers));
    for (std::size_t i = 0; i < std::size(registers); i++) {
        BOOST_TEST(std::string_view(cpsw_model.registers[i].name) == registers[i].first);
        BOOST_TEST(cpsw_model.registers[i].offset == registers[i].second);
    }
}

BOOST_AUTO_TEST_CASE(registers_come_up_with_their_reset_values) {
    Switch port({}, 0);

    BOOST_TEST(equal(read_all(port), zero_but({})));
    BOOST_TEST(port.read(id_ver) == 0x0019010cu);
    BOOST_TEST(port.read(stat_port_en) == 0u);
    BOOST_TEST(port.read(rx_maxlen) == 1518u);
    BOOST_TEST(port.read(misc_en) == 0u);
    BOOST_TEST(port.read(misc_stat) == 0u);
}

BOOST_AUTO_TEST_CASE(reserved_words_28h_and_2ch_read_0) {
    Switch port;

    port.send(rx(64), 12345);
    for (u32 offset : {0x28u, 0x2cu}) {
        port.write(offset, 0xffffffff);
        BOOST_TEST(port.read(offset) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(an_address_without_a_register_does_not_answer) {
    Switch port;

    for (u32 offset : {0x01u, 0x02u, 0x90u, 0x900u, 0x4a100004u, 0x4a100900u, 0x4a101248u}) {
        u64 value = 42;

        BOOST_TEST(port.try_read(offset, value) == -ENXIO);
        BOOST_TEST(value == 42u);
        BOOST_TEST(port.try_write(offset, 0) == -ENXIO);
    }
}

BOOST_AUTO_TEST_CASE(only_implemented_bits_are_stored) {
    Switch port;

    port.write(stat_port_en, 0xffffffff);
    port.write(rx_maxlen, 0xffffffff);
    port.write(misc_en, 0xffffffff);
    port.write(misc_stat, 0xffffffff);
    port.write(id_ver, 0xffffffff);
    BOOST_TEST(port.read(stat_port_en) == 7u);
    BOOST_TEST(port.read(rx_maxlen) == 0x3fffu);
    BOOST_TEST(port.read(misc_en) == 0x1fu);
    BOOST_TEST(port.read(misc_stat) == 0u);
    BOOST_TEST(port.read(id_ver) == 0x0019010cu);
}

BOOST_AUTO_TEST_CASE(a_dump_may_read_every_register) {
    for (const CounterAt& counter : datasheet)
        BOOST_TEST(!macstats_read_is_destructive(&cpsw_model, counter.address));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(counting)

// Good: "any data or MAC control frame", "of length 64 to rx_maxlen bytes inclusive",
// "had no CRC error, alignment error or code error"; "overruns have no effect".
BOOST_AUTO_TEST_CASE(a_received_frame_counts_exactly_where_the_manual_says) {
    counts_exactly(
        rx(64), {{"Good Rx Frames", 1},
                 {"Rx Octets", 64},
                 {"Rx + Tx 64 Octet Frames", 1},
                 {"Net Octets", 64}});
    counts_exactly(
        rx(65).to(MACSTATS_BROADCAST), {{"Good Rx Frames", 1},
                                        {"Broadcast Rx Frames", 1},
                                        {"Rx Octets", 65},
                                        {"Rx + Tx 65-127 Octet Frames", 1},
                                        {"Net Octets", 65}});
    counts_exactly(
        rx(127).to(MACSTATS_MULTICAST), {{"Good Rx Frames", 1},
                                         {"Multicast Rx Frames", 1},
                                         {"Rx Octets", 127},
                                         {"Rx + Tx 65-127 Octet Frames", 1},
                                         {"Net Octets", 127}});
    counts_exactly(
        rx(128).as(MACSTATS_CONTROL), {{"Good Rx Frames", 1},
                                       {"Rx Octets", 128},
                                       {"Rx + Tx 128-255 Octet Frames", 1},
                                       {"Net Octets", 128}});
    counts_exactly(
        rx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE), {{"Good Rx Frames", 1},
                                                           {"Multicast Rx Frames", 1},
                                                           {"Pause Rx Frames", 1},
                                                           {"Rx Octets", 64},
                                                           {"Rx + Tx 64 Octet Frames", 1},
                                                           {"Net Octets", 64}});
    counts_exactly(
        rx(256).tagged(), {{"Good Rx Frames", 1},
                           {"Rx Octets", 256},
                           {"Rx + Tx 256-511 Octet Frames", 1},
                           {"Net Octets", 256}});
    counts_exactly(
        rx(1518), {{"Good Rx Frames", 1},
                   {"Rx Octets", 1518},
                   {"Rx + Tx 1024-Up Octet Frames", 1},
                   {"Net Octets", 1518}});
    counts_exactly(
        rx(512).with(overrun), {{"Good Rx Frames", 1},
                                {"Rx Octets", 512},
                                {"Rx + Tx 512-1023 Octet Frames", 1},
                                {"Net Octets", 512},
                                {"Rx Start of Frame Overruns", 1},
                                {"Rx DMA Overruns", 1}});
}

BOOST_AUTO_TEST_CASE(a_bad_received_frame_counts_exactly_where_the_manual_says) {
    counts_exactly(
        rx(64).with(fcs),
        {{"Rx CRC Errors", 1}, {"Rx + Tx 64 Octet Frames", 1}, {"Net Octets", 64}});
    counts_exactly(
        rx(1518).with(alignment),
        {{"Rx Align/Code Errors", 1}, {"Rx + Tx 1024-Up Octet Frames", 1}, {"Net Octets", 1518}});
    counts_exactly(
        rx(100).with(code | fcs),
        {{"Rx Align/Code Errors", 1}, {"Rx + Tx 65-127 Octet Frames", 1}, {"Net Octets", 100}});
    counts_exactly(rx(1519), {{"Oversize Rx Frames", 1}, {"Net Octets", 1519}});
    counts_exactly(rx(1519).tagged(), {{"Oversize Rx Frames", 1}, {"Net Octets", 1519}});
    counts_exactly(rx(65535).with(fcs), {{"Rx Jabbers", 1}, {"Net Octets", 65535}});
    counts_exactly(
        rx(63).to(MACSTATS_BROADCAST), {{"Undersize (Short) Rx Frames", 1}, {"Net Octets", 63}});
    counts_exactly(rx(4).with(fcs), {{"Rx Fragments", 1}, {"Net Octets", 4}});
    counts_exactly(
        rx(20).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE),
        {{"Undersize (Short) Rx Frames", 1}, {"Net Octets", 20}});
    counts_exactly(rx(20).as(MACSTATS_CONTROL).with(fcs), {{"Net Octets", 20}});
}

// Good: "any length", "had no late or excessive collisions, no carrier loss and no
// underrun".
BOOST_AUTO_TEST_CASE(a_transmitted_frame_counts_exactly_where_the_manual_says) {
    counts_exactly(
        tx(64), {{"Good Tx Frames", 1},
                 {"Tx Octets", 64},
                 {"Rx + Tx 64 Octet Frames", 1},
                 {"Net Octets", 64}});
    counts_exactly(tx(1), {{"Good Tx Frames", 1}, {"Tx Octets", 1}, {"Net Octets", 1}});
    counts_exactly(
        tx(255).to(MACSTATS_BROADCAST), {{"Good Tx Frames", 1},
                                         {"Broadcast Tx Frames", 1},
                                         {"Tx Octets", 255},
                                         {"Rx + Tx 128-255 Octet Frames", 1},
                                         {"Net Octets", 255}});
    counts_exactly(
        tx(511).to(MACSTATS_MULTICAST).as(MACSTATS_CONTROL), {{"Good Tx Frames", 1},
                                                              {"Multicast Tx Frames", 1},
                                                              {"Tx Octets", 511},
                                                              {"Rx + Tx 256-511 Octet Frames", 1},
                                                              {"Net Octets", 511}});
    counts_exactly(
        tx(1023).tagged(2), {{"Good Tx Frames", 1},
                             {"Tx Octets", 1023},
                             {"Rx + Tx 512-1023 Octet Frames", 1},
                             {"Net Octets", 1023}});
    counts_exactly(
        tx(9000).with(fcs), {{"Good Tx Frames", 1},
                             {"Tx Octets", 9000},
                             {"Rx + Tx 1024-Up Octet Frames", 1},
                             {"Net Octets", 9000}});
    counts_exactly(
        mac_pause(), {{"Good Tx Frames", 1},
                      {"Multicast Tx Frames", 1},
                      {"Pause Tx Frames", 1},
                      {"Tx Octets", 64},
                      {"Rx + Tx 64 Octet Frames", 1},
                      {"Net Octets", 64}});
    counts_exactly(
        tx(64).late_start(),
        {{"Good Tx Frames", 1},
         {"Deferred Tx Frames", 1},
         {"Tx Octets", 64},
         {"Rx + Tx 64 Octet Frames", 1},
         {"Net Octets", 64}},
        half_duplex);
    counts_exactly(
        tx(64).late_start().with(carrier_loss), {{"Good Tx Frames", 1},
                                                 {"Tx Octets", 64},
                                                 {"Rx + Tx 64 Octet Frames", 1},
                                                 {"Net Octets", 64}});
}

BOOST_AUTO_TEST_CASE(a_frame_that_is_not_sent_well_counts_exactly_where_the_manual_says) {
    // Net Octets: 64 of each attempt that collided, then all of the frame.
    counts_exactly(
        tx(200).collided(1),
        {{"Good Tx Frames", 1},
         {"Collisions", 1},
         {"Single Collision Tx Frames", 1},
         {"Tx Octets", 200},
         {"Rx + Tx 128-255 Octet Frames", 1},
         {"Net Octets", 64 + 200}},
        half_duplex);
    counts_exactly(
        tx(200).collided(2).late_start(),
        {{"Good Tx Frames", 1},
         {"Collisions", 2},
         {"Multiple Collision Tx Frames", 1},
         {"Tx Octets", 200},
         {"Rx + Tx 128-255 Octet Frames", 1},
         {"Net Octets", 2 * 64 + 200}},
        half_duplex);
    counts_exactly(
        tx(64).collided(15),
        {{"Good Tx Frames", 1},
         {"Collisions", 15},
         {"Multiple Collision Tx Frames", 1},
         {"Tx Octets", 64},
         {"Rx + Tx 64 Octet Frames", 1},
         {"Net Octets", 16 * 64}},
        half_duplex);
    for (const Frame& frame : {tx(300).collided(16), tx(300).with(excessive)})
        counts_exactly(
            frame, {{"Collisions", 16}, {"Excessive Collisions", 1}, {"Net Octets", 16 * 64}},
            half_duplex);
    counts_exactly(
        tx(300).collided(3).with(late),
        {{"Collisions", 4}, {"Late Collisions", 1}, {"Net Octets", 3 * 64 + 300}}, half_duplex);
    counts_exactly(
        tx(300).with(carrier_loss), {{"Carrier Sense Errors", 1}, {"Net Octets", 300}},
        half_duplex);
    counts_exactly(
        tx(300).with(underrun),
        {{"Tx Underrun", 1}, {"Rx + Tx 256-511 Octet Frames", 1}, {"Net Octets", 300}});
}

BOOST_AUTO_TEST_CASE(each_receive_counter_keeps_out_what_is_not_its_own) {
    for (const char* good : {"Good Rx Frames", "Rx Octets"}) {
        BOOST_TEST_CONTEXT(good) {
            for (const Frame& frame :
                 {rx(63), rx(1519), rx(64).with(fcs), rx(64).with(alignment), rx(64).with(code),
                  tx(64)})
                BOOST_TEST(!counts(good, frame), frame);
            BOOST_TEST(counts(good, rx(64).with(MACSTATS_ERR_PAYLOAD_LENGTH)));
        }
    }
    BOOST_TEST(!counts("Broadcast Rx Frames", rx(64).to(MACSTATS_MULTICAST)));
    BOOST_TEST(!counts("Broadcast Rx Frames", rx(64).to(MACSTATS_BROADCAST).with(fcs)));
    BOOST_TEST(!counts("Broadcast Rx Frames", tx(64).to(MACSTATS_BROADCAST)));
    BOOST_TEST(!counts("Multicast Rx Frames", rx(64).to(MACSTATS_BROADCAST)));
    BOOST_TEST(!counts("Multicast Rx Frames", rx(63).to(MACSTATS_MULTICAST)));
    BOOST_TEST(!counts("Multicast Rx Frames", tx(64).to(MACSTATS_MULTICAST)));
    BOOST_TEST(counts("Pause Rx Frames", rx(64).as(MACSTATS_PAUSE)));
    BOOST_TEST(counts("Pause Rx Frames", rx(64).as(MACSTATS_PAUSE), half_duplex));
    BOOST_TEST(!counts("Pause Rx Frames", rx(64).as(MACSTATS_CONTROL)));
    BOOST_TEST(!counts("Pause Rx Frames", rx(68).as(MACSTATS_PAUSE).tagged()));
    BOOST_TEST(!counts("Pause Rx Frames", rx(64).as(MACSTATS_PAUSE).with(fcs)));
    BOOST_TEST(!counts("Pause Rx Frames", mac_pause()));
    BOOST_TEST(!counts("Rx CRC Errors", rx(64).with(fcs | alignment)));
    BOOST_TEST(!counts("Rx CRC Errors", rx(64).with(fcs | code)));
    BOOST_TEST(!counts("Rx CRC Errors", rx(63).with(fcs)));
    BOOST_TEST(!counts("Rx CRC Errors", rx(1519).with(fcs)));
    BOOST_TEST(!counts("Rx CRC Errors", tx(64).with(fcs)));
    BOOST_TEST(!counts("Rx Align/Code Errors", rx(64).with(fcs)));
    BOOST_TEST(!counts("Rx Align/Code Errors", rx(63).with(alignment)));
    BOOST_TEST(!counts("Rx Align/Code Errors", rx(1519).with(code)));
    BOOST_TEST(!counts("Oversize Rx Frames", rx(1518)));
    BOOST_TEST(!counts("Oversize Rx Frames", rx(1519).with(fcs)));
    BOOST_TEST(!counts("Oversize Rx Frames", tx(1519)));
    BOOST_TEST(!counts("Rx Jabbers", rx(1518).with(fcs)));
    BOOST_TEST(!counts("Rx Jabbers", tx(1519).with(fcs)));
    BOOST_TEST(!counts("Undersize (Short) Rx Frames", rx(64)));
    BOOST_TEST(!counts("Undersize (Short) Rx Frames", rx(63).with(code)));
    BOOST_TEST(!counts("Undersize (Short) Rx Frames", tx(63)));
    BOOST_TEST(!counts("Rx Fragments", rx(64).with(fcs)));
    BOOST_TEST(!counts("Rx Fragments", rx(63)));
    BOOST_TEST(counts("Rx Fragments", rx(63).with(alignment)));
    BOOST_TEST(counts("Rx Fragments", rx(63).with(code)));
    BOOST_TEST(!counts("Rx Fragments", tx(63).with(fcs)));
    for (const char* lost : {"Rx Start of Frame Overruns", "Rx DMA Overruns"}) {
        BOOST_TEST(!counts(lost, rx(64)));
        BOOST_TEST(!counts(lost, tx(64).with(overrun)));
        BOOST_TEST(counts(lost, rx(10).with(overrun | fcs)));
    }
    BOOST_TEST(!counts("Rx Middle of Frame Overruns", rx(1000).with(overrun)));
}

BOOST_AUTO_TEST_CASE(each_transmit_counter_keeps_out_what_is_not_its_own) {
    for (const char* good : {"Good Tx Frames", "Tx Octets"}) {
        BOOST_TEST_CONTEXT(good) {
            for (const Frame& frame :
                 {rx(64), tx(64).with(late), tx(64).with(excessive), tx(64).collided(16),
                  tx(64).with(carrier_loss), tx(64).with(underrun)})
                BOOST_TEST(!counts(good, frame, half_duplex), frame);
            BOOST_TEST(counts(good, tx(64).with(fcs)));
            BOOST_TEST(counts(good, tx(64).with(MACSTATS_ERR_EXCESSIVE_DEFERRAL), half_duplex));
        }
    }
    BOOST_TEST(!counts("Broadcast Tx Frames", tx(64).to(MACSTATS_MULTICAST)));
    BOOST_TEST(
        !counts("Broadcast Tx Frames", tx(64).to(MACSTATS_BROADCAST).with(late), half_duplex));
    BOOST_TEST(!counts("Broadcast Tx Frames", rx(64).to(MACSTATS_BROADCAST)));
    BOOST_TEST(!counts("Multicast Tx Frames", tx(64).to(MACSTATS_BROADCAST)));
    BOOST_TEST(!counts("Multicast Tx Frames", tx(64).to(MACSTATS_MULTICAST).with(underrun)));
    BOOST_TEST(!counts("Multicast Tx Frames", rx(64).to(MACSTATS_MULTICAST)));
    BOOST_TEST(!counts("Pause Tx Frames", tx(64).by(MACSTATS_BY_MAC)));
    BOOST_TEST(!counts("Deferred Tx Frames", tx(64), half_duplex));
    BOOST_TEST(!counts("Deferred Tx Frames", rx(64).late_start(), half_duplex));
    BOOST_TEST(!counts("Deferred Tx Frames", tx(64).late_start().collided(1), half_duplex));
    BOOST_TEST(!counts("Deferred Tx Frames", tx(64).late_start().with(late), half_duplex));
    BOOST_TEST(!counts("Deferred Tx Frames", tx(64).late_start().with(excessive), half_duplex));
    BOOST_TEST(!counts("Deferred Tx Frames", tx(64).late_start().with(carrier_loss), half_duplex));
    BOOST_TEST(!counts("Deferred Tx Frames", tx(64).late_start().with(underrun), half_duplex));
    BOOST_TEST(counts("Deferred Tx Frames", tx(64).late_start().with(fcs), half_duplex));
    BOOST_TEST(!counts("Collisions", tx(64)));
    for (u16 error : {carrier_loss, underrun, late}) {
        BOOST_TEST(
            !counts("Single Collision Tx Frames", tx(64).collided(1).with(error), half_duplex));
        BOOST_TEST(
            !counts("Multiple Collision Tx Frames", tx(64).collided(2).with(error), half_duplex));
        BOOST_TEST(
            !counts("Excessive Collisions", tx(64).with(0u | excessive | error), half_duplex));
    }
    BOOST_TEST(!counts("Single Collision Tx Frames", tx(64)));
    BOOST_TEST(!counts("Single Collision Tx Frames", tx(64).collided(2), half_duplex));
    BOOST_TEST(!counts("Single Collision Tx Frames", rx(64).collided(1), half_duplex));
    BOOST_TEST(!counts("Multiple Collision Tx Frames", tx(64).collided(1), half_duplex));
    BOOST_TEST(!counts("Multiple Collision Tx Frames", tx(64).collided(16), half_duplex));
    BOOST_TEST(!counts("Excessive Collisions", tx(64).collided(15), half_duplex));
    BOOST_TEST(!counts("Late Collisions", tx(64).collided(16), half_duplex));
    BOOST_TEST(!counts("Late Collisions", rx(64).with(late)));
    BOOST_TEST(!counts("Tx Underrun", tx(64)));
    BOOST_TEST(!counts("Tx Underrun", rx(64).with(underrun)));
    BOOST_TEST(!counts("Carrier Sense Errors", tx(64), half_duplex));
    BOOST_TEST(!counts("Carrier Sense Errors", rx(64).with(carrier_loss), half_duplex));
    BOOST_TEST(
        counts("Carrier Sense Errors", tx(64).with(carrier_loss | underrun | fcs), half_duplex));
}

BOOST_AUTO_TEST_CASE(size_bins_hold_both_directions_and_nothing_that_was_not_sent) {
    static constexpr std::pair<const char*, std::pair<u32, u32>> bins[] = {
        {"Rx + Tx 64 Octet Frames", {64, 64}},
        {"Rx + Tx 65-127 Octet Frames", {65, 127}},
        {"Rx + Tx 128-255 Octet Frames", {128, 255}},
        {"Rx + Tx 256-511 Octet Frames", {256, 511}},
        {"Rx + Tx 512-1023 Octet Frames", {512, 1023}},
        {"Rx + Tx 1024-Up Octet Frames", {1024, 1518}},
    };

    for (const auto& [reg, lengths] : bins) {
        BOOST_TEST_CONTEXT(reg) {
            for (u32 length : {lengths.first, lengths.second}) {
                BOOST_TEST(counts(reg, rx(length)));
                BOOST_TEST(counts(reg, tx(length)));
                BOOST_TEST(counts(reg, rx(length).with(fcs)));
                BOOST_TEST(counts(reg, rx(length).with(code | overrun)));
                BOOST_TEST(!counts(reg, tx(length).with(late), half_duplex));
                BOOST_TEST(!counts(reg, tx(length).with(excessive), half_duplex));
                BOOST_TEST(!counts(reg, tx(length).with(carrier_loss), half_duplex));
            }
            BOOST_TEST(!counts(reg, rx(lengths.first - 1)));
            BOOST_TEST(!counts(reg, rx(lengths.second + 1)));
        }
    }
}

BOOST_AUTO_TEST_CASE(in_full_duplex_nothing_that_is_sent_collides) {
    for (const Frame& frame :
         {tx(64).with(late), tx(64).with(excessive), tx(64).collided(1), tx(64).collided(2),
          tx(64).collided(16), tx(64).collided(3).with(late)}) {
        for (const char* sent : {"Good Tx Frames", "Rx + Tx 64 Octet Frames"})
            BOOST_TEST(counts(sent, frame), sent << " " << frame);
        for (const char* collided :
             {"Collisions", "Single Collision Tx Frames", "Multiple Collision Tx Frames",
              "Excessive Collisions", "Late Collisions"})
            BOOST_TEST(!counts(collided, frame), collided << " " << frame);
    }
}

BOOST_AUTO_TEST_CASE(the_maximum_on_receive_is_what_rx_maxlen_says_now) {
    Switch port;

    port.write(rx_maxlen, 600);
    port.send(rx(600));
    port.send(rx(601));
    port.send(rx(601).with(fcs));
    port.send(tx(9000));
    BOOST_TEST(port.read("Good Rx Frames") == 1u);
    BOOST_TEST(port.read("Oversize Rx Frames") == 1u);
    BOOST_TEST(port.read("Rx Jabbers") == 1u);
    BOOST_TEST(port.read("Good Tx Frames") == 1u);
    BOOST_TEST(port.read("Rx + Tx 512-1023 Octet Frames") == 3u);
    port.write(rx_maxlen, 1518);
    BOOST_TEST(port.read("Good Rx Frames") == 1u);
    BOOST_TEST(port.read("Oversize Rx Frames") == 1u);
    port.send(rx(601));
    BOOST_TEST(port.read("Good Rx Frames") == 2u);
}

// Case 2 of Collisions: "half-duplex mode, flow control is active, and a frame
// reception begins". Octets of the attempts are in Net Octets; what is left of them is
// no fragment.
BOOST_AUTO_TEST_CASE(half_duplex_flow_control_collides_with_what_is_received) {
    counts_exactly(
        rx(100).collided(3),
        {{"Good Rx Frames", 1},
         {"Rx Octets", 100},
         {"Collisions", 3},
         {"Rx + Tx 65-127 Octet Frames", 1},
         {"Net Octets", 3 * 64 + 100}},
        half_duplex);
    counts_exactly(
        rx(20).collided(1).with(fcs), {{"Collisions", 1}, {"Net Octets", 40}}, half_duplex);
    counts_exactly(rx(20).with(fcs), {{"Rx Fragments", 1}, {"Net Octets", 20}}, half_duplex);
    // A full-duplex port does not collide.
    counts_exactly(rx(20).collided(1).with(fcs), {{"Rx Fragments", 1}, {"Net Octets", 20}});
}

BOOST_AUTO_TEST_CASE(frames_alike_count_as_many_times_as_there_are) {
    Switch port(half_duplex);

    port.send(tx(100).collided(2), 1000000007);
    BOOST_TEST(port.read("Good Tx Frames") == 1000000007u);
    BOOST_TEST(port.read("Collisions") == 2000000014u);
    BOOST_TEST(port.read("Tx Octets") == (100000000700u & 0xffffffff));
    BOOST_TEST(port.read("Net Octets") == (228000001596u & 0xffffffff));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(errata)

BOOST_AUTO_TEST_CASE(C1_good_tx_frames_are_transmitted_not_received) {
    for (const char* reg : {"Good Tx Frames", "Broadcast Tx Frames", "Multicast Tx Frames"}) {
        for (macstats_destination to : {MACSTATS_UNICAST, MACSTATS_MULTICAST, MACSTATS_BROADCAST})
            BOOST_TEST(!counts(reg, rx(64).to(to)));
    }
    BOOST_TEST(counts("Good Tx Frames", tx(64)));
    BOOST_TEST(counts("Broadcast Tx Frames", tx(64).to(MACSTATS_BROADCAST)));
    BOOST_TEST(counts("Multicast Tx Frames", tx(64).to(MACSTATS_MULTICAST)));
}

BOOST_AUTO_TEST_CASE(C2_good_tx_frames_have_any_address) {
    for (macstats_destination to : {MACSTATS_UNICAST, MACSTATS_MULTICAST, MACSTATS_BROADCAST})
        BOOST_TEST(counts("Good Tx Frames", tx(64).to(to)));
}

BOOST_AUTO_TEST_CASE(C3_jabbers_had_an_error) {
    BOOST_TEST(!counts("Rx Jabbers", rx(1519)));
    for (u16 error : {fcs, alignment, code}) {
        BOOST_TEST(counts("Rx Jabbers", rx(1519).with(error)));
        BOOST_TEST(!counts("Oversize Rx Frames", rx(1519).with(error)));
    }
}

BOOST_AUTO_TEST_CASE(C4_undersize_frames_are_shorter_than_64_octets) {
    BOOST_TEST(counts("Undersize (Short) Rx Frames", rx(63)));
    BOOST_TEST(!counts("Undersize (Short) Rx Frames", rx(1519)));
}

BOOST_AUTO_TEST_CASE(C5_44h_is_deferred_tx_frames) {
    Switch port(half_duplex);

    port.send(tx(64).late_start(), 5);
    BOOST_TEST(port.read(0x44) == 5u);
    BOOST_TEST(std::string_view(cpsw_model.counters[15].reg) == "Deferred Tx Frames");
}

BOOST_AUTO_TEST_CASE(C6_a_pause_frame_is_also_a_good_multicast_and_64_octet_frame) {
    Switch port;

    port.send(mac_pause(), 3);
    BOOST_TEST(port.read("Pause Tx Frames") == 3u);
    BOOST_TEST(port.read("Good Tx Frames") == 3u);
    BOOST_TEST(port.read("Multicast Tx Frames") == 3u);
    BOOST_TEST(port.read("Rx + Tx 64 Octet Frames") == 3u);
    BOOST_TEST(port.read("Tx Octets") == 192u);
    BOOST_TEST(port.read("Net Octets") == 192u);
}

BOOST_AUTO_TEST_CASE(C7_pause_frames_sent_by_software_are_not_pause_tx_frames) {
    Switch port;

    port.send(tx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE), 3);
    BOOST_TEST(port.read("Pause Tx Frames") == 0u);
    BOOST_TEST(port.read("Multicast Tx Frames") == 3u);
}

BOOST_AUTO_TEST_CASE(C8_a_collided_frame_that_loses_its_carrier_or_underruns_is_no_collision) {
    BOOST_TEST(!counts("Collisions", tx(64).collided(3).with(carrier_loss), half_duplex));
    BOOST_TEST(!counts("Collisions", tx(64).collided(3).with(underrun), half_duplex));
    BOOST_TEST(!counts("Collisions", tx(64).with(late | underrun), half_duplex));
    BOOST_TEST(counts("Collisions", tx(64).collided(3).with(fcs), half_duplex));
}

BOOST_AUTO_TEST_CASE(C9_carrier_loss_and_underrun_do_not_hide_a_late_collision) {
    BOOST_TEST(counts("Late Collisions", tx(64).with(late | carrier_loss), half_duplex));
    BOOST_TEST(counts("Late Collisions", tx(64).with(late | underrun), half_duplex));
    BOOST_TEST(counts("Late Collisions", tx(64).with(late | fcs).collided(15), half_duplex));
}

BOOST_AUTO_TEST_CASE(C10_underruns_do_not_keep_a_frame_out_of_the_size_bins) {
    BOOST_TEST(counts("Rx + Tx 64 Octet Frames", tx(64).with(underrun)));
    BOOST_TEST(counts("Rx + Tx 1024-Up Octet Frames", tx(2000).with(underrun)));
    BOOST_TEST(!counts("Good Tx Frames", tx(64).with(underrun)));
}

BOOST_AUTO_TEST_CASE(C11_1024_up_ends_at_rx_maxlen_on_receive_only) {
    const char* reg = "Rx + Tx 1024-Up Octet Frames";

    BOOST_TEST(counts(reg, rx(1024)));
    BOOST_TEST(counts(reg, rx(1518)));
    BOOST_TEST(!counts(reg, rx(1519)));
    BOOST_TEST(counts(reg, tx(1024)));
    BOOST_TEST(counts(reg, tx(65535)));
    BOOST_TEST(!counts(reg, tx(1023)));
    BOOST_TEST(!counts(reg, tx(64)));
}

// Newer switches of the family count other things at 28h, 2Ch, 44h and 5Ch.
BOOST_AUTO_TEST_CASE(C12_slots_of_newer_switches_keep_their_old_meaning) {
    Switch port;

    port.send(tx(64).with(fcs));
    port.send(rx(64).with(overrun));
    BOOST_TEST(port.read(0x28) == 0u);
    BOOST_TEST(port.read(0x2c) == 0u);
    BOOST_TEST(port.read(0x44) == 0u);
    BOOST_TEST(port.read(0x5c) == 0u);
    port.send(tx(64).with(underrun));
    BOOST_TEST(port.read(0x5c) == 1u);
}

// 5.3: a driver adds up all of them, and counts some twice.
BOOST_AUTO_TEST_CASE(a_collision_is_counted_once_in_collisions_and_its_frame_in_one_other) {
    Switch port(half_duplex);

    port.send(tx(64).collided(1));
    port.send(tx(64).collided(5));
    port.send(tx(64).collided(16));
    port.send(tx(64).collided(2).with(late));
    // 1 + 5 + 16 + 3: adding the frames of the next three would count some twice.
    BOOST_TEST(port.read("Collisions") == 25u);
    BOOST_TEST(port.read("Single Collision Tx Frames") == 1u);
    BOOST_TEST(port.read("Multiple Collision Tx Frames") == 1u);
    BOOST_TEST(port.read("Excessive Collisions") == 1u);
    BOOST_TEST(port.read("Late Collisions") == 1u);
}

BOOST_AUTO_TEST_CASE(a_late_collision_dominates_single_multiple_and_excessive) {
    for (u8 before : {u8{0}, u8{1}, u8{2}, u8{15}, u8{16}}) {
        Switch port(half_duplex);

        port.send(tx(100).collided(before).with(late));
        BOOST_TEST(port.read("Late Collisions") == 1u);
        BOOST_TEST(port.read("Single Collision Tx Frames") == 0u);
        BOOST_TEST(port.read("Multiple Collision Tx Frames") == 0u);
        BOOST_TEST(port.read("Excessive Collisions") == 0u);
        BOOST_TEST(port.read("Collisions") == before + 1u);
    }
}

// The counters of a running switch: 24 good frames of 4290 octets and a fragment of 4
// received, 379 of 72498 sent; 30 frames of 64 octets, 218 of 65 to 127, 155 of 256 to
// 511. Only the lengths of single frames are made up.
BOOST_AUTO_TEST_CASE(a_real_capture_comes_out_exactly) {
    PolledSwitch polled;

    // 24 received: 10 of 64, 4 of 65 to 127, 10 of 256 to 511.
    polled.port.send(rx(64), 10);
    polled.port.send(rx(100), 3);
    polled.port.send(rx(90));
    polled.port.send(rx(326), 9);
    polled.port.send(rx(326));
    polled.port.send(rx(4).with(fcs));
    // 379 sent: 20 of 64, 214 of 65 to 127, 145 of 256 to 511.
    polled.port.send(tx(64), 20);
    polled.port.send(tx(102), 200);
    polled.port.send(tx(122), 14);
    polled.port.send(tx(338), 144);
    polled.port.send(tx(438));
    BOOST_TEST(equal(
        read_all(polled.port), zero_but(
                                   {{"Good Rx Frames", 24},
                                    {"Rx Octets", 640 + 390 + 3260},
                                    {"Rx Fragments", 1},
                                    {"Good Tx Frames", 379},
                                    {"Tx Octets", 1280 + 20400 + 1708 + 48672 + 438},
                                    {"Rx + Tx 64 Octet Frames", 30},
                                    {"Rx + Tx 65-127 Octet Frames", 218},
                                    {"Rx + Tx 256-511 Octet Frames", 155},
                                    {"Net Octets", 76792}})));
    BOOST_TEST(polled.port.read("Rx Octets") == 4290u);
    BOOST_TEST(polled.port.read("Tx Octets") == 72498u);

    // The bins hold the good frames, Net Octets the fragment, too.
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(
        polled.total("Net Octets") == polled.total("Rx Octets") + polled.total("Tx Octets") + 4);
    BOOST_TEST(
        polled.total("Rx + Tx 64 Octet Frames") + polled.total("Rx + Tx 65-127 Octet Frames") +
            polled.total("Rx + Tx 256-511 Octet Frames") ==
        polled.total("Good Rx Frames") + polled.total("Good Tx Frames"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(reads_and_writes)

BOOST_AUTO_TEST_CASE(reading_never_changes_a_counter) {
    Switch port;
    Random random(seed_of(3));

    for (int i = 0; i < 300; i++)
        port.send(random_frame(random, 1518), 1 + random.below(1000));
    const Values first = read_all(port);
    for (int i = 0; i < 3; i++)
        BOOST_TEST(equal(read_all(port), first));
}

BOOST_AUTO_TEST_CASE(a_write_subtracts_its_value_from_every_counter) {
    Switch port;

    for (const CounterAt& counter : datasheet) {
        port.write(stat_port_en, 0);
        port.write(counter.address, 1000);
        port.write(stat_port_en, 2);
        port.write(counter.address, 300);
        BOOST_TEST(port.read(counter.address) == 700u);
        port.write(counter.address, 0);
        BOOST_TEST(port.read(counter.address) == 700u);
        port.write(counter.address, 700);
        BOOST_TEST(port.read(counter.address) == 0u);
    }
}

// 5.3: an emulation stores what is written, another one wraps.
BOOST_AUTO_TEST_CASE(a_write_of_more_than_a_counter_holds_leaves_0) {
    Switch port;

    port.send(tx(64), 10);
    port.write("Good Tx Frames", 11);
    BOOST_TEST(port.read("Good Tx Frames") == 0u);
    port.send(tx(64), 3);
    BOOST_TEST(port.read("Good Tx Frames") == 3u);
    port.write("Good Tx Frames", 0xffffffff);
    BOOST_TEST(port.read("Good Tx Frames") == 0u);
    port.write("Good Tx Frames", 1);
    BOOST_TEST(port.read("Good Tx Frames") == 0u);
}

BOOST_AUTO_TEST_CASE(a_write_to_one_counter_leaves_the_others_alone) {
    Switch port;

    port.send(tx(64), 10);
    port.write("Good Tx Frames", 4);
    BOOST_TEST(equal(
        read_all(port), zero_but(
                            {{"Good Tx Frames", 6},
                             {"Tx Octets", 640},
                             {"Rx + Tx 64 Octet Frames", 10},
                             {"Net Octets", 640}})));
}

// 5.3: the gate makes the difference.
BOOST_AUTO_TEST_CASE(a_write_is_stored_while_no_port_is_enabled) {
    Switch port;

    port.send(tx(64), 10);
    port.write(stat_port_en, 0);
    BOOST_TEST(port.read("Good Tx Frames") == 10u);
    port.write("Good Tx Frames", 4);
    BOOST_TEST(port.read("Good Tx Frames") == 4u);
    port.write("Good Tx Frames", 0xffffffff);
    BOOST_TEST(port.read("Good Tx Frames") == 0xffffffffu);
    port.write("Good Tx Frames", 0);
    BOOST_TEST(port.read("Good Tx Frames") == 0u);
}

BOOST_AUTO_TEST_CASE(any_one_port_enabled_opens_the_gate) {
    for (u32 enabled : {1u, 2u, 4u, 6u, 7u}) {
        Switch port({}, enabled);

        port.send(tx(64), 10);
        BOOST_TEST(port.read("Good Tx Frames") == 10u);
        port.write("Good Tx Frames", 4);
        BOOST_TEST(port.read("Good Tx Frames") == 6u);
    }
}

BOOST_AUTO_TEST_CASE(no_frame_counts_while_no_port_is_enabled) {
    Switch port({}, 0);

    for (const Frame& frame : {tx(64), rx(64), rx(64).with(fcs), rx(1600).with(code)})
        port.send(frame, 10);
    for (const CounterAt& counter : datasheet)
        BOOST_TEST(port.read(counter.address) == 0u, counter.reg);
}

BOOST_AUTO_TEST_CASE(nothing_counts_while_no_port_is_enabled) {
    Switch port({}, 0);

    port.send(tx(64), 10);
    port.send(tx(64).collided(2), 10);
    BOOST_TEST(equal(read_all(port), zero_but({})));
    port.write(stat_port_en, 1);
    BOOST_TEST(equal(read_all(port), zero_but({})));
}

BOOST_AUTO_TEST_CASE(a_counter_wraps_from_all_ones_to_0) {
    Switch port({}, 0);

    for (const CounterAt& counter : datasheet)
        port.write(counter.address, 0xffffffff);
    port.write(stat_port_en, 7);
    port.send(rx(64));
    BOOST_TEST(port.read("Good Rx Frames") == 0u);
    BOOST_TEST(port.read("Rx Octets") == 63u);
    BOOST_TEST(port.read("Net Octets") == 63u);
    BOOST_TEST(port.read("Good Tx Frames") == 0xffffffffu);
}

BOOST_AUTO_TEST_CASE(stat_pend_is_there_from_80000000h_on_while_it_is_enabled) {
    Switch port;

    for (const CounterAt& counter : datasheet) {
        BOOST_TEST_CONTEXT(counter.reg) {
            port.write(misc_en, stat_pend);
            port.write(stat_port_en, 0);
            port.write(counter.address, half - 1);
            port.write(stat_port_en, 7);
            BOOST_TEST(port.read(misc_stat) == 0u);
            port.write(stat_port_en, 0);
            port.write(counter.address, half);
            port.write(stat_port_en, 7);
            BOOST_TEST(port.read(misc_stat) == stat_pend);
            port.write(misc_en, 0x1f & ~stat_pend);
            BOOST_TEST(port.read(misc_stat) == 0u);
            port.write(misc_en, stat_pend);
            BOOST_TEST(port.read(misc_stat) == stat_pend);
            port.write(counter.address, half);
            BOOST_TEST(port.read(misc_stat) == 0u);
        }
    }
}

BOOST_AUTO_TEST_CASE(stat_pend_stays_until_every_counter_is_below_80000000h) {
    Switch port;

    port.write(misc_en, stat_pend);
    port.send(tx(64), half);
    // Good Tx Frames and the bin are there; the octets wrapped to 0.
    BOOST_TEST(port.read("Tx Octets") == 0u);
    BOOST_TEST(port.read(misc_stat) == stat_pend);
    port.write("Good Tx Frames", 1);
    BOOST_TEST(port.read(misc_stat) == stat_pend);
    port.write("Rx + Tx 64 Octet Frames", 1);
    BOOST_TEST(port.read(misc_stat) == 0u);
    port.send(tx(64));
    BOOST_TEST(port.read(misc_stat) == stat_pend);
}

BOOST_AUTO_TEST_CASE(a_switch_built_without_statistics_is_absent) {
    PolledSwitch polled({.without = MACSTATS_OPT_STATISTICS});

    polled.port.send(tx(64), 10);
    BOOST_TEST(polled.started == 0);
    BOOST_TEST(polled.acc.absent);
    BOOST_TEST(equal(read_all(polled.port), zero_but({})));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(totals)

BOOST_AUTO_TEST_CASE(the_first_poll_opens_the_gate_and_enables_no_interrupt) {
    PolledSwitch polled;

    BOOST_TEST(polled.started == 0);
    BOOST_TEST(polled.port.read(stat_port_en) == 7u);
    BOOST_TEST(polled.port.read(misc_en) == 0u);
    polled.port.send(tx(64), 3);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("Good Tx Frames") == 3u);
}

BOOST_AUTO_TEST_CASE(values_from_before_the_start_are_not_counted) {
    PolledSwitch polled({.random = true, .seed = 1});

    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(equal(totals_of(polled), zero_but({})));
    polled.port.send(rx(64), 2);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(equal(
        totals_of(polled), zero_but(
                               {{"Good Rx Frames", 2},
                                {"Rx Octets", 128},
                                {"Rx + Tx 64 Octet Frames", 2},
                                {"Net Octets", 128}})));
}

BOOST_AUTO_TEST_CASE(another_device_is_rejected) {
    macstats_model other = cpsw_model;
    std::vector<macstats_register> registers(
        cpsw_model.registers, cpsw_model.registers + cpsw_model.n_registers);

    registers[0].reset = 0x0018010c; // its version, and another identification
    other.registers = registers.data();
    Port port(other);
    Bus bus(port);
    macstats_accumulator acc{};

    acc.model = &cpsw_model;
    acc.bus = bus.ops();
    BOOST_TEST(macstats_start(&acc, 0) == -ENODEV);
}

// Wherever the counters are.
BOOST_AUTO_TEST_CASE(a_poll_writes_nothing) {
    for (u64 value : {u64{0xffffffff}, u64{0xfffffffe}, u64{half}, u64{0xefffffff}, u64{1}}) {
        PolledSwitch polled;
        const std::vector<Bus::Access> before = polled.bus.writes;

        for (const CounterAt& counter : datasheet)
            polled.preset(counter.reg, value);
        polled.port.send(tx(100), 3);
        for (int i = 0; i < 3; i++)
            BOOST_TEST(polled.poll() == 0);
        BOOST_TEST((polled.bus.writes == before));
        BOOST_TEST(polled.port.read("Tx Octets") == ((value + 300) & 0xffffffff));
        BOOST_TEST(equal(
            totals_of(polled), zero_but(
                                   {{"Good Tx Frames", 3},
                                    {"Tx Octets", 300},
                                    {"Rx + Tx 65-127 Octet Frames", 3},
                                    {"Net Octets", 300}})));
    }
}

// 5.3: a driver that clears by writing all-ones loses these.
BOOST_AUTO_TEST_CASE(frames_during_a_read_are_not_lost) {
    PolledSwitch polled;
    u64 sent = 10;

    polled.port.send(tx(64), sent);
    polled.bus.before_read = [&](u32) {
        polled.port.send(tx(64));
        sent++;
    };
    for (int i = 0; i < 10; i++)
        BOOST_TEST(polled.poll() == 0);
    polled.bus.before_read = nullptr;
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(equal(
        totals_of(polled), zero_but(
                               {{"Good Tx Frames", sent},
                                {"Tx Octets", 64 * sent},
                                {"Rx + Tx 64 Octet Frames", sent},
                                {"Net Octets", 64 * sent}})));
}

BOOST_AUTO_TEST_CASE(a_poll_while_no_port_is_enabled_writes_nothing_and_is_stale) {
    PolledSwitch polled;

    polled.port.send(tx(64), 5);
    BOOST_TEST(polled.poll() == 0);
    polled.port.send(tx(64), 5);
    polled.port.write(stat_port_en, 0);
    polled.bus.writes.clear();
    BOOST_TEST(polled.poll() == -ENODATA);
    BOOST_TEST(polled.acc.stale);
    BOOST_TEST(polled.events == +MACSTATS_EVENT_STALE);
    BOOST_TEST(polled.bus.writes.empty());
    BOOST_TEST(polled.total("Good Tx Frames") == 5u);
    polled.port.write(stat_port_en, 7);
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.events == +MACSTATS_EVENT_RECOVERED);
    BOOST_TEST(polled.total("Good Tx Frames") == 10u);
}

BOOST_AUTO_TEST_CASE(a_bus_that_fails_during_reads_loses_nothing) {
    PolledSwitch polled;
    unsigned int accesses = 0;

    polled.port.send(rx(64), 7);
    for (unsigned int fail_at = 1; fail_at < 60; fail_at++) {
        accesses = 0;
        polled.bus.before_read = [&](u32) {
            if (++accesses == fail_at)
                polled.port.fault(MACSTATS_FAULT_BUS_ERROR, true);
        };
        polled.poll();
        polled.port.fault(MACSTATS_FAULT_BUS_ERROR, false);
        polled.port.send(rx(64));
    }
    polled.bus.before_read = nullptr;
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("Good Rx Frames") == 66u);
    BOOST_TEST(polled.total("Net Octets") == 66u * 64u);
    BOOST_TEST(!polled.acc.possible_loss);
    BOOST_TEST(polled.acc.discontinuities == 0u);
}

BOOST_AUTO_TEST_CASE(every_counter_crosses_its_wrap_exactly) {
    const u64 before = 0x100000000 - 5;
    // One of each sort, so that every counter but one moves.
    const Frame frames[] = {
        rx(64).to(MACSTATS_BROADCAST),
        rx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE),
        rx(64).with(fcs),
        rx(64).with(code),
        rx(1600),
        rx(1600).with(fcs),
        rx(60),
        rx(60).with(fcs),
        rx(64).with(overrun),
        rx(70),
        rx(200),
        rx(300),
        rx(600),
        rx(1500),
        tx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE),
        tx(64).to(MACSTATS_BROADCAST),
        tx(64).late_start(),
        tx(64).collided(1),
        tx(64).collided(2),
        tx(64).collided(16),
        tx(64).with(late),
        tx(64).with(underrun),
        tx(64).with(carrier_loss),
    };

    // A poll between preset and traffic or none, and one at every third frame or none.
    for (int polls = 0; polls < 4; polls++) {
        PolledSwitch polled(half_duplex);
        Switch wide(half_duplex);

        for (const CounterAt& counter : datasheet)
            polled.preset(counter.reg, before);
        if (polls & 1)
            BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(equal(totals_of(polled), zero_but({})));
        for (int round = 0; round < 9; round++) {
            for (const Frame& frame : frames) {
                polled.port.send(frame);
                wide.send(frame);
            }
            if ((polls & 2) && round % 3 == 0)
                BOOST_TEST(polled.poll() == 0);
        }
        BOOST_TEST(polled.poll() == 0);
        const Values counted = read_all(wide); // from 0, so it has not wrapped
        BOOST_TEST(equal(totals_of(polled), counted));
        for (const auto& [reg, value] : counted)
            BOOST_TEST(
                (value > 5) == (reg != "Rx Middle of Frame Overruns" && reg != "Pause Tx Frames"),
                reg);
        BOOST_TEST(!polled.acc.possible_loss);
        BOOST_TEST(polled.acc.discontinuities == 0u);
    }
}

BOOST_AUTO_TEST_CASE(two_wraps_between_polls_are_a_possible_loss) {
    PolledSwitch polled;

    // Net Octets at 1 Gb/s in both directions of three ports: 2^32 / 750e6 s.
    BOOST_TEST(macstats__shortest_wrap_usecs(&cpsw_model, cpsw_model.line_rate_bps) == 5726623u);
    polled.port.send(tx(64), 100);
    BOOST_TEST(polled.poll_after(5725000000) == 0);
    BOOST_TEST(!polled.acc.possible_loss);
    polled.port.send(tx(1518), 6000000); // 9108000000 octets: over twice 2^32
    BOOST_TEST(polled.poll_after(36000000000) == 0);
    BOOST_TEST(polled.acc.possible_loss);
    BOOST_TEST((polled.events & MACSTATS_EVENT_POSSIBLE_LOSS));
    BOOST_TEST(polled.total("Net Octets") == 6400 + 9108000000 - 2 * 0x100000000);
    BOOST_TEST(polled.total("Good Tx Frames") == 6000100u);
}

// In 100 ms of 1 Gb/s, and the slack of 1 ms and one frame, three ports count at most 3 times
// 12,500,000 * (1 + 1/2048) + 125,000 + 65,555 octets in each direction.
BOOST_AUTO_TEST_CASE(the_most_that_can_be_counted_is_what_three_ports_carry) {
    constexpr u64 line = 12500000 + 6103 + 125000 + 65555;
    const std::pair<const char*, u64> expected[] = {
        {"Rx Octets", 3 * line}, {"Net Octets", 6 * line}, {"Good Tx Frames", 3 * line / 84}};

    for (const auto& [reg, most] : expected)
        for (const macstats_counter& counter : cpsw_counters)
            if (std::string_view(counter.reg) == reg)
                BOOST_TEST(
                    macstats__most_events(&cpsw_model, &counter, 1000000000, 12500000) == most,
                    reg);
}

// 5.3: a driver shows the registers as they are.
BOOST_AUTO_TEST_CASE(a_wrap_every_6_seconds_never_loses_at_the_ceiling_of_the_interval) {
    PolledSwitch polled;
    const u64 ceiling = macstats_poll_ceiling_usecs(&cpsw_model, cpsw_model.line_rate_bps);
    u64 frames = 0;

    BOOST_TEST(ceiling == 5726623u / 2);
    for (int i = 0; i < 20; i++) {
        const u64 both = ceiling * 750 / (1518 + 20); // frames of both directions of three ports

        polled.port.send(rx(1518), both / 2);
        polled.port.send(tx(1518), both / 2);
        frames += both / 2;
        BOOST_TEST(polled.poll_after(ceiling * 1000) == 0);
    }
    BOOST_TEST(polled.total("Net Octets") == frames * 2 * 1518);
    BOOST_TEST(polled.total("Rx Octets") == frames * 1518);
    BOOST_TEST(!polled.acc.possible_loss);
}

BOOST_AUTO_TEST_CASE(wrap_times_follow_from_width_unit_and_line_rate) {
    const std::pair<const char*, u64> expected[] = {
        {"Rx Octets", 11453246},
        {"Tx Octets", 11453246},
        {"Net Octets", 5726623},
        {"Good Rx Frames", 962072674},
        {"Good Tx Frames", 962072674},
        {"Rx + Tx 64 Octet Frames", 481036337},
        {"Rx + Tx 65-127 Octet Frames", 486762960},
        {"Rx + Tx 1024-Up Octet Frames", 5978594476},
        {"Rx Middle of Frame Overruns", std::numeric_limits<u64>::max()}};

    for (const auto& [reg, usecs] : expected)
        for (const macstats_counter& counter : cpsw_counters)
            if (std::string_view(counter.reg) == reg)
                BOOST_TEST(
                    macstats__wrap_usecs(&cpsw_model, &counter, cpsw_model.line_rate_bps) == usecs,
                    reg);
    BOOST_TEST(macstats_poll_default_usecs(&cpsw_model, cpsw_model.line_rate_bps) == 1000000u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(standard_statistics)

namespace {

Standard standard_after(std::initializer_list<Frame> frames, const Setup& setup = {}) {
    PolledSwitch polled(setup);

    for (const Frame& frame : frames)
        polled.port.send(frame);
    BOOST_TEST(polled.poll() == 0);
    return polled.standard();
}

} // namespace

BOOST_AUTO_TEST_CASE(received_frames_come_out_under_their_standard_names) {
    const Standard standard = standard_after({
        rx(64),
        rx(100).to(MACSTATS_BROADCAST),
        rx(100).to(MACSTATS_MULTICAST).tagged(),
        rx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE),
        rx(64).with(fcs),
        rx(65).with(alignment),
        rx(66).with(code),
        rx(1519),
        rx(1519).with(fcs),
        rx(60),
        rx(60).with(fcs),
    });
    const std::pair<unsigned int, u64> expected[] = {
        {MACSTATS_STD_FRAMES_RECEIVED_OK, 4},
        {MACSTATS_STD_BROADCAST_FRAMES_RECEIVED_OK, 1},
        {MACSTATS_STD_MULTICAST_FRAMES_RECEIVED_OK, 2},
        {MACSTATS_STD_FRAME_CHECK_SEQUENCE_ERRORS, 1},
        {MACSTATS_STD_FRAME_TOO_LONG_ERRORS, 2},
        {MACSTATS_STD_UNDERSIZE_PKTS, 1},
        {MACSTATS_STD_OVERSIZE_PKTS, 1},
        {MACSTATS_STD_FRAGMENTS, 1},
        {MACSTATS_STD_JABBERS, 1},
        {MACSTATS_STD_RX_PAUSE_FRAMES, 1},
        {MACSTATS_STD_RTNL_RX_PACKETS, 4},
        {MACSTATS_STD_RTNL_RX_BYTES, 60 + 96 + 96 + 60},
        {MACSTATS_STD_RTNL_MULTICAST, 2},
        {MACSTATS_STD_RTNL_RX_ERRORS, 7},
        {MACSTATS_STD_RTNL_RX_CRC_ERRORS, 1},
        {MACSTATS_STD_RTNL_RX_LENGTH_ERRORS, 2},
        {MACSTATS_STD_RTNL_RX_MISSED_ERRORS, 0},
        {MACSTATS_STD_RTNL_TX_PACKETS, 0},
    };

    for (const auto& [id, value] : expected) {
        BOOST_TEST(standard[id] == value, "statistic " << id << " is " << standard[id]);
    }
}

BOOST_AUTO_TEST_CASE(transmitted_frames_come_out_under_their_standard_names) {
    const Standard standard = standard_after(
        {
            tx(64),
            tx(100).to(MACSTATS_BROADCAST),
            tx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE),
            tx(64).late_start(),
            tx(64).collided(1),
            tx(64).collided(3),
            tx(64).collided(16),
            tx(64).collided(1).with(late),
            tx(64).with(underrun),
            tx(64).with(carrier_loss),
        },
        half_duplex);
    const std::pair<unsigned int, u64> expected[] = {
        {MACSTATS_STD_FRAMES_TRANSMITTED_OK, 6},
        {MACSTATS_STD_BROADCAST_FRAMES_XMITTED_OK, 1},
        {MACSTATS_STD_MULTICAST_FRAMES_XMITTED_OK, 1},
        {MACSTATS_STD_FRAMES_WITH_DEFERRED_XMISSIONS, 1},
        {MACSTATS_STD_SINGLE_COLLISION_FRAMES, 1},
        {MACSTATS_STD_MULTIPLE_COLLISION_FRAMES, 1},
        {MACSTATS_STD_FRAMES_ABORTED_DUE_TO_XS_COLLS, 1},
        {MACSTATS_STD_LATE_COLLISIONS, 1},
        {MACSTATS_STD_FRAMES_LOST_DUE_TO_INT_MAC_XMIT_ERROR, 1},
        {MACSTATS_STD_CARRIER_SENSE_ERRORS, 1},
        {MACSTATS_STD_TX_PAUSE_FRAMES, 0},
        {MACSTATS_STD_RTNL_TX_PACKETS, 6},
        {MACSTATS_STD_RTNL_TX_BYTES, 5 * 60 + 96},
        {MACSTATS_STD_RTNL_TX_ERRORS, 4},
        {MACSTATS_STD_RTNL_TX_ABORTED_ERRORS, 1},
        {MACSTATS_STD_RTNL_TX_WINDOW_ERRORS, 1},
        {MACSTATS_STD_RTNL_TX_FIFO_ERRORS, 1},
        {MACSTATS_STD_RTNL_TX_CARRIER_ERRORS, 1},
        {MACSTATS_STD_RTNL_COLLISIONS, 1 + 3 + 16 + 2},
        {MACSTATS_STD_RTNL_RX_PACKETS, 0},
    };

    for (const auto& [id, value] : expected) {
        BOOST_TEST(standard[id] == value, "statistic " << id << " is " << standard[id]);
    }
}

// 84h and 88h are disjoint, 8Ch overlaps with both. if_link.h: rx_missed_errors is outside
// rx_errors, which holds each bad frame once.
BOOST_AUTO_TEST_CASE(an_overrun_is_one_missed_frame_and_no_error) {
    const Standard standard =
        standard_after({rx(64).with(overrun), rx(64).with(overrun), rx(64).with(overrun | fcs)});

    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_MISSED_ERRORS] == 3u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_ERRORS] == 1u);
    BOOST_TEST(standard[MACSTATS_STD_RTNL_RX_PACKETS] == 2u);
}

BOOST_AUTO_TEST_CASE(statistics_that_the_switch_cannot_report_are_absent) {
    const Standard standard = standard_after({rx(64), tx(64)});

    for (int id :
         {+MACSTATS_STD_HIST_RX, +MACSTATS_STD_HIST_TX, +MACSTATS_STD_OCTETS_RECEIVED_OK,
          +MACSTATS_STD_OCTETS_TRANSMITTED_OK, +MACSTATS_STD_ALIGNMENT_ERRORS,
          +MACSTATS_STD_IN_RANGE_LENGTH_ERRORS, +MACSTATS_STD_OUT_OF_RANGE_LENGTH_FIELD,
          +MACSTATS_STD_FRAMES_WITH_EXCESSIVE_DEFERRAL, +MACSTATS_STD_MAC_CONTROL_FRAMES_RECEIVED,
          +MACSTATS_STD_MAC_CONTROL_FRAMES_TRANSMITTED, +MACSTATS_STD_UNSUPPORTED_OPCODES_RECEIVED,
          +MACSTATS_STD_RTNL_RX_DROPPED, +MACSTATS_STD_RTNL_TX_DROPPED,
          +MACSTATS_STD_RTNL_RX_FRAME_ERRORS, +MACSTATS_STD_RTNL_RX_FIFO_ERRORS,
          +MACSTATS_STD_FRAMES_LOST_DUE_TO_INT_MAC_RCV_ERROR, +MACSTATS_STD_RTNL_RX_OVER_ERRORS,
          +MACSTATS_STD_RTNL_TX_HEARTBEAT_ERRORS})
        BOOST_TEST(!standard.has(static_cast<unsigned int>(id)), id);
    macstats_bucket bucket{};
    BOOST_TEST(macstats_histogram(&cpsw_model, MACSTATS_STD_HIST_RX, &bucket, 1) == 0u);
    BOOST_TEST(macstats_histogram(&cpsw_model, MACSTATS_STD_HIST_TX, &bucket, 1) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(against_the_reference)

// Frames come between any two accesses of an accumulator: each of its accesses
// is compared, and its totals with all that the reference ever counted.
BOOST_AUTO_TEST_CASE(totals_are_all_that_the_reference_ever_counted) {
    for (bool half : {false, true}) {
        Random random(seed_of(7 + half));
        Provided polled(cpsw_model, half ? half_duplex : Setup{});
        CpswReference reference(half);
        bool busy = true;
        unsigned int differences = 0;
        unsigned int compared = 0;

        // At most what a line carries in a millisecond, 125,000 octets: what comes before a
        // write is then no reason to report a possible loss.
        auto traffic = [&] {
            const Frame frame = random_frame(random, 1518);
            // With preamble, gap, tags, and what collisions take.
            const u64 each = std::max(frame.length, 64u) + 40u + 84u * frame.collisions;
            const u64 most = random.one_in(30) ? random.below(81) : 1;
            const u64 count = std::min(most, 125000 / each);

            polled.port.send(frame, count);
            reference.count(frame, count);
        };
        auto moves_on = [&](u32) {
            if (busy && random.one_in(3))
                traffic();
        };

        polled.bus.before_read = moves_on;
        polled.bus.before_write = moves_on;
        polled.port.after_read = [&](u32 offset, int err, u64 value) {
            differences += err || reference.read(offset) != value;
        };
        polled.port.after_write = [&](u32 offset, int err, u64 value) {
            differences += err || !reference.write(offset, static_cast<u32>(value));
        };
        BOOST_TEST_REQUIRE(polled.start() == 0);
        busy = false;
        BOOST_TEST_REQUIRE(polled.poll() == 0);
        // Traffic during the baseline read is counted only in part.
        std::vector<u64> start;
        for (std::size_t i = 0; i < n_counters; i++)
            start.push_back(
                reference.at(datasheet[i].address)->ever - polled.acc.counters[i].total);

        for (unsigned int round = 0; round < 3000; round++) {
            busy = true;
            for (u32 i = random.below(60); i; i--)
                traffic();
            if (random.one_in(10)) // somebody looks, which does no harm
                polled.port.read(random.of(datasheet).address);
            if (random.one_in(20))
                polled.port.write(stat_port_en, random.below(8));
            if (random.one_in(3)) { // to where it will wrap, or interrupt
                const u32 i = random.below(n_counters);
                const u64 near = random.one_in(3) ? 0x80000000 : 0x100000000;
                const u64 value = near - 1 - random.below(1u << random.below(30));

                polled.preset(i, value);
                reference.at(datasheet[i].address)->value = static_cast<u32>(value);
            }
            const int err = polled.poll();
            BOOST_TEST_REQUIRE((err == 0 || err == -ENODATA));
            busy = false;
            if (err || round % 10 || polled.poll())
                continue;
            compared++;
            for (std::size_t i = 0; i < n_counters; i++)
                BOOST_TEST_REQUIRE(
                    polled.acc.counters[i].total + start[i] ==
                        reference.at(datasheet[i].address)->ever,
                    datasheet[i].reg);
        }
        BOOST_TEST(compared > 200u);
        BOOST_TEST(differences == 0u);
        BOOST_TEST(polled.acc.discontinuities == 0u);
        BOOST_TEST(!polled.acc.possible_loss);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
