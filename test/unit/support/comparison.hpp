// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// An emulated device and the slow reference of its ports, driven alike: random frames,
// reads, writes, presets, faults and polls into both, and whatever can be seen of
// either compared. One loop for every MAC; what differs between them is data.
#ifndef MACSTATS_TEST_COMPARISON_HPP
#define MACSTATS_TEST_COMPARISON_HPP

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../../reference/reference.hpp"
#include "fixture.hpp"
#include "reference_faults.hpp"

namespace macstats::test {

// One way in which a device is built, and the same in the reference's words.
struct Variant {
    const char* what;
    Setup setup;
    reference::Options options;
};

// Addresses from the base of a port.
struct Range {
    u32 first;
    u32 count = 1;
    u32 step = 1;
};

// A MAC to be compared.
struct ComparedMac {
    const macstats_model& model;
    std::vector<Variant> variants;
    std::vector<Range> reads;  // each is as likely as another
    std::vector<Range> writes; // registers that do something
    std::vector<u32> values;   // that mean something there, beside any
    u32 weight = 1;            // of these values, against four others
    unsigned int together = 0; // errors that matter in each combination
};

// Coverage of a comparison: one that saw little proves little.
struct Seen {
    u64 frames = 0;
    u64 reads = 0;
    u64 writes = 0;
    u64 good_polls = 0;
    u64 stale_polls = 0;

    Seen& operator+=(const Seen& other) {
        frames += other.frames;
        reads += other.reads;
        writes += other.writes;
        good_polls += other.good_polls;
        stale_polls += other.stale_polls;
        return *this;
    }
};

class Comparison {
public:
    // @model is that of the subject, or one with something wrong in it.
    Comparison(
        const ComparedMac& subject, const macstats_model& model, const Variant& variant, u64 seed)
        : subject_(subject),
          model_(model),
          has_statistics_(variant.options.statistics),
          random_(seed),
          chip_(model, with_seed(variant.setup, seed)) {
        for (unsigned int i = 0; i < model.ports; i++) {
            Side& side = sides_.emplace_back();

            side.device = &chip_[i];
            side.reference = reference::make_reference(subject.model.name, variant.options);
            side.reference->poll();
            for (unsigned int row = 0; row < model.n_counters; row++)
                side.index.push_back(side.reference->index(model.counters[row].reg));
        }
    }

    // The first difference within @many frames and accesses, if any.
    std::optional<std::string> run(u64 many) {
        while (done() < many)
            if (!one_step())
                return "after " + std::to_string(done()) + ": " + difference_.str();
        if (!settle())
            return "in the end: " + difference_.str();
        return {};
    }

    // The same after frames of every class that one property or two lead to, each of them twice:
    // there are more than cells.
    std::optional<std::string> run_classes() {
        const macstats_bit gate = macstats_find_role(&model_, MACSTATS_ROLE_GATE);
        if (gate.mask && !write(gate.offset, gate.mask))
            return difference_.str();
        for (unsigned int times = 0; times < 2; times++)
            for (const Frame& frame : frames_of_all_classes())
                if (!send(sides_[0], frame, 1 + times))
                    return difference_.str();
        if (!settle())
            return difference_.str();
        return {};
    }

    // Whether each cell of the first port has a class.
    bool fills_all_cells() const {
        const auto& classes = sides_[0].device->port.emulator().classes;
        return std::find(std::begin(classes), std::end(classes), 0u) == std::end(classes);
    }

    const Seen& seen() const { return seen_; }

private:
    using Kind = reference::Answer::Kind;

    struct Side {
        Polled* device = nullptr;
        std::unique_ptr<reference::Reference> reference;
        std::vector<std::size_t> index; // of each row, in the reference
    };

    static Setup with_seed(Setup setup, u64 seed) {
        setup.cell_set = 2;
        setup.seed = seed;
        return setup;
    }

    u64 done() const { return seen_.frames + seen_.reads + seen_.writes; }

    Side& any_side() { return sides_[random_.below(sides_.size())]; }

    // Most are frames, as on any wire. A poll reads everything, and is as rare.
    bool one_step() {
        const u32 what = random_.below(1000);

        if (what < 770)
            return send(any_side());
        if (what < 910)
            return read(any_address(subject_.reads));
        if (what < 960)
            return write();
        if (what < 980)
            return fault(any_side());
        if (what < 993)
            return !has_statistics_ || preset(any_side());
        return poll(any_side(), random_.one_in(500) ? random_.next() % one_hour_ns : 1000000);
    }

    bool send(Side& side) {
        const macstats_emulator& emulator = side.device->port.emulator();
        const u32 max =
            random_.one_in(2) ? emulator.settings.max_frame_rx : emulator.settings.max_frame_tx;
        Frame frame = with_descriptors(random_, model_, random_frame(random_, max));
        if (subject_.together && random_.one_in(4))
            frame.errors = static_cast<u16>(
                (frame.errors & ~subject_.together) | (random_.next() & subject_.together));
        const u64 count =
            1 + (random_.one_in(8) ? random_.next() >> random_.between(24, 63) : random_.below(3));

        return send(side, frame, count);
    }

    bool send(Side& side, const Frame& frame, u64 count) {
        seen_.frames++;
        if (!descriptors_agree(side, frame))
            return false;
        side.device->send(frame, count, random_.below(2));
        side.reference->send(frame, count);
        return true;
    }

    std::vector<Frame> frames_of_all_classes() const {
        const u32 max = sides_[0].device->port.emulator().settings.max_frame_rx;
        std::vector<Frame> frames;

        for (const u8 direction : directions)
            for (const u32 length : {8u, 60u, 64u, 100u, 300u, 1518u, max, max + 1, 65535u})
                for (const auto to : {MACSTATS_UNICAST, MACSTATS_MULTICAST, MACSTATS_BROADCAST})
                    for (const auto kind :
                         {MACSTATS_DATA, MACSTATS_CONTROL, MACSTATS_PAUSE, MACSTATS_PFC})
                        for (const u8 tags : {u8{0}, u8{1}, u8{2}}) {
                            const Frame frame =
                                Frame(direction, std::min<u32>(length, MACSTATS_FRAME_MAX))
                                    .to(to)
                                    .as(kind)
                                    .tagged(tags);
                            frames.push_back(frame);
                            frames.push_back(frame.by(MACSTATS_BY_MAC));
                            frames.push_back(frame.late_start());
                            for (const unsigned int collisions : {1u, 2u, 15u, 16u})
                                frames.push_back(frame.collided(collisions));
                            for (unsigned int bit = 0; bit < 12; bit++)
                                frames.push_back(frame.collided(bit % 2).with(1u << bit));
                        }
        for (Frame& frame : frames)
            make_possible(frame);
        return frames;
    }

    bool descriptors_agree(const Side& side, const Frame& frame) {
        const std::vector<reference::Descriptor> expected = side.reference->descriptors(frame);
        const std::vector<u32> actual = descriptors_of(side.device->port.emulator(), frame);
        bool agree = actual.size() == expected.size();

        for (std::size_t i = 0; agree && i < actual.size(); i++)
            agree = ((actual[i] ^ expected[i].word) & expected[i].certain) == 0;
        if (agree)
            return true;
        difference_ << "the descriptors of " << frame << " are" << std::hex;
        for (const u32 word : actual)
            difference_ << " " << word;
        difference_ << ", expected";
        for (const reference::Descriptor& one : expected)
            difference_ << " " << one.word << "/" << one.certain;
        return false;
    }

    // A transmitted packet shows the first and the last one only.
    std::vector<u32> descriptors_of(const macstats_emulator& emulator, const Frame& frame) {
        const unsigned int n = macstats_descriptors(&frame);
        std::vector<u32> words;
        u32 status = 0;

        if (macstats_has_tx_status(&model_, &frame)) {
            const macstats_packet packet = macstats_tx_packet(&emulator, &frame);
            words.assign(n, 0);
            words.front() = packet.first;
            words.back() = packet.last;
        }
        if (macstats_rx_status(&emulator, &frame, &status))
            for (unsigned int i = 0; i < n; i++)
                words.push_back(macstats_rx_descriptor(&model_, &frame, status, i));
        return words;
    }

    // Anything may be read twice, and be written back.
    u32 any_address(const std::vector<Range>& ranges) {
        if (random_.one_in(8))
            return last_address_;
        const Range range = random_.of(ranges);

        u32 offset = range.first + range.step * random_.below(range.count);
        unsigned int word = 0;
        const int i = macstats_counter_at(&model_, offset, &word);
        const u32 apart = i < 0 ? 0 : model_.counters[i].port_stride;

        return offset + (apart ? apart : model_.port_stride) * random_.below(sides_.size());
    }

    Side* side_at(u32 address) {
        const u32 i = macstats_port_of(&model_, &address);

        return i < sides_.size() ? &sides_[i] : nullptr;
    }

    u32 offset_of(u32 address) const {
        macstats_port_of(&model_, &address);
        return address;
    }

    bool read(u32 address) {
        Side* side = side_at(address);
        reference::Answer expected;
        u64 value = 0;

        seen_.reads++;
        if (side)
            expected = side->reference->read(offset_of(address));
        const int err = chip_.try_read(address, value);

        last_address_ = address;
        last_value_ = static_cast<u32>(value);
        if (err == error_of(expected.kind) && (err || value <= 0xffffffff) &&
            (expected.kind != Kind::value || ((value ^ expected.value) & expected.certain) == 0))
            return true;
        difference_ << "a read of 0x" << std::hex << address << " gives error " << std::dec << err
                    << ", 0x" << std::hex << value << "; expected error " << std::dec
                    << error_of(expected.kind) << ", 0x" << std::hex << expected.value;
        return false;
    }

    static int error_of(Kind kind) {
        switch (kind) {
        case Kind::bus_error:
            return -EIO;
        case Kind::nobody:
            return -ENXIO;
        default:
            return 0;
        }
    }

    u32 any_value() {
        switch (random_.below(4 + subject_.weight)) {
        case 0:
            return last_value_;
        case 1:
            return last_value_ / 2 + random_.below(3);
        case 2:
            return random_.below(8);
        case 3:
            return static_cast<u32>(random_.next());
        default:
            return random_.of(subject_.values);
        }
    }

    bool write() {
        const u32 address = any_address(random_.one_in(3) ? subject_.reads : subject_.writes);

        return write(address, any_value());
    }

    bool write(u32 address, u32 value) {
        Side* side = side_at(address);
        const Kind expected =
            side ? side->reference->write(offset_of(address), value) : Kind::nobody;
        const int err = chip_.try_write(address, value);

        seen_.writes++;
        if (err == error_of(expected))
            return true;
        difference_ << "a write of 0x" << std::hex << value << " to 0x" << address
                    << " gives error " << std::dec << err;
        return false;
    }

    // Rather off than on, so that most polls are good.
    bool fault(Side& side) {
        const bool active = random_.one_in(5);

        for (const auto& [which, same] : reference_faults) {
            if (!(macstats_supported_faults(&subject_.model) & which) ||
                (active && !random_.one_in(3)))
                continue;
            if (macstats_supported_faults(&model_) & which)
                side.device->port.fault(which, active);
            side.reference->fault(same, active);
        }
        return true;
    }

    // To where its low half, or all of it, will wrap; or to anything.
    bool preset(Side& side) {
        const unsigned int row = random_.below(macstats_register_counters(&model_));
        const u64 all = macstats_bits_mask(subject_.model.counters[row].bits);
        const u64 ends[] = {all, 0xffffffff, 0x7fffffff, 0x7fffffff, random_.next()};
        const u64 value = (random_.of(ends) - random_.below(1u << random_.below(20))) & all;

        if (side.reference->lacks(side.index[row]))
            return true;
        side.device->preset(row, value);
        side.reference->preset(side.index[row], value);
        return true;
    }

    bool poll(Side& side, u64 after_ns) {
        const macstats_accumulator& acc = side.device->acc;
        const int err = side.device->poll_after(after_ns);

        side.reference->advance(after_ns);
        const bool good = side.reference->poll();
        const reference::State& state = side.reference->state();
        const bool possible_loss = state.possible_loss.value_or(acc.state.possible_loss);

        side.reference->take_discontinuities(acc.state.discontinuities);
        const u32 discontinuities = state.discontinuities;

        (good ? seen_.good_polls : seen_.stale_polls)++;
        if ((err == 0) != good || acc.state.stale != state.stale ||
            acc.state.possible_loss != possible_loss ||
            acc.state.discontinuities != discontinuities) {
            difference_ << "after a poll: error " << err << ", stale " << acc.state.stale
                        << ", possible loss " << acc.state.possible_loss << ", discontinuities "
                        << acc.state.discontinuities << "; expected stale " << state.stale
                        << ", possible loss " << possible_loss << ", discontinuities "
                        << discontinuities;
            return false;
        }
        for (unsigned int row = 0; row < model_.n_counters; row++) {
            side.reference->take_total(side.index[row], acc.counters[row].total);
            const std::optional<u64> expected = side.reference->total(side.index[row]);

            if (!acc.state.absent &&
                macstats_lacks_counter(&acc, row) != side.reference->lacks(side.index[row])) {
                difference_ << "the counter " << model_.counters[row].reg << " is there or not";
                return false;
            }
            if (!expected || acc.counters[row].total == *expected)
                continue;
            difference_ << "the total of " << model_.counters[row].reg << " is "
                        << acc.counters[row].total << ", expected " << *expected;
            return false;
        }
        return true;
    }

    // With no fault left, every register and every total.
    bool settle() {
        for (Side& side : sides_) {
            side.device->port.fault(macstats_fault_request{
                .faults = macstats_supported_faults(&model_) & ~std::uint32_t{MACSTATS_FAULT_RESET},
                .active = false,
                .during_read = false,
                .argument = 0});
            for (reference::Fault fault :
                 {reference::Fault::snapshot_stuck, reference::Fault::snapshot_slow,
                  reference::Fault::bus_error, reference::Fault::reset_in_progress,
                  reference::Fault::clock_stopped})
                side.reference->fault(fault, false);
        }
        for (u32 port = 0; port < sides_.size(); port++)
            for (const Range& range : subject_.reads)
                for (u32 i = 0; i < range.count; i++)
                    if (!read(port * model_.port_stride + range.first + range.step * i))
                        return false;
        for (Side& side : sides_)
            if (!poll(side, 1000000))
                return false;
        return true;
    }

    static constexpr u64 one_hour_ns = 3600ull * 1000000000;

    const ComparedMac& subject_;
    const macstats_model& model_;
    bool has_statistics_;
    Random random_;
    Chip chip_;
    std::vector<Side> sides_;
    std::ostringstream difference_;
    Seen seen_;
    u32 last_address_ = 0;
    u32 last_value_ = 0;
};

} // namespace macstats::test

#endif // MACSTATS_TEST_COMPARISON_HPP
