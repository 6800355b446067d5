// SPDX-License-Identifier: GPL-2.0 OR MIT
// Facts of a network interface: RTM_GETLINK.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"

namespace macstats {

struct LinkInfo {
    IfIndex ifindex;
    std::string name;
    bool ethernet = false;
    bool up = false;      ///< set up by the administrator
    bool running = false; ///< has a carrier, and sends
    std::uint32_t mtu = 0;
    std::array<std::uint8_t, 6> address{};
    std::string kind;                ///< "veth", "dsa", ...; "" for most devices with a driver
    std::optional<IfIndex> master{}; ///< the bridge or bond that it belongs to
};

/// ENODEV if there is no such interface (any more). Blocks for one answer of the kernel.
Result<LinkInfo> link_info(IfIndex ifindex);

/// Set an interface up or down, whatever its name is by now. It requires CAP_NET_ADMIN.
Result<void> set_link_up(IfIndex ifindex, bool up);

} // namespace macstats
