// SPDX-License-Identifier: GPL-2.0 OR MIT
// What a scenario sends and compares on a wire, or of a driver on the bench.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <macstats/frame.h>

#include "libmacstats/core/result.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/observation.hpp"
#include "libmacstats/scenario/scenario.hpp"
#include "libmacstats/scenario/wire.hpp"

namespace macstats {

/// The scenario as the ends of a wire, or one driver on the bench, can run it.
/// DeviceSet::unsupported with the reason if they cannot.
Result<AdaptedScenario> plan_for_wire(const Scenario& scenario, std::span<const WireEnd> ends);

/// The octets of a frame from @source to @receiver, without FCS. Its group address is that of
/// MAC control for control frames, and a locally administered one for data.
/// DeviceSet::unsupported, with the reason, for a frame that no socket can send.
Result<std::vector<std::byte>> wire_octets(
    const macstats_frame& frame, const EthernetAddress& source, const EthernetAddress& receiver);

/// The increase from @before to @after, of those that both have. A standard statistic of 32
/// bits may wrap. EBADMSG for any other that went back.
Result<Observation> observed_difference(const Observation& before, const Observation& after);

} // namespace macstats
