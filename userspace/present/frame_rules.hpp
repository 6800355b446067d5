// SPDX-License-Identifier: GPL-2.0 OR MIT
// The rules by which the rows of a model count frames, as JSON: enough for a program to work
// out what a frame adds to each counter.
#pragma once

#include <string_view>

#include <macstats/schema.h>
#include <nlohmann/json_fwd.hpp>

namespace macstats {

/// Bits of a register: {"register", "offset", "mask"}, or null for a mask of 0.
nlohmann::ordered_json bit_json(const macstats_model& model, const macstats_bit& bit);

/// The alternatives of a row, without those behind the end of the list. A member that
/// matches any frame is left out.
nlohmann::ordered_json
when_json(const macstats_model& model, const macstats_when (&when)[MACSTATS_MAX_WHEN]);

/// The amount that one frame adds to the counter.
std::string_view amount_of(const macstats_counter& counter);

/// The statuses of descriptors that a software counter counts; null for a register.
nlohmann::ordered_json from_status_json(const macstats_counter& counter);

/// The size classes: {"edges", "tagged_edges"}.
nlohmann::ordered_json sizes_json(const macstats_model& model);

/// Octets of a frame that are not payload: {"data", "control", "variant_control"}.
nlohmann::ordered_json overhead_json(const macstats_model& model);

} // namespace macstats
