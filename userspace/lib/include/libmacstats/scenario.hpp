// SPDX-License-Identifier: GPL-2.0 OR MIT
// A scenario: devices, what happens to them, what must be read. Here it is as it
// runs: names have become models, ports, counters and addresses.
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

#include "names.hpp"
#include "result.hpp"

namespace macstats {

/// A port of a scenario: an index into Scenario::devices, and one of its ports.
struct ScenarioPort {
    unsigned int device = 0;
    unsigned int port = 0;
    bool operator==(const ScenarioPort&) const = default;
};

/// A register and what it holds before the first step.
struct RegisterSetting {
    std::string name; ///< as written
    Place place{};
    std::uint64_t value = 0;
};

struct ScenarioDevice {
    std::string name;
    const macstats_model* model = nullptr;
    std::uint8_t options = 0; ///< enum macstats_option that are on
    bool random_power_up = false;
    std::uint64_t seed = 0;
    std::vector<RegisterSetting> registers{}; ///< of every port of the device
};

/// Frames alike cross the wire.
struct SendStep {
    ScenarioPort port;
    macstats_frame frame{};
    std::uint64_t count = 1; ///< 1 to 2^63 - 1
};

/// One raw bus read of each word of a place.
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

/// Hardware counters hold values, as if counted before the provider first looked.
struct PresetStep {
    struct Value {
        unsigned int counter;
        std::uint64_t value;
    };
    ScenarioPort port;
    std::vector<Value> counters;
};

struct FaultStep {
    ScenarioPort port;
    std::uint32_t fault = 0; ///< one of enum macstats_fault
    bool active = true;
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

/// A standard statistic; nothing as value: it must not be reported.
struct ExpectedStandard {
    std::string group;
    std::string name;
    /// A histogram's bucket by its lowest length; only where `name` is a histogram.
    std::optional<std::uint32_t> low;
    std::optional<std::uint64_t> value;
    /// The bucket's highest length; only with `low`, and not looked at if absent.
    std::optional<std::uint32_t> high = std::nullopt;
};

struct ExpectedState {
    std::optional<bool> stale;
    std::optional<bool> possible_loss;
    std::optional<std::uint32_t> discontinuities;
};

struct ExpectStep {
    struct Total {
        unsigned int counter;
        std::uint64_t value;
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
    std::string file; ///< where it is from; "" if from nowhere
    std::string name;
    std::string reference; ///< of a datasheet; "" if not given
    std::vector<ScenarioDevice> devices;
    std::vector<Step> steps;
};

/// Which models there are: find_model() unless somebody has others.
using ModelLookup = std::function<const macstats_model*(std::string_view name)>;

/// The longest scenario file that is read, in octets.
inline constexpr std::size_t most_scenario_octets = std::size_t{64} << 20;

/// A scenario from JSON text. Everything that is not understood is refused: the
/// Error (EINVAL; EFBIG for one over most_scenario_octets) has @file, the JSON
/// pointer of the place (RFC 6901) and what was expected there, as
/// "pause.json: /steps/3/send/length: expected an integer from 1 to 65535, not 0".
Result<Scenario> parse_scenario(
    std::string_view text, const std::string& file, const ModelLookup& models = find_model);

/// The same from a file; "-" is the standard input.
Result<Scenario> load_scenario(const std::string& file, const ModelLookup& models = find_model);

/// The JSON text of a scenario, such that parse_scenario() gives the same again.
std::string scenario_text(const Scenario& scenario);

} // namespace macstats
