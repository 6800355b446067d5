/* SPDX-License-Identifier: GPL-2.0 */
/* The test driver's own model, changed so that the provider would read beyond an array. */
#ifndef MACSTATS_TEST_BROKEN_MODEL_H
#define MACSTATS_TEST_BROKEN_MODEL_H

#include <linux/kernel.h>
#include <linux/string.h>

#include "own_model.h"

static struct macstats_model broken_model;
static struct macstats_descriptor broken_descriptor;
static struct macstats_counter broken_counters[ARRAY_SIZE(own_counters)];
static struct macstats_register broken_registers[ARRAY_SIZE(own_registers)];
static char broken_text[513];

/* By name: a change, each of one thing. */
#define TEST_BREAKS(X)							\
	X(no_name, broken_model.name = NULL)				\
	X(long_name, broken_model.name = &broken_text[512 - 64])	\
	X(no_title, broken_model.title = "")				\
	X(long_datasheet, broken_model.datasheet = broken_text)		\
	X(no_counters, broken_model.n_counters = 0)			\
	X(counters, broken_model.n_counters = MACSTATS_MAX_COUNTERS + 1)	\
	X(registers, broken_model.n_registers = MACSTATS_MAX_REGISTERS + 1)	\
	X(no_blocks, broken_model.n_blocks = 0)				\
	X(blocks, broken_model.n_blocks = MACSTATS_MAX_BLOCKS + 1)	\
	X(reserved, broken_model.n_reserved = MACSTATS_MAX_RESERVED + 1)	\
	X(regions, broken_model.n_regions = MACSTATS_MAX_REGIONS + 1)	\
	X(no_counter_table, broken_model.counters = NULL)		\
	X(no_register_table, broken_model.registers = NULL)		\
	X(no_tx_status_table, broken_descriptor.n_tx_status = 1)	\
	X(no_rx_status_table, broken_descriptor.n_rx_status = 1)	\
	X(wide_bus, broken_model.bus_bits = 64)				\
	X(no_unit, broken_model.address_unit_bits = 0)			\
	X(no_rate, broken_model.line_rate_bps = 0)			\
	X(register_block, broken_registers[0].block = 1)		\
	X(no_help, broken_counters[1].help = NULL)			\
	X(no_reg, broken_counters[1].reg = "")				\
	X(long_help, broken_counters[1].help = broken_text)		\
	X(no_bits, broken_counters[1].bits = 0)				\
	X(many_bits, broken_counters[1].bits = 65)			\
	X(block, broken_counters[1].block = 1)				\
	X(stride, broken_counters[1].port_stride = 4)			\
	X(size, broken_counters[1].when[2].size = 1 << (MACSTATS_MAX_EDGES + 1))	\
	X(standard, broken_counters[1].standard[7].id = MACSTATS_STD_COUNT)

#define TEST_BREAK(name_, change) (!strcmp(name, #name_) && ((change), true)),

/* The model with the change of this name, or NULL for no such change. */
static const struct macstats_model *test_break(const char *name)
{
	broken_model = own_model;
	broken_descriptor = macstats_no_descriptor;
	memcpy(broken_counters, own_counters, sizeof(own_counters));
	memcpy(broken_registers, own_registers, sizeof(own_registers));
	memset(broken_text, 'x', sizeof(broken_text) - 1);
	broken_model.descriptor = &broken_descriptor;
	broken_model.counters = broken_counters;
	broken_model.registers = broken_registers;

	const bool made[] = { TEST_BREAKS(TEST_BREAK) };

	return memchr(made, true, sizeof(made)) ? &broken_model : NULL;
}

#endif /* MACSTATS_TEST_BROKEN_MODEL_H */
