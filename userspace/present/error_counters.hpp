// SPDX-License-Identifier: GPL-2.0 OR MIT
// Which counters and statistics are about errors.
#pragma once

#include <macstats/schema.h>

namespace macstats {

/// Whether a statistic of enum macstats_standard_id counts errors, by the definitions of IEEE
/// 802.3 clause 30, RFC 2819 and the kernel's rtnl_link_stats64.
bool is_error_statistic(unsigned int id);

/// Whether a counter counts errors only: frames with errors, of a wrong size, dropped or
/// aborted. Derived from its rules; without rules, from those of the descriptor status
/// that feeds it and from its standard statistics, unless the row states it (errors_only).
bool counts_errors(const macstats_model& model, const macstats_counter& counter);

} // namespace macstats
