// SPDX-License-Identifier: GPL-2.0
/* Checks of what a driver passes for a port. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/printk.h>
#include <linux/regmap.h>
#include <linux/string.h>

#include "../compat.h"
#include "internal.h"

/* The longest name of a model, and text of it: netlink messages have room for them. */
#define MACSTATS_MODEL_NAME_LEN	63
#define MACSTATS_TEXT_MAX	511

/* Log why a port is not registered. */
void macstats_config_error(const struct macstats_port_config *config, const char *format, ...)
{
	const struct macstats_model *model = config->model;
	struct va_format text;
	va_list args;

	va_start(args, format);
	text.fmt = format;
	text.va = &args;
	if (config->netdev)
		netdev_err(config->netdev, "no statistics: %pV\n", &text);
	else
		pr_err("%s: no statistics: %pV\n", model && model->name ? model->name : "a port",
		       &text);
	va_end(args);
}

/* Log why a config is rejected. Return: -EINVAL. */
#define macstats_config_reject(config, format, ...)			\
({									\
	macstats_config_error(config, format, ##__VA_ARGS__);		\
	-EINVAL;							\
})

static bool macstats_is_text(const char *text, size_t most)
{
	return text && *text && strnlen(text, most + 1) <= most;
}

/* What could make the code that reads a counter read beyond an array, or NULL. */
static const char *macstats_counter_fault(const struct macstats_model *model,
					  const struct macstats_counter *counter)
{
	unsigned int i;

	if (!macstats_is_text(counter->name, MACSTATS_TEXT_MAX) ||
	    !macstats_is_text(counter->reg, MACSTATS_TEXT_MAX) ||
	    !macstats_is_text(counter->help, MACSTATS_TEXT_MAX))
		return "a text is missing or too long";
	if (!counter->bits || counter->bits > 64)
		return "bits is not 1 to 64";
	if (counter->block >= model->n_blocks)
		return "block is no block of the model";
	if (counter->port_stride && !model->port_stride)
		return "port_stride needs that of the model";
	for (i = 0; i < ARRAY_SIZE(counter->when); i++)
		if (counter->when[i].size >> (MACSTATS_MAX_EDGES + 1))
			return "size is no size class";
	for (i = 0; i < ARRAY_SIZE(counter->standard); i++)
		if (counter->standard[i].id >= MACSTATS_STD_COUNT)
			return "standard is no standard statistic";
	return NULL;
}

/* The same of the model as a whole. */
static const char *macstats_model_fault(const struct macstats_model *model)
{
	const struct macstats_descriptor *descriptor = macstats_descriptor_of(model);
	unsigned int i;

	if (!macstats_is_text(model->name, MACSTATS_MODEL_NAME_LEN) ||
	    !macstats_is_text(model->title, MACSTATS_TEXT_MAX) ||
	    !macstats_is_text(model->datasheet, MACSTATS_TEXT_MAX))
		return "a text is missing or too long";
	if (!model->n_counters || model->n_counters > MACSTATS_MAX_COUNTERS ||
	    model->n_registers > MACSTATS_MAX_REGISTERS ||
	    !model->n_blocks || model->n_blocks > MACSTATS_MAX_BLOCKS ||
	    model->n_reserved > MACSTATS_MAX_RESERVED ||
	    model->n_regions > MACSTATS_MAX_REGIONS)
		return "a table has no rows, or more than MACSTATS_MAX_*";
	if (!model->counters || (model->n_registers && !model->registers) ||
	    (descriptor->n_tx_status && !descriptor->tx_status) ||
	    (descriptor->n_rx_status && !descriptor->rx_status))
		return "a table is missing";
	if (model->bus_bits != 8 && model->bus_bits != 16 && model->bus_bits != 32)
		return "bus_bits is not 8, 16 or 32";
	if (!model->address_unit_bits)
		return "address_unit_bits is 0";
	if (!macstats_line_rate_is_possible(model->line_rate_bps))
		return "line_rate_bps is not possible";
	for (i = 0; i < model->n_registers; i++)
		if (model->registers[i].block >= model->n_blocks)
			return "block of a register is no block of the model";
	return NULL;
}

/*
 * Check what keeps this module from reading beyond an array. The rest is a matter of the compiler,
 * see check.h: a model is trusted as the driver is.
 */
int macstats_config_check_model(const struct macstats_port_config *config)
{
	const struct macstats_model *model = config->model;
	const char *fault;
	unsigned int i;

	if (!model)
		return macstats_config_reject(config, "model is missing");
	fault = macstats_model_fault(model);
	if (fault)
		return macstats_config_reject(config, "model: %.63s: %s", model->name, fault);
	for (i = 0; i < model->n_counters; i++) {
		fault = macstats_counter_fault(model, &model->counters[i]);
		if (fault)
			return macstats_config_reject(config, "model: %s: counters[%u]: %s",
						      model->name, i, fault);
	}
	return 0;
}

static bool macstats_config_has_functions(const struct macstats_port_config *config)
{
	return config->ops && config->ops->reg_read;
}

/* Does the provider write registers of this model? */
static bool macstats_config_writes(const struct macstats_model *model)
{
	return macstats_used_roles(model) &
	       (MACSTATS_ROLE_GATE | MACSTATS_ROLE_SNAPSHOT_REQUEST | MACSTATS_ROLE_DUMP |
		MACSTATS_ROLE_WINDOW_INDEX | MACSTATS_ROLE_WINDOW_START |
		MACSTATS_ROLE_CLEAR | MACSTATS_ROLE_PARITY_CLEAR);
}

/* Check that the port is one of the model, and that the driver gives one way to its registers. */
static int macstats_config_check_given(const struct macstats_port_config *config)
{
	const struct macstats_port_ops *ops = config->ops;
	const struct macstats_model *model = config->model;

	if (config->line_rate_bps && config->line_rate_bps != MACSTATS_NO_LINE_RATE &&
	    !macstats_line_rate_is_possible(config->line_rate_bps))
		return macstats_config_reject(config,
					      "line_rate_bps: %llu is not possible, %llu to %llu are",
					      config->line_rate_bps, MACSTATS_LINE_RATE_MIN_BPS,
					      MACSTATS_LINE_RATE_MAX_BPS);
	if (config->index >= model->ports)
		return macstats_config_reject(config, "index: %u is no port of %s, which has %u",
					      config->index, model->name, model->ports);
	if (config->flags & ~MACSTATS_PORT_FLAGS)
		return macstats_config_reject(config, "flags: %#x is not supported",
					      config->flags & ~MACSTATS_PORT_FLAGS);
	if (ops && ops->put && !ops->get)
		return macstats_config_reject(config, "ops: get is missing");
	if (ops && ops->reg_update_bits && !ops->reg_read)
		return macstats_config_reject(config, "ops: reg_read is missing");
	if (ops && ops->reg_read && !ops->reg_update_bits && macstats_config_writes(model))
		return macstats_config_reject(config, "ops: reg_update_bits is missing");
	if ((config->flags & MACSTATS_PORT_FAST_IO) && ops && ops->get)
		return macstats_config_reject(config,
					      "MACSTATS_PORT_FAST_IO: not with ops.get, which may sleep");
	if (config->regmap && macstats_config_has_functions(config))
		return macstats_config_reject(config,
					      "the driver gives regmap and reg_read, one is accepted");
	if (IS_ERR_OR_NULL(config->regmap) && !macstats_config_has_functions(config))
		return macstats_config_reject(config,
					      "the driver gives neither regmap nor reg_read");
	return 0;
}

static int macstats_config_check_regmap(const struct macstats_port_config *config)
{
	const struct macstats_model *model = config->model;
	struct regmap *regmap = config->regmap;
	int val_bits = 8 * max(regmap_get_val_bytes(regmap), 0);
	int stride = regmap_get_reg_stride(regmap);
	int step = macstats_word_step(model);

	if (val_bits != model->bus_bits)
		return macstats_config_reject(config, "regmap: val_bits is %d, %s requires %u",
					      val_bits, model->name, model->bus_bits);
	/* Reads of several words go up by the stride. */
	if (stride != step)
		return macstats_config_reject(config, "regmap: reg_stride is %d, %s requires %d",
					      stride, model->name, step);
	if ((config->flags & MACSTATS_PORT_FAST_IO) && macstats_regmap_might_sleep(regmap))
		return macstats_config_reject(config,
					      "MACSTATS_PORT_FAST_IO: the regmap may sleep");
	return 0;
}

/* Find a counter by its name in the datasheet. Return: its index, or -ENOENT. */
int macstats_model_counter(const struct macstats_model *model, const char *reg)
{
	unsigned int i;

	for (i = 0; i < model->n_counters; i++)
		if (!strcmp(model->counters[i].reg, reg))
			return i;
	return -ENOENT;
}

/*
 * An alias that is too long, or of counters that do not exist, would lead beyond an array. One of
 * no counters would show 0 for something that nothing counts.
 */
static int macstats_config_check_alias(const struct macstats_port_config *config, unsigned int n)
{
	const struct macstats_alias *alias = &config->aliases[n];
	unsigned int i;

	if (strlen(alias->string) > ETH_GSTRING_LEN)
		return macstats_config_reject(config,
					      "aliases[%u]: string has %zu characters, at most %u are supported",
					      n, strlen(alias->string), ETH_GSTRING_LEN);
	if (!alias->regs[0])
		return macstats_config_reject(config, "aliases[%u]: %s names no counter", n,
					      alias->string);
	for (i = 0; i < ARRAY_SIZE(alias->regs) && alias->regs[i]; i++)
		if (macstats_model_counter(config->model, alias->regs[i]) < 0)
			return macstats_config_reject(config,
						      "aliases[%u]: %s: %s has no counter %s", n,
						      alias->string, config->model->name,
						      alias->regs[i]);
	return 0;
}

/*
 * Check the rest of a config. Accesses no hardware. Return: 0, or -EINVAL; then the log names the
 * field.
 */
int macstats_config_check(const struct macstats_port_config *config)
{
	unsigned int i;
	int err;

	err = macstats_config_check_given(config);
	for (i = 0; !err && config->aliases && config->aliases[i].string; i++)
		err = macstats_config_check_alias(config, i);
	if (!err && config->aliases && config->aliases[i].regs[0])
		err = macstats_config_reject(config, "aliases[%u]: string is missing", i);
	if (!err && !macstats_config_has_functions(config))
		err = macstats_config_check_regmap(config);
	return err;
}
