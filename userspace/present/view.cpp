// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/view.hpp"

#include <map>
#include <utility>

namespace macstats {

std::vector<PortView> views_of(std::vector<PortStatistics> ports) {
    std::vector<PortView> views;
    for (PortStatistics& port : ports)
        views.push_back({std::move(port)});
    return views;
}

void add_rates(std::vector<PortView>& views, std::span<const PortView> before) {
    std::map<IfIndex, const Statistics*> earlier;
    for (const PortView& view : before)
        earlier.emplace(view.statistics.ifindex, &view.statistics);
    for (PortView& view : views)
        if (const auto known = earlier.find(view.statistics.ifindex); known != earlier.end())
            view.rate = difference(*known->second, view.statistics);
}

} // namespace macstats
