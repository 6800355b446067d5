// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The faults that the references know.
#ifndef MACSTATS_TEST_REFERENCE_FAULTS_HPP
#define MACSTATS_TEST_REFERENCE_FAULTS_HPP

#include <utility>

#include <macstats/fault.h>

#include "../../reference/interface.hpp"

namespace macstats::test {

inline constexpr std::pair<macstats_fault, reference::Fault> reference_faults[] = {
    {MACSTATS_FAULT_PARITY_ERROR, reference::Fault::parity_error},
    {MACSTATS_FAULT_SNAPSHOT_STUCK, reference::Fault::snapshot_stuck},
    {MACSTATS_FAULT_SNAPSHOT_SLOW, reference::Fault::snapshot_slow},
    {MACSTATS_FAULT_BUS_ERROR, reference::Fault::bus_error},
    {MACSTATS_FAULT_RESET_IN_PROGRESS, reference::Fault::reset_in_progress},
    {MACSTATS_FAULT_CLOCK_STOPPED, reference::Fault::clock_stopped},
};

} // namespace macstats::test

#endif // MACSTATS_TEST_REFERENCE_FAULTS_HPP
