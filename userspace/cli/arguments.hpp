// SPDX-License-Identifier: GPL-2.0 OR MIT
// Numbers, durations and words as users type them, and the words of errors about them.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/error.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/result.hpp"

namespace macstats::cli {

using macstats::parse_number;

/// A number of a range. @option: for the error.
Result<std::uint64_t> parse_number(
    std::string_view option, std::string_view text, std::uint64_t least, std::uint64_t most);

/// A whole number of at least 1. @option is the option and @what is counted, for the error.
Result<std::uint64_t>
parse_count(std::string_view option, std::string_view what, std::string_view text);

/// True for "on", false for "off".
Result<bool> parse_switch(std::string_view option, std::string_view word);

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
/// attributes ("DEVICE_NAME"), and no errno text after an explanation.
Error in_user_words(Error error);

} // namespace macstats::cli
