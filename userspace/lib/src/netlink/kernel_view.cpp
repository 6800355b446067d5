// SPDX-License-Identifier: GPL-2.0 OR MIT
// The kernel's answers about standard statistics: ETHTOOL_MSG_STATS_GET,
// ETHTOOL_MSG_PAUSE_GET and RTM_GETSTATS.
#include "netlink/kernel_view.hpp"

#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <macstats/schema.h>

#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "netlink/ethtool_request.hpp"
#include "netlink/route.hpp"

namespace macstats {

namespace {

using StandardValues = std::vector<StandardValue>;

constexpr std::string_view groups[] = {"eth-phy", "eth-mac", "eth-ctrl", "rmon"};
constexpr std::uint32_t string_sets[] = {
    ETH_SS_STATS_STD, ETH_SS_STATS_ETH_PHY, ETH_SS_STATS_ETH_MAC, ETH_SS_STATS_ETH_CTRL,
    ETH_SS_STATS_RMON};

struct LinkMember {
    const char* name;
    __u64 rtnl_link_stats64::*value;
};

#define MEMBER(name) \
    { #name, &rtnl_link_stats64::name }
constexpr LinkMember link_members[] = {
    MEMBER(rx_packets),       MEMBER(tx_packets),          MEMBER(rx_bytes),
    MEMBER(tx_bytes),         MEMBER(rx_errors),           MEMBER(tx_errors),
    MEMBER(rx_dropped),       MEMBER(tx_dropped),          MEMBER(multicast),
    MEMBER(collisions),       MEMBER(rx_length_errors),    MEMBER(rx_over_errors),
    MEMBER(rx_crc_errors),    MEMBER(rx_frame_errors),     MEMBER(rx_fifo_errors),
    MEMBER(rx_missed_errors), MEMBER(tx_aborted_errors),   MEMBER(tx_carrier_errors),
    MEMBER(tx_fifo_errors),   MEMBER(tx_heartbeat_errors), MEMBER(tx_window_errors),
};
#undef MEMBER

Error malformed_answer(std::string_view what) {
    return {EBADMSG, fmt::format("the kernel's answer about {} is malformed", what)};
}

// The names in a string set, by their index.
Result<std::vector<std::string>> read_strings(Attributes& set) {
    std::vector<std::string> strings(set.u32(ETHTOOL_A_STRINGSET_COUNT));
    for (Attributes& list : set.nests(ETHTOOL_A_STRINGSET_STRINGS))
        for (Attributes& entry : list.nests(ETHTOOL_A_STRINGS_STRING)) {
            const std::uint32_t index = entry.u32(ETHTOOL_A_STRING_INDEX);
            if (entry.error() || index >= strings.size())
                return malformed_answer("its string sets");
            strings[index] = entry.string(ETHTOOL_A_STRING_VALUE);
        }
    if (set.error())
        return *set.error();
    return strings;
}

Result<std::map<std::uint32_t, std::vector<std::string>>>
ask_for_strings(GenericNetlink& netlink, std::uint16_t ethtool) {
    Message message =
        ethtool_request(ETHTOOL_MSG_STRSET_GET, ETHTOOL_A_STRSET_HEADER, std::nullopt);
    message.put_nest(ETHTOOL_A_STRSET_STRINGSETS, [](Message& sets) {
        for (const std::uint32_t id : string_sets)
            sets.put_nest(ETHTOOL_A_STRINGSETS_STRINGSET, [id](Message& set) {
                set.put_u32(ETHTOOL_A_STRINGSET_ID, id);
            });
    });
    MACSTATS_TRY(const auto reply, netlink.query(ethtool, std::move(message)));
    MACSTATS_TRY(auto attributes, Attributes::parse(reply.payload));

    std::map<std::uint32_t, std::vector<std::string>> known;
    for (Attributes& list : attributes.nests(ETHTOOL_A_STRSET_STRINGSETS))
        for (Attributes& set : list.nests(ETHTOOL_A_STRINGSETS_STRINGSET)) {
            MACSTATS_TRY(auto strings, read_strings(set));
            known.emplace(set.u32(ETHTOOL_A_STRINGSET_ID), std::move(strings));
        }
    for (const std::uint32_t id : string_sets)
        if (!known.contains(id))
            return malformed_answer("its string sets");
    return known;
}

// The statistics that the kernel reports of a group, without those that only a newer kernel
// knows. Each one is alone in its nest; its number is the attribute's, and the index of its name.
void read_group(
    Attributes& group, const std::string& name, const std::vector<std::string>& names,
    StandardValues& into) {
    for (Attributes& statistic : group.nests(ETHTOOL_A_STATS_GRP_STAT))
        for (std::size_t i = 0; i < names.size(); i++)
            if (const auto value = statistic.optional_u64(static_cast<int>(i)))
                if (const unsigned int id = standard_id(name, names[i]))
                    into.push_back({.id = id, .value = *value});
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

// A driver without such statistics reports none, which is no error.
Result<void> unless_unsupported(const Error& error) {
    if (error.errnum == EOPNOTSUPP)
        return {};
    return error;
}

} // namespace

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

KernelView::KernelView(
    GenericNetlink netlink, std::uint16_t ethtool, std::map<std::uint32_t, Strings> strings)
    : netlink_(std::move(netlink)),
      ethtool_(ethtool),
      strings_(std::move(strings)) {}

Result<KernelView> KernelView::open() {
    MACSTATS_TRY(auto netlink, GenericNetlink::open());
    MACSTATS_TRY(const auto ethtool, netlink.family(ETHTOOL_GENL_NAME));
    MACSTATS_TRY(
        auto strings,
        in_context("the names of ethtool's statistics", ask_for_strings(netlink, ethtool)));
    return KernelView(std::move(netlink), ethtool, std::move(strings));
}

std::set<std::string> KernelView::link_statistics() {
    std::set<std::string> names;
    for (const LinkMember& member : link_members)
        names.insert(member.name);
    return names;
}

Result<StandardValues> KernelView::standard(IfIndex ifindex, const std::set<std::string>& fed) {
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
            for (const std::string_view group : groups)
                bits.put_nest(ETHTOOL_A_BITSET_BITS_BIT, [group](Message& bit) {
                    bit.put_string(ETHTOOL_A_BITSET_BIT_NAME, group);
                });
        });
    });
    const auto reply = netlink_.query(ethtool_, std::move(message));
    if (!reply)
        return unless_unsupported(reply.error());
    MACSTATS_TRY(auto attributes, Attributes::parse(reply->payload));

    const Strings& names = strings_.at(ETH_SS_STATS_STD);
    for (Attributes& group : attributes.nests(ETHTOOL_A_STATS_GRP)) {
        const std::uint32_t id = group.u32(ETHTOOL_A_STATS_GRP_ID);
        const auto statistics = strings_.find(group.u32(ETHTOOL_A_STATS_GRP_SS_ID));
        if (group.error() || id >= names.size() || statistics == strings_.end())
            return malformed_answer("standard statistics");
        read_group(group, names[id], statistics->second, standard);
    }
    return {};
}

Result<void> KernelView::add_pause(IfIndex ifindex, StandardValues& standard) {
    const auto reply = netlink_.query(
        ethtool_, ethtool_request(
                      ETHTOOL_MSG_PAUSE_GET, ETHTOOL_A_PAUSE_HEADER, ifindex, ETHTOOL_FLAG_STATS));
    if (!reply)
        return unless_unsupported(reply.error());
    MACSTATS_TRY(auto attributes, Attributes::parse(reply->payload));

    for (Attributes& statistics : attributes.nests(ETHTOOL_A_PAUSE_STATS))
        for (const auto& [type, id] :
             {std::pair(ETHTOOL_A_PAUSE_STAT_TX_FRAMES, MACSTATS_STD_TX_PAUSE_FRAMES),
              std::pair(ETHTOOL_A_PAUSE_STAT_RX_FRAMES, MACSTATS_STD_RX_PAUSE_FRAMES)})
            if (const auto value = statistics.optional_u64(type))
                standard.push_back({.id = id, .value = *value});
    return {};
}

Result<void>
KernelView::add_link(IfIndex ifindex, const std::set<std::string>& fed, StandardValues& standard) {
    if_stats_msg request{};
    request.ifindex = ifindex.value();
    request.filter_mask = IFLA_STATS_FILTER_BIT(IFLA_STATS_LINK_64);
    MACSTATS_TRY(
        const auto answer,
        in_context("the statistics of a link", ask_route(RTM_GETSTATS, as_octets(request))));
    MACSTATS_TRY(auto attributes, Attributes::parse(std::span(answer).subspan(sizeof(request))));
    const auto octets = attributes.octets(IFLA_STATS_LINK_64);
    rtnl_link_stats64 statistics{};
    if (octets.size() < sizeof(statistics))
        return malformed_answer("the statistics of a link");
    std::memcpy(&statistics, octets.data(), sizeof(statistics));
    for (const LinkMember& member : link_members)
        if (fed.contains(member.name))
            standard.push_back(
                {.id = standard_id("rtnl", member.name), .value = statistics.*member.value});
    return {};
}

} // namespace macstats
