// SPDX-License-Identifier: GPL-2.0
/* Checks of what a driver passes for a port. */
#include <linux/ctype.h>
#include <linux/ethtool.h>
#include <linux/netdevice.h>
#include <linux/printk.h>
#include <linux/regmap.h>
#include <linux/string.h>

#include <macstats/rules.h>

#include "../compat.h"
#include "internal.h"

/* The longest text of a model: a netlink message has room for several. */
#define MACSTATS_TEXT_MAX	511

/* Log why a port is not registered. */
void macstats_config_error(const struct macstats_port_config *config, const char *format, ...)
{
	struct va_format text;
	va_list args;

	va_start(args, format);
	text.fmt = format;
	text.va = &args;
	if (config->netdev)
		netdev_err(config->netdev, "no statistics: %pV\n", &text);
	else if (config->dev)
		dev_err(config->dev, "no statistics: %pV\n", &text);
	else
		pr_err("no statistics: %pV\n", &text);
	va_end(args);
}

/* Log why a config is rejected. Return: -EINVAL. */
#define macstats_config_reject(config, format, ...)			\
({									\
	macstats_config_error(config, format, ##__VA_ARGS__);		\
	-EINVAL;							\
})

static struct regmap *macstats_config_regmap(const struct macstats_port_config *config,
					     unsigned int region)
{
	return config->regmaps ? config->regmaps[region] : config->regmap;
}

/* The address in its regmap of a register at @address from the base of the device. */
static u32 macstats_config_address(const struct macstats_port_config *config,
				   unsigned int region, u32 address)
{
	return config->regmaps ? address - macstats_region_first(config->model, region) : address;
}

/* How a message names the regmap of a region. */
static const char *macstats_config_region(const struct macstats_port_config *config,
					  unsigned int region)
{
	return config->regmaps && config->model->n_regions ?
	       config->model->regions[region].name : "the device";
}

/* Check a model that a driver brings along by the rules that the others keep. */
static int macstats_config_check_rules(const struct macstats_port_config *config)
{
	const struct macstats_model *model = config->model;
	struct macstats_finding finding;

	if (macstats_model_is_known(model))
		return 0;
	finding = macstats_find_violation(model);
	if (finding.rule)
		return macstats_config_reject(config, "model: %s: %s: %s%s%s",
					      macstats_finding_model(model),
					      macstats_finding_row(model, &finding),
					      macstats_rule_texts[finding.rule],
					      *finding.other ? " " : "", finding.other);
	if (strlen(model->name) > MACSTATS_MODEL_NAME_LEN)
		return macstats_config_reject(config,
					      "model: %s: its name has %zu characters, %u are possible",
					      model->name, strlen(model->name),
					      MACSTATS_MODEL_NAME_LEN);
	if (macstats_model_longest_text(model) > MACSTATS_TEXT_MAX)
		return macstats_config_reject(config,
					      "model: %s: a text has %zu octets, %u are possible",
					      model->name, macstats_model_longest_text(model),
					      MACSTATS_TEXT_MAX);
	return 0;
}

static int macstats_config_check_model(const struct macstats_port_config *config)
{
	const struct macstats_model *model = config->model;
	int err;

	if (!config->netdev && !config->dev)
		return macstats_config_reject(config, "netdev and dev are missing");
	if (!model)
		return macstats_config_reject(config, "model is missing");
	err = macstats_config_check_rules(config);
	if (err)
		return err;
	if (model->bus_bits > 32)
		return macstats_config_reject(config,
					      "model: registers of %s have %u bits, 32 are possible",
					      model->name, model->bus_bits);
	if (config->line_rate_bps && !macstats_line_rate_is_possible(config->line_rate_bps))
		return macstats_config_reject(config,
					      "line_rate_bps: %llu is not possible, %llu to %llu are",
					      config->line_rate_bps, MACSTATS_LINE_RATE_MIN_BPS,
					      MACSTATS_LINE_RATE_MAX_BPS);
	if (config->index >= model->ports)
		return macstats_config_reject(config, "index: %u is no port of %s, which has %u",
					      config->index, model->name, model->ports);
	return 0;
}

static bool macstats_config_has_functions(const struct macstats_port_config *config)
{
	return config->ops && config->ops->reg_read;
}

/* Check that the driver gives one way to the registers. */
static int macstats_config_check_given(const struct macstats_port_config *config)
{
	const struct macstats_port_ops *ops = config->ops;
	unsigned int i;

	if (ops && !ops->reg_read != !ops->reg_write)
		return macstats_config_reject(config, "ops: %s is missing",
					      ops->reg_read ? "reg_write" : "reg_read");
	if (ops && ops->reg_update_bits && !ops->reg_read)
		return macstats_config_reject(config, "ops: reg_read is missing");
	if (config->regmap && config->regmaps)
		return macstats_config_reject(config,
					      "the driver gives regmap and regmaps, one is accepted");
	if (macstats_config_has_functions(config)) {
		if (config->regmap || config->regmaps)
			return macstats_config_reject(config,
						      "the driver gives %s and reg_read, one is accepted",
						      config->regmap ? "regmap" : "regmaps");
		return 0;
	}
	if (IS_ERR(config->regmap) || (!config->regmap && !config->regmaps))
		return macstats_config_reject(config,
					      "the driver gives neither regmap nor regmaps nor reg_read");
	for (i = 0; config->regmaps && i < macstats_region_count(config->model); i++)
		if (IS_ERR_OR_NULL(config->regmaps[i]))
			return macstats_config_reject(config, "regmaps[%u] is missing, of %s", i,
						      macstats_config_region(config, i));
	return 0;
}

/* The last address that the port has in the regmap of a region; 0: none. */
static u32 macstats_config_last(const struct macstats_port_config *config, unsigned int region)
{
	const struct macstats_model *model = config->model;
	unsigned int n = config->without_counters ? 0 : macstats_register_counters(model);
	u32 base = config->index * model->port_stride;
	u32 last = 0;
	unsigned int i;

	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &model->counters[i];
		u32 words = macstats_words(model, counter);

		if (macstats_region_at(model, counter->offset) == region)
			last = max(last, macstats_counter_address(model, counter, base) +
					 (words - 1) * macstats_word_step(model));
	}
	for (i = 0; i < model->n_registers; i++) {
		const struct macstats_register *reg = &model->registers[i];

		if (!(config->without_counters && reg->statistics_only) &&
		    macstats_region_at(model, reg->offset) == region)
			last = max(last, base + reg->offset);
	}
	return last ? macstats_config_address(config, region, last) : 0;
}

static int macstats_config_check_region(const struct macstats_port_config *config,
					unsigned int region)
{
	struct regmap *regmap = macstats_config_regmap(config, region);
	const char *name = macstats_config_region(config, region);
	u32 last = macstats_config_last(config, region);
	const struct macstats_model *model = config->model;
	int max_register = regmap_get_max_register(regmap);
	int val_bits = 8 * max(regmap_get_val_bytes(regmap), 0);
	int stride = regmap_get_reg_stride(regmap);
	int step = macstats_word_step(model);

	if (val_bits != model->bus_bits)
		return macstats_config_reject(config,
					      "regmap of %s: val_bits is %d, %s requires %u",
					      name, val_bits, model->name, model->bus_bits);
	/* Reads of several words go up by the stride. */
	if (stride != step)
		return macstats_config_reject(config,
					      "regmap of %s: reg_stride is %d, %s requires %d",
					      name, stride, model->name, step);
	/* A regmap may state no end. */
	if (max_register >= 0 && last > max_register)
		return macstats_config_reject(config,
					      "regmap of %s: max_register is %#x, %s requires %#x",
					      name, max_register, model->name, last);
	return 0;
}

static int macstats_config_check_regmaps(const struct macstats_port_config *config)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < macstats_region_count(config->model); i++)
		err = macstats_config_check_region(config, i);
	return err;
}

#ifdef HAVE_REGCACHE_REG_CACHED
/* Check whether the regmap has a copy of the register at @offset, which is now at @address. */
static bool macstats_config_is_cached(const struct macstats_port_config *config, u32 offset,
				      u32 address)
{
	int region = macstats_region_at(config->model, offset);

	return regcache_reg_cached(macstats_config_regmap(config, region),
				   macstats_config_address(config, region, address));
}
#else
static bool macstats_config_is_cached(const struct macstats_port_config *config, u32 offset,
				      u32 address)
{
	return false;
}
#endif

/* Check whether a poll must see the hardware's own value of the register at @offset. */
static bool macstats_config_is_polled(const struct macstats_model *model, u32 offset)
{
	unsigned int i;

	if ((model->gate.mask && model->gate.offset == offset) ||
	    (model->busy.mask && model->busy.offset == offset))
		return true;
	for (i = 0; i < model->n_identity; i++)
		if (model->identity[i].offset == offset)
			return true;
	for (i = 0; i < model->n_blocks; i++) {
		const struct macstats_block *block = &model->blocks[i];

		if ((block->snapshot_request.mask && block->snapshot_request.offset == offset) ||
		    (block->snapshot_granted.mask && block->snapshot_granted.offset == offset) ||
		    (block->parity_error.mask && block->parity_error.offset == offset))
			return true;
	}
	return false;
}

/*
 * Check that no counter, and no register with the state of the hardware, is in a cache. A cache
 * may get a register at its first read, so call this after the first poll, too. Kernels before
 * 6.6 have no such check. Return: 0, or -EINVAL; then the log names the register.
 */
int macstats_config_check_caches(const struct macstats_port_config *config)
{
	const struct macstats_model *model = config->model;
	unsigned int n = macstats_register_counters(model);
	u32 base = config->index * model->port_stride;
	unsigned int i;

	if (macstats_config_has_functions(config))
		return 0;
	for (i = 0; i < n; i++) {
		const struct macstats_counter *counter = &model->counters[i];

		if (macstats_config_is_cached(config, counter->offset,
					      macstats_counter_address(model, counter, base)))
			return macstats_config_reject(config, "regmap: %s is cached",
						      counter->reg);
	}
	for (i = 0; i < model->n_registers; i++) {
		u32 offset = model->registers[i].offset;

		if (macstats_config_is_polled(model, offset) &&
		    macstats_config_is_cached(config, offset, base + offset))
			return macstats_config_reject(config, "regmap: %s is cached",
						      model->registers[i].name);
	}
	return 0;
}

/* Let the config refer to a model that outlives the driver. */
static int macstats_config_keep_model(struct macstats_port_config *config)
{
	const struct macstats_model *model = macstats_model_keep(config->model);

	if (PTR_ERR(model) == -EEXIST)
		return macstats_config_reject(config,
					      "model: another model is known as %s: rename one, or load macstats anew",
					      config->model->name);
	if (IS_ERR(model))
		return PTR_ERR(model);
	config->model = model;
	return 0;
}

static bool macstats_is_printable(const char *string)
{
	for (; *string; string++)
		if (!isascii(*string) || !isprint(*string))
			return false;
	return true;
}

static int macstats_config_check_alias(const struct macstats_port_config *config, unsigned int n)
{
	const struct macstats_alias *alias = &config->aliases[n];
	unsigned int i;

	if (!alias->string || !*alias->string)
		return macstats_config_reject(config, "aliases[%u]: string is missing", n);
	if (strlen(alias->string) > ETH_GSTRING_LEN)
		return macstats_config_reject(config,
					      "aliases[%u]: string has %zu characters, at most %u are supported",
					      n, strlen(alias->string), ETH_GSTRING_LEN);
	if (!macstats_is_printable(alias->string))
		return macstats_config_reject(config,
					      "aliases[%u]: string has a character that is not printable",
					      n);
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

/* Check whether ethtool -S lists a counter by its own name. The aliases were checked. */
static bool macstats_config_lists(const struct macstats_port_config *config, unsigned int counter)
{
	const struct macstats_model *model = config->model;
	unsigned int i;

	if (config->private_only && macstats_has_standard(model, counter))
		return false;
	for (i = 0; i < config->n_aliases; i++) {
		const struct macstats_alias *alias = &config->aliases[i];

		if (!strcmp(alias->string, model->counters[counter].name) ||
		    (!alias->regs[1] && macstats_model_counter(model, alias->regs[0]) == counter))
			return false;
	}
	return true;
}

static bool macstats_is_same_metric(const struct macstats_metric_name *name, const char *string)
{
	struct macstats_metric_name other;

	macstats_rename(&other, string);
	return !strcmp(name->text, other.text);
}

/* What else ethtool -S lists with the name of an alias in metrics: the string, or NULL. */
static const char *macstats_config_twin(const struct macstats_port_config *config, unsigned int n)
{
	const struct macstats_counter *counters = config->model->counters;
	struct macstats_metric_name name;
	unsigned int i;

	macstats_rename(&name, config->aliases[n].string);
	for (i = 0; i < n; i++)
		if (macstats_is_same_metric(&name, config->aliases[i].string))
			return config->aliases[i].string;
	for (i = 0; i < config->model->n_counters; i++)
		if (macstats_is_same_metric(&name, counters[i].name) &&
		    macstats_config_lists(config, i))
			return counters[i].name;
	return NULL;
}

static int macstats_config_check_aliases(const struct macstats_port_config *config)
{
	unsigned int i;
	int err = 0;

	if (config->n_aliases && !config->aliases)
		return macstats_config_reject(config, "aliases is missing");
	if (config->n_aliases > MACSTATS_MAX_COUNTERS)
		return macstats_config_reject(config, "n_aliases: %u, at most %u are supported",
					      config->n_aliases, MACSTATS_MAX_COUNTERS);
	for (i = 0; !err && i < config->n_aliases; i++)
		err = macstats_config_check_alias(config, i);
	for (i = 0; !err && i < config->n_aliases; i++) {
		const char *twin = macstats_config_twin(config, i);

		if (twin)
			err = macstats_config_reject(config,
						     "aliases[%u]: %s has the same name in metrics as %s",
						     i, config->aliases[i].string, twin);
	}
	return err;
}

/*
 * Check a config. Accesses no hardware. May sleep. Return: 0; then config->model may be another
 * one that is the same. -EINVAL: the log names the field. -ENOMEM.
 */
int macstats_config_check(struct macstats_port_config *config)
{
	int err;

	err = macstats_config_check_model(config);
	if (!err)
		err = macstats_config_check_given(config);
	if (!err)
		err = macstats_config_check_aliases(config);
	if (!err && !macstats_config_has_functions(config))
		err = macstats_config_check_regmaps(config);
	if (!err)
		err = macstats_config_check_caches(config);
	return err ?: macstats_config_keep_model(config);
}
