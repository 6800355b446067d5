// SPDX-License-Identifier: GPL-2.0 OR MIT
// Statistics for readers: as JSON and as text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/schema.h>
#include <macstats/standard.h>
#include <nlohmann/json.hpp>

#include "view.hpp"

namespace macstats {

struct ShowOptions {
    bool nonzero = false;      ///< leave out totals of 0
    bool descriptions = false; ///< what each counter counts
    /// Of the standard statistics only these groups, and then no totals.
    std::vector<std::string> groups;
    std::string since; ///< the tag from which PortView::since counts
};

/// "eth-mac", "eth-ctrl", "rmon", "pause", "rtnl"
std::vector<std::string> standard_groups();

/// The standard statistics by group, in the words and shape of
/// `ethtool --json -S IF --groups ...`, with "pause" and "rtnl" beside them.
/// What the model does not give is left out, and so are groups without any.
/// @totals: one for each counter. @max_frame: where the histogram ends.
nlohmann::ordered_json standard_json(
    const macstats_model& model, const macstats_standard& standard,
    std::span<const std::uint64_t> totals, std::uint32_t max_frame);

/// The same from totals alone; without @max_frame, with that after a reset.
nlohmann::ordered_json standard_json(
    const macstats_model& model, std::span<const std::uint64_t> totals,
    std::optional<std::uint32_t> max_frame = std::nullopt);

/// One element of what `macstats show --json` prints. Standard statistics are in
/// it if this library has the model, with the same counters, too. Members
/// "since", "rate" and "counters" come only if they are asked for.
nlohmann::ordered_json show_json(const PortView& view, const ShowOptions& options);

/// A heading, and a line for each total or standard statistic, with its unit.
std::string show_text(const PortView& view, const ShowOptions& options);

/// All integers as strings.
nlohmann::ordered_json integers_as_strings(nlohmann::ordered_json json);

} // namespace macstats
