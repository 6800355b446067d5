// SPDX-License-Identifier: GPL-2.0 OR MIT
// Rates and large totals in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <macstats/schema.h>

namespace macstats {

/// "12.5 frames/s", "9.87 Gbit/s": a rate of octets is shown in bits per second.
/// Without a unit, nothing is in its place.
std::string rate_text(double per_second, std::optional<macstats_unit> unit);

/// "419.1 kB", "12.35 Mframes": a total of five and more digits in a larger unit; "" for
/// smaller ones.
std::string scaled_text(std::uint64_t total, std::optional<macstats_unit> unit);

} // namespace macstats
