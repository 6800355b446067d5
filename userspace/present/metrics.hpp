// SPDX-License-Identifier: GPL-2.0 OR MIT
// Statistics as metrics, in the formats of Prometheus.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "libmacstats/netlink/ports.hpp"
#include "present/metrics_selection.hpp"

namespace macstats {

enum class MetricsFormat {
    prometheus,  ///< text format 0.0.4
    openmetrics, ///< OpenMetrics 1.0
};

/// The value for Content-Type.
std::string_view content_type(MetricsFormat format);

/// The format that an Accept header (RFC 9110, 12.5.1) prefers; by default that of
/// Prometheus.
MetricsFormat accepted_format(std::string_view accept);

/// The selected ports as metrics. Each counter of a model has its own family,
/// macstats_MODEL_COUNTER_UNIT_total{port="..."}, with the unit (bytes for octets) and the
/// help of its row. Standard statistics, as macstats_eth_mac_frames_received_ok_total, and
/// the state of the ports are families that all models share. A saturating counter has a
/// second family, macstats_MODEL_COUNTER_saturated_total: the reads that found it at its
/// maximum, each of which makes its total a lower bound. Unsupported statistics are
/// omitted. Integers are exact; names of ports are written by escaped().
///
/// A port that has more series than @selection allows lacks the last ones: counters first, then
/// standard statistics. macstats_export_dropped_series counts what the ports lack.
///
/// A time that the kernel cannot have measured, of more than 100 years since boot, is omitted.
/// @boot: the time at which the system booted.
std::string metrics_text(
    std::span<const PortStatistics> ports, MetricsFormat format,
    std::chrono::system_clock::time_point boot, const MetricsSelection& selection);

} // namespace macstats
