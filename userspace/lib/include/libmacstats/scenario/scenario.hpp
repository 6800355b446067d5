// SPDX-License-Identifier: GPL-2.0 OR MIT
// A scenario: devices, steps, and expected statistics. The reader has replaced names by
// models, ports, counters and addresses.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <macstats/frame.h>
#include <macstats/schema.h>

#include "libmacstats/core/fault.hpp"
#include "libmacstats/core/index.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/result.hpp"

namespace macstats {

/// A port of a scenario: an index into Scenario::devices, and that of one of its ports.
struct ScenarioPort {
    unsigned int device = 0;
    PortIndex index;
    bool operator==(const ScenarioPort&) const = default;
};

/// A register and its value before the first step.
struct RegisterSetting {
    std::string name; ///< as written
    Place place{};
    std::uint64_t value = 0;
};

struct ScenarioDevice {
    std::string name;
    const macstats_model* model = nullptr;
    std::uint16_t options = 0; ///< enum macstats_option that are on
    bool random_power_up = false;
    std::uint64_t seed = 0;
    bool line_rate_bound = false;
    std::vector<RegisterSetting> registers{}; ///< of every port of the device
};

/// Count identical frames.
struct SendStep {
    ScenarioPort port;
    macstats_frame frame{};
    std::uint64_t count = 1; ///< 1 to 2^63 - 1
};

/// Read each word of a place on the bus.
struct ReadStep {
    ScenarioPort port;
    std::string name; ///< as written
    Place place{};
    std::optional<std::uint64_t> expect{};
};

struct WriteStep {
    ScenarioPort port;
    std::string name;
    Place place{};
    std::uint64_t value = 0;
};

/// Set hardware counters without changing their totals.
struct PresetStep {
    struct Value {
        CounterIndex counter;
        std::uint64_t value;
    };
    ScenarioPort port;
    std::vector<Value> counters;
};

struct FaultStep {
    ScenarioPort port;
    FaultRequest request{}; ///< of one fault
};

struct PollStep {
    ScenarioPort port;
};

struct AdvanceStep {
    std::uint64_t nanoseconds = 0; ///< for every port
};

enum class Others {
    any,
    zero
};

/// A standard statistic. Without a value, it must not be reported.
struct ExpectedStandard {
    std::string group;
    std::string name;
    /// A histogram's bucket by its lowest length; only where `name` is a histogram.
    std::optional<std::uint32_t> low;
    std::optional<std::uint64_t> value;
    /// The bucket's highest length; only with `low`, and ignored if not set.
    std::optional<std::uint32_t> high = std::nullopt;
    /// Not "": the reason to leave it out if it is in Observation::uncounted. Not in files.
    std::string if_uncounted{};
};

struct ExpectedState {
    std::optional<bool> stale;
    std::optional<bool> possible_loss;
    std::optional<std::uint32_t> discontinuities;
    /// All saturated counters, ascending.
    std::optional<std::vector<CounterIndex>> saturated;
};

struct ExpectStep {
    struct Total {
        CounterIndex counter;
        std::optional<std::uint64_t> value; ///< not set: the counter must be absent
    };
    ScenarioPort port;
    std::vector<Total> totals{};
    Others others = Others::any;
    std::vector<ExpectedStandard> standard{};
    ExpectedState state{};
    bool fresh = true; ///< poll first
};

using Step = std::variant<
    SendStep, ReadStep, WriteStep, PresetStep, FaultStep, PollStep, AdvanceStep, ExpectStep>;

struct Scenario {
    std::string file; ///< its file; "" without one
    std::string name;
    std::string reference; ///< to a datasheet; "" if not set
    std::vector<ScenarioDevice> devices;
    std::vector<Step> steps;
};

/// The models that scenarios may use; by default those of find_model().
using ModelLookup = std::function<const macstats_model*(std::string_view name)>;

/// The longest scenario file that is read, in octets.
inline constexpr std::size_t most_scenario_octets = std::size_t{64} << 20;

/// A scenario from JSON text. Unknown content is rejected: the Error (EINVAL; EFBIG for
/// more than most_scenario_octets) has @file, the JSON pointer of the place (RFC 6901)
/// and the accepted values, as
/// "pause.json: /steps/3/send/length: expected an integer from 1 to 65535, not 0".
Result<Scenario> parse_scenario(
    std::string_view text, const std::string& file, const ModelLookup& models = find_model);

/// The same from a file; "-" is the standard input.
Result<Scenario> load_scenario(const std::string& file, const ModelLookup& models = find_model);

/// The JSON text of a scenario; parse_scenario() reads the same scenario from it.
std::string scenario_text(const Scenario& scenario);
/// The JSON text of one of its steps, on one line.
std::string step_text(const Scenario& scenario, const Step& step);

} // namespace macstats
