// SPDX-License-Identifier: GPL-2.0 OR MIT
#pragma once

#include <vector>

#include <macstats/poll.h>
#include <macstats/standard.h>

#include "libmacstats/core/statistics.hpp"

namespace macstats {

/// The standard statistics other than histograms of a port that @acc reads, ascending.
std::vector<StandardValue>
standard_totals(const macstats_standard& standard, const macstats_accumulator& acc);

} // namespace macstats
