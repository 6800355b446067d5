// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The MAC of an Intel (Altera) Triple-Speed Ethernet IP, slow and plain, to compare the model with.
// Written from the text at the head of its header, the user guide, RFC 2819 and IEEE 802.3: one
// condition for each counter, no table, nothing of the headers under test but the frame.
#ifndef MACSTATS_TEST_ALTERA_TSE_REFERENCE_HPP
#define MACSTATS_TEST_ALTERA_TSE_REFERENCE_HPP

#include <cstdint>
#include <map>
#include <optional>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class AlteraTseReference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
    };

    static constexpr reference::CounterAt counters[] = {
        {"aFramesTransmittedOK", "tx_frames_transmitted_ok", 0x68},
        {"aFramesReceivedOK", "rx_frames_received_ok", 0x6c},
        {"aFrameCheckSequenceErrors", "rx_frame_check_sequence_errors", 0x70},
        {"aAlignmentErrors", "rx_alignment_errors", 0x74},
        {"aOctetsTransmittedOK", "tx_octets_transmitted_ok", 0x78},
        {"aOctetsReceivedOK", "rx_octets_received_ok", 0x7c},
        {"aTxPAUSEMACCtrlFrames", "tx_pause_mac_ctrl_frames", 0x80},
        {"aRxPAUSEMACCtrlFrames", "rx_pause_mac_ctrl_frames", 0x84},
        {"ifInErrors", "rx_if_in_errors", 0x88},
        {"ifOutErrors", "tx_if_out_errors", 0x8c},
        {"ifInUcastPkts", "rx_if_in_ucast_pkts", 0x90},
        {"ifInMulticastPkts", "rx_if_in_multicast_pkts", 0x94},
        {"ifInBroadcastPkts", "rx_if_in_broadcast_pkts", 0x98},
        {"ifOutDiscards", "tx_if_out_discards", 0x9c},
        {"ifOutUcastPkts", "tx_if_out_ucast_pkts", 0xa0},
        {"ifOutMulticastPkts", "tx_if_out_multicast_pkts", 0xa4},
        {"ifOutBroadcastPkts", "tx_if_out_broadcast_pkts", 0xa8},
        {"etherStatsDropEvents", "rx_drop_events", 0xac},
        {"etherStatsOctets", "rx_octets", 0xb0},
        {"etherStatsPkts", "rx_pkts", 0xb4},
        {"etherStatsUndersizePkts", "rx_undersize_pkts", 0xb8},
        {"etherStatsOversizePkts", "rx_oversize_pkts", 0xbc},
        {"etherStatsPkts64Octets", "rx_pkts_64_octets", 0xc0},
        {"etherStatsPkts65to127Octets", "rx_pkts_65_to_127_octets", 0xc4},
        {"etherStatsPkts128to255Octets", "rx_pkts_128_to_255_octets", 0xc8},
        {"etherStatsPkts256to511Octets", "rx_pkts_256_to_511_octets", 0xcc},
        {"etherStatsPkts512to1023Octets", "rx_pkts_512_to_1023_octets", 0xd0},
        {"etherStatsPkts1024to1518Octets", "rx_pkts_1024_to_1518_octets", 0xd4},
        {"etherStatsPkts1519toXOctets", "rx_pkts_1519_to_x_octets", 0xd8},
        {"etherStatsJabbers", "rx_jabbers", 0xdc},
        {"etherStatsFragments", "rx_fragments", 0xe0},
    };

    explicit AlteraTseReference(const Options& options) : options_(options) { clear(); }

    // The low word of a counter of 64 bits, of which this address is the high word.
    static std::optional<std::uint32_t> low_word_of(std::uint32_t address) {
        switch (address) {
        case 0xf0:
            return 0x78;
        case 0xf4:
            return 0x7c;
        case 0xf8:
            return 0xb0;
        default:
            return {};
        }
    }

    static bool is_octets(std::uint32_t address) {
        return address == 0x78 || address == 0x7c || address == 0xb0;
    }

    // The same frame @times over.
    void count(const macstats_frame& frame, std::uint64_t times) {
        if (!options_.statistics)
            return;
        if (frame.direction == MACSTATS_RX)
            receive(frame, times);
        else
            transmit(frame, times);
    }

    // One bus read; nothing if nothing answers there. It changes nothing.
    [[nodiscard]] std::optional<std::uint32_t> read(std::uint32_t address) const {
        if (const auto low = low_word_of(address))
            return static_cast<std::uint32_t>(counter_.at(*low) >> 32);
        if (const auto one = counter_.find(address); one != counter_.end())
            return static_cast<std::uint32_t>(one->second);
        switch (address) {
        case 0x08:
            return command_config_;
        case 0x14:
            return frm_length_;
        default:
            return {};
        }
    }

    // One bus write; false if nothing answers. Counters ignore it.
    bool write(std::uint32_t address, std::uint32_t value) {
        switch (address) {
        case 0x08: // TX_ENA, RX_ENA, ETH_SPEED, HD_ENA, NO_LGTH_CHECK
            command_config_ = value & (3u | 1u << 3 | 1u << 10 | 1u << 24);
            if (resets_counters(address, value))
                clear();
            return true;
        case 0x14:
            frm_length_ = value & 0x3fff;
            return true;
        default:
            return read(address).has_value();
        }
    }

    // command_config, CNT_RESET
    static bool resets_counters(std::uint32_t address, std::uint32_t value) {
        return address == 0x08 && (value & 1u << 31) != 0;
    }

    [[nodiscard]] std::uint64_t counter(std::uint32_t address) const {
        return counter_.at(address);
    }
    // 64 bits of octets and 32 of others, which roll over.
    void set_counter(std::uint32_t address, std::uint64_t value) {
        counter_.at(address) = is_octets(address) ? value : value & 0xffffffff;
    }

private:
    void clear() {
        for (const reference::CounterAt& one : counters)
            counter_[one.address] = 0;
    }

    void add(std::uint32_t address, std::uint64_t amount) {
        set_counter(address, counter_.at(address) + amount);
    }

    void receive(const macstats_frame& frame, std::uint64_t times) {
        // A full FIFO drops it, and nothing else sees it.
        if (has(frame, MACSTATS_ERR_OVERRUN)) {
            add(0xac, times);
            return;
        }

        const std::uint32_t length = frame.length;
        const std::uint32_t longest = frm_length_ + (frame.vlan_tags ? 4 : 0);
        // IEEE 802.3 22.2.1.5: after a symbol error the check sequence is wrong.
        const bool bad_fcs = has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_CODE);
        const bool alignment = has(frame, MACSTATS_ERR_ALIGNMENT);
        const bool intact = !bad_fcs && !alignment;
        const bool legal = length >= 64 && length <= longest;
        const bool wrong_length =
            has(frame, MACSTATS_ERR_PAYLOAD_LENGTH) && !(command_config_ & 1u << 24);
        const bool good = legal && intact && !wrong_length;
        // Behind a tag there is no MAC control frame to be seen.
        const bool pause = frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0;

        if (good)
            add(0x6c, times);
        if (legal && bad_fcs && !alignment)
            add(0x70, times);
        if (legal && alignment)
            add(0x74, times);
        if (good)
            add(0x7c, times * (length - 18));
        if (good && pause)
            add(0x84, times);
        if (!good)
            add(0x88, times);
        if (good && frame.destination == MACSTATS_UNICAST)
            add(0x90, times);
        if (good && frame.destination == MACSTATS_MULTICAST && !pause)
            add(0x94, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x98, times);
        add(0xb0, times * length);
        add(0xb4, times);
        if (length < 64 && intact)
            add(0xb8, times);
        if (length > longest && intact)
            add(0xbc, times);
        if (length <= longest && length == 64)
            add(0xc0, times);
        if (length <= longest && length >= 65 && length <= 127)
            add(0xc4, times);
        if (length <= longest && length >= 128 && length <= 255)
            add(0xc8, times);
        if (length <= longest && length >= 256 && length <= 511)
            add(0xcc, times);
        if (length <= longest && length >= 512 && length <= 1023)
            add(0xd0, times);
        if (length <= longest && length >= 1024 && length <= 1518)
            add(0xd4, times);
        if (length <= longest && length > 1518)
            add(0xd8, times);
        if (length > longest && !intact)
            add(0xdc, times);
        if (length < 64 && !intact)
            add(0xe0, times);
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        macstats_frame frame = on_medium(given, options_.half_duplex);
        const bool pause = frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0;

        // IEEE 802.3 annex 31B: the MAC sends pause frames in full duplex. They have no errors.
        if (pause && frame.origin == MACSTATS_BY_MAC) {
            if (options_.half_duplex)
                return;
            frame.errors = 0;
            frame.collisions = 0;
        }

        const std::uint32_t length = frame.length < 64 ? 64 : frame.length; // padded
        const bool given_up = has(frame, MACSTATS_ERR_LATE_COLLISION) || frame.collisions >= 16 ||
                              has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS);
        const bool error = has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_UNDERRUN);
        const bool good = !given_up && !error;

        if (good)
            add(0x68, times);
        if (good)
            add(0x78, times * (length - 18));
        if (good && pause)
            add(0x80, times);
        if (error && !given_up)
            add(0x8c, times);
        if (good && frame.destination == MACSTATS_UNICAST)
            add(0xa0, times);
        if (good && frame.destination == MACSTATS_MULTICAST && !pause)
            add(0xa4, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0xa8, times);
    }

    Options options_;
    std::uint32_t command_config_ = 0;
    std::uint32_t frm_length_ = 1518;
    std::map<std::uint32_t, std::uint64_t> counter_; // by the address of the low word
};

} // namespace macstats::test

#endif // MACSTATS_TEST_ALTERA_TSE_REFERENCE_HPP
