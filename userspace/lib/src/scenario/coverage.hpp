// SPDX-License-Identifier: GPL-2.0 OR MIT
// The counters, rules and registers of models that scenarios reached.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/scenario/scenario.hpp"

namespace macstats {

struct CounterCoverage {
    /// For each rule (see CounterRule), whether frames matched it. Empty for a counter that
    /// no frame can reach.
    std::vector<bool> rules;
    bool compared = false; ///< an expectation was about its total or its register
};

struct ModelCoverage {
    const macstats_model* model = nullptr;
    std::vector<CounterCoverage> counters; ///< in the order of the model
    /// For each of macstats_model.registers, whether a scenario set, wrote or read it.
    std::vector<bool> registers;
};

/// Collects what scenarios reach, on all ports of a model together. It does not observe the
/// devices that run them: it repeats the steps on devices in this process, so that a run on
/// the kernel or on a wire has a coverage, too.
class Coverage {
public:
    /// The first @steps steps of @scenario ran.
    void add(const Scenario& scenario, std::size_t steps);
    /// In the order of their first scenario.
    [[nodiscard]] std::span<const ModelCoverage> models() const { return models_; }

private:
    ModelCoverage& of(const macstats_model& model);

    std::vector<ModelCoverage> models_;
};

} // namespace macstats
