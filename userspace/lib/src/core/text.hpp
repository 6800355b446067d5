// SPDX-License-Identifier: GPL-2.0 OR MIT
// Untrusted text in messages, tables and pages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "libmacstats/core/escape.hpp"

namespace macstats {

/// Like printable(), for XML and HTML.
std::string markup(std::string_view text);

/// The number of characters of a text (UTF-8), each of which takes one cell of a terminal.
std::size_t cells_of(std::string_view text);

/// The start of a text (UTF-8) of at most @most octets, without a part of a character.
std::string_view start_of(std::string_view text, std::size_t most);

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
