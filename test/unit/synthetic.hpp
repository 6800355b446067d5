// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Small made-up models, one for each thing that a real MAC may do and the first
// model does not. They obey the rules of check.h.
#ifndef MACSTATS_TEST_SYNTHETIC_HPP
#define MACSTATS_TEST_SYNTHETIC_HPP

#include <macstats/check.h>
#include <macstats/schema.h>

#include "fixture.hpp"

namespace macstats::test {

MACSTATS_MODEL_BEGIN

// What all of them have in common, apart from their tables.
constexpr macstats_model synthetic(const char* name, u8 address_unit_bits, u8 bus_bits) {
    return {
        .name = name,
        .title = "a model for tests",
        .datasheet = "none",
        .ports = 1,
        .address_unit_bits = address_unit_bits,
        .bus_bits = bus_bits,
        .line_rate_bps = 1000000000,
        .blocks = {{.name = "all"}},
        .n_blocks = 1,
        .sizes = {.edge = MACSTATS_RMON_EDGES},
        .min_frame_rx = MACSTATS_FRAME_MIN,
        .min_frame_tx = MACSTATS_FRAME_MIN,
        .data_overhead = 18,
        .control_overhead = 18,
        .options = MACSTATS_OPT_STATISTICS,
        .default_options = MACSTATS_OPT_STATISTICS,
        .faults = MACSTATS_FAULT_BUS_ERROR,
    };
}

// 32-bit counters that a read clears, at word addresses. 0x22 is reserved.
inline constexpr macstats_counter clearing_counters[] = {
    {.name = "rx_octets",
     .reg = "RxOctets",
     .offset = 0x20,
     .bits = 32,
     .unit = MACSTATS_OCTETS,
     .onread = MACSTATS_ONREAD_RCLR,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Octets received"},
    {.name = "rx_frames",
     .reg = "RxFrames",
     .offset = 0x21,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .onread = MACSTATS_ONREAD_RCLR,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Frames received"},
    {.name = "tx_frames",
     .reg = "TxFrames",
     .offset = 0x23,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .onread = MACSTATS_ONREAD_RCLR,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Frames transmitted"},
    {.name = "tx_collisions",
     .reg = "TxCollisions",
     .offset = 0x24,
     .bits = 32,
     .unit = MACSTATS_COLLISIONS,
     .onread = MACSTATS_ONREAD_RCLR,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Collisions while transmitting"},
};

inline constexpr macstats_model clearing_model = [] {
    macstats_model model = synthetic("clearing", 32, 32);

    model.counters = clearing_counters;
    model.n_counters = MACSTATS_COUNT_OF(clearing_counters);
    model.reserved[0] = {0x22, 0x22, MACSTATS_READS_RANDOM};
    model.n_reserved = 1;
    return model;
}();

// 32-bit counters at octet addresses that a write decrements while one of the
// three bits of the gate is set, and stores to while none is.
inline constexpr macstats_counter decrement_counters[] = {
    {.name = "rx_frames",
     .reg = "Rx Frames",
     .offset = 0x40,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .onwrite = MACSTATS_ONWRITE_DECREMENT,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Frames received"},
    {.name = "rx_octets",
     .reg = "Rx Octets",
     .offset = 0x44,
     .bits = 32,
     .unit = MACSTATS_OCTETS,
     .onwrite = MACSTATS_ONWRITE_DECREMENT,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Octets received"},
    {.name = "tx_frames",
     .reg = "Tx Frames",
     .offset = 0x48,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .onread = MACSTATS_ONREAD_RCLR,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Frames transmitted"},
};

inline constexpr macstats_register decrement_registers[] = {
    {.name = "PORT_EN",
     .offset = 0x0c,
     .access = MACSTATS_RW,
     .reset = 7,
     .help = "Ports that count"},
};

inline constexpr macstats_field decrement_fields[] = {
    {.name = "p0",
     .offset = 0x0c,
     .lsb = 0,
     .bits = 1,
     .access = MACSTATS_RW,
     .help = "Port 0 counts"},
    {.name = "p1",
     .offset = 0x0c,
     .lsb = 1,
     .bits = 1,
     .access = MACSTATS_RW,
     .help = "Port 1 counts"},
    {.name = "p2",
     .offset = 0x0c,
     .lsb = 2,
     .bits = 1,
     .access = MACSTATS_RW,
     .help = "Port 2 counts"},
};

inline constexpr macstats_model decrement_model = [] {
    macstats_model model = synthetic("decrement", 8, 32);

    model.counters = decrement_counters;
    model.n_counters = MACSTATS_COUNT_OF(decrement_counters);
    model.registers = decrement_registers;
    model.n_registers = MACSTATS_COUNT_OF(decrement_registers);
    model.fields = decrement_fields;
    model.n_fields = MACSTATS_COUNT_OF(decrement_fields);
    model.gate = {0x0c, 7};
    return model;
}();

// Counters of three 16-bit words, high word first, read under a snapshot.
inline constexpr macstats_counter wide_counters[] = {
    {.name = "rx_octets",
     .reg = "RX_OCTETS",
     .offset = 0x10,
     .bits = 48,
     .unit = MACSTATS_OCTETS,
     .high_first = true,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Octets received"},
    {.name = "tx_octets",
     .reg = "TX_OCTETS",
     .offset = 0x13,
     .bits = 48,
     .unit = MACSTATS_OCTETS,
     .high_first = true,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Octets transmitted"},
};

inline constexpr macstats_register wide_registers[] = {
    {.name = "CONTROL", .offset = 0x00, .access = MACSTATS_RW, .help = "Commands"},
    {.name = "STATUS", .offset = 0x01, .access = MACSTATS_RO, .help = "State"},
};

inline constexpr macstats_field wide_fields[] = {
    {.name = "hold",
     .offset = 0x00,
     .lsb = 15,
     .bits = 1,
     .access = MACSTATS_RW,
     .help = "Freeze the counters"},
    {.name = "held",
     .offset = 0x01,
     .lsb = 0,
     .bits = 1,
     .access = MACSTATS_RO,
     .help = "The counters are frozen"},
};

inline constexpr macstats_model wide_model = [] {
    macstats_model model = synthetic("wide", 16, 16);

    model.counters = wide_counters;
    model.n_counters = MACSTATS_COUNT_OF(wide_counters);
    model.registers = wide_registers;
    model.n_registers = MACSTATS_COUNT_OF(wide_registers);
    model.fields = wide_fields;
    model.n_fields = MACSTATS_COUNT_OF(wide_fields);
    model.blocks[0].snapshot_request = {0x00, 1u << 15};
    model.blocks[0].snapshot_granted = {0x01, 1u << 0};
    return model;
}();

// 40-bit counters on a 32-bit bus of octet addresses: reading the low word holds
// the high one. The second one is cleared by that read, too.
inline constexpr macstats_counter latching_counters[] = {
    {.name = "rx_octets",
     .reg = "RX_OCTETS",
     .offset = 0x100,
     .bits = 40,
     .unit = MACSTATS_OCTETS,
     .latch = true,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Octets received"},
    {.name = "tx_octets",
     .reg = "TX_OCTETS",
     .offset = 0x108,
     .bits = 40,
     .unit = MACSTATS_OCTETS,
     .onread = MACSTATS_ONREAD_RCLR,
     .latch = true,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Octets transmitted"},
};

inline constexpr macstats_model latching_model = [] {
    macstats_model model = synthetic("latching", 8, 32);

    model.counters = latching_counters;
    model.n_counters = MACSTATS_COUNT_OF(latching_counters);
    return model;
}();

// 8-bit counters that stop at 255; the second one is cleared by a read.
inline constexpr macstats_counter saturating_counters[] = {
    {.name = "rx_frames",
     .reg = "RX_FRAMES",
     .offset = 0x0,
     .bits = 8,
     .unit = MACSTATS_FRAMES,
     .overflow = MACSTATS_SATURATE,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Frames received"},
    {.name = "tx_frames",
     .reg = "TX_FRAMES",
     .offset = 0x1,
     .bits = 8,
     .unit = MACSTATS_FRAMES,
     .onread = MACSTATS_ONREAD_RCLR,
     .overflow = MACSTATS_SATURATE,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Frames transmitted"},
};

inline constexpr macstats_model saturating_model = [] {
    macstats_model model = synthetic("saturating", 8, 8);

    model.counters = saturating_counters;
    model.n_counters = MACSTATS_COUNT_OF(saturating_counters);
    return model;
}();

MACSTATS_MODEL_END

static_assert(check(clearing_model) == Violation::none);
static_assert(check(decrement_model) == Violation::none);
static_assert(check(wide_model) == Violation::none);
static_assert(check(latching_model) == Violation::none);
static_assert(check(saturating_model) == Violation::none);

} // namespace macstats::test

#endif // MACSTATS_TEST_SYNTHETIC_HPP
