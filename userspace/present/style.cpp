// SPDX-License-Identifier: GPL-2.0 OR MIT
// The ANSI sequences of styles.
#include "present/style.hpp"

#include <fmt/format.h>

namespace macstats {

namespace {

std::string_view parameters_of(Style style) {
    switch (style) {
    case Style::plain:
        break;
    case Style::heading:
        return "1";
    case Style::error:
        return "1;31";
    case Style::warning:
        return "33";
    case Style::faint:
        return "2";
    case Style::bar:
        return "7";
    }
    return "";
}

} // namespace

std::string styled(std::string_view text, Style style, bool colours) {
    if (!colours || style == Style::plain || text.empty())
        return std::string(text);
    return fmt::format("\033[{}m{}\033[0m", parameters_of(style), text);
}

} // namespace macstats
