// SPDX-License-Identifier: GPL-2.0 OR MIT
// A port that macstats serves, as backends see it.
#pragma once

#include <macstats/schema.h>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "netlink/kernel_view.hpp"

namespace macstats {

/// EBADMSG if the kernel's counters of its model @id are not those of @model. Blocks until the
/// kernel has answered; later calls with the same client do not.
Result<void> check_kernel_model(Client& client, ModelId id, const macstats_model& model);

/// Blocks until the kernel has answered. @view: also fill in Observation::standard; nullptr: do
/// not.
Result<Observation>
observe_served_port(Client& client, KernelView* view, IfIndex ifindex, Freshness freshness);

} // namespace macstats
