// SPDX-License-Identifier: GPL-2.0 OR MIT
// The totals and standard statistics of a port that `macstats show` prints: values, rates and
// bounds. Not how they look.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/device/standard.hpp"
#include "present/show.hpp"
#include "present/view.hpp"

namespace macstats {

/// The values to show: totals, or the counts since a tag.
std::span<const std::uint64_t> values_of(const PortView& view);
/// The values of these that are lower bounds.
std::span<const Saturation> saturated_of(const PortView& view);

Bound bound_of(std::span<const Saturation> saturated, CounterIndex counter);

/// Whether a group of standard statistics is to be shown.
bool is_wanted(const ShowOptions& options, std::string_view group);
/// Whether "nonzero" lets a total through. A bound is worth showing even if it is 0.
bool is_shown(std::uint64_t value, Bound bound, const ShowOptions& options);

/// The standard statistics to show: values, or the counts since a tag.
std::vector<StandardValue> standard_of(const PortView& view);
/// "rmon-rx-pkts65to127"
std::string qualified_name(const StandardValue& row);
/// What they counted in the time of PortView::rate; none without one.
std::vector<StandardValue> standard_rates(const PortView& view);
/// The rate of @row of standard_of(), from standard_rates(); not set if it is unknown.
std::optional<double>
rate_of(const PortView& view, std::span<const StandardValue> rates, const StandardValue& row);

/// A total or a standard statistic.
struct CounterLine {
    std::string name;
    std::uint64_t value;
    std::optional<macstats_unit> unit;
    std::optional<double> per_second;
    std::string description;
    Bound bound = Bound::exact;      ///< of the value
    Bound rate_bound = Bound::exact; ///< of the rate
    bool is_error = false;           ///< counts errors
};

struct Section {
    std::string title; ///< the group; "" for totals
    std::vector<CounterLine> lines;
};

/// What @options want of a port: its totals, or a section for each group.
std::vector<Section> show_sections(const PortView& view, const ShowOptions& options);

/// "≥ 1023", or "1023".
std::string value_text(const CounterLine& line, bool unicode);

} // namespace macstats
