// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// What tests ask of a text.
#ifndef MACSTATS_TEST_TEXT_HPP
#define MACSTATS_TEST_TEXT_HPP

#include <string_view>

namespace macstats::test {

inline bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != text.npos;
}

} // namespace macstats::test

#endif // MACSTATS_TEST_TEXT_HPP
