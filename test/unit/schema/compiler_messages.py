#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0 OR MIT
"""A model that breaks a rule of rules.h does not compile, and both compilers name the row and
the rule: compiler_messages.py INCLUDE_DIRECTORY. A compiler that is not installed is left out."""

import shutil
import subprocess
import sys

# The change that breaks a model, and the parts of the message: model, row, rule, other row.
BROKEN = [
    ("", "", "b_overlap", ("rx_fcs_errors", "overlaps", "rx_jabbers")),
    ("help = nullptr", "", "b_help", ("rx_fcs_errors", "lacks a name or a help text", "")),
    ("name = \"rx_jabbers\"", "", "b_twice",
     ("rx_jabbers", "has the same name as", "rx_jabbers")),
    ("", "model.counters = nullptr", "b_table", ("counters", "is a table that is not set", "")),
    ("", "model.registers = maximum_registers", "b_maximum",
     ("one", "has too few bits for a frame of 1518 octets", "")),
]

SOURCE = """
#include <macstats/check.h>

MACSTATS_MODEL_BEGIN
#define TSE_ROW(name_, reg_, offset_, help_, ...) \\
	MACSTATS_ROW(name_, reg_, offset_, help_, .bits = 32, .unit = MACSTATS_FRAMES, __VA_ARGS__)

constexpr macstats_counter row(unsigned int i, unsigned char bits) {
	constexpr macstats_counter rows[] = {
		TSE_ROW("rx_jabbers", "etherStatsJabbers", 0x70, "Jabbers", MACSTATS_WHEN_RX()),
		TSE_ROW("rx_fcs_errors", "aFCSErrors", 0x74, "Bad frames", MACSTATS_WHEN_RX()),
	};
	macstats_counter one = rows[i];

	one.bits = bits;
	one.latch = bits > 32;
	return one;
}

#define TSE_REGISTERS(roles_) { \\
	MACSTATS_REGISTER(RW, "frm_length", 0x14, 1518, "Maximum frame length", .fields = { \\
		MACSTATS_FIELD(RW, "one", 0, 1, "A bit", .roles = roles_) }), \\
}
inline constexpr macstats_register registers[] = TSE_REGISTERS(0);
inline constexpr macstats_register maximum_registers[] = TSE_REGISTERS(MACSTATS_ROLE_MAX_FRAME_RX);

constexpr macstats_model model_of(const char* name, const macstats_counter* counters) {
	return {
		.name = name, .title = "a model for tests", .datasheet = "none",
		.ports = 1, .address_unit_bits = 8, .bus_bits = 32, .line_rate_bps = 1000000000,
		.counters = counters, .n_counters = 2, MACSTATS_ROWS(registers, registers),
		.blocks = { { .name = "all" } }, .n_blocks = 1,
		.sizes = { .edge = MACSTATS_RMON_EDGES },
		.min_frame_rx = 64, .min_frame_tx = 64,
		.data_overhead = 18, .control_overhead = 18,
		.options = MACSTATS_OPT_STATISTICS, .default_options = MACSTATS_OPT_STATISTICS,
	};
}
MACSTATS_MODEL_END
"""


def table_of(name, change):
    """Two rows of a model. Only where they overlap, the first has two words."""
    bits = 64 if name == "b_overlap" else 32
    change = f"one.{change};" if change else ""
    return f"""
constexpr macstats_counter {name}_row() {{ macstats_counter one = row(1, 32); {change}
	return one; }}
inline constexpr macstats_counter {name}_rows[] = {{ row(0, {bits}), {name}_row() }};
"""


def source():
    text = SOURCE
    for row_change, model_change, name, _ in BROKEN:
        change = f"{model_change};" if model_change else ""
        text += table_of(name, row_change)
        text += f"""
constexpr macstats_model {name}_made() {{
	macstats_model model = model_of("{name}", {name}_rows); {change} return model; }}
inline constexpr macstats_model {name} = {name}_made();
static_assert(macstats::model_holds<{name}>);
"""
    # A sound model compiles.
    return text + table_of("sound", "") + """
inline constexpr macstats_model sound = model_of("sound", sound_rows);
static_assert(macstats::model_holds<sound>);
"""


def expected(compiler, name, row, rule, other):
    if compiler == "g++":
        return f'"{name}: {row}: {rule}{" " + other if other else ""}"'
    return "rule_broken(" + ", ".join(
        f'&"{word}"[0]' for word in (name, row, rule, other)) + ")"


def main():
    failed = False
    for compiler in "g++", "clang++":
        if not shutil.which(compiler):
            print(f"skipped: {compiler} is not installed")
            continue
        result = subprocess.run(
            [compiler, "-std=c++20", "-fsyntax-only", "-I", sys.argv[1], "-x", "c++", "-"],
            input=source(), capture_output=True, text=True, check=False)
        for _, _, name, words in BROKEN:
            wanted = expected(compiler, name, *words)
            # g++ quotes what it prints in the words of the locale.
            if result.returncode == 0 or wanted not in result.stderr:
                print(f"{compiler} does not print {wanted}")
                failed = True
        if '"sound' in result.stderr or "<sound" in result.stderr:
            print(f"{compiler} rejects a model that breaks no rule")
            failed = True
        if failed:
            print(result.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
