// SPDX-License-Identifier: GPL-2.0 OR MIT
// Frames as callers describe them, and as the schema's functions take them.
#pragma once

#include <cstdint>
#include <optional>

#include <macstats/frame.h>
#include <macstats/schema.h>

#include "libmacstats/core/result.hpp"

namespace macstats {

/// The most frames that are counted at once.
inline constexpr std::uint64_t most_frames = (1ULL << 63) - 1;

/// A frame to count, with the defaults of a scenario's step `send`: a transmitted data
/// frame of 64 octets. Masks are those of <macstats/frame.h>. Members hold numbers of
/// any size: the device that counts the frame rejects those out of range.
struct FrameRequest {
    std::uint32_t direction = MACSTATS_TX;
    std::uint32_t length = MACSTATS_FRAME_MIN; ///< octets with FCS
    /// Unicast if not given; multicast for a pause frame of a MAC that makes no others.
    std::optional<std::uint32_t> destination = std::nullopt;
    std::uint32_t kind = MACSTATS_DATA;
    std::uint32_t origin = MACSTATS_BY_SOFTWARE;
    std::uint32_t vlan_tags = 0;
    std::uint32_t errors = 0;
    std::uint32_t collisions = 0;
    bool deferred = false;
    std::uint32_t descriptors = 0; ///< of its packet; 0 stands for one
    /// The first descriptor decides, not a register: the MAC appends the CRC, ...
    std::optional<bool> append_crc = std::nullopt;
    std::optional<bool> huge = std::nullopt; ///< ... there is no maximum frame length

    bool operator==(const FrameRequest&) const = default;
};

/// The request for @frame.
FrameRequest request_of(const macstats_frame& frame);

/// The frame that @request describes to a port of @model. ERANGE names a member that the
/// schema's narrower type cannot hold; whether the frame makes sense is not checked.
Result<macstats_frame> frame_of(const FrameRequest& request, const macstats_model& model);

} // namespace macstats
