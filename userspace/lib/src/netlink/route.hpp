// SPDX-License-Identifier: GPL-2.0 OR MIT
// Questions to the kernel's routing netlink.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/transport.hpp"

namespace macstats {

/// An attribute of a request.
struct RouteAttribute {
    std::uint16_t type;
    std::span<const std::byte> value;
};

/// Send a request of this type, and return the answer without its nlmsghdr. Both start with the
/// same struct, as ifinfomsg: @header is that of the request. Errors have the errno of the
/// system call or of the kernel's answer; EBADMSG if the answer is malformed.
///
/// Blocks for one answer of the kernel. Threads may call it at the same time.
Result<Datagram> ask_route(
    int type, std::span<const std::byte> header, std::span<const RouteAttribute> attributes = {});

/// The same, without an answer but whether it was done.
Result<void> tell_route(int type, std::span<const std::byte> header);

/// The octets of an object, for a request.
template <typename T>
std::span<const std::byte> as_octets(const T& object) {
    return std::as_bytes(std::span(&object, 1));
}

} // namespace macstats
