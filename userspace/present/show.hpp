// SPDX-License-Identifier: GPL-2.0 OR MIT
// Statistics as JSON and as text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/schema.h>

#include "present/json_writer.hpp"
#include "present/view.hpp"

namespace macstats {

struct ShowOptions {
    bool nonzero = false;      ///< omit totals of 0
    bool descriptions = false; ///< with the description of each counter
    /// Only these groups of standard statistics, without totals.
    std::vector<std::string> groups;
    std::string since;   ///< the tag at which PortView::since starts
    bool unicode = true; ///< "≥ 1023" for a lower bound; or ">= 1023"
    /// For people: "!" marks errors, and a large total is also shown in a larger unit.
    bool terminal = false;
    bool colours = false;
};

/// "≥ " or the like, without @unicode ">= "; "" for an exact total.
std::string_view bound_mark(Bound bound, bool unicode);

/// "built without counters", or some of them; "" for a port that has them all.
std::string lacks_text(const Statistics& statistics);

/// One element of the array that `macstats show --json` prints. Members "since", "rate" and
/// "counters" appear on request.
///
/// "at_least" appears if a counter was read at its maximum: for each such counter, and for each
/// standard statistic that depends on it, {"times": reads that found the counter at its maximum}.
/// It also has statistics that are "stale", as the last read missed some of their counters: with 0
/// times if none of these was at its maximum.
/// The names of standard statistics are those of `ethtool -S --groups`,
/// "eth-mac-FrameCheckSequenceErrors"; a bucket of a histogram is "rmon-rx-pkts65to127".
/// The times of several counters of one statistic are added. A statistic from which a
/// saturated counter is subtracted is not a lower bound: it also has the member "bound",
/// "at_most", or "unknown" if saturated counters are added to it, too.
///
/// With groups, "per_second" contains rates of their statistics, named as in "at_least".
void write_port(JsonWriter& json, const PortView& view, const ShowOptions& options);

/// These ports as an array on one line, with a newline.
std::string ports_json_text(
    std::span<const PortView> ports,
    JsonWriter::Integers integers = JsonWriter::Integers::as_numbers);

/// The first line of show_text(): the port, its model and its state.
std::string show_heading(const PortView& view, const ShowOptions& options);

/// A heading, and a line with the unit for each total or standard statistic.
std::string show_text(const PortView& view, const ShowOptions& options);

} // namespace macstats
