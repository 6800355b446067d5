// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "netlink/offloads.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <linux/ethtool_netlink.h>

#include "libmacstats/core/try.hpp"
#include "netlink/ethtool_request.hpp"

namespace macstats {

namespace {

// The beginnings of the names of offloads, see netdev_features_strings in the kernel.
constexpr std::string_view offload_prefixes[] = {
    "tx-tcp",
    "tx-udp-segmentation",
    "tx-generic-segmentation",
    "tx-gso-",
    "tx-checksum-",
    "tx-vlan-",
    "rx-checksum",
    "rx-gro",
    "rx-lro",
    "rx-udp-gro",
    "rx-vlan-hw",
    "rx-vlan-stag-hw"};

} // namespace

std::vector<std::string> offloads_among(const std::vector<std::string>& names) {
    std::vector<std::string> offloads;
    std::copy_if(
        names.begin(), names.end(), std::back_inserter(offloads), [](const std::string& name) {
            return std::any_of(
                std::begin(offload_prefixes), std::end(offload_prefixes),
                [&name](std::string_view prefix) { return name.starts_with(prefix); });
        });
    return offloads;
}

Result<OffloadsOff> OffloadsOff::of(IfIndex ifindex) {
    MACSTATS_TRY(auto netlink, GenericNetlink::open());
    MACSTATS_TRY(const auto ethtool, netlink.family(ETHTOOL_GENL_NAME));
    OffloadsOff offloads(std::move(netlink), ethtool, ifindex);
    MACSTATS_TRY(const auto wanted, offloads.wanted());
    std::vector<std::string> names = offloads_among(wanted);
    // An empty request also checks the permission.
    MACSTATS_CHECK(offloads.set(names, false));
    offloads.off_ = std::move(names);
    return offloads;
}

OffloadsOff::OffloadsOff(OffloadsOff&& other) noexcept
    : netlink_(std::exchange(other.netlink_, std::nullopt)),
      ethtool_(other.ethtool_),
      ifindex_(other.ifindex_),
      off_(std::exchange(other.off_, {})) {}

OffloadsOff::~OffloadsOff() {
    if (netlink_ && !off_.empty())
        (void)set(off_, true); // an interface that is gone has none
}

// The features that the user has on, where the driver lets the user choose.
Result<std::vector<std::string>> OffloadsOff::wanted() {
    MACSTATS_TRY(
        const auto reply,
        netlink_->query(
            ethtool_,
            ethtool_request(ETHTOOL_MSG_FEATURES_GET, ETHTOOL_A_FEATURES_HEADER, ifindex_)));
    MACSTATS_TRY(auto attributes, Attributes::parse(reply.payload));
    std::vector<std::string> names;
    for (Attributes& bitset : attributes.nests(ETHTOOL_A_FEATURES_WANTED))
        for (Attributes& bits : bitset.nests(ETHTOOL_A_BITSET_BITS))
            for (Attributes& bit : bits.nests(ETHTOOL_A_BITSET_BITS_BIT))
                names.push_back(bit.string(ETHTOOL_A_BITSET_BIT_NAME));
    return names;
}

Result<void> OffloadsOff::set(const std::vector<std::string>& names, bool on) {
    Message message =
        ethtool_request(ETHTOOL_MSG_FEATURES_SET, ETHTOOL_A_FEATURES_HEADER, ifindex_);
    message.put_nest(ETHTOOL_A_FEATURES_WANTED, [&names, on](Message& bitset) {
        bitset.put_nest(ETHTOOL_A_BITSET_BITS, [&names, on](Message& bits) {
            for (const std::string& name : names)
                bits.put_nest(ETHTOOL_A_BITSET_BITS_BIT, [&name, on](Message& bit) {
                    bit.put_string(ETHTOOL_A_BITSET_BIT_NAME, name);
                    if (on)
                        bit.put_flag(ETHTOOL_A_BITSET_BIT_VALUE);
                });
        });
    });
    MACSTATS_CHECK(netlink_->request(ethtool_, std::move(message)));
    return {};
}

} // namespace macstats
