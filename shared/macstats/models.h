/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* The list of models. A new MAC is one header under model/ and one line here. */
#ifndef MACSTATS_MODELS_H
#define MACSTATS_MODELS_H

#include "model/ll40g.h"

MACSTATS_TABLE const struct macstats_model *const macstats_models[] = {
	&ll40g_model,
};

#endif /* MACSTATS_MODELS_H */
