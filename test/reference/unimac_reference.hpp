// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The MIB of a Broadcom UniMAC, slow and plain, to compare the model with. Written from the
// descriptions of its registers (Linux, bcmgenet.h; UNIMAC_MIB and XUMAC of Broadcom's drivers) and
// from the sums of OpenBCM, stat_ge.c: one condition for each counter, no table, nothing of the
// headers under test but the frame.
#ifndef MACSTATS_TEST_UNIMAC_REFERENCE_HPP
#define MACSTATS_TEST_UNIMAC_REFERENCE_HPP

#include <cstdint>
#include <map>
#include <optional>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class UnimacReference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
    };

    static constexpr reference::CounterAt counters[] = {
        {"GR64", "rx_64_octets", 0x400},
        {"GR127", "rx_65_127_oct", 0x404},
        {"GR255", "rx_128_255_oct", 0x408},
        {"GR511", "rx_256_511_oct", 0x40c},
        {"GR1023", "rx_512_1023_oct", 0x410},
        {"GR1518", "rx_1024_1518_oct", 0x414},
        {"GRMGV", "rx_vlan_1519_1522_oct", 0x418},
        {"GR2047", "rx_1522_2047_oct", 0x41c},
        {"GR4095", "rx_2048_4095_oct", 0x420},
        {"GR9216", "rx_4096_9216_oct", 0x424},
        {"GRPKT", "rx_pkts", 0x428},
        {"GRBYT", "rx_bytes", 0x42c},
        {"GRMCA", "rx_multicast", 0x430},
        {"GRBCA", "rx_broadcast", 0x434},
        {"GRFCS", "rx_fcs", 0x438},
        {"GRXCF", "rx_control", 0x43c},
        {"GRXPF", "rx_pause", 0x440},
        {"GRXUO", "rx_unknown", 0x444},
        {"GRALN", "rx_align", 0x448},
        {"GRFLR", "rx_outrange", 0x44c},
        {"GRCDE", "rx_code", 0x450},
        {"GRFCR", "rx_carrier", 0x454},
        {"GROVR", "rx_oversize", 0x458},
        {"GRJBR", "rx_jabber", 0x45c},
        {"GRMTUE", "rx_mtu_err", 0x460},
        {"GRPOK", "rx_good_pkts", 0x464},
        {"GRUC", "rx_unicast", 0x468},
        {"GRPPP", "rx_ppp", 0x46c},
        {"GRMCRC", "rx_crc", 0x470},
        {"TR64", "tx_64_octets", 0x480},
        {"TR127", "tx_65_127_oct", 0x484},
        {"TR255", "tx_128_255_oct", 0x488},
        {"TR511", "tx_256_511_oct", 0x48c},
        {"TR1023", "tx_512_1023_oct", 0x490},
        {"TR1518", "tx_1024_1518_oct", 0x494},
        {"TRMGV", "tx_vlan_1519_1522_oct", 0x498},
        {"TR2047", "tx_1522_2047_oct", 0x49c},
        {"TR4095", "tx_2048_4095_oct", 0x4a0},
        {"TR9216", "tx_4096_9216_oct", 0x4a4},
        {"GTPKT", "tx_pkts", 0x4a8},
        {"GTMCA", "tx_multicast", 0x4ac},
        {"GTBCA", "tx_broadcast", 0x4b0},
        {"GTXPF", "tx_pause", 0x4b4},
        {"GTXCF", "tx_control", 0x4b8},
        {"GTFCS", "tx_fcs_err", 0x4bc},
        {"GTOVR", "tx_oversize", 0x4c0},
        {"GTDRF", "tx_defer", 0x4c4},
        {"GTEDF", "tx_excess_defer", 0x4c8},
        {"GTSCL", "tx_single_col", 0x4cc},
        {"GTMCL", "tx_multi_col", 0x4d0},
        {"GTLCL", "tx_late_col", 0x4d4},
        {"GTXCL", "tx_excess_col", 0x4d8},
        {"GTFRG", "tx_frags", 0x4dc},
        {"GTNCL", "tx_total_col", 0x4e0},
        {"GTJBR", "tx_jabber", 0x4e4},
        {"GTBYT", "tx_bytes", 0x4e8},
        {"GTPOK", "tx_good_pkts", 0x4ec},
        {"GTUC", "tx_unicast", 0x4f0},
        {"RRPKT", "rx_runt_pkts", 0x500},
        {"RRUND", "rx_runt_valid_fcs", 0x504},
        {"RRFRG", "rx_runt_inval_fcs_align", 0x508},
        {"RRBYT", "rx_runt_bytes", 0x50c},
    };

    explicit UnimacReference(const Options& options) : options_(options) {
        for (const reference::CounterAt& one : counters)
            counter_[one.address] = 0;
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

    // One bus read, which changes nothing; nothing if nothing answers there.
    std::optional<std::uint32_t> read(std::uint32_t address) const {
        const auto counter = counter_.find(address);

        if (counter != counter_.end())
            return counter->second;
        switch (address) {
        case command:
            return no_length_check_ ? 1u << 24 : 0;
        case max_frame_len:
            return max_frame_len_;
        case mib_ctrl:
            return mib_ctrl_;
        default:
            return {};
        }
    }

    // One bus write; false if nothing answers. Counters ignore it.
    bool write(std::uint32_t address, std::uint32_t value) {
        if (address == command)
            no_length_check_ = (value & 1u << 24) != 0;
        else if (address == max_frame_len)
            max_frame_len_ = value & 0x3fff;
        else if (address == mib_ctrl)
            mib_ctrl_ = value & 7; // stored; the emulation clears nothing
        else
            return counter_.contains(address);
        return true;
    }

    [[nodiscard]] std::uint32_t counter(std::uint32_t address) const {
        return counter_.at(address);
    }
    void set_counter(std::uint32_t address, std::uint64_t value) {
        counter_.at(address) = static_cast<std::uint32_t>(value);
    }

private:
    static constexpr std::uint32_t command = 0x008;
    static constexpr std::uint32_t max_frame_len = 0x014;
    static constexpr std::uint32_t mib_ctrl = 0x580;

    // 32 bits, which roll over.
    void add(std::uint32_t address, std::uint64_t amount) {
        counter_.at(address) += static_cast<std::uint32_t>(amount);
    }

    // The ten counters by size, "1519 to 1522 bytes good VLAN" among them.
    void add_size(std::uint32_t first, std::uint32_t length, bool good_vlan, std::uint64_t times) {
        if (length == 64)
            add(first, times);
        if (length >= 65 && length <= 127)
            add(first + 0x04, times);
        if (length >= 128 && length <= 255)
            add(first + 0x08, times);
        if (length >= 256 && length <= 511)
            add(first + 0x0c, times);
        if (length >= 512 && length <= 1023)
            add(first + 0x10, times);
        if (length >= 1024 && length <= 1518)
            add(first + 0x14, times);
        if (length >= 1519 && length <= 1522 && good_vlan)
            add(first + 0x18, times);
        if (length >= 1519 && length <= 2047)
            add(first + 0x1c, times);
        if (length >= 2048 && length <= 4095)
            add(first + 0x20, times);
        if (length >= 4096)
            add(first + 0x24, times);
    }

    void receive(const macstats_frame& frame, std::uint64_t times) {
        const std::uint32_t length = frame.length;
        const bool code = has(frame, MACSTATS_ERR_CODE);
        const bool dribble = has(frame, MACSTATS_ERR_ALIGNMENT);
        // IEEE 802.3 22.2.1.5: after an error of the PHY the check sequence is wrong, as it is
        // behind a dribble bit.
        const bool bad_fcs = code || dribble || has(frame, MACSTATS_ERR_FCS);

        // "Receive RUNT packet counter": no other counter has them.
        if (length < 64) {
            add(0x500, times);
            if (!bad_fcs)
                add(0x504, times);
            if (bad_fcs)
                add(0x508, times);
            add(0x50c, times * length);
            return;
        }

        const bool tagged = frame.vlan_tags != 0;
        const bool oversize = length > (tagged ? 1522u : 1518u);
        const bool over_mtu = length > max_frame_len_;
        // "When set to '0', the Core checks the frame's payload length with the Frame Length/Type
        // field".
        const bool wrong_length = !no_length_check_ && has(frame, MACSTATS_ERR_PAYLOAD_LENGTH);
        const bool well_formed = !bad_fcs && !over_mtu;
        const bool good = well_formed && !wrong_length;
        // Behind a tag there is no MAC control frame to be seen.
        const bool control = frame.kind != MACSTATS_DATA && !tagged;

        add_size(0x400, length, good && tagged, times);
        add(0x428, times);
        add(0x42c, times * length);
        if (good && !control && !oversize && frame.destination == MACSTATS_MULTICAST)
            add(0x430, times);
        if (good && !control && !oversize && frame.destination == MACSTATS_BROADCAST)
            add(0x434, times);
        if (bad_fcs && !dribble && !oversize)
            add(0x438, times);
        if (well_formed && control)
            add(0x43c, times);
        if (well_formed && control && frame.kind == MACSTATS_PAUSE)
            add(0x440, times);
        if (well_formed && control && frame.kind == MACSTATS_CONTROL)
            add(0x444, times);
        if (dribble && !oversize)
            add(0x448, times);
        if (well_formed && wrong_length)
            add(0x44c, times);
        if (code)
            add(0x450, times);
        if (well_formed && oversize)
            add(0x458, times);
        if (bad_fcs && oversize)
            add(0x45c, times);
        if (!bad_fcs && over_mtu)
            add(0x460, times);
        if (good)
            add(0x464, times);
        if (good && !control && !oversize && frame.destination == MACSTATS_UNICAST)
            add(0x468, times);
        if (well_formed && control && frame.kind == MACSTATS_PFC)
            add(0x46c, times);
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        macstats_frame frame = on_medium(given, options_.half_duplex);
        const bool tagged = frame.vlan_tags != 0;
        const bool control = frame.kind != MACSTATS_DATA && !tagged;
        const bool pause = control && frame.kind == MACSTATS_PAUSE;

        // A pause frame that the MAC makes is whole, and nothing befalls it; in half duplex there
        // is none (IEEE 802.3 annex 31B).
        if (pause && frame.origin == MACSTATS_BY_MAC) {
            if (options_.half_duplex)
                return;
            frame.errors = 0;
        }

        // "Transmit always pad runts to guarantee a minimum frame size of 64 octets."
        const std::uint32_t length = frame.length < 64 ? 64 : frame.length;
        const bool deferral = has(frame, MACSTATS_ERR_EXCESSIVE_DEFERRAL);
        const bool late = has(frame, MACSTATS_ERR_LATE_COLLISION);
        const bool sixteen =
            !late && (frame.collisions >= 16 || has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS));
        const bool sent = !deferral && !late && !sixteen;
        const bool bad_fcs = has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_UNDERRUN);
        const bool good = sent && !bad_fcs;
        const bool oversize = length > (tagged ? 1522u : 1518u);
        // A late collision is not among those that are given.
        const std::uint64_t collisions = late      ? frame.collisions + 1u
                                         : sixteen ? 16u
                                                   : frame.collisions;

        if (deferral)
            add(0x4c8, times);
        if (late && !deferral)
            add(0x4d4, times);
        if (sixteen && !deferral)
            add(0x4d8, times);
        add(0x4e0, times * collisions);
        if (!sent)
            return;

        add_size(0x480, length, good && tagged, times);
        add(0x4a8, times);
        if (good && !oversize && frame.destination == MACSTATS_MULTICAST)
            add(0x4ac, times);
        if (good && !oversize && frame.destination == MACSTATS_BROADCAST)
            add(0x4b0, times);
        if (good && pause)
            add(0x4b4, times);
        if (good && control)
            add(0x4b8, times);
        if (bad_fcs && !oversize)
            add(0x4bc, times);
        if (good && oversize)
            add(0x4c0, times);
        if (frame.deferred && collisions == 0)
            add(0x4c4, times);
        if (collisions == 1)
            add(0x4cc, times);
        if (collisions >= 2)
            add(0x4d0, times);
        if (bad_fcs && oversize)
            add(0x4e4, times);
        add(0x4e8, times * length);
        if (good)
            add(0x4ec, times);
        if (good && !oversize && frame.destination == MACSTATS_UNICAST)
            add(0x4f0, times);
    }

    Options options_;
    bool no_length_check_ = true;
    std::uint32_t max_frame_len_ = 1518;
    std::uint32_t mib_ctrl_ = 0;
    std::map<std::uint32_t, std::uint32_t> counter_; // by address
};

} // namespace macstats::test

#endif // MACSTATS_TEST_UNIMAC_REFERENCE_HPP
