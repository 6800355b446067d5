// SPDX-License-Identifier: GPL-2.0 OR MIT
// A check of all standard statistics of a driver on the bench, without a scenario file. What
// happens to its hardware follows from the model, and what is right is what the builtin backend
// counts.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
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

/// What a part of the check is about.
enum class DriverTrial {
    open,     ///< counters are about to go round when the net device comes up
    frames,   ///< frames of one class, for each set of counters that frames increment
    counters, ///< a counter that they do not reach, alone
    wrap,     ///< three times half of what counters or 32 bits hold, read in between
    silence,  ///< the same of octets and of shorter counters; only the driver reads
    down_up,  ///< the net device is set down and up
    readers,  ///< others read the statistics at the same time
    reset,    ///< the hardware clears its counters unannounced
};

/// "open", "frames", "counters", "wrap", "silence", "down-up", "readers", "reset"
std::string_view trial_name(DriverTrial trial);
/// EINVAL for another name.
Result<DriverTrial> trial_called(std::string_view name);

struct DriverCheck {
    DriverTrial trial;
    /// Of its only port. Of faults, there are suspend, for which the net device is down, and reset,
    /// which is BenchPort::restart(). At a poll everybody reads, while time passes only the driver.
    std::vector<Step> steps;
    /// Before them, the hardware counts so much more in this counter alone.
    std::optional<PresetStep::Value> alone{};
    /// The increases of the statistics whose right ones the model tells: not of those that a
    /// counter feeds which goes round, or stays at its maximum, between two reads.
    std::vector<StandardValue> right{};
    std::vector<std::optional<std::uint64_t>> totals{}; ///< likewise, of the counters
};

struct DriverChecks {
    std::vector<DriverCheck> checks;
    std::vector<std::string> not_tried;    ///< what, and why
    std::vector<std::string> failed;       ///< where the builtin backend has no right values
    std::vector<StandardValue> statistics; ///< all that the model supports, without values
    /// Others, which the model does not support, but of which some frames tell the right value.
    std::vector<StandardValue> of_frames;
};

/// The checks of hardware with @options and @registers.
Result<DriverChecks> driver_checks(
    const macstats_model& model, std::uint16_t options,
    const std::vector<RegisterSetting>& registers);

/// Ascending by how bad it is; the driver is at fault from torn on.
enum class DriverVerdict {
    right,
    late,      ///< right, but not at once
    untried,   ///< nothing in the check increments it
    unjudged,  ///< reported, and not of the model
    missing,   ///< the registers have it, the driver does not report it: nothing was compared
    uncounted, ///< a member of rtnl that is 0, whatever happens
    torn,      ///< wrong only while others read
    lost,      ///< wrong after silence, down and up, or a reset
    wrong,
};

constexpr bool is_bad(DriverVerdict verdict) {
    return verdict >= DriverVerdict::torn;
}

/// "right", "late", ...
std::string_view verdict_name(DriverVerdict verdict);

/// A statistic differs from its right value, as an increase since the start of a trial.
struct DriverFinding {
    DriverTrial trial;
    std::optional<CounterIndex> counter{};   ///< that counted alone, without frames
    macstats_frame frame{};                  ///< the first frames of the trial
    std::uint64_t count = 0;                 ///< of these
    bool more = false;                       ///< frames of other classes, too
    bool went_back = false;                  ///< @expected and @actual are readings of one reader
    std::optional<std::uint64_t> expected{}; ///< not set for a statistic that is unjudged
    std::optional<std::uint64_t> macstats{}; ///< see BenchPort::macstats()
    std::uint64_t actual = 0;                ///< modulo 2^64
    /// What the driver showed at the start of the trial; not set if @went_back.
    std::optional<std::uint64_t> before{};

    /// By how much the driver's value fell, if it did.
    [[nodiscard]] std::optional<std::uint64_t> fall() const;
};

struct CheckedStatistic {
    StandardValue statistic; ///< without its value
    DriverVerdict verdict = DriverVerdict::right;
    /// The longest time after which it still had its old value.
    std::optional<std::chrono::milliseconds> late{};
    std::vector<DriverFinding> findings{};
};

/// A string of `ethtool -S` that grew as one counter did, with frames of one class and where a
/// counter counted alone.
struct CheckedString {
    std::string name;
    CounterIndex counter;
    std::vector<DriverFinding> findings{}; ///< of the other trials
};

struct DriverReport {
    /// Those of the model, then others that are reported; of rtnl, those that are not 0.
    std::vector<CheckedStatistic> statistics;
    std::vector<CheckedString> strings{};
    std::vector<std::string> not_tried; ///< what, and why
    std::vector<std::string> failed;    ///< steps, and why; wrong values of macstats
};

/// Run the check; @trials: these only, if there are any, and frames, which tell what others have
/// to show. Errors are those of the port; EINTR as
/// soon as @interrupted says so.
Result<DriverReport> check_driver(
    DriverBackend& backend, const std::set<DriverTrial>& trials = {},
    const std::function<bool()>& interrupted = {});

} // namespace macstats
