// SPDX-License-Identifier: GPL-2.0 OR MIT
// Colours and weights of text on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace macstats {

enum class Style {
    plain,
    heading, ///< bold
    error,   ///< red and bold
    warning, ///< yellow
    faint,
    bar, ///< the other way round: a line across the screen
};

/// @text in a style, by ANSI sequences, which take no cells. Unchanged without @colours and
/// where there is nothing to see.
inline std::string styled(std::string_view text, Style style, bool colours) {
    constexpr std::string_view parameters[] = {"", "1", "1;31", "33", "2", "7"};
    if (!colours || style == Style::plain || text.empty())
        return std::string(text);
    return fmt::format("\033[{}m{}\033[0m", parameters[static_cast<std::size_t>(style)], text);
}

} // namespace macstats
