// SPDX-License-Identifier: GPL-2.0 OR MIT
// Rates and large totals in words.
#include "present/rate.hpp"

#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "libmacstats/core/names.hpp"

namespace macstats {

namespace {

bool are_octets(std::optional<macstats_unit> unit) {
    return name_of(unit_names, unit) == name_of(unit_names, MACSTATS_OCTETS);
}

// "12.35 M": four digits and a prefix.
std::string with_prefix(double value) {
    constexpr std::string_view prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    std::size_t step = 0;
    // Four digits are shown: 999.95 would become 1000.
    while (std::abs(value) >= 999.95 && step + 1 < std::size(prefixes)) {
        value /= 1000;
        step++;
    }
    const int digits = step == 0 && value == std::floor(value) ? 0
                       : value < 9.9995                        ? 3
                       : value < 99.995                        ? 2
                                                               : 1;
    return fmt::format("{:.{}f} {}", value, digits, prefixes[step]);
}

} // namespace

std::string rate_text(double per_second, std::optional<macstats_unit> unit) {
    const bool octets = are_octets(unit);
    return fmt::format(
        "{}{}/s", with_prefix(octets ? per_second * 8 : per_second),
        octets ? std::string_view("bit") : name_of(unit_names, unit));
}

std::string scaled_text(std::uint64_t total, std::optional<macstats_unit> unit) {
    constexpr std::uint64_t least = 10'000;
    if (total < least)
        return "";
    std::string text = with_prefix(static_cast<double>(total));
    text += are_octets(unit) ? std::string_view("B") : name_of(unit_names, unit);
    return text;
}

} // namespace macstats
