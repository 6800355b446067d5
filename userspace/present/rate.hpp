// SPDX-License-Identifier: GPL-2.0 OR MIT
// Rates in words.
#pragma once

#include <optional>
#include <string>

#include <macstats/schema.h>

namespace macstats {

/// "12.5 frames/s", "9.87 Gbit/s": a rate of octets is shown in bits per second.
/// Without a unit, nothing is in its place.
std::string rate_text(double per_second, std::optional<macstats_unit> unit);

} // namespace macstats
