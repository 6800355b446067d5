// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// No loop over the tables of a model goes beyond their ends: a port whose tables have one more
// row in memory than the model states behaves as one without.
#include "boost_test.hpp"

#include <cstddef>
#include <cstring>
#include <vector>

#include "models.hpp"
#include "synthetic.hpp"

BOOST_AUTO_TEST_SUITE(unit_table_ends)

using namespace macstats::test;

namespace {

constexpr u8 poison = 0xa5;
constexpr u32 beyond = 0xfff0; // no register of any model

// The tables of a model with one more row each, which does something wherever it is looked at.
struct Longer {
    Longer(const macstats_model& of, unsigned int guarded_register)
        : model(of),
          counters(of.counters, of.counters + of.n_counters),
          registers(of.registers, of.registers + of.n_registers),
          descriptor(of) {
        macstats_register more{};
        macstats_field field{};
        macstats_status status{};

        counters.push_back(counters[0]);
        counters.back().block = static_cast<u8>(guarded_register % of.n_blocks);
        for (macstats_when& when : counters.back().when)
            when = {};
        counters.back().when[0].direction = MACSTATS_RX | MACSTATS_TX;
        more.name = "MORE";
        more.offset = beyond;
        more.access = MACSTATS_RW;
        more.reset = 0x5a;
        more.roles = ~0u;
        registers.push_back(more);
        // Behind the fields of a register, that of 0 bits which ends them.
        field.name = "more";
        field.bits = 31;
        field.access = MACSTATS_RO;
        field.roles = ~0u;
        macstats_register& guarded = registers[guarded_register];
        const unsigned int end = macstats_field_count(&guarded);
        if (end + 1 < MACSTATS_MAX_FIELDS)
            guarded.fields[end + 1] = field;
        status.name = "more";
        status.bits = 31;
        status.collisions = true;
        status.octets = true;
        descriptor.tx.push_back(status);
        descriptor.rx.push_back(status);
        if (model.n_blocks < MACSTATS_MAX_BLOCKS) {
            model.blocks[model.n_blocks].name = "more";
            model.blocks[model.n_blocks].option = model.blocks[0].option;
        }
        model.counters = counters.data();
        model.registers = registers.data();
        model.descriptor = &descriptor;
    }

    macstats_model model;
    std::vector<macstats_counter> counters;
    std::vector<macstats_register> registers;
    DescriptorCopy descriptor;
};

template <typename T>
void poison_row(T* array, std::size_t row) {
    std::memset(array + row, poison, sizeof *array);
}

template <typename T>
bool is_poisoned(const T* array, std::size_t row) {
    T expected;

    std::memset(&expected, poison, sizeof expected);
    return !std::memcmp(array + row, &expected, sizeof expected);
}

// A port and its accumulator, and all that a random life of them shows.
class Life {
public:
    Life(const macstats_model& model, const macstats_model& stated, u64 seed)
        : stated_(stated),
          port_(model, setup(seed)),
          random_(seed) {
        for_each_row([](auto* array, std::size_t row) { poison_row(array, row); });
        port_.port.power_up(setup(seed));
        note(static_cast<u64>(port_.start()));
        port_.bus.before_read = [this](u32 address) { note(address); };
        port_.bus.before_write = [this](u32 address) { note(address); };
    }

    void run(unsigned int steps) {
        while (steps--)
            step();
        for (const u64 total : port_.totals())
            note(total);
        for (unsigned int id = 0; id < MACSTATS_STD_COUNT; id++)
            note(port_.standard()[id]);
        for_each_row([this](auto* array, std::size_t row) {
            all_poisoned_ = all_poisoned_ && is_poisoned(array, row);
        });
    }

    const std::vector<u64>& seen() const { return seen_; }
    bool stayed_inside() const { return all_poisoned_; }

private:
    static Setup setup(u64 seed) { return {.random = seed % 2 == 0, .seed = seed}; }

    template <typename F>
    void for_each_row(F use) {
        macstats_emulator& emu = port_.port.emulator();
        macstats_accumulator& acc = port_.acc;
        const std::size_t n = stated_.n_counters;

        use(emu.counters, n);
        use(acc.counters, n);
        use(emu.registers, stated_.n_registers);
    }

    void note(u64 what) { seen_.push_back(what); }

    u32 some_address() {
        switch (random_.below(8)) {
        case 0:
            return beyond;
        case 1:
        case 2:
        case 3:
            return stated_.counters[random_.below(stated_.n_counters)].offset;
        default:
            return stated_.registers[random_.below(stated_.n_registers)].offset;
        }
    }

    void fault() {
        const macstats_fault_request request{
            .faults = 1u << random_.below(32),
            .active = random_.one_in(2),
            .during_read = random_.one_in(4),
            .argument = random_.below(4)};
        const int err = macstats_fault_check(&port_.port.model(), &request);

        note(static_cast<u64>(err));
        if (!err)
            port_.port.fault(request);
    }

    void step() {
        u64 value = random_.one_in(2) ? ~u64{0} : random_.next();

        switch (random_.below(8)) {
        case 0:
            note(static_cast<u64>(port_.port.try_read(some_address(), value)));
            note(value);
            break;
        case 1:
            note(static_cast<u64>(port_.port.try_write(some_address(), value)));
            break;
        case 2:
            fault();
            break;
        case 3:
            port_.preset(random_.below(stated_.n_counters), value);
            break;
        case 4:
        case 5:
            note(static_cast<u64>(port_.poll()));
            note(port_.events);
            break;
        default:
            port_.send(
                with_descriptors(random_, stated_, random_frame(random_)), random_.below(1000));
        }
    }

    const macstats_model& stated_;
    Provided port_;
    Random random_;
    std::vector<u64> seen_;
    bool all_poisoned_ = true;
};

} // namespace

BOOST_AUTO_TEST_SUITE(table_ends)

BOOST_AUTO_TEST_CASE(a_row_beyond_the_end_of_a_table_is_never_used) {
    const auto shipped = macstats::all_models();
    std::vector<const macstats_model*> models(shipped.begin(), shipped.end());
    // Words of the schema that no shipped model uses.
    models.insert(
        models.end(), {&wide_model, &latching_model, &switched_model, &settings_model,
                       &increment_model, &enabled_model});

    for (const macstats_model* model : models)
        for (unsigned int i = 0; i < model->n_registers; i++) {
            Longer longer(*model, i);
            Life life(*model, *model, i);
            Life other(longer.model, *model, i);

            life.run(200);
            other.run(200);
            BOOST_TEST_CONTEXT(model->name << ", register " << model->registers[i].name) {
                BOOST_TEST(life.stayed_inside());
                BOOST_TEST(other.stayed_inside());
                BOOST_TEST((life.seen() == other.seen()));
            }
        }
}

BOOST_AUTO_TEST_CASE(a_row_beyond_the_end_builds_and_takes_nothing) {
    macstats_model model = clearing_model;

    model.blocks[1].option = MACSTATS_OPT_RX_STATISTICS;
    BOOST_TEST(macstats_statistics_options(&model) == +MACSTATS_OPT_STATISTICS);
    BOOST_TEST(macstats__unbuilt_blocks(&model, MACSTATS_OPT_STATISTICS) == 0u);
    BOOST_TEST(macstats__unbuilt_blocks(&model, MACSTATS_OPT_RX_STATISTICS) == 1u);
    // Counters of 32 bits, and one of 4 behind them: each of its kinds would have to be read often.
    for (const macstats_overflow overflow : {MACSTATS_ROLLOVER, MACSTATS_SATURATE}) {
        std::vector<macstats_counter> counters(
            clearing_model.counters, clearing_model.counters + clearing_model.n_counters);
        macstats_model longer = clearing_model;
        const u64 rate = longer.line_rate_bps;

        counters.push_back(counters[1]);
        counters.back().bits = 4;
        counters.back().overflow = static_cast<u8>(overflow);
        longer.counters = counters.data();
        BOOST_TEST(
            macstats_poll_ceiling_usecs(&longer, rate) ==
            macstats_poll_ceiling_usecs(&clearing_model, rate));
        BOOST_TEST(
            macstats__shortest_wrap_usecs(&longer, rate) ==
            macstats__shortest_wrap_usecs(&clearing_model, rate));
    }
    model.reserved[1] = {0x80, 0x8f, MACSTATS_READS_ZERO};
    BOOST_TEST(macstats_reserved_at(&model, 0x22) == 0);
    BOOST_TEST(macstats_reserved_at(&model, 0x80) == -1);
    model.regions[0] = {"low", 0x00, 0x2f};
    model.regions[1] = {"high", 0x30, 0x3f};
    model.n_regions = 1;
    BOOST_TEST(macstats_region_at(&model, 0x2f) == 0);
    BOOST_TEST(macstats_region_at(&model, 0x30) == -1);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
