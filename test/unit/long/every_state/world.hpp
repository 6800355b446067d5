// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A port, the accumulator that polls it, and the search's own account of the events that no
// total has yet. A World takes one step at a time, with something in the middle of a poll.
#ifndef MACSTATS_TEST_EVERY_STATE_WORLD_HPP
#define MACSTATS_TEST_EVERY_STATE_WORLD_HPP

#include <algorithm>
#include <cerrno>
#include <string>

#include "hardware.hpp"
#include "step.hpp"

namespace macstats::test::every_state {

using s64 = __s64;

// A wrong accumulator: what it is told about the hardware, or what it does not report.
struct Mutation {
    std::string name;
    void (*model)(Hardware& believed) = nullptr;
    void (*before)(macstats_accumulator& acc) = nullptr;
    unsigned int hidden = 0;         // events
    Act hidden_after = Act::nothing; // of this step; of each step if it is nothing
    std::string hidden_loss{};       // the possible loss with this reason
    macstats_bit always_set{};       // whatever is read
    bool exchanges_words = false;    // of counters
};

// Excuses for a report or a missing event, since the last good poll.
struct Excuses {
    bool reported;  // a discontinuity, a possible loss or a parity error
    bool tampered;  // registers changed without events
    bool disturbed; // something that may be reported
};

// The search's own account. All of it is part of a state.
struct Account {
    s64 owed[max_counters];  // events counted that no total has
    u64 shown[max_counters]; // by each counter at the last good poll, at least
    u64 passed_ns;           // since the last good poll
    u64 incidents;           // so far, if they are counted
    Excuses excuses;
};

// The accumulator's answer to a step. Steps that do not poll have none.
struct Answer {
    bool polled = false;
    int err = 0;
    unsigned int events = 0;
};

constexpr u64 begin_ns = 1000000000000;

struct World {
    World(const Kind& kind_, unsigned int bits_, const Mutation& mutation_)
        : kind(kind_),
          mutation(mutation_),
          real(kind, bits_),
          believed(kind, bits_),
          bits(bits_),
          span(s64{1} << bits_) {
        if (mutation.model)
            mutation.model(believed);
        macstats_emulator_power_up(&emu, &real.model, &set, MACSTATS_OPT_STATISTICS, false, 1);
        acc.model = &believed.model;
        acc.bus = {this,    read, read64,     update,  wait,   clocks_run,
                   nullptr, time, read_block, nullptr, nullptr};
        acc.line_rate_bound = kind.bound;
        BOOST_REQUIRE(macstats_start(&acc, now_ns) == 0);
    }

    World(const World&) = delete;
    World& operator=(const World&) = delete;

    u64 mask() const { return static_cast<u64>(span - 1); }

    u64 live(unsigned int i) { return macstats__live_value(&emu, &set, i); }

    // Frames count nothing.
    bool is_frozen() const { return emu.blocks[0].still; }

    // Nanoseconds since the last good poll.
    u64 unpolled_ns() const { return account.passed_ns + (now_ns - begin_ns); }

    // Did the step find a counter at its maximum?
    bool saturated(unsigned int i) const { return acc.counters[i].saturated > was_saturated_[i]; }

    bool saturated() const {
        for (unsigned int i = 0; i < kind.counters; i++)
            if (saturated(i))
                return true;
        return false;
    }

    // Call close() after a step that polls, when its answer was judged.
    Answer take(const Step& next) {
        Answer answer;

        begin(next);
        if (mutation.before)
            mutation.before(acc);
        answer.polled = true;
        switch (step.act) {
        case Act::poll:
            answer.err = macstats_poll(&acc, now_ns, &answer.events);
            break;
        case Act::suspend:
            answer.err = macstats_suspend(&acc, now_ns, &answer.events);
            break;
        case Act::resume:
            answer.err = resume(answer.events);
            break;
        case Act::announced_reset:
            happen(Act::reset, step.number, 0);
            remember();
            answer.err = macstats_reset(&acc, now_ns, &answer.events);
            break;
        default:
            happen(step.act, step.number, step.which);
            remember();
            account.passed_ns = unpolled_ns();
            answer.polled = false;
        }
        answer.events &= ~hidden();
        return answer;
    }

    void close(const Answer& answer) {
        account.passed_ns = (answer.err ? account.passed_ns : 0) + (now_ns - begin_ns);
        if (step.act == Act::suspend)
            fault(MACSTATS_FAULT_SUSPEND, true);
    }

    const Kind& kind;
    const Mutation& mutation;
    const Hardware real;
    Hardware believed; // by the accumulator: the same, but for a mutation
    const unsigned int bits;
    const s64 span; // values of a counter
    macstats_cell_set set{};
    macstats_emulator emu{};
    macstats_accumulator acc{};
    Account account{};
    u64 now_ns = begin_ns;

    // Of the step that runs:
    Step step{};
    Excuses excuses{};
    bool damaged = false;          // a parity error shows, which no baseline will clear
    bool fired = false;            // what the step has in the middle of a poll
    s64 during[max_counters]{};    // events counted in the middle of a poll
    u64 before[max_counters]{};    // the counter before the step, unless it may be cleared
    u64 last_read[max_counters]{}; // what the accumulator had read before

private:
    void begin(const Step& next) {
        step = next;
        damaged = !acc.rebase && emu.blocks[0].parity_error;
        fired = false;
        accesses_ = 0;
        waits_ = 0;
        cleared_ones_ = false;
        seen_saturating_ = acc.switched.last.saturate != 0;
        excuses = {};
        for (unsigned int i = 0; i < kind.counters; i++) {
            during[i] = 0;
            before[i] = acc.rebase ? 0 : live(i);
            last_read[i] = acc.counters[i].old;
            was_saturated_[i] = acc.counters[i].saturated;
        }
    }

    unsigned int hidden() const {
        const bool hides =
            mutation.hidden_after == Act::nothing || mutation.hidden_after == step.act;

        return (hides ? mutation.hidden : 0) |
               (!mutation.hidden_loss.empty() && mutation.hidden_loss == acc.state.loss
                    ? MACSTATS_EVENT_POSSIBLE_LOSS
                    : 0);
    }

    int resume(unsigned int& events) {
        fault(MACSTATS_FAULT_SUSPEND, false);
        for (unsigned int i = 0; i < kind.counters; i++)
            macstats_emulator_preset(&emu, &set, i, step.number);
        return macstats_resume(&acc, now_ns, &events);
    }

    // Adds the excuses before a poll to those since the last one. Those in the middle of it follow.
    void remember() {
        account.excuses.disturbed |= excuses.disturbed;
        account.excuses.tampered |= excuses.tampered;
        excuses = {};
    }

    // Incidents and events

    // Frames come as fast as the line carries them.
    void count(unsigned int i, unsigned int number) {
        Frame frame(i ? MACSTATS_TX : MACSTATS_RX, frame_length);

        now_ns += number * event_ns;
        if (!emu.settings.counting || is_frozen())
            return;
        const macstats_seen seen = macstats_see(&emu, &frame);
        macstats_count_at_once(&emu, &set, &seen, number);
        account.owed[i] += number;
        during[i] += number;
    }

    void fault(u32 faults, bool active) {
        macstats_fault_request request{faults, active, false, 0};

        macstats_emulator_fault(&emu, &set, &request);
    }

    // A register changes without events.
    template <typename F>
    void tamper(F change) {
        const bool latched = kind.holds_words() && step.at >= 0;
        u64 old[max_counters]{};
        u64 old_latched[max_counters]{};

        for (unsigned int i = 0; i < kind.counters; i++) {
            old[i] = live(i);
            old_latched[i] = latched ? emu.counters[i].captured : 0;
        }
        change();
        for (unsigned int i = 0; i < kind.counters; i++)
            excuses.tampered = excuses.tampered || live(i) != old[i] ||
                               (latched && emu.counters[i].captured != old_latched[i]);
    }

    void reset(unsigned int value) {
        stop_saturating();
        fault(MACSTATS_FAULT_RESET, true);
        for (unsigned int i = 0; i < kind.counters; i++)
            macstats_emulator_preset(&emu, &set, i, value);
    }

    void begin_fault(u32 which) {
        // A count of all-ones that was cleared just before nothing answers any more looks
        // like no answer, either: nobody can tell which.
        if (which == MACSTATS_FAULT_UNPLUG && cleared_ones_)
            excuses.tampered = true;
        fault(which, true);
    }

    // A foreign reader has the counts that it clears: no total is owed them.
    void foreign_read(unsigned int which) {
        u64 old[max_counters]{};
        u64 value = 0;

        for (unsigned int i = 0; i < kind.counters; i++)
            old[i] = live(i);
        macstats_emulator_read(&emu, &set, kind.offset(which), &value);
        // The words of a latch, or the number of a counter that is full, are spoilt.
        // So is a number that a total has, if a bit lets a read clear it after all.
        if (kind.holds_words() || (kind.saturates() && old[which] == mask()) ||
            (kind.switched && acc.counters[which].old))
            excuses.tampered = true;
        for (unsigned int i = 0; i < kind.counters; i++)
            account.owed[i] -=
                std::min(static_cast<s64>(old[i] - live(i)), std::max(account.owed[i], s64{0}));
    }

    void set_control(u32 bit, u32 value) {
        macstats_emulator_update(&emu, &set, control, bit, value);
    }

    // A counter that was full for a while, without a look at the bit meanwhile, tells nothing of
    // it.
    void stop_saturating() {
        for (unsigned int i = 0; emu.blocks[0].saturates && i < kind.counters; i++)
            if (live(i) == mask() && !seen_saturating_)
                excuses.tampered = true;
    }

    void turn(u32 bit) {
        if (bit == 2)
            stop_saturating();
        const u32 address = bit == 4 ? freezer : switches;
        u64 old = 0;

        macstats_emulator_read(&emu, &set, address, &old);
        macstats_emulator_write(&emu, &set, address, old ^ (bit == 4 ? 1 : bit));
    }

    void happen(Act act, unsigned int number, unsigned int which) {
        if (act == Act::events)
            return count(which, number);
        excuses.disturbed = excuses.disturbed || act >= Act::reset || act == Act::late;
        switch (act) {
        case Act::late:
            now_ns += static_cast<u64>(span + 2) * event_ns;
            break;
        case Act::reset:
            return tamper([&] { reset(number); });
        case Act::begin:
            return begin_fault(number);
        case Act::end:
            return fault(emu.faults, false);
        case Act::foreign_read:
            return foreign_read(which);
        case Act::foreign_clear:
            return tamper([&] { macstats_emulator_write(&emu, &set, command, 1); });
        case Act::foreign_gate:
            return set_control(1, number);
        case Act::closing_gate:
            count(which, number);
            return set_control(1, 0);
        case Act::foreign_request:
            return set_control(2, 2);
        case Act::foreign_release:
            return set_control(2, 0);
        case Act::foreign_switch:
            return turn(number);
        case Act::parity_error:
            return tamper([&] { fault(MACSTATS_FAULT_PARITY_ERROR, true); });
        default:
            break;
        }
    }

    // The accumulator's bus

    static World& of(void* context) { return *static_cast<World*>(context); }

    // Every access: what happens before it, and whether it fails.
    bool fails() {
        if (accesses_++ != step.at) {
            // Without the snapshot the counter moves on between its words.
            if (fired && accesses_ == step.at + 2 && step.during == Act::foreign_release)
                count(0, step.number);
            return false;
        }
        fired = true;
        excuses.disturbed = excuses.disturbed || step.during != Act::events;
        if (step.during == Act::access_fails)
            return true;
        happen(step.during, step.number, step.which);
        return false;
    }

    // Only the first and the last looks at a snapshot that is not granted are told apart: a look
    // between them finds the same hardware, and is followed by another one.
    bool looks_again() const { return waits_ > 3 && waits_ < MACSTATS_SNAPSHOT_LOOKS; }

    u64 all_live() {
        u64 all = 0;

        for (unsigned int i = 0; i < kind.counters; i++)
            all += live(i);
        return all;
    }

    int read_word(u32 address, u64& value) {
        if (looks_again() && address == status) {
            value = last_;
            return 0;
        }
        if (fails())
            return -EIO;
        const u64 old = kind.cleared_by_reads() ? all_live() : 0;
        if (mutation.exchanges_words && address >= first_counter)
            address ^= 1;
        const int err = macstats_emulator_read(&emu, &set, address, &value);
        if (err)
            return err;
        if (address == mutation.always_set.offset)
            value |= mutation.always_set.mask;
        last_ = value;
        if (kind.cleared_by_reads() && all_live() != old && value == macstats_bus_mask(&real.model))
            cleared_ones_ = true;
        return 0;
    }

    static int read(void* context, u32 address, u64* value) {
        return of(context).read_word(address, *value);
    }

    static int read64(void* context, u32 address, u64* value) {
        World& world = of(context);

        return world.fails() ? -EIO
                             : macstats_emulator_read64(&world.emu, &world.set, address, value);
    }

    static int read_block(
        void* context, u32 address, u64* values, unsigned int words, bool, unsigned int* done) {
        int err = 0;

        while (!err && *done < words) {
            err = read(context, address + *done, &values[*done]);
            *done += !err;
        }
        return err;
    }

    static int update(void* context, u32 address, u32 mask, u32 value) {
        World& world = of(context);

        return world.fails()
                   ? -EIO
                   : macstats_emulator_update(&world.emu, &world.set, address, mask, value);
    }

    static bool wait(void* context) {
        of(context).waits_++;
        return true;
    }

    static bool clocks_run(void* context) {
        return !(of(context).emu.faults & MACSTATS_FAULT_CLOCK_STOPPED);
    }

    static u64 time(void* context) { return of(context).now_ns; }

    int accesses_ = 0;
    unsigned int waits_ = 0;
    u64 last_ = 0;                 // word that was read
    bool cleared_ones_ = false;    // a read of the step cleared a word of all-ones
    bool seen_saturating_ = false; // by the last look before the step
    u64 was_saturated_[max_counters]{};
};

} // namespace macstats::test::every_state

#endif
