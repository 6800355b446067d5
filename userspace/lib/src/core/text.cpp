// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "core/text.hpp"

#include "libmacstats/core/escape.hpp"

namespace macstats {

std::string shown(std::string_view text) {
    constexpr std::size_t most = 64; // enough to identify the text
    const std::string_view part = start_of(text, most);
    return printable(part) + (part.size() < text.size() ? "..." : "");
}

std::string in_quotes(std::string_view text) {
    return '"' + shown(text) + '"';
}

} // namespace macstats
