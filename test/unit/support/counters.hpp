// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The counters of a model as the kernel would list them, and the standard statistics that it would
// report.
#ifndef MACSTATS_TEST_COUNTERS_HPP
#define MACSTATS_TEST_COUNTERS_HPP

#include <span>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/core/names.hpp"
#include "libmacstats/device/standard.hpp"
#include "libmacstats/netlink/client.hpp"

namespace macstats::test {

inline std::vector<CounterInfo> counters_of(const macstats_model& model) {
    std::vector<CounterInfo> counters;
    for (const macstats_counter& row : std::span(model.counters, model.n_counters)) {
        CounterInfo counter;
        counter.name = row.name;
        counter.reg = row.reg;
        counter.description = row.help;
        counter.offset = row.offset;
        counter.bits = row.bits;
        counter.unit = static_cast<macstats_unit>(row.unit);
        if (row.index_of)
            counter.index_of = static_cast<macstats_index_of>(row.index_of);
        counter.index = row.index;
        for (const macstats_term& term : row.standard)
            if (term.id)
                counter.standard.emplace_back(standard_name(term.id).name);
        counters.push_back(counter);
    }
    for (const Bucket& bucket : buckets_of(model)) {
        for (const CounterIndex index : bucket.counters) {
            counters[index.value()].bucket_low = bucket.low;
            counters[index.value()].bucket_high = bucket.high;
        }
    }
    return counters;
}

inline void add_standard(Statistics& statistics, const macstats_model& model) {
    statistics.standard =
        standard_of_totals(model, statistics.values, statistics.saturated, statistics.absent);
}

} // namespace macstats::test

#endif // MACSTATS_TEST_COUNTERS_HPP
