// SPDX-License-Identifier: GPL-2.0 OR MIT
// Which counters and standard statistics of a MAC frames increment, and by how much.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <macstats/schema.h>
#include <nlohmann/json_fwd.hpp>

#include "libmacstats/core/frame.hpp"
#include "libmacstats/core/index.hpp"
#include "libmacstats/core/result.hpp"
#include "libmacstats/device/device.hpp"

namespace macstats {

/// Identical frames.
struct CountedFrames {
    FrameRequest frame;
    std::uint64_t count = 1; ///< up to most_counted_frames
};

inline constexpr std::uint64_t most_counted_frames = 65'536;

/// A MAC that had counted nothing before, after the frames.
struct CountResult {
    struct Incremented {
        CounterIndex counter;
        std::uint64_t value;
    };

    const macstats_model* model = nullptr;
    std::vector<Incremented> counters;   ///< values above 0, in the order of the model
    std::vector<StandardValue> standard; ///< all that the model supports
};

/// A register of a device, and its value before the first frame.
struct RegisterValue {
    std::string name;
    std::uint64_t value;
};

/// Count @frames on port 0 of a new device. Errors are those of Device, of frame_of(), and
/// of find_place() for a register.
Result<CountResult> count_frames(
    const macstats_model& model, const DeviceSetup& setup, std::span<const RegisterValue> registers,
    const CountedFrames& frames);

/// "3 tx pause frames of 64 octets, multicast".
std::string frames_text(const CountedFrames& frames);

/// Tables of the incremented counters, with their registers and descriptions, and of the
/// incremented standard statistics.
std::string count_text(const CountResult& result);

/// A column for each result: the standard statistics that the frames increment on any of
/// them, and "-" where the model does not support one or has other size classes.
std::string count_comparison(std::span<const CountResult> results);

/// The standard statistics by group, in the format of `ethtool --json -S IF --groups ...`,
/// with the groups "pause" and "rtnl". Empty groups are omitted.
nlohmann::ordered_json standard_json(std::span<const StandardValue> values);

/// An element of "models" in what `macstats count --json` prints.
nlohmann::ordered_json count_json(const CountResult& result);

/// @frames as the command's options and scenarios describe them.
nlohmann::ordered_json frames_json(const CountedFrames& frames);

} // namespace macstats
