// SPDX-License-Identifier: GPL-2.0 OR MIT
// Interfaces of this host, as the backends on real ports and on drivers use them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/scenario/driver.hpp"
#include "libmacstats/scenario/wire.hpp"
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

} // namespace macstats
