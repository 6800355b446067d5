// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A World's state as a string: all that a later step depends on, and nothing else.
//
// The number of states is finite, and small, because:
// * A state has no totals: the events that no total has yet are enough, and the accumulator only
//   ever adds to a total. Twice as many events as a counter has values are like once as many.
// * Times are whole events, and end where any counter may have wrapped.
#ifndef MACSTATS_TEST_EVERY_STATE_STATE_HPP
#define MACSTATS_TEST_EVERY_STATE_STATE_HPP

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

#include "world.hpp"

namespace macstats::test::every_state {

// Removes from a World what no later step depends on: the time of day, and all numbers from where
// on more of the same changes nothing.
class Normaliser {
public:
    explicit Normaliser(World& world)
        : world_(world),
          acc_(world.acc),
          full_ns_(static_cast<u64>(world.span + 2) * event_ns) {}

    void run() {
        times();
        reports();
        macstats__begin_read(&acc_);
        world_.emu.random = 1;
        world_.emu.other_good = 0;
        world_.emu.other_line = 0;
        for (unsigned int i = 0; i < world_.kind.counters; i++)
            counter(i);
        account();
        world_.now_ns = begin_ns;
    }

private:
    void times() {
        const u64 late_ns = acc_.max_gap_usecs * 1000 + 1000;
        u64 unpolled_ns = macstats__unpolled_ns(&acc_, world_.now_ns);

        macstats__line_passes(&acc_, world_.now_ns);
        // Sums of times, each rounded up, are those of whole events again.
        acc_.line_octets =
            std::min(acc_.line_octets, full_ns_ / 8000) / event_octets * event_octets;
        if (!world_.kind.bound)
            acc_.line_octets = 0;
        acc_.line_ns = begin_ns;
        unpolled_ns = acc_.max_gap_usecs == ~u64{0} ? 0 : std::min(unpolled_ns, late_ns);
        acc_.poll_ns = begin_ns - unpolled_ns;
        acc_.advanced_ns = 0;
        acc_.slower_ns = 0;
        acc_.state.start_ns = begin_ns;
        acc_.line_total = 0;
        // The search has no octets, whose frames these compare.
        acc_.read_octets = 0;
        acc_.whole = false;
    }

    void reports() {
        static constexpr const char* nowhere = "";

        acc_.state.generation = 0;
        acc_.state.discontinuities = 0;
        acc_.state.discontinuity_ns = 0;
        acc_.state.parity_errors = 0;
        acc_.state.late_polls = 0;
        acc_.state.possible_loss = false;
        acc_.state.suspect_known = false;
        acc_.state.suspect = 0;
        acc_.state.suspect_value = 0;
        acc_.silent = false;
        acc_.asked = false;
        acc_.reads = 0;
        acc_.woken = {};
        std::memset(&acc_.state.misfit, 0, sizeof acc_.state.misfit);
        acc_.state.misfits = 0;
        acc_.misfits_told = 0;
        acc_.state.reason = nowhere;
        acc_.state.loss = nowhere;
    }

    void counter(unsigned int i) {
        macstats_emulator& emu = world_.emu;
        Account& account = world_.account;

        acc_.counters[i].total = 0;
        acc_.counters[i].saturated = std::min<u64>(acc_.counters[i].saturated, 1);
        acc_.counters[i].saturated_ns = 0;
        emu.counters[i].base =
            0 - macstats__shown(&emu, &world_.real.rows[i], 0 - emu.counters[i].base);
        if (!emu.blocks[0].granted)
            emu.counters[i].captured = 0;
        if (account.excuses.tampered)
            account.owed[i] = 0;
        else if (account.owed[i] >= 2 * world_.span)
            account.owed[i] = world_.span + account.owed[i] % world_.span;
        if (!world_.kind.saturates() || !world_.kind.free_running())
            account.shown[i] = 0;
    }

    void account() {
        Account& account = world_.account;
        const u64 wrap_ns = static_cast<u64>(world_.span) * event_ns;

        // Disturbances excuse nothing more once a report or a changed register does.
        account.excuses.disturbed |= account.excuses.reported || account.excuses.tampered;
        // Only the bound and the wrap time ask for it.
        account.passed_ns = world_.kind.bound           ? std::min(account.passed_ns, full_ns_)
                            : world_.kind.never_wraps() ? 0
                                                        : std::min(account.passed_ns, wrap_ns);
    }

    World& world_;
    macstats_accumulator& acc_;
    const u64 full_ns_;
};

// Calls @use with each part of the state: its address and its length.
template <typename F>
void state_parts(World& world, F use) {
    // The scalars of an accumulator lie between these members.
    constexpr std::size_t first = offsetof(macstats_accumulator, state);
    constexpr std::size_t end = offsetof(macstats_accumulator, words);
    const unsigned int counters = world.kind.counters;
    macstats_accumulator& acc = world.acc;
    macstats_emulator& emu = world.emu;

    use(reinterpret_cast<char*>(&acc) + first, end - first);
    for (unsigned int i = 0; i < counters; i++) {
        use(&acc.counters[i].saturated, sizeof acc.counters[i].saturated);
        use(&acc.counters[i].old, sizeof acc.counters[i].old);
        use(&acc.counters[i].value, sizeof acc.counters[i].value);
        use(&acc.counters[i].unknown, sizeof acc.counters[i].unknown);
        use(&acc.counters[i].extent, sizeof acc.counters[i].extent);
        use(&acc.counters[i].idle, sizeof acc.counters[i].idle);
    }
    use(&emu.settings.counting, sizeof emu.settings.counting);
    use(&emu.faults, sizeof emu.faults);
    use(&emu.armed, sizeof emu.armed);
    use(&emu.bus_error_word, sizeof emu.bus_error_word);
    use(emu.blocks, sizeof emu.blocks[0]);
    use(emu.registers, std::size(all_registers) * sizeof emu.registers[0]);
    for (unsigned int i = 0; i < counters; i++) {
        use(&emu.counters[i].base, sizeof emu.counters[i].base);
        use(&emu.counters[i].captured, sizeof emu.counters[i].captured);
    }
    use(&world.account, sizeof world.account);
}

inline void save(World& world, std::string& state) {
    Normaliser(world).run();
    state.clear();
    state_parts(world, [&](const void* part, std::size_t length) {
        state.append(static_cast<const char*>(part), length);
    });
}

inline void load(World& world, const std::string& state) {
    std::size_t at = 0;

    state_parts(world, [&](void* part, std::size_t length) {
        std::memcpy(part, state.data() + at, length);
        at += length;
    });
    for (unsigned int i = 0; i < world.kind.counters; i++)
        world.acc.counters[i].total = 0;
    world.now_ns = begin_ns;
}

// A state without the parts that are as in the @first one.
inline std::string packed(const std::string& state, const std::string& first) {
    std::string out;
    std::size_t same = 0;

    for (std::size_t i = 0; i < state.size(); i++)
        if (state[i] == first[i] && same < 255) {
            same++;
        } else {
            out += {static_cast<char>(same), state[i]};
            same = 0;
        }
    return out;
}

inline std::string unpacked(const std::string& from, const std::string& first) {
    std::string state = first;
    std::size_t at = 0;

    for (std::size_t i = 0; i < from.size(); i += 2) {
        at += static_cast<u8>(from[i]);
        state[at++] = from[i + 1];
    }
    return state;
}

} // namespace macstats::test::every_state

#endif
