// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Power-up, and registers of synthetic models. What reads, writes, snapshots and clears do to the
// registers of each MAC is compared with the slow references in reference.cpp.
#include "boost_test.hpp"

#include <cerrno>
#include <cstddef>

#include "ll40g_datasheet.hpp"
#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_emulator_registers)

using namespace macstats::test;
using namespace macstats::test::ll40g;

namespace {

// Some of everything, so that no counter is 0 by chance.
void send_a_mixture(Port& port) {
    Random random(seed_of(1));

    for (unsigned int i = 0; i < 300; i++)
        port.send(random_frame(random), 1 + random.below(1000000));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_block_without_parity_has_no_parity_error) {
    Copy copy(ll40g_model);
    drop_role(copy.registers, MACSTATS_ROLE_PARITY_ERROR, 1u << copy.rows[0].block);
    Port port(copy.model());

    port.fault(MACSTATS_FAULT_PARITY_ERROR);
    BOOST_TEST(port.emulator().counters[0].base == 0u);
}

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
    for (const Page& page : {tx_page, rx_page})
        BOOST_TEST(one.read(page.status) == same.read(page.status));
    for (const auto& [name, value] : read_all(other))
        BOOST_TEST(value != values.at(name), name);
}

BOOST_AUTO_TEST_CASE(random_power_up_sets_parity_bits_in_some_devices) {
    int set[2] = {0, 0};

    for (u64 seed = 0; seed < 64; seed++) {
        Port port(ll40g_model, {.random = true, .seed = seed});

        set[0] += port.read(tx_page.status) == status_parity;
        set[1] += port.read(rx_page.status) == status_parity;
    }
    for (int n : set) {
        BOOST_TEST(n > 0);
        BOOST_TEST(n < 64);
    }
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
    for (unsigned int i = 0; i < ll40g_model.n_registers; i++)
        BOOST_TEST(
            port.read(ll40g_model.registers[i].offset) == ll40g_model.registers[i].reset,
            ll40g_model.registers[i].name);
    port.send(rx(9600));
    BOOST_TEST(read_counter(port, "CNTR_RX_1519toMAXB") == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

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

BOOST_AUTO_TEST_CASE(a_reserved_address_may_read_anything_and_repeats_with_the_seed) {
    Port one(clearing_model, {.seed = 1});
    Port same(clearing_model, {.seed = 1});
    u64 first = one.read(0x22);

    BOOST_TEST(first == same.read(0x22));
    BOOST_TEST(one.read(0x22) != first);
    BOOST_TEST(one.read(0x22) <= 0xffffffffu);
}

BOOST_AUTO_TEST_CASE(a_48_bit_counter_has_its_low_word_first) {
    Port port(wide_model);

    port.preset(0, 0x123456789abc);
    BOOST_TEST(port.read(0x10) == 0x9abcu);
    BOOST_TEST(port.read(0x11) == 0x5678u);
    BOOST_TEST(port.read(0x12) == 0x1234u);
    port.preset(1, 0xffffffffffff);
    port.send(tx(2));
    BOOST_TEST(port.read(0x13) == 1u);
    BOOST_TEST(port.read(0x14) == 0u);
    BOOST_TEST(port.read(0x15) == 0u);
}

BOOST_AUTO_TEST_CASE(a_latch_is_empty_after_power_up) {
    Port port(latching_model);

    port.preset(0, 0xab00000000);
    port.read(0x100);
    port.power_up({});
    BOOST_TEST(port.read(0x104) == 0u);
}

BOOST_AUTO_TEST_CASE(a_saturating_counter_stays_at_its_maximum_beyond_2_to_the_64_events) {
    Port port(saturating_model);

    port.send(rx(64), ~u64{0} >> 1);
    port.send(rx(64), ~u64{0} >> 1);
    port.send(rx(64), 2);
    BOOST_TEST(port.read(0) == 255u);
}

BOOST_AUTO_TEST_CASE(random_power_up_does_not_saturate_every_counter) {
    int full = 0;

    for (u64 seed = 0; seed < 64; seed++)
        full += Port(saturating_model, {.random = true, .seed = seed}).read(0) == 255;
    BOOST_TEST(full < 8);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
