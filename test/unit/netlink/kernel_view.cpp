// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Standard statistics as the kernel's family "ethtool" and its routing netlink report them.
#include "boost_test.hpp"

#include <cerrno>

#include <linux/ethtool_netlink.h>
#include <macstats/schema.h>

#include "netlink/kernel_view.hpp"
#include "netlink_fake.hpp"

BOOST_AUTO_TEST_SUITE(unit_kernel_view)

using namespace macstats;
using namespace macstats::test;

namespace {

constexpr IfIndex loopback(1);
constexpr std::uint32_t mac_group = ETHTOOL_STATS_ETH_MAC;

Datagram group_of(std::uint32_t id, const Datagram& statistics) {
    return nest(ETHTOOL_A_STATS_GRP, joined({u32(ETHTOOL_A_STATS_GRP_ID, id), statistics}));
}

Datagram statistic(const Datagram& value) {
    return nest(ETHTOOL_A_STATS_GRP_STAT, value);
}

Datagram pause_of(const Datagram& statistics) {
    return nest(ETHTOOL_A_PAUSE_STATS, statistics);
}

struct Viewing {
    std::shared_ptr<Script> script = std::make_shared<Script>();
    KernelView view{conversation(script), family};

    void answer(const Datagram& groups, const Datagram& pause = pause_of({})) const {
        script->reply(ETHTOOL_MSG_STATS_GET_REPLY, groups);
        script->reply(ETHTOOL_MSG_PAUSE_GET_REPLY, pause);
    }

    Result<std::vector<StandardValue>> standard() {
        const std::set<std::string> none;
        return view.standard(loopback, &none);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(answers, Viewing)

BOOST_AUTO_TEST_CASE(statistics_of_groups_and_pause_frames_are_read) {
    answer(
        group_of(
            mac_group, joined(
                           {statistic(u64(ETHTOOL_A_STATS_ETH_MAC_2_TX_PKT, 5)),
                            statistic(u64(ETHTOOL_A_STATS_ETH_MAC_5_RX_PKT, 6))})),
        pause_of(u64(ETHTOOL_A_PAUSE_STAT_RX_FRAMES, 7)));
    const auto standard = this->standard();
    const std::vector<StandardValue> expected = {
        {.id = MACSTATS_STD_FRAMES_TRANSMITTED_OK, .value = 5},
        {.id = MACSTATS_STD_FRAMES_RECEIVED_OK, .value = 6},
        {.id = MACSTATS_STD_RX_PAUSE_FRAMES, .value = 7}};
    BOOST_TEST((*standard == expected));
}

// On machines that read no unaligned numbers, its type is that of a statistic.
BOOST_AUTO_TEST_CASE(padding_before_a_value_is_no_statistic) {
    answer(group_of(
        mac_group,
        statistic(
            joined({flag(ETHTOOL_A_STATS_GRP_PAD), u64(ETHTOOL_A_STATS_ETH_MAC_2_TX_PKT, 5)}))));
    const auto standard = this->standard();
    BOOST_REQUIRE(standard->size() == 1U);
    BOOST_TEST((standard->front().id == MACSTATS_STD_FRAMES_TRANSMITTED_OK));
}

BOOST_AUTO_TEST_CASE(a_driver_without_such_statistics_reports_none) {
    script->answer({rejected(EOPNOTSUPP)});
    script->answer({rejected(EOPNOTSUPP)});
    const auto standard = this->standard();
    BOOST_TEST(standard->empty());
}

BOOST_AUTO_TEST_CASE(a_malformed_statistic_is_an_error_and_not_0) {
    const Datagram buckets = joined(
        {u32(ETHTOOL_A_STATS_GRP_HIST_BKT_LOW, 64), u32(ETHTOOL_A_STATS_GRP_HIST_BKT_HI, 127),
         u32(ETHTOOL_A_STATS_GRP_HIST_VAL, 5)});
    for (const Datagram& groups :
         {group_of(mac_group, statistic(u32(ETHTOOL_A_STATS_ETH_MAC_2_TX_PKT, 5))),
          group_of(ETHTOOL_STATS_RMON, nest(ETHTOOL_A_STATS_GRP_HIST_RX, buckets)),
          group_of(ETHTOOL_STATS_RMON + 1, {}), nest(ETHTOOL_A_STATS_GRP, {})}) {
        answer(groups);
        BOOST_TEST(standard().error().errnum == EBADMSG);
        script->answers.clear();
    }
    answer({}, pause_of(u32(ETHTOOL_A_PAUSE_STAT_RX_FRAMES, 7)));
    BOOST_TEST(standard().error().errnum == EBADMSG);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
