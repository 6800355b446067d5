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
// less 18 octets, 20 for control, and 4 more for each tag that is detected; a clear
// clears the parity error, too; bits 15:3 of the configuration are plain storage.
// Where the two differ it follows the guide, unless it is built `as_released`.
#ifndef MACSTATS_TEST_LL40G_REFERENCE_HPP
#define MACSTATS_TEST_LL40G_REFERENCE_HPP

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include <macstats/frame.h>

namespace macstats::test {

class Ll40gReference {
public:
    struct Build {
        bool statistics = true;     // "synthesis option"
        bool vlan_detection = true; // tags are not payload
        bool as_released = false;   // CRCERR stops at the maximum, PFC is a pause
    };

    explicit Ll40gReference(const Build& build) : build_(build) {}
    Ll40gReference() : Ll40gReference(Build{}) {}

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
        if (build_.statistics)
            add(page.live, Seen{frame, length, page.max_size, build_}, count);
    }

    // A counter as it can be read now, by the name in the guide, without _LO and _HI.
    std::uint64_t counter(std::string_view name) const {
        if (name == "TxOctetsOK")
            return readable(tx_).octets_ok;
        if (name == "RxOctetsOK")
            return readable(rx_).octets_ok;
        if (name.starts_with("CNTR_TX_"))
            return by_name(readable(tx_), name.substr(8));
        if (name.starts_with("CNTR_RX_"))
            return by_name(readable(rx_), name.substr(8));
        throw std::out_of_range("no counter " + std::string(name));
    }

    // One read at a word address; nothing if no register answers there.
    std::optional<std::uint32_t> read(std::uint32_t address) const {
        if (address == 0x407)
            return tx_.max_size;
        if (address == 0x506)
            return rx_.max_size;
        if (address >= 0x800 && address <= 0x8ff)
            return read_page(tx_, address - 0x800);
        if (address >= 0x900 && address <= 0x9ff)
            return read_page(rx_, address - 0x900);
        return std::nullopt;
    }

    // One write; false if no register answers there.
    bool write(std::uint32_t address, std::uint32_t value) {
        if (!read(address))
            return false;
        if (address == 0x407)
            tx_.max_size = value & 0xffff;
        if (address == 0x506)
            rx_.max_size = value & 0xffff;
        if (!build_.statistics)
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

    void parity_error() {
        tx_.parity = true;
        rx_.parity = true;
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
        Counters live;
        Counters shadow;
        bool shadowed = false;
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
        const Build& build;

        bool crc_error() const { return (frame.errors & MACSTATS_ERR_FCS) != 0; }
        bool valid() const { return !crc_error(); }
        bool oversized() const { return length > max_size; }
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
            std::uint32_t overhead = control() ? 20 : 18;

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
    static bool is_oversize(const Seen& seen) { return seen.length > seen.max_size; }
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
    static const Counters& readable(const Page& page) {
        return page.shadowed ? page.shadow : page.live;
    }

    static void configure(Page& page, std::uint32_t value) {
        // Bit 0: "reset all of the TX statistics registers at the same time".
        if (value & 1) {
            page.live = Counters{};
            page.parity = false;
        }
        // Bit 1: "clears the parity bit CNTR_TX_STATUS[0]".
        if (value & 2)
            page.parity = false;
        // Bit 2: "Shadow request". "Write a 0 to release."
        if ((value & 4) && !page.shadowed)
            page.shadow = page.live;
        page.shadowed = (value & 4) != 0;
        // Bits 0 and 1 are self-clearing.
        page.config = value & 0xfffc;
    }

    std::optional<std::uint32_t> read_page(const Page& page, std::uint32_t offset) const {
        // Counters not implemented, "reserved" and unused words, and with them the rest
        // of a page that is not there.
        bool answers = offset <= 0x46 || (offset >= 0x60 && offset <= 0x63);

        if (!answers)
            return std::nullopt;
        if (!build_.statistics)
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
            return (page.shadowed ? 2u : 0u) | (page.parity ? 1u : 0u);
        default:
            break;
        }
        const std::uint64_t value = by_offset(readable(page), offset & ~1u);

        return static_cast<std::uint32_t>(offset & 1 ? value >> 32 : value);
    }

    static std::uint64_t by_offset(const Counters& counters, std::uint32_t low) {
        switch (low) {
        case 0x00:
            return counters.fragments;
        case 0x02:
            return counters.jabbers;
        case 0x04:
            return counters.fcs;
        case 0x06:
            return counters.crcerr;
        case 0x08:
            return counters.mcast_data_err;
        case 0x0a:
            return counters.bcast_data_err;
        case 0x0c:
            return counters.ucast_data_err;
        case 0x0e:
            return counters.mcast_ctrl_err;
        case 0x10:
            return counters.bcast_ctrl_err;
        case 0x12:
            return counters.ucast_ctrl_err;
        case 0x14:
            return counters.pause_err;
        case 0x16:
            return counters.len_64;
        case 0x18:
            return counters.len_65_to_127;
        case 0x1a:
            return counters.len_128_to_255;
        case 0x1c:
            return counters.len_256_to_511;
        case 0x1e:
            return counters.len_512_to_1023;
        case 0x20:
            return counters.len_1024_to_1518;
        case 0x22:
            return counters.len_1519_to_max;
        case 0x24:
            return counters.oversize;
        case 0x26:
            return counters.mcast_data_ok;
        case 0x28:
            return counters.bcast_data_ok;
        case 0x2a:
            return counters.ucast_data_ok;
        case 0x2c:
            return counters.mcast_ctrl;
        case 0x2e:
            return counters.bcast_ctrl;
        case 0x30:
            return counters.ucast_ctrl;
        case 0x32:
            return counters.pause;
        case 0x34:
            return counters.runt;
        case 0x36:
            return counters.st;
        case 0x60:
            return counters.octets_ok;
        default:
            return 0; // reserved
        }
    }

    static std::uint64_t by_name(const Counters& counters, std::string_view name) {
        if (name == "FRAGMENTS")
            return counters.fragments;
        if (name == "JABBERS")
            return counters.jabbers;
        if (name == "FCS")
            return counters.fcs;
        if (name == "CRCERR")
            return counters.crcerr;
        if (name == "MCAST_DATA_ERR")
            return counters.mcast_data_err;
        if (name == "BCAST_DATA_ERR")
            return counters.bcast_data_err;
        if (name == "UCAST_DATA_ERR")
            return counters.ucast_data_err;
        if (name == "MCAST_CTRL_ERR")
            return counters.mcast_ctrl_err;
        if (name == "BCAST_CTRL_ERR")
            return counters.bcast_ctrl_err;
        if (name == "UCAST_CTRL_ERR")
            return counters.ucast_ctrl_err;
        if (name == "PAUSE_ERR")
            return counters.pause_err;
        if (name == "64B")
            return counters.len_64;
        if (name == "65to127B")
            return counters.len_65_to_127;
        if (name == "128to255B")
            return counters.len_128_to_255;
        if (name == "256to511B")
            return counters.len_256_to_511;
        if (name == "512to1023B")
            return counters.len_512_to_1023;
        if (name == "1024to1518B")
            return counters.len_1024_to_1518;
        if (name == "1519toMAXB")
            return counters.len_1519_to_max;
        if (name == "OVERSIZE")
            return counters.oversize;
        if (name == "MCAST_DATA_OK")
            return counters.mcast_data_ok;
        if (name == "BCAST_DATA_OK")
            return counters.bcast_data_ok;
        if (name == "UCAST_DATA_OK")
            return counters.ucast_data_ok;
        if (name == "MCAST_CTRL")
            return counters.mcast_ctrl;
        if (name == "BCAST_CTRL")
            return counters.bcast_ctrl;
        if (name == "UCAST_CTRL")
            return counters.ucast_ctrl;
        if (name == "PAUSE")
            return counters.pause;
        if (name == "RUNT")
            return counters.runt;
        if (name == "ST")
            return counters.st;
        throw std::out_of_range("no counter " + std::string(name));
    }

    Build build_;
    // The scratch registers start with the number of their page.
    Page tx_ = {{}, {}, false, false, 0, 0x08, 9600};
    Page rx_ = {{}, {}, false, false, 0, 0x09, 9600};
};

} // namespace macstats::test

#endif // MACSTATS_TEST_LL40G_REFERENCE_HPP
