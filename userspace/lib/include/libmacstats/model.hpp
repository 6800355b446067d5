// SPDX-License-Identifier: GPL-2.0 OR MIT
// Models for readers: as JSON and as text. Everything is derived from the rows.
#pragma once

#include <optional>
#include <string>

#include <macstats/schema.h>
#include <nlohmann/json.hpp>

namespace macstats {

/// How long a counter takes to wrap at line rate, in seconds, be it centuries;
/// nothing for one that stays at its maximum or never counts.
std::optional<double> wrap_seconds(const macstats_model& model, const macstats_counter& counter);

/// The object that `macstats model NAME --json` prints.
///
/// counters[].standard lists the standard statistics that the counter feeds, as
/// standard_word() writes them: "eth-mac/FramesTransmittedOK" adds the counter's
/// total, "rtnl/tx_bytes*14" 14 times that, "rtnl/tx_errors*-1" takes it off.
nlohmann::ordered_json model_json(const macstats_model& model);

/// The same for people: facts, register map, rules.
std::string model_text(const macstats_model& model);

} // namespace macstats
