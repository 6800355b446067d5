// SPDX-License-Identifier: GPL-2.0 OR MIT
// Reads ports, statistics and counters together.
#include "libmacstats/netlink/ports.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <macstats/standard.h>

#include "core/error.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"

namespace macstats {

namespace {

std::vector<CounterValue> values_of(
    const CounterInfos& infos, std::span<const std::uint64_t> values,
    std::span<const Saturation> saturated, std::span<const CounterIndex> absent) {
    std::vector<CounterValue> counters;
    counters.reserve(infos.size());
    for (std::uint32_t i = 0; i < infos.size(); i++) {
        const CounterIndex index(i);
        CounterValue& counter = counters.emplace_back(CounterValue{
            .info = infos.share(i), .index = index, .times = times_of(saturated, index)});
        if (i < values.size() && !is_absent(absent, index))
            counter.value = values[i];
    }
    return counters;
}

// What the kernel says of a counter does not name its MAC; the model does. A port that is built
// without a MAC of two has the buckets of the other one.
std::vector<Bucket> buckets_of(const PortStatistics& port, std::span<const CounterIndex> absent) {
    const std::span<const Bucket> all = port.infos.buckets();
    std::vector<Bucket> buckets(all.begin(), all.end());
    const macstats_model* model = absent.empty() ? nullptr : port.model();
    if (!model)
        return buckets;
    macstats_rows rows{};
    for (const CounterIndex counter : absent)
        if (counter.value() < port.infos.size())
            macstats_add_row(&rows, counter.value());
    for (Bucket& bucket : buckets)
        std::erase_if(bucket.counters, [&](CounterIndex counter) {
            return macstats_lacks_mac(model, &rows, model->counters[counter.value()].mac);
        });
    std::erase_if(buckets, [](const Bucket& bucket) { return bucket.counters.empty(); });
    return buckets;
}

Result<PortStatistics> join(Client& client, const PortInfo& port, Statistics statistics) {
    MACSTATS_TRY(const auto infos, client.counters(statistics.model_id));
    // The port may have become stale since.
    std::string stale_reason = statistics.stale ? port.stale_reason : "";
    return PortStatistics{
        .name = port.name,
        .statistics = std::move(statistics),
        .stale_reason = std::move(stale_reason),
        .parity_errors = port.parity_errors,
        .work = port.work,
        .infos = infos};
}

// The state is read after the statistics, so that the reason belongs to these statistics.
Result<PortStatistics> read_port(Client& client, const std::string& name, Freshness freshness) {
    MACSTATS_TRY(auto port, client.port(name));
    MACSTATS_TRY(auto statistics, in_context(name, client.statistics(port.ifindex, freshness)));
    if (statistics.stale || port.stale) {
        MACSTATS_TRY(port, in_context(name, client.port(port.ifindex)));
    }
    auto joined = join(client, port, std::move(statistics));
    if (!joined && joined.error().errnum == ENOENT) // gone with its model
        return failure(ENODEV, "{}: the port is gone", name);
    return joined;
}

// Of all ports, or of those of models with the name in @selection.
Result<std::vector<Statistics>> read_statistics(Client& client, const PortSelection& selection) {
    if (selection.model.empty())
        return client.statistics(selection.freshness);
    MACSTATS_TRY(const auto ports, ports_of(client, selection.model));
    std::set<ModelId> models;
    for (const PortInfo& port : ports)
        models.insert(port.model_id);
    std::vector<Statistics> all;
    for (const ModelId model : models) {
        auto statistics = client.statistics_of_model(model, selection.freshness);
        if (!statistics && statistics.error().errnum != ENOENT) // or all of them are gone
            return statistics.error();
        if (statistics)
            std::move(statistics->begin(), statistics->end(), std::back_inserter(all));
    }
    return all;
}

Result<std::vector<PortStatistics>> read_all(Client& client, const PortSelection& selection) {
    MACSTATS_TRY(auto statistics, read_statistics(client, selection));
    MACSTATS_TRY(const auto known, client.ports());
    std::map<IfIndex, const PortInfo*> ports;
    for (const PortInfo& port : known)
        ports.emplace(port.ifindex, &port);

    std::vector<PortStatistics> joined;
    for (Statistics& one : statistics) {
        const auto port = ports.find(one.ifindex);
        if (port == ports.end())
            continue; // gone meanwhile
        auto view = join(client, *port->second, std::move(one));
        if (!view && view.error().errnum == ENOENT)
            continue; // gone with its model
        if (!view)
            return view.error();
        joined.push_back(std::move(*view));
    }
    return joined;
}

} // namespace

Result<std::vector<PortInfo>> ports_of(Client& client, const std::string& model) {
    MACSTATS_TRY(auto ports, client.ports());
    std::erase_if(
        ports, [&model](const PortInfo& port) { return !model.empty() && port.model != model; });
    return ports;
}

Result<void> check_model(Client& client, const std::string& model) {
    if (model.empty() || find_model(model))
        return {};
    MACSTATS_TRY(const auto ports, ports_of(client, model));
    if (ports.empty())
        return model_called(model).error();
    return {};
}

Result<std::vector<PortStatistics>> read_ports(Client& client, const PortSelection& selection) {
    if (selection.ports.empty())
        return read_all(client, selection);
    std::vector<PortStatistics> ports;
    for (const std::string& name : selection.ports) {
        auto port = read_port(client, name, selection.freshness);
        if (port && (selection.model.empty() || port->statistics.model == selection.model))
            ports.push_back(std::move(*port));
        else if (!port && !(selection.skip_missing && port.error().errnum == ENODEV))
            return port.error();
    }
    return ports;
}

std::vector<CounterValue> PortStatistics::counters() const {
    return values_of(infos, statistics.values, statistics.saturated, statistics.absent);
}

std::vector<CounterValue> PortStatistics::counters(const Difference& counted) const {
    return values_of(infos, counted.values, counted.saturated, counted.absent);
}

std::vector<StandardValue> PortStatistics::standard() const {
    if (statistics.without_standard)
        return {};
    return standard_values(
        statistics.standard, buckets_of(*this, statistics.absent), statistics.values,
        statistics.absent, statistics.saturated);
}

std::vector<StandardValue> PortStatistics::standard(const Difference& counted) const {
    if (statistics.without_standard)
        return {};
    return standard_values(
        counted.standard, buckets_of(*this, counted.absent), counted.values, counted.absent,
        counted.saturated);
}

const macstats_model* PortStatistics::model() const {
    const macstats_model* model = find_model(statistics.model);
    return model && infos.are_of(*model) ? model : nullptr;
}

} // namespace macstats
