// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Shared parts of the unit tests: frames in few words, emulated ports and chips, a bus
// between an emulated port and an accumulator that a test can look into, random
// frames, and copies of models to make wrong. No knowledge of any model.
#ifndef MACSTATS_TEST_FIXTURE_HPP
#define MACSTATS_TEST_FIXTURE_HPP

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/emulate/emulator.h>
#include <macstats/poll.h>
#include <macstats/standard.h>

#include "descriptors.hpp"
#include "effort.hpp"
#include "random.hpp"
#include "roles.hpp"

namespace macstats::test {

// The types of the headers under test, by names that do not get in the way.
using u8 = __u8;
using u16 = __u16;
using u32 = __u32;
using u64 = __u64;

inline constexpr u8 directions[] = {MACSTATS_RX, MACSTATS_TX};

// A good unicast data frame by default.
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

    constexpr Frame by(macstats_origin value) const {
        Frame frame = *this;
        frame.origin = static_cast<u8>(value);
        return frame;
    }

    constexpr Frame tagged(u8 tags = 1) const {
        Frame frame = *this;
        frame.vlan_tags = tags;
        return frame;
    }

    constexpr Frame collided(unsigned int times) const {
        Frame frame = *this;
        frame.collisions = static_cast<u8>(times);
        return frame;
    }

    constexpr Frame late_start() const {
        Frame frame = *this;
        frame.deferred = true;
        return frame;
    }

    constexpr Frame with(unsigned int value) const {
        Frame frame = *this;
        frame.errors = static_cast<u16>(value);
        return frame;
    }

    constexpr Frame bad() const { return with(MACSTATS_ERR_FCS); }

    constexpr Frame in(unsigned int descriptors_) const {
        Frame frame = *this;
        frame.descriptors = static_cast<u8>(descriptors_);
        return frame;
    }

    // The first descriptor decides in place of a register.
    constexpr Frame with_crc(bool on) const {
        Frame frame = *this;
        frame.append_crc = on ? MACSTATS_CONTROL_ON : MACSTATS_CONTROL_OFF;
        return frame;
    }

    constexpr Frame with_huge(bool on) const {
        Frame frame = *this;
        frame.huge = on ? MACSTATS_CONTROL_ON : MACSTATS_CONTROL_OFF;
        return frame;
    }
};

constexpr Frame rx(u32 length) {
    return {MACSTATS_RX, length};
}

constexpr Frame tx(u32 length) {
    return {MACSTATS_TX, length};
}

// One that the MAC makes up, as flow control needs it.
constexpr Frame mac_pause() {
    return tx(64).to(MACSTATS_MULTICAST).as(MACSTATS_PAUSE).by(MACSTATS_BY_MAC);
}

inline std::ostream& operator<<(std::ostream& out, const macstats_frame& frame) {
    return out << (frame.direction == MACSTATS_RX ? "rx" : "tx") << " length " << frame.length
               << " destination " << +frame.destination << " kind " << +frame.kind << " origin "
               << +frame.origin << " tags " << +frame.vlan_tags << " errors " << frame.errors
               << " collisions " << +frame.collisions << (frame.deferred ? " deferred" : "")
               << " descriptors " << macstats_descriptors(&frame) << " append_crc "
               << +frame.append_crc << " huge " << +frame.huge;
}

// The row of a counter, by the name that the datasheet gives it.
inline unsigned int counter_index(const macstats_model& model, std::string_view reg) {
    for (unsigned int i = 0; i < model.n_counters; i++)
        if (reg == model.counters[i].reg)
            return i;
    throw std::runtime_error("no counter " + std::string(reg));
}

// How a port comes up, where it differs from the model's defaults.
// Without it, a device of any model has no counters.
inline constexpr u16 all_statistics =
    MACSTATS_OPT_STATISTICS | MACSTATS_OPT_TX_STATISTICS | MACSTATS_OPT_RX_STATISTICS;

struct Setup {
    unsigned int cell_set = 1;
    u16 with = 0;    // options on
    u16 without = 0; // options off
    bool random = false;
    u64 seed = 0;
};

// The option of the first revision that has a counter.
inline u16 revision_with(const macstats_counter& counter) {
    for (const unsigned int later : {0u, 1u, 2u, 4u})
        if (macstats_in_revision(&counter, macstats_revision(later * MACSTATS_OPT_REVISION_2)))
            return static_cast<u16>(later * MACSTATS_OPT_REVISION_2);
    return 0;
}

class Port {
public:
    explicit Port(const macstats_model& model, const Setup& setup = {})
        : cell_set_(setup.cell_set),
          model_(model) {
        for (macstats_cpu_cells& cpu_cells : cell_set_)
            pointers_.push_back(&cpu_cells);
        power_up(setup);
    }

    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;

    void power_up(const Setup& setup) {
        auto options = static_cast<u16>((model_.default_options | setup.with) & ~setup.without);
        macstats_cell_set cell_set = whole_set();

        macstats_emulator_power_up(&emu_, &model_, &cell_set, options, setup.random, setup.seed);
    }

    void send(const macstats_frame& frame, u64 count = 1, unsigned int cpu_cells = 0) {
        macstats_cell_set cell_set = whole_set();

        macstats_emulator_count(&emu_, &cell_set, &cell_set_.at(cpu_cells), &frame, count);
    }

    // As if no cell were left.
    void send_at_once(const macstats_frame& frame, u64 count = 1) {
        const macstats_seen seen = macstats_see(&emu_, &frame);
        macstats_cell_set cell_set = whole_set();

        if (macstats_is_counted(&seen))
            macstats_count_at_once(&emu_, &cell_set, &seen, count);
    }

    // 0 or -errno. The owner of the counts, or somebody else.
    int try_read(u32 offset, u64& value, bool foreign = true) {
        macstats_cell_set cell_set = whole_set();
        const int err = (foreign ? macstats_foreign_read : macstats_emulator_read)(
            &emu_, &cell_set, offset, &value);

        if (after_read)
            after_read(offset, err, value);
        return err;
    }

    // An access of 64 bits by the owner of the counts.
    int try_read64(u32 offset, u64& value) {
        macstats_cell_set cell_set = whole_set();
        const int err = macstats_emulator_read64(&emu_, &cell_set, offset, &value);

        if (after_read)
            after_read(offset, err, value);
        return err;
    }

    int try_write(u32 offset, u64 value, bool foreign = true) {
        macstats_cell_set cell_set = whole_set();
        const int err = (foreign ? macstats_foreign_write : macstats_emulator_write)(
            &emu_, &cell_set, offset, value);

        if (after_write)
            after_write(offset, err, value);
        return err;
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

    // A register of one word, by the name of its counter in the datasheet.
    u64 read(std::string_view reg) { return read(offset_of(reg)); }
    void write(std::string_view reg, u64 value) { write(offset_of(reg), value); }

    // A LO/HI pair of 32-bit words at two adjacent word addresses.
    u64 pair(u32 low) {
        u64 value = read(low);

        return value | read(low + 1) << 32;
    }

    // Sets a counter register. Returns its value before.
    u64 preset(unsigned int counter, u64 value) {
        macstats_cell_set cell_set = whole_set();

        return macstats_emulator_preset(&emu_, &cell_set, counter, value);
    }

    void fault(macstats_fault which, bool active = true) {
        fault(macstats_fault_request{
            .faults = which, .active = active, .during_read = false, .argument = 0});
    }

    void fault(const macstats_fault_request& request) {
        const macstats_cell_set cell_set = whole_set();

        if (macstats_fault_check(&model_, &request))
            throw std::invalid_argument("a fault that the model does not support");
        macstats_emulator_fault(&emu_, &cell_set, &request);
    }

    macstats_cell_set whole_set() const {
        return {pointers_.data(), static_cast<unsigned int>(pointers_.size())};
    }

    macstats_emulator& emulator() { return emu_; }
    const macstats_emulator& emulator() const { return emu_; }
    const macstats_model& model() const { return model_; }

    // Called with the result of every access, also those of the driver.
    std::function<void(u32 offset, int err, u64& value)> after_read;
    std::function<void(u32 offset, int err, u64 value)> after_write;

private:
    u32 offset_of(std::string_view reg) const {
        return model_.counters[counter_index(model_, reg)].offset;
    }

    std::vector<macstats_cpu_cells> cell_set_;
    std::vector<macstats_cpu_cells*> pointers_;
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

    macstats_bus ops() {
        return {this,        read,    read64,     update,  wait,   clocks_run,
                line_octets, nullptr, read_block, lowered, nullptr};
    }

    std::function<void(u32 address)> before_read;
    std::function<void(u32 address)> before_write;
    std::vector<Access> writes;
    std::vector<unsigned int> bulk; // words of each read of several
    unsigned int reads = 0;         // words
    unsigned int waits = 0;

private:
    // The port with the base answers, and no other.
    u32 offset_of(u32 address) const {
        const macstats_model& model = port_.model();
        const u32 port = macstats_port_of(&model, &address);

        return address + port * model.port_stride - base_;
    }

    static int read(void* context, __u32 address, __u64* value) {
        unsigned int done = 0;

        return read_block(context, address, value, 1, false, &done);
    }

    static int read64(void* context, __u32 address, __u64* value) {
        Bus& bus = *static_cast<Bus*>(context);
        const u32 offset = bus.offset_of(address);

        if (bus.before_read)
            bus.before_read(offset);
        bus.reads++;
        return bus.port_.try_read64(offset, *value);
    }

    static int read_block(
        void* context, __u32 address, __u64* values, unsigned int words, bool /*changes*/,
        unsigned int* done) {
        Bus& bus = *static_cast<Bus*>(context);
        u32 step = macstats_word_step(&bus.port_.model());

        if (words > 1)
            bus.bulk.push_back(words);
        for (*done = 0; *done < words; ++*done) {
            u32 offset = bus.offset_of(address + *done * step);
            u64 value = 0;

            if (bus.before_read)
                bus.before_read(offset);
            bus.reads++;
            if (int err = bus.port_.try_read(offset, value, false))
                return err;
            values[*done] = value;
        }
        return 0;
    }

    static int update(void* context, __u32 address, __u32 mask, __u32 value) {
        Bus& bus = *static_cast<Bus*>(context);
        const u32 offset = bus.offset_of(address);
        __u64 word = 0;

        if (int err = read(context, address, &word))
            return err;
        word = (word & ~__u64{mask}) | (value & mask);
        if (bus.before_write)
            bus.before_write(offset);
        bus.writes.push_back({offset, word});
        return bus.port_.try_write(offset, word, false);
    }

    static bool wait(void* context) {
        static_cast<Bus*>(context)->waits++;
        return true;
    }

    static __u64 line_octets(void* context) {
        Port& port = static_cast<Bus*>(context)->port_;
        const macstats_cell_set cell_set = port.whole_set();

        return macstats_line_octets(&port.emulator(), &cell_set);
    }

    static bool lowered(void* context, unsigned int index) {
        return macstats_emulator_lowered(&static_cast<Bus*>(context)->port_.emulator(), index);
    }

    static bool clocks_run(void* context) {
        return !(
            static_cast<Bus*>(context)->port_.emulator().faults & MACSTATS_FAULT_CLOCK_STOPPED);
    }

    Port& port_;
    u32 base_;
};

inline std::ostream& operator<<(std::ostream& out, const Bus::Access& access) {
    return out << std::hex << access.address << ":=" << access.value << std::dec;
}

inline std::vector<u64> totals_of(const macstats_accumulator& acc) {
    std::vector<u64> totals;

    for (unsigned int i = 0; i < acc.model->n_counters; i++)
        totals.push_back(acc.counters[i].total);
    return totals;
}

// Standard statistics that follow an accumulator.
struct Summed : macstats_standard {
    Summed() : macstats_standard{} {}

    void update(const macstats_accumulator& acc) {
        macstats_standard_update(this, &acc, totals_);
        std::ranges::copy(totals_of(acc), totals_);
    }

private:
    u64 totals_[MACSTATS_MAX_COUNTERS] = {};
};

// The standard statistics of totals.
class Standard {
public:
    explicit Standard(const macstats_accumulator& acc) { standard_.update(acc); }

    bool has(unsigned int id) const { return standard_.present[id]; }

    // As in the kernel, all ones if it is not reported.
    u64 operator[](unsigned int id) const { return has(id) ? standard_.value[id] : ~u64{0}; }

private:
    Summed standard_;
};

// A port and the accumulator that reads it.
class Provided {
public:
    explicit Provided(const macstats_model& model, const Setup& setup = {}, u32 base = 0)
        : port(model, setup),
          bus(port, base) {
        acc.model = &model;
        acc.bus = bus.ops();
        acc.without_counters = !(port.emulator().options & macstats_statistics_options(&model));
        acc.left_out = macstats_other_revisions(&model, port.emulator().options);
        acc.base = base;
    }

    // Take the port into use at time 0.
    int start() { return macstats_start(&acc, 0); }

    // Traffic, with the descriptors of what is sent going to the provider.
    void send(const macstats_frame& frame, u64 count = 1, unsigned int cpu_cells = 0) {
        port.send(frame, count, cpu_cells);
        if (macstats_has_tx_status(acc.model, &frame))
            finish(macstats_tx_packet(&port.emulator(), &frame), count);
        u32 status = 0;
        if (macstats_rx_status(&port.emulator(), &frame, &status))
            for (unsigned int i = 0; i < macstats_descriptors(&frame); i++)
                receive(macstats_rx_descriptor(acc.model, &frame, status, i), count);
    }

    // Descriptors come back.
    void finish(const macstats_packet& packet, u64 count = 1) {
        for (unsigned int i = 0; i < acc.model->n_counters && !acc.state.absent; i++)
            acc.counters[i].total += macstats_transmitted_increment(
                acc.model, i, &packet, macstats_packet_status(acc.model, &packet), count);
    }

    // A packet of one descriptor comes back.
    void finish(u32 status, u64 count = 1) {
        finish({.first = status, .last = status, .config = 0, .octets = 60, .attempts = 16}, count);
    }

    void receive(u32 status, u64 count = 1) {
        for (unsigned int i = 0; i < acc.model->n_counters && !acc.state.absent; i++)
            acc.counters[i].total += macstats_received_increment(acc.model, i, status, count);
    }

    // One poll a millisecond after the last one.
    int poll() { return poll_after(1000000); }

    int poll_after(u64 ns) { return poll_at(now_ns_ + ns); }

    int poll_at(u64 now_ns) {
        now_ns_ = now_ns;
        const int err = macstats_poll(&acc, now_ns, &events);
        for (unsigned int i = macstats_register_counters(acc.model); i < acc.model->n_counters; i++)
            macstats_take_software(&acc, i, acc.counters[i].total);
        return err;
    }

    // @change happens before the access @number that follows, from 0.
    void before_access(unsigned int number, std::function<void()> change) {
        bus.before_read = [this, at = bus.reads + number, change = std::move(change)](u32) {
            if (bus.reads == at)
                change();
        };
    }

    // A poll in which it happens.
    int poll_changed(unsigned int number, std::function<void()> change) {
        before_access(number, std::move(change));
        const int err = poll();
        bus.before_read = nullptr;
        return err;
    }

    // The total of a counter, by the name that the datasheet gives it.
    u64 total(std::string_view reg) const { return acc.counters[index(reg)].total; }

    unsigned int index(std::string_view reg) const { return counter_index(*acc.model, reg); }

    std::vector<u64> totals() const { return totals_of(acc); }

    Standard standard() const { return Standard(acc); }

    // As the emulator and its user do it together.
    void preset(std::string_view reg, u64 value) { preset(index(reg), value); }

    void preset(unsigned int i, u64 value) {
        macstats_preset(&acc, i, port.preset(i, value), value);
    }

    Port port;
    Bus bus;
    macstats_accumulator acc{};
    unsigned int events = 0;

private:
    u64 now_ns_ = 0;
};

// A port with an accumulator that starts at time 0.
class Polled : public Provided {
public:
    explicit Polled(const macstats_model& model, const Setup& setup = {}, u32 base = 0)
        : Provided(model, setup, base),
          started(start()) {
        bus.writes.clear();
        bus.bulk.clear();
        bus.waits = 0;
        bus.reads = 0;
    }

    int started;
};

// The ports of a model behind one another, as a chip has them, each in use.
class Chip {
public:
    explicit Chip(const macstats_model& model, const Setup& setup = {}) : model_(model) {
        for (unsigned int i = 0; i < model.ports; i++)
            ports_.push_back(std::make_unique<Polled>(model, setup, i * model.port_stride));
    }

    // Addresses count from the base of the first port.
    int try_read(u32 address, u64& value) {
        Port* port = port_at(address);

        return port ? port->try_read(offset_of(address), value) : -ENXIO;
    }

    int try_write(u32 address, u64 value) {
        Port* port = port_at(address);

        return port ? port->try_write(offset_of(address), value) : -ENXIO;
    }

    Polled& operator[](unsigned int i) { return *ports_.at(i); }

private:
    u32 index_of(u32 address) const { return macstats_port_of(&model_, &address); }

    u32 offset_of(u32 address) const {
        macstats_port_of(&model_, &address);
        return address;
    }

    Port* port_at(u32 address) {
        const u32 i = index_of(address);

        return i < ports_.size() ? &ports_[i]->port : nullptr;
    }

    const macstats_model& model_;
    std::vector<std::unique_ptr<Polled>> ports_;
};

// A copy of a model, of which anything can be made wrong.
class Copy {
public:
    explicit Copy(const macstats_model& model)
        : rows(model.counters, model.counters + model.n_counters),
          registers(model.registers, model.registers + model.n_registers),
          descriptor(model),
          model_(model) {}

    Copy(const Copy&) = delete;
    Copy& operator=(const Copy&) = delete;

    macstats_model& model() {
        model_.counters = rows.data();
        model_.registers = registers.data();
        model_.descriptor = &descriptor;
        return model_;
    }

    // No field has any of the roles any more.
    void drop(u32 roles) { drop_role(registers, roles); }

    macstats_counter& row(std::string_view reg) { return rows[counter_index(model(), reg)]; }

    std::vector<macstats_counter> rows;
    std::vector<macstats_register> registers;
    DescriptorCopy descriptor;

private:
    macstats_model model_;
};

// A length of a frame that is at most so far from this one.
inline u32 length_around(Random& random, u32 length, u32 distance) {
    const u32 low = length > distance ? length - distance : 1;

    return std::clamp<u32>(random.between(low, length + distance), 1, MACSTATS_FRAME_MAX);
}

// A pause frame that a MAC makes has 64 octets and a multicast destination: some make no others.
inline void make_possible(macstats_frame& frame) {
    if (!macstats__is_own_pause(&frame))
        return;
    frame.length = MACSTATS_FRAME_MIN;
    frame.destination = MACSTATS_MULTICAST;
}

// Any frame that can be described, with an emphasis on where the classes of MACs meet.
inline Frame random_frame(Random& random, u32 near_max = 9600) {
    static constexpr u32 edges[] = {1,    2,    3,    4,     8,     9,    17,   18,   19,
                                    20,   22,   26,   63,    64,    65,   127,  128,  255,
                                    256,  511,  512,  1023,  1024,  1518, 1519, 1522, 1523,
                                    6250, 6251, 9600, 16383, 16384, 65535};
    static constexpr macstats_destination destinations[] = {
        MACSTATS_UNICAST, MACSTATS_MULTICAST, MACSTATS_BROADCAST};
    static constexpr macstats_kind kinds[] = {MACSTATS_DATA,    MACSTATS_DATA,  MACSTATS_DATA,
                                              MACSTATS_CONTROL, MACSTATS_PAUSE, MACSTATS_PFC};
    Frame frame(random.one_in(2) ? MACSTATS_RX : MACSTATS_TX, 1);

    frame = frame.to(random.of(destinations)).as(random.of(kinds));
    switch (random.below(8)) {
    case 0:
    case 1:
        frame.length = random.of(edges);
        break;
    case 2:
        frame.length = length_around(random, near_max, 4);
        break;
    case 3:
        frame.length = length_around(random, 2 * near_max, 2);
        break;
    case 4:
        frame.length = 64;
        break;
    case 5:
        frame.length = random.between(1, 130);
        break;
    case 6:
        frame.length = random.between(1, 1600);
        break;
    default:
        frame.length = random.between(1, 20000);
        break;
    }
    if (frame.kind == MACSTATS_PAUSE && random.one_in(2))
        frame.length = 64;
    if (random.one_in(3))
        frame.vlan_tags = static_cast<u8>(random.below(3));
    if (random.one_in(8))
        frame.origin = MACSTATS_BY_MAC;
    if (random.one_in(4))
        frame.errors = MACSTATS_ERR_FCS;
    if (random.one_in(4))
        frame.errors = static_cast<u16>(frame.errors | 1u << random.below(12));
    if (random.one_in(8))
        frame.errors = static_cast<u16>(frame.errors | 1u << random.below(12));
    if (random.one_in(24))
        frame.errors = static_cast<u16>(random.below(1u << 12));
    if (random.one_in(5))
        frame.collisions = static_cast<u8>(
            random.one_in(2) ? random.below(3)
            : random.one_in(2)
                ? random.between(0, MACSTATS_ATTEMPT_LIMIT)
                : random.between(MACSTATS_ATTEMPT_LIMIT - 1, MACSTATS_ATTEMPT_LIMIT));
    frame.deferred = random.one_in(6);
    make_possible(frame);
    return frame;
}

// That frame with any of what a model with descriptors lets it state about them.
inline Frame with_descriptors(Random& random, const macstats_model& model, Frame frame) {
    const macstats_descriptor& bits = *macstats_descriptor_of(&model);

    if (!bits.last)
        return frame;
    if (random.one_in(4))
        frame.descriptors = static_cast<u8>(
            random.one_in(2) ? random.between(1, 3) : random.between(1, MACSTATS_MAX_DESCRIPTORS));
    if (frame.direction == MACSTATS_RX && random.one_in(20))
        frame.errors |= MACSTATS_ERR_NO_BUFFER;
    if (frame.direction != MACSTATS_TX || frame.origin != MACSTATS_BY_SOFTWARE)
        return frame;
    if (bits.append_crc && random.one_in(3))
        frame.append_crc = static_cast<u8>(random.below(3));
    if (bits.huge && random.one_in(3))
        frame.huge = static_cast<u8>(random.below(3));
    return frame;
}

} // namespace macstats::test

#endif // MACSTATS_TEST_FIXTURE_HPP
