// SPDX-License-Identifier: GPL-2.0 OR MIT
// The one file of the library that a change of a model compiles again.
#include <macstats/models.h>

#include "libmacstats/core/names.hpp"

namespace macstats {

std::span<const macstats_model* const> all_models() {
    return macstats_models;
}

} // namespace macstats
