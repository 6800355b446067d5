// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A Cadence GEM, slow and plain, to compare the model with. Written from the text of the
// register pages (UG1087, module GEM; UG585, chapter 16): one condition for each counter, no
// table, nothing of the headers under test but the frame.
#ifndef MACSTATS_TEST_GEM_REFERENCE_HPP
#define MACSTATS_TEST_GEM_REFERENCE_HPP

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include <macstats/frame.h>

#include "medium.hpp"

namespace macstats::test {

class GemReference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
        std::uint32_t slowness = 1; // 1000 Mb/s over the speed
    };

    struct Counter {
        const char* reg;
        std::uint32_t address;
        unsigned int bits;
    };

    static constexpr Counter counters[] = {
        {"octets_txed", 0x100, 48},         {"frames_txed_ok", 0x108, 32},
        {"broadcast_txed", 0x10c, 32},      {"multicast_txed", 0x110, 32},
        {"pause_frames_txed", 0x114, 16},   {"frames_txed_64", 0x118, 32},
        {"frames_txed_65", 0x11c, 32},      {"frames_txed_128", 0x120, 32},
        {"frames_txed_256", 0x124, 32},     {"frames_txed_512", 0x128, 32},
        {"frames_txed_1024", 0x12c, 32},    {"frames_txed_1519", 0x130, 32},
        {"tx_underruns", 0x134, 10},        {"single_collisions", 0x138, 18},
        {"multiple_collisions", 0x13c, 18}, {"excessive_collisions", 0x140, 10},
        {"late_collisions", 0x144, 10},     {"deferred_frames", 0x148, 18},
        {"crs_errors", 0x14c, 10},          {"octets_rxed", 0x150, 48},
        {"frames_rxed_ok", 0x158, 32},      {"broadcast_rxed", 0x15c, 32},
        {"multicast_rxed", 0x160, 32},      {"pause_frames_rxed", 0x164, 16},
        {"frames_rxed_64", 0x168, 32},      {"frames_rxed_65", 0x16c, 32},
        {"frames_rxed_128", 0x170, 32},     {"frames_rxed_256", 0x174, 32},
        {"frames_rxed_512", 0x178, 32},     {"frames_rxed_1024", 0x17c, 32},
        {"frames_rxed_1519", 0x180, 32},    {"undersize_frames", 0x184, 10},
        {"excessive_rx_length", 0x188, 10}, {"rx_jabbers", 0x18c, 10},
        {"fcs_errors", 0x190, 10},          {"rx_length_errors", 0x194, 10},
        {"rx_symbol_errors", 0x198, 10},    {"alignment_errors", 0x19c, 10},
        {"rx_resource_errors", 0x1a0, 18},  {"rx_overruns", 0x1a4, 10},
        {"rx_ip_ck_errors", 0x1a8, 8},      {"rx_tcp_ck_errors", 0x1ac, 8},
        {"rx_udp_ck_errors", 0x1b0, 8},     {"rx_lpi", 0x270, 16},
        {"rx_lpi_time", 0x274, 24},         {"tx_lpi", 0x278, 16},
        {"tx_lpi_time", 0x27c, 24},
    };

    explicit GemReference(const Options& options) : options_(options) {
        for (const Counter& one : counters) {
            counter_[one.address] = 0;
            most_[one.address] = (std::uint64_t{1} << one.bits) - 1;
        }
    }

    // "Read in two registers", the low one first.
    static constexpr bool is_octets(std::uint32_t address) {
        return address == 0x100 || address == 0x150;
    }

    // The same frame @times over. The bits that enable both directions are not looked at.
    void count(const macstats_frame& frame, std::uint64_t times) {
        if (!options_.statistics)
            return;
        if (frame.direction == MACSTATS_RX)
            receive(frame, times);
        else
            transmit(frame, times);
    }

    // One bus read; nothing if nothing answers there. "A read clears": that of the low word, which
    // holds the high one.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        if (counter_.contains(address)) {
            const std::uint64_t value = counter_[address];

            counter_[address] = 0;
            held_[address] = static_cast<std::uint32_t>(value >> 32);
            return static_cast<std::uint32_t>(value);
        }
        if (is_octets(address - 4))
            return held_[address - 4];
        switch (address) {
        case 0x00: // network_control
            return control_;
        case 0x04: // network_config: MDC clock and bus width at their reset values
            return config_ | 0x00280000;
        case 0x48:
            return jumbo_max_length_;
        case 0xfc: // revision_reg
            return 0x40070106;
        default:
            return {};
        }
    }

    // One bus write; false if nothing answers. network_control clears before it increments.
    bool write(std::uint32_t address, std::uint32_t value) {
        if (address == 0x00) {
            control_ = value & (1u << 2 | 1u << 3 | 1u << 7);
            if (value & 1u << 5)
                for (auto& [at, count] : counter_)
                    count = 0;
            if (value & 1u << 6 && options_.statistics)
                for (auto& [at, count] : counter_)
                    add(at, 1);
        } else if (address == 0x04) {
            config_ = value & (1u << 3 | 1u << 8 | 1u << 16 | 1u << 24);
        } else if (address == 0x48) {
            jumbo_max_length_ = value & 0x3fff;
        } else if (counter_.contains(address) && is_writable()) {
            counter_[address] =
                (counter_[address] & ~std::uint64_t{0xffffffff}) | (value & most_[address]);
        } else if (is_octets(address - 4) && is_writable()) {
            counter_[address - 4] =
                (counter_[address - 4] & 0xffffffff) | std::uint64_t{value & 0xffff} << 32;
        } else {
            return counter_.contains(address) || is_octets(address - 4) || address == 0xfc;
        }
        return true;
    }

    // "Writing a one makes the statistics registers writable."
    bool is_writable() const { return options_.statistics && (control_ & 1u << 7); }

    std::uint64_t& counter(std::uint32_t address) { return counter_.at(address); }

private:
    // A counter "sticks" at its maximum.
    void add(std::uint32_t address, std::uint64_t amount) {
        std::uint64_t& value = counter_.at(address);

        value += std::min(amount, most_.at(address) - value);
    }

    // "1518 bytes, 1536 if bit 8 is set, 10,240 if bit 3 is set": the latter is in
    // jumbo_max_length.
    std::uint32_t longest() const {
        if (config_ & 1u << 3)
            return jumbo_max_length_;
        return config_ & 1u << 8 ? 1536 : 1518;
    }

    void receive(const macstats_frame& frame, std::uint64_t times) {
        const std::uint32_t length = frame.length;
        const bool legal = length >= 64 && length <= longest();
        const bool fcs = has(frame, MACSTATS_ERR_FCS);
        const bool alignment = has(frame, MACSTATS_ERR_ALIGNMENT);
        const bool symbol = has(frame, MACSTATS_ERR_CODE);
        const bool overrun = has(frame, MACSTATS_ERR_OVERRUN);
        const bool no_buffer = has(frame, MACSTATS_ERR_NO_BUFFER);
        // Behind a tag there is no MAC control frame to be seen.
        const bool pause = frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0;
        const bool wrong_length = has(frame, MACSTATS_ERR_PAYLOAD_LENGTH) && (config_ & 1u << 16);
        const bool wrong_checksum = has(frame, MACSTATS_ERR_CHECKSUM) && (config_ & 1u << 24);

        const bool intact = legal && !fcs && !alignment && !symbol;
        // "Excludes pause frames, and only if successfully filtered and copied to memory."
        const bool good =
            intact && !pause && !wrong_length && !wrong_checksum && !overrun && !no_buffer;

        if (good)
            add(0x150, times * length);
        if (good)
            add(0x158, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x15c, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x160, times);
        if (intact && pause)
            add(0x164, times);
        if (good && length == 64)
            add(0x168, times);
        if (good && length >= 65 && length <= 127)
            add(0x16c, times);
        if (good && length >= 128 && length <= 255)
            add(0x170, times);
        if (good && length >= 256 && length <= 511)
            add(0x174, times);
        if (good && length >= 512 && length <= 1023)
            add(0x178, times);
        if (good && length >= 1024 && length <= 1518)
            add(0x17c, times);
        if (good && length >= 1519)
            add(0x180, times);
        // "That do not have either a CRC error or an alignment error": symbol errors may be.
        if (length < 64 && !fcs && !alignment)
            add(0x184, times);
        if (length > longest() && !fcs && !alignment && !symbol)
            add(0x188, times);
        if (length > longest() && (fcs || alignment || symbol))
            add(0x18c, times);
        // "An integral number of bytes".
        if (legal && (fcs || symbol) && !alignment)
            add(0x190, times);
        if (intact && wrong_length)
            add(0x194, times);
        // "For gigabit mode the frame must satisfy slot time requirements."
        if (symbol && (options_.slowness > 1 || length >= 64))
            add(0x198, times);
        if (legal && alignment)
            add(0x19c, times);
        // "Successfully received by the MAC, but could not be copied to memory."
        if (intact && !wrong_length && no_buffer && !overrun)
            add(0x1a0, times);
        if (overrun)
            add(0x1a4, times);
        if (intact && wrong_checksum && !no_buffer && !overrun)
            add(0x1a8, times);
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        const bool half = options_.half_duplex;
        const macstats_frame frame = on_medium(given, half);
        const std::uint32_t length = std::max(frame.length, 64u); // padded
        // "Triggered by the register interface or through the external pause pins".
        const bool own_pause =
            frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0 && frame.origin == MACSTATS_BY_MAC;

        // Flow control by pause frames is "for full duplex" only (IEEE 802.3 annex 31B).
        if (own_pause && half)
            return;
        // "If this register is incremented then no other statistics register is."
        if (has(frame, MACSTATS_ERR_UNDERRUN)) {
            add(0x134, times);
            return;
        }
        if (own_pause) {
            add(0x114, times);
            return;
        }

        const bool late = has(frame, MACSTATS_ERR_LATE_COLLISION);
        // "In 10/100 mode counted twice", "in gigabit mode the transmission is aborted".
        const bool aborted = late && options_.slowness == 1;
        const unsigned int collisions = frame.collisions + (late ? 1u : 0u);
        const bool sixteen =
            !aborted && (collisions >= 16 || has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS));
        const bool sent = !aborted && !sixteen;

        if (sent)
            add(0x100, times * length);
        if (sent)
            add(0x108, times);
        if (sent && frame.destination == MACSTATS_BROADCAST)
            add(0x10c, times);
        if (sent && frame.destination == MACSTATS_MULTICAST)
            add(0x110, times);
        if (sent && length == 64)
            add(0x118, times);
        if (sent && length >= 65 && length <= 127)
            add(0x11c, times);
        if (sent && length >= 128 && length <= 255)
            add(0x120, times);
        if (sent && length >= 256 && length <= 511)
            add(0x124, times);
        if (sent && length >= 512 && length <= 1023)
            add(0x128, times);
        if (sent && length >= 1024 && length <= 1518)
            add(0x12c, times);
        if (sent && length >= 1519)
            add(0x130, times);
        if (sent && collisions == 1)
            add(0x138, times);
        if (sent && collisions >= 2)
            add(0x13c, times);
        if (sixteen)
            add(0x140, times);
        if (late)
            add(0x144, times);
        // "Frames involved in any collision are not counted."
        if (frame.deferred && sent && collisions == 0)
            add(0x148, times);
        if (half && has(frame, MACSTATS_ERR_CARRIER_LOSS) && sent && collisions == 0)
            add(0x14c, times);
    }

    Options options_;
    std::uint32_t control_ = 0;
    std::uint32_t config_ = 0;
    std::uint32_t jumbo_max_length_ = 10240;
    std::map<std::uint32_t, std::uint64_t> counter_; // by address, of the low word
    std::map<std::uint32_t, std::uint64_t> most_;
    std::map<std::uint32_t, std::uint32_t> held_; // high words, by the same address
};

} // namespace macstats::test

#endif // MACSTATS_TEST_GEM_REFERENCE_HPP
