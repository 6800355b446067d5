// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The counters of a model as the kernel would list them.
#ifndef MACSTATS_TEST_COUNTERS_HPP
#define MACSTATS_TEST_COUNTERS_HPP

#include <span>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/netlink/client.hpp"

namespace macstats::test {

inline std::vector<CounterInfo> counters_of(const macstats_model& model) {
    std::vector<CounterInfo> counters;
    for (const macstats_counter& row : std::span(model.counters, model.n_counters)) {
        CounterInfo counter;
        counter.name = row.name;
        counter.reg = row.reg;
        counter.description = row.help;
        counter.unit = static_cast<macstats_unit>(row.unit);
        counters.push_back(counter);
    }
    return counters;
}

} // namespace macstats::test

#endif // MACSTATS_TEST_COUNTERS_HPP
