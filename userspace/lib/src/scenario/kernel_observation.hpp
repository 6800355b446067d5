// SPDX-License-Identifier: GPL-2.0 OR MIT
// Observes a port that macstats serves.
#pragma once

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "netlink/kernel_view.hpp"

namespace macstats {

/// Blocks until the kernel has answered. @view: also fill in Observation::standard; nullptr: do
/// not.
Result<Observation>
observe_served_port(Client& client, KernelView* view, IfIndex ifindex, Freshness freshness);

} // namespace macstats
