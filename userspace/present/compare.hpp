// SPDX-License-Identifier: GPL-2.0 OR MIT
// The statistics of two ports side by side.
#pragma once

#include <string>

#include "present/show.hpp"
#include "present/view.hpp"

namespace macstats {

/// A heading for each port, and a line for each total or standard statistic that one of them
/// has: both values, "-" where a port has none, and the difference, which is that of @second
/// less that of @first. Counters are the same if their names are.
std::string compare_text(const PortView& first, const PortView& second, const ShowOptions& options);

} // namespace macstats
