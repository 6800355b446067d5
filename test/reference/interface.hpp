// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The common interface of the slow references: one port of a device, seen from
// outside. Frames cross its wire, anybody reads and writes its registers, faults
// occur, and a driver polls it as the datasheet prescribes.
#ifndef MACSTATS_TEST_REFERENCE_INTERFACE_HPP
#define MACSTATS_TEST_REFERENCE_INTERFACE_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <macstats/frame.h>

namespace macstats::reference {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// How a device is built or set up. A MAC ignores the options that it does not have.
struct Options {
    bool statistics = true;
    bool tx_statistics = true; // of one direction; they need `statistics`, too
    bool rx_statistics = true;
    bool half_duplex = false;
    bool fiber = false;
    bool vlan_detection = true;
    bool as_released = false; // as the RTL of the core is, where it differs from its guide
    u32 revision = 1;         // one bit, the lowest for the first revision of the hardware
    bool random = false;      // powers up with anything in the counters
    u32 slowness = 1;         // how often its speed goes into the line rate
};

enum class Fault {
    parity_error, // one, at once
    snapshot_stuck,
    snapshot_slow,
    bus_error,
    reset_in_progress,
    clock_stopped,
};

// The result of a bus read. Some reads may return anything.
struct Answer {
    enum class Kind {
        value,
        anything,
        bus_error,
        nobody
    };

    Kind kind = Kind::nobody;
    u32 value = 0;
    u32 certain = ~u32{0}; // bits of it
};

// A descriptor's word, and the bits of it that the datasheet defines.
struct Descriptor {
    u32 word = 0;
    u32 certain = ~u32{0};
};

// A counter as a datasheet lists it, and the string that ethtool shows of it.
struct CounterAt {
    const char* reg;
    const char* name;
    u32 address;
};

struct Counter {
    std::string name; // as the datasheet prints it, without _LO and _HI
    u32 address = 0;  // of its first word
    unsigned int bits = 0;
    bool described = false; // no register: the driver counts descriptors
    bool saturates = false; // a read clears it, and it stays at its maximum until then
};

// The state of a port that its user sees besides the totals.
struct State {
    bool stale = false;
    std::optional<bool> possible_loss = false; // unless it is uncertain
    u32 discontinuities = 0;
    bool unclear = false; // or one more, until somebody has looked
};

class Reference {
public:
    Reference(const Reference&) = delete;
    Reference& operator=(const Reference&) = delete;
    virtual ~Reference() = default;

    // @count frames alike cross the wire.
    void send(const macstats_frame& frame, u64 count) {
        const u64 octets = (frame.length < 64 ? 64 : frame.length) + 20u;
        const long double line = static_cast<long double>(count) * static_cast<long double>(octets);

        line_ += line;
        // Frames that collide are longer on the wire, and some others never get there.
        unsigned int attempts = 1u + frame.collisions;
        if (frame.errors & MACSTATS_ERR_LATE_COLLISION)
            attempts++;
        if (frame.errors & MACSTATS_ERR_EXCESSIVE_COLLISIONS)
            attempts += 16;
        most_line_ += line * attempts;
        if (frame.length >= 64 && frame.length <= 1500 && !frame.errors && !frame.collisions &&
            !frame.vlan_tags && frame.origin == MACSTATS_BY_SOFTWARE && is_reachable(false))
            least_line_ += line;
        count_frames(frame, count);
    }

    // The descriptors of this frame as the MAC and its driver leave them, if it has some.
    virtual std::vector<Descriptor> descriptors(const macstats_frame&) const { return {}; }

    // One access by anybody, at an address that counts from the base of the port.
    Answer read(u32 address) {
        if (bus_error_)
            return {Answer::Kind::bus_error};
        return accessed([&] { return read_register(address); });
    }

    // Answer::Kind::value: a register accepted the write, or ignored it in good order.
    Answer::Kind write(u32 address, u32 value) {
        if (bus_error_)
            return Answer::Kind::bus_error;
        return accessed([&] { return write_register(address, value); });
    }

    void fault(Fault fault, bool active) {
        if (fault == Fault::bus_error)
            bus_error_ = active;
        else
            set_fault(fault, active);
    }

    const std::vector<Counter>& counters() const { return counters_; }

    std::size_t index(std::string_view name) const {
        for (std::size_t i = 0; i < counters_.size(); i++)
            if (counters_[i].name == name)
                return i;
        throw std::out_of_range("no counter " + std::string(name));
    }

    // Sets a counter, as if all of the value had been counted before the driver first
    // looked. Counts up to now stay in the total.
    void preset(std::size_t i, u64 value) {
        note_unclear(i, false);
        if (in_use_ && (preset_[i] == Preset::lowered || !account(i, value_of(i), false, false))) {
            back_ = true;
            if (!clears(i, false) && is_back(i, value_of(i), false, false))
                cleared_[block_of(i)] = true;
        }
        set_value(i, value);
        held_[i] = value;
        known_[i] = true;
        preset_[i] = Preset::there;
    }

    // Time passes without a poll.
    void advance(u64 nanoseconds) { unpolled_ns_ += nanoseconds; }

    // The driver reads the port; the first time, it also sets it up. False: the driver
    // cannot read it, and the port is stale.
    bool poll() {
        if (is_absent())
            return true;
        // Descriptors come back whether or not registers can be read.
        for (std::size_t i = 0; i < counters_.size(); i++)
            if (counters_[i].described)
                total_[i] = described(i);
        baseline_ = !in_use_;
        if (in_use_ && !bus_error_ && !is_reachable(false) && was_reset()) {
            baseline_ = true;
            back_ = true;
        }
        const bool read = !bus_error_ && is_reachable(baseline_) && read_all();
        const bool good = read && !stands_still();

        state_.stale = !good;
        if (back_)
            state_.discontinuities++;
        state_.unclear |= may_be_one_more_ && !back_;
        back_ = may_be_one_more_ = false;
        if (read && !good && in_use_)
            state_.possible_loss = true;
        if (!good)
            return false;
        if (in_use_)
            find_losses();
        in_use_ = true;
        unpolled_ns_ = 0;
        line_ = most_line_ = least_line_ = 0;
        return true;
    }

    // The total that the user sees after that. Nothing: the total is unknown, because
    // a counter was written while its value was unknown.
    std::optional<u64> total(std::size_t i) const {
        if (lost_[i])
            return {};
        return total_[i];
    }

    // False: an access has subtracted more than was counted. The total is then
    // whatever the difference of two values yields. Or nobody has taken one of two totals.
    bool is_certain(std::size_t i) const { return certain_[i] && !lost_[i] && !or_total_[i]; }

    // The device was built without this counter, but has others.
    virtual bool lacks(std::size_t) const { return false; }

    const State& state() const { return state_; }

    // A poll may have shown that counters of unknown values were cleared, or not: the accumulator
    // has seen them, and what it says is true from then on if it is one of the two.
    void take_discontinuities(u32 seen) {
        if (state_.unclear && seen == state_.discontinuities + 1)
            state_.discontinuities = seen;
        state_.unclear = false;
    }
    void take_total(std::size_t i, u64 seen) {
        if (or_total_[i] == seen)
            total_[i] = seen;
        or_total_[i].reset();
    }

protected:
    Reference(std::vector<Counter> counters, const Options& options)
        : slowness_(options.slowness),
          counters_(std::move(counters)),
          held_(counters_.size()),
          total_(counters_.size()),
          known_(counters_.size(), !options.random),
          certain_(counters_.size(), true),
          preset_(counters_.size(), Preset::none),
          lost_(counters_.size(), false),
          may_be_back_(counters_.size(), false),
          or_total_(counters_.size()) {}

    virtual void count_frames(const macstats_frame& frame, u64 count) = 0;
    virtual Answer read_register(u32 address) = 0;
    virtual Answer::Kind write_register(u32 address, u32 value) = 0;
    virtual void set_fault(Fault fault, bool active) = 0;

    // The live count of a counter register, also while a snapshot freezes it.
    virtual u64 value_of(std::size_t i) = 0;
    virtual void set_value(std::size_t i, u64 value) = 0;
    // The driver has read this from a counter. Returns what is left there.
    virtual u64 after_read(std::size_t i, u64 value) = 0;
    virtual u64 described(std::size_t) const { return 0; }

    // Does a read of the driver clear the counter: now, while it @polls, or at its last poll?
    virtual bool clears(std::size_t i, bool) const { return counters_[i].saturates; }
    // Has it stayed at its maximum, whenever it got there since the last poll?
    virtual bool stays(std::size_t i, bool) const { return counters_[i].saturates; }
    // Or at some time, until it was allowed to roll over?
    virtual bool may_have_stayed(std::size_t) const { return false; }
    // Bits keep the counters as they are, which frames must not be missed by.
    virtual bool stands_still() const { return false; }
    // The device was built without the counters, and reports it.
    virtual bool is_absent() const { return false; }
    // May the driver read the counters, if it asks @first_time or again?
    virtual bool is_reachable(bool first_time) const = 0;
    // Counters of a block are cleared together.
    virtual std::size_t block_of(std::size_t) const { return 0; }
    // Does the block report a damaged value in its memory?
    virtual bool is_damaged(std::size_t) const { return false; }
    // Do the counters show a reset, behind a gate that is closed?
    virtual bool was_reset() { return false; }
    // The driver sets the port up before its first read.
    virtual void take_into_use() {}
    // The driver asks for a snapshot. False: it is not granted.
    virtual bool freeze() { return true; }
    // The driver releases the snapshot.
    virtual void release() {}
    // The shortest time in which a counter wraps, at line rate.
    virtual u64 wrap_ns() const = 0;
    // The fewest octet times of frames in which one can wrap.
    virtual u64 wrap_octets() const { return u64{1} << 32; }

    // The register at this address, if it is a counter.
    std::optional<std::size_t> counter_at(u32 address) const {
        for (std::size_t i = 0; i < counters_.size(); i++)
            if (!counters_[i].described && counters_[i].address == address)
                return i;
        return {};
    }

    // Somebody has moved a counter from one value to another.
    void disturbed(std::size_t i, u64 from, u64 to) {
        if (in_use_ && !known_[i])
            lose(i);
        if (preset_[i] == Preset::none && takes_held(i, from, to))
            certain_[i] = false;
    }

    // This access has added to counters, as frames do.
    void raise() { raised_ = true; }

    // Behind a closed gate, do the counters show a reset? Those that had counted tell.
    bool are_cleared() {
        bool counted = false;

        for (std::size_t i = 0; i < counters_.size(); i++) {
            if (!held_[i])
                continue;
            if (!known_[i] || value_of(i))
                return false;
            counted = true;
        }
        return counted;
    }

    bool is_known(std::size_t i) const { return known_[i]; }
    void set_known(std::size_t i) { known_[i] = true; }
    bool is_in_use() const { return in_use_; }

private:
    static constexpr u64 most_ = ~u64{0} - 1; // the last value means that there is none

    // What a preset has put into a counter that was not read since.
    enum class Preset {
        none,
        there,
        lowered
    };

    // Does somebody take more than was counted since the last read or preset?
    bool takes_held(std::size_t i, u64 from, u64 to) const {
        return ((from - to) & mask(i)) > ((from - held_[i]) & mask(i));
    }

    // An access by anybody, which may lower a counter that was preset.
    template <typename F>
    std::invoke_result_t<F> accessed(F access) {
        std::vector<u64> before(counters_.size());

        raised_ = false;
        for (std::size_t i = 0; i < before.size(); i++)
            if (preset_[i] == Preset::there)
                before[i] = value_of(i);
        const auto answer = access();
        for (std::size_t i = 0; i < before.size(); i++)
            if (preset_[i] == Preset::there && !raised_ && takes_held(i, before[i], value_of(i)))
                preset_[i] = Preset::lowered;
        return answer;
    }

    // One of 64 bits may have gone back, which would show that its block was cleared.
    void lose(std::size_t i) {
        lost_[i] = true;
        may_be_back_[i] = counters_[i].bits == 64;
    }

    // A counter that reads clear shows nothing of the others of its block.
    void note_unclear(std::size_t i, bool polls) {
        if (!may_be_back_[i])
            return;
        may_be_back_[i] = false;
        may_be_one_more_ = true;
        if (!clears(i, polls))
            unclear_[block_of(i)] = true;
    }

    u64 mask(std::size_t i) const {
        return counters_[i].bits == 64 ? ~u64{0} : (u64{1} << counters_[i].bits) - 1;
    }

    // Has a counter of 64 bits gone back, by more than what it may have rolled over? Or, in
    // a block where values may be damaged, does it need more than the line has carried?
    bool is_back(std::size_t i, u64 value, bool damaged, bool polls = true) {
        // A millisecond at 40 Gb/s, and the longest frame.
        const long double octets = line_ + 5000000 + 65535 + 20;
        const u64 events = value - held_[i];

        if (stays(i, polls))
            return value < held_[i];
        if (counters_[i].bits != 64)
            return false;
        if (!damaged)
            return value < held_[i] && events > (u64{1} << 32);
        // How much of the line an event takes depends on the counter: some is uncertain.
        if (value < held_[i] && !(events >> 63) &&
            static_cast<long double>(events) > octets / 2000 &&
            static_cast<long double>(events) <= octets)
            lost_[i] = true;
        return events >> 63 || static_cast<long double>(events) > octets;
    }

    // The totals go on by what is new, and stay at the largest one. False: it was not added.
    bool account(std::size_t i, u64 value, bool damaged, bool polls = true) {
        if (is_back(i, value, damaged, polls))
            return false;
        total_[i] += std::min((value - held_[i]) & mask(i), most_ - total_[i]);
        return true;
    }

    // One counter that goes back shows that its block was cleared.
    void find_cleared_blocks() {
        for (std::size_t i = 0; i < counters_.size(); i++)
            note_unclear(i, true);
        for (std::size_t i = 0; i < counters_.size(); i++)
            if (!counters_[i].described && !clears(i, true) && !is_damaged(block_of(i)) &&
                is_back(i, value_of(i), false))
                cleared_[block_of(i)] = true;
    }

    // By the time, or by the octet times.
    void find_losses() {
        const bool wraps = wrap_ns() != ~u64{0};
        const auto span = static_cast<long double>(wrap_octets());

        if (unpolled_ns_ / slowness_ > wrap_ns() || (wraps && least_line_ >= span))
            state_.possible_loss = true;
        else if (wraps && most_line_ >= span && state_.possible_loss == false)
            state_.possible_loss.reset();
    }

    bool read_all() {
        if (baseline_)
            take_into_use();
        const bool frozen = freeze();

        if (frozen && !baseline_)
            find_cleared_blocks();
        for (std::size_t i = 0; frozen && i < counters_.size(); i++) {
            if (counters_[i].described)
                continue;
            const u64 value = value_of(i);

            const bool rolled = value < held_[i] && may_have_stayed(i);

            // A preset may have shown it before a poll that failed.
            if (!baseline_ && unclear_[block_of(i)] && !clears(i, true)) {
                may_be_one_more_ = true;
                if (!or_total_[i])
                    or_total_[i] = total_[i];
            }
            if (!baseline_ &&
                ((cleared_[block_of(i)] && !clears(i, true)) || preset_[i] == Preset::lowered ||
                 !account(i, value, is_damaged(block_of(i)))))
                back_ = true;
            else if (!baseline_ && rolled)
                state_.possible_loss = true;
            preset_[i] = Preset::none;
            held_[i] = after_read(i, value);
        }
        if (frozen) {
            std::fill(std::begin(cleared_), std::end(cleared_), false);
            std::fill(std::begin(unclear_), std::end(unclear_), false);
            std::fill(may_be_back_.begin(), may_be_back_.end(), false);
        }
        release();
        return frozen;
    }

    u64 slowness_;
    std::vector<Counter> counters_;
    std::vector<u64> held_; // what each held after the last poll
    std::vector<u64> total_;
    std::vector<bool> known_;
    std::vector<bool> certain_;
    std::vector<Preset> preset_;
    std::vector<bool> lost_;
    State state_;
    u64 unpolled_ns_ = 0;
    long double line_ = 0; // octet times since the last good poll
    long double most_line_ = 0;
    long double least_line_ = 0;
    bool in_use_ = false;
    bool baseline_ = false;
    bool back_ = false;
    bool raised_ = false;
    bool cleared_[3] = {}; // blocks, since the last poll
    bool unclear_[3] = {}; // whether they were
    bool may_be_one_more_ = false;
    std::vector<bool> may_be_back_;
    std::vector<std::optional<u64>> or_total_;
    bool bus_error_ = false;
};

} // namespace macstats::reference

#endif // MACSTATS_TEST_REFERENCE_INTERFACE_HPP
