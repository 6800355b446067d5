// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The two MACs of a port of an NXP NETC, slow and plain, to compare the model with. Written from
// dpmac.h of Linux, RFC 2819 and IEEE 802.3, and, where these say nothing or, as of PFC, NXP's
// header differs, from the text at the head of the model: a wrong inference there is wrong here,
// too. One condition for each counter, nothing of the headers under test but the frame.
#ifndef MACSTATS_TEST_NETC_REFERENCE_HPP
#define MACSTATS_TEST_NETC_REFERENCE_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class NetcReference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
    };

    // Of each MAC: PM0 and, 0x400 further, PM1. All have 64 bits, the low word first.
    static constexpr reference::CounterAt counters[] = {
        {"REOCT", "rx_emac_ethernet_octets", 0x100},
        {"ROCT", "rx_emac_octets", 0x108},
        {"RALN", "rx_emac_alignment_errors", 0x110},
        {"RXPF", "rx_emac_pause_frames", 0x118},
        {"RFRM", "rx_emac_frames", 0x120},
        {"RFCS", "rx_emac_fcs_errors", 0x128},
        {"RVLAN", "rx_emac_vlan_frames", 0x130},
        {"RERR", "rx_emac_errors", 0x138},
        {"RUCA", "rx_emac_unicast_frames", 0x140},
        {"RMCA", "rx_emac_multicast_frames", 0x148},
        {"RBCA", "rx_emac_broadcast_frames", 0x150},
        {"RDRP", "rx_emac_drops", 0x158},
        {"RPKT", "rx_emac_packets", 0x160},
        {"RUND", "rx_emac_undersize_packets", 0x168},
        {"R64", "rx_emac_64_octets", 0x170},
        {"R127", "rx_emac_65_to_127_octets", 0x178},
        {"R255", "rx_emac_128_to_255_octets", 0x180},
        {"R511", "rx_emac_256_to_511_octets", 0x188},
        {"R1023", "rx_emac_512_to_1023_octets", 0x190},
        {"R1522", "rx_emac_1024_to_1522_octets", 0x198},
        {"R1523X", "rx_emac_1523_to_max_octets", 0x1a0},
        {"ROVR", "rx_emac_oversize_packets", 0x1a8},
        {"RJBR", "rx_emac_jabbers", 0x1b0},
        {"RFRG", "rx_emac_fragments", 0x1b8},
        {"RCNP", "rx_emac_control_packets", 0x1c0},
        {"RDRNTP", "rx_emac_whole_drops", 0x1c8},
        {"TEOCT", "tx_emac_ethernet_octets", 0x200},
        {"TOCT", "tx_emac_octets", 0x208},
        {"TXPF", "tx_emac_pause_frames", 0x218},
        {"TFRM", "tx_emac_frames", 0x220},
        {"TFCS", "tx_emac_fcs_errors", 0x228},
        {"TVLAN", "tx_emac_vlan_frames", 0x230},
        {"TERR", "tx_emac_errors", 0x238},
        {"TUCA", "tx_emac_unicast_frames", 0x240},
        {"TMCA", "tx_emac_multicast_frames", 0x248},
        {"TBCA", "tx_emac_broadcast_frames", 0x250},
        {"TPKT", "tx_emac_packets", 0x260},
        {"TUND", "tx_emac_undersize_packets", 0x268},
        {"T64", "tx_emac_64_octets", 0x270},
        {"T127", "tx_emac_65_to_127_octets", 0x278},
        {"T255", "tx_emac_128_to_255_octets", 0x280},
        {"T511", "tx_emac_256_to_511_octets", 0x288},
        {"T1023", "tx_emac_512_to_1023_octets", 0x290},
        {"T1522", "tx_emac_1024_to_1522_octets", 0x298},
        {"T1523X", "tx_emac_1523_to_max_octets", 0x2a0},
        {"TCNP", "tx_emac_control_packets", 0x2c0},
        {"TDFR", "tx_emac_deferred_packets", 0x2d0},
        {"TMCOL", "tx_emac_multiple_collisions", 0x2d8},
        {"TSCOL", "tx_emac_single_collisions", 0x2e0},
        {"TLCOL", "tx_emac_late_collisions", 0x2e8},
        {"TECOL", "tx_emac_excessive_collisions", 0x2f0},
        {"TIOCT", "tx_emac_invalid_octets", 0x2f8},
    };

    // Of the MAC Merge sublayer, with 32 bits. No frame is preempted.
    static constexpr reference::CounterAt merge_counters[] = {
        {"MAC_MERGE_MMFAECR", "rx_merge_assembly_errors", 0x808},
        {"MAC_MERGE_MMFSECR", "rx_merge_smd_errors", 0x80c},
        {"MAC_MERGE_MMFAOCR", "rx_merge_assembly_ok", 0x810},
        {"MAC_MERGE_MMFCRXR", "rx_merge_fragments", 0x814},
        {"MAC_MERGE_MMFCTXR", "tx_merge_fragments", 0x818},
        {"MAC_MERGE_MMHCR", "tx_merge_holds", 0x81c},
    };

    static std::vector<reference::Counter> listed() {
        std::vector<reference::Counter> list;

        for (const std::uint32_t mac : {0u, 1u})
            for (const reference::CounterAt& one : counters)
                list.push_back(
                    {"PM" + std::to_string(mac) + "_" + one.reg, one.address + 0x400 * mac, 64});
        for (const reference::CounterAt& one : merge_counters)
            list.push_back({one.reg, one.address, 32});
        return list;
    }

    explicit NetcReference(const Options& options) : options_(options) {
        for (const reference::Counter& one : listed())
            counter_[one.address] = {};
    }

    // The MAC whose registers these are; 2: the sublayer, whose counters no bit changes.
    static std::uint32_t mac_of(std::uint32_t address) { return address / 0x400; }

    // STATN_CONFIG, COD of the MAC.
    bool reads_clear(std::uint32_t mac) const {
        return mac < 2 && (statn_config_[mac] & 1u << 1) != 0;
    }

    // STATN_CONFIG, WEN.
    bool can_be_written(std::uint32_t address) const {
        const std::uint32_t mac = mac_of(address);

        return mac < 2 && (statn_config_[mac] & 1u << 3) != 0;
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

    bool is_high(std::uint32_t address) const {
        return address < 0x800 && !counter_.contains(address) && counter_.contains(address - 4);
    }

    // One bus read; nothing if nothing answers there. With COD it clears a counter by its low word,
    // and holds the high one.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        if (const auto at = counter_.find(address); at != counter_.end()) {
            Value& one = at->second;
            const std::uint64_t value = one.value;

            if (reads_clear(mac_of(address))) {
                one.held = static_cast<std::uint32_t>(value >> 32);
                one.value = 0;
            }
            return static_cast<std::uint32_t>(value);
        }
        if (is_high(address)) {
            const Value& one = counter_.at(address - 4);

            return reads_clear(mac_of(address)) ? one.held
                                                : static_cast<std::uint32_t>(one.value >> 32);
        }
        switch (address) {
        case 0x08:
            return command_config_;
        case 0x14:
            return maxfrm_;
        case 0x0e0:
        case 0x4e0:
            return statn_config_[mac_of(address)];
        default:
            return {};
        }
    }

    // One bus write; false if nothing answers. Without WEN, counters ignore it.
    bool write(std::uint32_t address, std::uint32_t value) {
        switch (address) {
        case 0x08: // TX_EN, RX_EN, TXP
            command_config_ = value & (3u | 1u << 15);
            return true;
        case 0x14: // MAXFRM, TX_MTU
            maxfrm_ = value;
            return true;
        case 0x0e0: // SAT, COD, CLR, WEN
        case 0x4e0:
            if (options_.statistics)
                statn_config_[mac_of(address)] = value & 0xf;
            return true;
        default:
            if (!counter_.contains(address) && !is_high(address))
                return false;
            if (can_be_written(address) && options_.statistics)
                store(address, value);
            return true;
        }
    }

    std::uint64_t counter(std::uint32_t address) const { return counter_.at(address).value; }
    void set_counter(std::uint32_t address, std::uint64_t value) {
        counter_.at(address).value = address < 0x800 ? value : static_cast<std::uint32_t>(value);
    }

private:
    struct Value {
        std::uint64_t value = 0;
        std::uint32_t held = 0; // the high word, since the last read that cleared the counter
    };

    // The other word keeps what it has.
    void store(std::uint32_t address, std::uint64_t word) {
        if (is_high(address)) {
            Value& one = counter_.at(address - 4);
            one.value = word << 32 | (one.value & 0xffffffff);
        } else {
            Value& one = counter_.at(address);
            one.value = (one.value & ~std::uint64_t{0xffffffff}) | word;
        }
    }

    void add(std::uint32_t address, std::uint64_t amount) { counter_.at(address).value += amount; }

    // From R64 or T64 on.
    void add_size(std::uint32_t first, std::uint32_t length, std::uint64_t times) {
        if (length == 64)
            add(first, times);
        if (length >= 65 && length <= 127)
            add(first + 0x08, times);
        if (length >= 128 && length <= 255)
            add(first + 0x10, times);
        if (length >= 256 && length <= 511)
            add(first + 0x18, times);
        if (length >= 512 && length <= 1023)
            add(first + 0x20, times);
        if (length >= 1024 && length <= 1522)
            add(first + 0x28, times);
        if (length >= 1523)
            add(first + 0x30, times);
    }

    // Behind a tag there is no MAC control frame to be seen. PFC is not aPAUSEMACCtrlFrames.
    static bool is_pause(const macstats_frame& frame) {
        return frame.vlan_tags == 0 && frame.kind == MACSTATS_PAUSE;
    }
    static bool is_other_control(const macstats_frame& frame) {
        return frame.vlan_tags == 0 &&
               (frame.kind == MACSTATS_CONTROL || frame.kind == MACSTATS_PFC);
    }

    void receive(const macstats_frame& frame, std::uint64_t times) {
        // A full FIFO drops it, and nothing else sees it.
        if (has(frame, MACSTATS_ERR_OVERRUN)) {
            add(0x158, times);
            add(0x1c8, times);
            return;
        }

        const std::uint32_t length = frame.length;
        // IEEE 802.3 22.2.1.5: after a symbol error the check sequence is wrong.
        const bool bad_fcs = has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_CODE);
        const bool alignment = has(frame, MACSTATS_ERR_ALIGNMENT);
        const bool intact = !bad_fcs && !alignment;
        const bool is_short = length < 64;
        const bool is_long = length > (maxfrm_ & 0xffff);
        const bool good = intact && !is_short && !is_long;

        add(0x100, times * length);
        if (good)
            add(0x108, times * length);
        if (alignment)
            add(0x110, times);
        if (good && is_pause(frame))
            add(0x118, times);
        if (good)
            add(0x120, times);
        if (bad_fcs && !alignment && !is_short && !is_long)
            add(0x128, times);
        if (good && frame.vlan_tags)
            add(0x130, times);
        if (!is_short && (is_long || !intact))
            add(0x138, times);
        if (good && frame.destination == MACSTATS_UNICAST)
            add(0x140, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x148, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x150, times);
        add(0x160, times);
        if (is_short && intact)
            add(0x168, times);
        if (!is_long)
            add_size(0x170, length, times);
        if (is_long && intact)
            add(0x1a8, times);
        if (is_long && !intact)
            add(0x1b0, times);
        if (is_short && !intact)
            add(0x1b8, times);
        if (good && is_other_control(frame))
            add(0x1c0, times);
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        macstats_frame frame = on_medium(given, options_.half_duplex);

        // IEEE 802.3 annex 31B: the MAC sends pause frames in full duplex. They have no errors.
        if (is_pause(frame) && frame.origin == MACSTATS_BY_MAC) {
            if (options_.half_duplex)
                return;
            frame.errors = 0;
        }
        if (has(frame, MACSTATS_ERR_LATE_COLLISION)) {
            add(0x2e8, times);
            return;
        }
        if (frame.collisions >= 16 || has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS)) {
            add(0x2f0, times);
            return;
        }

        const std::uint32_t length = frame.length < 64 ? 64 : frame.length; // padded
        const bool underrun = has(frame, MACSTATS_ERR_UNDERRUN);
        const bool bad_fcs = has(frame, MACSTATS_ERR_FCS);
        const bool good = !underrun && !bad_fcs;

        add(0x200, times * length);
        if (good)
            add(0x208, times * length);
        if (good && is_pause(frame))
            add(0x218, times);
        if (good)
            add(0x220, times);
        if (bad_fcs && !underrun)
            add(0x228, times);
        if (good && frame.vlan_tags)
            add(0x230, times);
        if (!good)
            add(0x238, times);
        if (good && frame.destination == MACSTATS_UNICAST)
            add(0x240, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x248, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x250, times);
        add(0x260, times);
        add_size(0x270, length, times);
        if (good && is_other_control(frame))
            add(0x2c0, times);
        if (good && frame.deferred && frame.collisions == 0)
            add(0x2d0, times);
        if (good && frame.collisions > 1)
            add(0x2d8, times);
        if (good && frame.collisions == 1)
            add(0x2e0, times);
    }

    Options options_;
    std::uint32_t command_config_ = 0x8000;
    std::uint32_t maxfrm_ = 1536;
    std::uint32_t statn_config_[2] = {0, 0};
    std::map<std::uint32_t, Value> counter_; // by the address of the low word
};

} // namespace macstats::test

#endif // MACSTATS_TEST_NETC_REFERENCE_HPP
