// SPDX-License-Identifier: GPL-2.0 OR MIT
// The rows of a port, of which all that shows statistics makes its text or JSON.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <macstats/schema.h>

#include "present/show.hpp"
#include "present/view.hpp"

namespace macstats {

/// A total or a standard statistic of a port.
struct ShownRow {
    std::shared_ptr<const CounterInfo> info{}; ///< of a counter; null for a standard statistic
    CounterIndex index{};                      ///< of a counter
    StandardValue value{};                     ///< a counter's has no id
    std::optional<StandardValue> counted{};    ///< the same in the time of PortView::rate
    std::optional<double> per_second{};

    [[nodiscard]] std::string name() const { return info ? info->name : value.name(); }
    /// "rmon-rx-pkts65to127", or the name of a counter.
    [[nodiscard]] std::string qualified_name() const;
    [[nodiscard]] std::optional<macstats_unit> unit() const;
    /// @model: PortStatistics::model().
    [[nodiscard]] bool counts_errors(const macstats_model* model) const;
    /// Whether "nonzero" lets it through. A bound is worth showing even if it is 0.
    [[nodiscard]] bool is_shown(const ShowOptions& options) const {
        return !options.nonzero || value.value || value.bound != Bound::exact;
    }
    /// Whether it is what @options ask for, and not only a part of JSON.
    [[nodiscard]] bool is_primary(const ShowOptions& options) const {
        return info || !options.groups.empty();
    }
};

/// Totals and standard statistics or, if @options want groups, only the statistics of these.
std::vector<ShownRow> shown_rows(const PortView& view, const ShowOptions& options);

/// The same without what is only a part of JSON.
std::vector<ShownRow> primary_rows(const PortView& view, const ShowOptions& options);

/// "≥ 1023", or "1023".
std::string value_text(const StandardValue& value, bool unicode);

} // namespace macstats
