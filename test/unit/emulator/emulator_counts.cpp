// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// How frames are counted, whatever the model: in cells of the CPUs, once, all of them, also across
// the end of a sum. Which counters count a frame is compared with the slow references in
// reference.cpp.
#include "boost_test.hpp"
#include <boost/test/data/test_case.hpp>

#include <cstddef>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "effort.hpp"
#include "ll40g_datasheet.hpp"
#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_emulator_counts)

using namespace macstats::test;
using ll40g::equal;
using ll40g::read_all;
using ll40g::read_counter;
using ll40g::zero_but;

namespace {

const std::vector<const macstats_model*>
    models(macstats::all_models().begin(), macstats::all_models().end());

constexpr macstats_destination multicast = MACSTATS_MULTICAST;
constexpr macstats_destination broadcast = MACSTATS_BROADCAST;

void open_gate(Port& port) {
    const macstats_bit& gate = port.emulator().roles.gate;

    if (gate.mask)
        port.write(gate.offset, gate.mask);
}

} // namespace

BOOST_AUTO_TEST_SUITE(many)

BOOST_AUTO_TEST_CASE(two_to_the_63_less_one_frames_count_in_one_call) {
    constexpr u64 many = 0x7fffffffffffffff;

    for (bool at_once : {false, true}) {
        Port port(ll40g_model);

        if (at_once)
            port.send_at_once(rx(64), many);
        else
            port.send(rx(64), many);
        BOOST_TEST(read_counter(port, "CNTR_RX_64B") == many);
        BOOST_TEST(read_counter(port, "CNTR_RX_ST") == many);
        // 46 * (2^63 - 1) = 23 * 2^64 - 46.
        BOOST_TEST(read_counter(port, "RxOctetsOK") == 0u - u64{46});
    }
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

        for (unsigned int near = 0; near < n; near++)
            for (unsigned int i = 0; i < n; i++)
                for (unsigned int w = 0; w < macstats_words(model, &model->counters[i]); w++) {
                    const u32 offset = macstats_word_offset(model, &model->counters[i], w);
                    unsigned int word = ~0u;
                    const int found = macstats__counter_near(model, offset, near, &word);

                    if (macstats__is_windowed(model, &model->counters[i])) {
                        BOOST_TEST_REQUIRE(found == -1);
                        continue;
                    }
                    unsigned int first = i; // of those that share the word
                    while (macstats_shares_word(model, first))
                        first--;
                    BOOST_TEST_REQUIRE(found == static_cast<int>(first));
                    BOOST_TEST_REQUIRE(word == w);
                }
    }
}

BOOST_AUTO_TEST_CASE(counting_nothing_counts_nothing) {
    Port port(ll40g_model);

    port.send(rx(64), 0);
    port.send_at_once(rx(64).bad(), 0);
    BOOST_TEST(equal(read_all(port), zero_but(MACSTATS_RX, {})));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(cells)

namespace {

u64 class_of(const Port& port, const macstats_frame& frame) {
    return macstats_see(&port.emulator(), &frame).frame_class;
}

unsigned int cell_of(const Port& port, const macstats_frame& frame) {
    return macstats__find_cell(&port.emulator(), class_of(port, frame));
}

std::vector<u64> values_of(Port& port) {
    const macstats_cell_set cell_set = port.whole_set();
    std::vector<u64> values = {
        macstats__good_frames(&port.emulator(), &cell_set),
        macstats_line_octets(&port.emulator(), &cell_set)};

    for (unsigned int i = 0; i < macstats_register_counters(&port.model()); i++)
        values.push_back(macstats__live_value(&port.emulator(), &cell_set, i));
    return values;
}

} // namespace

// Frames of a class may differ in length alone: what they add up to in a cell is the sum of what
// each adds by itself, with any content of the registers.
BOOST_DATA_TEST_CASE(a_cell_counts_as_each_of_its_frames_does, models, model) {
    static constexpr u64 values[] = {0, 1, 7, 64, 100, 1518, 1522, 1536, 9000, 65535, 0xffffffff};
    Random random(seed_of(4));
    Port with_cells(*model, {.cell_set = 2});
    Port at_once(*model);

    for (unsigned int life = 0; life < (is_long() ? 400u : 100u); life++) {
        const u16 options = static_cast<u16>(random.next()) & model->options;
        Setup setup;

        if (random.one_in(2) && macstats_valid_options(model, options))
            setup = {.with = options, .without = static_cast<u16>(~options)};
        for (Port* port : {&with_cells, &at_once}) {
            port->power_up(setup);
            open_gate(*port);
        }
        for (unsigned int i = 0; i < 300; i++) {
            const Frame frame = with_descriptors(
                random, *model, random_frame(random, random.one_in(2) ? 1518 : 9600));
            const u64 count = random.one_in(50) ? random.next() >> random.between(0, 63) : 1;

            if (model->n_registers && random.one_in(50)) {
                const u32 offset = model->registers[random.below(model->n_registers)].offset;
                const u64 value = random.of(values);

                with_cells.try_write(offset, value);
                at_once.try_write(offset, value);
            }
            with_cells.send(frame, count, random.below(2));
            at_once.send_at_once(frame, count);
        }
        BOOST_TEST_REQUIRE(values_of(with_cells) == values_of(at_once));
    }
}

// The classes of all cells are different ones, and found again.
BOOST_DATA_TEST_CASE(each_class_has_a_cell_of_its_own, models, model) {
    Random random(seed_of(5));
    Port port(*model);

    open_gate(port);
    for (unsigned int i = 0; i < 2000; i++) {
        const Frame frame = random_frame(random);
        // Longer ones are counted at once: a counter does not count all of their octets.
        if (frame.length > port.emulator().frame_limit)
            continue;
        const u64 frame_class = class_of(port, frame);
        const unsigned int known = cell_of(port, frame);
        const u64 before =
            known < MACSTATS_CELLS ? port.whole_set().cpu_cells[0]->cells[known].frames : 0;

        // See macstats__find_cell().
        BOOST_TEST(static_cast<u32>(frame_class) != 0u);
        BOOST_TEST((frame_class >> 32) != 0u);
        port.send(frame, 5);
        const unsigned int cell = cell_of(port, frame);
        BOOST_TEST((known == MACSTATS_CELLS || known == cell));
        if (cell == MACSTATS_CELLS)
            continue;
        BOOST_TEST(port.emulator().classes[cell] == frame_class);
        BOOST_TEST(port.whole_set().cpu_cells[0]->cells[cell].frames - before == 5u);
    }
    std::set<u64> classes(std::begin(port.emulator().classes), std::end(port.emulator().classes));
    classes.erase(0);
    BOOST_TEST(classes.size() == port.emulator().cells);
    BOOST_TEST(classes.size() > MACSTATS_CELLS / 2);
}

// Frames with events take no more than half of the cells: traffic still gets one for each class.
BOOST_AUTO_TEST_CASE(cells_are_left_for_most_traffic) {
    Port port(ll40g_model);
    Random random(seed_of(6));

    for (unsigned int i = 0; i < 5000; i++) {
        Frame frame = random_frame(random);
        frame.errors |= MACSTATS_ERR_FCS;
        port.send(frame, 1);
    }
    BOOST_TEST(port.emulator().cells == MACSTATS_CELLS / 2);
    for (const u32 length : {64u, 65u, 128u, 256u, 512u, 1024u, 1519u})
        for (const Frame& frame :
             {rx(length), tx(length), rx(length).to(MACSTATS_MULTICAST),
              rx(length).to(MACSTATS_BROADCAST)}) {
            port.send(frame, 1);
            BOOST_TEST(cell_of(port, frame) < MACSTATS_CELLS);
        }
}

// Counts so large that the octets of a cell wrap: 64 octets are below any frame limit.
BOOST_AUTO_TEST_CASE(octets_that_go_round_in_a_cell_are_not_cut) {
    constexpr u64 most = 0xffffffff;
    constexpr u64 times = 262'200;
    Port with_cells(ixf1104_model);
    Port at_once(ixf1104_model);

    for (u64 i = 0; i < times; i++)
        with_cells.send(rx(64).bad(), most);
    at_once.send_at_once(rx(64).bad(), most * times);
    BOOST_TEST(values_of(with_cells) == values_of(at_once));
}

// What the key of a class and the search for its cell rely on.
static_assert(MACSTATS_ERR_ALL < 1 << 12 && MACSTATS_ATTEMPT_LIMIT + 1 < 1 << 5);
static_assert(MACSTATS_MAX_EDGES + 1 <= 1 << 4 && MACSTATS_FRAME_MAX < 1 << MACSTATS_OCTAVES);
static_assert(MACSTATS_CELLS <= 256 && (MACSTATS_CELLS & (MACSTATS_CELLS - 1)) == 0);

BOOST_AUTO_TEST_CASE(frames_that_anything_in_a_row_tells_apart_are_of_different_classes) {
    Copy copy(errors_model);
    copy.model().options = MACSTATS_OPT_STATISTICS | MACSTATS_OPT_HALF_DUPLEX;
    Port port(copy.model(), {.with = MACSTATS_OPT_HALF_DUPLEX});
    std::vector<Frame> frames = {rx(64), tx(64), tx(63), tx(64).late_start(), mac_pause()};
    std::set<u64> classes;

    for (const auto to : {multicast, broadcast})
        frames.push_back(tx(64).to(to));
    for (const auto kind : {MACSTATS_CONTROL, MACSTATS_PAUSE, MACSTATS_PFC})
        frames.push_back(tx(64).as(kind));
    for (const u8 tags : {u8{1}, u8{2}})
        frames.push_back(tx(64).tagged(tags));
    for (unsigned int collisions = 1; collisions <= 16; collisions++)
        for (const u32 length : {63u, 64u})
            frames.push_back(tx(length).collided(collisions));
    for (unsigned int bit = 1; bit < MACSTATS_ERR_ALL; bit <<= 1)
        if (bit != MACSTATS_ERR_EXCESSIVE_COLLISIONS) // as after 16 of them
            frames.push_back(tx(64).with(bit));
    for (const Frame& frame : frames)
        BOOST_TEST(classes.insert(class_of(port, frame)).second, frame);
    BOOST_TEST(class_of(port, tx(64).by(MACSTATS_BY_MAC)) == class_of(port, tx(64)));
}

// A MAC consumes pause and PFC frames, and drops bad and overlong ones: 9600 octets here. Behind a
// tag, it finds no flow control.
BOOST_AUTO_TEST_CASE(the_host_gets_good_frames_that_are_no_flow_control) {
    Port port(ll40g_model);

    for (const Frame& frame :
         {rx(64), rx(9600), rx(64).to(broadcast), rx(64).as(MACSTATS_CONTROL),
          rx(68).as(MACSTATS_PAUSE).tagged(), rx(64).with(MACSTATS_ERR_PAYLOAD_LENGTH)})
        BOOST_TEST(macstats_is_for_host(class_of(port, frame)), frame);
    for (const Frame& frame : {rx(9601), rx(64).as(MACSTATS_PAUSE), rx(64).as(MACSTATS_PFC)})
        BOOST_TEST(!macstats_is_for_host(class_of(port, frame)), frame);
    for (unsigned int bit = 1; bit < MACSTATS_ERR_ALL; bit <<= 1)
        if (bit != MACSTATS_ERR_PAYLOAD_LENGTH)
            BOOST_TEST(!macstats_is_for_host(class_of(port, rx(64).with(bit))), bit);
}

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
        cpu_cells.cells[cell_of(port, rx(64))] = {0, one.octets, one.payload, 0};
        cpu_cells.additions++;
        BOOST_TEST(port.read("RxOctets") == one.octets);
        BOOST_TEST(port.read("RxFrames") == one.payload);
    }
}

BOOST_AUTO_TEST_CASE(both_ways_of_finding_a_size_class_agree_at_every_length) {
    const macstats_sizes lists[] = {
        {MACSTATS_RMON_EDGES, 0},
        {MACSTATS_RMON_EDGES, 1u << 6},
        {{64, 65, 66, 67, 68, 127, 128, 1024, 1519, 1521, 1523, 1525}, 0xffe},
        {{1, 2, 3, 64, 127, 4096, 32768, 40000, 65535}, 0},
        {{1518, 65531}, 3},
        {{0}, 0},
    };

    for (const macstats_sizes& sizes : lists) {
        Copy copy(clearing_model);
        copy.model().sizes = sizes;
        Port port(copy.model());

        for (bool tagged : {false, true}) {
            u32 wrong = 0;

            for (u32 length = 1; length <= MACSTATS_FRAME_MAX; length++)
                wrong += macstats__size_index(&port.emulator(), length, tagged) !=
                         macstats__size_class(&sizes, length, tagged);
            BOOST_TEST(wrong == 0u);
        }
    }
}

// Settings that are the same are not published again.
BOOST_AUTO_TEST_CASE(settings_that_differ_in_any_field_are_not_the_same) {
    const macstats_settings settings = MACSTATS_NO_SETTINGS;
    const auto differs = [&](auto change) {
        macstats_settings other = settings;

        change(other);
        return !macstats__same_settings(&settings, &other);
    };

    BOOST_TEST(!differs([](macstats_settings&) {}));
    BOOST_TEST(differs([](macstats_settings& other) { other.max_frame_rx = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.max_frame_tx = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.max_frame_set = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.tx_config = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.attempts = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.options = 1; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.counting = true; }));
    BOOST_TEST(differs([](macstats_settings& other) { other.flow_control = true; }));
}

// The sums of a block are taken cell by cell; those of one counter must be the same.
BOOST_AUTO_TEST_CASE(the_sum_of_a_block_is_that_of_its_counters_even_after_a_roll_over) {
    constexpr u64 many = 0x7fffffffffffffff;
    Port port(ll40g_model);

    // 2^64 frames in one cell: as many as none, but not so their octets, which are
    // (2^63 - 1) * (47 + 109) + 2 * 47 = 78 * 2^64 - 62.
    port.send(rx(65), 0);
    for (const auto& [count, length] : {std::pair{many, 65u}, {many, 127u}, {u64{2}, 65u}}) {
        const macstats_sums each{1, length, length - 18, length + 20};
        macstats__cell_add(port.whole_set().cpu_cells[0], cell_of(port, rx(length)), &each, count);
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
