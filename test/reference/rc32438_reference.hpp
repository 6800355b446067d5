// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// One Ethernet interface of the IDT 79RC32438 as its manual describes it (79RC32438
// User Reference Manual, 2002-11-04, 11-16; names, addresses and places of bits from
// its drivers): slow, without a table, and sharing nothing with what it is held
// against but the type of a frame. Assumptions are marked as such.
#ifndef MACSTATS_TEST_RC32438_REFERENCE_HPP
#define MACSTATS_TEST_RC32438_REFERENCE_HPP

#include <array>
#include <cerrno>
#include <cstdint>
#include <vector>

#include <macstats/frame.h>

#include "interface.hpp"
#include "medium.hpp"

namespace macstats::reference {

class Rc32438 {
public:
    // How it is built, and what is wrong with it now.
    bool statistics = true;
    bool half_duplex = false;
    bool bus_fails = false;
    bool reset_in_progress = false;
    bool clocks_stopped = false;

    // A frame comes in or goes out, @count times.
    void frame(const macstats_frame& given, std::uint64_t count) {
        const macstats_frame frame = on_medium(given, half_duplex);
        if (!statistics)
            return;

        const bool received = frame.direction == MACSTATS_RX;
        const bool fcs = frame.errors & MACSTATS_ERR_FCS;
        const bool alignment = frame.errors & MACSTATS_ERR_ALIGNMENT;
        const bool code = frame.errors & MACSTATS_ERR_CODE;

        // Ethernet receive byte count. Assumed: good and bad, FCS included.
        if (received)
            rbc_ += count * frame.length;
        // Ethernet receive packet count. Assumed: good and bad.
        if (received)
            rpc_ += count;
        // Ethernet receive undersized packet count. Assumed: valid FCS, well formed.
        if (received && frame.length < 64 && !fcs && !alignment && !code)
            rupc_ += count;
        // Ethernet receive fragment count. Assumed: whole octets or not.
        if (received && frame.length < 64 && (fcs || alignment))
            rfc_ += count;
        // Ethernet transmit byte count. Assumed: what was put on the wire. In half duplex the MAC
        // sends no pause frame (IEEE 802.3 annex 31B).
        const bool own_pause =
            frame.kind == MACSTATS_PAUSE && frame.vlan_tags == 0 && frame.origin == MACSTATS_BY_MAC;
        if (!received && !(own_pause && half_duplex))
            tbc_ += count * octets_on_wire(frame);
    }

    // The value of a counter register.
    std::uint64_t& counter(std::uint32_t offset) {
        switch (offset) {
        case 0x120:
            return rbc_;
        case 0x124:
            return rpc_;
        case 0x128:
            return rupc_;
        case 0x12c:
            return rfc_;
        default:
            return tbc_;
        }
    }

    // "May be read at any time, provided that the MII clocks are supplied and the RIP
    // bit is not set". Otherwise what is read means nothing (@meaningful), and nothing
    // is cleared. -EIO, -ENXIO: the bus failed, nothing is there.
    int read(std::uint32_t offset, std::uint64_t& value, bool& meaningful) {
        meaningful = true;
        if (bus_fails)
            return -EIO;
        if (is_counter(offset))
            return read_and_clear(counter(offset), value, meaningful);
        if (!exists(offset))
            return -ENXIO;
        value = stored(offset);
        if (offset == 0x000 && reset_in_progress)
            value |= 1u << 2; // RIP
        return 0;
    }

    int write(std::uint32_t offset, std::uint64_t value) {
        if (bus_fails)
            return -EIO;
        // No effect of writing to a counter is documented.
        if (is_counter(offset))
            return 0;
        if (!exists(offset))
            return -ENXIO;
        registers_[offset / 4] = static_cast<std::uint32_t>(
            (stored(offset) & ~writable(offset)) | (value & writable(offset)));
        return 0;
    }

    std::uint32_t mac2() const { return stored(0x204); }
    std::uint32_t clrt() const { return stored(0x210); }

    // The descriptors of a frame; none if it has none. A transmitted one has what its driver
    // set in the first, and what the MAC wrote in the last: "valid only in the last
    // descriptor of a packet".
    std::vector<Descriptor> descriptors(const macstats_frame& given) const {
        const macstats_frame frame = on_medium(given, half_duplex);
        const bool sent = frame.direction == MACSTATS_TX;

        if (sent ? frame.origin != MACSTATS_BY_SOFTWARE : !reaches_memory(frame))
            return {};
        const std::size_t n = frame.descriptors == 0 ? 1 : frame.descriptors;
        std::vector<Descriptor> all(n, {0, sent ? 0u : 0x3u});

        all.back().word = sent ? status(frame) : receive_status(frame);
        all.back().certain = ~0u;
        if (sent && n > 1)
            all.back().certain = ~0x34u; // OEN, CEN and HFE count in the first one
        if (sent && n > 1)
            all.front().certain = 0x37;
        if (sent)
            all.front().word |= controls(frame);
        all.front().word |= 1u << 0; // FD
        all.back().word |= 1u << 1;  // LD
        return all;
    }

private:
    // The driver leaves the bits at 0, and so to ETHMAC2, unless a packet asks for others.
    std::uint32_t controls(const macstats_frame& frame) const {
        std::uint32_t word = 0;

        if (frame.append_crc == MACSTATS_BY_REGISTER && frame.huge == MACSTATS_BY_REGISTER)
            return 0;
        word |= 1u << 2; // OEN
        if (frame.append_crc == MACSTATS_CONTROL_ON ||
            (frame.append_crc == MACSTATS_BY_REGISTER && mac2_bit(4)))
            word |= 1u << 4; // CEN
        if (is_huge(frame))
            word |= 1u << 5; // HFE
        return word;
    }

    std::uint32_t status(const macstats_frame& frame) const {
        std::uint32_t status = 0;

        if (!(frame.errors & MACSTATS_ERR_UNDERRUN) && !is_oversized(frame) &&
            !(frame.errors & MACSTATS_ERR_EXCESSIVE_DEFERRAL) && !collides_excessively(frame) &&
            !collides_late(frame))
            status |= 1u << 6; // TOK: if and only if
        if (frame.destination == MACSTATS_MULTICAST)
            status |= 1u << 7; // MP; assumed: not for broadcast
        if (frame.destination == MACSTATS_BROADCAST)
            status |= 1u << 8; // BP
        if (frame.errors & MACSTATS_ERR_UNDERRUN)
            status |= 1u << 9; // UND
        if (is_oversized(frame) && !(frame.errors & MACSTATS_ERR_EXCESSIVE_DEFERRAL) &&
            !collides_excessively(frame))
            status |= 1u << 10; // OF; assumed: what is given up before is not cut
        if (frame.errors & MACSTATS_ERR_EXCESSIVE_DEFERRAL)
            status |= 1u << 11; // ED
        if (collides_excessively(frame))
            status |= 1u << 12; // EC
        if (collides_late(frame))
            status |= 1u << 13; // LC
        if (frame.deferred)
            status |= 1u << 14; // TD
        if (frame.errors & MACSTATS_ERR_FCS)
            status |= 1u << 15; // CRC
        if (frame.errors & MACSTATS_ERR_PAYLOAD_LENGTH)
            status |= 1u << 16; // LE
        // CC has room for 15, and need not be valid of a frame that was aborted.
        std::uint32_t collisions = collisions_in_time(frame);
        if (collides_late(frame))
            collisions++;
        status |= (collisions & 0xf) << 17;
        return status;
    }

    // "Runts are never passed to DMA" (11-6). Assumed: neither is a frame that finds no free
    // descriptor, nor a well-formed control frame while PAF of ETHMAC1 is 0.
    bool reaches_memory(const macstats_frame& frame) const {
        const bool damaged =
            frame.errors & (MACSTATS_ERR_FCS | MACSTATS_ERR_ALIGNMENT | MACSTATS_ERR_CODE);
        const bool control = frame.kind != MACSTATS_DATA && frame.vlan_tags == 0;

        if (frame.length < 64 || (frame.errors & MACSTATS_ERR_NO_BUFFER))
            return false;
        return !control || damaged || (stored(0x200) >> 1 & 1);
    }

    // Assumed throughout, from the names of the bits, their use in the driver, and other
    // chips with this core. A frame over ETHMAXF is cut there, so its CRC does not match.
    std::uint32_t receive_status(const macstats_frame& frame) const {
        const bool cut = frame.length > stored(0x214) && !mac2_bit(2);
        const bool alignment = frame.errors & MACSTATS_ERR_ALIGNMENT;
        const bool crc = (frame.errors & MACSTATS_ERR_FCS) || alignment || cut;
        const bool code = frame.errors & MACSTATS_ERR_CODE;
        const bool overrun = frame.errors & MACSTATS_ERR_OVERRUN;
        const bool length = frame.errors & MACSTATS_ERR_PAYLOAD_LENGTH;
        std::uint32_t status = 0;

        if (!crc && !code && !overrun && !length)
            status |= 1u << 2; // ROK
        if (frame.destination == MACSTATS_MULTICAST)
            status |= 1u << 4; // MP
        if (frame.destination == MACSTATS_BROADCAST)
            status |= 1u << 5; // BP
        if (frame.vlan_tags > 0)
            status |= 1u << 6; // VLT
        if (frame.kind != MACSTATS_DATA && frame.vlan_tags == 0)
            status |= 1u << 7; // CF
        if (overrun)
            status |= 1u << 8; // OVR
        if (crc)
            status |= 1u << 9; // CRC
        if (code)
            status |= 1u << 10; // CV
        if (alignment)
            status |= 1u << 11; // DB
        if (length)
            status |= 1u << 12; // LE
        return status | frame.length << 16;
    }

    static bool is_counter(std::uint32_t offset) {
        return offset >= 0x120 && offset <= 0x130 && offset % 4 == 0;
    }

    int read_and_clear(std::uint64_t& counter, std::uint64_t& value, bool& meaningful) const {
        value = 0;
        if (!statistics)
            return 0;
        meaningful = !reset_in_progress && !clocks_stopped;
        if (!meaningful)
            return 0;
        value = counter & 0xffffffff; // assumed: it wraps
        counter = 0;
        return 0;
    }

    // The first attempt and MAX_RET more.
    std::uint32_t attempts() const { return (stored(0x210) & 0xf) + 1; }

    bool runs_out_of_attempts(const macstats_frame& frame) const {
        return frame.collisions >= attempts();
    }

    // A frame that is given up has no late collision after.
    bool collides_late(const macstats_frame& frame) const {
        return (frame.errors & MACSTATS_ERR_LATE_COLLISION) && !runs_out_of_attempts(frame);
    }

    bool collides_excessively(const macstats_frame& frame) const {
        return (frame.errors & MACSTATS_ERR_EXCESSIVE_COLLISIONS) || runs_out_of_attempts(frame);
    }

    // A late collision is told apart from those before it.
    std::uint32_t collisions_in_time(const macstats_frame& frame) const {
        if (collides_late(frame))
            return frame.collisions;
        return collides_excessively(frame) ? attempts() : frame.collisions;
    }

    bool is_huge(const macstats_frame& frame) const {
        if (frame.origin == MACSTATS_BY_SOFTWARE && frame.huge != MACSTATS_BY_REGISTER)
            return frame.huge == MACSTATS_CONTROL_ON;
        return mac2_bit(2);
    }

    bool is_oversized(const macstats_frame& frame) const {
        return frame.length > stored(0x214) && !is_huge(frame);
    }

    // Assumed: each attempt that collides in time has sent 64 octets of the frame, if it
    // has so many; any other attempt sends all of it, up to ETHMAXF.
    std::uint64_t octets_on_wire(const macstats_frame& frame) const {
        std::uint64_t sent = is_oversized(frame) ? stored(0x214) : frame.length;
        std::uint64_t octets = 0;

        for (std::uint32_t i = 0; i < collisions_in_time(frame); i++)
            octets += sent < 64 ? sent : 64;
        if ((!collides_excessively(frame) || collides_late(frame)) &&
            !(frame.errors & MACSTATS_ERR_EXCESSIVE_DEFERRAL))
            octets += sent;
        return octets;
    }

    bool mac2_bit(unsigned int bit) const { return stored(0x204) >> bit & 1; }

    std::uint32_t stored(std::uint32_t offset) const { return registers_[offset / 4]; }

    // Assumed, as in other chips with this core.
    static std::array<std::uint32_t, 0x24c / 4> reset_values() {
        std::array<std::uint32_t, 0x24c / 4> values{};

        values[0x210 / 4] = 0x370f;
        values[0x214 / 4] = 0x600;
        return values;
    }

    static bool exists(std::uint32_t offset) {
        if (offset % 4)
            return false;
        if (offset <= 0x010) // ETHINTFC to ETHHASH1
            return true;
        if (offset == 0x024 || offset == 0x028) // ETHPFS, ETHMCP
            return true;
        if (offset >= 0x100 && offset <= 0x11c) // station addresses
            return true;
        if (offset == 0x134) // ETHGPF
            return true;
        if (offset >= 0x200 && offset <= 0x214) // ETHMAC1 to ETHMAXF
            return true;
        if (offset >= 0x21c && offset <= 0x234) // ETHMTEST to MIIMIND
            return true;
        return offset >= 0x240 && offset <= 0x248; // ETHCFSA0 to ETHCFSA2
    }

    static std::uint32_t writable(std::uint32_t offset) {
        switch (offset) {
        case 0x000:
            return 0xfb; // all but RIP
        case 0x004:
            return 0x7f;
        case 0x008:
            return 0xf;
        case 0x024:
            return 0x1;
        case 0x028:
            return 0xff;
        case 0x104:
        case 0x10c:
        case 0x114:
        case 0x11c:
            return 0xffff;
        case 0x134:
            return 0xffff;
        case 0x200:
            return 0x8000001f;
        case 0x204:
            return 0x73ff;
        case 0x208:
            return 0x7f;
        case 0x20c:
            return 0x7f7f;
        case 0x210:
            return 0x3f0f;
        case 0x214:
            return 0xffff;
        case 0x21c:
            return 0x4;
        case 0x224:
            return 0x3;
        case 0x228:
            return 0x1f1f;
        case 0x22c:
            return 0xffff;
        case 0x230: // read data
        case 0x234: // indicators
            return 0;
        case 0x240:
        case 0x244:
        case 0x248:
            return 0xffff;
        default: // hash tables, station addresses, MII configuration
            return 0xffffffff;
        }
    }

    std::uint64_t rbc_ = 0;
    std::uint64_t rpc_ = 0;
    std::uint64_t rupc_ = 0;
    std::uint64_t rfc_ = 0;
    std::uint64_t tbc_ = 0;
    std::array<std::uint32_t, 0x24c / 4> registers_ = reset_values();
};

// The counters that a driver keeps from descriptors.
struct Rc32438Driver {
    std::uint64_t ok = 0;
    std::uint64_t ok_octets = 0;
    std::uint64_t not_ok = 0;
    std::uint64_t multicast = 0;
    std::uint64_t broadcast = 0;
    std::uint64_t underflow = 0;
    std::uint64_t oversized = 0;
    std::uint64_t excessive_deferral = 0;
    std::uint64_t excessive_collisions = 0;
    std::uint64_t attempts = 0;
    std::uint64_t late_collision = 0;
    std::uint64_t deferred = 0;
    std::uint64_t crc_error = 0;
    std::uint64_t length_error = 0;
    std::uint64_t single_collision = 0;
    std::uint64_t multiple_collision = 0;
    std::uint64_t collisions = 0;
    std::uint64_t rx_ok = 0;
    std::uint64_t rx_not_ok = 0;
    std::uint64_t rx_octets = 0;
    std::uint64_t rx_multicast = 0;
    std::uint64_t rx_broadcast = 0;
    std::uint64_t rx_overrun = 0;
    std::uint64_t rx_crc = 0;
    std::uint64_t rx_alignment = 0;
    std::uint64_t rx_code = 0;
    std::uint64_t rx_length = 0;

    // A packet comes back, of @length octets with FCS; @mac2 and @clrt are registers.
    void sent(
        std::uint32_t first, std::uint32_t last, std::uint32_t mac2, std::uint32_t clrt,
        std::uint32_t length, std::uint64_t count) {
        auto bit = [last](unsigned int number) { return (last >> number & 1) != 0; };
        // "When the OEN bit is set to 1, it controls": in the first descriptor.
        const bool cen = first >> 2 & 1 ? first >> 4 & 1 : mac2 >> 4 & 1;
        const bool tok = bit(6);
        const bool mp = bit(7);
        const bool bp = bit(8);
        const bool ec = bit(12);
        const bool td = bit(14);
        // "Not valid if frame transmission was aborted due to excessive collisions",
        // and defined only for "the successfully transmitted frame".
        const bool cc_valid = tok && !ec;
        const std::uint32_t cc = last >> 17 & 0xf;

        if (tok)
            ok += count;
        if (tok && length > 4)
            ok_octets += count * (length - 4);
        if (!tok)
            not_ok += count;
        if (tok && mp && !bp)
            multicast += count;
        if (tok && bp)
            broadcast += count;
        if (bit(9))
            underflow += count;
        if (bit(10))
            oversized += count;
        if (bit(11))
            excessive_deferral += count;
        if (ec)
            excessive_collisions += count;
        if (ec)
            attempts += count * ((clrt & 0xf) + 1);
        if (bit(13))
            late_collision += count;
        // IEEE 802.3 30.3.1.1.9: frames that collided are not among them.
        if (td && cc_valid && cc == 0)
            deferred += count;
        // "Should be ignored" where the MAC appends it.
        if (bit(15) && !cen)
            crc_error += count;
        if (bit(16))
            length_error += count;
        if (cc_valid && cc == 1)
            single_collision += count;
        if (cc_valid && cc >= 2)
            multiple_collision += count;
        if (cc_valid)
            collisions += count * cc;
    }

    void received(std::uint32_t status, std::uint64_t count) {
        auto bit = [status](unsigned int number) { return (status >> number & 1) != 0; };
        const bool rok = bit(2);

        if (!bit(1)) // LD
            return;
        if (rok)
            rx_ok += count;
        if (!rok)
            rx_not_ok += count;
        if (rok)
            rx_octets += count * (status >> 16);
        if (rok && bit(4) && !bit(5))
            rx_multicast += count;
        if (rok && bit(5))
            rx_broadcast += count;
        if (bit(8))
            rx_overrun += count;
        // Assumed: a frame that was cut has no CRC and no length of its own.
        if (bit(9) && !bit(11) && !bit(8))
            rx_crc += count;
        if (bit(9) && bit(11) && !bit(8))
            rx_alignment += count;
        if (bit(10))
            rx_code += count;
        if (bit(12) && !bit(9) && !bit(8))
            rx_length += count;
    }

    // By the bits of the descriptor that they count.
    struct Total {
        const char* reg;
        std::uint64_t Rc32438Driver::*member;
    };

    static const std::array<Total, 27> totals;
};

inline constexpr std::array<Rc32438Driver::Total, 27> Rc32438Driver::totals = {{
    {"TOK", &Rc32438Driver::ok},
    {"COUNT", &Rc32438Driver::ok_octets},
    {"TOK=0", &Rc32438Driver::not_ok},
    {"MP", &Rc32438Driver::multicast},
    {"BP", &Rc32438Driver::broadcast},
    {"UND", &Rc32438Driver::underflow},
    {"OF", &Rc32438Driver::oversized},
    {"ED", &Rc32438Driver::excessive_deferral},
    {"EC", &Rc32438Driver::excessive_collisions},
    {"EC*", &Rc32438Driver::attempts},
    {"LC", &Rc32438Driver::late_collision},
    {"TD", &Rc32438Driver::deferred},
    {"CRC", &Rc32438Driver::crc_error},
    {"LE", &Rc32438Driver::length_error},
    {"CC=1", &Rc32438Driver::single_collision},
    {"CC>1", &Rc32438Driver::multiple_collision},
    {"CC", &Rc32438Driver::collisions},
    {"RX_ROK", &Rc32438Driver::rx_ok},
    {"RX_ROK=0", &Rc32438Driver::rx_not_ok},
    {"RX_LENGTH", &Rc32438Driver::rx_octets},
    {"RX_MP", &Rc32438Driver::rx_multicast},
    {"RX_BP", &Rc32438Driver::rx_broadcast},
    {"RX_OVR", &Rc32438Driver::rx_overrun},
    {"RX_CRC", &Rc32438Driver::rx_crc},
    {"RX_DB", &Rc32438Driver::rx_alignment},
    {"RX_CV", &Rc32438Driver::rx_code},
    {"RX_LE", &Rc32438Driver::rx_length},
}};

} // namespace macstats::reference

#endif // MACSTATS_TEST_RC32438_REFERENCE_HPP
