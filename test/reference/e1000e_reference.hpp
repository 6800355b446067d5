// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The PCI Express controllers of Intel behind the drivers e1000e, igb and igc, slow and plain, to
// compare the model with. What an 8254x counts as well is that reference; the rest was written
// from the text of the I210 Data Sheet (section 8.18) and from the registers that those drivers
// read at start: one condition for each counter, nothing of the headers under test but the frame.
#ifndef MACSTATS_TEST_E1000E_REFERENCE_HPP
#define MACSTATS_TEST_E1000E_REFERENCE_HPP

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <macstats/frame.h>

#include "e1000_reference.hpp"
#include "interface.hpp"
#include "medium.hpp"

namespace macstats::test {

class E1000eReference {
public:
    struct Options {
        bool half_duplex = false;
        bool statistics = true;
        std::uint32_t revision = 1;
    };

    struct Counter {
        const char* reg;
        const char* name;
        std::uint32_t address;
        std::string_view revisions; // a letter for each: 82574, pch, i350, i225
    };

    static constexpr Counter counters[] = {
        {"CRCERRS", "rx_crc_errors", 0x4000, "8p35"},
        {"ALGNERRC", "rx_align_errors", 0x4004, "8p35"},
        {"SYMERRS", "rx_symbol_errors", 0x4008, "8p3"},
        {"RXERRC", "rx_data_errors", 0x400c, "8p35"},
        {"MPC", "rx_missed", 0x4010, "8p35"},
        {"SCC", "tx_single_collisions", 0x4014, "835"},
        {"ECOL", "tx_excessive_collisions", 0x4018, "835"},
        {"MCC", "tx_multiple_collisions", 0x401c, "835"},
        {"LATECOL", "tx_late_collisions", 0x4020, "835"},
        {"COLC", "tx_collisions", 0x4028, "835"},
        {"RERC", "rx_receive_errors", 0x402c, "5"},
        {"DC", "tx_deferred", 0x4030, "835"},
        {"TNCRS", "tx_no_carrier_sense", 0x4034, "3"},
        {"SEC", "rx_sequence_errors", 0x4038, "8p3"},
        {"CEXTERR", "rx_carrier_extension_errors", 0x403c, "8p"},
        {"HTDPMC", "tx_host_discarded", 0x403c, "35"},
        {"RLEC", "rx_length_errors", 0x4040, "8p35"},
        {"XONRXC", "rx_xon", 0x4048, "8p35"},
        {"XONTXC", "tx_xon", 0x404c, "8p35"},
        {"XOFFRXC", "rx_xoff", 0x4050, "8p35"},
        {"XOFFTXC", "tx_xoff", 0x4054, "8p35"},
        {"FCRUC", "rx_unsupported_flow_control", 0x4058, "8p35"},
        {"PRC64", "rx_64_octets", 0x405c, "835"},
        {"PRC127", "rx_65_to_127_octets", 0x4060, "835"},
        {"PRC255", "rx_128_to_255_octets", 0x4064, "835"},
        {"PRC511", "rx_256_to_511_octets", 0x4068, "835"},
        {"PRC1023", "rx_512_to_1023_octets", 0x406c, "835"},
        {"PRC1522", "rx_1024_up_octets", 0x4070, "835"},
        {"GPRC", "rx_good_frames", 0x4074, "8p35"},
        {"BPRC", "rx_broadcast", 0x4078, "8p35"},
        {"MPRC", "rx_multicast", 0x407c, "8p35"},
        {"GPTC", "tx_good_frames", 0x4080, "8p35"},
        {"GORC", "rx_good_octets", 0x4088, "8p35"},
        {"GOTC", "tx_good_octets", 0x4090, "8p35"},
        {"RNBC", "rx_no_buffer", 0x40a0, "8p35"},
        {"RUC", "rx_undersize", 0x40a4, "8p35"},
        {"RFC", "rx_fragments", 0x40a8, "8p35"},
        {"ROC", "rx_oversize", 0x40ac, "8p35"},
        {"RJC", "rx_jabbers", 0x40b0, "8p35"},
        {"MGTPRC", "rx_management", 0x40b4, "8p35"},
        {"MGTPDC", "rx_management_dropped", 0x40b8, "8p35"},
        {"MGTPTC", "tx_management", 0x40bc, "8p35"},
        {"TOR", "rx_total_octets", 0x40c0, "8p35"},
        {"TOT", "tx_total_octets", 0x40c8, "8p35"},
        {"TPR", "rx_total_frames", 0x40d0, "8p35"},
        {"TPT", "tx_total_frames", 0x40d4, "8p35"},
        {"PTC64", "tx_64_octets", 0x40d8, "835"},
        {"PTC127", "tx_65_to_127_octets", 0x40dc, "835"},
        {"PTC255", "tx_128_to_255_octets", 0x40e0, "835"},
        {"PTC511", "tx_256_to_511_octets", 0x40e4, "835"},
        {"PTC1023", "tx_512_to_1023_octets", 0x40e8, "835"},
        {"PTC1522", "tx_1024_up_octets", 0x40ec, "835"},
        {"MPTC", "tx_multicast", 0x40f0, "8p35"},
        {"BPTC", "tx_broadcast", 0x40f4, "8p35"},
        {"TSCTC", "tx_tcp_contexts", 0x40f8, "8p35"},
        {"TSCTFC", "tx_tcp_contexts_failed", 0x40fc, "8p3"},
        {"IAC", "rxtx_interrupts", 0x4100, "8p35"},
        {"ICRXPTC", "rx_packet_timer_interrupts", 0x4104, "8"},
        {"RPTHC", "rx_host_frames", 0x4104, "35"},
        {"ICRXATC", "rx_absolute_timer_interrupts", 0x4108, "8"},
        {"ICTXPTC", "tx_packet_timer_interrupts", 0x410c, "8"},
        {"ICTXATC", "tx_absolute_timer_interrupts", 0x4110, "8"},
        {"ICTXQEC", "tx_queue_empty_interrupts", 0x4118, "8"},
        {"HGPTC", "tx_host_frames", 0x4118, "35"},
        {"ICTXQMTC", "tx_queue_minimum_interrupts", 0x411c, "8"},
        {"ICRXDMTC", "rx_minimum_interrupts", 0x4120, "8"},
        {"RXDMTC", "rx_descriptor_minimum", 0x4120, "35"},
        {"ICRXOC", "rx_overrun_interrupts", 0x4124, "8p"},
        {"HGORC", "rx_host_octets", 0x4128, "35"},
        {"HGOTC", "tx_host_octets", 0x4130, "35"},
        {"LENERRS", "rx_in_range_length_errors", 0x4138, "35"},
        {"TLPIC", "tx_low_power_idle", 0x4148, "5"},
        {"RLPIC", "rx_low_power_idle", 0x414c, "5"},
    };

    // @revision: 1 << its index
    static constexpr bool has(const Counter& counter, std::uint32_t revision) {
        const char letter = revision == 1 ? '8' : revision == 2 ? 'p' : revision == 4 ? '3' : '5';

        return counter.revisions.find(letter) != std::string_view::npos;
    }

    explicit E1000eReference(const Options& options)
        : options_(options),
          common_(
              {.half_duplex = options.half_duplex,
               .statistics = options.statistics,
               .colc_has_late = true}) {
        for (const Counter& one : counters)
            if (has(one, options.revision) && !is_common(one))
                own_[one.address] = 0;
    }

    // Octet counters: also those of the host, which "must be accessed using two independent
    // 32-bit accesses".
    static constexpr bool is_octets(std::uint32_t address) {
        return E1000Reference::is_octets(address) || address == 0x4128 || address == 0x4130;
    }

    void count(const macstats_frame& frame, std::uint64_t times) {
        common_.count(frame, times);
        // The host counts in an i350 and i225.
        if (!options_.statistics || options_.revision < 4)
            return;
        if (frame.direction == MACSTATS_RX)
            receive(frame, times);
        else
            transmit(frame, times);
    }

    // One bus read; nothing if nothing answers there. Where another revision has a counter, 0.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        if (const auto found = own_.find(address); found != own_.end()) {
            const std::uint64_t value = found->second;

            clear(address);
            return static_cast<std::uint32_t>(value);
        }
        if (is_octets(address - 4) && !E1000Reference::is_octets(address - 4))
            return own_.contains(address - 4)
                       ? static_cast<std::uint32_t>(std::exchange(own_[address - 4], 0) >> 32)
                       : 0;
        if (is_counter(address) && !is_there(address))
            return 0;
        return common_.read(address);
    }

    // One bus write; false if nothing answers. Counters ignore it.
    bool write(std::uint32_t address, std::uint32_t value) {
        return common_.write(address, value) || is_counter(address) || is_octets(address - 4);
    }

    std::uint64_t& counter(std::uint32_t address) {
        const auto found = own_.find(address);

        return found != own_.end() ? found->second : common_.counter(address);
    }

    void clear(std::uint32_t address) {
        if (!is_octets(address))
            counter(address) = 0;
    }

private:
    // Does an 8254x have the counter as well?
    static bool is_common(const Counter& counter) {
        return std::any_of(
            std::begin(E1000Reference::counters), std::end(E1000Reference::counters),
            [&](const auto& one) { return std::string_view(one.reg) == counter.reg; });
    }

    static bool is_counter(std::uint32_t address) {
        return std::any_of(std::begin(counters), std::end(counters), [&](const Counter& one) {
            return one.address == address;
        });
    }

    bool is_there(std::uint32_t address) const {
        return std::any_of(std::begin(counters), std::end(counters), [&](const Counter& one) {
            return one.address == address && has(one, options_.revision);
        });
    }

    void add(std::uint32_t address, std::uint64_t amount) {
        std::uint64_t& value = own_.at(address);

        if (is_octets(address) || amount <= 0xffffffff - value)
            value += amount;
        else
            value = 0xffffffff;
    }

    // "Good (non-erred)" packets that "reached the host", which gets no flow control.
    void receive(const macstats_frame& frame, std::uint64_t times) {
        const std::uint32_t longest = *common_.read(0x0100) & 1u << 5 ? 16384 : 1522;
        const bool control = frame.kind != MACSTATS_DATA && frame.vlan_tags == 0;
        const bool bad =
            has_error(frame, MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE);

        if (has_error(frame, MACSTATS_ERR_OVERRUN) || control || bad || frame.length < 64 ||
            frame.length > longest)
            return;
        add(0x4104, times);
        add(0x4128, times * frame.length);
        // "Valid packets (no CRC error) with a Length/Type field" that is wrong.
        if (has_error(frame, MACSTATS_ERR_PAYLOAD_LENGTH))
            add(0x4138, times);
    }

    void transmit(const macstats_frame& given, std::uint64_t times) {
        const macstats_frame frame = on_medium(given, options_.half_duplex);
        const bool late = has_error(frame, MACSTATS_ERR_LATE_COLLISION);
        const bool given_up =
            late || frame.collisions >= 16 || has_error(frame, MACSTATS_ERR_EXCESSIVE_COLLISIONS);

        // "Packets sent by the host", not the pause frames of the MAC.
        if (frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0 && frame.origin == MACSTATS_BY_MAC)
            return;
        // "Dropped because of excessive collisions."
        if (given_up)
            add(0x403c, times);
        if (given_up || has_error(frame, MACSTATS_ERR_UNDERRUN))
            return;
        add(0x4118, times);
        add(0x4130, times * (frame.length < 64 ? 64 : frame.length));
    }

    static bool has_error(const macstats_frame& frame, unsigned int errors) {
        return (frame.errors & errors) != 0;
    }

    Options options_;
    E1000Reference common_;
    std::map<std::uint32_t, std::uint64_t> own_; // by address, those that an 8254x lacks
};

} // namespace macstats::test

#endif // MACSTATS_TEST_E1000E_REFERENCE_HPP
