// SPDX-License-Identifier: GPL-2.0 OR MIT
#pragma once

#include <functional>
#include <memory>

#include <macstats/frame.h>

#include "libmacstats/core/index.hpp"
#include "libmacstats/device/device.hpp"
#include "libmacstats/scenario/backend.hpp"

namespace macstats {

/// Called before a device of the builtin backend counts frames.
using OnFrames =
    std::function<void(const Device& device, PortIndex port, const macstats_frame& frame)>;

std::unique_ptr<Backend> builtin_backend(OnFrames on_frames);

} // namespace macstats
