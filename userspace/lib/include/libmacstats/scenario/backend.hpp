// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backends of scenarios: emulated devices in this process, or in the kernel. wire.hpp
// has the one on real ports.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <macstats/frame.h>

#include "libmacstats/core/fault.hpp"
#include "libmacstats/core/index.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/scenario/observation.hpp"
#include "libmacstats/scenario/scenario.hpp"

namespace macstats {

/// The devices of one scenario. The object releases them; they are removed with the
/// backend at the latest, or when the process ends for any reason. The backend must
/// outlive the object. One thread at a time; calls block until they are carried out.
///
/// Errors: DeviceSet::unsupported for a step that the backend does not support; the scenario is
/// then skipped, and the message is the reason. DeviceSet::disturbed if something else disturbed
/// the devices: the scenario runs again, on devices that are set up again, up to a limit. All
/// others fail the step, an EOPNOTSUPP of the hardware too.
class DeviceSet {
public:
    /// Codes of errors whose message is the whole reason. No errno has them.
    static constexpr int disturbed = -1;
    static constexpr int frames_lost = -2;
    static constexpr int unsupported = -3;

    DeviceSet() = default;
    DeviceSet(const DeviceSet&) = delete;
    DeviceSet& operator=(const DeviceSet&) = delete;
    virtual ~DeviceSet() = default;

    virtual Result<void>
    send(ScenarioPort port, const macstats_frame& frame, std::uint64_t count) = 0;
    virtual Result<std::uint64_t> read(ScenarioPort port, const Place& place) = 0;
    virtual Result<void> write(ScenarioPort port, const Place& place, std::uint64_t value) = 0;
    virtual Result<void> preset(ScenarioPort port, CounterIndex counter, std::uint64_t value) = 0;
    virtual Result<void> fault(ScenarioPort port, const FaultRequest& request) = 0;
    /// A failed poll makes the port stale and is not an Error.
    virtual Result<void> poll(ScenarioPort port) = 0;
    /// Let time pass for all ports, without a poll.
    virtual Result<void> advance(std::uint64_t nanoseconds) = 0;
    /// @with_standard: also fill in Observation::standard.
    virtual Result<Observation> observe(ScenarioPort port, bool with_standard) = 0;
    /// Leave the devices to the next scenario, as the destructor does, which tells no error.
    virtual Result<void> finish() { return {}; }

    /// Accepts an observation that has all expected values.
    using AsExpected = std::function<bool(const Observation&)>;
    /// observe(). Where frames take time to be counted, wait until @as_expected accepts what
    /// is observed, up to a limit; then the last observation is returned.
    virtual Result<Observation>
    await(ScenarioPort port, bool with_standard, const AsExpected& as_expected) {
        (void)as_expected;
        return observe(port, with_standard);
    }
};

/// A scenario as far as a backend can run it. Steps keep their indices.
struct AdaptedScenario {
    std::optional<Scenario> scenario;        ///< not set: as it is
    std::vector<std::string> not_compared{}; ///< expectations that were left out, and why
};

class Backend {
public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    /// The scenario that is run in place of @scenario, before any of its devices is set up.
    /// DeviceSet::unsupported: the scenario is skipped, and the message is the reason.
    virtual Result<AdaptedScenario> adapt(const Scenario& scenario) {
        (void)scenario;
        return AdaptedScenario{};
    }
    /// Add the devices and set their registers.
    virtual Result<std::unique_ptr<DeviceSet>>
    set_up(const std::vector<ScenarioDevice>& devices) = 0;
};

/// The emulator and the accumulator in this process; needs no privileges and no kernel.
std::unique_ptr<Backend> builtin_backend();
/// "builtin", or "kernel": the modules, through netlink, Error::not_loaded without them. EINVAL for
/// another name.
Result<std::unique_ptr<Backend>> open_backend(std::string_view name);

} // namespace macstats
