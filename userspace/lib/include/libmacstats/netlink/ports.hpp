// SPDX-License-Identifier: GPL-2.0 OR MIT
// The statistics of ports together with what describes them: names, counters with their
// totals, standard statistics.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/core/difference.hpp"
#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/core/statistics.hpp"
#include "libmacstats/netlink/client.hpp"

namespace macstats {

/// A counter of a port's model, and its total or what it counted between two reads.
struct CounterValue {
    std::shared_ptr<const CounterInfo> info; ///< not null
    CounterIndex index;
    std::optional<std::uint64_t> value{}; ///< not set if the hardware is built without the counter
    std::uint64_t times = 0;              ///< reads that found the counter at its maximum

    /// The ethtool -S string.
    [[nodiscard]] const std::string& name() const { return info->name; }
    [[nodiscard]] Bound bound() const { return times ? Bound::at_least : Bound::exact; }
};

/// A port at one read.
struct PortStatistics {
    std::string name{}; ///< of the interface
    Statistics statistics{};
    std::string stale_reason{}; ///< "" if it is unknown
    std::uint32_t parity_errors = 0;
    std::optional<PortWork> work{}; ///< the provider's polls of the port, if reported
    CounterInfos infos{};           ///< the counters of its model

    /// All counters of the model, in its order, with their totals.
    [[nodiscard]] std::vector<CounterValue> counters() const;
    /// The same with what each has counted in a difference of this port's statistics.
    [[nodiscard]] std::vector<CounterValue> counters(const Difference& counted) const;

    /// The standard statistics that the kernel reports, and the buckets of histograms, in the
    /// order of the groups; none if Statistics::without_standard is set.
    [[nodiscard]] std::vector<StandardValue> standard() const;
    /// The same with what each has counted in a difference of this port's statistics.
    [[nodiscard]] std::vector<StandardValue> standard(const Difference& counted) const;

    /// This library's model of the port, if its counters are those of the kernel; otherwise
    /// nullptr.
    [[nodiscard]] const macstats_model* model() const;
};

/// The ports to read, and how.
struct PortSelection {
    std::vector<std::string> ports{}; ///< as for Client::port(); all if empty
    std::string model{};              ///< only ports of models with this name; any if ""
    Freshness freshness = Freshness::read_hardware;
    bool skip_missing = false; ///< omit named ports that do not exist
};

/// Read the selected ports, in the order of their names in @selection or of the kernel. A port
/// that ends during the call is omitted, unless it is named. Errors are those of Client; ENODEV
/// for a named port that does not exist, unless skip_missing is set.
Result<std::vector<PortStatistics>> read_ports(Client& client, const PortSelection& selection = {});

/// The ports of models with this name, or all if it is "".
Result<std::vector<PortInfo>> ports_of(Client& client, const std::string& model);

/// EINVAL for a name that no model here and none of a port has; "" is none.
Result<void> check_model(Client& client, const std::string& model);

} // namespace macstats
