// SPDX-License-Identifier: GPL-2.0 OR MIT
// A check of all standard statistics of a driver on the bench, without a scenario file. The
// scenarios follow from the model, and what they expect is what the builtin backend counts.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/frame.h>
#include <macstats/schema.h>

#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/core/statistics.hpp"
#include "libmacstats/scenario/driver.hpp"
#include "libmacstats/scenario/scenario.hpp"

namespace macstats {

/// What a scenario of the check is about.
enum class DriverTrial {
    frames,   ///< frames of one class, for each counter that frames reach
    counters, ///< a counter that they do not reach, alone
    wrap,     ///< frames of one class, where their counters wrap or are full
    octets,   ///< more octets than 32 bits hold, read in between
    silence,  ///< the same, and half of what shorter counters hold; only the driver reads
    down_up,  ///< the net device is set down and up
    readers,  ///< others read the statistics at the same time
    reset,    ///< the hardware restarts unannounced
};

/// "frames", "counters", "wrap", "octets", "silence", "down-up", "readers", "reset"
std::string_view trial_name(DriverTrial trial);

struct DriverCheck {
    DriverTrial trial;
    Scenario scenario; ///< of one device; one expectation, which ends it
};

struct DriverChecks {
    std::vector<DriverCheck> checks;
    std::vector<DriverTrial> undecided;    ///< trials of which the model tells no right value
    std::vector<StandardValue> statistics; ///< all that the model supports, without values
};

/// The scenarios for hardware with @options and @registers.
Result<DriverChecks> driver_checks(
    const macstats_model& model, std::uint16_t options,
    const std::vector<RegisterSetting>& registers);

/// Ascending by how bad it is.
enum class DriverVerdict {
    right,
    late,      ///< right, but not at once
    untried,   ///< nothing in the check increments it
    missing,   ///< the registers have it, the driver does not report it: nothing was compared
    uncounted, ///< a member of rtnl that is 0, whatever happens
    torn,      ///< wrong only while others read
    lost,      ///< wrong only after silence, down and up, or a reset
    wrong,
};

/// "right", "late", ...
std::string_view verdict_name(DriverVerdict verdict);

/// A statistic differs from its right value, as an increase since the start of a trial.
struct DriverFinding {
    DriverTrial trial;
    std::optional<CounterIndex> counter{}; ///< that counted alone, without frames
    macstats_frame frame{};                ///< the first frames of the trial
    std::uint64_t count = 0;               ///< of these
    bool more = false;                     ///< frames of other classes, too
    std::uint64_t expected = 0;
    std::uint64_t actual = 0;
};

struct CheckedStatistic {
    StandardValue statistic; ///< without its value
    DriverVerdict verdict = DriverVerdict::right;
    /// The longest time after which it still had its old value.
    std::optional<std::chrono::milliseconds> late{};
    std::vector<DriverFinding> findings{};
};

struct DriverReport {
    std::vector<CheckedStatistic> statistics;
    /// Reported, and not of the model: other groups, and members of rtnl that are not 0.
    std::vector<StandardValue> others{};
    std::vector<std::string> not_tried; ///< trials, and why
    std::vector<std::string> failed;    ///< steps, and why
};

/// Run the check. Errors are those of the port; EINTR as soon as @interrupted says so.
Result<DriverReport>
check_driver(DriverBackend& backend, const std::function<bool()>& interrupted = {});

} // namespace macstats
