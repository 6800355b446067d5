// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The hardware that the search visits: a model with one or two narrow counters, which are read,
// cleared and saturated as a Kind tells.
#ifndef MACSTATS_TEST_EVERY_STATE_HARDWARE_HPP
#define MACSTATS_TEST_EVERY_STATE_HARDWARE_HPP

#include <algorithm>
#include <string>
#include <vector>

#include "fixture.hpp"

namespace macstats::test::every_state {

// At 1 Mb/s, a frame of 65,000 octets with 20 more on the wire takes this time. So even the
// narrowest counter sees the millisecond and the frame that the bound adds as one event. One
// microsecond more: a gap that is as long as the wrap time is not longer, to the microsecond.
constexpr u32 frame_length = 65000;
constexpr u32 event_octets = frame_length + 20;
constexpr u64 event_ns = event_octets * 8000 + 1000;

constexpr u32 control = 0; // gate: bit 0, snapshot request: bit 1
constexpr u32 status = 1;  // granted: bit 0, busy: bit 1
constexpr u32 identity = 2;
constexpr u32 switches = 3; // clear on read: bit 0, saturate: bit 1
constexpr u32 parity = 4;   // error: bit 0
constexpr u32 command = 5;  // clear: bit 0, clear parity: bit 1
constexpr u32 freezer = 6;  // freeze: bit 0
constexpr u32 first_counter = 8;
constexpr u32 second_counter = 12;

MACSTATS_MODEL_BEGIN

// The fields of each fill the narrowest word. A role that a Kind lacks is taken from its fields.
constexpr macstats_register all_registers[] = {
    MACSTATS_REGISTER(
        RW, "CONTROL", control, 0, "",
        .fields =
            {MACSTATS_FIELD(RW, "gate", 0, 1, "", .roles = MACSTATS_ROLE_GATE),
             MACSTATS_FIELD(RW, "request", 1, 1, "", .roles = MACSTATS_ROLE_SNAPSHOT_REQUEST)}),
    MACSTATS_REGISTER(
        RO, "STATUS", status, 0, "",
        .fields =
            {MACSTATS_FIELD(RO, "granted", 0, 1, "", .roles = MACSTATS_ROLE_SNAPSHOT_GRANTED),
             MACSTATS_FIELD(RO, "busy", 1, 1, "", .roles = MACSTATS_ROLE_BUSY)}),
    MACSTATS_REGISTER(RO, "IDENTITY", identity, 1, "", .roles = MACSTATS_ROLE_IDENTITY),
    MACSTATS_REGISTER(
        RW, "SWITCHES", switches, 0, "",
        .fields =
            {MACSTATS_FIELD(RW, "clear", 0, 1, "", .roles = MACSTATS_ROLE_CLEAR_ON_READ),
             MACSTATS_FIELD(RW, "saturate", 1, 1, "", .roles = MACSTATS_ROLE_SATURATE)}),
    MACSTATS_REGISTER(
        RO, "PARITY", parity, 0, "",
        .fields =
            {MACSTATS_FIELD(RO, "error", 0, 1, "", .roles = MACSTATS_ROLE_PARITY_ERROR),
             MACSTATS_FIELD(RO, "unused", 1, 1, "")}),
    MACSTATS_REGISTER(
        RW, "COMMAND", command, 0, "",
        .fields =
            {MACSTATS_COMMAND("clear", 0, "", .roles = MACSTATS_ROLE_CLEAR),
             MACSTATS_COMMAND("clear_parity", 1, "", .roles = MACSTATS_ROLE_PARITY_CLEAR)}),
    MACSTATS_REGISTER(
        RW, "FREEZER", freezer, 0, "",
        .fields =
            {MACSTATS_FIELD(RW, "freeze", 0, 1, "", .roles = MACSTATS_ROLE_FREEZE),
             MACSTATS_FIELD(RW, "unused", 1, 1, "")}),
};

MACSTATS_MODEL_END

// A kind of port. The counters' words have two bits where one of them is wider.
struct Kind {
    std::string name;
    unsigned int counters = 1;
    macstats_onread onread = MACSTATS_ONREAD_NONE;
    macstats_overflow overflow = MACSTATS_ROLLOVER;
    bool snapshot = false;
    bool latch = false;
    bool reread = false;
    bool read64 = false; // one access reads both words
    bool gate = false;
    bool clear = false;
    bool busy = false;
    bool clocks = false;
    bool bound = false;
    bool one_word = false;   // has all counters
    u32 switched = 0;        // roles of bits that somebody else switches
    bool full_words = false; // a count can be a word of all-ones
    // The widest counter that is searched with any number of incidents, in most runs and in a full
    // one. Counters of several words have at least three bits.
    unsigned int quick = 1;
    unsigned int full = 2;
    // In a short, a long and a full run: the widest that is searched with few incidents on each
    // way, and their number where it has two bits. Wider ones have one.
    unsigned int widest[3] = {2, 3, 5};
    unsigned int incidents[3] = {1, 1, 1};

    // Always, or while a bit is set.
    bool cleared_by_reads() const {
        return onread == MACSTATS_ONREAD_RCLR || (switched & MACSTATS_ROLE_CLEAR_ON_READ);
    }
    bool free_running() const { return !cleared_by_reads(); }
    bool saturates() const {
        return overflow == MACSTATS_SATURATE || (switched & MACSTATS_ROLE_SATURATE);
    }
    bool never_wraps() const { return overflow == MACSTATS_SATURATE; }
    bool holds_words() const { return latch || (reread && !read64 && cleared_by_reads()); }

    u32 offset(unsigned int i) const { return i && !one_word ? second_counter : first_counter; }

    // The bits of a word. Registers need two of them.
    u8 bus_bits(unsigned int bits) const {
        if (full_words)
            return static_cast<u8>(std::max(bits, 2u));
        return latch || reread || snapshot ? 2 : 8;
    }
};

constexpr unsigned int max_counters = 2;

struct Hardware {
    macstats_counter rows[max_counters]{};
    std::vector<macstats_register> registers{std::begin(all_registers), std::end(all_registers)};
    macstats_model model{};

    Hardware(const Kind& kind, unsigned int bits) {
        for (unsigned int i = 0; i < kind.counters; i++)
            describe_counter(i, kind, bits);
        describe_model(kind, bits);
        if (!kind.snapshot)
            drop(
                MACSTATS_ROLE_SNAPSHOT_REQUEST | MACSTATS_ROLE_SNAPSHOT_GRANTED |
                MACSTATS_ROLE_PARITY_ERROR | MACSTATS_ROLE_PARITY_CLEAR);
        if (!kind.clear)
            drop(MACSTATS_ROLE_CLEAR);
        if (!kind.gate)
            drop(MACSTATS_ROLE_GATE);
        if (!kind.busy)
            drop(MACSTATS_ROLE_BUSY);
        drop(
            (MACSTATS_ROLE_CLEAR_ON_READ | MACSTATS_ROLE_SATURATE | MACSTATS_ROLE_FREEZE) &
            ~kind.switched);
    }

    void drop(u32 roles) { drop_role(registers, roles); }

    Hardware(const Hardware&) = delete;
    Hardware& operator=(const Hardware&) = delete;

private:
    void describe_counter(unsigned int i, const Kind& kind, unsigned int bits) {
        rows[i].name = i ? "tx_frames" : "rx_frames";
        rows[i].reg = rows[i].name;
        rows[i].offset = kind.offset(i);
        rows[i].lsb = kind.one_word ? static_cast<u8>(i * bits) : u8{0};
        rows[i].bits = static_cast<u8>(bits);
        rows[i].unit = MACSTATS_FRAMES;
        rows[i].onread = static_cast<u8>(kind.onread);
        rows[i].overflow = static_cast<u8>(kind.overflow);
        rows[i].latch = kind.latch;
        rows[i].reread = kind.reread && bits > 2;
        rows[i].when[0].direction = i ? MACSTATS_TX : MACSTATS_RX;
        rows[i].when[0].size = 1u << 1; // from 65,000 octets on
        rows[i].help = "";
    }

    void describe_model(const Kind& kind, unsigned int bits) {
        model.name = "narrow";
        model.title = "narrow counters";
        model.datasheet = "none";
        model.ports = 1;
        model.bus_bits = kind.bus_bits(bits);
        model.address_unit_bits = model.bus_bits;
        model.read64 = kind.read64;
        model.line_rate_bps = 1000000;
        model.counters = rows;
        model.n_counters = static_cast<u16>(kind.counters);
        model.registers = registers.data();
        model.n_registers = MACSTATS_COUNT_OF(all_registers);
        model.n_blocks = 1;
        model.blocks[0].name = "all";
        model.sizes.edge[0] = frame_length;
        model.min_frame_rx = MACSTATS_FRAME_MIN;
        model.min_frame_tx = MACSTATS_FRAME_MIN;
        model.options = MACSTATS_OPT_STATISTICS;
        model.default_options = MACSTATS_OPT_STATISTICS;
    }
};

} // namespace macstats::test::every_state

#endif
