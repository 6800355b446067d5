// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The emulator against the reference model of ../reference, which was written from
// the datasheet alone: the same random frames and register accesses into both, and
// every read compared. Then the other way round: would a wrong row be noticed?
#define BOOST_TEST_DYN_LINK
#define BOOST_TEST_MODULE reference
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <macstats/model/ll40g.h>

#include "../reference/ll40g_reference.hpp"
#include "ll40g_datasheet.hpp"

using namespace macstats::test;

namespace {

// One emulated port and one reference, driven alike.
class Pair {
public:
    Pair(
        const macstats_model& model, const Setup& setup, const Ll40gReference::Build& build,
        u64 seed)
        : random_(seed),
          port_(model, setup),
          reference_(build) {}

    // What differed first in `steps` steps, if anything.
    std::optional<std::string> run(unsigned int steps) {
        for (unsigned int step = 0; step < steps; step++) {
            std::optional<std::string> difference = one_step();

            if (!difference && step % 64 == 0)
                difference = compare_counters();
            if (difference)
                return "step " + std::to_string(step) + ": " + *difference;
        }
        return compare_counters();
    }

private:
    std::optional<std::string> one_step() {
        switch (random_.below(16)) {
        case 0:
            return compare_read(any_address());
        case 1:
            return compare_write(any_address(), static_cast<u32>(random_.next()));
        case 2:
            // Commands, a snapshot, a release; with and without bits that only store.
            return compare_write(
                random_.one_in(2) ? 0x845 : 0x945,
                random_.one_in(4) ? static_cast<u32>(random_.next()) : random_.below(8));
        case 3:
            return random_.one_in(4) ? set_max_size() : compare_read(any_address());
        case 4:
            if (random_.one_in(8)) {
                port_.fault(MACSTATS_FAULT_PARITY_ERROR);
                reference_.parity_error();
            }
            return compare_read(random_.one_in(2) ? 0x846 : 0x946);
        default:
            send();
            return std::nullopt;
        }
    }

    void send() {
        const Frame frame = random_frame(random_, max_size_);
        const u64 count = random_.one_in(8) ? random_.next() : random_.below(1000);

        port_.send(frame, count);
        reference_.send(frame, count);
    }

    std::optional<std::string> set_max_size() {
        static constexpr u32 sizes[] = {9600, 9600, 1518, 1519, 1522, 65535, 63, 64, 100, 0};

        max_size_ =
            random_.one_in(2) ? sizes[random_.below(std::size(sizes))] : random_.below(12000);
        for (u32 address : {ll40g::max_tx_size, ll40g::max_rx_size})
            if (auto difference = compare_write(address, max_size_))
                return difference;
        return std::nullopt;
    }

    // Mostly one that means something.
    u32 any_address() {
        switch (random_.below(4)) {
        case 0:
            return random_.below(0x1000);
        case 1:
            return 0x840 + random_.below(8);
        case 2:
            return 0x940 + random_.below(8);
        default:
            return 0x800 + random_.below(0x200);
        }
    }

    std::optional<std::string> compare_read(u32 address) {
        const std::optional<std::uint32_t> expected = reference_.read(address);
        u64 value = 0;
        const int err = port_.try_read(address, value);

        if (err == (expected ? 0 : -ENXIO) && (!expected || value == *expected))
            return std::nullopt;
        std::ostringstream out;
        out << "read of 0x" << std::hex << address << ": ";
        if (err)
            out << "error " << std::dec << err;
        else
            out << "0x" << value;
        out << ", expected " << std::hex;
        if (expected)
            out << "0x" << *expected;
        else
            out << "no answer";
        return out.str();
    }

    std::optional<std::string> compare_write(u32 address, u32 value) {
        const bool expected = reference_.write(address, value);

        if (port_.try_write(address, value) == (expected ? 0 : -ENXIO))
            return std::nullopt;
        std::ostringstream out;
        out << "write to 0x" << std::hex << address;
        return out.str();
    }

    std::optional<std::string> compare_counters() {
        for (const ll40g::CounterAt& counter : ll40g::counters) {
            const u64 actual = port_.pair(counter.low);
            const u64 expected = reference_.counter(counter.name);

            if (actual != expected)
                return std::string(counter.name) + " is " + std::to_string(actual) + ", expected " +
                       std::to_string(expected);
        }
        return std::nullopt;
    }

    Random random_;
    Port port_;
    Ll40gReference reference_;
    u32 max_size_ = 9600;
};

struct Kind {
    std::string_view what;
    Setup setup;
    Ll40gReference::Build build;
};

const Kind kinds[] = {
    {"as it is", {.lanes = 3}, {}},
    {"as the released core", {.lanes = 3, .with = MACSTATS_OPT_VARIANT}, {.as_released = true}},
    {"without VLAN detection",
     {.lanes = 3, .without = MACSTATS_OPT_VLAN_DETECTION},
     {.vlan_detection = false}},
    {"without statistics", {.lanes = 3, .without = MACSTATS_OPT_STATISTICS}, {.statistics = false}},
};

// A copy of the model with one thing changed in one row.
class Mutant {
public:
    Mutant() : rows_(ll40g_model.counters, ll40g_model.counters + ll40g_model.n_counters) {}
    Mutant(const Mutant&) = delete;
    Mutant& operator=(const Mutant&) = delete;

    macstats_counter& row(unsigned int i) { return rows_[i]; }
    const macstats_model& model() {
        model_.counters = rows_.data();
        return model_;
    }

private:
    std::vector<macstats_counter> rows_;
    macstats_model model_ = ll40g_model;
};

// A mask with one bit of its domain turned over; 0 stands for all of them. Nothing if
// that leaves no bit, as no mask can say so.
template <typename Mask>
std::optional<Mask> turned(Mask mask, unsigned int domain, unsigned int bit) {
    const unsigned int all = mask ? mask : domain;
    const unsigned int other = all ^ bit;

    if (!other)
        return std::nullopt;
    return static_cast<Mask>(other == domain ? 0 : other);
}

// Most are noticed within some dozens of steps; a class that is met rarely takes more.
bool is_noticed(const macstats_model& model) {
    for (unsigned int steps : {4000u, 40000u})
        for (const Kind& kind : {kinds[0], kinds[1]})
            if (Pair(model, kind.setup, kind.build, steps).run(steps))
                return true;
    return false;
}

// A transmitter pads: a row about shorter frames never counts, whatever else it says.
bool never_counts(const macstats_counter& row) {
    return row.when[0].direction == MACSTATS_TX && row.when[0].size == MACSTATS_SIZE_UNDER_64;
}

// Is it all the same whether alternative `w` of a row has `bit` in that mask?
bool makes_no_difference(
    const macstats_when& when, unsigned int w, u8 macstats_when::*mask, unsigned int bit) {
    // A tagged control frame is data: there is none to count or not.
    if (mask == &macstats_when::tags && when.kind && !(when.kind & MACSTATS_DATA))
        return bit != MACSTATS_UNTAGGED;
    // The second alternative of CRCERR adds the frames over the maximum, that of PAUSE
    // those of PFC: all others are in the first one already.
    if (w == 1 && mask == &macstats_when::excess && when.excess == MACSTATS_OVER_MAX)
        return true;
    return w == 1 && mask == &macstats_when::kind && when.kind == MACSTATS_PFC &&
           bit == MACSTATS_PAUSE;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_emulator_reads_as_the_reference_does) {
    for (const Kind& kind : kinds) {
        BOOST_TEST_CONTEXT(kind.what) {
            // Four times as long for what most devices are.
            for (u64 seed = 1; seed <= (&kind == kinds ? 4 : 1); seed++) {
                const auto difference = Pair(ll40g_model, kind.setup, kind.build, seed).run(50000);

                BOOST_TEST(!difference.has_value(), difference.value_or(""));
            }
        }
    }
}

BOOST_AUTO_TEST_SUITE(wrong_models)

BOOST_AUTO_TEST_CASE(a_row_with_one_class_more_or_less_is_noticed) {
    const struct {
        const char* member;
        unsigned int domain;
        u8 macstats_when::*mask;
    } members[] = {
        {"destination", 7, &macstats_when::destination},
        {"kind", 15, &macstats_when::kind},
        {"tags", 7, &macstats_when::tags},
        {"excess", 3, &macstats_when::excess},
    };

    for (unsigned int i = 0; i < ll40g_model.n_counters; i++) {
        if (never_counts(ll40g_model.counters[i]))
            continue;
        for (unsigned int w = 0; ll40g_model.counters[i].when[w].direction; w++) {
            for (const auto& member : members) {
                for (unsigned int bit = 1; bit < member.domain; bit <<= 1) {
                    Mutant mutant;
                    macstats_when& when = mutant.row(i).when[w];
                    u8& mask = when.*member.mask;
                    const auto other = turned(mask, member.domain, bit);

                    if (!other || makes_no_difference(when, w, member.mask, bit))
                        continue;
                    mask = *other;
                    BOOST_TEST(
                        is_noticed(mutant.model()), ll40g_model.counters[i].name
                                                        << " alternative " << w << " with other "
                                                        << member.member << ": " << +mask);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_row_with_one_size_class_more_or_less_is_noticed) {
    for (unsigned int i = 0; i < ll40g_model.n_counters; i++) {
        for (unsigned int w = 0; ll40g_model.counters[i].when[w].direction; w++) {
            for (unsigned int bit = 1; bit < 0x100; bit <<= 1) {
                Mutant mutant;
                macstats_when& when = mutant.row(i).when[w];
                const auto other = turned(when.size, 0xff, bit);

                // Nothing of less than 64 octets is transmitted.
                if (!other || (when.direction == MACSTATS_TX && bit == MACSTATS_SIZE_UNDER_64))
                    continue;
                when.size = *other;
                BOOST_TEST(
                    is_noticed(mutant.model()), ll40g_model.counters[i].name
                                                    << " alternative " << w
                                                    << " with other sizes: " << when.size);
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_row_with_other_errors_is_noticed) {
    for (unsigned int i = 0; i < ll40g_model.n_counters; i++) {
        if (never_counts(ll40g_model.counters[i]))
            continue;
        for (unsigned int w = 0; ll40g_model.counters[i].when[w].direction; w++) {
            for (u16 error : {MACSTATS_ERR_FCS, MACSTATS_ERR_PAYLOAD_LENGTH}) {
                for (u16 macstats_when::*mask :
                     {&macstats_when::errors, &macstats_when::no_errors}) {
                    Mutant mutant;

                    mutant.row(i).when[w].*mask ^= error;
                    BOOST_TEST(
                        is_noticed(mutant.model()), ll40g_model.counters[i].name
                                                        << " alternative " << w << " with error "
                                                        << error);
                }
            }
        }
    }
}

BOOST_AUTO_TEST_CASE(a_row_of_the_other_direction_block_or_unit_is_noticed) {
    for (unsigned int i = 0; i < ll40g_model.n_counters; i++) {
        const char* name = ll40g_model.counters[i].name;

        {
            Mutant mutant;
            u8& direction = mutant.row(i).when[0].direction;

            direction = static_cast<u8>(direction ^ (MACSTATS_RX | MACSTATS_TX));
            BOOST_TEST(is_noticed(mutant.model()), name);
        }
        if (never_counts(ll40g_model.counters[i]))
            continue;
        {
            Mutant mutant;

            mutant.row(i).block ^= 1;
            BOOST_TEST(is_noticed(mutant.model()), name);
        }
        {
            Mutant mutant;

            mutant.row(i).unit = MACSTATS_OCTETS;
            BOOST_TEST(is_noticed(mutant.model()), name);
        }
        {
            Mutant mutant;

            mutant.row(i).bits = 63;
            BOOST_TEST(is_noticed(mutant.model()), name);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_model_with_other_settings_is_noticed) {
    macstats_model overhead = ll40g_model;
    macstats_model control = ll40g_model;
    macstats_model shortest = ll40g_model;
    macstats_model padding = ll40g_model;
    macstats_model parity = ll40g_model;
    macstats_model edge = ll40g_model;

    overhead.data_overhead = 14;
    control.control_overhead = 18;
    shortest.tx_shortest = 8;
    padding.tx_pad_to = 60;
    parity.blocks[0].clear_clears_parity = false;
    edge.sizes.edge[6] = 1523;
    for (const macstats_model* model : {&overhead, &control, &shortest, &padding, &parity, &edge})
        BOOST_TEST(is_noticed(*model));
}

BOOST_AUTO_TEST_SUITE_END()
