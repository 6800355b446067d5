// SPDX-License-Identifier: GPL-2.0 OR MIT
// The standard statistics of a port as users see them: as the kernel itself shows
// them to ethtool and ip. Nothing of it is computed here.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "libmacstats/netlink.hpp"
#include "libmacstats/result.hpp"

struct nl_sock;

namespace macstats {

class KernelView {
public:
    static Result<KernelView> open();

    /// In the shape of standard_json(). Members of the rtnl group that are not
    /// among the names in @fed are left out: the kernel has a 0 for what nobody counts.
    Result<nlohmann::ordered_json>
    standard(std::uint32_t ifindex, const std::set<std::string>& fed);

private:
    using Strings = std::vector<std::string>;

    struct FreeSocket {
        void operator()(nl_sock* socket) const;
    };
    using Socket = std::unique_ptr<nl_sock, FreeSocket>;

    KernelView(
        GenericNetlink netlink, std::uint16_t ethtool, std::map<std::uint32_t, Strings> strings,
        Socket route);

    Result<void> add_groups(std::uint32_t ifindex, nlohmann::ordered_json& standard);
    Result<void> add_pause(std::uint32_t ifindex, nlohmann::ordered_json& standard);
    Result<void> add_link(
        std::uint32_t ifindex, const std::set<std::string>& fed, nlohmann::ordered_json& standard);

    GenericNetlink netlink_;
    std::uint16_t ethtool_;
    std::map<std::uint32_t, Strings> strings_; ///< by enum ethtool_stringset
    Socket route_;
};

} // namespace macstats
