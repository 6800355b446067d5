// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A slow model of the statistics of a port of the CPSW of K3 processors, written from the manuals
// (SPRUIM2H; SPRUIU1C; SPRUH73H 14.3.2.20 where they are silent): one condition per counter,
// nothing derived, nothing shared with the headers under test but what a frame is. The tests
// compare those headers with it.
#ifndef MACSTATS_TEST_AM65_CPSW_REFERENCE_HPP
#define MACSTATS_TEST_AM65_CPSW_REFERENCE_HPP

#include <array>
#include <cstdint>
#include <optional>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class Am65CpswReference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
    };

    // A statistics register.
    struct Counter {
        std::uint32_t value = 0;

        void add(std::uint64_t amount) { value += static_cast<std::uint32_t>(amount); }
    };

    static constexpr std::uint32_t stat_port_en = 0x20014;
    static constexpr std::uint32_t all_ports = 0x1ff;
    static constexpr std::uint32_t interrupts = 0; // the block has none of its own
    // 2^32 octets at 1 Gb/s in both directions.
    static constexpr std::uint64_t wrap_ns = 17'179'869'184;

    static constexpr reference::CounterAt counters[] = {
        {"RXGOODFRAMES", "rx_good_frames", 0x3a200},
        {"RXBROADCASTFRAMES", "rx_broadcast_frames", 0x3a204},
        {"RXMULTICASTFRAMES", "rx_multicast_frames", 0x3a208},
        {"RXPAUSEFRAMES", "rx_pause_frames", 0x3a20c},
        {"RXCRCERRORS", "rx_crc_errors", 0x3a210},
        {"RXALIGNCODEERRORS", "rx_align_code_errors", 0x3a214},
        {"RXOVERSIZEDFRAMES", "rx_oversize_frames", 0x3a218},
        {"RXJABBERFRAMES", "rx_jabbers", 0x3a21c},
        {"RXUNDERSIZEDFRAMES", "rx_undersize_frames", 0x3a220},
        {"RXFRAGMENTS", "rx_fragments", 0x3a224},
        {"ALE_DROP", "rx_ale_drops", 0x3a228},
        {"ALE_OVERRUN_DROP", "rx_ale_overrun_drops", 0x3a22c},
        {"RXOCTETS", "rx_octets", 0x3a230},
        {"TXGOODFRAMES", "tx_good_frames", 0x3a234},
        {"TXBROADCASTFRAMES", "tx_broadcast_frames", 0x3a238},
        {"TXMULTICASTFRAMES", "tx_multicast_frames", 0x3a23c},
        {"TXPAUSEFRAMES", "tx_pause_frames", 0x3a240},
        {"TXDEFERREDFRAMES", "tx_deferred_frames", 0x3a244},
        {"TXCOLLISIONFRAMES", "rxtx_collisions", 0x3a248},
        {"TXSINGLECOLLFRAMES", "tx_single_collision_frames", 0x3a24c},
        {"TXMULTCOLLFRAMES", "tx_multiple_collision_frames", 0x3a250},
        {"TXEXCESSIVECOLLISIONS", "tx_excessive_collisions", 0x3a254},
        {"TXLATECOLLISIONS", "tx_late_collisions", 0x3a258},
        {"RXIPGERROR", "rx_ipg_errors", 0x3a25c},
        {"TXCARRIERSENSEERRORS", "tx_carrier_sense_errors", 0x3a260},
        {"TXOCTETS", "tx_octets", 0x3a264},
        {"OCTETFRAMES64", "rxtx_64_octet_frames", 0x3a268},
        {"OCTETFRAMES65T127", "rxtx_65_127_octet_frames", 0x3a26c},
        {"OCTETFRAMES128T255", "rxtx_128_255_octet_frames", 0x3a270},
        {"OCTETFRAMES256T511", "rxtx_256_511_octet_frames", 0x3a274},
        {"OCTETFRAMES512T1023", "rxtx_512_1023_octet_frames", 0x3a278},
        {"OCTETFRAMES1024", "rxtx_1024_up_octet_frames", 0x3a27c},
        {"NETOCTETS", "rxtx_net_octets", 0x3a280},
        {"RX_BOTTOM_OF_FIFO_DROP", "rx_bottom_of_fifo_drops", 0x3a284},
        {"PORTMASK_DROP", "rx_portmask_drops", 0x3a288},
        {"RX_TOP_OF_FIFO_DROP", "rx_top_of_fifo_drops", 0x3a28c},
        {"ALE_RATE_LIMIT_DROP", "rx_ale_rate_limit_drops", 0x3a290},
        {"ALE_VID_INGRESS_DROP", "rx_ale_vid_ingress_drops", 0x3a294},
        {"ALE_DA_EQ_SA_DROP", "rx_ale_da_eq_sa_drops", 0x3a298},
        {"ALE_BLOCK_DROP", "rx_ale_block_drops", 0x3a29c},
        {"ALE_SECURE_DROP", "rx_ale_secure_drops", 0x3a2a0},
        {"ALE_AUTH_DROP", "rx_ale_auth_drops", 0x3a2a4},
        {"ALE_UNKN_UNI", "rx_ale_unknown_unicast_frames", 0x3a2a8},
        {"ALE_UNKN_UNI_BCNT", "rx_ale_unknown_unicast_octets", 0x3a2ac},
        {"ALE_UNKN_MLT", "rx_ale_unknown_multicast_frames", 0x3a2b0},
        {"ALE_UNKN_MLT_BCNT", "rx_ale_unknown_multicast_octets", 0x3a2b4},
        {"ALE_UNKN_BRD", "rx_ale_unknown_broadcast_frames", 0x3a2b8},
        {"ALE_UNKN_BRD_BCNT", "rx_ale_unknown_broadcast_octets", 0x3a2bc},
        {"ALE_POL_MATCH", "rx_ale_pol_matches", 0x3a2c0},
        {"ALE_POL_MATCH_RED", "rx_ale_pol_red_matches", 0x3a2c4},
        {"ALE_POL_MATCH_YELLOW", "rx_ale_pol_yellow_matches", 0x3a2c8},
        {"ALE_MULT_SA_DROP", "rx_ale_multicast_sa_drops", 0x3a2cc},
        {"ALE_DUAL_VLAN_DROP", "rx_ale_dual_vlan_drops", 0x3a2d0},
        {"ALE_LEN_ERROR_DROP", "rx_ale_len_error_drops", 0x3a2d4},
        {"ALE_IP_NEXT_HDR_DROP", "rx_ale_ip_next_hdr_drops", 0x3a2d8},
        {"ALE_IPV4_FRAG_DROP", "rx_ale_ipv4_frag_drops", 0x3a2dc},
        {"IET_RX_ASSEMBLY_ERROR", "rx_iet_assembly_errors", 0x3a340},
        {"IET_RX_ASSEMBLY_OK", "rx_iet_assembly_ok", 0x3a344},
        {"IET_RX_SMD_ERROR", "rx_iet_smd_errors", 0x3a348},
        {"IET_RX_FRAG", "rx_iet_fragments", 0x3a34c},
        {"IET_TX_HOLD", "tx_iet_holds", 0x3a350},
        {"IET_TX_FRAG", "tx_iet_fragments", 0x3a354},
        {"TX_MEMORY_PROTECT_ERROR", "tx_memory_protect_errors", 0x3a37c},
        {"TX_PRI0", "tx_pri0_frames", 0x3a380},
        {"TX_PRI1", "tx_pri1_frames", 0x3a384},
        {"TX_PRI2", "tx_pri2_frames", 0x3a388},
        {"TX_PRI3", "tx_pri3_frames", 0x3a38c},
        {"TX_PRI4", "tx_pri4_frames", 0x3a390},
        {"TX_PRI5", "tx_pri5_frames", 0x3a394},
        {"TX_PRI6", "tx_pri6_frames", 0x3a398},
        {"TX_PRI7", "tx_pri7_frames", 0x3a39c},
        {"TX_PRI0_BCNT", "tx_pri0_octets", 0x3a3a0},
        {"TX_PRI1_BCNT", "tx_pri1_octets", 0x3a3a4},
        {"TX_PRI2_BCNT", "tx_pri2_octets", 0x3a3a8},
        {"TX_PRI3_BCNT", "tx_pri3_octets", 0x3a3ac},
        {"TX_PRI4_BCNT", "tx_pri4_octets", 0x3a3b0},
        {"TX_PRI5_BCNT", "tx_pri5_octets", 0x3a3b4},
        {"TX_PRI6_BCNT", "tx_pri6_octets", 0x3a3b8},
        {"TX_PRI7_BCNT", "tx_pri7_octets", 0x3a3bc},
        {"TX_PRI0_DROP", "tx_pri0_drops", 0x3a3c0},
        {"TX_PRI1_DROP", "tx_pri1_drops", 0x3a3c4},
        {"TX_PRI2_DROP", "tx_pri2_drops", 0x3a3c8},
        {"TX_PRI3_DROP", "tx_pri3_drops", 0x3a3cc},
        {"TX_PRI4_DROP", "tx_pri4_drops", 0x3a3d0},
        {"TX_PRI5_DROP", "tx_pri5_drops", 0x3a3d4},
        {"TX_PRI6_DROP", "tx_pri6_drops", 0x3a3d8},
        {"TX_PRI7_DROP", "tx_pri7_drops", 0x3a3dc},
        {"TX_PRI0_DROP_BCNT", "tx_pri0_dropped_octets", 0x3a3e0},
        {"TX_PRI1_DROP_BCNT", "tx_pri1_dropped_octets", 0x3a3e4},
        {"TX_PRI2_DROP_BCNT", "tx_pri2_dropped_octets", 0x3a3e8},
        {"TX_PRI3_DROP_BCNT", "tx_pri3_dropped_octets", 0x3a3ec},
        {"TX_PRI4_DROP_BCNT", "tx_pri4_dropped_octets", 0x3a3f0},
        {"TX_PRI5_DROP_BCNT", "tx_pri5_dropped_octets", 0x3a3f4},
        {"TX_PRI6_DROP_BCNT", "tx_pri6_dropped_octets", 0x3a3f8},
        {"TX_PRI7_DROP_BCNT", "tx_pri7_dropped_octets", 0x3a3fc},
    };

    explicit Am65CpswReference(const Options& options)
        : half_duplex_(options.half_duplex),
          has_statistics_(options.statistics) {}

    void count(const macstats_frame& given, std::uint64_t n) {
        const macstats_frame frame = on_medium(given, half_duplex_);
        const std::uint32_t length = frame.length;
        const bool rx = frame.direction == MACSTATS_RX;
        const bool tx = frame.direction == MACSTATS_TX;
        const bool broadcast = frame.destination == MACSTATS_BROADCAST;
        const bool multicast = frame.destination == MACSTATS_MULTICAST;
        // 88-08 behind the addresses, where a tag is not.
        const bool pause = frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0;
        const bool crc = (frame.errors & MACSTATS_ERR_FCS) != 0;
        const bool align_code = (frame.errors & (MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE)) != 0;
        const bool late = (frame.errors & MACSTATS_ERR_LATE_COLLISION) != 0;
        const bool sixteen = (frame.errors & MACSTATS_ERR_EXCESSIVE_COLLISIONS) != 0 ||
                             (frame.collisions >= 16 && !late);
        const bool carrier = (frame.errors & MACSTATS_ERR_CARRIER_LOSS) != 0;
        const bool underrun = (frame.errors & MACSTATS_ERR_UNDERRUN) != 0;
        const bool overrun = (frame.errors & MACSTATS_ERR_OVERRUN) != 0;
        const bool flow_control = (mac_control_ & 0x08) != 0;
        std::uint64_t collided = half_duplex_ ? frame.collisions : 0; // attempts, late or not

        if (late)
            collided = frame.collisions + 1u;
        else if (sixteen)
            collided = 16;

        if (!has_statistics_ || stat_port_en_ == 0)
            return;

        // "Only transmitted in full duplex", always 64 octets, to a multicast address.
        if (tx && pause && frame.origin == MACSTATS_BY_MAC) {
            if (half_duplex_ || !flow_control)
                return;
            stat(0x34).add(n);
            stat(0x3c).add(n);
            stat(0x40).add(n);
            stat(0x64).add(64 * n);
            stat(0x68).add(n);
            stat(0x80).add(64 * n);
            return;
        }

        // SPRUIU1C: proper frames are of 64 octets to RX_MAXLEN, without errors; long frames exceed
        // it, and are jabber with errors; short frames are below 64, and are fragments with errors.
        const bool proper = length >= 64 && length <= rx_maxlen_;

        if (rx && proper && !crc && !align_code)
            stat(0x00).add(n);
        if (rx && broadcast && proper && !crc && !align_code)
            stat(0x04).add(n);
        if (rx && multicast && proper && !crc && !align_code)
            stat(0x08).add(n);
        if (rx && pause && proper && !crc && !align_code && (mac_control_ & 0x10))
            stat(0x0c).add(n);
        if (rx && proper && crc && !align_code)
            stat(0x10).add(n);
        if (rx && proper && align_code)
            stat(0x14).add(n);
        if (rx && length > rx_maxlen_ && !crc && !align_code)
            stat(0x18).add(n);
        if (rx && length > rx_maxlen_ && (crc || align_code))
            stat(0x1c).add(n);
        if (rx && length < 64 && !crc && !align_code)
            stat(0x20).add(n);
        if (rx && length < 64 && (crc || align_code))
            stat(0x24).add(n);
        if (rx && proper && !crc && !align_code)
            stat(0x30).add(n * length);
        if (rx && overrun)
            stat(0x84).add(n);

        // SPRUH73H 14.3.2.20.2, transmit.
        const bool good = !late && !sixteen && !carrier && !underrun;

        if (tx && good)
            stat(0x34).add(n);
        if (tx && broadcast && good)
            stat(0x38).add(n);
        if (tx && multicast && good)
            stat(0x3c).add(n);
        if (tx && frame.deferred && collided == 0 && !carrier && !underrun)
            stat(0x44).add(n);
        if (tx && !carrier && !underrun)
            stat(0x48).add(n * collided);
        if (rx && half_duplex_ && flow_control)
            stat(0x48).add(n * collided);
        if (tx && collided == 1 && !late && !carrier && !underrun)
            stat(0x4c).add(n);
        if (tx && collided >= 2 && collided <= 15 && !late && !carrier && !underrun)
            stat(0x50).add(n);
        if (tx && sixteen && !late && !carrier && !underrun)
            stat(0x54).add(n);
        if (tx && late)
            stat(0x58).add(n);
        if (tx && carrier)
            stat(0x60).add(n);
        if (tx && good)
            stat(0x64).add(n * length);

        // 14.3.2.20.3, receive and transmit together.
        if (length == 64 && !late && !sixteen && !carrier)
            stat(0x68).add(n);
        if (length >= 65 && length <= 127 && !late && !sixteen && !carrier)
            stat(0x6c).add(n);
        if (length >= 128 && length <= 255 && !late && !sixteen && !carrier)
            stat(0x70).add(n);
        if (length >= 256 && length <= 511 && !late && !sixteen && !carrier)
            stat(0x74).add(n);
        if (length >= 512 && length <= 1023 && !late && !sixteen && !carrier)
            stat(0x78).add(n);
        if (length >= 1024 && (tx || length <= rx_maxlen_) && !late && !sixteen && !carrier)
            stat(0x7c).add(n);
        stat(0x80).add(n * octets_on_wire(frame, late, sixteen));

        // All frames that software sends have priority 0.
        if (tx && good)
            stat(0x180).add(n);
        if (tx && good)
            stat(0x1a0).add(n * length);
    }

    // Nothing: no register is there.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        if (Counter* counter = at(address))
            return has_statistics_ ? counter->value : 0;
        if (is_reserved(address))
            return 0;
        switch (address) {
        case 0x20000:
            return has_statistics_ ? 0x6ba80100 : 0;
        case stat_port_en:
            return stat_port_en_;
        case 0x22024:
            return rx_maxlen_;
        case 0x22330:
            return mac_control_;
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
        if (is_reserved(address))
            return true;
        switch (address) {
        case 0x20000:
            return true;
        case stat_port_en:
            stat_port_en_ = has_statistics_ ? value & all_ports : 0;
            return true;
        case 0x22024:
            rx_maxlen_ = value & 0x3fff;
            return true;
        case 0x22330:
            mac_control_ = value & 0x18;
            return true;
        default:
            return false;
        }
    }

    // Is any port enabled?
    bool is_open() const { return stat_port_en_ != 0; }

    Counter* at(std::uint32_t address) {
        if (address < 0x3a200 || address > 0x3a3fc || address % 4 || is_reserved(address))
            return nullptr;
        return &stat(address - 0x3a200);
    }

private:
    static bool is_reserved(std::uint32_t address) {
        return (address >= 0x3a2e0 && address <= 0x3a33c && address % 4 == 0) ||
               (address >= 0x3a358 && address <= 0x3a378 && address % 4 == 0);
    }

    Counter& stat(std::uint32_t offset) { return stats_.at(offset / 4); }

    // "Any size", good or bad, and each attempt again: one that collides in time has sent no more
    // than a slot time of 64 octets, the last one counts in full unless it was the sixteenth to
    // collide.
    std::uint64_t octets_on_wire(const macstats_frame& frame, bool late, bool sixteen) const {
        std::uint64_t octets = 0;
        unsigned int in_time = frame.collisions;

        if (!half_duplex_ || (frame.direction == MACSTATS_RX && !(mac_control_ & 0x08)))
            return frame.length;
        if (sixteen && !late)
            in_time = 16;
        for (unsigned int i = 0; i < in_time; i++)
            octets += frame.length < 64 ? frame.length : 64;
        if (!sixteen || late)
            octets += frame.length;
        return octets;
    }

    bool half_duplex_;
    bool has_statistics_;
    std::array<Counter, 0x80> stats_{};
    std::uint32_t stat_port_en_ = 0;
    std::uint32_t mac_control_ = 0x18; // flow control both ways, as drivers set it
    std::uint32_t rx_maxlen_ = 1518;
};

} // namespace macstats::test

#endif // MACSTATS_TEST_AM65_CPSW_REFERENCE_HPP
