// SPDX-License-Identifier: GPL-2.0 OR MIT
// Rates in words.
#include "present/rate.hpp"

#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "libmacstats/core/names.hpp"

namespace macstats {

std::string rate_text(double per_second, std::optional<macstats_unit> unit) {
    const std::string_view name = name_of(unit_names(), unit);
    const bool octets = name == name_of(unit_names(), MACSTATS_OCTETS);
    double value = octets ? per_second * 8 : per_second;
    constexpr std::string_view prefixes[] = {"", "k", "M", "G", "T"};
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
    return fmt::format(
        "{:.{}f} {}{}/s", value, digits, prefixes[step], octets ? std::string_view("bit") : name);
}

} // namespace macstats
