// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "libmacstats/netlink/interface.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "core/text.hpp"
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
    // 0 and the @index of the interface with a name or alternative name that fits, or an errno.
    // if_nametoindex() does not report why it has no socket.
    int find(const std::string& name, std::uint32_t& index) const {
        if (fd_.get() < 0)
            return not_opened_;
        ifreq request{};
        name.copy(request.ifr_name, IFNAMSIZ - 1);
        if (ioctl(fd_.get(), SIOCGIFINDEX, &request) != 0)
            return errno;
        index = static_cast<std::uint32_t>(request.ifr_ifindex);
        return 0;
    }

    // The same from the answer to a request. The kernel answers while it handles the request.
    int ask(const void* request, std::size_t size, std::uint32_t& index) const {
        if (fd_.get() < 0)
            return not_opened_;
        sockaddr_nl kernel{};
        kernel.nl_family = AF_NETLINK;
        const auto* address = reinterpret_cast<const sockaddr*>(&kernel);
        if (sendto(fd_.get(), request, size, 0, address, sizeof(kernel)) < 0)
            return errno;
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
            if (received < 0)
                return errno;
            if (from.nl_pid != 0) // other processes may send to a netlink socket, too
                continue;
            if (received < static_cast<ssize_t>(sizeof(answer)))
                return EBADMSG;
            if (answer.netlink.nlmsg_type == NLMSG_ERROR) {
                int error = 0; // the start of its nlmsgerr
                std::memcpy(&error, &answer.link, sizeof(error));
                return -error;
            }
            if (answer.netlink.nlmsg_type != RTM_NEWLINK)
                return EBADMSG;
            index = static_cast<std::uint32_t>(answer.link.ifi_index);
            return 0;
        }
    }

private:
    FileDescriptor fd_{socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE)};
    int not_opened_ = errno;
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

// 0 and the @index of the interface with an alternative name, or an errno.
int ask_for_alternative(const std::string& name, std::uint32_t& index) {
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
    return RouteSocket().ask(request.data(), header.netlink.nlmsg_len, index);
}

} // namespace

Result<std::optional<IfIndex>> interface_index(const std::string& name) {
    if (name.empty() || name.size() >= longest_name || name.find('\0') != name.npos)
        return std::optional<IfIndex>();
    std::uint32_t index = 0;
    // The ioctl cuts a name at a colon, which only an alternative name can have.
    const bool is_alternative = name.size() >= IFNAMSIZ || name.find(':') != name.npos;
    const int errnum =
        is_alternative ? ask_for_alternative(name, index) : RouteSocket().find(name, index);
    if (errnum == ENODEV || errnum == ENXIO)
        return std::optional<IfIndex>();
    if (errnum)
        return Error{
            errnum,
            fmt::format("{}: cannot look up the interface: {}", shown(name), errno_text(errnum))};
    return std::optional(IfIndex(index));
}

} // namespace macstats
