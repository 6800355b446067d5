// SPDX-License-Identifier: GPL-2.0 OR MIT
// What a scenario runs on: emulated devices in this process, or in the kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <macstats/frame.h>
#include <nlohmann/json.hpp>

#include "names.hpp"
#include "result.hpp"
#include "scenario.hpp"

namespace macstats {

/// What users of a port see, as of the provider's last good poll.
struct Observation {
    bool stale = false;
    bool possible_loss = false;
    std::uint32_t discontinuities = 0;
    std::vector<std::uint64_t> totals; ///< in the order of the counters; empty if absent
    nlohmann::ordered_json standard;   ///< as standard_json() has it
};

/// The devices of one scenario. They are out of use when the object goes; they are
/// gone when the backend goes, or the process, however it ends. The backend has to
/// live longer.
///
/// Errors: EOPNOTSUPP means that the backend cannot do it; then the scenario is
/// skipped, for the reason that the message says. All others fail the step.
class Bench {
public:
    Bench() = default;
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;
    virtual ~Bench() = default;

    virtual Result<void>
    send(ScenarioPort port, const macstats_frame& frame, std::uint64_t count) = 0;
    virtual Result<std::uint64_t> read(ScenarioPort port, const Place& place) = 0;
    virtual Result<void> write(ScenarioPort port, const Place& place, std::uint64_t value) = 0;
    virtual Result<void> preset(ScenarioPort port, unsigned int counter, std::uint64_t value) = 0;
    virtual Result<void> fault(ScenarioPort port, std::uint32_t fault, bool active) = 0;
    /// A port that cannot be read is stale after it, which is no Error.
    virtual Result<void> poll(ScenarioPort port) = 0;
    /// Time passes for all ports, without a poll.
    virtual Result<void> advance(std::uint64_t nanoseconds) = 0;
    /// @with_standard: fill in Observation::standard, too.
    virtual Result<Observation> observe(ScenarioPort port, bool with_standard) = 0;
};

class Backend {
public:
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;
    virtual ~Backend() = default;

    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Plug in the devices, with the registers set.
    virtual Result<std::unique_ptr<Bench>> set_up(const std::vector<ScenarioDevice>& devices) = 0;
};

/// The emulator and the accumulator in this process: no privileges, no kernel.
std::unique_ptr<Backend> builtin_backend();
/// The kernel modules over netlink. Error::not_loaded if they are not there.
Result<std::unique_ptr<Backend>> kernel_backend();
/// "builtin" or "kernel"; EINVAL for another name.
Result<std::unique_ptr<Backend>> open_backend(std::string_view name);

} // namespace macstats
