// SPDX-License-Identifier: GPL-2.0 OR MIT
#pragma once

#include <cerrno>
#include <string>
#include <utility>

#include "libmacstats/core/result.hpp"

namespace macstats {

/// The error for a bad argument.
inline Error invalid(std::string message) {
    return {EINVAL, std::move(message)};
}

} // namespace macstats
