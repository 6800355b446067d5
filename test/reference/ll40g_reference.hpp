// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The statistics of the Low Latency 40GbE core once more, written from the text of
// its user guide (Intel 683745, 2021-03-08, 3.4.1.6, table 44) in the plainest way:
// one predicate for each counter, one addition for each frame, no table. It shares
// nothing with the schema but what a frame is. Slow, and meant to be read beside the
// guide; tests hold the emulator against it.
//
// Where the guide is silent it follows what is known of the released core: control is
// Length/Type 88-08 in an untagged frame; "valid" is a good FCS; payload is the length
// less 18 octets, as released 20 for control, and 4 more for each tag that is detected; a clear
// clears the parity error, too; bits 15:3 of the configuration are plain storage.
// Where the two differ it follows the guide, unless it is built `as_released`.
#ifndef MACSTATS_TEST_LL40G_REFERENCE_HPP
#define MACSTATS_TEST_LL40G_REFERENCE_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include <macstats/frame.h>

#include "interface.hpp"

namespace macstats::test {

namespace ll40g {

using reference::u32;

// Table 44, and that of the receive page (3.4.1.7).
struct CounterAt {
    std::string_view name;
    u32 low;
    u32 high;
};

inline constexpr CounterAt counters[] = {
    {"CNTR_TX_FRAGMENTS", 0x800, 0x801},
    {"CNTR_TX_JABBERS", 0x802, 0x803},
    {"CNTR_TX_FCS", 0x804, 0x805},
    {"CNTR_TX_CRCERR", 0x806, 0x807},
    {"CNTR_TX_MCAST_DATA_ERR", 0x808, 0x809},
    {"CNTR_TX_BCAST_DATA_ERR", 0x80a, 0x80b},
    {"CNTR_TX_UCAST_DATA_ERR", 0x80c, 0x80d},
    {"CNTR_TX_MCAST_CTRL_ERR", 0x80e, 0x80f},
    {"CNTR_TX_BCAST_CTRL_ERR", 0x810, 0x811},
    {"CNTR_TX_UCAST_CTRL_ERR", 0x812, 0x813},
    {"CNTR_TX_PAUSE_ERR", 0x814, 0x815},
    {"CNTR_TX_64B", 0x816, 0x817},
    {"CNTR_TX_65to127B", 0x818, 0x819},
    {"CNTR_TX_128to255B", 0x81a, 0x81b},
    {"CNTR_TX_256to511B", 0x81c, 0x81d},
    {"CNTR_TX_512to1023B", 0x81e, 0x81f},
    {"CNTR_TX_1024to1518B", 0x820, 0x821},
    {"CNTR_TX_1519toMAXB", 0x822, 0x823},
    {"CNTR_TX_OVERSIZE", 0x824, 0x825},
    {"CNTR_TX_MCAST_DATA_OK", 0x826, 0x827},
    {"CNTR_TX_BCAST_DATA_OK", 0x828, 0x829},
    {"CNTR_TX_UCAST_DATA_OK", 0x82a, 0x82b},
    {"CNTR_TX_MCAST_CTRL", 0x82c, 0x82d},
    {"CNTR_TX_BCAST_CTRL", 0x82e, 0x82f},
    {"CNTR_TX_UCAST_CTRL", 0x830, 0x831},
    {"CNTR_TX_PAUSE", 0x832, 0x833},
    {"CNTR_TX_RUNT", 0x834, 0x835},
    {"CNTR_TX_ST", 0x836, 0x837},
    {"TxOctetsOK", 0x860, 0x861},
    {"CNTR_RX_FRAGMENTS", 0x900, 0x901},
    {"CNTR_RX_JABBERS", 0x902, 0x903},
    {"CNTR_RX_FCS", 0x904, 0x905},
    {"CNTR_RX_CRCERR", 0x906, 0x907},
    {"CNTR_RX_MCAST_DATA_ERR", 0x908, 0x909},
    {"CNTR_RX_BCAST_DATA_ERR", 0x90a, 0x90b},
    {"CNTR_RX_UCAST_DATA_ERR", 0x90c, 0x90d},
    {"CNTR_RX_MCAST_CTRL_ERR", 0x90e, 0x90f},
    {"CNTR_RX_BCAST_CTRL_ERR", 0x910, 0x911},
    {"CNTR_RX_UCAST_CTRL_ERR", 0x912, 0x913},
    {"CNTR_RX_PAUSE_ERR", 0x914, 0x915},
    {"CNTR_RX_64B", 0x916, 0x917},
    {"CNTR_RX_65to127B", 0x918, 0x919},
    {"CNTR_RX_128to255B", 0x91a, 0x91b},
    {"CNTR_RX_256to511B", 0x91c, 0x91d},
    {"CNTR_RX_512to1023B", 0x91e, 0x91f},
    {"CNTR_RX_1024to1518B", 0x920, 0x921},
    {"CNTR_RX_1519toMAXB", 0x922, 0x923},
    {"CNTR_RX_OVERSIZE", 0x924, 0x925},
    {"CNTR_RX_MCAST_DATA_OK", 0x926, 0x927},
    {"CNTR_RX_BCAST_DATA_OK", 0x928, 0x929},
    {"CNTR_RX_UCAST_DATA_OK", 0x92a, 0x92b},
    {"CNTR_RX_MCAST_CTRL", 0x92c, 0x92d},
    {"CNTR_RX_BCAST_CTRL", 0x92e, 0x92f},
    {"CNTR_RX_UCAST_CTRL", 0x930, 0x931},
    {"CNTR_RX_PAUSE", 0x932, 0x933},
    {"CNTR_RX_RUNT", 0x934, 0x935},
    {"CNTR_RX_ST", 0x936, 0x937},
    {"RxOctetsOK", 0x960, 0x961},
};

} // namespace ll40g

class Ll40gReference {
public:
    struct Options {
        // "When you turn off the Enable TX statistics parameter": each direction has one.
        bool tx_statistics = true;
        bool rx_statistics = true;
        bool vlan_detection = true; // tags are not payload
        bool as_released = false;   // CRCERR stops at the maximum, PFC is a pause
    };

    explicit Ll40gReference(const Options& build) : build_(build) {
        tx_.built = build.tx_statistics;
        rx_.built = build.rx_statistics;
    }
    Ll40gReference() : Ll40gReference(Options{}) {}

    // `count` frames alike cross the wire.
    void send(const macstats_frame& frame, std::uint64_t count) {
        bool transmit = frame.direction == MACSTATS_TX;
        Page& page = transmit ? tx_ : rx_;
        std::uint32_t length = frame.length;

        // 0x834: "The IP core does not transmit frames of length less than nine bytes.
        // The IP core pads frames of length nine bytes to 64 bytes".
        if (transmit && length < 9)
            return;
        if (transmit && length < 64)
            length = 64;
        if (page.built)
            add(page.live, Seen{frame, length, page.max_size, build_}, count);
    }

    // Faults: a snapshot is never granted, or it is late.
    bool snapshot_stuck = false;
    bool snapshot_slow = false;

    // The live count, also while frozen, of the counter whose low half is at @address.
    std::uint64_t& live(std::uint32_t address) {
        return *at((address < 0x900 ? tx_ : rx_).live, address & 0xfe);
    }

    // One read at a word address; nothing if no register answers there.
    std::optional<std::uint32_t> read(std::uint32_t address) {
        if (address == 0x407)
            return tx_.max_size;
        if (address == 0x506)
            return rx_.max_size;
        if (!answers(address))
            return std::nullopt;
        return address < 0x900 ? read_page(tx_, address - 0x800) : read_page(rx_, address - 0x900);
    }

    // One write; false if no register answers there.
    bool write(std::uint32_t address, std::uint32_t value) {
        if (!answers(address))
            return false;
        if (address == 0x407)
            tx_.max_size = value & 0xffff;
        if (address == 0x506)
            rx_.max_size = value & 0xffff;
        if (!is_built(address))
            return true;
        if (address == 0x841)
            tx_.scratch = value;
        if (address == 0x941)
            rx_.scratch = value;
        if (address == 0x845)
            configure(tx_, value);
        if (address == 0x945)
            configure(rx_, value);
        return true;
    }

    // Counters not implemented, "reserved" and unused words, and with them the rest of a
    // page, are not there.
    static bool answers(std::uint32_t address) {
        const std::uint32_t offset = address & 0xff;

        if (address == 0x407 || address == 0x506)
            return true;
        return address >= 0x800 && address <= 0x9ff &&
               (offset <= 0x46 || (offset >= 0x60 && offset <= 0x63));
    }

    // Are the counters of the page with this address implemented?
    bool is_built(std::uint32_t address) const { return (address < 0x900 ? tx_ : rx_).built; }

    // Page 0 transmits, page 1 receives.
    bool has_parity_error(std::size_t page) const { return (page ? rx_ : tx_).parity; }

    // The emulated error damages the first counter of each page: its top bit.
    void parity_error() {
        for (Page* page : {&tx_, &rx_}) {
            if (!page->built)
                continue;
            page->parity = true;
            page->live.fragments ^= std::uint64_t{1} << 63;
        }
    }

private:
    struct Counters {
        std::uint64_t fragments = 0;
        std::uint64_t jabbers = 0;
        std::uint64_t fcs = 0;
        std::uint64_t crcerr = 0;
        std::uint64_t mcast_data_err = 0;
        std::uint64_t bcast_data_err = 0;
        std::uint64_t ucast_data_err = 0;
        std::uint64_t mcast_ctrl_err = 0;
        std::uint64_t bcast_ctrl_err = 0;
        std::uint64_t ucast_ctrl_err = 0;
        std::uint64_t pause_err = 0;
        std::uint64_t len_64 = 0;
        std::uint64_t len_65_to_127 = 0;
        std::uint64_t len_128_to_255 = 0;
        std::uint64_t len_256_to_511 = 0;
        std::uint64_t len_512_to_1023 = 0;
        std::uint64_t len_1024_to_1518 = 0;
        std::uint64_t len_1519_to_max = 0;
        std::uint64_t oversize = 0;
        std::uint64_t mcast_data_ok = 0;
        std::uint64_t bcast_data_ok = 0;
        std::uint64_t ucast_data_ok = 0;
        std::uint64_t mcast_ctrl = 0;
        std::uint64_t bcast_ctrl = 0;
        std::uint64_t ucast_ctrl = 0;
        std::uint64_t pause = 0;
        std::uint64_t runt = 0;
        std::uint64_t st = 0;
        std::uint64_t octets_ok = 0;
    };

    struct Page {
        explicit Page(std::uint32_t reset) : scratch(reset) {}

        bool built = true;
        Counters live;
        Counters shadow;
        bool requested = false;
        bool shadowed = false;
        unsigned int looks = 0; // at the status until a slow snapshot is there
        bool parity = false;
        std::uint32_t config = 0;
        std::uint32_t scratch;
        std::uint32_t max_size = 9600;
    };

    // A frame on the wire.
    struct Seen {
        const macstats_frame& frame;
        std::uint32_t length;
        std::uint32_t max_size;
        const Options& build;

        bool crc_error() const { return (frame.errors & MACSTATS_ERR_FCS) != 0; }
        bool valid() const { return !crc_error(); }
        // 802.3 knows no frame that is too short and too long.
        bool oversized() const { return !undersized() && length > max_size; }
        bool undersized() const { return length < 64; }

        bool control() const { return frame.vlan_tags == 0 && frame.kind != MACSTATS_DATA; }
        bool data() const { return !control(); }
        bool pause() const {
            if (frame.kind == MACSTATS_PFC && build.as_released)
                return control();
            return control() && frame.kind == MACSTATS_PAUSE;
        }
        bool multicast() const { return frame.destination == MACSTATS_MULTICAST; }
        bool broadcast() const { return frame.destination == MACSTATS_BROADCAST; }
        bool unicast() const { return frame.destination == MACSTATS_UNICAST; }

        std::uint64_t payload() const {
            // IEEE 802.3 5.2.2.1.8: all but addresses, Length/Type and FCS.
            std::uint32_t overhead = control() && build.as_released ? 20 : 18;

            if (build.vlan_detection)
                overhead += 4u * frame.vlan_tags;
            return length < overhead ? 0 : length - overhead;
        }
    };

    // "frames less than 64 bytes and reporting a CRC error"
    static bool is_fragment(const Seen& seen) { return seen.length < 64 && seen.crc_error(); }
    // "oversized frames reporting a CRC error"
    static bool is_jabber(const Seen& seen) { return seen.oversized() && seen.crc_error(); }
    // "packets with FCS errors"
    static bool is_fcs(const Seen& seen) { return seen.crc_error(); }
    // "frames with a frame of length at least 64 reporting a CRC error"
    static bool is_crcerr(const Seen& seen) {
        if (seen.build.as_released && seen.oversized())
            return false;
        return seen.length >= 64 && seen.crc_error();
    }
    // "errored multicast frames transmitted, excluding control frames"
    static bool is_mcast_data_err(const Seen& seen) {
        return seen.crc_error() && seen.multicast() && !seen.control();
    }
    static bool is_bcast_data_err(const Seen& seen) {
        return seen.crc_error() && seen.broadcast() && !seen.control();
    }
    static bool is_ucast_data_err(const Seen& seen) {
        return seen.crc_error() && seen.unicast() && !seen.control();
    }
    // "errored multicast control frames"
    static bool is_mcast_ctrl_err(const Seen& seen) {
        return seen.crc_error() && seen.multicast() && seen.control();
    }
    static bool is_bcast_ctrl_err(const Seen& seen) {
        return seen.crc_error() && seen.broadcast() && seen.control();
    }
    static bool is_ucast_ctrl_err(const Seen& seen) {
        return seen.crc_error() && seen.unicast() && seen.control();
    }
    // "errored pause frames"
    static bool is_pause_err(const Seen& seen) { return seen.crc_error() && seen.pause(); }
    // "64-byte transmitted frames, including the CRC field"
    static bool is_64(const Seen& seen) { return seen.length == 64; }
    // "between 65-127 bytes", and so on
    static bool is_65_to_127(const Seen& seen) { return seen.length >= 65 && seen.length <= 127; }
    static bool is_128_to_255(const Seen& seen) { return seen.length >= 128 && seen.length <= 255; }
    static bool is_256_to_511(const Seen& seen) { return seen.length >= 256 && seen.length <= 511; }
    static bool is_512_to_1023(const Seen& seen) {
        return seen.length >= 512 && seen.length <= 1023;
    }
    static bool is_1024_to_1518(const Seen& seen) {
        return seen.length >= 1024 && seen.length <= 1518;
    }
    // "between 1519 bytes and the number of bytes specified in the MAX_TX_SIZE_CONFIG"
    static bool is_1519_to_max(const Seen& seen) {
        return seen.length >= 1519 && seen.length <= seen.max_size;
    }
    // "more bytes than the number specified in the MAX_TX_SIZE_CONFIG register"
    static bool is_oversize(const Seen& seen) { return seen.oversized(); }
    // "valid multicast frames transmitted, excluding control frames"
    static bool is_mcast_data_ok(const Seen& seen) {
        return seen.valid() && seen.multicast() && !seen.control();
    }
    static bool is_bcast_data_ok(const Seen& seen) {
        return seen.valid() && seen.broadcast() && !seen.control();
    }
    static bool is_ucast_data_ok(const Seen& seen) {
        return seen.valid() && seen.unicast() && !seen.control();
    }
    // "valid multicast frames transmitted, excluding data frames"
    static bool is_mcast_ctrl(const Seen& seen) {
        return seen.valid() && seen.multicast() && !seen.data();
    }
    static bool is_bcast_ctrl(const Seen& seen) {
        return seen.valid() && seen.broadcast() && !seen.data();
    }
    static bool is_ucast_ctrl(const Seen& seen) {
        return seen.valid() && seen.unicast() && !seen.data();
    }
    // "valid pause frames"
    static bool is_pause(const Seen& seen) { return seen.valid() && seen.pause(); }
    // "runt packets"
    static bool is_runt(const Seen& seen) { return seen.length < 64; }
    // "frames with no FCS, undersized, oversized, or payload length errors"
    static bool has_octets_ok(const Seen& seen) {
        return seen.valid() && !seen.undersized() && !seen.oversized() &&
               !(seen.frame.errors & MACSTATS_ERR_PAYLOAD_LENGTH);
    }

    static void add(Counters& to, const Seen& seen, std::uint64_t count) {
        if (is_fragment(seen))
            to.fragments += count;
        if (is_jabber(seen))
            to.jabbers += count;
        if (is_fcs(seen))
            to.fcs += count;
        if (is_crcerr(seen))
            to.crcerr += count;
        if (is_mcast_data_err(seen))
            to.mcast_data_err += count;
        if (is_bcast_data_err(seen))
            to.bcast_data_err += count;
        if (is_ucast_data_err(seen))
            to.ucast_data_err += count;
        if (is_mcast_ctrl_err(seen))
            to.mcast_ctrl_err += count;
        if (is_bcast_ctrl_err(seen))
            to.bcast_ctrl_err += count;
        if (is_ucast_ctrl_err(seen))
            to.ucast_ctrl_err += count;
        if (is_pause_err(seen))
            to.pause_err += count;
        if (is_64(seen))
            to.len_64 += count;
        if (is_65_to_127(seen))
            to.len_65_to_127 += count;
        if (is_128_to_255(seen))
            to.len_128_to_255 += count;
        if (is_256_to_511(seen))
            to.len_256_to_511 += count;
        if (is_512_to_1023(seen))
            to.len_512_to_1023 += count;
        if (is_1024_to_1518(seen))
            to.len_1024_to_1518 += count;
        if (is_1519_to_max(seen))
            to.len_1519_to_max += count;
        if (is_oversize(seen))
            to.oversize += count;
        if (is_mcast_data_ok(seen))
            to.mcast_data_ok += count;
        if (is_bcast_data_ok(seen))
            to.bcast_data_ok += count;
        if (is_ucast_data_ok(seen))
            to.ucast_data_ok += count;
        if (is_mcast_ctrl(seen))
            to.mcast_ctrl += count;
        if (is_bcast_ctrl(seen))
            to.bcast_ctrl += count;
        if (is_ucast_ctrl(seen))
            to.ucast_ctrl += count;
        if (is_pause(seen))
            to.pause += count;
        if (is_runt(seen))
            to.runt += count;
        to.st += count; // "transmitted frame starts"
        if (has_octets_ok(seen))
            to.octets_ok += count * seen.payload();
    }

    // "the readable values reflect a snapshot at the time the pause flag was activated"
    static Counters& readable(Page& page) { return page.shadowed ? page.shadow : page.live; }

    static void freeze(Page& page) {
        page.shadow = page.live;
        page.shadowed = true;
    }

    void configure(Page& page, std::uint32_t value) const {
        const bool request = value & 4;

        // Bit 0: "reset all of the TX statistics registers at the same time".
        if (value & 1) {
            page.live = Counters{};
            page.parity = false;
        }
        // Bit 1: "clears the parity bit CNTR_TX_STATUS[0]".
        if (value & 2)
            page.parity = false;
        // Bit 2: "Shadow request". "Write a 0 to release."
        if (request && !page.requested) {
            page.looks = snapshot_slow ? 2 : 0;
            if (!snapshot_slow && !snapshot_stuck)
                freeze(page);
        }
        if (!request)
            page.shadowed = false;
        page.requested = request;
        // Bits 0 and 1 are self-clearing.
        page.config = value & 0xfffc;
    }

    std::uint32_t read_status(Page& page) const {
        if (page.requested && !page.shadowed && !snapshot_stuck) {
            if (page.looks == 0)
                freeze(page);
            else
                page.looks--;
        }
        return (page.shadowed ? 2u : 0u) | (page.parity ? 1u : 0u);
    }

    std::optional<std::uint32_t> read_page(Page& page, std::uint32_t offset) {
        if (!page.built)
            return 0;
        switch (offset) {
        case 0x40:
            return 0x04142014; // revision of one release
        case 0x41:
            return page.scratch;
        case 0x42:
            return 0x30343067; // "040g"
        case 0x43:
            return 0x4d616353; // "MacS"
        case 0x44:
            return 0x74617473; // "tats"
        case 0x45:
            return page.config;
        case 0x46:
            return read_status(page);
        default:
            break;
        }
        const std::uint64_t* counter = at(readable(page), offset & ~1u);
        const std::uint64_t value = counter ? *counter : 0; // reserved

        return static_cast<std::uint32_t>(offset & 1 ? value >> 32 : value);
    }

    static std::uint64_t* at(Counters& counters, std::uint32_t low) {
        switch (low) {
        case 0x00:
            return &counters.fragments;
        case 0x02:
            return &counters.jabbers;
        case 0x04:
            return &counters.fcs;
        case 0x06:
            return &counters.crcerr;
        case 0x08:
            return &counters.mcast_data_err;
        case 0x0a:
            return &counters.bcast_data_err;
        case 0x0c:
            return &counters.ucast_data_err;
        case 0x0e:
            return &counters.mcast_ctrl_err;
        case 0x10:
            return &counters.bcast_ctrl_err;
        case 0x12:
            return &counters.ucast_ctrl_err;
        case 0x14:
            return &counters.pause_err;
        case 0x16:
            return &counters.len_64;
        case 0x18:
            return &counters.len_65_to_127;
        case 0x1a:
            return &counters.len_128_to_255;
        case 0x1c:
            return &counters.len_256_to_511;
        case 0x1e:
            return &counters.len_512_to_1023;
        case 0x20:
            return &counters.len_1024_to_1518;
        case 0x22:
            return &counters.len_1519_to_max;
        case 0x24:
            return &counters.oversize;
        case 0x26:
            return &counters.mcast_data_ok;
        case 0x28:
            return &counters.bcast_data_ok;
        case 0x2a:
            return &counters.ucast_data_ok;
        case 0x2c:
            return &counters.mcast_ctrl;
        case 0x2e:
            return &counters.bcast_ctrl;
        case 0x30:
            return &counters.ucast_ctrl;
        case 0x32:
            return &counters.pause;
        case 0x34:
            return &counters.runt;
        case 0x36:
            return &counters.st;
        case 0x60:
            return &counters.octets_ok;
        default:
            return nullptr;
        }
    }

    Options build_;
    // The scratch registers start with the number of their page.
    Page tx_{0x08};
    Page rx_{0x09};
};

} // namespace macstats::test

#endif // MACSTATS_TEST_LL40G_REFERENCE_HPP
