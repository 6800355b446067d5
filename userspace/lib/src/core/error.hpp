// SPDX-License-Identifier: GPL-2.0 OR MIT
// Errors with a formatted text.
#pragma once

#include <cerrno>
#include <utility>

#include <fmt/format.h>

#include "libmacstats/core/result.hpp"

namespace macstats {

template <typename... Values>
Error failure(int errnum, fmt::format_string<Values...> text, Values&&... values) {
    return {errnum, fmt::format(text, std::forward<Values>(values)...)};
}

/// The error for a bad argument.
template <typename... Values>
Error invalid(fmt::format_string<Values...> text, Values&&... values) {
    return {EINVAL, fmt::format(text, std::forward<Values>(values)...)};
}

} // namespace macstats
