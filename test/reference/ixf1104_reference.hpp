// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// One port of an Intel IXF1104, slow and plain, to compare the model with. Written
// from the text of the datasheet (Intel 278757, tables 93 and 94): one predicate for
// each counter, no table, nothing of the headers under test but the frame.
#ifndef MACSTATS_TEST_IXF1104_REFERENCE_HPP
#define MACSTATS_TEST_IXF1104_REFERENCE_HPP

#include <array>
#include <cstdint>
#include <optional>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class Ixf1104Reference {
public:
    struct Options {
        bool half_duplex = false;
        bool fiber = false;
        bool statistics = true;
    };

    // Tables 93 and 94.
    static constexpr reference::CounterAt counters[] = {
        {"RxOctetsTotalOK", "rx_octets_total_ok", 0x20},
        {"RxOctetsBAD", "rx_octets_bad", 0x21},
        {"RxUCPkts", "rx_uc_pkts", 0x22},
        {"RxMCPkts", "rx_mc_pkts", 0x23},
        {"RxBCPkts", "rx_bc_pkts", 0x24},
        {"RxPkts64Octets", "rx_pkts64_octets", 0x25},
        {"RxPkts65to127Octets", "rx_pkts65to127_octets", 0x26},
        {"RxPkts128to255Octets", "rx_pkts128to255_octets", 0x27},
        {"RxPkts256to511Octets", "rx_pkts256to511_octets", 0x28},
        {"RxPkts512to1023Octets", "rx_pkts512to1023_octets", 0x29},
        {"RxPkts1024to1518Octets", "rx_pkts1024to1518_octets", 0x2a},
        {"RxPkts1519toMaxOctets", "rx_pkts1519to_max_octets", 0x2b},
        {"RxFCSErrors", "rx_fcs_errors", 0x2c},
        {"RxTagged", "rx_tagged", 0x2d},
        {"RxDataError", "rx_data_error", 0x2e},
        {"RxAlignErrors", "rx_align_errors", 0x2f},
        {"RxLongErrors", "rx_long_errors", 0x30},
        {"RxJabberErrors", "rx_jabber_errors", 0x31},
        {"RxPauseMacControlReceivedCounter", "rx_pause_mac_control_received", 0x32},
        {"RxUnknownMacControlFrameCounter", "rx_unknown_mac_control_frame", 0x33},
        {"RxVeryLongErrors", "rx_very_long_errors", 0x34},
        {"RxRuntErrors", "rx_runt_errors", 0x35},
        {"RxShortErrors", "rx_short_errors", 0x36},
        {"RxCarrierExtendError", "rx_carrier_extend_error", 0x37},
        {"RxSequenceErrors", "rx_sequence_errors", 0x38},
        {"RxSymbolErrors", "rx_symbol_errors", 0x39},
        {"OctetsTransmittedOK", "tx_octets_transmitted_ok", 0x40},
        {"OctetsTransmittedBad", "tx_octets_transmitted_bad", 0x41},
        {"TxUCPkts", "tx_uc_pkts", 0x42},
        {"TxMCPkts", "tx_mc_pkts", 0x43},
        {"TxBCPkts", "tx_bc_pkts", 0x44},
        {"TxPkts64Octets", "tx_pkts64_octets", 0x45},
        {"TxPkts65to127Octets", "tx_pkts65to127_octets", 0x46},
        {"TxPkts128to255Octets", "tx_pkts128to255_octets", 0x47},
        {"TxPkts256to511Octets", "tx_pkts256to511_octets", 0x48},
        {"TxPkts512to1023Octets", "tx_pkts512to1023_octets", 0x49},
        {"TxPkts1024to1518Octets", "tx_pkts1024to1518_octets", 0x4a},
        {"TxPkts1519toMaxOctets", "tx_pkts1519to_max_octets", 0x4b},
        {"TxDeferred", "tx_deferred", 0x4c},
        {"TxTotalCollisions", "tx_total_collisions", 0x4d},
        {"TxSingleCollisions", "tx_single_collisions", 0x4e},
        {"TxMultipleCollisions", "tx_multiple_collisions", 0x4f},
        {"TxLateCollisions", "tx_late_collisions", 0x50},
        {"TxExcessiveCollisionErrors", "tx_excessive_collision_errors", 0x51},
        {"TxExcessiveDeferralErrors", "tx_excessive_deferral_errors", 0x52},
        {"TxExcessiveLengthDrop", "tx_excessive_length_drop", 0x53},
        {"TxUnderrun", "tx_underrun", 0x54},
        {"TxTagged", "tx_tagged", 0x55},
        {"TxCRCError", "tx_crc_error", 0x56},
        {"TxPauseFrames", "tx_pause_frames", 0x57},
        {"TxFlowControlCollisionsSend", "tx_flow_control_collisions_send", 0x58},
        {"RX Number of Frames Removed", "rx_frames_removed", 0x594},
        {"TX Number of Frames Removed", "tx_frames_removed", 0x622},
    };

    explicit Ixf1104Reference(const Options& options) : options_(options) {}

    // The same frame @times over.
    void count(const macstats_frame& frame, std::uint64_t times) {
        if (!options_.statistics)
            return;
        if (frame.direction == MACSTATS_RX)
            receive(frame, times);
        else
            transmit(frame, times);
    }

    // One bus read at a word address that counts from the port's base; nothing if
    // nothing answers there. A counter is cleared by it.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        if (is_counter(address)) {
            std::uint32_t value = counter_[address];

            counter_[address] = 0;
            return value;
        }
        if (address == 0x0f)
            return max_frame_size_;
        if (address == 0x19)
            return rx_packet_filter_control_;
        return {};
    }

    // One bus write; false if nothing answers. Counters are of type R: no effect.
    bool write(std::uint32_t address, std::uint32_t value) {
        if (is_counter(address))
            return true;
        if (address == 0x0f) {
            max_frame_size_ = value % 0x4000; // 14 bits
            return true;
        }
        if (address == 0x19) {
            rx_packet_filter_control_ = value % 0x40; // 6 bits
            return true;
        }
        return false;
    }

    std::uint32_t& counter(std::uint32_t address) { return counter_[address]; }

private:
    // Two counters are in the block of the FIFOs: here at the addresses of port 0.
    static bool is_counter(std::uint32_t address) {
        return (address >= 0x20 && address <= 0x39) || (address >= 0x40 && address <= 0x58) ||
               address == 0x594 || address == 0x622;
    }

    void add(std::uint32_t address, std::uint64_t amount) {
        counter_[address] += static_cast<std::uint32_t>(amount); // wraps silently
    }

    // "1518 bytes untagged and 1522 bytes tagged, but the value can be changed".
    std::uint32_t longest_allowed(const macstats_frame& frame) const {
        return frame.vlan_tags ? max_frame_size_ + 4 : max_frame_size_;
    }

    // "Frames bigger than the larger of 2*maxframesize and 50,000 bits", and footnote 2.
    bool is_very_long(const macstats_frame& frame) const {
        if (max_frame_size_ * 2 > 16383)
            return false;
        if (frame.length <= longest_allowed(frame))
            return false;
        return frame.length > 2 * max_frame_size_ && frame.length * 8 > 50000;
    }

    void receive(const macstats_frame& frame, std::uint64_t times) {
        const std::uint32_t length = frame.length;
        const bool tagged = frame.vlan_tags != 0;
        const bool unicast = frame.destination == MACSTATS_UNICAST;
        const bool multicast = frame.destination == MACSTATS_MULTICAST;
        const bool broadcast = frame.destination == MACSTATS_BROADCAST;
        // Behind a tag there is no MAC control frame to be seen.
        const bool pause = frame.kind == MACSTATS_PAUSE && !tagged;
        const bool control =
            (frame.kind == MACSTATS_CONTROL || frame.kind == MACSTATS_PFC) && !tagged;

        const bool short_frame = (8 + length) * 8 < 96; // bit times, with preamble and SFD
        const bool undersized = length < 64;
        const bool oversized = !undersized && length > longest_allowed(frame);
        const bool very_long = is_very_long(frame) && oversized;
        const bool legal_size = !undersized && !oversized;

        const bool odd_bits = has(frame, MACSTATS_ERR_ALIGNMENT);
        const bool crc_wrong = has(frame, MACSTATS_ERR_FCS) || odd_bits;
        const bool code_violation = has(frame, MACSTATS_ERR_CODE);
        const bool bad = crc_wrong || code_violation;
        const bool good = legal_size && !bad;
        const bool copper = !options_.fiber;

        if (good)
            add(0x20, times * length);
        if (legal_size && bad)
            add(0x21, times * (length > 16383 ? 16383 : length));
        if (good && unicast)
            add(0x22, times);
        if (good && multicast)
            add(0x23, times);
        if (good && broadcast)
            add(0x24, times);
        if (length == 64)
            add(0x25, times);
        if (length >= 65 && length <= 127)
            add(0x26, times);
        if (length >= 128 && length <= 255)
            add(0x27, times);
        if (length >= 256 && length <= 511)
            add(0x28, times);
        if (length >= 512 && length <= 1023)
            add(0x29, times);
        if (length >= 1024 && length <= (tagged ? 1522u : 1518u))
            add(0x2a, times);
        if (length > (tagged ? 1522u : 1518u) && length <= longest_allowed(frame))
            add(0x2b, times);
        if (legal_size && crc_wrong && !(odd_bits && copper))
            add(0x2c, times);
        if (tagged)
            add(0x2d, times);
        if (legal_size && code_violation && !crc_wrong)
            add(0x2e, times);
        if (legal_size && odd_bits && copper)
            add(0x2f, times);
        if (oversized && !very_long && !crc_wrong)
            add(0x30, times);
        if (oversized && !very_long && crc_wrong)
            add(0x31, times);
        if (pause && length == 64 &&
            (good || (legal_size && crc_wrong_only(frame) && crc_passes())))
            add(0x32, times);
        if (control && good)
            add(0x33, times);
        if (very_long)
            add(0x34, times);
        if (undersized && !short_frame && copper)
            runts_ = waiting(runts_, times, 2);
        if (short_frame && copper)
            shorts_ = waiting(shorts_, times, 1);
        // 0x37: not applicable.
        if (code_violation && options_.fiber)
            add(0x38, times);
        if (code_violation)
            add(0x39, times);

        // The FIFO had no room for a frame that the MAC has received.
        if (has(frame, MACSTATS_ERR_OVERRUN))
            add(0x594, times);

        if (good) {
            update(0x35, runts_, times);
            update(0x36, shorts_, times);
        }
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        const macstats_frame frame = on_medium(given, options_.half_duplex);
        const std::uint32_t length = frame.length < 64 ? 64 : frame.length; // padded
        const bool tagged = frame.vlan_tags != 0;
        const bool unicast = frame.destination == MACSTATS_UNICAST;
        const bool multicast = frame.destination == MACSTATS_MULTICAST;
        const bool broadcast = frame.destination == MACSTATS_BROADCAST;
        const bool pause = frame.kind == MACSTATS_PAUSE && !tagged;
        const bool half = options_.half_duplex;
        const std::uint32_t longest = longest_allowed(frame);

        // Pause frames exist in full duplex (IEEE 802.3 annex 31B); in half duplex flow control
        // is a collision "send" on purpose.
        if (half && pause && frame.origin == MACSTATS_BY_MAC) {
            add(0x58, times);
            return;
        }

        // The outcome of the transmission: the first of these that is true.
        const bool never_sent = has(frame, MACSTATS_ERR_EXCESSIVE_DEFERRAL);
        const bool late = !never_sent && has(frame, MACSTATS_ERR_LATE_COLLISION);
        const bool sixteen = has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS) ||
                             (frame.collisions >= 16 && !has(frame, MACSTATS_ERR_LATE_COLLISION));
        const bool excessive = !never_sent && !late && sixteen;
        const bool underrun =
            !never_sent && !late && !excessive && has(frame, MACSTATS_ERR_UNDERRUN);
        const bool aborted = never_sent || late || excessive || underrun;
        const bool truncated = !aborted && length > longest;
        const bool crc_wrong = !aborted && !truncated && has(frame, MACSTATS_ERR_FCS);
        const bool good = !aborted && !truncated && !crc_wrong;
        const bool of_its_length = !never_sent && length <= longest;

        // "Collides 16 times"; a late collision is not among those that are given.
        const bool late_at_all = has(frame, MACSTATS_ERR_LATE_COLLISION);
        const std::uint64_t collisions = sixteen && !late_at_all ? 16 : frame.collisions;

        if (good)
            add(0x40, times * length);
        if (!good && !never_sent)
            add(0x41, times * (length > longest ? longest : length));
        if (good && unicast)
            add(0x42, times);
        if (good && multicast)
            add(0x43, times);
        if (good && broadcast)
            add(0x44, times);
        if (of_its_length && length == 64)
            add(0x45, times);
        if (of_its_length && length >= 65 && length <= 127)
            add(0x46, times);
        if (of_its_length && length >= 128 && length <= 255)
            add(0x47, times);
        if (of_its_length && length >= 256 && length <= 511)
            add(0x48, times);
        if (of_its_length && length >= 512 && length <= 1023)
            add(0x49, times);
        if (of_its_length && length >= 1024 && length <= (tagged ? 1522u : 1518u))
            add(0x4a, times);
        if (of_its_length && length > (tagged ? 1522u : 1518u))
            add(0x4b, times);
        if (frame.deferred && collisions == 0 && !late_at_all && !never_sent)
            add(0x4c, times);
        add(0x4d, times * collisions);
        if (good && collisions == 1)
            add(0x4e, times);
        if (good && collisions > 1)
            add(0x4f, times);
        if (late)
            add(0x50, times);
        if (excessive)
            add(0x51, times);
        if (never_sent)
            add(0x52, times);
        if (truncated)
            add(0x53, times);
        if (underrun)
            add(0x54, times);
        if (tagged)
            add(0x55, times);
        if (crc_wrong)
            add(0x56, times);
        if (pause && good)
            add(0x57, times);
    }

    // Nothing but the CRC is wrong with it.
    static bool crc_wrong_only(const macstats_frame& frame) {
        return has(frame, MACSTATS_ERR_FCS) && !has(frame, MACSTATS_ERR_ALIGNMENT) &&
               !has(frame, MACSTATS_ERR_CODE);
    }

    // Bit 5 of the RX Packet Filter Control.
    bool crc_passes() const { return rx_packet_filter_control_ & 0x20; }

    // "Only updated after receipt of two good frames", and the same of one.
    struct Waiting {
        std::uint64_t events = 0;
        std::uint64_t good_frames_to_come = 0;
    };

    static Waiting waiting(const Waiting& before, std::uint64_t events, unsigned int good_frames) {
        if (events == 0)
            return before;
        return {before.events + events, good_frames};
    }

    void update(std::uint32_t address, Waiting& what, std::uint64_t good_frames) {
        if (what.events == 0)
            return;
        if (good_frames < what.good_frames_to_come) {
            what.good_frames_to_come -= good_frames;
            return;
        }
        add(address, what.events);
        what = {};
    }

    Options options_;
    std::uint32_t max_frame_size_ = 1518;
    std::uint32_t rx_packet_filter_control_ = 0;
    std::array<std::uint32_t, 0x623> counter_{};
    Waiting runts_;
    Waiting shorts_;
};

} // namespace macstats::test

#endif // MACSTATS_TEST_IXF1104_REFERENCE_HPP
