// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backend of scenarios on a driver of the kernel's tree whose registers are emulated: the
// bench of docs/driver-bench.md.
//
// Steps. Frames, presets and faults reach the emulated registers behind the driver. The fault
// suspend sets the net device down, and its end sets it up. For advance the process sleeps, so
// that the timers of the driver run; user-mode Linux skips that time. Registers belong to the
// driver: scenarios that read or write them are skipped.
//
// Values. As on a wire (wire.hpp), differences of standard statistics are compared: those that
// the scenario names, and those that follow from its totals by the mapping of the model. They are
// differences of 64 bits: one that goes back has wrapped, and the remark names it. What a preset
// makes the driver count is no difference.
//
// Time. An expectation waits for all timers of the driver, since a value may be right for a while
// only; then `ethtool -S` is read, since some drivers fetch counters for nothing else, and must not
// change what was as expected.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <macstats/frame.h>
#include <macstats/schema.h>

#include "libmacstats/core/fault.hpp"
#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/core/statistics.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "libmacstats/scenario/observation.hpp"
#include "libmacstats/scenario/scenario.hpp"
#include "libmacstats/scenario/wire.hpp"

namespace macstats {

/// A string of `ethtool -S`.
struct NamedValue {
    std::string name;
    std::uint64_t value = 0;
};

/// What a driver reports.
struct DriverView {
    std::vector<StandardValue> standard{};
    std::vector<NamedValue> strings{}; ///< in the order of the driver; empty if they were not read
};

/// A statistic that went back from one reading of a reader to its next one.
struct WentBack {
    StandardValue from;
    std::uint64_t to = 0;
};

/// Reads what a driver reports, over and over, in threads of its own, until it is destroyed.
class BenchReaders {
public:
    BenchReaders() = default;
    BenchReaders(const BenchReaders&) = delete;
    BenchReaders& operator=(const BenchReaders&) = delete;
    virtual ~BenchReaders() = default;

    /// Ends the readers. The first time that each statistic went back meanwhile; an error if a read
    /// failed, or a reader had no time for one.
    virtual Result<std::vector<WentBack>> went_back() = 0;
};

/// A net device on the bench. One thread at a time.
class BenchPort {
public:
    BenchPort() = default;
    BenchPort(const BenchPort&) = delete;
    BenchPort& operator=(const BenchPort&) = delete;
    virtual ~BenchPort() = default;

    /// WireEnd::emulated is set.
    [[nodiscard]] virtual const WireEnd& end() const = 0;
    virtual Result<void> inject(const macstats_frame& frame, std::uint64_t count) = 0;
    virtual Result<void> preset(CounterIndex counter, std::uint64_t value) = 0;
    /// The hardware counts @more in one counter alone.
    virtual Result<void> count(CounterIndex counter, std::uint64_t more) = 0;
    virtual Result<void> fault(const FaultRequest& request) = 0;
    /// The hardware clears its counters, unannounced; its registers stay as they are.
    virtual Result<void> restart() = 0;
    /// Set the net device up, and wait for its carrier, or down.
    virtual Result<void> set_up(bool up, WireClock& clock) = 0;
    /// The registers that the model describes, and what they hold.
    virtual Result<std::vector<RegisterSetting>> registers() = 0;
    /// What the driver reports. @with_strings: after a read of `ethtool -S`.
    virtual Result<DriverView> observe(bool with_strings) = 0;
    /// What macstats makes of the same hardware, read now; nullopt where nobody asked for that.
    virtual Result<std::optional<Observation>> macstats() = 0;
    /// nullptr on a kernel where no reader interrupts another one.
    virtual Result<std::unique_ptr<BenchReaders>> read_all_the_time() = 0;
};

/// What was counted since the start of a scenario.
struct DriverGrowth {
    std::vector<StandardValue> standard{};
    std::vector<NamedValue> strings{};
    DriverView before{};                   ///< the values then
    std::optional<Observation> macstats{}; ///< see BenchPort::macstats()
};

/// The hardware of a scenario, and what no scenario does to it.
class DriverDevices : public DeviceSet {
public:
    /// See BenchPort::count() and BenchPort::restart().
    virtual Result<void> count(CounterIndex counter, std::uint64_t more) = 0;
    virtual Result<void> restart() = 0;
    /// Growth is that from now on.
    virtual Result<void> begin() = 0;
    /// After a read of `ethtool -S`.
    virtual Result<DriverGrowth> growth() = 0;
};

class DriverBackend : public Backend {
public:
    [[nodiscard]] virtual BenchPort& port() = 0;
    virtual Result<std::unique_ptr<DriverDevices>> start() = 0;
    /// Of a statistic: its id, and the lowest length of its bucket or 0.
    using Key = std::pair<std::uint32_t, std::uint32_t>;
    /// How long after frames a statistic still had its old value, at the most. Not set for one
    /// that was never late.
    using Lateness = std::map<Key, std::chrono::milliseconds>;
    [[nodiscard]] virtual const Lateness& lateness() const = 0;
    /// Those that have ever been anything but 0.
    using Counted = std::set<Key>;
    [[nodiscard]] virtual const Counted& counted() const = 0;
};

std::unique_ptr<DriverBackend>
driver_backend(std::unique_ptr<BenchPort> port, std::unique_ptr<WireClock> clock);

struct DriverRequest {
    WireMapping port;
    const macstats_model* model = nullptr; ///< the one that it must be; nullptr: any
    /// An emulated port of macstats that shall get the same, so that it shows what macstats makes
    /// of it: the one behind the driver, or another one of the model, where reads clear; "": none.
    std::string twin{};
    /// Counters by name, and the strings of `ethtool -S` that show them: scenarios compare those.
    std::map<std::string, std::string> strings{};
    std::function<bool()> interrupted{}; ///< whether the run should end early
};

/// Open an interface, in the caller's network namespace. EINVAL if no emulated port is behind it,
/// one of another model, or one whose counters clear on read while the provider polls them;
/// otherwise the errors of open_wire() about an interface. EINVAL, too, for a twin that is none.
Result<std::unique_ptr<DriverBackend>> open_driver(const DriverRequest& request);

} // namespace macstats
