// SPDX-License-Identifier: GPL-2.0
/* The models, compiled into the kernel once. */
#include <linux/export.h>
#include <linux/string.h>

#include <macstats/models.h>

#include "macstats.h"

const struct macstats_model *macstats_model_at(unsigned int i)
{
	return i < MACSTATS_COUNT_OF(macstats_models) ? macstats_models[i] : NULL;
}
EXPORT_SYMBOL_GPL(macstats_model_at);

const struct macstats_model *macstats_model_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_COUNT_OF(macstats_models); i++)
		if (!strcmp(macstats_models[i]->name, name))
			return macstats_models[i];
	return NULL;
}
EXPORT_SYMBOL_GPL(macstats_model_find);
