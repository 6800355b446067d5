// SPDX-License-Identifier: GPL-2.0 OR MIT
// Statistics as metrics, for Prometheus and what else reads its formats.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "view.hpp"

namespace macstats {

enum class MetricsFormat {
    prometheus,  ///< text format 0.0.4
    openmetrics, ///< OpenMetrics 1.0
};

/// The value for Content-Type.
std::string_view content_type(MetricsFormat format);

/// The format that an Accept header (RFC 9110, 12.5.1) prefers; that of
/// Prometheus if it names neither.
MetricsFormat accepted_format(std::string_view accept);

/// All ports as metrics. Each counter of a model is a family of its own, as
/// macstats_MODEL_COUNTER_UNIT_total{port="..."}, with the unit (bytes for octets)
/// and help of its row; standard statistics are families that all models share, as
/// macstats_eth_mac_frames_received_ok_total, and so is the state of the ports. What
/// a port cannot give is not there. Integers are exact.
///
/// OpenMetrics has the time since which each counter counts without a
/// discontinuity. @boot is the time at which the system was booted.
std::string metrics_text(
    std::span<const PortView> ports, MetricsFormat format,
    std::chrono::system_clock::time_point boot);

/// When the system was booted, by the clocks as they are now.
std::chrono::system_clock::time_point boot_time();

} // namespace macstats
