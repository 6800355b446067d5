// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The management counters of a Synopsys GMAC, GMAC4 or XGMAC, slow and plain, to compare the models
// with. Written from the text at the head of their header, RFC 2819 and IEEE 802.3, and the names
// and offsets in the Linux driver: one condition for each counter, nothing of the headers under
// test but the frame.
#ifndef MACSTATS_TEST_DWMAC_REFERENCE_HPP
#define MACSTATS_TEST_DWMAC_REFERENCE_HPP

#include <cstdint>
#include <map>
#include <optional>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class DwmacReference {
public:
    // Also where the counters begin.
    enum Core : std::uint32_t {
        gmac = 0x100,
        gmac4 = 0x700,
        xgmac = 0x800
    };

    struct Options {
        Core core = gmac;
        bool half_duplex = false;
        bool statistics = true;
    };

    static constexpr std::uint32_t none = ~std::uint32_t{0};

    struct Counter {
        const char* reg;
        std::uint32_t offset; // in a GMAC4
        std::uint32_t xgmac;  // in an XGMAC
        bool wide;            // of 64 bits there, the low word first; all others have 32
        bool gmac;            // a GMAC has it where a GMAC4 does
    };

    static constexpr Counter counters[] = {
        {"MMC_TX_OCTETCOUNT_GB", 0x14, 0x14, true, true},
        {"MMC_TX_FRAMECOUNT_GB", 0x18, 0x1c, true, true},
        {"MMC_TX_BROADCASTFRAME_G", 0x1c, 0x24, true, true},
        {"MMC_TX_MULTICASTFRAME_G", 0x20, 0x2c, true, true},
        {"MMC_TX_64_OCTETS_GB", 0x24, 0x34, true, true},
        {"MMC_TX_65_TO_127_OCTETS_GB", 0x28, 0x3c, true, true},
        {"MMC_TX_128_TO_255_OCTETS_GB", 0x2c, 0x44, true, true},
        {"MMC_TX_256_TO_511_OCTETS_GB", 0x30, 0x4c, true, true},
        {"MMC_TX_512_TO_1023_OCTETS_GB", 0x34, 0x54, true, true},
        {"MMC_TX_1024_TO_MAX_OCTETS_GB", 0x38, 0x5c, true, true},
        {"MMC_TX_UNICAST_GB", 0x3c, 0x64, true, true},
        {"MMC_TX_MULTICAST_GB", 0x40, 0x6c, true, true},
        {"MMC_TX_BROADCAST_GB", 0x44, 0x74, true, true},
        {"MMC_TX_UNDERFLOW_ERROR", 0x48, 0x7c, true, true},
        {"MMC_TX_SINGLECOL_G", 0x4c, none, false, true},
        {"MMC_TX_MULTICOL_G", 0x50, none, false, true},
        {"MMC_TX_DEFERRED", 0x54, none, false, true},
        {"MMC_TX_LATECOL", 0x58, none, false, true},
        {"MMC_TX_EXESSCOL", 0x5c, none, false, true},
        {"MMC_TX_CARRIER_ERROR", 0x60, none, false, true},
        {"MMC_TX_OCTETCOUNT_G", 0x64, 0x84, true, true},
        {"MMC_TX_FRAMECOUNT_G", 0x68, 0x8c, true, true},
        {"MMC_TX_EXCESSDEF", 0x6c, none, false, true},
        {"MMC_TX_PAUSE_FRAME", 0x70, 0x94, true, true},
        {"MMC_TX_VLAN_FRAME_G", 0x74, 0x9c, true, true},
        {"MMC_TX_OVERSIZE_G", 0x78, none, false, true},
        {"MMC_RX_FRAMECOUNT_GB", 0x80, 0x100, true, true},
        {"MMC_RX_OCTETCOUNT_GB", 0x84, 0x108, true, true},
        {"MMC_RX_OCTETCOUNT_G", 0x88, 0x110, true, true},
        {"MMC_RX_BROADCASTFRAME_G", 0x8c, 0x118, true, true},
        {"MMC_RX_MULTICASTFRAME_G", 0x90, 0x120, true, true},
        {"MMC_RX_CRC_ERROR", 0x94, 0x128, true, true},
        {"MMC_RX_ALIGN_ERROR", 0x98, none, false, true},
        {"MMC_RX_RUN_ERROR", 0x9c, 0x130, false, true},
        {"MMC_RX_JABBER_ERROR", 0xa0, 0x134, false, true},
        {"MMC_RX_UNDERSIZE_G", 0xa4, 0x138, false, true},
        {"MMC_RX_OVERSIZE_G", 0xa8, 0x13c, false, true},
        {"MMC_RX_64_OCTETS_GB", 0xac, 0x140, true, true},
        {"MMC_RX_65_TO_127_OCTETS_GB", 0xb0, 0x148, true, true},
        {"MMC_RX_128_TO_255_OCTETS_GB", 0xb4, 0x150, true, true},
        {"MMC_RX_256_TO_511_OCTETS_GB", 0xb8, 0x158, true, true},
        {"MMC_RX_512_TO_1023_OCTETS_GB", 0xbc, 0x160, true, true},
        {"MMC_RX_1024_TO_MAX_OCTETS_GB", 0xc0, 0x168, true, true},
        {"MMC_RX_UNICAST_G", 0xc4, 0x170, true, true},
        {"MMC_RX_LENGTH_ERROR", 0xc8, 0x178, true, true},
        {"MMC_RX_AUTOFRANGETYPE", 0xcc, 0x180, true, true},
        {"MMC_RX_PAUSE_FRAMES", 0xd0, 0x188, true, true},
        {"MMC_RX_FIFO_OVERFLOW", 0xd4, 0x190, true, true},
        {"MMC_RX_VLAN_FRAMES_GB", 0xd8, 0x198, true, true},
        {"MMC_RX_WATCHDOG_ERROR", 0xdc, 0x1a0, false, true},
        {"MMC_RX_ERROR", 0xe0, none, false, true},
        {"MMC_RX_IPV4_GD", 0x110, 0x264, true, true},
        {"MMC_RX_IPV4_HDERR", 0x114, 0x26c, true, true},
        {"MMC_RX_IPV4_NOPAY", 0x118, 0x274, true, true},
        {"MMC_RX_IPV4_FRAG", 0x11c, 0x27c, true, true},
        {"MMC_RX_IPV4_UDSBL", 0x120, 0x284, true, true},
        {"MMC_RX_IPV6_GD", 0x124, 0x28c, true, true},
        {"MMC_RX_IPV6_HDERR", 0x128, 0x294, true, true},
        {"MMC_RX_IPV6_NOPAY", 0x12c, 0x29c, true, true},
        {"MMC_RX_UDP_GD", 0x130, 0x2a4, true, true},
        {"MMC_RX_UDP_ERR", 0x134, 0x2ac, true, true},
        {"MMC_RX_TCP_GD", 0x138, 0x2b4, true, true},
        {"MMC_RX_TCP_ERR", 0x13c, 0x2bc, true, true},
        {"MMC_RX_ICMP_GD", 0x140, 0x2c4, true, true},
        {"MMC_RX_ICMP_ERR", 0x144, 0x2cc, true, true},
        {"MMC_RX_IPV4_GD_OCTETS", 0x150, 0x2d4, true, true},
        {"MMC_RX_IPV4_HDERR_OCTETS", 0x154, 0x2dc, true, true},
        {"MMC_RX_IPV4_NOPAY_OCTETS", 0x158, 0x2e4, true, true},
        {"MMC_RX_IPV4_FRAG_OCTETS", 0x15c, 0x2ec, true, true},
        {"MMC_RX_IPV4_UDSBL_OCTETS", 0x160, 0x2f4, true, true},
        {"MMC_RX_IPV6_GD_OCTETS", 0x164, 0x2fc, true, true},
        {"MMC_RX_IPV6_HDERR_OCTETS", 0x168, 0x304, true, true},
        {"MMC_RX_IPV6_NOPAY_OCTETS", 0x16c, 0x30c, true, true},
        {"MMC_RX_UDP_GD_OCTETS", 0x170, 0x314, true, true},
        {"MMC_RX_UDP_ERR_OCTETS", 0x174, 0x31c, true, true},
        {"MMC_RX_TCP_GD_OCTETS", 0x178, 0x324, true, true},
        {"MMC_RX_TCP_ERR_OCTETS", 0x17c, 0x32c, true, true},
        {"MMC_RX_ICMP_GD_OCTETS", 0x180, 0x334, true, true},
        {"MMC_RX_ICMP_ERR_OCTETS", 0x184, 0x33c, true, true},
        {"MMC_TX_LPI_USEC", 0xec, 0xa4, false, false},
        {"MMC_TX_LPI_TRAN", 0xf0, 0xa8, false, false},
        {"MMC_RX_LPI_USEC", 0xf4, 0x1a4, false, false},
        {"MMC_RX_LPI_TRAN", 0xf8, 0x1a8, false, false},
        {"MMC_TX_FPE_FRAGMENT_CNTR", 0x1a8, 0x208, false, false},
        {"MMC_TX_HOLD_REQ_CNTR", 0x1ac, 0x20c, false, false},
        {"MMC_RX_PACKET_ASSEMBLY_ERR_CNTR", 0x1c8, 0x228, false, false},
        {"MMC_RX_PACKET_SMD_ERR_CNTR", 0x1cc, 0x22c, false, false},
        {"MMC_RX_PACKET_ASSEMBLY_OK_CNTR", 0x1d0, 0x230, false, false},
        {"MMC_RX_FPE_FRAGMENT_CNTR", 0x1d4, 0x234, false, false},
        {"MMC_RX_DISCARD_FRAMES_GB", none, 0x1ac, true, false},
        {"MMC_RX_DISCARD_OCTETS_GB", none, 0x1b4, true, false},
        {"MMC_RX_ALIGN_ERR_FRAMES", none, 0x1bc, false, false},
        {"MMC_SGF_PASS_FRAGMENT_CNTR", none, 0x1f0, false, false},
        {"MMC_SGF_FAIL_FRAGMENT_CNTR", none, 0x1f4, false, false},
        {"MMC_TX_GATE_OVERRUN_CNTR", none, 0x210, true, false},
    };

    explicit DwmacReference(const Options& options) : options_(options) {
        for (const Counter& one : counters)
            if (address_of(one, options_.core) != none)
                counter_[address_of(one, options_.core)].wide = is_wide(one, options_.core);
        for (const Counter& one : counters)
            if (one.offset != none)
                place_[one.offset] = address_of(one, options_.core);
        place_[0x98] = options_.core == xgmac ? 0x9bc : options_.core + 0x98; // alignment errors
    }

    static std::uint32_t address_of(const Counter& one, Core core) {
        const std::uint32_t offset = core == xgmac               ? one.xgmac
                                     : core == gmac && !one.gmac ? none
                                                                 : one.offset;

        return offset == none ? none : core + offset;
    }

    static bool is_wide(const Counter& one, Core core) { return core == xgmac && one.wide; }

    // The same frame @times over.
    void count(const macstats_frame& frame, std::uint64_t times) {
        if (!options_.statistics || is_frozen())
            return;
        if (frame.direction == MACSTATS_RX)
            receive(frame, times);
        else
            transmit(frame, times);
    }

    // One bus read; nothing if nothing answers there. With RSTONRD it clears a counter, of two
    // words by the low one, and holds the high one.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        if (const auto one = counter_.find(address); one != counter_.end()) {
            const std::uint64_t value = one->second.value;

            if (reads_clear()) {
                one->second.held = static_cast<std::uint32_t>(value >> 32);
                one->second.value = 0;
            }
            return static_cast<std::uint32_t>(value);
        }
        if (is_high(address)) {
            const Value& low = counter_.at(address - 4);

            return reads_clear() ? low.held : static_cast<std::uint32_t>(low.value >> 32);
        }
        if (address == options_.core)
            return control_;
        if (address == 0x000 && options_.core != xgmac)
            return config_;
        if (address == 0x004 && options_.core != gmac)
            return options_.core == xgmac ? config_ : extended_;
        if (options_.core != gmac && address == 0x11c) // EEESEL, RXCOESEL
            return 1u << 13 | 1u << 16;
        if (options_.core != gmac && address == 0x128) // FPESEL
            return 1u << 26;
        return {};
    }

    // One bus write; false if nothing answers. Counters and what is read-only ignore it.
    bool write(std::uint32_t address, std::uint32_t value) {
        if (address == options_.core) {
            control_ = value & (stop | clear_on_read | freeze | 1u << 5 | 1u << 8);
            for (auto& [at, one] : counter_)
                if (value & clear)
                    one.value = 0;
            return true;
        }
        if (address == 0x000 && options_.core != xgmac) // JE; GPSLCE
            config_ = value & (options_.core == gmac ? 1u << 20 : 1u << 16 | 1u << 23);
        else if (address == 0x004 && options_.core == gmac4) // GPSL
            extended_ = value & 0x3fff;
        else if (address == 0x004 && options_.core == xgmac) // GPSLCE, JE, GPSL
            config_ = value & (1u << 6 | 1u << 8 | 0x3fffu << 16);
        return counter_.contains(address) || is_high(address) || is_register(address);
    }

    bool is_frozen() const { return (control_ & freeze) != 0; }
    bool reads_clear() const { return (control_ & clear_on_read) != 0; }
    bool stops() const { return (control_ & stop) != 0; }

    // The high word of a counter.
    bool is_high(std::uint32_t address) const {
        const auto low = counter_.find(address - 4);

        return low != counter_.end() && low->second.wide;
    }

    std::uint64_t counter(std::uint32_t address) const { return counter_.at(address).value; }

    // As many bits of the value as the counter has.
    void set_counter(std::uint32_t address, std::uint64_t value) {
        Value& one = counter_.at(address);

        one.value = one.wide ? value : static_cast<std::uint32_t>(value);
    }

    static constexpr std::uint32_t clear = 1u << 0;         // CNTRST
    static constexpr std::uint32_t stop = 1u << 1;          // CNTSTOPRO
    static constexpr std::uint32_t clear_on_read = 1u << 2; // RSTONRD
    static constexpr std::uint32_t freeze = 1u << 3;        // CNTFREEZ

private:
    struct Value {
        std::uint64_t value = 0;
        std::uint32_t held = 0; // the high word, since the last read that cleared the counter
        bool wide = false;
    };

    bool is_register(std::uint32_t address) const {
        return address == options_.core || (address == 0x000 && options_.core != xgmac) ||
               (options_.core != gmac &&
                (address == 0x004 || address == 0x11c || address == 0x128));
    }

    // JE; GPSL where there is one and GPSLCE is set.
    std::uint32_t longest(const macstats_frame& frame) const {
        const std::uint32_t more = frame.vlan_tags ? 4 : 0; // octets of a tagged frame
        const std::uint32_t jumbo = options_.core == gmac    ? 1u << 20
                                    : options_.core == gmac4 ? 1u << 16
                                                             : 1u << 8;

        if (options_.core == gmac4 && (config_ & 1u << 23))
            return extended_ + more;
        if (options_.core == xgmac && (config_ & 1u << 6))
            return (config_ >> 16) + more;
        return (config_ & jumbo ? 9018 : 1518) + more;
    }

    // To the counter that a GMAC has at this offset; not every core has it.
    void add(std::uint32_t offset, std::uint64_t amount) {
        const std::uint32_t address = place_.at(offset);

        if (address == none)
            return;
        const Value& one = counter_.at(address);
        // No line gets to the end of 64 bits.
        if (stops() && !one.wide && amount > 0xffffffff - one.value)
            set_counter(address, 0xffffffff);
        else
            set_counter(address, one.value + amount);
    }

    // By length, good or bad, up to the maximum.
    void add_size(
        std::uint32_t first, const macstats_frame& frame, std::uint32_t length,
        std::uint64_t times) {
        if (length > longest(frame))
            return;
        if (length == 64)
            add(first, times);
        if (length >= 65 && length <= 127)
            add(first + 4, times);
        if (length >= 128 && length <= 255)
            add(first + 8, times);
        if (length >= 256 && length <= 511)
            add(first + 12, times);
        if (length >= 512 && length <= 1023)
            add(first + 16, times);
        if (length >= 1024)
            add(first + 20, times);
    }

    void receive(const macstats_frame& frame, std::uint64_t times) {
        const std::uint32_t length = frame.length;
        // IEEE 802.3 22.2.1.5: after a receive error the CRC is wrong; 30.3.1.1.7: a frame that is
        // no whole number of octets has an alignment error, and no FCS error beside it.
        const bool alignment = has(frame, MACSTATS_ERR_ALIGNMENT);
        const bool bad_crc =
            !alignment && (has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_CODE));
        const bool intact = !alignment && !bad_crc;
        const bool is_short = length < 64;
        const bool is_long = length > longest(frame);
        const bool legal = !is_short && !is_long;
        const bool good = legal && intact;

        add(0x80, times);
        add(0x84, times * length);
        if (good)
            add(0x88, times * length);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x8c, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x90, times);
        if (bad_crc)
            add(0x94, times);
        if (legal && alignment)
            add(0x98, times);
        if (is_short && bad_crc)
            add(0x9c, times);
        if (is_long && bad_crc)
            add(0xa0, times);
        if (is_short && intact)
            add(0xa4, times);
        if (is_long && intact)
            add(0xa8, times);
        add_size(0xac, frame, length, times);
        if (good && frame.destination == MACSTATS_UNICAST)
            add(0xc4, times);
        if (good && has(frame, MACSTATS_ERR_PAYLOAD_LENGTH))
            add(0xc8, times);
        // Behind a tag there is no MAC control frame to be seen.
        if (good && frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0)
            add(0xd0, times);
        if (has(frame, MACSTATS_ERR_OVERRUN))
            add(0xd4, times);
        if (frame.vlan_tags)
            add(0xd8, times);
        if (has(frame, MACSTATS_ERR_CODE))
            add(0xe0, times);
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
        }

        const std::uint32_t length = frame.length < 64 ? 64 : frame.length; // padded
        // The first of these that happens ends the frame.
        const bool underflow = has(frame, MACSTATS_ERR_UNDERRUN);
        const bool late = !underflow && has(frame, MACSTATS_ERR_LATE_COLLISION);
        const bool sixteen =
            !underflow && !late &&
            ((frame.collisions >= 16 && !has(frame, MACSTATS_ERR_LATE_COLLISION)) ||
             has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS));
        const bool deferral =
            !underflow && !late && !sixteen && has(frame, MACSTATS_ERR_EXCESSIVE_DEFERRAL);
        const bool carrier =
            !underflow && !late && !sixteen && !deferral && has(frame, MACSTATS_ERR_CARRIER_LOSS);
        const bool good = !underflow && !late && !sixteen && !deferral && !carrier;

        add(0x14, times * length);
        add(0x18, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x1c, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x20, times);
        add_size(0x24, frame, length, times);
        if (frame.destination == MACSTATS_UNICAST)
            add(0x3c, times);
        if (frame.destination == MACSTATS_MULTICAST)
            add(0x40, times);
        if (frame.destination == MACSTATS_BROADCAST)
            add(0x44, times);
        if (underflow)
            add(0x48, times);
        if (good && frame.collisions == 1)
            add(0x4c, times);
        if (good && frame.collisions > 1)
            add(0x50, times);
        if (good && frame.deferred)
            add(0x54, times);
        if (late)
            add(0x58, times);
        if (sixteen)
            add(0x5c, times);
        if (carrier)
            add(0x60, times);
        if (good)
            add(0x64, times * length);
        if (good)
            add(0x68, times);
        if (deferral)
            add(0x6c, times);
        if (own_pause)
            add(0x70, times);
        if (good && frame.vlan_tags)
            add(0x74, times);
        if (good && length > longest(frame))
            add(0x78, times);
    }

    Options options_;
    std::uint32_t config_ = 0;
    std::uint32_t extended_ = 0;
    std::uint32_t control_ = 0;
    std::map<std::uint32_t, Value> counter_;       // by address
    std::map<std::uint32_t, std::uint32_t> place_; // addresses, by the offset in a GMAC
};

} // namespace macstats::test

#endif // MACSTATS_TEST_DWMAC_REFERENCE_HPP
