// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "netlink/link.hpp"

#include <algorithm>
#include <cstring>

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <net/if_arp.h>

#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/netlink.hpp"
#include "netlink/route.hpp"

namespace macstats {

namespace {

Result<Datagram> ask_for_link(IfIndex ifindex) {
    ifinfomsg request{};
    request.ifi_index = static_cast<int>(ifindex.value());
    auto answer = ask_route(RTM_GETLINK, as_octets(request));
    if (!answer && answer.error().errnum == ENODEV)
        return Error{ENODEV, "there is no such interface"};
    return in_context("cannot ask for an interface", std::move(answer));
}

} // namespace

Result<LinkInfo> link_info(IfIndex ifindex) {
    MACSTATS_TRY(const auto answer, ask_for_link(ifindex));
    ifinfomsg link{};
    std::memcpy(&link, answer.data(), sizeof(link));
    MACSTATS_TRY(auto attributes, Attributes::parse(std::span(answer).subspan(sizeof(link))));
    LinkInfo info{
        .ifindex = IfIndex(static_cast<std::uint32_t>(link.ifi_index)),
        .name = attributes.optional_string(IFLA_IFNAME),
        .ethernet = link.ifi_type == ARPHRD_ETHER,
        .up = (link.ifi_flags & IFF_UP) != 0,
        .running = (link.ifi_flags & IFF_RUNNING) != 0,
        .mtu = attributes.optional_u32(IFLA_MTU).value_or(0),
        .kind = {}};
    if (const auto address = attributes.octets(IFLA_ADDRESS); address.size() == info.address.size())
        std::memcpy(info.address.data(), address.data(), address.size());
    if (const auto master = attributes.optional_u32(IFLA_MASTER))
        info.master = IfIndex(*master);
    for (Attributes& nest : attributes.nests(IFLA_LINKINFO))
        info.kind = nest.optional_string(IFLA_INFO_KIND);
    if (attributes.error())
        return *attributes.error();
    return info;
}

Result<void> set_link_up(IfIndex ifindex, bool up) {
    ifinfomsg request{};
    request.ifi_index = static_cast<int>(ifindex.value());
    request.ifi_change = IFF_UP;
    request.ifi_flags = up ? IFF_UP : 0;
    return tell_route(RTM_NEWLINK, as_octets(request));
}

} // namespace macstats
