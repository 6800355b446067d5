// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "scenario/served_port.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "libmacstats/core/try.hpp"
#include "netlink/same_counters.hpp"

namespace macstats {

Result<void> check_kernel_model(Client& client, ModelId id, const macstats_model& model) {
    MACSTATS_TRY(const auto counters, client.counters(id));
    if (has_same_counters(model, counters))
        return {};
    return failure(EBADMSG, "the kernel's {} has other counters than this library", model.name);
}

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
    const auto fed = seen.totals.empty() ? std::set<std::string>() : fed_by(counters, seen.absent);
    MACSTATS_TRY(seen.standard, view->standard(ifindex, &fed));
    // Before 6.3 the kernel shows no statistics of the MAC Merge sublayer.
    for (const StandardValue& one : statistics.standard)
        if (one.group() == "mm")
            seen.standard.push_back(one);
    return seen;
}

} // namespace macstats
