// SPDX-License-Identifier: GPL-2.0 OR MIT
// Colours and weights of text on a terminal.
#pragma once

#include <string>
#include <string_view>

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
std::string styled(std::string_view text, Style style, bool colours);

} // namespace macstats
