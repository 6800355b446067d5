// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// An Atheros AR813x, AR815x or AR816x, slow and plain, to compare the model with. Written from the
// text at the head of its header, the comments in the Linux drivers, RFC 2819 and IEEE 802.3: one
// condition for each counter, no table, nothing of the headers under test but the frame.
#ifndef MACSTATS_TEST_ALX_REFERENCE_HPP
#define MACSTATS_TEST_ALX_REFERENCE_HPP

#include <cstdint>
#include <map>
#include <optional>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class AlxReference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
    };

    static constexpr reference::CounterAt counters[] = {
        {"RX_OK", "rx_ok", 0x1700},
        {"RX_BCAST", "rx_bcast", 0x1704},
        {"RX_MCAST", "rx_mcast", 0x1708},
        {"RX_PAUSE", "rx_pause", 0x170c},
        {"RX_CTRL", "rx_ctrl", 0x1710},
        {"RX_FCS_ERR", "rx_fcs_err", 0x1714},
        {"RX_LEN_ERR", "rx_len_err", 0x1718},
        {"RX_BYTE_CNT", "rx_byte_cnt", 0x171c},
        {"RX_RUNT", "rx_runt", 0x1720},
        {"RX_FRAG", "rx_frag", 0x1724},
        {"RX_SZ_64B", "rx_sz_64", 0x1728},
        {"RX_SZ_127B", "rx_sz_65_127", 0x172c},
        {"RX_SZ_255B", "rx_sz_128_255", 0x1730},
        {"RX_SZ_511B", "rx_sz_256_511", 0x1734},
        {"RX_SZ_1023B", "rx_sz_512_1023", 0x1738},
        {"RX_SZ_1518B", "rx_sz_1024_1518", 0x173c},
        {"RX_SZ_MAX", "rx_sz_1519_max", 0x1740},
        {"RX_OV_SZ", "rx_sz_ov", 0x1744},
        {"RX_OV_RXF", "rx_rxf_ov", 0x1748},
        {"RX_OV_RRD", "rx_rrd_ov", 0x174c},
        {"RX_ALIGN_ERR", "rx_align_err", 0x1750},
        {"RX_BCCNT", "rx_bcast_byte_cnt", 0x1754},
        {"RX_MCCNT", "rx_mcast_byte_cnt", 0x1758},
        {"RX_ERRADDR", "rx_err_addr", 0x175c},
        {"TX_OK", "tx_ok", 0x1760},
        {"TX_BCAST", "tx_bcast", 0x1764},
        {"TX_MCAST", "tx_mcast", 0x1768},
        {"TX_PAUSE", "tx_pause", 0x176c},
        {"TX_EXC_DEFER", "tx_exc_defer", 0x1770},
        {"TX_CTRL", "tx_ctrl", 0x1774},
        {"TX_DEFER", "tx_defer", 0x1778},
        {"TX_BYTE_CNT", "tx_byte_cnt", 0x177c},
        {"TX_SZ_64B", "tx_sz_64", 0x1780},
        {"TX_SZ_127B", "tx_sz_65_127", 0x1784},
        {"TX_SZ_255B", "tx_sz_128_255", 0x1788},
        {"TX_SZ_511B", "tx_sz_256_511", 0x178c},
        {"TX_SZ_1023B", "tx_sz_512_1023", 0x1790},
        {"TX_SZ_1518B", "tx_sz_1024_1518", 0x1794},
        {"TX_SZ_MAX", "tx_sz_1519_max", 0x1798},
        {"TX_SINGLE_COL", "tx_1_col", 0x179c},
        {"TX_MULTI_COL", "tx_2_col", 0x17a0},
        {"TX_LATE_COL", "tx_late_col", 0x17a4},
        {"TX_ABORT_COL", "tx_abort_col", 0x17a8},
        {"TX_UNDERRUN", "tx_underrun", 0x17ac},
        {"TX_TRD_EOP", "tx_rd_eop", 0x17b0},
        {"TX_LEN_ERR", "tx_len_err", 0x17b4},
        {"TX_TRUNC", "tx_trunc", 0x17b8},
        {"TX_BCCNT", "tx_bcast_byte", 0x17bc},
        {"TX_MCCNT", "tx_mcast_byte", 0x17c0},
    };

    explicit AlxReference(const Options& options) : options_(options) {
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

    // One bus read, which clears a counter; nothing if nothing answers there.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        if (const auto one = counter_.find(address); one != counter_.end()) {
            const std::uint32_t value = one->second;

            one->second = 0;
            return value;
        }
        switch (address) {
        case 0x1480:
            return mac_ctrl_;
        case 0x149c:
            return mtu_;
        default:
            return {};
        }
    }

    // One bus write; false if nothing answers. Counters ignore it.
    bool write(std::uint32_t address, std::uint32_t value) {
        switch (address) {
        case 0x1480: // transmit and receive enable, flow control of both, full duplex
            mac_ctrl_ = value & 0x2f;
            return true;
        case 0x149c:
            mtu_ = value & 0xffff;
            return true;
        default:
            return counter_.count(address) != 0;
        }
    }

    std::uint32_t& counter(std::uint32_t address) { return counter_.at(address); }

private:
    // 32 bits, which roll over.
    void add(std::uint32_t address, std::uint64_t amount) {
        counter_.at(address) += static_cast<std::uint32_t>(amount);
    }

    // Each frame is good, or has one of the errors that the drivers add to the good ones.
    void receive(const macstats_frame& frame, std::uint64_t times) {
        const std::uint32_t length = frame.length;
        const std::uint32_t octets = length - 4; // of a legal length
        // IEEE 802.3 22.2.1.5: after a symbol error the check sequence is wrong.
        const bool bad_fcs = has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_CODE);
        const bool alignment = has(frame, MACSTATS_ERR_ALIGNMENT);
        const bool wrong_length = has(frame, MACSTATS_ERR_PAYLOAD_LENGTH);
        const bool fifo_full = has(frame, MACSTATS_ERR_OVERRUN);
        const bool no_descriptor = has(frame, MACSTATS_ERR_NO_BUFFER);
        const bool there = !fifo_full && !no_descriptor;
        const bool legal = there && length >= 64 && length <= mtu_;
        const bool good = legal && !bad_fcs && !alignment && !wrong_length;
        // Behind a tag there is no MAC control frame to be seen.
        const unsigned int kind = frame.vlan_tags ? unsigned{MACSTATS_DATA} : frame.kind;

        if (good)
            add(0x1700, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x1704, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x1708, times);
        if (good && kind == MACSTATS_PAUSE)
            add(0x170c, times);
        if (good && (kind == MACSTATS_CONTROL || kind == MACSTATS_PFC))
            add(0x1710, times);
        if (legal && bad_fcs && !alignment)
            add(0x1714, times);
        if (legal && wrong_length && !bad_fcs && !alignment)
            add(0x1718, times);
        if (good)
            add(0x171c, times * octets);
        if (there && length < 64 && !bad_fcs && !alignment)
            add(0x1720, times);
        if (there && length < 64 && (bad_fcs || alignment))
            add(0x1724, times);
        // "Good and bad packets", up to MTU.
        if (length <= mtu_ && length == 64)
            add(0x1728, times);
        if (length <= mtu_ && length >= 65 && length <= 127)
            add(0x172c, times);
        if (length <= mtu_ && length >= 128 && length <= 255)
            add(0x1730, times);
        if (length <= mtu_ && length >= 256 && length <= 511)
            add(0x1734, times);
        if (length <= mtu_ && length >= 512 && length <= 1023)
            add(0x1738, times);
        if (length <= mtu_ && length >= 1024 && length <= 1518)
            add(0x173c, times);
        if (length <= mtu_ && length > 1518)
            add(0x1740, times);
        if (there && length > mtu_)
            add(0x1744, times);
        if (fifo_full)
            add(0x1748, times);
        if (no_descriptor && !fifo_full)
            add(0x174c, times);
        if (legal && alignment)
            add(0x1750, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x1754, times * octets);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x1758, times * octets);
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        macstats_frame frame = on_medium(given, options_.half_duplex);
        const unsigned int kind = frame.vlan_tags ? unsigned{MACSTATS_DATA} : frame.kind;

        // IEEE 802.3 annex 31B: pause frames are for full duplex, and here TXFC_EN lets the MAC
        // send them. They have no errors.
        if (kind == MACSTATS_PAUSE && frame.origin == MACSTATS_BY_MAC) {
            if (options_.half_duplex || !(mac_ctrl_ & 1u << 2))
                return;
            frame.errors = 0;
            frame.collisions = 0;
        }

        const std::uint32_t length = frame.length < 64 ? 64 : frame.length; // padded
        const std::uint32_t octets = length - 4;
        const bool late = has(frame, MACSTATS_ERR_LATE_COLLISION);
        const bool sixteen =
            !late && (frame.collisions >= 16 || has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS));
        const bool underrun = has(frame, MACSTATS_ERR_UNDERRUN);
        const bool whole = !late && !sixteen && !underrun;
        const bool fits = length <= mtu_;
        const bool good = whole && fits && !has(frame, MACSTATS_ERR_FCS);

        if (good)
            add(0x1760, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x1764, times);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x1768, times);
        if (good && kind == MACSTATS_PAUSE)
            add(0x176c, times);
        if (has(frame, MACSTATS_ERR_EXCESSIVE_DEFERRAL))
            add(0x1770, times);
        if (good && (kind == MACSTATS_CONTROL || kind == MACSTATS_PFC))
            add(0x1774, times);
        if (good && frame.deferred && frame.collisions == 0)
            add(0x1778, times);
        if (good)
            add(0x177c, times * octets);
        if (whole && fits && length == 64)
            add(0x1780, times);
        if (whole && fits && length >= 65 && length <= 127)
            add(0x1784, times);
        if (whole && fits && length >= 128 && length <= 255)
            add(0x1788, times);
        if (whole && fits && length >= 256 && length <= 511)
            add(0x178c, times);
        if (whole && fits && length >= 512 && length <= 1023)
            add(0x1790, times);
        if (whole && fits && length >= 1024 && length <= 1518)
            add(0x1794, times);
        if (whole && fits && length > 1518)
            add(0x1798, times);
        if (good && frame.collisions == 1)
            add(0x179c, times);
        if (good && frame.collisions > 1)
            add(0x17a0, times);
        if (late)
            add(0x17a4, times);
        if (sixteen)
            add(0x17a8, times);
        if (underrun && !late && !sixteen)
            add(0x17ac, times);
        if (good && has(frame, MACSTATS_ERR_PAYLOAD_LENGTH))
            add(0x17b4, times);
        if (whole && !fits)
            add(0x17b8, times);
        if (good && frame.destination == MACSTATS_BROADCAST)
            add(0x17bc, times * octets);
        if (good && frame.destination == MACSTATS_MULTICAST)
            add(0x17c0, times * octets);
    }

    Options options_;
    std::uint32_t mac_ctrl_ = 0;
    std::uint32_t mtu_ = 1522;
    std::map<std::uint32_t, std::uint32_t> counter_; // by address
};

} // namespace macstats::test

#endif // MACSTATS_TEST_ALX_REFERENCE_HPP
