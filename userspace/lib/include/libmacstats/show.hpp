// SPDX-License-Identifier: GPL-2.0 OR MIT
// Statistics for readers: as JSON and as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <macstats/schema.h>
#include <macstats/standard.h>
#include <nlohmann/json.hpp>

#include "client.hpp"

namespace macstats {

/// The statistics of a port and the names of its counters.
struct PortView {
    std::string name;
    Statistics statistics;
    std::string stale_reason; ///< "" if not known
    std::span<const CounterInfo> counters;
};

struct ShowOptions {
    bool nonzero = false;      ///< leave out totals of 0
    bool descriptions = false; ///< text: a third column
};

/// The standard statistics by group, in the words and shape of
/// `ethtool --json -S IF --groups ...`, with "pause" and "rtnl" beside them.
/// What the model does not give is left out, and so are groups without any.
/// @totals: one for each counter. @max_frame: where the histogram ends.
nlohmann::ordered_json standard_json(
    const macstats_model& model, const macstats_standard& standard,
    std::span<const std::uint64_t> totals, std::uint32_t max_frame);

/// The same from totals alone, with the maximum frame length after a reset.
nlohmann::ordered_json
standard_json(const macstats_model& model, std::span<const std::uint64_t> totals);

/// One element of what `macstats show --json` prints. Standard statistics are in
/// it if this library has the model, with the same counters, too.
nlohmann::ordered_json show_json(const PortView& view, const ShowOptions& options);

/// A heading, and a line for each total.
std::string show_text(const PortView& view, const ShowOptions& options);

/// All integers as strings.
nlohmann::ordered_json integers_as_strings(nlohmann::ordered_json json);

} // namespace macstats
