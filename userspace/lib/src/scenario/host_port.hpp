// SPDX-License-Identifier: GPL-2.0 OR MIT
// Interfaces of this host, as the backends on ports of the kernel use them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <macstats/schema.h>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/scenario/driver.hpp"
#include "libmacstats/scenario/observation.hpp"
#include "libmacstats/scenario/wire.hpp"
#include "netlink/kernel_view.hpp"
#include "netlink/link.hpp"

namespace macstats {

/// An Ethernet interface that is up and belongs to no other. Nothing is changed.
Result<LinkInfo> usable_link(const std::string& interface);

/// Blocks until the interface has a carrier; ENETDOWN after 5 s.
Result<void> wait_for_carrier(IfIndex ifindex, WireClock& clock);

/// The statistics of `ethtool -S`, none if they cannot be read. Some drivers fetch the hardware's
/// counters for nothing else than these.
std::vector<NamedValue> read_strings(IfIndex ifindex);

/// The clock of the host. @interrupted: whether the run should end early.
std::unique_ptr<WireClock> steady_clock(std::function<bool()> interrupted);

/// EBADMSG if the kernel's counters of its model @id are not those of @model. Blocks until the
/// kernel has answered; later calls with the same client do not.
Result<void> check_kernel_model(Client& client, ModelId id, const macstats_model& model);

/// Blocks until the kernel has answered. @view: also fill in Observation::standard; nullptr: do
/// not.
Result<Observation>
observe_served_port(Client& client, KernelView* view, IfIndex ifindex, Freshness freshness);

} // namespace macstats
