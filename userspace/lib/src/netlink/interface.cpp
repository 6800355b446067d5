// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "libmacstats/netlink/interface.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include "netlink/file_descriptor.hpp"

namespace macstats {

namespace {

// ALTIFNAMSIZ in the kernel, with the terminating zero.
constexpr std::size_t longest_name = 128;

struct LinkHeader {
    nlmsghdr netlink;
    ifinfomsg link;
};

class RouteSocket {
public:
    // The index in the answer, if it has one. The kernel answers while it handles the request.
    [[nodiscard]] std::optional<IfIndex> ask(const void* request, std::size_t size) const {
        sockaddr_nl kernel{};
        kernel.nl_family = AF_NETLINK;
        const auto* address = reinterpret_cast<const sockaddr*>(&kernel);
        if (sendto(fd_.get(), request, size, 0, address, sizeof(kernel)) < 0)
            return std::nullopt;
        for (;;) {
            // Only the start of the answer matters; the kernel cuts off the rest.
            LinkHeader answer{};
            sockaddr_nl from{};
            socklen_t from_size = sizeof(from);
            const ssize_t received = recvfrom(
                fd_.get(), &answer, sizeof(answer), 0, reinterpret_cast<sockaddr*>(&from),
                &from_size);
            if (received < 0 && errno == EINTR)
                continue;
            if (received < static_cast<ssize_t>(sizeof(answer.netlink)))
                return std::nullopt;
            if (from.nl_pid != 0) // other processes may send to a netlink socket, too
                continue;
            const bool is_link = answer.netlink.nlmsg_type == RTM_NEWLINK &&
                                 received == static_cast<ssize_t>(sizeof(answer));
            if (!is_link)
                return std::nullopt;
            return IfIndex(static_cast<std::uint32_t>(answer.link.ifi_index));
        }
    }

private:
    FileDescriptor fd_{socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)};
};

void append(std::array<std::byte, 256>& request, int type, const void* value, std::size_t size) {
    nlmsghdr header{};
    std::memcpy(&header, request.data(), sizeof(header));
    nlattr attribute{};
    attribute.nla_len = static_cast<std::uint16_t>(NLA_HDRLEN + size);
    attribute.nla_type = static_cast<std::uint16_t>(type);
    std::byte* at = request.data() + header.nlmsg_len;
    std::memcpy(at, &attribute, sizeof(attribute));
    std::memcpy(at + NLA_HDRLEN, value, size);
    header.nlmsg_len += static_cast<std::uint32_t>(NLA_ALIGN(attribute.nla_len));
    std::memcpy(request.data(), &header, sizeof(header));
}

} // namespace

std::optional<IfIndex> interface_index(const std::string& name) {
    if (name.empty() || name.size() >= longest_name)
        return std::nullopt;
    // The ioctl behind it knows alternative names, too, but none that is longer than a name.
    if (const std::uint32_t index = if_nametoindex(name.c_str()); index)
        return IfIndex(index);
    if (name.size() < IF_NAMESIZE)
        return std::nullopt;

    std::array<std::byte, 256> request{};
    LinkHeader header{};
    header.netlink.nlmsg_len = sizeof(header);
    header.netlink.nlmsg_type = RTM_GETLINK;
    header.netlink.nlmsg_flags = NLM_F_REQUEST;
    std::memcpy(request.data(), &header, sizeof(header));
    append(request, IFLA_ALT_IFNAME, name.c_str(), name.size() + 1);
    const std::uint32_t without_statistics = RTEXT_FILTER_SKIP_STATS;
    append(request, IFLA_EXT_MASK, &without_statistics, sizeof(without_statistics));
    std::memcpy(&header, request.data(), sizeof(header));
    return RouteSocket().ask(request.data(), header.netlink.nlmsg_len);
}

} // namespace macstats
