// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Reads, writes and their side effects on the Low Latency 40GbE core: snapshot,
// clear, parity, identification, options, power-up. Sources: the user guide
// (Intel 683745, 3.4.1.6 and table 44) and, where it is silent, the register maps,
// sections 1.2 and 1.3.
#include "boost_test.hpp"

#include <cerrno>
#include <cstddef>
#include <string>

#include "ll40g_datasheet.hpp"
#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_emulator_registers)

using namespace macstats::test;
using namespace macstats::test::ll40g;

namespace {

struct OnePage {
    u8 direction;
    Page at;
};

constexpr OnePage pages[] = {{MACSTATS_TX, tx_page}, {MACSTATS_RX, rx_page}};

std::string name_of(const OnePage& page) {
    return page.direction == MACSTATS_TX ? "the transmit page" : "the receive page";
}

Frame frame_for(const OnePage& page, u32 length = 64) {
    return {page.direction, length};
}

u64 frames(Port& port, const OnePage& page) {
    return read_counter(port, on_page(page.direction, "ST"));
}

// Some of everything, so that no counter is 0 by chance.
void send_a_mixture(Port& port) {
    Random random(seed_of(1));

    for (unsigned int i = 0; i < 300; i++)
        port.send(random_frame(random), 1 + random.below(1000000));
}

} // namespace

BOOST_AUTO_TEST_SUITE(reading)

// 3.4.1.6: "Reading the value of a statistics register does not affect its value."
BOOST_AUTO_TEST_CASE(reading_never_changes_a_counter) {
    Port port(ll40g_model);

    send_a_mixture(port);
    const Values first = read_all(port);
    for (int i = 0; i < 5; i++)
        BOOST_TEST(equal(read_all(port), first));
}

BOOST_AUTO_TEST_CASE(a_word_of_a_counter_is_the_low_or_the_high_half) {
    Port port(ll40g_model);

    port.preset(0, 0x0123456789abcdef); // CNTR_TX_FRAGMENTS is the first row
    BOOST_TEST(port.read(0x800) == 0x89abcdefu);
    BOOST_TEST(port.read(0x801) == 0x01234567u);
}

// 1.3: un-shadowed reads tear. That is why there is a snapshot.
BOOST_AUTO_TEST_CASE(without_a_snapshot_two_halves_may_be_of_two_instants) {
    Port port(ll40g_model);

    port.send(rx(64), 0xffffffff);
    u64 low = port.read(0x936);
    port.send(rx(64));
    u64 high = port.read(0x937);
    BOOST_TEST((low | high << 32) == 0x1ffffffffu);
}

// Table 44: "0x838-0x83F Reserved"; tied to 0 in this core (1.1).
BOOST_AUTO_TEST_CASE(reserved_addresses_read_0_and_ignore_writes) {
    Port port(ll40g_model, {.random = true, .seed = 7});

    send_a_mixture(port);
    const Values before = read_all(port);
    for (const auto& [first, last] : reserved) {
        for (u32 offset = first; offset <= last; offset++) {
            port.write(offset, 0xffffffff);
            BOOST_TEST(port.read(offset) == 0u);
        }
    }
    BOOST_TEST(equal(read_all(port), before));
}

BOOST_AUTO_TEST_CASE(an_address_without_a_register_does_not_answer) {
    Port port(ll40g_model);

    for (u32 offset :
         {0x0u, 0x406u, 0x408u, 0x505u, 0x507u, 0x7ffu, 0x847u, 0x85fu, 0x864u, 0x8ffu, 0x947u,
          0x95fu, 0x964u, 0xa00u, 0xffffffffu}) {
        u64 value = 42;

        BOOST_TEST_CONTEXT("offset " << offset) {
            BOOST_TEST(port.try_read(offset, value) == -ENXIO);
            BOOST_TEST(value == 42u);
            BOOST_TEST(port.try_write(offset, 0) == -ENXIO);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(writing)

// Table 44: access RO.
BOOST_AUTO_TEST_CASE(a_write_to_a_counter_is_ignored) {
    Port port(ll40g_model);

    send_a_mixture(port);
    const Values before = read_all(port);
    for (const CounterAt& counter : counters) {
        port.write(counter.low, 0xffffffff);
        port.write(counter.high, 0);
    }
    BOOST_TEST(equal(read_all(port), before));
}

BOOST_AUTO_TEST_CASE(a_write_to_a_read_only_register_is_ignored) {
    Port port(ll40g_model);

    for (const RegisterAt& reg : ll40g::registers) {
        if (reg.writable)
            continue;
        BOOST_TEST_CONTEXT(reg.name) {
            port.write(reg.offset, ~reg.reset);
            BOOST_TEST(port.read(reg.offset) == reg.reset);
            port.write(reg.offset, 0);
            BOOST_TEST(port.read(reg.offset) == reg.reset);
        }
    }
}

BOOST_AUTO_TEST_CASE(registers_come_up_with_their_reset_values) {
    Port port(ll40g_model);

    for (const RegisterAt& reg : ll40g::registers)
        BOOST_TEST_CONTEXT(reg.name)
    BOOST_TEST(port.read(reg.offset) == reg.reset);
}

// Table 44: "Scratch register available for testing. Default value is 0x08." The
// receive page has 0x09: the reset value is the number of the page (1.2).
BOOST_AUTO_TEST_CASE(scratch_starts_with_the_page_number_and_keeps_all_32_bits) {
    Port port(ll40g_model);

    BOOST_TEST(port.read(0x841) == 0x08u);
    BOOST_TEST(port.read(0x941) == 0x09u);
    for (u32 value : {0x00000000u, 0xffffffffu, 0x55555555u, 0xaaaaaaaau, 0x12345678u}) {
        port.write(0x841, value);
        port.write(0x941, ~value);
        BOOST_TEST(port.read(0x841) == value);
        BOOST_TEST(port.read(0x941) == static_cast<u32>(~value));
    }
}

BOOST_AUTO_TEST_CASE(a_clear_of_the_counters_leaves_scratch_and_maximum_alone) {
    Port port(ll40g_model);

    for (u32 offset : {0x841u, 0x941u, max_tx_size, max_rx_size})
        port.write(offset, 0x1234);
    for (const OnePage& page : pages)
        port.write(page.at.config, config_clear);
    for (u32 offset : {0x841u, 0x941u, max_tx_size, max_rx_size})
        BOOST_TEST(port.read(offset) == 0x1234u);
}

// 1.2: 16 bits, 9600 (0x2580) after reset.
BOOST_AUTO_TEST_CASE(the_maximum_frame_length_has_16_bits) {
    Port port(ll40g_model);

    for (u32 offset : {max_tx_size, max_rx_size}) {
        BOOST_TEST(port.read(offset) == 9600u);
        port.write(offset, 0xabcd1234);
        BOOST_TEST(port.read(offset) == 0x1234u);
        port.write(offset, 0xffff);
        BOOST_TEST(port.read(offset) == 0xffffu);
    }
}

// 1.2: bits 15:3 of the configuration are plain storage in this core, 31:16 read 0,
// and the two commands are self-clearing.
BOOST_AUTO_TEST_CASE(the_configuration_stores_bits_15_to_2_only) {
    for (const OnePage& page : pages) {
        Port port(ll40g_model);

        port.write(page.at.config, 0xffffffff);
        BOOST_TEST(port.read(page.at.config) == 0xfffcu);
        port.write(page.at.config, 0);
        BOOST_TEST(port.read(page.at.config) == 0u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(identification)

// Table 44: the name is "040gMacStats", four characters to a register; the first one
// is in bits 31:24 (1.2).
BOOST_AUTO_TEST_CASE(the_name_registers_spell_040gMacStats) {
    Port port(ll40g_model);

    for (u32 first : {0x842u, 0x942u}) {
        std::string name;

        for (u32 offset = first; offset < first + 3; offset++)
            for (int shift = 24; shift >= 0; shift -= 8)
                name += static_cast<char>(port.read(offset) >> shift & 0xff);
        BOOST_TEST(name == "040gMacStats");
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(snapshot)

// Table 44, CNTR_TX_CONFIG bit 2: "The underlying counters continue to operate, but
// the readable values reflect a snapshot"; "Write a 0 to release."
BOOST_AUTO_TEST_CASE(a_snapshot_freezes_what_is_read_and_not_what_is_counted) {
    for (const OnePage& page : pages) {
        BOOST_TEST_CONTEXT(name_of(page)) {
            Port port(ll40g_model);

            send_a_mixture(port);
            const Values before = read_all(port);
            const u64 starts = frames(port, page);
            port.write(page.at.config, config_request);
            BOOST_TEST(port.read(page.at.status) == status_paused);
            port.send(frame_for(page), 5);       // by a cell
            port.send(frame_for(page).bad(), 2); // by the bases
            BOOST_TEST(equal(read_all(port), before));
            port.write(page.at.config, 0);
            BOOST_TEST(port.read(page.at.status) == 0u);
            BOOST_TEST(frames(port, page) == starts + 7);
        }
    }
}

// 1.3: TX and RX are independent.
BOOST_AUTO_TEST_CASE(a_snapshot_of_one_page_does_not_freeze_the_other) {
    for (int i = 0; i < 2; i++) {
        const OnePage& frozen = pages[i];
        const OnePage& other = pages[1 - i];
        Port port(ll40g_model);

        port.write(frozen.at.config, config_request);
        port.send(frame_for(frozen));
        port.send(frame_for(other));
        BOOST_TEST(frames(port, frozen) == 0u);
        BOOST_TEST(frames(port, other) == 1u);
        BOOST_TEST(port.read(other.at.status) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(asking_again_does_not_renew_a_snapshot) {
    Port port(ll40g_model);

    port.write(rx_page.config, config_request);
    port.send(rx(64));
    port.write(rx_page.config, config_request);
    BOOST_TEST(read_counter(port, "CNTR_RX_ST") == 0u);
    port.write(rx_page.config, 0);
    port.write(rx_page.config, config_request);
    BOOST_TEST(read_counter(port, "CNTR_RX_ST") == 1u);
}

// 1.3: "grant may be delayed"; until then values are live.
BOOST_AUTO_TEST_CASE(a_slow_snapshot_is_granted_at_the_third_look) {
    Port port(ll40g_model);

    port.fault(MACSTATS_FAULT_SNAPSHOT_SLOW);
    port.write(tx_page.config, config_request);
    BOOST_TEST(port.read(tx_page.status) == 0u);
    port.send(tx(64));
    BOOST_TEST(read_counter(port, "CNTR_TX_ST") == 1u);
    BOOST_TEST(port.read(tx_page.status) == 0u);
    port.send(tx(64));
    BOOST_TEST(port.read(tx_page.status) == status_paused);
    port.send(tx(64));
    BOOST_TEST(read_counter(port, "CNTR_TX_ST") == 2u);
    port.write(tx_page.config, 0);
    BOOST_TEST(read_counter(port, "CNTR_TX_ST") == 3u);
}

BOOST_AUTO_TEST_CASE(looking_at_one_page_does_not_hasten_the_other) {
    Port port(ll40g_model);

    port.fault(MACSTATS_FAULT_SNAPSHOT_SLOW);
    port.write(tx_page.config, config_request);
    port.write(rx_page.config, config_request);
    for (int i = 0; i < 3; i++)
        port.read(tx_page.status);
    BOOST_TEST(port.read(tx_page.status) == status_paused);
    BOOST_TEST(port.read(rx_page.status) == 0u);
}

BOOST_AUTO_TEST_CASE(a_stuck_snapshot_is_never_granted_until_it_is_unstuck) {
    Port port(ll40g_model);

    port.fault(MACSTATS_FAULT_SNAPSHOT_STUCK);
    port.write(rx_page.config, config_request);
    for (u64 i = 1; i <= 1000; i++) {
        port.send(rx(64));
        BOOST_TEST_REQUIRE(port.read(rx_page.status) == 0u);
        BOOST_TEST_REQUIRE(read_counter(port, "CNTR_RX_ST") == i);
    }
    port.fault(MACSTATS_FAULT_SNAPSHOT_STUCK, false);
    BOOST_TEST(port.read(rx_page.status) == status_paused);
}

BOOST_AUTO_TEST_CASE(a_request_withdrawn_before_it_is_granted_freezes_nothing) {
    Port port(ll40g_model);

    port.fault(MACSTATS_FAULT_SNAPSHOT_SLOW);
    port.write(rx_page.config, config_request);
    port.write(rx_page.config, 0);
    for (int i = 0; i < 10; i++)
        BOOST_TEST(port.read(rx_page.status) == 0u);
    port.send(rx(64));
    BOOST_TEST(read_counter(port, "CNTR_RX_ST") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(clearing)

// Table 44, CNTR_TX_CONFIG bit 0: "reset all of the TX statistics registers at the
// same time. This bit is self-clearing."
BOOST_AUTO_TEST_CASE(a_clear_zeroes_every_counter_of_its_page_and_none_of_the_other) {
    for (int i = 0; i < 2; i++) {
        const OnePage& page = pages[i];
        const std::string prefix = page.direction == MACSTATS_TX ? "CNTR_TX" : "CNTR_RX";
        const std::string octets = on_page(page.direction, "OctetsOK");

        BOOST_TEST_CONTEXT(name_of(page)) {
            Port port(ll40g_model, {.random = true, .seed = 11});

            send_a_mixture(port);
            Values expected = read_all(port);
            port.write(page.at.config, config_clear);
            BOOST_TEST(port.read(page.at.config) == 0u);
            for (auto& [name, value] : expected)
                if (name.starts_with(prefix) || name == octets)
                    value = 0;
            BOOST_TEST(equal(read_all(port), expected));
        }
    }
}

BOOST_AUTO_TEST_CASE(counting_goes_on_after_a_clear) {
    for (const OnePage& page : pages) {
        Port port(ll40g_model);

        port.send(frame_for(page), 5);
        port.send(frame_for(page).bad(), 5);
        port.write(page.at.config, config_clear);
        port.send(frame_for(page), 2);
        port.send(frame_for(page).bad(), 1);
        BOOST_TEST(equal(
            read_all(port), zero_but(
                                page.direction, {{"64B", 3},
                                                 {"UCAST_DATA_OK", 2},
                                                 {"UCAST_DATA_ERR", 1},
                                                 {"FCS", 1},
                                                 {"CRCERR", 1},
                                                 {"ST", 3},
                                                 {"OctetsOK", 92}})));
    }
}

// 1.3: the frozen values stay visible until release.
BOOST_AUTO_TEST_CASE(a_clear_does_not_drop_a_snapshot) {
    for (const OnePage& page : pages) {
        Port port(ll40g_model);

        send_a_mixture(port);
        port.write(page.at.config, config_request);
        const Values frozen = read_all(port);
        port.write(page.at.config, config_request | config_clear);
        BOOST_TEST(port.read(page.at.status) == status_paused);
        BOOST_TEST(port.read(page.at.config) == config_request);
        BOOST_TEST(equal(read_all(port), frozen));
        port.send(frame_for(page), 3);
        BOOST_TEST(equal(read_all(port), frozen));
        port.write(page.at.config, 0);
        BOOST_TEST(frames(port, page) == 3u);
    }
}

// 1.3: "Writing 0x1 to clear also writes bit2=0, i.e. releases a snapshot."
BOOST_AUTO_TEST_CASE(a_clear_without_read_modify_write_drops_a_snapshot) {
    for (const OnePage& page : pages) {
        Port port(ll40g_model);

        port.send(frame_for(page), 9);
        port.write(page.at.config, config_request);
        port.write(page.at.config, config_clear);
        BOOST_TEST(port.read(page.at.status) == 0u);
        BOOST_TEST(frames(port, page) == 0u);
        port.send(frame_for(page));
        BOOST_TEST(frames(port, page) == 1u);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(parity)

// Table 44, CNTR_TX_STATUS bit 0: "at least one parity error". CNTR_TX_CONFIG bit 1
// clears it and is self-clearing.
BOOST_AUTO_TEST_CASE(a_parity_error_stays_until_it_is_cleared) {
    for (const OnePage& page : pages) {
        Port port(ll40g_model);

        BOOST_TEST(port.read(page.at.status) == 0u);
        port.fault(MACSTATS_FAULT_PARITY_ERROR);
        for (int i = 0; i < 3; i++)
            BOOST_TEST(port.read(page.at.status) == status_parity);
        port.write(page.at.config, config_parity_clear);
        BOOST_TEST(port.read(page.at.status) == 0u);
        BOOST_TEST(port.read(page.at.config) == 0u);
        // It was one error, once.
        BOOST_TEST(port.read(page.at.status) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(a_block_without_parity_has_no_parity_error) {
    Copy copy(ll40g_model);
    drop_role(copy.registers, MACSTATS_ROLE_PARITY_ERROR, 1u << copy.rows[0].block);
    Port port(copy.model());

    port.fault(MACSTATS_FAULT_PARITY_ERROR);
    BOOST_TEST(port.emulator().counters[0].base == 0u);
}

BOOST_AUTO_TEST_CASE(clearing_the_parity_error_of_one_page_leaves_the_other) {
    Port port(ll40g_model);

    port.fault(MACSTATS_FAULT_PARITY_ERROR);
    port.write(tx_page.config, config_parity_clear);
    BOOST_TEST(port.read(tx_page.status) == 0u);
    BOOST_TEST(port.read(rx_page.status) == status_parity);
}

BOOST_AUTO_TEST_CASE(clearing_parity_clears_no_counter) {
    Port port(ll40g_model);

    send_a_mixture(port);
    port.fault(MACSTATS_FAULT_PARITY_ERROR);
    const Values before = read_all(port);
    for (const OnePage& page : pages)
        port.write(page.at.config, config_parity_clear);
    BOOST_TEST(equal(read_all(port), before));
}

// 1.3: in this core the counter clear also clears the parity error bit.
BOOST_AUTO_TEST_CASE(a_clear_of_the_counters_clears_parity) {
    for (const OnePage& page : pages) {
        Port port(ll40g_model);

        port.fault(MACSTATS_FAULT_PARITY_ERROR);
        port.write(page.at.config, config_clear);
        BOOST_TEST(port.read(page.at.status) == 0u);
    }
}

BOOST_AUTO_TEST_CASE(parity_and_snapshot_are_two_bits) {
    Port port(ll40g_model);

    port.write(rx_page.config, config_request);
    port.fault(MACSTATS_FAULT_PARITY_ERROR);
    BOOST_TEST(port.read(rx_page.status) == (status_parity | status_paused));
    port.write(rx_page.config, config_request | config_parity_clear);
    BOOST_TEST(port.read(rx_page.status) == status_paused);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(without_statistics)

const Setup left_out = {.without = all_statistics, .random = true, .seed = 3};

// 3.4.1.6: "the counters are not implemented in the CSR, and read access to the
// counters returns read data equal to 0."
BOOST_AUTO_TEST_CASE(every_counter_reads_0) {
    Port port(ll40g_model, left_out);

    send_a_mixture(port);
    BOOST_TEST(equal(read_all(port), zero_but(MACSTATS_RX, {})));
}

BOOST_AUTO_TEST_CASE(the_pages_read_0_and_store_nothing) {
    Port port(ll40g_model, left_out);

    for (const RegisterAt& reg : ll40g::registers) {
        if (reg.offset < 0x800)
            continue;
        BOOST_TEST_CONTEXT(reg.name) {
            BOOST_TEST(port.read(reg.offset) == 0u);
            port.write(reg.offset, 0xffffffff);
            BOOST_TEST(port.read(reg.offset) == 0u);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_rest_of_the_core_is_there) {
    Port port(ll40g_model, left_out);

    for (u32 offset : {max_tx_size, max_rx_size}) {
        BOOST_TEST(port.read(offset) == 9600u);
        port.write(offset, 1518);
        BOOST_TEST(port.read(offset) == 1518u);
    }
}

// Commands to the missing page change nothing, and the other page works.
BOOST_AUTO_TEST_CASE(a_page_alone_is_left_out) {
    const struct {
        u16 without;
        u32 page;
        u32 other;
    } cases[] = {
        {MACSTATS_OPT_TX_STATISTICS, 0x800, 0x900}, {MACSTATS_OPT_RX_STATISTICS, 0x900, 0x800}};

    for (const auto& one : cases) {
        Port port(ll40g_model, {.without = one.without, .random = true, .seed = 3});

        port.write(one.other + 0x45, 1);
        send_a_mixture(port);
        port.fault(MACSTATS_FAULT_PARITY_ERROR);
        BOOST_TEST((port.read(one.other + 0x46) & status_parity) == status_parity);
        port.write(one.other + 0x45, 4);
        for (u32 offset = 0; offset <= 0x46; offset++)
            for (const u32 value : {0u, 0xffffffffu, 4u}) {
                port.try_write(one.page + offset, value);
                BOOST_TEST(port.read(one.page + offset) == 0u, offset);
            }
        for (const u32 offset : {0x60u, 0x61u})
            BOOST_TEST(port.read(one.page + offset) == 0u, offset);
        BOOST_TEST(port.read(one.other + 0x36) != 0u);
        BOOST_TEST(port.read(one.other + 0x42) == 0x30343067u);
        BOOST_TEST((port.read(one.other + 0x46) & 2) == 2u);
    }
}

// The values of a page do not depend on whether the other one is there.
BOOST_AUTO_TEST_CASE(a_page_counts_without_the_other_one) {
    Port whole(ll40g_model);
    Port sends(ll40g_model, {.without = MACSTATS_OPT_RX_STATISTICS});
    Port receives(ll40g_model, {.without = MACSTATS_OPT_TX_STATISTICS});

    for (Port* port : {&whole, &sends, &receives})
        send_a_mixture(*port);
    for (u32 offset = 0; offset < 0x38; offset++) {
        BOOST_TEST(sends.read(0x800 + offset) == whole.read(0x800 + offset), offset);
        BOOST_TEST(receives.read(0x900 + offset) == whole.read(0x900 + offset), offset);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(power_up)

// The outputs that are published for this seed of SplitMix64.
BOOST_AUTO_TEST_CASE(a_seed_gives_the_same_sequence_everywhere) {
    u64 state = 1234567;

    for (u64 expected :
         {u64{6457827717110365317u}, u64{3203168211198807973u}, u64{9817491932198370423u},
          u64{4593380528125082431u}, u64{16408922859458223821u}})
        BOOST_TEST(macstats_random(&state) == expected);
}

// 1.3: "counters hold random values (MLAB), parity bits may be set".
BOOST_AUTO_TEST_CASE(random_power_up_repeats_with_its_seed) {
    Port one(ll40g_model, {.random = true, .seed = 1});
    Port same(ll40g_model, {.random = true, .seed = 1});
    Port other(ll40g_model, {.random = true, .seed = 2});
    const Values values = read_all(one);

    BOOST_TEST(equal(read_all(same), values));
    for (const OnePage& page : pages)
        BOOST_TEST(one.read(page.at.status) == same.read(page.at.status));
    for (const auto& [name, value] : read_all(other))
        BOOST_TEST(value != values.at(name), name);
}

BOOST_AUTO_TEST_CASE(random_power_up_sets_parity_bits_in_some_devices) {
    int set[2] = {0, 0};

    for (u64 seed = 0; seed < 64; seed++) {
        Port port(ll40g_model, {.random = true, .seed = seed});

        for (int i = 0; i < 2; i++)
            set[i] += port.read(pages[i].at.status) == status_parity;
    }
    for (int n : set) {
        BOOST_TEST(n > 0);
        BOOST_TEST(n < 64);
    }
}

BOOST_AUTO_TEST_CASE(random_power_up_changes_no_other_register) {
    Port port(ll40g_model, {.random = true, .seed = 5});

    for (const RegisterAt& reg : ll40g::registers)
        if (reg.name != "CNTR_TX_STATUS" && reg.name != "CNTR_RX_STATUS")
            BOOST_TEST(port.read(reg.offset) == reg.reset, reg.name);
}

BOOST_AUTO_TEST_CASE(frames_count_on_top_of_random_values) {
    Port port(ll40g_model, {.random = true, .seed = 9});
    Values expected = read_all(port);

    port.send(rx(64), 10);
    expected["CNTR_RX_64B"] += 10;
    expected["CNTR_RX_UCAST_DATA_OK"] += 10;
    expected["CNTR_RX_ST"] += 10;
    expected["RxOctetsOK"] += 460;
    BOOST_TEST(equal(read_all(port), expected));
}

BOOST_AUTO_TEST_CASE(clears_make_random_counters_zero) {
    Port port(ll40g_model, {.random = true, .seed = 9});

    for (const OnePage& page : pages)
        port.write(page.at.config, config_clear | config_parity_clear);
    BOOST_TEST(equal(read_all(port), zero_but(MACSTATS_RX, {})));
    for (const OnePage& page : pages)
        BOOST_TEST(port.read(page.at.status) == 0u);
}

BOOST_AUTO_TEST_CASE(power_up_forgets_everything) {
    Port port(ll40g_model);

    send_a_mixture(port);
    port.write(0x841, 1);
    port.write(max_rx_size, 1518);
    port.write(rx_page.config, config_request);
    port.fault(MACSTATS_FAULT_PARITY_ERROR);
    port.fault(MACSTATS_FAULT_BUS_ERROR);
    port.power_up({});
    BOOST_TEST(equal(read_all(port), zero_but(MACSTATS_RX, {})));
    for (const RegisterAt& reg : ll40g::registers)
        BOOST_TEST(port.read(reg.offset) == reg.reset, reg.name);
    port.send(rx(9600));
    BOOST_TEST(read_counter(port, "CNTR_RX_1519toMAXB") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(while_the_bus_fails_nothing_is_read_or_written) {
    Port port(ll40g_model);
    u64 value = 42;

    port.send(rx(64), 3);
    port.fault(MACSTATS_FAULT_BUS_ERROR);
    BOOST_TEST(port.try_read(0x916, value) == -EIO);
    BOOST_TEST(value == 42u);
    BOOST_TEST(port.try_read(0x0, value) == -EIO);
    BOOST_TEST(port.try_write(0x841, 1) == -EIO);
    BOOST_TEST(port.try_write(rx_page.config, config_clear) == -EIO);
    port.send(rx(64), 4);
    port.fault(MACSTATS_FAULT_BUS_ERROR, false);
    BOOST_TEST(port.read(0x841) == 0x08u);
    BOOST_TEST(port.read(0x916) == 7u);
}

BOOST_AUTO_TEST_CASE(a_preset_counter_counts_on_from_there) {
    Port port(ll40g_model);

    port.send(tx(64), 3);
    port.preset(0, 1000); // CNTR_TX_FRAGMENTS is the first row
    BOOST_TEST(read_counter(port, "CNTR_TX_FRAGMENTS") == 1000u);
    BOOST_TEST(read_counter(port, "CNTR_TX_64B") == 3u);
}

// Registers that the first model does not have.
BOOST_AUTO_TEST_SUITE(other_macs)

// Each of the three needs its own bit in the descriptors.
BOOST_AUTO_TEST_CASE(a_frame_states_about_descriptors_only_what_the_model_has) {
    const auto check = [](const macstats_descriptor& bits, const macstats_frame& frame) {
        macstats_model model = rolling_model;
        model.descriptor = &bits;
        return macstats_check_descriptors(&model, &frame);
    };
    const Frame frames[] = {tx(64).in(2), tx(64).with_crc(false), tx(64).with_huge(true)};
    macstats_descriptor bits[3] = {};
    bits[0].last = 1;
    bits[1].append_crc = 2;
    bits[2].huge = 4;

    for (std::size_t i = 0; i < 3; i++) {
        BOOST_TEST(check({}, frames[i]) == -EOPNOTSUPP, frames[i]);
        for (std::size_t k = 0; k < 3; k++)
            BOOST_TEST(check(bits[k], frames[i]) == (i == k ? 0 : -EOPNOTSUPP), frames[i]);
    }
    BOOST_TEST(check({}, tx(64)) == 0);
}

// Only software writes a transmit descriptor.
BOOST_AUTO_TEST_CASE(only_frames_that_software_transmits_have_controls) {
    const auto check = [](const macstats_frame& frame) {
        macstats_model model = rolling_model;
        DescriptorCopy descriptor(model);
        descriptor.last = 1;
        descriptor.append_crc = 2;
        descriptor.huge = 4;
        model.descriptor = &descriptor;
        return macstats_check_descriptors(&model, &frame);
    };

    for (const Frame& frame : {tx(64).with_crc(true), tx(64).with_huge(false)}) {
        BOOST_TEST(check(frame) == 0, frame);
        BOOST_TEST(check(frame.by(MACSTATS_BY_MAC)) == -EINVAL, frame);
        Frame received = frame;
        received.direction = MACSTATS_RX;
        BOOST_TEST(check(received) == -EINVAL, received);
    }
    BOOST_TEST(check(rx(64).in(2)) == 0);
}

BOOST_AUTO_TEST_CASE(clear_on_read_counts_each_frame_once) {
    Port port(clearing_model);
    u64 sum = 0;

    for (u64 n = 1; n <= 10; n++) {
        port.send(rx(64), n);
        if (n % 3)
            sum += port.read(0x21);
    }
    sum += port.read(0x21);
    BOOST_TEST(sum == 55u);
    BOOST_TEST(port.read(0x21) == 0u);
    BOOST_TEST(port.read(0x20) == 55u * 64);
    BOOST_TEST(port.read(0x20) == 0u);
}

BOOST_AUTO_TEST_CASE(reading_one_counter_clears_no_other) {
    Port port(clearing_model);

    port.send(rx(100), 4);
    port.send(tx(100), 5);
    port.read(0x21);
    BOOST_TEST(port.read(0x20) == 400u);
    BOOST_TEST(port.read(0x23) == 5u);
}

BOOST_AUTO_TEST_CASE(a_32_bit_counter_rolls_over_at_two_to_the_32) {
    Port port(clearing_model);

    port.send(rx(64), 0x100000002);
    BOOST_TEST(port.read(0x21) == 2u);
}

BOOST_AUTO_TEST_CASE(collisions_count_as_many_as_a_frame_had) {
    Port port(clearing_model, {.with = MACSTATS_OPT_HALF_DUPLEX});
    Frame frame = tx(64);

    frame.collisions = 3;
    port.send(frame, 5);
    port.send(tx(64), 7);
    BOOST_TEST(port.read(0x24) == 15u);
    BOOST_TEST(port.read(0x23) == 12u);
}

BOOST_AUTO_TEST_CASE(a_reserved_address_may_read_anything_and_repeats_with_the_seed) {
    Port one(clearing_model, {.seed = 1});
    Port same(clearing_model, {.seed = 1});
    u64 first = one.read(0x22);

    BOOST_TEST(first == same.read(0x22));
    BOOST_TEST(one.read(0x22) != first);
    BOOST_TEST(one.read(0x22) <= 0xffffffffu);
}

// register-maps 4.3: "new = old - written. If written > old, result = 0."
BOOST_AUTO_TEST_CASE(a_write_decrements_but_not_below_0) {
    Port port(decrement_model);

    port.send(rx(64), 3);
    port.write(0x40, 2);
    BOOST_TEST(port.read(0x40) == 1u);
    port.write(0x40, 2);
    BOOST_TEST(port.read(0x40) == 0u);
    port.write(0x40, 1);
    BOOST_TEST(port.read(0x40) == 0u);
    port.send(rx(64), 9);
    port.write(0x40, 0xffffffff);
    BOOST_TEST(port.read(0x40) == 0u);
    port.send(rx(64));
    BOOST_TEST(port.read(0x40) == 1u);
    // The other counters are as they were.
    BOOST_TEST(port.read(0x44) == 13u * 64);
}

// 4.3: while all enables are 0 a write stores, and nothing counts; one is enough.
BOOST_AUTO_TEST_CASE(a_closed_gate_stores_writes_and_counts_nothing) {
    Port port(decrement_model);

    port.send(rx(64), 3);
    port.write(0x0c, 0);
    port.send(rx(64), 100);
    BOOST_TEST(port.read(0x40) == 3u);
    port.write(0x40, 1000);
    BOOST_TEST(port.read(0x40) == 1000u);
    port.write(0x44, 0);
    for (u32 bit : {1u, 2u, 4u}) {
        port.write(0x0c, bit);
        port.send(rx(64));
    }
    BOOST_TEST(port.read(0x40) == 1003u);
    BOOST_TEST(port.read(0x44) == 3u * 64);
    port.write(0x40, 1);
    BOOST_TEST(port.read(0x40) == 1002u);
}

BOOST_AUTO_TEST_CASE(octet_addresses_go_by_fours_and_nothing_answers_between) {
    Port port(decrement_model);
    u64 value = 0;

    port.send(rx(64));
    BOOST_TEST(port.read(0x40) == 1u);
    BOOST_TEST(port.read(0x44) == 64u);
    for (u32 offset : {0x41u, 0x42u, 0x43u, 0x45u, 0x0du, 0x0fu, 0x4cu}) {
        BOOST_TEST(port.try_read(offset, value) == -ENXIO);
        BOOST_TEST(port.try_write(offset, 1) == -ENXIO);
    }
}

BOOST_AUTO_TEST_CASE(a_48_bit_counter_has_its_high_word_first_where_the_model_says_so) {
    Port port(wide_model);

    port.preset(0, 0x123456789abc);
    BOOST_TEST(port.read(0x10) == 0x1234u);
    BOOST_TEST(port.read(0x11) == 0x5678u);
    BOOST_TEST(port.read(0x12) == 0x9abcu);
    port.preset(1, 0xffffffffffff);
    port.send(tx(2));
    BOOST_TEST(port.read(0x13) == 0u);
    BOOST_TEST(port.read(0x14) == 0u);
    BOOST_TEST(port.read(0x15) == 1u);
}

BOOST_AUTO_TEST_CASE(reading_the_low_word_latches_the_high_one) {
    Port port(latching_model);

    port.preset(0, 0xabffffffff);
    BOOST_TEST(port.read(0x100) == 0xffffffffu);
    port.send(rx(64));
    BOOST_TEST(port.read(0x104) == 0xabu);
    BOOST_TEST(port.read(0x104) == 0xabu);
    BOOST_TEST(port.read(0x100) == 63u);
    BOOST_TEST(port.read(0x104) == 0xacu);
}

BOOST_AUTO_TEST_CASE(the_word_that_latches_clears_the_whole_counter) {
    Port port(latching_model);

    port.preset(1, 0xab00000005);
    BOOST_TEST(port.read(0x108) == 5u);
    port.send(tx(64));
    BOOST_TEST(port.read(0x10c) == 0xabu);
    BOOST_TEST(port.read(0x108) == 64u);
    BOOST_TEST(port.read(0x10c) == 0u);
}

BOOST_AUTO_TEST_CASE(a_latch_is_empty_after_power_up) {
    Port port(latching_model);

    port.preset(0, 0xab00000000);
    port.read(0x100);
    port.power_up({});
    BOOST_TEST(port.read(0x104) == 0u);
}

BOOST_AUTO_TEST_CASE(a_saturating_counter_stops_at_its_maximum) {
    Port port(saturating_model);

    port.send(rx(64), 254);
    BOOST_TEST(port.read(0) == 254u);
    port.send(rx(64));
    BOOST_TEST(port.read(0) == 255u);
    port.send(rx(64), 1000);
    BOOST_TEST(port.read(0) == 255u);
}

BOOST_AUTO_TEST_CASE(a_saturating_counter_stays_at_its_maximum_beyond_2_to_the_64_events) {
    Port port(saturating_model);

    port.send(rx(64), ~u64{0} >> 1);
    port.send(rx(64), ~u64{0} >> 1);
    port.send(rx(64), 2);
    BOOST_TEST(port.read(0) == 255u);
}

BOOST_AUTO_TEST_CASE(a_saturated_counter_restarts_from_0_after_a_clearing_read) {
    Port port(saturating_model);

    port.send(tx(64), 1000);
    BOOST_TEST(port.read(1) == 255u);
    port.send(tx(64), 3);
    BOOST_TEST(port.read(1) == 3u);
}

BOOST_AUTO_TEST_CASE(random_power_up_does_not_saturate_every_counter) {
    int full = 0;

    for (u64 seed = 0; seed < 64; seed++)
        full += Port(saturating_model, {.random = true, .seed = seed}).read(0) == 255;
    BOOST_TEST(full < 8);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
