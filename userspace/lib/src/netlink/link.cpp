// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "netlink/link.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

namespace macstats {

namespace {

struct FreeLinkSocket {
    void operator()(nl_sock* socket) const { nl_socket_free(socket); }
};

Error no_answer(int error) {
    // libnl has no number for ENODEV.
    const bool missing = error == -NLE_OBJ_NOTFOUND || error == -NLE_NODEV;
    return {
        missing ? ENODEV : EIO,
        missing ? "there is no such interface"
                : fmt::format("cannot ask for an interface: {}", nl_geterror(error))};
}

std::string text_of(const nlattr* attribute) {
    const auto* text = static_cast<const char*>(nla_data(attribute));
    const auto size = static_cast<std::size_t>(std::max(nla_len(attribute), 0));
    return {text, std::find(text, text + size, '\0')};
}

// The callback of libnl for the reply to RTM_GETLINK.
int take_link(nl_msg* message, void* into) {
    nlmsghdr* header = nlmsg_hdr(message);
    if (header->nlmsg_type != RTM_NEWLINK)
        return NL_SKIP;
    std::array<nlattr*, IFLA_MAX + 1> attributes{};
    if (nlmsg_parse(header, sizeof(ifinfomsg), attributes.data(), IFLA_MAX, nullptr) < 0)
        return NL_SKIP;

    const auto* link = static_cast<const ifinfomsg*>(nlmsg_data(header));
    LinkInfo& info = static_cast<std::optional<LinkInfo>*>(into)->emplace();
    info.ifindex = IfIndex(static_cast<std::uint32_t>(link->ifi_index));
    info.ethernet = link->ifi_type == ARPHRD_ETHER;
    info.up = link->ifi_flags & IFF_UP;
    info.running = link->ifi_flags & IFF_RUNNING;
    if (const nlattr* name = attributes[IFLA_IFNAME])
        info.name = text_of(name);
    if (const nlattr* mtu = attributes[IFLA_MTU]; mtu && nla_len(mtu) == sizeof(std::uint32_t))
        info.mtu = nla_get_u32(mtu);
    if (const nlattr* address = attributes[IFLA_ADDRESS];
        address && nla_len(address) == static_cast<int>(info.address.size()))
        std::copy_n(
            static_cast<const std::uint8_t*>(nla_data(address)), info.address.size(),
            info.address.begin());
    if (const nlattr* master = attributes[IFLA_MASTER];
        master && nla_len(master) == sizeof(std::uint32_t))
        info.master = IfIndex(nla_get_u32(master));
    if (attributes[IFLA_LINKINFO]) {
        std::array<nlattr*, IFLA_INFO_MAX + 1> nested{};
        if (nla_parse_nested(nested.data(), IFLA_INFO_MAX, attributes[IFLA_LINKINFO], nullptr) >=
                0 &&
            nested[IFLA_INFO_KIND])
            info.kind = text_of(nested[IFLA_INFO_KIND]);
    }
    return NL_STOP;
}

} // namespace

Result<LinkInfo> link_info(IfIndex ifindex) {
    const std::unique_ptr<nl_sock, FreeLinkSocket> route(nl_socket_alloc());
    if (!route)
        return Error{ENOMEM, "no memory for a netlink socket"};
    if (const int error = nl_connect(route.get(), NETLINK_ROUTE); error < 0)
        return no_answer(error);
    nl_socket_disable_auto_ack(route.get()); // the reply is the only answer

    ifinfomsg request{};
    request.ifi_index = static_cast<int>(ifindex.value());
    std::optional<LinkInfo> info;
    if (const int error = nl_send_simple(route.get(), RTM_GETLINK, 0, &request, sizeof(request));
        error < 0)
        return no_answer(error);
    nl_socket_modify_cb(route.get(), NL_CB_VALID, NL_CB_CUSTOM, take_link, &info);
    if (const int error = nl_recvmsgs_default(route.get()); error < 0)
        return no_answer(error);
    if (!info)
        return Error{EBADMSG, "the kernel's answer about an interface is malformed"};
    return *info;
}

} // namespace macstats
