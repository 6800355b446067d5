// SPDX-License-Identifier: GPL-2.0 OR MIT
// Faults of emulated hardware, by the names that scenarios and the command use.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <macstats/fault.h>

#include "libmacstats/core/names.hpp"
#include "libmacstats/core/result.hpp"

namespace macstats {

/// A request to start or to end faults.
struct FaultRequest {
    std::uint32_t faults = 0; ///< mask of enum macstats_fault
    bool active = true;
    bool announced = false;   ///< for reset: the driver reports it to the provider
    bool during_read = false; ///< it starts after the provider's check, during a read
    /// For bus_error_at: the index of the word that fails, among the words of the counters
    /// in the order of their addresses. For slow_bus: microseconds for each access.
    std::uint32_t argument = 0;

    bool operator==(const FaultRequest&) const = default;
};

/// The faults that the model supports, in the order of fault_names.
std::vector<Name> supported_faults(const macstats_model& model);

/// Check a request for one fault of a model. EINVAL for a fault that the model does not
/// support or a member that the fault does not accept; ERANGE for its argument. The text
/// uses the words of scenarios and names the accepted values.
Result<void> check_fault(const macstats_model& model, const FaultRequest& request);

} // namespace macstats
