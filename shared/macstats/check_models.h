/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Including this header checks every model of models.h, see check.h. It is empty in C. */
#ifndef MACSTATS_CHECK_MODELS_H
#define MACSTATS_CHECK_MODELS_H

#ifdef __cplusplus

#include <cstddef>
#include <iterator>
#include <utility>

#include "check.h"
#include "models.h"

namespace macstats {

template <std::size_t... Index>
constexpr bool all_models_hold(std::index_sequence<Index...>) {
    return (model_holds<*macstats_models[Index]> && ...);
}

static_assert(all_models_hold(std::make_index_sequence<std::size(macstats_models)>{}));

} /* namespace macstats */

#endif /* __cplusplus */
#endif /* MACSTATS_CHECK_MODELS_H */
