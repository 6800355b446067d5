// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A slow model of the AM335x CPSW_3G statistics block, written from the text of
// the manual (SPRUH73H 14.3.2.20, siblings where it is silent): one condition per
// counter, nothing derived, nothing shared with the headers under test but what a
// frame is. The tests compare those headers with it.
#ifndef MACSTATS_TEST_CPSW_REFERENCE_HPP
#define MACSTATS_TEST_CPSW_REFERENCE_HPP

#include <cstdint>
#include <optional>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class CpswReference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
    };

    // A statistics register, and all that was ever counted in it.
    struct Counter {
        std::uint32_t value = 0;
        std::uint64_t ever = 0;

        void add(std::uint64_t amount) {
            value += static_cast<std::uint32_t>(amount);
            ever += amount;
        }
    };

    static constexpr std::uint32_t stat_port_en = 0x4a10000c;
    static constexpr std::uint32_t all_ports = 7;
    static constexpr std::uint32_t interrupts = 0x4a10124c; // one of them when half full
    // 2^32 octets at 1 Gb/s in both directions of three ports.
    static constexpr std::uint64_t wrap_ns = 5'726'623'061;

    // The two words between Rx Fragments and Rx Octets are reserved.
    static constexpr reference::CounterAt counters[] = {
        {"Good Rx Frames", "rx_good_frames", 0x00},
        {"Broadcast Rx Frames", "rx_broadcast_frames", 0x04},
        {"Multicast Rx Frames", "rx_multicast_frames", 0x08},
        {"Pause Rx Frames", "rx_pause_frames", 0x0c},
        {"Rx CRC Errors", "rx_crc_errors", 0x10},
        {"Rx Align/Code Errors", "rx_align_code_errors", 0x14},
        {"Oversize Rx Frames", "rx_oversize_frames", 0x18},
        {"Rx Jabbers", "rx_jabbers", 0x1c},
        {"Undersize (Short) Rx Frames", "rx_undersize_frames", 0x20},
        {"Rx Fragments", "rx_fragments", 0x24},
        {"Rx Octets", "rx_octets", 0x30},
        {"Good Tx Frames", "tx_good_frames", 0x34},
        {"Broadcast Tx Frames", "tx_broadcast_frames", 0x38},
        {"Multicast Tx Frames", "tx_multicast_frames", 0x3c},
        {"Pause Tx Frames", "tx_pause_frames", 0x40},
        {"Deferred Tx Frames", "tx_deferred_frames", 0x44},
        {"Collisions", "rxtx_collisions", 0x48},
        {"Single Collision Tx Frames", "tx_single_collision_frames", 0x4c},
        {"Multiple Collision Tx Frames", "tx_multiple_collision_frames", 0x50},
        {"Excessive Collisions", "tx_excessive_collisions", 0x54},
        {"Late Collisions", "tx_late_collisions", 0x58},
        {"Tx Underrun", "tx_underrun", 0x5c},
        {"Carrier Sense Errors", "tx_carrier_sense_errors", 0x60},
        {"Tx Octets", "tx_octets", 0x64},
        {"Rx + Tx 64 Octet Frames", "rxtx_64_octet_frames", 0x68},
        {"Rx + Tx 65-127 Octet Frames", "rxtx_65_127_octet_frames", 0x6c},
        {"Rx + Tx 128-255 Octet Frames", "rxtx_128_255_octet_frames", 0x70},
        {"Rx + Tx 256-511 Octet Frames", "rxtx_256_511_octet_frames", 0x74},
        {"Rx + Tx 512-1023 Octet Frames", "rxtx_512_1023_octet_frames", 0x78},
        {"Rx + Tx 1024-Up Octet Frames", "rxtx_1024_up_octet_frames", 0x7c},
        {"Net Octets", "rxtx_net_octets", 0x80},
        {"Rx Start of Frame Overruns", "rx_sof_overruns", 0x84},
        {"Rx Middle of Frame Overruns", "rx_mof_overruns", 0x88},
        {"Rx DMA Overruns", "rx_dma_overruns", 0x8c},
    };

    explicit CpswReference(const Options& options)
        : half_duplex_(options.half_duplex),
          has_statistics_(options.statistics) {}

    Counter good_rx, broadcast_rx, multicast_rx, pause_rx;
    Counter crc_rx, align_code_rx, oversize_rx, jabber_rx, undersize_rx, fragment_rx;
    Counter octets_rx;
    Counter good_tx, broadcast_tx, multicast_tx, pause_tx, deferred_tx;
    Counter collisions, single_tx, multiple_tx, excessive_tx, late_tx;
    Counter underrun_tx, carrier_tx;
    Counter octets_tx;
    Counter size_64, size_65, size_128, size_256, size_512, size_1024;
    Counter net_octets;
    Counter sof_rx, mof_rx, dma_rx;

    void count(const macstats_frame& given, std::uint64_t n) {
        const macstats_frame frame = on_medium(given, half_duplex_);
        const std::uint32_t length = frame.length;
        const bool rx = frame.direction == MACSTATS_RX;
        const bool tx = frame.direction == MACSTATS_TX;
        const bool broadcast = frame.destination == MACSTATS_BROADCAST;
        const bool multicast = frame.destination == MACSTATS_MULTICAST;
        // 88-08 behind the addresses, where a tag is not.
        const bool control = frame.kind != MACSTATS_DATA && frame.vlan_tags == 0;
        const bool pause = frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0;
        const bool crc = (frame.errors & MACSTATS_ERR_FCS) != 0;
        const bool alignment = (frame.errors & MACSTATS_ERR_ALIGNMENT) != 0;
        const bool code = (frame.errors & MACSTATS_ERR_CODE) != 0;
        // The text keeps received frames with late or excessive collisions out of the size classes.
        const bool late = (frame.errors & MACSTATS_ERR_LATE_COLLISION) != 0;
        const bool sixteen = (frame.errors & MACSTATS_ERR_EXCESSIVE_COLLISIONS) != 0 ||
                             (frame.collisions >= 16 && !late);
        const bool carrier = (frame.errors & MACSTATS_ERR_CARRIER_LOSS) != 0;
        const bool underrun = (frame.errors & MACSTATS_ERR_UNDERRUN) != 0;
        const bool overrun = (frame.errors & MACSTATS_ERR_OVERRUN) != 0;
        std::uint64_t collided = half_duplex_ ? frame.collisions : 0; // attempts, late or not

        if (late)
            collided = frame.collisions + 1u;
        else if (sixteen)
            collided = 16;

        if (!has_statistics_ || stat_port_en_ == 0)
            return;

        // "Only transmitted in full duplex", and nothing "has an effect upon the statistic".
        if (tx && pause && frame.origin == MACSTATS_BY_MAC) {
            if (!half_duplex_ && (maccontrol_ & 0x08))
                own_pause(frame, n);
            return;
        }

        // 14.3.2.20.1, receive.
        const bool in_range = length >= 64 && length <= rx_maxlen_;

        if (rx && in_range && !crc && !alignment && !code)
            good_rx.add(n);
        if (rx && broadcast && in_range && !crc && !alignment && !code)
            broadcast_rx.add(n);
        if (rx && multicast && in_range && !crc && !alignment && !code)
            multicast_rx.add(n);
        if (rx && pause && in_range && !crc && !alignment && !code && (maccontrol_ & 0x10))
            pause_rx.add(n);
        if (rx && in_range && crc && !alignment && !code)
            crc_rx.add(n);
        if (rx && in_range && (alignment || code))
            align_code_rx.add(n);
        if (rx && length > rx_maxlen_ && !crc && !alignment && !code)
            oversize_rx.add(n);
        if (rx && length > rx_maxlen_ && (crc || alignment || code))
            jabber_rx.add(n);
        if (rx && length < 64 && !crc && !alignment && !code)
            undersize_rx.add(n);
        // "Any data frame", "not the result of a collision caused by half-duplex
        // collision based flow control".
        if (rx && !control && length < 64 && (crc || alignment || code) &&
            !(half_duplex_ && collided > 0 && (maccontrol_ & 0x08)))
            fragment_rx.add(n);
        if (rx && in_range && !crc && !alignment && !code)
            octets_rx.add(n * length);
        if (rx && overrun)
            sof_rx.add(n);
        if (rx && overrun)
            dma_rx.add(n);
        // mof_rx: no frame attribute marks an overrun in the middle of a frame.

        // 14.3.2.20.2, transmit.
        if (tx && !late && !sixteen && !carrier && !underrun)
            good_tx.add(n);
        if (tx && broadcast && !late && !sixteen && !carrier && !underrun)
            broadcast_tx.add(n);
        if (tx && multicast && !late && !sixteen && !carrier && !underrun)
            multicast_tx.add(n);
        if (tx && frame.deferred && collided == 0 && !carrier && !underrun)
            deferred_tx.add(n);
        if (tx && !carrier && !underrun)
            collisions.add(n * collided);
        if (rx && half_duplex_ && (maccontrol_ & 0x08))
            collisions.add(n * collided);
        if (tx && collided == 1 && !late && !carrier && !underrun)
            single_tx.add(n);
        if (tx && collided >= 2 && collided <= 15 && !late && !carrier && !underrun)
            multiple_tx.add(n);
        if (tx && sixteen && !late && !carrier && !underrun)
            excessive_tx.add(n);
        if (tx && late)
            late_tx.add(n);
        if (tx && underrun)
            underrun_tx.add(n);
        if (tx && carrier)
            carrier_tx.add(n);
        if (tx && !late && !sixteen && !carrier && !underrun)
            octets_tx.add(n * length);

        // 14.3.2.20.3, receive and transmit together.
        if (length == 64 && !late && !sixteen && !carrier)
            size_64.add(n);
        if (length >= 65 && length <= 127 && !late && !sixteen && !carrier)
            size_65.add(n);
        if (length >= 128 && length <= 255 && !late && !sixteen && !carrier)
            size_128.add(n);
        if (length >= 256 && length <= 511 && !late && !sixteen && !carrier)
            size_256.add(n);
        if (length >= 512 && length <= 1023 && !late && !sixteen && !carrier)
            size_512.add(n);
        if (length >= 1024 && (tx || length <= rx_maxlen_) && !late && !sixteen && !carrier)
            size_1024.add(n);
        net_octets.add(n * octets_on_wire(frame, late, sixteen));
    }

    // Nothing: no register is there.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        if (Counter* counter = at(address))
            return has_statistics_ ? counter->value : 0;
        switch (address) {
        case 0x28:
        case 0x2c:
            return 0;
        case 0x4a100000:
            return has_statistics_ ? 0x0019010c : 0;
        case stat_port_en:
            return stat_port_en_;
        case 0x4a100d84:
            return maccontrol_;
        case 0x4a100d90:
            return rx_maxlen_;
        case 0x4a10121c:
            return misc_en_;
        case interrupts:
            return (misc_en_ & 8) != 0 && any_half_full() ? 8 : 0;
        default:
            return {};
        }
    }

    // False: no register is there.
    bool write(std::uint32_t address, std::uint32_t value) {
        if (Counter* counter = at(address)) {
            if (!has_statistics_)
                return true;
            if (stat_port_en_ == 0)
                counter->value = value;
            else if (value > counter->value)
                counter->value = 0;
            else
                counter->value -= value;
            return true;
        }
        switch (address) {
        case 0x28:
        case 0x2c:
        case 0x4a100000:
        case interrupts:
            return true;
        case stat_port_en:
            stat_port_en_ = has_statistics_ ? value & 7 : 0;
            return true;
        case 0x4a100d84:
            maccontrol_ = value & 0x18;
            return true;
        case 0x4a100d90:
            rx_maxlen_ = value & 0x3fff;
            return true;
        case 0x4a10121c:
            misc_en_ = has_statistics_ ? value & 0x1f : 0;
            return true;
        default:
            return false;
        }
    }

    // Is any port enabled?
    bool is_open() const { return stat_port_en_ != 0; }

    Counter* at(std::uint32_t address) {
        switch (address) {
        case 0x00:
            return &good_rx;
        case 0x04:
            return &broadcast_rx;
        case 0x08:
            return &multicast_rx;
        case 0x0c:
            return &pause_rx;
        case 0x10:
            return &crc_rx;
        case 0x14:
            return &align_code_rx;
        case 0x18:
            return &oversize_rx;
        case 0x1c:
            return &jabber_rx;
        case 0x20:
            return &undersize_rx;
        case 0x24:
            return &fragment_rx;
        case 0x30:
            return &octets_rx;
        case 0x34:
            return &good_tx;
        case 0x38:
            return &broadcast_tx;
        case 0x3c:
            return &multicast_tx;
        case 0x40:
            return &pause_tx;
        case 0x44:
            return &deferred_tx;
        case 0x48:
            return &collisions;
        case 0x4c:
            return &single_tx;
        case 0x50:
            return &multiple_tx;
        case 0x54:
            return &excessive_tx;
        case 0x58:
            return &late_tx;
        case 0x5c:
            return &underrun_tx;
        case 0x60:
            return &carrier_tx;
        case 0x64:
            return &octets_tx;
        case 0x68:
            return &size_64;
        case 0x6c:
            return &size_65;
        case 0x70:
            return &size_128;
        case 0x74:
            return &size_256;
        case 0x78:
            return &size_512;
        case 0x7c:
            return &size_1024;
        case 0x80:
            return &net_octets;
        case 0x84:
            return &sof_rx;
        case 0x88:
            return &mof_rx;
        case 0x8c:
            return &dma_rx;
        default:
            return nullptr;
        }
    }

private:
    // "Any size", good or bad, and each attempt again: one that collides in time has
    // sent no more than a slot time of 64 octets, the last one counts in full unless it
    // was the sixteenth to collide.
    // "Always 64 byte multicast frames so will appear in the Tx Multicast Frames and 64octet
    // Frames statistics."
    void own_pause(const macstats_frame& frame, std::uint64_t n) {
        good_tx.add(n);
        multicast_tx.add(n);
        pause_tx.add(n);
        if (frame.deferred)
            deferred_tx.add(n);
        octets_tx.add(64 * n);
        size_64.add(n);
        net_octets.add(64 * n);
    }

    std::uint64_t octets_on_wire(const macstats_frame& frame, bool late, bool sixteen) const {
        std::uint64_t octets = 0;
        unsigned int in_time = frame.collisions;

        if (!half_duplex_ || (frame.direction == MACSTATS_RX && !(maccontrol_ & 0x08)))
            return frame.length;
        if (sixteen && !late)
            in_time = 16;
        for (unsigned int i = 0; i < in_time; i++)
            octets += frame.length < 64 ? frame.length : 64;
        if (!sixteen || late)
            octets += frame.length;
        return octets;
    }

    bool any_half_full() {
        for (std::uint32_t address = 0; address <= 0x8c; address += 4)
            if (const Counter* counter = at(address); counter && counter->value >= 0x80000000)
                return true;
        return false;
    }

    bool half_duplex_;
    bool has_statistics_;
    std::uint32_t stat_port_en_ = 0;
    std::uint32_t maccontrol_ = 0x18; // flow control both ways, as drivers set it
    std::uint32_t rx_maxlen_ = 1518;
    std::uint32_t misc_en_ = 0;
};

} // namespace macstats::test

#endif // MACSTATS_TEST_CPSW_REFERENCE_HPP
