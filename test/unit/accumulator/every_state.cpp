// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Every state that an emulated port and its accumulator can reach together, with counters so
// narrow that they can all be visited. At each state the search tries everything that can
// happen: events, polls, faults, and any of these in the middle of a poll. It keeps its own
// account of the events that no total has yet.
//
// The rules: a good poll leaves nothing behind, unless it reports a discontinuity, a
// possible loss, a parity error or a saturated counter. No total goes back, and none gets a
// count that never was. A poll that nothing disturbs reports nothing.
//
// The number of states is finite, and small, because:
// * A state has no totals: the events that no total has yet are enough, and the accumulator only
//   ever adds to a total. Twice as many events as a counter has values are like once as many.
// * Times are whole events, and end where any counter may have wrapped.
// * An incident is a fault, a reset, or an access by somebody else. One search has any number of
//   them, in any order; wider counters have one on each way, at any access of any poll. Events,
//   polls, suspends and the end of a fault are always free.
// * Two counters are there for what one does to the other: a block that was cleared.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "fixture.hpp"

using namespace macstats::test;

namespace {

using s16 = __s16;
using s64 = __s64;

// At 1 Mb/s, a frame of 65,000 octets with 20 more on the wire takes this time. So even the
// narrowest counter sees the millisecond and the frame that the bound adds as one event. One
// microsecond more: a gap that is as long as the wrap time is not longer, to the microsecond.
constexpr u32 frame_length = 65000;
constexpr u32 event_octets = frame_length + 20;
constexpr u64 event_ns = event_octets * 8000 + 1000;

constexpr u32 control = 0; // gate: bit 0, snapshot request: bit 1
constexpr u32 status = 1;  // granted: bit 0, busy: bit 1
constexpr u32 identity = 2;
constexpr u32 enable = 3;  // the half-full interrupt
constexpr u32 parity = 4;  // error: bit 0
constexpr u32 command = 5; // clear: bit 0, clear parity: bit 1
constexpr u32 first_counter = 8;
constexpr u32 second_counter = 12;

MACSTATS_MODEL_BEGIN

constexpr macstats_register registers[] = {
    {.name = "CONTROL", .offset = control, .access = MACSTATS_RW, .help = ""},
    {.name = "STATUS", .offset = status, .access = MACSTATS_RO, .help = ""},
    {.name = "IDENTITY", .offset = identity, .access = MACSTATS_RO, .reset = 1, .help = ""},
    {.name = "ENABLE", .offset = enable, .access = MACSTATS_RW, .help = ""},
    {.name = "PARITY", .offset = parity, .access = MACSTATS_RO, .help = ""},
    {.name = "COMMAND", .offset = command, .access = MACSTATS_RW, .help = ""},
};

constexpr macstats_field fields[] = {
    MACSTATS_COMMAND("clear", command, 0, ""),
    MACSTATS_COMMAND("clear_parity", command, 1, ""),
};

MACSTATS_MODEL_END

// A kind of port. The counters' words have two bits where one of them is wider.
struct Kind {
    std::string name;
    unsigned int counters = 1;
    macstats_onread onread = MACSTATS_ONREAD_NONE;
    macstats_onwrite onwrite = MACSTATS_ONWRITE_NONE;
    macstats_overflow overflow = MACSTATS_ROLLOVER;
    bool snapshot = false;
    bool latch = false;
    bool gate = false;
    bool half_full = false;
    bool clear = false;
    bool busy = false;
    bool clocks = false;
    bool bound = false;
    bool high_first = false;
    bool full_words = false; // a count can be a word of all-ones
    // The widest counter that is searched: with any number of incidents in a short run and in
    // others, with one of them in a short, a long and a full run.
    // Counters of several words have at least three bits.
    unsigned int quick = 1;
    unsigned int longer = 2;
    unsigned int one_incident[3] = {2, 3, 5};

    bool cleared_by_reads() const { return onread == MACSTATS_ONREAD_RCLR; }
    bool decremented() const { return onwrite == MACSTATS_ONWRITE_DECREMENT; }
    bool free_running() const { return !cleared_by_reads() && !decremented(); }
    bool saturates() const { return overflow == MACSTATS_SATURATE; }

    // The bits of a word. Registers need two of them.
    u8 bus_bits(unsigned int bits) const {
        if (full_words)
            return static_cast<u8>(std::max(bits, 2u));
        return latch || snapshot ? 2 : 8;
    }
};

constexpr unsigned int max_counters = 2;

struct Hardware {
    macstats_counter rows[max_counters]{};
    macstats_model model{};

    Hardware(const Kind& kind, unsigned int bits) {
        for (unsigned int i = 0; i < kind.counters; i++) {
            rows[i].name = i ? "tx_frames" : "rx_frames";
            rows[i].reg = rows[i].name;
            rows[i].offset = i ? second_counter : first_counter;
            rows[i].bits = static_cast<u8>(bits);
            rows[i].unit = MACSTATS_FRAMES;
            rows[i].onread = static_cast<u8>(kind.onread);
            rows[i].onwrite = static_cast<u8>(kind.onwrite);
            rows[i].overflow = static_cast<u8>(kind.overflow);
            rows[i].latch = kind.latch;
            rows[i].high_first = kind.high_first;
            rows[i].when[0].direction = i ? MACSTATS_TX : MACSTATS_RX;
            rows[i].when[0].size = 1u << 1; // from 65,000 octets on
            rows[i].help = "";
        }
        model.name = "narrow";
        model.title = "narrow counters";
        model.datasheet = "none";
        model.ports = 1;
        model.bus_bits = kind.bus_bits(bits);
        model.address_unit_bits = model.bus_bits;
        model.line_rate_bps = 1000000;
        model.counters = rows;
        model.n_counters = static_cast<u16>(kind.counters);
        model.registers = registers;
        model.n_registers = MACSTATS_COUNT_OF(registers);
        model.fields = fields;
        model.n_fields = MACSTATS_COUNT_OF(fields);
        model.n_blocks = 1;
        model.blocks[0].name = "all";
        model.identity[0] = {identity, 1};
        model.n_identity = 1;
        model.sizes.edge[0] = frame_length;
        model.min_frame_rx = MACSTATS_FRAME_MIN;
        model.min_frame_tx = MACSTATS_FRAME_MIN;
        model.options = MACSTATS_OPT_STATISTICS;
        model.default_options = MACSTATS_OPT_STATISTICS;
        if (kind.snapshot) {
            model.blocks[0].snapshot_request = {control, 2};
            model.blocks[0].snapshot_granted = {status, 1};
            model.blocks[0].parity_error = {parity, 1};
            model.blocks[0].parity_clear = {command, 2};
            model.faults |= MACSTATS_FAULT_SNAPSHOT_STUCK | MACSTATS_FAULT_PARITY_ERROR;
        }
        if (kind.clear)
            model.blocks[0].clear = {command, 1};
        if (kind.gate)
            model.gate = {control, 1};
        if (kind.half_full) {
            model.half_full = 1ull << (bits - 1);
            model.half_full_enable = {enable, 1};
        }
        if (kind.busy) {
            model.busy = {status, 2};
            model.faults |= MACSTATS_FAULT_RESET_IN_PROGRESS;
        }
        if (kind.clocks) {
            model.needs_clocks = true;
            model.faults |= MACSTATS_FAULT_CLOCK_STOPPED;
        }
    }

    Hardware(const Hardware&) = delete;
    Hardware& operator=(const Hardware&) = delete;
};

enum class Act : u8 {
    nothing,
    events,          // of counter `which`, `number` of them, as fast as the line carries them
    late,            // so much time passes that any counter may have wrapped
    poll,            //
    masked_poll,     // with the half-full interrupt masked, as the interrupt handler polls
    suspend,         // by the driver, which takes the power away
    resume,          //
    announced_reset, //
    // Below: also in the middle of a poll.
    reset,           // nobody announces it; the counters begin from `number`
    access_fails,    // one access, in the middle of a poll
    begin,           // fault `number`
    end,             // all faults
    foreign_read,    // of counter `which`
    foreign_clear,   // by the command
    foreign_gate,    // closes it
    foreign_request, // of a snapshot
    foreign_release, // and `number` events before the next access
    parity_error,    //
};

struct Step {
    Step() = default;

    Step(Act act_, unsigned int number_ = 0, unsigned int which_ = 0, Act during_ = Act::nothing)
        : act(act_),
          during(during_),
          number(static_cast<u16>(number_)),
          which(static_cast<u8>(which_)) {}

    Act act = Act::nothing;
    Act during = Act::nothing;
    u16 number = 0;
    u8 which = 0;
    s16 at = -1; // the access before which `during` happens
};

std::string text(const Step& step) {
    static const char* const names[] = {
        "nothing",         "events",        "late",         "poll",
        "masked_poll",     "suspend",       "resume",       "announced_reset",
        "reset",           "access_fails",  "begin",        "end",
        "foreign_read",    "foreign_clear", "foreign_gate", "foreign_request",
        "foreign_release", "parity_error"};
    std::string out = names[static_cast<int>(step.act)];

    if (step.at >= 0)
        out += " with " + std::string(names[static_cast<int>(step.during)]) + " before access " +
               std::to_string(step.at);
    return out + " " + std::to_string(step.number) + "/" + std::to_string(step.which);
}

// A wrong accumulator: what it is told about the hardware, or what it does not report.
struct Mutation {
    std::string name;
    void (*model)(Hardware& believed) = nullptr;
    void (*before)(macstats_accumulator& acc) = nullptr;
    unsigned int hidden = 0; // events
};

struct Outcome {
    std::size_t states = 0;
    std::size_t steps = 0;
    std::string violation; // empty: none
};

// The states that were visited: 128 bits of each, mixed. Two of a billion states have the same
// ones with a probability of 10^-21.
class Seen {
public:
    // Returns whether the state is new.
    bool insert(const std::string& state) {
        const Key key = mixed(state);

        if (++count_ * 4 > table_.size() * 3)
            grow();
        if (put(key))
            return true;
        count_--;
        return false;
    }

private:
    struct Key {
        u64 low, high;
        bool operator==(const Key&) const = default;
    };

    // The finaliser of SplitMix64.
    static u64 scrambled(u64 x) {
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
        x = (x ^ x >> 27) * 0x94d049bb133111eb;
        return x ^ x >> 31;
    }

    static Key mixed(const std::string& state) {
        Key key{1, 2};
        u64 word = 0;

        for (std::size_t i = 0; i < state.size(); i += sizeof word) {
            word = 0;
            std::memcpy(&word, state.data() + i, std::min(sizeof word, state.size() - i));
            key.low = (key.low ^ word) * 0x9e3779b97f4a7c15;
            key.low ^= key.low >> 32;
            key.high = (key.high + word) * 0xd6e8feb86659fd93;
            key.high ^= key.high >> 29;
        }
        key = {scrambled(key.low), scrambled(key.high)};
        // An empty place of the table is 0.
        return key == Key{} ? Key{1, 1} : key;
    }

    bool put(const Key& key) {
        for (std::size_t i = key.low & (table_.size() - 1);; i = (i + 1) & (table_.size() - 1)) {
            if (table_[i] == key)
                return false;
            if (table_[i] == Key{}) {
                table_[i] = key;
                return true;
            }
        }
    }

    void grow() {
        std::vector<Key> old(table_.size() * 2);

        old.swap(table_);
        for (const Key& key : old)
            if (!(key == Key{}))
                put(key);
    }

    std::vector<Key> table_ = std::vector<Key>(1024);
    std::size_t count_ = 0;
};

constexpr unsigned int any_number = ~0u;

class World {
public:
    // At most so many incidents happen on the way to a state.
    World(
        const Kind& kind, unsigned int bits, const Mutation& mutation,
        unsigned int most_incidents = any_number)
        : kind_(kind),
          mutation_(mutation),
          real_(kind, bits),
          believed_(kind, bits),
          bits_(bits),
          span_(s64{1} << bits),
          most_incidents_(most_incidents) {
        if (mutation.model)
            mutation.model(believed_);
        macstats_emulator_power_up(&emu_, &real_.model, &set_, MACSTATS_OPT_STATISTICS, false, 1);
        acc_.model = &believed_.model;
        acc_.bus = {this, read, write, update, wait, clocks_run, nullptr, time};
        acc_.line_rate_bound = kind.bound;
        BOOST_REQUIRE(macstats_start(&acc_, now_ns_) == 0);
        normalise();
    }

    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // Breadth-first, so that a violation is found by the shortest way.
    Outcome search() {
        Outcome outcome;
        Seen seen;
        std::deque<std::string> queue; // states whose steps were not taken yet
        std::vector<Came> came{{}};
        std::string next;

        save(first_);
        seen.insert(first_);
        queue.push_back(packed(first_));
        for (std::size_t index = 0; !queue.empty(); index++, queue.pop_front()) {
            const std::string here = unpacked(queue.front());

            load(here);
            for (Step step : steps()) {
                // A step in the middle of a poll is tried before each of the poll's accesses.
                for (step.at = step.during == Act::nothing ? -1 : 0;; step.at++) {
                    load(here);
                    const std::string wrong = take(step);
                    if (step.at >= 0 && !fired_)
                        break;
                    outcome.steps++;
                    if (!wrong.empty()) {
                        outcome.violation = kind_.name + " of " + std::to_string(bits_) +
                                            " bits:\n" + way(came, index) + text(step) + ": " +
                                            wrong;
                        outcome.states = came.size();
                        return outcome;
                    }
                    ghost_.incidents += most_incidents_ != any_number && is_incident(step);
                    normalise();
                    save(next);
                    if (seen.insert(next)) {
                        queue.push_back(packed(next));
                        came.push_back({static_cast<u32>(index), step});
                    }
                    if (step.at < 0)
                        break;
                }
            }
        }
        outcome.states = came.size();
        return outcome;
    }

private:
    static constexpr u64 begin_ns = 1000000000000;
    static constexpr unsigned int losses =
        MACSTATS_EVENT_DISCONTINUITY | MACSTATS_EVENT_POSSIBLE_LOSS | MACSTATS_EVENT_PARITY_ERROR;

    // All but events and time, since the last good poll.
    struct Weather {
        bool reported;  // a discontinuity, a possible loss or a parity error
        bool tampered;  // registers changed without events
        bool disturbed; // something that may be reported
    };

    // The search's own account. All of it is part of a state.
    struct Ghost {
        s64 owed[max_counters];  // events counted that no total has
        u64 shown[max_counters]; // by each counter at the last good poll, at least
        u64 passed_ns;           // since the last good poll
        u64 incidents;           // so far, if they are counted
        Weather weather;
    };

    struct Came {
        u32 from = 0;
        Step by;
    };

    // The steps that lead to a state.
    static std::string way(const std::vector<Came>& came, std::size_t index) {
        std::string out;

        for (; index; index = came[index].from)
            out = text(came[index].by) + "\n" + out;
        return out;
    }

    // A state without the parts that are as in the first one.
    std::string packed(const std::string& state) const {
        std::string out;
        std::size_t same = 0;

        for (std::size_t i = 0; i < state.size(); i++)
            if (state[i] == first_[i] && same < 255) {
                same++;
            } else {
                out += {static_cast<char>(same), state[i]};
                same = 0;
            }
        return out;
    }

    std::string unpacked(const std::string& from) const {
        std::string state = first_;
        std::size_t at = 0;

        for (std::size_t i = 0; i < from.size(); i += 2) {
            at += static_cast<u8>(from[i]);
            state[at++] = from[i + 1];
        }
        return state;
    }

    static World& of(void* context) { return *static_cast<World*>(context); }

    // Every access: what happens before it, and whether it fails.
    bool fails() {
        if (accesses_++ != step_.at) {
            // Without the snapshot the counter moves on between its words.
            if (fired_ && accesses_ == step_.at + 2 && step_.during == Act::foreign_release)
                count(0, step_.number);
            return false;
        }
        fired_ = true;
        weather_.disturbed = weather_.disturbed || step_.during != Act::events;
        if (step_.during == Act::access_fails)
            return true;
        happen(step_.during, step_.number, step_.which);
        return false;
    }

    // Only the first and the last looks at a snapshot that is not granted are told apart: a look
    // between them finds the same hardware, and is followed by another one.
    bool looks_again() const { return waits_ > 3 && waits_ < MACSTATS_SNAPSHOT_LOOKS; }

    static int read(void* context, u32 address, u64* values, unsigned int words) {
        World& world = of(context);

        for (unsigned int i = 0; i < words; i++) {
            if (world.looks_again() && address == status) {
                values[i] = world.last_;
                continue;
            }
            if (world.fails())
                return -EIO;
            const u64 before = world.kind_.cleared_by_reads() ? world.all_live() : 0;
            int err = macstats_emulator_read(&world.emu_, &world.set_, address + i, &values[i]);
            if (err)
                return err;
            world.last_ = values[i];
            if (world.kind_.cleared_by_reads() && world.all_live() != before &&
                values[i] == macstats_bus_mask(&world.real_.model))
                world.cleared_ones_ = true;
        }
        return 0;
    }

    static int write(void* context, u32 address, u64 value) {
        World& world = of(context);

        return world.fails() ? -EIO
                             : macstats_emulator_write(&world.emu_, &world.set_, address, value);
    }

    static int update(void* context, u32 address, u32 mask, u32 value) {
        World& world = of(context);

        return world.fails()
                   ? -EIO
                   : macstats_emulator_update(&world.emu_, &world.set_, address, mask, value);
    }

    static void wait(void* context) { of(context).waits_++; }

    static bool clocks_run(void* context) {
        return !(of(context).emu_.faults & MACSTATS_FAULT_CLOCK_STOPPED);
    }

    static u64 time(void* context) { return of(context).now_ns_; }

    u64 mask() const { return static_cast<u64>(span_ - 1); }

    u64 live(unsigned int i) const { return macstats_live_value(&emu_, &set_, i); }

    u64 all_live() const {
        u64 all = 0;

        for (unsigned int i = 0; i < kind_.counters; i++)
            all += live(i);
        return all;
    }

    bool saturates() const { return kind_.saturates(); }

    bool free_running() const { return kind_.free_running(); }

    // Frames come as fast as the line carries them.
    void count(unsigned int i, unsigned int number) {
        Frame frame(i ? MACSTATS_TX : MACSTATS_RX, frame_length);

        now_ns_ += number * event_ns;
        if (!emu_.settings.counting)
            return;
        macstats_count_rare(&emu_, &set_, &frame, number);
        ghost_.owed[i] += number;
        during_[i] += number;
    }

    void fault(u32 faults, bool active) {
        macstats_fault_request request{faults, active, false, 0};

        macstats_emulator_fault(&emu_, &set_, &request);
    }

    // A register changes without events.
    template <typename F>
    void tamper(F change) {
        u64 before[max_counters]{};
        u64 latched[max_counters]{};
        for (unsigned int i = 0; i < kind_.counters; i++) {
            before[i] = live(i);
            latched[i] = kind_.latch && step_.at >= 0 ? emu_.frozen[i] : 0;
        }
        change();
        for (unsigned int i = 0; i < kind_.counters; i++)
            weather_.tampered = weather_.tampered || live(i) != before[i] ||
                                (kind_.latch && step_.at >= 0 && emu_.frozen[i] != latched[i]);
        weather_.disturbed = true;
    }

    void happen(Act act, unsigned int number, unsigned int which) {
        u64 value = 0;

        switch (act) {
        case Act::events:
            count(which, number);
            break;
        case Act::late:
            now_ns_ += static_cast<u64>(span_ + 2) * event_ns;
            weather_.disturbed = true;
            break;
        case Act::reset:
            tamper([&] {
                fault(MACSTATS_FAULT_RESET, true);
                for (unsigned int i = 0; i < kind_.counters; i++)
                    macstats_emulator_preset(&emu_, &set_, i, number);
            });
            break;
        case Act::begin:
            // A count of all-ones that was cleared just before nothing answers any more looks
            // like no answer, either: nobody can tell which.
            if (number == MACSTATS_FAULT_UNPLUG && cleared_ones_)
                weather_.tampered = true;
            fault(number, true);
            weather_.disturbed = true;
            break;
        case Act::end:
            fault(emu_.faults, false);
            weather_.disturbed = true;
            break;
        case Act::foreign_read: {
            // A foreign reader has the counts that it clears: no total is owed them.
            u64 before = live(which);
            macstats_emulator_read(&emu_, &set_, which ? second_counter : first_counter, &value);
            // The words of a latch, or the number of a counter that is full, are spoilt.
            if (kind_.latch || (saturates() && before == mask()))
                weather_.tampered = true;
            ghost_.owed[which] -= std::min(
                static_cast<s64>(before - live(which)), std::max(ghost_.owed[which], s64{0}));
            weather_.disturbed = true;
            break;
        }
        case Act::foreign_clear:
            tamper([&] { macstats_emulator_write(&emu_, &set_, command, 1); });
            break;
        case Act::foreign_gate:
            macstats_emulator_update(&emu_, &set_, control, 1, number);
            weather_.disturbed = true;
            break;
        case Act::foreign_request:
            macstats_emulator_update(&emu_, &set_, control, 2, 2);
            weather_.disturbed = true;
            break;
        case Act::foreign_release:
            macstats_emulator_update(&emu_, &set_, control, 2, 0);
            weather_.disturbed = true;
            break;
        case Act::parity_error:
            tamper([&] { fault(MACSTATS_FAULT_PARITY_ERROR, true); });
            break;
        default:
            break;
        }
    }

    // Runs a step. Returns what is wrong, or nothing.
    std::string take(const Step& step) {
        unsigned int events = 0;
        int err = 0;

        step_ = step;
        fired_ = false;
        accesses_ = 0;
        waits_ = 0;
        cleared_ones_ = false;
        weather_ = {};
        for (unsigned int i = 0; i < kind_.counters; i++) {
            during_[i] = 0;
            began_[i] = acc_.rebase ? 0 : live(i);
            was_saturated_[i] = acc_.saturated[i];
        }
        if (mutation_.before)
            mutation_.before(acc_);
        switch (step.act) {
        case Act::poll:
            err = macstats_poll(&acc_, now_ns_, &events);
            break;
        case Act::masked_poll:
            macstats_mask_half_full(&acc_, true);
            err = macstats_poll(&acc_, now_ns_, &events);
            macstats_mask_half_full(&acc_, false);
            break;
        case Act::suspend:
            err = macstats_suspend(&acc_, now_ns_, &events);
            break;
        case Act::resume:
            fault(MACSTATS_FAULT_SUSPEND, false);
            for (unsigned int i = 0; i < kind_.counters; i++)
                macstats_emulator_preset(&emu_, &set_, i, step.number);
            err = macstats_resume(&acc_, now_ns_, &events);
            break;
        case Act::announced_reset:
            happen(Act::reset, step.number, 0);
            remember();
            err = macstats_reset(&acc_, now_ns_, &events);
            break;
        default:
            happen(step.act, step.number, step.which);
            remember();
            ghost_.passed_ns += now_ns_ - begin_ns;
            return "";
        }
        std::string wrong = check(step, err, events & ~mutation_.hidden);
        ghost_.passed_ns = (err ? ghost_.passed_ns : 0) + (now_ns_ - begin_ns);
        if (step.act == Act::suspend)
            fault(MACSTATS_FAULT_SUSPEND, true);
        return wrong;
    }

    // Adds the weather before a poll to that since the last one. That in the middle of it follows.
    void remember() {
        ghost_.weather.disturbed |= weather_.disturbed;
        ghost_.weather.tampered |= weather_.tampered;
        weather_ = {};
    }

    std::string check(const Step& step, int err, unsigned int events) {
        const Weather before = ghost_.weather;
        const bool tampered = before.tampered || weather_.tampered;
        const bool reported = before.reported || (events & losses) || (err && saturated());
        const bool disturbed = before.disturbed || weather_.disturbed;
        const unsigned int unwanted =
            losses | (step.act == Act::suspend ? 0 : MACSTATS_EVENT_STALE);

        for (unsigned int i = 0; i < kind_.counters; i++) {
            const s64 added = static_cast<s64>(acc_.totals[i]);

            if (added < 0)
                return "the total went back";
            ghost_.owed[i] -= added;
            if (!tampered && ghost_.owed[i] < 0)
                return "the total has " + std::to_string(-ghost_.owed[i]) + " too many";
            if (kind_.bound && added > most())
                return "the total jumped by " + std::to_string(added);
        }
        if (!disturbed && !before.reported && !tampered && !overdue() &&
            (err || (events & unwanted)))
            return "a report without a reason: " + std::to_string(events) + ", error " +
                   std::to_string(err) + ", " + acc_.reason + acc_.loss;
        ghost_.weather.reported = reported;
        ghost_.weather.tampered = tampered;
        ghost_.weather.disturbed = disturbed;
        if (err)
            return "";
        for (unsigned int i = 0; i < kind_.counters; i++) {
            const s64 rest = residue(i);

            if (reported || saturated(i)) {
                ghost_.owed[i] = rest;
            } else if (tampered) {
                if (free_running() && saturates() && !fired_ && live(i) < ghost_.shown[i])
                    return "a counter that cannot roll over went back, which nothing reports";
                ghost_.owed[i] = rest;
            } else if (ghost_.owed[i] > during_[i]) {
                return std::to_string(ghost_.owed[i] - during_[i]) + " events are lost";
            } else if (!saturates() && (ghost_.owed[i] - rest) % span_) {
                return std::to_string(ghost_.owed[i]) + " events are owed, but " +
                       std::to_string(rest) + " will be added";
            }
            // Of events in the middle of a poll it is unknown whether the poll read them.
            ghost_.shown[i] = weather_.tampered ? 0 : during_[i] ? began_[i] : live(i);
        }
        ghost_.weather = {
            .reported = false, .tampered = weather_.tampered, .disturbed = weather_.disturbed};
        return "";
    }

    // Is there reason to report a possible loss: can a counter have wrapped since the last good
    // poll, or between its read and its decrement? Events before the read, and one frame that
    // the line carries, may have come after it for all that the poll knows.
    bool overdue() const {
        if (ghost_.passed_ns + (now_ns_ - begin_ns) >= static_cast<u64>(span_) * event_ns)
            return true;
        for (unsigned int i = 0; kind_.decremented() && i < kind_.counters; i++)
            if (during_[i] && static_cast<s64>(began_[i]) + 2 * during_[i] + 1 >= span_)
                return true;
        return false;
    }

    // Did the step find a counter at its maximum?
    bool saturated(unsigned int i) const { return acc_.saturated[i] > was_saturated_[i]; }

    bool saturated() const {
        for (unsigned int i = 0; i < kind_.counters; i++)
            if (saturated(i))
                return true;
        return false;
    }

    // The events that the accumulator will find, if nothing else happens.
    s64 residue(unsigned int i) const { return static_cast<s64>((live(i) - acc_.old[i]) & mask()); }

    // By how much a total may advance: by the events of the time since the last good poll, and
    // by one more for the frame, the millisecond and the fast clock that the bound adds.
    s64 most() const {
        const u64 time_ns = ghost_.passed_ns + (now_ns_ - begin_ns);

        return static_cast<s64>(time_ns / event_ns + 2);
    }

    // Removes from the state what no later step depends on: the time of day, and all numbers
    // from where on more of the same changes nothing.
    void normalise() {
        const u64 full_ns = static_cast<u64>(span_ + 2) * event_ns;
        const u64 late_ns = acc_.max_gap_usecs * 1000 + 1000;
        u64 unpolled_ns = macstats_unpolled_ns(&acc_, now_ns_);

        macstats_line_passes(&acc_, now_ns_);
        // Sums of times, each rounded up, are those of whole events again.
        acc_.line_octets = std::min(acc_.line_octets, full_ns / 8000) / event_octets * event_octets;
        if (!kind_.bound)
            acc_.line_octets = 0;
        acc_.line_ns = begin_ns;
        unpolled_ns = acc_.max_gap_usecs == ~u64{0} ? 0 : std::min(unpolled_ns, late_ns);
        acc_.poll_ns = begin_ns - unpolled_ns;
        acc_.advanced_ns = 0;
        acc_.start_ns = begin_ns;
        acc_.line_total = 0;
        acc_.generation = 0;
        acc_.discontinuities = 0;
        acc_.discontinuity_ns = 0;
        acc_.parity_errors = 0;
        acc_.late_polls = 0;
        acc_.possible_loss = false;
        acc_.suspect_known = false;
        acc_.suspect = 0;
        acc_.suspect_value = 0;
        acc_.silent = false;
        acc_.reason = nowhere;
        acc_.loss = nowhere;
        emu_.random = 1;
        emu_.rare_good = 0;
        emu_.rare_line = 0;
        for (unsigned int i = 0; i < kind_.counters; i++) {
            const u64 events = 0 - emu_.base[i];
            s64& owed = ghost_.owed[i];

            acc_.totals[i] = 0;
            acc_.extent[i] = MACSTATS_READ_NOTHING;
            if (!kind_.onwrite)
                acc_.values[i] = 0;
            acc_.saturated[i] = std::min<u64>(acc_.saturated[i], 1);
            acc_.saturated_ns[i] = 0;
            emu_.base[i] = 0 - macstats_shown(&real_.rows[i], events);
            if (!emu_.blocks[0].granted)
                emu_.frozen[i] = 0;
            if (ghost_.weather.tampered)
                owed = 0;
            else if (owed >= 2 * span_)
                owed = span_ + owed % span_;
            if (!saturates() || !free_running())
                ghost_.shown[i] = 0;
        }
        // Disturbances excuse nothing more once a report or a changed register does.
        ghost_.weather.disturbed |= ghost_.weather.reported || ghost_.weather.tampered;
        // Only the bound and the wrap time ask for it.
        ghost_.passed_ns = kind_.bound ? std::min(ghost_.passed_ns, full_ns)
                           : saturates()
                               ? 0
                               : std::min(ghost_.passed_ns, static_cast<u64>(span_) * event_ns);
        now_ns_ = begin_ns;
    }

    // Calls @use with each part of the state: its address and its length.
    template <typename F>
    void parts(F use) {
        // The scalars of an accumulator lie between these members.
        constexpr std::size_t first = offsetof(macstats_accumulator, started);
        constexpr std::size_t end = offsetof(macstats_accumulator, saturated);

        use(reinterpret_cast<char*>(&acc_) + first, end - first);
        use(acc_.saturated, sizeof acc_.saturated[0] * kind_.counters);
        use(acc_.old, sizeof acc_.old[0] * kind_.counters);
        use(acc_.values, sizeof acc_.values[0] * kind_.counters);
        use(acc_.extent, sizeof acc_.extent[0] * kind_.counters);
        use(&emu_.settings.counting, sizeof emu_.settings.counting);
        use(&emu_.faults, sizeof emu_.faults);
        use(&emu_.armed, sizeof emu_.armed);
        use(&emu_.bus_error_word, sizeof emu_.bus_error_word);
        use(emu_.blocks, sizeof emu_.blocks[0]);
        use(emu_.registers, sizeof registers / sizeof registers[0] * sizeof emu_.registers[0]);
        use(emu_.base, sizeof emu_.base[0] * kind_.counters);
        use(emu_.frozen, sizeof emu_.frozen[0] * kind_.counters);
        use(&ghost_, sizeof ghost_);
    }

    void save(std::string& state) {
        state.clear();
        parts([&](const void* part, std::size_t length) {
            state.append(static_cast<const char*>(part), length);
        });
    }

    void load(const std::string& state) {
        std::size_t at = 0;
        parts([&](void* part, std::size_t length) {
            std::memcpy(part, state.data() + at, length);
            at += length;
        });
        std::fill_n(acc_.totals, kind_.counters, u64{0});
        now_ns_ = begin_ns;
    }

    std::vector<unsigned int> faults() const {
        std::vector<unsigned int> all{
            MACSTATS_FAULT_BUS_ERROR, MACSTATS_FAULT_UNPLUG, MACSTATS_FAULT_BUS_ERROR_AT};

        if (kind_.snapshot)
            all.insert(all.end(), {MACSTATS_FAULT_SNAPSHOT_STUCK, MACSTATS_FAULT_SNAPSHOT_SLOW});
        if (kind_.gate)
            all.push_back(MACSTATS_FAULT_GATE_CLOSES);
        if (kind_.busy)
            all.push_back(MACSTATS_FAULT_RESET_IN_PROGRESS);
        if (kind_.clocks)
            all.push_back(MACSTATS_FAULT_CLOCK_STOPPED);
        return all;
    }

    std::set<unsigned int> some_values() const {
        const unsigned int full = static_cast<unsigned int>(mask());

        return {0, 1, full / 2 + 1, full};
    }

    static bool is_incident(const Step& step) {
        const Act act = step.during == Act::nothing ? step.act : step.during;

        return act == Act::announced_reset || (act >= Act::reset && act != Act::end);
    }

    // Everything that can happen in the state that is loaded, except events.
    std::vector<Step> incidents() const {
        std::vector<Step> all;

        if (ghost_.incidents == most_incidents_) {
            if (emu_.faults)
                all.push_back({Act::end});
            return all;
        }
        for (unsigned int value : some_values())
            all.push_back({Act::reset, value});
        for (unsigned int fault : faults())
            if (!emu_.faults)
                all.push_back({Act::begin, fault});
        if (emu_.faults)
            all.push_back({Act::end});
        for (unsigned int i = 0; kind_.onread && i < kind_.counters; i++)
            all.push_back({Act::foreign_read, 0, i});
        if (kind_.clear)
            all.push_back({Act::foreign_clear});
        if (kind_.gate)
            all.insert(all.end(), {{Act::foreign_gate, 0}, {Act::foreign_gate, 1}});
        if (kind_.snapshot)
            all.insert(
                all.end(), {{Act::foreign_request}, {Act::foreign_release}, {Act::parity_error}});
        return all;
    }

    void
    add(std::vector<Step>& all, Act act, unsigned int number,
        const std::vector<Step>& during) const {
        all.push_back({act, number});
        for (const Step& step : during)
            all.push_back({act, step.number, step.which, step.act});
    }

    std::vector<Step> steps() const {
        const unsigned int span = static_cast<unsigned int>(span_);
        const std::vector<Step> faulty = incidents();
        std::vector<Step> during = faulty;
        std::vector<Step> all;

        // A second fault begins in the middle of a poll only: two of them, not all combinations.
        const bool more = ghost_.incidents != most_incidents_;
        if (more && emu_.faults && !(emu_.faults & (emu_.faults - 1)))
            for (unsigned int fault : faults())
                if (fault != emu_.faults)
                    during.push_back({Act::begin, fault});
        // Values that were read while the hardware did not answer, or was not ready, are known by
        // its state at the end of the poll: it does not change back before.
        if (emu_.faults & unreadable)
            std::erase_if(during, [](const Step& step) { return step.act == Act::end; });
        std::vector<Step> fails;
        if (more)
            fails.push_back({Act::access_fails});
        during.insert(during.end(), fails.begin(), fails.end());
        if (more && kind_.snapshot)
            for (unsigned int number : std::set{1u, span / 2})
                during.push_back({Act::foreign_release, number});
        if (acc_.suspended) {
            add(all, Act::resume, 0, fails);
            all.push_back({Act::resume, span - 1});
            return all;
        }
        for (unsigned int i = 0; i < kind_.counters; i++)
            for (unsigned int number : std::set{1u, span - 1, span, span + 1})
                during.push_back({Act::events, number, i});
        add(all, Act::poll, 0, during);
        if (kind_.half_full)
            add(all, Act::masked_poll, 0, during);
        add(all, Act::suspend, 0, fails);
        for (unsigned int value : more ? some_values() : std::set<unsigned int>{})
            all.push_back({Act::announced_reset, value});
        all.insert(all.end(), faulty.begin(), faulty.end());
        all.push_back({Act::late});
        for (unsigned int i = 0; i < kind_.counters; i++)
            for (unsigned int number = 1; number <= span + 1; number++)
                all.push_back({Act::events, number, i});
        return all;
    }

    static constexpr u32 unreadable =
        MACSTATS_FAULT_UNPLUG | MACSTATS_FAULT_RESET_IN_PROGRESS | MACSTATS_FAULT_CLOCK_STOPPED;
    static constexpr const char* nowhere = "";

    const Kind& kind_;
    const Mutation& mutation_;
    const Hardware real_;
    Hardware believed_; // by the accumulator: the same, but for a mutation
    const unsigned int bits_;
    const s64 span_; // values of a counter
    const unsigned int most_incidents_;
    std::string first_; // state
    macstats_cell_set set_{};
    macstats_emulator emu_{};
    macstats_accumulator acc_{};
    Ghost ghost_{};
    Weather weather_{}; // of the step that runs
    Step step_{};
    bool fired_ = false; // what the step has in the middle of a poll
    int accesses_ = 0;
    unsigned int waits_ = 0;
    u64 last_ = 0;               // word that was read
    s64 during_[max_counters]{}; // events counted in the middle of a poll
    u64 began_[max_counters]{};  // the counter before the step, unless it may be cleared
    bool cleared_ones_ = false;  // a read of the step cleared a word of all-ones
    u64 was_saturated_[max_counters]{};
    u64 now_ns_ = begin_ns;
};

const Kind kinds[] = {
    {.name = "free-running", .full_words = true, .quick = 2, .longer = 3},
    {.name = "free-running, bound", .bound = true, .quick = 1, .longer = 2},
    {.name = "free-running, saturating",
     .overflow = MACSTATS_SATURATE,
     .clear = true,
     .quick = 2,
     .longer = 3},
    {.name = "free-running, latch",
     .latch = true,
     .quick = 1,
     .longer = 3,
     .one_incident = {3, 3, 5}},
    {.name = "cleared by reads",
     .onread = MACSTATS_ONREAD_RCLR,
     .busy = true,
     .quick = 2,
     .longer = 3},
    {.name = "cleared by reads, bound",
     .onread = MACSTATS_ONREAD_RCLR,
     .clocks = true,
     .bound = true,
     .quick = 1,
     .longer = 3},
    {.name = "cleared by reads, saturating",
     .onread = MACSTATS_ONREAD_RCLR,
     .overflow = MACSTATS_SATURATE,
     .full_words = true,
     .quick = 3,
     .longer = 5},
    {.name = "cleared by reads, latch",
     .onread = MACSTATS_ONREAD_RCLR,
     .latch = true,
     .quick = 2,
     .longer = 4,
     .one_incident = {3, 3, 5}},
    {.name = "cleared by reads, latch, saturating",
     .onread = MACSTATS_ONREAD_RCLR,
     .overflow = MACSTATS_SATURATE,
     .latch = true,
     .quick = 3,
     .longer = 5},
    {.name = "decremented",
     .onwrite = MACSTATS_ONWRITE_DECREMENT,
     .gate = true,
     .quick = 1,
     .longer = 2},
    {.name = "decremented, half-full",
     .onwrite = MACSTATS_ONWRITE_DECREMENT,
     .gate = true,
     .half_full = true,
     .quick = 0,
     .longer = 1,
     .one_incident = {1, 2, 5}},
    {.name = "decremented, saturating",
     .onwrite = MACSTATS_ONWRITE_DECREMENT,
     .overflow = MACSTATS_SATURATE,
     .gate = true,
     .quick = 1,
     .longer = 2},
    {.name = "snapshot",
     .snapshot = true,
     .clear = true,
     .quick = 0,
     .longer = 1,
     .one_incident = {3, 3, 5}},
    {.name = "snapshot, bound",
     .snapshot = true,
     .clear = true,
     .bound = true,
     .high_first = true,
     .quick = 0,
     .longer = 1},
    {.name = "snapshot, saturating",
     .overflow = MACSTATS_SATURATE,
     .snapshot = true,
     .clear = true,
     .quick = 0,
     .longer = 1},
    {.name = "two free-running, saturating",
     .counters = 2,
     .overflow = MACSTATS_SATURATE,
     .clear = true,
     .quick = 0,
     .longer = 1,
     .one_incident = {1, 2, 2}},
    {.name = "two cleared by reads",
     .counters = 2,
     .onread = MACSTATS_ONREAD_RCLR,
     .busy = true,
     .quick = 0,
     .longer = 1,
     .one_incident = {1, 2, 2}},
};

const Mutation none{};

} // namespace

BOOST_AUTO_TEST_SUITE(every_state)

// 0: short, 1: long, 2: full.
int effort() {
    return is_full() ? 2 : is_long() ? 1 : 0;
}

BOOST_AUTO_TEST_CASE(no_count_is_lost_without_a_report_and_no_total_goes_back) {
    Outcome all;

    for (const Kind& kind : kinds) {
        const unsigned int any = effort() ? kind.longer : kind.quick;

        for (unsigned int bits = 1; bits <= std::max(any, kind.one_incident[effort()]); bits++) {
            const Outcome outcome = World(kind, bits, none, bits <= any ? any_number : 1).search();
            BOOST_TEST(outcome.violation == "");
            std::cout << kind.name << ", " << bits << " bits, "
                      << (bits <= any ? "any incidents: " : "one incident: ") << outcome.states
                      << " states, " << outcome.steps << " transitions" << std::endl;
            all.states += outcome.states;
            all.steps += outcome.steps;
        }
    }
    std::cout << "all: " << all.states << " states, " << all.steps << " transitions\n";
}

// The search finds each of these accumulators, so it can fail.
BOOST_AUTO_TEST_CASE(wrong_accumulators_are_found) {
    const auto kind = [](const char* name) -> const Kind& {
        return *std::find_if(
            std::begin(kinds), std::end(kinds), [&](const Kind& one) { return one.name == name; });
    };
    const struct {
        const char* kind;
        Mutation mutation;
    } wrong[] = {
        {"free-running", {"a gap is no loss", nullptr, nullptr, MACSTATS_EVENT_POSSIBLE_LOSS}},
        {"free-running",
         {"a wrap takes twice as long", nullptr,
          [](macstats_accumulator& acc) {
              acc.max_gap_usecs = 2 * macstats_max_gap_usecs(acc.model, acc.model->line_rate_bps);
          }}},
        {"free-running",
         {"each poll reports a loss", nullptr,
          [](macstats_accumulator& acc) { acc.max_gap_usecs = 0; }}},
        {"free-running",
         {"reads clear", [](Hardware& model) { model.rows[0].onread = MACSTATS_ONREAD_RCLR; }}},
        {"free-running, bound", {"one bit more", [](Hardware& model) { model.rows[0].bits++; }}},
        {"free-running",
         {"each poll forgets its last value", nullptr,
          [](macstats_accumulator& acc) { acc.old[0] = 0; }}},
        {"free-running, bound",
         {"no bound", nullptr, [](macstats_accumulator& acc) { acc.line_rate_bound = false; }}},
        {"free-running, saturating",
         {"it rolls over", [](Hardware& model) { model.rows[0].overflow = MACSTATS_ROLLOVER; }}},
        {"free-running, saturating",
         {"a clear is not reported", nullptr, nullptr, MACSTATS_EVENT_DISCONTINUITY}},
        {"cleared by reads",
         {"reads clear nothing",
          [](Hardware& model) { model.rows[0].onread = MACSTATS_ONREAD_NONE; }}},
        {"cleared by reads", {"always ready", [](Hardware& model) { model.model.busy.mask = 0; }}},
        {"cleared by reads",
         {"discarded values are not reported", nullptr, nullptr, MACSTATS_EVENT_POSSIBLE_LOSS}},
        {"decremented", {"no gate", [](Hardware& model) { model.model.gate.mask = 0; }}},
        {"snapshot",
         {"no snapshot",
          [](Hardware& model) {
              model.model.blocks[0].snapshot_request.mask = 0;
              model.model.blocks[0].snapshot_granted.mask = 0;
          }}},
        {"snapshot",
         {"parity errors are not reported", nullptr, nullptr,
          MACSTATS_EVENT_PARITY_ERROR | MACSTATS_EVENT_DISCONTINUITY}},
    };

    for (const auto& one : wrong) {
        const Outcome outcome = World(kind(one.kind), 2, one.mutation, 1).search();

        BOOST_TEST(outcome.violation != "", one.mutation.name << " is not found");
        BOOST_TEST_MESSAGE(
            one.mutation.name << " is found after " << outcome.steps
                              << " transitions: " << outcome.violation);
    }
}

BOOST_AUTO_TEST_SUITE_END()
