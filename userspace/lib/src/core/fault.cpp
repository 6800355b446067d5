// SPDX-License-Identifier: GPL-2.0 OR MIT
// The members that each fault accepts.
#include "libmacstats/core/fault.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/place.h>

#include "core/accepted.hpp"
#include "core/error.hpp"

namespace macstats {

std::string_view fault_argument_name(std::uint32_t fault) {
    if (fault == MACSTATS_FAULT_BUS_ERROR_AT)
        return "word";
    if (fault == MACSTATS_FAULT_SLOW_BUS)
        return "microseconds";
    return "";
}

FaultArgumentRange fault_argument_range(const macstats_model& model, std::uint32_t fault) {
    if (fault == MACSTATS_FAULT_BUS_ERROR_AT)
        return {.least = 0, .most = macstats_counter_words(&model) - 1};
    if (fault == MACSTATS_FAULT_SLOW_BUS)
        return {.least = 1, .most = MACSTATS_SLOW_BUS_MAX_USECS};
    return {};
}

std::vector<Name> supported_faults(const macstats_model& model) {
    std::vector<Name> supported;
    for (const Name& fault : fault_names)
        if (fault.value & macstats_supported_faults(&model))
            supported.push_back(fault);
    return supported;
}

Result<void> check_fault(const macstats_model& model, const FaultRequest& request) {
    const std::string_view name = name_of(fault_names, request.faults);
    const std::uint32_t supported = macstats_supported_faults(&model);
    if (name.empty() || (request.faults & ~supported))
        return invalid(
            "`{}` supports only the faults {}", model.name,
            fmt::join(names_in(fault_names, supported), ", "));
    if (request.announced && request.faults != MACSTATS_FAULT_RESET)
        return invalid("{} cannot be announced, only reset can", name);
    if (request.during_read && (request.faults & ~std::uint32_t{MACSTATS_FAULTS_DURING_READ}))
        return invalid(
            "{} cannot begin during a read, only {} can", name,
            fmt::join(names_in(fault_names, MACSTATS_FAULTS_DURING_READ), ", "));
    if (request.during_read && !request.active)
        return invalid("{} can begin during a read, but not end there", name);
    if (!request.active && request.faults == MACSTATS_FAULT_RESET)
        return invalid("reset happens once: it cannot end");
    const std::string_view argument = fault_argument_name(request.faults);
    const auto [least, most] = fault_argument_range(model, request.faults);
    if (argument.empty() && request.argument)
        return invalid("{} takes no argument", name);
    if (request.active && (request.argument < least || request.argument > most))
        return failure(
            ERANGE, "{} of {}: {} is not in {} to {}", argument, name, request.argument, least,
            most);
    return {};
}

} // namespace macstats
