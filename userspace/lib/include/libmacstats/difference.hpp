// SPDX-License-Identifier: GPL-2.0 OR MIT
// What was counted between two reads of a port, and whether that can be said at
// all: nothing here is ever negative, and what is not known is not 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client.hpp"

namespace macstats {

/// How much a difference says.
enum class Continuity {
    whole,         ///< all that was counted in between
    discontinuity, ///< at least that: somebody cleared or reset the counters
    restarted,     ///< what was counted since the totals began anew
    not_read,      ///< nothing: the hardware has not been read in between
};

/// "whole", "discontinuity", "restarted", "not_read"
std::string_view continuity_name(Continuity continuity);

struct Difference {
    Continuity continuity = Continuity::whole;
    std::string reason;                ///< in words, unless it is whole
    double seconds = 0;                ///< between the reads, or since the totals began anew
    std::vector<std::uint64_t> values; ///< one for each counter

    /// Of counter @i; nothing where the difference does not tell.
    [[nodiscard]] std::optional<double> per_second(std::size_t i) const;
};

/// What @after has more than @before. Totals that began anew between the two are
/// noticed by their start time, by a generation or a total that went back, or by
/// being those of another port.
Difference difference(const Statistics& before, const Statistics& after);

/// As if the totals had begun anew, for @reason.
Difference since_start(const Statistics& after, std::string reason);

/// "12.5 frames/s", "9.87 Gbit/s": octets are told in bits.
std::string rate_text(double per_second, std::uint32_t unit);

} // namespace macstats
