/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The list of models. A new MAC is one header under model/, included and listed here. */
#ifndef MACSTATS_MODELS_H
#define MACSTATS_MODELS_H

#include "model/altera_tse.h"
#include "model/alx.h"
#include "model/am65_cpsw.h"
#include "model/cpsw.h"
#include "model/dwmac_mmc.h"
#include "model/e1000.h"
#include "model/e1000e.h"
#include "model/gem.h"
#include "model/ixf1104.h"
#include "model/k1_emac.h"
#include "model/lan743x.h"
#include "model/ll40g.h"
#include "model/ll40g_agilex5.h"
#include "model/mt7530.h"
#include "model/netc.h"
#include "model/rc32438.h"
#include "model/rtl_tally.h"
#include "model/unimac.h"

#ifdef __KERNEL__
#include <linux/stddef.h>
#else
#include <stddef.h>
#endif

/* Models of somebody else: a header that defines MACSTATS_EXTRA_MODEL_LIST, "&a_model," */
#ifdef MACSTATS_EXTRA_MODELS
#include MACSTATS_EXTRA_MODELS
#else
#define MACSTATS_EXTRA_MODEL_LIST
#endif

/* Each C++ file has its own: a program and a library may have other extra models. */
#ifdef __cplusplus
constexpr
#else
MACSTATS_TABLE
#endif
const struct macstats_model *const macstats_models[] = {
	&ll40g_model,
	&ll40g_agilex5_model,
	&rc32438_model,
	&cpsw_model,
	&ixf1104_model,
	&e1000_model,
	&e1000e_model,
	&gem_model,
	&k1_emac_model,
	&lan743x_model,
	&mt7530_model,
	&rtl_tally_model,
	&unimac_model,
	&am65_cpsw_model,
	&dwmac_mmc_model,
	&dwmac4_mmc_model,
	&dwxgmac_mmc_model,
	&alx_model,
	&altera_tse_model,
	&netc_model,
	MACSTATS_EXTRA_MODEL_LIST
};

#ifndef __cplusplus
/* The model of the list with this name, or NULL. */
static inline const struct macstats_model *macstats_listed_model(const char *name)
{
	unsigned int i;

	for (i = 0; i < MACSTATS_COUNT_OF(macstats_models); i++)
		if (!__builtin_strcmp(macstats_models[i]->name, name))
			return macstats_models[i];
	return NULL;
}
#endif

#endif /* MACSTATS_MODELS_H */
