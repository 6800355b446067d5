// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "netlink/offloads.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/ethtool_netlink.h>
#include <net/if.h>

#include "libmacstats/core/escape.hpp"
#include "libmacstats/core/try.hpp"
#include "netlink/kernel_view.hpp"
#include "netlink/messages.hpp"

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

std::vector<std::string> read_wanted(Attributes& from) {
    std::vector<std::string> names;
    for (Attributes& bitset : from.nests(ETHTOOL_A_FEATURES_WANTED))
        for (Attributes& bits : bitset.nests(ETHTOOL_A_BITSET_BITS))
            for (Attributes& bit : bits.nests(ETHTOOL_A_BITSET_BITS_BIT))
                names.push_back(bit.string(ETHTOOL_A_BITSET_BIT_NAME));
    return names;
}

void report_failure(
    IfIndex ifindex, const std::vector<std::string>& names, const std::string& reason) {
    std::array<char, IF_NAMESIZE> name{};
    const bool has_name = if_indextoname(ifindex.value(), name.data());
    fmt::print(
        stderr,
        "macstats: cannot restore the offloads of {}: {}; `ethtool -K` switches these on: {}\n",
        has_name ? escaped(name.data()) : "an interface", reason, fmt::join(names, ", "));
}

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
    // From here on the destructor restores them: a request without an answer may have worked.
    offloads.off_ = offloads_among(wanted);
    // An empty request also checks the permission.
    const auto done = offloads.set(offloads.off_, false);
    if (done)
        return offloads;
    if (done.error().errnum == EPERM)
        offloads.off_.clear();
    return done.error();
}

OffloadsOff::OffloadsOff(OffloadsOff&& other) noexcept
    : netlink_(std::exchange(other.netlink_, std::nullopt)),
      ethtool_(other.ethtool_),
      ifindex_(other.ifindex_),
      off_(std::exchange(other.off_, {})) {}

OffloadsOff::~OffloadsOff() {
    if (!netlink_ || off_.empty())
        return;
    // Nothing may leave a destructor, not even for want of memory.
    try {
        const auto done = set(off_, true);
        if (!done && done.error().errnum != ENODEV) // an interface that is gone has none
            report_failure(ifindex_, off_, done.error().message);
    } catch (const std::exception& exception) {
        (void)std::fprintf(stderr, "macstats: cannot restore offloads: %s\n", exception.what());
    }
}

// The features that the user has on, where the driver lets the user choose.
Result<std::vector<std::string>> OffloadsOff::wanted() {
    return decode_one(
        netlink_->query(
            ethtool_,
            ethtool_request(ETHTOOL_MSG_FEATURES_GET, ETHTOOL_A_FEATURES_HEADER, ifindex_)),
        read_wanted);
}

Result<void> OffloadsOff::set(const std::vector<std::string>& names, bool on) {
    Message message =
        ethtool_request(ETHTOOL_MSG_FEATURES_SET, ETHTOOL_A_FEATURES_HEADER, ifindex_);
    message.put_nest(ETHTOOL_A_FEATURES_WANTED, [&names, on](Message& bitset) {
        bitset.put_nest(ETHTOOL_A_BITSET_BITS, [&names, on](Message& bits) {
            for (const std::string& name : names)
                bits.put_nest(ETHTOOL_A_BITSET_BITS_BIT, [&name, on](Message& bit) {
                    bit.put_string(ETHTOOL_A_BITSET_BIT_NAME, name)
                        .put_flag(ETHTOOL_A_BITSET_BIT_VALUE, on);
                });
        });
    });
    MACSTATS_CHECK(netlink_->request(ethtool_, std::move(message)));
    return {};
}

} // namespace macstats
