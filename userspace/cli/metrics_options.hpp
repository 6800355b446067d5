// SPDX-License-Identifier: GPL-2.0 OR MIT
// The options that select metrics, for the programs that export them.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/client.hpp"
#include "present/metrics.hpp"

namespace macstats::cli {

/// As typed.
struct MetricsOptions {
    std::vector<std::string> models;
    std::vector<std::string> groups;
    std::vector<std::string> counters;
    std::vector<std::string> labels;
    std::string max_series;
    std::string prefix = MetricsSelection().prefix;
    bool all = false;
    bool created = false;
    bool cached = false;
};

/// Add all of them.
void add_metrics_options(CLI::App& command, MetricsOptions& options);

/// The metrics that the options select. Asks the kernel for models and counters that only it knows.
Result<MetricsSelection> selection_from(const MetricsOptions& options);

/// The selected metrics of the ports in this network namespace, read with a client of its own:
/// threads may call this at once.
Result<std::string> read_metrics(MetricsFormat format, const MetricsSelection& selection);

} // namespace macstats::cli
