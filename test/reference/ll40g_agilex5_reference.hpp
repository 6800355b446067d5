// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The statistics of the Low Latency 40G Ethernet core for Agilex 5, slowly: one `if`
// per counter, written from the user guide (Intel 813652, 7.5 and 7.6) and, where it
// is silent, from the register maps 1.1 to 1.3. It shares nothing with the schema
// but the type of a frame, and is what the emulator is compared with.
#ifndef MACSTATS_TEST_LL40G_AGILEX5_REFERENCE_HPP
#define MACSTATS_TEST_LL40G_AGILEX5_REFERENCE_HPP

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include <macstats/frame.h>

#include "interface.hpp"

namespace macstats::reference {

class Ll40gAgilex5 {
public:
    struct Options {
        bool tx_statistics = true; // of each direction, as in the older core
        bool rx_statistics = true;
        bool vlan_detection = true;
        bool random = false; // powers up with anything in the counters
    };

    using Answer = reference::Answer;

    struct CounterAt {
        std::string_view name;   // as the table prints it
        u32 offset;              // of the low half
        std::string_view string; // in ethtool, without its direction
    };

    // Typed from the table of 7.5, but for BCAST_CTRL_OK, which has 0x23 there.
    static constexpr CounterAt table[] = {
        {"FRAGMENTS", 0x00, "fragments"},
        {"JABBERS", 0x02, "jabbers"},
        {"FCSERR", 0x04, "fcs"},
        {"CRCERR_OKPKT", 0x06, "crcerr"},
        {"MCAST_DATA_ERR", 0x08, "mcast_data_err"},
        {"BCAST_DATA_ERR", 0x0a, "bcast_data_err"},
        {"UCAST_DATA_ERR", 0x0c, "ucast_data_err"},
        {"MCAST_CTRL_ERR", 0x0e, "mcast_ctrl_err"},
        {"BCAST_CTRL_ERR", 0x10, "bcast_ctrl_err"},
        {"UCAST_CTRL_ERR", 0x12, "ucast_ctrl_err"},
        {"PAUSE_ERR", 0x14, "pause_err"},
        {"64B", 0x16, "64b"},
        {"65to127B", 0x18, "65to127b"},
        {"128to255B", 0x1a, "128to255b"},
        {"256to511B", 0x1c, "256to511b"},
        {"512to1023B", 0x1e, "512to1023b"},
        {"1024to1518B", 0x20, "1024to1518b"},
        {"1519toMAXB", 0x22, "1519tomaxb"},
        {"OVERSIZE", 0x24, "oversize"},
        {"MCAST_DATA_OK", 0x26, "mcast_data_ok"},
        {"BCAST_DATA_OK", 0x28, "bcast_data_ok"},
        {"UCAST_DATA_OK", 0x2a, "ucast_data_ok"},
        {"MCAST_CTRL_OK", 0x2c, "mcast_ctrl"},
        {"BCAST_CTRL_OK", 0x2e, "bcast_ctrl"},
        {"UCAST_CTRL_OK", 0x30, "ucast_ctrl"},
        {"PAUSE", 0x32, "pause"},
        {"RNT", 0x34, "runt"},
        {"Payload OctetsOK", 0x60, "octets_ok"},
        {"Frame OctetsOK", 0x62, "frame_octets_ok"},
    };

    // Faults of the core; the test switches them on and off.
    bool bus_error = false;
    bool clock_stopped = false;
    bool snapshot_stuck = false;
    bool snapshot_slow = false;

    explicit Ll40gAgilex5(const Options& options) : options_(options) {
        tx_.built = options.tx_statistics;
        rx_.built = options.rx_statistics;
        for (Page* page : {&tx_, &rx_}) {
            page->live.known = !options.random;
            page->parity_known = !options.random;
        }
    }

    void count(const macstats_frame& frame, u64 n) {
        if (!(frame.direction == MACSTATS_TX ? tx_ : rx_).built)
            return;
        if (frame.direction == MACSTATS_TX)
            transmit(frame, n);
        else
            receive(frame, n);
    }

    // Page 0 transmits, page 1 receives.
    bool has_parity_error(std::size_t page) const { return (page ? rx_ : tx_).parity; }

    // The emulated error damages the first counter of each page: its top bit.
    void parity_error() {
        for (Page* page : {&tx_, &rx_}) {
            if (!page->built)
                continue;
            page->parity = true;
            page->parity_known = true;
            page->live.fragments ^= u64{1} << 63;
        }
    }

    Answer read(u32 address) {
        if (bus_error)
            return {Answer::Kind::bus_error};
        if (address == 0x407)
            return value(tx_.max);
        if (address == 0x506)
            return value(rx_.max);
        if (address >= 0x800 && address <= 0x8ff)
            return read_page(tx_, address - 0x800);
        if (address >= 0x900 && address <= 0x9ff)
            return read_page(rx_, address - 0x900);
        return {};
    }

    // Answer::Kind::value: somebody took notice, or ignored it in good order.
    Answer::Kind write(u32 address, u32 value) {
        if (bus_error)
            return Answer::Kind::bus_error;
        if (address == 0x407) {
            tx_.max = value & 0xffff; // 16 bits (1.2)
            return Answer::Kind::value;
        }
        if (address == 0x506) {
            rx_.max = value & 0xffff;
            return Answer::Kind::value;
        }
        if (address >= 0x800 && address <= 0x8ff)
            return write_page(tx_, address - 0x800, value);
        if (address >= 0x900 && address <= 0x9ff)
            return write_page(rx_, address - 0x900, value);
        return Answer::Kind::nobody;
    }

    // The live count, also while frozen, of the counter whose low half is at @address.
    u64& live(u32 address) {
        Page& page = address < 0x900 ? tx_ : rx_;

        return *counter_at(page.live, address & 0xfe);
    }

private:
    struct Counters {
        bool known = true; // nobody knows what is there before the first clear
        u64 fragments = 0;
        u64 jabbers = 0;
        u64 fcserr = 0;
        u64 crcerr_okpkt = 0;
        u64 mcast_data_err = 0;
        u64 bcast_data_err = 0;
        u64 ucast_data_err = 0;
        u64 mcast_ctrl_err = 0;
        u64 bcast_ctrl_err = 0;
        u64 ucast_ctrl_err = 0;
        u64 pause_err = 0;
        u64 size_64 = 0;
        u64 size_65_to_127 = 0;
        u64 size_128_to_255 = 0;
        u64 size_256_to_511 = 0;
        u64 size_512_to_1023 = 0;
        u64 size_1024_to_1518 = 0;
        u64 size_1519_to_max = 0;
        u64 oversize = 0;
        u64 mcast_data_ok = 0;
        u64 bcast_data_ok = 0;
        u64 ucast_data_ok = 0;
        u64 mcast_ctrl_ok = 0;
        u64 bcast_ctrl_ok = 0;
        u64 ucast_ctrl_ok = 0;
        u64 pause = 0;
        u64 rnt = 0;
        u64 payload_octets_ok = 0;
        u64 frame_octets_ok = 0;
    };

    struct Page {
        bool built = true;
        Counters live;
        Counters view; // what is read while it is frozen
        bool requested = false;
        bool frozen = false;
        unsigned int looks = 0; // at the status until a slow snapshot is there
        bool parity = false;
        bool parity_known = true;
        u32 max = 9600;
    };

    // The type is looked for behind the addresses only: a tagged control frame is data.
    static bool is_control(const macstats_frame& frame) {
        return frame.vlan_tags == 0 && frame.kind != MACSTATS_DATA;
    }

    static bool is_pause(const macstats_frame& frame) {
        return frame.vlan_tags == 0 && frame.kind == MACSTATS_PAUSE;
    }

    u64 payload(const macstats_frame& frame, u32 length) const {
        u32 other = 18; // two addresses, type, FCS

        if (is_control(frame))
            other = 20; // and the opcode
        else if (options_.vlan_detection)
            other += 4u * frame.vlan_tags;
        return length < other ? 0 : length - other;
    }

    // "The MAC TX module does not check FCS error ... does not check outgoing frames for
    // undersize": FRAGMENTS, JABBERS, FCSERR, CRCERR_OKPKT, all _ERR and RNT stay 0, and
    // no frame is anything but without an FCS error.
    void transmit(const macstats_frame& frame, u64 n) {
        Counters& c = tx_.live;
        u32 length = frame.length;

        if (length < 9) // 4.3.1.2: filtered out
            return;
        if (length < 64) // 4.3.1.2: padded
            length = 64;

        if (length == 64)
            c.size_64 += n;
        if (length >= 65 && length <= 127)
            c.size_65_to_127 += n;
        if (length >= 128 && length <= 255)
            c.size_128_to_255 += n;
        if (length >= 256 && length <= 511)
            c.size_256_to_511 += n;
        if (length >= 512 && length <= 1023)
            c.size_512_to_1023 += n;
        if (length >= 1024 && length <= 1518)
            c.size_1024_to_1518 += n;
        if (length >= 1519 && length <= tx_.max)
            c.size_1519_to_max += n;
        if (length > tx_.max)
            c.oversize += n;
        if (frame.destination == MACSTATS_MULTICAST && !is_control(frame))
            c.mcast_data_ok += n;
        if (frame.destination == MACSTATS_BROADCAST && !is_control(frame))
            c.bcast_data_ok += n;
        if (frame.destination == MACSTATS_UNICAST && !is_control(frame))
            c.ucast_data_ok += n;
        if (frame.destination == MACSTATS_MULTICAST && is_control(frame))
            c.mcast_ctrl_ok += n;
        if (frame.destination == MACSTATS_BROADCAST && is_control(frame))
            c.bcast_ctrl_ok += n;
        if (frame.destination == MACSTATS_UNICAST && is_control(frame))
            c.ucast_ctrl_ok += n;
        if (is_pause(frame))
            c.pause += n;
        if (length <= tx_.max && !(frame.errors & MACSTATS_ERR_PAYLOAD_LENGTH))
            c.payload_octets_ok += n * payload(frame, length);
        if (length <= tx_.max && !(frame.errors & MACSTATS_ERR_PAYLOAD_LENGTH))
            c.frame_octets_ok += n * length;
    }

    void receive(const macstats_frame& frame, u64 n) {
        Counters& c = rx_.live;
        const u32 length = frame.length;
        const bool bad = frame.errors & MACSTATS_ERR_FCS;

        if (length < 64 && bad)
            c.fragments += n;
        // No frame is too short and too long; so JABBERS are among CRCERR_OKPKT.
        if (length >= 64 && length > rx_.max && bad)
            c.jabbers += n;
        if (bad)
            c.fcserr += n;
        if (length >= 64 && bad)
            c.crcerr_okpkt += n;
        if (frame.destination == MACSTATS_MULTICAST && !is_control(frame) && bad)
            c.mcast_data_err += n;
        if (frame.destination == MACSTATS_BROADCAST && !is_control(frame) && bad)
            c.bcast_data_err += n;
        if (frame.destination == MACSTATS_UNICAST && !is_control(frame) && bad)
            c.ucast_data_err += n;
        if (frame.destination == MACSTATS_MULTICAST && is_control(frame) && bad)
            c.mcast_ctrl_err += n;
        if (frame.destination == MACSTATS_BROADCAST && is_control(frame) && bad)
            c.bcast_ctrl_err += n;
        if (frame.destination == MACSTATS_UNICAST && is_control(frame) && bad)
            c.ucast_ctrl_err += n;
        if (is_pause(frame) && bad)
            c.pause_err += n;
        if (length == 64)
            c.size_64 += n;
        if (length >= 65 && length <= 127)
            c.size_65_to_127 += n;
        if (length >= 128 && length <= 255)
            c.size_128_to_255 += n;
        if (length >= 256 && length <= 511)
            c.size_256_to_511 += n;
        if (length >= 512 && length <= 1023)
            c.size_512_to_1023 += n;
        if (length >= 1024 && length <= 1518)
            c.size_1024_to_1518 += n;
        if (length >= 1519 && length <= rx_.max)
            c.size_1519_to_max += n;
        if (length >= 64 && length > rx_.max)
            c.oversize += n;
        if (frame.destination == MACSTATS_MULTICAST && !is_control(frame) && !bad)
            c.mcast_data_ok += n;
        if (frame.destination == MACSTATS_BROADCAST && !is_control(frame) && !bad)
            c.bcast_data_ok += n;
        if (frame.destination == MACSTATS_UNICAST && !is_control(frame) && !bad)
            c.ucast_data_ok += n;
        if (frame.destination == MACSTATS_MULTICAST && is_control(frame) && !bad)
            c.mcast_ctrl_ok += n;
        if (frame.destination == MACSTATS_BROADCAST && is_control(frame) && !bad)
            c.bcast_ctrl_ok += n;
        if (frame.destination == MACSTATS_UNICAST && is_control(frame) && !bad)
            c.ucast_ctrl_ok += n;
        if (is_pause(frame) && !bad)
            c.pause += n;
        if (length < 64)
            c.rnt += n;
        if (length >= 64 && length <= rx_.max && !bad &&
            !(frame.errors & MACSTATS_ERR_PAYLOAD_LENGTH))
            c.payload_octets_ok += n * payload(frame, length);
        if (length >= 64 && length <= rx_.max && !bad &&
            !(frame.errors & MACSTATS_ERR_PAYLOAD_LENGTH))
            c.frame_octets_ok += n * length;
    }

    // By the offset of the low half, as the table has it; 0x23 should be 0x2e.
    static u64* counter_at(Counters& c, u32 offset) {
        switch (offset) {
        case 0x00:
            return &c.fragments;
        case 0x02:
            return &c.jabbers;
        case 0x04:
            return &c.fcserr;
        case 0x06:
            return &c.crcerr_okpkt;
        case 0x08:
            return &c.mcast_data_err;
        case 0x0a:
            return &c.bcast_data_err;
        case 0x0c:
            return &c.ucast_data_err;
        case 0x0e:
            return &c.mcast_ctrl_err;
        case 0x10:
            return &c.bcast_ctrl_err;
        case 0x12:
            return &c.ucast_ctrl_err;
        case 0x14:
            return &c.pause_err;
        case 0x16:
            return &c.size_64;
        case 0x18:
            return &c.size_65_to_127;
        case 0x1a:
            return &c.size_128_to_255;
        case 0x1c:
            return &c.size_256_to_511;
        case 0x1e:
            return &c.size_512_to_1023;
        case 0x20:
            return &c.size_1024_to_1518;
        case 0x22:
            return &c.size_1519_to_max;
        case 0x24:
            return &c.oversize;
        case 0x26:
            return &c.mcast_data_ok;
        case 0x28:
            return &c.bcast_data_ok;
        case 0x2a:
            return &c.ucast_data_ok;
        case 0x2c:
            return &c.mcast_ctrl_ok;
        case 0x2e:
            return &c.bcast_ctrl_ok;
        case 0x30:
            return &c.ucast_ctrl_ok;
        case 0x32:
            return &c.pause;
        case 0x34:
            return &c.rnt;
        case 0x60:
            return &c.payload_octets_ok;
        case 0x62:
            return &c.frame_octets_ok;
        default:
            return nullptr;
        }
    }

    static bool is_counter_memory(u32 offset) {
        return offset <= 0x3f || (offset >= 0x60 && offset <= 0x7f);
    }

    static Answer value(u32 value) { return {Answer::Kind::value, value}; }

    static Answer anything() { return {Answer::Kind::anything}; }

    static void freeze(Page& page) {
        page.view = page.live;
        page.frozen = true;
    }

    // Bit 1 is the OR of the banks: when a snapshot comes late, it is set by the look
    // before the one from which on all of the page is frozen.
    Answer read_status(Page& page) {
        bool granted = false;
        Answer answer;

        if (page.requested && !page.frozen && !snapshot_stuck) {
            if (page.looks == 0)
                freeze(page);
            else
                page.looks--;
            granted = page.looks == 0;
        }
        if (page.frozen)
            granted = true;
        answer = value((page.parity ? 1u : 0u) | (granted ? 2u : 0u));
        if (!page.parity_known)
            answer.certain = ~1u;
        return answer;
    }

    Answer read_page(Page& page, u32 offset) {
        Counters& shown = page.frozen ? page.view : page.live;

        if (offset == 0x45)
            return value(page.built && page.requested ? 4 : 0);
        if (offset == 0x46)
            return page.built ? read_status(page) : value(0);
        if (!is_counter_memory(offset))
            return {};
        u64* counter = counter_at(shown, offset & ~1u);
        if (!counter)
            return anything();
        if (!page.built)
            return value(0);
        if (clock_stopped || !shown.known)
            return anything();
        return value(static_cast<u32>(offset & 1 ? *counter >> 32 : *counter));
    }

    Answer::Kind write_page(Page& page, u32 offset, u32 value) {
        if (offset == 0x45 && page.built)
            configure(page, value);
        if (offset == 0x45 || offset == 0x46 || is_counter_memory(offset))
            return Answer::Kind::value;
        return Answer::Kind::nobody;
    }

    void configure(Page& page, u32 value) {
        const bool request = value & 4;

        if (value & 1)
            page.live = Counters();
        if (value & 2) {
            page.parity = false;
            page.parity_known = true;
        }
        if (request && !page.requested) {
            page.looks = snapshot_slow ? 2 : 0;
            if (!snapshot_slow && !snapshot_stuck)
                freeze(page);
        }
        if (!request)
            page.frozen = false;
        page.requested = request;
    }

    Options options_;
    Page tx_;
    Page rx_;
};

} // namespace macstats::reference

#endif // MACSTATS_TEST_LL40G_AGILEX5_REFERENCE_HPP
