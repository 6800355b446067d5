// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// What the unit tests share: frames in few words, an emulated port, and a bus
// between an emulated port and an accumulator that a test can look into. No
// knowledge of any model.
#ifndef MACSTATS_TEST_FIXTURE_HPP
#define MACSTATS_TEST_FIXTURE_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <macstats/accumulator.h>
#include <macstats/emulator.h>

namespace macstats::test {

// The types of the headers under test, by names that do not get in the way.
using u8 = __u8;
using u16 = __u16;
using u32 = __u32;
using u64 = __u64;

inline constexpr u8 directions[] = {MACSTATS_RX, MACSTATS_TX};
inline constexpr u16 good_and_bad[] = {0, MACSTATS_ERR_FCS};

// A good unicast data frame until something else is said of it.
struct Frame : macstats_frame {
    constexpr Frame(u8 direction_, u32 length_) : macstats_frame{} {
        direction = direction_;
        destination = MACSTATS_UNICAST;
        kind = MACSTATS_DATA;
        origin = MACSTATS_BY_SOFTWARE;
        length = length_;
    }

    constexpr Frame to(macstats_destination value) const {
        Frame frame = *this;
        frame.destination = static_cast<u8>(value);
        return frame;
    }

    constexpr Frame as(macstats_kind value) const {
        Frame frame = *this;
        frame.kind = static_cast<u8>(value);
        return frame;
    }

    constexpr Frame tagged(u8 tags = 1) const {
        Frame frame = *this;
        frame.vlan_tags = tags;
        return frame;
    }

    constexpr Frame with(u16 value) const {
        Frame frame = *this;
        frame.errors = value;
        return frame;
    }

    constexpr Frame bad() const { return with(MACSTATS_ERR_FCS); }
};

constexpr Frame rx(u32 length) {
    return {MACSTATS_RX, length};
}

constexpr Frame tx(u32 length) {
    return {MACSTATS_TX, length};
}

inline std::ostream& operator<<(std::ostream& out, const macstats_frame& frame) {
    return out << (frame.direction == MACSTATS_RX ? "rx" : "tx") << " length " << frame.length
               << " destination " << +frame.destination << " kind " << +frame.kind << " tags "
               << +frame.vlan_tags << " errors " << frame.errors;
}

// How a port comes up, where it differs from the model's defaults.
struct Setup {
    unsigned int lanes = 1;
    u8 with = 0;    // options on
    u8 without = 0; // options off
    bool random = false;
    u64 seed = 0;
};

class Port {
public:
    explicit Port(const macstats_model& model, const Setup& setup = {})
        : lanes_(setup.lanes),
          model_(model) {
        for (macstats_lane& lane : lanes_)
            pointers_.push_back(&lane);
        power_up(setup);
    }

    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

    void power_up(const Setup& setup) {
        auto options = static_cast<u8>((model_.default_options | setup.with) & ~setup.without);
        macstats_lanes lanes = all_lanes();

        macstats_emulator_power_up(&emu_, &model_, &lanes, options, setup.random, setup.seed);
    }

    // As traffic does it: by a cell if the class has one.
    void send(const macstats_frame& frame, u64 count = 1, unsigned int lane = 0) {
        if (!send_common(frame, count, lane))
            send_rare(frame, count);
    }

    bool send_common(const macstats_frame& frame, u64 count = 1, unsigned int lane = 0) {
        return macstats_count_common(&emu_, &lanes_.at(lane), &frame, count);
    }

    void send_rare(const macstats_frame& frame, u64 count = 1) {
        macstats_lanes lanes = all_lanes();

        macstats_count_rare(&emu_, &lanes, &frame, count);
    }

    // 0 or -errno, as the bus sees it.
    int try_read(u32 offset, u64& value) {
        macstats_lanes lanes = all_lanes();

        return macstats_emulator_read(&emu_, &lanes, offset, &value);
    }

    int try_write(u32 offset, u64 value) {
        macstats_lanes lanes = all_lanes();

        return macstats_emulator_write(&emu_, &lanes, offset, value);
    }

    u64 read(u32 offset) {
        u64 value = 0;
        int err = try_read(offset, value);

        if (err)
            throw std::runtime_error(
                "read of " + std::to_string(offset) + " failed with " + std::to_string(err));
        return value;
    }

    void write(u32 offset, u64 value) {
        int err = try_write(offset, value);

        if (err)
            throw std::runtime_error(
                "write of " + std::to_string(offset) + " failed with " + std::to_string(err));
    }

    // A LO/HI pair of 32-bit words at two adjacent word addresses.
    u64 pair(u32 low) {
        u64 value = read(low);

        return value | read(low + 1) << 32;
    }

    // What the counter held before.
    u64 preset(unsigned int counter, u64 value) {
        macstats_lanes lanes = all_lanes();

        return macstats_emulator_preset(&emu_, &lanes, counter, value);
    }

    void fault(macstats_fault which, bool active = true) {
        macstats_emulator_fault(&emu_, static_cast<u8>(which), active);
    }

    macstats_lanes all_lanes() const {
        return {pointers_.data(), static_cast<unsigned int>(pointers_.size())};
    }

    macstats_emulator& emulator() { return emu_; }
    const macstats_model& model() const { return model_; }

private:
    std::vector<macstats_lane> lanes_;
    std::vector<macstats_lane*> pointers_;
    const macstats_model& model_;
    macstats_emulator emu_{};
};

// The bus between a port and an accumulator. Hooks run at every word, so that a
// test can let the world move on between two of them.
class Bus {
public:
    struct Access {
        u32 address;
        u64 value;

        bool operator==(const Access&) const = default;
    };

    explicit Bus(Port& port, u32 base = 0) : port_(port), base_(base) {}

    Bus(const Bus&) = delete;
    Bus& operator=(const Bus&) = delete;

    macstats_bus ops() { return {this, read, write, wait, nullptr}; }

    std::function<void(u32 address)> before_read;
    std::function<void(u32 address)> before_write;
    std::vector<Access> writes;
    std::vector<unsigned int> bulk; // words of each read of several
    int fail_writes = 0;            // -errno of every write
    unsigned int reads = 0;         // words
    unsigned int waits = 0;

private:
    static int read(void* context, __u32 address, __u64* values, unsigned int words) {
        Bus& bus = *static_cast<Bus*>(context);
        u32 step = macstats_word_step(&bus.port_.model());

        if (words > 1)
            bus.bulk.push_back(words);
        for (unsigned int i = 0; i < words; i++) {
            u32 offset = address + i * step - bus.base_;
            u64 value = 0;

            if (bus.before_read)
                bus.before_read(offset);
            bus.reads++;
            if (int err = bus.port_.try_read(offset, value))
                return err;
            values[i] = value;
        }
        return 0;
    }

    static int write(void* context, __u32 address, __u64 value) {
        Bus& bus = *static_cast<Bus*>(context);
        u32 offset = address - bus.base_;

        if (bus.before_write)
            bus.before_write(offset);
        if (bus.fail_writes)
            return bus.fail_writes;
        bus.writes.push_back({offset, value});
        return bus.port_.try_write(offset, value);
    }

    static void wait(void* context) { static_cast<Bus*>(context)->waits++; }

    Port& port_;
    u32 base_;
};

inline std::ostream& operator<<(std::ostream& out, const Bus::Access& access) {
    return out << std::hex << access.address << ":=" << access.value << std::dec;
}

// A port, taken into use by an accumulator at time 0.
class Polled {
public:
    explicit Polled(const macstats_model& model, const Setup& setup = {}, u32 base = 0)
        : port(model, setup),
          bus(port, base) {
        acc.model = &model;
        acc.bus = bus.ops();
        acc.base = base;
        started = macstats_start(&acc, 0);
        bus.writes.clear();
        bus.bulk.clear();
        bus.waits = 0;
        bus.reads = 0;
    }

    // One poll a millisecond after the last one.
    int poll() { return poll_at(now_ns_ + 1000000); }

    int poll_at(u64 now_ns) {
        now_ns_ = now_ns;
        return macstats_poll(&acc, now_ns, &events);
    }

    // The total of a counter, by the name that the datasheet gives it.
    u64 total(const std::string& reg) const { return acc.totals[index(reg)]; }

    unsigned int index(const std::string& reg) const {
        for (unsigned int i = 0; i < acc.model->n_counters; i++)
            if (reg == acc.model->counters[i].reg)
                return i;
        throw std::runtime_error("no counter " + reg);
    }

    std::vector<u64> totals() const { return {acc.totals, acc.totals + acc.model->n_counters}; }

    // As the emulator and its user do it together.
    void preset(const std::string& reg, u64 value) {
        unsigned int i = index(reg);

        macstats_preset(&acc, i, port.preset(i, value), value);
    }

    Port port;
    Bus bus;
    macstats_accumulator acc{};
    unsigned int events = 0;
    int started = 0;

private:
    u64 now_ns_ = 0;
};

// The same numbers on every machine, which the standard's distributions are not.
class Random {
public:
    explicit Random(u64 seed) : engine_(seed) {}

    u64 next() { return engine_(); }
    u32 below(u64 limit) { return static_cast<u32>(engine_() % limit); }
    u32 between(u32 low, u32 high) { return low + below(high - low + 1ull); }
    bool one_in(u32 n) { return below(n) == 0; }

private:
    std::mt19937_64 engine_;
};

// Any frame that can be described, with an emphasis on where classes meet.
inline Frame random_frame(Random& random, u32 near_max = 9600) {
    static constexpr u32 edges[] = {1,   8,   9,   18,   63,   64,   65,   127,  128,  255,
                                    256, 511, 512, 1023, 1024, 1518, 1519, 1522, 65535};
    static constexpr macstats_destination destinations[] = {
        MACSTATS_UNICAST, MACSTATS_MULTICAST, MACSTATS_BROADCAST};
    static constexpr macstats_kind kinds[] = {MACSTATS_DATA,    MACSTATS_DATA,  MACSTATS_DATA,
                                              MACSTATS_CONTROL, MACSTATS_PAUSE, MACSTATS_PFC};
    Frame frame(random.one_in(2) ? MACSTATS_RX : MACSTATS_TX, 1);

    frame = frame.to(destinations[random.below(3)]).as(kinds[random.below(std::size(kinds))]);
    switch (random.below(4)) {
    case 0:
        frame.length = edges[random.below(std::size(edges))];
        break;
    case 1:
        frame.length = random.between(
            near_max > 2 ? near_max - 2 : 1, std::min<u32>(near_max + 2, MACSTATS_FRAME_MAX));
        break;
    case 2:
        frame.length = random.between(1, 1600);
        break;
    default:
        frame.length = random.between(1, 12000);
        break;
    }
    if (random.one_in(3))
        frame.vlan_tags = static_cast<u8>(random.below(3));
    if (random.one_in(3))
        frame.errors = MACSTATS_ERR_FCS;
    if (random.one_in(8))
        frame.errors = static_cast<u16>(frame.errors | MACSTATS_ERR_PAYLOAD_LENGTH);
    return frame;
}

} // namespace macstats::test

#endif // MACSTATS_TEST_FIXTURE_HPP
