// SPDX-License-Identifier: GPL-2.0 OR MIT
// Differences of totals.
#include "libmacstats/core/difference.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace macstats {

namespace {

double seconds_between(std::uint64_t from_ns, std::uint64_t to_ns) {
    return to_ns > from_ns ? static_cast<double>(to_ns - from_ns) / 1e9 : 0;
}

// @standard ascends.
const StandardValue* find_standard(std::span<const StandardValue> standard, std::uint32_t id) {
    const auto found = std::lower_bound(
        standard.begin(), standard.end(), id,
        [](const StandardValue& one, std::uint32_t wanted) { return one.id < wanted; });
    return found != standard.end() && found->id == id ? &*found : nullptr;
}

StandardValue difference_of(const StandardValue& before, const StandardValue& after) {
    const auto lag = [](bool stale) { return stale ? Bound::at_least : Bound::exact; };
    const std::uint64_t times = after.times > before.times ? after.times - before.times : 0;
    return {
        .id = after.id,
        .value = after.value - before.value,
        .bound = difference_bound(
            combined(times ? after.bound : Bound::exact, lag(after.stale)), lag(before.stale)),
        .times = times,
        .stale = before.stale || after.stale};
}

// Why the totals of @after do not continue those of @before; "" if they do.
std::string why_restarted(const Statistics& before, const Statistics& after) {
    // A port keeps its start, but not its index, when it moves to another namespace.
    const bool both_known = before.start_ns && after.start_ns;
    if (before.model != after.model || (!both_known && before.ifindex != after.ifindex))
        return "it is a different port";
    if (both_known && *before.start_ns != *after.start_ns)
        return "the port was added again";
    if (before.absent != after.absent)
        return "the port has other counters now";
    const bool standard_back = std::any_of(
        after.standard.begin(), after.standard.end(), [&before](const StandardValue& later) {
            const StandardValue* earlier = find_standard(before.standard, later.id);
            return earlier && earlier->value > later.value;
        });
    const bool back =
        standard_back ||
        !std::equal(
            before.values.begin(), before.values.end(), after.values.begin(), after.values.end(),
            [](std::uint64_t earlier, std::uint64_t later) { return earlier <= later; });
    if (back || after.generation < before.generation)
        return "the totals restarted from 0";
    return "";
}

} // namespace

Bound difference_bound(Bound added, Bound taken) {
    if (taken == Bound::at_least)
        return combined(added, Bound::at_most);
    return combined(added, taken == Bound::at_most ? Bound::at_least : taken);
}

std::string_view continuity_name(Continuity continuity) {
    constexpr auto names = std::to_array<std::string_view>(
        {"whole", "discontinuity", "restarted", "not_read", "possible_loss"});
    return names.at(static_cast<std::size_t>(continuity));
}

Bound Difference::bound() const {
    if (continuity == Continuity::whole)
        return Bound::exact;
    return continuity == Continuity::not_read ? Bound::unknown : Bound::at_least;
}

bool Difference::has_rates() const {
    return continuity != Continuity::restarted && continuity != Continuity::not_read && !stale &&
           seconds > 0 && !values.empty();
}

std::optional<double> Difference::per_second(CounterIndex counter) const {
    if (!has_rates() || counter.value() >= values.size() || is_absent(absent, counter))
        return std::nullopt;
    return static_cast<double>(values[counter.value()]) / seconds;
}

std::uint64_t times_of(std::span<const Saturation> saturated, CounterIndex counter) {
    for (const Saturation& one : saturated)
        if (one.counter == counter)
            return one.times;
    return 0;
}

Difference since_start(const Statistics& after, std::string reason) {
    return {
        .continuity = Continuity::restarted,
        .reason = std::move(reason),
        .seconds = after.start_ns ? seconds_between(*after.start_ns, after.time_ns) : 0,
        .values = after.values,
        .saturated = after.saturated,
        .absent = after.absent,
        .standard = after.standard,
    };
}

Difference difference(const Statistics& before, const Statistics& after) {
    if (std::string reason = why_restarted(before, after); !reason.empty())
        return since_start(after, std::move(reason));

    Difference result;
    result.seconds = seconds_between(before.time_ns, after.time_ns);
    result.stale = before.stale || after.stale;
    result.absent = after.absent;
    result.values.resize(after.values.size());
    std::transform(
        after.values.begin(), after.values.end(), before.values.begin(), result.values.begin(),
        [](std::uint64_t later, std::uint64_t earlier) { return later - earlier; });
    for (const StandardValue& later : after.standard)
        if (const StandardValue* earlier = find_standard(before.standard, later.id))
            result.standard.push_back(difference_of(*earlier, later));
    for (const Saturation& one : after.saturated)
        if (const auto before_times = times_of(before.saturated, one.counter);
            one.times > before_times)
            result.saturated.push_back(
                {.counter = one.counter,
                 .times = one.times - before_times,
                 .time_ns = one.time_ns});
    if (after.discontinuities != before.discontinuities ||
        after.discontinuity_ns != before.discontinuity_ns) {
        result.continuity = Continuity::discontinuity;
        result.reason = "somebody cleared or reset the counters";
    } else if (after.generation == before.generation) {
        result.continuity = Continuity::not_read;
        result.reason = after.stale ? "the counters cannot be read" : "no poll in between";
    } else if (after.possible_loss && !before.possible_loss) {
        result.continuity = Continuity::possible_loss;
        result.reason = "counts may have been lost";
    }
    return result;
}

} // namespace macstats
