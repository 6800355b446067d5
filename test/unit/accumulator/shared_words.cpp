// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Counters that share a bus word: emulator and accumulator together. One read of a word is one of
// all its counters. Of sharing_model, 0x40 has RX_FRAMES (bits 15 to 0) and TX_FRAMES (31 to 16),
// 0x44 has RX_BAD (15 to 4) and TX_BAD (31 to 24), 0x48 has RX_OCTETS.
#include "boost_test.hpp"

#include <cerrno>
#include <string>
#include <vector>

#include "libmacstats/core/names.hpp"
#include "libmacstats/device/device.hpp"
#include "libmacstats/device/registers.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_shared_words)

using namespace macstats::test;

namespace {

MACSTATS_MODEL_BEGIN
constexpr macstats_register features[] = {
    MACSTATS_REGISTER(RO, "FEATURES", 0x00, 2, "Counters that are there"),
};
MACSTATS_MODEL_END

// The same without clear on read.
class FreeRunning : public Copy {
public:
    FreeRunning() : Copy(sharing_model) {
        for (macstats_counter& row : rows)
            row.onread = MACSTATS_ONREAD_NONE;
    }

    const macstats_model* as_const() { return &model(); }
};

const u64 nearly_full[] = {0xfffe, 0xffff, 0xffe, 0xff, 0xffffffff};

// Two counters share 0x40, and can be written while bit 7 at 0x00 is set: RX_FRAMES (15 to 0) and
// TX_FRAMES (27 to 20).
class Writable : public Copy {
public:
    Writable() : Copy(enabled_model) {
        rows = {rows[0], rows[0]};
        rows[0].bits = 16;
        rows[1].reg = "TX_FRAMES";
        rows[1].lsb = 20;
        rows[1].bits = 8;
        rows[1].when[0].direction = MACSTATS_TX;
    }

    macstats_model& model() {
        Copy::model().n_counters = 2;
        return Copy::model();
    }
};

// 3 bad frames received, 2 bad ones and 1 good one sent.
void exchange(Polled& port) {
    port.send(rx(100).bad(), 3);
    port.send(tx(64).bad(), 2);
    port.send(tx(64));
}

const std::vector<u64> exchanged = {3, 3, 3, 2, 300};

} // namespace

BOOST_AUTO_TEST_SUITE(emulator)

BOOST_AUTO_TEST_CASE(a_word_has_each_counter_at_its_bit_and_nothing_between) {
    FreeRunning free_running;
    Port port(free_running.model());

    for (unsigned int i = 0; i < 5; i++)
        port.preset(i, nearly_full[i]);
    BOOST_TEST(port.read(0x40) == 0xfffffffeu);
    BOOST_TEST(port.read(0x44) == 0xff00ffe0u);
    // 0xffff + 1 and 0xff + 1 are 0, and 0xffe + 1 is 0xfff.
    port.send(rx(64).bad());
    port.send(tx(64).bad());
    BOOST_TEST(port.read(0x40) == 0x0000ffffu);
    BOOST_TEST(port.read(0x44) == 0x0000fff0u);
    port.send(rx(64).bad());
    BOOST_TEST(port.read(0x40) == 0x00000000u);
    BOOST_TEST(port.read(0x44) == 0x00000000u);
}

BOOST_AUTO_TEST_CASE(a_read_clears_all_counters_of_its_word_and_no_others) {
    Port port(sharing_model);

    port.send(rx(64).bad(), 0x123);
    port.send(tx(64).bad(), 0x45);
    BOOST_TEST(port.read(0x44) == 0x45001230u);
    BOOST_TEST(port.read(0x44) == 0u);
    BOOST_TEST(port.read(0x40) == 0x00450123u);
    BOOST_TEST(port.read(0x40) == 0u);
    BOOST_TEST(port.read(0x48) == 64u * 0x123);
}

// RX_BAD is not there: its bits are 0, and the other counter of the word counts.
BOOST_AUTO_TEST_CASE(a_counter_that_is_absent_leaves_its_bits_clear) {
    macstats_model model = sharing_model;
    std::vector<macstats_counter> rows(
        sharing_model.counters, sharing_model.counters + sharing_model.n_counters);

    rows[2].present = {0x00, 1};
    rows[3].present = {0x00, 2};
    model.counters = rows.data();
    model.registers = features;
    model.n_registers = 1;
    Port port(model);
    port.send(rx(64).bad(), 2);
    port.send(tx(64).bad(), 3);
    BOOST_TEST(port.read(0x44) == 0x03000000u);
    port.send(tx(64).bad(), 4);
    const macstats_cell_set cell_set = port.whole_set();
    u64 value = 0;
    unsigned int done = 0;
    BOOST_TEST(
        macstats_emulator_read_block(&port.emulator(), &cell_set, 0x44, &value, 1, &done) == 0);
    BOOST_TEST(value == 0x04000000u);
}

// While a bit enables it, a write stores its part of the word in each counter.
BOOST_AUTO_TEST_CASE(a_write_is_stored_in_each_counter_of_the_word) {
    Writable writable;
    Port port(writable.model());

    port.send(rx(64), 3);
    port.write(0x40, 0x12345678);
    BOOST_TEST(port.read(0x40) == 0x00000003u);
    port.write(0x00, 1u << 7);
    // 0x23 in bits 27 to 20, 0x5678 in bits 15 to 0; nothing stores the rest.
    port.write(0x40, 0x12345678);
    BOOST_TEST(port.read(0x40) == 0x02305678u);
    port.send(tx(64), 2);
    BOOST_TEST(port.read(0x40) == 0x02505678u);
}

BOOST_AUTO_TEST_CASE(an_address_finds_the_first_counter_of_its_word) {
    unsigned int word = 1;

    for (unsigned int near = 0; near < 5; near++) {
        BOOST_TEST(macstats__counter_near(&sharing_model, 0x40, near, &word) == 0);
        BOOST_TEST(macstats__counter_near(&sharing_model, 0x44, near, &word) == 2);
        BOOST_TEST(macstats__counter_near(&sharing_model, 0x48, near, &word) == 4);
        BOOST_TEST(macstats__counter_near(&sharing_model, 0x42, near, &word) == -1);
        BOOST_TEST(macstats__counter_near(&sharing_model, 0x4c, near, &word) == -1);
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(accumulator)

BOOST_AUTO_TEST_CASE(a_word_that_a_read_clears_is_read_once) {
    Polled port(sharing_model);
    std::vector<u32> read;

    port.acc.clear_looks = MACSTATS_CLEAR_LOOKS;
    port.bus.before_read = [&](u32 address) { read.push_back(address); };
    exchange(port);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(read == (std::vector<u32>{0x40, 0x44, 0x48}), boost::test_tools::per_element());
    BOOST_TEST(port.bus.bulk.size() == 1u);
    BOOST_TEST(port.totals() == exchanged, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(free_running_words_are_read_once_in_one_access) {
    FreeRunning free_running;
    Polled port(free_running.model());

    exchange(port);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.bus.reads == 3u);
    BOOST_TEST(port.bus.bulk == std::vector<unsigned int>{3}, boost::test_tools::per_element());
    BOOST_TEST(port.totals() == exchanged, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(each_counter_wraps_at_its_own_width) {
    FreeRunning free_running;

    for (const macstats_model* model : {&sharing_model, free_running.as_const()}) {
        Polled port(*model);

        for (unsigned int i = 0; i < 5; i++)
            port.preset(i, nearly_full[i]);
        exchange(port);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(port.totals() == exchanged, boost::test_tools::per_element());
        exchange(port);
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(
            port.totals() == (std::vector<u64>{6, 6, 6, 4, 600}), boost::test_tools::per_element());
        BOOST_TEST(port.acc.state.discontinuities == 0u);
        BOOST_TEST(!port.acc.state.possible_loss);
    }
}

// Before each read of a word, second reads included.
BOOST_AUTO_TEST_CASE(frames_that_come_while_words_are_read_are_counted_once) {
    FreeRunning free_running;

    for (const macstats_model* model : {&sharing_model, free_running.as_const()}) {
        Polled port(*model);
        u64 sent = 0;

        port.bus.before_read = [&](u32) {
            port.port.send(rx(100).bad());
            port.port.send(tx(100).bad());
            sent++;
        };
        for (int i = 0; i < 40; i++)
            BOOST_TEST(port.poll() == 0);
        port.bus.before_read = nullptr;
        BOOST_TEST(port.poll() == 0);
        BOOST_TEST(
            port.totals() == (std::vector<u64>{sent, sent, sent, sent, 100 * sent}),
            boost::test_tools::per_element());
        BOOST_TEST(port.acc.state.misfits == 0);
    }
}

// The first poll that finds counts reads their words once more: 0x44 for TX_BAD, and RX_BAD with
// it, of which 5 came in between.
BOOST_AUTO_TEST_CASE(a_second_read_adds_what_it_clears_in_each_counter_of_the_word) {
    Polled port(sharing_model);
    unsigned int of_0x44 = 0;

    port.bus.before_read = [&](u32 address) {
        if (address == 0x44 && ++of_0x44 == 2)
            port.port.send(rx(64).bad(), 5);
    };
    port.send(tx(64).bad(), 200);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(of_0x44 == 2u);
    BOOST_TEST(port.total("TX_BAD") == 200u);
    BOOST_TEST(port.total("RX_BAD") == 5u);
    BOOST_TEST(port.acc.state.misfits == 0);
}

// 200 frames: the second read finds them again.
BOOST_AUTO_TEST_CASE(a_shared_word_that_a_read_does_not_clear_is_reported) {
    FreeRunning real;
    Provided port(real.model());

    port.acc.model = &sharing_model;
    BOOST_TEST(port.start() == 0);
    port.port.send(tx(64).bad(), 200);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.events == MACSTATS_EVENT_MISFIT);
    BOOST_TEST(port.acc.state.misfit[MACSTATS_MISFIT_READ].reg == std::string("TX_FRAMES"));
    BOOST_TEST(port.acc.state.misfit[MACSTATS_MISFIT_READ].value == 200u);
    BOOST_TEST(port.total("TX_BAD") == 200u);
}

BOOST_AUTO_TEST_CASE(a_counter_that_the_hardware_lacks_gets_nothing_from_its_word) {
    for (const unsigned int lacking : {2u, 3u}) {
        Provided port(sharing_model);

        macstats_add_row(&port.acc.left_out, lacking);
        BOOST_TEST(port.start() == 0);
        for (int i = 0; i < 2; i++) {
            port.send(rx(64).bad(), 5);
            port.send(tx(64).bad(), 7);
            BOOST_TEST(port.poll() == 0);
        }
        BOOST_TEST(port.total("RX_BAD") == (lacking == 2 ? 0u : 10u));
        BOOST_TEST(port.total("TX_BAD") == (lacking == 3 ? 0u : 14u));
        BOOST_TEST(port.acc.state.misfits == 0);
    }
}

// Words are 0x40, 0x44 and 0x48: three, of five counters.
BOOST_AUTO_TEST_CASE(a_word_that_fails_is_counted_once) {
    macstats_fault_request request{
        .faults = MACSTATS_FAULT_BUS_ERROR_AT, .active = true, .during_read = false, .argument = 3};

    BOOST_TEST(macstats_fault_check(&sharing_model, &request) == -ERANGE);
    request.argument = 1;
    Polled port(sharing_model);
    port.port.fault(request);
    exchange(port);
    BOOST_TEST(port.poll() == -EIO);
    BOOST_TEST(
        port.totals() == (std::vector<u64>{3, 3, 0, 0, 0}), boost::test_tools::per_element());
    port.port.fault(MACSTATS_FAULT_BUS_ERROR_AT, false);
    BOOST_TEST(port.poll() == 0);
    BOOST_TEST(port.totals() == exchanged, boost::test_tools::per_element());
    BOOST_TEST(!port.acc.state.possible_loss);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(library)

BOOST_AUTO_TEST_CASE(a_name_is_a_counter_and_an_address_is_the_whole_word) {
    const auto name = macstats::find_place(sharing_model, "TX_BAD");
    const auto address = macstats::find_place(sharing_model, "0x44");

    BOOST_TEST(name->address == 0x44u);
    BOOST_TEST(name->bits == 8u);
    BOOST_TEST(name->counter == &sharing_counters[3]);
    BOOST_TEST(address->address == 0x44u);
    BOOST_TEST(address->bits == 32u);
    BOOST_TEST(address->counter == nullptr);
    BOOST_TEST(macstats::find_place(sharing_model, "0x48")->bits == 32u);
}

BOOST_AUTO_TEST_CASE(a_counter_is_read_and_written_by_its_name) {
    Writable writable;
    macstats::Device device(writable.model());
    const macstats::PortIndex port(0);
    const auto tx_frames = macstats::find_place(writable.model(), "TX_FRAMES");
    const auto rx_frames = macstats::find_place(writable.model(), "RX_FRAMES");

    BOOST_TEST(device.write(port, 0x00, 1u << 7).has_value());
    BOOST_TEST(device.write(port, 0x40, 0x12345678).has_value());
    BOOST_TEST(*device.read(port, *tx_frames) == 0x23u);
    BOOST_TEST(*device.read(port, *rx_frames) == 0x5678u);
    BOOST_TEST(device.write(port, *tx_frames, 0x9a).has_value());
    BOOST_TEST(*device.read(port, 0x40) == 0x09a00000u);
}

BOOST_AUTO_TEST_CASE(a_dump_has_a_word_once_and_each_of_its_counters) {
    FreeRunning free_running;
    const std::vector<macstats::DumpedWord> words = {
        {0x40, 0x00020001}, {0x44, 0x04000030}, {0x48, 5}};
    const auto dump = macstats::decode_dump(free_running.model(), words);
    std::vector<u64> values;

    for (const macstats::DecodedRegister& decoded : dump->registers)
        values.push_back(decoded.value);
    BOOST_TEST(values == (std::vector<u64>{1, 2, 3, 4, 5}), boost::test_tools::per_element());
    const macstats::CounterIndex absent[] = {macstats::CounterIndex(2)};
    BOOST_TEST(macstats::decode_dump(free_running.model(), words, absent)->registers.size() == 4u);
    BOOST_TEST(macstats::decode_dump(sharing_model, {})->skipped.size() == 5u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
