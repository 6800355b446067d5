// SPDX-License-Identifier: GPL-2.0 OR MIT
// Reading ports, statistics and counters together.
#include "libmacstats/view.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "libmacstats/names.hpp"

namespace macstats {

namespace {

Result<PortView> view_of(Client& client, const PortInfo& port, Statistics statistics) {
    const auto counters = client.counters(statistics.model);
    if (!counters)
        return counters.error();
    return PortView{
        .name = port.name,
        .statistics = std::move(statistics),
        .stale_reason = port.stale_reason,
        .counters = *counters,
        .since = {},
        .rate = {}};
}

// The state is asked for after the statistics, so that a reason belongs to what
// has just been read.
Result<PortView> read_view(Client& client, const std::string& name, Freshness freshness) {
    auto port = client.port(name);
    if (!port)
        return port.error();
    auto statistics = client.statistics(port->ifindex, freshness);
    if (!statistics)
        return in_context(name, statistics.error());
    if (statistics->stale || port->stale)
        port = client.port(port->ifindex);
    if (!port)
        return in_context(name, port.error());
    return view_of(client, *port, std::move(*statistics));
}

Result<std::vector<PortView>> read_all(Client& client, const PortSelection& selection) {
    auto statistics = selection.model.empty()
                          ? client.statistics(selection.freshness)
                          : client.statistics_of_model(selection.model, {}, selection.freshness);
    if (!statistics)
        return statistics.error();
    const auto known = client.ports(selection.model);
    if (!known)
        return known.error();
    std::map<std::uint32_t, const PortInfo*> ports;
    for (const PortInfo& port : *known)
        ports.emplace(port.ifindex, &port);

    std::vector<PortView> views;
    for (Statistics& one : *statistics) {
        const auto port = ports.find(one.ifindex);
        if (port == ports.end())
            continue; // gone meanwhile
        auto view = view_of(client, *port->second, std::move(one));
        if (!view)
            return view.error();
        views.push_back(std::move(*view));
    }
    return views;
}

} // namespace

Result<std::vector<PortView>> read_views(Client& client, const PortSelection& selection) {
    if (selection.ports.empty())
        return read_all(client, selection);
    std::vector<PortView> views;
    for (const std::string& name : selection.ports) {
        auto view = read_view(client, name, selection.freshness);
        if (view && (selection.model.empty() || view->statistics.model == selection.model))
            views.push_back(std::move(*view));
        else if (!view && !(selection.skip_missing && view.error().errnum == ENODEV))
            return view.error();
    }
    return views;
}

void add_rates(std::vector<PortView>& views, std::span<const PortView> before) {
    std::map<std::uint32_t, const Statistics*> earlier;
    for (const PortView& view : before)
        earlier.emplace(view.statistics.ifindex, &view.statistics);
    for (PortView& view : views)
        if (const auto known = earlier.find(view.statistics.ifindex); known != earlier.end())
            view.rate = difference(*known->second, view.statistics);
}

const macstats_model* same_model(const PortView& view) {
    const macstats_model* model = find_model(view.statistics.model);
    if (!model)
        return nullptr;
    const std::span rows(model->counters, model->n_counters);
    const bool same = std::equal(
        rows.begin(), rows.end(), view.counters.begin(), view.counters.end(),
        [](const macstats_counter& row, const CounterInfo& counter) {
            return row.name == counter.name;
        });
    return same ? model : nullptr;
}

} // namespace macstats
