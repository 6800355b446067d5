// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace macstats {

namespace {

// The beginning of a long text (UTF-8): enough to find it by.
std::string_view excerpt(std::string_view text) {
    constexpr std::size_t most_shown = 64;
    std::size_t end = std::min(text.size(), most_shown);
    while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
        end--;
    return text.substr(0, end);
}

} // namespace

std::string shown(std::string_view text) {
    std::string result;
    const std::string_view part = excerpt(text);
    for (const char c : part) {
        if (const auto code = static_cast<unsigned char>(c); code < 0x20 || code == 0x7f)
            result += fmt::format("\\u{:04x}", code);
        else
            result += c;
    }
    return part.size() < text.size() ? result + "..." : result;
}

std::string in_quotes(std::string_view text) {
    return '"' + shown(text) + '"';
}

} // namespace macstats
