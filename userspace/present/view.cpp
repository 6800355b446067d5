// SPDX-License-Identifier: GPL-2.0 OR MIT
// Reads ports, statistics and counters together.
#include "present/view.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <utility>

#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats {

namespace {

Result<PortView> view_of(Client& client, const PortInfo& port, Statistics statistics) {
    MACSTATS_TRY(const auto counters, client.counters(statistics.model));
    return PortView{
        .name = port.name,
        .statistics = std::move(statistics),
        .stale_reason = port.stale_reason,
        .counters = counters,
        .parity_errors = port.parity_errors,
        .work = port.work,
        .since = {},
        .rate = {},
        .same_model = {}};
}

// The state is read after the statistics, so that the reason belongs to these statistics.
Result<PortView> read_view(Client& client, const std::string& name, Freshness freshness) {
    MACSTATS_TRY(auto port, client.port(name));
    MACSTATS_TRY(auto statistics, in_context(name, client.statistics(port.ifindex, freshness)));
    if (statistics.stale || port.stale) {
        MACSTATS_TRY(port, in_context(name, client.port(port.ifindex)));
    }
    return view_of(client, port, std::move(statistics));
}

Result<std::vector<PortView>> read_all(Client& client, const PortSelection& selection) {
    MACSTATS_TRY(
        auto statistics, selection.model.empty() ? client.statistics(selection.freshness)
                                                 : client.statistics_of_model(
                                                       selection.model, {}, selection.freshness));
    MACSTATS_TRY(const auto known, client.ports(selection.model));
    std::map<IfIndex, const PortInfo*> ports;
    for (const PortInfo& port : known)
        ports.emplace(port.ifindex, &port);

    std::vector<PortView> views;
    // The ports of a model share the names of its counters, which are compared once.
    std::map<const CounterInfo*, const macstats_model*> models;
    for (Statistics& one : statistics) {
        const auto port = ports.find(one.ifindex);
        if (port == ports.end())
            continue; // gone meanwhile
        MACSTATS_TRY(auto view, view_of(client, *port->second, std::move(one)));
        const auto [model, is_new] = models.try_emplace(view.counters.data());
        if (is_new)
            model->second = same_model(view);
        view.same_model = model->second;
        views.push_back(std::move(view));
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

bool has_counter(const PortView& view, CounterIndex counter) {
    return counter.value() < std::min(view.counters.size(), view.statistics.values.size()) &&
           !is_absent(view.statistics.absent, counter);
}

void add_rates(std::vector<PortView>& views, std::span<const PortView> before) {
    std::map<IfIndex, const Statistics*> earlier;
    for (const PortView& view : before)
        earlier.emplace(view.statistics.ifindex, &view.statistics);
    for (PortView& view : views)
        if (const auto known = earlier.find(view.statistics.ifindex); known != earlier.end())
            view.rate = difference(*known->second, view.statistics);
}

const macstats_model* same_model(const PortView& view) {
    if (view.same_model)
        return *view.same_model;
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
