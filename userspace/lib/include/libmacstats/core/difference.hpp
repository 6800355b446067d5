// SPDX-License-Identifier: GPL-2.0 OR MIT
// Counts between two reads of a port, and how reliable they are. A difference is never
// negative; an unknown one is not reported as 0.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libmacstats/core/statistics.hpp"

namespace macstats {

/// How reliable a difference is.
enum class Continuity {
    whole,         ///< all counts between the reads, see possible_loss
    discontinuity, ///< a lower bound: the counters were cleared or reset in between
    restarted,     ///< a lower bound: the counts since the totals restarted from 0
    not_read,      ///< unknown: no poll read the hardware in between
    /// A lower bound: the first possible loss of the port was in between. A later one leaves
    /// no further mark in the statistics.
    possible_loss,
};

/// "whole", "discontinuity", "restarted", "not_read", "possible_loss"
std::string_view continuity_name(Continuity continuity);

struct Difference {
    Continuity continuity = Continuity::whole;
    std::string reason; ///< for people; "" if it is whole
    double seconds = 0; ///< between the reads, or since the totals restarted
    /// One of the reads was stale: it may have taken some counters later than the time it states.
    bool stale = false;
    std::vector<std::uint64_t> values; ///< one for each counter
    /// Values that are lower bounds: the counters that were read at their maximum in
    /// between, and how often.
    std::vector<Saturation> saturated{};
    std::vector<CounterIndex> absent{};    ///< counters without a value, ascending
    std::vector<StandardValue> standard{}; ///< of the statistics of both reads, ascending

    /// What each value is, whatever its own bound: exact, a lower bound or unknown.
    [[nodiscard]] Bound bound() const;
    /// Whether the difference determines rates.
    [[nodiscard]] bool has_rates() const;
    /// The rate of a counter; not set if the difference does not determine it.
    [[nodiscard]] std::optional<double> per_second(CounterIndex counter) const;
};

/// The counts from @before to @after. Totals restarted in between if their start time
/// differs, if a generation or a total went back, or if they are those of another port.
Difference difference(const Statistics& before, const Statistics& after);

/// The bound of a value less another one.
Bound difference_bound(Bound added, Bound taken);

/// How often a counter was read at its maximum.
std::uint64_t times_of(std::span<const Saturation> saturated, CounterIndex counter);

/// The difference to totals that restarted from 0, for @reason.
Difference since_start(const Statistics& after, std::string reason);

} // namespace macstats
