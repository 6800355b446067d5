// SPDX-License-Identifier: GPL-2.0 OR MIT
// Differences of totals.
#include "libmacstats/core/difference.hpp"

#include <algorithm>
#include <utility>

namespace macstats {

namespace {

double seconds_between(std::uint64_t from_ns, std::uint64_t to_ns) {
    return to_ns > from_ns ? static_cast<double>(to_ns - from_ns) / 1e9 : 0;
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
    const bool back = !std::equal(
        before.values.begin(), before.values.end(), after.values.begin(), after.values.end(),
        [](std::uint64_t earlier, std::uint64_t later) { return earlier <= later; });
    if (back || after.generation < before.generation)
        return "the totals restarted from 0";
    return "";
}

} // namespace

std::string_view continuity_name(Continuity continuity) {
    switch (continuity) {
    case Continuity::whole:
        break;
    case Continuity::discontinuity:
        return "discontinuity";
    case Continuity::restarted:
        return "restarted";
    case Continuity::not_read:
        return "not_read";
    }
    return "whole";
}

bool is_absent(std::span<const CounterIndex> absent, CounterIndex counter) {
    return std::binary_search(absent.begin(), absent.end(), counter);
}

bool Difference::has_rates() const {
    return continuity != Continuity::restarted && continuity != Continuity::not_read &&
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
    };
}

Difference difference(const Statistics& before, const Statistics& after) {
    if (std::string reason = why_restarted(before, after); !reason.empty())
        return since_start(after, std::move(reason));

    Difference result;
    result.seconds = seconds_between(before.time_ns, after.time_ns);
    result.absent = after.absent;
    result.values.resize(after.values.size());
    std::transform(
        after.values.begin(), after.values.end(), before.values.begin(), result.values.begin(),
        [](std::uint64_t later, std::uint64_t earlier) { return later - earlier; });
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
    }
    return result;
}

} // namespace macstats
