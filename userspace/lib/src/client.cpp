// SPDX-License-Identifier: GPL-2.0 OR MIT
// The queries, attribute by attribute.
#include "libmacstats/client.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/netlink.h>
#include <net/if.h>

#include "libmacstats/names.hpp"
#include "messages.hpp"

namespace macstats {

namespace {

Message command(int command) {
    return Message(static_cast<std::uint8_t>(command), MACSTATS_GENL_VERSION);
}

ModelInfo read_model(Attributes& from) {
    return {
        .name = from.string(MACSTATS_A_MODEL_NAME),
        .title = from.string(MACSTATS_A_MODEL_TITLE),
        .datasheet = from.string(MACSTATS_A_MODEL_DATASHEET),
        .ports = from.u32(MACSTATS_A_MODEL_PORTS),
        .line_rate_bps = from.u64(MACSTATS_A_MODEL_LINE_RATE),
        .counters = from.u32(MACSTATS_A_MODEL_COUNTERS),
    };
}

struct NumberedCounter {
    std::uint32_t id;
    CounterInfo counter;
};

NumberedCounter read_counter(Attributes& from) {
    return {
        .id = from.u32(MACSTATS_A_COUNTER_ID),
        .counter =
            {
                .name = from.string(MACSTATS_A_COUNTER_NAME),
                .reg = from.string(MACSTATS_A_COUNTER_REGISTER),
                .description = from.string(MACSTATS_A_COUNTER_DESCRIPTION),
                .unit = from.u32(MACSTATS_A_COUNTER_UNIT),
                .offset = from.u32(MACSTATS_A_COUNTER_OFFSET),
                .bits = from.u32(MACSTATS_A_COUNTER_BITS),
                .onread = from.u32(MACSTATS_A_COUNTER_ONREAD),
                .onwrite = from.u32(MACSTATS_A_COUNTER_ONWRITE),
                .overflow = from.u32(MACSTATS_A_COUNTER_OVERFLOW),
                .direction = from.u32(MACSTATS_A_COUNTER_DIRECTION),
                .standard = from.strings(MACSTATS_A_COUNTER_STANDARD),
            },
    };
}

Statistics read_statistics(Attributes& from) {
    return {
        .ifindex = from.u32(MACSTATS_A_STATS_IFINDEX),
        .model = from.string(MACSTATS_A_STATS_MODEL),
        .generation = from.u64(MACSTATS_A_STATS_GENERATION),
        .time_ns = from.u64(MACSTATS_A_STATS_TIME),
        .stale = from.has(MACSTATS_A_STATS_STALE),
        .possible_loss = from.has(MACSTATS_A_STATS_POSSIBLE_LOSS),
        .discontinuities = from.u32(MACSTATS_A_STATS_DISCONTINUITIES),
        .discontinuity_ns = from.optional_u64(MACSTATS_A_STATS_DISCONTINUITY_TIME),
        .start_ns = from.optional_u64(MACSTATS_A_STATS_START_TIME),
        .max_frame = from.optional_u32(MACSTATS_A_STATS_MAX_FRAME),
        .values = from.u64_array(MACSTATS_A_STATS_VALUES),
    };
}

Message statistics_command(Freshness freshness) {
    Message message = command(MACSTATS_CMD_STATS_GET);
    if (freshness == Freshness::cached)
        message.put_flag(MACSTATS_A_STATS_CACHED);
    return message;
}

} // namespace

PortInfo read_port(Attributes& from) {
    return {
        .ifindex = from.u32(MACSTATS_A_PORT_IFINDEX),
        .name = from.string(MACSTATS_A_PORT_NAME),
        .model = from.string(MACSTATS_A_PORT_MODEL),
        .index = from.u32(MACSTATS_A_PORT_INDEX),
        .absent = from.has(MACSTATS_A_PORT_ABSENT),
        .stale = from.has(MACSTATS_A_PORT_STALE),
        .stale_reason = from.optional_string(MACSTATS_A_PORT_STALE_REASON),
        .possible_loss = from.has(MACSTATS_A_PORT_POSSIBLE_LOSS),
        .discontinuities = from.u32(MACSTATS_A_PORT_DISCONTINUITIES),
        .discontinuity_ns = from.optional_u64(MACSTATS_A_PORT_DISCONTINUITY_TIME),
        .parity_errors = from.u32(MACSTATS_A_PORT_PARITY_ERRORS),
        .poll_usecs = from.u32(MACSTATS_A_PORT_POLL_USECS),
        .poll_ceiling_usecs = from.u32(MACSTATS_A_PORT_POLL_CEILING_USECS),
        .poll_ns = from.u64(MACSTATS_A_PORT_POLL_TIME),
    };
}

Threshold read_threshold(Attributes& from) {
    return {
        .ifindex = from.u32(MACSTATS_A_THRESHOLD_IFINDEX),
        .counter = from.u32(MACSTATS_A_THRESHOLD_COUNTER),
        .value = from.u64(MACSTATS_A_THRESHOLD_VALUE),
    };
}

Result<Client> Client::open() {
    auto netlink = GenericNetlink::open();
    if (!netlink)
        return netlink.error();
    const auto family = netlink->family(MACSTATS_GENL_NAME);
    if (!family)
        return family.error();
    return Client(std::move(*netlink), *family);
}

Client::Client(GenericNetlink netlink, std::uint16_t family)
    : netlink_(std::move(netlink)),
      family_(family) {}

Result<std::vector<PortInfo>> Client::ports(const std::string& model) {
    Message message = command(MACSTATS_CMD_PORT_GET);
    if (!model.empty())
        message.put_string(MACSTATS_A_PORT_MODEL, model);
    return decode_all(netlink_.dump(family_, std::move(message)), read_port);
}

Result<PortInfo> Client::port(std::uint32_t ifindex) {
    Message message = command(MACSTATS_CMD_PORT_GET);
    message.put_u32(MACSTATS_A_PORT_IFINDEX, ifindex);
    return decode_one(netlink_.query(family_, std::move(message)), read_port);
}

Result<PortInfo> Client::port(const std::string& name_or_ifindex) {
    std::uint32_t ifindex = if_nametoindex(name_or_ifindex.c_str());
    if (ifindex == 0) {
        const auto number = parse_number("port", name_or_ifindex, INT32_MAX);
        if (number)
            ifindex = static_cast<std::uint32_t>(*number);
    }
    if (ifindex != 0) {
        auto found = port(ifindex);
        return found ? found : in_context(name_or_ifindex, found.error());
    }

    constexpr std::size_t most = 16;
    const auto known = ports();
    std::vector<std::string> names;
    if (known)
        for (const PortInfo& port : *known)
            if (names.size() < most)
                names.push_back(port.name);
    return Error{
        ENODEV, fmt::format(
                    "there is no port \"{}\"; {}{}{}", name_or_ifindex,
                    names.empty() ? "there are none here" : "the ports here are ",
                    fmt::join(names, ", "), known && known->size() > most ? ", ..." : "")};
}

Result<std::vector<Statistics>> Client::statistics(Freshness freshness) {
    return decode_all(netlink_.dump(family_, statistics_command(freshness)), read_statistics);
}

Result<Statistics> Client::statistics(std::uint32_t ifindex, Freshness freshness) {
    return statistics_of_counters(ifindex, {}, freshness);
}

Result<std::vector<Statistics>> Client::statistics_of_model(
    const std::string& model, std::span<const std::uint32_t> counters, Freshness freshness) {
    Message message = statistics_command(freshness);
    message.put_string(MACSTATS_A_STATS_MODEL, model);
    if (!counters.empty())
        message.put_u32s(MACSTATS_A_STATS_COUNTERS, counters);
    return decode_all(netlink_.dump(family_, std::move(message)), read_statistics);
}

Result<Statistics> Client::statistics_of_counters(
    std::uint32_t ifindex, std::span<const std::uint32_t> counters, Freshness freshness) {
    Message message = statistics_command(freshness);
    message.put_u32(MACSTATS_A_STATS_IFINDEX, ifindex);
    if (!counters.empty())
        message.put_u32s(MACSTATS_A_STATS_COUNTERS, counters);
    return decode_one(netlink_.query(family_, std::move(message)), read_statistics);
}

Result<void> Client::set_threshold(
    std::uint32_t ifindex, std::uint32_t counter, std::optional<std::uint64_t> value) {
    Message message = command(MACSTATS_CMD_THRESHOLD_SET);
    message.put_u32(MACSTATS_A_THRESHOLD_IFINDEX, ifindex);
    message.put_u32(MACSTATS_A_THRESHOLD_COUNTER, counter);
    if (value)
        message.put_u64(MACSTATS_A_THRESHOLD_VALUE, *value);
    const auto replies = netlink_.request(family_, std::move(message));
    if (!replies)
        return replies.error();
    return {};
}

Result<std::vector<Threshold>> Client::thresholds() {
    return decode_all(netlink_.dump(family_, command(MACSTATS_CMD_THRESHOLD_GET)), read_threshold);
}

Result<std::vector<Threshold>> Client::thresholds(std::uint32_t ifindex) {
    Message message = command(MACSTATS_CMD_THRESHOLD_GET);
    message.put_u32(MACSTATS_A_THRESHOLD_IFINDEX, ifindex);
    return decode_all(netlink_.request(family_, std::move(message)), read_threshold);
}

Result<std::vector<ModelInfo>> Client::models() {
    return decode_all(netlink_.dump(family_, command(MACSTATS_CMD_MODEL_GET)), read_model);
}

Result<std::span<const CounterInfo>> Client::counters(const std::string& model) {
    if (const auto known = counters_.find(model); known != counters_.end())
        return std::span<const CounterInfo>(known->second);

    Message message = command(MACSTATS_CMD_COUNTER_GET);
    message.put_string(MACSTATS_A_COUNTER_MODEL, model);
    auto numbered = decode_all(netlink_.dump(family_, std::move(message)), read_counter);
    if (!numbered)
        return numbered.error();

    // The values of a port come in the order of the ids.
    std::sort(numbered->begin(), numbered->end(), [](const auto& a, const auto& b) {
        return a.id < b.id;
    });
    std::vector<CounterInfo> counters;
    for (NumberedCounter& entry : *numbered) {
        if (entry.id != counters.size())
            return Error{EBADMSG, fmt::format("the counters of {} have gaps", model)};
        counters.push_back(std::move(entry.counter));
    }
    return std::span<const CounterInfo>(
        counters_.emplace(model, std::move(counters)).first->second);
}

} // namespace macstats
