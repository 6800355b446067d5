// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// What the slow references of all MACs have in common: one port of a device as who
// stands before it sees it. Frames cross its wire, anybody reads and writes its
// registers, things go wrong, and a driver polls it as the datasheet tells it to.
#ifndef MACSTATS_TEST_REFERENCE_INTERFACE_HPP
#define MACSTATS_TEST_REFERENCE_INTERFACE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <macstats/frame.h>

namespace macstats::reference {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

// How a device is built or set up; what a MAC has no such thing of does not matter.
struct Options {
    bool statistics = true;
    bool half_duplex = false;
    bool fiber = false;
    bool vlan_detection = true;
    bool as_released = false; // as the RTL of the core is, where it differs from its guide
    bool random = false;      // powers up with anything in the counters
};

enum class Fault {
    parity_error, // one, at once
    snapshot_stuck,
    snapshot_slow,
    bus_error,
    reset_in_progress,
    clock_stopped,
};

// What a bus read gives. Some reads may give anything.
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
};

// What a user is told of a port besides its totals.
struct State {
    bool stale = false;
    bool possible_loss = false;
    u32 discontinuities = 0;
};

class Reference {
public:
    Reference(const Reference&) = delete;
    Reference& operator=(const Reference&) = delete;
    virtual ~Reference() = default;

    // @count frames alike cross the wire.
    virtual void send(const macstats_frame& frame, u64 count) = 0;

    // What the MAC writes into the descriptor of this frame, if it has one.
    virtual std::optional<u32> descriptor(const macstats_frame&) const { return {}; }

    // One access by anybody, at an address that counts from the base of the port.
    Answer read(u32 address) {
        if (bus_error_)
            return {Answer::Kind::bus_error};
        return read_register(address);
    }

    // Answer::Kind::value: somebody took notice, or ignored it in good order.
    Answer::Kind write(u32 address, u32 value) {
        if (bus_error_)
            return Answer::Kind::bus_error;
        return write_register(address, value);
    }

    void fault(Fault fault, bool active) {
        if (fault == Fault::bus_error)
            bus_error_ = active;
        else
            suffer(fault, active);
    }

    const std::vector<Counter>& counters() const { return counters_; }

    std::size_t index(std::string_view name) const {
        for (std::size_t i = 0; i < counters_.size(); i++)
            if (counters_[i].name == name)
                return i;
        throw std::out_of_range("no counter " + std::string(name));
    }

    // The counter holds this value now, as if all of it had been counted before the
    // driver first looked. What it had counted is not lost.
    void preset(std::size_t i, u64 value) {
        if (in_use_)
            account(i, value_of(i));
        set_value(i, value);
        held_[i] = value;
        known_[i] = true;
    }

    // Time passes without a poll.
    void advance(u64 nanoseconds) { unpolled_ns_ += nanoseconds; }

    // The driver reads the port, for the first time to take it into use. False: it
    // cannot, and the port is stale.
    bool poll() {
        if (is_absent())
            return true;
        // Descriptors come back whether or not registers can be read.
        for (std::size_t i = 0; i < counters_.size(); i++)
            if (counters_[i].described)
                total_[i] = described(i);
        const bool good = !bus_error_ && is_reachable(!in_use_) && read_all();

        state_.stale = !good;
        if (back_)
            state_.discontinuities++;
        back_ = false;
        if (!good)
            return false;
        if (in_use_ && unpolled_ns_ > wrap_ns())
            state_.possible_loss = true;
        in_use_ = true;
        unpolled_ns_ = 0;
        return true;
    }

    // What the user sees of a counter after that. Nothing: it cannot be told, as somebody
    // has written to a counter of which nobody knew what it held.
    std::optional<u64> total(std::size_t i) const {
        if (lost_[i])
            return {};
        return total_[i];
    }

    // False: somebody has taken away more than was counted, so that the total is what
    // the difference of two values happens to be.
    bool is_certain(std::size_t i) const { return certain_[i] && !lost_[i]; }

    const State& state() const { return state_; }

protected:
    Reference(std::vector<Counter> counters, bool random)
        : counters_(std::move(counters)),
          held_(counters_.size()),
          total_(counters_.size()),
          known_(counters_.size(), !random),
          certain_(counters_.size(), true),
          lost_(counters_.size(), false) {}

    virtual Answer read_register(u32 address) = 0;
    virtual Answer::Kind write_register(u32 address, u32 value) = 0;
    virtual void suffer(Fault fault, bool active) = 0;

    // What a counter that is a register has counted, frozen or not.
    virtual u64 value_of(std::size_t i) = 0;
    virtual void set_value(std::size_t i, u64 value) = 0;
    // The driver has read this from a counter. Returns what is left there.
    virtual u64 after_read(std::size_t i, u64 value) = 0;
    virtual u64 described(std::size_t) const { return 0; }

    // Built without the counters, and telling so.
    virtual bool is_absent() const { return false; }
    // May the driver read the counters, if it asks @first_time or again?
    virtual bool is_reachable(bool first_time) const = 0;
    // What the driver does before it reads for the first time.
    virtual void take_into_use() {}
    // The driver asks for a snapshot. False: it is not granted.
    virtual bool freeze() { return true; }
    // ... and lets go of it.
    virtual void release() {}
    // The shortest time in which a counter wraps.
    virtual u64 wrap_ns() const = 0;

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
            lost_[i] = true;
        if (((from - to) & mask(i)) > ((from - held_[i]) & mask(i)))
            certain_[i] = false;
    }

    bool is_known(std::size_t i) const { return known_[i]; }
    void set_known(std::size_t i) { known_[i] = true; }
    bool is_in_use() const { return in_use_; }

private:
    u64 mask(std::size_t i) const {
        return counters_[i].bits == 64 ? ~u64{0} : (u64{1} << counters_[i].bits) - 1;
    }

    // The totals go on by what is new. 64 bits do not wrap in a lifetime: what goes back
    // has been cleared.
    void account(std::size_t i, u64 value) {
        if (counters_[i].bits == 64 && value < held_[i])
            back_ = true;
        else
            total_[i] += (value - held_[i]) & mask(i);
    }

    bool read_all() {
        if (!in_use_)
            take_into_use();
        const bool frozen = freeze();

        for (std::size_t i = 0; frozen && i < counters_.size(); i++) {
            if (counters_[i].described)
                continue;
            const u64 value = value_of(i);

            if (in_use_)
                account(i, value);
            held_[i] = after_read(i, value);
        }
        release();
        return frozen;
    }

    std::vector<Counter> counters_;
    std::vector<u64> held_; // what each held after the last poll
    std::vector<u64> total_;
    std::vector<bool> known_;
    std::vector<bool> certain_;
    std::vector<bool> lost_;
    State state_;
    u64 unpolled_ns_ = 0;
    bool in_use_ = false;
    bool back_ = false;
    bool bus_error_ = false;
};

} // namespace macstats::reference

#endif // MACSTATS_TEST_REFERENCE_INTERFACE_HPP
