// SPDX-License-Identifier: GPL-2.0 OR MIT
// The kernel's answers about standard statistics: ETHTOOL_MSG_STATS_GET,
// ETHTOOL_MSG_PAUSE_GET and RTM_GETSTATS.
#include "netlink/kernel_view.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <iterator>

#include <linux/ethtool_netlink.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <macstats/schema.h>

#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "netlink/messages.hpp"
#include "netlink/route.hpp"

namespace macstats {

namespace {

using StandardValues = std::vector<StandardValue>;

// The statistics of a group, which the kernel numbers from 0 on in the order of
// MACSTATS_STANDARD_LIST.
struct Group {
    std::uint32_t first; // of enum macstats_standard_id
    std::uint32_t last;
};

constexpr Group groups[] = {
    {MACSTATS_STD_SYMBOL_ERROR_DURING_CARRIER, MACSTATS_STD_SYMBOL_ERROR_DURING_CARRIER},
    {MACSTATS_STD_FRAMES_TRANSMITTED_OK, MACSTATS_STD_FRAME_TOO_LONG_ERRORS},
    {MACSTATS_STD_MAC_CONTROL_FRAMES_TRANSMITTED, MACSTATS_STD_UNSUPPORTED_OPCODES_RECEIVED},
    {MACSTATS_STD_UNDERSIZE_PKTS, MACSTATS_STD_JABBERS}};
static_assert(
    ETHTOOL_STATS_ETH_PHY == 0 && ETHTOOL_STATS_ETH_MAC == 1 && ETHTOOL_STATS_ETH_CTRL == 2 &&
    ETHTOOL_STATS_RMON == 3);
static_assert(groups[1].last - groups[1].first == ETHTOOL_A_STATS_ETH_MAC_25_TOO_LONG_ERR);
static_assert(groups[2].last - groups[2].first == ETHTOOL_A_STATS_ETH_CTRL_5_RX_UNSUP);
static_assert(groups[3].last - groups[3].first == ETHTOOL_A_STATS_RMON_JABBER);

// The members of rtnl_link_stats64 are in the order of the list, too.
constexpr Group link_group{MACSTATS_STD_RTNL_RX_PACKETS, MACSTATS_STD_RTNL_TX_WINDOW_ERRORS};
static_assert(
    offsetof(rtnl_link_stats64, tx_window_errors) ==
    (link_group.last - link_group.first) * sizeof(std::uint64_t));

// The statistics that the kernel reports of a group, without those that only a newer kernel
// knows. Each one is alone in its nest, but for padding, which is empty and has any type.
void read_group(Attributes& group, const Group& known, StandardValues& into) {
    for (Attributes& statistic : group.nests(ETHTOOL_A_STATS_GRP_STAT))
        for (std::uint32_t id = known.first; id <= known.last; id++)
            if (const int type = static_cast<int>(id - known.first);
                !statistic.octets(type).empty())
                into.push_back({.id = id, .value = statistic.u64(type)});
    for (const auto& [type, id] :
         {std::pair(ETHTOOL_A_STATS_GRP_HIST_RX, MACSTATS_STD_HIST_RX),
          std::pair(ETHTOOL_A_STATS_GRP_HIST_TX, MACSTATS_STD_HIST_TX)})
        for (Attributes& bucket : group.nests(type))
            into.push_back(
                {.id = id,
                 .value = bucket.u64(ETHTOOL_A_STATS_GRP_HIST_VAL),
                 .low = bucket.u32(ETHTOOL_A_STATS_GRP_HIST_BKT_LOW),
                 .high = bucket.u32(ETHTOOL_A_STATS_GRP_HIST_BKT_HI)});
}

StandardValues read_groups(Attributes& from) {
    StandardValues values;
    for (Attributes& group : from.nests(ETHTOOL_A_STATS_GRP)) {
        const std::uint32_t id = group.u32(ETHTOOL_A_STATS_GRP_ID);
        if (id < std::size(groups))
            read_group(group, groups[id], values);
        else
            group.fail(ETHTOOL_A_STATS_GRP_ID, "is no group that was asked for");
    }
    return values;
}

StandardValues read_pause(Attributes& from) {
    StandardValues values;
    for (Attributes& statistics : from.nests(ETHTOOL_A_PAUSE_STATS))
        for (const auto& [type, id] :
             {std::pair(ETHTOOL_A_PAUSE_STAT_TX_FRAMES, MACSTATS_STD_TX_PAUSE_FRAMES),
              std::pair(ETHTOOL_A_PAUSE_STAT_RX_FRAMES, MACSTATS_STD_RX_PAUSE_FRAMES)})
            if (const auto value = statistics.optional_u64(type))
                values.push_back({.id = id, .value = *value});
    return values;
}

// A driver without such statistics reports none, which is no error.
Result<void> append(Result<StandardValues> values, StandardValues& into) {
    if (values)
        into.insert(into.end(), values->begin(), values->end());
    else if (values.error().errnum != EOPNOTSUPP)
        return values.error();
    return {};
}

} // namespace

Message ethtool_request(std::uint8_t command, int header, IfIndex ifindex, std::uint32_t flags) {
    Message message(command, ETHTOOL_GENL_VERSION);
    message.put_nest(header, [ifindex, flags](Message& nest) {
        nest.put_u32(ETHTOOL_A_HEADER_FLAGS, flags)
            .put_u32(ETHTOOL_A_HEADER_DEV_INDEX, ifindex.value());
    });
    return message;
}

std::set<std::string>
fed_by(std::span<const CounterInfo> counters, std::span<const CounterIndex> absent) {
    std::set<std::string> statistics;
    for (const CounterInfo& counter : counters)
        statistics.insert(counter.standard.begin(), counter.standard.end());
    for (const CounterIndex index : absent)
        if (index.value() < counters.size())
            for (const std::string& statistic : counters[index.value()].standard)
                statistics.erase(statistic);
    return statistics;
}

Result<KernelView> KernelView::open() {
    MACSTATS_TRY(auto netlink, GenericNetlink::open());
    MACSTATS_TRY(const auto ethtool, netlink.family(ETHTOOL_GENL_NAME));
    return KernelView(std::move(netlink), ethtool);
}

Result<StandardValues> KernelView::standard(IfIndex ifindex, const std::set<std::string>* fed) {
    StandardValues standard;
    MACSTATS_CHECK(add_groups(ifindex, standard));
    MACSTATS_CHECK(add_pause(ifindex, standard));
    MACSTATS_CHECK(add_link(ifindex, fed, standard));
    return standard;
}

Result<void> KernelView::add_groups(IfIndex ifindex, StandardValues& standard) {
    Message message = ethtool_request(ETHTOOL_MSG_STATS_GET, ETHTOOL_A_STATS_HEADER, ifindex);
    message.put_nest(ETHTOOL_A_STATS_GROUPS, [](Message& bitset) {
        bitset.put_flag(ETHTOOL_A_BITSET_NOMASK);
        bitset.put_nest(ETHTOOL_A_BITSET_BITS, [](Message& bits) {
            for (const Group& group : groups)
                bits.put_nest(ETHTOOL_A_BITSET_BITS_BIT, [&group](Message& bit) {
                    bit.put_string(ETHTOOL_A_BITSET_BIT_NAME, standard_name(group.first).group);
                });
        });
    });
    return append(decode_one(netlink_.query(ethtool_, std::move(message)), read_groups), standard);
}

Result<void> KernelView::add_pause(IfIndex ifindex, StandardValues& standard) {
    return append(
        decode_one(
            netlink_.query(
                ethtool_,
                ethtool_request(
                    ETHTOOL_MSG_PAUSE_GET, ETHTOOL_A_PAUSE_HEADER, ifindex, ETHTOOL_FLAG_STATS)),
            read_pause),
        standard);
}

Result<void>
KernelView::add_link(IfIndex ifindex, const std::set<std::string>* fed, StandardValues& standard) {
    if_stats_msg request{};
    request.ifindex = ifindex.value();
    request.filter_mask = IFLA_STATS_FILTER_BIT(IFLA_STATS_LINK_64);
    MACSTATS_TRY(
        const auto answer,
        in_context("the statistics of a link", ask_route(RTM_GETSTATS, as_octets(request))));
    MACSTATS_TRY(auto attributes, Attributes::parse(std::span(answer).subspan(sizeof(request))));
    const auto octets = attributes.octets(IFLA_STATS_LINK_64);
    if (octets.size() < sizeof(rtnl_link_stats64))
        return Error{EBADMSG, "the kernel's answer about the statistics of a link is malformed"};
    for (std::uint32_t id = link_group.first; id <= link_group.last; id++) {
        StandardValue member{.id = id};
        std::memcpy(
            &member.value, &octets[(id - link_group.first) * sizeof(member.value)],
            sizeof(member.value));
        if (!fed || fed->contains(member.name()))
            standard.push_back(member);
    }
    return {};
}

} // namespace macstats
