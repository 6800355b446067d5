// SPDX-License-Identifier: GPL-2.0 OR MIT
// The ANSI sequences of styles.
#include "present/style.hpp"

#include <cstddef>

#include <fmt/format.h>

namespace macstats {

namespace {

// The parameters of the sequences, in the order of enum Style.
constexpr std::string_view parameters[] = {"", "1", "1;31", "33", "2", "7"};

} // namespace

std::string styled(std::string_view text, Style style, bool colours) {
    if (!colours || style == Style::plain || text.empty())
        return std::string(text);
    return fmt::format("\033[{}m{}\033[0m", parameters[static_cast<std::size_t>(style)], text);
}

} // namespace macstats
