// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The MIB counters of a port of a MediaTek MT7530, slow and plain, to compare the model with.
// Written from the text at the head of its header, RFC 2819 and IEEE 802.3, and the names in the
// Linux driver: one condition for each counter, no table, nothing of the headers under test but the
// frame.
#ifndef MACSTATS_TEST_MT7530_REFERENCE_HPP
#define MACSTATS_TEST_MT7530_REFERENCE_HPP

#include <cstdint>
#include <map>
#include <optional>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class Mt7530Reference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
    };

    static constexpr reference::CounterAt counters[] = {
        {"TX_DROP", "tx_drop", 0x4000},
        {"TX_CRC_ERR", "tx_crc_err", 0x4004},
        {"TX_UNICAST", "tx_unicast", 0x4008},
        {"TX_MULTICAST", "tx_multicast", 0x400c},
        {"TX_BROADCAST", "tx_broadcast", 0x4010},
        {"TX_COLLISION", "tx_collision", 0x4014},
        {"TX_SINGLE_COLLISION", "tx_single_collision", 0x4018},
        {"TX_MULTIPLE_COLLISION", "tx_multiple_collision", 0x401c},
        {"TX_DEFERRED", "tx_deferred", 0x4020},
        {"TX_LATE_COLLISION", "tx_late_collision", 0x4024},
        {"TX_EXCESSIVE_COLLISION", "tx_excessive_collision", 0x4028},
        {"TX_PAUSE", "tx_pause", 0x402c},
        {"TX_PKT_SZ_64", "tx_pkt_sz_64", 0x4030},
        {"TX_PKT_SZ_65_TO_127", "tx_pkt_sz_65_to_127", 0x4034},
        {"TX_PKT_SZ_128_TO_255", "tx_pkt_sz_128_to_255", 0x4038},
        {"TX_PKT_SZ_256_TO_511", "tx_pkt_sz_256_to_511", 0x403c},
        {"TX_PKT_SZ_512_TO_1023", "tx_pkt_sz_512_to_1023", 0x4040},
        {"TX_PKT_SZ_1024_TO_MAX", "tx_pkt_sz_1024_to_max", 0x4044},
        {"TX_BYTES", "tx_bytes", 0x4048},
        {"RX_DROP", "rx_drop", 0x4060},
        {"RX_FILTERING", "rx_filtering", 0x4064},
        {"RX_UNICAST", "rx_unicast", 0x4068},
        {"RX_MULTICAST", "rx_multicast", 0x406c},
        {"RX_BROADCAST", "rx_broadcast", 0x4070},
        {"RX_ALIGN_ERR", "rx_align_err", 0x4074},
        {"RX_CRC_ERR", "rx_crc_err", 0x4078},
        {"RX_UNDER_SIZE_ERR", "rx_under_size_err", 0x407c},
        {"RX_FRAG_ERR", "rx_frag_err", 0x4080},
        {"RX_OVER_SZ_ERR", "rx_over_sz_err", 0x4084},
        {"RX_JABBER_ERR", "rx_jabber_err", 0x4088},
        {"RX_PAUSE", "rx_pause", 0x408c},
        {"RX_PKT_SZ_64", "rx_pkt_sz_64", 0x4090},
        {"RX_PKT_SZ_65_TO_127", "rx_pkt_sz_65_to_127", 0x4094},
        {"RX_PKT_SZ_128_TO_255", "rx_pkt_sz_128_to_255", 0x4098},
        {"RX_PKT_SZ_256_TO_511", "rx_pkt_sz_256_to_511", 0x409c},
        {"RX_PKT_SZ_512_TO_1023", "rx_pkt_sz_512_to_1023", 0x40a0},
        {"RX_PKT_SZ_1024_TO_MAX", "rx_pkt_sz_1024_to_max", 0x40a4},
        {"RX_BYTES", "rx_bytes", 0x40a8},
        {"RX_CTRL_DROP", "rx_ctrl_drop", 0x40b0},
        {"RX_INGRESS_DROP", "rx_ingress_drop", 0x40b4},
        {"RX_ARL_DROP", "rx_arl_drop", 0x40b8},
    };

    static constexpr std::uint32_t mib_ccr = 0x4fe0;
    static constexpr std::uint32_t mib_enable = 1u << 31;

    // Two words, the low one first. All others have one word.
    static bool is_octets(std::uint32_t address) { return address == 0x4048 || address == 0x40a8; }

    // The low word of a counter of 64 bits, of which this address is the high word.
    static std::optional<std::uint32_t> low_word_of(std::uint32_t address) {
        return is_octets(address - 4) ? std::optional(address - 4) : std::nullopt;
    }

    explicit Mt7530Reference(const Options& options) : options_(options) {
        for (const reference::CounterAt& one : counters)
            counter_[one.address] = 0;
    }

    bool is_enabled() const { return (mib_ccr_ & mib_enable) != 0; }

    // The same frame @times over.
    void count(const macstats_frame& frame, std::uint64_t times) {
        if (!options_.statistics || !is_enabled())
            return;
        if (frame.direction == MACSTATS_RX)
            receive(frame, times);
        else
            transmit(frame, times);
    }

    // One bus read, which changes nothing; nothing if nothing answers there.
    [[nodiscard]] std::optional<std::uint32_t> read(std::uint32_t address) const {
        if (address == mib_ccr)
            return mib_ccr_;
        if (const auto low = low_word_of(address))
            return static_cast<std::uint32_t>(counter_.at(*low) >> 32);
        if (const auto one = counter_.find(address); one != counter_.end())
            return static_cast<std::uint32_t>(one->second);
        return {};
    }

    // One bus write; false if nothing answers. Counters ignore it.
    bool write(std::uint32_t address, std::uint32_t value) {
        if (address == mib_ccr) // which octets count is only stored
            mib_ccr_ = value & (mib_enable | 1u << 7 | 1u << 6 | 1u << 5 | 1u << 4);
        return read(address).has_value();
    }

    std::uint64_t counter(std::uint32_t address) const { return counter_.at(address); }

    // As many bits of the value as the counter has.
    void set_counter(std::uint32_t address, std::uint64_t value) {
        counter_.at(address) = is_octets(address) ? value : static_cast<std::uint32_t>(value);
    }

private:
    // Counters roll over.
    void add(std::uint32_t address, std::uint64_t amount) {
        set_counter(address, counter(address) + amount);
    }

    void receive(const macstats_frame& frame, std::uint64_t times) {
        const std::uint32_t length = frame.length;
        // IEEE 802.3 22.2.1.5: after a symbol error the check sequence is wrong.
        const bool bad_fcs = has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_CODE);
        const bool alignment = has(frame, MACSTATS_ERR_ALIGNMENT);
        const bool intact = !bad_fcs && !alignment;
        const bool legal = length >= 64 && length <= 1522;
        const bool good = legal && intact;

        if (has(frame, MACSTATS_ERR_OVERRUN) || has(frame, MACSTATS_ERR_NO_BUFFER))
            add(0x4060, times);
        if (good && frame.destination == MACSTATS_UNICAST)
            add(0x4068, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x406c, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x4070, times);
        if (legal && alignment)
            add(0x4074, times);
        if (legal && bad_fcs && !alignment)
            add(0x4078, times);
        if (length < 64 && intact)
            add(0x407c, times);
        if (length < 64 && !intact)
            add(0x4080, times);
        if (length > 1522 && intact)
            add(0x4084, times);
        if (length > 1522 && !intact)
            add(0x4088, times);
        // Behind a tag there is no MAC control frame to be seen.
        if (good && frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0)
            add(0x408c, times);
        // RFC 2819: "including bad packets".
        if (length == 64)
            add(0x4090, times);
        if (length >= 65 && length <= 127)
            add(0x4094, times);
        if (length >= 128 && length <= 255)
            add(0x4098, times);
        if (length >= 256 && length <= 511)
            add(0x409c, times);
        if (length >= 512 && length <= 1023)
            add(0x40a0, times);
        if (length >= 1024 && length <= 1522)
            add(0x40a4, times);
        if (good)
            add(0x40a8, times * length);
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        macstats_frame frame = on_medium(given, options_.half_duplex);
        const bool own_pause =
            frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0 && frame.origin == MACSTATS_BY_MAC;

        // IEEE 802.3 annex 31B: the MAC sends pause frames in full duplex. They have no errors.
        if (own_pause) {
            if (options_.half_duplex)
                return;
            frame.errors = 0;
            frame.collisions = 0;
        }

        const std::uint32_t length = frame.length < 64 ? 64 : frame.length; // padded
        const bool bad_fcs = has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_UNDERRUN);
        const bool late = has(frame, MACSTATS_ERR_LATE_COLLISION);
        const bool sixteen =
            frame.collisions >= 16 || has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS);
        const bool given_up = late || sixteen;
        const bool good = !bad_fcs && !given_up;
        const bool whole = !given_up && !has(frame, MACSTATS_ERR_UNDERRUN);
        // The one that comes late is beside those which are given.
        const std::uint64_t collisions = late      ? frame.collisions + 1u
                                         : sixteen ? 16u
                                                   : frame.collisions;

        if (bad_fcs && !given_up)
            add(0x4004, times);
        if (good && frame.destination == MACSTATS_UNICAST)
            add(0x4008, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x400c, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x4010, times);
        add(0x4014, times * collisions);
        if (good && frame.collisions == 1)
            add(0x4018, times);
        if (good && frame.collisions > 1)
            add(0x401c, times);
        if (good && frame.collisions == 0 && frame.deferred)
            add(0x4020, times);
        if (late)
            add(0x4024, times);
        if (sixteen && !late)
            add(0x4028, times);
        if (own_pause)
            add(0x402c, times);
        if (whole && length == 64)
            add(0x4030, times);
        if (whole && length >= 65 && length <= 127)
            add(0x4034, times);
        if (whole && length >= 128 && length <= 255)
            add(0x4038, times);
        if (whole && length >= 256 && length <= 511)
            add(0x403c, times);
        if (whole && length >= 512 && length <= 1023)
            add(0x4040, times);
        if (whole && length >= 1024)
            add(0x4044, times);
        if (good)
            add(0x4048, times * length);
    }

    Options options_;
    std::uint32_t mib_ccr_ = 0;
    std::map<std::uint32_t, std::uint64_t> counter_; // by address
};

} // namespace macstats::test

#endif // MACSTATS_TEST_MT7530_REFERENCE_HPP
