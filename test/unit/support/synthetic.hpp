// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Small made-up models, one for each thing that a real MAC may do and the first
// model does not. They obey the rules of rules.h.
#ifndef MACSTATS_TEST_SYNTHETIC_HPP
#define MACSTATS_TEST_SYNTHETIC_HPP

#include <macstats/schema.h>

#include "fixture.hpp"

namespace macstats::test {

MACSTATS_MODEL_BEGIN

// The common part of all of them, without the tables.
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
     .help = "Ports that count",
     .fields =
         {MACSTATS_FIELD(RW, "p0", 0, 1, "Port 0 counts", .roles = MACSTATS_ROLE_GATE),
          MACSTATS_FIELD(RW, "p1", 1, 1, "Port 1 counts", .roles = MACSTATS_ROLE_GATE),
          MACSTATS_FIELD(RW, "p2", 2, 1, "Port 2 counts", .roles = MACSTATS_ROLE_GATE)}},
};

inline constexpr macstats_model decrement_model = [] {
    macstats_model model = synthetic("decrement", 8, 32);

    model.counters = decrement_counters;
    model.n_counters = MACSTATS_COUNT_OF(decrement_counters);
    model.registers = decrement_registers;
    model.n_registers = MACSTATS_COUNT_OF(decrement_registers);
    return model;
}();

// Counters of three 16-bit words, read under a snapshot.
inline constexpr macstats_counter wide_counters[] = {
    {.name = "rx_octets",
     .reg = "RX_OCTETS",
     .offset = 0x10,
     .bits = 48,
     .unit = MACSTATS_OCTETS,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Octets received"},
    {.name = "tx_octets",
     .reg = "TX_OCTETS",
     .offset = 0x13,
     .bits = 48,
     .unit = MACSTATS_OCTETS,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Octets transmitted"},
};

inline constexpr macstats_register wide_registers[] = {
    MACSTATS_REGISTER(
        RW, "CONTROL", 0x00, 0, "Commands",
        .fields = {MACSTATS_FIELD(
            RW, "hold", 15, 1, "Freeze the counters", .roles = MACSTATS_ROLE_SNAPSHOT_REQUEST)}),
    MACSTATS_REGISTER(
        RO, "STATUS", 0x01, 0, "State",
        .fields = {MACSTATS_FIELD(
            RO, "held", 0, 1, "The counters are frozen", .roles = MACSTATS_ROLE_SNAPSHOT_GRANTED)}),
};

inline constexpr macstats_model wide_model = [] {
    macstats_model model = synthetic("wide", 16, 16);

    model.counters = wide_counters;
    model.n_counters = MACSTATS_COUNT_OF(wide_counters);
    model.registers = wide_registers;
    model.n_registers = MACSTATS_COUNT_OF(wide_registers);
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

// 24-bit counters in two 16-bit words that nothing holds.
inline constexpr macstats_counter rereading_counters[] = {
    {.name = "rx_frames",
     .reg = "RX_FRAMES",
     .offset = 0x10,
     .bits = 24,
     .unit = MACSTATS_FRAMES,
     .reread = true,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Frames received"},
    {.name = "tx_frames",
     .reg = "TX_FRAMES",
     .offset = 0x12,
     .bits = 24,
     .unit = MACSTATS_FRAMES,
     .reread = true,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Frames transmitted"},
};

inline constexpr macstats_model rereading_model = [] {
    macstats_model model = synthetic("rereading", 16, 16);

    model.counters = rereading_counters;
    model.n_counters = MACSTATS_COUNT_OF(rereading_counters);
    return model;
}();

// Counters that share bus words, and one that has a word of its own. A read clears them.
inline constexpr macstats_counter sharing_counters[] = {
    {.name = "rx_frames",
     .reg = "RX_FRAMES",
     .offset = 0x40,
     .bits = 16,
     .unit = MACSTATS_FRAMES,
     .onread = MACSTATS_ONREAD_RCLR,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Frames received"},
    {.name = "tx_frames",
     .reg = "TX_FRAMES",
     .offset = 0x40,
     .lsb = 16,
     .bits = 16,
     .unit = MACSTATS_FRAMES,
     .onread = MACSTATS_ONREAD_RCLR,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Frames transmitted"},
    {.name = "rx_bad",
     .reg = "RX_BAD",
     .offset = 0x44,
     .lsb = 4,
     .bits = 12,
     .unit = MACSTATS_FRAMES,
     .onread = MACSTATS_ONREAD_RCLR,
     .when = {{.direction = MACSTATS_RX, .errors = MACSTATS_ERR_FCS}},
     .help = "Frames received with a bad FCS"},
    {.name = "tx_bad",
     .reg = "TX_BAD",
     .offset = 0x44,
     .lsb = 24,
     .bits = 8,
     .unit = MACSTATS_FRAMES,
     .onread = MACSTATS_ONREAD_RCLR,
     .when = {{.direction = MACSTATS_TX, .errors = MACSTATS_ERR_FCS}},
     .help = "Frames transmitted with a bad FCS"},
    {.name = "rx_octets",
     .reg = "RX_OCTETS",
     .offset = 0x48,
     .bits = 32,
     .unit = MACSTATS_OCTETS,
     .onread = MACSTATS_ONREAD_RCLR,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Octets received"},
};

inline constexpr macstats_model sharing_model = [] {
    macstats_model model = synthetic("sharing", 8, 32);

    model.line_rate_bps = 10000000; // the 8 bits wrap after 17 ms
    model.counters = sharing_counters;
    model.n_counters = MACSTATS_COUNT_OF(sharing_counters);
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

// A bit switches the maximum between 1522 and 16384 octets.
inline constexpr macstats_counter switched_counters[] = {
    {.name = "rx_oversize",
     .reg = "ROC",
     .offset = 0x40,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .when = {{.direction = MACSTATS_RX, .excess = MACSTATS_OVER_MAX}},
     .help = "Frames received that are longer than the maximum"},
    {.name = "tx_oversize",
     .reg = "TOC",
     .offset = 0x44,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .when = {{.direction = MACSTATS_TX, .excess = MACSTATS_OVER_MAX}},
     .help = "Frames transmitted that are longer than the maximum"},
};

inline constexpr macstats_register switched_registers[] = {
    MACSTATS_REGISTER(
        RW, "RCTL", 0x00, 0, "Receive control",
        .fields = {MACSTATS_FIELD(
            RW, "LPE", 5, 1, "Long packets are enabled", .roles = MACSTATS_ROLE_MAX_FRAME_SWITCH)}),
};

inline constexpr macstats_model switched_model = [] {
    macstats_model model = synthetic("switched", 8, 32);

    model.counters = switched_counters;
    model.n_counters = MACSTATS_COUNT_OF(switched_counters);
    model.registers = switched_registers;
    model.n_registers = MACSTATS_COUNT_OF(switched_registers);
    model.max_frame_switch = {1522, 16384};
    return model;
}();

// Two settings: whether frames with an FCS error or an alignment error count; with both, those with
// a code error count, too.
inline constexpr macstats_counter settings_counters[] = {
    {.name = "rx_bad",
     .reg = "BAD",
     .offset = 0x40,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .when =
         {{.direction = MACSTATS_RX, .errors = MACSTATS_ERR_FCS, .with = MACSTATS_OPT_SETTING},
          {.direction = MACSTATS_RX,
           .errors = MACSTATS_ERR_ALIGNMENT,
           .with = MACSTATS_OPT_SETTING_2},
          {.direction = MACSTATS_RX,
           .errors = MACSTATS_ERR_CODE,
           .with = MACSTATS_OPT_SETTING | MACSTATS_OPT_SETTING_2}},
     .help = "Bad frames received that the settings let count"},
};

inline constexpr macstats_register settings_registers[] = {
    MACSTATS_REGISTER(
        RW, "CONTROL", 0x00, 0, "Selects counted frames",
        .fields =
            {MACSTATS_FIELD(
                 RW, "fcs", 0, 1, "Frames with an FCS error count", .roles = MACSTATS_ROLE_SETTING),
             MACSTATS_FIELD(RW, "spare", 1, 1, "Switches nothing")}),
    MACSTATS_REGISTER(
        RW, "CONTROL_2", 0x04, 1, "Selects more counted frames",
        .fields = {MACSTATS_FIELD(
            RW, "alignment", 0, 1, "Frames with an alignment error count",
            .roles = MACSTATS_ROLE_SETTING_2)}),
};

inline constexpr macstats_model settings_model = [] {
    macstats_model model = synthetic("settings", 8, 32);

    model.counters = settings_counters;
    model.n_counters = MACSTATS_COUNT_OF(settings_counters);
    model.registers = settings_registers;
    model.n_registers = MACSTATS_COUNT_OF(settings_registers);
    return model;
}();

// A bit adds 1 to all counters; one of 32 bits rolls over, one of 8 bits saturates.
inline constexpr macstats_counter increment_counters[] = {
    {.name = "rx_frames",
     .reg = "RX_FRAMES",
     .offset = 0x40,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Frames received"},
    {.name = "rx_few",
     .reg = "RX_FEW",
     .offset = 0x44,
     .bits = 8,
     .unit = MACSTATS_FRAMES,
     .overflow = MACSTATS_SATURATE,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Frames received, up to 255"},
};

inline constexpr macstats_register increment_registers[] = {
    MACSTATS_REGISTER(
        RW, "CONTROL", 0x00, 0, "Commands",
        .fields = {MACSTATS_COMMAND(
            "increment", 3, "Add 1 to all counters", .roles = MACSTATS_ROLE_INCREMENT)}),
};

inline constexpr macstats_model increment_model = [] {
    macstats_model model = synthetic("increment", 8, 32);

    model.counters = increment_counters;
    model.n_counters = MACSTATS_COUNT_OF(increment_counters);
    model.registers = increment_registers;
    model.n_registers = MACSTATS_COUNT_OF(increment_registers);
    return model;
}();

// Bits switch how the counters of the first block behave: whether a read clears them, whether they
// stay at their maximum, and whether they stay as they are.
inline constexpr macstats_counter modes_counters[] = {
    {.name = "rx_frames",
     .reg = "RX_FRAMES",
     .offset = 0x40,
     .bits = 8,
     .unit = MACSTATS_FRAMES,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Frames received"},
    {.name = "tx_frames",
     .reg = "TX_FRAMES",
     .offset = 0x44,
     .bits = 8,
     .unit = MACSTATS_FRAMES,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Frames transmitted"},
    {.name = "rx_octets",
     .reg = "RX_OCTETS",
     .offset = 0x48,
     .bits = 64,
     .unit = MACSTATS_OCTETS,
     .reread = true,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Octets received"},
    {.name = "tx_octets",
     .reg = "TX_OCTETS",
     .offset = 0x50,
     .bits = 32,
     .block = 1,
     .unit = MACSTATS_OCTETS,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Octets transmitted"},
};

inline constexpr macstats_register modes_registers[] = {
    MACSTATS_REGISTER(
        RW, "MODES", 0x00, 0, "How counters behave",
        .fields =
            {MACSTATS_FIELD(
                 RW, "clear_on_read", 0, 1, "A read clears", .roles = MACSTATS_ROLE_CLEAR_ON_READ),
             MACSTATS_FIELD(
                 RW, "saturate", 1, 1, "Counters stay at their maximum",
                 .roles = MACSTATS_ROLE_SATURATE),
             MACSTATS_FIELD(
                 RW, "freeze", 2, 1, "Counters stay as they are", .roles = MACSTATS_ROLE_FREEZE)}),
};

inline constexpr macstats_model modes_model = [] {
    macstats_model model = synthetic("modes", 8, 32);

    model.counters = modes_counters;
    model.n_counters = MACSTATS_COUNT_OF(modes_counters);
    model.registers = modes_registers;
    model.n_registers = MACSTATS_COUNT_OF(modes_registers);
    model.blocks[1].name = "others";
    model.n_blocks = 2;
    return model;
}();

// Counters that can be written while a bit is set: one of 32 bits, one of two words.
inline constexpr macstats_counter enabled_counters[] = {
    {.name = "rx_frames",
     .reg = "RX_FRAMES",
     .offset = 0x40,
     .bits = 20,
     .unit = MACSTATS_FRAMES,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Frames received"},
    {.name = "rx_octets",
     .reg = "RX_OCTETS",
     .offset = 0x48,
     .bits = 40,
     .unit = MACSTATS_OCTETS,
     .latch = true,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Octets received"},
};

inline constexpr macstats_register enabled_registers[] = {
    MACSTATS_REGISTER(
        RW, "CONTROL", 0x00, 0, "Tests",
        .fields = {MACSTATS_FIELD(
            RW, "write_enable", 7, 1, "The counters can be written",
            .roles = MACSTATS_ROLE_WRITE_ENABLE)}),
};

inline constexpr macstats_model enabled_model = [] {
    macstats_model model = synthetic("enabled", 8, 32);

    model.counters = enabled_counters;
    model.n_counters = MACSTATS_COUNT_OF(enabled_counters);
    model.registers = enabled_registers;
    model.n_registers = MACSTATS_COUNT_OF(enabled_registers);
    return model;
}();

// 32-bit counters that roll over and run freely, at 1 Gb/s.
inline constexpr macstats_counter rolling_counters[] = {
    {.name = "rx_frames",
     .reg = "RX_FRAMES",
     .offset = 0x10,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Frames received"},
    {.name = "rx_octets",
     .reg = "RX_OCTETS",
     .offset = 0x11,
     .bits = 32,
     .unit = MACSTATS_OCTETS,
     .when = {{.direction = MACSTATS_RX}},
     .help = "Octets received"},
    {.name = "tx_frames",
     .reg = "TX_FRAMES",
     .offset = 0x12,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .when = {{.direction = MACSTATS_TX}},
     .help = "Frames transmitted"},
};

inline constexpr macstats_model rolling_model = [] {
    macstats_model model = synthetic("rolling", 32, 32);

    model.counters = rolling_counters;
    model.n_counters = MACSTATS_COUNT_OF(rolling_counters);
    return model;
}();

// 10 bits that saturate and that a read clears.
inline constexpr macstats_counter errors_counters[] = {
    {.name = "rx_fcs_errors",
     .reg = "RX_FCS",
     .offset = 0x0,
     .bits = 10,
     .unit = MACSTATS_FRAMES,
     .onread = MACSTATS_ONREAD_RCLR,
     .overflow = MACSTATS_SATURATE,
     .when = {{.direction = MACSTATS_RX, .errors = MACSTATS_ERR_FCS}},
     .standard = {{MACSTATS_STD_FRAME_CHECK_SEQUENCE_ERRORS, 1}},
     .help = "Received frames with a bad FCS"},
};

inline constexpr macstats_model errors_model = [] {
    macstats_model model = synthetic("errors", 32, 32);

    model.counters = errors_counters;
    model.n_counters = MACSTATS_COUNT_OF(errors_counters);
    return model;
}();

// An express and a preemptible MAC below a MAC Merge sublayer, each with counters of its own.
inline constexpr u16 merging_65_up = MACSTATS_SIZE_64_UP & ~MACSTATS_SIZE_64;

inline constexpr macstats_counter merging_counters[] = {
    {.name = "rx_emac_frames",
     .reg = "RX_EMAC",
     .offset = 0x00,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .mac = MACSTATS_MAC_EXPRESS,
     .when = {{.direction = MACSTATS_RX}},
     .standard = {{MACSTATS_STD_FRAMES_RECEIVED_OK, 1}},
     .help = "Frames that the express MAC received"},
    {.name = "rx_emac_64",
     .reg = "RX_EMAC_64",
     .offset = 0x04,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .mac = MACSTATS_MAC_EXPRESS,
     .when = {{.direction = MACSTATS_RX, .size = MACSTATS_SIZE_64}},
     .standard = {{MACSTATS_STD_HIST_RX, 1}},
     .help = "Frames of 64 octets that the express MAC received"},
    {.name = "rx_emac_65_up",
     .reg = "RX_EMAC_65",
     .offset = 0x08,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .mac = MACSTATS_MAC_EXPRESS,
     .when = {{.direction = MACSTATS_RX, .size = merging_65_up}},
     .standard = {{MACSTATS_STD_HIST_RX, 1}},
     .help = "Longer frames that the express MAC received"},
    {.name = "rx_pmac_frames",
     .reg = "RX_PMAC",
     .offset = 0x0c,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .mac = MACSTATS_MAC_PREEMPTIBLE,
     .when = {{.direction = MACSTATS_RX}},
     .standard = {{MACSTATS_STD_FRAMES_RECEIVED_OK, 1}},
     .help = "Frames that the preemptible MAC received"},
    {.name = "rx_pmac_64",
     .reg = "RX_PMAC_64",
     .offset = 0x10,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .mac = MACSTATS_MAC_PREEMPTIBLE,
     .when = {{.direction = MACSTATS_RX, .size = MACSTATS_SIZE_64}},
     .standard = {{MACSTATS_STD_HIST_RX, 1}},
     .help = "Frames of 64 octets that the preemptible MAC received"},
    {.name = "rx_pmac_65_up",
     .reg = "RX_PMAC_65",
     .offset = 0x14,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .mac = MACSTATS_MAC_PREEMPTIBLE,
     .when = {{.direction = MACSTATS_RX, .size = merging_65_up}},
     .standard = {{MACSTATS_STD_HIST_RX, 1}},
     .help = "Longer frames that the preemptible MAC received"},
    {.name = "rx_merge_errors",
     .reg = "RX_MERGE_ERRORS",
     .offset = 0x18,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .never = true,
     .errors_only = true,
     .standard =
         {{MACSTATS_STD_MAC_MERGE_FRAME_ASS_ERROR_COUNT, 1},
          {MACSTATS_STD_MAC_MERGE_FRAG_COUNT_RX, 1}},
     .help = "Frames that could not be assembled"},
    {.name = "rx_merge_fragments",
     .reg = "RX_MERGE_FRAGMENTS",
     .offset = 0x1c,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .never = true,
     .standard = {{MACSTATS_STD_MAC_MERGE_FRAG_COUNT_RX, 1}},
     .help = "Fragments behind the first one of a frame"},
    {.name = "tx_frames",
     .reg = "TX",
     .offset = 0x20,
     .bits = 32,
     .unit = MACSTATS_FRAMES,
     .when = {{.direction = MACSTATS_TX}},
     .standard = {{MACSTATS_STD_FRAMES_TRANSMITTED_OK, 1}},
     .help = "Frames that either MAC sent"},
};

inline constexpr macstats_model merging_model = [] {
    macstats_model model = synthetic("merging", 8, 32);

    model.counters = merging_counters;
    model.n_counters = MACSTATS_COUNT_OF(merging_counters);
    return model;
}();

MACSTATS_MODEL_END

} // namespace macstats::test

#endif // MACSTATS_TEST_SYNTHETIC_HPP
