// SPDX-License-Identifier: GPL-2.0 OR MIT
// The standard statistics of a port as the kernel reports them to ethtool and ip. Nothing
// is computed here.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/core/statistics.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/netlink.hpp"

namespace macstats {

/// A request to the family "ethtool" about an interface; @header is the type of the command's
/// header.
Message ethtool_request(std::uint8_t command, int header, IfIndex ifindex, std::uint32_t flags = 0);

/// The statistics that all of these counters feed, less those that an absent one feeds.
std::set<std::string>
fed_by(std::span<const CounterInfo> counters, std::span<const CounterIndex> absent);

/// Queries the ethtool family and the routing netlink for standard statistics. Owns its
/// socket. One thread at a time; calls block until the kernel has answered.
class KernelView {
public:
    static Result<KernelView> open();
    /// With the number of the family "ethtool".
    KernelView(GenericNetlink netlink, std::uint16_t ethtool)
        : netlink_(std::move(netlink)),
          ethtool_(ethtool) {}

    /// The statistics that the kernel reports; a driver may have none. Members of the rtnl group
    /// that are not among the names in @fed are left out, unless it is nullptr: the kernel reports
    /// 0 for those that no counter feeds.
    Result<std::vector<StandardValue>>
    standard(IfIndex ifindex, const std::set<std::string>* fed = nullptr);

private:
    Result<void> add_groups(IfIndex ifindex, std::vector<StandardValue>& standard);
    Result<void> add_pause(IfIndex ifindex, std::vector<StandardValue>& standard);
    Result<void> add_link(
        IfIndex ifindex, const std::set<std::string>* fed, std::vector<StandardValue>& standard);

    GenericNetlink netlink_;
    std::uint16_t ethtool_;
};

} // namespace macstats
