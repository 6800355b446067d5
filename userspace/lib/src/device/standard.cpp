// SPDX-License-Identifier: GPL-2.0 OR MIT
// Standard statistics of totals.
#include "libmacstats/device/standard.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>
#include <macstats/poll.h>
#include <macstats/standard.h>

#include "core/model.hpp"
#include "device/standard_totals.hpp"
#include "libmacstats/core/difference.hpp"

namespace macstats {

std::vector<StandardValue>
standard_totals(const macstats_standard& standard, const macstats_accumulator& acc) {
    std::vector<__u64> saturated(acc.model->n_counters);
    for (std::size_t i = 0; i < saturated.size(); i++)
        saturated[i] = acc.counters[i].saturated;
    std::vector<StandardValue> totals;
    for (unsigned int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT && !acc.state.absent;
         id++) {
        if (!standard.present[id])
            continue;
        __u64 times = 0;
        const macstats_standard_bound bound =
            macstats_bound_of(&standard, acc.model, saturated.data(), id, &times);
        totals.push_back(
            {.id = id,
             .value = standard.value[id],
             .bound = static_cast<Bound>(bound),
             .times = times,
             .stale = standard.stale[id]});
    }
    return totals;
}

std::vector<StandardValue> standard_of_totals(
    const macstats_model& model, std::span<const std::uint64_t> totals,
    std::span<const Saturation> saturated, std::span<const CounterIndex> absent) {
    if (totals.size() > model.n_counters)
        throw std::out_of_range(fmt::format(
            "{} totals: {} has {} counters", totals.size(), model.name, model.n_counters));
    const auto acc = std::make_unique<macstats_accumulator>();
    macstats_standard standard{};
    acc->model = &model;
    acc->state.absent = totals.empty();
    for (std::size_t i = 0; i < totals.size(); i++) {
        acc->counters[i].total = totals[i];
        acc->counters[i].taken = true;
        acc->counters[i].saturated = times_of(saturated, CounterIndex(static_cast<unsigned>(i)));
    }
    for (const CounterIndex counter : absent) {
        (void)counter_at(model, counter);
        macstats_add_row(&acc->state.absent_rows, counter.value());
    }
    const std::vector<__u64> none(model.n_counters);
    macstats_standard_update(&standard, acc.get(), none.data());
    return standard_totals(standard, *acc);
}

std::vector<Bucket> buckets_of(const macstats_model& model) {
    std::vector<Bucket> buckets;
    for (const macstats_standard_id id : {MACSTATS_STD_HIST_RX, MACSTATS_STD_HIST_TX}) {
        std::array<macstats_bucket, MACSTATS_MAX_EDGES + 1> found{};
        const std::size_t n =
            macstats_histogram(&model, id, found.data(), static_cast<unsigned int>(found.size()));
        for (const auto& bucket : std::span(found).first(std::min(n, found.size()))) {
            buckets.push_back({id, {}, bucket.low, bucket.high});
            unsigned int i = 0;
            macstats_for_each_row(i, &bucket.rows) {
                buckets.back().counters.push_back(CounterIndex(i));
            }
        }
    }
    return buckets;
}

} // namespace macstats
