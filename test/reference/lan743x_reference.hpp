// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A Microchip LAN743x, slow and plain, to compare the model with. Written from the text at the head
// of its header, RFC 2819 and IEEE 802.3, and the names in the Linux driver: one condition for each
// counter, no table, nothing of the headers under test but the frame.
#ifndef MACSTATS_TEST_LAN743X_REFERENCE_HPP
#define MACSTATS_TEST_LAN743X_REFERENCE_HPP

#include <cstdint>
#include <map>
#include <optional>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class Lan743xReference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
    };

    static constexpr reference::CounterAt counters[] = {
        {"RX_FCS_ERRORS", "rx_fcs_errors", 0x1200},
        {"RX_ALIGNMENT_ERRORS", "rx_alignment_errors", 0x1204},
        {"RX_FRAGMENT_ERRORS", "rx_fragment_errors", 0x1208},
        {"RX_JABBER_ERRORS", "rx_jabber_errors", 0x120c},
        {"RX_UNDERSIZE_FRAME_ERRORS", "rx_undersize_errors", 0x1210},
        {"RX_OVERSIZE_FRAME_ERRORS", "rx_oversize_errors", 0x1214},
        {"RX_DROPPED_FRAMES", "rx_dropped_frames", 0x1218},
        {"RX_UNICAST_BYTE_COUNT", "rx_unicast_octets", 0x121c},
        {"RX_BROADCAST_BYTE_COUNT", "rx_broadcast_octets", 0x1220},
        {"RX_MULTICAST_BYTE_COUNT", "rx_multicast_octets", 0x1224},
        {"RX_UNICAST_FRAMES", "rx_unicast_frames", 0x1228},
        {"RX_BROADCAST_FRAMES", "rx_broadcast_frames", 0x122c},
        {"RX_MULTICAST_FRAMES", "rx_multicast_frames", 0x1230},
        {"RX_PAUSE_FRAMES", "rx_pause_frames", 0x1234},
        {"RX_64_BYTE_FRAMES", "rx_64_octets", 0x1238},
        {"RX_65_127_BYTE_FRAMES", "rx_65_to_127_octets", 0x123c},
        {"RX_128_255_BYTE_FRAMES", "rx_128_to_255_octets", 0x1240},
        {"RX_256_511_BYTES_FRAMES", "rx_256_to_511_octets", 0x1244},
        {"RX_512_1023_BYTE_FRAMES", "rx_512_to_1023_octets", 0x1248},
        {"RX_1024_1518_BYTE_FRAMES", "rx_1024_to_1518_octets", 0x124c},
        {"RX_GREATER_1518_BYTE_FRAMES", "rx_1519_up_octets", 0x1250},
        {"RX_TOTAL_FRAMES", "rx_total_frames", 0x1254},
        {"EEE_RX_LPI_TRANSITIONS", "rx_eee_lpi_transitions", 0x1258},
        {"EEE_RX_LPI_TIME", "rx_eee_lpi_time", 0x125c},
        {"TX_FCS_ERRORS", "tx_fcs_errors", 0x1280},
        {"TX_EXCESS_DEFERRAL_ERRORS", "tx_excess_deferral_errors", 0x1284},
        {"TX_CARRIER_ERRORS", "tx_carrier_errors", 0x1288},
        {"TX_BAD_BYTE_COUNT", "tx_bad_octets", 0x128c},
        {"TX_SINGLE_COLLISIONS", "tx_single_collisions", 0x1290},
        {"TX_MULTIPLE_COLLISIONS", "tx_multiple_collisions", 0x1294},
        {"TX_EXCESSIVE_COLLISION", "tx_excessive_collisions", 0x1298},
        {"TX_LATE_COLLISIONS", "tx_late_collisions", 0x129c},
        {"TX_UNICAST_BYTE_COUNT", "tx_unicast_octets", 0x12a0},
        {"TX_BROADCAST_BYTE_COUNT", "tx_broadcast_octets", 0x12a4},
        {"TX_MULTICAST_BYTE_COUNT", "tx_multicast_octets", 0x12a8},
        {"TX_UNICAST_FRAMES", "tx_unicast_frames", 0x12ac},
        {"TX_BROADCAST_FRAMES", "tx_broadcast_frames", 0x12b0},
        {"TX_MULTICAST_FRAMES", "tx_multicast_frames", 0x12b4},
        {"TX_PAUSE_FRAMES", "tx_pause_frames", 0x12b8},
        {"TX_64_BYTE_FRAMES", "tx_64_octets", 0x12bc},
        {"TX_65_127_BYTE_FRAMES", "tx_65_to_127_octets", 0x12c0},
        {"TX_128_255_BYTE_FRAMES", "tx_128_to_255_octets", 0x12c4},
        {"TX_256_511_BYTES_FRAMES", "tx_256_to_511_octets", 0x12c8},
        {"TX_512_1023_BYTE_FRAMES", "tx_512_to_1023_octets", 0x12cc},
        {"TX_1024_1518_BYTE_FRAMES", "tx_1024_to_1518_octets", 0x12d0},
        {"TX_GREATER_1518_BYTE_FRAMES", "tx_1519_up_octets", 0x12d4},
        {"TX_TOTAL_FRAMES", "tx_total_frames", 0x12d8},
        {"EEE_TX_LPI_TRANSITIONS", "tx_eee_lpi_transitions", 0x12dc},
        {"EEE_TX_LPI_TIME", "tx_eee_lpi_time", 0x12e0},
    };

    explicit Lan743xReference(const Options& options) : options_(options) { clear(); }

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
        if (const auto one = counter_.find(address); one != counter_.end())
            return one->second;
        switch (address) {
        case 0x000: // ID_REV: a LAN7430
            return 0x74300000;
        case 0x100:
            return mac_cr_;
        case 0x104:
            return mac_rx_;
        case 0x108:
            return mac_tx_;
        case 0x10c:
            return mac_flow_;
        case 0x127c: // which counters rolled over: not emulated
        case 0x12fc:
            return 0;
        default:
            return {};
        }
    }

    // One bus write; false if nothing answers. Counters and what is read-only ignore it.
    bool write(std::uint32_t address, std::uint32_t value) {
        switch (address) {
        case 0x100: // speed, duplex, automatic duplex and speed, EEE, MII
            mac_cr_ = value & (3u << 1 | 1u << 3 | 1u << 11 | 1u << 12 | 1u << 17 | 1u << 19);
            if (resets_counters(address, value))
                clear();
            return true;
        case 0x104: // RXEN, RXD, FSE, MAX_SIZE
            mac_rx_ = value & (7u | 0x3fffu << 16);
            return true;
        case 0x108: // TXEN, TXD
            mac_tx_ = value & 3u;
            return true;
        case 0x10c: // FCPT, RX_FCEN, TX_FCEN
            mac_flow_ = value & (0xffffu | 1u << 29 | 1u << 30);
            return true;
        default:
            return read(address).has_value();
        }
    }

    // MAC_CR, CNTR_RST
    static bool resets_counters(std::uint32_t address, std::uint32_t value) {
        return address == 0x100 && (value & 1u << 5) != 0;
    }

    [[nodiscard]] std::uint32_t counter(std::uint32_t address) const {
        return counter_.at(address);
    }
    void set_counter(std::uint32_t address, std::uint64_t value) {
        counter_.at(address) = static_cast<std::uint32_t>(value);
    }

private:
    void clear() {
        for (const reference::CounterAt& one : counters)
            counter_[one.address] = 0;
    }

    // 32 bits, which roll over.
    void add(std::uint32_t address, std::uint64_t amount) {
        counter_.at(address) += static_cast<std::uint32_t>(amount);
    }

    void receive(const macstats_frame& frame, std::uint64_t times) {
        const std::uint32_t length = frame.length;
        // A tagged frame may be 4 octets longer.
        const std::uint32_t longest = (mac_rx_ >> 16 & 0x3fff) + (frame.vlan_tags ? 4 : 0);
        // IEEE 802.3 22.2.1.5: after a symbol error the check sequence is wrong.
        const bool bad_fcs = has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_CODE);
        const bool alignment = has(frame, MACSTATS_ERR_ALIGNMENT);
        const bool intact = !bad_fcs && !alignment;
        const bool legal = length >= 64 && length <= longest;
        const bool good = legal && intact;

        if (legal && bad_fcs && !alignment)
            add(0x1200, times);
        if (legal && alignment)
            add(0x1204, times);
        if (length < 64 && !intact)
            add(0x1208, times);
        if (length > longest && !intact)
            add(0x120c, times);
        if (length < 64 && intact)
            add(0x1210, times);
        if (length > longest && intact)
            add(0x1214, times);
        if (has(frame, MACSTATS_ERR_OVERRUN))
            add(0x1218, times);
        if (good && frame.destination == MACSTATS_UNICAST)
            add(0x121c, times * length);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x1220, times * length);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x1224, times * length);
        if (good && frame.destination == MACSTATS_UNICAST)
            add(0x1228, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x122c, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x1230, times);
        // Behind a tag there is no MAC control frame to be seen.
        if (good && frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0)
            add(0x1234, times);
        // RFC 2819: "including bad packets".
        if (length == 64)
            add(0x1238, times);
        if (length >= 65 && length <= 127)
            add(0x123c, times);
        if (length >= 128 && length <= 255)
            add(0x1240, times);
        if (length >= 256 && length <= 511)
            add(0x1244, times);
        if (length >= 512 && length <= 1023)
            add(0x1248, times);
        if (length >= 1024 && length <= 1518)
            add(0x124c, times);
        if (length > 1518)
            add(0x1250, times);
        if (good)
            add(0x1254, times);
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        macstats_frame frame = on_medium(given, options_.half_duplex);
        const bool own_pause =
            frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0 && frame.origin == MACSTATS_BY_MAC;

        // IEEE 802.3 annex 31B: pause frames are for full duplex, and here TX_FCEN lets the MAC
        // send them. They have no errors.
        if (own_pause) {
            if (options_.half_duplex || !(mac_flow_ & 1u << 30))
                return;
            frame.errors = 0;
            frame.collisions = 0;
        }

        const std::uint32_t length = frame.length < 64 ? 64 : frame.length; // padded
        const bool bad_fcs = has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_UNDERRUN);
        const bool deferral = has(frame, MACSTATS_ERR_EXCESSIVE_DEFERRAL);
        const bool no_carrier = has(frame, MACSTATS_ERR_CARRIER_LOSS);
        const bool late = has(frame, MACSTATS_ERR_LATE_COLLISION);
        const bool sixteen =
            !late && (frame.collisions >= 16 || has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS));
        const bool good = !bad_fcs && !deferral && !no_carrier && !late && !sixteen;
        const bool whole = !late && !sixteen && !has(frame, MACSTATS_ERR_UNDERRUN);

        if (bad_fcs)
            add(0x1280, times);
        if (deferral)
            add(0x1284, times);
        if (no_carrier)
            add(0x1288, times);
        if (!good)
            add(0x128c, times * length);
        if (good && frame.collisions == 1)
            add(0x1290, times);
        if (good && frame.collisions > 1)
            add(0x1294, times);
        if (sixteen)
            add(0x1298, times);
        if (late)
            add(0x129c, times);
        if (good && frame.destination == MACSTATS_UNICAST)
            add(0x12a0, times * length);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x12a4, times * length);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x12a8, times * length);
        if (good && frame.destination == MACSTATS_UNICAST)
            add(0x12ac, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x12b0, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x12b4, times);
        if (own_pause)
            add(0x12b8, times);
        if (whole && length == 64)
            add(0x12bc, times);
        if (whole && length >= 65 && length <= 127)
            add(0x12c0, times);
        if (whole && length >= 128 && length <= 255)
            add(0x12c4, times);
        if (whole && length >= 256 && length <= 511)
            add(0x12c8, times);
        if (whole && length >= 512 && length <= 1023)
            add(0x12cc, times);
        if (whole && length >= 1024 && length <= 1518)
            add(0x12d0, times);
        if (whole && length > 1518)
            add(0x12d4, times);
        if (good)
            add(0x12d8, times);
    }

    Options options_;
    std::uint32_t mac_cr_ = 0;
    std::uint32_t mac_rx_ = 1518u << 16;
    std::uint32_t mac_tx_ = 0;
    std::uint32_t mac_flow_ = 0;
    std::map<std::uint32_t, std::uint32_t> counter_; // by address
};

} // namespace macstats::test

#endif // MACSTATS_TEST_LAN743X_REFERENCE_HPP
