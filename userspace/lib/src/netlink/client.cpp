// SPDX-License-Identifier: GPL-2.0 OR MIT
// The attributes of the queries and of their replies.
#include "libmacstats/netlink/client.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/netlink.h>
#include <macstats/standard.h>

#include "core/error.hpp"
#include "core/text.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/interface.hpp"
#include "netlink/messages.hpp"

namespace macstats {

namespace {

Message command(int command) {
    return Message(static_cast<std::uint8_t>(command), MACSTATS_GENL_VERSION);
}

ModelInfo read_model(Attributes& from) {
    return {
        .id = ModelId(from.u32(MACSTATS_A_MODEL_ID)),
        .name = from.string(MACSTATS_A_MODEL_NAME),
        .title = from.string(MACSTATS_A_MODEL_TITLE),
        .datasheet = from.string(MACSTATS_A_MODEL_DATASHEET),
        .ports = from.u32(MACSTATS_A_MODEL_PORTS),
        .line_rate_bps = from.u64(MACSTATS_A_MODEL_LINE_RATE),
        .counters = from.u32(MACSTATS_A_MODEL_COUNTERS),
    };
}

// Not set for a value without a name, which only a newer kernel knows.
template <typename Enum>
std::optional<Enum> enumerator(std::span<const Name> names, std::uint32_t value) {
    if (name_of(names, value).empty())
        return std::nullopt;
    return static_cast<Enum>(value);
}

struct NumberedCounter {
    CounterIndex index;
    CounterInfo counter;
};

NumberedCounter read_counter(Attributes& from) {
    return {
        .index = CounterIndex(from.u32(MACSTATS_A_COUNTER_ID)),
        .counter =
            {
                .name = from.string(MACSTATS_A_COUNTER_NAME),
                .reg = from.string(MACSTATS_A_COUNTER_REGISTER),
                .description = from.string(MACSTATS_A_COUNTER_DESCRIPTION),
                .unit = enumerator<macstats_unit>(unit_names, from.u32(MACSTATS_A_COUNTER_UNIT)),
                .offset = from.u32(MACSTATS_A_COUNTER_OFFSET),
                .bits = from.u32(MACSTATS_A_COUNTER_BITS),
                .onread =
                    enumerator<macstats_onread>(onread_names, from.u32(MACSTATS_A_COUNTER_ONREAD)),
                .onwrite = enumerator<macstats_onwrite>(
                    onwrite_names, from.u32(MACSTATS_A_COUNTER_ONWRITE)),
                .overflow = enumerator<macstats_overflow>(
                    overflow_names, from.u32(MACSTATS_A_COUNTER_OVERFLOW)),
                .direction = from.u32(MACSTATS_A_COUNTER_DIRECTION),
                .standard = from.strings(MACSTATS_A_COUNTER_STANDARD),
                .bucket_low = from.optional_u32(MACSTATS_A_COUNTER_BUCKET_LOW),
                .bucket_high = from.optional_u32(MACSTATS_A_COUNTER_BUCKET_HIGH),
                .index_of = enumerator<macstats_index_of>(
                    index_names, from.optional_u32(MACSTATS_A_COUNTER_INDEX_OF)
                                     .value_or(MACSTATS_INDEX_OF_NONE)),
                .index = from.optional_u32(MACSTATS_A_COUNTER_INDEX).value_or(0),
            },
    };
}

// A kernel reports all of these attributes or none.
std::optional<PortWork> read_work(Attributes& from) {
    if (!from.has(MACSTATS_A_PORT_LATE_POLLS))
        return std::nullopt;
    return PortWork{
        .late_polls = from.u32(MACSTATS_A_PORT_LATE_POLLS),
        .failed_polls = from.u32(MACSTATS_A_PORT_FAILED_POLLS),
        .longest_poll_ns = from.u64(MACSTATS_A_PORT_LONGEST_POLL),
        .longest_wait_ns = from.u64(MACSTATS_A_PORT_LONGEST_WAIT),
    };
}

std::optional<Suspect> read_suspect(Attributes& from) {
    if (!from.has(MACSTATS_A_PORT_DISCONTINUITY_COUNTER))
        return std::nullopt;
    return Suspect{
        .counter = CounterIndex(from.u32(MACSTATS_A_PORT_DISCONTINUITY_COUNTER)),
        .value = from.u64(MACSTATS_A_PORT_DISCONTINUITY_VALUE),
    };
}

std::vector<Saturation> read_saturated(Attributes& from, int type) {
    std::vector<Saturation> saturated;
    for (Attributes& nest : from.nests(type)) {
        saturated.push_back({
            .counter = CounterIndex(nest.u32(MACSTATS_A_SATURATED_COUNTER)),
            .times = nest.u64(MACSTATS_A_SATURATED_TIMES),
            .time_ns = nest.u64(MACSTATS_A_SATURATED_TIME),
        });
    }
    return saturated;
}

std::vector<CounterIndex> read_counters(Attributes& from, int type) {
    std::vector<CounterIndex> counters;
    for (const std::uint32_t index : from.optional_u32_array(type))
        counters.emplace_back(index);
    std::sort(counters.begin(), counters.end());
    if (!counters.empty() && counters.back().value() >= MACSTATS_MAX_COUNTERS)
        from.fail(type, "has the index of no counter");
    return counters;
}

static_assert(
    static_cast<int>(Bound::exact) == MACSTATS_BOUND_EXACT &&
    static_cast<int>(Bound::at_least) == MACSTATS_BOUND_AT_LEAST &&
    static_cast<int>(Bound::at_most) == MACSTATS_BOUND_AT_MOST &&
    static_cast<int>(Bound::unknown) == MACSTATS_BOUND_UNKNOWN);

// A bound that only a newer kernel knows is unknown.
Bound read_bound(std::uint32_t bound) {
    return bound > MACSTATS_BOUND_UNKNOWN ? Bound::unknown : static_cast<Bound>(bound);
}

// Without those that only a newer kernel knows.
std::vector<StandardValue> read_standard(Attributes& from) {
    const auto ids = from.optional_u32_array(MACSTATS_A_STATS_STANDARD);
    std::vector<StandardValue> totals;
    if (ids.empty())
        return totals;
    const auto values = from.u64_array(MACSTATS_A_STATS_STANDARD_VALUES);
    if (values.size() != ids.size())
        from.fail(MACSTATS_A_STATS_STANDARD_VALUES, "has not one value for each statistic");
    if (std::ranges::adjacent_find(ids, std::ranges::greater_equal{}) != ids.end())
        from.fail(MACSTATS_A_STATS_STANDARD, "does not ascend");
    totals.resize(std::min(ids.size(), values.size()));
    const std::uint32_t* id = ids.data();
    const std::uint64_t* value = values.data();
    for (StandardValue& total : totals) {
        total.id = *id++;
        total.value = *value++;
    }
    while (!totals.empty() && totals.back().id >= MACSTATS_STD_COUNT)
        totals.pop_back();
    for (Attributes& nest : from.nests(MACSTATS_A_STATS_INEXACT)) {
        const std::uint32_t inexact = nest.u32(MACSTATS_A_INEXACT_STANDARD);
        const Bound bound = read_bound(nest.u32(MACSTATS_A_INEXACT_BOUND));
        const std::uint64_t times = nest.u64(MACSTATS_A_INEXACT_TIMES);
        for (StandardValue& total : totals)
            if (total.id == inexact) {
                total.bound = bound;
                total.times = times;
                total.stale = nest.has(MACSTATS_A_INEXACT_STALE);
            }
    }
    return totals;
}

Statistics read_statistics(Attributes& from) {
    return {
        .ifindex = IfIndex(from.u32(MACSTATS_A_STATS_IFINDEX)),
        .model = from.string(MACSTATS_A_STATS_MODEL),
        .model_id = ModelId(from.u32(MACSTATS_A_STATS_MODEL_ID)),
        .generation = from.u64(MACSTATS_A_STATS_GENERATION),
        .time_ns = from.u64(MACSTATS_A_STATS_TIME),
        .stale = from.has(MACSTATS_A_STATS_STALE),
        .possible_loss = from.has(MACSTATS_A_STATS_POSSIBLE_LOSS),
        .discontinuities = from.u32(MACSTATS_A_STATS_DISCONTINUITIES),
        .discontinuity_ns = from.optional_u64(MACSTATS_A_STATS_DISCONTINUITY_TIME),
        .start_ns = from.optional_u64(MACSTATS_A_STATS_START_TIME),
        .values = from.u64_array(MACSTATS_A_STATS_VALUES),
        .saturated = read_saturated(from, MACSTATS_A_STATS_SATURATED),
        .absent = read_counters(from, MACSTATS_A_STATS_ABSENT),
        .standard = read_standard(from),
        .without_standard = !from.has(MACSTATS_A_STATS_STANDARD),
    };
}

Error unknown_counter(
    const PortInfo& port, std::string_view counter, std::span<const CounterInfo> infos) {
    std::vector<std::string_view> names;
    for (const CounterInfo& info : infos) {
        names.emplace_back(info.name);
        names.emplace_back(info.reg);
    }
    return invalid(
        "{}: {} has no counter {}{}", port.name, port.model, in_quotes(counter),
        did_you_mean(
            counter, names,
            find_model(port.model)
                ? fmt::format("; `macstats model {}` lists its counters", port.model)
                : fmt::format("; `ethtool -S {}` lists its counters", port.name)));
}

Message
statistics_command(Freshness freshness, std::optional<std::uint32_t> ifindex = std::nullopt) {
    Message message = command(MACSTATS_CMD_STATS_GET);
    message.put_flag(MACSTATS_A_STATS_CACHED, freshness == Freshness::cached)
        .put_u32(MACSTATS_A_STATS_IFINDEX, ifindex);
    return message;
}

} // namespace

PortInfo read_port(Attributes& from) {
    return {
        .ifindex = IfIndex(from.u32(MACSTATS_A_PORT_IFINDEX)),
        .name = from.string(MACSTATS_A_PORT_NAME),
        .model = from.string(MACSTATS_A_PORT_MODEL),
        .model_id = ModelId(from.u32(MACSTATS_A_PORT_MODEL_ID)),
        .index = PortIndex(from.u32(MACSTATS_A_PORT_INDEX)),
        .without_counters = from.has(MACSTATS_A_PORT_ABSENT),
        .stale = from.has(MACSTATS_A_PORT_STALE),
        .stale_reason = from.optional_string(MACSTATS_A_PORT_STALE_REASON),
        .possible_loss = from.has(MACSTATS_A_PORT_POSSIBLE_LOSS),
        .discontinuities = from.u32(MACSTATS_A_PORT_DISCONTINUITIES),
        .discontinuity_ns = from.optional_u64(MACSTATS_A_PORT_DISCONTINUITY_TIME),
        .parity_errors = from.u32(MACSTATS_A_PORT_PARITY_ERRORS),
        .poll_usecs = from.u32(MACSTATS_A_PORT_POLL_USECS),
        .poll_ceiling_usecs = from.u32(MACSTATS_A_PORT_POLL_CEILING_USECS),
        .poll_ns = from.u64(MACSTATS_A_PORT_POLL_TIME),
        .suspect = read_suspect(from),
        .saturated = read_saturated(from, MACSTATS_A_PORT_SATURATED),
        .work = read_work(from),
    };
}

Result<Client> Client::open() {
    MACSTATS_TRY(auto netlink, GenericNetlink::open());
    Client client(std::move(netlink), 0);
    MACSTATS_CHECK(client.reopen());
    return client;
}

Result<void> Client::reopen() {
    counters_.clear();
    MACSTATS_TRY(family_, netlink_.family(MACSTATS_GENL_NAME, MACSTATS_GENL_VERSION));
    return {};
}

Client::Client(GenericNetlink netlink, std::uint16_t family)
    : netlink_(std::move(netlink)),
      family_(family) {}

Result<std::vector<PortInfo>> Client::ports() {
    return decode_all(netlink_.dump(family_, command(MACSTATS_CMD_PORT_GET)), read_port);
}

Result<PortInfo> Client::port(IfIndex ifindex) {
    Message message = command(MACSTATS_CMD_PORT_GET);
    message.put_u32(MACSTATS_A_PORT_IFINDEX, ifindex.value());
    return decode_one(netlink_.query(family_, std::move(message)), read_port);
}

Result<PortInfo> Client::port(const std::string& name_or_ifindex) {
    MACSTATS_TRY(auto ifindex, interface_index(name_or_ifindex));
    if (!ifindex)
        if (const auto number = parse_number("port", name_or_ifindex, INT32_MAX); number && *number)
            ifindex = IfIndex(static_cast<std::uint32_t>(*number));
    if (ifindex)
        return in_context(name_or_ifindex, port(*ifindex));

    constexpr std::size_t most = 16;
    MACSTATS_TRY(const auto known, ports());
    std::vector<std::string> names;
    for (const PortInfo& port : known)
        if (names.size() < most)
            names.push_back(shown(port.name));
    return failure(
        ENODEV, "there is no port {}; {}{}{}", in_quotes(name_or_ifindex),
        names.empty() ? "there are none here" : "the ports here are ", fmt::join(names, ", "),
        known.size() > most ? ", ..." : "");
}

Result<std::vector<Statistics>> Client::statistics(Freshness freshness) {
    return decode_all(netlink_.dump(family_, statistics_command(freshness)), read_statistics);
}

Result<Statistics> Client::statistics(IfIndex ifindex, Freshness freshness) {
    return decode_one(
        netlink_.query(family_, statistics_command(freshness, ifindex.value())), read_statistics);
}

Result<std::vector<Statistics>> Client::statistics_of_model(ModelId model, Freshness freshness) {
    Message message = statistics_command(freshness);
    message.put_u32(MACSTATS_A_STATS_MODEL_ID, model.value());
    return decode_all(netlink_.dump(family_, std::move(message)), read_statistics);
}

Result<CounterTotal>
Client::counter(const std::string& port, std::string_view counter, Freshness freshness) {
    MACSTATS_TRY(const PortInfo known, this->port(port));
    MACSTATS_TRY(const auto infos, counters(known.model_id));
    const auto found = std::find_if(infos.begin(), infos.end(), [counter](const CounterInfo& info) {
        return info.name == counter || info.reg == counter;
    });
    if (found == infos.end())
        return unknown_counter(known, counter, infos);

    const CounterIndex index(static_cast<std::uint32_t>(found - infos.begin()));
    Message message = statistics_command(freshness, known.ifindex.value());
    message.put_u32s(MACSTATS_A_STATS_COUNTERS, std::array{index.value()});
    // The only value is that of the counter.
    MACSTATS_TRY(
        const Statistics statistics,
        in_context(port, decode_one(netlink_.query(family_, std::move(message)), read_statistics)));
    if (statistics.values.empty())
        return failure(EOPNOTSUPP, "{}: the port is built without the counters", known.name);
    if (is_absent(statistics.absent, index))
        return failure(EOPNOTSUPP, "{}: the port is built without {}", known.name, found->name);
    const auto& saturated = statistics.saturated;
    return CounterTotal{
        .total = statistics.values.front(),
        .stale = statistics.stale,
        .at_least = std::any_of(
            saturated.begin(), saturated.end(),
            [index](const Saturation& one) { return one.counter == index; }),
    };
}

Result<std::vector<ModelInfo>> Client::models() {
    return decode_all(netlink_.dump(family_, command(MACSTATS_CMD_MODEL_GET)), read_model);
}

Result<CounterInfos> Client::counters(ModelId model) {
    if (const auto known = counters_.find(model); known != counters_.end())
        return known->second;

    Message message = command(MACSTATS_CMD_COUNTER_GET);
    message.put_u32(MACSTATS_A_COUNTER_MODEL_ID, model.value());
    MACSTATS_TRY(
        auto numbered, decode_all(netlink_.dump(family_, std::move(message)), read_counter));

    // The values of a port are in the order of the indices.
    std::sort(numbered.begin(), numbered.end(), [](const auto& a, const auto& b) {
        return a.index < b.index;
    });
    std::vector<CounterInfo> counters;
    for (NumberedCounter& entry : numbered) {
        if (entry.index.value() != counters.size())
            return failure(EBADMSG, "the counters of model {} have gaps", model.value());
        counters.push_back(std::move(entry.counter));
    }
    // A model that comes back after its last port has another number.
    constexpr std::size_t most_models = 64;
    if (counters_.size() >= most_models)
        counters_.clear();
    return counters_.emplace(model, std::move(counters)).first->second;
}

bool CounterInfos::are_of(const macstats_model& model) const {
    const std::span rows(model.counters, model.n_counters);
    return std::equal(
        rows.begin(), rows.end(), begin(), end(),
        [](const macstats_counter& row, const CounterInfo& counter) {
            return row.name == counter.name && row.reg == counter.reg &&
                   row.offset == counter.offset && row.bits == counter.bits;
        });
}

std::string CounterInfo::family() const {
    return index_of ? family_of(name) : name;
}

std::vector<Bucket> buckets_of(std::span<const CounterInfo> counters) {
    const std::string_view received = standard_name(MACSTATS_STD_HIST_RX).name;
    std::vector<Bucket> buckets;
    for (std::uint32_t i = 0; i < counters.size(); i++) {
        const CounterInfo& counter = counters[i];
        if (!counter.bucket_low)
            continue;
        const auto& fed = counter.standard;
        const bool is_received = std::find(fed.begin(), fed.end(), received) != fed.end();
        const Bucket bucket{
            is_received ? MACSTATS_STD_HIST_RX : MACSTATS_STD_HIST_TX,
            {CounterIndex(i)},
            *counter.bucket_low,
            counter.bucket_high.value_or(*counter.bucket_low)};
        const auto same =
            std::find_if(buckets.begin(), buckets.end(), [&bucket](const Bucket& one) {
                return one.id == bucket.id && one.low == bucket.low && one.high == bucket.high;
            });
        if (same == buckets.end())
            buckets.push_back(bucket);
        else
            same->counters.push_back(CounterIndex(i));
    }
    return buckets;
}

} // namespace macstats
