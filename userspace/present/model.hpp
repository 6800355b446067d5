// SPDX-License-Identifier: GPL-2.0 OR MIT
// Models as JSON and as text, derived from their rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/schema.h>
#include <nlohmann/json_fwd.hpp>

namespace macstats {

/// The Linux drivers for this hardware.
std::vector<std::string_view> drivers_of(const macstats_model& model);

/// What a read or a write of some counters does, or needs before it: "rclr", "decrement",
/// "snapshot", "dump", "window", "latch", "read64", "reread"; "descriptor": the driver counts them.
std::vector<std::string_view> accesses_of(const macstats_model& model);

/// The seconds in which a counter wraps at line rate; not set for a counter that saturates
/// or never counts.
std::optional<double> wrap_seconds(const macstats_model& model, const macstats_counter& counter);

/// The seconds in which a saturating counter fills from 0 at line rate; not set for
/// others.
std::optional<double> fill_seconds(const macstats_model& model, const macstats_counter& counter);

/// The object that `macstats model NAME --json` prints. Saturating counters have the
/// member counters[].fill_seconds.
///
/// counters[].standard lists the standard statistics that the counter feeds, as
/// standard_word() writes them: "eth-mac/FramesTransmittedOK" adds the counter's
/// total, "rtnl/tx_bytes*14" adds 14 times the total, "rtnl/tx_errors*-1" subtracts it.
nlohmann::ordered_json model_json(const macstats_model& model);

/// "  [7:4]", or "  [0]": the bits of a field.
std::string bits_text(const macstats_field& field);

/// The same as text: facts, register map, rules. @unicode: "≥" for a lower bound,
/// otherwise ">=".
std::string model_text(const macstats_model& model, bool unicode = true);

} // namespace macstats
