// SPDX-License-Identifier: GPL-2.0 OR MIT
// Offloads of a network interface: the features by which it does work of the stack.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/netlink.hpp"

namespace macstats {

/// The features among @names that are offloads: segmentation, aggregation of received
/// packets, tags and checksums by hardware. @names are those of `ethtool -k`.
std::vector<std::string> offloads_among(const std::vector<std::string>& names);

/// Switches the offloads of an interface off, and in the destructor on again: those that
/// were on. A process that is killed leaves them off. One thread at a time; calls block until
/// the kernel has answered.
class OffloadsOff {
public:
    /// EPERM without CAP_NET_ADMIN. The link may be down for a moment afterwards: some
    /// drivers reset their hardware.
    static Result<OffloadsOff> of(IfIndex ifindex);
    OffloadsOff(OffloadsOff&& other) noexcept;
    OffloadsOff& operator=(OffloadsOff&&) = delete;
    ~OffloadsOff();

private:
    OffloadsOff(GenericNetlink netlink, std::uint16_t ethtool, IfIndex ifindex)
        : netlink_(std::move(netlink)),
          ethtool_(ethtool),
          ifindex_(ifindex) {}

    Result<std::vector<std::string>> wanted();
    Result<void> set(const std::vector<std::string>& names, bool on);

    std::optional<GenericNetlink> netlink_; ///< not set after a move
    std::uint16_t ethtool_;
    IfIndex ifindex_;
    std::vector<std::string> off_;
};

} // namespace macstats
