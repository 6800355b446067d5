// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// How a driver reads each MAC. The header of each MAC defines what it counts.
#include "reference.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "altera_tse_reference.hpp"
#include "alx_reference.hpp"
#include "am65_cpsw_reference.hpp"
#include "cpsw_reference.hpp"
#include "dwmac_reference.hpp"
#include "e1000_reference.hpp"
#include "e1000e_reference.hpp"
#include "gem_reference.hpp"
#include "ixf1104_reference.hpp"
#include "k1_emac_reference.hpp"
#include "lan743x_reference.hpp"
#include "ll40g_agilex5_reference.hpp"
#include "ll40g_reference.hpp"
#include "mt7530_reference.hpp"
#include "netc_reference.hpp"
#include "rc32438_reference.hpp"
#include "rtl_tally_reference.hpp"
#include "unimac_reference.hpp"

namespace macstats::reference {

namespace {

// 64-bit counters on two pages, which are frozen while they are read.
template <typename Mac>
class Ll40gPages : public Reference {
protected:
    Ll40gPages(
        std::vector<Counter> counters, const Options& options, const typename Mac::Options& own)
        : Reference(std::move(counters), options),
          mac_(own),
          tx_(own.tx_statistics),
          rx_(own.rx_statistics) {}

    void set_fault(Fault fault, bool active) override {
        if (fault == Fault::parity_error && active)
            mac_.parity_error();
        if (fault == Fault::snapshot_stuck)
            mac_.snapshot_stuck = active;
        if (fault == Fault::snapshot_slow)
            mac_.snapshot_slow = active;
    }

    std::size_t block_of(std::size_t i) const override { return counters()[i].address >= 0x900; }

    Mac mac_;

private:
    virtual u32 config(u32 address) = 0;

    u64 value_of(std::size_t i) override { return mac_.live(counters()[i].address); }
    void set_value(std::size_t i, u64 value) override { mac_.live(counters()[i].address) = value; }
    u64 after_read(std::size_t, u64 value) override { return value; }
    bool is_absent() const override { return !tx_ && !rx_; }
    bool lacks(std::size_t i) const override { return !(block_of(i) ? rx_ : tx_); }
    bool is_damaged(std::size_t block) const override { return mac_.has_parity_error(block); }
    void take_into_use() override { configure(0, 0x3); }

    // A new snapshot replaces one that another reader holds.
    bool freeze() override { return !mac_.snapshot_stuck; }

    // The driver clears a parity error that it has seen.
    void release() override { configure(0x4, mac_.snapshot_stuck ? 0 : 0x2); }

    void configure(u32 clear, u32 set) {
        for (u32 address : {0x845u, 0x945u})
            mac_.write(address, (config(address) & ~clear) | set);
    }

    u64 wrap_ns() const override { return ~u64{0}; }

    bool tx_;
    bool rx_;
};

class Ll40gPort : public Ll40gPages<test::Ll40gReference> {
public:
    explicit Ll40gPort(const Options& options)
        : Ll40gPages(
              list(), options,
              {.tx_statistics = options.statistics && options.tx_statistics,
               .rx_statistics = options.statistics && options.rx_statistics,
               .vlan_detection = options.vlan_detection,
               .as_released = options.as_released}),
          random_(options.random) {}

    void count_frames(const macstats_frame& frame, u64 count) override { mac_.send(frame, count); }

private:
    static std::vector<Counter> list() {
        std::vector<Counter> counters;

        for (const test::ll40g::CounterAt& one : test::ll40g::counters)
            counters.push_back({std::string(one.name), one.low, 64});
        return counters;
    }

    Answer read_register(u32 address) override {
        const auto value = mac_.read(address);

        if (!value)
            return {};
        if (!random_ || !mac_.is_built(address) || is_in_use())
            return {Answer::Kind::value, *value};
        // Powered up, and not cleared yet.
        if (address == 0x846 || address == 0x946)
            return {Answer::Kind::value, *value, ~1u};
        const auto i = counter_at(address & ~1u);
        return {i && !is_known(*i) ? Answer::Kind::anything : Answer::Kind::value, *value};
    }

    Answer::Kind write_register(u32 address, u32 value) override {
        return mac_.write(address, value) ? Answer::Kind::value : Answer::Kind::nobody;
    }

    u32 config(u32 address) override { return *mac_.read(address); }
    bool is_reachable(bool) const override { return true; }

    bool random_;
};

// Of the younger core, which needs its clocks.
class Ll40gAgilex5Port : public Ll40gPages<Ll40gAgilex5> {
public:
    explicit Ll40gAgilex5Port(const Options& options)
        : Ll40gPages(
              list(), options,
              {.tx_statistics = options.statistics && options.tx_statistics,
               .rx_statistics = options.statistics && options.rx_statistics,
               .vlan_detection = options.vlan_detection,
               .random = options.random}) {}

    void count_frames(const macstats_frame& frame, u64 count) override { mac_.count(frame, count); }

private:
    static std::vector<Counter> list() {
        std::vector<Counter> counters;

        for (const Ll40gAgilex5::CounterAt& one : Ll40gAgilex5::table) {
            counters.push_back({"TX " + std::string(one.name), 0x800 + one.offset, 64});
            counters.push_back({"RX " + std::string(one.name), 0x900 + one.offset, 64});
        }
        return counters;
    }

    Answer read_register(u32 address) override { return mac_.read(address); }

    Answer::Kind write_register(u32 address, u32 value) override {
        return mac_.write(address, value);
    }

    void set_fault(Fault fault, bool active) override {
        Ll40gPages::set_fault(fault, active);
        if (fault == Fault::clock_stopped)
            mac_.clock_stopped = active;
    }

    u32 config(u32 address) override { return mac_.read(address).value; }
    bool is_reachable(bool) const override { return !mac_.clock_stopped; }
};

// What many MACs have in common: their reference counts all frames itself, counters are there
// unless the device was built without statistics, and a driver may read them at any time.
template <typename Mac>
class PortOf : public Reference {
public:
    void count_frames(const macstats_frame& frame, u64 count) override { mac_.count(frame, count); }

protected:
    PortOf(std::vector<Counter> counters, const Options& options, const typename Mac::Options& own)
        : Reference(std::move(counters), options),
          statistics_(options.statistics),
          mac_(own) {}

    // Counters of 32 bits.
    static std::vector<Counter> listed() {
        std::vector<Counter> counters;

        for (const CounterAt& one : Mac::counters)
            counters.push_back({one.reg, one.address, 32});
        return counters;
    }

    Answer::Kind write_register(u32 address, u32 value) override {
        return mac_.write(address, value) ? Answer::Kind::value : Answer::Kind::nobody;
    }

    u64 after_read(std::size_t, u64 value) override { return value; }
    void set_fault(Fault, bool) override {}
    bool is_absent() const override { return !statistics_; }
    bool is_reachable(bool) const override { return true; }
    // 2^32 octets at 1 Gb/s.
    u64 wrap_ns() const override { return 34'359'738'368; }

    bool statistics_;
    Mac mac_;
};

// 32-bit counters that a read clears, and that roll over.
template <typename Mac>
class ClearedPort : public PortOf<Mac> {
protected:
    using PortOf<Mac>::PortOf;

private:
    using PortOf<Mac>::counter_at;
    using PortOf<Mac>::counters;
    using PortOf<Mac>::disturbed;
    using PortOf<Mac>::is_known;
    using PortOf<Mac>::mac_;
    using PortOf<Mac>::set_known;

    Answer read_register(u32 address) override {
        if (const auto i = counter_at(address)) {
            const u32 value = *mac_.read(address);

            disturbed(*i, value, 0);
            if (is_known(*i))
                return {Answer::Kind::value, value};
            set_known(*i);
            return {Answer::Kind::anything};
        }
        const auto value = mac_.read(address);

        return value ? Answer{Answer::Kind::value, *value} : Answer{};
    }

    u64 value_of(std::size_t i) override { return mac_.counter(counters()[i].address); }
    void set_value(std::size_t i, u64 value) override {
        mac_.counter(counters()[i].address) = static_cast<u32>(value);
    }
    u64 after_read(std::size_t i, u64) override {
        set_value(i, 0);
        set_known(i);
        return 0;
    }
};

class Ixf1104Port : public ClearedPort<test::Ixf1104Reference> {
public:
    explicit Ixf1104Port(const Options& options)
        : ClearedPort(
              listed(), options,
              {.half_duplex = options.half_duplex,
               .fiber = options.fiber,
               .statistics = options.statistics}) {}
};

class AlxPort : public ClearedPort<test::AlxReference> {
public:
    explicit AlxPort(const Options& options)
        : ClearedPort(
              listed(), options,
              {.half_duplex = options.half_duplex, .statistics = options.statistics}) {}
};

// Five counters that a read clears, unless it comes at the wrong time, and descriptors.
class Rc32438Port : public Reference {
public:
    explicit Rc32438Port(const Options& options) : Reference(list(), options) {
        mac_.statistics = options.statistics;
        mac_.half_duplex = options.half_duplex;
    }

    void count_frames(const macstats_frame& frame, u64 count) override {
        const std::vector<Descriptor> words = descriptors(frame);

        if (!words.empty() && frame.direction == MACSTATS_TX)
            driver_.sent(
                words.front().word, words.back().word, mac_.mac2(), mac_.clrt(), frame.length,
                count);
        if (frame.direction == MACSTATS_RX)
            for (const Descriptor& one : words)
                driver_.received(one.word, count);
        mac_.frame(frame, count);
    }

    std::vector<Descriptor> descriptors(const macstats_frame& frame) const override {
        return mac_.descriptors(frame);
    }

private:
    static constexpr std::size_t registers = 5;

    static std::vector<Counter> list() {
        std::vector<Counter> counters = {
            {"RBC", 0x120, 32}, {"RPC", 0x124, 32}, {"RUPC", 0x128, 32},
            {"RFC", 0x12c, 32}, {"TBC", 0x130, 32},
        };

        for (const Rc32438Driver::Total& one : Rc32438Driver::totals)
            counters.push_back({one.reg, 0, 64, true});
        return counters;
    }

    Answer read_register(u32 address) override {
        const auto i = counter_at(address);
        const u64 before = i ? mac_.counter(address) : 0;
        bool meaningful = false;
        u64 value = 0;

        if (mac_.read(address, value, meaningful))
            return {};
        if (!meaningful)
            return {Answer::Kind::anything};
        if (i) {
            disturbed(*i, before, 0);
            if (!is_known(*i) && mac_.statistics) {
                set_known(*i);
                return {Answer::Kind::anything};
            }
        }
        return {Answer::Kind::value, static_cast<u32>(value)};
    }

    Answer::Kind write_register(u32 address, u32 value) override {
        return mac_.write(address, value) ? Answer::Kind::nobody : Answer::Kind::value;
    }

    void set_fault(Fault fault, bool active) override {
        if (fault == Fault::reset_in_progress)
            mac_.reset_in_progress = active;
        if (fault == Fault::clock_stopped)
            mac_.clocks_stopped = active;
    }

    u64 value_of(std::size_t i) override { return mac_.counter(counters()[i].address); }
    void set_value(std::size_t i, u64 value) override {
        mac_.counter(counters()[i].address) = value;
    }
    u64 after_read(std::size_t i, u64) override {
        set_value(i, 0);
        set_known(i);
        return 0;
    }
    u64 described(std::size_t i) const override {
        return driver_.*Rc32438Driver::totals[i - registers].member;
    }
    bool is_absent() const override { return !mac_.statistics; }
    bool is_reachable(bool) const override {
        return !mac_.reset_in_progress && !mac_.clocks_stopped;
    }
    // 2^32 octets at 100 Mb/s.
    u64 wrap_ns() const override { return 343'597'383'680; }

    Rc32438 mac_;
    Rc32438Driver driver_;
};

// 32-bit counters behind a gate. A write subtracts its value from the counter.
template <typename Mac>
class CpswPort : public PortOf<Mac> {
public:
    explicit CpswPort(const Options& options)
        : PortOf<Mac>(
              PortOf<Mac>::listed(), options,
              {.half_duplex = options.half_duplex, .statistics = options.statistics}),
          random_(options.random) {}

private:
    using PortOf<Mac>::are_cleared;
    using PortOf<Mac>::counter_at;
    using PortOf<Mac>::counters;
    using PortOf<Mac>::disturbed;
    using PortOf<Mac>::is_known;
    using PortOf<Mac>::mac_;
    using PortOf<Mac>::set_known;
    using PortOf<Mac>::statistics_;

    bool is_open() const { return mac_.is_open(); }

    Answer read_register(u32 address) override {
        const auto value = mac_.read(address);

        if (!value)
            return {};
        if (const auto i = counter_at(address); i && statistics_ && !is_known(*i))
            return {Answer::Kind::anything};
        if (address == Mac::interrupts && random_)
            return {Answer::Kind::value, *value, ~8u};
        return {Answer::Kind::value, *value};
    }

    Answer::Kind write_register(u32 address, u32 value) override {
        const auto i = counter_at(address);
        const u64 before = i ? value_of(*i) : 0;

        if (!mac_.write(address, value))
            return Answer::Kind::nobody;
        if (i && statistics_) {
            disturbed(*i, before, value_of(*i));
            if (!is_open())
                set_known(*i);
        }
        return Answer::Kind::value;
    }

    u64 value_of(std::size_t i) override { return mac_.at(counters()[i].address)->value; }
    void set_value(std::size_t i, u64 value) override {
        mac_.at(counters()[i].address)->value = static_cast<u32>(value);
    }

    bool is_reachable(bool first_time) const override { return first_time || is_open(); }

    bool was_reset() override { return are_cleared(); }

    // Opens the gate.
    void take_into_use() override { mac_.write(Mac::stat_port_en, Mac::all_ports); }

    u64 wrap_ns() const override { return Mac::wrap_ns; }

    bool random_;
};

// Counters that a read clears, and that stay at their maximum; of octets, the low words alone,
// which no read clears and which roll over.
template <typename Mac>
class IntelPort : public PortOf<Mac> {
protected:
    using PortOf<Mac>::PortOf;
    using PortOf<Mac>::counter_at;
    using PortOf<Mac>::counters;
    using PortOf<Mac>::disturbed;
    using PortOf<Mac>::is_known;
    using PortOf<Mac>::mac_;
    using PortOf<Mac>::set_known;

    // A revision may lack a counter.
    static constexpr u32 nowhere = ~u32{0};

    static Counter listed(const char* reg, u32 address, bool there = true) {
        return {
            .name = reg,
            .address = there ? address : nowhere,
            .bits = 32,
            .saturates = !Mac::is_octets(address)};
    }

private:
    Answer read_register(u32 address) override {
        const auto i = counter_at(address);
        const bool is_high = !i && Mac::is_octets(address - 4);
        const auto counter = is_high ? counter_at(address - 4) : i;
        const u64 before = counter ? value_of(*counter) : 0;
        const auto value = mac_.read(address);

        if (is_high && counter)
            disturbed(*counter, before, 0);
        if (!i)
            return value ? Answer{Answer::Kind::value, *value} : Answer{};
        if (counters()[*i].saturates)
            disturbed(*i, before, 0);
        if (is_known(*i))
            return {Answer::Kind::value, *value};
        if (counters()[*i].saturates)
            set_known(*i);
        return {Answer::Kind::anything};
    }

    u64 value_of(std::size_t i) override {
        return lacks(i) ? 0 : static_cast<u32>(mac_.counter(counters()[i].address));
    }
    void set_value(std::size_t i, u64 value) override {
        mac_.counter(counters()[i].address) = value;
    }
    u64 after_read(std::size_t i, u64 value) override {
        if (!counters()[i].saturates || lacks(i))
            return value;
        mac_.clear(counters()[i].address);
        set_known(i);
        return 0;
    }
    bool lacks(std::size_t i) const override { return counters()[i].address == nowhere; }
};

class E1000Port : public IntelPort<test::E1000Reference> {
public:
    explicit E1000Port(const Options& options)
        : IntelPort(
              list(), options,
              {.half_duplex = options.half_duplex, .statistics = options.statistics}) {}

private:
    static std::vector<Counter> list() {
        std::vector<Counter> counters;

        for (const CounterAt& one : test::E1000Reference::counters)
            counters.push_back(listed(one.reg, one.address));
        return counters;
    }
};

class E1000ePort : public IntelPort<test::E1000eReference> {
public:
    explicit E1000ePort(const Options& options)
        : IntelPort(
              list(options.revision), options,
              {.half_duplex = options.half_duplex,
               .statistics = options.statistics,
               .revision = options.revision}) {}

private:
    static std::vector<Counter> list(u32 revision) {
        std::vector<Counter> counters;

        for (const test::E1000eReference::Counter& one : test::E1000eReference::counters)
            counters.push_back(
                listed(one.reg, one.address, test::E1000eReference::has(one, revision)));
        return counters;
    }

    // 2^32 octets at 2.5 Gb/s.
    u64 wrap_ns() const override { return 13'743'895'347; }
};

// Counters that a read clears, that stay at their maximum, and that can be written.
class GemPort : public PortOf<test::GemReference> {
public:
    explicit GemPort(const Options& options)
        : PortOf(
              list(), options,
              {.half_duplex = options.half_duplex,
               .statistics = options.statistics,
               .slowness = options.slowness}),
          knows_high_(counters().size(), !options.random) {}

private:
    static constexpr u32 network_control = 0x0;
    static constexpr u32 clear_all = 1 << 5;
    static constexpr u32 increment_all = 1 << 6;

    static std::vector<Counter> list() {
        std::vector<Counter> counters;

        for (const test::GemReference::Counter& one : test::GemReference::counters)
            counters.push_back(
                {.name = one.reg, .address = one.address, .bits = one.bits, .saturates = true});
        return counters;
    }

    Answer read_register(u32 address) override {
        const auto i = counter_at(address);
        const auto low = counter_at(address - 4);
        const u64 before = i ? value_of(*i) : 0;
        const auto value = mac_.read(address);

        if (!value)
            return {};
        if (i) {
            disturbed(*i, before, 0);
            knows_high_[*i] = is_known(*i);
            set_known(*i);
        }
        const bool is_high = !i && low && test::GemReference::is_octets(address - 4);
        const bool known = i ? knows_high_[*i] : !is_high || knows_high_[*low];
        return {known ? Answer::Kind::value : Answer::Kind::anything, *value};
    }

    Answer::Kind write_register(u32 address, u32 value) override {
        const bool clears = address == network_control && (value & clear_all);
        const bool increments = address == network_control && (value & increment_all);

        // One after the other: only the first takes what a preset has put there.
        if (clears && increments)
            write(address, value & ~increment_all);
        if (increments)
            raise();
        if (!mac_.write(address, value))
            return Answer::Kind::nobody;
        for (std::size_t i = 0; clears && i < counters().size(); i++)
            set_known(i);
        if (const auto i = counter_at(address);
            i && mac_.is_writable() && !test::GemReference::is_octets(address))
            set_known(*i);
        return Answer::Kind::value;
    }

    u64 value_of(std::size_t i) override { return mac_.counter(counters()[i].address); }
    void set_value(std::size_t i, u64 value) override {
        mac_.counter(counters()[i].address) = value;
    }
    u64 after_read(std::size_t i, u64) override {
        mac_.read(counters()[i].address);
        knows_high_[i] = false; // a driver may poll more often
        set_known(i);
        return 0;
    }
    // Nothing wraps.
    u64 wrap_ns() const override { return ~u64{0}; }

    std::vector<bool> knows_high_; // the high word that the last read has held
};

// Counters that a command lets a driver read: they have no registers of their own.
template <typename Mac>
class CommandedPort : public PortOf<Mac> {
protected:
    using PortOf<Mac>::mac_;

    CommandedPort(std::vector<Counter> counters, const Options& options)
        : PortOf<Mac>(
              std::move(counters), options,
              {.half_duplex = options.half_duplex,
               .statistics = options.statistics,
               .random = options.random}) {}

private:
    Answer read_register(u32 address) override {
        const auto value = mac_.read(address);

        if (!value)
            return {};
        return {mac_.is_unknown(address) ? Answer::Kind::anything : Answer::Kind::value, *value};
    }

    void set_fault(Fault fault, bool active) override {
        if (fault == Fault::snapshot_stuck)
            mac_.stuck = active;
        if (fault == Fault::snapshot_slow)
            mac_.slow = active;
    }
};

// The command copies them to memory. The driver clears them first.
class RtlTallyPort : public CommandedPort<test::RtlTallyReference> {
public:
    explicit RtlTallyPort(const Options& options) : CommandedPort(list(), options) {}

private:
    static constexpr u32 command = 0x10;

    static std::vector<Counter> list() {
        std::vector<Counter> counters;

        for (const test::RtlTallyReference::TallyAt& one : test::RtlTallyReference::counters)
            counters.push_back(
                {one.reg, test::RtlTallyReference::memory + one.offset / 4 * 4, one.bits});
        return counters;
    }

    u64 value_of(std::size_t i) override { return mac_.live(counters()[i].name); }
    void set_value(std::size_t i, u64 value) override { mac_.live(counters()[i].name) = value; }
    void take_into_use() override { mac_.write(command, *mac_.read(command) | 1u << 0); }
    bool freeze() override { return mac_.dump(); }
    // 2^16 frames of 64 octets, 20 octets apart, at 1 Gb/s.
    u64 wrap_ns() const override { return 44'040'192; }
    u64 wrap_octets() const override { return u64{84} << 16; }
};

// Of 32 bits, of which the command puts one at a time into data registers.
class K1EmacPort : public CommandedPort<test::K1EmacReference> {
public:
    explicit K1EmacPort(const Options& options) : CommandedPort(list(), options) {}

private:
    // They have no addresses.
    static std::vector<Counter> list() {
        std::vector<Counter> counters;

        for (const std::string_view name : test::K1EmacReference::tx_counters)
            counters.push_back({std::string(name), 0, 32});
        for (const std::string_view name : test::K1EmacReference::rx_counters)
            counters.push_back({std::string(name), 0, 32});
        return counters;
    }

    u64 value_of(std::size_t i) override { return mac_.at(counters()[i].name).value; }
    void set_value(std::size_t i, u64 value) override {
        mac_.at(counters()[i].name) = {counters()[i].name, static_cast<u32>(value), true};
    }
    u64 after_read(std::size_t i, u64 value) override {
        set_known(i);
        return value;
    }
    std::size_t block_of(std::size_t i) const override {
        return i >= std::size(test::K1EmacReference::tx_counters);
    }
    bool freeze() override { return mac_.read_all(); }
};

// Counters that roll over and that no read changes: of 32 bits, and octets of 64, in two words,
// where the MAC has such. A command may clear them. Each MAC asserts the members that it has.
template <typename Mac>
class FreePort : public PortOf<Mac> {
protected:
    using PortOf<Mac>::counters;
    using PortOf<Mac>::mac_;
    using PortOf<Mac>::statistics_;

    explicit FreePort(const Options& options)
        : PortOf<Mac>(
              list(), options,
              {.half_duplex = options.half_duplex, .statistics = options.statistics}) {}

    Answer::Kind write_register(u32 address, u32 value) override {
        if constexpr (requires { Mac::resets_counters(address, value); })
            for (std::size_t i = 0; i < counters().size(); i++)
                if (statistics_ && Mac::resets_counters(address, value)) {
                    this->disturbed(i, value_of(i), 0);
                    this->set_known(i);
                }
        return PortOf<Mac>::write_register(address, value);
    }

    u64 value_of(std::size_t i) override { return mac_.counter(counters()[i].address); }
    void set_value(std::size_t i, u64 value) override {
        mac_.set_counter(counters()[i].address, value);
    }

private:
    static std::vector<Counter> list() {
        std::vector<Counter> counters = PortOf<Mac>::listed();

        if constexpr (requires { Mac::is_octets(0); })
            for (Counter& one : counters)
                if (Mac::is_octets(one.address))
                    one.bits = 64;
        return counters;
    }

    static u32 low_word_of(u32 address) {
        if constexpr (requires { Mac::low_word_of(address); })
            return Mac::low_word_of(address).value_or(address);
        return address;
    }

    Answer read_register(u32 address) override {
        const auto i = this->counter_at(low_word_of(address));
        const auto value = mac_.read(address);

        if (i && statistics_ && !this->is_known(*i))
            return {Answer::Kind::anything};
        return value ? Answer{Answer::Kind::value, *value} : Answer{};
    }
};

// A command clears them.
class Lan743xPort : public FreePort<test::Lan743xReference> {
public:
    explicit Lan743xPort(const Options& options) : FreePort(options) {}

private:
    static_assert(requires { test::Lan743xReference::resets_counters(0, 0); });

    void take_into_use() override { write_register(0x100, *mac_.read(0x100) | 1u << 5); }
};

// They are behind a gate, and no access changes them.
class Mt7530Port : public FreePort<test::Mt7530Reference> {
public:
    explicit Mt7530Port(const Options& options) : FreePort(options) {}

private:
    static_assert(requires {
        test::Mt7530Reference::is_octets(0);
        test::Mt7530Reference::low_word_of(0);
    });

    bool is_reachable(bool first_time) const override { return first_time || mac_.is_enabled(); }
    bool was_reset() override { return are_cleared(); }
    void take_into_use() override {
        const u32 mib_ccr = test::Mt7530Reference::mib_ccr;

        mac_.write(mib_ccr, *mac_.read(mib_ccr) | test::Mt7530Reference::mib_enable);
    }
    // 2^32 collisions, 24 octets apart, at 1 Gb/s.
    u64 wrap_ns() const override { return 824'633'720'832; }
    u64 wrap_octets() const override { return u64{24} << 32; }
};

// A bit clears them.
class AlteraTsePort : public FreePort<test::AlteraTseReference> {
public:
    explicit AlteraTsePort(const Options& options) : FreePort(options) {}

private:
    static_assert(requires {
        test::AlteraTseReference::resets_counters(0, 0);
        test::AlteraTseReference::is_octets(0);
        test::AlteraTseReference::low_word_of(0);
    });

    void take_into_use() override { write_register(0x08, *mac_.read(0x08) | 1u << 31); }
    // 2^32 frames of 84 octets with their gap, at 1 Gb/s.
    u64 wrap_ns() const override { return 2'886'218'022'912; }
    u64 wrap_octets() const override { return u64{84} << 32; }
};

// No access changes them.
class UnimacPort : public FreePort<test::UnimacReference> {
public:
    explicit UnimacPort(const Options& options) : FreePort(options) {}
};

// Counters that no read changes until a bit lets it clear them: of those of two words, a read of
// the low one clears both, and holds the high one.
template <typename Mac>
class SwitchedPort : public PortOf<Mac> {
protected:
    using PortOf<Mac>::counters;
    using PortOf<Mac>::disturbed;
    using PortOf<Mac>::is_known;
    using PortOf<Mac>::mac_;
    using PortOf<Mac>::set_known;
    using PortOf<Mac>::statistics_;

    SwitchedPort(
        std::vector<Counter> list, const Options& options, const typename Mac::Options& own)
        : PortOf<Mac>(std::move(list), options, own),
          knows_high_(counters().size(), !options.random) {}

    // Does a read clear this counter now?
    virtual bool reads_clear(std::size_t i) const = 0;

    u64 value_of(std::size_t i) override { return mac_.counter(counters()[i].address); }
    void set_value(std::size_t i, u64 value) override {
        mac_.set_counter(counters()[i].address, value);
    }

private:
    Answer read_register(u32 address) override {
        const auto i = this->counter_at(address);
        const auto low = mac_.is_high(address) ? this->counter_at(address - 4) : std::nullopt;
        const bool clears = i ? reads_clear(*i) : low && reads_clear(*low);
        const u64 before = i ? value_of(*i) : 0;
        const bool known = i     ? is_known(*i)
                           : low ? (clears ? knows_high_[*low] : is_known(*low))
                                 : true;
        const auto value = mac_.read(address);

        if (!value)
            return {};
        if (i && clears && statistics_) {
            disturbed(*i, before, 0);
            knows_high_[*i] = is_known(*i);
            set_known(*i);
        }
        return {known || !statistics_ ? Answer::Kind::value : Answer::Kind::anything, *value};
    }

    u64 after_read(std::size_t i, u64 value) override {
        if (!reads_clear(i))
            return value;
        mac_.read(counters()[i].address);
        knows_high_[i] = false; // a driver may poll more often
        set_known(i);
        return 0;
    }

    std::vector<bool> knows_high_; // the high word that the last read has held
};

// Counters that roll over and that no read changes, until bits of MMC_CNTRL are set.
template <test::DwmacReference::Core Core>
class DwmacPort : public SwitchedPort<test::DwmacReference> {
public:
    explicit DwmacPort(const Options& options)
        : SwitchedPort(
              list(), options,
              {.core = Core,
               .half_duplex = options.half_duplex,
               .statistics = options.statistics}) {}

private:
    static std::vector<Counter> list() {
        std::vector<Counter> counters;

        for (const test::DwmacReference::Counter& one : test::DwmacReference::counters)
            if (const u32 address = test::DwmacReference::address_of(one, Core);
                address != test::DwmacReference::none)
                counters.push_back(
                    {one.reg, address, test::DwmacReference::is_wide(one, Core) ? 64u : 32u});
        std::sort(counters.begin(), counters.end(), [](const Counter& a, const Counter& b) {
            return a.address < b.address;
        });
        return counters;
    }

    Answer::Kind write_register(u32 address, u32 value) override {
        const bool clears = address == u32{Core} && (value & test::DwmacReference::clear);

        for (std::size_t i = 0; clears && statistics_ && i < counters().size(); i++) {
            disturbed(i, value_of(i), 0);
            set_known(i);
        }
        return SwitchedPort::write_register(address, value);
    }

    bool reads_clear(std::size_t) const override { return mac_.reads_clear(); }
    bool clears(std::size_t, bool polls) const override {
        return polls ? mac_.reads_clear() : cleared_;
    }
    bool stays(std::size_t i, bool polls) const override {
        return counters()[i].bits == 32 && stopped_ && (mac_.stops() || !polls);
    }
    bool may_have_stayed(std::size_t i) const override {
        return counters()[i].bits == 32 && stopped_ != mac_.stops();
    }
    bool stands_still() const override { return mac_.is_frozen(); }
    void take_into_use() override {
        write_register(Core, *mac_.read(Core) | test::DwmacReference::clear);
    }
    // The driver has seen the bits.
    void release() override {
        cleared_ = mac_.reads_clear();
        stopped_ = mac_.stops();
    }
    // 2^32 octets; in an XGMAC 2^32 frames of 64 octets, 20 octets apart.
    u64 wrap_ns() const override {
        switch (Core) {
        case test::DwmacReference::gmac: // 1 Gb/s
            return 34'359'738'368;
        case test::DwmacReference::gmac4: // 2.5 Gb/s
            return 13'743'895'347;
        default: // 10 Gb/s
            return 288'621'802'291;
        }
    }
    u64 wrap_octets() const override {
        return Core == test::DwmacReference::xgmac ? u64{84} << 32 : u64{1} << 32;
    }

    bool cleared_ = false;
    bool stopped_ = false;
};

// Of two MACs, each with its bit. Those of the sublayer above them have none.
class NetcPort : public SwitchedPort<test::NetcReference> {
public:
    explicit NetcPort(const Options& options)
        : SwitchedPort(
              test::NetcReference::listed(), options,
              {.half_duplex = options.half_duplex, .statistics = options.statistics}) {}

private:
    Answer::Kind write_register(u32 address, u32 value) override {
        const auto i = counter_at(mac_.is_high(address) ? address - 4 : address);
        const u64 before = i ? value_of(*i) : 0;
        const Answer::Kind answer = SwitchedPort::write_register(address, value);

        if (i && mac_.can_be_written(address))
            disturbed(*i, before, value_of(*i));
        return answer;
    }

    std::size_t block_of(std::size_t i) const override {
        return test::NetcReference::mac_of(counters()[i].address);
    }
    bool reads_clear(std::size_t i) const override {
        return mac_.reads_clear(static_cast<u32>(block_of(i)));
    }
    bool clears(std::size_t i, bool polls) const override {
        return polls ? reads_clear(i) : cleared_[block_of(i)];
    }
    // The driver has seen the bits.
    void release() override {
        cleared_[0] = mac_.reads_clear(0);
        cleared_[1] = mac_.reads_clear(1);
    }
    // 2^32 frames of 64 octets, 20 octets apart, at 10 Gb/s.
    u64 wrap_ns() const override { return 288'621'802'291; }
    u64 wrap_octets() const override { return u64{84} << 32; }

    bool cleared_[3] = {false, false, false};
};

template <typename Port>
std::unique_ptr<Reference> make_port(const Options& options) {
    return std::make_unique<Port>(options);
}

// The one list of references.
struct Entry {
    std::string_view model;
    std::unique_ptr<Reference> (*make)(const Options& options);
};

constexpr Entry entries[] = {
    {"ll40g", make_port<Ll40gPort>},
    {"ll40g_agilex5", make_port<Ll40gAgilex5Port>},
    {"ixf1104", make_port<Ixf1104Port>},
    {"rc32438", make_port<Rc32438Port>},
    {"cpsw", make_port<CpswPort<test::CpswReference>>},
    {"e1000", make_port<E1000Port>},
    {"e1000e", make_port<E1000ePort>},
    {"gem", make_port<GemPort>},
    {"k1_emac", make_port<K1EmacPort>},
    {"rtl_tally", make_port<RtlTallyPort>},
    {"lan743x", make_port<Lan743xPort>},
    {"mt7530", make_port<Mt7530Port>},
    {"unimac", make_port<UnimacPort>},
    {"am65_cpsw", make_port<CpswPort<test::Am65CpswReference>>},
    {"dwmac_mmc", make_port<DwmacPort<test::DwmacReference::gmac>>},
    {"dwmac4_mmc", make_port<DwmacPort<test::DwmacReference::gmac4>>},
    {"dwxgmac_mmc", make_port<DwmacPort<test::DwmacReference::xgmac>>},
    {"alx", make_port<AlxPort>},
    {"altera_tse", make_port<AlteraTsePort>},
    {"netc", make_port<NetcPort>},
};

} // namespace

bool has_reference(std::string_view model) {
    return std::any_of(std::begin(entries), std::end(entries), [&](const Entry& entry) {
        return entry.model == model;
    });
}

std::string missing_reference(std::string_view model) {
    const std::string name(model);
    return "no reference of " + name + ": add test/reference/" + name +
           "_reference.hpp, written from the datasheet alone, and its class and line in "
           "test/reference/reference.cpp";
}

std::unique_ptr<Reference> make_reference(std::string_view model, const Options& options) {
    for (const Entry& entry : entries)
        if (entry.model == model)
            return entry.make(options);
    throw std::out_of_range(missing_reference(model));
}

} // namespace macstats::reference
