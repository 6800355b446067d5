// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "scenario/kernel_observation.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "libmacstats/core/try.hpp"

namespace macstats {

Result<Observation>
observe_served_port(Client& client, KernelView* view, IfIndex ifindex, Freshness freshness) {
    MACSTATS_TRY(auto statistics, client.statistics(ifindex, freshness));
    Observation seen{
        .stale = statistics.stale,
        .possible_loss = statistics.possible_loss,
        .discontinuities = statistics.discontinuities,
        .saturated = {},
        .totals = std::move(statistics.values),
        .standard = {},
        .absent = std::move(statistics.absent),
    };
    for (const Saturation& one : statistics.saturated)
        seen.saturated.push_back(one.counter);
    std::sort(seen.saturated.begin(), seen.saturated.end());
    if (!view)
        return seen;
    MACSTATS_TRY(const auto counters, client.counters(statistics.model_id));
    MACSTATS_TRY(
        seen.standard, view->standard(
                           ifindex, seen.totals.empty() ? std::set<std::string>{}
                                                        : fed_by(counters, seen.absent)));
    return seen;
}

} // namespace macstats
