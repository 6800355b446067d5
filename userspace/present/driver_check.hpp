// SPDX-License-Identifier: GPL-2.0 OR MIT
// The verdicts about the statistics of a driver.
#pragma once

#include <cstddef>
#include <string>

#include <macstats/schema.h>
#include <nlohmann/json_fwd.hpp>

#include "libmacstats/scenario/driver_check.hpp"

namespace macstats {

/// Statistics that are torn, lost or wrong.
std::size_t count_bad(const DriverReport& report);

/// A table with a line for each statistic, or for each trial that shows it wrong.
std::string driver_report_text(
    const DriverReport& report, const std::string& interface, const macstats_model& model);

/// What `macstats check-driver --json` prints.
nlohmann::ordered_json driver_report_json(
    const DriverReport& report, const std::string& interface, const macstats_model& model);

} // namespace macstats
