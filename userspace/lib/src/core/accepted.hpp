// SPDX-License-Identifier: GPL-2.0 OR MIT
// What the requests of a device and of a scenario accept.
#pragma once

#include <cstdint>
#include <string_view>

#include <macstats/frame.h>
#include <macstats/schema.h>

#include "libmacstats/core/result.hpp"

namespace macstats {

/// The name of a fault's argument: "word", "microseconds", or "" for a fault without one.
std::string_view fault_argument_name(std::uint32_t fault);

/// The accepted values of the argument.
struct FaultArgumentRange {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
};
FaultArgumentRange fault_argument_range(const macstats_model& model, std::uint32_t fault);

/// EINVAL for a pause frame of the MAC that a MAC of this model does not make.
Result<void> check_own_pause(const macstats_frame& frame, const macstats_model& model);

} // namespace macstats
