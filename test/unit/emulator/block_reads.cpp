// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A block of words reads as its words do one by one: same values, same error at the same word, and
// both ports go on alike. For every model, in random order with traffic, writes and faults.
#include "boost_test.hpp"

#include <array>
#include <cerrno>
#include <ostream>
#include <string>
#include <vector>

#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_block_reads)

using namespace macstats::test;

namespace {

constexpr unsigned int steps = 2000;
constexpr unsigned int most_words = 40;

std::vector<const macstats_model*> shipped_and_made_up() {
    const auto shipped = macstats::all_models();
    std::vector<const macstats_model*> models(shipped.begin(), shipped.end());

    models.insert(
        models.end(), {&clearing_model, &decrement_model, &wide_model, &latching_model,
                       &rereading_model, &sharing_model});
    return models;
}

struct Read {
    int err = 0;
    std::vector<u64> values;

    bool operator==(const Read&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Read& read) {
    out << "error " << read.err << ", values";
    for (const u64 value : read.values)
        out << ' ' << std::hex << value << std::dec;
    return out;
}

Read read_words(Port& port, u32 offset, unsigned int words) {
    Read read;

    for (unsigned int i = 0; i < words && !read.err; i++) {
        u64 value = 0;

        read.err = port.try_read(offset + i * macstats_word_step(&port.model()), value);
        if (!read.err)
            read.values.push_back(value);
    }
    return read;
}

Read read_block(Port& port, u32 offset, unsigned int words) {
    std::array<u64, most_words> values{};
    const macstats_cell_set cell_set = port.whole_set();
    unsigned int done = 0;
    Read read;

    read.err = macstats_emulator_read_block(
        &port.emulator(), &cell_set, offset, values.data(), words, &done);
    BOOST_REQUIRE(done <= words);
    read.values.assign(values.begin(), values.begin() + done);
    return read;
}

// Two ports go through the same traffic, writes and faults.
class Pair {
public:
    Pair(const macstats_model& model, u64 seed)
        : random_(seed),
          setup_{.cell_set = 2, .random = true, .seed = seed},
          words_(model, setup_),
          blocks_(model, setup_) {}

    void step() {
        const macstats_model& model = words_.model();

        switch (random_.below(8)) {
        case 0:
            fault();
            break;
        case 1: {
            const u32 offset =
                model.n_registers ? model.registers[random_.below(model.n_registers)].offset : 0;
            const u64 value = random_.below(2) ? ~u64{0} : random_.below(1u << 31);
            BOOST_TEST(words_.try_write(offset, value) == blocks_.try_write(offset, value));
            break;
        }
        case 2:
        case 3: {
            const macstats_frame frame = random_frame(random_);
            const u64 count = 1 + random_.below(1000000);
            const auto cpu = static_cast<unsigned int>(random_.below(2));
            words_.send(frame, count, cpu);
            blocks_.send(frame, count, cpu);
            break;
        }
        default: {
            const macstats_counter& row = model.counters[random_.below(model.n_counters)];
            // Also from the middle of a counter, and on behind the last one.
            const u32 offset =
                row.offset + static_cast<u32>(random_.below(2)) * macstats_word_step(&model);
            const auto words = static_cast<unsigned int>(1 + random_.below(most_words));
            BOOST_TEST(
                read_block(blocks_, offset, words) == read_words(words_, offset, words),
                words << " words at " << offset);
        }
        }
    }

private:
    // Half of them end all faults, so that reads without faults are not rare.
    void fault() {
        const u32 supported = macstats_supported_faults(&words_.model());
        macstats_fault_request request{
            .faults = 1u << random_.below(14), .active = true, .during_read = false, .argument = 0};

        if (random_.below(2)) {
            request.faults = supported & ~u32{MACSTATS_FAULT_RESET};
            request.active = false;
        } else if (request.faults & MACSTATS_FAULT_BUS_ERROR_AT) {
            request.argument =
                static_cast<u32>(random_.below(macstats_counter_words(&words_.model())));
        } else if (request.faults & MACSTATS_FAULT_SLOW_BUS) {
            request.argument = 1;
        } else if (request.faults & MACSTATS_FAULTS_DURING_READ) {
            request.during_read = random_.below(2);
        }
        if (!macstats_fault_check(&words_.model(), &request)) {
            words_.fault(request);
            blocks_.fault(request);
        }
    }

    Random random_;
    Setup setup_;
    Port words_;
    Port blocks_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(block_reads)

BOOST_AUTO_TEST_CASE(a_block_reads_as_its_words_do_one_by_one) {
    for (const macstats_model* model : shipped_and_made_up()) {
        const u64 seed = seed_of(1);

        BOOST_TEST_CONTEXT(model->name << ", seed " << seed) {
            Pair pair(*model, seed);
            for (unsigned int i = 0; i < steps; i++)
                pair.step();
        }
    }
}

// The words that a failed block has read are known, and a read has cleared their counters.
BOOST_AUTO_TEST_CASE(a_failed_block_has_cleared_no_more_than_it_returns) {
    Port port(clearing_model);
    const u32 first = clearing_model.counters[0].offset;

    port.preset(0, 100);
    port.preset(1, 101);
    port.fault(
        {.faults = MACSTATS_FAULT_BUS_ERROR_AT,
         .active = true,
         .during_read = false,
         .argument = 1});
    BOOST_TEST(read_block(port, first, 2) == (Read{-EIO, {100}}));
    port.fault(MACSTATS_FAULT_BUS_ERROR_AT, false);
    BOOST_TEST(read_block(port, first, 2) == (Read{0, {0, 101}}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
