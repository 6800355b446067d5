// SPDX-License-Identifier: GPL-2.0 OR MIT
// Numbers, durations and words as users type them, and the words of errors about them.
#pragma once

#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "libmacstats/core/result.hpp"

namespace macstats::cli {

/// An error with a formatted text.
template <typename... Values>
Error failure(int errnum, fmt::format_string<Values...> text, Values&&... values) {
    return {errnum, fmt::format(text, std::forward<Values>(values)...)};
}

/// The error for what the user typed.
template <typename... Values>
Error invalid(fmt::format_string<Values...> text, Values&&... values) {
    return {EINVAL, fmt::format(text, std::forward<Values>(values)...)};
}

/// A whole number of at least 1. @option is the option and @what is counted, for the error.
Result<std::uint64_t>
parse_count(std::string_view option, std::string_view what, std::string_view text);

/// The range of a duration, in seconds.
struct Seconds {
    double least;
    double most;
};

/// A duration in seconds: "10", "0.5s", "200ms", "2m", "1h".
Result<double> parse_seconds(std::string_view option, std::string_view text, Seconds range);

/// True for text that has the form of a duration, whatever its range.
bool is_duration(std::string_view text);

/// @error in the words that the user typed: options and metavars in place of netlink
/// attributes ("DEVICE_NAME"), and no errno text behind an explanation.
Error in_user_words(Error error);

} // namespace macstats::cli
