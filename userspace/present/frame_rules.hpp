// SPDX-License-Identifier: GPL-2.0 OR MIT
// The rules by which the rows of a model count frames, for people, and as JSON: enough for a
// program to work out what a frame adds to each counter.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <macstats/schema.h>
#include <nlohmann/json_fwd.hpp>

namespace macstats {

/// Bits of a register: {"register", "offset", "mask"}, or null for a mask of 0.
nlohmann::ordered_json bit_json(const macstats_model& model, const macstats_bit& bit);

/// The numbers of the bits that are set.
std::vector<unsigned int> bits_of(unsigned int mask);

/// The alternatives of a row. A member that matches any frame is left out.
nlohmann::ordered_json when_json(const macstats_model& model, std::span<const macstats_when> list);

/// The frames of a rule: "rx unicast data frames of 64 octets, with fcs or code".
std::string rule_text(const macstats_model& model, const macstats_when& when);

} // namespace macstats
