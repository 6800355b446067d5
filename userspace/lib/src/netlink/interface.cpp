// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "libmacstats/netlink/interface.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "core/error.hpp"
#include "core/text.hpp"
#include "libmacstats/core/try.hpp"
#include "netlink/file_descriptor.hpp"
#include "netlink/route.hpp"

namespace macstats {

namespace {

// ALTIFNAMSIZ in the kernel, with the terminating zero.
constexpr std::size_t longest_name = 128;

// By a name or alternative name that fits into an ifreq. if_nametoindex() does not report why it
// has no socket.
Result<IfIndex> find_short(const std::string& name) {
    const FileDescriptor fd(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
    ifreq request{};
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    if (fd.get() < 0 || ioctl(fd.get(), SIOCGIFINDEX, &request) != 0)
        return Error{errno, errno_text(errno)};
    return IfIndex(static_cast<std::uint32_t>(request.ifr_ifindex));
}

Result<IfIndex> find_alternative(const std::string& name) {
    const std::uint32_t without_statistics = RTEXT_FILTER_SKIP_STATS;
    const RouteAttribute attributes[] = {
        {IFLA_ALT_IFNAME, std::as_bytes(std::span(name.c_str(), name.size() + 1))},
        {IFLA_EXT_MASK, as_octets(without_statistics)}};
    ifinfomsg link{};
    MACSTATS_TRY(const auto answer, ask_route(RTM_GETLINK, as_octets(link), attributes));
    std::memcpy(&link, answer.data(), sizeof(link));
    return IfIndex(static_cast<std::uint32_t>(link.ifi_index));
}

} // namespace

Result<std::optional<IfIndex>> interface_index(const std::string& name) {
    if (name.empty() || name.size() >= longest_name || name.find('\0') != name.npos)
        return std::optional<IfIndex>();
    // The ioctl cuts a name at a colon, which only an alternative name can have.
    const bool is_alternative = name.size() >= IFNAMSIZ || name.find(':') != name.npos;
    const auto index = is_alternative ? find_alternative(name) : find_short(name);
    if (index)
        return std::optional(*index);
    if (index.error().errnum == ENODEV || index.error().errnum == ENXIO)
        return std::optional<IfIndex>();
    return failure(
        index.error().errnum, "{}: cannot look up the interface: {}", shown(name),
        index.error().message);
}

} // namespace macstats
