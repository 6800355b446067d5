// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// An Intel 8254x, slow and plain, to compare the model with. Written from the text of the
// manual (chapter "Statistics Registers"): one condition for each counter, no table,
// nothing of the headers under test but the frame.
#ifndef MACSTATS_TEST_E1000_REFERENCE_HPP
#define MACSTATS_TEST_E1000_REFERENCE_HPP

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class E1000Reference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
        bool colc_has_late = false; // the collisions of COLC
    };

    static constexpr reference::CounterAt counters[] = {
        {"CRCERRS", "rx_crc_errors", 0x4000},
        {"ALGNERRC", "rx_align_errors", 0x4004},
        {"SYMERRS", "rx_symbol_errors", 0x4008},
        {"RXERRC", "rx_data_errors", 0x400c},
        {"MPC", "rx_missed", 0x4010},
        {"SCC", "tx_single_collisions", 0x4014},
        {"ECOL", "tx_excessive_collisions", 0x4018},
        {"MCC", "tx_multiple_collisions", 0x401c},
        {"LATECOL", "tx_late_collisions", 0x4020},
        {"COLC", "tx_collisions", 0x4028},
        {"DC", "tx_deferred", 0x4030},
        {"TNCRS", "tx_no_carrier_sense", 0x4034},
        {"SEC", "rx_sequence_errors", 0x4038},
        {"CEXTERR", "rx_carrier_extension_errors", 0x403c},
        {"RLEC", "rx_length_errors", 0x4040},
        {"XONRXC", "rx_xon", 0x4048},
        {"XONTXC", "tx_xon", 0x404c},
        {"XOFFRXC", "rx_xoff", 0x4050},
        {"XOFFTXC", "tx_xoff", 0x4054},
        {"FCRUC", "rx_unsupported_flow_control", 0x4058},
        {"PRC64", "rx_64_octets", 0x405c},
        {"PRC127", "rx_65_to_127_octets", 0x4060},
        {"PRC255", "rx_128_to_255_octets", 0x4064},
        {"PRC511", "rx_256_to_511_octets", 0x4068},
        {"PRC1023", "rx_512_to_1023_octets", 0x406c},
        {"PRC1522", "rx_1024_up_octets", 0x4070},
        {"GPRC", "rx_good_frames", 0x4074},
        {"BPRC", "rx_broadcast", 0x4078},
        {"MPRC", "rx_multicast", 0x407c},
        {"GPTC", "tx_good_frames", 0x4080},
        {"GORC", "rx_good_octets", 0x4088},
        {"GOTC", "tx_good_octets", 0x4090},
        {"RNBC", "rx_no_buffer", 0x40a0},
        {"RUC", "rx_undersize", 0x40a4},
        {"RFC", "rx_fragments", 0x40a8},
        {"ROC", "rx_oversize", 0x40ac},
        {"RJC", "rx_jabbers", 0x40b0},
        {"MGTPRC", "rx_management", 0x40b4},
        {"MGTPDC", "rx_management_dropped", 0x40b8},
        {"MGTPTC", "tx_management", 0x40bc},
        {"TOR", "rx_total_octets", 0x40c0},
        {"TOT", "tx_total_octets", 0x40c8},
        {"TPR", "rx_total_frames", 0x40d0},
        {"TPT", "tx_total_frames", 0x40d4},
        {"PTC64", "tx_64_octets", 0x40d8},
        {"PTC127", "tx_65_to_127_octets", 0x40dc},
        {"PTC255", "tx_128_to_255_octets", 0x40e0},
        {"PTC511", "tx_256_to_511_octets", 0x40e4},
        {"PTC1023", "tx_512_to_1023_octets", 0x40e8},
        {"PTC1522", "tx_1024_up_octets", 0x40ec},
        {"MPTC", "tx_multicast", 0x40f0},
        {"BPTC", "tx_broadcast", 0x40f4},
        {"TSCTC", "tx_tcp_contexts", 0x40f8},
        {"TSCTFC", "tx_tcp_contexts_failed", 0x40fc},
    };

    explicit E1000Reference(const Options& options) : options_(options) {
        for (const reference::CounterAt& one : counters)
            counter_[one.address] = 0;
    }

    // GORC, GOTC, TOR and TOT: "octet counters are 64 bits in two registers", of which the driver
    // reads the low one alone.
    static constexpr bool is_octets(std::uint32_t address) {
        return address == 0x4088 || address == 0x4090 || address == 0x40c0 || address == 0x40c8;
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

    // One bus read; nothing if nothing answers there. A read of its high word clears an octet
    // counter.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        if (counter_.contains(address)) {
            const std::uint64_t value = counter_[address];

            clear(address);
            return static_cast<std::uint32_t>(value);
        }
        if (is_octets(address - 4))
            return static_cast<std::uint32_t>(std::exchange(counter_[address - 4], 0) >> 32);
        switch (address) {
        case 0x0000: // CTRL: RST clears itself
            return 0;
        case 0x0008: // STATUS: the link is up
            return 1u << 1;
        case 0x0100:
            return rctl_;
        case 0x0400:
            return tctl_;
        default:
            return {};
        }
    }

    // One bus write; false if nothing answers. Counters and STATUS ignore it.
    bool write(std::uint32_t address, std::uint32_t value) {
        if (address == 0x0100)
            rctl_ = value & (1u << 1 | 1u << 2 | 1u << 5);
        else if (address == 0x0400)
            tctl_ = value & 1u << 1;
        else
            return counter_.contains(address) || is_octets(address - 4) || address == 0x0000 ||
                   address == 0x0008;
        return true;
    }

    std::uint64_t& counter(std::uint32_t address) { return counter_.at(address); }

    // "Every statistics register is cleared by a read"; octet counters, of their high word.
    void clear(std::uint32_t address) {
        if (!is_octets(address))
            counter_[address] = 0;
    }

private:
    // "A 32-bit register sticks at 0xffffffff." A counter of 64 bits rolls over in the
    // emulation.
    void add(std::uint32_t address, std::uint64_t amount) {
        std::uint64_t& value = counter_.at(address);

        if (is_octets(address) || amount <= 0xffffffff - value)
            value += amount;
        else
            value = 0xffffffff;
    }

    void receive(const macstats_frame& frame, std::uint64_t times) {
        const std::uint32_t length = frame.length;
        const std::uint32_t longest = rctl_ & 1u << 5 ? 16384 : 1522;
        // Behind a tag there is no MAC control frame to be seen.
        const bool control = frame.kind != MACSTATS_DATA && frame.vlan_tags == 0;
        const bool pause = control && frame.kind == MACSTATS_PAUSE;

        // "Total packets received": whatever they are, the missed ones too.
        add(0x40c0, times * length);
        add(0x40d0, times);
        if (has(frame, MACSTATS_ERR_OVERRUN)) {
            add(0x4010, times);
            return;
        }

        // IEEE 802.3 22.2.1.5: after an error of the PHY the check sequence is wrong.
        const bool phy_error = has(frame, MACSTATS_ERR_CODE);
        const bool crc_error =
            phy_error || has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_ALIGNMENT);
        const bool legal = length >= 64 && length <= longest;
        // Good packets "do not include received flow control packets".
        const bool good = legal && !crc_error && !control;

        if (crc_error && length >= 64)
            add(0x4000, times);
        if (has(frame, MACSTATS_ERR_ALIGNMENT) && legal)
            add(0x4004, times);
        if (phy_error && length >= 64)
            add(0x400c, times);
        if (!legal && !crc_error)
            add(0x4040, times);
        if (legal && !crc_error && pause)
            add(0x4050, times);
        if (legal && !crc_error && control && !pause)
            add(0x4058, times);
        if (good && length == 64)
            add(0x405c, times);
        if (good && length >= 65 && length <= 127)
            add(0x4060, times);
        if (good && length >= 128 && length <= 255)
            add(0x4064, times);
        if (good && length >= 256 && length <= 511)
            add(0x4068, times);
        if (good && length >= 512 && length <= 1023)
            add(0x406c, times);
        if (good && length >= 1024)
            add(0x4070, times);
        if (good)
            add(0x4074, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x4078, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x407c, times);
        if (good)
            add(0x4088, times * length);
        if (has(frame, MACSTATS_ERR_NO_BUFFER) && !control)
            add(0x40a0, times);
        if (length < 64 && !crc_error)
            add(0x40a4, times);
        if (length < 64 && crc_error)
            add(0x40a8, times);
        if (length > longest && !crc_error)
            add(0x40ac, times);
        if (length > longest && crc_error)
            add(0x40b0, times);
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        const macstats_frame frame = on_medium(given, options_.half_duplex);
        const std::uint32_t length = frame.length < 64 ? 64 : frame.length; // padded
        const bool pause = frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0;

        const bool half = options_.half_duplex;
        const bool late = has(frame, MACSTATS_ERR_LATE_COLLISION);
        const bool sixteen =
            !late && (frame.collisions >= 16 || has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS));
        const bool sent = !late && !sixteen && !has(frame, MACSTATS_ERR_UNDERRUN);
        const std::uint64_t collisions = sixteen ? 16u : frame.collisions;
        // Good packets "do not include transmitted flow control packets", which the MAC makes
        // "due to a full queue or due to software initiated action (using TCTL.SWXOFF)".
        const bool own_pause = pause && frame.origin == MACSTATS_BY_MAC;
        // Flow control by pause frames is "for full duplex" only (IEEE 802.3 annex 31B).
        if (own_pause && half)
            return;
        const bool good = sent && !own_pause;

        if (sent && collisions == 1)
            add(0x4014, times);
        if (sixteen)
            add(0x4018, times);
        if (sent && collisions >= 2)
            add(0x401c, times);
        if (late)
            add(0x4020, times);
        // "That are not late": a late collision is not among those that are given.
        add(0x4028, times * (collisions + (late && options_.colc_has_late)));
        if (frame.deferred)
            add(0x4030, times);
        if (sent && has(frame, MACSTATS_ERR_CARRIER_LOSS) && half)
            add(0x4034, times);
        if (sent && own_pause)
            add(0x4054, times);
        if (good)
            add(0x4080, times);
        if (good)
            add(0x4090, times * length);
        // "Partial packet transmissions", those that collided, are not in the totals.
        if (!late && !sixteen) {
            add(0x40c8, times * length);
            add(0x40d4, times);
        }
        if (good && length == 64)
            add(0x40d8, times);
        if (good && length >= 65 && length <= 127)
            add(0x40dc, times);
        if (good && length >= 128 && length <= 255)
            add(0x40e0, times);
        if (good && length >= 256 && length <= 511)
            add(0x40e4, times);
        if (good && length >= 512 && length <= 1023)
            add(0x40e8, times);
        if (good && length >= 1024)
            add(0x40ec, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x40f0, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x40f4, times);
    }

    Options options_;
    std::uint32_t rctl_ = 0;
    std::uint32_t tctl_ = 0;
    std::map<std::uint32_t, std::uint64_t> counter_; // by address, of the low word
};

} // namespace macstats::test

#endif // MACSTATS_TEST_E1000_REFERENCE_HPP
