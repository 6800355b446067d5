// SPDX-License-Identifier: GPL-2.0 OR MIT
// The kernel's answers about standard statistics: ETHTOOL_MSG_STATS_GET,
// ETHTOOL_MSG_PAUSE_GET and RTM_GETSTATS.
#include "kernel_view.hpp"

#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <macstats/schema.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

#include "libmacstats/names.hpp"

namespace macstats {

namespace {

using nlohmann::ordered_json;

constexpr std::string_view groups[] = {"eth-mac", "eth-ctrl", "rmon"};
constexpr std::uint32_t string_sets[] = {
    ETH_SS_STATS_STD, ETH_SS_STATS_ETH_MAC, ETH_SS_STATS_ETH_CTRL, ETH_SS_STATS_RMON};

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

// A request of the ethtool family, about a device unless @ifindex is 0.
Message
ethtool_request(std::uint8_t command, int header, std::uint32_t ifindex, std::uint32_t flags = 0) {
    Message message(command, ETHTOOL_GENL_VERSION);
    message.put_nest(header, [ifindex, flags](Message& nest) {
        nest.put_u32(ETHTOOL_A_HEADER_FLAGS, flags);
        if (ifindex)
            nest.put_u32(ETHTOOL_A_HEADER_DEV_INDEX, ifindex);
    });
    return message;
}

Error malformed(std::string_view what) {
    return {EBADMSG, fmt::format("the kernel's answer about {} makes no sense", what)};
}

// The names in a string set, by their index.
Result<std::vector<std::string>> read_strings(Attributes& set) {
    std::vector<std::string> strings(set.u32(ETHTOOL_A_STRINGSET_COUNT));
    for (Attributes& list : set.nests(ETHTOOL_A_STRINGSET_STRINGS))
        for (Attributes& entry : list.nests(ETHTOOL_A_STRINGS_STRING)) {
            const std::uint32_t index = entry.u32(ETHTOOL_A_STRING_INDEX);
            if (entry.error() || index >= strings.size())
                return malformed("its string sets");
            strings[index] = entry.string(ETHTOOL_A_STRING_VALUE);
        }
    if (set.error())
        return *set.error();
    return strings;
}

Result<std::map<std::uint32_t, std::vector<std::string>>>
ask_for_strings(GenericNetlink& netlink, std::uint16_t ethtool) {
    Message message = ethtool_request(ETHTOOL_MSG_STRSET_GET, ETHTOOL_A_STRSET_HEADER, 0);
    message.put_nest(ETHTOOL_A_STRSET_STRINGSETS, [](Message& sets) {
        for (const std::uint32_t id : string_sets)
            sets.put_nest(ETHTOOL_A_STRINGSETS_STRINGSET, [id](Message& set) {
                set.put_u32(ETHTOOL_A_STRINGSET_ID, id);
            });
    });
    const auto reply = netlink.query(ethtool, std::move(message));
    if (!reply)
        return reply.error();
    auto attributes = Attributes::parse(reply->payload);
    if (!attributes)
        return attributes.error();

    std::map<std::uint32_t, std::vector<std::string>> known;
    for (Attributes& list : attributes->nests(ETHTOOL_A_STRSET_STRINGSETS))
        for (Attributes& set : list.nests(ETHTOOL_A_STRINGSETS_STRINGSET)) {
            auto strings = read_strings(set);
            if (!strings)
                return strings.error();
            known.emplace(set.u32(ETHTOOL_A_STRINGSET_ID), std::move(*strings));
        }
    for (const std::uint32_t id : string_sets)
        if (!known.contains(id))
            return malformed("its string sets");
    return known;
}

ordered_json read_histogram(Attributes& group, int type) {
    ordered_json histogram = ordered_json::array();
    for (Attributes& bucket : group.nests(type))
        histogram.push_back({
            {"low", bucket.u32(ETHTOOL_A_STATS_GRP_HIST_BKT_LOW)},
            {"high", bucket.u32(ETHTOOL_A_STATS_GRP_HIST_BKT_HI)},
            {"val", bucket.u64(ETHTOOL_A_STATS_GRP_HIST_VAL)},
        });
    return histogram;
}

// What the kernel gives of a group. Each statistic is alone in its nest; its
// number is the attribute's, and the index of its name.
ordered_json read_group(Attributes& group, const std::vector<std::string>& names) {
    ordered_json json = ordered_json::object();
    for (Attributes& statistic : group.nests(ETHTOOL_A_STATS_GRP_STAT))
        for (std::size_t i = 0; i < names.size(); i++)
            if (const auto value = statistic.optional_u64(static_cast<int>(i)))
                json[names[i]] = *value;
    for (const auto& [type, id] :
         {std::pair(ETHTOOL_A_STATS_GRP_HIST_RX, MACSTATS_STD_HIST_RX),
          std::pair(ETHTOOL_A_STATS_GRP_HIST_TX, MACSTATS_STD_HIST_TX)})
        if (ordered_json histogram = read_histogram(group, type); !histogram.empty())
            json[std::string(standard_name(id).name)] = std::move(histogram);
    return json;
}

Error libnl_error(std::string_view what, int error) {
    // EIO: libnl has a number space of its own, with texts for people.
    return {EIO, fmt::format("{}: {}", what, nl_geterror(error))};
}

// The reply of RTM_GETSTATS, as libnl hands it over.
int take_link_statistics(nl_msg* message, void* into) {
    const nlattr* found =
        nlmsg_find_attr(nlmsg_hdr(message), sizeof(if_stats_msg), IFLA_STATS_LINK_64);
    if (!found || nla_len(found) < static_cast<int>(sizeof(rtnl_link_stats64)))
        return NL_SKIP;
    std::memcpy(
        &static_cast<std::optional<rtnl_link_stats64>*>(into)->emplace(), nla_data(found),
        sizeof(rtnl_link_stats64));
    return NL_STOP;
}

} // namespace

void KernelView::FreeSocket::operator()(nl_sock* socket) const {
    nl_socket_free(socket);
}

KernelView::KernelView(
    GenericNetlink netlink, std::uint16_t ethtool, std::map<std::uint32_t, Strings> strings,
    Socket route)
    : netlink_(std::move(netlink)),
      ethtool_(ethtool),
      strings_(std::move(strings)),
      route_(std::move(route)) {}

Result<KernelView> KernelView::open() {
    auto netlink = GenericNetlink::open();
    if (!netlink)
        return netlink.error();
    const auto ethtool = netlink->family(ETHTOOL_GENL_NAME);
    if (!ethtool)
        return ethtool.error();
    auto strings = ask_for_strings(*netlink, *ethtool);
    if (!strings)
        return in_context("ethtool's names", strings.error());

    Socket route(nl_socket_alloc());
    if (!route)
        return Error{ENOMEM, "no memory for a netlink socket"};
    if (const int error = nl_connect(route.get(), NETLINK_ROUTE); error < 0)
        return libnl_error("cannot open a routing netlink socket", error);
    nl_socket_disable_auto_ack(route.get()); // the reply is answer enough
    return KernelView(std::move(*netlink), *ethtool, std::move(*strings), std::move(route));
}

Result<ordered_json> KernelView::standard(std::uint32_t ifindex, const std::set<std::string>& fed) {
    ordered_json standard = ordered_json::object();
    auto done = add_groups(ifindex, standard);
    if (done)
        done = add_pause(ifindex, standard);
    if (done)
        done = add_link(ifindex, fed, standard);
    if (!done)
        return done.error();
    return standard;
}

Result<void> KernelView::add_groups(std::uint32_t ifindex, ordered_json& standard) {
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
        return reply.error();
    auto attributes = Attributes::parse(reply->payload);
    if (!attributes)
        return attributes.error();

    const Strings& names = strings_.at(ETH_SS_STATS_STD);
    for (Attributes& group : attributes->nests(ETHTOOL_A_STATS_GRP)) {
        const std::uint32_t id = group.u32(ETHTOOL_A_STATS_GRP_ID);
        const auto statistics = strings_.find(group.u32(ETHTOOL_A_STATS_GRP_SS_ID));
        if (group.error() || id >= names.size() || statistics == strings_.end())
            return malformed("standard statistics");
        ordered_json json = read_group(group, statistics->second);
        if (!json.empty())
            standard[names[id]] = std::move(json);
    }
    return {};
}

Result<void> KernelView::add_pause(std::uint32_t ifindex, ordered_json& standard) {
    const auto reply = netlink_.query(
        ethtool_, ethtool_request(
                      ETHTOOL_MSG_PAUSE_GET, ETHTOOL_A_PAUSE_HEADER, ifindex, ETHTOOL_FLAG_STATS));
    if (!reply)
        return reply.error();
    auto attributes = Attributes::parse(reply->payload);
    if (!attributes)
        return attributes.error();

    for (Attributes& statistics : attributes->nests(ETHTOOL_A_PAUSE_STATS))
        for (const auto& [type, id] :
             {std::pair(ETHTOOL_A_PAUSE_STAT_TX_FRAMES, MACSTATS_STD_TX_PAUSE_FRAMES),
              std::pair(ETHTOOL_A_PAUSE_STAT_RX_FRAMES, MACSTATS_STD_RX_PAUSE_FRAMES)})
            if (const auto value = statistics.optional_u64(type))
                standard["pause"][std::string(standard_name(id).name)] = *value;
    return {};
}

Result<void> KernelView::add_link(
    std::uint32_t ifindex, const std::set<std::string>& fed, ordered_json& standard) {
    if_stats_msg request{};
    request.ifindex = ifindex;
    request.filter_mask = IFLA_STATS_FILTER_BIT(IFLA_STATS_LINK_64);
    int error = nl_send_simple(route_.get(), RTM_GETSTATS, 0, &request, sizeof(request));
    if (error < 0)
        return libnl_error("cannot ask for the statistics of a link", error);

    std::optional<rtnl_link_stats64> statistics;
    nl_socket_modify_cb(route_.get(), NL_CB_VALID, NL_CB_CUSTOM, take_link_statistics, &statistics);
    error = nl_recvmsgs_default(route_.get());
    if (error < 0)
        return libnl_error("statistics of a link", error);
    if (!statistics)
        return malformed("the statistics of a link");
    for (const LinkMember& member : link_members)
        if (fed.contains(member.name))
            standard["rtnl"][member.name] = (*statistics).*member.value;
    return {};
}

} // namespace macstats
