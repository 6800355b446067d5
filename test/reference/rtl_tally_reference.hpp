// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The tally counters of a Realtek RTL8139C+ or RTL8169, slow and plain, to compare the model with.
// Written from the text of the datasheets ("Dump Tally Counter Command") and the layout that Linux
// reads: one condition for each counter, no table, nothing of the headers under test but the frame.
//
// Inferred, as in the comment of the model: frames below 64 octets are dropped unseen; a frame
// without carrier sense is sent; a chip without tally counters has no command either. Writes to the
// copy in memory are not emulated.
#ifndef MACSTATS_TEST_RTL_TALLY_REFERENCE_HPP
#define MACSTATS_TEST_RTL_TALLY_REFERENCE_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class RtlTallyReference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
        bool random = false; // the counters hold anything until they are cleared
    };

    // In octets from the address of a dump.
    struct TallyAt {
        const char* reg;
        std::uint32_t offset;
        unsigned int bits;
    };

    static constexpr TallyAt counters[] = {
        {"TxOk", 0, 64},     {"RxOk", 8, 64},     {"TxErr", 16, 64},  {"RxErr", 24, 32},
        {"MissPkt", 28, 16}, {"FAE", 30, 16},     {"Tx1Col", 32, 32}, {"TxMCol", 36, 32},
        {"RxOkPhy", 40, 64}, {"RxOkBrd", 48, 64}, {"RxOkMu", 56, 32}, {"TxAbt", 60, 16},
        {"TxUndrn", 62, 16},
    };
    static constexpr std::uint32_t memory = 0x100; // where the model has the copy
    static constexpr std::uint32_t size = 64;

    explicit RtlTallyReference(const Options& options)
        : options_(options),
          unknown_(options.random) {}

    // Faults: a command never ends, or ends later.
    bool stuck = false;
    bool slow = false;

    // The same frame @times over.
    void count(const macstats_frame& frame, std::uint64_t times) {
        if (!options_.statistics)
            return;
        if (frame.direction == MACSTATS_RX)
            receive(frame, times);
        else
            transmit(frame, times);
    }

    // What the chip counts, whatever is in memory.
    std::uint64_t& live(const std::string& reg) { return live_[reg]; }

    // One bus read; nothing if nothing answers there.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        if (address == 0x10)
            return read_command();
        if (address == 0x14)
            return high_;
        if (address >= memory && address < memory + size && address % 4 == 0)
            return word(address - memory);
        return {};
    }

    // One bus write; false if nothing answers.
    bool write(std::uint32_t address, std::uint32_t value) {
        if (address == 0x10)
            command(value);
        else if (address == 0x14)
            high_ = options_.statistics ? value : 0;
        else
            return address >= memory && address < memory + size && address % 4 == 0;
        return true;
    }

    // Has a counter with anything in it been copied there?
    bool is_unknown(std::uint32_t address) const { return address >= memory && copied_unknown_; }

    // A driver waits until an earlier command has ended, gives its own and waits for that.
    bool dump() {
        if (!ends())
            return false;
        command(low_ | 1u << 3);
        return ends();
    }

private:
    // Bit 0: "clears the counters". Bit 3: "dumps the counters", set until that is done. Bits
    // 31:6: the address. The others are reserved.
    void command(std::uint32_t value) {
        if (!options_.statistics)
            return;
        low_ = value & ~0x3fu;
        if (value & 1u << 0) {
            live_.clear();
            unknown_ = false;
        }
        if (value & 1u << 3) {
            dumping_ = true;
            looks_ = slow ? 2 : 0;
            if (!slow && !stuck)
                copy();
        }
    }

    std::uint32_t read_command() {
        if (dumping_ && !stuck) {
            if (looks_)
                looks_--;
            else
                copy();
        }
        return low_ | (dumping_ ? 1u << 3 : 0);
    }

    bool ends() {
        for (unsigned int look = 0; look < 10; look++)
            if (!(read_command() & 1u << 3))
                return true;
        return false;
    }

    void copy() {
        dumping_ = false;
        copied_ = live_;
        copied_unknown_ = unknown_;
    }

    // Little-endian: a lower octet is at a lower address.
    std::uint32_t word(std::uint32_t offset) const {
        std::uint32_t value = 0;

        for (const TallyAt& one : counters)
            for (unsigned int octet = 0; octet < one.bits / 8; octet++) {
                const std::uint32_t at = one.offset + octet;
                const auto found = copied_.find(one.reg);

                if (at >= offset && at < offset + 4 && found != copied_.end())
                    value |= static_cast<std::uint32_t>(found->second >> (8 * octet) & 0xff)
                             << (8 * (at - offset));
            }
        return value;
    }

    // "The counters roll over."
    void add(const char* reg, std::uint64_t times) {
        for (const TallyAt& one : counters)
            if (reg == std::string(one.reg)) {
                live_[reg] += times;
                if (one.bits < 64)
                    live_[reg] &= (std::uint64_t{1} << one.bits) - 1;
            }
    }

    void receive(const macstats_frame& frame, std::uint64_t times) {
        if (frame.length < 64)
            return;

        const bool missed = has(frame, MACSTATS_ERR_OVERRUN) || has(frame, MACSTATS_ERR_NO_BUFFER);
        const bool bad = has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_ALIGNMENT) ||
                         has(frame, MACSTATS_ERR_CODE);
        const bool good = !missed && !bad;

        if (good)
            add("RxOk", times);
        if (bad && !missed)
            add("RxErr", times);
        if (missed)
            add("MissPkt", times);
        if (has(frame, MACSTATS_ERR_ALIGNMENT) && !missed)
            add("FAE", times);
        // "All Rx Ok packets with physical addresses matching the destination ID"
        if (good && frame.destination == MACSTATS_UNICAST)
            add("RxOkPhy", times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add("RxOkBrd", times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add("RxOkMu", times);
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        const macstats_frame frame = on_medium(given, options_.half_duplex);

        // Flow control by pause frames is "for full duplex" only (IEEE 802.3 annex 31B).
        if (options_.half_duplex && frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0 &&
            frame.origin == MACSTATS_BY_MAC)
            return;

        const bool late = has(frame, MACSTATS_ERR_LATE_COLLISION);
        const bool excessive =
            !late && (frame.collisions >= 16 || has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS));
        const bool underrun = has(frame, MACSTATS_ERR_UNDERRUN);
        const bool sent = !late && !excessive && !underrun;

        if (sent)
            add("TxOk", times);
        else
            add("TxErr", times);
        if (sent && frame.collisions == 1)
            add("Tx1Col", times);
        if (sent && frame.collisions >= 2)
            add("TxMCol", times);
        if (excessive)
            add("TxAbt", times);
        if (underrun)
            add("TxUndrn", times);
    }

    Options options_;
    std::map<std::string, std::uint64_t> live_;
    std::map<std::string, std::uint64_t> copied_;
    bool unknown_;
    bool copied_unknown_ = false;
    bool dumping_ = false;
    unsigned int looks_ = 0; // before a slow command has ended
    std::uint32_t low_ = 0;
    std::uint32_t high_ = 0;
};

} // namespace macstats::test

#endif // MACSTATS_TEST_RTL_TALLY_REFERENCE_HPP
