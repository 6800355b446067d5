// SPDX-License-Identifier: GPL-2.0
/* The models, compiled into the kernel once. */
#include <linux/export.h>
#include <linux/string.h>

#include <macstats/models.h>

#include "macstats.h"

/**
 * macstats_model_at() - a model by its position
 * @i: the position, from 0
 *
 * Context: any.
 * Return: the model, or NULL after the last.
 */
const struct macstats_model *macstats_model_at(unsigned int i)
{
	return i < MACSTATS_COUNT_OF(macstats_models) ? macstats_models[i] : NULL;
}
EXPORT_SYMBOL_GPL(macstats_model_at);

/**
 * macstats_model_find() - a model by its name
 * @name: the name
 *
 * Context: any.
 * Return: the model, or NULL.
 */
const struct macstats_model *macstats_model_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_COUNT_OF(macstats_models); i++)
		if (!strcmp(macstats_models[i]->name, name))
			return macstats_models[i];
	return NULL;
}
EXPORT_SYMBOL_GPL(macstats_model_find);
