// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "scenario/host_port.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "core/error.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/interface.hpp"
#include "netlink/file_descriptor.hpp"

namespace macstats {

namespace {

constexpr std::chrono::milliseconds carrier_limit(5000);

class SteadyWireClock final : public WireClock {
public:
    explicit SteadyWireClock(std::function<bool()> interrupted)
        : interrupted_(std::move(interrupted)) {}

    TimePoint now() override { return std::chrono::steady_clock::now(); }
    Result<void> sleep(std::chrono::milliseconds duration) override {
        // A run can be interrupted while it sleeps.
        constexpr std::chrono::milliseconds second(1000);
        do {
            std::this_thread::sleep_for(std::min(duration, second));
            if (interrupted_ && interrupted_())
                return Error{EINTR, "interrupted"};
        } while ((duration -= std::min(duration, second)).count() > 0);
        return {};
    }

private:
    std::function<bool()> interrupted_;
};

// "br0 (bridge)"
std::string master_text(IfIndex ifindex) {
    const auto master = link_info(ifindex);
    if (!master)
        return fmt::format("interface {}", ifindex.value());
    return master->kind.empty() ? master->name : fmt::format("{} ({})", master->name, master->kind);
}

} // namespace

Result<LinkInfo> usable_link(const std::string& interface) {
    MACSTATS_TRY(const auto index, interface_index(interface));
    if (!index)
        return Error{ENODEV, "there is no such interface in this network namespace"};
    MACSTATS_TRY(auto link, link_info(*index));
    if (!link.ethernet || link.name == "lo")
        return Error{EINVAL, "not an Ethernet interface"};
    if (link.master)
        return failure(
            EBUSY, "the interface belongs to {}; `ip link set {} nomaster` releases it",
            master_text(*link.master), link.name);
    if (!link.up)
        return failure(
            ENETDOWN, "the interface is down; `ip link set {} up` sets it up", link.name);
    return link;
}

Result<void> wait_for_carrier(IfIndex ifindex, WireClock& clock) {
    const auto deadline = clock.now() + carrier_limit;
    for (;;) {
        MACSTATS_TRY(const auto now, link_info(ifindex));
        if (now.running)
            return {};
        if (clock.now() >= deadline)
            return Error{ENETDOWN, "the interface has no carrier: connect both ends of the cable"};
        MACSTATS_CHECK(clock.sleep(std::chrono::milliseconds(10)));
    }
}

std::vector<NamedValue> read_strings(IfIndex ifindex) {
    const FileDescriptor fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    ifreq request{};
    if (fd.get() < 0 || !if_indextoname(ifindex.value(), request.ifr_name))
        return {};
    const auto ask = [&fd, &request](void* what) {
        request.ifr_data = static_cast<char*>(what);
        return ioctl(fd.get(), SIOCETHTOOL, &request) == 0;
    };
    std::array<std::uint32_t, 5> info{};
    ethtool_sset_info header{};
    header.cmd = ETHTOOL_GSSET_INFO;
    header.sset_mask = 1ULL << ETH_SS_STATS;
    static_assert(sizeof(header) <= sizeof(info));
    std::memcpy(info.data(), &header, sizeof(header));
    if (!ask(info.data()))
        return {};
    std::memcpy(&header, info.data(), sizeof(header));
    if (!header.sset_mask)
        return {};
    const std::uint32_t count = info[sizeof(header) / sizeof(info[0])];
    // Older kernels write as many as there are by then, whatever there is room for: queues may have
    // been added.
    constexpr std::size_t slack = 65'536;
    // After a header of 64 bits
    std::vector<std::uint64_t> values(1 + count + slack);
    ethtool_stats command{};
    command.cmd = ETHTOOL_GSTATS;
    command.n_stats = count;
    std::memcpy(values.data(), &command, sizeof(command));
    if (!ask(values.data()))
        return {};
    ethtool_gstrings named{};
    std::vector<char> names(sizeof(named) + (count + slack) * ETH_GSTRING_LEN);
    named.cmd = ETHTOOL_GSTRINGS;
    named.string_set = ETH_SS_STATS;
    named.len = count;
    std::memcpy(names.data(), &named, sizeof(named));
    if (!ask(names.data()))
        return {};
    std::vector<NamedValue> strings;
    for (std::size_t i = 0; i < count; i++) {
        const char* name = &names[sizeof(named) + i * ETH_GSTRING_LEN];
        strings.push_back({std::string(name, strnlen(name, ETH_GSTRING_LEN)), values[1 + i]});
    }
    return strings;
}

std::unique_ptr<WireClock> steady_clock(std::function<bool()> interrupted) {
    return std::make_unique<SteadyWireClock>(std::move(interrupted));
}

Result<void> check_kernel_model(Client& client, ModelId id, const macstats_model& model) {
    MACSTATS_TRY(const auto counters, client.counters(id));
    if (counters.are_of(model))
        return {};
    return failure(EBADMSG, "the kernel's {} has other counters than this library", model.name);
}

Result<Observation>
observe_served_port(Client& client, KernelView* view, IfIndex ifindex, Freshness freshness) {
    MACSTATS_TRY(auto statistics, client.statistics(ifindex, freshness));
    Observation seen{
        .stale = statistics.stale,
        .possible_loss = statistics.possible_loss,
        .discontinuities = statistics.discontinuities,
        .saturated = {},
        .totals = std::move(statistics.values),
        .standard = {},
        .absent = std::move(statistics.absent),
    };
    for (const Saturation& one : statistics.saturated)
        seen.saturated.push_back(one.counter);
    std::sort(seen.saturated.begin(), seen.saturated.end());
    if (!view)
        return seen;
    MACSTATS_TRY(const auto counters, client.counters(statistics.model_id));
    const auto fed = seen.totals.empty() ? std::set<std::string>() : fed_by(counters, seen.absent);
    MACSTATS_TRY(seen.standard, view->standard(ifindex, &fed));
    // Before 6.3 the kernel shows no statistics of the MAC Merge sublayer.
    for (const StandardValue& one : statistics.standard)
        if (one.group() == "mm")
            seen.standard.push_back(one);
    return seen;
}

} // namespace macstats
