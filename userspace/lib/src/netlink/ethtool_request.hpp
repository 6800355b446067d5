// SPDX-License-Identifier: GPL-2.0 OR MIT
// Requests to the kernel's netlink family "ethtool".
#pragma once

#include <cstdint>

#include <linux/ethtool_netlink.h>

#include "libmacstats/core/index.hpp"
#include "libmacstats/netlink/netlink.hpp"

namespace macstats {

/// A request about an interface; @header is the type of the command's header.
inline Message
ethtool_request(std::uint8_t command, int header, IfIndex ifindex, std::uint32_t flags = 0) {
    Message message(command, ETHTOOL_GENL_VERSION);
    message.put_nest(header, [ifindex, flags](Message& nest) {
        nest.put_u32(ETHTOOL_A_HEADER_FLAGS, flags)
            .put_u32(ETHTOOL_A_HEADER_DEV_INDEX, ifindex.value());
    });
    return message;
}

} // namespace macstats
