// SPDX-License-Identifier: GPL-2.0 OR MIT
#ifndef MACSTATS_TEST_JSON_HPP
#define MACSTATS_TEST_JSON_HPP

#include <istream>
#include <string_view>

#include <nlohmann/json.hpp>

namespace macstats::test {

// Functions: nlohmann's parser would take seconds of each program's compilation.
nlohmann::ordered_json parse_json(std::string_view text);
nlohmann::ordered_json parse_json(std::istream& file);

} // namespace macstats::test

#endif
