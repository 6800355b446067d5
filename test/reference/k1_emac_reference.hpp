// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The Ethernet MAC of the SpacemiT K1, slow and plain, to compare the model with. Written from the
// names in k1_emac.h of Linux, RFC 2819 and IEEE 802.3: one condition for each counter, no table,
// nothing of the headers under test but the frame.
//
// All that the counters count is inferred. So is what the names leave open: a frame for which the
// FIFO had no room counts where good and bad ones do, and as dropped, but nowhere else (IEEE
// 802.3, 30.3.1.1.15); a command goes on until it has ended, and reads the counter of the number
// that is in the register then.
#ifndef MACSTATS_TEST_K1_EMAC_REFERENCE_HPP
#define MACSTATS_TEST_K1_EMAC_REFERENCE_HPP

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class K1EmacReference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
        bool random = false; // the counters hold anything, and nothing clears them
    };

    // Unions emac_hw_tx_stats and emac_hw_rx_stats: "order, index used for accessing hardware".
    static constexpr std::string_view tx_counters[] = {
        "tx_ok_pkts",         "tx_total_pkts",     "tx_ok_bytes",       "tx_err_pkts",
        "tx_singleclsn_pkts", "tx_multiclsn_pkts", "tx_lateclsn_pkts",  "tx_excessclsn_pkts",
        "tx_unicast_pkts",    "tx_multicast_pkts", "tx_broadcast_pkts", "tx_pause_pkts",
    };
    static constexpr std::string_view rx_counters[] = {
        "rx_ok_pkts",
        "rx_total_pkts",
        "rx_crc_err_pkts",
        "rx_align_err_pkts",
        "rx_err_total_pkts",
        "rx_ok_bytes",
        "rx_total_bytes",
        "rx_unicast_pkts",
        "rx_multicast_pkts",
        "rx_broadcast_pkts",
        "rx_pause_pkts",
        "rx_len_err_pkts",
        "rx_len_undersize_pkts",
        "rx_len_oversize_pkts",
        "rx_len_fragment_pkts",
        "rx_len_jabber_pkts",
        "rx_64_pkts",
        "rx_65_127_pkts",
        "rx_128_255_pkts",
        "rx_256_511_pkts",
        "rx_512_1023_pkts",
        "rx_1024_1518_pkts",
        "rx_1519_plus_pkts",
        "rx_drp_fifo_full_pkts",
        "rx_truncate_fifo_full_pkts",
    };

    explicit K1EmacReference(const Options& options) : options_(options) {
        for (const std::string_view name : tx_counters)
            tx_.counters.push_back({name, 0, !options.random});
        for (const std::string_view name : rx_counters)
            rx_.counters.push_back({name, 0, !options.random});
    }

    // Faults: a command never ends, or ends later.
    bool stuck = false;
    bool slow = false;

    struct Counter {
        std::string_view name;
        std::uint32_t value;
        bool is_known;
    };

    Counter& at(std::string_view name) {
        for (Window* window : {&tx_, &rx_})
            for (Counter& one : window->counters)
                if (one.name == name)
                    return one;
        throw std::out_of_range("no such counter");
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

    // One bus read; nothing if nothing answers there.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        switch (address) {
        case 0x10c:
            return max_frame_size_;
        case 0x1a8:
            return read_control(rx_);
        case 0x1ac:
            return rx_.data >> 16;
        case 0x1b0:
            return rx_.data & 0xffff;
        case 0x1b4:
            return read_control(tx_);
        case 0x1b8:
            return tx_.data >> 16;
        case 0x1bc:
            return tx_.data & 0xffff;
        default:
            return {};
        }
    }

    // One bus write; false if nothing answers. Data registers ignore it.
    bool write(std::uint32_t address, std::uint32_t value) {
        if (address == 0x10c)
            max_frame_size_ = value & 0x3fff;
        else if (address == 0x1a8)
            control(rx_, value);
        else if (address == 0x1b4)
            control(tx_, value);
        else
            return address == 0x1ac || address == 0x1b0 || address == 0x1b8 || address == 0x1bc;
        return true;
    }

    // Is there something in the data registers that nobody knows?
    bool is_unknown(std::uint32_t address) const {
        if (address == 0x1ac || address == 0x1b0)
            return !rx_.is_known;
        return (address == 0x1b8 || address == 0x1bc) && !tx_.is_known;
    }

    // The driver reads all counters, of each direction until a command does not end.
    bool read_all() {
        const bool sent = read_all(tx_);

        return read_all(rx_) && sent;
    }

private:
    struct Window {
        std::vector<Counter> counters;
        std::uint32_t number = 0;
        bool reading = false;
        unsigned int looks = 0; // before a slow command has ended
        std::uint32_t data = 0;
        bool is_known = true;
    };

    static constexpr std::uint32_t start = 1u << 15;

    // Bits 4:0: the number of the counter. Bit 15: "start counter read".
    void control(Window& window, std::uint32_t value) const {
        if (!options_.statistics)
            return;
        window.number = value & 0x1f;
        if (!(value & start))
            return;
        window.reading = true;
        window.looks = slow ? 2 : 0;
        if (!slow && !stuck)
            fill(window);
    }

    std::uint32_t read_control(Window& window) const {
        if (window.reading && !stuck) {
            if (window.looks)
                window.looks--;
            else
                fill(window);
        }
        return window.number | (window.reading ? start : 0);
    }

    // A number without a counter reads as 0.
    static void fill(Window& window) {
        const bool exists = window.number < window.counters.size();

        window.reading = false;
        window.data = exists ? window.counters[window.number].value : 0;
        window.is_known = !exists || window.counters[window.number].is_known;
    }

    // As emac_read_stat_cnt() and emac_stats_update() do, but for a wait before the command, too.
    bool read_all(Window& window) const {
        for (std::uint32_t i = 0; i < window.counters.size(); i++) {
            if (!ends(window))
                return false;
            control(window, start | i);
            if (!ends(window))
                return false;
        }
        return true;
    }

    bool ends(Window& window) const {
        for (unsigned int look = 0; look < 10; look++)
            if (!(read_control(window) & start))
                return true;
        return false;
    }

    // The counters roll over.
    void add(std::string_view name, std::uint64_t amount) {
        at(name).value += static_cast<std::uint32_t>(amount);
    }

    void receive(const macstats_frame& frame, std::uint64_t times) {
        const std::uint32_t length = frame.length;
        const bool is_short = length < 64;
        // No frame is too short and too long.
        const bool is_long = !is_short && length > max_frame_size_;
        const bool legal = !is_short && !is_long;
        // "dropped, FIFO full"
        const bool lost = has(frame, MACSTATS_ERR_OVERRUN);
        // "bad FCS or alignment"; after an error of the PHY the FCS is bad (802.3 22.2.1.5).
        const bool bad = has(frame, MACSTATS_ERR_FCS) || has(frame, MACSTATS_ERR_ALIGNMENT) ||
                         has(frame, MACSTATS_ERR_CODE);
        // aInRangeLengthErrors: the FCS comes first (802.3 4.2.9)
        const bool wrong_length = has(frame, MACSTATS_ERR_PAYLOAD_LENGTH) && !bad;
        const bool ok = legal && !lost && !bad && !wrong_length;
        const bool is_pause = frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0;

        if (ok)
            add("rx_ok_pkts", times);
        add("rx_total_pkts", times);
        // RFC 2819: "an integral number of octets (FCS Error) or a non-integral number of
        // octets (Alignment Error)"
        if (legal && !lost && has(frame, MACSTATS_ERR_FCS) && !has(frame, MACSTATS_ERR_ALIGNMENT))
            add("rx_crc_err_pkts", times);
        if (legal && !lost && has(frame, MACSTATS_ERR_ALIGNMENT))
            add("rx_align_err_pkts", times);
        if (!ok && !lost)
            add("rx_err_total_pkts", times);
        if (ok)
            add("rx_ok_bytes", times * length);
        add("rx_total_bytes", times * length);
        if (ok && frame.destination == MACSTATS_UNICAST)
            add("rx_unicast_pkts", times);
        if (ok && frame.destination == MACSTATS_MULTICAST)
            add("rx_multicast_pkts", times);
        if (ok && frame.destination == MACSTATS_BROADCAST)
            add("rx_broadcast_pkts", times);
        if (ok && is_pause)
            add("rx_pause_pkts", times);
        if (legal && !lost && wrong_length)
            add("rx_len_err_pkts", times);
        // "less than 64 octets long and otherwise well formed"
        if (is_short && !lost && !bad)
            add("rx_len_undersize_pkts", times);
        if (is_long && !lost && !bad)
            add("rx_len_oversize_pkts", times);
        if (is_short && !lost && bad)
            add("rx_len_fragment_pkts", times);
        if (is_long && !lost && bad)
            add("rx_len_jabber_pkts", times);
        // "including bad packets"
        if (length == 64)
            add("rx_64_pkts", times);
        if (length >= 65 && length <= 127)
            add("rx_65_127_pkts", times);
        if (length >= 128 && length <= 255)
            add("rx_128_255_pkts", times);
        if (length >= 256 && length <= 511)
            add("rx_256_511_pkts", times);
        if (length >= 512 && length <= 1023)
            add("rx_512_1023_pkts", times);
        if (length >= 1024 && length <= 1518)
            add("rx_1024_1518_pkts", times);
        if (length >= 1519)
            add("rx_1519_plus_pkts", times);
        if (lost)
            add("rx_drp_fifo_full_pkts", times);
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        const macstats_frame frame = on_medium(given, options_.half_duplex);
        const std::uint32_t length = std::max<std::uint32_t>(frame.length, 64); // padded
        const bool is_pause = frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0;

        // Flow control by pause frames is "for full duplex" only (IEEE 802.3 annex 31B).
        if (options_.half_duplex && is_pause && frame.origin == MACSTATS_BY_MAC)
            return;

        const bool late = has(frame, MACSTATS_ERR_LATE_COLLISION);
        // The late one was the last attempt.
        const bool excessive =
            !late && (frame.collisions >= 16 || has(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS));
        const bool ok = !late && !excessive && !has(frame, MACSTATS_ERR_UNDERRUN);

        if (ok)
            add("tx_ok_pkts", times);
        add("tx_total_pkts", times);
        if (ok)
            add("tx_ok_bytes", times * length);
        if (!ok)
            add("tx_err_pkts", times);
        if (ok && frame.collisions == 1)
            add("tx_singleclsn_pkts", times);
        if (ok && frame.collisions >= 2)
            add("tx_multiclsn_pkts", times);
        if (late)
            add("tx_lateclsn_pkts", times);
        if (excessive)
            add("tx_excessclsn_pkts", times);
        if (ok && frame.destination == MACSTATS_UNICAST)
            add("tx_unicast_pkts", times);
        if (ok && frame.destination == MACSTATS_MULTICAST)
            add("tx_multicast_pkts", times);
        if (ok && frame.destination == MACSTATS_BROADCAST)
            add("tx_broadcast_pkts", times);
        if (ok && is_pause)
            add("tx_pause_pkts", times);
    }

    Options options_;
    Window tx_;
    Window rx_;
    std::uint32_t max_frame_size_ = 1518;
};

} // namespace macstats::test

#endif // MACSTATS_TEST_K1_EMAC_REFERENCE_HPP
