// SPDX-License-Identifier: GPL-2.0 OR MIT
// Decoded register dumps, as JSON and as text.
#pragma once

#include <string>

#include <macstats/schema.h>
#include <nlohmann/json_fwd.hpp>

#include "libmacstats/device/registers.hpp"

namespace macstats {

/// {"model", "port_index", "registers": [{"name", "offset", "value", "fields":
/// [...]}], "counters": {name: value}, "skipped": [names], "unknown": [{"offset", "value"}]}
nlohmann::ordered_json dump_json(const macstats_model& model, const DecodedDump& dump);
std::string dump_text(const macstats_model& model, const DecodedDump& dump, bool descriptions);

} // namespace macstats
