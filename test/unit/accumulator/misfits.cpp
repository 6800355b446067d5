// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Hardware that does not do what its model says: it is reported once, with the register, its value
// and what was expected.
#include "boost_test.hpp"

#include <cerrno>
#include <cstddef>
#include <string>

#include "models.hpp"
#include "synthetic.hpp"

using namespace macstats::test;

BOOST_AUTO_TEST_SUITE(unit_misfits)

namespace {

// The hardware is one model, and the accumulator believes in another one.
struct Misfit {
    Misfit(const macstats_model& real, const macstats_model& believed)
        : believed_(believed),
          is(real) {
        is.acc.model = &believed_.model();
    }

    int start() { return is.start(); }

    Copy believed_;
    Provided is;
};

// What the report says.
void check(
    const macstats_accumulator& acc, macstats_misfit_kind kind, const std::string& reg, u64 value,
    u64 expected) {
    BOOST_TEST((acc.state.misfits >> kind & 1) == 1);
    BOOST_TEST(acc.state.misfit[kind].reg == reg);
    BOOST_TEST(acc.state.misfit[kind].value == value);
    BOOST_TEST(acc.state.misfit[kind].expected == expected);
}

std::size_t identity_register(const macstats_model& model, unsigned int index) {
    const int at = macstats_register_at(&model, macstats_find_roles(&model).identity[index].offset);
    BOOST_REQUIRE(at >= 0);
    return static_cast<std::size_t>(at);
}

} // namespace

BOOST_AUTO_TEST_SUITE(misfits)

// 161 frames were sent, and three reads show 161, 322, 483.
BOOST_AUTO_TEST_CASE(counters_that_a_read_does_not_clear) {
    Copy real(clearing_model);
    for (macstats_counter& row : real.rows)
        row.onread = MACSTATS_ONREAD_NONE;
    Misfit misfit(real.model(), clearing_model);
    Provided& port = misfit.is;

    BOOST_TEST(misfit.start() == 0);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == 0u);
    port.port.send(tx(64), 161);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == MACSTATS_EVENT_MISFIT);
    check(port.acc, MACSTATS_MISFIT_READ, "TxFrames", 161, 1);
    BOOST_TEST(port.total("TxFrames") == 161u);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == 0u);
}

BOOST_AUTO_TEST_CASE(counters_that_a_read_clears_fit_while_frames_arrive) {
    Polled polled(clearing_model);
    u64 sent = 0;

    polled.bus.before_read = [&](u32) {
        polled.port.send(rx(64), 3);
        sent += 3;
    };
    for (int i = 0; i < 10; i++) {
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(polled.events == 0u);
    }
    polled.bus.before_read = nullptr;
    BOOST_TEST(polled.poll() == 0);
    BOOST_TEST(polled.total("RxFrames") == sent);
    BOOST_TEST(polled.total("RxOctets") == 64 * sent);
}

// One frame may have come between two reads. The first read that tells is the last one of two.
BOOST_AUTO_TEST_CASE(counters_are_read_twice_until_one_tells) {
    Polled polled(clearing_model);
    const auto reads = [&] {
        polled.bus.reads = 0;
        BOOST_TEST(polled.poll() == 0);
        return polled.bus.reads;
    };

    BOOST_TEST(reads() == 4u);
    polled.port.send(tx(64));
    BOOST_TEST(reads() == 5u);
    polled.port.send(tx(64), 2);
    BOOST_TEST(reads() == 5u);
    polled.port.send(tx(64), 2);
    BOOST_TEST(reads() == 4u);
    BOOST_TEST(polled.total("TxFrames") == 5u);
}

// A port may be so quiet that none ever tells.
BOOST_AUTO_TEST_CASE(counters_are_read_twice_in_16_polls_at_most) {
    Polled polled(clearing_model);

    for (int i = 0; i < 17; i++) {
        polled.port.send(tx(64));
        polled.bus.reads = 0;
        BOOST_TEST(polled.poll() == 0);
        BOOST_TEST(polled.bus.reads == (i < 16 ? 5u : 4u));
    }
    BOOST_TEST(polled.total("TxFrames") == 17u);
}

// Each kind is reported: that a read does not clear the counters either, where the model says so.
BOOST_AUTO_TEST_CASE(a_clear_command_that_is_ignored) {
    for (const bool by_read : {false, true}) {
        Copy rows(increment_model);
        for (macstats_counter& row : rows.rows)
            if (by_read)
                row.onread = MACSTATS_ONREAD_RCLR;
        rows.registers[0].fields[0].lsb = 5; // the hardware has no such bit
        rows.registers[0].fields[0].roles = MACSTATS_ROLE_CLEAR;
        Copy real(increment_model);
        Misfit misfit(real.model(), rows.model());
        Provided& port = misfit.is;

        port.port.send(rx(64), 100);
        BOOST_TEST(misfit.start() == 0);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.events == MACSTATS_EVENT_MISFIT);
        check(port.acc, MACSTATS_MISFIT_CLEAR, "RX_FRAMES", 100, 1);
        if (by_read)
            check(port.acc, MACSTATS_MISFIT_READ, "RX_FRAMES", 100, 1);
        else
            BOOST_TEST(port.total("RX_FRAMES") == 0u);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.events == 0u);
    }
}

// No misfit of a part that has no such command: its counts are the baseline.
BOOST_AUTO_TEST_CASE(a_clear_command_that_the_driver_lacks) {
    Copy rows(increment_model);
    rows.registers[0].fields[0].roles = MACSTATS_ROLE_CLEAR;
    Provided port(rows.model());

    port.acc.bus.update = [](void*, __u32, __u32, __u32) { return -EOPNOTSUPP; };
    port.port.send(rx(64), 100);
    BOOST_TEST(port.start() == 0);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == 0u);
    BOOST_TEST(port.total("RX_FRAMES") == 0u);
    port.port.send(rx(64), 7);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.total("RX_FRAMES") == 7u);
}

// 62,488 octets read as 62488 * 2^32.
BOOST_AUTO_TEST_CASE(words_of_a_pair_that_are_exchanged) {
    for (const bool bound : {false, true}) {
        Copy real(latching_model);
        Copy believed(latching_model);
        for (Copy* model : {&real, &believed})
            for (macstats_counter& row : model->rows) {
                row.latch = false;
                row.bits = 48;
                row.onread = MACSTATS_ONREAD_NONE;
                if (model == &real) { // its high word is at the lower address
                    row.offset += 4;
                    row.word_stride = ~u32{3};
                }
            }
        Misfit misfit(real.model(), believed.model());
        Provided& port = misfit.is;

        port.acc.line_rate_bound = bound;
        BOOST_TEST(misfit.start() == 0);
        port.port.send(rx(1000), 62);
        port.port.send(rx(488));
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST((port.events & MACSTATS_EVENT_MISFIT) != 0u);
        BOOST_TEST(((port.events & MACSTATS_EVENT_DISCONTINUITY) != 0u) == bound);
        const macstats_misfit& words = port.acc.state.misfit[MACSTATS_MISFIT_WORDS];
        BOOST_TEST(words.reg == std::string("RX_OCTETS"));
        BOOST_TEST(words.value == u64{62488} << 32);
        port.port.send(rx(1000), 62);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST((port.events & MACSTATS_EVENT_MISFIT) == 0u);
    }
}

// Registers of another device are not used: a read of them may change it.
BOOST_AUTO_TEST_CASE(an_identity_of_another_value) {
    const std::size_t at = identity_register(ll40g_model, 0);
    Copy real(ll40g_model);
    const u32 expected = real.registers[at].reset;
    real.registers[at].reset = 0x12345678;
    Misfit misfit(real.model(), ll40g_model);

    BOOST_TEST(misfit.start() == -ENODEV);
    check(
        misfit.is.acc, MACSTATS_MISFIT_IDENTITY, ll40g_model.registers[at].name, 0x12345678,
        expected);
}

// The lower half of ID_VER is the version of the switch, the upper half is 0x0019 in each.
BOOST_AUTO_TEST_CASE(each_version_of_a_switch_and_no_other_device) {
    const std::size_t at = identity_register(cpsw_model, 0);
    BOOST_TEST(std::string(cpsw_model.registers[at].name) == "ID_VER");
    for (const u32 version : {0x0019010au, 0x0019010cu, 0x0019010fu, 0x00190112u, 0x00190000u}) {
        Copy real(cpsw_model);
        real.registers[at].reset = version;
        Misfit misfit(real.model(), cpsw_model);
        BOOST_TEST(misfit.start() == 0);
        BOOST_TEST(misfit.is.acc.state.misfits == 0);
    }
    for (const u32 other : {0x0018010cu, 0x0119010cu, 0x0000010cu, 0xffff010fu}) {
        Copy real(cpsw_model);
        real.registers[at].reset = other;
        Misfit misfit(real.model(), cpsw_model);
        BOOST_TEST(misfit.start() == -ENODEV);
        check(
            misfit.is.acc, MACSTATS_MISFIT_IDENTITY, "ID_VER", other,
            0x00190000u | (other & 0xffff));
    }
}

// Identity registers of an option that was not built read 0, and are not what is wrong.
BOOST_AUTO_TEST_CASE(an_identity_of_another_value_beside_an_option_that_is_absent) {
    const unsigned int last = macstats_find_roles(&ll40g_model).n_identity - 1u;
    const std::size_t first_at = identity_register(ll40g_model, 0);
    const std::size_t last_at = identity_register(ll40g_model, last);
    const unsigned int absent =
        macstats_block_option(&ll40g_model, ll40g_model.registers[first_at].block);
    BOOST_TEST_REQUIRE(
        absent != macstats_block_option(&ll40g_model, ll40g_model.registers[last_at].block));
    Copy believed(ll40g_model);
    believed.registers[last_at].reset = 0x12345678;
    Provided port(ll40g_model, {.without = static_cast<u16>(absent)});

    port.acc.model = &believed.model();
    BOOST_TEST(port.start() == -ENODEV);
    check(
        port.acc, MACSTATS_MISFIT_IDENTITY, ll40g_model.registers[last_at].name,
        ll40g_model.registers[last_at].reset, 0x12345678);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
