// SPDX-License-Identifier: GPL-2.0 OR MIT
// Untrusted text in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "libmacstats/core/escape.hpp"

namespace macstats {

/// The start of @text, long enough to identify it, made printable().
inline std::string shown(std::string_view text) {
    constexpr std::size_t most = 64;
    const std::string_view part = start_of(text, most);
    return printable(part) + (part.size() < text.size() ? "..." : "");
}

/// The same in quotation marks.
inline std::string in_quotes(std::string_view text) {
    return '"' + shown(text) + '"';
}

} // namespace macstats
